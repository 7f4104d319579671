//! Rows about diagonals: read-only views of them, and sums along them.

use numptx_source::code;

use super::binding::Call;
use super::error::bad_axis;
use super::reduction::normalise_axis;
use super::value::{Arguments, FunctionError, PyValue};
use super::{Class, Function};
use crate::array::{Builder, ValueId};
use crate::scalar::ScalarOp;

/// The rows.
pub const TABLE: &[Function] = &[
    Function::new("numpy.diagonal", "a, offset=0, axis1=0, axis2=1", Class::View(diagonal))
        .aliases(&["ndarray.diagonal"])
        .doc("elements whose indices along two axes agree, along a new last axis; read-only")
        .example("np.diagonal(y, 1)"),
    Function::new("numpy.linalg.diagonal", "x, /, *, offset=0", Class::View(matrix_diagonal))
        .doc("diagonals of the last two axes; read-only")
        .example("np.linalg.diagonal(y)"),
    Function::new("numpy.trace", "a, offset=0, axis1=0, axis2=1, dtype=None, out=None", Class::Expand(trace))
        .aliases(&["ndarray.trace"])
        .doc("sums along diagonals; integers in 64 bits")
        .example("np.trace(y)"),
];

fn diagonal(call: &mut Call) -> Result<PyValue, FunctionError> {
    let view = of_axes(call)?;
    Ok(PyValue::array(call.builder.read_only(view)))
}

fn matrix_diagonal(call: &mut Call) -> Result<PyValue, FunctionError> {
    let array = call.array("x")?.value;
    let rank = call.builder.rank(array);
    if rank < 2 {
        return Err(call.refuse("x", "an array of at least two axes"));
    }
    let offset = offset(call)?;
    let view = along(call.builder, array, offset, [rank - 2, rank - 1]);
    Ok(PyValue::array(call.builder.read_only(view)))
}

fn trace(call: &mut Call) -> Result<PyValue, FunctionError> {
    let view = of_axes(call)?;
    let last = PyValue::Typed(super::Typed { value: call.builder.i64(-1), family: super::Family::Python });
    let mut keywords = vec![("axis".to_string(), last)];
    for name in ["dtype", "out"] {
        keywords.extend(call.given(name).map(|value| (name.to_string(), value)));
    }
    let sum = super::lookup("numpy.sum").expect("the table has sums");
    super::call(
        call.builder,
        sum,
        &Arguments { positional: vec![PyValue::array(view)], keywords, ..Arguments::default() },
    )
}

/// The diagonal that `a`, `offset`, `axis1` and `axis2` name.
fn of_axes(call: &mut Call) -> Result<ValueId, FunctionError> {
    let array = call.array("a")?.value;
    let rank = call.builder.rank(array);
    if rank < 2 {
        let message = format!("`{}` needs an array of at least two axes, found {rank}", call.function.name);
        return Err(FunctionError::new(code::BAD_SHAPE, message).at(call.position("a")));
    }
    let mut axes = [0, 1];
    for (axis, name) in axes.iter_mut().zip(["axis1", "axis2"]) {
        let given = call.constant_integer(name)?.unwrap_or(*axis as i64);
        *axis = normalise_axis(given, rank).map_err(|e| e.at(call.position(name)))?;
    }
    if axes[0] == axes[1] {
        let error = bad_axis(axes[0] as i64, rank).help("`axis1` and `axis2` must be different");
        return Err(error.at(call.position("axis2")));
    }
    let offset = offset(call)?;
    Ok(along(call.builder, array, offset, axes))
}

fn offset(call: &mut Call) -> Result<ValueId, FunctionError> {
    match call.get("offset") {
        None => Ok(call.builder.i64(0)),
        Some(_) => call.integer("offset"),
    }
}

/// The diagonal that begins `offset` elements along the second axis, or as many along the first if it is negative; empty beyond both.
pub(super) fn along(builder: &mut Builder, array: ValueId, offset: ValueId, axes: [usize; 2]) -> ValueId {
    let [down, right] = beginnings(builder, array, offset, axes);
    let rest = |builder: &mut Builder, axis: usize, start: ValueId| {
        let extent = builder.dim(array, axis);
        if builder.as_i64(start) == Some(0) { extent } else { builder.scalar(ScalarOp::Sub, &[extent, start]) }
    };
    let (rows, columns) = (rest(builder, axes[0], down), rest(builder, axes[1], right));
    let length = match (builder.as_i64(rows), builder.as_i64(columns)) {
        _ if rows == columns => rows,
        (Some(a), Some(b)) => builder.i64(a.min(b)),
        _ => builder.scalar(ScalarOp::Min, &[rows, columns]),
    };
    let one = builder.i64(1);
    let narrowed = builder.slice(array, axes[0], down, length, one);
    let narrowed = builder.slice(narrowed, axes[1], right, length, one);
    builder.diagonal(narrowed, axes)
}

/// Where it begins along each axis: at most at the end.
fn beginnings(builder: &mut Builder, array: ValueId, offset: ValueId, axes: [usize; 2]) -> [ValueId; 2] {
    let zero = builder.i64(0);
    let [rows, columns] = axes.map(|axis| builder.dim(array, axis));
    match builder.as_i64(offset) {
        Some(0) => [zero, zero],
        Some(n) if n > 0 => [zero, builder.scalar(ScalarOp::Min, &[offset, columns])],
        Some(n) => {
            let down = builder.i64(n.checked_neg().unwrap_or(i64::MAX));
            [builder.scalar(ScalarOp::Min, &[down, rows]), zero]
        }
        None => {
            let least = builder.scalar(ScalarOp::Sub, &[zero, rows]);
            let offset = builder.scalar(ScalarOp::Max, &[offset, least]);
            let offset = builder.scalar(ScalarOp::Min, &[offset, columns]);
            let back = builder.scalar(ScalarOp::Sub, &[zero, offset]);
            [back, offset].map(|n| builder.scalar(ScalarOp::Max, &[n, zero]))
        }
    }
}
