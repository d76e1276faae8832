"""The command line: `scalewall` and `python -m scalewall`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NoReturn

from scalewall._loading import INTERRUPTED, end_as_usual

if TYPE_CHECKING:
    from collections.abc import Sequence

BAD_INPUT = 2


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit: 0 on an answer, 2 on bad input, 130 after Ctrl-C, 141 on a closed pipe.

    Parameters
    ----------
    arguments : sequence of str, optional
        Words after the program name; those of the process if not given.
    """
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: Sequence[str]) -> int:
    """Run the command line and return its exit code."""
    try:
        import typer  # noqa: PLC0415 - loading is part of what Ctrl-C may cut short

        from scalewall._errors import ScalewallError  # noqa: PLC0415
        from scalewall.cli.app import app  # noqa: PLC0415
        from scalewall.cli.console import complain  # noqa: PLC0415

        end_as_usual()
        try:
            code = typer.main.get_command(app).main(
                list(arguments), prog_name="scalewall", standalone_mode=False
            )
        except typer.Abort:
            return INTERRUPTED
        except ScalewallError as error:
            complain(str(error))
            return BAD_INPUT
        except Exception as error:
            # Wrong use of an option: typer and click name their classes differently from version to version.
            message = getattr(error, "format_message", None)
            if message is None:
                raise
            complain(f"{_one_line(message())} See scalewall --help")
            return BAD_INPUT
    except KeyboardInterrupt:
        return INTERRUPTED
    return code if isinstance(code, int) else 0


def _one_line(text: str) -> str:
    joined = " ".join(text.split())
    return joined if joined.endswith((".", "?", "!")) else joined + "."
