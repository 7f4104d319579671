"""What sorting costs: short rows are one launch on a device, longer ones one for each digit and a few more. On the CPU, and with --device cuda on the GPU too."""

import numpy as np
import pytest

import numptx

SOURCE = '''"""Sorts."""
import numpy as np

#numptx export in_order(float64[:])
def in_order(x):
    return np.sort(x)

#numptx export order(float64[:])
def order(x):
    return np.argsort(x, kind="stable")

#numptx export middle(float64[:])
def middle(x):
    return np.median(x)
'''

# Launches of a call on the host, and those on a device besides what sorts.
LAUNCHES = {"in_order": (1, 2), "order": (1, 5), "middle": (4, 5)}


def sorting(name, n):
    """Of 8 digits, and before and behind them: clearing, counting, a plan, and a copy; the middle of 6 longer digits, each counted and chosen, with what is
    behind it."""
    if n <= 3072:
        return 1
    return 1 + 2 * 6 + 2 if name == "middle" else 8 + 4


@pytest.mark.parametrize("n", [2, 1000, 4096])
@pytest.mark.parametrize("name", LAUNCHES)
def test_launches(workshop, pytestconfig, name, n):
    device = pytestconfig.getoption("--device")
    compiled, plain = workshop.pair(SOURCE, "sorts")
    x = np.random.default_rng(3).random(n)
    on_host, besides = LAUNCHES[name]
    with numptx.device(device):
        placed = x if device == "cpu" else numptx.asarray(x, device=device)
        getattr(compiled, name)(placed)
        before = numptx.memory_stats()["launches"]
        found = getattr(compiled, name)(placed)
        launches = numptx.memory_stats()["launches"] - before
    found = found.to_host() if isinstance(found, numptx.Array) else found
    np.testing.assert_array_equal(found, getattr(plain, name)(x))
    limit = on_host if device == "cpu" else sorting(name, n) + besides
    assert launches <= limit, f"{launches} launches, {limit} at most"


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_zeros_of_both_signs_and_nans_stay_as_they_stood(workshop, pytestconfig, dtype):
    device = pytestconfig.getoption("--device")
    source = SOURCE.replace("float64", np.dtype(dtype).name).replace("np.sort(x)", 'np.sort(x, kind="stable")')
    compiled, plain = workshop.pair(source, f"sorts_{np.dtype(dtype).name}")
    rng = np.random.default_rng(4)
    x = rng.choice(np.array([0.0, -0.0, 1.0, -1.0, np.nan, -np.nan, np.inf], dtype), 50_000 if device == "cpu" else 20_000)
    with numptx.device(device):
        found, wanted = compiled.in_order(x), plain.in_order(x)
    np.testing.assert_array_equal(found, wanted)
    np.testing.assert_array_equal(np.signbit(found), np.signbit(wanted))
