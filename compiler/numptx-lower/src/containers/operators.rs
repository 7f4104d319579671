//! Operators of containers: comparisons, membership, deletion, `+`, `*`, `|` and their like, and augmented assignment.

use numptx_ir::array::{Type, ValueId};
use numptx_ir::object;
use numptx_ir::scalar::ScalarOp;
use numptx_source::{Span, code};
use numptx_syntax::ast::{BinaryOp, CompareOp, Expr, ExprKind, Index};

use crate::lowerer::Lowerer;
use crate::lowerer::objects::{BOOL, INT};
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

    /// `left op right` of containers; `None` where there is no such operator.
    pub fn container_binary(&mut self, op: BinaryOp, left: &Value, right: &Value, span: Span) -> Option<Value> {
        if let Some((left, right)) = self.sets_of_keys(left, right, span) {
            return self.container_binary(op, &left, &right, span);
        }
        match (op, left, right) {
            (BinaryOp::Add, Value::Container(list), other) if list.sort == Sort::List && is_list(other) => {
                let other = self.as_list(other, span)?;
                self.containers.same(list.ty, other.ty);
                Some(self.alike(*list, object::LIST_CONCAT, vec![list.value, other.value]))
            }
            (BinaryOp::Add, other, Value::Container(list)) if list.sort == Sort::List && is_list(other) => {
                let other = self.as_list(other, span)?;
                self.containers.same(list.ty, other.ty);
                Some(self.alike(*list, object::LIST_CONCAT, vec![other.value, list.value]))
            }
            (BinaryOp::Mul, Value::Container(list), count) | (BinaryOp::Mul, count, Value::Container(list))
                if list.sort == Sort::List =>
            {
                let count = self.integer(count)?;
                Some(self.alike(*list, object::LIST_REPEAT, vec![list.value, count]))
            }
            (_, Value::Container(a), Value::Container(b)) if a.sort == Sort::Set && b.sort == Sort::Set => {
                let operation = match op {
                    BinaryOp::BitOr => object::SET_UNION,
                    BinaryOp::BitAnd => object::SET_INTERSECTION,
                    BinaryOp::Sub => object::SET_DIFFERENCE,
                    BinaryOp::BitXor => object::SET_SYMMETRIC_DIFFERENCE,
                    _ => return None,
                };
                self.containers.same(a.ty, b.ty);
                Some(self.alike(*a, operation, vec![a.value, b.value]))
            }
            (BinaryOp::BitOr, Value::Container(a), Value::Container(b))
                if a.sort == Sort::Dictionary && b.sort == Sort::Dictionary =>
            {
                self.containers.same(a.ty, b.ty);
                let merged = self.alike(*a, object::DICT_COPY, vec![a.value]);
                if let Value::Container(merged) = merged {
                    self.object_effect(object::DICT_UPDATE, vec![merged.value, b.value]);
                }
                Some(merged)
            }
            (BinaryOp::Add, a, b) if Self::is_text(a) && Self::is_text(b) => {
                let (a, b) = (self.as_text(a)?, self.as_text(b)?);
                Some(Value::Text(self.concatenated(&[a, b])))
            }
            (BinaryOp::Mul, text, count) | (BinaryOp::Mul, count, text) if Self::is_text(text) => {
                let (text, count) = (self.as_text(text)?, self.integer(count)?);
                let ty = Type::Object;
                Some(Value::Text(self.object_value(object::STR_REPEAT, vec![text, count], ty)))
            }
            (BinaryOp::Mod, Value::Str(template), values) => Some(self.percent(template, values, span)),
            // NumPy makes an array of a list beside one.
            (_, Value::Typed(_), Value::Container(list)) if list.sort == Sort::List && !self.is_python(left) => {
                let array = self.array_of_list(*list, span)?;
                Some(self.binary(op, left.clone(), array, span, [span, span]))
            }
            (_, Value::Container(list), Value::Typed(_)) if list.sort == Sort::List && !self.is_python(right) => {
                let array = self.array_of_list(*list, span)?;
                Some(self.binary(op, array, right.clone(), span, [span, span]))
            }
            _ => None,
        }
    }

    /// `container op= operand`, in place. False where there is no such operator.
    pub fn container_in_place(&mut self, container: Container, op: BinaryOp, operand: &Value, span: Span) -> bool {
        match (container.sort, op) {
            (Sort::List, BinaryOp::Add) => self.extend_list(container, operand, span),
            (Sort::List, BinaryOp::Mul) => match self.integer(operand) {
                Some(count) => self.object_effect(object::LIST_REPEAT_IN_PLACE, vec![container.value, count]),
                None => return false,
            },
            (Sort::Set, BinaryOp::BitOr) => self.update_set(container, operand, span),
            (Sort::Set, BinaryOp::BitAnd | BinaryOp::Sub | BinaryOp::BitXor) => {
                let operation = match op {
                    BinaryOp::BitAnd => object::SET_INTERSECTION_UPDATE,
                    BinaryOp::Sub => object::SET_DIFFERENCE_UPDATE,
                    _ => object::SET_SYMMETRIC_DIFFERENCE_UPDATE,
                };
                let Some(other) = self.as_set(operand, span) else { return true };
                self.containers.same(container.ty, other.ty);
                self.object_effect(operation, vec![container.value, other.value]);
            }
            (Sort::Dictionary, BinaryOp::BitOr) => match operand {
                Value::Container(other) if other.sort == Sort::Dictionary => {
                    self.containers.same(container.ty, other.ty);
                    self.object_effect(object::DICT_UPDATE, vec![container.value, other.value]);
                }
                _ => return false,
            },
            _ => return false,
        }
        true
    }

    /// Whether two containers are equal, or in which order two lists are; `None` of other operators.
    pub fn compare_containers(&mut self, op: CompareOp, a: Container, b: Container) -> Option<ValueId> {
        // Of dictionaries the contents alone decide.
        if a.sort != b.sort && (a.sort.object(), b.sort.object()) != (Sort::Dictionary, Sort::Dictionary) {
            return Some(self.bool_id(matches!(op, CompareOp::NotEqual)));
        }
        if let (Sort::Counter, Sort::Counter, CompareOp::Equal | CompareOp::NotEqual) = (a.sort, b.sort, op) {
            self.containers.agree(a.ty, b.ty);
            let equal = self.counters_equal(a, b, self.builder.span())?;
            return Some(if op == CompareOp::Equal { equal } else { self.not(equal) });
        }
        self.containers.agree(a.ty, b.ty);
        let operands = vec![a.value, b.value];
        let equal = match a.sort.object() {
            Sort::Dictionary => object::DICT_EQUAL,
            Sort::Set => object::SET_EQUAL,
            _ => object::LIST_EQUAL,
        };
        Some(match (a.sort.object(), op) {
            (_, CompareOp::Equal) => self.object_value(equal, operands, BOOL),
            (_, CompareOp::NotEqual) => {
                let equal = self.object_value(equal, operands, BOOL);
                self.not(equal)
            }
            (Sort::Set, CompareOp::Less | CompareOp::Greater) => {
                let (one, other) = if op == CompareOp::Less { (a, b) } else { (b, a) };
                let (n, m) = (self.container_length(one), self.container_length(other));
                let is_smaller = self.builder.scalar(ScalarOp::Lt, &[n, m]);
                let is_subset = self.object_value(object::SET_IS_SUBSET, vec![one.value, other.value], BOOL);
                self.both(ScalarOp::BitAnd, is_smaller, is_subset)
            }
            (Sort::Set, CompareOp::LessEqual) => self.object_value(object::SET_IS_SUBSET, operands, BOOL),
            (Sort::Set, CompareOp::GreaterEqual) => self.object_value(object::SET_IS_SUPERSET, operands, BOOL),
            (Sort::List, CompareOp::Less | CompareOp::LessEqual | CompareOp::Greater | CompareOp::GreaterEqual) => {
                let order = self.object_value(object::LIST_COMPARE, operands, INT);
                let (zero, one) = (self.builder.i64(0), self.builder.i64(1));
                match op {
                    CompareOp::Less => self.builder.scalar(ScalarOp::Lt, &[order, zero]),
                    CompareOp::LessEqual => self.builder.scalar(ScalarOp::Le, &[order, zero]),
                    CompareOp::Greater => self.builder.scalar(ScalarOp::Eq, &[order, one]),
                    _ => {
                        let is_zero = self.builder.scalar(ScalarOp::Eq, &[order, zero]);
                        let is_one = self.builder.scalar(ScalarOp::Eq, &[order, one]);
                        self.both(ScalarOp::BitOr, is_zero, is_one)
                    }
                }
            }
            _ => return None,
        })
    }

    /// `del name`: it has no value any more.
    pub fn delete(&mut self, names: &[Expr]) {
        for expr in names {
            let ExprKind::Name(name) = &expr.kind else {
                self.delete_item(expr);
                continue;
            };
            self.lookup(name, expr.span);
            self.unbind(name);
        }
    }
}

fn is_list(value: &Value) -> bool {
    match value {
        Value::Container(container) => container.sort == Sort::List,
        Value::List(_) | Value::Filled(_) => true,
        _ => false,
    }
}
