"""Names that only a loop binds, read after it: where no iteration ran, Python raises."""

import numpy as np


#numptx export iterations(float64, int64)
# run: iterations(float64(10.0), 20)
# run: iterations(float64(10.0), 2)
# run: iterations(float64(0.1), 1)
# run: iterations(float64(10.0), 0)
# run: iterations(float64(10.0), -3)
def iterations(x, n):
    for it in range(n):
        if x < 1.0:
            break
        x *= 0.5
    return it, x


#numptx export last(float64[:])
# run: last(arange(5.0))
# run: last(arange(1.0))
# run: last(arange(0.0))
def last(x):
    for i in range(len(x)):
        y = x[i] + 1.0
        row = np.sqrt(x)
    return i, y, row


#numptx export steps(int64, int64, int64)
# run: steps(0, 10, 3)
# run: steps(10, 0, -3)
# run: steps(0, 10, -3)
# run: steps(10, 0, 3)
# run: steps(5, 5, 1)
# run: steps(5, 5, -1)
def steps(a, b, s):
    for k in range(a, b, s):
        pass
    return k


#numptx export while_loop(float64, float64)
# run: while_loop(float64(9.0), float64(1.0))
# run: while_loop(float64(0.5), float64(1.0))
def while_loop(x, tolerance):
    while x > tolerance:
        y = x * 0.5
        x = y
    return y


#numptx export while_with_breaks(float64, float64, int64)
# run: while_with_breaks(float64(9.0), float64(1.0), 2)
# run: while_with_breaks(float64(9.0), float64(1.0), 20)
# run: while_with_breaks(float64(9.0), float64(1.0), 0)
# run: while_with_breaks(float64(0.5), float64(1.0), 2)
def while_with_breaks(x, tolerance, most):
    n = 0
    while x > tolerance:
        y = x * 0.5
        n += 1
        if n > most:
            break
        if n == 3:
            continue
        x = y
    return y


#numptx export read_on_one_path(int64, bool)
# run: read_on_one_path(3, True)
# run: read_on_one_path(0, False)
# run: read_on_one_path(3, False)
# run: read_on_one_path(0, True)
def read_on_one_path(n, reads):
    for i in range(n):
        pass
    if reads:
        return i
    return -1


#numptx export bound_anew(int64, int64)
# run: bound_anew(3, 4)
# run: bound_anew(0, 4)
# run: bound_anew(3, 0)
# run: bound_anew(0, 0)
def bound_anew(n, m):
    for i in range(n):
        pass
    for i in range(m):
        pass
    return i


#numptx export joined(int64, bool)
# run: joined(3, True)
# run: joined(0, True)
# run: joined(3, False)
# run: joined(0, False)
def joined(n, binds):
    for i in range(n):
        pass
    if binds:
        i = 17
    return i


#numptx export elements(float64[:])
# run: elements(arange(3.0))
# run: elements(arange(0.0))
def elements(x):
    for k, v in enumerate(x):
        if v > 1.0:
            break
    return k, v


def found(x, limit):
    for i in range(len(x)):
        if x[i] > limit:
            break
    return i


#numptx export inlined(float64[:], float64[:])
# run: inlined(arange(5.0), array([0.5, 3.5, 7.0]))
# run: inlined(arange(0.0), array([0.5, 3.5, 7.0]))
# run: inlined(arange(0.0), arange(0.0))
def inlined(x, limits):
    total = 0
    for k in range(len(limits)):
        total += found(x, limits[k])
    return total


#numptx export a_function_reads_it(int64)
# run: a_function_reads_it(3)
def a_function_reads_it(n):
    def twice():
        return 2 * i

    for i in range(n):
        pass
    return twice()


#numptx export changed_afterwards(int64)
# run: changed_afterwards(3)
# run: changed_afterwards(0)
def changed_afterwards(n):
    for i in range(n):
        x = np.zeros(4)
    x += 1.0
    x[0] = i
    return x


#numptx export known_to_run(float64[:])
# run: known_to_run(arange(10.0))
def known_to_run(x):
    for i in range(10):
        y = x[i]
        if y > 3.0:
            break
    while True:
        z = y * 0.5
        if z < 1.0:
            break
        y = z
    for v in (1.0, 2.0):
        w = v
    return i, y, z, v, w
