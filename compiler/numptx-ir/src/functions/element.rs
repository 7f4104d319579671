//! Short names for the operations of a body, so that composed functions read as formulas.
//!
//! Operands have the dtypes that the operation takes; constants take the dtype of a value given beside them.

use crate::DType;
use crate::scalar::{BodyBuilder, Constant, InstrKind, MathFunction, ScalarOp, Val};

macro_rules! operations {
    ($($name:ident($($operand:ident),+) = $op:ident;)*) => {
        impl BodyBuilder {
            $(pub(in crate::functions) fn $name(&mut self, $($operand: Val),+) -> Val {
                self.op(ScalarOp::$op, &[$($operand),+])
            })*
        }
    };
}

operations! {
    add(a, b) = Add;
    sub(a, b) = Sub;
    mul(a, b) = Mul;
    div(a, b) = Div;
    neg(a) = Neg;
    abs(a) = Abs;
    sqrt(a) = Sqrt;
    trunc(a) = Trunc;
    min(a, b) = Min;
    max(a, b) = Max;
    both(a, b) = BitAnd;
    either(a, b) = BitOr;
    not(a) = BitNot;
    eq(a, b) = Eq;
    ne(a, b) = Ne;
    lt(a, b) = Lt;
    le(a, b) = Le;
    gt(a, b) = Gt;
    ge(a, b) = Ge;
    is_nan(a) = IsNan;
    is_inf(a) = IsInf;
    is_finite(a) = IsFinite;
    sign_bit(a) = SignBit;
    copysign(a, b) = CopySign;
    next_after(a, b) = NextAfter;
    select(condition, a, b) = Select;
    real(a) = Real;
    imag(a) = Imag;
    complex(a, b) = Complex;
}

impl BodyBuilder {
    /// A number of the dtype of `like`.
    pub(in crate::functions) fn number(&mut self, value: f64, like: Val) -> Val {
        let dtype = self.dtype(like);
        self.constant(value, dtype)
    }

    /// An integer of a dtype, exactly.
    pub(in crate::functions) fn integer(&mut self, value: i64, dtype: DType) -> Val {
        self.push(InstrKind::Constant(Constant::Int(value)), dtype)
    }

    /// A bool.
    pub(in crate::functions) fn truth(&mut self, value: bool) -> Val {
        self.push(InstrKind::Constant(Constant::Bool(value)), DType::Bool)
    }

    /// A library function of one argument.
    pub(in crate::functions) fn math(&mut self, function: &'static MathFunction, a: Val) -> Val {
        self.op(ScalarOp::Math(function), &[a])
    }

    /// A library function of two arguments.
    pub(in crate::functions) fn math2(&mut self, function: &'static MathFunction, a: Val, b: Val) -> Val {
        self.op(ScalarOp::Math(function), &[a, b])
    }

    /// The parts of a complex value.
    pub(in crate::functions) fn parts(&mut self, z: Val) -> (Val, Val) {
        (self.real(z), self.imag(z))
    }

    /// The library function, or another one, by a condition on the operand: several cases in a row.
    pub(in crate::functions) fn choose(&mut self, cases: &[(Val, Val)], otherwise: Val) -> Val {
        cases.iter().rev().fold(otherwise, |rest, (condition, value)| self.select(*condition, *value, rest))
    }
}
