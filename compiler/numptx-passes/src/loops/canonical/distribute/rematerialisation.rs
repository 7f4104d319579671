//! Elements that are read before parallel loops, and scalars of them, read again in the iterations of these.
//!
//! In: a loop and its translation. Out: the loop in which the parallel loops of an iteration compute for themselves what it reads before them, so that
//! they are all there is in it, and become axes of a nest or steps of their own: of `for i: f = x[i]; for j: z[i, j] = f * y[j]` work items have two axes.
//! That is right where nothing is written in between, and where the inner loop stays parallel with the reads in it: then no iteration writes what
//! another one reads. A number that was stored may be read from where it went.

use std::collections::{HashMap, HashSet};

use numptx_ir::array::{Op, OpKind, Region, ValueId};
use numptx_ir::scalar::{InstrKind, ScalarOp};
use numptx_source::Span;

use crate::analysis::points_to::written_arrays;
use crate::analysis::traverse::{for_each_op, substitute};
use crate::loops::canonical::distribute::sink_guards::is_branch_of_loops;
use crate::loops::dependence::{Class, classify};
use crate::loops::function::FormNests;
use crate::loops::nest::program::Program;
use crate::loops::nest::program::Translation;
use crate::loops::schedule::cost::{FUNCTION_READ_AGAIN, READ_AGAIN};

/// Which reads are moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Those of arrays that the loop with them does not write, where nothing else uses them: a processor's compiler reads them once.
    Once,
    /// All.
    Again,
}

