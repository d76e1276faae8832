"""Where text meets the terminal: encoding, colour, closed pipes."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TYPE_CHECKING

import typer

from scalewall.report.signs import plain_text, printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TextIO

    from scalewall.report.text import Line

CLOSED_PIPE = 141

STYLES = {
    "": "",
    "strong": "bold",
    "soft": "dim",
    "bar": "blue",
    "yes": "bold green",
    "no": "bold red",
    "open": "bold yellow",
    "refused": "bold magenta",
    "plain": "bold",
}
"""Named terminal colours, so that the user's theme decides what they look like."""


def ascii_only(stream: TextIO | None = None) -> bool:
    """Return whether a stream (standard output if not given) cannot show Unicode."""
    encoding = getattr(stream or sys.stdout, "encoding", None) or "ascii"
    return not encoding.lower().replace("-", "").replace("_", "").startswith("utf")


def _closed() -> bool:
    """Return whether the caller has closed standard output: then nobody reads the answer."""
    return sys.stdout is None


def wants_colour(*, no_color: bool) -> bool:
    """Return whether standard output gets colour: a terminal that knows it, unless somebody said no."""
    if no_color or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout is not None and sys.stdout.isatty()


def show(lines: Iterable[Line], *, colour: bool) -> None:
    """Write lines of pieces to standard output."""
    if not colour:
        write("".join("".join(piece.text for piece in line).rstrip() + "\n" for line in lines))
        return
    from rich.console import Console  # noqa: PLC0415 - only a terminal needs it
    from rich.text import Text  # noqa: PLC0415

    with _pipe_may_close():
        console = Console(force_terminal=True, color_system="standard", highlight=False, soft_wrap=True)
        for line in lines:
            text = Text()
            for piece in line:
                text.append(piece.text, STYLES.get(piece.style, ""))
            text.rstrip()
            console.print(text)
        sys.stdout.flush()


def write(text: str) -> None:
    """Write text to standard output; a reader that has gone away ends the program quietly."""
    if _closed():
        return
    with _pipe_may_close():
        sys.stdout.write(text)
        sys.stdout.flush()


def complain(message: str) -> None:
    """Write one line to standard error."""
    if sys.stderr is None:
        return
    text = printable(message)
    sys.stderr.write(f"scalewall: {plain_text(text) if ascii_only(sys.stderr) else text}\n")


def tell(message: str) -> None:
    """Write one line to standard error that is no complaint, so that standard output stays the answer."""
    if sys.stderr is None:
        return
    text = printable(message)
    sys.stderr.write(f"{plain_text(text) if ascii_only(sys.stderr) else text}\n")


@contextlib.contextmanager
def _pipe_may_close() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        # What is still buffered must not be flushed into the closed pipe when the interpreter ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(CLOSED_PIPE) from None
