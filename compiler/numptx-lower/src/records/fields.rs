//! Fields of records: those that are values, and those that are cells of run time, because something assigns them.

use numptx_ir::functions::Family;
use numptx_ir::object;
use numptx_syntax::ast::{Field, Module, TypeSpec};

use crate::lowerer::Lowerer;
use crate::syntax::liveness::Names;
use crate::values::class::{Class, class_of};
use crate::values::container_types::{Member, Sort, TypeId};
use crate::values::value::Value;

impl Lowerer<'_> {
    /// All fields of a record, as they are now.
    pub fn fields(&mut self, class: &Class, fields: &[Value]) -> Vec<Value> {
        (0..fields.len()).map(|n| self.field(class, fields, n)).collect()
    }

    /// What a field of a record is now.
    pub fn field(&mut self, class: &Class, fields: &[Value], position: usize) -> Value {
        match (class.0.fields.get(position), fields.get(position)) {
            (Some(field), Some(cell)) if field.is_assigned => self.read_cell(field, cell),
            (_, Some(value)) => value.clone(),
            _ => Value::Poison,
        }
    }

    fn read_cell(&mut self, field: &Field, cell: &Value) -> Value {
        let (ty, zero) = (self.type_of_cell(field), self.builder.i64(0));
        match (cell, self.containers.member(ty)) {
            (Value::Typed(cell), Member::Scalar { family, .. }) => {
                let element = self.builder.index(cell.value, 0, zero);
                match family {
                    Family::Python => Value::python(self.builder.item(element)),
                    _ => self.load(element),
                }
            }
            (Value::Container(cell), _) => {
                let span = self.builder.span();
                self.taken(object::LIST_GET, vec![cell.value, zero], (ty, 0), span)
            }
            _ => Value::Poison,
        }
    }

    pub fn type_of_cell(&mut self, field: &Field) -> TypeId {
        self.containers.at(Sort::List, (Vec::new(), field.span))
    }
}

/// The names of the classes of records in a value.
pub(crate) fn classes_of(value: &Value, module: &Module, names: &mut Names) {
    if let Value::Record(class, _) = value {
        let constant = module.constants.iter().find(|c| class_of(c).is_some_and(|other| other == *class));
        names.extend(constant.map(|constant| constant.name.clone()));
    }
    match value {
        Value::Tuple(items) | Value::List(items) => items.iter().for_each(|item| classes_of(item, module, names)),
        other => other.parts().iter().for_each(|part| classes_of(part, module, names)),
    }
}

/// The names of classes that a type names.
pub(crate) fn classes_in(ty: &TypeSpec, names: &mut Names) {
    match ty {
        TypeSpec::Record(name) | TypeSpec::Records(name, _) => drop(names.insert(name.clone())),
        TypeSpec::Tuple(members) => members.iter().for_each(|member| classes_in(member, names)),
        TypeSpec::List(member) | TypeSpec::Set(member) => classes_in(member, names),
        TypeSpec::Dictionary(key, value) => [key, value].into_iter().for_each(|member| classes_in(member, names)),
        TypeSpec::Scalar(_)
        | TypeSpec::Array(_)
        | TypeSpec::Str
        | TypeSpec::None
        | TypeSpec::Generator
        | TypeSpec::RandomState => {}
    }
}
