//! Loops over elements that no kernel runs in parallel, for a warning.
//!
//! In: a module whose kernels are formed. Out: the outermost loops that start a kernel for each element, and the loops that are one thread's work
//! in a kernel, also between the steps that threads share, but for those that are known to end soon. A loop that has nests where its checks hold is judged by them. Changes nothing.

use std::collections::HashSet;

use numptx_ir::array::{Aliasing, DecisionKind, Function, LoopWay, Module, Op, OpKind, Region, ValueId};
use numptx_ir::kernel::Kernel;
use numptx_source::Span;

use crate::short_loops::has_long_loop;

/// How a loop over elements runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Slowness {
    /// The host starts a kernel for each element.
    KernelPerElement,
    /// One thread of a kernel runs all of it.
    OneThread,
}

/// The slow loops of a module, in order, each once.
pub fn slow_loops(module: &Module) -> Vec<(Span, Slowness)> {
    let mut found: Vec<(Span, Slowness)> = Vec::new();
    for function in &module.functions {
        let has_other = |f: &&Function| {
            f.signature == function.signature && f.aliasing != function.aliasing && f.aliasing == Aliasing::NoAlias
        };
        if module.functions.iter().any(|f| has_other(&f)) {
            continue;
        }
        let is_parallel = |kind: &DecisionKind| matches!(kind, DecisionKind::Loop { way: LoopWay::Parallel, .. });
        let parallel = function.decisions.iter().filter(|d| is_parallel(&d.kind)).map(|d| d.span).collect();
        let (elements, decided) = (HashSet::new(), HashSet::new());
        let mut search = Search { kernels: &module.kernels, elements, decided, parallel, found: &mut found };
        search.region(&function.body, None);
        found.extend(alone_in_teams(function));
    }
    found.sort_by_key(|(span, slowness)| (span.start, span.end, *slowness));
    found.dedup();
    found
}

/// Loops of team programs that one thread runs while the others wait, or that all run alike.
fn alone_in_teams(function: &Function) -> Vec<(Span, Slowness)> {
    let loops = function.decisions.iter().filter_map(|decision| match decision.kind {
        DecisionKind::Loop { way, guard, .. } => Some((decision.span, way, guard)),
        _ => None,
    });
    let is_team = |way: LoopWay| matches!(way, LoopWay::Phases | LoopWay::TiledPhases | LoopWay::Wavefront);
    let teams: HashSet<Span> = loops.clone().filter(|l| is_team(l.1) && l.2 == Some(l.0)).map(|l| l.0).collect();
    let is_in_team = |guard: Option<Span>| guard.is_some_and(|guard| teams.contains(&guard));
    let alone = loops.filter(|(_, way, guard)| *way == LoopWay::OneThread && is_in_team(*guard));
    alone.map(|(span, ..)| (span, Slowness::OneThread)).collect()
}

struct Search<'m> {
    kernels: &'m [Kernel],
    /// Views of single elements.
    elements: HashSet<ValueId>,
    /// What branches with kernels say of themselves.
    decided: HashSet<ValueId>,
    /// Loops that are parallel, where what they require holds.
    parallel: HashSet<Span>,
    found: &'m mut Vec<(Span, Slowness)>,
}

impl Search<'_> {
    /// `outermost`: the loop around, if there is one.
    fn region(&mut self, region: &Region, outermost: Option<Span>) {
        for op in &region.ops {
            match &op.kind {
                OpKind::Index { .. } => self.elements.extend(&op.results),
                OpKind::Launch(kernel) => self.launch(op, &self.kernels[kernel.0 as usize], outermost),
                OpKind::If if self.is_version(op) => {
                    self.decided.extend(&op.results);
                    self.decided.extend(op.regions[0].ops.iter().flat_map(|op| &op.results));
                    self.region(&op.regions[0], outermost);
                }
                // The loop as it was, where a check of its kernels failed.
                OpKind::If if self.decided.contains(&op.operands[0]) => {}
                // What is left of a search: one iteration, or none.
                OpKind::While if op.operands.iter().any(|v| self.decided.contains(v)) => {}
                OpKind::For | OpKind::While => {
                    op.regions.iter().for_each(|nested| self.region(nested, outermost.or(Some(op.span))));
                }
                _ => op.regions.iter().for_each(|nested| self.region(nested, outermost)),
            }
        }
    }

    /// Whether a branch has kernels for a loop, which runs as it was where they do not.
    fn is_version(&self, op: &Op) -> bool {
        let launches = |region: &Region| region.ops.iter().any(|op| matches!(op.kind, OpKind::Launch(_)));
        launches_code(&op.regions[0], self.kernels) || self.parallel.contains(&op.span) && launches(&op.regions[0])
    }

    fn launch(&mut self, op: &Op, kernel: &Kernel, outermost: Option<Span>) {
        if kernel.rank > 0 {
            return;
        }
        match (kernel.code(), outermost) {
            (Some(code), _) if has_long_loop(code) => {
                self.found.push((op.span, Slowness::OneThread));
            }
            (None, Some(span)) if op.operands.first().is_some_and(|v| self.elements.contains(v)) => {
                self.found.push((span, Slowness::KernelPerElement));
            }
            _ => {}
        }
    }
}

fn launches_code(region: &Region, kernels: &[Kernel]) -> bool {
    region.ops.iter().any(|op| match op.kind {
        OpKind::Launch(kernel) => {
            let kernel = &kernels[kernel.0 as usize];
            kernel.code().is_some() || (kernel.rank > 0 && kernel.n_reduced == kernel.rank)
        }
        _ => op.regions.iter().any(|nested| launches_code(nested, kernels)),
    })
}
