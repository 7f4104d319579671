//! Inverse hyperbolic and trigonometric functions of complex numbers, after Kahan: by square roots of `1 + z` and `1 - z`, whose
//! imaginary parts' signs carry the branch cuts. Far out, where those would overflow, by the logarithm of the modulus.

use std::f64::consts::{FRAC_PI_2, LN_2};

use super::exponential::{log_of_modulus, sqrt_parts};
use super::{Parts, by_precision, choose, is_zero, joined, parts, times_i, times_minus_i};
use crate::scalar::{BodyBuilder, Val, library};

pub(in crate::functions) fn arcsinh(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    let z = parts(b, v);
    let result = arcsinh_parts(b, z);
    joined(b, result)
}

/// `-i arcsinh(i z)`.
pub(in crate::functions) fn arcsin(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    let z = parts(b, v);
    let turned = times_i(b, z);
    let result = arcsinh_parts(b, turned);
    let result = times_minus_i(b, result);
    joined(b, result)
}

pub(in crate::functions) fn arctanh(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    let z = parts(b, v);
    let result = arctanh_parts(b, z);
    joined(b, result)
}

/// `-i arctanh(i z)`.
pub(in crate::functions) fn arctan(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    let z = parts(b, v);
    let turned = times_i(b, z);
    let result = arctanh_parts(b, turned);
    let result = times_minus_i(b, result);
    joined(b, result)
}

/// Whether a part is too large for the square roots.
fn is_far(b: &mut BodyBuilder, z: Parts) -> Val {
    let limit = by_precision(b, z.re, 1e150, 1e18);
    let (width, height) = (b.abs(z.re), b.abs(z.im));
    let (wide, high) = (b.gt(width, limit), b.gt(height, limit));
    b.either(wide, high)
}

/// The logarithm of `2 |z|`.
fn log_of_twice(b: &mut BodyBuilder, z: Parts) -> Val {
    let (log, two) = (log_of_modulus(b, z), b.number(LN_2, z.re));
    b.add(log, two)
}

/// The roots of two numbers given by their parts.
fn roots(b: &mut BodyBuilder, first: (Val, Val), second: (Val, Val)) -> (Parts, Parts) {
    let first = sqrt_parts(b, Parts { re: first.0, im: first.1 });
    (first, sqrt_parts(b, Parts { re: second.0, im: second.1 }))
}

/// `p q + r s`, or with a minus.
fn sum_of_products(b: &mut BodyBuilder, (p, q): (Val, Val), (r, s): (Val, Val)) -> Val {
    let (first, second) = (b.mul(p, q), b.mul(r, s));
    b.add(first, second)
}

fn difference_of_products(b: &mut BodyBuilder, (p, q): (Val, Val), (r, s): (Val, Val)) -> Val {
    let (first, second) = (b.mul(p, q), b.mul(r, s));
    b.sub(first, second)
}

fn arcsinh_parts(b: &mut BodyBuilder, z: Parts) -> Parts {
    let one = b.number(1.0, z.re);
    let (above, below, minus) = (b.add(one, z.im), b.sub(one, z.im), b.neg(z.re));
    let (s1, s2) = roots(b, (above, minus), (below, z.re));
    let sine = difference_of_products(b, (s1.re, s2.im), (s2.re, s1.im));
    let cosine = difference_of_products(b, (s1.re, s2.re), (s1.im, s2.im));
    let near = Parts { re: b.math(library::ASINH, sine), im: b.math2(library::ATAN2, z.im, cosine) };
    let (far, log, width) = (is_far(b, z), log_of_twice(b, z), b.abs(z.re));
    let distant = Parts { re: b.copysign(log, z.re), im: b.math2(library::ATAN2, z.im, width) };
    let result = choose(b, far, distant, near);
    // A real argument, also nan, has a real result.
    let on_real = is_zero(b, z.im);
    Parts { re: result.re, im: b.select(on_real, z.im, result.im) }
}

