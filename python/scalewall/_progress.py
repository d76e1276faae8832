"""Progress of long calls: a callable of the caller, or one line on standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TypeAlias

Progress: TypeAlias = Callable[[float], object]


def reporter(progress: bool | Progress | None) -> Progress | None:
    """Return what to call with the share done, from 0 to 1; None where nobody wants to know."""
    if progress is None or progress is False:
        return None
    if progress is True:
        return _line
    if callable(progress):
        return progress
    raise TypeError(
        f"progress is {progress!r}: expected True, False, None or a callable that takes the share done"
    )


def _line(share: float) -> None:
    width = 40
    done = round(share * width)
    end = "\n" if share >= 1.0 else ""
    sys.stderr.write(f"\r[{'#' * done}{'.' * (width - done)}] {share:4.0%}{end}")
    sys.stderr.flush()
