//! Arithmetic of Python scalars: bool, int (64 bits), float, complex.
//!
//! Where Python raises, a check raises: `OverflowError` for ints beyond 64 bits, `ZeroDivisionError` for any division by zero.
//! Bounds known when compiling prove most checks of index arithmetic away.

use numptx_ir::DType;
use numptx_ir::array::{ErrorKind, ValueId};
use numptx_ir::scalar::{Constant, ScalarOp};
use numptx_source::{Span, code};
use numptx_syntax::ast::{BinaryOp, CompareOp, UnaryOp};

use crate::lowerer::Lowerer;
use crate::numbers::folding::{Folded, fold};
use crate::values::facts::Fact;
use crate::values::value::Value;

/// What is raised of ints beyond 64 bits.
pub(crate) const INT_OVERFLOW: &str = "Python int is too large: ints have 64 bits";
/// Python multiplies complex numbers up to this power, and takes logarithms beyond.
const MAX_COMPLEX_EXPONENT: f64 = 100.0;

impl Lowerer<'_> {
    /// `a op b`
    pub fn python_binary(&mut self, op: BinaryOp, a: ValueId, b: ValueId, span: Span) -> Value {
        if let (Some(x), Some(y)) = (self.builder.as_constant(a), self.builder.as_constant(b)) {
            match fold(op, x, y) {
                Folded::Value(constant) => return self.python_constant(constant),
                Folded::Overflow(n) if n != i128::MAX => return Value::LargeInt(n),
                Folded::Overflow(_) => {
                    let message = "the result of this int arithmetic does not fit in 64 bits";
                    let help =
                        "Python ints are `int64` here; compute in floats where exactness does not matter: `2.0 ** 70`";
                    return self.refuse(code::CONSTANT_OUT_OF_RANGE, span, message, help);
                }
                Folded::DivisionByZero | Folded::Unknown => {}
            }
        }
        let (x, y) = (self.builder.dtype(a), self.builder.dtype(b));
        match (x.max(y), op) {
            (_, BinaryOp::MatMul) => self.bad_operands("@", &Value::python(a), &Value::python(b), span),
            (DType::Bool, BinaryOp::BitAnd) => Value::python(self.both(ScalarOp::BitAnd, a, b)),
            (DType::Bool, BinaryOp::BitOr) => Value::python(self.both(ScalarOp::BitOr, a, b)),
            (DType::Bool, BinaryOp::BitXor) => Value::python(self.builder.scalar(ScalarOp::BitXor, &[a, b])),
            (DType::Bool | DType::I64, _) => self.int_binary(op, a, b),
            (DType::F64, _) => self.float_binary(op, a, b, span),
            _ => self.complex_binary(op, a, b, span),
        }
    }

    /// A Python scalar of a constant.
    pub fn python_constant(&mut self, constant: Constant) -> Value {
        let dtype = match constant {
            Constant::Bool(_) => DType::Bool,
            Constant::Int(_) => DType::I64,
            Constant::Float(_) => DType::F64,
            Constant::Complex(..) => DType::C128,
        };
        Value::python(self.builder.constant(constant, dtype))
    }

    fn int_binary(&mut self, op: BinaryOp, a: ValueId, b: ValueId) -> Value {
        let (a, b) = (self.convert(a, DType::I64), self.convert(b, DType::I64));
        let zero = self.builder.i64(0);
        let result = match op {
            BinaryOp::Add => self.add_ints(a, b),
            BinaryOp::Sub => self.sub_ints(a, b),
            BinaryOp::Mul => self.mul_ints(a, b),
            BinaryOp::Div => {
                let (a, b) = (self.convert(a, DType::F64), self.convert(b, DType::F64));
                self.divide(ScalarOp::Div, a, b, "division by zero")
            }
            BinaryOp::FloorDiv => {
                let result = self.divide(ScalarOp::FloorDiv, a, b, "integer division or modulo by zero");
                self.check_quotient(a, b);
                self.note_quotient(a, b, result);
                result
            }
            BinaryOp::Mod => {
                let result = self.divide(ScalarOp::Mod, a, b, "integer modulo by zero");
                if let Some(n) = self.builder.as_i64(b).filter(|n| *n > 0) {
                    self.numbers.facts.set(result, Fact { low: 0, high: n - 1, ..Fact::ANY });
                }
                result
            }
            BinaryOp::Pow => return self.int_power(a, b),
            BinaryOp::BitAnd => self.builder.scalar(ScalarOp::BitAnd, &[a, b]),
            BinaryOp::BitOr => self.builder.scalar(ScalarOp::BitOr, &[a, b]),
            BinaryOp::BitXor => self.builder.scalar(ScalarOp::BitXor, &[a, b]),
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
                let positive = self.builder.scalar(ScalarOp::Le, &[zero, b]);
                self.check(positive, ErrorKind::Value, "negative shift count", &[]);
                self.shift_ints(op, a, b)
            }
            BinaryOp::MatMul => return Value::Poison,
        };
        Value::python(result)
    }

    /// A division of ints or floats that raises on zero.
    fn divide(&mut self, op: ScalarOp, a: ValueId, b: ValueId, message: &str) -> ValueId {
        let dtype = self.builder.dtype(b);
        let zero = if dtype == DType::F64 { Constant::Float(0.0) } else { Constant::Int(0) };
        let fact = if dtype == DType::I64 { self.fact(b) } else { Fact::ANY };
        let known = fact.low > 0 || fact.high < 0;
        let known = known || matches!(self.builder.as_constant(b), Some(Constant::Float(x)) if x != 0.0);
        if !known {
            let zero = self.builder.constant(zero, dtype);
            let holds = self.builder.scalar(ScalarOp::Ne, &[b, zero]);
            self.check(holds, ErrorKind::ZeroDivision, message, &[]);
        }
        self.builder.scalar(op, &[a, b])
    }

    fn float_binary(&mut self, op: BinaryOp, a: ValueId, b: ValueId, span: Span) -> Value {
        let (x, y) = (a, b);
        let (a, b) = (self.convert(a, DType::F64), self.convert(b, DType::F64));
        let result = match op {
            BinaryOp::Add => self.builder.scalar(ScalarOp::Add, &[a, b]),
            BinaryOp::Sub => self.builder.scalar(ScalarOp::Sub, &[a, b]),
            BinaryOp::Mul => self.builder.scalar(ScalarOp::Mul, &[a, b]),
            BinaryOp::Div => self.divide(ScalarOp::Div, a, b, "float division by zero"),
            BinaryOp::FloorDiv => self.divide(ScalarOp::FloorDiv, a, b, "float floor division by zero"),
            BinaryOp::Mod => self.divide(ScalarOp::Mod, a, b, "float modulo"),
            BinaryOp::Pow => self.float_power(a, b),
            _ => return self.bad_operands(op.symbol(), &Value::python(x), &Value::python(y), span),
        };
        Value::python(result)
    }

    /// `a ** b` of floats, with Python's errors. A negative number to a fractional power is complex in Python and raises here.
    pub fn float_power(&mut self, a: ValueId, b: ValueId) -> ValueId {
        let zero = self.builder.constant(Constant::Float(0.0), DType::F64);
        let exponent = self.builder.as_constant(b);
        if !matches!(exponent, Some(Constant::Float(x)) if x >= 0.0) {
            let not_zero = self.builder.scalar(ScalarOp::Ne, &[a, zero]);
            let not_negative = self.builder.scalar(ScalarOp::Ge, &[b, zero]);
            let fits = self.both(ScalarOp::BitOr, not_zero, not_negative);
            self.check(fits, ErrorKind::ZeroDivision, "0.0 cannot be raised to a negative power", &[]);
        }
        let whole = matches!(exponent, Some(Constant::Float(x)) if x.fract() == 0.0);
        let base_known = matches!(self.builder.as_constant(a), Some(Constant::Float(x)) if x >= 0.0);
        if !whole && !base_known {
            let floor = self.builder.scalar(ScalarOp::Floor, &[b]);
            let is_whole = self.builder.scalar(ScalarOp::Eq, &[floor, b]);
            let negative = self.builder.scalar(ScalarOp::Lt, &[a, zero]);
            let not_negative = self.not(negative);
            let real = self.both(ScalarOp::BitOr, is_whole, not_negative);
            let message = "a negative number cannot be raised to a fractional power: the result is complex";
            self.check(real, ErrorKind::Value, message, &[]);
        }
        let result = self.builder.scalar(ScalarOp::Pow, &[a, b]);
        let finite = self.builder.scalar(ScalarOp::IsFinite, &[result]);
        let (x, y) = (self.builder.scalar(ScalarOp::IsFinite, &[a]), self.builder.scalar(ScalarOp::IsFinite, &[b]));
        let inputs = self.both(ScalarOp::BitAnd, x, y);
        let infinite = self.not(inputs);
        let fits = self.both(ScalarOp::BitOr, finite, infinite);
        self.check(fits, ErrorKind::Overflow, "(34, 'Numerical result out of range')", &[]);
        result
    }

    fn complex_binary(&mut self, op: BinaryOp, a: ValueId, b: ValueId, span: Span) -> Value {
        let (x, y) = (a, b);
        let (a, b) = (self.convert(a, DType::C128), self.convert(b, DType::C128));
        let op = match op {
            BinaryOp::Add => ScalarOp::Add,
            BinaryOp::Sub => ScalarOp::Sub,
            BinaryOp::Mul => ScalarOp::Mul,
            BinaryOp::Div => {
                let zero = self.builder.constant(Constant::Complex(0.0, 0.0), DType::C128);
                let holds = self.builder.scalar(ScalarOp::Ne, &[b, zero]);
                self.check(holds, ErrorKind::ZeroDivision, "complex division by zero", &[]);
                ScalarOp::Div
            }
            BinaryOp::Pow => return self.complex_power(a, y, span),
            other => return self.bad_operands(other.symbol(), &Value::python(x), &Value::python(y), span),
        };
        Value::python(self.builder.scalar(op, &[a, b]))
    }

    /// `a ** b` of complex numbers for integers `b` that are small and known, as Python multiplies them.
    fn complex_power(&mut self, a: ValueId, b: ValueId, span: Span) -> Value {
        let exponent = match self.builder.as_constant(b) {
            Some(Constant::Int(n)) => Some(n as f64),
            Some(Constant::Float(x) | Constant::Complex(x, 0.0)) => Some(x),
            _ => None,
        };
        let Some(exponent) = exponent.filter(|x| x.fract() == 0.0 && x.abs() <= MAX_COMPLEX_EXPONENT) else {
            let message = "`**` of Python complex numbers is compiled for exponents that are small integers, and known";
            let help = "compute with NumPy's: `np.power(np.complex128(z), n)`";
            return self.refuse(code::UNSUPPORTED_EXPRESSION, span, message, help);
        };
        let one = self.builder.constant(Constant::Complex(1.0, 0.0), DType::C128);
        let (mut result, mut square, mut left) = (one, a, exponent.abs() as u64);
        while left > 0 {
            if left & 1 == 1 {
                result = self.builder.scalar(ScalarOp::Mul, &[result, square]);
            }
            left >>= 1;
            if left > 0 {
                square = self.builder.scalar(ScalarOp::Mul, &[square, square]);
            }
        }
        if exponent < 0.0 {
            let zero = self.builder.constant(Constant::Complex(0.0, 0.0), DType::C128);
            let holds = self.builder.scalar(ScalarOp::Ne, &[result, zero]);
            self.check(holds, ErrorKind::ZeroDivision, "0.0 to a negative or complex power", &[]);
            result = self.builder.scalar(ScalarOp::Div, &[one, result]);
        }
        for part in [ScalarOp::Real, ScalarOp::Imag] {
            let part = self.builder.scalar(part, &[result]);
            let infinite = self.builder.scalar(ScalarOp::IsInf, &[part]);
            let fits = self.not(infinite);
            self.check(fits, ErrorKind::Overflow, "complex exponentiation", &[]);
        }
        Value::python(result)
    }

    /// `op value`
    pub fn python_unary(&mut self, op: UnaryOp, value: ValueId, span: Span) -> Value {
        let dtype = self.builder.dtype(value);
        match (op, self.builder.as_constant(value)) {
            (UnaryOp::Negative, Some(Constant::Float(x))) => return self.python_constant(Constant::Float(-x)),
            (UnaryOp::Negative, Some(Constant::Complex(x, y))) => {
                return self.python_constant(Constant::Complex(-x, -y));
            }
            _ => {}
        }
        let number = if dtype == DType::Bool { self.convert(value, DType::I64) } else { value };
        match op {
            UnaryOp::Positive => Value::python(number),
            UnaryOp::Negative if self.builder.dtype(number) == DType::I64 => {
                let zero = self.builder.i64(0);
                Value::python(self.sub_ints(zero, number))
            }
            UnaryOp::Negative => Value::python(self.builder.scalar(ScalarOp::Neg, &[number])),
            UnaryOp::Invert if self.builder.dtype(number) == DType::I64 => match self.builder.as_i64(number) {
                Some(n) => self.int(!n),
                None => Value::python(self.builder.scalar(ScalarOp::BitNot, &[number])),
            },
            UnaryOp::Invert => {
                let value = Value::python(value);
                self.bad_operands("~", &value.clone(), &value, span)
            }
            UnaryOp::Not => Value::Poison,
        }
    }

    /// `a op b` of Python scalars, a Python bool.
    pub fn python_compare(&mut self, op: CompareOp, a: ValueId, b: ValueId, span: Span) -> Value {
        let dtype = self.builder.dtype(a).max(self.builder.dtype(b));
        let ordering = !matches!(op, CompareOp::Equal | CompareOp::NotEqual);
        if dtype.is_complex() && ordering {
            return self.bad_operands("<", &Value::python(a), &Value::python(b), span);
        }
        // bool compares as int
        let dtype = if dtype == DType::Bool && ordering { DType::I64 } else { dtype };
        let (a, b) = (self.convert(a, dtype), self.convert(b, dtype));
        if let (Some(x), Some(y)) = (self.builder.as_constant(a), self.builder.as_constant(b)) {
            return self.bool(compare_constants(op, x, y));
        }
        let op = match op {
            CompareOp::Equal => ScalarOp::Eq,
            CompareOp::NotEqual => ScalarOp::Ne,
            CompareOp::Less => ScalarOp::Lt,
            CompareOp::LessEqual => ScalarOp::Le,
            CompareOp::Greater => ScalarOp::Gt,
            _ => ScalarOp::Ge,
        };
        Value::python(self.builder.scalar(op, &[a, b]))
    }
}

fn compare_constants(op: CompareOp, a: Constant, b: Constant) -> bool {
    use std::cmp::Ordering;
    let order = match (a, b) {
        (Constant::Int(a), Constant::Int(b)) => Some(a.cmp(&b)),
        (Constant::Bool(a), Constant::Bool(b)) => Some(a.cmp(&b)),
        (Constant::Float(a), Constant::Float(b)) => a.partial_cmp(&b),
        (Constant::Complex(a, b), Constant::Complex(c, d)) => {
            if a == c && b == d {
                Some(Ordering::Equal)
            } else {
                None
            }
        }
        _ => None,
    };
    match op {
        CompareOp::Equal => order == Some(Ordering::Equal),
        CompareOp::NotEqual => order != Some(Ordering::Equal),
        CompareOp::Less => order == Some(Ordering::Less),
        CompareOp::LessEqual => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        CompareOp::Greater => order == Some(Ordering::Greater),
        _ => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
    }
}
