"""The general path of the laws: broadcast with NumPy, then call the compiled function on flat arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

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
    arguments = {name: _real(name, value) for name, value in zip(names, values, strict=True)}
    shape = _broadcast_shape(arguments)
    if out is not None:
        _check_out(out, shape)
    flat: dict[str, Any] = {
        name: _flat(argument, shape) if isinstance(argument, np.ndarray) else argument
        for name, argument in arguments.items()
    }
    try:
        result: float | npt.NDArray[np.float64] = getattr(_core, function)(**flat, **options)
    except DomainError as error:
        raise _relocated(error, arguments, shape) from None
    if isinstance(result, np.ndarray) and result.shape != shape:
        result = result.reshape(shape)
    if out is None:
        return result
    # Last, so that `out` may share memory with an argument.
    out[...] = result
    return out


def _broadcast_shape(arguments: Mapping[str, float | npt.NDArray[np.float64]]) -> tuple[int, ...]:
    shapes = {argument.shape for argument in arguments.values() if isinstance(argument, np.ndarray)}
    if len(shapes) < 2:
        return shapes.pop() if shapes else ()
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        given = ", ".join(f"{name} {np.shape(argument)}" for name, argument in arguments.items())
        msg = f"{given}: the shapes do not broadcast; make them equal, or insert axes of length 1"
        raise ShapeError(msg) from None


def _flat(array: npt.NDArray[np.float64], shape: tuple[int, ...]) -> npt.NDArray[np.float64]:
    """Lay an argument out as the compiled function reads it: contiguous, one axis."""
    whole = array if array.shape == shape else np.broadcast_to(array, shape)
    return np.ascontiguousarray(whole).reshape(-1)


def _real(name: str, value: object) -> float | npt.NDArray[np.float64]:
    """Take a number as it is, and anything else as an array of float64 of our own, with axes."""
    if type(value) in {float, int}:
        return cast("float", value)
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
    if not array.ndim:
        return float(array)
    array = array.astype(np.float64, copy=False)
    # Memory that another thread may be filling at this moment would be refused, and come back here.
    return array.copy() if array is value or array.base is not None else array


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
    error: DomainError, arguments: Mapping[str, float | npt.NDArray[np.float64]], shape: tuple[int, ...]
) -> DomainError:
    """Give the error the index in the argument as the caller shaped it."""
    name = error.argument
    if name is None or not isinstance(error.index, int):
        return error
    argument = np.asarray(arguments[name])
    place = np.unravel_index(error.index, shape)[len(shape) - argument.ndim :]
    index = tuple(int(i) if length > 1 else 0 for i, length in zip(place, argument.shape, strict=True))
    where = ", ".join(map(str, index))
    message = f"{name}[{where}] is {error.value!r}: expected {error.allowed}"
    return DomainError(message, name, index[0] if len(index) == 1 else index, error.value, error.allowed)
