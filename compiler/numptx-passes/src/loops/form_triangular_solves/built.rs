//! A loop as a triangular solve.
//!
//! In: a loop that is one. Out: statements that do the same. Its parts are the loop's own statements, copied: each has the operands that it had.

use std::collections::{HashMap, HashSet};

use numptx_ir::DType;
use numptx_ir::scalar::{Block, CodeBuilder, Constant, Reducer, ScalarOp, Stmt, StmtKind, Sum, Val};

use crate::loops::form_triangular_solves::rows::{NO_FACTOR, Rows};

/// Limit: sums of numbers up to this do not wrap; larger ones are not looked at.
const FAR: i64 = 1 << 40;
/// Limit: values are multiplied by numbers up to this.
const FACTOR: i64 = 1 << 16;

/// The triangular solve, and the loop for launches that are none.
pub fn built(stmt: &Stmt, rows: &Rows<'_>, made: &HashMap<Val, &Stmt>, code: &mut CodeBuilder) -> Option<Vec<Stmt>> {
    code.open_block(&[]);
    let [lower, upper] = rows.bounds;
    let zero = code.integer(0);
    let (from, to) = if rows.stride > 0 { (lower, upper) } else { (upper, lower) };
    let is_some = code.op(ScalarOp::Lt, &[from, to]);
    let distance = code.op(ScalarOp::Sub, &[to, from]);
    let mut n = code.op(ScalarOp::Select, &[is_some, distance, zero]);
    if !rows.needs.is_empty() {
        let holds = needed(rows, n, code)?;
        n = code.op(ScalarOp::Select, &[holds, n, zero]);
    }
    let building = Building { rows, made };
    let blocks = [building.element(code)?, building.factor(code)?, building.term(code)?, building.value(code)?];
    code.solve(rows.reducer, n, rows.table, blocks);
    let left = code.op(if rows.stride > 0 { ScalarOp::Add } else { ScalarOp::Sub }, &[lower, n]);
    let mut stmts = code.close_block(&[]).stmts;
    match rows.needs.is_empty() {
        true => drop(stmts.pop()),
        false => {
            let mut stmt = stmt.clone();
            stmt.operands[0] = left;
            stmts.push(stmt);
        }
    }
    Some(stmts)
}

/// Whether what has to hold in each iteration does: it does where it holds in the first and the last one.
fn needed(rows: &Rows<'_>, n: Val, code: &mut CodeBuilder) -> Option<Val> {
    let (zero, one) = (code.integer(0), code.integer(1));
    let last = code.op(ScalarOp::Sub, &[n, one]);
    let (far, back) = (code.integer(FAR), code.integer(-FAR));
    let mut holds = code.op(ScalarOp::Gt, &[far, n]);
    let and = |code: &mut CodeBuilder, holds: &mut Val, condition: Val| {
        *holds = code.op(ScalarOp::BitAnd, &[*holds, condition]);
    };
    let terms = rows.needs.iter().flatten().flat_map(Sum::terms);
    let vals: std::collections::BTreeSet<Val> = terms.map(|(val, _)| val).filter(|val| *val != rows.index).collect();
    for val in vals {
        for pair in [[far, val], [val, back]] {
            let condition = code.op(ScalarOp::Gt, &pair);
            and(code, &mut holds, condition);
        }
    }
    for pair in &rows.needs {
        let is_one = pair.iter().flat_map(Sum::terms).all(|(val, _)| val != rows.index);
        for iteration in [zero, last].into_iter().take(if is_one { 1 } else { 2 }) {
            let [less, more] = pair.each_ref().map(|sum| place(code, sum, rows.index, iteration));
            let condition = code.op(ScalarOp::Ge, &[more?, less?]);
            and(code, &mut holds, condition);
        }
    }
    Some(holds)
}

/// The value of a sum in an iteration.
fn place(code: &mut CodeBuilder, sum: &Sum, index: Val, iteration: Val) -> Option<Val> {
    let mut total = None;
    for (val, factor) in sum.terms() {
        let mut term = if val == index { iteration } else { val };
        if factor != 1 {
            let factor = code.integer(Some(factor).filter(|n| n.abs() < FACTOR)?);
            term = code.op(ScalarOp::Mul, &[term, factor]);
        }
        total = Some(total.map_or(term, |total| code.op(ScalarOp::Add, &[total, term])));
    }
    let constant = Some(sum.constant()).filter(|n| n.abs() < FAR)?;
    match total {
        Some(total) if constant == 0 => Some(total),
        total => {
            let constant = code.integer(constant);
            Some(total.map_or(constant, |total| code.op(ScalarOp::Add, &[total, constant])))
        }
    }
}

struct Building<'b, 'c> {
    rows: &'b Rows<'c>,
    made: &'b HashMap<Val, &'c Stmt>,
}

/// A block that is being built.
#[derive(Default)]
struct Copied {
    /// Values of the loop, and what they are in the block.
    known: HashMap<Val, Val>,
    /// Values that are made of the sum.
    late: HashSet<Val>,
}

