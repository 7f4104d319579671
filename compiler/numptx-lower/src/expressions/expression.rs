//! Expressions, one function each.

use numptx_ir::DType;
use numptx_ir::scalar::Constant;
use numptx_source::{Span, code};
use numptx_syntax::ast::{BinaryOp, Expr, ExprKind};

use crate::containers::method_names::is_method;
use crate::lowerer::Lowerer;
use crate::values::call::Call;
use crate::values::class::Class;
use crate::values::container_types::Sort;
use crate::values::value::Value;

impl Lowerer<'_> {
    /// Lowers an expression to a value of which there may be one at run time.
    pub fn expression(&mut self, expr: &Expr) -> Value {
        let value = self.constant_expression(expr);
        self.settled(value, expr.span)
    }

    /// Lowers an expression, whose value may be an int that exists when compiling only.
    pub fn constant_expression(&mut self, expr: &Expr) -> Value {
        match &expr.kind {
            ExprKind::Name(name) => self.lookup(name, expr.span),
            ExprKind::Int(n) => self.any_int(*n),
            ExprKind::Float(x) => Value::python(self.builder.constant(Constant::Float(*x), DType::F64)),
            ExprKind::Imaginary(x) => Value::python(self.builder.constant(Constant::Complex(0.0, *x), DType::C128)),
            ExprKind::Bool(b) => self.bool(*b),
            ExprKind::None => Value::None,
            ExprKind::Refused => Value::Poison,
            ExprKind::Str(text) => Value::Str(text.clone()),
            ExprKind::Ellipsis => Value::Ellipsis,
            ExprKind::Imported(path) => self.path(path, expr.span),
            ExprKind::Binary { op, left, right } => {
                let a = self.constant_expression(left);
                let b = self.constant_expression(right);
                if *op == BinaryOp::Mul && self.wants_repeated((left, &a), (right, &b)) {
                    return Value::Poison;
                }
                self.binary(*op, a, b, expr.span, [left.span, right.span])
            }
            ExprKind::Unary { op, operand } => self.unary(*op, operand, expr.span),
            ExprKind::Logical { op, operands } => self.logical(*op, operands),
            ExprKind::Compare { operands, ops } => self.compare_chain(operands, ops, expr.span),
            ExprKind::Conditional { test, body, orelse } => self.conditional(test, body, orelse, expr.span),
            ExprKind::Call { function, arguments, keywords } => {
                self.call_expression(function, arguments, keywords, expr.span)
            }
            ExprKind::Attribute { value, name, name_span } => {
                let owner = self.expression(value);
                let changes = matches!(owner, Value::List(_) | Value::Filled(_)) && is_method(Sort::List, name);
                if changes && self.want_list(value) {
                    return Value::Poison;
                }
                self.attribute(owner, name, *name_span)
            }
            ExprKind::Subscript { value, indices } => {
                let owner = self.any_of(value);
                let owner = self.present_alone(owner, "'NoneType' object is not subscriptable", value.span);
                self.subscript(owner, value.span, indices, expr.span)
            }
            ExprKind::Tuple(items) => {
                Value::Tuple(self.members_with(items, Self::any_of).into_iter().map(|(v, _)| v).collect())
            }
            ExprKind::List(items) => self.list_display(items, expr.span),
            ExprKind::Set(items) => {
                let set = self.empty_container(Sort::Set, expr.span);
                for (member, span) in self.members(items) {
                    self.add_to_set(set, &member, span);
                }
                Value::Container(set)
            }
            ExprKind::Dictionary(pairs) => {
                let dictionary = self.empty_container(Sort::Dictionary, expr.span);
                for (key, value) in pairs {
                    let (key, of) = (self.expression(key), value.span);
                    let value = self.expression(value);
                    self.set_dictionary_item(dictionary, &key, &value, of);
                }
                Value::Container(dictionary)
            }
            ExprKind::Starred(value) => {
                let help = "write it in a tuple, a list or a call: `f(*values)`";
                self.refuse(code::UNSUPPORTED_EXPRESSION, value.span, "`*` cannot stand here", help)
            }
            ExprKind::Binding { name, name_span, value } => {
                let value = self.expression(value);
                if self.calls.frames.is_empty() {
                    let help = "assign in a statement of its own";
                    return self.refuse(code::UNSUPPORTED_EXPRESSION, expr.span, "`:=` outside of a function", help);
                }
                self.bind(name, value.clone(), *name_span);
                value
            }
            ExprKind::Lambda(function) => self.closure(function),
            ExprKind::Comprehension(comprehension) => self.comprehension(comprehension, expr.span),
            ExprKind::Formatted(parts) => self.formatted(parts, expr.span),
            ExprKind::Record(record) => Value::RecordClass(Class(record.clone())),
        }
    }

    /// `[a, b]`: a list of static length, or one of run time where that is wanted.
    fn list_display(&mut self, items: &[Expr], span: Span) -> Value {
        let site = self.calls.site(span);
        if items.iter().any(|item| matches!(item.kind, ExprKind::Starred(_))) && self.containers.is_dynamic(&site) {
            return self.joined_display(items, span);
        }
        let starred = |s: &mut Self, item: &Expr| match &item.kind {
            ExprKind::Starred(value) => {
                let (point, value) = (s.point(), s.expression(value));
                s.rollback(point);
                s.is_of_containers(&value) || matches!(value, Value::Filled(_))
            }
            _ => false,
        };
        if items.iter().any(|item| starred(self, item)) {
            self.containers.want(site);
            return Value::Poison;
        }
        let items: Vec<Value> = self.members(items).into_iter().map(|(v, _)| v).collect();
        if !self.containers.is_dynamic(&site) {
            return Value::List(items);
        }
        let ty = self.containers.at(Sort::List, site);
        Value::Container(self.new_list(ty, &items, span))
    }

    /// `[a, *b]` as a list of run time.
    fn joined_display(&mut self, items: &[Expr], span: Span) -> Value {
        let list = self.empty_container(Sort::List, span);
        for item in items {
            let (method, value) = match &item.kind {
                ExprKind::Starred(value) => ("extend", self.expression(value)),
                _ => ("append", self.expression(item)),
            };
            let call = Call { positional: vec![value], keywords: Vec::new(), places: vec![item.span], span: item.span };
            self.container_method(list, method, &call);
        }
        Value::Container(list)
    }
}
