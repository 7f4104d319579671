"""Exceptions that go on: raised again, and raised by handlers."""


#numptx export noted(int list, int, str list)
# run: noted([1, 2], 2, ["a"])
# run: noted([1, 2], 3, ["a"])
# run: noted([], 0, [])
def noted(xs, x, log):
    try:
        n = xs.index(x)
        log.append(str(n))
        return n
    except ValueError:
        log.append("nowhere")
        raise


#numptx export translated(str:int dict, str)
# run: translated({"a": 1}, "a")
# run: translated({"a": 1}, "b")
# run: translated({}, "")
def translated(table, key):
    try:
        return table[key]
    except KeyError as e:
        raise ValueError(f"unknown: {e}")


def picked(xs, k):
    try:
        return xs[k]
    finally:
        xs.append(k)


#numptx export outer(int list, int)
# run: outer([1, 2, 3], 1)
# run: outer([1], 5)
# run: outer([], 0)
def outer(xs, k):
    try:
        return picked(xs, k) + picked(xs, k + 1)
    except IndexError as e:
        print(e)
        return -len(xs)
