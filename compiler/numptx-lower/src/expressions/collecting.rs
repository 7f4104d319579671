//! Comprehensions whose members are collected in a list, a set or a dictionary of run time, by a loop that is lowered like any other.

use std::collections::BTreeMap;
use std::sync::Arc;

use numptx_source::{Reports, Span};
use numptx_syntax::ast::{Clause, Comprehension, Expr, ExprKind, Function, LogicalOp, Stmt, StmtKind};

use crate::lowerer::Lowerer;
use crate::syntax::maker::Maker;
use crate::values::container_types::Sort;
use crate::values::scope::{Binding, Callee};
use crate::values::value::Value;

pub(super) const OUT: &str = ".out";
pub(super) const KEY: &str = ".key";
pub(super) const MEMBER: &str = ".member";
pub(super) const FUNCTION: &str = ".function";

/// What the loops of a comprehension run over, by their number.
pub(super) fn over(level: usize) -> String {
    format!(".over{level}")
}

impl Maker {
    /// `body` where all conditions hold.
    fn filtered(self, conditions: &[Expr], body: Vec<Stmt>) -> Vec<Stmt> {
        match conditions {
            [] => body,
            [one] => vec![self.when(one.clone(), body)],
            all => {
                let test = ExprKind::Logical { op: LogicalOp::And, operands: all.to_vec() };
                vec![self.when(self.expr(test), body)]
            }
        }
    }

    /// The loops of a comprehension around `body`; the first is over the name [`over`]`(0)`.
    pub(super) fn nest(self, clauses: &[Clause], body: Vec<Stmt>) -> Stmt {
        let mut body = body;
        for (n, clause) in clauses.iter().enumerate().rev() {
            let iterable = if n == 0 { self.name(&over(0)) } else { clause.iterable.clone() };
            body = vec![self.loop_over(clause.target.clone(), iterable, self.filtered(&clause.conditions, body))];
        }
        body.pop().unwrap_or_else(|| self.stmt(StmtKind::Pass))
    }
}

impl Lowerer<'_> {
    /// A comprehension as a list, a set or a dictionary of run time, by a loop that adds its members.
    pub fn collected(&mut self, comprehension: &Comprehension, iterated: Value, sort: Sort, span: Span) -> Value {
        self.collected_with(comprehension, iterated, sort, &[], span)
    }

    /// The same where the comprehension reads further names.
    pub fn collected_with(
        &mut self,
        comprehension: &Comprehension,
        iterated: Value,
        sort: Sort,
        names: &[(&str, Value)],
        span: Span,
    ) -> Value {
        let make = Maker { span };
        let mut arguments = BTreeMap::new();
        for (name, value) in names {
            arguments.insert((*name).into(), Binding::Bound(value.clone(), span));
        }
        arguments.insert(over(0), Binding::Bound(iterated, span));
        let container = self.empty_container(sort, span);
        arguments.insert(OUT.into(), Binding::Bound(Value::Container(container), span));
        let add = match (sort, &comprehension.element.kind) {
            // The key comes first, unlike in an assignment.
            (Sort::Dictionary, ExprKind::Tuple(pair)) if pair.len() == 2 => vec![
                make.assign(make.name(KEY), pair[0].clone()),
                make.assign(at(make, vec![make.name(KEY)]), pair[1].clone()),
            ],
            _ => {
                let name = if sort == Sort::Set { "add" } else { "append" };
                let of_element = Maker { span: comprehension.element.span };
                let method = of_element.attribute(make.name(OUT), name);
                vec![make.stmt(StmtKind::Expr(of_element.call(method, vec![comprehension.element.clone()])))]
            }
        };
        let body = vec![make.nest(&comprehension.clauses, add), make.give(make.name(OUT))];
        self.run(body, arguments, span)
    }

    /// `[function(a, b) for a, b in zip(over…)]` as a list of run time.
    pub fn mapped(&mut self, function: &Value, iterated: Vec<Value>, span: Span) -> Value {
        let make = Maker { span };
        let mut arguments = BTreeMap::new();
        arguments.insert(FUNCTION.into(), Binding::Bound(function.clone(), span));
        // What is sorted by these stands at the same place.
        self.calls.path.push(Span::new(span.start, u32::MAX));
        let container = self.empty_container(Sort::List, span);
        arguments.insert(OUT.into(), Binding::Bound(Value::Container(container), span));
        let names: Vec<Expr> = (0..iterated.len()).map(|n| make.name(&format!("{MEMBER}{n}"))).collect();
        let all: Vec<Expr> = (0..iterated.len()).map(|n| make.name(&over(n))).collect();
        for (n, value) in iterated.into_iter().enumerate() {
            arguments.insert(over(n), Binding::Bound(value, span));
        }
        let (target, source) = match (names.as_slice(), all.as_slice()) {
            ([name], [one]) => (name.clone(), one.clone()),
            _ => (make.expr(ExprKind::Tuple(names.clone())), make.call(make.name("zip"), all)),
        };
        let member = make.call(make.name(FUNCTION), names);
        let add = make.stmt(StmtKind::Expr(make.call(make.attribute(make.name(OUT), "append"), vec![member])));
        let body = vec![make.loop_over(target, source, vec![add]), make.give(make.name(OUT))];
        let mapped = self.run(body, arguments, span);
        self.calls.path.pop();
        mapped
    }

    /// Lowers the statements as a function with these names.
    pub fn run(&mut self, body: Vec<Stmt>, arguments: BTreeMap<String, Binding>, span: Span) -> Value {
        let parameters = arguments.keys().map(|name| numptx_syntax::ast::Parameter {
            name: name.clone(),
            span,
            default: None,
            kind: Default::default(),
        });
        let function = Arc::new(Function {
            name: "a comprehension".into(),
            name_span: span,
            parameters: parameters.collect(),
            body,
            docstring: None,
            span,
            applied: Default::default(),
            refused: Reports::new(),
        });
        let value = if self.enter(span) {
            let enclosing = self.calls.here();
            self.call_body(&function, Callee::Comprehension, enclosing, arguments)
        } else {
            Value::Poison
        };
        self.budget.leave();
        self.builder.set_span(span);
        value
    }
}

/// An element of what is filled.
pub(super) fn at(make: Maker, positions: Vec<Expr>) -> Expr {
    make.subscript(make.name(OUT), positions)
}
