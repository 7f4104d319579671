//! `match` on constants, as `if` and `elif`.
//!
//! In: a `match` statement. Out: its subject bound to a name, where it is more than one, and a chain of `if`. Cases are numbers, strings, `None`,
//! names with dots, several of these, `_` and a name that takes what is left; of a subject `(a, b)`, tuples of such. Others are refused.

use numptx_source::{Report, Span, code};

use super::Converter;
use crate::ast::{self, CompareOp, Expr, ExprKind, LogicalOp, Stmt, StmtKind};
use crate::parse::{python, span_of};

/// What is matched: a value that may be read again and again, or several in brackets.
enum Subject {
    One(Expr),
    Tuple(Vec<Subject>, Span),
}

/// What a pattern asks, and what it binds.
#[derive(Default)]
struct Matched {
    /// All of these hold; none, where every value matches.
    tests: Vec<Expr>,
    /// Names, and what they are bound to.
    bindings: Vec<(Expr, Expr)>,
}

impl Converter<'_> {
    /// The statements that a `match` stands for.
    pub(super) fn match_statement(&mut self, stmt: &python::StmtMatch) -> Vec<Stmt> {
        let mut statements = Vec::new();
        let subject = self.subject(&stmt.subject, &mut statements);
        let chain = self.chain_of_cases(&subject, &stmt.cases);
        statements.extend(chain);
        statements
    }

    fn subject(&mut self, subject: &python::Expr, statements: &mut Vec<Stmt>) -> Subject {
        let span = span_of(python::Ranged::range(subject));
        match subject {
            python::Expr::Tuple(tuple) if !tuple.elts.iter().any(|e| matches!(e, python::Expr::Starred(_))) => {
                Subject::Tuple(tuple.elts.iter().map(|e| self.subject(e, statements)).collect(), span)
            }
            _ => {
                let value = self.expression(subject);
                if matches!(value.kind, ExprKind::Name(_)) {
                    return Subject::One(value);
                }
                let name = Expr { kind: ExprKind::Name(self.unused_name("matched")), span };
                let kind = StmtKind::Assign { targets: vec![name.clone()], value };
                statements.push(Stmt { kind, span });
                Subject::One(name)
            }
        }
    }

    /// A name that the file does not have, another one each time.
    fn unused_name(&mut self, stem: &str) -> String {
        loop {
            self.n_names += 1;
            let name = format!("{stem}_{}", self.n_names);
            let whole = Span::new(0, self.source.text.len() as u32);
            if !self.parsed.names_in(whole).any(|(_, own)| own == name) {
                return name;
            }
        }
    }

    fn chain_of_cases(&mut self, subject: &Subject, cases: &[python::MatchCase]) -> Vec<Stmt> {
        let mut made = Vec::new();
        for (n, case) in cases.iter().enumerate() {
            let place = pattern_span(&case.pattern);
            let Some(Matched { tests, bindings }) = self.pattern(&case.pattern, subject) else { continue };
            let guard = case.guard.as_deref().map(|g| self.expression(g));
            if guard.is_none() && n + 1 < cases.len() && takes_all(&case.pattern) {
                let report = Report::error(
                    code::SYNTAX,
                    place,
                    "this case takes every value, and the next ones are not reached",
                );
                self.reports.push(report.help("move it to the end"));
            }
            let body = self.block(&case.body);
            made.push((place, tests, bindings, guard, body));
        }
        let mut chain: Vec<Stmt> = Vec::new();
        for (span, tests, bindings, guard, body) in made.into_iter().rev() {
            let bound = |(target, value)| Stmt { kind: StmtKind::Assign { targets: vec![target], value }, span };
            let bindings: Vec<Stmt> = bindings.into_iter().map(bound).collect();
            chain = match (all_of(tests.clone(), span), guard) {
                (None, None) => bindings.into_iter().chain(body).collect(),
                (Some(test), None) => vec![branch(test, bindings.into_iter().chain(body).collect(), chain, span)],
                (test, Some(guard)) => {
                    // What a case binds stays bound where its guard is false.
                    let first: Vec<Stmt> = match (test, bindings.is_empty()) {
                        (_, true) => Vec::new(),
                        (None, false) => bindings,
                        (Some(test), false) => vec![branch(test, bindings, Vec::new(), span)],
                    };
                    let both = all_of(tests.into_iter().chain([guard]).collect(), span);
                    first.into_iter().chain(both.map(|test| branch(test, body, chain, span))).collect()
                }
            };
        }
        chain
    }

    /// What a pattern asks of a subject; `None` after a report.
    fn pattern(&mut self, pattern: &python::Pattern, subject: &Subject) -> Option<Matched> {
        let span = pattern_span(pattern);
        let mut matched = Matched::default();
        match (pattern, subject) {
            (python::Pattern::MatchAs(p), _) => {
                if let Some(inner) = &p.pattern {
                    matched = self.pattern(inner, subject)?;
                }
                if let Some(name) = &p.name {
                    let target = Expr { kind: ExprKind::Name(name.to_string()), span };
                    matched.bindings.push((target, value_of(subject)));
                }
            }
            (python::Pattern::MatchValue(p), Subject::One(subject)) => {
                let value = self.expression(&p.value);
                matched.tests.push(compared(subject, CompareOp::Equal, value, span));
            }
            (python::Pattern::MatchSingleton(p), Subject::One(subject)) if p.value == python::Constant::None => {
                let none = Expr { kind: ExprKind::None, span };
                matched.tests.push(compared(subject, CompareOp::Is, none, span));
            }
            (python::Pattern::MatchValue(_) | python::Pattern::MatchSingleton(_), Subject::Tuple(..)) => {
                matched.tests.push(Expr { kind: ExprKind::Bool(false), span });
            }
            (python::Pattern::MatchOr(p), _) => {
                let mut alternatives = Vec::new();
                for alternative in &p.patterns {
                    let Matched { tests, bindings } = self.pattern(alternative, subject)?;
                    if !bindings.is_empty() || tests.is_empty() {
                        return self.refuse_case(
                            span,
                            "an alternative that binds a name",
                            "write a case for each alternative",
                        );
                    }
                    alternatives.extend(all_of(tests, span));
                }
                matched
                    .tests
                    .push(Expr { kind: ExprKind::Logical { op: LogicalOp::Or, operands: alternatives }, span });
            }
            (python::Pattern::MatchSequence(p), Subject::Tuple(members, _)) if !p.patterns.iter().any(is_star) => {
                if p.patterns.len() != members.len() {
                    matched.tests.push(Expr { kind: ExprKind::Bool(false), span });
                }
                for (pattern, member) in p.patterns.iter().zip(members) {
                    let Matched { tests, bindings } = self.pattern(pattern, member)?;
                    matched.tests.extend(tests);
                    matched.bindings.extend(bindings);
                }
            }
            (python::Pattern::MatchSingleton(_), _) => {
                return self.refuse_case(span, "a case `True` or `False`", "write `if flag:` and `else:`");
            }
            (python::Pattern::MatchSequence(_) | python::Pattern::MatchStar(_), _) => {
                let help = "match the members, `match (x[0], x[1]):`, or write `if x[0] == 1 and x[1] == 2:`";
                return self.refuse_case(span, "a case that takes a sequence apart", help);
            }
            (python::Pattern::MatchMapping(_), _) => {
                return self.refuse_case(
                    span,
                    "a case of a dictionary",
                    "pass arrays and numbers as parameters of their own",
                );
            }
            (python::Pattern::MatchClass(_), _) => {
                return self.refuse_case(span, "a case of a class", "write `if isinstance(x, np.ndarray):` and `elif`");
            }
        }
        Some(matched)
    }

    fn refuse_case(&mut self, span: Span, what: &str, help: &str) -> Option<Matched> {
        let span = self.line_of(span);
        self.refuse(code::UNSUPPORTED_STATEMENT, span, what, help);
        None
    }
}

