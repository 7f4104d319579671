//! What the members of a comprehension look like.

use numptx_ir::DType;
use numptx_ir::array::ValueId;
use numptx_ir::functions::Family;

/// What the members of a comprehension look like.
pub(crate) struct Member {
    /// Their dtype.
    pub dtype: DType,
    /// The family of a scalar, or [`Family::Array`].
    pub family: Family,
    /// How many lists are inside one another in a member.
    pub depth: usize,
    /// A member's extents; `None` where they are known in the loop only.
    pub extents: Option<Vec<Extent>>,
    /// Whether an array of members in C order has them as they lie in memory.
    pub is_in_c_order: bool,
}

/// An extent that is the same for all members.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Extent {
    /// Known when compiling.
    Constant(i64),
    /// A value from before the loop.
    Value(ValueId),
}
