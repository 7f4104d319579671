"""Takes one rule out of the runtime at a time; the tests that stand beside it have to fail.

    python tests/mutants.py [WORD …]     those in whose kind or rule one of the words stands; without words all
    python tests/mutants.py --list       the rules and their tests

`mutants.toml` has them, with tests named as in docs/runtime-internals.md. Each is applied to a copy of the tree, whose runtime, package and mock driver
are built for debugging in a folder of their own. Before that the same tests pass without a change. A rule whose text is not in the source is an error.
The status is 1 where a mutant survives, 2 where the table is wrong.
"""

import argparse
import contextlib
import dataclasses
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib

from compilation import ROOT, TARGET
from suite import SHELF

FOLDER = TARGET / "mutants"
TREE, PACKAGE, BUILD = FOLDER / "tree", FOLDER / "package", FOLDER / "build"
TABLE = pathlib.Path(__file__).with_suffix(".toml")
PYTHON_FILES = "crates/numptx-python/python/numptx"
# Seconds after which a test has failed; `stress.py` ends with the first thing that is wrong.
LIMIT, STRESS_SECONDS = 40, 60
# Of what a test said, with `--show`.
LAST_LINES = 8


class Wrong(Exception):
    """The table is wrong, or something does not build."""


@dataclasses.dataclass(frozen=True)
class Mutant:
    """What must hold, the text that sees to it, what stands there without it, and the tests that each find that."""

    rule: str
    kind: str
    file: str
    old: str
    new: str
    tests: list

    def __post_init__(self):
        found = (ROOT / self.file).read_text().count(self.old)
        if found != 1 or self.old == self.new or not self.tests:
            raise Wrong(f"{self.rule}: its text stands {found} times in {self.file}, and {len(self.tests)} tests are named")

    @contextlib.contextmanager
    def applied(self):
        path = TREE / self.file
        text = path.read_text()
        path.write_text(text.replace(self.old, self.new))
        try:
            yield
        finally:
            path.write_text(text)


