//! Small arrays that an iteration makes, as arrays of each work item.
//!
//! In: a loop that becomes work items, whose iterations need memory of their own. Out: the same loop with views of arrays that have the axes of the work items
//! behind their own, so that neighbouring work items use neighbouring elements; the conditions on which that is worth it. Work items compute all elements of
//! such arrays alone, so there have to be more work items than an iteration has work for. Where they need much memory together they come in chunks, which use
//! the same.

use std::collections::{HashMap, HashSet};

use numptx_ir::DType;
use numptx_ir::array::{ArrayType, Layout, Op, OpKind, Order, Type, ValueId, typing};
use numptx_ir::scalar::ScalarOp;
use numptx_source::Span;

use crate::loops::assumptions::guards::{HostProgram, SMALL_INT};
use crate::loops::assumptions::kinds::Kind;
use crate::loops::function::FormNests;
use crate::loops::nest::program::Axis;
use crate::loops::nest::program::Checks;
use crate::loops::nest::program::Program;
use crate::loops::nest::rows::broadcasts::Along;
use crate::loops::nest::translate::translate;
use crate::loops::schedule::cost::{OWN_BYTES_OF_HOST, OWN_ELEMENTS, OWN_WORK_ITEMS_OF_HOST};
use crate::loops::schedule::launches::Threads;
use crate::loops::schedule::plan::{Plan, nest};
use crate::loops::storage::chunks::Chunks;

/// Where a work item is along an axis.
#[derive(Clone, Copy)]
struct Place {
    /// The index of the axis's loop.
    index: ValueId,
    /// That index of the first of all work items.
    first: ValueId,
    /// What the next one's is more.
    step: i64,
    /// The number of the first work item of the launch.
    from: ValueId,
}

impl Place {
    /// The number of the work item in its launch.
    fn number(self, host: &mut HostProgram) -> ValueId {
        let Place { index, first, step, from } = self;
        let mut integer = |op, a, b| host.scalar(OpKind::Scalar(op), vec![a, b], DType::I64);
        let among_all = match step {
            1 => integer(ScalarOp::Sub, index, first),
            -1 => integer(ScalarOp::Sub, first, index),
            _ => {
                let distance = integer(ScalarOp::Sub, index, first);
                let step = host.number(step);
                host.scalar(OpKind::Scalar(ScalarOp::FloorDiv), vec![distance, step], DType::I64)
            }
        };
        host.scalar(OpKind::Scalar(ScalarOp::Sub), vec![among_all, from], DType::I64)
    }
}

/// Arrays of which each work item has its own: the array that they take the place of, and its extents.
type Own = Vec<(ValueId, Vec<ValueId>)>;

