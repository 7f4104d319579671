//! **Does**: takes arrays that iterations carry, each as it was or made anew, out of what a loop carries.
//! **Requires**: phase Placed.
//! **Ensures**: what an iteration makes anew is copied to a home of its own at the iteration's end, which is made before the loop. A loop stays as it is
//! where somebody could tell the homes from the arrays that they stand for: what is in them has the extents of the first one, whose memory
//! nobody else sees or the loop does not write.
//! **Keeps**: values. An iteration that makes an array of other extents raises, for which a strategy has the loop as it was.
//! **Example**: `%c = for … %a (%i; %x) { %y = map %x …; yield %y }` becomes `%h = alloc …; store %h, %a; for … (%i) { %y = map %h …; store %h, %y }`.

use std::collections::{HashMap, HashSet};

use numptx_ir::DType;
use numptx_ir::array::{ArrayType, ErrorKind, Layout, Op, OpKind, Order, Store, ValueId};
use numptx_ir::scalar::{Body, ScalarOp};

use crate::Pass;
use crate::analysis::points_to::written_arrays;
use crate::analysis::traverse::{Substitution, for_each_op, substitute, terminator_operands};
use crate::loops::assumptions::guards::HostProgram;
use crate::loops::canonical::each_loop::{Rewritten, each_loop};
use crate::loops::emit::hoist::define;
use crate::loops::function::FormNests;

/// See the file's header.
pub const CARRIED_ARRAYS: Pass =
    Pass::optional("carried-arrays", "keep the arrays that loops carry in one place", |module| {
        each_loop(module, without_carried_arrays)
    });

fn without_carried_arrays(pass: &mut FormNests, op: &Op) -> Option<Rewritten> {
    let mut copy = op.clone();
    pass.rename(std::slice::from_mut(&mut copy));
    let carried = pass.carried_arrays(op, &mut copy).filter(|carried| carried.results.iter().any(Option::is_some))?;
    let results = carried.values(copy.results.clone())?;
    Some(Rewritten { ops: [carried.before, carried.homes, vec![copy]].concat(), results })
}

/// The arrays that a loop does not carry any more.
#[derive(Debug, Default)]
pub struct CarriedArrays {
    /// Scalars before the loop and its condition.
    pub before: Vec<Op>,
    /// Ops that make homes.
    pub homes: Vec<Op>,
    /// One a result of the loop as it was: the array that it is now, or none where the loop still carries it.
    pub results: Vec<Option<ValueId>>,
    /// Whether a home stands for an array that others have: where there is no iteration, that is what there is.
    pub has_copies: bool,
    /// Extents that have names before the loop.
    pub extents: HashMap<(ValueId, usize), ValueId>,
}

impl CarriedArrays {
    /// The values of the results of the loop as it was, with those that it still carries.
    pub fn values(&self, carried: Vec<ValueId>) -> Option<Vec<ValueId>> {
        let mut carried = carried.into_iter();
        self.results.iter().map(|array| array.or_else(|| carried.next())).collect()
    }
}

