//! Loops that carry the position of an extreme, and read the element there again to compare it, as reductions.
//!
//! In: `k = 0`, `for j in range(1, len(x)): if x[j] > x[k]: k = j`, a loop that stores nothing, with an int that each iteration leaves or makes its own
//! index. Out: the loop that carries `x[k]`, or what is compared of it, beside `k`, where that is a reduction. What is carried first is read only where
//! the loop would read it: where it has iterations, and the int is within bounds when it begins, so that no index counts from the end; elsewhere
//! the loop runs as it is written.

use std::collections::{HashMap, HashSet};

use numptx_ir::DType;
use numptx_ir::array::{Op, OpKind, Region, Type, ValueId};
use numptx_ir::scalar::ScalarOp;

use crate::analysis::traverse::{Substitution, for_each_op, substitute};
use crate::loops::assumptions::guards::HostProgram;
use crate::loops::assumptions::kinds::{Assumption, Kind};
use crate::loops::assumptions::versions::{Version, Versions};
use crate::loops::emit::hoist::define;
use crate::loops::function::FormNests;
use crate::loops::idioms::compared::{Compared, compared};
use crate::loops::idioms::reductions::{Beginning, carries_only};
use crate::source::remove_dead::remove_dead_in;

/// An int that a loop carries.
struct Position<'o> {
    carried: ValueId,
    /// The loop's own index.
    index: ValueId,
    /// What is compared of the element there.
    value: ValueId,
    /// The ops in the loop, by their results.
    made: &'o HashMap<ValueId, Op>,
    /// What depends on the int, or stands in a branch: at another position that has to be made anew.
    anew: &'o HashSet<ValueId>,
    of: &'o Compared,
}

/// What a position has to be below.
enum Bound {
    Number(ValueId),
    /// An array's extent along an axis.
    Extent(ValueId, usize),
}

/// Of a loop with an element beside a position: how the element is read first, and where the position may begin.
struct First {
    ops: Vec<Op>,
    element: ValueId,
    start: ValueId,
    below: Vec<Bound>,
}

