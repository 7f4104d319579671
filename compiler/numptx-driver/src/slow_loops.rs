//! Which warnings of loops over elements stand, and warnings of loops that are not as the user states.
//!
//! In: reports of lowering, which warns of every loop that stores elements, the loops of the source, and the module once its kernels are formed.
//! Out: the reports without the loops that kernels run in parallel; a loop that is one thread's work is said to be that, whether it stores
//! something or not, with the two accesses that make it so.

use std::ops::Range;

use numptx_ir::array::{Accumulation, Dependence, DependenceKind, LoopStrategy, Module, Reason, RemarkKind};
use numptx_passes::MAKES_CHECKS;
use numptx_source::{Report, Reports, Source, Span, code};

use crate::report::{SlowVersion, SourceLoop, one_line, slow_versions};
use crate::slowness::{Slowness, judged, slow_loops};

const ONE_THREAD: &str = "this loop runs on one thread, on a GPU too: its iterations depend on each other";

const ONE_CHUNK: &str =
    "this loop runs on one thread of the CPU, where it has fewer than 8 iterations for each element that it updates";

const CHECKED: &str = "this loop runs on one thread, on a GPU too: each of its iterations makes a check that may raise";

const CHECKED_WHERE_SHORT: &str = "this loop runs on one thread, on a GPU too, where the loops in it are short, else on the host: each of its \
                                   iterations makes a check that may raise";

/// What helps where iterations make checks.
const HELP_FOR_CHECKS: &str = "NumPy's functions and its floats check nothing, and give inf and nan: with `np.exp(x)` in the place of `math.exp(x)`, and \
                               `np.float64(1) / x` in that of `1 / x`, threads share the loops in it";

const KERNELS_PER_ROW: &str = "this loop runs on the host, and starts kernels for row after row";

/// What helps where the host starts kernels for each row.
const HELP_FOR_ROWS: &str = "compute all rows in one statement, as `a[k + 1:, k:] -= np.outer(f, a[k, k:])`, or by loops over single elements, \
                             which become kernels";

/// What helps where a loop combines values with elements in a loop whose range data tell.
const HELP_FOR_CHUNKS: &str = "one loop over all of these elements counts them, with an array that says of each what the outer loop did: \
                               `for e in range(len(idx)): y[idx[e]] += val[e] * x[row[e]]`; loops that read what belongs to an element, \
                               and store it once, are parallel";

/// What helps where the steps of a loop have few work items.
const HELP_FOR_FEW: &str = "many rows at once run in parallel: give the arrays one more axis; few work items are computed sooner on the CPU, \
                            `with numptx.device(\"cpu\"):`";

/// What helps where a loop is no scan only because of rounding.
const HELP_FOR_SUMS: &str =
    "`np.cumsum` is a parallel scan; with `--fast-math` this loop is one, too, and rounds in another order";
const HELP_FOR_PRODUCTS: &str =
    "`np.cumprod` is a parallel scan; with `--fast-math` this loop is one, too, and rounds in another order";
const HELP_FOR_EXTREMES: &str = "`np.maximum.accumulate` and `np.minimum.accumulate` are parallel scans; with `--fast-math` this loop is one, too, \
                                 and zeros may have another sign";
const HELP_FOR_RECURRENCES: &str = "with `--fast-math` this loop is a parallel scan, which rounds in another order; \
                                    many rows at once are parallel without";

