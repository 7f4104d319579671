//! A time loop as two: one of some iterations at a time, and the loop as it was for those that are left.
//!
//! In: a cooperative program. Out: the same with such loops, and the tables of what iterations copy, which have an axis more, the first: by iteration. Where
//! something is copied that no iteration updates, which is asked when the program runs, the first loop has no iterations.

use std::collections::HashMap;

use numptx_ir::DType;
use numptx_ir::scalar::{Block, Code, CodeBuilder, Footprints, ScalarOp, Stmt, StmtKind, Sum, Val};

use crate::loops::tile_time::time_loop::TimeLoop;
use crate::loops::tile_time::unrolled::Unrolled;

/// Limit: sums of bounds of loops up to this do not wrap; larger ones are not looked at.
const FAR: i64 = 1 << 40;

/// A program with time loops of some iterations at a time.
#[derive(Debug)]
pub struct Tiled {
    pub code: Code,
    /// Tables with another axis.
    pub tables: Vec<u32>,
    /// Whether one of the loops is the program itself.
    pub is_outermost: bool,
}

/// The program with time loops of `n_rounds` iterations at a time; `None` if there is no such loop. `is_own`: whether a table is the program's own.
pub fn tiled(code: &Code, n_rounds: usize, is_own: &dyn Fn(u32) -> bool) -> Option<Tiled> {
    let mut made = HashMap::new();
    code.block.for_each_stmt(&mut |stmt| made.extend(stmt.results.iter().map(|val| (*val, stmt))));
    let (sums, builder) = (Footprints::of(code), CodeBuilder::within(code));
    let mut tiling =
        Tiling { code, sums: &sums, made: &made, n_rounds, is_own, builder, tables: Vec::new(), n_tiled: 0 };
    let (block, is_outermost) = tiling.block(&code.block);
    let Tiling { builder, tables, n_tiled, .. } = tiling;
    let code = Code { dtypes: builder.finish().dtypes, block };
    (n_tiled > 0).then_some(Tiled { code, tables, is_outermost })
}

struct Tiling<'t> {
    code: &'t Code,
    sums: &'t Footprints<'t>,
    made: &'t HashMap<Val, &'t Stmt>,
    n_rounds: usize,
    is_own: &'t dyn Fn(u32) -> bool,
    builder: CodeBuilder,
    tables: Vec<u32>,
    /// Loops that were found.
    n_tiled: usize,
}

impl<'t> Tiling<'t> {
    /// A block, and whether a loop that is a statement of it runs some iterations at a time.
    fn block(&mut self, block: &'t Block) -> (Block, bool) {
        let (mut stmts, mut is_tiled) = (Vec::with_capacity(block.stmts.len()), false);
        for stmt in &block.stmts {
            if !matches!(stmt.kind, StmtKind::For | StmtKind::While | StmtKind::If) {
                stmts.push(stmt.clone());
            } else if let Some(tiled) = self.time_loop(stmt) {
                is_tiled = true;
                stmts.extend(tiled);
            } else {
                let blocks = stmt.blocks.iter().map(|block| self.block(block).0).collect();
                stmts.push(Stmt { blocks, ..stmt.clone() });
            }
        }
        (Block { stmts, ..block.clone() }, is_tiled)
    }

    fn time_loop(&mut self, stmt: &'t Stmt) -> Option<Vec<Stmt>> {
        if stmt.kind != StmtKind::For {
            return None;
        }
        let n_accesses = |block: &Block, table: u32| {
            let mut n = 0;
            block.for_each_stmt(&mut |stmt| n += usize::from(is_of(stmt, table)));
            n
        };
        let is_copy = |table: u32| {
            (self.is_own)(table) && n_accesses(&self.code.block, table) == n_accesses(&stmt.blocks[0], table)
        };
        let time = TimeLoop::of(stmt, self.sums, &is_copy)?;
        let mut builder = self.builder.clone();
        let stmts = self.both(stmt, &time, &mut builder)?;
        self.builder = builder;
        self.n_tiled += 1;
        self.tables.extend(time.copying.iter().map(|stage| stage.table));
        Some(stmts)
    }

