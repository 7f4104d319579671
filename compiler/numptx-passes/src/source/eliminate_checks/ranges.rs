//! Between which numbers a float lies, and whether it may be nan.
//!
//! In: ranges of operands. Out: a range that holds every result, whichever library computes it. Arithmetic is monotone, so that ends give ends; these
//! are moved outwards by more than roundings, contractions and libraries differ.

/// Limit: roundings, contractions and libraries differ by less, relative to a number: ends are moved outwards by this.
const SLACK: f64 = 1e-12;
/// Limit: what is nearer to 0 may as well be 0.
const TINY: f64 = 1e-290;

/// Numbers from one to another, both of which may be infinite; none where `low` is above `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    pub low: f64,
    pub high: f64,
    pub may_be_nan: bool,
}

impl Range {
    pub const ANY: Range = Range { low: f64::NEG_INFINITY, high: f64::INFINITY, may_be_nan: true };
    /// No number.
    const NAN: Range = Range { low: f64::INFINITY, high: f64::NEG_INFINITY, may_be_nan: true };

    pub fn between(low: f64, high: f64) -> Range {
        Range { low, high, may_be_nan: false }
    }

    pub fn point(value: f64) -> Range {
        if value.is_nan() { Range::NAN } else { Range::between(value, value) }
    }

    /// A result from the least to the largest of these, moved outwards.
    fn spanning(ends: &[f64], may_be_nan: bool) -> Range {
        if ends.iter().any(|end| end.is_nan()) {
            return Range::ANY;
        }
        let low = ends.iter().copied().fold(f64::INFINITY, f64::min);
        let high = ends.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Range { low: -outwards(-low), high: outwards(high), may_be_nan }
    }

    fn is_empty(self) -> bool {
        self.low > self.high
    }

    fn has_zero(self) -> bool {
        self.low <= 0.0 && self.high >= 0.0
    }

    fn has_infinity(self) -> bool {
        !self.is_empty() && (self.low == f64::NEG_INFINITY || self.high == f64::INFINITY)
    }

    /// Nan, each infinity, and what is finite, as far as it may be one of them.
    pub fn cases(self) -> Vec<Range> {
        let finite = Range::between(self.low.max(-f64::MAX), self.high.min(f64::MAX));
        let mut cases = vec![finite];
        cases.extend(self.may_be_nan.then_some(Range::NAN));
        cases.extend((self.low == f64::NEG_INFINITY).then_some(Range::point(f64::NEG_INFINITY)));
        cases.extend((self.high == f64::INFINITY).then_some(Range::point(f64::INFINITY)));
        cases.retain(|case| !case.is_empty() || case.may_be_nan);
        cases
    }

    pub fn is_nan(self) -> Option<bool> {
        if self.is_empty() { Some(true) } else { (!self.may_be_nan).then_some(false) }
    }

    pub fn is_infinite(self) -> Option<bool> {
        let is_one = self.low == f64::INFINITY || self.high == f64::NEG_INFINITY;
        match self.has_infinity() {
            false => Some(false),
            true => (is_one && !self.may_be_nan).then_some(true),
        }
    }

    pub fn is_finite(self) -> Option<bool> {
        let is_never = self.low == f64::INFINITY || self.high == f64::NEG_INFINITY;
        match self.has_infinity() {
            _ if is_never => Some(false),
            true => None,
            false => (!self.may_be_nan).then_some(true),
        }
    }

    /// `self < other`
    pub fn is_less(self, other: Range) -> Option<bool> {
        let is_number = !self.may_be_nan && !other.may_be_nan;
        if self.low >= other.high {
            return Some(false);
        }
        (is_number && self.high < other.low).then_some(true)
    }

    /// `self <= other`
    pub fn is_at_most(self, other: Range) -> Option<bool> {
        let is_number = !self.may_be_nan && !other.may_be_nan;
        if self.low > other.high {
            return Some(false);
        }
        (is_number && self.high <= other.low).then_some(true)
    }

    /// `self != other`: nan differs from all.
    pub fn differs(self, other: Range) -> Option<bool> {
        (self.high < other.low || other.high < self.low).then_some(true)
    }

    pub fn negative(self) -> Range {
        Range { low: -self.high, high: -self.low, ..self }
    }

    pub fn plus(self, other: Range) -> Range {
        let may_be_nan = self.may_be_nan || other.may_be_nan;
        if self.is_empty() || other.is_empty() {
            return Range::NAN;
        }
        let is_opposite = |a: Range, b: Range| a.high == f64::INFINITY && b.low == f64::NEG_INFINITY;
        let may_be_nan = may_be_nan || is_opposite(self, other) || is_opposite(other, self);
        Range::spanning(&[self.low + other.low, self.high + other.high], may_be_nan)
    }

