"""Windows, convolutions and filters: NumPy's beside NumPy, SciPy's beside sums written out, and beside SciPy where it is installed."""

import itertools

import numpy as np
import pytest

import as_numpy
import comparison
import compilation

NUMPYS = """
import numpy as np


#numptx export windows(int, float)
#numptx export windows(float, float)
def windows(n, beta):
    return np.hanning(n), np.hamming(n), np.blackman(n), np.bartlett(n), np.kaiser(n, beta)


#numptx export bessel(float64[:,:])
#numptx export bessel(float32[:,:])
#numptx export bessel(int64[:,:])
def bessel(x):
    return np.i0(x), np.i0(3.0)


#numptx export products(float64[:], float64[:])
#numptx export products(float32[:], float64[:])
#numptx export products(int8[:], int8[:])
#numptx export products(bool[:], bool[:])
#numptx export products(complex128[:], float64[:])
#numptx export products(float64[:], complex128[:])
def products(a, v):
    full, same, valid = np.convolve(a, v), np.convolve(a, v, "same"), np.convolve(a, v, mode="valid")
    return full, same, valid, np.correlate(a, v), np.correlate(a, v, "same"), np.correlate(a, v, "full"), np.convolve(a, 3)
"""

SCIPYS = """
import numpy as np
import scipy.ndimage
from scipy import signal


#numptx export filtered(float64[:], float64[:], float64[:,:])
#numptx export filtered(float64[:], float64[:], float32[:,:])
#numptx export filtered(complex128[:], float64[:], float64[:,:])
def filtered(b, a, x):
    return signal.lfilter(b, a, x), signal.lfilter(b, a, x, 0), signal.lfilter(b, a, x[0])


#numptx export filtered_on(float64[:], float64[:], float64[:,:], float64[:,:])
def filtered_on(b, a, x, z):
    return signal.lfilter(b, a, x, zi=z)


#numptx export convolved(float64[:,:], float64[:,:])
#numptx export convolved(float32[:,:], float32[:,:])
#numptx export convolved(int64[:,:], int64[:,:])
#numptx export convolved(complex128[:,:], float64[:,:])
def convolved(x, v):
    direct = signal.convolve(x, v, method="direct"), signal.convolve(x, v, "same", "direct"), signal.convolve(x, v, "valid", "direct")
    return direct, signal.convolve(x, v), signal.convolve(x, v, "same", "fft"), signal.fftconvolve(x, v), signal.fftconvolve(x, v, "same"), signal.fftconvolve(x, v, "valid")


""" + "".join(
    f"""
#numptx export filters_{mode.replace("-", "_")}(float64[:,:], float64[:,:])
#numptx export filters_{mode.replace("-", "_")}(int32[:,:], float64[:,:])
def filters_{mode.replace("-", "_")}(x, w):
    mode = "{mode}"
    return (
        scipy.ndimage.correlate(x, w, mode=mode, cval=1.5),
        scipy.ndimage.convolve(x, w, mode=mode, cval=1.5),
        scipy.ndimage.gaussian_filter(x, 1.25, mode=mode, cval=1.5),
        scipy.ndimage.uniform_filter(x, 3, mode=mode, cval=1.5),
        scipy.ndimage.median_filter(x, 3, mode=mode, cval=1.5),
    )
"""
    for mode in ("reflect", "constant", "nearest", "mirror", "wrap", "grid-wrap")
) + """

#numptx export keywords(float64[:,:], float64[:,:], float64[:,:])
def keywords(x, w, out):
    scipy.ndimage.correlate(x, w, out, origin=(0, -1))
    bells = scipy.ndimage.gaussian_filter(x, (1.0, 0.0), (1, 0), mode=("wrap", "nearest")), scipy.ndimage.gaussian_filter(x, 2.0, radius=2, output=np.float32)
    means = scipy.ndimage.uniform_filter(x, (2, 3), origin=(0, -1)), scipy.ndimage.uniform_filter(x, 4, mode="nearest")
    medians = scipy.ndimage.median_filter(x, footprint=w > 0), scipy.ndimage.median_filter(x, (2, 5), mode="wrap"), scipy.ndimage.median_filter(x[0], 3)
    return bells, means, medians, scipy.ndimage.convolve(x[0], w[0], origin=1), scipy.ndimage.gaussian_filter(x, 0.5, order=2, truncate=3.0)


#numptx export along_axes(float64[:,:], float64[:])
def along_axes(x, w):
    sums = scipy.ndimage.correlate1d(x, w), scipy.ndimage.convolve1d(x, w, axis=0, mode="wrap"), scipy.ndimage.correlate1d(x, w, origin=-1)
    bells = scipy.ndimage.gaussian_filter1d(x, 1.25, 0), scipy.ndimage.gaussian_filter1d(x, 2.0, order=1, radius=3), scipy.ndimage.uniform_filter1d(x, 3)
    return sums, bells, scipy.ndimage.maximum_filter(x, 3), scipy.ndimage.minimum_filter(x, (1, 4), mode="nearest"), signal.correlate(x, x[:3, :2]), signal.correlate(x[:2, :3], x, "valid")


#numptx export misplaced(float64[:,:], float64[:,:])
def misplaced(x, w):
    return scipy.ndimage.correlate(x, w, origin=2)
"""

