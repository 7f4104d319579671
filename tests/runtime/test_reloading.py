"""A library that was compiled anew, in the process that imported the old one: `importlib.reload`, and imports after the module was forgotten."""

import copy
import importlib
import os
import pathlib
import pickle
import shutil
import sys
import threading
import time

import numpy as np
import pytest

import numptx
from projects import Project
from subprocesses import run_python

FIRST = '''"""The first."""
SCALE = 2.0
#numptx export LIMIT
LIMIT = 10

#numptx export f(float64[:])
def f(x):
    return x + 1.0

#numptx export old(float64[:])
def old(x):
    return x

def helper(x):
    return f(x) * SCALE
'''
SECOND = '''"""The second."""
SCALE = 3.0
#numptx export LIMIT
LIMIT = 20

#numptx export f(float64[:], float64?)
def f(x, a=1000.0):
    return x + a

#numptx export fresh(float64[:])
def fresh(x):
    return -x
'''


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMPTX_STALE", "error")
    with Project(tmp_path) as project:
        yield project


ZEROS = np.zeros(2)


def value(module):
    return module.f(ZEROS)[0]


def test_a_reload_gives_the_new_code(project):
    project.compile(FIRST)
    module = project.imported()
    assert (value(module), module.SCALE, module.LIMIT) == (1, 2.0, 10)
    project.compile(SECOND)
    assert importlib.reload(module) is module is sys.modules[project.name]
    assert (value(module), module.SCALE, module.LIMIT) == (1000, 3.0, 20)
    assert module.f(ZEROS, 5.0)[0] == 5 and module.fresh(ZEROS)[0] == 0
    assert module.__doc__ == "The second." and "a" in module.f.__text_signature__


def test_what_the_new_library_does_not_have_is_gone(project):
    """Python keeps old names in a reload; here they would run old code."""
    project.compile(FIRST)
    module = project.imported()
    assert module.helper(ZEROS)[0] == 2
    module.mine = "mine"
    project.compile(SECOND)
    importlib.reload(module)
    for name in ("old", "helper"):
        with pytest.raises(AttributeError, match=f"has no attribute '{name}'"):
            getattr(module, name)
    assert module.mine == "mine"


def test_a_reload_without_a_new_compilation_changes_nothing(project):
    project.compile(FIRST)
    module = project.imported()
    before = module.f
    importlib.reload(module)
    assert module.f is before


def test_a_reload_is_done_again_and_again(project):
    """As a notebook does all day; the last one goes back to the first."""
    project.compile(FIRST)
    module = project.imported()
    for k in range(12):
        project.compile(FIRST.replace("x + 1.0", f"x + {k}.0"))
        importlib.reload(module)
        assert value(module) == k
    project.compile(FIRST)
    importlib.reload(module)
    assert value(module) == 1


def test_an_import_after_the_module_was_forgotten_gives_the_new_code(project):
    """The loader of shared libraries takes the one that is loaded already for another of the same path."""
    project.compile(FIRST)
    first = project.imported()
    project.forget()
    project.compile(SECOND)
    second = project.imported()
    assert second is not first and (value(first), value(second)) == (1, 1000)
    assert not hasattr(second, "old") and hasattr(first, "old")


def test_old_functions_and_arrays_live_on(project):
    project.compile(FIRST)
    module = project.imported()
    old, array = module.f, module.f(numptx.asarray(ZEROS))
    project.compile(SECOND)
    importlib.reload(module)
    assert old(ZEROS)[0] == 1 and array.to_host()[0] == 1 and value(module) == 1000


def test_names_that_were_imported_from_it_stay_until_they_are_imported_again(project):
    project.compile(FIRST)
    space = {}
    exec(f"import {project.name} as kernels\nfrom {project.name} import f", space)
    project.compile(SECOND)
    exec("import importlib\nimportlib.reload(kernels)", space)
    assert space["f"](ZEROS)[0] == 1
    exec(f"from {project.name} import f", space)
    assert space["f"](ZEROS)[0] == 1000


def test_device_code_is_the_new_library_s(project):
    project.compile(FIRST, "--cpu", "native")
    module = project.imported()
    first = module.ptx
    project.compile(SECOND, "--cpu", "native")
    importlib.reload(module)
    assert module.ptx != first and module.ptx == project.source.with_suffix(".ptx").read_text()
    assert any("fresh" in name for name in module.kernels) and not any("old" in name for name in module.kernels)
    numptx.preload(module, "cpu")


def test_functions_pickle_as_those_of_the_module(project):
    project.compile(FIRST)
    module = project.imported()
    project.compile(SECOND)
    importlib.reload(module)
    assert pickle.loads(pickle.dumps(module.f)) is module.f is copy.copy(module.f)
    assert module.f.__module__ == project.name and module.f.__self__ is module


