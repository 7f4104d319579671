"""Runs the tests, stage by stage, and says what each stage and each slow file took.

    python tests/suite.py            `make test`: every fact once, the long tail by a fixed sample
    python tests/suite.py --all      `make test-all`: everything, for releases and machines with a GPU
    python tests/suite.py --only NAME …

A stage is a command of STAGES. The last lines are a table: stage, wall seconds, number of tests; then each test file that took more than 20 s
of CPU time; `build/test-files.json` has them all. With --all a file that takes more than a thirtieth of the whole fails the run, which a faster or a
slower machine does not change; times decide nothing else.
The status is 1 if anything failed.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

from compilation import ROOT, TARGET, compiler, compiler_hash

BUILD = ROOT / "build"
SHELF, TIMES = BUILD / "compiled", BUILD / "test-times"
MOCK = {"NUMPTX_LIBCUDA": str(TARGET / "debug/libmock_libcuda.so")}
PYTEST = [sys.executable, "-m", "pytest", "-q", "-n", "auto", "--dist", "loadfile"]
# What runs once more with every step of its memory checked: programs about views and stores.
CHECKED = [f"tests/corpus/{name}.py" for name in ("views", "slices", "overlap", "inplace", "shapes", "errors_of_values")]
CHECKED += ["tests/runtime/test_identity.py", "tests/runtime/test_closing.py"]
SHOWN = 20
# Of the CPU time of all test files together, what one may take.
MOST = 1 / 30


@dataclasses.dataclass
class Outcome:
    """What became of a stage, or of a test file."""

    ok: bool
    tests: int
    wall: float = 0.0
    # CPU seconds of the compiler that its tests started.
    compiling: float = 0.0


def cores():
    return len(os.sched_getaffinity(0))


def run(command, environment=(), cwd=ROOT):
    """A command whose words are shown as they come; its status, and all that it said."""
    process = subprocess.Popen(
        command, env={**os.environ, **dict(environment)}, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    said = []
    for line in process.stdout:
        print(line, end="", flush=True)
        said.append(line)
    return process.wait(), "".join(said)


class Files:
    """CPU seconds and tests by test file, added up over all stages."""

    def __init__(self):
        self.found = collections.defaultdict(lambda: collections.Counter())

    def add(self, name, tests, cpu, compiling=0.0):
        self.found[name].update(tests=tests, cpu=cpu, compiling=compiling)

    def take(self):
        """Adds what pytest's processes left; CPU seconds of the compiler."""
        compiling = 0.0
        for path in sorted(TIMES.glob("*.json")):
            for name, file in json.loads(path.read_text()).items():
                self.add(f"tests/{name}", file["tests"], file["cpu"], file["compiling"])
                compiling += file["compiling"]
        shutil.rmtree(TIMES, ignore_errors=True)
        return compiling


def pytest_stage(*arguments, environment=(), parallel=True):
    """Tests of Python; `arguments` are pytest's."""

    def stage(given, files):
        command = [*(PYTEST if parallel else PYTEST[:4]), *([] if given.all else ["--quick"]), *(["--both"] if given.all else []), *arguments]
        status, said = run(command, {**dict(environment), "NUMPTX_TEST_TIMES": str(TIMES), "NUMPTX_SHELF": str(SHELF)})
        passed = re.search(r"(\d+) passed", said)
        return Outcome(status == 0, int(passed[1]) if passed else 0, compiling=files.take())

    return stage


# The compiler is tested as `make build` builds it, LLVM inside, so that it is built once.
AS_BUILT = ["--no-default-features", "--features", "numptx/static-llvm"]
# All that runs beside a user's program has checks of its own in a debug build; the extension is tested from Python.
DEBUG = ["numptx-abi", "numptx-runtime", "mock-libcuda"]
# A crate outside of the workspace.
EXAMPLE = ROOT / "examples/rust-build"
CARGO_TEST = [
    ["cargo", "test", "--quiet", "--release", "--workspace", *AS_BUILT, *(f"--exclude={name}" for name in (*DEBUG, "numptx-python"))],
    ["cargo", "test", "--quiet", *(f"--package={name}" for name in DEBUG)],
]


def build_rust(given, files):
    """The test binaries, the mock driver and the writer of random programs."""
    builds = [*([*command, "--no-run"] for command in CARGO_TEST), ["cargo", "build", "--quiet", "-p", "mock-libcuda"]]
    return Outcome(all(run(build)[0] == 0 for build in builds), 0)


