//! Functions that read and write elements at given indices: `np.take`, its relatives along an axis, and `np.add.at`; `np.put` is in `putting`.
//!
//! They are selections with axes, modes and errors of their own; what is selected and how is told in `selection`.

use numptx_source::code;

use super::binding::Call;
use super::error::bad_argument;
use super::reduction::normalise_axis;
use super::selection::{Along, OutOfRange, Selection, VALUE_MISMATCH};
use super::shape::shape_text;
use super::ufunc::Elementwise;
use super::value::{Family, FunctionError, PyValue, Typed};
use super::{Class, Function, convert, elementwise};
use crate::DType;
use crate::array::{Builder, ErrorKind, OpKind, READ_ONLY_DESTINATION, Reading, ValueId};
use crate::scalar::{BodyBuilder, ScalarOp};

/// The rows.
pub const TABLE: &[Function] = &[
    Function::new("numpy.take", "a, indices, axis=None, out=None, mode='raise'", Class::Index(take))
        .aliases(&["ndarray.take"])
        .method("self, indices, /, axis=None, out=None, mode='raise'")
        .doc("elements at indices along an axis")
        .example("np.take(y, [1, 0], axis=1)"),
    Function::new("numpy.take_along_axis", "arr, indices, axis=-1", Class::Index(take_along_axis))
        .doc("an element each for indices along an axis")
        .example("np.take_along_axis(y, np.argmax(y, axis=1)[:, None], axis=1)"),
    Function::new("numpy.put_along_axis", "arr, indices, values, axis", Class::Index(put_along_axis))
        .doc("writes an element each for indices along an axis"),
];

fn take(call: &mut Call) -> Result<PyValue, FunctionError> {
    if call.given("out").is_some() {
        return Err(call.refuse("out", "left out").help("write the result: `y[...] = np.take(x, idx)`"));
    }
    let mode = mode(call)?;
    let (array, axis) = array_and_axis(call, "a")?;
    let index = index(call, "indices")?;
    let rank = call.builder.rank(array);
    let along = |index| Along { index, name: axis, is_checked: false };
    let selected = (0..rank).map(|n| (n == axis).then_some(along(index))).collect();
    let selection = Selection::new(call.builder, array, selected, axis, mode)?;
    let shape = selection.shape(call.builder);
    let extent = call.builder.dim(array, axis);
    check_not_empty(call.builder, extent, &shape, "cannot do a non-empty take from an empty axes.");
    selection.check_unless_empty(call.builder, &shape[..axis]);
    let result = selection.gather_in_c_order(call.builder);
    let family = if shape.is_empty() { Family::Numpy } else { Family::Array };
    Ok(PyValue::Typed(Typed { value: result, family }))
}

fn take_along_axis(call: &mut Call) -> Result<PyValue, FunctionError> {
    let selection = along_axis(call)?;
    selection.check(call.builder);
    Ok(PyValue::array(selection.gather(call.builder)))
}

fn put_along_axis(call: &mut Call) -> Result<PyValue, FunctionError> {
    may_write(call, "arr", READ_ONLY_DESTINATION)?;
    if call.given("axis").is_none() {
        return Err(call
            .refuse("axis", "an axis")
            .help("without axes elements are written by `np.put(arr, indices, values)`"));
    }
    let selection = along_axis(call)?;
    let values = call.operand("values")?;
    let value = fitted(call, &selection, values, VALUE_MISMATCH)?;
    selection.check(call.builder);
    selection.scatter(call.builder, value);
    Ok(PyValue::None)
}

/// Every other axis is indexed by its own place.
fn along_axis(call: &mut Call) -> Result<Selection, FunctionError> {
    let (array, axis) = array_and_axis(call, "arr")?;
    let index = index(call, "indices")?;
    let rank = call.builder.rank(array);
    if call.builder.rank(index) != rank {
        let found = call.builder.rank(index);
        let message = format!("`indices` and `arr` must have the same number of axes, found {found} and {rank}");
        return Err(FunctionError::new(code::BAD_SHAPE, message).at(call.position("indices")));
    }
    let mut selected = Vec::with_capacity(rank);
    for other in 0..rank {
        let name = other;
        selected.push(Some(match other == axis {
            true => Along { index, name, is_checked: false },
            false => {
                let extent = call.builder.dim(array, other);
                let index = places_along(call.builder, extent, rank - 1 - other);
                Along { index, name, is_checked: true }
            }
        }));
    }
    Selection::new(call.builder, array, selected, 0, OutOfRange::Raise)
}

