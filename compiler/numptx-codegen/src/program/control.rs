//! `if`, `for`, `while`: carried values live in stack slots, which LLVM turns into registers.

use inkwell::IntPredicate;
use inkwell::values::{BasicValueEnum, IntValue, PointerValue};
use numptx_ir::array::{Op, OpKind, Region, Type, ValueId, is_replayable};

use super::runtime::RuntimeCall;
use super::values::{ArrayValue, Emitted, FunctionEmitter, axes_of};
use crate::error::{Emit, bug};

/// The stack slots of one carried value's parts.
#[derive(Clone)]
enum Carried<'ctx> {
    Scalar(PointerValue<'ctx>),
    Array {
        buffer: PointerValue<'ctx>,
        offset: PointerValue<'ctx>,
        shape: Vec<PointerValue<'ctx>>,
        strides: Vec<PointerValue<'ctx>>,
        parameter: PointerValue<'ctx>,
        read_only: PointerValue<'ctx>,
    },
}

impl<'ctx> FunctionEmitter<'_, '_, 'ctx> {
    /// `if`: each branch leaves its yielded values in the slots of the results.
    pub fn if_op(&mut self, op: &Op) -> Emit<()> {
        let condition = self.int(op.operands[0])?;
        let carried = self.carried_slots(&op.results)?;
        let (then, otherwise, next) = (self.e.block("then"), self.e.block("else"), self.e.block("endif"));
        self.e.branch(condition, then, otherwise)?;
        for (block, region) in [then, otherwise].into_iter().zip(&op.regions) {
            self.e.builder.position_at_end(block);
            self.region(region)?;
            let yielded = yielded(region)?;
            self.hand_over(yielded, &carried)?;
            self.own_slots(&op.results, &carried)?;
            self.e.jump(next)?;
        }
        self.e.builder.position_at_end(next);
        self.bind(&op.results, &carried)
    }

    /// `for`: counts iterations, so that no bound overflows.
    pub fn for_op(&mut self, op: &Op) -> Emit<()> {
        let (lower, upper, step) = (self.int(op.operands[0])?, self.int(op.operands[1])?, self.int(op.operands[2])?);
        let n = self.trip_count(lower, upper, step)?;
        let region = &op.regions[0];
        let (iv, parameters) = region.parameters.split_first().ok_or_else(|| bug("a `for` region lacks its index"))?;
        let carried = self.carried_slots(parameters)?;
        self.hand_over(&op.operands[3..], &carried)?;
        self.own_slots(parameters, &carried)?;
        let counter = self.e.slot_with(self.e.i64(0), "counter")?;
        self.e.store(counter, 0, self.e.i64(0))?;

        let (head, body, next) = (self.e.block("for"), self.e.block("body"), self.e.block("endfor"));
        self.e.jump(head)?;
        self.e.builder.position_at_end(head);
        let count = self.e.load_i64(counter, 0)?;
        let more = self.e.compare(IntPredicate::ULT, count, n)?;
        self.e.branch(more, body, next)?;

        self.e.builder.position_at_end(body);
        if is_replayable(op) {
            self.replay(*iv, self.e.sub(n, count)?)?;
        }
        let status = self.e.runtime_status(self.table, RuntimeCall::Poll, &[self.call.into()])?;
        self.guard(status)?;
        let index = self.e.add(lower, self.e.mul(count, step)?)?;
        self.set(*iv, Emitted::Scalar(index.into()));
        self.bind(parameters, &carried)?;
        self.region(region)?;
        self.hand_over(yielded(region)?, &carried)?;
        self.own_slots(parameters, &carried)?;
        self.e.store(counter, 0, self.e.add(count, self.e.i64(1))?)?;
        self.e.jump(head)?;

        self.e.builder.position_at_end(next);
        self.leave_loop(parameters, &op.results, &carried)?;
        if is_replayable(op) {
            self.replay(*iv, self.e.i64(0))?;
        }
        Ok(())
    }

    /// Tells the runtime that an iteration of the loop with this index begins, with so many to come.
    fn replay(&mut self, index: ValueId, left: IntValue<'ctx>) -> Emit<()> {
        let arguments = [self.call.into(), self.e.i64(i64::from(index.0)).into(), left.into()];
        let status = self.e.runtime_status(self.table, RuntimeCall::Replay, &arguments)?;
        self.guard(status)
    }

