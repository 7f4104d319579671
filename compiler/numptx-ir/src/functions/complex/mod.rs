//! Complex functions composed of real operations, after C99's Annex G for special values and branch cuts.
//!
//! Error bounds of complex functions are relative to the result's modulus: a part that is small beside the other may lose digits.

mod exponential;
mod hyperbolic;
mod inverse;

pub(in crate::functions) use exponential::{exp, exp2, expm1, log, log1p, log2, log10, power, sqrt};
pub(in crate::functions) use hyperbolic::{cos, cosh, sin, sinh, tan, tanh};
pub(in crate::functions) use inverse::{arccos, arccosh, arcsin, arcsinh, arctan, arctanh};

use crate::DType;
use crate::scalar::{BodyBuilder, ScalarOp, Val};

/// Real and imaginary part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Parts {
    re: Val,
    im: Val,
}

/// The parts of the only operand.
fn parts(b: &mut BodyBuilder, v: &[Val]) -> Parts {
    parts_of(b, v[0])
}

fn parts_of(b: &mut BodyBuilder, z: Val) -> Parts {
    let (re, im) = b.parts(z);
    Parts { re, im }
}

/// The only result.
fn joined(b: &mut BodyBuilder, z: Parts) -> Vec<Val> {
    vec![b.complex(z.re, z.im)]
}

/// `-i z`.
fn times_minus_i(b: &mut BodyBuilder, z: Parts) -> Parts {
    Parts { re: z.im, im: b.neg(z.re) }
}

/// `i z`.
fn times_i(b: &mut BodyBuilder, z: Parts) -> Parts {
    Parts { re: b.neg(z.im), im: z.re }
}

/// One of two by a condition.
fn choose(b: &mut BodyBuilder, condition: Val, yes: Parts, no: Parts) -> Parts {
    Parts { re: b.select(condition, yes.re, no.re), im: b.select(condition, yes.im, no.im) }
}

/// A number in double precision, or in single.
fn by_precision(b: &mut BodyBuilder, like: Val, double: f64, single: f64) -> Val {
    let value = if b.dtype(like) == DType::F32 { single } else { double };
    b.number(value, like)
}

fn is_zero(b: &mut BodyBuilder, x: Val) -> Val {
    let zero = b.number(0.0, x);
    b.eq(x, zero)
}

fn has_nan(b: &mut BodyBuilder, z: Parts) -> Val {
    let (re, im) = (b.is_nan(z.re), b.is_nan(z.im));
    b.either(re, im)
}

pub(in crate::functions) fn conjugate(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    let z = parts(b, v);
    let im = b.neg(z.im);
    joined(b, Parts { re: z.re, im })
}

pub(in crate::functions) fn rint(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    let z = parts(b, v);
    let (re, im) = (b.op(ScalarOp::Rint, &[z.re]), b.op(ScalarOp::Rint, &[z.im]));
    joined(b, Parts { re, im })
}

/// By the larger part, so that squares do not overflow.
pub(in crate::functions) fn reciprocal(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    let z = parts(b, v);
    let (width, height) = (b.abs(z.re), b.abs(z.im));
    let flat = b.le(height, width);
    let (small, large) = (b.select(flat, z.im, z.re), b.select(flat, z.re, z.im));
    let ratio = b.div(small, large);
    let scaled = b.mul(small, ratio);
    let divisor = b.add(large, scaled);
    let one = b.number(1.0, ratio);
    let (quotient, rest) = (b.div(one, divisor), b.div(ratio, divisor));
    let (re, im) = (b.select(flat, quotient, rest), b.select(flat, rest, quotient));
    let im = b.neg(im);
    joined(b, Parts { re, im })
}

/// `z / |z|`; 0 of 0; the direction of an infinite part; nan where both are infinite or either is nan.
pub(in crate::functions) fn sign(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    let z = parts(b, v);
    let modulus = b.abs(v[0]);
    let (zero, one, nan) = (b.number(0.0, modulus), b.number(1.0, modulus), b.number(f64::NAN, modulus));
    let (wide, high) = (b.is_inf(z.re), b.is_inf(z.im));
    let both = b.both(wide, high);
    let none = b.eq(modulus, zero);
    let part = |b: &mut BodyBuilder, x: Val, own: Val, other: Val| {
        let (direction, ratio) = (b.copysign(one, x), b.div(x, modulus));
        let any_nan = b.is_nan(modulus);
        b.choose(&[(both, nan), (any_nan, nan), (own, direction), (other, zero), (none, zero)], ratio)
    };
    let re = part(b, z.re, wide, high);
    let im = part(b, z.im, high, wide);
    joined(b, Parts { re, im })
}

