//! Sliding windows: views in which neighbours share their elements.

use numptx_source::code;

use super::binding::Call;
use super::elementwise::check_rank;
use super::error::bad_argument;
use super::reduction::normalise_axis;
use super::value::{FunctionError, PyValue};
use super::{Class, Function, shape};
use crate::array::{ErrorKind, Type, ValueId};
use crate::scalar::ScalarOp;

/// The rows.
pub const TABLE: &[Function] = &[Function::new(
    "numpy.lib.stride_tricks.sliding_window_view",
    "x, window_shape, axis=None, *, subok=False, writeable=False",
    Class::View(sliding_windows),
)
.without(&["subok"])
.doc("every window of a shape, along new last axes; read-only")
.example("np.lib.stride_tricks.sliding_window_view(x, 2)")];

fn sliding_windows(call: &mut Call) -> Result<PyValue, FunctionError> {
    if call.flag("writeable", false)? {
        let error = call.refuse("writeable", "`False`: windows share their elements");
        return Err(error.help("write to the array itself, not to its windows"));
    }
    let mut view = call.array("x")?.value;
    let rank = call.builder.rank(view);
    let lengths = lengths(call)?;
    let axes = axes(call, rank, lengths.len())?;
    check_rank(rank + lengths.len())?;
    for (length, axis) in lengths.into_iter().zip(axes) {
        let count = count(call, view, axis, length)?;
        view = call.builder.windows(view, axis, count, length);
    }
    let is_writable = matches!(call.builder.ty(view), Type::Array(array) if array.writable);
    Ok(PyValue::array(if is_writable { call.builder.read_only(view) } else { view }))
}

fn lengths(call: &mut Call) -> Result<Vec<ValueId>, FunctionError> {
    let mut lengths = Vec::new();
    for item in shape::items(call, "window_shape")? {
        let Some(length) = call.integer_of(&item) else {
            return Err(call.refuse("window_shape", "an integer or a tuple of integers"));
        };
        let message = "`window_shape` cannot contain negative values";
        match call.builder.as_i64(length) {
            Some(n) if n < 0 => return Err(bad_shape(call, message)),
            Some(_) => {}
            None => {
                let zero = call.builder.i64(0);
                let fine = call.builder.scalar(ScalarOp::Ge, &[length, zero]);
                call.builder.check(fine, ErrorKind::Value, message, &[]);
            }
        }
        lengths.push(length);
    }
    Ok(lengths)
}

/// The axis of each window; one may stand twice.
fn axes(call: &Call, rank: usize, n: usize) -> Result<Vec<usize>, FunctionError> {
    let axes = match call.constant_integers("axis")? {
        None if n == rank => return Ok((0..rank).collect()),
        None => {
            let message = format!("`window_shape` has {n} extents for an array of {rank} axes");
            return Err(bad_argument(message).help("give one extent for each axis, or say which axes: `axis=-1`"));
        }
        Some(axes) => axes,
    };
    if axes.len() != n {
        return Err(bad_argument(format!("`window_shape` has {n} extents for {} axes", axes.len())));
    }
    axes.into_iter().map(|axis| normalise_axis(axis, rank).map_err(|e| e.at(call.position("axis")))).collect()
}

/// How many windows there are along an axis: at least 1 of what is not longer than it.
fn count(call: &mut Call, view: ValueId, axis: usize, length: ValueId) -> Result<ValueId, FunctionError> {
    let extent = call.builder.dim(view, axis);
    let message = "window shape cannot be larger than input array shape";
    match (call.builder.as_i64(extent), call.builder.as_i64(length)) {
        (Some(n), Some(w)) if w > n => return Err(bad_shape(call, message)),
        (Some(n), Some(w)) => return Ok(call.builder.i64(n - w + 1)),
        _ => {}
    }
    let fits = call.builder.scalar(ScalarOp::Le, &[length, extent]);
    call.builder.check(fits, ErrorKind::Value, message, &[]);
    let one = call.builder.i64(1);
    let fewer = match call.builder.as_i64(length) {
        Some(1) => return Ok(extent),
        Some(w) => call.builder.i64(w - 1),
        None => call.builder.scalar(ScalarOp::Sub, &[length, one]),
    };
    Ok(call.builder.scalar(ScalarOp::Sub, &[extent, fewer]))
}

fn bad_shape(call: &Call, message: &str) -> FunctionError {
    FunctionError::new(code::BAD_SHAPE, message).at(call.position("window_shape"))
}
