"""Functions of SciPy that are compiled: beside SciPy where it is installed, and by what they compute where it is not."""

import numpy as np
import pytest

import comparison
import compilation

DTYPES = ["float32", "float64", "complex64", "complex128"]
SOURCE = (
    """
import numpy as np
import scipy.linalg
from scipy import fft
from scipy.linalg import cho_factor, cho_solve, lu_factor, lu_solve, solve_triangular
"""
    + "".join(
        f"""
#numptx export triangular({t}[:,:], {t}[:])
#numptx export triangular({t}[:,:], {t}[:,:])
#numptx export triangular({t}[:,:,:], {t}[:,:,:])
#numptx export positive({t}[:,:], {t}[:,:], {t}[:])
#numptx export positive({t}[:,:,:], {t}[:,:,:], {t}[:])
#numptx export general({t}[:,:], {t}[:,:], {t}[:])
#numptx export transforms({t}[:,:])
"""
        for t in DTYPES
    )
    + """
def triangular(a, b):
    upper = scipy.linalg.solve_triangular(a, b), solve_triangular(a, b, trans=1), solve_triangular(a, b, "C"), solve_triangular(a, b, unit_diagonal=True)
    return upper, solve_triangular(a, b, lower=True), solve_triangular(a, b, trans="T", lower=True, unit_diagonal=True, overwrite_b=False)

def positive(a, b, x):
    lower, upper = cho_factor(a, lower=True), cho_factor(a, check_finite=False)
    return np.tril(lower[0]), np.triu(upper[0]), bool(lower[1]), bool(upper[1]), cho_solve(lower, b), cho_solve(upper, b), cho_solve(lower, x)

def general(a, b, x):
    factors = lu_factor(a)
    lu, pivots = factors
    return lu, pivots, lu_solve(factors, b), lu_solve((lu, pivots), x), lu_solve(factors, b, 1), lu_solve(factors, x, trans=2)

def transforms(x):
    return fft.fft(x), fft.ifft(x, 7, 0, "ortho"), fft.fft2(x), fft.ifft2(x, (4, 5)), fft.fftn(x, axes=(0,)), fft.ifftn(x, workers=2), fft.hfft(x), fft.irfft(x, 6), fft.irfft2(x), fft.irfftn(x)

#numptx export solved(float64[:,:], int64[:], float64[:])
def solved(lu, pivots, b):
    return lu_solve((lu, pivots), b)

#numptx export halves(float32[:,:])
#numptx export halves(float64[:,:])
#numptx export halves(int64[:,:])
def halves(x):
    return fft.rfft(x), fft.ihfft(x), fft.rfft2(x, norm="forward"), fft.rfftn(x, overwrite_x=True)
"""
)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    path = tmp_path_factory.mktemp("scipy") / "of_scipy.py"
    path.write_text(SOURCE)
    return compilation.load_compiled(compilation.compile_file(path, path.parent))


@pytest.fixture(scope="module")
def plain():
    pytest.importorskip("scipy")
    scope = {}
    exec(SOURCE, scope)
    return scope


def numbers(shape, dtype, seed=0):
    """Far from singular where it is a matrix."""
    random = np.random.default_rng(seed)
    x = random.random(shape) + (1j * random.random(shape) if np.dtype(dtype).kind == "c" else 0)
    if len(shape) > 1 and shape[-1] == shape[-2]:
        x = x + shape[-1] * np.eye(shape[-1])
    return x.astype(dtype)


def close(found, expected, dtype):
    comparison.assert_same(found, expected, tolerance=1e-3 if np.dtype(dtype).itemsize in (4, 8) and dtype in ("float32", "complex64") else 1e-9, layout=False)


SHAPES = [((5, 5), (5,)), ((5, 5), (5, 3)), ((2, 4, 4), (2, 4, 3)), ((0, 0), (0,)), ((3, 3), (3, 0))]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shapes", SHAPES, ids=str)
def test_triangular_systems(compiled, dtype, shapes):
    a, b = numbers(shapes[0], dtype), numbers(shapes[1], dtype, 1)
    upper, lower = np.triu(a), np.tril(a)
    ones = np.eye(a.shape[-1], dtype=dtype)
    unit = lambda x, k: np.triu(x, 1) + ones if k > 0 else np.tril(x, -1) + ones  # noqa: E731
    wanted = [upper, upper.mT, upper.mT.conj(), unit(a, 1)], [lower, unit(a, -1).mT]
    solve = lambda m: np.linalg.solve(m, b)  # noqa: E731
    found = compiled.triangular(a, b)
    close(found, (tuple(map(solve, wanted[0])), *map(solve, wanted[1])), dtype)


