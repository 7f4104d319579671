"""Products of matrices on a device: by cuBLAS where it is and takes matrices as they lie, by tiled kernels of the runtime's or the module's own kernels
otherwise. The results are NumPy's either way."""

import contextlib
import os
import pathlib
import shutil
import subprocess
import sys
import threading

import numpy as np
import pytest

import numptx
from cuda_driver import IS_MOCK

DTYPES = ["float32", "float64", "complex64", "complex128"]
INTEGERS = ["int32", "int64", "uint32", "uint64"]
PROGRAM = """
import numpy as np
""" + "".join(
    f"""
#numptx export product({t}[:,:], {t}[:,:])
#numptx export stacked({t}[:,:,:], {t}[:,:,:])
#numptx export stacked({t}[:,:,:], {t}[:,:])
#numptx export stacked({t}[:,:,:,:], {t}[:,:,:])
#numptx export stacked({t}[:,:,:,:], {t}[:,:,:,:])
#numptx export into({t}[:,:], {t}[:,:], {t}[:,:])
#numptx export fused({t}[:,:], {t}[:,:], {t}[:,:])
#numptx export contracted({t}[:,:,:], {t}[:,:,:])
#numptx export chain({t}[:,:], int)
#numptx export triangle({t}[:,:], int)
"""
    for t in DTYPES
) + "".join(
    f"""
#numptx export product({t}[:,:], {t}[:,:])
#numptx export stacked({t}[:,:,:,:], {t}[:,:,:])
#numptx export of_sums({t}[:,:], {t}[:,:])
"""
    for t in INTEGERS
) + """
#numptx export product(int16[:,:], int16[:,:])
def product(a, b):
    return a @ b
def stacked(a, b):
    return np.matmul(a, b)
def into(a, b, out):
    np.matmul(a, b, out=out)
def fused(a, b, c):
    return np.abs(2 * a @ (b + 1) + c)
def contracted(a, b):
    return np.tensordot(a, b, ((1, 2), (0, 1)))
def of_sums(a, b):
    return np.sum(a[:, None] * b.T[None], axis=2, dtype=a.dtype)
def triangle(x, m):
    c = np.zeros((m, m), x.dtype)
    for i in range(m):
        c[i, i:m] = c[i:m, i] = x[:, i] @ x[:, i:m] / 2
    return c
def chain(a, n):
    x = a
    for k in range(n):
        x = x @ a
        x = x / np.max(np.abs(x))
    return x
"""


@pytest.fixture
def plain(modules):
    return modules[1]


@pytest.fixture(autouse=True)
def on_device(pytestconfig):
    with numptx.device(pytestconfig.getoption("--device")):
        yield


def values(shape, dtype, seed=0):
    rng = np.random.default_rng(seed)
    if np.dtype(dtype).kind in "iu":
        return rng.integers(-9, 9, shape).astype(dtype)
    x = rng.standard_normal(shape)
    return (x + 1j * rng.standard_normal(shape)).astype(dtype) if np.dtype(dtype).kind == "c" else x.astype(dtype)


def is_near(found, wanted, a, b):
    """Every element within the bound of a sum of so many products: Higham, Accuracy and Stability of Numerical Algorithms, 3.5."""
    found, eps = np.asarray(found), np.finfo(wanted.dtype).eps
    bound = 4 * a.shape[-1] * eps * np.matmul(np.abs(a), np.abs(b))
    assert found.dtype == wanted.dtype and found.shape == wanted.shape
    assert np.all(np.abs(found - wanted) <= bound + np.finfo(wanted.dtype).tiny)


@pytest.fixture
def calls_of_library(pytestconfig, request):
    """On the mock driver: a block that gives the library so many products."""

    @contextlib.contextmanager
    def counted(wanted):
        if not IS_MOCK or pytestconfig.getoption("--device") == "cpu":
            yield
            return
        with request.getfixturevalue("driver").log() as log:
            yield
        assert log.count("cublasGemm") == wanted

    return counted


