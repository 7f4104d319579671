//! Compactions as lowering makes them: a mask is counted along, the host reads the count, and chosen elements move next to each other.
//!
//! In: a region of the source phase. Out: which of its ops count what a mask chooses, and which move elements. Decides nothing. The form is that of
//! `numptx_ir::functions::compaction`:
//!
//! ```text
//! %running = scan<1, 0, add, C> %n, %mask { truth of the element }
//! %count = if %n > 0 { %last = index<0> %running, %n - 1; yield item %last } else { yield 0 }
//! %chosen = alloc<…, C> %count
//! if %count > 0 { scatter<…, apart> …, %chosen, … { a value, what runs less 1, the mask } }
//! ```

use std::collections::HashMap;

use numptx_ir::DType;
use numptx_ir::array::{Function, Meeting, Op, OpKind, Reading, Region, Scatter, ValueId};
use numptx_ir::scalar::{Body, Constant, InstrKind, Reducer, ScalarOp, Val};

use crate::analysis::traverse::{for_each_op, terminator_operands};

/// Ops without regions by what they define: kind and operands.
pub struct Definitions<'f> {
    ops: HashMap<ValueId, &'f Op>,
}

impl<'f> Definitions<'f> {
    /// Those of a function.
    pub fn of(function: &'f Function) -> Self {
        let mut ops = HashMap::new();
        for_each_op(&function.body, &mut |op| {
            if op.regions.is_empty() {
                ops.extend(op.results.iter().map(|v| (*v, op)));
            }
        });
        Definitions { ops }
    }

    /// The op that defines a value; `None` for parameters and results of branches and loops.
    pub fn get(&self, value: ValueId) -> Option<&'f Op> {
        self.ops.get(&value).copied()
    }

    /// The integer that a value is known to be.
    pub fn int(&self, value: ValueId) -> Option<i64> {
        match self.get(value)?.kind {
            OpKind::Constant(constant) => constant.as_int(),
            _ => None,
        }
    }

    /// Whether a value is another one less 1.
    fn is_one_less(&self, value: ValueId, than: ValueId) -> bool {
        if let (Some(a), Some(b)) = (self.int(value), self.int(than)) {
            return a == b - 1;
        }
        let Some(op) = self.get(value) else { return false };
        let by = |n: i64| op.operands[0] == than && self.int(op.operands[1]) == Some(n);
        match op.kind {
            OpKind::Scalar(ScalarOp::Sub) => by(1),
            OpKind::Scalar(ScalarOp::Add) => by(-1),
            _ => false,
        }
    }

    /// Whether a condition says that a number is above 0.
    pub fn is_above_zero(&self, condition: ValueId, number: ValueId) -> bool {
        let op = self.get(condition).filter(|op| op.kind == OpKind::Scalar(ScalarOp::Lt));
        op.is_some_and(|op| self.int(op.operands[0]) == Some(0) && op.operands[1] == number)
    }
}

/// A count of what a mask chooses.
#[derive(Clone, Debug)]
pub struct Counting {
    /// The position of the op that gives it.
    pub at: usize,
    /// The position of the scan.
    pub scan: usize,
    /// The mask as a vector.
    pub mask: ValueId,
    /// The vector's extent.
    pub extent: ValueId,
    /// The running count.
    pub running: ValueId,
    /// The count.
    pub count: ValueId,
}

/// All counts of a region's own ops, in order.
pub fn countings(region: &Region, definitions: &Definitions) -> Vec<Counting> {
    let positions: HashMap<ValueId, usize> =
        region.ops.iter().enumerate().flat_map(|(n, op)| op.results.iter().map(move |v| (*v, n))).collect();
    let counting = |(at, op): (usize, &Op)| {
        let (item, condition) = counted(op, definitions)?;
        let last = definitions.get(*item.operands.first()?).filter(|op| op.kind == OpKind::Index { axis: 0 })?;
        let [running, index] = last.operands[..] else { return None };
        let scan = *positions.get(&running)?;
        let (mask, extent) = counted_mask(&region.ops[scan])?;
        let is_guarded = condition.is_none_or(|condition| definitions.is_above_zero(condition, extent));
        let is_last = is_guarded && definitions.is_one_less(index, extent);
        is_last.then(|| Counting { at, scan, mask, extent, running, count: op.results[0] })
    };
    region.ops.iter().enumerate().filter_map(counting).collect()
}

/// The `item` that gives a count, and the condition under which it is read: where it does not hold the count is 0.
fn counted<'o>(op: &'o Op, definitions: &Definitions) -> Option<(&'o Op, Option<ValueId>)> {
    match (&op.kind, op.regions.as_slice(), op.results.as_slice()) {
        (OpKind::Item, [], [_]) => Some((op, None)),
        (OpKind::If, [then, otherwise], [_]) => {
            let [none] = terminator_operands(otherwise) else { return None };
            let item = then.ops.iter().find(|op| op.kind == OpKind::Item)?;
            let others = then.ops.iter().filter(|op| op.kind != OpKind::Item);
            let is_alone = others.clone().all(|op| op.kind.is_pure_scalar_or_view() || op.kind == OpKind::Yield);
            let is_count = definitions.int(*none) == Some(0) && terminator_operands(then) == item.results;
            (is_alone && is_count).then_some((item, Some(op.operands[0])))
        }
        _ => None,
    }
}

