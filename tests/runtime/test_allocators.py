"""Device memory from a source that the program chooses: PyTorch, CuPy, RMM (stand-ins for them here), or an object with two methods."""

import contextlib
import ctypes
import gc
import sys
import threading
import types
import weakref

import numpy as np
import pytest

import numptx
from allocating_program import PROGRAM
from subprocesses import run_python

# More than streams keep for the next result.
LARGE = 200_000


class Allocator:
    """The driver's plain memory. What comes back is free at once for the next one who asks for as much in the order of the same stream, as in caching
    allocators; the driver gets it at the end."""

    def __init__(self, driver):
        self.driver, self.live, self.free, self.calls, self.threads = driver, {}, {}, [], set()

    def allocate(self, nbytes, device, stream):
        kept = self.free.get((nbytes, device, stream))
        if kept:
            pointer = kept.pop()
        else:
            with self.driver.context(device):
                pointer = self.driver.made("cuMemAlloc_v2", ctypes.c_size_t(nbytes), kind=ctypes.c_uint64)
        assert pointer not in self.live
        self.live[pointer] = nbytes, device, stream
        self.calls.append(("allocate", nbytes, device, stream))
        self.threads.add(threading.get_ident())
        return pointer

    def deallocate(self, pointer, nbytes, device, stream):
        assert self.live.pop(pointer) == (nbytes, device, stream)
        self.free.setdefault((nbytes, device, stream), []).append(pointer)
        self.calls.append(("deallocate", nbytes, device, stream))

    def end(self):
        """Everything came back; the driver gets it."""
        numptx.synchronize()
        assert not self.live
        for pointers in self.free.values():
            for pointer in pointers:
                self.driver.cuMemFree_v2(ctypes.c_uint64(pointer))


# Streams that allocators were told of, which are used again for ever.
KNOWN_STREAMS = []


@pytest.fixture(scope="module", autouse=True)
def streams_stay_here(driver):
    """What other files count are streams that no allocator knows."""
    yield
    gc.collect()
    for place in numptx.devices()[1:]:
        live = driver.count("live_streams")
        while driver.count("live_streams") == live:
            KNOWN_STREAMS.append(numptx.Stream(device=place))


@pytest.fixture
def make(driver):
    """Allocators to be chosen: everything is given back in the end, and nothing wrong was done."""
    numptx.trim()
    gc.collect()
    violations, unraisable, hook = driver.count("violations"), [], sys.unraisablehook
    sys.unraisablehook = unraisable.append
    made = []

    def make_one():
        made.append(Allocator(driver))
        return made[-1]

    try:
        with numptx.device("auto"):
            yield make_one
    finally:
        numptx.set_allocator(None)
        sys.unraisablehook = hook
    gc.collect()
    numptx.trim()
    for allocator in made:
        allocator.end()
    assert not unraisable and driver.count("violations") == violations


@pytest.fixture
def allocator(make):
    chosen = make()
    numptx.set_allocator(chosen)
    return chosen


def on_gpu(values, device="cuda"):
    return numptx.asarray(np.array(values, float), device=device)


def equal(array, values):
    np.testing.assert_allclose(array.to_host(), values)


@pytest.mark.parametrize("n", [1, 1000, LARGE])
def test_all_device_memory_comes_from_it_and_goes_back(compiled, modules, allocator, driver, pace, n):
    with driver.log() as calls:
        x, y = np.arange(float(n)), np.ones(n)
        a, b = on_gpu(x), on_gpu(y)
        equal(compiled.chain(a, b), modules[1].chain(x, y))
        a[::2].copy_from(y[::2])
        with numptx.device("cuda"):
            np.testing.assert_array_equal(compiled.twice(x), 2 * x)
        assert {8 * n} <= {nbytes for nbytes, *_ in allocator.live.values()}
        del a, b
        numptx.trim()
    assert not allocator.live
    assert not {"cuMemAllocFromPoolAsync", "cuMemFreeAsync"}.intersection(calls)


def test_it_is_told_the_stream_and_the_device(compiled, allocator):
    x = on_gpu(np.arange(float(LARGE)))
    stream = numptx.Stream()
    with stream:
        y = compiled.twice(x)
    with numptx.Stream(device=1) as second:
        z = on_gpu(np.ones(LARGE), 1)
    assert [call[2:] for call in allocator.calls] == [(0, 0), (0, stream.handle), (1, second.handle)]
    del x, y, z
    assert sorted(call[2:] for call in allocator.calls[3:]) == sorted([(0, 0), (0, stream.handle), (1, second.handle)])


