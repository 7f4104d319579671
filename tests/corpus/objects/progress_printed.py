"""What is printed while something is computed: separators, ends, lists and dictionaries as text."""

import numpy as np


#numptx export countdown(int)
# run: countdown(3)
# run: countdown(0)
# run: countdown(-2)
def countdown(n):
    while n > 0:
        print(n, end=" ")
        n -= 1
    print("done")
    return n


#numptx export newton(float, float)
# run: newton(2.0, 1.0)
# run: newton(0.0, 1.0)
# run: newton(2.0, 0.0)
def newton(a, x):
    history = [x]
    for step in range(6):
        if x == 0:
            raise ZeroDivisionError(f"step {step}: the slope is zero")
        x = 0.5 * (x + a / x)
        history.append(x)
        print(f"{step:2d} {x:.6f} {x * x - a:+.1e}")
    return history


#numptx export shown(int list, str:float dict)
# run: shown([1, 2], {"a": 0.5})
# run: shown([], {})
# run: shown([-1], {"ключ": float("nan")})
def shown(xs, d):
    print(xs, d, len(xs), "done", sep=" | ", end="!\n")
    print()
    for i, x in enumerate(xs):
        print(i, x, sep=": ")
    for name, value in d.items():
        print("%s=%.2f" % (name, value))
    print((1, 2.5), [True], None, "text", ["text"])
    print({1: [2, 3]}, [(1, "é")], sep="")
    return len(xs) + len(d)


#numptx export warned(float64[:])
# run: warned(array([1.0, -2.0, nan]))
# run: warned(array([]))
# run: warned(array([5.0]))
def warned(x):
    bad = []
    for i in range(len(x)):
        if not x[i] >= 0:
            print("value", i, "is", x[i])
            bad.append(i)
    if bad:
        print(f"{len(bad)} of {len(x)} are bad:", bad)
    return np.sqrt(np.maximum(x, 0.0)), bad


#numptx export stopped(int list)
# run: stopped([1, 2])
# run: stopped([1, -1, 2])
# run: stopped([])
def stopped(xs):
    for x in xs:
        print("checking", x)
        assert x > 0, f"{x} is not positive"
    print("all", len(xs), "are positive")
    return True
