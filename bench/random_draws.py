"""Times arrays of random numbers on a GPU beside a fill of the same size and CuPy's generators. Bits, and the generator afterwards, are compared with NumPy's.

    python bench/random_draws.py [--compiled DIR] [--count N] [--json FILE] [--commit COMMIT]

A time is that of one of many calls that follow each other, memory for the result included; the median of several groups. `of_fill` is the time of a fill of as
many bytes over ours, 1 is as fast: the fill is the fastest of a kernel's with vectors of 16 bytes, CuPy's, and the driver's. `copy` is a device-to-device copy,
both directions counted. `calls` are whole calls, host included, by how many numbers they draw: `normals` are always drawn on the host.
"""

import argparse
import datetime
import json
import pathlib
import platform
import statistics
import sys
import tempfile
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from compilation import compile_file, load_compiled  # noqa: E402

# Results stay where arguments are: `there` is on the device.
SOURCE = """
import numpy as np
#numptx export random(Generator, int, float64[:])
def random(rng, n, there):
    return rng.random(n)
#numptx export random_float32(Generator, int, float64[:])
def random_float32(rng, n, there):
    return rng.random(n, dtype=np.float32)
#numptx export uniform(Generator, int, float64[:])
def uniform(rng, n, there):
    return rng.uniform(-2.5, 7.0, n)
#numptx export raw(Generator, int, float64[:])
def raw(rng, n, there):
    return rng.bit_generator.random_raw(n)
#numptx export normals(Generator, int, float64[:])
def normals(rng, n, there):
    return rng.standard_normal(n)
#numptx export mean(Generator, int, float64[:])
def mean(rng, n, there):
    return rng.random(n).mean()
"""
KINDS = {"PCG64": np.random.PCG64, "Philox": np.random.Philox}
# What NumPy draws: function of the generator and the number.
PLAIN = {
    "random": lambda rng, n: rng.random(n),
    "random_float32": lambda rng, n: rng.random(n, dtype=np.float32),
    "uniform": lambda rng, n: rng.uniform(-2.5, 7.0, n),
    "raw": lambda rng, n: rng.bit_generator.random_raw(n),
}
PEERS = ["XORWOW", "MRG32k3a", "Philox4x3210"]
COUNTS = [16, 256, 1024, 2048, 4095, 4096, 8192, 16384, 65536, 1 << 20]
FILL = r"""
extern "C" __global__ void fill(double2* to, long long n) {
    long long step = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) to[i] = make_double2(0.5, 0.25);
}
"""


def state(rng):
    """All of a generator's state, as text."""
    return json.dumps(rng.bit_generator.state, default=lambda array: array.tolist())


def seconds(run, wait, at_least=0.05, groups=7):
    """Of one of many calls that follow each other."""
    for _ in range(3):
        run()
    wait()

    def group(n):
        before = time.perf_counter()
        for _ in range(n):
            run()
        wait()
        return (time.perf_counter() - before) / n

    n = max(5, min(1000, int(at_least / group(5))))
    return statistics.median(group(n) for _ in range(groups))


def call(run, wait, times=50):
    """Of a call that is waited for."""
    run(), wait()
    found = []
    for _ in range(times):
        before = time.perf_counter()
        run(), wait()
        found.append(time.perf_counter() - before)
    return statistics.median(found)


