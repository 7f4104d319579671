//! **Does**: takes arrays that change names from iteration to iteration, as in `a, b = b, a`, out of what a loop carries.
//! **Requires**: phase Placed.
//! **Ensures**: the loop carries a number, its *rotation*, which tells what array a name stands for; each rotation has a body of its own. Whether arrays
//! overlap is answered where they are known to lie apart. A loop that carries arrays in another way, too, stays as it is.
//! **Keeps**: values. Scalars that change names with the arrays are known at each rotation as these are.
//! **Example**: `%c, %d = for … %a, %b (%i; %x, %y) { …; yield %y, %x }` becomes `%r = for … 0 (%i; %t) { if %t = 0 { … %a, %b … } else { … %b, %a … } }`.

use std::collections::{HashMap, HashSet};

use numptx_ir::DType;
use numptx_ir::array::{Op, OpKind, Region, Type, ValueId};
use numptx_ir::scalar::{Constant, ScalarOp};

use crate::Pass;
use crate::loops::canonical::each_loop::{Rewritten, each_loop};
use numptx_source::Span;

use crate::analysis::traverse::{Substitution, substitute, terminator_operands};
use crate::loops::assumptions::guards::HostProgram;
use crate::loops::function::FormNests;
use crate::rewrite::emit::yielding;

/// See the file's header.
pub const DOUBLE_BUFFERS: Pass =
    Pass::optional("double-buffers", "let loops rotate buffers by a number instead of carrying arrays", |module| {
        each_loop(module, with_double_buffers)
    });

fn with_double_buffers(pass: &mut FormNests, op: &Op) -> Option<Rewritten> {
    let (mut copy, mut ops, mut after) = (op.clone(), Vec::new(), Vec::new());
    pass.rename(std::slice::from_mut(&mut copy));
    let rotated = pass.rotated(&mut copy, &mut ops)?;
    if rotated.is_empty() {
        return None;
    }
    let mut others = copy.results.clone();
    let last = others.pop()?;
    let own = pass.rotated_results(op, &rotated, rotated.rotation().unwrap_or(last), &mut after);
    ops.push(copy);
    ops.append(&mut after);
    Some(Rewritten { ops, results: rotated.merged(others, own) })
}

/// Limit: rotations of a loop: each has a body.
const MAX_ROTATIONS: usize = 4;
/// Limit: iterations of a loop with a larger stride are not counted before it: 64 bits may not hold their bounds.
const MAX_STEP: i64 = 1 << 10;

/// What became of a loop that rotates arrays.
pub struct DoubleBuffers {
    /// The positions of these arrays among what the loop carried.
    positions: Vec<usize>,
    /// What each was before the loop.
    initial: Vec<ValueId>,
    /// Of each, from which one the next iteration takes it.
    from: Vec<usize>,
    n_rotations: usize,
    /// The rotation after the last iteration, where that is known before the loop.
    rotation: Option<ValueId>,
}

