//! What is iterated of containers. Python asks a list for its length before every iteration; a dictionary and a set must not change their size.

use numptx_ir::array::{ErrorKind, Type, ValueId};
use numptx_ir::functions::{Family, Typed};
use numptx_ir::scalar::ScalarOp;
use numptx_ir::{DType, object};
use numptx_source::{Span, code};
use numptx_syntax::ast::{Clause, Collects, Comprehension, Expr, ExprKind, Index};

use crate::lowerer::Lowerer;
use crate::lowerer::objects::INT;
use crate::values::call::Call;
use crate::values::container_types::{Container, Member, Sort};
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

    /// A list of run time of what a value is made of; `None` where it cannot be iterated.
    pub fn listed_now(&mut self, value: &Value, span: Span) -> Option<Value> {
        match value {
            Value::Container(container) => Some(match container.sort {
                Sort::List => value.clone(),
                Sort::Tuple | Sort::Deque => self.list_of(object::LIST_COPY, *container, &[0], span),
                Sort::Dictionary | Sort::Counter | Sort::Default => {
                    self.list_of(object::DICT_KEYS, *container, &[0], span)
                }
                Sort::Set => self.list_of(object::SET_TO_LIST, *container, &[0], span),
            }),
            Value::Tuple(items) => Some(self.contained(&Value::List(items.clone()), span)),
            Value::List(_) => Some(self.contained(value, span)),
            Value::Text(_) | Value::Str(_) => {
                let text = self.as_text(value)?;
                Some(self.list_from(object::STR_TO_LIST, vec![text], Member::Text, span))
            }
            Value::Iterable(iterable) => match **iterable {
                Iterable::Entries(container, gives) => Some(match gives {
                    Gives::Keys => self.list_of(object::DICT_KEYS, container, &[0], span),
                    Gives::Values => self.list_of(object::DICT_VALUES, container, &[1], span),
                    Gives::Items => self.list_of(object::DICT_ITEMS, container, &[0, 1], span),
                }),
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

    /// The list that an operation makes of a container's members (0), a dictionary's values (1), or pairs of both. Both objects hold them alike: where
    /// nothing is put into the container, what is put into the list tells what it would hold.
    fn list_of(&mut self, operation: u32, of: Container, positions: &[usize], span: Span) -> Value {
        let own: Vec<Member> = positions.iter().map(|position| self.containers.member_at(of.ty, *position)).collect();
        let member = match own.as_slice() {
            [one] => one.clone(),
            _ => self.containers.pair(of),
        };
        let list = self.list_from(operation, vec![of.value], member, span);
        let known = match &list {
            Value::Container(list) => self.containers.member(list.ty),
            _ => Member::Unknown,
        };
        let parts = match known {
            Member::Tuple(parts) if positions.len() == parts.len() && parts.len() > 1 => parts,
            one => vec![one],
        };
        for (position, part) in positions.iter().zip(parts) {
            self.containers.demand_otherwise(of.ty, *position, part);
        }
        list
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

    /// `array.tolist()`: lists inside one another of Python's numbers, or one number.
    pub fn list_of_elements(&mut self, array: Typed, call: &Call) -> Value {
        let span = call.span;
        let dtype = match self.builder.dtype(array.value) {
            DType::U64 => {
                let message = "`tolist` of `uint64`, whose elements ints of 64 bits need not hold";
                let help = "convert it first: `x.astype(np.int64).tolist()`";
                return self.refuse(code::BAD_ARGUMENT, span, message, help);
            }
            DType::Bool => DType::Bool,
            dtype if dtype.is_complex() => DType::C128,
            dtype if dtype.is_float() => DType::F64,
            _ => DType::I64,
        };
        let value = Value::Typed(array);
        match self.builder.rank(array.value) {
            0 => match self.host(array) {
                Some(number) => Value::python(self.builder.cast_scalar(number, dtype)),
                None => Value::Poison,
            },
            1 => {
                let numbers = match self.builder.dtype(array.value) == dtype {
                    true => value,
                    false => self.call_on("ndarray.astype", &[value, Value::DType(dtype)], span, &[span, span]),
                };
                match numbers.typed() {
                    Some(numbers) => self.list_of_array(numbers.value, Family::Python, span),
                    None => Value::Poison,
                }
            }
            _ => {
                let make = |kind| Expr { kind, span };
                let row = || make(ExprKind::Name(".row".into()));
                let method = ExprKind::Attribute { value: Box::new(row()), name: "tolist".into(), name_span: span };
                let (function, none) = (Box::new(make(method)), Vec::new());
                let element = make(ExprKind::Call { function, arguments: none, keywords: Vec::new() });
                let clause = Clause { target: row(), iterable: row(), conditions: Vec::new() };
                let collects = Collects::List;
                let all = Comprehension { element, clauses: vec![clause], is_generator: false, collects };
                self.collected(&all, value, Sort::List, span)
            }
        }
    }

    /// `zip(*members)`: what all members have at each place, as tuples.
    pub fn turned_round(&mut self, members: &Value, span: Span) -> Value {
        let Some(list) = self.as_list(members, span) else { return Value::Poison };
        let member = self.containers.member(list.ty);
        if member == Member::Unknown {
            return self.unknown::<Value>(&member, span).unwrap_or(Value::Poison);
        }
        let (Member::Tuple(parts), true) = (&member, self.calls.taken_apart == Some(span)) else {
            return self.call_own("turned_round", "zip", vec![Value::Container(list)], span);
        };
        // Each of them has a type of its own, and there is one for each name.
        let (length, one) = (self.container_length(list), self.builder.i64(1));
        let some = self.builder.scalar(ScalarOp::Le, &[one, length]);
        let message = format!("not enough values to unpack (expected {}, got 0)", parts.len());
        self.check(some, ErrorKind::Value, &message, &[]);
        let column = |s: &mut Self, n: usize| {
            let make = |kind| Expr { kind, span };
            let name = || make(ExprKind::Name(".member".into()));
            let indices = vec![Index::Expr(make(ExprKind::Int(n as i128)))];
            let element = make(ExprKind::Subscript { value: Box::new(name()), indices });
            let clause = Clause { target: name(), iterable: name(), conditions: Vec::new() };
            let all = Comprehension { element, clauses: vec![clause], is_generator: false, collects: Collects::List };
            // All of them are made at one place.
            s.calls.path.push(Span::new(n as u32, u32::MAX));
            let column = s.collected(&all, Value::Container(list), Sort::List, span);
            let column = if column.is_poison() { column } else { s.tuple_of(&column, span) };
            s.calls.path.pop();
            column
        };
        Value::Tuple((0..parts.len()).map(|n| column(self, n)).collect())
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

    fn place_from_end(&mut self, size: ValueId, position: ValueId) -> ValueId {
        let one = self.builder.i64(1);
        let last = self.builder.scalar(ScalarOp::Sub, &[size, one]);
        self.builder.scalar(ScalarOp::Sub, &[last, position])
    }

    /// Whether there is a member at a position, where there was one at each before it; `length` is that from before the iteration.
    pub fn has_member_at(&mut self, iterable: &Iterable, position: ValueId, length: Option<ValueId>) -> ValueId {
        match iterable {
            Iterable::Enumerate(inner, _) => self.has_member_at(inner, position, length),
            Iterable::Zip(all) if iterable.may_change() => {
                let tests: Vec<ValueId> = all.iter().map(|inner| self.has_member_at(inner, position, None)).collect();
                let all = tests.into_iter().reduce(|a, b| self.builder.scalar(ScalarOp::BitAnd, &[a, b]));
                all.unwrap_or_else(|| self.bool_id(false))
            }
            Iterable::Backwards(list, size) => {
                let in_time = self.builder.scalar(ScalarOp::Lt, &[position, *size]);
                let (place, now) = (self.place_from_end(*size, position), self.container_length(*list));
                let is_there = self.builder.scalar(ScalarOp::Lt, &[place, now]);
                self.builder.scalar(ScalarOp::BitAnd, &[in_time, is_there])
            }
            _ => {
                let length = match length.filter(|_| !iterable.may_change()) {
                    Some(length) => length,
                    None => self.length(iterable),
                };
                self.builder.scalar(ScalarOp::Lt, &[position, length])
            }
        }
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
