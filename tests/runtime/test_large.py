"""Every element is computed at every size: kernels of `tests/many_elements.py` beyond 2³¹ and 2³² elements agree with CuPy, on a GPU with `--large`.

Values follow from positions, so that what is expected is computed in pieces. No case takes more than 20 GiB. With NumPy in CuPy's place and few elements
the cases themselves are tested everywhere.
"""

import os

import numpy as np
import pytest

from compilation import ROOT

SOURCE = ROOT / "tests/many_elements.py"
LENGTHS = [2**31 + 229_379, 2**32 + 4096]
# Elements that are looked at together.
PIECE = 1 << 27
NEEDED_BYTES = 22 << 30
# Elements with NumPy, in several pieces.
FEW, SMALL_PIECE = 300_007, 1 << 16


@pytest.fixture(scope="module")
def cupy(pytestconfig):
    if not pytestconfig.getoption("--large"):
        pytest.skip("arrays of more than 2³¹ elements: with --large")
    if pytestconfig.getoption("--device") == "cpu" or "mock" in os.environ.get("NUMPTX_LIBCUDA", ""):
        pytest.skip("arrays of more than 2³¹ elements: on a GPU; the mock driver plays them in tests/narrow")
    cupy = pytest.importorskip("cupy")
    if cupy.cuda.runtime.memGetInfo()[1] < NEEDED_BYTES:
        pytest.skip("the GPU has less than 22 GiB of memory")
    return cupy


def value(k, seed=0):
    """The element at position `k` of a test array."""
    return ((k * 2_654_435_761 + 977 * seed) >> 13 & 255).astype("uint8")


