//! Evaluates scalar operations and bodies as NumPy 2.4 on x86-64 does: the interpreters' arithmetic.
//!
//! Goes in: an operation, its operands with their dtypes, the result's dtype. Comes out: a constant, canonical for that dtype
//! (integers extended to 64 bits, `float16`, `float32` and `complex64` rounded). Total: operands that do not fit give a zero, never a panic;
//! the verifiers see to it that there are none. Raises nothing: Python's errors are checks around operations.
//!
//! `float16` and `float32` are evaluated in binary64 and rounded after every step, which for `+ - * / sqrt` is the same as arithmetic in their own
//! precision. What is more than one step of `float16`, as a remainder, has those of `float32`, as NumPy's loops have it.

mod cast;
mod code;
mod complex;
mod integer;
mod real;
mod reduce;

use std::cmp::Ordering;

pub use code::{Tables, run_code};
pub use reduce::Accumulator;

use numptx_abi::half;

use super::{Body, Constant, InstrKind, ScalarOp};
use crate::DType;
use crate::dtype::Kind;

/// Evaluates one operation.
pub fn eval(op: ScalarOp, operands: &[(Constant, DType)], result: DType) -> Constant {
    use ScalarOp::*;
    let operand = |n: usize| operands.get(n).map_or(zero(result), |o| o.0);
    let dtype = operands.first().map_or(result, |o| o.1);
    let (a, b) = (operand(0), operand(1));
    let value = match op {
        Cast => Some(cast::cast(a, dtype, result)),
        Select => Some(if a == Constant::Bool(true) { b } else { operand(2) }),
        Complex => Some(Constant::Complex(as_float(a), as_float(b))),
        Real => Some(Constant::Float(as_complex(a).0)),
        Imag => Some(Constant::Float(as_complex(a).1)),
        Fma => Some(Constant::Float(real::fma([a, b, operand(2)].map(as_float), Precision::of(dtype)))),
        Ldexp => Some(Constant::Float(real::ldexp(as_float(a), as_integer(b), Precision::of(dtype)))),
        FrexpExponent => Some(Constant::Int(real::frexp(as_float(a)).1)),
        Eq | Ne | Lt | Le | Gt | Ge => Some(Constant::Bool(compare(op, a, b, dtype))),
        IsNan | IsInf | IsFinite | SignBit => Some(Constant::Bool(real::classify(op, as_float(a)))),
        Add | Sub | Mul | Product | Div | FloorDiv | Mod | Fmod | Pow | Gcd | Neg | Abs | Sign | Sqrt | Floor
        | Ceil | Trunc | Rint | Min | Max | FMin | FMax | BitAnd | BitOr | BitXor | BitNot | ShiftLeft | ShiftRight
        | CopySign | NextAfter | FrexpMantissa | Math(_) => arithmetic(op, a, b, dtype),
    };
    value.unwrap_or_else(|| zero(result))
}

/// Evaluates a body at a point. `inputs`: one value an input, canonical for its dtype; `index`: the point.
/// Missing inputs and indices read as zero.
pub fn eval_body(body: &Body, inputs: &[Constant], index: &[i64]) -> Vec<Constant> {
    let none: Result<Vec<Constant>, std::convert::Infallible> =
        eval_body_with(body, inputs, index, &mut |_, _| Ok(Constant::Int(0)));
    match none {
        Ok(values) => values,
        Err(never) => match never {},
    }
}

/// Gives the element of a table at indices.
pub type ElementOf<'e, E> = dyn FnMut(u32, &[i64]) -> Result<Constant, E> + 'e;

/// As [`eval_body`], for a body that reads tables.
pub fn eval_body_with<E>(
    body: &Body,
    inputs: &[Constant],
    index: &[i64],
    element: &mut ElementOf<'_, E>,
) -> Result<Vec<Constant>, E> {
    let mut values: Vec<(Constant, DType)> = Vec::with_capacity(body.instrs.len());
    for instr in &body.instrs {
        let value = match &instr.kind {
            InstrKind::Input(n) => inputs.get(*n as usize).copied().unwrap_or_else(|| zero(instr.dtype)),
            InstrKind::Index(n) => Constant::Int(index.get(*n as usize).copied().unwrap_or(0)),
            InstrKind::Element(table, at) => {
                let at: Vec<i64> = at
                    .iter()
                    .map(|v| if let Some((Constant::Int(i), _)) = values.get(v.0 as usize) { *i } else { 0 })
                    .collect();
                element(*table, &at)?
            }
            InstrKind::Constant(constant) => *constant,
            InstrKind::Op(op, operands) => {
                let operands: Vec<(Constant, DType)> =
                    operands.iter().filter_map(|v| values.get(v.0 as usize)).copied().collect();
                eval(*op, &operands, instr.dtype)
            }
        };
        values.push((value, instr.dtype));
    }
    Ok(body.outputs.iter().map(|v| values.get(v.0 as usize).map_or(Constant::Int(0), |v| v.0)).collect())
}

