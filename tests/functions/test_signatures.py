"""Every name of the table takes NumPy's parameters: names, positions, defaults, and which are taken by position or by name only."""

import cmath
import inspect
import math
import re

import numpy as np
import pytest

import table

EMPTY = inspect.Parameter.empty
# What `<no value>` stands for, where NumPy's documentation says so.
MEANT = {"keepdims": False, "where": True}
NO_VALUE = "<no value>"
# Attributes have no parameters.
ATTRIBUTES = {"ndarray.T", "ndarray.mT", "ndarray.real", "ndarray.imag"}
# Keywords that Python 3.12 added; the rows are those of Python 3.11.
ADDED = {"math.nextafter": ["steps"]}

NAMES = [(name, row) for row in table.rows() for name in row["signatures"] if name not in ATTRIBUTES]


def found(name):
    """What NumPy, Python, or SciPy has under a dotted name; where that is not installed, the test is skipped."""
    first, *rest = name.split(".")
    if first == "scipy":
        return getattr(pytest.importorskip(name.rpartition(".")[0]), rest[-1])
    value = {"numpy": np, "math": math, "cmath": cmath, "ndarray": np.ndarray}[first]
    for part in rest:
        if first == "math" and not hasattr(value, part):
            pytest.skip("this Python is older than the function")
        value = getattr(value, part)
    return value


def plain(parameters):
    """(name, kind, default) of each parameter; `<no value>` is what it stands for."""
    result = []
    for p in parameters:
        default = NO_VALUE if p.default is np._NoValue else p.default
        if isinstance(default, str) and default == NO_VALUE:
            default = MEANT.get(p.name, NO_VALUE)
        result.append((p.name, p.kind, default))
    return result


def ours(text):
    """The parameters of a row's text, which is Python's but for `<no value>`."""
    scope = {"math": math}
    exec(f"def f({text.replace(NO_VALUE, repr(NO_VALUE))}): pass", scope)
    return plain(inspect.signature(scope["f"]).parameters.values())


def documented(function):
    """The parameters that the docstring's first line names; those of builtins without a signature are taken by position only."""
    line = (function.__doc__ or "").strip().splitlines()[0]
    inside = re.match(r"\w+\((.*?)\)", line)[1]
    text = re.sub(r",\s*,", ",", inside.replace("[", "").replace("]", "").strip())
    return ours(text if "*" in text else f"{text}, /")


def numpys(name):
    function = found(name)
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except ValueError:
        return documented(function)
    if name.startswith("ndarray.") and parameters[-1].kind is inspect.Parameter.VAR_KEYWORD and name != "ndarray.view":
        return with_keywords(name, plain(parameters[:-1]))
    return [p for p in plain(parameters) if p[0] not in ADDED.get(name, ())]


def with_keywords(name, named):
    """A method whose signature ends with `**kwargs` takes what the function of the same name takes, which hands its arguments on to it."""
    if name == "ndarray.clip":
        return [*named, ("kwargs", inspect.Parameter.VAR_KEYWORD, EMPTY)]
    known = {parameter[0] for parameter in named}
    function = numpys(name.replace("ndarray", "numpy"))
    return [*named, *(p for p in function[1:] if p[0] not in known)]


def test_the_table_names_every_signature():
    assert len(NAMES) > 250
    assert {name for name, _ in NAMES} | ATTRIBUTES == {n for row in table.rows() for n in (row["name"], *row["aliases"])}


@pytest.mark.parametrize("name, row", NAMES, ids=[name for name, _ in NAMES])
def test_parameters_are_numpys(name, row):
    """Those of a row that differs say why; where they are equal, nothing is said."""
    expected, given = numpys(name), ours(row["signatures"][name])
    if row["differs"]:
        assert row["differs"][0].islower() or row["differs"].startswith("NumPy"), "a reason is a sentence's second half"
    else:
        assert given == expected, f"{name}({row['signatures'][name]}): NumPy has {expected}"


@pytest.mark.parametrize("row", [row for row in table.rows() if row["differs"]], ids=table.short)
def test_a_reason_is_needed(row):
    """No row says that it differs where it does not."""
    assert any(ours(text) != numpys(name) for name, text in row["signatures"].items())


def test_what_is_without_is_a_parameter():
    for row in table.rows():
        names = {p[0] for p in ours(row["parameters"])}
        assert set(row["without"]) <= names, row["name"]


def test_positions_hold_where_a_row_differs():
    """Positional arguments mean in every row what they mean in NumPy: names of a row that differs are NumPy's, but for what NumPy hides."""
    hidden = {"numpy.frexp", "numpy.modf", "numpy.divmod", "cmath.log"}
    for name, row in ((n, r) for n, r in NAMES if r["differs"] and n not in hidden):
        positional = [p for p in ours(row["signatures"][name]) if p[1] <= inspect.Parameter.POSITIONAL_OR_KEYWORD]
        theirs = [p for p in numpys(name) if p[1] <= inspect.Parameter.POSITIONAL_OR_KEYWORD]
        for mine, other in zip(positional, theirs, strict=False):
            assert mine[0] == other[0] or {mine[0], other[0]} == {"start", "start_or_stop"}, name
