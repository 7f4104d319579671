"""Copies between the host and a GPU go through page-locked blocks in pieces; what a graph reads is its own."""

import contextlib
import ctypes
import gc
import threading

import numpy as np
import pytest

import numptx
from cuda_driver import IS_MOCK
from subprocesses import run_python

PROGRAM = """
#numptx export twice(float64[:])
#numptx export increase(float64[:])
#numptx export write(float64[:], float64[:])
def twice(x):
    return 2 * x
def increase(x):
    x += 1.0
def write(x, out):
    out[:] = 2 * x
"""
KIB, MIB = 1 << 10, 1 << 20
BLOCK = 16 * MIB
# Around what the driver copies before it returns, the smallest copy that is cut, a block, and several blocks.
SIZES = [0, 8, 64 * KIB, 64 * KIB + 8, MIB, MIB + 8, 2 * MIB - 8, BLOCK, 4 * BLOCK, 4 * BLOCK + 8, 5 * BLOCK - 24]

on_mock = pytest.mark.skipif(not IS_MOCK, reason="the mock driver counts")


@pytest.fixture(scope="module")
def compiled(workshop):
    return workshop.pair(PROGRAM)[0]


@pytest.fixture(autouse=True)
def on_device():
    gc.collect()
    with numptx.device("auto"):
        yield
    numptx.set_memory_limit(None)


def numbers(nbytes):
    return np.arange(nbytes / 8)


def pinned():
    return numptx.memory_stats("cuda")["pinned_bytes"]


@pytest.mark.parametrize("nbytes", SIZES)
def test_copies_of_any_size(compiled, nbytes, pace):
    x = numbers(nbytes)
    expected = x.copy()
    there = numptx.asarray(x, device="cuda")
    # What was copied is the array as it was.
    x[:] = -1
    doubled = compiled.twice(there)
    np.testing.assert_array_equal(there.to_host(), expected)
    np.testing.assert_array_equal(doubled.to_host(), 2 * expected)


@pytest.mark.parametrize("nbytes", SIZES)
@pytest.mark.parametrize("step", [1, -3, *(pytest.param(step, marks=pytest.mark.long) for step in (2, -1))])
def test_host_arguments_go_there_and_come_back(compiled, nbytes, step, pace):
    """What lies between the elements stays the caller's."""
    whole = numbers(nbytes)
    x, expected = whole[::step], whole.copy()
    expected[::step] += 1
    with numptx.device("cuda"):
        compiled.increase(x)
        np.testing.assert_array_equal(whole, expected)
        np.testing.assert_array_equal(compiled.twice(x), 2 * x)


@on_mock
def test_pieces_go_through_two_blocks(driver):
    def steps(work):
        with driver.log() as calls:
            work()
        return [name for name in calls if name in ("cuMemcpyHtoDAsync", "cuMemcpyDtoHAsync", "cuEventRecord", "cuEventSynchronize")]

    up, down, mark, wait = "cuMemcpyHtoDAsync", "cuMemcpyDtoHAsync", "cuEventRecord", "cuEventSynchronize"
    x = numbers(2 * MIB)
    # Blocks of every device are counted below.
    numptx.trim()
    there = []
    # A block is written again when the device has read it, not before.
    assert steps(lambda: there.append(numptx.asarray(x, device="cuda"))) == [up, mark, up, mark, wait, up, mark, wait, up, mark]
    numptx.trim("cuda")
    # The next piece comes while one is copied on the host.
    assert steps(lambda: there[0].to_host()) == [down, mark, down, mark, wait, down, mark, wait, down, mark, wait, wait]
    # Few bytes the driver copies by itself, and blocks that are kept are used again.
    small = numbers(MIB)
    assert steps(lambda: there.append(numptx.asarray(small, device="cuda"))) == [up]
    assert steps(lambda: there[1].to_host()) == [down]
    before = driver.count("live_pinned")
    assert before == 2
    for _ in range(3):
        assert steps(lambda: numptx.asarray(x, device="cuda")).count(up) == 4
    assert driver.count("live_pinned") == before
    large = numbers(10 * MIB)
    assert steps(lambda: numptx.asarray(large, device="cuda")).count(up) == 4
    assert steps(lambda: numptx.asarray(numbers(100 * MIB), device="cuda")).count(up) == 7


