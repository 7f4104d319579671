"""Two GPUs in one process: arrays carry their device, calls run where their arguments are, and nothing is mixed unasked.

With --device cuda: on the mock driver, which plays two, and on a machine with two GPUs.
"""

import ctypes
import gc
import pickle
import threading

import numpy as np
import pytest

import numptx
from cuda_driver import IS_MOCK
from other_libraries import Exporter

pytestmark = pytest.mark.skipif("len(numptx.devices()) < 3", reason="one GPU here")

PROGRAM = """
#numptx export twice(float64[:])
#numptx export add(float64[:], float64[:])
#numptx export increase(float64[:])
#numptx export tail(float64[:])
#numptx export total(float64[:])
#numptx export transposed_sum(float64[:,:], float64[:,:])
def twice(x):
    return 2 * x
def add(x, y):
    return x + y
def increase(x):
    x += 1
def tail(x):
    return x[1:]
def total(x):
    return x.sum()
def transposed_sum(x, y):
    return x.T + y
"""
PLACES = ["cuda:0", "cuda:1"]


@pytest.fixture(scope="module")
def compiled(workshop):
    return workshop.pair(PROGRAM)[0]


@pytest.fixture(autouse=True)
def automatic():
    with numptx.device("auto"):
        yield


def on(place, values=(1.0, 2.0, 3.0)):
    return numptx.asarray(np.array(values, float), device=place)


def equal(array, values):
    np.testing.assert_array_equal(array.to_host(), values)


def test_a_device_is_chosen_by_number():
    with numptx.device(1):
        assert numptx._native.get_device() == "cuda:1"
        assert numptx.asarray([1.0]).device == "cuda:1"
        with numptx.device(0):
            assert numptx.asarray([1.0]).device == "cuda:0"
        assert numptx._native.get_device() == "cuda:1"
    assert numptx.asarray([1.0], device=1).device == "cuda:1"
    assert numptx.asarray([1.0], device="cuda:0").to(1).device == "cuda:1"
    for wrong in (-1, 1.0, True, b"cuda"):
        with pytest.raises(TypeError, match="a GPU's number; found"):
            numptx.device(wrong)
    with pytest.raises(numptx.CudaError, match="cuda:31 is not there"):
        numptx.asarray([1.0], device=31)


def test_a_choice_is_a_statement_too():
    before = numptx._native.get_device()
    numptx.device(1)
    assert numptx._native.get_device() == "cuda:1"
    numptx.device(before)


@pytest.mark.parametrize("place", PLACES)
def test_calls_run_where_their_arguments_are(compiled, place):
    gc.collect()
    x = on(place)
    before = numptx.memory_stats(place)
    y = compiled.twice(x)
    z = compiled.add(x, y)
    assert (y.device, z.device, numptx.last_device()) == (place, place, place)
    equal(z, [3, 6, 9])
    after = numptx.memory_stats(place)
    assert (after["launches"] - before["launches"], after["live_buffers"] - before["live_buffers"]) == (2, 2)
    assert float(compiled.total(x)) == 6.0 and numptx.last_device() == place
    compiled.increase(x)
    equal(x, [2, 3, 4])


@pytest.mark.parametrize("place", PLACES)
def test_views_stay_where_their_array_is(compiled, place):
    x = on(place)
    for view in (x[1:], compiled.tail(x)):
        assert view.device == place and view.base is x
        equal(view, [2, 3])
    assert x[0].item() == 1.0


def test_mixed_devices_are_an_error_that_names_both(compiled):
    x, y = on("cuda:0"), on("cuda:1")
    for a, b in [(x, y), (y, x)]:
        with pytest.raises(ValueError, match="(?s)(?=.*CUDA device 0)(?=.*CUDA device 1)"):
            compiled.add(a, b)
    equal(compiled.add(x.to(1), y), [2, 4, 6])
    equal(compiled.add(x, x), [2, 4, 6])


def test_host_arrays_go_where_the_others_are(compiled):
    y = compiled.add(np.ones(3), on("cuda:1"))
    assert y.device == "cuda:1"
    equal(y, [2, 3, 4])


