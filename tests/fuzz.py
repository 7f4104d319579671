"""Random typed NumPy functions, compiled and compared with NumPy.

    python tests/fuzz.py --seconds 60 [--seed N] [--device cuda]

The programs are those of `random_programs.py`. Values, dtypes, shapes, strides, shared memory, exceptions, and what was written before
them have to agree. A difference or a failure of the compiler prints the program and its seed, and ends with status 1; so does a crash,
which happens in a process of its own. What the compiler refuses is counted.
"""

import argparse
import collections
import os
import pathlib
import random
import re
import signal
import sys
import tempfile
import time
import traceback
import warnings

import numpy as np

import comparison
from compilation import Refused, compile_file, load_compiled, load_plain
from random_programs import Writer, arguments

ROUNDS = 6
SECONDS_A_PROGRAM = 30


def outcome(function, positional):
    """What a call returns, or the exception that it raises."""
    with np.errstate(all="ignore"):
        try:
            return function(*positional)
        except Exception as error:
            return error


def compare(library, path, writer, seed):
    """Raises where a compiled program and NumPy differ."""
    compiled, plain = load_compiled(library), load_plain(path)
    tolerance = 1e-4 if "float32" in path.read_text() else 1e-9
    for number in range(ROUNDS):
        there, here = arguments(writer.types, (seed, number)), arguments(writer.types, (seed, number))
        expected, result = outcome(plain.f, here), outcome(compiled.f, there)
        if isinstance(expected, Exception) or isinstance(result, Exception):
            assert type(expected) is type(result), f"round {number}: {result!r} where NumPy has {expected!r}"
        else:
            comparison.assert_same(result, expected, tolerance)
            assert comparison.relations(result, there) == comparison.relations(expected, here), f"round {number}"
        comparison.assert_same(there, here, tolerance)


def survives(work):
    """Runs `work` in a process of its own; whether it ended well."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            signal.alarm(SECONDS_A_PROGRAM)
            work()
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(status)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        print(f"signal {os.WTERMSIG(status)}", file=sys.stderr)
    return status == 0


def check(seed, folder, device):
    """`None`, "differs", or what the compiler said of the program."""
    import numptx

    writer = Writer(seed)
    path = folder / "kernels.py"
    path.write_text(writer.program())
    try:
        library = compile_file(path, folder)
    except Refused as refused:
        return re.sub(r"`[^`]*`", "`…`", next((m[1] for m in re.finditer(r"^ *[×x] (.*)", str(refused), re.M)), "refused"))

    def work():
        with numptx.device(device):
            compare(library, path, writer, seed)

    if survives(work):
        return None
    print(f"seed {seed}\n\n{path.read_text()}", file=sys.stderr)
    return "differs"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=None, help="run this one program")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    first = options.seed if options.seed is not None else random.SystemRandom().randrange(1 << 40)
    print(f"fuzz: programs from seed {first} on, for {options.seconds:.0f} s", flush=True)
    end, seed, found = time.monotonic() + options.seconds, first, collections.Counter()
    while time.monotonic() < end and (options.seed is None or seed == first):
        with tempfile.TemporaryDirectory() as folder:
            problem = check(seed, pathlib.Path(folder), options.device)
        found[problem] += 1
        if problem == "differs":
            sys.exit(f"fuzz: seed {seed} differs, after {found[None]} programs that agreed")
        seed += 1
    print(f"fuzz: {found.pop(None, 0)} programs agreed with NumPy")
    for reason, n in found.most_common():
        print(f"fuzz: {n} refused: {reason}")


if __name__ == "__main__":
    main()
