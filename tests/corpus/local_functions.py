"""Functions inside functions, lambdas, and how parameters take arguments. Calls are inlined; names are read when a function is called."""

import math

import numpy as np

SCALE = 3.0
twice = lambda v: 2 * v
PAIR = (twice, lambda v: v - SCALE)


#numptx export closure(float64[:], float)
# run: closure(arange(4.0), 2.0)
# structure: launches=2
# run: closure(array([0.0, -0.0, inf, nan]), -1.0)
def closure(x, a):
    def scaled(v):
        return a * v + b

    b = 1.0
    y = scaled(x)
    b = 5.0  # read when it is called, not when it is defined
    return y, scaled(x)


#numptx export rebinding_in_a_loop(int)
# run: rebinding_in_a_loop(0)
# run: rebinding_in_a_loop(5)
def rebinding_in_a_loop(n):
    k = 0

    def add(v):
        return v + k

    total = 0
    for i in range(n):
        k = i * i
        total = add(total)
    return total, add(0)


#numptx export rebinding_in_branches(int)
# run: rebinding_in_branches(1)
# run: rebinding_in_branches(-1)
def rebinding_in_branches(n):
    f = lambda v: v + c
    c = 1
    if n > 0:
        c = n * 10
    else:
        c = n * 100
    return f(n)


#numptx export lambdas(float64[:], float)
# run: lambdas(arange(3.0), 2.0)
def lambdas(x, a):
    square = lambda v: v * v
    scaled = lambda v, k=a: k * square(v)
    constant = lambda: a
    return square(x), scaled(x), scaled(a, k=3.0), constant(), (lambda v: -v)(x), twice(x), PAIR[1](x)


#numptx export defaults_are_taken_at_definition(float)
# run: defaults_are_taken_at_definition(2.0)
def defaults_are_taken_at_definition(a):
    f = lambda v, k=a: v * k
    a = 100.0

    def g(v, k=a + 1.0):
        return v * k

    a = -1.0
    return f(1.0), g(1.0), a


def apply(f, x, times=1):
    for _ in range(times):
        x = f(x)
    return x


def compose(f, g):
    return lambda v: f(g(v))


#numptx export passed(float64[:], int)
# run: passed(random(5), 0)
# run: passed(random(5), 3)
def passed(x, n):
    return apply(np.sin, x, n), apply(lambda v: v + n, x, times=n), apply(f=twice, x=x)


#numptx export returned(float64[:], float)
# run: returned(arange(3.0), 0.5)
def returned(x, a):
    h = compose(lambda v: v + a, twice)
    k = compose(h, h)
    return h(x), k(x)


def power(n):
    def raised(v):
        return v**n

    return raised


#numptx export two_of_one(float64[:])
# run: two_of_one(arange(4.0))
def two_of_one(x):
    square, cube = power(2), power(3)
    return square(x) + cube(x)


def adder(flag, a):
    if flag:
        return lambda v: v + a
    b = a * 2.0
    return lambda v: v - b


def chosen(flag, a):
    def plus(v):
        return v + a

    if flag > 0:
        a = a * 10.0
        return plus
    a = a * 100.0
    return plus


#numptx export chosen_at_run_time(int, float64[:], float)
# run: chosen_at_run_time(1, arange(3.0), 2.0)
# run: chosen_at_run_time(-1, arange(3.0), 2.0)
def chosen_at_run_time(flag, x, a):
    return chosen(flag, a)(x), adder(True, a)(x), adder(False, a)(x)


#numptx export nested_closures(float64[:], float)
# run: nested_closures(arange(3.0), 2.0)
def nested_closures(x, a):
    def outer(v):
        b = a + 1.0

        def inner(w):
            return w * a + b

        return inner(v)

    return outer(x), outer(a)


#numptx export early_returns(float64[:], float)
# run: early_returns(array([1.0, -2.0, 3.0]), 0.0)
# run: early_returns(array([1.0, -2.0, 3.0]), -5.0)
# run: early_returns(array([]), 0.0)
def early_returns(x, limit):
    def first_below(v):
        for i, value in enumerate(v):
            if value < limit:
                return i
        return -1

    def sign(v):
        if v > 0:
            return 1
        elif v < 0:
            return -1
        return 0

    return first_below(x), sign(limit), sign(first_below(x))


