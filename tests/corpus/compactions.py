"""What masks choose, by tiles of 512 elements: sizes around borders, masks of every kind, several arrays by one mask."""
import numpy as np


#numptx export above(float64[:], float64)
# run: above(random(511), 0.5)
# run: above(random(512), 0.5)
# run: above(random(513), 0.5)
# run: above(random(1024), 0.5)
# structure: launches==3 copies=0 syncs=1
# run: above(random(1025), 0.9)
# run: above(random(1300), 2.0)
# run: above(random(1300), -1.0)
# run: above(random(1), 0.5)
# run: above(arange(0.0), 0.5)
# run: above(random(1400)[::-1], 0.5)
# run: above(random(1400)[::2], 0.5)
# run: above(random(1400)[::-3], 0.5)
# run: x = random(700); x[::7] = nan; x[1::9] = inf; x[2::11] = -0.0; above(x, 0.0)
# run: x = random(700); above(x, nan)
# run: x = zeros(600); x[511] = 1.0; above(x, 0.5)
# run: x = zeros(600); x[512] = 1.0; above(x, 0.5)
# run: x = ones(600) * inf; x[0] = nan; x[599] = -inf; above(x, 0.5)
def above(x, least):
    """The comparison is computed in the kernels that count and move."""
    return x[x > least]


#numptx export not_below(float64[:])
# run: x = random(700); x[::7] = nan; not_below(x)
def not_below(x):
    """True where nan is."""
    return x[~(x < 0.5)], np.flatnonzero(np.isnan(x)), x[x != x]


#numptx export all_kinds(bool[:], bool[:], int8[:], float32[:], complex128[:], uint64[:])
# run: m = random(600) > 0.3; all_kinds(m, ~m, integers(-9, 9, 600, dtype=int8), random(600).astype(float32), random(600) * 1j, integers(0, 9, 600).astype(uint64))
# run: m = zeros(600, dtype=bool); all_kinds(m, ~m, integers(-9, 9, 600, dtype=int8), random(600).astype(float32), random(600) * 1j, integers(0, 9, 600).astype(uint64))
# run: m = random(1200) > 0.5; all_kinds(m[::-2], ~m[::2], integers(-9, 9, 600, dtype=int8), random(1200).astype(float32)[::-2], random(600) * 1j, integers(0, 9, 600).astype(uint64)[::-1])
def all_kinds(m, b, k, x, z, n):
    """One kernel counts, one moves all of them."""
    return b[m], k[m], x[m], z[m], n[m]


#numptx export by_numbers(int64[:], float32[:], complex64[:])
# run: by_numbers(integers(-1, 2, 520), array([0.0, -0.0, nan, 1e-45, inf, -inf], dtype=float32), (integers(0, 2, 600) * 1j).astype(complex64))
# run: by_numbers(integers(0, 1, 520), zeros(600, dtype=float32), zeros(600, dtype=complex64))
def by_numbers(k, x, z):
    """What is not 0 is chosen."""
    return np.nonzero(k)[0], np.flatnonzero(x), np.argwhere(z), np.extract(z, z), np.compress(k, k)


#numptx export matrices(float64[:,:], float32[:,:])
# run: matrices(random((23, 45)), random((23, 45)).astype(float32))
# run: matrices(random((45, 23)).T, random((23, 45)).astype(float32))
# run: matrices(random((23, 45))[::-1], random((23, 90)).astype(float32)[:, ::-2])
# run: matrices(random((512, 3)), random((512, 3)).astype(float32))
# run: matrices(random((1, 600)), random((1, 600)).astype(float32))
# run: matrices(random((600, 1)), random((600, 1)).astype(float32))
# run: matrices(random((0, 5)), random((0, 5)).astype(float32))
# run: matrices(zeros((30, 20)), random((30, 20)).astype(float32))
def matrices(x, y):
    m = x > 0.5
    return x[m], y[m], np.nonzero(m), np.argwhere(x > 0.9)


#numptx export cubes(int32[:,:,:])
# run: cubes(integers(0, 3, (7, 9, 11), dtype=int32))
# run: cubes(integers(0, 3, (11, 9, 7), dtype=int32).T)
# run: cubes(integers(0, 3, (7, 18, 11), dtype=int32)[::-1, ::2, ::-1])
# run: cubes(zeros((7, 9, 11), dtype=int32))
def cubes(k):
    a, b, c = np.nonzero(k > 1)
    return k[k != 0], a, b, c, k[a, b, c]


#numptx export computed(float64[:], float64[:])
# run: computed(random(700), random(700))
# run: computed(random(700)[::-1], random(1400)[::2])
# run: x = random(700); computed(x, x)
def computed(x, y):
    """Moved values are computed where they are moved; masks of sums and of functions are arrays."""
    return (x * 2.0 - y)[x > y], x[x * x + y * y < 1.0], np.exp(x)[np.sin(y) > 0.5], y[(x > 0.2) & (y < 0.7) | (x == y)]


#numptx export used_twice(float64[:])
# run: used_twice(random(600))
def used_twice(x):
    """The mask lives on."""
    m = x > 0.5
    return x[m], m, m.sum()


#numptx export changed(float64[:])
# run: changed(random(600))
# run: changed(random(1200)[::-2])
def changed(x):
    """What the mask was computed of is written before elements are chosen again."""
    m = x > 0.5
    a = x[m]
    x[::2] = 0.0
    b = x[m]
    x[m] = -1.0
    return a, b, x[x < 0.0]


#numptx export in_a_loop(float64[:], int)
# run: in_a_loop(random(900), 4)
def in_a_loop(x, n):
    total = 0.0
    for k in range(n):
        x = x[x > 0.1 * k]
        total += x.sum()
    return x, total


#numptx export along(float64[:,:], bool[:], bool[:,:])
# run: along(random((20, 30)), random(20) > 0.5, random((20, 30)) > 0.5)
# run: along(random((20, 30)), random(19) > 0.5, random((20, 30)) > 0.5)
# run: along(random((20, 30)), random(20) > 0.5, random((20, 29)) > 0.5)
# run: along(random((20, 30)).T[:20, :20], random(20) > 0.5, random((20, 20)) > 0.5)
def along(x, rows, m):
    return x[rows], np.compress(rows, x, axis=0), x[m], x[:, 0][rows]
