"""Values that are one of several by path: `None` or a value, arrays of two dtypes."""

import numpy as np


#numptx export largest(float64[:])
# run: largest(array([1.0, 5.0, 3.0]))
# run: largest(array([]))
# run: largest(array([-2.0]))
def largest(x):
    best = None
    for v in x:
        if best is None or v > best:
            best = v
    return best


#numptx export found(int64[:], int)
# run: found(array([4, 5, 6]), 5)
# run: found(array([4, 5, 6]), 7)
# run: found(array([], dtype=int64), 0)
def found(x, wanted):
    for i in range(len(x)):
        if x[i] == wanted:
            return i


#numptx export scaled(float64[:], int)
# run: scaled(array([1.0, 2.0]), 1)
# run: scaled(array([1.0, 2.0]), 0)
# run: scaled(array([]), 1)
def scaled(x, n):
    factor = None
    if n > 0:
        factor = 2.0
    if factor is None:
        return x
    return x * factor


#numptx export added(int)
# run: added(3)
# run: added(0)
# run: added(-1)
def added(n):
    total = None
    for i in range(n):
        total = i if total is None else total + i
    return total + 1


#numptx export compared(float, int)
# run: compared(1.5, 3)
# run: compared(1.5, 0)
# run: compared(-1.0, 1)
def compared(limit, n):
    last = None
    for i in range(n):
        last = i * 0.5
    return last < limit


#numptx export dtype_by_path(float64[:], bool)
# run: dtype_by_path(array([1.5, 2.5]), True)
# run: dtype_by_path(array([1.5, 2.5]), False)
# run: dtype_by_path(array([]), True)
def dtype_by_path(x, single):
    if single:
        y = x.astype(np.float32)
    else:
        y = x
    return y


#numptx export roots(float, float, float)
# run: roots(1.0, -3.0, 2.0)
# run: roots(1.0, 2.0, 5.0)
# run: roots(1.0, 2.0, 1.0)
def roots(a, b, c):
    d = b * b - 4 * a * c
    if d < 0:
        s = 1j * (-d) ** 0.5
        return (-b + s) / (2 * a)
    return (-b + d**0.5) / (2 * a)


#numptx export array_or_number(float64[:], int)
# run: array_or_number(array([1.0, 2.0, 3.0]), 2)
# run: array_or_number(array([1.0, 2.0, 3.0]), 0)
# run: array_or_number(array([]), 0)
def array_or_number(x, n):
    if n == 0:
        return 0.0
    return x[:n]


#numptx export name_or_nothing(int, str list)
# run: name_or_nothing(1, ["a", "b"])
# run: name_or_nothing(5, ["a", "b"])
# run: name_or_nothing(0, [])
def name_or_nothing(n, names):
    name = names[n] if n < len(names) else None
    if name:
        print("found", name)
    print(name, f"<{name}>", str(name))
    return name


#numptx export pair_or_nothing(float64[:], float)
# run: pair_or_nothing(array([1.0, 4.0]), 4.0)
# run: pair_or_nothing(array([1.0, 4.0]), 5.0)
# run: pair_or_nothing(array([]), 5.0)
def pair_or_nothing(x, wanted):
    where = None
    for i, v in enumerate(x):
        if v == wanted:
            where = (i, v)
            break
    if where is not None:
        i, v = where
        return i, v * 2.0, where
    return None


#numptx export helper_that_may_fail(float64[:], float64)
# run: helper_that_may_fail(array([1.0, 4.0]), 2.0)
# run: helper_that_may_fail(array([1.0, 4.0]), 9.0)
# run: helper_that_may_fail(array([]), 1.0)
def helper_that_may_fail(x, limit):
    at = first_above(x, limit)
    if at is None:
        return -1, at
    return at, x[at]


def first_above(x, limit):
    for i in range(len(x)):
        if x[i] > limit:
            return i
    return None


#numptx export previous_differs(int64[:])
# run: previous_differs(array([1, 1, 2, 2, 3]))
# run: previous_differs(array([], dtype=int64))
# run: previous_differs(array([7]))
def previous_differs(x):
    runs = 0
    previous = None
    for v in x:
        if v != previous:
            runs += 1
        previous = v
    return runs, bool(previous == 3), previous is None


#numptx export defaulted(float, bool)
# run: defaulted(2.0, True)
# run: defaulted(0.0, True)
# run: defaulted(2.0, False)
def defaulted(x, given):
    value = x if given else None
    return value or 1.5, not value, value is not None and value > 1.0


#numptx export list_or_nothing(int)
# run: list_or_nothing(3)
# run: list_or_nothing(0)
# run: list_or_nothing(-1)
def list_or_nothing(n):
    if n <= 0:
        return None
    squares = []
    for i in range(n):
        squares.append(i * i)
    return squares


#numptx export kinds(float, int)
# run: kinds(1.0, 0)
# run: kinds(1.0, 1)
# run: kinds(1.0, 2)
def kinds(x, n):
    if n == 0:
        value = None
    elif n == 1:
        value = np.array([x, x])
    else:
        value = "text"
    return isinstance(value, np.ndarray), isinstance(value, str), value


#numptx export asserted(int)
# run: asserted(2)
# run: asserted(0)
# run: asserted(1)
def asserted(n):
    last = None
    while n > 0:
        last = n
        n -= 1
    assert last is not None, "nothing"
    return [0, last][last - 1]


#numptx export in_a_tuple(int)
# run: in_a_tuple(3)
# run: in_a_tuple(0)
# run: in_a_tuple(1)
def in_a_tuple(n):
    best = (0, None)
    for i in range(n):
        if best[1] is None or (i * 7) % 5 > best[0]:
            best = ((i * 7) % 5, i)
    return best


#numptx export rows_kept(float64[:,:], float)
# run: rows_kept(array([[1.0, 2.0], [3.0, 4.0]]), 2.5)
# run: rows_kept(array([[1.0, 2.0]]), 9.0)
# run: rows_kept(zeros((0, 2)), 0.0)
def rows_kept(x, limit):
    kept = None
    for row in x:
        if row[0] > limit:
            kept = row
    if kept is None:
        return None
    return kept + 1.0


#numptx export raised_before(int64[:])
# run: raised_before(array([3, 1]))
# run: raised_before(array([], dtype=int64))
# run: raised_before(array([2]))
def raised_before(x):
    low = None
    for v in x:
        if low is None or v < low:
            low = v
    if low is None:
        raise ValueError("no elements")
    return low * 2
