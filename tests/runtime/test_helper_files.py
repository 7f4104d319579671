"""Files of the user's that a compiled file imports: what runs is what Python runs, and an edited one is noticed."""

import importlib.util
import pathlib
import re
import sys
import warnings

import numpy as np
import pytest

import numptx
from compilation import compile_file
from projects import Project

UTIL = '''
"""Helpers."""
import os

import numpy as np

LIMIT = 3.0
WEIGHTS = np.array([1.0, 2.0])
OPTIONS = [b"not compiled"]


def clamp(v, low=0.0, high=LIMIT):
    return min(max(v, low), high)


def total(x):
    from helper_pkg.sub import twice as double

    # Builtins stay Python's here, whatever the other file calls so.
    n = sum([1, 2])
    return np.sum(double(x)) * LIMIT + n + own(x)


def own(x):
    return [np.sin(v) for v in (1.0, 2.0)][0] * WEIGHTS[1]


def show(x):
    print(os.getcwd(), x)
'''

FILES = {
    "helper_util.py": UTIL,
    "helper_pkg/__init__.py": "from .sub import twice as helper\n",
    "helper_pkg/sub.py": "from . import deep\nfrom .deep import three\n\n\ndef twice(x):\n    return x * 2 * three() / deep.three()\n",
    "helper_pkg/deep.py": "from math import *\n\n\ndef three():\n    return floor(3.2)\n",
    "helper_space/inner.py": "SCALE = 4.0\n\n\ndef scaled(x):\n    return x * SCALE\n",
}

MAIN = """
import helper_pkg.deep
import helper_pkg.sub as sub
import helper_space.inner
import helper_util
import numpy as np
from helper_pkg import helper
from helper_util import LIMIT, WEIGHTS as W, clamp


def sum(values):
    return 100.0


#numptx export f(float64[:])
def f(x):
    import helper_util as u
    from helper_util import clamp as again

    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = clamp(x[i], 0.25) + u.LIMIT + again(x[i], 1.0, 2.0)
    y += sub.twice(x) * W[0] + helper(x) + helper_pkg.deep.three() + helper_space.inner.scaled(x)
    return y + helper_util.total(x) + sum([1.0])
"""


@pytest.fixture
def project(tmp_path):
    with Project(tmp_path) as project:
        write(tmp_path, FILES)
        yield project
    forget()


def write(folder, files):
    for name, text in files.items():
        path = pathlib.Path(folder) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def forget():
    for name in [name for name in sys.modules if name.startswith("helper_")]:
        del sys.modules[name]


def plain(project):
    """What Python makes of the source."""
    spec = importlib.util.spec_from_file_location(f"plain_{project.name}", project.source)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_functions_and_constants_of_other_files_are_those_of_python(project):
    project.compile(MAIN)
    module, x = project.imported(), np.linspace(-1.0, 4.0, 9)
    np.testing.assert_allclose(module.f(x), plain(project).f(x), rtol=1e-14)


def test_names_of_other_files_are_found_in_the_module(project):
    project.compile(MAIN)
    module = project.imported()
    assert module.LIMIT == 3.0
    assert module.clamp(7.0) == 3.0


def test_relative_imports_are_of_the_package(tmp_path):
    files = {
        "helper_top/__init__.py": "",
        "helper_top/shared.py": "BASE = 2.0\n\n\ndef power(n):\n    return BASE ** n\n",
        "helper_top/inner/__init__.py": "",
        "helper_top/inner/near.py": "from ..shared import power\n\n\ndef near(x):\n    return x + power(2)\n",
    }
    source = (
        "from . import near\nfrom .near import near as close\nfrom .. import shared\nfrom helper_top.shared import BASE\n"
        "from helper_top.inner import near as also\n\n\n"
        "#numptx export f(float)\ndef f(x):\n    return near.near(x) + close(x) + shared.power(3) + BASE + also.near(x)\n"
    )
    with Project(tmp_path / "helper_top" / "inner", package="helper_top.inner", root=tmp_path) as project:
        write(tmp_path, files)
        project.compile(source)
        assert project.imported().f(1.0) == 5.0 + 5.0 + 8.0 + 2.0 + 5.0
        first = project.library.with_suffix(".pyi").read_text().splitlines()[0]
        assert first == "# inputs: near.py ../shared.py"
    forget()


