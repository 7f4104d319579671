"""Copies into views of device memory: the elements are written, and nothing between them."""

import ctypes
import threading

import numpy as np
import pytest

import numptx
from cuda_driver import IS_MOCK, OtherStream

VIEWS = {
    "every other": (60, np.s_[::2]),
    "backwards": (60, np.s_[50:3:-3]),
    "rows": ((10, 12), np.s_[2:9]),
    "columns": ((10, 12), np.s_[:, 3:7]),
    "one column": ((10, 12), np.s_[:, 5]),
    "every other of both": ((10, 12), np.s_[1::2, ::3]),
    "every other of both, backwards": ((10, 12), np.s_[::-2, ::-3]),
    "of three axes": ((5, 6, 7), np.s_[::2, 1:4, ::-2]),
    "a plane": ((5, 6, 7), np.s_[:, 2]),
    "one element": ((5, 6), np.s_[2, 3:4]),
    "of no axes": (7, np.s_[3, ...]),
    "nothing": (7, np.s_[3:3]),
}


@pytest.fixture(autouse=True)
def on_device():
    with numptx.device("auto"):
        yield


def check(shape, key, dtype=float, transposed=False):
    expected = np.arange(np.prod(shape)).astype(dtype).reshape(shape)
    x = numptx.asarray(expected.copy(), device="cuda")
    target, view = expected[key], x[key]
    if transposed:
        target, view = target.T, view.T
    values = (np.arange(target.size).reshape(target.shape) + 1000).astype(dtype)
    for source in (values, numptx.asarray(values, device="cuda"), values[::-1][::-1] if values.ndim else values):
        view.copy_from(numptx.asarray(np.zeros_like(values)))
        view.copy_from(source)
        target[...] = values
        np.testing.assert_array_equal(x.to_host(), expected)


@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("name", VIEWS)
def test_elements_of_a_view_are_written(name, transposed, pace):
    check(*VIEWS[name], transposed=transposed)


@pytest.mark.parametrize("dtype", ["bool", "int8", "int16", "float32", "complex128"])
def test_elements_of_all_sizes_are_written(dtype):
    check(60, np.s_[5::3], dtype)
    check((10, 12), np.s_[::-2, ::3], dtype)


def test_overlapping_views_are_copied_as_if_the_source_were_copied_first():
    expected = np.arange(40.0)
    x = numptx.asarray(expected.copy(), device="cuda")
    x[2::2].copy_from(x[:-2:2])
    expected[2::2] = expected[:-2:2].copy()
    x[::-1].copy_from(x)
    np.testing.assert_array_equal(x.to_host(), expected[::-1])


@pytest.mark.skipif(not IS_MOCK, reason="the mock driver fails when it is told to, and tells its calls")
def test_a_driver_that_refuses_rectangles_is_given_rows(driver):
    driver.fail_call("cuMemcpy2DAsync", 1, 1)
    with driver.log() as calls:
        check((10, 100), np.s_[1::2, 20:80])
    assert calls.count("cuMemcpy2DAsync") > 1 and calls.count("cuMemcpyDtoDAsync") > 1


@pytest.mark.skipif(not IS_MOCK, reason="the mock driver tells its calls")
def test_the_destination_is_not_read(driver):
    x, values = numptx.asarray(np.zeros((20, 20)), device="cuda"), np.ones((10, 5))
    with driver.log() as calls:
        x[::2, ::4].copy_from(values)
    assert "cuMemcpyDtoHAsync" not in calls and calls.count("cuMemcpy2DAsync") <= 5


def test_what_others_write_between_the_elements_stays(driver):
    """Another thread counts in the elements between, by the driver alone, and looks whether what it wrote is there."""
    n = 4000
    x = numptx.asarray(np.zeros(2 * n), device="cuda")
    address = x.__cuda_array_interface__["data"][0] + 8 * (2 * (n // 2) + 1)
    stop, lost, stream = threading.Event(), [], OtherStream(driver)

    def count():
        number, back = ctypes.c_double(0), ctypes.c_double(0)
        with driver.context():
            while not stop.is_set():
                number.value += 1
                driver.cuMemcpyHtoDAsync_v2(ctypes.c_uint64(address), ctypes.byref(number), ctypes.c_size_t(8), stream.pointer)
                driver.cuMemcpyDtoHAsync_v2(ctypes.byref(back), ctypes.c_uint64(address), ctypes.c_size_t(8), stream.pointer)
                driver.cuStreamSynchronize(stream.pointer)
                if back.value != number.value:
                    lost.append(number.value)

    thread = threading.Thread(target=count)
    thread.start()
    try:
        for i in range(300):
            x[::2].copy_from(np.full(n, float(i)))
    finally:
        stop.set()
        thread.join()
    assert not lost
    np.testing.assert_array_equal(x[::2].to_host(), np.full(n, 299.0))
