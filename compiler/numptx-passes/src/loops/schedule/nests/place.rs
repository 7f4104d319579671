//! The strategies for a loop of a nest in the order in which they are tried, and the loop over them.
//!
//! In: a loop that is a program, and the classes of the loops in it. Out: the ops that take its place. Nests write nothing that they share with
//! other arrays.

use numptx_ir::array::{LoopStrategy, Op, OpKind, Region};

use crate::loops::function::{FormNests, Settings};
use crate::loops::schedule::nests::host_loop::has_parallel;
use crate::loops::schedule::plan::{Plan, is_free, is_parallel, original_of};
use crate::loops::schedule::wavefronts::GuardedWavefronts;
use crate::rewrite::emit::yielding;

/// The ops of a loop, if they can be made.
pub(crate) type Placed = Option<Vec<Op>>;

/// A strategy for a loop of a nest.
pub(crate) struct Placement {
    /// The name by which it may be forced. `None`: it is always allowed.
    name: Option<&'static str>,
    /// Which loops it is for.
    class: Class,
    /// What it makes of a loop.
    place: fn(&mut FormNests, &Op, &mut Plan) -> Placed,
}

/// A class of loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// Its iterations are independent.
    Parallel,
    /// They are not.
    Ordered,
}

/// The first one that has ops for a loop is taken.
const PLACEMENTS: &[Placement] = &[
    Placement::new("parallel", Class::Parallel, |form, op, plan| form.parallel(op.clone(), plan)),
    Placement::new("histogram", Class::Ordered, |form, op, plan| form.histogram(op, plan)),
    Placement::new("interchange", Class::Ordered, |form, op, plan| form.interchanged(op, plan)),
    Placement::new("wavefront", Class::Ordered, |form, op, plan| form.wavefronts_or_in_order(op, plan)),
    Placement { name: None, class: Class::Ordered, place: |form, op, plan| form.in_order(op, plan) },
    Placement::new("wavefront", Class::Ordered, |form, op, plan| form.wavefronts_in_host_loop(op, plan)),
];

impl Placement {
    const fn new(name: &'static str, class: Class, place: fn(&mut FormNests, &Op, &mut Plan) -> Placed) -> Self {
        Placement { name: Some(name), class, place }
    }

    fn may(&self, op: &Op, plan: &Plan, settings: &Settings) -> bool {
        let class = if is_parallel(op, plan) { Class::Parallel } else { Class::Ordered };
        self.class == class && self.name.is_none_or(|name| settings.may(name))
    }
}

impl FormNests<'_> {
    /// A loop as nests, or as a loop on the host around them; one that is neither as a nest of one work item.
    pub fn placed(&mut self, op: Op, plan: &mut Plan) -> Placed {
        if let Some(ops) = self.spread(&op, plan) {
            return Some(ops);
        }
        if !self.may_be_serial(&op, plan) {
            return None;
        }
        let results = op.results.clone();
        self.sequential(plan, vec![op], &results)
    }

    /// Whether one thread may run a loop: not a parallel one, unless that is forced.
    pub fn may_be_serial(&self, op: &Op, plan: &Plan) -> bool {
        self.settings.may("serial") && (self.settings.chosen.is_some() || !is_parallel(op, plan))
    }

    /// A loop as nests of several work items, or as a loop on the host around nests.
    pub fn spread(&mut self, op: &Op, plan: &mut Plan) -> Placed {
        for placement in PLACEMENTS {
            if !placement.may(op, plan, self.settings) {
                continue;
            }
            let tried = self.tried(|form| (placement.place)(form, op, plan));
            if tried.value.is_some() {
                return self.keep(tried);
            }
            self.found.add(tried.found);
        }
        None
    }

    /// Wavefronts of several loops where the runtime wants them, else the loop in order.
    fn wavefronts_or_in_order(&mut self, op: &Op, plan: &mut Plan) -> Placed {
        let wavefronts = self.deep_wavefronts(op, plan)?;
        let in_order = self.tried(|form| form.in_order(op, plan));
        let fallback = self.keep_as_fallback(in_order);
        self.wavefronts_or(op, plan, wavefronts, fallback)
    }

    /// A loop on the host around wavefronts, for a device; one thread's work elsewhere.
    fn wavefronts_in_host_loop(&mut self, op: &Op, plan: &mut Plan) -> Placed {
        let wavefronts = self.host_around_wavefronts(op, plan)?;
        self.wavefronts_or(op, plan, wavefronts, None)
    }

    fn wavefronts_or(&mut self, op: &Op, plan: &Plan, wavefronts: GuardedWavefronts, fallback: Placed) -> Placed {
        let mut fallback = match fallback {
            Some(ops) => ops,
            None => self.tried(|form| form.sequential(plan, vec![op.clone()], &[])).value?,
        };
        let (mut then, mut ops) = (wavefronts.then, wavefronts.before);
        [&mut then, &mut fallback].into_iter().for_each(|ops| ops.push(yielding(Vec::new(), op.span)));
        let regions = [then, fallback].map(|ops| Region { parameters: Vec::new(), ops });
        let operands = vec![wavefronts.guard];
        ops.push(Op { kind: OpKind::If, operands, results: Vec::new(), regions: regions.into(), span: op.span });
        Some(ops)
    }

    /// The loop, iteration after iteration: on the host around kernels, or as wavefronts. Wavefronts come first where loops in it are ordered, too.
    fn in_order(&mut self, op: &Op, plan: &mut Plan) -> Placed {
        let is_stuck =
            |inner: &Op| is_free(inner, plan).is_some() && !is_parallel(inner, plan) && !has_parallel(inner, plan);
        let mut inner = op.regions[0].ops.iter().filter(|inner| matches!(inner.kind, OpKind::For));
        if inner.any(|inner| is_stuck(inner) && original_of(inner, plan).is_none())
            && let Some(ops) = self.wavefronts(op, plan)
        {
            return Some(ops);
        }
        if has_parallel(op, plan) {
            let n_around = plan.around.len();
            let around = self.tried(|form| {
                form.decide(op, LoopStrategy::AroundKernels, plan);
                form.around(op, plan)
            });
            if around.value.is_some() {
                return self.keep(around);
            }
            plan.around.truncate(n_around);
        }
        self.wavefronts(op, plan)
    }
}