MODES = {"reflect": "symmetric", "constant": "constant", "nearest": "edge", "mirror": "reflect", "wrap": "wrap", "grid-wrap": "wrap"}


def reals(*shape, seed=1):
    return np.random.default_rng(seed).standard_normal(shape)


def cases():
    for n in (0, 1, 2, 9, 12, -3, 4.5):
        yield "windows", lambda n=n: (n, 8.6)
    yield "windows", lambda: (7, 0.0)
    for x in (12 * reals(3, 4), 12 * reals(3, 4).astype(np.float32), np.arange(12).reshape(3, 4), np.array([[0.0, -0.0, np.inf, np.nan, 800.0, 8.0]])):
        yield "bessel", lambda x=x: (x,)
    for n, m in ((9, 4), (4, 9), (5, 5), (1, 3), (6, 1), (0, 2), (2, 0), (80, 40)):
        yield "products", lambda n=n, m=m: (reals(n), reals(m, seed=2))
        yield "products", lambda n=n, m=m: (reals(n).astype(np.float32), reals(m, seed=2))
        yield "products", lambda n=n, m=m: ((99 * reals(n)).astype(np.int8), (99 * reals(m, seed=2)).astype(np.int8))
        yield "products", lambda n=n, m=m: (reals(n) > 0, reals(m, seed=2) > 0)
        yield "products", lambda n=n, m=m: (reals(n) * (1 + 2j), reals(m, seed=2))
        yield "products", lambda n=n, m=m: (reals(n), reals(m, seed=2) * (1 + 2j))


CASES = list(cases())


@pytest.mark.parametrize("k", range(len(CASES)), ids=lambda k: f"{CASES[k][0]}-{k}")
def test_as_numpy(k, workshop):
    # NumPy's `i0` of single numbers has an error of some units.
    name = CASES[k][0]
    as_numpy.compare(*workshop.pair(NUMPYS, "signals"), *CASES[k], 4e-6 if name == "bessel" else None, layout=name != "products")


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    path = tmp_path_factory.mktemp("scipy") / "filters_of_scipy.py"
    path.write_text(SCIPYS)
    return compilation.load_compiled(compilation.compile_file(path, path.parent))


@pytest.fixture(scope="module")
def plain():
    pytest.importorskip("scipy.ndimage")
    scope = {}
    exec(SCIPYS, scope)
    return scope


def is_single(x):
    return any(map(is_single, x)) if isinstance(x, tuple) else x.dtype == np.float32


def close(found, expected):
    comparison.assert_same(found, expected, tolerance=1e-5 if is_single(expected) else 1e-9, layout=False)


FILTERS = [([1.0, 2.0, 3.0], [1.0, 0.5, -0.2]), ([2.0, 1.0], [2.0]), ([1.0], [1.0, -0.9]), ([0.1, 0.2], [4.0, -0.5, 0.1, 0.05]), ([1.0 + 2.0j], [1.0, 0.5])]


def by_definition(b, a, x):
    """Along the last axis."""
    y = np.zeros(x.shape, np.result_type(b, a, x))
    for t in range(x.shape[-1]):
        past = sum(b[k] * x[..., t - k] for k in range(min(len(b), t + 1))) - sum(a[k] * y[..., t - k] for k in range(1, min(len(a), t + 1)))
        y[..., t] = past / a[0]
    return y


@pytest.mark.parametrize("b, a", FILTERS)
def test_filters_follow_their_definition(compiled, b, a):
    b, a, x = np.array(b), np.array(a), reals(4, 30)
    close(compiled.filtered(b, a, x), (by_definition(b, a, x), by_definition(b, a, x.T).T, by_definition(b, a, x[0])))