def test_an_edited_helper_is_noticed(project, tmp_path):
    project.compile(MAIN)
    first = project.library.with_suffix(".pyi").read_text().splitlines()[0]
    assert first == "# inputs: helper_pkg/__init__.py helper_pkg/deep.py helper_pkg/sub.py helper_space/inner.py helper_util.py"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        project.imported()
    (tmp_path / "helper_pkg" / "deep.py").write_text("def three():\n    return 4.0\n")
    project.forget()
    with pytest.warns(numptx.StaleWarning, match=re.escape("helper_pkg/deep.py")):
        project.imported()
    (tmp_path / "helper_pkg" / "deep.py").unlink()
    project.forget()
    with pytest.warns(numptx.StaleWarning, match=re.escape("another helper_pkg/deep.py than")):
        project.imported()


def test_a_file_of_which_nothing_is_taken_is_no_input(project, tmp_path):
    (tmp_path / "helper_other.py").write_text("def broken(:\n")
    project.compile("import helper_other\n\n#numptx export f(float)\ndef f(x):\n    return x\n")
    assert "# inputs" not in project.library.with_suffix(".pyi").read_text()


def test_the_library_does_not_depend_on_where_the_files_lie(tmp_path):
    libraries = []
    for name in ("a", "b/c"):
        folder = tmp_path / name
        write(folder, {**FILES, "fixed_name.py": MAIN})
        compile_file(folder / "fixed_name.py", folder, ["--host-only"])
        libraries.append((folder / "fixed_name.so").read_bytes())
    assert libraries[0] == libraries[1]


REFUSED = {
    "missing_member": ("import helper_util\n", "helper_util.missing(x)", "`helper_util` has no `missing`"),
    "left_to_python": ("import helper_util\n", 'helper_util.OPTIONS[0]', "`OPTIONS` is no constant of compiled code"),
    "module_as_value": ("import helper_util\n", "g(helper_util)", "`helper_util` is a file, and used as a value"),
    "broken_file": ("from helper_broken import g as h\n", "h(x)", "helper_broken.py:1:6: bound here"),
    "inside_a_helper": ("from helper_wrong import g as h\n", "h(x)", "helper_wrong.py:2:12"),
    "changed_here": ("import helper_util\nhelper_util.WEIGHTS[0] = 5.0\n", "helper_util.WEIGHTS[0] + x", "`WEIGHTS` may be changed"),
    "changed_by_a_view": (
        "from helper_util import WEIGHTS as W\nV = W[1:]\nV.sort()\n", "W[0] + x", "`WEIGHTS` may be changed"
    ),
    "changed_by_its_file": (
        "from helper_table import TABLE, setup\nsetup()\n", "TABLE[0] + x", "`TABLE` may be changed"
    ),
    "itself": ("import helper_self as me\n", "me.g(x)", "`helper_self` imports itself"),
    "in_a_circle": ("from helper_first import g as h\n", "h(x)", "which imports `helper_"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_wrong_is_said_of_its_file(project, tmp_path, name):
    write(
        tmp_path,
        {
            "helper_broken.py": "def g(x:\n    return x\n",
            "helper_wrong.py": "def g(x):\n    return undefined + x\n",
            "helper_first.py": "from helper_second import k\n\n\ndef g(x):\n    return k(x)\n",
            "helper_self.py": "import helper_self\n\n\ndef g(x):\n    return helper_self.h(x)\n\n\ndef h(x):\n    return x\n",
            "helper_table.py": "import numpy as np\n\nTABLE = np.zeros(3)\n\n\ndef setup():\n    TABLE[0] = 1.0\n",
            "helper_second.py": "from helper_first import g\n\n\ndef k(x):\n    return x if x < 0 else g(x - 1)\n",
        },
    )
    head, use, message = REFUSED[name]
    project.write(f"{head}\n\ndef g(x):\n    return x\n\n\n#numptx export f(float)\ndef f(x):\n    return {use}\n")
    assert message in " ".join(project.refused().replace("\n", " ").split())
