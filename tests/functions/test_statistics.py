"""Statistics: keywords, dtypes, special values and errors of quantiles, histograms, covariances and what leaves nans out.

Each function below runs compiled and plain on the same arguments.
"""

import re

import numpy as np
import pytest

import as_numpy

METHODS = (
    "linear lower higher nearest midpoint inverted_cdf averaged_inverted_cdf closest_observation "
    "interpolated_inverted_cdf hazen weibull median_unbiased normal_unbiased"
).split()

QUANTILES = "import numpy as np\n" + "".join(
    f"""

#numptx export {method}(float64[:,:], float)
def {method}(x, q):
    return np.quantile(x, q, axis=0, method="{method}"), np.quantile(x[0], q, method="{method}"), np.nanquantile(x, q, axis=1, method="{method}")
"""
    for method in METHODS
)

SOURCE = """
import numpy as np


#numptx export percentiles(float64[:,:], float64[:])
#numptx export percentiles(float32[:,:], float32[:])
#numptx export percentiles(int8[:,:], float64[:])
def percentiles(x, q):
    return np.percentile(x, q, axis=1), np.percentile(x, q), np.nanpercentile(x, q, axis=0, keepdims=True), np.percentile(x, [[10, 90], [0, 100]], axis=0)


#numptx export one_percentile(float64[:,:], float)
#numptx export one_percentile(float64[:,:], float64)
#numptx export one_percentile(float32[:,:], float)
#numptx export one_percentile(int8[:,:], float)
def one_percentile(x, q):
    return np.percentile(x, q), np.percentile(x, q, axis=(0, 1), keepdims=True), np.nanpercentile(x, q, axis=1), np.percentile(x, q, axis=-1, method="lower")


#numptx export ends(int64[:,:])
#numptx export ends(float64[:,:])
def ends(x):
    return np.quantile(x, 0, axis=1), np.quantile(x, 1), np.quantile(x, [0, 1], axis=0)


#numptx export written(float64[:,:], float64[:], float64[:])
def written(x, a, b):
    return np.quantile(x, 0.25, axis=0, out=a), np.median(x, axis=1, out=b, overwrite_input=False)


#numptx export weighted(float64[:,:], float64[:], float64[:,:])
#numptx export weighted(float64[:,:], float64[:], int64[:,:])
def weighted(x, q, w):
    how = "inverted_cdf"
    return np.quantile(x, q, axis=1, weights=w, method=how), np.quantile(x, 0.5, weights=w, method=how), np.quantile(x, 0.3, axis=0, weights=w[:, 0], method=how)


#numptx export wrongly_weighted(float64[:,:], float64[:,:])
def wrongly_weighted(x, w):
    return np.quantile(x, 0.5, weights=w)


#numptx export medians(float64[:,:,:])
#numptx export medians(float32[:,:,:])
#numptx export medians(int32[:,:,:])
def medians(x):
    return np.median(x, axis=(0, 2)), np.median(x, axis=1, keepdims=True), np.median(x, axis=()), np.nanmedian(x), np.nanmedian(x, axis=(0, 1)), np.nanmedian(x, axis=2, keepdims=True)


#numptx export without_nans(float64[:,:])
#numptx export without_nans(float32[:,:])
#numptx export without_nans(complex128[:,:])
#numptx export without_nans(int64[:,:])
def without_nans(x):
    return np.nanmean(x), np.nanmean(x, axis=0), np.nanvar(x, axis=1, ddof=1), np.nanstd(x, keepdims=True), np.nanvar(x, ddof=2), np.nanmean(x, axis=1, where=x != 0)


#numptx export places_without_nans(float64[:,:])
#numptx export places_without_nans(int64[:,:])
def places_without_nans(x):
    return np.nanargmax(x), np.nanargmin(x, axis=0), np.nanargmax(x, axis=1, keepdims=True)


#numptx export counted(float64[:], int)
#numptx export counted(float32[:], int)
#numptx export counted(int64[:], int)
def counted(x, n):
    return np.histogram(x, n), np.histogram(x, n, (-1, 2), density=True), np.histogram_bin_edges(x, n)


#numptx export by_rule(float64[:])
#numptx export by_rule(int64[:])
def by_rule(x):
    return np.histogram(x, "auto"), np.histogram(x, "fd"), np.histogram(x, "doane"), np.histogram(x, "scott"), np.histogram(x, "rice"), np.histogram(x, "sturges"), np.histogram(x, "sqrt", (-1.0, 1.0))


#numptx export between(float64[:], float64[:])
#numptx export between(float32[:], float64[:])
#numptx export between(int64[:], int64[:])
def between(x, edges):
    return np.histogram(x, edges), np.histogram(x, edges, density=True), np.histogram(x, [0, 1, 3])


#numptx export weights_of_bins(float64[:], float64[:], float64[:])
#numptx export weights_of_bins(float64[:], float64[:], int64[:])
#numptx export weights_of_bins(float64[:], float64[:], complex128[:])
def weights_of_bins(x, edges, w):
    return np.histogram(x, 4, weights=w), np.histogram(x, edges, weights=w)


#numptx export in_plane(float64[:], float64[:], float64[:])
#numptx export in_plane(float32[:], float32[:], float64[:])
#numptx export in_plane(int64[:], float64[:], float64[:])
def in_plane(x, y, edges):
    return np.histogram2d(x, y), np.histogram2d(x, y, (3, edges), density=True), np.histogram2d(x, y, edges, weights=y), np.histogram2d(x, y, (2, 3), ((0, 1), None)), np.histogram2d(x, y, [0, 1, 2, 3])


#numptx export in_space(float64[:,:])
def in_space(x):
    return np.histogramdd((x[:, 0], x[:, 1], x[:, 2]), 3), np.histogramdd([x[:, 0], x[:, 1]], (2, [0.0, 0.5, 1.0]), density=True)


#numptx export of_rows(float64[:,3], float64[:,:])
def of_rows(x, y):
    return np.histogramdd(x), np.histogramdd(x[:, ::-1], (2, 3, [0.0, 0.5, 1.0]), weights=x[:, 0]), np.histogramdd(y, (2, 3)), np.histogramdd(np.stack((x[:, 0], x[:, 2]), axis=1), 3, density=True)


#numptx export covariances(float64[:,:], int64[:], float64[:])
#numptx export covariances(complex128[:,:], int64[:], float64[:])
#numptx export covariances(int32[:,:], int64[:], float64[:])
def covariances(m, f, w):
    return np.cov(m, fweights=f), np.cov(m, aweights=w, ddof=0), np.cov(m, m[::-1], fweights=f, aweights=w), np.cov(m, rowvar=False), np.corrcoef(m), np.cov(m[0], aweights=w).real


#numptx export in_singles(float32[:,:])
def in_singles(m):
    return np.cov(m), np.cov(m, dtype=np.float32), np.corrcoef(m, dtype=np.float32)


#numptx export one_variable(float64[:])
def one_variable(x):
    return np.cov(x[None, :]), np.corrcoef(x[None, :]), np.cov(x), np.corrcoef(x)


#numptx export averages(float64[:,:,:], float64[:], float64[:,:])
#numptx export averages(int64[:,:,:], float64[:], float64[:,:])
def averages(x, w, v):
    return np.average(x, axis=-1, weights=w), np.average(x, axis=(1, 2), weights=v), np.average(x, axis=(2, 1), weights=v.T, returned=True), np.average(x, axis=1, weights=v[:, 0], keepdims=True)


#numptx export periodic(float64[:], float64[:], float64[:], float)
#numptx export periodic(float64[:], float64[:], complex128[:], float)
def periodic(x, xp, fp, period):
    return np.interp(x, xp, fp, period=period), np.interp(x[0], xp, fp, -1.0, 1.0, period)
"""


