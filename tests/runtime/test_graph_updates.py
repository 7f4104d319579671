"""A graph that is recorded anew: other arrays and numbers in the same executable graph. What the old recording used goes when nothing runs that uses it."""

import gc
import time
import weakref

import numpy as np
import pytest

import numptx
from cuda_driver import IS_MOCK
from other_libraries import Exporter
from test_graphs import equal, nothing_kept, on_gpu

PROGRAM = """
#numptx export scaled(float64[:], float64)
#numptx export chain(float64[:], float64[:])
#numptx export increase(float64[:])
import numpy as np
def scaled(x, a):
    return a * x
def chain(x, y):
    t = np.cumsum(x)
    return np.cumsum(t + y) * 2
def increase(x):
    x += 1
"""
on_mock = pytest.mark.skipif(not IS_MOCK, reason="the mock driver counts")


@pytest.fixture(autouse=True)
def on_device():
    with numptx.device("auto"):
        yield


def recorded(compiled, x, a):
    with numptx.Graph() as graph:
        y = compiled.scaled(x, a)
    return graph, y


def test_an_update_changes_arrays_numbers_and_results(compiled, driver, pace):
    with nothing_kept(driver):
        x, other = on_gpu([1, 2, 3]), on_gpu([10, 20, 30])
        graph, y = recorded(compiled, x, 2.0)
        graph.replay()
        equal(y, [2, 4, 6])
        with graph.update() as entered:
            assert entered is graph and graph.stream.is_capturing
            z = compiled.scaled(other, 3.0)
        for _ in range(2):
            graph.replay()
            equal(z, [30, 60, 90])
            other.copy_from([1, 1, 1])
            graph.replay()
            equal(z, [3, 3, 3])
            other.copy_from([10, 20, 30])
        equal(y, [2, 4, 6])
        del x, other, graph, y, z, entered


@on_mock
def test_the_executable_graph_stays_where_the_calls_are_alike(compiled, driver):
    """Where they are not, another one takes its place."""
    x = on_gpu([1, 2, 3])
    graph, _ = recorded(compiled, x, 2.0)

    def made(calls):
        return [calls.count(name) for name in ("cuGraphExecUpdate", "cuGraphInstantiateWithFlags", "cuGraphExecDestroy")]

    execs = driver.count("live_execs")
    for n in range(3):
        with driver.log() as calls, graph.update():
            y = compiled.scaled(x, float(n))
        assert made(calls) == [1, 0, 0] and graph.nodes == 1
        graph.replay()
        equal(y, n * np.array([1.0, 2, 3]))
    with driver.log() as calls, graph.update():
        y = compiled.scaled(compiled.scaled(x, 2.0), 5.0)
    assert made(calls) == [1, 1, 1] and graph.nodes == 2
    graph.replay()
    equal(y, [10, 20, 30])
    assert driver.count("live_execs") == execs


def test_a_driver_without_updates_makes_another_graph(compiled, driver):
    if not IS_MOCK:
        pytest.skip("the mock driver fails on demand")
    x = on_gpu([1, 2, 3])
    graph, _ = recorded(compiled, x, 2.0)
    driver.fail_call("cuGraphExecUpdate", 0, 910)
    with graph.update():
        y = compiled.scaled(x, 4.0)
    graph.replay()
    equal(y, [4, 8, 12])


def test_replays_under_way_keep_what_they_use(compiled, driver, pace):
    """The old arrays are dropped, and their memory is asked for again, before the replay that uses them has run."""
    with nothing_kept(driver):
        graph, y = recorded(compiled, on_gpu([1, 2, 3]), 2.0)
        graph.replay()
        with graph.update():
            z = compiled.scaled(on_gpu([5, 5, 5]), 3.0)
        gc.collect()
        others = [on_gpu([7, 7, 7]) for _ in range(20)]
        graph.replay()
        equal(y, [2, 4, 6])
        equal(z, [15, 15, 15])
        del graph, y, z, others