/// 0, 1, … along an axis that `n_behind` others follow.
fn places_along(builder: &mut Builder, extent: ValueId, n_behind: usize) -> ValueId {
    let mut body = BodyBuilder::new();
    let place = body.index(0);
    let mut places = builder.map(&[extent], &[], body.finish(vec![place]))[0];
    for axis in 0..n_behind {
        places = builder.new_axis(places, axis + 1);
    }
    places
}

/// `np.add.at(a, indices, b)`: the method of a ufunc of two operands.
pub(super) fn at(call: &mut Call, row: &'static Elementwise) -> Result<PyValue, FunctionError> {
    may_write(call, "a", READ_ONLY_DESTINATION)?;
    let array = call.array("a")?.value;
    let operand = call.operand("b")?;
    let element = Typed { value: array, family: Family::Array };
    let operands = [element, operand].map(|t| convert::operand(call.builder, t));
    let Some(found) = row.plain_loop(&operands) else {
        let message = format!("`{}` has no loop for these operands", call.function.name);
        return Err(FunctionError::new(code::UNSUPPORTED_DTYPE_FOR_FUNCTION, message)
            .help("cast the operands first: `np.add.at(a, idx, b.astype(a.dtype))`"));
    };
    let members = match call.get("indices") {
        Some(PyValue::Tuple(members)) => members,
        Some(single) => vec![single],
        None => Vec::new(),
    };
    let rank = call.builder.rank(array);
    if members.len() > rank {
        let message = format!("too many indices: the array has {rank} axes, {} were indexed", members.len());
        return Err(FunctionError::new(code::TOO_MANY_INDICES, message).at(call.position("indices")));
    }
    let mut selected: Vec<Option<Along>> = vec![None; rank];
    for (axis, member) in members.iter().enumerate() {
        selected[axis] = Some(Along { index: index_of(call, "indices", member)?, name: axis, is_checked: false });
    }
    let selection = Selection::new(call.builder, array, selected, 0, OutOfRange::Raise)?;
    let dtypes = found.inputs.clone();
    if operand.family == Family::Python {
        convert::check_python_integer(call.builder, operand, dtypes[1])?;
    }
    selection.check(call.builder);
    let value = fitted(call, &selection, operand, "array is not broadcastable to correct shape")?;
    let dtype = call.builder.dtype(array);
    selection.accumulate(call.builder, value, &mut |body, element, value| {
        let values = [body.cast(element, dtypes[0]), body.cast(value, dtypes[1])];
        let result = row.compose(&found, body, &values)[0];
        body.cast(result, dtype)
    });
    Ok(PyValue::None)
}

// Arguments.

/// An array, ravelled where `axis` is `None`, and the axis.
fn array_and_axis(call: &mut Call, name: &str) -> Result<(ValueId, usize), FunctionError> {
    let array = call.array(name)?.value;
    let default = if name == "arr" { Some(-1) } else { None };
    let axis = match call.get("axis") {
        None => default,
        Some(_) => call.constant_integer("axis")?,
    };
    match axis {
        Some(axis) => {
            let axis = normalise_axis(axis, call.builder.rank(array)).map_err(|e| e.at(call.position("axis")))?;
            Ok((array, axis))
        }
        None => Ok((flat(call.builder, array), 0)),
    }
}

/// An argument of integers: an array, or a host scalar.
pub(super) fn index(call: &mut Call, name: &str) -> Result<ValueId, FunctionError> {
    let value = call.get(name).unwrap_or(PyValue::None);
    index_of(call, name, &value)
}

fn index_of(call: &mut Call, name: &str, value: &PyValue) -> Result<ValueId, FunctionError> {
    let typed = match value {
        PyValue::Typed(typed) => *typed,
        PyValue::List(items) if items.is_empty() => {
            let none = call.builder.i64(0);
            return Ok(places_along(call.builder, none, 0));
        }
        PyValue::List(_) => convert::array_of_display(call.builder, value, None)?,
        _ => return Err(call.refuse(name, "integers")),
    };
    if !call.builder.dtype(typed.value).is_integer() {
        return Err(call.refuse(name, "integers").help("convert them: `idx.astype(np.int64)`"));
    }
    if call.builder.rank(typed.value) > 0 {
        return Ok(typed.value);
    }
    let scalar = convert::to_host(call.builder, typed);
    Ok(call.builder.cast_scalar(scalar, DType::I64))
}

