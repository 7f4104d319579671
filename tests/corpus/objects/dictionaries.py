"""Dictionaries: counting, grouping and looking up."""


#numptx export counted(int list)
# run: counted([1, 2, 1, 3, 1])
# run: counted([])
def counted(xs):
    counts = {}
    for x in xs:
        counts[x] = counts.get(x, 0) + 1
    return counts


#numptx export grouped(str list)
# run: grouped(["a", "bc", "d", "ef", ""])
# run: grouped([])
def grouped(words):
    groups = {}
    for word in words:
        groups.setdefault(len(word), []).append(word)
    total = 0
    for n, members in groups.items():
        total += n * len(members)
    return groups, total


#numptx export looked_up(str:int dict, str)
# run: looked_up({"a": 1, "b": 2}, "b")
# run: looked_up({"a": 1, "b": 2}, "c")
def looked_up(table, key):
    if key in table:
        table[key] += 10
        return table[key]
    table[key] = -1
    return len(table)


#numptx export required(str:int dict, str)
# run: required({"a": 1}, "a")
# run: required({"a": 1}, "c")
def required(table, key):
    value = table.pop(key)
    del table["a"]
    return value


#numptx export inverted(str:int dict)
# run: inverted({"a": 1, "b": 2, "c": 1})
# run: inverted({})
def inverted(table):
    found = {}
    for key, value in table.items():
        found[value] = key
    keys = sorted(found.keys())
    return found, keys, sum(table.values())


#numptx export sparse(int:float dict, int:float dict)
# run: sparse({1: 2.0, 3: 1.5}, {3: 4.0})
# run: sparse({}, {0: 1.0})
def sparse(a, b):
    product = 0.0
    for i, x in a.items():
        product += x * b.get(i, 0.0)
    a.update(b)
    return product, len(a)


#numptx export remembered(int)
# run: remembered(10)
# run: remembered(0)
def remembered(n):
    known = {0: 0, 1: 1}
    i = 2
    while i <= n and i < 40:
        known[i] = known[i - 1] + known[i - 2]
        i += 1
    return known[n] if n in known else -1


#numptx export at_points(int list)
# run: at_points([1, 2, 3, 1, 2])
def at_points(xs):
    seen = {}
    for i in range(len(xs) - 1):
        point = (xs[i], xs[i + 1])
        if point in seen:
            return seen[point], i
        seen[point] = i
    return -1, len(seen)
