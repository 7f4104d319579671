//! What is known of the result of a scalar operation.
//!
//! In: what is known of its operands. Out: integers between two others, floats of 64 bits in a range, or whether a condition holds.

use numptx_ir::DType;
use numptx_ir::scalar::{Constant, ScalarOp};

use crate::source::eliminate_checks::ranges::Range;

/// What is known of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Known {
    /// An `int64` from one to another.
    Int(i64, i64),
    /// A `float64`.
    Float(Range),
    /// A bool.
    Truth(Option<bool>),
    /// Nothing.
    Anything,
}

impl Known {
    /// What a dtype says.
    pub fn of_dtype(dtype: DType) -> Known {
        match dtype {
            DType::I64 => Known::Int(i64::MIN, i64::MAX),
            DType::F64 => Known::Float(Range::ANY),
            DType::Bool => Known::Truth(None),
            _ => Known::Anything,
        }
    }

    pub fn of_constant(constant: Constant, dtype: DType) -> Known {
        match (constant, dtype) {
            (Constant::Int(n), DType::I64) => Known::Int(n, n),
            (Constant::Float(x), DType::F64) => Known::Float(Range::point(x)),
            (Constant::Bool(truth), DType::Bool) => Known::Truth(Some(truth)),
            _ => Known::Anything,
        }
    }

    /// The result of an operation; `is_one`: both operands are one value.
    pub fn of_op(op: ScalarOp, operands: &[Known], is_one: bool, dtype: DType) -> Known {
        use Known::{Float, Int, Truth};
        let found = match (op, operands) {
            (ScalarOp::Cast, [Int(low, high)]) if dtype == DType::F64 => {
                Some(Float(Range::between(*low as f64, *high as f64)))
            }
            (ScalarOp::Cast, [same]) if Known::of_dtype(dtype).is_kind_of(*same) => Some(*same),
            (ScalarOp::Select, [Truth(_), Float(a), Float(b)]) => Some(Float(a.or(*b))),
            (ScalarOp::Select, [Truth(_), Int(a, b), Int(c, d)]) => Some(Int(*a.min(c), *b.max(d))),
            (_, [Truth(a)]) => (op == ScalarOp::BitNot).then_some(Truth(a.map(|a| !a))),
            (_, [Truth(a), Truth(b)]) => of_truths(op, *a, *b),
            (_, [Int(low, high)]) => of_int(op, *low, *high),
            (_, [Int(a, b), Int(c, d)]) => of_ints(op, [*a, *b], [*c, *d]),
            (_, [Float(a)]) => of_float(op, *a),
            (ScalarOp::Mul, [Float(a), Float(_)]) if is_one => Some(Float(a.squared())),
            (_, [Float(a), Float(b)]) => of_floats(op, *a, *b),
            _ => None,
        };
        found.filter(|found| found.is_kind_of(Known::of_dtype(dtype))).unwrap_or(Known::of_dtype(dtype))
    }

    fn is_kind_of(self, other: Known) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other) && self != Known::Anything
    }
}

fn of_truths(op: ScalarOp, a: Option<bool>, b: Option<bool>) -> Option<Known> {
    let either = |decides: bool| match (a, b) {
        (Some(a), Some(b)) => Some(if decides { a | b } else { a & b }),
        _ => [a, b].contains(&Some(decides)).then_some(decides),
    };
    match op {
        ScalarOp::BitOr => Some(Known::Truth(either(true))),
        ScalarOp::BitAnd => Some(Known::Truth(either(false))),
        _ => None,
    }
}

fn of_int(op: ScalarOp, low: i64, high: i64) -> Option<Known> {
    match op {
        ScalarOp::Neg => Some(Known::Int(high.checked_neg()?, low.checked_neg()?)),
        ScalarOp::Abs if low >= 0 => Some(Known::Int(low, high)),
        _ => None,
    }
}

/// Sums and products that may wrap are any integers.
fn of_ints(op: ScalarOp, [a, b]: [i64; 2], [c, d]: [i64; 2]) -> Option<Known> {
    let found = match op {
        ScalarOp::Add => (a.checked_add(c)?, b.checked_add(d)?),
        ScalarOp::Sub => (a.checked_sub(d)?, b.checked_sub(c)?),
        ScalarOp::Mul => {
            let ends = [a.checked_mul(c)?, a.checked_mul(d)?, b.checked_mul(c)?, b.checked_mul(d)?];
            (ends.into_iter().min()?, ends.into_iter().max()?)
        }
        ScalarOp::Mod if c > 0 => (0, d - 1),
        ScalarOp::FloorDiv if c > 0 && a >= 0 => (a / d, b / c),
        ScalarOp::Min => (a.min(c), b.min(d)),
        ScalarOp::Max => (a.max(c), b.max(d)),
        _ => return None,
    };
    Some(Known::Int(found.0, found.1))
}

fn of_float(op: ScalarOp, a: Range) -> Option<Known> {
    Some(match op {
        ScalarOp::IsNan => Known::Truth(a.is_nan()),
        ScalarOp::IsInf => Known::Truth(a.is_infinite()),
        ScalarOp::IsFinite => Known::Truth(a.is_finite()),
        ScalarOp::Neg => Known::Float(a.negative()),
        ScalarOp::Abs => Known::Float(a.magnitude()),
        ScalarOp::Sqrt => Known::Float(a.root()),
        _ => match op.name() {
            "sin" | "cos" => Known::Float(a.wave()),
            "exp" => Known::Float(a.exponential()),
            "tanh" => Known::Float(a.within(-1.0, 1.0)),
            "atan" => Known::Float(a.within(-2.0, 2.0)),
            _ => return None,
        },
    })
}

fn of_floats(op: ScalarOp, a: Range, b: Range) -> Option<Known> {
    Some(match op {
        ScalarOp::Lt => Known::Truth(a.is_less(b)),
        ScalarOp::Le => Known::Truth(a.is_at_most(b)),
        ScalarOp::Gt => Known::Truth(b.is_less(a)),
        ScalarOp::Ge => Known::Truth(b.is_at_most(a)),
        ScalarOp::Ne => Known::Truth(a.differs(b)),
        ScalarOp::Eq => Known::Truth(a.differs(b).map(|differs| !differs)),
        ScalarOp::Add => Known::Float(a.plus(b)),
        ScalarOp::Sub => Known::Float(a.plus(b.negative())),
        ScalarOp::Mul => Known::Float(a.times(b)),
        ScalarOp::Div => Known::Float(a.over(b)),
        ScalarOp::Pow => Known::Float(a.to_the(b)),
        ScalarOp::Max => Known::Float(a.max(b)),
        ScalarOp::Min => Known::Float(a.negative().max(b.negative()).negative()),
        _ => return None,
    })
}
