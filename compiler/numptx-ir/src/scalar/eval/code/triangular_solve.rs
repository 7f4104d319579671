//! Runs `solve` steps: iteration by iteration, the terms of those before from the first to the last.
//!
//! Each iteration loads and stores as a thread of its own: one that loads what another one stores is a race.

use super::{End, Run};
use crate::scalar::{Block, Constant, Reducer, Stmt};

impl Run<'_> {
    pub(super) fn solved(&mut self, stmt: &Stmt, reducer: Reducer, table: usize) -> Result<(), End> {
        let ([n], [element, factor, term, value]) = (&self.ints(&stmt.operands)[..], &stmt.blocks[..]) else {
            return Ok(());
        };
        let (n, mut given) = (*n, Vec::new());
        for k in 0..n.max(0) {
            self.n_actors += 1;
            self.tables.act_as(self.n_actors);
            let dtype = term.yields.first().map_or(crate::DType::Bool, |v| self.code.dtype(*v));
            let mut total = reducer.identity(dtype);
            for (j, other) in given.iter().enumerate() {
                let factor = self.given(factor, &[Constant::Int(k), Constant::Int(j as i64)])?;
                total = reducer.combine(total, self.given(term, &[factor, *other])?, dtype);
            }
            let found = self.given(value, &[Constant::Int(k), total])?;
            self.bind(&element.parameters, &[Constant::Int(k)]);
            let at: Vec<i64> = self.block(element)?.iter().map(|index| index.as_int().unwrap_or(0)).collect();
            self.tables.store(table, &at, found)?;
            given.push(found);
        }
        self.tables.act_as(0);
        self.tables.barrier();
        Ok(())
    }

    /// What a block gives for its parameters.
    fn given(&mut self, block: &Block, parameters: &[Constant]) -> Result<Constant, End> {
        self.tables.spend()?;
        self.bind(&block.parameters, parameters);
        Ok(self.block(block)?.first().copied().unwrap_or(Constant::Int(0)))
    }
}
