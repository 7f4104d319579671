"""What the host's thread pool gives and costs: from which size on threads pay, and what a launch takes on a machine that is busy.

    python bench/pool.py sizes [--json FILE]     one thread and all of them, by size, on a machine that is idle
    python bench/pool.py load [--json FILE]      the same beside competitors that spin, twice as many as there are cores
    --threads N                                  instead of as many as there are cores
    --package DIR                                a folder with another `numptx` package, to compare with

Each number of threads is a process of its own; they take turns, round by round, so that both meet the same machine. `sizes` shows the least
time of all calls: other processes only ever make calls slower. `load` shows medians and means, for there the others are what is measured, and
each round has competitors of its own. Timings never decide a test.
"""

import argparse
import contextlib
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

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests"))

PROGRAM = """
import numpy as np

#numptx export add(float64[:], float64[:], float64[:])
def add(x, y, out):
    out[:] = x + y

#numptx export exp(float64[:], float64[:], float64[:])
def exp(x, y, out):
    out[:] = np.exp(x)

#numptx export total(float64[:], float64[:], float64[:])
def total(x, y, out):
    return np.sum(x)

#numptx export smooth(float64[:], float64[:], float64[:])
def smooth(x, y, out):
    out[1:-1] = (x[:-2] + x[1:-1] * 2.0 + x[2:]) * y[1:-1]

#numptx export series(float64[:], float64[:], float64[:])
def series(x, y, out):
    for i in range(x.shape[0]):
        s = 0.0
        for j in range(200):
            s += x[i] / (j + 3)
        out[i] = s
"""
SIZES = {
    "add": [10_000, 50_000, 100_000, 200_000, 400_000, 1_000_000],
    "exp": [1_000, 4_000, 10_000, 20_000, 50_000, 200_000],
    "total": [50_000, 100_000, 200_000, 400_000, 1_000_000, 4_000_000],
    "smooth": [10_000, 50_000, 100_000, 200_000, 1_000_000],
    "series": [16, 64, 256, 1_000, 10_000],
}
LOADED = {"add": [50_000, 400_000, 2_000_000], "exp": [20_000, 200_000, 2_000_000], "series": [256, 2_000, 20_000]}
ROUNDS = {"sizes": 5, "load": 4}
# Seconds of calls in a round, for each function and size.
SECONDS = {"sizes": 0.05, "load": 0.25}


def measure(library, jobs, seconds):
    """In a process of its own: the times of calls in ns, by function and size."""
    import numpy as np

    from compilation import load_compiled

    kernels = load_compiled(library)
    found = {}
    for name, sizes in jobs.items():
        for n in sizes:
            x, y, out = np.full(n, 0.5), np.full(n, 0.25), np.empty(n)
            function, times = getattr(kernels, name), []
            end = time.perf_counter() + seconds
            while time.perf_counter() < end or len(times) < 10:
                before = time.perf_counter_ns()
                function(x, y, out)
                times.append(time.perf_counter_ns() - before)
            # The first calls start threads, and meet memory for the first time.
            found[f"{name} {n}"] = times[len(times) // 10 :]
    print(json.dumps(found))


@contextlib.contextmanager
def competitors(n):
    """Processes that spin."""
    spin = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(n)]
    try:
        time.sleep(0.1)
        yield
    finally:
        for process in spin:
            process.kill()
            process.wait()


def one_round(what, library, threads, package):
    """The times of one process."""
    path = os.pathsep.join([*filter(None, [package]), str(HERE.parent / "tests"), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "NUMPTX_NUM_THREADS": str(threads), "NUMPTX_DEVICE": "cpu", "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": path}
    jobs = json.dumps(SIZES if what == "sizes" else LOADED)
    command = [sys.executable, str(HERE / "pool.py"), "--measure", str(library), jobs, str(SECONDS[what])]
    return json.loads(subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout)


def measured(what, threads, package):
    """All times, by function and size, of one thread and of `threads`."""
    from compilation import compile_file

    found = {1: {}, threads: {}}
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "pool_kernels.py"
        source.write_text(PROGRAM)
        library = compile_file(source, folder, ["--host-only"])
        for number in range(ROUNDS[what]):
            # Neither always comes first.
            for count in list(found)[:: 1 if number % 2 else -1]:
                with competitors(2 * os.cpu_count() if what == "load" else 0):
                    for key, times in one_round(what, library, count, package).items():
                        found[count].setdefault(key, []).extend(times)
    return found


def table(what, threads, found):
    """Rows of microseconds and ratios, printed as they are made."""
    rows = []
    for key in found[1]:
        one, many = found[1][key], found[threads][key]
        kinds = {"least": min} if what == "sizes" else {"median": statistics.median, "mean": statistics.fmean}
        row = {"call": key, "calls": [len(one), len(many)]}
        text = f"{key:<18}"
        for kind, of in kinds.items():
            a, b = of(one) / 1e3, of(many) / 1e3
            row[kind] = {"one": round(a, 2), "all": round(b, 2), "ratio": round(b / a, 2)}
            text += f"  {kind}: 1 thread {a:10.1f} µs, {threads} threads {b:10.1f} µs, ratio {b / a:5.2f}"
        print(text, flush=True)
        rows.append(row)
    return rows


def main():
    if sys.argv[1:2] == ["--measure"]:
        return measure(sys.argv[2], json.loads(sys.argv[3]), float(sys.argv[4]))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["sizes", "load"])
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--package")
    parser.add_argument("--json", type=pathlib.Path)
    given = parser.parse_args()
    rows = table(given.what, given.threads, measured(given.what, given.threads, given.package))
    if given.json:
        commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=HERE, capture_output=True, text=True).stdout.strip()
        facts = {"date": datetime.date.today().isoformat(), "commit": commit, "cpu": platform.processor() or platform.machine(), "cores": os.cpu_count()}
        facts |= {"threads": given.threads, "load": os.getloadavg()[0], "competitors": 2 * os.cpu_count() if given.what == "load" else 0}
        given.json.write_text(json.dumps({**facts, "rows": rows}, indent=0) + "\n")


if __name__ == "__main__":
    main()
