//! What a loop uses of what is around it, and what its values are in the program.
//!
//! In: ops. Out: the scalars and arrays that are defined outside; bindings by value. Nothing is emitted here.

use std::collections::{HashMap, HashSet};

use numptx_ir::array::{Function, Op, OpKind, Region, Type, ValueId};
use numptx_ir::scalar::{Constant, ScalarOp, Val};

use crate::loops::dependence::Affine;
use crate::loops::nest::conditions::Condition;
use crate::loops::nest::elements::View;

/// Values that a loop uses and does not define, in the order of their first use.
#[derive(Clone, Debug, Default)]
pub struct Captured {
    /// Scalars that are not constants.
    pub scalars: Vec<ValueId>,
    /// Constants.
    pub constants: Vec<(ValueId, Constant)>,
    /// Arrays.
    pub arrays: Vec<ValueId>,
}

impl Captured {
    /// Collects what `ops` use, and `more`.
    pub fn of(function: &Function, constants: &HashMap<ValueId, Constant>, ops: &[Op], more: &[ValueId]) -> Self {
        let mut captured = Captured::default();
        let mut seen = HashSet::new();
        ops.iter().for_each(|op| define(op, &mut seen));
        let mut use_ = |value: ValueId| {
            if !seen.insert(value) {
                return;
            }
            match (function.ty(value), constants.get(&value)) {
                (Type::Array(_), _) => captured.arrays.push(value),
                (Type::Scalar(_), Some(constant)) => captured.constants.push((value, *constant)),
                (Type::Scalar(_), None) => captured.scalars.push(value),
                // What uses one is no nest.
                (Type::Object, _) => {}
            }
        };
        ops.iter().for_each(|op| for_each_operand(op, &mut use_));
        more.iter().for_each(|value| use_(*value));
        captured
    }
}

fn define(op: &Op, defined: &mut HashSet<ValueId>) {
    defined.extend(&op.results);
    for region in &op.regions {
        defined.extend(&region.parameters);
        region.ops.iter().for_each(|nested| define(nested, defined));
    }
}

/// What an op and those in it use.
pub(crate) fn for_each_operand(op: &Op, visit: &mut dyn FnMut(ValueId)) {
    op.operands.iter().for_each(|value| visit(*value));
    op.regions.iter().flat_map(|region| &region.ops).for_each(|nested| for_each_operand(nested, visit));
}

/// Ints that are sums, differences, products or quotients of two others.
pub type Sums = HashMap<ValueId, (ScalarOp, [ValueId; 2])>;

/// All sums of a function.
pub fn sums_of(region: &Region) -> Sums {
    let mut sums = HashMap::new();
    crate::analysis::traverse::for_each_op(region, &mut |op| sums.extend(sum_of(op)));
    sums
}

/// The sums that stand among ops.
pub fn sums_among(ops: &[Op]) -> impl Iterator<Item = (ValueId, (ScalarOp, [ValueId; 2]))> {
    ops.iter().filter_map(sum_of)
}

fn sum_of(op: &Op) -> Option<(ValueId, (ScalarOp, [ValueId; 2]))> {
    match (&op.kind, op.operands.as_slice()) {
        (OpKind::Scalar(kind @ (ScalarOp::Add | ScalarOp::Sub | ScalarOp::Mul | ScalarOp::FloorDiv)), [a, b]) => {
            Some((op.results[0], (*kind, [*a, *b])))
        }
        _ => None,
    }
}

/// A scalar of the loop.
#[derive(Clone, Debug)]
pub struct Scalar {
    /// The program's value.
    pub val: Val,
    /// As a function of loop indices and captured scalars.
    pub affine: Option<Affine>,
    /// What follows from it, if it is a truth value.
    pub condition: Option<Condition>,
    /// Pairs of functions whose exclusive ors, one or two combined by `and`, it is: the tests for overflow are made of these.
    pub signs: Vec<[Affine; 2]>,
}

/// What stands for a value of the loop.
#[derive(Clone, Debug)]
pub enum Binding {
    /// A scalar.
    Scalar(Scalar),
    /// Elements of an array from outside.
    View(View),
    /// A fresh array whose elements are all this value; nobody writes it.
    Cell(Val),
}

/// What an int is not above, or not below.
#[derive(Clone, Debug)]
pub enum Bound {
    AtMost(Affine),
    AtLeast(Affine),
}
