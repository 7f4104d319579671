"""numptx.Array: memory, views, NumPy's protocols and DLPack."""

import gc
import sys

import numpy as np
import pytest

import numptx
from subprocesses import run_python

DTYPES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split()


@pytest.mark.parametrize("dtype", DTYPES)
def test_asarray_shares_host_memory(dtype):
    x = np.ones((3, 4), dtype)
    a = numptx.asarray(x)
    assert (a.shape, a.strides, a.dtype, a.ndim, a.size) == ((3, 4), x.strides, x.dtype, 2, 12)
    assert (a.nbytes, a.itemsize, a.device, len(a)) == (x.nbytes, x.itemsize, "cpu", 3)
    assert np.shares_memory(a.to_host(), x)
    assert numptx.asarray(a) is a


def test_asarray_takes_lists_and_numbers():
    assert numptx.asarray([1, 2, 3]).dtype == np.int64
    assert numptx.asarray(2.5).item() == 2.5


@pytest.mark.parametrize("bad", [np.ones(2, np.longdouble), np.ones(2, ">f8"), np.array(["a"]), np.array([None])])
def test_asarray_refuses_dtypes_that_it_does_not_know(bad):
    with pytest.raises(TypeError, match="not supported"):
        numptx.asarray(bad)


def test_a_gpu_that_is_not_there_is_an_error_only_where_memory_shall_lie_on_it():
    if len(numptx.devices()) > 1:
        missing = f"cuda:{len(numptx.devices())}"
    else:
        missing = "cuda"
    with pytest.raises(numptx.CudaError, match="is not there"):
        numptx.asarray(np.ones(3), device=missing)
    with numptx.device(missing):
        assert numptx.asarray(np.ones(3)).to_host().sum() == 3
    with pytest.raises(ValueError, match="'auto', 'cpu', 'cuda' or 'cuda:N'; found 'tpu'"):
        numptx.device("tpu")


def test_device_is_a_statement_and_a_context():
    from numptx import _native

    before = _native.get_device()
    with numptx.device("auto"):
        assert _native.get_device() == "auto"
        with numptx.device("cpu"):
            assert _native.get_device() == "cpu"
        assert _native.get_device() == "auto"
        numptx.device("cpu")
        assert _native.get_device() == "cpu"
    assert _native.get_device() == before


def test_the_environment_chooses():
    run_python(
        "from numptx import _native; assert _native.get_device() == 'cuda:0', _native.get_device()",
        environment={"NUMPTX_DEVICE": "cuda"},
    )


INDICES = [
    0,
    -1,
    slice(None),
    slice(1, 3),
    slice(None, None, -1),
    slice(5, 2),
    slice(None, None, 2),
    Ellipsis,
    None,
    (1, 2),
    (slice(1, None), 2),
    (Ellipsis, 0),
    (0, Ellipsis),
    (None, slice(None), None, slice(None, None, -2)),
    (slice(None), slice(None), slice(3, 1, -1)),
    (np.int64(1),),
    (),
]


@pytest.mark.parametrize("index", INDICES, ids=repr)
def test_basic_indexing_views(index):
    x = np.arange(60.0).reshape(3, 4, 5)
    found, expected = numptx.asarray(x)[index], x[index]
    assert found.shape == expected.shape
    if expected.size:
        assert found.strides == expected.strides
    np.testing.assert_array_equal(found.to_host(), expected)
    assert not expected.size or np.shares_memory(found.to_host(), x)


@pytest.mark.parametrize(
    "index, exception, words",
    [
        (3, IndexError, "index 3 is out of bounds for axis 0 with size 3"),
        (-4, IndexError, "index -4 is out of bounds for axis 0 with size 3"),
        ((0, 0, 0, 0), IndexError, "too many indices"),
        ((Ellipsis, Ellipsis), IndexError, "single ellipsis"),
        ([0, 1], TypeError, "to_host"),
        (True, TypeError, "to_host"),
        (1.0, TypeError, "to_host"),
    ],
)
def test_other_indices_are_refused(index, exception, words):
    with pytest.raises(exception, match=words):
        numptx.asarray(np.zeros((3, 4, 5)))[index]


def test_a_view_knows_its_base_and_keeps_it():
    x = np.arange(10.0)
    a = numptx.asarray(x)
    assert a.base is x
    view = a[2:][1:]
    assert view.base is x
    before = sys.getrefcount(x)
    more = [a[1:] for _ in range(50)]
    del more
    gc.collect()
    assert sys.getrefcount(x) == before
    del a, x
    gc.collect()
    np.testing.assert_array_equal(view.to_host(), np.arange(3.0, 10.0))


