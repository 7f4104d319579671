"""Eight GPUs, one of them without memory pools, as the mock driver plays them in a process of its own: no kernel reaches another one's memory."""

import pytest

from subprocesses import run_python

PROGRAM = """
#numptx export twice(float64[:])
#numptx export add(float64[:], float64[:])
#numptx export increase(float64[:])
def twice(x):
    return 2 * x
def add(x, y):
    return x + y
def increase(x):
    x += 1
"""
ENVIRONMENT = {"NUMPTX_DEVICE": "auto", "NUMPTX_MOCK_DEVICES": "8", "NUMPTX_MOCK_POOLLESS": "5"}
COMMON = """
import sys, threading, numpy as np, numptx
from compilation import load_compiled
from cuda_driver import Driver
kernels, driver, N = load_compiled(sys.argv[1]), Driver(), 1000
PLACES = numptx.devices()[1:]
assert len(PLACES) == 8

def on(place, values):
    return numptx.asarray(np.array(values, float), device=place)

def equal(array, values, place):
    assert array.device == place, (array.device, place)
    np.testing.assert_array_equal(array.to_host(), values)

def run(number, rounds):
    '''Calls, copies to the next GPU, streams and graphs, on one GPU.'''
    place, after = PLACES[number], PLACES[(number + 1) % 8]
    x = on(place, np.arange(N) + number)
    graph = numptx.Graph(device=place)
    with graph:
        y = kernels.twice(x)
    for k in range(rounds):
        with numptx.Stream(device=place):
            z = kernels.add(x, x)
        with numptx.Stream(device=place):
            w = kernels.add(z, x)
        del z
        equal(w.to(after), 3.0 * (np.arange(N) + number), after)
        equal(kernels.twice(w.to(after)), 6.0 * (np.arange(N) + number), after)
        graph.replay()
        equal(y, 2.0 * (np.arange(N) + number), place)
        with graph.update():
            y = kernels.add(x, on(place, np.full(N, float(k))))
        graph.replay()
        equal(y, np.arange(N) + number + float(k), place)
        with graph.update():
            y = kernels.twice(x)
        with numptx.device(place):
            np.testing.assert_array_equal(kernels.twice(np.full(N, float(k))), np.full(N, 2.0 * k))

def end():
    import gc
    gc.collect()
    numptx.trim()
    assert numptx.memory_stats()["live_buffers"] == 0, numptx.memory_stats()
    names = ("live_allocations", "live_graphs", "live_execs", "live_pinned", "violations")
    assert [driver.count(name) for name in names] == [0] * len(names), [(name, driver.count(name)) for name in names]
"""


@pytest.fixture(scope="module")
def library(workshop):
    return workshop.pair(PROGRAM)[0].__file__


@pytest.mark.parametrize("defer", ["0", "1"])
def test_calls_copies_streams_graphs_and_threads_on_eight_devices(library, defer):
    run_python(
        COMMON
        + """
for number in range(8):
    run(number, 2)
end()
failed = []

def work(number):
    try:
        run(number, 5)
    except BaseException as error:
        failed.append(error)

threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
if failed:
    raise failed[0]
del failed
end()
""",
        library,
        environment={**ENVIRONMENT, "NUMPTX_MOCK_DEFER": defer},
        quiet=True,
    )


def test_each_device_has_its_own_memory_streams_and_limits(library):
    run_python(
        COMMON
        + """
arrays = [on(place, np.full(N, float(number))) for number, place in enumerate(PLACES)]
assert [numptx.memory_stats(place)["live_bytes"] for place in PLACES] == [8 * N] * 8
for number, (place, array) in enumerate(zip(PLACES, arrays)):
    for other in PLACES[:number] + PLACES[number + 1 :]:
        try:
            kernels.add(array, arrays[PLACES.index(other)])
        except ValueError as error:
            assert f"CUDA device {number}" in str(error) and f"CUDA device {other[5:]}" in str(error)
        else:
            raise AssertionError((place, other))
    numptx.set_memory_limit(0, place)
    try:
        kernels.twice(array)
    except MemoryError as error:
        assert f"CUDA device {number}" in str(error)
    else:
        raise AssertionError(place)
    numptx.set_memory_limit(None, place)
    equal(kernels.twice(array), np.full(N, 2.0 * number), place)
    interface = type("Interface", (), {"__cuda_array_interface__": array.__cuda_array_interface__})()
    assert numptx.asarray(interface).device == place
    other = type("Stream", (), {"__cuda_stream__": numptx.Stream(device=place).__cuda_stream__})
    assert numptx.Stream(other()).device == place
total = arrays[0]
for place, array in zip(PLACES[1:], arrays[1:]):
    total = kernels.add(total.to(place), array)
equal(total, np.full(N, 28.0), PLACES[-1])
pinned = numptx.empty(N, pinned=True)
np.asarray(pinned)[:] = 7
for array in arrays:
    array.copy_from(pinned)
np.asarray(pinned)[:] = 0
for place, array in zip(PLACES, arrays):
    equal(array, np.full(N, 7.0), place)
del arrays, array, total, pinned, interface, other
end()
""",
        library,
        environment={**ENVIRONMENT, "NUMPTX_MOCK_DEFER": "1"},
        quiet=True,
    )
