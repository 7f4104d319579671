//! Extents in a loop that checks say are equal, under one name.
//!
//! In: a loop. Out: the same with checks that ask for equal extents where one of them might be 1 instead, as NumPy broadcasts. From there on the one has
//! the other's name, and what asks whether they differ is decided: for the version of a loop that runs where all of its checks hold.

use std::collections::HashMap;

use numptx_ir::DType;
use numptx_ir::array::{Function, Op, OpKind, Region, Type, ValueId};
use numptx_ir::scalar::{Constant, ScalarOp};

use crate::analysis::traverse::{Substitution, substitute, terminator_operands};

/// Looks through an op's regions. `before`: what stands before it.
pub fn name_equal_extents(function: &mut Function, constants: &HashMap<ValueId, Constant>, before: &[Op], op: &mut Op) {
    let (definitions, names) = (HashMap::new(), Substitution::default());
    let mut search = Search { function, constants, definitions, names };
    before.iter().for_each(|op| search.note(op));
    op.regions.iter_mut().for_each(|region| search.region(region));
}

struct Search<'s> {
    function: &'s mut Function,
    constants: &'s HashMap<ValueId, Constant>,
    /// Comparisons, and what is made of them.
    definitions: HashMap<ValueId, Op>,
    /// What values are called here.
    names: Substitution,
}

impl Search<'_> {
    fn note(&mut self, op: &Op) {
        if let OpKind::Scalar(ScalarOp::Eq | ScalarOp::Ne | ScalarOp::BitOr) = op.kind {
            self.definitions.insert(op.results[0], op.clone());
        }
    }

    fn region(&mut self, region: &mut Region) {
        // What is checked there is not known to hold behind it: perhaps nobody comes there.
        let around = self.names.clone();
        let mut ops = Vec::with_capacity(region.ops.len());
        let mut rest: Vec<Op> = std::mem::take(&mut region.ops);
        rest.reverse();
        while let Some(mut op) = rest.pop() {
            op.operands.iter_mut().for_each(|v| *v = self.names.resolve(*v));
            op.regions.iter_mut().for_each(|nested| substitute(nested, &self.names));
            if let Some(decided) = self.decided(&op) {
                let chosen = op.regions.swap_remove(usize::from(!decided));
                for (result, value) in op.results.iter().zip(terminator_operands(&chosen)) {
                    self.names.replace(*result, *value);
                }
                rest.extend(chosen.ops.into_iter().rev().filter(|op| !op.kind.is_terminator()));
                continue;
            }
            op.regions.iter_mut().for_each(|nested| self.region(nested));
            self.note(&op);
            if let OpKind::Check { .. } = op.kind
                && let Some([a, b]) = self.equal(op.operands[0])
            {
                let is_equal = self.function.add_value(Type::Scalar(DType::Bool));
                let kind = OpKind::Scalar(ScalarOp::Eq);
                let (operands, results) = (vec![a, b], vec![is_equal]);
                ops.push(Op { kind, operands, results, regions: Vec::new(), span: op.span });
                op.operands[0] = is_equal;
                self.names.replace(b, a);
            }
            ops.push(op);
        }
        self.names = around;
        region.ops = ops;
    }

    /// Of a choice that asks whether values are others than themselves: the answer.
    fn decided(&self, op: &Op) -> Option<bool> {
        if op.kind == OpKind::If { self.truth(op.operands[0]) } else { None }
    }

    fn truth(&self, condition: ValueId) -> Option<bool> {
        let test = self.definitions.get(&condition)?;
        let [a, b] = test.operands[..] else { return None };
        let [a, b] = [a, b].map(|v| self.names.resolve(v));
        match test.kind {
            OpKind::Scalar(ScalarOp::Eq) if a == b => Some(true),
            OpKind::Scalar(ScalarOp::Ne) if a == b => Some(false),
            OpKind::Scalar(ScalarOp::BitOr) => Some(self.truth(a)? | self.truth(b)?),
            _ => None,
        }
    }

    /// The integers of which a condition says that they are equal, or that one is 1.
    fn equal(&self, condition: ValueId) -> Option<[ValueId; 2]> {
        let op = self.definitions.get(&condition)?;
        let [a, b] = op.operands[..] else { return None };
        let [a, b] = [a, b].map(|v| self.names.resolve(v));
        match op.kind {
            OpKind::Scalar(ScalarOp::Eq) => {
                let is_free =
                    |v: &ValueId| self.function.ty(*v) == Type::Scalar(DType::I64) && !self.constants.contains_key(v);
                (a != b && [a, b].iter().all(is_free)).then_some([a, b])
            }
            OpKind::Scalar(ScalarOp::BitOr) if self.is_one(b) => self.equal(a),
            OpKind::Scalar(ScalarOp::BitOr) if self.is_one(a) => self.equal(b),
            _ => None,
        }
    }

    /// Whether a condition says of an integer, or of one of several, that it is 1.
    fn is_one(&self, condition: ValueId) -> bool {
        let Some(op) = self.definitions.get(&condition) else { return false };
        let is_1 = |v: &ValueId| self.constants.get(v).and_then(|constant| constant.as_int()) == Some(1);
        match op.kind {
            OpKind::Scalar(ScalarOp::BitOr) => op.operands.iter().all(|v| self.is_one(*v)),
            OpKind::Scalar(ScalarOp::Eq) => op.operands.iter().any(is_1),
            _ => false,
        }
    }
}
