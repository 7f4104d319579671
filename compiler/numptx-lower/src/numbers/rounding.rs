//! `round(x, digits)`: the decimal number that is nearest to a float, halves to even, as a float.
//!
//! Python writes the float out and reads it back. The same number comes of `x * 10**digits`, whose rounding error is known exactly (Dekker, *A
//! floating-point technique for extending the available precision*, 1971), rounded to an int, and divided by the power, which is exact up to 22 digits.
//! NumPy's scalars are rounded as `np.round` does.

use numptx_ir::DType;
use numptx_ir::array::ValueId;
use numptx_ir::functions::Family;
use numptx_ir::scalar::{Constant, ScalarOp};
use numptx_source::code;

use crate::lowerer::Lowerer;
use crate::values::call::Call;
use crate::values::value::Value;

/// The largest power of ten that is a float.
const MAX_DIGITS: i64 = 22;
/// From here on products with a power of ten are ints.
const ALL_DIGITS: f64 = 9_007_199_254_740_992.0;
/// Splits a float into two halves of its digits.
const SPLITTER: f64 = 134_217_729.0;

impl Lowerer<'_> {
    /// `round(value, digits)`
    pub fn round_to(&mut self, value: &Value, digits: &Value, call: &Call) -> Value {
        let Some(typed) = value.typed().filter(|t| self.builder.rank(t.value) == 0) else {
            return self.refuse(code::BAD_ARGUMENT, call.span, "`round` takes one number", "write `np.round(x, 2)`");
        };
        if typed.family != Family::Python {
            return self.call_on("numpy.round", &[value.clone(), digits.clone()], call.span, &call.places);
        }
        let known = self.int_of(digits).filter(|n| (0..=MAX_DIGITS).contains(n));
        match (self.builder.dtype(typed.value), known) {
            (DType::F64, Some(digits)) => Value::python(self.rounded(typed.value, digits)),
            (DType::I64 | DType::Bool, Some(_)) => Value::python(self.convert(typed.value, DType::I64)),
            _ => {
                let message = "`round` takes real numbers, and digits from 0 to 22 that are known when compiling";
                self.refuse(code::BAD_ARGUMENT, call.span, message, "write `round(x, 2)`, or `np.round(x, digits)`")
            }
        }
    }

    fn rounded(&mut self, x: ValueId, digits: i64) -> ValueId {
        let power = 10f64.powi(digits as i32);
        let scale = self.float(power);
        let product = self.builder.scalar(ScalarOp::Mul, &[x, scale]);
        let error = self.error_of_product(x, power, product);
        let (half, minus_half, zero, one) = (self.float(0.5), self.float(-0.5), self.float(0.0), self.float(1.0));
        let floor = self.builder.scalar(ScalarOp::Floor, &[product]);
        let fraction = self.builder.scalar(ScalarOp::Sub, &[product, floor]);
        let halved = self.builder.scalar(ScalarOp::Mul, &[floor, half]);
        let even = self.builder.scalar(ScalarOp::Floor, &[halved]);
        let odd = self.builder.scalar(ScalarOp::Ne, &[halved, even]);
        // Above a half, or at it where the error is positive, or a tie of an odd number.
        let above = self.builder.scalar(ScalarOp::Lt, &[half, fraction]);
        let at = self.builder.scalar(ScalarOp::Eq, &[fraction, half]);
        let more = self.builder.scalar(ScalarOp::Lt, &[zero, error]);
        let exact = self.builder.scalar(ScalarOp::Eq, &[error, zero]);
        let tie = self.both(ScalarOp::BitAnd, exact, odd);
        let beyond = self.both(ScalarOp::BitOr, more, tie);
        let at_or_beyond = self.both(ScalarOp::BitAnd, at, beyond);
        let is_half = self.builder.scalar(ScalarOp::Eq, &[error, half]);
        let large_tie = self.both(ScalarOp::BitAnd, is_half, odd);
        let up = self.both(ScalarOp::BitOr, above, at_or_beyond);
        let up = self.both(ScalarOp::BitOr, up, large_tie);
        let is_minus_half = self.builder.scalar(ScalarOp::Eq, &[error, minus_half]);
        let down = self.both(ScalarOp::BitAnd, is_minus_half, odd);
        let (next, last) =
            (self.builder.scalar(ScalarOp::Add, &[floor, one]), self.builder.scalar(ScalarOp::Sub, &[floor, one]));
        let whole = self.builder.scalar(ScalarOp::Select, &[down, last, floor]);
        let whole = self.builder.scalar(ScalarOp::Select, &[up, next, whole]);
        let result = self.builder.scalar(ScalarOp::Div, &[whole, scale]);
        let result = self.builder.scalar(ScalarOp::CopySign, &[result, x]);
        let size = self.builder.scalar(ScalarOp::Abs, &[product]);
        let limit = self.float(ALL_DIGITS);
        let has_digits = self.builder.scalar(ScalarOp::Lt, &[size, limit]);
        self.builder.scalar(ScalarOp::Select, &[has_digits, result, x])
    }

    /// What `product` lacks of `x * power`.
    fn error_of_product(&mut self, x: ValueId, power: f64, product: ValueId) -> ValueId {
        let splitter = self.float(SPLITTER);
        let spread = self.builder.scalar(ScalarOp::Mul, &[x, splitter]);
        let rest = self.builder.scalar(ScalarOp::Sub, &[spread, x]);
        let high = self.builder.scalar(ScalarOp::Sub, &[spread, rest]);
        let low = self.builder.scalar(ScalarOp::Sub, &[x, high]);
        let power_high = SPLITTER * power - (SPLITTER * power - power);
        let (top, bottom) = (self.float(power_high), self.float(power - power_high));
        let mut error = self.builder.scalar(ScalarOp::Mul, &[high, top]);
        error = self.builder.scalar(ScalarOp::Sub, &[error, product]);
        for (a, b) in [(high, bottom), (low, top), (low, bottom)] {
            let part = self.builder.scalar(ScalarOp::Mul, &[a, b]);
            error = self.builder.scalar(ScalarOp::Add, &[error, part]);
        }
        error
    }

    fn float(&mut self, x: f64) -> ValueId {
        self.builder.constant(Constant::Float(x), DType::F64)
    }
}
