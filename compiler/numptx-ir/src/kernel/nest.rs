//! The kernel of a nest.

use super::{Access, Kernel, Node, Operand, Schedule, Table};
use crate::DType;
use crate::array::Nest;

impl Kernel {
    /// The kernel, without a name, that runs a nest over tables of these dtypes and ranks and scalars of these dtypes. It is launched with the
    /// nest's extents, tables and scalars, and then the strides of all tables in order.
    pub fn of_nest(nest: &Nest, tables: &[(DType, usize)], scalars: &[DType]) -> Kernel {
        let access = |n: usize| match (nest.code.stores(n), nest.code.loads(n)) {
            (true, true) => Access::ReadWrite,
            (true, false) => Access::Write,
            (false, _) => Access::Read,
        };
        let operand = |(n, (dtype, _)): (usize, &(DType, usize))| Operand {
            dtype: *dtype,
            access: access(n),
            fixed: vec![true; nest.rank],
            // What is stored to is met through one table only.
            noalias: true,
        };
        let mut scalars = scalars.to_vec();
        let mut strides = |rank: usize| -> Vec<usize> {
            scalars.extend(std::iter::repeat_n(DType::I64, rank));
            (scalars.len() - rank..scalars.len()).collect()
        };
        let numbered = tables.iter().enumerate();
        let indexed = numbered.clone().map(|(operand, (_, rank))| Table { operand, strides: strides(*rank) });
        let (indexed, operands) = (indexed.collect(), numbered.map(operand).collect());
        Kernel {
            name: String::new(),
            rank: nest.rank,
            n_reduced: 0,
            operands,
            scalars,
            tables: indexed,
            body: vec![Node::Code(nest.code.with_barriers())],
            // Of a team program the block may be all there is.
            schedule: Schedule { block: if nest.code.is_team() { 1024 } else { 256 }, vector: 1 },
        }
    }
}
