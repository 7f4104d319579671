//! **Does**: computes behind a loop what it carries of its last iteration alone, as the index of `for i in range(n): …`.
//! **Requires**: phase Placed.
//! **Ensures**: no `for` carries a scalar that it does not read, if its last index and what the loop does not change make it.
//! **Keeps**: values. Without an iteration they are what they were before, and no quotient is computed of an index that there is not.
//! **Example**: `%r = for %0, %n, %1, %a (%i; %c) { %d = mul %i, %b; yield %d }` becomes `%r = select (%0 < %n), (%n - 1) * %b, %a`.

use std::collections::{HashMap, HashSet};

use numptx_ir::DType;
use numptx_ir::array::{Function, Module, Op, OpKind, Region, Type, ValueId};
use numptx_ir::scalar::{Constant, ScalarOp};
use numptx_source::{InternalError, Span};

use crate::Pass;
use crate::analysis::constants::{constants_among, constants_of};
use crate::analysis::traverse::{for_each_op, uses_objects};
use crate::loops::assumptions::guards::HostProgram;
use crate::loops::canonical::distribute::accumulators::stores;
use crate::loops::emit::hoist::define;
use crate::rewrite::emit::yielding;
use crate::source::remove_dead::remove_dead_ops;

/// See the file's header.
pub const LAST_VALUES: Pass =
    Pass::optional("last-values", "compute what loops carry of their last iterations after them", last_values);

fn last_values(module: &mut Module) -> Result<(), InternalError> {
    for function in &mut module.functions {
        let mut body = std::mem::take(&mut function.body);
        let mut constants = constants_of(&body);
        let is_changed = LastValues { function, constants: &mut constants }.region(&mut body);
        function.body = body;
        if is_changed {
            // Loops that only made what their last iterations left are gone.
            remove_dead_ops(function);
        }
    }
    Ok(())
}

/// A function whose loops lose last values.
pub(crate) struct LastValues<'f> {
    /// The function.
    pub function: &'f mut Function,
    /// Its constants, and those of ops that are added.
    pub constants: &'f mut HashMap<ValueId, Constant>,
}

impl LastValues<'_> {
    fn region(&mut self, region: &mut Region) -> bool {
        let (mut ops, mut is_changed) = (Vec::with_capacity(region.ops.len()), false);
        for mut op in std::mem::take(&mut region.ops) {
            let mut after = Vec::new();
            if !uses_objects(self.function, &op) {
                is_changed |= self.compute_after(&mut op, &mut after);
            }
            ops.push(op);
            ops.append(&mut after);
        }
        region.ops = ops;
        is_changed
    }

    /// The loops in an op, and the op, without what only their last iterations make; what it is then is computed after each. Whether there was any.
    pub fn compute_after(&mut self, op: &mut Op, after: &mut Vec<Op>) -> bool {
        let mut is_changed = false;
        op.regions.iter_mut().for_each(|nested| is_changed |= self.region(nested));
        if op.kind == OpKind::For {
            while let Some(mut ops) = (0..op.results.len()).find_map(|n| self.last_value(op, n)) {
                after.append(&mut ops);
                is_changed = true;
            }
        }
        is_changed
    }

    /// Takes a carried value out of a loop, if nothing in it reads it; the ops that compute it after the loop.
    fn last_value(&mut self, op: &mut Op, n: usize) -> Option<Vec<Op>> {
        let step = self.constants.get(&op.operands[2]).and_then(|step| step.as_int()).filter(|step| *step != 0)?;
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
        self.constants.extend(constants_among(&ops));

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
