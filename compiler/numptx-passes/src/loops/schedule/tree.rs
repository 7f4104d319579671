//! A schedule: which loop of the source runs how.
//!
//! In: what strategies settle about loops, in their order. Out: a [`Schedule`], by which versions of a loop are compared, and from which the remarks of
//! a function are derived when its loops are scheduled. A schedule of a version that is not taken is dropped with it.

use std::collections::HashSet;

use numptx_ir::array::{Dependence, DependenceKind, LoopStrategy, Op, Reason, Remark, RemarkKind};
use numptx_source::Span;

use crate::loops::schedule::launches::{Launch, Threads, has_cooperative_kernel, has_kernel, has_launches_in_loop};

/// How a loop runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Scheduled {
    /// The loop.
    pub span: Span,
    /// Where its iterations run.
    pub strategy: LoopStrategy,
    /// What prevents a better one.
    pub prevents: Option<Reason>,
    /// The loop whose guard chooses between this and its fallback version; `None` where there is none.
    pub guard: Option<Span>,
}

/// How loops run, and what is to be said of them beside that.
#[derive(Clone, Debug, Default)]
pub struct Schedule {
    loops: Vec<Scheduled>,
    /// What the host starts, in order.
    pub launches: Vec<Launch>,
    /// What versions of loops assume, in words.
    assumptions: Vec<(Span, String)>,
    notes: Vec<Remark>,
}

impl Schedule {
    /// Adds a loop. One that is inlined several times has several guards; else each stands once.
    pub fn add(&mut self, of: Scheduled) {
        if of.guard == Some(of.span) || !self.loops.contains(&of) {
            self.loops.push(of);
        }
    }

    /// Adds what is to be said beside how loops run, once.
    pub fn note(&mut self, note: Remark) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Adds what the version of a loop assumes, once.
    pub fn assume(&mut self, span: Span, what: impl Into<String>) {
        let assumption = (span, what.into());
        if !self.assumptions.contains(&assumption) {
            self.assumptions.push(assumption);
        }
    }

    /// What the version of a loop assumes. Loops in it have versions of their own.
    pub fn assumptions_of(&self, span: Span) -> Vec<String> {
        self.assumptions.iter().filter(|(of, _)| *of == span).map(|(_, what)| what.clone()).collect()
    }

    /// Adds all of another schedule.
    pub fn extend(&mut self, other: Schedule) {
        other.loops.into_iter().for_each(|of| self.add(of));
        self.launches.extend(other.launches);
        other.assumptions.into_iter().for_each(|(span, what)| self.assume(span, what));
        other.notes.into_iter().for_each(|note| self.note(note));
    }

    /// How a loop runs, in all its copies.
    pub fn strategies(&self, span: Span) -> impl Iterator<Item = LoopStrategy> {
        self.loops.iter().filter(move |of| of.span == span).map(|of| of.strategy)
    }

    /// Whether a loop that carries nothing combines values in elements.
    pub fn is_combined(&self, op: &Op) -> bool {
        op.results.is_empty() && self.strategies(op.span).any(|strategy| strategy == LoopStrategy::Reduction)
    }

    /// Whether loops in a loop go in order, outside of threads.
    pub fn has_order_inside(&self, op: &Op) -> bool {
        use LoopStrategy::{AroundKernels, ElementByElement, Host, OneThread, Phases, TiledPhases, Wavefront};
        let is_ordered = |strategy| {
            matches!(strategy, AroundKernels | ElementByElement | Host | OneThread | Phases | TiledPhases | Wavefront)
        };
        self.loops.iter().any(|of| of.span != op.span && is_ordered(of.strategy))
    }

    /// Whether the loops at these places are parallel or reductions.
    pub fn are_at_once(&self, places: &HashSet<Span>) -> bool {
        let is_at_once = |strategy| matches!(strategy, LoopStrategy::Parallel | LoopStrategy::Reduction);
        self.loops.iter().all(|of| is_at_once(of.strategy) || !places.contains(&of.span))
    }

    /// Whether a loop is a cooperative kernel with a guard of its own.
    pub fn has_phases(&self) -> bool {
        self.loops.iter().any(|of| of.strategy == LoopStrategy::Phases && of.guard == Some(of.span))
    }

    /// Whether work is left to one thread, or to a launch for each iteration of a loop. Cooperative kernels do enough in an iteration.
    pub fn has_slow_launches(&self) -> bool {
        let is_serial = |launch: &Launch| matches!(launch, Launch::Kernel { threads: Threads::One, .. });
        self.launches.iter().any(is_serial) || has_launches_in_loop(&self.launches)
    }