impl FormNests<'_> {
    /// Lets the parallel loops in a loop read for themselves; the translation of what became of the loop.
    pub fn reading_again(
        &mut self,
        op: &mut Op,
        whole: Translation,
        program: &Program,
        reading: Reading,
    ) -> Translation {
        let mut inner = HashSet::new();
        let mut visit = |nested: &Op| {
            if nested.kind == OpKind::For && nested.results.is_empty() {
                inner.insert(nested.regions[0].parameters[0]);
            }
        };
        op.regions.iter().for_each(|region| for_each_op(region, &mut visit));
        inner.retain(|index| is_parallel(&whole, index));
        while !inner.is_empty() {
            let mut changed = op.clone();
            let mut moved = Vec::new();
            for region in &mut changed.regions {
                self.read_again(region, &inner, reading, &mut moved);
            }
            let program = Program { ops: std::slice::from_ref(&changed), ..*program };
            let Some(again) = (if moved.is_empty() { None } else { self.whole(&program).ok() }) else { break };
            if !self.is_apart(&again) {
                break;
            }
            moved.retain(|index| !is_parallel(&again, index));
            if moved.is_empty() {
                *op = changed;
                return again;
            }
            moved.iter().for_each(|index| _ = inner.remove(index));
        }
        whole
    }

    /// Notes the loops of an op that threads could share. Whether such loops use what stands before them in the iterations of another one.
    pub fn uses_scalars_of_work_items(&mut self, op: &Op, whole: &Translation) -> bool {
        let is_shared = |op: &Op| {
            op.kind == OpKind::For && op.results.is_empty() && is_parallel(whole, &op.regions[0].parameters[0])
        };
        let (mut found, mut shared) = (false, HashSet::new());
        let mut visit = |op: &Op| {
            if is_shared(op) {
                shared.insert(op.span);
                let branches = op.regions[0].ops.iter().filter(|op| is_branch_of_loops(op));
                for region in branches.map(|op| &op.regions[0]).chain([&op.regions[0]]) {
                    let movable = self.movable(region, &HashSet::new(), Reading::Again);
                    let used = used_through_views(region, &is_shared);
                    found |= used.iter().any(|v| movable.contains(v));
                }
            }
        };
        visit(op);
        op.regions.iter().for_each(|region| for_each_op(region, &mut visit));
        self.draft.shared_spans = shared;
        found
    }

    fn read_again(
        &mut self,
        region: &mut Region,
        inner: &HashSet<ValueId>,
        reading: Reading,
        moved: &mut Vec<ValueId>,
    ) {
        let mut known = Known::default();
        let mut ops: Vec<Op> = Vec::with_capacity(region.ops.len());
        let movable = self.movable(region, inner, reading);
        for mut op in std::mem::take(&mut region.ops) {
            let is_inner = op.kind == OpKind::For && inner.contains(&op.regions[0].parameters[0]);
            if is_inner && self.reads_in(&mut op, &known, &movable, reading) {
                moved.push(op.regions[0].parameters[0]);
            }
            for nested in &mut op.regions {
                self.read_again(nested, inner, reading, moved);
            }
            self.forget_written(&mut known, &op);
            self.learn(&mut known, &op);
            ops.push(op);
        }
        // What nothing uses any more is not read.
        loop {
            let mut used = HashSet::new();
            ops.iter().for_each(|op| uses(op, &mut used));
            let n_ops = ops.len();
            ops.retain(|op| !(can_be_again(op) && op.results.iter().all(|v| movable.contains(v) && !used.contains(v))));
            if ops.len() == n_ops {
                break;
            }
        }
        region.ops = ops;
    }

    /// What may be read again in the inner loops of an iteration, and depends on what is read.
    pub(crate) fn movable(&self, region: &Region, inner: &HashSet<ValueId>, reading: Reading) -> HashSet<ValueId> {
        let mut movable: HashSet<ValueId> = HashSet::new();
        for op in region.ops.iter().filter(|op| can_be_again(op)) {
            let reads = !matches!(op.kind, OpKind::Scalar(_)) || op.operands.iter().any(|v| movable.contains(v));
            movable.extend(op.results.iter().filter(|_| reads));
        }
        if reading == Reading::Once {
            // What is used elsewhere stays, and so does what that is computed of.
            let mut n_movable = usize::MAX;
            while std::mem::replace(&mut n_movable, movable.len()) > movable.len() {
                let elsewhere = used_elsewhere(region, inner, &movable);
                movable.retain(|v| !elsewhere.contains(v));
            }
        }
        movable
    }

    /// Puts what an inner loop uses of an iteration into its own iterations; whether it uses any.
    fn reads_in(&mut self, op: &mut Op, known: &Known, movable: &HashSet<ValueId>, reading: Reading) -> bool {
        let mut wanted = HashSet::new();
        op.regions.iter().for_each(|region| for_each_op(region, &mut |nested| wanted.extend(&nested.operands)));
        wanted.retain(|v| movable.contains(v));
        let Some(mut chain) = known.chain_of(wanted.clone(), movable) else { return false };
        let written = written_arrays(op);
        let is_once = chain.iter().all(|read| !read.operands.iter().any(|v| self.is_shared_with(*v, &written)));
        if wanted.is_empty()
            || chain.iter().map(cost).sum::<usize>() > READ_AGAIN
            || (reading == Reading::Once && !is_once)
        {
            return false;
        }
        let names = self.rename(&mut chain);
        let region = &mut op.regions[0];
        substitute(region, &names);
        region.ops.splice(0..0, chain);
        true
    }

    pub(crate) fn is_shared_with(&self, array: ValueId, written: &[ValueId]) -> bool {
        self.function.array(array).is_some()
            && written.iter().any(|other| self.known.points_to.may_share(array, *other))
    }

    fn forget_written(&self, known: &mut Known, op: &Op) {
        let written = written_arrays(op);
        let mut lost: HashSet<ValueId> = HashSet::new();
        known.ops.retain(|read| {
            let mut touched = read.operands.iter().chain(&read.results);
            let is_lost = touched.any(|v| lost.contains(v) || self.is_shared_with(*v, &written));
            lost.extend(read.results.iter().filter(|_| is_lost));
            !is_lost
        });
        known.cells.retain(|cell| !self.is_shared_with(*cell, &written));
        known.items.retain(|(cell, _)| !self.is_shared_with(*cell, &written));
        known
            .stored
            .retain(|v, (place, _)| !self.is_shared_with(*place, &written) && !self.is_shared_with(*v, &written));
    }

    fn learn(&self, known: &mut Known, op: &Op) {
        if can_be_again(op) {
            known.ops.push(op.clone());
        }
        if let OpKind::Map(_) = op.kind {
            known.cells.extend(&op.results);
        }
        if let (OpKind::Item, [cell], [value]) = (&op.kind, &op.operands[..], &op.results[..])
            && known.cells.contains(cell)
        {
            known.items.push((*cell, *value));
            if let Some(place) = known.stored.get(cell).copied() {
                known.stored.insert(*value, place);
            }
        }
        if let OpKind::Store(store) = &op.kind
            && let ([output], [place, value], 0) = (&store.body.outputs[..], &op.operands[..], store.rank)
            && let InstrKind::Input(0) = store.body.instrs[output.0 as usize].kind
            && (self.function.array(*value).is_none() || known.cells.contains(value))
            && self.function.ty(*value).dtype() == self.function.ty(*place).dtype()
        {
            let items = known.items.iter().filter(|(cell, _)| cell == value).map(|(_, item)| *item);
            let values: Vec<ValueId> = items.chain([*value]).collect();
            known.stored.extend(values.into_iter().map(|value| (value, (*place, op.span))));
        }
    }
}

