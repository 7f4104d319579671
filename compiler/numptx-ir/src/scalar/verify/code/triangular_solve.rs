//! Checks `solve` statements.

use std::collections::HashSet;

use super::{Checker, Place, wrong};
use crate::DType;
use crate::scalar::verify::BodyError;
use crate::scalar::{Block, Reducer, Stmt, StmtKind, Val};

/// Bytes of what iterations of a `solve` give to each other: devices hold them in registers and shared memory.
const BYTES: usize = 8;

impl Checker<'_> {
    pub(super) fn triangular_solve(&mut self, stmt: &Stmt, reducer: Reducer, table: u32) -> Result<(), BodyError> {
        let [element, factor, term, value] = &stmt.blocks[..] else { return wrong("a `solve` has four blocks") };
        if self.dtypes(&stmt.operands) != [DType::I64] || !stmt.results.is_empty() {
            return wrong("a `solve` has one extent and no results");
        }
        let Some((dtype, rank)) = self.tables.get(table as usize).copied() else {
            return wrong(format!("there is no table {table}"));
        };
        let given = |checker: &Self, block: &Block, n: usize| {
            block.parameters.get(n).map_or(DType::Bool, |v| checker.dtypes(&[*v])[0])
        };
        let (of_factor, total) = (given(self, term, 0), given(self, value, 1));
        if reducer.result(total) != Some(total) || reducer.is_positional() {
            return wrong("a triangular solve of another dtype or of a position");
        }
        if [dtype, of_factor, total].iter().any(|dtype| dtype.itemsize() > BYTES) {
            return wrong("a triangular solve of more than 8 bytes");
        }
        self.place = Place::Solve;
        self.carries(element, &[DType::I64], &vec![DType::I64; rank])?;
        self.carries(factor, &[DType::I64, DType::I64], &[of_factor])?;
        self.carries(term, &[of_factor, dtype], &[total])?;
        self.carries(value, &[DType::I64, total], &[dtype])?;
        self.place = Place::Cooperative;
        for block in &stmt.blocks {
            if block.stmts.iter().any(|stmt| !is_plain(stmt)) {
                return wrong("a triangular solve does more than compute and load");
            }
        }
        let loads = |block: &Block, of: &dyn Fn(u32) -> bool| {
            block.stmts.iter().any(|stmt| matches!(stmt.kind, StmtKind::Load(table) if of(table)))
        };
        if loads(factor, &|other| other == table) || loads(element, &|_| true) || loads(term, &|_| true) {
            return wrong("a triangular solve loads what it stores");
        }
        match loads_with(value, value.parameters.get(1)) {
            true => wrong("a triangular solve loads at an index that needs a total"),
            false => Ok(()),
        }
    }
}

fn is_plain(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::Constant(_) | StmtKind::Op(_) | StmtKind::Load(_) | StmtKind::Input(_))
}

/// Whether a block loads at an index that is made of a value.
fn loads_with(block: &Block, val: Option<&Val>) -> bool {
    let mut made: HashSet<Val> = val.copied().into_iter().collect();
    block.stmts.iter().any(|stmt| {
        let is_made = stmt.operands.iter().any(|val| made.contains(val));
        if is_made {
            made.extend(&stmt.results);
        }
        is_made && matches!(stmt.kind, StmtKind::Load(_))
    })
}
