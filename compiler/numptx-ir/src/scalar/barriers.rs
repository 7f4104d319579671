//! Where the threads of a cooperative program wait for each other.
//!
//! In: a cooperative program without barriers. Out: the same with a `barrier` before each statement that loads what was stored since the last one, or stores
//! what was loaded or stored since. One before a loop takes the place of one in each of its iterations where that is enough. A `reduce` is a barrier: nobody
//! has its result before all have come to it. A `parallel` statement that does not need the result of a `reduce` before it moves there where that saves a
//! barrier: what it stores is there for all once they have the result.

use super::footprints::{Accesses, Footprints, defined_in, forget};
use super::merged::{merged_in, told};
use super::{Block, Code, Stmt, StmtKind};

/// Programs with more statements than this keep their order.
const STEPS: usize = 2000;

impl Code {
    /// The program with barriers where its threads have to wait for each other; itself if it is no cooperative program.
    pub fn with_barriers(&self) -> Code {
        if !self.is_cooperative() {
            return self.clone();
        }
        let mut ordered = self.without_known_loads();
        let mut best = ordered.placed();
        while let Some((merged, placed)) = ordered.fewer_steps(&best) {
            (ordered, best) = (merged, placed);
        }
        while let Some((order, placed)) = ordered.fewer_barriers(&best) {
            (ordered, best) = (order, placed);
        }
        best
    }

    /// The program with barriers, its steps in the order that they have.
    fn placed(&self) -> Code {
        let mut code = self.clone();
        Placing { footprints: &Footprints::of(self) }.block(&mut code.block, Accesses::new());
        code
    }

    /// The program without loads of what all threads know.
    fn without_known_loads(&self) -> Code {
        let told = told(self, &self.block, &Footprints::of(self));
        Code { block: told.unwrap_or_else(|| self.block.clone()), ..self.clone() }
    }

    /// The program with two steps as one, one of which needs something of the other, or so that it has fewer barriers, and the same with them.
    fn fewer_steps(&self, best: &Code) -> Option<(Code, Code)> {
        let (mut steps, most) = (0, n_barriers([&best.block].into_iter()));
        self.block.for_each_stmt(&mut |_| steps += 1);
        if steps > STEPS || most == 0 {
            return None;
        }
        let merged = merged_in(self, &self.block, &Footprints::of(self)).into_iter();
        merged.map(|(block, is_needed)| (Code { block, ..self.clone() }, is_needed)).find_map(|(order, is_needed)| {
            let placed = order.placed();
            let n = n_barriers([&placed.block].into_iter());
            (n < most || (n == most && is_needed)).then_some((order, placed))
        })
    }

    /// The program with one step moved so that it has fewer barriers, and the same with them.
    fn fewer_barriers(&self, best: &Code) -> Option<(Code, Code)> {
        let (mut steps, most) = (0, n_barriers([&best.block].into_iter()));
        self.block.for_each_stmt(&mut |_| steps += 1);
        if steps > STEPS {
            return None;
        }
        let footprints = Footprints::of(self);
        let moved = moved_in(&self.block, &footprints).into_iter();
        moved.map(|block| Code { block, ..self.clone() }).find_map(|order| {
            let placed = order.placed();
            (n_barriers([&placed.block].into_iter()) < most).then_some((order, placed))
        })
    }
}

fn barrier() -> Stmt {
    Stmt { kind: StmtKind::Barrier, operands: Vec::new(), results: Vec::new(), blocks: Vec::new() }
}

fn n_barriers<'b>(blocks: impl Iterator<Item = &'b Block>) -> usize {
    let mut n = 0;
    blocks.for_each(|block| block.for_each_stmt(&mut |stmt| n += usize::from(stmt.kind == StmtKind::Barrier)));
    n
}

fn conflict(some: &Accesses, others: &Accesses) -> bool {
    some.iter().any(|access| others.iter().any(|other| access.conflicts(other)))
}

/// The block, and the blocks in it, in every order where one `parallel` statement has moved before the `reduce` that it follows.
fn moved_in(block: &Block, footprints: &Footprints<'_>) -> Vec<Block> {
    let mut found = Vec::new();
    for (n, stmt) in block.stmts.iter().enumerate() {
        if stmt.kind == StmtKind::Parallel {
            let before = block.stmts[..n].iter().rposition(|stmt| matches!(stmt.kind, StmtKind::Reduce(_)));
            found.extend(before.and_then(|to| moved(block, (to, n), footprints)));
        }
        if matches!(stmt.kind, StmtKind::For | StmtKind::While | StmtKind::If) {
            for (k, nested) in stmt.blocks.iter().enumerate() {
                for nested in moved_in(nested, footprints) {
                    let mut block = block.clone();
                    block.stmts[n].blocks[k] = nested;
                    found.push(block);
                }
            }
        }
    }
    found
}