/// The reports that stand, those of loops that are one thread's work, and those of loops that are stated to be parallel.
pub fn kept(reports: &Reports, module: &Module, loops: &[SourceLoop], source: &Source) -> Reports {
    // The outermost loop around a place: loops are in order.
    let outermost = |span: Span| {
        let around = loops.iter().find(|l| (l.span.start..l.end).contains(&span.start));
        around.map_or(span, |l| l.span)
    };
    let slow = slow_loops(module);
    let mut kept = contradicted(module);
    let contradicted: Vec<Span> = kept.iter().map(|report| report.span).collect();
    let mut seen: Vec<Span> = Vec::new();
    for report in reports.iter() {
        if report.code != code::SLOW_LOOP {
            if report.code != code::NOT_INDEPENDENT || !is_reduction(module, report.span) {
                kept.push(report.clone());
            }
            continue;
        }
        let around = outermost(report.span);
        seen.push(around);
        if contradicted.contains(&report.span) {
            continue;
        }
        // The library's own loops are its own business, but for one thread's work.
        let is_meant = |(span, slowness): &&(Span, Slowness)| {
            let is_alone = matches!(slowness, Slowness::OneThread | Slowness::KernelPerElement);
            outermost(*span) == around && (is_alone || loops.iter().any(|l| l.span == *span))
        };
        let within: Vec<&(Span, Slowness)> = slow.iter().filter(is_meant).collect();
        if let Some((span, _)) = within.iter().find(|(_, slowness)| *slowness == Slowness::KernelPerElement) {
            // A loop around it may be the host's by nature.
            let own = if loops.iter().any(|l| l.span == *span) { *span } else { report.span };
            kept.push(on_host(&Report { span: own, ..report.clone() }, module, loops));
            continue;
        }
        within.iter().for_each(|(span, slowness)| kept.push(told(report, (*span, *slowness), module, loops, source)));
    }
    seen.extend(kept.iter().filter(|r| r.code == code::NOT_INDEPENDENT).map(|r| outermost(r.span)));
    let is_new = |span: Span| !seen.contains(&outermost(span));
    for found in slow.iter().filter(|(span, slowness)| *slowness != Slowness::KernelPerElement && is_new(*span)) {
        if loops.iter().any(|l| l.span == found.0) {
            let report = Report::warning(code::SLOW_LOOP, found.0, "").label("runs one iteration after the other");
            kept.push(told(&report, *found, module, loops, source));
        }
    }
    for version in slow_versions(module, source) {
        let is_loop = loops.iter().any(|l| l.span == version.span);
        if is_loop && !kept.iter().any(|report| outermost(report.span) == outermost(version.span)) {
            kept.push(one_thread_elsewhere(&version, module, loops, source));
        }
    }
    kept
}

/// The report of a loop that is one thread's work where a condition does not hold.
fn one_thread_elsewhere(version: &SlowVersion, module: &Module, loops: &[SourceLoop], source: &Source) -> Report {
    let condition = version.conditions.join(" and ");
    let report = match version.conditions.is_empty() {
        true => Report::warning(code::SLOW_LOOP, version.span, ONE_THREAD).help(many_rows(version.span, loops, source)),
        false => {
            let is_shared = is_shared(module, version.span);
            let what = if is_shared { "threads share the phases of this loop" } else { "this loop is parallel" };
            let message = format!("{what} where `{condition}`; elsewhere it runs on one thread, on a GPU too");
            let stated = condition.replace('·', " * ").replace('′', "");
            let mut help = format!(
                "if that always holds, say so before the loop: `assert {stated}`, or an `if` that raises or returns elsewhere"
            );
            if !is_shared {
                help += "; `#numptx parallel` above the loop states that its iterations are independent";
            }
            Report::warning(code::SLOW_ELSEWHERE, version.span, message).help(help)
        }
    };
    let label = if version.conditions.is_empty() {
        "runs one iteration after the other"
    } else {
        "elsewhere one iteration after the other"
    };
    let mut remarks = module.functions.iter().flat_map(|function| &function.remarks);
    let reason = remarks.find_map(|remark| match &remark.kind {
        RemarkKind::Elsewhere(reason) if remark.span == version.span => Some(reason.clone()),
        _ => None,
    });
    match reason {
        Some(Reason::Dependence(dependence)) => with_accesses(report.label(label), dependence),
        Some(Reason::Stated { text, .. }) => report.label(format!("{label}: {text}")),
        None => report.label(label),
    }
}

/// Whether the loop there runs in parallel although it hands values on.
fn is_reduction(module: &Module, span: Span) -> bool {
    strategies(module, span).any(|strategy| matches!(strategy, LoopStrategy::Reduction | LoopStrategy::Scan))
}

/// Whether the iterations of the loop there wait for each other also where threads share them.
fn is_shared(module: &Module, span: Span) -> bool {
    strategies(module, span)
        .any(|strategy| matches!(strategy, LoopStrategy::Phases | LoopStrategy::TiledPhases | LoopStrategy::Wavefront))
}

/// What the loop there became in the versions of its function.
fn strategies(module: &Module, span: Span) -> impl Iterator<Item = LoopStrategy> {
    let remarks = module.functions.iter().flat_map(|function| &function.remarks);
    remarks.filter(move |d| d.span == span).filter_map(|d| match d.kind {
        RemarkKind::Loop { strategy, .. } => Some(strategy),
        _ => None,
    })
}

