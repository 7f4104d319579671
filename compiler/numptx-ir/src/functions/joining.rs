//! Rows that put arrays together: one new array, into whose parts the others are written.

use super::binding::Call;
use super::elementwise::{check_rank, check_same_extent};
use super::error::bad_argument;
use super::manipulation::flat;
use super::output::check_cast;
use super::reduction::normalise_axis;
use super::value::{Family, FunctionError, PyValue, Typed};
use super::{Class, Emit, Function, convert, creation};
use crate::DType;
use crate::array::{OpKind, Order, OrderTerm, Type, ValueId};
use crate::scalar::ScalarOp;

const fn join(name: &'static str, parameters: &'static str, emit: Emit) -> Function {
    Function::new(name, parameters, Class::Create(emit))
}

/// The rows.
pub const TABLE: &[Function] = &[
    join("numpy.concatenate", "arrays, /, axis=0, out=None, *, dtype=None, casting='same_kind'", concatenate)
        .aliases(&["numpy.concat"])
        .doc("arrays one after the other along an axis")
        .example("np.concatenate((x, x))"),
    join("numpy.stack", "arrays, axis=0, out=None, *, dtype=None, casting='same_kind'", stack)
        .doc("arrays along a new axis")
        .example("np.stack((x, x), axis=-1)"),
    join("numpy.vstack", "tup, *, dtype=None, casting='same_kind'", vstack)
        .aliases(&["numpy.row_stack"])
        .doc("arrays as rows")
        .example("np.vstack((x, x))"),
    join("numpy.hstack", "tup, *, dtype=None, casting='same_kind'", hstack)
        .doc("arrays side by side")
        .example("np.hstack((x, x))"),
    join("numpy.column_stack", "tup", column_stack)
        .doc("vectors, and the columns of matrices, side by side")
        .example("np.column_stack((x, x))"),
    join("numpy.dstack", "tup", dstack).doc("arrays along the third axis").example("np.dstack((y, y))"),
    join("numpy.roll", "a, shift, axis=None", roll)
        .doc("elements shifted, those beyond the end coming in at the start; along one axis or several")
        .example("np.roll(x, 1)"),
];

/// The arrays of a tuple or list argument.
fn arrays(call: &mut Call, name: &str) -> Result<Vec<Typed>, FunctionError> {
    let items = match call.get(name) {
        Some(PyValue::Tuple(items) | PyValue::List(items)) if !items.is_empty() => items,
        _ => return Err(call.refuse(name, "a tuple or list of arrays")),
    };
    let mut arrays = Vec::new();
    for item in items {
        let typed = match item {
            PyValue::Typed(typed) => typed,
            display @ (PyValue::List(_) | PyValue::Tuple(_)) => {
                convert::array_of_display(call.builder, &display, None)?
            }
            _ => return Err(call.refuse(name, "a tuple or list of arrays")),
        };
        let own = convert::operand(call.builder, typed).beside(None);
        let array = convert::to_array(call.builder, typed).value;
        let value = convert::cast_array(call.builder, array, own);
        arrays.push(Typed { value, family: Family::Array });
    }
    Ok(arrays)
}

fn concatenate(call: &mut Call) -> Result<PyValue, FunctionError> {
    let mut arrays = arrays(call, "arrays")?;
    let flattens = call.get("axis") == Some(PyValue::None);
    if flattens {
        for array in &mut arrays {
            array.value = flat(call.builder, array.value);
        }
    }
    let axis = if flattens { 0 } else { call.constant_integer("axis")?.unwrap_or(0) };
    let rank = call.builder.rank(arrays[0].value);
    if rank == 0 {
        return Err(bad_argument("zero-dimensional arrays cannot be concatenated").help("use `np.stack((a, b))`"));
    }
    let axis = normalise_axis(axis, rank).map_err(|e| e.at(call.position("axis")))?;
    along(call, &arrays, axis)
}

