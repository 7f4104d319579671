//! Dtypes, and NumPy's promotion of them, written down independently of the compiler's.

/// An element type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DType {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F32,
    F64,
    C64,
    C128,
}

/// What kind of number a dtype holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Bool,
    Unsigned,
    Signed,
    Float,
    Complex,
}

use DType::{Bool, C64, C128, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};

/// All, those that programs use most first and more than once.
pub const USUAL: &[DType] =
    &[F64, F64, F64, F32, I64, I64, I32, I32, I8, U8, Bool, C128, I16, U16, U32, U64, C64, F64, I32];

impl DType {
    /// NumPy's name.
    pub fn name(self) -> &'static str {
        match self {
            Bool => "bool",
            I8 => "int8",
            I16 => "int16",
            I32 => "int32",
            I64 => "int64",
            U8 => "uint8",
            U16 => "uint16",
            U32 => "uint32",
            U64 => "uint64",
            F32 => "float32",
            F64 => "float64",
            C64 => "complex64",
            C128 => "complex128",
        }
    }

    /// The name in the namespace of NumPy, where `bool` is Python's.
    pub fn in_numpy(self) -> String {
        format!("np.{}", if self == Bool { "bool_" } else { self.name() })
    }

    /// What kind of number it holds.
    pub fn kind(self) -> Kind {
        match self {
            Bool => Kind::Bool,
            U8 | U16 | U32 | U64 => Kind::Unsigned,
            I8 | I16 | I32 | I64 => Kind::Signed,
            F32 | F64 => Kind::Float,
            C64 | C128 => Kind::Complex,
        }
    }

    /// Bytes of one element.
    pub fn itemsize(self) -> usize {
        match self {
            Bool | I8 | U8 => 1,
            I16 | U16 => 2,
            I32 | U32 | F32 => 4,
            I64 | U64 | F64 | C64 => 8,
            C128 => 16,
        }
    }

    /// Whether it is an integer; `bool` is none.
    pub fn is_integer(self) -> bool {
        matches!(self.kind(), Kind::Signed | Kind::Unsigned)
    }

    /// Whether it is floating, complex ones not.
    pub fn is_float(self) -> bool {
        self.kind() == Kind::Float
    }

    /// Whether it is complex.
    pub fn is_complex(self) -> bool {
        self.kind() == Kind::Complex
    }

    /// What sums and products of it are made in.
    pub fn accumulated(self) -> DType {
        match self.kind() {
            Kind::Bool | Kind::Signed => I64,
            Kind::Unsigned => U64,
            Kind::Float | Kind::Complex => self,
        }
    }

    /// The type of its real part.
    pub fn real(self) -> DType {
        match self {
            C64 => F32,
            C128 => F64,
            other => other,
        }
    }

    /// Whether NumPy casts to `to` in an operation in place.
    pub fn casts_to(self, to: DType) -> bool {
        self == to || self.kind() < to.kind() || (self.kind() == to.kind())
    }
}

fn signed(bytes: usize) -> DType {
    match bytes {
        1 => I8,
        2 => I16,
        4 => I32,
        8 => I64,
        _ => F64,
    }
}

fn floating(integer: DType) -> DType {
    if integer.itemsize() <= 2 { F32 } else { F64 }
}

/// The common dtype of two arrays or NumPy scalars.
pub fn promote(a: DType, b: DType) -> DType {
    let (a, b) = if a.kind() <= b.kind() { (a, b) } else { (b, a) };
    match (a.kind(), b.kind()) {
        (Kind::Bool, _) => b,
        (Kind::Unsigned, Kind::Signed) if a.itemsize() >= b.itemsize() => signed(a.itemsize() * 2),
        (Kind::Unsigned, Kind::Signed) => b,
        (Kind::Unsigned | Kind::Signed, Kind::Float) => promote(floating(a), b),
        (Kind::Unsigned | Kind::Signed, Kind::Complex) => promote(floating(a), b),
        (Kind::Float, Kind::Complex) => {
            if promote(a, b.real()) == F32 {
                C64
            } else {
                C128
            }
        }
        _ => {
            if a.itemsize() >= b.itemsize() {
                a
            } else {
                b
            }
        }
    }
}

/// The dtype of an array beside a Python `int`.
pub fn beside_int(a: DType) -> DType {
    if a == Bool { I64 } else { a }
}

/// The dtype of an array beside a Python `float`.
pub fn beside_float(a: DType) -> DType {
    if a.is_float() || a.is_complex() { a } else { F64 }
}

/// What `/` gives, which is at least `float64` of integers.
pub fn quotient(a: DType, b: DType) -> DType {
    let common = promote(a, b);
    if common.is_float() || common.is_complex() { common } else { F64 }
}
