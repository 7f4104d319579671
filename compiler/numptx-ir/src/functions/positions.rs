//! Rows of shapes, of indices of grids, diagonals and triangles, and of values at even distances, written in Python.

use super::Function;
use super::error::MAX_RANK;
use super::library::{ANY, array, library};
use super::takes::{Holds, Takes};

const INTEGERS: Takes = array(0, MAX_RANK, Holds::Integers);
const MATRIX: Takes = array(2, 2, Holds::Anything);
const ORDER: Takes = Takes::Word(&["C", "F"]);
const TRIANGLE: &[(&str, Takes)] = &[("n", Takes::Integer), ("k", Takes::Integer), ("m", Takes::Integer)];

/// The rows.
pub const TABLE: &[Function] = &[
    library("numpy.shape", "a", &[("a", ANY)]).doc("the extents, as ints").example("np.shape(y)"),
    library("numpy.ndim", "a", &[("a", ANY)]).doc("how many axes there are").example("np.ndim(y)"),
    library("numpy.size", "a, axis=None", &[("a", ANY), ("axis", Takes::Axes("a"))])
        .doc("how many elements there are, in all or along axes")
        .example("np.size(y, 1)"),
    library("numpy.broadcast_shapes", "*args", &[("args", Takes::Anything)])
        .doc("the shape that shapes are broadcast to")
        .example("np.broadcast_shapes(y.shape, (3, 1))"),
    library("numpy.ix_", "*args", &[("args", Takes::Anything)])
        .doc("vectors along an axis each, to index with")
        .example("y[np.ix_([0, 2], [1, 3])]"),
    library("numpy.diag_indices", "n, ndim=2", &[("n", Takes::Integer), ("ndim", Takes::Constant)])
        .doc("indices of the elements on a diagonal")
        .example("np.diag_indices(3)"),
    library("numpy.diag_indices_from", "arr", &[("arr", ANY)])
        .doc("indices of the elements on an array's diagonal")
        .example("np.diag_indices_from(y[:, :3])"),
    library("numpy.tril_indices", "n, k=0, m=None", TRIANGLE)
        .doc("indices of the elements on and below a diagonal")
        .example("np.tril_indices(3, 1, 4)"),
    library("numpy.triu_indices", "n, k=0, m=None", TRIANGLE)
        .doc("indices of the elements on and above a diagonal")
        .example("np.triu_indices(3, 1, 4)"),
    library("numpy.tril_indices_from", "arr, k=0", &[("arr", MATRIX), ("k", Takes::Integer)])
        .doc("indices of a matrix's elements on and below a diagonal")
        .example("np.tril_indices_from(y)"),
    library("numpy.triu_indices_from", "arr, k=0", &[("arr", MATRIX), ("k", Takes::Integer)])
        .doc("indices of a matrix's elements on and above a diagonal")
        .example("np.triu_indices_from(y)"),
    library(
        "numpy.unravel_index",
        "indices, shape, order='C'",
        &[("indices", INTEGERS), ("shape", Takes::Anything), ("order", ORDER)],
    )
    .doc("indices along the axes of elements that are counted through")
    .example("np.unravel_index(np.argmax(y), y.shape)"),
    library(
        "numpy.ravel_multi_index",
        "multi_index, dims, mode='raise', order='C'",
        &[("multi_index", Takes::Anything), ("dims", Takes::Anything), ("mode", Takes::Anything), ("order", ORDER)],
    )
    .doc("the numbers, counted through, of elements that have indices along axes")
    .example("np.ravel_multi_index(([0, 2], [3, 1]), y.shape)"),
    library(
        "numpy.fromiter",
        "iter, dtype, count=-1, *, like=None",
        &[("iter", Takes::Anything), ("dtype", Takes::Anything), ("count", Takes::Integer)],
    )
    .without(&["like"])
    .converts_members()
    .doc("a vector of what a generator expression, a list or an array gives")
    .example("np.fromiter((v * v for v in x), float)"),
    library("numpy.diagflat", "v, k=0", &[("v", ANY), ("k", Takes::Integer)])
        .doc("a matrix with the elements on a diagonal")
        .example("np.diagflat(x, 1)"),
    library(
        "numpy.logspace",
        "start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0",
        &[
            ("start", Takes::Elements),
            ("stop", Takes::Elements),
            ("num", Takes::Integer),
            ("endpoint", Takes::Flag),
            ("base", Takes::Elements),
            ("dtype", Takes::Anything),
            ("axis", Takes::Constant),
        ],
    )
    .ulp(64)
    .doc("values whose logarithms are evenly spaced")
    .example("np.logspace(0.0, 2.0, 5)"),
    library(
        "numpy.geomspace",
        "start, stop, num=50, endpoint=True, dtype=None, axis=0",
        &[
            ("start", Takes::Elements),
            ("stop", Takes::Elements),
            ("num", Takes::Integer),
            ("endpoint", Takes::Flag),
            ("dtype", Takes::Anything),
            ("axis", Takes::Constant),
        ],
    )
    .ulp(64)
    .doc("values each of which is the same multiple of the one before")
    .example("np.geomspace(1.0, 256.0, 9)"),
];
