//! Rows that repeat arrays, lay them out as coordinates, or surround them.

use super::binding::Call;
use super::elementwise::check_rank;
use super::error::bad_argument;
use super::manipulation::flat;
use super::reduction::normalise_axis;
use super::shape;
use super::value::{Family, FunctionError, PyValue, Typed};
use super::{Class, Emit, Function, convert};
use crate::DType;
use crate::array::{Builder, ErrorKind, Order, ValueId};
use crate::scalar::{Body, BodyBuilder, ScalarOp};

const fn create(name: &'static str, parameters: &'static str, emit: Emit) -> Function {
    Function::new(name, parameters, Class::Create(emit))
}

/// The rows.
pub const TABLE: &[Function] = &[
    create("numpy.repeat", "a, repeats, axis=None", repeat)
        .aliases(&["ndarray.repeat"])
        .method("self, repeats, /, axis=None")
        .doc("each element several times, next to each other")
        .example("np.repeat(y, 2, axis=1)"),
    create("numpy.tile", "A, reps", tile).doc("an array several times along its axes").example("np.tile(y, (2, 1))"),
    create("numpy.meshgrid", "*xi, copy=True, sparse=False, indexing='xy'", meshgrid)
        .doc("a tuple of arrays of coordinates, one for each vector")
        .example("np.meshgrid(x, x[:2])"),
    create("numpy.indices", "dimensions, dtype=int, sparse=False", indices)
        .doc("indices of the elements of an array of a shape")
        .example("np.indices((2, 3))"),
];

fn repeat(call: &mut Call) -> Result<PyValue, FunctionError> {
    let array = call.array("a")?.value;
    let (array, axis) = match call.constant_integer("axis")? {
        None => {
            (if call.builder.rank(array) == 0 { call.builder.new_axis(array, 0) } else { flat(call.builder, array) }, 0)
        }
        Some(axis) => (array, normalise_axis(axis, call.builder.rank(array)).map_err(|e| e.at(call.position("axis")))?),
    };
    let times = call.get("repeats").unwrap_or(PyValue::None);
    let Some(times) = call.integer_of(&times) else {
        return Err(call.refuse("repeats", "one integer").help("repeat every element as often: `np.repeat(x, 3)`"));
    };
    let builder = &mut *call.builder;
    let zero = builder.i64(0);
    let fits = builder.scalar(ScalarOp::Ge, &[times, zero]);
    builder.check(fits, ErrorKind::Value, "repeats may not contain negative values.", &[]);
    let mut extents = builder.shape(array);
    let mut merged = extents.clone();
    merged[axis] = builder.scalar(ScalarOp::Mul, &[extents[axis], times]);
    check_rank(extents.len() + 1)?;
    extents.insert(axis + 1, times);
    let each = builder.new_axis(array, axis + 1);
    Ok(PyValue::array(laid_out(builder, each, &extents, &merged)))
}

/// A view broadcast to extents, copied in C order, under other extents of the same size.
fn laid_out(builder: &mut Builder, view: ValueId, extents: &[ValueId], merged: &[ValueId]) -> ValueId {
    let dtype = builder.dtype(view);
    let copy = builder.map_ordered(extents, &[view], Body::identity(dtype), Order::C)[0];
    builder.reshape(copy, merged)
}

fn tile(call: &mut Call) -> Result<PyValue, FunctionError> {
    let mut array = call.array("A")?.value;
    let mut times = shape::extents(call, "reps")?;
    let rank = call.builder.rank(array).max(times.len());
    check_rank(2 * rank).map_err(|_| bad_argument("`numpy.tile` takes arrays of at most 8 axes"))?;
    let builder = &mut *call.builder;
    while builder.rank(array) < rank {
        array = builder.new_axis(array, 0);
    }
    while times.len() < rank {
        let one = builder.i64(1);
        times.insert(0, one);
    }
    let own = builder.shape(array);
    let (mut extents, mut merged) = (Vec::with_capacity(2 * rank), Vec::with_capacity(rank));
    for (n, (extent, times)) in own.into_iter().zip(times).enumerate() {
        merged.push(builder.scalar(ScalarOp::Mul, &[times, extent]));
        extents.extend([times, extent]);
        array = builder.new_axis(array, 2 * n);
    }
    Ok(PyValue::array(laid_out(builder, array, &extents, &merged)))
}

