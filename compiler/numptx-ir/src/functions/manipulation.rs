//! Rows that give views of an array, or copies where strides do not allow one: axes, shapes, directions, parts.

use numptx_source::code;

use super::binding::{self, Call};
use super::elementwise::{check_broadcasts_to, check_rank, check_same_extent};
use super::error::{bad_argument, bad_axis};
use super::reduction::{normalise_axis, product};
use super::shape::{self, Extent};
use super::value::{FunctionError, PyValue, Typed};
use super::{Class, Emit, Function, complex, convert, output, ufunc};
use crate::array::{Builder, ErrorKind, Layout, OpKind, Order, OrderTerm, Reading, ValueId};
use crate::scalar::{Body, BodyBuilder, ScalarOp};

const fn view(name: &'static str, parameters: &'static str, emit: Emit) -> Function {
    Function::new(name, parameters, Class::View(emit))
}

/// The rows.
pub const TABLE: &[Function] = &[
    view("numpy.transpose", "a, axes=None", transpose)
        .aliases(&["numpy.permute_dims", "ndarray.T"])
        .doc("axes permuted; reversed by default")
        .example("np.transpose(x)"),
    view("ndarray.transpose", "a, *axes", transpose).doc("axes permuted; reversed by default").example("x.transpose()"),
    view("numpy.swapaxes", "a, axis1, axis2", swapaxes)
        .aliases(&["ndarray.swapaxes"])
        .method("self, axis1, axis2, /")
        .doc("two axes exchanged")
        .example("np.swapaxes(x, 0, -1)"),
    view("numpy.moveaxis", "a, source, destination", moveaxis)
        .doc("axes moved to other places")
        .example("np.moveaxis(x, 0, -1)"),
    view("numpy.rollaxis", "a, axis, start=0", rollaxis)
        .doc("an axis moved before another one")
        .example("np.rollaxis(y, 1)"),
    view("numpy.matrix_transpose", "x, /", matrix_transpose)
        .aliases(&["ndarray.mT"])
        .doc("the last two axes exchanged")
        .example("np.matrix_transpose(y)"),
    view("numpy.reshape", "a, /, shape, order='C', *, copy=None", reshape)
        .without(&["copy"])
        .doc("another shape of the same size; one extent may be -1")
        .example("np.reshape(x, (-1,))"),
    view("ndarray.reshape", "a, *shape, order='C', copy=None", reshape)
        .without(&["copy"])
        .doc("another shape of the same size; one extent may be -1")
        .example("x.reshape(-1)"),
    view("numpy.ravel", "a, order='C'", ravel)
        .aliases(&["ndarray.ravel"])
        .doc("one axis; a view where strides allow it")
        .example("np.ravel(x)"),
    view("ndarray.flatten", "a, order='C'", flatten).doc("one axis; a copy").example("x.flatten()"),
    view("numpy.squeeze", "a, axis=None", squeeze)
        .aliases(&["ndarray.squeeze"])
        .doc("axes of extent 1 removed")
        .example("np.squeeze(x[None], 0)"),
    view("numpy.expand_dims", "a, axis", expand_dims).doc("axes of extent 1 inserted").example("np.expand_dims(x, 0)"),
    view("numpy.broadcast_to", "array, shape, subok=False", broadcast_to)
        .without(&["subok"])
        .doc("repeated without a copy; read-only")
        .example("np.broadcast_to(2.0, (2, 3))"),
    view("numpy.atleast_1d", "*arys", at_least_1)
        .doc("at least one axis; of several arrays a tuple")
        .example("np.atleast_1d(x)"),
    view("numpy.atleast_2d", "*arys", at_least_2)
        .doc("at least two axes; of several arrays a tuple")
        .example("np.atleast_2d(x, y)"),
    view("numpy.atleast_3d", "*arys", at_least_3)
        .doc("at least three axes; of several arrays a tuple")
        .example("np.atleast_3d(x)"),
    view("ndarray.conj", "a, out=None, /", conjugate)
        .differs("NumPy takes `out` by position, too; its signature does not tell")
        .aliases(&["ndarray.conjugate"])
        .doc("complex conjugate; of real x the array itself")
        .example("x.conj()"),
    view("numpy.real", "val", real).aliases(&["ndarray.real"]).doc("the real parts").example("np.real(x)"),
    view("numpy.imag", "val", imag)
        .aliases(&["ndarray.imag"])
        .doc("the imaginary parts; read-only zeros of real arrays")
        .example("np.imag(x)"),
];

