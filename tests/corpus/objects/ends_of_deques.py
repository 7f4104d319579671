"""Deques: searches, windows and rings, and what each method does."""

import collections
from collections import deque

import numpy as np


#numptx export levels(int list list, int)
# run: levels([[1, 2], [3], [3], []], 0)
# run: levels([[], [0]], 1)
# run: levels([[1]], 0)
def levels(neighbours, start):
    distances = {start: 0}
    waiting = deque([start])
    while waiting:
        node = waiting.popleft()
        for other in neighbours[node]:
            if other not in distances:
                distances[other] = distances[node] + 1
                waiting.append(other)
    return distances


#numptx export maxima_of_windows(float64[:], int)
# run: maxima_of_windows(array([1.0, 3.0, -1.0, -3.0, 5.0, 3.0]), 3)
# run: maxima_of_windows(array([2.0]), 1)
# run: maxima_of_windows(array([]), 2)
def maxima_of_windows(x, width):
    places = collections.deque()
    maxima = []
    for i in range(len(x)):
        while places and x[places[-1]] <= x[i]:
            places.pop()
        places.append(i)
        if places[0] <= i - width:
            places.popleft()
        if i >= width - 1:
            maxima.append(x[places[0]])
    return np.array(maxima)


#numptx export running_means(float list, int)
# run: running_means([1.0, 2.0, 4.0, 8.0], 2)
# run: running_means([], 0)
# run: running_means([1.0], -1)
def running_means(xs, n):
    window = deque(maxlen=n)
    means = []
    for x in xs:
        window.append(x)
        means.append(sum(window) / len(window))
    print(window, len(window))
    return means, np.sum(window), list(window)


#numptx export josephus(int, int)
# run: josephus(7, 3)
# run: josephus(1, 5)
# run: josephus(0, 1)
def josephus(n, step):
    ring = deque(range(n))
    gone = []
    while len(ring) > 1:
        ring.rotate(-(step - 1))
        gone.append(ring.popleft())
    gone.append(ring.pop())
    return gone


#numptx export every_method(int list)
# run: every_method([3, 1, 2])
# run: every_method([])
# run: every_method([5, 5, 5, 5, 5, 5, 5])
def every_method(xs):
    q = deque(xs)
    q.extend([7, 8])
    q.extendleft(xs)
    q.appendleft(9)
    q.rotate()
    q.insert(1, 100)
    other = q.copy()
    other.reverse()
    other.remove(8)
    print(q, other, deque("ab"), deque([1], 4))
    q[0] += 1
    q[-1] = 0
    del q[1]
    counts = q.count(5), q.index(0), 7 in q, 70 in q
    same = q == other, other == other.copy(), q != xs
    ordered = sorted(q), list(reversed(q)), [2 * v for v in q], max(q), min(other)
    other.clear()
    other.extend(q)
    other.extendleft(other)
    return list(q), counts, same, ordered, len(other), bool(deque()), [v for k, v in enumerate(other) if k % 2]


#numptx export limited(int)
# run: limited(3)
# run: limited(0)
# run: limited(1)
def limited(n):
    q = deque([1, 2, 3, 4], maxlen=n)
    q.append(5)
    q.appendleft(6)
    q.extend([7, 8])
    q.extendleft([9, 10])
    copied = q.copy()
    copied.append(11)
    print(q, copied)
    if n < 2:
        q.insert(0, 1)
    return list(q)


#numptx export changed_meanwhile(int list)
# run: changed_meanwhile([1, 2])
# run: changed_meanwhile([])
# run: changed_meanwhile([1])
def changed_meanwhile(xs):
    q = deque(xs)
    for v in q:
        if v == len(xs):
            q.append(v)
    return len(q)


#numptx export out_of_reach(int, int)
# run: out_of_reach(0, 0)
# run: out_of_reach(1, 5)
# run: out_of_reach(2, 0)
# run: out_of_reach(3, 0)
# run: out_of_reach(4, 9)
# run: out_of_reach(5, -3)
def out_of_reach(which, n):
    q = deque([1, 2])
    if which == 0:
        q.clear()
        return q.pop()
    if which == 1:
        return q[n]
    if which == 2:
        return q.index(7)
    if which == 3:
        q.remove(7)
    if which == 4:
        q[n] = 1
    if which == 5:
        del q[n]
    return 0