@pytest.mark.parametrize("row", [-1, 3, 2**31, 2**62, -(2**63)])
def test_exchanges_with_rows_that_are_not_there_are_refused(compiled, row):
    lu, b = numbers((3, 3), "float64"), np.ones(3)
    close(compiled.solved(lu, np.arange(3), b), np.linalg.solve((np.tril(lu, -1) + np.eye(3)) @ np.triu(lu), b), "float64")
    with pytest.raises(ValueError, match="must name rows of the factors"):
        compiled.solved(lu, np.array([0, row, 2]), b)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [1, 5, 40])
def test_positive_systems(compiled, dtype, n):
    x = numbers((n, n), dtype)
    a, b, v = x @ x.mT.conj(), numbers((n, 3), dtype, 1), numbers((n,), dtype, 2)
    lower = np.linalg.cholesky(a)
    solutions = np.linalg.solve(a, b), np.linalg.solve(a, b), np.linalg.solve(a, v)
    close(compiled.positive(a, b, v), (lower, lower.mT.conj(), True, False, *solutions), dtype)
    stacks = np.stack((a, a + np.eye(n, dtype=dtype)))
    found = compiled.positive(stacks, np.stack((b, b)), v)
    close(found[4][1], np.linalg.solve(stacks[1], b), dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [1, 5, 40])
def test_general_systems(compiled, dtype, n):
    a, b, x = numbers((n, n), dtype)[::-1], numbers((n, 3), dtype, 1), numbers((n,), dtype, 2)
    lu, pivots, *solutions = compiled.general(a, b, x)
    assert pivots.dtype == np.int32
    rows = np.arange(n)
    for k, p in enumerate(pivots):
        rows[[k, p]] = rows[[p, k]]
    close((np.tril(lu, -1) + np.eye(n, dtype=dtype)) @ np.triu(lu), a[rows], dtype)
    solve = np.linalg.solve
    close(tuple(solutions), (solve(a, b), solve(a, x), solve(a.T, b), solve(a.T.conj(), x)), dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_transforms(compiled, dtype):
    x, fft = numbers((4, 6), dtype), np.fft
    wanted = fft.fft(x), fft.ifft(x, 7, 0, "ortho"), fft.fft2(x), fft.ifft2(x, (4, 5)), fft.fftn(x, axes=(0,)), fft.ifftn(x), fft.hfft(x), fft.irfft(x, 6)
    close(compiled.transforms(x), (*wanted, fft.irfft2(x), fft.irfftn(x)), dtype)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
def test_halves(compiled, dtype):
    x, fft = (9 * numbers((4, 7), "float64")).astype(dtype), np.fft
    close(compiled.halves(x), (fft.rfft(x), fft.ihfft(x), fft.rfft2(x, norm="forward"), fft.rfftn(x)), dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_scipy_gives_the_same(compiled, plain, dtype):
    a, b, x = numbers((5, 5), dtype), numbers((5, 3), dtype, 1), numbers((5,), dtype, 2)
    hermitian = a @ a.mT.conj()
    for name, arguments in [("triangular", (a, b)), ("triangular", (a, x)), ("positive", (hermitian, b, x)), ("general", (a, b, x)), ("transforms", (b,))]:
        close(getattr(compiled, name)(*arguments), plain[name](*arguments), dtype)
    if dtype.startswith("float"):
        close(compiled.halves(b), plain["halves"](b), dtype)


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except Exception as error:
        return error


WRONG = {
    "singular": ("triangular", np.diag([1.0, 0.0, 2.0]), np.ones(3)),
    "not square": ("triangular", np.ones((3, 2)), np.ones(3)),
    "of other lengths": ("triangular", np.eye(3), np.ones(4)),
    "no number": ("triangular", np.full((3, 3), np.nan), np.ones(3)),
    "not positive": ("positive", -np.eye(3), np.eye(3), np.ones(3)),
    "infinite": ("general", np.full((3, 3), np.inf), np.eye(3), np.ones(3)),
    "right sides of other lengths": ("general", np.eye(3), np.ones((4, 2)), np.ones(3)),
}


@pytest.mark.parametrize("name", WRONG)
def test_exceptions_are_scipys(compiled, name, request):
    function, *arguments = WRONG[name]
    raised = outcome(getattr(compiled, function), *arguments)
    is_of_algebra = name in ("singular", "not positive")
    assert type(raised) is (np.linalg.LinAlgError if is_of_algebra else ValueError)
    expected = outcome(request.getfixturevalue("plain")[function], *arguments)
    assert type(raised) is type(expected)
