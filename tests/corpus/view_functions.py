"""Functions that give views: they launch nothing, allocate nothing and copy nothing, and what is written through them is shared."""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view


#numptx export turned(float64[:,:])
# run: turned(random((3, 4)))
# structure: launches=0 allocs=0 copies=0
# run: turned(random((4, 3)).T)
# run: turned(random((6, 8))[::-2, ::2])
# run: turned(random((0, 4)))
# run: turned(random((1, 1)))
def turned(a):
    return (
        np.rot90(a),
        np.rot90(a, 2),
        np.rot90(a, -1),
        np.rot90(a, 4),
        np.rot90(a, 3, axes=(1, 0)),
        np.flip(a),
        np.flip(a, (0, 1)),
        np.flip(a, -1),
        np.flip(a, ()),
        np.fliplr(a),
        np.flipud(a),
    )


#numptx export turned_cube(float64[:,:,:])
# run: turned_cube(random((2, 3, 4)))
# structure: launches=0 allocs=0 copies=0
# run: turned_cube(random((4, 3, 2)).T)
def turned_cube(a):
    return np.rot90(a, 1, (0, 2)), np.rot90(a, 3, (2, 1)), np.flip(a, (2, 0)), np.rot90(a, 2, (-1, -2))


#numptx export moved(float64[:,:,:])
# run: moved(random((2, 3, 4)))
# structure: launches=0 allocs=0 copies=0
# run: moved(random((4, 3, 2)).T)
# run: moved(random((4, 6, 4))[::2, ::-2])
# run: moved(random((2, 0, 4)))
def moved(a):
    return (
        np.rollaxis(a, 2),
        np.rollaxis(a, 0, 3),
        np.rollaxis(a, 1, 1),
        np.rollaxis(a, -1, -2),
        np.moveaxis(a, (0, 1), (-1, 0)),
        np.moveaxis(a, 0, 0),
        np.swapaxes(a, 0, -1),
        a.swapaxes(1, 1),
        a.transpose(1, 2, 0),
        a.transpose((2, 0, 1)),
        a.transpose(None),
        np.permute_dims(a, (0, 2, 1)),
        a.mT,
        np.matrix_transpose(a),
        np.expand_dims(a, (0, -1)),
        np.expand_dims(a, ()),
        np.atleast_3d(a),
    )


#numptx export unit_axes(float64[:,:], float64[3])
# run: unit_axes(random((1, 4)), random(3))
# structure: launches=0 allocs=0 copies=0
# run: unit_axes(random((4, 1)).T, random(6)[::2])
# run: unit_axes(random((2, 4)), random(3))
def unit_axes(a, x):
    return np.squeeze(a, 0), a.squeeze(axis=(0,)), np.squeeze(a[None], (0, 1)), np.squeeze(x), np.squeeze(a, ())


#numptx export more_axes(float64, float64[:], float64[:,:])
# run: more_axes(2.0, random(3), random((2, 3)))
# run: more_axes(2.0, random(6)[::-2], random((3, 2)).T)
def more_axes(s, x, a):
    return (
        np.atleast_1d(x),
        np.atleast_2d(x),
        np.atleast_3d(x),
        np.atleast_3d(a),
        np.atleast_2d(a),
        np.atleast_1d(s),
        np.atleast_2d(s),
        np.atleast_3d(s),
    )


#numptx export diagonals(float64[:,:], int)
# run: diagonals(random((4, 4)), 1)
# structure: launches=0 allocs=0 copies=0
# run: diagonals(random((3, 5)), -1)
# run: diagonals(random((5, 3)).T, 2)
# run: diagonals(random((6, 8))[::-2, ::2], 0)
# run: diagonals(random((3, 5)), 7)
# run: diagonals(random((3, 5)), -7)
# run: diagonals(random((0, 5)), 0)
# run: diagonals(random((3, 0)), 1)
# run: diagonals(random((1, 1)), 0)
# run: diagonals(broadcast_to(arange(3.0), (3, 3)), -1)
def diagonals(a, k):
    return np.diagonal(a), a.diagonal(1), a.diagonal(-2), np.diagonal(a, k), np.diagonal(a, axis1=1, axis2=0), a.diagonal(-k)


