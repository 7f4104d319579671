//! Work items in several launches, as many in each as memory of their own allows.
//!
//! In: the extents of a nest's axes, and how many work items a launch may have. Out: loops on the host over parts of the axes, around a nest of one part.
//! Where all work items fit there is one launch. Work items depend on nothing that others do, so that it makes no difference which of them come first.
//!
//! ```text
//! for c in range(0, n, length): nest over min(n - c, length) work items, the first of which is number c
//! ```

use numptx_ir::DType;
use numptx_ir::array::{Op, OpKind, Region, Type, ValueId};
use numptx_ir::scalar::ScalarOp;

use crate::analysis::traverse::for_each_op;
use crate::loops::assumptions::guards::HostProgram;
use crate::rewrite::emit::yielding;

/// How the work items of a nest are parted.
pub struct Chunks {
    /// How many work items a launch has along each axis at most: 0 along axes without work items.
    pub lengths: Vec<ValueId>,
    /// By axis, the number of a launch's first work item.
    pub firsts: Vec<ValueId>,
    /// All work items along each axis.
    extents: Vec<ValueId>,
    /// The steps from launch to launch, at least 1.
    steps: Vec<ValueId>,
    zero: ValueId,
}

impl HostProgram<'_> {
    /// Parts with no more work items than `most` together, if that is at least 1. Rows stay whole as far as possible, so that neighbours are in one launch.
    pub fn chunks(&mut self, extents: &[ValueId], most: ValueId) -> Chunks {
        let (zero, one) = (self.number(0), self.number(1));
        let (mut lengths, mut steps, mut left) = (extents.to_vec(), extents.to_vec(), most);
        for (axis, extent) in extents.iter().enumerate().rev() {
            let mut integer = |op, a, b| self.scalar(OpKind::Scalar(op), vec![a, b], DType::I64);
            lengths[axis] = integer(ScalarOp::Min, *extent, left);
            steps[axis] = integer(ScalarOp::Max, lengths[axis], one);
            left = integer(ScalarOp::FloorDiv, left, steps[axis]);
        }
        let firsts = extents.iter().map(|_| self.add_value(Type::Scalar(DType::I64))).collect();
        Chunks { lengths, firsts, extents: extents.to_vec(), steps, zero }
    }

    /// The loops over parts around what `nest` makes of a part's extents.
    pub fn in_chunks(&mut self, chunks: &Chunks, nest: impl FnOnce(Vec<ValueId>) -> Op) -> Op {
        let mut scalars = Vec::with_capacity(chunks.extents.len());
        let mut extents = Vec::with_capacity(chunks.extents.len());
        let outside = std::mem::take(&mut self.ops);
        for (axis, extent) in chunks.extents.iter().enumerate() {
            let rest = self.scalar(OpKind::Scalar(ScalarOp::Sub), vec![*extent, chunks.firsts[axis]], DType::I64);
            extents.push(self.scalar(OpKind::Scalar(ScalarOp::Min), vec![rest, chunks.steps[axis]], DType::I64));
            scalars.push(std::mem::take(&mut self.ops));
        }
        self.ops = outside;
        let mut inner = nest(extents);
        for (axis, mut ops) in scalars.into_iter().enumerate().rev() {
            ops.extend([inner, yielding(Vec::new(), self.span)]);
            let operands = vec![chunks.zero, chunks.extents[axis], chunks.steps[axis]];
            let regions = vec![Region { parameters: vec![chunks.firsts[axis]], ops }];
            inner = Op { kind: OpKind::For, operands, results: Vec::new(), regions, span: self.span };
        }
        inner
    }
}

/// Of a loop over parts of the work items of one kernel: how many work items that has along the axis.
pub fn chunk_of(op: &Op) -> Option<ValueId> {
    let (OpKind::For, [region], []) = (&op.kind, op.regions.as_slice(), op.results.as_slice()) else { return None };
    let made = |kind: ScalarOp, operands: [ValueId; 2]| {
        let is_it = |made: &&Op| made.kind == OpKind::Scalar(kind) && made.operands == operands;
        Some(region.ops.iter().find(is_it)?.results[0])
    };
    let rest = made(ScalarOp::Sub, [op.operands[1], region.parameters[0]])?;
    let extent = made(ScalarOp::Min, [rest, op.operands[2]])?;
    let mut is_extent = false;
    for_each_op(region, &mut |inner| {
        // A kernel of a loop of the program in this one has that one's place.
        let is_kernel = matches!(inner.kind, OpKind::Nest(_) | OpKind::Launch(_)) && inner.span == op.span;
        is_extent |= is_kernel && inner.operands.contains(&extent);
    });
    is_extent.then_some(extent)
}
