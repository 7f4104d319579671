//! Structured programs in LLVM: what a kernel with code does at one work item.
//!
//! In: a verified program, the elements that its tables stand for, and the work item's indices. Out: the same statements, in the same order. Branches and loops
//! are `control`'s.

mod ahead;
mod control;
mod cooperative;
mod forms;
mod group;
mod lanes;
mod loops;
mod ragged;
mod shared_sums;
mod strip;
mod sums;
mod triangular_solve;
mod turns;
mod updates;
mod watch;
mod work_item;

use inkwell::IntPredicate;
use inkwell::values::{IntValue, PointerValue};
use numptx_ir::DType;
use numptx_ir::kernel::Kernel;
use numptx_ir::scalar::{Block, Code, Stmt, StmtKind, Val};

use self::cooperative::has_loops_in;
use self::watch::Watch;
use self::work_item::{Statements, WorkItem};
use crate::elements::Elements;
use crate::emitter::Emitter;
use crate::error::{Emit, bug};
use crate::value::Scalar;

pub(crate) use group::{Known, Ready, ThreadGroup, TriangularSolve, Warps};
pub(crate) use ragged::{Ragged, with_groups};
pub(crate) use strip::{LANES, Strip};
pub(crate) use sums::anew;
pub(crate) use turns::{Turns, Warp};
pub(crate) use updates::{Updates, takes_turns};

/// The program of a kernel that has one, which the emitters may index without looking.
pub(crate) fn only_code(kernel: &Kernel) -> Emit<Option<&Code>> {
    let Some(code) = kernel.code() else { return Ok(None) };
    match numptx_ir::kernel::verify::verify(kernel) {
        Ok(()) => Ok(Some(code)),
        Err(errors) => {
            let what = errors.first().map_or(String::new(), |error| error.to_string());
            Err(bug(format!("kernel `{}` is not verified: {what}", kernel.name)))
        }
    }
}

impl<'ctx> Emitter<'ctx, '_> {
    /// Emits a program at a work item, whose index along each axis is `i64`. `elements` has the kernel's tables, and its scalars, which are the inputs.
    pub fn code(&self, code: &Code, elements: &Elements<'_, 'ctx>, indices: &[IntValue<'ctx>]) -> Emit<()> {
        self.work_item(WorkItem::alone(self, code, elements, indices))
    }

    /// Emits a program at a work item that the lanes of a warp run.
    pub fn shared_code(
        &self,
        code: &Code,
        elements: &Elements<'_, 'ctx>,
        indices: &[IntValue<'ctx>],
        turns: Turns<'_, 'ctx>,
    ) -> Emit<()> {
        self.work_item(WorkItem { turns: Some(turns), ..WorkItem::alone(self, code, elements, indices) })
    }

    /// Emits a program that a launch on the host runs once, in a function that has the frame: its long loops ask the caller whether to go on.
    pub fn only_work_item(&self, code: &Code, elements: &Elements<'_, 'ctx>, frame: PointerValue<'ctx>) -> Emit<()> {
        let watch = Some(Watch::new(self, frame)?);
        self.work_item(WorkItem { watch, ..WorkItem::alone(self, code, elements, &[]) })
    }

    fn work_item(&self, mut work_item: WorkItem<'_, 'ctx, '_>) -> Emit<()> {
        let (code, elements) = (work_item.code, work_item.elements);
        let Some(fault) = code.fault() else { return work_item.block(&code.block).map(drop) };
        let (start, end) = (self.block("start")?, self.block("end")?);
        let mut found = elements.load(self, fault, &[])?.int()?;
        if let Some(turns) = work_item.turns {
            found = turns.warp.of_first(self, found)?;
        }
        self.builder.build_conditional_branch(self.icmp_with(IntPredicate::EQ, found, 0)?, start, end)?;
        self.builder.position_at_end(start);
        work_item.end = Some(end);
        work_item.block(&code.block)?;
        self.enter(end)
    }
}

impl<'ctx> Statements<'ctx> for WorkItem<'_, 'ctx, '_> {
    fn block(&mut self, block: &Block) -> Emit<Vec<Scalar<'ctx>>> {
        for stmt in &block.stmts {
            let results = self.step(stmt)?;
            self.bind(&stmt.results, results);
        }
        self.all(&block.yields)
    }

    fn step(&mut self, stmt: &Stmt) -> Emit<Vec<Scalar<'ctx>>> {
        let e = self.e;
        if self.noted(stmt)? {
            return Ok(Vec::new());
        }
        let missing = |what: &str, n: u32| bug(format!("code reads {what} {n}, which is not there"));
        Ok(match stmt.kind {
            StmtKind::Constant(constant) => {
                let [result] = stmt.results[..] else { return Err(bug("a constant has one result")) };
                self.constants[result.0 as usize] = constant.as_int();
                vec![e.constant(constant, self.code.dtype(result))?]
            }
            StmtKind::Op(op) => {
                let operand = |v: &Val| Ok((self.value(*v)?, self.code.dtype(*v)));
                let operands = stmt.operands.iter().map(operand).collect::<Emit<Vec<_>>>()?;
                let result = stmt.results.first().map_or(DType::Bool, |v| self.code.dtype(*v));
                vec![e.scalar_op(op, &operands, result)?]
            }
            StmtKind::Index(n) => {
                vec![Scalar::Int(*self.indices.get(n as usize).ok_or_else(|| missing("the index of axis", n))?)]
            }
            StmtKind::Input(n) => {
                vec![*self.elements.scalars.get(n as usize).ok_or_else(|| missing("scalar", n))?]
            }
            StmtKind::Load(table) => vec![self.elements.load(e, table as usize, &self.all(&stmt.operands)?)?],
            StmtKind::Store(table) => {
                let operands = self.all(&stmt.operands)?;
                let (value, at) = operands.split_first().ok_or_else(|| bug("a store of nothing"))?;
                let mut store = || self.elements.store(e, table as usize, at, *value);
                match self.group {
                    Some(group) => group.store(e, &mut store)?,
                    None => store()?,
                }
                Vec::new()
            }
            StmtKind::Check(table) => {
                self.check(stmt, table as usize)?;
                Vec::new()
            }
            StmtKind::If => self.branches(stmt)?,
            StmtKind::For => self.counted(stmt)?,
            StmtKind::While => self.repeated(stmt)?,
            StmtKind::Parallel => {
                self.parallel(stmt)?;
                Vec::new()
            }
            StmtKind::Reduce(reducer) => vec![self.reduction(stmt, reducer)?],
            StmtKind::Solve(reducer, table) => {
                self.triangular_solve(stmt, reducer, table as usize)?;
                Vec::new()
            }
            StmtKind::Barrier => {
                self.barrier()?;
                Vec::new()
            }
        })
    }
}