def several(a, b=2.0, *rest, c, d=4.0):
    total = a + 10 * b + 100 * c + 1000 * d
    for r in rest:
        total = total + r
    return total, len(rest)


def positional(a, b=2.0, /, c=3.0):
    return a + 10 * b + 100 * c


#numptx export parameters(float64[:], float)
# run: parameters(arange(2.0), 0.5)
def parameters(x, a):
    values = (1.0, 2.0, a)
    return (
        several(x, c=a),
        several(x, a, c=1.0, d=a),
        several(*values, x, a, c=2.0),
        several(a, *values, *values, c=2.0),
        positional(a),
        positional(a, 1.0, c=a),
        math.hypot(*values[:2]),
        np.maximum(*(x, a)),
    )


#numptx export one_signature_each(float32[:], int64[:])
# run: one_signature_each(ones(3, dtype=float32), arange(3))
def one_signature_each(x, y):
    def half(v):
        """The division follows the argument's type."""
        return v / 2

    return half(x), half(y), half(3), half((1 + 2j))


#numptx export in_a_comprehension(float)
# run: in_a_comprehension(2.0)
def in_a_comprehension(a):
    late = [lambda: i * a for i in (1, 2, 3)]
    early = [lambda i=i: i * a for i in (1, 2, 3)]
    return late[0](), late[2](), early[0](), early[2]()


#numptx export shadows(float64[:], float)
# run: shadows(arange(3.0), 7.0)
def shadows(x, a):
    def f(a):
        x = a + 1.0
        return x

    g = lambda x: x * a
    return f(2.0), g(3.0), x, a


#numptx export made_in_a_function(int)
# run: made_in_a_function(10)
def made_in_a_function(n):
    def outer(k):
        def inner():
            return k + n

        return inner

    return outer(3)() + outer(4)()


#numptx export chosen_when_compiled(float64[:], int)
# run: chosen_when_compiled(arange(3.0), 2)
def chosen_when_compiled(x, n):
    f = (lambda v: v + 1) if n is None else (lambda v: v - 1)
    functions = [np.sin, np.cos, lambda v: v * n]
    y = f(x)
    for g in functions:
        y = g(y)
    for i, g in enumerate(functions, n):
        y = g(y) * i
    return y


#numptx export defined_in_a_loop(int)
# run: defined_in_a_loop(0)
# run: defined_in_a_loop(6)
def defined_in_a_loop(n):
    total = 0
    for i in range(n):
        f = lambda: i * 2
        total += f()

        def g(v=i):
            return v + total

        total += g()
        if total > 40:
            break
    return total


#numptx export same_names(int)
# run: same_names(4)
def same_names(n):
    x = n

    def f():
        x = 3
        return x

    y = f()
    g = lambda *a, k=n: (len(a), k)
    a, (b, *c), *d = 1, (2, 3, 4), 5, 6
    return x, y, g(1, 2), g(*c, k=3), a, b, c, d


#numptx export iterators(float64[:], int)
# run: iterators(arange(5.0), 4)
# run: iterators(arange(5.0), 1)
def iterators(x, n):
    pairs = zip(x, range(n)) if n > 2 else zip(x, range(1))
    total = 0.0
    for v, k in pairs:
        total += float(v) * k
    return total, (x.sum if n is not None else x.max)()


#numptx export returned_with_others(float64[:], int)
# run: returned_with_others(array([2.0, 3.0]), 4)
def returned_with_others(x, n):
    def made(k):
        def square(v):
            return v * v

        def cube(v):
            return square(v) * v + k

        def power(v, n):
            return v * power(v, n - 1) if n > 0 else 1.0

        def applied(v):
            return cube(v) - square(v) + power(v, 3)

        return applied, lambda v: power(square(v), 2)

    f, g = made(n)
    h, _ = made(2 * n)
    return f(x[0]), g(x[0]), h(x[1])
