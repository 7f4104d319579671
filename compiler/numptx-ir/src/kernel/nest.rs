//! The kernel of a nest.

use super::{Access, Kernel, Node, Operand, Schedule, Table};
use crate::DType;
use crate::array::Nest;
use crate::scalar::{Block, Code, StmtKind};

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
            schedule: Schedule { block: threads(&nest.code), vector: 1 },
        }
    }
}

/// Threads of a block at most. Of a cooperative program the block may be all there is; where it solves a triangular system one warp has most of the work,
/// and more registers for each thread are worth more than more threads.
fn threads(code: &Code) -> u32 {
    match (code.is_cooperative(), solves(&code.block)) {
        (false, _) => 256,
        (true, false) => 1024,
        (true, true) => 512,
    }
}

/// Whether a triangular solve is a statement that is no loop's.
fn solves(block: &Block) -> bool {
    block.stmts.iter().any(|stmt| match stmt.kind {
        StmtKind::Solve(..) => true,
        StmtKind::If => stmt.blocks.iter().any(solves),
        _ => false,
    })
}