#numptx export diagonals_of_cube(int64[:,:,:])
# run: diagonals_of_cube(integers(0, 9, (2, 3, 4)))
# structure: launches=0 allocs=0 copies=0
# run: diagonals_of_cube(integers(0, 9, (4, 3, 2)).T)
# run: diagonals_of_cube(integers(0, 9, (4, 3, 8))[::-2, :, ::2])
def diagonals_of_cube(a):
    return (
        np.diagonal(a),
        np.diagonal(a, 1, 1, 2),
        np.diagonal(a, -1, 0, 2),
        np.diagonal(a, 0, 2, 0),
        np.diagonal(a, axis1=-1, axis2=-2)[::-1].T,
        np.linalg.diagonal(a, offset=1),
    )


#numptx export traces(int8[:,:], float32[:,:,:], bool[:,:], int)
# run: traces(integers(-100, 100, (3, 4), dtype=int8), random((2, 3, 4), dtype=float32), random((3, 3)) < 0.5, 1)
# run: traces(integers(-100, 100, (3, 0), dtype=int8), random((0, 3, 4), dtype=float32), random((3, 1)) < 0.5, -1)
# run: traces(integers(-100, 100, (4, 3), dtype=int8).T, random((4, 3, 2), dtype=float32).T, random((3, 3)).T < 0.5, 9)
def traces(a, b, c, k):
    return np.trace(a), a.trace(k), np.trace(b), b.trace(1, 1, 2), np.trace(c), np.trace(a, dtype=np.float32), b.trace(k, axis1=2)


#numptx export diagonal_arithmetic(float64[:,:])
# run: diagonal_arithmetic(random((4, 4)))
# run: diagonal_arithmetic(random((4, 4)).T)
# run: diagonal_arithmetic(random((3, 5)))
def diagonal_arithmetic(a):
    d = a.diagonal()
    total = np.sum(d * d)
    b = a * 2.0
    e = (b + 1.0).diagonal() + d
    a[0] = -a.diagonal()[0]
    a[:, 1] += d[1]
    return total, e, d, np.diagonal(a + a.T, 1), a.T.diagonal()[::-1]


#numptx export overwritten_diagonal(float64[:,:])
# run: overwritten_diagonal(random((4, 4)))
# run: overwritten_diagonal(random((4, 4))[::-1])
def overwritten_diagonal(a):
    a[0] = a.diagonal()
    a[:, -1] = a.diagonal()[::-1] + a[-1]
    a += a.diagonal()
    return a


#numptx export windows_of(float64[:], int)
# run: windows_of(random(8), 3)
# structure: launches=0 allocs=0 copies=0
# run: windows_of(random(8)[::-1], 8)
# run: windows_of(random(8)[::2], 1)
# run: windows_of(random(8), 0)
# run: windows_of(random(2), 2)
# run: windows_of(random(2), 3)
# run: windows_of(random(2), -1)
# run: windows_of(broadcast_to(2.0, 5), 2)
def windows_of(x, n):
    w = sliding_window_view(x, n)
    return w, w[::2], sliding_window_view(x, (2,)), w.T, w[-1]


#numptx export windows_of_matrix(float64[:,:])
# run: windows_of_matrix(random((4, 5)))
# structure: launches=0 allocs=0 copies=0
# run: windows_of_matrix(random((5, 4)).T)
# run: windows_of_matrix(random((8, 5))[::-2, ::-1])
# run: windows_of_matrix(random((2, 2)))
# run: windows_of_matrix(random((3, 1)))
# run: windows_of_matrix(random((3, 0)))
def windows_of_matrix(a):
    return (
        sliding_window_view(a, (2, 2)),
        sliding_window_view(a, 2, axis=0),
        sliding_window_view(a, 2, -1),
        sliding_window_view(a, (2, 1), axis=(1, 1)),
        np.lib.stride_tricks.sliding_window_view(a, (), axis=()),
        sliding_window_view(a[None], (1, 2), (0, 1))[0, ..., 0, :],
    )


#numptx export moving_sums(float64[:], int)
# run: moving_sums(random(20), 4)
# run: moving_sums(random(40)[::-2], 4)
# run: moving_sums(random(4), 4)
# run: moving_sums(random(20), 1)
# run: moving_sums(random(20), 0)
def moving_sums(x, n):
    w = sliding_window_view(x, n)
    y = x * 2.0
    v = sliding_window_view(y + 1.0, n)
    return w.sum(axis=-1), w.sum(axis=0), w * 2.0 - v, v.mean(axis=1), w @ w[0], np.sum(w)


