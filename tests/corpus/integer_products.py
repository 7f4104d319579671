"""Products of matrices of integers, and sums that are such products: they wrap, so that any order of a sum has NumPy's bits."""
# tolerance: 0
import numpy as np


#numptx export product(int32[:,:], int32[:,:])
#numptx export product(int64[:,:], int64[:,:])
#numptx export product(uint32[:,:], uint32[:,:])
#numptx export product(uint64[:,:], uint64[:,:])
# run: product(integers(-2**31, 2**31, (33, 40), int32), integers(-2**31, 2**31, (40, 41), int32))
# structure: launches=1 allocs=1
# run: product(integers(-2**63, 2**63 - 1, (37, 45)), integers(-2**63, 2**63 - 1, (45, 41)))
# structure: launches=1 allocs=1
# run: product(integers(0, 2**32, (64, 32), uint32), integers(0, 2**32, (32, 64), uint32))
# run: product(integers(-2**63, 2**63 - 1, (35, 64), uint64), integers(-2**63, 2**63 - 1, (64, 33), uint64))
# run: product(full((40, 41), -2**31, dtype=int32), full((41, 39), 2**31 - 1, dtype=int32))
# run: product(full((40, 41), -2**63), full((41, 39), -2**63))
# run: product(full((40, 41), 2**64 - 1, dtype=uint64), full((41, 39), 2**64 - 1, dtype=uint64))
# run: product(zeros((0, 40), dtype=int64), ones((40, 41), dtype=int64))
# run: product(ones((40, 0), dtype=int64), ones((0, 41), dtype=int64))
# run: product(ones((40, 41), dtype=int64), ones((41, 0), dtype=int64))
# run: product(integers(-9, 9, (1, 200)), integers(-9, 9, (200, 200)))
# run: product(integers(-9, 9, (200, 200)), integers(-9, 9, (200, 1)))
# run: product(integers(-9, 9, (200, 1)), integers(-9, 9, (1, 200)))
# run: product(integers(-9, 9, (1, 1)), integers(-9, 9, (1, 1)))
# run: product(integers(-9, 9, (40, 41)), integers(-9, 9, (40, 41)))
def product(a, b):
    return a @ b


#numptx export placed(int32[:,:], int32[:,:])
#numptx export placed(int64[:,:], int64[:,:])
# layout: any
# run: placed(integers(-2**31, 2**31, (40, 40), int32).T, integers(-2**31, 2**31, (40, 40), int32))
# run: placed(integers(-2**31, 2**31, (40, 80), int32)[::-1, ::-2], integers(-2**31, 2**31, (80, 40), int32)[::-2].T)
# run: placed(broadcast_to(integers(-9, 9, (40, 1), int32), (40, 40)), integers(-9, 9, (40, 40), int32))
# run: placed(broadcast_to(integers(-9, 9, 40), (40, 40)), integers(-9, 9, (40, 40)))
# run: placed(integers(-9, 9, (40, 40)), broadcast_to(integers(-9, 9, (40, 1)), (40, 40)))
# run: x = integers(-2**63, 2**63 - 1, (41, 42)); placed(x[:40, :40], x[1:, 2:])
# run: x = integers(-2**63, 2**63 - 1, (40, 40)); placed(x, x)
# run: x = integers(-2**63, 2**63 - 1, (40, 40)); placed(x, x.T)
def placed(a, b):
    return a @ b, np.dot(a, b), np.inner(a, b), a.T @ b, np.einsum("ij,jk->ki", a, b), np.einsum("ij,kj->i", a, b)


