//! Minimum and maximum of which an iteration changes one at most: `if x < low: low = x`, `elif x > high: high = x`.
//!
//! In: two contests of one value, the second one where the first is lost. Out: whether the second is lost wherever the first is won, so that it may take place
//! in any case. It is so where `low <= high`, or one is nan: a value below `low` is then not above `high`. `low` only falls and `high` only rises, and nan
//! stays, so that it is enough that it is so before the loop, which the caller sees to. Where both are changed by equals it is not: the value may be both.

use numptx_ir::scalar::ScalarOp;

use crate::loops::idioms::recurrences::flow::Contest;
use crate::loops::idioms::recurrences::flow::Flow;
use crate::loops::idioms::recurrences::flow::Known;
use crate::loops::idioms::recurrences::flow::Recurrences;

impl Flow<'_> {
    /// Carried value `k` where a contest is won, else another one.
    pub(crate) fn where_lost(&mut self, first: Contest, k: usize, other: Known) -> Known {
        let second = match other {
            Known::Best(second) if second.carried == k => second,
            Known::Beside(same, second, _) if same == k => second,
            _ => return Known::Opaque,
        };
        if first.carried == second.carried || first.value != second.value || !excludes(first.op, second.op) {
            return Known::Opaque;
        }
        if !self.exclusive.contains(&[first, second]) {
            self.exclusive.push([first, second]);
        }
        other
    }
}

impl Recurrences {
    /// The carried values of exclusive contests, the one that falls first; `None` where one of them changes otherwise.
    pub fn falling_and_rising(&self) -> Option<Vec<[usize; 2]>> {
        let is_extreme = |contest: &Contest| match self.becomes[contest.carried] {
            Known::Best(best) => best.carried == contest.carried && falls(best.op) == falls(contest.op),
            _ => false,
        };
        let pair = |pair: &[Contest; 2]| {
            let [a, b] = pair.map(|contest| contest.carried);
            pair.iter().all(is_extreme).then_some(if falls(pair[0].op) { [a, b] } else { [b, a] })
        };
        self.exclusive.iter().map(pair).collect()
    }
}

/// Whether what wins by a comparison with a carried value is smaller.
fn falls(op: ScalarOp) -> bool {
    matches!(op, ScalarOp::Lt | ScalarOp::Le)
}

fn excludes(first: ScalarOp, second: ScalarOp) -> bool {
    let is_strict = |op| matches!(op, ScalarOp::Lt | ScalarOp::Gt);
    falls(first) != falls(second) && (is_strict(first) || is_strict(second))
}
