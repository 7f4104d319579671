//! The state that `np.random` keeps, and generators that were made.

use numptx_ir::array::ValueId;

/// What an overload has of `np.random`.
#[derive(Default)]
pub(crate) struct RandomState {
    /// The words of the state that `np.random` has, where it is a parameter.
    pub state: Option<ValueId>,
    /// How often a value of `np.random` was made so far.
    pub n_made: usize,
}
