//! What is certain of the checks of flattened indices, once their digits lie in their ranges and what they are computed from is small.
//!
//! In: the condition of a check. Out: whether it holds, and what it follows from: that some ints are small, so that sums and products of them do not overflow,
//! and that some indices have digits. These are at least 0 and below the extent of the axis that they are of.

use std::collections::HashMap;

use numptx_ir::array::ValueId;
use numptx_ir::scalar::ScalarOp;

use crate::loops::canonical::flattened::{Axis, FAR, Flat};
use crate::loops::canonical::polynomials::Made;
use crate::loops::nest::indexed::plain_index;

/// Limit: a product of an int in a digit and what that stands for is smaller: an axis and a few rows.
const LARGEST_PRODUCT: u128 = 1 << 52;
/// Limit: sums and products of small ints are at most as far from 0.
const FARTHEST: i64 = 1 << 62;

/// Something that a condition follows from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// An int is not far from 0.
    Small(ValueId),
    /// Products of an int in a digit of an axis, counted from the one left of the rightmost, with what it stands for, are not far from the axis.
    Product(Axis, usize, Option<ValueId>),
    /// An index has digits.
    Digits(Axis, ValueId),
}

/// What is known of the ints of a loop.
pub(crate) struct Truths<'t> {
    pub made: &'t Made,
    pub flat: &'t HashMap<Axis, Flat>,
}

