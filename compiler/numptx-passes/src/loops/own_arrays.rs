//! Small arrays that an iteration makes, as arrays of each point.
//!
//! In: a loop that becomes points, whose iterations need memory of their own. Out: the same loop with views of arrays that have the axes of the points
//! behind their own, so that neighbouring points use neighbouring elements; the condition on which that is worth it. Points compute all elements of such arrays
//! alone, so there have to be more points than an iteration has work for.

use std::collections::{HashMap, HashSet};

use numptx_ir::DType;
use numptx_ir::array::{ArrayType, Layout, Op, OpKind, Order, Type, ValueId, typing};
use numptx_ir::scalar::ScalarOp;

use super::broadcasts::Along;
use super::guards::HostProgram;
use super::place::Plan;
use super::translate::{Axis, Translation, translate};
use super::{Checks, Program};
use crate::form_nests::FormNests;

/// Steps of an iteration for which a kernel takes as long as one point, if there is one point alone.
const STEPS_PER_POINT: i64 = 512;
/// Elements of all arrays of points together, at most.
const MOST_ELEMENTS: i64 = 1 << 26;

impl FormNests<'_> {
    /// The program of a loop's points, some arrays of which each of them has for itself where that is not to be avoided. What these take goes to `ops`.
    pub fn program_of_points(
        &mut self,
        plan: &Plan,
        op: &Op,
        (axes, extents): (&[Axis], &[ValueId]),
        ops: &mut Vec<Op>,
    ) -> Option<Translation> {
        if let Some(program) = self.program(plan, std::slice::from_ref(op), axes, &[]) {
            return Some(program);
        }
        let shared = self.shared_arrays(plan, op, axes)?;
        self.lacks_own |= self.work.is_none();
        let work = self.work?;
        let mut own = op.clone();
        let mut before = Vec::new();
        let mut host = HostProgram::new(self.function, op.span);
        let one = host.number(1);
        let points = extents.iter().fold(one, |all, v| host.product(all, *v));
        let mut elements = Vec::with_capacity(shared.len());
        before.append(&mut host.ops);
        let mut made = Vec::new();
        for array in shared {
            let sizes = self.extents_of(array)?;
            let mut host = HostProgram::new(self.function, op.span);
            elements.push(sizes.iter().fold(points, |all, v| host.product(all, *v)));
            before.append(&mut host.ops);
            let dtype = self.function.ty(array).dtype();
            let rank = sizes.len() + extents.len();
            let whole =
                self.function.add_value(Type::Array(ArrayType { dtype, rank, layout: Layout::C, writable: true }));
            self.points_to.add_fresh(whole);
            let (kind, operands) = (OpKind::Alloc { dtype, order: Order::C }, [&sizes[..], extents].concat());
            made.push(Op { kind, operands, results: vec![whole], regions: Vec::new(), span: op.span });
            self.view_own(&mut own, (array, whole, sizes.len()), axes, &mut vec![None; extents.len()])?;
        }
        let mut host = HostProgram::new(self.function, op.span);
        let steps = host.multiple(points, STEPS_PER_POINT);
        let is_light = host.scalar(OpKind::Scalar(ScalarOp::Le), vec![work, steps], DType::Bool);
        let most = host.number(MOST_ELEMENTS / elements.len().max(1) as i64);
        let is_worth_it = elements.iter().fold(is_light, |all, v| {
            let is_small = host.scalar(OpKind::Scalar(ScalarOp::Le), vec![*v, most], DType::Bool);
            host.scalar(OpKind::Scalar(ScalarOp::BitAnd), vec![all, is_small], DType::Bool)
        });
        before.append(&mut host.ops);
        let program = self.program(plan, std::slice::from_ref(&own), axes, &[])?;
        ops.extend(before);
        ops.extend(made);
        self.worth_own.push(is_worth_it);
        Some(program)
    }

    /// The arrays of iterations that points would share.
    fn shared_arrays(&self, plan: &Plan, op: &Op, axes: &[Axis]) -> Option<Vec<ValueId>> {
        let ops = [&plan.around[..], std::slice::from_ref(op)].concat();
        let checks = Checks { fault: self.fault, at_points: Some(&self.at_points), payload: None };
        let program = translate(&self.surroundings(checks), &Program { axes, ..Program::of(&ops) }).ok()?;
        let is_shared = |table: &&ValueId| {
            self.temporaries.get(table).is_some_and(|around| around.iter().any(|v| program.loops.contains_key(v)))
        };
        let shared: Vec<ValueId> = program.tables.iter().filter(is_shared).copied().collect();
        (!shared.is_empty()).then_some(shared)
    }

    fn extents_of(&self, array: ValueId) -> Option<Vec<ValueId>> {
        let rank = self.function.array(array)?.rank;
        let extent = |axis| match self.shapes.along(array, axis) {
            Along::Value(extent) => Some(extent),
            _ => None,
        };
        (0..rank).map(extent).collect()
    }

    /// Lets an op's regions use the point's part of `whole` for `array`. `at`: the index of the loop that is around, by axis, with its lower bound.
    fn view_own(
        &mut self,
        op: &mut Op,
        (array, whole, rank): (ValueId, ValueId, usize),
        axes: &[Axis],
        at: &mut Vec<Option<[ValueId; 2]>>,
    ) -> Option<()> {
        let axis =
            axes.iter().find(|axis| op.regions.first().is_some_and(|r| r.parameters.first() == Some(&axis.index)));
        let outer = axis.map(|axis| (axis.number as usize, at[axis.number as usize]));
        if let Some(axis) = axis {
            if op.kind != OpKind::For || self.constant(op.operands[2]) != Some(1) {
                return None;
            }
            at[axis.number as usize] = Some([axis.index, axis.origin.shared().unwrap_or(op.operands[0])]);
        }
        let point: Option<Vec<[ValueId; 2]>> = at.iter().copied().collect();
        for region in &mut op.regions {
            let Some(point) = &point else {
                if region.ops.iter().any(|nested| nested.operands.contains(&array)) {
                    return None;
                }
                for nested in &mut region.ops {
                    self.view_own(nested, (array, whole, rank), axes, at)?;
                }
                continue;
            };
            let mut ops = Vec::new();
            let own = self.own_view((whole, rank), point, op.span, &mut ops)?;
            self.points_to.add_alias(own, whole);
            let mut names = crate::traverse::Substitution::default();
            names.replace(array, own);
            crate::traverse::substitute(region, &names);
            self.retype(region, &mut HashSet::from([own]));
            ops.append(&mut region.ops);
            region.ops = ops;
        }
        if let Some((number, before)) = outer {
            at[number] = before;
        }
        Some(())
    }

    /// The part of an array that is a point's: its indices are those of the last axes.
    fn own_view(
        &mut self,
        (whole, rank): (ValueId, usize),
        point: &[[ValueId; 2]],
        span: numptx_source::Span,
        ops: &mut Vec<Op>,
    ) -> Option<ValueId> {
        let mut view = whole;
        for [index, first] in point {
            let mut host = HostProgram::new(self.function, span);
            let at = host.scalar(OpKind::Scalar(ScalarOp::Sub), vec![*index, *first], DType::I64);
            ops.append(&mut host.ops);
            let (kind, operands) = (OpKind::Index { axis: rank }, vec![view, at]);
            let types: Vec<Type> = operands.iter().map(|v| self.function.ty(*v)).collect();
            let ty = typing::result_types(&kind, &types).ok().flatten()?.pop()?;
            view = self.function.add_value(ty);
            self.points_to.add_alias(view, whole);
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
