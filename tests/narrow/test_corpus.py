"""The sample of the corpus with indices of 8 bits, its device code run instruction by instruction where the mock driver knows it."""

import pytest

import corpus_format
import corpus_run
from compilation import ROOT, load_plain
from mock_counts import count
from sample import PROGRAMS

# Newer NumPys discourage some functions.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

# What takes long instruction by instruction, most of it in kernels that others have, too.
SLOW = {"histograms", "time_tiles", "scans", "linear", "masks_reduced", "positions_and_moments"}
# `--quick` takes these.
QUICK = {"arc_distance", "buffers", "control", "far_apart", "inplace", "masks_moved_at_once", "overlap", "reductions", "reductions_of_expressions", "slices", "store_hazards", "stores_joined", "views"}
PATHS = [path for path in sorted((ROOT / "tests/corpus").rglob("*.py")) if path.stem in PROGRAMS - SLOW]


@pytest.mark.parametrize("path", [path if path.stem in QUICK else pytest.param(path, marks=pytest.mark.long) for path in PATHS], ids=lambda path: path.stem)
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
