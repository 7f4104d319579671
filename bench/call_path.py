"""numptx's own part of a call, in processor instructions: with a driver that does nothing, counted by valgrind.

    python bench/call_path.py [--time]

A count is of one call, with the loop around it taken off. It is the same on each run and on each machine of one architecture, which times are not;
instructions that lock memory for other processors take several times as long as others and count as one. With `--time` no valgrind is needed:
nanoseconds by the thread's own clock. Timings never decide a test.

Tensors are those of `stand_in.c`, which speaks DLPack's exchange as PyTorch does; CuPy's are left out, because most of theirs is Python.
"""

import argparse
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
import timeit

HERE = pathlib.Path(__file__).parent
N = 2000


def built(folder):
    """Compiles the driver and the library of tensors."""
    cc = shutil.which("cc") or shutil.which("gcc")
    for name, flags in (("empty_driver", []), ("stand_in", [f"-I{sysconfig.get_path('include')}"])):
        subprocess.run([cc, "-O2", "-w", "-shared", "-fPIC", *flags, str(HERE / f"{name}.c"), "-o", str(folder / f"{name}.so")], check=True)
    return folder / "empty_driver.so"


def load(path, name):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def statements(folder):
    """Names of statements with what they are evaluated in."""
    import numpy as np

    import calls
    import numptx

    compiled = calls.load(folder / "calls.so")
    stand_in = load(folder / "stand_in.so", "stand_in")
    host, host_out = np.arange(16.0), np.empty(16)
    a, out = numptx.asarray(host, device="cuda"), numptx.asarray(host_out, device="cuda")
    given = [numptx.asarray(array, device="cuda") for array in (host, host_out)]
    tensor, tensor_out = (stand_in.of(array.__dlpack__(max_version=(1, 0))) for array in given)
    numptx._native.set_device("auto")
    with numptx.Graph() as graph:
        compiled.write(a, out)
    functions = {"write": compiled.write, "add": compiled.add, "view": compiled.view}
    own, theirs, ours = {**functions, "a": a, "out": out}, {**functions, "a": tensor, "out": tensor_out}, {**functions, "a": host, "out": host_out}
    # What comes first pays for what is done once.
    yield stand_in, "nothing", "pass", {}
    yield stand_in, "empty loop", "pass", {}
    yield stand_in, "own: write(a, out)", "write(a, out)", own
    yield stand_in, "own: add(a, a)", "add(a, a)", own
    yield stand_in, "own: view(a)", "view(a)", own
    yield stand_in, "own: graph replay", "replay()", {"replay": graph.replay}
    yield stand_in, "tensors: write(a, out)", "write(a, out)", theirs
    yield stand_in, "tensors: add(a, a)", "add(a, a)", theirs
    numptx._native.set_device("cpu")
    yield stand_in, "host: write(a, out)", "write(a, out)", ours
    yield stand_in, "host: add(a, a)", "add(a, a)", ours
    yield stand_in, "host: view(a)", "view(a)", ours


def run(folder, with_time):
    """Runs the statements: under valgrind, or with the clock."""
    loop = 0.0
    for stand_in, name, statement, names in statements(folder):
        timer = timeit.Timer(statement, globals=names, timer=time.thread_time)
        timer.timeit(50)
        if with_time:
            taken = min(timer.timeit(20 * N) for _ in range(9)) / (20 * N) * 1e9
            loop = taken if name == "empty loop" else loop
            print(f"{name:28} {taken - loop:8.0f} ns", flush=True)
        else:
            stand_in.begin()
            timer.timeit(N)
            stand_in.end(name)


def counted(folder):
    """The counts that valgrind wrote: `callgrind.out.PID.n` names what triggered it."""
    counts = {}
    for path in folder.glob("callgrind.out.*"):
        text = path.read_text(errors="replace")
        name = re.search(r"^desc: Trigger: Client Request: (.*)$", text, re.M)
        total = re.search(r"^summary: (\d+)", text, re.M)
        if name and total:
            counts[name[1].strip()] = int(total[1]) / N
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--time", action="store_true", help="nanoseconds instead of instructions")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for valgrind's profiles")
    parser.add_argument("--inside", type=pathlib.Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        return run(options.inside, options.time)
    import calls

    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        # Valgrind knows no newer instructions.
        calls.compiled(folder, "--cpu", "x86-64-v3")
        environment = {**os.environ, "NUMPTX_LIBCUDA": str(built(folder)), "PYTHONHASHSEED": "0"}
        command = [sys.executable, __file__, "--inside", str(folder)]
        if options.time:
            return subprocess.run([*command, "--time"], env=environment, check=True)
        valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/callgrind.out.%p"]
        subprocess.run([*valgrind, *command], env=environment, check=True, stderr=subprocess.DEVNULL)
        counts = counted(folder)
        loop = counts.pop("empty loop", 0)
        for name in sorted(set(counts) - {"nothing"}):
            print(f"{name:28} {counts[name] - loop:8.0f}")


if __name__ == "__main__":
    main()
