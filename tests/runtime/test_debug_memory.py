"""NUMPTX_DEBUG_MEMORY=1: faults planted in a compiled module are refused and reported, and nothing ends the process."""

import pytest

from fixture_module import build_fixture, interface_version
from subprocesses import run_python

ON = {"NUMPTX_DEBUG_MEMORY": "1"}

RUN = """
import sys, numpy as np, numptx
from compilation import load_compiled
fixture = load_compiled(sys.argv[1])
x = np.arange(5.0)
mine = numptx.asarray(x)
try:
    {call}
except Exception as error:
    print(type(error).__name__, error)
np.testing.assert_array_equal(x, np.arange(5.0))
for _ in range({again}):
    np.testing.assert_array_equal(fixture.first(x), 0.0)
print("violations", numptx.memory_stats()["violations"], "live", numptx.memory_stats()["live_buffers"])
"""

# The planted fault, the call that has it, what is reported, and how much the mode counts (leaks are the accounts' affair).
FAULTS = [
    ("RELEASE_TWICE", "fixture.axpy(2.0, x, x)", "RuntimeError numptx: memory: release of a buffer that is free: buffer", 1),
    ("USE_THE_FREED", "fixture.axpy(2.0, x, x)", "RuntimeError numptx: memory: use of a buffer that is free: buffer", 1),
    ("WRITE_PAST_THE_END", "fixture.axpy(2.0, x, x)", "RuntimeError numptx: memory: written 1 bytes after the elements of buffer", 1),
    ("LEAK_A_BUFFER", "fixture.tail(mine)", "RuntimeError `tail(float64[:])` did not balance its references: 1 buffers too many", 0),
    ("LEAK_ON_ERROR", "fixture.axpy(2.0, x, x[1:])", "RuntimeError `axpy(float, float64[:], float64[:])` did not balance its references", 0),
]


@pytest.mark.parametrize("fault, call, report, counted", FAULTS, ids=[fault for fault, *_ in FAULTS])
def test_a_planted_fault_is_reported(fault, call, report, counted, tmp_path):
    library = build_fixture(tmp_path, interface_version(), fault)
    said = run_python(RUN.format(call=call, again=3), str(library), environment=ON)
    assert said.startswith(report), said
    kept = 1 if fault.startswith("LEAK") else 0
    assert said.endswith(f"violations {counted} live {kept}\n"), said


def test_the_report_tells_which_buffer_where_it_was_made_and_freed(tmp_path):
    library = build_fixture(tmp_path, interface_version(), "RELEASE_TWICE")
    said = run_python(RUN.format(call="fixture.axpy(2.0, x, x)", again=0), str(library), environment=ON)
    call = "call 1, of `axpy(float, float64[:], float64[:])`"
    assert f"(40 bytes on the CPU, made in {call}, freed in {call}); now in {call}; this is a bug of numptx" in said


def test_without_the_mode_nothing_is_looked_at(fixture_library):
    said = run_python(RUN.format(call="fixture.axpy(2.0, x, x)", again=1), str(fixture_library))
    assert said == "violations 0 live 0\n"


def test_a_right_module_runs_in_the_mode_and_the_audit_at_the_end_says_nothing(fixture_library):
    said = run_python(
        """
        import sys, os, numpy as np, numptx
        os.dup2(1, 2)
        from compilation import load_compiled
        fixture = load_compiled(sys.argv[1])
        for n in (0, 1, 7, 100_000):
            x = np.arange(float(n))
            kept = [fixture.axpy(2.0, x, x) for _ in range(5)]
            np.testing.assert_array_equal(kept[3], 3 * x)
            mine = numptx.asarray(x)
            views = [fixture.tail(mine), fixture.same(mine), np.from_dlpack(fixture.tail(mine))]
            fixture.scale(kept[0], 2.0)
        """,
        str(fixture_library),
        environment=ON,
    )
    assert said == ""


def test_a_write_into_freed_memory_is_found_when_the_process_ends():
    said = run_python(
        """
        import os, ctypes, numpy as np, numptx
        os.dup2(1, 2)
        array = numptx.asarray(np.arange(4.0)).to("cpu")
        copy = numptx.asarray([np.arange(4.0)])
        fresh = np.from_dlpack(copy, copy=True)
        address = fresh.__array_interface__["data"][0]
        del fresh
        ctypes.memset(address + 9, 1, 1)
        """,
        environment=ON,
    )
    assert "written after it was freed, at byte 9: buffer" in said