def test_memory_comes_back_after_the_work_of_all_streams(compiled, allocator, pace):
    """What comes back may be used at once in the order of its stream."""
    home, other = numptx.Stream(), numptx.Stream()
    for _ in range(4):
        with home:
            x = on_gpu(np.arange(float(LARGE)))
        with other:
            y = compiled.twice(x)
        del x
        with home:
            on_gpu(np.full(LARGE, -1.0))
        equal(y, 2 * np.arange(float(LARGE)))


def test_memory_goes_back_to_the_allocator_that_gave_it(compiled, make):
    first, second = make(), make()
    x = on_gpu(np.ones(10))
    numptx.set_allocator(first)
    # Small blocks of before are not used any more.
    y, large = compiled.twice(x), compiled.add(on_gpu(np.ones(LARGE)), on_gpu(np.ones(LARGE)))
    assert len(first.live) == 2
    numptx.set_allocator(second)
    z = compiled.twice(y)
    assert len(first.live) == 2 and len(second.live) == 1
    del y
    w = compiled.twice(x)
    assert len(first.live) == 1 and len(second.live) == 2
    numptx.set_allocator(None)
    del large, w
    v = compiled.twice(z)
    assert (len(first.live), len(second.live)) == (0, 1)
    del z
    assert not second.live
    equal(v, np.full(10, 8.0))
    equal(x, np.ones(10))


def test_an_allocator_goes_when_it_has_its_memory_back(compiled, driver, make):
    chosen = Allocator(driver)
    gone = weakref.ref(chosen)
    numptx.set_allocator(chosen)
    x = on_gpu(np.ones(LARGE))
    free = chosen.free
    numptx.set_allocator(None)
    del chosen
    gc.collect()
    assert gone() is not None
    del x
    gc.collect()
    assert gone() is None
    for pointers in free.values():
        for pointer in pointers:
            driver.cuMemFree_v2(ctypes.c_uint64(pointer))


class Failing(Allocator):
    """Raises so many times."""

    def __init__(self, driver, error, times):
        super().__init__(driver)
        self.error, self.times = error, times

    def allocate(self, nbytes, device, stream):
        if self.times:
            self.times -= 1
            raise self.error
        return super().allocate(nbytes, device, stream)


@pytest.mark.parametrize("by_call", [True, False])
def test_what_it_raises_is_the_cause_of_a_memory_error(compiled, driver, make, by_call):
    x, error = on_gpu(np.ones(LARGE)), ValueError("no more of it")
    allocator = Failing(driver, error, 3)
    numptx.set_allocator(allocator)
    with pytest.raises(MemoryError, match="the allocator of numptx.set_allocator failed: ValueError: no more of it") as caught:
        compiled.twice(x) if by_call else on_gpu(np.ones(LARGE))
    assert caught.value.__cause__ is error and allocator.times == 0
    # It is asked again when memory was given back.
    for times in (1, 2):
        allocator.times = times
        equal(compiled.twice(x), np.full(LARGE, 2.0))
    numptx.set_allocator(None)
    allocator.end()


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_what_ends_a_program_passes(compiled, driver, make, error):
    x = on_gpu(np.ones(LARGE))
    allocator = Failing(driver, error("stop"), 1)
    numptx.set_allocator(allocator)
    for work in (lambda: compiled.twice(x), lambda: on_gpu(np.ones(LARGE)), lambda: numptx.empty(LARGE, device="cuda")):
        allocator.times = 1
        with pytest.raises(error, match="stop"):
            work()
    numptx.set_allocator(None)
    allocator.end()


@pytest.mark.parametrize(
    "answer, error, match",
    [
        (None, MemoryError, "TypeError"),
        ("0x100", MemoryError, "TypeError"),
        (-1, MemoryError, "OverflowError"),
        (0, RuntimeError, "returned the address 0x0"),
        (0x1010, RuntimeError, "begins at a multiple of 256"),
    ],
)
def test_what_is_no_memory_is_an_error(compiled, make, answer, error, match):
    x = on_gpu(np.ones(LARGE))
    numptx.set_allocator(types.SimpleNamespace(allocate=lambda *_: answer, deallocate=lambda *_: None))
    with pytest.raises(error, match=match):
        compiled.twice(x)


def test_memory_that_is_given_twice_is_an_error(compiled, make):
    allocator = make()
    x = on_gpu(np.ones(LARGE))
    pointer = allocator.allocate(8 * LARGE, 0, 0)
    numptx.set_allocator(types.SimpleNamespace(allocate=lambda *_: pointer, deallocate=allocator.deallocate))
    y = compiled.twice(x)
    with pytest.raises(RuntimeError, match="which it gave before and did not get back"):
        compiled.twice(x)
    equal(y, np.full(LARGE, 2.0))


