"""pytest: options, fixtures, and the corpus as tests.

    pytest tests                       on the CPU
    pytest tests --device cuda         the same on the GPU, with NumPy arrays and with arrays that live there
    pytest tests/corpus --large -k large
                                       `# large:` lines, too: on the CPU against plain Python, which takes minutes, on the GPU against the CPU
    pytest tests --quick               only the sample of what `make test-all` runs (tests/sample.py)
    pytest tests --compiled DIR        takes libraries compiled before from DIR where it has them
    pytest tests/corpus --parallel-threads 8
                                       with pytest-run-parallel: each call on eight threads at once
"""

import concurrent.futures
import faulthandler
import gc
import os
import pathlib
import threading

import numpy as np
import pytest

import corpus_format
import corpus_run
import mock_driver
import sample
import times
from compilation import Refused, Workshop, load_plain

HERE = pathlib.Path(__file__).parent
# Where each test compiles for itself, so that no other test waits for it.
COMPILE_FOR_THEMSELVES = ("device/test_ptxas.py", "report/test_counts.py", "forced/test_versions.py")


def pytest_addoption(parser):
    parser.addoption("--device", choices=["cpu", "cuda"], default="cpu", help="where compiled functions run")
    parser.addoption("--compiled", default=None, help="folder of libraries that were compiled before")
    parser.addoption("--large", action="store_true", help="calls of large sizes, too")
    parser.addoption("--both", action="store_true", help="compile the device's half where the CPU runs, too: a run with --device cuda takes it")
    parser.addoption("--quick", action="store_true", help="a fixed sample of programs where the whole takes long")


def pytest_configure(config):
    # Before the driver is opened: the mock driver plays three GPUs, the last of which has no memory pools.
    os.environ.setdefault("NUMPTX_MOCK_DEVICES", "3")
    os.environ.setdefault("NUMPTX_MOCK_POOLLESS", "2")
    # JAX takes three quarters of a GPU when it begins, and knows nothing of the mock driver's GPUs.
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    if config.getoption("--device") == "cpu" or "NUMPTX_LIBCUDA" in os.environ:
        os.environ.setdefault("JAX_PLATFORMS", "cpu")
    import numptx

    if times.FOLDER:
        config.pluginmanager.register(times.Times(times.FOLDER))
    mock_driver.watch_waits()
    if config.getoption("--device") == "cuda" and len(numptx.devices()) == 1:
        raise pytest.UsageError(f"--device cuda: {numptx._native.device_text('cuda')}")


def pytest_collection_modifyitems(config, items):
    """`--quick` leaves out what is not of the sample, of the tests that say so with `@pytest.mark.sampled`."""
    if config.getoption("--quick"):
        config.hook.pytest_deselected(items=[item for item in items if sample.is_left_out(item)])
        items[:] = [item for item in items if not sample.is_left_out(item)]


def pytest_collection_finish():
    """Tests that ask the garbage collector for its work do not pay for thousands of collected tests."""
    gc.collect()
    gc.freeze()


def pytest_sessionfinish(session):
    """With NUMPTX_DEBUG_MEMORY=1 in the environment, whatever was found wrong fails the run, also where no test looked."""
    import numptx

    violations = numptx.memory_stats()["violations"]
    if violations and session.exitstatus == pytest.ExitCode.OK:
        print(f"\n{violations} violations were reported in the debug mode of memory")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
    if mock_driver.violations() and session.exitstatus == pytest.ExitCode.OK:
        print(f"\n{mock_driver.violations()} violations were counted by the mock driver, which printed each")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(scope="session")
def workshop(tmp_path_factory, pytestconfig):
    """Compiles files (`module(path)`) and sources (`pair(text)` gives the compiled and the plain module)."""
    return Workshop(tmp_path_factory.mktemp("compiled"), pytestconfig.getoption("--compiled"), sample.processors(pytestconfig))


@pytest.fixture(scope="session")
def device(pytestconfig):
    """"cpu" or "cuda"."""
    return pytestconfig.getoption("--device")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    """A test that hangs ends its process with the stacks of all threads, and fails; the run goes on."""
    # Without `--quick` a fixture may compile the whole corpus first.
    faulthandler.dump_traceback_later(400 if item.config.getoption("--quick") else 1500, exit=True)
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()


@pytest.fixture(autouse=True)
def chosen_device(device):
    """Every test runs with the device chosen."""
    import numptx

    with numptx.device(device):
        yield


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """A file's tests stay on one worker, because they share what was compiled, but for files whose tests compile for themselves."""
    from xdist.scheduler import LoadFileScheduling

    class Scheduling(LoadFileScheduling):
        def _split_scope(self, nodeid):
            file = super()._split_scope(nodeid)
            return nodeid if file.endswith(COMPILE_FOR_THEMSELVES) else file

    return Scheduling(config, log) if config.getvalue("dist") == "loadfile" else None


def pytest_collect_file(parent, file_path):
    if HERE / "corpus" in file_path.parents and file_path.suffix == ".py":
        return CorpusFile.from_parent(parent, path=file_path)


