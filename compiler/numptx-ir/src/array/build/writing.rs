//! What may be written.
//!
//! In: arrays. Out: whether they may be written; where the path decides, a check that raises NumPy's `ValueError`, and the array as one that is
//! written. Whether an argument may be written the caller sees to: to the function it may.

use super::Builder;
use super::sharing::ScalarKey;
use crate::array::{ErrorKind, OpKind, ValueId};

/// What NumPy says of an assignment to an array that is read-only.
pub const READ_ONLY_DESTINATION: &str = "assignment destination is read-only";
/// What it says of `out=` and of `array op= value`.
pub const READ_ONLY_OUTPUT: &str = "output array is read-only";

/// Whether an array may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writability {
    /// On every path.
    Always,
    /// On none.
    Never,
    /// The path decides: a branch or a loop hands it on, or it is a view or a copy, whichever NumPy makes.
    ByPath,
}

impl Builder {
    /// Whether an array may be written, as far as it is known when compiling.
    pub fn writability(&self, array: ValueId) -> Writability {
        match self.function.array(array) {
            Some(ty) if ty.writable => Writability::Always,
            _ if self.read_only[array.0 as usize] => Writability::Never,
            _ => Writability::ByPath,
        }
    }

    /// Raises `ValueError` with a message where an array is read-only.
    pub fn check_writable(&mut self, array: ValueId, message: &str) {
        if self.writability(array) != Writability::Always {
            let is_writable = self.shared(ScalarKey::IsWritable(array), |b| b.emit(OpKind::IsWritable, vec![array]))[0];
            self.check(is_writable, ErrorKind::Value, message, &[]);
        }
    }

    /// An array as the destination of a write. Whether it may be is checked here, unless it was before.
    pub(super) fn written(&mut self, array: ValueId) -> ValueId {
        if self.writability(array) == Writability::Always {
            return array;
        }
        self.check_writable(array, READ_ONLY_DESTINATION);
        let extents = self.shape(array);
        let result = self.emit_one(OpKind::Writable, vec![array]);
        self.with_extents(result, extents)
    }

    /// Whether the result of an op is a view through which nothing is written on any path.
    pub(super) fn gives_read_only(&self, kind: &OpKind, operands: &[ValueId]) -> bool {
        match kind {
            OpKind::ReadOnly | OpKind::Broadcast | OpKind::Windows { .. } => true,
            OpKind::Writable => false,
            kind if kind.is_view() || matches!(kind, OpKind::Strided { .. }) => self.read_only[operands[0].0 as usize],
            _ => false,
        }
    }
}
