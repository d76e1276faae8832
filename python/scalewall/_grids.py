"""Arguments of a grid: which law needs which, checked and brought into the form the core takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from scalewall._errors import ChoiceError, DomainError, ShapeError

if TYPE_CHECKING:
    from collections.abc import Sequence

Array: TypeAlias = npt.NDArray[Any]
Quantity: TypeAlias = Literal["speedup", "efficiency", "time", "throughput", "karp_flatt"]
Scaling: TypeAlias = Literal["strong", "weak"]

QUANTITIES = ("speedup", "efficiency", "time", "throughput", "karp_flatt")
FRACTION_LAWS = ("amdahl", "gustafson", "sun_ni")
USL_LAWS = ("usl", "usl_log")
STEP_LAWS = ("ring", "tree")
LAWS = (*FRACTION_LAWS, *USL_LAWS, *STEP_LAWS)


@dataclass(frozen=True)
class Prepared:
    """One grid as the core takes it: contiguous arrays of one dtype."""

    kind: tuple[str, str, bool]
    parameters: tuple[Array, ...]
    scale: Array | None
    n: Array
    columns: tuple[Array, ...]

    @property
    def core(self) -> tuple[tuple[str, str, bool], tuple[Array, ...], Array | None, Array, tuple[Array, ...]]:
        """The grid as the core's functions take it."""
        return self.kind, self.parameters, self.scale, self.n, self.columns

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        lengths = [len(a) for a in (*self.parameters, *(() if self.scale is None else (self.scale,)))]
        return next((length for length in lengths if length != 1), 1), len(self.n)


def vector(name: str, value: object, dtype: npt.DTypeLike, axis: int) -> Array:
    """Return `value` as a contiguous 1-D array; 2-D input must be thin along the other axis."""
    if np.ma.isMaskedArray(value):
        raise TypeError(
            f"{name} is a masked array: expected plain numbers; fill or drop the masked ones first"
        )
    array: Array = np.asarray(value)
    if array.dtype.kind not in "iuf":
        raise TypeError(
            f"{name} has dtype {array.dtype}: expected real numbers; convert it with .astype(float)"
        )
    if array.ndim == 2 and array.shape[1 - axis] == 1:
        array = array.reshape(-1)
    elif array.ndim > 1:
        thin = "(rows, 1)" if axis == 0 else "(1, columns)"
        raise ShapeError(f"{name} has shape {array.shape}: expected a number, one dimension, or {thin}")
    return np.ascontiguousarray(array.reshape(-1), dtype=dtype)


def _wanted(law: str, given: dict[str, object]) -> tuple[str, ...]:
    if law in FRACTION_LAWS:
        if ("p" in given) == ("serial" in given):
            raise TypeError(
                f"the law {law!r} takes either p, the parallel fraction, or serial, the serial one"
            )
        fraction = "p" if "p" in given else "serial"
        return (fraction, "growth") if law == "sun_ni" else (fraction,)
    if law in USL_LAWS:
        return ("sigma", "kappa")
    return ("serial", "compute", "latency", "transfer")


def named_arguments(law: str, arguments: dict[str, object]) -> dict[str, object]:
    """Return the arguments that `law` takes, or say which are missing or too many."""
    if law not in LAWS:
        raise ChoiceError(f"law is {law!r}: expected one of {', '.join(LAWS)}")
    given = {name: value for name, value in arguments.items() if value is not None}
    if law in STEP_LAWS:
        given.setdefault("serial", 0.0)
    wanted = _wanted(law, given)
    missing = [name for name in wanted if name not in given]
    extra = [name for name in given if name not in wanted]
    if missing or extra:
        parts = [
            f"{' and '.join(names)} {word}"
            for names, word in ((missing, "missing"), (extra, "not used"))
            if names
        ]
        raise TypeError(f"the law {law!r} takes {', '.join(wanted)}: {'; '.join(parts)}")
    return {name: given[name] for name in wanted}


def growth_column(growth: object, n: Array) -> Array:
    """Return the work that fits on n workers: a power of n, a function of n, or the values themselves."""
    if callable(growth):
        return vector("growth(n)", growth(n), n.dtype, 1)
    array = vector("growth", growth, n.dtype, 1)
    if np.ndim(growth) == 0:  # type: ignore[arg-type]
        column: Array = np.power(n, array[0])
        return column
    return array


