"""Messages of exceptions: values are formatted when the exception is raised, as Python formats them."""

import numpy as np

NAME = "table"


#numptx export ints(int, int8, uint64, bool, bool_)
# run: ints(1, int8(-3), uint64(2**63), True, np.bool_(False))
# run: ints(-2**63, int8(127), uint64(0), False, np.bool_(True))
def ints(a, b, c, d, e):
    if a > 5:
        return a
    raise ValueError(f"{a} {b} {c} {d} {e} {a:d} {a!r} {{}} {{a}} {NAME} {NAME!r} {3}")


#numptx export floats(float, float32, float64)
# run: floats(0.1, float32(0.1), float64(1e22))
# run: floats(-0.0, float32(-0.0), float64(inf))
# run: floats(nan, float32(nan), float64(-inf))
# run: floats(1e16, float32(1e16), float64(inf))
# run: floats(1e-5, float32(1e-5), float64(0.0001))
# run: floats(123456789.123456789, float32(123456789.0), float64(1e30))
# run: floats(-1e15, float32(1e-20), float64(5e-324))
# run: floats(1.7976931348623157e308, float32(3.4028235e38), float64(2.5))
# message: any
def floats(a, b, c):
    if a > 1.0 and b < 1e30 and c < 1e30:
        return a
    raise RuntimeError(f"{a} {b} {c} {a:.3f} {b:.2f} {c:.0f} {a!r} {c!r} {b!r}")


#numptx export shapes(float64[:,:], int)
# run: shapes(ones((2, 3)), 4)
# run: shapes(ones((2, 3)), 1)
def shapes(x, i):
    n, m = x.shape
    if i >= n:
        raise IndexError(f"row {i} of an array of shape {x.shape} and dtype {x.dtype}: {(n,)}, {[n, m]}, {None}")
    return x[i]


#numptx export elements(float64[:], int)
# run: elements(array([1.5, -2.5]), 1)
# run: elements(array([1.5, 2.5]), 1)
# run: elements(array([1.5, 2.5]), 2)
def elements(x, i):
    if x[0] > 1 and x[i] < 0:
        raise ValueError(f"x[{i}] is {x[i]}, the sum {x.sum():.1f}")
    return x[i]


#numptx export only_when_raised(int, int)
# run: only_when_raised(6, 3)
# run: only_when_raised(6, 0)
# run: only_when_raised(-6, 3)
# run: only_when_raised(-6, 0)
def only_when_raised(a, b):
    if a < 0:
        raise ValueError(f"{a} / {b} is {a // b}")
    assert b != 0, f"{a} / {b}"
    return a // b


#numptx export asserts(float64[:], int)
# run: asserts(ones(3), 3)
# run: asserts(ones(3), 2)
# run: asserts(zeros(3), 3)
def asserts(x, n):
    assert len(x) == n, f"{len(x)} elements, not {n}"
    assert x[0] > 0, "first: " f"{x[0]}"
    return x[0]


#numptx export kinds(int)
# run: kinds(0)
# run: kinds(1)
# run: kinds(2)
# run: kinds(3)
# run: kinds(4)
# run: kinds(5)
# run: kinds(6)
# run: kinds(7)
# run: kinds(8)
# run: kinds(9)
def kinds(n):
    if n == 0:
        raise TypeError(f"{n}")
    elif n == 1:
        raise ZeroDivisionError("one" + " and two")
    elif n == 2:
        raise OverflowError
    elif n == 3:
        raise NotImplementedError()
    elif n == 4:
        raise ArithmeticError(f"{n / 2}")
    elif n == 5:
        raise FloatingPointError("x" if NAME == "table" else "y")
    elif n == 6:
        raise Exception("{} {n} {{}}")
    elif n == 7:
        raise AssertionError("")
    elif n == 8:
        raise MemoryError("no")
    return n


#numptx export in_loops(float64[:], float)
# run: in_loops(array([1.0, 2.0, 3.0]), 5.0)
# run: in_loops(array([1.0, 2.0, 3.0]), 2.0)
def in_loops(x, limit):
    for i, v in enumerate(x):
        if v >= limit:
            raise ValueError(f"element {i} is not below {limit}")
        x[i] = 0.0
    return x


#numptx export zero_characters(int)
# run: zero_characters(-1)
# run: zero_characters(1)
def zero_characters(n):
    if n < 0:
        raise ValueError("tab\tand quote \" and é and {")
    return n
