//! What is known of host integers when compiling: bounds by constants, and by other values.
//!
//! Loop variables, extents and sums of them with constants are bounded, so that most subscripts need no check and no
//! wrapping, and slices around a loop variable have constant lengths. Nothing here emits code.

use std::collections::BTreeMap;

use numptx_ir::array::{Builder, ValueId};

/// `value + offset`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sum {
    /// The value.
    pub base: ValueId,
    /// The offset.
    pub offset: i64,
}

/// What is known of one integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fact {
    /// At least this.
    pub low: i64,
    /// At most this.
    pub high: i64,
    /// Exactly this sum.
    pub exact: Option<Sum>,
    /// At least this sum.
    pub at_least: Option<Sum>,
    /// At most this sum.
    pub at_most: Option<Sum>,
}

impl Fact {
    /// Nothing.
    pub const ANY: Fact = Fact { low: i64::MIN, high: i64::MAX, exact: None, at_least: None, at_most: None };
    /// An extent. No array has more elements than this, strided over nothing or not.
    pub const EXTENT: Fact = Fact { low: 0, high: 1 << 60, exact: None, at_least: None, at_most: None };

    fn exactly(value: ValueId) -> Sum {
        Sum { base: value, offset: 0 }
    }
}

/// Facts by value.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    known: BTreeMap<ValueId, Fact>,
}

impl Facts {
    /// Notes a fact.
    pub fn set(&mut self, value: ValueId, fact: Fact) {
        self.known.insert(value, fact);
    }

    /// Forgets values that no longer exist.
    pub fn truncate(&mut self, exists: impl Fn(ValueId) -> bool) {
        self.known.retain(|value, _| exists(*value));
    }

    /// What is known of a value.
    pub fn get(&self, builder: &Builder, value: ValueId) -> Fact {
        if let Some(n) = builder.as_i64(value) {
            return Fact { low: n, high: n, exact: None, at_least: None, at_most: None };
        }
        self.known.get(&value).copied().unwrap_or(Fact::ANY)
    }

    /// A lower bound by a value; itself if nothing better is known.
    fn least(&self, builder: &Builder, value: ValueId) -> Sum {
        self.get(builder, value).at_least.unwrap_or(Fact::exactly(value))
    }

    /// An upper bound by a value.
    fn most(&self, builder: &Builder, value: ValueId) -> Sum {
        self.get(builder, value).at_most.unwrap_or(Fact::exactly(value))
    }

    /// Whether `a + offset <= b` holds always.
    pub fn never_exceeds(&self, builder: &Builder, a: ValueId, offset: i64, b: ValueId) -> bool {
        let (high, low) = (self.get(builder, a).high, self.get(builder, b).low);
        if i128::from(high) + i128::from(offset) <= i128::from(low) {
            return true;
        }
        let uppers = [self.exact(builder, a), self.most(builder, a)];
        let lowers = [self.exact(builder, b), self.least(builder, b)];
        let fits =
            |u: &Sum, l: &Sum| u.base == l.base && i128::from(u.offset) + i128::from(offset) <= i128::from(l.offset);
        uppers.iter().any(|u| lowers.iter().any(|l| fits(u, l)))
    }

    /// The value as an exact sum: itself, or what it was added up from.
    pub fn exact(&self, builder: &Builder, value: ValueId) -> Sum {
        self.get(builder, value).exact.unwrap_or(Fact::exactly(value))
    }

    /// `value + offset`, which is known not to overflow.
    pub fn shifted(&self, builder: &Builder, value: ValueId, offset: i64) -> Fact {
        let fact = self.get(builder, value);
        let shift = |sum: Sum| sum.offset.checked_add(offset).map(|offset| Sum { base: sum.base, offset });
        Fact {
            low: fact.low.saturating_add(offset),
            high: fact.high.saturating_add(offset),
            exact: shift(self.exact(builder, value)),
            at_least: shift(self.least(builder, value)),
            at_most: shift(self.most(builder, value)),
        }
    }

    /// The loop variable of `range(lower, upper)` with a positive step.
    pub fn counter(&self, builder: &Builder, lower: ValueId, upper: ValueId) -> Fact {
        let below = self.shifted(builder, upper, -1);
        let (low, high) = (self.get(builder, lower).low, self.get(builder, upper).high.saturating_sub(1));
        Fact {
            low,
            high: high.max(low),
            exact: None,
            at_least: Some(self.least(builder, lower)),
            at_most: below.at_most,
        }
    }

    /// The loop variable of `range(lower, upper)` with a negative step.
    pub fn countdown(&self, builder: &Builder, lower: ValueId, upper: ValueId) -> Fact {
        let above = self.shifted(builder, upper, 1);
        let (low, high) = (self.get(builder, upper).low.saturating_add(1), self.get(builder, lower).high);
        Fact {
            low: low.min(high),
            high,
            exact: None,
            at_least: above.at_least,
            at_most: Some(self.most(builder, lower)),
        }
    }
}