impl FormNests<'_> {
    /// A loop that carries positions as a reduction, where they begin within bounds; else as nests, or as it was.
    pub fn positioned(&mut self, op: &Op) -> Option<Versions> {
        if op.kind != OpKind::For || op.results.is_empty() || !carries_only(op) {
            return None;
        }
        let step = self.known.constant(op.operands[2]).filter(|step| *step != 0)?;
        let (fast, beginnings) = self.with_elements(op)?;
        for (n, second) in beginnings.iter().enumerate() {
            let first = beginnings[..n].iter().find(|first| self.begin_alike(first, second));
            self.known.same.extend(first.map(|first| (second.element, first.element)));
        }
        let mut begins = Beginning::default();
        beginnings.iter().for_each(|beginning| self.begins_within(op, step, beginning, &mut begins));
        let mut version = self.reduction_beginning(&fast, begins)?;
        let Version { before, then, .. } = &mut version;
        then.last_mut()?.operands.truncate(op.results.len());
        // The element is waited for together with what the reduction finds.
        let end = then.iter().position(|op| matches!(op.kind, OpKind::Reduce(_)))? + 1;
        let is_first = |v: &ValueId| beginnings.iter().any(|beginning| beginning.element == *v);
        if before.iter().chain(&then[..end]).any(|op| op.operands.iter().any(is_first)) {
            return None;
        }
        then.splice(end..end, beginnings.into_iter().flat_map(|beginning| beginning.ops));
        Some(Versions::from(version).or_any(self.best_assuming(op)))
    }

    /// Whether two positions begin at one element.
    fn begin_alike(&self, first: &First, second: &First) -> bool {
        let starts = [first.start, second.start].map(|v| self.known.constant(v));
        let is_same_start = first.start == second.start || (starts[0].is_some() && starts[0] == starts[1]);
        let mut names = HashMap::from([(second.start, first.start)]);
        let mut is_same = |(a, b): (&Op, &Op)| {
            let operands = b.operands.iter().map(|v| names.get(v).copied().unwrap_or(*v));
            let is_same = a.kind == b.kind && operands.eq(a.operands.iter().copied());
            names.extend(b.results.iter().copied().zip(a.results.iter().copied()));
            is_same
        };
        is_same_start
            && first.ops.len() == second.ops.len()
            && first.ops.iter().zip(&second.ops).all(&mut is_same)
            && names.get(&second.element) == Some(&first.element)
    }

    /// A loop with an element beside each position that it carries, if there is one.
    fn with_elements(&mut self, op: &Op) -> Option<(Op, Vec<First>)> {
        let mut fast = op.clone();
        let mut beginnings = Vec::new();
        for n in 0..op.results.len() {
            let mut with = fast.clone();
            self.rename(std::slice::from_mut(&mut with));
            if let Some(beginning) = self.with_element(&mut with, n) {
                fast = with;
                beginnings.push(beginning);
            }
        }
        (!beginnings.is_empty()).then_some((fast, beginnings))
    }

    /// Assumes that every position of a loop is within bounds: the first one, and its indices.
    fn begins_within(&mut self, op: &Op, step: i64, first: &First, begins: &mut Beginning) {
        let (lower, upper) = (op.operands[0], op.operands[1]);
        let [starts, lowest, ends] = [first.start, lower, upper].map(|v| self.known.constant(v));
        let extents = &self.known.extents;
        let mut host = HostProgram::new(self.function, op.span);
        let assumptions = &mut begins.assumptions;
        let mut assume = |host: &mut HostProgram, op: ScalarOp, a: ValueId, b: ValueId| {
            let holds = host.scalar(OpKind::Scalar(op), vec![a, b], DType::Bool);
            assumptions.push(Assumption::holds(Kind::InBounds, holds));
        };
        let (least, known, last) = if step > 0 { (lower, lowest, 0) } else { (upper, ends, -1) };
        for (value, known, least) in [(first.start, starts, 0), (least, known, last)] {
            if known.is_none_or(|known| known < least) {
                let least = host.number(least);
                assume(&mut host, ScalarOp::Le, least, value);
            }
        }
        for bound in &first.below {
            let bound = match bound {
                Bound::Number(n) => *n,
                Bound::Extent(array, axis) => {
                    let known = extents.get(&(*array, *axis)).copied();
                    known.unwrap_or_else(|| host.scalar(OpKind::Dim(*axis), vec![*array], DType::I64))
                }
            };
            assume(&mut host, ScalarOp::Lt, first.start, bound);
            let (compares, most) = if step > 0 { (ScalarOp::Le, upper) } else { (ScalarOp::Lt, lower) };
            assume(&mut host, compares, most, bound);
        }
        begins.before.append(&mut host.ops);
    }

    /// Carries beside the `n`th int of a loop what is compared of the element there, if the loop compares something of one.
    fn with_element(&mut self, op: &mut Op, n: usize) -> Option<First> {
        let mut inside = HashSet::new();
        define(op, &mut inside);
        let is_outside = |v: ValueId| !inside.contains(&v);
        let (start, region) = (op.operands[n + 3], op.regions.first_mut()?);
        let (index, carried) = (region.parameters[0], region.parameters[n + 1]);
        if self.function.ty(carried) != Type::Scalar(DType::I64) {
            return None;
        }
        self.count_from_the_start(region, [index, carried]);
        let (made, mut anew) = (made_in(region), depending_on(region, carried));
        let value = self.function.add_value(Type::Scalar(DType::I64));
        let of = compared(region, &anew, value)?;
        let ty = Type::Scalar(of.body.dtype(*of.body.outputs.first()?));
        self.function.values[value.0 as usize].ty = ty;
        let mut below = self.drop_checks(region, carried, &made, &is_outside);
        below.extend(bounds_of(&of, carried, &anew, &made)?);
        anew.extend(made.keys().filter(|v| !region.ops.iter().any(|op| op.results.contains(v))));

        let position = Position { carried, index, value, made: &made, anew: &anew, of: &of };
        let mut names = HashMap::from([(carried, start)]);
        let mut host = HostProgram::new(self.function, op.span);
        let element = position.read(&mut host, &mut names, &is_outside)?;
        let ops = std::mem::take(&mut host.ops);
        let result = self.function.add_value(ty);
        let at = region.ops.last()?.operands.get(n).copied()?;
        let yielded = self.element_of(region, at, &position)?;
        region.ops.last_mut()?.operands.push(yielded);
        region.parameters.push(value);
        remove_dead_in(region, self.function.values.len());
        op.operands.push(element);
        op.results.push(result);
        Some(First { ops, element, start, below })
    }

    /// Takes indices of a loop for what they are where they are at least 0.
    fn count_from_the_start(&self, region: &mut Region, indices: [ValueId; 2]) {
        let made = made_in(region);
        let mut names = Substitution::default();
        for (result, op) in &made {
            let (OpKind::Scalar(ScalarOp::Select), [condition, _, index]) = (&op.kind, op.operands.as_slice()) else {
                continue;
            };
            let is_below = |op: &Op| {
                op.kind == OpKind::Scalar(ScalarOp::Lt)
                    && op.operands[0] == *index
                    && self.known.constant(op.operands[1]) == Some(0)
            };
            if indices.contains(index) && made.get(condition).is_some_and(is_below) {
                names.replace(*result, *index);
            }
        }
        substitute(region, &names);
    }

    /// Drops a region's checks that a position is at least 0, and below ints from before the loop: these.
    fn drop_checks(
        &self,
        region: &mut Region,
        position: ValueId,
        made: &HashMap<ValueId, Op>,
        is_outside: &dyn Fn(ValueId) -> bool,
    ) -> Vec<Bound> {
        let mut below = Vec::new();
        region.ops.retain(|op| {
            let tested = op.operands.first().and_then(|v| made.get(v));
            let (OpKind::Check { .. }, Some(tested)) = (&op.kind, tested) else { return true };
            let &[a, b] = tested.operands.as_slice() else { return true };
            match tested.kind {
                OpKind::Scalar(ScalarOp::Le) => b != position || self.known.constant(a) != Some(0),
                OpKind::Scalar(ScalarOp::Lt) if a == position && is_outside(b) => {
                    below.push(Bound::Number(b));
                    false
                }
                _ => true,
            }
        });
        for op in &mut region.ops {
            op.regions.iter_mut().for_each(|nested| below.extend(self.drop_checks(nested, position, made, is_outside)));
        }
        below
    }

    /// What is compared of the element at the position that a value of a region is; the branches that choose the position choose it, too.
    fn element_of(&mut self, region: &mut Region, at: ValueId, position: &Position) -> Option<ValueId> {
        if at == position.carried {
            return Some(position.value);
        }
        if at == position.index {
            let mut host = HostProgram::new(self.function, region.ops.last()?.span);
            let mut names = HashMap::from([(position.carried, position.index)]);
            let value = position.read(&mut host, &mut names, &|v| !position.anew.contains(&v))?;
            let ops = std::mem::take(&mut host.ops);
            let end = region.ops.len() - 1;
            region.ops.splice(end..end, ops);
            return Some(value);
        }
        let choice = region.ops.iter_mut().find(|op| op.kind == OpKind::If && op.results.contains(&at))?;
        let n = choice.results.iter().position(|v| *v == at)?;
        for branch in &mut choice.regions {
            let at = branch.ops.last()?.operands.get(n).copied()?;
            let value = self.element_of(branch, at, position)?;
            branch.ops.last_mut()?.operands.push(value);
        }
        let result = self.function.add_value(self.function.ty(position.value));
        choice.results.push(result);
        Some(result)
    }
}

