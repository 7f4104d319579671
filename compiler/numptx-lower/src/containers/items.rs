//! `container[indices]`: read, written and deleted.

use numptx_ir::object;
use numptx_source::{Span, code};
use numptx_syntax::ast::Index;

use crate::lowerer::Lowerer;
use crate::lowerer::objects::INT;
use crate::values::container_types::{Container, Sort};
use crate::values::value::Value;

impl Lowerer<'_> {
    /// `container[indices]`, read.
    pub fn container_item(&mut self, container: Container, indices: &[Index], span: Span) -> Value {
        match (container.sort, indices) {
            (Sort::List | Sort::Tuple | Sort::Deque, [Index::Expr(expr)]) => {
                let Some(position) = self.list_position(expr) else { return Value::Poison };
                self.taken(object::LIST_GET, vec![container.value, position], (container.ty, 0), span)
            }
            (Sort::List | Sort::Tuple, [Index::Slice { lower, upper, step, .. }]) => {
                let length = self.container_length(container);
                let Some(bounds) = self.slice_of(length, [lower, upper, step]) else { return Value::Poison };
                let operands = [vec![container.value], bounds.to_vec()].concat();
                self.alike(container, object::LIST_SLICE, operands)
            }
            (Sort::Dictionary | Sort::Counter | Sort::Default, _) => match self.key_of(indices, span) {
                Some(key) => self.dictionary_item(container, &key, span),
                None => Value::Poison,
            },
            _ => {
                let message = format!("a {} is not indexed so", container.sort.name());
                let help = match container.sort {
                    Sort::Deque => "write `q[i]`, or take a list: `list(q)[1:]`",
                    _ => "write `xs[i]`, `xs[1:n]` or `d[key]`",
                };
                self.refuse(code::UNSUPPORTED_INDEX, span, message, help)
            }
        }
    }

    /// `container[indices] = value`
    pub fn set_container_item(&mut self, container: Container, indices: &[Index], value: &Value, span: Span) {
        match (container.sort, indices) {
            (Sort::List | Sort::Deque, [Index::Expr(expr)]) => {
                let Some(position) = self.list_position(expr) else { return };
                self.set_list_item(container, position, value, span);
            }
            (Sort::Dictionary | Sort::Counter | Sort::Default, _) => {
                if let Some(key) = self.key_of(indices, span) {
                    self.set_dictionary_item(container, &key, value, span);
                }
            }
            (Sort::List, [Index::Slice { lower, upper, step, .. }]) => {
                let length = self.container_length(container);
                let Some(bounds) = self.slice_of(length, [lower, upper, step]) else { return };
                let Some(other) = self.as_list(value, span) else { return };
                self.containers.same(container.ty, other.ty);
                let operands = [vec![container.value], bounds.to_vec(), vec![other.value]].concat();
                self.object_effect(object::LIST_SET_SLICE, operands);
            }
            _ => {
                let message = format!("a {} is not written so", container.sort.name());
                self.refuse(code::UNSUPPORTED_INDEX, span, message, "write `xs[i] = v` or `d[key] = v`");
            }
        }
    }

    /// `del container[indices]`
    pub fn delete_container_item(&mut self, container: Container, indices: &[Index], span: Span) {
        match (container.sort, indices) {
            (Sort::List | Sort::Deque, [Index::Expr(expr)]) => {
                if let Some(position) = self.list_position(expr) {
                    self.object_effect(object::LIST_DELETE, vec![container.value, position]);
                }
            }
            (Sort::List, [Index::Slice { lower, upper, step, .. }]) => {
                let length = self.container_length(container);
                let Some(bounds) = self.slice_of(length, [lower, upper, step]) else { return };
                self.object_effect(object::LIST_DELETE_SLICE, [vec![container.value], bounds.to_vec()].concat());
            }
            (Sort::Dictionary | Sort::Counter | Sort::Default, _) => {
                let Some(key) = self.key_of(indices, span) else { return };
                if container.sort == Sort::Counter {
                    return self.delete_counted(container, &key, span);
                }
                if let Some(leaves) = self.key_leaves(container, &key, span) {
                    let operands = [vec![container.value], leaves].concat();
                    let slot = self.object_value(object::DICT_INDEX, operands, INT);
                    self.object_effect(object::DICT_REMOVE_AT, vec![container.value, slot]);
                }
            }
            _ => {
                let message = format!("nothing of a {} is deleted so", container.sort.name());
                self.refuse(code::UNSUPPORTED_INDEX, span, message, "write `del xs[i]` or `del d[key]`");
            }
        }
    }

    /// The key that indices are: several ones are a tuple. `None` after a report.
    pub fn key_of(&mut self, indices: &[Index], span: Span) -> Option<Value> {
        let mut keys = Vec::new();
        for index in indices {
            match index {
                Index::Expr(expr) => keys.push(self.expression(expr)),
                Index::NewAxis(_) => keys.push(Value::None),
                _ => {
                    self.refuse(code::UNSUPPORTED_INDEX, span, "a slice is no key", "write `d[key]`");
                    return None;
                }
            }
        }
        let key = if keys.len() == 1 { keys.remove(0) } else { Value::Tuple(keys) };
        (!key.is_poison()).then_some(key)
    }
}
