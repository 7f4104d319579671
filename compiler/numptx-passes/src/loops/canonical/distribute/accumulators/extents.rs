//! How large the arrays between a loop that stores and one that accumulates are.
//!
//! In: the loops around a value that is left. Out: an array with an element for each of their work items, and what it needs: how many bytes, and integers that
//! are as small as indices are. A loop whose range begins or ends at an outer index has the extent of all its ranges together, so that of a triangle half the
//! elements stay as they were made: nothing reads them.

use numptx_ir::DType;
use numptx_ir::array::{ArrayType, Layout, Op, OpKind, Order, Type, ValueId};
use numptx_ir::scalar::ScalarOp;

use crate::loops::assumptions::guards::HostProgram;
use crate::loops::canonical::distribute::accumulators::Division;

/// What arrays need, where ranges change from iteration to iteration.
#[derive(Default)]
pub struct Needs {
    /// The extents of each array, or less than 0 for none, and the bytes of an element.
    pub arrays: Vec<(Vec<ValueId>, i64)>,
    /// Integers of which the first and last indices of changing ranges are made: none if there are none.
    pub integers: Vec<ValueId>,
    /// Whether a range changes from iteration to iteration.
    pub has_bounding_boxes: bool,
}

/// An end of the values that a scalar has in all iterations.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Least,
    Most,
}

impl End {
    fn other(self) -> End {
        if self == End::Least { End::Most } else { End::Least }
    }
}

impl Division<'_, '_> {
    /// An array with an element a work item of the loops around.
    pub(crate) fn array(&mut self, dtype: DType) -> Option<ValueId> {
        let (mut extents, mut distances) = (Vec::new(), Vec::new());
        for n in 0..self.levels.len() {
            let [extent, distance] = self.extent(n)?;
            extents.push(extent);
            distances.push(distance);
        }
        let ty = ArrayType { dtype, rank: extents.len(), layout: Layout::C, writable: true };
        let array = self.pass.function.add_value(Type::Array(ty));
        self.pass.known.points_to.add_fresh(array);
        self.needs.arrays.push((distances, dtype.itemsize() as i64));
        let kind = OpKind::Alloc { dtype, order: Order::C };
        self.before.push(Op { kind, operands: extents, results: vec![array], regions: Vec::new(), span: self.span });
        Some(array)
    }

    /// How far the index of a loop around may get from its first one, and the same where that is less than 0.
    fn extent(&mut self, n: usize) -> Option<[ValueId; 2]> {
        self.levels[n].is_used = true;
        if let Some(extent) = self.levels[n].extent {
            return Some(extent);
        }
        let [lower, upper] = self.levels[n].bounds;
        let is_upwards = self.levels[n].is_upwards;
        let first = if is_upwards { End::Least } else { End::Most };
        let begins = self.outside(lower, (first, n))?;
        let ends = self.outside(upper, (first.other(), n))?;
        if self.depends_on_index(lower) {
            self.levels[n].first = Some(begins);
        }
        let (least, most) = if is_upwards { (begins, ends) } else { (ends, begins) };
        let mut host = HostProgram::new(self.pass.function, self.span);
        let is_any = host.scalar(OpKind::Scalar(ScalarOp::Lt), vec![least, most], DType::Bool);
        let distance = host.scalar(OpKind::Scalar(ScalarOp::Sub), vec![most, least], DType::I64);
        let zero = host.number(0);
        let extent = host.scalar(OpKind::Scalar(ScalarOp::Select), vec![is_any, distance, zero], DType::I64);
        self.before.append(&mut host.ops);
        self.levels[n].extent = Some([extent, distance]);
        self.levels[n].extent
    }

    /// Whether a scalar is made of an index of the loops around.
    fn depends_on_index(&self, value: ValueId) -> bool {
        let is_index = self.levels.iter().any(|level| level.index == value);
        is_index
            || self.marks.inside.contains(&value)
                && self.marks.makers.get(&value).is_some_and(|op| op.operands.iter().any(|v| self.depends_on_index(*v)))
    }

    /// A scalar as it can be computed before the loop: of one that is a sum of indices of the first `n` loops and others, an end of its values.
    fn outside(&mut self, value: ValueId, (end, n): (End, usize)) -> Option<ValueId> {
        if let Some(outer) = self.levels[..n].iter().position(|level| level.index == value) {
            return self.end_of_index(outer, end);
        }
        if !self.marks.inside.contains(&value) {
            self.needs.integers.push(value);
            return Some(value);
        }
        let op = self.marks.makers.get(&value)?.clone();
        let ends = match op.kind {
            OpKind::Scalar(ScalarOp::Add) => vec![end, end],
            OpKind::Scalar(ScalarOp::Sub) => vec![end, end.other()],
            OpKind::Constant(_) | OpKind::Scalar(_) if !self.depends_on_index(value) => vec![end; op.operands.len()],
            _ => return None,
        };
        let mut operands = Vec::with_capacity(ends.len());
        for (operand, end) in op.operands.iter().zip(ends) {
            operands.push(self.outside(*operand, (end, n))?);
        }
        let result = self.pass.function.add_value(self.pass.function.ty(value));
        self.before.push(Op { operands, results: vec![result], ..op });
        if !self.depends_on_index(value) {
            self.needs.integers.push(result);
        }
        Some(result)
    }

    /// The least or the largest index of a loop around, where it has iterations.
    fn end_of_index(&mut self, n: usize, end: End) -> Option<ValueId> {
        self.needs.has_bounding_boxes = true;
        let ([lower, upper], is_upwards) = (self.levels[n].bounds, self.levels[n].is_upwards);
        if is_upwards == (end == End::Least) {
            return self.outside(lower, (end, n));
        }
        let after = self.outside(upper, (end, n))?;
        let mut host = HostProgram::new(self.pass.function, self.span);
        let one = host.number(if is_upwards { -1 } else { 1 });
        let last = host.scalar(OpKind::Scalar(ScalarOp::Add), vec![after, one], DType::I64);
        self.before.append(&mut host.ops);
        Some(last)
    }
}