#numptx export stencil_of_windows(float64[:,:])
# run: stencil_of_windows(random((6, 7)))
# run: stencil_of_windows(random((7, 6)).T)
# run: stencil_of_windows(random((3, 3)))
# run: stencil_of_windows(random((2, 3)))
def stencil_of_windows(a):
    w = sliding_window_view(a, (3, 3))
    b = w.sum(axis=(2, 3)) / 9.0
    a[1:-1, 1:-1] = w.max(axis=(-2, -1))
    return b, a, w[0, 0]


#numptx export overwritten_windows(float64[:])
# run: overwritten_windows(random(9))
# run: overwritten_windows(random(9)[::-1])
def overwritten_windows(x):
    w = sliding_window_view(x, 3)
    x[1:-1] = w[:, 0] + w[:, 1] + w[:, 2]
    x[:3] = w[4]
    x[2:] += w.sum(axis=1)
    return x, w


#numptx export rows_of_windows(float64[:], int)
# run: rows_of_windows(random(9), 3)
# run: rows_of_windows(random(9), 9)
def rows_of_windows(x, n):
    best = x[:n]
    for k, w in enumerate(sliding_window_view(x, n)):
        if w.sum() > best.sum():
            best = w
        x[k] *= 0.5
    return best, x


#numptx export common_shape(float64[:,:], float64[:], float64)
# run: common_shape(random((3, 4)), random(4), 2.0)
# structure: launches=1 allocs=1 copies=0
# run: common_shape(random((3, 4)), random(1), 2.0)
# run: common_shape(random((4, 1)).T, random(4)[::-1], 2.0)
# run: common_shape(random((3, 4)), random(3), 2.0)
# run: common_shape(random((0, 4)), random(4), 2.0)
def common_shape(a, x, s):
    b, y, t = np.broadcast_arrays(a, x, s)
    u, v = np.broadcast_arrays(x, x)
    return b.shape, y.shape, t.shape, u, v, np.sum(b * y - t)


#numptx export parts(complex128[:,:], complex64[:], float64[:])
# run: parts(random((2, 3)) + 1j, random(4, dtype=float32) + 0j, random(3))
# structure: launches=1 allocs=1 copies=0
# run: parts((random((3, 2)) + 1j).T, (random(8, dtype=float32) + 0j)[::-2], random(6)[::2])
# run: parts(zeros((0, 3)) + 1j, zeros(0, dtype=complex64), zeros(0))
def parts(z, w, x):
    return z.real, z.imag, np.real(w), np.imag(w), x.real, np.real(x), z.T.imag[::-1], x.imag


#numptx export stored_parts(complex128[:,:], float64[:,:])
# run: stored_parts(random((2, 3)) + 1j, random((2, 3)))
# run: stored_parts((random((3, 2)) + 1j).T, random((3, 2)).T)
# run: stored_parts(zeros((2, 3)) + 1j, random((1, 3)))
# run: stored_parts(zeros((0, 3)) + 1j, random((1, 3)))
# run: stored_parts(zeros((2, 3)) + 1j, random((1, 2)))
def stored_parts(z, x):
    z.real = x
    z.imag[1:] = 3.0
    z.imag += z.real
    z.real *= 2
    z[0].imag = -0.0
    z.T.real[0] -= 1
    np.real(z)[:, 0] = np.inf
    x.real = 5
    x.real += 1.5
    return z, x


#numptx export swapped_parts(complex64[:])
# run: swapped_parts(random(5, dtype=float32) + 1j * random(5, dtype=float32))
# run: swapped_parts((random(6, dtype=float32) + 1j * random(6, dtype=float32))[::-2])
def swapped_parts(z):
    z.real, z.imag = z.imag.copy(), z.real.copy()
    z[1:].real = z[:-1].imag
    z.imag = z.real[::-1]
    return z


