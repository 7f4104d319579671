//! Rows of statistics that are written in Python: means, covariances, histograms, quantiles, and what leaves nans out.

use super::Function;
use super::library::{ANY, INTEGERS, NUMBERS, REAL, REALS, VARIABLES, VECTOR, array, library};
use super::takes::{Holds, Takes};

const NUMBER_VECTOR: Takes = array(1, 1, Holds::RealNumbers);
const METHOD: Takes = Takes::Word(&[
    "linear",
    "lower",
    "higher",
    "nearest",
    "midpoint",
    "inverted_cdf",
    "averaged_inverted_cdf",
    "closest_observation",
    "interpolated_inverted_cdf",
    "hazen",
    "weibull",
    "median_unbiased",
    "normal_unbiased",
]);

/// The rows.
pub const TABLE: &[Function] = &[
    library(
        "numpy.average",
        "a, axis=None, weights=None, returned=False, *, keepdims=False",
        &[("a", ANY), ("axis", Takes::Axes("a")), ("weights", ANY), ("returned", Takes::Flag), ("keepdims", Takes::Flag)],
    )
    .ulp(8)
    .doc("mean, weighted if weights of the same shape, or along the axes, are given; the sum of the weights, too, if asked for")
    .example("np.average(y, axis=0, weights=y)"),
    library(
        "numpy.cov",
        "m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, *, dtype=None",
        &[("m", VARIABLES), ("y", VARIABLES), ("rowvar", Takes::Flag), ("bias", Takes::Flag), ("ddof", Takes::Number), ("fweights", REALS), ("aweights", REALS), ("dtype", Takes::Anything)],
    )
    .ulp(16)
    .doc("covariances of the rows, or of the columns")
    .example("np.cov(y, aweights=np.arange(1.0, 5.0))"),
    library(
        "numpy.corrcoef",
        "x, y=None, rowvar=True, *, dtype=None",
        &[("x", VARIABLES), ("y", VARIABLES), ("rowvar", Takes::Flag), ("dtype", Takes::Anything)],
    )
    .ulp(16)
    .doc("correlation coefficients of the rows, or of the columns")
    .example("np.corrcoef(y)"),
    library(
        "numpy.histogram",
        "a, bins=10, range=None, density=None, weights=None",
        &[("a", NUMBERS), ("bins", Takes::Anything), ("range", Takes::Pair), ("density", Takes::Flag), ("weights", ANY)],
    )
    .ulp(2)
    .doc("counts in bins of equal width, or between edges, and the edges of the bins")
    .example("np.histogram(x, [-1.0, 0.0, 4.0], density=True)"),
    library(
        "numpy.histogram2d",
        "x, y, bins=10, range=None, density=None, weights=None",
        &[("x", NUMBER_VECTOR), ("y", NUMBER_VECTOR), ("bins", Takes::Anything), ("range", Takes::Anything), ("density", Takes::Flag), ("weights", REALS)],
    )
    .ulp(2)
    .doc("counts of points of a plane, and the edges along both axes")
    .example("np.histogram2d(x, x[::-1], (2, [-1.0, 0.0, 4.0]))"),
    library(
        "numpy.histogramdd",
        "sample, bins=10, range=None, density=None, weights=None",
        &[("sample", Takes::Anything), ("bins", Takes::Anything), ("range", Takes::Anything), ("density", Takes::Flag), ("weights", REALS)],
    )
    .ulp(2)
    .doc("counts of points of any number of coordinates, and a list of the edges along each")
    .example("np.histogramdd((x, x[::-1], x), (2, 3, 4))"),
    library(
        "numpy.histogram_bin_edges",
        "a, bins=10, range=None, weights=None",
        &[("a", NUMBERS), ("bins", Takes::Anything), ("range", Takes::Pair), ("weights", ANY)],
    )
    .ulp(2)
    .doc("edges of bins of equal width; how many, a rule may tell: `'auto'`, `'fd'`, `'doane'`, `'scott'`, `'rice'`, `'sturges'`, `'sqrt'`")
    .example("np.histogram_bin_edges(x, 'auto')"),
    library("numpy.bincount", "x, /, weights=None, minlength=0", &[("x", INTEGERS), ("weights", REALS), ("minlength", Takes::Integer)])
        .doc("how often each integer from 0 on occurs")
        .example("np.bincount(np.arange(4) // 2)"),
    library(
        "numpy.interp",
        "x, xp, fp, left=None, right=None, period=None",
        &[("x", REAL), ("xp", REALS), ("fp", VECTOR), ("left", Takes::Anything), ("right", Takes::Anything), ("period", Takes::Number)],
    )
    .ulp(8)
    .doc("piecewise linear interpolation at x")
    .example("np.interp(x, np.arange(5.0), np.arange(5.0) ** 2)"),
    library(
        "numpy.median",
        "a, axis=None, out=None, overwrite_input=False, keepdims=False",
        &[("a", REAL), ("axis", Takes::Axes("a")), ("out", Takes::Destination), ("overwrite_input", Takes::Flag), ("keepdims", Takes::Flag)],
    )
    .ulp(2)
    .doc("the middle element, or the mean of two")
    .example("np.median(y, axis=(0, 1), keepdims=True)"),
    library(
        "numpy.nanmedian",
        "a, axis=None, out=None, overwrite_input=False, keepdims=False",
        &[("a", REAL), ("axis", Takes::Axes("a")), ("out", Takes::Destination), ("overwrite_input", Takes::Flag), ("keepdims", Takes::Flag)],
    )
    .ulp(2)
    .doc("the middle element, or the mean of two, without nans")
    .example("np.nanmedian(np.where(y > 9, np.nan, y), axis=1)"),
    library(
        "numpy.percentile",
        "a, q, axis=None, out=None, overwrite_input=False, method='linear', keepdims=False, *, weights=None",
        &[("a", NUMBERS), ("q", Takes::Anything), ("axis", Takes::Axes("a")), ("out", Takes::Destination), ("overwrite_input", Takes::Flag), ("method", METHOD), ("keepdims", Takes::Flag), ("weights", REAL)],
    )
    .ulp(4)
    .doc("elements, or numbers between them, below which so many per cent lie")
    .example("np.percentile(y, [10.0, 50.0], axis=1)"),
    library(
        "numpy.nanpercentile",
        "a, q, axis=None, out=None, overwrite_input=False, method='linear', keepdims=False, *, weights=None",
        &[("a", NUMBERS), ("q", Takes::Anything), ("axis", Takes::Axes("a")), ("overwrite_input", Takes::Flag), ("method", METHOD), ("keepdims", Takes::Flag)],
    )
    .without(&["out", "weights"])
    .ulp(4)
    .doc("elements, or numbers between them, below which so many per cent lie; without nans")
    .example("np.nanpercentile(np.where(y > 9, np.nan, y), [10.0, 50.0], axis=0)"),
    library(
        "numpy.quantile",
        "a, q, axis=None, out=None, overwrite_input=False, method='linear', keepdims=False, *, weights=None",
        &[("a", NUMBERS), ("q", Takes::Anything), ("axis", Takes::Axes("a")), ("out", Takes::Destination), ("overwrite_input", Takes::Flag), ("method", METHOD), ("keepdims", Takes::Flag), ("weights", REAL)],
    )
    .ulp(4)
    .doc("elements, or numbers between them, below which such a part lies")
    .example("np.quantile(y, 0.3, axis=1)"),
    library(
        "numpy.nanquantile",
        "a, q, axis=None, out=None, overwrite_input=False, method='linear', keepdims=False, *, weights=None",
        &[("a", NUMBERS), ("q", Takes::Anything), ("axis", Takes::Axes("a")), ("overwrite_input", Takes::Flag), ("method", METHOD), ("keepdims", Takes::Flag)],
    )
    .without(&["out", "weights"])
    .ulp(4)
    .doc("elements, or numbers between them, below which such a part lies; without nans")
    .example("np.nanquantile(np.where(y > 9, np.nan, y), 0.3, axis=0)"),
    library(
        "numpy.nanmean",
        "a, axis=None, dtype=None, out=None, keepdims=False, *, where=True",
        &[("a", ANY), ("axis", Takes::Axes("a")), ("dtype", Takes::Anything), ("out", Takes::Destination), ("keepdims", Takes::Flag), ("where", Takes::Anything)],
    )
    .ulp(4)
    .doc("arithmetic mean without nans")
    .example("np.nanmean(np.where(y > 9, np.nan, y), axis=1)"),
    library(
        "numpy.nanvar",
        "a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=<no value>, correction=<no value>",
        &[("a", ANY), ("axis", Takes::Axes("a")), ("dtype", Takes::Anything), ("out", Takes::Destination), ("ddof", Takes::Number), ("keepdims", Takes::Flag), ("where", Takes::Anything)],
    )
    .without(&["mean", "correction"])
    .ulp(8)
    .doc("variance without nans")
    .example("np.nanvar(np.where(y > 9, np.nan, y), axis=1, ddof=1)"),
    library(
        "numpy.nanstd",
        "a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=<no value>, correction=<no value>",
        &[("a", ANY), ("axis", Takes::Axes("a")), ("dtype", Takes::Anything), ("out", Takes::Destination), ("ddof", Takes::Number), ("keepdims", Takes::Flag), ("where", Takes::Anything)],
    )
    .without(&["mean", "correction"])
    .ulp(8)
    .doc("standard deviation without nans")
    .example("np.nanstd(np.where(y > 9, np.nan, y), axis=1, ddof=1)"),
    library(
        "numpy.nanargmax",
        "a, axis=None, out=None, *, keepdims=False",
        &[("a", REAL), ("axis", Takes::Axis("a")), ("out", Takes::Destination), ("keepdims", Takes::Flag)],
    )
    .doc("index of the first largest element, without nans")
    .example("np.nanargmax(np.where(y == 6, np.nan, y), axis=1)"),
    library(
        "numpy.nanargmin",
        "a, axis=None, out=None, *, keepdims=False",
        &[("a", REAL), ("axis", Takes::Axis("a")), ("out", Takes::Destination), ("keepdims", Takes::Flag)],
    )
    .doc("index of the first smallest element, without nans")
    .example("np.nanargmin(np.where(y == 6, np.nan, y), axis=1)"),
];
