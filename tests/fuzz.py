"""Random typed NumPy functions, compiled and compared with NumPy.

    python tests/fuzz.py --seconds 60 [--seed N] [--device cuda]

Each program has a few statements over vectors and matrices: elementwise functions, broadcasting, slices, transposes, reductions,
stores that may overlap what they read. A difference, a refusal, or a crash of the compiler prints the program, the arguments
and the seed, and ends with status 1.
"""

import argparse
import pathlib
import random
import sys
import tempfile
import time
import traceback

import numpy as np

import comparison
from compilation import Refused, Workshop

# Functions of 8-bit integers give float16 in NumPy, which is no dtype of ours.
DTYPES = ["float64", "float32", "int64", "int32", "uint32"]
UNARY = ["np.abs({})", "np.sqrt(np.abs({}))", "np.sin({})", "np.exp(-np.abs({}))", "np.square({})", "-(+{})", "np.tanh({})"]
BINARY = ["({} + {})", "({} - {})", "({} * {})", "np.maximum({}, {})", "np.minimum({}, {})", "({} / (2 + np.abs({})))"]
COMPARE = ["({} < {})", "({} == {})", "({} >= {})"]
REDUCTIONS = ["np.sum({})", "np.max({})", "np.min({})", "np.mean({})"]
# Slices of length n-1, and of length n-2, so that any two of a row can meet.
SHORTER = ["{}[1:]", "{}[:-1]", "{}[:0:-1]", "{}[-2::-1]"]