@pytest.mark.parametrize("b, a", FILTERS[:4])
@pytest.mark.parametrize("cut", [1, 2, 10])
def test_a_filter_goes_on_where_it_stopped(compiled, b, a, cut):
    b, a, x = np.array(b), np.array(a), reals(2, 30)
    rest = np.zeros((2, max(len(a), len(b)) - 1))
    first, rest = compiled.filtered_on(b, a, x[:, :cut], rest)
    second, _ = compiled.filtered_on(b, a, x[:, cut:], rest)
    close(np.concatenate((first, second), axis=1), by_definition(b, a, x))


def all_sums(x, v):
    y = np.zeros(tuple(n + m - 1 for n, m in zip(x.shape, v.shape)), np.result_type(x, v))
    for place in np.ndindex(v.shape):
        y[tuple(slice(p, p + n) for p, n in zip(place, x.shape))] += v[place] * x
    return y


PAIRS = [
    (reals(7, 8), reals(3, 2)), (reals(3, 2), reals(7, 8)), (reals(40, 41), reals(20, 17, seed=2)), (reals(7, 8) * (1 + 2j), reals(4, 5)),
    (reals(7, 8).astype(np.float32), reals(3, 3).astype(np.float32)), ((9 * reals(7, 8)).astype(int), (9 * reals(2, 3)).astype(int)),
]  # fmt: skip