def reals(*shape, seed=1):
    return np.random.default_rng(seed).standard_normal(shape)


def gaps(*shape):
    x = reals(*shape)
    x.ravel()[::4] = np.nan
    return x


def whole(*shape):
    return (9 * reals(*shape)).astype(int)


def cases():
    q, w = np.array([0.0, 12.5, 50.0, 99.0, 100.0]), np.abs(reals(4, 5, seed=2))
    for x in (reals(4, 5), gaps(4, 5), reals(5, 4).T, reals(1, 1), np.array([[np.inf, -np.inf, 1.0]]), np.full((2, 3), np.nan)):
        yield "percentiles", lambda x=x: (x, q)
        yield "percentiles", lambda x=x: (x.astype(np.float32), q.astype(np.float32))
        for one in (0.0, 30.0, 100.0):
            yield "one_percentile", lambda x=x, one=one: (x, one)
            yield "one_percentile", lambda x=x, one=one: (x.astype(np.float32), one)
        if not np.isnan(x).any():
            yield "ends", lambda x=x: (x,)
    yield "one_percentile", lambda: (reals(4, 5), np.float64(42.0))
    yield "percentiles", lambda: (np.array([[-128, 127, 3], [5, 5, 6]], np.int8), q)
    yield "one_percentile", lambda: (np.array([[-128, 127, 3], [5, 5, 6]], np.int8), 50.0)
    yield "ends", lambda: (whole(3, 4),)
    for wrong in (-1.0, 101.0, np.nan):
        yield "one_percentile", lambda wrong=wrong: (reals(4, 5), wrong)
    yield "percentiles", lambda: (reals(4, 5), np.array([1.0, 200.0]))
    yield "ends", lambda: (reals(0, 3),)
    yield "written", lambda: (reals(4, 5), np.zeros(5), np.zeros(4))
    for v in (w, np.floor(2 * w), (9 * w).astype(int)):
        yield "weighted", lambda v=v: (reals(4, 5), q / 100, v)
    for v in (-w, 0 * w):
        yield "weighted", lambda v=v: (reals(4, 5), q / 100, v)
    yield "wrongly_weighted", lambda: (reals(4, 5), w)
    for x in (reals(2, 3, 4), gaps(2, 3, 4), reals(3, 1, 5), np.full((1, 2, 3), np.nan)):
        yield "medians", lambda x=x: (x,)
        yield "medians", lambda x=x: (x.astype(np.float32),)
    yield "medians", lambda: (whole(2, 3, 4).astype(np.int32),)
    for x in (gaps(4, 5), gaps(1, 5), np.full((2, 2), np.nan), np.array([[np.nan, np.inf], [1.0, 0.0]]), reals(0, 3)):
        yield "without_nans", lambda x=x: (x,)
        yield "without_nans", lambda x=x: (x.astype(np.float32),)
        yield "without_nans", lambda x=x: (x + 1j * x[::-1],)
        yield "places_without_nans", lambda x=x: (x,)
    yield "places_without_nans", lambda: (np.array([[np.nan, -np.inf], [2.0, np.nan]]),)
    yield "without_nans", lambda: (whole(3, 4),)
    yield "places_without_nans", lambda: (whole(3, 4),)
    for x in (reals(60), whole(60) / 4, np.zeros(0), np.full(3, 2.0), np.array([1.0, np.nan])):
        for n in (1, 7, 0):
            yield "counted", lambda x=x, n=n: (x, n)
        yield "by_rule", lambda x=x: (x,)
        yield "between", lambda x=x: (x, np.array([-1.0, -0.5, 0.0, 0.0, 2.0]))
    yield "counted", lambda: (reals(60).astype(np.float32), 7)
    yield "counted", lambda: (np.array([0.0, 1e-320]), 4000)
    yield "counted", lambda: (whole(60), 5)
    yield "by_rule", lambda: (whole(60),)
    for edges in ([1.0], [], [1.0, 0.0], [-1.0, 1.0]):
        yield "between", lambda edges=edges: (reals(60), np.array(edges))
    yield "between", lambda: (reals(60).astype(np.float32), np.array([-1.0, 0.25, 2.0]))
    yield "between", lambda: (whole(60), np.array([-9, -1, 0, 20]))
    for v in (np.arange(60.0), np.arange(60), np.arange(60) * (1 + 2j), np.arange(3.0)):
        yield "weights_of_bins", lambda v=v: (reals(60), np.array([-1.0, 0.0, 0.5, 2.0]), v)
    edges = np.array([-1.0, -0.5, 0.5, 2.0])
    yield "in_plane", lambda: (reals(60), reals(60, seed=2), edges)
    yield "in_plane", lambda: (reals(60).astype(np.float32), reals(60, seed=2).astype(np.float32), edges)
    yield "in_plane", lambda: (whole(60), reals(60, seed=2), edges)
    yield "in_plane", lambda: (reals(60), reals(59), edges)
    yield "in_space", lambda: (np.abs(reals(50, 3)) % 1.0,)
    yield "of_rows", lambda: (np.abs(reals(40, 3)) % 1.0, reals(20, 2))
    yield "of_rows", lambda: (np.asfortranarray(np.abs(reals(40, 3)) % 1.0), reals(20, 3))
    yield "of_rows", lambda: (np.ones((1, 3)), reals(1, 2))
    for m in (reals(3, 5), reals(3, 5) + 1j * reals(3, 5, seed=2), whole(3, 5).astype(np.int32), reals(5, 3).T):
        yield "covariances", lambda m=m: (m, np.array([1, 2, 1, 0, 3]), np.abs(reals(5)))
    for f, v in (([1, 2, 1, 0], np.ones(5)), ([1, -2, 1, 0, 1], np.ones(5)), ([1, 2, 1, 0, 1], -np.ones(5)), ([1, 2, 1, 0, 1], np.ones(4)), ([0] * 5, np.zeros(5))):
        yield "covariances", lambda f=f, v=v: (reals(3, 5), np.array(f), v)
    yield "in_singles", lambda: (reals(3, 5).astype(np.float32),)
    yield "one_variable", lambda: (reals(6),)
    for x in (reals(2, 3, 4), whole(2, 3, 4)):
        yield "averages", lambda x=x: (x, np.arange(1.0, 5.0), np.abs(reals(3, 4)))
    yield "averages", lambda: (reals(2, 3, 4), np.arange(3.0), np.abs(reals(3, 4)))
    for period in (2.5, -1.25, 0.0):
        yield "periodic", lambda period=period: (reals(20), np.array([3.0, 1.0, 2.25]), np.array([4.0, 5.0, 6.0]), period)
    yield "periodic", lambda: (reals(20), np.array([3.0, 1.0, 2.25]), np.array([4.0, 5.0j, 6.0]), 1.5)
    yield "periodic", lambda: (reals(20), np.array([3.0, 1.0]), np.array([4.0, 5.0, 6.0]), 1.5)


CASES = list(cases())
# A file for each function: together they compile for minutes.
SOURCES = {re.search(r"^def (\w+)", block, re.MULTILINE)[1]: f"import numpy as np\n\n\n{block}\n" for block in SOURCE.split("\n\n\n")[1:]}


@pytest.mark.parametrize("k", range(len(CASES)), ids=lambda k: f"{CASES[k][0]}-{k}")
def test_as_numpy(k, workshop):
    # Of ints NumPy gives percentiles without nans in another order of axes.
    name = CASES[k][0]
    as_numpy.compare(*workshop.pair(SOURCES[name], name), *CASES[k], layout=name != "percentiles")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("q", [0.0, 0.1, 0.25, 0.5, 0.6, 1.0])
def test_methods_of_quantiles(method, q, workshop):
    for x in (reals(5, 6), gaps(4, 7), np.arange(12.0).reshape(3, 4), reals(1, 2)):
        as_numpy.compare(*workshop.pair(QUANTILES, "quantiles"), method, lambda x=x: (x, q))
