"""Walks over networks of lists: by levels, by a stack, in two colours, and forwards and backwards."""


#numptx export within_steps(int list list, int, int)
# run: within_steps([[1], [0, 2, 3], [1], [1, 4], [3]], 0, 2)
# run: within_steps([[]], 0, 3)
# run: within_steps([[1, 1], [0]], 1, 0)
# run: within_steps([], 0, 1)
def within_steps(neighbours, start, steps):
    level = set(neighbours[start])
    level.discard(start)
    reached = {start}
    sizes = []
    for _ in range(steps):
        level -= reached
        if not level:
            break
        sizes.append(len(level))
        reached |= level
        level = {w for v in level for w in neighbours[v]}
    return sorted(reached), sizes


#numptx export two_colours(int:int list dict)
# run: two_colours({1: [2, 4], 2: [1, 3], 3: [2, 4], 4: [1, 3]})
# run: two_colours({})
# run: two_colours({0: [1, 2], 1: [0, 2], 2: [0, 1]})
# run: two_colours({0: [-1]})
def two_colours(graph):
    colour = {}
    for first in graph:
        if first in colour:
            continue
        colour[first] = 0
        stack = [first]
        while stack:
            u = stack.pop()
            for v in graph[u]:
                if v not in colour:
                    colour[v] = 1 - colour[u]
                    stack.append(v)
                elif colour[v] == colour[u]:
                    return False, {}
    return True, colour


#numptx export strong_components(int, (int,int) list)
# run: strong_components(5, [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4)])
# run: strong_components(0, [])
# run: strong_components(2, [(0, 0), (0, 1), (0, 1)])
def strong_components(n, edges):
    forward = [[] for _ in range(n)]
    backward = [[] for _ in range(n)]
    for u, v in edges:
        forward[u].append(v)
        backward[v].append(u)
    finished, seen = [], [False] * n
    for s in range(n):
        if seen[s]:
            continue
        seen[s] = True
        stack = [(s, 0)]
        while stack:
            u, k = stack.pop()
            if k < len(forward[u]):
                stack.append((u, k + 1))
                v = forward[u][k]
                if not seen[v]:
                    seen[v] = True
                    stack.append((v, 0))
            else:
                finished.append(u)
    component = [-1] * n
    count = 0
    for s in finished[::-1]:
        if component[s] != -1:
            continue
        todo = [s]
        while todo:
            u = todo.pop()
            if component[u] == -1:
                component[u] = count
                todo.extend(backward[u])
        count += 1
    return count, component
