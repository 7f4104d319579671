//! Which of the values that a loop carries keeps its iterations in order.
//!
//! In: a loop that carries several values. Out: of each whether there is a rule for it: it is what the last iteration alone leaves, or a reduction finds it,
//! and nothing else in the loop asks for it. For reports: decides nothing.

use std::collections::HashSet;

use numptx_ir::array::{Op, OpKind, Region, ValueId};
use numptx_ir::scalar::{Body, InstrKind};

use crate::analysis::traverse::for_each_op;
use crate::loops::function::FormNests;
use crate::loops::nest::scope::for_each_operand;
use crate::rewrite::emit::yielding;

/// What a value that a loop carries is for its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Iterations need what those before made of it.
    Prevents,
    /// Alone it is a reduction.
    Accumulates,
    /// Nothing in the loop reads what the iteration before left.
    IsFinal,
}

impl FormNests<'_> {
    /// What each value is that a loop carries.
    pub(crate) fn roles_of_carried(&mut self, op: &Op) -> Vec<Role> {
        (0..op.results.len()).map(|n| self.role(op, n)).collect()
    }

    fn role(&mut self, op: &Op, n: usize) -> Role {
        match alone(op, n) {
            _ if !is_read(op, n) => Role::IsFinal,
            Some(alone) if self.is_reducible(&alone) => Role::Accumulates,
            _ => Role::Prevents,
        }
    }
}

/// Whether a body reads a value that is carried, but to carry it.
fn is_read(op: &Op, n: usize) -> bool {
    let Some(carried) = op.regions[0].parameters.get(n + 1) else { return true };
    let mut uses = 0;
    for_each_op(&op.regions[0], &mut |op| uses += op.operands.iter().filter(|v| *v == carried).count());
    let yields = op.regions[0].ops.last().map_or(&[][..], |last| &last.operands);
    let own = usize::from(yields.get(n) == Some(carried));
    uses > own
}

/// The loop with what makes one of its values and the checks of that, if nothing else in it asks for it: no store, and no other value that is carried.
fn alone(op: &Op, n: usize) -> Option<Op> {
    let body = &op.regions[0];
    let (index, carried) = (*body.parameters.first()?, *body.parameters.get(n + 1)?);
    let (last, ops) = body.ops.split_last()?;
    let yielded = *last.operands.get(n)?;
    let follows = following(ops, carried);
    let (mut wanted, mut kept) = (HashSet::from([yielded]), Vec::new());
    for nested in ops.iter().rev() {
        let is_own_check = matches!(nested.kind, OpKind::Check { .. }) && uses(nested, &follows);
        if is_own_check || nested.results.iter().any(|v| wanted.contains(v)) {
            for_each_operand(nested, &mut |v| _ = wanted.insert(v));
            kept.push(nested);
        } else if uses(nested, &follows) && has_effect(nested) {
            return None;
        }
    }
    let mut others = body.parameters.iter().filter(|v| ![index, carried].contains(v));
    let mut yields = last.operands.iter().enumerate().filter(|(position, _)| *position != n);
    if others.any(|v| wanted.contains(v)) || yields.any(|(_, v)| follows.contains(v)) {
        return None;
    }
    let mut ops: Vec<Op> = kept.into_iter().rev().cloned().collect();
    ops.push(yielding(vec![yielded], op.span));
    let regions = vec![Region { parameters: vec![index, carried], ops }];
    let operands = [&op.operands[..3], &[*op.operands.get(n + 3)?]].concat();
    Some(Op { operands, results: vec![op.results[n]], regions, ..op.clone() })
}

/// What is made of a value, and the value.
fn following(ops: &[Op], value: ValueId) -> HashSet<ValueId> {
    let mut follows = HashSet::from([value]);
    for op in ops.iter().filter(|op| op.kind.destinations().is_none()) {
        match &op.kind {
            OpKind::Map(map) if map.rank == 0 => {
                let made = outputs_of(&map.body, &|n| op.operands.get(n).is_some_and(|v| follows.contains(v)));
                follows.extend(op.results.iter().zip(made).filter(|(_, is_made)| *is_made).map(|(v, _)| *v));
            }
            OpKind::Item => {
                let pairs = op.operands.iter().zip(&op.results);
                let made: Vec<ValueId> = pairs.filter(|(array, _)| follows.contains(array)).map(|(_, v)| *v).collect();
                follows.extend(made);
            }
            _ if uses(op, &follows) => follows.extend(&op.results),
            _ => {}
        }
    }
    follows
}

/// Which outputs of a body some of its inputs enter: several computations may be one.
fn outputs_of(body: &Body, enters: &dyn Fn(usize) -> bool) -> Vec<bool> {
    let mut is_made: Vec<bool> = Vec::with_capacity(body.instrs.len());
    for instr in &body.instrs {
        is_made.push(match &instr.kind {
            InstrKind::Input(n) => enters(*n as usize),
            kind => kind.operands().iter().any(|v| is_made[v.0 as usize]),
        });
    }
    body.outputs.iter().map(|v| is_made[v.0 as usize]).collect()
}

fn uses(op: &Op, values: &HashSet<ValueId>) -> bool {
    let mut uses = false;
    for_each_operand(op, &mut |v| uses |= values.contains(&v));
    uses
}

/// Whether an op, or one in it, stores, checks or goes on for as long as it wants.
fn has_effect(op: &Op) -> bool {
    let is_one = |op: &Op| {
        op.kind.destinations().is_some()
            || matches!(op.kind, OpKind::Check { .. } | OpKind::While | OpKind::Call { .. })
    };
    let mut has = is_one(op);
    op.regions.iter().for_each(|region| for_each_op(region, &mut |op| has |= is_one(op)));
    has
}