fn stack(call: &mut Call) -> Result<PyValue, FunctionError> {
    let mut arrays = arrays(call, "arrays")?;
    let rank = call.builder.rank(arrays[0].value) + 1;
    check_rank(rank)?;
    let axis =
        normalise_axis(call.constant_integer("axis")?.unwrap_or(0), rank).map_err(|e| e.at(call.position("axis")))?;
    for array in &mut arrays {
        if call.builder.rank(array.value) + 1 != rank {
            return Err(bad_argument("all input arrays of `numpy.stack` must have the same shape"));
        }
        array.value = call.builder.new_axis(array.value, axis);
    }
    along(call, &arrays, axis)
}

fn vstack(call: &mut Call) -> Result<PyValue, FunctionError> {
    let mut arrays = arrays(call, "tup")?;
    at_least(call, &mut arrays, 2);
    along(call, &arrays, 0)
}

fn hstack(call: &mut Call) -> Result<PyValue, FunctionError> {
    let mut arrays = arrays(call, "tup")?;
    at_least(call, &mut arrays, 1);
    let axis = usize::from(call.builder.rank(arrays[0].value) > 1);
    along(call, &arrays, axis)
}

fn column_stack(call: &mut Call) -> Result<PyValue, FunctionError> {
    let mut arrays = arrays(call, "tup")?;
    for array in &mut arrays {
        while call.builder.rank(array.value) < 2 {
            let rank = call.builder.rank(array.value);
            array.value = call.builder.new_axis(array.value, rank);
        }
    }
    along(call, &arrays, 1)
}

fn dstack(call: &mut Call) -> Result<PyValue, FunctionError> {
    let mut arrays = arrays(call, "tup")?;
    for array in &mut arrays {
        while call.builder.rank(array.value) < 2 {
            array.value = call.builder.new_axis(array.value, 0);
        }
        if call.builder.rank(array.value) == 2 {
            array.value = call.builder.new_axis(array.value, 2);
        }
    }
    along(call, &arrays, 2)
}

fn at_least(call: &mut Call, arrays: &mut [Typed], rank: usize) {
    for array in arrays {
        while call.builder.rank(array.value) < rank {
            array.value = call.builder.new_axis(array.value, 0);
        }
    }
}

/// Arrays of one rank along an axis; the other extents are checked to be equal.
pub(super) fn along(call: &mut Call, arrays: &[Typed], axis: usize) -> Result<PyValue, FunctionError> {
    let (given, out, casting) = (call.dtype("dtype")?, call.output("out")?, call.casting()?);
    let dtype = match (given, out) {
        (Some(_), Some(_)) => return Err(call.refuse("dtype", "left out where `out` is given")),
        (Some(dtype), None) => dtype,
        (None, Some(out)) => call.builder.dtype(out.value),
        (None, None) => creation::common(call, arrays),
    };
    for array in arrays {
        check_cast(call, call.builder.dtype(array.value), dtype, casting)?;
    }
    let first = call.builder.shape(arrays[0].value);
    if arrays.iter().any(|a| call.builder.rank(a.value) != first.len()) {
        let message = format!("all arrays of `{}` must have the same number of axes", call.function.name);
        return Err(bad_argument(message));
    }
    let mut total = call.builder.i64(0);
    for array in arrays {
        let shape = call.builder.shape(array.value);
        for (k, extent) in shape.iter().enumerate().filter(|(k, _)| *k != axis) {
            let message = "all the input array dimensions except for the concatenation axis must match exactly";
            check_same_extent(call.builder, first[k], *extent, message)?;
        }
        total = call.builder.scalar(ScalarOp::Add, &[total, shape[axis]]);
    }
    let mut extents = first;
    extents[axis] = total;
    let result = match out {
        Some(out) => {
            call.check_output(out, &extents, "Output array is the wrong shape")?;
            out.value
        }
        None => {
            let terms = (0..arrays.len()).map(OrderTerm::Joined).collect();
            allocate(call, dtype, &extents, arrays, terms)
        }
    };
    let mut start = call.builder.i64(0);
    let one = call.builder.i64(1);
    for array in arrays {
        let source = convert::cast_array(call.builder, array.value, dtype);
        let length = call.builder.dim(source, axis);
        let part = call.builder.slice(result, axis, start, length, one);
        call.builder.assign(part, source);
        start = call.builder.scalar(ScalarOp::Add, &[start, length]);
    }
    Ok(PyValue::array(result))
}