def yardsticks(cupy, wait, n_bytes):
    """Seconds of fills of so many bytes, and a copy's bytes in a second."""
    to, processors = cupy.empty(n_bytes // 8), cupy.cuda.Device().attributes["MultiProcessorCount"]
    kernel, pairs = cupy.RawKernel(FILL, "fill"), np.int64(to.size // 2)
    grids = [(blocks * processors, threads) for blocks in (2, 4, 8, 16) for threads in (256, 512, 1024)]
    fills = {"kernel": min(seconds(lambda: kernel((blocks,), (threads,), (to, pairs)), wait) for blocks, threads in grids)}
    fills["cupy"] = seconds(lambda: to.fill(0.5), wait)
    fills["memset"] = seconds(lambda: to.data.memset_async(0, to.nbytes), wait)
    source, target = cupy.ones(1 << 27), cupy.empty(1 << 27)
    copy = 2 * source.nbytes / seconds(lambda: cupy.copyto(target, source), wait)
    return fills, copy


def is_right(module, name, kind, n, there):
    """Whether bits and states are NumPy's: of the first numbers, and of what follows an odd number of them."""
    ours, theirs = (np.random.Generator(KINDS[kind](1)) for _ in range(2))
    for count in (n, 3, 5000, n // 3):
        found, wanted = getattr(module, name)(ours, count, there), PLAIN[name](theirs, count)
        if found.to_host().tobytes() != wanted.tobytes() or state(ours) != state(theirs):
            return False
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiled", type=pathlib.Path, help="keeps the compiled library here, and takes the one that is here")
    parser.add_argument("--count", type=int, default=10**8)
    parser.add_argument("--checked", type=int, default=10**8, help="how many numbers are compared with NumPy's")
    parser.add_argument("--json")
    parser.add_argument("--commit")
    parser.add_argument("--only-compile", action="store_true", help="compiles for `--compiled`, and ends: that needs no GPU")
    given = parser.parse_args()
    library = given.compiled or pathlib.Path(tempfile.mkdtemp())
    found = next(iter(library.glob("random_draws.so")), None)
    if found is None:
        library.mkdir(parents=True, exist_ok=True)
        (library / "random_draws.py").write_text(SOURCE)
        found = compile_file(library / "random_draws.py", library)
    if given.only_compile:
        return 0
    import cupy

    import numptx

    module, wait, n = load_compiled(found), numptx.synchronize, given.count
    device = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    rows, calls, peers = {}, {}, {}
    wait_peer = cupy.cuda.Device().synchronize
    fills, copy = yardsticks(cupy, wait_peer, 8 * n)
    fill = min(fills.values())
    print(f"{device}: fill {8 * n / fill / 1e9:.0f} GB/s, copy {copy / 1e9:.0f} GB/s", flush=True)
    there = numptx.asarray(np.zeros(1), device="cuda")
    with numptx.device("cuda"):
        for kind in KINDS:
            for name in PLAIN:
                rng, itemsize = np.random.Generator(KINDS[kind](1)), 4 if name == "random_float32" else 8
                ours = seconds(lambda: getattr(module, name)(rng, n, there), wait)
                row = {"ours": ours, "of_fill": fill * itemsize / 8 / ours, "of_copy": itemsize * n / ours / copy}
                row["is_right"] = is_right(module, name, kind, given.checked, there)
                rows[f"{kind} {name}"] = row
                right = "" if row["is_right"] else " WRONG"
                print(f"{kind:8} {name:16} {ours * 1e3:8.3f} ms, of a fill {row['of_fill']:.2f}, of a copy {row['of_copy']:.2f}{right}", flush=True)
            for name in ("random", "normals", "mean"):
                rng = np.random.Generator(KINDS[kind](1))
                calls[f"{kind} {name}"] = {count: call(lambda: getattr(module, name)(rng, count, there), wait) for count in COUNTS}
                print(f"{kind:8} {name}: " + ", ".join(f"{count}: {s * 1e6:.1f} us" for count, s in calls[f"{kind} {name}"].items()), flush=True)
    for name in PEERS:
        generator = cupy.random.Generator(getattr(cupy.random, name)(1))
        to = cupy.empty(n)
        theirs = seconds(lambda: generator.random(n, out=to), wait_peer)
        peers[name] = {"seconds": theirs, "of_fill": fill / theirs}
        print(f"CuPy's {name:16} {theirs * 1e3:8.3f} ms, of a fill {fill / theirs:.2f}", flush=True)
    if given.json:
        facts = {"date": str(datetime.date.today()), "commit": given.commit, "numpy": np.__version__, "python": platform.python_version()}
        facts |= {"device": device, "driver": cupy.cuda.runtime.driverGetVersion(), "cupy": cupy.__version__, "count": n}
        facts |= {"fill_seconds": fills, "copy_bytes_per_second": copy, "rows": rows, "peers": peers, "calls": calls}
        pathlib.Path(given.json).write_text(json.dumps(facts, indent=1) + "\n")
    return 0 if all(row["is_right"] for row in rows.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
