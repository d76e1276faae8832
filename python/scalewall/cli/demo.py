"""`scalewall demo`: what this machine does to programs whose answer is known."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scalewall._errors import ChoiceError, DomainError
from scalewall.cli.console import ascii_only, show, wants_colour, write
from scalewall.cli.options import numbers

if TYPE_CHECKING:
    from scalewall.demonstration import Demonstration

LONGEST_S = 90.0


def command(
    workers: Annotated[
        str, typer.Option("--workers", "-n", help="Worker counts, such as 1,2,4. By default 1, 2, 4, ...")
    ] = "",
    seconds: Annotated[
        float, typer.Option("--seconds", help="How long to measure, about; at most 90.")
    ] = 30.0,
    plot: Annotated[str, typer.Option("--plot", help="Write a figure: .png, .svg or .pdf.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    no_color: Annotated[bool, typer.Option("--no-color", help="Print without colour.")] = False,
) -> None:
    """Measure this machine with a sum, a loop with a known serial part, one without, and one under a lock."""
    from scalewall._progress import reporter  # noqa: PLC0415 - the command line starts without NumPy
    from scalewall.demonstration import demonstrate  # noqa: PLC0415

    if not 0 < seconds <= LONGEST_S:
        raise DomainError(f"--seconds is {seconds:g}: expected more than 0 and at most {LONGEST_S:g}")
    counts = numbers("--workers", workers)
    if any(count != int(count) for count in counts):
        raise DomainError(f'--workers is "{workers}": expected whole counts, such as 1,2,4')
    if plot:
        _plottable(plot)
    watched = sys.stderr is not None and sys.stderr.isatty()
    shown = demonstrate([int(count) for count in counts] or None, seconds=seconds, progress=reporter(watched))
    if plot:
        _draw(shown, plot)
    if as_json:
        write(json.dumps(facts(shown), indent=2) + "\n")
        return
    from scalewall.report.ledger_text import screen  # noqa: PLC0415

    show(screen(shown, ascii_only=ascii_only()), colour=wants_colour(no_color=no_color))
    if plot:
        write(f"wrote {plot}\n")


def _plottable(path: str) -> None:
    """Refuse before the measurement what could not be written after it."""
    from scalewall.plotting import FORMATS, _matplotlib  # noqa: PLC0415 - matplotlib is optional

    if Path(path).suffix.lower() not in FORMATS:
        raise ChoiceError(f'--plot is "{path}": a figure is written as {", ".join(FORMATS)}')
    _matplotlib()


def _draw(shown: Demonstration, path: str) -> None:
    from scalewall.plotting import ledger  # noqa: PLC0415 - matplotlib is optional
    from scalewall.wording import ledger as words  # noqa: PLC0415

    why = "" if not shown.reasons else "The machine was busy: wall times are not valid here."
    ledger.save(shown["serial"], Path(path), about=words.TITLES["serial"], warning=why)


def facts(shown: Demonstration) -> dict[str, Any]:
    """Return everything on the screen, and the intervals behind it, as plain Python."""
    from scalewall.wording import ledger as words  # noqa: PLC0415 - the command line starts without NumPy

    programs = []
    for part in shown.shown:
        campaign = part.campaign
        programs.append(
            {
                "name": part.program.name,
                "title": words.TITLES[part.program.name],
                "serial_by_count": part.program.serial,
                "serial_share": [_fraction(campaign.f_work(count)) for count in campaign.counts],
                "speedup": [
                    {"workers": count, **campaign.speedup(count)._asdict()} for count in campaign.counts[1:]
                ],
                "ledgers": [campaign.parts(count).to_dict() for count in campaign.counts],
            }
        )
    return {
        "schema": "scalewall.demo/1",
        "verdict": words.headline(shown),
        "seen": words.seen(shown),
        "valid": not shown.reasons,
        "reasons": list(shown.reasons),
        "environment": dict(shown.environment),
        "conditions": shown.conditions.to_dict(),
        "seconds": shown.seconds,
        "programs": programs,
    }


def _fraction(found: Any) -> dict[str, Any]:
    return {"value": found.value, "low": found.low, "high": found.high, "of": found.of}
