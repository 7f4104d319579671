"""Loops that the host runs around kernels, and what a test does with each: in processes of their own, where `NUMPTX_REPLAY` decides."""

import types

import numpy as np

SOURCE = '''"""Loops that the host runs around kernels."""
import numpy as np

#numptx export relaxed(float64[:], float64[:], int)
def relaxed(x, y, n):
    for _ in range(n):
        y[1:-1] = (x[:-2] + x[2:]) * 0.5
        x[1:-1] = y[1:-1] + 1.0

#numptx export exchanged(float64[:], float64[:], int)
def exchanged(a, b, n):
    for k in range(n):
        b[1:] = a[:-1] * 0.5 + k
        b[:1] = a[-1:]
        a, b = b, a
    return a + 0.0

#numptx export rows(float64[:,:])
def rows(x):
    for i in range(1, x.shape[0]):
        x[i] = x[i - 1] * 0.5 + i
        x[i, 1:] += x[i, :-1]

#numptx export shrinking(float64[:], float64[:])
def shrinking(x, y):
    for k in range(x.shape[0]):
        x[k + 1:] -= x[k:k + 1] * 0.25
        y[:k] = x[:k] + y[1:k + 1]

#numptx export sorted_steps(float64[:], int)
def sorted_steps(x, n):
    for k in range(n):
        t = np.sort(x + k)
        x[:] = t[::-1] * 0.5

#numptx export growing(float64[:], float64[:])
def growing(x, y):
    for k in range(1, x.shape[0]):
        t = np.cumsum(x[:k])
        y[:k] += t * 0.5
        x[:k] = np.sqrt(np.abs(t)) + y[:k]

#numptx export summed(float64[:], int)
def summed(x, n):
    for k in range(n):
        x -= np.sum(x) / x.shape[0]
        x *= 1.0 + 1.0 / (k + 1)

#numptx export sometimes(float64[:], float64[:], int)
def sometimes(x, y, n):
    for k in range(n):
        x[1:] = x[:-1] + 1.0
        if k % 3 == 1:
            y[:] = x * 2.0
        y[:-1] = y[1:] - k

#numptx export in_turn(float64[:], float64[:], int, int)
def in_turn(x, y, n, m):
    for i in range(n):
        for _ in range(m):
            y[1:-1] = (x[:-2] + x[2:]) * 0.5
            x[1:-1] = y[1:-1] + i
        x[0] = x[1] * 0.5
    return x + y

#numptx export ended(float64[:], float64[:], int)
def ended(x, y, n):
    for k in range(n):
        y[1:] = y[:-1] + 1.0
        x[1:] = x[:-1] * 0.5 + y[1:]
        x[k] += 1.0

#numptx export refused(float64[:], float64[:], int, int)
def refused(x, y, n, m):
    for k in range(n):
        y[1:] = y[:-1] + 1.0
        if k == m:
            raise ValueError("enough")
        x[1:] = x[:-1] * 0.5 + y[1:]
'''

MATRIX = (9, 40)


def arguments(name, rng):
    """The function's arguments, array by array as the host makes them."""
    size = 50
    one, two = rng.random(size), rng.random(size)
    return {
        "relaxed": (one, two, 20),
        "exchanged": (one, two, 21),
        "rows": (rng.random(MATRIX),),
        "shrinking": (one, rng.random(size + 1)),
        "sorted_steps": (one, 8),
        "growing": (one, two),
        "summed": (rng.random(100_000), 12),
        "sometimes": (one, two, 20),
        "in_turn": (one, two, 4, 6),
        "ended": (one, two, size + 10),
        "refused": (one, two, 30, 17),
    }[name]


NAMES = ["relaxed", "exchanged", "rows", "shrinking", "sorted_steps", "growing", "summed", "sometimes", "in_turn", "ended", "refused"]


def load_plain(source):
    plain = types.ModuleType("plain")
    exec(source, plain.__dict__)
    return plain


def outcome(function, values):
    """The result, or the exception in words."""
    try:
        result = function(*values)
    except (IndexError, ValueError) as error:
        return f"{type(error).__name__}: {error}"
    return result


def compare(compiled, plain, name, seed=1, place=lambda array: array):
    """Calls both with equal arguments; `place` puts arrays where they are to be."""
    import numptx

    values = arguments(name, np.random.default_rng(seed))
    own = [place(value.copy()) if isinstance(value, np.ndarray) else value for value in values]
    wanted = outcome(getattr(plain, name), values)
    found = outcome(getattr(compiled, name), own)
    assert isinstance(found, str) == isinstance(wanted, str), (name, found, wanted)
    assert not isinstance(found, str) or found == wanted, (name, found, wanted)
    pairs = [(a, b) for a, b in zip([*own, found], [*values, wanted], strict=True) if isinstance(b, np.ndarray)]
    for mine, numpys in pairs:
        host = mine.to_host() if isinstance(mine, numptx.Array) else mine
        np.testing.assert_allclose(host, numpys, rtol=1e-9, atol=1e-9, err_msg=name)
