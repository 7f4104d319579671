//! Lists of run time: how they are made, read and written.

use numptx_ir::array::{ArrayType, Layout, Type, ValueId};
use numptx_ir::functions::Family;
use numptx_ir::scalar::ScalarOp;
use numptx_ir::{DType, object};
use numptx_source::{Span, code};
use numptx_syntax::ast::{Expr, Index};

use crate::lowerer::Lowerer;
use crate::lowerer::objects::INT;
use crate::values::container_types::{Container, Member, Sort, TypeId};
use crate::values::value::Value;
impl Lowerer<'_> {
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

    /// The array that NumPy makes of a list of numbers, or of tuples of numbers of one type; `None` after a report.
    pub fn array_of_list(&mut self, list: Container, span: Span) -> Option<Value> {
        let member = self.containers.member(list.ty);
        let (dtype, rank) = match &member {
            Member::Scalar { dtype, .. } => (*dtype, 1),
            Member::Tuple(members) => match members.first() {
                Some(Member::Scalar { dtype, .. })
                    if members.iter().all(|m| matches!(m, Member::Scalar { dtype: d, .. } if d == dtype)) =>
                {
                    (*dtype, 2)
                }
                _ => return self.refuse_array(&member, span),
            },
            Member::Array { rank: 1.., .. } => {
                let value = self.stacked_members(Value::Container(list), span);
                return Some(value).filter(|value| !value.is_poison());
            }
            Member::Container(_) => {
                let Some((dtype, rank)) = self.numbers_in(&member) else { return self.refuse_array(&member, span) };
                let rank = self.int(rank as i64 + 1);
                let value = self.stacked_lists(vec![Value::Container(list), Value::DType(dtype), rank], span);
                return Some(value).filter(|value| !value.is_poison());
            }
            _ => return self.refuse_array(&member, span),
        };
        let ty = Type::Array(ArrayType { dtype, rank, layout: Layout::C, writable: true });
        Some(Value::array(self.object_value(object::LIST_TO_ARRAY, vec![list.value], ty)))
    }

    /// The dtype of the numbers in lists and tuples in one another, and how many axes an array of them has.
    fn numbers_in(&self, member: &Member) -> Option<(DType, usize)> {
        match member {
            Member::Scalar { dtype, .. } => Some((*dtype, 0)),
            Member::Container(ty) if matches!(self.containers.sort(*ty), Sort::List | Sort::Tuple) => {
                let (dtype, rank) = self.numbers_in(&self.containers.member(*ty))?;
                Some((dtype, rank + 1))
            }
            _ => None,
        }
    }

    fn refuse_array<T>(&mut self, member: &Member, span: Span) -> Option<T> {
        if *member == Member::Unknown {
            return self.unknown(member, span);
        }
        let message = format!("an array of a list whose members are {}", member.describe());
        let help = "make arrays of lists of numbers: `np.array(xs)`, `np.array([v for v, w in pairs])`";
        self.refuse(code::BAD_ARGUMENT, span, message, help);
        None
    }

    /// `container[indices]`, read.
    pub fn container_item(&mut self, container: Container, indices: &[Index], span: Span) -> Value {
        match (container.sort, indices) {
            (Sort::List | Sort::Tuple | Sort::Deque, [Index::Expr(expr)]) => {
                let Some(position) = self.list_position(expr) else { return Value::Poison };
                self.taken(object::LIST_GET, vec![container.value, position], (container.ty, 0), span)
            }
            (Sort::List | Sort::Tuple, [Index::Slice { lower, upper, step, .. }]) => {
                let length = self.container_length(container);
                let Some(bounds) = self.slice_of(length, [lower, upper, step]) else { return Value::Poison };
                let operands = [vec![container.value], bounds.to_vec()].concat();
                self.alike(container, object::LIST_SLICE, operands)
            }
            (Sort::Dictionary | Sort::Counter | Sort::Default, _) => match self.key_of(indices, span) {
                Some(key) => self.dictionary_item(container, &key, span),
                None => Value::Poison,
            },
            _ => {
                let message = format!("a {} is not indexed so", container.sort.name());
                let help = match container.sort {
                    Sort::Deque => "write `q[i]`, or take a list: `list(q)[1:]`",
                    _ => "write `xs[i]`, `xs[1:n]` or `d[key]`",
                };
                self.refuse(code::UNSUPPORTED_INDEX, span, message, help)
            }
        }
    }

    /// The list of what lies from a place on, so many members fewer than all.
    pub fn middle_of(&mut self, list: Container, start: usize, fewer: ValueId) -> Value {
        let length = self.container_length(list);
        let count = self.builder.scalar(ScalarOp::Sub, &[length, fewer]);
        let (start, one) = (self.builder.i64(start as i64), self.builder.i64(1));
        self.alike(list, object::LIST_SLICE, vec![list.value, start, count, one])
    }

    /// The key that indices are: several ones are a tuple. `None` after a report.
    pub fn key_of(&mut self, indices: &[Index], span: Span) -> Option<Value> {
        let mut keys = Vec::new();
        for index in indices {
            match index {
                Index::Expr(expr) => keys.push(self.expression(expr)),
                Index::NewAxis(_) => keys.push(Value::None),
                _ => {
                    self.refuse(code::UNSUPPORTED_INDEX, span, "a slice is no key", "write `d[key]`");
                    return None;
                }
            }
        }
        let key = if keys.len() == 1 { keys.remove(0) } else { Value::Tuple(keys) };
        (!key.is_poison()).then_some(key)
    }

    /// An index of a list; `None` after a report.
    pub fn list_position(&mut self, expr: &Expr) -> Option<ValueId> {
        let index = self.expression(expr);
        if index.is_poison() {
            return None;
        }
        let position = self.integer(&index);
        if position.is_none() {
            let message = format!("a list is indexed by {}", index.describe(&self.builder));
            self.refuse(code::UNSUPPORTED_INDEX, expr.span, message, "index it with ints: `xs[-1]`");
        }
        position
    }

    /// `container[indices] = value`
    pub fn set_container_item(&mut self, container: Container, indices: &[Index], value: &Value, span: Span) {
        match (container.sort, indices) {
            (Sort::List | Sort::Deque, [Index::Expr(expr)]) => {
                let Some(position) = self.list_position(expr) else { return };
                self.set_list_item(container, position, value, span);
            }
            (Sort::Dictionary | Sort::Counter | Sort::Default, _) => {
                if let Some(key) = self.key_of(indices, span) {
                    self.set_dictionary_item(container, &key, value, span);
                }
            }
            (Sort::List, [Index::Slice { lower, upper, step, .. }]) => {
                let length = self.container_length(container);
                let Some(bounds) = self.slice_of(length, [lower, upper, step]) else { return };
                let Some(other) = self.as_list(value, span) else { return };
                self.containers.same(container.ty, other.ty);
                let operands = [vec![container.value], bounds.to_vec(), vec![other.value]].concat();
                self.object_effect(object::LIST_SET_SLICE, operands);
            }
            _ => {
                let message = format!("a {} is not written so", container.sort.name());
                self.refuse(code::UNSUPPORTED_INDEX, span, message, "write `xs[i] = v` or `d[key] = v`");
            }
        }
    }

    /// `list[position] = value`
    pub fn set_list_item(&mut self, list: Container, position: ValueId, value: &Value, span: Span) {
        if let Some(leaves) = self.put_leaves(list, 0, value, span) {
            self.object_effect(object::LIST_SET, [vec![list.value, position], leaves].concat());
        }
    }

    /// `del container[indices]`
    pub fn delete_container_item(&mut self, container: Container, indices: &[Index], span: Span) {
        match (container.sort, indices) {
            (Sort::List | Sort::Deque, [Index::Expr(expr)]) => {
                if let Some(position) = self.list_position(expr) {
                    self.object_effect(object::LIST_DELETE, vec![container.value, position]);
                }
            }
            (Sort::List, [Index::Slice { lower, upper, step, .. }]) => {
                let length = self.container_length(container);
                let Some(bounds) = self.slice_of(length, [lower, upper, step]) else { return };
                self.object_effect(object::LIST_DELETE_SLICE, [vec![container.value], bounds.to_vec()].concat());
            }
            (Sort::Dictionary | Sort::Counter | Sort::Default, _) => {
                let Some(key) = self.key_of(indices, span) else { return };
                if container.sort == Sort::Counter {
                    return self.delete_counted(container, &key, span);
                }
                if let Some(leaves) = self.key_leaves(container, &key, span) {
                    let operands = [vec![container.value], leaves].concat();
                    let slot = self.object_value(object::DICT_INDEX, operands, INT);
                    self.object_effect(object::DICT_REMOVE_AT, vec![container.value, slot]);
                }
            }
            _ => {
                let message = format!("nothing of a {} is deleted so", container.sort.name());
                self.refuse(code::UNSUPPORTED_INDEX, span, message, "write `del xs[i]` or `del d[key]`");
            }
        }
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
}
