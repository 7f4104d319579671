"""What goes with a thread, with a graph, and with an object that is let go; and that a clean-up which fails is said. On the mock driver, which counts and fails on demand."""

import contextlib
import ctypes
import gc
import os
import threading
import time
import warnings
import weakref

import numpy as np
import pytest

import numptx
from cuda_driver import OtherStream
from other_libraries import Family, InterfaceOnly
from subprocesses import run_python

PROGRAM = """
#numptx export twice(float64[:])
#numptx export increase(float64[:])
def twice(x):
    return 2 * x
def increase(x):
    x += 1
"""

pytestmark = pytest.mark.thread_unsafe(reason="counts what is alive in the process")


@pytest.fixture(scope="module")
def compiled(workshop):
    return workshop.pair(PROGRAM)[0]


@pytest.fixture(autouse=True)
def on_device():
    gc.collect()
    with numptx.device("auto"), warnings.catch_warnings():
        warnings.simplefilter("error", numptx.CudaWarning)
        yield


def on_gpu(values):
    return numptx.asarray(np.array(values, float), device="cuda")


def in_thread(work):
    failed = []

    def run():
        try:
            work()
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if failed:
        raise failed[0]


def wait_until(done, seconds=30):
    """Waits without a call of numptx's."""
    limit = time.monotonic() + seconds
    while not done() and time.monotonic() < limit:
        time.sleep(0.001)
    assert done()


class Named:
    """A stream of another library, as it names it."""

    def __init__(self, driver):
        self.other = OtherStream(driver)
        self.ptr = self.other.ptr


def test_a_thread_s_stream_of_another_library_goes_with_the_thread(compiled, driver):
    x, seen = np.arange(4.0), []

    def use():
        stream = Named(driver)
        seen.append(weakref.ref(stream))
        library.current[0] = stream
        assert family.elements(compiled.twice(family.make(x))).tolist() == [0, 2, 4, 6]
        library.current[0] = None

    with Family("cupy", "cuda") as family:
        library = family.library
        library.current = [None]
        library.cuda = type("cuda", (), {"get_current_stream": lambda: library.current[0]})
        for _ in range(20):
            in_thread(use)
        gc.collect()
        assert [stream() for stream in seen] == [None] * 20


def test_a_thread_s_blocks_go_with_the_thread(compiled, driver):
    streams, before = [], driver.count("live_streams")

    def enter():
        stream = numptx.Stream()
        streams.append(weakref.ref(stream))
        stream.__enter__()
        compiled.twice(on_gpu([1, 2]))

    for _ in range(5):
        in_thread(enter)
    gc.collect()
    assert [stream() for stream in streams] == [None] * 5 and driver.count("live_streams") == before
    assert numptx.current_stream() is None


def test_what_another_library_s_graph_kept_goes_without_a_call(compiled, driver):
    owner = np.arange(1000.0)
    gone = weakref.ref(owner)
    x = numptx.asarray(owner)
    stream = OtherStream(driver)
    numptx.trim()
    before = driver.count("live_allocations"), driver.count("live_pinned")
    with stream.capture() as graph, numptx.Stream(stream):
        y = compiled.twice(on_gpu(np.zeros(100_000)))
        compiled.twice(x)
    del y, x, owner
    numptx.synchronize()
    assert driver.count("live_allocations") > before[0]
    graph.launch(stream)
    graph.destroy()
    wait_until(lambda: driver.count("live_allocations") <= before[0] and driver.count("live_pinned") <= before[1])
    wait_until(lambda: gone() is None)


def test_owners_that_a_graph_kept_go_without_a_call(compiled, driver):
    """As tensors of PyTorch, which want the interpreter."""
    stream, array = OtherStream(driver), InterfaceOnly(on_gpu(np.arange(4)))
    gone = weakref.ref(array)
    with stream.capture() as graph, numptx.Stream(stream):
        compiled.increase(array)
    del array
    gc.collect()
    assert gone() is not None
    graph.destroy()
    wait_until(lambda: gone() is None)


def test_memory_that_is_let_go_during_a_capture_goes_when_that_ends(compiled, driver):
    stream = numptx.Stream()
    with stream:
        x = on_gpu(np.zeros(300_000))
        compiled.increase(x)
    numptx.trim()
    before = driver.count("live_allocations")
    other = OtherStream(driver)
    with other.capture("relaxed"):
        with numptx.Stream(other):
            compiled.increase(x)
        del x
    # The graph has it; it goes with the graph.
    assert driver.count("live_allocations") == before


def put_off_free(compiled, driver, stream):
    """Memory is let go while its stream is captured, so that a thread of the runtime frees it."""
    with stream:
        x = compiled.twice(on_gpu(np.zeros(300_000)))
    stream.synchronize()
    with driver.context():
        driver.cuStreamBeginCapture_v2(ctypes.c_void_p(stream.handle), 2)
    del x
    gc.collect()


