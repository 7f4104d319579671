"""Lists, dictionaries and sets of callers that compiled functions change: their own kinds, what is refused, and what is left where a call raises."""

import collections

import numpy as np
import pytest

PROGRAM = '''
import numpy as np


#numptx export grown(int list, int)
def grown(xs, n):
    for i in range(n):
        xs.append(i)
    return xs


#numptx export counted(str:int dict, str)
def counted(table, key):
    table[key] = table.get(key, 0) + 1
    if "gone" in table:
        del table["gone"]
    return table


#numptx export marked(int set, int)
def marked(members, n):
    members.add(n)
    return members


#numptx export both(float list, int list)
def both(xs, ns):
    xs.append(0.5)
    return len(ns)


#numptx export looked_at(float list, int list)
def looked_at(xs, ns):
    return len(xs) + len(ns)


#numptx export kept(float64[:] list, float64[:], int)
def kept(rows, x, n):
    rows.append(x)
    rows.append(x + 1.0)
    rows.append(x[::2])
    return 10 // n


#numptx export moved(int list list, int)
def moved(rows, n):
    rows[0].append(n)
    rows.append(rows.pop(0))


#numptx export shortened(int list, int)
def shortened(xs, n):
    while len(xs) > n:
        xs.pop()


#numptx export thinned(int set, int)
def thinned(members, n):
    members.discard(n)
    members.add(n + 1)
'''


def test_a_list_that_is_returned_is_the_callers(compiled):
    xs = [1, 2]
    assert compiled.grown(xs, 3) is xs and xs == [1, 2, 0, 1, 2]


def test_members_that_stay_are_the_very_objects(compiled):
    large = 2**40 + 1
    xs = [large, True, np.int64(3)]
    before = list(xs)
    compiled.grown(xs, 1)
    assert all(a is b for a, b in zip(xs, before)) and xs[3] == 0 and len(xs) == 4


def test_members_that_go_are_gone(compiled):
    xs, members = [3, 4, 5], {3, 7}
    compiled.shortened(xs, 1)
    compiled.thinned(members, 3)
    assert xs == [3] and members == {4, 7}


def test_inner_lists_stay_the_very_objects(compiled):
    first, second = [1], [2]
    rows = [first, second]
    compiled.moved(rows, 7)
    assert rows[0] is second and rows[1] is first and first == [1, 7]


def test_dictionaries_of_every_kind(compiled):
    for table in ({"a": 1}, collections.OrderedDict(a=1), collections.Counter(a=1), collections.defaultdict(int, a=1)):
        kind = type(table)
        assert compiled.counted(table, "b") is table and type(table) is kind
        assert list(table.items()) == [("a", 1), ("b", 1)]
        table["gone"] = 5
        compiled.counted(table, "c")
        assert list(table.items()) == [("a", 1), ("b", 1), ("c", 1)]


def test_a_frozen_set_is_not_changed(compiled):
    members = {1}
    assert compiled.marked(members, 2) is members and members == {1, 2}
    assert compiled.marked(frozenset([5]), 5) == {5}
    with pytest.raises(AttributeError, match="a 'frozenset' was passed"):
        compiled.marked(frozenset([5]), 6)


def test_one_list_as_two_types_is_refused_where_it_changes(compiled):
    xs = [1, 2]
    assert compiled.looked_at(xs, xs) == 4
    with pytest.raises(TypeError, match="different types"):
        compiled.both(xs, xs)
    assert xs == [1, 2]


def test_arrays_are_left_in_lists_also_where_a_call_raises(compiled):
    x, rows = np.arange(3.0), []
    assert compiled.kept(rows, x, 5) == 2
    assert rows[0] is x and rows[2].base is x
    np.testing.assert_array_equal(rows[1], [1.0, 2.0, 3.0])
    rows = [x]
    with pytest.raises(ZeroDivisionError):
        compiled.kept(rows, x, 0)
    assert len(rows) == 4 and rows[0] is x and rows[1] is x
    del x
    np.testing.assert_array_equal(rows[3], [0.0, 2.0])
    np.testing.assert_array_equal(rows[2], [1.0, 2.0, 3.0])


class Meddling:
    """A number that empties the list which it is in when it is asked for its value."""

    def __init__(self, owner):
        self.owner = owner

    def __index__(self):
        self.owner.clear()
        return 4


def test_a_member_that_changes_its_list_while_it_is_read(compiled):
    xs = []
    xs.extend([1, Meddling(xs), 2])
    with pytest.raises((TypeError, IndexError)):
        compiled.grown(xs, 1)
    xs = [1]
    xs.append(Meddling(xs))
    assert compiled.grown(xs, 1) is xs