impl Position<'_> {
    /// Reads what is compared at the position that `names` gives for the carried one. `is_there`: whether a value need not be made anew.
    fn read(
        &self,
        host: &mut HostProgram,
        names: &mut HashMap<ValueId, ValueId>,
        is_there: &dyn Fn(ValueId) -> bool,
    ) -> Option<ValueId> {
        let mut inputs = Vec::with_capacity(self.of.operands.len());
        for operand in &self.of.operands {
            let made = self.make(host, *operand, names, is_there)?;
            inputs.push(if matches!(host.ty(made), Type::Array(_)) { host.item(made) } else { made });
        }
        host.run_body(&self.of.body, &inputs).first().copied()
    }

    fn make(
        &self,
        host: &mut HostProgram,
        value: ValueId,
        names: &mut HashMap<ValueId, ValueId>,
        is_there: &dyn Fn(ValueId) -> bool,
    ) -> Option<ValueId> {
        if let Some(name) = names.get(&value) {
            return Some(*name);
        }
        if is_there(value) {
            return Some(value);
        }
        let op = self.made.get(&value)?;
        let may_be_made = match &op.kind {
            OpKind::Map(map) => map.rank == 0,
            OpKind::Constant(_) | OpKind::Scalar(_) | OpKind::Index { .. } | OpKind::Item => true,
            _ => false,
        };
        let [_] = op.results.as_slice() else { return None };
        if !may_be_made {
            return None;
        }
        let operands: Option<Vec<ValueId>> = op.operands.iter().map(|v| self.make(host, *v, names, is_there)).collect();
        let made = match op.kind {
            OpKind::Constant(_) | OpKind::Scalar(_) => {
                let dtype = host.ty(value).dtype();
                host.scalar(op.kind.clone(), operands?, dtype)
            }
            _ => host.derived(op.kind.clone(), operands?)?.first().copied()?,
        };
        names.insert(value, made);
        Some(made)
    }
}

