//! What is iterated of containers. Python asks a list for its length before every iteration; a dictionary and a set must not change their size.

use numptx_ir::array::{ErrorKind, Type, ValueId};
use numptx_ir::object;
use numptx_ir::scalar::ScalarOp;
use numptx_source::Span;

use crate::lowerer::Lowerer;
use crate::lowerer::objects::INT;
use crate::values::container_types::{Container, Sort};
use crate::values::iterable::{Gives, Iterable, Walk};
use crate::values::value::Value;

impl Lowerer<'_> {
    /// An iterable in which dictionaries and sets are ready to be iterated.
    pub fn settled_iterable(&mut self, iterable: Iterable, span: Span) -> Iterable {
        match iterable {
            Iterable::Container(deque) if deque.sort == Sort::Deque => {
                // It must not change its size either, so that its own members are there in each iteration.
                let (keys, size) = (Container { sort: Sort::List, ..deque }, self.container_length(deque));
                Iterable::Walk(Box::new(Walk { of: deque, keys, size, gives: Gives::Keys }))
            }
            Iterable::Container(container) if container.sort.object() != Sort::List => {
                self.walk(container, Gives::Keys, span)
            }
            Iterable::Entries(container, gives) => self.walk(container, gives, span),
            Iterable::Enumerate(inner, start) => {
                Iterable::Enumerate(Box::new(self.settled_iterable(*inner, span)), start)
            }
            Iterable::Zip(all) => Iterable::Zip(all.into_iter().map(|i| self.settled_iterable(i, span)).collect()),
            Iterable::Reversed(inner) => Iterable::Reversed(Box::new(self.settled_iterable(*inner, span))),
            other => other,
        }
    }

    fn walk(&mut self, of: Container, gives: Gives, span: Span) -> Iterable {
        let operation = if of.sort == Sort::Set { object::SET_TO_LIST } else { object::DICT_KEYS };
        let member = self.containers.member(of.ty);
        let size = self.container_length(of);
        let Value::Container(keys) = self.list_from(operation, vec![of.value], member, span) else { unreachable!() };
        Iterable::Walk(Box::new(Walk { of, keys, size, gives }))
    }

    /// `reversed(members)`
    pub fn reversed_members(&mut self, of: Container, span: Span) -> Option<Value> {
        let size = self.container_length(of);
        if of.sort == Sort::List {
            return Some(Value::Iterable(Box::new(Iterable::Backwards(of, size))));
        }
        if of.sort == Sort::Deque {
            let inner = self.settled_iterable(Iterable::Container(of), span);
            return Some(Value::Iterable(Box::new(Iterable::Reversed(Box::new(inner)))));
        }
        let Value::Container(keys) = self.listed_now(&Value::Container(of), span)? else { return None };
        self.object_effect(object::LIST_REVERSE, vec![keys.value]);
        if of.sort == Sort::Tuple {
            return Some(Value::Container(keys));
        }
        Some(Value::Iterable(Box::new(Iterable::Walk(Box::new(Walk { of, keys, size, gives: Gives::Keys })))))
    }

    fn check_size(&mut self, walk: &Walk) {
        if walk.of.sort == Sort::Deque {
            let length = self.container_length(walk.of);
            let is_same = self.builder.scalar(ScalarOp::Eq, &[length, walk.size]);
            return self.check(is_same, ErrorKind::Runtime, "deque mutated during iteration", &[]);
        }
        let check = if walk.of.sort == Sort::Set { object::SET_CHECK_SIZE } else { object::DICT_CHECK_SIZE };
        self.object_effect(check, vec![walk.of.value, walk.size]);
    }

    /// Raises where a dictionary or a set of what was iterated has another size than when that began.
    pub fn check_sizes(&mut self, iterable: &Iterable) {
        match iterable {
            Iterable::Walk(walk) => self.check_size(walk),
            Iterable::Enumerate(inner, _) => self.check_sizes(inner),
            _ => {}
        }
    }

    /// A member of what is walked through.
    pub fn walked(&mut self, walk: &Walk, position: ValueId, span: Span) -> Value {
        self.check_size(walk);
        let key = self.taken(object::LIST_GET, vec![walk.keys.value, position], (walk.keys.ty, 0), span);
        match walk.gives {
            Gives::Keys => key,
            Gives::Values => self.present_item(walk.of, &key, span),
            Gives::Items => {
                let value = self.present_item(walk.of, &key, span);
                Value::Tuple(vec![key, value])
            }
        }
    }

    pub fn place_from_end(&mut self, size: ValueId, position: ValueId) -> ValueId {
        let one = self.builder.i64(1);
        let last = self.builder.scalar(ScalarOp::Sub, &[size, one]);
        self.builder.scalar(ScalarOp::Sub, &[last, position])
    }

    /// The length of a list as it is now, or of a string.
    pub fn object_length(&mut self, iterable: &Iterable) -> Option<ValueId> {
        Some(match iterable {
            Iterable::Container(container) => self.container_length(*container),
            Iterable::Backwards(_, size) => *size,
            Iterable::Entries(container, _) => self.container_length(*container),
            Iterable::Walk(walk) => self.container_length(walk.keys),
            Iterable::Text(text) => self.object_value(object::STR_LENGTH, vec![*text], INT),
            _ => return None,
        })
    }

    /// The member at a position that is in range.
    pub fn object_element(&mut self, iterable: &Iterable, position: ValueId, span: Span) -> Option<Value> {
        Some(match iterable {
            Iterable::Container(container) if matches!(container.sort, Sort::List | Sort::Tuple) => {
                self.taken(object::LIST_GET, vec![container.value, position], (container.ty, 0), span)
            }
            Iterable::Backwards(list, size) => {
                let place = self.place_from_end(*size, position);
                self.taken(object::LIST_GET, vec![list.value, place], (list.ty, 0), span)
            }
            Iterable::Walk(walk) => self.walked(walk, position, span),
            Iterable::Text(text) => {
                Value::Text(self.object_value(object::STR_GET, vec![*text, position], Type::Object))
            }
            Iterable::Container(_) | Iterable::Entries(..) => {
                let settled = self.settled_iterable(iterable.clone(), span);
                return self.object_element(&settled, position, span);
            }
            _ => return None,
        })
    }
}
