//! What a device kernel gets: its parameters, as `numptx_abi::Kernel` orders them, and its place in the grid.

use inkwell::AddressSpace;
use inkwell::attributes::AttributeLoc;
use inkwell::types::{BasicMetadataTypeEnum, IntType};
use inkwell::values::{BasicValueEnum, FunctionValue, IntValue, PointerValue};
use numptx_ir::DType;
use numptx_ir::kernel::{Access as Use, Kernel, Operand};
use numptx_ir::scalar::Code;

use crate::code::{Ragged, takes_turns};
use crate::emitter::Emitter;
use crate::error::{Emit, bug};
use crate::memory::Access;
use crate::phase::{is_invariant, operand, stands_still};
use crate::value::Scalar;

/// LLVM's number of the calling convention of PTX kernels.
const PTX_KERNEL: u32 = 71;
/// Global memory.
const GLOBAL: u16 = 1;

/// Bits of extents, strides and what is made of them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Width {
    Bits32,
    Bits64,
}

/// Both of them.
pub(super) const WIDTHS: [Width; 2] = [Width::Bits32, Width::Bits64];

impl Width {
    /// As in the variants' names.
    pub fn suffix(self) -> &'static str {
        match self {
            Width::Bits32 => "32",
            Width::Bits64 => "64",
        }
    }

    /// What is computed with.
    pub fn int<'ctx>(self, e: &Emitter<'ctx, '_>) -> IntType<'ctx> {
        match self {
            Width::Bits32 => e.narrow_index(),
            Width::Bits64 => e.context.i64_type(),
        }
    }

    /// What is passed.
    fn parameter<'ctx>(self, e: &Emitter<'ctx, '_>) -> IntType<'ctx> {
        match self {
            Width::Bits32 => e.context.i32_type(),
            Width::Bits64 => e.context.i64_type(),
        }
    }
}

/// Whether a kernel that is not sequential has a strided variant of a width: the narrow one where several axes make offsets of one thread.
pub(super) fn has_strided(kernel: &Kernel, width: Width) -> bool {
    let flags = if kernel.code().is_some() { numptx_abi::Kernel::NEST } else { 0 };
    width == Width::Bits64 || numptx_abi::Kernel::has_strided32(kernel.rank, flags)
}

/// A parameter after those of the operands, scalars, extents and strides.
#[derive(Clone, Copy)]
pub(super) enum Extra {
    /// To global memory.
    Pointer,
    I32,
    I64,
}

/// Which variant a function is.
pub(super) struct Variant<'v> {
    /// `flat32`
    pub name: String,
    /// Of extents and strides; `None`: they are not passed.
    pub width: Option<Width>,
    /// What follows them.
    pub extra: &'v [Extra],
    /// Bytes that pointers to arrays are aligned to, at least.
    pub alignment: u64,
}

/// A kernel function under way, its parameters in registers. Extents and strides have the variant's width, strides count elements.
pub(super) struct Launch<'ctx> {
    pub function: FunctionValue<'ctx>,
    pub bases: Vec<PointerValue<'ctx>>,
    pub scalars: Vec<Scalar<'ctx>>,
    pub extents: Vec<IntValue<'ctx>>,
    /// By operand and axis; the constant 0 where the operand always stands still.
    pub strides: Vec<Vec<IntValue<'ctx>>>,
    pub extra: Vec<BasicValueEnum<'ctx>>,
}

