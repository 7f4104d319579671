"""Names that only some paths bind: reading them raises where none of those was taken, as in Python."""

import numpy as np


#numptx export last_of_rows(float64[:,:])
# run: last_of_rows(random((5, 4)))
# run: last_of_rows(random((1, 1)))
# run: last_of_rows(random((0, 4)))
# run: last_of_rows(random((4, 0)))
def last_of_rows(x):
    y = np.zeros(x.shape[0])
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            v = x[i, j] * 2.0
        y[i] = v
    return y


#numptx export of_earlier_iterations(int64[:])
# run: of_earlier_iterations(array([3, 0, 2]))
# run: of_earlier_iterations(array([3, 1, 2]))
# run: of_earlier_iterations(array([0, 1, 2]))
# run: of_earlier_iterations(arange(0))
def of_earlier_iterations(counts):
    total = 0
    for k in range(len(counts)):
        for i in range(counts[k]):
            last = i * k
        total += last
    return int(total)


#numptx export of_a_branch(float64[:], bool)
# run: of_a_branch(random(5), True)
# run: of_a_branch(random(5), False)
def of_a_branch(x, flag):
    if flag:
        y = x * 2.0
    return y + 1.0


#numptx export of_both(float64[:], int)
# run: of_both(random(5), 1)
# run: of_both(random(5), 2)
# run: of_both(random(5), 3)
def of_both(x, mode):
    if mode == 1:
        a, b = 1.0, 2.0
    elif mode == 2:
        a = 3.0
    if mode == 1:
        return x * a + b
    return x * a


#numptx export of_an_iteration(int64)
# run: of_an_iteration(5)
# run: of_an_iteration(2)
# run: of_an_iteration(0)
def of_an_iteration(n):
    for i in range(n):
        if i > 2:
            y = i
    return y


#numptx export difference_from_the_last(float64[:])
# run: difference_from_the_last(random(6))
# run: difference_from_the_last(random(1))
# run: difference_from_the_last(random(0))
def difference_from_the_last(x):
    d = np.zeros(len(x))
    for i in range(len(x)):
        if i > 0:
            d[i] = x[i] - before
        before = x[i]
    return d


#numptx export until_found(float64[:], float)
# run: until_found(arange(10.0), 3.5)
# run: until_found(arange(10.0), -1.0)
# run: until_found(arange(10.0), 30.0)
# run: until_found(arange(0.0), 30.0)
def until_found(x, limit):
    n = 0
    for i in range(len(x)):
        if x[i] > limit:
            where = i
            break
        n += 1
    else:
        n = -1
    return where + n


#numptx export in_a_while(float64[:], float)
# run: in_a_while(arange(10.0), 3.5)
# run: in_a_while(arange(10.0), 30.0)
# run: in_a_while(arange(0.0), 30.0)
def in_a_while(x, limit):
    i = 0
    while i < len(x):
        if x[i] < limit:
            best = float(x[i])
            at = i
        i += 1
    return best, at


#numptx export raises_always(float64[:], bool)
# run: raises_always(random(3), True)
# run: raises_always(random(3), False)
def raises_always(x, flag):
    if flag:
        scale = 2.0
    for i in range(len(x)):
        x[i] *= scale
    return x


def helper(x, n):
    if n > 0:
        r = x * n
    return r


#numptx export in_a_called_function(float64[:], int)
# run: in_a_called_function(random(3), 2)
# run: in_a_called_function(random(3), 0)
def in_a_called_function(x, n):
    return helper(x, n) + 1.0


def depth(n):
    if n > 0:
        d = depth(n - 1) + depth(n - 2) + 1
    if n <= -5:
        d = 7
    if n <= 0:
        return 0
    return d


#numptx export in_a_recursion(int)
# run: in_a_recursion(6)
# run: in_a_recursion(0)
def in_a_recursion(n):
    return depth(n)


#numptx export conditional_expression(float64[:])
# run: conditional_expression(random(5))
# run: conditional_expression(random(0))
def conditional_expression(x):
    for i in range(len(x)):
        t = prev if i > 0 else 0.0
        prev = x[i]
        x[i] = t
    return x


#numptx export arrays_and_functions(float64[:], int)
# run: arrays_and_functions(random(5), 3)
# run: arrays_and_functions(random(5), 2)
# run: arrays_and_functions(random(5), 1)
# run: arrays_and_functions(random(5), 0)
def arrays_and_functions(x, n):
    if n > 1:
        g = lambda v: v + 1
        y = g(x)
    for i in range(n):
        if i > 0:
            y = y + p
            q = p
        p = x[i:i + 1] + len(x)
    return y, q


#numptx export left_early(float64[:], int)
# run: left_early(arange(10.0), 9)
# run: left_early(arange(10.0), 2)
# run: left_early(arange(10.0), 0)
def left_early(x, n):
    for i in range(n):
        if x[i] > 0 and i > 0 and last > 3:
            break
        last = x[i]
    return last


#numptx export begins_as_an_int(int)
# run: begins_as_an_int(5)
# run: begins_as_an_int(3)
# run: begins_as_an_int(0)
def begins_as_an_int(n):
    if n > 3:
        w = 2
    for i in range(n):
        w += 0.5
    return w


#numptx export begun_anew(float64[:])
# run: begun_anew(random(10))
# run: begun_anew(random(1))
# run: begun_anew(random(0))
def begun_anew(x):
    for i in range(len(x)):
        if i % 3 == 0:
            s = 0
        s += x[i]
    return s


#numptx export with_else(float64[:], float)
# run: with_else(arange(6.0), 3.0)
# run: with_else(arange(6.0), 9.0)
# run: with_else(arange(0.0), 9.0)
def with_else(x, a):
    for v in x:
        if v == a:
            break
        w = v + 1.0
    else:
        w = w * 2.0
    return w


#numptx export matrix(float64[:,:], int)
# run: matrix(random((3, 3)), 2)
# run: matrix(random((3, 3)), 1)
# run: matrix(random((3, 3)), 0)
def matrix(a, n):
    for step in range(n):
        for i in range(3):
            if i > step:
                pivot = a[i, step]
        a[step] /= pivot
    return a
