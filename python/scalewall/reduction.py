"""Sums, products, norms, ranges and moments by many threads, able to say where the time went."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeAlias, TypeVar, overload

import numpy as np

from scalewall import _core, _threads
from scalewall._errors import ShapeError
from scalewall.ledger import Ledger, from_record

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from scalewall.results import SerialFraction

Method: TypeAlias = Literal["exact", "compensated", "pairwise"]
Combine: TypeAlias = Literal["tree", "order"]
Vector: TypeAlias = "np.ndarray[tuple[int], np.dtype[Any]]"
V = TypeVar("V")

SPLIT_FROM = 10_000_000
"""Elements from which a measured call also reads the threads' own clocks: a few system calls per worker."""

_FLOATS = (np.dtype(np.float64), np.dtype(np.float32))


@dataclass(frozen=True)
class Measured(Generic[V]):
    """A value, and where the time went that computing it took."""

    value: V
    ledger: Ledger

    @property
    def serial_fraction(self) -> SerialFraction:
        """The serial share of the work, from this one run."""
        return self.ledger.serial_fraction

    def summary(self) -> str:
        """Return value and ledger as plain text."""
        return f"{self.value}\n{self.ledger.summary()}"

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python, ready for JSON."""
        return {"value": self.value, "ledger": self.ledger.to_dict()}


@overload
def parallel_sum(
    x: npt.ArrayLike,
    *,
    threads: _threads.Threads = ...,
    method: Method = ...,
    combine: Combine = ...,
    measure: Literal[False] = False,
    split: bool | None = ...,
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
) -> Measured[float | int]: ...
def parallel_sum(
    x: npt.ArrayLike,
    *,
    threads: _threads.Threads = "auto",
    method: Method = "exact",
    combine: Combine = "tree",
    measure: bool = False,
    split: bool | None = None,
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
    vector = _vector("x", x)
    how = _how(vector, threads, combine, measure, split)
    answer: float | int | Measured[float | int] = _answer(
        _core.reduction_sum(vector, method, how), _whole(vector), vector
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
) -> float | int | Measured[float | int]:
    """Sum the products of the elements of two vectors.

    Arguments and rules are those of :func:`parallel_sum`. "exact" is correctly rounded also where single
    products are too large or too small for a double. Elements of two types are converted to their common type
    first.

    Parameters
    ----------
    x, y : array_like of float64, float32 or integers, shape (k,)
        The vectors.
    threads, method, combine, measure, split
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
    first, second = _vector("x", x, flat=False), _vector("y", y, flat=False)
    if first.dtype != second.dtype:
        common = np.result_type(first, second)
        first, second = _vector("x", first.astype(common)), _vector("y", second.astype(common))
    how = _how(first, threads, combine, measure, split)
    answer: float | int | Measured[float | int] = _answer(
        _core.reduction_dot(first, second, method, how), _whole(first), first, second
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
) -> Measured[float]: ...
def parallel_norm2(
    x: npt.ArrayLike,
    *,
    threads: _threads.Threads = "auto",
    method: Method = "exact",
    combine: Combine = "tree",
    measure: bool = False,
    split: bool | None = None,
) -> float | Measured[float]:
    """Take the square root of the sum of squares of all elements.

    "exact" rounds once: the double nearest to the true root, also where squares are too large or too small
    for a double. The other methods square and add plainly, and lose what under- or overflows.

    Parameters
    ----------
    x : array_like of float64, float32 or integers
        Elements, of any shape and stride.
    threads, method, combine, measure, split
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
    vector = _vector("x", x)
    how = _how(vector, threads, combine, measure, split)
    answer: float | Measured[float] = _answer(_core.reduction_norm2(vector, method, how), _itself, vector)
    return answer


@overload
def parallel_minmax(
    x: npt.ArrayLike,
    *,
    threads: _threads.Threads = ...,
    combine: Combine = ...,
    measure: Literal[False] = False,
    split: bool | None = ...,
) -> tuple[float, float] | tuple[int, int]: ...
@overload
def parallel_minmax(
    x: npt.ArrayLike,
    *,
    threads: _threads.Threads = ...,
    combine: Combine = ...,
    measure: Literal[True],
    split: bool | None = ...,
) -> Measured[tuple[float, float] | tuple[int, int]]: ...
def parallel_minmax(
    x: npt.ArrayLike,
    *,
    threads: _threads.Threads = "auto",
    combine: Combine = "tree",
    measure: bool = False,
    split: bool | None = None,
) -> Any:
    """Find the smallest and the largest element in one pass.

    Parameters
    ----------
    x : array_like of float64, float32 or integers
        Elements, of any shape and stride; at least one.
    threads, combine, measure, split
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
    vector = _vector("x", x)
    how = _how(vector, threads, combine, measure, split)
    answer: Any = _answer(_core.reduction_minmax(vector, how), _itself, vector)
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
) -> Measured[tuple[float, float]]: ...
def parallel_mean_var(
    x: npt.ArrayLike,
    *,
    ddof: float = 0.0,
    threads: _threads.Threads = "auto",
    combine: Combine = "tree",
    measure: bool = False,
    split: bool | None = None,
) -> tuple[float, float] | Measured[tuple[float, float]]:
    """Compute mean and variance in one pass over memory.

    Two passes inside a block that stays in the cache, Chan's formula between blocks: no cancellation of large
    means.

    Parameters
    ----------
    x : array_like of float64, float32 or integers
        Elements, of any shape and stride; at least one.
    ddof : float, default 0
        The variance is divided by ``k - ddof`` for k elements, and NaN where that is not positive.
    threads, combine, measure, split
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
    vector = _vector("x", x)
    how = _how(vector, threads, combine, measure, split)
    answer: tuple[float, float] | Measured[tuple[float, float]] = _answer(
        _core.reduction_mean_var(vector, float(ddof), how), _itself, vector
    )
    return answer


_limits: dict[tuple[int, int], float] = {}


def read_limit(nbytes: int, *, threads: _threads.Threads = "auto", cpus: tuple[int, ...] = ()) -> float:
    """Measure how fast this machine reads so many bytes when it does nothing else, in GB/s.

    Parameters
    ----------
    nbytes : int
        Size of what is read: memory and each cache have limits of their own.
    threads : int or {"auto", "serial"}, default "auto"
        Threads that read.
    cpus : tuple of int, optional
        The processor of each thread.

    Returns
    -------
    float
        The best of three passes after a first.
    """
    data = np.ones(max(1, nbytes // 8))
    how = (_threads.resolve(threads), "tree", 1, list(cpus))
    records = [_core.reduction_read(data, how)[1] for _ in range(4)]
    return max(data.nbytes / float(record[0]["wall_ns"]) for record in records[1:] if record is not None)


def _known_limit(ledger: Ledger) -> float | None:
    """Return the limit for as many workers and a size of the same power of two, measured once a process."""
    if ledger.nbytes < 1 << 16:
        return None
    key = (ledger.workers, ledger.nbytes.bit_length())
    if key not in _limits:
        _limits[key] = read_limit(ledger.nbytes, threads=ledger.workers)
    return _limits[key]


def _vector(name: str, x: npt.ArrayLike, *, flat: bool = True) -> Vector:
    """Return a one-dimensional view that the core can read, copied only where it must be."""
    array = np.asarray(x)
    if array.size == 0 and array.dtype == np.float64:
        array = array.astype(np.float64)
    if array.dtype == np.bool_:
        array = array.view(np.uint8)
    if not (array.dtype in _FLOATS or array.dtype.newbyteorder("=") in _FLOATS or array.dtype.kind in "iu"):
        raise TypeError(
            f"{name} has elements of type {array.dtype}: expected float64, float32 or integers; "
            f"convert them, for example with {name}.astype(float)"
        )
    if array.ndim != 1:
        if not flat:
            raise ShapeError(f"{name} has {array.ndim} dimensions: expected one; use {name}.ravel()")
        array = array.ravel(order="K")
    if not (array.flags.aligned and array.dtype.isnative):
        array = array.astype(array.dtype.newbyteorder("="))
    # Equal types of different names (long and long long) share the code that the core knows.
    return array.view(np.dtype(array.dtype.str))


def _how(
    vector: Vector, threads: _threads.Threads, combine: str, measure: bool, split: bool | None
) -> tuple[int, str, int, list[int]]:
    wanted = vector.size >= SPLIT_FROM if split is None else split
    return (_threads.resolve(threads), combine, (2 if wanted else 1) if measure else 0, [])


def _itself(value: Any) -> Any:
    return value


def _integer(parts: tuple[int, int]) -> int:
    return (parts[0] << 64) + parts[1]


def _whole(vector: Vector) -> Callable[[Any], Any]:
    """Return what makes a value of what the core answers for elements of this type."""
    return _itself if vector.dtype.kind == "f" else _integer


def _answer(
    answer: tuple[Any, Any],
    whole: Callable[[Any], Any],
    *vectors: Vector,
) -> Any:
    value, record = answer
    if record is None:
        return whole(value)
    ledger = from_record(record, sum(vector.nbytes for vector in vectors))
    return Measured(whole(value), replace(ledger, read_limit_gb_s=_known_limit(ledger)))
