//! Changes of whole containers: what is put into them at once, and lists that are sorted.

use numptx_ir::array::ValueId;
use numptx_ir::object;
use numptx_source::{Span, code};

use crate::lowerer::Lowerer;
use crate::values::call::Call;
use crate::values::container_types::{Container, Sort};
use crate::values::value::Value;

impl Lowerer<'_> {
    pub(crate) fn update_set(&mut self, set: Container, other: &Value, span: Span) {
        match other {
            Value::Container(other) if other.sort == Sort::Set => {
                self.containers.same(set.ty, other.ty);
                self.object_effect(object::SET_UPDATE, vec![set.value, other.value]);
            }
            Value::Tuple(items) | Value::List(items) => {
                items.clone().iter().for_each(|item| self.add_to_set(set, item, span));
            }
            other => {
                if let Some(list) = self.as_list(other, span) {
                    self.containers.demand(set.ty, 0, self.containers.member(list.ty));
                    self.object_effect(object::SET_UPDATE_LIST, vec![set.value, list.value]);
                }
            }
        }
    }

    pub fn update_dictionary(&mut self, dictionary: Container, call: &Call) -> Value {
        match call.positional.as_slice() {
            [Value::Container(other)] if other.sort.object() == Sort::Dictionary => {
                self.containers.agree(dictionary.ty, other.ty);
                self.object_effect(object::DICT_UPDATE, vec![dictionary.value, other.value]);
            }
            [] => {}
            _ => return self.refuse_method(dictionary, "update", call),
        }
        for (name, value, span) in &call.keywords {
            self.set_dictionary_item(dictionary, &Value::Str(name.clone()), value, *span);
        }
        Value::None
    }

    /// A value as a set; `None` after a report.
    pub fn as_set(&mut self, value: &Value, span: Span) -> Option<Container> {
        if let Value::Container(set) = value
            && set.sort == Sort::Set
        {
            return Some(*set);
        }
        let set = self.empty_container(Sort::Set, span);
        let n_reports = self.reports.len();
        self.update_set(set, value, span);
        (self.reports.len() == n_reports).then_some(set)
    }

    /// `list.extend(other)`, `list += other`
    pub fn extend_list(&mut self, list: Container, other: &Value, span: Span) {
        if let Value::Tuple(items) | Value::List(items) = other {
            for item in items.clone() {
                if let Some(leaves) = self.put_leaves(list, 0, &item, span) {
                    self.object_effect(object::LIST_APPEND, [vec![list.value], leaves].concat());
                }
            }
            return;
        }
        if let Some(other) = self.as_list(other, span) {
            self.containers.same(list.ty, other.ty);
            self.object_effect(object::LIST_EXTEND, vec![list.value, other.value]);
        }
    }

    /// Sorts a list, by what a function gives of its members where there is one: the function, and the list as it was before.
    pub fn sort_in_place(&mut self, list: Container, key: Option<(Value, Value)>, reverse: ValueId, span: Span) {
        let Some((key, members)) = key else {
            return self.object_effect(object::LIST_SORT, vec![list.value, reverse]);
        };
        let keys = self.mapped(&key, vec![members], span);
        if let Value::Container(keys) = keys {
            self.object_effect(object::LIST_SORT_BY, vec![list.value, keys.value, reverse]);
        }
    }

    pub(crate) fn refuse_method(&mut self, container: Container, name: &str, call: &Call) -> Value {
        let what = container.sort.name();
        let message = format!("`{name}` of a {what} is not called so here");
        let help = match container.sort {
            Sort::List => {
                "write `xs.append(v)`, `xs.insert(0, v)`, `xs.pop()`, `xs.index(v)`, `xs.sort(key=f, reverse=True)`"
            }
            Sort::Dictionary => "write `d.get(key, 0)`, `d.setdefault(key, 0)`, `d.pop(key)`, `d.update(other)`",
            Sort::Set => "write `s.add(v)`, `s.union(other)`",
            Sort::Tuple => "write `t.index(v)`, `t.count(v)`; a list changes: `list(t)`",
            Sort::Deque => "write `q.append(v)`, `q.appendleft(v)`, `q.pop()`, `q.popleft()`, `q.rotate(1)`",
            Sort::Counter => "write `c.update(xs)`, `c.most_common(3)`, `c.get(key, 0)`",
            Sort::Default => "write `d.get(key, 0)`, `d.pop(key)`, `d.update(other)`",
        };
        self.refuse(code::BAD_ARGUMENT, call.span, message, help)
    }
}
