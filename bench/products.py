"""Times products of matrices beside a peer: CuPy (cuBLAS) on a GPU, NumPy (OpenBLAS) on the CPU. Each result is compared with the peer's.

    python bench/products.py --device cpu|cuda [--compiled DIR] [--only NAME …] [--json FILE] [--commit COMMIT]

Both sides have their arrays where they compute. A time is the median of calls after a warm-up; ours and the peer's take turns. On a GPU each line is there
twice: with NVIDIA's libraries, and without them (`NUMPTX_CUDA_LIBRARIES=none`), for which the file runs itself again. On the CPU each side has a process of
its own. `copy` is a device-to-device copy of 1 GiB, both directions counted.
"""

import argparse
import datetime
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from compilation import compile_file, load_compiled  # noqa: E402

SOURCE = """
import numpy as np
#numptx export product(float64[:,:], float64[:,:])
#numptx export product(float32[:,:], float32[:,:])
#numptx export product(complex128[:,:], complex128[:,:])
#numptx export product(float64[:,:,:], float64[:,:,:])
def product(a, b):
    return a @ b
#numptx export transposed(float64[:,:], float64[:,:])
def transposed(a, b):
    return a.T @ b
#numptx export around(float64[:,:], float64[:,:], float64[:])
def around(a, b, c):
    return np.exp(a @ b + c)
#numptx export vector(float64[:,:], float64[:])
def vector(a, x):
    return a @ x
"""
# Name: function, dtype, shapes of the arguments; and shapes for the CPU, where they are others.
LINES = {
    "float64 4096²": ("product", "float64", [(4096, 4096)] * 2, [(1000, 1000)] * 2),
    "float32 4096²": ("product", "float32", [(4096, 4096)] * 2, [(1000, 1000)] * 2),
    "complex128 4096²": ("product", "complex128", [(4096, 4096)] * 2, [(500, 500)] * 2),
    "float64 256²": ("product", "float64", [(256, 256)] * 2, [(256, 256)] * 2),
    "float64 64²": ("product", "float64", [(64, 64)] * 2, [(64, 64)] * 2),
    "float64 16²": ("product", "float64", [(16, 16)] * 2, [(16, 16)] * 2),
    "20000 of 16²": ("product", "float64", [(20000, 16, 16)] * 2, [(2000, 16, 16)] * 2),
    "transposed": ("transposed", "float64", [(4096, 4096)] * 2, [(1000, 1000)] * 2),
    "tall": ("transposed", "float64", [(1 << 20, 64)] * 2, [(100_000, 32)] * 2),
    "exp(a @ b + c)": ("around", "float64", [(4096, 4096)] * 2 + [(4096,)], [(1000, 1000)] * 2 + [(1000,)]),
    "matrix-vector 8192²": ("vector", "float64", [(8192, 8192), (8192,)], [(2000, 2000), (2000,)]),
}


class Program:
    """What is measured: its source, and lines as above. `values` makes the arguments of a line, and `shown` is what of a result is compared."""

    def __init__(self, name, source, lines, values, shown=lambda function, result: result):
        self.name, self.source, self.lines, self.values, self.shown = name, source, lines, values, shown


def values(function, dtype, shapes):
    rng = np.random.default_rng(1)
    arrays = [rng.standard_normal(shape) / max(shape) for shape in shapes]
    return [(x + 1j * x[::-1]).astype(dtype) if dtype == "complex128" else x.astype(dtype) for x in arrays]


def median(run, wait, seconds=0.5):
    run(), wait()
    times, start = [], time.perf_counter()
    while len(times) < 5 or (time.perf_counter() - start < seconds and len(times) < 500):
        before = time.perf_counter()
        run(), wait()
        times.append(time.perf_counter() - before)
    return statistics.median(times)


class Gpu:
    """Our arrays and CuPy's are the same memory."""

    def __init__(self):
        import cupy

        self.cupy, self.wait = cupy, cupy.cuda.Device().synchronize
        self.name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()

    def place(self, array):
        return self.cupy.asarray(array)

    def host(self, array):
        return self.cupy.asnumpy(array)

    def copy_bandwidth(self):
        source = self.cupy.ones(1 << 27)
        target = self.cupy.empty_like(source)
        return 2 * source.nbytes / median(lambda: self.cupy.copyto(target, source), self.wait)


