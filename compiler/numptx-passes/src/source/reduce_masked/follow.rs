//! Follows chosen elements through a region, op by op.
//!
//! In: the ops after a count, in order. Out: what they make of chosen elements, noted in the plan, or that they need these next to each other.

use std::collections::HashSet;

use numptx_ir::DType;
use numptx_ir::array::{Map, Op, OpKind, Order, Reduce, Scatter, ValueId};
use numptx_ir::scalar::{InstrKind, Reducer};

use crate::analysis::compactions::{Counting, Move};
use crate::analysis::traverse::for_each_op;
use crate::loops::schedule::cost::MASKED_REDUCTIONS;
use crate::source::reduce_masked::followed::Follow;
use crate::source::reduce_masked::plan::{Plan, Search, filled};

impl<'s, 'f> Follow<'s, 'f> {
    /// Before the first op behind a count; `plan` holds what the count says.
    /// `countings`: those of as many elements as are chosen.
    pub fn of(
        search: &'s Search<'f>,
        (moves, countings): (Vec<Move<'f>>, Vec<Counting>),
        plan: Plan,
        running: ValueId,
    ) -> Self {
        Follow {
            search,
            moves,
            countings,
            plan,
            is_filled: HashSet::new(),
            matrices: HashSet::new(),
            moved_at: Vec::new(),
            positions: HashSet::new(),
            known: Vec::new(),
            running,
            n_reductions: 0,
            work: 0,
            depth: 0,
        }
    }

    /// The plan, unless positions would be others, or too much would be computed; and the moves.
    pub fn finished(self) -> Option<(Plan, Vec<Move<'f>>)> {
        let is_whole = self.positions_stay() && self.n_reductions <= MASKED_REDUCTIONS && self.is_worthwhile();
        is_whole.then_some((self.plan, self.moves))
    }
}

impl Follow<'_, '_> {
    /// Whether an op uses chosen elements; `None` where it needs them next to each other.
    pub fn op(&mut self, op: &Op) -> Option<bool> {
        if self.depth == 0 {
            self.known.extend(self.search.equal(op));
        }
        let is_moved = |value: &ValueId| self.moves.iter().any(|m| m.chosen == *value);
        if let (OpKind::Alloc { order: Order::C, .. }, [extent], [vector]) =
            (&op.kind, &op.operands[..], &op.results[..])
            && is_moved(vector)
        {
            self.plan.axes.insert(*vector, 0);
            return (*extent == self.plan.count).then_some(true);
        }
        if let Some(vector) = filled(op).filter(is_moved) {
            return self.moved(op, vector).map(|()| true);
        }
        if self.inner(op)? {
            return Some(true);
        }
        if self.is_matrix(op) {
            return Some(true);
        }
        if self.is_row(op) {
            return Some(true);
        }
        if op.kind == OpKind::If && self.replaced(op).is_some() {
            return Some(true);
        }
        if op.kind == OpKind::Item && self.positions.contains(&op.operands[0]) {
            self.positions.insert(op.results[0]);
            return Some(true);
        }
        if !self.uses(op) {
            return Some(false);
        }
        match &op.kind {
            kind if kind.is_view() => self.view(op),
            OpKind::Map(map) if self.depth == 0 => self.map(op, map),
            OpKind::Reduce(reduce) => self.reduce(op, reduce),
            OpKind::Scatter(scatter) if self.depth == 0 => self.scatter(op, scatter),
            OpKind::If => self.branch(op),
            _ => None,
        }
        .map(|()| true)
    }

    /// Branches look at elements, and say what is wrong with them.
    fn branch(&mut self, op: &Op) -> Option<()> {
        if op.operands.iter().any(|v| self.is_chosen(*v)) {
            return None;
        }
        self.depth += 1;
        for nested in op.regions.iter().flat_map(|region| &region.ops) {
            self.op(nested)?;
        }
        self.depth -= 1;
        Some(())
    }

    /// Whether nothing but elements at them is made of positions among chosen elements: they are others now.
    fn positions_stay(&self) -> bool {
        let mut stays = true;
        for_each_op(&self.search.function.body, &mut |op| {
            let is_used = op.operands.iter().any(|v| self.positions.contains(v));
            let is_known = |v: &ValueId| self.plan.reductions.contains(v) || self.plan.rows.contains_key(v);
            let is_read = op.kind == OpKind::Item || op.results.first().is_some_and(is_known);
            stays &= !is_used || is_read;
        });
        stays
    }

