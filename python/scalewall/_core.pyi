"""Types of the compiled core."""

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias, final, overload

import numpy as np
import numpy.typing as npt

__version__: str
DEBUG_BUILD: bool

_Grid: TypeAlias = tuple[
    tuple[str, str, bool],
    Sequence[npt.NDArray[Any]],
    npt.NDArray[Any] | None,
    npt.NDArray[Any],
    Sequence[npt.NDArray[Any]],
]
_Progress: TypeAlias = Callable[[float], object] | None
_Integers: TypeAlias = npt.NDArray[np.int64]
_Floats: TypeAlias = npt.NDArray[np.float64]

def surfaces_evaluate(
    grid: _Grid, how: tuple[int, str, str, bool], out: npt.NDArray[Any] | None, progress: _Progress
) -> npt.NDArray[Any]: ...
def surfaces_extremes(
    grid: _Grid, largest: bool, how: tuple[int, str, str], progress: _Progress
) -> tuple[_Integers, _Floats]: ...
def surfaces_at_least(
    grid: _Grid, levels: npt.NDArray[Any], how: tuple[int, str, str], progress: _Progress
) -> tuple[_Integers, _Integers, _Integers]: ...
def surfaces_contour(
    grid: _Grid, level: float, how: tuple[int, str, str], progress: _Progress
) -> tuple[_Integers, _Floats]: ...
def surfaces_quantiles(
    grid: _Grid, q: _Floats, overall: bool, how: tuple[int, str, str], progress: _Progress
) -> _Floats: ...
def surfaces_histogram(
    grid: _Grid, edges: npt.NDArray[Any], overall: bool, how: tuple[int, str, str], progress: _Progress
) -> _Integers: ...
def surfaces_cells(grid: _Grid, columns: _Integers, how: tuple[int, str, str]) -> _Floats: ...
def surfaces_fill_limit(out: npt.NDArray[Any], level: str, count: int) -> None: ...
def surfaces_machine() -> tuple[str, int, int]: ...

_Record: TypeAlias = tuple[dict[str, Any], dict[str, Any]]
_How: TypeAlias = tuple[int, str, int, list[int]]

def reduction_sum(x: npt.NDArray[Any], method: str, how: _How) -> tuple[Any, _Record | None]: ...
def reduction_dot(
    x: npt.NDArray[Any], y: npt.NDArray[Any], method: str, how: _How
) -> tuple[Any, _Record | None]: ...
def reduction_norm2(x: npt.NDArray[Any], method: str, how: _How) -> tuple[float, _Record | None]: ...
def reduction_minmax(x: npt.NDArray[Any], how: _How) -> tuple[Any, _Record | None]: ...
def reduction_mean_var(
    x: npt.NDArray[Any], ddof: float, how: _How
) -> tuple[tuple[float, float], _Record | None]: ...
def reduction_sum_state(x: npt.NDArray[Any], method: str, how: _How) -> tuple[list[int], _Record | None]: ...
def reduction_dot_state(
    x: npt.NDArray[Any], y: npt.NDArray[Any], method: str, how: _How
) -> tuple[list[int], _Record | None]: ...
def reduction_moments_state(x: npt.NDArray[Any], how: _How) -> tuple[list[int], _Record | None]: ...
def reduction_merged_sum(words: _Integers, method: str, root: bool) -> float: ...
def reduction_merged_integers(words: _Integers) -> tuple[tuple[int, int], float]: ...
def reduction_merged_moments(words: _Integers, ddof: float) -> tuple[float, float]: ...
def reduction_program(serial: int, parallel: list[int], locked: float, cpus: list[int]) -> _Record: ...
def reduction_read(x: npt.NDArray[Any], how: _How) -> tuple[int, _Record | None]: ...
def surfaces_quick(
    law: str, quantity: str, serial_given: bool, first: object, second: object | None, n: object
) -> npt.NDArray[np.float64] | None: ...
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

# many traces: n, measured, work, round, offsets, order; values, codes, notes
_Columns: TypeAlias = tuple[_Floats, _Floats, _Floats | None, _Floats | None, _Integers, _Integers | None]
_Filled: TypeAlias = tuple[_Floats, npt.NDArray[np.uint32], npt.NDArray[np.uint64]]

def many_analyse(
    columns: _Columns,
    *,
    quantity: str,
    kind: str,
    min_n: float,
    asked: dict[str, Any],
    threads: int,
    progress: _Progress,
    filled: _Filled,
) -> None: ...
def many_columns(asked: dict[str, Any]) -> list[str]: ...
def many_codes() -> tuple[list[str], list[str], list[str], list[str], list[tuple[str, str]], list[str]]: ...

