//! The kernel and the launch of a nest.

use numptx_ir::array::{Nest, Op, OpKind, ValueId};
use numptx_ir::kernel::Kernel;

use crate::kernels::form_kernels::{FormKernels, strides_of};
use crate::rewrite::emit::Emitter;

impl FormKernels<'_> {
    /// Operands of `op` are resolved. An array that several tables are, all of them only loaded from, is one operand.
    pub(crate) fn nest(&mut self, emitter: &mut Emitter, nest: &Nest, op: &Op) {
        let (extents, rest) = op.operands.split_at(nest.rank);
        let (tables, scalars) = rest.split_at(nest.code.n_tables());
        let mut arrays: Vec<ValueId> = Vec::with_capacity(tables.len());
        let mut names: Vec<u32> = Vec::with_capacity(tables.len());
        for table in tables {
            let known = arrays.iter().position(|array| array == table).unwrap_or(arrays.len());
            if known == arrays.len() {
                arrays.push(*table);
            }
            names.push(known as u32);
        }
        let mut nest = nest.clone();
        nest.code.rename_tables(&names);
        let types: Vec<_> = arrays.iter().filter_map(|v| emitter.array(*v)).map(|a| (a.dtype, a.rank)).collect();
        let dtypes: Vec<_> = scalars.iter().map(|v| emitter.ty(*v).dtype()).collect();
        let kind = OpKind::Launch(self.kernels.intern(Kernel::of_nest(&nest, &types, &dtypes)));
        let mut scalars = scalars.to_vec();
        arrays.iter().for_each(|array| drop(strides_of(emitter, *array, &mut scalars)));
        let operands = [extents, &arrays, &scalars].concat();
        emitter.push(Op { kind, operands, results: Vec::new(), regions: Vec::new(), span: op.span });
    }
}
