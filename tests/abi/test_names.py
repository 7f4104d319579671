"""Libraries of one module name in one program: each keeps its own functions, imported or linked, statically or dynamically."""

import os
import pathlib
import re
import subprocess
import sys
import textwrap

import pytest

from c_compiler import LIBRARIES, STRICT, compiler, run, run_program
from compilation import compile_file

ONE = "#numptx export f(float64[:])\ndef f(x):\n    return x + 1\n"
OTHER = "#numptx export f(float64[:])\ndef f(x):\n    return x * 1000\n"

# Calls the function of a header's module on 2.0.
CALLER = """
#include HEADER
double CALLER(void) {
    numptx_error error;
    numptx_value result[1];
    double x[1] = {2}, y;
    if (FUNCTION(numptx_float64_vector(x, 1), result, NULL, &error)) return -1;
    y = *(double *)result[0].data;
    numptx_release(&result[0]);
    return y;
}
"""

MAIN = """
#include <stdio.h>
double first(void);
double second(void);
int main(void) { printf("%g %g\\n", first(), second()); return 0; }
"""


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    """Two packages with a module `kernels` each, as shared and as static libraries."""
    folder = tmp_path_factory.mktemp("packages")
    for package, text in [("pa", ONE), ("pb", OTHER)]:
        (folder / package).mkdir()
        (folder / package / "__init__.py").touch()
        source = folder / package / "kernels.py"
        source.write_text(text)
        compile_file(source, folder / package)
        compile_file(source, folder / package, ["--static"])
    return folder


def caller(folder, name, header, function, *flags):
    """The object of a caller."""
    (folder / "caller.c").write_text(CALLER)
    made = folder / f"{name}.o"
    definitions = [f'-DHEADER="{header}"', f"-DFUNCTION={function}", f"-DCALLER={name}"]
    run(compiler("cc"), *STRICT, "-fPIC", "-c", *definitions, *flags, folder / "caller.c", "-o", made)
    return made


@pytest.mark.parametrize("order", [("pa", "pb"), ("pb", "pa")], ids=["one first", "the other first"])
def test_packages_in_one_process_keep_their_functions_under_rtld_global(packages, order):
    program = f"""
        import importlib, os, sys
        sys.setdlopenflags(os.RTLD_NOW | os.RTLD_GLOBAL)
        import numpy as np
        for package in {order!r}:
            importlib.import_module(package + ".kernels")
        for package in ("pa", "pb"):
            print(sys.modules[package + ".kernels"].f(np.array([2.0]))[0])
    """
    paths = [str(packages), *filter(None, [os.environ.get("PYTHONPATH")])]
    said = run_program(sys.executable, "-c", textwrap.dedent(program), PYTHONPATH=os.pathsep.join(paths))
    assert said.split() == ["3.0", "2000.0"]


def test_a_c_program_calls_two_shared_modules_with_a_function_of_one_name_each(tmp_path):
    objects = []
    for name, module, text in [("first", "one", ONE), ("second", "other", OTHER)]:
        (tmp_path / f"{module}.py").write_text(text)
        compile_file(tmp_path / f"{module}.py", tmp_path)
        objects += [caller(tmp_path, name, tmp_path / f"{module}.h", f"{module}_f"), tmp_path / f"{module}.so"]
    (tmp_path / "main.c").write_text(MAIN)
    run(compiler("cc"), tmp_path / "main.c", *objects, "-o", tmp_path / "main", *LIBRARIES, f"-Wl,-rpath,{tmp_path}")
    assert run_program(tmp_path / "main") == "3 2000\n"


def test_a_c_program_holds_two_static_modules_of_one_name(packages, tmp_path):
    objects = []
    for name, package in [("first", "pa"), ("second", "pb")]:
        objects += [caller(tmp_path, name, packages / package / "kernels.h", "kernels_f"), packages / package / "kernels.a"]
    (tmp_path / "main.c").write_text(MAIN)
    run(compiler("cc"), tmp_path / "main.c", *objects, "-o", tmp_path / "main", *LIBRARIES)
    assert run_program(tmp_path / "main") == "3 2000\n"
    # Nothing of one is defined in the other.
    whole = ["-Wl,--whole-archive", packages / "pa/kernels.a", packages / "pb/kernels.a", "-Wl,--no-whole-archive"]
    run(compiler("cc"), "-shared", *whole, "-o", tmp_path / "whole.so", *LIBRARIES)


