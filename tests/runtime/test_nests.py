"""Kernels with loops and branches, compiled from a dump of the array IR: against the same loops in Python and NumPy."""

import pathlib

import numpy as np
import pytest

import numptx


@pytest.fixture(scope="module")
def nests(workshop):
    return workshop.module(pathlib.Path(__file__).parent / "nests.array")


@pytest.fixture(autouse=True)
def on_device(on_cpu, device):
    with numptx.device(device):
        yield


RNG = np.random.default_rng(5)


def layouts(array):
    """The same elements in other places: C and F order, reversed, every other one of more."""
    wide = np.zeros(tuple(2 * n for n in array.shape))
    wide[tuple(slice(None, None, 2) for _ in array.shape)] = array
    backwards = np.ascontiguousarray(array[..., ::-1])[..., ::-1]
    return [array.copy(), np.asfortranarray(array), backwards, wide[tuple(slice(None, None, 2) for _ in array.shape)]]


@pytest.mark.parametrize("n, m, k", [(1, 1, 1), (3, 4, 5), (17, 33, 9), (200, 130, 64), (5, 0, 3), (3, 4, 0)])
def test_product(nests, n, m, k):
    a, b = RNG.random((n, k)), RNG.random((k, m))
    for left in layouts(a):
        for right in layouts(b):
            np.testing.assert_allclose(nests.product(left, right), a @ b, rtol=1e-12)


def escape(z, limit):
    counts = []
    for c in z:
        v, n = 0j, 0
        while v.real * v.real + v.imag * v.imag <= 4.0 and n < limit:
            v, n = v * v + c, n + 1
        counts.append(n)
    return counts


@pytest.mark.parametrize("size", [0, 1, 7, 3000])
def test_while(nests, size):
    z = RNG.uniform(-2, 1, size) + 1j * RNG.uniform(-1.5, 1.5, size)
    assert nests.escape(z, 60).tolist() == escape(z.tolist(), 60)
    assert nests.escape(z[::-1], 60).tolist() == escape(z[::-1].tolist(), 60)


@pytest.mark.parametrize("size", [0, 1, 2, 1000])
def test_one_point(nests, size):
    x = RNG.integers(-9, 9, size).astype(float)
    for array in [x.copy(), x.copy()[::-1], np.repeat(x, 2)[::2]]:
        expected = np.cumsum(array)
        nests.prefix(array)
        assert array.tolist() == expected.tolist()


def test_a_time_loop_allocates_no_more_than_two_arrays(nests):
    u = RNG.random(500)
    expected = u.copy()
    for _ in range(20):
        expected[1:-1] = 0.5 * (expected[:-2] + expected[2:])
    before = numptx.memory_stats()["allocations"]
    found = nests.smooth(u, 20)
    np.testing.assert_allclose(found, expected, rtol=1e-14)
    assert numptx.memory_stats()["allocations"] - before <= 4
