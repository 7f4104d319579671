"""A C or C++ compiler, and what a program is linked with."""

import os
import pathlib
import shutil
import subprocess

import pytest

import numptx

RUNTIME = pathlib.Path(numptx.__file__).parent
# What the runtime's folder is told to the linker as.
LIBRARIES = ["-L", RUNTIME, "-lnumptx_runtime", f"-Wl,-rpath,{RUNTIME}"]

STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]


def compiler(name):
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"no {name} here")
    return found


def run(*command, **rest):
    """What a command prints; it has to succeed."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300, **rest)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def run_program(path, *arguments, **variables):
    """What a program prints. It computes on the CPU, whatever the tests run on."""
    return run(path, *arguments, env={**os.environ, "NUMPTX_DEVICE": "cpu", **variables})