/// What others use than inner loops in their iterations, and what may move with them.
fn used_elsewhere(region: &Region, inner: &HashSet<ValueId>, movable: &HashSet<ValueId>) -> HashSet<ValueId> {
    let mut elsewhere = HashSet::new();
    for op in region.ops.iter().filter(|op| !op.results.iter().any(|v| movable.contains(v))) {
        match op.kind == OpKind::For && inner.contains(&op.regions[0].parameters[0]) {
            true => elsewhere.extend(&op.operands),
            false => uses(op, &mut elsewhere),
        }
    }
    elsewhere
}

/// What an iteration read so far that is in memory as it was.
#[derive(Debug, Default)]
struct Known {
    /// Reads, and what is computed of them.
    ops: Vec<Op>,
    /// Arrays of rank 0 that were made, and what was read from them.
    cells: HashSet<ValueId>,
    items: Vec<(ValueId, ValueId)>,
    /// Where numbers were stored, and by which op.
    stored: HashMap<ValueId, (ValueId, Span)>,
}

impl Known {
    /// The ops that compute values anew.
    fn chain_of(&self, mut wanted: HashSet<ValueId>, movable: &HashSet<ValueId>) -> Option<Vec<Op>> {
        let mut chain = Vec::new();
        for op in self.ops.iter().rev() {
            if op.results.iter().any(|v| wanted.contains(v)) {
                op.results.iter().for_each(|v| _ = wanted.remove(v));
                wanted.extend(op.operands.iter().filter(|v| movable.contains(v)));
                chain.push(op.clone());
            }
        }
        // What is not there any more may have been stored.
        let mut wanted: Vec<ValueId> = wanted.into_iter().collect();
        wanted.sort_unstable();
        for value in wanted {
            let (place, span) = *self.stored.get(&value)?;
            chain.push(Op {
                kind: OpKind::Item,
                operands: vec![place],
                results: vec![value],
                regions: Vec::new(),
                span,
            });
        }
        chain.reverse();
        Some(chain)
    }
}

/// Whether the loop of an index is parallel.
fn is_parallel(whole: &Translation, index: &ValueId) -> bool {
    whole.loops.get(index).is_some_and(|id| classify(&whole.nest, *id) == Class::Parallel)
}

fn can_be_again(op: &Op) -> bool {
    match &op.kind {
        OpKind::Item | OpKind::Scalar(_) => true,
        OpKind::Map(map) => map.rank == 0,
        _ => false,
    }
}

/// What computing it again costs.
fn cost(op: &Op) -> usize {
    let of = |scalar: &ScalarOp| match scalar {
        ScalarOp::Math(_) | ScalarOp::Pow | ScalarOp::Gcd => FUNCTION_READ_AGAIN,
        _ => 1,
    };
    match &op.kind {
        OpKind::Scalar(scalar) => of(scalar),
        OpKind::Map(map) => {
            let costs = map.body.instrs.iter().map(|instr| match &instr.kind {
                InstrKind::Op(scalar, _) => of(scalar),
                _ => 0,
            });
            costs.sum()
        }
        _ => 1,
    }
}

/// What an op uses, and what is in it.
fn uses(op: &Op, used: &mut HashSet<ValueId>) {
    used.extend(&op.operands);
    op.regions.iter().for_each(|region| for_each_op(region, &mut |nested| used.extend(&nested.operands)));
}

/// What those ops of a region use that are asked for, or loops in them, also through views of it.
pub(crate) fn used_through_views(region: &Region, is_asked: &dyn Fn(&Op) -> bool) -> HashSet<ValueId> {
    let mut used = HashSet::new();
    for op in region.ops.iter().rev() {
        if is_asked(op) && op.regions.is_empty() {
            used.extend(&op.operands);
        } else if is_asked(op) {
            op.regions.iter().for_each(|region| for_each_op(region, &mut |nested| used.extend(&nested.operands)));
        } else if op.kind.is_view() && op.results.iter().any(|v| used.contains(v)) {
            used.insert(op.operands[0]);
        }
    }
    used
}
