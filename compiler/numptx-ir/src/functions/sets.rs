//! Rows of sets, of orders, and of comparisons of whole arrays, written in Python.

use super::Function;
use super::error::MAX_RANK;
use super::library::{ANY, VECTORS, array, library};
use super::takes::{Holds, Takes};

const SETS: &[(&str, Takes)] = &[("ar1", ANY), ("ar2", ANY), ("assume_unique", Takes::Flag)];
const PARTITIONED: &[(&str, Takes)] =
    &[("a", ANY), ("kth", Takes::Anything), ("axis", Takes::Axis("a")), ("kind", Takes::Word(&["introselect"]))];
const OF_ARRAYS: &str = "self, kth, /, axis=-1, kind='introselect', order=None";
const PARTITION: &str = "a, kth, axis=-1, kind='introselect', order=None";
const NUMBERS: Takes = array(0, MAX_RANK, Holds::Anything);

/// The rows.
pub const TABLE: &[Function] = &[
    library(
        "numpy.isin",
        "element, test_elements, assume_unique=False, invert=False, *, kind=None",
        &[
            ("element", ANY),
            ("test_elements", ANY),
            ("assume_unique", Takes::Flag),
            ("invert", Takes::Flag),
            ("kind", Takes::Word(&["sort", "table"])),
        ],
    )
    .doc("whether each element is among others")
    .example("np.isin(y, x)"),
    library("numpy.union1d", "ar1, ar2", &[("ar1", ANY), ("ar2", ANY)])
        .doc("the different elements of two arrays, ascending")
        .example("np.union1d(x, y)"),
    library(
        "numpy.intersect1d",
        "ar1, ar2, assume_unique=False, return_indices=False",
        &[("ar1", ANY), ("ar2", ANY), ("assume_unique", Takes::Flag), ("return_indices", Takes::Flag)],
    )
    .doc("what two arrays have both, ascending; and where it stands first in each")
    .example("np.intersect1d(x, y, return_indices=True)"),
    library("numpy.setdiff1d", "ar1, ar2, assume_unique=False", SETS)
        .doc("the different elements of an array that another has not, ascending")
        .example("np.setdiff1d(y, x)"),
    library("numpy.setxor1d", "ar1, ar2, assume_unique=False", SETS)
        .doc("what one of two arrays has and the other has not, ascending")
        .example("np.setxor1d(x, y)"),
    library("numpy.unique_values", "x", &[("x", NUMBERS)])
        .doc("different elements, ascending; each nan is one")
        .example("np.sort(np.unique_values(np.floor(y / 2)))"),
    library("numpy.unique_counts", "x", &[("x", NUMBERS)])
        .doc("different elements, ascending, and how often each occurs")
        .example("np.unique_counts(np.floor(y / 2)).counts"),
    library("numpy.unique_inverse", "x", &[("x", NUMBERS)])
        .doc("different elements, ascending, and where each element went")
        .example("np.unique_inverse(np.floor(y / 2)).inverse_indices"),
    library("numpy.unique_all", "x", &[("x", NUMBERS)])
        .doc("different elements, ascending; where each stands first, where each element went, and how often each occurs")
        .example("np.unique_all(np.floor(y / 2)).indices"),
    library("numpy.partition", PARTITION, PARTITIONED)
        .without(&["order"])
        .doc("elements such that those at some places stand where sorting puts them; all are sorted")
        .example("np.partition(y, 1)"),
    library("numpy.argpartition", PARTITION, PARTITIONED)
        .without(&["order"])
        .aliases(&["ndarray.argpartition"])
        .method(OF_ARRAYS)
        .doc("indices of a partition; those that sort")
        .example("np.argpartition(y, 1)"),
    library(
        "ndarray.partition",
        PARTITION,
        &[
            ("a", Takes::Destination),
            ("kth", Takes::Anything),
            ("axis", Takes::Axis("a")),
            ("kind", Takes::Word(&["introselect"])),
        ],
    )
    .method(OF_ARRAYS)
    .without(&["order"])
    .doc("partitions the array's elements: sorts them"),
    library("numpy.lexsort", "keys, axis=-1", &[("keys", Takes::Anything), ("axis", Takes::Constant)])
        .doc("indices that sort by several keys, the last one first")
        .example("np.lexsort((x, np.floor(x)))"),
    library("numpy.sort_complex", "a", &[("a", VECTORS)])
        .doc("elements as complex numbers, ascending by real and imaginary parts")
        .example("np.sort_complex(x)"),
    library(
        "numpy.isclose",
        CLOSE,
        COMPARED,
    )
    .doc("whether elements differ by little")
    .example("np.isclose(y, y + 1e-9)"),
    library(
        "numpy.allclose",
        CLOSE,
        COMPARED,
    )
    .doc("whether all elements differ by little")
    .example("np.allclose(y, y + 1e-9)"),
    library(
        "numpy.array_equal",
        "a1, a2, equal_nan=False",
        &[("a1", ANY), ("a2", ANY), ("equal_nan", Takes::Flag)],
    )
    .doc("whether two arrays have one shape and equal elements")
    .example("np.array_equal(y, y.copy())"),
    library("numpy.array_equiv", "a1, a2", &[("a1", ANY), ("a2", ANY)])
        .doc("whether two arrays are equal where they are broadcast to one shape")
        .example("np.array_equiv(x, x[None])"),
    library("numpy.real_if_close", "a, tol=100", &[("a", ANY), ("tol", Takes::Number)])
        .doc("the real parts where all imaginary parts are small, else the array")
        .example("np.real_if_close(y)"),
];

const CLOSE: &str = "a, b, rtol=1e-05, atol=1e-08, equal_nan=False";
const COMPARED: &[(&str, Takes)] = &[
    ("a", Takes::Anything),
    ("b", Takes::Anything),
    ("rtol", Takes::Anything),
    ("atol", Takes::Anything),
    ("equal_nan", Takes::Flag),
];
