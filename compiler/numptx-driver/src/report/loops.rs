//! What became of each loop of the source.
//!
//! In: the syntax tree's loops, and the remarks in a module's functions. Out: a [`LoopReport`] for each, in the order of the text.

use numptx_ir::array::{
    Candidate, Function, LoopStrategy, Module, Op, OpKind, Reason, Region, Remark, RemarkKind, is_replayable,
};
use numptx_ir::kernel::Kernel;
use numptx_source::{Source, Span};
use numptx_syntax::ast::{Function as Definition, Module as Syntax, Stmt, StmtKind};

use super::choices::conditions_of;
use super::formula::Formulas;
use super::model::{CandidateReport, LoopOutcome, LoopReport, ReasonReport};
use super::version::place;
use super::words;

/// A loop statement of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceLoop {
    /// Its header.
    pub span: Span,
    /// `for` or `while`.
    pub keyword: &'static str,
    /// One past its last statement.
    pub end: u32,
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
        let keyword = match &stmt.kind {
            StmtKind::For { .. } => Some("for"),
            StmtKind::While { .. } => Some("while"),
            StmtKind::Function(function) => {
                in_function(function, loops);
                continue;
            }
            _ => None,
        };
        loops.extend(keyword.map(|keyword| SourceLoop { span: stmt.span, keyword, end: end_of(stmt) }));
        stmt.kind.blocks().into_iter().for_each(|body| in_block(body, loops));
    }
}

/// The end of a statement, those in it included.
fn end_of(stmt: &Stmt) -> u32 {
    let nested: Vec<&[Stmt]> = match &stmt.kind {
        StmtKind::Function(function) => vec![&function.body],
        kind => kind.blocks(),
    };
    nested.into_iter().flatten().map(end_of).max().unwrap_or(0).max(stmt.span.end)
}

/// What each loop became.
pub fn loop_reports(loops: &[SourceLoop], module: &Module, source: &Source) -> Vec<LoopReport> {
    let report = |l: &SourceLoop| {
        let mut outcomes: Vec<LoopOutcome> = Vec::new();
        for function in &module.functions {
            for outcome in outcomes_in(l.span, function, &module.kernels, source) {
                let same = |o: &&mut LoopOutcome| {
                    (&o.strategy, &o.condition, &o.reason, o.is_replayed)
                        == (&outcome.strategy, &outcome.condition, &outcome.reason, outcome.is_replayed)
                };
                match outcomes.iter_mut().find(same) {
                    Some(known) => known.versions.extend(outcome.versions),
                    None => outcomes.push(outcome),
                }
            }
        }
        let candidates = candidates_of(l.span, module);
        LoopReport { at: place(source, l.span), keyword: l.keyword, outcomes, candidates }
    };
    loops.iter().map(report).collect()
}

/// The forms of a loop that were compared; those of several versions that are the same stand together.
fn candidates_of(span: Span, module: &Module) -> Vec<CandidateReport> {
    let mut candidates: Vec<CandidateReport> = Vec::new();
    for function in &module.functions {
        for remark in function.remarks.iter().filter(|remark| remark.span == span) {
            let RemarkKind::Candidate(of) = &remark.kind else { continue };
            let Candidate { form, launches, microseconds, assumptions, prevents, is_chosen } = of;
            let candidate = CandidateReport {
                versions: vec![function.name.clone()],
                form,
                launches: launches.clone(),
                microseconds: *microseconds,
                assumptions: assumptions.clone(),
                prevents: prevents.clone(),
                is_chosen: *is_chosen,
            };
            let same = |known: &&mut CandidateReport| {
                CandidateReport { versions: Vec::new(), ..(*known).clone() }
                    == CandidateReport { versions: Vec::new(), ..candidate.clone() }
            };
            match candidates.iter_mut().find(same) {
                Some(known) => known.versions.extend(candidate.versions),
                None => candidates.push(candidate),
            }
        }
    }
    candidates
}

