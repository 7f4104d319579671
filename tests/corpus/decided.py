"""What is decided when compiling: `None` defaults, `isinstance`, dtypes, ranks, constant tuples. Only what is taken is compiled."""

import numpy as np

WEIGHTS = (0.25, 0.5, 0.25)
SHAPES = ((2, 3), (4,))
LIMIT, NAMES = 3, ("linear", "cubic")


#numptx export defaults(float64[:], float64[:]?, float?)
# run: defaults(arange(3.0))
# run: defaults(arange(3.0), ones(3))
# run: defaults(arange(3.0), ones(3), 0.5)
# run: defaults(arange(3.0), y=ones(3), scale=0.5)
def defaults(x, y=None, scale=None):
    if y is None:
        y = np.zeros(len(x))
    if scale is not None:
        y = y * scale
    return x + y


#numptx export kinds(float64[:])
#numptx export kinds(float32[:,:])
#numptx export kinds(int64[:])
#numptx export kinds(float)
#numptx export kinds(int)
#numptx export kinds(bool)
#numptx export kinds(complex)
#numptx export kinds(None)
#numptx export kinds((int, float64[:]))
# run: kinds(ones(3))
# run: kinds(ones((3, 1), dtype=float32))
# run: kinds(arange(3))
# run: kinds(2.5)
# run: kinds(2)
# run: kinds(True)
# run: kinds(1j)
# run: kinds(None)
# run: kinds((1, ones(2)))
def kinds(x):
    return (
        isinstance(x, np.ndarray),
        isinstance(x, int),
        isinstance(x, float),
        isinstance(x, (int, float)),
        isinstance(x, bool),
        isinstance(x, complex),
        isinstance(x, np.floating),
        isinstance(x, np.integer),
        isinstance(x, (np.number, bool)),
        isinstance(x, np.generic),
        isinstance(x, np.float64),
        isinstance(x, tuple),
        np.isscalar(x),
        x is None,
    )


#numptx export numpy_kinds(float64)
#numptx export numpy_kinds(int8)
#numptx export numpy_kinds(bool_)
#numptx export numpy_kinds(complex128)
#numptx export numpy_kinds(float32)
# run: numpy_kinds(float64(2.5))
# run: numpy_kinds(int8(3))
# run: numpy_kinds(np.bool_(True))
# run: numpy_kinds(complex128(1j))
# run: numpy_kinds(float32(1.0))
def numpy_kinds(x):
    return kinds(x), kinds(x + 1), isinstance(x, (np.float32, np.int8, np.bool_)), isinstance(x, np.signedinteger)


#numptx export by_type(float64[:])
#numptx export by_type(float32[:])
#numptx export by_type(int32[:])
#numptx export by_type(float64[:,:])
#numptx export by_type(float)
# run: by_type(arange(4.0))
# run: by_type(arange(4, dtype=float32))
# run: by_type(arange(4, dtype=int32))
# run: by_type(ones((2, 2)))
# run: by_type(2.0)
def by_type(x):
    if isinstance(x, float):
        return x * 2
    if x.ndim > 1:
        x = x.ravel()
    if x.dtype == np.float32:
        y = x * np.float32(0.5)
    elif np.issubdtype(x.dtype, np.integer):
        y = x // 2
    else:
        assert x.dtype == np.dtype("float64")
        y = np.sqrt(x)
    return y, np.issubdtype(x.dtype, np.float64), np.iscomplexobj(x), x.dtype.kind in "iu"


def only_arrays(x):
    if not isinstance(x, np.ndarray):
        raise TypeError("not an array")
    return x.shape[0]


#numptx export refuses(float64[:], int)
#numptx export refuses(float, int)
# run: refuses(ones(3), 1)
# run: refuses(1.0, 1)
# run: refuses(1.0, 2)
def refuses(x, n):
    return n if n > 1 else only_arrays(x)


#numptx export tuples(float64[:], int)
# run: tuples(arange(5.0), 2)
def tuples(x, n):
    (a, b), (c,) = SHAPES
    first, *rest = WEIGHTS
    *front, last = (n, x, first)
    [p, *q, r] = range(5)
    head, *tail = [n]
    nested, (inner, *more) = n, (1, 2, 3)
    s = (n,) + WEIGHTS[1:] + (2,) * 2
    return (
        a + b + c, rest, front[0], front[1], last, q, p + r, tail, inner, more, s, len(s), s[-1], s[0], WEIGHTS[1] * x,
        n in (1, 2), len(SHAPES[0]), (*s, *rest), [*q, n], SHAPES[0] == (2, 3), max(WEIGHTS), nested,
    )


#numptx export weighted(float64[:])
# run: weighted(random(6))
# run: weighted(random(3))
def weighted(x):
    n = len(x) - len(WEIGHTS) + 1
    y = np.zeros(n)
    for k, w in enumerate(WEIGHTS):
        y += w * x[k:k + n]
    for (k, w), v in zip(enumerate(WEIGHTS, 1), reversed(WEIGHTS)):
        y[0] += k * w * v
    return y


#numptx export walrus(float64[:], int)
# run: walrus(random(5), 40)
# run: walrus(random(2), 0)
# run: walrus(random(9), 1)
def walrus(x, n):
    if (m := len(x)) > 3 and m * 2 > 0:
        m += 1
    steps = 0
    while (n := n // 2) > 0:
        steps += n
    y = (t := x * 2) + t
    print_me = [a := 3, a + 1]
    return m, n, steps, y, t, print_me, a


#numptx export walrus_loop(int)
# run: walrus_loop(10)
# run: walrus_loop(0)
# run: walrus_loop(100)
def walrus_loop(n):
    found = []
    while (k := n * n) < 500:
        n += 1
        if k == 49:
            continue
        if k > 300:
            break
    return n, k, found


#numptx export chained(float64[:], int)
# run: chained(arange(4.0), 2)
def chained(x, n):
    a = b = c = x * n
    a[0] = d = 7.0
    i = x[1] = n
    p = q, r = n, n + 1
    return a, b is None, c, d, i, x, p, q, r


#numptx export conditional(float64[:], float64[:], int)
# run: conditional(arange(3.0), ones(3), 1)
# run: conditional(arange(3.0), ones(3), -1)
# run: conditional(arange(3.0), ones(4), 0)
def conditional(x, y, n):
    z = x if n > 0 else y
    z[0] = 100.0
    w = (x * 2 if n > 0 else y[1:]) if n else x[::-1]
    return z, w, x if n > 0 else (y if n < 0 else x)
