//! The closed set of scalar operations.
//!
//! Exactly three exhaustive matches over [`ScalarOp`] exist: its result type ([`ScalarOp::result`]), its evaluation (the interpreters)
//! and its LLVM form (`numptx-codegen`). NumPy functions that are not in the set are composed of it by the function table.

use crate::DType;

/// A library function of one or two real arguments: `__nv_<stem>[f]` on the device, `<stem>[f]` on the host.
#[derive(Debug)]
pub struct MathFunction {
    /// C's name for the double version: `exp`, `log1p`, `atan2`.
    pub stem: &'static str,
    /// Evaluation in the interpreters, for binary64; the second argument is ignored by functions of one.
    pub eval: fn(f64, f64) -> f64,
    /// 1 or 2.
    pub arity: usize,
    /// Error bound on either target, in ULP of the result.
    pub ulp: u32,
}

impl PartialEq for MathFunction {
    fn eq(&self, other: &Self) -> bool {
        self.stem == other.stem
    }
}

impl Eq for MathFunction {}

impl std::hash::Hash for MathFunction {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.stem.hash(state);
    }
}

/// A scalar operation. Operands have one common dtype unless said otherwise, and the result has it too unless said otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScalarOp {
    /// `a + b`; or for bool. Integers wrap.
    Add,
    /// `a - b`; not bool. Integers wrap.
    Sub,
    /// `a * b`; and for bool. Integers wrap. Complex: the naive formula, as NumPy.
    Mul,
    /// True division of floats; complex by Smith's method, as NumPy.
    Div,
    /// Floor division of integers (0 when dividing by 0) and floats (`npy_floor_divide`).
    FloorDiv,
    /// Remainder with the divisor's sign, of integers (0 when dividing by 0) and floats (`npy_remainder`).
    Mod,
    /// Remainder with the dividend's sign, as C's `fmod`; integers too.
    Fmod,
    /// `a ** b`: integers by squaring, wrapping, the exponent being non-negative; floats by C's `pow`.
    Pow,
    /// `-a`; not bool. Integers wrap.
    Neg,
    /// `|a|`; the smallest integer stays. Complex: `hypot` of the parts, result real.
    Abs,
    /// -1, 0, 1, or nan. Not complex.
    Sign,
    /// Square root of floats.
    Sqrt,
    /// Floats, towards -inf.
    Floor,
    /// Floats, towards +inf.
    Ceil,
    /// Floats, towards 0.
    Trunc,
    /// Floats, to nearest even.
    Rint,
    /// Smaller, nan if either is. Complex is not accepted: the table composes it.
    Min,
    /// Larger, nan if either is.
    Max,
    /// Smaller, the other one if either is nan.
    FMin,
    /// Larger, the other one if either is nan.
    FMax,
    /// Integers and bool.
    BitAnd,
    /// Integers and bool.
    BitOr,
    /// Integers and bool.
    BitXor,
    /// Integers and bool (logical not).
    BitNot,
    /// Integers; 0 if the count is negative or at least the width.
    ShiftLeft,
    /// Integers, arithmetic for signed; 0 or -1 if the count is negative or at least the width.
    ShiftRight,
    /// Result bool. Complex too.
    Eq,
    /// Result bool. Complex too.
    Ne,
    /// Result bool. Not complex: the table composes it.
    Lt,
    /// Result bool.
    Le,
    /// Result bool.
    Gt,
    /// Result bool.
    Ge,
    /// Floats. Result bool.
    IsNan,
    /// Floats. Result bool.
    IsInf,
    /// Floats. Result bool.
    IsFinite,
    /// Floats. Result bool.
    SignBit,
    /// Magnitude of the first, sign of the second; floats.
    CopySign,
    /// The next float after the first towards the second; floats.
    NextAfter,
    /// `a * 2**b`: a float and an `int32`. Result: the float's dtype.
    Ldexp,
    /// The mantissa of C's `frexp`; floats.
    FrexpMantissa,
    /// The exponent of C's `frexp`; floats. Result `int32`.
    FrexpExponent,
    /// `b if a else c`: a bool and two of one dtype, which is the result's.
    Select,
    /// To the declared dtype, as C casts on x86-64: floats to integers truncate, out of range as NumPy on x86-64
    /// (array-ir notes in `docs/kernel-ir.md`); to bool tests against 0; complex to real drops the imaginary part.
    Cast,
    /// Real part of a complex; result real.
    Real,
    /// Imaginary part of a complex; result real.
    Imag,
    /// Complex from two floats of one dtype.
    Complex,
    /// A library function of one or two floats of one dtype.
    Math(&'static MathFunction),
}

impl ScalarOp {
    /// Number of operands.
    pub fn arity(self) -> usize {
        use ScalarOp::*;
        match self {
            Neg | Abs | Sign | Sqrt | Floor | Ceil | Trunc | Rint | BitNot | IsNan | IsInf | IsFinite | SignBit
            | FrexpMantissa | FrexpExponent | Cast | Real | Imag => 1,
            Select => 3,
            Math(function) => function.arity,
            Add | Sub | Mul | Div | FloorDiv | Mod | Fmod | Pow | Min | Max | FMin | FMax | BitAnd | BitOr | BitXor
            | ShiftLeft | ShiftRight | Eq | Ne | Lt | Le | Gt | Ge | CopySign | NextAfter | Ldexp | Complex => 2,
        }
    }