def test_what_only_the_old_recording_used_goes(compiled, driver):
    class Owner:
        """Another library's memory."""

        def __init__(self, values):
            self.memory = on_gpu(values)

        def __dlpack__(self, **options):
            return self.memory.__dlpack__(**options)

        def __dlpack_device__(self):
            return self.memory.__dlpack_device__()

    with nothing_kept(driver):
        first, second = on_gpu([1, 2, 3]), on_gpu([4, 5, 6])
        gone, stays = weakref.ref(first), weakref.ref(second)
        graph, y = recorded(compiled, Exporter(first), 2.0)
        del first
        gc.collect()
        graph.replay()
        equal(y, [2, 4, 6])
        live = numptx.memory_stats("cuda")["foreign_buffers"]
        with graph.update():
            z = compiled.scaled(Exporter(second), 2.0)
        del second, y
        numptx.synchronize()
        gc.collect()
        # The driver gives up what graphs kept on a thread of its own.
        limit = time.monotonic() + 10
        while numptx.memory_stats("cuda")["foreign_buffers"] != live and time.monotonic() < limit:
            time.sleep(0.01)
        assert numptx.memory_stats("cuda")["foreign_buffers"] == live
        graph.replay()
        equal(z, [8, 10, 12])
        del graph, z, gone, stays


def test_host_arguments_are_copied_anew(compiled, driver, pace):
    with nothing_kept(driver):
        host = np.array([1.0, 2, 3])
        graph, _ = recorded(compiled, host, 2.0)
        host[:] = [4, 5, 6]
        with graph.update():
            y = compiled.scaled(host, 2.0)
        host[:] = 100
        graph.replay()
        equal(y, [8, 10, 12])
        del graph, _, y


def test_replays_come_after_work_with_the_new_arrays(compiled, driver, pace):
    x = on_gpu([1, 2, 3])
    graph, _ = recorded(compiled, x, 2.0)
    late = on_gpu(np.zeros(3))
    with graph.update():
        y = compiled.scaled(late, 2.0)
    with numptx.Stream():
        compiled.increase(late)
    with numptx.Stream():
        graph.replay()
    with numptx.Stream():
        z = compiled.scaled(y, 10.0)
        compiled.increase(late)
    equal(z, [20, 20, 20])
    equal(late, [2, 2, 2])


def test_an_update_that_fails_leaves_the_graph_as_it_was(compiled, driver, pace):
    with nothing_kept(driver):
        x = on_gpu([1, 2, 3])
        graph, y = recorded(compiled, x, 2.0)
        with pytest.raises(ZeroDivisionError), graph.update():
            compiled.scaled(x, 3.0)
            1 / 0
        x.copy_from([2, 2, 2])
        graph.replay()
        equal(y, [4, 4, 4])
        if IS_MOCK:
            # It has another shape, and no other executable graph can be made.
            with pytest.raises(MemoryError, match="cuGraphInstantiateWithFlags"), graph.update():
                compiled.scaled(compiled.scaled(x, 3.0), 3.0)
                driver.fail_call("cuGraphInstantiateWithFlags", 0, 2)
            x.copy_from([3, 3, 3])
            graph.replay()
            equal(y, [6, 6, 6])
        x.copy_from([4, 4, 4])
        with graph.update():
            z = compiled.scaled(x, 5.0)
        graph.replay()
        equal(z, [20, 20, 20])
        del x, y, z, graph


def test_misuse_is_said(compiled, driver):
    empty = numptx.Graph()
    with pytest.raises(RuntimeError, match="the graph is empty"), empty.update():
        pass
    with pytest.raises(RuntimeError, match="in no block of the update"):
        empty.update().__exit__(None, None, None)
    x = on_gpu([1, 2, 3])
    graph, y = recorded(compiled, x, 2.0)
    update = graph.update()
    with update:
        z = compiled.scaled(x, 3.0)
        with pytest.raises(RuntimeError, match="is being updated; replay it after"):
            graph.replay(numptx.Stream())
        with pytest.raises(RuntimeError, match="is being updated already"), graph.update():
            pass
        with pytest.raises(RuntimeError, match="holds nothing before a replay"):
            z.to_host()
    with pytest.raises(RuntimeError, match="made once"), update:
        pass
    with pytest.raises(RuntimeError, match="in no block of the update"):
        update.__exit__(None, None, None)
    graph.replay()
    equal(z, [3, 6, 9])
    with numptx.Graph() as other:
        compiled.scaled(x, 2.0)
        with pytest.raises(RuntimeError, match="still being captured"), other.update():
            pass


def test_a_graph_goes_with_its_update(compiled, driver):
    with nothing_kept(driver):
        x = on_gpu([1, 2, 3])
        graph, y = recorded(compiled, x, 2.0)
        update = graph.update()
        update.__enter__()
        compiled.scaled(x, 3.0)
        update.__exit__(RuntimeError, None, None)
        graph.replay()
        equal(y, [2, 4, 6])
        del x, y, graph, update
