//! Arrays that an iteration makes, as parts of arrays that are made once, before the loop.
//!
//! In: a loop whose body makes arrays, none of which outlives its iteration. Out: the loop with stores to parts of scratch arrays, and the ops before
//! it that make these. A scratch array is as large as the largest that it stands for, or larger: extents are bounded by what is known before the
//! loop. Also out: broadcasts of arrays whose extents are those that they are broadcast to, because a check says so.

mod bounds;
mod extents;

use std::collections::{HashMap, HashSet};

use numptx_ir::DType;
use numptx_ir::array::{ArrayType, Layout, Op, OpKind, Order, Region, Store, Type, ValueId, typing};
use numptx_ir::scalar::Body;

use crate::analysis::points_to::written_arrays;
use crate::analysis::traverse::{Substitution, for_each_op, substitute, terminator_operands};
use crate::loops::assumptions::guards::HostProgram;
use crate::loops::emit::hoist::define;
use crate::loops::function::FormNests;

/// Scratch memory of one loop.
pub struct Scratch {
    /// Ops before the loop.
    pub before: Vec<Op>,
    /// Broadcasts that change no extent but add axes.
    pub broadcasts: HashSet<ValueId>,
}

/// What is known of an extent.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    One,
    Is(ValueId),
    Unknown,
}

impl FormNests<'_> {
    /// Puts what an op's regions make into scratch arrays; `None` where an array outlives its iteration, or nobody knows how large it gets.
    /// `named`: extents of arrays from before the loop.
    pub fn with_scratch(&mut self, op: &mut Op, named: &HashMap<(ValueId, usize), ValueId>) -> Option<Scratch> {
        let written = written_arrays(op);
        let written = written.into_iter().flat_map(|v| self.known.points_to.locations(v).to_vec()).collect();
        let tests: Vec<(ValueId, Op)> = self.facts.tests.iter().map(|(v, op)| (*v, op.clone())).collect();
        let mut settle = Settle { written, ..Settle::of(self, op) };
        for (value, test) in tests {
            if !settle.inside.contains(&value) {
                settle.definitions.entry(value).or_insert(Source::Op(test));
            }
        }
        for ((array, axis), extent) in named {
            let extents = settle.narrowed(*array, *axis, *extent);
            settle.extents.insert(*array, extents);
        }
        for region in &mut op.regions {
            settle.region(region)?;
        }
        let scratch = settle.scratch;
        while drop_unused(op) {}
        Some(scratch)
    }
}

/// Where a value of the loop comes from.
#[derive(Clone)]
enum Source {
    Op(Op),
    /// A `for` loop's index, with the loop's bounds.
    Index([ValueId; 3]),
}

fn note(op: &Op, definitions: &mut HashMap<ValueId, Source>) {
    note_own(op, definitions);
    op.regions.iter().flat_map(|region| &region.ops).for_each(|nested| note(nested, definitions));
}

/// Of what the op itself defines, without what is nested in it.
fn note_own(op: &Op, definitions: &mut HashMap<ValueId, Source>) {
    if op.kind == OpKind::For {
        let bounds = [op.operands[0], op.operands[1], op.operands[2]];
        definitions.insert(op.regions[0].parameters[0], Source::Index(bounds));
    }
    if op.regions.is_empty() {
        definitions.extend(op.results.iter().map(|result| (*result, Source::Op(op.clone()))));
    }
}

struct Settle<'p, 'f> {
    pass: &'p mut FormNests<'f>,
    inside: HashSet<ValueId>,
    definitions: HashMap<ValueId, Source>,
    scratch: Scratch,
    extents: HashMap<ValueId, Vec<Extent>>,
    equal: Substitution,
    /// Extents that are 1 or another one.
    either: HashSet<(ValueId, ValueId)>,
    /// Memory that the loop writes.
    written: HashSet<ValueId>,
    /// Whether falling indices, and sums, are known to be at least 0: not where a loop in the loop is run one iteration after the other, which may cost
    /// more than kernels from the host.
    knows_sums: bool,
}

