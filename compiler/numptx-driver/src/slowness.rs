//! Loops over elements that no kernel runs in parallel, for a warning.
//!
//! In: a module whose kernels are formed. Out: the outermost loops that start a kernel for each element, and the loops that are one thread's work in a kernel,
//! also between the steps that threads share. Loops whose steps have few work items, and those whose chunks are few, are told as well. None of them is known to
//! end soon. A loop that has nests where its checks hold is judged by them. A loop of the host whose iterations call operations on objects is the host's by
//! nature, and not told of. Loops in it are judged on their own. Changes nothing.

use std::collections::{HashMap, HashSet};

use numptx_ir::array::{Aliasing, Function, LoopStrategy, Module, Op, OpKind, Reason, Region, RemarkKind, ValueId};
use numptx_ir::kernel::{Access, Kernel};
use numptx_passes::{SHORT_LOOP_ITERATIONS, UpperBounds, for_each_op, has_long_loop, terminator_operands};
use numptx_source::Span;

/// Work items that are few: a warp has so many threads.
const FEW_POINTS: i64 = 32;

/// How a loop over elements runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Slowness {
    /// The host starts a kernel for each element.
    KernelPerElement,
    /// The host starts kernels for each row that it writes, and rows need nothing of each other.
    KernelsPerRow,
    /// One thread of a kernel runs all of it.
    OneThread,
    /// One thread runs all of it where it has few iterations for the elements that it updates, and those of a loop in it do not count.
    OneChunk,
    /// It has so many points at most, each of which is a long loop that one thread runs.
    FewThreads(i64),
    /// Its steps follow each other, and have no more work items than this.
    FewWorkItems(i64),
}

/// The work items of the largest step of what was looked at: 0 where there is none; `None` where nothing is known of one.
type WorkItems = Option<i64>;

/// The slow loops of a module, in order, each once.
pub fn slow_loops(module: &Module) -> Vec<(Span, Slowness)> {
    let mut found: Vec<(Span, Slowness)> = Vec::new();
    for function in judged(module) {
        let is_parallel = |kind: &RemarkKind| matches!(kind, RemarkKind::Loop { strategy: LoopStrategy::Parallel, .. });
        let parallel = function.remarks.iter().filter(|d| is_parallel(&d.kind)).map(|d| d.span).collect();
        let (elements, decided) = (HashSet::new(), HashMap::new());
        let (bounds, made) = (UpperBounds::of(function), uses_of_made(&function.body));
        let mut search =
            Search { kernels: &module.kernels, elements, decided, parallel, bounds, made, found: &mut found };
        search.region(&function.body, None);
        found.extend(alone_in_cooperative(function));
        found.extend(in_one_chunk(function));
    }
    found.sort_by_key(|(span, slowness)| (span.start, span.end, *slowness));
    found.dedup();
    found
}

/// The functions by which loops are judged: not versions for arrays that overlap, where there are others.
pub fn judged(module: &Module) -> impl Iterator<Item = &Function> {
    let has_other = |function: &Function| {
        let is_other = |f: &Function| f.signature == function.signature && f.aliasing == Aliasing::NoAlias;
        function.aliasing == Aliasing::MayAlias && module.functions.iter().any(is_other)
    };
    module.functions.iter().filter(move |function| !has_other(function))
}

/// Loops of cooperative programs that one thread runs while the others wait, or that all run alike.
fn alone_in_cooperative(function: &Function) -> Vec<(Span, Slowness)> {
    let loops = function.remarks.iter().filter_map(|remark| match remark.kind {
        RemarkKind::Loop { strategy, guard, .. } => Some((remark.span, strategy, guard)),
        _ => None,
    });
    let is_cooperative = |strategy: LoopStrategy| {
        matches!(strategy, LoopStrategy::Phases | LoopStrategy::TiledPhases | LoopStrategy::Wavefront)
    };
    let cooperative: HashSet<Span> =
        loops.clone().filter(|l| is_cooperative(l.1) && l.2 == Some(l.0)).map(|l| l.0).collect();
    let is_in_cooperative = |guard: Option<Span>| guard.is_some_and(|guard| cooperative.contains(&guard));
    let alone = loops.filter(|(_, strategy, guard)| *strategy == LoopStrategy::OneThread && is_in_cooperative(*guard));
    alone.map(|(span, ..)| (span, Slowness::OneThread)).collect()
}