    /// Whether the host runs a loop around kernels.
    pub fn has_host_loop(&self) -> bool {
        self.launches.iter().any(|launch| matches!(launch, Launch::Loop { .. }))
    }

    /// Whether one thread runs a loop.
    pub fn has_serial_kernel(&self) -> bool {
        has_kernel(&self.launches, &|threads| threads == Threads::One)
    }

    /// Whether threads of a kernel wait for each other.
    pub fn has_cooperative_kernel(&self) -> bool {
        has_cooperative_kernel(&self.launches)
    }

    /// Whether one thread runs all of a loop, and the host starts no kernel in an iteration of it.
    pub fn is_one_thread(&self) -> bool {
        self.has_serial_kernel() && !has_launches_in_loop(&self.launches)
    }

    /// Whether loops are left to one thread, or to the host.
    pub fn is_slow(&self) -> bool {
        use LoopStrategy::{AroundKernels, ElementByElement, Host, OneThread};
        self.loops.iter().any(|of| matches!(of.strategy, OneThread | AroundKernels | ElementByElement | Host))
    }

    /// How many loops run in order only because iterations may write the same.
    pub fn n_ordered_by_writes(&self) -> usize {
        use LoopStrategy::{AroundKernels, InWorkItem, Interchanged, OneThread};
        let is_ordered = |of: &&Scheduled| {
            let Some(Reason::Dependence(Dependence { kind, distance, .. })) = &of.prevents else { return false };
            matches!(of.strategy, AroundKernels | InWorkItem | Interchanged | OneThread)
                && *kind == DependenceKind::Output
                && distance.is_none()
        };
        self.loops.iter().filter(is_ordered).count()
    }

    /// Gives the last of a loop's serial kernels another reason.
    pub fn give_reason(&mut self, span: Span, reason: &Reason) {
        for of in self.loops.iter_mut().rev().filter(|of| of.span == span) {
            if of.strategy != LoopStrategy::OneThread {
                break;
            }
            of.prevents = Some(reason.clone());
        }
    }

    /// The loop at a place is on the host, around the kernels of another schedule; what one thread did is none of it any more.
    pub fn put_around(&mut self, span: Span, inner: Schedule) {
        for of in self.loops.iter_mut().filter(|of| of.span == span && of.strategy == LoopStrategy::OneThread) {
            of.strategy = LoopStrategy::AroundKernels;
        }
        self.loops.retain(|of| of.strategy != LoopStrategy::OneThread);
        self.launches.retain(|launch| !matches!(launch, Launch::Kernel { threads: Threads::One, .. }));
        self.extend(inner);
    }

    /// Takes reasons of loops that stay serial from a schedule that knows more of what data may be.
    pub fn tell_more(&mut self, knowing: &Schedule) {
        for of in self.loops.iter_mut().filter(|of| of.strategy == LoopStrategy::OneThread) {
            let Some(Reason::Dependence(Dependence { distance: None, formula: None, .. })) = of.prevents else {
                continue;
            };
            let mut others = knowing.loops.iter().filter(|other| {
                other.span == of.span
                    && other.strategy == LoopStrategy::OneThread
                    && matches!(other.prevents, Some(Reason::Dependence(_)))
            });
            let Some(Reason::Dependence(told)) = others.next().and_then(|other| other.prevents.as_ref()) else {
                continue;
            };
            if told.distance.is_some() || told.formula.is_some() {
                of.prevents = Some(Reason::Dependence(told.clone()));
            }
        }
    }

    /// Why loops are serial in this schedule, as notes of one that is taken under more conditions.
    pub fn reasons_elsewhere(&self) -> Vec<Remark> {
        let reason = |of: &Scheduled| match (of.strategy, &of.prevents) {
            (LoopStrategy::OneThread, Some(reason)) => Some(reason.clone()),
            (LoopStrategy::Reduction, _) => Some(Reason::stated("iterations may update the same elements")),
            _ => None,
        };
        let elsewhere = |of: &Scheduled| Some(Remark { span: of.span, kind: RemarkKind::Elsewhere(reason(of)?) });
        self.loops.iter().filter_map(elsewhere).collect()
    }

    /// What there is to tell users.
    pub fn into_remarks(self) -> Vec<Remark> {
        let of_loop = |of: Scheduled| Remark::of_loop(of.span, of.strategy, of.prevents, of.guard);
        self.loops.into_iter().map(of_loop).chain(self.notes).collect()
    }
}
