"""Graphs: our own, and calls inside the captures of other libraries. What a graph uses lives as long as it can be launched; nothing that numptx
does during a capture ends it."""

import contextlib
import copy
import gc
import threading
import time

import numpy as np
import pytest

import numptx
from cuda_driver import IS_MOCK, MODES, OtherStream
from other_libraries import Family

PROGRAM = """
#numptx export chain(float64[:], float64[:])
#numptx export increase(float64[:])
#numptx export first(float64[:])
#numptx export total(float64[:])
#numptx export put(float64[:], int64[:], float64[:])
#numptx export put_checked(float64[:], int64[:], float64[:])
import numpy as np
def chain(x, y):
    t = np.cumsum(x)
    return np.cumsum(t + y) * 2
def increase(x):
    x += 1
def first(x):
    if x[0] > 0:
        return 1.0
    return 2.0
def total(x):
    return np.sum(x)
def put(x, idx, v):
    np.put(x, idx, v, mode="wrap")
    np.put(x, idx[1:], v[1:] + x[0], mode="clip")
def put_checked(x, idx, v):
    x[idx] = v
    np.add.at(x, idx, v)
"""


@pytest.fixture
def plain(modules):
    return modules[1]


@pytest.fixture(autouse=True)
def on_device():
    with numptx.device("auto"):
        yield


def on_gpu(values):
    return numptx.asarray(np.array(values, float), device="cuda")


def equal(array, values):
    np.testing.assert_allclose(numptx.asarray(array).to_host(), values)


def live():
    gc.collect()
    stats = numptx.memory_stats()
    return stats["live_buffers"], stats["live_bytes"], stats["foreign_buffers"]


class Leak(AssertionError):
    """Something is alive that should not be."""


@contextlib.contextmanager
def nothing_kept(driver, seconds=10):
    """What the block makes is gone after it, in the runtime and in the driver."""
    names = ["live_allocations", "live_graphs", "live_execs", "live_objects", "live_pinned", "live_events"]

    def readings():
        return live(), [driver.count(name) for name in names] if IS_MOCK else None

    # What copies and small results keep for the next one is given back, that of garbage too: everything is then somebody's.
    gc.collect()
    numptx.trim()
    before = readings()
    violations = driver.count("violations") if IS_MOCK else 0
    yield
    limit = time.monotonic() + seconds
    numptx.trim("cuda")
    while readings() != before and time.monotonic() < limit:
        numptx.trim("cuda")
        time.sleep(0.01)
    if readings() != before:
        raise Leak(f"{readings()} instead of {before}")
    if IS_MOCK:
        assert driver.count("violations") == violations


def test_a_replay_runs_the_calls_again(compiled, plain, driver, pace):
    with nothing_kept(driver):
        x, y = on_gpu([1, 2, 3]), on_gpu([4, 5, 6])
        graph = numptx.Graph()
        with graph as entered:
            assert entered is graph and graph.stream.is_capturing
            z = compiled.chain(x, y)
            compiled.increase(x)
            s = compiled.total(z)
        assert graph.nodes >= 4 and not graph.stream.is_capturing
        assert repr(graph) == f"<numptx.Graph of {graph.nodes} launches and copies on cuda:0>"
        assert isinstance(z, numptx.Array) and isinstance(s, numptx.Array)
        equal(x, [1, 2, 3])
        for n in range(4):
            graph.replay()
            expected = plain.chain(np.array([1.0, 2, 3]) + n, np.array([4.0, 5, 6]))
            equal(z, expected)
            assert float(s) == pytest.approx(expected.sum())
            equal(x, np.array([2.0, 3, 4]) + n)
        x.copy_from([0, 0, 0])
        with numptx.Stream() as stream:
            graph.replay()
        equal(z, plain.chain(np.zeros(3), np.array([4.0, 5, 6])))
        graph.replay(stream)
        equal(z, plain.chain(np.ones(3), np.array([4.0, 5, 6])))
        del x, y, z, s, graph, entered


def test_a_graph_keeps_what_its_calls_used(compiled, plain, driver, pace):
    """Operands, temporaries, results and copies of host arrays: all dropped, and their memory asked for again, before the replay."""
    with nothing_kept(driver):
        out = on_gpu([0, 0, 0])
        host = np.array([4.0, 5, 6])
        with numptx.Graph() as graph:
            z = compiled.chain(on_gpu([1, 2, 3]), host)
            compiled.increase(out)
        host[:] = 100
        gc.collect()
        others = [on_gpu([7, 7, 7]) for _ in range(20)]
        for _ in range(2):
            graph.replay()
            equal(z, plain.chain(np.array([1.0, 2, 3]), np.array([4.0, 5, 6])))
        del out, z
        gc.collect()
        graph.replay()
        numptx.synchronize()
        del others, graph


