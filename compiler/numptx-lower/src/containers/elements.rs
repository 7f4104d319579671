//! Members of containers: what type a value has as one, and how it is held, leaf by leaf.

use numptx_ir::DType;
use numptx_ir::array::{ArrayType, Layout, Type, ValueId};
use numptx_ir::functions::{Family, Typed};
use numptx_ir::object::{self};
use numptx_ir::scalar::Constant;
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

    /// The leaves of a member in order; `None` where its type is not known yet, or where the value does not have it.
    pub fn leaves_of(&mut self, value: &Value, member: &Member) -> Option<Vec<ValueId>> {
        Some(match (value, member) {
            (_, Member::None) => Vec::new(),
            (Value::Typed(typed), Member::Scalar { dtype, .. }) => {
                let host = self.host(*typed)?;
                vec![self.builder.cast_scalar(host, *dtype)]
            }
            (Value::Typed(typed), Member::Array { dtype, rank }) => {
                let fits = self.builder.dtype(typed.value) == *dtype && self.builder.rank(typed.value) == *rank;
                vec![typed.value].into_iter().filter(|_| fits).collect()
            }
            (Value::Str(text), Member::Text) => vec![self.text_constant(text)],
            (Value::Text(text), Member::Text) => vec![*text],
            (Value::Container(container), Member::Container(_)) => vec![container.value],
            (Value::Tuple(values), Member::Tuple(members)) | (Value::Record(_, values), Member::Record(_, members))
                if values.len() == members.len() =>
            {
                let mut leaves = Vec::new();
                for (value, member) in values.iter().zip(members) {
                    leaves.extend(self.leaves_of(value, member)?);
                }
                leaves
            }
            _ => return None,
        })
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

    /// The types of a member's leaves; `None` where one is not known.
    pub fn leaf_types(&self, member: &Member) -> Option<Vec<Type>> {
        Some(match member {
            Member::Unknown | Member::Different(..) => return None,
            Member::None => Vec::new(),
            Member::Scalar { dtype, .. } => vec![Type::Scalar(*dtype)],
            Member::Text | Member::Container(_) => vec![Type::Object],
            Member::Array { dtype, rank } => {
                vec![Type::Array(ArrayType { dtype: *dtype, rank: *rank, layout: Layout::Any, writable: true })]
            }
            Member::Tuple(members) | Member::Record(_, members) => {
                let mut types = Vec::new();
                for member in members {
                    types.extend(self.leaf_types(member)?);
                }
                types
            }
        })
    }

    /// A member's layout.
    pub fn layout_of(&self, member: &Member, layout: &mut Vec<u8>) {
        match member {
            Member::Scalar { family, dtype, .. } => {
                layout.push(dtype.code() | if *family == Family::Python { 0 } else { object::NUMPY });
            }
            Member::Text => layout.push(object::STRING),
            Member::Array { .. } => layout.push(object::ARRAY),
            Member::Container(_) => layout.push(object::OBJECT),
            Member::Tuple(members) | Member::Record(_, members) => {
                layout.push(object::OPEN);
                members.iter().for_each(|member| self.layout_of(member, layout));
                layout.push(object::CLOSE);
            }
            // Nothing was ever put into it.
            Member::None | Member::Unknown | Member::Different(..) => layout.push(object::NONE),
        }
    }

    /// The layout of a container of this type.
    pub fn container_layout(&self, ty: TypeId) -> Vec<u8> {
        let mut layout = Vec::new();
        self.layout_of(&self.containers.member(ty), &mut layout);
        if self.containers.sort(ty).object() == Sort::Dictionary {
            layout.push(object::VALUE);
            self.layout_of(&self.containers.values(ty), &mut layout);
        }
        layout
    }

    /// The value made of a member's leaves.
    pub fn rebuilt(&self, member: &Member, leaves: &mut impl Iterator<Item = ValueId>) -> Value {
        let mut next = || leaves.next();
        match member {
            Member::None => Value::None,
            Member::Scalar { family, .. } => {
                next().map_or(Value::Poison, |value| Value::Typed(Typed { value, family: *family }))
            }
            Member::Array { .. } => next().map_or(Value::Poison, Value::array),
            Member::Text => next().map_or(Value::Poison, Value::Text),
            Member::Container(ty) => next().map_or(Value::Poison, |value| {
                Value::Container(Container { value, sort: self.containers.sort(*ty), ty: *ty })
            }),
            Member::Tuple(members) => Value::Tuple(members.iter().map(|member| self.rebuilt(member, leaves)).collect()),
            Member::Record(class, members) => {
                let fields = members.iter().map(|member| self.rebuilt(member, leaves));
                Value::Record(class.clone(), fields.collect())
            }
            Member::Unknown | Member::Different(..) => Value::Poison,
        }
    }

    /// What an operation gives whose result is a member (0), or a dictionary's value (1).
    pub fn taken(
        &mut self,
        operation: u32,
        operands: Vec<ValueId>,
        (ty, position): (TypeId, usize),
        span: Span,
    ) -> Value {
        let member = self.containers.member_at(ty, position);
        let Some(types) = self.leaf_types(&member) else {
            self.unknown::<()>(&member, span);
            return Value::Poison;
        };
        let leaves = self.object(operation, Vec::new(), operands, types);
        let value = self.rebuilt(&member, &mut leaves.into_iter());
        self.note_read(&value, &member, (ty, position));
        value
    }

    /// Notes the numbers of a member that are constants, as far as is known.
    fn note_read(&mut self, value: &Value, member: &Member, from: (TypeId, usize)) {
        match (value, member) {
            (Value::Typed(typed), Member::Scalar { is_constant: true, .. }) => {
                self.numbers.read_from.insert(typed.value, from);
            }
            (Value::Tuple(values), Member::Tuple(members)) => {
                values.iter().zip(members).for_each(|(value, member)| self.note_read(value, member, from));
            }
            _ => {}
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
}
