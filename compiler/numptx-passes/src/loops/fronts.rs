//! Fronts of a loop: which of its points run at each time of a wavefront.
//!
//! In: a loop in parts, their accesses, and a time for each part. Out: for each part, or several of them in one thread, the points of a time as
//! functions of that time and of one index that counts, with the bounds of that index. No code: `team` makes the program.

use numptx_ir::array::{OpKind, ValueId};

use super::guards::least;
use super::parts::Parts;
use super::translate::Translation;
use crate::dependence::{Affine, LoopId, Nest, Part, Step, Time, Variable, Wavefront};

/// When and where everything in a loop runs.
#[derive(Clone, Debug)]
pub struct Fronts {
    /// The loop's index.
    pub outer: ValueId,
    /// The first time is the least of these.
    pub first: Vec<Affine>,
    /// The last time is the largest of these.
    pub last: Vec<Affine>,
    /// A time has as many points as the largest of these, at most.
    pub widths: Vec<Affine>,
    /// The steps of a time, in order.
    pub fronts: Vec<Front>,
    /// What stands for the time.
    pub time: Variable,
    /// What stands for the index that counts.
    pub count: Variable,
}

/// The points of a time at which some parts run, one after the other.
#[derive(Clone, Debug)]
pub struct Front {
    /// Positions of the parts in the body.
    pub parts: Vec<usize>,
    /// At its points all of these are at least 0.
    pub bounds: Vec<Affine>,
    /// The outer loop's index.
    pub outer: Affine,
    /// The inner loop's, where each of its iterations is a point.
    pub inner: Option<Affine>,
}

/// The fronts of a schedule; `None` where bounds or times are no simple functions.
pub fn fronts(parts: &Parts, whole: &Translation, schedule: &Wavefront) -> Option<Fronts> {
    let op = &parts.op;
    let index = op.regions[0].parameters[0];
    let outer = *whole.loops.get(&index)?;
    let mut nest = whole.nest.clone();
    let time = Variable::Symbol(nest.add_symbol(None));
    let count = Variable::Symbol(nest.add_symbol(None));
    let (first, last, widths, fronts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut found = Fronts { outer: index, first, last, widths, fronts, time, count };
    for (of, parts) in groups(parts, whole, schedule)? {
        let inner = parts.first()?.1;
        let cells = Cells { nest: &nest, outer, inner: of.spread.then_some(inner), of };
        let at = cells.time()?;
        found.first.push(cells.least(&at)?);
        found.last.push(cells.least(&at.times(-1)?)?.times(-1)?);
        found.widths.push(cells.width()?);
        found.fronts.push(cells.front(parts.iter().map(|(position, _)| *position).collect(), time, count)?);
    }
    Some(found)
}

/// Parts with their positions and loops.
type Places = Vec<(usize, LoopId)>;

/// Parts by time, in the order of phases; together what one thread runs for an index of the outer loop.
fn groups(of: &Parts, whole: &Translation, schedule: &Wavefront) -> Option<Vec<(Time, Places)>> {
    let mut groups: Vec<(Time, Places)> = Vec::new();
    let mut n_timed = 0;
    for (position, part) in of.op.regions[0].ops.iter().enumerate() {
        if !matches!(part.kind, OpKind::For) {
            continue;
        }
        let index = part.regions[0].parameters[0];
        let id = *whole.loops.get(&index)?;
        // A part that touches nothing has no time.
        let Some(mut time) = schedule.get(&Part::Loop(id)).copied() else { continue };
        if of.single.contains(&index) {
            // Its one index is 0.
            time = Time { inner: 0, spread: false, ..time };
        }
        n_timed += 1;
        match groups.iter_mut().find(|(other, _)| !time.spread && *other == time) {
            Some((_, parts)) => parts.push((position, id)),
            None => groups.push((time, vec![(position, id)])),
        }
    }
    groups.sort_by_key(|(time, _)| time.phase);
    (n_timed == schedule.len()).then_some(groups)
}

/// The iterations of a part.
struct Cells<'n> {
    nest: &'n Nest,
    outer: LoopId,
    /// The inner loop, if its iterations are points.
    inner: Option<LoopId>,
    of: Time,
}