def test_a_chosen_device_and_an_array_elsewhere_are_an_error_that_names_both(compiled):
    with numptx.device(0), pytest.raises(ValueError, match="(?s)(?=.*CUDA device 0)(?=.*CUDA device 1)"):
        compiled.twice(on("cuda:1"))
    with numptx.device(1):
        equal(compiled.twice(on("cuda:1")), [2, 4, 6])


@pytest.mark.parametrize("place", PLACES)
def test_host_arrays_are_computed_on_the_chosen_device(compiled, place):
    with numptx.device(place):
        y = compiled.twice(np.arange(3.0))
    assert isinstance(y, np.ndarray) and numptx.last_device() == place
    np.testing.assert_array_equal(y, [0, 2, 4])


LAYOUTS = {
    "C": lambda x: x,
    "F": np.asfortranarray,
    "strided": lambda x: x[::2, ::3],
    "reversed": lambda x: x[::-1, ::-1],
    "empty": lambda x: x[:0],
    "rank 0": lambda x: x[1, 1, ...],
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_arrays_go_from_device_to_device(layout):
    x = LAYOUTS[layout](np.arange(60.0).reshape(5, 12))
    here = numptx.asarray(x, device=0)
    there = here.to(1)
    assert there.device == "cuda:1" and there.base is None
    np.testing.assert_array_equal(there.to_host(), x)
    np.testing.assert_array_equal(there.to("cuda:0").to_host(), x)
    here.copy_from(there)
    np.testing.assert_array_equal(here.to_host(), x)


def test_a_copy_waits_for_the_other_device_s_work(compiled, pace):
    x = on("cuda:0", np.arange(1000.0))
    with numptx.Stream(device=0):
        y = compiled.twice(x)
    z = compiled.twice(y.to(1))
    equal(z, 4 * np.arange(1000.0))


def test_streams_belong_to_a_device(compiled):
    first, second = numptx.Stream(device=0), numptx.Stream(device=1)
    assert (first.device, second.device) == ("cuda:0", "cuda:1")
    with second:
        assert numptx.Stream().device == "cuda:1" and numptx.Event().device == "cuda:1"
        y = compiled.twice(on("cuda:1"))
        np.testing.assert_array_equal(compiled.twice(np.ones(3)), [2, 2, 2])
        assert numptx.last_device() == "cuda:1"
        with pytest.raises(ValueError, match="(?s)(?=.*CUDA device 0)(?=.*CUDA device 1)"):
            compiled.twice(on("cuda:0"))
    equal(compiled.add(y, y), [4, 8, 12])
    event = first.record()
    second.wait(event)
    second.synchronize()


def test_the_driver_tells_the_device_of_other_libraries_streams(compiled):
    own = [numptx.Stream(device=place) for place in PLACES]
    for stream, place in zip(own, PLACES):
        other = type("Other", (), {"__cuda_stream__": stream.__cuda_stream__})()
        assert numptx.Stream(other) == stream and numptx.Stream(other, device=place).device == place
        with numptx.device("cpu"):
            assert numptx.Graph(other).stream.device == place
        with numptx.Stream(other):
            equal(compiled.twice(on(place)), [2, 4, 6])
        numptx.Event(device=place).record(other)
        elsewhere = PLACES[1 - PLACES.index(place)]
        for make in (numptx.Stream, numptx.Graph):
            for source in (other, stream):
                with pytest.raises(ValueError, match=f"the stream is on {place}, and device='{elsewhere}'"):
                    make(source, device=elsewhere)
    default = type("Default", (), {"__cuda_stream__": lambda _: (0, 1)})()
    assert [numptx.Stream(default, device=place).device for place in PLACES] == PLACES
    with numptx.device(1):
        second = numptx.Stream(default)
    assert second.device == numptx.Stream(second).device == "cuda:1"


def test_a_graph_of_each_device(compiled):
    graphs = []
    for place in PLACES:
        x = on(place)
        with numptx.Graph(device=place) as graph:
            y = compiled.twice(x)
        graphs.append((graph, x, y))
    for scale, (graph, x, y) in enumerate(graphs, 5):
        x.copy_from(np.full(3, float(scale)))
        graph.replay()
        equal(y, np.full(3, 2.0 * scale))
    with pytest.raises(ValueError, match="another device"):
        graphs[0][0].replay(numptx.Stream(device=1))


def test_the_caller_s_context_stays_current(compiled, driver):
    arrays = {place: on(place) for place in PLACES}
    with driver.context(0):
        before = driver.made("cuCtxGetCurrent")
        y = compiled.twice(arrays["cuda:1"])
        assert driver.made("cuCtxGetCurrent") == before
        view = y[1:]
        del y, view
        gc.collect()
        arrays.clear()
        numptx.asarray(np.ones(3), device=1).to(0).to_host()
        assert driver.made("cuCtxGetCurrent") == before


def test_threads_on_devices_of_their_own(compiled):
    wrong = []

    def work(number):
        with numptx.device(number % 2):
            for k in range(50):
                x = numptx.asarray(np.full(100, float(k)))
                y = compiled.add(compiled.twice(x), x)
                if y.device != f"cuda:{number % 2}" or not np.array_equal(y.to_host(), np.full(100, 3.0 * k)):
                    wrong.append((number, k))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_an_image_is_loaded_once_on_each_device(workshop, driver):
    if not IS_MOCK:
        pytest.skip("the mock driver counts")
    fresh = workshop.pair(PROGRAM.replace("2 * x", "3 * x"))[0]
    with driver.log() as calls:
        for place in (*PLACES, *PLACES):
            equal(fresh.twice(on(place)), [3, 6, 9])
    assert calls.count("cuModuleLoadDataEx") == 2


def test_memory_is_counted_and_limited_by_device():
    gc.collect()
    before = [numptx.memory_stats(place)["live_bytes"] for place in PLACES]
    x = numptx.asarray(np.zeros(1000), device=1)
    assert [numptx.memory_stats(place)["live_bytes"] for place in PLACES] == [before[0], before[1] + 8000]
    numptx.set_memory_limit(before[1] + 8000, device=1)
    try:
        with pytest.raises(MemoryError, match="CUDA device 1"):
            numptx.asarray(np.zeros(1000), device=1)
        numptx.asarray(np.zeros(1000), device=0)
    finally:
        numptx.set_memory_limit(None, device=1)
    del x
    numptx.trim(1)


def test_protocols_tell_the_device(compiled):
    x = on("cuda:1")
    assert x.__dlpack_device__() == (2, 1) and pickle.loads(pickle.dumps(x)).device == "cuda:1"
    other = numptx.asarray(Exporter(x))
    assert other.device == "cuda:1"
    y = compiled.add(Exporter(x), x)
    assert y.device == "cuda:1"
    equal(y, [2, 4, 6])
    with pytest.raises(ValueError, match="(?s)(?=.*CUDA device 0)(?=.*CUDA device 1)"):
        compiled.add(Exporter(x), on("cuda:0"))
    with pytest.raises(BufferError):
        x.__dlpack__(dl_device=(2, 0))


@pytest.mark.skipif(not IS_MOCK, reason="the mock driver puts work off until somebody waits")
def test_events_know_the_default_stream_of_the_chosen_device(compiled, driver):
    a, b = on("cuda:0", [1.0, 1.0]), on("cuda:1", [0.0, 0.0])
    numptx.synchronize()
    address = [array.__cuda_array_interface__["data"][0] for array in (a, b)]
    driver.defer(True)
    try:
        stream, event = numptx.Stream(device=0), numptx.Event(device=0)
        with stream:
            compiled.increase(a)
        event.record(stream)
        with numptx.device("cuda:1"):
            with pytest.raises(ValueError, match="different devices"):
                event.record()
            event.wait()
        with driver.context(1):
            contexts = [driver.made("cuDevicePrimaryCtxRetain", device) for device in (0, 1)]
            legacy = ctypes.c_void_p(1)
            driver.cuMemcpyPeerAsync(
                ctypes.c_uint64(address[1]), ctypes.c_void_p(contexts[1]), ctypes.c_uint64(address[0]), ctypes.c_void_p(contexts[0]),
                ctypes.c_size_t(16), legacy,
            )
            driver.cuStreamSynchronize(legacy)
    finally:
        driver.defer(False)
    equal(b, [2.0, 2.0])
