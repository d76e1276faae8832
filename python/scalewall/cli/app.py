"""The commands of `scalewall`."""

from __future__ import annotations

from typing import Annotated

import typer

from scalewall import __version__
from scalewall.cli import collect, compare, demo, fit, info, measure, surface
from scalewall.cli.console import write

HELP = (
    "Which fraction of the work is serial, where the wall stands, how sure that is, and what would move it."
)

app = typer.Typer(
    name="scalewall",
    help=HELP,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("fit", short_help="From a table of measured runs to an answer.")(fit.command)
app.command(
    "measure",
    short_help="Time a command at several worker counts, then answer.",
    # What comes after the program is the program's, also where nobody wrote the two dashes.
    context_settings={"allow_interspersed_args": False},
)(measure.command)
app.command("collect", short_help="Gather the runs of batch jobs, then answer.")(collect.command)
app.command("compare", short_help="Did it get worse? Exit code 1 where it did.")(compare.command)
app.command("surface", short_help="A law over parameters and worker counts.")(surface.command)
app.command("demo", short_help="What this machine does to programs whose answer is known.")(demo.command)
app.command("info")(info.command)


def _version(asked: bool) -> None:
    if asked:
        write(f"scalewall {__version__}\n")
        raise typer.Exit


@app.callback(help=HELP, invoke_without_command=True)
def _scalewall(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Take the options that stand before a command."""
    del version
    if context.invoked_subcommand is None:
        write(context.get_help() + "\n")