def end_capture(driver, stream):
    graph = ctypes.c_void_p()
    with driver.context():
        driver.cuStreamEndCapture(ctypes.c_void_p(stream.handle), ctypes.byref(graph))
        driver.cuGraphDestroy(graph)


def test_frees_that_were_put_off_are_done_without_a_call(compiled, driver):
    stream = numptx.Stream()
    numptx.trim()
    before = driver.count("live_allocations")
    put_off_free(compiled, driver, stream)
    assert driver.count("live_allocations") > before
    end_capture(driver, stream)
    wait_until(lambda: driver.count("live_allocations") <= before)


def test_frees_that_cannot_be_done_yet_are_tried_ever_more_rarely(compiled, driver):
    stream = numptx.Stream()
    put_off_free(compiled, driver, stream)
    before = driver.count("calls")
    wait_until(lambda: driver.count("calls") > before)
    time.sleep(0.3)
    asked = driver.count("calls") - before
    end_capture(driver, stream)
    # After 10, 20, 40, 80 and 160 ms, with some questions each.
    assert asked < 200, asked


def test_a_capture_that_begins_while_memory_is_freed_on_its_stream_is_its_own(compiled, driver):
    """The runtime's thread frees in the stream's order: before the capture begins."""
    stream, w = numptx.Stream(), on_gpu([0, 0])
    graph = numptx.Graph(stream)
    numptx.trim()
    before = driver.count("live_allocations")
    put_off_free(compiled, driver, stream)
    driver.delay("cuMemFreeAsync", 0.4)
    try:
        end_capture(driver, stream)
        # By now the thread is in the midst of the call; others take no time.
        time.sleep(0.1)
    finally:
        driver.delay("cuMemFreeAsync", 0)
    with graph:
        compiled.increase(w)
        time.sleep(0.5)
    # That it could not be freed would be an error here.
    numptx.synchronize()
    assert driver.count("live_allocations") <= before
    graph.replay()
    assert w.to_host().tolist() == [1, 1]


START = """
    import atexit, ctypes, gc, os, sys, threading, time
    late = []
    # After the end's wait for GPUs, whose handler comes with the import.
    atexit.register(lambda: [thread.join() for thread in late])
    import numpy as np, numptx
    from compilation import load_compiled
    from cuda_driver import Driver, OtherStream
    module, driver = load_compiled(sys.argv[1]), Driver()
    x = numptx.asarray(np.zeros(100_000), device="cuda")
    module.twice(x)
    def threads():
        return len(os.listdir("/proc/self/task"))
    def captured(seconds=0):
        with stream.capture() as graph, numptx.Stream(stream):
            time.sleep(seconds)
            module.twice(x)
        return graph
    stream = OtherStream(driver)
"""


def test_the_thread_that_catches_up_starts_when_it_is_needed(compiled):
    run_python(START + """
    before = threads()
    graph = captured()
    assert threads() == before + 1, (before, threads())
    for _ in range(3):
        captured()
    assert threads() == before + 1
    # It takes no signals.
    names = {}
    # A thread names itself when it begins.
    while "numptx-later" not in names:
        for task in os.listdir("/proc/self/task"):
            status = dict(line.split(":", 1) for line in open(f"/proc/self/task/{task}/status").read().splitlines())
            names[status["Name"].strip()] = int(status["SigBlk"], 16)
    assert names["numptx-later"] & (1 << 1), names
    """, compiled.__file__, quiet=True)


ENDS = {
    "a graph that is alive": "",
    "a graph that goes at the end": "    graph.destroy()",
    "owners that take long": """
    class Slow:
        def __init__(self, array):
            self.__cuda_array_interface__, self.array = dict(array.__cuda_array_interface__, stream=None), array
        def __del__(self):
            time.sleep(0.2)
    slow = Slow(x)
    with stream.capture() as other, numptx.Stream(stream):
        module.twice(slow)
    del slow
    other.destroy()
    """,
    "an exit without the interpreter's end": "    graph.destroy(); os._exit(0)",
    "an exit of the C library": "    graph.destroy(); ctypes.CDLL(None).exit(0)",
    "a forked child": """
    graph.destroy()
    if os.fork() == 0:
        assert module.twice(np.ones(3)).tolist() == [2, 2, 2]
        gc.collect()
        sys.exit(0)
    assert os.wait()[1] == 0
    """,
    "a daemon thread that captures": """
    def work():
        while True:
            captured().destroy()
    threading.Thread(target=work, daemon=True).start()
    time.sleep(0.05)
    """,
    # The end marks the work of each stream, of which there are few: one of these captures begins while its own is marked.
    **{f"a capture that begins with mark {n} of the end": f"""
    before, limit = driver.count("events"), time.monotonic() + 1
    def work():
        while driver.count("events") < before + {n} and time.monotonic() < limit:
            time.sleep(0.001)
        captured(0.2).destroy()
    driver.library.numptx_mock_delay(b"cuEventRecord", ctypes.c_uint64(50_000))
    late.append(threading.Thread(target=work, daemon=True))
    late[0].start()
    """ for n in (1, 2, 3)},
}