impl FormNests<'_> {
    /// Lets a loop rotate nothing; `None` where arrays are carried in another way, too. Scalars go to `before`.
    pub fn rotated(&mut self, op: &mut Op, before: &mut Vec<Op>) -> Option<DoubleBuffers> {
        let n_bounds = op.operands.len() - op.results.len();
        let body = op.regions.last()?;
        let n_indices = body.parameters.len() - op.results.len();
        let own = body.parameters[n_indices..].to_vec();
        let yielded = terminator_operands(body).to_vec();
        let array = |v: &ValueId| self.function.array(*v).is_some_and(|array| array.rank > 0);
        let is_array: Vec<bool> = own.iter().map(array).collect();
        let source = |n: usize| own.iter().position(|v| *v == yielded[n] && yielded[n] != own[n]);
        let mut positions: Vec<usize> = (0..own.len()).filter(|n| source(*n).is_some()).collect();
        if !positions.iter().any(|n| is_array[*n]) {
            positions.clear();
        }
        // Scalars that go with arrays, as numbers of objects do, are known at each rotation as these are.
        while let Some(at) = positions.iter().position(|n| {
            let is_taken = |n: usize| positions.iter().any(|m| source(*m) == Some(n));
            let goes_with = is_taken(*n) && source(*n).is_some_and(|m| positions.contains(&m));
            !(is_array[*n] || goes_with)
        }) {
            positions.remove(at);
        }
        let from: Option<Vec<usize>> =
            positions.iter().map(|n| positions.iter().position(|m| own[*m] == yielded[*n])).collect();
        let from = from?;
        let n_rotations = n_rotations(&from)?;
        let initial = positions.iter().map(|n| op.operands[n_bounds + n]).collect();
        let rotation = if positions.is_empty() { None } else { self.last_rotation(op, n_rotations, before) };
        let rotated = DoubleBuffers { positions, initial, from, n_rotations, rotation };
        if !rotated.positions.is_empty() {
            let is_other = |n: usize| !rotated.positions.contains(&n) && is_array[n];
            if (0..own.len()).any(|n| is_other(n) && yielded[n] != own[n]) {
                return None;
            }
            self.rotate(op, &rotated, before)?;
        }
        Some(rotated)
    }

    /// Of a loop that counts, the rotation after its last iteration. With a step up to [`MAX_STEP`] bounds whose distance 64 bits do not hold are so many
    /// iterations apart that no loop comes to its end.
    fn last_rotation(&mut self, op: &Op, n_rotations: usize, before: &mut Vec<Op>) -> Option<ValueId> {
        let step = if op.kind == OpKind::For { self.known.constant(op.operands[2])? } else { return None };
        let (from, to) = if step > 0 { (0, 1) } else { (1, 0) };
        let size = step.checked_abs().filter(|size| (1..=MAX_STEP).contains(size))?;
        let mut host = HostProgram::new(self.function, op.span);
        let mut scalar = |op, operands| host.scalar(OpKind::Scalar(op), operands, DType::I64);
        let distance = scalar(ScalarOp::Sub, vec![op.operands[to], op.operands[from]]);
        let numbers = [size - 1, size, 0, n_rotations as i64].map(|n| host.number(n));
        let mut scalar = |op, operands| host.scalar(OpKind::Scalar(op), operands, DType::I64);
        let rounded = scalar(ScalarOp::Add, vec![distance, numbers[0]]);
        let count = scalar(ScalarOp::FloorDiv, vec![rounded, numbers[1]]);
        let count = scalar(ScalarOp::Max, vec![count, numbers[2]]);
        let rotation = scalar(ScalarOp::Mod, vec![count, numbers[3]]);
        before.append(&mut host.ops);
        Some(rotation)
    }

    /// Takes rotated arrays out of what a loop carries, and lets it carry its rotation, last.
    fn rotate(&mut self, op: &mut Op, rotated: &DoubleBuffers, before: &mut Vec<Op>) -> Option<()> {
        let n_carried = op.results.len();
        let mut host = HostProgram::new(self.function, op.span);
        let first = host.number(0);
        let mut extents = HashMap::new();
        for array in rotated.initial.iter().copied() {
            let rank = host.array(array).map_or(0, |array| array.rank);
            for axis in 0..rank {
                let known = self.known.extents.get(&(array, axis)).filter(|_| self.made.contains(&array)).copied();
                let extent = known.unwrap_or_else(|| host.scalar(OpKind::Dim(axis), vec![array], DType::I64));
                extents.insert((array, axis), extent);
            }
        }
        before.append(&mut host.ops);
        let rotated = &Named { of: rotated, extents };
        self.known.constants.insert(first, Constant::Int(0));
        let n_regions = op.regions.len();
        for (at, region) in op.regions.iter_mut().enumerate() {
            let n_indices = region.parameters.len() - n_carried;
            let names: Vec<ValueId> = rotated.of.positions.iter().map(|n| region.parameters[n_indices + n]).collect();
            let rotation = self.function.add_value(Type::Scalar(DType::I64));
            // Reports name what it stands for.
            self.function.values[rotation.0 as usize].name =
                self.function.values[names.first()?.0 as usize].name.clone();
            let ops = std::mem::take(&mut region.ops);
            let is_body = at + 1 == n_regions;
            let mut end = ops.last()?.clone();
            let dropped: &[usize] = if is_body { &rotated.of.positions } else { &[] };
            let (ops, mut yields) = self.by_rotation(&ops, (rotation, op.span), (&names, dropped), rotated, 0)?;
            region.ops = ops;
            if is_body {
                yields.push(self.next_rotation(rotation, rotated.of.n_rotations, op.span, &mut region.ops));
            }
            end.operands = yields;
            region.ops.push(end);
            keep_others(&mut region.parameters, n_indices, &rotated.of.positions);
            region.parameters.push(rotation);
        }
        let n_bounds = op.operands.len() - n_carried;
        keep_others(&mut op.operands, n_bounds, &rotated.of.positions);
        keep_others(&mut op.results, 0, &rotated.of.positions);
        op.operands.push(first);
        op.results.push(self.function.add_value(Type::Scalar(DType::I64)));
        Some(())
    }

    /// A region's ops for each rotation from one on, and what it yields without what is `dropped`. `names`: what the arrays are called there.
    fn by_rotation(
        &mut self,
        ops: &[Op],
        (rotation, span): (ValueId, Span),
        (names, dropped): (&[ValueId], &[usize]),
        rotated: &Named,
        number: usize,
    ) -> Option<(Vec<Op>, Vec<ValueId>)> {
        let mut called = Substitution::default();
        for (n, name) in names.iter().enumerate() {
            called.replace(*name, rotated.of.at(n, number));
        }
        let mut own = Region { parameters: Vec::new(), ops: ops.to_vec() };
        substitute(&mut own, &called);
        self.rename(&mut own.ops);
        self.answer(&mut own.ops, &rotated.extents, &mut Answers::default());
        let mut yields = own.ops.pop()?.operands;
        keep_others(&mut yields, 0, dropped);
        if number + 1 == rotated.of.n_rotations {
            return Some((own.ops, yields));
        }
        let (others, its) = self.by_rotation(ops, (rotation, span), (names, dropped), rotated, number + 1)?;
        let mut host = HostProgram::new(self.function, span);
        let known = host.number(number as i64);
        let is_it = host.scalar(OpKind::Scalar(ScalarOp::Eq), vec![rotation, known], DType::Bool);
        let results: Vec<ValueId> = yields.iter().map(|v| host.add_value(host.ty(*v))).collect();
        let mut choice = std::mem::take(&mut host.ops);
        self.known.constants.insert(known, Constant::Int(number as i64));
        for (result, value) in results.iter().zip(&yields) {
            self.known.points_to.add_alias(*result, *value);
        }
        let regions = [(own.ops, yields), (others, its)].map(|(mut ops, yields)| {
            ops.push(yielding(yields, span));
            Region { parameters: Vec::new(), ops }
        });
        choice.push(Op {
            kind: OpKind::If,
            operands: vec![is_it],
            results: results.clone(),
            regions: regions.into(),
            span,
        });
        Some((choice, results))
    }

    fn next_rotation(&mut self, rotation: ValueId, n_rotations: usize, span: Span, ops: &mut Vec<Op>) -> ValueId {
        let mut host = HostProgram::new(self.function, span);
        let [last, zero, one] = [n_rotations as i64 - 1, 0, 1].map(|n| host.number(n));
        let is_last = host.scalar(OpKind::Scalar(ScalarOp::Eq), vec![rotation, last], DType::Bool);
        let next = host.scalar(OpKind::Scalar(ScalarOp::Add), vec![rotation, one], DType::I64);
        let next = host.scalar(OpKind::Scalar(ScalarOp::Select), vec![is_last, zero, next], DType::I64);
        ops.append(&mut host.ops);
        next
    }

    /// Leaves out questions whether arrays overlap that lie apart, and what would be done if they did; and questions for extents.
    fn answer(&self, ops: &mut Vec<Op>, extents: &NamedExtents, answers: &mut Answers) {
        let mut rest: Vec<Op> = std::mem::take(ops);
        rest.reverse();
        while let Some(mut op) = rest.pop() {
            op.operands.iter_mut().for_each(|v| *v = answers.names.resolve(*v));
            op.regions.iter_mut().for_each(|region| substitute(region, &answers.names));
            let root = |v: &ValueId| answers.roots.get(v).copied().unwrap_or(*v);
            match (&op.kind, op.operands.as_slice()) {
                (OpKind::Dim(axis), [array]) if extents.contains_key(&(*array, *axis)) => {
                    answers.names.replace(op.results[0], extents[&(*array, *axis)]);
                }
                (OpKind::Overlap, [a, b]) if self.facts.apart.are(root(a), root(b), &self.known.points_to) => {
                    answers.never.extend(&op.results);
                }
                (OpKind::Scalar(ScalarOp::BitOr), all) if all.iter().all(|v| answers.never.contains(v)) => {
                    answers.never.extend(&op.results);
                }
                (OpKind::If, [condition]) if answers.never.contains(condition) => {
                    let mut taken = op.regions.pop().map_or(Vec::new(), |region| region.ops);
                    let yields = taken.pop().map_or(Vec::new(), |end| end.operands);
                    op.results.iter().zip(yields).for_each(|(result, value)| answers.names.replace(*result, value));
                    rest.extend(taken.into_iter().rev());
                }
                _ => {
                    if op.kind.is_view() {
                        let root = root(&op.operands[0]);
                        answers.roots.insert(op.results[0], root);
                    }
                    op.regions.iter_mut().for_each(|region| self.answer(&mut region.ops, extents, answers));
                    ops.push(op);
                }
            }
        }
    }

    /// The arrays of a loop's results, given the rotation after its last iteration.
    pub fn rotated_results(
        &mut self,
        op: &Op,
        of: &DoubleBuffers,
        rotation: ValueId,
        ops: &mut Vec<Op>,
    ) -> Vec<ValueId> {
        // It is no choice between versions of the loop, whose place those have.
        let span = Span::default();
        let mut results: Vec<ValueId> = (0..of.positions.len()).map(|n| of.at(n, of.n_rotations - 1)).collect();
        for number in (0..of.n_rotations - 1).rev() {
            let mut host = HostProgram::new(self.function, span);
            let known = host.number(number as i64);
            let is_it = host.scalar(OpKind::Scalar(ScalarOp::Eq), vec![rotation, known], DType::Bool);
            let its = (0..results.len()).map(|n| of.at(n, number)).collect();
            let new: Vec<ValueId> = of.positions.iter().map(|n| host.add_value(host.ty(op.results[*n]))).collect();
            ops.append(&mut host.ops);
            for (new, position) in new.iter().zip(&of.positions) {
                self.known.points_to.add_alias(*new, op.results[*position]);
            }
            let regions = [its, results].map(|yields| {
                let ops = vec![yielding(yields, span)];
                Region { parameters: Vec::new(), ops }
            });
            let (kind, operands) = (OpKind::If, vec![is_it]);
            ops.push(Op { kind, operands, results: new.clone(), regions: regions.into(), span });
            results = new;
        }
        results
    }
}

