"""Draws of the crate numptx-random against NumPy's, bit for bit: each method, in each regime of its algorithm, of several bit generators and seeds.

The draws are written by the crate's example `draws`: NUMPTX_DRAWS names it where it is built, else it is built here.
"""

import os
import pathlib
import subprocess

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
KINDS = ["PCG64", "PCG64DXSM", "Philox", "MT19937", "SFC64"]
MANY = 100_000
FEW = 3_000


@pytest.fixture(scope="session")
def draws():
    """Runs tasks, each `KIND SEED CLASS COUNT METHOD ARGUMENT…`, and gives the words of each."""
    program = os.environ.get("NUMPTX_DRAWS")
    if program is None:
        cargo = ["cargo", "build", "--release", "--quiet", "-p", "numptx-random", "--example", "draws"]
        subprocess.run(cargo, cwd=ROOT, check=True)
        program = str(pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release/examples/draws")

    def run(*tasks):
        text = "\n".join(" ".join(map(str, task)) for task in tasks)
        done = subprocess.run([program], input=text.encode(), capture_output=True, check=True)
        words, found = np.frombuffer(done.stdout, np.uint64), []
        while words.size:
            found.append(words[1 : 1 + int(words[0])])
            words = words[1 + int(words[0]) :]
        return found

    return run


def bits(values):
    values = np.asarray(values).reshape(-1)
    if values.dtype == np.float32:
        return values.view(np.uint32).astype(np.uint64)
    return values.view(np.uint64) if values.dtype.itemsize == 8 else values.astype(np.uint64)


def generator(kind, seed):
    return np.random.Generator(getattr(np.random, kind)(seed))


def same(found, expected):
    assert found.shape == expected.shape
    differ = np.flatnonzero(found != expected)
    assert not differ.size, f"{differ.size} of {found.size} differ, the first one at {differ[0]}"


# Method, arguments: each line is a regime of an algorithm, or the edge of one.
CONTINUOUS = [
    ("random", ()),
    ("standard_normal", ()),
    ("standard_exponential", ()),
    ("standard_cauchy", ()),
    *[("standard_gamma", (shape,)) for shape in (0.0, 1e-3, 0.3, 0.999, 1.0, 1.001, 2.5, 1e3, 1e12)],
    *[("gamma", (shape, scale)) for shape, scale in ((0.5, 3.0), (4.0, 0.0), (7.5, 1e-300))],
    ("uniform", (-2.0, 5.0)),
    ("exponential", (3.7,)),
    ("normal", (1.5, 2.25)),
    ("lognormal", (0.5, 1.5)),
    ("laplace", (1.0, 2.0)),
    ("gumbel", (1.0, 2.0)),
    ("logistic", (1.0, 2.0)),
    ("rayleigh", (2.0,)),
    *[("beta", ab) for ab in ((0.5, 0.5), (1.0, 1.0), (2.0, 3.0), (0.2, 5.0), (1e-3, 1e-3), (1e-104, 3e-104), (1e-200, 0.5), (0.004, 0.9))],
    *[("chisquare", (df,)) for df in (0.7, 2.0, 11.0)],
    *[("noncentral_chisquare", pair) for pair in ((0.6, 3.0), (0.6, 40.0), (4.0, 0.0), (4.0, 2.5), (1.0, 7.0))],
    ("f", (3.0, 8.0)),
    ("f", (0.5, 0.25)),
    ("noncentral_f", (3.0, 8.0, 1.5)),
    ("noncentral_f", (0.5, 8.0, 30.0)),
    *[("standard_t", (df,)) for df in (0.8, 2.0, 30.0)],
    *[("vonmises", (mu, kappa)) for mu, kappa in ((0.5, 0.0), (0.5, 1e-9), (0.5, 5e-6), (-2.0, 0.7), (3.0, 80.0), (9.0, 4.0), (1.0, 9e5), (3.1415, 2e6))],
    *[("pareto", (a,)) for a in (0.3, 3.0)],
    *[("weibull", (a,)) for a in (0.0, 0.7, 5.0)],
    *[("power", (a,)) for a in (0.2, 5.0)],
    *[("wald", pair) for pair in ((1.0, 1.0), (50.0, 0.1), (1e-3, 1e3))],
    *[("standard_gamma", (np.nan,)), ("noncentral_chisquare", (0.6, np.nan)), ("noncentral_chisquare", (4.0, np.nan)), ("vonmises", (0.5, np.nan))],
    *[("triangular", three) for three in ((-3.0, 0.0, 8.0), (0.0, 0.0, 1.0), (0.0, 1.0, 1.0))],
]
COUNTS = [
    *[("poisson", (lam,)) for lam in (0.0, 1e-5, 0.7, 9.99, 10.0, 33.3, 1e4, 1e15)],
    *[("binomial", np_) for np_ in ((0, 0.5), (10, 0.0), (10, 1.0), (10, 0.3), (40, 0.9), (100, 0.5), (60, 0.5), (61, 0.5), (1000, 0.29), (5000, 0.97), (10**9, 0.4), (10**15, 1e-9), (10**12, 1e-13))],
    *[("negative_binomial", pair) for pair in ((3.0, 0.4), (0.3, 0.9), (1e4, 0.01))],
    *[("geometric", (p,)) for p in (1.0, 0.9, 0.3333333333333333, 0.33, 0.01, 1e-9)],
    *[("zipf", (a,)) for a in (1.05, 1.5, 4.0, 40.0)],
    *[("logseries", (p,)) for p in (0.0, 1e-3, 0.5, 0.999)],
    *[("hypergeometric", three) for three in ((15, 15, 5), (15, 15, 15), (100, 3, 60), (3, 100, 60), (5000, 9000, 400), (9000, 5000, 13990), (900, 50, 941), (6, 4, 10), (10**6, 2 * 10**6, 5 * 10**5), (4, 9, 10), (20, 20, 11))],
]
SINGLE = [
    ("random", (), {}, "random_f32"),
    ("standard_normal", (), {}, "standard_normal_f32"),
    ("standard_exponential", (), {}, "standard_exponential_f32"),
    ("standard_exponential", (), {"method": "inv"}, "standard_exponential_inv_f32"),
    *[("standard_gamma", (np.float32(shape),), {}, "standard_gamma_f32") for shape in (0.0, 0.3, 1.0, 2.5, 1e3)],
]


def given(method, arguments):
    """The arguments as the crate takes them: `uniform` has the range in the place of the upper end."""
    return (arguments[0], arguments[1] - arguments[0]) if method == "uniform" else arguments


def name(case):
    return case[0] + "".join(f"-{float(a):g}" for a in case[1])


@pytest.mark.parametrize("case", CONTINUOUS + COUNTS, ids=name)
def test_many_draws_of_each_class(draws, case):
    method, arguments = case
    own = [method, *given(method, arguments)]
    own = draws(("PCG64", 2026, "new", MANY, *own), ("RandomState", 77, "legacy", MANY, *own))
    same(own[0], bits(getattr(generator("PCG64", 2026), method)(*arguments, size=MANY)))
    same(own[1], bits(getattr(np.random.RandomState(77), method)(*arguments, size=MANY)))


@pytest.mark.parametrize("kind", KINDS)
def test_few_draws_of_each_bit_generator(draws, kind):
    cases = CONTINUOUS + COUNTS
    tasks = [(kind, 5 + n, "new", FEW, method, *given(method, arguments)) for n, (method, arguments) in enumerate(cases)]
    for n, (words, (method, arguments)) in enumerate(zip(draws(*tasks), cases, strict=True)):
        same(words, bits(getattr(generator(kind, 5 + n), method)(*arguments, size=FEW)))


@pytest.mark.parametrize("kind", ["PCG64", "Philox", "SFC64"])
def test_few_legacy_draws_of_newer_bit_generators(draws, kind):
    cases = CONTINUOUS + COUNTS
    tasks = [(kind, 9, "legacy", FEW, method, *given(method, arguments)) for method, arguments in cases]
    for words, (method, arguments) in zip(draws(*tasks), cases, strict=True):
        state = np.random.RandomState(getattr(np.random, kind)(9))
        same(words, bits(getattr(state, method)(*arguments, size=FEW)))


@pytest.mark.parametrize("case", SINGLE, ids=lambda case: case[3] + "".join(f"-{a:g}" for a in case[1]))
@pytest.mark.parametrize("kind", ["PCG64", "MT19937"])
def test_float32(draws, kind, case):
    method, arguments, keywords, own = case
    (words,) = draws((kind, 3, "new", MANY, own, *arguments))
    same(words, bits(getattr(generator(kind, 3), method)(*arguments, size=MANY, dtype=np.float32, **keywords)))


def test_inverse_exponential(draws):
    (words,) = draws(("PCG64", 3, "new", MANY, "standard_exponential_inv"))
    same(words, bits(generator("PCG64", 3).standard_exponential(MANY, method="inv")))


def test_ints_of_the_legacy_class(draws):
    (words,) = draws(("RandomState", 3, "legacy", MANY, "tomaxint"))
    same(words, bits(np.random.RandomState(3).tomaxint(MANY)))


SEEDS = ["0", "1", "42", "4294967295", "4294967296", "18446744073709551615", "1,2,3", "1,2,3,4,5,6,7", "5,4294967296,0"]


@pytest.mark.parametrize("kind", KINDS)
def test_bits_of_seeds(draws, kind):
    paths = ["", "/0", "/3", "/0/2"]
    names = [seed + path for seed in SEEDS for path in paths]
    tasks = [(kind, text, "new", 1000, method) for text in names for method in ("raw", "raw32", "generate_state")]
    found = iter(draws(*tasks))
    for text in names:
        sequence = seed_sequence(text)
        bit_generator = getattr(np.random, kind)
        same(next(found), bits(bit_generator(sequence).random_raw(1000)))
        words = np.random.Generator(bit_generator(sequence)).integers(0, 2**32, 1000, np.uint32)
        same(next(found), bits(words))
        same(next(found), sequence.generate_state(1000, np.uint64))


def seed_sequence(text):
    entropy, *path = text.split("/")
    entropy = [int(word) for word in entropy.split(",")]
    sequence = np.random.SeedSequence(entropy if len(entropy) > 1 else entropy[0])
    for child in map(int, path):
        sequence = sequence.spawn(child + 1)[child]
    return sequence


@pytest.mark.parametrize("seed", [0, 1, 4294967295, [1, 2, 3], [7], list(range(700))], ids=str)
def test_legacy_seeds(draws, seed):
    text = ",".join(map(str, seed)) if isinstance(seed, list) else seed
    if isinstance(seed, list) and len(seed) == 1:
        text = f"{seed[0]},"
    words, normals = draws(("RandomState", text, "legacy", 2000, "raw"), ("RandomState", text, "legacy", 2000, "standard_normal"))
    same(words, bits(np.random.RandomState(seed)._bit_generator.random_raw(2000)))
    same(normals, bits(np.random.RandomState(seed).standard_normal(2000)))


@pytest.mark.parametrize("kind", ["PCG64", "PCG64DXSM", "Philox", "MT19937"])
@pytest.mark.parametrize("jumps", [0, 1, 2])
def test_jumps(draws, kind, jumps):
    (words,) = draws((kind, 6, "new", 1500, "jumped", jumps))
    same(words, bits(getattr(np.random, kind)(6).jumped(jumps).random_raw(1500)))


@pytest.mark.parametrize("kind", ["PCG64", "PCG64DXSM", "Philox"])
@pytest.mark.parametrize("steps", [0, 1, 3, 1000, 2**40 + 5, -1, -1000])
def test_advances(draws, kind, steps):
    (words,) = draws((kind, 6, "new", 100, "advance", steps))
    same(words, bits(getattr(np.random, kind)(6).advance(steps).random_raw(100)))


WIDTHS = [("bool", [1]), ("uint8", [1, 6, 100, 254, 255]), ("uint16", [1, 300, 65534, 65535]), ("uint32", [1, 99, 2**31, 2**32 - 2, 2**32 - 1]),
          ("uint64", [1, 99, 2**32 - 2, 2**32 - 1, 2**32, 2**63, 2**64 - 2, 2**64 - 1])]


@pytest.mark.parametrize("kind", ["PCG64", "MT19937"])
@pytest.mark.parametrize("width", range(5), ids=lambda width: WIDTHS[width][0])
def test_integers(draws, kind, width):
    dtype, ranges = WIDTHS[width]
    tasks = [(kind, 4, style, FEW, "bounded", width, 0, largest) for style in ("new", "legacy") for largest in ranges]
    found = iter(draws(*tasks))
    for style in ("new", "legacy"):
        for largest in ranges:
            if style == "new":
                expected = generator(kind, 4).integers(0, largest, FEW, dtype, endpoint=True)
            else:
                state = np.random.RandomState(getattr(np.random, kind)(4))
                expected = state.randint(0, largest + 1, FEW, dtype)
            same(next(found), bits(expected))


def test_integers_of_signed_ranges(draws):
    (words,) = draws(("PCG64", 4, "new", FEW, "bounded", 1, -100, 180))
    same(words, bits(generator("PCG64", 4).integers(-100, 80, FEW, np.int8, endpoint=True).view(np.uint8)))


@pytest.mark.parametrize("style", ["new", "legacy"])
@pytest.mark.parametrize("case", [(20, 0.1, 0.2, 0.7), (1000, 0.25, 0.25, 0.5), (5, 1.0, 0.0), (7, 0.3, 0.3, 0.3, 0.1, 0.0), (10**6, 0.5, 0.5)], ids=str)
def test_multinomial(draws, style, case):
    n, *pvals = case
    (words,) = draws(("MT19937", 8, style, FEW, "multinomial", n, *pvals))
    source = np.random.MT19937(8)
    of = np.random.Generator(source) if style == "new" else np.random.RandomState(source)
    same(words, bits(of.multinomial(n, pvals, FEW)))


@pytest.mark.parametrize("method", ["marginals", "count"])
@pytest.mark.parametrize("case", [(12, 5, 20, 8), (30, 5, 20, 8), (0, 3, 4), (7, 7), (400, 500, 0, 900)], ids=str)
def test_multivariate_hypergeometric(draws, method, case):
    sample, *colors = case
    (words,) = draws(("PCG64", 8, "new", FEW, method, sample, *colors))
    same(words, bits(generator("PCG64", 8).multivariate_hypergeometric(colors, sample, FEW, method=method)))


@pytest.mark.parametrize("style", ["new", "legacy"])
@pytest.mark.parametrize("alpha", [(1.0, 2.0, 3.0), (0.05, 0.09, 0.01), (1e-5, 1e-4, 1e-6), (0.5,), (0.02,), (30.0, 0.2)], ids=str)
def test_dirichlet(draws, style, alpha):
    (words,) = draws(("MT19937", 8, style, FEW, "dirichlet", *alpha))
    source = np.random.MT19937(8)
    of = np.random.Generator(source) if style == "new" else np.random.RandomState(source)
    same(words, bits(of.dirichlet(alpha, FEW)))


@pytest.mark.parametrize("kind", KINDS)
def test_permutations(draws, kind):
    sizes = [0, 1, 2, 17, 5000]
    for size, words in zip(sizes, draws(*[(kind, 2, "new", size, "shuffle") for size in sizes]), strict=True):
        same(words, bits(generator(kind, 2).permutation(size)))


@pytest.mark.parametrize("shuffle", [True, False])
@pytest.mark.parametrize("sizes", [(10, 10), (10, 0), (1, 1), (50, 3), (10_000, 5000), (10_001, 150), (20_000, 401), (20_000, 900), (20_000, 1001), (10_001, 10_001), (10**12, 50)], ids=str)
def test_samples(draws, sizes, shuffle):
    population, count = sizes
    (words,) = draws(("PCG64", 2, "new", count, "sample", population, int(shuffle)))
    same(words, bits(generator("PCG64", 2).choice(population, count, replace=False, shuffle=shuffle)))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("style", ["new", "legacy"])
def test_states_go_on_where_they_were_stored(draws, kind, style):
    """Between draws of 32 bits and normal draws, so that half words, kept normals and places in buffers are part of the state."""
    (words,) = draws((kind, 1, style, 1000, "stored"))
    source = getattr(np.random, kind)(1)
    ints, floats = np.random.Generator(source), np.random.Generator(source) if style == "new" else np.random.RandomState(source)
    expected = [(int(ints.integers(0, 2**32, dtype=np.uint32)), float(floats.standard_normal())) for _ in range(1000)]
    same(words.reshape(-1, 2)[:, 0], np.array([pair[0] for pair in expected], np.uint64))
    same(words.reshape(-1, 2)[:, 1], bits(np.array([pair[1] for pair in expected])))
