//! Arithmetic of Python ints: exact within 64 bits, `OverflowError` beyond.
//!
//! Bounds known when compiling prove most checks of index arithmetic away; results are noted with their own bounds.

use numptx_ir::DType;
use numptx_ir::array::{ErrorKind, ValueId};
use numptx_ir::scalar::{Constant, ScalarOp};
use numptx_syntax::ast::BinaryOp;

use crate::lowerer::Lowerer;
use crate::numbers::scalars::INT_OVERFLOW;
use crate::values::facts::Fact;
use crate::values::value::Value;

/// The first float beyond the ints of 64 bits.
pub(crate) const INT_LIMIT: f64 = 9_223_372_036_854_775_808.0;

const NEGATIVE_EXPONENT: &str =
    "an int to the power of a negative int is a float, of an int an int: write `float(a) ** n`";

impl Lowerer<'_> {
    pub fn shift_ints(&mut self, op: BinaryOp, a: ValueId, b: ValueId) -> ValueId {
        if op == BinaryOp::ShiftRight {
            return self.builder.scalar(ScalarOp::ShiftRight, &[a, b]);
        }
        let result = self.builder.scalar(ScalarOp::ShiftLeft, &[a, b]);
        let back = self.builder.scalar(ScalarOp::ShiftRight, &[result, b]);
        let fits = self.builder.scalar(ScalarOp::Eq, &[back, a]);
        self.check(fits, ErrorKind::Overflow, INT_OVERFLOW, &[]);
        result
    }

    /// Notes the bounds of a result that is known to fit in 64 bits, or checks that it fits.
    fn bounded(&mut self, result: ValueId, low: i128, high: i128, fits: impl FnOnce(&mut Self) -> ValueId) {
        let range = i128::from(i64::MIN)..=i128::from(i64::MAX);
        self.check_bounds(low, high, fits);
        if self.builder.as_i64(result).is_none() && self.fact(result) == Fact::ANY {
            let clamp = |n: i128| n.clamp(*range.start(), *range.end()) as i64;
            self.numbers.facts.set(result, Fact { low: clamp(low), high: clamp(high), ..Fact::ANY });
        }
    }

    fn check_bounds(&mut self, low: i128, high: i128, fits: impl FnOnce(&mut Self) -> ValueId) {
        if low < i128::from(i64::MIN) || high > i128::from(i64::MAX) {
            let fits = fits(self);
            self.check(fits, ErrorKind::Overflow, INT_OVERFLOW, &[]);
        }
    }

    pub fn add_ints(&mut self, a: ValueId, b: ValueId) -> ValueId {
        let (a, b) = if self.builder.as_i64(a).is_some() { (b, a) } else { (a, b) };
        let (x, y) = (self.fact(a), self.fact(b));
        let (low, high) = (i128::from(x.low) + i128::from(y.low), i128::from(x.high) + i128::from(y.high));
        if let Some(n) = self.builder.as_i64(b) {
            self.check_bounds(low, high, |s| s.can_shift(a, n));
            return self.shift(a, n);
        }
        let result = self.builder.scalar(ScalarOp::Add, &[a, b]);
        self.bounded(result, low, high, |s| {
            let (x, y) = (s.xor(a, result), s.xor(b, result));
            s.not_negative_and(x, y)
        });
        result
    }

    /// `value + offset` does not overflow, for a constant offset.
    fn can_shift(&mut self, value: ValueId, offset: i64) -> ValueId {
        let (op, limit) =
            if offset >= 0 { (ScalarOp::Le, i64::MAX - offset) } else { (ScalarOp::Ge, i64::MIN - offset) };
        let limit = self.builder.i64(limit);
        self.builder.scalar(op, &[value, limit])
    }

    fn xor(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.builder.scalar(ScalarOp::BitXor, &[a, b])
    }

    /// `(a & b) >= 0`: not both are negative.
    fn not_negative_and(&mut self, a: ValueId, b: ValueId) -> ValueId {
        let zero = self.builder.i64(0);
        let both = self.builder.scalar(ScalarOp::BitAnd, &[a, b]);
        self.builder.scalar(ScalarOp::Ge, &[both, zero])
    }

    pub fn sub_ints(&mut self, a: ValueId, b: ValueId) -> ValueId {
        if let Some(n) = self.builder.as_i64(b).and_then(i64::checked_neg) {
            let n = self.builder.i64(n);
            return self.add_ints(a, n);
        }
        let (x, y) = (self.fact(a), self.fact(b));
        let (low, high) = (i128::from(x.low) - i128::from(y.high), i128::from(x.high) - i128::from(y.low));
        let result = self.builder.scalar(ScalarOp::Sub, &[a, b]);
        self.bounded(result, low, high, |s| {
            let (x, y) = (s.xor(a, b), s.xor(a, result));
            s.not_negative_and(x, y)
        });
        result
    }

    pub fn mul_ints(&mut self, a: ValueId, b: ValueId) -> ValueId {
        let (x, y) = (self.fact(a), self.fact(b));
        let corners = [(x.low, y.low), (x.low, y.high), (x.high, y.low), (x.high, y.high)];
        let products = corners.map(|(p, q)| i128::from(p) * i128::from(q));
        let low = products.iter().copied().fold(i128::MAX, i128::min);
        let high = products.iter().copied().fold(i128::MIN, i128::max);
        let result = self.builder.scalar(ScalarOp::Mul, &[a, b]);
        self.bounded(result, low, high, |s| s.product_fits(a, b, result));
        result
    }

    /// `a == 0 or result // a == b`, and not the one product whose quotient overflows back: `-1 * -2**63`.
    fn product_fits(&mut self, a: ValueId, b: ValueId, result: ValueId) -> ValueId {
        let zero = self.builder.i64(0);
        let quotient = self.builder.scalar(ScalarOp::FloorDiv, &[result, a]);
        let back = self.builder.scalar(ScalarOp::Eq, &[quotient, b]);
        let is_zero = self.builder.scalar(ScalarOp::Eq, &[a, zero]);
        let fits = self.both(ScalarOp::BitOr, is_zero, back);
        let wraps = self.overflows_quotient(b, a);
        let sound = self.not(wraps);
        self.both(ScalarOp::BitAnd, fits, sound)
    }

    /// `a == -2**63 and b == -1`
    fn overflows_quotient(&mut self, a: ValueId, b: ValueId) -> ValueId {
        let (smallest, minus_one) = (self.builder.i64(i64::MIN), self.builder.i64(-1));
        let is_smallest = self.builder.scalar(ScalarOp::Eq, &[a, smallest]);
        let is_minus_one = self.builder.scalar(ScalarOp::Eq, &[b, minus_one]);
        self.both(ScalarOp::BitAnd, is_smallest, is_minus_one)
    }

    pub fn check_quotient(&mut self, a: ValueId, b: ValueId) {
        let (x, y) = (self.fact(a), self.fact(b));
        if x.low > i64::MIN || y.low > -1 || y.high < -1 {
            return;
        }
        let overflows = self.overflows_quotient(a, b);
        let fits = self.not(overflows);
        self.check(fits, ErrorKind::Overflow, INT_OVERFLOW, &[]);
    }

    pub fn note_quotient(&mut self, a: ValueId, b: ValueId, result: ValueId) {
        if let Some(n) = self.builder.as_i64(b).filter(|n| *n > 0)
            && self.builder.as_i64(result).is_none()
        {
            let fact = self.fact(a);
            let (low, high) = (fact.low.div_euclid(n), fact.high.div_euclid(n));
            self.numbers.facts.set(result, Fact { low, high, ..Fact::ANY });
        }
    }

    /// `a ** b` of ints: an int if `b >= 0`; only a constant exponent may be negative, and gives a float. Types are decided when
    /// compiling: what turns out to be negative raises.
    pub fn int_power(&mut self, a: ValueId, b: ValueId) -> Value {
        match self.builder.as_i64(b) {
            Some(n) if n < 0 => {
                let (a, b) = (self.convert(a, DType::F64), self.convert(b, DType::F64));
                Value::python(self.float_power(a, b))
            }
            Some(n) => Value::python(self.power_by_squaring(a, n as u64)),
            None => {
                if self.fact(b).low < 0 {
                    let zero = self.builder.i64(0);
                    let is_int = self.builder.scalar(ScalarOp::Ge, &[b, zero]);
                    self.check(is_int, ErrorKind::Value, NEGATIVE_EXPONENT, &[]);
                }
                Value::python(self.checked_power(a, b))
            }
        }
    }

    fn power_by_squaring(&mut self, base: ValueId, mut exponent: u64) -> ValueId {
        let mut result = self.builder.i64(1);
        let mut square = base;
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = self.mul_ints(result, square);
            }
            exponent >>= 1;
            if exponent > 0 {
                square = self.mul_ints(square, square);
            }
        }
        result
    }

    /// `a ** b` of ints, `b >= 0`; the power of floats tells whether it fits: no power lies so close to the limit that rounding matters.
    fn checked_power(&mut self, a: ValueId, b: ValueId) -> ValueId {
        let (x, y) = (self.convert(a, DType::F64), self.convert(b, DType::F64));
        let estimate = self.builder.scalar(ScalarOp::Pow, &[x, y]);
        let high = self.builder.constant(Constant::Float(INT_LIMIT), DType::F64);
        let low = self.builder.constant(Constant::Float(-INT_LIMIT), DType::F64);
        let below = self.builder.scalar(ScalarOp::Lt, &[estimate, high]);
        let above = self.builder.scalar(ScalarOp::Ge, &[estimate, low]);
        let fits = self.both(ScalarOp::BitAnd, below, above);
        self.check(fits, ErrorKind::Overflow, INT_OVERFLOW, &[]);
        self.builder.scalar(ScalarOp::Pow, &[a, b])
    }

    /// The smaller of two integers.
    pub fn smaller(&mut self, a: ValueId, b: ValueId) -> ValueId {
        if a == b || self.numbers.facts.never_exceeds(&self.builder, a, 0, b) {
            return a;
        }
        if self.numbers.facts.never_exceeds(&self.builder, b, 0, a) {
            return b;
        }
        let result = self.builder.scalar(ScalarOp::Min, &[a, b]);
        let (x, y) = (self.fact(a), self.fact(b));
        let most = self.numbers.facts.shifted(&self.builder, b, 0).at_most;
        let fact = Fact { low: x.low.min(y.low), high: x.high.min(y.high), at_most: most, ..Fact::ANY };
        self.numbers.facts.set(result, fact);
        result
    }

    /// An integer, but at least 0.
    pub fn at_least_zero(&mut self, value: ValueId) -> ValueId {
        let fact = self.fact(value);
        if fact.low >= 0 {
            return value;
        }
        let zero = self.builder.i64(0);
        if fact.high <= 0 {
            return zero;
        }
        let result = self.builder.scalar(ScalarOp::Max, &[value, zero]);
        let at_least = self.numbers.facts.shifted(&self.builder, value, 0).at_least;
        self.numbers.facts.set(result, Fact { low: 0, high: fact.high, at_least, ..Fact::ANY });
        result
    }

    /// `a - b`, its constant part taken out where both start from the same value. May wrap where no array is that long.
    pub fn difference_of(&mut self, a: ValueId, b: ValueId) -> ValueId {
        let (x, y) = (self.numbers.facts.exact(&self.builder, a), self.numbers.facts.exact(&self.builder, b));
        if x.base == y.base {
            return self.builder.i64(x.offset.wrapping_sub(y.offset));
        }
        match self.builder.as_i64(b) {
            Some(n) => self.shift(a, n.wrapping_neg()),
            None => self.builder.scalar(ScalarOp::Sub, &[a, b]),
        }
    }

    /// `value + offset` without a check, sums of sums taken together so that equal ones are one value.
    pub fn shift(&mut self, value: ValueId, offset: i64) -> ValueId {
        if let Some(n) = self.builder.as_i64(value) {
            return self.builder.i64(n.wrapping_add(offset));
        }
        let sum = self.numbers.facts.exact(&self.builder, value);
        let offset_id = self.builder.i64(sum.offset.wrapping_add(offset));
        let result = self.builder.scalar(ScalarOp::Add, &[sum.base, offset_id]);
        if result != value && result != sum.base {
            let fact = self.numbers.facts.shifted(&self.builder, value, offset);
            self.numbers.facts.set(result, fact);
        }
        result
    }
}
