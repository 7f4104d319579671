//! Runs structured programs: one point of a nest.

mod triangular_solve;

use super::eval;
use crate::DType;
use crate::scalar::{Block, Code, Constant, Stmt, StmtKind, Val, zero};

/// What a program reads and writes.
pub trait Tables {
    /// The element of a table at indices, which may be out of range.
    fn load(&mut self, table: usize, at: &[i64]) -> Result<Constant, String>;
    /// Writes the element of a table at indices, which may be out of range.
    fn store(&mut self, table: usize, at: &[i64], value: Constant) -> Result<(), String>;
    /// Whether a fault is set, for a point that begins.
    fn is_faulty(&mut self, table: usize) -> Result<bool, String>;
    /// Sets a fault.
    fn fault(&mut self, table: usize, number: Constant) -> Result<(), String>;
    /// Called once a step; an error ends the run.
    fn spend(&mut self) -> Result<(), String>;
    /// Who loads and stores from here on; 0: every thread alike, another number: one of several that run at once.
    fn act_as(&mut self, actor: u64);
    /// Whatever was done before is seen by whoever does something after.
    fn barrier(&mut self);
    /// In which order so many points of a step run, each once.
    fn order(&mut self, n: usize) -> Vec<usize>;
}

/// Runs a checked program at a point. `inputs`: its scalar operands; `index`: the point. An error of `tables` ends it; so does a step of 0.
pub fn run_code(code: &Code, inputs: &[Constant], index: &[i64], tables: &mut dyn Tables) -> Result<(), String> {
    if let Some(fault) = code.fault()
        && tables.is_faulty(fault)?
    {
        return Ok(());
    }
    let values = code.dtypes.iter().map(|dtype| zero(*dtype)).collect();
    match (Run { code, inputs, index, values, tables, n_actors: 0, is_in_point: false }).block(&code.block) {
        Err(End::Wrong(message)) => Err(message),
        Ok(_) | Err(End::Fault) => Ok(()),
    }
}

/// Why a point does not go on.
enum End {
    /// A check failed.
    Fault,
    /// The program or what it is run on is wrong.
    Wrong(String),
}

impl From<String> for End {
    fn from(message: String) -> Self {
        End::Wrong(message)
    }
}

struct Run<'a> {
    code: &'a Code,
    inputs: &'a [Constant],
    index: &'a [i64],
    values: Vec<Constant>,
    tables: &'a mut dyn Tables,
    /// Points of `parallel` and `reduce` steps, and iterations of `solve` steps, so far.
    n_actors: u64,
    /// Whether this is in one of them: a `reduce` there is its own.
    is_in_point: bool,
}

