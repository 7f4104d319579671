//! Expressions with names of their own, and f-strings: `lambda`, comprehensions, `:=`.
//!
//! In: Python's expressions. Out: the subset's. Whether a comprehension has a static length is not decided here.

use std::sync::Arc;

use numptx_source::{Reports, Span, code};

use super::Converter;
use crate::ast::{self, Collects, ExprKind, FormattedPart, StmtKind};
use crate::parse::{python, span_of};

impl Converter<'_> {
    /// `lambda x: value`
    pub(super) fn lambda(&mut self, e: &python::ExprLambda, span: Span) -> ExprKind {
        let (parameters, _) = self.parameters(&e.args);
        let scope = std::mem::replace(&mut self.in_comprehension, false);
        let value = self.expression(&e.body);
        self.in_comprehension = scope;
        let name_span = Span::new(span.start, span.start + "lambda".len() as u32);
        let body = vec![ast::Stmt { span: value.span, kind: StmtKind::Return(Some(value)) }];
        let function = ast::Function {
            name: "<lambda>".to_owned(),
            name_span,
            parameters,
            body,
            docstring: None,
            span,
            applied: ast::Applied::Whole,
            refused: Reports::new(),
        };
        ExprKind::Lambda(Arc::new(function))
    }

    /// `name := value`
    pub(super) fn named(&mut self, e: &python::ExprNamedExpr, span: Span) -> ExprKind {
        let python::Expr::Name(name) = &*e.target else {
            return self.refuse_expression(span, "this assignment expression", "write `(name := value)`");
        };
        if self.in_comprehension {
            let help = "assign in a loop: `for v in a:` and `t = f(v)`";
            return self.refuse_expression(span, "an assignment expression inside a comprehension", help);
        }
        let value = Box::new(self.expression(&e.value));
        ExprKind::Binding { name: name.id.to_string(), name_span: span_of(name.range), value }
    }

    /// `element for target in iterable if condition`
    pub(super) fn comprehension(
        &mut self,
        element: &python::Expr,
        generators: &[python::Comprehension],
        (is_generator, collects): (bool, Collects),
    ) -> ExprKind {
        self.comprehension_of(generators, (is_generator, collects), |s| s.expression(element))
    }

    /// `{key: value for target in iterable if condition}`
    pub(super) fn dictionary_comprehension(&mut self, e: &python::ExprDictComp) -> ExprKind {
        self.comprehension_of(&e.generators, (false, Collects::Dictionary), |s| {
            let (key, value) = (s.expression(&e.key), s.expression(&e.value));
            let span = key.span.join(value.span);
            ast::Expr { kind: ExprKind::Tuple(vec![key, value]), span }
        })
    }

    fn comprehension_of(
        &mut self,
        generators: &[python::Comprehension],
        (is_generator, collects): (bool, Collects),
        element: impl FnOnce(&mut Self) -> ast::Expr,
    ) -> ExprKind {
        let outer = self.in_comprehension;
        let mut clauses = Vec::new();
        for generator in generators {
            let target = self.target(&generator.target);
            if generator.is_async {
                self.refuse(
                    code::UNSUPPORTED_EXPRESSION,
                    target.span,
                    "`async for`",
                    "write `for`: calls are synchronous",
                );
            }
            let iterable = self.expression(&generator.iter);
            self.in_comprehension = true;
            let conditions = generator.ifs.iter().map(|c| self.expression(c)).collect();
            clauses.push(ast::Clause { target, iterable, conditions });
        }
        let element = element(self);
        self.in_comprehension = outer;
        ExprKind::Comprehension(Box::new(ast::Comprehension { element, clauses, is_generator, collects }))
    }

    /// The parts of an f-string.
    pub(super) fn formatted(&mut self, values: &[python::Expr]) -> Vec<FormattedPart> {
        let mut parts = Vec::new();
        for value in values {
            match value {
                python::Expr::FormattedValue(e) => parts.push(self.formatted_value(e)),
                other => match super::string_value(other) {
                    Some(text) => parts.push(FormattedPart::Text(text)),
                    None => self.refuse_part(span_of(python::Ranged::range(other))),
                },
            }
        }
        parts
    }

    fn formatted_value(&mut self, e: &python::ExprFormattedValue) -> FormattedPart {
        let value = self.expression(&e.value);
        let repr = match e.conversion {
            python::ConversionFlag::Repr => true,
            python::ConversionFlag::Ascii => {
                self.refuse_part(value.span);
                false
            }
            python::ConversionFlag::None | python::ConversionFlag::Str => false,
        };
        let mut nested = match e.format_spec.as_deref() {
            None => Vec::new(),
            Some(python::Expr::JoinedStr(spec)) => self.formatted(&spec.values),
            Some(_) => {
                self.refuse_part(value.span);
                Vec::new()
            }
        };
        let mut specification = String::new();
        if nested.iter().all(|part| part.value().is_none()) {
            for part in std::mem::take(&mut nested) {
                if let FormattedPart::Text(text) = part {
                    specification += &text;
                }
            }
        }
        FormattedPart::Value { value, repr, specification, nested }
    }

    fn refuse_part(&mut self, span: Span) {
        let help = "write `{value}`, or `{value:.3f}` with a constant number of digits";
        self.refuse(code::UNSUPPORTED_EXPRESSION, span, "this part of an f-string", help);
    }
}

/// Whether an expression binds a name where it is evaluated.
pub(super) fn binds(expr: &ast::Expr) -> bool {
    let mut names = std::collections::BTreeSet::new();
    expr.bound_names(&mut names);
    !names.is_empty()
}