/// The vector that a scan counts along, and its extent.
fn counted_mask(op: &Op) -> Option<(ValueId, ValueId)> {
    let OpKind::Scan(scan) = &op.kind else { return None };
    let [extent, mask] = op.operands[..] else { return None };
    let is_count = scan.rank == 1 && scan.reducer == Reducer::Add && scan.epilogue.is_none();
    let [output] = scan.body.outputs[..] else { return None };
    let truth = operand_of(&scan.body, output, ScalarOp::Cast).filter(|_| scan.body.dtype(output) == DType::I64)?;
    (is_count && is_truth(&scan.body, truth, 0)).then_some((mask, extent))
}

fn operand_of(body: &Body, val: Val, of: ScalarOp) -> Option<Val> {
    match &body.instrs[val.0 as usize].kind {
        InstrKind::Op(op, operands) if *op == of => operands.first().copied(),
        _ => None,
    }
}

/// Whether a value is an input, as a bool.
pub fn is_truth(body: &Body, val: Val, input: u32) -> bool {
    let is_input = |val: Val| matches!(body.instrs[val.0 as usize].kind, InstrKind::Input(n) if n == input);
    body.dtype(val) == DType::Bool && (is_input(val) || operand_of(body, val, ScalarOp::Cast).is_some_and(is_input))
}

/// A move of chosen elements to a fresh vector.
#[derive(Clone, Debug)]
pub struct Move<'f> {
    /// The vector.
    pub chosen: ValueId,
    /// It and others that are filled with the same elements' values.
    pub destinations: &'f [ValueId],
    /// What is moved: the scatter, whose first input is the mask.
    pub scatter: &'f Scatter,
    /// The mask's extents.
    pub extents: &'f [ValueId],
    /// The scatter's inputs.
    pub inputs: &'f [ValueId],
    /// The mask, with all of its axes.
    pub mask: ValueId,
}

impl Counting {
    /// The move of chosen elements that an op of the region is, if it is one of what is counted here.
    pub fn moved<'f>(&self, op: &'f Op, definitions: &Definitions) -> Option<Move<'f>> {
        let (OpKind::If, [then, otherwise]) = (&op.kind, op.regions.as_slice()) else { return None };
        let [views @ .., last, end] = then.ops.as_slice() else { return None };
        let OpKind::Scatter(scatter) = &last.kind else { return None };
        let is_alone = op.results.is_empty() && otherwise.ops.len() == 1 && end.kind == OpKind::Yield;
        let is_guarded = definitions.is_above_zero(op.operands[0], self.count);
        if !is_alone || !is_guarded || !views.iter().all(|op| op.kind.is_pure_scalar_or_view()) {
            return None;
        }
        let (extents, rest) = last.operands.split_at(scatter.rank);
        let (destinations, inputs) = rest.split_at(scatter.n_destinations);
        let chosen = destinations.first()?;
        let [place, is_chosen] = scatter.body.outputs[scatter.n_destinations..] else { return None };
        let body = &scatter.body;
        let is_place = scatter.meeting == Meeting::Apart && body.n_tables() == 0 && is_one_less(body, place, 1);
        let mask = *inputs.first()?;
        let places = *inputs.get(1)?;
        let is_this = is_place
            && is_truth(body, is_chosen, 0)
            && is_flat(mask, self.mask, definitions)
            && is_flat(self.running, places, definitions);
        is_this.then_some(Move { chosen: *chosen, destinations, scatter, extents, inputs, mask })
    }
}

/// Whether a value is an input less 1.
pub fn is_one_less(body: &Body, val: Val, than: u32) -> bool {
    let kind = |val: Val| &body.instrs[val.0 as usize].kind;
    let InstrKind::Op(op, operands) = kind(val) else { return false };
    let [a, b] = operands[..] else { return false };
    let by = match op {
        ScalarOp::Sub => 1,
        ScalarOp::Add => -1,
        _ => return false,
    };
    *kind(a) == InstrKind::Input(than) && *kind(b) == InstrKind::Constant(Constant::Int(by))
}

/// Whether an array is another one, or all of its elements in C order in another shape.
pub fn is_flat(array: ValueId, other: ValueId, definitions: &Definitions) -> bool {
    let reshaped = definitions.get(other).filter(|op| matches!(op.kind, OpKind::Reshape(Reading::C)));
    array == other || reshaped.is_some_and(|op| op.operands[0] == array)
}