fn transpose(call: &mut Call) -> Result<PyValue, FunctionError> {
    let array = call.array("a")?.value;
    let rank = call.builder.rank(array);
    let axes = match call.given("axes") {
        None => None,
        Some(PyValue::Tuple(items)) if items.is_empty() || items == [PyValue::None] => None,
        Some(PyValue::Tuple(items)) => {
            let items = match &items[..] {
                [PyValue::Tuple(inner) | PyValue::List(inner)] => inner.clone(),
                _ => items,
            };
            let axes: Option<Vec<i64>> = items.iter().map(|v| binding::constant_integer(call.builder, v)).collect();
            Some(axes.ok_or_else(|| call.refuse("axes", "integers that are known when compiling"))?)
        }
        Some(_) => call.constant_integers("axes")?,
    };
    let permutation = match axes {
        None => (0..rank).rev().collect(),
        Some(axes) if axes.len() != rank => {
            let message = format!("{} axes are given for an array of {rank}", axes.len());
            return Err(FunctionError::new(code::BAD_AXIS, message).at(call.position("axes")));
        }
        Some(axes) => axes.iter().map(|a| normalise_axis(*a, rank)).collect::<Result<Vec<usize>, _>>()?,
    };
    permute(call, array, &permutation)
}

fn permute(call: &mut Call, array: ValueId, permutation: &[usize]) -> Result<PyValue, FunctionError> {
    let mut sorted = permutation.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    if sorted.len() != permutation.len() {
        return Err(FunctionError::new(code::BAD_AXIS, "an axis stands twice in a permutation of axes"));
    }
    if permutation.is_sorted() {
        return Ok(PyValue::array(call.builder.whole(array)));
    }
    Ok(PyValue::array(call.builder.permute(array, permutation)))
}

fn constant_axis(call: &Call, name: &str, rank: usize) -> Result<usize, FunctionError> {
    match call.constant_integer(name)? {
        Some(axis) => normalise_axis(axis, rank).map_err(|e| e.at(call.position(name))),
        None => Err(call.refuse(name, "an integer that is known when compiling")),
    }
}

fn swapaxes(call: &mut Call) -> Result<PyValue, FunctionError> {
    let array = call.array("a")?.value;
    let rank = call.builder.rank(array);
    let (first, second) = (constant_axis(call, "axis1", rank)?, constant_axis(call, "axis2", rank)?);
    let mut permutation: Vec<usize> = (0..rank).collect();
    permutation.swap(first, second);
    permute(call, array, &permutation)
}

fn moveaxis(call: &mut Call) -> Result<PyValue, FunctionError> {
    let array = call.array("a")?.value;
    let rank = call.builder.rank(array);
    let normalised = |name: &str| -> Result<Vec<usize>, FunctionError> {
        let axes = call.constant_integers(name)?.unwrap_or_default();
        axes.iter().map(|a| normalise_axis(*a, rank).map_err(|e| e.at(call.position(name)))).collect()
    };
    let (source, destination) = (normalised("source")?, normalised("destination")?);
    if source.len() != destination.len() {
        return Err(bad_argument("`source` and `destination` of `numpy.moveaxis` must have the same number of axes"));
    }
    let mut permutation: Vec<usize> = (0..rank).filter(|k| !source.contains(k)).collect();
    let mut moves: Vec<(usize, usize)> = destination.into_iter().zip(source).collect();
    moves.sort_unstable();
    for (place, axis) in moves {
        permutation.insert(place.min(permutation.len()), axis);
    }
    if permutation.len() != rank {
        return Err(FunctionError::new(code::BAD_AXIS, "an axis stands twice in `source` of `numpy.moveaxis`"));
    }
    permute(call, array, &permutation)
}

fn rollaxis(call: &mut Call) -> Result<PyValue, FunctionError> {
    let array = call.array("a")?.value;
    let rank = call.builder.rank(array);
    let axis = constant_axis(call, "axis", rank)?;
    let start = call.constant_integer("start")?.unwrap_or(0);
    let start = if start < 0 { start + rank as i64 } else { start };
    if !(0..=rank as i64).contains(&start) {
        return Err(bad_axis(start, rank).at(call.position("start")));
    }
    let mut permutation: Vec<usize> = (0..rank).filter(|k| *k != axis).collect();
    let place = if (axis as i64) < start { start - 1 } else { start };
    permutation.insert(place as usize, axis);
    permute(call, array, &permutation)
}

