//! Operators, and which rules each follows.
//!
//! Two Python scalars compute by Python's rules (`numbers/scalars.rs`); as soon as one operand is an array or a NumPy scalar the function
//! table computes by NumPy's.

use numptx_ir::functions::{Family, Typed};
use numptx_source::{Span, code};
use numptx_syntax::ast::{BinaryOp, Expr, ExprKind, UnaryOp};

use crate::lowerer::Lowerer;
use crate::lowerer::reports::MAX_REPEATED;
use crate::values::value::Value;

impl Lowerer<'_> {
    /// Whether a list is repeated as often as only the run time knows, so that it is to be one of run time.
    pub fn wants_repeated(&mut self, left: (&Expr, &Value), right: (&Expr, &Value)) -> bool {
        let is_count = |s: &Self, v: &Value| s.is_scalar(v) && s.int_of(v).is_none();
        match (left, right) {
            ((list, Value::List(_) | Value::Filled(_)), (_, count))
            | ((_, count), (list, Value::List(_) | Value::Filled(_)))
                if is_count(self, count) =>
            {
                self.want_list(list)
            }
            _ => false,
        }
    }

    /// `left op right` of values.
    pub fn binary(&mut self, op: BinaryOp, left: Value, right: Value, span: Span, places: [Span; 2]) -> Value {
        if left.is_poison() || right.is_poison() {
            return Value::Poison;
        }
        let (left, right) = (left.plain(), right.plain());
        self.builder.set_span(span);
        let (left, right) = match op {
            // NumPy's scalars repeat lists.
            BinaryOp::Mul if !self.is_array(&left) && !self.is_array(&right) => (left, right),
            _ => self.lists_beside_arrays(left, right, places),
        };
        if let (Value::OneOf(_), _) | (_, Value::OneOf(_)) = (&left, &right) {
            let one = self.present(left, (op.symbol(), true), &right, places[0]);
            let other = self.present(right, (op.symbol(), false), &one, places[1]);
            return self.binary(op, one, other, span, places);
        }
        match (&left, &right) {
            (Value::LargeInt(_), _) | (_, Value::LargeInt(_)) => self.large_binary(op, left, right, span, places),
            (Value::Typed(a), Value::Typed(b)) if a.family == Family::Python && b.family == Family::Python => {
                let result = self.python_binary(op, a.value, b.value, span);
                self.note_narrower(op, [a.value, b.value], &result);
                result
            }
            (Value::Typed(_), Value::Typed(_)) => {
                self.call_operator(op.symbol(), ufunc_of(op), &[left, right], span, &places)
            }
            (Value::Typed(a), Value::Tuple(_) | Value::List(_))
            | (Value::Tuple(_) | Value::List(_), Value::Typed(a))
                if a.family == Family::Array || (a.family == Family::Numpy && op != BinaryOp::Mul) =>
            {
                self.call_operator(op.symbol(), ufunc_of(op), &[left, right], span, &places)
            }
            _ => match self.container_binary(op, &left, &right, span) {
                Some(value) => value,
                None => self.binary_static(op, &left, &right, span),
            },
        }
    }

    /// Operators on what is known when compiling: tuples, lists, strings.
    fn binary_static(&mut self, op: BinaryOp, left: &Value, right: &Value, span: Span) -> Value {
        match (op, left, right) {
            (BinaryOp::Add, Value::Tuple(a), Value::Tuple(b)) => Value::Tuple([a.as_slice(), b].concat()),
            (BinaryOp::Add, Value::List(a), Value::List(b)) => Value::List([a.as_slice(), b].concat()),
            (BinaryOp::Add, Value::Str(a), Value::Str(b)) => Value::Str(format!("{a}{b}")),
            (BinaryOp::Mul, Value::Tuple(items) | Value::List(items), count)
            | (BinaryOp::Mul, count, Value::Tuple(items) | Value::List(items))
                if self.is_python(count) && self.int_of(count).is_some_and(|n| has_members(items, n)) =>
            {
                let n = self.int_of(count).unwrap_or(0).max(0) as usize;
                let repeated = items.iter().cycle().take(items.len() * n).cloned().collect();
                let is_tuple = matches!((left, right), (Value::Tuple(_), _) | (_, Value::Tuple(_)));
                if is_tuple { Value::Tuple(repeated) } else { Value::List(repeated) }
            }
            _ => self.bad_operands(op.symbol(), left, right, span),
        }
    }

    pub fn unary(&mut self, op: UnaryOp, operand: &Expr, span: Span) -> Value {
        if op == UnaryOp::Not {
            let condition = self.condition(operand);
            let result = self.not(condition);
            return Value::python(result);
        }
        // `-9223372036854775808` is a literal of its own: the number without the sign does not fit.
        if let (UnaryOp::Negative, ExprKind::Int(n)) = (op, &operand.kind) {
            return self.any_int(-n);
        }
        let value = self.constant_expression(operand);
        self.builder.set_span(span);
        let symbol = match op {
            UnaryOp::Positive => "+",
            UnaryOp::Invert => "~",
            UnaryOp::Negative | UnaryOp::Not => "-",
        };
        let message = format!("bad operand type for unary {symbol}: 'NoneType'");
        let value = self.present_alone(value, &message, operand.span);
        match &value {
            Value::Poison => Value::Poison,
            Value::LargeInt(n) => self.large_unary(op, *n, span),
            Value::Typed(Typed { value, family: Family::Python }) => {
                let result = self.python_unary(op, *value, span);
                self.note_narrower(BinaryOp::Sub, [*value; 2], &result);
                result
            }
            Value::Typed(_) => {
                let (text, name) = match op {
                    UnaryOp::Negative => ("-", "numpy.negative"),
                    UnaryOp::Positive => ("+", "numpy.positive"),
                    UnaryOp::Invert | UnaryOp::Not => ("~", "numpy.invert"),
                };
                self.call_operator(text, name, &[value], span, &[operand.span])
            }
            other => {
                let message = format!("this operator does not exist for {}", other.describe(&self.builder));
                self.refuse(code::BAD_OPERAND_TYPES, span, message, "operators take numbers and arrays: `-x`")
            }
        }
    }
}

fn ufunc_of(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "numpy.add",
        BinaryOp::Sub => "numpy.subtract",
        BinaryOp::Mul => "numpy.multiply",
        BinaryOp::Div => "numpy.divide",
        BinaryOp::FloorDiv => "numpy.floor_divide",
        BinaryOp::Mod => "numpy.remainder",
        BinaryOp::Pow => "numpy.power",
        BinaryOp::MatMul => "numpy.matmul",
        BinaryOp::BitAnd => "numpy.bitwise_and",
        BinaryOp::BitOr => "numpy.bitwise_or",
        BinaryOp::BitXor => "numpy.bitwise_xor",
        BinaryOp::ShiftLeft => "numpy.left_shift",
        BinaryOp::ShiftRight => "numpy.right_shift",
    }
}

/// Whether members so many times are a list, those of lists in it counted.
fn has_members(items: &[Value], times: i64) -> bool {
    let n = usize::try_from(times.max(0)).ok().and_then(|n| n.checked_mul(n_leaves(items)));
    n.is_some_and(|n| n <= MAX_REPEATED)
}

fn n_leaves(items: &[Value]) -> usize {
    let of = |item: &Value| match item {
        Value::Tuple(nested) | Value::List(nested) => n_leaves(nested).max(1),
        _ => 1,
    };
    items.iter().map(of).sum()
}
