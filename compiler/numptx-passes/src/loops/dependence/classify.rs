//! How the iterations of a loop may run.
//!
//! In: a nest. Out: for each loop a class, with the evidence where it is sequential: two accesses and their distance. What runs where is not its
//! business.

use std::collections::{BTreeMap, BTreeSet};

use crate::loops::dependence::Class;
use crate::loops::dependence::affine::LoopId;
use crate::loops::dependence::found::{Dependence, DependenceKind};
use crate::loops::dependence::nest::{Access, AccessId, AccessKind, ArrayId, Nest, ReductionGroup};
use crate::loops::dependence::order::{Meeting, carried, within};
use crate::loops::dependence::system::Work;

/// The class of every loop, outer loops before inner ones.
#[must_use]
pub fn parallel_loops(nest: &Nest) -> Vec<(LoopId, Class)> {
    nest.loop_ids().map(|l| (l, classify(nest, l))).collect()
}

/// The class of one loop.
#[must_use]
pub fn classify(nest: &Nest, of: LoopId) -> Class {
    nest.answers().class(nest, of, || find_class(nest, of))
}

fn find_class(nest: &Nest, of: LoopId) -> Class {
    let mut work = Work::of(nest);
    let (grouped, free): (Vec<_>, Vec<_>) =
        dependences_within(nest, of, &mut work).into_iter().partition(|d| d.group.is_some());
    let (anti, preventing): (Vec<_>, Vec<_>) = free.into_iter().partition(|d| d.kind == DependenceKind::Anti);
    if let Some(worst) = worst(nest, of, preventing, &mut work) {
        return Class::Sequential(worst);
    }
    let mut snapshots: BTreeSet<AccessId> = anti.iter().map(|d| d.source).collect();
    snapshots.retain(|&read| may_look_back(nest, read, of, &mut work));
    let preventing = anti.into_iter().filter(|d| !snapshots.contains(&d.source)).collect();
    if let Some(worst) = worst(nest, of, preventing, &mut work) {
        return Class::Sequential(worst);
    }
    let groups: BTreeSet<ReductionGroup> = grouped.iter().filter_map(|d| d.group).collect();
    let snapshots: Vec<AccessId> = snapshots.into_iter().collect();
    match (groups.is_empty(), snapshots.is_empty()) {
        (false, _) => Class::Reduction { groups: groups.into_iter().collect(), snapshots },
        (true, false) => Class::ParallelWithSnapshot(snapshots),
        (true, true) => Class::Parallel,
    }
}

/// Whether a loop may have more than one iteration, for all that is known.
pub fn may_repeat(nest: &Nest, of: LoopId) -> bool {
    let mut nest = nest.clone();
    let always = nest.add_access(Access {
        array: ArrayId(u32::MAX),
        kind: AccessKind::Write,
        subscripts: Vec::new(),
        within: Some(of),
        position: u32::MAX,
        guards: Vec::new(),
        distinct: Vec::new(),
        group: None,
    });
    carried(&nest, always, always, of, &mut Work::of(&nest)).is_some()
}

/// What a report shows of several dependences: a flow if there is one, and rather into a read of what its own iteration does not write first.
fn worst(nest: &Nest, of: LoopId, preventing: Vec<Dependence>, work: &mut Work) -> Option<Dependence> {
    let mut covered: BTreeMap<AccessId, bool> = BTreeMap::new();
    preventing.into_iter().min_by_key(|d| {
        let hidden = || d.kind == DependenceKind::Flow && is_written_before(nest, d.sink, of, work);
        let covered = *covered.entry(d.sink).or_insert_with(hidden);
        (d.kind, covered, d.distance.is_none(), d.least, d.source, d.sink)
    })
}

/// All dependences that a loop carries, by source and sink, those inside accumulations too.
#[must_use]
pub fn dependences(nest: &Nest, of: LoopId) -> Vec<Dependence> {
    nest.answers().dependences(nest, of, || dependences_within(nest, of, &mut Work::of(nest)))
}

fn dependences_within(nest: &Nest, of: LoopId, work: &mut Work) -> Vec<Dependence> {
    let accesses = nest.accesses_within(of);
    let mut found = Vec::new();
    for &source in &accesses {
        for &sink in &accesses {
            let Some(kind) = conflict(nest, source, sink) else { continue };
            if let Some(Meeting { distance, least }) = carried(nest, source, sink, of, work) {
                let group = common_group(nest, source, sink);
                found.push(Dependence { source, sink, kind, distance, least, group });
            }
        }
    }
    found
}

/// What a dependence between two accesses would be; `None` if they are of different arrays, or only read.
pub(crate) fn conflict(nest: &Nest, source: AccessId, sink: AccessId) -> Option<DependenceKind> {
    let (a, b) = (nest.access(source), nest.access(sink));
    match (a.kind, b.kind) {
        _ if a.array != b.array => None,
        (AccessKind::Read, AccessKind::Read) => None,
        (AccessKind::Write, AccessKind::Read) => Some(DependenceKind::Flow),
        (AccessKind::Write, AccessKind::Write) => Some(DependenceKind::Output),
        (AccessKind::Read, AccessKind::Write) => Some(DependenceKind::Anti),
    }
}

/// The accumulation that both are part of.
pub(crate) fn common_group(nest: &Nest, source: AccessId, sink: AccessId) -> Option<ReductionGroup> {
    nest.access(source).group.filter(|_| nest.access(source).group == nest.access(sink).group)
}

/// Whether a read may look at what was there before the loop: nothing that its own iteration wrote before, and it is not part of an accumulation.
/// That no earlier iteration wrote it is for the caller to know.
fn may_look_back(nest: &Nest, read: AccessId, of: LoopId, work: &mut Work) -> bool {
    nest.access(read).group.is_none() && !is_written_before(nest, read, of, work)
}

/// Whether a read sees, in every iteration of a loop, what was there before the loop.
#[must_use]
pub fn is_unwritten_before(nest: &Nest, read: AccessId, of: LoopId) -> bool {
    let mut work = Work::of(nest);
    let is_flow = |w: AccessId| conflict(nest, w, read) == Some(DependenceKind::Flow);
    let mut writes = nest.accesses_within(of).into_iter().filter(|w| is_flow(*w));
    may_look_back(nest, read, of, &mut work) && writes.all(|w| carried(nest, w, read, of, &mut work).is_none())
}

/// Whether an iteration may read what it has written itself.
fn is_written_before(nest: &Nest, read: AccessId, of: LoopId, work: &mut Work) -> bool {
    let writes = |&w: &AccessId| nest.is_within(w, of) && conflict(nest, w, read) == Some(DependenceKind::Flow);
    nest.access_ids().filter(writes).any(|w| within(nest, w, read, of, work))
}
