"""Loops on the host whose iterations a GPU is given as graphs: the results, errors, memory and counts are those of plain launches."""

import pytest

import replays
from cuda_driver import IS_MOCK
from subprocesses import run_python

START = """
    import sys, gc, threading, numpy as np, numptx, replays
    from compilation import load_compiled
    from cuda_driver import Driver, IS_MOCK
    driver, compiled, plain = Driver(), load_compiled(sys.argv[1]), replays.load_plain(replays.SOURCE)
    replayed = lambda: numptx.memory_stats("cuda")["replays"]
    live = lambda: (gc.collect(), [numptx.memory_stats()[key] for key in ("live_buffers", "live_bytes", "foreign_buffers")])[1]
    on_gpu = lambda array: numptx.asarray(array, device="cuda")
    def nothing_is_left():
        if IS_MOCK:
            assert [driver.count(key) for key in ("violations", "live_graphs", "live_execs", "live_objects", "invalidated")] == [0] * 5
"""


@pytest.fixture(scope="module")
def library(workshop):
    return str(workshop.library(workshop.written(replays.SOURCE, "replays")))


def run(text, library, *, replay="graph", cooperative="host", **environment):
    run_python(START + text, library, environment={"NUMPTX_REPLAY": replay, "NUMPTX_COOPERATIVE": cooperative, **environment})


EACH = """
    before, n = live(), 0
    with numptx.device("cuda"):
        for late in [False, True] if IS_MOCK else [False]:
            IS_MOCK and driver.defer(late)
            for name in replays.NAMES:
                for place in [lambda array: array, on_gpu]:
                    launches, start = numptx.memory_stats("cuda")["launches"], replayed()
                    replays.compare(compiled, plain, name, place=place)
                    print(name, numptx.memory_stats("cuda")["launches"] - launches, replayed() - start)
        IS_MOCK and driver.defer(False)
        numptx.synchronize()
    assert live() == before, (live(), before)
    nothing_is_left()
"""


def counts(text):
    """Launches and iterations that were graphs, for each function."""
    return {name: (int(launches), int(graphs)) for name, launches, graphs in map(str.split, text.splitlines())}


def printed(text, library, **settings):
    environment = {"NUMPTX_REPLAY": settings.get("replay", "graph"), "NUMPTX_COOPERATIVE": "host"}
    return run_python(START + text, library, environment=environment)


def test_graphs_give_what_launches_give(library):
    graphs, launches = (counts(printed(EACH, library, replay=way)) for way in ("graph", "launches"))
    assert {name: n for name, (n, _) in graphs.items()} == {name: n for name, (n, _) in launches.items()}
    assert not any(n for _, n in launches.values())
    # The first two iterations are launched one by one; of the rest only those that launch something else.
    assert graphs["relaxed"][1] == 20 - 2 and graphs["exchanged"][1] == 21 - 2 and graphs["summed"][1] == 12 - 2
    assert graphs["rows"][1] == 8 - 2 and graphs["shrinking"][1] >= 40 and graphs["growing"][1] >= 40
    assert graphs["in_turn"][1] == 4 - 2 and graphs["ended"][1] >= 40 and graphs["refused"][1] >= 15 - 2
    # Each sort has working memory of its own.
    assert graphs["sorted_steps"][1] == 0


def test_graphs_are_for_loops_that_are_long_enough(library):
    run(
        """
    with numptx.device("cuda"):
        for n, wanted in [(3, 0), (17, 0), (18, 16), (100, 98)]:
            before = replayed()
            compiled.relaxed(on_gpu(np.ones(9)), on_gpu(np.ones(9)), n)
            # Two launches an iteration: 16 of them are worth a graph.
            assert replayed() - before == wanted, (n, replayed() - before)
    """,
        library,
        replay="",
    )


def test_arguments_that_overlap_are_looped_over_on_the_host(library):
    run(
        """
    with numptx.device("cuda"):
        x = np.arange(60.0); y = x.copy()
        plain.relaxed(x[:-1], x[1:], 40)
        array = on_gpu(y)
        before = replayed()
        compiled.relaxed(array[:-1], array[1:], 40)
        assert replayed() - before >= 30, replayed() - before
        assert np.array_equal(array.to_host(), x)
    nothing_is_left()
    """,
        library,
        cooperative="",
        replay="",
    )


def test_threads_with_streams_of_their_own_and_one_stream(library):
    run(
        """
    failures = []
    def work(number):
        try:
            with numptx.device("cuda"), numptx.Stream() if number % 2 else numptx.device("cuda"):
                for seed in range(6):
                    for name in ("relaxed", "growing", "summed", "ended"):
                        replays.compare(compiled, plain, name, seed=seed + number, place=on_gpu)
        except BaseException as failure:
            failures.append(failure)
    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    [thread.start() for thread in threads], [thread.join() for thread in threads]
    assert not failures, failures
    assert replayed() > 0
    numptx.synchronize()
    nothing_is_left()
    """,
        library,
    )


def test_a_call_in_a_capture_is_captured_launch_by_launch(library):
    run(
        """
    with numptx.device("cuda"):
        x, y = np.arange(20.0), np.ones(20)
        mine, other = on_gpu(x.copy()), on_gpu(y.copy())
        compiled.relaxed(on_gpu(x.copy()), on_gpu(y.copy()), 4)
        before = replayed()
        with numptx.Graph() as graph:
            compiled.relaxed(mine, other, 10)
        assert replayed() == before
        for _ in range(2):
            plain.relaxed(x, y, 10)
            graph.replay()
        assert np.array_equal(mine.to_host(), x) and np.array_equal(other.to_host(), y)
        assert not IS_MOCK or driver.count("violations") == driver.count("invalidated") == 0
    """,
        library,
    )


