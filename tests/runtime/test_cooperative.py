"""Programs that the threads of one launch share, compiled from a dump of the array IR: against the same steps in NumPy."""

import pathlib

import numpy as np
import pytest

import numptx


@pytest.fixture(scope="module")
def cooperative(workshop):
    return workshop.module(pathlib.Path(__file__).parent / "cooperative.array")


@pytest.fixture(autouse=True)
def on_device(on_cpu, device):
    with numptx.device(device):
        yield


RNG = np.random.default_rng(11)


@pytest.mark.parametrize("size", [0, 1, 2, 3, 100, 4095, 5000, 70_000])
@pytest.mark.parametrize("steps", [0, 1, 17])
def test_phases_of_a_time_loop(cooperative, size, steps):
    x, y = RNG.random(size), RNG.random(size)
    wanted, other = x.copy(), y.copy()
    for _ in range(steps):
        other[1:-1] = (wanted[:-2] + wanted[2:]) * 0.5
        wanted[1:-1] = other[1:-1]
    backwards = x[::-1].copy()[::-1]
    before = numptx.memory_stats()["launches"]
    cooperative.relax(backwards, y, steps)
    assert numptx.memory_stats()["launches"] == before + 1
    np.testing.assert_array_equal(backwards, wanted)
    np.testing.assert_array_equal(y, other)


@pytest.mark.parametrize("shape", [(0, 3), (1, 1), (3, 5), (7, 64), (65, 33), (100, 101)])
def test_a_loop_that_a_reduction_ends(cooperative, shape):
    for order in "CF":
        a = np.array(RNG.uniform(-3, 3, shape), order=order)
        wanted, n = a.copy(), 0
        while np.sum(wanted * wanted) > 0.37:
            wanted, n = wanted * 0.5, n + 1
        count = np.zeros(2, np.int64)
        cooperative.normalise(a, count, 0.37)
        np.testing.assert_array_equal(a, wanted)
        largest = sum(shape) - 2 if a.size else np.iinfo(np.int64).min
        assert count.tolist() == [n, largest]


@pytest.mark.parametrize("size", [0, 1, 2, 1000, 4096])
def test_single_statements(cooperative, size):
    x = RNG.integers(-5, 5, size).astype(np.float32)
    wanted, total = np.cumsum(x), np.zeros(1, np.complex64)
    cooperative.cumulate(x, total)
    np.testing.assert_array_equal(x, wanted)
    assert total[0] == np.sum(wanted) * (1 + 1j)
