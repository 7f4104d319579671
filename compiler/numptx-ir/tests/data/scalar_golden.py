"""Writes scalar_golden.txt: what NumPy gives for every scalar operation on special values.

A line is `op operand-dtypes result-dtype operands… result`; integers are decimal, floats and complex parts are binary64 bits in
hexadecimal. Run with NumPy 2.4 on x86-64:  python scalar_golden.py > scalar_golden.txt
"""

import itertools
import math
import struct
import warnings
from fractions import Fraction

import numpy as np

warnings.simplefilter("ignore")
np.seterr(all="ignore")

SHORT = {"bool": "bool", "complex64": "c64", "complex128": "c128"}
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float16", "float32", "float64"]
COMPLEXES = ["complex64", "complex128"]


def short(dtype):
    name = np.dtype(dtype).name
    return SHORT.get(name) or name.replace("uint", "u").replace("int", "i").replace("float", "f")


def bits(x):
    if x != x:
        return "nan"
    return struct.pack(">d", float(x)).hex()


def text(x):
    kind = x.dtype.kind
    if kind == "b":
        return str(int(x))
    if kind in "iu":
        return str(int(x))
    if kind == "f":
        return bits(x)
    return bits(x.real) + "," + bits(x.imag)


def values(dtype):
    d = np.dtype(dtype)
    if d.kind == "b":
        raw = [False, True]
    elif d.kind in "iu":
        info = np.iinfo(d)
        raw = [0, 1, 2, 3, 7, 13, info.max, info.max - 1, info.max // 2 + 1]
        raw += [-1, -2, -3, -7, -13, info.min, info.min + 1] if d.kind == "i" else []
    elif d.kind == "f":
        info = np.finfo(d)
        raw = [0.0, -0.0, 1.0, -1.0, 0.1, -0.1, 0.5, -2.5, 3.5, 7.0, -3.0, 1e10, -123.75, info.max, -info.max, info.tiny]
        raw += [info.smallest_subnormal, -info.smallest_subnormal, info.eps, np.inf, -np.inf, np.nan, 255.7, -1.5, 2.0**31, 2.0**63]
    else:
        parts = [0.0, -0.0, 1.0, -2.5, 0.1, 1e20, np.inf, np.nan]
        raw = [complex(a, b) for a in parts for b in parts]
    return np.array(raw, dtype=d)


def emit(op, function, dtypes, samples=None):
    columns = samples or [values(d) for d in dtypes]
    rows = list(itertools.product(*columns))
    if len(rows) > 70:
        rows = rows[:: max(1, len(rows) // 70) | 1]
    arrays = [np.array([row[k] for row in rows], dtype=d) for k, d in enumerate(dtypes)]
    results = function(*arrays)
    names = ",".join(short(d) for d in dtypes)
    for k in range(len(rows)):
        operands = " ".join(text(a[k]) for a in arrays)
        print(op, names, short(results.dtype), operands, text(results[k]))


def naive_product(a, b):
    """NumPy's own loop contracts to fused multiplications where the machine has them."""
    if a.dtype.kind != "c":
        return a * b
    result = np.empty_like(a)
    result.real = a.real * b.real - a.imag * b.imag
    result.imag = a.real * b.imag + a.imag * b.real
    return result


def cast_samples(d, to):
    """Out of `uint32`'s range NumPy's vectorised loop and its tail differ."""
    samples = values(d)
    if to == "uint32" and samples.dtype.kind in "fc":
        real = samples.real.astype("float64")
        samples = samples[(real > -1) & (real < 2.0**32)]
    return [samples]


def rounded_once(a, b, c):
    """`a * b + c` of finite numbers exactly, then rounded; numbers of one dtype."""
    results = []
    for x, y, z in zip(a, b, c):
        plain = x * y + z
        if np.isfinite([x, y, z]).all():
            exact = Fraction(float(x)) * Fraction(float(y)) + Fraction(float(z))
            plain = nearest(exact, a.dtype) if exact else plain
        results.append(plain)
    return np.array(results, dtype=a.dtype)


def nearest(exact, dtype):
    """The float nearest to a fraction other than 0, ties to even."""
    info = np.finfo(dtype)
    lowest, sign = int(info.minexp) - info.nmant, 1.0 if exact > 0 else -1.0
    exponent = max(exact.numerator.bit_length() - exact.denominator.bit_length() - info.nmant, lowest)
    if exponent > lowest and abs(exact) < Fraction(2) ** (exponent + info.nmant):
        exponent -= 1
    rounded = round(exact / Fraction(2) ** exponent) * Fraction(2) ** exponent
    if abs(rounded) >= 2 ** int(info.maxexp):
        return dtype.type(sign * math.inf)
    return dtype.type(float(rounded)) if rounded else dtype.type(sign * 0.0)


def positive_power(d):
    exponents = np.array([0, 1, 2, 3, 7, 13, 63, 64], dtype=d)
    emit("pow", np.power, [d, d], [values(d), exponents])


def main():
    everything = ["bool"] + INTEGERS + FLOATS + COMPLEXES
    real = INTEGERS + FLOATS
    binary = {
        "add": (np.add, everything),
        "sub": (np.subtract, real + COMPLEXES),
        "mul": (naive_product, everything),
        "div": (np.divide, FLOATS + COMPLEXES),
        "floordiv": (np.floor_divide, real),
        "mod": (np.remainder, real),
        "rem": (np.fmod, real),
        "and": (np.bitwise_and, ["bool"] + INTEGERS),
        "or": (np.bitwise_or, ["bool"] + INTEGERS),
        "xor": (np.bitwise_xor, ["bool"] + INTEGERS),
        "shl": (np.left_shift, INTEGERS),
        "shr": (np.right_shift, INTEGERS),
        "eq": (np.equal, everything),
        "ne": (np.not_equal, everything),
        "lt": (np.less, ["bool"] + real),
        "le": (np.less_equal, ["bool"] + real),
        "gt": (np.greater, ["bool"] + real),
        "ge": (np.greater_equal, ["bool"] + real),
        "min": (np.minimum, ["bool"] + real),
        "max": (np.maximum, ["bool"] + real),
        "fmin": (np.fmin, ["bool"] + real),
        "fmax": (np.fmax, ["bool"] + real),
        "copysign": (np.copysign, FLOATS),
        "nextafter": (np.nextafter, FLOATS),
    }
    for op, (function, dtypes) in binary.items():
        for d in dtypes:
            emit(op, function, [d, d])
    for d in INTEGERS:
        positive_power(d)
    unary = {
        "neg": (np.negative, real + COMPLEXES),
        "abs": (np.abs, everything),
        "sign": (np.sign, real),
        "not": (np.invert, ["bool"] + INTEGERS),
        "sqrt": (np.sqrt, FLOATS),
        "floor": (np.floor, FLOATS),
        "ceil": (np.ceil, FLOATS),
        "trunc": (np.trunc, FLOATS),
        "rint": (np.rint, FLOATS),
        "isnan": (np.isnan, FLOATS),
        "isinf": (np.isinf, FLOATS),
        "isfinite": (np.isfinite, FLOATS),
        "signbit": (np.signbit, FLOATS),
        "frexp_mantissa": (lambda x: np.frexp(x)[0], FLOATS),
        "frexp_exponent": (lambda x: np.where(np.isfinite(x), np.frexp(x)[1], 0).astype(np.int32), FLOATS),
        "real": (np.real, COMPLEXES),
        "imag": (np.imag, COMPLEXES),
    }
    for op, (function, dtypes) in unary.items():
        for d in dtypes:
            emit(op, function, [d])
    for d in INTEGERS[4:]:
        emit("gcd", np.gcd, [d, d])
    for d in FLOATS:
        emit("fma", rounded_once, [d, d, d])
    counts = np.array([0, 1, -1, 10, -10, 130, -130, 149, -149, 1000, -1074, 2100, -2100, 2147483647, -2147483648], dtype="int32")
    for d in FLOATS:
        emit("ldexp", np.ldexp, [d, "int32"], [values(d), counts])
    for d in everything:
        emit("select", np.where, ["bool", d, d], [values("bool"), values(d)[:3], values(d)[-2:]])
        for to in everything:
            emit("cast", lambda x, to=to: x.astype(to), [d], cast_samples(d, to))


main()
