"""Loops and branches in `try` that bind what is read after an exception: names are as far as the body came."""

import numpy as np


#numptx export stopped(str list)
# run: stopped(["1", "2", "x", "4"])
# run: stopped(["1", "2"])
# run: stopped([])
def stopped(words):
    n = 0
    last = ""
    try:
        for word in words:
            last = word
            n += int(word)
    except ValueError:
        return n, last
    return -n, last


#numptx export in_branches(bool, str, str)
# run: in_branches(True, "5", "x")
# run: in_branches(True, "y", "x")
# run: in_branches(False, "5", "x")
def in_branches(c, a, b):
    n = 0
    try:
        if c:
            n = int(a)
            m = int(b)
        else:
            m = 0
    except ValueError:
        return n
    return n + m


#numptx export unset(str list)
# run: unset(["1", "2", "x", "4"])
# run: unset(["x"])
# run: unset([])
def unset(words):
    try:
        for word in words:
            n = int(word)
    except ValueError as e:
        print(e)
    return n


#numptx export again(str list)
# run: again(["1", "2", "x", "4"])
# run: again(["x"])
# run: again(["5", "5", "z"])
def again(words):
    total = 0
    for word in words:
        try:
            n = int(word)
            m = 10 // (n - 2)
        except ValueError:
            total += n
        except ZeroDivisionError:
            total += 100
        else:
            total += m
    return total


#numptx export best_of(str list)
# run: best_of(["1", "7", "x", "4"])
# run: best_of(["x"])
# run: best_of(["5", "3"])
def best_of(words):
    best = None
    try:
        for word in words:
            n = int(word)
            if best is None or n > best:
                best = n
    except ValueError:
        print("best so far", best)
    return best


#numptx export nested(str list list)
# run: nested([["1", "2"], ["x", "3"], ["4"]])
# run: nested([["1", "2"], [], ["4", "0"], ["5"]])
# run: nested([])
def nested(rows):
    n, m, row_number = 0, 0, -1
    try:
        for row_number, row in enumerate(rows):
            try:
                for word in row:
                    n += 12 // int(word)
                    m = m * 2 + 1
            except ValueError:
                n -= 1000
            finally:
                m += 100
    except ZeroDivisionError:
        print("row", row_number)
    return n, m


#numptx export listed(str list)
# run: listed(["1", "2", "x", "4"])
# run: listed(["x"])
# run: listed(["7"])
def listed(words):
    found = [-1]
    try:
        found = []
        for word in words:
            found.append(int(word))
        found = found + [9]
    except ValueError:
        return found
    return found[::-1]


#numptx export arrays(float64[:], int64)
# run: arrays(arange(5.0), 2)
# run: arrays(arange(5.0), 9)
# run: arrays(zeros(0), 0)
def arrays(x, n):
    y = x
    k = 0
    try:
        while True:
            y = y * 2.0
            y[n] += 1.0
            k += 1
            if k > 3:
                n = 77
    except IndexError:
        return y + k
    return y


#numptx export deleted(str)
# run: deleted("1")
# run: deleted("x")
# run: deleted("")
def deleted(word):
    n = 5
    try:
        del n
        n = int(word)
    except ValueError:
        pass
    return n


#numptx export searched(int list, int)
# run: searched([5, 0, 3], 3)
# run: searched([5, 1, 3], 3)
# run: searched([5, 1, 2], 3)
def searched(xs, wanted):
    i = -1
    n = 0
    try:
        for i, x in enumerate(xs):
            n += 10 // x
            if x == wanted:
                return i, n
        else:
            n = -n
    except ZeroDivisionError as e:
        print(e, i)
    finally:
        print("at", i, n)
    return i, n
