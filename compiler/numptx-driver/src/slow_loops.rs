//! Which warnings of loops over elements stand, and warnings of loops that are not as the user states.
//!
//! In: reports of lowering, which warns of every such loop, and the module once its kernels are formed. Out: the reports without the loops that
//! kernels run in parallel; a loop that is one thread's work is said to be that, with the two accesses that
//! make it so.

use std::ops::Range;

use numptx_ir::array::{DecisionKind, Dependence, DependenceKind, LoopWay, Module, Reason};
use numptx_passes::{Slowness, slow_loops};
use numptx_source::{Report, Reports, Span, code};

/// The reports that stand, and those of loops that are stated to be parallel. Each warning is about an outermost loop, and what follows it in the text up to the next.
pub fn kept(reports: &Reports, module: &Module) -> Reports {
    let slow = slow_loops(module);
    let starts: Vec<u32> = reports.iter().filter(|r| r.code == code::SLOW_LOOP).map(|r| r.span.start).collect();
    let mut kept = contradicted(module);
    let contradicted: Vec<Span> = kept.iter().map(|report| report.span).collect();
    for report in reports.iter() {
        if report.code != code::SLOW_LOOP {
            if report.code != code::NOT_INDEPENDENT || !is_reduction(module, report.span) {
                kept.push(report.clone());
            }
            continue;
        }
        if contradicted.contains(&report.span) {
            continue;
        }
        let from = report.span.start;
        let to = starts.iter().copied().filter(|start| *start > from).min().unwrap_or(u32::MAX);
        let within = slow.iter().filter(|(span, _)| (from..to).contains(&span.start));
        match within.map(|(_, slowness)| *slowness).min() {
            Some(Slowness::KernelPerElement) => kept.push(report.clone()),
            Some(Slowness::OneThread) => kept.push(one_thread(report, dependence_in(module, from..to))),
            None => {}
        }
    }
    kept
}

/// Whether the loop there runs in parallel although it hands values on.
fn is_reduction(module: &Module, span: Span) -> bool {
    let mut decisions = module.functions.iter().flat_map(|function| &function.decisions);
    decisions.any(|d| d.span == span && matches!(d.kind, DecisionKind::Loop { way: LoopWay::Reduction, .. }))
}

/// Warnings of loops that are stated to be independent and are seen not to be.
fn contradicted(module: &Module) -> Reports {
    let decisions = module.functions.iter().flat_map(|function| &function.decisions);
    let mut found: Vec<(Span, Dependence)> = decisions
        .filter_map(|decision| match decision.kind {
            DecisionKind::Contradicted(dependence) => Some((decision.span, dependence)),
            _ => None,
        })
        .collect();
    found.sort();
    let mut reports = Reports::new();
    for (span, dependence) in found {
        let message = "this loop is stated to be parallel, and its iterations depend on each other";
        let report = Report::warning(code::NOT_INDEPENDENT, span, message).label("its iterations run in their order");
        let help = "read from another array than the one that is written, or leave the statement out";
        reports.push(with_accesses(report, dependence).help(help));
    }
    reports
}

/// The dependence for which the first loop that starts there is one thread's work.
fn dependence_in(module: &Module, starts: Range<u32>) -> Option<Dependence> {
    let decisions = module.functions.iter().flat_map(|function| &function.decisions);
    let dependences = decisions.filter_map(|decision| match &decision.kind {
        DecisionKind::Loop { way: LoopWay::OneThread, reason: Some(Reason::Dependence(dependence)), .. } => {
            starts.contains(&decision.span.start).then_some((decision.span, *dependence))
        }
        _ => None,
    });
    dependences.min().map(|(_, dependence)| dependence)
}

fn one_thread(report: &Report, dependence: Option<Dependence>) -> Report {
    let message = "this loop runs on one thread, on a GPU too: its iterations depend on each other".to_string();
    let report = Report { message, ..report.clone() };
    match dependence {
        Some(dependence) => with_accesses(report, dependence),
        None => report,
    }
}

/// Shows the two accesses.
fn with_accesses(report: Report, dependence: Dependence) -> Report {
    let Dependence { source, sink, kind, distance, .. } = dependence;
    let (first, then) = match kind {
        DependenceKind::Flow => ("an iteration writes this", "and reads this"),
        DependenceKind::Output => ("an iteration writes this", "and writes this"),
        DependenceKind::Anti => ("an iteration reads this", "and writes this"),
    };
    let later = match distance {
        Some(1) => "the next one".to_owned(),
        Some(n) => format!("the one {n} later"),
        None => "a later one".to_owned(),
    };
    let then = then.replace("and", &later);
    if source == sink {
        return report.related(source, format!("{first}, {then}"));
    }
    report.related(source, first).related(sink, then)
}
