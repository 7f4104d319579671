//! Rows of windows, signals and images that are written in Python: NumPy's and SciPy's.

use super::Function;
use super::error::MAX_RANK;
use super::library::{REAL, REALS, VECTOR, VECTORS, array, library};
use super::takes::{Holds, Takes};

const UP_TO_VECTOR: Takes = array(0, 1, Holds::Anything);
const IMAGE: Takes = array(1, MAX_RANK, Holds::RealNumbers);
const FOOTPRINT: Takes = array(1, MAX_RANK, Holds::Real);
const MODE: Takes = Takes::Word(&["full", "same", "valid"]);
const BORDER: Takes =
    Takes::Word(&["reflect", "constant", "nearest", "mirror", "wrap", "grid-mirror", "grid-constant", "grid-wrap"]);

/// Of filters with weights.
const WEIGHED: &[(&str, Takes)] = &[
    ("input", IMAGE),
    ("weights", IMAGE),
    ("output", Takes::Anything),
    ("mode", BORDER),
    ("cval", Takes::Number),
    ("origin", Takes::Anything),
];
/// The same along an axis.
const WEIGHED_ALONG: &[(&str, Takes)] = &[
    ("input", IMAGE),
    ("weights", REALS),
    ("axis", Takes::Place("input")),
    ("output", Takes::Anything),
    ("mode", BORDER),
    ("cval", Takes::Number),
    ("origin", Takes::Integer),
];
/// Of filters that take an element of the neighbours in order.
const RANKED: &[(&str, Takes)] = &[
    ("input", IMAGE),
    ("size", Takes::Anything),
    ("footprint", FOOTPRINT),
    ("output", Takes::Anything),
    ("mode", BORDER),
    ("cval", Takes::Number),
    ("origin", Takes::Anything),
];