@pytest.mark.parametrize("k", range(len(PAIRS)))
def test_convolutions_are_sums_of_products(compiled, k):
    x, v = PAIRS[k]
    full = all_sums(x, v)
    same = full[tuple(slice((m - 1) // 2, (m - 1) // 2 + n) for n, m in zip(x.shape, v.shape))]
    valid = full[tuple(slice(min(n, m) - 1, max(n, m)) for n, m in zip(x.shape, v.shape))]
    floats = [y.astype(np.float64) if y.dtype.kind == "i" else y for y in (full, same, valid)]
    close(compiled.convolved(x, v), ((full, same, valid), full, same, *floats))


def test_valid_takes_arrays_of_which_one_holds_the_other(compiled):
    with pytest.raises(ValueError, match="one must be at least as large as the other in every dimension"):
        compiled.convolved(reals(3, 9), reals(4, 5))


def neighbours(x, shape, mode, origin=(0, 0)):
    """The windows around each element, along new last axes."""
    width = [(n // 2 + o, n - 1 - n // 2 - o) for n, o in zip(shape, origin)]
    options = {"constant_values": 1.5} if mode == "constant" else {}
    return np.lib.stride_tricks.sliding_window_view(np.pad(x, width, mode=MODES[mode], **options), shape)


def bell(sigma, order=0, reach=None):
    r = np.arange(-(reach or int(4 * sigma + 0.5)), (reach or int(4 * sigma + 0.5)) + 1)
    curve = np.exp(-0.5 * r**2 / sigma**2)
    curve /= curve.sum()
    return curve * {0: 1, 1: -r / sigma**2, 2: r**2 / sigma**4 - 1 / sigma**2}[order]


def along(x, axis, w, mode):
    shape = [1, 1]
    shape[axis] = len(w)
    return (neighbours(x.astype(float), tuple(shape), mode) * np.reshape(w, shape)).sum((-2, -1)).astype(x.dtype)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("x", [reals(7, 9), (30 * reals(8, 7)).astype(np.int32)], ids=["floats", "ints"])
def test_filters_of_images_follow_their_definition(compiled, mode, x):
    for w in (reals(3, 3, seed=2), reals(2, 3, seed=2)):
        sums = lambda w, origin: (neighbours(x.astype(float), w.shape, mode, origin) * w).sum((-2, -1)).astype(x.dtype)  # noqa: E731
        turned = tuple(n % 2 - 1 for n in w.shape)
        three = np.ones(3) / 3
        if x.dtype.kind == "i":
            means = (neighbours((neighbours(x, (3, 1), mode).sum((-2, -1)) / 3).astype(x.dtype), (1, 3), mode).sum((-2, -1)) / 3).astype(x.dtype)
        else:
            means = along(along(x, 0, three, mode), 1, three, mode)
        if x.dtype.kind == "i" and mode == "constant":
            continue
        expected = sums(w, (0, 0)), sums(w[::-1, ::-1], turned), along(along(x, 0, bell(1.25), mode), 1, bell(1.25), mode), means
        medians = np.sort(neighbours(x, (3, 3), mode).reshape(*x.shape, 9))[..., 4]
        close(getattr(compiled, f"filters_{mode.replace('-', '_')}")(x, w), (*expected, medians))


def test_keywords_of_filters(compiled):
    x, w, out = reals(6, 8), np.array([[1.0, -1.0, 2.0], [0.5, -2.0, 1.0], [0.0, 3.0, 1.0]]), np.zeros((6, 8))
    bells, means, medians, line, second = compiled.keywords(x, w, out)
    close(out, (neighbours(x, (3, 3), "reflect", (0, -1)) * w).sum((-2, -1)))
    close(bells[0], along(x, 0, bell(1.0, 1)[::-1], "wrap"))
    five = np.float32
    close(bells[1], along(along(x.astype(five), 0, bell(2.0, 0, 2), "reflect"), 1, bell(2.0, 0, 2), "reflect"))
    close(means[0], neighbours(neighbours(x, (2, 1), "reflect").mean((-2, -1)), (1, 3), "reflect", (0, -1)).mean((-2, -1)))
    close(means[1], neighbours(x, (4, 4), "nearest").mean((-2, -1)))
    chosen = neighbours(x, (3, 3), "reflect")[:, :, w > 0]
    close(medians[0], np.sort(chosen)[..., chosen.shape[-1] // 2])
    close(medians[1], np.sort(neighbours(x, (2, 5), "wrap").reshape(6, 8, 10))[..., 5])
    close(medians[2], np.sort(neighbours(x[:1], (1, 3), "reflect").reshape(8, 3))[..., 1])
    close(line, (neighbours(x[:1], (1, 3), "reflect", (0, -1)) * w[0, ::-1]).sum((-2, -1))[0])
    close(second, along(along(x, 0, bell(0.5, 2, 2), "reflect"), 1, bell(0.5, 2, 2), "reflect"))


def test_filters_along_axes(compiled):
    x, w = reals(6, 8), reals(4, seed=2)
    sums, bells, largest, least, full, valid = compiled.along_axes(x, w)
    close(sums[0], (neighbours(x, (1, 4), "reflect") * w).sum((-2, -1)))
    close(sums[1], (neighbours(x, (4, 1), "wrap", (-1, 0)) * w[::-1, None]).sum((-2, -1)))
    close(sums[2], (neighbours(x, (1, 4), "reflect", (0, -1)) * w).sum((-2, -1)))
    close(bells, (along(x, 0, bell(1.25), "reflect"), along(x, 1, bell(2.0, 1, 3)[::-1], "reflect"), neighbours(x, (1, 3), "reflect").mean((-2, -1))))
    close(largest, neighbours(x, (3, 3), "reflect").max((-2, -1)))
    close(least, neighbours(x, (1, 4), "nearest").min((-2, -1)))
    close(full, all_sums(x, x[2::-1, 1::-1]))
    close(valid, all_sums(x[:2, :3], x[::-1, ::-1])[1:6, 2:8])


def test_an_origin_beyond_the_window_raises(compiled):
    with pytest.raises(ValueError, match="Invalid origin"):
        compiled.misplaced(reals(4, 4), reals(3, 3))


def test_scipy_gives_the_same(compiled, plain):
    for b, a in FILTERS:
        arguments = np.array(b), np.array(a), reals(4, 30)
        close(compiled.filtered(*arguments), plain["filtered"](*arguments))
    for x, v in PAIRS:
        close(compiled.convolved(x, v), plain["convolved"](x, v))
    for mode, x in itertools.product(MODES, (reals(7, 9), (30 * reals(8, 7)).astype(np.int32))):
        name = f"filters_{mode.replace('-', '_')}"
        close(getattr(compiled, name)(x, reals(3, 2)), plain[name](x, reals(3, 2)))
    close(compiled.along_axes(reals(6, 8), reals(4, seed=2)), plain["along_axes"](reals(6, 8), reals(4, seed=2)))
    w = np.array([[1.0, -1.0, 2.0], [0.5, -2.0, 1.0], [0.0, 3.0, 1.0]])
    close(compiled.keywords(reals(6, 8), w, np.zeros((6, 8))), plain["keywords"](reals(6, 8), w, np.zeros((6, 8))))
