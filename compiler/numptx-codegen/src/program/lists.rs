//! Elements of lists that are scalars, and tuples of scalars, read and written without the runtime, by what [`ListHead`] tells.
//!
//! What is not as usual (an index that no element has, a list that is full, the debug mode) is left to the runtime, which raises what Python does.

use core::mem::offset_of;

use inkwell::IntPredicate;
use inkwell::values::{IntValue, PointerValue};
use numptx_abi::{ListHead, object};
use numptx_ir::array::{Function, ObjectOp, Op, Type, ValueId};

use super::values::FunctionEmitter;
use crate::error::{Emit, bug};

/// Where a buffer has the address of its list's head.
const HEAD: usize = 0;

/// An operation that needs the runtime only where something is not as usual.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListAccess {
    /// `len(a)`
    Length,
    /// `a[i]`
    Get,
    /// `a[i] = x`
    Set,
    /// `a.append(x)`
    Append,
    /// `a.pop()`
    Pop,
}

impl ListAccess {
    /// What an operation is, if its elements have leaves and all of them are scalars.
    pub fn of(object: &ObjectOp, op: &Op, ir: &Function) -> Option<ListAccess> {
        let access = match object.operation {
            object::LIST_LENGTH => return Some(ListAccess::Length),
            object::LIST_GET => ListAccess::Get,
            object::LIST_SET => ListAccess::Set,
            object::LIST_APPEND => ListAccess::Append,
            object::LIST_POP => ListAccess::Pop,
            _ => return None,
        };
        let leaves = access.leaves(op);
        let is_scalar = |value: &ValueId| matches!(ir.ty(*value), Type::Scalar(_));
        (!leaves.is_empty() && leaves.iter().all(is_scalar)).then_some(access)
    }

    /// The leaves of the element.
    fn leaves(self, op: &Op) -> &[ValueId] {
        match self {
            ListAccess::Length => &[],
            ListAccess::Get | ListAccess::Pop => &op.results,
            ListAccess::Set => op.operands.get(2..).unwrap_or_default(),
            ListAccess::Append => op.operands.get(1..).unwrap_or_default(),
        }
    }
}

impl<'ctx> FunctionEmitter<'_, '_, 'ctx> {
    /// Emits an access. Gives where the words of each result lie.
    pub fn access_list(&mut self, access: ListAccess, object: &ObjectOp, op: &Op) -> Emit<Vec<PointerValue<'ctx>>> {
        let list = self.array(op.operands[0])?.buffer;
        let head = self.e.load_ptr(list, HEAD)?;
        let length = self.e.load_i64(head, offset_of!(ListHead, length))?;
        let (index, is_usual) = self.usual(access, op, head, length)?;
        let [usual, other, join] = ["usual", "other", "accessed"].map(|name| self.e.block(name));
        self.e.branch(is_usual, usual, other)?;

        self.e.builder.position_at_end(usual);
        let here = self.access(access, op, head, (length, index))?;
        self.e.jump(join)?;

        self.e.builder.position_at_end(other);
        let there = self.object_by_runtime(object, op)?;
        let other = self.e.builder.get_insert_block().ok_or_else(|| bug("no current block"))?;
        self.e.jump(join)?;

        self.e.builder.position_at_end(join);
        let joined = here.iter().zip(&there).map(|(here, there)| {
            let phi = self.e.builder.build_phi(self.e.ptr_type(), "words")?;
            phi.add_incoming(&[(here, usual), (there, other)]);
            Ok(phi.as_basic_value().into_pointer_value())
        });
        joined.collect()
    }

    /// The place of the element, and whether the access needs no runtime.
    fn usual(
        &self,
        access: ListAccess,
        op: &Op,
        head: PointerValue<'ctx>,
        length: IntValue<'ctx>,
    ) -> Emit<(IntValue<'ctx>, IntValue<'ctx>)> {
        let zero = self.e.i64(0);
        match access {
            ListAccess::Length => Ok((zero, self.e.compare(IntPredicate::SGE, length, zero)?)),
            ListAccess::Get | ListAccess::Set => {
                let index = self.scalar(op.operands[1])?.into_int_value();
                let from_end = self.e.compare(IntPredicate::SLT, index, zero)?;
                let place = self.e.select(from_end, self.e.add(index, length)?, index)?;
                // A length of -1 has no place: as an unsigned number none is below it but itself.
                let (below, known) = (
                    self.e.compare(IntPredicate::ULT, place, length)?,
                    self.e.compare(IntPredicate::SGE, length, zero)?,
                );
                Ok((place, self.e.builder.build_and(below, known, "")?))
            }
            ListAccess::Append => {
                let room = self.e.load_i64(head, offset_of!(ListHead, room))?;
                Ok((length, self.e.compare(IntPredicate::SGT, room, zero)?))
            }
            ListAccess::Pop => {
                let index = self.scalar(op.operands[1])?.into_int_value();
                let is_last = self.e.compare(IntPredicate::EQ, index, self.e.i64(-1))?;
                let has_any = self.e.compare(IntPredicate::SGT, length, zero)?;
                Ok((self.e.sub(length, self.e.i64(1))?, self.e.builder.build_and(is_last, has_any, "")?))
            }
        }
    }

    /// Carries a usual access out.
    fn access(
        &mut self,
        access: ListAccess,
        op: &Op,
        head: PointerValue<'ctx>,
        (length, place): (IntValue<'ctx>, IntValue<'ctx>),
    ) -> Emit<Vec<PointerValue<'ctx>>> {
        if access == ListAccess::Length {
            return Ok(vec![self.e.at(head, offset_of!(ListHead, length))?]);
        }
        let leaves = self.places_of_leaves(access.leaves(op), head, place)?;
        let change = match access {
            ListAccess::Append => 1,
            ListAccess::Pop => -1,
            _ => 0,
        };
        if change != 0 {
            let room = self.e.load_i64(head, offset_of!(ListHead, room))?;
            let (length, room) = (self.e.add(length, self.e.i64(change))?, self.e.sub(room, self.e.i64(change))?);
            self.e.store(head, offset_of!(ListHead, length), length)?;
            self.e.store(head, offset_of!(ListHead, room), room)?;
        }
        if matches!(access, ListAccess::Get | ListAccess::Pop) {
            return Ok(leaves);
        }
        for (value, at) in access.leaves(op).iter().zip(leaves) {
            let dtype = self.dtype(*value);
            self.e.store_words(at, self.scalar(*value)?, dtype)?;
        }
        Ok(Vec::new())
    }

    /// Where each leaf of the element of a place lies.
    fn places_of_leaves(
        &self,
        leaves: &[ValueId],
        head: PointerValue<'ctx>,
        place: IntValue<'ctx>,
    ) -> Emit<Vec<PointerValue<'ctx>>> {
        let bytes = |value: &ValueId| 8 * object::words(self.dtype(*value).code());
        let total: usize = leaves.iter().map(bytes).sum();
        let words = self.e.load_ptr(head, offset_of!(ListHead, words))?;
        let offset = self.e.mul(place, self.e.i64(total as i64))?;
        let byte = self.e.context.i8_type();
        // SAFETY: the place is one of an element, or of one that there is room for.
        let first = unsafe { self.e.builder.build_in_bounds_gep(byte, words, &[offset], "") }?;
        let mut next = 0;
        let each = leaves.iter().map(|value| {
            let at = self.e.at(first, next);
            next += bytes(value);
            at
        });
        each.collect()
    }
}
