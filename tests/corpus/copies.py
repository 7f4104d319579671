"""Memory order of copies: axes by their strides, those along which elements repeat innermost. Results of ufuncs leave repeated axes where C order has them."""

import numpy as np


#numptx export copies(float64[:,:,:])
# run: copies(broadcast_to(arange(3.0)[:, None], (2, 3, 4)))
# run: copies(broadcast_to(arange(4.0), (2, 3, 4)))
# run: copies(broadcast_to(arange(2.0)[:, None, None], (2, 3, 4)))
# run: copies(broadcast_to(random((4, 2)).T[:, None], (2, 3, 4)))
# run: copies(random((2, 3, 4)).transpose(2, 0, 1)[:, ::-1])
# run: copies(random((2, 1, 4)).transpose(2, 1, 0)[::2])
# run: copies(random((3, 3, 3))[::-1, ::-1].transpose(1, 2, 0))
# run: copies(lib.stride_tricks.sliding_window_view(arange(8.0), 3)[:, :, None])
# run: copies(lib.stride_tricks.sliding_window_view(arange(8.0), (3,), axis=0).T[None])
# run: copies(broadcast_to(random(1), (2, 3, 4)))
# run: copies(broadcast_to(arange(3.0)[:, None], (0, 3, 4)))
def copies(x):
    return (
        np.copy(x),
        x.copy("K"),
        np.array(x),
        x.astype(np.float32),
        np.asarray(x, dtype=np.float32),
        np.zeros_like(x),
        np.ones_like(x),
        np.full_like(x, 2.0),
        np.nan_to_num(x),
        np.roll(x, 1, 0),
        x + 1.0,
        x.copy("A"),
        x.copy(),
    )


#numptx export of_broadcasts(float64[:,:])
# run: of_broadcasts(random((3, 4)))
# run: of_broadcasts(random((4, 3)).T)
# run: of_broadcasts(random((1, 3)))
# run: of_broadcasts(random((0, 3)))
def of_broadcasts(x):
    n, m = x.shape
    return (
        np.copy(np.broadcast_to(x, (2, n, m))),
        np.copy(np.broadcast_to(x[:, None], (n, 3, m))),
        np.copy(np.broadcast_to(x + 1.0, (2, n, m))),
        np.array(np.broadcast_to(x[:, :, None], (n, m, 2))),
        np.copy(np.broadcast_to(x[:, :, None], (n, m, 2)) * 2.0),
        np.zeros_like(np.broadcast_to(x.T, (2, m, n))),
    )


# Copies that are computed where they are read show their order in what is made of them.
#numptx export read_again(float64[:,:,:], float64[:,:,:])
# run: read_again(random((2, 3, 4)), random((2, 3, 4)))
# run: read_again(broadcast_to(arange(3.0)[:, None], (2, 3, 4)), random((2, 3, 4)))
# run: read_again(broadcast_to(arange(2.0)[:, None, None], (2, 3, 4)), broadcast_to(arange(4.0), (2, 3, 4)))
# run: read_again(random((4, 2, 3)).transpose(1, 2, 0), random((2, 3, 4)))
# run: read_again(broadcast_to(random((4, 2)).T[:, None], (2, 3, 4)), random((4, 2, 3)).transpose(1, 2, 0))
# run: read_again(lib.stride_tricks.sliding_window_view(arange(6.0), 4)[:2, None], random((2, 1, 4)))
def read_again(x, w):
    narrow = x.astype(np.float32)
    return (
        np.copy(x) + 1.0,
        np.copy(x) + w,
        np.copy(x + w),
        np.copy(x)[1:] * 2.0,
        np.copy(x)[:, ::2] * 2.0,
        np.copy(x[:, ::2])[::-1] * 2.0,
        np.copy(x).T - 1.0,
        np.sum(narrow, axis=1),
        np.copy(np.copy(x).T),
        np.copy(x[0]) + w[0],
    )