def counted_launches(pytestconfig, request, is_expected):
    """On the mock driver: a block whose launches of kernels without a twin on the host, as tiled ones are, are as expected."""

    @contextlib.contextmanager
    def counted():
        if not IS_MOCK or pytestconfig.getoption("--device") == "cpu":
            yield
            return
        driver = request.getfixturevalue("driver")
        before = driver.count("device_code")
        yield
        assert is_expected(driver.count("device_code") - before)

    return counted


@pytest.fixture
def tiled_launches(pytestconfig, request):
    """On the mock driver: a block in which a tiled kernel computes."""
    return counted_launches(pytestconfig, request, lambda n: n > 0)


@pytest.fixture
def no_tiles(pytestconfig, request):
    """On the mock driver: a block in which none does."""
    return counted_launches(pytestconfig, request, lambda n: n == 0)


def placed(pytestconfig, array):
    """An array of the same strides where the test runs."""
    if pytestconfig.getoption("--device") == "cpu":
        return array
    whole = array
    while whole.base is not None:
        whole = whole.base
    there = numptx.asarray(whole, device="cuda")
    return view_like(there, whole, array)


def view_like(there, whole, array):
    """Of an array that is a copy of `whole` elsewhere: the view that `array` is of `whole`."""
    interface = dict(there.__cuda_array_interface__)
    first = array.__array_interface__["data"][0] - whole.__array_interface__["data"][0]
    start = interface["data"][0] + first
    interface.update(data=(start, False), shape=array.shape, strides=array.strides, typestr=array.dtype.str)
    return numptx.asarray(Shown(interface, there))


class Shown:
    """A view in a device's memory, as other libraries show theirs."""

    def __init__(self, interface, owner):
        self.__cuda_array_interface__, self.owner = interface, owner


def host(array):
    return array.to_host() if isinstance(array, numptx.Array) else array


LAYOUTS = {
    "by rows": lambda x: x.copy(),
    "by columns": lambda x: np.asfortranarray(x),
    "rows with room between": lambda x: np.pad(x, ((0, 0), (0, 5)))[:, : x.shape[1]],
    "columns with room between": lambda x: np.pad(x.T, ((0, 0), (0, 3))).T[: x.shape[0]],
}
ODD = {
    "every other column": lambda x: np.repeat(x, 2, axis=1)[:, ::2],
    "backwards": lambda x: x[:, ::-1].copy()[:, ::-1],
    "rows backwards": lambda x: x[::-1].copy()[::-1],
    "one for all of a row": lambda x: np.broadcast_to(x[:, :1], x.shape),
}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("of_a", LAYOUTS)
@pytest.mark.parametrize("of_b", LAYOUTS)
def test_matrices_are_taken_as_they_lie(compiled, pytestconfig, calls_of_library, dtype, of_a, of_b):
    a, b = LAYOUTS[of_a](values((37, 45), dtype)), LAYOUTS[of_b](values((45, 41), dtype, 1))
    a_there, b_there = placed(pytestconfig, a), placed(pytestconfig, b)
    with calls_of_library(1):
        found = compiled.product(a_there, b_there)
    is_near(host(found), a @ b, a, b)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("layout", ODD)
def test_other_layouts_are_computed_by_tiles(compiled, pytestconfig, calls_of_library, tiled_launches, dtype, layout):
    a, b = ODD[layout](values((37, 45), dtype)), values((45, 41), dtype, 1)
    a_there, b_there = placed(pytestconfig, a), placed(pytestconfig, b)
    with calls_of_library(0), tiled_launches():
        found = compiled.product(a_there, b_there)
        found = host(found)
    is_near(found, a @ b, a, b)


def test_one_row_for_all_is_the_kernel_s(compiled, pytestconfig, calls_of_library):
    a, b = np.broadcast_to(values((1, 45), "float64"), (37, 45)), values((45, 41), "float64", 1)
    a_there, b_there = placed(pytestconfig, a), placed(pytestconfig, b)
    with calls_of_library(0):
        found = compiled.product(a_there, b_there)
    is_near(host(found), a @ b, a, b)


