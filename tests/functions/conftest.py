"""Makes `table` importable by the tests of this folder; compiles the sources of its rows."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import sample
import table


@pytest.fixture
def pair(workshop, pytestconfig):
    """`pair(row)`: `(compiled module, plain module)` of the source of a row's group; `pair(text)` of another source."""
    flags, sources = sample.halves(pytestconfig), table.sources(pytestconfig.getoption("--quick"))
    return lambda of: workshop.pair(of, "examples", flags) if isinstance(of, str) else workshop.pair(sources[of["name"]], "rows", flags)
