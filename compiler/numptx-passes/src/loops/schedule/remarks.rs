//! What `form-nests` decided about loops, in the function's list of remarks.
//!
//! In: a loop, where its iterations run, and the analysis. Out: a [`Remark`] with the reason why it does not run by a better strategy. Decides nothing.

use numptx_ir::array::{
    Accumulation, Dependence, DependenceKind, LoopStrategy, Op, OpKind, Reason, Remark, RemarkKind, ValueId,
};
use numptx_source::Span;

use crate::analysis::traverse::for_each_op;
use crate::loops::dependence::{self, Affine, Class, LoopId, Nest, Step, Subscript, Variable, dependences};
use crate::loops::function::FormNests;
use crate::loops::idioms::preventing::Role;
use crate::loops::nest::program::ENDS_ITSELF;
use crate::loops::nest::program::{Refused, Translation};
use crate::loops::schedule::cost::{CHUNK_ITERATIONS, CHUNK_ITERATIONS_AN_ELEMENT};
use crate::loops::schedule::plan::Plan;
use crate::loops::schedule::tree::Scheduled;

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
                    let kind = RemarkKind::Contradicted(dependence);
                    self.schedule.note(Remark { span: op.span, kind });
                }
                Some(Reason::Stated { .. }) => {}
            }
        }
    }

    /// Notes where the iterations of a loop run.
    pub fn decide(&mut self, op: &Op, strategy: LoopStrategy, plan: &Plan) {
        let index = op.regions.first().and_then(|region| region.parameters.first());
        let reads_copies = index.is_some_and(|index| self.draft.ahead.contains(index));
        let strategy = match strategy {
            LoopStrategy::Parallel if self.facts.accumulating.contains(&op.span) => LoopStrategy::Reduction,
            LoopStrategy::Parallel if reads_copies => LoopStrategy::ParallelWithSnapshot,
            strategy => strategy,
        };
        let reason = match strategy {
            LoopStrategy::Parallel
            | LoopStrategy::ParallelWithSnapshot
            | LoopStrategy::Reduction
            | LoopStrategy::Scan => None,
            _ => self.reason(op, plan),
        };
        self.note(op.span, strategy, reason, Some(plan.guard));
    }

    /// Notes that a loop combines values with elements in chunks, and a loop in it whose iterations do not count for how many there are.
    pub fn decide_chunks(&mut self, op: &Op, plan: &Plan, uncounted: Option<Span>) {
        let [iterations, an_element] = [CHUNK_ITERATIONS, CHUNK_ITERATIONS_AN_ELEMENT].map(|of_one| 2 * of_one);
        let mut text = format!(
            "in several chunks, on a GPU as many as are estimated to take least time, on the host with at least {iterations} \
             iterations and {an_element} for each element that it updates, else in one"
        );
        if uncounted.is_some() {
            text += "; these do not count";
        }
        let reason = Reason::Stated { text, at: uncounted };
        self.note(op.span, LoopStrategy::Reduction, Some(reason), Some(plan.guard));
    }

    /// Notes that each work item of a kernel runs all of the loops in an op, but for those that are its axes.
    pub fn decide_inner(&mut self, op: &Op, axes: &[Span], strategy: LoopStrategy, plan: &Plan) {
        let mut loops: Vec<&Op> = Vec::new();
        op.regions.iter().for_each(|region| for_each_op_in(region, &mut loops));
        for inner in loops {
            if !axes.contains(&inner.span) && inner.span != op.span {
                self.decide(inner, strategy, plan);
            }
        }
    }

    /// Notes that a loop and those in it are a reduction.
    pub fn decide_reduction(&mut self, op: &Op) {
        let mut loops: Vec<&Op> = vec![op];
        op.regions.iter().for_each(|region| for_each_op_in(region, &mut loops));
        for inner in loops {
            self.note(inner.span, LoopStrategy::Reduction, None, Some(op.span));
        }
    }

    /// Notes that a loop is a scan, and of what.
    pub fn decide_scan(&mut self, op: &Op, of: Reason) {
        self.note(op.span, LoopStrategy::Scan, Some(of), Some(op.span));
    }

    /// Notes that a loop is no scan only because of rounding, if that is so.
    pub fn decide_rounded(&mut self, span: Span, accumulated: Option<Accumulation>) {
        if let Some(of) = accumulated {
            self.schedule.note(Remark { span, kind: RemarkKind::Rounded(of) });
        }
    }

    /// Notes a loop that the host runs, and why.
    pub fn decide_host(&mut self, op: &Op, refusal: Option<Refused>) {
        let strategy = strategy_on_host(op);
        let refusal = refusal.filter(|_| strategy != LoopStrategy::Host);
        let mut reason = refusal.map(|refused| Reason::Stated { text: refused.why.0.to_owned(), at: refused.at });
        if matches!(op.kind, OpKind::While) && strategy == LoopStrategy::ElementByElement && reason.is_none() {
            reason = Some(Reason::stated(ENDS_ITSELF));
        }
        self.note(op.span, strategy, reason, None);
    }

    fn note(&mut self, span: Span, strategy: LoopStrategy, prevents: Option<Reason>, guard: Option<Span>) {
        self.schedule.add(Scheduled { span, strategy, prevents, guard });
    }

    /// A dependence with its distance as a formula, where that is no number.
    fn with_formula(&self, mut reason: Reason, of: &dependence::Dependence, plan: &Plan, id: LoopId) -> Option<Reason> {
        if let (Reason::Dependence(told), None) = (&mut reason, of.distance) {
            told.formula = distance_of(&plan.whole.nest, of, id).and_then(|f| self.formula(&f, &plan.whole));
        }
        Some(reason)
    }

    /// A function of values that have names.
    fn formula(&self, function: &Affine, whole: &Translation) -> Option<String> {
        let name = |variable: &Variable| match whole.symbols.get(variable) {
            Some(value) => self.function.values[value.0 as usize].name.clone(),
            None => whole.element_names.get(variable).cloned().or_else(|| {
                let array = whole.elements.get(variable)?;
                Some(format!("{}[…]", self.function.values[array.0 as usize].name.as_ref()?))
            }),
        };
        let mut text = String::new();
        let named = function.terms().iter().map(|(v, factor)| Some((*factor, name(v)?)));
        let constant = Some(function.constant_part()).filter(|n| *n != 0).map(|n| Some((n, String::new())));
        for term in named.chain(constant) {
            let (factor, name) = term?;
            let size = match factor.unsigned_abs() {
                1 if !name.is_empty() => name,
                n if name.is_empty() => n.to_string(),
                n => format!("{n}·{name}"),
            };
            text += match (text.is_empty(), factor < 0) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            text += &size;
        }
        Some(text)
    }

    /// The value that a loop carries because of which its iterations go in order; `None` where only what they touch says so.
    fn first_carried(&mut self, op: &Op, class: Option<&Class>) -> Option<ValueId> {
        let carried = &op.regions[0].parameters[1..];
        let is_in_order = matches!(class, Some(Class::Sequential(_)));
        if carried.len() < 2 && !is_in_order {
            return carried.first().copied();
        }
        let (role, first) = self.roles_of_carried(op).into_iter().zip(carried).min_by_key(|(role, _)| *role)?;
        (role == Role::Prevents || !is_in_order).then_some(*first)
    }

    /// Why a loop is not parallel.
    fn reason(&mut self, op: &Op, plan: &Plan) -> Option<Reason> {
        let is_while = |of: &Op| matches!(of.kind, OpKind::While) && of.span == op.span;
        if is_while(op) || op.regions[0].ops.iter().any(is_while) {
            return Some(Reason::stated(ENDS_ITSELF));
        }
        let id = *plan.whole.loops.get(op.regions.first()?.parameters.first()?)?;
        if let Some(carried) = self.first_carried(op, plan.classes.get(&id)) {
            let name = self.function.values[carried.0 as usize].name.as_ref();
            let name = name.map_or("a value".to_owned(), |name| format!("`{name}`"));
            return Some(Reason::stated(format!("{name} is carried from iteration to iteration")));
        }
        match plan.classes.get(&id)? {
            Class::Sequential(dependence) => self.with_formula(shown(plan, dependence)?, dependence, plan, id),
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

/// How many iterations lie between two accesses to one element, if that is a sum of values that the loop does not change.
fn distance_of(nest: &Nest, of: &dependence::Dependence, id: LoopId) -> Option<Affine> {
    let Step::Known(step) = nest.loop_of(id).step else { return None };
    let around = nest.chain(nest.loop_of(id).parent);
    let is_fixed = |(variable, _): &(Variable, i64)| match variable {
        Variable::Symbol(symbol) => nest.varies_in(*symbol).is_none_or(|inner| around.contains(&inner)),
        Variable::Index(_) => false,
    };
    let index = Variable::Index(id);
    let factor = |f: &Affine| f.terms().iter().find(|(v, _)| *v == index).map(|(_, factor)| *factor);
    let pairs = nest.access(of.source).subscripts.iter().zip(&nest.access(of.sink).subscripts);
    let mut distances = pairs.filter_map(|pair| {
        let (Subscript::Index(first), Subscript::Index(later)) = pair else { return None };
        let by = factor(first).filter(|by| factor(later) == Some(*by))?.checked_mul(step)?;
        let distance = first.minus(later)?.times(by).filter(|_| by.abs() == 1)?;
        (distance.as_constant().is_none() && distance.terms().iter().all(is_fixed)).then_some(distance)
    });
    distances.next()
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
    Some(Reason::Dependence(Dependence { source, sink, kind, distance: of.distance, least: of.least, formula: None }))
}

/// A read of what a later iteration writes.
fn looks_back(plan: &Plan, id: LoopId, reads: &[dependence::AccessId]) -> Option<Reason> {
    let all = dependences(&plan.whole.nest, id);
    shown(plan, all.iter().find(|d| d.kind == dependence::DependenceKind::Anti && reads.contains(&d.source))?)
}

/// How the host runs a loop that stays as it is.
fn strategy_on_host(op: &Op) -> LoopStrategy {
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
        (true, _) => LoopStrategy::AroundKernels,
        (false, true) => LoopStrategy::ElementByElement,
        (false, false) => LoopStrategy::Host,
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
