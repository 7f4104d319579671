"""Lists, dictionaries, sets and deques that change while they are iterated, forwards and backwards."""

from collections import deque

import numpy as np


#numptx export growing(int list)
# run: growing([1, 2, 3])
# run: growing([7])
# run: growing([])
# run: growing([100, 5])
def growing(xs):
    ys = []
    for x in xs:
        ys.append(x)
        if x < 100:
            xs.append(x * 10)
    return ys


#numptx export shrinking(int list)
# run: shrinking([1, 2, 3, 4, 5])
# run: shrinking([])
# run: shrinking([7])
def shrinking(xs):
    ys = []
    for x in xs:
        ys.append(x)
        xs.pop()
    return ys


#numptx export deleting_the_first(int list)
# run: deleting_the_first([1, 2, 3, 4, 5])
# run: deleting_the_first([])
def deleting_the_first(xs):
    ys = []
    for i, x in enumerate(xs):
        ys.append(x + i)
        del xs[0]
    return ys


#numptx export zipped_with_places(int list)
# run: zipped_with_places([1, 2, 3, 4, 5])
# run: zipped_with_places([])
def zipped_with_places(xs):
    ys = []
    for i, x in zip(range(100), xs):
        ys.append(x + i)
        xs.pop()
    return ys


#numptx export popping_within(int list)
# run: popping_within([1, 2, 3, 4, 5])
# run: popping_within([4])
def popping_within(xs):
    ys = []
    for x in xs:
        ys.append(x)
        for k in range(1):
            xs.pop()
    return ys


def shorten(xs):
    xs.pop()


#numptx export shortened_by_a_helper(int list)
# run: shortened_by_a_helper([1, 2, 3, 4])
# run: shortened_by_a_helper([])
def shortened_by_a_helper(xs):
    ys = []
    for x in xs:
        ys.append(x)
        shorten(xs)
    return ys


#numptx export keys_added(int:int dict)
# run: keys_added({1: 2, 3: 4})
# run: keys_added({})
# run: keys_added({2000: 1})
def keys_added(d):
    ys = []
    for k in d:
        ys.append(k)
        if k < 1000:
            d[k + 100] = 1
    return ys


#numptx export members_discarded(int set)
# run: members_discarded({1, 2, 3})
# run: members_discarded(set())
def members_discarded(d):
    ys = []
    for k in d:
        ys.append(k)
        d.discard(k)
    return ys


#numptx export ends_popped(int list)
# run: ends_popped([1, 2, 3])
# run: ends_popped([])
# run: ends_popped([5])
def ends_popped(xs):
    q = deque(xs)
    ys = []
    for k in q:
        ys.append(k)
        q.pop()
    return ys


#numptx export sums_with_the_last(int list)
# run: sums_with_the_last([1, 2, 3, 4])
# run: sums_with_the_last([7])
def sums_with_the_last(xs):
    return np.array([x + xs.pop() for x in xs])


#numptx export sums_as_float32(int list)
# run: sums_as_float32([1, 2, 3, 4])
# run: sums_as_float32([7])
def sums_as_float32(xs):
    return np.array([x + xs.pop() for x in xs], dtype=np.float32)


def pushed(xs, x):
    if len(xs) < 12:
        xs.append(x + 1)
    return x


#numptx export pushed_where_positive(int list)
# run: pushed_where_positive([1, 2, 3])
# run: pushed_where_positive([5, -1])
def pushed_where_positive(xs):
    return np.array([pushed(xs, x) for x in xs if x > 0])


#numptx export table_of_pushed(int list, int list)
# run: table_of_pushed([1, 2], [1, 2, 3])
def table_of_pushed(xs, ys):
    return np.array([[pushed(ys, x) + y for y in ys] for x in xs])


#numptx export lists_of_pushed(int, int list)
# run: lists_of_pushed(3, [1, 2, 3])
# run: lists_of_pushed(0, [1])
def lists_of_pushed(n, ys):
    return [[pushed(ys, x) + y for y in ys] for x in range(n)]


#numptx export values_of(int:int dict)
# run: values_of({1: 2, 3: 4})
# run: values_of({})
def values_of(d):
    ys = []
    for k, v in d.items():
        ys.append(v)
    return ys


#numptx export doubled_keys(int:int dict)
# run: doubled_keys({1: 2, 3: 4})
# run: doubled_keys({})
def doubled_keys(d):
    ys = []
    for k in d:
        ys.append(k * 2)
    return ys


#numptx export backwards_with_writes(int list)
# run: backwards_with_writes([3, 2, 1, 4, 5])
# run: backwards_with_writes([1])
# run: backwards_with_writes([])
def backwards_with_writes(xs):
    n = 0
    for x in reversed(xs):
        n = n * 10 + x
        xs[0] = 9
    return n


#numptx export backwards_with_pops(int list)
# run: backwards_with_pops([1, 2, 3, 4, 5])
# run: backwards_with_pops([1, 2])
# run: backwards_with_pops([1])
def backwards_with_pops(xs):
    n = 0
    for x in reversed(xs):
        n = n * 10 + x
        xs.pop()
        xs.pop()
    return n


#numptx export taken_backwards(int list)
# run: taken_backwards([3, 1, 2])
# run: taken_backwards([4])
def taken_backwards(xs):
    ys = [1, 2]
    for i, x in enumerate(reversed(xs)):
        ys.append(x * i)
    pairs = list(zip(reversed(xs), xs))
    return ys, list(reversed(xs)), sorted(reversed(xs)), sum(reversed(xs)), tuple(reversed(xs)), max(reversed(xs)), pairs


#numptx export deque_backwards(int list)
# run: deque_backwards([1, 2, 3])
# run: deque_backwards([7])
# run: deque_backwards([])
def deque_backwards(xs):
    q = deque(xs)
    n = 0
    for x in reversed(q):
        n = n * 10 + x
        q.append(3)
    return n


#numptx export keys_backwards(int:int dict)
# run: keys_backwards({5: 1, 6: 7})
# run: keys_backwards({})
def keys_backwards(d):
    n = 0
    for x in reversed(d):
        n = n * 10 + x
    for x in reversed(d):
        d[x+7] = 1
    return n


def key_that_grows(xs, x):
    xs.append(x)
    return -x


#numptx export sorted_while_it_grows(int list)
# run: sorted_while_it_grows([3, 1, 2])
# run: sorted_while_it_grows([7])
# run: sorted_while_it_grows([])
def sorted_while_it_grows(xs):
    ys = list(xs)
    ys.sort(key=lambda x: key_that_grows(ys, x))
    return ys