impl<'p, 'f> Settle<'p, 'f> {
    /// What an op says of the values in it.
    fn of(pass: &'p mut FormNests<'f>, op: &Op) -> Self {
        let (mut inside, mut definitions) = (HashSet::new(), HashMap::new());
        define(op, &mut inside);
        note(op, &mut definitions);
        Settle {
            pass,
            inside,
            definitions,
            scratch: Scratch { before: Vec::new(), broadcasts: HashSet::new() },
            extents: HashMap::new(),
            equal: Substitution::default(),
            either: HashSet::new(),
            written: HashSet::new(),
            knows_sums: false,
        }
    }
}

impl Settle<'_, '_> {
    fn region(&mut self, region: &mut Region) -> Option<()> {
        let mut names = Substitution::default();
        let mut ops = Vec::with_capacity(region.ops.len());
        let mut rest: Vec<Op> = std::mem::take(&mut region.ops);
        rest.reverse();
        while let Some(mut op) = rest.pop() {
            rename(&mut op, &names);
            // Under the names that there are from here on: others may be gone.
            note_own(&op, &mut self.definitions);
            if let Some((copying, copied)) = copied(&op) {
                names.replace(op.results[0], copied);
                let mut inlined = op.regions.swap_remove(copying).ops;
                inlined.pop();
                rest.extend(inlined.into_iter().rev());
                continue;
            }
            if let OpKind::Check { .. } = op.kind {
                op.operands[0] = self.strengthened(op.operands[0], &mut ops, 0);
                self.note_equal(op.operands[0], &mut names, 0);
            }
            self.brought_to_extents(&mut op, &mut ops)?;
            self.broadcast(&op);
            if let (OpKind::BroadcastExtent, [a, b]) = (&op.kind, op.operands.as_slice())
                && let Some(extent) = self.broadcast_extent(*a, *b, &op, &mut ops)
            {
                names.replace(op.results[0], extent);
                continue;
            }
            match &op.kind {
                OpKind::Map(map) if map.rank > 0 => {
                    let store = Store { rank: map.rank, body: map.body.clone() };
                    self.made(&op, map.rank, map.rank, OpKind::Store(Box::new(store)), &mut names, &mut ops)?;
                }
                OpKind::Reduce(reduce) if reduce.rank > reduce.n_reduced => {
                    let kept = reduce.rank - reduce.n_reduced;
                    let kind = OpKind::StoreReduce(reduce.clone());
                    self.made(&op, reduce.rank, kept, kind, &mut names, &mut ops)?;
                }
                OpKind::Alloc { dtype, .. } => {
                    let rank = self.pass.function.array(op.results[0])?.rank;
                    let part = self.part(&op, *dtype, &op.operands[..rank], &mut ops)?;
                    names.replace(op.results[0], part);
                }
                _ => {
                    // What is checked there is not known to hold here: perhaps nobody comes there.
                    let equal = self.equal.clone();
                    for nested in &mut op.regions {
                        self.region(nested)?;
                        self.equal.clone_from(&equal);
                    }
                    ops.push(op);
                }
            }
        }
        region.ops = ops;
        let is_array = |v: &ValueId| self.pass.function.array(*v).is_some_and(|array| array.rank > 0);
        (!terminator_operands(region).iter().any(is_array)).then_some(())
    }

    /// A computation as a store to parts of scratch arrays.
    fn made(
        &mut self,
        op: &Op,
        rank: usize,
        kept: usize,
        kind: OpKind,
        names: &mut Substitution,
        ops: &mut Vec<Op>,
    ) -> Option<()> {
        let (extents, inputs) = op.operands.split_at(rank);
        let mut destinations = Vec::with_capacity(op.results.len());
        for result in &op.results {
            let dtype = self.pass.function.ty(*result).dtype();
            let part = self.part(op, dtype, &extents[..kept], ops)?;
            names.replace(*result, part);
            destinations.push(part);
        }
        let operands = [extents, &destinations, inputs].concat();
        ops.push(Op { kind, operands, results: Vec::new(), regions: Vec::new(), span: op.span });
        Some(())
    }

