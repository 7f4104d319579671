//! What a loop's reduction computes.
//!
//! In: how carried values change in an iteration ([`recurrences`](super::recurrences)). Out: the values that feed reducers, and the loop's results as a
//! body over the reducers' results, what was carried first, and scalars.

use numptx_ir::DType;
use numptx_ir::scalar::{Body, BodyBuilder, Constant, InstrKind, Reducer, ScalarOp, Val};

use crate::loops::idioms::recurrences::flow::Contest;
use crate::loops::idioms::recurrences::flow::Known;
use crate::loops::idioms::recurrences::flow::Recurrences;
use crate::loops::idioms::recurrences::flow::Source;

/// Limit: carried ints that are checked start below this, and what they may grow by stays below it.
pub const HALF: i64 = 1 << 62;
/// The reduction of a loop.
pub struct Reduction {
    /// What feeds the reducers.
    pub outputs: Vec<(Val, Reducer)>,
    /// What the loop's results are, and after them whether a check fails, if there is one, of the reducers' results, what was carried first, captured scalars,
    /// and how many iterations each loop has, in this order.
    pub results: Body,
    /// The captured scalars.
    pub scalars: Vec<u32>,
    /// What carried ints that are checked grow by at most, at a work item.
    pub growth: Option<i64>,
    /// Whether work items have to be taken from the last one on: positions are those of the last winner.
    pub is_backwards: bool,
}

/// What feeds which reducers, and what follows from them.
pub fn reduction(found: &mut Recurrences, dtypes: &[DType]) -> Option<Reduction> {
    let mut making = Making {
        found,
        dtypes,
        outputs: Vec::new(),
        scalars: Vec::new(),
        finals: Vec::new(),
        growth: 0,
        is_backwards: None,
    };
    for k in 0..dtypes.len() {
        let becomes = making.found.becomes[k];
        let last = making.last(k, becomes)?;
        making.finals.push(last);
    }
    if let Some(fails) = making.found.fails {
        let fails = Last::Found(making.output(fails, Reducer::Or)?);
        making.finals.push(fails);
    }
    let growth = making.found.is_checked().then_some(making.growth);
    let is_backwards = making.is_backwards == Some(true);
    let Making { found, outputs, scalars, finals, .. } = making;
    let (results, scalars) = results(found, &outputs, scalars, (&finals, is_backwards), dtypes)?;
    Some(Reduction { outputs, results, scalars, growth, is_backwards })
}

/// What a carried value is in the end.
#[derive(Clone, Copy, Debug)]
enum Last {
    /// What it was first.
    First,
    /// That and a reducer's result, combined.
    Combined(ScalarOp, usize),
    /// A reducer's result, if it wins against carried value `k`: `op`, the result.
    Best(ScalarOp, usize),
    /// The index of a loop, by a position, if that is won. `at_worst`: where no work item does better than one that never wins, the position of the one
    /// that does as well, and whether there is one.
    Position {
        carried: usize,
        op: ScalarOp,
        best: usize,
        position: usize,
        axis: usize,
        at_worst: Option<(usize, usize)>,
    },
    /// A value, if a reducer says so.
    Set(usize, Val),
    /// A reducer's result.
    Found(usize),
}

struct Making<'f> {
    found: &'f mut Recurrences,
    dtypes: &'f [DType],
    outputs: Vec<(Val, Reducer)>,
    scalars: Vec<u32>,
    finals: Vec<Last>,
    growth: i64,
    is_backwards: Option<bool>,
}

