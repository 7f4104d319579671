"""Numbers of threads: results do not depend on them, nor on who computes. And what processes do while the pool's threads work or sleep."""

import functools
import json
import os
import pathlib
import subprocess
import sys

import pytest

import corpus_format
import sample
from compilation import ROOT, spent
from fixture_module import build_library
from subprocesses import HERE, run_python

# On a device other code computes.
pytestmark = pytest.mark.long("cuda")

COUNTS = [2, 7, 64]
STATES = {"as it begins": (0, 0), "upwards": (1, 0), "denormals are zero": (0, 1)}
MORE_STATES = {**STATES, "downwards": (2, 0), "towards zero, denormals are zero": (3, 1)}
CORPUS = sorted((ROOT / "tests" / "corpus").rglob("*.py"))

SOURCE = '''"""What rounding and denormals decide, of more elements than one thread takes alone."""
import math
import numpy as np

#numptx export quotients(float64[:])
# run: quotients(random(300_001))
def quotients(x):
    return x / 3.0

#numptx export halves(float64[:])
# run: halves(random(300_001) * 2.0**-1022)
def halves(x):
    return x * 0.5

#numptx export singles(float32[:])
# run: singles(random(300_001, float32) * np.float32(2.0**-126))
def singles(x):
    return x * np.float32(0.5)

#numptx export total(float64[:])
# run: total(random(1_000_003))
def total(x):
    return np.sum(x)

#numptx export rows(float64[:,:])
# run: rows(random((1000, 301)))
def rows(x):
    return np.sum(x, axis=1), np.sum(x, axis=0)

#numptx export running(float64[:])
# run: running(random(300_001))
def running(x):
    return np.cumsum(x)

#numptx export waves(float64[:])
# run: waves(random(300_001))
def waves(x):
    return np.sin(x) * np.exp(-x)

#numptx export strides(float64[:,:])
# run: strides(random((3, 200_002))[:, ::2])
def strides(x):
    return x / 7.0

#numptx export series(float64[:], int)
# run: series(random(20_000), 50)
def series(x, n):
    y = np.empty_like(x)
    for i in range(x.shape[0]):
        s = 0.0
        for j in range(n):
            s += x[i] / (j + 3)
        y[i] = s
    return y

#numptx export nests(float64[:,:])
# run: nests(random((9, 137)))
# run: nests(random((3, 1001)))
# run: nests(random((40, 3)))
# run: nests(random((5, 65)))
def nests(x):
    y = np.empty_like(x)
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            y[i, j] = math.sin(x[i, j] * i) + math.exp(x[i, j] * j)
    return y

#numptx export columns(float64[:,:])
# run: columns(random((50, 65)))
# run: columns(random((50, 321)))
def columns(x):
    y = np.zeros(x.shape[1], np.int64)
    for j in range(x.shape[1]):
        for k in range(x.shape[0]):
            y[j] += np.int64(math.exp(x[k, j]) * 1e12)
    return y

#numptx export triples(float64[:,:])
# run: triples(random((1001, 3)))
def triples(x):
    y = np.zeros(x.shape[0])
    for i in range(x.shape[0]):
        for c in range(3):
            y[i] += math.exp(x[i, c]) * math.sin(0.01 * i)
    return y

#numptx export grind(float64[:], int)
# run: grind(random(2000), 100)
def grind(x, n):
    for i in range(x.shape[0]):
        s = 0.0
        for j in range(n):
            s += (x[i] + j) * 0.5
        x[i] = s
'''


@pytest.fixture(scope="module")
def helper(tmp_path_factory):
    """The library that sets a thread's floating-point state."""
    return build_library(pathlib.Path(__file__).with_name("floating_state.c"), tmp_path_factory.mktemp("state") / "state.so")


@pytest.fixture(scope="module")
def library(workshop):
    return workshop.library(workshop.written(SOURCE, "rounded"))


def bits_of_runs(threads, programs, states, helper, folder, share="always"):
    """What programs give with so many threads; by default all work is shared that can be cut, however small."""
    jobs, out = folder / f"jobs-{threads}.json", folder / f"bits-{threads}.json"
    jobs.write_text(json.dumps({"helper": str(helper), "states": states, "programs": programs}))
    environment = {
        **os.environ,
        "NUMPTX_NUM_THREADS": str(threads),
        "NUMPTX_SHARE": share,
        "NUMPTX_DEVICE": "cpu",
        "PYTHONPATH": os.pathsep.join([str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])]),
    }
    command = [sys.executable, "-W", "ignore", str(HERE / "runtime" / "bits_of_runs.py"), str(jobs), str(out)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=1200)
    assert done.returncode == 0, f"{threads} threads: exit status {done.returncode}\n{done.stdout}{done.stderr}"
    found = json.loads(out.read_text())
    spent.running.update({pathlib.Path(source): seconds for source, seconds in found["seconds"].items()})
    return found["bits"]


def assert_same_bits(one, many, threads):
    differing = [run for run in one if many[run] != one[run]]
    assert not differing, f"{threads} threads give other bits than one: {', '.join(differing)}"
    assert many.keys() == one.keys()


