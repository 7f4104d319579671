//! Rows that make arrays longer, shorter or wider, or choose among several, written in Python.

use super::Function;
use super::error::MAX_RANK;
use super::library::{ANY, array, library};
use super::takes::{Holds, Takes};

const INTEGERS: Takes = array(0, MAX_RANK, Holds::Anything);
const MODES: &[&str] = &[
    "constant",
    "edge",
    "linear_ramp",
    "maximum",
    "mean",
    "median",
    "minimum",
    "reflect",
    "symmetric",
    "wrap",
    "empty",
];
const MODE: Takes = Takes::Word(&["raise", "wrap", "clip"]);
const PAD: &str =
    "array, pad_width, mode='constant', *, constant_values=None, end_values=None, stat_length=None, reflect_type=None";
const CHOICES: &[(&str, Takes)] =
    &[("a", INTEGERS), ("choices", Takes::Anything), ("out", Takes::Destination), ("mode", MODE)];

/// The rows.
pub const TABLE: &[Function] = &[
    library("numpy.append", "arr, values, axis=None", &[("arr", ANY), ("values", ANY), ("axis", Takes::Axis("arr"))])
        .doc("values behind an array, along an axis or of all elements in one")
        .example("np.append(y, x)"),
    library(
        "numpy.insert",
        "arr, obj, values, axis=None",
        &[("arr", ANY), ("obj", Takes::Anything), ("values", Takes::Anything), ("axis", Takes::Axis("arr"))],
    )
    .doc("values before elements of an array, along an axis or of all elements in one")
    .example("np.insert(y, [1, 3], 7.0, axis=1)"),
    library(
        "numpy.delete",
        "arr, obj, axis=None",
        &[("arr", ANY), ("obj", Takes::Anything), ("axis", Takes::Axis("arr"))],
    )
    .doc("an array without some elements, along an axis or of all elements in one")
    .example("np.delete(y, 1, axis=0)"),
    library("numpy.resize", "a, new_shape", &[("a", ANY), ("new_shape", Takes::Anything)])
        .doc("an array of a shape, its elements again and again")
        .example("np.resize(x, (3, 3))"),
    library(
        "numpy.trim_zeros",
        "filt, trim='fb', axis=None",
        &[
            ("filt", Takes::Anything),
            ("trim", Takes::Word(&["fb", "bf", "f", "b", "FB", "BF", "F", "B"])),
            ("axis", Takes::Axes("filt")),
        ],
    )
    .doc("a view without the zeros at the front and at the end")
    .example("np.trim_zeros(y[0] * y[0])"),
    library(
        "numpy.pad",
        PAD,
        &[
            ("array", ANY),
            ("pad_width", Takes::Anything),
            ("mode", Takes::Word(MODES)),
            ("constant_values", Takes::Anything),
            ("end_values", Takes::Anything),
            ("stat_length", Takes::Anything),
            ("reflect_type", Takes::Word(&["even", "odd"])),
        ],
    )
    .differs("names what NumPy's signature has as `**kwargs`")
    .ulp(4)
    .doc("an array with a border: numbers, edges, ramps, statistics, reflections or periods")
    .example("np.pad(y, ((1, 2), (0, 3)), mode='reflect')"),
    library("numpy.block", "arrays", &[("arrays", Takes::Anything)])
        .doc("an array of nested lists of arrays, the innermost along the last axis")
        .example("np.block([[y, y], [np.zeros((1, 4)), np.ones((1, 4))]])"),
    library(
        "numpy.select",
        "condlist, choicelist, default=0",
        &[("condlist", Takes::Anything), ("choicelist", Takes::Anything), ("default", Takes::Anything)],
    )
    .doc("elements of the first array whose condition holds")
    .example("np.select([x < 0, x > 1], [x, 10 * x], default=7)"),
    library("numpy.choose", "a, choices, out=None, mode='raise'", CHOICES)
        .aliases(&["ndarray.choose"])
        .doc("elements of the arrays that numbers name")
        .example("np.choose([0, 1, 1, 0], [x, -x])"),
];
