"""What an array's memory is, compiled and plain: strides, flags, views of other dtypes and strides, bytes, iterators.

Each function below runs both ways on the same arguments; the results, or the exceptions' types and words, agree.
"""

import numpy as np
import pytest

import as_numpy

SOURCE = '''
import numpy as np


#numptx export strides(float64[:,:], int16[:,:,:])
def strides(x, k):
    return x.strides, k.strides, x.T.strides, x[1:, ::2].strides, (x + 1).strides, k[0].strides, x[0, 0].strides, np.zeros((2, 3), order="F").strides


#numptx export flags(float64[:,:])
def flags(x):
    f = x.flags
    both = f.c_contiguous, f.f_contiguous, f.forc, f.fnc, f.contiguous, f["F"], f["C_CONTIGUOUS"], f["FNC"], f["FORC"]
    return both, x.T.flags.f_contiguous, x[0].flags.c_contiguous, (x * 2).flags["F_CONTIGUOUS"], (x * 2).flags.writeable, x.diagonal().flags.writeable


#numptx export swapped(float64[:,:])
#numptx export swapped(float32[:,:])
#numptx export swapped(int16[:,:])
#numptx export swapped(uint8[:,:])
#numptx export swapped(uint16[:,:])
#numptx export swapped(uint32[:,:])
#numptx export swapped(int64[:,:])
#numptx export swapped(float16[:,:])
#numptx export swapped(bool[:,:])
#numptx export swapped(complex64[:,:])
#numptx export swapped(complex128[:,:])
def swapped(x):
    return x.byteswap(), x[0].byteswap(inplace=False), x[:, ::2].byteswap(), x[0, 0].byteswap()


#numptx export swapped_in_place(int32[:])
#numptx export swapped_in_place(complex64[:])
def swapped_in_place(x):
    y = x.byteswap(True)
    return y


#numptx export swapped_scalars(int32, float64, uint8, complex64, float32, int16, uint64)
def swapped_scalars(a, b, c, d, e, f, g):
    return a.byteswap(), b.byteswap(), c.byteswap(), d.byteswap(), e.byteswap(inplace=False), f.byteswap(), g.byteswap()


#numptx export viewed(float64[:,:])
def viewed(x):
    return x.view(), x.view(np.float64), x.view("i8"), x.view(dtype=np.uint64), x[0, 0].view(np.int64), x.view(np.int32), x.view(None)


#numptx export viewed_as_larger(int8[:,:])
def viewed_as_larger(x):
    return x.view(np.int16), x.view(np.float64)


#numptx export required(float64[:,:])
def required(x):
    return np.require(x), np.require(x, np.float32, "F"), np.require(x, requirements=["C_CONTIGUOUS"]), np.require(x, None, "f"), np.require(2.0, np.float64, "C")


#numptx export shapes_together(float64[:,:], float64[:])
def shapes_together(x, y):
    b = np.broadcast(x, y, 2.0)
    return b.shape, b.ndim, b.nd, b.size, np.broadcast(y).shape, np.broadcast_shapes(x.shape, (1,), 3)


#numptx export indexed(float64[:,:])
def indexed(x):
    return x[np.index_exp[1:, ::2]], x[np.index_exp[..., 0]]


#numptx export restrided(float64[:], int, int, int)
def restrided(x, n, rows, columns):
    return np.lib.stride_tricks.as_strided(x, (n, 2), (rows, columns), writeable=False) * 1


#numptx export restrided_matrix(float64[:,:], int, int)
def restrided_matrix(x, n, step):
    return np.lib.stride_tricks.as_strided(x, (n,), (step,), writeable=False) * 1, np.lib.stride_tricks.as_strided(x, writeable=False) * 1


#numptx export repeated(float64[:])
def repeated(x):
    y = np.lib.stride_tricks.as_strided(x, strides=(0,), writeable=False)
    return y + 0, np.lib.stride_tricks.as_strided(x, shape=(2,), writeable=False)


#numptx export elements(float64[:,:])
#numptx export elements(float64[:,:,:])
def elements(x):
    found = []
    for v in np.nditer(x):
        found.append(float(v) * 2)
    listed = [float(v) for v in np.nditer(x, order="C")]
    return found, listed, np.array([float(v) for v in np.nditer(x, order="F")])


#numptx export summed(float64[:,:])
def summed(x):
    total = 0.0
    for v in np.nditer(x + 1):
        total += v
    return total


#numptx export places(float64[:,:])
#numptx export places(float64[:,:,:])
def places(x):
    it = np.nditer(x, flags=["multi_index"])
    found = []
    y = np.zeros(x.shape)
    shape, ndim = it.shape, it.ndim
    for v in it:
        found.append(it.multi_index)
        y[it.multi_index] = v + len(found)
    return found, y, it.itersize, shape, ndim


#numptx export numbered(float64[:,:])
def numbered(x):
    c, f = np.nditer(x, flags=["c_index"]), np.nditer(x, flags=["f_index"], op_flags=["readonly"])
    first, second = [], []
    for v in c:
        first.append((c.index, float(v)))
    for v in f:
        second.append((f.index, float(v)))
    return first, second


#numptx export together(float64[:,:], float64[:])
def together(x, y):
    it = np.nditer([x, y], ["multi_index"])
    found = []
    for a, b in it:
        found.append((float(a), float(b), it.multi_index))
    return found, it.nop


#numptx export of_nothing(float64[:])
def of_nothing(x):
    total = 0.0
    for v in np.nditer(x, flags=["zerosize_ok"]):
        total += v
    for v in np.nditer(x):
        total += v
    return total


#numptx export written_in_the_loop(float64[:,:])
def written_in_the_loop(x):
    total = 0.0
    for v in np.nditer(x):
        x[-1, -1] += 1.0
        total += v
    return total


#numptx export converted(float64[:,:], int32[:])
def converted(x, k):
    return x.astype(np.float64, copy=False), x.astype(np.float32, order="F"), k.astype(np.float64, casting="safe"), x.astype(np.int8, casting="unsafe"), k.astype(np.int64, order="K", copy=False)


#numptx export single(float64[:,:])
def single(x):
    return x.item(0), x.item(-1), x.item(1, 2), x.item((0, 1)), x[0, 0].item(), x.tolist(), x[0].tolist(), x.nbytes, x.itemsize


#numptx export filled(int16[:,:], float)
def filled(x, v):
    x.fill(7)
    x[0].fill(v)
    return x
'''


