//! Wavefronts of loops: which of their work items run at each time of a wavefront.
//!
//! In: loops in parts, their accesses, and a time for each part. Out: for each part, or several of them in one thread, the work items of a time as
//! functions of that time and of indices that count, with the bounds of these indices. No code: `program` makes the program.
//!
//! One index follows from the time and the others, where one counts by 1 in it; the others count. The first of these has a range at each time; the range
//! of another one may begin elsewhere for each work item, and is taken for as long as it is anywhere: work items beyond its end do nothing.

use std::collections::HashSet;

use numptx_ir::array::OpKind;

use crate::loops::canonical::distribute::fission::Parts;
use crate::loops::dependence::{Affine, LoopId, Nest, Part, Step, Time, Variable, Wavefront, are_alike};
use crate::loops::nest::program::Translation;
use crate::loops::schedule::least::least;
use crate::loops::schedule::wavefronts::groups::{Extent, Further, WavefrontGroup, Wavefronts};

/// Limit: indices that count: the axes of a phase.
const MOST_COUNTS: usize = 3;

/// The wavefronts of a schedule; `None` where bounds or times are no simple functions.
pub fn wavefronts(parts: &Parts, whole: &Translation, schedule: &Wavefront) -> Option<Wavefronts> {
    let around = parts.around.iter().map(|index| whole.loops.get(index).copied()).collect::<Option<Vec<LoopId>>>()?;
    let mut nest = whole.nest.clone();
    let time = Variable::Symbol(nest.add_symbol(None));
    let counts: Vec<Variable> = (0..MOST_COUNTS).map(|_| Variable::Symbol(nest.add_symbol(None))).collect();
    let (first, last, widths, wavefronts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut found = Wavefronts { around: parts.around.clone(), first, last, widths, wavefronts, time, counts };
    for (of, parts) in groups(parts, whole, schedule)? {
        let inner = parts.first()?.1;
        let cells =
            Cells { nest: &nest, around: &around, inner: of.spread.then_some(inner), of, time, counts: &found.counts };
        let at = cells.time()?;
        found.first.push(cells.least(&at)?);
        found.last.push(cells.least(&at.times(-1)?)?.times(-1)?);
        found.widths.push(cells.width()?);
        found.wavefronts.push(cells.group(parts.iter().map(|(position, _)| *position).collect())?);
    }
    Some(found)
}

/// Parts with their positions and loops.
type Places = Vec<(usize, LoopId)>;

/// Parts by time, in the order of phases; together what one thread runs.
fn groups(of: &Parts, whole: &Translation, schedule: &Wavefront) -> Option<Vec<(Time, Places)>> {
    let mut groups: Vec<(Time, Places)> = Vec::new();
    let mut timed: Vec<(Time, LoopId, usize)> = Vec::new();
    for (position, part) in of.body().ops.iter().enumerate() {
        if !matches!(part.kind, OpKind::For) {
            continue;
        }
        let index = part.regions[0].parameters[0];
        let id = *whole.loops.get(&index)?;
        // A part that touches nothing has no time.
        let Some(scheduled) = schedule.get(&Part::Loop(id)).copied() else { continue };
        let is_single = of.single.contains(&index);
        // Its one index is 0.
        let time = if is_single { Time { inner: 0, spread: false, ..scheduled } } else { scheduled };
        let may_share = |part: LoopId| of.around.len() > 1 && are_alike(&whole.nest, part, id);
        let is_same = |(other, parts): &(Time, Places)| {
            *other == time && (!time.spread || parts.iter().all(|(_, part)| may_share(*part)))
        };
        let at = groups.iter().position(is_same).unwrap_or(groups.len());
        // Parts whose iterations share threads do so here.
        let shares = |(time, part, group): &(Time, LoopId, usize)| {
            *time == scheduled && time.spread && may_share(*part) && *group != at
        };
        if timed.iter().any(shares) {
            return None;
        }
        timed.push((scheduled, id, at));
        match groups.get_mut(at) {
            Some((_, parts)) => parts.push((position, id)),
            None => groups.push((time, vec![(position, id)])),
        }
    }
    groups.sort_by_key(|(time, _)| time.phase);
    (timed.len() == schedule.len()).then_some(groups)
}

/// The iterations of a part.
struct Cells<'n> {
    nest: &'n Nest,
    around: &'n [LoopId],
    /// The part's own loop, if its iterations are work items.
    inner: Option<LoopId>,
    of: Time,
    time: Variable,
    counts: &'n [Variable],
}

