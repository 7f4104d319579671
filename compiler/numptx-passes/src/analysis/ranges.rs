//! Between which numbers ints of the host lie, as far as the ops that make them tell.
//!
//! In: a function, and ops in the order in which they run. Out: the least and the largest number that an `i64` or a truth value may be, where that is
//! not all of them. Ints wrap: what may have wrapped may be any. Changes nothing.

use std::collections::HashMap;

use numptx_ir::DType;
use numptx_ir::array::{Function, Op, OpKind, ValueId};
use numptx_ir::scalar::{Constant, ScalarOp};

use crate::analysis::traverse::for_each_op;

/// Limit: all that an `i64` may be.
const ANY: [i64; 2] = [i64::MIN, i64::MAX];

/// Between what ints lie, both ends included.
#[derive(Clone, Debug, Default)]
pub struct Ranges(HashMap<ValueId, [i64; 2]>);

impl Ranges {
    /// Of all ints of a function.
    pub fn of(function: &Function) -> Self {
        let mut ranges = Ranges::default();
        for_each_op(&function.body, &mut |op| ranges.learn(function, op));
        ranges
    }

    /// The least and the largest number that an `i64` may be.
    pub fn get(&self, value: ValueId) -> [i64; 2] {
        self.0.get(&value).copied().unwrap_or(ANY)
    }

    /// A value is another one, under a new name.
    pub fn rename(&mut self, value: ValueId, new: ValueId) {
        self.0.extend(self.0.get(&value).copied().map(|range| (new, range)));
    }

    /// Notes what an op makes. Of a value that was made otherwise before, only the new range is known.
    pub fn learn(&mut self, function: &Function, op: &Op) {
        let dtype = |v: &ValueId| function.ty(*v).dtype();
        let (made, range) = match &op.kind {
            OpKind::Dim(_) => (op.results.first(), Some([0, i64::MAX])),
            // The length is the second result.
            OpKind::SliceBounds { .. } => (op.results.get(1), Some([0, i64::MAX])),
            OpKind::BroadcastExtent => (op.results.first(), hull(self.of_operands(op))),
            OpKind::Constant(Constant::Int(n)) => (op.results.first(), Some([*n, *n])),
            OpKind::Scalar(ScalarOp::Cast) => (op.results.first(), self.of_cast(op, dtype(&op.operands[0]))),
            OpKind::Scalar(scalar) => (op.results.first(), self.of_scalar(*scalar, op)),
            _ => return,
        };
        let Some(made) = made.filter(|v| dtype(v) == DType::I64) else { return };
        match range.filter(|range| *range != ANY) {
            Some(range) => _ = self.0.insert(*made, range),
            None => _ = self.0.remove(made),
        }
    }

    fn of_operands(&self, op: &Op) -> Vec<[i64; 2]> {
        op.operands.iter().map(|v| self.get(*v)).collect()
    }

    /// An integer of fewer bits, or a truth value.
    fn of_cast(&self, op: &Op, from: DType) -> Option<[i64; 2]> {
        match from {
            DType::Bool => Some([0, 1]),
            DType::I64 => Some(self.get(op.operands[0])),
            _ => range_of(from),
        }
    }

    fn of_scalar(&self, scalar: ScalarOp, op: &Op) -> Option<[i64; 2]> {
        let of = self.of_operands(op);
        let wide = |n: usize| Some(of.get(n)?.map(i128::from));
        match scalar {
            ScalarOp::Max => Some([of[0][0].max(of[1][0]), of[0][1].max(of[1][1])]),
            ScalarOp::Min => Some([of[0][0].min(of[1][0]), of[0][1].min(of[1][1])]),
            ScalarOp::Select => hull(of[1..].to_vec()),
            ScalarOp::Add => narrowed(plus(wide(0)?, wide(1)?)),
            ScalarOp::Sub => narrowed(plus(wide(0)?, times(wide(1)?, [-1; 2]))),
            ScalarOp::Neg => narrowed(times(wide(0)?, [-1; 2])),
            ScalarOp::Mul => narrowed(times(wide(0)?, wide(1)?)),
            // Numbers that are divided by 1 or more come nearer to 0, but for those from which they are rounded down.
            ScalarOp::FloorDiv if of[1][0] > 0 => {
                let ends = of[0].map(|n| of[1].map(|by| n.div_euclid(by)));
                hull(ends.concat().into_iter().map(|n| [n, n]).collect())
            }
            ScalarOp::Mod if of[1][0] > 0 => Some([0, of[1][1] - 1]),
            _ => None,
        }
    }
}

/// Between what the ints of a dtype lie, if all of them are ints of 64 bits.
pub(crate) fn range_of(dtype: DType) -> Option<[i64; 2]> {
    Some(match dtype {
        DType::I8 => [i8::MIN.into(), i8::MAX.into()],
        DType::I16 => [i16::MIN.into(), i16::MAX.into()],
        DType::I32 => [i32::MIN.into(), i32::MAX.into()],
        DType::U8 => [0, u8::MAX.into()],
        DType::U16 => [0, u16::MAX.into()],
        DType::U32 => [0, u32::MAX.into()],
        DType::I64 => ANY,
        _ => return None,
    })
}

/// What lies between the least and the largest of several.
fn hull(of: Vec<[i64; 2]>) -> Option<[i64; 2]> {
    of.into_iter().reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])])
}

pub(crate) fn plus(a: [i128; 2], b: [i128; 2]) -> [i128; 2] {
    [a[0].saturating_add(b[0]), a[1].saturating_add(b[1])]
}

pub(crate) fn times(a: [i128; 2], b: [i128; 2]) -> [i128; 2] {
    let [[p, q], [r, s]] = a.map(|a| b.map(|b| a.saturating_mul(b)));
    [p.min(q).min(r).min(s), p.max(q).max(r).max(s)]
}

/// A range in which nothing wraps.
pub(crate) fn narrowed(range: [i128; 2]) -> Option<[i64; 2]> {
    Some([i64::try_from(range[0]).ok()?, i64::try_from(range[1]).ok()?])
}
