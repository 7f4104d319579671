//! Loops that run in parallel where a condition on the program's ints holds, and on one thread elsewhere.
//!
//! In: a function after all passes. Out: these loops, with what of the condition decides between both. That is not what is certain there, what the
//! thread needs, too, what only arrays' extents or elements decide, or what has a few iterations at most where it fails.

use numptx_ir::array::{Module, Op, OpKind, Region, ValueId};
use numptx_ir::kernel::Kernel;
use numptx_ir::scalar::ScalarOp;
use numptx_passes::SHORT_LOOP_ITERATIONS;
use numptx_passes::has_long_loop;
use numptx_source::{Source, Span};

use super::choices::{Choice, choice_of};
use super::formula::Formulas;
use super::linear::{Linear, shown};
use super::words::one_line;
use crate::slowness::judged;

/// A loop that one thread runs where a condition does not hold.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SlowVersion {
    /// The loop.
    pub span: Span,
    /// What has to hold for it to be parallel; nothing, if that is never worth anything.
    pub conditions: Vec<String>,
}

/// The loops of a module of which there is such a version, each once.
pub fn slow_versions(module: &Module, source: &Source) -> Vec<SlowVersion> {
    let mut found = Vec::new();
    for function in judged(module) {
        let formulas = Formulas::of(function, source);
        let mut search = Search { source, formulas, kernels: &module.kernels, certain: Vec::new(), found: &mut found };
        search.region(&function.body);
    }
    found.sort();
    found.dedup();
    found
}

/// One of several conditions that have to hold at once.
#[derive(Clone, Debug)]
struct Part {
    value: Option<ValueId>,
    /// One of these is at least 0; empty if that is not how it is.
    any: Vec<Linear>,
    text: String,
}

impl Part {
    fn at_least_zero(bound: Linear) -> Self {
        Part { value: None, text: bound.clone().at_least_zero(), any: vec![bound] }
    }

    /// What is at least 0.
    fn bound(&self) -> Option<&Linear> {
        self.any.first().filter(|_| self.any.len() == 1)
    }

    /// Whether this holds where another one does, extents being at least 0.
    fn follows_from(&self, other: &Part) -> bool {
        let suffices = |own: &Linear, other: &Linear| {
            let other = other.clone().without_extents().reduced();
            own.minus(&other).as_number().is_some_and(|more| more >= 0)
        };
        let is_weaker = |own| !other.any.is_empty() && other.any.iter().all(|other| suffices(own, other));
        self.text == other.text || self.bound().is_some_and(is_weaker)
    }
}

struct Search<'m> {
    source: &'m Source,
    formulas: Formulas<'m>,
    kernels: &'m [Kernel],
    /// What holds where the search is.
    certain: Vec<Part>,
    found: &'m mut Vec<SlowVersion>,
}

