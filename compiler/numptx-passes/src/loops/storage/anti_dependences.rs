//! Reads of what later iterations overwrite, and loops that are parallel once they look at copies.
//!
//! In: a loop, its translation, and the classes of the loops in it. Out: the loops, and by array the reads, with the loop before which a copy
//! holds what they see. Changes nothing: `copy_overwritten` does.

use std::collections::{BTreeMap, HashMap};

use numptx_ir::array::{Function, Op, OpKind, ValueId};

use crate::analysis::traverse::for_each_op;
use crate::loops::dependence::{AccessId, Class, LoopId, Step, Subscript, Variable, classify, is_unwritten_before};
use crate::loops::nest::program::Translation;
use crate::loops::nest::rows::originals::Originals;
use crate::loops::schedule::cost::COPY_ITERATIONS;

/// Reads of one array that shall look at a copy.
pub struct Reads {
    /// The loop before which it is made.
    pub before: ValueId,
    /// The array.
    pub array: ValueId,
    /// Its reads.
    pub reads: Vec<Read>,
}

/// A read, and the views through which it sees the array, from the array on.
pub struct Read {
    /// The access.
    pub access: AccessId,
    /// The op that reads, counted in the order of the text.
    pub position: u32,
    /// The views.
    pub views: Vec<Op>,
}

/// Loops that copies make parallel, by their indices, and what is to be copied for them. None where a read cannot look at a copy. `is_cooperative`: whether
/// threads share what is in branches and in loops that carry something, too.
pub fn anti_dependent_reads(
    function: &Function,
    op: &Op,
    whole: &Translation,
    originals: &Originals,
    is_cooperative: bool,
) -> (Vec<ValueId>, Vec<Reads>) {
    let mut search = Search { function, op, whole, originals, loops: Vec::new(), found: Some(BTreeMap::new()) };
    search.visit(op, is_cooperative);
    (search.loops, search.found.unwrap_or_default().into_values().collect())
}

/// What becomes of the axes of an array's view that nothing was taken of yet. `None` where a copy would look otherwise.
pub fn follow(kind: &OpKind, fresh: &mut Vec<Option<usize>>) -> Option<()> {
    match kind {
        OpKind::Slice { axis } => fresh[*axis] = None,
        OpKind::Index { axis } => _ = fresh.remove(*axis),
        OpKind::NewAxis { axis } => fresh.insert(*axis, None),
        OpKind::Permute { permutation } => *fresh = permutation.iter().map(|axis| fresh[*axis]).collect(),
        OpKind::DropAxis { axis } if fresh[*axis].is_none() => _ = fresh.remove(*axis),
        OpKind::ReadOnly => {}
        _ => return None,
    }
    Some(())
}

/// The search for loops that copies make parallel.
struct Search<'s> {
    function: &'s Function,
    op: &'s Op,
    whole: &'s Translation,
    originals: &'s Originals,
    /// The loops, by their indices.
    loops: Vec<ValueId>,
    /// By loop and array; `None` where a read cannot look at a copy.
    found: Option<BTreeMap<(ValueId, ValueId), Reads>>,
}

impl<'s> Search<'s> {
    /// `is_cooperative`: whether threads share what is in branches and in loops that carry something, too.
    fn visit(&mut self, op: &'s Op, is_cooperative: bool) {
        if op.kind == OpKind::For && op.results.is_empty() {
            let chain = self.chain(op);
            let ahead: Vec<ValueId> = chain.iter().copied().filter(|index| self.pays(*index, chain[0])).collect();
            if let Some(first) = chain.first()
                && !ahead.is_empty()
                && !self.originals.contains_key(first)
            {
                self.loops.extend(&ahead);
                ahead.into_iter().for_each(|index| self.note(index, *first));
            }
            if !chain.is_empty() {
                return;
            }
        } else if !is_cooperative {
            return;
        }
        let nested = op.regions.iter().flat_map(|region| &region.ops);
        nested.filter(|op| !op.regions.is_empty()).for_each(|op| self.visit(op, is_cooperative));
    }

