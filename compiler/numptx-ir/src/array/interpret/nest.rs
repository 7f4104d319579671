//! Nests: the kernel that each of them becomes, run over shadow memory.

use super::{Failure, Interpreter, Outcome, View};
use crate::array::{Nest, ValueId};
use crate::kernel::{self, Kernel};

impl Interpreter<'_> {
    /// Points in an order that follows from the seed, or the nest breaks its promises.
    pub(super) fn nest(&mut self, operands: &[ValueId], nest: &Nest) -> Outcome<()> {
        let (extents, rest) = operands.split_at(nest.rank);
        let (tables, scalars) = rest.split_at(nest.code.n_tables());
        let extents = self.extents(extents)?;
        let tables = tables.iter().map(|v| self.array(*v)).collect::<Outcome<Vec<View>>>()?;
        let mut values = scalars.iter().map(|v| self.scalar(*v)).collect::<Outcome<Vec<_>>>()?;
        let types: Vec<_> = tables.iter().map(|view| (view.dtype, view.shape.len())).collect();
        let scalars: Vec<_> = scalars.iter().map(|v| self.function.ty(*v).dtype()).collect();
        let kernel = Kernel::of_nest(nest, &types, &scalars);
        values.extend(tables.iter().flat_map(|view| &view.strides).map(|s| crate::scalar::Constant::Int(*s)));
        kernel::interpret::run_with(&kernel, &extents, &tables, &values, self.seed, &mut self.fuel)
            .map_err(Failure::Invalid)
    }
}
