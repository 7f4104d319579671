"""Measurements in a list that is edited in every way that lists have."""


#numptx export edited(float list)
# run: edited([3.5, -1.0, 2.0, 2.0])
# run: edited([7.0])
# run: edited([])
def edited(values):
    kept = values.copy()
    kept.extend([0.5, 2.0])
    kept.insert(0, 9.0)
    kept.insert(-1, -9.0)
    kept.insert(100, 1.0)
    first = kept.index(2.0)
    n = kept.count(2.0)
    kept.remove(2.0)
    last = kept.pop()
    second = kept.pop(1)
    kept.reverse()
    kept.sort()
    in_order = kept[:]
    kept.sort(reverse=True)
    kept *= 2
    kept += [first * 1.0]
    del kept[0]
    return kept, in_order, first, n, last, second, values == in_order, values < in_order


#numptx export sliced(int list, int, int, int)
# run: sliced([0, 1, 2, 3, 4, 5], 1, 5, 2)
# run: sliced([0, 1, 2, 3], -1, -4, -1)
# run: sliced([], 0, 3, 1)
# run: sliced([1, 2], 0, 2, 0)
def sliced(xs, start, stop, step):
    part = xs[start:stop:step]
    ys = xs.copy()
    ys[1:2] = [7, 8, 9]
    zs = xs + ys
    del zs[::2]
    ys[len(ys) :] = part
    return part, ys, zs, xs[::-1], xs[-2:], xs * 2


#numptx export position_of(int list, int, int)
# run: position_of([4, 5, 4, 6], 4, 1)
# run: position_of([4, 5], 9, 0)
# run: position_of([], 0, 0)
def position_of(xs, x, start):
    if x not in xs:
        return -1, xs.index(x, start)
    return xs.index(x, start), xs.index(x)


#numptx export removed(int list, int)
# run: removed([1, 2, 3, 2], 2)
# run: removed([1], 5)
# run: removed([0, 0], 0)
def removed(xs, x):
    xs.remove(x)
    return xs, not xs


#numptx export popped(int list, int)
# run: popped([1, 2, 3], -2)
# run: popped([1], 1)
# run: popped([], 0)
def popped(xs, i):
    x = xs.pop(i)
    return x, xs


#numptx export replaced(str list, int)
# run: replaced(["a", "b"], 1)
# run: replaced(["a"], -2)
# run: replaced([], 0)
def replaced(names, i):
    names[i] = names[i] * 2 + "é"
    return names, [len(name) for name in names]
