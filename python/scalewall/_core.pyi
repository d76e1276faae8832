"""Types of the compiled core."""

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = [
    "DEBUG_BUILD",
    "__version__",
    "curves_forecast",
    "curves_next",
]

__version__: str
DEBUG_BUILD: bool

def curves_forecast(
    n: npt.NDArray[np.float64],
    y: npt.NDArray[np.float64],
    runs: npt.NDArray[np.float64],
    ss_pure: float,
    df_pure: float,
    targets: npt.NDArray[np.float64],
    level: float,
) -> dict[str, Any] | None: ...
def curves_next(
    n: npt.NDArray[np.float64],
    y: npt.NDArray[np.float64],
    runs: npt.NDArray[np.float64],
    ss_pure: float,
    df_pure: float,
    laws: list[list[float]],
    cap: float | None,
    level: float,
) -> list[dict[str, float]] | None: ...
