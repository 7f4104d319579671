//! What an iteration stores and the next one loads, as a value that the loop carries; and no stores that are overwritten.
//!
//! In: [`Code`] without checks, after [`super::forward`] has named equal values alike; of a team program, the points of its `parallel` steps. Out: the same where
//!
//! - a store is gone, if the block stores to the same element again before anything could load it;
//! - a load of the element that the iteration before stored is the value that it stored, which the loop carries. The first iteration's is
//!   loaded before the loop, if there is an iteration;
//! - an element that is the same in every iteration, and that no other step of the loop loads ([`super::distances`]), is stored once after the loop.
//!
//! Memory that a point writes and reads again takes hundreds of cycles on a device, and each iteration would wait for it. A table that is
//! stored to shares memory with no other table, and two of its elements share none, so indices that differ by a constant are two elements.

use std::collections::{HashMap, HashSet};

use numptx_ir::DType;
use numptx_ir::scalar::{Block, Code, Constant, ScalarOp, Step, StepKind, Val, zero};

use super::distances::{Counted, Distances};

/// Leaves out stores that are overwritten, and makes loads of what the iteration before stored values that loops carry.
pub fn carry(code: &mut Code) {
    if code.fault().is_some() {
        return;
    }
    let (is_team, before) = (code.is_team(), code.clone());
    let mut block = std::mem::take(&mut code.block);
    let mut carrying = Carrying { code, sums: HashMap::new(), distances: Distances::of(&before) };
    match is_team {
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
    /// The points of the `parallel` steps of a team program: no other point meets what one of them stores to.
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
mod tests {
    use numptx_ir::scalar::{CodeBuilder, Tables, run_code};

    use super::*;

    /// Tables of one axis, and how often they were accessed.
    #[derive(Default)]
    struct Memory {
        tables: Vec<Vec<i64>>,
        loads: usize,
        stores: usize,
    }

    impl Tables for Memory {
        fn load(&mut self, table: usize, at: &[i64]) -> Result<Constant, String> {
            self.loads += 1;
            let at = usize::try_from(at[0]).map_err(|e| e.to_string())?;
            self.tables[table].get(at).map(|n| Constant::Int(*n)).ok_or_else(|| "out of range".to_owned())
        }
        fn store(&mut self, table: usize, at: &[i64], value: Constant) -> Result<(), String> {
            self.stores += 1;
            let at = usize::try_from(at[0]).map_err(|e| e.to_string())?;
            *self.tables[table].get_mut(at).ok_or("out of range")? = value.as_int().ok_or("no integer")?;
            Ok(())
        }
        fn is_faulty(&mut self, _: usize) -> Result<bool, String> {
            Ok(false)
        }
        fn fault(&mut self, _: usize, _: Constant) -> Result<(), String> {
            Ok(())
        }
        fn spend(&mut self) -> Result<(), String> {
            Ok(())
        }
        fn act_as(&mut self, _: u64) {}
        fn barrier(&mut self) {}
        fn order(&mut self, n: usize) -> Vec<usize> {
            (0..n).collect()
        }
    }

    /// `for k in range(lower, upper, by): …` over tables 0 and 1; what is in the body is told the index.
    fn looped(bounds: [i64; 3], body: impl FnOnce(&mut CodeBuilder, Val)) -> Code {
        let mut code = CodeBuilder::new();
        let bounds = bounds.map(|n| code.integer(n));
        let k = code.open_block(&[DType::I64])[0];
        body(&mut code, k);
        let body = code.close_block(&[]);
        code.for_(bounds, &[], body);
        code.finish()
    }

    /// Runs a program before and after; the results are the same. How many loads and stores there were.
    fn accesses(code: &Code) -> [(usize, usize); 2] {
        let mut after = code.clone();
        carry(&mut after);
        let run = |code: &Code| {
            let tables = vec![(0..8).map(|n| 3 * n + 1).collect(), (10..18).collect()];
            let mut memory = Memory { tables, ..Memory::default() };
            run_code(code, &[], &[], &mut memory).expect("every index is in range");
            memory
        };
        let (before, after) = (run(code), run(&after));
        assert_eq!(before.tables, after.tables);
        [(before.loads, before.stores), (after.loads, after.stores)]
    }

    /// `y[k] = y[k + offset] + x[k]`
    fn recurrence(bounds: [i64; 3], offset: i64) -> Code {
        looped(bounds, |code, k| {
            let offset = code.integer(offset);
            let other = code.op(ScalarOp::Add, &[k, offset]);
            let (y, x) = (code.load(0, &[other], DType::I64), code.load(1, &[k], DType::I64));
            let sum = code.op(ScalarOp::Add, &[y, x]);
            code.store(0, &[k], sum);
        })
    }

    #[test]
    fn what_the_iteration_before_stored_is_loaded_once() {
        assert_eq!(accesses(&recurrence([1, 8, 1], -1)), [(14, 7), (8, 7)]);
        assert_eq!(accesses(&recurrence([2, 8, 2], -2)), [(6, 3), (4, 3)]);
        assert_eq!(accesses(&recurrence([6, -1, -1], 1)), [(14, 7), (8, 7)]);
        assert_eq!(accesses(&recurrence([1, 1, 1], -1)), [(0, 0), (0, 0)]);
    }

    #[test]
    fn what_another_iteration_stored_or_stores_later_is_loaded() {
        for (bounds, offset) in [([2, 8, 1], -2), ([0, 7, 1], 1), ([1, 8, 2], -1), ([0, 8, 1], 0), ([7, 0, -1], -1)] {
            let [before, after] = accesses(&recurrence(bounds, offset));
            assert_eq!(before, after, "{bounds:?} {offset}");
        }
    }

    #[test]
    fn an_element_that_all_iterations_share_is_loaded_and_stored_once() {
        let sum = |also: bool| {
            looped([0, 8, 1], |code, k| {
                let at = code.integer(3);
                let (y, x) = (code.load(0, &[at], DType::I64), code.load(1, &[k], DType::I64));
                let sum = code.op(ScalarOp::Add, &[y, x]);
                code.store(0, &[at], sum);
                if also {
                    let seen = code.load(0, &[k], DType::I64);
                    code.store(1, &[k], seen);
                }
            })
        };
        assert_eq!(accesses(&sum(false)), [(16, 8), (9, 1)]);
        // Another load might be of the same element.
        assert_eq!(accesses(&sum(true)), [(24, 16), (17, 16)]);
    }

    /// `for k in range(lower, upper, by): y[at] = y[at] + y[k + offset]`
    fn rest_of_a_row(bounds: [i64; 3], at: i64, offset: i64) -> Code {
        looped(bounds, |code, k| {
            let (at, offset) = (code.integer(at), code.integer(offset));
            let other = code.op(ScalarOp::Add, &[k, offset]);
            let (y, x) = (code.load(0, &[at], DType::I64), code.load(0, &[other], DType::I64));
            let sum = code.op(ScalarOp::Add, &[y, x]);
            code.store(0, &[at], sum);
        })
    }

    #[test]
    fn elements_beside_those_of_a_loop_are_stored_after_it() {
        for (bounds, at, offset) in [([0, 5, 1], 5, 0), ([3, 7, 1], 3, 1), ([0, 4, 1], 2, 3)] {
            assert_eq!(accesses(&rest_of_a_row(bounds, at, offset))[1].1, 1, "{bounds:?} {at} {offset}");
        }
        for (bounds, at, offset) in [([0, 6, 1], 5, 0), ([3, 7, 1], 4, 1), ([4, 0, -1], 5, 0), ([0, 5, 1], 3, 3)] {
            let [before, after] = accesses(&rest_of_a_row(bounds, at, offset));
            assert_eq!(before.1, after.1, "{bounds:?} {at} {offset}");
        }
    }

    /// `parallel 2 (i): for k in range(from): y[from + i] -= y[k]`
    fn points(from: i64) -> Code {
        let mut code = CodeBuilder::new();
        let (one, from) = (code.integer(1), code.integer(from));
        let i = code.open_block(&[DType::I64])[0];
        let at = code.op(ScalarOp::Add, &[i, from]);
        let zero = code.integer(0);
        let k = code.open_block(&[DType::I64])[0];
        let (y, x) = (code.load(0, &[at], DType::I64), code.load(0, &[k], DType::I64));
        let difference = code.op(ScalarOp::Sub, &[y, x]);
        code.store(0, &[at], difference);
        let body = code.close_block(&[]);
        code.for_([zero, from, one], &[], body);
        let body = code.close_block(&[]);
        let two = code.integer(2);
        code.parallel(&[two], body);
        code.finish()
    }

    #[test]
    fn points_of_a_step_carry_what_is_theirs() {
        assert_eq!(accesses(&points(5)), [(20, 10), (12, 2)]);
    }

    #[test]
    fn only_the_last_store_to_an_element_stays() {
        let stores = |offset: i64| {
            looped([1, 8, 1], |code, k| {
                let offset = code.integer(offset);
                let other = code.op(ScalarOp::Add, &[k, offset]);
                code.store(0, &[k], k);
                let y = code.load(0, &[other], DType::I64);
                code.store(1, &[k], y);
                code.store(0, &[k], offset);
            })
        };
        // The load before the last store is of another element, or of the same.
        assert_eq!(accesses(&stores(-1)), [(7, 21), (1, 14)]);
        assert_eq!(accesses(&stores(0)), [(7, 21), (7, 21)]);
    }
}
