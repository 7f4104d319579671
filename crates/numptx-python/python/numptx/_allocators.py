"""`set_allocator`: where device memory comes from."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from . import _native

if TYPE_CHECKING:
    from .typing import Allocator


class _Handle:
    """A stream as libraries take each other's."""

    def __init__(self, handle: int) -> None:
        self._handle = handle

    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, self._handle


class _Torch:
    """PyTorch's caching allocator."""

    def __init__(self) -> None:
        self._cuda = importlib.import_module("torch").cuda

    def allocate(self, nbytes: int, device: int, stream: int) -> int:
        pointer: int = self._cuda.caching_allocator_alloc(nbytes, device, stream)
        return pointer

    def deallocate(self, pointer: int, nbytes: int, device: int, stream: int) -> None:
        self._cuda.caching_allocator_delete(pointer)


class _CuPy:
    """CuPy's current allocator: its pool, unless the program has set another one. Memory is an object there, which is kept as long as it is in use."""

    def __init__(self) -> None:
        self._cuda = importlib.import_module("cupy").cuda
        self._memory: dict[int, Any] = {}

    def allocate(self, nbytes: int, device: int, stream: int) -> int:
        with self._cuda.Device(device), self._stream_of(stream):
            memory = self._cuda.alloc(nbytes)
        pointer: int = memory.ptr
        self._memory[pointer] = memory
        return pointer

    def deallocate(self, pointer: int, nbytes: int, device: int, stream: int) -> None:
        del self._memory[pointer]

    def _stream_of(self, handle: int) -> Any:
        if not handle:
            return self._cuda.Stream.null
        # CuPy 14 warns of the class that versions before it have for this.
        from_external = getattr(self._cuda.Stream, "from_external", None)
        return from_external(_Handle(handle)) if from_external else self._cuda.ExternalStream(handle)


class _RMM:
    """RMM's current resource of each device. Memory goes back to the resource that it came from."""

    def __init__(self) -> None:
        self._resource_of = importlib.import_module("rmm.mr").get_per_device_resource
        self._stream = importlib.import_module("rmm.pylibrmm.stream").Stream
        self._resources: dict[int, Any] = {}

    def allocate(self, nbytes: int, device: int, stream: int) -> int:
        resource = self._resource_of(device)
        pointer: int = resource.allocate(nbytes, self._stream_of(stream))
        self._resources[pointer] = resource
        return pointer

    def deallocate(self, pointer: int, nbytes: int, device: int, stream: int) -> None:
        self._resources.pop(pointer).deallocate(pointer, nbytes, self._stream_of(stream))

    def _stream_of(self, handle: int) -> Any:
        return self._stream(_Handle(handle)) if handle else self._stream()


_READY: dict[str, Callable[[], Allocator]] = {"torch": _Torch, "cupy": _CuPy, "rmm": _RMM}


def set_allocator(allocator: str | Allocator | None) -> None:
    """Where memory on GPUs comes from, from now on and on all of them.

    allocator: "torch" (PyTorch's caching allocator), "cupy" (CuPy's current allocator, its pool by default), "rmm" (RMM's current resource of each
    device), `None` (the devices' own pools, as at first), or an object with two methods:

    * `allocate(nbytes, device, stream)` returns the address of at least so many bytes, a multiple of 256, which may be used in the order of the stream;
    * `deallocate(pointer, nbytes, device, stream)` takes it back: what the stream is given from then on may use it.

    `device` is the GPU's number, and `stream` the driver's handle, 0 for the default stream. Both methods may be called on any thread, with the
    interpreter's lock and no lock of numptx's. What `allocate` raises becomes the cause of a `MemoryError`, after memory was given back and the call
    was tried again. Memory goes back to the allocator that gave it, whichever is chosen by then; small blocks that streams keep for the next result go
    back when another allocator is chosen, with `numptx.trim()` and when memory is short. At exit memory is left to the driver.
    """
    if allocator is None:
        return _native.set_allocator(None, None)
    if isinstance(allocator, str):
        if allocator not in _READY:
            raise ValueError(f"an allocator is 'torch', 'cupy', 'rmm', None or an object; found {allocator!r}")
        allocator = _READY[allocator]()
    methods = [getattr(allocator, name, None) for name in ("allocate", "deallocate")]
    if not all(map(callable, methods)):
        raise TypeError(f"an allocator has the methods allocate(nbytes, device, stream) and deallocate(pointer, nbytes, device, stream); found {allocator!r}")
    return _native.set_allocator(*methods)
