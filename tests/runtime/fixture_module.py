"""Compiles fixture.c, the module written by hand, with the system's C compiler."""

import ctypes
import pathlib
import shutil
import subprocess

import pytest

HERE = pathlib.Path(__file__).parent


def interface_version():
    """The package's ABI version: the first word of its table."""
    from numptx import _native

    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return ctypes.c_uint32.from_address(get(_native._C_API, b"numptx._native._C_API")).value


def build_library(source, library, *flags):
    """Compiles a C file to a shared library; returns its path."""
    cc = shutil.which("cc") or shutil.which("gcc")
    if cc is None:
        pytest.skip("no C compiler here")
    command = [cc, "-shared", "-fPIC", "-O1", "-Wall", "-Werror", *flags, str(source), "-o", str(library), "-lm"]
    subprocess.run(command, check=True)
    return library


def build_fixture(folder, version, *faults):
    """Compiles fixture.c for an ABI version; returns the library's path. `faults` are its planted faults."""
    defines = [f"-DFIXTURE_ABI_VERSION={version}", *(f"-D{fault}" for fault in faults)]
    return build_library(HERE / "fixture.c", pathlib.Path(folder) / "fixture.so", *defines)