impl Search<'_> {
    fn region(&mut self, region: &Region) {
        let n = self.certain.len();
        for (at, op) in region.ops.iter().enumerate() {
            match &op.kind {
                OpKind::Check { .. } => {
                    let parts = self.parts(op.operands[0]);
                    self.certain.extend(parts);
                }
                OpKind::If => self.branches(op, &region.ops[at + 1..]),
                _ => {
                    let n = self.certain.len();
                    self.certain.extend(self.counted(op));
                    op.regions.iter().for_each(|nested| self.region(nested));
                    self.certain.truncate(n);
                }
            }
        }
        self.certain.truncate(n);
    }

    /// `after`: the ops behind it.
    fn branches(&mut self, op: &Op, after: &[Op]) {
        let holds = self.parts(op.operands[0]);
        let is_kernels =
            self.formulas.is_guard(op) && choice_of(op, &self.formulas, self.kernels) == Some(Choice::Kernels);
        if is_kernels {
            let is_undone = |other: &&Op| other.kind == OpKind::If && op.results.first() == other.operands.first();
            let elsewhere = after.iter().find(is_undone).unwrap_or(op);
            self.version(op.span, &holds, &elsewhere.regions[1]);
        }
        let fails = fails(&holds);
        let n = self.certain.len();
        self.certain.extend(holds);
        self.region(&op.regions[0]);
        self.certain.truncate(n);
        if !is_kernels {
            self.certain.extend(fails);
            self.region(&op.regions[1]);
            self.certain.truncate(n);
        }
    }

    /// What a loop needs for its kernels, and not for the thread that runs it elsewhere; where work items make checks, that follows these.
    fn version(&mut self, span: Span, holds: &[Part], elsewhere: &Region) {
        let Some(needed) = self.thread(elsewhere, span) else { return };
        let loops = loops_in(elsewhere);
        let mut told: Vec<&Part> = Vec::new();
        for part in
            holds.iter().filter(|part| !self.certain.iter().chain(&needed).any(|other| part.follows_from(other)))
        {
            let Some(bound) = part.bound().filter(|bound| self.decides(part, bound)) else { continue };
            if loops.iter().any(|l| self.is_short(bound, l)) || self.counts(bound, span) {
                continue;
            }
            if bound.is_never() || loops.iter().any(|l| self.is_empty(bound, l)) {
                return self.found.push(SlowVersion { span, conditions: Vec::new() });
            }
            if !told.iter().any(|other| part.follows_from(other)) {
                told.retain(|other| !other.follows_from(part));
                told.push(part);
            }
        }
        if !told.is_empty() {
            let conditions = told.into_iter().map(|part| part.text.clone()).collect();
            self.found.push(SlowVersion { span, conditions });
        }
    }

    /// Whether a condition is about ints of the program, and not whether an index is in range; or about data, and more than natural.
    fn decides(&self, part: &Part, bound: &Linear) -> bool {
        if bound.asks_more_of_data() {
            return true;
        }
        // Quotients tell the last index of a loop, and digits of flattened indices.
        let is_in_range = bound.has_extent()
            || bound.terms.keys().any(|atom| atom.contains("//"))
            || bound.constant >= i64::from(i32::MAX);
        !is_in_range && !bound.is_never_negative() && part.value.is_some_and(|v| self.is_of_ints(v))
    }

    /// Whether it is that a loop has an iteration: how many a loop has is called by its header.
    fn counts(&self, bound: &Linear, header: Span) -> bool {
        let header = one_line(self.source.slice(header));
        bound.terms.keys().any(|atom| atom.starts_with(&header))
    }

    /// What has to hold for a thread to run a loop that may be long, if one does.
    fn thread(&self, region: &Region, span: Span) -> Option<Vec<Part>> {
        region.ops.iter().find_map(|op| match op.kind {
            OpKind::Launch(kernel) => {
                let kernel = &self.kernels[kernel.0 as usize];
                let is_long = op.span == span && kernel.rank == 0 && kernel.code().is_some_and(has_long_loop);
                is_long.then(Vec::new)
            }
            OpKind::If if op.span == span => {
                let [then, otherwise] = [0, 1].map(|n| self.thread(&op.regions[n], span));
                let then = then.map(|needed| [needed, self.parts(op.operands[0])].concat());
                // Where both are threads the second needs less.
                otherwise.or(then)
            }
            _ => None,
        })
    }

    /// The conditions that have to hold at once.
    fn parts(&self, value: ValueId) -> Vec<Part> {
        let op = self.formulas.definition(value);
        let operands = op.map_or(&[][..], |op| &op.operands);
        match op.map(|op| &op.kind) {
            Some(OpKind::Scalar(ScalarOp::BitAnd)) => operands.iter().flat_map(|v| self.parts(*v)).collect(),
            _ if !self.formulas.is_readable(value) => Vec::new(),
            Some(OpKind::Scalar(ScalarOp::BitNot)) => fails(&self.parts(operands[0])).into_iter().collect(),
            kind => {
                let (mut bounds, mut others) = (Vec::new(), Vec::new());
                self.formulas.conjuncts(value, &mut bounds, &mut others);
                let bounds = bounds.into_iter().map(Part::at_least_zero);
                let is_either = kind == Some(&OpKind::Scalar(ScalarOp::BitOr));
                let either: Vec<Part> = operands.iter().filter(|_| is_either).flat_map(|v| self.parts(*v)).collect();
                let is_bounded = either.len() == operands.len() && either.iter().all(|part| part.bound().is_some());
                let any: Vec<Linear> = either.into_iter().filter(|_| is_bounded).flat_map(|part| part.any).collect();
                let others = others.into_iter().map(|text| Part { value: None, any: any.clone(), text });
                bounds.chain(others).map(|part| Part { value: Some(value), text: shown(&part.text), ..part }).collect()
            }
        }
    }

    /// What is known of the int that a loop on the host carries or counts.
    fn counted(&self, op: &Op) -> Vec<Part> {
        let mut known = Vec::new();
        let mut from = |value: ValueId, first: Linear| {
            known.push(Part::at_least_zero(self.formulas.linear(value).minus(&first)));
        };
        match (&op.kind, op.regions.as_slice()) {
            (OpKind::For | OpKind::While, _) if !op.operands.iter().all(|v| self.formulas.is_readable(*v)) => {}
            (OpKind::For, [body]) if self.formulas.linear(op.operands[2]).as_number().is_some_and(|step| step > 0) => {
                if let Some(index) = body.parameters.first() {
                    from(*index, self.formulas.linear(op.operands[0]));
                }
            }
            (OpKind::While, [_, body]) => {
                let next = body.ops.last().map_or(&[][..], |op| &op.operands);
                let values = op.operands.iter().zip(&body.parameters).zip(next);
                for ((first, value), next) in values.filter(|(_, next)| self.formulas.is_readable(**next)) {
                    let (own, first) = (self.formulas.linear(*value), self.formulas.linear(*first));
                    let more = self.formulas.linear(*next).minus(&own);
                    // What doubles does not fall, either, if it is not negative.
                    let is_multiple = first.as_number().is_some_and(|first| first >= 0)
                        && more.constant >= 0
                        && own.constant == 0
                        && more.terms.iter().all(|(atom, n)| *n >= 0 && own.terms.get(atom) == Some(&1));
                    if self.formulas.is_int(*value) && (more.as_number().is_some_and(|more| more >= 0) || is_multiple) {
                        from(*value, first);
                    }
                }
            }
            _ => {}
        }
        known
    }

    /// Whether a condition is about ints that the program has: not about extents alone, nor about anything else.
    fn is_of_ints(&self, value: ValueId) -> bool {
        let (mut is_of_ints, mut is_of_others) = (false, false);
        let mut pending = vec![value];
        while let Some(value) = pending.pop() {
            match self.formulas.definition(value).map(|op| (&op.kind, &op.operands)) {
                None => is_of_ints = true,
                Some((OpKind::Constant(_) | OpKind::Dim(_), _)) => {}
                Some((OpKind::Scalar(_) | OpKind::SliceBounds { .. }, operands)) => pending.extend(operands),
                Some(_) => is_of_others = true,
            }
        }
        is_of_ints && !is_of_others
    }

    /// Whether a loop has no iteration where a condition holds.
    fn is_empty(&self, bound: &Linear, of: &Op) -> bool {
        let [lower, upper, step] = [0, 1, 2].map(|n| self.formulas.linear(of.operands[n]));
        let distance = upper.minus(&lower).plus(bound, 1).as_number();
        step.as_number().is_some_and(|step| step > 0) && distance.is_some_and(|distance| distance <= 0)
    }

    /// Whether a loop has few iterations where a condition does not hold.
    fn is_short(&self, bound: &Linear, of: &Op) -> bool {
        let [lower, upper, step] = [0, 1, 2].map(|n| self.formulas.linear(of.operands[n]));
        let distance = upper.minus(&lower);
        match step.as_number() {
            // Then the bound is -1 at most.
            Some(step) => {
                let distance = if step < 0 { lower.minus(&upper) } else { distance };
                let most = distance.minus(bound).as_number();
                most.is_some_and(|most| most <= SHORT_LOOP_ITERATIONS.saturating_mul(step.saturating_abs()))
            }
            // A step that is not positive, to an end that is not before the beginning.
            None => {
                let is_step = step.minus(bound).as_number().is_some_and(|more| more <= 1);
                is_step && lower.minus(&upper).without_extents().as_number().is_some_and(|n| n <= 0)
            }
        }
    }
}

/// What holds where a condition does not, if that is one.
fn fails(holds: &[Part]) -> Option<Part> {
    match holds {
        [only] => only.bound().and_then(|bound| bound.fails()).map(Part::at_least_zero),
        _ => None,
    }
}

/// The counted loops of a region.
fn loops_in(region: &Region) -> Vec<&Op> {
    let mut found = Vec::new();
    for op in &region.ops {
        found.extend((op.kind == OpKind::For).then_some(op));
        found.extend(op.regions.iter().flat_map(loops_in));
    }
    found
}