def rust_binaries():
    """`(package, target, executable, folder)` of every test binary."""
    for command in CARGO_TEST:
        listing = [*command, "--no-run", "--message-format", "json"]
        said = subprocess.run(listing, cwd=ROOT, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
        for message in map(json.loads, said.splitlines()):
            if message.get("executable") and message.get("profile", {}).get("test"):
                folder = pathlib.Path(message["manifest_path"]).parent
                yield folder.name, message["target"]["name"], message["executable"], folder


# Test binaries whose tests go through the whole corpus: these run one by one, and count so.
ONE_BY_ONE = {"interpreted"}


def processes(binary):
    """A test binary, and what each process of it is told."""
    if binary[1] not in ONE_BY_ONE:
        return [(*binary, [])]
    listed = subprocess.run([binary[2], "--list"], cwd=binary[3], check=True, capture_output=True, text=True).stdout
    return [(*binary, ["--exact", name]) for name in re.findall(r"^(\S+): test$", listed, re.M)]


def rust_stage(given, files):
    """Each test binary as a process of its own, as many at a time as there are cores."""
    environment = {} if given.all else {"NUMPTX_QUICK": "1"}
    lock, failed, tests = threading.Lock(), [], 0

    def one(binary):
        package, target, executable, folder, arguments = binary
        own = {**os.environ, **environment, "CARGO_MANIFEST_DIR": str(folder)}
        process = subprocess.Popen([executable, *arguments, "--test-threads", str(cores())], cwd=folder, env=own, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        said = process.stdout.read().decode(errors="replace")
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        passed = sum(map(int, re.findall(r"test result: .*? (\d+) passed", said)))
        with lock:
            files.add(" ".join([f"{package}: {target}", *arguments[1:]]), passed, used.ru_utime + used.ru_stime)
            if process.returncode:
                failed.append(target)
                print(said, flush=True)
        return passed

    # Those that take long begin first.
    order = ["interpreted", "robustness", "random_programs", "stores", "dependence", "wavefronts", "elements"]
    binaries = sorted((process for binary in rust_binaries() for process in processes(binary)), key=lambda binary: order.index(binary[1]) if binary[1] in order else len(order))
    with concurrent.futures.ThreadPoolExecutor(cores()) as pool:
        tests = sum(pool.map(one, binaries))
    print(f"{tests} passed, {len(failed)} of {len(binaries)} processes failed" + "".join(f"\n  {name}" for name in failed), flush=True)
    return Outcome(not failed, tests)


def documentation_stage(given, files):
    """The programs in the comments of crates."""
    outcomes = [run([*command, "--doc"]) for command in CARGO_TEST]
    passed = sum(int(n) for _, said in outcomes for n in re.findall(r"test result: .*? (\d+) passed", said))
    return Outcome(all(status == 0 for status, _ in outcomes), passed)


def example_stage(given, files):
    """A Rust program whose build script has the installed compiler compile kernels, copied out of the repository: its lint, and its tests."""
    with tempfile.TemporaryDirectory() as folder:
        crate = pathlib.Path(folder) / EXAMPLE.name
        shutil.copytree(EXAMPLE, crate, ignore=shutil.ignore_patterns("target"))
        manifest = crate / "Cargo.toml"
        manifest.write_text(manifest.read_text().replace("../..", str(ROOT)))
        environment = {"CARGO_TARGET_DIR": str(BUILD / "rust-build"), "NUMPTX_COMPILER": str(compiler()), **MOCK}
        lint, _ = run(["cargo", "clippy", "--quiet", "--all-targets", "--", "-D", "warnings"], environment, crate)
        status, said = run(["cargo", "test", "--quiet"], environment, crate)
    return Outcome(lint == 0 and status == 0, sum(map(int, re.findall(r"test result: .*? (\d+) passed", said))))


def fuzz_stage(given, files):
    """Random programs, as they are and in versions that nobody would choose."""
    status, said = run([sys.executable, "tests/fuzz.py", "300" if given.all else "100", "--seed", "1", "--forced", "1"])
    return Outcome(status == 0, int(re.search(r"fuzz: (\d+) programs,", said)[1]) if status == 0 else 0)


def begin_stress(given):
    """Threads, streams, graphs and frees on the mock driver. It sleeps most of the time, and runs beside the tests."""
    command = [sys.executable, "tests/stress.py", "--seconds", "600" if given.all else "60"]
    given.stress = subprocess.Popen(command, env={**os.environ, **MOCK}, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def stress_stage(given, files):
    if not given.stress:
        begin_stress(given)
    said, _ = given.stress.communicate()
    print(said, end="", flush=True)
    return Outcome(given.stress.returncode == 0, 1)


# What is begun before a stage, and goes on beside it.
BESIDE = {"Python: mock driver": begin_stress}
STAGES = {
    "Rust: building": build_rust,
    "Rust: tests": rust_stage,
    "Rust: documentation": documentation_stage,
    "Python: CPU": pytest_stage("tests"),
    "Python: mock driver": pytest_stage("tests/corpus", "tests/runtime", "--device", "cuda", environment=MOCK),
    "narrow indices: mock driver": pytest_stage("tests/narrow", "--device", "cuda", environment={"NUMPTX_MOCK_PTX": "1", "NUMPTX_MOCK_MAX_GRID_X": "16", **MOCK}),
    "memory checked: CPU": pytest_stage(*CHECKED, environment={"NUMPTX_DEBUG_MEMORY": "1"}, parallel=False),
    "memory checked: mock driver": pytest_stage(*CHECKED, "--device", "cuda", environment={"NUMPTX_DEBUG_MEMORY": "1", **MOCK}, parallel=False),
    "random programs": fuzz_stage,
    "stress: mock driver": stress_stage,
}
# With --all only.
MORE_STAGES = {"Rust: the example": example_stage}


def tidy_shelf():
    """Libraries of other compilers are nobody's."""
    for folder in SHELF.glob("*"):
        if folder.name != compiler_hash():
            shutil.rmtree(folder)


def table(outcomes, files, given):
    """What was asked for at the end; whether a file took too long."""
    print(f"\n{'stage':<34}{'wall s':>8}{'tests':>8}{'compiling, CPU s':>18}")
    for name, outcome in outcomes.items():
        print(f"{name:<34}{outcome.wall:>8.0f}{outcome.tests:>8}{outcome.compiling:>18.0f}{'' if outcome.ok else '  FAILED'}")
    wall, tests, compiling = (sum(getattr(o, name) for o in outcomes.values()) for name in ("wall", "tests", "compiling"))
    print(f"{'all':<34}{wall:>8.0f}{tests:>8}{compiling:>18.0f}   on {cores()} cores")
    slow = sorted(((name, file) for name, file in files.found.items() if file["cpu"] > SHOWN), key=lambda item: -item[1]["cpu"])
    print(f"\ntest files over {SHOWN} s of CPU time: {len(slow)}")
    for name, file in slow:
        compiling = f", {file['compiling']:.0f} s of them compiling" if file["compiling"] >= 1 else ""
        print(f"{file['cpu']:>8.0f} s  {name} ({file['tests']} tests{compiling})")
    most = MOST * sum(file["cpu"] for file in files.found.values())
    late = [name for name, file in slow if file["cpu"] > most] if given.all and not given.only else []
    for name in late:
        print(f"FAILED: {name} takes more than a thirtieth of all CPU time, {most:.0f} s here")
    return bool(late)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--all", action="store_true", help="everything, not a sample")
    parser.add_argument("--only", nargs="*", choices=[*STAGES, *MORE_STAGES], help="these stages alone")
    given = parser.parse_args()
    given.stress = None
    # Threads of NumPy's BLAS would take cores from the tests beside, a tenth of a second for each process that begins.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    shutil.rmtree(TIMES, ignore_errors=True)
    tidy_shelf()
    outcomes, files = {}, Files()
    stages = {**STAGES, **MORE_STAGES}
    for name in given.only or (stages if given.all else STAGES):
        print(f"test: {name}", flush=True)
        before = time.monotonic()
        if not given.only and name in BESIDE:
            BESIDE[name](given)
        outcomes[name] = stages[name](given, files)
        outcomes[name].wall = time.monotonic() - before
        if name == "Rust: building" and not outcomes[name].ok:
            break
    (BUILD / "test-files.json").write_text(json.dumps(files.found, indent=1, sort_keys=True) + "\n")
    late = table(outcomes, files, given)
    sys.exit(late or not all(outcome.ok for outcome in outcomes.values()))


if __name__ == "__main__":
    main()