    /// `while`: the first region decides, the second runs.
    pub fn while_op(&mut self, op: &Op) -> Emit<()> {
        let [before, after] = op.regions.as_slice() else { return Err(bug("a `while` has two regions")) };
        let parameters = &after.parameters;
        let carried = self.carried_slots(parameters)?;
        self.hand_over(&op.operands, &carried)?;
        self.own_slots(parameters, &carried)?;
        let (head, body, next) = (self.e.block("while"), self.e.block("body"), self.e.block("endwhile"));
        self.e.jump(head)?;

        self.e.builder.position_at_end(head);
        let status = self.e.runtime_status(self.table, RuntimeCall::Poll, &[self.call.into()])?;
        self.guard(status)?;
        self.bind(&before.parameters, &carried)?;
        self.region(before)?;
        let condition = self.int(*yielded(before)?.first().ok_or_else(|| bug("a `while` yields no condition"))?)?;
        self.e.branch(condition, body, next)?;

        self.e.builder.position_at_end(body);
        self.bind(parameters, &carried)?;
        self.region(after)?;
        self.hand_over(yielded(after)?, &carried)?;
        self.own_slots(parameters, &carried)?;
        self.e.jump(head)?;

        self.e.builder.position_at_end(next);
        self.leave_loop(parameters, &op.results, &carried)
    }

    /// `try`: what raises in the region leads past it, once what the region owns is released.
    pub fn try_op(&mut self, op: &Op) -> Emit<()> {
        let [region] = op.regions.as_slice() else { return Err(bug("a `try` has one region")) };
        let Some((ended, results)) = op.results.split_first() else { return Err(bug("a `try` tells its end")) };
        let carried = self.carried_slots(results)?;
        let is_over = self.e.slot(self.e.context.bool_type(), "ended")?;
        let (failed, next) = (self.e.block("raised"), self.e.block("endattempt"));
        let around = self.lead_failures_to(failed);
        self.region(region)?;
        if uses_device(region) {
            self.settle(op)?;
        }
        self.lead_failures_to(around);
        self.hand_over(yielded(region)?, &carried)?;
        self.e.store(is_over, 0, self.e.context.bool_type().const_all_ones())?;
        self.e.jump(next)?;

        self.e.builder.position_at_end(failed);
        let mut defined = Vec::new();
        collect_defined(region, &mut defined);
        self.release_owned(&defined)?;
        for slot in &carried {
            self.store_nothing(slot)?;
        }
        self.e.store(is_over, 0, self.e.context.bool_type().const_zero())?;
        self.e.jump(next)?;

        self.e.builder.position_at_end(next);
        let value: BasicValueEnum = self.e.load(self.e.context.bool_type(), is_over, 0)?;
        self.set(*ended, Emitted::Scalar(value));
        self.own_slots(results, &carried)
    }

    /// What stands for a value that was never made: there is no buffer to release.
    fn store_nothing(&self, carried: &Carried<'ctx>) -> Emit<()> {
        let e = &self.e;
        match carried {
            Carried::Scalar(_) => Ok(()),
            Carried::Array { buffer, offset, shape, strides, parameter, read_only } => {
                e.store(*buffer, 0, e.ptr_type().const_null())?;
                e.store(*parameter, 0, e.context.i32_type().const_all_ones())?;
                e.store(*read_only, 0, e.context.bool_type().const_zero())?;
                [offset].into_iter().chain(shape).chain(strides).try_for_each(|slot| e.store(*slot, 0, e.i64(0)))
            }
        }
    }