@pytest.mark.parametrize("shape", [(0, 4, 5), (4, 0, 5), (4, 5, 0), (1, 300, 300), (300, 300, 1), (300, 1, 300), (3, 3, 3), (2, 100, 100)])
def test_small_thin_and_empty_ones_are_the_kernel_s(compiled, pytestconfig, calls_of_library, shape):
    m, k, n = shape
    a, b = values((m, k), "float64"), values((k, n), "float64", 1)
    a_there, b_there = placed(pytestconfig, a), placed(pytestconfig, b)
    with calls_of_library(0):
        found = compiled.product(a_there, b_there)
    is_near(host(found), a @ b, a, b)


def test_long_sums_are_added_up_in_parts(compiled, pytestconfig):
    a, b = values((40, 400_000), "float32"), values((400_000, 40), "float32", 1)
    found = compiled.product(placed(pytestconfig, a), placed(pytestconfig, b))
    np.testing.assert_allclose(host(found), a.astype(np.float64) @ b.astype(np.float64), atol=1)


def test_a_stack_that_goes_backwards(compiled, pytestconfig):
    a, b = values((6, 20, 30), "float64"), values((6, 30, 40), "float64", 1)
    backwards = a[::-1].copy()[::-1], b[::-1].copy()[::-1]
    found = compiled.stacked(*(placed(pytestconfig, x) for x in backwards))
    is_near(host(found), a @ b, a, b)


def test_elements_that_no_library_aligns_are_the_kernel_s(compiled, pytestconfig, calls_of_library):
    room, b = np.zeros(2 * 40 * 40 + 1), values((40, 40), "complex128", 1)
    first = 1 if room.ctypes.data % 16 == 0 else 0
    a = room[first : first + 2 * 40 * 40].view(np.complex128).reshape(40, 40)
    a[...] = values((40, 40), "complex128")
    if pytestconfig.getoption("--device") == "cpu":
        return is_near(compiled.product(a, b), a @ b, a, b)
    whole = numptx.asarray(room, device="cuda")
    interface = dict(whole.__cuda_array_interface__)
    interface.update(data=(interface["data"][0] + 8, False), shape=(40, 40), strides=None, typestr="<c16")
    shifted = numptx.asarray(Shown(interface, whole))
    with calls_of_library(0):
        found = compiled.product(shifted, placed(pytestconfig, b))
    shown = shifted.to_host()
    is_near(host(found), shown @ b, shown, b)


def wide_values(shape, dtype, seed=0):
    """Integers whose products wrap."""
    most = np.iinfo(dtype)
    return np.random.default_rng(seed).integers(most.min, most.max, shape, dtype, endpoint=True)


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("name", ["product", "of_sums"])
@pytest.mark.parametrize("layout", LAYOUTS | ODD)
def test_integers_wrap_in_tiles(compiled, pytestconfig, calls_of_library, tiled_launches, dtype, name, layout):
    a, b = (LAYOUTS | ODD)[layout](wide_values((37, 45), dtype)), wide_values((45, 41), dtype, 1)
    a_there, b_there = placed(pytestconfig, a), placed(pytestconfig, b)
    # Of 64 bits they are fewer tiles than processors.
    with calls_of_library(0), tiled_launches() if dtype[-2:] == "32" else contextlib.nullcontext():
        found = host(getattr(compiled, name)(a_there, b_there))
    assert found.dtype == np.dtype(dtype)
    np.testing.assert_array_equal(found, a @ b)


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("are_turned", [False, True])
def test_stacks_of_integers_are_computed_by_tiles(compiled, pytestconfig, calls_of_library, tiled_launches, dtype, are_turned):
    a, b = wide_values((70, 1, 20, 18), dtype), wide_values((4, 18, 17), dtype, 1)
    if are_turned:
        a, b = a.mT.copy().mT[::-1], b.mT.copy().mT
    a_there, b_there = placed(pytestconfig, a), placed(pytestconfig, b)
    with calls_of_library(0), tiled_launches():
        found = host(compiled.stacked(a_there, b_there))
    np.testing.assert_array_equal(found, a @ b)


@pytest.mark.parametrize("shape, dtype", [((3, 5, 4), "int64"), ((0, 40, 40), "int32"), ((40, 0, 40), "uint64"), ((200, 200, 1), "int64"), ((40, 40, 40), "int16")])
def test_other_products_of_integers_are_the_kernel_s(compiled, pytestconfig, no_tiles, shape, dtype):
    m, k, n = shape
    a, b = wide_values((m, k), dtype), wide_values((k, n), dtype, 1)
    a_there, b_there = placed(pytestconfig, a), placed(pytestconfig, b)
    with no_tiles():
        found = host(compiled.product(a_there, b_there))
    np.testing.assert_array_equal(found, a @ b)