def test_transpose_is_a_view():
    x = np.arange(6).reshape(2, 3)
    np.testing.assert_array_equal(numptx.asarray(x).T.to_host(), x.T)


def test_read_only_stays_read_only():
    x = np.arange(3.0)
    x.flags.writeable = False
    assert not numptx.asarray(x)[1:].to_host().flags.writeable


def test_numpys_array_protocol():
    x = np.arange(4.0)
    a = numptx.asarray(x)
    assert np.shares_memory(np.asarray(a), x)
    assert not np.shares_memory(np.array(a), x)
    assert np.asarray(a, dtype=np.float32).dtype == np.float32
    with pytest.raises(TypeError):
        a + a
    with pytest.raises(TypeError):
        x + a


def test_numbers():
    one = numptx.asarray(np.array([2.5]))
    assert (one.item(), float(one), int(one), bool(one)) == (2.5, 2.5, 2, True)
    with pytest.raises(ValueError, match="size 1"):
        numptx.asarray(np.ones(2)).item()
    with pytest.raises(TypeError, match="unsized"):
        len(numptx.asarray(np.array(1.0)))


def test_rank_0_arrays_are_numbers_to_calls(fixture):
    three, half = numptx.asarray(np.array(3)), numptx.asarray(np.array(0.5))
    assert fixture.numbers(three, half, half, False) == (3, 0.5, 0.5, False)
    assert [10, 20, 30, 40][three] == 40
    with pytest.raises(TypeError):
        fixture.numbers(half, half, half, False)


def test_host_memory_has_no_cuda_interface():
    assert not hasattr(numptx.asarray(np.ones(2)), "__cuda_array_interface__")


@pytest.mark.parametrize("dtype", DTYPES)
def test_dlpack_to_numpy(dtype):
    x = np.ones((3, 4), dtype)
    a = numptx.asarray(x)[:, ::2]
    assert a.__dlpack_device__() == (1, 0)
    there = np.from_dlpack(a)
    assert there.dtype == x.dtype and np.shares_memory(there, x)
    np.testing.assert_array_equal(there, x[:, ::2])


def test_dlpack_keeps_memory_alive_and_gives_it_back():
    gc.collect()
    before = numptx.memory_stats("cpu")["live_buffers"]
    there = np.from_dlpack(numptx.asarray(np.arange(1000.0)))
    gc.collect()
    np.testing.assert_array_equal(there, np.arange(1000.0))
    del there
    unused = numptx.asarray(np.arange(10.0)).__dlpack__()
    del unused
    gc.collect()
    assert numptx.memory_stats("cpu")["live_buffers"] == before


def test_dlpack_requests():
    x = np.arange(4.0)
    a = numptx.asarray(x)
    assert "versioned" in repr(a.__dlpack__(max_version=(1, 0)))
    assert not np.shares_memory(np.from_dlpack(a, copy=True), x)
    x.flags.writeable = False
    read_only = numptx.asarray(x)
    with pytest.raises(BufferError, match="max_version"):
        read_only.__dlpack__()
    assert not np.from_dlpack(read_only).flags.writeable
    with pytest.raises(BufferError):
        a.__dlpack__(dl_device=(2, 0))


class Exporter:
    """A library that speaks DLPack and is not NumPy."""

    def __init__(self, array, legacy=False):
        self.array, self.legacy = array, legacy

    def __dlpack__(self, **options):
        if self.legacy and "max_version" in options:
            raise TypeError("unexpected keyword 'max_version'")
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


@pytest.mark.parametrize("legacy", [False, True])
def test_dlpack_import(legacy):
    x = np.arange(12.0).reshape(3, 4)[:, ::2]
    other = Exporter(x, legacy)
    a = numptx.asarray(other)
    assert a.base is other and np.shares_memory(a.to_host(), x)
    np.testing.assert_array_equal(a.to_host(), x)
    before = sys.getrefcount(other)
    del a
    gc.collect()
    assert sys.getrefcount(other) == before - 1


def test_dlpack_import_of_something_else_is_refused():
    class Strange:
        def __dlpack__(self, **_):
            return 1

        def __dlpack_device__(self):
            return (1, 0)

    with pytest.raises((BufferError, TypeError)):
        numptx.asarray(Strange())


