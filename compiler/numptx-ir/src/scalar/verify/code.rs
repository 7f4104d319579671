//! Checks structured programs: values are defined once and before their uses, at the dtypes that statements take; blocks carry what their statements say.
//!
//! Of a cooperative program: it has one axis and reads no index of it. It stores in `parallel` statements only, so that what its other statements compute is
//! the same for all threads, conditions included. No statement that threads share, and no barrier, stands in another, but a `reduce` in a `parallel`, which is
//! its point's. A `reduce` stores nothing.
//!
//! Of a `solve`: its blocks take and yield what its parts do, in dtypes of at most 8 bytes, and have constants, operations and loads alone; its
//! factors load nothing of the table that it stores to, its terms load nothing at all, and its values load at indices that need no total.

mod triangular_solve;

use super::BodyError;
use crate::DType;
use crate::scalar::{Block, Code, ScalarOp, Stmt, StmtKind, Val, is_canonical};

/// Extents of a statement that threads share, at most.
const MAX_EXTENTS: usize = 8;

impl Code {
    /// Checks a program. `inputs`: the dtypes of its scalar operands; `tables`: dtypes and ranks of its tables, of which it writes the first
    /// ones; `rank`: axes of the iteration space.
    pub fn check(&self, inputs: &[DType], tables: &[(DType, usize)], rank: usize) -> Result<(), BodyError> {
        let n = self.dtypes.len();
        let mut checker = Checker {
            code: self,
            inputs,
            tables,
            rank,
            defined: vec![false; n],
            visible: vec![false; n],
            place: Place::Alone,
        };
        if self.is_cooperative() {
            if rank != 1 {
                return wrong("a cooperative program has one axis");
            }
            checker.place = Place::Cooperative;
        }
        if !self.block.parameters.is_empty() || !self.block.yields.is_empty() {
            return wrong("the program has parameters or yields something");
        }
        checker.block(&self.block)?;
        match (0..self.n_written()).find(|table| !self.stores(*table)) {
            Some(table) => wrong(format!("table {table} is not stored to, but a later one is")),
            None => Ok(()),
        }
    }
}

struct Checker<'a> {
    code: &'a Code,
    inputs: &'a [DType],
    tables: &'a [(DType, usize)],
    rank: usize,
    defined: Vec<bool>,
    visible: Vec<bool>,
    place: Place,
}

/// Where a step stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In a program that runs at every point.
    Alone,
    /// In a cooperative program, where all threads do the same.
    Cooperative,
    /// In a `parallel`.
    Parallel,
    /// In a `reduce`.
    Reduce,
    /// In a `solve`.
    Solve,
}

fn wrong<T>(message: impl Into<String>) -> Result<T, BodyError> {
    Err(BodyError::Body(message.into()))
}

