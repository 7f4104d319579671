//! How truth values are made of comparisons of ints, and which ints are the least or the largest of two.
//!
//! In: a function, and ops in the order in which they run. Out: of such a value the operation, and of what it is. Changes nothing.

use std::collections::HashMap;

use numptx_ir::DType;
use numptx_ir::array::{Function, Op, OpKind, ValueId};
use numptx_ir::scalar::ScalarOp;

use crate::analysis::traverse::for_each_op;

/// Comparisons of ints of 64 bits, what holds where two of them, or one of two, do, and the least and the largest of two such ints.
#[derive(Clone, Debug, Default)]
pub struct Truths(HashMap<ValueId, (ScalarOp, [ValueId; 2])>);

impl Truths {
    /// Of a function.
    pub fn of(function: &Function) -> Self {
        let mut truths = Truths::default();
        for_each_op(&function.body, &mut |op| truths.learn(function, op));
        truths
    }

    /// The operation that makes a value, and its operands.
    pub fn get(&self, value: ValueId) -> Option<(ScalarOp, [ValueId; 2])> {
        self.0.get(&value).copied()
    }

    /// Notes what an op makes.
    pub fn learn(&mut self, function: &Function, op: &Op) {
        let (OpKind::Scalar(scalar), [a, b]) = (&op.kind, op.operands.as_slice()) else { return };
        let dtype = match scalar {
            ScalarOp::BitAnd | ScalarOp::BitOr => DType::Bool,
            ScalarOp::Min | ScalarOp::Max => DType::I64,
            ScalarOp::Eq | ScalarOp::Lt | ScalarOp::Le | ScalarOp::Gt | ScalarOp::Ge => DType::I64,
            _ => return,
        };
        if function.ty(*a).dtype() == dtype {
            self.0.insert(op.results[0], (*scalar, [*a, *b]));
        }
    }
}
