"""Device code with indices of 8 bits, run by the mock driver on grids of few blocks: few elements are many."""

import os

WANTED = {"NUMPTX_MOCK_PTX", "NUMPTX_MOCK_MAX_GRID_X"}


def pytest_ignore_collect(collection_path, config):
    """Only where the mock driver runs device code on grids of few blocks, as the stage of `tests/suite.py` has it."""
    if config.getoption("--device") == "cpu" or not WANTED <= os.environ.keys():
        return True