impl FormNests<'_> {
    /// Takes arrays with axes out of what a loop carries; `None` where that would show. `original` is the loop under its own names.
    pub fn carried_arrays(&mut self, original: &Op, op: &mut Op) -> Option<CarriedArrays> {
        let mut carried = CarriedArrays { results: vec![None; op.results.len()], ..CarriedArrays::default() };
        let n_bounds = op.operands.len() - op.results.len();
        let (body, is_while) = (op.regions.len() - 1, op.kind == OpKind::While);
        let n_indices = usize::from(!is_while);
        let mut names = Substitution::default();
        let mut made = Vec::new();
        for position in 0..op.results.len() {
            if self.function.array(op.results[position]).is_none_or(|array| array.rank == 0) {
                continue;
            }
            let initial = op.operands[n_bounds + position];
            let parameter = op.regions[body].parameters[n_indices + position];
            let yielded = terminator_operands(&op.regions[body])[position];
            let is_unchanged = yielded == parameter;
            let array = if is_unchanged {
                let is_same = self.function.ty(initial) == self.function.ty(op.results[position]);
                if !is_same && self.facts.is_used(original.results[position]) {
                    return None;
                }
                initial
            } else {
                if !self.may_have_home(original, op, position) {
                    return None;
                }
                made.push((position, yielded));
                let is_alone = self.is_alone(original.operands[n_bounds + position]);
                carried.has_copies |= !is_alone && self.facts.is_used(original.results[position]);
                self.home_of(initial, is_alone, &mut carried)
            };
            for region in &op.regions {
                let at = region.parameters.len() - op.results.len() + position;
                names.replace(region.parameters[at], array);
            }
            carried.results[position] = Some(array);
        }
        let is_twice = |n: usize| made[..n].iter().any(|(_, other)| self.known.points_to.may_share(*other, made[n].1));
        if (0..made.len()).any(is_twice) {
            return None;
        }
        op.regions.iter_mut().for_each(|region| substitute(region, &names));
        for (position, yielded) in made {
            let Some(home) = carried.results[position] else { continue };
            self.store_home(op, names.resolve(yielded), home)?;
        }
        self.drop_carried(op, &carried.results, n_bounds);
        self.name_extents(op, &mut carried);
        Some(carried)
    }

    /// Whether what a loop carries at a position, made anew by each iteration, may stay in one place.
    fn may_have_home(&self, original: &Op, op: &Op, position: usize) -> bool {
        let body = &op.regions[op.regions.len() - 1];
        let (result, initial) =
            (original.results[position], original.operands[original.operands.len() - op.results.len() + position]);
        let yielded = terminator_operands(body)[position];
        let is_plain = |v: ValueId| self.function.array(v).is_some_and(|a| a.layout == Layout::C && a.writable);
        let mut inside = HashSet::new();
        body.ops.iter().filter(|op| op.regions.is_empty()).for_each(|op| define(op, &mut inside));
        // Renamed values stand for the locations of those that they were.
        let is_fresh = inside.contains(&yielded) && {
            let maker = body.ops.iter().find(|op| op.results.contains(&yielded));
            maker.is_some_and(|op| matches!(op.kind, OpKind::Map(_) | OpKind::Reduce(_) | OpKind::Alloc { .. }))
        };
        let written: Vec<ValueId> = op.regions.iter().flat_map(|region| &region.ops).flat_map(written_arrays).collect();
        let first = self.known.points_to.locations(initial);
        let is_written = written.iter().any(|v| self.known.points_to.locations(*v).iter().any(|l| first.contains(l)));
        if self.is_alone(initial) || !self.facts.is_used(result) {
            return [result, initial, yielded].into_iter().all(is_plain) && is_fresh && !is_written;
        }
        // What others have is copied, and must not change under them.
        let is_apart = written.iter().all(|v| self.facts.apart.are(initial, *v, &self.known.points_to));
        is_plain(yielded) && is_fresh && !is_written && is_apart
    }

    /// Whether the loop alone uses an array, which was made for it each time that it runs.
    fn is_alone(&self, initial: ValueId) -> bool {
        let is_made_for_it = self.made.contains(&initial) && self.known.points_to.locations(initial) == [initial];
        is_made_for_it && self.facts.uses.get(initial.0 as usize) == Some(&1)
    }

    /// A home with the extents of an array, which holds what that does: the array itself, if nobody else has it.
    fn home_of(&mut self, initial: ValueId, is_alone: bool, carried: &mut CarriedArrays) -> ValueId {
        let ArrayType { dtype, rank, .. } = self.function.array(initial).unwrap_or(ArrayType {
            dtype: DType::F64,
            rank: 0,
            layout: Layout::C,
            writable: true,
        });
        let known: Vec<Option<ValueId>> =
            (0..rank).map(|axis| self.known.extents.get(&(initial, axis)).copied()).collect();
        let mut host = HostProgram::new(self.function, Default::default());
        let mut extents = Vec::with_capacity(rank);
        for (axis, known) in known.into_iter().enumerate() {
            extents.push(known.unwrap_or_else(|| host.scalar(OpKind::Dim(axis), vec![initial], DType::I64)));
        }
        carried.before.append(&mut host.ops);
        if is_alone {
            extents
                .iter()
                .enumerate()
                .for_each(|(axis, extent)| _ = self.known.extents.insert((initial, axis), *extent));
            return initial;
        }
        let home = host.add_array(ArrayType { dtype, rank, layout: Layout::C, writable: true });
        host.push(OpKind::Alloc { dtype, order: Order::C }, extents.clone(), vec![home]);
        let store = Store { rank, body: Body::identity(dtype) };
        host.push(OpKind::Store(Box::new(store)), [&extents[..], &[home, initial]].concat(), Vec::new());
        carried.homes.append(&mut host.ops);
        self.known.points_to.add_fresh(home);
        for (axis, extent) in extents.into_iter().enumerate() {
            self.known.extents.insert((home, axis), extent);
        }
        home
    }

    /// Copies what an iteration made to its home, at the end, if it has its extents.
    fn store_home(&mut self, op: &mut Op, yielded: ValueId, home: ValueId) -> Option<()> {
        let body = op.regions.last_mut()?;
        let maker = body.ops.iter().find(|op| op.results.contains(&yielded))?;
        let array = self.function.array(home)?;
        let made: Vec<ValueId> = maker.operands.get(..array.rank)?.to_vec();
        let extents: Option<Vec<ValueId>> =
            (0..array.rank).map(|axis| self.known.extents.get(&(home, axis)).copied()).collect();
        let extents = extents?;
        let number = |v: &ValueId| self.known.constants.get(v).and_then(|constant| constant.as_int());
        let differ = |(a, b): (&ValueId, &ValueId)| number(a).zip(number(b)).is_some_and(|(a, b)| a != b);
        if made.iter().zip(&extents).any(differ) {
            return None;
        }
        let mut host = HostProgram::new(self.function, maker.span);
        for (made, extent) in made.into_iter().zip(&extents) {
            let is_equal = host.scalar(OpKind::Scalar(ScalarOp::Eq), vec![made, *extent], DType::Bool);
            let message = "an iteration changes an extent".to_owned();
            host.push(OpKind::Check { kind: ErrorKind::Value, message }, vec![is_equal], Vec::new());
        }
        let store = Store { rank: array.rank, body: Body::identity(array.dtype) };
        host.push(OpKind::Store(Box::new(store)), [&extents[..], &[home, yielded]].concat(), Vec::new());
        let at = body.ops.len() - 1;
        body.ops.splice(at..at, std::mem::take(&mut host.ops));
        Some(())
    }

    /// Leaves out what is not carried any more.
    fn drop_carried(&mut self, op: &mut Op, results: &[Option<ValueId>], n_bounds: usize) {
        let is_kept = |n: usize| results[n].is_none();
        let keep = |values: &mut Vec<ValueId>, first: usize| {
            let mut n = 0;
            values.retain(|_| {
                n += 1;
                n <= first || is_kept(n - 1 - first)
            });
        };
        keep(&mut op.operands, n_bounds);
        keep(&mut op.results, 0);
        let last = op.regions.len() - 1;
        for (n, region) in op.regions.iter_mut().enumerate() {
            let first = region.parameters.len() - results.len();
            keep(&mut region.parameters, first);
            if let Some(end) = region.ops.last_mut().filter(|_| n == last) {
                keep(&mut end.operands, 0);
            }
        }
    }

    /// The extents of homes, and of arrays that stay as they were, by names that they have before the loop.
    fn name_extents(&mut self, op: &mut Op, carried: &mut CarriedArrays) {
        let homes: Vec<ValueId> = carried.results.iter().flatten().copied().collect();
        let mut asked: Vec<(ValueId, usize, ValueId)> = Vec::new();
        let mut visit = |op: &Op| {
            if let OpKind::Dim(axis) = op.kind
                && homes.contains(&op.operands[0])
            {
                asked.push((op.operands[0], axis, op.results[0]));
            }
        };
        op.regions.iter().for_each(|region| for_each_op(region, &mut visit));
        let mut names = Substitution::default();
        for (array, axis, extent) in asked {
            let known = self.known.extents.get(&(array, axis)).or_else(|| carried.extents.get(&(array, axis))).copied();
            let known = known.unwrap_or_else(|| {
                let mut host = HostProgram::new(self.function, op.span);
                let known = host.scalar(OpKind::Dim(axis), vec![array], DType::I64);
                carried.before.append(&mut host.ops);
                known
            });
            carried.extents.insert((array, axis), known);
            names.replace(extent, known);
        }
        op.regions.iter_mut().for_each(|region| substitute(region, &names));
    }
}
