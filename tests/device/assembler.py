"""NVIDIA's assembler, as tests call it, and the sources that use every row of the function table."""

import functools
import os
import subprocess

import table
from compilation import compiler

# File name and text, as the table's own tests compile them.
TABLE = [("rows", text) for text in table.group_sources()] + [("examples", table.example_source())]
NAMES = [text.split("def ")[1].split("(")[0] for _, text in TABLE]


@functools.cache
def info():
    """What `numptx info` says: name → value."""
    done = subprocess.run([compiler(), "info"], capture_output=True, text=True, check=True)
    return {line[:14].strip(): line[14:].strip() for line in done.stdout.splitlines()}


def takes(ptxas, architecture, library):
    """Asserts that the portable PTX of a library is accepted."""
    command = [ptxas, "-O0", "-arch", architecture, str(library.with_suffix(".ptx")), "-o", os.devnull]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, f"{architecture}: {done.stderr}{done.stdout}"