def test_the_debug_mode_of_memory_finds_nothing(library):
    printed = run_python(START + EACH, library, environment={"NUMPTX_REPLAY": "graph", "NUMPTX_COOPERATIVE": "host", "NUMPTX_DEBUG_MEMORY": "1"})
    assert counts(printed)["relaxed"][1] > 0


def test_a_wrong_wish_is_named(library):
    run(
        """
    with numptx.device("cuda"):
        try:
            compiled.relaxed(np.ones(9), np.ones(9), 3)
        except ValueError as error:
            assert str(error) == "NUMPTX_REPLAY is `host`; it may be graph or launches", error
        else:
            raise AssertionError("it is none of the wishes")
    """,
        library,
        replay="host",
    )


@pytest.mark.skipif(not IS_MOCK, reason="the mock driver leaves functions out")
@pytest.mark.parametrize("missing", ["cuGraphCreate", "cuGraphAddKernelNode", "cuGraphExecKernelNodeSetParams", "cuGraphInstantiateWithFlags"])
def test_a_driver_without_a_function_gets_launches(library, missing):
    run(
        """
    with numptx.device("cuda"):
        replays.compare(compiled, plain, "relaxed", place=on_gpu)
        # Where nothing changes, nothing is set.
        assert replayed() in (0, 18), replayed()
        replays.compare(compiled, plain, "growing", place=on_gpu)
        assert replayed() in (0, 18), replayed()
    nothing_is_left()
    """,
        library,
        NUMPTX_MOCK_MISSING=missing,
    )


@pytest.mark.skipif(not IS_MOCK, reason="the mock driver fails on demand")
@pytest.mark.parametrize("name", ["relaxed", "growing", "sometimes"])
def test_each_driver_call_of_a_loop_fails_in_turn(library, name):
    run(
        """
    name = sys.argv[2]
    with numptx.device("cuda"):
        replays.compare(compiled, plain, name, place=on_gpu)
        before, n, raised = live(), 0, 0
        while True:
            values = replays.arguments(name, np.random.default_rng(n))
            own = [on_gpu(value.copy()) if isinstance(value, np.ndarray) else value for value in values]
            numptx.synchronize()
            driver.fail_call("", n, 1)
            failure = None
            try:
                getattr(compiled, name)(*own)
            except (numptx.CudaError, MemoryError) as error:
                failure = error
            left = driver.fail_call("", -1, 0)
            raised += failure is not None
            if failure is None:
                getattr(plain, name)(*values)
                for mine, wanted in zip(own, values):
                    assert not isinstance(wanted, np.ndarray) or np.allclose(mine.to_host(), wanted, rtol=1e-9, atol=1e-9), n
            own = mine = None
            if left >= 0:
                break
            n += 1
        assert n > 20 and raised > 5, (n, raised)
        numptx.synchronize()
        assert live() == before, (live(), before, n)
    assert driver.count("violations") == 0, driver.count("violations")
    """.replace("sys.argv[2]", repr(name)),
        library,
    )


@pytest.mark.skipif(not IS_MOCK, reason="the mock driver fails on demand")
def test_launches_of_an_iteration_are_all_tried_where_its_graph_fails(library):
    run(
        """
    def launches_after_the_graph(n):
        values = replays.arguments("growing", np.random.default_rng(1))
        own = [on_gpu(value) for value in values]
        numptx.synchronize()
        driver.fail_call("cuGraphExecKernelNodeSetParams", 0, 1)
        driver.library.numptx_mock_fail_work(ctypes.c_int64(n))
        raised = False
        with driver.log() as calls:
            try:
                compiled.growing(*own)
            except numptx.CudaError:
                raised = True
        left = driver.library.numptx_mock_fail_work(ctypes.c_int64(-1))
        driver.fail_call("", -1, 0)
        if "cuGraphExecKernelNodeSetParams" not in calls:
            return raised, left, None
        rest = calls[calls.index("cuGraphExecKernelNodeSetParams") + 1:]
        return raised, left, next(k for k, call in enumerate([*rest, ""]) if call != "cuLaunchKernel")

    import ctypes
    driver.library.numptx_mock_fail_work.restype = ctypes.c_int64
    with numptx.device("cuda"):
        raised, left, wanted = launches_after_the_graph(10**6)
        assert not raised and wanted > 1, (raised, wanted)
        seen = 0
        for n in range(60):
            raised, left, found = launches_after_the_graph(n)
            assert found in (None, wanted), (n, found, wanted)
            seen += raised and found is not None
        assert seen >= wanted, seen
    """,
        library,
    )


@pytest.mark.skipif(not IS_MOCK, reason="the mock driver runs out of memory on demand")
def test_where_memory_runs_out_what_is_held_back_goes_first(library):
    run(
        """
    with numptx.device("cuda"):
        replays.compare(compiled, plain, "growing", place=on_gpu)
        for n in range(60):
            driver.library.numptx_mock_fail_allocations(n, 1)
            replays.compare(compiled, plain, "growing", place=on_gpu)
        driver.library.numptx_mock_fail_allocations(0, 0)
        assert replayed() > 0
    nothing_is_left()
    """,
        library,
    )
