//! Calls of routines: functions of the module that take their arguments from words on the stack of the caller.
//!
//! The first word is the address of two words on the outermost caller's stack. One is the address that frames stay above, which is the runtime's for
//! the thread, and at most [`MAX_STACK`] away: recursion ends in `RecursionError`, also where frames are large or the stack is small. The other counts
//! the routines that may call others, each [`CALLS_PER_POLL`]th of which polls: recursion takes long without any loop. Then, leaf by leaf: a scalar's
//! two words; an array's buffer, offset, extents and strides, the caller's object that it is, and whether it is read-only. Results are written the
//! same way; each array of them brings a reference.

use inkwell::values::{IntValue, PointerValue};
use inkwell::{AddressSpace, IntPredicate};
use numptx_ir::array::{ErrorKind, Op, OpKind, Region, Type, ValueId};

use super::runtime::RuntimeCall;
use super::values::{ArrayValue, CallFrame, Emitted, FunctionEmitter, axes_of};
use crate::error::{Emit, bug};

/// What calls inside calls take of the stack at most: half of what a thread usually has. Unit: bytes.
const MAX_STACK: i64 = 4 << 20;
/// Where the limit lies beside the count, in bytes.
const LIMIT: usize = 8;
/// Calls between two polls, as a power of two: the runtime's own count costs as much as a short routine.
const CALLS_PER_POLL: i64 = 64;

/// Words of a leaf.
fn words_of(ty: Type) -> usize {
    match ty {
        Type::Scalar(_) => 2,
        ty => 4 + 2 * axes_of(ty),
    }
}

/// The words of the arguments and of the results of a function's calls, the most of each; `None` where there is no call.
fn most_words(region: &Region, ty: &dyn Fn(ValueId) -> Type) -> Option<(usize, usize)> {
    let mut most: Option<(usize, usize)> = None;
    let mut add = |(arguments, results)| {
        let (a, r) = most.unwrap_or((0, 0));
        most = Some((a.max(arguments), r.max(results)));
    };
    for op in &region.ops {
        if let OpKind::Call { .. } = op.kind {
            let arguments = op.operands.iter().map(|v| words_of(ty(*v))).sum::<usize>();
            let results = op.results.iter().map(|v| words_of(ty(*v))).sum::<usize>();
            add((arguments + 1, results));
        }
        op.regions.iter().filter_map(|nested| most_words(nested, ty)).for_each(&mut add);
    }
    most
}

impl<'ctx> FunctionEmitter<'_, '_, 'ctx> {
    /// Makes room for the calls of this function, and writes what they have in common. `base`: the outermost caller's stack, if this is a routine.
    pub fn open_calls(&mut self, base: Option<IntValue<'ctx>>) -> Emit<()> {
        let Some((n_arguments, n_results)) = most_words(&self.ir.body, &|v| self.ir.ty(v)) else { return Ok(()) };
        let i64_type = self.e.i64_type();
        let arguments = self.e.slot(i64_type.array_type(n_arguments as u32), "arguments")?;
        let results = self.e.slot(i64_type.array_type(n_results.max(1) as u32), "results")?;
        self.frame = Some(CallFrame { arguments, results });
        let Some(base) = base else {
            let base = self.open_base()?;
            return self.e.store(arguments, 0, base);
        };
        self.e.store(arguments, 0, base)?;
        let here = self.e.builder.build_ptr_to_int(arguments, i64_type, "")?;
        let limit = self.e.load_i64(self.pointer_to(base)?, LIMIT)?;
        let fits = self.e.compare(IntPredicate::UGE, here, limit)?;
        self.check_that(fits, ErrorKind::Recursion, "maximum recursion depth exceeded", &[])?;
        self.poll_now_and_then(base)
    }

