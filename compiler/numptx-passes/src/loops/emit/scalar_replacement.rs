//! What an iteration stores and the next one loads, as a value that the loop carries; and no stores that are overwritten.
//!
//! In: [`Code`] without checks, after [`crate::loops::emit::store_to_load_forwarding`] has named equal values alike; of a cooperative program, the work items
//! of its `parallel` statements. Out: the same where
//!
//! - a store is gone, if the block stores to the same element again before anything could load it;
//! - a load of the element that the iteration before stored is the value that it stored, which the loop carries. The first iteration's is
//!   loaded before the loop, if there is an iteration;
//! - an element that is the same in every iteration, and that no other statement of the loop loads ([`crate::loops::schedule::distances`]), is stored once
//!   after the loop.
//!
//! Memory that a work item writes and reads again takes hundreds of cycles on a device, and each iteration would wait for it. A table that is
//! stored to shares memory with no other table, and two of its elements share none, so indices that differ by a constant are two elements.

use std::collections::{HashMap, HashSet};

use numptx_ir::DType;
use numptx_ir::scalar::{Block, Code, Constant, ScalarOp, Stmt, StmtKind, Val, zero};

use crate::loops::schedule::distances::{Counted, Distances};

/// Leaves out stores that are overwritten, and makes loads of what the iteration before stored values that loops carry.
pub fn carry(code: &mut Code) {
    if code.fault().is_some() {
        return;
    }
    let (is_cooperative, before) = (code.is_cooperative(), code.clone());
    let mut block = std::mem::take(&mut code.block);
    let mut carrying = Carrying { code, sums: HashMap::new(), distances: Distances::of(&before) };
    match is_cooperative {
        true => carrying.work_items(&mut block),
        false => carrying.block(&mut block),
    }
    code.block = block;
}

/// An integer: a value, or nothing, and a constant.
type Sum = (Option<Val>, i64);

struct Carrying<'c> {
    code: &'c mut Code,
    /// Integers that are constants or another value and a constant.
    sums: HashMap<Val, Sum>,
    distances: Distances<'c>,
}

/// A load at the top of a loop's body, of what the iteration before stored.
struct Handed {
    load: usize,
    store: usize,
    table: u32,
    /// Whether it is the same element in every iteration.
    is_fixed: bool,
}