fn matrix_transpose(call: &mut Call) -> Result<PyValue, FunctionError> {
    let array = call.array("x")?.value;
    let rank = call.builder.rank(array);
    if rank < 2 {
        return Err(call.refuse("x", "an array of at least two axes"));
    }
    let mut permutation: Vec<usize> = (0..rank).collect();
    permutation.swap(rank - 2, rank - 1);
    permute(call, array, &permutation)
}

fn reshape(call: &mut Call) -> Result<PyValue, FunctionError> {
    let array = call.array("a")?.value;
    let requested = shape::extents_or_inferred(call, "shape")?;
    let extents = infer(call, array, &requested)?;
    let reading = shape::reading(call, array)?;
    if reading == Reading::K {
        return Err(call.refuse("order", "'C', 'F' or 'A'"));
    }
    let value = if reading == Reading::A {
        let operands = [&[array], &extents[..]].concat();
        let value = call.builder.emit(OpKind::Reshape(reading), operands)[0];
        call.builder.set_shape(value, extents);
        value
    } else if reading == Reading::F {
        let backwards: Vec<ValueId> = extents.iter().rev().copied().collect();
        let transposed = reversed(call.builder, array);
        let reshaped = call.builder.reshape(transposed, &backwards);
        reversed(call.builder, reshaped)
    } else {
        call.builder.reshape(array, &extents)
    };
    Ok(PyValue::array(value))
}

fn reversed(builder: &mut Builder, array: ValueId) -> ValueId {
    let permutation: Vec<usize> = (0..builder.rank(array)).rev().collect();
    builder.permute(array, &permutation)
}

/// The extents that a reshape asks for, checked to have the array's size.
fn infer(call: &mut Call, array: ValueId, requested: &[Extent]) -> Result<Vec<ValueId>, FunctionError> {
    let shape = call.builder.shape(array);
    let size = product(call.builder, &shape);
    let known: Vec<ValueId> =
        requested.iter().filter_map(|e| if let Extent::Value(value) = e { Some(*value) } else { None }).collect();
    let others = product(call.builder, &known);
    let n_inferred = requested.len() - known.len();
    if n_inferred > 1 {
        let message = "can only specify one unknown dimension, found several -1";
        return Err(FunctionError::new(code::BAD_SHAPE, message).at(call.position("shape")));
    }
    let constants = (call.builder.as_i64(size), call.builder.as_i64(others));
    let inferred = match constants {
        _ if n_inferred == 0 => None,
        (Some(size), Some(others)) if others > 0 => Some(call.builder.i64(size / others)),
        (_, Some(1)) => Some(size),
        _ => Some(call.builder.scalar(ScalarOp::FloorDiv, &[size, others])),
    };
    let extents: Vec<ValueId> = requested
        .iter()
        .map(|e| match (e, inferred) {
            (Extent::Value(value), _) => *value,
            (Extent::Inferred, Some(value)) => value,
            (Extent::Inferred, None) => size,
        })
        .collect();
    check_size(call, size, &extents, inferred.map(|_| others), requested)?;
    Ok(extents)
}

fn check_size(
    call: &mut Call,
    size: ValueId,
    extents: &[ValueId],
    others: Option<ValueId>,
    requested: &[Extent],
) -> Result<(), FunctionError> {
    let total = product(call.builder, extents);
    if total == size || (others.is_some_and(|o| call.builder.as_i64(o) == Some(1))) {
        return Ok(());
    }
    let known = |value: &ValueId| call.builder.as_i64(*value).map_or("{}".to_string(), |n| n.to_string());
    let mut shape: Vec<String> = Vec::new();
    let mut payload = vec![size];
    for (extent, request) in extents.iter().zip(requested) {
        match request {
            Extent::Inferred => shape.push("-1".to_string()),
            Extent::Value(_) => {
                shape.push(known(extent));
                payload.extend(call.builder.as_i64(*extent).is_none().then_some(*extent));
            }
        }
    }
    let comma = if shape.len() == 1 { "," } else { "" };
    let shape = format!("({}{comma})", shape.join(","));
    if let (Some(found), Some(total)) = (call.builder.as_i64(size), call.builder.as_i64(total)) {
        let divides = others.is_none_or(|o| call.builder.as_i64(o) != Some(0));
        if found == total && divides {
            return Ok(());
        }
        let message = format!("cannot reshape array of size {found} into shape {shape}");
        return Err(FunctionError::new(code::BAD_SHAPE, message).at(call.position("shape")));
    }
    let mut fine = call.builder.scalar(ScalarOp::Eq, &[total, size]);
    if let Some(others) = others {
        let zero = call.builder.i64(0);
        let divides = call.builder.scalar(ScalarOp::Ne, &[others, zero]);
        fine = call.builder.scalar(ScalarOp::BitAnd, &[fine, divides]);
    }
    let message = format!("cannot reshape array of size {{}} into shape {shape}");
    call.builder.check(fine, ErrorKind::Value, message, &payload);
    Ok(())
}

