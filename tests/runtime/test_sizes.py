"""Iteration spaces that cannot be counted are errors. Plain Python would go through these for ages, so that the corpus cannot have them."""

import numpy as np
import pytest

import numptx

SOURCE = '''"""Sums over what no array holds."""
import numpy as np

#numptx export total(float64[:], int, int)
def total(x, n, m):
    s = 0.0
    for i in range(n):
        for j in range(m):
            s += x[0]
    return s

#numptx export count(float64[:], int, int)
def count(x, n, m):
    c = 0
    for i in range(n):
        for j in range(m):
            if x[0] > 2:
                c += 1
    return c

#numptx export largest(float64[:], int, int)
def largest(x, n, m):
    return (np.broadcast_to(x, n)[:, None] * np.broadcast_to(x, m)).max()
'''


@pytest.fixture(scope="module")
def sizes(workshop):
    return workshop.module(workshop.written(SOURCE, "sizes"))


@pytest.mark.parametrize("shape", [(2**32, 2**32), (2**31, 2**33 + 1)])
@pytest.mark.parametrize("name", ["total", "count", "largest"])
def test_products_of_extents_do_not_wrap(sizes, device, name, shape):
    with numptx.device(device), pytest.raises(ValueError, match="iterator is too large"):
        getattr(sizes, name)(np.full(1, 3.0), *shape)
