//! Subscripts with integer arrays: `a[idx]`, `a[i, :, j]` read and written.
//!
//! In: evaluated indices of which some are arrays. Out: a selection, as NumPy places its axes: next to each other where the arrays and integers
//! stand next to each other, first where something else stands between them. Elements are read as a copy, and written the last one in C order
//! winning.

use numptx_ir::DType;
use numptx_ir::array::{ErrorKind, READ_ONLY_DESTINATION, ValueId};
use numptx_ir::functions::Typed;
use numptx_ir::functions::selection::{Along, OutOfRange, Selection, VALUE_MISMATCH};
use numptx_source::Span;
use numptx_syntax::ast::{BinaryOp, Expr};

use crate::indexing::in_place::Mismatch;
use crate::indexing::places::{IndexArray, Item};
use crate::lowerer::Lowerer;
use crate::values::value::Value;

impl Lowerer<'_> {
    /// The index that a list display is: of integers alone, they are looked at one by one.
    pub fn index_list(&mut self, members: &[Value], span: Span) -> Option<IndexArray> {
        let leaves: Option<Vec<ValueId>> = members
            .iter()
            .map(|member| {
                let typed = member.typed()?;
                let is_plain = self.builder.is_scalar(typed.value) && self.builder.dtype(typed.value) != DType::Bool;
                is_plain.then(|| self.integer(member)).flatten()
            })
            .collect();
        if let Some(leaves) = leaves {
            return Some(IndexArray { value: None, leaves, span });
        }
        let array = self.call_on("numpy.array", &[Value::List(members.to_vec())], span, &[span]);
        let value = array.typed()?.value;
        Some(IndexArray { value: Some(value), leaves: Vec::new(), span })
    }

    /// What indices with arrays among them select; `None` after a report. `skipped`: axes that `...` stands for.
    pub fn selection(&mut self, array: ValueId, items: Vec<Item>, skipped: usize, span: Span) -> Option<Selection> {
        let is_advanced = |item: &Item| matches!(item, Item::At(..) | Item::Array(_) | Item::Mask(..));
        let n_arrays = items.iter().filter(|item| matches!(item, Item::Array(_) | Item::Mask(..))).count();
        let is_distinct = n_arrays == 1 && items.iter().any(|item| matches!(item, Item::Mask(..)));
        let first = items.iter().position(is_advanced)?;
        let last = items.iter().rposition(is_advanced)?;
        let is_adjacent = items[first..=last].iter().all(is_advanced);
        // `original` counts axes of the array, as NumPy's messages do; `along` has an entry for each axis of the view so far.
        let (mut view, mut original, mut before) = (array, 0, 0);
        let mut along: Vec<Option<Along>> = Vec::new();
        for (n, item) in items.into_iter().enumerate() {
            let axis = along.len();
            match item {
                Item::At(index, span) => {
                    let index = self.normalized(view, axis, original, index, span)?;
                    view = self.builder.index(view, axis, index);
                    original += 1;
                }
                Item::Array(array) => {
                    along.push(Some(self.along(view, axis, original, array)?));
                    original += 1;
                }
                Item::Slice { lower, upper, step, span } => {
                    view = self.slice_axis(view, axis, [lower, upper, step], span)?;
                    along.push(None);
                    original += 1;
                }
                Item::NewAxis => {
                    view = self.builder.new_axis(view, axis);
                    along.push(None);
                }
                Item::Ellipsis => {
                    along.resize(axis + skipped, None);
                    original += skipped;
                }
                Item::Mask(mask, _) => {
                    for index in self.mask_indices(view, axis, original, mask) {
                        along.push(Some(Along { index, name: original, is_checked: true }));
                        original += 1;
                    }
                }
            }
            if n < first {
                before = along.len();
            }
        }
        along.resize(self.builder.rank(view), None);
        self.builder.set_span(span);
        let before = if is_adjacent { before } else { 0 };
        match Selection::new(&mut self.builder, view, along, before, OutOfRange::Raise) {
            Ok(selection) => Some(Selection { is_distinct, ..selection }),
            Err(error) => {
                self.refuse_call(error, span, &[]);
                None
            }
        }
    }

    fn along(&mut self, view: ValueId, axis: usize, name: usize, array: IndexArray) -> Option<Along> {
        if let Some(index) = array.value {
            return Some(Along { index, name, is_checked: false });
        }
        let mut members = Vec::with_capacity(array.leaves.len());
        for leaf in array.leaves {
            members.push(Value::numpy(self.normalized(view, axis, name, leaf, array.span)?));
        }
        if members.is_empty() {
            let none = self.builder.i64(0);
            let mut body = numptx_ir::scalar::BodyBuilder::new();
            let zero = body.constant(0.0, DType::I64);
            let index = self.builder.map(&[none], &[], body.finish(vec![zero]))[0];
            return Some(Along { index, name, is_checked: true });
        }
        let index = self.call_on("numpy.array", &[Value::List(members)], array.span, &[array.span]).typed()?.value;
        Some(Along { index, name, is_checked: true })
    }

    /// The selected elements.
    pub fn gather(&mut self, selection: &Selection) -> Value {
        selection.check(&mut self.builder);
        Value::array(selection.gather(&mut self.builder))
    }

    /// `array[…] = value`
    pub fn store_selected(&mut self, selection: &Selection, value: Value, span: Span) {
        if value.is_poison() || !self.may_write(selection.array, span, READ_ONLY_DESTINATION) {
            return;
        }
        let dtype = self.builder.dtype(selection.array);
        let value = match value {
            Value::Tuple(_) | Value::List(_) => self.call_on("numpy.array", &[value], span, &[span]),
            other => other,
        };
        let Some(typed) = self.storable(&value, dtype, span) else { return };
        let Some(typed) = self.numpy_to(typed, dtype, span) else { return };
        if let Some(source) = self.fitted(selection, typed, span) {
            selection.check(&mut self.builder);
            selection.scatter(&mut self.builder, source);
        }
    }

    /// A value as a scalar, or broadcast to the selection's extents.
    fn fitted(&mut self, selection: &Selection, typed: Typed, span: Span) -> Option<ValueId> {
        if self.builder.rank(typed.value) == 0 {
            return Some(typed.value);
        }
        let extents = selection.shape(&mut self.builder);
        let mut source = typed.value;
        let own = self.extents(source);
        let mismatch = Mismatch::of_shapes(VALUE_MISMATCH, &own, &extents);
        while self.builder.rank(source) > extents.len() {
            let (extent, one) = (self.extents(source)[0], self.builder.i64(1));
            let single = self.builder.scalar(numptx_ir::scalar::ScalarOp::Eq, &[extent, one]);
            self.check(single, ErrorKind::Value, &mismatch.message, &mismatch.shapes);
            source = self.builder.drop_axis(source, 0);
        }
        self.broadcast_into(source, &extents, &mismatch, span)
    }

    /// `array[…] op= value`: each element is read once, however often it is selected.
    pub fn augmented_selected(
        &mut self,
        (target, selection): (&Expr, &Selection),
        op: BinaryOp,
        value: &Expr,
        span: Span,
    ) {
        let current = self.gather(selection);
        let operand = self.expression(value);
        let Some(elements) = current.typed().map(|t| t.value) else { return };
        if operand.is_poison() || !self.may_write(selection.array, target.span, READ_ONLY_DESTINATION) {
            return;
        }
        if let Some(result) = self.in_place_result(elements, op, operand, span, value.span) {
            selection.scatter(&mut self.builder, result);
        }
    }
}
