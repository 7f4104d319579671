//! Scalars as the words that hold them, as [`numptx_abi::Value::bits`]: integers are extended to 64 bits.

use numptx_abi::{half, object};

use crate::DType;
use crate::scalar::Constant;

pub(super) fn words_of(constant: Constant, dtype: DType) -> [u64; 2] {
    let bits = |x: f64| match dtype {
        DType::F16 => u64::from(half::from_f64(x)),
        DType::F32 | DType::C64 => u64::from((x as f32).to_bits()),
        _ => x.to_bits(),
    };
    match constant {
        Constant::Bool(value) => [u64::from(value), 0],
        Constant::Int(value) => [value.cast_unsigned(), 0],
        Constant::Float(value) => [bits(value), 0],
        Constant::Complex(real, imaginary) => [bits(real), bits(imaginary)],
    }
}

pub(super) fn constant_of(words: [u64; 2], dtype: DType) -> Constant {
    let [real, imaginary] = words.map(|word| match dtype {
        DType::F16 => half::to_f64(word as u16),
        DType::F32 | DType::C64 => f64::from(f32::from_bits(word as u32)),
        _ => f64::from_bits(word),
    });
    match dtype {
        DType::Bool => Constant::Bool(words[0] != 0),
        DType::F16 | DType::F32 | DType::F64 => Constant::Float(real),
        DType::C64 | DType::C128 => Constant::Complex(real, imaginary),
        _ => Constant::Int(words[0].cast_signed()),
    }
}

/// The dtype of a leaf that is a scalar.
pub(super) fn dtype_of(code: u8) -> Option<DType> {
    let is_it = |dtype: &DType| object::is_scalar(code) && dtype.code() == object::dtype_of(code);
    DType::ALL.into_iter().find(is_it)
}
