"""Shows a campaign on standard error: redrawn in place on a terminal, one line a round in a pipe."""

from __future__ import annotations

import shutil
import sys
import time
from typing import TYPE_CHECKING, Any

from scalewall._errors import ScalewallError
from scalewall.cli.console import STYLES, ascii_only
from scalewall.measurement.stopping import width
from scalewall.report import campaign, running
from scalewall.report.signs import plain_text
from scalewall.report.text import WIDTH

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scalewall.measurement.plan import Plan
    from scalewall.measurement.stopping import Limits
    from scalewall.report.text import Line
    from scalewall.runs import Runs

SHOWN_FAILURES = 3


class Watching:
    """Keeps the state of a campaign and shows it; nothing is drawn while a run is timed.

    Parameters
    ----------
    plan, limits
        What is run, and what ends it.
    unit : (str, str)
        Plural and singular of what is counted.
    gain : float
        Share of time that counts as help.
    records : iterable of dict
        Runs of a campaign that goes on.
    """

    def __init__(
        self,
        plan: Plan,
        limits: Limits,
        unit: tuple[str, str],
        gain: float,
        *,
        rated: bool,
        colour: bool,
        records: Iterable[dict[str, Any]] = (),
    ) -> None:
        self._limits, self._gain = limits, gain
        self._began = time.monotonic()
        self._unit = unit
        self._terminal = sys.stderr.isatty()
        self._colour = colour and self._terminal
        self._ascii = ascii_only(sys.stderr)
        self._drawn = 0
        self._columns = WIDTH
        total = None if limits.last is None else (limits.last + plan.warmup) * len(plan.counts)
        self.state = running.Running(
            counts=tuple(sorted(plan.counts)),
            unit=unit[0],
            last=limits.last,
            fixed=limits.rounds is not None,
            rated=rated,
            total=total,
        )
        self._seconds: dict[int, list[float]] = {}
        for record in records:
            self._take(record)
        self._before = sum(map(sum, self._seconds.values()))

    def begins(self, n: int, round_: int) -> None:
        """Show that a run begins."""
        self.state.round, self.state.current = round_, n
        self._draw()

    def ended(self, record: dict[str, Any]) -> None:
        """Take a run that has ended; what a failed one wrote is shown at once."""
        if record["record"] in {"failed", "startup failed"}:
            what = "start-up alone: " if record["record"] != "failed" else ""
            self._say(
                campaign.failure(
                    record["n"],
                    record["round"],
                    self._unit[1] if record["n"] == 1 else self._unit[0],
                    what + record["reason"],
                    record["output"] if self.state.failed < SHOWN_FAILURES else "",
                    ascii_only=self._ascii,
                )
            )
        self._take(record)
        self.state.current = None

    def round_done(self, round_: int, runs: Runs | None) -> None:
        """Show what is known after a round."""
        from scalewall.fitting import fit  # noqa: PLC0415 - not needed before the first round is done

        self.state.round = round_
        if runs is not None:
            try:
                found = fit(runs, gain=self._gain)
            except ScalewallError:
                found = None
            if found is not None and width(found) is not None:
                self.state.ranges.append((round_, found))
        self.state.left_s = self._left()
        if self._terminal:
            self._draw()
        else:
            line = running.round_line(self.state)
            self._write((plain_text(line) if self._ascii else line) + "\n")

    def clear(self) -> None:
        """Take the screen away, so that the answer can stand in its place."""
        if self._drawn:
            self._write(f"\x1b[{self._drawn}F\x1b[J")
            self._drawn = 0

    def _take(self, record: dict[str, Any]) -> None:
        kind, n = record["record"], record.get("n")
        if kind not in {"run", "failed", "warmup"}:
            return
        self.state.done += 1
        self.state.failed += kind == "failed"
        self._seconds.setdefault(n, []).append(float(record["process_s"]))  # type: ignore[arg-type]
        if kind == "run":
            value = record["rate"] if self.state.rated else record["time_s"]
            self.state.values.setdefault(n, []).append(float(value))  # type: ignore[arg-type]
        self.state.left_s = self._left()

    def _left(self) -> float | None:
        """Return the seconds left at most: the runs still to come, or what the budget leaves."""
        spent = time.monotonic() - self._began + getattr(self, "_before", 0.0)
        budget = self._limits.budget_s
        by_budget = None if budget is None else max(budget - spent, 0.0)
        if self.state.total is None or len(self._seconds) < len(self.state.counts):
            return by_budget
        a_round = sum(sum(v) / len(v) for v in self._seconds.values())
        to_come = max(self.state.total - self.state.done, 0) / len(self.state.counts)
        by_runs = to_come * a_round
        return by_runs if by_budget is None else min(by_runs, by_budget)

    def _draw(self) -> None:
        if not self._terminal:
            return
        size = shutil.get_terminal_size()
        self._columns = size.columns
        # Lines that have left the screen at its top cannot be drawn again.
        lines = running.screen(self.state, ascii_only=self._ascii)[: max(size.lines - 1, 1)]
        self.clear()
        self._write("".join(self._line(line) + "\n" for line in lines))
        self._drawn = len(lines)

    def _line(self, line: Line) -> str:
        # A line that the terminal folds would be two, and drawing in place would count wrong.
        if not self._colour or self._columns < WIDTH:
            return "".join(piece.text for piece in line).rstrip()[: self._columns]
        from rich.console import Console  # noqa: PLC0415 - only a terminal needs it
        from rich.text import Text  # noqa: PLC0415

        text = Text()
        for piece in line:
            text.append(piece.text, STYLES.get(piece.style, ""))
        text.rstrip()
        console = Console(
            force_terminal=True, color_system="standard", highlight=False, soft_wrap=True, width=200
        )
        with console.capture() as captured:
            console.print(text, end="")
        return captured.get()

    def _say(self, text: str) -> None:
        self.clear()
        self._write(text + "\n")

    @staticmethod
    def _write(text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()
