//! The state that `np.random` keeps, and generators that were made.

use numptx_ir::array::ValueId;

use crate::values::container_types::Container;
use crate::values::value::Value;

/// What an overload has of `np.random`.
#[derive(Default)]
pub(crate) struct RandomState {
    /// The words of the state that `np.random` has, where it is a parameter.
    pub state: Option<ValueId>,
    /// How often a value of `np.random` was made so far.
    pub n_made: usize,
}

impl RandomState {
    /// Whether a generator has the state that NumPy keeps.
    pub fn is_state(&self, fields: &[Value]) -> bool {
        let is_it = |state: ValueId| matches!(fields.first(), Some(Value::Container(Container { value, .. })) if *value == state);
        self.state.is_some_and(is_it)
    }
}