#numptx export stacked(int64[:,:,:], int64[:,:,:])
#numptx export stacked(int32[:,:,:,:], int32[:,:,:])
# run: stacked(integers(-2**63, 2**63 - 1, (3, 20, 30)), integers(-2**63, 2**63 - 1, (3, 30, 20)))
# run: stacked(integers(-2**63, 2**63 - 1, (1, 20, 30)), integers(-2**63, 2**63 - 1, (3, 30, 20)))
# run: stacked(integers(-9, 9, (3, 20, 30))[::-1], integers(-9, 9, (3, 30, 20))[::-1])
# run: stacked(integers(-9, 9, (0, 20, 30)), integers(-9, 9, (0, 30, 20)))
# run: stacked(integers(-9, 9, (2, 20, 30)), integers(-9, 9, (3, 30, 20)))
# run: stacked(integers(-2**31, 2**31, (2, 1, 21, 30), int32), integers(-2**31, 2**31, (3, 30, 19), int32))
def stacked(a, b):
    return np.matmul(a, b)


#numptx export contracted(int64[:,:,:], int64[:,:,:])
# run: contracted(integers(-2**63, 2**63 - 1, (30, 8, 9)), integers(-2**63, 2**63 - 1, (8, 9, 40)))
# run: contracted(integers(-9, 9, (9, 8, 30)).T, integers(-9, 9, (8, 9, 40))[:, ::-1])
# run: contracted(integers(-9, 9, (30, 8, 0)), integers(-9, 9, (8, 0, 40)))
# layout: any
def contracted(a, b):
    return np.tensordot(a, b, 2)


#numptx export into(int64[:,:], int64[:,:], int64[:,:])
# run: into(integers(-9, 9, (40, 41)), integers(-9, 9, (41, 42)), zeros((40, 42), dtype=int64))
# run: into(integers(-9, 9, (40, 41)), integers(-9, 9, (41, 42)), zeros((42, 40), dtype=int64).T[::-1])
# run: x = integers(-2**63, 2**63 - 1, (40, 40)); into(x, integers(-9, 9, (40, 40)), x)
# run: x = integers(-2**63, 2**63 - 1, (40, 40)); into(integers(-9, 9, (40, 40)), x, x.T)
# run: x = integers(-9, 9, (41, 42)); into(x[:40, :40], x[1:, 2:], x[1:, :40])
# run: x = integers(-9, 9, (40, 40)); into(x, x, x)
def into(a, b, out):
    np.matmul(a, b, out=out)


#numptx export added(int64[:,:], int64[:,:], int64[:,:], int64[:], int)
# run: added(integers(-2**63, 2**63 - 1, (40, 41)), integers(-2**63, 2**63 - 1, (41, 42)), integers(-9, 9, (40, 42)), integers(-9, 9, 42), 3)
# run: added(integers(-9, 9, (40, 0)), integers(-9, 9, (0, 42)), integers(-9, 9, (40, 42)), integers(-9, 9, 42), 3)
# run: x = integers(-9, 9, (40, 40)); added(x, x.T, x, x[0], -1)
# run: x = integers(-9, 9, (41, 41)); added(x[1:, 1:], x[:-1, :-1].T, x[1:, :-1], x[0, 1:], -1)
def added(a, b, c, row, k):
    alone = a @ b + c, a @ b + row, k * (a @ b)
    c += a @ b
    c[:] = a @ b - k * c
    return alone


#numptx export fused(int32[:,:], int32[:,:])
# run: fused(integers(-2**31, 2**31, (40, 41), int32), integers(-2**31, 2**31, (41, 42), int32))
# run: fused(integers(-9, 9, (41, 40), int32).T[::-1], integers(-9, 9, (82, 42), int32)[::-2])
def fused(a, b):
    return (a + 1) @ b, np.abs(a @ (b - 1)), a @ b, 2 * a @ b


