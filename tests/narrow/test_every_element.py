"""Every element is computed, however many there are: kernels of `tests/many_elements.py` with indices of 8 bits, at sizes around each limit.

Launches take other variants where 8 bits are too few, several launches where a flat one is full, and go on along z where a grid of 16 blocks ends.
"""

import numpy as np
import pytest

import corpus_run
from compilation import ROOT, load_plain
from mock_counts import count

SOURCE = ROOT / "tests/many_elements.py"
# A flat launch has up to 64 elements, a 32-bit variant 94 points, 7 and 8 bits 128 and 256, a grid 16 blocks of 32 threads.
LENGTHS = [1, 2, 63, 64, 65, 94, 95, 127, 128, 129, 255, 256, 257, 511, 512, 513, 700, 1100]
SHAPES = [(1, 1), (1, 95), (95, 1), (2, 47), (2, 48), (47, 2), (8, 8), (13, 10), (5, 52), (16, 16), (17, 31), (2, 600), (600, 2), (36, 36)]


def vector(n, seed=0):
    return np.random.default_rng([n, seed]).integers(0, 256, n, np.uint8)


def matrix(shape, seed=0):
    return vector(shape[0] * shape[1], seed).reshape(shape)


def positions(n, of, seed=0):
    return np.random.default_rng([n, of, seed]).integers(0, of, n)


def of_lengths(arguments):
    return [lambda n=n: arguments(n) for n in LENGTHS]


def of_shapes(arguments):
    return [lambda shape=shape: arguments(shape) for shape in SHAPES]


ONE = of_lengths(lambda n: (vector(n),))
TWO = of_lengths(lambda n: (vector(n), vector(n, 1)))
MATRIX = of_shapes(lambda shape: (matrix(shape),))
# Views whose elements lie far apart: few points, and offsets beyond 7 and 8 bits.
APART = [lambda step=step: (vector(9 * step + 1)[::step],) for step in (9, 10, 11, 13, 14, 15, 28, 29, 60)]
APART_2 = [lambda step=step: (matrix((5, 3 * step))[:, ::step],) for step in (6, 7, 8, 9, 17, 18, 50)]

CASES = {
    "flat": TWO,
    "chosen": TWO,
    "shifted": ONE,
    "differences": ONE + APART,
    "reversed_": ONE + APART,
    "halved": ONE + APART,
    "filled": ONE,
    "added_in_place": ONE + APART,
    "ramp": of_lengths(lambda n: (n,)),
    "joined": of_lengths(lambda n: (vector(n), vector(n + 3, 1))),
    "transposed": MATRIX + APART_2,
    "turned": MATRIX + APART_2,
    "spread": of_shapes(lambda shape: (vector(shape[0]), vector(shape[1], 1))),
    "indexed": of_shapes(lambda shape: shape),
    "total": ONE + APART,
    "total_of_view": ONE,
    "extremes": MATRIX + APART_2,
    "totals": MATRIX + APART_2,
    "total_across": MATRIX + APART_2,
    "where_most": ONE + APART,
    "running": ONE + APART,
    "running_total": ONE + APART,
    "running_rows": MATRIX + APART_2,
    "taken": of_lengths(lambda n: (vector(n), positions(n, n))),
    "looked_up": of_lengths(lambda n: (vector(256, 1), vector(n))),
    "put": of_lengths(lambda n: (vector(n), positions(n, n), vector(n, 1))),
    "counted": of_lengths(lambda n: (np.zeros(256, np.int64), vector(n))),
    "masked": ONE,
    "selected": ONE,
    "looped": TWO,
    "relaxed": of_lengths(lambda n: (vector(n + 2), vector(n + 2, 1), 2)),
    "swept": [lambda n=n: (positions(n, 1000), positions(n, 1000, 1)) for n in (1, 65, 257, 600)],
}


@pytest.mark.parametrize("name", CASES)
def test_every_element_is_computed(workshop, name):
    compiled, plain = workshop.module(SOURCE, ("--force=narrow",)), load_plain(SOURCE)
    before = {key: count(key) for key in ("violations", "launches", "device_code")}
    for make in CASES[name]:
        given, wanted = corpus_run.Placed().to_device(make()), make()
        result, expected = getattr(compiled, name)(*given), getattr(plain, name)(*wanted)
        what = f"{name}{[(a.shape, a.strides) if isinstance(a, np.ndarray) else a for a in wanted]}"
        for got, right in zip(parts(result, given), parts(expected, wanted), strict=True):
            np.testing.assert_array_equal(corpus_run.to_host(got), right, err_msg=what)
    found = {key: count(key) - value for key, value in before.items()}
    assert found["violations"] == 0
    assert found["device_code"] == found["launches"] > 0, "some kernel ran on the host instead"


def parts(result, arguments):
    """The results, and the arguments as they are afterwards."""
    results = result if isinstance(result, tuple) else () if result is None else (result,)
    return [*results, *arguments]


def test_every_function_has_cases(workshop):
    plain = load_plain(SOURCE)
    assert set(CASES) == {name for name in vars(plain) if callable(getattr(plain, name)) and not name.startswith("_")}
