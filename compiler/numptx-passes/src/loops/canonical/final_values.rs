//! What a loop hands on of its last iteration alone, computed after it.
//!
//! In: a loop that carries values which it does not read itself, as the index of `for i in range(n): …` that is asked for after it. Out: the loop without
//! them, and what they are: a function of the last index where there is an iteration, else what they were before.

use std::collections::{HashMap, HashSet};

use numptx_ir::DType;
use numptx_ir::array::{Op, OpKind, Region, Type, ValueId};
use numptx_ir::scalar::ScalarOp;
use numptx_source::Span;

use crate::analysis::constants::constants_among;
use crate::analysis::traverse::for_each_op;
use crate::loops::assumptions::guards::HostProgram;
use crate::loops::canonical::distribute::accumulators::stores;
use crate::loops::emit::hoist::define;
use crate::loops::form_nests::FormNests;
use crate::loops::schedule::place::yielding;

impl FormNests<'_> {
    /// The loops in an op, and the op, without what only their last iterations make; what it is then is computed after each. Whether there was any.
    pub fn settle_final_values(&mut self, op: &mut Op, after: &mut Vec<Op>) -> bool {
        let mut is_changed = false;
        for region in &mut op.regions {
            let mut ops = Vec::with_capacity(region.ops.len());
            for mut nested in std::mem::take(&mut region.ops) {
                let mut behind = Vec::new();
                is_changed |= self.settle_final_values(&mut nested, &mut behind);
                ops.push(nested);
                ops.append(&mut behind);
            }
            region.ops = ops;
        }
        if op.kind == OpKind::For {
            while let Some(mut ops) = (0..op.results.len()).find_map(|n| self.final_value(op, n)) {
                after.append(&mut ops);
                is_changed = true;
            }
        }
        is_changed
    }

    /// Takes a carried value out of a loop, if nothing in it reads it; the ops that compute it after the loop.
    fn final_value(&mut self, op: &mut Op, n: usize) -> Option<Vec<Op>> {
        let step = self.known.constant(op.operands[2]).filter(|step| *step != 0)?;
        let region = &op.regions[0];
        let (index, carried) = (region.parameters[0], region.parameters[n + 1]);
        let yielded = *region.ops.last()?.operands.get(n)?;
        if matches!(self.function.ty(carried), Type::Array(_)) {
            return None;
        }
        let mut inside = HashSet::new();
        define(op, &mut inside);
        // Where a condition that no iteration changes holds, each iteration makes the value; else none does.
        let choice = region.ops.iter().find(|op| op.results == [yielded]);
        let choice = choice.filter(|op| op.kind == OpKind::Scalar(ScalarOp::Select) && op.operands[2] == carried);
        let fixed = choice.and_then(|choice| made_of(op, choice.operands[0], &inside));
        let (condition, value) = match (choice, &fixed) {
            (Some(choice), Some(_)) => (Some(choice.operands[0]), choice.operands[1]),
            _ => (None, yielded),
        };
        let is_read = condition.is_some() && uses_of(op, yielded) > 1;
        if is_read || reads_of(op, carried) != usize::from(condition.is_some()) {
            return None;
        }
        inside.remove(&index);
        let made = made_of(op, value, &inside)?;
        // Of elements those are read that the last iteration read, and what not every number has, as a quotient, is computed of its numbers, if there was one.
        let is_partial = made.iter().any(|op| !is_total(&op.kind));
        let reads = made.iter().any(|op| !matches!(op.kind, OpKind::Constant(_) | OpKind::Scalar(_)));
        if (is_partial && condition.is_some()) || (reads && stores(op)) {
            return None;
        }

        let mut host = HostProgram::new(self.function, op.span);
        let (lower, upper) = (op.operands[0], op.operands[1]);
        let (first, end) = if step > 0 { (lower, upper) } else { (upper, lower) };
        let mut is_any = host.scalar(OpKind::Scalar(ScalarOp::Lt), vec![first, end], DType::Bool);
        let mut names = HashMap::new();
        if let Some(condition) = condition {
            host.make(&fixed.unwrap_or_default(), &mut names)?;
            let condition = names.get(&condition).copied().unwrap_or(condition);
            is_any = host.scalar(OpKind::Scalar(ScalarOp::BitAnd), vec![is_any, condition], DType::Bool);
        }
        let before = if is_partial { std::mem::take(&mut host.ops) } else { Vec::new() };
        if value == index || made.iter().any(|op| op.operands.contains(&index)) {
            names.insert(index, host.last_index([lower, upper, op.operands[2]], step));
        }
        host.make(&made, &mut names)?;
        let value = names.get(&value).copied().unwrap_or(value);
        let (initial, results) = (op.operands[n + 3], vec![op.results[n]]);
        let ops = if is_partial {
            let then = [std::mem::take(&mut host.ops), vec![yielding(vec![value], op.span)]].concat();
            let regions =
                [then, vec![yielding(vec![initial], op.span)]].map(|ops| Region { parameters: Vec::new(), ops });
            let operands = vec![is_any];
            [before, vec![Op { kind: OpKind::If, operands, results, regions: regions.into(), span: Span::default() }]]
                .concat()
        } else {
            host.push(OpKind::Scalar(ScalarOp::Select), vec![is_any, value, initial], results);
            std::mem::take(&mut host.ops)
        };
        self.known.constants.extend(constants_among(&ops));

        op.results.remove(n);
        op.operands.remove(n + 3);
        let region = &mut op.regions[0];
        region.parameters.remove(n + 1);
        if let Some(last) = region.ops.last_mut() {
            last.operands.remove(n);
        }
        region.ops.retain(|op| condition.is_none() || op.results != [yielded]);
        Some(ops)
    }
}

