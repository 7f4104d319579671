//! Functions that give views and are not methods of arrays.

use crate::value::Value;
use crate::writer::Writer;

impl Writer {
    /// `rot90`, `diagonal`, the `split` family, sliding windows.
    pub fn newer_view_function(&mut self, of: &Value) -> Value {
        self.indexed(of)
    }
}
