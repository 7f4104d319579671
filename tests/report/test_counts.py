"""What the report says of a call is what the runtime counts, for every run of the corpus that has a structure line."""

import json
import pathlib

import pytest

import corpus_format
import corpus_run
import sample
from compilation import load_compiled

CORPUS = pathlib.Path(__file__).resolve().parent.parent / "corpus"
# Newer NumPys discourage some functions.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
REPORTED = {"launches": "launches", "allocs": "allocations", "copies": "copies"}

# Programs of which nothing depends on data: their counts are numbers.
EXACT = ["saxpy", "exp_axpy", "softmax", "parallel", "horizontal_diffusion"]


def programs():
    """Corpus programs that a structure line counts."""
    paths = sorted(CORPUS.rglob("*.py"))
    return [path for path in paths if any(run.structure for run in corpus_format.read(path).runs)]


def counted(compiled, run, device):
    """What the runtime counts during a call, once it is warm; `None` where it raises."""
    import numptx

    for _ in range(2):
        name, arguments, keywords = run.arguments()
        if device == "cuda":
            arguments = corpus_run.Placed().to_device(arguments)
            if not any(isinstance(argument, numptx.Array) for argument in arguments):
                # Where no argument lives there, what is returned is copied to the host.
                return None
        before = numptx.memory_stats()
        result = corpus_run.outcome(getattr(compiled, name), arguments, keywords)
        after = numptx.memory_stats()
    return None if isinstance(result, Exception) else {key: after[n] - before[n] for key, n in corpus_format.COUNTED.items()}


@pytest.mark.parametrize("path", programs(), ids=lambda path: path.stem)
def test_counts_are_those_of_the_runtime(path, workshop, device, pytestconfig):
    program = corpus_format.read(path)
    library = workshop.library(path, sample.corpus_flags(path, program, pytestconfig))
    compiled = load_compiled(library)
    report = json.loads((library.parent / "report.json").read_text())
    as_told = {}
    for run in program.runs:
        found = counted(compiled, run, device) if run.structure else None
        if found is None:
            continue
        name = run.arguments()[0]
        versions = [version for version in report["versions"] if version["export"] == name]
        for key, reported in REPORTED.items():
            amounts = [version[reported] for version in versions]
            fits = [a for a in amounts if a["least"] <= found[key] and (a["most"] is None or found[key] <= a["most"])]
            assert fits, f"{run.text}: {found[key]} {key}, the report says {amounts}"
            if all(amount["text"].isdigit() for amount in amounts):
                is_told = str(found[key]) in {amount["text"] for amount in amounts}
                # A number is of calls for which what the version assumes is true.
                assert is_told or any(version["assumes"] for version in versions), f"{run.text}: {key} {found} {amounts}"
                as_told.setdefault((name, key), []).append(is_told)
    assert all(any(runs) for runs in as_told.values()), as_told
    assert as_told or path.stem not in EXACT
