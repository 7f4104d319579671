"""Stocks of goods: everything that dictionaries have."""


#numptx export after_orders(str:int dict, (str,int) list)
# run: after_orders({"bolt": 10, "nut": 4}, [("bolt", 3), ("nut", 4), ("gear", -2)])
# run: after_orders({}, [])
# run: after_orders({"bolt": 1}, [("bolt", 2)])
# run: after_orders({"bolt": 1}, [("mütze", 1)])
def after_orders(stock, orders):
    left = stock.copy()
    for name, count in orders:
        if count < 0:
            left[name] = left.get(name, 0) - count
            continue
        if left[name] < count:
            raise ValueError(f"only {left[name]} of {name!r}, not {count}")
        left[name] -= count
        if left[name] == 0:
            del left[name]
    return left, len(left), max(left.values(), default=0)


#numptx export merged_stocks(str:int dict, str:int dict)
# run: merged_stocks({"a": 1, "b": 2}, {"b": 5, "c": 0})
# run: merged_stocks({}, {})
# run: merged_stocks({"a": -1}, {"a": -1})
def merged_stocks(first, second):
    last_wins = dict(first)
    last_wins.update(second)
    also = first | second
    summed = first.copy()
    for name in second:
        summed[name] = summed.get(name, 0) + second[name]
    same = first == second
    return last_wins, also, summed, same, sorted(set(first.keys()) & set(second.keys())), [name for name in second if name not in first]


#numptx export taken_out(str:float dict, str)
# run: taken_out({"x": 1.5, "y": 2.5}, "x")
# run: taken_out({"x": 1.5}, "z")
# run: taken_out({}, "é")
def taken_out(d, name):
    kept = d.pop(name, -1.0)
    other = d.setdefault("new", 0.25)
    again = d.setdefault("new", 99.0)
    key, value = d.popitem()
    return kept, other, again, key, value, d


#numptx export must_be_there(int:str dict, int)
# run: must_be_there({1: "one", 2: "two"}, 1)
# run: must_be_there({-7: ""}, -7)
# run: must_be_there({0: "nül", 1: "nül"}, 0)
# run: must_be_there({1: "one"}, 3)
# run: must_be_there({}, -7)
def must_be_there(names, key):
    return names.pop(key), names


#numptx export nothing_left(int:float dict)
# run: nothing_left({1: 2.0})
# run: nothing_left({-1: nan, -2: inf})
# run: nothing_left({})
def nothing_left(d):
    item = d.popitem()
    return item, len(d)


#numptx export turned_round(str:int dict)
# run: turned_round({"a": 1, "b": 2, "c": 1})
# run: turned_round({})
# run: turned_round({"é": 0})
def turned_round(d):
    by_value = {}
    all_names = {}
    for k, v in d.items():
        by_value[v] = k
        all_names.setdefault(v, []).append(k)
    ranked = sorted(d, key=lambda k: d[k], reverse=True)
    d.clear()
    return by_value, all_names, ranked, d, list(by_value.keys()), list(by_value.values()), list(by_value.items())


#numptx export lookups(float:int dict, float)
# run: lookups({0.5: 1, 2.0: 4}, 2.0)
# run: lookups({0.0: 1}, -0.0)
# run: lookups({float("inf"): -1}, float("inf"))
# run: lookups({1.0: 1}, 0.1)
def lookups(d, x):
    return d[x], x in d
