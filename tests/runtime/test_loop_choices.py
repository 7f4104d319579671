"""Where a time loop runs: as one launch, or as kernels from the host. Both are compiled; the number of points chooses, or `NUMPTX_COOPERATIVE`."""

import pytest

from subprocesses import run_python

SOURCE = '''"""Steps that depend on each other."""
import numpy as np

#numptx export relax(float64[:], float64[:], int)
def relax(x, y, steps):
    for _ in range(steps):
        y[1:-1] = (x[:-2] + x[2:]) * 0.5
        x[1:-1] = y[1:-1] + 1.0

#numptx export columns(float64[:,:])
def columns(a):
    for k in range(a.shape[1]):
        for j in range(k + 1, a.shape[1]):
            a[0, j] = np.dot(a[1:, k], a[1:, j])
            a[1:, j] -= a[1:, k] * a[0, j]

#numptx export spin(float64[:,:], float64[:], int)
def spin(a, v, steps):
    for _ in range(steps):
        v[:] = (a @ v) * 0.5
'''

# The most points of a step that one launch is worth.
MOST = {"cpu": 1 << 15, "cuda": 1 << 23}

CALLS = """
    import sys, types, numpy as np, numptx
    from compilation import load_compiled
    compiled, device, wish, most = load_compiled(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
    plain = types.ModuleType("plain")
    exec(open(sys.argv[5]).read(), plain.__dict__)
    rng = np.random.default_rng(5)
    with numptx.device(device):
        for size in [0, 1, 2, 3, most + 2, most + 3]:
            for steps in [0, 1, 3]:
                x, y = rng.random(size), rng.random(size)
                wanted, other = x.copy(), y.copy()
                plain.relax(wanted, other, steps)
                before = numptx.memory_stats()["launches"]
                compiled.relax(x, y, steps)
                launches = numptx.memory_stats()["launches"] - before
                assert np.array_equal(x, wanted) and np.array_equal(y, other), (size, steps)
                is_one = wish != "host" and (wish != "" or size - 2 <= most)
                assert launches == (1 if is_one else 2 * steps if size > 2 else 0), (size, steps, launches)
        for shape in [(1, 0), (1, 1), (1, 5), (2, 3), (9, 8), (70, 33), (130, 129)]:
            a = rng.random(shape) / shape[0]
            wanted = a.copy()
            plain.columns(wanted)
            before = numptx.memory_stats()["launches"]
            compiled.columns(a)
            launches = numptx.memory_stats()["launches"] - before
            assert np.allclose(a, wanted, rtol=1e-9, atol=1e-9), shape
            assert wish == "host" or launches <= 1, (shape, launches)
        for size in [0, 1, 20, 128, 200, 2900]:
            a, v = rng.random((size, size)), rng.random(size)
            wanted = v.copy()
            plain.spin(a, wanted, 3)
            before = numptx.memory_stats()["launches"]
            compiled.spin(a, v, 3)
            launches = numptx.memory_stats()["launches"] - before
            assert np.allclose(v, wanted, rtol=1e-9), size
            # A kernel has many threads for a sum; a step has those of a warp at most.
            is_one = wish not in ("", "host") or wish == "" and size * size <= most
            assert (launches <= 1) == (is_one or size == 0), (size, launches)
"""


@pytest.mark.parametrize("wish", ["", "grid", "host", *(pytest.param(wish, marks=pytest.mark.long) for wish in ("block", "cluster", "100"))])
def test_points_choose_where_a_loop_runs(workshop, device, wish):
    source = workshop.written(SOURCE, "loop_choices")
    # Clusters are in the image for devices that have them.
    arguments = [str(workshop.library(source, ["--arch", "sm_90"])), device, wish, str(MOST[device]), str(source)]
    run_python(CALLS, *arguments, environment={"NUMPTX_COOPERATIVE": wish})
