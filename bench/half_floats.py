"""Times kernels of `float16` on a GPU beside the same ones of `float32`, CuPy's, and a copy. Results are compared with NumPy's.

    python bench/half_floats.py [--compiled DIR] [--count N] [--json FILE] [--commit COMMIT]

A time is that of one of many calls that follow each other, memory for the result included; the median of several groups. `of_copy` is what a kernel
reads and writes in a second by what a device-to-device copy does, both directions counted. `to_cupy` is CuPy's time over ours: above 1 ours is shorter.
"""

import argparse
import datetime
import json
import pathlib
import platform
import sys
import tempfile

import numpy as np
from random_draws import seconds, yardsticks

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from compilation import compile_file, load_compiled  # noqa: E402

SOURCE = """
import numpy as np
#numptx export scaled(T[:], T[:])
def scaled(x, y):
    return x * np.T(2.0) + y
#numptx export waves(T[:], T[:])
def waves(x, y):
    return np.sin(x) * y
#numptx export total(T[:], T[:])
def total(x, y):
    return x.sum()
#numptx export largest(T[:], T[:])
def largest(x, y):
    return x.max()
#numptx export widened(T[:], T[:])
def widened(x, y):
    return x.astype(np.float64)
#numptx export in_order(T[:], T[:])
def in_order(x, y):
    return np.sort(x)
"""
# Of one element of the argument: bytes that are read and written, by the size of an element.
MOVED = {"scaled": lambda size: 3 * size, "waves": lambda size: 3 * size, "total": lambda size: size, "largest": lambda size: size, "widened": lambda size: size + 8}
DTYPES = ["float16", "float32"]
# How far results may lie from NumPy's, in units of the dtype's precision: NumPy adds pairs, we add as float32 does.
NEAR = {"scaled": 0, "waves": 2, "total": 4, "largest": 0, "widened": 0, "in_order": 0}


def plain(xp, dtype):
    """The functions as NumPy and CuPy have them."""
    return {
        "scaled": lambda x, y: x * dtype(2.0) + y,
        "waves": lambda x, y: xp.sin(x) * y,
        "total": lambda x, y: x.sum(),
        "largest": lambda x, y: x.max(),
        "widened": lambda x, y: x.astype(np.float64),
        "in_order": lambda x, y: xp.sort(x),
    }


def is_near(found, wanted, name):
    found, wanted = np.asarray(found), np.asarray(wanted)
    if found.dtype != wanted.dtype or found.shape != wanted.shape:
        return False
    unit = float(np.finfo(wanted.dtype).eps)
    return bool(np.allclose(found.astype(np.float64), wanted.astype(np.float64), rtol=NEAR[name] * unit, atol=0.0))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiled", type=pathlib.Path, help="keeps the compiled libraries here, and takes those that are here")
    parser.add_argument("--count", type=int, default=10**8)
    parser.add_argument("--json")
    parser.add_argument("--commit")
    given = parser.parse_args()
    import cupy

    import numptx

    folder = given.compiled or pathlib.Path(tempfile.mkdtemp())
    n, wait, wait_peer = given.count, numptx.synchronize, cupy.cuda.Device().synchronize
    device = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    fills, copy = yardsticks(cupy, wait_peer, 8 * n)
    print(f"{device}: copy {copy / 1e9:.0f} GB/s", flush=True)
    rows = {}
    for word in DTYPES:
        file = folder / f"half_floats_{word}.py"
        folder.mkdir(parents=True, exist_ok=True)
        file.write_text(SOURCE.replace("np.T", f"np.{word}").replace("T[", f"{word}["))
        found = next(iter(folder.glob(f"half_floats_{word}.so")), None)
        module, dtype = load_compiled(found or compile_file(file, folder)), np.dtype(word).type
        host = [np.random.default_rng(k).random(n, dtype=np.float32).astype(dtype) for k in range(2)]
        # Sums of more elements than this are beyond float16.
        few = [array[:50_000] for array in host]
        ours_on, theirs_on = [numptx.asarray(v, device="cuda") for v in host], [cupy.asarray(v) for v in host]
        with numptx.device("cuda"):
            for name, moved in {**MOVED, "in_order": None}.items():
                wanted = plain(np, dtype)[name](*few)
                result = getattr(module, name)(*[numptx.asarray(v, device="cuda") for v in few])
                result = result.to_host() if hasattr(result, "to_host") else result
                peer = plain(cupy, dtype)[name](*[cupy.asarray(v) for v in few]).get()
                ours = seconds(lambda: getattr(module, name)(*ours_on), wait)
                theirs = seconds(lambda: plain(cupy, dtype)[name](*theirs_on), wait_peer)
                row = {"ours": ours, "cupy": theirs, "to_cupy": theirs / ours}
                row["of_copy"] = moved and moved(np.dtype(word).itemsize) * n / ours / copy
                row |= {"is_right": is_near(result, wanted, name), "cupy_is_right": is_near(peer, wanted, name)}
                rows[f"{name} {word}"] = row
                of_copy = f", of a copy {row['of_copy']:.2f}" if moved else ""
                print(f"{name:9} {word}: {ours * 1e3:8.3f} ms, CuPy {theirs * 1e3:8.3f} ms{of_copy}{'' if row['is_right'] else ' WRONG'}", flush=True)
    if given.json:
        facts = {"date": str(datetime.date.today()), "commit": given.commit, "numpy": np.__version__, "python": platform.python_version()}
        facts |= {"device": device, "driver": cupy.cuda.runtime.driverGetVersion(), "cupy": cupy.__version__, "count": n}
        facts |= {"fill_seconds": fills, "copy_bytes_per_second": copy, "rows": rows}
        pathlib.Path(given.json).write_text(json.dumps(facts, indent=1) + "\n")
    return 0 if all(row["is_right"] for row in rows.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
