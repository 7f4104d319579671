"""numptx: calls of modules that `numptx compile` made, and arrays on the devices that they run on.

A compiled module needs no import of this package in user code; it finds it itself. What is here is for choosing the
device and for keeping arrays there:

    x = numptx.asarray(host_array, device="cuda")
    y = kernels.f(x)                  # computed where x lives, stays there
    y.to_host()                       # a NumPy array
    y.close()                         # gives its memory back now; so does the end of `with array:`

    with numptx.device("cpu"): ...    # as the variable NUMPTX_DEVICE=auto|cpu|cuda, for the calls inside
    with numptx.Stream(): ...         # the calls inside run on a stream of their own
    with numptx.Graph() as g: ...     # the calls inside are recorded; g.replay() runs them in one launch
    with g.update(): ...              # the same graph with the arrays and numbers of the calls inside

    a = numptx.zeros((3, 4), "float32", device="cuda")     # ones, full, empty
    a[1:] = 2; a[0] = row             # NumPy's assignment; a.reshape(12), a.astype(int), a.copy()

    numptx.empty(n, pinned=True)      # page-locked memory of the host, from which a GPU copies while the program goes on
    numptx.set_allocator("torch")     # GPU memory from PyTorch's caching allocator, CuPy's pool, RMM, or an object

    kernels.ptx, kernels.cubins, kernels.kernels, numptx.link(kernels, other, arch="sm_90")     # device code, without a GPU
"""

import atexit as _atexit

from . import _native
from ._allocators import set_allocator
from ._arrays import asarray, empty, full, ones, zeros
from ._devices import device
from ._images import Cubin, Kernel
from ._linking import link
from ._modules import StaleWarning
from ._native import (
    Array,
    CudaError,
    CudaWarning,
    Event,
    Graph,
    Stream,
    __version__,
    current_stream,
    devices,
    last_device,
    memory_stats,
    preload,
    reset_peak_memory,
    set_memory_limit,
    synchronize,
    thread_count,
    trim,
)

__all__ = [
    "Array",
    "Cubin",
    "CudaError",
    "CudaWarning",
    "Event",
    "Graph",
    "Kernel",
    "StaleWarning",
    "Stream",
    "__version__",
    "asarray",
    "current_stream",
    "device",
    "devices",
    "empty",
    "full",
    "last_device",
    "link",
    "memory_stats",
    "ones",
    "prange",
    "preload",
    "reset_peak_memory",
    "set_allocator",
    "set_memory_limit",
    "synchronize",
    "thread_count",
    "trim",
    "zeros",
]

# In compiled code: a `range` whose iterations are independent, so that a `for` over it runs in parallel. In Python it is `range`.
prange = range

# While the interpreter is whole: wait for the work, then leave resources alone.
_atexit.register(_native.shutdown)
