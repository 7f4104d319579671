"""Which arguments overlap: the answer of `np.shares_memory`, for random views of one buffer."""

import itertools

import numpy as np
import pytest

import numptx

SOURCE = """import numpy as np

#numptx export later(uint8[:,:,:], uint8[:,:,:])
#numptx export later(int16[:,:,:], int16[:,:,:])
#numptx export later(float64[:,:,:], float64[:,:,:])
#numptx export later(complex128[:,:,:], complex128[:,:,:])
def later(a, b):
    c = b + b
    a[...] = 1
    return c * b

#numptx export zero(float64[:,:])
def zero(a):
    a[...] = 0
"""


@pytest.fixture(scope="module")
def compiled(workshop):
    return workshop.pair(SOURCE, "overlapping", ("--host-only",))[0]


def launches(call, *arguments):
    before = numptx.memory_stats()["launches"]
    call(*arguments)
    return numptx.memory_stats()["launches"] - before


def views(generator, buffer, dtype):
    """A view of three axes whose elements lie apart, strides of any sign; axes of extent 0 and 1 among them."""
    itemsize = np.dtype(dtype).itemsize
    shape = generator.integers(1, 5, 3) * (generator.random(3) > 0.02)
    steps, covered = np.zeros(3, dtype=int), 1
    for axis in generator.permutation(3):
        steps[axis] = covered + generator.integers(0, 3)
        covered += steps[axis] * max(shape[axis] - 1, 0)
        steps[axis] *= generator.choice([1, -1])
    low = sum(min(step * (extent - 1), 0) for step, extent in zip(steps, shape) if extent)
    high = sum(max(step * (extent - 1), 0) for step, extent in zip(steps, shape) if extent)
    first = generator.integers(-low, max(-low + 1, min(buffer.size // itemsize - high, -low + 40)))
    return np.ndarray(shape, dtype, buffer, first * itemsize, steps * itemsize)


@pytest.mark.parametrize("dtype", ["uint8", "int16", "float64", "complex128"])
def test_the_version_for_overlapping_arguments_runs_where_numpy_sees_shared_memory(compiled, dtype):
    generator = np.random.default_rng(5)
    buffer = np.zeros(1 << 14, dtype=np.uint8)
    seen = {True: 0, False: 0}
    for _ in range(1500):
        a, b = views(generator, buffer, dtype), views(generator, buffer, dtype)
        if 0 in a.shape or 0 in b.shape:
            continue
        # Where `c` must be computed before `a` is written, there is one launch more.
        shares = launches(compiled.later, a, b) == 3
        assert shares == np.shares_memory(a, b), (a.shape, a.strides, b.shape, b.strides)
        seen[shares] += 1
    assert min(seen.values()) > 100


def test_empty_arguments_share_nothing(compiled):
    x = np.zeros((3, 4, 5))
    for a, b in itertools.permutations([x[:, :0], x, x[:0]], 2):
        assert launches(compiled.later, a, b) < 3


def test_a_written_argument_whose_elements_overlap_is_refused(compiled):
    x = np.zeros(10)
    windows = np.lib.stride_tricks.sliding_window_view(x, 3, writeable=True)
    with pytest.raises(ValueError, match="elements of argument 1 share memory"):
        compiled.zero(windows)
    compiled.zero(windows[::3])
