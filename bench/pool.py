"""What the host's thread pool gives and costs: from which size on threads pay, and what a launch takes on a machine that is busy.

    python bench/pool.py sizes [--json FILE]     one thread and all of them, by size, on a machine that is idle
    python bench/pool.py load [--json FILE]      the same beside competitors that spin, twice as many as there are cores
    --threads N                                  instead of as many as there are cores
    --quota CORES                                in a control group that may use so many cores' time (wants root); `load` has no competitors then
    --package DIR                                a folder with another `numptx` package: its threads, too

Each of them is a process of its own. They take turns of a few calls, so that all meet the same machine, and the others sleep. `sizes` shows the
least time of all calls: other processes only ever make calls slower. `load` shows medians and means, for there the others are what is measured.
Timings never decide a test.
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
TURNS = {"sizes": 12, "load": 20}
# Seconds of calls in a turn, for each function and size.
SECONDS = {"sizes": 0.01, "load": 0.03}


def serve(library):
    """In a process of its own: times of calls in ns, for each line of function, size and seconds."""
    import numpy as np

    from compilation import load_compiled

    kernels = load_compiled(library)
    for line in sys.stdin:
        name, n, seconds = line.split()
        n, function, times = int(n), getattr(kernels, name), []
        x, y, out = np.full(n, 0.5), np.full(n, 0.25), np.empty(n)
        # The first calls start threads, and meet memory for the first time.
        function(x, y, out), function(x, y, out)
        end = time.perf_counter() + float(seconds)
        while time.perf_counter() < end or len(times) < 2:
            before = time.perf_counter_ns()
            function(x, y, out)
            times.append(time.perf_counter_ns() - before)
        print(json.dumps(times), flush=True)


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


def limit(cores):
    """Puts this process, and those that it starts, into a control group of the kernel's (version 1 or 2) that may use so many cores' time."""
    first = pathlib.Path("/sys/fs/cgroup/cpu")
    group = (first if first.exists() else first.parent) / "numptx-pool"
    group.mkdir(exist_ok=True)
    period = 100_000
    if first.exists():
        (group / "cpu.cfs_period_us").write_text(str(period))
        (group / "cpu.cfs_quota_us").write_text(str(int(cores * period)))
    else:
        (group / "cpu.max").write_text(f"{int(cores * period)} {period}")
    (group / "cgroup.procs").write_text(str(os.getpid()))


class Contestant:
    """A process that computes with so many threads."""

    def __init__(self, library, threads, package):
        path = os.pathsep.join([*filter(None, [package]), str(HERE.parent / "tests"), *filter(None, [os.environ.get("PYTHONPATH")])])
        environment = {**os.environ, "NUMPTX_NUM_THREADS": str(threads), "NUMPTX_DEVICE": "cpu", "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": path}
        command = [sys.executable, str(HERE / "pool.py"), "--serve", str(library)]
        self.process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.times = []

    def take_turn(self, name, n, seconds):
        self.process.stdin.write(f"{name} {n} {seconds}\n")
        self.process.stdin.flush()
        self.times += json.loads(self.process.stdout.readline())

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def measured(what, contestants):
    """The rows of the table, printed as they are made; ratios are to the first contestant."""
    kinds = {"least": min} if what == "sizes" else {"median": statistics.median, "mean": statistics.fmean}
    rows = []
    for name, sizes in (SIZES if what == "sizes" else LOADED).items():
        for n in sizes:
            for turn in range(TURNS[what]):
                # Nobody always comes first.
                for contestant in list(contestants.values())[:: 1 if turn % 2 else -1]:
                    contestant.take_turn(name, n, SECONDS[what])
            row = {"call": f"{name} {n}"}
            for label, contestant in contestants.items():
                row[label] = {"calls": len(contestant.times)} | {kind: round(of(contestant.times) / 1e3, 1) for kind, of in kinds.items()}
                contestant.times = []
            one = next(iter(contestants))
            text = "".join(f"  {kind} {row[label][kind]:9.1f} µs ({row[label][kind] / row[one][kind]:.2f})" for label in contestants for kind in kinds)
            print(f"{row['call']:<16}{text}", flush=True)
            rows.append(row)
    return rows


def main():
    if sys.argv[1:2] == ["--serve"]:
        return serve(sys.argv[2])
    from compilation import compile_file

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["sizes", "load"])
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--quota", type=float)
    parser.add_argument("--package")
    parser.add_argument("--json", type=pathlib.Path)
    given = parser.parse_args()
    before, spinning = os.getloadavg()[0], 2 * os.cpu_count() if given.what == "load" and not given.quota else 0
    if given.quota:
        limit(given.quota)
    with tempfile.TemporaryDirectory() as folder, competitors(spinning):
        source = pathlib.Path(folder) / "pool_kernels.py"
        source.write_text(PROGRAM)
        library = compile_file(source, folder, ["--host-only"])
        contestants = {"1 thread": Contestant(library, 1, None), f"{given.threads} threads": Contestant(library, given.threads, None)}
        if given.package:
            contestants[f"{given.threads} threads, the other package"] = Contestant(library, given.threads, given.package)
        print("call; then " + ", ".join(contestants) + ": time, and its ratio to the first")
        rows = measured(given.what, contestants)
        [contestant.end() for contestant in contestants.values()]
    if given.json:
        commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=HERE, capture_output=True, text=True).stdout.strip()
        facts = {"date": datetime.date.today().isoformat(), "commit": commit, "cpu": processor(), "cores": os.cpu_count(), "competitors": spinning, "quota": given.quota, "load average before": before}
        given.json.write_text(json.dumps({**facts, "unit": "µs", "rows": rows}, indent=1, ensure_ascii=False) + "\n")


def processor():
    """The name that the kernel has for it."""
    names = [line.partition(":")[2].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")]
    return names[0] if names else platform.machine()


if __name__ == "__main__":
    main()
