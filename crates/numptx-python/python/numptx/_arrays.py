"""`asarray`: anything array-like as a `numptx.Array`, without a copy where that is possible; `empty`, `zeros`, `ones`, `full`: fresh arrays."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _native

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike

    from ._native import Array
    from .typing import ArrayProducer, Device, ShapeLike


def asarray(x: ArrayLike | ArrayProducer, device: Device | None = None) -> Array:
    """`x` as a `numptx.Array`.

    Arrays of CuPy, PyTorch, JAX and Numba, NumPy arrays and `numptx.Array` itself share their memory with the result,
    unless `device` names another place than theirs: then the elements are copied. Lists and numbers go through
    `numpy.asarray`. What may not be written there may not be written here: `copy.copy` of the result may.

    device: "cpu", "cuda", "cuda:1" or 1. None: where `x` lives; host data goes to the GPU if one was chosen
    by `numptx.device` or `NUMPTX_DEVICE`.

    As a context manager, `with numptx.asarray(x) as a:`, it gives its memory back, or lets go of `x`, when the block ends. A `numptx.Array` that is
    there already comes back itself, and would be closed.

    Raises `TypeError` for a dtype that numptx does not know and for masked and sparse arrays, `numptx.CudaError` for a GPU that is not there.
    """
    array = _native.as_array(x)
    from_host = array is None
    if array is None:
        array = _native.as_array(np.asarray(x))
    assert array is not None
    if device is None:
        chosen = _native.get_device()
        wants_gpu = chosen.startswith("cuda") and (from_host or isinstance(x, np.ndarray))
        if not wants_gpu or chosen not in _native.devices():
            return array
        device = chosen
    if device == "auto":
        return array
    return array.to(device)


def empty(shape: ShapeLike, dtype: DTypeLike = float, *, device: Device | None = None, pinned: bool = False) -> Array:
    """A fresh `numptx.Array` in C order; its elements are undefined.

    shape: an extent, or a tuple of them. dtype: anything that `numpy.dtype` takes. device: "cpu", "cuda", "cuda:1" or 1; by default the host.

    pinned: page-locked memory of the host, which every GPU copies from by itself. `array.copy_from(pinned)` on a GPU returns at once; the copy comes in
    its turn on the stream, and what uses the array later comes after it. `numpy.asarray(pinned)` is the same memory as a NumPy array. It, `to_host()`,
    `memoryview` and whatever of numptx's writes to the memory wait for the copies under way; who writes through a NumPy array that was made before
    calls `numpy.asarray` again, or waits for the stream or an event. When the array goes, its memory is freed after the copies.
    """
    extents = shape if isinstance(shape, Iterable) else (shape,)
    dtype = np.dtype(dtype)
    if not dtype.isnative:
        raise TypeError(f"dtype {dtype} is not supported by numptx")
    return _native.empty([operator.index(extent) for extent in extents], dtype.name, device, bool(pinned))


def zeros(shape: ShapeLike, dtype: DTypeLike = float, *, device: Device | None = None, pinned: bool = False) -> Array:
    """A fresh `numptx.Array` of zeros in C order. Arguments are those of `numptx.empty`."""
    return full(shape, 0, dtype, device=device, pinned=pinned)


def ones(shape: ShapeLike, dtype: DTypeLike = float, *, device: Device | None = None, pinned: bool = False) -> Array:
    """A fresh `numptx.Array` of ones in C order. Arguments are those of `numptx.empty`."""
    return full(shape, 1, dtype, device=device, pinned=pinned)


def full(
    shape: ShapeLike,
    fill_value: ArrayLike | ArrayProducer,
    dtype: DTypeLike | None = None,
    *,
    device: Device | None = None,
    pinned: bool = False,
) -> Array:
    """A fresh `numptx.Array` in C order whose elements are `fill_value`, which may be an array that is broadcast.

    dtype: by default that of `fill_value`, as in NumPy. The other arguments are those of `numptx.empty`. On a GPU a number is written once and
    doubled there.
    """
    if dtype is None:
        given = _native.as_array(fill_value)
        dtype = np.asarray(fill_value).dtype if given is None else given.dtype
    array = empty(shape, dtype, device=device, pinned=pinned)
    array[...] = fill_value
    return array


def restored(elements: np.ndarray[Any, Any], place: str, read_only: bool) -> Array:
    """What a pickled `numptx.Array` becomes: where it was, or on the host if there is no such device here."""
    is_there = place == "cpu" or place in _native.devices()
    array = asarray(elements, device=place if is_there else "cpu")
    return _native.read_only(array) if read_only else array
