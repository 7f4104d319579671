//! Which of two accesses to one element comes first, and by how many iterations: dependences that a loop carries, and those inside an iteration.
//!
//! In: a nest, two accesses, a loop around both. Out: whether the second may touch what the first touched, later; sound, not exact.

use crate::loops::dependence::affine::LoopId;
use crate::loops::dependence::found::{Bounds, Solutions};
use crate::loops::dependence::instances::{Instances, Side};
use crate::loops::dependence::nest::{AccessId, AccessKind, Nest, Step};
use crate::loops::dependence::system::{Row, Work};

/// That an element may be touched again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Meeting {
    /// How many iterations later, if that is always the same number.
    pub(crate) distance: Option<i64>,
    /// How many iterations later at least.
    pub(crate) least: i64,
}

/// The loops around both, from the outside in.
pub(crate) fn common_loops(nest: &Nest, first: AccessId, second: AccessId) -> Vec<LoopId> {
    let chains = [first, second].map(|a| nest.chain(nest.access(a).within));
    chains[0].iter().zip(&chains[1]).take_while(|(a, b)| a == b).map(|(a, _)| *a).collect()
}

/// The system of two accesses; `None` if numbers overflow or the work is used up.
fn meeting<'n>(
    nest: &'n Nest,
    first: AccessId,
    second: AccessId,
    same: &[LoopId],
    work: &mut Work,
) -> Option<Instances<'n>> {
    if work.is_spent() { None } else { Instances::meeting(nest, [first, second].map(|a| nest.access(a)), same, work) }
}

/// May `second`, in a later iteration of the loop, touch what `first` touched? The loops around it are in the same iteration.
pub(crate) fn carried(nest: &Nest, first: AccessId, second: AccessId, by: LoopId, work: &mut Work) -> Option<Meeting> {
    let unknown = Some(Meeting { distance: None, least: 1 });
    directions(nest, by).iter().find_map(|&direction| {
        let Some(pair) = later(nest, first, second, by, direction, work) else { return unknown };
        match pair.system.solve(work) {
            Solutions::Never => None,
            Solutions::Perhaps(_) if !counts(nest, by) => unknown,
            Solutions::Perhaps(Bounds { least, most }) => {
                Some(Meeting { distance: least.filter(|_| least == most), least: least.unwrap_or(1).max(1) })
            }
        }
    })
}

/// Whether a later iteration is one with a greater index (1), a smaller one (-1), or may be either. Where iterations are counted it is known.
fn directions(nest: &Nest, of: LoopId) -> &'static [i64] {
    if nest.loop_of(of).step == Step::Unknown { &[1, -1] } else { &[1] }
}

fn counts(nest: &Nest, of: LoopId) -> bool {
    matches!(nest.loop_of(of).step, Step::Known(_))
}

/// Iterations in which both touch one element, the second's a later one of a loop; the system asks for the distance.
fn later<'n>(
    nest: &'n Nest,
    first: AccessId,
    second: AccessId,
    by: LoopId,
    direction: i64,
    work: &mut Work,
) -> Option<Instances<'n>> {
    let same = nest.chain(nest.loop_of(by).parent);
    let mut pair = meeting(nest, first, second, &same, work)?;
    let [from, to] = match pair.counted(by) {
        Some(columns) => columns.map(Row::column),
        None => [pair.index(Side::First, by)?.clone(), pair.index(Side::Second, by)?.clone()],
    };
    let distance = pair.system.add_column();
    pair.system.add_equation(to.minus(&from)?.plus(-direction, &Row::column(distance))?);
    if let Some(stride) = nest.stride_of(by) {
        let stride = pair.row(Side::First, stride)?;
        pair.system.add_inequality(Row::column(distance).minus(&stride)?);
    }
    pair.system.add_inequality(Row::column(distance).plus(-1, &Row::constant(1))?);
    pair.system.ask_for(distance);
    Some(pair)
}

/// All ways in which `second`, later in one execution of a loop, may touch what `first` touched; `None` if numbers overflow or the work is used up.
pub(crate) fn ordered_meetings<'n>(
    nest: &'n Nest,
    first: AccessId,
    second: AccessId,
    of: LoopId,
    work: &mut Work,
) -> Option<Vec<Instances<'n>>> {
    let common = common_loops(nest, first, second);
    let at = common.iter().position(|&l| l == of)?;
    let mut ways = Vec::new();
    for &by in &common[at..] {
        for &direction in directions(nest, by) {
            ways.push(later(nest, first, second, by, direction, work)?);
        }
    }
    if precedes(nest, first, second) {
        ways.push(meeting(nest, first, second, &common, work)?);
    }
    ways.retain(|way| way.system.clone().solve(work) != Solutions::Never);
    Some(ways)
}

/// May `second` touch what `first` touched, later in the same iteration of the loop?
pub(crate) fn within(nest: &Nest, first: AccessId, second: AccessId, of: LoopId, work: &mut Work) -> bool {
    let common = common_loops(nest, first, second);
    let Some(at) = common.iter().position(|&l| l == of) else { return true };
    let inner = &common[at + 1..];
    inner.iter().any(|&l| carried(nest, first, second, l, work).is_some())
        || (precedes(nest, first, second) && may_meet(nest, first, second, &common, work))
}

/// Whether the text has one access before the other. Of two writes at one position either may be the first.
fn precedes(nest: &Nest, first: AccessId, second: AccessId) -> bool {
    let (a, b) = (nest.access(first), nest.access(second));
    let writes = a.kind == AccessKind::Write && b.kind == AccessKind::Write;
    first != second && ((a.position, a.kind) < (b.position, b.kind) || (a.position == b.position && writes))
}

/// May both touch one element, in the same iteration of `same` and any of the loops inside?
fn may_meet(nest: &Nest, first: AccessId, second: AccessId, same: &[LoopId], work: &mut Work) -> bool {
    let Some(pair) = meeting(nest, first, second, same, work) else { return true };
    pair.system.solve(work) != Solutions::Never
}

/// May both touch one element in one execution of a loop, in iterations in which the indices of two loops inside it differ?
pub(crate) fn meet_apart(
    nest: &Nest,
    (first, its): (AccessId, LoopId),
    (second, other): (AccessId, LoopId),
    of: LoopId,
    work: &mut Work,
) -> bool {
    let same = nest.chain(nest.loop_of(of).parent);
    [1, -1].into_iter().any(|order| {
        let mut apart = || {
            let mut pair = meeting(nest, first, second, &same, work)?;
            let difference = pair.index(Side::Second, other)?.minus(pair.index(Side::First, its)?)?;
            pair.system.add_inequality(Row::constant(-1).plus(order, &difference)?);
            Some(pair.system)
        };
        apart().is_none_or(|system| system.solve(&mut *work) != Solutions::Never)
    })
}

/// May both touch one element in one execution of a loop?
pub(crate) fn meet_in(nest: &Nest, first: AccessId, second: AccessId, of: LoopId, work: &mut Work) -> bool {
    may_meet(nest, first, second, &nest.chain(nest.loop_of(of).parent), work)
}
