"""What a file binds beside what it exports: Python finds it in the compiled module as it does in the file."""

import ast
import importlib
import pickle

import numpy as np
import pytest

import numptx
from projects import Project

SOURCE = '''
"""Kernels."""
import math
import numpy as np
from numpy import linalg as algebra
from typing import Any

EPS = 1e-9
N, M = 4, -3
TWICE = 2 * N
NAME = "a \\"quoted\\" text\\n\\u2028 é"
PAIR = (EPS, ("x", None, True), 2 - 1j)
LARGE = 0x9E3779B97F4A7C15
STEPS = [1, 2.5]
SINGLE = np.float32(0.1)
KIND = np.float32
WEIGHTS = np.array([1.0, 2.0, 3.0]) / 6
TABLES = (np.arange(3), [np.ones(2)])
HALF = math.pi / 2
INFINITE = float("inf")
SQUARE = lambda v: v * v
_private = 7
#numptx export RATE
RATE = 0.5


def clamp(x, low, high=1.0):
    """Keeps in range."""
    return np.minimum(np.maximum(x, low), high)


SIZE = 3
CLAMPED = clamp(5.0, 0.0)


#numptx export step(float64[:])
def step(x):
    return clamp(x * SIZE, EPS, RATE) + WEIGHTS[0]


def run(x, n):
    for _ in range(n):
        x = step(x)
    return x


def plot(x, **options):
    import json
    return json.dumps({"x": list(x), **options})
'''
CONSTANTS = [
    "EPS", "N", "M", "TWICE", "NAME", "PAIR", "LARGE", "STEPS", "SINGLE", "KIND", "WEIGHTS", "TABLES", "HALF", "INFINITE", "SIZE", "_private", "RATE",
]
FUNCTIONS = ["clamp", "run", "plot"]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The project, its module, and what Python makes of the file."""
    with Project(tmp_path_factory.mktemp("names")) as project:
        project.compile(SOURCE)
        yield project, project.imported(), plain(project)


@pytest.fixture
def alone(tmp_path, made):
    """The module without its source, as in a wheel."""
    with Project(tmp_path) as project:
        project.compile(SOURCE)
        project.source.unlink()
        yield project.imported()


def plain(project):
    space = {"__name__": project.name}
    exec(compile(project.source.read_text(), str(project.source), "exec"), space)
    return space


def assert_same(found, expected):
    assert type(found) is type(expected)
    if isinstance(expected, np.ndarray):
        np.testing.assert_array_equal(found, expected)
        assert found.dtype == expected.dtype
    elif isinstance(expected, (tuple, list)):
        assert len(found) == len(expected)
        for pair in zip(found, expected):
            assert_same(*pair)
    else:
        assert found == expected


@pytest.mark.parametrize("name", CONSTANTS)
def test_constants_are_what_they_are_in_python(name, made, alone):
    assert_same(getattr(made[1], name), made[2][name])
    assert_same(getattr(alone, name), made[2][name])


def test_they_are_imported_by_name_and_all_at_once(made):
    project, _, expected = made
    space = {}
    exec(f"from {project.name} import EPS, clamp, step", space)
    assert space["EPS"] == 1e-9 and space["step"] is made[1].step
    space = {}
    exec(f"from {project.name} import *", space)
    public = {name for name in expected if not name.startswith("_")}
    # Names for annotations alone are not the library's.
    assert public - {"Any"} <= set(space) and "_private" not in space


def test_all_names_the_file_s_own_list(tmp_path):
    with Project(tmp_path) as project:
        project.compile('__all__ = ["EPS"]\nEPS, OTHER = 1, 2\n#numptx export f(int)\ndef f(n):\n    return n\n')
        project.imported()
        space = {}
        exec(f"from {project.name} import *", space)
        assert space["EPS"] == 1 and "OTHER" not in space and "f" not in space


def test_dir_lists_them(made, alone):
    assert {*CONSTANTS, *FUNCTIONS, "step", "SQUARE", "np"} <= set(dir(made[1]))
    assert {*CONSTANTS, "step"} <= set(dir(alone)) and not set(FUNCTIONS) & set(dir(alone))


def test_functions_that_are_not_exported_are_python_s(made):
    _, module, expected = made
    assert module.clamp(7.0, 0.0) == 1.0 and module.clamp.__doc__ == "Keeps in range."
    assert module.clamp.__module__ == module.__name__ and module.clamp is module.clamp
    assert module.SQUARE(3) == 9 and module.CLAMPED == expected["CLAMPED"]
    assert module.plot([1.0], title="t") == '{"x": [1.0], "title": "t"}'
    assert pickle.loads(pickle.dumps(module.clamp)) is module.clamp


def test_they_call_the_compiled_ones(made):
    _, module, expected = made
    before = numptx.memory_stats()["launches"]
    x = np.linspace(0.0, 1.0, 1000)
    np.testing.assert_array_equal(module.run(x, 3), expected["run"](x, 3))
    assert numptx.memory_stats()["launches"] > before
    assert module.run.__globals__["step"] is module.step


def test_arrays_are_read_only_for_compiled_functions_have_their_own(made):
    for array in (made[1].WEIGHTS, *made[1].TABLES[:1], *made[1].TABLES[1]):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 5.0


def test_a_function_without_its_source_says_how_to_export_it(alone):
    with pytest.raises(AttributeError) as raised:
        alone.clamp
    assert "write `#numptx export clamp(..., ..., ...)` above it with the types of x, low, high, such as `float64[:]`" in str(raised.value)
    assert "is not beside the library" in str(raised.value) and raised.value.name == "clamp"
    assert not hasattr(alone, "run")


def test_a_from_import_says_so_too(alone):
    """CPython drops the words of an AttributeError there."""
    with pytest.raises(ImportError, match="#numptx export clamp"):
        exec(f"from {alone.__name__} import EPS, clamp")


def test_what_takes_the_whole_file_says_so(alone):
    with pytest.raises(AttributeError, match="'CLAMPED' of module .* takes the whole file, and .*py is not beside the library"):
        alone.CLAMPED


def test_a_file_that_changed_gives_no_functions(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMPTX_STALE", "ignore")
    with Project(tmp_path) as project:
        project.compile(SOURCE)
        project.write(SOURCE.replace("EPS = 1e-9", "EPS = 1.0"))
        module = project.imported()
        assert module.EPS == 1e-9
        with pytest.raises(AttributeError, match="beside the library is not what was compiled"):
            module.clamp


def test_a_file_that_python_cannot_run_gives_its_constants(tmp_path):
    """What the compiler takes, an older NumPy may not have."""
    with Project(tmp_path) as project:
        project.compile("N = 3\nMORE = N + 1 // 0 if N == 3 else N\n\ndef g(x):\n    return x\n\n#numptx export f(int)\ndef f(n):\n    return n + N\n")
        module = project.imported()
        assert module.N == 3 and module.f(1) == 4
        with pytest.raises(AttributeError, match="raises ZeroDivisionError"):
            module.g


def test_unknown_names_are_what_they_were(made):
    with pytest.raises(AttributeError, match="has no attribute 'epsilon'"):
        made[1].epsilon
    with pytest.raises(ImportError, match="cannot import name 'epsilon'"):
        exec(f"from {made[0].name} import epsilon")


def test_nothing_is_run_before_it_is_asked_for(tmp_path):
    with Project(tmp_path) as project:
        project.compile(SOURCE)
        assert not {"EPS", "clamp", "np"} & set(vars(project.imported()))


def test_the_stub_names_them(made):
    stub = made[0].library.with_suffix(".pyi").read_text()
    ast.parse(stub)
    for line in ["EPS: float", "N: int", "M: int", "NAME: str", "PAIR: tuple[Any, tuple[str, None, bool], Any]", "WEIGHTS: Any", "RATE: float"]:
        assert f"\n{line}\n" in stub, line
    assert "def clamp(*arguments: Any, **keywords: Any) -> Any: ..." in stub and "def step(*arguments" not in stub and stub.count("RATE") == 1


def test_after_a_reload_they_are_those_of_the_new_file(tmp_path):
    with Project(tmp_path) as project:
        project.compile(SOURCE)
        module = project.imported()
        assert module.EPS == 1e-9 and module.clamp(-1.0, 0.0) == 0.0
        project.compile(SOURCE.replace("EPS = 1e-9", "EPS = 0.25").replace("def clamp(", "def bounded(").replace("clamp(", "bounded("))
        importlib.reload(module)
        assert module.EPS == 0.25 and module.bounded(-1.0, 0.0) == 0.0 and not hasattr(module, "clamp")