@pytest.fixture(scope="module")
def bits_of_corpus(request, workshop, helper, tmp_path_factory):
    """By number of threads: what the programs give that are tested in this session. Each number is one process."""
    name = test_the_corpus_gives_the_same_bits_with_any_number_of_threads.__name__
    programs = []
    for path in [item.callspec.params["path"] for item in request.session.items if getattr(item, "originalname", None) == name]:
        flags = sample.corpus_flags(path, corpus_format.read(path), request.config)
        programs.append((str(workshop.library(path, flags)), str(path)))
    folder = tmp_path_factory.mktemp("bits")
    return functools.cache(lambda threads: bits_of_runs(threads, programs, STATES, helper, folder))


@pytest.mark.sampled
@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_the_corpus_gives_the_same_bits_with_any_number_of_threads(path, bits_of_corpus):
    """Also where the caller rounds upwards, or takes denormals for zero."""
    one = bits_of_corpus(1)[str(path)]
    for threads in COUNTS:
        assert_same_bits(one, bits_of_corpus(threads)[str(path)], threads)


@pytest.mark.parametrize("share", ["always", "where it pays"])
def test_workers_round_and_treat_denormals_as_the_caller_does(share, library, helper, workshop, tmp_path):
    """Each state gives bits of its own, and any number of threads gives these."""
    source = workshop.written(SOURCE, "rounded")
    found = {}
    for threads in [1, *COUNTS]:
        found[threads] = bits_of_runs(threads, [(str(library), str(source))], MORE_STATES, helper, tmp_path, share)[str(source)]
        assert_same_bits(found[1], found[threads], threads)
    lines = {key.partition(",")[0] for key in found[1]}
    usual = {line: found[1][f"{line}, as it begins"] for line in lines}
    for state in list(MORE_STATES)[1:]:
        assert any(found[1][f"{line}, {state}"] != usual[line] for line in lines), f"{state} changes nothing"


FORK = """
import os, signal, sys, numpy as np, numptx
from compilation import load_compiled
kernels = load_compiled(sys.argv[1])
x, children = np.ones(4096), []
def fork(*_):
    if (x == 1).any() and (x != 1).any():
        # A child that hangs is ended, and seen.
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        children.append(os.fork())
        signal.alarm(0 if children[0] else 20)
signal.signal(signal.SIGALRM, fork)
# Longer launches until the signal comes in the middle of one: how long one takes is the machine's.
for n in (1_000_000, 4_000_000, 16_000_000, 64_000_000):
    x[:] = 1
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    kernels.grind(x, n)
    assert (x == (n + n * (n - 1) / 2) / 2).all()
    if children:
        break
assert children, "no signal came in the middle of a launch"
y = np.arange(1_000_000.0)
assert np.array_equal(kernels.halves(y), y / 2)
if children[0]:
    assert os.waitstatus_to_exitcode(os.waitpid(children[0], 0)[1]) == 0
"""


def test_a_child_that_a_signal_handler_forks_in_a_launch_ends_it(library):
    """The parent's workers are not there in the child: none of them is in the middle of a range when the fork is made."""
    run_python(FORK, str(library), environment={"NUMPTX_NUM_THREADS": "4"}, quiet=True)


@pytest.mark.parametrize("share", ["always", "where it pays"])
def test_calls_of_many_threads_share_the_pool(share, library):
    run_python(
        """
        import concurrent.futures, sys, numpy as np
        from compilation import load_compiled
        kernels = load_compiled(sys.argv[1])
        def call(k):
            x = np.arange(40_000.0 + k)
            for _ in range(10):
                assert np.array_equal(kernels.quotients(x), x / 3.0) and kernels.total(x) == x.size * (x.size - 1) / 2
        with concurrent.futures.ThreadPoolExecutor(40) as pool:
            list(pool.map(call, range(80)))
        """,
        str(library),
        environment={"NUMPTX_NUM_THREADS": "7", "NUMPTX_SHARE": share},
    )


@pytest.mark.parametrize("end", ["", "sys.exit(0)", "os._exit(0)"])
@pytest.mark.parametrize("beside", ["asleep", "at work"])
def test_a_process_ends_while_its_workers_are(beside, end, library):
    run_python(
        """
        import os, sys, threading, time, numpy as np
        from compilation import load_compiled
        kernels = load_compiled(sys.argv[1])
        kernels.grind(np.ones(4096), 5000)
        if sys.argv[2] == "at work":
            threading.Thread(target=kernels.grind, args=(np.ones(1 << 20), 1_000_000), daemon=True).start()
            time.sleep(0.05)
        exec(sys.argv[3])
        """,
        str(library),
        beside,
        end,
        environment={"NUMPTX_NUM_THREADS": "4", "NUMPTX_DEVICE": "cpu"},
        quiet=True,
        timeout=60,
    )


def test_a_launch_needs_no_thread_but_its_caller_s(library):
    """Where the system gives no further thread, the caller computes all."""
    run_python(
        """
        import os, resource, sys, numpy as np
        from compilation import load_compiled
        kernels = load_compiled(sys.argv[1])
        x, n = np.ones(4096), 5000
        pages, others = int(open("/proc/self/statm").read().split()[0]), len(os.listdir("/proc/self/task"))
        # Room for a stack or two.
        resource.setrlimit(resource.RLIMIT_AS, (pages * os.sysconf("SC_PAGE_SIZE") + (4 << 20), -1))
        kernels.grind(x, n)
        resource.setrlimit(resource.RLIMIT_AS, (-1, -1))
        assert (x == (n + n * (n - 1) / 2) / 2).all()
        assert len(os.listdir("/proc/self/task")) < others + 8
        """,
        str(library),
        environment={"NUMPTX_NUM_THREADS": "64"},
    )
