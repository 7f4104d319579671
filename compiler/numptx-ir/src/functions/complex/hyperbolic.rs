//! Hyperbolic and trigonometric functions of complex numbers.

use super::exponential::scaled_exp;
use super::{Parts, by_precision, choose, is_zero, joined, parts, times_i, times_minus_i};
use crate::scalar::{BodyBuilder, Val, library};

pub(in crate::functions) fn sinh(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    let z = parts(b, v);
    let result = sinh_parts(b, z);
    joined(b, result)
}

pub(in crate::functions) fn cosh(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    let z = parts(b, v);
    let result = cosh_parts(b, z);
    joined(b, result)
}

pub(in crate::functions) fn tanh(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    let z = parts(b, v);
    let result = tanh_parts(b, z);
    joined(b, result)
}

/// `-i sinh(i z)`.
pub(in crate::functions) fn sin(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    let z = parts(b, v);
    let turned = times_i(b, z);
    let result = sinh_parts(b, turned);
    let result = times_minus_i(b, result);
    // The C library's choice of sign where C99 leaves it open.
    let (infinite, finite, infinity) = (b.is_inf(z.im), b.is_finite(z.re), b.number(f64::INFINITY, z.im));
    let unturned = b.not(finite);
    let open = b.both(infinite, unturned);
    let im = b.select(open, infinity, result.im);
    joined(b, Parts { re: result.re, im })
}

/// `cosh(i z)`.
pub(in crate::functions) fn cos(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    let z = parts(b, v);
    let turned = times_i(b, z);
    let result = cosh_parts(b, turned);
    joined(b, result)
}

/// `-i tanh(i z)`.
pub(in crate::functions) fn tan(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    let z = parts(b, v);
    let turned = times_i(b, z);
    let result = tanh_parts(b, turned);
    let result = times_minus_i(b, result);
    joined(b, result)
}

/// `sinh x` and `cosh x` times `p` and `q`; beyond the range of both, half the exponential of `|x|` stands for either.
fn products(b: &mut BodyBuilder, x: Val, p: Val, q: Val) -> (Val, Val) {
    let limit = by_precision(b, x, 700.0, 80.0);
    let magnitude = b.abs(x);
    let large = b.gt(magnitude, limit);
    let (half, exponential) = (b.number(0.5, x), scaled_exp(b, magnitude));
    let (half_p, half_q) = (b.mul(half, p), b.mul(half, q));
    let (p_large, q_large) = (exponential.times(b, half_p), exponential.times(b, half_q));
    let negative = b.sign_bit(x);
    let p_negated = b.neg(p_large);
    let p_large = b.select(negative, p_negated, p_large);
    let (sine, cosine) = (b.math(library::SINH, x), b.math(library::COSH, x));
    let (p_usual, q_usual) = (b.mul(sine, p), b.mul(cosine, q));
    (b.select(large, p_large, p_usual), b.select(large, q_large, q_usual))
}

/// `sinh x cos y + i cosh x sin y`.
fn sinh_parts(b: &mut BodyBuilder, z: Parts) -> Parts {
    let (cosine, sine) = (b.math(library::COS, z.im), b.math(library::SIN, z.im));
    let (re, im) = products(b, z.re, cosine, sine);
    let (on_real, on_imaginary, infinite) = (is_zero(b, z.im), is_zero(b, z.re), b.is_inf(z.re));
    let finite = b.is_finite(z.im);
    let unturned = b.not(finite);
    // Where the angle is not finite, only an infinite or vanishing real part is known.
    let (far, lost) = (b.both(infinite, unturned), b.both(on_imaginary, unturned));
    let infinity = b.number(f64::INFINITY, re);
    let re = b.choose(&[(far, infinity), (lost, z.re)], re);
    let real = b.math(library::SINH, z.re);
    choose(b, on_real, Parts { re: real, im: z.im }, Parts { re, im })
}