class Case:
    """The test arrays of a length, and comparisons by pieces."""

    def __init__(self, cupy, n, piece=PIECE):
        self.cupy, self.n, self.piece = cupy, n, piece

    def pieces(self, n):
        for first in range(0, n, self.piece):
            yield self.cupy.arange(first, min(first + self.piece, n), dtype="int64")

    def some_rows(self, x):
        step = max(1, self.piece // x.shape[1])
        return [x[first : first + step] for first in range(0, x.shape[0], step)]

    def array(self, n, of=value):
        made = self.cupy.empty(n, "uint8")
        for k in self.pieces(n):
            made[int(k[0]) : int(k[-1]) + 1] = of(k)
        return made

    def matrix(self, rows):
        columns = self.n // rows + 1
        return self.array(rows * columns).reshape(rows, columns), rows, columns

    def same(self, found, expected):
        """Whether a contiguous array holds at each position what a function of it gives."""
        found = self.cupy.asarray(found).reshape(-1)
        for k in self.pieces(found.size):
            first = int(k[0])
            wrong = self.cupy.flatnonzero(found[first : first + k.size] != expected(k))
            assert not wrong.size, f"{wrong.size} elements are wrong between {first + int(wrong[0])} and {first + int(wrong[-1])} of {found.size}"


def flat(case, run):
    case.same(run(case.array(case.n), case.array(case.n, lambda k: value(k, 1))), lambda k: value(k) + value(k, 1))


def chosen(case, run):
    def expected(k):
        x, y = value(k), value(k, 1)
        return case.cupy.where(x > y, x - y, y)

    case.same(run(case.array(case.n), case.array(case.n, lambda k: value(k, 1))), expected)


def shifted(case, run):
    case.same(run(case.array(case.n)), lambda k: value(k + 1) + 1)


def differences(case, run):
    case.same(run(case.array(case.n)), lambda k: value(k + 1) - value(k))


def reversed_(case, run):
    case.same(run(case.array(case.n)), lambda k: value(case.n - 1 - k) ^ 5)


def halved(case, run):
    case.same(run(case.array(case.n)), lambda k: value(2 * k) + 1)


def filled(case, run):
    x = case.array(case.n)
    run(x)
    case.same(x, lambda k: case.cupy.where(k % 2 == 1, case.cupy.uint8(3), value(k)))


def added_in_place(case, run):
    x = case.array(case.n)
    run(x)
    case.same(x, lambda k: value(k) + (k % 3 == 0).astype("uint8"))


def ramp(case, run):
    case.same(run(case.n), lambda k: (k % 251).astype("uint8"))


def joined(case, run):
    n = case.n - 1000
    found = run(case.array(n), case.array(1000, lambda k: value(k, 1)))
    case.same(found, lambda k: case.cupy.where(k < n, value(k), value(k - n, 1)))


def transposed(case, run):
    for rows in (65_539, 3, case.n // 3 + 1):
        x, rows, columns = case.matrix(rows)
        case.same(run(x), lambda k: value(k % rows * columns + k // rows) + 1)


def turned(case, run):
    for rows in (65_539, 3, case.n // 3 + 1):
        x, rows, columns = case.matrix(rows)

        def expected(k):
            i, j = k // (columns - 1), k % (columns - 1)
            return value((rows - 1 - i) * columns + j + 1) + value(i * columns + j)

        case.same(run(x), expected)


def spread(case, run):
    for rows in (65_539, 3, case.n // 3 + 1):
        columns = case.n // rows + 1
        found = run(case.array(rows), case.array(columns, lambda k: value(k, 1)))
        case.same(found, lambda k: value(k // columns) + value(k % columns, 1))


def indexed(case, run):
    for rows in (65_539, 3, case.n // 3 + 1):
        columns = case.n // rows + 1
        case.same(run(rows, columns), lambda k: ((k // columns * 7 + k % columns) % 251).astype("uint8"))


def total(case, run):
    assert int(run(case.array(case.n))) == sum(int(value(k).sum(dtype="uint64")) for k in case.pieces(case.n))


def total_of_view(case, run):
    odd = sum(int((value(k) * (k % 2).astype("uint8")).sum(dtype="uint64")) for k in case.pieces(case.n))
    assert int(run(case.array(case.n))) == odd


def total_across(case, run):
    x, _, _ = case.matrix(65_539)
    assert int(run(x)) == sum(int(value(k).sum(dtype="uint64")) for k in case.pieces(x.size))


def totals(case, run):
    x, _, _ = case.matrix(65_539)
    over_rows, over_columns = map(case.cupy.asarray, run(x))
    assert bool((over_rows == sum(rows.sum(axis=0, dtype="uint64") for rows in case.some_rows(x))).all())
    assert bool((over_columns == case.cupy.concatenate([rows.sum(axis=1, dtype="uint64") for rows in case.some_rows(x)])).all())


def extremes(case, run):
    x, rows, columns = case.matrix(65_539)
    x[rows - 1, columns - 1], x[rows - 2, columns - 2] = 255, 0
    most, least = map(case.cupy.asarray, run(x))
    assert bool((most == case.cupy.concatenate([rows.max(axis=1) for rows in case.some_rows(x)])).all())
    lowest = case.cupy.stack([rows.min(axis=0) for rows in case.some_rows(x)]).min(axis=0)
    assert bool((least == lowest).all())


def where_most(case, run):
    x = case.array(case.n, lambda k: value(k) // 2 + 3)
    x[case.n - 5], x[case.n - 3] = 255, 0
    assert tuple(map(int, run(x))) == (case.n - 5, case.n - 3)


def running(case, run):
    def step(k):
        return (k // 2 * 251 // (case.n // 2 + 1)).astype("uint8")

    case.same(run(case.array(case.n, lambda k: step(k) * (k % 2 == 0))), step)


def running_total(case, run):
    found, before = case.cupy.asarray(run(case.array(case.n))), 0
    for k in case.pieces(case.n):
        expected = case.cupy.cumsum(value(k), dtype="int64") + before
        before = int(expected[-1])
        assert bool((found[int(k[0]) : int(k[-1]) + 1] == (expected & 255).astype("uint8")).all())


def running_rows(case, run):
    x, _, _ = case.matrix(65_539)
    down, along = map(case.cupy.asarray, run(x))
    before, at = case.cupy.zeros(x.shape[1], "uint8"), 0
    for rows in case.some_rows(x):
        expected = case.cupy.cumsum(rows, axis=0, dtype="uint8") + before
        before = expected[-1]
        assert bool((down[at : at + len(rows)] == expected).all())
        assert bool((along[at : at + len(rows)] == case.cupy.cumsum(rows, axis=1, dtype="uint8")).all())
        at += len(rows)


def positions(case):
    """Positions at the ends, around 2³¹ and 2³², and elsewhere; each once."""
    edges = [at + step for at in (0, 2**31, 2**32, case.n - 1) for step in (-1, 0, 1) if 0 <= at + step < case.n]
    others = case.cupy.arange(1, 100_000, dtype="int64") * 48_271 * 883 % case.n
    return case.cupy.unique(case.cupy.concatenate([case.cupy.asarray(edges, dtype="int64"), others]))


def taken(case, run):
    at = positions(case)
    assert bool((case.cupy.asarray(run(case.array(case.n), at)) == value(at)).all())


def put(case, run):
    x, at = case.array(case.n), positions(case)
    run(x, at, value(at) + 1)
    assert bool((x[at] == value(at) + 1).all())
    x[at] = value(at)
    case.same(x, value)


def looked_up(case, run):
    table = case.array(256, lambda k: (k * 7 + 3).astype("uint8"))
    case.same(run(table, case.array(case.n)), lambda k: value(k) * 7 + 3)


def counted(case, run):
    counts = case.cupy.zeros(256, "int64")
    run(counts, case.array(case.n))
    assert bool((counts == sum(case.cupy.bincount(value(k), minlength=256) for k in case.pieces(case.n))).all())


def masked(case, run):
    x = case.array(case.n)
    run(x)
    case.same(x, lambda k: case.cupy.where(value(k) > 200, case.cupy.uint8(7), value(k)))


def selected(case, run):
    found, at = case.cupy.asarray(run(case.array(case.n))), 0
    for k in case.pieces(case.n):
        x = value(k)
        expected = x[x > 249]
        assert bool((found[at : at + expected.size] == expected).all())
        at += expected.size
    assert found.size == at


def looped(case, run):
    y = case.cupy.zeros(case.n, "uint8")
    run(case.array(case.n), y)
    case.same(y, lambda k: value(case.cupy.maximum(case.n - 1 - k - 3, 0)))


def relaxed(case, run):
    n = case.n
    x, y = case.array(n), case.array(n, lambda k: value(k, 1))
    run(x, y, 1)

    def is_inner(k):
        return (k > 0) & (k < n - 1)

    case.same(y, lambda k: case.cupy.where(is_inner(k), value(k - 1) ^ value(k + 1), value(k, 1)))
    case.same(x, lambda k: case.cupy.where(is_inner(k), (value(k - 1) ^ value(k + 1)) + 1, value(k)))


KINDS = [
    flat, chosen, shifted, differences, reversed_, halved, filled, added_in_place, ramp, joined, transposed, turned, spread, indexed,
    total, total_of_view, total_across, totals, extremes, where_most, running, running_total, running_rows,
    taken, put, looked_up, counted, masked, selected, looped, relaxed,
]  # fmt: skip


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_kernels_of_many_elements_agree_with_cupy(cupy, workshop, kind, length):
    import numptx

    compiled = workshop.module(SOURCE)
    with numptx.device("cuda"):
        kind(Case(cupy, length), getattr(compiled, kind.__name__))
    # No case keeps memory from the next one.
    cupy.get_default_memory_pool().free_all_blocks()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_the_cases_hold_for_few_elements(workshop, device, kind):
    import numptx

    compiled = workshop.module(SOURCE, () if device == "cuda" else ("--host-only",))
    with numptx.device(device):
        kind(Case(np, FEW, SMALL_PIECE), getattr(compiled, kind.__name__))
