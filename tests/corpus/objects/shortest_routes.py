"""Shortest routes from one place to all others, with the open places in a list that is kept sorted."""

import numpy as np


#numptx export distances_from(int, (int,int,float) list, int)
# run: distances_from(4, [(0, 1, 1.0), (1, 2, 2.5), (0, 2, 5.0), (2, 3, 1.0)], 0)
# run: distances_from(1, [], 0)
# run: distances_from(3, [(0, 1, 2.0), (0, 1, 1.0), (1, 1, 0.0)], 0)
# run: distances_from(2, [(0, 1, -1.0)], 0)
# run: distances_from(2, [(0, 5, 1.0)], 0)
def distances_from(n, edges, source):
    neighbours = [[] for _ in range(n)]
    for a, b, length in edges:
        if length < 0:
            raise ValueError(f"edge {a}-{b} has the negative length {length}")
        neighbours[a].append((b, length))
        neighbours[b].append((a, length))
    distance = [float("inf")] * n
    distance[source] = 0.0
    done = set()
    frontier = [(0.0, source)]
    while frontier:
        frontier.sort(reverse=True)
        d, place = frontier.pop()
        if place in done:
            continue
        done.add(place)
        for other, length in neighbours[place]:
            if d + length < distance[other]:
                distance[other] = d + length
                frontier.append((d + length, other))
    return distance


#numptx export route(str:float dict, (str,str) list, str, str)
# run: route({"ab": 1.0, "bc": 2.0, "ac": 4.0}, [("a", "b"), ("b", "c"), ("a", "c")], "a", "c")
# run: route({}, [], "köln", "köln")
# run: route({"ab": 1.0, "ba": inf}, [("a", "b"), ("b", "a"), ("a", "b")], "a", "c")
# run: route({"ab": 1.0}, [("a", "b"), ("b", "d")], "a", "b")
def route(lengths, roads, start, goal):
    graph = {}
    for a, b in roads:
        graph.setdefault(a, []).append(b)
        graph.setdefault(b, [])
    best = {start: 0.0}
    previous = {}
    todo = [start]
    while todo:
        here = min(todo, key=lambda place: best[place])
        todo.remove(here)
        for there in graph.get(here, []):
            total = best[here] + lengths[here + there]
            if there not in best or total < best[there]:
                best[there] = total
                previous[there] = here
                if there not in todo:
                    todo.append(there)
    names = [goal]
    while names[-1] in previous:
        names.append(previous[names[-1]])
    return " -> ".join(reversed(names)), best


#numptx export all_pairs(float64[:,:])
# run: all_pairs(array([[0.0, 3.0, inf], [3.0, 0.0, 1.0], [inf, 1.0, 0.0]]))
# run: all_pairs(zeros((0, 0)))
# run: all_pairs(full((2, 2), inf).T)
def all_pairs(weights):
    n = len(weights)
    result = np.empty((n, n))
    for source in range(n):
        row = [float(w) for w in weights[source]]
        row[source] = 0.0
        unvisited = list(range(n))
        while unvisited:
            nearest = min(unvisited, key=lambda v: row[v])
            unvisited.remove(nearest)
            for v in unvisited:
                row[v] = min(row[v], row[nearest] + float(weights[nearest, v]))
        result[source] = row
    return result
