"""Ctrl-C while the command line is still loading: one line instead of a traceback through imports."""

from __future__ import annotations

import itertools
import os
import signal
import sys
import threading

INTERRUPTED = 130


def is_command(words: list[str]) -> bool:
    """Return whether these words of the system start the command line, not another program."""
    if len(words) > 1 and os.path.basename(words[1]) == "scalewall":  # noqa: PTH119 - pathlib loads long
        return True
    return ("-m", "scalewall") in itertools.pairwise(words)


def end_quietly() -> None:
    """Have Ctrl-C end the process at once, if the command line is what loads; until :func:`end_as_usual`."""
    if (
        is_command(sys.orig_argv)
        and threading.current_thread() is threading.main_thread()
        # A shell may have this process ignore Ctrl-C, and that must stay so.
        and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    ):
        signal.signal(signal.SIGINT, _end)


def end_as_usual() -> None:
    """Have Ctrl-C raise `KeyboardInterrupt` again."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _end(_number: int, _frame: object) -> None:
    # An exception would be printed, or swallowed, by whatever is being imported.
    os.write(2, b"scalewall: stopped by Ctrl-C.\n")
    os._exit(INTERRUPTED)
