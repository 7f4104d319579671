//! Members of containers: what type a value has as one, and how it is held, leaf by leaf.

use numptx_ir::array::{Type, ValueId};
use numptx_ir::functions::Family;
use numptx_ir::scalar::Constant;
use numptx_ir::{DType, object};
use numptx_source::{Severity, Span, code};

use crate::lowerer::Lowerer;
use crate::values::container_types::{Container, Member, Sort, TypeId};
use crate::values::value::Value;

/// Ints of Python that become a float of Python, or a member of NumPy's, without changing.
const MOST_EXACT: std::ops::RangeInclusive<i64> = -(1 << 53)..=1 << 53;

impl Lowerer<'_> {
    /// What a value is as a member; `None` after a report. Lists of static length become lists of run time.
    pub fn as_member(&mut self, value: &Value, span: Span) -> Option<(Value, Member)> {
        let value = self.contained(value, span);
        let member = match &value {
            Value::Poison => return None,
            Value::None => Member::None,
            Value::Str(_) | Value::Text(_) => Member::Text,
            Value::OtherStr => {
                self.containers.want_texts();
                return None;
            }
            Value::Container(container) => Member::Container(container.ty),
            Value::Typed(typed) if typed.family == Family::Array => {
                Member::Array { dtype: self.builder.dtype(typed.value), rank: self.builder.rank(typed.value) }
            }
            Value::Typed(typed) if self.builder.dtype(typed.value) == DType::F16 => {
                let message = "numbers of `float16` in lists, dictionaries and texts are not supported";
                self.refuse(code::UNSUPPORTED_EXPRESSION, span, message, "convert the number: `float(x)`");
                return None;
            }
            Value::Typed(typed) => {
                let (family, dtype) = (typed.family, self.builder.dtype(typed.value));
                let constant =
                    self.builder.as_constant(typed.value).or(self.numbers.assumed.get(&typed.value).copied());
                let is_exact = match constant {
                    Some(Constant::Int(n)) => MOST_EXACT.contains(&n),
                    Some(Constant::Float(_)) => true,
                    _ => false,
                };
                Member::Scalar { family, dtype, is_constant: family == Family::Python && is_exact }
            }
            Value::Tuple(items) | Value::Record(_, items) if value.as_structure().is_none() => {
                let mut values = Vec::new();
                let mut members = Vec::new();
                for item in items {
                    // Of a tuple with something unknown in it, the rest is known.
                    let is_unknown = item.is_poison() && self.reports.iter().all(|r| r.severity != Severity::Error);
                    let known =
                        if is_unknown { Some((Value::Poison, Member::Unknown)) } else { self.as_member(item, span) };
                    let (value, member) = known?;
                    values.push(value);
                    members.push(member);
                }
                return Some(match &value {
                    Value::Record(class, _) => {
                        (Value::Record(class.clone(), values), Member::Record(class.clone(), members))
                    }
                    _ => (Value::Tuple(values), Member::Tuple(members)),
                });
            }
            other => {
                let message = format!("{} cannot be a member of a list that changes", other.describe(&self.builder));
                let help = "put numbers, strings, arrays, tuples and lists into it";
                self.refuse(code::UNSUPPORTED_EXPRESSION, span, message, help);
                return None;
            }
        };
        Some((value, member))
    }

    /// A list of static length, or one that is an array, as a list of run time; other values as they are.
    pub fn contained(&mut self, value: &Value, span: Span) -> Value {
        match value {
            Value::List(items) => {
                let site = (self.calls.path.clone(), span);
                let ty = self.containers.at(Sort::List, site);
                Value::Container(self.new_list(ty, items, span))
            }
            Value::Filled(list) if list.depth == 1 && self.builder.rank(list.array) == 1 => {
                self.list_of_array(list.array, list.family, span)
            }
            Value::Filled(_) => self.listed_by_loop(value, span),
            Value::Iterable(_) => match self.listed_now(value, span) {
                Some(list) => list,
                None => value.clone(),
            },
            other => other.clone(),
        }
    }

    /// The leaves of a value that is put into a container, or looked for in it: as a key or member (0) or a value (1). It demands that type of it.
    pub fn put_leaves(
        &mut self,
        container: Container,
        position: usize,
        value: &Value,
        span: Span,
    ) -> Option<Vec<ValueId>> {
        let wanted = self.containers.member_at(container.ty, position);
        let value = self.with_tuples_of_run_time(value, &wanted, span);
        let (value, member) = self.as_member(&value, span)?;
        let member = self.put_back(&value, member, (container.ty, position));
        self.containers.demand(container.ty, position, member);
        let known = self.containers.member_at(container.ty, position);
        self.leaves_of(&value, &known).or_else(|| self.unknown(&known, span))
    }

    /// A value in which tuples of static length are tuples of run time where members are such.
    fn with_tuples_of_run_time(&mut self, value: &Value, wanted: &Member, span: Span) -> Value {
        match (value, wanted) {
            (Value::Tuple(_), Member::Container(ty)) if self.containers.sort(*ty) == Sort::Tuple => {
                self.tuple_of(value, span)
            }
            (Value::Tuple(values), Member::Tuple(wanted)) if values.len() == wanted.len() => {
                let mut parts = Vec::with_capacity(values.len());
                for (n, (value, wanted)) in values.iter().zip(wanted).enumerate() {
                    // Each of them has a type of its own.
                    self.calls.path.push(Span::new(n as u32, u32::MAX));
                    parts.push(self.with_tuples_of_run_time(value, wanted, span));
                    self.calls.path.pop();
                }
                Value::Tuple(parts)
            }
            _ => value.clone(),
        }
    }

    /// Says that what members are does not settle.
    pub fn report_unsettled(&mut self, span: Span) {
        let message = "what the members of this function's lists are depends on itself";
        let help = "begin lists with a member, `xs = [0.0]`, or pass them as parameters: `float list`";
        self.refuse(code::MAYBE_UNDEFINED, span, message, help);
    }

    /// Says of what the last attempt still did not know, that nothing is known of it.
    pub fn report_unknown(&mut self, unknown: Option<Span>) {
        if let Some(span) = unknown.filter(|_| self.reports.iter().all(|r| r.severity != Severity::Error)) {
            let message = "what is read here has no type: nothing is ever put into this list, set or dictionary";
            let help = "put members into it, `xs.append(0.0)`, or begin with some: `xs = [0.0]`";
            self.refuse(code::MAYBE_UNDEFINED, span, message, help);
        }
    }

    /// What a member says of a container that it is put into: what was read there says nothing new.
    fn put_back(&self, value: &Value, member: Member, to: (TypeId, usize)) -> Member {
        match (value, member) {
            (Value::Typed(typed), Member::Scalar { family, dtype, .. })
                if self.numbers.read_from.get(&typed.value) == Some(&to) =>
            {
                Member::Scalar { family, dtype, is_constant: true }
            }
            (Value::Tuple(values), Member::Tuple(members)) => {
                let members = values.iter().zip(members).map(|(value, member)| self.put_back(value, member, to));
                Member::Tuple(members.collect())
            }
            (_, member) => member,
        }
    }

    /// A new list of these members.
    pub fn new_list(&mut self, ty: TypeId, items: &[Value], span: Span) -> Container {
        let mut leaves = Vec::new();
        let container = Container { value: ValueId(0), sort: Sort::List, ty };
        // Lists in it are made at the same place.
        self.calls.path.push(Span::new(u32::MAX, u32::MAX));
        for item in items {
            leaves.extend(self.put_leaves(container, 0, item, span).unwrap_or_default());
        }
        self.calls.path.pop();
        let layout = self.container_layout(ty);
        // What is not known yet would not fit the layout.
        let n_leaves = self.leaf_types(&self.containers.member(ty)).map_or(0, |types| types.len());
        if leaves.len() != n_leaves * items.len() {
            leaves.clear();
        }
        let value = self.object(object::LIST_NEW, layout, leaves, vec![Type::Object])[0];
        Container { value, ..container }
    }
}
