"""Sums, products, norms, ranges and moments by many threads, able to say where the time went."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, overload

from scalewall import _core, _threads
from scalewall.distributed import reductions as over_ranks
from scalewall.measured import Measured, answer_of, itself, prepared, whole_of

if TYPE_CHECKING:
    import numpy.typing as npt
    from mpi4py.MPI import Intracomm

Method: TypeAlias = Literal["exact", "compensated", "pairwise"]
Combine: TypeAlias = Literal["tree", "order"]


@overload
def parallel_sum(
    x: npt.ArrayLike,
    *,
    threads: _threads.Threads = ...,
    method: Method = ...,
    combine: Combine = ...,
    measure: Literal[False] = False,
    split: bool | None = ...,
    comm: Intracomm | None = ...,
) -> float | int: ...
@overload
def parallel_sum(
    x: npt.ArrayLike,
    *,
    threads: _threads.Threads = ...,
    method: Method = ...,
    combine: Combine = ...,
    measure: Literal[True],
    split: bool | None = ...,
    comm: Intracomm | None = ...,
) -> Measured[float | int]: ...
def parallel_sum(
    x: npt.ArrayLike,
    *,
    threads: _threads.Threads = "auto",
    method: Method = "exact",
    combine: Combine = "tree",
    measure: bool = False,
    split: bool | None = None,
    comm: Intracomm | None = None,
) -> float | int | Measured[float | int]:
    """Sum all elements.

    Parameters
    ----------
    x : array_like of float64, float32, integers or booleans
        Elements, of any shape and stride, without a copy where they are one-dimensional or side by side in
        memory.
    threads : int or {"auto", "serial"}, default "auto"
        Threads of this call, the calling one among them. "auto" stays serial below 300,000 elements
        (pairwise: 800,000).
    method : {"exact", "compensated", "pairwise"}, default "exact"
        "exact" is the double nearest to the true sum; "compensated" carries the error of every addition
        along, as good as twice the precision; "pairwise" is plain arithmetic in a cascade. Integers are exact
        anyway.
    combine : {"tree", "order"}, default "tree"
        Partial results become one along a tree, merged by the workers, or one after the other, by the caller.
    measure : bool, default False
        Return value, ledger and serial fraction instead of the value alone.
    split : bool, optional
        Read the threads' own clocks too, so that the ledger splits the work into on a processor, preempted
        and blocked. By default from 10 million elements on.
    comm : mpi4py.MPI.Intracomm, optional
        Every rank calls with its own elements, of the same type, and gets the result over all of them.
        "exact" and integers give the same bits for any number of ranks and any distribution of the elements
        over them; the other methods merge the results of the ranks in their order, so that their last bits
        depend on who has which elements. With `measure`, the ledger is that of all ranks.

    Returns
    -------
    float or int, or Measured
        A float for floating-point elements (for float32 the double nearest to the exact sum of the float32
        values), an int of any size for integers. With `measure`, an object with `.value`, `.ledger` and
        `.serial_fraction`.

    Raises
    ------
    TypeError     if the elements are neither floating-point nor integers.
    ChoiceError   if `method` or `combine` is none of those allowed.
    ThreadError   if `threads` is not a count of at least 1.

    Notes
    -----
    The same bits for any number of threads. NaN gives NaN, infinities of both signs give NaN, one sign gives
    that infinity; a sum beyond the largest double is infinite. An empty sum is 0.0, and so is, with a
    positive sign, every sum that is exactly zero, whatever the signs of the zeros in it.

    Examples
    --------
    >>> import scalewall as sw
    >>> sw.parallel_sum([1e100, 1.0, -1e100])
    1.0
    >>> sw.parallel_sum([2**63 - 1, 2**63 - 1])
    18446744073709551614
    """
    prepare = partial(prepared, {"x": x}, threads, combine, measure, split)
    if comm is not None:
        return over_ranks.sum_(comm, prepare, method)
    (vector,), how = prepare()
    answer: float | int | Measured[float | int] = answer_of(
        _core.reduction_sum(vector, method, how), whole_of(vector), vector
    )
    return answer


@overload
def parallel_dot(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    threads: _threads.Threads = ...,
    method: Method = ...,
    combine: Combine = ...,
    measure: Literal[False] = False,
    split: bool | None = ...,
    comm: Intracomm | None = ...,
) -> float | int: ...
@overload
def parallel_dot(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    threads: _threads.Threads = ...,
    method: Method = ...,
    combine: Combine = ...,
    measure: Literal[True],
    split: bool | None = ...,
    comm: Intracomm | None = ...,
) -> Measured[float | int]: ...
def parallel_dot(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    threads: _threads.Threads = "auto",
    method: Method = "exact",
    combine: Combine = "tree",
    measure: bool = False,
    split: bool | None = None,
    comm: Intracomm | None = None,
) -> float | int | Measured[float | int]:
    """Sum the products of the elements of two vectors.

    Arguments and rules are those of :func:`parallel_sum`. "exact" is correctly rounded also where single
    products are too large or too small for a double. Elements of two types are converted to their common type
    first.

    Parameters
    ----------
    x, y : array_like of float64, float32 or integers, shape (k,)
        The vectors.
    threads, method, combine, measure, split, comm
        As for :func:`parallel_sum`.

    Returns
    -------
    float or int, or Measured
        As for :func:`parallel_sum`.

    Raises
    ------
    ShapeError    if the lengths differ or a vector has more than one dimension.

    Examples
    --------
    >>> import scalewall as sw
    >>> sw.parallel_dot([1e200, 1.0, -1e200], [1e200, 3.0, 1e200])
    3.0
    """
    prepare = partial(prepared, {"x": x, "y": y}, threads, combine, measure, split)
    if comm is not None:
        return over_ranks.dot(comm, prepare, method)
    (first, second), how = prepare()
    answer: float | int | Measured[float | int] = answer_of(
        _core.reduction_dot(first, second, method, how), whole_of(first), first, second
    )
    return answer


@overload
def parallel_norm2(
    x: npt.ArrayLike,
    *,
    threads: _threads.Threads = ...,
    method: Method = ...,
    combine: Combine = ...,
    measure: Literal[False] = False,
    split: bool | None = ...,
    comm: Intracomm | None = ...,
) -> float: ...
@overload
def parallel_norm2(
    x: npt.ArrayLike,
    *,
    threads: _threads.Threads = ...,
    method: Method = ...,
    combine: Combine = ...,
    measure: Literal[True],
    split: bool | None = ...,
    comm: Intracomm | None = ...,
) -> Measured[float]: ...
def parallel_norm2(
    x: npt.ArrayLike,
    *,
    threads: _threads.Threads = "auto",
    method: Method = "exact",
    combine: Combine = "tree",
    measure: bool = False,
    split: bool | None = None,
    comm: Intracomm | None = None,
) -> float | Measured[float]:
    """Take the square root of the sum of squares of all elements.

    "exact" rounds once: the double nearest to the true root, also where squares are too large or too small
    for a double. The other methods square and add plainly, and lose what under- or overflows.

    Parameters
    ----------
    x : array_like of float64, float32 or integers
        Elements, of any shape and stride.
    threads, method, combine, measure, split, comm
        As for :func:`parallel_sum`.

    Returns
    -------
    float, or Measured
        As for :func:`parallel_sum`; a float for integers too.

    Examples
    --------
    >>> import scalewall as sw
    >>> sw.parallel_norm2([3.0 * 2.0**900, 4.0 * 2.0**900]) / 2.0**900
    5.0
    """
    prepare = partial(prepared, {"x": x}, threads, combine, measure, split)
    if comm is not None:
        return over_ranks.norm2(comm, prepare, method)
    (vector,), how = prepare()
    answer: float | Measured[float] = answer_of(_core.reduction_norm2(vector, method, how), itself, vector)
    return answer


@overload
def parallel_minmax(
    x: npt.ArrayLike,
    *,
    threads: _threads.Threads = ...,
    combine: Combine = ...,
    measure: Literal[False] = False,
    split: bool | None = ...,
    comm: Intracomm | None = ...,
) -> tuple[float, float] | tuple[int, int]: ...
@overload
def parallel_minmax(
    x: npt.ArrayLike,
    *,
    threads: _threads.Threads = ...,
    combine: Combine = ...,
    measure: Literal[True],
    split: bool | None = ...,
    comm: Intracomm | None = ...,
) -> Measured[tuple[float, float] | tuple[int, int]]: ...
def parallel_minmax(
    x: npt.ArrayLike,
    *,
    threads: _threads.Threads = "auto",
    combine: Combine = "tree",
    measure: bool = False,
    split: bool | None = None,
    comm: Intracomm | None = None,
) -> Any:
    """Find the smallest and the largest element in one pass.

    Parameters
    ----------
    x : array_like of float64, float32 or integers
        Elements, of any shape and stride; at least one.
    threads, combine, measure, split, comm
        As for :func:`parallel_sum`.

    Returns
    -------
    tuple of two float or int, or Measured
        Smallest and largest; both NaN as soon as one element is. A negative zero lies below a positive one.

    Raises
    ------
    InsufficientDataError     if there is no element.

    Examples
    --------
    >>> import scalewall as sw
    >>> sw.parallel_minmax([3.0, -1.0, 2.0])
    (-1.0, 3.0)
    """
    prepare = partial(prepared, {"x": x}, threads, combine, measure, split)
    if comm is not None:
        return over_ranks.minmax(comm, prepare)
    (vector,), how = prepare()
    answer: Any = answer_of(_core.reduction_minmax(vector, how), itself, vector)
    return answer


@overload
def parallel_mean_var(
    x: npt.ArrayLike,
    *,
    ddof: float = ...,
    threads: _threads.Threads = ...,
    combine: Combine = ...,
    measure: Literal[False] = False,
    split: bool | None = ...,
    comm: Intracomm | None = ...,
) -> tuple[float, float]: ...
@overload
def parallel_mean_var(
    x: npt.ArrayLike,
    *,
    ddof: float = ...,
    threads: _threads.Threads = ...,
    combine: Combine = ...,
    measure: Literal[True],
    split: bool | None = ...,
    comm: Intracomm | None = ...,
) -> Measured[tuple[float, float]]: ...
def parallel_mean_var(
    x: npt.ArrayLike,
    *,
    ddof: float = 0.0,
    threads: _threads.Threads = "auto",
    combine: Combine = "tree",
    measure: bool = False,
    split: bool | None = None,
    comm: Intracomm | None = None,
) -> tuple[float, float] | Measured[tuple[float, float]]:
    """Compute mean and variance in one pass over memory.

    Two passes inside a block that stays in the cache, Chan's formula between blocks: no cancellation of large
    means. Neither is correctly rounded; where the mean must be, divide :func:`parallel_sum` by the count.

    Parameters
    ----------
    x : array_like of float64, float32 or integers
        Elements, of any shape and stride; at least one.
    ddof : float, default 0
        The variance is divided by ``k - ddof`` for k elements, and NaN where that is not positive.
    threads, combine, measure, split, comm
        As for :func:`parallel_sum`.

    Returns
    -------
    tuple of two float, or Measured
        Mean and variance. Where an element is infinite, so is the mean, and the variance is NaN.

    Raises
    ------
    InsufficientDataError     if there is no element.

    References
    ----------
    .. [1] T. F. Chan, G. H. Golub and R. J. LeVeque, "Algorithms for computing the sample variance",
       The American Statistician 37, 1983, equation 1.5.

    Examples
    --------
    >>> import scalewall as sw
    >>> sw.parallel_mean_var([1e9 + 1, 1e9 + 2, 1e9 + 3], ddof=1)
    (1000000002.0, 1.0)
    """
    prepare = partial(prepared, {"x": x}, threads, combine, measure, split)
    if comm is not None:
        return over_ranks.mean_var(comm, prepare, float(ddof))
    (vector,), how = prepare()
    answer: tuple[float, float] | Measured[tuple[float, float]] = answer_of(
        _core.reduction_mean_var(vector, float(ddof), how), itself, vector
    )
    return answer