    /// The words of the outermost caller, and their address.
    fn open_base(&mut self) -> Emit<IntValue<'ctx>> {
        let i64_type = self.e.i64_type();
        let words = self.e.slot(i64_type.array_type(2), "calls")?;
        let base = self.e.builder.build_ptr_to_int(words, i64_type, "")?;
        let of_thread = self.e.runtime(self.table, RuntimeCall::StackLimit, &[])?;
        let of_thread = of_thread.ok_or_else(|| bug("the runtime tells no limit"))?;
        let lowest = self.e.sub(base, self.e.i64(MAX_STACK))?;
        let is_near = self.e.compare(IntPredicate::UGT, of_thread, lowest)?;
        let limit = self.e.select(is_near, of_thread, lowest)?;
        self.e.store(words, 0, self.e.i64(0))?;
        self.e.store(words, LIMIT, limit)?;
        Ok(base)
    }

    fn pointer_to(&self, address: IntValue<'ctx>) -> Emit<PointerValue<'ctx>> {
        let pointer = self.e.context.ptr_type(AddressSpace::default());
        Ok(self.e.builder.build_int_to_ptr(address, pointer, "")?)
    }

    /// Counts a call where `base` points to, and polls where the count is a multiple of [`CALLS_PER_POLL`].
    fn poll_now_and_then(&mut self, base: IntValue<'ctx>) -> Emit<()> {
        let count = self.pointer_to(base)?;
        let calls = self.e.add(self.e.load_i64(count, 0)?, self.e.i64(1))?;
        self.e.store(count, 0, calls)?;
        let rest = self.e.builder.build_and(calls, self.e.i64(CALLS_PER_POLL - 1), "")?;
        let is_due = self.e.compare(IntPredicate::EQ, rest, self.e.i64(0))?;
        let (poll, next) = (self.e.block("poll"), self.e.block("polled"));
        self.e.branch(is_due, poll, next)?;
        self.e.builder.position_at_end(poll);
        let status = self.e.runtime_status(self.table, RuntimeCall::Poll, &[self.call.into()])?;
        self.guard(status)?;
        self.e.jump(next)?;
        self.e.builder.position_at_end(next);
        Ok(())
    }

    /// The parameters of a routine.
    pub fn routine_parameters(&mut self, arguments: PointerValue<'ctx>) -> Emit<()> {
        let mut words = 1;
        for parameter in &self.ir.parameters {
            let emitted = self.load_leaf(arguments, words, *parameter)?;
            self.set(*parameter, emitted);
            words += words_of(self.ir.ty(*parameter));
        }
        let base = self.e.load_i64(arguments, 0)?;
        self.open_calls(Some(base))
    }

    /// `return` of a routine.
    pub fn return_from_routine(&mut self, op: &Op) -> Emit<()> {
        self.store_leaves(self.results, 0, &op.operands)?;
        let zero = self.e.i32(0);
        self.e.builder.build_return(Some(&zero))?;
        Ok(())
    }

    /// The leaf that stands so many words from a place on.
    fn load_leaf(&self, place: PointerValue<'ctx>, words: usize, value: ValueId) -> Emit<Emitted<'ctx>> {
        let at = self.e.at(place, 8 * words)?;
        let rank = match self.ir.ty(value) {
            Type::Scalar(dtype) => return Ok(Emitted::Scalar(self.e.load_scalar(at, dtype)?)),
            ty => axes_of(ty),
        };
        let ints = |first: usize| (first..first + rank).map(|n| self.e.load_i64(at, 8 * n)).collect::<Emit<_>>();
        let last = 2 + 2 * rank;
        Ok(Emitted::Array(ArrayValue {
            buffer: self.e.load_ptr(at, 0)?,
            offset: self.e.load_i64(at, 8)?,
            shape: ints(2)?,
            strides: ints(2 + rank)?,
            parameter: self.e.load(self.e.context.i32_type(), at, 8 * last)?.into_int_value(),
            read_only: self.e.load(self.e.context.bool_type(), at, 8 * (last + 1))?.into_int_value(),
        }))
    }

    /// Writes leaves from so many words of a place on.
    fn store_leaves(&self, place: PointerValue<'ctx>, first: usize, values: &[ValueId]) -> Emit<()> {
        let mut words = first;
        for value in values {
            let at = self.e.at(place, 8 * words)?;
            match self.emitted(*value)? {
                Emitted::Scalar(scalar) => self.e.store_scalar(at, *scalar, self.dtype(*value))?,
                Emitted::Array(array) => {
                    self.e.store(at, 0, array.buffer)?;
                    let ints = std::iter::once(&array.offset).chain(&array.shape).chain(&array.strides);
                    ints.enumerate().try_for_each(|(n, int)| self.e.store(at, 8 * (n + 1), *int))?;
                    let last = 2 + 2 * array.shape.len();
                    self.e.store(at, 8 * last, array.parameter)?;
                    self.e.store(at, 8 * (last + 1), array.read_only)?;
                }
            }
            words += words_of(self.ir.ty(*value));
        }
        Ok(())
    }

    /// `call`: the routine borrows the arrays; the call fails where the routine does.
    pub fn call_routine(&mut self, routine: &str, op: &Op) -> Emit<()> {
        let position = self.shared.ir.functions.iter().position(|f| f.is_routine && f.name == routine);
        let callee =
            position.map(|n| self.shared.functions[n]).ok_or_else(|| bug(format!("no routine `{routine}`")))?;
        let CallFrame { arguments, results } = self.frame.ok_or_else(|| bug("a call without room for it"))?;
        self.store_leaves(arguments, 1, &op.operands)?;
        let passed = [self.call.into(), arguments.into(), results.into()];
        let status = self.e.builder.build_call(callee, &passed, "")?.try_as_basic_value().basic();
        self.guard(status.ok_or_else(|| bug("a routine returns no status"))?.into_int_value())?;
        let mut words = 0;
        for result in &op.results {
            let emitted = self.load_leaf(results, words, *result)?;
            self.set(*result, emitted);
            words += words_of(self.ir.ty(*result));
        }
        op.results.iter().try_for_each(|result| self.own(*result))
    }
}
