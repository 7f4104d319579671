"""`bench/npbench.py` on a checkout that is made here: a few kernels in NPBench's layout, and a peer that is NumPy under another name."""

import json
import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest

from compilation import ROOT

sys.path.insert(0, str(ROOT / "bench"))

import npbench  # noqa: E402

INITIALIZE = """
import numpy as np

def initialize(N):
    return np.float32(0.5), np.arange(N * N, dtype=np.float64).reshape(N, N), np.ones(N, dtype=np.uint8)
"""

# Name, the NumPy source, the peer's source.
KERNELS = {
    "updates": ("def kernel(N, c, a, b):\n    a += c * N\n    return a.sum(), b[::-1]\n",) * 2,
    "refused": ("import numpy as np\n\ndef kernel(N, c, a, b):\n    return np.no_such_function(a)\n", ""),
    "dies": ("def kernel(N, c, a, b):\n    return a + 1\n", "import os\n\ndef kernel(N, c, a, b):\n    os.abort()\n"),
    "hangs": ("def kernel(N, c, a, b):\n    return a + 1\n", "import time\n\ndef kernel(N, c, a, b):\n    time.sleep(1000)\n"),
    "differs": ("def kernel(N, c, a, b):\n    return a + 1\n", "def kernel(N, c, a, b):\n    return a + 1.001\n"),
}

# What CuPy is to the runner, in memory of the host.
CUPY = """
from numpy import array, asarray as asnumpy, ndarray

class cuda:
    class Device:
        def synchronize(self):
            pass
"""


def checkout(folder):
    """A folder laid out as NPBench is."""
    (folder / "bench_info").mkdir()
    for name, (source, peer) in KERNELS.items():
        place = folder / "npbench" / "benchmarks" / "group" / name
        place.mkdir(parents=True)
        (place / f"{name}.py").write_text(INITIALIZE)
        (place / f"{name}_numpy.py").write_text(source)
        if peer:
            (place / f"{name}_cupy.py").write_text(peer)
        info = {
            "relative_path": f"group/{name}",
            "module_name": name,
            "func_name": "kernel",
            "parameters": {"S": {"N": 4}},
            "init": {"func_name": "initialize", "input_args": ["N"], "output_args": ["c", "a", "b"]},
            "input_args": ["N", "c", "a", "b"],
            "array_args": ["a", "b"],
            "output_args": ["a"] if name == "updates" else [],
        }
        (folder / "bench_info" / f"{name}.json").write_text(json.dumps({"benchmark": info}))
    return folder


def run_it(folder, device, *options):
    """`(status, what was printed, rows by kernel)`."""
    stub = folder / "stub"
    stub.mkdir(exist_ok=True)
    (stub / "cupy.py").write_text(textwrap.dedent(CUPY))
    paths = [str(stub), *filter(None, [os.environ.get("PYTHONPATH")])]
    command = [sys.executable, ROOT / "bench" / "npbench.py", "--npbench", folder, "--device", device, "--json", folder / "rows.json"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    done = subprocess.run([*command, *options], env=environment, capture_output=True, text=True, timeout=500)
    rows = json.loads((folder / "rows.json").read_text())["rows"] if (folder / "rows.json").exists() else []
    return done.returncode, done.stdout + done.stderr, {row["kernel"]: row for row in rows}


@pytest.fixture(scope="module")
def ran(tmp_path_factory, pytestconfig):
    folder = checkout(tmp_path_factory.mktemp("checkout"))
    compiled = ("--compiled", folder / "compiled")
    return folder, *run_it(folder, pytestconfig.getoption("--device"), "--peers", "cupy", "--limit", "12", *compiled)


def test_the_export_line_comes_from_the_arguments_and_the_source_stays(ran):
    folder = ran[0]
    text = (folder / "compiled" / "updates" / "updates_numpy.py").read_text()
    assert text == f"{KERNELS['updates'][0].rstrip()}\n\n\n#numptx export kernel(int, float32, float64[:, :], uint8[:])\n"


def test_what_compiles_is_validated_and_timed(ran, device):
    row = ran[3]["updates"]
    assert row["numptx"]["compiled"] and row["numptx"]["error"] < 1e-15 and row["numptx"]["seconds"] > 0
    assert row["numptx"]["ran_on"].startswith(device) and row["numpy"]["seconds"] > 0 and row["cupy"]["seconds"] > 0


def test_what_is_refused_has_the_code_and_the_first_line(ran):
    row = ran[3]["refused"]["numptx"]
    assert row == {"compiled": False, "code": "NPX0501", "problem": "`np.no_such_function` is not a function that numptx compiles"}
    assert "NPX0501: `np.no_such_function`" in ran[2]


def test_a_peer_that_dies_hangs_or_is_wrong_costs_its_own_time_only(ran):
    rows = ran[3]
    assert rows["dies"]["cupy"] == {"problem": "ended by SIGABRT"}
    assert rows["hangs"]["cupy"] == {"problem": "took more than 12 s"}
    assert rows["differs"]["cupy"]["problem"].startswith("wrong")
    assert all(rows[name]["numptx"]["error"] == 0 for name in ("dies", "hangs", "differs"))
    assert ran[1] == 0 and "5 kernels: 4 compiled, 4 of them validated" in ran[2]


def test_an_unknown_kernel_and_an_unknown_preset_are_named(tmp_path, device):
    folder = checkout(tmp_path)
    status, text, _ = run_it(folder, device, "--kernels", "updates", "--preset", "XXL")
    assert status == 0 and "no preset XXL" in text
    status, text, _ = run_it(folder, device, "--kernels", "nothing")
    assert status == 2 and "has no kernel nothing" in text


class Kernel:
    """A kernel with NPBench's usual tolerances."""

    info = {}


@pytest.mark.parametrize(
    ("found", "why"),
    [
        ([np.ones(3)], "1 results, NumPy gives 2"),
        ([np.ones(3), np.ones(2, dtype=np.float32)], "result 1 is float32"),
        ([np.ones(4), np.ones(2)], "result 0 is float64 (4,)"),
        ([np.ones(3), np.array([1.0, 1.1])], "result 1 has the error"),
        ([np.ones(3), np.array([1.0, np.nan])], "result 1 has the error"),
    ],
)
def test_results_that_are_not_numpys_are_told_apart(found, why):
    with pytest.raises(npbench.Failed, match="wrong") as raised:
        npbench.compare(Kernel, [np.ones(3), np.ones(2)], found)
    assert why in str(raised.value)


def test_equal_infinities_and_nans_are_no_error():
    values = [np.array([1.0, np.inf, -np.inf, np.nan]), np.array([True, False]), 3]
    assert npbench.compare(Kernel, values, values) == 0.0
