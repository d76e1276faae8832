"""Dask arrays in, Dask arrays out: one core call a chunk."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from scalewall import _core
from scalewall._errors import ShapeError
from scalewall._grids import named_arguments, prepare


def surface(  # noqa: PLR0917 - called in one place, with the groups of the public function
    law: str,
    arguments: dict[str, object],
    n: object,
    scale: object,
    options: dict[str, Any],
    how: tuple[Any, ...],
) -> Any:
    """Return the grid as a Dask array with the chunks of its inputs."""
    da: Any = importlib.import_module("dask.array")  # an optional library, loaded only here

    named = named_arguments(law, arguments)
    growth = named.pop("growth", None)
    rows = {**named, "scale": scale}
    lazy: list[Any] = []
    order: list[str] = []
    constants: dict[str, object] = {}
    for name, value in rows.items():
        if value is None or np.ndim(value) == 0:  # type: ignore[arg-type]
            constants[name] = value
        else:
            lazy += [_flat(da, name, value, 0), "i"]
            order.append(name)
    if not order:
        # A grid has a row axis even where every parameter is a number.
        first = next(iter(named))
        lazy += [_flat(da, first, np.reshape(constants.pop(first), 1), 0), "i"]  # type: ignore[call-overload]
        order.append(first)
    lazy += [_flat(da, "n", np.reshape(n, 1) if np.ndim(n) == 0 else n, 1), "j"]  # type: ignore[arg-type, call-overload]
    order.append("n")
    if growth is not None and not callable(growth) and np.ndim(growth) > 0:  # type: ignore[arg-type]
        lazy += [_flat(da, "growth", growth, 1), "j"]
        order.append("growth")
    elif growth is not None:
        constants["growth"] = growth
    dtype = np.dtype(options["dtype"])

    def chunk(*blocks: Any) -> Any:
        values = {**constants, **dict(zip(order, blocks, strict=True))}
        workers, factor = values.pop("n"), values.pop("scale")
        grid = prepare(law, values, workers, scale=factor, **options)
        return _core.surfaces_evaluate(grid.core, how, None, None)

    return da.blockwise(chunk, "ij", *lazy, dtype=dtype, concatenate=True, meta=np.empty((0, 0), dtype=dtype))


def _flat(da: Any, name: str, value: object, axis: int) -> Any:
    array = da.asarray(value)
    if array.ndim == 2 and array.shape[1 - axis] == 1:
        return array[:, 0] if axis == 0 else array[0]
    if array.ndim != 1:
        thin = "(rows, 1)" if axis == 0 else "(1, columns)"
        raise ShapeError(f"{name} has shape {array.shape}: expected a number, one dimension, or {thin}")
    return array
