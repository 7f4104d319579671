//! Exponentials, logarithms, square roots and powers of complex numbers.

use std::f64::consts::{LN_2, LOG2_E, LOG10_E};

use super::{Parts, by_precision, choose, is_zero, joined, parts, parts_of};
use crate::scalar::{BodyBuilder, Val, library};

pub(in crate::functions) fn exp(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    let z = parts(b, v);
    let power = exp_parts(b, z);
    joined(b, power)
}

/// `e^re (cos im + i sin im)`. See Note [Exponentials near overflow].
fn exp_parts(b: &mut BodyBuilder, z: Parts) -> Parts {
    let (cosine, sine) = (b.math(library::COS, z.im), b.math(library::SIN, z.im));
    let grown = scaled_exp(b, z.re);
    let (re, im) = (grown.times(b, cosine), grown.times(b, sine));
    let power = Parts { re, im };
    let (zero, nan, modulus) = (b.number(0.0, z.re), b.number(f64::NAN, z.re), b.math(library::EXP, z.re));
    let turned = b.is_finite(z.im);
    let (unturned, infinite, negative) = (b.not(turned), b.is_inf(z.re), b.sign_bit(z.re));
    let undirected = b.both(unturned, infinite);
    let vanishing = b.both(undirected, negative);
    let power = choose(b, undirected, Parts { re: modulus, im: nan }, power);
    let (unknown, signed_zero) = (b.is_nan(z.im), b.copysign(zero, z.im));
    let im = b.select(unknown, zero, signed_zero);
    let power = choose(b, vanishing, Parts { re: zero, im }, power);
    let is_real = is_zero(b, z.im);
    choose(b, is_real, Parts { re: modulus, im: z.im }, power)
}

/// `e^x` in two factors, the second of which is 1 unless x is near or beyond overflow.
#[derive(Clone, Copy)]
pub(super) struct ScaledExp {
    pub(super) first: Val,
    pub(super) second: Val,
}

impl ScaledExp {
    pub(super) fn times(self, b: &mut BodyBuilder, x: Val) -> Val {
        let product = b.mul(self.first, x);
        b.mul(product, self.second)
    }
}

pub(super) fn scaled_exp(b: &mut BodyBuilder, x: Val) -> ScaledExp {
    let limit = by_precision(b, x, 700.0, 80.0);
    let (shift, factor) = (by_precision(b, x, 512.0, 64.0), by_precision(b, x, 512f64.exp(), 64f64.exp()));
    let one = b.number(1.0, x);
    let (large, shifted) = (b.gt(x, limit), b.sub(x, shift));
    let exponent = b.select(large, shifted, x);
    ScaledExp { first: b.math(library::EXP, exponent), second: b.select(large, factor, one) }
}

pub(in crate::functions) fn exp2(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    let z = parts(b, v);
    let scaled = scaled(b, z, LN_2);
    let power = exp_parts(b, scaled);
    joined(b, power)
}

fn scaled(b: &mut BodyBuilder, z: Parts, factor: f64) -> Parts {
    let factor = b.number(factor, z.re);
    Parts { re: b.mul(z.re, factor), im: b.mul(z.im, factor) }
}

/// As NumPy: the cosine's distance from 1 by the sine of the half angle.
pub(in crate::functions) fn expm1(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    let z = parts(b, v);
    let (half, two) = (b.number(0.5, z.re), b.number(2.0, z.re));
    let half_angle = b.mul(z.im, half);
    let (sine_of_half, cosine) = (b.math(library::SIN, half_angle), b.math(library::COS, z.im));
    let (grown, sine, modulus) = (b.math(library::EXPM1, z.re), b.math(library::SIN, z.im), b.math(library::EXP, z.re));
    let square = b.mul(sine_of_half, sine_of_half);
    let (turned, lost) = (b.mul(grown, cosine), b.mul(two, square));
    let (re, im) = (b.sub(turned, lost), b.mul(modulus, sine));
    joined(b, Parts { re, im })
}

