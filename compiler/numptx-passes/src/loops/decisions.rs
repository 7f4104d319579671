//! What `form-nests` decided about loops, in the function's list of decisions.
//!
//! In: a loop, where its iterations run, and the analysis. Out: a [`Decision`] with the reason why it does not run in a better way. Decides nothing.

use numptx_ir::array::{Decision, DecisionKind, Dependence, DependenceKind, LoopWay, Op, OpKind, Reason};
use numptx_source::Span;

use super::once::ENDS_ITSELF;
use super::place::Plan;
use super::translate::Refused;
use crate::dependence::{self, Class, LoopId, dependences};
use crate::form_nests::FormNests;
use crate::traverse::for_each_op;

impl FormNests<'_> {
    /// Takes the loops in an op for parallel that the user states to be independent, but for those that are seen not to be: they are noted.
    pub fn trust(&mut self, op: &Op, plan: &mut Plan) {
        if self.function.independent.is_empty() {
            return;
        }
        let mut loops: Vec<&Op> = vec![op];
        op.regions.iter().for_each(|region| for_each_op_in(region, &mut loops));
        for op in loops.into_iter().filter(|op| matches!(op.kind, OpKind::For)) {
            let id = op.regions[0].parameters.first().and_then(|index| plan.whole.loops.get(index)).copied();
            let Some(id) = id.filter(|_| op.results.is_empty() && self.function.independent.contains(&op.span)) else {
                continue;
            };
            match certain(plan, id) {
                None => _ = plan.classes.insert(id, Class::Parallel),
                Some(Reason::Dependence(dependence)) => {
                    let kind = DecisionKind::Contradicted(dependence);
                    self.function.decisions.push(Decision { span: op.span, kind });
                }
                Some(Reason::Stated { .. }) => {}
            }
        }
    }

    /// Notes where the iterations of a loop run.
    pub fn decide(&mut self, op: &Op, way: LoopWay, plan: &Plan) {
        let index = op.regions.first().and_then(|region| region.parameters.first());
        let looks_ahead = index.is_some_and(|index| self.ahead.contains(index));
        let way = if way == LoopWay::Parallel && looks_ahead { LoopWay::ParallelWithSnapshot } else { way };
        let reason = match way {
            LoopWay::Parallel | LoopWay::ParallelWithSnapshot | LoopWay::Reduction | LoopWay::Scan => None,
            _ => self.reason(op, plan),
        };
        self.note(op.span, way, reason, Some(plan.guard));
    }

    /// Notes that each point of a kernel runs all of the loops in an op, but for those that are its axes.
    pub fn decide_inner(&mut self, op: &Op, axes: &[Span], way: LoopWay, plan: &Plan) {
        let mut loops: Vec<&Op> = Vec::new();
        op.regions.iter().for_each(|region| for_each_op_in(region, &mut loops));
        for inner in loops {
            if !axes.contains(&inner.span) && inner.span != op.span {
                self.decide(inner, way, plan);
            }
        }
    }

    /// Notes that a loop and those in it are a reduction.
    pub fn decide_reduction(&mut self, op: &Op) {
        let mut loops: Vec<&Op> = vec![op];
        op.regions.iter().for_each(|region| for_each_op_in(region, &mut loops));
        for inner in loops {
            self.note(inner.span, LoopWay::Reduction, None, Some(op.span));
        }
    }

    /// Notes a loop that the host runs, and why.
    pub fn decide_host(&mut self, op: &Op, refusal: Option<Refused>) {
        let way = way_on_host(op);
        let refusal = refusal.filter(|_| way != LoopWay::Host);
        let mut reason = refusal.map(|refused| Reason::Stated { text: refused.why.0.to_owned(), at: refused.at });
        if matches!(op.kind, OpKind::While) && way == LoopWay::ElementByElement && reason.is_none() {
            reason = Some(Reason::stated(ENDS_ITSELF));
        }
        self.note(op.span, way, reason, None);
    }

    fn note(&mut self, span: Span, way: LoopWay, reason: Option<Reason>, guard: Option<Span>) {
        let decision = Decision::of_loop(span, way, reason, guard);
        // A loop that is inlined several times has several conditions, one a decision.
        if guard == Some(span) || !self.function.decisions.contains(&decision) {
            self.function.decisions.push(decision);
        }
    }

    /// Why a loop is not parallel.
    fn reason(&self, op: &Op, plan: &Plan) -> Option<Reason> {
        let is_while = |of: &Op| matches!(of.kind, OpKind::While) && of.span == op.span;
        if is_while(op) || op.regions[0].ops.iter().any(is_while) {
            return Some(Reason::stated(ENDS_ITSELF));
        }
        let id = *plan.whole.loops.get(op.regions.first()?.parameters.first()?)?;
        if let Some(carried) = op.regions[0].parameters.get(1) {
            let name = self.function.values[carried.0 as usize].name.as_ref();
            let name = name.map_or("a value".to_owned(), |name| format!("`{name}`"));
            return Some(Reason::stated(format!("{name} is handed from iteration to iteration")));
        }
        match plan.classes.get(&id)? {
            Class::Sequential(dependence) => shown(plan, dependence),
            Class::ParallelWithSnapshot(reads) => looks_back(plan, id, reads),
            Class::Reduction { .. } => Some(Reason::stated("it accumulates")),
            Class::Parallel => None,
        }
    }
}

