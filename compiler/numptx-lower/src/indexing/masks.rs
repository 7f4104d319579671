//! Subscripts with boolean masks: `a[mask]` read and written.
//!
//! In: an array and a mask over its leading axes. Out: the chosen elements as a fresh array, whose length is known when running only, or a write.
//! Writes of single values, and of values that are computed element by element under the same mask (`z[m] = z[m] * c[m]`), never move an element:
//! everything is computed in place, and stored where the mask is true.

use numptx_ir::DType;
use numptx_ir::array::{ErrorKind, READ_ONLY_DESTINATION, ValueId};
use numptx_ir::functions::compaction::Chosen;
use numptx_ir::functions::selection::{Along, OutOfRange, Selection};
use numptx_ir::functions::{Class, Typed, lookup};
use numptx_ir::scalar::{BodyBuilder, ScalarOp};
use numptx_source::{Span, code};
use numptx_syntax::ast::{BinaryOp, Expr, ExprKind, Index, UnaryOp};

use crate::indexing::places::Place;
use crate::lowerer::Lowerer;
use crate::values::value::Value;

/// The one mask of a statement.
struct Mask<'e> {
    /// As it is written.
    written: &'e Expr,
    /// Its value.
    value: ValueId,
}

impl Lowerer<'_> {
    /// The place that a mask over the leading axes names.
    pub fn masked(&mut self, array: ValueId, mask: ValueId, span: Span) -> Option<Place> {
        let (mine, theirs) = (self.builder.rank(mask), self.builder.rank(array));
        if mine > theirs {
            let message = format!("the mask has {mine} axes, the array {theirs}");
            self.refuse(code::TOO_MANY_INDICES, span, message, "a mask has at most as many axes as the array");
            return None;
        }
        self.check_mask(array, 0, 0, mask);
        Some(Place::Masked { array, mask })
    }

    /// `IndexError` where a mask's extents are not those of an array from an axis on. `original`: the axis as messages name it.
    fn check_mask(&mut self, array: ValueId, axis: usize, original: usize, mask: ValueId) {
        let extents = self.extents(array);
        for (n, mine) in self.extents(mask).into_iter().enumerate() {
            let theirs = extents[axis + n];
            let same = self.builder.scalar(ScalarOp::Eq, &[theirs, mine]);
            let message = format!(
                "boolean index did not match indexed array along axis {}; size of axis is {{}} but size of corresponding boolean axis is {{}}",
                original + n
            );
            self.check(same, ErrorKind::Index, &message, &[theirs, mine]);
        }
    }

    /// The indices that a mask among other indices stands for, one an axis of it.
    pub fn mask_indices(&mut self, view: ValueId, axis: usize, original: usize, mask: ValueId) -> Vec<ValueId> {
        self.check_mask(view, axis, original, mask);
        Chosen::of(&mut self.builder, mask).indices(&mut self.builder)
    }

    /// `array[mask]`, read.
    pub fn chosen(&mut self, array: ValueId, mask: ValueId, span: Span) -> Value {
        self.builder.set_span(span);
        if self.builder.rank(mask) == self.builder.rank(array) {
            let chosen = Chosen::of(&mut self.builder, mask);
            return Value::array(chosen.elements(&mut self.builder, array));
        }
        match self.rows(array, mask, span) {
            Some(selection) => self.gather(&selection),
            None => Value::Poison,
        }
    }

    /// What a mask of fewer axes than the array selects.
    fn rows(&mut self, array: ValueId, mask: ValueId, span: Span) -> Option<Selection> {
        let indices = Chosen::of(&mut self.builder, mask).indices(&mut self.builder);
        let mut along: Vec<Option<Along>> = Vec::new();
        for (name, index) in indices.into_iter().enumerate() {
            along.push(Some(Along { index, name, is_checked: true }));
        }
        along.resize(self.builder.rank(array), None);
        match Selection::new(&mut self.builder, array, along, 0, OutOfRange::Raise) {
            Ok(selection) => Some(Selection { is_distinct: true, ..selection }),
            Err(error) => {
                self.refuse_call(error, span, &[]);
                None
            }
        }
    }

    /// `array[mask] = value`, value a scalar, or an array of the array's extents: elements where the mask is false keep their value.
    pub fn store_masked(&mut self, array: ValueId, mask: ValueId, value: Value, span: Span) {
        if value.is_poison() || !self.may_write(array, span, READ_ONLY_DESTINATION) {
            return;
        }
        let dtype = self.builder.dtype(array);
        let Some(typed) = self.storable(&value, dtype, span) else { return };
        let from = self.builder.dtype(typed.value);
        let extents = self.extents(array);
        let mask = self.mask_over(array, mask);
        let mut body = BodyBuilder::new();
        let (condition, new, old) = (body.input(0, DType::Bool), body.input(1, from), body.input(2, dtype));
        let new = body.cast(new, dtype);
        let chosen = body.op(ScalarOp::Select, &[condition, new, old]);
        let body = body.finish(vec![chosen]);
        let result = self.builder.map(&extents, &[mask, typed.value, array], body)[0];
        self.builder.assign(array, result);
    }

    /// A mask broadcast to all of an array's axes.
    fn mask_over(&mut self, array: ValueId, mask: ValueId) -> ValueId {
        let (mut mask, extents) = (mask, self.extents(array));
        for axis in self.builder.rank(mask)..extents.len() {
            mask = self.builder.new_axis(mask, axis);
        }
        self.builder.broadcast_to(mask, &extents)
    }

    /// `array[mask] = values`, a value for each chosen element in turn.
    pub fn store_chosen(&mut self, array: ValueId, mask: ValueId, value: Value, span: Span) {
        if value.is_poison() || !self.may_write(array, span, READ_ONLY_DESTINATION) {
            return;
        }
        if self.builder.rank(mask) < self.builder.rank(array) {
            if let Some(selection) = self.rows(array, mask, span) {
                self.store_selected(&selection, value, span);
            }
            return;
        }
        let value = match value {
            Value::Tuple(_) | Value::List(_) => self.call_on("numpy.array", &[value], span, &[span]),
            other => other,
        };
        let Some(Typed { value: source, .. }) = self.storable(&value, self.builder.dtype(array), span) else { return };
        let rank = self.builder.rank(source);
        if rank != 1 {
            let message = format!("elements chosen by a mask of all axes are one row, found an array of {rank} axes");
            let help = "give one value, or a vector with a value for each: `x[mask] = y[mask]`";
            self.refuse(code::BROADCAST_MISMATCH, span, message, help);
            return;
        }
        let chosen = Chosen::of(&mut self.builder, mask);
        let (n, one, zero) = (self.extents(source)[0], self.builder.i64(1), self.builder.i64(0));
        let equal = self.builder.scalar(ScalarOp::Eq, &[n, chosen.count]);
        let single = self.builder.scalar(ScalarOp::Eq, &[n, one]);
        let fits = self.both(ScalarOp::BitOr, equal, single);
        let message = "NumPy boolean array indexing assignment cannot assign {} input values to the {} output values where the mask is true";
        self.check(fits, ErrorKind::Value, message, &[n, chosen.count]);
        let is_some = self.builder.scalar(ScalarOp::Lt, &[zero, chosen.count]);
        self.builder.when(is_some, |builder| {
            let result = chosen.replaced(builder, array, source);
            builder.assign(array, result);
        });
    }

    /// `array[mask] op= value`.
    pub fn augmented_masked(
        &mut self,
        (target, array, mask): (&Expr, ValueId, ValueId),
        op: BinaryOp,
        value: &Expr,
        span: Span,
    ) {
        let places = [target.span, value.span];
        if let ExprKind::Subscript { indices, .. } = &target.kind
            && let [Index::Expr(written)] = indices.as_slice()
            && op != BinaryOp::MatMul
            && op != BinaryOp::Pow
            && self.builder.rank(mask) == self.builder.rank(array)
            && let Some(operand) = self.under(&Mask { written, value: mask }, value)
        {
            return self.store_in_place((array, mask), op, operand, span, places);
        }
        let is_whole = self.builder.rank(mask) == self.builder.rank(array);
        let operand = self.expression(value);
        if operand.is_poison() {
            return;
        }
        if self.is_scalar(&operand) {
            return self.store_in_place((array, mask), op, operand, span, places);
        }
        let elements = if is_whole {
            self.chosen(array, mask, target.span)
        } else {
            let Some(selection) = self.rows(array, mask, target.span) else { return };
            self.gather(&selection)
        };
        let Some(elements) = elements.typed().map(|t| t.value) else { return };
        if let Some(result) = self.in_place_result(elements, op, operand, span, value.span) {
            let result = match self.builder.is_scalar(result) {
                true => Value::numpy(result),
                false => Value::array(result),
            };
            self.store_chosen(array, mask, result, target.span);
        }
    }

    /// `array[mask] op= operand`, computed everywhere and stored where the mask is true.
    fn store_in_place(
        &mut self,
        (array, mask): (ValueId, ValueId),
        op: BinaryOp,
        operand: Value,
        span: Span,
        places: [Span; 2],
    ) {
        if let Some(result) = self.in_place_result(array, op, operand, span, places[1]) {
            let is_scalar = self.builder.is_scalar(result);
            let result = if is_scalar { Value::numpy(result) } else { Value::array(result) };
            self.store_masked(array, mask, result, places[0]);
        }
    }

    /// `owner[mask] = value` where all that the value reads is under the same mask, element by element. False, and nothing done, where it is not so.
    pub fn stored_under_mask(&mut self, target: &Expr, value: &Expr) -> bool {
        let ExprKind::Subscript { value: owner, indices } = &target.kind else { return false };
        let [Index::Expr(written)] = indices.as_slice() else { return false };
        if !is_repeatable(written) || !is_repeatable(owner) || !reads_under(value, written) {
            return false;
        }
        let (point, n_reports) = (self.point(), self.reports.len());
        if self.try_store_under(owner, written, value, target.span) && self.reports.len() == n_reports {
            return true;
        }
        self.rollback(point);
        self.reports.truncate(n_reports);
        false
    }

    fn try_store_under(&mut self, owner: &Expr, written: &Expr, value: &Expr, span: Span) -> bool {
        let is_bool = |s: &Self, v: ValueId| s.builder.dtype(v) == DType::Bool && s.builder.rank(v) > 0;
        let Some(mask) = self.expression(written).typed().map(|t| t.value).filter(|v| is_bool(self, *v)) else {
            return false;
        };
        let Some(result) = self.under(&Mask { written, value: mask }, value) else { return false };
        let Some(array) = self.expression(owner).typed().map(|t| t.value) else { return false };
        if self.builder.rank(array) != self.builder.rank(mask) {
            return false;
        }
        self.builder.set_span(span);
        self.check_mask(array, 0, 0, mask);
        self.store_masked(array, mask, result, span);
        true
    }

    /// A value at every element of the mask, of which those under it count; `None` where it cannot be told element by element.
    fn under(&mut self, mask: &Mask, expr: &Expr) -> Option<Value> {
        match &expr.kind {
            ExprKind::Subscript { value, indices } if matches!(indices.as_slice(), [Index::Expr(index)] if same(index, mask.written)) =>
            {
                let array = self.expression(value).typed()?.value;
                if self.builder.rank(array) != self.builder.rank(mask.value) {
                    return None;
                }
                self.check_mask(array, 0, 0, mask.value);
                let extents = self.extents(mask.value);
                Some(Value::array(self.builder.broadcast_to(array, &extents)))
            }
            ExprKind::Binary { op, left, right } if *op != BinaryOp::MatMul => {
                let a = self.under(mask, left)?;
                let b = self.under(mask, right)?;
                let is_integer = |s: &Self, v: &Value| {
                    v.typed().is_some_and(|t| s.builder.rank(t.value) > 0 && s.builder.dtype(t.value).is_integer())
                };
                if *op == BinaryOp::Pow && is_integer(self, &b) {
                    return None;
                }
                Some(self.binary(*op, a, b, expr.span, [left.span, right.span])).filter(|v| !v.is_poison())
            }
            _ if !reads_under(expr, mask.written) => {
                let is_single = |s: &Self, v: &Value| !v.is_poison() && s.is_scalar(v);
                is_repeatable(expr).then(|| self.expression(expr)).filter(|v| is_single(self, v))
            }
            ExprKind::Unary { op: UnaryOp::Negative, operand } => {
                let operand = self.under(mask, operand)?;
                Some(self.call_on("numpy.negative", &[operand], expr.span, &[expr.span])).filter(|v| !v.is_poison())
            }
            ExprKind::Call { function, arguments, keywords } if keywords.is_empty() => {
                let name = match self.expression(function) {
                    Value::TableFunction(name) => name,
                    Value::Builtin("abs") => "numpy.absolute".to_string(),
                    _ => return None,
                };
                let row = lookup(&name)?;
                let is_elementwise =
                    matches!(&row.class, Class::Map(map) if map.n_inputs == arguments.len() && map.n_outputs == 1);
                if !is_elementwise || row.lowering.looks_first {
                    return None;
                }
                let values = arguments.iter().map(|a| self.under(mask, a)).collect::<Option<Vec<_>>>()?;
                let places: Vec<Span> = arguments.iter().map(|a| a.span).collect();
                Some(self.call_on(&name, &values, expr.span, &places)).filter(|v| !v.is_poison())
            }
            _ => None,
        }
    }
}

