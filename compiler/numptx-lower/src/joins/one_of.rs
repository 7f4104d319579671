//! Values that are one of several by path: `None` or a number, arrays of two dtypes. A tag goes along, which tells at run time which one it is.
//!
//! They come from paths that join, are bound, passed, put into tuples, asked for (`is None`, `isinstance`, their truth, their text) and returned. Where
//! a test says that a name is not `None`, it is the other value there. Elsewhere an operator on a value that may be `None` checks that it is not; what
//! has no one type otherwise is refused by name.

use numptx_ir::array::{ErrorKind, ValueId};
use numptx_ir::functions::Family;
use numptx_source::Span;
use numptx_syntax::ast::{CompareOp, Expr, ExprKind, LogicalOp, UnaryOp};

use crate::lowerer::Lowerer;
use crate::syntax::flow::Exits;
use crate::values::forms::Form;
use crate::values::one_of::OneOf;
use crate::values::scope::Binding;
use crate::values::value::Value;

impl Lowerer<'_> {
    /// What is done with a value, done with the one that it is.
    pub fn with_each(&mut self, one: &OneOf, span: Span, f: &mut dyn FnMut(&mut Self, &Value) -> Value) -> Value {
        self.with_each_from(one, 0, span, f)
    }

    fn with_each_from(
        &mut self,
        one: &OneOf,
        n: usize,
        span: Span,
        f: &mut dyn FnMut(&mut Self, &Value) -> Value,
    ) -> Value {
        let Some(member) = one.members.get(n) else { return Value::Poison };
        if n + 1 == one.members.len() {
            return f(self, member);
        }
        let is_it = self.is_tagged(one.tag, n);
        // Only one of both closures is run at a time.
        let f = std::cell::RefCell::new(f);
        self.choose(
            is_it,
            |s| (*f.borrow_mut())(s, member),
            |s| s.with_each_from(one, n + 1, span, &mut **f.borrow_mut()),
            span,
        )
    }

    /// Lowers an expression to a value that may be one of several.
    pub fn any_of(&mut self, expr: &Expr) -> Value {
        match self.constant_expression(expr) {
            one @ Value::OneOf(_) => one,
            value => self.settled(value, expr.span),
        }
    }

    /// An operand of an operator that does not exist for `None`: where it is, that is raised.
    pub fn present(&mut self, value: Value, (symbol, is_left): (&str, bool), other: &Value, span: Span) -> Value {
        let Value::OneOf(one) = &value else { return value };
        let (Some(none), Some(member)) = (one.none(), one.other()) else { return self.refuse_one_of(&value, span) };
        let beside = self.type_name(other);
        let message = match (symbol, is_left) {
            ("<" | "<=" | ">" | ">=", true) => {
                format!("'{symbol}' not supported between instances of 'NoneType' and '{beside}'")
            }
            ("<" | "<=" | ">" | ">=", false) => {
                format!("'{symbol}' not supported between instances of '{beside}' and 'NoneType'")
            }
            (_, true) => format!("unsupported operand type(s) for {symbol}: 'NoneType' and '{beside}'"),
            (_, false) => format!("unsupported operand type(s) for {symbol}: '{beside}' and 'NoneType'"),
        };
        let member = member.clone();
        self.check_present(one.tag, none, &message);
        member
    }

    /// The same of what has no other operand.
    pub fn present_alone(&mut self, value: Value, message: &str, span: Span) -> Value {
        let Value::OneOf(one) = &value else { return value };
        let (Some(none), Some(member)) = (one.none(), one.other()) else { return self.refuse_one_of(&value, span) };
        let member = member.clone();
        self.check_present(one.tag, none, message);
        member
    }

    fn check_present(&mut self, tag: ValueId, none: usize, message: &str) {
        let is_none = self.is_tagged(tag, none);
        let is_there = self.not(is_none);
        self.check(is_there, ErrorKind::Type, message, &[]);
    }

    /// What Python calls the type of a value, in messages.
    fn type_name(&self, value: &Value) -> String {
        let name = match value {
            Value::Typed(typed) => match (typed.family, self.builder.dtype(typed.value)) {
                (Family::Python, dtype) => crate::values::container_types::python_name(dtype),
                (Family::Array, _) => "numpy.ndarray",
                (Family::Numpy, dtype) => return format!("numpy.{}", dtype.name()),
            },
            Value::Tuple(_) => "tuple",
            Value::List(_) | Value::Filled(_) => "list",
            Value::Container(container) => container.sort.name(),
            Value::Str(_) | Value::Text(_) | Value::OtherStr => "str",
            Value::OneOf(one) => match one.other() {
                Some(other) => return self.type_name(other),
                None => "object",
            },
            _ => "NoneType",
        };
        name.to_owned()
    }

    /// `left op right` where one of them is one of several: equality, and identity with `None`. `None` for other comparisons.
    pub fn compare_one_of(
        &mut self,
        op: CompareOp,
        left: &Value,
        right: &Value,
        span: Span,
        places: [Span; 2],
    ) -> Option<Value> {
        if !matches!(op, CompareOp::Is | CompareOp::IsNot | CompareOp::Equal | CompareOp::NotEqual) {
            return None;
        }
        match (left, right) {
            (Value::OneOf(one), other) => {
                Some(self.with_each(one, span, &mut |s, member| s.compare(op, member, other, span, places)))
            }
            (other, Value::OneOf(one)) => {
                Some(self.with_each(one, span, &mut |s, member| s.compare(op, other, member, span, places)))
            }
            _ => None,
        }
    }

    /// What a function gives that ends by `return` or past its end, where that is known at run time.
    pub fn returned_or_none(&mut self, value: Value, span: Span) -> Option<Value> {
        let exit = self.calls.frame().state.exit?;
        self.form(&value).either(&Form::Static(Value::None))?;
        let returns = self.left_by(exit, Exits::RETURN);
        Some(self.choose(returns, |_| value, |_| Value::None, span))
    }

    /// Runs `f` where a test was decided: names that it tells not to be `None`, or to be `None`, are that there. Afterwards they are what they were,
    /// unless `f` bound them.
    pub fn knowing<T>(&mut self, test: &Expr, holds: bool, f: impl FnOnce(&mut Self) -> T) -> T {
        let known = self.known_by(test, holds);
        let result = f(self);
        if !self.calls.frames.is_empty() {
            for (name, before, now) in known {
                let names = &mut self.calls.frame().state.names;
                if names.get(&name) == Some(&now) {
                    names.insert(name, before);
                }
            }
        }
        result
    }

    /// Binds the names that a test, decided so, tells something of; gives what they were and what they are.
    pub fn known_by(&mut self, test: &Expr, holds: bool) -> Vec<(String, Binding, Binding)> {
        let mut told = Vec::new();
        told_by(test, holds, &mut told);
        let mut known = Vec::new();
        for (name, is_none) in told {
            if self.calls.frames.is_empty() {
                break;
            }
            let names = &mut self.calls.frame().state.names;
            let Some(Binding::Bound(Value::OneOf(one), span)) = names.get(&name) else { continue };
            let value = match (is_none, one.none(), one.other()) {
                (true, Some(_), _) => Value::None,
                (false, _, Some(other)) => other.clone(),
                _ => continue,
            };
            let now = Binding::Bound(value, *span);
            if let Some(before) = names.insert(name.clone(), now.clone()) {
                known.push((name, before, now));
            }
        }
        known
    }
}

/// Names of which a test, decided so, tells whether they are `None`.
fn told_by(test: &Expr, holds: bool, told: &mut Vec<(String, bool)>) {
    match &test.kind {
        ExprKind::Name(name) if holds => told.push((name.clone(), false)),
        ExprKind::Unary { op: UnaryOp::Not, operand } => told_by(operand, !holds, told),
        ExprKind::Logical { op, operands } if holds == (*op == LogicalOp::And) => {
            operands.iter().for_each(|operand| told_by(operand, holds, told));
        }
        ExprKind::Compare { operands, ops } => {
            let ([a, b], [op]) = (operands.as_slice(), ops.as_slice()) else { return };
            let ((ExprKind::Name(name), ExprKind::None) | (ExprKind::None, ExprKind::Name(name))) = (&a.kind, &b.kind)
            else {
                return;
            };
            match op {
                CompareOp::Is | CompareOp::Equal => told.push((name.clone(), holds)),
                CompareOp::IsNot | CompareOp::NotEqual => told.push((name.clone(), !holds)),
                _ => {}
            }
        }
        _ => {}
    }
}