pub(in crate::functions) fn arccosh(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    let z = parts(b, v);
    let (one, two) = (b.number(1.0, z.re), b.number(2.0, z.re));
    let (below, above) = (b.sub(z.re, one), b.add(z.re, one));
    let (s1, s2) = roots(b, (below, z.im), (above, z.im));
    let sine = sum_of_products(b, (s1.re, s2.re), (s1.im, s2.im));
    let angle = b.math2(library::ATAN2, s1.im, s2.re);
    let near = Parts { re: b.math(library::ASINH, sine), im: b.mul(two, angle) };
    let (far, log) = (is_far(b, z), log_of_twice(b, z));
    let distant = Parts { re: log, im: b.math2(library::ATAN2, z.im, z.re) };
    let result = choose(b, far, distant, near);
    // On the imaginary axis the angle is a right one, even where the imaginary part is nan.
    let (on_imaginary, unknown, right_angle) = (is_zero(b, z.re), b.is_nan(z.im), b.number(FRAC_PI_2, z.re));
    let only_angle = b.both(on_imaginary, unknown);
    let im = b.select(only_angle, right_angle, result.im);
    joined(b, Parts { re: result.re, im })
}

pub(in crate::functions) fn arccos(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    let z = parts(b, v);
    let (one, two) = (b.number(1.0, z.re), b.number(2.0, z.re));
    let (below, above, minus) = (b.sub(one, z.re), b.add(one, z.re), b.neg(z.im));
    let (s1, s2) = roots(b, (below, minus), (above, z.im));
    let angle = b.math2(library::ATAN2, s1.re, s2.re);
    let sine = difference_of_products(b, (s2.re, s1.im), (s2.im, s1.re));
    let near = Parts { re: b.mul(two, angle), im: b.math(library::ASINH, sine) };
    let (far, log, height) = (is_far(b, z), log_of_twice(b, z), b.abs(z.im));
    let distant = Parts { re: b.math2(library::ATAN2, height, z.re), im: b.copysign(log, minus) };
    let result = choose(b, far, distant, near);
    let on_imaginary = is_zero(b, z.re);
    let right_angle = b.number(FRAC_PI_2, z.re);
    let re = b.select(on_imaginary, right_angle, result.re);
    joined(b, Parts { re, im: result.im })
}

/// For the right half plane, mirrored for the left one. See Note [The inverse hyperbolic tangent].
fn arctanh_parts(b: &mut BodyBuilder, z: Parts) -> Parts {
    let (re, im) = (b.abs(z.re), z.im);
    let (one, two, four) = (b.number(1.0, re), b.number(2.0, re), b.number(4.0, re));
    let (quarter, half, zero) = (b.number(0.25, re), b.number(0.5, re), b.number(0.0, re));
    let height = b.abs(im);
    let (left, right) = (b.sub(one, re), b.add(one, re));
    let (left_square, height_square) = (b.mul(left, left), b.mul(height, height));
    let distance = b.add(left_square, height_square);
    let fourfold = b.mul(four, re);
    let ratio = b.div(fourfold, distance);
    let log = b.math(library::LOG1P, ratio);
    let near_re = b.mul(log, quarter);
    let product = b.mul(left, right);
    let (cosine, sine) = (b.sub(product, height_square), b.mul(two, height));
    let angle = b.math2(library::ATAN2, sine, cosine);
    let near = Parts { re: near_re, im: b.mul(angle, half) };

    // Far out: the reciprocal's real part, and a right angle.
    let limit = by_precision(b, re, 1e150, 1e18);
    let (wide, high) = (b.gt(re, limit), b.gt(height, limit));
    let far = b.either(wide, high);
    let modulus = b.math2(library::HYPOT, re, height);
    let (x, infinite) = (b.div(re, modulus), b.is_inf(modulus));
    let x = b.div(x, modulus);
    let right_angle = b.number(FRAC_PI_2, re);
    let unknown = b.is_nan(im);
    let angle = b.select(unknown, im, right_angle);
    let distant = Parts { re: b.select(infinite, zero, x), im: angle };

    let result = choose(b, far, distant, near);
    let (on_imaginary, on_real) = (is_zero(b, z.re), is_zero(b, z.im));
    let re = b.select(on_imaginary, zero, result.re);
    let width = b.abs(z.re);
    let inside = b.le(width, one);
    let flat = b.both(on_real, inside);
    let im = b.select(flat, zero, result.im);
    Parts { re: b.copysign(re, z.re), im: b.copysign(im, z.im) }
}

// Note [The inverse hyperbolic tangent]: `log1p(4 x / ((1 - x)² + y²)) / 4` is exact at small arguments, where the logarithms of
// `1 + z` and `1 - z` would cancel; the angle is half that of `(1 - x²) - y² + 2 i y`. Both come from W. Kahan, "Branch cuts for
// complex elementary functions" (1987). At `1 + i y` with tiny y the square of y vanishes and the real part becomes inf.
