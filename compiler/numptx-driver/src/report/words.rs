//! Remarks in words. One concept, one word: as `docs/loops.md` has it.

use numptx_ir::array::{Dependence, DependenceKind, LoopStrategy};

use super::model::{Phases, Place};

/// The name of a strategy in the report, and the strategy in words.
pub fn strategy(strategy: LoopStrategy) -> (&'static str, &'static str) {
    match strategy {
        LoopStrategy::Parallel => ("parallel", "parallel"),
        LoopStrategy::ParallelWithSnapshot => ("parallel-with-snapshot", "parallel, with a copy made before"),
        LoopStrategy::Reduction => ("reduction", "a parallel reduction"),
        LoopStrategy::Scan => ("scan", "a parallel scan"),
        LoopStrategy::Interchanged => ("interchanged", "run by each work item of the parallel loops in it"),
        LoopStrategy::Wavefront => ("wavefront", "a wavefront in one kernel"),
        LoopStrategy::Phases => ("phases", "phases of one kernel, with barriers between"),
        LoopStrategy::TiledPhases => {
            ("tiled-phases", "phases of one kernel, each of several iterations, with barriers between")
        }
        LoopStrategy::InWorkItem => ("in-work-item", "run by each work item of the kernel around it"),
        LoopStrategy::OneThread => ("one-thread", "run by one thread of a kernel"),
        LoopStrategy::AroundKernels => ("around-kernels", "run by the host, around kernels"),
        LoopStrategy::ElementByElement => ("element-by-element", "run by the host, a kernel for each element"),
        LoopStrategy::Host => ("host", "run by the host, without kernels"),
    }
}

/// What is said of a loop whose kernels a device may be given as graphs.
pub const REPLAYED: &str = ", replayed as a graph on a GPU";

/// How often the threads of a launch wait for each other.
pub fn waits(phases: &Phases) -> String {
    let mut told = Vec::new();
    tell_waits(phases, 0, &mut told);
    if told.is_empty() { "never".to_owned() } else { told.join(", ") }
}

fn tell_waits(phases: &Phases, depth: usize, told: &mut Vec<String>) {
    let place = match depth {
        0 => "",
        1 => " in each iteration",
        _ => " in each iteration of a loop in it",
    };
    match phases.waits {
        0 => {}
        1 => told.push(format!("once{place}")),
        n => told.push(format!("{n} times{place}")),
    }
    phases.loops.iter().for_each(|nested| tell_waits(nested, depth + 1, told));
}

/// The sort of a dependence.
pub fn sort(kind: DependenceKind) -> &'static str {
    match kind {
        DependenceKind::Flow => "flow",
        DependenceKind::Output => "output",
        DependenceKind::Anti => "anti",
    }
}

/// What two accesses of different iterations do to one element.
pub fn dependence(of: &Dependence, earlier: &Place, later: &Place) -> String {
    let iterations = |n: i64| format!("{n} iteration{}", if n == 1 { "" } else { "s" });
    let when = match (of.distance, &of.formula) {
        (Some(n), _) => format!("{} later", iterations(n)),
        (None, Some(formula)) => format!("`{formula}` iterations later"),
        (None, None) if of.least > 1 => format!("{} or more later", iterations(of.least)),
        (None, None) => "in a later iteration".to_owned(),
    };
    let (first, then) = match of.kind {
        DependenceKind::Flow => ("writes", "reads"),
        DependenceKind::Output => ("writes", "writes again"),
        DependenceKind::Anti => ("reads", "writes over"),
    };
    let show = |place: &Place| format!("`{}` ({})", one_line(&place.text), line_column(place));
    format!("{} {first} what {} {then} {when}", show(earlier), show(later))
}

/// A text without line breaks, cut where it is long. Unit: characters.
pub fn one_line(text: &str) -> String {
    const LONGEST: usize = 60;
    let text = text.split_whitespace().collect::<Vec<&str>>().join(" ");
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// `3:5`, or `util.py:3:5`.
pub fn line_column(place: &Place) -> String {
    let file = place.file.as_ref().map(|file| format!("{file}:"));
    format!("{}{}:{}", file.unwrap_or_default(), place.line, place.column)
}