impl FormNests<'_> {
    /// A loop's work items in `ops`, some arrays of which each of them has for itself where that is not to be avoided.
    pub fn work_items_of(
        &mut self,
        plan: &Plan,
        op: &Op,
        (axes, extents): (&[Axis], &[ValueId]),
        ops: &mut Vec<Op>,
    ) -> Option<()> {
        if let Some(program) = self.program(plan, std::slice::from_ref(op), axes, &[]) {
            ops.push(nest(program, extents.to_vec(), op.span));
            self.note_work_items(op, axes);
            return Some(());
        }
        let shared = self.shared_arrays(plan, op, axes)?;
        self.found.lacks_own |= self.draft.own.work.is_none();
        let work = self.draft.own.work?;
        let own = shared.into_iter().map(|array| Some((array, self.extents_of(array)?))).collect::<Option<Own>>()?;
        let mut before = Vec::new();
        let (worth, chunks) = self.chunks_of_own(&own, (work, extents), op.span, &mut before);
        let mut axes = axes.to_vec();
        axes.iter_mut().for_each(|axis| axis.from = Some(chunks.firsts[axis.number as usize]));
        let mut work_item = op.clone();
        for (array, sizes) in own {
            let dtype = self.function.ty(array).dtype();
            let rank = sizes.len() + extents.len();
            let whole =
                self.function.add_value(Type::Array(ArrayType { dtype, rank, layout: Layout::C, writable: true }));
            self.known.points_to.add_fresh(whole);
            let (kind, operands) = (OpKind::Alloc { dtype, order: Order::C }, [&sizes[..], &chunks.lengths].concat());
            before.push(Op { kind, operands, results: vec![whole], regions: Vec::new(), span: op.span });
            self.view_own(&mut work_item, (array, whole, sizes.len()), &axes, &mut vec![None; extents.len()])?;
        }
        let program = self.program(plan, &[work_item], &axes, &[])?;
        let mut host = HostProgram::new(self.function, op.span);
        before.push(host.in_chunks(&chunks, |extents| nest(program, extents, op.span)));
        ops.extend(before);
        self.draft.own.worth.extend(worth);
        self.note_work_items(op, &axes);
        Some(())
    }

    fn note_work_items(&mut self, op: &Op, axes: &[Axis]) {
        let is_axis =
            |op: &Op| op.regions[0].parameters.first().is_some_and(|v| axes.iter().any(|axis| axis.index == *v));
        self.note_kernel(Threads::Iterations, std::slice::from_ref(op), &is_axis);
    }

    /// The conditions on which work items are worth privatised arrays, and how many work items share a launch then. `work`: what an iteration has to do.
    fn chunks_of_own(
        &mut self,
        own: &Own,
        (work, extents): (ValueId, &[ValueId]),
        span: Span,
        ops: &mut Vec<Op>,
    ) -> ([(Kind, ValueId); 2], Chunks) {
        let most_bytes = self.settings.most_bytes;
        let dtypes: Vec<DType> = own.iter().map(|(array, _)| self.function.ty(*array).dtype()).collect();
        let mut host = HostProgram::new(self.function, span);
        let (one, most) = (host.number(1), host.number(most_bytes));
        let too_many = host.number(SMALL_INT);
        let mut bytes = host.number(0);
        for ((_, sizes), dtype) in own.iter().zip(dtypes) {
            let elements = sizes.iter().fold(one, |all, v| host.product(all, *v));
            // A sum of these does not overflow.
            let elements = host.scalar(OpKind::Scalar(ScalarOp::Min), vec![elements, too_many], DType::I64);
            let own = host.multiple(elements, dtype.itemsize() as i64);
            bytes = host.scalar(OpKind::Scalar(ScalarOp::Add), vec![bytes, own], DType::I64);
        }
        let work_items = extents.iter().fold(one, |all, v| host.product(all, *v));
        let steps = host.multiple(work_items, OWN_ELEMENTS);
        let least = host.scalar(OpKind::Scalar(ScalarOp::Max), vec![bytes, one], DType::I64);
        let n_work_items = work_items_within(&mut host, most, least);
        let chunks = host.chunks(extents, n_work_items);
        // The last of all scalars: what stands before them is known before the loop.
        let is_light = host.scalar(OpKind::Scalar(ScalarOp::Le), vec![work, steps], DType::Bool);
        let is_small = host.scalar(OpKind::Scalar(ScalarOp::Le), vec![bytes, most], DType::Bool);
        ops.append(&mut host.ops);
        ([(Kind::EnoughWork, is_light), (Kind::Memory, is_small)], chunks)
    }

    /// The arrays of iterations that work items would share.
    fn shared_arrays(&self, plan: &Plan, op: &Op, axes: &[Axis]) -> Option<Vec<ValueId>> {
        let ops = [&plan.around[..], std::slice::from_ref(op)].concat();
        let checks = Checks { fault: self.draft.fault, at_work_items: Some(&self.draft.at_work_items), payload: None };
        let program = translate(&self.surroundings(checks), &Program { axes, ..Program::of(&ops) }).ok()?;
        let is_shared = |table: &&ValueId| {
            self.draft.temporaries.get(table).is_some_and(|around| around.iter().any(|v| program.loops.contains_key(v)))
        };
        let shared: Vec<ValueId> = program.tables.iter().filter(is_shared).copied().collect();
        (!shared.is_empty()).then_some(shared)
    }

    fn extents_of(&self, array: ValueId) -> Option<Vec<ValueId>> {
        let rank = self.function.array(array)?.rank;
        let extent = |axis| match self.known.shapes.along(array, axis) {
            Along::Value(extent) => Some(extent),
            _ => None,
        };
        (0..rank).map(extent).collect()
    }

    /// Lets an op's regions use the work item's part of `whole` for `array`. `at`: by axis, where the work item is, as far as the loops around say it.
    fn view_own(
        &mut self,
        op: &mut Op,
        (array, whole, rank): (ValueId, ValueId, usize),
        axes: &[Axis],
        at: &mut Vec<Option<Place>>,
    ) -> Option<()> {
        let axis =
            axes.iter().find(|axis| op.regions.first().is_some_and(|r| r.parameters.first() == Some(&axis.index)));
        let outer = axis.map(|axis| (axis.number as usize, at[axis.number as usize]));
        if let Some(axis) = axis {
            let step = self.known.constant(op.operands[2]).filter(|step| op.kind == OpKind::For && *step != 0)?;
            let first = axis.origin.shared().unwrap_or(op.operands[0]);
            at[axis.number as usize] = Some(Place { index: axis.index, first, step, from: axis.from? });
        }
        let work_item: Option<Vec<Place>> = at.iter().copied().collect();
        for region in &mut op.regions {
            let Some(work_item) = &work_item else {
                if region.ops.iter().any(|nested| nested.operands.contains(&array)) {
                    return None;
                }
                for nested in &mut region.ops {
                    self.view_own(nested, (array, whole, rank), axes, at)?;
                }
                continue;
            };
            let mut ops = Vec::new();
            let own = self.own_view((whole, rank), work_item, op.span, &mut ops)?;
            self.known.points_to.add_alias(own, whole);
            let mut names = crate::analysis::traverse::Substitution::default();
            names.replace(array, own);
            crate::analysis::traverse::substitute(region, &names);
            self.retype(region, &mut HashSet::from([own]));
            ops.append(&mut region.ops);
            region.ops = ops;
        }
        if let Some((number, before)) = outer {
            at[number] = before;
        }
        Some(())
    }

    /// The part of an array that is a work item's: its indices are those of the last axes.
    fn own_view(
        &mut self,
        (whole, rank): (ValueId, usize),
        work_item: &[Place],
        span: Span,
        ops: &mut Vec<Op>,
    ) -> Option<ValueId> {
        let mut view = whole;
        for place in work_item {
            let mut host = HostProgram::new(self.function, span);
            let at = place.number(&mut host);
            ops.append(&mut host.ops);
            let (kind, operands) = (OpKind::Index { axis: rank }, vec![view, at]);
            let types: Vec<Type> = operands.iter().map(|v| self.function.ty(*v)).collect();
            let ty = typing::result_types(&kind, &types).ok().flatten()?.pop()?;
            view = self.function.add_value(ty);
            self.known.points_to.add_alias(view, whole);
            ops.push(Op { kind, operands, results: vec![view], regions: Vec::new(), span });
        }
        Some(view)
    }

    /// Gives views of what is laid out otherwise their types.
    fn retype(&mut self, region: &mut numptx_ir::array::Region, changed: &mut HashSet<ValueId>) {
        for op in &mut region.ops {
            if op.kind.is_view() && op.operands.first().is_some_and(|v| changed.contains(v)) {
                let types: Vec<Type> = op.operands.iter().map(|v| self.function.ty(*v)).collect();
                if let Ok(Some(types)) = typing::result_types(&op.kind, &types) {
                    let results: HashMap<ValueId, Type> = op.results.iter().copied().zip(types).collect();
                    results.into_iter().for_each(|(v, ty)| self.function.values[v.0 as usize].ty = ty);
                    changed.extend(&op.results);
                }
            }
            op.regions.iter_mut().for_each(|nested| self.retype(nested, changed));
        }
    }
}

/// How many work items a launch has if they have so much memory together, and each so much.
fn work_items_within(host: &mut HostProgram, most: ValueId, each: ValueId) -> ValueId {
    let (zero, one) = (host.number(0), host.number(1));
    let (most_of_host, enough) = (host.number(OWN_BYTES_OF_HOST), host.number(OWN_WORK_ITEMS_OF_HOST));
    let on_device = host.scalar(OpKind::OneLaunch, vec![one, one, zero], DType::Bool);
    let mut integer = |op, operands| host.scalar(OpKind::Scalar(op), operands, DType::I64);
    let n_work_items = integer(ScalarOp::FloorDiv, vec![most, each]);
    let near = integer(ScalarOp::FloorDiv, vec![most_of_host, each]);
    let near = integer(ScalarOp::Max, vec![near, enough]);
    let near = integer(ScalarOp::Min, vec![n_work_items, near]);
    integer(ScalarOp::Select, vec![on_device, n_work_items, near])
}
