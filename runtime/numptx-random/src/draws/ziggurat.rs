//! Standard normal and exponential draws by ziggurats of 256 layers (Marsaglia and Tsang, 2000, with the variations of NumPy's: logarithms of
//! 1 - U, and the sign of a tail from a bit of the drawn integer).

use super::ziggurat_tables::{
    EXPONENTIAL_BOUNDS, EXPONENTIAL_BOUNDS_F32, EXPONENTIAL_HEIGHTS, EXPONENTIAL_HEIGHTS_F32, EXPONENTIAL_WIDTHS,
    EXPONENTIAL_WIDTHS_F32, NORMAL_BOUNDS, NORMAL_BOUNDS_F32, NORMAL_HEIGHTS, NORMAL_HEIGHTS_F32, NORMAL_WIDTHS,
    NORMAL_WIDTHS_F32,
};
use crate::bits::BitGenerator;

/// Where the normal density's tail begins.
const NORMAL_TAIL: f64 = 3.654_152_885_361_009;
const NORMAL_TAIL_INVERSE: f64 = 0.273_661_237_329_758_3;
/// Where the exponential density's tail begins.
const EXPONENTIAL_TAIL: f64 = 7.697_117_470_131_05;

#[inline]
pub(super) fn normal(bits: &mut BitGenerator) -> f64 {
    loop {
        let word = bits.next_u64();
        let layer = (word & 0xff) as usize;
        let magnitude = word >> 9 & 0x000f_ffff_ffff_ffff;
        let x = magnitude as f64 * NORMAL_WIDTHS[layer];
        let x = if word >> 8 & 1 == 1 { -x } else { x };
        if magnitude < NORMAL_BOUNDS[layer] {
            return x;
        }
        if layer == 0 {
            return normal_tail(bits, magnitude >> 8 & 1 == 1);
        }
        let span = NORMAL_HEIGHTS[layer - 1] - NORMAL_HEIGHTS[layer];
        if span * bits.next_f64() + NORMAL_HEIGHTS[layer] < (-0.5 * x * x).exp() {
            return x;
        }
    }
}

#[cold]
fn normal_tail(bits: &mut BitGenerator, is_negative: bool) -> f64 {
    loop {
        let beyond = -NORMAL_TAIL_INVERSE * (-bits.next_f64()).ln_1p();
        let height = -(-bits.next_f64()).ln_1p();
        if height + height > beyond * beyond {
            return if is_negative { -(NORMAL_TAIL + beyond) } else { NORMAL_TAIL + beyond };
        }
    }
}

pub(super) fn normal_f32(bits: &mut BitGenerator) -> f32 {
    loop {
        let word = bits.next_u32();
        let layer = (word & 0xff) as usize;
        let magnitude = word >> 9;
        let x = magnitude as f32 * NORMAL_WIDTHS_F32[layer];
        let x = if word >> 8 & 1 == 1 { -x } else { x };
        if magnitude < NORMAL_BOUNDS_F32[layer] {
            return x;
        }
        if layer == 0 {
            return normal_tail_f32(bits, magnitude >> 8 & 1 == 1);
        }
        let span = NORMAL_HEIGHTS_F32[layer - 1] - NORMAL_HEIGHTS_F32[layer];
        let height = span * bits.next_f32() + NORMAL_HEIGHTS_F32[layer];
        // The density is computed in double precision, of a square in double precision.
        let wide = f64::from(x);
        if f64::from(height) < (-0.5 * wide * wide).exp() {
            return x;
        }
    }
}

#[cold]
fn normal_tail_f32(bits: &mut BitGenerator, is_negative: bool) -> f32 {
    loop {
        let beyond = -(NORMAL_TAIL_INVERSE as f32) * (-bits.next_f32()).ln_1p();
        let height = -(-bits.next_f32()).ln_1p();
        if height + height > beyond * beyond {
            let x = NORMAL_TAIL as f32 + beyond;
            return if is_negative { -x } else { x };
        }
    }
}

#[inline]
pub(super) fn exponential(bits: &mut BitGenerator) -> f64 {
    loop {
        let word = bits.next_u64() >> 3;
        let layer = (word & 0xff) as usize;
        let magnitude = word >> 8;
        let x = magnitude as f64 * EXPONENTIAL_WIDTHS[layer];
        if magnitude < EXPONENTIAL_BOUNDS[layer] {
            return x;
        }
        if layer == 0 {
            return EXPONENTIAL_TAIL - (-bits.next_f64()).ln_1p();
        }
        let span = EXPONENTIAL_HEIGHTS[layer - 1] - EXPONENTIAL_HEIGHTS[layer];
        if span * bits.next_f64() + EXPONENTIAL_HEIGHTS[layer] < (-x).exp() {
            return x;
        }
    }
}

pub(super) fn exponential_f32(bits: &mut BitGenerator) -> f32 {
    loop {
        let word = bits.next_u32() >> 1;
        let layer = (word & 0xff) as usize;
        let magnitude = word >> 8;
        let x = magnitude as f32 * EXPONENTIAL_WIDTHS_F32[layer];
        if magnitude < EXPONENTIAL_BOUNDS_F32[layer] {
            return x;
        }
        if layer == 0 {
            return EXPONENTIAL_TAIL as f32 - (-bits.next_f32()).ln_1p();
        }
        let span = EXPONENTIAL_HEIGHTS_F32[layer - 1] - EXPONENTIAL_HEIGHTS_F32[layer];
        if span * bits.next_f32() + EXPONENTIAL_HEIGHTS_F32[layer] < (-x).exp() {
            return x;
        }
    }
}
