//! What is known of extents where a loop is one launch, in the launch.
//!
//! In: a loop, what is required where it is one launch, and sums. Out: the loop with one name for integers that are equal there, and with sums of
//! integers in it instead of names for them: from there on it is seen which phases have the same work items, and which parts of an array are apart.

use std::collections::HashMap;

use numptx_ir::DType;
use numptx_ir::array::{Function, Op, OpKind, Type, ValueId};
use numptx_ir::scalar::{Constant, ScalarOp};

use crate::analysis::traverse::{Substitution, for_each_op, substitute};
use crate::loops::assumptions::kinds::{Assumption, Predicate};
use crate::loops::nest::scope::Sums;

/// What the function says.
pub struct Known<'k> {
    /// Its constants.
    pub constants: &'k HashMap<ValueId, Constant>,
    /// Its sums.
    pub sums: &'k Sums,
}

impl Known<'_> {
    /// Names integers of a loop. `before`: what is computed before it, the conditions that are required too.
    pub fn name(&self, function: &mut Function, before: &[Op], required: &[Assumption], op: &mut Op) {
        let names = self.equal(before, required);
        op.regions.iter_mut().for_each(|region| substitute(region, &names));
        if op.kind == OpKind::For {
            self.write_sums(function, &names, op);
        }
    }

    fn equal(&self, before: &[Op], required: &[Assumption]) -> Substitution {
        let mut names = Substitution::default();
        for assumption in required {
            let Predicate::Holds(value) = &assumption.predicate else { continue };
            let is_it = |op: &&Op| op.results.first() == Some(value) && op.kind == OpKind::Scalar(ScalarOp::Eq);
            let Some([a, b]) = before.iter().find(is_it).and_then(|op| op.operands.first_chunk()) else { continue };
            let [a, b] = [*a, *b].map(|v| names.resolve(v));
            if a != b && ![a, b].iter().any(|v| self.constants.contains_key(v)) {
                names.replace(b, a);
            }
        }
        names
    }

    /// Computes sums of integers from outside a loop in it.
    fn write_sums(&self, function: &mut Function, names: &Substitution, op: &mut Op) {
        let (mut used, mut defined) = (Vec::new(), Vec::new());
        let region = &mut op.regions[0];
        for_each_op(region, &mut |nested| {
            used.extend(nested.operands.iter().copied().filter(|v| !used.contains(v)).collect::<Vec<_>>());
            defined.extend(&nested.results);
        });
        let mut sums = Substitution::default();
        let mut first = Vec::new();
        for value in used {
            let is_sum = |(kind, _): &&(ScalarOp, _)| *kind != ScalarOp::Mul && !defined.contains(&value);
            let Some((kind, operands)) = self.sums.get(&value).filter(is_sum) else { continue };
            if function.ty(value) != Type::Scalar(DType::I64) {
                continue;
            }
            let sum = function.add_value(Type::Scalar(DType::I64));
            let operands = operands.iter().map(|v| names.resolve(*v)).collect();
            let (kind, results) = (OpKind::Scalar(*kind), vec![sum]);
            first.push(Op { kind, operands, results, regions: Vec::new(), span: op.span });
            sums.replace(value, sum);
        }
        substitute(region, &sums);
        region.ops.splice(0..0, first);
    }
}