#numptx export in_one_kernel(float64[:,:,:])
# run: in_one_kernel(random((2, 3, 4)))
# structure: launches==1 allocs==1 copies==0
# run: in_one_kernel(broadcast_to(arange(3.0)[:, None], (2, 3, 4)))
# structure: launches==1 allocs==1 copies==0
def in_one_kernel(x):
    return np.copy(np.copy(x)[1:, ::-1] + 1.0)


#numptx export sum_in_one_kernel(float64[:,:,:])
# run: sum_in_one_kernel(random((2, 3, 4)).T)
# structure: launches==1 allocs==1 copies==0
# run: sum_in_one_kernel(broadcast_to(arange(3.0)[:, None], (2, 3, 4)))
# structure: launches==1 allocs==1 copies==0
def sum_in_one_kernel(x):
    return np.sum(x.astype(np.float32), axis=0)


# Arrays put together: axes along which an array is 1 long abstain, those along which it repeats elements lie innermost.
#numptx export joined(int16[:,:,:], int16[:,:,:])
# run: joined(broadcast_to(arange(12).astype(int16).reshape(3, 4), (2, 3, 4)), broadcast_to(arange(12).astype(int16).reshape(3, 4), (2, 3, 4)))
# run: joined(broadcast_to(arange(12).astype(int16).reshape(3, 4), (2, 3, 4)), arange(24).astype(int16).reshape(2, 3, 4))
# run: joined(broadcast_to(arange(4).astype(int16), (2, 3, 4)), broadcast_to(arange(8).astype(int16).reshape(2, 1, 4), (2, 3, 4)))
# run: joined(arange(24).astype(int16).reshape(4, 3, 2).T, arange(24).astype(int16).reshape(4, 3, 2).T[:, ::-1])
# run: joined(arange(24).astype(int16).reshape(4, 3, 2).T[:1], arange(24).astype(int16).reshape(4, 3, 2).T[:1])
# run: joined(arange(24).astype(int16).reshape(4, 3, 2).T[:1], arange(24).astype(int16).reshape(3, 4, 2).transpose(2, 0, 1)[:1])
# run: joined(broadcast_to(arange(12).astype(int16).reshape(3, 4), (0, 3, 4)), arange(24).astype(int16).reshape(4, 3, 2).T)
def joined(x, y):
    return (
        np.concatenate((x,)),
        np.concatenate((x, y)),
        np.concatenate((x[:1], y[:1])),
        np.concatenate((x[:, :1], y, x), axis=1),
        np.concatenate((x[:, :, :1], x[:, :, :1]), axis=2),
        np.stack((x, x)),
        np.stack((x.T, x.T), axis=-1),
        np.vstack((x[0], x[0])),
        np.hstack((x[0], x[0].astype(np.float32))),
        np.concatenate((x + 1, x + 1)),
        np.concatenate(np.broadcast_arrays(x, 1)),
    )


# What the three prefer goes in a circle.
#numptx export joined_in_a_circle(float64[:,:,:,:], float64[:,:,:,:], float64[:,:,:,:])
# run: joined_in_a_circle(lib.stride_tricks.as_strided(arange(200.0), (4, 4, 2, 3), (96, 16, 48, 96)), lib.stride_tricks.as_strided(arange(9.0)[5:], (4, 4, 1, 3), (0, 0, 0, -8)), lib.stride_tricks.as_strided(arange(99.0)[50:], (4, 4, 1, 3), (-32, 16, 8, 8)))
def joined_in_a_circle(x, y, z):
    return np.concatenate((x, y, z), axis=2)


#numptx export joined_columns(float64[:,:] order(F))
# run: joined_columns(arange(12.0).reshape(4, 3).T)
# run: joined_columns(arange(4.0).reshape(4, 1).T)
def joined_columns(x):
    y = np.concatenate((x, x))
    return y, np.ravel(y, "K"), y.reshape((-1,), order="F"), np.concatenate((x[:1], x[1:2])), np.concatenate((x, x), axis=1)
