"""Python's operators as functions: the module `operator`."""
import numpy as np


def operator_add(a, b):
    return a + b


def operator_sub(a, b):
    return a - b


def operator_mul(a, b):
    return a * b


def operator_truediv(a, b):
    return a / b


def operator_floordiv(a, b):
    return a // b


def operator_mod(a, b):
    return a % b


def operator_pow(a, b):
    return a ** b


def operator_matmul(a, b):
    return a @ b


def operator_and_(a, b):
    return a & b


def operator_or_(a, b):
    return a | b


def operator_xor(a, b):
    return a ^ b


def operator_lshift(a, b):
    return a << b


def operator_rshift(a, b):
    return a >> b


def operator_eq(a, b):
    return a == b


def operator_ne(a, b):
    return a != b


def operator_lt(a, b):
    return a < b


def operator_le(a, b):
    return a <= b


def operator_gt(a, b):
    return a > b


def operator_ge(a, b):
    return a >= b


def operator_is_(a, b):
    return a is b


def operator_is_not(a, b):
    return a is not b


def operator_iadd(a, b):
    a += b
    return a


def operator_isub(a, b):
    a -= b
    return a


def operator_imul(a, b):
    a *= b
    return a


def operator_itruediv(a, b):
    a /= b
    return a


def operator_ifloordiv(a, b):
    a //= b
    return a


def operator_imod(a, b):
    a %= b
    return a


def operator_ipow(a, b):
    a **= b
    return a


def operator_imatmul(a, b):
    a @= b
    return a


def operator_iand(a, b):
    a &= b
    return a


def operator_ior(a, b):
    a |= b
    return a


def operator_ixor(a, b):
    a ^= b
    return a


def operator_ilshift(a, b):
    a <<= b
    return a


def operator_irshift(a, b):
    a >>= b
    return a


def operator_concat(a, b):
    if isinstance(a, (int, float, complex, np.generic, np.ndarray)):
        refuse("numbers and arrays are not joined", "write `np.concatenate((x, y))`")
    return a + b


def operator_neg(a):
    return -a


def operator_pos(a):
    return +a


def operator_abs(a):
    return abs(a)


def operator_inv(a):
    return ~a


def operator_invert(a):
    return ~a


def operator_not_(a):
    return not a


def operator_truth(a):
    return bool(a)


def operator_contains(a, b):
    return b in a


def operator_getitem(a, b):
    return a[b]


def operator_setitem(a, b, c):
    a[b] = c


def operator_delitem(a, b):
    del a[b]


def operator_countOf(a, b):
    n = 0
    for member in a:
        if member == b:
            n += 1
    return n


def operator_indexOf(a, b):
    n = 0
    for member in a:
        if member == b:
            return n
        n += 1
    raise ValueError("sequence.index(x): x not in sequence")