impl Carrying<'_> {
    /// The work items of the `parallel` statements of a cooperative program: no other work item meets what one of them stores to.
    fn work_items(&mut self, block: &mut Block) {
        for stmt in &mut block.stmts {
            self.note(stmt);
            match stmt.kind {
                StmtKind::Parallel => stmt.blocks.iter_mut().for_each(|work_item| self.block(work_item)),
                StmtKind::Reduce(_) => {}
                _ => stmt.blocks.iter_mut().for_each(|nested| self.work_items(nested)),
            }
        }
    }

    fn block(&mut self, block: &mut Block) {
        for stmt in &block.stmts {
            self.note(stmt);
        }
        self.drop_overwritten(block);
        let mut stmts = Vec::with_capacity(block.stmts.len());
        for mut stmt in std::mem::take(&mut block.stmts) {
            stmt.blocks.iter_mut().for_each(|nested| self.block(nested));
            let mut after = Vec::new();
            if stmt.kind == StmtKind::For {
                move_out(&mut stmt.blocks[0], &self.code.dtypes, &mut stmts);
                while let Some(handed) = self.handed(&stmt) {
                    self.hand_on(&mut stmt, &handed, &mut stmts, &mut after);
                }
            }
            stmts.push(stmt);
            stmts.append(&mut after);
        }
        block.stmts = stmts;
    }

    /// Notes what an integer is the sum of.
    fn note(&mut self, stmt: &Stmt) {
        let Some(result) = stmt.results.first().filter(|v| self.code.dtype(**v) == DType::I64) else { return };
        let sum = match (stmt.kind, &stmt.operands[..]) {
            (StmtKind::Constant(Constant::Int(n)), _) => Some((None, n)),
            (StmtKind::Op(ScalarOp::Add), [a, b]) => match (self.sum(*a), self.sum(*b)) {
                ((root, n), (None, m)) | ((None, m), (root, n)) => n.checked_add(m).map(|n| (root, n)),
                _ => None,
            },
            (StmtKind::Op(ScalarOp::Sub), [a, b]) => match (self.sum(*a), self.sum(*b)) {
                ((root, n), (None, m)) => n.checked_sub(m).map(|n| (root, n)),
                _ => None,
            },
            _ => None,
        };
        if let Some(sum) = sum {
            self.sums.insert(*result, sum);
        }
    }

    fn sum(&self, val: Val) -> Sum {
        self.sums.get(&val).copied().unwrap_or((Some(val), 0))
    }

    /// Whether indices are of two elements whatever the values are.
    fn differ(&self, some: &[Val], others: &[Val]) -> bool {
        some.iter().zip(others).any(|(a, b)| {
            let ((a, n), (b, m)) = (self.sum(*a), self.sum(*b));
            a == b && n != m
        })
    }

    fn drop_overwritten(&self, block: &mut Block) {
        let is_overwritten = |at: usize| {
            let StmtKind::Store(table) = block.stmts[at].kind else { return false };
            let element = &block.stmts[at].operands[1..];
            for later in &block.stmts[at + 1..] {
                match later.kind {
                    StmtKind::Store(other) if other == table && later.operands[1..] == *element => return true,
                    StmtKind::Load(other) if other == table && !self.differ(&later.operands, element) => return false,
                    StmtKind::While => return false,
                    _ if later.blocks.iter().any(|nested| may_load(nested, table)) => return false,
                    _ => {}
                }
            }
            false
        };
        let dropped: Vec<bool> = (0..block.stmts.len()).map(is_overwritten).collect();
        let mut dropped = dropped.iter();
        block.stmts.retain(|_| !dropped.next().is_some_and(|dropped| *dropped));
    }

    /// The first load of a loop that is what the iteration before stored.
    fn handed(&self, stmt: &Stmt) -> Option<Handed> {
        let [body] = &stmt.blocks[..] else { return None };
        let (None, by) = self.sum(stmt.operands[2]) else { return None };
        let index = body.parameters[0];
        let inside = defined_in(body);
        for (load, stmt) in body.stmts.iter().enumerate() {
            // What a loop that need not end comes before is perhaps never loaded.
            if stmt.kind == StmtKind::While || stmt.blocks.iter().any(has_while) {
                return None;
            }
            let StmtKind::Load(table) = stmt.kind else { continue };
            let Some(store) = only_store(body, table) else { continue };
            let stored = &body.stmts[store].operands[1..];
            let mut is_fixed = true;
            let is_handed = stored.iter().zip(&stmt.operands).all(|(stored, loaded)| {
                let (stored, loaded) = (self.sum(*stored), self.sum(*loaded));
                let is_index = stored.0 == Some(index);
                is_fixed &= !is_index;
                let moved = if is_index { loaded.1.checked_add(by) } else { Some(loaded.1) };
                stored.0 == loaded.0
                    && moved == Some(stored.1)
                    && (is_index || stored.0.is_none_or(|root| !inside.contains(&root)))
            });
            if is_handed && (!is_fixed || load < store) {
                return Some(Handed { load, store, table, is_fixed });
            }
        }
        None
    }

    /// Makes the load a value that the loop carries.
    fn hand_on(&mut self, stmt: &mut Stmt, handed: &Handed, before: &mut Vec<Stmt>, after: &mut Vec<Stmt>) {
        let [lower, upper, by] = [stmt.operands[0], stmt.operands[1], stmt.operands[2]];
        let is_up = self.sum(by).1 > 0;
        let condition = self.define(DType::Bool);
        let (less, more) = if is_up { (lower, upper) } else { (upper, lower) };
        before.push(simple(StmtKind::Op(ScalarOp::Lt), &[less, more], condition));
        let body = &mut stmt.blocks[0];
        let index = body.parameters[0];
        let load = body.stmts.remove(handed.load);
        let store = if handed.load < handed.store { handed.store - 1 } else { handed.store };
        let [stored, element @ ..] = &body.stmts[store].operands[..] else { return };
        let (stored, element) = (*stored, element.to_vec());
        let loaded = load.results[0];
        let dtype = self.code.dtype(loaded);

        // The first iteration's.
        let mut first = Block::default();
        let at: Vec<Val> = load.operands.iter().map(|val| self.at_first(*val, index, lower, &mut first)).collect();
        let value = self.define(dtype);
        first.stmts.push(simple(StmtKind::Load(handed.table), &at, value));
        first.yields.push(value);
        let mut none = Block::default();
        let nothing = self.define(dtype);
        none.stmts.push(simple(StmtKind::Constant(zero(dtype)), &[], nothing));
        none.yields.push(nothing);
        let initial = self.define(dtype);
        let blocks = vec![first, none];
        before.push(Stmt { kind: StmtKind::If, operands: vec![condition], results: vec![initial], blocks });

        // What was loaded is now a parameter.
        let last = self.define(dtype);
        body.parameters.push(loaded);
        body.yields.push(stored);
        stmt.operands.push(initial);
        stmt.results.push(last);
        if handed.is_fixed && self.is_met_alone(handed.table, &element, body, [lower, upper, by]) {
            body.stmts.remove(store);
            let mut then = Block::default();
            let at: Vec<Val> = element.iter().map(|val| self.at_first(*val, index, lower, &mut then)).collect();
            let operands = [&[last], &at[..]].concat();
            let kind = StmtKind::Store(handed.table);
            then.stmts.push(Stmt { kind, operands, results: Vec::new(), blocks: Vec::new() });
            let blocks = vec![then, Block::default()];
            after.push(Stmt { kind: StmtKind::If, operands: vec![condition], results: Vec::new(), blocks });
        }
    }

    /// Whether no statement of a loop's body loads an element.
    fn is_met_alone(&self, table: u32, element: &[Val], body: &Block, [lower, upper, by]: [Val; 3]) -> bool {
        if !may_load(body, table) {
            return true;
        }
        if self.sum(by) != (None, 1) {
            return false;
        }
        let counted = Counted { index: body.parameters[0], bounds: [lower, upper] };
        let mut is_alone = true;
        body.for_each_stmt(&mut |stmt| {
            if stmt.kind == StmtKind::Load(table) {
                is_alone &= self.distances.are_apart(&stmt.operands, element, counted);
            }
        });
        is_alone
    }

    /// The value that an index has in the first iteration; statements that compute it go into `block`.
    fn at_first(&mut self, val: Val, index: Val, lower: Val, block: &mut Block) -> Val {
        let (root, n) = self.sum(val);
        let root = root.map(|root| if root == index { lower } else { root });
        let (Some(root), 0) = (root, n) else {
            let constant = self.define(DType::I64);
            block.stmts.push(simple(StmtKind::Constant(Constant::Int(n)), &[], constant));
            let Some(root) = root else { return constant };
            let sum = self.define(DType::I64);
            block.stmts.push(simple(StmtKind::Op(ScalarOp::Add), &[root, constant], sum));
            return sum;
        };
        root
    }

    fn define(&mut self, dtype: DType) -> Val {
        self.code.dtypes.push(dtype);
        Val(self.code.dtypes.len() as u32 - 1)
    }
}

