//! Triangular solves: `solve` statements, whose iterations each add up terms of all those before, as in the solution of a triangular system.
//!
//! In: a statement of a cooperative program. Out: its parts, which the group puts together. On the host one thread runs iteration after iteration, the terms of
//! one as a loop of which LLVM makes vectors.

use inkwell::values::{FloatValue, IntValue};
use numptx_ir::DType;
use numptx_ir::scalar::{Block, Reducer, ScalarOp, Stmt, StmtKind, Val};

use super::group::{Known, Ready, TriangularSolve};
use super::work_item::{Statements, WorkItem};
use crate::accumulator::{Layout, Order};
use crate::elements::Elements;
use crate::emitter::Side;
use crate::error::{Emit, bug};
use crate::scalar::quotient::{Difference, Quotient};
use crate::value::Scalar;

/// A division by a number whose reciprocal is known.
struct Division<'ctx> {
    quotient: Quotient<'ctx>,
    /// The dividend, if it is that, as something known less the total.
    difference: Option<Difference<'ctx>>,
}

struct Parts<'s, 'p, 'ctx, 'a> {
    work_item: &'s mut WorkItem<'p, 'ctx, 'a>,
    table: usize,
    n: IntValue<'ctx>,
    layouts: [Layout; 3],
    /// Element, factor, term, value.
    blocks: &'s [Block; 4],
}

impl<'ctx> WorkItem<'_, 'ctx, '_> {
    pub(super) fn triangular_solve(&mut self, stmt: &Stmt, reducer: Reducer, table: usize) -> Emit<()> {
        let (Ok(blocks), [n]) = (<&[Block; 4]>::try_from(&stmt.blocks[..]), &stmt.operands[..]) else {
            return Err(bug("a `solve` has four blocks and one extent"));
        };
        let dtype = |block: &Block| -> Emit<DType> {
            let dtype = block.yields.first().map(|v| self.code.dtype(*v));
            dtype.ok_or_else(|| bug("a block of a `solve` yields nothing"))
        };
        // Values and factors are kept, not combined: every dtype has a sum or an `or` that begins with 0.
        let kept = |dtype| (if dtype == DType::Bool { Reducer::Or } else { Reducer::Add }, dtype);
        let [_, factor, term, value] = blocks;
        let layouts = [(reducer, dtype(term)?), kept(dtype(value)?), kept(dtype(factor)?)];
        let layouts = layouts.map(|of| Layout::of_reducers(vec![of]));
        let (e, n, group) = (self.e, self.value(*n)?.int()?, self.group);
        match group {
            Some(group) => group.solve(e, &mut Parts { work_item: self, table, n, layouts, blocks }),
            None => self.solve_alone(table, n, layouts, blocks),
        }
    }

    fn solve_alone(&mut self, table: usize, n: IntValue<'ctx>, layouts: [Layout; 3], blocks: &[Block; 4]) -> Emit<()> {
        let (e, layout) = (self.e, layouts[0].clone());
        let slots = e.accumulator_slots(&layout, &e.identity(&layout)?)?;
        e.count((e.i64(0), n), e.i64(1), None, |k| {
            e.write_accumulator(&slots, &layout, &e.identity(&layout)?)?;
            let parallel = e.parallel_work_items()?;
            let elements = Elements { group: Some(parallel.group), ..*self.elements };
            let (values, constants) = (self.values.clone(), self.constants.clone());
            let (code, indices) = (self.code, self.indices);
            let mut work_item = WorkItem { values, constants, ..WorkItem::alone(e, code, &elements, indices) };
            let mut parts = Parts { work_item: &mut work_item, table, n, layouts: layouts.clone(), blocks };
            e.count((e.i64(0), k), e.i64(1), Some(parallel.loop_id), |j| {
                let (factor, value) = (parts.factor(k, j)?, parts.given(j)?);
                let term = parts.term(factor, value)?;
                let so_far = e.read_accumulator(&slots, &layout)?;
                e.write_accumulator(&slots, &layout, &e.combine(&layout, &so_far, &[term], Order::Free)?)
            })?;
            let mut parts = Parts { work_item: self, table, n, layouts, blocks };
            let total = first(&e.read_accumulator(&slots, &layout)?)?;
            let ready = parts.ready(k)?;
            let value = parts.value(&ready, total)?;
            parts.store(k, value)
        })
    }
}

fn first<'ctx>(values: &[Scalar<'ctx>]) -> Emit<Scalar<'ctx>> {
    values.first().copied().ok_or_else(|| bug("a short accumulator"))
}