/// `cosh x cos y + i sinh x sin y`.
fn cosh_parts(b: &mut BodyBuilder, z: Parts) -> Parts {
    let (cosine, sine) = (b.math(library::COS, z.im), b.math(library::SIN, z.im));
    let (im, re) = products(b, z.re, sine, cosine);
    let (on_real, on_imaginary, infinite) = (is_zero(b, z.im), is_zero(b, z.re), b.is_inf(z.re));
    let (finite, zero, infinity) = (b.is_finite(z.im), b.number(0.0, z.re), b.number(f64::INFINITY, z.re));
    let unturned = b.not(finite);
    let far = b.both(infinite, unturned);
    let re = b.select(far, infinity, re);
    let lost = b.both(on_imaginary, unturned);
    let im = b.select(lost, zero, im);
    let real = b.math(library::COSH, z.re);
    let one = b.number(1.0, z.re);
    let (direction, unknown) = (b.copysign(one, z.re), b.is_nan(z.re));
    let direction = b.select(unknown, one, direction);
    let flat = b.mul(direction, z.im);
    choose(b, on_real, Parts { re: real, im: flat }, Parts { re, im })
}

/// Kahan's formula by the tangent of the angle and the hyperbolic sine; far out, the limit and its distance.
fn tanh_parts(b: &mut BodyBuilder, z: Parts) -> Parts {
    let (limit, one, zero) = (by_precision(b, z.re, 22.0, 11.0), b.number(1.0, z.re), b.number(0.0, z.re));
    let magnitude = b.abs(z.re);
    let far = b.ge(magnitude, limit);
    let near_re = b.select(far, zero, z.re);
    let (tangent, sine) = (b.math(library::TAN, z.im), b.math(library::SINH, near_re));
    let (tangent_square, sine_square) = (b.mul(tangent, tangent), b.mul(sine, sine));
    let (beta, cosine_square) = (b.add(one, tangent_square), b.add(one, sine_square));
    let rho = b.sqrt(cosine_square);
    let product = b.mul(beta, sine_square);
    let divisor = b.add(one, product);
    let numerator = b.mul(beta, rho);
    let numerator = b.mul(numerator, sine);
    let near = Parts { re: b.div(numerator, divisor), im: b.div(tangent, divisor) };
    let limit = tanh_far(b, z, magnitude);
    let result = choose(b, far, limit, near);
    let (on_real, on_imaginary, finite) = (is_zero(b, z.im), is_zero(b, z.re), b.is_finite(z.im));
    let unturned = b.not(finite);
    let real = b.math(library::TANH, z.re);
    let lost = b.both(on_imaginary, unturned);
    let re = b.select(lost, z.re, result.re);
    choose(b, on_real, Parts { re: real, im: z.im }, Parts { re, im: result.im })
}

/// `±1 + 4 i sin y cos y e^(-2 |x|)`.
fn tanh_far(b: &mut BodyBuilder, z: Parts, magnitude: Val) -> Parts {
    let (one, four, zero) = (b.number(1.0, z.re), b.number(4.0, z.re), b.number(0.0, z.re));
    let (cosine, sine) = (b.math(library::COS, z.im), b.math(library::SIN, z.im));
    let minus = b.neg(magnitude);
    let decay = b.math(library::EXP, minus);
    let turn = b.mul(sine, cosine);
    let product = b.mul(four, turn);
    let product = b.mul(product, decay);
    let im = b.mul(product, decay);
    let infinite = b.is_inf(z.re);
    let finite = b.is_finite(z.im);
    let unturned = b.not(finite);
    let (unknown, signed_zero) = (b.is_nan(z.im), b.copysign(zero, z.im));
    let (vanishing, nan) = (b.select(unknown, zero, signed_zero), b.number(f64::NAN, z.re));
    let (at_infinity, limit) = (b.both(infinite, unturned), b.copysign(one, z.re));
    let re = b.choose(&[(infinite, limit), (finite, limit)], nan);
    Parts { re, im: b.select(at_infinity, vanishing, im) }
}
