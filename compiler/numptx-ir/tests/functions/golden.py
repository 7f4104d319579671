"""Writes promotion.txt and values.txt: what NumPy answers, for main.rs to compare with.

promotion.txt: a line `n_inputs n_outputs names…`, then the output dtypes for each operand (pair), as type characters; `-` where NumPy
has no loop. Operands in order: ? b h i l B H I L e f d F D, then Python int, float, complex; rows are first operands.

values.txt: a line `name types->types`, then one line an element: operands and results in hexadecimal bits.

    python golden.py
"""

import itertools
import pathlib
import struct

import numpy as np

CHARACTERS = "?bhilBHILefdFD"
OPERANDS = [np.dtype(c) for c in CHARACTERS] + [int, float, complex]
HERE = pathlib.Path(__file__).parent


def ufuncs():
    for name in sorted(dir(np)):
        ufunc = getattr(np, name)
        if isinstance(ufunc, np.ufunc) and not ufunc.signature and name != "isnat":
            yield name, ufunc


def outputs(ufunc, operands):
    try:
        resolved = ufunc.resolve_dtypes(operands + (None,) * ufunc.nout)
    except Exception:
        return "-" * ufunc.nout
    return "".join(d.char for d in resolved[ufunc.nin :])


def promotion():
    groups = {}
    for name, ufunc in ufuncs():
        combinations = itertools.product(OPERANDS, repeat=ufunc.nin)
        table = "".join(outputs(ufunc, c) for c in combinations)
        groups.setdefault((ufunc.nin, ufunc.nout, table), []).append(name)
    for (nin, nout, table), names in groups.items():
        yield f"{nin} {nout} {' '.join(names)}"
        width = len(OPERANDS) * nout
        yield from (table[i : i + width] for i in range(0, len(table), width))


def bits(value):
    value = np.asarray(value)
    kind = value.dtype.kind
    if kind == "b":
        return str(int(value))
    if kind == "c":
        return bits(value.real) + ":" + bits(value.imag)
    if kind == "f":
        return struct.pack(">d", float(value)).hex()
    return str(int(value))


REAL = [0.0, -0.0, 1.0, -1.0, 0.5, -0.3, 1.75, 2.5, -7.25, 89.0, 710.5, -745.0, -1e-30, 1e16, np.inf, -np.inf, np.nan]
PARTS = [0.0, -0.0, 1.0, -1.0, 0.375, -2.5, -30.0, 711.0, 1e-12, np.inf, -np.inf, np.nan]
FEW = [0.0, -0.0, 1.0, -0.625, 3.5, np.inf, np.nan]
# Rows that are composed of several operations; single operations have tests of their own.
REAL_ROWS = "absolute reciprocal square logaddexp logaddexp2 degrees radians bitwise_count floor isfinite isinf isnan".split()
REAL_ROWS += "spacing modf ldexp heaviside divmod frexp less greater_equal equal not_equal".split()
COMPLEX_ROWS = "absolute sign conjugate reciprocal square sqrt exp exp2 expm1 log log2 log10 log1p sin cos tan arcsin".split()
COMPLEX_ROWS += "arccos arctan sinh cosh tanh arcsinh arccosh arctanh power less less_equal greater greater_equal".split()
COMPLEX_ROWS += "maximum minimum fmax fmin rint isfinite isinf isnan equal".split()
TYPES = set("bLldefFD")


def inputs(character):
    dtype = np.dtype(character)
    if dtype.kind == "f":
        return np.array(REAL, dtype)
    if dtype.kind == "c":
        parts = PARTS if character == "D" else [*FEW, 30.0, -95.0]
        return np.array([complex(a, b) for a in parts for b in parts], dtype)
    if dtype.kind == "b":
        return np.array([False, True])
    info = np.iinfo(dtype)
    small = [-7, -3, -1, 0, 1, 2, 5, 8, 64, 100]
    return np.array([info.min, *(x for x in small if x >= info.min), info.max], dtype)


def pairs(ufunc, characters):
    first, second = (inputs(c) for c in characters)
    if np.dtype(characters[0]).kind == "c":
        first = second = np.array([complex(a, b) for a in FEW for b in FEW], characters[0])
        second = second[::7]
    return np.repeat(first, len(second)), np.tile(second, len(first))


def values():
    for name, ufunc in ufuncs():
        rows = {"D": COMPLEX_ROWS, "F": COMPLEX_ROWS}
        loops = {t.replace("q", "l").replace("Q", "L") for t in ufunc.types if not set(t) & set("gGOMm")}
        loops = {t for t in loops if name in rows.get(t[0], REAL_ROWS) and set(t.split("->")[0]) <= TYPES | set("i")}
        # One precision is enough where nothing is rounded.
        exact = ufunc.nin == 2 and name not in ("power", "logaddexp", "logaddexp2")
        loops = {t for t in loops if t[0] in TYPES - set("fF" if exact else "")}
        for loop in sorted(loops):
            taken, given = loop.split("->")
            operands = (inputs(taken),) if ufunc.nin == 1 else pairs(ufunc, taken)
            if name in ("power", "pow") and operands[1].dtype.kind == "i":
                operands = tuple(o[operands[1] >= 0] for o in operands)
            results = ufunc(*operands)
            results = results if isinstance(results, tuple) else (results,)
            yield f"{name} {loop}"
            for row in zip(*operands, *results):
                yield " ".join(bits(v) for v in row)


np.seterr(all="ignore")
(HERE / "promotion.txt").write_text("\n".join(promotion()) + "\n")
(HERE / "values.txt").write_text("\n".join(values()) + "\n")