#numptx export of_elements(int32[:,:], int32[:,:], int32[:,:])
#numptx export of_elements(int64[:,:], int64[:,:], int64[:,:])
# run: of_elements(integers(-9, 9, (33, 40), int32), integers(-9, 9, (40, 41), int32), zeros((33, 41), dtype=int32))
# run: of_elements(integers(-9, 9, (40, 45)), integers(-9, 9, (45, 40)), zeros((40, 40), dtype=int64))
# run: of_elements(integers(-9, 9, (45, 40)).T[::-1], integers(-9, 9, (45, 40))[:, ::-1], zeros((40, 80), dtype=int64)[:, ::-2])
# run: of_elements(integers(-9, 9, (4, 0)), integers(-9, 9, (0, 5)), ones((4, 5), dtype=int64))
# run: x = integers(-3, 3, (40, 40)); of_elements(x, x.T, zeros((40, 40), dtype=int64))
# run: x = integers(-1, 2, (40, 40)); of_elements(x, x, x)
def of_elements(a, b, c):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            total = a[0, 0] - a[0, 0] if a.shape[1] > 0 else c[i, j]
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j]
            c[i, j] = total


#numptx export rows(int64[:,:], int64[:,:], int64[:,:])
# run: rows(integers(-2**63, 2**63 - 1, (33, 40)), integers(-2**63, 2**63 - 1, (40, 41)), zeros((33, 41), dtype=int64))
# run: rows(integers(-9, 9, (45, 40)).T[::-1], integers(-9, 9, (45, 40))[:, ::-1], zeros((40, 80), dtype=int64)[:, ::-2])
# run: rows(integers(-9, 9, (4, 0)), integers(-9, 9, (0, 5)), ones((4, 5), dtype=int64))
# run: x = integers(-3, 3, (40, 40)); rows(x, x.T, zeros((40, 40), dtype=int64))
# run: x = integers(-1, 2, (40, 40)); rows(x, x, x)
def rows(a, b, c):
    for i in range(a.shape[0]):
        c[i] = a[i] @ b
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            c[i, j] += np.sum(a[i] * b[:, j])


#numptx export of_wide(int64[:,:], int64[:,:])
#numptx export of_wide(uint64[:,:], uint64[:,:])
# run: of_wide(integers(-2**63, 2**63 - 1, (37, 45)), integers(-2**63, 2**63 - 1, (41, 45)))
# run: of_wide(integers(-2**63, 2**63 - 1, (37, 45), uint64), integers(-2**63, 2**63 - 1, (41, 45), uint64))
# run: of_wide(integers(-9, 9, (45, 37))[::-1].T, integers(-9, 9, (41, 90))[::-1, ::2])
# run: of_wide(zeros((4, 0), dtype=int64), zeros((5, 0), dtype=int64))
def of_wide(a, b):
    return np.ascontiguousarray(np.sum(a[:, None] * b[None], axis=2)), np.sum(a * a, axis=1), np.sum(a[:4, :4] * b[:4, :4])


#numptx export of_narrow(int32[:,:], int32[:,:])
# run: of_narrow(integers(-2**31, 2**31, (37, 45), int32), integers(-2**31, 2**31, (41, 45), int32))
# run: of_narrow(zeros((4, 0), dtype=int32), zeros((5, 0), dtype=int32))
def of_narrow(a, b):
    return np.ascontiguousarray(np.sum(a[:, None] * b[None], axis=2, dtype=np.int32))


#numptx export of_narrow_in_wide(int32[:,:], int32[:,:])
# run: of_narrow_in_wide(integers(-2**31, 2**31, (37, 45), int32), integers(-2**31, 2**31, (41, 45), int32))
def of_narrow_in_wide(a, b):
    # NumPy's sum of integers of 32 bits has 64, its products have not.
    return np.ascontiguousarray(np.sum(a[:, None] * b[None], axis=2))


#numptx export of_other_widths(int8[:,:], int16[:,:], uint8[:,:], bool[:,:], int32[:,:], int64[:,:])
# run: of_other_widths(integers(-128, 128, (40, 40), int8), integers(-2**15, 2**15, (40, 40), int16), integers(0, 256, (40, 40), uint8), integers(0, 2, (40, 40)) > 0, integers(-2**31, 2**31, (40, 40), int32), integers(-2**63, 2**63 - 1, (40, 40)))
def of_other_widths(a, b, c, d, e, f):
    return a @ a, b @ b, c @ c, d @ d, a @ b, c @ e, e @ f, d @ f
