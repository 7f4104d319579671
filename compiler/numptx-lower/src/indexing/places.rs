//! What a subscript names, and what its indices are.

use numptx_ir::array::ValueId;
use numptx_ir::functions::selection::Selection;
use numptx_source::Span;

/// What a subscript of an array names.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Place {
    /// A view.
    View(ValueId),
    /// One element, as a view of rank 0.
    Element(ValueId),
    /// The elements where a mask is true.
    Masked {
        /// The whole array.
        array: ValueId,
        /// The mask, a bool array of the extents of the array's leading axes.
        mask: ValueId,
    },
    /// The elements that integer arrays select.
    Selected(Selection),
}

/// One evaluated index.
#[derive(Clone)]
pub(crate) enum Item {
    /// Drops an axis.
    At(ValueId, Span),
    /// Keeps an axis.
    Slice { lower: Option<ValueId>, upper: Option<ValueId>, step: Option<ValueId>, span: Span },
    /// Adds an axis.
    NewAxis,
    /// As many axes as are left.
    Ellipsis,
    /// A bool array.
    Mask(ValueId, Span),
    /// Integers, along one axis.
    Array(IndexArray),
}

/// An array of integers among indices.
#[derive(Clone)]
pub(crate) struct IndexArray {
    /// The array, or nothing yet where `leaves` holds its elements.
    pub value: Option<ValueId>,
    /// The elements of a list display of integers.
    pub leaves: Vec<ValueId>,
    pub span: Span,
}