def test_scatters_are_captured_with_the_memory_of_their_claims(compiled, plain, driver, pace):
    """More points than a thread looks through: they claim their elements in memory that the graph keeps. Graphs run on two streams at once."""
    rng = np.random.default_rng(3)
    indices = rng.integers(-900, 900, 3000)
    with nothing_kept(driver):
        idx, v = numptx.asarray(indices, device="cuda"), on_gpu(np.arange(3000))
        targets, graphs = [on_gpu(np.zeros(700)) for _ in range(2)], []
        for x in targets:
            with numptx.Graph() as graph:
                compiled.put(x, idx, v)
            graphs.append(graph)
        others = [on_gpu(np.ones(3000)) for _ in range(20)]
        streams = [numptx.Stream(), numptx.Stream()]
        expected, values = np.zeros(700), np.arange(3000.0)
        for n in range(3):
            v.copy_from(values + n)
            for graph, stream in zip(graphs, streams):
                graph.replay(stream)
            plain.put(expected, indices, values + n)
            for x in targets:
                equal(x, expected)
        del idx, v, x, targets, graph, graphs, others, streams


def test_a_check_of_indices_is_refused_in_a_capture(compiled, plain, driver, pace):
    """It waits for the device, which computes nothing yet. Nothing is written, the capture goes on, and outside of it the call is made."""
    indices = np.arange(3000) % 7
    with nothing_kept(driver):
        x, idx, v = on_gpu(np.zeros(7)), numptx.asarray(indices, device="cuda"), on_gpu(np.arange(3000))
        with numptx.Graph() as graph:
            compiled.increase(x)
            with pytest.raises(RuntimeError, match="element on the host during the capture"):
                compiled.put_checked(x, idx, v)
        graph.replay()
        equal(x, np.ones(7))
        compiled.put_checked(x, idx, v)
        expected = np.ones(7)
        plain.put_checked(expected, indices, np.arange(3000.0))
        equal(x, expected)
        del x, idx, v, graph


def test_a_graph_may_go_while_it_runs(compiled, driver, pace):
    with nothing_kept(driver):
        x = on_gpu(np.ones(100_000))
        with numptx.Graph() as graph:
            z = compiled.chain(x, x)
        for _ in range(5):
            graph.replay()
        del graph, x
        gc.collect()
        assert z.to_host()[0] == 4
        del z


def test_replays_and_other_work_wait_for_each_other(compiled, pace):
    x = on_gpu([0, 0])
    with numptx.Graph() as graph:
        compiled.increase(x)
    streams = [numptx.Stream(), numptx.Stream()]
    for n in range(10):
        graph.replay(streams[n % 2])
        compiled.increase(x)
    equal(x, [20, 20])


@pytest.mark.skipif(not IS_MOCK, reason="the mock driver tells what it was asked for")
def test_replays_that_share_an_input_wait_for_nobody(compiled, driver):
    """They wait once for who wrote it. Who writes it next waits for each of them."""
    x, streams, results = on_gpu([1, 2, 3]), [numptx.Stream() for _ in range(3)], []
    graphs = [numptx.Graph() for _ in streams]
    for graph in graphs:
        with graph:
            results.append(compiled.chain(x, x))

    def replay_all():
        with driver.log() as calls:
            for graph, stream in zip(graphs, streams):
                graph.replay(stream)
        return calls.count("cuGraphLaunch"), calls.count("cuStreamWaitEvent")

    replay_all()
    assert replay_all() == replay_all() == (3, 0)
    with driver.log() as calls:
        compiled.increase(x)
    assert calls.count("cuStreamWaitEvent") == 3
    for z in results:
        equal(z, [4, 14, 32])


def test_who_reads_what_a_replay_has_read_and_written_waits_for_it(compiled, pace):
    x, streams = on_gpu([1, 2, 3]), [numptx.Stream(), numptx.Stream()]
    with numptx.Graph() as graph:
        compiled.chain(x, x)
        compiled.increase(x)
    for n in range(2, 6):
        graph.replay(streams[0])
        with streams[1]:
            y = compiled.chain(x, x)
        equal(y, np.cumsum(np.cumsum([n, n + 1, n + 2]) + [n, n + 1, n + 2]) * 2)


