"""Water on terrain: directions of steepest descent, how much flows through each cell, depressions filled, slope and aspect."""

import numpy as np

OFFSETS = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))


def neighbours(height):
    """Heights of the eight cells around each, along a new first axis; infinite outside."""
    n_rows, n_columns = height.shape
    padded = np.pad(height, 1, constant_values=np.inf)
    return np.stack([padded[1 + i : 1 + i + n_rows, 1 + j : 1 + j + n_columns] for i, j in OFFSETS])


#numptx export accumulated(float64[:,:])
# run: accumulated(random((7, 8)))
# run: accumulated((random((6, 10)) + arange(10.0))[::-1, ::-2].T)
# run: accumulated(ones((1, 1)))
def accumulated(height):
    """Where each cell drains to, -1 for pits, and how many cells drain through each, itself included; cells are gone through from the highest on."""
    offsets = np.array(OFFSETS)
    distance = np.hypot(offsets[:, 0], offsets[:, 1])
    drop = (height - neighbours(height)) / distance[:, None, None]
    steepest = np.argmax(drop, axis=0)
    flows = np.take_along_axis(drop, steepest[None], axis=0)[0] > 0
    place = np.indices(height.shape) + np.moveaxis(offsets[steepest], -1, 0)
    row, column = place[0][flows], place[1][flows]
    target = np.full(height.shape, -1)
    target[flows] = np.ravel_multi_index((row, column), height.shape)
    amount = np.ones(height.size, dtype=np.int64)
    for cell in np.argsort(height, axis=None)[::-1]:
        below = target.ravel()[cell]
        if below >= 0:
            amount[below] += amount[cell]
    return target, amount.reshape(height.shape), np.count_nonzero(target < 0)


#numptx export filled(float64[:,:])
# run: filled(random((7, 7)))
# run: filled(random((5, 12))[:, ::-2].T)
# run: filled(array([[3.0, 1.0, 2.0]]))
def filled(height):
    """Depressions filled up to where they overflow, and the water that takes; Planchon and Darboux's sweeps until nothing changes."""
    edge = np.ones(height.shape, dtype=bool)
    edge[1:-1, 1:-1] = False
    water = np.where(edge, height, np.inf)
    while True:
        lower = np.maximum(height, np.minimum(water, neighbours(water).min(axis=0)))
        lower = np.where(edge, height, lower)
        if np.array_equal(lower, water):
            break
        water = lower
    return water, np.sum(water - height), np.argwhere(water > height)


#numptx export relief(float32[:,:], float)
# tolerance: 1e-4
# run: relief(random((6, 8), float32) * float32(30.0), 10.0)
# run: relief((random((9, 10), float32) * float32(9.0))[::-2, ::3], 2.0)
# run: relief(array([[1.0, 2.0], [1.0, 3.0]], float32), 1.0)
def relief(height, spacing):
    """Slope in degrees, hill shading of a light from north-west, and the hypsometric curve."""
    down, right = np.gradient(height, np.float32(spacing))
    slope = np.arctan(np.hypot(down, right))
    light = np.array([-0.5, -0.5, np.sqrt(0.5)], dtype=np.float32)
    normals = np.dstack((-right, -down, np.ones_like(height)))
    normals /= np.linalg.norm(normals, axis=2, keepdims=True)
    shade = np.clip(np.tensordot(normals, light, axes=1), 0, None)
    return np.rad2deg(slope), shade, np.quantile(height, [0.1, 0.5, 0.9])


#numptx export highest_walk(int64[:,:])
# run: highest_walk(integers(0, 50, (5, 6)))
# run: highest_walk(integers(0, 9, (8, 4))[::-2].T)
# run: highest_walk(zeros((1, 0), int64))
def highest_walk(height):
    """The longest walk that always climbs, to a side neighbour; how long it is from each cell on."""
    length = np.zeros_like(height)
    order = np.argsort(-height, axis=None, kind="stable")
    for i, j in zip(*np.unravel_index(order, height.shape)):
        for di, dj in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            a, b = i + di, j + dj
            if 0 <= a < height.shape[0] and 0 <= b < height.shape[1] and height[a, b] > height[i, j]:
                length[i, j] = max(length[i, j], length[a, b] + 1)
    return length, [(i, j) for (i, j), v in np.ndenumerate(length) if v == length.max()][:2]
