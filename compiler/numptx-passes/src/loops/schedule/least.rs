//! The least that affine functions are over all iterations of loops, as functions of what does not change in them.
//!
//! In: a function of indices, the loops around it, what is at least 0 where it is asked for. Out: functions of symbols that are at most this one in every
//! iteration. A loop that ends at the lesser of two integers has two ends, each of which bounds its index: one may tell what the other does not.

use crate::loops::assumptions::guards::{LARGE, SMALL, is_small};
use crate::loops::dependence::{Affine, LoopId, Nest, Step, Variable};

/// Limit: bounds of one function that are kept: those of loops in loops multiply.
const MOST_BOUNDS: usize = 16;

/// Functions of symbols, each at most the least value that a function takes: alone, given one of the guards, or, where that is enough, given
/// that a loop around is not empty. Of those that differ by a number the largest is there.
pub(crate) fn ways(nest: &Nest, function: &Affine, within: Option<LoopId>, guards: &[Affine]) -> Vec<Affine> {
    let loops = nest.chain(within);
    let is_fixed = |(variable, _): &(Variable, i64)| match variable {
        Variable::Symbol(symbol) => nest.varies_in(*symbol).is_none(),
        Variable::Index(_) => false,
    };
    let least = |function: &Affine| {
        let mut bounds = all_least(nest, function, &loops);
        bounds.retain(|bound| bound.terms().iter().all(is_fixed));
        bounds
    };
    let mut ways = least(function);
    for guard in guards {
        ways.extend(function.minus(guard).iter().flat_map(&least));
        ways.extend(of_quotient(function, guard).iter().flat_map(&least));
    }
    for range in loops.iter().flat_map(|id| not_empty(nest, *id)) {
        ways.extend(function.minus(&range).iter().flat_map(&least).filter(is_certain));
    }
    keep_largest(&mut ways);
    keep_weakest(nest, &mut ways);
    ways
}

/// Of a function of a quotient, which a guard bounds by what it is of: a function without the quotient that is at least 0 only where this one is.
fn of_quotient(function: &Affine, guard: &Affine) -> Option<Affine> {
    let factor = |of: &Affine, variable: Variable| of.terms().iter().find(|(v, _)| *v == variable).map(|(_, n)| *n);
    let is_quotient =
        |(variable, by): &(Variable, i64)| by.abs() > 1 && factor(function, *variable) == Some(by.signum());
    let by = guard.terms().iter().copied().find(is_quotient)?.1;
    // As many times an integer, and less than as much: so is the integer at least 0.
    function.times(by.abs())?.plus_constant(by.abs() - 1)?.minus(guard)
}

/// Of functions that differ in how the last index of a loop is bounded, by itself or by the end, only those with the index itself, but for what is certain.
pub(crate) fn keep_weakest(nest: &Nest, ways: &mut Vec<Affine>) {
    let lasts: Vec<(Variable, Affine)> =
        nest.lasts().filter_map(|(of, symbol)| Some((Variable::Symbol(symbol), end(nest, of)?))).collect();
    let implies = |a: &Affine, b: &Affine| {
        lasts
            .iter()
            .any(|(last, end)| b.terms().iter().any(|(v, _)| v == last) && b.with(*last, end).as_ref() == Some(a))
    };
    let all = ways.clone();
    ways.retain(|a| is_certain(a) || !all.iter().any(|b| implies(a, b)));
}

/// The index before the end of a loop.
fn end(nest: &Nest, of: LoopId) -> Option<Affine> {
    let of = nest.loop_of(of);
    let falls = matches!(of.step, Step::Known(step) if step < 0);
    of.upper.first()?.plus_constant(if falls { 1 } else { -1 })
}

/// Of functions that differ by a number only the largest, in one order always.
pub(crate) fn keep_largest(ways: &mut Vec<Affine>) {
    ways.sort_by(|a, b| a.terms().cmp(b.terms()).then(b.constant_part().cmp(&a.constant_part())));
    ways.dedup_by(|a, b| a.terms() == b.terms());
    ways.sort();
}

