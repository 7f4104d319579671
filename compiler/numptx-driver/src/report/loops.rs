//! What became of each loop of the source.
//!
//! In: the syntax tree's loops, and the decisions in a module's functions. Out: a [`LoopReport`] for each, in the order of the text.

use numptx_ir::array::{Decision, DecisionKind, Function, Module, OpKind, Reason, Region, ValueId};
use numptx_source::{Source, Span};
use numptx_syntax::ast::{Function as Definition, Module as Syntax, Stmt, StmtKind};

use super::formula::Formulas;
use super::model::{LoopOutcome, LoopReport, ReasonReport};
use super::version::place;
use super::words;

/// A loop statement of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceLoop {
    /// Its header.
    pub span: Span,
    /// `for` or `while`.
    pub keyword: &'static str,
}

/// The loop statements of a file, in order.
pub fn source_loops(syntax: &Syntax) -> Vec<SourceLoop> {
    let mut loops = Vec::new();
    syntax.functions.iter().for_each(|function| in_function(function, &mut loops));
    loops.sort_by_key(|l| l.span);
    loops
}

fn in_function(function: &Definition, loops: &mut Vec<SourceLoop>) {
    in_block(&function.body, loops);
}

fn in_block(block: &[Stmt], loops: &mut Vec<SourceLoop>) {
    for stmt in block {
        let (bodies, keyword): ([&[Stmt]; 2], _) = match &stmt.kind {
            StmtKind::If { body, orelse, .. } => ([body, orelse], None),
            StmtKind::For { body, orelse, .. } => ([body, orelse], Some("for")),
            StmtKind::While { body, orelse, .. } => ([body, orelse], Some("while")),
            StmtKind::Function(function) => {
                in_function(function, loops);
                continue;
            }
            _ => continue,
        };
        loops.extend(keyword.map(|keyword| SourceLoop { span: stmt.span, keyword }));
        bodies.into_iter().for_each(|body| in_block(body, loops));
    }
}

/// What each loop became.
pub fn loop_reports(loops: &[SourceLoop], module: &Module, source: &Source) -> Vec<LoopReport> {
    let report = |l: &SourceLoop| {
        let mut outcomes: Vec<LoopOutcome> = Vec::new();
        for function in &module.functions {
            for outcome in outcomes_in(l.span, function, source) {
                let same = |o: &&mut LoopOutcome| {
                    (&o.way, &o.condition, &o.reason) == (&outcome.way, &outcome.condition, &outcome.reason)
                };
                match outcomes.iter_mut().find(same) {
                    Some(known) => known.versions.extend(outcome.versions),
                    None => outcomes.push(outcome),
                }
            }
        }
        LoopReport { at: place(source, l.span), keyword: l.keyword, outcomes }
    };
    loops.iter().map(report).collect()
}

/// What a loop became in one version: several where it was compiled several times.
fn outcomes_in(span: Span, function: &Function, source: &Source) -> Vec<LoopOutcome> {
    let formulas = Formulas::of(function, source);
    let mut outcomes: Vec<LoopOutcome> = Vec::new();
    for decision in function.decisions.iter().filter(|decision| decision.span == span) {
        let Some(outcome) = outcome(decision, function, &formulas, source) else { continue };
        if !outcomes.contains(&outcome) {
            outcomes.push(outcome);
        }
    }
    outcomes
}

fn outcome(decision: &Decision, function: &Function, formulas: &Formulas, source: &Source) -> Option<LoopOutcome> {
    let DecisionKind::Loop { way, reason, guard } = &decision.kind else { return None };
    // Loops inside of the one that is chosen are chosen with it.
    let guard = guard.filter(|span| *span == decision.span).and_then(|span| guard_of(span, &function.body));
    Some(LoopOutcome {
        versions: vec![function.name.clone()],
        way: *way,
        summary: words::way(*way).1,
        condition: guard.and_then(|value| formulas.condition(value)),
        reason: reason.as_ref().map(|reason| reason_report(reason, source)),
    })
}

fn reason_report(reason: &Reason, source: &Source) -> ReasonReport {
    match reason {
        Reason::Dependence(d) => {
            let (earlier, later) = (place(source, d.source), place(source, d.sink));
            ReasonReport::Dependence {
                text: words::dependence(d.kind, &earlier, &later, d.distance, d.least),
                sort: words::sort(d.kind),
                earlier,
                later,
                distance: d.distance,
                least: d.least,
            }
        }
        Reason::Stated { text, at } => {
            ReasonReport::Stated { text: text.clone(), at: at.map(|span| place(source, span)) }
        }
    }
}

/// The condition of the `if` that chooses between kernels and the loop as written.
fn guard_of(span: Span, region: &Region) -> Option<ValueId> {
    region.ops.iter().find_map(|op| match op.kind {
        OpKind::If if op.span == span => op.operands.first().copied(),
        _ => op.regions.iter().find_map(|nested| guard_of(span, nested)),
    })
}
