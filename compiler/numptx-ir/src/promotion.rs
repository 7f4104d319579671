//! NumPy 2 promotion (NEP 50): dtypes, and which of them are weak, in; the common dtype, or whether a cast is allowed, out.
//!
//! Loop selection of ufuncs stands with the function table; this file knows of dtypes alone.

use numptx_abi::half;

use crate::DType;
use crate::dtype::Kind;
use crate::scalar::Constant;

/// An operand as promotion sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// An array or a NumPy scalar.
    Strong(DType),
    /// A Python `int`: takes the dtype of the others, `int64` beside bools or alone.
    WeakInt,
    /// A Python `float`: takes the floating dtype of the others, else `float64`.
    WeakFloat,
    /// A Python `complex`: the complex type of the others' precision.
    WeakComplex,
}

/// What may be lost by a cast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Casting {
    /// Nothing, not even its dtype.
    Equivalent,
    /// Nothing.
    Safe,
    /// Precision, but not the kind: `float64` to `float32`, `int64` to `float32`.
    SameKind,
    /// Anything.
    Unsafe,
}

impl Operand {
    /// A Python scalar of a dtype; a Python `bool` is as strong as NumPy's.
    pub fn python(dtype: DType) -> Operand {
        match dtype.kind() {
            Kind::Bool => Operand::Strong(DType::Bool),
            Kind::Signed | Kind::Unsigned => Operand::WeakInt,
            Kind::Float => Operand::WeakFloat,
            Kind::Complex => Operand::WeakComplex,
        }
    }

    /// The dtype that it takes beside strong operands of the common dtype `others`.
    pub fn beside(self, others: Option<DType>) -> DType {
        match (self, others) {
            (Operand::Strong(dtype), _) => dtype,
            (Operand::WeakInt, Some(dtype)) if dtype != DType::Bool => dtype,
            (Operand::WeakInt, _) => DType::I64,
            (Operand::WeakFloat, Some(dtype)) if dtype.is_float() || dtype.is_complex() => dtype,
            (Operand::WeakFloat, _) => DType::F64,
            (Operand::WeakComplex, Some(dtype)) => dtype.to_complex(),
            (Operand::WeakComplex, None) => DType::C128,
        }
    }
}

/// The common dtype of two, as `numpy.promote_types`.
pub fn promote(a: DType, b: DType) -> DType {
    if a == b {
        return a;
    }
    let (low, high) = if order(a) <= order(b) { (a, b) } else { (b, a) };
    match (low.kind(), high.kind()) {
        (Kind::Bool, _) => high,
        (Kind::Unsigned, Kind::Signed) if low.itemsize() < high.itemsize() => high,
        (Kind::Unsigned, Kind::Signed) => signed_above(low.itemsize()),
        (Kind::Signed | Kind::Unsigned, Kind::Float | Kind::Complex) => {
            if low.itemsize() < high.real().itemsize() || high.real() == DType::F64 { high } else { wider(high, low) }
        }
        (Kind::Float, Kind::Complex) => {
            if low == DType::F64 {
                DType::C128
            } else {
                high
            }
        }
        _ if low.itemsize() > high.itemsize() => low,
        _ => high,
    }
}

/// Bool, unsigned, signed, float, complex: the order in which NumPy's kinds contain each other.
fn order(dtype: DType) -> u8 {
    match dtype.kind() {
        Kind::Bool => 0,
        Kind::Unsigned => 1,
        Kind::Signed => 2,
        Kind::Float => 3,
        Kind::Complex => 4,
    }
}

fn signed_above(itemsize: usize) -> DType {
    match itemsize {
        1 => DType::I16,
        2 => DType::I32,
        4 => DType::I64,
        _ => DType::F64,
    }
}

/// The float, or complex, that holds the integers of `integer`, which `dtype` does not.
fn wider(dtype: DType, integer: DType) -> DType {
    match (dtype.is_complex(), integer.itemsize()) {
        (true, _) => DType::C128,
        (false, 1 | 2) => DType::F32,
        (false, _) => DType::F64,
    }
}

