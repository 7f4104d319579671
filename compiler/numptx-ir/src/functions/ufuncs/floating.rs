//! Rounding, and the anatomy of floating-point numbers.

use crate::DType;
use crate::functions::loops::LoopPattern;
use crate::functions::ufunc::{Rule, binary, compose, op, steps, unary};
use crate::functions::{Function, complex};
use crate::scalar::{BodyBuilder, ScalarOp, Val};

const ROUNDED: &[LoopPattern] = &[("?bBhHiIlLefd", "x->x")];
const TESTED: &[LoopPattern] = &[("?bBhHiIlLefdFD", "x->?")];
const FLOATS: &[LoopPattern] = &[("efd", "xx->x")];

/// The rows.
pub const TABLE: &[Function] = &[
    unary("numpy.floor", ROUNDED, compose(floor)).doc("rounded towards -inf; integers stay integers"),
    unary("numpy.ceil", ROUNDED, compose(ceil)).doc("rounded towards +inf; integers stay integers"),
    unary("numpy.trunc", ROUNDED, compose(trunc)).doc("rounded towards 0; integers stay integers"),
    unary("numpy.fix", ROUNDED, compose(trunc))
        .parameters("x, out=None")
        .without(&[])
        .doc("rounded towards 0; integers stay integers"),
    unary("numpy.rint", &[("efdFD", "x->x")], op(ScalarOp::Rint)).complex(complex::rint).doc("rounded to nearest even"),
    unary("numpy.isfinite", TESTED, compose(is_finite)).doc("is neither inf nor nan"),
    unary("numpy.isinf", TESTED, compose(is_inf)).doc("is inf or -inf"),
    unary("numpy.isnan", TESTED, compose(is_nan)).doc("is nan"),
    unary("numpy.isreal", TESTED, compose(is_real)).parameters("x").without(&[]).doc("has no imaginary part"),
    unary("numpy.signbit", &[("efd", "x->?")], op(ScalarOp::SignBit)).doc("has its sign bit set"),
    binary("numpy.copysign", FLOATS, op(ScalarOp::CopySign)).doc("x1 with the sign of x2"),
    binary("numpy.nextafter", FLOATS, op(ScalarOp::NextAfter)).doc("the float after x1 towards x2"),
    unary("numpy.spacing", &[("efd", "x->x")], steps(spacing)).doc("distance to the next float away from 0"),
    unary("numpy.modf", &[("efd", "x->xx")], compose(modf))
        .outputs(2)
        .doc("fraction and whole part")
        .example("np.modf(x)[0]"),
    binary("numpy.ldexp", &[("ef", "xi->x"), ("ef", "xl->x"), ("d", "xi->x"), ("d", "xl->x")], compose(ldexp))
        .rule(Rule::Separate)
        .looks_first()
        .doc("x1 * 2**x2")
        .example("np.ldexp(x, 3)"),
    unary("numpy.frexp", &[("efd", "x->xi")], compose(frexp))
        .outputs(2)
        .doc("mantissa in [0.5, 1) and exponent")
        .example("np.frexp(x)[0]"),
    binary("numpy.heaviside", FLOATS, compose(heaviside)).doc("0 below 0, x2 at 0, 1 above"),
];

fn floor(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    rounded(b, ScalarOp::Floor, v)
}

fn ceil(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    rounded(b, ScalarOp::Ceil, v)
}

fn trunc(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    rounded(b, ScalarOp::Trunc, v)
}

fn rounded(b: &mut BodyBuilder, op: ScalarOp, v: &[Val]) -> Vec<Val> {
    vec![if b.dtype(v[0]).is_float() { b.op(op, v) } else { v[0] }]
}

fn is_finite(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    of_parts(b, v[0], ScalarOp::IsFinite, ScalarOp::BitAnd, true)
}

fn is_inf(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    of_parts(b, v[0], ScalarOp::IsInf, ScalarOp::BitOr, false)
}

fn is_nan(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    of_parts(b, v[0], ScalarOp::IsNan, ScalarOp::BitOr, false)
}

/// A test of a float, of both parts of a complex, or its answer for integers.
fn of_parts(b: &mut BodyBuilder, x: Val, test: ScalarOp, join: ScalarOp, of_integers: bool) -> Vec<Val> {
    let dtype = b.dtype(x);
    if dtype.is_complex() {
        let (re, im) = b.parts(x);
        let (re, im) = (b.op(test, &[re]), b.op(test, &[im]));
        return vec![b.op(join, &[re, im])];
    }
    vec![if dtype.is_float() { b.op(test, &[x]) } else { b.truth(of_integers) }]
}

fn is_real(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    let is_complex = is_complex(b, v)[0];
    vec![b.not(is_complex)]
}

pub(in crate::functions) fn is_complex(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    if !b.dtype(v[0]).is_complex() {
        return vec![b.truth(false)];
    }
    let im = b.imag(v[0]);
    let zero = b.number(0.0, im);
    vec![b.ne(im, zero)]
}

fn spacing(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    let x = v[0];
    let (infinity, nan, zero) = (b.number(f64::INFINITY, x), b.number(f64::NAN, x), b.number(0.0, x));
    let is_zero = b.eq(x, zero);
    let outwards = b.copysign(infinity, x);
    // NumPy looks upwards from every `float16`.
    let outwards = if b.dtype(x) == DType::F16 { infinity } else { b.select(is_zero, infinity, outwards) };
    let next = b.next_after(x, outwards);
    let (distance, infinite) = (b.sub(next, x), b.is_inf(x));
    vec![b.select(infinite, nan, distance)]
}

fn modf(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    let x = v[0];
    let (whole, zero, infinite) = (b.trunc(x), b.number(0.0, x), b.is_inf(x));
    let rest = b.sub(x, whole);
    let rest = b.select(infinite, zero, rest);
    vec![b.copysign(rest, x), whole]
}

/// The operation takes 32-bit exponents; larger ones give 0 or inf all the same.
fn ldexp(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    let exponent = if b.dtype(v[1]) == DType::I64 {
        let (low, high) = (b.number(-100_000.0, v[1]), b.number(100_000.0, v[1]));
        let above = b.max(v[1], low);
        let within = b.min(above, high);
        b.cast(within, DType::I32)
    } else {
        v[1]
    };
    vec![b.op(ScalarOp::Ldexp, &[v[0], exponent])]
}

fn frexp(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    vec![b.op(ScalarOp::FrexpMantissa, v), b.op(ScalarOp::FrexpExponent, v)]
}

fn heaviside(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    let (x, zero, one) = (v[0], b.number(0.0, v[0]), b.number(1.0, v[0]));
    let (nan, below, at) = (b.is_nan(x), b.lt(x, zero), b.eq(x, zero));
    vec![b.choose(&[(nan, x), (below, zero), (at, v[1])], one)]
}
