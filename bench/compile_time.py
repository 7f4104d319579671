"""Times the compiler over the corpus and, where one is named, an NPBench checkout: seconds of each stage and peak memory of each file.

    python bench/compile_time.py [--npbench DIR] [--files NAME …] [--flags="--arch sm_90"] [--json FILE] [--compare FILE]

Each file is compiled once, alone, in a process of its own, as a user does: both halves with the portable image. A stage's seconds are what
`numptx compile --time-passes` says; stages that run side by side may add up to more than the whole process takes. Peak memory is that of
the compiler and of the linker that it calls, whichever is larger.

The last lines are the median, the 95th percentile and the slowest file, and, from sources of 1, 2, 4, … equal functions, how the time grows
with the length of a source. `--compare FILE` shows another run's seconds beside these.
"""

import argparse
import datetime
import json
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests"))
sys.path.insert(0, str(HERE))

import corpus_format  # noqa: E402
import npbench  # noqa: E402
from compilation import ROOT, compiler  # noqa: E402

STAGE = re.compile(r"^ *([\d.]+) ms  (.+)$", re.MULTILINE)
# Passes are one stage of the summary; their own times stay in the JSON.
STAGES = ("front", "passes", "device", "host", "link")
# What the length of a source is made of: a call of a long function of our library, and an expression as users write it.
FUNCTIONS = {
    "np.linalg.inv": "#numptx export f{k}(float64[:,:])\ndef f{k}(x):\n    return np.linalg.inv(x) + {k}\n",
    "expression": "#numptx export f{k}(float64[:,:], float64[:])\ndef f{k}(x, y):\n    return np.sum(np.exp(x * {k} + y), axis=1)\n",
}
COPIES = (1, 2, 4, 8)


def compiled(path, flags, folder):
    """One compilation: its wall seconds, those of its stages, and the most memory that it held, in MiB."""
    command = [compiler(), "compile", str(path), "-o", str(folder), "--time-passes", *flags]
    with tempfile.TemporaryFile("w+") as words:
        before = time.perf_counter()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=words, stderr=words)
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - before
        words.seek(0)
        text = words.read()
    row = {"seconds": wall, "cpu_seconds": used.ru_utime + used.ru_stime, "peak_mib": used.ru_maxrss / 1024}
    if status:
        return row | {"problem": npbench.diagnostic(text)[1] or f"status {status}"}
    times = [(name, float(milliseconds) / 1e3) for milliseconds, name in STAGE.findall(text)]
    stages = {name: seconds for name, seconds in times if not name.startswith("pass ")}
    passes = [(name.removeprefix("pass "), seconds) for name, seconds in times if name.startswith("pass ")]
    stages["passes"] = sum(seconds for _, seconds in passes)
    return row | {"stages": stages, "passes": passes}


def corpus():
    """`(name, path, flags)` of every program."""
    folder = ROOT / "tests" / "corpus"
    for path in sorted(folder.rglob("*.py")):
        yield str(path.relative_to(folder).with_suffix("")), path, list(corpus_format.read(path).flags)


def npbench_sources(checkout, folder):
    """`(name, path, flags)` of every NumPy source of a checkout, with the export line that its smallest preset asks for."""
    for description in sorted((checkout / "bench_info").glob("*.json")):
        kernel = npbench.Kernel(checkout, description.stem, "S")
        with tempfile.TemporaryDirectory() as out:
            made = npbench.attempt(lambda: npbench.run_step(kernel.request("arguments", "cpu", pathlib.Path(out)), 300))
        if "problem" in made:
            print(f"{description.stem}: left out, no arguments: {made['problem']}", file=sys.stderr)
            continue
        yield f"npbench/{description.stem}", npbench.written_source(kernel, made["types"], folder), []


