"""What a phase of a time loop costs: times of loops that are one kernel, divided by how often its threads wait for each other.

    python bench/phases.py [--device cuda|cpu] [--npbench DIR [--compiled DIR] [--preset paper] [--kernels NAME …]] [--json FILE]

First loops of small steps, whose phases do next to nothing: one block, a cluster of blocks, a grid of them, as the runtime chooses by size. Then time
loops of an NPBench checkout, as `npbench.py` runs them, with the times of their points. A phase ends where all threads wait; the compiler says how many
an iteration has (`--report`, `docs/report.md`), and how many iterations there are follows from the parameters, or from the result.

Columns: iterations of each loop, phases of one iteration of it, µs a call, µs a phase. Times are medians of calls with arguments on the device.
"""

import argparse
import json
import pathlib
import statistics
import sys
import tempfile
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests"))
sys.path.insert(0, str(HERE))

from compilation import compile_file, load_compiled  # noqa: E402
from npbench import Kernel  # noqa: E402
from run_implementation import make_arguments, type_of  # noqa: E402

# Each phase needs what another point stored in the one before.
PROGRAM = """
import numpy as np

#numptx export steps(int, float64[:], float64[:])
def steps(n, x, y):
    for _ in range(n):
        y[:] = x[::-1]
        x[:] = y[::-1] + 1.0
"""
SIZES = (1_000, 4_000, 10_000, 50_000, 100_000)
STEPS = 1_000

# How many iterations the loops of a kernel's launches have in a call: outer ones first, all iterations of inner ones counted. `result`: what it returns.
ITERATIONS = {
    "nbody": lambda p, result: [int(np.ceil(p["tEnd"] / p["dt"]))],
    "channel_flow": lambda p, result: [result, result * p["nit"]],
    "cavity_flow": lambda p, result: [p["nt"], p["nt"] * p["nit"]],
    "symm": lambda p, result: [p["M"]],
    "gramschmidt": lambda p, result: [p["N"]],
    "jacobi_1d": lambda p, result: [p["TSTEPS"] - 1],
    "jacobi_2d": lambda p, result: [p["TSTEPS"] - 1],
    "heat_3d": lambda p, result: [p["TSTEPS"] - 1],
    "fdtd_2d": lambda p, result: [p["TMAX"]],
    "durbin": lambda p, result: [p["N"] - 1],
}


def loops_of(phases):
    """The loops of a kernel, outer ones first: how often threads wait in an iteration."""
    found = []
    for loop in phases["loops"]:
        found += [loop["waits"], *loops_of(loop)]
    return found


def phases_of(report):
    """The phases of the first kernel that has most of them."""
    kernels = [loops_of(kernel["phases"]) for kernel in report["kernels"] if kernel.get("phases")]
    return max(kernels, key=sum, default=[])


def seconds_of(call, arguments, device, budget=0.5):
    """The median of calls with fresh arguments, until the budget is spent; what the last one returned."""
    times, end = [], time.perf_counter() + budget
    while len(times) < 3 or (time.perf_counter() < end and len(times) < 100):
        fresh = arguments()
        device()
        begin = time.perf_counter()
        result = call(*fresh)
        device()
        times.append(time.perf_counter() - begin)
    return statistics.median(times[1:]), result


def compiled(path, folder, flags):
    """A module and its report."""
    report, library = folder / "report.json", path.with_suffix(".so")
    if not (library.exists() and report.exists()):
        library = compile_file(path, folder, [*flags, "--report", str(report)], timeout=600)
    return load_compiled(library), json.loads(report.read_text())


def device_of(name):
    """What places arguments, and what waits for the device."""
    import numptx

    def place(value):
        if not isinstance(value, np.ndarray):
            return value
        return value.copy() if name == "cpu" else numptx.asarray(value, device="cuda")

    return place, numptx.synchronize if name == "cuda" else lambda: None


def row(name, iterations, phases, seconds):
    """A row, printed."""
    waits = sum(n * k for n, k in zip(iterations, phases))
    per_phase = seconds / waits * 1e6 if waits else None
    shown = "-" if per_phase is None else f"{per_phase:.2f}"
    print(f"{name:24}{' '.join(map(str, iterations)):>16}{' '.join(map(str, phases)):>10}{seconds * 1e6:>14.1f}{shown:>12}", flush=True)
    return {"name": name, "iterations": iterations, "phases": phases, "seconds": seconds, "microseconds_a_phase": per_phase}


def small_steps(options, folder, place, wait):
    """Rows of loops of small steps."""
    own = (options.compiled or folder) / "phases" / "steps"
    own.mkdir(parents=True, exist_ok=True)
    (own / "steps.py").write_text(PROGRAM)
    module, report = compiled(own / "steps.py", own, options.flags)
    phases = phases_of(report)
    for size in SIZES:
        arrays = [place(np.zeros(size)) for _ in range(2)]
        seconds, _ = seconds_of(module.steps, lambda: (STEPS, *arrays), wait)  # noqa: B023
        yield row(f"steps of {size}", [STEPS], phases, seconds)


def of_npbench(options, folder, name, place, wait):
    """The row of a kernel of the checkout."""
    kernel = Kernel(options.npbench, name, options.preset)
    given = make_arguments(kernel.request("arguments", options.device, folder))
    own = (options.compiled or folder) / "phases" / name
    own.mkdir(parents=True, exist_ok=True)
    path = own / f"{kernel.file('numpy').stem}.py"
    types = ", ".join(map(type_of, given.values()))
    if not path.with_suffix(".so").exists():
        text = kernel.file("numpy").read_text().rstrip()
        path.write_text(f"{text}\n\n\n#numptx export {kernel.info['func_name']}({types})\n")
    module, report = compiled(path, own, options.flags)
    call = getattr(module, kernel.info["func_name"])
    seconds, result = seconds_of(call, lambda: [place(value) for value in given.values()], wait)
    return row(name, ITERATIONS[name](kernel.parameters, result), phases_of(report), seconds)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", default="cuda", choices=["cuda", "cpu"])
    parser.add_argument("--npbench", type=pathlib.Path)
    parser.add_argument("--compiled", type=pathlib.Path, help="keeps libraries and reports in its folder `phases`, and takes those that are there")
    parser.add_argument("--preset", default="paper")
    parser.add_argument("--kernels", nargs="*", default=list(ITERATIONS))
    parser.add_argument("--flags", default="", help="for the compiler: '--arch=sm_90'")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    options.flags = options.flags.split()
    place, wait = device_of(options.device)
    print(f"{'loop':24}{'iterations':>16}{'phases':>10}{'µs':>14}{'µs a phase':>12}")
    with tempfile.TemporaryDirectory() as folder:
        rows = list(small_steps(options, pathlib.Path(folder), place, wait))
        for name in options.kernels if options.npbench else []:
            try:
                rows.append(of_npbench(options, pathlib.Path(folder), name, place, wait))
            except Exception as problem:  # noqa: BLE001 - one that fails costs its own row
                print(f"{name:24}{type(problem).__name__}: {problem}", flush=True)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