/// A new array in an order of others.
fn allocate(call: &mut Call, dtype: DType, extents: &[ValueId], like: &[Typed], terms: Vec<OrderTerm>) -> ValueId {
    let order = if extents.len() <= 1 { Order::C } else { Order::K(terms) };
    let mut operands = extents.to_vec();
    if order != Order::C {
        operands.extend(like.iter().map(|t| t.value).filter(|v| matches!(call.builder.ty(*v), Type::Array(_))));
    }
    let value = call.builder.emit(OpKind::Alloc { dtype, order }, operands)[0];
    call.builder.set_shape(value, extents.to_vec());
    value
}

fn roll(call: &mut Call) -> Result<PyValue, FunctionError> {
    let array = call.array("a")?;
    let rank = call.builder.rank(array.value);
    let shifts = shifts(call, rank)?;
    let axis_is_none = call.constant_integers("axis")?.is_none();
    let source = if axis_is_none { flat(call.builder, array.value) } else { array.value };
    if call.builder.rank(source) == 0 {
        return Ok(PyValue::Typed(array));
    }
    let rolled = rolled(call, source, &shifts);
    let shape = call.builder.shape(array.value);
    let value = if axis_is_none && shape.len() != 1 { call.builder.reshape(rolled, &shape) } else { rolled };
    Ok(PyValue::array(value))
}

/// Axes, each once, and by how much each is shifted: one shift may be for all axes, and shifts of one axis add up.
fn shifts(call: &mut Call, rank: usize) -> Result<Vec<(usize, ValueId)>, FunctionError> {
    let axes = match call.constant_integers("axis")? {
        Some(axes) => axes.into_iter().map(|axis| normalise_axis(axis, rank)).collect::<Result<Vec<_>, _>>()?,
        None => vec![0],
    };
    let given = match call.get("shift") {
        Some(PyValue::Tuple(items) | PyValue::List(items)) => items,
        other => vec![other.unwrap_or(PyValue::None)],
    };
    let n = match (given.len(), axes.len()) {
        (n, 1) | (1, n) => n,
        (n, m) if n == m => n,
        _ => return Err(call.refuse("shift", &format!("one integer, or {} of them", axes.len()))),
    };
    let mut found: Vec<(usize, ValueId)> = Vec::new();
    for k in 0..n {
        let axis = axes[if axes.len() == 1 { 0 } else { k }];
        let shift = call.integer_of(&given[if given.len() == 1 { 0 } else { k }]);
        let shift = shift.ok_or_else(|| call.refuse("shift", "integers"))?;
        match found.iter_mut().find(|(own, _)| *own == axis) {
            Some((_, sum)) => *sum = call.builder.scalar(ScalarOp::Add, &[*sum, shift]),
            None => found.push((axis, shift)),
        }
    }
    Ok(found)
}

/// Each part of the source, of two along each shifted axis, is copied to its place.
fn rolled(call: &mut Call, source: ValueId, shifts: &[(usize, ValueId)]) -> ValueId {
    let extents = call.builder.shape(source);
    let dtype = call.builder.dtype(source);
    let like = Typed { value: source, family: Family::Array };
    let result = allocate(call, dtype, &extents, &[like], vec![OrderTerm::Copy(0)]);
    let builder = &mut *call.builder;
    let (zero, one) = (builder.i64(0), builder.i64(1));
    let mut parts = vec![(source, result)];
    for (axis, shift) in shifts {
        let head = builder.scalar(ScalarOp::Mod, &[*shift, extents[*axis]]);
        let tail = builder.scalar(ScalarOp::Sub, &[extents[*axis], head]);
        let mut halves = Vec::with_capacity(2 * parts.len());
        for (part, destination) in parts {
            for (from, to, length) in [(zero, head, tail), (tail, zero, head)] {
                let half = builder.slice(part, *axis, from, length, one);
                halves.push((half, builder.slice(destination, *axis, to, length, one)));
            }
        }
        parts = halves;
    }
    for (part, destination) in parts {
        builder.assign(destination, part);
    }
    result
}
