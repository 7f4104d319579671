"""The function table as the command prints it, sources that use every row, and arguments of special values."""

import functools
import json
import subprocess

import numpy as np

import comparison
from compilation import compiler

DTYPES = {
    "?": "bool", "b": "int8", "h": "int16", "i": "int32", "l": "int64", "B": "uint8", "H": "uint16", "I": "uint32",
    "L": "uint64", "e": "float16", "f": "float32", "d": "float64", "F": "complex64", "D": "complex128",
}  # fmt: skip

# Rows of a source file; a reduction has four functions.
MAPS_A_FILE, REDUCTIONS_A_FILE = 6, 3

# Where the second operand has another dtype than the first.
SECOND = {"numpy.ldexp": "i"}


# Classes of names that have no row: compiled by lowering alone, and not compiled.
BESIDE = {"type", "constant", "attribute", "function", "indexed"}
NOT_COMPILED = {"refused", "excluded"}


@functools.cache
def listing():
    """Every name that the command lists, compiled or not."""
    done = subprocess.run([compiler(), "functions", "--json"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@functools.cache
def rows():
    return [entry for entry in listing() if entry["class"] not in BESIDE | NOT_COMPILED]


def names(entries):
    """The names of entries, those of their aliases too."""
    return {name for entry in entries for name in (entry["name"], *entry["aliases"])}


def of_class(name):
    return [row for row in rows() if row["class"] == name]


def short(row):
    """`numpy.add` → `add`."""
    return row["name"].rpartition(".")[2]


def second(row, character):
    return SECOND.get(row["name"], character)


def exports(name, row, rank):
    """One export line a dtype."""
    axes = f"[{','.join(':' * rank)}]"
    for character in row["dtypes"]:
        types = [character, second(row, character)][: row["n_inputs"]]
        yield f"#numptx export {name}({', '.join(DTYPES[c] + axes for c in types)})"


def map_source(some_rows):
    """`f(x)` or `f(x, y)` of arrays for each row, and `f_scalar` of single elements."""
    lines = ["import numpy as np", ""]
    for row in some_rows:
        name, parameters = short(row), ["x", "y"][: row["n_inputs"]]
        lines += [*exports(name, row, 2), f"def {name}({', '.join(parameters)}):"]
        lines += [f"    return np.{name}({', '.join(parameters)})", ""]
        elements = ", ".join(f"{p}[0, 0]" for p in parameters)
        wide = dict(row, dtypes="".join(c for c in row["dtypes"] if c in "ledD"))
        lines += [*exports(f"{name}_scalar", wide, 2), f"def {name}_scalar({', '.join(parameters)}):"]
        lines += [f"    return np.{name}({elements})", ""] if wide["dtypes"] else ["    return 0", ""]
    return "\n".join(lines)


def reduce_source(some_rows, quick=False):
    lines = ["import numpy as np", ""]
    for row in some_rows:
        name = short(row)
        for suffix, arguments in REDUCTIONS.items():
            lines += [*exports(name + suffix, dict(row, dtypes=reduced(row, suffix, quick)), 2), f"def {name}{suffix}(x):"]
            lines += [f"    return np.{name}(x{arguments})", ""]
    return "\n".join(lines)


def reduced(row, suffix, quick):
    """The dtypes that a reduction takes in one of its forms; of a sample (`quick`) axes are kept of two, as the kernels are those of `_columns`."""
    return [c for c in row["dtypes"] if suffix != "_keep" or not quick or c in "ld"]


REDUCTIONS = {"_all": "", "_rows": ", axis=0", "_columns": ", axis=-1", "_keep": ", axis=1, keepdims=True"}


def grouped(some_rows, n):
    return [some_rows[i : i + n] for i in range(0, len(some_rows), n)]


@functools.cache
def sources(quick=False):
    """Row name → source text of its group."""
    found = {}
    classes = [(map_source, "map", MAPS_A_FILE), (functools.partial(reduce_source, quick=quick), "reduce", REDUCTIONS_A_FILE)]
    for make, name, n in classes:
        for group in grouped(of_class(name), n):
            text = make(group)
            found.update({row["name"]: text for row in group})
    return found


def group_sources():
    """The source texts of all groups."""
    return list(dict.fromkeys(sources().values()))


def examples():
    """Rows that are neither elementwise nor reductions: each with an expression that uses it."""
    return [row for row in rows() if row["example"] and row["class"] not in ("map", "reduce")]


def example_source():
    lines = ["import numpy as np", ""]
    for k, row in enumerate(examples()):
        lines += [f"#numptx export example_{k}(float64[:], float64[:,:])", f"def example_{k}(x, y):"]
        lines += [f"    return {row['example']}", ""]
    return "\n".join(lines)


def special(character):
    """A vector of 24 values of a dtype: the special ones, the ends of the range, and some between."""
    dtype = np.dtype(character)
    if dtype.kind == "b":
        return np.array([True, False, False, True] * 6)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        values = [0, 1, 2, 3, 5, 7, 63, 64, 100, info.max, info.max - 1, info.min, info.min + 1, *range(11, 22)]
        if dtype.kind == "i":
            values[3:8] = [-1, -2, -3, -7, -100]
        return np.array(values, dtype)
    info = np.finfo(dtype)
    reals = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, 3.5, -7.25, 1e-3, 0.1, 30.0]
    reals += [np.inf, -np.inf, np.nan, float(info.max), float(info.tiny), float(info.smallest_subnormal)]
    reals += [-float(info.max), 1.5, 2.5, -2.5, 100.0, -3.0]
    if dtype.kind == "f":
        return np.array(reals, dtype)
    parts = [0.0, -0.0, 1.0, -0.625, 3.5, 25.0, np.inf, np.nan]
    return np.array([complex(a, b) for a, b in zip(parts * 3, parts[1:] + parts[2:] + parts[4:] + parts[:7])], dtype)


def layouts(vector):
    """Arrays of two axes over the same values: name → array."""
    square = vector.reshape(4, 6)
    wide = np.zeros((8, 12), vector.dtype)
    wide[::2, ::2] = square
    return {
        "contiguous": square.copy(),
        "fortran": np.asfortranarray(square),
        "strided": wide[::2, ::2],
        "backwards": square.copy()[::-1, ::-1],
        "row": vector[:6].reshape(1, 6),
        "broadcast": np.broadcast_to(vector[:6], (4, 6)),
        "one": vector[2:3].reshape(1, 1),
        "empty": np.zeros((0, 6), vector.dtype),
    }


def same_kind(result, expected):
    assert type(result) is type(expected), f"{type(result).__name__} where NumPy gives {type(expected).__name__}"
    assert result.dtype == expected.dtype and result.shape == expected.shape
    if isinstance(expected, np.ndarray):
        assert comparison.significant_strides(result) == comparison.significant_strides(expected)


def ulp_distance(result, expected):
    """The largest distance in ULP of the expected values; of complex ones in ULP of their modulus."""
    result, expected = np.asarray(result), np.asarray(expected)
    if expected.dtype.kind == "c":
        # Where one part is nan, C leaves the sign of an infinite other part open.
        beside_nan = np.isnan(expected.real) | np.isnan(expected.imag)
        result = np.where(beside_nan & np.isnan(result) & np.isinf(result) & np.isinf(expected), expected, result)
        finite = np.isfinite(expected)
        modulus = np.where(finite, np.abs(expected), 0)
        return max(
            parts_distance(result.real, expected.real, modulus), parts_distance(result.imag, expected.imag, modulus)
        )
    return parts_distance(result, expected, np.abs(expected))


def parts_distance(result, expected, scale):
    # Infinity stands one step beyond the largest number: a rounding may pass it.
    overflowed = np.isinf(result) & (np.abs(expected) == np.finfo(expected.dtype).max) & (np.sign(result) == np.sign(expected))
    result = np.where(overflowed, np.nextafter(expected, 0), result)
    same = (result == expected) | (np.isnan(result) & np.isnan(expected))
    same &= (expected != 0) | (np.signbit(result) == np.signbit(expected)) | ~same
    if np.all(same):
        return 0.0
    found, wanted, unit = result[~same], expected[~same], np.spacing(np.asarray(scale)[~same])
    if not np.all(np.isfinite(found) & np.isfinite(wanted)):
        return np.inf
    return float(np.max(np.abs(found.astype(np.longdouble) - wanted) / unit))