def test_work_of_before_a_capture_is_waited_for_while_it_goes_on(compiled, pace):
    """The work is done, or not yet, and the stream cannot be waited for."""
    stream, w = numptx.Stream(), on_gpu([0, 0])
    with stream:
        x = compiled.chain(on_gpu([1, 2, 3]), on_gpu([1, 2, 3]))
    with numptx.Graph(stream) as graph:
        compiled.increase(w)
        with numptx.Stream():
            y = compiled.chain(x, x)
        equal(x, [4, 14, 32])
        equal(y, [16, 80, 244])
    graph.replay()
    equal(w, [1, 1])


@pytest.mark.skipif(not IS_MOCK, reason="the mock driver takes longer on demand")
def test_a_capture_that_begins_while_others_mark_its_stream_is_its_own(compiled, driver):
    """Another thread waits for work on the stream: its mark is made before the capture begins."""
    stream, other, w, results = numptx.Stream(), numptx.Stream(), on_gpu([0, 0]), []
    with stream:
        x = compiled.chain(on_gpu([1, 2, 3]), on_gpu([1, 2, 3]))

    def read():
        with numptx.device("auto"), other:
            results.append(compiled.chain(x, x))

    reader, graph = threading.Thread(target=read), numptx.Graph(stream)
    driver.delay("cuEventRecord", 0.4)
    try:
        reader.start()
        # By now it is in the midst of the call; others take no time.
        time.sleep(0.1)
    finally:
        driver.delay("cuEventRecord", 0)
    with graph:
        compiled.increase(w)
        reader.join()
    equal(results[0], [16, 80, 244])
    graph.replay()
    equal(w, [1, 1])


def test_what_a_capture_cannot_do_is_said_and_leaves_it_whole(compiled, driver):
    x = on_gpu([1, 2])
    numptx.synchronize()
    with numptx.Graph() as graph:
        compiled.increase(x)
        with pytest.raises(RuntimeError, match="element on the host during the capture"):
            compiled.first(x)
        with pytest.raises(ValueError, match="writes to its argument 1, an array in host memory"):
            compiled.increase(np.ones(2))
        with pytest.raises(RuntimeError, match="still being captured"):
            graph.replay()
        with pytest.raises(RuntimeError, match="cannot be waited for"):
            graph.stream.synchronize()
        with pytest.raises(RuntimeError, match="captured once"), graph:
            pass
    graph.replay()
    equal(x, [2, 3])
    with pytest.raises(RuntimeError, match="captured once"), graph:
        pass


def test_an_exception_ends_the_capture(compiled, driver):
    x = on_gpu([1, 2])
    with nothing_kept(driver):
        graph = numptx.Graph()
        with pytest.raises(KeyError), graph:
            compiled.chain(x, x)
            raise KeyError("enough")
        assert numptx.current_stream() is None and not graph.stream.is_capturing
        del graph
    with pytest.raises(RuntimeError, match="is empty"):
        numptx.Graph().replay()
    with pytest.raises(ValueError, match="'global', 'thread_local' or 'relaxed'"):
        numptx.Graph(mode="loose")


def test_a_given_stream_is_captured(compiled, driver, pace):
    x, other = on_gpu([1, 2]), OtherStream(driver)
    with numptx.Graph(other) as graph:
        z = compiled.chain(x, x)
    assert graph.stream == numptx.Stream(other)
    graph.replay(other)
    equal(z, [4, 14])


FRESH = """
#numptx export total(float64[:])
def total(x):
    return x.sum()
"""
UNSAFE = ["drop", "drop on the captured stream", "allocate", "first load", "copy", "statistics", "synchronize", "streams", "another call", "preload"]


