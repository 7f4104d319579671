//! Rows that take arrays apart, or bring several to one shape: lists and tuples of views.

use numptx_source::code;

use super::binding::{self, Call};
use super::error::bad_argument;
use super::reduction::normalise_axis;
use super::value::{Family, FunctionError, PyValue, Typed};
use super::{Class, Emit, Function, convert, elementwise};
use crate::array::{Builder, ErrorKind, ValueId};
use crate::scalar::{Body, ScalarOp};

/// The most parts of one call.
const MAX_PARTS: i64 = 1024;

const fn view(name: &'static str, parameters: &'static str, emit: Emit) -> Function {
    Function::new(name, parameters, Class::View(emit))
}

/// The rows.
pub const TABLE: &[Function] = &[
    view("numpy.split", "ary, indices_or_sections, axis=0", split)
        .splits(None, 1, true)
        .doc("a list of views: equal parts, or parts between indices")
        .example("np.split(x, [1, 2])[1]"),
    view("numpy.array_split", "ary, indices_or_sections, axis=0", array_split)
        .splits(None, 1, false)
        .doc("a list of views: parts whose lengths differ by at most 1, or parts between indices")
        .example("np.array_split(x, 2)[0]"),
    view("numpy.hsplit", "ary, indices_or_sections", hsplit)
        .splits(Some(1), 1, true)
        .doc("split along the second axis, or the only one")
        .example("np.hsplit(y, [1])[0]"),
    view("numpy.vsplit", "ary, indices_or_sections", vsplit)
        .splits(Some(0), 2, true)
        .doc("split along the first of at least two axes")
        .example("np.vsplit(y, [1])[0]"),
    view("numpy.dsplit", "ary, indices_or_sections", dsplit)
        .splits(Some(2), 3, true)
        .doc("split along the third axis")
        .example("np.dsplit(y[None], [1])[0]"),
    view("numpy.unstack", "x, /, *, axis=0", unstack)
        .doc("a tuple of the views along an axis; of constant extent, or taken apart at once: `a, b = np.unstack(x)`")
        .example("np.unstack(x[:2].reshape(2))[0]"),
    view("numpy.broadcast_arrays", "*args, subok=False", broadcast_arrays)
        .without(&["subok"])
        .doc("a tuple of the arrays at their common shape; those that are repeated are read-only")
        .example("np.sum(np.broadcast_arrays(x, 2.0)[1])"),
];

fn split(call: &mut Call) -> Result<PyValue, FunctionError> {
    let axis = call.constant_integer("axis")?.unwrap_or(0);
    parts(call, axis, true)
}

fn array_split(call: &mut Call) -> Result<PyValue, FunctionError> {
    let axis = call.constant_integer("axis")?.unwrap_or(0);
    parts(call, axis, false)
}

fn hsplit(call: &mut Call) -> Result<PyValue, FunctionError> {
    let rank = rank_at_least(call, 1)?;
    parts(call, i64::from(rank > 1), true)
}

fn vsplit(call: &mut Call) -> Result<PyValue, FunctionError> {
    rank_at_least(call, 2)?;
    parts(call, 0, true)
}

fn dsplit(call: &mut Call) -> Result<PyValue, FunctionError> {
    rank_at_least(call, 3)?;
    parts(call, 2, true)
}

fn rank_at_least(call: &mut Call, least: usize) -> Result<usize, FunctionError> {
    let array = call.array("ary")?.value;
    let rank = call.builder.rank(array);
    let expected = format!("an array of at least {least} {}", super::error::plural(least, "axis", "axes"));
    if rank < least { Err(call.refuse("ary", &expected)) } else { Ok(rank) }
}

/// The parts along an axis; `equal`: a number of sections has to divide the extent.
fn parts(call: &mut Call, axis: i64, equal: bool) -> Result<PyValue, FunctionError> {
    let array = call.array("ary")?.value;
    let rank = call.builder.rank(array);
    let axis = normalise_axis(axis, rank).map_err(|e| e.at(call.position("axis")))?;
    let extent = call.builder.dim(array, axis);
    let bounds = match call.get("indices_or_sections") {
        Some(PyValue::Tuple(indices) | PyValue::List(indices)) => between(call, &indices, extent)?,
        Some(value) => match binding::constant_integer(call.builder, &value) {
            Some(n) if n <= 0 => {
                let message = format!("the number of sections must be larger than 0, found {n}");
                return Err(bad_argument(message).at(call.position("indices_or_sections")));
            }
            Some(n) if n <= MAX_PARTS => sections(call, n, extent, equal)?,
            _ => return Err(unknown_number(call)),
        },
        None => return Err(unknown_number(call)),
    };
    let one = call.builder.i64(1);
    let parts = bounds.into_iter().map(|(start, length)| {
        let part = call.builder.slice(array, axis, start, length, one);
        PyValue::array(if part == array { call.builder.whole(array) } else { part })
    });
    Ok(PyValue::List(parts.collect()))
}

fn unknown_number(call: &Call) -> FunctionError {
    let expected = format!("a constant number of sections up to {MAX_PARTS}, or a tuple or list of indices");
    let error = call.refuse("indices_or_sections", &expected);
    error.help("for a number that is known when running: `for k in range(n): part = x[k * m : (k + 1) * m]`")
}

