//! Times for the iterations of some loops, such that all with one time may run together: the diagonals of a table, the rows of a factorisation.
//!
//! In: a nest, and loops that are sequential, each in the one before. Out: for each part of the last one's body, what its iterations' time is. What
//! is deeper than the parts stays inside a thread. No code is made here, and how well a schedule would run is not judged.
//!
//! A part is a loop directly in the last of these loops, or a statement. A part that is spread has a thread for each tuple of indices, its own the last; with
//! several loops around, parts with one time whose loops have the same range share them. Another one has a thread for each tuple of indices of the loops
//! around, together with all such parts. A time is a linear function of the indices, and a phase: the order inside a time. A schedule holds if the later access
//! of every dependence has a later time and phase, or the same ones in the same thread, which runs in the order of the text. That is one system for each way in
//! which it may fail, and none may have a solution.
//!
//! Of several loops around, the times within the inner ones are found first. Then each iteration of the outer one begins later by a number, the least
//! for which that holds: where dependences go as far in all iterations, there is one.

use std::collections::BTreeMap;

use crate::loops::dependence::affine::LoopId;
use crate::loops::dependence::classify::conflict;
use crate::loops::dependence::found::Solutions;
use crate::loops::dependence::instances::{Instances, Side};
use crate::loops::dependence::nest::{AccessId, Nest, Step};
use crate::loops::dependence::order::ordered_meetings;
use crate::loops::dependence::system::{Row, Work};
use crate::loops::dependence::{MAX_AROUND, Part, Time, Wavefront};

/// A schedule in which at least one part is spread, if there is one with small coefficients. Each loop of `around` is in the one before, and nothing
/// else with accesses is.
#[must_use]
pub fn wavefront(nest: &Nest, around: &[LoopId]) -> Option<Wavefront> {
    nest.answers().wavefront(nest, around, || found(nest, around, Threads::of(around)))
}

fn found(nest: &Nest, around: &[LoopId], threads: Threads) -> Option<Wavefront> {
    let (outer, within) = around.split_first()?;
    let mut search = Search::new(nest, around, threads)?;
    if within.is_empty() {
        let parts = search.parts.clone();
        let found = search.extend(&parts, &mut Wavefront::new())?;
        return found.values().any(|time| time.spread).then_some(found);
    }
    let within = found(nest, within, threads)?;
    let later = |by: i64| -> Wavefront {
        let moved = |time: &Time| Time { around: [by, time.around[0], time.around[1]], ..*time };
        within.iter().map(|(part, time)| (*part, moved(time))).collect()
    };
    let falls = matches!(nest.loop_of(*outer).step, Step::Known(step) if step < 0);
    let ways = (1..=MOST_LATER).map(|by| if falls { -by } else { by });
    ways.map(later).find(|schedule| search.holds(schedule))
}

/// Whether a schedule keeps the order of every dependence of the loops. Every part has to have a time.
#[must_use]
pub fn holds(nest: &Nest, around: &[LoopId], schedule: &Wavefront) -> bool {
    Search::new(nest, around, Threads::of(around)).is_some_and(|mut search| search.holds(schedule))
}

/// Whether two loops have the same range in each iteration of those around them.
#[must_use]
pub fn are_alike(nest: &Nest, a: LoopId, b: LoopId) -> bool {
    let [a, b] = [a, b].map(|id| nest.loop_of(id));
    a.parent == b.parent && a.lower == b.lower && a.upper == b.upper && a.step == b.step && a.step != Step::Unknown
}

/// Limit: schedules are tried in which an iteration begins later than the one before by so much.
const MOST_LATER: i64 = 12;

type Placed = (Part, Time);

/// Whose iterations share threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Threads {
    /// Those of one part.
    OfParts,
    /// Those of all parts with one time whose loops are alike.
    OfRanges,
}

impl Threads {
    /// In a wavefront of one loop a thread that ran other parts, too, would take what they have to do in one iteration to all of them.
    fn of(around: &[LoopId]) -> Self {
        if around.len() == 1 { Threads::OfParts } else { Threads::OfRanges }
    }
}

struct Search<'n> {
    nest: &'n Nest,
    around: Vec<LoopId>,
    threads: Threads,
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

/// Simple ones first, spread ones before others. One loop is around.
fn candidates(of: Part) -> Vec<Time> {
    let factors = [0, 1, -1, 2, 3];
    let inner: &[i64] = if matches!(of, Part::Loop(_)) { &factors } else { &[] };
    let spread = |&outer: &i64| inner.iter().map(move |&inner| (outer, inner, true));
    let whole = factors.iter().map(|&outer| (outer, 0, false));
    let times = factors.iter().flat_map(spread).chain(whole);
    times
        .flat_map(|(outer, inner, spread)| [0, 1].map(|phase| Time { around: [outer, 0, 0], inner, phase, spread }))
        .collect()
}

