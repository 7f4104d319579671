"""Compiles examples/first/kernels.py, runs it on the devices of this machine and compares it with NumPy.

Prints a table: kernel, device, time, NumPy's time, maximal relative error. Times are the best of several calls, with
everything that a call does: checks, allocation of the result, launch, and waiting for the device. The GPU's rows
use arrays that are already there; what moving them costs is the bandwidth of the bus, not the kernel's.
"""

import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np

import numptx

HERE = pathlib.Path(__file__).parent
SOURCE = HERE / "first" / "kernels.py"
N = 1 << 22
COMPILER = os.environ.get("NUMPTX_COMPILER") or pathlib.Path(sys.executable).parent / "numptx"


def load(path):
    """Imports one file, Python source or compiled library, under the name `kernels`."""
    spec = importlib.util.spec_from_file_location("kernels", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def best_time(call, wait):
    """Seconds of the fastest of some calls, in at most about a second."""
    call(), wait()
    best, end = float("inf"), time.perf_counter() + 1.0
    for _ in range(50):
        start = time.perf_counter()
        call(), wait()
        best = min(best, time.perf_counter() - start)
        if time.perf_counter() > end:
            break
    return best


def relative_error(result, expected):
    """The largest error of an element, relative to the largest expected magnitude."""
    result = result.to_host() if isinstance(result, numptx.Array) else result
    scale = float(np.max(np.abs(expected)))
    return float(np.max(np.abs(result - expected))) / scale


def cases():
    """Name → arguments: about 32 MiB an array, larger than the caches."""
    random = np.random.default_rng(0)
    x, y, side = random.random(N), random.random(N), int(N**0.5)
    return {
        "axpy": (2.0, x, y),
        "exp_axpy": (-0.5, x, y),
        "smooth": (random.random((side, side)),),
        "distance": (x, y),
    }


def devices():
    """The devices to show, the CPU first; a machine without a GPU has just that."""
    return ["cpu"] + [name for name in numptx.devices() if name != "cpu"][:1]


def compile_kernels(out):
    """Runs `numptx compile` as a user would, and says how long it took."""
    command = [str(COMPILER), "compile", str(SOURCE), "-o", str(out)]
    start = time.perf_counter()
    subprocess.run(command, check=True)
    print(f"numptx compile {SOURCE.relative_to(HERE.parent)}: {time.perf_counter() - start:.2f} s")
    made = sorted(path for path in out.iterdir() if path.is_file())
    print("  " + "  ".join(f"{path.name} ({path.stat().st_size / 1024:.0f} KiB)" for path in made))
    return load(out / "kernels.so")


def rows(compiled):
    """One row a kernel and device: the names, both times, the error."""
    plain = load(SOURCE)
    for name, arguments in cases().items():
        expected = getattr(plain, name)(*arguments)
        numpy_time = best_time(lambda: getattr(plain, name)(*arguments), lambda: None)
        for device in devices():
            with numptx.device(device):
                there = [numptx.asarray(a, device=device) if device != "cpu" and np.ndim(a) else a for a in arguments]
                call = lambda: getattr(compiled, name)(*there)
                result = call()
                ran_on = numptx.last_device()
                yield name, ran_on, best_time(call, numptx.synchronize), numpy_time, relative_error(result, expected)


def main():
    with tempfile.TemporaryDirectory() as out:
        compiled = compile_kernels(pathlib.Path(out))
        print(f"\n{'kernel':<10} {'device':<8} {'time':>10} {'NumPy':>10} {'speed-up':>9} {'max. rel. error':>16}")
        wrong = 0
        for name, device, seconds, numpy_seconds, error in rows(compiled):
            print(
                f"{name:<10} {device:<8} {seconds * 1e3:>7.2f} ms {numpy_seconds * 1e3:>7.2f} ms "
                f"{numpy_seconds / seconds:>8.1f}x {error:>16.1e}"
            )
            wrong += not error < 1e-12
        if len(devices()) == 1:
            print("\nno GPU here: the same library runs on one as it is")
    if wrong:
        sys.exit(f"{wrong} results differ from NumPy's")


if __name__ == "__main__":
    main()
