"""The file beside a library that is not what was compiled: an import says so, as `NUMPTX_STALE` wants it."""

import os
import warnings

import numpy as np
import pytest

import numptx
from projects import Project

FIRST = """
#numptx export f(float64[:])
def f(x):
    return x + 1.0
"""
SECOND = FIRST.replace("1.0", "1000.0")
REFUSED = FIRST.replace("x + 1.0", "eval('x')")


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.delenv("NUMPTX_STALE", raising=False)
    with Project(tmp_path) as project:
        yield project


def warned(project):
    """The warnings that an import gives, as text."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        project.imported()
    return [str(warning.message) for warning in caught if warning.category is numptx.StaleWarning]


def test_what_was_compiled_is_imported_in_silence(project):
    project.compile(FIRST)
    assert warned(project) == []


def test_an_edited_file_is_warned_of(project):
    project.compile(FIRST)
    project.write(SECOND)
    with pytest.warns(numptx.StaleWarning, match="calls run the old code") as caught:
        module = project.imported()
    assert caught[0].filename == project.importing_file
    message = str(caught[0].message)
    assert module.__file__ in message and f"numptx compile {project.source}" in message
    np.testing.assert_array_equal(module.f(np.zeros(2)), [1, 1])


def test_each_import_warns(project):
    """The same line may import again, as a cell of a notebook does."""
    project.compile(FIRST)
    project.write(SECOND)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for _ in range(2):
            project.forget()
            project.imported()
    assert [warning.category for warning in caught] == [numptx.StaleWarning] * 2


def test_a_comment_is_an_edit_and_its_undoing_is_none(project):
    project.compile(FIRST)
    project.write(FIRST + "# why\n")
    assert len(warned(project)) == 1
    project.forget()
    project.write(FIRST)
    assert warned(project) == []


def test_a_copy_with_another_time_is_no_edit(project):
    project.compile(FIRST)
    os.utime(project.source, (2**31, 2**31))
    assert warned(project) == []


def test_the_bytes_count_that_lie_in_the_file(project):
    """Lines that end otherwise, a byte order mark and other encodings are what was compiled, too."""
    for text in (FIRST.replace("\n", "\r\n").encode(), b"\xef\xbb\xbf" + FIRST.encode(), "# coding: latin-1\n# é\n".encode("latin-1") + FIRST.encode()):
        project.source.write_bytes(text)
        project.compile()
        assert warned(project) == []
        project.forget()


def test_without_a_source_nothing_is_said(project):
    project.compile(FIRST)
    project.source.unlink()
    assert warned(project) == []


def test_the_environment_makes_it_an_error(project, monkeypatch):
    project.compile(FIRST)
    project.write(SECOND)
    monkeypatch.setenv("NUMPTX_STALE", "error")
    with pytest.raises(ImportError, match="calls run the old code") as raised:
        project.imported()
    assert raised.value.name == project.name and raised.value.path == str(project.library)


def test_the_environment_makes_it_silent(project, monkeypatch):
    project.compile(FIRST)
    project.write(SECOND)
    monkeypatch.setenv("NUMPTX_STALE", "ignore")
    assert warned(project) == []


def test_a_value_that_means_nothing_is_told(project, monkeypatch):
    project.compile(FIRST)
    monkeypatch.setenv("NUMPTX_STALE", "never")
    with pytest.raises(ValueError, match="NUMPTX_STALE is 'never'; it may be warn, error, ignore"):
        project.imported()


def test_a_library_that_a_refused_compilation_leaves_is_warned_of(project):
    project.compile(FIRST)
    project.write(REFUSED)
    said = project.refused()
    assert f"{project.library}: the library of " in said and f"`import {project.name}` loads this old code" in said
    assert len(warned(project)) == 1


def test_a_package_s_module_is_compared_with_the_file_beside_it(tmp_path):
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "__init__.py").write_text("")
    with Project(tmp_path / "inner", package="inner", root=tmp_path) as project:
        project.compile(FIRST)
        assert warned(project) == []
        project.forget()
        project.write(SECOND)
        assert len(warned(project)) == 1
