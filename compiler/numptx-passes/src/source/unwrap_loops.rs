//! **Does**: replaces a `for` that is known to run once by its body, and one that never runs by what it starts with.
//! **Requires**: phase Source.
//! **Ensures**: no `for` by constants has fewer than two iterations, unless it carries arrays that change their layout.
//! **Keeps**: the ops of a body that runs, and their order.
//! **Example**: `%r = for 0, 1, 1, %a (%k; %c) { %d = add %c, %k; yield %d }` becomes `%d = add %a, 0`; `%r` is `%d`.

use std::collections::HashMap;

use numptx_ir::array::{Function, Module, Op, OpKind, Region, ValueId};
use numptx_ir::scalar::Constant;
use numptx_source::InternalError;

use crate::Pass;
use crate::analysis::constants::constants_of;
use crate::analysis::traverse::{Substitution, substitute};

/// See the file's header.
pub const UNWRAP_LOOPS: Pass =
    Pass::optional("unwrap-loops", "replace loops of one iteration by their body", unwrap_loops);

fn unwrap_loops(module: &mut Module) -> Result<(), InternalError> {
    for function in &mut module.functions {
        let mut body = std::mem::take(&mut function.body);
        let mut unwrap = Unwrap { function, constants: constants_of(&body), by: Substitution::default() };
        unwrap.region(&mut body);
        substitute(&mut body, &unwrap.by);
        function.body = body;
    }
    Ok(())
}

struct Unwrap<'f> {
    function: &'f Function,
    constants: HashMap<ValueId, Constant>,
    by: Substitution,
}

impl Unwrap<'_> {
    fn region(&mut self, region: &mut Region) {
        for mut op in std::mem::take(&mut region.ops) {
            op.regions.iter_mut().for_each(|nested| self.region(nested));
            match self.iterations(&op) {
                Some(0) if self.are_alike(&op.results, &op.operands[3..]) => {
                    self.replace(&op.results, &op.operands[3..]);
                }
                Some(1) if self.carries_alike(&op) => region.ops.extend(self.body_of(op)),
                _ => region.ops.push(op),
            }
        }
    }

    /// How many iterations a loop has, if that is known.
    fn iterations(&self, op: &Op) -> Option<i128> {
        let OpKind::For = op.kind else { return None };
        let known = |n: usize| op.operands.get(n).and_then(|v| self.constants.get(v)?.as_int()).map(i128::from);
        let (lower, upper, step) = (known(0)?, known(1)?, known(2)?);
        let span = if step > 0 { upper - lower } else { lower - upper };
        (step != 0).then(|| (span + step.abs() - 1).div_euclid(step.abs()).max(0))
    }

    /// Whether values may take the place of others: arrays have the same layout, and promise the same.
    fn are_alike(&self, values: &[ValueId], others: &[ValueId]) -> bool {
        values.iter().zip(others).all(|(a, b)| self.function.ty(*a) == self.function.ty(*b))
    }

    fn carries_alike(&self, op: &Op) -> bool {
        let body = &op.regions[0];
        let yielded = body.ops.last().map_or(&[][..], |last| &last.operands);
        self.are_alike(&body.parameters[1..], &op.operands[3..]) && self.are_alike(&op.results, yielded)
    }

    fn replace(&mut self, values: &[ValueId], by: &[ValueId]) {
        values.iter().zip(by).for_each(|(value, by)| self.by.replace(*value, *by));
    }

    /// The ops of a loop's one iteration, which starts with the loop's lower bound and initial values.
    fn body_of(&mut self, mut op: Op) -> Vec<Op> {
        let mut body = op.regions.remove(0);
        let Some(last) = body.ops.pop() else { return Vec::new() };
        self.replace(&body.parameters[..1], &op.operands[..1]);
        self.replace(&body.parameters[1..], &op.operands[3..]);
        self.replace(&op.results, &last.operands);
        body.ops
    }
}
