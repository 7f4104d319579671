//! The closed set of scalar operations.
//!
//! Exactly three exhaustive matches over [`ScalarOp`] exist: its result type ([`ScalarOp::result`]), its evaluation (the interpreters)
//! and its LLVM form (`numptx-codegen`). NumPy functions that are not in the set are composed of it by the function table.

use super::{MATH_FUNCTIONS, MathFunction};
use crate::DType;
use crate::dtype::Kind;

/// Declares [`ScalarOp`]; a row is documentation, variant, name in the text form, number of operands.
macro_rules! operations {
    ($($(#[$documentation:meta])* $variant:ident => $name:literal, $arity:literal;)*) => {
        /// A scalar operation. Operands have one common dtype unless said otherwise, and the result has it too unless said otherwise.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ScalarOp {
            $($(#[$documentation])* $variant,)*
            /// A library function of one or two floats of one dtype.
            Math(&'static MathFunction),
        }

        impl ScalarOp {
            /// Every operation that is not a library function.
            pub const PRIMITIVES: &[ScalarOp] = &[$(ScalarOp::$variant),*];

            /// Number of operands.
            pub fn arity(self) -> usize {
                match self {
                    $(ScalarOp::$variant => $arity,)*
                    ScalarOp::Math(function) => function.arity,
                }
            }

            /// The text form's name; for library functions the stem.
            pub fn name(self) -> &'static str {
                match self {
                    $(ScalarOp::$variant => $name,)*
                    ScalarOp::Math(function) => function.stem,
                }
            }
        }
    };
}

operations! {
    /// `a + b`; or for bool. Integers wrap.
    Add => "add", 2;
    /// `a - b`; not bool. Integers wrap.
    Sub => "sub", 2;
    /// `a * b`; and for bool. Integers wrap. Complex: the naive formula, as NumPy.
    Mul => "mul", 2;
    /// `a * b` of floats or complex numbers, one of the products that a sum such as NumPy's `dot` consists of: of floats it may stay unrounded until the
    /// sum has taken it, as BLAS has it.
    Product => "product", 2;
    /// True division of floats; complex by Smith's method, as NumPy.
    Div => "div", 2;
    /// Floor division of integers (0 when dividing by 0) and floats (`npy_floor_divide`).
    FloorDiv => "floordiv", 2;
    /// Remainder with the divisor's sign, of integers (0 when dividing by 0) and floats (`npy_remainder`).
    Mod => "mod", 2;
    /// Remainder with the dividend's sign, as C's `fmod`; integers too.
    Fmod => "rem", 2;
    /// `a ** b`: integers by squaring, wrapping, the exponent being non-negative; floats by C's `pow`.
    Pow => "pow", 2;
    /// Greatest common divisor of unsigned integers; of 0 and `a` it is `a`.
    Gcd => "gcd", 2;
    /// `a * b + c` of floats, rounded once.
    Fma => "fma", 3;
    /// `-a`; not bool. Integers wrap.
    Neg => "neg", 1;
    /// `|a|`; the smallest integer stays. Complex: `hypot` of the parts, result real.
    Abs => "abs", 1;
    /// -1, 0, 1, or nan. Not complex.
    Sign => "sign", 1;
    /// Square root of floats.
    Sqrt => "sqrt", 1;
    /// Floats, towards -inf.
    Floor => "floor", 1;
    /// Floats, towards +inf.
    Ceil => "ceil", 1;
    /// Floats, towards 0.
    Trunc => "trunc", 1;
    /// Floats, to nearest even.
    Rint => "rint", 1;
    /// Smaller, nan if either is. Complex is not accepted: the table composes it.
    Min => "min", 2;
    /// Larger, nan if either is.
    Max => "max", 2;
    /// Smaller, the other one if either is nan.
    FMin => "fmin", 2;
    /// Larger, the other one if either is nan.
    FMax => "fmax", 2;
    /// Integers and bool.
    BitAnd => "and", 2;
    /// Integers and bool.
    BitOr => "or", 2;
    /// Integers and bool.
    BitXor => "xor", 2;
    /// Integers and bool (logical not).
    BitNot => "not", 1;
    /// Integers; 0 if the count is negative or at least the width.
    ShiftLeft => "shl", 2;
    /// Integers, arithmetic for signed; 0 or -1 if the count is negative or at least the width.
    ShiftRight => "shr", 2;
    /// Result bool. Complex too.
    Eq => "eq", 2;
    /// Result bool. Complex too.
    Ne => "ne", 2;
    /// Result bool. Not complex: the table composes it.
    Lt => "lt", 2;
    /// Result bool.
    Le => "le", 2;
    /// Result bool.
    Gt => "gt", 2;
    /// Result bool.
    Ge => "ge", 2;
    /// Floats. Result bool.
    IsNan => "isnan", 1;
    /// Floats. Result bool.
    IsInf => "isinf", 1;
    /// Floats. Result bool.
    IsFinite => "isfinite", 1;
    /// Floats. Result bool.
    SignBit => "signbit", 1;
    /// Magnitude of the first, sign of the second; floats.
    CopySign => "copysign", 2;
    /// The next float after the first towards the second; floats.
    NextAfter => "nextafter", 2;
    /// `a * 2**b`: a float and an `int32`. Result: the float's dtype.
    Ldexp => "ldexp", 2;
    /// The mantissa of C's `frexp`; floats.
    FrexpMantissa => "frexp_mantissa", 1;
    /// The exponent of C's `frexp`; floats. Result `int32`.
    FrexpExponent => "frexp_exponent", 1;
    /// `b if a else c`: a bool and two of one dtype, which is the result's.
    Select => "select", 3;
    /// To the declared dtype, as C casts on x86-64: floats to integers truncate, out of range as NumPy on x86-64
    /// (`docs/array-ir.md`, the last section); to bool tests against 0; complex to real drops the imaginary part.
    Cast => "cast", 1;
    /// Real part of a complex; result real.
    Real => "real", 1;
    /// Imaginary part of a complex; result real.
    Imag => "imag", 1;
    /// Complex from two floats of one dtype.
    Complex => "complex", 2;
}

impl ScalarOp {
    /// Every operation: the primitive ones, then the library functions.
    pub fn all() -> impl Iterator<Item = ScalarOp> {
        let library = MATH_FUNCTIONS.iter().copied().map(ScalarOp::Math);
        Self::PRIMITIVES.iter().copied().chain(library)
    }

    /// The operation of a name in the text form: the inverse of [`ScalarOp::name`].
    pub fn from_name(name: &str) -> Option<ScalarOp> {
        Self::all().find(|op| op.name() == name)
    }

    /// The comparison that says the same of operands in the other order, if it is one by size.
    pub fn turned(self) -> Option<ScalarOp> {
        Some(match self {
            ScalarOp::Lt => ScalarOp::Gt,
            ScalarOp::Le => ScalarOp::Ge,
            ScalarOp::Gt => ScalarOp::Lt,
            ScalarOp::Ge => ScalarOp::Le,
            _ => return None,
        })
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
            Product => when(same && (first.is_float() || first.is_complex()), first),
            Neg => when(!bool, first),
            Div => when(same && (first.is_float() || first.is_complex()), first),
            FloorDiv | Mod | Fmod | Pow => when(same && ordered && !bool, first),
            Gcd => when(same && first.kind() == Kind::Unsigned, first),
            Fma => when(same && first.is_float(), first),
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
    /// All of bools, identity true; the common bits of integers, identity all of them.
    And,
    /// Any of bools, identity false; the bits of any of integers, identity none.
    Or,
    /// Whether an odd number of bools is true; the bits of an odd number of integers; identity false, none.
    Xor,
    /// Index (`int64`, linear over the reduced axes) of the first smallest element; the first nan wins.
    ArgMin,
    /// Index of the first largest element; the first nan wins.
    ArgMax,
}

impl Reducer {
    /// All of them.
    pub const ALL: [Reducer; 9] = [
        Reducer::Add,
        Reducer::Mul,
        Reducer::Min,
        Reducer::Max,
        Reducer::And,
        Reducer::Or,
        Reducer::Xor,
        Reducer::ArgMin,
        Reducer::ArgMax,
    ];

    /// The op that combines two partial results; `None` for positions, which need the elements too.
    pub fn operation(self) -> Option<ScalarOp> {
        Some(match self {
            Reducer::Add => ScalarOp::Add,
            Reducer::Mul => ScalarOp::Mul,
            Reducer::Min => ScalarOp::Min,
            Reducer::Max => ScalarOp::Max,
            Reducer::And => ScalarOp::BitAnd,
            Reducer::Or => ScalarOp::BitOr,
            Reducer::Xor => ScalarOp::BitXor,
            Reducer::ArgMin | Reducer::ArgMax => return None,
        })
    }

    /// The reducer whose partial results an op combines; `None` for those whose operands have an order.
    pub fn of(op: ScalarOp) -> Option<Reducer> {
        Reducer::ALL.into_iter().find(|reducer| reducer.operation() == Some(op))
    }

    /// Whether it gives the position of an element.
    pub fn is_positional(self) -> bool {
        matches!(self, Reducer::ArgMin | Reducer::ArgMax)
    }

    /// Result dtype of reducing elements of `element`.
    pub fn result(self, element: DType) -> Option<DType> {
        match self {
            Reducer::Add | Reducer::Mul => (element != DType::Bool).then_some(element),
            Reducer::Min | Reducer::Max => (!element.is_complex()).then_some(element),
            Reducer::And | Reducer::Or | Reducer::Xor => {
                (element == DType::Bool || element.is_integer()).then_some(element)
            }
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
            Reducer::Xor => "xor",
            Reducer::ArgMin => "argmin",
            Reducer::ArgMax => "argmax",
        }
    }
}
