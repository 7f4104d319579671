//! Expressions.
//!
//! In: Python's expressions. Out: the subset's; a refused expression stands as such in a tree that is
//! never compiled, because its report goes with it.

use numptx_source::{Report, Span, code};

use super::Converter;
use crate::ast::{self, BinaryOp, Collects, CompareOp, ExprKind, Index, LogicalOp, UnaryOp};
use crate::parse::{self, python, span_of};

pub(super) fn binary_op(op: python::Operator) -> BinaryOp {
    match op {
        python::Operator::Add => BinaryOp::Add,
        python::Operator::Sub => BinaryOp::Sub,
        python::Operator::Mult => BinaryOp::Mul,
        python::Operator::MatMult => BinaryOp::MatMul,
        python::Operator::Div => BinaryOp::Div,
        python::Operator::Mod => BinaryOp::Mod,
        python::Operator::Pow => BinaryOp::Pow,
        python::Operator::LShift => BinaryOp::ShiftLeft,
        python::Operator::RShift => BinaryOp::ShiftRight,
        python::Operator::BitOr => BinaryOp::BitOr,
        python::Operator::BitXor => BinaryOp::BitXor,
        python::Operator::BitAnd => BinaryOp::BitAnd,
        python::Operator::FloorDiv => BinaryOp::FloorDiv,
    }
}

/// `type(x)`
fn is_call_of_type(expr: &ast::Expr) -> bool {
    let ExprKind::Call { function, .. } = &expr.kind else { return false };
    matches!(&function.kind, ExprKind::Name(name) if name == "type")
}

fn unary_op(op: python::UnaryOp) -> UnaryOp {
    match op {
        python::UnaryOp::Invert => UnaryOp::Invert,
        python::UnaryOp::Not => UnaryOp::Not,
        python::UnaryOp::UAdd => UnaryOp::Positive,
        python::UnaryOp::USub => UnaryOp::Negative,
    }
}

fn compare_op(op: python::CmpOp) -> CompareOp {
    match op {
        python::CmpOp::Eq => CompareOp::Equal,
        python::CmpOp::NotEq => CompareOp::NotEqual,
        python::CmpOp::Lt => CompareOp::Less,
        python::CmpOp::LtE => CompareOp::LessEqual,
        python::CmpOp::Gt => CompareOp::Greater,
        python::CmpOp::GtE => CompareOp::GreaterEqual,
        python::CmpOp::Is => CompareOp::Is,
        python::CmpOp::IsNot => CompareOp::IsNot,
        python::CmpOp::In => CompareOp::In,
        python::CmpOp::NotIn => CompareOp::NotIn,
    }
}

/// Expressions that the tree has no place for, and what to write instead.
fn outside(expr: &python::Expr) -> (&'static str, &'static str) {
    match expr {
        python::Expr::Await(_) => ("`await`", "call the function: calls are synchronous"),
        python::Expr::Yield(_) | python::Expr::YieldFrom(_) => {
            ("`yield` as a value", "write it as a statement: `yield v`")
        }
        _ => ("this expression", "write it another way"),
    }
}

