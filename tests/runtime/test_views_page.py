"""docs/views.md: its programs compile, and its table says of every expression what NumPy and the compiled function do."""

import re

import numpy as np
import pytest

from compilation import ROOT

PAGE = (ROOT / "docs" / "views.md").read_text()
ROW = re.compile(r"^\| `([^`]+)` \| (itself|view|read-only view|copy|scalar) \|", re.MULTILINE)
ROWS = ROW.findall(PAGE)
PROGRAMS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)

# What stands for the names of the table.
NAMES = {
    "x": ("float64[:,:]", lambda: np.arange(12.0).reshape(4, 3).copy() - 5),
    "v": ("float64[:]", lambda: np.arange(4.0)),
    "z": ("complex128[:,:]", lambda: np.arange(6.0).reshape(2, 3) * (1 - 2j)),
    "i": ("int", lambda: 1),
    "j": ("int64[:]", lambda: np.array([2, 0, -1])),
}


def names_of(expression):
    return [name for name in NAMES if re.search(rf"(?<![\w.]){name}\b", expression)]


@pytest.fixture(scope="module")
def modules(workshop):
    """The table as one program: a function a row."""
    lines = ["import numpy as np"]
    for n, (expression, _) in enumerate(ROWS):
        names = names_of(expression)
        lines.append(f"#numptx export row_{n}({', '.join(NAMES[name][0] for name in names)})")
        lines.append(f"def row_{n}({', '.join(names)}):\n    return {expression}\n")
    return workshop.pair("\n".join(lines), "views_page")


def what_it_is(result, arguments):
    """In the words of the table."""
    if not isinstance(result, np.ndarray):
        return "scalar"
    arrays = [argument for argument in arguments if isinstance(argument, np.ndarray)]
    if any(result is array for array in arrays):
        return "itself"
    if not any(np.shares_memory(result, array) for array in arrays):
        return "copy"
    assert result.base is not None
    return "view" if result.flags.writeable else "read-only view"


@pytest.mark.parametrize("n", range(len(ROWS)), ids=[expression for expression, _ in ROWS])
def test_a_row_of_the_table_is_true(n, modules):
    expression, word = ROWS[n]
    for module in modules:
        arguments = [NAMES[name][1]() for name in names_of(expression)]
        result = getattr(module, f"row_{n}")(*arguments)
        assert what_it_is(result, arguments) == word
    plain_arguments = [NAMES[name][1]() for name in names_of(expression)]
    np.testing.assert_array_equal(result, getattr(modules[0], f"row_{n}")(*plain_arguments))


def test_every_row_is_read():
    table = PAGE.split("| returned | is | note |")[1].split("\n\n")[0].strip().splitlines()[1:]
    assert len(table) == len(ROWS) > 30


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: re.search(r"def (\w+)", program)[1])
def test_a_program_of_the_page_compiles(program, workshop):
    workshop.pair(program)


def test_what_the_page_says_of_its_programs(workshop):
    halves, shift, corner = [next(p for p in PROGRAMS if f"def {name}" in p) for name in ("halves", "shift", "corner")]
    a = np.arange(5.0)
    first, second, whole = workshop.pair(halves)[0].halves(a)
    assert first.base is a and second.base is a and whole is a
    workshop.pair(shift)[0].shift(a, a)
    np.testing.assert_array_equal(a, [0, 0, 1, 2, 3])
    x = np.zeros((50, 50))
    assert workshop.pair(corner)[0].corner(x).base is not x
