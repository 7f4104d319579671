"""NVIDIA's assembler takes the portable PTX of the function table for later architectures, too; no GPU is needed."""

import assembler
import pytest


@pytest.mark.long
@pytest.mark.parametrize("architecture", ["sm_80", "sm_90"])
@pytest.mark.parametrize("name, source", assembler.TABLE, ids=assembler.NAMES)
def test_function_table(name, source, architecture, ptxas, workshop):
    assembler.takes(ptxas, architecture, workshop.library(workshop.written(source, name)))