/// Whether evaluating an expression changes nothing and gives the same again: names, numbers, operators, elements, functions of modules.
fn is_repeatable(expr: &Expr) -> bool {
    let is_index = |index: &Index| match index {
        Index::Expr(expr) => is_repeatable(expr),
        Index::Slice { lower, upper, step, .. } => [lower, upper, step].into_iter().flatten().all(is_repeatable),
        Index::NewAxis(_) | Index::Ellipsis(_) => true,
    };
    match &expr.kind {
        ExprKind::Name(_) | ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Imaginary(_) | ExprKind::Bool(_) => true,
        ExprKind::Binary { left, right, .. } => is_repeatable(left) && is_repeatable(right),
        ExprKind::Unary { operand, .. } => is_repeatable(operand),
        ExprKind::Compare { operands, .. } => operands.iter().all(is_repeatable),
        ExprKind::Attribute { value, .. } => is_repeatable(value),
        ExprKind::Subscript { value, indices } => is_repeatable(value) && indices.iter().all(is_index),
        ExprKind::Call { function, arguments, keywords } => {
            let is_of_module =
                matches!(&function.kind, ExprKind::Attribute { value, .. } if matches!(value.kind, ExprKind::Name(_)));
            let is_abs = matches!(&function.kind, ExprKind::Name(name) if name == "abs");
            keywords.is_empty()
                && (is_of_module && has_no_effect(function) || is_abs)
                && arguments.iter().all(is_repeatable)
        }
        _ => false,
    }
}