/// Warnings of loops that are stated to be independent and are seen not to be.
fn contradicted(module: &Module) -> Reports {
    let remarks = module.functions.iter().flat_map(|function| &function.remarks);
    let mut found: Vec<(Span, Dependence)> = remarks
        .filter_map(|remark| match &remark.kind {
            RemarkKind::Contradicted(dependence) => Some((remark.span, dependence.clone())),
            _ => None,
        })
        .collect();
    found.sort();
    let mut reports = Reports::new();
    for (span, dependence) in found {
        let message = "this loop is stated to be parallel, and its iterations depend on each other";
        let report = Report::warning(code::NOT_INDEPENDENT, span, message).label("its iterations run in their order");
        let help = "leave the statement out: the loop stays what it is; `numptx explain NPX0601` shows what makes loops of its kind faster";
        reports.push(with_accesses(report, dependence).help(help));
    }
    reports
}

/// The report of a loop that the host runs element by element, with what keeps it there.
fn on_host(report: &Report, module: &Module, loops: &[SourceLoop]) -> Report {
    let end = loops.iter().find(|l| l.span == report.span).map_or(report.span.end, |l| l.end);
    let is_strategy =
        |strategy: LoopStrategy| matches!(strategy, LoopStrategy::AroundKernels | LoopStrategy::ElementByElement);
    match reason_in(module, report.span.start..end, is_strategy) {
        Some(Reason::Stated { text, at }) => stated(report.clone(), text, at),
        _ => report.clone(),
    }
}

/// Says why a loop is not parallel, at a place of its own where there is one.
fn stated(report: Report, text: String, at: Option<Span>) -> Report {
    match at {
        Some(at) if at != report.span => report.related(at, text),
        _ => report.label(text),
    }
}

/// The report of a loop that is one thread's work, or that of few work items a phase.
fn told(
    report: &Report,
    (span, slowness): (Span, Slowness),
    module: &Module,
    loops: &[SourceLoop],
    source: &Source,
) -> Report {
    if slowness == Slowness::OneChunk {
        return in_one_chunk(report, span, module);
    }
    let mut report = Report { message: ONE_THREAD.to_owned(), span, ..report.clone() };
    let is_strategy = |strategy: LoopStrategy| match slowness {
        Slowness::FewWorkItems(_) => {
            matches!(strategy, LoopStrategy::Phases | LoopStrategy::AroundKernels | LoopStrategy::ElementByElement)
        }
        Slowness::KernelsPerRow => strategy == LoopStrategy::AroundKernels,
        Slowness::FewThreads(_) => matches!(strategy, LoopStrategy::InWorkItem | LoopStrategy::Interchanged),
        _ => strategy == LoopStrategy::OneThread,
    };
    if let Slowness::FewThreads(work_items) = slowness {
        let s = if work_items == 1 { "" } else { "s" };
        report.message = format!(
            "this loop has {work_items} work item{s} at most, each of which one thread runs, on a GPU too: loops in it go one iteration after the other"
        );
        report = report.help(HELP_FOR_FEW);
    } else if slowness == Slowness::KernelsPerRow {
        report.message = KERNELS_PER_ROW.to_owned();
        report = report.help(HELP_FOR_ROWS);
    } else if let Slowness::FewWorkItems(work_items) = slowness {
        let s = if work_items == 1 { "" } else { "s" };
        report.message = format!(
            "each phase of this loop has {work_items} work item{s} at most, and waits for the one before, on a GPU too"
        );
        report = report.help(HELP_FOR_FEW);
    } else {
        let rounded = help_with_rounding(module, span).map(str::to_owned);
        report = report.help(rounded.unwrap_or_else(|| many_rows(span, loops, source)));
    }
    let end = loops.iter().find(|l| l.span == span).map_or(span.end, |l| l.end);
    match reason_in(module, span.start..end, is_strategy) {
        Some(Reason::Dependence(dependence)) => {
            if slowness == Slowness::OneThread && dependence.distance.is_none() && dependence.formula.is_none() {
                report = report.help(if_none_meet(span, loops, source));
            }
            with_accesses(report, dependence)
        }
        Some(Reason::Stated { text, at }) if text == MAKES_CHECKS => checked(report, at, CHECKED),
        Some(Reason::Stated { text, at }) => stated(report, text, at),
        None if slowness == Slowness::OneThread => {
            match reason_in(module, span.start..end, |strategy| strategy == LoopStrategy::AroundKernels) {
                Some(Reason::Stated { text, at }) if text == MAKES_CHECKS => checked(report, at, CHECKED_WHERE_SHORT),
                _ => report,
            }
        }
        None => report,
    }
}

