"""`finally` blocks that leave early, on every way out of the body, and what they read after a `return` in a loop."""


#numptx export always(str)
# run: always("1")
# run: always("x")
# run: always("")
def always(text):
    try:
        n = int(text)
        return n
    finally:
        return 0


#numptx export stopped_by(str list)
# run: stopped_by(["1", "2", "x", "4"])
# run: stopped_by(["11", "y", "2"])
# run: stopped_by([])
def stopped_by(words):
    n = 0
    for word in words:
        try:
            n += int(word)
        finally:
            if n > 10:
                break
    return n


#numptx export passed_over(str list)
# run: passed_over(["1", "2", "x", "4"])
# run: passed_over(["y"])
# run: passed_over([])
def passed_over(words):
    n = 0
    for word in words:
        try:
            n += int(word)
            if n > 6:
                return n
        finally:
            print(word, n)
            continue
    return -n


#numptx export overridden(int list)
# run: overridden([1, 2, 3])
# run: overridden([0])
# run: overridden([])
def overridden(xs):
    for x in xs:
        try:
            if x == 1:
                continue
            y = 6 // x
            return y
        except ZeroDivisionError:
            return -1
        finally:
            if x == 2:
                return 100
    return 7


#numptx export totals(int list)
# run: totals([4, 5, 6])
# run: totals([1, 2])
# run: totals([])
def totals(xs):
    n = 0
    try:
        for x in xs:
            n += x
            if n > 10:
                return n
    finally:
        print(n)
    return 0


#numptx export replaced(str)
# run: replaced("1")
# run: replaced("x")
# run: replaced("-4")
def replaced(word):
    n = 1
    try:
        n = int(word)
        n = n * 2 + int(word)
    finally:
        if n == 1:
            raise KeyError(f"no {word}")
    return n


#numptx export kept_on_break(int list)
# run: kept_on_break([1, 2])
# run: kept_on_break([0, 5])
# run: kept_on_break([])
def kept_on_break(xs):
    n = 0
    for x in xs:
        try:
            n = x
            return 6 // n
        finally:
            break
    return n + 1


#numptx export conditional_finally(int list, int)
# run: conditional_finally([3, 0], 1)
# run: conditional_finally([3, 2], 1)
# run: conditional_finally([3, 0], 0)
# run: conditional_finally([], 2)
def conditional_finally(xs, way):
    total = 0
    while True:
        try:
            for x in xs:
                total += 6 // x
            return total
        finally:
            total += 1000
            if way == 1:
                return -total
            if way == 2:
                break
    return total + 1
