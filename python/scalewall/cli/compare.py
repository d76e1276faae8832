"""`scalewall compare`: did the serial fraction, or the time at one count, get worse? A gate for tests."""

from __future__ import annotations

import json
import sys
from pathlib import Path  # noqa: TC003 - typer reads annotations
from typing import Annotated

import typer

from scalewall._errors import DomainError
from scalewall.cli.console import ascii_only, write
from scalewall.cli.options import share

WORSE = 1


def command(  # noqa: PLR0917 - typer reads one parameter an option
    before: Annotated[Path, typer.Argument(metavar="A", help="Runs before.")],
    after: Annotated[Path, typer.Argument(metavar="B", help="Runs after.")],
    at: Annotated[
        float | None,
        typer.Option(metavar="N", help="Compare the time at N workers; the serial share if not given."),
    ] = None,
    tolerance: Annotated[
        str,
        typer.Option(
            metavar="X", help="Accepted: 0.01 or 1%, points of the share, or of the time with --at."
        ),
    ] = "0",
    level: Annotated[str, typer.Option(metavar="L", help="Confidence level, 0.95 or 95%.")] = "0.95",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Compare two sets of runs: what changed, with an interval.

    Exit code 1 where the whole interval lies above the tolerance: it got worse. Exit code 0 where it did not
    or where the runs cannot tell, 2 where the files cannot be compared.
    """
    from scalewall.measurement.comparison import compare  # noqa: PLC0415 - not needed for --help
    from scalewall.report.signs import plain_text  # noqa: PLC0415

    found = compare(
        before, after, at=at, tolerance=_tolerance(tolerance), level=share("--level", level, 0.5, 0.95)
    )
    if as_json:
        write(json.dumps(found.to_dict(), indent=2) + "\n")
    else:
        text = found.summary()
        write((plain_text(text) if ascii_only(sys.stdout) else text) + "\n")
    if found.worse:
        raise typer.Exit(WORSE)


def _tolerance(text: str) -> float:
    plain = text.strip()
    try:
        number = float(plain.removesuffix("%")) / (100.0 if plain.endswith("%") else 1.0)
    except ValueError:
        number = -1.0
    if not 0 <= number < float("inf"):
        raise DomainError(f'--tolerance is "{text}": expected 0 or more, such as 0.01 or 1%')
    return number
