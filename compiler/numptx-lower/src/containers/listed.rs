//! Lists of what can be gone through: members that are listed at once, or by a loop.

use numptx_ir::array::ErrorKind;
use numptx_ir::functions::{Family, Typed};
use numptx_ir::scalar::ScalarOp;
use numptx_ir::{DType, object};
use numptx_source::{Span, code};
use numptx_syntax::ast::ExprKind;

use crate::lowerer::Lowerer;
use crate::syntax::maker::Maker;
use crate::values::call::Call;
use crate::values::container_types::{Container, Member, Sort};
use crate::values::iterable::{Gives, Iterable};
use crate::values::value::Value;

impl Lowerer<'_> {
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
        let make = Maker { span };
        let name = || make.name(".member");
        let all = make.list_of(name(), vec![make.clause(name(), name())]);
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
                let make = Maker { span };
                let row = || make.name(".row");
                let element = make.call(make.attribute(row(), "tolist"), Vec::new());
                let all = make.list_of(element, vec![make.clause(row(), row())]);
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
            let make = Maker { span };
            let name = || make.name(".member");
            let element = make.subscript(name(), vec![make.expr(ExprKind::Int(n as i128))]);
            let all = make.list_of(element, vec![make.clause(name(), name())]);
            // All of them are made at one place.
            s.calls.path.push(Span::new(n as u32, u32::MAX));
            let column = s.collected(&all, Value::Container(list), Sort::List, span);
            let column = if column.is_poison() { column } else { s.tuple_of(&column, span) };
            s.calls.path.pop();
            column
        };
        Value::Tuple((0..parts.len()).map(|n| column(self, n)).collect())
    }

    /// A value as a list of run time; `None` after a report.
    pub fn as_list(&mut self, value: &Value, span: Span) -> Option<Container> {
        match self.listed_now(value, span) {
            Some(Value::Container(list)) if list.sort == Sort::List => Some(list),
            Some(_) => None,
            None => {
                if !value.is_poison() {
                    let message = format!("{} is no list", value.describe(&self.builder));
                    self.refuse(
                        code::BAD_ARGUMENT,
                        span,
                        message,
                        "pass a list, a tuple, a range, a dictionary or an array of one axis",
                    );
                }
                None
            }
        }
    }

    /// `tuple(value)` of a length that the run time knows: a list that nobody changes.
    pub fn tuple_of(&mut self, value: &Value, span: Span) -> Value {
        if let Value::Container(tuple) = value
            && tuple.sort == Sort::Tuple
        {
            return value.clone();
        }
        let Some(list) = self.as_list(value, span) else { return Value::Poison };
        let site = self.calls.site(span);
        let ty = self.containers.at(Sort::Tuple, site);
        self.containers.agree(ty, list.ty);
        let tuple = Container { sort: Sort::Tuple, ty, ..list };
        self.alike(tuple, object::LIST_COPY, vec![list.value])
    }
}
