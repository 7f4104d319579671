//! What is read of dictionaries by a key, where some make what is missing.

use numptx_ir::array::ValueId;
use numptx_ir::scalar::Constant;
use numptx_ir::{DType, object};
use numptx_source::Span;

use crate::lowerer::Lowerer;
use crate::values::call::Call;
use crate::values::container_types::{Container, Sort};
use crate::values::value::Value;

impl Lowerer<'_> {
    /// What a `defaultdict` of a type makes of a missing key.
    pub fn made_default(&mut self, dictionary: Container, key: &Value, span: Span) -> Option<Value> {
        let function = self.containers.factory(dictionary.ty)?.function.clone();
        let call = Call { positional: Vec::new(), keywords: Vec::new(), places: Vec::new(), span };
        Some(match &function {
            Value::None => {
                // There is none: the key is missing.
                self.present_item(dictionary, key, span)
            }
            Value::Builtin("int") => self.int(0),
            Value::Builtin("float") => Value::python(self.builder.constant(Constant::Float(0.0), DType::F64)),
            Value::Builtin("bool") => self.bool(false),
            Value::Builtin(name) => self.builtin(name, call),
            Value::UserFunction(position) => self.inline(*position, call),
            Value::Closure(closure) => self.inline_closure(closure, call),
            _ => return None,
        })
    }

    /// The slot of a key, which is made where it is missing.
    pub fn slot_with_default(&mut self, dictionary: Container, key: &Value, span: Span) -> Option<ValueId> {
        let (slot, is_there) = self.found_slot(dictionary, key, span)?;
        let make = |s: &mut Self| {
            let Some(value) = s.made_default(dictionary, key, span) else { return Value::Poison };
            s.set_dictionary_item(dictionary, key, &value, span);
            match s.found_slot(dictionary, key, span) {
                Some((slot, _)) => Value::python(slot),
                None => Value::Poison,
            }
        };
        let slot = self.choose(is_there, |_| Value::python(slot), make, span);
        slot.typed().map(|slot| slot.value)
    }

    /// `dictionary[key]`
    pub fn dictionary_item(&mut self, container: Container, key: &Value, span: Span) -> Value {
        match container.sort {
            Sort::Counter => self.count_of(container, key, span),
            Sort::Default => match self.slot_with_default(container, key, span) {
                Some(slot) => self.taken(object::DICT_VALUE, vec![container.value, slot], (container.ty, 1), span),
                None => Value::Poison,
            },
            _ => self.present_item(container, key, span),
        }
    }
}
