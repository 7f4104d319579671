"""Deques of tuples, of strings and of arrays, in lists and in dictionaries."""

from collections import deque

import numpy as np


#numptx export shortest_path(str list, (int, int), (int, int))
# run: shortest_path(["..#", "...", "#.."], (0, 0), (2, 2))
# run: shortest_path([".#", "#."], (0, 0), (1, 1))
# run: shortest_path(["."], (0, 0), (0, 0))
def shortest_path(maze, start, end):
    waiting = deque([(start, 0)])
    seen = {start}
    while waiting:
        (i, j), steps = waiting.popleft()
        if (i, j) == end:
            return steps
        for di, dj in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            a, b = i + di, j + dj
            if 0 <= a < len(maze) and 0 <= b < len(maze[0]) and maze[a][b] != "#" and (a, b) not in seen:
                seen.add((a, b))
                waiting.append(((a, b), steps + 1))
    return -1


#numptx export served(str list, int)
# run: served(["ann", "bo", "cy"], 2)
# run: served([], 1)
# run: served(["x"], 3)
def served(names, n):
    desks = [deque() for _ in range(n)]
    for k, name in enumerate(names):
        desks[k % n].append(name)
    order = []
    while any(len(desk) > 0 for desk in desks):
        for desk in desks:
            if desk:
                order.append(desk.popleft())
    return order


#numptx export delayed(float64[:], int)
# run: delayed(arange(6.0), 2)
# run: delayed(arange(3.0), 0)
# run: delayed(array([]), 1)
def delayed(x, delay):
    held = deque()
    out = np.zeros(len(x))
    for t in range(len(x)):
        held.append(np.array([x[t], 2.0 * x[t]]))
        if len(held) > delay:
            out[t] = held.popleft().sum()
    return out


#numptx export by_name(str list)
# run: by_name(["a", "b", "a", "a"])
# run: by_name([])
# run: by_name(["é", "é"])
def by_name(names):
    places = {}
    for k, name in enumerate(names):
        if name not in places:
            places[name] = deque(maxlen=2)
        places[name].append(k)
    return [(name, list(q)) for name, q in places.items()]


#numptx export turned(str)
# run: turned("abcde")
# run: turned("")
# run: turned("é")
def turned(text):
    letters = deque(text)
    turns = []
    for k in range(-3, 4):
        letters.rotate(k)
        turns.append("".join(letters))
    return turns


#numptx export both_ends(int)
# run: both_ends(200)
# run: both_ends(0)
# run: both_ends(1)
def both_ends(n):
    q = deque()
    total = 0
    for k in range(n):
        q.append(k)
        q.appendleft(-k)
        if k % 3 == 0:
            total += q.popleft() * k
        if k % 5 == 0:
            total += q.pop()
    return total, len(q), list(q)
