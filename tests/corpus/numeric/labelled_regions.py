"""Connected regions of masks: labels by the least neighbour, areas, centres, boxes, and small regions removed."""

import numpy as np


def regions(mask):
    """Numbers from 1 on for the regions of a mask, 0 outside of them, and how many there are."""
    outside = mask.size
    labels = np.where(mask, np.arange(mask.size).reshape(mask.shape), outside)
    while True:
        around = np.pad(labels, 1, constant_values=outside)
        least = np.minimum.reduce([labels, around[:-2, 1:-1], around[2:, 1:-1], around[1:-1, :-2], around[1:-1, 2:]])
        spread = np.where(mask, least, outside)
        if np.array_equal(spread, labels):
            break
        labels = spread
    found = np.unique(labels[mask])
    return np.where(mask, np.searchsorted(found, labels) + 1, 0), len(found)


#numptx export measured(bool[:,:], float64[:,:])
# run: measured(random((9, 10)) > 0.5, random((9, 10)))
# run: measured((random((12, 7)) > 0.6)[::-2], random((7, 6)).T)
# run: measured(ones((1, 1), bool), random((1, 1)))
# run: measured(zeros((3, 4), bool), random((3, 4)))
def measured(mask, brightness):
    labels, n = regions(mask)
    flat = labels.ravel()
    areas = np.bincount(flat, minlength=n + 1)[1:]
    rows, columns = np.indices(mask.shape)
    centres = np.stack([np.bincount(flat, weights=place.ravel(), minlength=n + 1)[1:] / areas for place in (rows, columns)], axis=1)
    peaks = np.full(n + 1, -np.inf)
    np.maximum.at(peaks, flat, brightness.ravel())
    return labels, areas, centres, peaks[1:]


#numptx export boxes(bool[:,:])
# run: boxes(random((8, 8)) > 0.55)
# run: boxes(random((5, 12)).T > 0.5)
# run: boxes(zeros((0, 3), bool))
def boxes(mask):
    """The first and the last row and column of each region."""
    labels, n = regions(mask)
    first = np.full((n, 2), max(mask.shape))
    last = np.full((n, 2), -1)
    places = np.argwhere(mask)
    which = labels[mask] - 1
    np.minimum.at(first, which, places)
    np.maximum.at(last, which, places)
    return np.hstack((first, last))


#numptx export without_small(bool[:,:], int)
# run: without_small(random((9, 9)) > 0.5, 4)
# run: without_small((random((10, 9)) > 0.4)[:, ::-1], 2)
# run: without_small(ones((1, 5), bool), 6)
def without_small(mask, least):
    labels, n = regions(mask)
    areas = np.bincount(labels.ravel(), minlength=n + 1)
    areas[0] = 0
    return np.isin(labels, np.flatnonzero(areas >= least)) & mask
