//! What an op, with all that is nested in it, does to what other ops see.
//!
//! In: an op. Out: the values that it uses, the arrays that it writes, and whether it raises. Decides nothing.

use numptx_ir::array::{Op, OpKind, ValueId};

use crate::analysis::points_to::written_arrays;
use crate::analysis::traverse::for_each_op;

/// See the file's header.
pub struct Effects {
    /// Values that are used, those from inside included.
    pub uses: Vec<ValueId>,
    /// Arrays that are written.
    pub writes: Vec<ValueId>,
    /// Whether something is raised, other than that memory or a device fails.
    pub raises: bool,
    /// Whether neither memory is read nor written.
    pub is_free: bool,
}

impl Effects {
    /// Those of an op.
    pub fn of(op: &Op) -> Effects {
        let (mut uses, mut raises) = (op.operands.clone(), raises(op));
        for nested in &op.regions {
            for_each_op(nested, &mut |op| {
                uses.extend(&op.operands);
                raises |= self::raises(op);
            });
        }
        uses.sort_unstable();
        uses.dedup();
        let is_free = op.kind.is_pure_scalar_or_view();
        Effects { uses, writes: written_arrays(op), raises, is_free }
    }
}

fn raises(op: &Op) -> bool {
    matches!(op.kind, OpKind::Check { .. } | OpKind::Call { .. } | OpKind::Object(_) | OpKind::Return)
}
