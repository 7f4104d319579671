//! `out=`: results that are written to arrays of the caller's, which are then what the call gives.
//!
//! In: results, and the arguments that name their destinations. Out: the destinations, written. All results are computed before anything is
//! written, so that a destination may overlap what is read.

use super::binding::Call;
use super::elementwise::{check_broadcasts_to, check_same_shape};
use super::error::cast_refused;
use super::value::{Family, FunctionError, PyValue, Typed};
use super::{convert, ufunc};
use crate::DType;
use crate::array::{ErrorKind, READ_ONLY_OUTPUT, ValueId, Writability};
use crate::promotion::{self, Casting};
use crate::scalar::ScalarOp;
use numptx_source::code;

impl Call<'_> {
    /// An array of the caller's to write to, unless it was left out or is `None`; a tuple may hold it.
    pub fn output(&mut self, name: &str) -> Result<Option<Typed>, FunctionError> {
        let given = match self.given(name) {
            Some(PyValue::Tuple(items)) if items.len() == 1 => items.into_iter().next(),
            given => given,
        };
        self.as_output(name, given.unwrap_or(PyValue::None))
    }

    /// The destinations of `n` results: positional ones, or `out=` with an array or a tuple of arrays.
    pub fn outputs(&mut self, n: usize) -> Result<Vec<Option<Typed>>, FunctionError> {
        let items = match (self.given("out"), self.get("out1")) {
            (None, None) => return Ok(vec![None; n]),
            (Some(_), Some(_)) => {
                return Err(self.refuse("out", "left out where outputs are given by position"));
            }
            (None, Some(first)) => vec![first, self.get("out2").unwrap_or(PyValue::None)],
            (Some(PyValue::Tuple(items)), None) => items,
            (Some(single), None) if n == 1 => vec![single],
            (Some(_), None) => return Err(self.refuse("out", &format!("a tuple of {n} arrays"))),
        };
        let outs = items.into_iter().map(|item| self.as_output("out", item)).collect::<Result<Vec<_>, _>>()?;
        if outs.len() == n { Ok(outs) } else { Err(self.refuse("out", &format!("a tuple of {n} arrays"))) }
    }

    fn as_output(&mut self, name: &str, value: PyValue) -> Result<Option<Typed>, FunctionError> {
        match value {
            PyValue::None => Ok(None),
            PyValue::Typed(out) if !self.builder.is_scalar(out.value) && out.family == Family::Array => {
                self.check_writable(out.value, name, READ_ONLY_OUTPUT)?;
                Ok(Some(out))
            }
            _ => Err(self.refuse(name, "an array, or a tuple of arrays")),
        }
    }

    /// Refuses an array that the function would write and on no path may. Where the path decides, the call raises `ValueError` with `raised`.
    pub fn check_writable(&mut self, array: ValueId, name: &str, raised: &str) -> Result<(), FunctionError> {
        if self.builder.writability(array) != Writability::Never {
            self.builder.check_writable(array, raised);
            return Ok(());
        }
        let message = format!(
            "`{name}` is read-only: it is a broadcast, a diagonal, a sliding window, or a constant of the module"
        );
        let help = "write to a copy: `y = np.broadcast_to(x, shape).copy()`, `table = TABLE.copy()`";
        Err(FunctionError::new(code::WRITE_TO_READ_ONLY, message).at(self.position(name)).help(help))
    }

    /// Checks that a destination has the rank of a result, and its extents.
    pub fn check_output(&mut self, out: Typed, extents: &[ValueId], message: &str) -> Result<(), FunctionError> {
        let found = self.builder.shape(out.value);
        if found.len() != extents.len() {
            let text = format!("{message}: `out` has {} axes, the result {}", found.len(), extents.len());
            return Err(FunctionError::new(code::BROADCAST_MISMATCH, text));
        }
        check_same_shape(self.builder, extents, &found, message)
    }
}

/// The value cast to the dtype of `out`.
pub(super) fn cast(call: &mut Call, value: Typed, out: Typed, casting: Casting) -> Result<ValueId, FunctionError> {
    let (from, to) = (call.builder.dtype(value.value), call.builder.dtype(out.value));
    check_cast(call, from, to, casting)?;
    let value = convert::to_array(call.builder, value);
    Ok(convert::cast_array(call.builder, value.value, to))
}

