"""What the report says of the phases of loops that are one kernel: how often its threads wait for each other in an iteration."""

import json
import pathlib

import pytest

import corpus_format
import sample

CORPUS = pathlib.Path(__file__).resolve().parent.parent / "corpus" / "loops"


@pytest.fixture(scope="module")
def kernels(workshop, pytestconfig):
    """The kernels of a corpus program that wait, by their names."""
    made = {}

    def of(program):
        if program not in made:
            path = CORPUS / f"{program}.py"
            library = workshop.library(path, sample.corpus_flags(path, corpus_format.read(path), pytestconfig))
            report = json.loads((library.parent / "report.json").read_text())
            made[program] = {k["name"]: k["phases"] for k in report["kernels"] if "phases" in k}
        return made[program]

    return of


@pytest.mark.parametrize(
    ("function", "waits"),
    [
        # The steps of all bodies; a copy of the last row, which may be the first; the first.
        ("drift", 3),
        # Three products; what is added; the total.
        ("columns_of_sums", 3),
        ("by_rows", 1),
        # The root's sum; the row; the next column's sum.
        ("told", 3),
    ],
)
def test_steps_of_the_same_points_are_one(kernels, function, waits):
    phases = kernels("merged_steps")[f"{function}_0_k{int(function == 'columns_of_sums')}"]
    assert [loop["waits"] for loop in phases["loops"]] == [waits]


def test_loops_in_loops_have_phases_of_their_own(kernels):
    found = kernels("one_launch").values()
    assert found and all(set(phases) == {"waits", "loops"} for phases in found)