    /// Number of iterations of `range(lower, upper, step)`, in 64 unsigned bits.
    fn trip_count(
        &mut self,
        lower: inkwell::values::IntValue<'ctx>,
        upper: inkwell::values::IntValue<'ctx>,
        step: inkwell::values::IntValue<'ctx>,
    ) -> Emit<inkwell::values::IntValue<'ctx>> {
        let e = &self.e;
        let (zero, one) = (e.i64(0), e.i64(1));
        let up = e.compare(IntPredicate::SGT, step, zero)?;
        let rising = e.compare(IntPredicate::SLT, lower, upper)?;
        let falling = e.compare(IntPredicate::SGT, lower, upper)?;
        let some = e.select(up, rising, falling)?;
        let distance = e.select(up, e.sub(upper, lower)?, e.sub(lower, upper)?)?;
        let stride = e.select(up, step, e.sub(zero, step)?)?;
        let zero_step = e.compare(IntPredicate::EQ, step, zero)?;
        let stride = e.select(zero_step, one, stride)?;
        let full = e.builder.build_int_unsigned_div(e.sub(distance, one)?, stride, "")?;
        e.select(some, e.add(full, one)?, zero)
    }

    fn leave_loop(&mut self, parameters: &[ValueId], results: &[ValueId], carried: &[Carried<'ctx>]) -> Emit<()> {
        self.bind(results, carried)?;
        for (parameter, result) in parameters.iter().zip(results) {
            self.disown(*parameter)?;
            self.own(*result)?;
        }
        Ok(())
    }

    /// Stack slots for values of these types.
    fn carried_slots(&mut self, values: &[ValueId]) -> Emit<Vec<Carried<'ctx>>> {
        values.iter().map(|value| self.carried_slot(*value)).collect()
    }

    fn carried_slot(&mut self, value: ValueId) -> Emit<Carried<'ctx>> {
        let e = &self.e;
        match self.ir.ty(value) {
            Type::Scalar(dtype) => Ok(Carried::Scalar(e.slot(e.scalar_type(dtype), "carried")?)),
            ty @ (Type::Array(_) | Type::Object) => {
                let ints = || (0..axes_of(ty)).map(|_| e.slot(e.i64_type(), "carried")).collect::<Emit<Vec<_>>>();
                Ok(Carried::Array {
                    buffer: e.slot(e.ptr_type(), "carried")?,
                    offset: e.slot(e.i64_type(), "carried")?,
                    shape: ints()?,
                    strides: ints()?,
                    parameter: e.slot(e.context.i32_type(), "carried")?,
                    read_only: e.slot(e.context.bool_type(), "carried")?,
                })
            }
        }
    }

    /// Consumes values into carried slots; all are read before any is written.
    fn hand_over(&mut self, values: &[ValueId], carried: &[Carried<'ctx>]) -> Emit<()> {
        let emitted: Vec<Emitted<'ctx>> = values.iter().map(|v| self.emitted(*v).cloned()).collect::<Emit<_>>()?;
        for value in values {
            self.consume(*value)?;
        }
        for (value, slot) in emitted.into_iter().zip(carried) {
            self.store_carried(value, slot)?;
        }
        Ok(())
    }

    fn store_carried(&mut self, value: Emitted<'ctx>, carried: &Carried<'ctx>) -> Emit<()> {
        let e = &self.e;
        match (value, carried) {
            (Emitted::Scalar(scalar), Carried::Scalar(slot)) => e.store(*slot, 0, scalar),
            (Emitted::Array(array), Carried::Array { buffer, offset, shape, strides, parameter, read_only }) => {
                e.store(*buffer, 0, array.buffer)?;
                e.store(*offset, 0, array.offset)?;
                e.store(*parameter, 0, array.parameter)?;
                e.store(*read_only, 0, array.read_only)?;
                for (slot, int) in shape.iter().zip(&array.shape).chain(strides.iter().zip(&array.strides)) {
                    e.store(*slot, 0, *int)?;
                }
                Ok(())
            }
            _ => Err(bug("a carried value changes between scalar and array")),
        }
    }

    /// The values that own what the carried slots hold now.
    fn own_slots(&mut self, owners: &[ValueId], carried: &[Carried<'ctx>]) -> Emit<()> {
        self.bind(owners, carried)?;
        owners.iter().try_for_each(|owner| self.own(*owner))
    }

    /// Reads the carried slots into values.
    fn bind(&mut self, values: &[ValueId], carried: &[Carried<'ctx>]) -> Emit<()> {
        for (value, slot) in values.iter().zip(carried) {
            let emitted = self.load_carried(*value, slot)?;
            self.set(*value, emitted);
        }
        Ok(())
    }

    fn load_carried(&mut self, value: ValueId, carried: &Carried<'ctx>) -> Emit<Emitted<'ctx>> {
        let e = &self.e;
        Ok(match carried {
            Carried::Scalar(slot) => {
                let scalar: BasicValueEnum = e.load(e.scalar_type(self.ir.ty(value).dtype()), *slot, 0)?;
                Emitted::Scalar(scalar)
            }
            Carried::Array { buffer, offset, shape, strides, parameter, read_only } => {
                let ints =
                    |slots: &[PointerValue<'ctx>]| slots.iter().map(|s| e.load_i64(*s, 0)).collect::<Emit<Vec<_>>>();
                Emitted::Array(ArrayValue {
                    buffer: e.load_ptr(*buffer, 0)?,
                    offset: e.load_i64(*offset, 0)?,
                    shape: ints(shape)?,
                    strides: ints(strides)?,
                    parameter: e.load(e.context.i32_type(), *parameter, 0)?.into_int_value(),
                    read_only: e.load(e.context.bool_type(), *read_only, 0)?.into_int_value(),
                })
            }
        })
    }
}

/// Whether a region, or one in it, gives the device work.
fn uses_device(region: &Region) -> bool {
    let gives_work = |op: &Op| {
        matches!(op.kind, OpKind::Launch(_) | OpKind::Sort(_) | OpKind::External(_) | OpKind::Call { .. })
            || op.kind.is_view_or_copy()
    };
    region.ops.iter().any(|op| gives_work(op) || op.regions.iter().any(uses_device))
}

/// The values that a region and those in it define.
fn collect_defined(region: &Region, defined: &mut Vec<ValueId>) {
    defined.extend(&region.parameters);
    for op in &region.ops {
        defined.extend(&op.results);
        op.regions.iter().for_each(|nested| collect_defined(nested, defined));
    }
}

/// The operands of a region's `yield`.
fn yielded(region: &Region) -> Emit<&[ValueId]> {
    match region.ops.last() {
        Some(op) if op.kind == OpKind::Yield => Ok(&op.operands),
        _ => Err(bug("a nested region does not end in `yield`")),
    }
}
