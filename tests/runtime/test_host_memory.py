"""Each large piece of host memory that a program's arrays ask for is denied in turn: `MemoryError`, nothing kept, and the next try works."""

import pathlib

import pytest

from fixture_module import build_library
from subprocesses import run_python

PROGRAM = """
#numptx export twice(float64[:])
#numptx export middle(float64[:])
#numptx export in_order(float64[:])
#numptx export order(float64[:])
#numptx export small_order(float32[:])
#numptx export complex_order(complex128[:])
#numptx export columns(float64[:,:])
#numptx export increase(float64[:])
#numptx export running(float64[:])
import numpy as np
def twice(x):
    return 2 * x
def middle(x):
    return np.median(x)
def in_order(x):
    return np.sort(x)
def order(x):
    return np.argsort(x)
def small_order(x):
    return np.argsort(x)
def complex_order(x):
    return np.sort(x)
def columns(x):
    return x.T.reshape(-1)
def increase(x):
    x += 1
def running(x):
    return np.cumsum(x)
"""

DENIALS = """
    import copy, ctypes, gc, pickle, sys
    import numpy as np, numptx
    from compilation import load_compiled

    module, place = load_compiled(sys.argv[1]), sys.argv[2]
    allocator = ctypes.CDLL(None)
    allocator.denials_left.restype = ctypes.c_long
    n = 1 << 17
    host = np.arange(float(n))
    array = numptx.asarray(host.copy(), device=place)
    square = numptx.asarray(host.reshape(256, -1).copy(), device=place)
    real = np.sin(host)

    def overlapping():
        array[1:].copy_from(array[:-1])

    def strided():
        array[::2].copy_from(array[::-2])

    def from_host():
        array[::2].copy_from(host[::2])

    def backwards():
        array[::-1].copy_from(host)

    def shared():
        one = numptx.asarray(np.lib.stride_tricks.as_strided(host.copy(), (n - 1, 2), (8, 8)), device=place)
        one.copy_from(np.ones((n - 1, 2)))

    OPERATIONS = {
        "a copy that overlaps": overlapping,
        "a strided copy": strided,
        "a copy from the host": from_host,
        "a copy backwards": backwards,
        "a copy to elements that share memory": shared,
        "to_host": lambda: array.to_host(),
        "to_host of a view": lambda: array[::3].to_host(),
        "to": lambda: (array.to("cpu"), square.T.to("cpu")),
        "asarray": lambda: numptx.asarray(host[::2], device=place),
        "copy": lambda: (copy.copy(array), copy.deepcopy(square.T)),
        "a pickle": lambda: pickle.loads(pickle.dumps(array)),
        "dlpack with a copy": lambda: array.__dlpack__(copy=True),
        "a result": lambda: module.twice(array),
        "a result of host arrays": lambda: module.twice(host),
        "a write to a host array": lambda: module.increase(real[::2]),
        "a sort": lambda: module.in_order(real),
        "a median": lambda: module.middle(real),
        "an argsort": lambda: module.order(real),
        "an argsort of few bytes": lambda: module.small_order(real.astype(np.float32)),
        "a sort of complex numbers": lambda: module.complex_order(real + 1j),
        "a reshape that copies": lambda: module.columns(square),
        "a running sum": lambda: module.running(array),
    }

    def live():
        gc.collect()
        stats = numptx.memory_stats()
        return stats["live_buffers"], stats["live_bytes"], stats["foreign_buffers"]

    total = 0
    with numptx.device(place):
        for name, operation in OPERATIONS.items():
            operation()
            before = live()
            for number in range(50):
                # Blocks that were kept would serve, and are given back where there is no memory.
                numptx.trim("cpu")
                allocator.deny_allocations(ctypes.c_long(number), ctypes.c_long(2), ctypes.c_size_t(n))
                try:
                    operation()
                    outcome = None
                except MemoryError as error:
                    outcome = error
                    assert "memory" in str(error) or not str(error), (name, number, error)
                    error.__traceback__ = None
                left = allocator.denials_left()
                allocator.deny_allocations(ctypes.c_long(-1), ctypes.c_long(0), ctypes.c_size_t(0))
                outcome_said = outcome is not None
                del outcome
                assert live() == before, (name, number, live(), before)
                if left == 2:
                    assert not outcome_said, (name, number)
                    break
                total += outcome_said
            else:
                raise AssertionError(f"{name}: no end")
            operation()
    print(total)
"""


@pytest.fixture(scope="module")
def denier(tmp_path_factory):
    source = pathlib.Path(__file__).with_name("fail_allocations.c")
    return build_library(source, tmp_path_factory.mktemp("denier") / "fail_allocations.so", "-ldl")


def test_each_large_allocation_is_denied_in_turn(workshop, denier, device):
    compiled = workshop.pair(PROGRAM)[0]
    said = run_python(DENIALS, compiled.__file__, device, environment={"LD_PRELOAD": str(denier), "NUMPTX_NUM_THREADS": "2"})
    assert int(said) >= 20, said


def test_a_copy_under_a_limit_of_the_system_raises():
    """As the system denies memory, not a stand-in for its allocator."""
    run_python("""
        import resource, sys
        import numpy as np, numptx
        n = 256 << 20
        a = numptx.asarray(np.zeros(n, np.uint8))
        used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + (64 << 20), resource.RLIM_INFINITY))
        try:
            a[1:].copy_from(a[:-1])
        except MemoryError as error:
            assert "out of host memory: 256.0 MiB wanted" in str(error), error
        else:
            sys.exit("no MemoryError")
        assert a.shape == (n,)
    """)


def test_extents_that_no_memory_holds_are_errors():
    import numptx
    from dlpack_exchange import allocated

    for shape in ([1 << 62, 8], [-1, -8], [-5], [1 << 31] * 3, [1] * 17, [1] * 70):
        error = allocated(shape)
        assert error is not None, shape
    assert allocated([2, 3]) is None
