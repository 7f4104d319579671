"""Producers of arrays that may not be written, and of arrays that may, each by one way in which a library says it.

A producer is made of elements and a place; `memory_of` is what its array lies in, which tests look at afterwards.
"""

import ctypes
import sys
import tempfile
import types

import numpy as np

import numptx
from dlpack_exchange import Library, Managed, managed
from other_libraries import InterfaceOnly


def class_of(module, **members):
    """A type of arrays over `memory` that says it comes from a module."""
    made = type("ndarray", (), {"__init__": lambda self, memory: setattr(self, "memory", memory), **members})
    made.__module__ = module
    return made


def device_of(self):
    return self.memory.__dlpack_device__()


def versioned(self, *, max_version=None, **options):
    """A capsule that says whether its memory may be written."""
    assert max_version is not None and max_version >= (1, 0), "the standard's consumers ask for a version"
    return self.memory.__dlpack__(max_version=max_version, **options)


def unversioned(self, *, max_version=None, **options):
    """A capsule that cannot say it, as of libraries that take the standard's arguments and know no newer one."""
    return self.memory.__dlpack__(**options)


def of_old(self, stream=None):
    """The protocol of before `max_version`."""
    return self.memory.__dlpack__(stream=stream)


def producer(module, export):
    return class_of(module, __dlpack__=export, __dlpack_device__=device_of)


Flagged = producer("somebody.arrays", versioned)
Unknown = producer("somebody.arrays", unversioned)
Old = producer("somebody.arrays", of_old)
Torch = producer("torch", unversioned)
OldTorch = producer("torch", of_old)
CuPy = producer("cupy", unversioned)
Jax = producer("jaxlib._jax", unversioned)
JaxVersioned = producer("jax._src.array", versioned)


class OwnTensor(Torch):
    """A subclass that a program derives from PyTorch's type."""


class OwnJax(Jax):
    """The same of JAX's."""


def fresh(host, place, read_only=False):
    """Memory of numptx's own with these elements."""
    made = numptx.asarray(host.copy(), device=place)
    return numptx._native.read_only(made) if read_only else made


def by_exchange(name, is_read_only):
    """An array whose type gives up managed tensors in C. Types that were met are remembered, so that there is one of a kind."""

    def make(host, place):
        if (name, is_read_only) not in LIBRARIES:
            LIBRARIES[name, is_read_only] = Library(name, gives_up=True)
        return LIBRARIES[name, is_read_only].ndarray(fresh(host, place, is_read_only))

    return make


LIBRARIES = {}


def locked(host, _):
    array = host.copy()
    array.flags.writeable = False
    return array


