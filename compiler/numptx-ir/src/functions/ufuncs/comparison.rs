//! Comparisons, logic, and the smaller or larger of two.

use crate::DType;
use crate::functions::loops::LoopPattern;
use crate::functions::ufunc::{Rule, binary, compose, op, unary};
use crate::functions::{Function, complex};
use crate::scalar::{BodyBuilder, ScalarOp, Val};

/// NumPy compares `int64` and `uint64` exactly, in loops of their own.
const COMPARED: &[LoopPattern] = &[("?bBhHiIlL", "xx->?"), ("l", "lL->?"), ("l", "Ll->?"), ("efdFD", "xx->?")];
const ORDERED: &[LoopPattern] = &[("?bBhHiIlLefdFD", "xx->x")];
const TRUTH: &[LoopPattern] = &[("?", "xx->?")];

/// The rows.
pub const TABLE: &[Function] = &[
    binary("numpy.equal", COMPARED, compose(equal)).rule(Rule::Comparison).large_ints().doc("x1 == x2"),
    binary("numpy.not_equal", COMPARED, compose(not_equal)).rule(Rule::Comparison).large_ints().doc("x1 != x2"),
    binary("numpy.less", COMPARED, compose(less))
        .rule(Rule::Comparison)
        .complex(complex::less)
        .large_ints()
        .doc("x1 < x2; complex by real, then imaginary part"),
    binary("numpy.less_equal", COMPARED, compose(less_equal))
        .rule(Rule::Comparison)
        .complex(complex::less_equal)
        .large_ints()
        .doc("x1 <= x2; complex by real, then imaginary part"),
    binary("numpy.greater", COMPARED, compose(greater))
        .rule(Rule::Comparison)
        .complex(complex::greater)
        .large_ints()
        .doc("x1 > x2; complex by real, then imaginary part"),
    binary("numpy.greater_equal", COMPARED, compose(greater_equal))
        .rule(Rule::Comparison)
        .complex(complex::greater_equal)
        .large_ints()
        .doc("x1 >= x2; complex by real, then imaginary part"),
    binary("numpy.logical_and", TRUTH, op(ScalarOp::BitAnd)).rule(Rule::Truth).doc("both are true"),
    binary("numpy.logical_or", TRUTH, op(ScalarOp::BitOr)).rule(Rule::Truth).doc("either is true"),
    binary("numpy.logical_xor", TRUTH, op(ScalarOp::BitXor)).rule(Rule::Truth).doc("exactly one is true"),
    unary("numpy.logical_not", &[("?", "x->?")], op(ScalarOp::BitNot)).rule(Rule::Truth).doc("is false"),
    binary("numpy.maximum", ORDERED, op(ScalarOp::Max))
        .complex(complex::maximum)
        .large_ints()
        .doc("the larger; nan if either is"),
    binary("numpy.minimum", ORDERED, op(ScalarOp::Min))
        .complex(complex::minimum)
        .large_ints()
        .doc("the smaller; nan if either is"),
    binary("numpy.fmax", ORDERED, op(ScalarOp::FMax)).complex(complex::fmax).doc("the larger; the other one of a nan"),
    binary("numpy.fmin", ORDERED, op(ScalarOp::FMin)).complex(complex::fmin).doc("the smaller; the other one of a nan"),
];

fn equal(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    compare(b, ScalarOp::Eq, v, false, false)
}

fn not_equal(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    compare(b, ScalarOp::Ne, v, true, true)
}

fn less(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    compare(b, ScalarOp::Lt, v, true, false)
}

fn less_equal(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    compare(b, ScalarOp::Le, v, true, false)
}

fn greater(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    compare(b, ScalarOp::Gt, v, false, true)
}

fn greater_equal(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    compare(b, ScalarOp::Ge, v, false, true)
}

/// Compares; `int64` with `uint64` exactly, given the answers where the left, or the right, operand is the negative one.
fn compare(b: &mut BodyBuilder, op: ScalarOp, v: &[Val], left: bool, right: bool) -> Vec<Val> {
    let (signed, answer) = match (b.dtype(v[0]), b.dtype(v[1])) {
        (DType::I64, DType::U64) => (v[0], left),
        (DType::U64, DType::I64) => (v[1], right),
        _ => return vec![b.op(op, v)],
    };
    let zero = b.number(0.0, signed);
    let negative = b.lt(signed, zero);
    let (x, y) = (b.cast(v[0], DType::U64), b.cast(v[1], DType::U64));
    let compared = b.op(op, &[x, y]);
    let answer = b.truth(answer);
    vec![b.select(negative, answer, compared)]
}