def reals(*shape):
    return np.arange(1.0, 1 + np.prod(shape)).reshape(shape) / 4


def layouts(*shape):
    yield reals(*shape)
    yield np.asfortranarray(reals(*shape))
    yield reals(*[2 * n for n in shape])[tuple(slice(None, None, 2) for n in shape)]
    yield reals(*shape)[::-1]
    yield np.asfortranarray(reals(*shape))[:, ::-1]


def cases():
    for x in layouts(3, 4):
        yield "strides", lambda x=x: (x, np.ones((2, 3, 4), np.int16))
        for name in ("flags", "viewed", "required", "elements", "summed", "places", "numbered", "single", "indexed", "written_in_the_loop"):
            yield name, lambda x=x, name=name: (x.copy("K") if name == "written_in_the_loop" else x,)
        yield "together", lambda x=x: (x, reals(4)[::-1])
        yield "together", lambda x=x: (x[:, :1], reals(4))
        yield "shapes_together", lambda x=x: (x[:, :3], reals(3))
        yield "converted", lambda x=x: (x, np.arange(3, dtype=np.int32))
        for dtype in (np.float64, np.float32, np.float16, np.int16, np.int64, np.uint8, np.uint16, np.uint32, bool, np.complex64, np.complex128):
            yield "swapped", lambda x=x, dtype=dtype: (x.astype(dtype),)
    for x in layouts(2, 3, 4):
        yield "elements", lambda x=x: (x,)
        yield "places", lambda x=x: (x,)
    yield "elements", lambda: (np.moveaxis(reals(2, 3, 4), 0, 1),)
    yield "places", lambda: (np.moveaxis(reals(2, 3, 4), 2, 0)[:, ::-1],)
    for shape in ((1, 4), (3, 1), (1, 1)):
        for name in ("flags", "elements", "places", "numbered"):
            yield name, lambda shape=shape: (reals(*shape),)
    yield "flags", lambda: (reals(0, 3).T,)
    yield "elements", lambda: (reals(0, 3),)
    yield "shapes_together", lambda: (reals(2, 3), reals(4))
    yield "swapped_in_place", lambda: (np.arange(5, dtype=np.int32),)
    yield "swapped_scalars", lambda: (np.int32(5), np.float64(1.5), np.uint8(7), np.complex64(1 + 2j), np.float32(2.5), np.int16(-3), np.uint64(2**63 + 1))
    yield "swapped_in_place", lambda: (np.arange(10).astype(np.complex64)[::-3],)
    yield "viewed", lambda: (np.array([[np.nan, -0.0], [np.inf, 5e-324]]),)
    for shape in ((2, 8), (2, 16), (2, 6), (2, 0), (0, 8), (2, 3)):
        yield "viewed_as_larger", lambda shape=shape: (np.arange(np.prod(shape), dtype=np.int8).reshape(shape),)
    yield "viewed_as_larger", lambda: (np.arange(32, dtype=np.int8).reshape(2, 16)[:, ::2],)
    yield "viewed_as_larger", lambda: (np.arange(33, dtype=np.int8)[1:].reshape(2, 16),)
    for n, rows, columns in ((3, 8, 8), (3, 16, 8), (0, 800, 8), (2, 8, 0), (2, 4, 8), (1, 8, 8)):
        yield "restrided", lambda n=n, r=rows, c=columns: (reals(6), n, r, c)
    yield "restrided", lambda: (reals(12)[::-2], 2, -32, -16)
    yield "restrided", lambda: (reals(6), -1, 8, 8)
    for n, step in ((12, 8), (3, 40), (4, 24), (1, 800), (0, 8)):
        yield "restrided_matrix", lambda n=n, step=step: (reals(3, 4), n, step)
    for x, n, step in ((reals(6, 8)[::2, ::2], 3, 128), (reals(6, 8)[::-2, ::2], 3, -128), (reals(6, 8)[::2, ::2], 4, 16), (reals(6, 8)[::2], 8, 8), (reals(6, 8)[::2, :1], 3, 128)):
        yield "restrided_matrix", lambda x=x, n=n, step=step: (x, n, step)
    yield "repeated", lambda: (reals(3),)
    yield "of_nothing", lambda: (reals(0),)
    yield "of_nothing", lambda: (reals(4)[::-1],)
    yield "filled", lambda: (np.ones((2, 3), np.int16), 2.5)