/// A product as C99's: where both parts come out as nan though a factor is infinite, the direction of the infinity is kept.
fn product(b: &mut BodyBuilder, x: Parts, y: Parts) -> Parts {
    let usual = plain_product(b, x, y);
    let (x_infinite, y_infinite) = (has_inf(b, x), has_inf(b, y));
    let any = b.either(x_infinite, y_infinite);
    let (x_boxed, y_boxed) = (boxed(b, x, x_infinite), boxed(b, y, y_infinite));
    let direction = plain_product(b, x_boxed, y_boxed);
    let infinity = b.number(f64::INFINITY, x.re);
    let recovered = Parts { re: b.mul(infinity, direction.re), im: b.mul(infinity, direction.im) };
    let (re, im) = (b.is_nan(usual.re), b.is_nan(usual.im));
    let lost = b.both(re, im);
    let lost = b.both(lost, any);
    choose(b, lost, recovered, usual)
}

fn plain_product(b: &mut BodyBuilder, x: Parts, y: Parts) -> Parts {
    let (p, q, r, s) = (b.mul(x.re, y.re), b.mul(x.im, y.im), b.mul(x.re, y.im), b.mul(x.im, y.re));
    Parts { re: b.sub(p, q), im: b.add(r, s) }
}

fn has_inf(b: &mut BodyBuilder, z: Parts) -> Val {
    let (re, im) = (b.is_inf(z.re), b.is_inf(z.im));
    b.either(re, im)
}

/// Infinite values as the corner of the unit box that they point to; nans as zeros.
fn boxed(b: &mut BodyBuilder, z: Parts, infinite: Val) -> Parts {
    let (zero, one) = (b.number(0.0, z.re), b.number(1.0, z.re));
    let part = |b: &mut BodyBuilder, x: Val| {
        let (is_inf, is_nan) = (b.is_inf(x), b.is_nan(x));
        let corner = b.select(is_inf, one, zero);
        let corner = b.copysign(corner, x);
        let number = b.select(is_nan, zero, x);
        b.select(infinite, corner, number)
    };
    Parts { re: part(b, z.re), im: part(b, z.im) }
}

/// Lexicographic order; false where an imaginary part is nan.
fn ordered(b: &mut BodyBuilder, v: &[Val], strict: ScalarOp, last: ScalarOp) -> Val {
    let (x, y) = (parts_of(b, v[0]), parts_of(b, v[1]));
    let (x_nan, y_nan) = (b.is_nan(x.im), b.is_nan(y.im));
    let nan = b.either(x_nan, y_nan);
    let comparable = b.not(nan);
    let before = b.op(strict, &[x.re, y.re]);
    let before = b.both(before, comparable);
    let (equal, last) = (b.eq(x.re, y.re), b.op(last, &[x.im, y.im]));
    let tied = b.both(equal, last);
    b.either(before, tied)
}

pub(in crate::functions) fn less(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    vec![ordered(b, v, ScalarOp::Lt, ScalarOp::Lt)]
}

pub(in crate::functions) fn less_equal(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    vec![ordered(b, v, ScalarOp::Lt, ScalarOp::Le)]
}

pub(in crate::functions) fn greater(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    vec![ordered(b, v, ScalarOp::Gt, ScalarOp::Gt)]
}

pub(in crate::functions) fn greater_equal(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    vec![ordered(b, v, ScalarOp::Gt, ScalarOp::Ge)]
}

/// The first operand where it is nan (or the second one is, to ignore nans) or stands in order before the second.
fn extreme(b: &mut BodyBuilder, v: &[Val], strict: ScalarOp, last: ScalarOp, nan_of: usize) -> Vec<Val> {
    let tested = parts_of(b, v[nan_of]);
    let (nan, before) = (has_nan(b, tested), ordered(b, v, strict, last));
    let first = b.either(nan, before);
    vec![b.select(first, v[0], v[1])]
}

pub(in crate::functions) fn maximum(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    extreme(b, v, ScalarOp::Gt, ScalarOp::Ge, 0)
}

pub(in crate::functions) fn minimum(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    extreme(b, v, ScalarOp::Lt, ScalarOp::Le, 0)
}

pub(in crate::functions) fn fmax(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    extreme(b, v, ScalarOp::Gt, ScalarOp::Ge, 1)
}

pub(in crate::functions) fn fmin(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    extreme(b, v, ScalarOp::Lt, ScalarOp::Le, 1)
}
