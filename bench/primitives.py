"""Times reductions, scans, sorts, scatters, gathers, stencils and transposes on a GPU, beside CuPy, PyTorch and JAX and a copy of the same run.

    python bench/primitives.py [--only NAME …] [--sizes] [--compiled DIR] [--json FILE] [--commit COMMIT]
    python bench/primitives.py --plot DIR --json FILE

The first line measures each row of `ROWS` at its own size, or with `--sizes` at up to ten sizes from 2¹⁰ elements on. The second draws what a file
holds: an SVG a primitive, time over size. It needs matplotlib.

All sides have their arrays on the device. A time is the median of calls that each end when the device is idle. `of_copy` is what the row has to move at
least, per second, by what a device-to-device copy of 1 GiB does; both directions count. `ratio` is the time of the fastest peer whose result is right over
ours: above 1 ours is shorter. Results are compared with NumPy's. `ours` is compiled with `--arch` of the device, `portable` without.
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
from primitive_rows import ROWS, SOURCE, Sizes

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from compilation import compile_file, load_compiled  # noqa: E402

SECONDS = 0.3
# What one measurement may keep on the device at once, results of all sides included.
MOST_BYTES = 20 << 30


def median(run, wait):
    run(), wait()
    times, start = [], time.perf_counter()
    while len(times) < 3 or (time.perf_counter() - start < SECONDS and len(times) < 300):
        before = time.perf_counter()
        run()
        wait()
        times.append(time.perf_counter() - before)
    return statistics.median(times)


class CuPy:
    def __init__(self):
        import cupy

        self.xp, self.wait = cupy, cupy.cuda.Device().synchronize
        self.version = cupy.__version__

    def place(self, value):
        return self.xp.asarray(value) if isinstance(value, np.ndarray) else value

    def host(self, value):
        return self.xp.asnumpy(value)

    def call(self, row):
        return lambda *arguments: row.cupy(self.xp, *arguments)

    def release(self):
        self.xp.get_default_memory_pool().free_all_blocks()


class Torch(CuPy):
    def __init__(self):
        import torch

        self.xp, self.wait = torch, torch.cuda.synchronize
        self.version = torch.__version__

    def place(self, value):
        return self.xp.as_tensor(value, device="cuda") if isinstance(value, np.ndarray) else value

    def host(self, value):
        return value.cpu().numpy()

    def call(self, row):
        function = lambda *arguments: row.torch(self.xp, *arguments)  # noqa: E731
        return self.xp.compile(function, dynamic=False) if row.is_fused else function

    def release(self):
        self.xp.cuda.empty_cache()


class Jax(CuPy):
    """Whole functions under `jit`; arguments that are no arrays are static."""

    def __init__(self):
        import os

        os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
        import jax

        jax.config.update("jax_enable_x64", True)
        jax.devices("gpu")
        self.jax, self.xp, self.last = jax, jax.numpy, None
        self.version = jax.__version__

    def wait(self):
        self.jax.block_until_ready(self.last)

    def host(self, value):
        return np.asarray(value)

    def call(self, row):
        jitted = {}

        def run(*arguments):
            static = tuple(n for n, value in enumerate(arguments) if isinstance(value, (int, float)))
            function = jitted.setdefault(static, self.jax.jit(lambda *given: row.jax(self.xp, *given), static_argnums=static))
            self.last = function(*arguments)
            return self.last

        return run

    def release(self):
        self.last = None
        self.jax.clear_caches()


def found_peers():
    """Peers by name; why one is not there is said."""
    peers = {}
    for name, peer in (("cupy", CuPy), ("torch", Torch), ("jax", Jax)):
        try:
            peers[name] = peer()
        except Exception as problem:  # noqa: BLE001 - an absent or broken peer is reported, not fatal
            print(f"peer {name}: not run: {problem}", file=sys.stderr)
    return peers


def flat(results):
    """Results as a list of NumPy arrays' worth: a tuple's members, or the one."""
    return list(results) if isinstance(results, (tuple, list)) else [results]


def is_right(row, found, wanted):
    """Whether results are NumPy's, as near as the row asks: 0 means bit for bit, but for the sign of nothing."""
    found, wanted = [np.asarray(v) for v in flat(found)], [np.asarray(v) for v in flat(wanted)]
    if len(found) != len(wanted) or any(a.shape != b.shape for a, b in zip(found, wanted)):
        return False
    return all(np.allclose(a, b, rtol=row.near, atol=row.near, equal_nan=True) if row.near else np.array_equal(a, b) for a, b in zip(found, wanted))


def copy_bandwidth(cupy):
    source = cupy.xp.ones(1 << 27)
    target = cupy.xp.empty_like(source)
    # A copy of memory: a kernel that copies is not what others are measured by.
    run = lambda: target.data.copy_from_device_async(source.data, source.nbytes, cupy.xp.cuda.get_current_stream())  # noqa: E731
    return 2 * source.nbytes / median(run, cupy.wait)


def libraries(folder, arch):
    """Our module compiled for the device, and as `numptx compile` does without options."""
    made = {}
    for side, flags in (("ours", ["--arch", arch]), ("portable", [])):
        place = folder / side
        place.mkdir(parents=True, exist_ok=True)
        file = place / f"primitives_{side}.py"
        library = file.with_suffix(".so")
        if not library.exists() or file.read_text() != SOURCE:
            file.write_text(SOURCE)
            library = compile_file(file, place, flags)
        made[side] = load_compiled(library)
    return made


