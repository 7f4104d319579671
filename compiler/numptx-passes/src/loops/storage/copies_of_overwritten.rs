//! Reads of what later iterations overwrite, from copies made before.
//!
//! In: a loop and its translation. Out: the loop with reads of copies, so that its parallel loops need no order any more; ops that make the copies.
//! A copy holds the smallest box that all reads of an array lie in. It is made before the outermost loop whose iterations may then run at once: once,
//! before the whole, or in each iteration of the loops around, to memory that is made before all. In iterations it is made only where all of them
//! have the same box, and only of arrays that are there before the loop: else an iteration would copy what other iterations read, too.

use std::collections::HashMap;

use numptx_ir::DType;
use numptx_ir::array::{
    ArrayType, Layout, Map, Op, OpKind, Order, Region, Remark, RemarkKind, Store, Type, ValueId, typing,
};
use numptx_ir::scalar::{Body, ScalarOp};
use numptx_source::Span;

use crate::analysis::constants::constants_among;
use crate::analysis::traverse::for_each_op;
use crate::loops::assumptions::guards::HostProgram;
use crate::loops::dependence::{Affine, Class, Subscript, Variable, classify};
use crate::loops::function::FormNests;
use crate::loops::nest::program::Checks;
use crate::loops::nest::program::Program;
use crate::loops::nest::program::Translation;
use crate::loops::nest::rows::originals::Originals;
use crate::loops::nest::translate::translate;
use crate::loops::schedule::least::least;
use crate::loops::storage::anti_dependences::{Read, Reads, anti_dependent_reads, follow};
use crate::rewrite::emit::yielding;

/// Ops that copies take.
#[derive(Debug, Default)]
pub struct Ahead {
    /// Scalars before the loop.
    pub scalars: Vec<Op>,
    /// What makes copies, or memory for them, where no check fails.
    pub copies: Vec<Op>,
}

/// A copy: the first index along each axis, and how many there are; and the one after the last.
struct Copy {
    array: ValueId,
    starts: Vec<ValueId>,
    ends: Vec<ValueId>,
    extents: Vec<ValueId>,
}

