//! Whole arrays written in place: `x += y`, what `out=` takes, and values that are broadcast to where they go.

use numptx_ir::DType;
use numptx_ir::array::{ErrorKind, READ_ONLY_OUTPUT, ValueId, Writability};
use numptx_ir::functions::shape::shape_text;
use numptx_ir::functions::{Family, Typed};
use numptx_ir::promotion::{Casting, can_cast};
use numptx_ir::scalar::{BodyBuilder, ScalarOp};
use numptx_source::{Span, code};
use numptx_syntax::ast::BinaryOp;

use crate::lowerer::Lowerer;
use crate::values::value::Value;

/// What is said of a value that does not broadcast to where it is written.
pub struct Mismatch {
    /// NumPy's words, `{}` for each extent.
    pub message: String,
    /// The extents of both shapes; none where the words are about the two extents of one axis.
    pub shapes: Vec<ValueId>,
}

impl Mismatch {
    fn of_output() -> Mismatch {
        Mismatch { message: "non-broadcastable output operand: extent {} against {}".to_string(), shapes: Vec::new() }
    }

    /// Of two shapes, written as NumPy writes them: `{value}` and `{target}` in `words` stand for them.
    pub fn of_shapes(words: &str, value: &[ValueId], target: &[ValueId]) -> Mismatch {
        let message = words.replace("{value}", &shape_text(value.len())).replace("{target}", &shape_text(target.len()));
        Mismatch { message, shapes: [value, target].concat() }
    }
}

impl Lowerer<'_> {
    /// The same of an array that a container holds.
    pub fn augmented_array(&mut self, array: &Value, op: BinaryOp, operand: Value, span: Span, place: Span) {
        if let Some(array) = array.typed() {
            self.in_place(array.value, op, operand, span, place);
        }
    }

    /// `array op= operand`, written into the array's memory.
    pub fn in_place(&mut self, array: ValueId, op: BinaryOp, operand: Value, span: Span, place: Span) {
        if operand.is_poison() || !self.may_write(array, span, READ_ONLY_OUTPUT) {
            return;
        }
        if let Some(source) = self.in_place_result(array, op, operand, span, place) {
            self.write(array, source, span);
        }
    }

    /// What `array op= operand` writes: a scalar, or an array of the array's extents, to be cast. `None` after a report.
    pub fn in_place_result(
        &mut self,
        array: ValueId,
        op: BinaryOp,
        operand: Value,
        span: Span,
        place: Span,
    ) -> Option<ValueId> {
        let operand = self.fit_operand(array, op, operand, place)?;
        let result = self.binary(op, Value::array(array), operand, span, [span, place]);
        let result = result.typed()?;
        let (from, to) = (self.builder.dtype(result.value), self.builder.dtype(array));
        if !can_cast(from, to, Casting::SameKind) {
            let message = format!("the result is `{from}`, which cannot be stored in place in an array of `{to}`");
            let help = format!(
                "make a new array: `x = x {0} y`; or convert the result: `x[...] = (x {0} y).astype(np.{to})`",
                op.symbol()
            );
            self.refuse(code::CAST_REFUSED, span, message, help);
            return None;
        }
        let extents = self.extents(array);
        if self.builder.rank(result.value) > extents.len() {
            self.refuse_growth(extents.len(), self.builder.rank(result.value), place);
            return None;
        }
        if self.builder.is_scalar(result.value) {
            return Some(result.value);
        }
        self.broadcast_into(result.value, &extents, &Mismatch::of_output(), place)
    }

    fn refuse_growth(&mut self, rank: usize, other: usize, span: Span) {
        let message = format!("an array of {rank} axes cannot be changed in place by one of {other}");
        let help = "make a new array: `x = x + y`; or reduce the right side first";
        self.refuse(code::BROADCAST_MISMATCH, span, message, help);
    }

    /// An operand broadcast to the shape of the array that is changed in place: the array itself never grows.
    fn fit_operand(&mut self, array: ValueId, op: BinaryOp, operand: Value, span: Span) -> Option<Value> {
        match operand.typed() {
            Some(Typed { value, family: Family::Array }) if op != BinaryOp::MatMul && self.builder.rank(value) > 0 => {
                let extents = self.extents(array);
                if self.builder.rank(value) > extents.len() {
                    self.refuse_growth(extents.len(), self.builder.rank(value), span);
                    return None;
                }
                self.broadcast_into(value, &extents, &Mismatch::of_output(), span).map(Value::array)
            }
            _ => Some(operand),
        }
    }

    /// A value broadcast to a destination's extents, with NumPy's checks; the destination does not grow. The value has at most as many axes.
    pub fn broadcast_into(
        &mut self,
        value: ValueId,
        extents: &[ValueId],
        mismatch: &Mismatch,
        span: Span,
    ) -> Option<ValueId> {
        let own = self.extents(value);
        let skipped = extents.len() - own.len();
        let one = self.builder.i64(1);
        for (mine, theirs) in own.iter().zip(&extents[skipped..]) {
            if mine == theirs {
                continue;
            }
            if let (Some(a), Some(b)) = (self.builder.as_i64(*mine), self.builder.as_i64(*theirs))
                && a != 1
                && a != b
            {
                let message = format!("an extent of {a} cannot be broadcast to one of {b}");
                self.refuse(code::BROADCAST_MISMATCH, span, message, "extents must be equal, or 1 on the right side");
                return None;
            }
            let equal = self.builder.scalar(ScalarOp::Eq, &[*mine, *theirs]);
            let single = self.builder.scalar(ScalarOp::Eq, &[*mine, one]);
            let fits = self.both(ScalarOp::BitOr, equal, single);
            let shapes = [*mine, *theirs];
            let payload = if mismatch.shapes.is_empty() { &shapes[..] } else { &mismatch.shapes };
            self.check(fits, ErrorKind::Value, &mismatch.message, payload);
        }
        Some(self.builder.broadcast_to(value, extents))
    }

    /// Whether an array may be written; reported if it may not on any path. Where the path decides, the program raises `ValueError` with `raised`.
    pub fn may_write(&mut self, array: ValueId, span: Span, raised: &str) -> bool {
        let is_writable = self.builder.writability(array) != Writability::Never;
        if is_writable {
            self.builder.check_writable(array, raised);
        } else {
            let message =
                "this array is read-only: it is a broadcast, a diagonal, a sliding window, or a constant of the module";
            self.refuse(
                code::WRITE_TO_READ_ONLY,
                span,
                message,
                "write to a copy: `y = np.broadcast_to(x, shape).copy()`, `table = TABLE.copy()`",
            );
        }
        is_writable
    }

    /// Writes an array or host scalar of the destination's extents, or of none, after an unsafe cast.
    pub fn write(&mut self, destination: ValueId, source: ValueId, span: Span) {
        self.builder.set_span(span);
        let dtype = self.builder.dtype(destination);
        let extents = self.extents(destination);
        let source = self.as_array_of(source, dtype, &extents);
        self.builder.assign(destination, source);
    }

    /// A value as an array of a dtype and extents: a broadcast view if nothing has to be computed.
    pub fn as_array_of(&mut self, source: ValueId, dtype: DType, extents: &[ValueId]) -> ValueId {
        let from = self.builder.dtype(source);
        if from == dtype && !self.builder.is_scalar(source) {
            return self.builder.broadcast_to(source, extents);
        }
        let mut body = BodyBuilder::new();
        let input = body.input(0, from);
        let output = body.cast(input, dtype);
        let body = body.finish(vec![output]);
        self.builder.map(extents, &[source], body)[0]
    }
}
