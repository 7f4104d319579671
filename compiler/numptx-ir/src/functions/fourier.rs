//! Rows of discrete Fourier transforms, which are written in Python: NumPy's and SciPy's.

use super::Function;
use super::error::MAX_RANK;
use super::library::{ANY, VECTORS, array, library};
use super::takes::{Holds, Takes};

/// A row, and what each of its parameters takes.
type Parameters = &'static [(&'static str, Takes)];

const REAL_VECTORS: Takes = array(1, MAX_RANK, Holds::Real);
const NORM: Takes = Takes::Word(&["backward", "ortho", "forward"]);

const ALONG: &str = "a, n=None, axis=-1, norm=None, out=None";
const PLANE: &str = "a, s=None, axes=(-2, -1), norm=None, out=None";
const OVER: &str = "a, s=None, axes=None, norm=None, out=None";
const ALONG_SCIPY: &str = "x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None";
const PLANE_SCIPY: &str = "x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None";
const OVER_SCIPY: &str = "x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None";

const TAKES_ALONG: Parameters =
    &[("a", VECTORS), ("n", Takes::Integer), ("axis", Takes::Place("a")), ("norm", NORM), ("out", Takes::Destination)];
const TAKES_OVER: Parameters =
    &[("a", VECTORS), ("s", Takes::Anything), ("axes", Takes::Axes("a")), ("norm", NORM), ("out", Takes::Destination)];
const REAL_ALONG: Parameters = &[
    ("a", REAL_VECTORS),
    ("n", Takes::Integer),
    ("axis", Takes::Place("a")),
    ("norm", NORM),
    ("out", Takes::Destination),
];
const REAL_OVER: Parameters = &[
    ("a", REAL_VECTORS),
    ("s", Takes::Anything),
    ("axes", Takes::Axes("a")),
    ("norm", NORM),
    ("out", Takes::Destination),
];
const SCIPY_ALONG: Parameters = &[
    ("x", VECTORS),
    ("n", Takes::Integer),
    ("axis", Takes::Place("x")),
    ("norm", NORM),
    ("overwrite_x", Takes::Flag),
    ("workers", Takes::Integer),
];
const SCIPY_OVER: Parameters = &[
    ("x", VECTORS),
    ("s", Takes::Anything),
    ("axes", Takes::Axes("x")),
    ("norm", NORM),
    ("overwrite_x", Takes::Flag),
    ("workers", Takes::Integer),
];
const SCIPY_REAL_ALONG: Parameters = &[
    ("x", REAL_VECTORS),
    ("n", Takes::Integer),
    ("axis", Takes::Place("x")),
    ("norm", NORM),
    ("overwrite_x", Takes::Flag),
    ("workers", Takes::Integer),
];
const SCIPY_REAL_OVER: Parameters = &[
    ("x", REAL_VECTORS),
    ("s", Takes::Anything),
    ("axes", Takes::Axes("x")),
    ("norm", NORM),
    ("overwrite_x", Takes::Flag),
    ("workers", Takes::Integer),
];

const fn transform(name: &'static str, parameters: &'static str, takes: Parameters) -> Function {
    library(name, parameters, takes).ulp(64)
}

/// Of SciPy: what a plan is no library shares.
const fn of_scipy(name: &'static str, parameters: &'static str, takes: Parameters) -> Function {
    transform(name, parameters, takes).without(&["plan"])
}

