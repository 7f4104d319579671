//! Structured scalar programs: what one point of a nest runs. Constants, operations, loads and stores at computed indices, branches and loops.
//!
//! Steps run in order; a load sees what the same point stored before. `if`, `for` and `while` mean what they mean in the array IR. Beside them
//! stand straight-line bodies ([`super::Body`]), which write nothing and branch nowhere.

//!
//! A *cooperative program* has steps that all threads of a launch share: `parallel`, `reduce` and `solve`. It is run once: its other steps
//! every thread does alike.
//! A `reduce` in a `parallel` is its point's, which a thread or some threads of a warp run.

use std::collections::BTreeSet;

use super::{Constant, Footprints, Reducer, ScalarOp, Val};
use crate::DType;

/// A program. Points are independent of each other, so it says nothing of their order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Code {
    /// The dtype of value `n`.
    pub dtypes: Vec<DType>,
    /// What is run; it has no parameters and yields nothing.
    pub block: Block,
}

/// Steps in order. A value is visible in the rest of its block and in the blocks of later statements.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Block {
    /// Values defined by the statement that owns the block: a loop's index, what it carries.
    pub parameters: Vec<Val>,
    /// The statements.
    pub stmts: Vec<Stmt>,
    /// What the block gives to the statement that owns it.
    pub yields: Vec<Val>,
}

/// One statement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// The values it uses.
    pub operands: Vec<Val>,
    /// The values it defines.
    pub results: Vec<Val>,
    /// The blocks of `if`, `for` and `while`.
    pub blocks: Vec<Block>,
}

/// What a statement does: (operands) → results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StmtKind {
    /// () → a constant.
    Constant(Constant),
    /// A scalar operation; `Cast`'s target is the result's dtype.
    Op(ScalarOp),
    /// () → the point's index along an axis, `i64`.
    Index(u32),
    /// () → scalar operand `n`.
    Input(u32),
    /// (indices…) → the element of table `n` there: `i64` values, one an axis, each at least 0 and below the extent.
    Load(u32),
    /// (value, indices…): writes the element of table `n` there.
    Store(u32),
    /// (condition, number): where the condition is false, writes the number, which is not 0, to the fault of table `n`, of `i64` and rank 0, and
    /// ends the point.
    Check(u32),
    /// (condition): blocks then, else; results are what they yield.
    If,
    /// (lower, upper, step, initial…): for i in range(lower, upper, step); step is not 0. Block (i, carried…) yields carried. Results: the last
    /// carried values.
    For,
    /// (initial…): blocks (carried…) yields condition, and (carried…) yields carried. Results: the carried values when the condition fails.
    While,
    /// (extents…): block (indices…), run at every index, at once or in any order. No index stores to an element that another loads or stores.
    Parallel,
    /// (extents…): block (indices…) yields a value, whose dtype the reducer keeps. Result: all values combined, in an order that is fixed; the
    /// identity where there is no index. The block stores nothing. In a `parallel` it is a part of the point.
    Reduce(Reducer),
    /// (n): for k in range(n): table element(k) = value(k, the terms of all iterations before combined), where the term of an iteration j is
    /// term(factor(k, j), what iteration j gave). Blocks: element (k) yields indices; factor (k, j); term (factor, value), which the reducer
    /// combines in an order that is fixed; value (k, total) yields the element. No iteration loads what another one stores.
    Solve(Reducer, u32),
    /// (): what any thread stored before it, every thread sees after it. Placed by [`Code::with_barriers`].
    Barrier,
}

impl Code {
    /// Elements from which on threads share a sum in a point.
    pub const LONG_SUM: i64 = 16;

    /// The dtype of a value.
    pub fn dtype(&self, val: Val) -> DType {
        self.dtypes[val.0 as usize]
    }

    /// Whether all threads of a launch share its statements.
    pub fn is_cooperative(&self) -> bool {
        let mut is_cooperative = false;
        self.block.for_each_stmt(&mut |stmt| is_cooperative |= stmt.kind.is_shared());
        is_cooperative
    }

