//! Elementwise computation: operands, the dtypes that they are cast to and what is computed of one element each, in; values out.
//!
//! Only host scalars: computed on the host. Only scalars of some kind and arrays of rank 0: one NumPy scalar, held as a rank-0 array.
//! Otherwise: a fresh array of the broadcast shape in K order.

use numptx_source::code;

use super::convert;
use super::error::MAX_RANK;
use super::value::{Family, FunctionError, Typed};
use crate::DType;
use crate::array::{Builder, ErrorKind, ValueId};
use crate::promotion;
use crate::scalar::{Body, BodyBuilder, InstrKind, ScalarOp, Val};

/// What is computed of one element of each operand.
pub type Compute<'a> = dyn FnMut(&mut BodyBuilder, &[Val]) -> Vec<Val> + 'a;

/// Operands and the dtype that each is cast to.
#[derive(Clone, Copy, Debug)]
pub struct Typing<'a> {
    /// Arrays and scalars.
    pub operands: &'a [Typed],
    /// One an operand.
    pub dtypes: &'a [DType],
}

/// Computes; one value an output of `compute`.
///
/// # Errors
/// `BROADCAST_MISMATCH` where the shapes are known not to fit; otherwise they are checked when running.
/// `CONSTANT_OUT_OF_RANGE` for Python ints that do not fit their dtype.
pub fn compute(builder: &mut Builder, typing: Typing, compute: &mut Compute) -> Result<Vec<Typed>, FunctionError> {
    for (typed, dtype) in typing.operands.iter().zip(typing.dtypes) {
        convert::check_python_integer(builder, *typed, *dtype)?;
    }
    if typing.operands.iter().all(|t| builder.is_scalar(t.value)) {
        return Ok(on_host(builder, typing, compute));
    }
    let shapes: Vec<Vec<ValueId>> = arrays(builder, typing.operands).iter().map(|v| builder.shape(*v)).collect();
    let extents = broadcast(builder, &shapes)?;
    let family = if extents.is_empty() { Family::Numpy } else { Family::Array };
    let results = over(builder, &extents, typing.operands, typing.dtypes, compute);
    Ok(results.into_iter().map(|value| Typed { value, family }).collect())
}

fn arrays(builder: &Builder, operands: &[Typed]) -> Vec<ValueId> {
    operands.iter().map(|t| t.value).filter(|v| !builder.is_scalar(*v)).collect()
}

fn on_host(builder: &mut Builder, typing: Typing, compute: &mut Compute) -> Vec<Typed> {
    let casts: Vec<ValueId> =
        typing.operands.iter().zip(typing.dtypes).map(|(t, d)| convert::cast_host(builder, t.value, *d)).collect();
    let mut body = BodyBuilder::new();
    let inputs: Vec<Val> = (typing.dtypes.iter().enumerate()).map(|(n, d)| body.input(n as u32, *d)).collect();
    let outputs = compute(&mut body, &inputs);
    let results = convert::body_on_host(builder, &body.finish(outputs), &casts);
    results.into_iter().map(|value| Typed { value, family: Family::Numpy }).collect()
}

/// As [`compute`], over given extents (which the operands' shapes broadcast to, checked before), always as arrays.
pub fn over(
    builder: &mut Builder,
    extents: &[ValueId],
    operands: &[Typed],
    dtypes: &[DType],
    compute: &mut Compute,
) -> Vec<ValueId> {
    let (body, inputs) = body(builder, operands, dtypes, compute);
    builder.map(extents, &inputs, body)
}