fn simple(kind: StmtKind, operands: &[Val], result: Val) -> Stmt {
    Stmt { kind, operands: operands.to_vec(), results: vec![result], blocks: Vec::new() }
}

/// Moves what is the same in every iteration out of a loop's body: the work item's indices, and integers computed of such.
fn move_out(body: &mut Block, dtypes: &[DType], before: &mut Vec<Stmt>) {
    let mut inside = defined_in(body);
    let (mut moved, mut kept) = (Vec::new(), Vec::new());
    for stmt in std::mem::take(&mut body.stmts) {
        let is_integer = stmt.results.first().is_some_and(|v| dtypes[v.0 as usize] == DType::I64);
        let is_same = match stmt.kind {
            StmtKind::Index(_) | StmtKind::Input(_) | StmtKind::Constant(_) => true,
            StmtKind::Op(ScalarOp::Add | ScalarOp::Sub | ScalarOp::Mul) => {
                is_integer && stmt.operands.iter().all(|v| !inside.contains(v))
            }
            _ => false,
        };
        if is_same {
            stmt.results.iter().for_each(|v| _ = inside.remove(v));
            moved.push(stmt);
        } else {
            kept.push(stmt);
        }
    }
    body.stmts = kept;
    before.append(&mut moved);
}

/// Where a block stores to a table, if it does so once, itself.
fn only_store(body: &Block, table: u32) -> Option<usize> {
    let mut n = 0;
    body.for_each_stmt(&mut |stmt| n += usize::from(stmt.kind == StmtKind::Store(table)));
    let at = body.stmts.iter().position(|stmt| stmt.kind == StmtKind::Store(table));
    at.filter(|_| n == 1)
}

fn may_load(block: &Block, table: u32) -> bool {
    let mut found = false;
    block.for_each_stmt(&mut |stmt| found |= stmt.kind == StmtKind::Load(table));
    found
}

fn has_while(block: &Block) -> bool {
    let mut found = false;
    block.for_each_stmt(&mut |stmt| found |= stmt.kind == StmtKind::While);
    found
}

fn defined_in(block: &Block) -> HashSet<Val> {
    let mut defined: HashSet<Val> = block.parameters.iter().copied().collect();
    block.for_each_stmt(&mut |stmt| {
        defined.extend(&stmt.results);
        stmt.blocks.iter().for_each(|nested| defined.extend(&nested.parameters));
    });
    defined
}

#[cfg(test)]
mod tests;