impl<'ctx> Launch<'ctx> {
    /// Makes the function and reads its parameters; the builder stands in its first block.
    pub fn start(e: &Emitter<'ctx, '_>, kernel: &Kernel, variant: &Variant<'_>) -> Emit<Self> {
        let ty = e.context.void_type().fn_type(&parameter_types(e, kernel, variant), false);
        let function = e.start_function(&format!("{}__{}", kernel.name, variant.name), ty)?;
        function.set_call_conventions(PTX_KERNEL);
        let threads = e.context.create_string_attribute("nvvm.maxntid", &kernel.schedule.block.to_string());
        function.add_attribute(AttributeLoc::Function, threads);
        for n in 0..kernel.operands.len() {
            describe_pointer(e, kernel, function, n, variant.alignment)?;
        }
        let mut next = Parameters { e, function, n: 0 };
        let mut bases = Vec::new();
        for _ in &kernel.operands {
            bases.push(next.take()?.into_pointer_value());
        }
        let scalars = kernel.scalars.iter().map(|dtype| next.scalar(*dtype)).collect::<Emit<Vec<_>>>()?;
        let (mut extents, mut strides) = (Vec::new(), Vec::new());
        if let Some(width) = variant.width {
            for _ in 0..kernel.rank {
                extents.push(next.index(width)?);
            }
            for operand in &kernel.operands {
                strides.push(next.strides(kernel, operand, width)?);
            }
        }
        let extra = variant.extra.iter().map(|_| next.take()).collect::<Emit<Vec<_>>>()?;
        Ok(Launch { function, bases, scalars, extents, strides, extra })
    }

    /// Ends the function.
    pub fn finish(self, e: &Emitter<'ctx, '_>) -> Emit<FunctionValue<'ctx>> {
        e.builder.build_return(None)?;
        Ok(self.function)
    }

    /// The product of some extents.
    pub fn work_items(
        &self,
        e: &Emitter<'ctx, '_>,
        axes: std::ops::Range<usize>,
        one: IntValue<'ctx>,
    ) -> Emit<IntValue<'ctx>> {
        self.extents[axes].iter().try_fold(one, |product, extent| e.mul(product, *extent))
    }

    /// The index along each of some axes of a linear index over them, the last axis fastest.
    pub fn decompose(
        &self,
        e: &Emitter<'ctx, '_>,
        axes: std::ops::Range<usize>,
        linear: IntValue<'ctx>,
    ) -> Emit<Vec<IntValue<'ctx>>> {
        let (mut rest, mut indices) = (linear, Vec::new());
        for axis in axes.clone().rev() {
            if axis == axes.start {
                indices.push(rest);
            } else {
                let quotient = e.udiv(rest, self.extents[axis])?;
                indices.push(e.sub(rest, e.mul(quotient, self.extents[axis])?)?);
                rest = quotient;
            }
        }
        indices.reverse();
        Ok(indices)
    }

    /// Asks the assembler to leave each thread as many registers as so many threads on a multiprocessor may have.
    pub fn ask_for_threads(&self, e: &Emitter<'ctx, '_>, kernel: &Kernel, threads: u32) {
        let blocks = (threads / kernel.schedule.block.max(1)).max(1);
        let attribute = e.context.create_string_attribute("nvvm.minctasm", &blocks.to_string());
        self.function.add_attribute(AttributeLoc::Function, attribute);
    }

    /// The address of an operand moved from `base` along consecutive axes, the first of which is `first`.
    pub fn address(
        &self,
        e: &Emitter<'ctx, '_>,
        kernel: &Kernel,
        (n, base): (usize, PointerValue<'ctx>),
        first: usize,
        indices: &[IntValue<'ctx>],
    ) -> Emit<PointerValue<'ctx>> {
        let mut offset = None;
        for (index, stride) in indices.iter().zip(&self.strides[n][first..]) {
            if stride.get_zero_extended_constant() == Some(0) {
                continue;
            }
            let step = e.mul(*index, *stride)?;
            offset = Some(match offset {
                Some(offset) => e.add(offset, step)?,
                None => step,
            });
        }
        match offset {
            Some(offset) => {
                let offset = e.resize_signed(offset, e.context.i64_type())?;
                e.at_element(base, offset, operand(kernel, n)?.dtype)
            }
            None => Ok(base),
        }
    }
}

