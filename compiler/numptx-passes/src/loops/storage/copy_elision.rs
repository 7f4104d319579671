//! Rows that stores of a launch read where they are, though they may overlap what is written.
//!
//! In: a loop with stores that copy a row first where it turns out to overlap, as `a[i] -= f * a[k]`. Out: the loop with stores that read the row itself, as
//! far as threads share the elements of these nevertheless. A copy would be memory that all iterations of the loop around share: none of them could
//! run beside another one. A first try takes all rows in place; those that kept its threads from their elements are copied in the next one.

use std::collections::HashSet;

use numptx_ir::array::{Op, ValueId};
use numptx_source::Span;

use crate::loops::dependence::{Class, LoopId, classify};
use crate::loops::form_nests::overlaps_among;
use crate::loops::function::FormNests;
use crate::loops::nest::program::Translation;
use crate::loops::nest::rows::originals::Originals;
use crate::loops::schedule::cooperative::one_launch::OneLaunch;
use crate::loops::storage::snapshots::take_snapshots;

/// Which stores read rows in place, by where they are written.
#[derive(Debug, Default)]
pub struct ElidedCopies {
    /// Those that copy them.
    copied: HashSet<Span>,
    /// Those that do not; of a try that failed those to blame for it, if that is known.
    taken: HashSet<Span>,
}

impl FormNests<'_> {
    /// Tries to make a launch, until no more rows have to be copied for it.
    pub fn with_elided_copies(
        &mut self,
        mut attempt: impl FnMut(&mut FormNests, &mut ElidedCopies) -> Option<OneLaunch>,
    ) -> Option<OneLaunch> {
        let mut rows = ElidedCopies::default();
        loop {
            let launch = self.tried(|pass| attempt(pass, &mut rows));
            if launch.value.is_some() || rows.taken.is_empty() {
                return self.keep(launch);
            }
            rows.copied.extend(rows.taken.drain());
        }
    }

    /// Lets stores in an op read rows where they are.
    pub fn elide_copies(&mut self, op: &mut Op, rows: &mut ElidedCopies) {
        let overlaps = overlaps_among(&[], op);
        if !overlaps.is_empty() {
            self.take_in_regions(op, &overlaps, rows);
            self.follow_views(&[], op);
        }
    }

    fn take_in_regions(&mut self, op: &mut Op, overlaps: &HashSet<ValueId>, rows: &mut ElidedCopies) {
        for region in &mut op.regions {
            let taken = take_snapshots(self.function, overlaps, &rows.copied, &mut region.ops);
            rows.taken.extend(taken.keys().map(|at| region.ops[*at].span));
            region.ops.iter_mut().for_each(|nested| self.take_in_regions(nested, overlaps, rows));
        }
    }
}

impl ElidedCopies {
    /// `None` where threads do not share the elements of all stores that read rows in place: those are to blame.
    pub fn are_shared(&mut self, whole: &Translation, originals: &Originals) -> Option<()> {
        let mut blamed = HashSet::new();
        for (outermost, original) in originals {
            let Some(span) = original.last().map(|op| op.span).filter(|span| self.taken.contains(span)) else {
                continue;
            };
            let Some(outermost) = whole.loops.get(outermost) else { continue };
            let is_its = |id: &LoopId| whole.nest.chain(Some(*id)).contains(outermost);
            if whole.nest.loop_ids().filter(is_its).any(|id| classify(&whole.nest, id) != Class::Parallel) {
                blamed.insert(span);
            }
        }
        if blamed.is_empty() {
            return Some(());
        }
        self.taken = blamed;
        None
    }
}