@pytest.mark.parametrize("end", ENDS)
def test_a_process_whose_graphs_go_ends_quietly(compiled, end):
    run_python(START + "    graph = captured()\n" + ENDS[end], compiled.__file__, quiet=True, timeout=60)


FAILING = {
    "cuMemFreeAsync": lambda compiled: on_gpu(np.zeros(300_000)),
    "cuStreamDestroy": lambda compiled: numptx.Stream(),
    "cuEventDestroy": lambda compiled: numptx.Event(),
    "cuGraphExecDestroy": lambda compiled: recorded(compiled),
}


def recorded(compiled):
    x = on_gpu([1, 2, 3])
    with numptx.Graph() as graph:
        compiled.increase(x)
    return graph


@contextlib.contextmanager
def failing(driver, name, code=1):
    driver.fail_call(name, 0, code)
    yield
    driver.fail_call("", -1, 0)


@pytest.mark.parametrize("name", FAILING)
@pytest.mark.parametrize("way", ["goes", "is closed"])
def test_a_clean_up_that_fails_is_said_at_the_next_call(compiled, driver, name, way):
    thing = FAILING[name](compiled)
    numptx.synchronize()
    with failing(driver, name):
        if way == "goes":
            del thing
            gc.collect()
        else:
            thing.close()
    with pytest.warns(numptx.CudaWarning, match=f"clean-up failed.*{name.split('_')[0]}: CUDA_ERROR_INVALID_VALUE") as said:
        numptx.synchronize()
    assert len(said) == 1 and issubclass(numptx.CudaWarning, RuntimeWarning) and said[0].filename == __file__
    numptx.synchronize()
    compiled.twice(on_gpu([1, 2]))


@pytest.mark.parametrize("call", ["a compiled function", "asarray", "memory_stats", "synchronize", "a stream's"])
def test_every_kind_of_call_tells(compiled, driver, call):
    x, thing, stream = on_gpu([1, 2]), numptx.Event(), numptx.Stream()
    calls = {
        "a compiled function": lambda: compiled.twice(x),
        "asarray": lambda: numptx.asarray(np.zeros(2)),
        "memory_stats": numptx.memory_stats,
        "synchronize": numptx.synchronize,
        "a stream's": stream.synchronize,
    }
    with failing(driver, "cuEventDestroy"):
        thing.close()
    # As an error, before anything was done.
    with pytest.raises(numptx.CudaWarning, match="cuEventDestroy"):
        calls[call]()
    calls[call]()


def test_many_failures_are_counted(compiled, driver):
    for _ in range(70):
        event = numptx.Event()
        with failing(driver, "cuEventDestroy"):
            event.close()
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        numptx.synchronize()
    assert len(said) == 65 and str(said[-1].message) == "6 more clean-ups failed"


def test_closed_things_of_a_gpu_are_given_back_at_once(compiled, driver):
    names = ["live_streams", "live_events", "live_execs", "live_objects"]
    numptx.trim()

    def counts():
        return [driver.count(name) for name in names]

    before = counts()
    stream, event, graph = numptx.Stream(), numptx.Event(), recorded(compiled)
    held = counts()
    assert held > before
    for thing in (graph, stream, event):
        assert not thing.closed
        thing.close()
        thing.close()
        assert thing.closed and repr(thing).endswith("closed>")
    assert counts() == before
    for use in (stream.synchronize, stream.record, stream.__enter__, stream.__cuda_stream__, event.record, event.synchronize, graph.replay, graph.__enter__):
        with pytest.raises(ValueError, match="was closed"):
            use()
    for use in (lambda: stream.handle, lambda: stream.done, lambda: event.done, lambda: graph.nodes, lambda: graph.stream, lambda: stream.wait(event)):
        with pytest.raises(ValueError, match="was closed"):
            use()
    with pytest.raises(ValueError, match="was closed"):
        numptx.Event().record(stream)
    with pytest.raises(ValueError, match="was closed"):
        numptx.Graph(stream)
    assert stream != numptx.Stream() and stream == stream and hash(stream) == hash(stream)


def test_a_block_outlives_its_stream_s_closing(compiled, driver):
    before = driver.count("live_streams")
    stream = numptx.Stream()
    with stream:
        stream.close()
        assert driver.count("live_streams") == before + 1
        assert compiled.twice(on_gpu([1, 2])).to_host().tolist() == [2, 4]
        with numptx.Stream():
            pass
        assert numptx.current_stream() is stream
    gc.collect()
    assert driver.count("live_streams") == before


def test_a_block_outlives_its_graph_s_closing(compiled, driver):
    x, graph = on_gpu([1, 2]), numptx.Graph()
    with graph:
        compiled.increase(x)
        graph.close()
        compiled.increase(x)
    assert not numptx.current_stream() and x.to_host().tolist() == [1, 2]
    with pytest.raises(ValueError, match="was closed"):
        graph.replay()
