#numptx export f(float64[:], int)
def f(a, n):
    k = 2

    def inner(x, y=1, *rest, z: float = 3.0):
        """A docstring."""
        return x * k + y

    g = lambda: k
    h = lambda x, y=k: (x, y)
    b = [v * 2 for v in a if v > 0 if v < 3]
    c = [[i + j for j in range(n)] for i in range(3)]
    d = sum(i * j for i in range(n) for j in range(i))
    p, *q, r = (1, 2, 3, 4)
    s = (*q, 5)
    if (m := len(a)) > 3:
        raise ValueError(f"{{m}} is {m}, {k!r} and {a[0]:.3f}")
    while (n := n - 1) > 0:
        k += n
    assert m, f"m={m}"
    return inner(*s, z=2), g(), h(1)


def positional(a, /, b, *, c=1):
    return a


def only(a, /):
    return a
