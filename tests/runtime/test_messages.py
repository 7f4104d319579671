"""What does not fit where it is written is told in NumPy's words, with both shapes."""

import pathlib

import numpy as np
import pytest

from compilation import load_plain

HERE = pathlib.Path(__file__).parent
I, J = np.array([0, 1, 2]), np.array([[0], [1]])

CALLS = [
    ("whole", np.ones(2)),
    ("more_axes", np.ones((1, 2, 4, 3))),
    ("more_axes", np.ones((1, 1, 4, 2))),
    ("row", np.ones(2)),
    ("rows", I, np.ones((2, 3))),
    ("rows", I[:0], np.ones((2, 3))),
    ("columns", J, np.ones((5, 2, 7))),
    ("points", I, I, np.ones((1, 2))),
    ("points", I, I, np.ones((2, 3))),
    ("along", np.zeros((4, 2), dtype=np.int64), np.ones((4, 3))),
    ("each", I, np.ones((2, 3))),
]


@pytest.fixture(scope="module")
def kernels(workshop):
    return workshop.module(HERE / "messages_kernels.py")


@pytest.mark.parametrize("name, arguments", [(name, arguments) for name, *arguments in CALLS])
def test_the_words_are_numpys(name, arguments, kernels):
    plain = load_plain(HERE / "messages_kernels.py")
    with pytest.raises(ValueError) as expected:
        getattr(plain, name)(np.zeros((4, 3)), *arguments)
    with pytest.raises(ValueError) as found:
        getattr(kernels, name)(np.zeros((4, 3)), *arguments)
    assert str(found.value) == str(expected.value)