/// Loops in chunks that are few as the iterations of a loop in them do not count.
fn in_one_chunk(function: &Function) -> impl Iterator<Item = (Span, Slowness)> {
    function.remarks.iter().filter_map(|remark| match &remark.kind {
        RemarkKind::Loop {
            strategy: LoopStrategy::Reduction,
            reason: Some(Reason::Stated { at: Some(_), .. }),
            ..
        } => Some((remark.span, Slowness::OneChunk)),
        _ => None,
    })
}

struct Search<'m> {
    kernels: &'m [Kernel],
    /// Views of single elements.
    elements: HashSet<ValueId>,
    /// What branches with kernels say of themselves, and the loops that these are.
    decided: HashMap<ValueId, Span>,
    /// Loops that are parallel, where what they require holds.
    parallel: HashSet<Span>,
    bounds: UpperBounds<'m>,
    /// How often arrays are used that the function makes.
    made: HashMap<ValueId, usize>,
    found: &'m mut Vec<(Span, Slowness)>,
}

impl Search<'_> {
    /// `outermost`: the loop around, if there is one.
    fn region(&mut self, region: &Region, outermost: Option<Span>) -> WorkItems {
        let (mut work_items, place) = (Some(0), self.bounds.place());
        for op in &region.ops {
            let own = match &op.kind {
                OpKind::Index { .. } => {
                    self.elements.extend(&op.results);
                    Some(0)
                }
                OpKind::Check { .. } => {
                    self.bounds.assume(op.operands[0]);
                    Some(0)
                }
                OpKind::Launch(kernel) => self.launch(op, &self.kernels[kernel.0 as usize], outermost),
                OpKind::Item if op.operands.iter().any(|v| self.elements.contains(v)) => Some(1),
                OpKind::Sort(_) | OpKind::External(_) | OpKind::Object(_) | OpKind::Assign | OpKind::Call { .. } => {
                    None
                }
                OpKind::If if self.is_version(op) => self.version(op, outermost),
                // The loop as it was, where a check of its kernels failed.
                OpKind::If if self.decided.contains_key(&op.operands[0]) => Some(0),
                // What is left of a search: one iteration, or none.
                OpKind::While if op.operands.iter().any(|v| self.decided.get(v) == Some(&op.span)) => Some(0),
                OpKind::For | OpKind::While => self.host_loop(op, outermost),
                _ => largest(op.regions.iter().map(|nested| self.region(nested, outermost)).collect()),
            };
            work_items = largest(vec![work_items, own]);
        }
        self.bounds.back_to(place);
        work_items
    }

    /// A loop where its checks hold.
    fn version(&mut self, op: &Op, outermost: Option<Span>) -> WorkItems {
        let results = op.results.iter().chain(op.regions[0].ops.iter().flat_map(|op| &op.results));
        self.decided.extend(results.map(|v| (*v, op.span)));
        let place = self.bounds.place();
        self.bounds.assume(op.operands[0]);
        let (begin, work_items) = (self.found.len(), self.region(&op.regions[0], outermost));
        self.bounds.back_to(place);
        let is_few =
            work_items.is_some_and(|work_items| work_items <= FEW_POINTS) && self.bounds.is_one_launch(op.operands[0]);
        if is_few && !self.is_short_loop(&op.regions[1], op.span) {
            // What kernels require may be more than the loop does.
            let end = self.found.len();
            self.bounds.assume_numbers(op.operands[0]);
            let as_written = self.region(&op.regions[1], outermost);
            self.bounds.back_to(place);
            self.found.truncate(end);
            self.tell_few(op.span, largest(vec![work_items, as_written]), begin);
        }
        work_items
    }

    /// A loop of the host.
    fn host_loop(&mut self, op: &Op, outermost: Option<Span>) -> WorkItems {
        let begin = self.found.len();
        // Lists, dictionaries, sets, strings and what is printed are the host's: there is no other way to run such a loop.
        let is_of_host = calls_objects(op);
        let around = if is_of_host { None } else { outermost.or(Some(op.span)) };
        let work_items = largest(op.regions.iter().map(|nested| self.region(nested, around)).collect());
        if !is_of_host && !self.is_short(op) {
            self.tell_few(op.span, work_items, begin);
            // Long work items in it may be the library's own.
            let is_told = self.found[begin..].iter().any(|(_, slowness)| !matches!(slowness, Slowness::FewThreads(_)));
            if !is_told && !hands_on(op) && self.writes_rows(op) {
                self.found.push((op.span, Slowness::KernelsPerRow));
            }
        }
        work_items
    }

    /// Tells of a loop whose steps have few work items, but for those of which something else was told since a place.
    fn tell_few(&mut self, span: Span, work_items: WorkItems, begin: usize) {
        let is_few = |slowness: &Slowness| matches!(slowness, Slowness::FewWorkItems(_));
        let is_told = self.found[begin..].iter().any(|(_, slowness)| !is_few(slowness));
        if let Some(work_items @ 1..=FEW_POINTS) = work_items.filter(|_| !is_told) {
            self.found.truncate(begin);
            self.found.push((span, Slowness::FewWorkItems(work_items)));
        }
    }

    /// Whether kernels in a counted loop write to rows at its index, and neither read other rows of these arrays nor write to anything else that was there
    /// before.
    fn writes_rows(&self, op: &Op) -> bool {
        let Some(index) = op.regions[0].parameters.first().filter(|_| op.kind == OpKind::For) else { return false };
        let inside = uses_in(&op.regions[0]);
        let is_own = |(array, n): &(&ValueId, &usize)| inside.get(*array) == Some(*n);
        let mut own: HashSet<ValueId> = self.made.iter().filter(is_own).map(|(array, _)| *array).collect();
        // Of views, what they are of; rows at the index.
        let (mut bases, mut rows) = (HashMap::new(), HashSet::<ValueId>::new());
        let (mut written, mut read, mut writes_others) = (HashSet::new(), HashSet::new(), false);
        for_each_op(&op.regions[0], &mut |op| {
            let base = |array: &ValueId| bases.get(array).copied().unwrap_or(*array);
            for (array, access) in self.touched(op) {
                let (of, is_row) = (base(&array), rows.contains(&array));
                if access != Access::Read && is_row {
                    written.insert(of);
                }
                writes_others |= access != Access::Read && !is_row && !own.contains(&of);
                if !is_row {
                    read.insert(of);
                }
            }
            if op.kind.is_view() {
                let of = op.operands[0];
                let is_row = matches!(op.kind, OpKind::Index { .. }) && op.operands[1] == *index || rows.contains(&of);
                rows.extend(op.results.iter().filter(|_| is_row));
                let base = base(&of);
                bases.extend(op.results.iter().map(|v| (*v, base)));
            } else if !op.kind.is_pure_scalar_or_view() {
                own.extend(&op.results);
            }
            op.regions.iter().for_each(|region| own.extend(&region.parameters));
        });
        !written.is_empty() && !writes_others && written.is_disjoint(&read)
    }

    /// The arrays that an op touches.
    fn touched(&self, op: &Op) -> Vec<(ValueId, Access)> {
        match op.kind {
            OpKind::Launch(kernel) => {
                let kernel = &self.kernels[kernel.0 as usize];
                let accesses = kernel.operands.iter().map(|operand| operand.access);
                op.operands[kernel.rank..].iter().copied().zip(accesses).collect()
            }
            OpKind::Assign => op.operands.iter().copied().zip([Access::Write, Access::Read]).collect(),
            OpKind::Sort(_) => op.operands.iter().map(|array| (*array, Access::ReadWrite)).collect(),
            OpKind::External(external) => {
                let access = |n| if n < external.n_written() { Access::ReadWrite } else { Access::Read };
                op.operands.iter().enumerate().map(|(n, array)| (*array, access(n))).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether a loop is known to end soon.
    fn is_short(&self, op: &Op) -> bool {
        op.kind == OpKind::For && self.bounds.most_iterations(op).is_some_and(|most| most <= SHORT_LOOP_ITERATIONS)
    }

    /// The same of the loop of a place, as it is written.
    fn is_short_loop(&self, region: &Region, span: Span) -> bool {
        region.ops.iter().any(|op| match op.kind {
            OpKind::For if op.span == span => self.is_short(op),
            OpKind::If => op.regions.iter().any(|nested| self.is_short_loop(nested, span)),
            _ => false,
        })
    }

    /// Whether a branch has kernels for a loop, which runs as it was where they do not.
    fn is_version(&self, op: &Op) -> bool {
        let launches = |region: &Region| region.ops.iter().any(|op| matches!(op.kind, OpKind::Launch(_)));
        launches_code(&op.regions[0], self.kernels) || self.parallel.contains(&op.span) && launches(&op.regions[0])
    }

    fn launch(&mut self, op: &Op, kernel: &Kernel, outermost: Option<Span>) -> WorkItems {
        if kernel.rank > 0 {
            let work_items =
                self.bounds.most_work_items(&op.operands[..kernel.rank]).map(|work_items| work_items.max(1));
            let has_loop = kernel.code().is_some_and(|code| !code.is_cooperative() && has_long_loop(code));
            if let Some(work_items @ 1..=FEW_POINTS) = work_items.filter(|_| has_loop) {
                self.found.push((op.span, Slowness::FewThreads(work_items)));
            }
            return work_items;
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
        Some(1)
    }
}

/// Whether iterations call operations on objects.
fn calls_objects(op: &Op) -> bool {
    let mut calls = false;
    op.regions.iter().for_each(|region| for_each_op(region, &mut |op| calls |= matches!(op.kind, OpKind::Object(_))));
    calls
}

/// Whether iterations take anything from the one before, but for memory.
fn hands_on(op: &Op) -> bool {
    let Some(body) = op.regions.last() else { return false };
    let (mut hands_on, carried) = (false, body.parameters.get(1..).unwrap_or_default());
    for_each_op(body, &mut |op| {
        let is_memory = matches!(op.kind, OpKind::Reuse { .. } | OpKind::Retain | OpKind::Release);
        hands_on |= !is_memory && op.operands.iter().any(|v| carried.contains(v));
    });
    hands_on
}

/// How often values are used in a region, but by what counts references.
fn uses_in(region: &Region) -> HashMap<ValueId, usize> {
    let mut uses = HashMap::new();
    for_each_op(region, &mut |op| {
        if !matches!(op.kind, OpKind::Retain | OpKind::Release) {
            op.operands.iter().for_each(|v| *uses.entry(*v).or_default() += 1);
        }
    });
    uses
}

/// The same of arrays that a function makes.
fn uses_of_made(body: &Region) -> HashMap<ValueId, usize> {
    let (uses, mut made) = (uses_in(body), HashMap::new());
    for_each_op(body, &mut |op| {
        // One that a loop uses is made before it if there is an iteration.
        let is_chosen = op.kind == OpKind::If && op.regions.iter().all(yields_made);
        if is_chosen || matches!(op.kind, OpKind::Alloc { .. } | OpKind::Reuse { .. }) {
            made.extend(op.results.iter().map(|v| (*v, uses.get(v).copied().unwrap_or(0))));
        }
    });
    made
}

/// Whether a branch makes all that it yields.
fn yields_made(region: &Region) -> bool {
    let makes =
        |v: &ValueId| region.ops.iter().any(|op| matches!(op.kind, OpKind::Alloc { .. }) && op.results.contains(v));
    terminator_operands(region).iter().all(makes)
}

/// The work items of the largest of several steps.
fn largest(work_items: Vec<WorkItems>) -> WorkItems {
    work_items.into_iter().try_fold(0, |largest, work_items| Some(work_items?.max(largest)))
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
