//! Rows that take functions as arguments, written in Python: what they are given is called there.

use super::Function;
use super::error::MAX_RANK;
use super::library::{ANY, VECTORS, array, library};
use super::takes::{Holds, Takes};

const VALUES: Takes = array(0, MAX_RANK, Holds::Anything);
const NO_KEYWORDS: &str = "keywords of the function are not handed on: a `lambda` holds them";

/// The rows.
pub const TABLE: &[Function] = &[
    library(
        "numpy.apply_along_axis",
        "func1d, axis, arr, *args",
        &[("func1d", Takes::Function), ("axis", Takes::Place("arr")), ("arr", VECTORS), ("args", Takes::Anything)],
    )
    .differs(NO_KEYWORDS)
    .doc("what a function makes of each vector along an axis")
    .example("np.apply_along_axis(np.sum, 1, y)"),
    library(
        "numpy.apply_over_axes",
        "func, a, axes",
        &[("func", Takes::Function), ("a", ANY), ("axes", Takes::Axes("a"))],
    )
    .doc("what a function makes along one axis after the other")
    .example("np.apply_over_axes(np.sum, y, (0, 1))"),
    library(
        "numpy.fromfunction",
        "function, shape, *, dtype=float, like=None",
        &[("function", Takes::Function), ("shape", Takes::Anything), ("dtype", Takes::Anything)],
    )
    .without(&["like"])
    .differs(NO_KEYWORDS)
    .doc("what a function makes of the indices of an array of a shape")
    .example("np.fromfunction(np.add, (3, 4))"),
    library(
        "numpy.mask_indices",
        "n, mask_func, k=0",
        &[("n", Takes::Integer), ("mask_func", Takes::Function), ("k", Takes::Anything)],
    )
    .doc("indices of what a function such as `np.triu` leaves of a square of ones")
    .example("np.mask_indices(3, np.triu)"),
    library(
        "numpy.piecewise",
        "x, condlist, funclist, *args",
        &[("x", VALUES), ("condlist", Takes::Anything), ("funclist", Takes::Anything), ("args", Takes::Anything)],
    )
    .differs(NO_KEYWORDS)
    .doc("numbers, or what functions make of the elements, where conditions hold")
    .example("np.piecewise(x, [x < 0, x > 1], [np.square, np.negative, 7])"),
];
