//! What is iterated of containers. Python asks a list for its length before every iteration; a dictionary and a set must not change their size.

use numptx_ir::array::{Type, ValueId};
use numptx_ir::functions::Family;
use numptx_ir::object;
use numptx_source::Span;
use numptx_syntax::ast::{Clause, Collects, Comprehension, Expr, ExprKind};

use super::elements::Container;
use super::lists::INT;
use super::types::{Member, Sort};
use crate::iteration::Iterable;
use crate::lowerer::Lowerer;
use crate::value::Value;

/// What an iteration of a dictionary gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gives {
    /// Keys.
    Keys,
    /// Values.
    Values,
    /// Pairs.
    Items,
}

/// A dictionary or a set that is iterated: its keys as they were when that began.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Walk {
    /// The dictionary or set.
    pub of: Container,
    /// The list of its keys.
    pub keys: Container,
    /// How many there were.
    pub size: ValueId,
    /// What an iteration gives.
    pub gives: Gives,
}

impl Lowerer<'_> {
    /// An iterable in which dictionaries and sets are ready to be iterated.
    pub fn settled_iterable(&mut self, iterable: Iterable, span: Span) -> Iterable {
        match iterable {
            Iterable::Container(container) if container.sort != Sort::List => self.walk(container, Gives::Keys, span),
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

    fn check_size(&mut self, walk: &Walk) {
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
            Gives::Values => self.dictionary_item(walk.of, &key, span),
            Gives::Items => {
                let value = self.dictionary_item(walk.of, &key, span);
                Value::Tuple(vec![key, value])
            }
        }
    }

    /// A list of run time of what a value is made of; `None` where it cannot be iterated.
    pub fn listed_now(&mut self, value: &Value, span: Span) -> Option<Value> {
        match value {
            Value::Container(container) => Some(match container.sort {
                Sort::List => value.clone(),
                Sort::Dictionary => {
                    let member = self.containers.member(container.ty);
                    self.list_from(object::DICT_KEYS, vec![container.value], member, span)
                }
                Sort::Set => {
                    let member = self.containers.member(container.ty);
                    self.list_from(object::SET_TO_LIST, vec![container.value], member, span)
                }
            }),
            Value::Tuple(items) => Some(self.contained(&Value::List(items.clone()), span)),
            Value::List(_) => Some(self.contained(value, span)),
            Value::Text(_) | Value::Str(_) => {
                let text = self.as_text(value)?;
                Some(self.list_from(object::STR_TO_LIST, vec![text], Member::Text, span))
            }
            Value::Iterable(iterable) => match **iterable {
                Iterable::Entries(container, gives) => {
                    let (operation, member) = match gives {
                        Gives::Keys => (object::DICT_KEYS, self.containers.member(container.ty)),
                        Gives::Values => (object::DICT_VALUES, self.containers.values(container.ty)),
                        Gives::Items => (object::DICT_ITEMS, self.pair_member(container)),
                    };
                    Some(self.list_from(operation, vec![container.value], member, span))
                }
                _ => Some(self.listed_by_loop(value, span)),
            },
            Value::Filled(list) if list.depth == 1 && self.builder.rank(list.array) == 1 => {
                Some(self.list_of_array(list.array, list.family, span))
            }
            Value::Typed(typed) if self.builder.rank(typed.value) == 1 => {
                Some(self.list_of_array(typed.value, Family::Numpy, span))
            }
            Value::Typed(typed) if self.builder.rank(typed.value) > 1 => Some(self.listed_by_loop(value, span)),
            _ => None,
        }
    }

    /// The same of what is iterated, one member after the other.
    pub fn listed_by_loop(&mut self, value: &Value, span: Span) -> Value {
        let make = |kind| Expr { kind, span };
        let name = || make(ExprKind::Name(".member".into()));
        let clause = Clause { target: name(), iterable: name(), conditions: Vec::new() };
        let all =
            Comprehension { element: name(), clauses: vec![clause], is_generator: false, collects: Collects::List };
        self.collected(&all, value.clone(), Sort::List, span)
    }

    /// The length of a list as it is now, or of a string.
    pub fn object_length(&mut self, iterable: &Iterable) -> Option<ValueId> {
        Some(match iterable {
            Iterable::Container(container) => self.container_length(*container),
            Iterable::Entries(container, _) => self.container_length(*container),
            Iterable::Walk(walk) => self.container_length(walk.keys),
            Iterable::Text(text) => self.object_value(object::STR_LENGTH, vec![*text], INT),
            _ => return None,
        })
    }

    /// The member at a position that is in range.
    pub fn object_element(&mut self, iterable: &Iterable, position: ValueId, span: Span) -> Option<Value> {
        Some(match iterable {
            Iterable::Container(container) if container.sort == Sort::List => {
                self.taken(object::LIST_GET, vec![container.value, position], (container.ty, 0), span)
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

impl Iterable {
    /// Whether its length may change while it is iterated.
    pub fn may_change(&self) -> bool {
        match self {
            Iterable::Container(_) => true,
            Iterable::Enumerate(inner, _) | Iterable::Reversed(inner) => inner.may_change(),
            Iterable::Zip(all) => all.iter().any(Iterable::may_change),
            _ => false,
        }
    }
}
