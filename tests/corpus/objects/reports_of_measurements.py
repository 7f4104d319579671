"""Numbers in text: f-strings, `%` and `format`, with widths, signs and exponents."""

import numpy as np


#numptx export line(str, int, float)
# run: line("mass", 3, 2.5)
# run: line("", -1, float("inf"))
# run: line("größe", 1234567, -0.00012345)
# run: line("x", 0, float("nan"))
def line(name, n, x):
    a = f"{name}: {n:5d} items at {x:.3f} ({x!r})"
    b = "%s has %d and %8.2e" % (name, n, x)
    c = "{} {:>6} {:.1f}".format(name, n, x)
    d = f"{name:<8}|{name:>8}|{name:^8}|{n:+d}|{n:08d}|{n:,}|{x:g}|{x:10.4f}|{x:%}"
    e = "%-6s|%05d|%+.1f|%x" % (name, n, x, abs(n))
    f = "{0}-{1}-{0}".format(name, n)
    return a, b, c, d, e, f


#numptx export texts_of_values(float, int, bool)
# run: texts_of_values(1.0, -3, True)
# run: texts_of_values(1e22, 0, False)
# run: texts_of_values(float("-inf"), 9223372036854775807, True)
def texts_of_values(x, n, flag):
    return str(x), repr(x), str(n), str(flag), str((x, n)), str([n, n]), str({"k": x}), f"{[x]} {flag} {(n,)}", str(x) + str(n)


#numptx export summary(float64[:], str)
# run: summary(array([1.0, 2.0, 4.5]), "m/s")
# run: summary(array([nan, 1.0]), "°C")
# run: summary(array([]), "kg")
def summary(x, unit):
    if len(x) == 0:
        raise ValueError(f"no values in {unit}")
    lines = [f"n    {len(x):>10}", f"mean {np.mean(x):>10.4f} {unit}", f"max  {x.max():>10.4f} {unit}"]
    return "\n".join(lines)


#numptx export table(str list, float64[:,:])
# run: table(["a", "bb"], array([[1.0, 2.25], [-3.5, 1000.125]]))
# run: table([], zeros((0, 2)))
# run: table(["ß"], array([[inf, -0.0]]))
def table(names, values):
    width = max([len(name) for name in names], default=0)
    rows = []
    for name, row in zip(names, values):
        line = name.ljust(width)
        for v in row:
            line += f" {v:8.2f}"
        rows += [line]
    return rows