/// What may be assumed of accesses to an operand.
pub(super) fn access_of<'ctx>(operand: &Operand) -> Access<'ctx> {
    Access { group: None, invariant: is_invariant(operand) }
}

/// A special register of 32 bits: `tid.x`, `ctaid.y`.
pub(super) fn register<'ctx>(e: &Emitter<'ctx, '_>, name: &str) -> Emit<IntValue<'ctx>> {
    Ok(e.intrinsic(&format!("llvm.nvvm.read.ptx.sreg.{name}"), &[], &[])?.into_int_value())
}

/// The same in 64 bits, in which nothing that a grid counts wraps.
pub(super) fn wide_register<'ctx>(e: &Emitter<'ctx, '_>, name: &str) -> Emit<IntValue<'ctx>> {
    e.resize_unsigned(register(e, name)?, e.context.i64_type())
}

/// The first of a thread's elements of a flat launch, which has few enough for the narrow index.
pub(super) fn first_flat<'ctx>(e: &Emitter<'ctx, '_>, kernel: &Kernel, vector: i64) -> Emit<IntValue<'ctx>> {
    let int = e.narrow_index();
    let read = |name: &str| e.resize_unsigned(register(e, name)?, int);
    let block = int.const_int(u64::from(kernel.schedule.block), false);
    let first = e.builder.build_int_nuw_mul(read("ctaid.x")?, block, "")?;
    let thread = e.builder.build_int_nuw_add(first, read("tid.x")?, "")?;
    Ok(e.builder.build_int_nuw_mul(thread, e.int_like(thread, vector), "")?)
}

/// The thread's number along `x` or `y` in the whole grid, and how many there are; `i64`.
pub(super) fn place<'ctx>(e: &Emitter<'ctx, '_>, axis: char) -> Emit<(IntValue<'ctx>, IntValue<'ctx>)> {
    let read = |name: &str| wide_register(e, &format!("{name}.{axis}"));
    let threads = read("ntid")?;
    let first = e.builder.build_int_nuw_mul(read("ctaid")?, threads, "")?;
    let number = e.builder.build_int_nuw_add(first, read("tid")?, "")?;
    Ok((number, e.builder.build_int_nuw_mul(read("nctaid")?, threads, "")?))
}

/// The same along x of a grid whose blocks all run at once: 32 bits hold what it counts. `i64`
pub(super) fn place_at_once<'ctx>(e: &Emitter<'ctx, '_>) -> Emit<(IntValue<'ctx>, IntValue<'ctx>)> {
    let threads = register(e, "ntid.x")?;
    let first = e.builder.build_int_nuw_mul(register(e, "ctaid.x")?, threads, "")?;
    let number = e.builder.build_int_nuw_add(first, register(e, "tid.x")?, "")?;
    let n = e.builder.build_int_nuw_mul(register(e, "nctaid.x")?, threads, "")?;
    let wide = e.context.i64_type();
    Ok((e.resize_unsigned(number, wide)?, e.resize_unsigned(n, wide)?))
}

/// The thread's number along x in a grid whose z goes on where its x ends, of less than 2³² blocks; `i64`. There is a thread for each work item.
pub(super) fn point_x<'ctx>(e: &Emitter<'ctx, '_>) -> Emit<IntValue<'ctx>> {
    let before = e.builder.build_int_nuw_mul(register(e, "ctaid.z")?, register(e, "nctaid.x")?, "")?;
    let block = e.builder.build_int_nuw_add(before, register(e, "ctaid.x")?, "")?;
    let block = e.resize_unsigned(block, e.context.i64_type())?;
    let first = e.builder.build_int_nuw_mul(block, wide_register(e, "ntid.x")?, "")?;
    Ok(e.builder.build_int_nuw_add(first, wide_register(e, "tid.x")?, "")?)
}