impl DoubleBuffers {
    /// The array that a name stands for at a rotation.
    fn at(&self, name: usize, rotation: usize) -> ValueId {
        self.initial[(0..rotation).fold(name, |n, _| self.from[n])]
    }

    /// Whether nothing is rotated.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// The rotation after the last iteration, where that is known before the loop.
    pub fn rotation(&self) -> Option<ValueId> {
        self.rotation
    }

    /// The loop without the arrays that it rotated, as far as operands and results go.
    pub fn without(&self, op: &Op) -> Op {
        let mut without = op.clone();
        let n_bounds = op.operands.len() - op.results.len();
        keep_others(&mut without.operands, n_bounds, &self.positions);
        keep_others(&mut without.results, 0, &self.positions);
        without
    }

    /// Puts values back in their places among others.
    pub fn merged(&self, mut others: Vec<ValueId>, own: Vec<ValueId>) -> Vec<ValueId> {
        for (position, value) in self.positions.iter().zip(own) {
            others.insert(*position, value);
        }
        others
    }
}

type NamedExtents = HashMap<(ValueId, usize), ValueId>;

/// What is rotated, and what the extents of these arrays are called before the loop.
struct Named<'e> {
    of: &'e DoubleBuffers,
    extents: NamedExtents,
}

/// What is known of questions whether arrays overlap.
#[derive(Default)]
struct Answers {
    /// Conditions that never hold.
    never: HashSet<ValueId>,
    /// Of views, what they are views of.
    roots: HashMap<ValueId, ValueId>,
    names: Substitution,
}

/// After how many iterations all names are as they were at first.
fn n_rotations(from: &[usize]) -> Option<usize> {
    let mut at: Vec<usize> = from.to_vec();
    let is_moved = |at: &[usize]| at.iter().enumerate().any(|(n, m)| n != *m);
    let mut n = 1;
    while is_moved(&at) {
        at = at.iter().map(|m| from[*m]).collect();
        n += 1;
        if n > MAX_ROTATIONS {
            return None;
        }
    }
    Some(n)
}

/// Leaves out the values at some positions, counted behind the first `n`.
fn keep_others(values: &mut Vec<ValueId>, n: usize, positions: &[usize]) {
    let mut at = 0;
    values.retain(|_| {
        at += 1;
        at <= n || !positions.contains(&(at - 1 - n))
    });
}