/// What a loop became in one version: several where it was compiled several times.
fn outcomes_in(span: Span, function: &Function, kernels: &[Kernel], source: &Source) -> Vec<LoopOutcome> {
    let formulas = Formulas::of(function, source);
    let remarks: Vec<&Remark> = function.remarks.iter().filter(|remark| remark.span == span).collect();
    let conditions = conditions_of(span, function, &formulas, kernels).into_iter();
    let conditions: Vec<(Option<String>, bool)> =
        conditions.map(|(value, is_in_order)| (formulas.condition(value), is_in_order)).collect();
    let n_guarded = remarks.iter().filter(|remark| is_guarded(remark)).count();
    let elsewhere = remarks.iter().find_map(|remark| match &remark.kind {
        RemarkKind::Elsewhere(reason) => Some(reason_report(reason, source)),
        _ => None,
    });
    let mut outcomes: Vec<LoopOutcome> = Vec::new();
    let mut n = 0;
    for remark in remarks {
        // Both are in the order of the program. Where one was compiled away, all conditions are shown.
        let of = match is_guarded(remark) {
            false => vec![(None, false)],
            true if n_guarded == conditions.len() => vec![conditions[n].clone()],
            true if conditions.is_empty() => vec![(None, false)],
            true => conditions.clone(),
        };
        n += usize::from(is_guarded(remark));
        for (condition, is_in_order) in of {
            let Some(mut outcome) = outcome(remark, function, condition, source) else { continue };
            outcome.is_in_order_elsewhere = is_in_order;
            outcome.reason_elsewhere = elsewhere.clone().filter(|_| is_in_order);
            if !outcomes.contains(&outcome) {
                outcomes.push(outcome);
            }
        }
    }
    if outcomes.is_empty() {
        outcomes.extend(undecided(span, function, kernels));
    }
    let of_loop = |op: &&Op| op.span == span && is_replayable(op);
    let is_replayed = ops_in(&function.body).iter().any(of_loop);
    for outcome in &mut outcomes {
        let is_on_host = matches!(outcome.strategy, LoopStrategy::AroundKernels | LoopStrategy::ElementByElement);
        outcome.is_replayed = is_on_host && is_replayed;
    }
    outcomes
}

/// What a loop is that no pass looked at, where it is there: passes may be left out.
fn undecided(span: Span, function: &Function, kernels: &[Kernel]) -> Option<LoopOutcome> {
    let is_loop = |op: &&Op| op.span == span && matches!(op.kind, OpKind::For | OpKind::While);
    let of = ops_in(&function.body).into_iter().find(is_loop)?;
    let launched = of.regions.iter().flat_map(ops_in).filter_map(|op| match op.kind {
        OpKind::Launch(kernel) => Some(kernels[kernel.0 as usize].rank),
        _ => None,
    });
    let strategy = match launched.max() {
        None => LoopStrategy::Host,
        Some(0) => LoopStrategy::ElementByElement,
        Some(_) => LoopStrategy::AroundKernels,
    };
    Some(LoopOutcome {
        versions: vec![function.name.clone()],
        strategy,
        summary: words::strategy(strategy).1,
        condition: None,
        is_in_order_elsewhere: false,
        reason_elsewhere: None,
        is_replayed: false,
        reason: None,
    })
}

/// All ops of a region and of the regions in it.
fn ops_in(region: &Region) -> Vec<&Op> {
    let mut found: Vec<&Op> = Vec::new();
    let mut pending: Vec<&Op> = region.ops.iter().collect();
    while let Some(op) = pending.pop() {
        found.push(op);
        pending.extend(op.regions.iter().flat_map(|nested| &nested.ops));
    }
    found
}

/// Whether an `if` chooses between what a loop became and the loop as written. Loops inside of it are chosen with it.
fn is_guarded(remark: &Remark) -> bool {
    matches!(remark.kind, RemarkKind::Loop { guard: Some(span), .. } if span == remark.span)
}

fn outcome(remark: &Remark, function: &Function, condition: Option<String>, source: &Source) -> Option<LoopOutcome> {
    let RemarkKind::Loop { strategy, reason, .. } = &remark.kind else { return None };
    let tiled = Remark { span: remark.span, kind: RemarkKind::Tiled };
    let strategy = match *strategy {
        LoopStrategy::Phases if function.remarks.contains(&tiled) => LoopStrategy::TiledPhases,
        strategy => strategy,
    };
    Some(LoopOutcome {
        versions: vec![function.name.clone()],
        strategy,
        summary: words::strategy(strategy).1,
        condition,
        is_in_order_elsewhere: false,
        reason_elsewhere: None,
        is_replayed: false,
        reason: reason.as_ref().map(|reason| reason_report(reason, source)),
    })
}

fn reason_report(reason: &Reason, source: &Source) -> ReasonReport {
    match reason {
        Reason::Dependence(d) => {
            let (earlier, later) = (place(source, d.source), place(source, d.sink));
            ReasonReport::Dependence {
                text: words::dependence(d, &earlier, &later),
                sort: words::sort(d.kind),
                earlier,
                later,
                distance: d.distance,
                least: d.least,
                formula: d.formula.clone(),
            }
        }
        Reason::Stated { text, at } => {
            ReasonReport::Stated { text: text.clone(), at: at.map(|span| place(source, span)) }
        }
    }
}
