"""Heaps as `heapq` lays them out: the same comparisons in the same order, so that equal members end where Python has them."""


def moved_up(heap, place):
    """Moves a member towards the root, as long as it is less than the one above."""
    member = heap[place]
    while place > 0:
        above = (place - 1) // 2
        if not member < heap[above]:
            break
        heap[place] = heap[above]
        place = above
    heap[place] = member


def moved_down(heap, root):
    """Moves a member down to where it is a leaf, the lesser child going up each time, and from there up to its place below `root`."""
    member = heap[root]
    n = len(heap)
    place = root
    below = 2 * place + 1
    while below < n:
        beside = below + 1
        if beside < n and not heap[below] < heap[beside]:
            below = beside
        heap[place] = heap[below]
        place = below
        below = 2 * place + 1
    while place > root:
        above = (place - 1) // 2
        if not member < heap[above]:
            break
        heap[place] = heap[above]
        place = above
    heap[place] = member


def heapq_heappush(heap, item):
    """Adds a member."""
    heap.append(item)
    moved_up(heap, len(heap) - 1)


def heapq_heappop(heap):
    """Takes the least member."""
    if len(heap) == 0:
        raise IndexError("index out of range")
    last = heap.pop()
    if len(heap) == 0:
        return last
    least = heap[0]
    heap[0] = last
    moved_down(heap, 0)
    return least


def heapq_heapreplace(heap, item):
    """Takes the least member, and adds one."""
    if len(heap) == 0:
        raise IndexError("index out of range")
    least = heap[0]
    heap[0] = item
    moved_down(heap, 0)
    return least


def heapq_heappushpop(heap, item):
    """Adds a member, and takes the least one."""
    if len(heap) == 0 or not heap[0] < item:
        return item
    least = heap[0]
    heap[0] = item
    moved_down(heap, 0)
    return least


def heapq_heapify(x):
    """Makes a list a heap."""
    for place in range(len(x) // 2 - 1, -1, -1):
        moved_down(x, place)


def heapq_nsmallest(n, iterable, key=None):
    """The least members in ascending order."""
    return sorted(iterable, key=key)[: max(n, 0)]


def heapq_nlargest(n, iterable, key=None):
    """The greatest members in descending order."""
    return sorted(iterable, key=key, reverse=True)[: max(n, 0)]
