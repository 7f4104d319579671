"""The corpus format: whole programs with comment lines that say how to run, measure and judge them.

    #numptx export f(float64, float64[:])     the compiler's business
    # run: f(2.0, arange(1000))               compared with the same file as plain Python; statements may come before: x = ones(3); f(x, x[1:])
    # structure: launches=1 allocs=1 copies=0 syncs=0 what the run above may cost at most, once it is warm; peak=N for bytes; == N with a second '='; device_launches=1 is for devices alone
    # numpy: 2.4                              only with these versions of NumPy the run above is made: others have another rule there
    # large: f(2.0, random(2**20))            made with `pytest --large` only; on a GPU compared with what the CPU computes
    # bench: f(2.0, random(2**24))            for bench/
    # tolerance: 1e-6                         relative; 0 for equal bits
    # layout: any                             strides of results need not be NumPy's
    # message: any                            messages of exceptions need not be NumPy's; their types are always compared
    # flags: --fast-math                      for the compiler, for the whole file

Lines one after the other are a block. `# tolerance:`, `# layout:` and `# message:` belong to the runs of their block; where it has none, to the whole file.

Expressions see NumPy's names, the functions and classes of the file, and `random(shape, dtype=float64)`, `integers(low, high, shape, dtype=int64)`,
which are seeded by the line. They are evaluated anew for every call, so that each has arguments of its own: a plain function may change a list that it is given.
"""

import ast
import dataclasses
import functools
import re

import comparison
import compilation
import numpy as np

LINE = re.compile(r"^#\s(run|numpy|large|bench|structure|tolerance|layout|message|flags):\s*(.*?)\s*$")
# What `# structure:` lines count, as `numptx.memory_stats()` names it; `peak` besides.
COUNTED = {"launches": "launches", "allocs": "allocations", "copies": "copies", "syncs": "synchronizations"}


@dataclasses.dataclass
class Run:
    """One `# run:`, `# large:` or `# bench:` line."""

    text: str
    line: int
    structure: dict = dataclasses.field(default_factory=dict)
    numpy: tuple = ()
    tolerance: float | None = None
    layout: bool = True
    message: bool = True
    own: frozenset = frozenset()
    path: object = None

    def takes_arrays_alone(self):
        """Whether no list or dictionary among the arguments holds an array: such arrays are the host's."""
        _, arguments, keywords = self.arguments()
        return not any(holds_arrays(value) for value in (*arguments, *keywords.values()))

    def is_for(self, version):
        """Whether the run is one for this version of NumPy."""
        return not self.numpy or any(version == wanted or version.startswith(f"{wanted}.") for wanted in self.numpy)

    def arguments(self, name_of_function=None):
        """`(function name, positional, keywords)` of a fresh evaluation."""
        return captured(self.text, self.line, self.path)


@dataclasses.dataclass
class Program:
    """The comment lines of one file."""

    runs: list
    larges: list
    benches: list
    flags: tuple = ()


def holds_arrays(value):
    """Whether a value is a list or a dictionary with an array in it."""
    members = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(isinstance(leaf, np.ndarray) for member in members for leaf in comparison.leaves(member))


class Block:
    """Comment lines one after the other."""

    def __init__(self):
        self.runs, self.rules = [], {}

    def close(self, rules):
        """Gives its rules to its runs, or to the file."""
        if not self.runs:
            rules.update(self.rules)
        for run in self.runs:
            run.own = frozenset(self.rules)
            for key, value in self.rules.items():
                setattr(run, key, value)


def read(path):
    """Reads the comment lines of a file. A misspelt one is an error, a missing `# run:` too."""
    program, rules, block = Program([], [], []), {}, Block()
    for number, text in enumerate(path.read_text().splitlines(), 1):
        if not text.startswith("#"):
            block.close(rules)
            block = Block()
        match = LINE.match(text)
        if not match:
            continue
        key, value = match.groups()
        if key in ("run", "large", "bench"):
            run = Run(value, number, path=path)
            {"run": program.runs, "large": program.larges, "bench": program.benches}[key].append(run)
            block.runs.append(run)
        elif key == "structure":
            if not program.runs:
                raise ValueError(f"{path.name}:{number}: a structure line belongs to the run line above it")
            program.runs[-1].structure = dict(re.findall(r"(\w+)=(=?\d+)", value))
        elif key == "numpy":
            if not program.runs:
                raise ValueError(f"{path.name}:{number}: a line of versions belongs to the run line above it")
            program.runs[-1].numpy = tuple(value.split())
        elif key == "flags":
            program.flags = tuple(value.split())
        else:
            block.rules[key] = float(value) if key == "tolerance" else value != "any"
    block.close(rules)
    for run in program.runs + program.larges + program.benches:
        for key, value in rules.items():
            if key not in run.own:
                setattr(run, key, value)
    if not program.runs:
        raise ValueError(f"{path.name}: no '# run:' line")
    return program


class Captured(Exception):
    """Carries the arguments of the call out of the expression."""


class Names(dict):
    """NumPy's names and the sources of data, and the classes and dtypes of the file; its function is the one whose call is captured."""

    def __init__(self, seed, path):
        super().__init__(vars(np))
        self.path = path
        generator = np.random.default_rng(seed)

        def random(shape=(), dtype=np.float64):
            return np.asarray(generator.random(shape)).astype(dtype)

        def integers(low, high, shape=(), dtype=np.int64):
            return generator.integers(low, high, shape).astype(dtype)

        self.update(random=random, integers=integers, np=np, __builtins__=__builtins__)

    def __missing__(self, name):
        return classes(self.path)[name]


@functools.cache
def classes(path):
    """What a file binds, run by Python."""
    return vars(compilation.load_plain(path)) if path else {}


def captured(text, seed, path=None):
    """Evaluates the statements of a line up to its last call; returns `(name, positional, keywords)` of that call."""
    tree = ast.parse(text)
    last = tree.body[-1].value
    if not (isinstance(last, ast.Call) and isinstance(last.func, ast.Name)):
        raise ValueError(f"'{text}' does not end in the call of a function")
    name, last.func.id = last.func.id, "_capture"
    found = []
    names = Names(seed, path)
    names["_capture"] = lambda *positional, **keywords: found.append((name, positional, keywords))
    exec(compile(ast.fix_missing_locations(tree), "<run line>", "exec"), names)
    return found[0]