impl<'n> Search<'n> {
    fn new(nest: &'n Nest, around: &[LoopId], threads: Threads) -> Option<Self> {
        let ([outer, ..], [.., last]) = (around, around) else { return None };
        let mut work = Work::of(nest);
        let accesses = nest.accesses_within(*outer);
        if around.len() > MAX_AROUND || accesses.iter().any(|a| !nest.is_within(*a, *last)) {
            return None;
        }
        let mut parts: Vec<Part> = accesses.iter().map(|&a| part(nest, *last, a)).collect();
        parts.sort_unstable();
        parts.dedup();
        let mut meetings: BTreeMap<_, Vec<Instances<'n>>> = BTreeMap::new();
        for &first in &accesses {
            for &second in accesses.iter().filter(|&&second| conflict(nest, first, second).is_some()) {
                let ways = ordered_meetings(nest, first, second, *outer, &mut work)?;
                let between = (part(nest, *last, first), part(nest, *last, second));
                meetings.entry(between).or_default().extend(ways);
            }
        }
        Some(Self { nest, around: around.to_vec(), threads, parts, meetings, known: BTreeMap::new(), work })
    }

    fn holds(&mut self, schedule: &Wavefront) -> bool {
        let parts = self.parts.clone();
        parts.iter().all(|part| schedule.contains_key(part))
            && parts.iter().all(|&a| parts.iter().all(|&b| self.agree((a, schedule[&a]), (b, schedule[&b]))))
    }

    /// Times for the parts that are left, which agree with those that have one.
    fn extend(&mut self, left: &[Part], chosen: &mut Wavefront) -> Option<Wavefront> {
        let Some((&next, left)) = left.split_first() else { return Some(chosen.clone()) };
        for time in candidates(next) {
            self.work.step()?;
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
        let (nest, threads, around) = (self.nest, self.threads, self.around.as_slice());
        let schedule = Schedule { nest, around, threads };
        let work = &mut self.work;
        let agree = meetings.iter().all(|pair| keeps_order(pair, &schedule, first, second, work) == Some(true));
        self.known.insert((first, second), agree);
        agree
    }
}

/// What times are of.
struct Schedule<'s> {
    nest: &'s Nest,
    around: &'s [LoopId],
    threads: Threads,
}

/// Whether the second access always has the later time, or is in the first one's thread. `None` if numbers overflow.
fn keeps_order(
    pair: &Instances<'_>,
    schedule: &Schedule<'_>,
    first: Placed,
    second: Placed,
    work: &mut Work,
) -> Option<bool> {
    let [from, to] =
        [(Side::First, first), (Side::Second, second)].map(|(side, of)| time(pair, side, schedule.around, of));
    let after = to?.minus(&from?)?;
    if may_be(pair, &Row::constant(-1).minus(&after)?, None, work) {
        return Some(false);
    }
    let (before, behind) = (first.1.phase, second.1.phase);
    if before < behind {
        return Some(true);
    }
    let Some(thread) = thread_differences(pair, schedule, first, second).filter(|_| before == behind) else {
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

fn time(pair: &Instances<'_>, side: Side, around: &[LoopId], (part, time): Placed) -> Option<Row> {
    let mut row = Row::constant(0);
    for (of, by) in around.iter().zip(time.around) {
        row = row.plus(by, pair.index(side, *of)?)?;
    }
    match part {
        Part::Loop(inner) => row.plus(time.inner, pair.index(side, inner)?),
        Part::Statement(_) => Some(row),
    }
}

/// What is 0 if both are in the same thread; `None` if they never are.
fn thread_differences(
    pair: &Instances<'_>,
    schedule: &Schedule<'_>,
    (first, its): Placed,
    (second, other): Placed,
) -> Option<Vec<Row>> {
    let between = |a: LoopId, b: LoopId| pair.index(Side::Second, b)?.minus(pair.index(Side::First, a)?);
    let mut differences = schedule.around.iter().map(|of| between(*of, *of)).collect::<Option<Vec<Row>>>()?;
    let shares = |a, b| schedule.threads == Threads::OfRanges && its == other && are_alike(schedule.nest, a, b);
    match (first, second) {
        (Part::Loop(a), Part::Loop(b)) if its.spread && other.spread && (a == b || shares(a, b)) => {
            differences.push(between(a, b)?);
        }
        _ if !its.spread && !other.spread => {}
        _ => return None,
    }
    Some(differences)
}