def test_many_small_matrices_are_faster_by_tiles(compiled, pytestconfig, calls_of_library, tiled_launches):
    a, b = values((4096, 16, 16), "float32"), values((4096, 16, 16), "float32", 1)
    a_there, b_there = placed(pytestconfig, a), placed(pytestconfig, b)
    with calls_of_library(0), tiled_launches():
        found = host(compiled.stacked(a_there, b_there))
    is_near(found, a @ b, a, b)


# Shapes of the factors, and calls of the library for them.
STACKS = {
    "a matrix each": ((6, 20, 30), (6, 30, 40), 1),
    "one for all": ((6, 20, 30), (30, 40), 1),
    "broadcast": ((1, 20, 30), (6, 30, 40), 1),
    "of stacks": ((3, 4, 20, 30), (4, 30, 40), 3),
    "of stacks, crosswise": ((3, 1, 20, 30), (1, 4, 30, 40), 3),
    "of stacks, long ones": ((70, 80, 6, 7), (80, 7, 8), 6),
}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", STACKS)
def test_stacks_of_matrices(compiled, pytestconfig, calls_of_library, dtype, name):
    of_a, of_b, calls = STACKS[name]
    a, b = values(of_a, dtype), values(of_b, dtype, 1)
    a_there, b_there = placed(pytestconfig, a), placed(pytestconfig, b)
    with calls_of_library(calls):
        found = compiled.stacked(a_there, b_there)
    is_near(host(found), a @ b, a, b)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_results_are_written_where_they_belong(compiled, pytestconfig, layout):
    a, b = values((37, 45), "float64"), values((45, 41), "float64", 1)
    out = LAYOUTS[layout](np.zeros((37, 41)))
    out_there = placed(pytestconfig, out)
    compiled.into(placed(pytestconfig, a), placed(pytestconfig, b), out_there)
    is_near(host(out_there), a @ b, a, b)


@pytest.mark.parametrize("name", ["a", "b"])
def test_a_result_may_take_the_place_of_a_factor(compiled, pytestconfig, name):
    a, b = values((50, 50), "float64"), values((50, 50), "float64", 1)
    there = {"a": placed(pytestconfig, a), "b": placed(pytestconfig, b)}
    old_a, old_b = a.copy(), b.copy()
    compiled.into(there["a"], there["b"], there[name])
    is_near(host(there[name]), old_a @ old_b, old_a, old_b)


@pytest.mark.parametrize("dtype", DTYPES)
def test_what_is_computed_around_a_product_leaves_it_to_the_library(compiled, plain, pytestconfig, calls_of_library, dtype):
    a, b, c = values((40, 50), dtype), values((50, 60), dtype, 1), values((40, 60), dtype, 2)
    there = [placed(pytestconfig, x) for x in (a, b, c)]
    with calls_of_library(1):
        found = compiled.fused(*there)
    np.testing.assert_allclose(host(found), plain.fused(a, b, c), rtol=2e4 * np.finfo(dtype).eps)


def test_sums_over_several_axes_that_lie_together_are_one_product(compiled, plain, pytestconfig, calls_of_library):
    a, b = values((30, 8, 9), "float64"), values((8, 9, 40), "float64", 1)
    there = placed(pytestconfig, a), placed(pytestconfig, b)
    with calls_of_library(1):
        found = compiled.contracted(*there)
    np.testing.assert_allclose(host(found), plain.contracted(a, b), atol=1e-12)


def test_products_in_a_loop_on_the_host(compiled, plain, pytestconfig):
    a = values((40, 40), "float64")
    np.testing.assert_allclose(host(compiled.chain(placed(pytestconfig, a), 30)), plain.chain(a, 30), atol=1e-9)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape, m, calls", [((90, 80), 80, 1), ((90, 80), 50, 1), ((90, 80), 20, 0), ((20, 60), 60, 0), ((0, 60), 60, 0), ((700, 30), 30, 1)])