class CorpusFile(pytest.File):
    """One program: a test a `# run:` line and way of passing arrays."""

    def collect(self):
        program = corpus_format.read(self.path)
        ways = ["host"] if self.config.getoption("--device") == "cpu" else ["host", "device"]
        if self.config.getoption("--quick") and "device" in ways and self.path.stem not in sample.PROGRAMS:
            return
        for run in filter(lambda run: run.is_for(np.__version__), program.runs):
            for way in ways if run.takes_arrays_alone() else ways[:1]:
                yield CorpusRun.from_parent(self, name=f"{run.line}-{way}", program=program, run_line=run, way=way)
        for run in program.larges if self.config.getoption("--large") else []:
            yield LargeRun.from_parent(self, name=f"{run.line}-large-{ways[-1]}", program=program, run_line=run, way=ways[-1])


class CorpusRun(pytest.Item):
    """One call, compiled and plain, with arguments of its own each."""

    # pytest-run-parallel leaves items of our own to us.
    _parallel_custom_item = True

    def __init__(self, *, program, run_line, way, **rest):
        super().__init__(**rest)
        self.program, self.run_line, self.way = program, run_line, way
        self.fixturenames = ["workshop"]
        # Newer NumPys discourage some functions.
        self.add_marker(pytest.mark.filterwarnings("ignore::DeprecationWarning"))

    def setup(self):
        self._workshop = workshop_of(self.session)

    def runtest(self):
        compiled = self._workshop.module(self.path, self.flags())
        plain = self.reference(compiled)
        threads = self.config.getoption("parallel_threads", 1)
        if threads in (1, "1"):
            return self.compare(compiled, plain)
        # Each thread has arguments of its own; counters are the process's, and are looked at by one thread only.
        threads = os.cpu_count() if threads == "auto" else int(threads)
        barrier = threading.Barrier(threads)
        with concurrent.futures.ThreadPoolExecutor(threads) as pool:
            calls = [pool.submit(lambda: (barrier.wait(), self.compare(compiled, plain, counts=False))) for _ in range(threads)]
        [call.result() for call in calls]

    def reference(self, compiled):
        """What the compiled module is compared with."""
        return load_plain(self.path)

    def compare(self, compiled, plain, counts=True):
        import numptx

        with numptx.device(self.config.getoption("--device")):
            corpus_run.compare(compiled, plain, self.program, self.run_line, self.way, counts)
            if counts and self.run_line.structure and self.way == self.natural_way():
                self.count(compiled)

    def flags(self):
        return sample.corpus_flags(self.path, self.program, self.config)

    def natural_way(self):
        """Where arrays are not moved by the call: on the CPU host arrays, on the GPU arrays that live there."""
        return "host" if self.config.getoption("--device") == "cpu" else "device"

    def count(self, compiled):
        import numptx

        name, arguments, keywords = self.run_line.arguments()
        if self.way == "device":
            arguments = corpus_run.Placed().to_device(arguments)
        numptx.reset_peak_memory()
        before = numptx.memory_stats()
        result = getattr(compiled, name)(*arguments, **keywords)
        after = numptx.memory_stats()
        del result
        found_of = {key: after[name] - before[name] for key, name in corpus_format.COUNTED.items()}
        found_of["peak"] = after["peak_bytes"] - before["live_bytes"]
        # Structure lines tell of what is chosen; a grid that is forced has scratch memory where none would be.
        uncounted = {"allocs", "peak"} if os.environ.get("NUMPTX_COOPERATIVE") == "grid" else set()
        for key, wanted in self.run_line.structure.items():
            if key in uncounted or key.startswith("device_") and self.way != "device":
                continue
            found = found_of[key.removeprefix("device_")]
            limit = int(wanted.lstrip("="))
            fits = found == limit if wanted.startswith("=") else found <= limit
            assert fits, f"{found} {key}, the structure line says {limit}"

    def repr_failure(self, excinfo, style=None):
        where = f"{self.path.name}:{self.run_line.line}: {self.run_line.text}"
        if isinstance(excinfo.value, (AssertionError, Refused)):
            return f"{where}\n{excinfo.value}"
        return f"{where}\n{super().repr_failure(excinfo, style)}"

    def reportinfo(self):
        return self.path, self.run_line.line - 1, f"{self.path.stem}: {self.run_line.text} ({self.way})"


class LargeRun(CorpusRun):
    """A call of a size that takes Python long. On a GPU the reference is the CPU's half of the library, which `--large` compares with Python elsewhere."""

    def reference(self, compiled):
        return super().reference(compiled) if self.way == "host" else corpus_run.OnHost(compiled)


def workshop_of(session):
    """The session's workshop, for items that are no functions and so have no fixtures."""
    if not hasattr(session, "numptx_workshop"):
        folder = session.config._tmp_path_factory.mktemp("corpus")
        session.numptx_workshop = Workshop(folder, session.config.getoption("--compiled"), sample.processors(session.config))
    return session.numptx_workshop
