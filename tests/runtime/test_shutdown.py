"""How a process ends: whatever is alive then, its exit status is its own and nothing is said. A forked child neither crashes nor frees."""

import concurrent.futures
import functools
import os
import pathlib
import signal
import subprocess
import textwrap

import pytest

from endings import ENDINGS, MODULE, ON_ANOTHER_THREAD, Ending
from fixture_module import build_library
from subprocesses import interpreters, python_process, run_python

HERE = pathlib.Path(__file__).parent
START = textwrap.indent(Ending("").text(), "    ")
# Processes at a time: most of them sleep.
AT_A_TIME = 4


@pytest.fixture(scope="module")
def library(workshop):
    return str(workshop.library(workshop.written(MODULE)))


@pytest.fixture(params=["0", "1"], ids=["at once", "put off"])
def pace(request):
    """Whether the mock driver's streams put their work off. A real driver does not know the variable."""
    return {"NUMPTX_MOCK_DEFER": request.param, "NUMPTX_DEVICE": "auto"}


def endings():
    """Every ending: on every interpreter, those with a GPU at both paces, and some where another thread than the process's first runs Python."""
    for python in interpreters():
        for name, ending in ENDINGS.items():
            for defer in "01" if ending.gpu else "0":
                # The sample alternates paces, which are two ways of the mock driver.
                is_sample = ending.sample and (not ending.gpu or int(defer) == len(name) % 2)
                marks = () if is_sample else pytest.mark.long
                pace = ", put off" if defer == "1" else ""
                yield pytest.param((name, python, defer, False), id=f"{name}{pace}-{python}", marks=marks)
        for name in ON_ANOTHER_THREAD:
            marks = () if name == "globals" else pytest.mark.long
            yield pytest.param((name, python, "0", True), id=f"{name} on another thread-{python}", marks=marks)


@pytest.fixture(scope="module")
def run_ending(library, request, tmp_path_factory):
    """Runs the endings of this session side by side, from the first that is asked for on; gives how one went."""
    folder, inherited = tmp_path_factory.mktemp("preloaded"), dict(os.environ)

    @functools.cache
    def preloaded():
        return str(build_library(HERE / "on_another_thread.c", folder / "on_another_thread.so"))

    def run(name, python, defer, elsewhere):
        ending = ENDINGS[name]
        environment = {"NUMPTX_MOCK_DEFER": defer, "NUMPTX_DEVICE": "auto", **dict(ending.environment)}
        if elsewhere:
            environment["LD_PRELOAD"] = preloaded()
        run_python(ending.text(), library, environment=environment, quiet=True, timeout=60, status=ending.status, python=known[python], inherited=inherited)

    wanted = [item.callspec.params["ending"] for item in request.session.items if getattr(item, "function", None) is test_the_end_is_quiet]
    known = interpreters()
    if any(elsewhere for *_, elsewhere in wanted):
        preloaded()
    with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:
        begun = {ending: pool.submit(run, *ending) for ending in wanted}
        yield lambda ending: begun[ending].result()
        pool.shutdown(cancel_futures=True)


@pytest.mark.parametrize("ending", list(endings()))
def test_the_end_is_quiet(run_ending, ending):
    run_ending(ending)


def test_the_wait_at_the_end_is_ended_by_control_c(library):
    """The mock driver has more to do than the test waits for."""
    from cuda_driver import IS_MOCK

    if not IS_MOCK:
        pytest.skip("work that lasts is the mock driver's")
    ending = Ending("""
    z = on_gpu(8)
    for _ in range(1000):
        module.grind(z, 20_000_000)
    atexit.register(lambda: print("the end", flush=True))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    """)
    process = python_process(ending.text(), library, environment={"NUMPTX_MOCK_DEFER": "1"})
    with process:
        try:
            assert process.stdout.readline() == "the end\n"
            for _ in range(20):
                try:
                    process.wait(0.5)
                    break
                except subprocess.TimeoutExpired:
                    process.send_signal(signal.SIGINT)
            assert process.poll() == 0
            assert "KeyboardInterrupt" in process.stderr.read()
        finally:
            process.kill()