def mapped(host, _):
    """A file that is mapped for reading."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(host.tobytes())
        file.flush()
        return np.memmap(file.name, host.dtype, "r", shape=host.shape)


HOST, BOTH, GPU = ["cpu"], ["cpu", "cuda"], ["cuda"]
# How it is made, where, and what the error of a write says of it.
READ_ONLY = {
    "NumPy, writeable=False": (locked, HOST, "a NumPy array with writeable=False"),
    "NumPy, a file mapped for reading": (mapped, HOST, "a NumPy array with writeable=False"),
    "numptx, over such an array": (lambda host, place: numptx.asarray(locked(host, place)), HOST, "a numptx.Array over a NumPy array with writeable=False"),
    "numptx, read-only itself": (lambda host, place: fresh(host, place, True), BOTH, "a read-only numptx.Array"),
    "numptx, over an array of JAX": (lambda host, place: numptx.asarray(Jax(fresh(host, place))), BOTH, "a numptx.Array over an array of JAX, whose arrays are immutable"),
    "a buffer of bytes": (lambda host, _: numptx.asarray(np.frombuffer(host.tobytes(), host.dtype).reshape(host.shape)), HOST, "a numptx.Array over a NumPy array"),
    "a memoryview of bytes": (lambda host, _: numptx.asarray(memoryview(host.tobytes()).cast("d")), HOST, "a numptx.Array over a NumPy array"),
    "a versioned capsule with the flag": (lambda host, place: Flagged(fresh(host, place, True)), BOTH, "an array of type somebody.arrays.ndarray, which is not exported as writable"),
    "a versioned capsule of PyTorch with the flag": (lambda host, place: producer("torch", versioned)(fresh(host, place, True)), BOTH, "an array of type torch.ndarray, which is not exported as writable"),
    "an unversioned capsule of an unknown library": (lambda host, place: Unknown(fresh(host, place)), BOTH, "an array of type somebody.arrays.ndarray, which is not exported as writable"),
    "a library without max_version": (lambda host, place: Old(fresh(host, place)), BOTH, "an array of type somebody.arrays.ndarray, which is not exported as writable"),
    "JAX, unversioned": (lambda host, place: Jax(fresh(host, place)), BOTH, "an array of JAX, whose arrays are immutable"),
    "JAX, versioned without the flag": (lambda host, place: JaxVersioned(fresh(host, place)), BOTH, "an array of JAX, whose arrays are immutable"),
    "a subclass of JAX's type": (lambda host, place: OwnJax(fresh(host, place)), BOTH, "an array of JAX, whose arrays are immutable"),
    "JAX, by the exchange in C": (by_exchange("jax", False), BOTH, "an array of JAX, whose arrays are immutable"),
    "the exchange in C, with the flag": (by_exchange("somebody", True), BOTH, "which is not exported as writable"),
    "a type of PyTorch whose tensors have the flag": (by_exchange("torch", True), BOTH, "which is not exported as writable"),
    "__cuda_array_interface__": (lambda host, place: InterfaceOnly(fresh(host, place), read_only=True), GPU, "which is not exported as writable"),
}
WRITABLE = {
    "NumPy": (lambda host, _: host.copy(), HOST),
    "numptx": (fresh, BOTH),
    "a versioned capsule": (lambda host, place: Flagged(fresh(host, place)), BOTH),
    "PyTorch, unversioned": (lambda host, place: Torch(fresh(host, place)), BOTH),
    "PyTorch, without max_version": (lambda host, place: OldTorch(fresh(host, place)), BOTH),
    "a subclass of PyTorch's type": (lambda host, place: OwnTensor(fresh(host, place)), BOTH),
    "CuPy, unversioned": (lambda host, place: CuPy(fresh(host, place)), BOTH),
    "PyTorch, by the exchange in C": (by_exchange("torch", False), BOTH),
    "the exchange in C": (by_exchange("somebody", False), BOTH),
    "__cuda_array_interface__": (lambda host, place: InterfaceOnly(fresh(host, place)), GPU),
}


def elements(array):
    """On the host, wherever they are."""
    if isinstance(array, np.ndarray):
        return np.array(array)
    memory = array if isinstance(array, numptx.Array) else array.memory
    numptx.synchronize() if memory.device != "cpu" else None
    return np.array(memory.to_host())


def stand_ins(monkeypatch):
    """The libraries as results of calls need them. `jax.dlpack.from_dlpack` asks for no version, as JAX's does: its capsules cannot say that their
    memory may not be written."""
    taken = lambda kind: lambda array: kind(numptx.asarray(OldTorch(array)))
    dlpack = types.ModuleType("jax.dlpack")
    dlpack.from_dlpack = taken(Jax)
    for name, members in {
        "torch": {"from_dlpack": taken(Torch)},
        "cupy": {"from_dlpack": taken(CuPy), "ndarray": None},
        "jax": {"dlpack": dlpack},
        "jax.dlpack": dlpack.__dict__,
    }.items():
        module = types.ModuleType(name)
        vars(module).update(members)
        monkeypatch.setitem(sys.modules, name, module)


def is_flagged(array):
    """Whether an array of ours says to consumers that they may not write, by each protocol that it speaks."""
    stream = {} if array.device == "cpu" else {"stream": 1}
    capsule = array.__dlpack__(max_version=(1, 0), **stream)
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    said = {Managed.from_address(get(capsule, b"dltensor_versioned")).flags & 1}
    there = managed(array)
    said.add(there.contents.flags & 1)
    there.contents.deleter(there)
    if array.device == "cpu":
        said.add(int(memoryview(array).readonly))
        said.add(int(not array.to_host().flags.writeable))
        said.add(int(not np.from_dlpack(array).flags.writeable))
    else:
        said.add(int(array.__cuda_array_interface__["data"][1]))
    assert len(said) == 1, "the protocols disagree"
    return bool(said.pop())