def test_what_a_deallocation_raises_is_not_lost(compiled, driver, make):
    allocator, told, hook = make(), [], sys.unraisablehook
    bad = types.SimpleNamespace(allocate=allocator.allocate, deallocate=lambda *_: [allocator.deallocate(*_), 1 / 0])
    numptx.set_allocator(bad)
    x = on_gpu(np.ones(LARGE))
    sys.unraisablehook = told.append
    try:
        with pytest.raises(KeyError):
            x = None
            {}["a"]
    finally:
        sys.unraisablehook = hook
    assert [found.exc_type for found in told] == [ZeroDivisionError]
    told.clear()


def test_captured_calls_take_their_memory_from_it(compiled, modules, allocator, pace):
    x, y = on_gpu([1, 2, 3]), on_gpu([4, 5, 6])
    with numptx.Graph() as graph:
        z = compiled.chain(x, y)
    assert len(allocator.live) >= 4
    for n in range(3):
        x.copy_from(np.full(3, float(n)))
        graph.replay()
        equal(z, modules[1].chain(np.full(3, float(n)), np.array([4.0, 5, 6])))


def test_streams_live_as_long_as_memory_is_kept_in_their_order(compiled, driver, allocator, pace):
    """A caching allocator gives a stream's memory to the next stream of the same handle."""
    x, handles = on_gpu(np.arange(float(LARGE))), []
    with driver.log() as calls:
        for _ in range(60):
            with numptx.Stream() as stream:
                handles.append(stream.handle)
                y = compiled.twice(x)
            del stream
            equal(y, 2 * np.arange(float(LARGE)))
            del y
    assert "cuStreamDestroy" not in calls
    # A few are noted as readers of `x`; the others are used again.
    assert not set(handles[30:]) - set(handles[:30])


def test_it_may_use_numptx_itself(compiled, make):
    """No lock of numptx is held while it runs."""
    inner = make()

    def looked_at(function):
        def run(*arguments):
            numptx.memory_stats("cuda")
            numptx.synchronize()
            numptx.Stream().synchronize()
            return function(*arguments)

        return run

    numptx.set_allocator(types.SimpleNamespace(allocate=looked_at(inner.allocate), deallocate=looked_at(inner.deallocate)))
    x = on_gpu(np.ones(LARGE))
    with numptx.Stream():
        equal(compiled.twice(x), np.full(LARGE, 2.0))
    # A short call keeps the interpreter's lock, and what it asks of Python has it.
    with numptx.device("auto"):
        equal(compiled.twice(on_gpu(np.ones(10))), np.full(10, 2.0))


def test_threads(compiled, allocator):
    x, wrong = on_gpu(np.arange(float(LARGE))), []

    def work(number):
        with numptx.Stream():
            for k in range(10):
                y = compiled.add(compiled.twice(x), on_gpu(np.full(LARGE, float(k))))
                if not np.array_equal(y.to_host(), 2 * np.arange(float(LARGE)) + k):
                    wrong.append((number, k))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert not wrong and len(allocator.threads) == 5


def test_limits_and_counters_hold(compiled, allocator):
    x = on_gpu(np.ones(LARGE))
    stats = numptx.memory_stats("cuda")
    numptx.set_memory_limit(stats["live_bytes"] + 8 * LARGE)
    try:
        y = compiled.twice(x)
        assert numptx.memory_stats("cuda")["live_bytes"] == stats["live_bytes"] + 8 * LARGE
        with pytest.raises(MemoryError, match="the limit of numptx.set_memory_limit") as caught:
            compiled.twice(x)
        assert caught.value.__cause__ is None
        del y
        equal(compiled.twice(x), np.full(LARGE, 2.0))
    finally:
        numptx.set_memory_limit(None)


def test_what_is_no_allocator_is_refused(make):
    with pytest.raises(ValueError, match="'torch', 'cupy', 'rmm', None or an object; found 'jax'"):
        numptx.set_allocator("jax")
    for wrong in (3, object(), types.SimpleNamespace(allocate=len)):
        with pytest.raises(TypeError, match="has the methods allocate"):
            numptx.set_allocator(wrong)


@contextlib.contextmanager
def modules_named(**found):
    """While the block runs, `import` finds these."""
    names = {name.replace("__", "."): module for name, module in found.items()}
    before = {name: sys.modules.get(name) for name in names}
    sys.modules.update(names)
    try:
        yield
    finally:
        for name, module in before.items():
            sys.modules.pop(name) if module is None else sys.modules.update({name: module})