impl Cells<'_> {
    fn loops(&self) -> Vec<LoopId> {
        [Some(self.outer), self.inner].into_iter().flatten().collect()
    }

    /// The time of an iteration.
    fn time(&self) -> Option<Affine> {
        let outer = Affine::from(self.outer).times(self.of.outer)?;
        match self.inner {
            Some(inner) => outer.plus(&Affine::from(inner).times(self.of.inner)?),
            None => Some(outer),
        }
    }

    /// A function of no index that is at most this one, in every iteration.
    fn least(&self, function: &Affine) -> Option<Affine> {
        let least = least(self.nest, function, &self.loops())?;
        least.terms().iter().all(|(variable, _)| self.is_fixed(*variable)).then_some(least)
    }

    fn is_fixed(&self, variable: Variable) -> bool {
        match variable {
            Variable::Symbol(symbol) => self.nest.varies_in(symbol).is_none(),
            Variable::Index(_) => false,
        }
    }

    /// Which index counts points at a time: the outer loop's, or the inner one's.
    fn counts_outer(&self) -> bool {
        self.inner.is_none() || self.of.inner != 0
    }

    /// How many points there are at a time, at most.
    fn width(&self) -> Option<Affine> {
        let index = match self.inner {
            Some(inner) if !self.counts_outer() => inner,
            _ => self.outer,
        };
        let index = Affine::from(index);
        let last = self.least(&index.times(-1)?)?.times(-1)?;
        last.minus(&self.least(&index)?)?.plus_constant(1)
    }

    /// Both indices as functions of the time and of the one that counts.
    fn indices(&self, time: &Affine, count: &Affine) -> Option<(Affine, Option<Affine>)> {
        let (a, b) = (self.of.outer, self.of.inner);
        let is_unit = |n: i64| n == 1 || n == -1;
        match self.inner {
            None if is_unit(a) => Some((time.times(a)?, None)),
            None => Some((count.clone(), None)),
            Some(_) if is_unit(b) => Some((count.clone(), Some(time.minus(&count.times(a)?)?.times(b)?))),
            Some(_) if b == 0 && is_unit(a) => Some((time.times(a)?, Some(count.clone()))),
            _ => None,
        }
    }

    fn front(&self, parts: Vec<usize>, time: Variable, count: Variable) -> Option<Front> {
        let (time, count) = (Affine::from(time), Affine::from(count));
        let (outer, inner) = self.indices(&time, &count)?;
        let mut bounds = Vec::new();
        for (id, index) in [(Some(self.outer), Some(&outer)), (self.inner, inner.as_ref())] {
            let (Some(id), Some(index)) = (id, index) else { continue };
            for bound in self.bounds_of(id)? {
                let bound = bound.with(Variable::Index(id), index)?.with(Variable::Index(self.outer), &outer)?;
                if !bound.terms().iter().all(|(variable, _)| self.is_fixed(*variable)) {
                    return None;
                }
                bounds.push(bound);
            }
        }
        match self.inner {
            // The one point of its time.
            None if self.of.outer.abs() == 1 => bounds.extend([count.clone(), count.times(-1)?]),
            // The points whose time it is.
            None => {
                let late = time.minus(&count.times(self.of.outer)?)?;
                bounds.extend([late.times(-1)?, late]);
            }
            Some(_) => {}
        }
        Some(Front { parts, bounds, outer, inner })
    }

    /// What is at least 0 where an index is in the range of its loop, which takes every one.
    fn bounds_of(&self, id: LoopId) -> Option<Vec<Affine>> {
        let of = self.nest.loop_of(id);
        let rises = match of.step {
            Step::Known(1) => 1,
            Step::Known(-1) => -1,
            _ => return None,
        };
        let index = Affine::from(id);
        let mut bounds = vec![index.minus(&of.lower)?.times(rises)?];
        for upper in &of.upper {
            bounds.push(upper.minus(&index)?.times(rises)?.plus_constant(-1)?);
        }
        (!of.upper.is_empty()).then_some(bounds)
    }
}
