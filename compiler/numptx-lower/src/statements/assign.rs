//! Assignment: names bind values without a copy; subscripts write into memory.

use numptx_ir::array::{ErrorKind, ValueId};
use numptx_ir::functions::{Family, Typed};
use numptx_ir::scalar::ScalarOp;
use numptx_source::{Span, code};
use numptx_syntax::ast::{BinaryOp, Expr, ExprKind, Index};

use crate::indexing::elements::array_of_flat;
use crate::indexing::places::Place;
use crate::lowerer::Lowerer;
use crate::values::iterable::Iterable;
use crate::values::scope::Binding;
use crate::values::value::Value;

impl Lowerer<'_> {
    /// Assigns a value to a target.
    pub fn assign_target(&mut self, target: &Expr, value: Value) {
        match &target.kind {
            ExprKind::Name(name) => self.bind(name, value, target.span),
            ExprKind::Tuple(targets) | ExprKind::List(targets)
                if targets.iter().any(|t| matches!(t.kind, ExprKind::Starred(_))) =>
            {
                self.assign_starred(targets, &value, target.span);
            }
            ExprKind::Tuple(targets) | ExprKind::List(targets) => {
                let values = self.unpack(&value, targets.len(), target.span);
                self.assign_targets(targets.iter(), values);
            }
            ExprKind::Subscript { value: owner, indices } => {
                let owner_value = self.expression(owner);
                if let Value::Container(container) = owner_value {
                    return self.set_container_item(container, indices, &value, target.span);
                }
                if matches!(&owner_value, Value::Record(class, _) if class.is_structure()) {
                    return self.set_structure_item(&owner_value, indices, value, target.span);
                }
                if matches!(owner_value, Value::List(_) | Value::Filled(_)) && self.want_list(owner) {
                    return;
                }
                if let Some(array) = array_of_flat(&owner_value) {
                    return self.set_flat_item(array, indices, value, target.span);
                }
                let value = self.beside(value, &owner_value, target.span);
                if let Some(place) = self.place_to_write(&owner_value, owner.span, indices, target.span) {
                    self.set_item(place, value, target.span);
                }
            }
            ExprKind::Attribute { value: owner, name, name_span } => {
                if let (ExprKind::Name(variable), "shape") = (&owner.kind, name.as_str()) {
                    let array = self.expression(owner);
                    if self.assign_shape(variable, &array, &value, *name_span) {
                        return;
                    }
                }
                if name == "flat"
                    && let Value::Typed(array) = self.expression(owner)
                    && array.family == Family::Array
                {
                    return self.set_flat(array.value, value, target.span);
                }
                if let record @ Value::Record(..) = self.expression(owner) {
                    return self.assign_field(&record, name, &value, target.span);
                }
                if let Some(part) = self.part_of(owner, name, *name_span) {
                    self.set_item(Place::View(part), value, target.span);
                }
            }
            _ => {
                let help = "assign to a name, a subscript or a tuple of them";
                self.refuse(code::UNSUPPORTED_STATEMENT, target.span, "this cannot be assigned to", help);
            }
        }
    }

    /// Assigns values to targets, one after the other; those that are still to be assigned are waiting.
    pub fn assign_targets<'e>(&mut self, targets: impl Iterator<Item = &'e Expr>, values: Vec<Value>) {
        self.calls.frame().waiting.extend(values.into_iter().rev());
        for target in targets {
            let value = self.calls.frame().waiting.pop().unwrap_or(Value::Poison);
            self.assign_target(target, value);
        }
    }

    /// `a, *b, c = value`: the starred target takes a list of what the others leave.
    fn assign_starred(&mut self, targets: &[Expr], value: &Value, span: Span) {
        let is_starred = |t: &Expr| matches!(t.kind, ExprKind::Starred(_));
        let at = targets.iter().position(is_starred).unwrap_or(0);
        let n_after = targets.len() - at - 1;
        if self.is_of_containers(value) && !targets[at + 1..].iter().any(is_starred) {
            let values = self.starred_members(value, (at, n_after), span);
            let values = values.unwrap_or_else(|| vec![Value::Poison; targets.len()]);
            return self.assign_targets(targets.iter().map(without_star), values);
        }
        let items = match value {
            Value::Poison => None,
            other => match self.few_members(&other.as_plain()) {
                Some(items) if targets[at + 1..].iter().any(is_starred) => {
                    self.refuse(code::UNSUPPORTED_STATEMENT, span, "two starred targets", "star one of them");
                    drop(items);
                    None
                }
                Some(items) if items.len() + 1 >= targets.len() => Some(items),
                Some(items) => {
                    let message = format!("{} values for {} targets and a starred one", items.len(), targets.len() - 1);
                    self.refuse(code::TYPE_MISMATCH, span, message, "give each target one value: `a, *b = 1, 2, 3`");
                    None
                }
                None => {
                    let message =
                        format!("{} has no length that is known when compiling", other.describe(&self.builder));
                    let help = "take slices: `first, rest = x[0], x[1:]`";
                    self.refuse(code::TYPE_MISMATCH, span, message, help);
                    None
                }
            },
        };
        let mut items = items.unwrap_or_else(|| vec![Value::Poison; targets.len()]);
        let last = items.split_off(items.len() - n_after);
        let middle = items.split_off(at);
        let values = items.into_iter().chain([Value::List(middle)]).chain(last).collect();
        self.assign_targets(targets.iter().map(without_star), values);
    }

    /// The first members of a list of run time, the list of those between, and the last ones.
    fn starred_members(
        &mut self,
        value: &Value,
        (n_before, n_after): (usize, usize),
        span: Span,
    ) -> Option<Vec<Value>> {
        let list = self.as_list(value, span)?;
        let length = self.container_length(list);
        let least = self.builder.i64((n_before + n_after) as i64);
        let is_enough = self.builder.scalar(ScalarOp::Le, &[least, length]);
        let message = format!("not enough values to unpack (expected at least {}, got {{}})", n_before + n_after);
        self.check(is_enough, ErrorKind::Value, &message, &[length]);
        let member = |s: &mut Self, n: i64| {
            let position = s.builder.i64(n);
            s.element(&Iterable::Container(list), position)
        };
        let mut values: Vec<Value> = (0..n_before).map(|n| member(self, n as i64)).collect();
        values.push(self.middle_of(list, n_before, least));
        values.extend((0..n_after).map(|n| member(self, n as i64 - n_after as i64)));
        Some(values)
    }

    /// The view that `owner.real` or `owner.imag` is as a target: of a real array, the array itself and nothing. `None` after a report.
    fn part_of(&mut self, target: &Expr, name: &str, name_span: Span) -> Option<ValueId> {
        let owner = self.expression(target);
        if owner.is_poison() {
            return None;
        }
        let array = owner.typed().filter(|t| t.family == Family::Array && matches!(name, "real" | "imag"));
        let Some(Typed { value: array, .. }) = array else {
            let message = format!("the attribute `{name}` of {} cannot be assigned", owner.describe(&self.builder));
            let help = "make a new array: `y = x.astype(np.float32)`; write elements by `x[...] = y`";
            let refused = self.refuse(code::UNSUPPORTED_STATEMENT, name_span, message, help);
            // What these would make of it is not known: no second report comes of that.
            if let (ExprKind::Name(variable), "dtype" | "strides") = (&target.kind, name) {
                self.bind(variable, refused, name_span);
            }
            return None;
        };
        match (self.builder.dtype(array).is_complex(), name) {
            (true, _) => Some(self.builder.part(array, name == "imag")),
            (false, "real") => Some(array),
            _ => {
                let message = format!("{} has no imaginary parts to set", owner.describe(&self.builder));
                self.refuse(code::TYPE_MISMATCH, name_span, message, "make it complex first: `z = x + 0j`");
                None
            }
        }
    }

    /// Binds a name of the present call.
    pub fn bind(&mut self, name: &str, value: Value, span: Span) {
        self.name_value(&value, name);
        self.loops.iterators.note_name(&value);
        self.keep(name, Some((&value, span)));
        self.calls.frame().state.names.insert(name.to_string(), Binding::Bound(value, span));
    }

    /// `target op= value`.
    pub fn augmented(&mut self, target: &Expr, op: BinaryOp, value: &Expr, span: Span) {
        match &target.kind {
            ExprKind::Name(name) => {
                let current = self.expression(target);
                let operand = self.operand(value, &current);
                if let Value::Container(container) = current
                    && self.container_in_place(container, op, &operand, span)
                {
                    return;
                }
                match current.typed() {
                    Some(Typed { value: array, family: Family::Array }) => {
                        self.in_place(array, op, operand, span, value.span);
                    }
                    _ => {
                        let result = self.binary(op, current, operand, span, [target.span, value.span]);
                        self.bind(name, result, span);
                    }
                }
            }
            ExprKind::Subscript { value: owner, indices } => {
                self.augmented_item(target, (owner, indices), op, value, span);
            }
            ExprKind::Attribute { value: owner, name, name_span } => {
                if let record @ Value::Record(..) = self.expression(owner) {
                    return self.augmented_field(&record, name, op, value, (target.span, span));
                }
                let part = self.part_of(owner, name, *name_span);
                let operand = self.expression(value);
                if let Some(part) = part {
                    self.in_place(part, op, operand, span, value.span);
                }
            }
            _ => {
                let help = "write `name += value` or `array[i] += value`";
                self.refuse(code::UNSUPPORTED_STATEMENT, target.span, "this cannot be assigned to", help);
            }
        }
    }

    fn augmented_item(
        &mut self,
        target: &Expr,
        (owner, indices): (&Expr, &[Index]),
        op: BinaryOp,
        value: &Expr,
        span: Span,
    ) {
        let owner_value = self.expression(owner);
        if owner_value.is_poison() {
            self.expression(value);
            return;
        }
        if let Value::Container(container) = owner_value {
            return self.augmented_member_of((container, indices), op, value, target.span, span);
        }
        let of_numbers = |s: &Self| match &owner_value {
            Value::List(items) => !items.iter().any(|v| s.has_axes(v)),
            Value::Filled(_) => true,
            _ => false,
        };
        if of_numbers(self) && self.want_list(owner) {
            self.expression(value);
            return;
        }
        if let Value::List(items) = &owner_value {
            let member = self.member(&owner_value, items, indices, target.span);
            let operand = self.expression(value);
            return self.augmented_member(&member, op, operand, span, value.span);
        }
        if let Some(array) = array_of_flat(&owner_value) {
            return self.augmented_flat(array, (target.span, indices), op, value, span);
        }
        let place = match &owner_value {
            Value::Record(class, _) if class.is_structure() => self.place_of_field(&owner_value, indices, target.span),
            _ => self.place(&owner_value, owner.span, indices, target.span),
        };
        let Some(place) = place else {
            self.expression(value);
            return;
        };
        match place {
            Place::View(view) => {
                let operand = self.operand(value, &Value::array(view));
                self.in_place(view, op, operand, span, value.span);
            }
            Place::Element(view) => {
                let current = self.load(view);
                let operand = self.operand(value, &current);
                let result = self.binary(op, current, operand, span, [target.span, value.span]);
                self.set_item(Place::Element(view), result, target.span);
            }
            Place::Selected(selection) => self.augmented_selected((target, &selection), op, value, span),
            Place::Masked { array, mask } => self.augmented_masked((target, array, mask), op, value, span),
        }
    }

    /// `list[k] op= operand`: an array is changed in place, and the list holds it as before.
    fn augmented_member(&mut self, member: &Value, op: BinaryOp, operand: Value, span: Span, place: Span) {
        match member.typed() {
            Some(Typed { value: array, family: Family::Array }) => self.in_place(array, op, operand, span, place),
            _ if member.is_poison() => {}
            _ => {
                let message = "a member of a list cannot be rebound";
                let help = "bind the members to names: `a, b = parts`";
                self.refuse(code::UNSUPPORTED_STATEMENT, span, message, help);
            }
        }
    }

    /// `record.name op= value`: an array and a list are changed in place, and the record holds them as before.
    pub fn augmented_field(
        &mut self,
        record: &Value,
        name: &str,
        op: BinaryOp,
        value: &Expr,
        (target, span): (Span, Span),
    ) {
        let Value::Record(class, fields) = record else { return };
        let current = self.record_attribute(class, fields, name, target);
        let operand = self.operand(value, &current);
        match &current {
            Value::Typed(typed) if typed.family == Family::Array => {
                self.augmented_array(&current, op, operand, span, value.span);
            }
            Value::Container(container) if self.container_in_place(*container, op, &operand, span) => {}
            _ => {
                let result = self.binary(op, current, operand, span, [target, value.span]);
                self.assign_field(record, name, &result, target);
            }
        }
    }
}

/// The target that a starred one has.
fn without_star(target: &Expr) -> &Expr {
    match &target.kind {
        ExprKind::Starred(target) => target,
        _ => target,
    }
}