impl<'ctx> Parts<'_, '_, 'ctx, '_> {
    fn run(&mut self, block: usize, parameters: Vec<Scalar<'ctx>>) -> Emit<Vec<Scalar<'ctx>>> {
        let block = &self.blocks[block];
        self.work_item.bind(&block.parameters, parameters);
        self.work_item.block(block)
    }

    fn one(&mut self, block: usize, parameters: Vec<Scalar<'ctx>>) -> Emit<Scalar<'ctx>> {
        first(&self.run(block, parameters)?)
    }

    /// The statements of a value that need its total, or those that do not.
    fn steps(&self, late: bool) -> Vec<&Stmt> {
        let value = &self.blocks[3];
        let mut made: Vec<Val> = value.parameters.iter().skip(1).copied().collect();
        let mut stmts = Vec::new();
        for stmt in &value.stmts {
            let is_late = stmt.operands.iter().any(|val| made.contains(val));
            if is_late {
                made.extend(&stmt.results);
            }
            if is_late == late {
                stmts.push(stmt);
            }
        }
        stmts
    }

    /// What is divided on a device when the total is known, and the numbers, known before, that it is divided by: there one division follows the
    /// other.
    fn divisions(&self) -> Vec<(Val, Val)> {
        let late = self.steps(true);
        let is_late =
            |val: &Val| late.iter().any(|stmt| stmt.results.contains(val)) || self.blocks[3].parameters.contains(val);
        let mut divisions = Vec::new();
        for stmt in &late {
            if let (StmtKind::Op(ScalarOp::Div), [dividend, divisor]) = (stmt.kind, &stmt.operands[..])
                && matches!(self.work_item.e.side, Side::Device(_))
                && self.work_item.code.dtype(*divisor) == DType::F64
                && !is_late(divisor)
            {
                divisions.push((*dividend, *divisor));
            }
        }
        divisions
    }

    /// A division by a number whose reciprocal is known.
    fn division(&self, stmt: &Stmt, ready: &Ready<'ctx>) -> Emit<Option<Division<'ctx>>> {
        let (StmtKind::Op(ScalarOp::Div), [dividend, divisor]) = (stmt.kind, &stmt.operands[..]) else {
            return Ok(None);
        };
        let Some((_, reciprocal)) = ready.iter().find(|(known, _)| *known == Known::Reciprocal(*divisor)) else {
            return Ok(None);
        };
        let difference = self.difference((*dividend, *divisor), ready)?;
        let (dividend, divisor) = (self.float(*dividend)?, self.float(*divisor)?);
        let quotient = Quotient { dividend, divisor, reciprocal: reciprocal.float()? };
        Ok(Some(Division { quotient, difference }))
    }

    /// What a dividend is the difference of, if that is something ready and the total.
    fn difference(&self, (of, divisor): (Val, Val), ready: &Ready<'ctx>) -> Emit<Option<Difference<'ctx>>> {
        let find = |wanted| ready.iter().find(|(known, _)| *known == wanted);
        let Some(minuend) = self.minuend(of).filter(|minuend| find(Known::Value(*minuend)).is_some()) else {
            return Ok(None);
        };
        let scaled = find(Known::Scaled(minuend, divisor)).map(|(_, scaled)| scaled.float()).transpose()?;
        let total = self.blocks[3].parameters.get(1).ok_or_else(|| bug("a value without a total"))?;
        Ok(Some(Difference { minuend: self.float(minuend)?, subtrahend: self.float(*total)?, scaled }))
    }

    /// What the total is subtracted from, if a value is that.
    fn minuend(&self, of: Val) -> Option<Val> {
        let made = self.blocks[3].stmts.iter().find(|stmt| stmt.results.contains(&of))?;
        match (made.kind, &made.operands[..]) {
            (StmtKind::Op(ScalarOp::Sub), [minuend, total])
                if self.blocks[3].parameters.get(1) == Some(total) && minuend != total =>
            {
                Some(*minuend)
            }
            _ => None,
        }
    }

    fn float(&self, val: Val) -> Emit<FloatValue<'ctx>> {
        self.work_item.value(val)?.float()
    }

    /// What the steps that need the total look at.
    fn needed(&self) -> Vec<Val> {
        fn of_block(block: &Block, needed: &mut Vec<Val>) {
            block.for_each_stmt(&mut |stmt| {
                needed.extend(&stmt.operands);
                stmt.blocks.iter().for_each(|block| needed.extend(&block.yields));
            });
        }
        let mut needed = self.blocks[3].yields.clone();
        for stmt in self.steps(true) {
            needed.extend(&stmt.operands);
            for block in &stmt.blocks {
                needed.extend(&block.yields);
                of_block(block, &mut needed);
            }
        }
        needed
    }

    /// The value of an iteration; `divide` gives quotients.
    fn late(
        &mut self,
        ready: &Ready<'ctx>,
        total: Scalar<'ctx>,
        divide: &mut dyn FnMut(Division<'ctx>) -> Emit<FloatValue<'ctx>>,
    ) -> Emit<Scalar<'ctx>> {
        for (known, value) in ready {
            if let Known::Value(val) = known {
                self.work_item.bind(&[*val], vec![*value]);
            }
        }
        self.work_item.bind(&self.blocks[3].parameters[1..], vec![total]);
        for stmt in self.steps(true).into_iter().cloned().collect::<Vec<Stmt>>() {
            let results = match self.division(&stmt, ready)? {
                Some(division) => vec![Scalar::Float(divide(division)?)],
                None => self.work_item.step(&stmt)?,
            };
            self.work_item.bind(&stmt.results, results);
        }
        first(&self.work_item.all(&self.blocks[3].yields)?)
    }
}

impl<'ctx> TriangularSolve<'ctx> for Parts<'_, '_, 'ctx, '_> {
    fn n(&self) -> IntValue<'ctx> {
        self.n
    }

    fn layout(&self) -> &Layout {
        &self.layouts[0]
    }

    fn of_value(&self) -> &Layout {
        &self.layouts[1]
    }

    fn of_factor(&self) -> &Layout {
        &self.layouts[2]
    }

    fn given(&mut self, iteration: IntValue<'ctx>) -> Emit<Scalar<'ctx>> {
        let at = self.run(0, vec![Scalar::Int(iteration)])?;
        self.work_item.elements.load(self.work_item.e, self.table, &at)
    }

    fn store(&mut self, iteration: IntValue<'ctx>, value: Scalar<'ctx>) -> Emit<()> {
        let at = self.run(0, vec![Scalar::Int(iteration)])?;
        self.work_item.elements.store(self.work_item.e, self.table, &at, value)
    }

    fn factor(&mut self, iteration: IntValue<'ctx>, other: IntValue<'ctx>) -> Emit<Scalar<'ctx>> {
        self.one(1, vec![Scalar::Int(iteration), Scalar::Int(other)])
    }

    fn term(&mut self, factor: Scalar<'ctx>, value: Scalar<'ctx>) -> Emit<Scalar<'ctx>> {
        self.one(2, vec![factor, value])
    }

    fn ready(&mut self, iteration: IntValue<'ctx>) -> Emit<Ready<'ctx>> {
        self.work_item.bind(&self.blocks[3].parameters[..1], vec![Scalar::Int(iteration)]);
        let mut ready = vec![(Known::Value(self.blocks[3].parameters[0]), Scalar::Int(iteration))];
        for stmt in self.steps(false).into_iter().cloned().collect::<Vec<Stmt>>() {
            let results = self.work_item.step(&stmt)?;
            self.work_item.bind(&stmt.results, results.clone());
            ready.extend(stmt.results.iter().map(|val| Known::Value(*val)).zip(results));
        }
        let needed = self.needed();
        ready.retain(|(known, _)| matches!(known, Known::Value(val) if needed.contains(val)));
        let e = self.work_item.e;
        let mut scaled = Vec::new();
        for (dividend, divisor) in self.divisions() {
            let known = Known::Reciprocal(divisor);
            let made = ready.iter().find(|(made, _)| *made == known).map(|(_, made)| *made);
            let reciprocal = match made {
                Some(made) => made.float()?,
                None => {
                    let reciprocal = e.reciprocal(self.float(divisor)?)?;
                    ready.push((known, Scalar::Float(reciprocal)));
                    reciprocal
                }
            };
            if let Some(minuend) = self.minuend(dividend)
                && ready.iter().any(|(known, _)| *known == Known::Value(minuend))
            {
                let product = e.builder.build_float_mul(self.float(minuend)?, reciprocal, "")?;
                scaled.push((Known::Scaled(minuend, divisor), Scalar::Float(product)));
            }
        }
        ready.extend(scaled);
        Ok(ready)
    }

    fn value(&mut self, ready: &Ready<'ctx>, total: Scalar<'ctx>) -> Emit<Scalar<'ctx>> {
        let e = self.work_item.e;
        self.late(ready, total, &mut |division| e.quotient(&division.quotient))
    }

    fn n_late(&self) -> usize {
        self.steps(true).len()
    }

    fn is_quick(&self) -> bool {
        !self.divisions().is_empty()
    }

    fn quick_value(&mut self, ready: &Ready<'ctx>, total: Scalar<'ctx>) -> Emit<Scalar<'ctx>> {
        let e = self.work_item.e;
        self.late(ready, total, &mut |division| match &division.difference {
            Some(difference) => e.quotient_of_difference(&division.quotient, difference),
            None => Ok(e.quick_quotient(&division.quotient)?.0),
        })
    }

    fn checked_value(&mut self, ready: &Ready<'ctx>, total: Scalar<'ctx>) -> Emit<(Scalar<'ctx>, IntValue<'ctx>)> {
        let e = self.work_item.e;
        let mut are_right = e.context.bool_type().const_all_ones();
        let value = self.late(ready, total, &mut |division| {
            let (quotient, is_right) = e.quick_quotient(&division.quotient)?;
            are_right = e.and(are_right, is_right)?;
            if let Some(difference) = &division.difference {
                are_right = e.and(are_right, e.is_about(&division.quotient, difference, quotient)?)?;
            }
            Ok(quotient)
        })?;
        Ok((value, are_right))
    }
}