pub(in crate::functions) fn log(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    let z = parts(b, v);
    let logarithm = log_parts(b, z);
    joined(b, logarithm)
}

pub(in crate::functions) fn log2(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    let z = parts(b, v);
    let logarithm = log_parts(b, z);
    let scaled = scaled(b, logarithm, LOG2_E);
    joined(b, scaled)
}

pub(in crate::functions) fn log10(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    let z = parts(b, v);
    let logarithm = log_parts(b, z);
    let scaled = scaled(b, logarithm, LOG10_E);
    joined(b, scaled)
}

/// As NumPy: the modulus and angle of `1 + z`.
pub(in crate::functions) fn log1p(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    let z = parts(b, v);
    let one = b.number(1.0, z.re);
    let re = b.add(z.re, one);
    let modulus = b.math2(library::HYPOT, re, z.im);
    let logarithm = Parts { re: b.math(library::LOG, modulus), im: b.math2(library::ATAN2, z.im, re) };
    joined(b, logarithm)
}

/// The modulus' logarithm (near 1 from its distance to 1, at the ends of the range from a scaled modulus) and the angle.
fn log_parts(b: &mut BodyBuilder, z: Parts) -> Parts {
    let re = log_of_modulus(b, z);
    Parts { re, im: b.math2(library::ATAN2, z.im, z.re) }
}

pub(super) fn log_of_modulus(b: &mut BodyBuilder, z: Parts) -> Val {
    let (width, height) = (b.abs(z.re), b.abs(z.im));
    let (large, small) = (b.max(width, height), b.min(width, height));
    let (top, bottom) = (by_precision(b, large, 1e307, 1e37), by_precision(b, large, 1e-292, 1e-30));
    let (huge, tiny) = (b.gt(large, top), b.lt(large, bottom));
    let (one, down, up) = (b.number(1.0, large), b.number(0.25, large), b.number(2f64.powi(54), large));
    let factor = b.choose(&[(huge, down), (tiny, up)], one);
    let (zero, from_down, from_up) = (b.number(0.0, large), b.number(2.0 * LN_2, large), b.number(-54.0 * LN_2, large));
    let correction = b.choose(&[(huge, from_down), (tiny, from_up)], zero);
    let (width, height) = (b.mul(width, factor), b.mul(height, factor));
    let modulus = b.math2(library::HYPOT, width, height);
    let far = b.math(library::LOG, modulus);
    let far = b.add(far, correction);

    let (below, above) = (b.sub(large, one), b.add(large, one));
    let (product, square) = (b.mul(below, above), b.mul(small, small));
    let distance = b.add(product, square);
    let near = b.math(library::LOG1P, distance);
    let half = b.number(0.5, near);
    let near = b.mul(near, half);

    let (low, high) = (b.number(0.71, modulus), b.number(1.73, modulus));
    let (over, under) = (b.gt(modulus, low), b.lt(modulus, high));
    let unscaled = b.eq(factor, one);
    let is_near = b.both(over, under);
    let is_near = b.both(is_near, unscaled);
    b.select(is_near, near, far)
}

pub(in crate::functions) fn sqrt(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    let z = parts(b, v);
    let root = sqrt_parts(b, z);
    joined(b, root)
}

/// The root in the right half plane, on the imaginary axis with the sign of the imaginary part, zeros included.
pub(super) fn sqrt_parts(b: &mut BodyBuilder, z: Parts) -> Parts {
    let (width, height) = (b.abs(z.re), b.abs(z.im));
    let large = b.max(width, height);
    let (top, bottom) = (by_precision(b, large, 1e307, 1e37), by_precision(b, large, 1e-290, 1e-30));
    let (huge, tiny) = (b.gt(large, top), b.lt(large, bottom));
    let numbers = [1.0, 0.25, 2f64.powi(54), 2.0, 2f64.powi(-27)].map(|x| b.number(x, large));
    let [one, down, up, undo_down, undo_up] = numbers;
    let factor = b.choose(&[(huge, down), (tiny, up)], one);
    let undo = b.choose(&[(huge, undo_down), (tiny, undo_up)], one);
    let (width_scaled, height_scaled) = (b.mul(width, factor), b.mul(height, factor));
    let modulus = b.math2(library::HYPOT, width_scaled, height_scaled);
    let (half, sum) = (b.number(0.5, modulus), b.add(modulus, width_scaled));
    let mean = b.mul(sum, half);
    let root = b.sqrt(mean);
    let twice = b.add(root, root);
    let other = b.div(height_scaled, twice);
    let (root, other) = (b.mul(root, undo), b.mul(other, undo));
    let zero = b.number(0.0, root);
    let right = b.ge(z.re, zero);
    let (re, im) = (b.select(right, root, other), b.select(right, other, root));
    let usual = Parts { re, im: b.copysign(im, z.im) };
    sqrt_special(b, z, usual)
}