impl<'ctx> WorkItem<'_, 'ctx, '_> {
    fn check(&self, stmt: &Stmt, fault: usize) -> Emit<()> {
        let ([condition, number], Some(end)) = (&stmt.operands[..], self.end) else {
            return Err(bug("a check has a condition, a number and an end"));
        };
        let (e, holds) = (self.e, self.value(*condition)?.int()?);
        let (fails, goes_on) = (e.block("fails")?, e.block("holds")?);
        e.builder.build_conditional_branch(holds, goes_on, fails)?;
        e.builder.position_at_end(fails);
        match self.failed() {
            Some(failed) => e.write(failed, self.value(*number)?.int()?)?,
            None => self.elements.store(e, fault, &[], self.value(*number)?)?,
        }
        e.builder.build_unconditional_branch(end)?;
        e.builder.position_at_end(goes_on);
        Ok(())
    }
}

/// What a table's strides are taken to be: its own, or a constant along the last axis.
pub(crate) fn with_unit_strides<'ctx>(
    e: &Emitter<'ctx, '_>,
    kernel: &Kernel,
    scalars: &[Scalar<'ctx>],
) -> Vec<Scalar<'ctx>> {
    let mut scalars = scalars.to_vec();
    for (stride, itemsize) in last_strides(kernel) {
        scalars[stride] = Scalar::Int(e.i64(itemsize));
    }
    scalars
}

/// Whether neighbours along every table's last axis lie side by side; `None` if there is no such axis.
pub(crate) fn has_unit_strides<'ctx>(
    e: &Emitter<'ctx, '_>,
    kernel: &Kernel,
    scalars: &[Scalar<'ctx>],
) -> Emit<Option<IntValue<'ctx>>> {
    let mut all: Option<IntValue<'ctx>> = None;
    for (stride, itemsize) in last_strides(kernel) {
        let is_unit = e.icmp_with(IntPredicate::EQ, scalars[stride].int()?, itemsize)?;
        all = Some(match all {
            Some(all) => e.and(all, is_unit)?,
            None => is_unit,
        });
    }
    Ok(all)
}

/// The scalar that holds each table's last stride, and the bytes of its element.
fn last_strides(kernel: &Kernel) -> impl Iterator<Item = (usize, i64)> {
    kernel.tables.iter().filter_map(|table| {
        let itemsize = kernel.operands[table.operand].dtype.itemsize() as i64;
        Some((*table.strides.last()?, itemsize))
    })
}

/// Whether a program has loops, or work items of it may end early: of others LLVM makes vectors, as of those of maps.
pub(crate) fn is_branching(code: &Code) -> bool {
    has_loops_in(&code.block) || code.fault().is_some()
}

/// Whether work items that run one by one may become vectors: without loops, or with few iterations in all, which LLVM unrolls.
pub(crate) fn may_be_vectors(code: &Code) -> bool {
    let mut constants = vec![None; code.dtypes.len()];
    code.fault().is_none() && short_iterations(&code.block, &mut constants).is_some()
}

/// Iterations of all loops of a block, those of inner ones counted each time; `None`: that is not known, or more than LLVM unrolls.
fn short_iterations(block: &Block, constants: &mut [Option<i64>]) -> Option<i128> {
    const SHORT: i128 = 128;
    let mut all = 0;
    for stmt in &block.stmts {
        let trips = match stmt.kind {
            StmtKind::Constant(constant) => {
                stmt.results.iter().for_each(|v| constants[v.0 as usize] = constant.as_int());
                continue;
            }
            StmtKind::For => {
                let bound = |n: usize| stmt.operands.get(n).and_then(|v| constants[v.0 as usize]).map(i128::from);
                let (lower, upper, by) = (bound(0)?, bound(1)?, bound(2).filter(|by| *by != 0)?);
                ((upper - lower) / by).max(0) + 1
            }
            StmtKind::While => return None,
            kind if kind.is_shared() => return None,
            _ => 0,
        };
        for nested in &stmt.blocks {
            all += trips + trips.max(1) * short_iterations(nested, constants)?;
        }
        if all > SHORT {
            return None;
        }
    }
    Some(all)
}
