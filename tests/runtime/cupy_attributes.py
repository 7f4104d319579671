"""A stand-in for CuPy as calls see it: arrays with `data`, `shape`, `strides` and `dtype`, and the parts that arrays are made of.

Its arrays have no other protocol than `__cuda_array_interface__`, and count how often that is asked for. With CuPy and a GPU, CuPy itself.
"""

import importlib.util
import types

import numpy as np

import numptx
from cuda_driver import IS_MOCK

IS_REAL = not IS_MOCK and importlib.util.find_spec("cupy") is not None


class UnownedMemory:
    def __init__(self, ptr, size, owner, device_id=-1):
        assert device_id >= 0, "CuPy would ask the driver"
        self.ptr, self.size, self.owner, self.device_id = ptr, size, owner, device_id


class MemoryPointer:
    def __init__(self, mem, offset):
        self.mem, self.ptr, self.device_id = mem, mem.ptr + offset, mem.device_id

    def __add__(self, offset):
        return MemoryPointer(self.mem, self.ptr - self.mem.ptr + offset)


class ExternalStream:
    """CuPy's name for a stream of which it has the handle alone."""

    def __init__(self, ptr):
        self.ptr = ptr


def make_cupy(stream=1):
    """The stand-in; its current stream has the handle `stream`, or is that object."""
    asked = {"protocol": 0, "stream": 0}

    class ndarray:
        data = property(lambda self: self.pointer)
        shape = property(lambda self: self.extents)
        strides = property(lambda self: self.steps)
        dtype = property(lambda self: self.kind)

        def __new__(cls, shape, dtype, memptr, strides=None):
            self = object.__new__(cls)
            self.extents, self.kind, self.pointer = shape, np.dtype(dtype), memptr
            self.steps = np.empty(shape, dtype).strides if strides is None else strides
            return self

        @property
        def __cuda_array_interface__(self):
            asked["protocol"] += 1
            return {"shape": self.shape, "strides": self.strides, "typestr": self.dtype.str, "data": (self.data.ptr, False), "version": 2}

    def get_current_stream(device):
        asked["stream"] += 1
        return types.SimpleNamespace(ptr=stream) if isinstance(stream, int) else stream

    library = types.ModuleType("cupy")
    ndarray.__module__ = "cupy"
    library.ndarray, library.asked = ndarray, asked
    library.cuda = types.SimpleNamespace(UnownedMemory=UnownedMemory, MemoryPointer=MemoryPointer, get_current_stream=get_current_stream, ExternalStream=ExternalStream)
    return library


def array_of(library, host):
    """An array of the stand-in over device memory of numptx's."""
    memory = numptx.asarray(np.ascontiguousarray(host), device="cuda")
    first = memory.__cuda_array_interface__["data"][0]
    pointer = MemoryPointer(UnownedMemory(first, memory.nbytes, memory, 0), 0)
    return library.ndarray(memory.shape, memory.dtype, pointer)


def elements(array):
    """On the host."""
    return numptx.asarray(array).to_host()