fn made_in(region: &Region) -> HashMap<ValueId, Op> {
    let mut made = HashMap::new();
    for_each_op(region, &mut |op| made.extend(op.results.iter().map(|v| (*v, op.clone()))));
    made
}

fn depending_on(region: &Region, value: ValueId) -> HashSet<ValueId> {
    let mut depending = HashSet::from([value]);
    for_each_op(region, &mut |op| {
        if op.operands.iter().any(|v| depending.contains(v)) {
            depending.extend(&op.results);
        }
    });
    depending
}

/// The view's first array and axis that an index of a loop's view goes along, if these are from before the loop.
fn origin(mut array: ValueId, mut axis: usize, made: &HashMap<ValueId, Op>) -> Option<(ValueId, usize)> {
    while let Some(op) = made.get(&array) {
        let OpKind::Index { axis: gone } = op.kind else { return None };
        axis += usize::from(axis >= gone);
        array = op.operands[0];
    }
    Some((array, axis))
}

/// The extents that a position has to be below so that what is compared can be read there; `None` if something else than the position itself is an index.
fn bounds_of(
    compared: &Compared,
    position: ValueId,
    depending: &HashSet<ValueId>,
    made: &HashMap<ValueId, Op>,
) -> Option<Vec<Bound>> {
    let mut bounds = Vec::new();
    let mut open = compared.operands.clone();
    while let Some(value) = open.pop() {
        let Some(op) = made.get(&value) else { continue };
        if let (OpKind::Index { axis }, [array, at]) = (&op.kind, op.operands.as_slice())
            && depending.contains(at)
        {
            let (array, axis) = origin(*array, *axis, made)?;
            bounds.push(Bound::Extent(array, axis));
            if *at != position {
                return None;
            }
        }
        open.extend(&op.operands);
    }
    Some(bounds)
}
