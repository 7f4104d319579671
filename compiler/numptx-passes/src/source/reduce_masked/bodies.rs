//! Whether what a body computes of chosen elements may be computed at all elements.
//!
//! In: a body, its operands, and along which axis chosen elements lie. Out: `None` where it would know another index. Also which of its instructions read the
//! element of a table at the work item's own indices, and which read elements that are there for chosen work items only.

use numptx_ir::array::{Op, OpKind, ValueId};
use numptx_ir::scalar::{Body, InstrKind, Val};

use crate::analysis::work::work_of;
use crate::loops::nest::rows::broadcasts::Along;
use crate::source::reduce_masked::followed::Follow;
use crate::source::reduce_masked::plan::Repeated;

/// A work item's index, along the axes that there are with the mask's.
#[derive(Clone, Copy)]
struct WorkItem {
    axis: usize,
    of_mask: bool,
}

impl Follow<'_, '_> {
    /// Whether a body may run at elements that are not chosen, too.
    pub(crate) fn body(
        &mut self,
        op: &Op,
        operands: &[ValueId],
        (body, axis, rank): (&Body, usize, usize),
    ) -> Option<()> {
        let (extents, operands) = operands.split_at(rank);
        let (inputs, tables) = body.split_tables(operands)?;
        self.work += work_of(body);
        for input in inputs {
            self.input(*input, axis, rank)?;
        }
        if tables.iter().any(|table| self.is_chosen(*table)) {
            return None;
        }
        // Values that are what they should be at chosen elements only.
        let mut is_loose: Vec<bool> = Vec::with_capacity(body.instrs.len());
        for instr in &body.instrs {
            let used = instr.kind.operands().iter().any(|v| is_loose[v.0 as usize]);
            let loose = match &instr.kind {
                InstrKind::Input(n) => self.is_chosen(inputs[*n as usize]),
                InstrKind::Index(n) if *n as usize == axis => return None,
                InstrKind::Element(n, indices) => {
                    let table = tables[*n as usize];
                    let is_found = |(along, index): (usize, &Val)| match body.instrs[index.0 as usize].kind {
                        _ if !is_loose[index.0 as usize] => true,
                        InstrKind::Input(n) => self.is_in_range(table, along, inputs[n as usize]),
                        _ => false,
                    };
                    let is_there = indices.iter().enumerate().all(is_found);
                    let work_items: Vec<Option<WorkItem>> =
                        indices.iter().map(|v| self.work_item(&body.instrs[v.0 as usize].kind, axis, inputs)).collect();
                    let extents = [&extents[..axis], &self.plan.extents, &extents[axis + 1..]].concat();
                    let at = op.results.first().map(|result| (*result, is_loose.len()));
                    if let Some(at) = at.filter(|_| is_there && self.is_plain(table, &work_items, &extents)) {
                        self.plan.plain.insert(at);
                    } else if !is_there {
                        self.plan.guarded.insert(at?);
                    }
                    true
                }
                _ => used,
            };
            is_loose.push(loose);
        }
        Some(())
    }

    /// The index of a work item that a value is.
    fn work_item(&self, kind: &InstrKind, at: usize, inputs: &[ValueId]) -> Option<WorkItem> {
        match kind {
            InstrKind::Index(n) if (*n as usize) < at => Some(WorkItem { axis: *n as usize, of_mask: false }),
            InstrKind::Index(n) => Some(WorkItem { axis: *n as usize + self.plan.extents.len() - 1, of_mask: false }),
            InstrKind::Input(n) => {
                let axis = at + self.plan.indices.get(inputs.get(*n as usize)?)?;
                Some(WorkItem { axis, of_mask: true })
            }
            _ => None,
        }
    }

    /// Whether a table has the extents of the work items, each of which reads its own element.
    fn is_plain(&self, table: ValueId, work_items: &[Option<WorkItem>], extents: &[ValueId]) -> bool {
        let is_own = |along: usize| {
            let Some(work_item) = work_items[along].filter(|work_item| work_item.axis == along) else { return false };
            // What a mask's index reads was found to be in range before.
            work_item.of_mask
                || matches!(self.search.extents.along(table, along), Along::Value(v) if self.is_equal(v, extents[along]))
        };
        work_items.len() == extents.len() && (0..work_items.len()).all(is_own)
    }

    fn input(&mut self, input: ValueId, axis: usize, rank: usize) -> Option<()> {
        if let Some(at) = self.plan.axes.get(&input) {
            self.ready(input)?;
            return (*at == axis && self.search.rank(input) == rank).then_some(());
        }
        if self.search.function.array(input).is_none() {
            return Some(());
        }
        let broadcast = self.search.definitions.get(input).filter(|op| op.kind == OpKind::Broadcast)?;
        let base = broadcast.operands[0];
        let n_new = rank.checked_sub(self.search.rank(base))?;
        let along = axis.checked_sub(n_new);
        if along.is_some_and(|along| !matches!(self.search.extents.along(base, along), Along::One)) {
            return None;
        }
        self.plan.repeated.insert(input, Repeated { base, axis: along });
        Some(())
    }

    /// Whether indices of all elements of the mask are in a table's range.
    fn is_in_range(&self, table: ValueId, along: usize, indices: ValueId) -> bool {
        let Some(axis) = self.plan.indices.get(&indices) else { return false };
        matches!(self.search.extents.along(table, along),
            Along::Value(extent) if self.is_equal(extent, self.plan.extents[*axis]))
    }
}
