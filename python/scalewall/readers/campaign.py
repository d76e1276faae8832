"""Files that `scalewall measure` writes: one JSON object a line, the first says what was measured on what."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from scalewall.kinds import falls_clearly
from scalewall.phase_ledger import CALLER, INSIDE
from scalewall.readers import shortage
from scalewall.readers.table import shortened, unreadable
from scalewall.results import Note, Rejected
from scalewall.runs import Runs
from scalewall.workers import DEFAULT_UNIT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import numpy.typing as npt

FORMAT = "scalewall.runs/1"

QUIET, STOLEN = 0.05, 0.01
"""Shares of the processors that others may use, and that a host may take, where a machine counts as quiet."""

SHORTEST_S = 1e-3
"""Runs shorter than this are mostly starting, stopping and the clock."""

# What every run has beside its count and its time; kept as columns.
_COLUMNS = (
    "order",
    "process_s",
    "user_s",
    "system_s",
    "preemptions",
    "switches",
    "peak_rss_bytes",
    "others_cpus",
    "steal_cpus",
    "pressure_share",
    "throttled",
)


@dataclass
class Campaign:
    """What a file holds: its head, the records that came after it with their lines, and what is broken."""

    head: dict[str, Any]
    records: list[tuple[int, dict[str, Any]]]
    broken: list[Rejected] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)

    def of(self, *kinds: str) -> list[tuple[int, dict[str, Any]]]:
        """Return the records of some kinds, each with its line."""
        return [(line, record) for line, record in self.records if record.get("record") in kinds]


def is_campaign(text: str) -> bool:
    """Say whether a text is a file of `scalewall measure`: by its first line."""
    first = text[:100_000].lstrip().split("\n", 1)[0]
    if not first.startswith("{") or FORMAT.split("/", maxsplit=1)[0] not in first:
        return False
    try:
        head = json.loads(first)
    except ValueError:
        return False
    return isinstance(head, dict) and head.get("record") == "campaign"


def parse(text: str, source: str) -> Campaign:
    """Return what a file of `scalewall measure` holds; a last line that was cut off is no fault."""
    lines = text.split("\n")
    numbered = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    head = json.loads(numbered[0][1])
    if head.get("format") != FORMAT:
        raise unreadable(
            source,
            f'row 1: format "{head.get("format")}" is not known here. Expected "{FORMAT}". Use the scalewall '
            "that wrote the file, or a newer one",
        )
    found = Campaign(head, [])
    for number, line in numbered[1:]:
        try:
            record = json.loads(line)
        except ValueError:
            record = None
        if isinstance(record, dict):
            found.records.append((number, record))
        elif number == len(lines):
            # Without its line end it was cut off while it was written.
            text = f"Row {number} is cut off: the run that was being written then is not counted."
            found.notes.append(Note("row_cut_off", text))
        else:
            found.broken.append(
                Rejected(number, f'{source} row {number}: "{shortened(line)}" is no record of a run')
            )
    return found


def runs_of(
    campaign: Campaign,
    source: str,
    *,
    kind: str | None = None,
    unit: str | tuple[str, str] | None = None,
    min_n: float = 1.0,
    keep_rows: Iterable[int] = (),
) -> Runs:
    """Return the runs of a campaign: failed ones are listed, those short of processors set aside."""
    head, runs = campaign.head, campaign.of("run")
    if not runs:
        failed = campaign.of("failed")
        what = f"all {len(failed)} runs failed" if failed else "holds no run yet"
        raise unreadable(source, f"{what}. Expected at least one. Measure again with scalewall measure")
    keep = {int(row) for row in keep_rows}
    lines = np.array([line for line, _ in runs], dtype=np.int64)
    n = _column(runs, "n")
    words = _words(head, unit)
    rated = head.get("quantity") == "rate"
    value = _column(runs, "rate" if rated else "time_s")
    columns = {name: _column(runs, name) for name in _COLUMNS}
    wall = columns["process_s"]
    usage = shortage.Usage(
        n,
        wall,
        wall if rated else np.minimum(value, wall),
        columns["user_s"] + columns["system_s"],
        columns["preemptions"],
    )
    short = shortage.find(usage, _cpus(campaign), (head.get("environment") or {}).get("quota_cpus"))
    aside = short.rows & ~np.isin(lines, list(keep))
    rejected = [*campaign.broken, *_failed(campaign, words)]
    rejected += [
        Rejected(
            int(lines[row]),
            f"row {lines[row]}: {short.reason(int(row), words[0])}. Put it back with --keep-row {lines[row]}",
        )
        for row in np.flatnonzero(aside)
    ]
    kept = ~aside
    extra: dict[str, npt.ArrayLike] = {
        name: column[kept] for name, column in columns.items() if not bool(np.isnan(column).all())
    }
    extra |= {name: column[kept] for name, column in _phases(runs).items()}
    notes = [*campaign.notes, *_notes(campaign, short, aside, words)]
    given = kind if kind is not None else head.get("kind")
    if given is None and not rated and not (bool(kept.any()) and falls_clearly(n[kept], value[kept])):
        given = "strong"
        text = (
            "Taken as fixed work: measure runs the same command at every count, though its time does not "
            f"fall clearly. If the work grows with the {words[0]}: --scaling weak."
        )
        notes.append(Note("taken_as_strong", text))
    serial = extra.get(f"{CALLER}serial_ns")
    return Runs(
        n[kept],
        time=None if rated else value[kept],
        throughput=value[kept] if rated else None,
        round=_column(runs, "round")[kept],
        kind=given,
        unit=words,
        extra=extra,
        serial=None if serial is None else np.asarray(serial) / 1e9,
        min_n=min_n,
        keep_rows=keep,
        source=source,
        line=lines[kept],
        columns={"n": "n", "time": "time_s", "throughput": "rate", "round": "round"},
        rejected=rejected,
        notes=notes,
        environment=_environment(campaign, short.capacity),
    )


def _column(runs: list[tuple[int, dict[str, Any]]], name: str) -> npt.NDArray[np.float64]:
    # None reads as not a number: what the system does not tell.
    return np.array([record.get(name) for _, record in runs], dtype=np.float64)


def _words(head: Mapping[str, Any], unit: str | tuple[str, str] | None) -> tuple[str, str]:
    given = unit if unit is not None else head.get("unit") or DEFAULT_UNIT
    if isinstance(given, str):
        return (given, given.removesuffix("s"))
    return cast("tuple[str, str]", tuple(given))


def _cpus(campaign: Campaign) -> float | None:
    """Return the largest capacity that any trial found; None where the work may run on other machines."""
    if campaign.head.get("elsewhere"):
        return None
    found = [float(record["cpus"]) for _, record in campaign.of("capacity")]
    return max(found, default=None)


def _failed(campaign: Campaign, words: tuple[str, str]) -> list[Rejected]:
    return [
        Rejected(
            line,
            f"row {line}, round {record.get('round')}: the run on {record.get('n')} "
            f"{words[1] if record.get('n') == 1 else words[0]} failed ({record.get('reason')})",
        )
        for line, record in campaign.of("failed")
    ]


def _phases(runs: list[tuple[int, dict[str, Any]]]) -> dict[str, npt.NDArray[np.float64]]:
    """Return a column for each phase; a run that never entered it spent no time there."""
    found = {}
    for key, beginning in (("phases_ns", CALLER), ("inside_ns", INSIDE)):
        for name in dict.fromkeys(name for _, record in runs for name in record.get(key) or {}):
            values = [(record.get(key) or {}).get(name, 0) for _, record in runs]
            found[f"{beginning}{name}_ns"] = np.array(values, dtype=np.float64)
    return found


def _notes(
    campaign: Campaign, short: shortage.Shortage, aside: npt.NDArray[np.bool_], words: tuple[str, str]
) -> list[Note]:
    notes = []
    if bool(aside.any()):
        text = (
            f"This machine gave {short.capacity:.2g} processors' worth of time: beyond that {words[0]} only "
            "wait their turn, and those runs say nothing about the program."
        )
        notes.append(Note("capacity_reached", text))
    notes += _busy(campaign) + _startup(campaign)
    times = _column(campaign.of("run"), "process_s")
    if float(np.nanmin(times)) < SHORTEST_S:
        text = (
            f"The shortest run takes {1e6 * float(np.nanmin(times)):.3g} µs: too short to measure. Give it "
            "more work, so that starting and stopping are small beside it."
        )
        notes.append(Note("too_short", text))
    return notes


def _startup(campaign: Campaign) -> list[Note]:
    startup = [float(record["process_s"]) for _, record in campaign.of("startup")]
    if not startup:
        return []
    mean = float(np.mean(startup))
    shortest = float(np.nanmin(_column(campaign.of("run"), "process_s")))
    text = (
        f"Start-up alone ({campaign.head.get('startup')}) takes {mean:.3g} s, where the shortest run takes "
        f"{shortest:.3g} s. Nothing is subtracted."
    )
    return [Note("startup", text)]


def _busy(campaign: Campaign) -> list[Note]:
    """Say if the machine was not quiet, so that the times are those of a machine that others use too."""
    if campaign.head.get("elsewhere"):
        return []
    usable = (campaign.head.get("environment") or {}).get("processors")
    runs = campaign.of("run")
    parts = []
    others, steal = (_mean(runs, name) for name in ("others_cpus", "steal_cpus"))
    throttled = np.nansum(_column(runs, "throttled"))
    if others is not None and usable and others > QUIET * usable:
        parts.append(f"others used {others:.2g} of its {usable} processors")
    if steal is not None and usable and steal > STOLEN * usable:
        parts.append(f"its host took {steal:.2g} processors away")
    if throttled > 0:
        parts.append(f"its control group was stopped {throttled:.0f} times for using more than its quota")
    if not parts:
        return []
    text = f"The machine was not quiet: {', '.join(parts)}. Times are those of a machine that busy."
    return [Note("machine_busy", text)]


def _mean(runs: list[tuple[int, dict[str, Any]]], name: str) -> float | None:
    values, wall = _column(runs, name), _column(runs, "process_s")
    known = np.isfinite(values) & np.isfinite(wall)
    return float(np.average(values[known], weights=wall[known])) if bool(known.any()) else None


def _environment(campaign: Campaign, capacity: float | None) -> dict[str, Any]:
    found = dict(campaign.head.get("environment") or {})
    found |= {"command": campaign.head.get("command"), "capacity_cpus": capacity}
    ends = campaign.of("end")
    if ends:
        found |= {"stopped": ends[-1][1].get("text")}
    return found
