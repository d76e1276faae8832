"""Types of the compiled core."""

from typing import Any, final

import numpy as np
import numpy.typing as npt

__all__ = [
    "DEBUG_BUILD",
    "Analysis",
    "__version__",
    "curves_forecast",
    "curves_next",
    "curves_weak",
    "fitting_analyse",
    "fitting_mean_interval",
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
def curves_weak(
    n: npt.NDArray[np.float64],
    y: npt.NDArray[np.float64],
    runs: npt.NDArray[np.float64],
    ss_pure: float,
    df_pure: float,
    level: float,
) -> dict[str, Any] | None: ...

@final
class Analysis:
    def to_dict(self) -> dict[str, Any]: ...
    def predict(self, n: npt.NDArray[np.float64]) -> dict[str, npt.NDArray[np.float64]]: ...
    def forecast(self, n: npt.NDArray[np.float64]) -> dict[str, npt.NDArray[np.float64]]: ...
    def time_ratio(self, start: float, to: float) -> tuple[float, float, float] | None: ...
    def knee(self, efficiency: float) -> tuple[float, float] | None: ...
    def law_time(self, law: str, n: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]: ...

def fitting_analyse(
    n: npt.NDArray[np.float64],
    time: npt.NDArray[np.float64],
    *,
    round: npt.NDArray[np.int64] | None = None,  # noqa: A002
    kind: str,
    law: str | None = None,
    residuals: str = "log",
    interval: str = "region",
    bounded: bool = True,
    level: float = 0.95,
    gain: float = 0.1,
    cap: float | None = None,
    efficiency: float = 0.5,
    targets: npt.NDArray[np.float64] | None = None,
    confirm: bool = False,
) -> Analysis: ...
def fitting_mean_interval(values: npt.NDArray[np.float64], level: float) -> tuple[float, float, float]: ...
