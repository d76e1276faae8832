"""A law over a grid of parameters and worker counts, as fast as the machine can store the result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from scalewall import _core, _progress, _threads
from scalewall._errors import ShapeError
from scalewall._grids import Array, Prepared, Quantity, Scaling, Term, prepare

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt


def surface(
    law: str | Sequence[Term],
    *,
    n: npt.ArrayLike,
    p: npt.ArrayLike | None = None,
    serial: npt.ArrayLike | None = None,
    sigma: npt.ArrayLike | None = None,
    kappa: npt.ArrayLike | None = None,
    growth: object = None,
    compute: npt.ArrayLike | None = None,
    latency: npt.ArrayLike | None = None,
    transfer: npt.ArrayLike | None = None,
    scaling: Scaling = "strong",
    quantity: Quantity = "speedup",
    scale: npt.ArrayLike | None = None,
    exact: bool = True,
    out: Array | None = None,
    dtype: npt.DTypeLike = np.float64,
    threads: _threads.Threads = "auto",
    progress: bool | _progress.Progress | None = None,
    level: str = "auto",
    store: str = "auto",
) -> Array:
    """Evaluate a scaling law over every pair of a parameter and a worker count.

    Rows are parameters, columns are worker counts. Results are exact in the sense that every cell
    has the bits of the plain expression below evaluated in NumPy, whatever the processor, the
    threads and the memory layout.

    Parameters
    ----------
    law : {"amdahl", "gustafson", "sun_ni", "usl", "usl_log", "ring", "tree"}
        The law. "ring" and "tree" are a training step with that all-reduce. A law of your own is a
        sequence of up to four pairs (coefficient, column) that add up to T(n)/T(1): the coefficient
        a number or one a row, the column a number, a function of n, or one value for each n.
    n : array_like of float
        Worker counts, each finite and at least 1; a number, shape (columns,) or (1, columns).
    p, serial : array_like of float
        Parallel fraction, or serial fraction, 0 to 1: one of them, for the first three laws. A
        number, shape (rows,) or (rows, 1), as every parameter. Under Gustafson's law of the time
        on n workers, else of the time on one. For a step, `serial` is in seconds (default 0).
    sigma, kappa : array_like of float
        Contention (0 to 1) and coherency (at least 0), dimensionless, for "usl" and "usl_log".
    growth : float, array_like of shape (columns,) or callable
        Sun–Ni: the work that fits on n workers, relative to one: a power of n, the values, or a
        function of the array n.
    compute : array_like of float
        Work of a step on one worker, seconds; under weak scaling of each worker.
    latency, transfer : array_like of float
        Seconds per message, and seconds to send all gradients once.
    scaling : {"strong", "weak"}
        Total work of a step fixed, or work per worker.
    quantity : {"speedup", "efficiency", "time", "throughput", "karp_flatt"}
        What a cell says. Time (of a fixed amount of work; of the step under weak scaling) and
        throughput are relative to one worker unless `scale` is given. Karp–Flatt's serial fraction
        is computed by its identity for the law, without the cancellation of its definition.
    scale : array_like of float, optional
        Time, or throughput, on one worker.
    exact : bool
        False allows 2.5 ulp from the true value where that is faster.
    out : ndarray, optional
        C-contiguous array of shape (rows, columns) and of `dtype` to write to.
    dtype : {float64, float32}
        Type of the result; inputs are cast to it first.
    threads : int or {"auto", "serial"}
        Threads of this call.
    progress : bool or callable, optional
        True shows a line on standard error; a callable gets the share done, from 0 to 1.
    level : {"auto", "baseline", "avx2", "avx512"}
        Instruction set, for tests.
    store : {"auto", "plain", "streaming"}
        How results are written, for tests.

    Returns
    -------
    ndarray of shape (rows, columns)
        Or a Dask array with one core call a chunk, where an input is one.

    Raises
    ------
    DomainError
        If a value is outside its range; the message gives the first index.
    ShapeError
        If shapes do not fit.
    GridMemoryError
        If the result does not fit in memory; `scan` answers questions without storing it.

    Notes
    -----
    With (a, b) = (1-p, p), or (f, 1-f) for f = `serial`, and each operation rounded once, from the
    left:

    ========= ============================================== ====================================
    law       speedup                                        efficiency
    ========= ============================================== ====================================
    amdahl    ``1/(a + b/n)``                                ``1/(b + a*n)``
    gustafson ``a + b*n``                                    ``b + a/n``
    sun_ni    ``(a + b*G)/(a + b*(G/n))``                    ``(a + b*G)/(b*G + a*n)``
    usl       ``n/(1 + sigma*(n-1) + kappa*(n*(n-1)))``      ``1/(1 + …)``, the same sum
    usl_log   ``n/(1 + sigma*(n-1) + kappa*(n*log2(n)))``    ``1/(1 + …)``, the same sum
    ring      ``T1/T`` (weak: ``T1*n/T``)                    ``T1*(1/n)/T`` (weak: ``T1/T``)
    tree      as ring                                        as ring
    ========= ============================================== ====================================

    ========= ============================================== ====================================
    law       time (times ``scale``)                         Karp–Flatt
    ========= ============================================== ====================================
    amdahl    ``a + b/n``                                    ``a``
    gustafson ``1/(a + b*n)``                                ``a/(a + b*n)``
    sun_ni    ``(a + b*(G/n))/(a + b*G)``                    ``a/(a + b*G)``
    usl       ``1/n + sigma*((n-1)/n) + kappa*(n-1)``        ``sigma + kappa*n``
    usl_log   ``1/n + sigma*((n-1)/n) + kappa*log2(n)``      ``sigma + kappa*(log2(n)*(n/(n-1)))``
    ring      ``T*(scale/T1)``                               ``(serial + 2*transfer + 2*latency*n)*(1/T1)``
    tree      ``T*(scale/T1)``                               ``(serial + A*n/(n-1))*(1/T1)``
    ========= ============================================== ====================================

    A step takes ``T = serial + compute*(1/n) + A`` (weak: ``(serial + compute) + A``), on one
    worker ``T1 = serial + compute``. Ring: ``A = latency*(2*(n-1)) + transfer*(2*((n-1)/n))``.
    Tree, with ``h = ceil(log2(n))``: ``A = transfer*2 + latency*(4*h) +
    sqrt(latency*transfer)*(2*sqrt(8*h))``, the pipelined two-tree; where its best number of blocks
    would be below one, ``(latency + transfer)*(2 + 4*h)``; nothing for n = 1. Weak Karp–Flatt: the
    all-reduce over ``(n-1)*T1``. G is `growth`; logarithm and power are NumPy's.

    The formula itself errs by up to 1.54 ulp (Amdahl). No temporary is larger than a tile.

    Examples
    --------
    >>> import scalewall as sw
    >>> sw.surface("amdahl", p=[0.5, 0.95], n=[1, 10, 100]).round(1)
    array([[ 1. ,  1.8,  2. ],
           [ 1. ,  6.9, 16.8]])
    """
    if (
        out is None
        and progress is None
        and scale is None
        and growth is None
        and compute is None
        and cast("object", dtype) is np.float64
        and isinstance(law, str)
        and latency is None
        and transfer is None
        and level == "auto"
        and store == "auto"
        and isinstance(threads, str)
    ):
        # Arguments of small calls mostly need no conversion, and then looking at them all costs the most.
        quick = _quick(law, p, serial, sigma, kappa, n, quantity)
        if quick is not None:
            return quick
    arguments: dict[str, object] = {
        "p": p,
        "serial": serial,
        "sigma": sigma,
        "kappa": kappa,
        "growth": growth,
        "compute": compute,
        "latency": latency,
        "transfer": transfer,
    }
    options: dict[str, Any] = {"quantity": quantity, "scaling": scaling, "dtype": dtype}
    how = (_threads.resolve(threads), level, store, bool(exact))
    if any(hasattr(value, "__dask_graph__") for value in (*arguments.values(), n, scale)):
        from scalewall import _lazy  # noqa: PLC0415

        if not isinstance(law, str):
            raise TypeError("law is a sequence of terms and an input is a Dask array: expected a named law")
        if out is not None:
            raise TypeError("out is given and an input is a Dask array: expected one or the other")
        lazy: Array = _lazy.surface(law, arguments, n, scale, options, how)
        return lazy
    grid = prepare(law, arguments, n, scale=scale, **options)
    if out is not None:
        check_out(out, grid, dtype, [*arguments.values(), n, scale])
    report = _progress.reporter(progress)
    result = _core.surfaces_evaluate(grid.core, how, out, report)
    if report is not None:
        report(1.0)
    return result


def _quick(  # noqa: PLR0917 - names of arguments would cost as much as the call
    law: Any, p: object, serial: object, sigma: object, kappa: object, n: object, quantity: str
) -> Array | None:
    if law in ("amdahl", "gustafson"):
        if sigma is None and kappa is None and (p is None) != (serial is None):
            return _core.surfaces_quick(law, quantity, p is None, serial if p is None else p, None, n)
    elif law == "usl" and p is None and serial is None and sigma is not None and kappa is not None:
        return _core.surfaces_quick(law, quantity, False, sigma, kappa, n)
    return None


def check_out(out: object, grid: Prepared, dtype: npt.DTypeLike, inputs: list[object]) -> None:
    """Say what is wrong with an output array, before a cell is written."""
    if not isinstance(out, np.ndarray):
        raise TypeError(f"out is a {type(out).__name__}: expected a NumPy array")
    if out.dtype != np.dtype(dtype) or not out.dtype.isnative:
        raise TypeError(f"out has dtype {out.dtype.str}: expected native {np.dtype(dtype)}; or pass dtype=")
    if out.shape != grid.shape:
        raise ShapeError(f"out has shape {out.shape}: expected {grid.shape}, (rows, columns)")
    if not out.flags.c_contiguous or not out.flags.aligned:
        raise ValueError("out is not C-contiguous and aligned: expected an array like np.empty gives")
    if not out.flags.writeable:
        raise ValueError("out is read-only: expected an array that may be written to")
    for value in inputs:
        if isinstance(value, np.ndarray) and np.shares_memory(out, value):
            raise ValueError("out shares memory with an input: expected an array of its own")
