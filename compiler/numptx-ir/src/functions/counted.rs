//! `where=` of ufuncs and reductions, and `initial=`: which elements count, and what they are combined with.
//!
//! In: a call, and a reduction's plan. Out: the mask, laid out as the plan's array is, and the initial value in the dtype in which elements are combined.
//! The reduction itself is `reduction.rs`'s and `variance.rs`'s.

use super::binding::Call;
use super::convert;
use super::elementwise::{self, check_broadcasts_to};
use super::error::bad_argument;
use super::reduction::Plan;
use super::value::{Family, FunctionError, PyValue, Typed};
use crate::DType;
use crate::array::{Builder, ErrorKind, ValueId};
use crate::dtype::Kind;
use crate::promotion::{self, Casting};
use crate::scalar::{BodyBuilder, Constant, InstrKind, Reducer, ScalarOp, Val};
use numptx_source::code;

/// What elements are combined with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Initial {
    /// Nothing was said: the reducer's identity, if it has one.
    Identity,
    /// `None`: the first element, so there must be one.
    First,
    /// A host scalar of the dtype in which elements are combined.
    Value(ValueId),
}

/// Reads `where`: a bool, or an array of bools that broadcasts to the reduced one, given back as the plan's array lies. `None`: all elements.
pub(super) fn mask(call: &mut Call, plan: &Plan) -> Result<Option<Typed>, FunctionError> {
    match chosen(call)? {
        Some(mask) if !call.builder.is_scalar(mask.value) => {
            let value = laid_out(call, plan, mask.value)?;
            Ok(Some(Typed { value, family: Family::Array }))
        }
        mask => Ok(mask),
    }
}

/// Reads `where`: a bool or an array of bools; `None` if it is left out, or `True`.
pub(super) fn chosen(call: &mut Call) -> Result<Option<Typed>, FunctionError> {
    if call.get("where").is_none() {
        return Ok(None);
    }
    let mask = call.operand("where").map_err(|_| call.refuse("where", "an array of bools"))?;
    let dtype = call.builder.dtype(mask.value);
    if let Some(constant) = call.builder.as_constant(mask.value).filter(|_| mask.family == Family::Python) {
        let is_true = !matches!(constant, Constant::Bool(false) | Constant::Int(0));
        let value = call.builder.constant(Constant::Bool(is_true), DType::Bool);
        return Ok((!is_true).then_some(Typed { value, family: Family::Python }));
    }
    if dtype != DType::Bool {
        let message = format!("`where` of `{}` is of `{dtype}`, not of `bool`", call.function.name);
        let help = "compare: `where=mask != 0`";
        return Err(FunctionError::new(code::CAST_REFUSED, message).at(call.position("where")).help(help));
    }
    Ok(Some(mask))
}

/// A mask broadcast to the array as it was, its axes in the plan's order.
fn laid_out(call: &mut Call, plan: &Plan, mut mask: ValueId) -> Result<ValueId, FunctionError> {
    let (rank, found) = (plan.extents.len(), call.builder.rank(mask));
    if found > rank {
        let message = format!("`where` of `{}` has more axes than the array: {found}, not {rank}", call.function.name);
        let help = "a mask broadcasts to the array, never the array to the mask";
        return Err(FunctionError::new(code::BROADCAST_MISMATCH, message).at(call.position("where")).help(help));
    }
    let permutation = plan.permutation();
    let mut extents = plan.extents.clone();
    for (extent, axis) in plan.extents.iter().zip(&permutation) {
        extents[*axis] = *extent;
    }
    for _ in found..rank {
        mask = call.builder.new_axis(mask, 0);
    }
    for (axis, extent) in extents.iter().enumerate() {
        let own = call.builder.dim(mask, axis);
        check_broadcasts_to(call.builder, own, *extent)?;
    }
    let mask = call.builder.broadcast_to(mask, &extents);
    Ok(call.builder.permute(mask, &permutation))
}

/// Reads `initial`, and casts it to the dtype in which elements are combined, as NumPy does: a Python int has to fit, a float is truncated.
pub(super) fn initial(call: &mut Call, dtype: DType) -> Result<Initial, FunctionError> {
    let given = match call.get("initial") {
        None => return Ok(Initial::Identity),
        Some(PyValue::None) => return Ok(Initial::First),
        Some(PyValue::Typed(given)) if call.builder.rank(given.value) == 0 => given,
        Some(_) => return Err(call.refuse("initial", "a number")),
    };
    let from = call.builder.dtype(given.value);
    if from.is_complex() && !dtype.is_complex() {
        return Err(call.refuse("initial", &format!("a number that `{dtype}` can hold")));
    }
    let value = convert::to_host(call.builder, given);
    let given = as_python(call.builder, Typed { value, ..given }, dtype);
    convert::check_python_integer(call.builder, given, dtype)?;
    let to_integer = from.is_float() && matches!(dtype.kind(), Kind::Signed | Kind::Unsigned);
    let is_exact = |n: f64| n.is_finite() && n.abs() < 2f64.powi(53);
    let is_known = matches!(call.builder.as_constant(value), Some(Constant::Float(n)) if is_exact(n));
    if to_integer && !is_known {
        let message = format!("`initial` of `{}` is a float, the elements are integers", call.function.name);
        return Err(bad_argument(message).at(call.position("initial")).help("write `initial=int(value)`"));
    }
    Ok(Initial::Value(convert::cast_host(call.builder, value, dtype)))
}

