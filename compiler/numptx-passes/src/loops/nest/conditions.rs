//! Conditions as inequalities.
//!
//! In: comparisons of affine functions, and logic on them. Out: functions that are at least 0 where the condition holds, or where it fails.

use numptx_ir::scalar::ScalarOp;

use crate::loops::assumptions::guards::is_small;
use crate::loops::dependence::Affine;

/// What follows from a condition's truth value.
#[derive(Clone, Debug, Default)]
pub struct Condition {
    /// If it holds, all of these are at least 0.
    pub holds: Vec<Affine>,
    /// If it holds, none of these is 0.
    pub distinct: Vec<Affine>,
    /// Whether it holds if they are.
    pub is_exact: bool,
    /// If it fails, all of these are at least 0.
    pub fails: Vec<Affine>,
    /// If it fails, none of these is 0.
    pub fails_distinct: Vec<Affine>,
    /// It holds if all of these are at least 0.
    pub enough: Option<Vec<Affine>>,
}

impl Condition {
    /// A comparison of two integers; `None` where arithmetic may overflow or the operation is no comparison.
    pub fn compare(op: ScalarOp, a: &Affine, b: &Affine) -> Option<Self> {
        if !is_small(a) || !is_small(b) {
            return None;
        }
        // a ≥ b, and a > b.
        let at_least = |a: &Affine, b: &Affine| a.minus(b);
        let above = |a: &Affine, b: &Affine| a.minus(b)?.plus_constant(-1);
        let (holds, fails) = match op {
            ScalarOp::Lt => (vec![above(b, a)?], vec![at_least(a, b)?]),
            ScalarOp::Le => (vec![at_least(b, a)?], vec![above(a, b)?]),
            ScalarOp::Gt => (vec![above(a, b)?], vec![at_least(b, a)?]),
            ScalarOp::Ge => (vec![at_least(a, b)?], vec![above(b, a)?]),
            ScalarOp::Eq => (vec![at_least(a, b)?, at_least(b, a)?], Vec::new()),
            ScalarOp::Ne => (Vec::new(), vec![at_least(a, b)?, at_least(b, a)?]),
            _ => return None,
        };
        let difference = |of: ScalarOp| if op == of { Some(vec![a.minus(b)?]) } else { Some(Vec::new()) };
        let (distinct, fails_distinct) = (difference(ScalarOp::Ne)?, difference(ScalarOp::Eq)?);
        let is_exact = op != ScalarOp::Ne;
        // Of numbers that are to differ, as an extent and 0 are, the first one is the larger one.
        let enough = if is_exact { holds.clone() } else { vec![above(a, b)?] };
        let enough = Some(enough);
        Some(Condition { holds, distinct, is_exact, fails, fails_distinct, enough })
    }

    /// It holds always.
    pub fn certain() -> Self {
        Condition { is_exact: true, enough: Some(Vec::new()), ..Condition::default() }
    }

    /// That the arithmetic which is tested by these signs did not overflow. It never does where factors are small: see [`crate::loops::assumptions::guards`].
    pub fn no_overflow(signs: &[[Affine; 2]]) -> Option<Self> {
        let [[a, b], [c, d]] = signs else { return None };
        let is_sum = b == d && a.plus(c).as_ref() == Some(b);
        let is_difference = a == c && (a.minus(b).as_ref() == Some(d) || a.minus(d).as_ref() == Some(b));
        let are_small = [a, b, c, d].into_iter().all(is_small);
        (are_small && (is_sum || is_difference)).then(Condition::certain)
    }

    /// Both hold.
    pub fn and(a: Option<&Self>, b: Option<&Self>) -> Option<Self> {
        let is_exact = a.is_some_and(|c| c.is_exact) && b.is_some_and(|c| c.is_exact);
        let holds: Vec<Affine> = [a, b].into_iter().flatten().flat_map(|c| c.holds.clone()).collect();
        let distinct: Vec<Affine> = [a, b].into_iter().flatten().flat_map(|c| c.distinct.clone()).collect();
        let both = a.and_then(|c| c.enough.clone()).zip(b.and_then(|c| c.enough.clone()));
        let enough = both.filter(|_| !holds.is_empty()).map(|(a, b)| [a, b].concat());
        let is_known = !holds.is_empty() || !distinct.is_empty();
        is_known.then_some(Condition { holds, distinct, is_exact, enough, ..Condition::default() })
    }

    /// Either holds. Of two that would be enough it is the first one: extents that are equal, before one of them that is 1. If one alone could be asked
    /// for, the other is what holds most of the time: a product that is in range, beside a factor that is 0.
    pub fn or(a: Option<&Self>, b: Option<&Self>) -> Option<Self> {
        let fails: Vec<Affine> = [a, b].into_iter().flatten().flat_map(|c| c.fails.clone()).collect();
        let fails_distinct: Vec<Affine> = [a, b].into_iter().flatten().flat_map(|c| c.fails_distinct.clone()).collect();
        let enough = a.and_then(|c| c.enough.clone()).filter(|_| b.is_some_and(|c| c.enough.is_some()));
        let is_known = !fails.is_empty() || !fails_distinct.is_empty() || enough.is_some();
        is_known.then_some(Condition { fails, fails_distinct, enough, ..Condition::default() })
    }

    /// It does not hold.
    pub fn not(self) -> Self {
        Condition {
            holds: self.fails,
            distinct: self.fails_distinct,
            fails: self.holds,
            fails_distinct: self.distinct,
            ..Condition::default()
        }
    }
}