CASES = list(cases())


@pytest.mark.parametrize("k", range(len(CASES)), ids=lambda k: f"{CASES[k][0]}-{k}")
def test_as_numpy(k, workshop):
    as_numpy.compare(*workshop.pair(SOURCE, "memory"), *CASES[k])


BEYOND = [(6, 16, 16), (2, 48, 8), (2, -8, 8), (2, 8, -8), (2, 2**62, 8), (7, 8, 8)]


@pytest.mark.parametrize("n, rows, columns", BEYOND)
def test_no_view_reaches_beyond_its_array(n, rows, columns, workshop):
    compiled, _ = workshop.pair(SOURCE, "memory")
    with pytest.raises((ValueError, OverflowError)):
        compiled.restrided(reals(6), n, rows, columns)


def test_no_view_shows_the_gaps_of_its_array(workshop):
    compiled, _ = workshop.pair(SOURCE, "memory")
    for x, n, step in ((reals(6, 8)[::2, ::2], 3, 8), (reals(6, 8)[::2, ::2], 5, 16), (reals(6, 8)[::2], 4, 128), (reals(6, 8)[::-2, ::2], 2, 128), (reals(6, 8).T, 2, -(2**63))):
        with pytest.raises(ValueError, match="beyond the elements"):
            compiled.restrided_matrix(x, n, step)