/// The common dtype of operands, as `numpy.result_type`; `None` of no operands.
pub fn result_type(operands: &[Operand]) -> Option<DType> {
    let strong = strong_type(operands);
    operands.iter().map(|o| o.beside(strong)).reduce(promote)
}

/// The common dtype of the operands that are not weak.
pub fn strong_type(operands: &[Operand]) -> Option<DType> {
    let strong = operands.iter().filter_map(|o| if let Operand::Strong(dtype) = o { Some(*dtype) } else { None });
    strong.reduce(promote)
}

/// Whether NumPy casts `from` to `to` under a rule, as `numpy.can_cast`.
pub fn can_cast(from: DType, to: DType, casting: Casting) -> bool {
    match casting {
        Casting::Equivalent => from == to,
        Casting::Safe => promote(from, to) == to,
        Casting::SameKind => promote(from, to) == to || order(from) <= order(to),
        Casting::Unsafe => true,
    }
}

/// The smallest and largest integer of an integer dtype, as far as a Python int (`int64`) goes; `None` for other dtypes.
pub fn integer_range(dtype: DType) -> Option<(i64, i64)> {
    let bits = 8 * dtype.itemsize() as u32;
    match dtype.kind() {
        Kind::Signed => Some((i64::MIN >> (64 - bits), i64::MAX >> (64 - bits))),
        Kind::Unsigned if bits == 64 => Some((0, i64::MAX)),
        Kind::Unsigned => Some((0, (1 << bits) - 1)),
        _ => None,
    }
}

/// Whether a Python int is representable in a dtype; every other dtype than the integers takes any.
pub fn integer_fits(value: i64, dtype: DType) -> bool {
    integer_range(dtype).is_none_or(|(low, high)| (low..=high).contains(&value))
}

/// A constant converted between dtypes when compiling; `None` where the conversion depends on the machine (floats to integers out of range).
pub fn convert_constant(value: Constant, from: DType, to: DType) -> Option<Constant> {
    if from == to {
        return Some(value);
    }
    match to.kind() {
        Kind::Bool => Some(Constant::Bool(is_true(value))),
        Kind::Signed | Kind::Unsigned => Some(Constant::Int(wrap(to_integer(value)?, to))),
        Kind::Float => Some(Constant::Float(round(real(value, from), to))),
        Kind::Complex => Some(Constant::Complex(round(real(value, from), to), round(imaginary(value), to))),
    }
}

fn is_true(value: Constant) -> bool {
    match value {
        Constant::Bool(b) => b,
        Constant::Int(n) => n != 0,
        Constant::Float(x) => x != 0.0,
        Constant::Complex(x, y) => x != 0.0 || y != 0.0,
    }
}

fn to_integer(value: Constant) -> Option<i64> {
    match value {
        Constant::Bool(b) => Some(i64::from(b)),
        Constant::Int(n) => Some(n),
        Constant::Float(x) | Constant::Complex(x, _) => (x.abs() < 2f64.powi(31)).then_some(x as i64),
    }
}

/// The 64 bits of an integer of `dtype`, sign- or zero-extended.
fn wrap(value: i64, dtype: DType) -> i64 {
    let shift = 64 - 8 * dtype.itemsize() as u32;
    if dtype.kind() == Kind::Signed { value << shift >> shift } else { ((value as u64) << shift >> shift) as i64 }
}

fn real(value: Constant, from: DType) -> f64 {
    match value {
        Constant::Bool(b) => f64::from(u8::from(b)),
        Constant::Int(n) if from == DType::U64 => n as u64 as f64,
        Constant::Int(n) => n as f64,
        Constant::Float(x) | Constant::Complex(x, _) => x,
    }
}

fn imaginary(value: Constant) -> f64 {
    if let Constant::Complex(_, y) = value { y } else { 0.0 }
}

fn round(value: f64, dtype: DType) -> f64 {
    match dtype.real() {
        DType::F16 => half::round(value),
        DType::F32 => value as f32 as f64,
        _ => value,
    }
}
