"""Addresses in `__cuda_array_interface__`, which does not tell the device: the driver is asked."""

import ctypes

import numpy as np
import pytest

import numptx
from cuda_driver import IS_MOCK

HAS_TWO = len(numptx.devices()) > 2
BYTES = 64


class Interface:
    """An object with nothing but `__cuda_array_interface__`."""

    def __init__(self, address, n=BYTES // 8):
        self.__cuda_array_interface__ = {"shape": (n,), "typestr": "<f8", "data": (address, False), "version": 3}


class Placed(Interface):
    """The same, and the device that it says it is on."""

    def __init__(self, address, ordinal, n=BYTES // 8):
        super().__init__(address, n)
        self.device = type("Device", (), {"id": ordinal})()


@pytest.mark.parametrize("device", [0, pytest.param(1, marks=pytest.mark.skipif(not HAS_TWO, reason="one GPU here"))])
def test_the_driver_tells_the_device_of_an_address(device):
    x = numptx.asarray(np.arange(8.0), device=device)
    address = x.__cuda_array_interface__["data"][0]
    for found in (Interface(address), Interface(address + 16, 2), Placed(address, 1 - device)):
        there = numptx.asarray(found)
        assert there.device == f"cuda:{device}"
        first = (found.__cuda_array_interface__["data"][0] - address) // 8
        np.testing.assert_array_equal(there.to_host(), np.arange(8.0)[first : first + there.size])


@pytest.mark.parametrize("named", [None, 0, pytest.param(1, marks=pytest.mark.skipif(not HAS_TWO, reason="one GPU here"))])
def test_managed_memory_is_where_its_library_says(driver, named):
    with driver.context(0):
        address = driver.made("cuMemAllocManaged", ctypes.c_size_t(BYTES), 1, kind=ctypes.c_uint64)
        try:
            x = numptx.asarray(Interface(address) if named is None else Placed(address, named))
            assert x.device == f"cuda:{named or 0}"
            x.copy_from(np.arange(8.0))
            np.testing.assert_array_equal(x.to_host(), np.arange(8.0))
            del x
        finally:
            numptx.synchronize()
            driver.cuMemFree_v2(ctypes.c_uint64(address))


def test_page_locked_memory_of_the_host_is_used_where_it_is(driver, workshop):
    """As Numba's mapped arrays show it."""
    compiled, _ = workshop.pair("#numptx export twice(float64[:])\ndef twice(x):\n    return 2 * x\n")
    host = numptx.empty(8, pinned=True)
    np.asarray(host)[:] = np.arange(8.0)
    x = numptx.asarray(Interface(np.asarray(host).ctypes.data))
    assert x.device == "cuda:0"
    with numptx.device("auto"):
        np.testing.assert_array_equal(compiled.twice(x).to_host(), 2 * np.arange(8.0))


def test_an_address_that_no_gpu_knows_is_an_error_that_says_so():
    host = np.arange(8.0)
    for address in (host.ctypes.data, 0, 8, 2**63 + 64, 2**64 - 1):
        with pytest.raises(ValueError, match=f"names the address {address:#x}, where the driver knows no memory"):
            numptx.asarray(Interface(address))
        with pytest.raises(ValueError, match="the driver knows no memory"):
            numptx.asarray(Placed(address, 0))


@pytest.mark.skipif(not IS_MOCK, reason="a GPU may keep what was freed")
def test_an_address_whose_memory_was_freed_is_an_error(driver):
    with driver.context(0):
        address = driver.made("cuMemAlloc_v2", ctypes.c_size_t(BYTES), kind=ctypes.c_uint64)
        driver.cuMemFree_v2(ctypes.c_uint64(address))
    with pytest.raises(ValueError, match="the driver knows no memory"):
        numptx.asarray(Interface(address))


def test_an_array_without_elements_may_have_any_address():
    assert numptx.asarray(Interface(0, 0)).device == "cuda:0"
    if HAS_TWO:
        assert numptx.asarray(Placed(0, 1, 0)).device == "cuda:1"
    with pytest.raises(numptx.CudaError, match="cuda:99 is not there"):
        numptx.asarray(Placed(0, 99, 0))