def disturb(what, compiled, fresh, kept):
    """Something that numptx may do at any time."""
    if what == "drop":
        kept.pop("array")
        gc.collect()
    elif what == "drop on the captured stream":
        kept.pop("of the stream")
        gc.collect()
    elif what == "allocate":
        kept["new"] = on_gpu(np.ones(1000))
    elif what == "first load":
        assert float(fresh.total(kept["other"])) == 6
    elif what == "preload":
        numptx.preload(fresh)
    elif what == "copy":
        equal(kept["other"], [1, 2, 3])
    elif what == "statistics":
        numptx.memory_stats()
        numptx.devices()
    elif what == "synchronize":
        numptx.synchronize()
        numptx.trim()
    elif what == "streams":
        stream = numptx.Stream()
        stream.record().synchronize()
        stream.synchronize()
    else:
        equal(compiled.chain(kept["other"], kept["other"]), [4, 14, 32])


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("place", ["same thread", "other thread"])
@pytest.mark.parametrize("what", UNSAFE)
def test_nothing_that_numptx_does_ends_a_capture(workshop, compiled, driver, what, place, mode):
    """The capture is another library's, in each of the driver's modes."""
    # A module of its own for each case: its image is not loaded yet.
    is_first = what in ("first load", "preload")
    fresh = workshop.pair(f"{FRESH}\n# {what} {place} {mode}\n")[0] if is_first else None
    stream = OtherStream(driver)
    with nothing_kept(driver):
        kept = {"array": on_gpu([1, 2]), "other": on_gpu([1, 2, 3])}
        with numptx.Stream(stream):
            kept["of the stream"] = compiled.chain(kept["array"], kept["array"])
        numptx.synchronize()
        # What was used on the captured stream before the capture may be used outside of it, now that this is done.
        with stream.capture(mode) as graph:
            if place == "same thread":
                disturb(what, compiled, fresh, kept)
            else:
                failed = []

                def work():
                    try:
                        with numptx.device("auto"):
                            disturb(what, compiled, fresh, kept)
                    except BaseException as error:
                        failed.append(error)

                thread = threading.Thread(target=work)
                thread.start()
                thread.join()
                assert not failed, failed
            with numptx.Stream(stream):
                z = compiled.chain(kept["other"], kept["other"])
        graph.launch(stream)
        equal(z, [4, 14, 32])
        graph.destroy()
        del kept, z, graph
        numptx.synchronize()


@pytest.mark.parametrize("mode", MODES)
def test_calls_in_another_library_s_capture(compiled, plain, driver, pace, mode):
    stream = OtherStream(driver)
    with nothing_kept(driver):
        x = on_gpu([1, 2, 3])
        host = np.array([4.0, 5, 6])
        with stream.capture(mode) as graph, numptx.Stream(stream):
            z = compiled.chain(x, host)
            w = compiled.chain(z, on_gpu([1, 1, 1]))
            compiled.increase(x)
        host[:] = 0
        expected = plain.chain(np.array([1.0, 2, 3]), np.array([4.0, 5, 6]))
        graph.launch(stream)
        equal(z, expected)
        equal(w, plain.chain(expected, np.ones(3)))
        # Everything is dropped: a launch reads and writes what it always did.
        del x, z, w, host
        gc.collect()
        others = [on_gpu([9, 9, 9]) for _ in range(20)]
        graph.launch(stream)
        assert live()[0] > len(others)
        graph.destroy()
        del others, graph


@pytest.mark.parametrize("library", ["torch", "cupy"])
def test_arrays_of_a_library_in_its_own_capture(compiled, plain, driver, library):
    """Without a block of ours: the call runs on the library's current stream, which is being captured."""
    with Family(library, "cuda") as family:
        if family.is_real:
            captured_by_the_library(compiled, plain, family)
            return
        stream = OtherStream(driver)
        family.library.cuda = type("cuda", (), {})
        family.library.cuda.current_stream = lambda device: stream
        family.library.cuda.get_current_stream = lambda: stream
        x, y = family.make(np.array([1.0, 2, 3])), family.make(np.ones(3))
        numptx.synchronize()
        with stream.capture() as graph:
            z = compiled.chain(x, y)
            assert type(z) is family.kind
        graph.launch(stream)
        np.testing.assert_allclose(family.elements(z), plain.chain(np.array([1.0, 2, 3]), np.ones(3)))
        del x, y
        gc.collect()
        graph.launch(stream)
        graph.destroy()


def captured_by_the_library(compiled, plain, family):
    """The same with PyTorch or CuPy."""
    library = family.library
    x, y = family.make(np.array([1.0, 2, 3])), family.make(np.ones(3))
    expected = plain.chain(np.array([1.0, 2, 3]), np.ones(3))
    if family.name == "torch":
        graph = library.cuda.CUDAGraph()
        with library.cuda.graph(graph):
            z = compiled.chain(x, y)
        replay = graph.replay
    else:
        stream = library.cuda.Stream(non_blocking=True)
        with stream:
            stream.begin_capture()
            z = compiled.chain(x, y)
            graph = stream.end_capture()
        replay = lambda: (graph.launch(stream), stream.synchronize())
    del x, y
    gc.collect()
    for _ in range(2):
        replay()
        numptx.synchronize()
        np.testing.assert_allclose(family.elements(z), expected)


