//! Rows that turn arrays: directions of axes reversed, quarter turns.

use super::binding::Call;
use super::error::bad_argument;
use super::reduction::normalise_axis;
use super::value::{FunctionError, PyValue};
use super::{Class, Emit, Function};
use crate::array::{Builder, ValueId};
use crate::scalar::ScalarOp;

const fn view(name: &'static str, parameters: &'static str, emit: Emit) -> Function {
    Function::new(name, parameters, Class::View(emit))
}

/// The rows.
pub const TABLE: &[Function] = &[
    view("numpy.flip", "m, axis=None", flip).doc("directions of axes reversed").example("np.flip(x)"),
    view("numpy.fliplr", "m", flip_left_right).doc("columns reversed").example("np.fliplr(y)"),
    view("numpy.flipud", "m", flip_up_down).doc("rows reversed").example("np.flipud(x)"),
    view("numpy.rot90", "m, k=1, axes=(0, 1)", rotate).doc("turned by right angles").example("np.rot90(y)"),
];

fn flip(call: &mut Call) -> Result<PyValue, FunctionError> {
    let array = call.array("m")?.value;
    let rank = call.builder.rank(array);
    let axes = call.axes("axis", rank)?.unwrap_or_else(|| (0..rank).collect());
    let value = if axes.is_empty() { call.builder.whole(array) } else { flipped(call.builder, array, &axes) };
    Ok(PyValue::array(value))
}

fn flip_left_right(call: &mut Call) -> Result<PyValue, FunctionError> {
    flip_axis(call, 1)
}

fn flip_up_down(call: &mut Call) -> Result<PyValue, FunctionError> {
    flip_axis(call, 0)
}

fn flip_axis(call: &mut Call, axis: usize) -> Result<PyValue, FunctionError> {
    let array = call.array("m")?.value;
    if call.builder.rank(array) <= axis {
        return Err(call.refuse("m", if axis == 0 { "an array of at least one axis" } else { "an array of two axes" }));
    }
    Ok(PyValue::array(flipped(call.builder, array, &[axis])))
}

fn flipped(builder: &mut Builder, array: ValueId, axes: &[usize]) -> ValueId {
    let (one, backwards) = (builder.i64(1), builder.i64(-1));
    axes.iter().fold(array, |value, axis| {
        let extent = builder.dim(value, *axis);
        let last = builder.scalar(ScalarOp::Sub, &[extent, one]);
        builder.slice(value, *axis, last, extent, backwards)
    })
}

/// From the first axis towards the second, `k` times.
fn rotate(call: &mut Call) -> Result<PyValue, FunctionError> {
    let array = call.array("m")?.value;
    let rank = call.builder.rank(array);
    if rank < 2 {
        return Err(call.refuse("m", "an array of at least two axes"));
    }
    let axes = call.constant_integers("axes")?.unwrap_or_else(|| vec![0, 1]);
    let [first, second] = axes[..] else { return Err(call.refuse("axes", "two axes")) };
    let (first, second) = (normalise_axis(first, rank)?, normalise_axis(second, rank)?);
    if first == second {
        return Err(bad_argument("the axes of `numpy.rot90` must be different").at(call.position("axes")));
    }
    let turns = call.constant_integer("k")?.unwrap_or(1).rem_euclid(4);
    let mut permutation: Vec<usize> = (0..rank).collect();
    permutation.swap(first, second);
    let builder = &mut *call.builder;
    Ok(PyValue::array(match turns {
        0 => builder.whole(array),
        1 => {
            let value = flipped(builder, array, &[second]);
            builder.permute(value, &permutation)
        }
        2 => flipped(builder, array, &[first, second]),
        _ => {
            let value = builder.permute(array, &permutation);
            flipped(builder, value, &[second])
        }
    }))
}
