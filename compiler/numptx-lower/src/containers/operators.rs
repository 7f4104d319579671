//! Comparisons, membership, deletion and augmented assignment of members of containers.

use numptx_ir::array::Type;
use numptx_ir::object;
use numptx_source::{Span, code};
use numptx_syntax::ast::{BinaryOp, CompareOp, Expr, ExprKind, Index};

use crate::lowerer::Lowerer;
use crate::values::container_types::{Container, Sort};
use crate::values::iterable::{Gives, Iterable};
use crate::values::value::Value;

impl Lowerer<'_> {
    /// A comparison of which a side is a container or a string of run time; `None` of others.
    pub fn compare_objects(&mut self, op: CompareOp, left: &Value, right: &Value, span: Span) -> Option<Value> {
        if let Some((left, right)) = self.sets_of_keys(left, right, span) {
            return self.compare_objects(op, &left, &right, span);
        }
        let is_object = |v: &Value| matches!(v, Value::Container(_) | Value::Text(_));
        let is_ordered = |v: &Value| matches!(v, Value::Str(_));
        let orders = !matches!(op, CompareOp::Equal | CompareOp::NotEqual);
        if !(is_object(left) || is_object(right) || orders && is_ordered(left) && is_ordered(right)) {
            return None;
        }
        if Self::is_text(left) && Self::is_text(right) {
            let (a, b) = (self.as_text(left)?, self.as_text(right)?);
            return self.compare_texts(op, a, b).map(Value::python);
        }
        let is_tuple = |v: &Value| matches!(v, Value::Container(container) if container.sort == Sort::Tuple);
        let has_tuple = is_tuple(left) || is_tuple(right);
        let as_container = |s: &mut Self, value: &Value| match value {
            Value::Container(container) => Some(*container),
            Value::Tuple(_) if has_tuple => match s.tuple_of(value, span) {
                Value::Container(tuple) => Some(tuple),
                _ => None,
            },
            Value::List(_) | Value::Filled(_) => s.as_list(value, span),
            _ => None,
        };
        match (as_container(self, left), as_container(self, right)) {
            (Some(a), Some(b)) => self.compare_containers(op, a, b).map(Value::python),
            // Nothing else is equal to one.
            _ if !orders => Some(self.bool(op == CompareOp::NotEqual)),
            _ => Some(self.bad_operands(op.symbol(), left, right, span)),
        }
    }

    /// Both operands with the keys of dictionaries as sets; `None` where no operand is such.
    pub fn sets_of_keys(&mut self, left: &Value, right: &Value, span: Span) -> Option<(Value, Value)> {
        let keys = |value: &Value| match value {
            Value::Iterable(iterable) => match **iterable {
                Iterable::Entries(dictionary, Gives::Keys) => Some(dictionary),
                _ => None,
            },
            _ => None,
        };
        if keys(left).is_none() && keys(right).is_none() {
            return None;
        }
        let mut as_set = |value: &Value, number: u32| {
            let Some(dictionary) = keys(value) else { return value.clone() };
            let (mut path, span) = self.calls.site(span);
            path.push(Span::new(number, u32::MAX - 1));
            let ty = self.containers.at(Sort::Set, (path, span));
            let member = self.containers.member(dictionary.ty);
            self.containers.demand(ty, 0, member);
            let layout = self.container_layout(ty);
            let value = self.object(object::SET_NEW, layout, Vec::new(), vec![Type::Object])[0];
            self.object_effect(object::SET_UPDATE_KEYS, vec![value, dictionary.value]);
            Value::Container(Container { value, sort: Sort::Set, ty })
        };
        Some((as_set(left, 0), as_set(right, 1)))
    }

    /// `left in right` of a container or a string of run time; `None` of others.
    pub fn contains_object(&mut self, op: CompareOp, left: &Value, right: &Value, span: Span) -> Option<Value> {
        let found = match right {
            Value::Container(container) => match self.container_has(*container, left, span) {
                Some(found) => found,
                None => return Some(Value::Poison),
            },
            Value::Iterable(iterable) if iterable.has_objects() => {
                let list = self.as_list(right, span)?;
                match self.container_has(list, left, span) {
                    Some(found) => found,
                    None => return Some(Value::Poison),
                }
            }
            text if Self::is_text(text) && (matches!(text, Value::Text(_)) || matches!(left, Value::Text(_))) => {
                let (part, text) = (self.as_text(left)?, self.as_text(text)?);
                self.compare_texts(CompareOp::In, part, text)?
            }
            _ => return None,
        };
        let result = if op == CompareOp::In { found } else { self.not(found) };
        Some(Value::python(result))
    }

    /// `del owner[indices]`
    pub fn delete_item(&mut self, target: &Expr) {
        match &target.kind {
            ExprKind::Subscript { value: owner, indices } => {
                let value = self.expression(owner);
                match value {
                    Value::Container(container) => self.delete_container_item(container, indices, target.span),
                    Value::Poison => {}
                    Value::List(_) | Value::Filled(_) if self.want_list(owner) => {}
                    other => {
                        let message = format!("elements of {} are not deleted", other.describe(&self.builder));
                        let help = "leave elements out by a slice or a mask: `x[keep]`";
                        self.refuse(code::UNSUPPORTED_STATEMENT, target.span, message, help);
                    }
                }
            }
            ExprKind::Tuple(targets) | ExprKind::List(targets) => self.delete(targets),
            _ => {
                let help = "delete names, and members of lists and dictionaries: `del d[key]`";
                self.refuse(code::UNSUPPORTED_STATEMENT, target.span, "this is not deleted", help);
            }
        }
    }

    /// `container[indices] op= value`
    pub fn augmented_member_of(
        &mut self,
        (container, indices): (Container, &[Index]),
        op: BinaryOp,
        value: &Expr,
        place: Span,
        span: Span,
    ) {
        match (container.sort, indices) {
            (Sort::List | Sort::Deque, [Index::Expr(expr)]) => {
                let Some(position) = self.list_position(expr) else { return };
                let operands = vec![container.value, position];
                let current = self.taken(object::LIST_GET, operands, (container.ty, 0), place);
                if let Some(result) = self.augmented_value(current, op, value, (place, span)) {
                    self.set_list_item(container, position, &result, span);
                }
            }
            (Sort::Dictionary | Sort::Counter | Sort::Default, _) => {
                let Some(key) = self.key_of(indices, place) else { return };
                let current = self.dictionary_item(container, &key, place);
                if let Some(result) = self.augmented_value(current, op, value, (place, span)) {
                    self.set_dictionary_item(container, &key, &result, span);
                }
            }
            _ => {
                let current = self.container_item(container, indices, place);
                if let Some(result) = self.augmented_value(current, op, value, (place, span)) {
                    self.set_container_item(container, indices, &result, span);
                }
            }
        }
    }

    /// `current op value`; `None` where that is done in place, or was reported.
    fn augmented_value(
        &mut self,
        current: Value,
        op: BinaryOp,
        value: &Expr,
        (place, span): (Span, Span),
    ) -> Option<Value> {
        let operand = self.operand(value, &current);
        if current.is_poison() || operand.is_poison() {
            return None;
        }
        if let Value::Container(inner) = current
            && self.container_in_place(inner, op, &operand, span)
        {
            return None;
        }
        if self.is_array(&current) {
            self.augmented_array(&current, op, operand, span, value.span);
            return None;
        }
        Some(self.binary(op, current, operand, span, [place, value.span]))
    }
}