def measured(row, size, ours, peers, copy):
    """One row at one size: seconds by side, what was wrong, and the two ratios."""
    import numptx

    made = row.arguments(np.random.default_rng(1), size)
    copies = [np.copy(v) if isinstance(v, np.ndarray) else v for v in made]
    wanted = row.numpy(np, *copies)
    if row.changes is not None:
        wanted = copies[row.changes]
    moved = row.moved(made, wanted)
    result = {"size": size, "bytes": moved, "seconds": {}, "wrong": [], "problems": {}}
    calls = {name: (peer.place, peer.host, peer.wait, peer.call(row), peer.release) for name, peer in peers.items() if getattr(row, name)}
    place = lambda value: numptx.asarray(value, device="cuda") if isinstance(value, np.ndarray) else value  # noqa: E731
    host = lambda value: value.to_host() if isinstance(value, numptx.Array) else value  # noqa: E731
    for side, module in ours.items():
        calls[side] = (place, host, numptx.synchronize, getattr(module, row.function), lambda: None)
    for side, (put, get, wait, call, release) in calls.items():
        try:
            fresh = [put(v) for v in made]
            given = flat(call(*fresh))
            given = [get(v) for v in (given if row.changes is None else [fresh[row.changes]])]
            if not is_right(row, given, wanted):
                result["wrong"].append(side)
            del given
            result["seconds"][side] = median(lambda: call(*fresh), wait)
        except Exception as problem:  # noqa: BLE001 - what a side cannot run is part of the result
            result["problems"][side] = f"{type(problem).__name__}: {problem}"[:200]
        finally:
            fresh = None
            release()
    seconds = result["seconds"]
    valid = {name: seconds[name] for name in peers if name in seconds and name not in result["wrong"]}
    if "ours" in seconds:
        result["of_copy"] = moved / seconds["ours"] / copy if moved else None
        if valid:
            result["best_peer"] = min(valid, key=valid.get)
            result["ratio"] = min(valid.values()) / seconds["ours"]
    return result


def show(name, result):
    def at(side):
        return f"{1e3 * result['seconds'][side]:9.3f}" if side in result["seconds"] else "        -"

    share = f"{100 * result['of_copy']:5.1f} %" if result.get("of_copy") else "       "
    ratio = f"{result['ratio']:6.2f} {result['best_peer']:5}" if "ratio" in result else "     -      "
    wrong = f" WRONG: {' '.join(result['wrong'])}" if result["wrong"] else ""
    sides = " ".join(at(side) for side in ("ours", "portable", "cupy", "torch", "jax"))
    problem = result["problems"].get("ours") or result["problems"].get("portable")
    print(f"{name:28} {result['size']:>11} {sides}  {share} {ratio}{wrong}{' ' + problem if problem else ''}", flush=True)


def plot(file, folder):
    """An SVG a primitive: milliseconds over elements, a line a side, and what a copy of its bytes takes."""
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    report = json.loads(file.read_text())
    folder.mkdir(parents=True, exist_ok=True)
    for name, results in report["rows"].items():
        figure, axes = plt.subplots(figsize=(5, 3.5))
        for side in ("ours", "portable", "cupy", "torch", "jax"):
            points = [(r["size"], 1e3 * r["seconds"][side]) for r in results if side in r["seconds"] and side not in r["wrong"]]
            if points:
                axes.loglog(*zip(*points), marker="o", markersize=3, label=side)
        copies = [(r["size"], 1e3 * r["bytes"] / report["copy_bytes_per_second"]) for r in results if r["bytes"]]
        if copies:
            axes.loglog(*zip(*copies), linestyle=":", color="black", label="copy of its bytes")
        axes.set(title=name, xlabel="elements", ylabel="ms")
        axes.legend(fontsize=7)
        figure.tight_layout()
        figure.savefig(folder / f"{file.stem}-{'-'.join(name.replace('/', ' ').split())}.svg", metadata={"Date": None})
        plt.close(figure)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", default=None)
    parser.add_argument("--sizes", action="store_true")
    parser.add_argument("--seconds", type=float, default=1e9, help="no row begins after so many seconds")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--compiled", type=pathlib.Path, help="keeps the compiled libraries here, and takes those that are here")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--plot", type=pathlib.Path)
    parser.add_argument("--commit")
    given = parser.parse_args()
    if given.plot:
        return plot(given.json, given.plot)
    peers = found_peers()
    import numptx

    with tempfile.TemporaryDirectory() as temporary:
        ours = libraries(given.compiled or pathlib.Path(temporary), given.arch)
        cupy = peers["cupy"]
        copy, properties = copy_bandwidth(cupy), cupy.xp.cuda.runtime.getDeviceProperties(0)
        report = {"date": str(datetime.date.today()), "commit": given.commit, "device": properties["name"].decode()}
        report |= {"driver": cupy.xp.cuda.runtime.driverGetVersion(), "arch": given.arch, "copy_bytes_per_second": copy}
        report |= {"versions": {"numpy": np.__version__, "python": platform.python_version()} | {name: peer.version for name, peer in peers.items()}}
        print(f"{report['device']}: copy {copy / 1e9:.0f} GB/s\n{'':28} {'size':>11}      ours  portable      cupy     torch       jax  of copy  ratio", flush=True)
        rows, start = report.setdefault("rows", {}), time.perf_counter()
        with numptx.device("cuda"):
            for row in ROWS:
                if given.only is not None and row.name not in given.only:
                    continue
                for size in Sizes.of(row, MOST_BYTES) if given.sizes else [row.size]:
                    if time.perf_counter() - start > given.seconds:
                        break
                    rows.setdefault(row.name, []).append(measured(row, size, ours, peers, copy))
                    show(row.name, rows[row.name][-1])
                    if given.json:
                        given.json.write_text(json.dumps(report, indent=1) + "\n")
    ours_wrong = any(set(result["wrong"]) & {"ours", "portable"} for results in rows.values() for result in results)
    return 1 if ours_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