impl FormNests<'_> {
    /// Lets reads look at copies where that makes loops parallel; the translation of what became of the loop. `made`: ops that make arrays for the
    /// loop, after the scalars before it.
    pub fn copy_overwritten(
        &mut self,
        op: &mut Op,
        whole: Translation,
        originals: &Originals,
        made: &[Op],
        is_as_written: bool,
    ) -> (Translation, Ahead) {
        let (loops, found) = anti_dependent_reads(self.function, op, &whole, originals, is_as_written);
        let is_made = |reads: &Reads| made.iter().any(|op| op.results.contains(&reads.array));
        if found.is_empty() || found.iter().any(is_made) {
            return (whole, Ahead::default());
        }
        let mut ahead = Ahead::default();
        let mut changed = op.clone();
        if self.redirected(&mut changed, &whole, found, &mut ahead).is_none() {
            return (whole, Ahead::default());
        }
        self.known.constants.extend(constants_among(&ahead.scalars));
        let checks = Checks { fault: self.draft.fault, at_work_items: None, payload: None };
        let program = Program { is_as_written, ..Program::of(std::slice::from_ref(&changed)) };
        let Ok(translation) = translate(&self.surroundings(checks), &program) else { return (whole, Ahead::default()) };
        let id = |index: &ValueId| translation.loops.get(index).copied();
        let is_parallel = |index| id(index).is_some_and(|id| classify(&translation.nest, id) == Class::Parallel);
        if !self.is_apart(&translation) || !loops.iter().all(is_parallel) {
            return (whole, Ahead::default());
        }
        self.draft.ahead.extend(loops);
        *op = changed;
        (translation, ahead)
    }

    /// Makes copies, and lets reads look at them.
    fn redirected(&mut self, op: &mut Op, whole: &Translation, all: Vec<Reads>, ahead: &mut Ahead) -> Option<()> {
        let first = op.regions[0].parameters.first().copied().filter(|_| op.kind == OpKind::For);
        let mut copies = Vec::with_capacity(all.len());
        for reads in all {
            if first != Some(reads.before) && !is_same_each_time(whole, &reads) {
                return None;
            }
            let copy = self.box_of_reads(whole, &reads, ahead)?;
            self.known.points_to.add_fresh(copy.array);
            for (axis, extent) in copy.extents.iter().enumerate() {
                self.known.extents.insert((copy.array, axis), *extent);
            }
            let mut host = HostProgram::new(self.function, op.span);
            host.copy(&reads, &copy, first == Some(reads.before))?;
            ahead.copies.append(&mut host.ops);
            copies.push((reads, copy));
        }
        self.redirect(op, &copies, &mut 1)?;
        for (reads, copy) in &copies {
            let place = |read: &Read| whole.places.get(&read.access).copied();
            if first != Some(reads.before) {
                let filling = self.filling(reads.array, copy, place(reads.reads.first()?)?)?;
                insert_before(op, reads.before, filling)?;
            }
            let name = self.function.values[reads.array.0 as usize].name.clone();
            for span in reads.reads.iter().filter_map(place) {
                let kind = RemarkKind::Copied { array: name.clone(), late: false };
                self.schedule.note(Remark { span, kind });
            }
        }
        Some(())
    }

    /// A copy of the box that all reads lie in; without what makes it.
    fn box_of_reads(&mut self, whole: &Translation, reads: &Reads, ahead: &mut Ahead) -> Option<Copy> {
        let ArrayType { dtype, rank, .. } = self.function.array(reads.array)?;
        let mut host = HostProgram::new(self.function, Default::default());
        let zero = host.number(0);
        let (mut starts, mut ends, mut extents) = (Vec::new(), Vec::new(), Vec::new());
        for axis in 0..rank {
            let extent = host.scalar(OpKind::Dim(axis), vec![reads.array], DType::I64);
            let ranges: Option<Vec<[Affine; 2]>> =
                reads.reads.iter().map(|read| range(whole, read, axis, rank)).collect();
            let ends_of = |n: usize| ranges.iter().flatten().map(|range| range[n].clone()).collect::<Vec<Affine>>();
            let low = extreme(&mut host, ScalarOp::Min, ends_of(0), &whole.symbols);
            let high = extreme(&mut host, ScalarOp::Max, ends_of(1), &whole.symbols);
            let (start, end) = match (low, high) {
                // Where conditions stand around reads, these begin and end within their box.
                (Some((low, known)), Some((high, _))) => {
                    let start = match known {
                        Some(n) if n >= 0 => low,
                        _ => host.scalar(OpKind::Scalar(ScalarOp::Max), vec![low, zero], DType::I64),
                    };
                    (start, host.scalar(OpKind::Scalar(ScalarOp::Min), vec![high, extent], DType::I64))
                }
                _ => (zero, extent),
            };
            let count = host.scalar(OpKind::Scalar(ScalarOp::Sub), vec![end, start], DType::I64);
            extents.push(host.scalar(OpKind::Scalar(ScalarOp::Max), vec![count, zero], DType::I64));
            starts.push(start);
            ends.push(end);
        }
        let array = host.add_array(ArrayType { dtype, rank, layout: Layout::C, writable: true });
        ahead.scalars.append(&mut host.ops);
        Some(Copy { array, starts, ends, extents })
    }

    /// Lets reads in an op look at copies. `position`: of the op in the order of the text.
    fn redirect(&mut self, op: &mut Op, copies: &[(Reads, Copy)], position: &mut u32) -> Option<()> {
        for region in &mut op.regions {
            let mut ops = Vec::with_capacity(region.ops.len());
            for mut nested in std::mem::take(&mut region.ops) {
                if !nested.kind.is_terminator() {
                    *position += 1;
                    for (reads, copy) in copies {
                        for read in reads.reads.iter().filter(|read| read.position == *position) {
                            self.redirect_read(&mut nested, read, copy, &mut ops)?;
                        }
                    }
                    self.redirect(&mut nested, copies, position)?;
                }
                ops.push(nested);
            }
            region.ops = ops;
        }
        Some(())
    }

    /// Lets an op read the copy through views like those through which it reads the array; these go to `ops`.
    fn redirect_read(&mut self, op: &mut Op, read: &Read, copy: &Copy, ops: &mut Vec<Op>) -> Option<()> {
        let old = read.views.last()?.results[0];
        let rank = self.function.array(copy.array)?.rank;
        let mut fresh: Vec<Option<usize>> = (0..rank).map(Some).collect();
        let mut view = copy.array;
        for of in &read.views {
            let mut operands = of.operands.clone();
            operands[0] = view;
            if let OpKind::Index { axis } | OpKind::Slice { axis } = of.kind
                && let Some(own) = fresh[axis]
            {
                let at = self.function.add_value(Type::Scalar(DType::I64));
                let from = vec![operands[1], copy.starts[own]];
                let kind = OpKind::Scalar(ScalarOp::Sub);
                ops.push(Op { kind, operands: from, results: vec![at], regions: Vec::new(), span: of.span });
                operands[1] = at;
            }
            follow(&of.kind, &mut fresh)?;
            let types: Vec<Type> = operands.iter().map(|v| self.function.ty(*v)).collect();
            let ty = typing::result_types(&of.kind, &types).ok().flatten()?.pop()?;
            let result = self.function.add_value(ty);
            self.known.points_to.add_alias(result, copy.array);
            ops.push(Op { operands, results: vec![result], ..of.clone() });
            view = result;
        }
        let first = if let OpKind::Store(store) = &op.kind { store.body.outputs.len() } else { 0 };
        op.operands[first..].iter_mut().filter(|v| **v == old).for_each(|v| *v = view);
        Some(())
    }

    /// Loops that copy an array's elements.
    fn filling(&mut self, array: ValueId, copy: &Copy, span: Span) -> Option<Vec<Op>> {
        let dtype = self.function.array(array)?.dtype;
        let rank = copy.starts.len();
        let mut host = HostProgram::new(self.function, span);
        let indices: Vec<ValueId> = (0..rank).map(|_| host.add_value(Type::Scalar(DType::I64))).collect();
        let mut views = [copy.array, array];
        for (index, start) in indices.iter().zip(&copy.starts) {
            let place = host.scalar(OpKind::Scalar(ScalarOp::Sub), vec![*index, *start], DType::I64);
            for (view, at) in views.iter_mut().zip([place, *index]) {
                let (kind, operands) = (OpKind::Index { axis: 0 }, vec![*view, at]);
                let types: Vec<Type> = operands.iter().map(|v| host.ty(*v)).collect();
                let ty = typing::result_types(&kind, &types).ok().flatten()?.pop()?;
                *view = host.add_value(ty);
                host.push(kind, operands, vec![*view]);
            }
        }
        let store = Store { rank: 0, body: Body::identity(dtype) };
        host.push(OpKind::Store(Box::new(store)), views.to_vec(), Vec::new());
        let mut ops = std::mem::take(&mut host.ops);
        let mut before = Vec::new();
        for axis in (0..rank).rev() {
            ops.push(yielding(Vec::new(), span));
            let one = host.number(1);
            before.append(&mut host.ops);
            let regions = vec![Region { parameters: vec![indices[axis]], ops }];
            let operands = vec![copy.starts[axis], copy.ends[axis], one];
            ops = vec![Op { kind: OpKind::For, operands, results: Vec::new(), regions, span }];
        }
        self.known.constants.extend(constants_among(&before));
        let mut follow = |op: &Op| {
            if op.kind.is_view() {
                self.known.points_to.add_alias(op.results[0], op.operands[0]);
            }
        };
        ops.iter().for_each(|op| op.regions.iter().for_each(|region| for_each_op(region, &mut follow)));
        before.extend(ops);
        Some(before)
    }
}

