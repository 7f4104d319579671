"""Names of every kind that a `try` binds again and again: records, containers, views, numbers, those of local functions."""

import numpy as np
from typing import NamedTuple


class Place(NamedTuple):
    x: float
    word: str


#numptx export recorded(str list)
# run: recorded(["1", "2.5", "x"])
# run: recorded(["x"])
# run: recorded([])
def recorded(words):
    place = Place(0.0, "")
    try:
        for word in words:
            place = Place(place.x + float(word), word)
    except ValueError:
        print("last", place.word)
    return place.x, place.word


#numptx export of_dictionaries(str:int dict, str list)
# run: of_dictionaries({"a": 1, "b": 5}, ["a", "b", "c", "a"])
# run: of_dictionaries({}, ["a"])
# run: of_dictionaries({"a": 1}, [])
def of_dictionaries(table, words):
    seen = {}
    last = ("", 0)
    try:
        for n, word in enumerate(words):
            seen[word] = table[word]
            last = (word, n)
            if n == 1:
                seen = {"again": n}
    except KeyError as e:
        print("no", e)
        return seen, last
    return seen, last


#numptx export while_loop(int list)
# run: while_loop([8, 4, 2])
# run: while_loop([8, 0, 2])
# run: while_loop([])
def while_loop(xs):
    total, rounds = 0.0, 0
    try:
        while xs[rounds % 3] > 0 and rounds < 7:
            rounds += 1
            total += 8 / xs[rounds % 3]
    except ZeroDivisionError:
        print("zero")
    except IndexError:
        print("index")
    return total, rounds


#numptx export elements(float64[:], int64)
# run: elements(arange(10.0), 5)
# run: elements(arange(10.0), 15)
# run: elements(arange(3.0), 4)
def elements(x, n):
    total = 0.0
    largest = -1.0
    i = 0
    try:
        for i in range(n):
            total += x[i]
            if x[i] > largest:
                largest = x[i]
    except IndexError:
        return total, largest, i
    return -total, largest, i


#numptx export views(float64[:,:], int64)
# run: views(arange(6.0).reshape(2, 3), 1)
# run: views(arange(6.0).reshape(2, 3), 4)
# run: views(arange(6.0).reshape(2, 3), -1)
def views(x, n):
    row = x[0]
    try:
        row = x[1]
        row[0] = 77.0
        row = x[n]
        row[1] = 78.0
    except IndexError:
        row[2] = -1.0
    return row


#numptx export inner(str list, int)
# run: inner(["1", "2", "x"], 1)
# run: inner(["1", "2"], 0)
# run: inner(["1", "2"], 5)
def inner(words, k):
    def third(word):
        n = int(word)
        n = n // k
        return n

    total, n = 0, 0
    try:
        for word in words:
            n += 1
            total += third(word)
    except (ValueError, ZeroDivisionError):
        return total, n
    return total, -n


#numptx export unrolled(str)
# run: unrolled("3")
# run: unrolled("x")
# run: unrolled("0")
def unrolled(word):
    n = 0
    name = "none"
    try:
        for name, k in (("one", 1), ("two", 0), ("three", 3)):
            n = n * 10 + k
            if name == "two":
                n += 6 // int(word)
    except (ValueError, ZeroDivisionError) as e:
        print(name, e)
    return n, name


#numptx export walrus(str list)
# run: walrus(["3", "7"])
# run: walrus(["3", "x"])
# run: walrus(["3"])
def walrus(words):
    n = 0
    try:
        print((n := int(words[0])) + int(words[1]))
    except ValueError:
        print("kept", n)
    except IndexError:
        print("index", n)
    return n


#numptx export by_lists(int list list, int)
# run: by_lists([[1, 2], [3]], 2)
# run: by_lists([[1, 2], [3]], 1)
# run: by_lists([], 1)
def by_lists(xs, k):
    chosen = []
    try:
        for ys in xs:
            chosen = ys
            chosen.append(ys[k])
    except IndexError:
        chosen.append(-1)
    return chosen, xs


#numptx export floats32(float32[:], int64)
# run: floats32(arange(4.0, dtype=float32), 3)
# run: floats32(arange(4.0, dtype=float32), 9)
# run: floats32(arange(4.0, dtype=float32), 1)
def floats32(x, n):
    s = np.float32(0.1)
    try:
        for i in range(n):
            s = s + x[i]
    except IndexError:
        print(s)
    return s