/// The rows.
pub const TABLE: &[Function] = &[
    library("numpy.hanning", "M", &[("M", Takes::Number)])
        .ulp(16)
        .doc("the window of von Hann")
        .example("np.hanning(7)"),
    library("numpy.hamming", "M", &[("M", Takes::Number)])
        .ulp(16)
        .doc("the window of Hamming")
        .example("np.hamming(7)"),
    library("numpy.blackman", "M", &[("M", Takes::Number)])
        .ulp(16)
        .doc("the window of Blackman")
        .example("np.blackman(7)"),
    library("numpy.bartlett", "M", &[("M", Takes::Number)])
        .ulp(16)
        .doc("the window of Bartlett, a triangle")
        .example("np.bartlett(7)"),
    library("numpy.kaiser", "M, beta", &[("M", Takes::Number), ("beta", Takes::Number)])
        .ulp(64)
        .doc("the window of Kaiser")
        .example("np.kaiser(7, 8.6)"),
    library("numpy.i0", "x", &[("x", REAL)]).ulp(32).doc("the modified Bessel function of order 0").example("np.i0(y)"),
    library("numpy.convolve", "a, v, mode='full'", &[("a", UP_TO_VECTOR), ("v", UP_TO_VECTOR), ("mode", MODE)])
        .ulp(16)
        .doc("sums of products of a vector and another one, turned round and shifted")
        .example("np.convolve(x, y[0], 'same')"),
    library("numpy.correlate", "a, v, mode='valid'", &[("a", VECTOR), ("v", VECTOR), ("mode", MODE)])
        .ulp(16)
        .doc("sums of products of a vector and a shifted one")
        .example("np.correlate(x, y[0], 'full')"),
    library(
        "scipy.signal.lfilter",
        "b, a, x, axis=-1, zi=None",
        &[("b", UP_TO_VECTOR), ("a", UP_TO_VECTOR), ("x", VECTORS), ("axis", Takes::Place("x")), ("zi", VECTORS)],
    )
    .ulp(64)
    .doc("a filter by its coefficients, and what is left of it where the state before is given"),
    library(
        "scipy.signal.convolve",
        "in1, in2, mode='full', method='auto'",
        &[("in1", VECTORS), ("in2", VECTORS), ("mode", MODE), ("method", Takes::Word(&["auto", "direct", "fft"]))],
    )
    .ulp(64)
    .doc("convolution over all axes"),
    library(
        "scipy.signal.fftconvolve",
        "in1, in2, mode='full', axes=None",
        &[("in1", VECTORS), ("in2", VECTORS), ("mode", MODE)],
    )
    .without(&["axes"])
    .ulp(64)
    .doc("convolution over all axes, by transforms"),
    library(
        "scipy.ndimage.correlate",
        "input, weights, output=None, mode='reflect', cval=0.0, origin=0, *, axes=None",
        WEIGHED,
    )
    .without(&["axes"])
    .ulp(16)
    .doc("sums of the neighbours of each element, weighted"),
    library(
        "scipy.ndimage.convolve",
        "input, weights, output=None, mode='reflect', cval=0.0, origin=0, *, axes=None",
        WEIGHED,
    )
    .without(&["axes"])
    .ulp(16)
    .doc("the same with the weights turned round"),
    library(
        "scipy.ndimage.gaussian_filter",
        "input, sigma, order=0, output=None, mode='reflect', cval=0.0, truncate=4.0, *, radius=None, axes=None",
        &[
            ("input", IMAGE),
            ("sigma", Takes::Anything),
            ("order", Takes::Anything),
            ("output", Takes::Anything),
            ("mode", Takes::Anything),
            ("cval", Takes::Number),
            ("truncate", Takes::Number),
            ("radius", Takes::Anything),
        ],
    )
    .without(&["axes"])
    .ulp(64)
    .doc("neighbours weighted by a bell curve, or its derivatives"),
    library(
        "scipy.ndimage.uniform_filter",
        "input, size=3, output=None, mode='reflect', cval=0.0, origin=0, *, axes=None",
        &[
            ("input", IMAGE),
            ("size", Takes::Anything),
            ("output", Takes::Anything),
            ("mode", Takes::Anything),
            ("cval", Takes::Number),
            ("origin", Takes::Anything),
        ],
    )
    .without(&["axes"])
    .ulp(64)
    .doc("means of neighbours"),
    library(
        "scipy.ndimage.median_filter",
        "input, size=None, footprint=None, output=None, mode='reflect', cval=0.0, origin=0, *, axes=None",
        RANKED,
    )
    .without(&["axes"])
    .doc("medians of neighbours"),
    library(
        "scipy.signal.correlate",
        "in1, in2, mode='full', method='auto'",
        &[("in1", VECTORS), ("in2", VECTORS), ("mode", MODE), ("method", Takes::Word(&["auto", "direct", "fft"]))],
    )
    .ulp(64)
    .doc("cross-correlation over all axes"),
    library(
        "scipy.ndimage.correlate1d",
        "input, weights, axis=-1, output=None, mode='reflect', cval=0.0, origin=0",
        WEIGHED_ALONG,
    )
    .ulp(16)
    .doc("sums of the neighbours of each element along an axis, weighted"),
    library(
        "scipy.ndimage.convolve1d",
        "input, weights, axis=-1, output=None, mode='reflect', cval=0.0, origin=0",
        WEIGHED_ALONG,
    )
    .ulp(16)
    .doc("the same with the weights turned round"),
    library(
        "scipy.ndimage.gaussian_filter1d",
        "input, sigma, axis=-1, order=0, output=None, mode='reflect', cval=0.0, truncate=4.0, *, radius=None",
        &[
            ("input", IMAGE),
            ("sigma", Takes::Number),
            ("axis", Takes::Place("input")),
            ("order", Takes::Integer),
            ("output", Takes::Anything),
            ("mode", BORDER),
            ("cval", Takes::Number),
            ("truncate", Takes::Number),
            ("radius", Takes::Integer),
        ],
    )
    .ulp(64)
    .doc("neighbours along an axis weighted by a bell curve, or its derivatives"),
    library(
        "scipy.ndimage.uniform_filter1d",
        "input, size, axis=-1, output=None, mode='reflect', cval=0.0, origin=0",
        &[
            ("input", IMAGE),
            ("size", Takes::Integer),
            ("axis", Takes::Place("input")),
            ("output", Takes::Anything),
            ("mode", BORDER),
            ("cval", Takes::Number),
            ("origin", Takes::Integer),
        ],
    )
    .ulp(64)
    .doc("means of neighbours along an axis"),
    library(
        "scipy.ndimage.maximum_filter",
        "input, size=None, footprint=None, output=None, mode='reflect', cval=0.0, origin=0, *, axes=None",
        RANKED,
    )
    .without(&["axes"])
    .doc("the largest of neighbours"),
    library(
        "scipy.ndimage.minimum_filter",
        "input, size=None, footprint=None, output=None, mode='reflect', cval=0.0, origin=0, *, axes=None",
        RANKED,
    )
    .without(&["axes"])
    .doc("the smallest of neighbours"),
];