    /// Whether points of a `parallel` have a `reduce` in them that is long, or may be.
    pub fn sums_in_work_items(&self) -> bool {
        let footprints = Footprints::of(self);
        let length = |stmt: &Stmt| {
            let mut extents = stmt.operands.iter().map(|val| footprints.sum_of(*val)?.as_number());
            extents.try_fold(1i64, |length, extent| Some(length.saturating_mul(extent?.max(0))))
        };
        let is_long = |stmt: &Stmt| length(stmt).is_none_or(|length| length >= Code::LONG_SUM);
        let mut found = false;
        let mut visit = |stmt: &Stmt| found |= matches!(stmt.kind, StmtKind::Reduce(_)) && is_long(stmt);
        self.block.for_each_stmt(&mut |stmt| {
            if stmt.kind == StmtKind::Parallel {
                stmt.blocks.iter().for_each(|block| block.for_each_stmt(&mut visit));
            }
        });
        found
    }

    /// How many tables it loads from and stores to: one more than the largest number.
    pub fn n_tables(&self) -> usize {
        self.accesses().iter().map(|(table, _)| *table as usize + 1).max().unwrap_or(0)
    }

    /// How many tables it stores to. They are the first ones.
    pub fn n_written(&self) -> usize {
        let mut stored: Vec<u32> = self.accesses().iter().filter(|access| access.1).map(|access| access.0).collect();
        stored.sort_unstable();
        stored.dedup();
        stored.len()
    }

    /// Whether it loads from a table.
    pub fn loads(&self, table: usize) -> bool {
        self.accesses().contains(&(table as u32, false))
    }

    /// Whether it stores to a table.
    pub fn stores(&self, table: usize) -> bool {
        self.accesses().contains(&(table as u32, true))
    }

    /// The table that its checks write to. A point begins only where that holds 0.
    pub fn fault(&self) -> Option<usize> {
        let mut fault = None;
        self.block.for_each_stmt(&mut |stmt| {
            if let StmtKind::Check(table) = stmt.kind {
                fault = Some(table as usize);
            }
        });
        fault
    }

    /// Tables that statements load from (`false`) and store to (`true`), in order.
    fn accesses(&self) -> Vec<(u32, bool)> {
        let mut accesses = Vec::new();
        self.block.for_each_stmt(&mut |stmt| match stmt.kind {
            StmtKind::Load(table) => accesses.push((table, false)),
            StmtKind::Store(table) => accesses.push((table, true)),
            StmtKind::Check(table) | StmtKind::Solve(_, table) => accesses.extend([(table, false), (table, true)]),
            _ => {}
        });
        accesses
    }

    /// Renames tables: table `n` becomes `names[n]`; itself where there is no entry.
    pub fn rename_tables(&mut self, names: &[u32]) {
        self.block.for_each_stmt_mut(&mut |stmt| {
            if let StmtKind::Load(table) | StmtKind::Store(table) | StmtKind::Check(table) | StmtKind::Solve(_, table) =
                &mut stmt.kind
            {
                *table = names.get(*table as usize).copied().unwrap_or(*table);
            }
        });
    }
}

impl Stmt {
    /// The values that it and all that is nested in it use, in the order of their numbers.
    pub fn used(&self) -> BTreeSet<Val> {
        let mut used: BTreeSet<Val> = self.operands.iter().copied().collect();
        for block in &self.blocks {
            used.extend(&block.yields);
            block.for_each_stmt(&mut |nested| {
                used.extend(&nested.operands);
                nested.blocks.iter().for_each(|block| used.extend(&block.yields));
            });
        }
        used
    }
}

impl StmtKind {
    /// Whether what is done in the statement is spread over all threads.
    pub fn is_shared(self) -> bool {
        matches!(self, StmtKind::Parallel | StmtKind::Reduce(_) | StmtKind::Solve(..))
    }
}

impl Block {
    /// Calls `visit` on every statement, outer ones before those nested in them.
    pub fn for_each_stmt<'b>(&'b self, visit: &mut dyn FnMut(&'b Stmt)) {
        for stmt in &self.stmts {
            visit(stmt);
            stmt.blocks.iter().for_each(|block| block.for_each_stmt(visit));
        }
    }