def test_a_module_of_a_package_is_reloaded(tmp_path):
    (tmp_path / "around").mkdir()
    (tmp_path / "around" / "__init__.py").write_text("")
    with Project(tmp_path / "around", package="around", root=tmp_path) as project:
        project.compile(FIRST)
        module = project.imported()
        project.compile(SECOND)
        importlib.reload(module)
        assert value(module) == 1000 and getattr(sys.modules["around"], module.__name__.partition(".")[2]) is module


def test_a_library_that_cannot_be_loaded_leaves_the_old_one(project):
    project.compile(FIRST)
    module = project.imported()
    replacement = project.folder / "broken"
    replacement.write_bytes(b"no library")
    replacement.rename(project.library)
    with pytest.raises(ImportError, match=project.library.name):
        importlib.reload(module)
    assert value(module) == 1 and module.old(ZEROS)[0] == 0
    project.compile(SECOND)
    importlib.reload(module)
    assert value(module) == 1000


def test_a_library_of_another_interface_leaves_the_old_one(project, fixture_library, tmp_path_factory):
    from fixture_module import build_fixture, interface_version

    folder = tmp_path_factory.mktemp("interfaces")
    library = pathlib.Path(shutil.copy(fixture_library, folder / "fixture.so"))
    sys.path.insert(0, str(folder))
    try:
        module = importlib.import_module("fixture")
        other = build_fixture(tmp_path_factory.mktemp("other"), interface_version() + 1)
        other.rename(library)
        with pytest.raises(ImportError, match="compile it again"):
            importlib.reload(module)
        assert module.negate(3) == -3
    finally:
        sys.path.remove(str(folder))
        sys.modules.pop("fixture", None)


def test_a_library_that_was_written_over_is_an_error_that_says_so():
    """What is mapped changes with it: nothing of it may run, so that this is a process of its own, which ends at once."""
    text = """
        import importlib, os, pathlib, shutil, sys, tempfile
        import numptx
        from fixture_module import build_fixture, interface_version

        folder = tempfile.mkdtemp()
        library = build_fixture(folder, interface_version())
        sys.path.insert(0, folder)
        import fixture
        with open(library, "ab") as file:
            file.write(b"more")
        for again in (lambda: importlib.reload(fixture), lambda: (sys.modules.pop("fixture"), importlib.import_module("fixture"))):
            try:
                again()
            except ImportError as error:
                assert "was written over" in str(error) and "start Python anew" in str(error), error
                assert error.path == str(library)
            else:
                raise AssertionError("it was loaded")
        shutil.rmtree(folder)
    """
    run_python(text)


def test_without_a_new_library_a_reload_of_an_edited_file_says_that_it_is_old(project):
    project.compile(FIRST)
    module = project.imported()
    project.write(SECOND)
    with pytest.raises(ImportError, match="calls run the old code"):
        importlib.reload(module)
    assert value(module) == 1


def test_a_library_that_was_removed_leaves_its_source_to_python(project):
    project.compile(FIRST)
    module = project.imported()
    project.write(SECOND)
    project.library.unlink()
    importlib.invalidate_caches()
    importlib.reload(module)
    assert value(module) == 1000 and type(module.f).__name__ == "function"


def test_reloads_of_other_modules_are_as_they_were():
    import colorsys

    loader = type(colorsys.__loader__)
    assert importlib.reload(colorsys) is colorsys and type(colorsys.__loader__) is loader


def test_calls_on_other_threads_go_on(project):
    project.compile(FIRST)
    module = project.imported()
    project.compile(SECOND)
    seen, over = set(), threading.Event()

    def call():
        while not over.is_set():
            seen.add(float(value(module)))

    threads = [threading.Thread(target=call) for _ in range(4)]
    [thread.start() for thread in threads]
    try:
        importlib.reload(module)
        end = time.monotonic() + 60
        while 1000.0 not in seen and time.monotonic() < end:
            time.sleep(0.001)
    finally:
        over.set()
        [thread.join() for thread in threads]
    assert seen <= {1.0, 1000.0} and 1000.0 in seen


def test_spellings_of_a_path_are_of_one_file_and_all_different(tmp_path):
    from numptx._modules import respelled

    path = str(tmp_path / "kernels.so")
    pathlib.Path(path).write_bytes(b"")
    spellings = [respelled(path, number) for number in range(2000)]
    assert len({path, *spellings}) == 2001 and max(map(len, spellings)) < len(path) + 24
    assert all(os.path.samefile(path, spelling) for spelling in spellings)