fn meshgrid(call: &mut Call) -> Result<PyValue, FunctionError> {
    let is_matrix = match call.given("indexing") {
        None => false,
        Some(PyValue::Str(text)) if text == "ij" => true,
        Some(PyValue::Str(text)) if text == "xy" => false,
        Some(_) => return Err(call.refuse("indexing", "`'xy'` or `'ij'`")),
    };
    let Some(PyValue::Tuple(items)) = call.get("xi") else { return Ok(PyValue::Tuple(Vec::new())) };
    let mut vectors = Vec::with_capacity(items.len());
    for item in items {
        let typed = match item {
            PyValue::Typed(typed) => typed,
            display @ (PyValue::List(_) | PyValue::Tuple(_)) => {
                convert::array_of_display(call.builder, &display, None)?
            }
            _ => return Err(call.refuse("xi", "vectors")),
        };
        let array = convert::to_array(call.builder, typed).value;
        let is_single = call.builder.rank(array) == 0;
        vectors.push(if is_single { call.builder.new_axis(array, 0) } else { flat(call.builder, array) });
    }
    check_rank(vectors.len())?;
    let mut extents: Vec<ValueId> = vectors.iter().map(|v| call.builder.dim(*v, 0)).collect();
    let exchanges = !is_matrix && vectors.len() > 1;
    if exchanges {
        extents.swap(0, 1);
    }
    let n = vectors.len();
    let (is_sparse, is_copied) = (call.flag("sparse", false)?, call.flag("copy", true)?);
    let grids = vectors.into_iter().enumerate().map(|(k, vector)| {
        let axis = if exchanges && k < 2 { 1 - k } else { k };
        let mut view = vector;
        for _ in axis + 1..n {
            let rank = call.builder.rank(view);
            view = call.builder.new_axis(view, rank);
        }
        let dtype = call.builder.dtype(view);
        if is_sparse {
            for _ in 0..axis {
                view = call.builder.new_axis(view, 0);
            }
            if !is_copied {
                return PyValue::array(view);
            }
            let own = call.builder.shape(view);
            return PyValue::array(call.builder.map_ordered(&own, &[view], Body::identity(dtype), Order::C)[0]);
        }
        let view = call.builder.broadcast_to(view, &extents);
        if !is_copied {
            return PyValue::array(view);
        }
        PyValue::array(call.builder.map_ordered(&extents, &[view], Body::identity(dtype), Order::C)[0])
    });
    let grids = grids.collect();
    // NumPy makes a tuple of what it copies or broadcasts, and leaves its own list otherwise.
    Ok(if is_sparse && !is_copied { PyValue::List(grids) } else { PyValue::Tuple(grids) })
}

fn indices(call: &mut Call) -> Result<PyValue, FunctionError> {
    let dtype = call.dtype("dtype")?.unwrap_or(DType::I64);
    let extents = shape::extents(call, "dimensions")?;
    check_rank(extents.len() + 1)?;
    let n_axes = call.builder.i64(extents.len() as i64);
    let shape: Vec<ValueId> = extents.iter().copied().chain([n_axes]).collect();
    shape::check_bytes(call.builder, &shape, dtype);
    let axes: Vec<Axis> = extents.into_iter().map(|extent| Axis { extent, start: None, step: None }).collect();
    if call.flag("sparse", false)? {
        return Ok(PyValue::Tuple(open_grid(call.builder, &axes, dtype).into_iter().map(PyValue::array).collect()));
    }
    Ok(PyValue::array(coordinates(call.builder, &axes, dtype)))
}

/// One axis of a grid of coordinates; those of `None` are 0 and 1.
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    /// How many points it has.
    pub extent: ValueId,
    /// The first coordinate, a host scalar of the grid's dtype.
    pub start: Option<ValueId>,
    /// The distance of neighbours, likewise.
    pub step: Option<ValueId>,
}

/// The coordinates along each axis of a grid, each an array along an axis of its own.
pub fn open_grid(builder: &mut Builder, axes: &[Axis], dtype: DType) -> Vec<ValueId> {
    let zero = builder.i64(0);
    let mut arrays = Vec::with_capacity(axes.len());
    for (n, axis) in axes.iter().enumerate() {
        let grid = coordinates(builder, &[*axis], dtype);
        let mut array = builder.index(grid, 0, zero);
        for other in (0..axes.len()).filter(|other| *other != n) {
            array = builder.new_axis(array, other);
        }
        arrays.push(array);
    }
    arrays
}

/// The coordinates of a grid's points: an array for each axis, along a new first axis.
pub fn coordinates(builder: &mut Builder, axes: &[Axis], dtype: DType) -> ValueId {
    let n = builder.i64(axes.len() as i64);
    let extents: Vec<ValueId> = std::iter::once(n).chain(axes.iter().map(|a| a.extent)).collect();
    let mut inputs = Vec::new();
    let mut body = BodyBuilder::new();
    let which = body.index(0);
    let mut result = body.constant(0.0, dtype);
    for (k, axis) in axes.iter().enumerate() {
        let place = body.index(k as u32 + 1);
        let mut value = body.cast(place, dtype);
        for (operand, op) in [(axis.step, ScalarOp::Mul), (axis.start, ScalarOp::Add)] {
            if let Some(operand) = operand {
                inputs.push(operand);
                let operand = body.input(inputs.len() as u32 - 1, dtype);
                value = body.op(op, &[value, operand]);
            }
        }
        let k = body.constant(k as f64, DType::I64);
        let is_this = body.op(ScalarOp::Eq, &[which, k]);
        result = body.op(ScalarOp::Select, &[is_this, value, result]);
    }
    builder.map_ordered(&extents, &inputs, body.finish(vec![result]), Order::C)[0]
}

/// A value as a host scalar of a dtype, for [`Axis`].
pub fn coordinate(builder: &mut Builder, value: Typed, dtype: DType) -> ValueId {
    let host = convert::to_host(builder, Typed { family: Family::Numpy, ..value });
    convert::cast_host(builder, host, dtype)
}
