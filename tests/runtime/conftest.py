"""The module of fixture.c, for the tests of this folder."""

import os

import pytest

from compilation import load_compiled
from fixture_module import build_fixture, interface_version


def pytest_ignore_collect(collection_path, config):
    """Tests of device memory want a device, tests of failures one that fails on demand."""
    if collection_path.name in ("test_device.py", "test_failures.py") and config.getoption("--device") == "cpu":
        return True
    if collection_path.name == "test_failures.py" and "mock" not in os.environ.get("NUMPTX_LIBCUDA", ""):
        return True


@pytest.fixture(scope="session")
def fixture_library(tmp_path_factory):
    return build_fixture(tmp_path_factory.mktemp("fixture"), interface_version())


@pytest.fixture(scope="session")
def fixture(fixture_library):
    """The module; its kernels have no device image, so that its calls run on the CPU."""
    return load_compiled(fixture_library)


@pytest.fixture(autouse=True)
def on_cpu():
    import numptx

    with numptx.device("cpu"):
        yield
