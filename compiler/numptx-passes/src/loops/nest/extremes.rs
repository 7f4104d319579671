//! Bounds of loops that are the least or the greatest of several integers: `range(max(s, 1), min(s + 16, n - 1))`.
//!
//! In: the first index of a loop and the one where it ends, as functions. Out: functions each of which bounds its index alone. An end that is no such extreme,
//! or the one on the wrong side, is itself.

use std::collections::HashMap;

use crate::loops::dependence::{Affine, Step, Variable};
use crate::loops::nest::translator::Translator;

/// Limit: extremes in extremes that are looked into.
const DEPTH: usize = 4;

impl Translator<'_> {
    /// What no index of a loop is before, beside its first one, and what all lie before.
    pub(crate) fn bounds_of(&self, lower: &Affine, upper: Affine, step: Step) -> [Vec<Affine>; 2] {
        // A loop that falls lies above the greatest of its ends, and so above each; it is not above each of several whose least it ends at.
        let (first, last) = match step {
            Step::Known(n) if n < 0 => (&self.minima, &self.maxima),
            Step::Known(_) | Step::Positive => (&self.maxima, &self.minima),
            Step::Unknown => return [Vec::new(), vec![upper]],
        };
        let lower_of = members(first, lower, DEPTH).unwrap_or_default();
        // To the greater of its first index and another one it runs to that one.
        let mut others = members(first, &upper, 1).unwrap_or_default();
        others.retain(|member| member != lower);
        let end = match others.as_slice() {
            [other] => other.clone(),
            _ => upper,
        };
        let upper = members(last, &end, DEPTH).unwrap_or_else(|| vec![end]);
        [lower_of, upper]
    }
}

/// The functions whose extreme a function is, if it is one, but for what is added to that.
fn members(extremes: &HashMap<Variable, Vec<Affine>>, function: &Affine, depth: usize) -> Option<Vec<Affine>> {
    let is_one = |(variable, factor): &&(Variable, i64)| *factor == 1 && extremes.contains_key(variable);
    let (variable, _) = function.terms().iter().find(is_one).filter(|_| depth > 0)?;
    let of = extremes.get(variable)?;
    let moved = of.iter().map(|member| function.with(*variable, member)).collect::<Option<Vec<_>>>()?;
    let parts = moved.into_iter().map(|member| members(extremes, &member, depth - 1).unwrap_or_else(|| vec![member]));
    Some(parts.flatten().collect())
}