impl Checker<'_> {
    /// Checks a block; what it defines is not visible afterwards.
    fn block(&mut self, block: &Block) -> Result<(), BodyError> {
        let outside = self.visible.clone();
        self.define(&block.parameters)?;
        for stmt in &block.stmts {
            self.uses(&stmt.operands)?;
            self.step(stmt)?;
            self.define(&stmt.results)?;
        }
        self.uses(&block.yields)?;
        self.visible = outside;
        Ok(())
    }

    fn define(&mut self, vals: &[Val]) -> Result<(), BodyError> {
        for val in vals {
            match self.defined.get_mut(val.0 as usize) {
                Some(defined) if !*defined => *defined = true,
                _ => return wrong(format!("${} is defined twice or has no dtype", val.0)),
            }
            self.visible[val.0 as usize] = true;
        }
        Ok(())
    }

    fn uses(&self, vals: &[Val]) -> Result<(), BodyError> {
        match vals.iter().find(|val| self.visible.get(val.0 as usize) != Some(&true)) {
            Some(val) => wrong(format!("${} is used where it is not defined", val.0)),
            None => Ok(()),
        }
    }

    fn dtypes(&self, vals: &[Val]) -> Vec<DType> {
        // Results are looked at before they are known to have a dtype.
        vals.iter().map(|v| self.code.dtypes.get(v.0 as usize).copied().unwrap_or(DType::Bool)).collect()
    }

    fn step(&mut self, stmt: &Stmt) -> Result<(), BodyError> {
        let (operands, results) = (self.dtypes(&stmt.operands), self.dtypes(&stmt.results));
        let is = |right: bool, what: &str| {
            if right { Ok(()) } else { wrong(format!("{what}: {operands:?} to {results:?}")) }
        };
        let n_blocks = match stmt.kind {
            StmtKind::If | StmtKind::While => 2,
            StmtKind::For | StmtKind::Parallel | StmtKind::Reduce(_) => 1,
            StmtKind::Solve(..) => 4,
            _ => 0,
        };
        is(stmt.blocks.len() == n_blocks, "a statement has not the blocks of its kind")?;
        match stmt.kind {
            StmtKind::Constant(constant) => {
                let is_constant = matches!(results[..], [dtype] if is_canonical(constant, dtype));
                is(is_constant && operands.is_empty(), "no constant of its dtype")
            }
            StmtKind::Op(ScalarOp::Cast) => is(operands.len() == 1 && results.len() == 1, "no cast"),
            StmtKind::Op(op) => is(op.result(&operands).as_slice() == results, &format!("`{}`", op.name())),
            StmtKind::Index(_) if self.place != Place::Alone => wrong("a cooperative program has no index"),
            StmtKind::Index(axis) => {
                let exists = (axis as usize) < self.rank && operands.is_empty();
                is(exists && results == [DType::I64], "no index of an axis")
            }
            StmtKind::Input(n) => match self.inputs.get(n as usize) {
                Some(found) if operands.is_empty() && results.len() == 1 => match results[0] == *found {
                    true => Ok(()),
                    false => Err(BodyError::Input(format!("input {n} is `{found}`, not `{}`", results[0]))),
                },
                _ => wrong(format!("there is no input {n}")),
            },
            StmtKind::Load(table) => self.access(table, &results, &operands),
            StmtKind::Store(_) if matches!(self.place, Place::Cooperative | Place::Reduce) => {
                wrong("a cooperative program stores outside of `parallel`")
            }
            StmtKind::Store(table) => {
                is(results.is_empty(), "a store has results")?;
                let (value, at) = operands.split_at(operands.len().min(1));
                self.access(table, value, at)
            }
            StmtKind::Check(table) => {
                is(operands == [DType::Bool, DType::I64] && results.is_empty(), "no condition and number")?;
                self.fault(table)
            }
            StmtKind::If => self.branches(stmt, &operands, &results),
            StmtKind::For => self.counted(stmt, &operands, &results),
            StmtKind::While => self.repeated(stmt, &operands, &results),
            StmtKind::Parallel | StmtKind::Solve(..) | StmtKind::Barrier if self.place != Place::Cooperative => {
                wrong("a statement that threads share stands in another")
            }
            StmtKind::Reduce(_) if !matches!(self.place, Place::Cooperative | Place::Parallel) => {
                wrong("a `reduce` stands in a statement that shares its points itself")
            }
            StmtKind::Solve(reducer, table) => self.triangular_solve(stmt, reducer, table),
            StmtKind::Barrier => is(operands.is_empty() && results.is_empty(), "a barrier"),
            StmtKind::Parallel => {
                is(results.is_empty(), "a `parallel` has results")?;
                self.shared(stmt, &operands, &[], Place::Parallel)
            }
            StmtKind::Reduce(reducer) => {
                let keeps = results.len() == 1 && reducer.result(results[0]) == Some(results[0]);
                is(keeps && !reducer.is_positional(), "a reduction to another dtype or to a position")?;
                self.shared(stmt, &operands, &results, Place::Reduce)
            }
        }
    }

    /// An element of a table at indices.
    fn access(&self, table: u32, element: &[DType], at: &[DType]) -> Result<(), BodyError> {
        let Some((dtype, rank)) = self.tables.get(table as usize) else {
            return wrong(format!("there is no table {table}"));
        };
        if element.len() != 1 || at.iter().any(|dtype| *dtype != DType::I64) {
            return wrong(format!("no element of table {table} at `int64` values"));
        }
        if element[0] != *dtype || at.len() != *rank {
            let message =
                format!("`{}` at {} indices of table {table}, `{dtype}` of rank {rank}", element[0], at.len());
            return Err(BodyError::Input(message));
        }
        Ok(())
    }

    /// A block at every index below extents.
    fn shared(&mut self, stmt: &Stmt, extents: &[DType], yields: &[DType], place: Place) -> Result<(), BodyError> {
        if extents.len() > MAX_EXTENTS || extents.iter().any(|dtype| *dtype != DType::I64) {
            return wrong(format!("extents are {extents:?}"));
        }
        let around = std::mem::replace(&mut self.place, place);
        self.carries(&stmt.blocks[0], extents, yields)?;
        self.place = around;
        Ok(())
    }

    /// A fault: the only one, an `i64` without axes that no other statement meets.
    fn fault(&self, table: u32) -> Result<(), BodyError> {
        let mut is_alone = true;
        self.code.block.for_each_stmt(&mut |stmt| match stmt.kind {
            StmtKind::Check(other) => is_alone &= other == table,
            StmtKind::Load(other) | StmtKind::Store(other) | StmtKind::Solve(_, other) => is_alone &= other != table,
            _ => {}
        });
        if self.code.is_cooperative() {
            return wrong("a cooperative program makes a check");
        }
        match self.tables.get(table as usize) {
            Some((DType::I64, 0)) if is_alone => Ok(()),
            Some((DType::I64, 0)) => wrong(format!("table {table} is a fault, and another one or more than that")),
            Some((dtype, rank)) => {
                Err(BodyError::Input(format!("a fault is `int64` of rank 0, table {table} `{dtype}` of rank {rank}")))
            }
            None => wrong(format!("there is no table {table}")),
        }
    }

    fn branches(&mut self, stmt: &Stmt, operands: &[DType], results: &[DType]) -> Result<(), BodyError> {
        if operands != [DType::Bool] {
            return wrong(format!("a condition is {operands:?}"));
        }
        stmt.blocks.iter().try_for_each(|block| self.carries(block, &[], results))
    }

    fn counted(&mut self, stmt: &Stmt, operands: &[DType], results: &[DType]) -> Result<(), BodyError> {
        let bounds = [DType::I64; 3];
        match operands.split_at_checked(3) {
            Some((found, initial)) if found == bounds && initial == results => {
                let parameters = [&bounds[..1], results].concat();
                self.carries(&stmt.blocks[0], &parameters, results)
            }
            _ => wrong(format!("a loop's bounds and initial values are {operands:?}, its results {results:?}")),
        }
    }

    fn repeated(&mut self, stmt: &Stmt, operands: &[DType], results: &[DType]) -> Result<(), BodyError> {
        if operands != results {
            return wrong(format!("a loop's initial values are {operands:?}, its results {results:?}"));
        }
        self.carries(&stmt.blocks[0], results, &[DType::Bool])?;
        self.carries(&stmt.blocks[1], results, results)
    }

    /// Checks a block, and that it takes and yields these dtypes.
    fn carries(&mut self, block: &Block, parameters: &[DType], yields: &[DType]) -> Result<(), BodyError> {
        self.block(block)?;
        let (taken, given) = (self.dtypes(&block.parameters), self.dtypes(&block.yields));
        if taken != parameters || given != yields {
            let expected = format!("expected {parameters:?} and {yields:?}");
            return wrong(format!("a block takes {taken:?} and yields {given:?}, {expected}"));
        }
        Ok(())
    }
}
