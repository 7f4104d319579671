"""Views and copies of other shapes."""

import numpy as np


#numptx export reshapes(float64[:,:])
# run: reshapes(random((4, 6)))
# run: reshapes(random((6, 4)).T)
# run: reshapes(random((8, 6))[::2])
# run: reshapes(random((4, 12))[:, ::2])
# run: reshapes(random((4, 6))[::-1, ::-1])
# run: reshapes(random((1, 24)))
# run: reshapes(random((24, 1)))
# run: reshapes(random((1, 24)).T)
# run: reshapes(random((3, 8)))
# run: reshapes(random((3, 7)))
# run: reshapes(random((0, 7)))
def reshapes(x):
    return (
        x.reshape(4, 6),
        x.reshape((2, -1)),
        np.reshape(x, (2, 3, 4)),
        x.reshape(-1),
        x.ravel(),
        np.ravel(x),
        x.flatten(),
        x.reshape(24, 1),
        x.reshape(1, -1, 1),
    )


#numptx export reshape_f(float64[:,:])
# run: reshape_f(random((4, 6)))
# run: reshape_f(random((6, 4)).T)
# run: reshape_f(random((8, 6))[::2])
def reshape_f(x):
    return x.reshape((3, 8), order="F"), x.ravel("F"), x.ravel(order="C"), x.flatten("F")


#numptx export transposes(float64[:,:,:])
# run: transposes(random((2, 3, 4)))
# run: transposes(random((4, 3, 2)).T)
# run: transposes(random((1, 3, 1)))
# run: transposes(random((0, 3, 1)))
def transposes(x):
    return (
        x.T,
        x.transpose(),
        x.transpose(1, 0, 2),
        x.transpose((2, 0, 1)),
        np.transpose(x, (0, 2, 1)),
        np.transpose(x),
        np.swapaxes(x, 0, 2),
        np.moveaxis(x, 0, -1),
        x.swapaxes(0, 1),
        np.transpose(x, (-1, 0, 1)),
    )


#numptx export squeezes(float64[:,:,:])
# run: squeezes(random((1, 3, 1)))
# run: squeezes(random((1, 1, 1)))
# run: squeezes(random((1, 0, 1)))
# run: squeezes(random((2, 3, 1)))
def squeezes(x):
    return (
        np.squeeze(x, axis=0),
        x.squeeze(axis=(0, 2)),
        np.squeeze(x, -1),
        np.expand_dims(x, 0),
        np.expand_dims(x, -1),
        np.expand_dims(x, (0, 2)),
    )


#numptx export flips(float64[:,:])
# run: flips(random((3, 4)))
# run: flips(random((4, 3)).T)
# run: flips(random((0, 4)))
def flips(x):
    return np.flip(x), np.flip(x, 0), np.flip(x, axis=1), np.flip(x, (0, 1)), np.fliplr(x), np.flipud(x), np.flip(x)[0]


#numptx export then_store(float64[:,:])
# run: then_store(random((4, 6)))
# run: then_store(random((6, 4)).T)
# run: then_store(random((8, 6))[::2])
def then_store(x):
    y = x.reshape(-1)
    y[0] = 100.0
    z = x.ravel()
    z[1] = 200.0
    w = x.flatten()
    w[2] = 300.0
    v = x.T.reshape(-1)
    v[3] = 400.0
    return x, y, z, w


#numptx export attributes(float32[:,:])
# run: attributes(random((3, 4), dtype=float32))
# run: attributes(random((0, 4), dtype=float32))
def attributes(x):
    return (
        x.shape,
        x.ndim,
        x.size,
        x.itemsize,
        x.nbytes,
        len(x),
        x.shape[0],
        x.shape[-1],
        x.T.shape,
        x[0:1].shape[0] + 1,
    )


#numptx export joins(float64[:], float64[:])
# run: joins(random(3), random(4))
# run: joins(random(0), random(4))
def joins(x, y):
    return np.concatenate((x, y)), np.hstack((x, y)), np.concatenate([x, y, x])


#numptx export stacks(float64[:], float64[:])
# run: stacks(random(4), random(4))
def stacks(x, y):
    return np.stack((x, y)), np.vstack((x, y)), np.stack([x, y], axis=1)


#numptx export zero_d(float64[:])
# run: zero_d(random(4))
def zero_d(x):
    a = x[0:1].reshape(())
    return a, np.squeeze(x[1:2], axis=0), x.sum().shape, np.sum(x).ndim, a + 1, np.array(2.0) + x[0]


#numptx export rolls(float64[:], int)
# run: rolls(random(5), 2)
# run: rolls(random(5), -7)
# run: rolls(random(0), 1)
def rolls(x, n):
    return np.roll(x, n), np.roll(x, 1)


#numptx export diffs(float64[:], int32[:,:])
# run: diffs(random(6), integers(0, 9, (3, 4), dtype=int32))
# run: diffs(random(0), integers(0, 9, (1, 1), dtype=int32))
def diffs(x, y):
    return np.diff(x), np.diff(y), np.diff(y, axis=0)


#numptx export joined_columns(float64[:,:])
# run: joined_columns(random((4, 3)))
# run: joined_columns(random((4, 2)))
# run: joined_columns(random((1, 5)))
def joined_columns(x):
    last = x[:, -2::2].T
    return np.concatenate((last, last)), np.concatenate((x[1:].T, x[:-1].T), axis=1)
