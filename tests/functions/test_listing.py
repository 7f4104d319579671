"""The list of functions is NumPy's: every public name is compiled, or refused with a program that computes the same, or left to Python for a reason."""

import math
import types
import warnings

import numpy as np
import pytest

import comparison
import table

COMPILED = [entry for entry in table.listing() if entry["class"] not in table.NOT_COMPILED]
BESIDE = [entry for entry in COMPILED if entry["class"] in table.BESIDE and entry["example"]]
REFUSED = [entry for entry in table.listing() if entry["class"] == "refused"]
EXCLUDED = [entry for entry in table.listing() if entry["class"] == "excluded"]

# The most functions of `numpy` that may be left to Python.
MOST_EXCLUDED = 65
# Programs of one compiled file.
A_FILE = 12


def public(module):
    """The names of a module's `__all__` that are no modules."""
    return [name for name in module.__all__ if not isinstance(getattr(module, name), types.ModuleType)]


def functions():
    """The functions and ufuncs of NumPy: what is called, and is no class."""
    found = (name for name in np.__all__ if callable(getattr(np, name)) and not isinstance(getattr(np, name), type))
    return {f"numpy.{name}" for name in found}


def every_name():
    names = {f"numpy.{name}" for name in public(np)}
    for module in (np.linalg, np.fft, np.random):
        names |= {f"{module.__name__}.{name}" for name in public(module)}
    return names | {f"ndarray.{name}" for name in dir(np.ndarray) if not name.startswith("__")}


def test_every_public_name_is_listed():
    missing = every_name() - table.names(table.listing())
    assert not missing, f"add a row, or a line to `functions/beside.txt` or `functions/refused/`: {sorted(missing)}"


def test_what_is_not_compiled_is_numpys():
    """No line tells of a function that NumPy does not have."""
    assert not table.names(REFUSED + EXCLUDED) - every_name()


def test_counts():
    """Printed with `-s`: how many names are compiled, and which share of NumPy's functions."""
    compiled, excluded, refused = (table.names(entries) for entries in (COMPILED, EXCLUDED, REFUSED))
    own = {name for name in compiled if name.startswith(("numpy.", "ndarray."))}
    of_numpy = functions()
    left, wanted = of_numpy & excluded, of_numpy - excluded
    print(f"\n{len(compiled)} names are compiled, {len(own)} of them of NumPy; {len(refused)} are refused, {len(excluded)} left to Python")
    print(f"of {len(of_numpy)} functions of numpy {len(left)} are left to Python; of the others {len(wanted & compiled)} compile")
    print(f"that is {len(wanted & compiled) / len(wanted):.1%}; refused: {sorted(wanted & refused)}")
    assert len(left) <= MOST_EXCLUDED
    assert wanted == wanted & (compiled | refused)


def program(text):
    """The body of a function: statements divided by `; `, of which the last one is its result."""
    *statements, result = text.split("; ")
    return "".join(f"    {statement}\n" for statement in [*statements, f"return {result}"])


NAMES = "x, u, v, y, z, k, m, n"
EXPORTED = "float64[:], float64[:], float64[:], float64[:,:], complex128[:], int64[:], bool[:], int"
IMPORTS = "import math\n\nimport numpy as np\n"


def values():
    """What the programs compute with, new for each."""
    x, u, v = np.array([0.0, 2.0, -1.0, 4.0]), np.array([1.0, 2.0, 3.0, -0.5]), np.array([1.0, np.nan, 3.0, -2.0])
    z, k = np.array([1 + 2j, 0.5j, -1.0, 1 - 2j]), np.array([1, 0, 2, 1])
    return x, u, v, np.arange(12.0).reshape(3, 4), z, k, np.array([True, False, True, True]), 3


def source(texts):
    parts = (f"\n\n#numptx export f{n}({EXPORTED})\ndef f{n}({NAMES}):\n{program(text)}" for n, text in texts)
    return IMPORTS + "".join(parts)


def plain(text):
    scope = {"np": np, "math": math}
    exec(f"def f({NAMES}):\n{program(text)}", scope)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return scope["f"](*values())


def group(entries, n):
    """The programs that stand in one file with the nth."""
    first = n - n % A_FILE
    return list(enumerate(entries))[first : first + A_FILE]


def close(result, expected):
    if isinstance(expected, tuple):
        assert isinstance(result, tuple) and len(result) == len(expected)
        for one, other in zip(result, expected, strict=True):
            close(one, other)
        return
    assert type(result) is type(expected), f"{type(result).__name__} where NumPy gives {type(expected).__name__}"
    if isinstance(expected, (np.ndarray, np.generic)):
        assert result.dtype == expected.dtype and result.shape == expected.shape
    np.testing.assert_allclose(result, expected, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("n", range(len(REFUSED)), ids=lambda n: REFUSED[n]["name"])
def test_alternatives(n, pair):
    """What a report says to write instead is compiled, and gives what NumPy's function gives."""
    entry = REFUSED[n]
    expected = plain(entry["call"])
    close(plain(entry["instead"]), expected)
    compiled, _ = pair(source([(k, other["instead"]) for k, other in group(REFUSED, n)]))
    close(getattr(compiled, f"f{n}")(*values()), expected)


@pytest.mark.parametrize("n", range(len(BESIDE)), ids=lambda n: BESIDE[n]["name"])
def test_names_beside_the_table(n, pair):
    compiled, plainly = pair(source([(k, entry["example"]) for k, entry in group(BESIDE, n)]))
    with np.errstate(all="ignore"):
        expected = getattr(plainly, f"f{n}")(*values())
    comparison.assert_same(getattr(compiled, f"f{n}")(*values()), expected)
