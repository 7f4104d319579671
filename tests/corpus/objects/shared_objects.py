"""Objects that several names, calls and other objects share, and arrays in them beside loops over arrays."""

import numpy as np


#numptx export aliased(float64[:] list, float64[:])
# run: aliased([], array([1.0]))
def aliased(xs, y):
    total = np.float64(0.0)
    for i in range(len(xs)):
        a = y * 2.0
        xs[i] += 1.0
        b = y * 2.0
        total += a.sum() - b.sum()
    z = y + 1.0
    for x in xs:
        x[:] = 0.0
    w = y + 1.0
    return total, z, w, y


#numptx export stored(float64[:], int)
# run: stored(array([1.0]), 2)
def stored(x, n):
    kept = []
    t = x.copy()
    for i in range(min(n, 4)):
        kept.append(t)
        t[:] = t + 1.0
        t = t * 2.0
    u = x * 3.0
    kept.append(u)
    u += 1.0
    return kept, u + 1.0, t + 1.0


#numptx export swapped(int list, int list)
# run: swapped([1], [2])
def swapped(a, b):
    for i in range(3):
        a.append(len(b))
        a, b = b, a
    return a, b


#numptx export chosen(int list, int list, bool)
# run: chosen([1], [2], True)
def chosen(a, b, flag):
    c = a if flag else b
    c.append(5)
    n = len(a)
    c.append(6)
    return len(a) - n, a, c


#numptx export by_name(str list, float64[:])
# run: by_name(["a"], array([1.0]))
def by_name(names, x):
    table = {}
    for i, name in enumerate(names):
        if name in table:
            table[name] += x * i
        else:
            table[name] = x + i
    for name in names:
        table[name][:] = table[name] * 0.5
    return table


#numptx export windows(float64[:], int)
# run: windows(arange(9.0), 3)
def windows(x, n):
    n = max(1, min(n, 3))
    queue = []
    out = []
    for i in range(len(x)):
        queue.append(x[i])
        if len(queue) > n:
            queue.pop(0)
        out.append(sum(queue) / len(queue))
    return np.array(out)


def helper(xs, n):
    xs.append(n)
    return xs[::-1]


#numptx export called(int list)
# run: called([1, 2])
def called(xs):
    ys = helper(xs, 7)
    zs = helper(ys, 8)
    return xs, ys, zs


def fibonacci(n, known):
    if n in known:
        return known[n]
    value = fibonacci(n - 1, known) + fibonacci(n - 2, known)
    known[n] = value
    return value


#numptx export recursive(int)
# run: recursive(10)
def recursive(n):
    known = {0: 0, 1: 1}
    return fibonacci(min(max(n, 0), 12), known), known


#numptx export raised(int list, int)
# run: raised([1], 0)
def raised(xs, n):
    xs.append(1)
    ys = [xs, [n]]
    xs[n] = 4
    ys[1].append(10 // (n - 2))
    return ys


#numptx export printing(float64[:], int)
# run: printing(array([1.0]), 0)
def printing(x, n):
    s = 0.0
    for i in range(len(x)):
        print(i, x[i])
        s += x[i]
    print(f"{s:.2f}")
    if n > 2:
        raise ValueError(f"{n} of {len(x)}")
    return s


#numptx export grid(int list list, float64[:,:])
# run: grid([[1]], ones((1, 1)))
def grid(rows, x):
    for i in range(min(len(rows), x.shape[0])):
        row = rows[i]
        for j in range(min(len(row), x.shape[1])):
            x[i, j] += row[j]
            row[j] = int(x[i, j])
    return x.sum()


#numptx export mixed((str,int,float64[:]) list)
# run: mixed([("a", 1, array([1.0]))])
def mixed(items):
    best = -1.0
    which = ""
    for name, n, x in items:
        x += n
        s = float(x.sum())
        if s > best:
            best = s
            which = name
    items.sort(key=lambda item: item[1])
    return which, best, [item[0] for item in items]
