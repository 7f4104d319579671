//! Functions of C's library for texts that are written in Python.

use super::elementwise::{Typing, compute};
use super::value::Typed;
use crate::DType;
use crate::array::Builder;
use crate::scalar::{MATH_FUNCTIONS, ScalarOp};

/// A function of C's library, by its stem, of each element of float64; `None` of other names and operands.
pub fn elementwise(builder: &mut Builder, stem: &str, operand: Typed) -> Option<Typed> {
    let function = MATH_FUNCTIONS.iter().copied().find(|f| f.stem == stem && f.arity == 1)?;
    let typing = Typing { operands: &[operand], dtypes: &[DType::F64] };
    let results = compute(builder, typing, &mut |b, v| vec![b.op(ScalarOp::Math(function), v)]);
    results.ok()?.first().copied()
}