# laws: a float for numbers, an array for anything that broadcasts
_Array: TypeAlias = npt.NDArray[np.float64]
_Values: TypeAlias = npt.ArrayLike
_Branch: TypeAlias = Literal["rising", "falling"]
_Design: TypeAlias = Literal["symmetric", "asymmetric", "dynamic"]
_Share: TypeAlias = Literal["amdahl", "gustafson", "trace"]

@overload
def amdahl_ceiling(*, serial: float | None = None, p: float | None = None, out: None = None) -> float: ...
@overload
def amdahl_ceiling(
    *, serial: _Values | None = None, p: _Values | None = None, out: _Array | None = None
) -> _Array: ...
@overload
def amdahl_efficiency(
    n: float, *, serial: float | None = None, p: float | None = None, min_n: float = 1.0, out: None = None
) -> float: ...
@overload
def amdahl_efficiency(
    n: _Values,
    *,
    serial: _Values | None = None,
    p: _Values | None = None,
    min_n: float = 1.0,
    out: _Array | None = None,
) -> _Array: ...
@overload
def amdahl_kleinrock(*, serial: float | None = None, p: float | None = None, out: None = None) -> float: ...
@overload
def amdahl_kleinrock(
    *, serial: _Values | None = None, p: _Values | None = None, out: _Array | None = None
) -> _Array: ...
@overload
def amdahl_knee(
    *, serial: float | None = None, p: float | None = None, efficiency: float | None = None, out: None = None
) -> float: ...
@overload
def amdahl_knee(
    *,
    serial: _Values | None = None,
    p: _Values | None = None,
    efficiency: _Values | None = None,
    out: _Array | None = None,
) -> _Array: ...
@overload
def amdahl_sensitivity(
    n: float, *, serial: float | None = None, p: float | None = None, min_n: float = 1.0, out: None = None
) -> float: ...
@overload
def amdahl_sensitivity(
    n: _Values,
    *,
    serial: _Values | None = None,
    p: _Values | None = None,
    min_n: float = 1.0,
    out: _Array | None = None,
) -> _Array: ...
@overload
def amdahl_slope(
    n: float, *, serial: float | None = None, p: float | None = None, min_n: float = 1.0, out: None = None
) -> float: ...
@overload
def amdahl_slope(
    n: _Values,
    *,
    serial: _Values | None = None,
    p: _Values | None = None,
    min_n: float = 1.0,
    out: _Array | None = None,
) -> _Array: ...
@overload
def amdahl_speedup(
    n: float, *, serial: float | None = None, p: float | None = None, min_n: float = 1.0, out: None = None
) -> float: ...
@overload
def amdahl_speedup(
    n: _Values,
    *,
    serial: _Values | None = None,
    p: _Values | None = None,
    min_n: float = 1.0,
    out: _Array | None = None,
) -> _Array: ...
@overload
def amdahl_workers(
    *,
    speedup: float | None = None,
    efficiency: float | None = None,
    serial: float | None = None,
    p: float | None = None,
    out: None = None,
) -> float: ...
@overload
def amdahl_workers(
    *,
    speedup: _Values | None = None,
    efficiency: _Values | None = None,
    serial: _Values | None = None,
    p: _Values | None = None,
    out: _Array | None = None,
) -> _Array: ...
@overload
def gustafson_ceiling(*, serial: float | None = None, p: float | None = None, out: None = None) -> float: ...
@overload
def gustafson_ceiling(
    *, serial: _Values | None = None, p: _Values | None = None, out: _Array | None = None
) -> _Array: ...
@overload
def gustafson_efficiency(
    n: float, *, serial: float | None = None, p: float | None = None, min_n: float = 1.0, out: None = None
) -> float: ...
@overload
def gustafson_efficiency(
    n: _Values,
    *,
    serial: _Values | None = None,
    p: _Values | None = None,
    min_n: float = 1.0,
    out: _Array | None = None,
) -> _Array: ...
@overload
def gustafson_knee(
    *, serial: float | None = None, p: float | None = None, efficiency: float | None = None, out: None = None
) -> float: ...
@overload
def gustafson_knee(
    *,
    serial: _Values | None = None,
    p: _Values | None = None,
    efficiency: _Values | None = None,
    out: _Array | None = None,
) -> _Array: ...
@overload
def gustafson_slope(
    n: float, *, serial: float | None = None, p: float | None = None, min_n: float = 1.0, out: None = None
) -> float: ...
@overload
def gustafson_slope(
    n: _Values,
    *,
    serial: _Values | None = None,
    p: _Values | None = None,
    min_n: float = 1.0,
    out: _Array | None = None,
) -> _Array: ...
@overload
def gustafson_speedup(
    n: float, *, serial: float | None = None, p: float | None = None, min_n: float = 1.0, out: None = None
) -> float: ...
@overload
def gustafson_speedup(
    n: _Values,
    *,
    serial: _Values | None = None,
    p: _Values | None = None,
    min_n: float = 1.0,
    out: _Array | None = None,
) -> _Array: ...
@overload
def gustafson_workers(
    *,
    speedup: float | None = None,
    efficiency: float | None = None,
    serial: float | None = None,
    p: float | None = None,
    out: None = None,
) -> float: ...
@overload
def gustafson_workers(
    *,
    speedup: _Values | None = None,
    efficiency: _Values | None = None,
    serial: _Values | None = None,
    p: _Values | None = None,
    out: _Array | None = None,
) -> _Array: ...
@overload
def hill_marty_best_r(
    n: float,
    *,
    serial: float | None = None,
    p: float | None = None,
    design: _Design = "symmetric",
    out: None = None,
) -> float: ...
@overload
def hill_marty_best_r(
    n: _Values,
    *,
    serial: _Values | None = None,
    p: _Values | None = None,
    design: _Design = "symmetric",
    out: _Array | None = None,
) -> _Array: ...
@overload
def hill_marty_ceiling(
    *, r: float, serial: float | None = None, p: float | None = None, out: None = None
) -> float: ...
@overload
def hill_marty_ceiling(
    *, r: _Values, serial: _Values | None = None, p: _Values | None = None, out: _Array | None = None
) -> _Array: ...
@overload
def hill_marty_cores(
    *,
    speedup: float,
    r: float,
    serial: float | None = None,
    p: float | None = None,
    design: _Design = "symmetric",
    out: None = None,
) -> float: ...
@overload
def hill_marty_cores(
    *,
    speedup: _Values,
    r: _Values,
    serial: _Values | None = None,
    p: _Values | None = None,
    design: _Design = "symmetric",
    out: _Array | None = None,
) -> _Array: ...
@overload
def hill_marty_slope(
    n: float,
    *,
    r: float,
    serial: float | None = None,
    p: float | None = None,
    design: _Design = "symmetric",
    out: None = None,
) -> float: ...
@overload
def hill_marty_slope(
    n: _Values,
    *,
    r: _Values,
    serial: _Values | None = None,
    p: _Values | None = None,
    design: _Design = "symmetric",
    out: _Array | None = None,
) -> _Array: ...
@overload
def hill_marty_speedup(
    n: float,
    *,
    r: float,
    serial: float | None = None,
    p: float | None = None,
    design: _Design = "symmetric",
    out: None = None,
) -> float: ...
@overload
def hill_marty_speedup(
    n: _Values,
    *,
    r: _Values,
    serial: _Values | None = None,
    p: _Values | None = None,
    design: _Design = "symmetric",
    out: _Array | None = None,
) -> _Array: ...
@overload
def isoefficiency_efficiency(*, work: float, overhead: float, out: None = None) -> float: ...
@overload
def isoefficiency_efficiency(*, work: _Values, overhead: _Values, out: _Array | None = None) -> _Array: ...
@overload
def isoefficiency_overhead(*, work: float, efficiency: float, out: None = None) -> float: ...
@overload
def isoefficiency_overhead(*, work: _Values, efficiency: _Values, out: _Array | None = None) -> _Array: ...
@overload
def isoefficiency_slope(*, work: float, overhead: float, out: None = None) -> float: ...
@overload
def isoefficiency_slope(*, work: _Values, overhead: _Values, out: _Array | None = None) -> _Array: ...
@overload
def isoefficiency_tree_overhead(n: float, *, step: float, out: None = None) -> float: ...
@overload
def isoefficiency_tree_overhead(n: _Values, *, step: _Values, out: _Array | None = None) -> _Array: ...
@overload
def isoefficiency_tree_workers(*, work: float, efficiency: float, step: float, out: None = None) -> float: ...
@overload
def isoefficiency_tree_workers(
    *, work: _Values, efficiency: _Values, step: _Values, out: _Array | None = None
) -> _Array: ...
@overload
def isoefficiency_work(*, overhead: float, efficiency: float, out: None = None) -> float: ...
@overload
def isoefficiency_work(*, overhead: _Values, efficiency: _Values, out: _Array | None = None) -> _Array: ...
@overload
def karp_flatt(n: float, *, speedup: float, out: None = None) -> float: ...
@overload
def karp_flatt(n: _Values, *, speedup: _Values, out: _Array | None = None) -> _Array: ...
@overload
def karp_flatt_overhead(
    n: float, *, speedup: float, serial: float | None = None, p: float | None = None, out: None = None
) -> float: ...
@overload
def karp_flatt_overhead(
    n: _Values,
    *,
    speedup: _Values,
    serial: _Values | None = None,
    p: _Values | None = None,
    out: _Array | None = None,
) -> _Array: ...
@overload
def karp_flatt_slope(n: float, *, speedup: float, out: None = None) -> float: ...
@overload
def karp_flatt_slope(n: _Values, *, speedup: _Values, out: _Array | None = None) -> _Array: ...
@overload
def karp_flatt_speedup(
    n: float, *, overhead: float, serial: float | None = None, p: float | None = None, out: None = None
) -> float: ...
@overload
def karp_flatt_speedup(
    n: _Values,
    *,
    overhead: _Values,
    serial: _Values | None = None,
    p: _Values | None = None,
    out: _Array | None = None,
) -> _Array: ...
@overload
def karp_flatt_trend(
    n: float, *, overhead: float, serial: float | None = None, p: float | None = None, out: None = None
) -> float: ...
@overload
def karp_flatt_trend(
    n: _Values,
    *,
    overhead: _Values,
    serial: _Values | None = None,
    p: _Values | None = None,
    out: _Array | None = None,
) -> _Array: ...
@overload
def queue_sigma(*, demand: float, think: float, out: None = None) -> float: ...
@overload
def queue_sigma(*, demand: _Values, think: _Values, out: _Array | None = None) -> _Array: ...
@overload
def queue_throughput(n: float, *, demand: float, think: float, out: None = None) -> float: ...
@overload
def queue_throughput(n: _Values, *, demand: _Values, think: _Values, out: _Array | None = None) -> _Array: ...
@overload
def serial_fraction(
    n: float,
    *,
    to: _Share,
    amdahl: float | None = None,
    gustafson: float | None = None,
    trace: float | None = None,
    out: None = None,
) -> float: ...
@overload
def serial_fraction(
    n: _Values,
    *,
    to: _Share,
    amdahl: _Values | None = None,
    gustafson: _Values | None = None,
    trace: _Values | None = None,
    out: _Array | None = None,
) -> _Array: ...
@overload
def sun_ni_ceiling(
    *, exponent: float, serial: float | None = None, p: float | None = None, out: None = None
) -> float: ...
@overload
def sun_ni_ceiling(
    *, exponent: _Values, serial: _Values | None = None, p: _Values | None = None, out: _Array | None = None
) -> _Array: ...
@overload
def sun_ni_efficiency(
    n: float,
    *,
    serial: float | None = None,
    p: float | None = None,
    growth: float | None = None,
    exponent: float | None = None,
    out: None = None,
) -> float: ...
@overload
def sun_ni_efficiency(
    n: _Values,
    *,
    serial: _Values | None = None,
    p: _Values | None = None,
    growth: _Values | None = None,
    exponent: _Values | None = None,
    out: _Array | None = None,
) -> _Array: ...
@overload
def sun_ni_knee(
    *,
    exponent: float,
    serial: float | None = None,
    p: float | None = None,
    efficiency: float | None = None,
    out: None = None,
) -> float: ...
@overload
def sun_ni_knee(
    *,
    exponent: _Values,
    serial: _Values | None = None,
    p: _Values | None = None,
    efficiency: _Values | None = None,
    out: _Array | None = None,
) -> _Array: ...
@overload
def sun_ni_slope(
    n: float,
    *,
    exponent: float,
    serial: float | None = None,
    p: float | None = None,
    growth: float | None = None,
    out: None = None,
) -> float: ...
@overload
def sun_ni_slope(
    n: _Values,
    *,
    exponent: _Values,
    serial: _Values | None = None,
    p: _Values | None = None,
    growth: _Values | None = None,
    out: _Array | None = None,
) -> _Array: ...
@overload
def sun_ni_speedup(
    n: float,
    *,
    serial: float | None = None,
    p: float | None = None,
    growth: float | None = None,
    exponent: float | None = None,
    out: None = None,
) -> float: ...
@overload
def sun_ni_speedup(
    n: _Values,
    *,
    serial: _Values | None = None,
    p: _Values | None = None,
    growth: _Values | None = None,
    exponent: _Values | None = None,
    out: _Array | None = None,
) -> _Array: ...
@overload
def sun_ni_workers(
    *,
    exponent: float,
    speedup: float | None = None,
    efficiency: float | None = None,
    serial: float | None = None,
    p: float | None = None,
    out: None = None,
) -> float: ...
@overload
def sun_ni_workers(
    *,
    exponent: _Values,
    speedup: _Values | None = None,
    efficiency: _Values | None = None,
    serial: _Values | None = None,
    p: _Values | None = None,
    out: _Array | None = None,
) -> _Array: ...
@overload
def usl_ceiling(*, sigma: float, kappa: float, out: None = None) -> float: ...
@overload
def usl_ceiling(*, sigma: _Values, kappa: _Values, out: _Array | None = None) -> _Array: ...
@overload
def usl_coherency_part(n: float, *, kappa: float, min_n: float = 1.0, out: None = None) -> float: ...
@overload
def usl_coherency_part(
    n: _Values, *, kappa: _Values, min_n: float = 1.0, out: _Array | None = None
) -> _Array: ...
@overload
def usl_contention_part(n: float, *, sigma: float, min_n: float = 1.0, out: None = None) -> float: ...
@overload
def usl_contention_part(
    n: _Values, *, sigma: _Values, min_n: float = 1.0, out: _Array | None = None
) -> _Array: ...
@overload
def usl_crossover(*, sigma: float, kappa: float, out: None = None) -> float: ...
@overload
def usl_crossover(*, sigma: _Values, kappa: _Values, out: _Array | None = None) -> _Array: ...
@overload
def usl_efficiency(
    n: float, *, sigma: float, kappa: float, min_n: float = 1.0, out: None = None
) -> float: ...
@overload
def usl_efficiency(
    n: _Values, *, sigma: _Values, kappa: _Values, min_n: float = 1.0, out: _Array | None = None
) -> _Array: ...
@overload
def usl_ideal_part(n: float, *, min_n: float = 1.0, out: None = None) -> float: ...
@overload
def usl_ideal_part(n: _Values, *, min_n: float = 1.0, out: _Array | None = None) -> _Array: ...
@overload
def usl_knee(*, sigma: float, kappa: float, efficiency: float | None = None, out: None = None) -> float: ...
@overload
def usl_knee(
    *, sigma: _Values, kappa: _Values, efficiency: _Values | None = None, out: _Array | None = None
) -> _Array: ...
@overload
def usl_log_ceiling(*, sigma: float, kappa: float, out: None = None) -> float: ...
@overload
def usl_log_ceiling(*, sigma: _Values, kappa: _Values, out: _Array | None = None) -> _Array: ...
@overload
def usl_log_efficiency(
    n: float, *, sigma: float, kappa: float, min_n: float = 1.0, out: None = None
) -> float: ...
@overload
def usl_log_efficiency(
    n: _Values, *, sigma: _Values, kappa: _Values, min_n: float = 1.0, out: _Array | None = None
) -> _Array: ...
@overload
def usl_log_knee(
    *, sigma: float, kappa: float, efficiency: float | None = None, out: None = None
) -> float: ...
@overload
def usl_log_knee(
    *, sigma: _Values, kappa: _Values, efficiency: _Values | None = None, out: _Array | None = None
) -> _Array: ...
@overload
def usl_log_peak(*, sigma: float, kappa: float, out: None = None) -> float: ...
@overload
def usl_log_peak(*, sigma: _Values, kappa: _Values, out: _Array | None = None) -> _Array: ...
@overload
def usl_log_slope(n: float, *, sigma: float, kappa: float, min_n: float = 1.0, out: None = None) -> float: ...
@overload
def usl_log_slope(
    n: _Values, *, sigma: _Values, kappa: _Values, min_n: float = 1.0, out: _Array | None = None
) -> _Array: ...
@overload
def usl_log_speedup(
    n: float, *, sigma: float, kappa: float, min_n: float = 1.0, out: None = None
) -> float: ...
@overload
def usl_log_speedup(
    n: _Values, *, sigma: _Values, kappa: _Values, min_n: float = 1.0, out: _Array | None = None
) -> _Array: ...
@overload
def usl_log_workers(
    *,
    sigma: float,
    kappa: float,
    speedup: float | None = None,
    efficiency: float | None = None,
    branch: _Branch = "rising",
    out: None = None,
) -> float: ...
@overload
def usl_log_workers(
    *,
    sigma: _Values,
    kappa: _Values,
    speedup: _Values | None = None,
    efficiency: _Values | None = None,
    branch: _Branch = "rising",
    out: _Array | None = None,
) -> _Array: ...
@overload
def usl_peak(*, sigma: float, kappa: float, out: None = None) -> float: ...
@overload
def usl_peak(*, sigma: _Values, kappa: _Values, out: _Array | None = None) -> _Array: ...
@overload
def usl_response(
    n: float, *, sigma: float, kappa: float, rate: float, min_n: float = 1.0, out: None = None
) -> float: ...
@overload
def usl_response(
    n: _Values,
    *,
    sigma: _Values,
    kappa: _Values,
    rate: _Values,
    min_n: float = 1.0,
    out: _Array | None = None,
) -> _Array: ...
@overload
def usl_response_at(
    *,
    throughput: float,
    sigma: float,
    kappa: float,
    rate: float,
    branch: _Branch = "rising",
    out: None = None,
) -> float: ...
@overload
def usl_response_at(
    *,
    throughput: _Values,
    sigma: _Values,
    kappa: _Values,
    rate: _Values,
    branch: _Branch = "rising",
    out: _Array | None = None,
) -> _Array: ...
@overload
def usl_slope(n: float, *, sigma: float, kappa: float, min_n: float = 1.0, out: None = None) -> float: ...
@overload
def usl_slope(
    n: _Values, *, sigma: _Values, kappa: _Values, min_n: float = 1.0, out: _Array | None = None
) -> _Array: ...
@overload
def usl_speedup(n: float, *, sigma: float, kappa: float, min_n: float = 1.0, out: None = None) -> float: ...
@overload
def usl_speedup(
    n: _Values, *, sigma: _Values, kappa: _Values, min_n: float = 1.0, out: _Array | None = None
) -> _Array: ...
@overload
def usl_throughput(
    n: float, *, sigma: float, kappa: float, rate: float, min_n: float = 1.0, out: None = None
) -> float: ...
@overload
def usl_throughput(
    n: _Values,
    *,
    sigma: _Values,
    kappa: _Values,
    rate: _Values,
    min_n: float = 1.0,
    out: _Array | None = None,
) -> _Array: ...
@overload
def usl_throughput_at(
    *, response: float, sigma: float, kappa: float, rate: float, out: None = None
) -> float: ...
@overload
def usl_throughput_at(
    *, response: _Values, sigma: _Values, kappa: _Values, rate: _Values, out: _Array | None = None
) -> _Array: ...
@overload
def usl_workers(
    *,
    sigma: float,
    kappa: float,
    speedup: float | None = None,
    efficiency: float | None = None,
    throughput: float | None = None,
    response: float | None = None,
    rate: float | None = None,
    branch: _Branch = "rising",
    out: None = None,
) -> float: ...
@overload
def usl_workers(
    *,
    sigma: _Values,
    kappa: _Values,
    speedup: _Values | None = None,
    efficiency: _Values | None = None,
    throughput: _Values | None = None,
    response: _Values | None = None,
    rate: _Values | None = None,
    branch: _Branch = "rising",
    out: _Array | None = None,
) -> _Array: ...
@overload
def work_span_ceiling(*, work: float, span: float, out: None = None) -> float: ...
@overload
def work_span_ceiling(*, work: _Values, span: _Values, out: _Array | None = None) -> _Array: ...
@overload
def work_span_lower(n: float, *, work: float, span: float, out: None = None) -> float: ...
@overload
def work_span_lower(n: _Values, *, work: _Values, span: _Values, out: _Array | None = None) -> _Array: ...
@overload
def work_span_slope(n: float, *, work: float, span: float, out: None = None) -> float: ...
@overload
def work_span_slope(n: _Values, *, work: _Values, span: _Values, out: _Array | None = None) -> _Array: ...
@overload
def work_span_upper(n: float, *, work: float, span: float, out: None = None) -> float: ...
@overload
def work_span_upper(n: _Values, *, work: _Values, span: _Values, out: _Array | None = None) -> _Array: ...
@overload
def work_span_workers(*, time: float, work: float, span: float, out: None = None) -> float: ...
@overload
def work_span_workers(
    *, time: _Values, work: _Values, span: _Values, out: _Array | None = None
) -> _Array: ...
