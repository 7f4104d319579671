"""docs/runtime.md, docs/runtime-internals.md and mutants.toml name tests: they exist, and every row that says that numptx has something names one."""

import ast
import re
import tomllib

import pytest

import mutants
from compilation import ROOT

PAGE = ROOT / "docs" / "runtime.md"
FOLDER = ROOT / "tests" / "runtime"
HEAD = "| feature | cuda.core | numptx | test in `tests/runtime` |"


def rows():
    """`[feature, cuda.core, numptx, test]` of each row."""
    lines = PAGE.read_text().split(HEAD)[1].splitlines()[2:]
    table = []
    for line in lines:
        if not line.startswith("|"):
            break
        table.append([cell.strip() for cell in line.strip("|").split("|")])
    return table


def names_in(path):
    """The names of a file's tests."""
    return {node.name for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}


def test_the_table_is_there():
    table = rows()
    assert len(table) >= 40 and all(len(row) == 4 for row in table)
    features = [row[0] for row in table]
    assert len(set(features)) == len(features)


@pytest.mark.parametrize("row", rows(), ids=lambda row: row[0])
def test_every_row_names_a_test_that_exists(row):
    named = re.findall(r"`([\w./]+)(?:::(\w+))?`", row[3])
    assert bool(named) != (row[2] == "no"), "a row names a test, or says no"
    for file, test in named:
        path = FOLDER / file
        assert path.is_file(), f"there is no {path}"
        assert not test or test in names_in(path), f"{file} has no test {test}"
        assert test or names_in(path)


# Where files of such names lie, by their beginning.
PLACES = {"test_": FOLDER, "narrow/": ROOT / "tests", "models/": ROOT / "runtime" / "models" / "tests", "": ROOT / "runtime" / "numptx-runtime" / "src"}
INTERNALS = re.findall(r"`([\w/]+\.(?:py|rs))::(\w+)`", (ROOT / "docs" / "runtime-internals.md").read_text())
# Tests run also where the sources are not.
INTERNALS = [named for named in INTERNALS if named[0].endswith(".py") or (ROOT / "runtime").is_dir()]


def test_the_page_about_the_inside_names_tests():
    assert len(INTERNALS) >= 15


def demand(file, test):
    """A test of that name."""
    path = next(folder for start, folder in PLACES.items() if file.startswith(start)) / file
    found = names_in(path) if file.endswith(".py") else re.findall(r"#\[test\]\s+fn (\w+)", path.read_text())
    assert test in found, f"{file} has no test {test}"


@pytest.mark.parametrize("file, test", INTERNALS, ids="::".join)
def test_every_test_of_the_page_about_the_inside_exists(file, test):
    demand(file, test)


@pytest.mark.skipif(not (ROOT / "runtime").is_dir(), reason="the sources are not here")
def test_every_mutant_has_its_text_and_its_tests():
    table = [mutants.Mutant(**row) for row in tomllib.loads(mutants.TABLE.read_text())["mutant"]]
    assert len(table) >= 50
    for test in {test for mutant in table for test in mutant.tests if not test.startswith("stress.py")}:
        demand(*test.partition("[")[0].split("::"))
