//! Dictionaries and sets of run time. Keys are numbers, strings and tuples of these, also of a length that only the run time knows.

use numptx_ir::array::ValueId;
use numptx_ir::object;
use numptx_ir::scalar::ScalarOp;
use numptx_source::{Span, code};

use crate::lowerer::Lowerer;
use crate::lowerer::objects::{BOOL, INT};
use crate::values::container_types::{Container, Member, Sort};
use crate::values::value::Value;

impl Lowerer<'_> {
    /// Whether a type can be that of keys; reported where it cannot.
    fn is_hashable(&mut self, member: &Member, span: Span) -> bool {
        let is_plain = match member {
            Member::Container(ty) if self.containers.sort(*ty) == Sort::Tuple => {
                let members = self.containers.member(*ty);
                return self.is_hashable(&members, span);
            }
            Member::Container(_) | Member::Array { .. } => false,
            Member::Tuple(members) => return members.iter().all(|m| self.is_hashable(m, span)),
            _ => true,
        };
        if !is_plain {
            let message = format!("{} is no key", member.describe());
            let help = match member {
                Member::Array { .. } => {
                    "keys and members of sets are numbers, strings and tuples of these: `seen.add(tuple(row.tolist()))`"
                }
                _ => "keys and members of sets are numbers, strings and tuples of these: `seen.add(tuple(xs))`",
            };
            self.refuse(code::BAD_ARGUMENT, span, message, help);
        }
        is_plain
    }

    /// The leaves of a key.
    pub fn key_leaves(&mut self, container: Container, key: &Value, span: Span) -> Option<Vec<ValueId>> {
        let (_, member) = self.as_member(key, span)?;
        if !self.is_hashable(&member, span) {
            return None;
        }
        self.put_leaves(container, 0, key, span)
    }

    /// The value of a key, or `KeyError`.
    pub fn present_item(&mut self, container: Container, key: &Value, span: Span) -> Value {
        let Some(leaves) = self.key_leaves(container, key, span) else { return Value::Poison };
        let slot = self.object_value(object::DICT_INDEX, [vec![container.value], leaves].concat(), INT);
        self.taken(object::DICT_VALUE, vec![container.value, slot], (container.ty, 1), span)
    }

    /// `dictionary[key] = value`
    pub fn set_dictionary_item(&mut self, container: Container, key: &Value, value: &Value, span: Span) {
        let key = self.key_leaves(container, key, span);
        let value = self.put_leaves(container, 1, value, span);
        if let (Some(key), Some(value)) = (key, value) {
            self.object_effect(object::DICT_SET, [vec![container.value], key, value].concat());
        }
    }

    /// The slot of a key, and whether there is one.
    pub fn found_slot(&mut self, container: Container, key: &Value, span: Span) -> Option<(ValueId, ValueId)> {
        let leaves = self.key_leaves(container, key, span)?;
        let slot = self.object_value(object::DICT_FIND, [vec![container.value], leaves].concat(), INT);
        let zero = self.builder.i64(0);
        Some((slot, self.builder.scalar(ScalarOp::Le, &[zero, slot])))
    }

    /// `key in container`
    pub fn container_has(&mut self, container: Container, member: &Value, span: Span) -> Option<ValueId> {
        match container.sort.object() {
            Sort::Dictionary => self.found_slot(container, member, span).map(|(_, is_there)| is_there),
            sort => {
                let leaves = match sort {
                    Sort::Set => self.key_leaves(container, member, span)?,
                    _ => self.put_leaves(container, 0, member, span)?,
                };
                let operation = if sort == Sort::Set { object::SET_CONTAINS } else { object::LIST_CONTAINS };
                Some(self.object_value(operation, [vec![container.value], leaves].concat(), BOOL))
            }
        }
    }

    /// `set.add(member)`, or a member of a display.
    pub fn add_to_set(&mut self, set: Container, member: &Value, span: Span) {
        if let Some(leaves) = self.key_leaves(set, member, span) {
            self.object_effect(object::SET_ADD, [vec![set.value], leaves].concat());
        }
    }

    /// `counter[key]`: 0 of a key that is not there.
    pub fn count_of(&mut self, counter: Container, key: &Value, span: Span) -> Value {
        let Some((slot, is_there)) = self.found_slot(counter, key, span) else { return Value::Poison };
        let count = |s: &mut Self| s.taken(object::DICT_VALUE, vec![counter.value, slot], (counter.ty, 1), span);
        self.choose(is_there, count, |s| s.int(0), span)
    }

    /// `del counter[key]`, also of a key that is not there.
    pub fn delete_counted(&mut self, counter: Container, key: &Value, span: Span) {
        let Some((slot, is_there)) = self.found_slot(counter, key, span) else { return };
        let delete = |s: &mut Self| {
            s.object_effect(object::DICT_REMOVE_AT, vec![counter.value, slot]);
            Value::None
        };
        self.choose(is_there, delete, |_| Value::None, span);
    }
}
