//! What an iteration stores and the next one loads, as a value that the loop carries; and no stores that are overwritten.
//!
//! In: [`Code`] without checks, after [`crate::loops::emit::store_to_load_forwarding`] has named equal values alike; of a cooperative program, the points of its `parallel` steps. Out: the same where
//!
//! - a store is gone, if the block stores to the same element again before anything could load it;
//! - a load of the element that the iteration before stored is the value that it stored, which the loop carries. The first iteration's is
//!   loaded before the loop, if there is an iteration;
//! - an element that is the same in every iteration, and that no other step of the loop loads ([`crate::loops::schedule::distances`]), is stored once after the loop.
//!
//! Memory that a point writes and reads again takes hundreds of cycles on a device, and each iteration would wait for it. A table that is
//! stored to shares memory with no other table, and two of its elements share none, so indices that differ by a constant are two elements.

use std::collections::{HashMap, HashSet};

use numptx_ir::DType;
use numptx_ir::scalar::{Block, Code, Constant, ScalarOp, Step, StepKind, Val, zero};

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
        true => carrying.points(&mut block),
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
    /// The points of the `parallel` steps of a cooperative program: no other point meets what one of them stores to.
    fn points(&mut self, block: &mut Block) {
        for step in &mut block.steps {
            self.note(step);
            match step.kind {
                StepKind::Parallel => step.blocks.iter_mut().for_each(|point| self.block(point)),
                StepKind::Reduce(_) => {}
                _ => step.blocks.iter_mut().for_each(|nested| self.points(nested)),
            }
        }
    }

    fn block(&mut self, block: &mut Block) {
        for step in &block.steps {
            self.note(step);
        }
        self.drop_overwritten(block);
        let mut steps = Vec::with_capacity(block.steps.len());
        for mut step in std::mem::take(&mut block.steps) {
            step.blocks.iter_mut().for_each(|nested| self.block(nested));
            let mut after = Vec::new();
            if step.kind == StepKind::For {
                move_out(&mut step.blocks[0], &self.code.dtypes, &mut steps);
                while let Some(handed) = self.handed(&step) {
                    self.hand_on(&mut step, &handed, &mut steps, &mut after);
                }
            }
            steps.push(step);
            steps.append(&mut after);
        }
        block.steps = steps;
    }

    /// Notes what an integer is the sum of.
    fn note(&mut self, step: &Step) {
        let Some(result) = step.results.first().filter(|v| self.code.dtype(**v) == DType::I64) else { return };
        let sum = match (step.kind, &step.operands[..]) {
            (StepKind::Constant(Constant::Int(n)), _) => Some((None, n)),
            (StepKind::Op(ScalarOp::Add), [a, b]) => match (self.sum(*a), self.sum(*b)) {
                ((root, n), (None, m)) | ((None, m), (root, n)) => n.checked_add(m).map(|n| (root, n)),
                _ => None,
            },
            (StepKind::Op(ScalarOp::Sub), [a, b]) => match (self.sum(*a), self.sum(*b)) {
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
            let StepKind::Store(table) = block.steps[at].kind else { return false };
            let element = &block.steps[at].operands[1..];
            for later in &block.steps[at + 1..] {
                match later.kind {
                    StepKind::Store(other) if other == table && later.operands[1..] == *element => return true,
                    StepKind::Load(other) if other == table && !self.differ(&later.operands, element) => return false,
                    StepKind::While => return false,
                    _ if later.blocks.iter().any(|nested| may_load(nested, table)) => return false,
                    _ => {}
                }
            }
            false
        };
        let dropped: Vec<bool> = (0..block.steps.len()).map(is_overwritten).collect();
        let mut dropped = dropped.iter();
        block.steps.retain(|_| !dropped.next().is_some_and(|dropped| *dropped));
    }

    /// The first load of a loop that is what the iteration before stored.
    fn handed(&self, step: &Step) -> Option<Handed> {
        let [body] = &step.blocks[..] else { return None };
        let (None, by) = self.sum(step.operands[2]) else { return None };
        let index = body.parameters[0];
        let inside = defined_in(body);
        for (load, step) in body.steps.iter().enumerate() {
            // What a loop that need not end comes before is perhaps never loaded.
            if step.kind == StepKind::While || step.blocks.iter().any(has_while) {
                return None;
            }
            let StepKind::Load(table) = step.kind else { continue };
            let Some(store) = only_store(body, table) else { continue };
            let stored = &body.steps[store].operands[1..];
            let mut is_fixed = true;
            let is_handed = stored.iter().zip(&step.operands).all(|(stored, loaded)| {
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
    fn hand_on(&mut self, step: &mut Step, handed: &Handed, before: &mut Vec<Step>, after: &mut Vec<Step>) {
        let [lower, upper, by] = [step.operands[0], step.operands[1], step.operands[2]];
        let is_up = self.sum(by).1 > 0;
        let condition = self.define(DType::Bool);
        let (less, more) = if is_up { (lower, upper) } else { (upper, lower) };
        before.push(simple(StepKind::Op(ScalarOp::Lt), &[less, more], condition));
        let body = &mut step.blocks[0];
        let index = body.parameters[0];
        let load = body.steps.remove(handed.load);
        let store = if handed.load < handed.store { handed.store - 1 } else { handed.store };
        let [stored, element @ ..] = &body.steps[store].operands[..] else { return };
        let (stored, element) = (*stored, element.to_vec());
        let loaded = load.results[0];
        let dtype = self.code.dtype(loaded);

        // The first iteration's.
        let mut first = Block::default();
        let at: Vec<Val> = load.operands.iter().map(|val| self.at_first(*val, index, lower, &mut first)).collect();
        let value = self.define(dtype);
        first.steps.push(simple(StepKind::Load(handed.table), &at, value));
        first.yields.push(value);
        let mut none = Block::default();
        let nothing = self.define(dtype);
        none.steps.push(simple(StepKind::Constant(zero(dtype)), &[], nothing));
        none.yields.push(nothing);
        let initial = self.define(dtype);
        let blocks = vec![first, none];
        before.push(Step { kind: StepKind::If, operands: vec![condition], results: vec![initial], blocks });

        // What was loaded is now a parameter.
        let last = self.define(dtype);
        body.parameters.push(loaded);
        body.yields.push(stored);
        step.operands.push(initial);
        step.results.push(last);
        if handed.is_fixed && self.is_met_alone(handed.table, &element, body, [lower, upper, by]) {
            body.steps.remove(store);
            let mut then = Block::default();
            let at: Vec<Val> = element.iter().map(|val| self.at_first(*val, index, lower, &mut then)).collect();
            let operands = [&[last], &at[..]].concat();
            let kind = StepKind::Store(handed.table);
            then.steps.push(Step { kind, operands, results: Vec::new(), blocks: Vec::new() });
            let blocks = vec![then, Block::default()];
            after.push(Step { kind: StepKind::If, operands: vec![condition], results: Vec::new(), blocks });
        }
    }

    /// Whether no step of a loop's body loads an element.
    fn is_met_alone(&self, table: u32, element: &[Val], body: &Block, [lower, upper, by]: [Val; 3]) -> bool {
        if !may_load(body, table) {
            return true;
        }
        if self.sum(by) != (None, 1) {
            return false;
        }
        let counted = Counted { index: body.parameters[0], bounds: [lower, upper] };
        let mut is_alone = true;
        body.for_each_step(&mut |step| {
            if step.kind == StepKind::Load(table) {
                is_alone &= self.distances.are_apart(&step.operands, element, counted);
            }
        });
        is_alone
    }

    /// The value that an index has in the first iteration; steps that compute it go into `block`.
    fn at_first(&mut self, val: Val, index: Val, lower: Val, block: &mut Block) -> Val {
        let (root, n) = self.sum(val);
        let root = root.map(|root| if root == index { lower } else { root });
        let (Some(root), 0) = (root, n) else {
            let constant = self.define(DType::I64);
            block.steps.push(simple(StepKind::Constant(Constant::Int(n)), &[], constant));
            let Some(root) = root else { return constant };
            let sum = self.define(DType::I64);
            block.steps.push(simple(StepKind::Op(ScalarOp::Add), &[root, constant], sum));
            return sum;
        };
        root
    }

    fn define(&mut self, dtype: DType) -> Val {
        self.code.dtypes.push(dtype);
        Val(self.code.dtypes.len() as u32 - 1)
    }
}

fn simple(kind: StepKind, operands: &[Val], result: Val) -> Step {
    Step { kind, operands: operands.to_vec(), results: vec![result], blocks: Vec::new() }
}

/// Moves what is the same in every iteration out of a loop's body: the point's indices, and integers computed of such.
fn move_out(body: &mut Block, dtypes: &[DType], before: &mut Vec<Step>) {
    let mut inside = defined_in(body);
    let (mut moved, mut kept) = (Vec::new(), Vec::new());
    for step in std::mem::take(&mut body.steps) {
        let is_integer = step.results.first().is_some_and(|v| dtypes[v.0 as usize] == DType::I64);
        let is_same = match step.kind {
            StepKind::Index(_) | StepKind::Input(_) | StepKind::Constant(_) => true,
            StepKind::Op(ScalarOp::Add | ScalarOp::Sub | ScalarOp::Mul) => {
                is_integer && step.operands.iter().all(|v| !inside.contains(v))
            }
            _ => false,
        };
        if is_same {
            step.results.iter().for_each(|v| _ = inside.remove(v));
            moved.push(step);
        } else {
            kept.push(step);
        }
    }
    body.steps = kept;
    before.append(&mut moved);
}

/// Where a block stores to a table, if it does so once, itself.
fn only_store(body: &Block, table: u32) -> Option<usize> {
    let mut n = 0;
    body.for_each_step(&mut |step| n += usize::from(step.kind == StepKind::Store(table)));
    let at = body.steps.iter().position(|step| step.kind == StepKind::Store(table));
    at.filter(|_| n == 1)
}

fn may_load(block: &Block, table: u32) -> bool {
    let mut found = false;
    block.for_each_step(&mut |step| found |= step.kind == StepKind::Load(table));
    found
}

fn has_while(block: &Block) -> bool {
    let mut found = false;
    block.for_each_step(&mut |step| found |= step.kind == StepKind::While);
    found
}

fn defined_in(block: &Block) -> HashSet<Val> {
    let mut defined: HashSet<Val> = block.parameters.iter().copied().collect();
    block.for_each_step(&mut |step| {
        defined.extend(&step.results);
        step.blocks.iter().for_each(|nested| defined.extend(&nested.parameters));
    });
    defined
}

#[cfg(test)]
mod tests;
