"""Bits of bytes, tests for infinities, and functions of dtypes, compiled and plain: results, types, and exceptions with their words."""

import numpy as np
import pytest

import as_numpy
import comparison

SOURCE = '''
import numpy as np


#numptx export packed(bool[:,:])
#numptx export packed(int64[:,:])
#numptx export packed(uint8[:,:])
def packed(x):
    return np.packbits(x), np.packbits(x, axis=0), np.packbits(x, -1, "little"), np.packbits(x[0] != 0)


#numptx export unpacked(uint8[:,:], int)
def unpacked(x, n):
    return np.unpackbits(x), np.unpackbits(x, 1, n), np.unpackbits(x, axis=0, count=n, bitorder="little"), np.unpackbits(x[0], count=-2)


#numptx export infinite(float64[:])
#numptx export infinite(float32[:])
#numptx export infinite(int64[:])
def infinite(x):
    return np.isposinf(x), np.isneginf(x), np.isposinf(x[0]), np.isneginf(-np.inf)


#numptx export checked(float64[:])
#numptx export checked(complex128[:])
#numptx export checked(int64[:])
def checked(x):
    return np.asarray_chkfinite(x).sum()


#numptx export dtypes(float32[:], int8[:], complex64[:], bool[:], float)
def dtypes(x, i, z, m, a):
    made = (
        np.zeros(2, np.result_type(x, i)),
        np.zeros(2, np.result_type(i, 3, 2.5)),
        np.zeros(2, np.result_type(x, a, 1)),
        np.zeros(2, np.result_type("int16", np.uint16)),
        np.zeros(2, np.result_type(m, 1)),
        np.zeros(2, np.result_type(m, True)),
        np.zeros(2, np.result_type(x, 1j)),
        np.zeros(2, np.result_type(3, 4)),
        np.zeros(2, np.promote_types(np.uint64, "int8")),
        np.zeros(2, np.common_type(x, i)),
        np.zeros(2, np.common_type(z, x)),
        np.zeros(2, np.common_type(x)),
    )
    casts = (
        np.can_cast(np.int64, np.float32),
        np.can_cast(i, "int16", "no"),
        np.can_cast(i.dtype, np.float32),
        np.can_cast(np.float64, x.dtype, casting="same_kind"),
        np.can_cast(np.complex64, np.float64, "same_kind"),
        np.can_cast(z[0], np.int8, "unsafe"),
        np.can_cast("u8", "i8", "same_kind"),
        np.can_cast("i8", "u8", "same_kind"),
    )
    kinds = (
        np.isdtype(x.dtype, "real floating"),
        np.isdtype(i.dtype, ("bool", "unsigned integer")),
        np.isdtype(np.bool_, "numeric"),
        np.isdtype(i.dtype, ("integral", np.float32)),
        np.isdtype(z.dtype, np.complex64),
        np.isdtype(np.uint8, "signed integer"),
        np.isdtype(z.dtype, "complex floating"),
    )
    return made, casts, kinds, np.iterable(x), np.iterable(a), np.iterable(x[0]), np.iterable((x, a)), np.iterable("ab")
'''


def cases():
    flags = (np.arange(51) * 7 % 5 < 2).reshape(3, 17)
    for x in (flags, flags[:, :8], flags[::2, ::-1], flags[:, :0], flags[:, :1].T):
        for dtype in (bool, np.int64, np.uint8):
            yield "packed", lambda x=x, dtype=dtype: (x.astype(dtype) * dtype(True),)
    octets = (np.arange(12) * 53 % 256).astype(np.uint8).reshape(3, 4)
    for n in (0, 5, 24, 40, -1, -24, -60):
        yield "unpacked", lambda n=n: (octets, n)
    yield "unpacked", lambda: (octets[::-1, ::2], 9)
    edge = np.array([np.inf, -np.inf, np.nan, 0.0, -0.0, 1e300])
    yield "infinite", lambda: (edge,)
    yield "infinite", lambda: (edge[1:2].astype(np.float32),)
    yield "infinite", lambda: (np.array([2**63 - 1, -(2**63), 0]),)
    for x in (edge, edge[3:], edge[2:3], edge[:0], edge[3:5] * 1j, np.array([1j * np.inf]), np.arange(3)):
        yield "checked", lambda x=x: (x,)
    yield "dtypes", lambda: (np.ones(3, np.float32), np.ones(3, np.int8), np.ones(3, np.complex64), np.ones(3, bool), 1.5)


CASES = list(cases())


@pytest.mark.parametrize("k", range(len(CASES)), ids=lambda k: f"{CASES[k][0]}-{k}")
def test_as_numpy(k, workshop):
    as_numpy.compare(*workshop.pair(SOURCE, "bits"), *CASES[k])


def test_the_order_of_the_argument_is_kept(workshop):
    compiled, plain = workshop.pair(SOURCE, "bits")
    octets = np.asfortranarray((np.arange(12) * 53 % 256).astype(np.uint8).reshape(3, 4))
    comparison.assert_same(compiled.unpacked(octets, 9), plain.unpacked(octets, 9))
