//! What containers of run time hold, leaf by leaf: their layouts, new containers of a type, and what is read of them.

use numptx_ir::array::{ArrayType, Layout, Type, ValueId};
use numptx_ir::functions::{Family, Typed};
use numptx_ir::object;
use numptx_source::Span;

use crate::lowerer::Lowerer;
use crate::values::container_types::{Container, Member, Sort, TypeId};
use crate::values::value::Value;

impl Lowerer<'_> {
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

    /// A new, empty dictionary or set.
    pub fn empty_container(&mut self, sort: Sort, span: Span) -> Container {
        let site = self.calls.site(span);
        let ty = self.containers.at(sort, site);
        let layout = self.container_layout(ty);
        let operation = match sort.object() {
            Sort::Dictionary => object::DICT_NEW,
            Sort::Set => object::SET_NEW,
            _ => object::LIST_NEW,
        };
        let value = self.object(operation, layout, Vec::new(), vec![Type::Object])[0];
        Container { value, sort, ty }
    }

    /// A list that an operation on the present objects gives: of such members.
    pub fn list_from(&mut self, operation: u32, operands: Vec<ValueId>, member: Member, site: Span) -> Value {
        // What an operation gives at a place is another list than the one that is made there.
        let (mut path, span) = self.calls.site(site);
        path.push(Span::new(operation, u32::MAX - 1));
        let ty = self.containers.at(Sort::List, (path, span));
        self.containers.demand(ty, 0, member);
        let value = self.object_value(operation, operands, Type::Object);
        Value::Container(Container { value, sort: Sort::List, ty })
    }

    /// The same type again, of an operation that gives another container of it.
    pub fn alike(&mut self, of: Container, operation: u32, operands: Vec<ValueId>) -> Value {
        let value = self.object_value(operation, operands, Type::Object);
        Value::Container(Container { value, ..of })
    }

    /// The list of a vector's elements.
    pub fn list_of_array(&mut self, array: ValueId, family: Family, span: Span) -> Value {
        let family = if family == Family::Array { Family::Numpy } else { family };
        let dtype = self.builder.dtype(array);
        let member = Member::Scalar { family, dtype, is_constant: false };
        let mut layout = Vec::new();
        self.layout_of(&member, &mut layout);
        let (mut path, span) = self.calls.site(span);
        path.push(Span::new(object::LIST_FROM_ARRAY, u32::MAX - 1));
        let ty = self.containers.at(Sort::List, (path, span));
        self.containers.demand(ty, 0, member);
        let value = self.object(object::LIST_FROM_ARRAY, layout, vec![array], vec![Type::Object])[0];
        Value::Container(Container { value, sort: Sort::List, ty })
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
}