impl HostProgram<'_> {
    /// Makes a copy of what is there, or only memory for one.
    fn copy(&mut self, reads: &Reads, copy: &Copy, is_filled: bool) -> Option<()> {
        let ArrayType { dtype, rank, .. } = self.array(copy.array)?;
        if !is_filled {
            self.push(OpKind::Alloc { dtype, order: Order::C }, copy.extents.clone(), vec![copy.array]);
            return Some(());
        }
        let one = self.number(1);
        let mut view = reads.array;
        for axis in 0..rank {
            // Of nothing the start may lie behind all there is.
            let length = self.scalar(OpKind::Dim(axis), vec![view], DType::I64);
            let start = self.scalar(OpKind::Scalar(ScalarOp::Min), vec![copy.starts[axis], length], DType::I64);
            let (kind, operands) = (OpKind::Slice { axis }, vec![view, start, copy.extents[axis], one]);
            let types: Vec<Type> = operands.iter().map(|v| self.ty(*v)).collect();
            let ty = typing::result_types(&kind, &types).ok().flatten()?.pop()?;
            view = self.add_value(ty);
            self.push(kind, operands, vec![view]);
        }
        let map = Map { rank, body: Body::identity(dtype), order: Order::C };
        self.push(OpKind::Map(Box::new(map)), [&copy.extents[..], &[view]].concat(), vec![copy.array]);
        Some(())
    }
}