fn ravel(call: &mut Call) -> Result<PyValue, FunctionError> {
    let array = call.array("a")?.value;
    let reading = shape::reading(call, array)?;
    Ok(PyValue::array(along_one_axis(call.builder, array, reading)))
}

/// The elements in an order along one axis, as an array of its own or a view.
fn along_one_axis(builder: &mut Builder, array: ValueId, reading: Reading) -> ValueId {
    let (array, reading) = match reading {
        Reading::F => (reversed(builder, array), Reading::C),
        reading => (array, reading),
    };
    if builder.rank(array) == 1 && shape::layout(builder, array) == Layout::C {
        return builder.whole(array);
    }
    let shape = builder.shape(array);
    let size = product(builder, &shape);
    builder.ravel(array, reading, size)
}

/// One axis, in C order; a view where strides allow it.
pub(super) fn flat(builder: &mut Builder, array: ValueId) -> ValueId {
    if builder.rank(array) == 1 {
        return array;
    }
    let shape = builder.shape(array);
    let size = product(builder, &shape);
    builder.reshape(array, &[size])
}

fn flatten(call: &mut Call) -> Result<PyValue, FunctionError> {
    let mut array = call.array("a")?.value;
    let reading = shape::reading(call, array)?;
    if reading == Reading::F {
        array = reversed(call.builder, array);
    }
    if reading == Reading::A {
        array = call.builder.contiguous(array, reading);
    }
    let (extents, dtype) = (call.builder.shape(array), call.builder.dtype(array));
    let follows = matches!(reading, Reading::A | Reading::K);
    let order = if follows { Order::K(vec![OrderTerm::Input(0)]) } else { Order::C };
    let copy = call.builder.map_ordered(&extents, &[array], Body::identity(dtype), order)[0];
    let value = if follows { along_one_axis(call.builder, copy, reading) } else { flat(call.builder, copy) };
    Ok(PyValue::array(value))
}

fn squeeze(call: &mut Call) -> Result<PyValue, FunctionError> {
    let mut array = call.array("a")?.value;
    let rank = call.builder.rank(array);
    let extents = call.builder.shape(array);
    let axes = match call.axes("axis", rank)? {
        Some(axes) => axes,
        None if extents.iter().any(|e| call.builder.as_i64(*e).is_none()) => {
            let message = "numptx must know the number of axes when compiling, and an extent may or may not be 1";
            return Err(FunctionError::new(code::BAD_SHAPE, message).help("name the axes: `np.squeeze(x, axis=0)`"));
        }
        None => (0..rank).filter(|k| call.builder.as_i64(extents[*k]) == Some(1)).collect(),
    };
    let one = call.builder.i64(1);
    for axis in axes.into_iter().rev() {
        let message = "cannot select an axis to squeeze out which has size not equal to one";
        check_same_extent(call.builder, extents[axis], one, message)?;
        array = call.builder.drop_axis(array, axis);
    }
    Ok(PyValue::array(array))
}

fn expand_dims(call: &mut Call) -> Result<PyValue, FunctionError> {
    let mut array = call.array("a")?.value;
    let Some(axes) = call.constant_integers("axis")? else { return Err(call.refuse("axis", "an integer or a tuple")) };
    let rank = call.builder.rank(array) + axes.len();
    check_rank(rank)?;
    let mut places = axes.iter().map(|a| normalise_axis(*a, rank)).collect::<Result<Vec<usize>, _>>()?;
    places.sort_unstable();
    if places.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(bad_axis(axes[0], rank).help("each new axis needs a place of its own"));
    }
    if places.is_empty() {
        return Ok(PyValue::array(call.builder.whole(array)));
    }
    for place in places {
        array = call.builder.new_axis(array, place);
    }
    Ok(PyValue::array(array))
}