    fn scatter(&mut self, op: &Op, scatter: &Scatter) -> Option<()> {
        let axis = self.axis(&op.operands[..scatter.rank])?;
        let destination = op.operands[scatter.rank];
        if self.is_chosen(destination) || self.plan.scattered.contains(&destination) {
            return None;
        }
        let inputs = [&op.operands[..scatter.rank], &op.operands[scatter.rank + 1..]].concat();
        self.body(op, &inputs, (&scatter.body, axis, scatter.rank))?;
        self.plan.scattered.insert(destination);
        Some(())
    }

    /// Whether an op makes a matrix whose columns are filled with what is chosen, or is such a column.
    fn is_matrix(&mut self, op: &Op) -> bool {
        let columns = self.moves.iter().filter_map(|m| self.search.definitions.get(m.chosen));
        let mut columns = columns.filter(|column| matches!(column.kind, OpKind::Index { axis: 1 }));
        let is_part = match &op.kind {
            OpKind::Alloc { order: Order::C, .. } => {
                op.operands.first() == Some(&self.plan.count)
                    && columns.any(|column| column.operands[0] == op.results[0])
            }
            OpKind::Index { axis: 1 } => columns.any(|column| column.results == op.results),
            _ => false,
        };
        if is_part {
            self.plan.axes.insert(op.results[0], 0);
        }
        if let (true, OpKind::Index { .. }, Some(column)) =
            (is_part, &op.kind, op.operands.get(1).and_then(|v| self.search.definitions.int(*v)))
        {
            self.plan.columns.insert((op.operands[0], column), op.results[0]);
        }
        if is_part && matches!(op.kind, OpKind::Alloc { .. }) {
            self.matrices.insert(op.results[0]);
        }
        is_part
    }

    /// Whether an op gives a row of a matrix at a position, or an element of such a row.
    fn is_row(&mut self, op: &Op) -> bool {
        let (OpKind::Index { axis: 0 }, [array, at]) = (&op.kind, &op.operands[..]) else { return false };
        if self.matrices.contains(array) && self.positions.contains(at) {
            self.plan.rows.insert(op.results[0], (*array, *at));
            return true;
        }
        let element = self.plan.rows.get(array).and_then(|(matrix, position)| {
            let column = (*matrix, self.search.definitions.int(*at)?);
            let vector = self.plan.columns.get(&column).filter(|vector| self.is_filled.contains(vector))?;
            Some((*vector, *position))
        });
        element.is_some_and(|(vector, position)| self.element(op.results[0], vector, position).is_some())
    }

    fn uses(&self, op: &Op) -> bool {
        let is_running = |v: &ValueId| self.plan.inner.iter().any(|counting| counting.running == *v);
        let is_known = |v: &ValueId| self.is_chosen(*v) || self.plan.rows.contains_key(v) || is_running(v);
        let is_chosen = |op: &Op| op.operands.iter().any(is_known);
        let mut uses = is_chosen(op);
        op.regions.iter().for_each(|region| for_each_op(region, &mut |op| uses |= is_chosen(op)));
        uses
    }

    fn moved(&mut self, op: &Op, vector: ValueId) -> Option<()> {
        let moved = self.moves.iter().find(|m| m.chosen == vector)?;
        let whole: Vec<_> = moved.inputs.iter().filter_map(|input| Some((*input, self.whole(*input)?))).collect();
        self.plan.whole.extend(whole);
        let body = &moved.scatter.body;
        if let InstrKind::Index(axis) = body.instrs[body.outputs[0].0 as usize].kind {
            self.plan.indices.insert(vector, axis as usize);
        }
        self.moved_at.push((vector, op.span));
        (self.plan.axes.contains_key(&vector) && self.is_filled.insert(vector)).then_some(())
    }

    fn map(&mut self, op: &Op, map: &Map) -> Option<()> {
        let axis = self.axis(&op.operands[..map.rank])?;
        self.body(op, &op.operands, (&map.body, axis, map.rank))?;
        self.plan.axes.extend(op.results.iter().map(|v| (*v, axis)));
        Some(())
    }

    fn reduce(&mut self, op: &Op, reduce: &Reduce) -> Option<()> {
        let axis = self.axis(&op.operands[..reduce.rank])?;
        let is_whole = axis >= reduce.rank - reduce.n_reduced && reduce.order == Order::C;
        let is_first = reduce.reducers == [Reducer::ArgMax]
            && reduce.rank == 1
            && reduce.body.output_dtypes() == vec![DType::Bool];
        if !is_whole || !is_first && reduce.reducers.iter().any(|reducer| reducer.is_positional()) {
            return None;
        }
        if is_first {
            self.positions.insert(op.results[0]);
        }
        self.n_reductions += usize::from(self.depth == 0);
        self.body(op, &op.operands, (&reduce.body, axis, reduce.rank))?;
        self.plan.reductions.insert(*op.results.first()?);
        self.fuse_into(op.span);
        Some(())
    }
}
