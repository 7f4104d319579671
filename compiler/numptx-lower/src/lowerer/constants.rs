//! What the module's constants became.

use std::collections::BTreeMap;

use numptx_ir::array::ValueId;

use crate::syntax::liveness::Names;
use crate::values::value::Value;

/// Module-level constants that were evaluated.
#[derive(Default)]
pub(crate) struct Constants {
    /// Their values.
    pub values: BTreeMap<String, Value>,
    /// Objects that lists, dictionaries and sets of the module hold, with these constants' names.
    pub held: BTreeMap<ValueId, String>,
    /// Those that hold a generator.
    pub generators: Names,
    /// What is lowered is a constant of the module, or a default.
    pub is_once: bool,
}

impl Constants {
    /// The constant of the module that is this object, or holds it.
    pub fn holding(&self, object: ValueId) -> Option<String> {
        let is_it = |value: &Value| matches!(value, Value::Container(container) if container.value == object);
        let own = self.values.iter().find(|(_, value)| is_it(value)).map(|(name, _)| name);
        own.or_else(|| self.held.get(&object)).cloned()
    }
}
