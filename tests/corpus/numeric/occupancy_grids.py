"""Maps of robots: cells that beams hit and pass, log-odds, distances to walls, and the free cells at the edge of the unknown."""

import numpy as np

HIT, PASSED, LIMIT = 0.75, -0.25, 4.0


def cells_of(places, origin, size, shape):
    """The cells that places lie in, and which places are on the map."""
    cells = np.floor((places - origin) / size).astype(np.int64)
    inside = ((cells >= 0) & (cells < np.array(shape))).all(axis=-1)
    return cells, inside


#numptx export mapped(float64[:], float64[:], float64[3], int, int)
# run: mapped(random(20) * 4 + 0.5, linspace(-1.5, 1.4, 20), array([0.03, 2.11, 0.2]), 12, 10)
# run: mapped((random(36) * 3)[::-2], random(18) * 6, array([1.51, 1.37, 0.1]), 7, 9)
# run: mapped(array([nan, 2.1, 99.0]), array([0.1, 0.3, 0.7]), array([0.21, 0.33, 0.0]), 5, 5)
# run: mapped(zeros(0), zeros(0), zeros(3), 2, 1)
def mapped(ranges, bearings, pose, height, width):
    """A scan drawn into an empty map of cells of half a metre: what a beam passes becomes free, what it ends in occupied. Multiples of a quarter are exact."""
    shape = (height, width)
    beam = bearings + pose[2]
    directions = np.stack((np.sin(beam), np.cos(beam)), axis=1)
    start = np.array([pose[1], pose[0]])
    hits, on_map = cells_of(start + ranges[:, None] * directions, np.zeros(2), 0.5, shape)
    valid = on_map & np.isfinite(ranges) & (ranges < 30.0)
    steps = np.arange(0.0, 4.0, 0.25)
    passed, seen = cells_of(start + steps[:, None, None] * directions, np.zeros(2), 0.5, shape)
    seen &= steps[:, None] < np.nan_to_num(ranges) - 0.5
    odds = np.zeros(shape, dtype=np.float32)
    free = np.unique(np.ravel_multi_index(tuple(passed[seen].T), shape))
    odds.flat[free] += np.float32(PASSED)
    np.add.at(odds, tuple(hits[valid].T), np.float32(HIT))
    return np.clip(odds, -LIMIT, LIMIT), np.bincount(np.ravel_multi_index(tuple(hits[valid].T), shape), minlength=odds.size)


#numptx export distances_to_walls(bool[:,:])
# run: distances_to_walls(random((7, 9)) > 0.8)
# run: distances_to_walls((random((9, 12)) > 0.9).T[::-2])
# run: distances_to_walls(zeros((2, 3), bool))
def distances_to_walls(walls):
    """Of each cell to the nearest wall, in cells: by columns, then by rows of those; infinite where there is none."""
    rows = np.arange(walls.shape[0])
    apart = np.abs(np.subtract.outer(rows, rows)).astype(np.float64)
    in_column = np.min(np.where(walls[None, :, :], apart[:, :, None], np.inf), axis=1, initial=np.inf)
    columns = np.arange(walls.shape[1])
    squares = np.square(np.subtract.outer(columns, columns))
    return np.sqrt(np.min(in_column[:, None, :] ** 2 + squares, axis=2, initial=np.inf))


#numptx export frontiers(float32[:,:])
# run: frontiers((integers(-2, 3, (6, 7)) / 2).astype(float32))
# run: frontiers((integers(-1, 2, (10, 4)) / 2).astype(float32)[::-2].T)
# run: frontiers(zeros((1, 1), float32))
def frontiers(odds):
    """Free cells beside unknown ones, their mean place, and how uncertain the map is, in bits."""
    unknown = np.pad(odds == 0, 1)
    beside = unknown[:-2, 1:-1] | unknown[2:, 1:-1] | unknown[1:-1, :-2] | unknown[1:-1, 2:]
    cells = np.argwhere((odds < 0) & beside)
    share = 1.0 / (1.0 + np.exp(-odds.astype(np.float64)))
    bits = -share * np.log2(share) - (1.0 - share) * np.log2(1.0 - share)
    middle = cells.mean(axis=0) if len(cells) > 0 else np.full(2, np.nan)
    return cells, middle, bits.sum()