def test_rows_of_a_triangle_are_one_product_where_that_is_worth_it(compiled, plain, pytestconfig, calls_of_library, dtype, shape, m, calls):
    x = values(shape, dtype)
    there = placed(pytestconfig, x)
    with calls_of_library(calls):
        found = compiled.triangle(there, m)
    full = x[:, :m]
    is_near(host(found), plain.triangle(x, m), full.T, full)


def test_a_triangle_of_more_columns_than_there_are_raises(compiled, plain, pytestconfig):
    x = values((90, 80), "float64")
    message = r"could not broadcast input array from shape \(80,\) into shape \(81,\)"
    with pytest.raises(ValueError, match=message):
        plain.triangle(x, 81)
    with pytest.raises(ValueError, match=message):
        compiled.triangle(placed(pytestconfig, x), 81)


def test_a_triangle_of_backward_columns(compiled, plain, pytestconfig):
    x = values((90, 80), "float64")[::-1, ::-1]
    is_near(host(compiled.triangle(placed(pytestconfig, x), 80)), plain.triangle(x, 80), x.T, x)


def test_threads_and_streams_give_equal_bits(compiled, pytestconfig):
    if pytestconfig.getoption("--device") == "cpu":
        pytest.skip("of streams")
    a, b = (placed(pytestconfig, values((200, 200), "float64", seed)) for seed in range(2))
    wanted, failures = host(compiled.product(a, b)).tobytes(), []

    def run():
        with numptx.device("cuda"), numptx.Stream():
            for _ in range(20):
                found = host(compiled.product(a, b)).tobytes()
                if found != wanted:
                    failures.append(found)

    threads = [threading.Thread(target=run) for _ in range(2)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert not failures


def test_a_captured_product_is_replayed_with_what_its_factors_hold_then(compiled, pytestconfig):
    if pytestconfig.getoption("--device") == "cpu":
        pytest.skip("of graphs")
    a, b = values((64, 64), "float64"), values((64, 64), "float64", 1)
    a_there, b_there = placed(pytestconfig, a), placed(pytestconfig, b)
    with numptx.Stream() as stream:
        graph = numptx.Graph(stream)
        with graph:
            found = compiled.product(a_there, b_there)
        for factor in (1, 2, 3):
            a_there[...] = factor * a
            graph.replay()
            is_near(host(found), factor * a @ b, factor * a, b)


def test_nothing_is_kept_of_a_product(compiled, pytestconfig):
    if pytestconfig.getoption("--device") == "cpu":
        pytest.skip("of devices")
    a, b = (placed(pytestconfig, values((100, 100), "float64", seed)) for seed in range(2))
    compiled.product(a, b)
    before = numptx.memory_stats()
    for _ in range(20):
        compiled.product(a, b)
    numptx.synchronize()
    after = numptx.memory_stats()
    assert (after["live_buffers"], after["live_bytes"]) == (before["live_buffers"], before["live_bytes"])


APART = """if True:
    import sys
    sys.path[:0] = {path!r}
    import numpy as np, numptx
    from compilation import load_compiled
    module = load_compiled({library!r})
    a, b = np.random.default_rng(0).random((2, 64, 64))
    with numptx.device({device!r}):
        found = module.product(a, b)
    assert np.allclose(found, a @ b, rtol=1e-13)
    {more}
"""


def run_apart(workshop, pytestconfig, more="", path=(), **environment):
    """A product in a process of its own."""
    library = str(workshop.library(workshop.written(PROGRAM)))
    path = [*path, *(entry for entry in sys.path if entry)]
    text = APART.format(path=path, library=library, device=pytestconfig.getoption("--device"), more=more)
    done = subprocess.run([sys.executable, "-c", text], env={**os.environ, **environment}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


MAPS = "open('/proc/self/maps').read()"


def test_the_library_of_the_place_is_opened(workshop, pytestconfig):
    name = "libnumptx_math" if pytestconfig.getoption("--device") == "cpu" else "libmock_libcuda" if IS_MOCK else "libcublas"
    run_apart(workshop, pytestconfig, f"assert {name!r} in {MAPS}")


# All ways in which factors and results are read and written, in one process.
WITHOUT_LIBRARY = """import itertools
    lie = {
        "by rows": lambda x: x.copy(),
        "by columns": np.asfortranarray,
        "apart": lambda x: np.pad(x, ((0, 0), (0, 3)))[:, : x.shape[1]],
        "backwards": lambda x: x[::-1, ::-1].copy()[::-1, ::-1],
    }
    rng = np.random.default_rng(2)
    with numptx.device(DEVICE):
        for n, (of_a, of_b) in enumerate(itertools.product(lie.values(), lie.values())):
            for dtype, (rows, summed, columns) in itertools.product(["float32", "float64", "complex64", "complex128"], [(37, 44, 64), (33, 45, 35)]):
                a, b = (rng.integers(-9, 9, shape) + 1j * rng.integers(-9, 9, shape) for shape in ((rows, summed), (summed, columns)))
                a, b = (x.astype(dtype) if dtype[0] == "c" else x.real.astype(dtype) for x in (a, b))
                assert np.array_equal(module.product(of_a(a), of_b(b)), a @ b), (n, dtype)
        a, b = rng.integers(-9, 9, (3, 1, 20, 30)) / 1.0, rng.integers(-9, 9, (1, 4, 30, 40)) / 1.0
        assert np.array_equal(module.stacked(a, b), a @ b)"""


def test_without_nvidia_s_library_kernels_compute(workshop, pytestconfig):
    device = pytestconfig.getoption("--device")
    more = f"assert 'libcublas' not in {MAPS}\n    " + WITHOUT_LIBRARY.replace("DEVICE", repr(device))
    if IS_MOCK and device != "cpu":
        more = f"""sys.path[:0] = [{str(pathlib.Path(__file__).parent)!r}]
    from cuda_driver import Driver
    driver = Driver()
    with driver.log() as log, numptx.device("cuda"):
        module.product(a, b)
    assert driver.count("device_code") >= 2
    assert log and "cublasGemm" not in log
    """ + WITHOUT_LIBRARY.replace("DEVICE", repr(device))
    run_apart(workshop, pytestconfig, more, NUMPTX_CUDA_LIBRARIES="none")


def test_without_the_host_s_library_the_kernel_computes(workshop, pytestconfig, tmp_path):
    package = tmp_path / "numptx"
    shutil.copytree(pathlib.Path(numptx.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    (package / "libnumptx_math.so").unlink()
    more = f"assert numptx.__file__.startswith({str(tmp_path)!r}) and 'libnumptx_math' not in {MAPS}"
    run_apart(workshop, pytestconfig, more, [str(tmp_path)], PYTHONPATH=str(tmp_path))


def test_a_forked_child_multiplies(workshop, pytestconfig):
    if pytestconfig.getoption("--device") != "cpu":
        pytest.skip("a child cannot use its parent's driver")
    more = """import os, signal
    a, b = np.random.default_rng(1).standard_normal((2, 700, 700))
    found = module.product(a, b)
    pid = os.fork()
    if pid == 0:
        signal.alarm(30)
        os._exit(0 if np.array_equal(module.product(a, b), found) else 1)
    assert os.waitpid(pid, 0)[1] == 0"""
    run_apart(workshop, pytestconfig, more, NUMPTX_NUM_THREADS="2")


def test_any_number_of_threads_gives_equal_bits(workshop, pytestconfig):
    if pytestconfig.getoption("--device") != "cpu":
        pytest.skip("of the host's threads")
    more = """import hashlib
    a, b = np.random.default_rng(1).standard_normal((2, 700, 700))
    print(hashlib.sha256(module.product(a, b).tobytes()).hexdigest())"""
    library = str(workshop.library(workshop.written(PROGRAM)))
    text = APART.format(path=[entry for entry in sys.path if entry], library=library, device="cpu", more=more)
    bits = set()
    for threads in ("1", "2", "7"):
        environment = {**os.environ, "NUMPTX_NUM_THREADS": threads}
        bits.add(subprocess.run([sys.executable, "-c", text], env=environment, capture_output=True, text=True, check=True).stdout)
    assert len(bits) == 1 and len(bits.pop()) == 65
