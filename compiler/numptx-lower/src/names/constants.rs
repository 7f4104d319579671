//! The module's constants, as far as a function reads them.

use numptx_ir::array::OpKind;
use numptx_ir::functions::Family;
use numptx_syntax::ast::Constant;

use crate::lowerer::Lowerer;
use crate::values::value::Value;

/// Evaluates module-level constants where they are seen by the whole function.
pub(crate) fn lower_constants(lowerer: &mut Lowerer<'_>, constants: &[&Constant]) {
    for constant in constants {
        let (value, holds_generator) = lowerer.once(|s| s.constant_expression(&constant.value));
        match holds_generator {
            true => lowerer.constants.generators.insert(constant.name.clone()),
            false => lowerer.constants.generators.remove(&constant.name),
        };
        let value = match value.typed() {
            // An array is made anew in every call: nobody may see the difference by writing to it.
            Some(typed) if typed.family == Family::Array => {
                let view = lowerer.builder.emit(OpKind::ReadOnly, vec![typed.value])[0];
                let extents = lowerer.extents(typed.value);
                lowerer.builder.set_shape(view, extents);
                Value::array(view)
            }
            _ => value,
        };
        lowerer.constants.values.insert(constant.name.clone(), value);
    }
}
