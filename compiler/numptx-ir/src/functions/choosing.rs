//! Rows that choose elements by whether they are 0: how many results there are is known when running only.

use numptx_source::code;

use super::binding::Call;
use super::compaction::Chosen;
use super::error::bad_argument;
use super::manipulation::flat;
use super::output::cast;
use super::reduction::normalise_axis;
use super::selection::{Along, OutOfRange, Selection};
use super::value::{FunctionError, PyValue};
use super::{Class, Function};
use crate::DType;
use crate::array::{Builder, Order, ValueId};
use crate::promotion::Casting;

/// The rows.
pub const TABLE: &[Function] = &[
    Function::new("numpy.nonzero", "a", Class::Index(nonzero))
        .aliases(&["ndarray.nonzero"])
        .doc("a tuple of the indices, axis by axis, of the elements that are not 0")
        .example("np.nonzero(x > 1)"),
    Function::new("numpy.flatnonzero", "a", Class::Index(flat_nonzero))
        .doc("indices in C order of the elements that are not 0")
        .example("np.flatnonzero(y > 1)"),
    Function::new("numpy.argwhere", "a", Class::Index(argwhere))
        .doc("indices of the elements that are not 0, a row each")
        .example("np.argwhere(y > 1)"),
    Function::new("numpy.compress", "condition, a, axis=None, out=None", Class::Index(compress))
        .doc("elements along an axis where a vector is not 0")
        .example("np.compress([True, False, True], x)"),
    Function::new("ndarray.compress", "a, condition, axis=None, out=None", Class::Index(compress))
        .doc("elements along an axis where a vector is not 0"),
    Function::new("numpy.extract", "condition, arr", Class::Index(extract))
        .doc("elements where an array of the same size is not 0")
        .example("np.extract(y > 1, y)"),
];

fn nonzero(call: &mut Call) -> Result<PyValue, FunctionError> {
    let array = call.array("a")?.value;
    indices(call, array)
}

/// The tuple that `np.nonzero` gives: the columns of one array.
pub(super) fn indices(call: &mut Call, array: ValueId) -> Result<PyValue, FunctionError> {
    let builder = &mut *call.builder;
    let rank = builder.rank(array);
    if rank == 0 {
        return Err(bad_argument(format!("`{}` does not exist for single values", call.function.name))
            .help("give it an axis first: `np.nonzero(np.atleast_1d(x))`"));
    }
    let chosen = Chosen::of(builder, array);
    let n_axes = builder.i64(rank as i64);
    let table = builder.alloc(DType::I64, &[chosen.count, n_axes], Order::C);
    let columns = (0..rank).map(|axis| {
        let position = builder.i64(axis as i64);
        let column = builder.index(table, 1, position);
        chosen.indices_into(builder, axis, column);
        PyValue::array(column)
    });
    Ok(PyValue::Tuple(columns.collect()))
}

fn flat_nonzero(call: &mut Call) -> Result<PyValue, FunctionError> {
    let array = call.array("a")?.value;
    let along = flat(call.builder, array);
    Ok(PyValue::array(numbers(call.builder, along)))
}

/// The indices of the elements of a vector that are not 0.
fn numbers(builder: &mut Builder, vector: ValueId) -> ValueId {
    let chosen = Chosen::of(builder, vector);
    let indices = builder.alloc(DType::I64, &[chosen.count], Order::C);
    chosen.indices_into(builder, 0, indices);
    indices
}

fn argwhere(call: &mut Call) -> Result<PyValue, FunctionError> {
    let array = call.array("a")?.value;
    let builder = &mut *call.builder;
    let rank = builder.rank(array);
    if rank == 0 {
        return Err(call.refuse("a", "an array of at least one axis"));
    }
    let chosen = Chosen::of(builder, array);
    let n_axes = builder.i64(rank as i64);
    let table = builder.alloc(DType::I64, &[n_axes, chosen.count], Order::C);
    for axis in 0..rank {
        let position = builder.i64(axis as i64);
        let row = builder.index(table, 0, position);
        chosen.indices_into(builder, axis, row);
    }
    Ok(PyValue::array(builder.permute(table, &[1, 0])))
}

fn compress(call: &mut Call) -> Result<PyValue, FunctionError> {
    let (array, axis) = match call.constant_integer("axis")? {
        Some(axis) => {
            let array = call.array("a")?.value;
            let axis = normalise_axis(axis, call.builder.rank(array)).map_err(|e| e.at(call.position("axis")))?;
            (array, axis)
        }
        None => {
            let array = call.array("a")?.value;
            (flat(call.builder, array), 0)
        }
    };
    let condition = call.array("condition")?.value;
    if call.builder.rank(condition) != 1 {
        let message = format!("`condition` of `{}` must have one axis", call.function.name);
        return Err(FunctionError::new(code::BAD_SHAPE, message).at(call.position("condition")));
    }
    let out = call.output("out")?;
    let chosen = taken(call, array, axis, condition)?;
    let (PyValue::Typed(elements), Some(out)) = (chosen.clone(), out) else { return Ok(chosen) };
    let extents = call.builder.shape(elements.value);
    call.check_output(out, &extents, "output array does not match result of ndarray.take")?;
    let value = cast(call, elements, out, Casting::SameKind)?;
    call.builder.assign(out.value, value);
    Ok(PyValue::Typed(out))
}

fn extract(call: &mut Call) -> Result<PyValue, FunctionError> {
    let (condition, array) = (call.array("condition")?.value, call.array("arr")?.value);
    let (condition, array) = (flat(call.builder, condition), flat(call.builder, array));
    taken(call, array, 0, condition)
}

/// The elements along an axis at which a vector, which may be shorter or longer than that axis, is not 0.
fn taken(call: &mut Call, array: ValueId, axis: usize, condition: ValueId) -> Result<PyValue, FunctionError> {
    let index = numbers(call.builder, condition);
    let is_checked = call.builder.dim(array, axis) == call.builder.dim(condition, 0);
    let rank = call.builder.rank(array);
    let along = Along { index, name: axis, is_checked };
    let selected = (0..rank).map(|n| (n == axis).then_some(along)).collect();
    let selection = Selection::new(call.builder, array, selected, axis, OutOfRange::Raise)?;
    selection.check(call.builder);
    Ok(PyValue::array(selection.gather_in_c_order(call.builder)))
}
