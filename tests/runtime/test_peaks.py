"""How much memory programs need at once: a chain of temporaries needs as much, however long it is."""

import numpy as np
import pytest

import numptx

ELEMENTS = 1000
# What a statement of the chain makes of the array of the one before.
STATEMENTS = {
    "elements": "y = np.sqrt(y * 0.5 + 1.0)",
    "running totals": "y = np.cumsum(y) * 0.25",
    "rows of a product": "y = np.dot(a, y)",
    "views in between": "y = (y.reshape(10, -1).T + 1.0).ravel()",
}
# Statements that read an array twice: fusion computes some of them again where it is read, and keeps what that reads, up to the arrays of one kernel.
REPEATED = {
    "totals of what is read again": "y = y + np.cumsum(y)",
    "read at other places": "y = y[::-1] - 0.5 * np.roll(y, 1)",
    "the one before last, too": "x, y = y, x + 0.5 * y[::-1]",
}


def program(statement, n):
    lines = "\n".join(["    " + statement] * n)
    return f"import numpy as np\n\n#numptx export chain(float64[:,:], float64[:])\ndef chain(a, x):\n    y = x + 1.0\n{lines}\n    return y\n"


def peak(workshop, statement, n):
    """The most bytes that live at once in a call, result included."""
    compiled, plain = workshop.pair(program(statement, n), f"chain_of_{n}")
    arguments = np.random.default_rng(1).random((ELEMENTS, ELEMENTS)) / ELEMENTS, np.linspace(0, 1, ELEMENTS)
    np.testing.assert_allclose(compiled.chain(*arguments), plain.chain(*arguments), rtol=1e-9, atol=1e-9)
    before = numptx.memory_stats("cpu")["live_bytes"]
    numptx.reset_peak_memory()
    result = compiled.chain(*arguments)
    assert result.shape == (ELEMENTS,)
    return numptx.memory_stats("cpu")["peak_bytes"] - before


@pytest.mark.thread_unsafe
@pytest.mark.parametrize("n", [pytest.param(8, marks=pytest.mark.long), 32])
@pytest.mark.parametrize("kind", STATEMENTS)
def test_the_peak_of_a_chain_does_not_grow_with_its_length(kind, n, workshop):
    peaks = [peak(workshop, STATEMENTS[kind], length) for length in (2, n)]
    assert peaks[0] == peaks[1] <= 3 * 8 * ELEMENTS, peaks


@pytest.mark.thread_unsafe
@pytest.mark.parametrize("kind", [pytest.param(kind, marks=[pytest.mark.long] if n else []) for n, kind in enumerate(REPEATED)])
def test_the_peak_of_a_chain_that_is_computed_again_is_bounded(kind, workshop):
    peaks = [peak(workshop, REPEATED[kind], n) for n in (32, 64)]
    assert max(peaks) <= 34 * 8 * ELEMENTS, peaks


@pytest.mark.thread_unsafe
def test_a_chain_of_elements_is_one_array(workshop):
    assert peak(workshop, STATEMENTS["elements"], 32) == 8 * ELEMENTS