impl Making<'_> {
    fn output(&mut self, val: Val, reducer: Reducer) -> Option<usize> {
        reducer.result(self.found.body.dtype(val))?;
        let output = (val, reducer);
        Some(self.outputs.iter().position(|o| *o == output).unwrap_or_else(|| {
            self.outputs.push(output);
            self.outputs.len() - 1
        }))
    }

    fn last(&mut self, k: usize, becomes: Known) -> Option<Last> {
        match becomes {
            Known::Carried(same) => (same == k).then_some(Last::First),
            Known::Combined(same, reducer, e) if same == k && self.found.body.dtype(e) == self.dtypes[k] => {
                if self.found.is_checked() && self.dtypes[k] == DType::I64 {
                    // Of a product nobody knows how large it becomes.
                    let is_sum = reducer == Reducer::Add;
                    self.growth = self.growth.max(if is_sum { size(&self.found.body, e)? } else { None? });
                }
                Some(Last::Combined(reducer.operation()?, self.output(e, reducer)?))
            }
            Known::Best(contest) if contest.carried == k => {
                let (best, _) = self.best(contest)?;
                Some(Last::Best(contest.op, best))
            }
            Known::Beside(same, contest, value) if same == k => self.beside(contest, value),
            Known::Set(same, when, value) if same == k && self.found.body.dtype(value) == self.dtypes[k] => {
                match self.found.body.kind(value) {
                    InstrKind::Constant(_) => {}
                    InstrKind::Input(n) => match self.found.inputs[*n as usize] {
                        Source::Scalar(n) => self.scalars.push(n),
                        Source::Element(_) => return None,
                    },
                    _ => return None,
                }
                Some(Last::Set(self.output(when, Reducer::Or)?, value))
            }
            _ => None,
        }
    }

    /// The best of all work items, and the value that is compared: one that never wins is the worst there is.
    fn best(&mut self, contest: Contest) -> Option<(usize, Val)> {
        let (body, e) = (&mut self.found.body, contest.value);
        let dtype = body.dtype(e);
        if dtype != self.dtypes[contest.carried] || dtype.is_complex() || dtype == DType::Bool {
            return None;
        }
        let is_least = matches!(contest.op, ScalarOp::Lt | ScalarOp::Le);
        let reducer = if is_least { Reducer::Min } else { Reducer::Max };
        let worst = body.push(InstrKind::Constant(reducer.identity(dtype)), dtype);
        let mut value = e;
        if dtype.is_float() {
            let is_number = body.op(ScalarOp::Eq, &[e, e]);
            value = body.op(ScalarOp::Select, &[is_number, value, worst]);
        }
        if let Some(when) = contest.when {
            value = body.op(ScalarOp::Select, &[when, value, worst]);
        }
        Some((self.output(value, reducer)?, value))
    }

    /// The index of a loop where a contest is won first; where the last one of equals wins, where it is won last.
    fn beside(&mut self, contest: Contest, value: Val) -> Option<Last> {
        let is_own = self.found.becomes[contest.carried] == Known::Best(contest);
        let is_last = matches!(contest.op, ScalarOp::Le | ScalarOp::Ge);
        let axis = self.found.indices.iter().position(|(index, ..)| *index == value)?;
        if !is_own || *self.is_backwards.get_or_insert(is_last) != is_last {
            return None;
        }
        let (best, compared) = self.best(contest)?;
        let is_least = matches!(contest.op, ScalarOp::Lt | ScalarOp::Le);
        let position = self.output(compared, if is_least { Reducer::ArgMin } else { Reducer::ArgMax })?;
        let at_worst = match is_last && compared != contest.value {
            true => Some(self.at_worst(contest)?),
            false => None,
        };
        let (_, lower, step) = self.found.indices[axis];
        for bound in [lower, step] {
            if let InstrKind::Input(n) = self.found.body.kind(bound)
                && let Source::Scalar(n) = self.found.inputs[*n as usize]
            {
                self.scalars.push(n);
            }
        }
        Some(Last::Position { carried: contest.carried, op: contest.op, best, position, axis, at_worst })
    }

    /// Whether a work item that takes part in a contest is the worst that there is, as those that do not are said to be, and the first one.
    fn at_worst(&mut self, contest: Contest) -> Option<(usize, usize)> {
        let (body, e) = (&mut self.found.body, contest.value);
        let dtype = body.dtype(e);
        let reducer = if contest.op == ScalarOp::Le { Reducer::Min } else { Reducer::Max };
        let worst = body.push(InstrKind::Constant(reducer.identity(dtype)), dtype);
        let mut is_worst = body.op(ScalarOp::Eq, &[e, worst]);
        if let Some(when) = contest.when {
            is_worst = body.op(ScalarOp::BitAnd, &[is_worst, when]);
        }
        let as_number = body.cast(is_worst, DType::I64);
        Some((self.output(is_worst, Reducer::Or)?, self.output(as_number, Reducer::ArgMax)?))
    }
}

