"""How a process ends: whatever is alive then, its exit status is 0 and nothing is said. A forked child neither crashes nor frees."""

import pytest

from subprocesses import run_python

PROGRAM = """
#numptx export twice(float64[:])
#numptx export slow(float64[:], int)
def twice(x):
    return 2 * x
def slow(x, n):
    for i in range(n):
        x = 2 * x - x
    return x
"""

START = """
    import atexit, gc, os, sys, threading, time, numpy as np, numptx
    from compilation import load_compiled
    module = load_compiled(sys.argv[1])
    def on_gpu(n=5):
        return numptx.asarray(np.arange(float(n)), device="cuda")
    x = on_gpu()
    y = module.twice(x)
"""

# What is alive, or goes on, when the interpreter goes.
ENDINGS = {
    "nothing special": "del x, y",
    "globals": "",
    "a cycle": """
    cycle = [y]
    cycle.append(cycle)
    del cycle, x, y
    """,
    "an attribute of sys": "sys.numptx_keeps = [x, y, numptx.Stream(), numptx.Event()]",
    "a module": """
    import types
    sys.modules["keeper"] = types.ModuleType("keeper")
    sys.modules["keeper"].kept = x, y, module
    """,
    "an object with a destructor": """
    class Keeper:
        def __init__(self):
            self.array = module.twice(x)
        def __del__(self):
            self.array.to_host if self.array is not None else None
            del self.array
    keeper = Keeper()
    cycle = Keeper()
    cycle.own = cycle
    del cycle
    """,
    "a destructor that computes": """
    class Keeper:
        def __del__(self, call=module.twice, array=x):
            try:
                call(array)
            except RuntimeError:
                pass
    sys.keeper = Keeper()
    """,
    "a daemon thread with arrays": """
    def wait(kept):
        time.sleep(1000)
    threading.Thread(target=wait, args=([x, y],), daemon=True).start()
    """,
    "a daemon thread that computes": """
    def compute():
        while True:
            module.twice(on_gpu(1000)).to_host()
    threading.Thread(target=compute, daemon=True).start()
    time.sleep(0.1)
    """,
    "a daemon thread in a long call": """
    threading.Thread(target=module.slow, args=(on_gpu(100_000), 100_000), daemon=True).start()
    time.sleep(0.1)
    """,
    "a thread that is waited for": """
    def finish():
        time.sleep(0.2)
        assert module.twice(x).to_host()[4] == 8
    threading.Thread(target=finish).start()
    """,
    "a thread with the last reference": """
    event = threading.Event()
    def drop(kept):
        event.wait()
        kept.clear()
    thread = threading.Thread(target=drop, args=([x, y],))
    thread.start()
    del x, y
    event.set()
    """,
    "sys.exit": "sys.exit(0)",
    "sys.exit in a thread": """
    thread = threading.Thread(target=lambda: (module.twice(x), sys.exit(3)))
    thread.start()
    thread.join()
    """,
    "os._exit": "os._exit(0)",
    "work that nobody waited for": """
    for _ in range(100):
        y = module.twice(y)
    """,
    "an exit handler of before": "",
    "an exit handler that drops": "atexit.register(lambda kept: kept.clear(), [x, y])",
    "a stream in use": """
    stream = numptx.Stream()
    stream.__enter__()
    z = module.twice(x)
    """,
    "a graph": """
    with numptx.Graph() as graph:
        z = module.twice(x)
    graph.replay()
    """,
    "a capture that did not end": """
    graph = numptx.Graph()
    graph.__enter__()
    z = module.twice(x)
    """,
    "NumPy arrays over a copy": "host = y.to_host()[1:]",
    "tensors of DLPack": "capsules = [x.__dlpack__(stream=1), y.__dlpack__(stream=-1)]; host = np.from_dlpack(x, device='cpu')",
}


@pytest.fixture(scope="module")
def library(workshop):
    return str(workshop.library(workshop.written(PROGRAM)))


@pytest.fixture(params=["0", "1"], ids=["at once", "put off"])
def pace(request):
    """Whether the mock driver's streams put their work off. A real driver does not know the variable."""
    return {"NUMPTX_MOCK_DEFER": request.param, "NUMPTX_DEVICE": "auto"}


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_end_is_quiet(library, pace, ending):
    before = "    import atexit\n    kept = []\n    atexit.register(kept.clear)\n" if ending == "an exit handler of before" else ""
    after = "    kept.extend([x, y])\n" if before else ""
    body = "\n".join("    " + line.strip("\n") if not line.startswith("    ") else line for line in ENDINGS[ending].split("\n"))
    run_python(before + START + body + "\n" + after, library, environment=pace, quiet=True, timeout=60)


def test_daemon_threads_that_begin_at_the_end_say_nothing(library, pace):
    """The exit handler was there before the package, so that it runs after the package's own; the thread's call is refused a GPU."""
    before = """
    import atexit, threading, time
    begin = threading.Event()
    atexit.register(lambda: (begin.set(), time.sleep(0.3)))
"""
    body = """
    def compute():
        begin.wait()
        module.twice(on_gpu(1000)).to_host()
    threading.Thread(target=compute, daemon=True).start()
"""
    run_python(before.strip("\n") + "\n" + START + body, library, environment=pace, quiet=True, timeout=60)


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
