//! Python ints that 64 signed bits do not hold: constants of the program, as the masks and multipliers of hash functions are.
//!
//! They exist when compiling only. Constants compute with one another exactly; what a program of run time takes is a `uint64` that one of them
//! becomes, by `np.uint64(…)` or beside values of `uint64` as NumPy has it, or a float. Everywhere else they are refused.

use numptx_ir::DType;
use numptx_ir::functions::Family;
use numptx_ir::scalar::Constant;
use numptx_source::{Span, code};
use numptx_syntax::ast::{BinaryOp, CompareOp, Expr, UnaryOp};

use crate::lowerer::Lowerer;
use crate::numbers::folding;
use crate::values::value::Value;

impl Lowerer<'_> {
    /// Refuses an int that 64 bits do not hold, and what is one of several.
    pub fn settled(&mut self, value: Value, span: Span) -> Value {
        match value {
            Value::LargeInt(n) => self.refuse_large(n, span),
            Value::OneOf(_) => self.refuse_one_of(&value, span),
            value => value,
        }
    }

    /// A Python int that is known when compiling.
    pub fn any_int(&mut self, n: i128) -> Value {
        i64::try_from(n).map_or(Value::LargeInt(n), |n| self.int(n))
    }

    fn refuse_large(&mut self, n: i128, span: Span) -> Value {
        let message = format!("the integer {n} does not fit in 64 bits");
        let help = match u64::try_from(n) {
            Ok(_) => {
                "Python ints are `int64` here; write `np.uint64(…)` around it, or use it beside values of `uint64`, which it becomes one of"
            }
            Err(_) => "Python ints are `int64` here; write a float, `1e30`, where exactness does not matter",
        };
        self.refuse(code::CONSTANT_OUT_OF_RANGE, span, message, help)
    }

    /// A large int as a scalar of a dtype.
    pub fn large_to(&mut self, n: i128, dtype: DType, span: Span) -> Value {
        if dtype == DType::U64
            && let Ok(n) = u64::try_from(n)
        {
            return Value::numpy(self.builder.constant(Constant::Int(n as i64), dtype));
        }
        if dtype.is_integer() {
            let message = format!("Python integer {n} is out of bounds for `{dtype}`");
            let help = match dtype {
                DType::U64 => {
                    "`uint64` holds 0 to 18446744073709551615; write a float, `2.0**64`, where exactness does not matter"
                }
                _ => "compute in `uint64`: `np.uint64(x)` of a number, `x.astype(np.uint64)` of an array",
            };
            return self.refuse(code::CONSTANT_OUT_OF_RANGE, span, message, help);
        }
        let number = Value::python(self.builder.constant(Constant::Float(n as f64), DType::F64));
        self.call_on("ndarray.astype", &[number, Value::DType(dtype)], span, &[span, span])
    }

    /// `left op right` where one of both is a large int, and the other is not or is one, too.
    pub fn large_binary(&mut self, op: BinaryOp, left: Value, right: Value, span: Span, places: [Span; 2]) -> Value {
        if let (Some(a), Some(b)) = (self.known_int(&left), self.known_int(&right))
            && let Some(n) = folding::fold_large(op, a, b)
        {
            return self.any_int(n);
        }
        let (left, right) = self.beside_each_other(left, right, places);
        self.binary(op, left, right, span, places)
    }

    /// `left op right` as a comparison where one of both is a large int.
    pub fn large_compare(
        &mut self,
        op: CompareOp,
        left: &Value,
        right: &Value,
        span: Span,
        places: [Span; 2],
    ) -> Value {
        if let (Some(a), Some(b)) = (self.known_int(left), self.known_int(right)) {
            return match op {
                CompareOp::Equal => self.bool(a == b),
                CompareOp::NotEqual => self.bool(a != b),
                CompareOp::Less => self.bool(a < b),
                CompareOp::LessEqual => self.bool(a <= b),
                CompareOp::Greater => self.bool(a > b),
                _ => self.bool(a >= b),
            };
        }
        if let Some(known) = self.compare_beyond(op, left, right, span) {
            return known;
        }
        let (left, right) = self.beside_each_other(left.clone(), right.clone(), places);
        self.compare(op, &left, &right, span, places)
    }

    /// The comparison with an int beyond what the other side, integers, can be: it is the same for all of them.
    fn compare_beyond(&mut self, op: CompareOp, left: &Value, right: &Value, span: Span) -> Option<Value> {
        let (n, other, is_left) = match (left, right) {
            (Value::LargeInt(n), other) => (*n, other.typed()?, true),
            (other, Value::LargeInt(n)) => (*n, other.typed()?, false),
            _ => return None,
        };
        let dtype = self.builder.dtype(other.value);
        let is_int = dtype.is_integer() || (dtype == DType::Bool && other.family == Family::Python);
        if !is_int || (dtype == DType::U64 && u64::try_from(n).is_ok()) {
            return None;
        }
        let is_less = is_left == (n < 0);
        let answer = match op {
            CompareOp::Equal => false,
            CompareOp::NotEqual => true,
            CompareOp::Less | CompareOp::LessEqual => is_less,
            _ => !is_less,
        };
        if other.family == Family::Python {
            return Some(self.bool(answer));
        }
        let same = if answer { "numpy.equal" } else { "numpy.not_equal" };
        let other = Value::Typed(other);
        Some(self.call_on(same, &[other.clone(), other], span, &[span, span]))
    }

    /// `-n`, `+n`, `~n` of a large int.
    pub fn large_unary(&mut self, op: UnaryOp, n: i128, span: Span) -> Value {
        let result = match op {
            UnaryOp::Negative => n.checked_neg(),
            UnaryOp::Invert => Some(!n),
            UnaryOp::Positive | UnaryOp::Not => Some(n),
        };
        match result {
            Some(n) => self.any_int(n),
            None => self.refuse_large(n, span),
        }
    }

    /// Both operands, the large int as what NumPy makes of it beside the other, or Python beside a float.
    fn beside_each_other(&mut self, left: Value, right: Value, places: [Span; 2]) -> (Value, Value) {
        let (a, b) = (left.clone(), right.clone());
        (self.beside(left, &b, places[0]), self.beside(right, &a, places[1]))
    }

    /// A value; a large int as what it becomes beside another.
    pub fn beside(&mut self, value: Value, other: &Value, span: Span) -> Value {
        let Value::LargeInt(n) = value else { return value };
        let Some(other) = other.typed() else { return self.refuse_large(n, span) };
        let dtype = self.builder.dtype(other.value);
        let exact = n as f64 as i128 == n;
        if (dtype.is_float() || dtype.is_complex()) && (other.family != Family::Python || exact) {
            return Value::python(self.builder.constant(Constant::Float(n as f64), DType::F64));
        }
        match other.family {
            Family::Python => self.refuse_large(n, span),
            _ => self.large_to(n, dtype, span),
        }
    }

    /// The operand of `target op= operand`.
    pub fn operand(&mut self, expr: &Expr, target: &Value) -> Value {
        let value = self.constant_expression(expr);
        self.beside(value, target, expr.span)
    }

    pub fn known_int(&self, value: &Value) -> Option<i128> {
        match value {
            Value::LargeInt(n) => Some(*n),
            value if self.is_python(value) => self.int_of(value).map(i128::from),
            _ => None,
        }
    }
}