impl Run<'_> {
    fn value(&self, val: Val) -> Constant {
        self.values.get(val.0 as usize).copied().unwrap_or(Constant::Int(0))
    }

    fn all(&self, vals: &[Val]) -> Vec<Constant> {
        vals.iter().map(|v| self.value(*v)).collect()
    }

    fn ints(&self, vals: &[Val]) -> Vec<i64> {
        vals.iter().map(|v| self.value(*v).as_int().unwrap_or(0)).collect()
    }

    fn bind(&mut self, vals: &[Val], values: &[Constant]) {
        for (val, value) in vals.iter().zip(values) {
            if let Some(slot) = self.values.get_mut(val.0 as usize) {
                *slot = *value;
            }
        }
    }

    /// Runs a block whose parameters are bound; gives what it yields.
    fn block(&mut self, block: &Block) -> Result<Vec<Constant>, End> {
        for stmt in &block.stmts {
            self.tables.spend()?;
            let results = self.step(stmt)?;
            self.bind(&stmt.results, &results);
        }
        Ok(self.all(&block.yields))
    }

    fn step(&mut self, stmt: &Stmt) -> Result<Vec<Constant>, End> {
        Ok(match stmt.kind {
            StmtKind::Constant(constant) => vec![constant],
            StmtKind::Op(op) => {
                let dtype = |v: &Val| self.code.dtypes.get(v.0 as usize).copied().unwrap_or(DType::Bool);
                let operands: Vec<(Constant, DType)> =
                    stmt.operands.iter().map(|v| (self.value(*v), dtype(v))).collect();
                vec![eval(op, &operands, stmt.results.first().map_or(DType::Bool, dtype))]
            }
            StmtKind::Index(axis) => vec![Constant::Int(self.index.get(axis as usize).copied().unwrap_or(0))],
            StmtKind::Input(n) => vec![self.inputs.get(n as usize).copied().unwrap_or(Constant::Int(0))],
            StmtKind::Load(table) => vec![self.tables.load(table as usize, &self.ints(&stmt.operands))?],
            StmtKind::Store(table) => {
                let (value, at) = stmt.operands.split_at(stmt.operands.len().min(1));
                let (value, at) = (self.all(value), self.ints(at));
                self.tables.store(table as usize, &at, value.first().copied().unwrap_or(Constant::Int(0)))?;
                Vec::new()
            }
            StmtKind::Check(table) => {
                let operands = self.all(&stmt.operands);
                let [condition, number] = operands[..] else { return Ok(Vec::new()) };
                if condition != Constant::Bool(true) {
                    self.tables.fault(table as usize, number)?;
                    return Err(End::Fault);
                }
                Vec::new()
            }
            StmtKind::If => {
                let taken = self.all(&stmt.operands).first() == Some(&Constant::Bool(true));
                match stmt.blocks.get(usize::from(!taken)) {
                    Some(block) => self.block(block)?,
                    None => Vec::new(),
                }
            }
            StmtKind::For => self.counted(stmt)?,
            StmtKind::While => self.repeated(stmt)?,
            StmtKind::Parallel => {
                self.shared(stmt, &mut |_| {})?;
                Vec::new()
            }
            StmtKind::Reduce(reducer) => {
                let dtype = stmt.results.first().map_or(DType::Bool, |v| self.code.dtype(*v));
                let mut total = reducer.identity(dtype);
                self.shared(stmt, &mut |value| total = reducer.combine(total, value, dtype))?;
                if !self.is_in_point {
                    self.tables.barrier();
                }
                vec![total]
            }
            StmtKind::Solve(reducer, table) => {
                self.solved(stmt, reducer, table as usize)?;
                Vec::new()
            }
            StmtKind::Barrier => {
                self.tables.barrier();
                Vec::new()
            }
        })
    }

    /// Runs a block at every index; `take` is given what it yields, in C order.
    fn shared(&mut self, stmt: &Stmt, take: &mut dyn FnMut(Constant)) -> Result<(), End> {
        let [block] = &stmt.blocks[..] else { return Ok(()) };
        let extents = self.ints(&stmt.operands);
        let n = extents.iter().fold(1u64, |n, extent| n.saturating_mul((*extent).max(0) as u64));
        // As many statements as that nobody waits for.
        let n = usize::try_from(n).ok().filter(|n| *n < 1 << 32).ok_or_else(|| "the run takes too long".to_string())?;
        let order = match stmt.kind {
            StmtKind::Parallel => self.tables.order(n),
            _ => (0..n).collect(),
        };
        let is_own = std::mem::replace(&mut self.is_in_point, true);
        for point in order {
            self.tables.spend()?;
            if !is_own {
                self.n_actors += 1;
                self.tables.act_as(self.n_actors);
            }
            let (mut rest, mut at) = (point as i64, vec![Constant::Int(0); extents.len()]);
            for (index, extent) in at.iter_mut().zip(&extents).rev() {
                *index = Constant::Int(rest % extent);
                rest /= extent;
            }
            self.bind(&block.parameters, &at);
            self.block(block)?.into_iter().for_each(&mut *take);
        }
        self.is_in_point = is_own;
        if !is_own {
            self.tables.act_as(0);
        }
        Ok(())
    }

    fn counted(&mut self, stmt: &Stmt) -> Result<Vec<Constant>, End> {
        let (bounds, initial) = stmt.operands.split_at(stmt.operands.len().min(3));
        let bounds = self.ints(bounds);
        let ([lower, upper, by], [block]) = (&bounds[..], &stmt.blocks[..]) else { return Ok(Vec::new()) };
        // Wider, so that the last statement past the end is a number, too.
        let (mut i, upper, by) = (i128::from(*lower), i128::from(*upper), i128::from(*by));
        if by == 0 {
            return Err("a loop's step is 0".to_string().into());
        }
        let mut carried = self.all(initial);
        while if by > 0 { i < upper } else { i > upper } {
            self.tables.spend()?;
            self.bind(&block.parameters, &[&[Constant::Int(i as i64)], &carried[..]].concat());
            carried = self.block(block)?;
            i += by;
        }
        Ok(carried)
    }

    fn repeated(&mut self, stmt: &Stmt) -> Result<Vec<Constant>, End> {
        let [condition, body] = &stmt.blocks[..] else { return Ok(Vec::new()) };
        let mut carried = self.all(&stmt.operands);
        loop {
            self.tables.spend()?;
            self.bind(&condition.parameters, &carried);
            if self.block(condition)?.first() != Some(&Constant::Bool(true)) {
                return Ok(carried);
            }
            self.bind(&body.parameters, &carried);
            carried = self.block(body)?;
        }
    }
}