def test_plugins_that_hold_modules_of_one_name_keep_their_own_under_rtld_global(packages, tmp_path):
    for name, package in [("first", "pa"), ("second", "pb")]:
        made = caller(tmp_path, name, packages / package / "kernels.h", "kernels_f")
        run(compiler("cc"), "-shared", made, packages / package / "kernels.a", "-o", tmp_path / f"{name}.so", *LIBRARIES)
    program = f"""
        import ctypes
        for name in ("first", "second"):
            function = getattr(ctypes.CDLL(r"{tmp_path}/" + name + ".so", mode=ctypes.RTLD_GLOBAL), name)
            function.restype = ctypes.c_double
            print(function())
    """
    assert run_program(sys.executable, "-c", textwrap.dedent(program)).split() == ["3.0", "2000.0"]


def test_headers_of_one_module_name_are_refused_in_one_file(packages, tmp_path):
    """The second is not left out in silence, which would call the first one's functions."""
    (tmp_path / "both.c").write_text(f'#include "{packages}/pa/kernels.h"\n#include "{packages}/pb/kernels.h"\n')
    done = subprocess.run([compiler("cc"), "-fsyntax-only", tmp_path / "both.c"], capture_output=True, text=True)
    assert done.returncode != 0 and "redefinition of" in done.stderr and "kernels_f" in done.stderr


def test_an_older_header_does_not_link_with_a_newer_library(packages, tmp_path):
    """What functions are where is the library's: the header of another compilation would call others."""
    object_file = caller(tmp_path, "first", packages / "pa" / "kernels.h", "kernels_f")
    command = [compiler("cc"), "-shared", "-Wl,-z,defs", object_file, packages / "pb/kernels.so", "-o", tmp_path / "stale.so", *LIBRARIES]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    assert done.returncode != 0 and "numptx_module_kernels_" in done.stderr


def exported(library):
    """Names that others find in a shared library, or in the objects of a static one."""
    flags = ["-D"] if library.suffix == ".so" else []
    lines = run("nm", *flags, "--defined-only", "--extern-only", library).splitlines()
    return {line.split()[2] for line in lines if len(line.split()) == 3}


def test_every_name_that_others_find_holds_the_hash(packages):
    hashes = []
    for package in ("pa", "pb"):
        accessor = re.search(r"numptx_module_kernels_([0-9a-f]{16})", (packages / package / "kernels.h").read_text())
        hashes.append(accessor[1])
        assert exported(packages / package / "kernels.so") == {"PyInit_kernels", accessor[0]}
        names = exported(packages / package / "kernels.a")
        assert accessor[0] in names and all(accessor[1] in name for name in names), names
    assert hashes[0] != hashes[1]


def test_the_same_program_has_the_same_names_wherever_it_is_compiled(tmp_path):
    made = []
    for folder in ("a", "b/c"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "kernels.py").write_text(ONE)
        library = compile_file(tmp_path / folder / "kernels.py", tmp_path / folder)
        compile_file(tmp_path / folder / "kernels.py", tmp_path / folder, ["--static"])
        made.append([pathlib.Path(library).with_suffix(suffix).read_bytes() for suffix in (".so", ".h", ".a")])
    assert made[0] == made[1]


def test_options_that_change_the_code_change_the_names(tmp_path):
    (tmp_path / "kernels.py").write_text(ONE)
    names = set()
    for flags in [[], ["--fast-math"], ["--host-only"], ["--cpu", "x86-64-v3"]]:
        compile_file(tmp_path / "kernels.py", tmp_path, flags)
        names.add(re.search(r"numptx_module_kernels_\w+", (tmp_path / "kernels.h").read_text())[0])
    assert len(names) == 4
