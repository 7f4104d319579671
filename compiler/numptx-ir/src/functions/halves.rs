//! `float16` as functions take it: rows that compute in it as NumPy does, and the refusal of the others.
//!
//! Elementwise functions, reductions, running totals, views and choices of elements take it: their loops are NumPy's. Of what makes arrays, sums products,
//! or is written in terms of other functions, those that are named here do; of the others the steps that are rounded would be other ones.

use numptx_source::code;

use super::binding::{Bound, Call};
use super::value::{FunctionError, PyValue};
use super::{Class, Function};
use crate::DType;
use crate::array::Builder;

/// Rows of the classes that are not free that take `float16`, one a line.
const TAKEN: &str = include_str!("halves.txt");

/// Elementwise rows that are several functions of NumPy's, each of which rounds.
const STEPS: &[&str] = &["numpy.sinc"];

/// Whether a row takes `float16`.
pub fn takes_halves(function: &Function) -> bool {
    let is_free = match function.class {
        Class::Map(_) => !STEPS.contains(&function.name),
        Class::Reduce(_) | Class::Scan(_) | Class::View(_) | Class::Index(_) | Class::Host(_) => true,
        Class::Create(_) | Class::Contract(_) | Class::Expand(_) | Class::Library => false,
    };
    let is_method = matches!(function.class, Class::Expand(_))
        && [".outer", ".reduce"].iter().any(|end| function.name.ends_with(end));
    is_free || is_method || TAKEN.lines().any(|name| name == function.name)
}

/// Refuses a call with an argument of `float16`, or one that asks for it, of a row that does not take it.
pub(super) fn check(call: &Call) -> Result<(), FunctionError> {
    let has_half = |bound: &Bound| is_half(call.builder, &bound.value);
    if takes_halves(call.function) || !call.bound.iter().any(has_half) {
        return Ok(());
    }
    let name = call.function.name;
    let at = call.bound.iter().find(|bound| has_half(bound)).and_then(|bound| bound.position);
    Err(FunctionError::new(code::UNSUPPORTED_DTYPE_FOR_FUNCTION, format!("`{name}` of `float16` is not supported"))
        .at(at)
        .help("compute in `float32`, and cast the result: `x.astype(np.float32)`, `.astype(np.float16)`"))
}

fn is_half(builder: &Builder, value: &PyValue) -> bool {
    match value {
        PyValue::Typed(typed) => builder.dtype(typed.value) == DType::F16,
        PyValue::DType(dtype) => *dtype == DType::F16,
        PyValue::Tuple(items) | PyValue::List(items) => items.iter().any(|item| is_half(builder, item)),
        _ => false,
    }
}
