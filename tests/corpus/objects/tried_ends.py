"""`finally` and `else` on every way out of a `try`."""


#numptx export steps(str list, bool)
# run: steps(["1", "x"], True)
# run: steps([], False)
# run: steps(["2", "3"], False)
def steps(words, strict):
    seen = []
    try:
        try:
            for word in words:
                seen.append(int(word))
        finally:
            seen.append(-1)
    except ValueError as e:
        seen.append(-2)
        if strict:
            print(e)
    else:
        seen.append(-3)
    finally:
        print(len(seen))
    return seen


#numptx export first_even(int list, int)
# run: first_even([1, 3, 4, 6], 10)
# run: first_even([1, 0, 4], 10)
# run: first_even([1], 3)
def first_even(xs, n):
    visited = [0]
    for x in xs:
        try:
            if x == 3:
                continue
            if n % x == 5:
                break
            if x % 2 == 0:
                return x, visited
        except ZeroDivisionError:
            visited.append(-1)
            continue
        finally:
            visited.append(x)
    return -1, visited


#numptx export left(int list, int)
# run: left([3, 1, 2], 1)
# run: left([3, 1, 2], 9)
# run: left([], 0)
def left(xs, wanted):
    log = []
    while xs:
        try:
            x = xs.pop()
            if x == wanted:
                break
        finally:
            log.append(len(xs))
    return log