    fn for_each_stmt_mut(&mut self, visit: &mut dyn FnMut(&mut Stmt)) {
        for stmt in &mut self.stmts {
            visit(stmt);
            stmt.blocks.iter_mut().for_each(|block| block.for_each_stmt_mut(visit));
        }
    }
}

/// Builds a program step by step; steps go to the innermost open block.
#[derive(Clone, Debug)]
pub struct CodeBuilder {
    dtypes: Vec<DType>,
    open: Vec<Block>,
}

impl Default for CodeBuilder {
    fn default() -> Self {
        CodeBuilder { dtypes: Vec::new(), open: vec![Block::default()] }
    }
}

impl CodeBuilder {
    /// An empty program; its block is open.
    pub fn new() -> Self {
        CodeBuilder::default()
    }

    /// No steps yet, for a place in a program whose values go on being what they are.
    pub fn within(code: &Code) -> Self {
        CodeBuilder { dtypes: code.dtypes.clone(), ..CodeBuilder::default() }
    }

    /// The dtype of a value built so far.
    pub fn dtype(&self, val: Val) -> DType {
        self.dtypes[val.0 as usize]
    }

    fn define(&mut self, dtype: DType) -> Val {
        self.dtypes.push(dtype);
        Val(self.dtypes.len() as u32 - 1)
    }

    /// Adds a statement with results of these dtypes. Nothing is checked; the verifier does that.
    pub fn push(&mut self, kind: StmtKind, operands: &[Val], results: &[DType], blocks: Vec<Block>) -> Vec<Val> {
        let results: Vec<Val> = results.iter().map(|dtype| self.define(*dtype)).collect();
        let stmt = Stmt { kind, operands: operands.to_vec(), results: results.clone(), blocks };
        if let Some(block) = self.open.last_mut() {
            block.stmts.push(stmt);
        }
        results
    }

    fn push_one(&mut self, kind: StmtKind, operands: &[Val], dtype: DType) -> Val {
        self.push(kind, operands, &[dtype], Vec::new())[0]
    }

    /// The point's index along an axis, `i64`.
    pub fn index(&mut self, axis: u32) -> Val {
        self.push_one(StmtKind::Index(axis), &[], DType::I64)
    }

    /// Scalar operand `n`, of this dtype.
    pub fn input(&mut self, n: u32, dtype: DType) -> Val {
        self.push_one(StmtKind::Input(n), &[], dtype)
    }

    /// A constant, canonical for the dtype.
    pub fn constant(&mut self, value: Constant, dtype: DType) -> Val {
        self.push_one(StmtKind::Constant(value), &[], dtype)
    }

    /// An `i64` constant.
    pub fn integer(&mut self, value: i64) -> Val {
        self.constant(Constant::Int(value), DType::I64)
    }

    /// An operation on values of the right dtypes; `Cast` goes through [`CodeBuilder::cast`].
    ///
    /// # Panics
    /// If the operation is not defined on these dtypes: a bug of the caller.
    pub fn op(&mut self, op: ScalarOp, operands: &[Val]) -> Val {
        let dtypes: Vec<DType> = operands.iter().map(|v| self.dtype(*v)).collect();
        let dtype = op.result(&dtypes);
        let dtype = dtype.unwrap_or_else(|| panic!("`{}` is not defined on {dtypes:?}", op.name()));
        self.push_one(StmtKind::Op(op), operands, dtype)
    }

    /// A value converted to a dtype; itself if it has it already.
    pub fn cast(&mut self, val: Val, dtype: DType) -> Val {
        if self.dtype(val) == dtype { val } else { self.push_one(StmtKind::Op(ScalarOp::Cast), &[val], dtype) }
    }

    /// Copies a straight-line body in: its inputs, indices and tables are replaced by what is given. The values of its outputs.
    pub fn inline(&mut self, body: &super::Body, inputs: &[Val], indices: &[Val], tables: &[u32]) -> Vec<Val> {
        use super::InstrKind;
        let mut vals: Vec<Val> = Vec::with_capacity(body.instrs.len());
        for instr in &body.instrs {
            let used: Vec<Val> = instr.kind.operands().iter().map(|v| vals[v.0 as usize]).collect();
            let val = match &instr.kind {
                InstrKind::Input(n) => inputs[*n as usize],
                InstrKind::Index(n) => indices[*n as usize],
                InstrKind::Element(n, _) => self.load(tables[*n as usize], &used, instr.dtype),
                InstrKind::Constant(constant) => self.constant(*constant, instr.dtype),
                InstrKind::Op(op, _) => self.push_one(StmtKind::Op(*op), &used, instr.dtype),
            };
            vals.push(val);
        }
        body.outputs.iter().map(|v| vals[v.0 as usize]).collect()
    }