fn parameter_types<'ctx>(
    e: &Emitter<'ctx, '_>,
    kernel: &Kernel,
    variant: &Variant<'_>,
) -> Vec<BasicMetadataTypeEnum<'ctx>> {
    let pointer: BasicMetadataTypeEnum = e.context.ptr_type(AddressSpace::from(GLOBAL)).into();
    let mut types = vec![pointer; kernel.operands.len()];
    for dtype in &kernel.scalars {
        let ty: BasicMetadataTypeEnum = e.memory_type(*dtype).into();
        types.extend(vec![ty; if dtype.is_complex() { 2 } else { 1 }]);
    }
    if let Some(width) = variant.width {
        let arrays = kernel.operands.iter().filter(|o| !o.is_scalar()).count();
        types.extend(vec![BasicMetadataTypeEnum::from(width.parameter(e)); kernel.rank * (1 + arrays)]);
    }
    types.extend(variant.extra.iter().map(|extra| match extra {
        Extra::Pointer => pointer,
        Extra::I32 => e.context.i32_type().into(),
        Extra::I64 => e.context.i64_type().into(),
    }));
    types
}

/// Attributes of an operand's pointer: what overlaps nothing that is written is `noalias`, what is only read `readonly`.
fn describe_pointer<'ctx>(
    e: &Emitter<'ctx, '_>,
    kernel: &Kernel,
    function: FunctionValue<'ctx>,
    n: usize,
    alignment: u64,
) -> Emit<()> {
    let operand = operand(kernel, n)?;
    let set = |name: &str, value: u64| -> Emit<()> {
        function.add_attribute(AttributeLoc::Param(n as u32), e.attribute(name, value)?);
        Ok(())
    };
    let component = u64::from(e.memory_bytes(operand.dtype));
    set("align", if operand.is_scalar() { component } else { alignment.max(component) })?;
    if operand.access == Use::Read {
        set("readonly", 0)?;
    }
    // What one thread of a group or of a warp stores another one loads, after a barrier that knows no pointers.
    let in_groups = Ragged::of(kernel).is_some_and(|ragged| ragged.loads_stored);
    let is_shared = kernel.code().is_some_and(Code::is_cooperative) || takes_turns(kernel) || in_groups;
    let alone = !is_shared && kernel.operands.iter().all(|o| o.noalias);
    if is_invariant(operand) || alone {
        set("noalias", 0)?;
    }
    Ok(())
}

/// Takes parameters in order.
struct Parameters<'ctx, 'a, 'e> {
    e: &'e Emitter<'ctx, 'a>,
    function: FunctionValue<'ctx>,
    n: usize,
}

impl<'ctx> Parameters<'ctx, '_, '_> {
    fn take(&mut self) -> Emit<BasicValueEnum<'ctx>> {
        let value = self.function.get_nth_param(self.n as u32);
        self.n += 1;
        value.ok_or_else(|| bug("a device kernel has too few parameters"))
    }

    fn scalar(&mut self, dtype: DType) -> Emit<Scalar<'ctx>> {
        let first = self.take()?;
        match dtype.is_complex() {
            true => Ok(Scalar::Complex(first.into_float_value(), self.take()?.into_float_value())),
            false => self.e.unpack(first, dtype),
        }
    }

    /// An extent or a stride.
    fn index(&mut self, width: Width) -> Emit<IntValue<'ctx>> {
        let value = self.take()?.into_int_value();
        self.e.resize_signed(value, width.int(self.e))
    }

    fn strides(&mut self, kernel: &Kernel, operand: &Operand, width: Width) -> Emit<Vec<IntValue<'ctx>>> {
        let zero = width.int(self.e).const_zero();
        if operand.is_scalar() {
            return Ok(vec![zero; kernel.rank]);
        }
        let mut strides = Vec::with_capacity(kernel.rank);
        for axis in 0..kernel.rank {
            let stride = self.index(width)?;
            strides.push(if stands_still(operand, axis) { zero } else { stride });
        }
        Ok(strides)
    }
}