impl Cells<'_> {
    fn loops(&self) -> Vec<LoopId> {
        self.around.iter().copied().chain(self.inner).collect()
    }

    /// By what the time grows with each index.
    fn factors(&self) -> Vec<i64> {
        let around = self.of.around.iter().take(self.around.len()).copied();
        around.chain(self.inner.map(|_| self.of.inner)).collect()
    }

    /// The time of an iteration.
    fn time(&self) -> Option<Affine> {
        let mut time = Affine::constant(0);
        for (id, by) in self.loops().into_iter().zip(self.factors()) {
            time = time.plus(&Affine::from(id).times(by)?)?;
        }
        Some(time)
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

    /// Which index follows from the time and the others.
    fn determined(&self) -> Option<usize> {
        self.factors().iter().rposition(|by| by.abs() == 1)
    }

    /// Which indices count.
    fn counting(&self) -> Vec<usize> {
        let determined = self.determined();
        (0..self.factors().len()).filter(|n| Some(*n) != determined).collect()
    }

    /// How many work items there are at a time, at most.
    fn width(&self) -> Option<Vec<Extent>> {
        if self.around.len() == 1 && self.counting().len() <= 1 {
            return Some(vec![vec![(self.length_of(self.counting().first().copied().unwrap_or(0))?, 1)]]);
        }
        let bounds = self.bounds()?;
        let n = self.counting().len();
        let mut extents = Vec::with_capacity(n);
        for axis in 0..n {
            let own = self.without_later(&bounds, axis)?;
            extents.push(self.extent(&own, axis, &[self.time])?);
        }
        Some(extents)
    }

    /// One less than the number of iterations of a loop, at most.
    fn length_of(&self, n: usize) -> Option<Affine> {
        let index = Affine::from(*self.loops().get(n)?);
        let last = self.least(&index.times(-1)?)?.times(-1)?;
        last.minus(&self.least(&index)?)
    }

    /// Whether a time of one loop around has work items along that loop or the inner one: of slower ones few would run together.
    fn goes_along(&self) -> bool {
        self.around.len() > 1 || self.inner.is_none() || {
            let (outer, inner) = (self.of.around[0].abs(), self.of.inner.abs());
            inner == 1 || (inner == 0 && outer == 1)
        }
    }

    /// All indices as functions of the time and of those that count.
    fn indices(&self) -> Option<Vec<Affine>> {
        let factors = self.factors();
        let counting = self.counting();
        let mut indices = vec![Affine::default(); factors.len()];
        let mut rest = Affine::from(self.time);
        for (count, n) in self.counts.iter().zip(&counting) {
            indices[*n] = Affine::from(*count);
            rest = rest.minus(&indices[*n].times(factors[*n])?)?;
        }
        if let Some(n) = self.determined() {
            indices[n] = rest.times(factors[n])?;
        }
        (self.goes_along() && counting.len() <= self.counts.len()).then_some(indices)
    }

    /// What is at least 0 at the work items of a time, in indices that count.
    fn bounds(&self) -> Option<Vec<Affine>> {
        let (loops, indices) = (self.loops(), self.indices()?);
        let mut bounds = Vec::new();
        for id in &loops {
            for mut bound in self.bounds_of(*id)? {
                for (id, index) in loops.iter().zip(&indices).rev() {
                    bound = bound.with(Variable::Index(*id), index)?;
                }
                if !bound.terms().iter().all(|(variable, _)| self.is_fixed(*variable)) {
                    return None;
                }
                bounds.push(bound);
            }
        }
        if self.counting().is_empty() {
            // The one work item of its time.
            let count = Affine::from(*self.counts.first()?);
            bounds.extend([count.times(-1)?, count]);
        }
        if self.determined().is_none() {
            // The work items whose time it is.
            let mut late = Affine::from(self.time);
            for (index, by) in indices.iter().zip(self.factors()) {
                late = late.minus(&index.times(by)?)?;
            }
            bounds.extend([late.times(-1)?, late]);
        }
        Some(bounds)
    }

    fn group(&self, parts: Vec<usize>) -> Option<WavefrontGroup> {
        let bounds = self.bounds()?;
        let mut further = Vec::new();
        for axis in 1..self.counting().len() {
            let own = self.without_later(&bounds, axis)?;
            let extent = self.extent(&own, axis, &[])?;
            let [lower, _] = self.sides(&own, axis);
            let [_, upper] = self.sides(&self.up_to(&bounds, axis), axis);
            further.push(Further { lower, extent, upper });
        }
        let (mut around, has_inner) = (self.indices()?, self.inner.is_some());
        let inner = if has_inner { around.pop() } else { None };
        let is_wide = has_inner || self.around.len() > 1 || self.of.around[0] == 0;
        Some(WavefrontGroup { parts, bounds: self.without_later(&bounds, 0)?, further, around, inner, is_wide })
    }

    /// The bounds in which no index counts after the one of an axis.
    fn up_to(&self, bounds: &[Affine], axis: usize) -> Vec<Affine> {
        let is_later = |bound: &&Affine| self.counts[axis + 1..].iter().all(|count| factor(bound, *count) == 0);
        bounds.iter().filter(is_later).cloned().collect()
    }

    /// What holds for the indices up to that of an axis, if all bounds hold for some later ones.
    fn without_later(&self, bounds: &[Affine], axis: usize) -> Option<Vec<Affine>> {
        let mut bounds = bounds.to_vec();
        for later in (axis + 1..self.counting().len()).rev() {
            let [lower, upper] = self.sides(&bounds, later);
            bounds.retain(|bound| factor(bound, self.counts[later]) == 0);
            for (above, below) in lower.iter().flat_map(|above| upper.iter().map(move |below| (above, below))) {
                let (a, b) = (factor(above, self.counts[later]), -factor(below, self.counts[later]));
                let both = above.times(b)?.plus(&below.times(a)?)?.reduced();
                if both.as_constant().is_none_or(|n| n < 0) && !bounds.contains(&both) {
                    bounds.push(both);
                }
            }
        }
        Some(bounds)
    }

    /// The bounds below and above an axis' index.
    fn sides(&self, bounds: &[Affine], axis: usize) -> [Vec<Affine>; 2] {
        let side = |sign: i64| {
            bounds.iter().filter(|bound| factor(bound, self.counts[axis]).signum() == sign).cloned().collect()
        };
        [side(1), side(-1)]
    }

    /// How many indices an axis has at most, of those bounds whose distance is the same whatever the other indices and `others` are.
    fn extent(&self, bounds: &[Affine], axis: usize, others: &[Variable]) -> Option<Extent> {
        let [lower, upper] = self.sides(bounds, axis);
        let mut extent = Extent::new();
        let varying: HashSet<Variable> = self.counts.iter().chain(others).copied().collect();
        for (above, below) in lower.iter().flat_map(|above| upper.iter().map(move |below| (above, below))) {
            let (a, b) = (factor(above, self.counts[axis]), -factor(below, self.counts[axis]));
            let distance = above.times(b)?.plus(&below.times(a)?)?;
            if !distance.terms().iter().any(|(variable, _)| varying.contains(variable)) {
                extent.push((distance, a.checked_mul(b)?));
            }
        }
        (!extent.is_empty()).then_some(extent)
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

/// By what a function grows with a variable.
pub(crate) fn factor(function: &Affine, variable: Variable) -> i64 {
    function.terms().iter().find(|(other, _)| *other == variable).map_or(0, |(_, factor)| *factor)
}
