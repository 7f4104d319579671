"""Compiles, validates and times the NumPy sources of an NPBench checkout (github.com/spcl/npbench), which is none of this repository's.

    python bench/npbench.py --npbench DIR --device cpu|cuda --preset S|M|L|paper [--kernels NAME …] [--json FILE]

Sources are compiled as they are; only an export line, derived from the arguments of the preset, is put at their end. Prints, for each kernel,
whether it compiled or the first diagnostic, the error against NumPy's result, our time, NumPy's, and those of the checkout's CuPy and JAX
versions, on the CPU of its JAX, Numba and Pythran versions, where these packages are installed (Pythran as its own configuration has it). On a GPU all arguments lie there already, and a time ends when the device is idle; times are
medians of calls with fresh arguments. Each implementation runs in a process of its own with a time limit (`--limit`), so that one that
hangs or crashes costs its own row alone. `--compiled DIR` keeps the compiled libraries there, and takes those that are there already.
`--sources DIR` only writes the sources with their export lines there, a folder a kernel.

A result is right if NPBench's own rule (its tolerances, or the relative norm of the difference) takes it, and if there are as many results as NumPy
has, of its dtypes and shapes; of peers' results, which may come in another order, each of NumPy's has to be among them. The status is 1 if a
compiled kernel crashed, hung or was wrong.
"""

import argparse
import datetime
import importlib.util
import json
import os
import pathlib
import pickle
import platform
import re
import signal
import subprocess
import sys
import tempfile
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests"))

from compilation import Refused, compile_file  # noqa: E402

PEERS = ("cupy", "jax", "numba", "pythran")
ON_CPU = ("jax", "numba", "pythran")
# NPBench times all versions of a kernel that it has; of Numba's these are sequential and parallel machine code.
VARIANTS = {"numpy": ("",), "cupy": ("",), "jax": ("", "_lib"), "numba": ("_n", "_np"), "pythran": ("",)}


class Failed(Exception):
    """An implementation that gave no result; the text says why, in a line."""


class Kernel:
    """One benchmark of the checkout: what its description in `bench_info` says."""

    def __init__(self, checkout, name, preset):
        self.name = name
        self.info = json.loads((checkout / "bench_info" / f"{name}.json").read_text())["benchmark"]
        self.folder = checkout / "npbench" / "benchmarks" / self.info["relative_path"]
        self.parameters = self.info["parameters"].get(preset)

    def file(self, implementation, variant=""):
        suffix = f"_{implementation}{variant}" if implementation else ""
        return self.folder / f"{self.info['module_name']}{suffix}.py"

    def request(self, step, device, out):
        """What the process that runs a step has to know."""
        keys = ("func_name", "input_args", "array_args", "output_args")
        request = {key: self.info[key] for key in keys} | {"step": step, "device": device, "out": str(out)}
        return request | {"init": self.info.get("init"), "init_file": str(self.file("")), "parameters": self.parameters}