/// Whether a function is negative in every iteration in which these guards are at least 0.
pub(crate) fn is_negative(nest: &Nest, function: &Affine, within: Option<LoopId>, guards: &[Affine]) -> bool {
    let below = function.times(-1).and_then(|minus| minus.plus_constant(-1)).filter(is_small);
    below.is_some_and(|below| ways(nest, &below, within, guards).iter().any(is_certain))
}

/// What is at least 0 where a loop has an iteration.
fn not_empty(nest: &Nest, id: LoopId) -> Vec<Affine> {
    let of = nest.loop_of(id);
    let Step::Known(step) = of.step else { return Vec::new() };
    let lowers = || std::iter::once(&of.lower).chain(&of.lower_of);
    let pairs = of.upper.iter().flat_map(|upper| lowers().map(move |lower| (lower, upper)));
    let room = |(lower, upper): (&Affine, &Affine)| {
        let distance = if step > 0 { upper.minus(lower) } else { lower.minus(upper) };
        distance?.plus_constant(-1)
    };
    pairs.filter_map(room).collect()
}

/// Whether a function of symbols of the sizes that are required is at least 0 whatever they are.
pub(crate) fn is_certain(function: &Affine) -> bool {
    let is_small = function.terms().iter().all(|(_, c)| c.abs() <= SMALL) && function.terms().len() <= 64;
    match function.as_constant() {
        Some(n) => n >= 0,
        None => is_small && function.constant_part() >= LARGE * SMALL * 64,
    }
}

/// A function without the indices of `loops`, which are given from the outside in, and without symbols that lie in ranges, that is at most
/// `function` in every iteration of them.
pub fn least(nest: &Nest, function: &Affine, loops: &[LoopId]) -> Option<Affine> {
    let mut function = function.clone();
    for id in loops.iter().rev() {
        function = without(nest, &function, *id).into_iter().next()?;
    }
    in_ranges(nest, function)
}

/// All that [`least`] may be, by the bounds that loops have.
pub(crate) fn all_least(nest: &Nest, function: &Affine, loops: &[LoopId]) -> Vec<Affine> {
    let mut bounds = vec![function.clone()];
    for id in loops.iter().rev() {
        bounds = bounds.iter().flat_map(|bound| without(nest, bound, *id)).take(MOST_BOUNDS).collect();
    }
    bounds.into_iter().filter_map(|bound| in_ranges(nest, bound)).collect()
}

/// Functions without a loop's index that are at most this one in every iteration of it.
fn without(nest: &Nest, function: &Affine, id: LoopId) -> Vec<Affine> {
    let index = Variable::Index(id);
    let Some((_, factor)) = function.terms().iter().find(|(v, _)| *v == index).copied() else {
        return vec![function.clone()];
    };
    let of = nest.loop_of(id);
    let rises = match of.step {
        Step::Known(step) => step > 0,
        Step::Positive => true,
        Step::Unknown => return Vec::new(),
    };
    // The one before the end, towards the first one.
    let last = |upper: &Affine| upper.plus_constant(if rises { -1 } else { 1 });
    let ends: Vec<Affine> = match rises == (factor > 0) {
        true => std::iter::once(&of.lower).chain(&of.lower_of).cloned().collect(),
        false => of.upper.iter().filter_map(last).chain(nest.last_of(id).map(Affine::from)).collect(),
    };
    ends.iter().filter_map(|end| function.with(index, end)).collect()
}

/// A function without symbols that lie in ranges that is at most this one.
fn in_ranges(nest: &Nest, mut function: Affine) -> Option<Affine> {
    let ranged = |(variable, factor): &(Variable, i64)| {
        let Variable::Symbol(symbol) = variable else { return None };
        let [low, high] = nest.range_of(*symbol)?;
        Some((*variable, if *factor > 0 { low.clone() } else { high.clone() }))
    };
    while let Some((variable, bound)) = function.terms().iter().find_map(ranged) {
        function = function.with(variable, &bound)?;
    }
    Some(function)
}
