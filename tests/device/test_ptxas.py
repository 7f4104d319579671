"""NVIDIA's assembler takes every kernel that the corpus and the function table make; no GPU is needed.

The corpus is compiled for two architectures and the cubins are made as users get them. The table's kernels are what its tests run, in
portable PTX; whether they are accepted does not depend on the assembler's optimisation, which is off for them.
"""

import concurrent.futures
import functools
import os
import pathlib
import subprocess

import pytest

import corpus_format
import table
from compilation import ROOT, compile_file, compiler

ARCHITECTURES = ["sm_75", "sm_80", "sm_90"]
# The oldest that we make code for, and the one whose blocks form clusters.
CORPUS_ARCHITECTURES = ["sm_75", "sm_90"]
CORPUS = sorted((ROOT / "tests" / "corpus").rglob("*.py"))
# File name and text, as the table's own tests compile them.
TABLE = [("rows", text) for text in table.group_sources()] + [("examples", table.example_source())]
EM_CUDA = 190


@functools.cache
def info():
    """What `numptx info` says: name → value."""
    done = subprocess.run([compiler(), "info"], capture_output=True, text=True, check=True)
    return {line[:14].strip(): line[14:].strip() for line in done.stdout.splitlines()}


@pytest.fixture(scope="module")
def ptxas():
    """The assembler that the compiler found."""
    path = info()["ptxas"]
    if not pathlib.Path(path).is_file():
        reason = f"no ptxas (`pip install nvidia-cuda-nvcc-cu12` brings it): {path}"
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
    return path


@pytest.mark.sampled
@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_corpus(path, ptxas, tmp_path):
    flags = corpus_format.read(path).flags
    compile_file(path, tmp_path, [*flags, "--device-only", "--arch", ",".join(CORPUS_ARCHITECTURES)], timeout=300)


def accepts(ptxas, architecture, ptx):
    command = [ptxas, "-O0", "-arch", architecture, str(ptx), "-o", os.devnull]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, f"{architecture}: {done.stderr}{done.stdout}"


@pytest.mark.parametrize("name, source", TABLE, ids=[text.split("def ")[1].split("(")[0] for _, text in TABLE])
def test_function_table(name, source, ptxas, workshop):
    ptx = workshop.library(workshop.written(source, name)).with_suffix(".ptx")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda architecture: accepts(ptxas, architecture, ptx), ARCHITECTURES))


def test_a_library_carries_a_cubin_for_each_architecture(ptxas, tmp_path):
    library = compile_file(ROOT / "tests" / "corpus" / "saxpy.py", tmp_path, ["--arch", ",".join(ARCHITECTURES)])
    parts = library.read_bytes().split(b"\x7fELF")[1:]
    machines = [int.from_bytes(part[14:16], "little") for part in parts]
    assert machines.count(EM_CUDA) == len(ARCHITECTURES)


def test_what_the_assembler_refuses_is_our_bug(tmp_path):
    environment = {**os.environ, "NUMPTX_PTXAS": "/bin/false"}
    command = [compiler(), "compile", str(CORPUS[0]), "-o", str(tmp_path), "--device-only", "--arch", "sm_80"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path)
    assert done.returncode == 70 and "/bin/false" in done.stderr
    assert not list(tmp_path.glob("*.ptx"))
