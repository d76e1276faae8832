"""`scalewall fit`: from a file of runs to an answer."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scalewall._errors import ChoiceError, ReadError, ScalewallError
from scalewall.cli import BAD_INPUT
from scalewall.cli.console import ascii_only, complain, show, tell, wants_colour, write
from scalewall.cli.options import choice, numbers, optional, share
from scalewall.refusals import no_usable_row

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scalewall.fitting import Fit
    from scalewall.runs import Runs

LAWS = ("amdahl", "usl", "usl_log", "power", "saturation", "usl_log_schwartz")
RESIDUALS = ("log", "time", "throughput")
INTERVALS = ("region", "wald")
KINDS = ("strong", "weak", "throughput")


@dataclass(frozen=True)
class Output:
    """Where the answer goes, and in which form."""

    as_json: bool
    every_count: bool
    no_color: bool
    plot: Path | None
    html: Path | None


def command(  # noqa: PLR0917 - typer reads one parameter an option
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Table of runs: CSV, TSV, JSON; - is standard input.")
    ] = "",
    example: Annotated[str, typer.Option(metavar="NAME", help="A built-in example in place of FILE.")] = "",
    scaling: Annotated[str, typer.Option(metavar="KIND", help="strong, weak or throughput.")] = "",
    law: Annotated[str, typer.Option(metavar="LAW", help=f"Insist on one of {', '.join(LAWS)}.")] = "",
    residuals: Annotated[
        str, typer.Option(metavar="KIND", help="What is minimised: log, time or throughput.")
    ] = "log",
    interval: Annotated[str, typer.Option(metavar="KIND", help="region or wald.")] = "region",
    bounds: Annotated[
        bool, typer.Option("--bounds/--no-bounds", help="Keep sigma and kappa at or above 0.")
    ] = True,
    n: Annotated[str, typer.Option("--n", metavar="COL", help="Column of the worker count.")] = "",
    time: Annotated[str, typer.Option(metavar="COL", help="Column of the time.")] = "",
    throughput: Annotated[str, typer.Option(metavar="COL", help="Column of the rate.")] = "",
    work: Annotated[str, typer.Option(metavar="COL", help="Column of the work.")] = "",
    round_: Annotated[str, typer.Option("--round", metavar="COL", help="Column of the round.")] = "",
    serial: Annotated[str, typer.Option(metavar="COL", help="Column of the serial seconds.")] = "",
    one_worker: Annotated[
        str, typer.Option(metavar="COL", help="Column of the same problem's time on one worker.")
    ] = "",
    by: Annotated[str, typer.Option(metavar="COLUMN", help="One answer for each value of a column.")] = "",
    min_n: Annotated[float, typer.Option(metavar="X", help="Smallest worker count that is let in.")] = 1.0,
    keep_row: Annotated[
        list[int] | None, typer.Option(metavar="K", help="Put back row K that the work column left out.")
    ] = None,
    confirm: Annotated[
        bool, typer.Option("--confirm", help="The time really does not fall with the workers.")
    ] = False,
    gain: Annotated[str, typer.Option(metavar="G", help="Gain that counts as help, 0.1 or 10%.")] = "0.1",
    level: Annotated[str, typer.Option(metavar="L", help="Confidence level, 0.95 or 95%.")] = "0.95",
    efficiency: Annotated[
        str, typer.Option(metavar="E", help="Efficiency below which workers are wasted, 0.5 or 50%.")
    ] = "0.5",
    cap: Annotated[float | None, typer.Option(metavar="N", help="Largest worker count to be had.")] = None,
    at: Annotated[str, typer.Option(metavar="N,N", help="Worker counts to forecast.")] = "",
    every_count: Annotated[bool, typer.Option("--all", help="Show every worker count.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the fit: .png, .svg or .pdf.")
    ] = None,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write one self-contained page.")] = None,
    no_color: Annotated[bool, typer.Option("--no-color", help="No colour.")] = False,
) -> None:
    """Fit scaling laws to measured runs: an answer first, then the wall, then what to measure next.

    Exit code 0 with an answer ("cannot tell" is one), 2 where the input cannot be read as claimed.
    """
    options: dict[str, Any] = {
        "law": optional(choice("--law", law, LAWS)),
        "residuals": choice("--residuals", residuals, RESIDUALS),
        "interval": choice("--interval", interval, INTERVALS),
        "bounds": bounds,
        "level": share("--level", level, 0.5, 0.95),
        "gain": share("--gain", gain, 0.0, 0.1),
        "efficiency": share("--efficiency", efficiency, 0.0, 0.5),
        "cap": cap,
        "at": numbers("--at", at),
        "confirm": confirm,
    }
    columns = {
        "n": n,
        "time": time,
        "throughput": throughput,
        "work": work,
        "round": round_,
        "serial": serial,
        "one_worker": one_worker,
    }
    given: dict[str, Any] = {name: value for name, value in columns.items() if value}
    given |= {
        "kind": optional(choice("--scaling", scaling, KINDS)),
        "min_n": min_n,
        "keep_rows": keep_row or (),
    }
    runs = _runs(file, example, given)
    tables = runs.groups(by) if by else {"": runs}
    fits: dict[str, Fit] = {}
    for label, group in tables.items():
        # One group without a usable row must not take the answers of the others away.
        if by and len(group) == 0 and any(len(other) for other in tables.values()):
            complain(f"{by} = {label}: {no_usable_row(group)}")
        else:
            fits[label] = _fit(group, options)
    output = Output(as_json, every_count, no_color, plot, html)
    print_fits(fits, by, output)
    save_fits(fits, output)
    if all(fit.refusal is not None for fit in fits.values()):
        raise typer.Exit(BAD_INPUT)


def _runs(file: str, example: str, given: Mapping[str, Any]) -> Runs:
    from scalewall import examples_data  # noqa: PLC0415 - reading is not needed for --help
    from scalewall.readers import read  # noqa: PLC0415

    if bool(file) == bool(example):
        wrong = "FILE and --example are both given: choose one" if file else "FILE is missing"
        known = ", ".join(examples_data.names())
        raise ReadError(f"{wrong}. Give a file, - for standard input, or --example with one of {known}")
    if example:
        return _example(example, given)
    if file != "-":
        return read(Path(file), **given)
    if sys.stdin is None:
        raise ReadError("standard input is closed. Expected a table of runs. Give a file, or pipe one in")
    if sys.stdin.isatty():
        tell("Reading runs from the keyboard; end with Ctrl-D.")
    return read(sys.stdin.buffer, **given)


def _example(name: str, given: Mapping[str, Any]) -> Runs:
    from scalewall import examples_data  # noqa: PLC0415

    if name.strip().lower() not in examples_data.names():
        known = ", ".join(examples_data.names())
        raise ChoiceError(f'--example is "{name}": there is none of that name. Known are {known}')
    idle = {"kind": given.get("kind"), "min_n": 1.0, "keep_rows": ()}
    flags = {"keep_rows": "--keep-row"}
    wrong = [key for key, value in given.items() if key not in idle or value != idle[key]]
    if wrong:
        flag = flags.get(wrong[0], f"--{wrong[0].replace('_', '-')}")
        raise ChoiceError(f"{flag} does not go with --example: rows and columns of an example are known")
    runs = examples_data.example(name)
    kind = given.get("kind")
    return runs if kind is None else runs.with_kind(kind)


def _fit(runs: Runs, options: Mapping[str, Any]) -> Fit:
    from scalewall.fitting import fit  # noqa: PLC0415 - reading errors come first, and fast

    try:
        return fit(runs, **options)
    except ScalewallError as error:
        # The messages of `fit` begin with the name of its argument; here that is an option.
        name = str(error).split(" ", 1)[0].split("[", 1)[0]
        prefix = "--" if name in options else ""
        raise type(error)(f"{prefix}{error}") from None


def print_fits(fits: Mapping[str, Fit], by: str, output: Output) -> None:
    """Write the answers to standard output, as text or as JSON."""
    if output.as_json:
        objects = []
        for label, fit in fits.items():
            found = fit.to_dict()
            if by:
                found["notes"].insert(0, f"{by} = {label}")
            objects.append(found)
        text = json.dumps(objects if by else objects[0], indent=2, allow_nan=False, ensure_ascii=ascii_only())
        write(text + "\n")
        return
    from scalewall.report.signs import Piece  # noqa: PLC0415 - JSON does without
    from scalewall.report.text import screen  # noqa: PLC0415

    colour = wants_colour(no_color=output.no_color)
    for i, (label, fit) in enumerate(fits.items()):
        lines = screen(fit, every_count=output.every_count, ascii_only=ascii_only())
        if by:
            head = ((Piece(f"{by} = {label}", "strong"),), ())
            lines = ((), (), *head, *lines) if i else (*head, *lines)
        show(lines, colour=colour)


def save_fits(fits: Mapping[str, Fit], output: Output) -> None:
    """Write the files that were asked for; what cannot be written keeps no other from being written."""
    wrong: list[str] = []
    for label, fit in fits.items():
        for path, write_file in ((output.plot, _plot), (output.html, _page)):
            if path is None:
                continue
            target = path.with_name(f"{path.stem}-{_part(label)}{path.suffix}") if label else path
            try:
                write_file(fit, target)
            except OSError as error:
                reason = error.strerror or str(error)
                wrong.append(f"{target} cannot be written: {reason}. Name another file")
            except (ScalewallError, ImportError) as error:
                wrong.append(str(error))
            else:
                tell(f"Saved {target}")
    for said in dict.fromkeys(wrong):
        complain(said)
    if wrong:
        raise typer.Exit(BAD_INPUT)


def _part(label: str) -> str:
    return "".join(sign if sign.isalnum() or sign in "-_." else "_" for sign in label)


def _plot(fit: Fit, path: Path) -> None:
    try:
        from scalewall.plotting import save  # noqa: PLC0415 - matplotlib is slow to import
    except ImportError as error:
        raise ScalewallError(f"--plot needs matplotlib ({error}): pip install 'scalewall[plot]'") from None
    try:
        save(fit, path)
    except ValueError as error:
        if isinstance(error, ScalewallError):
            raise
        raise ScalewallError(f"--plot {path}: {' '.join(str(error).split())}") from None


def _page(fit: Fit, path: Path) -> None:
    from scalewall.report.page import write_page  # noqa: PLC0415 - the template engine is slow to import

    write_page(fit, path)