/// The rows.
pub const TABLE: &[Function] = &[
    transform("numpy.fft.fft", ALONG, TAKES_ALONG)
        .doc("the discrete Fourier transform along an axis")
        .example("np.fft.fft(x)"),
    transform("numpy.fft.ifft", ALONG, TAKES_ALONG).doc("its inverse").example("np.fft.ifft(y, axis=0)"),
    transform("numpy.fft.rfft", ALONG, REAL_ALONG)
        .doc("of real numbers: the first half of the transform")
        .example("np.fft.rfft(x)"),
    transform("numpy.fft.irfft", ALONG, TAKES_ALONG).doc("the inverse of `rfft`").example("np.fft.irfft(y, n=5)"),
    transform("numpy.fft.hfft", ALONG, TAKES_ALONG)
        .doc("of numbers with Hermitian symmetry, of which the first half is given: their real transform")
        .example("np.fft.hfft(x)"),
    transform("numpy.fft.ihfft", ALONG, REAL_ALONG).doc("the inverse of `hfft`").example("np.fft.ihfft(x)"),
    transform("numpy.fft.fft2", PLANE, TAKES_OVER).doc("the transform over two axes").example("np.fft.fft2(y)"),
    transform("numpy.fft.ifft2", PLANE, TAKES_OVER)
        .doc("the inverse transform over two axes")
        .example("np.fft.ifft2(y)"),
    transform("numpy.fft.rfft2", PLANE, REAL_OVER)
        .doc("half of the transform of real numbers over two axes")
        .example("np.fft.rfft2(y)"),
    transform("numpy.fft.irfft2", PLANE, TAKES_OVER)
        .doc("real numbers of half of their transform over two axes")
        .example("np.fft.irfft2(y)"),
    transform("numpy.fft.fftn", OVER, TAKES_OVER)
        .doc("the transform over axes, or all of them")
        .example("np.fft.fftn(y)"),
    transform("numpy.fft.ifftn", OVER, TAKES_OVER)
        .doc("the inverse transform over axes, or all of them")
        .example("np.fft.ifftn(y)"),
    transform("numpy.fft.rfftn", OVER, REAL_OVER)
        .doc("half of the transform of real numbers over axes, or all of them")
        .example("np.fft.rfftn(y)"),
    transform("numpy.fft.irfftn", OVER, TAKES_OVER)
        .doc("real numbers of half of their transform over axes, or all of them")
        .example("np.fft.irfftn(y)"),
    library("numpy.fft.fftfreq", "n, d=1.0, device=None", &[("n", Takes::Integer), ("d", Takes::Number)])
        .without(&["device"])
        .doc("the frequencies of what `fft` gives")
        .example("np.fft.fftfreq(5, 0.5)"),
    library("numpy.fft.rfftfreq", "n, d=1.0, device=None", &[("n", Takes::Integer), ("d", Takes::Number)])
        .without(&["device"])
        .doc("the frequencies of what `rfft` gives")
        .example("np.fft.rfftfreq(5, 0.5)"),
    library("numpy.fft.fftshift", "x, axes=None", &[("x", ANY), ("axes", Takes::Axes("x"))])
        .doc("the frequency zero moved to the middle")
        .example("np.fft.fftshift(y)"),
    library("numpy.fft.ifftshift", "x, axes=None", &[("x", ANY), ("axes", Takes::Axes("x"))])
        .doc("the frequency zero moved to the beginning")
        .example("np.fft.ifftshift(y, axes=1)"),
    of_scipy("scipy.fft.fft", ALONG_SCIPY, SCIPY_ALONG).doc("the discrete Fourier transform along an axis"),
    of_scipy("scipy.fft.ifft", ALONG_SCIPY, SCIPY_ALONG).doc("its inverse"),
    of_scipy("scipy.fft.rfft", ALONG_SCIPY, SCIPY_REAL_ALONG).doc("of real numbers: the first half of the transform"),
    of_scipy("scipy.fft.irfft", ALONG_SCIPY, SCIPY_ALONG).doc("the inverse of `rfft`"),
    of_scipy("scipy.fft.hfft", ALONG_SCIPY, SCIPY_ALONG)
        .doc("of numbers with Hermitian symmetry, of which the first half is given: their real transform"),
    of_scipy("scipy.fft.ihfft", ALONG_SCIPY, SCIPY_REAL_ALONG).doc("the inverse of `hfft`"),
    of_scipy("scipy.fft.fft2", PLANE_SCIPY, SCIPY_OVER).doc("the transform over two axes"),
    of_scipy("scipy.fft.ifft2", PLANE_SCIPY, SCIPY_OVER).doc("the inverse transform over two axes"),
    of_scipy("scipy.fft.rfft2", PLANE_SCIPY, SCIPY_REAL_OVER)
        .doc("half of the transform of real numbers over two axes"),
    of_scipy("scipy.fft.irfft2", PLANE_SCIPY, SCIPY_OVER).doc("real numbers of half of their transform over two axes"),
    of_scipy("scipy.fft.fftn", OVER_SCIPY, SCIPY_OVER).doc("the transform over axes, or all of them"),
    of_scipy("scipy.fft.ifftn", OVER_SCIPY, SCIPY_OVER).doc("the inverse transform over axes, or all of them"),
    of_scipy("scipy.fft.rfftn", OVER_SCIPY, SCIPY_REAL_OVER)
        .doc("half of the transform of real numbers over axes, or all of them"),
    of_scipy("scipy.fft.irfftn", OVER_SCIPY, SCIPY_OVER)
        .doc("real numbers of half of their transform over axes, or all of them"),
];
