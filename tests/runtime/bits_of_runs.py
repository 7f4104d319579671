"""Runs corpus programs in a process of its own, whose number of threads its environment says, and tells the bits of what they give.

    python bits_of_runs.py JOBS OUT

JOBS is a JSON file: `helper`, the library of floating_state.c; `states`, pairs of its arguments by name; `programs`, pairs of library and source.
OUT becomes an object. `bits`: source, then run line and state, then the bits, as text that is equal where the bits are. `seconds`: CPU time by source.
"""

import ctypes
import hashlib
import json
import pathlib
import sys
import time

import numpy as np

import comparison
import corpus_format
import corpus_run
from compilation import load_compiled


def bits(value):
    """What stands for a value: its type, and all of its bits."""
    if isinstance(value, (tuple, list)):
        return f"{type(value).__name__}({', '.join(map(bits, value))})"
    if isinstance(value, (dict, set)):
        # The order of texts in a set is another in each process.
        members = value.items() if isinstance(value, dict) else comparison.in_order(value)
        return f"{type(value).__name__}({', '.join(map(bits, members))})"
    if isinstance(value, Exception):
        return repr(value)
    if isinstance(value, comparison.GENERATORS):
        return f"{type(value).__name__} {comparison.state(value)}"
    if isinstance(value, (np.ndarray, np.generic, bool, int, float, complex)) and np.asarray(value).dtype != object:
        array = np.asarray(value)
        return f"{type(value).__name__} {array.dtype} {array.shape} {hashlib.sha256(array.tobytes()).hexdigest()}"
    return f"{type(value).__name__} {value!r}"


def main(jobs, out):
    jobs = json.loads(pathlib.Path(jobs).read_text())
    set_state = ctypes.CDLL(jobs["helper"]).set_floating_state
    found, seconds = {}, {}
    for library, source in jobs["programs"]:
        before, compiled, of_program = time.process_time(), load_compiled(library), found.setdefault(source, {})
        for run in corpus_format.read(pathlib.Path(source)).runs:
            if not run.is_for(np.__version__):
                continue
            for name, state in jobs["states"].items():
                function, arguments, keywords = run.arguments()
                function = getattr(compiled, function)
                assert set_state(*state) == 0
                result = corpus_run.outcome(function, arguments, keywords)
                set_state(0, 0)
                of_program[f"line {run.line}, {name}"] = f"{bits(result)}; {bits(arguments)}"
        seconds[source] = time.process_time() - before
    pathlib.Path(out).write_text(json.dumps({"bits": found, "seconds": seconds}))


if __name__ == "__main__":
    main(*sys.argv[1:])