impl Converter<'_> {
    pub(super) fn expression(&mut self, expr: &python::Expr) -> ast::Expr {
        let span = span_of(python::Ranged::range(expr));
        if self.is_too_deep(span) {
            return ast::Expr { kind: ExprKind::Refused, span };
        }
        self.depth += 1;
        let kind = self.expression_kind(expr, span);
        self.depth -= 1;
        ast::Expr { kind, span }
    }

    fn expression_kind(&mut self, expr: &python::Expr, span: Span) -> ExprKind {
        match expr {
            python::Expr::Constant(e) => self.literal(&e.value, span),
            python::Expr::Name(e) => ExprKind::Name(e.id.to_string()),
            python::Expr::BinOp(e) => self.binary(e),
            python::Expr::UnaryOp(e) => ExprKind::Unary { op: unary_op(e.op), operand: self.boxed(&e.operand) },
            python::Expr::BoolOp(e) => self.logical(e),
            python::Expr::Compare(e) => self.compare(e),
            python::Expr::IfExp(e) => self.conditional(e),
            python::Expr::Call(e) => self.call(e),
            python::Expr::Attribute(e) => self.attribute(e, span),
            python::Expr::Subscript(e) => self.subscript(e),
            python::Expr::Tuple(e) => ExprKind::Tuple(self.list(&e.elts)),
            python::Expr::List(e) => ExprKind::List(self.list(&e.elts)),
            python::Expr::Set(e) => ExprKind::Set(self.list(&e.elts)),
            python::Expr::Dict(e) => self.dictionary(e, span),
            python::Expr::Starred(e) => ExprKind::Starred(self.boxed(&e.value)),
            python::Expr::NamedExpr(e) => self.named(e, span),
            python::Expr::Lambda(e) => self.lambda(e, span),
            python::Expr::ListComp(e) => self.comprehension(&e.elt, &e.generators, (false, Collects::List)),
            python::Expr::GeneratorExp(e) => self.comprehension(&e.elt, &e.generators, (true, Collects::List)),
            python::Expr::SetComp(e) => self.comprehension(&e.elt, &e.generators, (false, Collects::Set)),
            python::Expr::DictComp(e) => self.dictionary_comprehension(e),
            python::Expr::JoinedStr(e) => ExprKind::Formatted(self.formatted(&e.values)),
            python::Expr::Slice(_) => {
                self.refuse_expression(span, "a slice outside `[…]`", "write it as an index: `a[1:2]`")
            }
            other => {
                let (what, help) = outside(other);
                self.refuse_expression(span, what, help)
            }
        }
    }

    pub(super) fn refuse_expression(&mut self, span: Span, what: &str, help: &str) -> ExprKind {
        let span = self.line_of(span);
        self.refuse(code::UNSUPPORTED_EXPRESSION, span, what, help);
        ExprKind::Refused
    }

    fn dictionary(&mut self, e: &python::ExprDict, span: Span) -> ExprKind {
        let mut pairs = Vec::new();
        for (key, value) in e.keys.iter().zip(&e.values) {
            let Some(key) = key else {
                let help = "make a copy, and change that: `d = dict(other)` and `d[\"key\"] = value`";
                return self.refuse_expression(span, "`**` in a dictionary", help);
            };
            pairs.push((self.expression(key), self.expression(value)));
        }
        ExprKind::Dictionary(pairs)
    }

    fn boxed(&mut self, expr: &python::Expr) -> Box<ast::Expr> {
        Box::new(self.expression(expr))
    }

    fn list(&mut self, exprs: &[python::Expr]) -> Vec<ast::Expr> {
        exprs.iter().map(|e| self.expression(e)).collect()
    }

    fn literal(&mut self, value: &python::Constant, span: Span) -> ExprKind {
        match value {
            python::Constant::None => ExprKind::None,
            python::Constant::Bool(b) => ExprKind::Bool(*b),
            python::Constant::Str(text) => ExprKind::Str(text.clone()),
            python::Constant::Float(x) => ExprKind::Float(*x),
            python::Constant::Complex { imag, .. } => ExprKind::Imaginary(*imag),
            python::Constant::Ellipsis => ExprKind::Ellipsis,
            python::Constant::Int(value) => match parse::integer(value) {
                Some(value) => ExprKind::Int(value),
                None => self.huge_integer(span),
            },
            python::Constant::Bytes(_) => self.refuse_expression(span, "a bytes literal", "use an array of `uint8`"),
            python::Constant::Tuple(_) => self.refuse_expression(span, "this constant", "write a tuple `(a, b)`"),
        }
    }

    fn huge_integer(&mut self, span: Span) -> ExprKind {
        self.reports.push(
            Report::error(code::CONSTANT_OUT_OF_RANGE, span, "an integer literal beyond 127 bits")
                .label("no NumPy integer holds it")
                .help("write it as a float, such as `1e40`; a seed as its words of 32 bits, the lowest first: `default_rng([7, 1, 0, 5])`"),
        );
        ExprKind::Int(0)
    }

    fn binary(&mut self, e: &python::ExprBinOp) -> ExprKind {
        ExprKind::Binary { op: binary_op(e.op), left: self.boxed(&e.left), right: self.boxed(&e.right) }
    }

    fn logical(&mut self, e: &python::ExprBoolOp) -> ExprKind {
        let op = match e.op {
            python::BoolOp::And => LogicalOp::And,
            python::BoolOp::Or => LogicalOp::Or,
        };
        ExprKind::Logical { op, operands: self.list(&e.values) }
    }

    fn compare(&mut self, e: &python::ExprCompare) -> ExprKind {
        let mut operands = vec![self.expression(&e.left)];
        operands.extend(e.comparators.iter().map(|c| self.expression(c)));
        let ops: Vec<CompareOp> = e.ops.iter().map(|op| compare_op(*op)).collect();
        for (op, pair) in ops.iter().zip(operands.windows(2)) {
            let identity = matches!(op, CompareOp::Is | CompareOp::IsNot);
            let may_be = |e: &ast::Expr| matches!(e.kind, ExprKind::None | ExprKind::Refused) || is_call_of_type(e);
            if identity && !pair.iter().any(may_be) {
                let span = pair[0].span.join(pair[1].span);
                let what = "`is` with something other than `None` and types";
                self.refuse_expression(span, what, "compare values with `==`, and types with `type(x) is float`");
            }
        }
        ExprKind::Compare { operands, ops }
    }

    fn conditional(&mut self, e: &python::ExprIfExp) -> ExprKind {
        let test = self.boxed(&e.test);
        let body = self.boxed(&e.body);
        ExprKind::Conditional { test, body, orelse: self.boxed(&e.orelse) }
    }

    fn call(&mut self, e: &python::ExprCall) -> ExprKind {
        let function = self.boxed(&e.func);
        let arguments = self.list(&e.args);
        let keywords = e.keywords.iter().filter_map(|k| self.keyword(k)).collect();
        ExprKind::Call { function, arguments, keywords }
    }

    fn keyword(&mut self, keyword: &python::Keyword) -> Option<ast::Keyword> {
        let span = span_of(keyword.range);
        let Some(name) = &keyword.arg else {
            self.refuse_expression(span, "`**` in a call", "write the keyword arguments one by one");
            return None;
        };
        Some(ast::Keyword { name: name.to_string(), value: self.expression(&keyword.value), span })
    }

    fn attribute(&mut self, e: &python::ExprAttribute, span: Span) -> ExprKind {
        let name = e.attr.to_string();
        let name_span = Span::new(span.end - (name.len() as u32).min(span.end), span.end);
        ExprKind::Attribute { value: self.boxed(&e.value), name, name_span }
    }

    fn subscript(&mut self, e: &python::ExprSubscript) -> ExprKind {
        let value = self.boxed(&e.value);
        let indices = match &*e.slice {
            // `d[(k,)]` and `d[k]` are two keys of a dictionary: a tuple of one value stays a tuple.
            python::Expr::Tuple(tuple) if tuple.elts.len() == 1 => match self.index(&tuple.elts[0]) {
                Index::Expr(one) => {
                    let span = span_of(python::Ranged::range(tuple));
                    vec![Index::Expr(ast::Expr { kind: ExprKind::Tuple(vec![one]), span })]
                }
                other => vec![other],
            },
            python::Expr::Tuple(tuple) if !tuple.elts.is_empty() => tuple.elts.iter().map(|i| self.index(i)).collect(),
            one => vec![self.index(one)],
        };
        ExprKind::Subscript { value, indices }
    }

    fn index(&mut self, index: &python::Expr) -> Index {
        let span = span_of(python::Ranged::range(index));
        match index {
            python::Expr::Slice(slice) => {
                let mut bound = |e: &Option<Box<python::Expr>>| e.as_deref().map(|e| self.expression(e));
                Index::Slice { lower: bound(&slice.lower), upper: bound(&slice.upper), step: bound(&slice.step), span }
            }
            other if self.is_new_axis(other) => Index::NewAxis(span),
            python::Expr::Starred(_) => {
                self.refuse(
                    code::UNSUPPORTED_INDEX,
                    span,
                    "a starred index",
                    "write the indices one by one: `a[i, j]`",
                );
                Index::Ellipsis(span)
            }
            other => match self.expression(other) {
                ast::Expr { kind: ExprKind::Ellipsis, .. } => Index::Ellipsis(span),
                expr => Index::Expr(expr),
            },
        }
    }

    /// `None`, or `newaxis` of a name that is bound to NumPy.
    fn is_new_axis(&self, index: &python::Expr) -> bool {
        match index {
            python::Expr::Constant(constant) => constant.value == python::Constant::None,
            python::Expr::Name(name) => self.new_axis.contains(name.id.as_str()),
            python::Expr::Attribute(e) if e.attr.as_str() == "newaxis" => {
                matches!(&*e.value, python::Expr::Name(name) if self.numpy.contains(name.id.as_str()))
            }
            _ => false,
        }
    }
}
