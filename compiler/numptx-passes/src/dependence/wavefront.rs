//! Times for the iterations of two loops, such that all with one time may run together: the diagonals of a table, the rows of a factorisation.
//!
//! In: a nest, and a loop that is sequential. Out: for each part of its body, what its iterations' time is. Two loops deep, the outer one and those
//! directly in it; what is deeper stays inside a thread. No code is made here, and how well a schedule would run is not judged.
//!
//! A part is a loop directly in the outer one, or a statement. A part that is spread has a thread for each pair of indices, another one for each
//! index of the outer loop, together with all such parts. A time is an affine function of the two indices, and a phase: small steps inside a time.
//! A schedule holds if the later access of every dependence has a later time and phase, or the same ones in the same thread, which runs
//! in the order of the text. That is one system for each way in which it may fail, and none may have a solution.

use std::collections::BTreeMap;

use super::affine::LoopId;
use super::classify::conflict;
use super::instances::{Instances, Side};
use super::nest::{AccessId, Nest};
use super::order::ordered_meetings;
use super::system::{Row, Solutions, Work};

/// What stands directly in a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// An inner loop with all that is in it.
    Loop(LoopId),
    /// The statement with this position.
    Statement(u32),
}

/// When iterations run: `outer · (index of the outer loop) + inner · (index of the inner loop)`, then `phase`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time {
    /// By what the outer index counts.
    pub outer: i64,
    /// By what the inner index counts; 0 unless `spread`.
    pub inner: i64,
    /// The order of what has the same time.
    pub phase: i64,
    /// Whether each iteration of the inner loop is a thread of its own.
    pub spread: bool,
}

/// The time of every part of a loop's body. Parts with one time and phase run together.
pub type Wavefront = BTreeMap<Part, Time>;

/// A schedule in which at least one part is spread, if there is one with small coefficients.
#[must_use]
pub fn wavefront(nest: &Nest, outer: LoopId) -> Option<Wavefront> {
    let mut search = Search::new(nest, outer)?;
    let parts: Vec<Part> = search.parts.clone();
    let found = search.extend(&parts, &mut Wavefront::new())?;
    found.values().any(|time| time.spread).then_some(found)
}

/// Whether a schedule keeps the order of every dependence of a loop. Every part has to have a time.
#[must_use]
pub fn holds(nest: &Nest, outer: LoopId, schedule: &Wavefront) -> bool {
    let Some(mut search) = Search::new(nest, outer) else { return false };
    let parts = search.parts.clone();
    parts.iter().all(|part| schedule.contains_key(part))
        && parts.iter().all(|&a| parts.iter().all(|&b| search.agree((a, schedule[&a]), (b, schedule[&b]))))
}

type Placed = (Part, Time);

struct Search<'n> {
    outer: LoopId,
    parts: Vec<Part>,
    /// The dependences between parts.
    meetings: BTreeMap<(Part, Part), Vec<Instances<'n>>>,
    /// What is known of two parts with two times.
    known: BTreeMap<(Placed, Placed), bool>,
    work: Work,
}

fn part(nest: &Nest, outer: LoopId, access: AccessId) -> Part {
    let chain = nest.chain(nest.access(access).within);
    let inner = chain.iter().position(|&l| l == outer).and_then(|at| chain.get(at + 1));
    inner.map_or(Part::Statement(nest.access(access).position), |&l| Part::Loop(l))
}

/// Simple ones first, spread ones before others.
fn candidates(of: Part) -> Vec<Time> {
    let factors = [0, 1, -1, 2, 3];
    let inner: &[i64] = if matches!(of, Part::Loop(_)) { &factors } else { &[] };
    let spread = |&outer: &i64| inner.iter().map(move |&inner| (outer, inner, true));
    let whole = factors.iter().map(|&outer| (outer, 0, false));
    let times = factors.iter().flat_map(spread).chain(whole);
    times.flat_map(|(outer, inner, spread)| [0, 1].map(|phase| Time { outer, inner, phase, spread })).collect()
}

