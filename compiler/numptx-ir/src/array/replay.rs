//! Loops on the host whose launches a device may be given as one graph an iteration.

use super::{Op, OpKind, Region};

/// Whether an iteration of a loop starts several kernels and never waits for them: a counted loop without calls of routines and elements that the host
/// reads. The runtime may then hold an iteration's launches back until it ends. What they are may depend on the iteration. Of two ways of which one waits it
/// may go the other: most often the first is the loop in it as it was written, for indices that are out of range.
#[must_use]
pub fn is_replayable(op: &Op) -> bool {
    op.kind == OpKind::For && op.regions.iter().all(goes_on) && op.regions.iter().map(launches).sum::<usize>() > 1
}

fn goes_on(region: &Region) -> bool {
    let may_go_on = |op: &Op| match op.kind {
        OpKind::Call { .. } | OpKind::Item | OpKind::External(_) | OpKind::Object(_) => false,
        OpKind::If if op.regions.iter().any(|way| goes_on(way) && launches(way) > 0) => true,
        _ => op.regions.iter().all(goes_on),
    };
    region.ops.iter().all(may_go_on)
}

/// Launches of a region, where loops in it have two iterations.
fn launches(region: &Region) -> usize {
    let of = |op: &Op| {
        let inside: usize = op.regions.iter().map(launches).sum();
        let times = if matches!(op.kind, OpKind::For | OpKind::While) { 2 } else { 1 };
        usize::from(matches!(op.kind, OpKind::Launch(_))) + inside.saturating_mul(times)
    };
    region.ops.iter().map(of).fold(0, usize::saturating_add)
}
