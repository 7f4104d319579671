"""Times the corpus's `# bench:` lines: our time, NumPy's and peers' in the same run, and the fraction of the copy bandwidth.

    python bench/bench.py --device cpu|cuda [--only NAME …] [--arch sm_90] [--compiled DIR] [--out DIR]

A line is run until 0.3 s have passed, at least 5 times after a warm-up; the smallest and the median time are kept. On a GPU the
arguments lie there already and a run ends when the device is idle. Bytes are those of every argument and result once, of
written arguments twice: what a fused kernel has to move at least (a time loop moves them in every step). `copy` is a device-to-device copy of 1 GiB (on the CPU: numpy.copyto), counted in both directions.
Peers run the same source file with their own arrays: CuPy through NumPy's protocols, JAX with `np` replaced by `jax.numpy` under `jit`.
"""

import argparse
import datetime
import importlib.util
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

import corpus_format  # noqa: E402
from compilation import compile_file  # noqa: E402


def load(name, path):
    """Imports a file, Python or compiled, under a name of its own."""
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def timed(run, wait, seconds=0.3):
    """`(smallest, median)` seconds of a run that `wait` ends."""
    run(), wait()
    times = []
    start = time.perf_counter()
    while len(times) < 5 or (time.perf_counter() - start < seconds and len(times) < 200):
        before = time.perf_counter()
        run()
        wait()
        times.append(time.perf_counter() - before)
    return min(times), statistics.median(times)


def total_bytes(values):
    """Bytes of all arrays among values, tuples taken apart."""
    count = 0
    for value in values:
        if isinstance(value, (tuple, list)):
            count += total_bytes(value)
        elif hasattr(value, "nbytes") and getattr(value, "ndim", 0):
            count += value.nbytes
    return count


class Cpu:
    """Host arrays, NumPy as the peer."""

    name = "cpu"

    def __init__(self):
        import numptx

        self.numptx = numptx
        self.peers = {}

    def describe(self):
        return {"device": platform.processor() or platform.machine(), "threads": self.numptx.thread_count()}

    def put(self, value):
        return value

    def wait(self):
        pass

    def copy_bandwidth(self):
        source = np.ones(2**27, dtype=np.uint8)
        target = np.empty_like(source)
        return 2 * source.nbytes / timed(lambda: np.copyto(target, source), self.wait)[0]


class Cuda(Cpu):
    """Device arrays; CuPy and JAX as peers where they are installed."""

    name = "cuda"

    def __init__(self):
        super().__init__()
        for peer in (CuPy, Jax):
            try:
                self.peers[peer.name] = peer()
            except Exception as problem:  # noqa: BLE001 - an absent or broken peer is reported, not fatal
                print(f"peer {peer.name}: not run: {problem}", file=sys.stderr)

    def describe(self):
        return {"devices": self.numptx.devices()}

    def put(self, value):
        return self.numptx.asarray(value, device="cuda") if isinstance(value, np.ndarray) else value

    def wait(self):
        self.numptx.synchronize()

    def copy_bandwidth(self):
        cupy = self.peers.get("cupy")
        if cupy is None:
            return None
        source = cupy.cp.ones(2**30, dtype=cupy.cp.uint8)
        target = cupy.cp.empty_like(source)
        run = lambda: target.data.copy_from_device_async(source.data, source.nbytes, cupy.cp.cuda.get_current_stream())  # noqa: E731
        bandwidth = 2 * source.nbytes / timed(run, cupy.wait)[0]
        del source, target
        cupy.release()
        return bandwidth


class CuPy:
    """CuPy runs the plain source: NumPy's functions hand over to it."""

    name = "cupy"

    def __init__(self):
        import cupy

        self.cp = cupy
        cupy.zeros(1)

    def prepare(self, path, function):
        module = load(f"cupy_{path.stem}", path)
        module.np = self.cp
        return getattr(module, function)

    def put(self, value):
        return self.cp.asarray(value) if isinstance(value, np.ndarray) else value

    def wait(self):
        self.cp.cuda.Device().synchronize()

    def release(self):
        self.cp.get_default_memory_pool().free_all_blocks()


class Jax:
    """JAX under `jit`, scalars being static; kernels that write to arrays are not its."""

    name = "jax"

    def __init__(self):
        import jax

        jax.config.update("jax_enable_x64", True)
        jax.devices("gpu")
        self.jax = jax

    def prepare(self, path, function):
        import jax.numpy as jnp

        module = load(f"jax_{path.stem}", path)
        module.np = jnp
        compiled = {}

        def call(*arguments):
            static = tuple(n for n, a in enumerate(arguments) if isinstance(a, (int, bool)))
            jitted = compiled.setdefault(static, self.jax.jit(getattr(module, function), static_argnums=static))
            self.last = jitted(*arguments)

        return call

    def put(self, value):
        return self.jax.numpy.asarray(value) if isinstance(value, np.ndarray) else value

    def wait(self):
        self.jax.block_until_ready(getattr(self, "last", None))

    def release(self):
        self.last = None


