"""Arrays in device memory: on a GPU, or on the mock driver that NUMPTX_LIBCUDA names. Collected with --device cuda."""

import gc
import re

import numpy as np
import pytest

import numptx
from other_libraries import Family
from subprocesses import run_python

def on_device(x):
    return numptx.asarray(x, device="cuda")


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "int64", "float32", "complex128"])
@pytest.mark.parametrize("layout", ["C", "F", "strided", "reversed", "empty", "rank 0"])
def test_there_and_back(dtype, layout):
    x = (np.arange(60) % 7).reshape(5, 12).astype(dtype)
    x = {
        "C": x,
        "F": np.asfortranarray(x),
        "strided": x[::2, ::3],
        "reversed": x[::-1, ::-1],
        "empty": x[:0],
        "rank 0": x[1, 1, ...],
    }[layout]
    a = on_device(x)
    assert a.device == "cuda:0" and a.dtype == x.dtype and a.shape == x.shape
    back = a.to_host()
    assert back.dtype == x.dtype and back.shape == x.shape
    np.testing.assert_array_equal(back, x)
    if layout == "F":
        assert back.flags.f_contiguous


def test_a_device_says_what_it_is():
    text = numptx._native.device_text("cuda")
    assert re.fullmatch(r".+, sm_\d+, [\d.]+ MiB, driver for CUDA \d+\.\d", text), text


def test_views_of_device_memory():
    x = np.arange(60.0).reshape(3, 4, 5)
    a = on_device(x)
    for index in [0, (slice(None), 1), (slice(None, None, -1), Ellipsis, slice(1, None, 2)), (2, 3, 4)]:
        view = a[index]
        assert view.device == "cuda:0" and view.base is a
        np.testing.assert_array_equal(view.to_host(), x[index])
    assert float(a[2, 3, 4]) == 59.0


def test_nothing_moves_unasked():
    a = on_device(np.arange(3.0))
    with pytest.raises(TypeError, match="to_host"):
        np.asarray(a)
    with pytest.raises(TypeError):
        np.arange(3.0) + a


def test_choosing_a_device_places_host_data():
    with numptx.device("cuda"):
        assert numptx.asarray([1.0, 2.0]).device == "cuda:0"
        assert numptx.asarray(np.ones(3)).device == "cuda:0"
    with numptx.device("cpu"):
        assert numptx.asarray(np.ones(3)).device == "cpu"
        assert numptx.asarray(on_device(np.ones(3))).device == "cuda:0"


def test_memory_is_given_back():
    gc.collect()
    before = numptx.memory_stats("cuda")["live_bytes"]
    a = on_device(np.zeros(1 << 20))
    assert numptx.memory_stats("cuda")["live_bytes"] >= before + (8 << 20)
    view = a[5:6]
    del a
    gc.collect()
    assert numptx.memory_stats("cuda")["live_bytes"] >= before + (8 << 20)
    del view
    gc.collect()
    assert numptx.memory_stats("cuda")["live_bytes"] == before


class Holder:
    """A library that knows only `__cuda_array_interface__`."""

    def __init__(self, array):
        self.__cuda_array_interface__ = array.__cuda_array_interface__
        self.array = array


def test_cuda_array_interface_in():
    x = np.arange(12.0).reshape(3, 4)
    a = on_device(x)[:, ::2]
    holder = Holder(a)
    b = numptx.asarray(holder)
    assert b.device == "cuda:0" and b.base is holder and b.strides == a.strides
    np.testing.assert_array_equal(b.to_host(), x[:, ::2])


def test_dlpack_says_where_it_is():
    a = on_device(np.arange(4.0))
    assert a.__dlpack_device__() == (2, 0)
    assert "dltensor" in repr(a.__dlpack__(stream=1))
    np.testing.assert_array_equal(np.from_dlpack(a, device="cpu"), np.arange(4.0))
    with pytest.raises(BufferError, match="without a copy"):
        a.__dlpack__(dl_device=(1, 0), copy=False)
    b = numptx.asarray(type("Exporter", (), {"__dlpack__": lambda _, **o: a.__dlpack__(**o), "__dlpack_device__": lambda _: (2, 0)})())
    assert b.device == "cuda:0"
    np.testing.assert_array_equal(b.to_host(), np.arange(4.0))


@pytest.mark.parametrize("library", ["torch", "cupy"])
def test_other_libraries_both_ways(library, workshop):
    """Arrays of CuPy and PyTorch, or of stand-ins for them, come in and go out without a copy, and results are of their kind."""
    compiled, _ = workshop.pair("#numptx export f(float64[:])\ndef f(x):\n    return 2 * x + 1\n")
    with Family(library, "cuda") as other, numptx.device("auto"):
        x = other.make(np.arange(5.0))
        a = numptx.asarray(x)
        assert a.device == "cuda:0" and a.__cuda_array_interface__["data"][0] == other.view(x)[0]
        if other.is_real:
            x[0] = 7
            assert a[0].item() == 7
        result = compiled.f(x)
        assert type(result) is other.kind
        np.testing.assert_array_equal(other.elements(result), 2 * other.elements(x) + 1)


def test_a_forked_child_computes_on_the_cpu(fixture_library):
    run_python(
        """
        import os, sys, numpy as np, numptx
        from compilation import load_compiled
        fixture = load_compiled(sys.argv[1])
        a = numptx.asarray(np.arange(5.0), device="cuda")
        child = os.fork()
        if child == 0:
            x = np.arange(100_000.0)
            right = np.array_equal(fixture.axpy(2.0, x, x), 3 * x) and numptx.last_device() == "cpu"
            os._exit(0 if right else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert a[4].item() == 4.0
        """,
        str(fixture_library),
    )


def test_device_arrays_outlive_the_interpreter_without_harm():
    run_python(
        """
        import sys, numpy as np, numptx
        sys.keep_for_ever = [numptx.asarray(np.arange(5.0), device="cuda")]
        cycle = []
        cycle.append((cycle, numptx.asarray(np.arange(5.0), device="cuda")[1:]))
        """
    )
