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
