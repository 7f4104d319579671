"""Sets: what was seen, and algebra."""


#numptx export distinct(int list)
# run: distinct([3, 1, 3, 2, 1])
# run: distinct([])
def distinct(xs):
    seen = set()
    ys = []
    for x in xs:
        if x not in seen:
            seen.add(x)
            ys.append(x)
    return ys, len(seen)


#numptx export algebra(int set, int set)
# run: algebra({1, 2, 3}, {2, 5})
# run: algebra(set(), {2})
def algebra(a, b):
    return a | b, a & b, a - b, a ^ b, a <= b, a.isdisjoint(b), a == b


#numptx export changed(int set, int)
# run: changed({1, 2, 3}, 2)
# run: changed({1, 2, 3}, 7)
def changed(a, x):
    a.discard(x)
    a.update({10, 11})
    a.remove(x + 1)
    total = 0
    for member in a:
        total += member
    return total, sorted(a)


#numptx export words(str list)
# run: words(["a", "b", "a"])
def words(texts):
    different = set(texts)
    return sorted(different), "a" in different, len(different)


#numptx export flooded(int, int)
# run: flooded(3, 4)
# run: flooded(1, 1)
def flooded(n, m):
    n = min(max(n, 1), 5)
    m = min(max(m, 1), 5)
    reached = {(0, 0)}
    open_ = [(0, 0)]
    while open_:
        i, j = open_.pop()
        for di, dj in ((0, 1), (1, 0)):
            at = (i + di, j + dj)
            if at[0] < n and at[1] < m and (at[0] * at[1]) % 3 != 2 and at not in reached:
                reached.add(at)
                open_.append(at)
    return len(reached), (n - 1, m - 1) in reached
