"""Types of the compiled core."""

from collections.abc import Callable
from typing import Any

import numpy.typing as npt

__version__: str
DEBUG_BUILD: bool

def surfaces_evaluate(
    kind: tuple[str, str, bool],
    parameters: list[npt.NDArray[Any]],
    scale: npt.NDArray[Any] | None,
    n: npt.NDArray[Any],
    columns: list[npt.NDArray[Any]],
    how: tuple[int, str, str, bool],
    out: npt.NDArray[Any] | None,
    progress: Callable[[float], object] | None,
) -> npt.NDArray[Any]: ...
def surfaces_fill_limit(out: npt.NDArray[Any], level: str, count: int) -> None: ...
def surfaces_machine() -> tuple[str, int, int]: ...