    fn id(&self, index: ValueId) -> Option<LoopId> {
        self.whole.loops.get(&index).copied()
    }

    fn ahead(&self, index: ValueId) -> Vec<AccessId> {
        match self.id(index).map(|id| classify(&self.whole.nest, id)) {
            Some(Class::ParallelWithSnapshot(reads)) => reads,
            _ => Vec::new(),
        }
    }

    /// The loop and those that are all there is in it, as long as copies make all of them parallel.
    fn chain(&self, op: &'s Op) -> Vec<ValueId> {
        let mut chain = Vec::new();
        let mut level = Some(op);
        while let Some(op) = level {
            let index = op.regions[0].parameters[0];
            let class = self.id(index).map(|id| classify(&self.whole.nest, id));
            let may_be = matches!(class, Some(Class::Parallel | Class::ParallelWithSnapshot(_)));
            if !may_be || !op.results.is_empty() {
                break;
            }
            chain.push(index);
            let is_effect = |op: &&Op| {
                !op.kind.is_pure_scalar_or_view()
                    && !op.kind.is_terminator()
                    && !matches!(op.kind, OpKind::Check { .. })
            };
            let mut effects = op.regions[0].ops.iter().filter(is_effect);
            level = effects.next().filter(|op| op.kind == OpKind::For && effects.next().is_none());
        }
        chain
    }

    /// Whether a loop is to be parallel by copies: the first one, and others along which neighbours lie.
    fn pays(&self, index: ValueId, first: ValueId) -> bool {
        let reads = self.ahead(index);
        let Some(id) = self.id(index).filter(|_| !reads.is_empty()) else { return false };
        let of = self.whole.nest.loop_of(id);
        let Step::Known(step) = of.step else { return false };
        let distance = of.upper.first().and_then(|upper| upper.minus(&of.lower)).and_then(|d| d.as_constant());
        if distance.is_some_and(|d| d / step < COPY_ITERATIONS) {
            return false;
        }
        let is_along = |read: &AccessId| match self.whole.nest.access(*read).subscripts.last() {
            Some(Subscript::Index(last)) => {
                last.terms().iter().any(|(v, factor)| *v == Variable::Index(id) && factor.abs() == 1)
            }
            _ => false,
        };
        index == first || reads.iter().all(is_along)
    }

    /// Notes the reads of a loop, for copies before another one.
    fn note(&mut self, index: ValueId, before: ValueId) {
        let mut definitions = HashMap::new();
        let mut visit = |op: &'s Op| definitions.extend(op.results.iter().map(|v| (*v, op)));
        self.op.regions.iter().for_each(|region| for_each_op(region, &mut visit));
        for access in self.ahead(index) {
            let found = self.read(access, before, &definitions);
            let (Some(all), Some((array, read))) = (&mut self.found, found) else {
                self.found = None;
                return;
            };
            let reads = all.entry((before, array)).or_insert_with(|| Reads { before, array, reads: Vec::new() });
            if !reads.reads.iter().any(|known| known.access == read.access) {
                reads.reads.push(read);
            }
        }
    }

    fn read(
        &self,
        access: AccessId,
        before: ValueId,
        definitions: &HashMap<ValueId, &'s Op>,
    ) -> Option<(ValueId, Read)> {
        let (position, value) = *self.whole.reads.get(&access)?;
        if !is_unwritten_before(&self.whole.nest, access, self.id(before)?) {
            return None;
        }
        let mut views = Vec::new();
        let mut array = value;
        while let Some(op) = definitions.get(&array) {
            if !op.kind.is_view() {
                return None;
            }
            views.push((*op).clone());
            array = op.operands[0];
        }
        views.reverse();
        let mut fresh: Vec<Option<usize>> = (0..self.function.array(array)?.rank).map(Some).collect();
        views.iter().try_for_each(|view| follow(&view.kind, &mut fresh))?;
        // What a body chooses along an axis lies where it did.
        (!views.is_empty() && fresh.iter().all(Option::is_none)).then_some((array, Read { access, position, views }))
    }
}