/// The zero of a dtype.
pub fn zero(dtype: DType) -> Constant {
    match dtype.kind() {
        Kind::Bool => Constant::Bool(false),
        Kind::Signed | Kind::Unsigned => Constant::Int(0),
        Kind::Float => Constant::Float(0.0),
        Kind::Complex => Constant::Complex(0.0, 0.0),
    }
}

/// Whether a constant is one of a dtype: of its kind, extended or rounded as [`Constant`] says.
pub fn is_canonical(constant: Constant, dtype: DType) -> bool {
    let precision = Precision::of(dtype);
    let rounded = |x: f64| precision.round(x).to_bits() == x.to_bits() || x.is_nan();
    match (constant, dtype.kind()) {
        (Constant::Bool(_), Kind::Bool) => true,
        (Constant::Int(n), Kind::Signed | Kind::Unsigned) => integer::wrap(n, dtype) == n,
        (Constant::Float(x), Kind::Float) => rounded(x),
        (Constant::Complex(x, y), Kind::Complex) => rounded(x) && rounded(y),
        _ => false,
    }
}

/// Binary16, binary32 or binary64.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Precision {
    Half,
    Single,
    Double,
}

impl Precision {
    fn of(dtype: DType) -> Precision {
        match dtype {
            DType::F16 => Precision::Half,
            DType::F32 | DType::C64 => Precision::Single,
            _ => Precision::Double,
        }
    }

    fn round(self, x: f64) -> f64 {
        match self {
            Precision::Half => half::round(x),
            Precision::Single => f64::from(x as f32),
            Precision::Double => x,
        }
    }

    /// The precision of the steps of an operation of this one.
    fn of_steps(self) -> Precision {
        if self == Precision::Half { Precision::Single } else { self }
    }
}

fn arithmetic(op: ScalarOp, a: Constant, b: Constant, dtype: DType) -> Option<Constant> {
    let precision = Precision::of(dtype);
    match dtype.kind() {
        Kind::Bool => boolean(op, as_bool(a), as_bool(b)).map(Constant::Bool),
        Kind::Signed | Kind::Unsigned => {
            integer::arithmetic(op, as_integer(a), as_integer(b), dtype).map(|n| Constant::Int(integer::wrap(n, dtype)))
        }
        Kind::Float => {
            real::arithmetic(op, as_float(a), as_float(b), precision).map(|x| Constant::Float(precision.round(x)))
        }
        Kind::Complex => complex::arithmetic(op, as_complex(a), as_complex(b), precision),
    }
}

fn boolean(op: ScalarOp, a: bool, b: bool) -> Option<bool> {
    use ScalarOp::*;
    Some(match op {
        Add | Max | FMax | BitOr => a | b,
        Mul | Min | FMin | BitAnd => a & b,
        BitXor => a ^ b,
        BitNot => !a,
        Abs => a,
        _ => return None,
    })
}

fn compare(op: ScalarOp, a: Constant, b: Constant, dtype: DType) -> bool {
    let order = order(a, b, dtype);
    match op {
        ScalarOp::Eq => order == Some(Ordering::Equal),
        ScalarOp::Ne => order != Some(Ordering::Equal),
        ScalarOp::Lt => order == Some(Ordering::Less),
        ScalarOp::Le => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        ScalarOp::Gt => order == Some(Ordering::Greater),
        _ => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
    }
}

/// The order of two values of one dtype; `None` with a nan. Complex values are equal or `None`.
fn order(a: Constant, b: Constant, dtype: DType) -> Option<Ordering> {
    match dtype.kind() {
        Kind::Bool => Some(as_bool(a).cmp(&as_bool(b))),
        Kind::Signed => Some(as_integer(a).cmp(&as_integer(b))),
        Kind::Unsigned => Some((as_integer(a) as u64).cmp(&(as_integer(b) as u64))),
        Kind::Float => as_float(a).partial_cmp(&as_float(b)),
        Kind::Complex => (as_complex(a) == as_complex(b)).then_some(Ordering::Equal),
    }
}

fn as_bool(constant: Constant) -> bool {
    constant == Constant::Bool(true)
}

fn as_integer(constant: Constant) -> i64 {
    if let Constant::Int(n) = constant { n } else { 0 }
}

fn as_float(constant: Constant) -> f64 {
    if let Constant::Float(x) = constant { x } else { 0.0 }
}

fn as_complex(constant: Constant) -> (f64, f64) {
    if let Constant::Complex(x, y) = constant { (x, y) } else { (0.0, 0.0) }
}