def test_calls_take_what_they_are_given_and_answer_in_kind(fixture):
    x = np.arange(6.0)
    mine = numptx.asarray(x)
    result = fixture.axpy(2.0, mine, mine)
    assert type(result) is numptx.Array and result.device == "cpu"
    np.testing.assert_array_equal(result.to_host(), 3 * x)
    view = fixture.tail(mine)
    assert type(view) is numptx.Array and view.base is mine.base is x and np.shares_memory(view.to_host(), x)
    assert fixture.same(mine) is mine
    mixed = fixture.axpy(2.0, x, mine)
    assert type(mixed) is numptx.Array
    other = Exporter(x)
    assert type(fixture.axpy(1.0, other, other)) is numptx.Array
    assert fixture.same(other) is other
    fixture.scale(mine, 2.0)
    np.testing.assert_array_equal(x, 2 * np.arange(6.0))


def test_a_result_of_rank_0_stays_an_array(fixture):
    result = fixture.first(numptx.asarray(np.array([2.5])))
    assert type(result) is numptx.Array and result.shape == () and result.item() == 2.5


COUNTS = {
    "live_buffers",
    "live_bytes",
    "peak_bytes",
    "allocations",
    "frees",
    "foreign_buffers",
    "transferred_bytes",
    "launches",
    "copies",
    "synchronizations",
    "violations",
    "pinned_bytes",
    "replays",
}


def test_memory_stats_count(fixture):
    gc.collect()
    assert set(numptx.memory_stats()) == set(numptx.memory_stats("cpu")) == COUNTS
    x = np.arange(1000.0)
    numptx.reset_peak_memory()
    before = numptx.memory_stats("cpu")
    assert before["peak_bytes"] == before["live_bytes"]
    kept = fixture.axpy(2.0, x, x)
    held = numptx.asarray(x)
    fixture.axpy(2.0, x, x)
    after = numptx.memory_stats("cpu")
    grown = {name: after[name] - before[name] for name in COUNTS if after[name] != before[name]}
    assert grown == {
        "live_buffers": 1,
        "live_bytes": 8000,
        "peak_bytes": 16000,
        "allocations": 2,
        "frees": 1,
        "foreign_buffers": 1,
        "launches": 2,
    }
    del kept, held
    numptx.reset_peak_memory()
    assert numptx.memory_stats("cpu")["peak_bytes"] == before["live_bytes"]
    assert numptx.memory_stats("cpu")["foreign_buffers"] == before["foreign_buffers"]


def test_memory_stats_of_a_place():
    assert numptx.memory_stats("cuda:7")["allocations"] == 0
    with pytest.raises(ValueError, match="found 'gpu'"):
        numptx.memory_stats("gpu")
    assert numptx.thread_count() >= 1
    numptx.synchronize()


def test_importing_starts_nothing():
    run_python(
        """
        import numpy, os
        threads = len(os.listdir("/proc/self/task"))
        import numptx
        assert len(os.listdir("/proc/self/task")) == threads
        assert "libcuda" not in open("/proc/self/maps").read()
        """
    )


@pytest.mark.parametrize("shape", [(), 3, (2, 3), [4, 0], np.int64(5)])
@pytest.mark.parametrize("dtype", [float, "int8", np.complex64, np.dtype(bool)])
def test_empty_is_numpy_s(shape, dtype):
    a, b = numptx.empty(shape, dtype), np.empty(shape, dtype)
    assert (a.shape, a.dtype, a.device, a.base) == (b.shape, b.dtype, "cpu", None)
    assert a.strides == b.strides or not b.size
    np.asarray(a)[...] = 1
    np.testing.assert_array_equal(a.to_host(), np.ones(shape, dtype))


def test_empty_refuses_what_cannot_be():
    for shape in (-1, (2, -3), (2**40, 2**40), (1,) * 17):
        with pytest.raises(ValueError, match="the array cannot be"):
            numptx.empty(shape)
    for shape in (1.5, ("a",), None):
        with pytest.raises(TypeError):
            numptx.empty(shape)
    for dtype in ("longdouble", ">f8", "U3", object):
        with pytest.raises(TypeError, match="is not supported by numptx"):
            numptx.empty(3, dtype)
    with pytest.raises(MemoryError):
        numptx.empty(2**50)
    with pytest.raises(numptx.CudaError, match="cuda:99 is not there"):
        numptx.empty(3, device=99)


def test_page_locked_memory_wants_a_driver():
    run_python(
        """
        import numptx
        assert numptx.empty(3).size == 3
        try:
            numptx.empty(3, pinned=True)
        except numptx.CudaError as error:
            assert "no CUDA driver" in str(error), error
        else:
            raise AssertionError
        """,
        environment={"NUMPTX_LIBCUDA": "/nowhere/libcuda.so"},
    )
