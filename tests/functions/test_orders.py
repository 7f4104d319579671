"""The order in memory of what functions make: of arrays in C order, in F order, and in neither, compiled and plain.

Each function below runs both ways on the same arguments; values and strides agree.
"""

import numpy as np
import pytest

import comparison

SOURCE = '''
import numpy as np


#numptx export bordered(float64[:,:], int)
#numptx export bordered(int64[:,:], int)
def bordered(x, n):
    return (
        np.pad(x, n), np.pad(x, n, constant_values=((1, 2), (3, 4))), np.pad(x, n, "edge"), np.pad(x, n, "mean"), np.pad(x, n, "wrap"), np.pad(x, n, "reflect"),
        np.pad(x, n, "linear_ramp"), np.pad(x, ((n, 0), (0, 0))), np.pad(x, ((0, 0), (n, 0)), "edge"), np.pad(x, n, "reflect", reflect_type="odd"),
    )


#numptx export bordered_block(float64[:,:,:], int)
def bordered_block(x, n):
    return np.pad(x, n), np.pad(x, n, "edge")


#numptx export longer(float64[:,:], int)
def longer(x, n):
    return np.insert(x, n, 7, axis=0), np.insert(x, n, 7, axis=1), np.insert(x, [0, n], 7, axis=1), np.insert(x, [0, n], 7, axis=0), np.insert(x, n, x[0], axis=0), np.insert(x, n, 3)


#numptx export shorter(float64[:,:], int)
def shorter(x, n):
    return np.delete(x, n, axis=0), np.delete(x, n, axis=1), np.delete(x, [0, n], axis=1), np.delete(x, [0, n], axis=0), np.delete(x, n), np.delete(x, x[0] > 0, axis=1)


#numptx export longer_block(float64[:,:,:], int)
def longer_block(x, n):
    return np.insert(x, n, 7, axis=0), np.insert(x, n, 7, axis=1), np.insert(x, [0, n], 7, axis=2), np.delete(x, n, axis=0), np.delete(x, n, axis=1), np.delete(x, [0, n], axis=1)


#numptx export parts(float64[:,:], int64[:])
#numptx export parts(int64[:,:], int64[:])
def parts(x, k):
    return np.add.reduceat(x, k, axis=1), np.add.reduceat(x, k, axis=0), np.multiply.reduceat(x, k, axis=1), np.maximum.reduceat(x, k, axis=1), np.subtract.reduceat(x, k, axis=-1)


#numptx export parts_of_block(float64[:,:,:], int64[:])
def parts_of_block(x, k):
    return np.add.reduceat(x, k, axis=0), np.add.reduceat(x, k, axis=1), np.minimum.reduceat(x, k, axis=2)


#numptx export by_element(float64[:,:], float64[:,:])
def by_element(x, y):
    f = np.vectorize(lambda a, b: a + b)
    g = np.vectorize(lambda a: (a, a * 2))
    h = np.vectorize(lambda a: a * 2, otypes=[np.float32])
    return f(x, y), f(x, 1.0), f(x, x[0]), g(x), h(x), f(1.0, y), f(x[:, :1], y)


#numptx export by_element_of_block(float64[:,:,:])
def by_element_of_block(x):
    f = np.vectorize(lambda a: a + 1.0)
    return f(x)


#numptx export packed(float64[:,:])
def packed(x):
    bits = np.sign(x) > 0
    bytes = np.rint(abs(x) * 200).astype(np.uint8)
    return (
        np.packbits(bits), np.packbits(bits, axis=0), np.packbits(bits, axis=1, bitorder="little"), np.unpackbits(bytes), np.unpackbits(bytes, axis=0),
        np.unpackbits(bytes, axis=1, count=-3),
    )


#numptx export correlated(float64[:], float64[:])
#numptx export correlated(complex128[:], complex128[:])
def correlated(a, v):
    return np.correlate(a, v), np.correlate(a, v, "full"), np.correlate(a, v, "same")
'''


def reals(*shape):
    return np.sin(np.arange(np.prod(shape, dtype=int)) * 1.7).reshape(shape)


def layouts(*shape):
    """Arrays of one shape, and of other strides each."""
    every_second = tuple(slice(None, None, 2) for _ in shape)
    twice = tuple(2 * n for n in shape)
    found = [reals(*shape), np.asfortranarray(reals(*shape)), reals(*twice)[every_second], np.asfortranarray(reals(*twice))[every_second], reals(*shape)[::-1]]
    if len(shape) == 3:
        found.append(reals(shape[2], shape[0], shape[1]).transpose(1, 2, 0))
        found.append(reals(shape[0], shape[2], shape[1]).transpose(0, 2, 1))
    return found


def cases():
    for x in [*layouts(3, 4), *layouts(1, 4), *layouts(4, 1)]:
        yield "bordered", (x, 1)
        yield "longer", (x, 0)
        yield "shorter", (x, 0)
        yield "packed", (x,)
    for x in layouts(3, 4):
        yield "bordered", (np.rint(9 * x).astype(np.int64, order="K"), 2)
        yield "bordered", (x, 0)
        yield "parts", (x, np.array([0, 2, 1]))
        yield "parts", (np.rint(9 * x).astype(np.int64, order="K"), np.array([1]))
        for y in layouts(3, 4):
            yield "by_element", (x, y)
    yield "bordered", (np.asfortranarray(reals(0, 4)), 0)
    for x in layouts(2, 3, 4):
        yield "bordered_block", (x, 1)
        yield "longer_block", (x, 1)
        yield "parts_of_block", (x, np.array([0, 1, 0]))
        yield "by_element_of_block", (x,)
    for n, m in ((3, 2), (2, 3), (2, 5), (1, 1), (1, 4)):
        yield "correlated", (reals(n), reals(m))
        yield "correlated", (reals(n) * (1 + 2j), reals(m) * 1j)


CASES = list(cases())


@pytest.mark.parametrize("k", range(len(CASES)), ids=lambda k: f"{CASES[k][0]}-{k}")
def test_as_numpy(k, workshop):
    compiled, plain = workshop.pair(SOURCE, "orders")
    name, arguments = CASES[k]
    comparison.assert_same(getattr(compiled, name)(*arguments), getattr(plain, name)(*arguments))
