"""`scalewall collect`: what the jobs of a batch system left, as one file, then the answer."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003 - typer reads annotations
from typing import Annotated

import typer

from scalewall._errors import ReadError
from scalewall.cli.console import tell
from scalewall.cli.fit import Output
from scalewall.cli.measure import Answer, finish
from scalewall.cli.options import share

SHOWN = 5


def command(  # noqa: PLR0917 - typer reads one parameter an option
    directory: Annotated[
        Path, typer.Argument(metavar="DIR", help="Directory that measure --emit-jobs made.")
    ],
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where the runs go; DIR/runs.jsonl if not given.")
    ] = None,
    gain: Annotated[str, typer.Option(metavar="G", help="Gain that counts as help, 0.1 or 10%.")] = "0.1",
    cap: Annotated[float | None, typer.Option(metavar="N", help="Largest worker count to be had.")] = None,
    every_count: Annotated[bool, typer.Option("--all", help="Show every worker count.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the fit.")] = None,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write one self-contained page.")] = None,
    no_color: Annotated[bool, typer.Option("--no-color", help="No colour.")] = False,
) -> None:
    """Gather the runs of a campaign that ran as batch jobs, name those that are missing, and answer."""
    from scalewall.measurement import jobs  # noqa: PLC0415 - not needed for --help
    from scalewall.measurement.stopping import Stop  # noqa: PLC0415
    from scalewall.report import campaign  # noqa: PLC0415

    answer = Answer(share("--gain", gain, 0.0, 0.1), cap, Output(as_json, every_count, no_color, plot, html))
    path = out
    if path is None:
        # Made from the jobs and from nothing else: collecting again as more jobs end makes it anew.
        path = directory / "runs.jsonl"
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise ReadError(f"{path} cannot be written: {error.strerror or error}. Name --out FILE") from None
    journal, missing = jobs.collect(directory, path)
    journal.close()
    words = journal.campaign.head["unit"]
    for _, record in journal.campaign.of("failed"):
        tell(
            campaign.failure(
                record["n"],
                record["round"],
                words[1] if record["n"] == 1 else words[0],
                record["reason"],
                record["output"],
            )
        )
    if missing:
        names = ", ".join(job.name for job in missing[:SHOWN])
        more = f" and {len(missing) - SHOWN} more" if len(missing) > SHOWN else ""
        tell(f"{len(missing)} jobs have left nothing yet: {names}{more}.")
    text = journal.campaign.of("end")[-1][1]["text"]
    finish(journal, Stop("rounds", text), answer)
