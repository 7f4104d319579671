"""The module of fixture.c, for the tests of this folder."""

import os

import pytest

from compilation import load_compiled
from fixture_module import build_fixture, interface_version

ON_DEVICE = ["test_device.py", "test_driver_rules.py", "test_streams.py", "test_graphs.py", "test_replays.py", "test_device_memory.py", "test_staging.py", "test_shutdown.py", "test_two_devices.py", "test_array_interface.py", "test_copies.py", "test_reshapes.py", "test_shown_arrays.py", "test_graph_updates.py", "test_pinned_arrays.py", "test_foreign_pointers.py", "test_real_allocators.py"]
ON_MOCK = ["test_failures.py", "test_driver.py", "test_call_cost.py", "test_stream_lifetimes.py", "test_clean_ups.py", "test_allocators.py", "test_devices_without_pools.py", "test_eight_devices.py"]


def pytest_ignore_collect(collection_path, config):
    """Tests of device memory want a device, some of them one that fails on demand and counts."""
    name = collection_path.name
    if name in (*ON_DEVICE, *ON_MOCK) and config.getoption("--device") == "cpu":
        return True
    if name in ON_MOCK and "mock" not in os.environ.get("NUMPTX_LIBCUDA", ""):
        return True


@pytest.fixture(scope="session")
def fixture_library(tmp_path_factory):
    return build_fixture(tmp_path_factory.mktemp("fixture"), interface_version())


@pytest.fixture(scope="session")
def fixture(fixture_library):
    """The module; its kernels have no device image, so that its calls run on the CPU."""
    return load_compiled(fixture_library)


@pytest.fixture(scope="module")
def modules(request, workshop):
    """A test file's `PROGRAM`, compiled and plain; files without one have fixtures of their own."""
    return workshop.pair(request.module.PROGRAM)


@pytest.fixture
def compiled(modules):
    return modules[0]


@pytest.fixture(scope="session")
def driver():
    """The CUDA driver, for what other libraries do with it."""
    from cuda_driver import Driver

    return Driver()


@pytest.fixture(params=["at once", "put off"])
def pace(request, driver):
    """On the mock driver both: streams that do their work at once, and those that put it off until somebody waits for them."""
    from cuda_driver import IS_MOCK

    if not IS_MOCK and request.param == "put off":
        pytest.skip("the GPU has its own pace")
    if IS_MOCK:
        driver.defer(request.param == "put off")
    yield request.param
    if IS_MOCK:
        driver.defer(False)


@pytest.fixture(autouse=True)
def on_cpu():
    import numptx

    with numptx.device("cpu"):
        yield
