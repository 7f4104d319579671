"""Random typed NumPy functions, and arguments for them.

A writer tries each piece of text on small samples with NumPy first, and keeps what NumPy takes and what stays within the dtypes that
numptx knows. So programs are well typed; extents, bounds and values are free at run time, and exceptions are results like others.
"""

import copy
import random

import numpy as np

DTYPES = ["bool", "int8", "uint8", "int32", "int64", "uint32", "float32", "float64", "complex128"]
KNOWN = {np.dtype(name) for name in [*DTYPES, "int16", "uint16", "uint64", "complex64"]}
# Rounded alike by everyone, and so fit for decisions.
EXACT_UNARY = ["-{}", "+{}", "~{}", "np.abs({})", "np.square({})", "np.floor({})", "np.sign({})", "np.logical_not({})", "np.conj({})"]
EXACT_BINARY = ["{} + {}", "{} - {}", "{} * {}", "np.maximum({}, {})", "np.minimum({}, {})", "{} & {}", "{} ^ {}", "{} | {}"]
EXACT_BINARY += [
    "{} // {}",
    "{} % {}",
    "np.fmod({}, {})",
    "{} < {}",
    "{} == {}",
    "{} >= {}",
    "np.logical_and({}, {})",
    "np.copysign({}, {})",
]
ROUNDED_UNARY = ["np.sqrt(np.abs({}))", "np.sin({})", "np.exp(-np.abs({}))", "np.tanh({})", "np.log1p(np.abs({}))", "-{}", "np.square({})"]
ROUNDED_BINARY = ["{} + {}", "{} - {}", "{} * {}", "{} / {}", "np.hypot({}, {})", "np.maximum({}, {})"]
EXACT_REDUCTIONS = ["np.sum({}{})", "np.max({}{})", "np.min({}{})", "np.any({}{})", "np.all({}{})", "np.argmax({}{})", "np.prod({}{})"]
ROUNDED_REDUCTIONS = ["np.sum({}{})", "np.mean({}{})", "np.var({}{})", "np.max({}{})"]
VIEWS = ["{}.T", "{}.reshape(-1)", "np.ravel({})", "{}.copy()", "np.flip({})", "{}.transpose()", "np.expand_dims({}, 0)", "{}[None]"]
INDICES = [":", ":", ":", "1:", ":-1", "::-1", "::2", "k:", ":k", "-1:0:-2", "k", "0", "-1", "k - 1:k + 2", "None", "..."]
AUGMENTED = ["+=", "-=", "*=", "//=", "%=", "&=", "|="]
PARAMETERS = {"x": 1, "y": 1, "u": 2, "v": 2, "w": 3}


def sample_array(rank, dtype):
    values = np.arange(1, 3**rank + 1).reshape((3,) * rank) % 5 + 1
    return values.astype(dtype)