fn broadcast_to(call: &mut Call) -> Result<PyValue, FunctionError> {
    let array = call.array("array")?.value;
    let target = shape::extents(call, "shape")?;
    let own = call.builder.shape(array);
    if own.len() > target.len() {
        let message = format!("an array of {} axes cannot be broadcast to {}", own.len(), target.len());
        return Err(FunctionError::new(code::BROADCAST_MISMATCH, message).at(call.position("shape")));
    }
    for (axis, extent) in own.iter().enumerate() {
        check_broadcasts_to(call.builder, *extent, target[axis + target.len() - own.len()])?;
    }
    shape::check_elements(call.builder, &target);
    let mut operands = vec![array];
    operands.extend(&target);
    let value = call.builder.emit(OpKind::Broadcast, operands)[0];
    call.builder.set_shape(value, target);
    Ok(PyValue::array(value))
}

/// NumPy's method computes of complex numbers only.
fn conjugate(call: &mut Call) -> Result<PyValue, FunctionError> {
    let operand = call.operand("a")?;
    let dtype = call.builder.dtype(operand.value);
    if dtype.is_complex() {
        return ufunc::emit(call, &[operand], &[dtype], &mut complex::conjugate);
    }
    let outs = call.outputs(1)?;
    output::deliver(call, vec![operand], &outs)
}

fn at_least_1(call: &mut Call) -> Result<PyValue, FunctionError> {
    at_least(call, &[&[0]])
}

fn at_least_2(call: &mut Call) -> Result<PyValue, FunctionError> {
    at_least(call, &[&[0, 0], &[0]])
}

/// A vector lies along the second of three axes.
fn at_least_3(call: &mut Call) -> Result<PyValue, FunctionError> {
    at_least(call, &[&[0, 0, 0], &[0, 2], &[2]])
}

/// New axes at the places for an array's number of axes, of each array.
fn at_least(call: &mut Call, places: &[&[usize]]) -> Result<PyValue, FunctionError> {
    let Some(PyValue::Tuple(given)) = call.get("arys") else { return Ok(PyValue::Tuple(Vec::new())) };
    let mut results = Vec::with_capacity(given.len());
    for value in &given {
        let typed = match value {
            PyValue::Typed(typed) => *typed,
            PyValue::List(_) | PyValue::Tuple(_) => convert::array_of_display(call.builder, value, None)?,
            _ => return Err(bad_argument(format!("`{}` takes arrays and numbers", call.function.name))),
        };
        let mut array = convert::to_array(call.builder, typed).value;
        for place in places.get(call.builder.rank(array)).copied().unwrap_or_default() {
            array = call.builder.new_axis(array, *place);
        }
        results.push(PyValue::array(array));
    }
    Ok(ufunc::one_or_tuple(results))
}

fn real(call: &mut Call) -> Result<PyValue, FunctionError> {
    let source = call.operand("val")?;
    if !call.builder.dtype(source.value).is_complex() {
        return Ok(PyValue::Typed(source));
    }
    Ok(PyValue::Typed(part(call, source, false)))
}

fn imag(call: &mut Call) -> Result<PyValue, FunctionError> {
    let source = call.operand("val")?;
    let dtype = call.builder.dtype(source.value);
    if dtype.is_complex() {
        return Ok(PyValue::Typed(part(call, source, true)));
    }
    let mut body = BodyBuilder::new();
    let zero = body.constant(0.0, dtype);
    let body = body.finish(vec![zero]);
    if call.builder.is_scalar(source.value) {
        let value = convert::body_on_host(call.builder, &body, &[])[0];
        return Ok(PyValue::Typed(Typed { value, family: source.family }));
    }
    let extents = call.builder.shape(source.value);
    // In F order where the array is, else in C order.
    let (inputs, order) = match shape::layout(call.builder, source.value) {
        Layout::C => (Vec::new(), Order::C),
        Layout::F => (Vec::new(), Order::F),
        Layout::Any if extents.len() < 2 => (Vec::new(), Order::C),
        Layout::Any => (vec![call.builder.contiguous(source.value, Reading::A)], Order::K(vec![OrderTerm::Input(0)])),
    };
    let zeros = call.builder.map_ordered(&extents, &inputs, body, order)[0];
    let value = call.builder.read_only(zeros);
    Ok(PyValue::Typed(Typed { value, family: source.family }))
}

/// A part of complex values: a view of arrays.
fn part(call: &mut Call, source: Typed, imaginary: bool) -> Typed {
    let op = if imaginary { ScalarOp::Imag } else { ScalarOp::Real };
    let value = if call.builder.is_scalar(source.value) {
        call.builder.scalar(op, &[source.value])
    } else {
        call.builder.part(source.value, imaginary)
    };
    Typed { value, family: source.family }
}
