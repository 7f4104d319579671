//! Methods of lists, dictionaries and sets, and the builtins that take them.

use numptx_ir::array::ValueId;
use numptx_ir::object;
use numptx_source::Span;

use crate::lowerer::Lowerer;
use crate::lowerer::objects::{BOOL, INT};
use crate::values::call::Call;
use crate::values::container_types::{Container, Member, Sort};
use crate::values::iterable::{Gives, Iterable};
use crate::values::value::Value;

impl Lowerer<'_> {
    /// `container.name(…)`
    pub fn container_method(&mut self, container: Container, name: &str, call: &Call) -> Value {
        match container.sort {
            Sort::List | Sort::Tuple => self.list_method(container, name, call),
            Sort::Dictionary => self.dictionary_method(container, name, call),
            Sort::Set => self.set_method(container, name, call),
            Sort::Deque => self.deque_method(container, name, call),
            Sort::Counter => self.counter_method(container, name, call),
            Sort::Default => self.dictionary_method(container, name, call),
        }
    }

    pub(crate) fn list_method(&mut self, list: Container, name: &str, call: &Call) -> Value {
        let value = list.value;
        let span = call.span;
        let place = |n: usize| call.places.get(n).copied().unwrap_or(span);
        if name == "sort" {
            return self.sort_list(list, call);
        }
        if !call.keywords.is_empty() {
            return self.refuse_method(list, name, call);
        }
        match (name, call.positional.as_slice()) {
            ("append", [member]) => {
                if let Some(leaves) = self.put_leaves(list, 0, member, place(0)) {
                    self.object_effect(object::LIST_APPEND, [vec![value], leaves].concat());
                }
                Value::None
            }
            ("insert", [position, member]) => {
                let Some(position) = self.integer(position) else { return self.refuse_method(list, name, call) };
                if let Some(leaves) = self.put_leaves(list, 0, member, place(1)) {
                    self.object_effect(object::LIST_INSERT, [vec![value, position], leaves].concat());
                }
                Value::None
            }
            ("pop", []) => {
                let position = self.builder.i64(-1);
                self.taken(object::LIST_POP, vec![value, position], (list.ty, 0), span)
            }
            ("pop", [position]) => {
                let Some(position) = self.integer(position) else { return self.refuse_method(list, name, call) };
                self.taken(object::LIST_POP, vec![value, position], (list.ty, 0), span)
            }
            ("extend", [other]) => {
                self.extend_list(list, other, place(0));
                Value::None
            }
            ("remove", [member]) => {
                if let Some(leaves) = self.put_leaves(list, 0, member, place(0)) {
                    self.object_effect(object::LIST_REMOVE, [vec![value], leaves].concat());
                }
                Value::None
            }
            ("index", [member, bounds @ ..]) if bounds.len() <= 2 => self.index_of(list, member, bounds, call),
            ("count", [member]) => match self.put_leaves(list, 0, member, place(0)) {
                Some(leaves) => {
                    let operands = [vec![value], leaves].concat();
                    Value::python(self.object_value(object::LIST_COUNT, operands, INT))
                }
                None => Value::Poison,
            },
            ("reverse", []) => {
                self.object_effect(object::LIST_REVERSE, vec![value]);
                Value::None
            }
            ("clear", []) => {
                self.object_effect(object::LIST_CLEAR, vec![value]);
                Value::None
            }
            ("copy", []) => self.alike(list, object::LIST_COPY, vec![value]),
            _ => self.refuse_method(list, name, call),
        }
    }

    /// `list.index(member, start, stop)`
    fn index_of(&mut self, list: Container, member: &Value, bounds: &[Value], call: &Call) -> Value {
        let mut positions = Vec::new();
        for bound in bounds {
            let Some(bound) = self.integer(bound) else { return self.refuse_method(list, "index", call) };
            positions.push(bound);
        }
        if positions.is_empty() {
            positions.push(self.builder.i64(0));
        }
        if positions.len() == 1 {
            positions.push(self.builder.i64(i64::MAX));
        }
        let place = call.places.first().copied().unwrap_or(call.span);
        match self.put_leaves(list, 0, member, place) {
            Some(leaves) => {
                let operands = [vec![list.value], leaves, positions].concat();
                Value::python(self.object_value(object::LIST_INDEX, operands, INT))
            }
            None => Value::Poison,
        }
    }

    fn sort_list(&mut self, list: Container, call: &Call) -> Value {
        let mut reverse = self.bool_id(false);
        let mut key = None;
        if !call.positional.is_empty() {
            return self.refuse_method(list, "sort", call);
        }
        for (name, value, span) in &call.keywords {
            match (name.as_str(), value) {
                ("reverse", value) => reverse = self.truth(value, *span),
                ("key", Value::None) => {}
                ("key", value) => key = Some(value.clone()),
                _ => return self.refuse_method(list, "sort", call),
            }
        }
        // What the function does to the list changes neither which members have a key nor how many.
        let members = if key.is_some() { self.alike(list, object::LIST_COPY, vec![list.value]) } else { Value::None };
        self.sort_in_place(list, key.map(|key| (key, members)), reverse, call.span);
        Value::None
    }

    pub(crate) fn dictionary_method(&mut self, dictionary: Container, name: &str, call: &Call) -> Value {
        let span = call.span;
        let entries = |gives| Value::Iterable(Box::new(Iterable::Entries(dictionary, gives)));
        match (name, call.positional.as_slice()) {
            ("update", [] | [_]) => return self.update_dictionary(dictionary, call),
            _ if !call.keywords.is_empty() => return self.refuse_method(dictionary, name, call),
            _ => {}
        }
        match (name, call.positional.as_slice()) {
            ("__getitem__", [key]) => self.dictionary_item(dictionary, key, span),
            ("keys", []) => entries(Gives::Keys),
            ("values", []) => entries(Gives::Values),
            ("items", []) => entries(Gives::Items),
            ("get", [key, rest @ ..]) if rest.len() <= 1 => {
                let Some((slot, is_there)) = self.found_slot(dictionary, key, span) else { return Value::Poison };
                let default = rest.first().cloned().unwrap_or(Value::None);
                let default = self.contained(&default, span);
                self.demand_default(dictionary, &default, span);
                let taken =
                    |s: &mut Self| s.taken(object::DICT_VALUE, vec![dictionary.value, slot], (dictionary.ty, 1), span);
                self.choose(is_there, taken, |_| default.clone(), span)
            }
            ("setdefault", [key, default]) => {
                let Some((_, is_there)) = self.found_slot(dictionary, key, span) else { return Value::Poison };
                let (key, default) = (key.clone(), self.contained(default, span));
                self.demand_default(dictionary, &default, span);
                let set = |s: &mut Self| {
                    s.set_dictionary_item(dictionary, &key, &default, span);
                    Value::None
                };
                self.choose(is_there, |_| Value::None, set, span);
                self.present_item(dictionary, &key, span)
            }
            ("pop", [key]) => {
                let Some(leaves) = self.key_leaves(dictionary, key, span) else { return Value::Poison };
                let slot = self.object_value(object::DICT_INDEX, [vec![dictionary.value], leaves].concat(), INT);
                self.pop_slot(dictionary, slot, span)
            }
            ("pop", [key, default]) => {
                let Some((slot, is_there)) = self.found_slot(dictionary, key, span) else { return Value::Poison };
                let default = self.contained(default, span);
                self.demand_default(dictionary, &default, span);
                self.choose(is_there, |s| s.pop_slot(dictionary, slot, span), |_| default, span)
            }
            ("popitem", []) => {
                let (key, value) = (self.containers.member(dictionary.ty), self.containers.values(dictionary.ty));
                let pair = Member::Tuple(vec![key, value]);
                let Some(types) = self.leaf_types(&pair) else {
                    self.unknown::<()>(&pair, span);
                    return Value::Poison;
                };
                let leaves = self.object(object::DICT_POPITEM, Vec::new(), vec![dictionary.value], types);
                self.rebuilt(&pair, &mut leaves.into_iter())
            }
            ("clear", []) => {
                self.object_effect(object::DICT_CLEAR, vec![dictionary.value]);
                Value::None
            }
            ("copy", []) => self.alike(dictionary, object::DICT_COPY, vec![dictionary.value]),
            _ => self.refuse_method(dictionary, name, call),
        }
    }

    /// A default says what the values are, where nothing else does yet.
    fn demand_default(&mut self, dictionary: Container, default: &Value, span: Span) {
        if *default != Value::None
            && self.containers.values(dictionary.ty) == Member::Unknown
            && let Some((_, member)) = self.as_member(default, span)
        {
            self.containers.demand(dictionary.ty, 1, member);
        }
    }

    fn pop_slot(&mut self, dictionary: Container, slot: ValueId, span: Span) -> Value {
        let value = self.taken(object::DICT_VALUE, vec![dictionary.value, slot], (dictionary.ty, 1), span);
        self.object_effect(object::DICT_REMOVE_AT, vec![dictionary.value, slot]);
        value
    }

    fn set_method(&mut self, set: Container, name: &str, call: &Call) -> Value {
        let span = call.span;
        if !call.keywords.is_empty() {
            return self.refuse_method(set, name, call);
        }
        match (name, call.positional.as_slice()) {
            ("add", [member]) => {
                self.add_to_set(set, member, span);
                Value::None
            }
            ("discard" | "remove", [member]) => {
                let operation = if name == "remove" { object::SET_REMOVE } else { object::SET_DISCARD };
                if let Some(leaves) = self.key_leaves(set, member, span) {
                    self.object_effect(operation, [vec![set.value], leaves].concat());
                }
                Value::None
            }
            ("pop", []) => self.taken(object::SET_POP, vec![set.value], (set.ty, 0), span),
            ("clear", []) => {
                self.object_effect(object::SET_CLEAR, vec![set.value]);
                Value::None
            }
            ("copy", []) => self.alike(set, object::SET_COPY, vec![set.value]),
            ("update", [other]) => {
                self.update_set(set, other, span);
                Value::None
            }
            ("union" | "intersection" | "difference" | "symmetric_difference", [other]) => {
                let operation = match name {
                    "union" => object::SET_UNION,
                    "intersection" => object::SET_INTERSECTION,
                    "difference" => object::SET_DIFFERENCE,
                    _ => object::SET_SYMMETRIC_DIFFERENCE,
                };
                let Some(other) = self.as_set(other, span) else { return Value::Poison };
                self.containers.same(set.ty, other.ty);
                self.alike(set, operation, vec![set.value, other.value])
            }
            ("intersection_update" | "difference_update" | "symmetric_difference_update", [other]) => {
                let operation = match name {
                    "intersection_update" => object::SET_INTERSECTION_UPDATE,
                    "difference_update" => object::SET_DIFFERENCE_UPDATE,
                    _ => object::SET_SYMMETRIC_DIFFERENCE_UPDATE,
                };
                let Some(other) = self.as_set(other, span) else { return Value::Poison };
                self.containers.same(set.ty, other.ty);
                self.object_effect(operation, vec![set.value, other.value]);
                Value::None
            }
            ("issubset" | "issuperset" | "isdisjoint", [other]) => {
                let operation = match name {
                    "issubset" => object::SET_IS_SUBSET,
                    "issuperset" => object::SET_IS_SUPERSET,
                    _ => object::SET_IS_DISJOINT,
                };
                let Some(other) = self.as_set(other, span) else { return Value::Poison };
                self.containers.same(set.ty, other.ty);
                Value::python(self.object_value(operation, vec![set.value, other.value], BOOL))
            }
            _ => self.refuse_method(set, name, call),
        }
    }
}