/// Whether a function called by this attribute writes nothing: methods of arrays and of modules that do are known by name.
fn has_no_effect(function: &Expr) -> bool {
    let writes =
        ["fill", "put", "put_along_axis", "sort", "at", "fill_diagonal", "place", "putmask", "copyto", "partition"];
    matches!(&function.kind, ExprKind::Attribute { name, .. } if !writes.contains(&name.as_str()))
}

/// Whether an expression has a subscript by this mask in it, where operators and calls reach it.
fn reads_under(expr: &Expr, mask: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Subscript { indices, .. } => {
            matches!(indices.as_slice(), [Index::Expr(index)] if same(index, mask))
        }
        ExprKind::Binary { left, right, .. } => reads_under(left, mask) || reads_under(right, mask),
        ExprKind::Unary { operand, .. } => reads_under(operand, mask),
        ExprKind::Call { arguments, .. } => arguments.iter().any(|a| reads_under(a, mask)),
        _ => false,
    }
}

/// Whether two expressions are written alike.
fn same(a: &Expr, b: &Expr) -> bool {
    let both = |a: &[Expr], b: &[Expr]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b));
    let optional = |a: &Option<Expr>, b: &Option<Expr>| match (a, b) {
        (Some(a), Some(b)) => same(a, b),
        (a, b) => a.is_none() && b.is_none(),
    };
    let index = |a: &Index, b: &Index| match (a, b) {
        (Index::Expr(a), Index::Expr(b)) => same(a, b),
        (Index::Slice { lower, upper, step, .. }, Index::Slice { lower: l, upper: u, step: s, .. }) => {
            optional(lower, l) && optional(upper, u) && optional(step, s)
        }
        (Index::NewAxis(_), Index::NewAxis(_)) | (Index::Ellipsis(_), Index::Ellipsis(_)) => true,
        _ => false,
    };
    match (&a.kind, &b.kind) {
        (ExprKind::Name(a), ExprKind::Name(b)) => a == b,
        (ExprKind::Int(a), ExprKind::Int(b)) => a == b,
        (ExprKind::Float(a), ExprKind::Float(b)) | (ExprKind::Imaginary(a), ExprKind::Imaginary(b)) => {
            a.to_bits() == b.to_bits()
        }
        (ExprKind::Bool(a), ExprKind::Bool(b)) => a == b,
        (ExprKind::Binary { op, left, right }, ExprKind::Binary { op: o, left: l, right: r }) => {
            op == o && same(left, l) && same(right, r)
        }
        (ExprKind::Unary { op, operand }, ExprKind::Unary { op: o, operand: x }) => op == o && same(operand, x),
        (ExprKind::Compare { operands, ops }, ExprKind::Compare { operands: x, ops: o }) => {
            ops == o && both(operands, x)
        }
        (ExprKind::Attribute { value, name, .. }, ExprKind::Attribute { value: v, name: n, .. }) => {
            name == n && same(value, v)
        }
        (ExprKind::Subscript { value, indices }, ExprKind::Subscript { value: v, indices: i }) => {
            same(value, v) && indices.len() == i.len() && indices.iter().zip(i).all(|(a, b)| index(a, b))
        }
        (
            ExprKind::Call { function, arguments, keywords },
            ExprKind::Call { function: f, arguments: a, keywords: k },
        ) => same(function, f) && both(arguments, a) && keywords.is_empty() && k.is_empty(),
        _ => false,
    }
}