def run_step(request, limit):
    """The answer of a step that runs in a process of its own; `Failed` where there is none within `limit` seconds."""
    out = pathlib.Path(request["out"])
    (out / "answer.json").unlink(missing_ok=True)
    (out / "request.json").write_text(json.dumps(request))
    command = [sys.executable, HERE / "run_implementation.py", out / "request.json"]
    with (out / "words.txt").open("w") as words:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=words, stderr=words, start_new_session=True)
        try:
            status = process.wait(limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise Failed(f"took more than {limit:g} s") from None
    if status == 0:
        return json.loads((out / "answer.json").read_text())
    if status < 0:
        raise Failed(f"ended by {signal.Signals(-status).name}")
    lines = (out / "words.txt").read_text().split("\n")
    said = [line for line in lines if re.match(r"^[\w.]*(Error|Exception|Interrupt)\b", line)] or [line for line in lines if line]
    raise Failed(said[-1][:200] if said else f"ended with status {status}")


def written_source(kernel, types, folder):
    """The path of the NumPy source with its export line, in a folder of its own."""
    folder = folder / kernel.name
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{kernel.file('numpy').stem}.py"
    text = f"{kernel.file('numpy').read_text().rstrip()}\n\n\n#numptx export {kernel.info['func_name']}({', '.join(types)})\n"
    if not path.exists() or path.read_text() != text:
        path.with_suffix(".so").unlink(missing_ok=True)
        path.write_text(text)
    return path


def compiled_library(kernel, types, options, out):
    """The path of the library of the NumPy source with its export line."""
    path = written_source(kernel, types, options.compiled or out / "compiled")
    library = path.with_suffix(".so")
    return library if library.exists() else compile_file(path, path.parent, options.flags, timeout=options.limit)


def diagnostic(text):
    """`(code, message)` of the first error in what the compiler said; its other lines and the warnings are left out."""
    found = re.search(r"^(NPX\d{4})\n\n  [x×] (.*)$", text, re.MULTILINE)
    return found.groups() if found else (None, next((line for line in text.split("\n") if line.strip()), ""))


def relative_error(expected, found):
    """The norm of the difference over that of what is expected; elements that are not finite have to be the same."""
    expected, found = (np.asarray(value).astype(np.complex128) for value in (expected, found))
    same = (expected == found) | (np.isnan(expected) & np.isnan(found))
    with np.errstate(all="ignore"):
        difference = np.linalg.norm(np.where(same, 0, expected - found))
        size = np.linalg.norm(np.where(np.isfinite(expected), expected, 0))
    return float(difference / size) if size else float(difference)


def is_close(kernel, expected, found):
    """NPBench's rule."""
    bounds = {"rtol": kernel.info.get("rtol", 1e-5), "atol": kernel.info.get("atol", 1e-8)}
    if np.allclose(expected, found, equal_nan=True, **bounds):
        return True
    return relative_error(expected, found) < kernel.info.get("norm_error", 1e-5)


def kind_of(value):
    return f"{np.asarray(value).dtype} {np.shape(value)}"


def compare(kernel, expected, found):
    """The largest relative error of our results; `Failed` where they are not NumPy's."""
    if len(expected) != len(found):
        raise Failed(f"wrong: {len(found)} results, NumPy gives {len(expected)}")
    for number, (wanted, value) in enumerate(zip(expected, found)):
        if kind_of(wanted) != kind_of(value):
            raise Failed(f"wrong: result {number} is {kind_of(value)}, NumPy's is {kind_of(wanted)}")
        if not is_close(kernel, wanted, value):
            raise Failed(f"wrong: result {number} has the error {relative_error(wanted, value):.1e}")
    return max(map(relative_error, expected, found), default=0.0)


def compare_peer(kernel, expected, found):
    """The largest relative error of a peer's results, each of NumPy's taken for the likest of the same shape."""
    errors = []
    for number, wanted in enumerate(expected):
        likely = [value for value in found if np.shape(value) == np.shape(wanted) and is_close(kernel, wanted, value)]
        if not likely:
            raise Failed(f"wrong: none of its results is NumPy's result {number}")
        errors.append(min(relative_error(wanted, value) for value in likely))
    return max(errors, default=0.0)


def attempt(action):
    """What an action answers, or its problem."""
    try:
        return action()
    except Failed as problem:
        return {"problem": str(problem)}


def results(out, step):
    return pickle.loads((out / f"{step}.pickle").read_bytes())


def validated(kernel, out, step, answer, compare_results):
    """An answer with its error; without NumPy's results nothing is known of it."""
    if not (out / "numpy.pickle").exists():
        return answer | {"error": None}
    with np.errstate(all="ignore"):
        return answer | {"error": compare_results(kernel, results(out, "numpy"), results(out, step))}


def ours(kernel, types, options, out):
    """Our row: the diagnostic, or the time and the error."""
    before = time.perf_counter()
    try:
        library = compiled_library(kernel, types, options, out)
    except Refused as refused:
        code, message = diagnostic(str(refused))
        return {"compiled": False, "code": code, "problem": message}
    except subprocess.TimeoutExpired as late:
        return {"compiled": False, "problem": f"the compiler failed: it took more than {late.timeout:g} s"}
    except RuntimeError as broken:
        return {"compiled": False, "problem": f"the compiler failed: {str(broken).splitlines()[-1][:200]}"}
    compiled = {"compiled": True, "compile_seconds": time.perf_counter() - before}
    request = kernel.request("numptx", options.device, out) | {"file": str(library)}
    return compiled | attempt(lambda: validated(kernel, out, "numptx", run_step(request, options.limit), compare))


def by_pythran(file, out, limit):
    """The library that Pythran makes of a file."""
    library = out / f"{file.stem}.so"
    command = [sys.executable, "-m", "pythran.run", file, "-o", library]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        raise Failed(f"Pythran took more than {limit:g} s") from None
    if done.returncode:
        raise Failed(f"Pythran refuses it: {(done.stderr.strip() or 'no words').splitlines()[-1][:150]}")
    return library


def plain(kernel, step, options, out):
    """The row of NumPy's version or a peer's: the fastest of its variants that is right."""
    rows = []
    for variant in VARIANTS[step]:
        file = kernel.file(step, variant)
        if file.exists():
            built = attempt(lambda f=file: by_pythran(f, out, options.limit)) if step == "pythran" else file
            if isinstance(built, dict):
                rows.append(built)
                continue
            request = kernel.request(step, options.device, out) | {"file": str(built)}
            rows.append(attempt(lambda r=request: validated(kernel, out, step, run_step(r, options.limit), compare_peer)))
    if not rows:
        return {"problem": "there is no such version"}
    return min(rows, key=lambda row: row.get("seconds", float("inf")))


def measured(kernel, options, out):
    """All that is found out about a kernel."""
    if kernel.parameters is None:
        return {"kernel": kernel.name, "problem": f"no preset {options.preset}"}
    row = {"kernel": kernel.name, "parameters": kernel.parameters}
    made = attempt(lambda: run_step(kernel.request("arguments", options.device, out), options.limit))
    if "problem" in made:
        return row | {"problem": f"no arguments: {made['problem']}"}
    row["types"] = made["types"]
    row["numpy"] = plain(kernel, "numpy", options, out)
    row["numptx"] = ours(kernel, made["types"], options, out)
    for peer in options.peers:
        row[peer] = plain(kernel, peer, options, out)
    return row


def write_source(kernel, options, out):
    """Writes a kernel's source with its export line; the line that says so."""
    made = attempt(lambda: run_step(kernel.request("arguments", options.device, out), options.limit))
    if "problem" in made:
        return f"{kernel.name}: no arguments: {made['problem']}"
    return f"{kernel.name}: {written_source(kernel, made['types'], options.sources)}"


def milliseconds(row, reference=None):
    if "seconds" not in row:
        return "-"
    ratio = f" ({row['seconds'] / reference:.2f}x)" if reference else ""
    return f"{1e3 * row['seconds']:.3f} ms{ratio}"


def show(row, peers):
    """One kernel, one line; the times of others as multiples of ours."""
    name = f"{row['kernel']:>24}"
    if "problem" in row:
        return f"{name}  {row['problem']}"
    mine = row["numptx"]
    others = "  ".join(f"{peer} {milliseconds(row[peer], mine.get('seconds'))}" for peer in ("numpy", *peers))
    if not mine["compiled"]:
        return f"{name}  {mine['code'] + ': ' if mine.get('code') else ''}{mine['problem']}  {others}"
    if "problem" in mine:
        return f"{name}  compiled, {mine['problem']}  {others}"
    error = "not validated" if mine["error"] is None else f"error {mine['error']:.0e}"
    return f"{name}  compiled  {error}  {milliseconds(mine)}  {others}"


def summary(rows):
    """What became of all kernels."""
    mine = [row["numptx"] for row in rows if "numptx" in row]
    right = sum(row.get("error") is not None for row in mine)
    return f"{len(rows)} kernels: {sum(row['compiled'] for row in mine)} compiled, {right} of them validated"


def is_bad(row):
    """Whether a kernel was compiled to something that does not work."""
    mine = row.get("numptx", {"compiled": False})
    return "problem" in mine and (mine["compiled"] or mine["problem"].startswith("the compiler failed"))


def machine(device):
    """The device, and the versions of everything that was timed."""
    import numptx

    versions = {"numpy": np.__version__, "python": platform.python_version()}
    return {"devices": numptx.devices(), "threads": numptx.thread_count(), "versions": versions, "device": device}


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--npbench", type=pathlib.Path, required=True, help="an NPBench checkout")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--preset", default="S", help="S, M, L or paper")
    parser.add_argument("--kernels", nargs="*", help="names of files in bench_info; all without it")
    parser.add_argument("--peers", nargs="*", choices=PEERS, help="those that are installed without it")
    parser.add_argument("--compiled", type=pathlib.Path, help="keeps compiled libraries here, and takes those that are here")
    parser.add_argument("--sources", type=pathlib.Path, help="writes sources with export lines here, and measures nothing")
    parser.add_argument("--limit", type=float, default=300, help="seconds that one implementation may take, all its calls together")
    parser.add_argument("--arch", help="for the compiler: sm_90")
    parser.add_argument("--json", type=pathlib.Path, help="writes everything here, after each kernel")
    parser.add_argument("--commit")
    options = parser.parse_args()
    options.flags = ["--host-only"] if options.device == "cpu" else ["--arch", options.arch] if options.arch else []
    if options.peers is None:
        fitting = ("cupy", "jax") if options.device == "cuda" else ON_CPU
        options.peers = [peer for peer in fitting if importlib.util.find_spec(peer)]
    known = sorted(path.stem for path in (options.npbench / "bench_info").glob("*.json"))
    options.kernels = options.kernels or known
    if unknown := set(options.kernels) - set(known):
        parser.error(f"{options.npbench} has no kernel {', '.join(sorted(unknown))}")
    return options


def main():
    options = read_options()
    head = {"date": datetime.date.today().isoformat(), "commit": options.commit, "preset": options.preset} | machine(options.device)
    rows = []
    for name in options.kernels:
        with tempfile.TemporaryDirectory() as out:
            if options.sources:
                print(write_source(Kernel(options.npbench, name, options.preset), options, pathlib.Path(out)), flush=True)
                continue
            rows.append(measured(Kernel(options.npbench, name, options.preset), options, pathlib.Path(out)))
        print(show(rows[-1], options.peers), flush=True)
        if options.json:
            options.json.write_text(json.dumps(head | {"rows": rows}, indent=1, default=str) + "\n")
    if not options.sources:
        print(summary(rows))
    sys.exit(any(map(is_bad, rows)))


if __name__ == "__main__":
    main()
