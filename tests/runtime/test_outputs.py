"""Destinations of which NumPy's own loops make something that depends on how the arrays lie: refused when the call runs, before anything is written."""

import numpy as np
import pytest

SOURCE = """import numpy as np

#numptx export divided(float64[::], float64[::], float64[::], float64[::])
def divided(x, y, q, r):
    return np.divmod(x, y, out=(q, r))

#numptx export parts(float64[:], bool[:])
def parts(x, mask):
    o = np.zeros(x.size + 1)
    np.modf(x, out=(o[1:], o[:-1]), where=mask)
    return o

"""


@pytest.fixture(scope="module")
def outputs(workshop):
    return workshop.pair(SOURCE, "outputs")[0]


@pytest.mark.parametrize("second", [lambda o: o[5::-1], lambda o: o[1:7], lambda o: o[::-1][:6]])
def test_outputs_that_overlap_are_refused(second, outputs):
    x, o = np.arange(6.0) + 1.5, np.arange(7.0)
    with pytest.raises(NotImplementedError, match="numpy.divmod: outputs that overlap; write one of them to a copy"):
        outputs.divided(x, np.full(6, 2.0), o[:6], second(o))
    assert o.tolist() == list(range(7))


def test_outputs_that_overlap_under_a_mask_are_refused(outputs):
    with pytest.raises(NotImplementedError, match="numpy.modf: outputs that overlap"):
        outputs.parts(np.arange(6.0), np.ones(6, bool))


def test_outputs_in_turns_are_fine(outputs):
    o = np.zeros(12)
    q, r = outputs.divided(np.arange(6.0) + 1.5, np.full(6, 2.0), o[::2], o[1::2])
    np.testing.assert_array_equal([q, r], np.divmod(np.arange(6.0) + 1.5, 2.0))


def test_the_message_for_an_array_without_axes_is_no_signature(outputs):
    with pytest.raises(TypeError, match="float64 array without axes") as caught:
        outputs.parts(np.array(1.0), np.ones(6, bool))
    assert "float64[]" not in str(caught.value)