/// Start and length of the slices between indices, which follow the rules of slices.
fn between(call: &mut Call, indices: &[PyValue], extent: ValueId) -> Result<Vec<(ValueId, ValueId)>, FunctionError> {
    let mut bounds: Vec<Option<ValueId>> = vec![None];
    for index in indices {
        match call.integer_of(index) {
            Some(index) => bounds.push(Some(index)),
            None => return Err(call.refuse("indices_or_sections", "a tuple or list of integers")),
        }
    }
    bounds.push(None);
    let one = call.builder.i64(1);
    let slice = |pair: &[Option<ValueId>]| match pair {
        [None, None] => (call.builder.i64(0), extent),
        [lower, upper] => call.builder.slice_bounds(*lower, *upper, one, extent),
        _ => (extent, extent),
    };
    Ok(bounds.windows(2).map(slice).collect())
}

/// Start and length of `n` parts; the first ones are longer by 1 where the extent is no multiple.
fn sections(call: &mut Call, n: i64, extent: ValueId, equal: bool) -> Result<Vec<(ValueId, ValueId)>, FunctionError> {
    let message = "array split does not result in an equal division";
    if let Some(known) = call.builder.as_i64(extent) {
        let (each, extra) = (known / n, known % n);
        if equal && extra != 0 {
            let message = format!("an extent of {known} cannot be split into {n} equal parts");
            return Err(FunctionError::new(code::BAD_SHAPE, message)
                .at(call.position("indices_or_sections"))
                .help("`np.array_split` makes parts whose lengths differ by 1"));
        }
        let part = |k: i64| (k * each + k.min(extra), each + i64::from(k < extra));
        return Ok((0..n).map(part).map(|(a, b)| (call.builder.i64(a), call.builder.i64(b))).collect());
    }
    let builder = &mut *call.builder;
    let (zero, number) = (builder.i64(0), builder.i64(n));
    if n == 1 {
        return Ok(vec![(zero, extent)]);
    }
    let each = builder.scalar(ScalarOp::FloorDiv, &[extent, number]);
    let extra = builder.scalar(ScalarOp::Mod, &[extent, number]);
    if equal {
        let divides = builder.scalar(ScalarOp::Eq, &[extra, zero]);
        builder.check(divides, ErrorKind::Value, message, &[]);
    }
    Ok((0..n).map(|k| part(builder, k, [each, extra], equal)).collect())
}

fn part(builder: &mut Builder, k: i64, [each, extra]: [ValueId; 2], equal: bool) -> (ValueId, ValueId) {
    let starts = [k, k + 1].map(|k| {
        let k = builder.i64(k);
        let start = builder.scalar(ScalarOp::Mul, &[k, each]);
        if equal {
            return start;
        }
        let longer = builder.scalar(ScalarOp::Min, &[k, extra]);
        builder.scalar(ScalarOp::Add, &[start, longer])
    });
    let length = if equal { each } else { builder.scalar(ScalarOp::Sub, &[starts[1], starts[0]]) };
    (starts[0], length)
}

fn unstack(call: &mut Call) -> Result<PyValue, FunctionError> {
    let array = call.array("x")?.value;
    let rank = call.builder.rank(array);
    if rank == 0 {
        return Err(call.refuse("x", "an array of at least one axis"));
    }
    let axis = normalise_axis(call.constant_integer("axis")?.unwrap_or(0), rank)?;
    let extent = call.builder.dim(array, axis);
    let Some(n) = call.builder.as_i64(extent).filter(|n| *n <= MAX_PARTS) else {
        let message = "the number of arrays that `numpy.unstack` gives must be known when compiling";
        return Err(
            bad_argument(message).help("take them apart at once, `a, b = np.unstack(x)`, or iterate `for row in x:`")
        );
    };
    let mut members = Vec::new();
    for k in 0..n {
        let index = call.builder.i64(k);
        let member = call.builder.index(array, axis, index);
        members.push(if rank == 1 { loaded(call.builder, member) } else { PyValue::array(member) });
    }
    Ok(PyValue::Tuple(members))
}

/// An element as a scalar of its own, as NumPy's iteration over a vector gives it.
fn loaded(builder: &mut Builder, element: ValueId) -> PyValue {
    let body = Body::identity(builder.dtype(element));
    PyValue::Typed(Typed { value: builder.map(&[], &[element], body)[0], family: Family::Numpy })
}

fn broadcast_arrays(call: &mut Call) -> Result<PyValue, FunctionError> {
    let Some(PyValue::Tuple(given)) = call.get("args") else { return Ok(PyValue::Tuple(Vec::new())) };
    let mut arrays: Vec<Typed> = Vec::new();
    for value in &given {
        let typed = match value {
            PyValue::Typed(typed) => *typed,
            PyValue::List(_) | PyValue::Tuple(_) => convert::array_of_display(call.builder, value, None)?,
            _ => return Err(bad_argument("`numpy.broadcast_arrays` takes arrays and numbers")),
        };
        arrays.push(convert::to_array(call.builder, typed));
    }
    let shapes: Vec<Vec<ValueId>> = arrays.iter().map(|a| call.builder.shape(a.value)).collect();
    if shapes.windows(2).all(|pair| pair[0] == pair[1]) {
        return Ok(PyValue::Tuple(arrays.into_iter().map(PyValue::Typed).collect()));
    }
    let extents = elementwise::broadcast(call.builder, &shapes)?;
    let views = arrays.into_iter().zip(shapes).map(|(array, shape)| {
        let view = match shape == extents {
            true => call.builder.whole(array.value),
            false => call.builder.broadcast_to(array.value, &extents),
        };
        PyValue::array(view)
    });
    Ok(PyValue::Tuple(views.collect()))
}
