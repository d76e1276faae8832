"""`scalewall surface`: a law over parameters and worker counts, as a figure, an array or an answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scalewall._errors import ChoiceError
from scalewall.cli.console import write

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

RANGE = "A number, a:b:count, a:b:logcount, a:b:x2, or several with commas."


def command(  # noqa: PLR0917 - typer turns each into an option
    law: Annotated[
        str, typer.Option("--law", help="amdahl, gustafson, sun_ni, usl, usl_log, ring or tree.")
    ] = "amdahl",
    n: Annotated[str, typer.Option("--n", help=f"Worker counts. {RANGE}")] = "1:65536:log1000",
    p: Annotated[str, typer.Option("--p", help="Parallel fraction, one row each.")] = "",
    serial: Annotated[
        str, typer.Option("--serial", help="Serial fraction, or serial seconds of a step.")
    ] = "",
    sigma: Annotated[str, typer.Option("--sigma", help="Contention of USL.")] = "",
    kappa: Annotated[str, typer.Option("--kappa", help="Coherency of USL.")] = "",
    growth: Annotated[
        str, typer.Option("--growth", help="Power of n by which the work grows (sun_ni).")
    ] = "",
    compute: Annotated[str, typer.Option("--compute", help="Seconds of work of a step.")] = "",
    latency: Annotated[str, typer.Option("--latency", help="Seconds a message.")] = "",
    transfer: Annotated[str, typer.Option("--transfer", help="Seconds to send all gradients once.")] = "",
    scaling: Annotated[str, typer.Option("--scaling", help="strong or weak, for a step.")] = "strong",
    quantity: Annotated[
        str, typer.Option("--quantity", help="speedup, efficiency, time, throughput or karp_flatt.")
    ] = "speedup",
    ask: Annotated[
        str,
        typer.Option("--ask", help="max, min, count, share, first, last, quantiles, histogram or contours."),
    ] = "",
    at: Annotated[str, typer.Option("--at", help="Level of count, share, first, last and contours.")] = "",
    q: Annotated[str, typer.Option("--q", help="Quantiles.")] = "",
    bins: Annotated[str, typer.Option("--bins", help="Edges of the histogram.")] = "",
    overall: Annotated[bool, typer.Option("--overall", help="One answer for the whole grid.")] = False,
    npy: Annotated[str, typer.Option("--npy", help="Write the array to this file.")] = "",
    plot: Annotated[str, typer.Option("--plot", help="Write a figure: .png, .svg or .pdf.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Evaluate a law over every pair of a parameter and a worker count."""
    from scalewall import ranges, scan  # noqa: PLC0415 - the command line starts without NumPy

    given = {
        "p": p, "serial": serial, "sigma": sigma, "kappa": kappa, "growth": growth,
        "compute": compute, "latency": latency, "transfer": transfer,
    }  # fmt: skip
    if law == "amdahl" and not (p or serial):
        # What most people ask first: from hardly parallel to almost wholly.
        given["serial"] = "0.5:0.0001:log500"
    parameters: dict[str, Any] = {
        name: ranges.parse(f"--{name}", text) for name, text in given.items() if text
    }
    if "growth" in parameters:
        parameters["growth"] = float(parameters["growth"][0])
    counts = ranges.parse("--n", n)
    options: dict[str, Any] = {"scaling": scaling, "quantity": quantity, **parameters}
    facts: dict[str, Any] = {"schema": "scalewall.surface/1", "law": law, "quantity": quantity}
    if npy:
        facts["npy"] = _save(law, counts, options, npy)
    if plot:
        from scalewall.plotting import surface as figure  # noqa: PLC0415 - matplotlib is optional

        _usable(figure.save, law, counts, parameters, Path(plot), scaling=scaling)
        facts["plot"] = plot
    if ask or not (npy or plot):
        details: dict[str, Any] = {
            name: ranges.parse(f"--{name}", text)
            for name, text in (("at", at), ("q", q), ("bins", bins))
            if text
        }
        asked: Any = ask or "max"
        answer = _usable(scan, law, n=counts, ask=asked, overall=overall, **details, **options)
        facts["ask"] = asked
        facts["answer"] = (
            [part.to_dict() for part in answer] if isinstance(answer, tuple) else answer.to_dict()
        )
    write(json.dumps(_plain(facts), indent=2) + "\n" if as_json else _text(facts))


def _usable(call: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Call, and say as bad input which option is missing or does not belong to the law."""
    try:
        return call(*arguments, **options)
    except TypeError as error:
        raise ChoiceError(str(error)) from error


def _save(law: str, counts: Array, options: dict[str, Any], path: str) -> str:
    import numpy as np  # noqa: PLC0415

    from scalewall import surface  # noqa: PLC0415

    np.save(path, _usable(surface, law, n=counts, **options), allow_pickle=False)
    return path


def _plain(value: Any) -> Any:
    """JSON has no NaN: what does not exist is null."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return None if isinstance(value, float) and value != value else value  # noqa: PLR0124 - NaN


SHOWN = 12


def _text(facts: dict[str, Any]) -> str:
    lines = [f"wrote {facts[key]}" for key in ("npy", "plot") if key in facts]
    if "answer" in facts:
        parts = facts["answer"] if isinstance(facts["answer"], list) else [facts["answer"]]
        lines.append(f"{facts['ask']} of the {facts['quantity']} ({facts['law']})")
        for part in parts:
            lines += [f"  {name:<6} {_values(value)}" for name, value in part.items() if value is not None]
    return "\n".join(lines) + "\n"


def _values(value: Any) -> str:
    if not isinstance(value, list):
        return f"{value:.6g}" if isinstance(value, float) else str(value)
    shown = " ".join(_values(item) for item in value[:SHOWN])
    return shown if len(value) <= SHOWN else f"{shown} … ({len(value)} in all)"
