"""Versions of a program that nobody would choose give what the chosen one gives: NumPy's result.

Compiles corpus programs with one thing forced or left out at a time: see docs/testing.md. Structure lines do not apply here.
"""

import itertools
import subprocess

import pytest

import corpus_format
import corpus_run
from compilation import ROOT, compiler, load_plain

# Newer NumPys discourage some functions.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

FORCED = [
    "--force=mayalias",
    "--force=snapshots",
    "--force=late",
    "--force=unfused",
    "--force=strided",
    "--force=mayalias,snapshots,unfused,strided",
    "--force=mayalias,late,strided",
]
WITHOUT = [
    "--without=unwrap-loops",
    "--without=simplify",
    "--without=remove-dead",
    "--without=bound-indices",
    "--without=share-counts",
    "--without=reduce-masked",
    "--without=fuse-maps",
    "--without=fuse-reductions",
    "--without=eliminate-checks",
    "--without=last-values",
    "--without=distribute-loops",
    "--without=rematerialise-views",
    "--without=form-nests",
    "--without=tile-time",
    "--without=form-triangular-solves",
    "--without=share-sums",
    "--without=hoist-products",
    "--without=simplify-bodies",
    "--without=reuse-buffers",
    "--without=hoist-allocations",
    "--without=rotate-buffers",
    "--without=join-stores",
    "--without=join-moves",
    "--without=compact-by-tiles",
    "--without=join-waits",
    "--without=elide-ownership",
]
# Those in which memory is shared, written, carried by loops, or reduced.
PROGRAMS = ["overlap", "store_hazards", "buffers", "inplace", "slices", "views", "control", "broadcasting", "reductions", "reductions_of_expressions", "positions_and_moments", "taking"]
# Passes are compared one by one by `tests/interpreted.rs` too.
CASES = [*itertools.product(FORCED, PROGRAMS), *itertools.product(WITHOUT, ["buffers", "control", "reductions", "reductions_of_expressions", "positions_and_moments"])]
CASES += itertools.product(["--without=form-nests", "--force=unfused"], ["polybench/lu", "polybench/gemver", "loops/k_means"])
CASES += itertools.product(["--without=share-counts", "--without=reduce-masked", "--without=simplify", "--force=unfused"], ["masks_reduced", "masks_of_chosen"])
CASES += itertools.product(["--without=join-waits", "--without=join-moves", "--force=mayalias"], ["masks_waited_for_once"])
CASES += itertools.product(["--without=bound-indices", "--force=unfused"], ["indices_in_bounds"])
CASES += itertools.product(["--without=join-stores", "--force=mayalias", "--force=late"], ["stores_joined"])
CASES += itertools.product(["--without=join-moves", "--without=share-counts", "--force=late"], ["masks_moved_at_once"])
CASES += itertools.product(["--without=compact-by-tiles", "--without=join-moves", "--force=mayalias"], ["compactions"])
# Strategies forced on loops that several of them could run.
STRATEGIES = ["search", "reduction", "position", "scan", "parallel", "histogram", "interchange", "wavefront", "phases", "serial", "host"]
CASES += itertools.product([f"--choose={strategy}" for strategy in STRATEGIES], ["loops/least_elements", "polybench/seidel_2d", "polybench/lu", "loops/histograms", "loops/running_totals", "loops/parallel", "loops/own_arrays"])
# With how many programs before it a version was compiled: `--quick` takes the first one.
NTHS = [[other for other, _ in CASES[:at]].count(version) for at, (version, _) in enumerate(CASES)]


@pytest.mark.sampled
@pytest.mark.parametrize(("version", "path", "nth"), [(version, ROOT / "tests/corpus" / f"{name}.py", nth) for (version, name), nth in zip(CASES, NTHS)], ids=lambda value: getattr(value, "stem", str(value)))
def test_the_version_gives_numpys_result(workshop, device, path, version, nth):
    program = corpus_format.read(path)
    halves = ("--host-only",) if device == "cpu" else ()
    compiled = workshop.module(path, (*program.flags, version, *halves))
    plain = load_plain(path)
    for run_line in program.runs:
        for way in ["host"] if device == "cpu" else ["host", "device"]:
            try:
                corpus_run.compare(compiled, plain, program, run_line, way)
            except AssertionError as difference:
                raise AssertionError(f"{path.name}:{run_line.line}: {run_line.text} ({way})\n{difference}") from None


def test_every_strategy_is_forced_once():
    refused = subprocess.run([compiler(), "compile", "--choose=nothing", "x.py"], capture_output=True, text=True).stderr
    assert refused.split("[possible values: ")[1].split("]")[0].split(", ") == STRATEGIES


def test_every_optional_pass_is_left_out_once():
    refused = subprocess.run([compiler(), "compile", "--without=nothing", "x.py"], capture_output=True, text=True).stderr
    optional = refused.split("[possible values: ")[1].split("]")[0].split(", ")
    assert {f"--without={name}" for name in optional} <= set(WITHOUT)
