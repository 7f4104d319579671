"""Heaps: shortest paths, merged rows, running medians, and the lists as Python lays them out."""

import heapq
from heapq import heappop, heappush

import numpy as np


#numptx export distances((int, float) list list, int)
# run: distances([[(1, 4.0), (2, 1.0)], [(3, 1.0)], [(1, 2.0), (3, 5.0)], []], 0)
# run: distances([[]], 0)
# run: distances([[(0, -1.0)], [(0, 1.0)]], 1)
def distances(neighbours, start):
    best = {start: 0.0}
    waiting = [(0.0, start)]
    while waiting:
        distance, node = heappop(waiting)
        if distance > best[node]:
            continue
        for other, length in neighbours[node]:
            through = distance + length
            if length >= 0.0 and (other not in best or through < best[other]):
                best[other] = through
                heappush(waiting, (through, other))
    return best


#numptx export laid_out(int list)
# run: laid_out([5, 3, 8, 1, 9, 2, 7])
# run: laid_out([])
# run: laid_out([1, 1, 1, 1])
def laid_out(xs):
    heap = list(xs)
    heapq.heapify(heap)
    pushed = []
    for x in xs:
        heapq.heappush(pushed, -x)
    shapes = [heap.copy(), pushed.copy()]
    taken = []
    while len(heap) > 2:
        taken.append(heapq.heappop(heap))
        taken.append(heapq.heapreplace(heap, taken[-1] + 4) if len(heap) < 4 else heapq.heappushpop(heap, 6))
        heapq.heappop(heap)
        shapes.append(heap.copy())
    return shapes, taken, heapq.nsmallest(2, xs), heapq.nlargest(3, xs), heapq.nlargest(-1, xs)


#numptx export empty_heap(int)
# run: empty_heap(0)
# run: empty_heap(1)
# run: empty_heap(2)
def empty_heap(which):
    heap = [1.0]
    heapq.heappop(heap)
    if which == 0:
        return heapq.heappop(heap)
    if which == 1:
        return heapq.heapreplace(heap, 2.0)
    return heapq.heappushpop(heap, 2.0)


#numptx export running_medians(float64[:])
# run: running_medians(array([5.0, 1.0, 3.0, 2.0]))
# run: running_medians(array([]))
# run: running_medians(array([1.0, 1.0]))
def running_medians(x):
    low, high = [], []
    medians = np.zeros(len(x))
    for i in range(len(x)):
        v = float(x[i])
        heapq.heappush(low, -heapq.heappushpop(high, v))
        if len(low) > len(high):
            heapq.heappush(high, -heapq.heappop(low))
        medians[i] = high[0] if len(high) > len(low) else 0.5 * (high[0] - low[0])
    return medians


#numptx export scheduled((int, str) list)
# run: scheduled([(3, "c"), (1, "a"), (1, "b"), (2, "é")])
# run: scheduled([])
# run: scheduled([(0, "")])
def scheduled(tasks):
    queue = []
    for k, (priority, name) in enumerate(tasks):
        heappush(queue, (priority, k, name))
    order = []
    while queue:
        priority, _, name = heappop(queue)
        order.append(f"{priority}:{name}")
    shortest = heapq.nsmallest(2, tasks, key=lambda task: len(task[1]))
    return order, shortest


#numptx export encoded(str)
# run: encoded("abracadabra")
# run: encoded("aa")
# run: encoded("xyzzy é")
def encoded(text):
    counts = {}
    for c in text:
        counts[c] = counts.get(c, 0) + 1
    heap = [(n, c) for c, n in counts.items()]
    heapq.heapify(heap)
    length = 0
    while len(heap) > 1:
        n, a = heapq.heappop(heap)
        m, b = heapq.heappop(heap)
        length += n + m
        heapq.heappush(heap, (n + m, min(a, b)))
    return length, heap[0][0]