    /// The result's dtype for these operand dtypes, or `None` where the operation is not defined on them.
    /// `Cast` has no result of its own: its declared dtype is checked by the verifier.
    pub fn result(self, operands: &[DType]) -> Option<DType> {
        use ScalarOp::*;
        if operands.len() != self.arity() {
            return None;
        }
        let first = operands[0];
        let same = operands.iter().all(|d| *d == first);
        let when = |condition: bool, dtype: DType| condition.then_some(dtype);
        let bool = first == DType::Bool;
        let ordered = !first.is_complex();
        match self {
            Add | Mul => when(same, first),
            Sub => when(same && !bool, first),
            Neg => when(!bool, first),
            Div => when(same && (first.is_float() || first.is_complex()), first),
            FloorDiv | Mod | Fmod | Pow => when(same && ordered && !bool, first),
            Abs => when(true, first.real()),
            Sign => when(ordered && !bool, first),
            Sqrt | Floor | Ceil | Trunc | Rint | FrexpMantissa => when(first.is_float(), first),
            FrexpExponent => when(first.is_float(), DType::I32),
            Min | Max | FMin | FMax => when(same && ordered, first),
            BitAnd | BitOr | BitXor | BitNot => when(same && (bool || first.is_integer()), first),
            ShiftLeft | ShiftRight => when(same && first.is_integer(), first),
            Eq | Ne => when(same, DType::Bool),
            Lt | Le | Gt | Ge => when(same && ordered, DType::Bool),
            IsNan | IsInf | IsFinite | SignBit => when(first.is_float(), DType::Bool),
            CopySign | NextAfter => when(same && first.is_float(), first),
            Ldexp => when(first.is_float() && operands[1] == DType::I32, first),
            Select => when(bool && operands[1] == operands[2], operands[1]),
            Cast => None,
            Real | Imag => when(first.is_complex(), first.real()),
            Complex => when(same && first.is_float(), first.to_complex()),
            Math(_) => when(same && first.is_float(), first),
        }
    }

    /// The text form's name; for library functions the stem.
    pub fn name(self) -> &'static str {
        use ScalarOp::*;
        match self {
            Add => "add",
            Sub => "sub",
            Mul => "mul",
            Div => "div",
            FloorDiv => "floordiv",
            Mod => "mod",
            Fmod => "rem",
            Pow => "pow",
            Neg => "neg",
            Abs => "abs",
            Sign => "sign",
            Sqrt => "sqrt",
            Floor => "floor",
            Ceil => "ceil",
            Trunc => "trunc",
            Rint => "rint",
            Min => "min",
            Max => "max",
            FMin => "fmin",
            FMax => "fmax",
            BitAnd => "and",
            BitOr => "or",
            BitXor => "xor",
            BitNot => "not",
            ShiftLeft => "shl",
            ShiftRight => "shr",
            Eq => "eq",
            Ne => "ne",
            Lt => "lt",
            Le => "le",
            Gt => "gt",
            Ge => "ge",
            IsNan => "isnan",
            IsInf => "isinf",
            IsFinite => "isfinite",
            SignBit => "signbit",
            CopySign => "copysign",
            NextAfter => "nextafter",
            Ldexp => "ldexp",
            FrexpMantissa => "frexp_mantissa",
            FrexpExponent => "frexp_exponent",
            Select => "select",
            Cast => "cast",
            Real => "real",
            Imag => "imag",
            Complex => "complex",
            Math(function) => function.stem,
        }
    }
}

/// How a reduction combines elements. All are associative up to rounding and have an identity or a checked non-empty range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reducer {
    /// Sum; identity 0. Floats are summed by a fixed tree, so results do not depend on the number of threads.
    Add,
    /// Product; identity 1.
    Mul,
    /// Minimum, nan if any is; identity: the largest value (the caller checks for emptiness). Not complex.
    Min,
    /// Maximum, nan if any is; identity: the smallest value. Not complex.
    Max,
    /// All; bool, identity true.
    And,
    /// Any; bool, identity false.
    Or,
    /// Index (`int64`, linear over the reduced axes) of the first smallest element; the first nan wins.
    ArgMin,
    /// Index of the first largest element; the first nan wins.
    ArgMax,
}

impl Reducer {
    /// Result dtype of reducing elements of `element`.
    pub fn result(self, element: DType) -> Option<DType> {
        match self {
            Reducer::Add | Reducer::Mul => (element != DType::Bool).then_some(element),
            Reducer::Min | Reducer::Max => (!element.is_complex()).then_some(element),
            Reducer::And | Reducer::Or => (element == DType::Bool).then_some(element),
            Reducer::ArgMin | Reducer::ArgMax => (!element.is_complex()).then_some(DType::I64),
        }
    }

    /// The text form's name.
    pub fn name(self) -> &'static str {
        match self {
            Reducer::Add => "add",
            Reducer::Mul => "mul",
            Reducer::Min => "min",
            Reducer::Max => "max",
            Reducer::And => "and",
            Reducer::Or => "or",
            Reducer::ArgMin => "argmin",
            Reducer::ArgMax => "argmax",
        }
    }
}
