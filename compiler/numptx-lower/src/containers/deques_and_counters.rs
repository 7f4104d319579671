//! Methods of deques and counters, where they are others than those of lists and dictionaries.

use numptx_ir::array::ValueId;
use numptx_ir::object;
use numptx_source::Span;

use crate::lowerer::Lowerer;
use crate::lowerer::objects::INT;
use crate::values::call::Call;
use crate::values::container_types::Container;
use crate::values::value::Value;

impl Lowerer<'_> {
    /// `deque.name(…)`
    pub fn deque_method(&mut self, deque: Container, name: &str, call: &Call) -> Value {
        let (value, span) = (deque.value, call.span);
        let place = |n: usize| call.places.get(n).copied().unwrap_or(span);
        let add = |s: &mut Self, operation: u32, before: Vec<ValueId>, member: &Value, place: Span| {
            if let Some(leaves) = s.put_leaves(deque, 0, member, place) {
                s.object_effect(operation, [before, leaves].concat());
            }
            Value::None
        };
        match (name, call.positional.as_slice()) {
            _ if !call.keywords.is_empty() => self.refuse_method(deque, name, call),
            ("append", [member]) => add(self, object::DEQUE_APPEND, vec![value], member, place(0)),
            ("appendleft", [member]) => add(self, object::DEQUE_APPENDLEFT, vec![value], member, place(0)),
            ("insert", [position, member]) => match self.integer(position) {
                Some(position) => add(self, object::DEQUE_INSERT, vec![value, position], member, place(1)),
                None => self.refuse_method(deque, name, call),
            },
            ("popleft", []) => {
                let first = self.builder.i64(0);
                self.taken(object::LIST_POP, vec![value, first], (deque.ty, 0), span)
            }
            ("extend" | "extendleft", [members]) => {
                let Some(list) = self.as_list(members, place(0)) else { return Value::Poison };
                self.containers.agree(deque.ty, list.ty);
                let operation = if name == "extend" { object::DEQUE_EXTEND } else { object::DEQUE_EXTENDLEFT };
                self.object_effect(operation, vec![value, list.value]);
                Value::None
            }
            ("rotate", [] | [_]) => {
                let by = match call.positional.first() {
                    None => Some(self.builder.i64(1)),
                    Some(by) => self.integer(by),
                };
                let Some(by) = by else { return self.refuse_method(deque, name, call) };
                self.object_effect(object::DEQUE_ROTATE, vec![value, by]);
                Value::None
            }
            ("copy", []) => {
                let limit = self.object_value(object::DEQUE_LIMIT, vec![value], INT);
                self.alike(deque, object::DEQUE_NEW, vec![value, limit])
            }
            ("pop", []) | ("remove" | "count", [_]) | ("clear" | "reverse", []) | ("index", [_, ..]) => {
                self.list_method(deque, name, call)
            }
            _ => self.refuse_method(deque, name, call),
        }
    }

    /// `counter.name(…)`
    pub fn counter_method(&mut self, counter: Container, name: &str, call: &Call) -> Value {
        let own = Value::Container(counter);
        let with_own = |values: &[Value]| [std::slice::from_ref(&own), values].concat();
        match (name, call.positional.as_slice()) {
            ("update" | "subtract", [] | [_]) => self.count_members(counter, name, call),
            _ if !call.keywords.is_empty() && name != "most_common" => self.refuse_method(counter, name, call),
            ("most_common", values @ ([] | [_])) => {
                let most = values.first().or(call.keywords.first().map(|(_, value, _)| value));
                let most = most.cloned().unwrap_or(Value::None);
                self.call_own("most_common", "Counter.most_common", with_own(&[most]), call.span)
            }
            ("elements", []) => self.call_own("counted_elements", "Counter.elements", with_own(&[]), call.span),
            ("total", []) => self.call_own("counted_total", "Counter.total", with_own(&[]), call.span),
            _ => self.dictionary_method(counter, name, call),
        }
    }

    /// Whether two counters are equal, which takes what is missing to be 0.
    pub fn counters_equal(&mut self, a: Container, b: Container, span: Span) -> Option<ValueId> {
        let arguments = vec![Value::Container(a), Value::Container(b)];
        let equal = self.call_own("counters_equal", "Counter", arguments, span);
        equal.typed().map(|equal| equal.value)
    }
}