/// A dependence that a loop has whenever it is long enough: it is always as far, and no condition stands around its accesses.
fn certain(plan: &Plan, id: LoopId) -> Option<Reason> {
    let nest = &plan.whole.nest;
    let is_unconditional = |access| nest.access(access).guards.is_empty();
    let is_certain =
        |d: &&dependence::Dependence| d.distance.is_some() && is_unconditional(d.source) && is_unconditional(d.sink);
    shown(plan, dependences(nest, id).iter().find(is_certain)?)
}

/// The two accesses of a dependence as places of the source.
pub fn shown(plan: &Plan, of: &dependence::Dependence) -> Option<Reason> {
    let place = |access| plan.whole.places.get(access).copied();
    let kind = match of.kind {
        dependence::DependenceKind::Flow => DependenceKind::Flow,
        dependence::DependenceKind::Output => DependenceKind::Output,
        dependence::DependenceKind::Anti => DependenceKind::Anti,
    };
    let (source, sink) = (place(&of.source)?, place(&of.sink)?);
    Some(Reason::Dependence(Dependence { source, sink, kind, distance: of.distance, least: of.least }))
}

/// A read of what a later iteration writes.
fn looks_back(plan: &Plan, id: LoopId, reads: &[dependence::AccessId]) -> Option<Reason> {
    let all = dependences(&plan.whole.nest, id);
    shown(plan, all.iter().find(|d| d.kind == dependence::DependenceKind::Anti && reads.contains(&d.source))?)
}

/// How the host runs a loop that stays as it is.
fn way_on_host(op: &Op) -> LoopWay {
    let (mut arrays, mut elements) = (false, false);
    let mut visit = |op: &Op| match &op.kind {
        OpKind::Nest(_) | OpKind::Reduce(_) | OpKind::Scan(_) | OpKind::StoreReduce(_) | OpKind::StoreScan(_) => {
            arrays = true;
        }
        OpKind::Scatter(_) => arrays = true,
        OpKind::Map(map) if map.rank > 0 => arrays = true,
        OpKind::Store(store) if store.rank > 0 => arrays = true,
        OpKind::Map(_) | OpKind::Store(_) => elements = true,
        _ => {}
    };
    op.regions.iter().for_each(|region| for_each_op(region, &mut visit));
    match (arrays, elements) {
        (true, _) => LoopWay::AroundKernels,
        (false, true) => LoopWay::ElementByElement,
        (false, false) => LoopWay::Host,
    }
}

fn for_each_op_in<'r>(region: &'r numptx_ir::array::Region, loops: &mut Vec<&'r Op>) {
    for op in &region.ops {
        if matches!(op.kind, OpKind::For | OpKind::While) {
            loops.push(op);
        }
        op.regions.iter().for_each(|nested| for_each_op_in(nested, loops));
    }
}
