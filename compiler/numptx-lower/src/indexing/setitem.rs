//! `array[…] = value`: the value is converted as NumPy's setitem does, broadcast to the place, and written.

use numptx_ir::DType;
use numptx_ir::array::{ErrorKind, READ_ONLY_DESTINATION, ValueId};
use numptx_ir::scalar::ScalarOp;
use numptx_source::{Span, code};

use crate::indexing::in_place::Mismatch;
use crate::indexing::places::Place;
use crate::lowerer::Lowerer;
use crate::values::value::Value;

const INPUT_MISMATCH: &str = "could not broadcast input array from shape {value} into shape {target}";

impl Lowerer<'_> {
    /// Writes a value to a place.
    pub fn set_item(&mut self, place: Place, value: Value, span: Span) {
        let dtype = self.dtype_of_place(&place);
        let value = self.converted_members(value.plain(), dtype, span);
        self.builder.set_span(span);
        match place {
            Place::View(view) => self.store(view, value, span),
            Place::Element(_) if !self.is_scalar(&value) && !value.is_poison() => {
                let message = format!("one element cannot hold {}", value.describe(&self.builder));
                self.refuse(
                    code::TYPE_MISMATCH,
                    span,
                    message,
                    "store a number, `x[0] = y[0]`, or write to a slice: `x[:2] = y`",
                );
            }
            Place::Element(view) => {
                self.loops.n_element_writes += 1;
                self.store(view, value, span);
            }
            Place::Selected(selection) => self.store_selected(&selection, value, span),
            Place::Masked { array, mask } if self.is_scalar(&value) => self.store_masked(array, mask, value, span),
            Place::Masked { array, mask } => self.store_chosen(array, mask, value, span),
        }
    }

    fn dtype_of_place(&self, place: &Place) -> DType {
        let array = match place {
            Place::View(array) | Place::Element(array) | Place::Masked { array, .. } => *array,
            Place::Selected(selection) => selection.array,
        };
        self.builder.dtype(array)
    }

    fn store(&mut self, view: ValueId, value: Value, span: Span) {
        if !self.may_write(view, span, READ_ONLY_DESTINATION) {
            return;
        }
        let dtype = self.builder.dtype(view);
        let value = match value {
            Value::Tuple(_) | Value::List(_) => self.call_on("numpy.array", &[value], span, &[span]),
            Value::Container(list) => match self.array_of_list(list, span) {
                Some(array) => array,
                None => return,
            },
            other => other,
        };
        let Some(typed) = self.storable(&value, dtype, span) else { return };
        let Some(typed) = self.numpy_to(typed, dtype, span) else { return };
        let source = if self.builder.rank(typed.value) == 0 {
            typed.value
        } else {
            let Some(source) = self.without_leading_ones(view, typed.value, span) else { return };
            let extents = self.extents(view);
            let own = self.extents(source);
            let mismatch = Mismatch::of_shapes(INPUT_MISMATCH, &own, &extents);
            let Some(source) = self.broadcast_into(source, &extents, &mismatch, span) else { return };
            source
        };
        self.write(view, source, span);
    }

    /// NumPy drops leading axes of extent 1 of what is stored.
    fn without_leading_ones(&mut self, view: ValueId, source: ValueId, span: Span) -> Option<ValueId> {
        let mut source = source;
        while self.builder.rank(source) > self.builder.rank(view) {
            let extent = self.extents(source)[0];
            if let Some(n) = self.builder.as_i64(extent).filter(|n| *n != 1) {
                let (a, b) = (self.builder.rank(source), self.builder.rank(view));
                let message = format!("an array of {a} axes, the first of extent {n}, cannot be stored in one of {b}");
                self.refuse(
                    code::BROADCAST_MISMATCH,
                    span,
                    message,
                    "reduce or index the right side first: `x[0] = y[0]`",
                );
                return None;
            }
            let one = self.builder.i64(1);
            let single = self.builder.scalar(ScalarOp::Eq, &[extent, one]);
            let (own, target) = (self.extents(source), self.extents(view));
            let Mismatch { message, shapes } = Mismatch::of_shapes(INPUT_MISMATCH, &own, &target);
            self.check(single, ErrorKind::Value, &message, &shapes);
            source = self.builder.drop_axis(source, 0);
        }
        Some(source)
    }
}
