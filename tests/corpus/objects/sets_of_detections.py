"""Detections in sets: everything that sets have, on numbers, texts and pairs."""


#numptx export compared(int64[:], int64[:])
# run: compared(array([3, 1, 2, 3]), array([2, 3, 9]))
# run: compared(array([], dtype=int64), array([1]))
# run: compared(array([-1, -1]), array([-1]))
def compared(a, b):
    s = {int(v) for v in a}
    t = set()
    for v in b:
        t.add(int(v))
    both = sorted(s & t)
    either = sorted(s.union(t))
    only = sorted(s.difference(t))
    one = sorted(s ^ t)
    return both, either, only, one, s <= t, s >= t, s.isdisjoint(t), s == t, len(s)


#numptx export changed(int set, int list)
# run: changed({1, 2, 3}, [2, 3, 4, 4])
# run: changed(set(), [])
# run: changed({-1, 0}, [0])
def changed(s, xs):
    kept = s.copy()
    kept.intersection_update(set(xs))
    more = s | set(xs)
    more.update([100, 101])
    more.discard(101)
    more.discard(55)
    less = set(s)
    less -= set(xs)
    other = s.copy()
    other ^= set(xs)
    other.symmetric_difference_update({100})
    s.clear()
    return sorted(kept), sorted(more), sorted(less), sorted(other), len(s), bool(s)


#numptx export taken(int set, int)
# run: taken({5, 6}, 5)
# run: taken({0}, 0)
# run: taken({-1, -2}, -1)
# run: taken({5}, 6)
# run: taken(set(), 0)
def taken(s, x):
    t = s.copy()
    t.remove(x)
    return s.pop(), len(t), len(s)


#numptx export emptied(str set)
# run: emptied({"å"})
# run: emptied(set())
# run: emptied({""})
def emptied(names):
    return names.pop(), names


#numptx export subsets(str set, str set)
# run: subsets({"a", "b"}, {"a", "b", "ç"})
# run: subsets(set(), set())
# run: subsets({"a"}, {"b"})
def subsets(a, b):
    return a.issubset(b), a.issuperset(b), a <= b, a >= b, a != b, a.intersection(b), sorted(a.symmetric_difference(b))


#numptx export repeated((float,int) list)
# run: repeated([(1.0, 2), (0.5, 1), (1.0, 2)])
# run: repeated([])
# run: repeated([(0.0, 0), (-0.0, 0)])
def repeated(pairs):
    seen = set()
    twice = []
    for pair in pairs:
        if pair in seen:
            twice.append(pair)
        seen.add(pair)
    return twice, sorted(seen), len(seen)


#numptx export unique_rows(int64[:,:])
# run: unique_rows(array([[1, 2], [0, 1], [1, 2]]))
# run: unique_rows(zeros((0, 2), dtype=int64))
# run: unique_rows(array([[5, -5]]))
def unique_rows(x):
    return sorted({(int(a), int(b)) for a, b in x})
