"""The general path of the laws: broadcast with NumPy, then call the compiled function on flat arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from scalewall import _core
from scalewall._errors import DomainError, ShapeError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt


def evaluate(
    function: str,
    names: Sequence[str],
    values: Sequence[object],
    out: npt.NDArray[np.float64] | None,
    options: Mapping[str, object],
) -> float | npt.NDArray[np.float64]:
    """Evaluate a compiled law for arguments that are not plain numbers or plain arrays.

    Parameters
    ----------
    function : str
        Name of the function in `scalewall._core`, which called this one.
    names, values : sequence
        The arguments as the caller named and gave them.
    out : ndarray of float64 or None
        Where the result goes.
    options : mapping
        Keyword arguments that do not broadcast.

    Returns
    -------
    float or ndarray of float64
        A float where all arguments are 0-d and `out` is None.
    """
    arrays = [_as_float64(name, value) for name, value in zip(names, values, strict=True)]
    shape = _broadcast_shape(names, arrays)
    if out is not None:
        _check_out(out, shape)
    flat: dict[str, Any] = {
        name: _flat(array, shape) if array.ndim else float(array)
        for name, array in zip(names, arrays, strict=True)
    }
    kernel = getattr(_core, function)
    try:
        if shape == () and out is None:
            scalar: float = kernel(**flat, **options)
            return scalar
        result = np.full(1, kernel(**flat, **options)) if shape == () else kernel(**flat, **options)
    except DomainError as error:
        raise _relocated(error, dict(zip(names, arrays, strict=True)), shape) from None
    shaped: npt.NDArray[np.float64] = result.reshape(shape)
    if out is None:
        return shaped
    np.copyto(out, shaped)
    return out


def _broadcast_shape(names: Sequence[str], arrays: Sequence[npt.NDArray[np.float64]]) -> tuple[int, ...]:
    shapes = {array.shape for array in arrays if array.ndim}
    if len(shapes) < 2:
        return shapes.pop() if shapes else ()
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        given = ", ".join(f"{name} {array.shape}" for name, array in zip(names, arrays, strict=True))
        msg = f"{given}: the shapes do not broadcast; make them equal, or insert axes of length 1"
        raise ShapeError(msg) from None


def _flat(array: npt.NDArray[np.float64], shape: tuple[int, ...]) -> npt.NDArray[np.float64]:
    """Lay an argument out as the compiled function reads it: contiguous, aligned, one axis."""
    whole = array if array.shape == shape else np.broadcast_to(array, shape)
    return np.require(whole, requirements=["C", "A"]).reshape(-1)


def _as_float64(name: str, value: object) -> npt.NDArray[np.float64]:
    if isinstance(value, np.ma.MaskedArray):
        msg = f"{name} is a masked array: a law has no masked values; pass {name}.compressed() or fill it"
        raise TypeError(msg)
    try:
        array = np.asarray(value)
    except ValueError as error:
        msg = f"{name} is not a regular array of numbers: {error}"
        raise TypeError(msg) from None
    # An empty list is float64 by NumPy's rule, so kinds "iuf" are all that real numbers come as.
    if array.dtype.kind not in "iuf":
        msg = f"{name} is {type(value).__name__} of dtype {array.dtype}: expected real numbers"
        raise TypeError(msg)
    return array.astype(np.float64, copy=False)


def _check_out(out: object, shape: tuple[int, ...]) -> None:
    if not isinstance(out, np.ndarray) or out.dtype.type is not np.float64:
        kind = f"an array of {out.dtype}" if isinstance(out, np.ndarray) else type(out).__name__
        msg = f"out is {kind}: expected an ndarray of float64"
        raise TypeError(msg)
    if out.shape != shape:
        msg = f"out has shape {out.shape}: expected {shape}, the broadcast shape of the arguments"
        raise ShapeError(msg)
    if not out.flags.writeable:
        msg = "out is read-only: expected an array that can be written"
        raise ValueError(msg)


def _relocated(
    error: DomainError, arrays: Mapping[str, npt.NDArray[np.float64]], shape: tuple[int, ...]
) -> DomainError:
    """Give the error the index in the argument as the caller shaped it."""
    name = error.argument
    if name is None or not isinstance(error.index, int):
        return error
    argument = arrays[name]
    place = np.unravel_index(error.index, shape)[len(shape) - argument.ndim :]
    index = tuple(int(i) if length > 1 else 0 for i, length in zip(place, argument.shape, strict=True))
    where = ", ".join(map(str, index))
    message = f"{name}[{where}] is {error.value!r}: expected {error.allowed}"
    return DomainError(message, name, index[0] if len(index) == 1 else index, error.value, error.allowed)