fn pattern_span(pattern: &python::Pattern) -> Span {
    span_of(python::Ranged::range(pattern))
}

/// Whether a pattern is a name or `_`: Python has no case behind it.
fn takes_all(pattern: &python::Pattern) -> bool {
    matches!(pattern, python::Pattern::MatchAs(p) if p.pattern.is_none())
}

fn is_star(pattern: &python::Pattern) -> bool {
    matches!(pattern, python::Pattern::MatchStar(_))
}

fn value_of(subject: &Subject) -> Expr {
    match subject {
        Subject::One(value) => value.clone(),
        Subject::Tuple(members, span) => {
            Expr { kind: ExprKind::Tuple(members.iter().map(value_of).collect()), span: *span }
        }
    }
}

fn compared(subject: &Expr, op: CompareOp, value: Expr, span: Span) -> Expr {
    Expr { kind: ExprKind::Compare { operands: vec![subject.clone(), value], ops: vec![op] }, span }
}

fn all_of(mut tests: Vec<Expr>, span: Span) -> Option<Expr> {
    match tests.len() {
        0 | 1 => tests.pop(),
        _ => Some(Expr { kind: ExprKind::Logical { op: LogicalOp::And, operands: tests }, span }),
    }
}

fn branch(test: Expr, body: Vec<Stmt>, orelse: Vec<Stmt>, span: Span) -> Stmt {
    ast::Stmt { kind: StmtKind::If { test, body, orelse }, span }
}
