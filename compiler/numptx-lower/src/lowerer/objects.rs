//! Ops on lists, dictionaries, sets and strings of run time.

use numptx_ir::DType;
use numptx_ir::array::{ObjectOp, OpKind, Type, ValueId};
use numptx_ir::object::{self, Part};
use numptx_source::{Span, code};

use crate::lowerer::Lowerer;
use crate::values::container_types::{Container, Member, Sort};
use crate::values::facts::Fact;
use crate::values::value::Value;

impl Lowerer<'_> {
    /// Emits an operation of [`numptx_ir::object`].
    pub fn object(
        &mut self,
        operation: u32,
        layout: Vec<u8>,
        operands: Vec<ValueId>,
        types: Vec<Type>,
    ) -> Vec<ValueId> {
        let op = ObjectOp { operation, layout };
        let owner = operands.first().and_then(|first| self.constants.holding(*first));
        if op.changes() {
            self.loops.n_changed_objects += 1;
            owner.iter().for_each(|name| self.refuse_changed(name));
        }
        let gives_members = op.row().results.iter().any(|part| matches!(part, Part::Leaves | Part::Value));
        let kind = OpKind::Object(Box::new(op));
        let results = self.builder.emit_typed(kind, operands, types, Vec::new());
        results.iter().for_each(|v| drop(self.extents(*v)));
        if let Some(name) = owner.filter(|_| gives_members) {
            self.constants.held.extend(results.iter().map(|v| (*v, name.clone())));
        }
        results
    }

    /// A literal as a string of run time.
    pub fn text_constant(&mut self, text: &str) -> ValueId {
        self.object(object::STR_CONSTANT, text.as_bytes().to_vec(), Vec::new(), vec![Type::Object])[0]
    }

    /// Refuses the change of a list, dictionary or set of the module, or in one: each call has its own, and Python's calls share one.
    pub fn refuse_changed(&mut self, name: &str) {
        let (what, span) = (format!("a change of `{name}`, which is the module's"), self.builder.span());
        let help = format!("make it in the function, or take it as a parameter and return it: `{name} = dict({name})`");
        self.refuse(code::UNSUPPORTED_STATEMENT, span, what, help);
    }

    /// `len(container)`
    pub fn container_length(&mut self, container: Container) -> ValueId {
        let operation = match container.sort.object() {
            Sort::Dictionary => object::DICT_LENGTH,
            Sort::Set => object::SET_LENGTH,
            _ => object::LIST_LENGTH,
        };
        let length = self.object_value(operation, vec![container.value], INT);
        self.numbers.facts.set(length, Fact::EXTENT);
        length
    }

    /// The same of an operation on what exists that gives one value.
    pub fn object_value(&mut self, operation: u32, operands: Vec<ValueId>, ty: Type) -> ValueId {
        self.object(operation, Vec::new(), operands, vec![ty])[0]
    }

    /// The same of one that gives nothing.
    pub fn object_effect(&mut self, operation: u32, operands: Vec<ValueId>) {
        self.object(operation, Vec::new(), operands, Vec::new());
    }

    /// A string as one of run time; `None` of other values.
    pub fn as_text(&mut self, value: &Value) -> Option<ValueId> {
        match value {
            Value::Str(text) => Some(self.text_constant(text)),
            Value::Text(text) => Some(*text),
            Value::OtherStr => {
                self.containers.want_texts();
                None
            }
            _ => None,
        }
    }

    /// Notes that a member's type was not known, so that this attempt is none.
    pub fn unknown<T>(&mut self, member: &Member, span: Span) -> Option<T> {
        if let Some((one, other)) = member.different() {
            let message = format!("members of this list are {one} and {other}");
            let help = "give its members one type: `xs = [0.0]` and not `xs = [0]` where floats follow; convert what is put into it: `float(v)`";
            self.refuse(code::REBOUND_TO_OTHER_TYPE, span, message, help);
            return None;
        }
        self.containers.unknown.get_or_insert(span);
        None
    }
}

pub(crate) const INT: Type = Type::Scalar(DType::I64);

pub(crate) const BOOL: Type = Type::Scalar(DType::Bool);
