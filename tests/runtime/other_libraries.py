"""Arrays of other libraries: of CuPy and PyTorch where they are installed, of stand-ins for them where they are not.

A stand-in is a module of the library's name with an array class that speaks DLPack and `__cuda_array_interface__`, over memory on the host,
on a GPU or on the mock driver. `numptx` goes the same ways with it as with the library.
"""

import importlib
import importlib.util
import sys
import types
import weakref

import numpy as np

import numptx
from cuda_driver import IS_MOCK


def make_library(name):
    """A module that looks like the library, as far as numptx looks."""

    class ndarray:
        """Memory of this library: an array of numptx's that nobody else sees."""

        def __init__(self, memory):
            self.memory = memory

        def __dlpack__(self, **options):
            return self.memory.__dlpack__(**options)

        def __dlpack_device__(self):
            return self.memory.__dlpack_device__()

        @property
        def __cuda_array_interface__(self):
            return self.memory.__cuda_array_interface__

    library = types.ModuleType(name)
    ndarray.__module__ = name
    library.ndarray = ndarray
    # The capsule is taken over, as any consumer does it.
    library.from_dlpack = lambda exporter: ndarray(numptx.asarray(Exporter(exporter)))
    return library


class Exporter:
    """An array of an unknown library that speaks DLPack; its deleter runs when the last user is gone."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class InterfaceOnly:
    """An array of an unknown library that has only `__cuda_array_interface__`."""

    def __init__(self, memory, read_only=False):
        self.memory = memory
        interface = memory.__cuda_array_interface__
        self.__cuda_array_interface__ = {**interface, "data": (interface["data"][0], read_only)}


class Family:
    """How a test makes and reads arrays of one library."""

    def __init__(self, name, place):
        self.name, self.place, self.made = name, place, []
        # Real arrays live on a GPU, of which the mock driver knows nothing.
        self.is_real = name in ("cupy", "torch") and place == "cuda" and not IS_MOCK and importlib.util.find_spec(name) is not None
        self.library = importlib.import_module(name) if self.is_real else make_library(name)

    def __repr__(self):
        return f"{self.name}{'' if self.is_real else ' stand-in'} on {self.place}"

    def __enter__(self):
        """While the block runs, `import cupy` finds the stand-in."""
        if self.name in ("cupy", "torch") and not self.is_real:
            self.before = sys.modules.get(self.name)
            sys.modules[self.name] = self.library
        return self

    def __exit__(self, *_):
        if self.name in ("cupy", "torch") and not self.is_real:
            del sys.modules[self.name]
            if self.before is not None:
                sys.modules[self.name] = self.before

    def make(self, host):
        """A new array of the library with these elements, in memory of its own."""
        if self.is_real:
            return self.library.asarray(host) if self.name == "cupy" else self.library.from_numpy(host.copy()).cuda()
        owner = host.copy()
        self.made.append(weakref.ref(owner))
        memory = numptx.asarray(owner, device="cuda" if self.place == "cuda" else None)
        if self.name == "numptx":
            return memory
        return InterfaceOnly(memory) if self.name == "interface" else self.library.ndarray(memory)

    @property
    def kind(self):
        """The type that results have."""
        if self.name in ("numptx", "interface"):
            return numptx.Array
        return self.library.Tensor if self.is_real and self.name == "torch" else self.library.ndarray

    def view(self, array):
        """`(address, shape, strides in bytes)`."""
        if self.is_real and self.name == "torch":
            return array.data_ptr(), tuple(array.shape), tuple(s * array.element_size() for s in array.stride())
        if self.is_real:
            return array.data.ptr, array.shape, array.strides
        memory = array if isinstance(array, numptx.Array) else array.memory
        if memory.device == "cpu":
            return memory.to_host().__array_interface__["data"][0], memory.shape, memory.strides
        return memory.__cuda_array_interface__["data"][0], memory.shape, memory.strides

    def elements(self, array):
        """As a NumPy array on the host."""
        return np.array(numptx.asarray(array).to_host())

    def used(self):
        """What the library's allocator has given out, or how much of its stand-in's memory is alive."""
        if self.is_real and self.name == "torch":
            return self.library.cuda.memory_allocated()
        if self.is_real:
            return self.library.get_default_memory_pool().used_bytes()
        if self.place == "cuda":
            return numptx.memory_stats("cuda")["live_bytes"]
        return sum(memory() is not None for memory in self.made)


def families(device):
    """Every library with arrays on the host, and for the device "cuda" those with arrays there."""
    found = [Family(name, "cpu") for name in ("numptx", "torch")]
    if device == "cuda":
        found += [Family(name, "cuda") for name in ("numptx", "torch", "cupy", "interface")]
    return found