/// Checks that results of a dtype may be written to one of another.
pub(super) fn check_cast(call: &Call, from: DType, to: DType, casting: Casting) -> Result<(), FunctionError> {
    if promotion::can_cast(from, to, casting) { Ok(()) } else { Err(cast_refused(call.function.name, from, to)) }
}

/// A result, cast to the dtype of its destination.
pub(super) struct Write {
    /// The result.
    pub value: ValueId,
    /// The dtype that it was computed in.
    pub from: DType,
    /// Where it goes.
    pub out: Typed,
}

/// Writes a value to a destination of its dtype, to whose shape it broadcasts.
pub(super) fn broadcast_into(call: &mut Call, value: ValueId, out: Typed) -> Result<(), FunctionError> {
    let value = broadcast(call, value, out)?;
    call.builder.assign(out.value, value);
    Ok(())
}

/// A value as it is written to a destination.
fn broadcast(call: &mut Call, value: ValueId, out: Typed) -> Result<ValueId, FunctionError> {
    let target = call.builder.shape(out.value);
    let shape = call.builder.shape(value);
    if shape.len() > target.len() {
        let name = call.function.name;
        let message = format!("the result has {} axes, `out` of `{name}` has {}", shape.len(), target.len());
        return Err(FunctionError::new(code::BROADCAST_MISMATCH, message));
    }
    let skipped = target.len() - shape.len();
    for (axis, extent) in shape.iter().enumerate() {
        check_broadcasts_to(call.builder, *extent, target[axis + skipped])?;
    }
    Ok(call.builder.broadcast_to(value, &target))
}

/// Writes the results of one call, nothing before all are known to fit. Where one array is the destination of both, NumPy's loops of floats
/// leave the first result in it; its loops of integers, and casts, the second.
pub(super) fn write_all(call: &mut Call, writes: &[Write]) -> Result<(), FunctionError> {
    let mut values = Vec::with_capacity(writes.len());
    for write in writes {
        values.push((write.out.value, broadcast(call, write.value, write.out)?));
    }
    if let [first, second] = writes {
        check_destinations(call, first.out.value, second.out.value)?;
    }
    let dtype = |write: &Write| call.builder.dtype(write.out.value);
    if writes.iter().all(|write| write.from.is_float() && write.from == dtype(write)) {
        values.reverse();
    }
    values.into_iter().for_each(|(out, value)| call.builder.assign(out, value));
    Ok(())
}

/// Two destinations of one call have one shape, and are one array or share nothing: else NumPy leaves in an element what its loop, whose
/// order depends on how the arrays lie, writes there last.
fn check_destinations(call: &mut Call, first: ValueId, second: ValueId) -> Result<(), FunctionError> {
    if first == second {
        return Ok(());
    }
    let (expected, found) = (call.builder.shape(first), call.builder.shape(second));
    if expected.len() != found.len() {
        let message = format!("the outputs of `{}` have different numbers of axes", call.function.name);
        return Err(FunctionError::new(code::BROADCAST_MISMATCH, message));
    }
    check_same_shape(call.builder, &expected, &found, "non-broadcastable output operand")?;
    let overlap = call.builder.overlap(first, second);
    let apart = call.builder.scalar(ScalarOp::BitNot, &[overlap]);
    let message = format!("{}: outputs that overlap; write one of them to a copy", call.function.name);
    call.builder.check(apart, ErrorKind::NotImplemented, message, &[]);
    Ok(())
}

/// Gives results, those with destinations written there.
pub(super) fn deliver(call: &mut Call, results: Vec<Typed>, outs: &[Option<Typed>]) -> Result<PyValue, FunctionError> {
    let casting = call.casting()?;
    let mut writes = Vec::with_capacity(results.len());
    for (result, out) in results.iter().zip(outs) {
        if let Some(out) = *out {
            let from = call.builder.dtype(result.value);
            writes.push(Write { value: cast(call, *result, out, casting)?, from, out });
        }
    }
    write_all(call, &writes)?;
    let given = results.into_iter().zip(outs).map(|(result, out)| PyValue::Typed(out.unwrap_or(result)));
    Ok(ufunc::one_or_tuple(given.collect()))
}