class Writer:
    """Writes one function; every expression has the shape (n,), (n, n) or ()."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        dtypes = self.random.sample(DTYPES, 3)
        self.vectors, self.matrices = ["x", "y"], ["u"]
        self.types = {"x": dtypes[0], "y": dtypes[1], "u": dtypes[2]}
        self.n_names = 0

    def pick(self, choices):
        return self.random.choice(choices)

    def vector(self, depth):
        """An expression of shape (n,)."""
        if depth == 0:
            return self.pick([*self.vectors, "u[0]", "u[:, -1]", "x[::-1]", "a", "2", "0.5"])
        form = self.random.random()
        if form < 0.35:
            return self.pick(UNARY).format(self.vector(depth - 1))
        if form < 0.8:
            return self.pick(BINARY).format(self.array(depth - 1), self.vector(depth - 1))
        if form < 0.9:
            condition = self.pick(COMPARE).format(self.array(depth - 1), self.vector(depth - 1))
            return f"np.where({condition}, {self.array(depth - 1)}, {self.vector(depth - 1)})"
        return f"np.sum({self.matrix(depth - 1)}, axis={self.pick([0, 1, -1])})"

    def array(self, depth):
        """A vector that certainly is one, so that a constant never stands alone."""
        return self.pick(self.vectors) if self.random.random() < 0.4 else f"(x + {self.vector(depth)})"

    def matrix(self, depth):
        """An expression of shape (n, n)."""
        if depth <= 0:
            return self.pick([*self.matrices, "u.T", "u[::-1]", "x[:, None] * y", "(x + y[:, None])"])
        form = self.random.random()
        if form < 0.3:
            return self.pick(UNARY).format(self.matrix(depth - 1))
        other = self.matrix(depth - 1) if form < 0.7 else self.vector(depth - 1)
        return self.pick(BINARY).format(self.matrix(depth - 1), other)

    def statement(self):
        """A definition or a store."""
        form = self.random.random()
        if form < 0.4:
            self.n_names += 1
            name = f"t{self.n_names}"
            line = f"{name} = x + {self.vector(2)}" if form < 0.25 else f"{name} = {self.matrix(2)}"
            (self.vectors if form < 0.25 else self.matrices).append(name)
            return line
        target = self.pick(["x", "y"])
        kind = np.dtype(self.types[target]).kind
        # A store casts as NumPy's assignment does; in place operators need a cast that NumPy allows.
        if kind == "f" and form < 0.7:
            return f"{self.pick(SHORTER).format(target)} = np.abs({self.pick(SHORTER).format(f'({self.array(1)})')})"
        return f"{self.pick(SHORTER).format(target)} = {self.pick(SHORTER).format(target)}"

    def result(self):
        form = self.random.random()
        if form < 0.3:
            return self.array(2)
        if form < 0.5:
            return self.matrix(2)
        if form < 0.7:
            return self.pick(REDUCTIONS).format(self.array(2))
        if form < 0.85:
            return f"{self.pick(['x', 'y'])}[1:], u.T, {self.pick(REDUCTIONS).format(self.matrix(1))}"
        return f"{self.array(1)}, {self.pick(SHORTER).format('u')}"

    def program(self):
        lines = [self.statement() for _ in range(self.random.randrange(4))]
        types = f"{self.types['x']}[:], {self.types['y']}[:], {self.types['u']}[:,:], float"
        body = "".join(f"    {line}\n" for line in lines)
        return f"import numpy as np\n\n#numptx export f({types})\ndef f(x, y, u, a):\n{body}    return {self.result()}\n"


def arguments(types, seed):
    """Arrays of the wanted dtypes: of several sizes and layouts, now and then overlapping."""
    generator = np.random.default_rng(seed)
    n = int(generator.choice([0, 1, 2, 3, 7, 33, 100]))

    def array(shape, dtype):
        values = generator.integers(0, 2, shape) if dtype == "bool" else generator.integers(0, 100, shape) / 8
        return np.asarray(values).astype(dtype)

    x, y, u = array(n, types["x"]), array(2 * n, types["y"])[::2], array((n, n), types["u"])
    if generator.random() < 0.3:
        u = u.T
    if types["x"] == types["y"] and generator.random() < 0.5:
        whole = array(n + 1, types["x"])
        x, y = whole[1:], whole[:-1]
    return x, y, u, 1.5


def check(workshop, seed):
    """Raises where the compiled program and NumPy differ; returns whether there was something to compare."""
    writer = Writer(seed)
    source = writer.program()
    try:
        compiled, plain = workshop.pair(source)
        for round_ in range(3):
            there, here = arguments(writer.types, (seed, round_)), arguments(writer.types, (seed, round_))
            with np.errstate(all="ignore"):
                try:
                    expected = plain.f(*here)
                except Exception as error:
                    expected = error
            try:
                result = compiled.f(*there)
            except Exception as error:
                result = error
            if isinstance(expected, Exception) or isinstance(result, Exception):
                assert type(expected) is type(result), f"{result!r} where NumPy has {expected!r}"
                continue
            comparison.assert_same(result, expected, tolerance=1e-4 if "float32" in source else 1e-9)
            comparison.assert_same(there, here, tolerance=1e-4 if "float32" in source else 1e-9)
            assert comparison.relations(result, there) == comparison.relations(expected, here)
    except Exception:
        print(f"seed {seed}\n\n{source}\n{traceback.format_exc()}", file=sys.stderr)
        raise


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=None, help="run this one program")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    options = parser.parse_args()
    import numptx

    numptx.device(options.device)
    first = options.seed if options.seed is not None else random.SystemRandom().randrange(1 << 40)
    print(f"fuzz: programs from seed {first} on, for {options.seconds:.0f} s")
    end, done = time.monotonic() + options.seconds, 0
    with tempfile.TemporaryDirectory() as folder:
        workshop = Workshop(pathlib.Path(folder))
        while time.monotonic() < end:
            try:
                check(workshop, first + done)
            except Exception as error:
                kind = "refused" if isinstance(error, Refused) else "differs"
                sys.exit(f"fuzz: seed {first + done} {kind}, after {done} programs that agreed")
            done += 1
            if options.seed is not None:
                break
    print(f"fuzz: {done} programs agreed with NumPy")


if __name__ == "__main__":
    main()