impl<'n> Search<'n> {
    fn new(nest: &'n Nest, outer: LoopId) -> Option<Self> {
        let mut work = Work::new();
        let accesses = nest.accesses_within(outer);
        let mut parts: Vec<Part> = accesses.iter().map(|&a| part(nest, outer, a)).collect();
        parts.sort_unstable();
        parts.dedup();
        let mut meetings: BTreeMap<_, Vec<Instances<'n>>> = BTreeMap::new();
        for &first in &accesses {
            for &second in accesses.iter().filter(|&&second| conflict(nest, first, second).is_some()) {
                let ways = ordered_meetings(nest, first, second, outer, &mut work)?;
                let between = (part(nest, outer, first), part(nest, outer, second));
                meetings.entry(between).or_default().extend(ways);
            }
        }
        Some(Self { outer, parts, meetings, known: BTreeMap::new(), work })
    }

    /// Times for the parts that are left, which agree with those that have one.
    fn extend(&mut self, left: &[Part], chosen: &mut Wavefront) -> Option<Wavefront> {
        let Some((&next, left)) = left.split_first() else { return Some(chosen.clone()) };
        for time in candidates(next) {
            if self.work.is_spent() {
                return None;
            }
            let new = (next, time);
            let agrees = self.agree(new, new)
                && chosen.iter().all(|(&part, &time)| self.agree((part, time), new) && self.agree(new, (part, time)));
            if agrees {
                chosen.insert(next, time);
                if let Some(found) = self.extend(left, chosen) {
                    return Some(found);
                }
                chosen.remove(&next);
            }
        }
        None
    }

    /// Whether no dependence from one part to the other goes against their times.
    fn agree(&mut self, mut first: Placed, mut second: Placed) -> bool {
        // Only the difference of phases matters.
        let phase = first.1.phase.min(second.1.phase);
        first.1.phase -= phase;
        second.1.phase -= phase;
        if let Some(&known) = self.known.get(&(first, second)) {
            return known;
        }
        let meetings = self.meetings.get(&(first.0, second.0)).map_or(&[][..], Vec::as_slice);
        let (outer, work) = (self.outer, &mut self.work);
        let agree = meetings.iter().all(|pair| keeps_order(pair, outer, first, second, work) == Some(true));
        self.known.insert((first, second), agree);
        agree
    }
}

/// Whether the second access always has the later time, or is in the first one's thread. `None` if numbers overflow.
fn keeps_order(pair: &Instances<'_>, outer: LoopId, first: Placed, second: Placed, work: &mut Work) -> Option<bool> {
    let [from, to] = [(Side::First, first), (Side::Second, second)].map(|(side, of)| time(pair, side, outer, of));
    let after = to?.minus(&from?)?;
    if may_be(pair, &Row::constant(-1).minus(&after)?, None, work) {
        return Some(false);
    }
    let (before, behind) = (first.1.phase, second.1.phase);
    if before < behind {
        return Some(true);
    }
    let Some(thread) = thread_differences(pair, outer, first, second).filter(|_| before == behind) else {
        return Some(!may_be(pair, &Row::constant(0), Some(&after), work));
    };
    for difference in thread {
        for direction in [1, -1] {
            let apart = Row::constant(-1).plus(direction, &difference)?;
            if may_be(pair, &apart, Some(&after), work) {
                return Some(false);
            }
        }
    }
    Some(true)
}

/// May both meet where a row is at least 0, and another one is 0?
fn may_be(pair: &Instances<'_>, at_least_zero: &Row, zero: Option<&Row>, work: &mut Work) -> bool {
    if work.is_spent() {
        return true;
    }
    let mut system = pair.system.clone();
    system.add_inequality(at_least_zero.clone());
    zero.into_iter().for_each(|row| system.add_equation(row.clone()));
    system.solve(work) != Solutions::Never
}

fn time(pair: &Instances<'_>, side: Side, outer: LoopId, (part, time): Placed) -> Option<Row> {
    let row = Row::constant(0).plus(time.outer, pair.index(side, outer)?)?;
    match part {
        Part::Loop(inner) => row.plus(time.inner, pair.index(side, inner)?),
        Part::Statement(_) => Some(row),
    }
}

/// What is 0 if both are in the same thread; `None` if they never are.
fn thread_differences(
    pair: &Instances<'_>,
    outer: LoopId,
    (first, its): Placed,
    (second, other): Placed,
) -> Option<Vec<Row>> {
    let difference = |of| pair.index(Side::Second, of)?.minus(pair.index(Side::First, of)?);
    match (first, second) {
        (Part::Loop(a), Part::Loop(b)) if its.spread && other.spread && a == b => {
            Some(vec![difference(outer)?, difference(a)?])
        }
        _ if !its.spread && !other.spread => Some(vec![difference(outer)?]),
        _ => None,
    }
}
