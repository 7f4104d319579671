"""`asarray`: anything array-like as a `numptx.Array`, without a copy where that is possible."""

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


def restored(elements, place, read_only):
    """What a pickled `numptx.Array` becomes: where it was, or on the host if there is no such device here."""
    is_there = place == "cpu" or place in _native.devices()
    array = asarray(elements, device=place if is_there else "cpu")
    return _native.read_only(array) if read_only else array
