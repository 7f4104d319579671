"""Sorting and searching."""
import numpy as np

#numptx export in_order(float64[:])
# run: in_order(random(100))
# run: in_order(random(1))
# run: in_order(random(0))
# run: in_order(random(64)[::-1])
# run: in_order(random(130)[::-2])
# run: in_order(array([3.0, nan, -inf, inf, nan, 1e-320, -2.0]))
# run: in_order(zeros(7))
def in_order(x):
    return np.sort(x), np.unique(x), np.median(x), x


#numptx export rows_in_order(int32[:,:])
# run: rows_in_order(integers(-50, 50, (5, 7), dtype=int32))
# run: rows_in_order(integers(-50, 50, (5, 7), dtype=int32).T)
# run: rows_in_order(integers(-50, 50, (0, 7), dtype=int32))
def rows_in_order(x):
    return np.sort(x), np.sort(x, axis=0), np.sort(x, axis=None), np.unique(x)


#numptx export sorted_in_place(float32[:,:])
# run: sorted_in_place(random((5, 7), dtype=float32))
# run: sorted_in_place(random((5, 8), dtype=float32)[::-1, ::2])
def sorted_in_place(x):
    x.sort()
    x[:, 0].sort()


#numptx export orders(int64[:], float64[:])
# run: orders(integers(0, 5, 40), random(33))
# run: orders(arange(0), array([nan, 1.0, nan, -1.0]))
def orders(k, x):
    return np.argsort(k, kind="stable"), np.argsort(x, kind="stable"), x[np.argsort(x, kind="stable")]


#numptx export order_of_rows(float64[:,:])
# run: order_of_rows(random((4, 9)))
def order_of_rows(x):
    return np.argsort(x), np.argsort(x, axis=0), x.argsort(axis=1)


#numptx export medians(float64[:,:])
# run: medians(random((4, 5)))
# run: medians(random((4, 6)).T)
# run: medians(array([[1.0, nan, 3.0], [4.0, 6.0, 5.0]]))
def medians(x):
    return np.median(x), np.median(x, axis=0), np.median(x, axis=1)


#numptx export places(float64[:], float64[:])
# run: places(arange(5.0), random(20) * 6 - 1)
# run: places(array([1.0, 1.0, 2.0, 2.0, 2.0, 3.0]), array([0.0, 1.0, 2.0, 2.5, 3.0, 4.0, nan, inf, -inf]))
# run: places(arange(0.0), arange(3.0))
# run: places(arange(3.0), arange(0.0))
# run: places(array([1.0, 2.0, nan]), array([nan, 1.5]))
def places(a, v):
    return np.searchsorted(a, v), np.searchsorted(a, v, side="right"), np.searchsorted(a, v[:, None])


#numptx export searched_among_others(int64[:], float64[:])
#numptx export searched_among_others(float64[:], int64[:])
#numptx export searched_among_others(uint64[:], int64[:])
#numptx export searched_among_others(complex128[:], float64[:])
#numptx export searched_among_others(float32[:], float16[:])
# run: searched_among_others(array([1, 2, 3]), array([nan, 2.0, -1.0, inf]))
# run: searched_among_others(array([1.0, 2.0, nan]), array([5, 0, 2]))
# run: searched_among_others(array([1, 2, 9007199254740993], dtype=uint64), array([9007199254740992, -1, 2]))
# run: searched_among_others(array([1 + 2j, 2, nan]), array([1.0, nan, 3.0]))
# run: searched_among_others(array([0.1, 0.5, inf], dtype=float32), array([0.1, nan, 0.5]).astype(float16))
# run: searched_among_others(zeros(0, dtype=int64), array([1.0, nan]))
# run: searched_among_others(arange(5.0), zeros(0, dtype=int64))
def searched_among_others(a, v):
    return np.searchsorted(a, v), np.searchsorted(a, v, "right")


#numptx export bins(float64[:], float64[:])
# run: bins(random(20) * 6 - 1, arange(5.0))
# run: bins(array([0.0, 1.0, 2.0]), array([0.0, 1.0, 2.0]))
def bins(x, edges):
    return np.digitize(x, edges), np.digitize(x, edges, right=True)
