"""Makes `table`, the sources that use every function, importable by the tests of this folder; finds the assembler."""

import os
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "functions"))

import assembler


@pytest.fixture(scope="module")
def ptxas():
    """The assembler that the compiler found."""
    path = assembler.info()["ptxas"]
    if not pathlib.Path(path).is_file():
        reason = f"no ptxas (`pip install nvidia-cuda-nvcc-cu12` brings it): {path}"
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
    return path
