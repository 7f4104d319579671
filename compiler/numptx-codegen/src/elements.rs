//! Elements of tables: operands of which a body says itself which element it means.
//!
//! In: indices that a body computed. Out: addresses, loads and stores. Nothing here checks that indices are in range: the program did.

use inkwell::values::{IntValue, MetadataValue, PointerValue};
use numptx_ir::DType;
use numptx_ir::kernel::{Kernel, Phase};

use crate::emitter::{Emitter, Side};
use crate::error::{Emit, bug};
use crate::memory::Access;
use crate::phase::{is_invariant, operand};
use crate::value::Scalar;

/// What addresses of elements are made of.
pub(crate) struct Elements<'a, 'ctx> {
    pub kernel: &'a Kernel,
    /// One address an operand; a table's is its first element's at every work item.
    pub bases: &'a [PointerValue<'ctx>],
    /// One an operand of the launch.
    pub scalars: &'a [Scalar<'ctx>],
    /// The access group of a parallel loop.
    pub group: Option<MetadataValue<'ctx>>,
}

impl<'ctx> Elements<'_, 'ctx> {
    /// The element of a table.
    pub fn load(&self, e: &Emitter<'ctx, '_>, table: usize, at: &[Scalar<'ctx>]) -> Emit<Scalar<'ctx>> {
        let (address, dtype) = self.address(e, table, at)?;
        let operand = operand(self.kernel, self.kernel.tables[table].operand)?;
        let invariant = matches!(e.side, Side::Device(_)) && is_invariant(operand);
        e.load(address, dtype, Access { group: self.group, invariant })
    }

    /// Writes the element of a table.
    pub fn store(&self, e: &Emitter<'ctx, '_>, table: usize, at: &[Scalar<'ctx>], value: Scalar<'ctx>) -> Emit<()> {
        let (address, dtype) = self.address(e, table, at)?;
        e.store(address, value, dtype, Access { group: self.group, invariant: false })
    }

    /// Writes the element of a table on a device where a condition holds.
    pub fn store_where(
        &self,
        e: &Emitter<'ctx, '_>,
        condition: IntValue<'ctx>,
        table: usize,
        at: &[Scalar<'ctx>],
        value: Scalar<'ctx>,
    ) -> Emit<()> {
        let (address, dtype) = self.address(e, table, at)?;
        e.store_where(condition, address, value, dtype)
    }

    /// Writes what a phase scatters.
    pub fn scatter(&self, e: &Emitter<'ctx, '_>, phase: &Phase, outputs: &[Scalar<'ctx>]) -> Emit<()> {
        let output = |n: &usize| outputs.get(*n).copied().ok_or_else(|| bug(format!("a phase has no output {n}")));
        for to in &phase.scatters {
            let at = to.at.iter().map(output).collect::<Emit<Vec<_>>>()?;
            let (address, dtype) = self.address(e, to.table, &at)?;
            let value = output(&to.output)?;
            let store = || e.store(address, value, dtype, Access::default());
            match &to.when {
                Some(when) => e.when(output(when)?.int()?, store)?,
                None => store()?,
            }
        }
        Ok(())
    }

    /// How many bytes after the first element one lies.
    pub fn offset(&self, e: &Emitter<'ctx, '_>, table: usize, at: &[Scalar<'ctx>]) -> Emit<IntValue<'ctx>> {
        let table = self.kernel.tables.get(table).ok_or_else(|| bug(format!("there is no table {table}")))?;
        let mut offset = e.i64(0);
        for (index, stride) in at.iter().zip(&table.strides) {
            let stride = self.scalars.get(*stride).ok_or_else(|| bug("a table has no stride"))?;
            offset = e.add(offset, e.mul(index.int()?, stride.int()?)?)?;
        }
        Ok(offset)
    }

    /// Where the first element of a table lies.
    pub fn base(&self, table: usize) -> Emit<PointerValue<'ctx>> {
        let operand = self.kernel.tables.get(table).map(|table| table.operand);
        let base = operand.and_then(|n| self.bases.get(n).copied());
        base.ok_or_else(|| bug(format!("table {table} has no address")))
    }

    /// Where an element lies, and its dtype.
    pub fn address(
        &self,
        e: &Emitter<'ctx, '_>,
        table: usize,
        at: &[Scalar<'ctx>],
    ) -> Emit<(PointerValue<'ctx>, DType)> {
        let offset = self.offset(e, table, at)?;
        let n = self.kernel.tables[table].operand;
        Ok((e.at_bytes(self.base(table)?, offset)?, operand(self.kernel, n)?.dtype))
    }
}