impl Building<'_, '_> {
    fn element(&self, code: &mut CodeBuilder) -> Option<Block> {
        let iteration = code.open_block(&[DType::I64])[0];
        let mut copied = self.begin(code, iteration);
        let at = self.rows.at.iter().map(|val| self.copy(code, &mut copied, *val)).collect::<Option<Vec<_>>>()?;
        Some(code.close_block(&at))
    }

    fn factor(&self, code: &mut CodeBuilder) -> Option<Block> {
        let [iteration, other] = code.open_block(&[DType::I64; 2])[..] else { return None };
        let Some(factor) = self.rows.factor else {
            let nothing = code.integer(0);
            return Some(code.close_block(&[nothing]));
        };
        let mut copied = self.begin(code, iteration);
        let position = match self.rows.is_reversed {
            false => other,
            true => {
                let one = code.integer(1);
                let last = code.op(ScalarOp::Sub, &[iteration, one]);
                code.op(ScalarOp::Sub, &[last, other])
            }
        };
        copied.known.insert(*self.rows.sum.blocks[0].parameters.first()?, position);
        let factor = self.copy(code, &mut copied, factor)?;
        let block = code.close_block(&[factor]);
        let is_stored = |stmt: &Stmt| stmt.kind == StmtKind::Load(self.rows.table);
        (!block.stmts.iter().any(is_stored)).then_some(block)
    }

    fn term(&self, code: &mut CodeBuilder) -> Option<Block> {
        let Rows { given, factor, sum, .. } = self.rows;
        let of_factor = factor.map_or(NO_FACTOR, |val| code.dtype(val));
        let [left, right] = code.open_block(&[of_factor, code.dtype(*given)])[..] else { return None };
        let mut copied = Copied::default();
        copied.known.insert(*given, right);
        copied.known.extend(factor.map(|val| (val, left)));
        let term = self.copy(code, &mut copied, self.added(*sum.blocks[0].yields.first()?))?;
        let block = code.close_block(&[term]);
        let loads = block.stmts.iter().any(|stmt| matches!(stmt.kind, StmtKind::Load(_)));
        (!loads).then_some(block)
    }

    /// What a term is without a 0 that it is added to: sums begin with one.
    fn added(&self, mut term: Val) -> Val {
        let is_zero = |val: &Val| {
            let kind = self.made.get(val).map(|stmt| stmt.kind);
            matches!(kind, Some(StmtKind::Constant(Constant::Float(zero))) if zero.to_bits() == 0)
        };
        while self.rows.reducer == Reducer::Add
            && let Some(stmt) = self.made.get(&term)
            && let (StmtKind::Op(ScalarOp::Add), [zero, rest]) = (stmt.kind, &stmt.operands[..])
            && is_zero(zero)
        {
            term = *rest;
        }
        term
    }

    fn value(&self, code: &mut CodeBuilder) -> Option<Block> {
        let result = *self.rows.sum.results.first()?;
        let [iteration, total] = code.open_block(&[DType::I64, code.dtype(result)])[..] else { return None };
        let mut copied = self.begin(code, iteration);
        copied.known.insert(result, total);
        copied.late.insert(total);
        let value = self.copy(code, &mut copied, self.rows.stored)?;
        Some(code.close_block(&[value]))
    }

    /// A block in which the loop's index is that of an iteration.
    fn begin(&self, code: &mut CodeBuilder, iteration: Val) -> Copied {
        let op = if self.rows.stride > 0 { ScalarOp::Add } else { ScalarOp::Sub };
        let index = code.op(op, &[self.rows.bounds[0], iteration]);
        Copied { known: HashMap::from([(self.rows.index, index)]), late: HashSet::new() }
    }

    /// A value of the loop, in a block.
    fn copy(&self, code: &mut CodeBuilder, copied: &mut Copied, val: Val) -> Option<Val> {
        if let Some(known) = copied.known.get(&val) {
            return Some(*known);
        }
        if !self.rows.own.contains(&val) {
            return Some(val);
        }
        let stmt = *self.made.get(&val)?;
        let is_plain = matches!(stmt.kind, StmtKind::Constant(_) | StmtKind::Op(_) | StmtKind::Load(_));
        if !is_plain {
            return None;
        }
        if stmt.kind == StmtKind::Load(self.rows.table)
            && let Some(stored) = *self.rows.loads.get(&val)?
        {
            return self.copy(code, copied, stored);
        }
        let operands = stmt.operands.iter().map(|val| self.copy(code, copied, *val)).collect::<Option<Vec<_>>>()?;
        let is_late = operands.iter().any(|val| copied.late.contains(val));
        if is_late && matches!(stmt.kind, StmtKind::Load(_)) {
            return None;
        }
        let new = code.push(stmt.kind, &operands, &[code.dtype(val)], Vec::new())[0];
        if is_late {
            copied.late.insert(new);
        }
        copied.known.insert(val, new);
        Some(new)
    }
}