#numptx export ravelled(float64[:,:])
# run: ravelled(random((3, 4)))
# run: ravelled(random((4, 3)).T)
# run: ravelled(random((6, 8))[::2, ::2])
# run: ravelled(random((3, 8))[:, ::-2])
# run: ravelled(random((3, 4))[::-1, ::-1])
# run: ravelled(random((1, 4)))
# run: ravelled(random((4, 1))[::-1])
# run: ravelled(random((0, 4)))
# run: ravelled(broadcast_to(arange(4.0), (3, 4)))
def ravelled(a):
    return (
        a.ravel(),
        a.ravel("F"),
        np.ravel(a, order="C"),
        a.reshape(-1),
        a.reshape(-1, order="F"),
        a.reshape((2, -1, 2), order="F"),
        a.reshape(a.shape),
        a.flatten(),
        a.flatten("F"),
        a.T.reshape(-1),
    )


#numptx export copied(float64[:,:])
# run: copied(random((3, 4)))
# run: copied(random((4, 3)).T)
# run: copied(random((6, 8))[::2, ::2])
def copied(a):
    b = np.asarray(a)
    c = a.copy()
    d = np.copy(a)
    e = np.array(a)
    f = np.array(a, copy=False)
    return b, c, d, e, f, np.ascontiguousarray(c), np.ascontiguousarray(c[0])


#numptx export every_order(float64[:,:,:])
# run: every_order(random((2, 3, 4)))
# run: every_order(random((4, 3, 2)).T)
# run: every_order(random((3, 2, 4)).transpose(1, 0, 2))
# run: every_order(random((4, 6, 4))[::2, ::2])
# run: every_order(random((2, 3, 4))[::-1, :, ::-1])
# run: every_order(random((4, 3, 2)).T[:, ::-1])
# run: every_order(random((1, 3, 4)).transpose(2, 0, 1))
# run: every_order(random((2, 0, 4)))
def every_order(a):
    n, m, k = a.shape
    return (
        a.ravel("A"),
        np.ravel(a, "K"),
        a.ravel(order="F"),
        a.reshape(n * m, k, order="A"),
        a.reshape(-1, order="A"),
        np.reshape(a, (k, n * m), order="F"),
        a.flatten("A"),
        a.flatten("K"),
        np.copy(a, order="A"),
        a.copy("K"),
        a.copy("A"),
        a.copy("F"),
        a.astype(np.float32, order="A"),
        a.imag,
    )


#numptx export orders_of_matrices(float64[:,:] order(F), float64[:,:] order(C), float64[:])
# run: orders_of_matrices(array(random((3, 4)), order="F"), random((3, 4)), random(8)[::-2])
# structure: copies=1
# run: orders_of_matrices(array(random((1, 4)), order="F"), random((4, 1)), random(4))
def orders_of_matrices(f, c, x):
    return (
        f.ravel("K"),
        f.ravel("A"),
        c.ravel("A"),
        c.ravel("K"),
        f.reshape(-1, order="A"),
        f.flatten("A"),
        np.asfortranarray(f),
        np.ascontiguousarray(c),
        x.ravel("K"),
        f.imag,
    )


#numptx export laid_out(float64[:,:], float64[:])
# run: laid_out(random((3, 4)), random(5))
# structure: copies=1
# run: laid_out(random((4, 3)).T, random(10)[::2])
# run: laid_out(random((6, 8))[::2, ::2], random(5)[::-1])
# run: laid_out(random((1, 4)), random(1))
# run: laid_out(random((0, 4)), random(0))
# run: laid_out(broadcast_to(arange(4.0), (1, 4)), broadcast_to(1.0, 3))
def laid_out(a, x):
    b, f = np.ascontiguousarray(a), np.asfortranarray(a)
    y = np.ascontiguousarray(x)
    return b, f, y, np.asfortranarray(x), np.ascontiguousarray(a, dtype=np.float32), np.ascontiguousarray(a[0])


#numptx export written_when_contiguous(float64[:,:])
# run: written_when_contiguous(random((3, 4)))
# run: written_when_contiguous(random((4, 3)).T)
# run: written_when_contiguous(random((3, 8))[:, ::2])
def written_when_contiguous(a):
    b = np.ascontiguousarray(a)
    b[0] = 1.0
    c = a.ravel("K")
    c[1:3] += 2.0
    return a, b, c


#numptx export windows_of_one(float64[:])
# run: windows_of_one(random(3))
# run: windows_of_one(random(0))
def windows_of_one(x):
    return sliding_window_view(x, 1)