@on_mock
@pytest.mark.parametrize("nbytes", [64 * KIB, MIB, 2 * MIB])
def test_the_host_s_memory_may_go_before_the_device_has_copied(driver, nbytes):
    """Of pageable memory the driver takes a copy before it returns; pieces have blocks of their own."""
    driver.defer(True)
    try:
        x = numbers(nbytes)
        with numptx.Stream():
            there = numptx.asarray(x, device="cuda")
        x[:] = -1
        del x
        gc.collect()
        np.testing.assert_array_equal(there.to_host(), numbers(nbytes))
        assert driver.count("violations") == 0
    finally:
        driver.defer(False)


@contextlib.contextmanager
def page_locked(driver, nbytes):
    """An array in page-locked memory, as PyTorch's pinned tensors are."""
    with driver.context():
        block = ctypes.c_void_p(driver.made("cuMemHostAlloc", ctypes.c_size_t(nbytes), 0))
    try:
        yield np.frombuffer((ctypes.c_char * nbytes).from_address(block.value), np.float64)
    finally:
        with driver.context():
            driver.cuMemFreeHost(block)


@pytest.mark.parametrize("is_pinned", [False, True])
@pytest.mark.parametrize("nbytes", [8, 64 * KIB, MIB, 2 * MIB])
def test_a_host_argument_may_change_after_a_call(compiled, driver, nbytes, is_pinned, pace):
    """Page-locked memory is read by the device itself, when its turn comes."""
    with page_locked(driver, nbytes) if is_pinned else contextlib.nullcontext(np.empty(nbytes // 8)) as x:
        out = numptx.asarray(np.zeros(nbytes // 8), device="cuda")
        x[:] = numbers(nbytes) + 1
        compiled.write(x, out)
        x[:] = -1
        np.testing.assert_array_equal(out.to_host(), 2 * (numbers(nbytes) + 1))


@on_mock
@pytest.mark.parametrize("failing", ["cuMemHostAlloc", "cuPointerGetAttributes"])
@pytest.mark.parametrize("is_pinned", [False, True])
def test_a_host_argument_may_change_where_there_are_no_blocks_or_no_answer(compiled, driver, failing, is_pinned):
    numptx.trim("cuda")
    with page_locked(driver, MIB) if is_pinned else contextlib.nullcontext(np.empty(MIB // 8)) as x:
        out = numptx.asarray(np.zeros(MIB // 8), device="cuda")
        x[:] = numbers(MIB) + 1
        driver.defer(True)
        try:
            driver.fail_call(failing, 0, 2)
            compiled.write(x, out)
            x[:] = -1
            np.testing.assert_array_equal(out.to_host(), 2 * (numbers(MIB) + 1))
        finally:
            driver.fail_call("", -1, 0)
            driver.defer(False)


@on_mock
def test_blocks_are_counted_and_given_back(driver):
    numptx.trim()
    base, host_base = driver.count("live_pinned"), pinned()
    numptx.asarray(numbers(2 * MIB), device="cuda")
    assert pinned() - host_base == 2 * BLOCK and driver.count("live_pinned") == base + 2
    assert numptx.memory_stats()["pinned_bytes"] >= pinned()
    assert numptx.memory_stats("cpu")["pinned_bytes"] == 0
    numptx.trim("cuda")
    assert pinned() == host_base and driver.count("live_pinned") == base


@on_mock
def test_without_page_locked_memory_the_driver_copies(compiled, driver):
    numptx.trim("cuda")
    x = numbers(2 * MIB)
    driver.fail_call("cuMemHostAlloc", 0, 2)
    with driver.log() as calls:
        there = numptx.asarray(x, device="cuda")
    assert calls.count("cuMemHostAlloc") == calls.count("cuMemcpyHtoDAsync") == 1
    np.testing.assert_array_equal(there.to_host(), x)
    environment = {"NUMPTX_DEVICE": "auto"}
    text = """
    import ctypes, os, numpy as np, numptx
    driver = ctypes.CDLL(os.environ["NUMPTX_LIBCUDA"])
    driver.numptx_mock_count.restype = ctypes.c_int64
    count = lambda name: driver.numptx_mock_count(name)
    x = np.arange(300_000.0)
    y = numptx.asarray(x, device="cuda")
    assert (y.to_host() == x).all()
    blocks = numptx.memory_stats("cuda")["pinned_bytes"]
    print(count(b"uploads"), count(b"downloads"), count(b"live_pinned"), blocks)
    """
    assert run_python(text, environment={**environment, "NUMPTX_STAGING_BYTES": "0"}).split() == ["1", "1", "0", "0"]
    assert run_python(text, environment={**environment, "NUMPTX_STAGING_BYTES": "65536"}).split() == ["37", "37", "2", "131072"]


@on_mock
@pytest.mark.filterwarnings("ignore::numptx.CudaWarning")
@pytest.mark.parametrize("code", [2, 700, 9999])
def test_each_driver_call_of_a_copy_fails_in_turn(compiled, driver, code):
    """An exception or the right result, nothing kept but staging, and the next copy is right."""
    x = numbers(2 * MIB)

    def copies():
        mine = x.copy()
        with numptx.device("cuda"):
            compiled.increase(mine)
            return compiled.twice(mine)

    np.testing.assert_array_equal(copies(), 2 * (x + 1))
    stats = numptx.memory_stats("cuda")
    for n in range(400):
        if n % 7 == 0:
            numptx.trim("cuda")
        driver.fail_call("", n, code)
        try:
            np.testing.assert_array_equal(copies(), 2 * (x + 1))
        except (numptx.CudaError, MemoryError, RuntimeError):
            pass
        if driver.fail_call("", -1, 0) >= 0:
            break
        after = numptx.memory_stats("cuda")
        assert [after[key] for key in ("live_buffers", "live_bytes")] == [stats[key] for key in ("live_buffers", "live_bytes")]
        assert driver.count("violations") == 0
        np.testing.assert_array_equal(copies(), 2 * (x + 1))
    else:
        raise AssertionError("a call makes fewer driver calls than that")
    # Blocks of which nobody knew whether the device was done with them were left alone: few.
    numptx.trim("cuda")
    assert pinned() <= 8 * BLOCK


def test_threads_copy_at_once(compiled, pace):
    wrong = []

    def work(seed):
        x = np.random.default_rng(seed).random(300_000)
        for _ in range(5):
            with numptx.device("cuda"):
                mine = x.copy()
                compiled.increase(mine)
            if not (mine == x + 1).all():
                wrong.append(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert not wrong
    numptx.synchronize()
    assert pinned() <= 16 * BLOCK
    if IS_MOCK:
        numptx.asarray(numbers(2 * MIB), device="cuda")
        assert pinned() <= 4 * BLOCK


def test_staging_of_a_graph_is_its_own(compiled, pace):
    """It lives as long as the graph, whatever is trimmed, and holds the argument as it was."""
    numptx.trim("cuda")
    x = numbers(MIB)
    expected = 2 * x
    base = pinned()
    with numptx.Graph() as graph:
        with numptx.device("cuda"):
            y = compiled.twice(x)
            # A copy during the capture does not become part of it.
            other = numptx.asarray(x, device="cuda")
    assert pinned() >= base + MIB
    x[:] = 0
    numptx.trim("cuda")
    assert pinned() == base + MIB
    for _ in range(2):
        graph.replay()
        np.testing.assert_array_equal(y.to_host(), expected)
    np.testing.assert_array_equal(other.to_host(), expected / 2)
    del graph, y, other
    gc.collect()
    numptx.trim("cuda")
    assert pinned() == base


@on_mock
@pytest.mark.parametrize("mode", ["global", "thread_local", "relaxed"])
def test_copies_end_no_capture(compiled, driver, mode):
    numptx.trim("cuda")
    x, z = numptx.asarray(numbers(8 * KIB), device="cuda"), numbers(MIB)
    invalidated = driver.count("invalidated")
    with numptx.Graph(mode=mode) as graph:
        y = compiled.twice(x)
        np.testing.assert_array_equal(numptx.asarray(z, device="cuda").to_host(), z)
        numptx.trim("cuda")
    graph.replay()
    np.testing.assert_array_equal(y.to_host(), 2 * numbers(8 * KIB))
    assert driver.count("invalidated") == invalidated


def test_a_limit_counts_copies_of_host_arguments(compiled):
    x = numbers(4 * MIB)
    numptx.set_memory_limit(numptx.memory_stats("cuda")["live_bytes"] + 6 * MIB)
    before = numptx.memory_stats("cuda")
    with numptx.device("cuda"):
        with pytest.raises(MemoryError, match="the limit of numptx.set_memory_limit"):
            compiled.twice(x)
        after = numptx.memory_stats("cuda")
        assert (after["live_buffers"], after["live_bytes"]) == (before["live_buffers"], before["live_bytes"])
        compiled.increase(x)
    np.testing.assert_array_equal(x, numbers(4 * MIB) + 1)
