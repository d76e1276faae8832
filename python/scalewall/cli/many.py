"""`scalewall fit FILE --by COLUMN --out FILE`: every trace of a long table, one row each."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from scalewall._errors import ChoiceError, FitsInterrupted, ScalewallError
from scalewall._loading import INTERRUPTED
from scalewall.cli import BAD_INPUT
from scalewall.cli.console import tell, write

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scalewall.many import Fits

_ROLES = ("n", "time", "throughput", "work", "round")
# Options of one answer that make no sense of a file of many.
_ALONE = ("--example", "--json", "--all", "--plot", "--html", "--serial", "--one-worker", "--keep-row")


def run(
    file: str,
    by: str,
    out: Path,
    *,
    given: Mapping[str, Any],
    options: Mapping[str, Any],
    said: Mapping[str, Any],
) -> None:
    """Fit every trace, write the columns, and say in a few lines what came out.

    Parameters
    ----------
    file, by, out : str, str, Path
        The table, its key column, and where the result goes.
    given, options : mapping
        Columns and kind; options of a fit.
    said : mapping
        Options of a single answer, by flag: they do not go with `--out`.
    """
    from scalewall.many import fit_many  # noqa: PLC0415 - reading errors come first, and fast
    from scalewall.many.files import checked  # noqa: PLC0415

    wrong = [flag for flag in _ALONE if said.get(flag)]
    if wrong:
        raise ChoiceError(f"{wrong[0]} does not go with --out: it is about one answer. Leave one out")
    if not by:
        raise ChoiceError("--out needs --by COLUMN: the column whose values tell the traces apart")
    if not file:
        raise ChoiceError("FILE is missing. Give a long table, one row a run")
    checked(out)
    columns = {role: given[role] for role in _ROLES if role in given}
    source = sys.stdin.buffer if file == "-" else Path(file)
    try:
        fits = fit_many(
            source,
            by=by,
            kind=given.get("kind"),
            min_n=given["min_n"],
            progress=sys.stderr.isatty(),
            **columns,
            **options,
        )
    except FitsInterrupted as stop:
        fits = stop.result
        fits.save(out)
        tell(f"\nInterrupted. Saved {out} with what was done")
        write(told(fits))
        raise typer.Exit(INTERRUPTED) from None
    except ScalewallError as error:
        # The messages begin with the name of an argument; here that is an option.
        name = str(error).split(" ", 1)[0].split("[", 1)[0]
        raise type(error)(f"{'--' if name in options or name == 'by' else ''}{error}") from None
    fits.save(out)
    tell(f"Saved {out}")
    write(told(fits))
    if not (fits.status == "fitted").any():
        raise typer.Exit(BAD_INPUT)


def told(fits: Fits) -> str:
    """Return how many traces have an answer, which, and why the others have none."""
    fitted = fits.status == "fitted"
    lines = [f"{len(fits)} traces, {int(fitted.sum())} with an answer"]
    lines += [f"  doubling: {name}  {number}" for name, number in _counted(fits.doubling[fitted])]
    lines += [f"  {name}  {number}" for name, number in _counted(fits.status[~fitted])]
    return "\n".join(lines) + "\n"


def _counted(values: Any) -> list[tuple[str, int]]:
    found: dict[str, int] = {}
    for value in values.tolist():
        found[value] = found.get(value, 0) + 1
    return sorted(found.items(), key=lambda pair: -pair[1])
