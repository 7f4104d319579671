//! By what the axes of arrays are indexed in a loop.
//!
//! In: the ops of a loop. Out: of each axis of each array that is there before it all indices, and whether anything else sees that axis.

use std::collections::{HashMap, HashSet};

use numptx_ir::array::{Op, OpKind, Region, ValueId};
use numptx_ir::scalar::ScalarOp;

use crate::loops::canonical::flattened::{Axis, Views};
use crate::loops::canonical::polynomials::Made;

/// Which axes a loop indexes by what.
pub(crate) struct Accesses<'m> {
    pub made: &'m Made,
    pub views: Views,
    pub indices: HashMap<Axis, Vec<ValueId>>,
    /// Axes that other ops than those that index see.
    pub whole: HashSet<Axis>,
}

impl Accesses<'_> {
    pub(crate) fn region(&mut self, region: &Region) {
        for op in &region.ops {
            self.op(op);
            op.regions.iter().for_each(|nested| self.region(nested));
        }
    }

    fn op(&mut self, op: &Op) {
        if let (OpKind::Index { axis }, [array, index]) = (&op.kind, op.operands.as_slice()) {
            let Some((root, mut axes)) = self.axes_of(*array, axis + 1) else { return };
            let at = axes.remove(*axis);
            let index = plain_index(self.made, *index);
            let indices = self.indices.entry((root, at)).or_default();
            if !indices.contains(&index) {
                indices.push(index);
            }
            self.views.insert(op.results[0], (root, axes));
            return;
        }
        for operand in &op.operands {
            match self.views.get(operand) {
                Some((root, axes)) => self.whole.extend(axes.iter().map(|axis| (*root, *axis))),
                None => self.whole.extend((0..MOST_AXES).map(|axis| (*operand, axis))),
            }
        }
    }

    /// The array from before the loop that a view is of, and its axes.
    fn axes_of(&self, array: ValueId, least: usize) -> Option<(ValueId, Vec<usize>)> {
        let root = || (!self.made.inside.contains(&array)).then(|| (array, (0..MOST_AXES.max(least)).collect()));
        self.views.get(&array).cloned().or_else(root)
    }
}

/// Limit: NumPy's arrays have no more axes.
pub(crate) const MOST_AXES: usize = 64;

/// An index without the choice that counts it from the end where it is negative.
pub(crate) fn plain_index(made: &Made, index: ValueId) -> ValueId {
    match made.by(index) {
        Some((ScalarOp::Select, [condition, _, plain])) => match made.by(*condition) {
            Some((ScalarOp::Lt, [a, b])) if a == plain && made.numbers.get(b) == Some(&0) => *plain,
            _ => index,
        },
        _ => index,
    }
}