def test_a_blocking_stream_s_capture_forbids_the_default_stream_and_survives(compiled, driver):
    x = on_gpu([1, 2, 3])
    numptx.synchronize()
    stream = OtherStream(driver, blocking=True)
    with stream.capture() as graph:
        with pytest.raises(RuntimeError, match="legacy default stream"):
            compiled.chain(x, x)
        y = on_gpu([1, 1])
        del y
        gc.collect()
        with numptx.Stream(stream):
            z = compiled.chain(x, x)
    graph.launch(stream)
    equal(z, [4, 14, 32])
    graph.destroy()


def test_an_invalidated_capture_is_said(compiled, driver):
    x, stream = on_gpu([1, 2, 3]), OtherStream(driver)
    numptx.synchronize()
    with pytest.raises(RuntimeError, match="cuStreamEndCapture"), stream.capture():
        driver.library.cuStreamSynchronize(stream.pointer)
        with pytest.raises(numptx.CudaError, match="invalidated"), numptx.Stream(stream):
            compiled.chain(x, x)
    equal(compiled.chain(x, x), [4, 14, 32])


def test_threads_capture_and_replay_graphs_of_their_own(compiled):
    failed = []

    def work(n):
        try:
            x = on_gpu([n, n])
            for _ in range(5):
                with numptx.Graph(device="cuda") as graph:
                    compiled.increase(x)
                graph.replay()
                graph.replay()
            equal(x, [n + 10, n + 10])
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert not failed, failed


def test_a_planted_leak_is_found(compiled, driver):
    kept = []
    with pytest.raises(Leak), nothing_kept(driver, seconds=0.1):
        x = on_gpu([1, 2])
        with numptx.Graph() as graph:
            compiled.increase(x)
        kept.append(graph)


def test_a_capture_that_an_exception_ends_is_not_replayed(compiled, driver):
    x = on_gpu([1, 2])
    with nothing_kept(driver):
        graph = numptx.Graph()
        with pytest.raises(KeyError), graph:
            compiled.increase(x)
            raise KeyError("half")
        assert graph.nodes == 0 and repr(graph) == "<numptx.Graph on cuda:0, nothing to replay>"
        with pytest.raises(RuntimeError, match="nothing to replay"):
            graph.replay()
        del graph
    equal(x, [1, 2])


def test_what_a_capture_computes_is_not_read_before_its_replay(compiled, driver, pace):
    x = on_gpu([1, 2])
    numptx.synchronize()
    with numptx.Graph() as graph:
        z = compiled.chain(x, x)
        for read in (lambda: z.to_host(), lambda: z[0].item(), lambda: copy.copy(z), lambda: float(z[0]), lambda: x.copy_from(z)):
            with pytest.raises(RuntimeError, match="holds nothing before a replay"):
                read()
        with numptx.Stream(), pytest.raises(RuntimeError, match="before a replay|after the capture"):
            compiled.chain(z, z)
        equal(x, [1, 2])
        w = compiled.chain(z, z)
    graph.replay()
    equal(z, [4, 14])
    equal(w, [16, 80])


@pytest.mark.skipif(not IS_MOCK, reason="the mock driver fails on demand")
@pytest.mark.filterwarnings("ignore::numptx.CudaWarning")
@pytest.mark.parametrize("name", ["cuStreamIsCapturing", "cuStreamGetCaptureInfo_v2", "cuGraphInstantiateWithFlags", "cuGraphGetNodes", "cuGraphDestroy"])
def test_a_capture_that_fails_keeps_nothing(compiled, driver, name):
    x = on_gpu([1, 2])
    numptx.synchronize()
    before = driver.count("live_execs")
    for n in range(3):
        stream = numptx.Stream()
        driver.fail_call(name, n, 999)
        with contextlib.suppress(RuntimeError, numptx.CudaError), numptx.Graph(stream):
            compiled.increase(x)
        driver.fail_call("", -1, 0)
        assert not stream.is_capturing
        gc.collect()
    assert driver.count("live_execs") == before