def fake_torch(allocator):
    torch = types.ModuleType("torch")
    torch.cuda = types.SimpleNamespace(
        caching_allocator_alloc=lambda size, device, stream: allocator.allocate(size, device, stream),
        caching_allocator_delete=lambda pointer: allocator.deallocate(pointer, *allocator.live[pointer]),
    )
    return {"torch": torch}


def fake_cupy(allocator):
    """CuPy's memory goes where its object goes."""
    state = {"device": [0], "stream": [0]}

    class Entered:
        kind = None

        def __init__(self, value):
            self.value = value

        def __enter__(self):
            state[self.kind].append(self.value)

        def __exit__(self, *_):
            state[self.kind].pop()

    class Device(Entered):
        kind = "device"

    class ExternalStream(Entered):
        kind = "stream"

    class Memory:
        def __init__(self, nbytes):
            self.ptr = allocator.allocate(nbytes, state["device"][-1], state["stream"][-1])

        def __del__(self):
            allocator.deallocate(self.ptr, *allocator.live[self.ptr])

    cupy = types.ModuleType("cupy")
    cupy.cuda = types.SimpleNamespace(Device=Device, ExternalStream=ExternalStream, Stream=types.SimpleNamespace(null=ExternalStream(0)), alloc=Memory)
    return {"cupy": cupy}


def fake_new_cupy(allocator):
    """CuPy 14 takes streams of others as the protocol has them."""
    found = fake_cupy(allocator)
    cuda = found["cupy"].cuda
    external = cuda.ExternalStream
    cuda.Stream.from_external = lambda stream: external(stream.__cuda_stream__()[1])
    del cuda.ExternalStream
    return found


def fake_rmm(allocator):
    class Stream:
        def __init__(self, other=None):
            self.handle = other.__cuda_stream__()[1] if other else 0

    class Resource:
        def __init__(self, device):
            self.device = device

        def allocate(self, nbytes, stream):
            return allocator.allocate(nbytes, self.device, stream.handle)

        def deallocate(self, pointer, nbytes, stream):
            allocator.deallocate(pointer, nbytes, self.device, stream.handle)

    rmm, mr, pylibrmm, stream = (types.ModuleType(name) for name in ("rmm", "rmm.mr", "rmm.pylibrmm", "rmm.pylibrmm.stream"))
    rmm.mr, rmm.pylibrmm, pylibrmm.stream = mr, pylibrmm, stream
    mr.get_per_device_resource, stream.Stream = Resource, Stream
    return {"rmm": rmm, "rmm__mr": mr, "rmm__pylibrmm": pylibrmm, "rmm__pylibrmm__stream": stream}


@pytest.mark.parametrize("name, fake", [("torch", fake_torch), ("cupy", fake_cupy), ("cupy", fake_new_cupy), ("rmm", fake_rmm)])
def test_other_libraries_allocators_are_chosen_by_name(compiled, make, name, fake):
    inner = make()
    with modules_named(**fake(inner)):
        numptx.set_allocator(name)
        x = on_gpu(np.ones(LARGE))
        stream = numptx.Stream()
        with stream:
            y = compiled.twice(x)
        z = on_gpu(np.ones(LARGE), 1)
        assert [call[2:] for call in inner.calls] == [(0, 0), (0, stream.handle), (1, 0)]
        equal(y, np.full(LARGE, 2.0))
        del x, y
        numptx.set_allocator(None)
        assert len(inner.live) == 1
        del z
        assert not inner.live


def test_a_library_that_is_not_there_is_said(make):
    with modules_named(torch=None), pytest.raises(ImportError):
        numptx.set_allocator("torch")


@pytest.mark.parametrize("end", ["", "sys.exit(0)", "threading.Thread(target=work).start()"])
def test_the_end_is_quiet(compiled, end):
    run_python(
        f"""
        import ctypes, sys, threading, numpy as np, numptx
        from compilation import load_compiled
        from cuda_driver import Driver
        kernels, driver = load_compiled(sys.argv[1]), Driver()

        class Allocator:
            def allocate(self, nbytes, device, stream):
                return driver.made("cuMemAlloc_v2", ctypes.c_size_t(nbytes), kind=ctypes.c_uint64)
            def deallocate(self, pointer, nbytes, device, stream):
                driver.cuMemFree_v2(ctypes.c_uint64(pointer))

        def work():
            for _ in range(100):
                kernels.twice(x)

        numptx.set_allocator(Allocator())
        x = numptx.asarray(np.ones({LARGE}), device="cuda")
        sys.keep_for_ever = [x, kernels.twice(x)]
        cycle = [kernels.twice(x)]
        cycle.append(cycle)
        {end}
        """,
        compiled.__file__,
        quiet=True,
    )