fn sqrt_special(b: &mut BodyBuilder, z: Parts, usual: Parts) -> Parts {
    let (zero, infinity, nan) = (b.number(0.0, z.re), b.number(f64::INFINITY, z.re), b.number(f64::NAN, z.re));
    let (re_zero, im_zero) = (is_zero(b, z.re), is_zero(b, z.im));
    let origin = b.both(re_zero, im_zero);
    let (wide, high, negative, im_nan) = (b.is_inf(z.re), b.is_inf(z.im), b.sign_bit(z.re), b.is_nan(z.im));
    let small = b.select(im_nan, nan, zero);
    let (towards_top, towards_axis) = (b.copysign(infinity, z.im), b.copysign(small, z.im));
    let left = Parts { re: small, im: towards_top };
    let right = Parts { re: infinity, im: towards_axis };
    let infinite = choose(b, negative, left, right);
    let root = choose(b, wide, infinite, usual);
    let root = choose(b, origin, Parts { re: zero, im: z.im }, root);
    choose(b, high, Parts { re: infinity, im: z.im }, root)
}

/// `exp(y log x)`; the exponents -1, 0, 1, 2 and 3 by products, and powers of 0, as NumPy.
pub(in crate::functions) fn power(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    let (x, y) = (parts_of(b, v[0]), parts_of(b, v[1]));
    let logarithm = log_parts(b, x);
    let product = super::product(b, y, logarithm);
    let general = exp_parts(b, product);
    let general = b.complex(general.re, general.im);

    let square = b.mul(v[0], v[0]);
    let cube = b.mul(square, v[0]);
    let (zero, one, nan) = (b.number(0.0, v[0]), b.number(1.0, v[0]), b.number(f64::NAN, y.re));
    let undefined = b.complex(nan, nan);
    // As NumPy: one divided by the product of one and x, which a single infinite part makes nan.
    let (unit, nothing) = (b.number(1.0, x.re), b.number(0.0, x.re));
    let once = super::plain_product(b, Parts { re: unit, im: nothing }, x);
    let once = b.complex(once.re, once.im);
    let reciprocal = b.div(one, once);
    let real_exponent = is_zero(b, y.im);
    let is = |b: &mut BodyBuilder, n: f64| {
        let number = b.number(n, y.re);
        let equal = b.eq(y.re, number);
        b.both(equal, real_exponent)
    };
    let whole = [0.0, 1.0, 2.0, 3.0, -1.0].map(|n| is(b, n));
    let (re_zero, im_zero, none) = (is_zero(b, x.re), is_zero(b, x.im), b.number(0.0, y.re));
    let (base_zero, positive) = (b.both(re_zero, im_zero), b.gt(y.re, none));
    let of_zero = b.select(positive, zero, undefined);
    let cases = [
        (whole[0], one),
        (base_zero, of_zero),
        (whole[1], v[0]),
        (whole[2], square),
        (whole[3], cube),
        (whole[4], reciprocal),
    ];
    vec![b.choose(&cases, general)]
}

// Note [Exponentials near overflow]: `e^x cos y` may be finite where `e^x` is not. `e^(x - 512)` is, and multiplied by the cosine
// before it is multiplied by `e^512` only the result can overflow. The difference is exact, because 512 has one bit.
