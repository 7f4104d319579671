"""Functions of `operator`, of `functools` and of `itertools` as values, and what they make of lists."""

import functools
import itertools
import operator
from functools import partial, reduce
from operator import attrgetter, itemgetter, methodcaller
from typing import NamedTuple

import numpy as np


#numptx export folded(int list, float list)
# run: folded([3, 1, 2], [0.5, 2.0])
# run: folded([3], [-0.0])
def folded(whole, reals):
    return reduce(operator.add, whole), reduce(operator.mul, reals, 2.0), reduce(operator.sub, whole), list(itertools.accumulate(whole, operator.mul)), reduce(operator.xor, whole)


#numptx export arithmetic(int, int)
# run: arithmetic(7, 2)
# run: arithmetic(-7, 2)
# run: arithmetic(7, 0)
def arithmetic(a, b):
    numbers = operator.add(a, b), operator.sub(a, b), operator.truediv(a, b), operator.floordiv(a, b), operator.mod(a, b), operator.pow(a, 2)
    bits = operator.and_(a, b), operator.or_(a, b), operator.lshift(a, b), operator.rshift(a, b), operator.inv(a), operator.invert(b)
    tests = operator.eq(a, b), operator.ne(a, b), operator.lt(a, b), operator.le(a, b), operator.gt(a, b), operator.ge(a, b), operator.not_(a), operator.truth(b)
    return numbers, bits, tests, operator.neg(a), operator.pos(a), operator.abs(a), operator.mul(a, b)


#numptx export of_arrays(float64[:,:], float64[:])
# run: of_arrays(random((2, 2)), ones(2))
def of_arrays(m, x):
    y = x.copy()
    z = operator.iadd(y, x)
    operator.setitem(y, 0, 5.0)
    return operator.matmul(m, x), operator.sub(x, m), z, operator.getitem(m, 1), operator.contains(x, 1.0), operator.lt(x, m)


#numptx export of_lists(int list, str list)
# run: of_lists([3, 1, 3], ["a", "b"])
# run: of_lists([1, 2], [])
def of_lists(xs, names):
    both = operator.concat(xs, [7])
    operator.iadd(xs, [9])
    found = operator.countOf(xs, 3), operator.contains(names, "a")
    operator.delitem(xs, 0)
    return both, xs, found, operator.indexOf(both, 7)


#numptx export sorted_by((str, float) list)
# run: sorted_by([("b", 2.0), ("a", 3.0), ("c", 1.0)])
# run: sorted_by([])
def sorted_by(pairs):
    by_number = sorted(pairs, key=itemgetter(1))
    by_both = sorted(pairs, key=operator.itemgetter(1, 0), reverse=True)
    names = list(map(itemgetter(0), by_number))
    return by_number, by_both, names


class Point(NamedTuple):
    x: float
    y: float


#numptx export sorted_points(float list)
# run: sorted_points([3.0, -1.0, 2.0])
def sorted_points(xs):
    points = [Point(x, x * x) for x in xs]
    first = sorted(points, key=attrgetter("y"))
    return [p.x for p in first], list(map(attrgetter("x", "y"), points)), max(points, key=attrgetter("x")).y


#numptx export methods(float64[:,:], str list)
# run: methods(random((2, 3)), ["a,b", "c"])
def methods(x, words):
    total = methodcaller("sum", axis=0)
    return total(x), methodcaller("max")(x), list(map(methodcaller("upper"), words)), [methodcaller("split", ",")(w) for w in words]


def scaled(x, factor=2.0, offset=0.0):
    return x * factor + offset


#numptx export partially(float64[:], float)
# run: partially(array([1.0, 2.0]), 0.5)
def partially(x, a):
    def shifted(v, by, times=1):
        return (v + by) * times + a

    half = partial(scaled, factor=0.5)
    moved = functools.partial(shifted, x, times=3)
    a = 10.0
    return half(x), half(x, offset=a), partial(half, offset=1.0)(x, factor=4.0), moved(1.0), moved(by=2.0, times=1), partial(np.add, x)(a), partial(np.sum, axis=0)(x), partial(max, 3)(2)


def adder(n):
    def add(v):
        return v + n

    return partial(add), partial(reduce, add_two)


def add_two(a, b):
    return a + b


#numptx export returned(int list, int)
# run: returned([1, 2, 3], 10)
def returned(xs, n):
    add, total = adder(n)
    return [add(v) for v in xs], total(xs), list(map(partial(pow, 2), xs)), list(filter(partial(operator.lt, 1), xs))


#numptx export chosen(int list, bool list)
# run: chosen([1, 5, 2, 6, 1], [True, False, True])
# run: chosen([], [])
def chosen(xs, flags):
    dropped = list(itertools.dropwhile(lambda v: v < 4, xs))
    taken = list(itertools.takewhile(lambda v: v < 4, xs))
    return list(itertools.compress(xs, flags)), dropped, taken, list(itertools.filterfalse(lambda v: v % 2, xs)), list(itertools.filterfalse(None, xs))


#numptx export counted_up(int)
# run: counted_up(30)
# run: counted_up(0)
def counted_up(n):
    squares = []
    for k in itertools.takewhile(lambda v: v * v < n, itertools.count(1)):
        squares.append(k * k)
    for k in itertools.count(start=n, step=-7):
        if k < 0:
            break
        squares.append(k)
    return squares, list(itertools.accumulate(squares, func=operator.add, initial=1)), list(itertools.repeat(n, 3)), list(itertools.repeat(0.5, n % 4))


#numptx export together(int list, float list)
# run: together([2, 3, 4], [5.0, 6.0])
# run: together([2], [0.5, 1.5, 2.5])
# run: together([], [])
def together(xs, ys):
    pairs = list(itertools.zip_longest(xs, ys, fillvalue=0))
    powers = list(itertools.starmap(pow, [(x, 2) for x in xs]))
    first, second = itertools.tee(xs)
    total = 0.0
    for (x, y), z in zip(itertools.zip_longest(xs, xs[1:], fillvalue=-1), itertools.starmap(lambda a, b: a * b, zip(xs, ys))):
        total += x * y + z
    return powers, sum(first), list(second), total, len(pairs)


#numptx export grouped(int list, str list)
# run: grouped([1, 1, 2, 1, 3, 3], ["aa", "ab", "b", "ba", "a"])
# run: grouped([], [])
# run: grouped([7], [""])
def grouped(xs, words):
    runs = [(key, len(list(group))) for key, group in itertools.groupby(xs)]
    parity = [(key, sum(group)) for key, group in itertools.groupby(xs, key=lambda v: v % 2)]
    by_length = [(n, list(group)) for n, group in itertools.groupby(sorted(words, key=len), key=len)]
    return runs, parity, by_length