/// What helps where iterations keep their order: no program with other results.
fn many_rows(span: Span, loops: &[SourceLoop], source: &Source) -> String {
    format!(
        "an iteration needs what an earlier one left, so they keep their order; many rows in one call run in parallel, a thread each: \
         `for row in range(rows):` around {}, over arrays with one more axis",
        header(span, loops, source)
    )
}

/// What helps where it is not known which iterations meet.
fn if_none_meet(span: Span, loops: &[SourceLoop], source: &Source) -> String {
    format!(
        "iterations that meet in an element keep their order; if no two of them do, `#numptx parallel` above {} states that",
        header(span, loops, source)
    )
}

/// The user's own loop in a sentence.
fn header(span: Span, loops: &[SourceLoop], source: &Source) -> String {
    match loops.iter().find(|l| l.span == span) {
        Some(l) => format!("`{} {}:`", l.keyword, one_line(source.slice(span))),
        None => "the loop".to_owned(),
    }
}

/// Says that a loop would be shared by threads without a check.
fn checked(report: Report, at: Option<Span>, message: &str) -> Report {
    let report = Report { message: message.to_owned(), ..report }.help(HELP_FOR_CHECKS);
    match at {
        Some(at) => report.related(at, "this is checked in each iteration"),
        None => report,
    }
}

/// The report of a loop that is one thread's work unless it has many iterations for the elements that it updates.
fn in_one_chunk(report: &Report, span: Span, module: &Module) -> Report {
    let mut report = Report { message: ONE_CHUNK.to_owned(), span, ..report.clone() };
    report = report.label("iterations of loops in it count where it is known before it how many they are");
    match reason_in(module, span.start..span.start + 1, |strategy| strategy == LoopStrategy::Reduction) {
        Some(Reason::Stated { at: Some(at), .. }) => {
            report.related(at, "these do not count: their range is not known before")
        }
        _ => report,
    }
    .help(HELP_FOR_CHUNKS)
}

/// What helps where a loop is no scan only because of rounding.
fn help_with_rounding(module: &Module, span: Span) -> Option<&'static str> {
    let mut remarks = judged(module).flat_map(|function| &function.remarks).filter(|d| d.span == span);
    let accumulated = remarks.find_map(|d| if let RemarkKind::Rounded(of) = d.kind { Some(of) } else { None })?;
    Some(match accumulated {
        Accumulation::Sum => HELP_FOR_SUMS,
        Accumulation::Product => HELP_FOR_PRODUCTS,
        Accumulation::Extreme => HELP_FOR_EXTREMES,
        Accumulation::Affine | Accumulation::Bits => HELP_FOR_RECURRENCES,
    })
}

/// Why the first loop that starts there runs by such a strategy; two accesses before words.
fn reason_in(module: &Module, starts: Range<u32>, is_strategy: impl Fn(LoopStrategy) -> bool) -> Option<Reason> {
    let remarks = judged(module).flat_map(|function| &function.remarks);
    let reasons = remarks.filter_map(|remark| match &remark.kind {
        RemarkKind::Loop { strategy, reason: Some(reason), .. } if is_strategy(*strategy) => {
            let is_stated = matches!(reason, Reason::Stated { .. });
            starts.contains(&remark.span.start).then_some((is_stated, remark.span, reason))
        }
        _ => None,
    });
    reasons.min().map(|(_, _, reason)| reason.clone())
}

/// Shows the two accesses.
fn with_accesses(report: Report, dependence: Dependence) -> Report {
    let Dependence { source, sink, kind, distance, formula, .. } = dependence;
    let (first, then) = match kind {
        DependenceKind::Flow => ("an iteration writes this", "and reads this"),
        DependenceKind::Output => ("an iteration writes this", "and writes this"),
        DependenceKind::Anti => ("an iteration reads this", "and writes this"),
    };
    let later = match (distance, formula) {
        (Some(1), _) => "the next one".to_owned(),
        (Some(n), _) => format!("the one {n} later"),
        (None, Some(formula)) => format!("the one `{formula}` later"),
        (None, None) => "a later one".to_owned(),
    };
    let then = then.replace("and", &later);
    if source == sink {
        return report.related(source, format!("{first}, {then}"));
    }
    report.related(source, first).related(sink, then)
}
