"""`asarray`: anything array-like as a `numptx.Array`, without a copy where that is possible; `empty`: fresh arrays."""

import operator

import numpy as np

from . import _native


def asarray(x, device=None):
    """`x` as a `numptx.Array`.

    Arrays of CuPy, PyTorch, JAX and Numba, NumPy arrays and `numptx.Array` itself share their memory with the result,
    unless `device` names another place than theirs: then the elements are copied. Lists and numbers go through
    `numpy.asarray`.

    device: "cpu", "cuda", "cuda:1" or 1. None: where `x` lives; host data goes to the GPU if one was chosen
    by `numptx.device` or `NUMPTX_DEVICE`.

    As a context manager, `with numptx.asarray(x) as a:`, it gives its memory back, or lets go of `x`, when the block ends. A `numptx.Array` that is
    there already comes back itself, and would be closed.

    Raises `TypeError` for a dtype that numptx does not know, `numptx.CudaError` for a GPU that is not there.
    """
    array = _native.as_array(x)
    from_host = array is None
    if from_host:
        array = _native.as_array(np.asarray(x))
    if device is None:
        chosen = _native.get_device()
        wants_gpu = chosen.startswith("cuda") and (from_host or isinstance(x, np.ndarray))
        if not wants_gpu or chosen not in _native.devices():
            return array
        device = chosen
    if device == "auto":
        return array
    return array.to(device)


def empty(shape, dtype=float, *, device=None, pinned=False):
    """A fresh `numptx.Array` in C order; its elements are undefined.

    shape: an extent, or a tuple of them. dtype: anything that `numpy.dtype` takes. device: "cpu", "cuda", "cuda:1" or 1; by default the host.

    pinned: page-locked memory of the host, which every GPU copies from by itself. `array.copy_from(pinned)` on a GPU returns at once; the copy comes in
    its turn on the stream, and what uses the array later comes after it. `numpy.asarray(pinned)` is the same memory as a NumPy array. It, `to_host()`,
    `memoryview` and whatever of numptx's writes to the memory wait for the copies under way; who writes through a NumPy array that was made before
    calls `numpy.asarray` again, or waits for the stream or an event. When the array goes, its memory is freed after the copies.
    """
    extents = tuple(shape) if hasattr(shape, "__iter__") else (shape,)
    dtype = np.dtype(dtype)
    if not dtype.isnative:
        raise TypeError(f"dtype {dtype} is not supported by numptx")
    return _native.empty([operator.index(extent) for extent in extents], dtype.name, device, bool(pinned))


def restored(elements, place, read_only):
    """What a pickled `numptx.Array` becomes: where it was, or on the host if there is no such device here."""
    is_there = place == "cpu" or place in _native.devices()
    array = asarray(elements, device=place if is_there else "cpu")
    return _native.read_only(array) if read_only else array
