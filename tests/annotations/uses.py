"""A program with numptx as type checkers see it: every line is right. It is checked and never run."""

import os
from typing import Any, assert_type

import numpy as np
from numpy.typing import NDArray

import numptx
from numptx.typing import ArrayProducer, Device, ShapeLike


def creation(place: Device, shape: ShapeLike) -> None:
    assert_type(numptx.asarray([1.0, 2.0]), numptx.Array)
    assert_type(numptx.asarray(np.ones(3), device="cuda"), numptx.Array)
    assert_type(numptx.zeros(3), numptx.Array)
    assert_type(numptx.ones((2, 3), "float32", device=1), numptx.Array)
    assert_type(numptx.full([2, 3], 7.5, np.int8, pinned=True), numptx.Array)
    assert_type(numptx.full(3, np.arange(3)), numptx.Array)
    assert_type(numptx.empty(shape, np.dtype("int8"), device=place), numptx.Array)


def attributes(a: numptx.Array) -> None:
    assert_type(a.shape, tuple[int, ...])
    assert_type(a.strides, tuple[int, ...])
    assert_type(a.ndim + a.size + a.itemsize + a.nbytes + len(a), int)
    assert_type(a.device, str)
    assert_type(a.T, numptx.Array)
    assert_type(a.closed, bool)
    assert a.dtype == np.float64 and a.base is None


def conversions(a: numptx.Array) -> None:
    assert_type(a.reshape(2, -1), numptx.Array)
    assert_type(a.reshape((2, 3), order="F", copy=False), numptx.Array)
    assert_type(a.astype("float32", copy=False), numptx.Array)
    assert_type(a.astype(int, casting="safe", order="C"), numptx.Array)
    assert_type(a.copy(), numptx.Array)
    assert_type(a.copy("K"), numptx.Array)
    assert_type(a.to("cuda"), numptx.Array)
    for host in (a.to_host(), a.numpy(), a.get()):
        assert_type(host, np.ndarray[Any, Any])
    print(np.asarray(a).sum(), np.mean(a))
    assert_type(float(a) + int(a), float)
    assert_type(complex(a), complex)
    assert_type(bool(a), bool)
    assert_type([1, 2][a], int)
    assert_type(f"{a:.3f}", str)
    memoryview(a)


def elements(a: numptx.Array, foreign: ArrayProducer, host: NDArray[np.float32]) -> None:
    a[0] = 1
    a[1:] = [1.0, 2.0]
    a[..., None, ::-1] = a
    a[:] = host
    a[:] = foreign
    a.copy_from(host)
    a.copy_from(a[1:])
    assert_type(a[0, 1:], numptx.Array)
    for row in a:
        assert_type(row, numptx.Array)


def blocks(a: numptx.Array) -> str:
    with a as same, numptx.device("cpu"), numptx.Stream() as stream:
        assert_type(same, numptx.Array)
        event = stream.record()
        stream.wait(event)
        with numptx.Graph(stream) as graph:
            pass
        graph.replay(stream)
        # The blocks swallow nothing, so that this is the function's end.
        return same.device


class Pool:
    def allocate(self, nbytes: int, device: int, stream: int) -> int:
        return nbytes + device + stream

    def deallocate(self, pointer: int, nbytes: int, device: int, stream: int) -> None:
        del pointer


def process() -> None:
    numptx.set_allocator(Pool())
    numptx.set_allocator("torch")
    numptx.set_allocator(None)
    assert_type(numptx.devices(), list[str])
    assert_type(numptx.memory_stats("cuda")["live_bytes"], int)
    assert_type(numptx.last_device(), str | None)
    numptx.set_memory_limit(None)
    numptx.trim()
    linked = numptx.link(".version 8.0\n", b"\x7fELF", arch="sm_90")
    assert_type(linked, numptx.Cubin)
    assert_type(linked.kernels["f"].registers, int | None)
    numptx.link(os)


def parallel() -> None:
    for i in numptx.prange(10):
        assert_type(i, int)