FORKS = {
    "drops its parent's arrays": """
        del x, y
        gc.collect()
    """,
    "drops everything else too": """
        del x, y, stream, event, graph, z
        gc.collect()
    """,
    "computes on the CPU": """
        assert module.twice(np.arange(3.0)).tolist() == [0, 2, 4]
    """,
    "is told to use spawn": """
        for attempt in [lambda: module.twice(x), lambda: on_gpu(), lambda: x.to_host(), lambda: numptx.Stream(), lambda: graph.replay()]:
            try:
                attempt()
            except RuntimeError as error:
                assert "before fork()" in str(error) or "not there" in str(error), error
            else:
                raise AssertionError("a forked child has no driver")
    """,
    "asks about everything": """
        numptx.memory_stats(), numptx.devices(), numptx.synchronize(), numptx.last_device(), repr(x), x.shape, numptx.trim("cpu")
    """,
    "ends as any process": """
        sys.exit(0)
    """,
}


@pytest.mark.parametrize("child", FORKS)
def test_a_forked_child(library, pace, child):
    text = START + """
    stream, event = numptx.Stream(), numptx.Event()
    event.record(stream)
    with numptx.Graph() as graph:
        z = module.twice(x)
    child = os.fork()
    if child == 0:
""" + FORKS[child] + """
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    graph.replay()
    assert z.to_host()[4] == y.to_host()[4] == 8.0
    """
    run_python(text, library, environment=pace, quiet=True, timeout=60)


def test_spawned_children_have_a_driver_of_their_own(library, pace):
    run_python(
        START + """
    import subprocess
    text = "; ".join([
        f"import sys; sys.argv[1:] = [{sys.argv[1]!r}]",
        "import numpy as np, numptx",
        "from compilation import load_compiled",
        "module = load_compiled(sys.argv[1])",
        "assert module.twice(numptx.asarray(np.arange(3.0), device='cuda')).to_host().tolist() == [0, 2, 4]",
    ])
    subprocess.run([sys.executable, "-c", text], check=True)
    """,
        library,
        environment=pace,
        quiet=True,
    )


def test_other_interpreters_of_the_process_are_refused(library):
    run_python(
        START + """
    try:
        import _interpreters as interpreters
    except ImportError:
        import _xxsubinterpreters as interpreters
    inner = interpreters.create()
    try:
        interpreters.run_string(inner, "try:\\n    import numptx\\nexcept ImportError:\\n    pass\\nelse:\\n    raise SystemExit(3)")
    except Exception as error:
        assert "3" not in str(error), error
    interpreters.destroy(inner)
    """,
        library,
        quiet=True,
    )


def test_after_the_driver_s_end_nothing_crashes(library, pace):
    """The driver may go before the interpreter: then every call of it fails, and frees are left alone."""
    run_python(
        START + """
    import ctypes
    from cuda_driver import IS_MOCK
    if IS_MOCK:
        ctypes.CDLL(os.environ["NUMPTX_LIBCUDA"]).numptx_mock_deinitialise()
        try:
            module.twice(x)
        except numptx.CudaError as error:
            assert "DEINITIALIZED" in str(error)
        else:
            raise AssertionError("the driver is gone")
    del x, y
    """,
        library,
        environment=pace,
        quiet=True,
    )


def test_the_caller_s_context_is_restored(library):
    """Two devices on the mock driver; with one, none at all and its own."""
    run_python(
        START + """
    from cuda_driver import Driver
    driver = Driver()
    for ordinal in range(len(numptx.devices()) - 1):
        with driver.context(ordinal):
            mine = driver.made("cuCtxGetCurrent")
            def unchanged(): assert driver.made("cuCtxGetCurrent") == mine
            z = module.twice(x); unchanged()
            z.to_host(); unchanged()
            del z; gc.collect(); unchanged()
            stream = numptx.Stream(); unchanged()
            with stream: w = module.twice(x)
            unchanged()
            event = stream.record(); event.synchronize(); unchanged()
            with numptx.Graph(device="cuda:0") as graph: w = module.twice(x)
            unchanged()
            graph.replay(); unchanged()
            del graph, stream, event, w; gc.collect(); unchanged()
            numptx.synchronize(); numptx.trim(); numptx.memory_stats(); unchanged()
    assert driver.made("cuCtxGetCurrent") is None
    """,
        library,
        environment={"NUMPTX_DEVICE": "auto", "NUMPTX_MOCK_DEVICES": "2"},
        quiet=True,
    )