def height_column(n: Array) -> Array:
    """Return the height of a binary tree over n ranks, ceil(log2(n)), exactly also next to powers of two."""
    mantissa, exponent = np.frexp(n)
    return np.where(mantissa == 0.5, exponent - 1, exponent).astype(n.dtype)


Term: TypeAlias = tuple[object, object]


def own_terms(terms: Sequence[Term], n: Array, quantity: str) -> tuple[list[Array], tuple[Array, ...]]:
    """Return coefficients and columns of a law given as terms: numerator, no lead, one column a term."""
    if not 1 <= len(terms) <= 4:
        raise ShapeError(f"law has {len(terms)} terms: expected 1 to 4 pairs (coefficient, column)")
    coefficients = [vector(f"coefficient {k + 1}", term[0], n.dtype, 0) for k, term in enumerate(terms)]
    columns = [_column(f"column {k + 1}", term[1], n) for k, term in enumerate(terms)]
    numerator = 1 / n if quantity == "efficiency" else np.ones_like(n)
    return coefficients, (numerator, np.zeros_like(n), *columns)


def _column(name: str, value: object, n: Array) -> Array:
    array = vector(name, value(n) if callable(value) else value, n.dtype, 1)
    if len(array) == 1:
        return np.full_like(n, array[0])
    if len(array) != len(n):
        raise ShapeError(f"{name} has length {len(array)}: expected the length of n, {len(n)}")
    return array


def prepare(
    law: str | Sequence[Term],
    arguments: dict[str, object],
    n: object,
    *,
    quantity: str,
    scaling: str,
    scale: object,
    dtype: npt.DTypeLike,
) -> Prepared:
    """Check the arguments of a grid and bring them into the form the core takes."""
    kind = np.dtype(dtype)
    if kind not in (np.dtype(np.float64), np.dtype(np.float32)):
        raise TypeError(f"dtype is {kind}: expected float64 or float32")
    if quantity not in QUANTITIES:
        raise ChoiceError(f"quantity is {quantity!r}: expected one of {', '.join(QUANTITIES)}")
    if scaling not in ("strong", "weak"):
        raise ChoiceError(f"scaling is {scaling!r}: expected 'strong' or 'weak'")
    if scale is not None and quantity not in ("time", "throughput"):
        raise TypeError(f"scale is for time and throughput: {quantity} has none")
    workers = vector("n", n, kind, 1)
    rates = None if scale is None else vector("scale", scale, kind, 0)
    if not isinstance(law, str):
        return _prepare_terms(law, arguments, workers, rates, quantity)
    named = named_arguments(law, arguments)
    growth = named.pop("growth", None)
    if growth is not None or law in ("usl_log", "tree"):
        _check_workers(workers)
    columns: tuple[Array, ...] = ()
    if growth is not None:
        columns = (growth_column(growth, workers),)
        if len(columns[0]) != len(workers):
            raise ShapeError(f"growth has length {len(columns[0])}: expected the length of n, {len(workers)}")
    elif law == "usl_log":
        columns = (np.log2(workers),)
    elif law == "tree":
        columns = (height_column(workers),)
    name = f"{law}_weak" if law in STEP_LAWS and scaling == "weak" else law
    return Prepared(
        kind=(name, quantity, law in FRACTION_LAWS and "serial" in named),
        parameters=tuple(vector(key, value, kind, 0) for key, value in named.items()),
        scale=rates,
        n=workers,
        columns=columns,
    )


def _prepare_terms(
    law: Sequence[Term], arguments: dict[str, object], n: Array, scale: Array | None, quantity: str
) -> Prepared:
    extra = [name for name, value in arguments.items() if value is not None]
    if extra:
        raise TypeError(f"{extra[0]} is given: a law of terms takes n, scale and nothing else")
    if quantity == "karp_flatt":
        raise ChoiceError(
            "quantity is 'karp_flatt': a law of terms has speedup, efficiency, time and throughput"
        )
    _check_workers(n)
    coefficients, columns = own_terms(law, n, quantity)
    named = "speedup" if quantity == "efficiency" else quantity
    return Prepared(("terms", named, False), tuple(coefficients), scale, n, columns)


def _check_workers(n: Array) -> None:
    bad = ~(np.isfinite(n) & (n >= 1))
    if bad.any():
        first = int(np.argmax(bad))
        raise DomainError(f"n[{first}] is {n[first]}: expected a finite worker count of at least 1")
