//! What is known of numbers that only the run time has.

use std::collections::BTreeMap;

use numptx_ir::DType;
use numptx_ir::array::ValueId;
use numptx_ir::scalar::Constant;

use crate::values::container_types::TypeId;
use crate::values::facts::Facts;
use crate::values::value::Value;

/// What is known of the numbers of an overload.
#[derive(Default)]
pub(crate) struct Numbers {
    /// Bounds of its integers.
    pub facts: Facts,
    /// Values of Python's numbers that branches and loops carry, where an attempt at a loop assumes them.
    pub assumed: BTreeMap<ValueId, Constant>,
    /// Numbers that may still be of this type in Python: see `numbers/narrower.rs`.
    pub narrower: BTreeMap<ValueId, DType>,
    /// Numbers read from containers that hold constants alone so far; put back there, they say no more of its members.
    pub read_from: BTreeMap<ValueId, (TypeId, usize)>,
}

impl Numbers {
    /// Forgets numbers that do not exist any more.
    pub fn truncate(&mut self, exists: impl Fn(ValueId) -> bool) {
        self.facts.truncate(&exists);
        self.assumed.retain(|value, _| exists(*value));
        self.read_from.retain(|value, _| exists(*value));
        self.narrower.retain(|value, _| exists(*value));
    }

    /// The type that a Python number may still have in Python, if that is narrower than its own.
    pub fn narrower_of(&self, value: &Value) -> Option<DType> {
        self.narrower.get(&value.typed()?.value).copied()
    }
}
