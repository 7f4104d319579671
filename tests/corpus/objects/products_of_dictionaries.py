"""Sparse matrices and polynomials as dictionaries from places to numbers."""


#numptx export product((int,int):float dict, (int,int):float dict)
# run: product({(0, 0): 2.0, (0, 1): 1.0}, {(0, 0): 3.0, (1, 0): -6.0, (1, 2): 4.0})
# run: product({}, {(0, 0): 1.0})
# run: product({(0, 0): float("inf")}, {(0, 0): 0.0})
def product(a, b):
    rows = {}
    for (k, j), v in b.items():
        rows.setdefault(k, []).append((j, v))
    result = {}
    for (i, k), u in a.items():
        for j, v in rows.get(k, []):
            result[i, j] = result.get((i, j), 0.0) + u * v
    return {place: value for place, value in result.items() if value != 0.0}


#numptx export multiplied(int:int dict, int:int dict)
# run: multiplied({0: 1, 1: 1}, {0: -1, 1: 1})
# run: multiplied({}, {3: 1})
# run: multiplied({0: -2}, {5: 7})
def multiplied(p, q):
    result = {}
    for a, x in p.items():
        for b, y in q.items():
            result[a + b] = result.get(a + b, 0) + x * y
    for power in list(result):
        if result[power] == 0:
            del result[power]
    degree = max(result.keys(), default=-1)
    return result, degree


#numptx export polynomial_as_text(int:int dict)
# run: polynomial_as_text({2: 3, 0: -1, 1: 1})
# run: polynomial_as_text({})
# run: polynomial_as_text({0: 0, 10: -4})
def polynomial_as_text(p):
    terms = []
    for power in sorted(p, reverse=True):
        c = p[power]
        if c == 0:
            continue
        sign = "-" if c < 0 else "+"
        factor = "" if abs(c) == 1 and power > 0 else str(abs(c))
        variable = "" if power == 0 else "x" if power == 1 else f"x^{power}"
        terms.append(f"{sign} {factor}{variable}")
    text = " ".join(terms) or "0"
    return text.removeprefix("+ ")
