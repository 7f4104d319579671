//! Kernels with code on the host: a range of work items in linear order, row by row along the last axis.
//!
//! A row is a function of its own, whose pointers LLVM knows to be apart. There are two of it: one for launches where neighbours along every
//! table's last axis lie side by side, so that vectors can be loaded and stored, and one for any strides.

use inkwell::AddressSpace;
use inkwell::IntPredicate;
use inkwell::attributes::AttributeLoc;
use inkwell::module::Linkage;
use inkwell::types::BasicMetadataTypeEnum;
use inkwell::values::{BasicMetadataValueEnum, FunctionValue, IntValue};
use numptx_ir::kernel::{Access as Use, Kernel};
use numptx_ir::scalar::Code;

use super::frame::Frame;
use crate::code::{LANES, Strip, has_unit_strides, is_branching, may_be_vectors, with_unit_strides};
use crate::elements::Elements;
use crate::emitter::Emitter;
use crate::error::Emit;
use crate::phase::is_invariant;

/// How tables lie.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Strides {
    Unit,
    Any,
}

/// Makes the rows of a kernel. They come before the function that calls them, because the builder stands in one function at a time.
pub(super) struct Rows<'ctx> {
    unit: FunctionValue<'ctx>,
    any: FunctionValue<'ctx>,
}

impl<'ctx> Rows<'ctx> {
    pub fn emit(e: &Emitter<'ctx, '_>, kernel: &Kernel, code: &Code) -> Emit<Self> {
        let unit = row(e, kernel, code, Strides::Unit)?;
        Ok(Rows { unit, any: row(e, kernel, code, Strides::Any)? })
    }

    /// Fills a function of type `numptx_abi::HostMap`: work items `begin..end` in linear order.
    pub fn run(&self, e: &Emitter<'ctx, '_>, kernel: &Kernel, function: FunctionValue<'ctx>) -> Emit<()> {
        let pointer = e.pointer_parameter(function, 0)?;
        let begin = e.int_parameter(function, 1)?;
        let end = e.int_parameter(function, 2)?;
        let frame = Frame::of(e, kernel, function)?;
        let start: Vec<BasicMetadataValueEnum<'ctx>> =
            std::iter::once(pointer.into()).chain(frame.bases.iter().map(|base| (*base).into())).collect();
        match has_unit_strides(e, kernel, &frame.scalars)? {
            Some(is_unit) => e.either(
                is_unit,
                || walk(e, &frame, self.unit, &start, (begin, end)),
                || walk(e, &frame, self.any, &start, (begin, end)),
            )?,
            None => walk(e, &frame, self.any, &start, (begin, end))?,
        }
        e.builder.build_return(None)?;
        Ok(())
    }
}

/// `row(frame, bases…, outer indices…, first, last)`: work items of one row.
fn row<'ctx>(e: &Emitter<'ctx, '_>, kernel: &Kernel, code: &Code, strides: Strides) -> Emit<FunctionValue<'ctx>> {
    let pointer: BasicMetadataTypeEnum<'ctx> = e.context.ptr_type(AddressSpace::default()).into();
    let (n_operands, n_outer) = (kernel.operands.len(), kernel.rank.saturating_sub(1));
    let mut types = vec![pointer; 1 + n_operands];
    types.extend(vec![BasicMetadataTypeEnum::from(e.context.i64_type()); n_outer + 2]);
    let name = if strides == Strides::Unit { "row_unit" } else { "row" };
    let ty = e.context.void_type().fn_type(&types, false);
    let function = e.start_function(&format!("{}__host_{name}", kernel.name), ty)?;
    function.set_linkage(Linkage::Internal);
    describe(e, kernel, function)?;
    let mut frame = Frame::of(e, kernel, function)?;
    for n in 0..n_operands {
        frame.bases[n] = e.pointer_parameter(function, 1 + n)?;
    }
    let scalars = match strides {
        Strides::Unit => with_unit_strides(e, kernel, &frame.scalars),
        Strides::Any => frame.scalars.clone(),
    };
    let index = |n: usize| e.int_parameter(function, 1 + n_operands + n);
    let outer = (0..n_outer).map(index).collect::<Emit<Vec<IntValue<'ctx>>>>()?;
    let range = (index(n_outer)?, index(n_outer + 1)?);
    let mut elements = Elements { kernel, bases: &frame.bases, scalars: &scalars, group: None };
    if kernel.rank == 0 || code.is_cooperative() {
        e.only_work_item(code, &elements, e.pointer_parameter(function, 0)?)?;
    } else {
        match Strip::of(code, kernel.rank).filter(|_| strides == Strides::Unit) {
            Some(strip) => strips(e, (code, &strip), &elements, &outer, range)?,
            None => one_by_one(e, code, &mut elements, &outer, range)?,
        }
    }
    e.builder.build_return(None)?;
    Ok(function)
}