def growing(folder):
    """`(name, copies, path)` of sources of more and more equal functions."""
    for name, text in FUNCTIONS.items():
        for copies in COPIES:
            path = folder / f"{re.sub(r'[^a-z]', '_', name)}_{copies}.py"
            path.write_text("import numpy as np\n\n" + "\n".join(text.format(k=k) for k in range(copies)))
            yield name, copies, path


def quantile(values, part):
    """The smallest value that so large a part of all is not above."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def shown(name, row, other):
    """One file, one line."""
    beside = f"  before {other['seconds']:6.2f} s" if other else ""
    if "problem" in row:
        return f"{name:>44}  {row['seconds']:6.2f} s{beside}  not compiled: {row['problem']}"
    stages = "  ".join(f"{stage} {row['stages'].get(stage, 0):5.2f}" for stage in STAGES)
    return f"{name:>44}  {row['seconds']:6.2f} s{beside}  {stages}  {row['peak_mib']:5.0f} MiB"


def summary(rows):
    """What the targets are about, and where the time of all files together went."""
    good = [row for row in rows.values() if "problem" not in row]
    seconds = [row["seconds"] for row in good]
    yield f"{len(good)} of {len(rows)} files compiled, {sum(seconds):.1f} s in all, at most {max(r['peak_mib'] for r in good):.0f} MiB"
    slowest = max((name for name in rows if "problem" not in rows[name]), key=lambda name: rows[name]["seconds"])
    yield f"median {quantile(seconds, 0.5):.2f} s, 95 % within {quantile(seconds, 0.95):.2f} s, slowest {max(seconds):.2f} s ({slowest})"
    total = {stage: sum(row["stages"].get(stage, 0) for row in good) for stage in STAGES}
    yield "stages of all: " + "  ".join(f"{stage} {value:.1f} s" for stage, value in total.items())
    passes = {}
    for name, value in (pair for row in good for pair in row["passes"]):
        passes[name] = passes.get(name, 0) + value
    longest = sorted(passes.items(), key=lambda item: -item[1])[:6]
    yield "longest passes of all: " + "  ".join(f"{name} {value:.1f} s" for name, value in longest)


def machine():
    """What the seconds were taken on."""
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    model = next((line.split(": ")[1] for line in lines if line.startswith("model name")), platform.processor())
    return {"cpu": model, "cores": os.cpu_count()}


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--npbench", type=pathlib.Path, help="an NPBench checkout")
    parser.add_argument("--files", nargs="*", default=[""], help="only files with one of these in their names")
    parser.add_argument("--flags", default="", help="more flags for the compiler")
    parser.add_argument("--json", type=pathlib.Path, help="writes everything here")
    parser.add_argument("--compare", type=pathlib.Path, help="what an earlier run wrote")
    parser.add_argument("--commit")
    return parser.parse_args()


def main():
    options = read_options()
    before = json.loads(options.compare.read_text()) if options.compare else {"files": {}, "growth": {}}
    head = {"date": datetime.date.today().isoformat(), "commit": options.commit, "flags": options.flags} | machine()
    rows, growth = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        sources = list(corpus()) + (list(npbench_sources(options.npbench, folder / "npbench")) if options.npbench else [])
        for name, path, flags in sources:
            if any(part in name for part in options.files):
                rows[name] = compiled(path, [*flags, *options.flags.split()], folder / "out")
                print(shown(name, rows[name], before["files"].get(name)), flush=True)
        for name, copies, path in growing(folder):
            growth.setdefault(name, {})[str(copies)] = compiled(path, options.flags.split(), folder / "out")["seconds"]
    for name, times in growth.items():
        others = before["growth"].get(name)
        line = lambda values: "  ".join(f"{copies}: {seconds:.2f} s" for copies, seconds in values.items())  # noqa: E731
        print(f"functions in a file, {name}: {line(times)}" + (f"  before {line(others)}" if others else ""))
    print(*summary(rows), sep="\n")
    if options.json:
        options.json.write_text(json.dumps(head | {"files": rows, "growth": growth}, indent=1) + "\n")


if __name__ == "__main__":
    main()