/// The least or the largest of functions, and what it is if that is known; `None` where one of them has no value here.
fn extreme(
    host: &mut HostProgram,
    op: ScalarOp,
    mut of: Vec<Affine>,
    values: &HashMap<Variable, ValueId>,
) -> Option<(ValueId, Option<i64>)> {
    of.sort();
    of.dedup();
    let is_above = |a: &Affine, b: &Affine| a.minus(b).and_then(|d| d.as_constant()).is_some_and(|d| d > 0);
    let all = of.clone();
    of.retain(|a| !all.iter().any(|b| if op == ScalarOp::Min { is_above(a, b) } else { is_above(b, a) }));
    let known = if let [only] = &of[..] { only.as_constant() } else { None };
    let mut found = None;
    for function in of {
        let value = host.value(&function, values)?;
        found = Some(match found {
            None => value,
            Some(other) => host.scalar(OpKind::Scalar(op), vec![other, value], DType::I64),
        });
    }
    Some((found?, known))
}

/// Puts ops before the loop of an index.
fn insert_before(op: &mut Op, index: ValueId, ops: Vec<Op>) -> Option<()> {
    for region in &mut op.regions {
        let is_it = |op: &Op| op.kind == OpKind::For && op.regions[0].parameters.first() == Some(&index);
        if let Some(at) = region.ops.iter().position(is_it) {
            region.ops.splice(at..at, ops);
            return Some(());
        }
        for nested in &mut region.ops {
            if insert_before(nested, index, ops.clone()).is_some() {
                return Some(());
            }
        }
    }
    None
}

/// Whether the reads lie in the same box in all iterations of the loops around the one before which they are copied.
fn is_same_each_time(whole: &Translation, reads: &Reads) -> bool {
    let (nest, Some(before)) = (&whole.nest, whole.loops.get(&reads.before)) else { return false };
    reads.reads.iter().all(|read| {
        let access = nest.access(read.access);
        let loops = nest.chain(access.within);
        let Some(n_around) = loops.iter().position(|id| id == before) else { return false };
        let (around, inside) = loops.split_at(n_around);
        let is_same = |function: Option<Affine>| {
            let of_around = |v: &Variable| around.iter().any(|id| *v == Variable::Index(*id));
            function.is_some_and(|function| !function.terms().iter().any(|(v, _)| of_around(v)))
        };
        access.subscripts.iter().all(|subscript| match subscript {
            Subscript::Index(at) => {
                let negated = at.times(-1);
                is_same(least(nest, at, inside)) && is_same(negated.and_then(|at| least(nest, &at, inside)))
            }
            _ => false,
        })
    })
}

/// The first index of a read along an axis of its array, and the one after the last, whatever the iteration.
fn range(whole: &Translation, read: &Read, axis: usize, rank: usize) -> Option<[Affine; 2]> {
    let nest = &whole.nest;
    let access = nest.access(read.access);
    let own = access.subscripts.len().checked_sub(rank)?;
    let Subscript::Index(at) = &access.subscripts[own + axis] else { return None };
    let loops = nest.chain(access.within);
    let low = least(nest, at, &loops)?;
    let high = least(nest, &at.times(-1)?, &loops)?.times(-1)?.plus_constant(1)?;
    Some([low, high])
}
