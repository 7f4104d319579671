//! `array[…] = value`: the value is converted as NumPy's setitem does, broadcast to the place, and written.

use numptx_ir::DType;
use numptx_ir::array::{ErrorKind, READ_ONLY_DESTINATION, ValueId};
use numptx_ir::dtype::Kind;
use numptx_ir::functions::{Family, Typed, convert};
use numptx_ir::promotion::{Casting, can_cast, integer_fits, integer_range};
use numptx_ir::scalar::{Constant, ScalarOp};
use numptx_source::{Span, code};

use crate::indexing::in_place::Mismatch;
use crate::indexing::places::Place;
use crate::lowerer::Lowerer;
use crate::numbers::ints::INT_LIMIT;
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

    /// A value that can be converted to `dtype` by an unchecked cast: Python scalars are converted here, with Python's errors.
    pub fn storable(&mut self, value: &Value, dtype: DType, span: Span) -> Option<Typed> {
        let Value::Typed(typed) = value else {
            if !value.is_poison() {
                let message = format!("{} cannot be stored in an array", value.describe(&self.builder));
                self.refuse(code::TYPE_MISMATCH, span, message, "store numbers and arrays: `x[0] = 1.0`");
            }
            return None;
        };
        let from = self.builder.dtype(typed.value);
        if from.is_complex() && !dtype.is_complex() && dtype != DType::Bool {
            let message = format!("a complex value cannot be stored in an array of `{dtype}`");
            let help = "store one part: `x[0] = z.real`; or make the array complex";
            self.refuse(code::CAST_REFUSED, span, message, help);
            return None;
        }
        if typed.family != Family::Python {
            return Some(*typed);
        }
        let value = self.python_to(typed.value, dtype, span)?;
        Some(Typed { value, family: Family::Numpy })
    }

    /// NumPy stores its own scalars in signed integers as if they were Python's: those that may not fit are looked at on the host.
    /// In unsigned integers they wrap.
    pub fn numpy_to(&mut self, typed: Typed, dtype: DType, span: Span) -> Option<Typed> {
        let from = self.builder.dtype(typed.value);
        let is_signed = dtype.kind() == Kind::Signed;
        if typed.family != Family::Numpy || !is_signed || can_cast(from, dtype, Casting::Safe) {
            return Some(typed);
        }
        let mut value = convert::to_host(&mut self.builder, typed);
        if from == DType::U64 {
            let limit = self.builder.constant(Constant::Int(i64::MAX), DType::U64);
            let fits = self.builder.scalar(ScalarOp::Le, &[value, limit]);
            self.check(fits, ErrorKind::Overflow, "Python int too large to convert to C long", &[]);
        }
        if from.is_integer() {
            value = self.convert(value, DType::I64);
        }
        Some(Typed { value: self.python_to(value, dtype, span)?, ..typed })
    }

    /// A Python scalar as a host scalar of a dtype, with the errors of NumPy's conversion. `None` after a report.
    pub fn python_to(&mut self, value: ValueId, dtype: DType, span: Span) -> Option<ValueId> {
        let from = self.builder.dtype(value);
        let to_integer = dtype.is_integer();
        if !to_integer || from == DType::Bool {
            return Some(self.convert(value, dtype));
        }
        let value = if from.is_float() {
            self.float_to_int(value, "Python int too large to convert to C long", span)?
        } else {
            value
        };
        let (low, high) = integer_range(dtype).unwrap_or((i64::MIN, i64::MAX));
        if let Some(n) = self.builder.as_i64(value) {
            if !integer_fits(n, dtype) {
                let message = format!("Python integer {n} is out of bounds for `{dtype}`");
                let help = format!("`{dtype}` holds {low} to {high}; use a wider dtype");
                self.refuse(code::CONSTANT_OUT_OF_RANGE, span, message, help);
                return None;
            }
        } else {
            self.check_range(value, low, high, dtype);
        }
        Some(self.convert(value, dtype))
    }

    fn check_range(&mut self, value: ValueId, low: i64, high: i64, dtype: DType) {
        let fact = self.fact(value);
        let message = format!("Python integer {{}} out of bounds for {dtype}");
        if fact.low < low {
            let limit = self.builder.i64(low);
            let fits = self.builder.scalar(ScalarOp::Le, &[limit, value]);
            self.check(fits, ErrorKind::Overflow, &message, &[value]);
        }
        if fact.high > high {
            let limit = self.builder.i64(high);
            let fits = self.builder.scalar(ScalarOp::Le, &[value, limit]);
            self.check(fits, ErrorKind::Overflow, &message, &[value]);
        }
    }

    /// `int(x)` of a host float, with Python's errors; `too_large` is what is said of ints beyond 64 bits. `None` after a report.
    pub fn float_to_int(&mut self, value: ValueId, too_large: &str, span: Span) -> Option<ValueId> {
        let value = self.convert(value, DType::F64);
        if let Some(Constant::Float(x)) = self.builder.as_constant(value) {
            if !(-INT_LIMIT..INT_LIMIT).contains(&x) {
                let message = format!("the float {x:?} has no int of 64 bits");
                self.refuse(code::CONSTANT_OUT_OF_RANGE, span, message, "ints are `int64` here; keep it a float");
                return None;
            }
            return Some(self.builder.i64(x as i64));
        }
        let nan = self.builder.scalar(ScalarOp::IsNan, &[value]);
        let number = self.not(nan);
        self.check(number, ErrorKind::Value, "cannot convert float NaN to integer", &[]);
        let infinite = self.builder.scalar(ScalarOp::IsInf, &[value]);
        let finite = self.not(infinite);
        self.check(finite, ErrorKind::Overflow, "cannot convert float infinity to integer", &[]);
        let limit = self.builder.constant(Constant::Float(INT_LIMIT), DType::F64);
        let low = self.builder.constant(Constant::Float(-INT_LIMIT), DType::F64);
        let below = self.builder.scalar(ScalarOp::Lt, &[value, limit]);
        let above = self.builder.scalar(ScalarOp::Ge, &[value, low]);
        let fits = self.both(ScalarOp::BitAnd, below, above);
        self.check(fits, ErrorKind::Overflow, too_large, &[]);
        Some(self.builder.cast_scalar(value, DType::I64))
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