/// The block with statement `from`, and the scalars that it uses, before statement `to`, if that changes nothing.
pub(super) fn moved(block: &Block, (to, from): (usize, usize), footprints: &Footprints<'_>) -> Option<Block> {
    let own = footprints.of_step(&block.stmts[from]);
    let between = &block.stmts[to..from];
    let is_apart = |stmt: &Stmt| !matches!(stmt.kind, StmtKind::Barrier) && !conflict(&own, &footprints.of_step(stmt));
    if !between.iter().all(is_apart) {
        return None;
    }
    let (mut wanted, mut moving) = (block.stmts[from].used(), vec![from]);
    for n in (to..from).rev() {
        let stmt = &block.stmts[n];
        if stmt.results.iter().any(|val| wanted.contains(val)) {
            if !matches!(stmt.kind, StmtKind::Op(_) | StmtKind::Constant(_)) {
                return None;
            }
            wanted.extend(&stmt.operands);
            moving.push(n);
        }
    }
    moving.reverse();
    let stays = |n: &usize| !moving.contains(n);
    let order = (0..to).chain(moving.iter().copied()).chain((to..block.stmts.len()).filter(stays));
    Some(Block { stmts: order.map(|n| block.stmts[n].clone()).collect(), ..block.clone() })
}

/// Places barriers.
struct Placing<'f, 'c> {
    footprints: &'f Footprints<'c>,
}

impl Placing<'_, '_> {
    /// Those of a block that begins after `done`; what may have been done since the last one at its end.
    fn block(&self, block: &mut Block, mut done: Accesses) -> Accesses {
        let mut stmts = Vec::with_capacity(block.stmts.len());
        for mut stmt in std::mem::take(&mut block.stmts) {
            match stmt.kind {
                StmtKind::If => {
                    let mut after = Accesses::new();
                    for nested in &mut stmt.blocks {
                        after.extend(self.block(nested, done.clone()));
                    }
                    done = after;
                }
                StmtKind::For | StmtKind::While => {
                    if self.saves_some(&stmt, &done) {
                        stmts.push(barrier());
                        done.clear();
                    }
                    done = self.repeat(&mut stmt, done);
                }
                StmtKind::Barrier => done.clear(),
                _ => {
                    let next = self.footprints.of_step(&stmt);
                    if conflict(&done, &next) {
                        stmts.push(barrier());
                        done.clear();
                    }
                    match stmt.kind {
                        StmtKind::Reduce(_) => done.clear(),
                        _ => done.extend(next),
                    }
                }
            }
            stmts.push(stmt);
        }
        block.stmts = stmts;
        done
    }

    /// Whether a barrier before a loop saves one in each of its iterations.
    fn saves_some(&self, stmt: &Stmt, done: &Accesses) -> bool {
        let inside = forget(self.footprints.of_step(stmt), &defined_in(stmt));
        if !conflict(done, &inside) {
            return false;
        }
        let [as_it_is, after_one] = [done.clone(), Accesses::new()].map(|before| {
            let mut placed = stmt.clone();
            self.repeat(&mut placed, before);
            n_barriers(placed.blocks.iter())
        });
        after_one < as_it_is
    }

    /// Those of a loop, whose iterations follow each other, with other values.
    fn repeat(&self, stmt: &mut Stmt, before: Accesses) -> Accesses {
        let own = defined_in(stmt);
        let mut begin = before;
        loop {
            let mut blocks = stmt.blocks.clone();
            let (mut end, mut after) = (begin.clone(), begin.clone());
            for (n, block) in blocks.iter_mut().enumerate() {
                end = self.block(block, end);
                // A `while` ends after its condition.
                if n == 0 && stmt.kind == StmtKind::While {
                    after = forget(end.clone(), &own);
                }
            }
            let end = forget(end, &own);
            if stmt.kind == StmtKind::For {
                after.extend(end.clone());
            }
            let mut next = begin.clone();
            next.extend(end);
            if next == begin {
                stmt.blocks = blocks;
                return after;
            }
            begin = next;
        }
    }
}
