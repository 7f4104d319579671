"""NVIDIA's assembler takes every kernel that the corpus and the function table make; no GPU is needed.

What other tests run is assembled as it is, in portable PTX; whether it is accepted does not depend on the assembler's optimisation, which is off
for it. Cubins are made as users get them, for two architectures.
"""

import json
import os
import subprocess

import pytest

import assembler
import corpus_format
import sample
from compilation import ROOT, compile_file, compiler

# The oldest that we make code for, and the one whose blocks form clusters.
CUBINS = ["sm_75", "sm_90"]
CORPUS = sorted((ROOT / "tests" / "corpus").rglob("*.py"))
# Programs whose kernels are blocks, clusters and grids, and such that are none of these.
WITH_CUBINS = ["nussinov", "softmax"]
EM_CUDA = 190


@pytest.mark.sampled
@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_corpus(path, ptxas, workshop, pytestconfig):
    library = workshop.library(path, sample.corpus_flags(path, corpus_format.read(path), pytestconfig, device=True))
    has_kernels = bool(json.loads((library.parent / "report.json").read_text())["kernels"])
    assert library.with_suffix(".ptx").exists() == has_kernels
    if has_kernels:
        assembler.takes(ptxas, "sm_75", library)


@pytest.mark.parametrize("path", [pytest.param(path, marks=[pytest.mark.long] if path.stem not in WITH_CUBINS else []) for path in CORPUS], ids=lambda path: path.stem)
def test_cubins(path, ptxas, tmp_path):
    flags = corpus_format.read(path).flags
    compile_file(path, tmp_path, [*flags, "--device-only", "--arch", ",".join(CUBINS)], timeout=300)


@pytest.mark.long
@pytest.mark.parametrize("name, source", assembler.TABLE, ids=assembler.NAMES)
def test_function_table(name, source, ptxas, workshop):
    assembler.takes(ptxas, "sm_75", workshop.library(workshop.written(source, name)))


def test_a_library_carries_a_cubin_for_each_architecture(ptxas, tmp_path):
    architectures = ["sm_75", "sm_80", "sm_90"]
    library = compile_file(ROOT / "tests" / "corpus" / "saxpy.py", tmp_path, ["--arch", ",".join(architectures)])
    parts = library.read_bytes().split(b"\x7fELF")[1:]
    machines = [int.from_bytes(part[14:16], "little") for part in parts]
    assert machines.count(EM_CUDA) == len(architectures)


def test_what_the_assembler_refuses_is_our_bug(tmp_path):
    environment = {**os.environ, "NUMPTX_PTXAS": "/bin/false"}
    command = [compiler(), "compile", str(CORPUS[0]), "-o", str(tmp_path), "--device-only", "--arch", "sm_80"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path)
    assert done.returncode == 70 and "/bin/false" in done.stderr
    assert not list(tmp_path.glob("*.ptx"))