/// Work items that differ in their last index only, one after the other. LLVM may make vectors of them ([`may_be_vectors`]).
fn one_by_one<'ctx>(
    e: &Emitter<'ctx, '_>,
    code: &Code,
    elements: &mut Elements<'_, 'ctx>,
    outer: &[IntValue<'ctx>],
    range: (IntValue<'ctx>, IntValue<'ctx>),
) -> Emit<()> {
    let parallel = e.parallel_work_items()?;
    elements.group = (!is_branching(code)).then_some(parallel.group);
    // Where vectors begin decides what bits there are. The runtime knows that of vectors that `side_by_side` tells of.
    let loop_id = match (is_branching(code), may_be_vectors(code)) {
        (false, _) => Some(parallel.loop_id),
        (true, true) => None,
        (true, false) => Some(e.plain()?),
    };
    e.count(range, e.i64(1), loop_id, |i| e.code(code, elements, &[outer, &[i]].concat()))
}

/// Work items side by side; a whole strip has a version of its own, in which nothing is left over from vectors.
fn strips<'ctx>(
    e: &Emitter<'ctx, '_>,
    (code, strip): (&Code, &Strip<'_>),
    elements: &Elements<'_, 'ctx>,
    outer: &[IntValue<'ctx>],
    (first, last): (IntValue<'ctx>, IntValue<'ctx>),
) -> Emit<()> {
    let lanes = e.i64(LANES);
    e.count((first, last), lanes, Some(e.short()?), |i| {
        let indices = [outer, &[i]].concat();
        let count = e.smin(lanes, e.sub(last, i)?)?;
        let is_whole = e.icmp(IntPredicate::EQ, count, lanes)?;
        let are_several = e.icmp_with(IntPredicate::SGT, count, 1)?;
        e.either(
            is_whole,
            || strip.emit(e, elements, &indices, lanes),
            || e.either(are_several, || strip.emit(e, elements, &indices, count), || e.code(code, elements, &indices)),
        )
    })
}

/// What LLVM may assume of a row's pointers: what is stored to is met through one of them only.
fn describe<'ctx>(e: &Emitter<'ctx, '_>, kernel: &Kernel, row: FunctionValue<'ctx>) -> Emit<()> {
    row.add_attribute(AttributeLoc::Function, e.attribute("noinline", 0)?);
    row.add_attribute(AttributeLoc::Param(0), e.attribute("readonly", 0)?);
    row.add_attribute(AttributeLoc::Param(0), e.attribute("noalias", 0)?);
    let alone = kernel.operands.iter().all(|o| o.noalias);
    for (n, operand) in kernel.operands.iter().enumerate() {
        let place = AttributeLoc::Param(1 + n as u32);
        if operand.access == Use::Read {
            row.add_attribute(place, e.attribute("readonly", 0)?);
        }
        if alone || is_invariant(operand) {
            row.add_attribute(place, e.attribute("noalias", 0)?);
        }
    }
    Ok(())
}

/// Calls `row` for the parts of rows that work items `begin..end` cover.
fn walk<'ctx>(
    e: &Emitter<'ctx, '_>,
    frame: &Frame<'ctx>,
    row: FunctionValue<'ctx>,
    start: &[BasicMetadataValueEnum<'ctx>],
    (begin, end): (IntValue<'ctx>, IntValue<'ctx>),
) -> Emit<()> {
    let Some((last, outer)) = frame.extents.split_last() else {
        let some = e.icmp(IntPredicate::SLT, begin, end)?;
        let arguments = [start, &[e.i64(0).into(), e.i64(1).into()]].concat();
        return e.when(some, || Ok(e.builder.build_call(row, &arguments, "").map(drop)?));
    };
    let work_item = e.slot_with(begin, "point")?;
    let here = || e.read_int(work_item, begin);
    e.repeat(
        || e.icmp(IntPredicate::SLT, here()?, end),
        || {
            let work_item_here = here()?;
            let number = e.udiv(work_item_here, *last)?;
            let first = e.sub(work_item_here, e.mul(number, *last)?)?;
            let length = e.smin(e.sub(*last, first)?, e.sub(end, work_item_here)?)?;
            let mut arguments = start.to_vec();
            let (mut rest, mut indices) = (number, Vec::new());
            for extent in outer.iter().rev() {
                let quotient = e.udiv(rest, *extent)?;
                indices.push(e.sub(rest, e.mul(quotient, *extent)?)?);
                rest = quotient;
            }
            arguments.extend(indices.iter().rev().map(|i| BasicMetadataValueEnum::from(*i)));
            arguments.extend([first, e.add(first, length)?].map(BasicMetadataValueEnum::from));
            e.builder.build_call(row, &arguments, "")?;
            e.write(work_item, e.add(work_item_here, length)?)
        },
    )
}