    /// A part with these extents of a new scratch array.
    fn part(&mut self, op: &Op, dtype: DType, extents: &[ValueId], ops: &mut Vec<Op>) -> Option<ValueId> {
        let bounds = extents.iter().map(|extent| self.natural_bound(*extent)).collect::<Option<Vec<_>>>()?;
        let ty = ArrayType { dtype, rank: extents.len(), layout: Layout::C, writable: true };
        let whole = self.pass.function.add_value(Type::Array(ty));
        self.pass.known.points_to.add_fresh(whole);
        let kind = OpKind::Alloc { dtype, order: Order::C };
        let alloc = Op { kind, operands: bounds, results: vec![whole], regions: Vec::new(), span: op.span };
        self.scratch.before.push(alloc);
        let mut host = HostProgram::new(self.pass.function, op.span);
        let (zero, one) = (host.number(0), host.number(1));
        ops.append(&mut host.ops);
        let mut part = whole;
        for (axis, extent) in extents.iter().enumerate() {
            let (kind, operands) = (OpKind::Slice { axis }, vec![part, zero, *extent, one]);
            let types: Vec<Type> = operands.iter().map(|v| self.pass.function.ty(*v)).collect();
            let ty = typing::result_types(&kind, &types).ok().flatten()?.pop()?;
            let next = self.pass.function.add_value(ty);
            self.extents.insert(next, self.narrowed(part, axis, *extent));
            ops.push(Op { kind, operands, results: vec![next], regions: Vec::new(), span: op.span });
            part = next;
        }
        Some(part)
    }
}

/// Leaves out scalars and views that nothing in an op uses. Whether there were any.
fn drop_unused(op: &mut Op) -> bool {
    let mut used = HashSet::new();
    op.regions
        .iter()
        .for_each(|region| for_each_op(region, &mut |nested| used.extend(nested.operands.iter().copied())));
    drop_others(op, &used)
}

fn drop_others(op: &mut Op, used: &HashSet<ValueId>) -> bool {
    let mut is_changed = false;
    for region in &mut op.regions {
        let n = region.ops.len();
        region.ops.retain(|op| !op.kind.is_pure_scalar_or_view() || op.results.iter().any(|v| used.contains(v)));
        is_changed |= region.ops.len() < n;
        region.ops.iter_mut().for_each(|nested| is_changed |= drop_others(nested, used));
    }
    is_changed
}

fn rename(op: &mut Op, names: &Substitution) {
    op.operands.iter_mut().for_each(|v| *v = names.resolve(*v));
    op.regions.iter_mut().for_each(|nested| substitute(nested, names));
}

/// Of a choice between an array and a copy of it: the region that copies, and the copy.
fn copied(op: &Op) -> Option<(usize, ValueId)> {
    let (OpKind::If, [_], [a, b]) = (&op.kind, op.results.as_slice(), op.regions.as_slice()) else { return None };
    let copies = |region: &Region, of: &Region| {
        let ([result], [itself]) = (terminator_operands(region), terminator_operands(of)) else { return None };
        let made = region.ops.iter().find(|op| op.results.contains(result))?;
        let OpKind::Map(map) = &made.kind else { return None };
        let is_copy = map.body == Body::identity(map.body.dtype(map.body.outputs[0]))
            && made.operands.get(map.rank..) == Some(&[*itself])
            && of.ops.len() == 1;
        is_copy.then_some(*result)
    };
    copies(a, b).map(|copy| (0, copy)).or_else(|| copies(b, a).map(|copy| (1, copy)))
}