    /// The element of table `n`, of this dtype, at indices in range.
    pub fn load(&mut self, table: u32, at: &[Val], dtype: DType) -> Val {
        self.push_one(StmtKind::Load(table), at, dtype)
    }

    /// Writes the element of table `n` at indices in range.
    pub fn store(&mut self, table: u32, at: &[Val], value: Val) {
        self.push(StmtKind::Store(table), &[&[value], at].concat(), &[], Vec::new());
    }

    /// Ends the point where a condition is false, and writes a number that is not 0 to the fault of table `n`.
    pub fn check(&mut self, table: u32, condition: Val, number: Val) {
        self.push(StmtKind::Check(table), &[condition, number], &[], Vec::new());
    }

    // Blocks.

    /// Opens a block with parameters of these dtypes, and gives them.
    pub fn open_block(&mut self, parameters: &[DType]) -> Vec<Val> {
        let parameters: Vec<Val> = parameters.iter().map(|dtype| self.define(*dtype)).collect();
        self.open.push(Block { parameters: parameters.clone(), ..Block::default() });
        parameters
    }

    /// Closes the innermost block, to be handed to [`CodeBuilder::push`], [`CodeBuilder::if_`], [`CodeBuilder::for_`] or [`CodeBuilder::while_`].
    pub fn close_block(&mut self, yields: &[Val]) -> Block {
        let block = self.open.pop().unwrap_or_default();
        Block { yields: yields.to_vec(), ..block }
    }

    /// `then` where the condition holds, else `otherwise`; what the one taken yields.
    pub fn if_(&mut self, condition: Val, then: Block, otherwise: Block) -> Vec<Val> {
        let dtypes: Vec<DType> = then.yields.iter().map(|v| self.dtype(*v)).collect();
        self.push(StmtKind::If, &[condition], &dtypes, vec![then, otherwise])
    }

    /// A loop over a block whose parameters are the index and what is carried, which it yields anew.
    pub fn for_(&mut self, [lower, upper, stmt]: [Val; 3], initial: &[Val], body: Block) -> Vec<Val> {
        let dtypes: Vec<DType> = initial.iter().map(|v| self.dtype(*v)).collect();
        self.push(StmtKind::For, &[&[lower, upper, stmt], initial].concat(), &dtypes, vec![body])
    }

    /// A loop while `condition`, a block over what is carried, yields true; `body` yields it anew.
    pub fn while_(&mut self, initial: &[Val], condition: Block, body: Block) -> Vec<Val> {
        let dtypes: Vec<DType> = initial.iter().map(|v| self.dtype(*v)).collect();
        self.push(StmtKind::While, initial, &dtypes, vec![condition, body])
    }

    /// A block without results, whose parameters are indices, at every index below the extents; without extents, once.
    pub fn parallel(&mut self, extents: &[Val], body: Block) {
        self.push(StmtKind::Parallel, extents, &[], vec![body]);
    }

    /// What a block yields at every index below the extents, combined.
    pub fn reduce(&mut self, reducer: Reducer, extents: &[Val], body: Block) -> Val {
        let dtype = body.yields.first().map_or(DType::Bool, |v| self.dtype(*v));
        self.push(StmtKind::Reduce(reducer), extents, &[dtype], vec![body])[0]
    }

    /// So many iterations, each of which gives a table its element; see [`StmtKind::Solve`].
    pub fn solve(&mut self, reducer: Reducer, n: Val, table: u32, [element, factor, term, value]: [Block; 4]) {
        self.push(StmtKind::Solve(reducer, table), &[n], &[], vec![element, factor, term, value]);
    }

    /// Ends the program.
    pub fn finish(mut self) -> Code {
        Code { dtypes: self.dtypes, block: self.open.pop().unwrap_or_default() }
    }
}
