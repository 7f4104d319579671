"""Types for annotations: what compiled functions, `numptx.asarray` and assignments take.

The stubs that `numptx compile` writes name these. Nothing here is asked for when a program runs.
"""

import enum
import os
from collections.abc import Sequence
from types import ModuleType
from typing import Any, Protocol, SupportsIndex, TypeAlias

from ._native import Array

__all__ = [
    "Allocator",
    "ArrayProducer",
    "Device",
    "DeviceImage",
    "ShapeLike",
    "SupportsCudaArrayInterface",
    "SupportsDLPack",
    "SupportsJaxDLPack",
]

#: A device by name or number: "auto", "cpu", "cuda", "cuda:1", 1.
Device: TypeAlias = str | int
#: An extent, or a sequence of extents.
ShapeLike: TypeAlias = SupportsIndex | Sequence[SupportsIndex]
#: What `numptx.link` takes: a compiled module, a path, PTX as text, bytes.
DeviceImage: TypeAlias = ModuleType | str | os.PathLike[str] | bytes | bytearray | memoryview


class Allocator(Protocol):
    """What `numptx.set_allocator` takes."""

    def allocate(self, nbytes: int, device: int, stream: int, /) -> int: ...

    def deallocate(self, pointer: int, nbytes: int, device: int, stream: int, /) -> object: ...


class SupportsCudaArrayInterface(Protocol):
    """Memory of a GPU by `__cuda_array_interface__`: arrays of CuPy, Numba and PyTorch."""

    @property
    def __cuda_array_interface__(self) -> Any: ...


class SupportsDLPack(Protocol):
    """An array by DLPack, as the array API standard types it. NumPy's own arrays are typed otherwise, so that their dtypes are checked."""

    def __dlpack__(self, *, stream: Any = ...) -> Any: ...

    def __dlpack_device__(self) -> tuple[enum.Enum, int]: ...


class SupportsJaxDLPack(Protocol):
    """An array of JAX: its stub tells of `__dlpack__` without `__dlpack_device__`."""

    def __dlpack__(self) -> Any: ...

    def block_until_ready(self) -> Any: ...


#: An array that is not one of NumPy's: of numptx, or of another library that shares its memory.
ArrayProducer: TypeAlias = Array | SupportsCudaArrayInterface | SupportsDLPack | SupportsJaxDLPack