impl Truths<'_> {
    /// Whether a condition holds; `needs`: given what.
    pub(crate) fn holds(&self, condition: ValueId, needs: &mut Vec<Need>) -> bool {
        let Some((op, operands)) = self.made.by(condition) else { return false };
        match (op, operands) {
            (ScalarOp::BitAnd, [a, b]) => self.holds(*a, needs) && self.holds(*b, needs),
            (ScalarOp::BitOr, [a, b]) => {
                self.is_exact([*a, *b], needs)
                    || self.is_exact([*b, *a], needs)
                    || self.holds(*a, needs)
                    || self.holds(*b, needs)
            }
            (ScalarOp::BitNot, [a]) => self.fails(*a, needs),
            (ScalarOp::Lt, [a, b]) => self.is_below(*a, *b, needs),
            (ScalarOp::Le, [a, b]) => match (self.number(*a), self.number(*b)) {
                (Some(0), None) => self.is_index(*b, needs),
                (None, Some(n)) => n >= FARTHEST && self.is_near(*a, needs),
                _ => false,
            },
            (ScalarOp::Ge, [a, b]) => match self.number(*b) {
                Some(0) => self.is_sum(*a, needs),
                Some(n) => n <= -FARTHEST && self.is_near(*a, needs),
                None => false,
            },
            (ScalarOp::Eq, [quotient, b]) => {
                let divisor = self.divisor(*quotient, *b, needs);
                divisor.and_then(|by| self.number(by)).is_some_and(|by| by != 0)
            }
            _ => false,
        }
    }

    /// Whether a condition fails.
    fn fails(&self, condition: ValueId, needs: &mut Vec<Need>) -> bool {
        match self.made.by(condition) {
            Some((ScalarOp::BitAnd, [a, b])) => self.fails(*a, needs) || self.fails(*b, needs),
            Some((ScalarOp::BitOr, [a, b])) => self.fails(*a, needs) && self.fails(*b, needs),
            Some((ScalarOp::Eq, [a, b])) => {
                let is_far = |n: i64| n.unsigned_abs() > FARTHEST.unsigned_abs();
                match (self.number(*a), self.number(*b)) {
                    (None, Some(n)) => is_far(n) && self.is_near(*a, needs),
                    (Some(n), None) => is_far(n) && self.is_near(*b, needs),
                    _ => false,
                }
            }
            _ => false,
        }
    }

    fn number(&self, value: ValueId) -> Option<i64> {
        self.made.numbers.get(&value).copied()
    }

    /// Whether nothing overflows where an int is computed.
    fn is_near(&self, value: ValueId, needs: &mut Vec<Need>) -> bool {
        let mut found = Vec::new();
        let size = |(factors, number): (Vec<ValueId>, u64)| {
            let (size, need) = self.size(&factors, number)?;
            found.extend(need);
            Some(size)
        };
        let sizes = self.made.products(value).and_then(|of| of.into_iter().map(size).collect::<Option<Vec<u128>>>());
        let is_near = sizes.is_some_and(|sizes| sizes.iter().sum::<u128>() <= FARTHEST.unsigned_abs().into());
        if is_near {
            needs.append(&mut found);
        }
        is_near
    }

    /// How far a product is from 0 at most, given what.
    fn size(&self, factors: &[ValueId], number: u64) -> Option<(u128, Option<Need>)> {
        match factors {
            [] => Some((number.into(), None)),
            [value] => Some((u128::from(number) * u128::from(FAR.unsigned_abs()), Some(Need::Small(*value)))),
            _ => {
                let mut axes: Vec<&Axis> = self.flat.keys().collect();
                axes.sort_unstable();
                let of = |axis: &Axis| Some((*axis, self.flat.get(axis)?.digit_of(factors)?));
                let (axis, (digit, value, by)) = axes.into_iter().find_map(of)?;
                let n = u128::from(number.div_ceil(by.unsigned_abs()));
                Some((n * LARGEST_PRODUCT, Some(Need::Product(axis, digit, value))))
            }
        }
    }

    /// By what `(a * b) // a` is divided, which is to be compared with `b`; the product does not overflow.
    fn divisor(&self, quotient: ValueId, other: ValueId, needs: &mut Vec<Need>) -> Option<ValueId> {
        let Some((ScalarOp::FloorDiv, [product, by])) = self.made.by(quotient) else { return None };
        let Some((ScalarOp::Mul, [a, b])) = self.made.by(*product) else { return None };
        let is_product = [*a, *b] == [*by, other] || [*b, *a] == [*by, other];
        (is_product && self.is_near(*product, needs)).then_some(*by)
    }

    /// Whether one of these says that `(a * b) // a == b`, and the other one that a is 0.
    fn is_exact(&self, [quotient, zero]: [ValueId; 2], needs: &mut Vec<Need>) -> bool {
        let Some((ScalarOp::Eq, [q, b])) = self.made.by(quotient) else { return false };
        let Some((ScalarOp::Eq, [a, n])) = self.made.by(zero) else { return false };
        let divisor = self.divisor(*q, *b, needs).or_else(|| self.divisor(*b, *q, needs));
        let is_zero = |a: &ValueId, n: &ValueId| divisor == Some(*a) && self.number(*n) == Some(0);
        is_zero(a, n) || is_zero(n, a)
    }

    /// Whether this is `(a ^ c) & (b ^ c)` of a sum c, or `(a ^ b) & (a ^ c)` of a difference, which does not overflow: then it is not negative.
    fn is_sum(&self, both: ValueId, needs: &mut Vec<Need>) -> bool {
        let Some((ScalarOp::BitAnd, [x, y])) = self.made.by(both) else { return false };
        let signs = |v: &ValueId| match self.made.by(*v) {
            Some((ScalarOp::BitXor, [a, b])) => Some([*a, *b]),
            _ => None,
        };
        let (Some(x), Some(y)) = (signs(x), signs(y)) else { return false };
        let is_pair = |pair: [ValueId; 2], a: ValueId, b: ValueId| pair == [a, b] || pair == [b, a];
        let result = x.into_iter().chain(y).find(|result| match self.made.by(*result) {
            Some((ScalarOp::Add, [a, b])) => {
                (is_pair(x, *a, *result) && is_pair(y, *b, *result))
                    || (is_pair(x, *b, *result) && is_pair(y, *a, *result))
            }
            Some((ScalarOp::Sub, [a, b])) => {
                (is_pair(x, *a, *b) && is_pair(y, *a, *result)) || (is_pair(y, *a, *b) && is_pair(x, *a, *result))
            }
            _ => false,
        });
        result.is_some_and(|result| self.is_near(result, needs))
    }

    /// Whether an index has digits, so that it is not negative.
    fn is_index(&self, index: ValueId, needs: &mut Vec<Need>) -> bool {
        let plain = plain_index(self.made, index);
        let mut axes: Vec<Axis> = self.flat.iter().filter(|(_, flat)| flat.has(plain)).map(|(axis, _)| *axis).collect();
        axes.sort_unstable();
        needs.extend(axes.first().map(|axis| Need::Digits(*axis, plain)));
        !axes.is_empty()
    }

    /// Whether an index has digits along an axis of this extent.
    fn is_below(&self, index: ValueId, extent: ValueId, needs: &mut Vec<Need>) -> bool {
        let plain = plain_index(self.made, index);
        let is_of = |(_, flat): &(&Axis, &Flat)| flat.extent == extent && flat.has(plain);
        let mut axes: Vec<Axis> = self.flat.iter().filter(is_of).map(|(axis, _)| *axis).collect();
        axes.sort_unstable();
        needs.extend(axes.first().map(|axis| Need::Digits(*axis, plain)));
        !axes.is_empty()
    }
}