/// An integer of NumPy's counts as Python's where a signed dtype may not hold it; in an unsigned one it wraps.
fn as_python(builder: &mut Builder, given: Typed, dtype: DType) -> Typed {
    let from = builder.dtype(given.value);
    let is_tight = dtype.kind() == Kind::Signed && !promotion::can_cast(from, dtype, Casting::Safe);
    if given.family == Family::Python || !from.is_integer() || !is_tight {
        return given;
    }
    let value = convert::cast_host(builder, given.value, DType::I64);
    if from == DType::U64 {
        let zero = builder.i64(0);
        let fits = builder.scalar(ScalarOp::Ge, &[value, zero]);
        builder.check(fits, ErrorKind::Overflow, "Python int too large to convert to C long", &[]);
    }
    Typed { value, family: Family::Python }
}

/// The element where it counts, else what changes nothing.
pub(super) fn counted(b: &mut BodyBuilder, mask: Val, element: Val, reducer: Reducer) -> Val {
    let dtype = b.dtype(element);
    let neutral = b.push(InstrKind::Constant(reducer.identity(dtype)), dtype);
    b.select(mask, element, neutral)
}

/// How many parts of a sum have a sign even if they are 0: a sum that begins with -0.0 is -0.0 where all elements are, or where none counts.
pub(super) fn signs(builder: &Builder, reducer: Reducer, initial: Initial, dtype: DType) -> usize {
    let Initial::Value(initial) = initial else { return 0 };
    let is_certain =
        matches!(builder.as_constant(initial), Some(Constant::Float(x)) if x != 0.0 || x.is_sign_positive());
    match reducer {
        Reducer::Add if !is_certain && dtype.is_float() => 1,
        Reducer::Add if !is_certain && dtype.is_complex() => 2,
        _ => 0,
    }
}

/// Of each part of an element that counts, whether it is anything but -0.0.
pub(super) fn more_than_negative_zero(b: &mut BodyBuilder, element: Val, mask: Option<Val>) -> Vec<Val> {
    let parts = if b.dtype(element).is_complex() { <[Val; 2]>::from(b.parts(element)).to_vec() } else { vec![element] };
    let more = parts.into_iter().map(|part| {
        let zero = b.number(0.0, part);
        let (differs, sign) = (b.op(ScalarOp::Ne, &[part, zero]), b.op(ScalarOp::SignBit, &[part]));
        let positive = b.op(ScalarOp::BitNot, &[sign]);
        let more = b.op(ScalarOp::BitOr, &[differs, positive]);
        mask.map_or(more, |mask| b.op(ScalarOp::BitAnd, &[mask, more]))
    });
    more.collect()
}

/// The sum of elements, each part -0.0 where nothing in it is more.
pub(super) fn signed_sum(b: &mut BodyBuilder, reduced: &[Val]) -> Val {
    let signed = |b: &mut BodyBuilder, sum: Val, more: Val| {
        let zero = b.number(-0.0, sum);
        b.select(more, sum, zero)
    };
    match *reduced {
        [sum, more] => signed(b, sum, more),
        [sum, real, imaginary] => {
            let parts = b.parts(sum);
            let (re, im) = (signed(b, parts.0, real), signed(b, parts.1, imaginary));
            b.complex(re, im)
        }
        _ => reduced[0],
    }
}

/// Reduced values combined with the initial one, of the dtype of `out` where there is one.
pub(super) fn combined(
    builder: &mut Builder,
    reduced: ValueId,
    initial: ValueId,
    reducer: Reducer,
    out: Option<DType>,
) -> ValueId {
    let Some(op) = reducer.operation() else { return reduced };
    let dtype = builder.dtype(reduced);
    let extents = builder.shape(reduced);
    let operands = [initial, reduced].map(|value| Typed { value, family: Family::Array });
    elementwise::over(builder, &extents, &operands, &[dtype, dtype], &mut |b, v| {
        let value = b.op(op, v);
        vec![out.map_or(value, |out| b.cast(value, out))]
    })[0]
}