/// How large the magnitude of an integer of a body may be.
pub(crate) fn size(body: &BodyBuilder, val: Val) -> Option<i64> {
    // From the first instruction on: a value that is used twice is looked at once.
    let mut sizes = Vec::with_capacity(val.0 as usize + 1);
    for n in 0..=val.0 {
        let size = size_by_operands(body, Val(n), &sizes).filter(|size| *size < HALF);
        sizes.push(size);
    }
    sizes.pop()?
}

fn size_by_operands(body: &BodyBuilder, val: Val, sizes: &[Option<i64>]) -> Option<i64> {
    let of = |v: &Val| sizes[v.0 as usize];
    let by_dtype = match body.dtype(val) {
        DType::Bool => Some(1),
        DType::I8 | DType::U8 => Some(1 << 8),
        DType::I16 | DType::U16 => Some(1 << 16),
        DType::I32 | DType::U32 => Some(1 << 32),
        _ => None,
    };
    match body.kind(val) {
        InstrKind::Constant(Constant::Int(n)) => n.checked_abs(),
        InstrKind::Op(ScalarOp::Cast, of_one) if !body.dtype(of_one[0]).is_float() => {
            by_dtype.or_else(|| of(&of_one[0]))
        }
        // No larger than a mask that is not negative, which is as well for the other one.
        InstrKind::Op(ScalarOp::BitAnd, both) => both.iter().filter_map(|v| masked(body, *v)).min(),
        InstrKind::Op(ScalarOp::Select, of_three) => Some(of(&of_three[1])?.max(of(&of_three[2])?)),
        InstrKind::Op(ScalarOp::Add | ScalarOp::Sub, both) => of(&both[0])?.checked_add(of(&both[1])?),
        InstrKind::Op(ScalarOp::Mul, both) => of(&both[0])?.checked_mul(of(&both[1])?),
        InstrKind::Op(ScalarOp::Neg, one) => of(&one[0]),
        // Smaller than the divisor, and 0 where that is 0.
        InstrKind::Op(ScalarOp::Mod, both) => of(&both[1]),
        _ => by_dtype,
    }
}

/// What an integer is, if it is a constant that is not negative.
fn masked(body: &BodyBuilder, val: Val) -> Option<i64> {
    if let InstrKind::Constant(Constant::Int(n @ 0..)) = body.kind(val) { Some(*n) } else { None }
}