impl HostProgram<'_> {
    /// Copies of ops, whose results are called otherwise.
    fn make(&mut self, ops: &[Op], names: &mut HashMap<ValueId, ValueId>) -> Option<()> {
        for op in ops {
            let operands = op.operands.iter().map(|v| names.get(v).copied().unwrap_or(*v)).collect();
            let results = match op.kind {
                OpKind::Constant(_) | OpKind::Scalar(_) => {
                    let dtype = self.ty(op.results[0]).dtype();
                    vec![self.scalar(op.kind.clone(), operands, dtype)]
                }
                _ => self.derived(op.kind.clone(), operands)?,
            };
            names.extend(op.results.iter().copied().zip(results));
        }
        Some(())
    }

    /// The last index of a range that is not empty. `step`: what is known of `by`: its sign, and whether it is 1.
    pub(crate) fn last_index(&mut self, [lower, upper, by]: [ValueId; 3], step: i64) -> ValueId {
        let nearer = self.number(-step.signum());
        let last = self.scalar(OpKind::Scalar(ScalarOp::Add), vec![upper, nearer], DType::I64);
        if step.abs() == 1 {
            return last;
        }
        let distance = self.scalar(OpKind::Scalar(ScalarOp::Sub), vec![last, lower], DType::I64);
        let rounds = self.scalar(OpKind::Scalar(ScalarOp::FloorDiv), vec![distance, by], DType::I64);
        let moved = self.scalar(OpKind::Scalar(ScalarOp::Mul), vec![rounds, by], DType::I64);
        self.scalar(OpKind::Scalar(ScalarOp::Add), vec![lower, moved], DType::I64)
    }
}

/// How often a loop's body reads a carried value; what it yields does not count.
fn reads_of(op: &Op, value: ValueId) -> usize {
    let yields = op.regions[0].ops.last().map_or(0, |last| last.operands.iter().filter(|v| **v == value).count());
    uses_of(op, value).saturating_sub(yields)
}

fn uses_of(op: &Op, value: ValueId) -> usize {
    let mut n = 0;
    let mut visit = |op: &Op| n += op.operands.iter().filter(|v| **v == value).count();
    for_each_op(&op.regions[0], &mut visit);
    n
}

/// The ops of a loop's body that make a value of nothing that is `inside`, in order, if they compute numbers or read elements.
fn made_of(op: &Op, value: ValueId, inside: &HashSet<ValueId>) -> Option<Vec<Op>> {
    let mut wanted = HashSet::from([value]);
    let mut made = Vec::new();
    for op in op.regions[0].ops.iter().rev() {
        if !op.results.iter().any(|v| wanted.contains(v)) {
            continue;
        }
        let is_computed = match &op.kind {
            OpKind::Map(map) => map.rank == 0,
            OpKind::Constant(_) | OpKind::Scalar(_) | OpKind::Index { .. } | OpKind::Item => true,
            _ => false,
        };
        if !is_computed {
            return None;
        }
        op.results.iter().for_each(|v| _ = wanted.remove(v));
        wanted.extend(&op.operands);
        made.push(op.clone());
    }
    made.reverse();
    (!wanted.iter().any(|v| inside.contains(v))).then_some(made)
}

/// Whether an op can be computed of any numbers, also where there is no iteration.
fn is_total(kind: &OpKind) -> bool {
    use ScalarOp::*;
    matches!(
        kind,
        OpKind::Constant(_)
            | OpKind::Scalar(
                Add | Sub
                    | Mul
                    | Neg
                    | Min
                    | Max
                    | Select
                    | Lt
                    | Le
                    | Gt
                    | Ge
                    | Eq
                    | Ne
                    | BitAnd
                    | BitOr
                    | BitXor
                    | BitNot
                    | Cast
            )
    )
}