    pub fn times(self, other: Range) -> Range {
        if self.is_empty() || other.is_empty() {
            return Range::NAN;
        }
        let vanishes = |a: Range, b: Range| a.has_zero() && b.has_infinity();
        let may_be_nan = self.may_be_nan || other.may_be_nan || vanishes(self, other) || vanishes(other, self);
        // Beside an infinity stand numbers, whose products with 0 are 0.
        let product = |a: f64, b: f64| if a == 0.0 || b == 0.0 { 0.0 } else { a * b };
        let (a, b) = (self, other);
        let ends = [(a.low, b.low), (a.low, b.high), (a.high, b.low), (a.high, b.high)];
        Range::spanning(&ends.map(|(a, b)| product(a, b)), may_be_nan)
    }

    /// `self * self`
    pub fn squared(self) -> Range {
        let square = self.times(self);
        if square.is_empty() {
            return square;
        }
        Range { low: square.low.max(0.0), may_be_nan: self.may_be_nan, ..square }
    }

    pub fn over(self, other: Range) -> Range {
        if self.is_empty() || other.is_empty() {
            return Range::NAN;
        }
        let may_be_nan = self.may_be_nan || other.may_be_nan || (self.has_infinity() && other.has_infinity());
        if other.has_zero() || may_be_nan {
            return Range::ANY;
        }
        let (a, b) = (self, other);
        Range::spanning(&[a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high], false)
    }

    /// `self ** other`, which is monotone in both where no base is negative.
    pub fn to_the(self, other: Range) -> Range {
        let (a, b) = (self, other);
        if a.may_be_nan || b.may_be_nan || a.is_empty() || b.is_empty() || a.low < 0.0 {
            return Range::ANY;
        }
        // A power of -0 may be -inf.
        if a.has_zero() && b.low < 0.0 {
            return Range::ANY;
        }
        let ends = [a.low.powf(b.low), a.low.powf(b.high), a.high.powf(b.low), a.high.powf(b.high)];
        let found = Range::spanning(&ends, false);
        Range { low: found.low.max(0.0), ..found }
    }

    /// The larger one, nan if either is.
    pub fn max(self, other: Range) -> Range {
        if self.is_empty() || other.is_empty() {
            return Range::NAN;
        }
        let may_be_nan = self.may_be_nan || other.may_be_nan;
        Range { low: self.low.max(other.low), high: self.high.max(other.high), may_be_nan }
    }

    /// Either of both.
    pub fn or(self, other: Range) -> Range {
        let may_be_nan = self.may_be_nan || other.may_be_nan;
        Range { low: self.low.min(other.low), high: self.high.max(other.high), may_be_nan }
    }

    pub fn magnitude(self) -> Range {
        let either = self.or(self.negative());
        let low = if self.has_zero() { 0.0 } else { self.low.abs().min(self.high.abs()) };
        if self.is_empty() { self } else { Range { low, ..either } }
    }

    pub fn root(self) -> Range {
        let may_be_nan = self.may_be_nan || self.low < 0.0;
        if self.is_empty() || self.high < 0.0 {
            return Range::NAN;
        }
        let found = Range::spanning(&[self.low.max(0.0).sqrt(), self.high.sqrt()], may_be_nan);
        Range { low: found.low.max(0.0), ..found }
    }

    /// `exp(self)`
    pub fn exponential(self) -> Range {
        if self.is_empty() {
            return self;
        }
        let found = Range::spanning(&[self.low.exp(), self.high.exp()], self.may_be_nan);
        Range { low: found.low.max(0.0), ..found }
    }

    /// A function of finite numbers that lies between -1 and 1.
    pub fn wave(self) -> Range {
        let is_infinite = self.low == self.high && self.has_infinity();
        if self.is_empty() || is_infinite {
            return Range::NAN;
        }
        Range { may_be_nan: self.may_be_nan || self.has_infinity(), ..Range::spanning(&[-1.0, 1.0], false) }
    }

    /// A function of all numbers that lies between these.
    pub fn within(self, low: f64, high: f64) -> Range {
        let found = Range::spanning(&[low, high], self.may_be_nan);
        if self.is_empty() { self } else { found }
    }
}

/// A number above, or this one where it is 0.
fn outwards(end: f64) -> f64 {
    match end {
        f64::NEG_INFINITY => -f64::MAX,
        _ if end > -TINY && end < 0.0 => 0.0,
        _ => end + end.abs() * SLACK,
    }
}
