//! Chosen elements that are put back: `y = x[m]; … z[m] = f(y)`.
//!
//! In: a branch, taken if anything is chosen, that assigns a map over the mask's work items, in which each chosen one takes the element of its turn. Out: a
//! part of the plan: such a map reads what stands for the elements at its own work item.

use numptx_ir::array::{Op, OpKind};
use numptx_ir::scalar::{Body, Constant, InstrKind, ScalarOp, Val};

use crate::analysis::compactions::{is_flat, is_one_less, is_truth};
use crate::loops::schedule::cost::MASKED_WORK;
use crate::source::reduce_masked::followed::Follow;
use crate::source::reduce_masked::plan::Replaced;

impl Follow<'_, '_> {
    /// Notes what a branch puts back; `None` where it is no such branch.
    pub(crate) fn replaced(&mut self, op: &Op) -> Option<()> {
        let [then, otherwise] = op.regions.as_slice() else { return None };
        if !op.results.is_empty()
            || otherwise.ops.len() != 1
            || !self.search.definitions.is_above_zero(op.operands[0], self.plan.count)
        {
            return None;
        }
        let mut found = None;
        for nested in &then.ops {
            match &nested.kind {
                OpKind::Map(_) if found.is_none() => found = Some((nested.results[0], self.replacing(nested)?)),
                OpKind::Assign if found.is_some_and(|(result, _)| nested.operands[1] == result) => {}
                kind if kind.is_pure_scalar_or_view() || *kind == OpKind::Yield => {
                    nested.operands.iter().all(|v| !self.is_chosen(*v)).then_some(())?;
                }
                _ => return None,
            }
        }
        let (result, replaced) = found?;
        self.plan.replaced.insert(result, replaced);
        Some(())
    }

    fn replacing(&self, op: &Op) -> Option<Replaced> {
        let OpKind::Map(map) = &op.kind else { return None };
        let (extents, operands) = op.operands.split_at(map.rank);
        let body = &map.body;
        let (inputs, tables) = body.split_tables(operands)?;
        let [values] = tables else { return None };
        let is_vector = self.plan.axes.get(values) == Some(&0) && self.search.rank(*values) == 1;
        if extents != self.plan.extents || op.results.len() != 1 || !is_vector {
            return None;
        }
        self.ready(*values)?;
        let (cond, new, old) = self.choice(body)?;
        let element = body.instrs.iter().position(|instr| matches!(instr.kind, InstrKind::Element(..)))?;
        let InstrKind::Element(_, indices) = &body.instrs[element].kind else { return None };
        let InstrKind::Input(mask) = (0..inputs.len() as u32).map(InstrKind::Input).find(|kind| {
            let InstrKind::Input(n) = kind else { return false };
            is_truth(body, cond, *n) && inputs[*n as usize] == self.plan.mask
        })?
        else {
            return None;
        };
        let is_turn = matches!(indices[..], [turn] if self.is_turn(body, turn, inputs));
        let is_only = body.instrs[element + 1..].iter().all(|instr| !matches!(instr.kind, InstrKind::Element(..)));
        let is_kept = !depends(body, old, element) && self.search.function.array(inputs[mask as usize]).is_some();
        (is_turn && is_only && is_kept && depends(body, new, element)).then_some(Replaced {
            values: *values,
            element,
            mask,
        })
    }

    /// The condition, the new and the old value of a choice that is a body's one output.
    fn choice(&self, body: &Body) -> Option<(Val, Val, Val)> {
        let [output] = body.outputs[..] else { return None };
        match &body.instrs[output.0 as usize].kind {
            InstrKind::Op(ScalarOp::Select, operands) => Some((operands[0], operands[1], operands[2])),
            _ => None,
        }
    }

    /// Whether a value is the turn of a chosen work item: 0 where there is one in all, else what runs, less 1, and at least 0.
    fn is_turn(&self, body: &Body, turn: Val, inputs: &[numptx_ir::array::ValueId]) -> bool {
        let kind = |val: Val| &body.instrs[val.0 as usize].kind;
        let is_int = |val: Val, n: i64| *kind(val) == InstrKind::Constant(Constant::Int(n));
        let InstrKind::Op(ScalarOp::Select, operands) = kind(turn) else { return false };
        let (InstrKind::Op(ScalarOp::Eq, numbers), InstrKind::Op(ScalarOp::Max, place)) =
            (kind(operands[0]), kind(operands[2]))
        else {
            return false;
        };
        let is_count = matches!(kind(numbers[0]), InstrKind::Input(n) if inputs[*n as usize] == self.plan.count);
        let is_running = |n: u32| is_flat(self.running, inputs[n as usize], &self.search.definitions);
        let mut running = (0..inputs.len() as u32).filter(|n| is_one_less(body, place[0], *n));
        is_count && is_int(numbers[1], 1) && is_int(operands[1], 0) && is_int(place[1], 0) && running.any(is_running)
    }

    /// Whether what is put back may be computed at every work item.
    pub(crate) fn is_worthwhile(&self) -> bool {
        self.plan.replaced.is_empty() && self.plan.inner_moves.is_empty() || self.work <= MASKED_WORK
    }
}

/// Whether a value is computed of an instruction's.
fn depends(body: &Body, val: Val, of: usize) -> bool {
    let at = val.0 as usize;
    at == of || body.instrs[at].kind.operands().iter().any(|v| depends(body, *v, of))
}
