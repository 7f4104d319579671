//! Whether a sequential loop may go inside parallel ones: a thread an index, and the loop inside each thread.
//!
//! In: an outer loop and loops inside it that share a range of indices, such as the `i` of one sweep after another. Out: whether all accesses to
//! an element are made by the same index, so that no thread needs another's result.
//!
//! Does not compare the ranges: where bounds differ, a thread runs those iterations that have its index.

use std::collections::BTreeSet;

use crate::loops::dependence::Interchange;
use crate::loops::dependence::affine::LoopId;
use crate::loops::dependence::classify::{common_group, conflict};
use crate::loops::dependence::nest::{AccessId, AccessKind, Nest};
use crate::loops::dependence::order::{meet_apart, meet_in};
use crate::loops::dependence::system::Work;

/// May each index of the inner loops become a thread that runs the outer loop, in one iteration of the loops around that?
///
/// What is read in none of the inner loops may be read in every thread, if nothing in the outer loop writes it.
#[must_use]
pub fn interchange(nest: &Nest, outer: LoopId, inner: &[LoopId]) -> Interchange {
    nest.answers().interchange(nest, (outer, inner), || find_interchange(nest, outer, inner))
}

fn find_interchange(nest: &Nest, outer: LoopId, inner: &[LoopId]) -> Interchange {
    let mut work = Work::of(nest);
    if let Some(&stray) = inner.iter().find(|&&l| l == outer || !nest.chain(Some(l)).contains(&outer)) {
        return Interchange::NotInside(stray);
    }
    let accesses = nest.accesses_within(outer);
    let thread = |access: AccessId| inner.iter().copied().find(|&l| nest.is_within(access, l));
    let stray = |a: &&AccessId| nest.access(**a).kind == AccessKind::Write && thread(**a).is_none();
    if let Some(&write) = accesses.iter().find(stray) {
        return Interchange::Outside(write);
    }
    let mut groups = BTreeSet::new();
    for (n, &first) in accesses.iter().enumerate() {
        for &second in accesses[n..].iter().filter(|&&second| conflict(nest, first, second).is_some()) {
            let crosses = match (thread(first), thread(second)) {
                (Some(a), Some(b)) => meet_apart(nest, (first, a), (second, b), outer, &mut work),
                _ => meet_in(nest, first, second, outer, &mut work),
            };
            match (crosses, common_group(nest, first, second)) {
                (false, _) => {}
                (true, Some(group)) => _ = groups.insert(group),
                (true, None) => return Interchange::Crosses(first, second),
            }
        }
    }
    Interchange::Aligned(groups.into_iter().collect())
}
