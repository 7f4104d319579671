//! Allocation, reshape, launches, element reads, checks: the ops that call the runtime.

use core::mem::{offset_of, size_of};

use inkwell::IntPredicate;
use inkwell::values::{BasicValueEnum, IntValue, PointerValue};
use numptx_abi::{Array, Operand, reshaping};
use numptx_ir::DType;
use numptx_ir::array::message::{Piece, pieces};
use numptx_ir::array::{ErrorKind, Op, Order, OrderTerm, Reading, ValueId};

use super::runtime::RuntimeCall;
use super::values::{ArrayValue, Emitted, FunctionEmitter};
use crate::error::{Emit, bug};

impl<'ctx> FunctionEmitter<'_, '_, 'ctx> {
    fn ints(&self, values: &[ValueId]) -> Emit<Vec<IntValue<'ctx>>> {
        values.iter().map(|v| self.int(*v)).collect()
    }

    // Fresh arrays.

    /// `alloc`: an owned array of undefined contents.
    pub fn alloc(&mut self, dtype: DType, order: &Order, op: &Op) -> Emit<()> {
        let (shape, strides, bytes) = self.allocated(dtype, order, &op.operands)?;
        let out = self.e.slot(self.e.ptr_type(), "fresh")?;
        let arguments = [self.call.into(), bytes.into(), out.into()];
        let status = self.e.runtime_status(self.table, RuntimeCall::Alloc, &arguments)?;
        self.guard(status)?;
        let buffer = self.e.load_ptr(out, 0)?;
        let array = self.fresh_array(buffer, shape, strides);
        self.set(op.results[0], Emitted::Array(array));
        self.own(op.results[0])
    }

    /// An array at the beginning of a buffer, nobody's object yet.
    fn fresh_array(
        &self,
        buffer: PointerValue<'ctx>,
        shape: Vec<IntValue<'ctx>>,
        strides: Vec<IntValue<'ctx>>,
    ) -> ArrayValue<'ctx> {
        let (parameter, read_only) = (self.e.i32(-1), self.e.context.bool_type().const_zero());
        ArrayValue { buffer, offset: self.e.i64(0), shape, strides, parameter, read_only }
    }

    /// `reuse`: as `alloc`, in the memory of the first operand where nobody else has it and it lies there alike.
    pub fn reuse(&mut self, dtype: DType, order: &Order, op: &Op) -> Emit<()> {
        let taken = self.array(op.operands[0])?;
        let (shape, strides, bytes) = self.allocated(dtype, order, &op.operands[1..])?;
        let fits = self.lies_alike(&taken, &shape, &strides)?;
        let fits = self.e.builder.build_int_z_extend(fits, self.e.context.i32_type(), "")?;
        let out = self.e.slot(self.e.ptr_type(), "reused")?;
        let arguments = [self.call.into(), taken.buffer.into(), bytes.into(), fits.into(), out.into()];
        let status = self.e.runtime_status(self.table, RuntimeCall::Reuse, &arguments)?;
        self.guard(status)?;
        let buffer = self.e.load_ptr(out, 0)?;
        let array = self.fresh_array(buffer, shape, strides);
        self.set(op.results[0], Emitted::Array(array));
        self.own(op.results[0])
    }

    /// Whether an array begins where its buffer does and has these extents and strides; along an axis of extent 1 any stride.
    fn lies_alike(
        &mut self,
        array: &ArrayValue<'ctx>,
        shape: &[IntValue<'ctx>],
        strides: &[IntValue<'ctx>],
    ) -> Emit<IntValue<'ctx>> {
        let e = &self.e;
        let mut alike = e.compare(IntPredicate::EQ, array.offset, e.i64(0))?;
        for (axis, (extent, stride)) in shape.iter().zip(strides).enumerate() {
            let same_extent = e.compare(IntPredicate::EQ, array.shape[axis], *extent)?;
            let same_stride = e.compare(IntPredicate::EQ, array.strides[axis], *stride)?;
            let is_one = e.compare(IntPredicate::EQ, *extent, e.i64(1))?;
            let same_stride = e.builder.build_or(same_stride, is_one, "")?;
            alike = e.builder.build_and(alike, same_extent, "")?;
            alike = e.builder.build_and(alike, same_stride, "")?;
        }
        Ok(alike)
    }

    /// Extents, strides and bytes of a fresh array over the extents among `operands`, ordered by the arrays after them.
    #[allow(clippy::type_complexity)]
    fn allocated(
        &mut self,
        dtype: DType,
        order: &Order,
        operands: &[ValueId],
    ) -> Emit<(Vec<IntValue<'ctx>>, Vec<IntValue<'ctx>>, IntValue<'ctx>)> {
        let is_array = |v: &ValueId| self.ir.array(*v).is_some();
        let rank = operands.iter().position(is_array).unwrap_or(operands.len());
        let shape = self.ints(&operands[..rank])?;
        let inputs = operands[rank..].iter().map(|v| self.like(*v, order, &shape)).collect::<Emit<Vec<_>>>()?;
        let bytes = self.array_bytes(&shape, dtype.itemsize())?;
        let strides = self.ordered_strides(order, &shape, dtype.itemsize(), &inputs)?;
        Ok((shape, strides, bytes))
    }

    /// An array that an order names. Its extents need not be those of the fresh array, and where they are 1 it has no say, but for copies.
    fn like(&mut self, value: ValueId, order: &Order, shape: &[IntValue<'ctx>]) -> Emit<ArrayValue<'ctx>> {
        let mut array = self.array(value)?;
        if let Order::K(terms) = order
            && matches!(terms[..], [OrderTerm::Copy(_)])
        {
            // Of its own extents those of 1 change nothing.
            return if array.shape == shape { Ok(array) } else { self.prototype(value, array) };
        }
        if array.shape.len() > 1 && matches!(order, Order::K(_)) {
            for (stride, extent) in array.strides.iter_mut().zip(&array.shape) {
                let is_one = self.e.compare(IntPredicate::EQ, *extent, self.e.i64(1))?;
                *stride = self.e.select(is_one, self.e.i64(0), *stride)?;
            }
        }
        Ok(array)
    }

    /// An array with strides that sort its axes as those of an array of other extents like it: of one that lies in C or F order by their places.
    /// Source: NumPy's `PyArray_NewLikeArrayWithShape`.
    fn prototype(&mut self, value: ValueId, mut array: ArrayValue<'ctx>) -> Emit<ArrayValue<'ctx>> {
        let rank = array.shape.len();
        let itemsize = self.ir.array(value).map_or(1, |of| of.dtype.itemsize());
        let is_c = self.lies_in_order(&array, itemsize, (0..rank).rev())?;
        let is_f = self.lies_in_order(&array, itemsize, 0..rank)?;
        for (axis, stride) in array.strides.iter_mut().enumerate() {
            let (in_c, in_f) = (self.e.i64((rank - axis) as i64), self.e.i64(axis as i64 + 1));
            *stride = self.e.select(is_c, in_c, self.e.select(is_f, in_f, *stride)?)?;
        }
        Ok(array)
    }

    /// Whether elements lie without gaps, the axes from the innermost; those of one element may lie anyhow, as may arrays without elements.
    fn lies_in_order(
        &self,
        array: &ArrayValue<'ctx>,
        itemsize: usize,
        axes: impl Iterator<Item = usize>,
    ) -> Emit<IntValue<'ctx>> {
        let e = &self.e;
        let (mut lies, mut is_empty) = (e.context.bool_type().const_all_ones(), e.context.bool_type().const_zero());
        let mut step = e.i64(itemsize as i64);
        for axis in axes {
            let (extent, stride) = (array.shape[axis], array.strides[axis]);
            let is_one = e.compare(IntPredicate::EQ, extent, e.i64(1))?;
            let fits = e.builder.build_or(is_one, e.compare(IntPredicate::EQ, stride, step)?, "")?;
            lies = e.builder.build_and(lies, fits, "")?;
            is_empty = e.builder.build_or(is_empty, e.compare(IntPredicate::EQ, extent, e.i64(0))?, "")?;
            step = e.mul(step, extent)?;
        }
        Ok(e.builder.build_or(lies, is_empty, "")?)
    }

    /// Bytes of an array; the largest integer where they do not fit, so that the allocation fails.
    fn array_bytes(&mut self, shape: &[IntValue<'ctx>], itemsize: usize) -> Emit<IntValue<'ctx>> {
        let intrinsic = inkwell::intrinsics::Intrinsic::find("llvm.smul.with.overflow")
            .and_then(|i| i.get_declaration(self.e.module, &[self.e.i64_type().into()]))
            .ok_or_else(|| bug("LLVM lacks llvm.smul.with.overflow"))?;
        let mut bytes = self.e.i64(itemsize as i64);
        let mut overflow = self.e.context.bool_type().const_zero();
        let mut empty = overflow;
        for extent in shape {
            let zero = self.e.compare(IntPredicate::EQ, *extent, self.e.i64(0))?;
            empty = self.e.builder.build_or(empty, zero, "")?;
            let call = self.e.builder.build_call(intrinsic, &[bytes.into(), (*extent).into()], "")?;
            let pair = call.try_as_basic_value().basic().ok_or_else(|| bug("the intrinsic returns nothing"))?;
            let pair = pair.into_struct_value();
            bytes = self.e.builder.build_extract_value(pair, 0, "")?.into_int_value();
            let over = self.e.builder.build_extract_value(pair, 1, "")?.into_int_value();
            overflow = self.e.builder.build_or(overflow, over, "")?;
        }
        let bytes = self.e.select(overflow, self.e.i64(i64::MAX), bytes)?;
        self.e.select(empty, self.e.i64(0), bytes)
    }

    /// `reshape`, `ravel` and `contiguous`: owned either way. `what` is one of the ABI's [`reshaping`].
    pub fn reshape(&mut self, reading: Reading, what: u32, op: &Op) -> Emit<()> {
        let input = self.array(op.operands[0])?;
        let is_same_shape = what == reshaping::CONTIGUOUS;
        let shape = if is_same_shape { input.shape.clone() } else { self.ints(&op.operands[1..])? };
        let (source, out) = (self.array_slot("source")?, self.array_slot("reshaped")?);
        self.store_array(source, &input, self.dtype(op.operands[0]))?;
        let extents = self.spill(&shape, "shape")?;
        let rank = self.e.i32(shape.len() as i32);
        let order = match reading {
            Reading::C => reshaping::C,
            Reading::F => reshaping::F,
            Reading::A => reshaping::A,
            Reading::K => reshaping::K,
        };
        let what = self.e.i32((what | order) as i32);
        let arguments = [self.call.into(), source.into(), rank.into(), extents.into(), out.into(), what.into()];
        let status = self.e.runtime_status(self.table, RuntimeCall::Reshape, &arguments)?;
        self.guard(status)?;
        let reshaped = self.load_array(out, shape.len())?;
        // A copy may be written, whatever it was made of.
        let shares = self.e.builder.build_int_compare(IntPredicate::EQ, reshaped.buffer, input.buffer, "")?;
        let read_only = self.e.builder.build_and(shares, input.read_only, "")?;
        let parameter = match is_same_shape {
            true => self.e.select(shares, input.parameter, reshaped.parameter)?,
            false => reshaped.parameter,
        };
        self.set(op.results[0], Emitted::Array(ArrayValue { shape, parameter, read_only, ..reshaped }));
        self.own(op.results[0])
    }

    /// `strided`: another descriptor over the operand's buffer, with a reference of its own. The runtime refuses what a device cannot address.
    pub fn strided(&mut self, dtype: DType, op: &Op) -> Emit<()> {
        let input = self.array(op.operands[0])?;
        let numbers = self.ints(&op.operands[1..])?;
        let (shape, strides) = numbers.split_at(numbers.len() / 2);
        let (source, out) = (self.array_slot("source")?, self.array_slot("strided")?);
        self.store_array(source, &input, self.dtype(op.operands[0]))?;
        let spilled = self.spill(&numbers, "shape and strides")?;
        let rank = self.e.i32(shape.len() as i32);
        let what = self.e.i32((reshaping::STRIDED | u32::from(dtype.code()) << reshaping::DTYPE_SHIFT) as i32);
        let arguments = [self.call.into(), source.into(), rank.into(), spilled.into(), out.into(), what.into()];
        let status = self.e.runtime_status(self.table, RuntimeCall::Reshape, &arguments)?;
        self.guard(status)?;
        let view = ArrayValue { shape: shape.to_vec(), strides: strides.to_vec(), parameter: self.e.i32(-1), ..input };
        self.set(op.results[0], Emitted::Array(view));
        self.own(op.results[0])
    }

    /// `overlap`: whether a store to the first array could change what it reads of the second.
    pub fn overlap(&mut self, op: &Op) -> Emit<()> {
        let mut records = Vec::new();
        for (value, name) in op.operands.iter().zip(["written", "read"]) {
            let record = self.array_slot(name)?;
            self.store_array(record, &self.array(*value)?, self.dtype(*value))?;
            records.push(record.into());
        }
        let found = self.e.runtime_status(self.table, RuntimeCall::Overlap, &records)?;
        let found = self.e.compare(IntPredicate::NE, found, self.e.i32(0))?;
        self.set(op.results[0], Emitted::Scalar(found.into()));
        Ok(())
    }

    /// Room for an ABI array record.
    pub(super) fn array_slot(&self, name: &str) -> Emit<PointerValue<'ctx>> {
        self.array_slots(1, name)
    }

    /// Room for `n` ABI array records.
    pub(super) fn array_slots(&self, n: usize, name: &str) -> Emit<PointerValue<'ctx>> {
        let slot = self.e.slot(self.e.context.i8_type().array_type((n * size_of::<Array>()) as u32), name)?;
        let instruction = slot.as_instruction().ok_or_else(|| bug("a slot is an instruction"))?;
        instruction.set_alignment(16).map_err(|e| bug(e.to_string()))?;
        Ok(slot)
    }

    /// Writes an ABI array record.
    pub fn store_array(&self, at: PointerValue<'ctx>, array: &ArrayValue<'ctx>, dtype: DType) -> Emit<()> {
        let e = &self.e;
        e.store(at, offset_of!(Array, buffer), array.buffer)?;
        e.store(at, offset_of!(Array, offset), array.offset)?;
        e.store(at, offset_of!(Array, rank), e.i32(array.shape.len() as i32))?;
        e.store(at, offset_of!(Array, dtype), e.i32(dtype.code() as i32))?;
        for (axis, (extent, stride)) in array.shape.iter().zip(&array.strides).enumerate() {
            e.store(at, offset_of!(Array, shape) + 8 * axis, *extent)?;
            e.store(at, offset_of!(Array, strides) + 8 * axis, *stride)?;
        }
        Ok(())
    }

    /// Reads an ABI array record of known rank, as an array of its own that may be written.
    pub fn load_array(&self, at: PointerValue<'ctx>, rank: usize) -> Emit<ArrayValue<'ctx>> {
        let e = &self.e;
        let ints = |base: usize| (0..rank).map(|axis| e.load_i64(at, base + 8 * axis)).collect::<Emit<Vec<_>>>();
        Ok(ArrayValue {
            buffer: e.load_ptr(at, offset_of!(Array, buffer))?,
            offset: e.load_i64(at, offset_of!(Array, offset))?,
            shape: ints(offset_of!(Array, shape))?,
            strides: ints(offset_of!(Array, strides))?,
            parameter: e.i32(-1),
            read_only: e.context.bool_type().const_zero(),
        })
    }

    // Launches.

    /// `launch`: extents, operands and scalars on the stack.
    pub fn launch(&mut self, kernel: usize, op: &Op) -> Emit<()> {
        let signature = self.shared.kernels.get(kernel).ok_or_else(|| bug(format!("there is no kernel {kernel}")))?;
        let (extents, rest) = op.operands.split_at(signature.rank);
        let (arrays, scalars) = rest.split_at(signature.operands.len());
        let extents = self.ints(extents)?;
        let extents = self.spill(&extents, "extents")?;
        let stands_still: Vec<bool> = (0..arrays.len()).map(|n| signature.table_of(n).is_some()).collect();
        let rank = signature.rank;
        let operands = self.operand_records(arrays, &|n| stands_still[n].then_some(rank))?;
        let words = self.scalar_words(scalars)?;
        let descriptor = self.shared.kernel_descriptors[kernel];
        let arguments = [self.call.into(), descriptor.into(), extents.into(), operands.into(), words.into()];
        let status = self.e.runtime_status(self.table, RuntimeCall::Launch, &arguments)?;
        self.guard(status)
    }

    /// One record an array. `stands_still`: of how many axes the strides are all 0, for a table.
    fn operand_records(
        &mut self,
        arrays: &[ValueId],
        stands_still: &dyn Fn(usize) -> Option<usize>,
    ) -> Emit<PointerValue<'ctx>> {
        let size = size_of::<Operand>();
        let words = self.e.i64_type().array_type((arrays.len().max(1) * size / 8) as u32);
        let records = self.e.slot(words, "operands")?;
        for (position, value) in arrays.iter().enumerate() {
            let array = self.array(*value)?;
            let strides = match stands_still(position) {
                Some(rank) => self.spill(&vec![self.e.i64(0); rank], "strides")?,
                None => self.spill(&array.strides, "strides")?,
            };
            let base = position * size;
            self.e.store(records, base + offset_of!(Operand, buffer), array.buffer)?;
            self.e.store(records, base + offset_of!(Operand, offset), array.offset)?;
            self.e.store(records, base + offset_of!(Operand, strides), strides)?;
        }
        Ok(records)
    }

    fn scalar_words(&mut self, scalars: &[ValueId]) -> Emit<PointerValue<'ctx>> {
        let words = self.e.slot(self.e.i64_type().array_type(2 * scalars.len().max(1) as u32), "scalars")?;
        for (position, value) in scalars.iter().enumerate() {
            let at = self.e.at(words, 16 * position)?;
            self.e.store_scalar(at, self.scalar(*value)?, self.dtype(*value))?;
        }
        Ok(words)
    }

    /// `item`: waits for the device.
    pub fn item(&mut self, op: &Op) -> Emit<()> {
        let array = self.array(op.operands[0])?;
        let dtype = self.dtype(op.operands[0]);
        let words = self.e.slot(self.e.i64_type().array_type(2), "item")?;
        let code = self.e.i32(dtype.code() as i32);
        let arguments = [self.call.into(), array.buffer.into(), array.offset.into(), code.into(), words.into()];
        let status = self.e.runtime_status(self.table, RuntimeCall::Item, &arguments)?;
        self.guard(status)?;
        let value = self.e.load_scalar(words, dtype)?;
        self.set(op.results[0], Emitted::Scalar(value));
        Ok(())
    }

    /// `item` of several arrays: waits for the device once.
    pub fn items(&mut self, op: &Op) -> Emit<()> {
        use numptx_abi::Element;
        let n = op.operands.len();
        let records =
            self.e.slot(self.e.context.i8_type().array_type((n * size_of::<Element>()) as u32), "elements")?;
        let instruction = records.as_instruction().ok_or_else(|| bug("a slot is an instruction"))?;
        instruction.set_alignment(16).map_err(|e| bug(e.to_string()))?;
        for (position, operand) in op.operands.iter().enumerate() {
            let (array, first) = (self.array(*operand)?, position * size_of::<Element>());
            self.e.store(records, first + offset_of!(Element, buffer), array.buffer)?;
            self.e.store(records, first + offset_of!(Element, offset), array.offset)?;
            let code = self.e.i32(self.dtype(*operand).code() as i32);
            self.e.store(records, first + offset_of!(Element, dtype), code)?;
            self.e.store(records, first + offset_of!(Element, reserved), self.e.i32(0))?;
        }
        let words = self.e.slot(self.e.i64_type().array_type(2 * n as u32), "items")?;
        let arguments = [self.call.into(), records.into(), self.e.i32(n as i32).into(), words.into()];
        let status = self.e.runtime_status(self.table, RuntimeCall::Items, &arguments)?;
        self.guard(status)?;
        for (position, (operand, result)) in op.operands.iter().zip(&op.results).enumerate() {
            let at = self.e.at(words, 16 * position)?;
            let value = self.e.load_scalar(at, self.dtype(*operand))?;
            self.set(*result, Emitted::Scalar(value));
        }
        Ok(())
    }

    /// `one_launch` and `one_read`: whether the runtime wants something to be one launch.
    pub fn asked(&mut self, call: RuntimeCall, op: &Op) -> Emit<()> {
        let [first, second, third] = [0, 1, 2].map(|n| self.int(op.operands[n]));
        let has_clusters = matches!(call, RuntimeCall::OneRead) && self.shared.options.clusters;
        let flags = self.e.i64(if has_clusters { numptx_abi::Kernel::HAS_CLUSTERS } else { 0 });
        let third = self.e.builder.build_or(third?, flags, "")?;
        let arguments = [self.call.into(), first?.into(), second?.into(), third.into()];
        let found = self.e.runtime_status(self.table, call, &arguments)?;
        let found = self.e.compare(IntPredicate::NE, found, self.e.i32(0))?;
        self.set(op.results[0], Emitted::Scalar(found.into()));
        Ok(())
    }

    // Checks.

    /// `check`: raises unless the condition holds.
    pub fn check(&mut self, kind: ErrorKind, message: &str, op: &Op) -> Emit<()> {
        let condition = self.int(op.operands[0])?;
        self.check_that(condition, kind, message, &op.operands[1..])
    }

    /// Raises unless an emitted condition holds.
    pub fn check_that(
        &mut self,
        condition: IntValue<'ctx>,
        kind: ErrorKind,
        message: &str,
        payload: &[ValueId],
    ) -> Emit<()> {
        let (next, raise) = (self.e.block("holds"), self.e.block("raise"));
        self.e.branch(condition, next, raise)?;
        self.e.builder.position_at_end(raise);
        let message = self.typed_message(message, payload);
        let payload = payload.iter().map(|v| self.widened(*v)).collect::<Emit<Vec<_>>>()?;
        let arguments = self.spill(&payload, "payload")?;
        let message = self.e.builder.build_global_string_ptr(&message, "message")?.as_pointer_value();
        let kind = self.e.i32(kind as i32);
        let n = self.e.i32(payload.len() as i32);
        let arguments = [self.call.into(), kind.into(), message.into(), arguments.into(), n.into()];
        let status = self.e.runtime_status(self.table, RuntimeCall::Raise, &arguments)?;
        self.fail(status)?;
        self.e.builder.position_at_end(next);
        Ok(())
    }

    /// The message as the runtime reads it: each placeholder says what its 64 bits are.
    fn typed_message(&self, message: &str, payload: &[ValueId]) -> String {
        let (mut out, mut payload) = (String::new(), payload.iter());
        for piece in pieces(message) {
            match piece {
                Piece::Text(text) => out.push_str(&text.replace('{', "{{").replace('}', "}}")),
                Piece::Payload(Some(format)) => {
                    payload.next();
                    out.push_str(&format!("{{{format}}}"));
                }
                Piece::Payload(None) => out.push_str(match payload.next().map(|v| self.dtype(*v)) {
                    Some(DType::Bool) => "{b}",
                    Some(DType::U64) => "{u}",
                    Some(DType::F16 | DType::F32) => "{f}",
                    Some(DType::F64) => "{d}",
                    _ => "{}",
                }),
            }
        }
        out
    }

    /// A payload as 64 bits.
    fn widened(&self, value: ValueId) -> Emit<IntValue<'ctx>> {
        let (wide, dtype) = (self.e.i64_type(), self.dtype(value));
        match self.scalar(value)? {
            BasicValueEnum::IntValue(int) if dtype == DType::Bool => {
                Ok(self.e.builder.build_int_z_extend_or_bit_cast(int, wide, "")?)
            }
            BasicValueEnum::IntValue(int) => Ok(self.e.builder.build_int_s_extend_or_bit_cast(int, wide, "")?),
            BasicValueEnum::FloatValue(float) if dtype == DType::F64 => {
                Ok(self.e.builder.build_bit_cast(float, wide, "")?.into_int_value())
            }
            BasicValueEnum::FloatValue(float) => {
                let bits = self.e.builder.build_bit_cast(float, self.e.context.i32_type(), "")?.into_int_value();
                Ok(self.e.builder.build_int_z_extend(bits, wide, "")?)
            }
            _ => Err(bug("the payload of a check is made of numbers")),
        }
    }
}
