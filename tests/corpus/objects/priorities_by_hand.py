"""Heaps of pairs that functions of the program keep in order, which begin with an int where floats follow."""


def push(heap, entry):
    heap.append(entry)
    child = len(heap) - 1
    while child > 0:
        parent = (child - 1) // 2
        if heap[parent] <= heap[child]:
            return
        heap[child], heap[parent] = heap[parent], heap[child]
        child = parent


def pop(heap):
    last = heap.pop()
    if not heap:
        return last
    first = heap[0]
    heap[0] = last
    at = 0
    while True:
        child = 2 * at + 1
        if child >= len(heap):
            return first
        if child + 1 < len(heap) and heap[child + 1] < heap[child]:
            child += 1
        if heap[at] <= heap[child]:
            return first
        heap[child], heap[at] = heap[at], heap[child]
        at = child


#numptx export cheapest(int64[:,:], (int, int), (int, int))
# run: cheapest(array([[1, 1, 9], [9, 1, 9], [9, 1, 1]]), (0, 0), (2, 2))
# run: cheapest(array([[1]]), (0, 0), (0, 0))
# run: cheapest(array([[1, 0], [0, 1]]), (0, 0), (1, 1))
def cheapest(grid, source, target):
    steps = [(0, 1, 1), (1, 0, 1), (0, -1, 1), (-1, 0, 1), (1, 1, 2**0.5)]
    if grid.shape[0] == 1:
        steps = steps[:4]
    waiting = []
    cost = {}
    cost[source] = 0.0
    push(waiting, (0, source))
    while waiting:
        place = pop(waiting)[1]
        if place == target:
            return cost[place], len(cost)
        for step in steps:
            other = (place[0] + step[0], place[1] + step[1])
            if other[0] < 0 or other[1] < 0 or other[0] >= grid.shape[0] or other[1] >= grid.shape[1]:
                continue
            if grid[other] == 0:
                continue
            total = cost[place] + step[2] * float(grid[other])
            if other not in cost or total < cost[other]:
                cost[other] = total
                push(waiting, (total, other))
    return None