def copy_tree():
    """The files under version control, and new ones. What has not changed stays, so that little is built anew."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True, text=True)
    names = {name for name in listed.stdout.split("\0") if (ROOT / name).is_file()}
    for path in TREE.rglob("*"):
        if path.is_file() and str(path.relative_to(TREE)) not in names:
            path.unlink()
    for name in names:
        copy, content = TREE / name, (ROOT / name).read_bytes()
        if not copy.is_file() or copy.read_bytes() != content:
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(content)


ENVIRONMENT = {
    **os.environ,
    "CARGO_TARGET_DIR": str(BUILD),
    "NUMPTX_LIBCUDA": str(BUILD / "debug" / "libmock_libcuda.so"),
    "NUMPTX_PYTHONS": sys.executable,
    "NUMPTX_SHELF": str(SHELF),
    "OPENBLAS_NUM_THREADS": "1",
    "PYO3_PYTHON": sys.executable,
    "PYTHONPATH": os.pathsep.join([str(PACKAGE), *filter(None, [os.environ.get("PYTHONPATH")])]),
}


# What `tests/suite.py` tells the mock driver for them.
NARROW = {"NUMPTX_MOCK_PTX": "1", "NUMPTX_MOCK_MAX_GRID_X": "16"}


def run(command, cwd, limit=None, environment=()):
    """Status and words of a command; `None` in the place of the status where it took too long."""
    process = subprocess.Popen(
        command, cwd=cwd, env={**ENVIRONMENT, **dict(environment)}, start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    )
    try:
        said, _ = process.communicate(timeout=limit)
        return process.returncode, said
    except subprocess.TimeoutExpired:
        # With the processes that a test has started.
        os.killpg(process.pid, signal.SIGKILL)
        return None, process.communicate()[0]


def cargo(*arguments):
    status, said = run(["cargo", *arguments], TREE)
    if status != 0:
        raise Wrong(f"cargo {' '.join(arguments)}:\n{said}")


def rust_test(name):
    """The crate of a test in Rust, the option that chooses its binary, and what it is called there."""
    file, test = name.split("::")
    if file.startswith("models/"):
        return "numptx-models", "--test=models", f"{file.removesuffix('.rs').replace('models/', 'model_of_')}::{test}"
    module = file.removesuffix(".rs").replace("/", "::")
    return "numptx-runtime", "--lib", f"{module if module.endswith('tests') else f'{module}::tests'}::{test}"


def is_rust(name):
    return ".rs::" in name


def build(tests):
    """What the tests need, of the copy as it is."""
    for crate, binary in sorted({rust_test(name)[:2] for name in tests if is_rust(name)}):
        cargo("test", "--quiet", "--no-run", "-p", crate, binary)
    if all(map(is_rust, tests)):
        return
    cargo("build", "--quiet", "-p", "numptx-runtime", "-p", "numptx-python", "-p", "mock-libcuda")
    package = PACKAGE / "numptx"
    shutil.rmtree(package, ignore_errors=True)
    shutil.copytree(TREE / PYTHON_FILES, package, ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    shutil.copy(BUILD / "debug" / "libnumptx_runtime.so", package)
    shutil.copy(BUILD / "debug" / "lib_native.so", package / "_native.abi3.so")


def passes(name):
    """Whether a test passes, and what was said. That it could not be run is an error."""
    if name.startswith("stress.py"):
        status, said = run([sys.executable, "tests/stress.py", "--seconds", str(STRESS_SECONDS), *name.split()[1:]], ROOT, STRESS_SECONDS + LIMIT)
        has_failed, was_run = status != 0, "steps by" in said or status is None or status < 0
    elif is_rust(name):
        crate, binary, test = rust_test(name)
        status, said = run(["cargo", "test", "-p", crate, binary, "--", "--exact", test], TREE, LIMIT)
        has_failed, was_run = status != 0, "running 1 test" in said
    else:
        is_narrow = name.startswith("narrow/")
        named = ("tests/" if is_narrow else "tests/runtime/") + name.replace("PYTHON", "{}.{}".format(*sys.version_info))
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "--device", "cuda", named]
        status, said = run(command, ROOT, LIMIT, NARROW if is_narrow else ())
        # Other statuses say that there is no such test; a process that crashed or hung has none of pytest's.
        has_failed, was_run = status != 0, status is None or status < 0 or status == 1 or bool(status == 0 and re.search(r"\d+ passed", said))
    if not was_run:
        raise Wrong(f"{name} was not run:\n{said}")
    return not has_failed, said


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("words", nargs="*", metavar="WORD", help="only those in whose kind or rule one of the words stands")
    parser.add_argument("--list", action="store_true", help="show the rules and their tests")
    parser.add_argument("--show", action="store_true", help="show the last words of the tests that fail")
    given = parser.parse_args()
    try:
        mutants = [Mutant(**row) for row in tomllib.loads(TABLE.read_text())["mutant"]]
        mutants = [mutant for mutant in mutants if not given.words or any(word in f"{mutant.kind}: {mutant.rule}" for word in given.words)]
        if given.list:
            for mutant in mutants:
                print(f"{mutant.kind}: {mutant.rule}", *mutant.tests, sep="\n    ")
            return
        copy_tree()
        survived, wrong = try_all(mutants, given.show)
    except Wrong as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    sys.exit(2 if wrong else 1 if survived else 0)


def unchanged(tests):
    """The tests that pass without a change."""
    build(tests)
    sound = set()
    for test in tests:
        try:
            is_sound, said = passes(test)
        except Wrong as error:
            is_sound, said = False, str(error)
        if is_sound:
            sound.add(test)
        else:
            print(f"WRONG: {test} fails without a change:\n{said}", flush=True)
    return sound


def try_all(mutants, shows):
    """Says what became of each; `(those that survived a test, those that could not be tried)`."""
    tests = sorted({test for mutant in mutants for test in mutant.tests})
    sound = unchanged(tests)
    print(f"{len(sound)} of {len(tests)} tests pass without a change", flush=True)
    survived, wrong = [], []
    for mutant in mutants:
        begun = time.monotonic()
        try:
            if not sound.issuperset(mutant.tests):
                raise Wrong("some of its tests fail without it")
            with mutant.applied():
                build(mutant.tests)
                built = time.monotonic()
                found = {test: passes(test) for test in mutant.tests}
        except Wrong as error:
            print(f"WRONG     {mutant.kind}: {mutant.rule}: {error}", flush=True)
            wrong.append(mutant)
            continue
        passed = [test for test, (is_passed, _) in found.items() if is_passed]
        seconds = f"{built - begun:.0f} + {time.monotonic() - built:.0f} s"
        print(f"{'SURVIVED' if passed else 'died':<9} {seconds:>12}  {mutant.kind}: {mutant.rule}", *passed, sep="\n    ", flush=True)
        if shows:
            print(*(line for _, said in found.values() for line in said.splitlines()[-LAST_LINES:]), sep="\n", flush=True)
        if passed:
            survived.append(mutant)
    print(f"{len(mutants) - len(survived) - len(wrong)} of {len(mutants)} died")
    return survived, wrong


if __name__ == "__main__":
    main()
