"""The corpus with indices of 8 bits, its device code run instruction by instruction where the mock driver knows it."""

import pytest

import corpus_format
import corpus_run
from compilation import ROOT, load_plain
from mock import count

# Newer NumPys discourage some functions.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

PATHS = sorted((ROOT / "tests/corpus").rglob("*.py"))


@pytest.mark.sampled
@pytest.mark.parametrize("path", PATHS, ids=lambda path: str(path.relative_to(ROOT / "tests/corpus").with_suffix("")))
def test_narrow_indices_give_numpys_result(workshop, path):
    program = corpus_format.read(path)
    compiled, plain = workshop.module(path, (*program.flags, "--force=narrow")), load_plain(path)
    violations = count("violations")
    for run_line in program.runs:
        try:
            corpus_run.compare(compiled, plain, program, run_line, "device")
        except AssertionError as difference:
            raise AssertionError(f"{path.name}:{run_line.line}: {run_line.text}\n{difference}") from None
    assert count("violations") == violations