/// The loop's results, of the reducers' results, what was carried first, and scalars.
fn results(
    found: &Recurrences,
    outputs: &[(Val, Reducer)],
    mut scalars: Vec<u32>,
    (finals, is_backwards): (&[Last], bool),
    dtypes: &[DType],
) -> Option<(Body, Vec<u32>)> {
    scalars.sort_unstable();
    scalars.dedup();
    let mut body = BodyBuilder::new();
    let mut cells = Vec::with_capacity(outputs.len());
    for (n, (val, reducer)) in outputs.iter().enumerate() {
        cells.push(body.input(n as u32, reducer.result(found.body.dtype(*val))?));
    }
    let first = |body: &mut BodyBuilder, k: usize| body.input((outputs.len() + k) as u32, dtypes[k]);
    let fixed = |body: &mut BodyBuilder, val: Val| -> Option<Val> {
        let dtype = found.body.dtype(val);
        match found.body.kind(val) {
            InstrKind::Constant(constant) => Some(body.push(InstrKind::Constant(*constant), dtype)),
            InstrKind::Input(n) => {
                let Source::Scalar(scalar) = found.inputs[*n as usize] else { return None };
                let n = scalars.iter().position(|s| *s == scalar)?;
                Some(body.input((outputs.len() + dtypes.len() + n) as u32, dtype))
            }
            _ => None,
        }
    };
    let mut values = Vec::with_capacity(finals.len());
    for (k, last) in finals.iter().enumerate() {
        if let Last::Found(n) = *last {
            values.push(cells[n]);
            continue;
        }
        let before = first(&mut body, k);
        values.push(match *last {
            Last::First | Last::Found(_) => before,
            Last::Combined(op, n) => body.op(op, &[before, cells[n]]),
            Last::Best(op, n) => {
                let wins = body.op(op, &[cells[n], before]);
                body.op(ScalarOp::Select, &[wins, cells[n], before])
            }
            Last::Position { carried, op, best, position, axis, at_worst } => {
                let against = first(&mut body, carried);
                let mut wins = body.op(op, &[cells[best], against]);
                let mut position = cells[position];
                if let Some((any, first)) = at_worst {
                    let reducer = if op == ScalarOp::Le { Reducer::Min } else { Reducer::Max };
                    let dtype = dtypes[carried];
                    let worst = body.push(InstrKind::Constant(reducer.identity(dtype)), dtype);
                    let is_better = body.op(ScalarOp::Ne, &[cells[best], worst]);
                    let takes_part = body.op(ScalarOp::BitOr, &[is_better, cells[any]]);
                    wins = body.op(ScalarOp::BitAnd, &[wins, takes_part]);
                    position = body.op(ScalarOp::Select, &[is_better, position, cells[first]]);
                }
                let extents = (0..found.n_loops)
                    .map(|n| body.input((outputs.len() + dtypes.len() + scalars.len() + n) as u32, DType::I64));
                let extents: Vec<Val> = extents.collect();
                let at = index_along(&mut body, position, &extents, axis, is_backwards);
                let (_, lower, step) = found.indices[axis];
                let (lower, step) = (fixed(&mut body, lower)?, fixed(&mut body, step)?);
                let moved = body.op(ScalarOp::Mul, &[at, step]);
                let index = body.op(ScalarOp::Add, &[lower, moved]);
                body.op(ScalarOp::Select, &[wins, index, before])
            }
            Last::Set(n, value) => {
                let value = fixed(&mut body, value)?;
                body.op(ScalarOp::Select, &[cells[n], value, before])
            }
        });
    }
    Some((body.finish(values), scalars))
}

/// The index along an axis of a position among all work items, which are counted from the last one on if they were taken backwards.
fn index_along(body: &mut BodyBuilder, position: Val, extents: &[Val], axis: usize, is_backwards: bool) -> Val {
    let mut at = position;
    for extent in extents[axis + 1..].iter().rev() {
        at = body.op(ScalarOp::FloorDiv, &[at, *extent]);
    }
    if axis > 0 {
        at = body.op(ScalarOp::Mod, &[at, extents[axis]]);
    }
    if is_backwards {
        let one = body.push(InstrKind::Constant(Constant::Int(1)), DType::I64);
        let last = body.op(ScalarOp::Sub, &[extents[axis], one]);
        at = body.op(ScalarOp::Sub, &[last, at]);
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_values_that_are_used_twice_are_found_at_once() {
        let mut body = BodyBuilder::new();
        let byte = body.input(0, DType::I8);
        let mut sum = body.cast(byte, DType::I64);
        for n in 0..60 {
            let is_known = n < 54;
            assert_eq!(size(&body, sum), is_known.then(|| 256 << n));
            sum = body.op(ScalarOp::Add, &[sum, sum]);
        }
    }
}