    /// The loop of some iterations at a time, and the loop of those that are left.
    fn both(&self, stmt: &'t Stmt, time: &TimeLoop<'t>, code: &mut CodeBuilder) -> Option<Vec<Stmt>> {
        code.open_block(&[]);
        let rounds: Vec<Val> = (0..self.n_rounds).map(|n| code.integer(n as i64)).collect();
        let first = rounds.first().copied()?;
        let mut unrolled = Unrolled::new(time, self.sums, self.made, rounds);
        let stages = time.copying.iter().chain([&time.update]);
        let extents = stages.map(|stage| stage.extents.iter().map(|sum| unrolled.place(code, sum)).collect());
        let extents = extents.collect::<Option<Vec<Vec<Val>>>>()?;
        let [lower, upper] = time.bounds;
        let may_run = self.may_run(time, code, &mut unrolled)?;
        let rest = code.integer((self.n_rounds as i64 - 1) * time.stride);
        let last = code.op(ScalarOp::Sub, &[upper, rest]);
        let last = code.op(ScalarOp::Select, &[may_run, last, lower]);
        let by = code.integer(self.n_rounds as i64 * time.stride);
        let index = code.open_block(&[DType::I64, DType::I64])[0];
        unrolled.begin(code, index)?;
        let (of_update, of_copies) = extents.split_last()?;
        for (stage, extents) in time.copying.iter().zip(of_copies) {
            unrolled.copy(code, stage, extents)?;
        }
        unrolled.update(code, of_update)?;
        let next = code.op(ScalarOp::Add, &[index, by]);
        let body = code.close_block(&[next]);
        let left = code.for_([lower, last, by], &[lower], body)[0];
        let mut stmts = code.close_block(&[]).stmts;
        let tables: Vec<u32> = time.copying.iter().map(|stage| stage.table).collect();
        let mut stmt = stmt.clone();
        stmt.operands[0] = left;
        stmt.blocks.iter_mut().for_each(|block| of_first_round(block, &tables, first));
        stmts.push(stmt);
        Some(stmts)
    }

    /// Whether all that is copied is updated, in every iteration.
    fn may_run(&self, time: &TimeLoop<'t>, code: &mut CodeBuilder, unrolled: &mut Unrolled<'_, 't>) -> Option<Val> {
        let [lower, upper] = time.bounds;
        let (far, back) = (code.integer(FAR), code.integer(-FAR));
        let mut may_run = code.op(ScalarOp::Gt, &[lower, back]);
        let mut and = |code: &mut CodeBuilder, condition: Val| {
            may_run = code.op(ScalarOp::BitAnd, &[may_run, condition]);
        };
        let conditions = [[upper, back], [far, lower], [far, upper]].map(|pair| code.op(ScalarOp::Gt, &pair));
        conditions.into_iter().for_each(|condition| and(code, condition));
        let zero = code.integer(0);
        for need in &time.needs {
            let mut least = Sum::number(need.constant());
            for (val, factor) in need.terms() {
                // No index is larger than this.
                let worst = match val == time.index {
                    false => Sum::value(val),
                    true if factor > 0 => Sum::value(lower),
                    true => Sum::value(upper).plus(&Sum::number(1), -1)?,
                };
                least = least.plus(&worst, factor)?;
            }
            let least = unrolled.place(code, &least)?;
            let holds = code.op(ScalarOp::Ge, &[least, zero]);
            and(code, holds);
        }
        Some(may_run)
    }
}

fn is_of(stmt: &Stmt, of: u32) -> bool {
    matches!(stmt.kind, StmtKind::Load(table) | StmtKind::Store(table) | StmtKind::Check(table) if table == of)
}

/// Lets a block use what the first of some iterations copies.
fn of_first_round(block: &mut Block, tables: &[u32], first: Val) {
    for stmt in &mut block.stmts {
        match stmt.kind {
            StmtKind::Load(table) if tables.contains(&table) => stmt.operands.insert(0, first),
            StmtKind::Store(table) if tables.contains(&table) => stmt.operands.insert(1, first),
            _ => {}
        }
        stmt.blocks.iter_mut().for_each(|block| of_first_round(block, tables, first));
    }
}
