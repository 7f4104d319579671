"""Device memory from PyTorch's, CuPy's and RMM's own allocators, on a GPU where these are installed."""

import gc
import threading
import warnings

import numpy as np
import pytest

import numptx
from allocating_program import PROGRAM
from cuda_driver import IS_MOCK

pytestmark = pytest.mark.skipif(IS_MOCK, reason="real libraries want a GPU")

N = 200_000


class Torch:
    def __init__(self):
        self.torch = pytest.importorskip("torch")

    def used(self):
        return self.torch.cuda.memory_allocated()

    def overwrite(self, handle):
        """Memory of the same allocator is taken, written in the order of the stream, and given back."""
        stream = self.torch.cuda.ExternalStream(handle) if handle else self.torch.cuda.default_stream()
        with self.torch.cuda.stream(stream):
            self.torch.full((N,), -1.0, dtype=self.torch.float64, device="cuda")


class CuPy:
    def __init__(self):
        self.cupy = pytest.importorskip("cupy")

    def used(self):
        return self.cupy.get_default_memory_pool().used_bytes()

    def overwrite(self, handle):
        null = self.cupy.cuda.Stream.null
        with warnings.catch_warnings(action="ignore", category=DeprecationWarning), self.cupy.cuda.ExternalStream(handle) if handle else null:
            self.cupy.full(N, -1.0)


class RMM:
    def __init__(self):
        self.mr = pytest.importorskip("rmm.mr")
        self.rmm = pytest.importorskip("rmm")
        self.counted = self.mr.StatisticsResourceAdaptor(self.mr.PoolMemoryResource(self.mr.CudaMemoryResource(), 1 << 26, 1 << 30))
        self.mr.set_current_device_resource(self.counted)

    def used(self):
        return self.counted.allocation_counts.current_bytes

    def overwrite(self, handle):
        """What is written needs a kernel, which RMM has none of."""


@pytest.fixture(params=["torch", "cupy", "rmm"])
def library(request, compiled):
    """Chosen as the source of memory; everything is given back in the end."""
    found = {"torch": Torch, "cupy": CuPy, "rmm": RMM}[request.param]()
    numptx.trim()
    gc.collect()
    before = found.used()
    numptx.set_allocator(request.param)
    try:
        with numptx.device("auto"):
            yield found
    finally:
        numptx.set_allocator(None)
    gc.collect()
    numptx.trim()
    numptx.synchronize()
    assert found.used() == before


def on_gpu(values):
    return numptx.asarray(np.array(values, float), device="cuda")


def equal(array, values):
    np.testing.assert_allclose(array.to_host(), values)


def test_memory_is_the_library_s_and_goes_back(library, compiled, modules):
    before = library.used()
    x = on_gpu(np.arange(float(N)))
    y = compiled.twice(x)
    assert library.used() >= before + 16 * N
    equal(compiled.chain(x, y), modules[1].chain(np.arange(float(N)), 2 * np.arange(float(N))))
    del x, y
    numptx.trim()
    assert library.used() == before


def test_what_comes_back_is_used_after_the_work_of_all_streams(library, compiled):
    for k in range(20):
        home, other = numptx.Stream(), numptx.Stream()
        with home:
            x = on_gpu(np.full(N, float(k)))
        with other:
            y = compiled.twice(x)
        del x
        library.overwrite(home.handle)
        equal(y, np.full(N, 2.0 * k))


def test_graphs_keep_their_memory(library, compiled, modules):
    x, y = on_gpu([1, 2, 3]), on_gpu([4, 5, 6])
    with numptx.Graph() as graph:
        z = compiled.chain(x, y)
    for k in range(5):
        x.copy_from(np.full(3, float(k)))
        library.overwrite(0)
        graph.replay()
        equal(z, modules[1].chain(np.full(3, float(k)), np.array([4.0, 5, 6])))


def test_threads(library, compiled):
    x, wrong = on_gpu(np.arange(float(N))), []

    def work(number):
        with numptx.Stream():
            for k in range(30):
                y = compiled.add(compiled.twice(x), on_gpu(np.full(N, float(k))))
                if not np.array_equal(y.to_host(), 2 * np.arange(float(N)) + k):
                    wrong.append((number, k))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert not wrong