def measured(machine, path, compiled, run):
    """One `# bench:` line: a dictionary of its numbers."""
    function, arguments, keywords = run.arguments()
    row = {"program": path.stem, "function": function, "line": run.text}
    ours = getattr(compiled, function)
    placed = [machine.put(a) for a in arguments]
    before = [np.copy(a) if isinstance(a, np.ndarray) else a for a in arguments]
    result = ours(*placed, **keywords)
    machine.wait()
    row["bytes"] = total_bytes(arguments) + total_bytes([result]) + total_bytes(written(before, placed))
    del result, before
    row["seconds"], row["median_seconds"] = timed(lambda: ours(*placed, **keywords), machine.wait)
    row["bytes_per_second"] = row["bytes"] / row["seconds"]
    row["ran_on"] = machine.numptx.last_device()
    del placed
    for name, peer in machine.peers.items():
        row[name] = peer_time(peer, path, function, arguments, keywords)
    if machine.name == "cpu":
        plain = getattr(load(f"plain_{path.stem}", path), function)
        row["numpy"] = timed(lambda: plain(*arguments, **keywords), machine.wait)[0]
    return row


def written(before, placed):
    """The arguments that a call changed: their bytes move twice."""
    arrays = [(old, new) for old, new in zip(before, placed) if isinstance(old, np.ndarray)]
    return [old for old, new in arrays if not np.array_equal(old, new if isinstance(new, np.ndarray) else new.to_host())]


def peer_time(peer, path, function, arguments, keywords):
    """Seconds, or why there are none."""
    try:
        call = peer.prepare(path, function)
        placed = [peer.put(a) for a in arguments]
        seconds = timed(lambda: call(*placed, **keywords), peer.wait)[0]
    except Exception as problem:  # noqa: BLE001 - what a peer cannot run is part of the result
        return f"{type(problem).__name__}: {problem}"[:160]
    finally:
        peer.release()
    return seconds


def library(path, compiled, directory, flags):
    """The compiled module of a program: found in `compiled`, or made now."""
    if compiled is not None and (compiled / f"{path.stem}.so").exists():
        return load(path.stem, compiled / f"{path.stem}.so")
    return load(path.stem, compile_file(path, directory, flags))


def show(row, copy):
    share = f"{100 * row['bytes_per_second'] / copy:6.1f} %" if copy else "       "
    peers = "  ".join(
        f"{name} {row[name] / row['seconds']:.2f}x" if isinstance(row[name], float) else f"{name} -"
        for name in ("numpy", "cupy", "jax")
        if name in row
    )
    print(f"{row['program']:>22} {1e3 * row['seconds']:10.3f} ms {1e-9 * row['bytes_per_second']:8.1f} GB/s {share}  {peers}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--only", nargs="*", default=None)
    parser.add_argument("--arch", default=None, help="for the compiler: sm_90")
    parser.add_argument("--compiled", type=pathlib.Path, default=None)
    parser.add_argument("--out", type=pathlib.Path, default=None)
    parser.add_argument("--commit", default=None)
    options = parser.parse_args()
    machine = Cuda() if options.device == "cuda" else Cpu()
    copy = machine.copy_bandwidth()
    print(f"copy {1e-9 * copy:.1f} GB/s" if copy else "copy bandwidth: not measured", flush=True)
    rows, flags = [], ["--arch", options.arch] if options.arch else []
    with tempfile.TemporaryDirectory() as directory:
        for path in sorted((ROOT / "tests" / "corpus").rglob("*.py")):
            if options.only is not None and path.stem not in options.only:
                continue
            program = corpus_format.read(path)
            if not program.benches:
                continue
            for run in program.benches:
                try:
                    compiled = library(path, options.compiled, directory, [*program.flags, *flags])
                    rows.append(measured(machine, path, compiled, run))
                    show(rows[-1], copy)
                except Exception as problem:  # noqa: BLE001 - one program that fails must not hide the others
                    rows.append({"program": path.stem, "line": run.text, "error": repr(problem)})
                    print(f"{path.stem:>22} FAILED {problem!r}", flush=True)
    if options.out:
        head = {"date": datetime.date.today().isoformat(), "commit": options.commit, "python": platform.python_version()}
        report = head | machine.describe() | {"copy_bytes_per_second": copy, "rows": rows}
        path = options.out / f"bench-{machine.name}.json"
        path.write_text(json.dumps(report, indent=1, default=str) + "\n")
    sys.exit(any("error" in row for row in rows))


if __name__ == "__main__":
    main()