class Cpu:
    name = platform.processor() or platform.machine()

    def place(self, array):
        return array

    host = place

    def wait(self):
        pass

    def copy_bandwidth(self):
        source = np.ones(1 << 26)
        target = np.empty_like(source)
        return 2 * source.nbytes / median(lambda: np.copyto(target, source), self.wait)


def peer_module(source, numpy_like):
    """The source as the peer runs it."""
    names = {}
    exec(compile(source.replace("import numpy as np", ""), "peer", "exec"), {"np": numpy_like}, names)
    return names


def measure(program, given, sides):
    """One row a line: seconds of the sides that are asked for, after the results were compared."""
    machine = Gpu() if given.device == "cuda" else Cpu()
    import numptx

    library = pathlib.Path(given.compiled or tempfile.mkdtemp())
    found = next(iter(library.glob(f"{program.name}.so")), None)
    if found is None:
        library.mkdir(parents=True, exist_ok=True)
        (library / f"{program.name}.py").write_text(program.source)
        found = compile_file(library / f"{program.name}.py", library)
    ours, peer = load_compiled(found), peer_module(program.source, machine.cupy if given.device == "cuda" else np)
    rows = {}
    with numptx.device(given.device):
        for name, (function, dtype, large, small) in program.lines.items():
            if given.only and name not in given.only:
                continue
            made = program.values(function, dtype, large if given.device == "cuda" else small)
            arguments = [machine.place(x) for x in made]
            runs = {"ours": lambda: getattr(ours, function)(*arguments), "peer": lambda: peer[function](*arguments)}
            if is_refused(runs["ours"]):
                continue
            got, wanted = (machine.host(program.shown(function, runs[side]())) for side in ("ours", "peer"))
            eps = np.finfo(wanted.dtype).eps
            scale = np.max(np.abs(wanted)) or 1
            error = float(np.max(np.abs(got - wanted)) / scale)
            row = {"error": error, "is_right": bool(error < 1000 * eps)}
            for side in sides:
                times = [median(runs[side], machine.wait) for _ in range(3)]
                row[side] = min(times)
            rows[name] = row
    return {"device": machine.name, "copy_bytes_per_second": machine.copy_bandwidth(), "rows": rows}


def is_refused(run):
    """Whether a call needs a library that is not there."""
    try:
        run()
    except RuntimeError as error:
        return "which was not found" in str(error)
    return False


def apart(given, sides, **environment):
    """[`measure`] in a process of its own."""
    command = [sys.executable, sys.argv[0], "--device", given.device, "--sides", *sides]
    command += ["--compiled", given.compiled] if given.compiled else []
    command += ["--only", *given.only] if given.only else []
    done = subprocess.run(command, env={**os.environ, **environment}, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def main(program):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--compiled", help="keeps the compiled library here, and takes the one that is here")
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--json")
    parser.add_argument("--commit")
    parser.add_argument("--sides", nargs="*", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.sides:
        return print(json.dumps(measure(program, given, given.sides)))
    if given.device == "cuda":
        found = apart(given, ["ours", "peer"])
        others = {"without libraries": apart(given, ["ours"], NUMPTX_CUDA_LIBRARIES="none")}
    else:
        found = apart(given, ["ours"])
        others = {"peer": apart(given, ["peer"])}
    for name, row in found["rows"].items():
        for other, run in others.items():
            if name not in run["rows"]:
                continue
            row[other if other == "peer" else f"ours, {other}"] = run["rows"][name]["peer" if other == "peer" else "ours"]
            row["is_right"] &= run["rows"][name]["is_right"]
        row["ratio"] = row["peer"] / row["ours"]
        rest = "".join(f", without libraries {row['peer'] / row[key]:.2f}" for key in row if "without" in key)
        print(f"{name:24} {row['ours'] * 1e3:9.3f} ms, peer {row['peer'] * 1e3:9.3f} ms, ratio {row['ratio']:.2f}{rest}{'' if row['is_right'] else ' WRONG'}")
    print(f"copy {found['copy_bytes_per_second'] / 1e9:.0f} GB/s, {found['device']}")
    if given.json:
        facts = {"date": str(datetime.date.today()), "commit": given.commit, "numpy": np.__version__, "python": platform.python_version()}
        pathlib.Path(given.json).write_text(json.dumps({**facts, **found}, indent=1) + "\n")
    return 0 if all(row["is_right"] for row in found["rows"].values()) else 1


if __name__ == "__main__":
    sys.exit(main(Program("products", SOURCE, LINES, values)))
