"""The median of the last values of a stream: a queue of values as they came, and a list of them kept in order."""

import numpy as np


def position(ordered, value):
    low, high = 0, len(ordered)
    while low < high:
        middle = (low + high) // 2
        if ordered[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low


#numptx export running_median(float64[:], int)
# run: running_median(array([5.0, 1.0, 4.0, 4.0, -2.0, 8.0]), 3)
# run: running_median(array([]), 3)
# run: running_median(array([2.0, inf, -inf, 1.0]), 2)
# run: running_median(array([1.0, 2.0])[::-1], 0)
def running_median(x, window):
    assert window > 0, "the window is empty"
    recent = [0.0 for _ in range(0)]
    ordered = recent.copy()
    medians = np.empty(len(x))
    for i in range(len(x)):
        value = float(x[i])
        recent.append(value)
        ordered.insert(position(ordered, value), value)
        if len(recent) > window:
            ordered.remove(recent.pop(0))
        half = len(ordered) // 2
        if len(ordered) % 2 == 1:
            medians[i] = ordered[half]
        else:
            medians[i] = 0.5 * (ordered[half - 1] + ordered[half])
    return medians


#numptx export maxima_of_windows(float64[:], int)
# run: maxima_of_windows(array([3.0, 1.0, 2.0, 5.0, 4.0]), 2)
# run: maxima_of_windows(array([7.0]), 3)
# run: maxima_of_windows(-arange(6.0), 3)
def maxima_of_windows(x, w):
    queue = []
    out = []
    for i in range(len(x)):
        while queue and x[queue[-1]] <= x[i]:
            queue.pop()
        queue.append(i)
        if queue[0] <= i - w:
            queue.pop(0)
        if i >= w - 1:
            out.append(x[queue[0]])
    return np.array(out), queue
