"""Short forms that users write with lists, dictionaries, sets and texts: `map`, `zip`, `set` and `dict` of something, generators in calls, slices."""

import numpy as np

LIMITS = {"low": 1, "high": 20}


#numptx export made_of_each_other(str list, int list)
# run: made_of_each_other(["a", "b", "a"], [1, 2, 3])
# run: made_of_each_other([], [])
# run: made_of_each_other(["ñ"], [-1, 5])
def made_of_each_other(names, numbers):
    table = dict(zip(names, numbers))
    pairs = list(zip(names, numbers))
    numbered = list(enumerate(names))
    text = ",".join(map(str, numbers))
    return table, pairs, numbered, text, sorted(table.items()), sorted(table.items(), key=lambda item: item[1])


#numptx export letters(str)
# run: letters("hello")
# run: letters("")
# run: letters("ünü")
def letters(text):
    return "".join(sorted(text)), sorted(set(text))


#numptx export among_texts(str)
# run: among_texts("hello")
# run: among_texts("")
# run: among_texts("héllo")
def among_texts(text):
    return text in {"hello", "x"}, text not in ("", "y")


#numptx export numbers_in_text(str)
# run: numbers_in_text("1 2 3")
# run: numbers_in_text("")
# run: numbers_in_text("1 two")
def numbers_in_text(text):
    ints = list(map(int, text.split()))
    floats = [float(word) for word in text.split()]
    return ints, floats, sum(x * x for x in ints), any(x > 2 for x in ints), all(x > 0 for x in ints)


#numptx export slices_assigned(int list)
# run: slices_assigned([1, 2, 3, 4])
# run: slices_assigned([])
# run: slices_assigned([5])
# run: slices_assigned([1, 2, 3])
def slices_assigned(xs):
    xs[::2] = [7, 8]
    xs[0], xs[-1] = xs[-1], xs[0]
    whole = xs.copy()
    whole[:] = [0]
    xs.extend(xs)
    xs.extend(range(3))
    return xs, whole


#numptx export statistics_of_lists(float list)
# run: statistics_of_lists([3.0, 1.0, 2.5])
# run: statistics_of_lists([inf, 1.0])
# run: statistics_of_lists([-2.0])
def statistics_of_lists(xs):
    return np.mean(xs), np.sum(xs), np.max(xs), np.argsort(xs), np.asarray(xs) * 2, [round(x, 1) for x in xs]


#numptx export values_in_arrays(str:float dict)
# run: values_in_arrays({"a": 1.0, "b": 2.5})
# run: values_in_arrays({"é": -inf})
# run: values_in_arrays({"x": nan, "y": 0.0})
def values_in_arrays(table):
    values = np.array(list(table.values()))
    return values, np.mean(list(table.values())), ("a", 1.0) in table.items(), 0.0 in table.values()


#numptx export chosen_by_lists(float64[:], int list)
# run: chosen_by_lists(arange(5.0), [3, 1, 3])
# run: chosen_by_lists(arange(5.0)[::-1], [-1])
# run: chosen_by_lists(arange(2.0), [2])
def chosen_by_lists(x, places):
    chosen = x[places]
    x[places] = -1.0
    return chosen, sorted(x), list(chosen)


#numptx export lists_compared(int list list, int list)
# run: lists_compared([[2, 1], [1, 5], [1]], [1])
# run: lists_compared([], [])
# run: lists_compared([[], [0]], [])
# run: lists_compared([[3]], [4])
def lists_compared(rows, row):
    rows.sort()
    if row not in rows:
        return rows, -1, rows.count(row)
    return rows, rows.index(row), rows.count(row)


#numptx export changed_while_read(str:int dict, bool)
# run: changed_while_read({"a": 0, "b": 1}, False)
# run: changed_while_read({}, True)
# run: changed_while_read({"a": 0, "é": 1}, True)
def changed_while_read(table, careless):
    if careless:
        for name in table:
            table[name + "x"] = 1
    for name in list(table):
        if table[name] == 0:
            del table[name]
    return table, [name for name in reversed(table)]


#numptx export added_while_read(int set)
# run: added_while_read({1, 2})
# run: added_while_read(set())
# run: added_while_read({-1, -2, -3})
def added_while_read(members):
    for member in members:
        members.add(member + 10)
    return members


#numptx export sorted_by_length(str list)
# run: sorted_by_length(["ccc", "a", "bb", "d"])
# run: sorted_by_length([])
# run: sorted_by_length(["éé", "e"])
def sorted_by_length(words):
    words.sort(key=len)
    return words, list(map(lambda word: word.upper(), words)), list(filter(lambda word: len(word) > 1, words))


#numptx export split_by_parity(int list)
# run: split_by_parity([1, 2, 3])
# run: split_by_parity([])
# run: split_by_parity([-1, 0])
def split_by_parity(xs):
    odd, even = [], []
    for x in xs:
        (odd if x % 2 else even).append(x)
    taken = 0
    while (left := len(xs)) > 1:
        xs.pop()
        taken += left
    return odd, even, taken, list(filter(None, even))


#numptx export within_limits(str, int list)
# run: within_limits("low", [0, 1, 2])
# run: within_limits("high", [])
# run: within_limits("low", [-5])
def within_limits(name, xs):
    assert len(xs) > 0, "no numbers"
    return [min(x, LIMITS[name]) for x in xs], sum(x > LIMITS[name] for x in xs), LIMITS.get("none", 0)


#numptx export grid_of_zeros(int, int)
# run: grid_of_zeros(2, 3)
# run: grid_of_zeros(1, 1)
# run: grid_of_zeros(0, 3)
def grid_of_zeros(n, m):
    grid = [[0] * m for _ in range(n)]
    grid[n - 1][m - 1] += 5
    return grid, [len(row) for row in grid]


#numptx export errors_of_members(str, int)
# run: errors_of_members("4.5", 0)
# run: errors_of_members("", 0)
# run: errors_of_members("ab", 5)
# run: errors_of_members("12", 1)
def errors_of_members(text, i):
    return text[i], int(text), float(text)
