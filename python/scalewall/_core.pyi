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

_Record = tuple[dict[str, Any], dict[str, Any]]
_How = tuple[int, str, int, list[int]]

def reduction_sum(x: npt.NDArray[Any], method: str, how: _How) -> tuple[Any, _Record | None]: ...
def reduction_dot(
    x: npt.NDArray[Any], y: npt.NDArray[Any], method: str, how: _How
) -> tuple[Any, _Record | None]: ...
def reduction_norm2(x: npt.NDArray[Any], method: str, how: _How) -> tuple[float, _Record | None]: ...
def reduction_minmax(x: npt.NDArray[Any], how: _How) -> tuple[Any, _Record | None]: ...
def reduction_mean_var(
    x: npt.NDArray[Any], ddof: float, how: _How
) -> tuple[tuple[float, float], _Record | None]: ...
def reduction_read(x: npt.NDArray[Any], how: _How) -> tuple[int, _Record | None]: ...
