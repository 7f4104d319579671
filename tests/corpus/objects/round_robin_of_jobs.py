"""Jobs that take turns on one processor: a queue whose head goes to its end until the work is done."""

import numpy as np


#numptx export finishing_times(int list, int)
# run: finishing_times([5, 3, 8], 2)
# run: finishing_times([], 4)
# run: finishing_times([1], 100)
# run: finishing_times([3, 3], 0)
def finishing_times(work, quantum):
    if quantum <= 0:
        raise ValueError(f"quantum must be positive, got {quantum}")
    queue = [(job, left) for job, left in enumerate(work)]
    clock = 0
    finished = [0] * len(work)
    order = []
    while queue:
        job, left = queue.pop(0)
        used = min(quantum, left)
        clock += used
        if left > used:
            queue.append((job, left - used))
        else:
            finished[job] = clock
            order.append(job)
    return finished, order


#numptx export waiting_statistics(float64[:], float)
# run: waiting_statistics(array([4.0, 1.0, 2.5]), 1.0)
# run: waiting_statistics(array([]), 1.0)
# run: waiting_statistics(array([inf, 2.0]), inf)
def waiting_statistics(work, quantum):
    left = work.copy()
    ready = list(range(len(work)))
    clock = 0.0
    waited = np.zeros(len(work))
    while len(ready) > 0:
        job = ready[0]
        del ready[0]
        step = min(quantum, float(left[job]))
        for other in ready:
            waited[other] += step
        clock += step
        left[job] -= step
        if left[job] > 0:
            ready += [job]
    return waited, clock


#numptx export survivors_of_circle(int, int)
# run: survivors_of_circle(7, 3)
# run: survivors_of_circle(1, 5)
# run: survivors_of_circle(0, 2)
def survivors_of_circle(n, k):
    circle = list(range(1, n + 1))
    removed = []
    i = 0
    while len(circle) > 1:
        i = (i + k - 1) % len(circle)
        removed.append(circle.pop(i))
    return circle[0], removed