class Writer:
    """One function. `samples` are the values that its variables have on sample arguments."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        few = self.random.sample(DTYPES, 2)
        self.types = {name: self.random.choice(few) for name in PARAMETERS}
        self.samples = {name: sample_array(rank, self.types[name]) for name, rank in PARAMETERS.items()}
        self.samples.update(k=1, a=0.5, flag=True)
        self.is_exact = self.random.random() < 0.6
        self.n_names = 0

    def pick(self, choices):
        return self.random.choice(choices)

    def chance(self, probability):
        return self.random.random() < probability

    def is_known(self, value):
        if isinstance(value, (bool, int, float)):
            return abs(value) < 1e6
        return isinstance(value, (np.ndarray, np.generic)) and value.dtype in KNOWN and np.ndim(value) <= 3

    def evaluate(self, text):
        """The value of an expression on the samples; None where NumPy or this writer does not take it."""
        try:
            value = eval(text, {"np": np}, copy.deepcopy(self.samples))
        except Exception:
            return None
        return value if self.is_known(value) else None

    def arrays(self, least_rank=1):
        return [name for name, value in self.samples.items() if isinstance(value, np.ndarray) and value.ndim >= least_rank]

    def indexed(self, name):
        rank = self.samples[name].ndim
        indices = [self.pick(INDICES) for _ in range(self.random.randint(1, rank))]
        if indices.count("...") > 1:
            indices = [":" if index == "..." else index for index in indices]
        return f"{name}[{', '.join(indices)}]"

    def leaf(self):
        form = self.random.random()
        if form < 0.45:
            return self.pick(list(self.samples))
        if form < 0.85:
            return self.indexed(self.pick(self.arrays()))
        if form < 0.95:
            return self.pick(["2", "0.5", "3", "True", "-1", "k", "a", "x.shape[0]", "len(u)", "u.size"])
        return self.pick(["np.zeros_like({})", "np.arange({}.shape[0])", "np.full_like({}, 2)"]).format(self.pick(self.arrays()))

    def candidate(self, depth):
        if depth <= 0:
            return self.leaf()
        form = self.random.random()
        part = lambda: self.candidate(depth - 1 - self.random.randrange(2))  # noqa: E731
        if form < 0.2:
            return self.pick(EXACT_UNARY if self.is_exact else ROUNDED_UNARY).format(f"({part()})")
        if form < 0.6:
            return self.pick(EXACT_BINARY if self.is_exact else ROUNDED_BINARY).format(f"({part()})", f"({part()})")
        if form < 0.68:
            condition = f"({part()}) > ({part()})" if self.is_exact else "flag"
            return f"np.where({condition}, {part()}, {part()})"
        if form < 0.8:
            axis = self.pick(["", "", ", axis=0", ", axis=-1", ", axis=1, keepdims=True", ", axis=0, keepdims=True"])
            return self.pick(EXACT_REDUCTIONS if self.is_exact else ROUNDED_REDUCTIONS).format(part(), axis)
        if form < 0.92:
            return self.pick(VIEWS).format(self.pick(self.arrays()) if self.chance(0.5) else f"({part()} + x)")
        if form < 0.95:
            return f"({part()}) @ ({part()})"
        return f"({part()}).astype(np.{self.pick(['float64', 'complex128', 'int64'])})" if self.is_exact else part()

    def expression(self, depth=2):
        for _ in range(50):
            text = self.candidate(depth)
            if self.evaluate(text) is not None:
                return text
        return "x"

    def runs(self, text):
        """Whether a statement runs on the samples and leaves every variable the type that it has; then it is done."""
        after = copy.deepcopy(self.samples)
        try:
            exec(text, {"np": np}, after)
        except Exception:
            return False
        if not all(self.is_known(after[name]) and kind(after[name]) == kind(value) for name, value in self.samples.items()):
            return False
        if not all(self.is_known(value) for value in after.values()):
            return False
        self.samples = after
        return True

    def simple(self):
        """A definition, a store, an operator in place, or a name bound anew."""
        for _ in range(50):
            form = self.random.random()
            if form < 0.35:
                name = f"t{self.n_names + 1}"
                text = f"{name} = {self.expression()}"
            elif form < 0.6:
                text = f"{self.indexed(self.pick(self.arrays()))} = {self.expression()}"
            elif form < 0.8:
                target = self.pick(self.arrays())
                target = target if self.chance(0.4) else self.indexed(target)
                text = f"{target} {self.pick(AUGMENTED if self.is_exact else AUGMENTED[:3])} {self.expression(1)}"
            else:
                name = self.pick(self.arrays())
                text = f"{name} = {self.pick([self.indexed(name), f'{name} + 1', f'{name}[1:]', self.pick(self.arrays())])}"
            if self.is_lossless(text) and self.runs(text):
                self.n_names += form < 0.35
                return [text]
        return ["pass"]

    def is_lossless(self, text):
        """Stores of floats to integers are left out: what NumPy makes of NaN depends on the machine."""
        target, _, source = text.partition(" = ")
        if "[" not in target or not source:
            return True
        value, stored = self.evaluate(source), self.evaluate(target)
        return value is not None and stored is not None and np.can_cast(np.asarray(value).dtype, np.asarray(stored).dtype, "same_kind")

    def block(self, depth, counter=None):
        """Statements of a nested block; what they define is forgotten after it."""
        names = set(self.samples)
        if counter:
            self.samples[counter] = 1
        lines = [line for _ in range(self.random.randint(1, 2)) for line in self.statement(depth - 1)]
        self.samples = {name: value for name, value in self.samples.items() if name in names}
        return [f"    {line}" for line in lines]

    def statement(self, depth=2):
        form = self.random.random()
        if depth == 0 or form < 0.7:
            return self.simple()
        condition = self.pick(["flag", "k > 1", "x.shape[0] > 3", "not flag", "k % 2 == 0 and flag"])
        if form < 0.85:
            lines = [f"if {condition}:", *self.block(depth)]
            return lines + (["else:", *self.block(depth)] if self.chance(0.5) else [])
        counter = f"i{depth}"
        space = self.pick(["3", "k", "x.shape[0]", "1, u.shape[0]", "len(y) - 1, 0, -2"])
        lines = [f"for {counter} in range({space}):", *self.block(depth, counter)]
        return lines + (
            [f"    if {condition} and {counter} > 1:", f"        {self.pick(['break', 'continue'])}"] if self.chance(0.3) else []
        )

    def program(self):
        lines = [line for _ in range(self.random.randrange(5)) for line in self.statement()]
        results = ", ".join(self.expression() for _ in range(self.random.randint(1, 3)))
        types = ", ".join(f"{self.types[name]}[{', '.join(':' * rank)}]" for name, rank in PARAMETERS.items())
        body = "".join(f"    {line}\n" for line in lines)
        signature = f"{', '.join(PARAMETERS)}, k, a, flag"
        return f"import numpy as np\n\n\n#numptx export f({types}, int, float, bool)\ndef f({signature}):\n{body}    return {results}\n"


def kind(value):
    """What has to stay the same about a variable."""
    return (type(value), getattr(value, "dtype", None), np.ndim(value))


def arguments(types, seed):
    """Arrays of the wanted dtypes: of several sizes and layouts, now and then of extent 1, now and then overlapping."""
    generator = np.random.default_rng(seed)
    sizes = [0, 1, 2, 3, 5, 8, 33]
    n, m, depth = (int(generator.choice(sizes)) for _ in range(3))
    if generator.random() < 0.6:
        m = depth = n

    def values(shape, dtype):
        low = 0 if dtype.startswith("u") else -16
        found = generator.integers(0, 2, shape) if dtype == "bool" else generator.integers(low, 48, shape)
        return (found / 8 if dtype.startswith(("float", "complex")) else found).astype(dtype)

    def array(shape, dtype):
        shape = tuple(1 if generator.random() < 0.1 else extent for extent in shape)
        form = generator.random()
        if form < 0.4:
            return values(shape, dtype)
        if form < 0.6:
            return values(shape[::-1], dtype).T
        step = 2 if form < 0.8 else -1
        return values(tuple(extent * abs(step) for extent in shape), dtype)[(slice(None, None, step),) * len(shape)]

    given = {"x": (n,), "y": (n,), "u": (n, m), "v": (n, m), "w": (depth, n, m)}
    given = {name: array(shape, types[name]) for name, shape in given.items()}
    if types["x"] == types["y"] and generator.random() < 0.4:
        whole = values(n + 1, types["x"])
        given.update(x=whole[1:], y=whole[:-1])
    if types["u"] == types["v"] and generator.random() < 0.3:
        given["v"] = given["u"].T if n == m and generator.random() < 0.5 else given["u"][::-1]
    if types["u"] == types["x"] and given["u"].shape[1] and generator.random() < 0.2:
        given["x"] = given["u"][:, 0]
    return (*given.values(), int(generator.integers(-2, 5)), 1.5, bool(generator.integers(0, 2)))