/// The body and its inputs: constants move into the body, other operands are read and cast there.
pub fn body(builder: &Builder, operands: &[Typed], dtypes: &[DType], compute: &mut Compute) -> (Body, Vec<ValueId>) {
    let mut body = BodyBuilder::new();
    let mut inputs: Vec<ValueId> = Vec::new();
    let mut values: Vec<Val> = Vec::new();
    for (typed, dtype) in operands.iter().zip(dtypes) {
        let from = builder.dtype(typed.value);
        let constant = builder.as_constant(typed.value).and_then(|c| promotion::convert_constant(c, from, *dtype));
        let value = match constant {
            Some(constant) => body.push(InstrKind::Constant(constant), *dtype),
            None => {
                let position = inputs.iter().position(|v| *v == typed.value).unwrap_or(inputs.len());
                if position == inputs.len() {
                    inputs.push(typed.value);
                }
                let input = body.input(position as u32, from);
                body.cast(input, *dtype)
            }
        };
        values.push(value);
    }
    let outputs = compute(&mut body, &values);
    (body.finish(outputs), inputs)
}

/// The broadcast of shapes: refused where it is known not to be possible, checked when running where it is not known.
pub fn broadcast(builder: &mut Builder, shapes: &[Vec<ValueId>]) -> Result<Vec<ValueId>, FunctionError> {
    let rank = shapes.iter().map(Vec::len).max().unwrap_or(0);
    for back in 1..=rank {
        let extents = shapes.iter().filter(|s| s.len() >= back).filter_map(|s| builder.as_i64(s[s.len() - back]));
        let mut wide = extents.filter(|n| *n != 1);
        if let Some(first) = wide.next()
            && let Some(other) = wide.find(|n| *n != first)
        {
            let message = format!("shapes cannot be broadcast together: extents {first} and {other}");
            return Err(FunctionError::new(code::BROADCAST_MISMATCH, message)
                .help("aligned from the last axis, extents must be equal or 1; insert an axis with `x[:, None]`"));
        }
    }
    Ok(builder.broadcast_shapes(shapes))
}

/// Checks that two shapes of one rank are equal, when compiling where both are known.
pub fn check_same_shape(
    builder: &mut Builder,
    expected: &[ValueId],
    found: &[ValueId],
    message: &str,
) -> Result<(), FunctionError> {
    for (a, b) in expected.iter().zip(found) {
        check_same_extent(builder, *a, *b, message)?;
    }
    Ok(())
}

/// Checks that two extents are equal, when compiling where both are known.
pub fn check_same_extent(builder: &mut Builder, a: ValueId, b: ValueId, message: &str) -> Result<(), FunctionError> {
    if a == b {
        return Ok(());
    }
    if let (Some(x), Some(y)) = (builder.as_i64(a), builder.as_i64(b)) {
        if x == y {
            return Ok(());
        }
        return Err(FunctionError::new(code::BROADCAST_MISMATCH, format!("{message}: extents {x} and {y}")));
    }
    let equal = builder.scalar(ScalarOp::Eq, &[a, b]);
    builder.check(equal, ErrorKind::Value, format!("{message}: extents {{}} and {{}}"), &[a, b]);
    Ok(())
}

/// Checks that an extent is another one or 1.
pub fn check_broadcasts_to(builder: &mut Builder, extent: ValueId, target: ValueId) -> Result<(), FunctionError> {
    let message = "non-broadcastable operand: extent {} does not broadcast to {}";
    match (builder.as_i64(extent), builder.as_i64(target)) {
        _ if extent == target => return Ok(()),
        (Some(1), _) => return Ok(()),
        (Some(a), Some(b)) if a == b => return Ok(()),
        (Some(a), Some(b)) => {
            let message = format!("an extent of {a} does not broadcast to {b}");
            return Err(FunctionError::new(code::BROADCAST_MISMATCH, message));
        }
        _ => {}
    }
    let one = builder.i64(1);
    let is_one = builder.scalar(ScalarOp::Eq, &[extent, one]);
    let equal = builder.scalar(ScalarOp::Eq, &[extent, target]);
    let fits = builder.scalar(ScalarOp::BitOr, &[is_one, equal]);
    builder.check(fits, ErrorKind::Value, message, &[extent, target]);
    Ok(())
}

/// Refuses ranks that no array can have.
pub fn check_rank(rank: usize) -> Result<(), FunctionError> {
    if rank > MAX_RANK { Err(super::error::too_many_axes(rank)) } else { Ok(()) }
}
