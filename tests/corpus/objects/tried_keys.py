"""Keys and positions that are not there, and what is said of them."""


#numptx export looked_up(str:int dict, str)
# run: looked_up({"a": 1, "b": 2}, "a")
# run: looked_up({"a": 1}, "it's")
# run: looked_up({}, "c")
def looked_up(table, key):
    try:
        value = table[key]
    except KeyError as e:
        print(e)
        print("no key", str(e))
        return -1
    return value


#numptx export anywhere(int list, int:float dict, int)
# run: anywhere([1, 2], {1: 0.5}, 1)
# run: anywhere([1, 2], {2: 0.5}, 0)
# run: anywhere([], {}, 4)
def anywhere(xs, weights, k):
    try:
        return weights[xs[k]]
    except LookupError as e:
        print(f"{k}: {e}")
    return 0.0


#numptx export said(int, str)
# run: said(0, "x")
# run: said(1, "a 'quoted' key")
# run: said(2, "")
def said(n, text):
    try:
        if n == 0:
            raise KeyError(text)
        if n == 1:
            raise ValueError(text)
        raise IndexError(f"{n}")
    except KeyError as e:
        return f"key {e}"
    except (ValueError, IndexError) as e:
        return f"other {e}"