pub(super) fn mode(call: &Call) -> Result<OutOfRange, FunctionError> {
    match call.get("mode") {
        None => Ok(OutOfRange::Raise),
        Some(PyValue::Str(mode)) if mode == "raise" => Ok(OutOfRange::Raise),
        Some(PyValue::Str(mode)) if mode == "wrap" => Ok(OutOfRange::Wrap),
        Some(PyValue::Str(mode)) if mode == "clip" => Ok(OutOfRange::Clip),
        Some(_) => Err(call.refuse("mode", "`'raise'`, `'wrap'` or `'clip'`")),
    }
}

pub(super) fn may_write(call: &mut Call, name: &str, raised: &str) -> Result<(), FunctionError> {
    match call.get(name) {
        Some(PyValue::Typed(typed)) if !call.builder.is_scalar(typed.value) => {
            call.check_writable(typed.value, name, raised)
        }
        _ => Err(call.refuse(name, "an array")),
    }
}

/// A value to be stored as a dtype: Python's as NumPy converts them, others as they are.
pub(super) fn cast_to(call: &mut Call, value: Typed, dtype: DType) -> Result<ValueId, FunctionError> {
    let from = call.builder.dtype(value.value);
    if from.is_complex() && !dtype.is_complex() && dtype != DType::Bool {
        return Err(bad_argument(format!("a complex value cannot be stored in an array of `{dtype}`"))
            .help("store one part: `z.real`"));
    }
    convert::check_python_integer(call.builder, value, dtype)?;
    Ok(value.value)
}

/// A value as a scalar, or broadcast to a selection's extents; in `words` `{value}` and `{target}` stand for the shapes.
fn fitted(call: &mut Call, selection: &Selection, value: Typed, words: &str) -> Result<ValueId, FunctionError> {
    let dtype = call.builder.dtype(selection.array);
    let value = cast_to(call, value, dtype)?;
    let own = call.builder.shape(value);
    if own.is_empty() {
        return Ok(value);
    }
    let target = selection.shape(call.builder);
    if own.len() > target.len() {
        let message = format!("an array of {} axes cannot be written to {} axes", own.len(), target.len());
        return Err(FunctionError::new(code::BROADCAST_MISMATCH, message));
    }
    let message = words.replace("{value}", &shape_text(own.len())).replace("{target}", &shape_text(target.len()));
    let shapes = if message.contains("{}") { [&own[..], &target].concat() } else { Vec::new() };
    let one = call.builder.i64(1);
    for (mine, theirs) in own.iter().zip(&target[target.len() - own.len()..]) {
        if mine != theirs {
            let equal = call.builder.scalar(ScalarOp::Eq, &[*mine, *theirs]);
            let single = call.builder.scalar(ScalarOp::Eq, &[*mine, one]);
            let fits = call.builder.scalar(ScalarOp::BitOr, &[equal, single]);
            call.builder.check(fits, ErrorKind::Value, &message, &shapes);
        }
    }
    elementwise::check_rank(target.len())?;
    Ok(call.builder.broadcast_to(value, &target))
}

// Shapes.

/// All elements along one axis.
pub(super) fn flat(builder: &mut Builder, array: ValueId) -> ValueId {
    let shape = builder.shape(array);
    if shape.len() == 1 {
        return array;
    }
    if shape.is_empty() && builder.is_scalar(array) {
        let array = builder.rank0(array);
        return builder.new_axis(array, 0);
    }
    let size = product(builder, &shape);
    let flat = builder.emit(OpKind::Ravel(Reading::C), vec![array, size])[0];
    builder.set_shape(flat, vec![size]);
    flat
}

pub(super) fn product(builder: &mut Builder, extents: &[ValueId]) -> ValueId {
    let one = builder.i64(1);
    extents.iter().fold(one, |product, extent| builder.scalar(ScalarOp::Mul, &[product, *extent]))
}

/// `IndexError` where there is nothing to choose from and something is to be chosen.
pub(super) fn check_not_empty(builder: &mut Builder, extent: ValueId, wanted: &[ValueId], message: &str) {
    let zero = builder.i64(0);
    let mut fits = builder.scalar(ScalarOp::Ne, &[extent, zero]);
    for extent in wanted {
        let is_none = builder.scalar(ScalarOp::Eq, &[*extent, zero]);
        fits = builder.scalar(ScalarOp::BitOr, &[fits, is_none]);
    }
    builder.check(fits, ErrorKind::Index, message, &[]);
}
