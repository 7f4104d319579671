"""The pages of warnings about speed: what they show as faster computes what the program that was reported does."""

import copy
import pathlib
import re

import numpy as np
import pytest

ERRORS = pathlib.Path(__file__).resolve().parents[2] / "docs" / "errors"
PAGES = ["NPX0601", "NPX0602", "NPX0604"]
PROGRAMS = re.compile(r"```python\n(.*?)```", re.DOTALL)
EXPORT = re.compile(r"#numptx export f\((.*)\)")


def pairs():
    """Page, number, a program that is reported and the one that is shown as faster."""
    for page in PAGES:
        programs = PROGRAMS.findall((ERRORS / f"{page}.md").read_text())
        assert len(programs) % 2 == 0
        for n in range(0, len(programs), 2):
            yield pytest.param(*programs[n : n + 2], id=f"{page}-{n // 2}")


def arguments(program):
    """Of each parameter's type; ints fit as bounds, steps and indices of vectors of eight elements."""
    random, ptr = np.random.default_rng(0), np.array([0, 2, 2, 5, 8])
    # Where rows begin, which elements they update, and whose they are.
    vectors = iter([ptr, random.integers(0, 4, 8), np.repeat(np.arange(4), np.diff(ptr))])
    types = re.findall(r"[a-z]+\d*(?:\[[^]]*\])?", EXPORT.search(program).group(1))
    made = []
    for number, name in enumerate(types):
        if name == "int":
            made.append([0, 7, 2][number % 3 - 2])
        elif name == "int64[:]":
            made.append(next(vectors))
        else:
            made.append(random.standard_normal((8,) * (1 + name.count(","))) if "[" in name else 0.5)
    return made


def outcome(program, given):
    """What the program makes of its arguments; these programs return nothing."""
    space, given = {}, copy.deepcopy(given)
    exec(program, space)
    assert space["f"](*given) is None
    return given


@pytest.mark.parametrize("reported, faster", list(pairs()))
def test_faster_programs_compute_the_same(reported, faster):
    given = arguments(reported)
    if EXPORT.search(reported).group(1) == EXPORT.search(faster).group(1):
        for found, expected in zip(outcome(faster, given), outcome(reported, given)):
            np.testing.assert_allclose(found, expected, rtol=1e-12)
        return
    # Many vectors in one call, as rows.
    rows = [arguments(reported)[0] * k for k in range(1, 4)]
    (together,) = outcome(faster, [np.stack(rows)])
    for row, alone in zip(together, rows):
        np.testing.assert_array_equal(row, *outcome(reported, [alone]))
