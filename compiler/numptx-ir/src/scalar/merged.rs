//! Steps of a cooperative program over the same points as one statement, so that no thread waits between them.
//!
//! In: a block of a cooperative program without barriers. Out: blocks in each of which two `parallel` statements have become one, and a block in which what all
//! threads know is not loaded. Two statements may be one where a point of the second meets no element that another point of the first meets, one of them
//! storing: then each point does both parts in order. What the first part stored is not loaded again, nor stored twice.

use std::collections::{HashMap, HashSet};

use super::footprints::{Footprints, Sum, defined_in};
use super::{Block, Code, Stmt, StmtKind, Val};

/// Steps of a point at most: what is in registers for it.
const STEPS: usize = 400;

/// An element: a table, and its index along each axis.
type Place = (u32, Vec<Sum>);

/// The block, and the blocks in it, in every way that makes one statement of two `parallel` ones; the second moves to the first. And whether the second needs
/// something of the first.
pub(super) fn merged_in(code: &Code, block: &Block, footprints: &Footprints<'_>) -> Vec<(Block, bool)> {
    let mut found = Vec::new();
    for (n, stmt) in block.stmts.iter().enumerate() {
        if stmt.kind == StmtKind::Parallel {
            let later = (n + 1..block.stmts.len()).filter(|k| block.stmts[*k].kind == StmtKind::Parallel);
            found.extend(later.filter_map(|k| merged(code, block, (n, k), footprints)));
        }
        if matches!(stmt.kind, StmtKind::For | StmtKind::While | StmtKind::If) {
            for (k, nested) in stmt.blocks.iter().enumerate() {
                for (nested, is_needed) in merged_in(code, nested, footprints) {
                    let mut block = block.clone();
                    block.stmts[n].blocks[k] = nested;
                    found.push((block, is_needed));
                }
            }
        }
    }
    found
}

/// The block with statement `second` as a part of statement `first`, if that changes nothing.
fn merged(
    code: &Code,
    block: &Block,
    (first, second): (usize, usize),
    footprints: &Footprints<'_>,
) -> Option<(Block, bool)> {
    let (stmt, is_needed) = one_step(code, &block.stmts[first], &block.stmts[second], footprints)?;
    let mut moved = super::barriers::moved(block, (first + 1, second), footprints)?;
    let at = (first + 1..moved.stmts.len()).find(|n| moved.stmts[*n] == block.stmts[second])?;
    moved.stmts[at] = stmt;
    moved.stmts.remove(first);
    Some((moved, is_needed))
}

/// Two statements as one, and whether the second needs something of the first.
fn one_step(code: &Code, first: &Stmt, second: &Stmt, footprints: &Footprints<'_>) -> Option<(Stmt, bool)> {
    let ([one], [two]) = (&first.blocks[..], &second.blocks[..]) else { return None };
    let may_be = |body: &Block, sums: bool| {
        let is_plain = |stmt: &Stmt| match stmt.kind {
            StmtKind::Constant(_) | StmtKind::Op(_) | StmtKind::Load(_) | StmtKind::Store(_) => true,
            StmtKind::Reduce(_) => sums,
            _ => false,
        };
        body.stmts.iter().all(is_plain)
    };
    let is_small = one.stmts.len() + two.stmts.len() <= STEPS;
    let extents = |stmt: &Stmt| stmt.operands.iter().map(|val| footprints.sum_of(*val)).collect::<Option<Vec<_>>>();
    if !may_be(one, true) || !may_be(two, false) || !is_small || extents(first)? != extents(second)? {
        return None;
    }
    let names: HashMap<Val, Val> = two.parameters.iter().copied().zip(one.parameters.iter().copied()).collect();
    let points = Points { footprints, parameters: &one.parameters, names: &names, own: defined_in(first) };
    let (own, others) = (defined_in(first), defined_in(second));
    let mut is_needed = false;
    for (n, stmt) in accesses(one) {
        for (k, other) in accesses(two) {
            let (Some(a), Some(b)) = (footprints.access(stmt, &own), footprints.access(other, &others)) else {
                return None;
            };
            if !a.conflicts(&b) {
                continue;
            }
            // Nested in a sum an element has indices that are no point's.
            let are_points = one.stmts.get(n) == Some(stmt) && two.stmts.get(k) == Some(other);
            if !are_points || !points.are_one(stmt, other) {
                return None;
            }
            is_needed = true;
        }
    }
    let mut body = one.clone();
    points.append(code, &mut body, two)?;
    Some((Stmt { blocks: vec![body], ..first.clone() }, is_needed))
}

/// Loads and stores of a body, nested ones too, each with the place in the body where it stands or is nested.
fn accesses(body: &Block) -> Vec<(usize, &Stmt)> {
    let mut found = Vec::new();
    for (n, stmt) in body.stmts.iter().enumerate() {
        let is_access = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Load(_) | StmtKind::Store(_));
        if is_access(stmt) {
            found.push((n, stmt));
        }
        for block in &stmt.blocks {
            block.for_each_stmt(&mut |nested| {
                if is_access(nested) {
                    found.push((n, nested));
                }
            });
        }
    }
    found
}

/// The points of two steps.
struct Points<'p, 'c> {
    footprints: &'p Footprints<'c>,
    /// Indices of the first step's.
    parameters: &'p [Val],
    /// Those of the second step's by what they are called in it.
    names: &'p HashMap<Val, Val>,
    /// What the first step's points have for themselves.
    own: HashSet<Val>,
}

impl Points<'_, '_> {
    /// The element that a load or a store of either statement meets, if that is known.
    fn place(&self, stmt: &Stmt) -> Option<Place> {
        let (table, at) = match stmt.kind {
            StmtKind::Load(table) => (table, &stmt.operands[..]),
            StmtKind::Store(table) => (table, stmt.operands.get(1..)?),
            _ => return None,
        };
        let sum = |val: &Val| self.footprints.sum_of(*val).map(|sum| sum.renamed(self.names));
        Some((table, at.iter().map(sum).collect::<Option<_>>()?))
    }

    /// Whether an access of the first step and one of the second meet one element only where both are of one point.
    fn are_one(&self, first: &Stmt, second: &Stmt) -> bool {
        let (Some(a), Some(b)) = (self.place(first), self.place(second)) else { return false };
        let is_index = |parameter: &Val| {
            let is_only = |sum: &Sum| {
                let mut is_there = false;
                let mut are_others = false;
                sum.terms().for_each(|(val, _)| {
                    is_there |= val == *parameter;
                    are_others |= val != *parameter && self.own.contains(&val);
                });
                is_there && !are_others
            };
            a.1.iter().any(is_only)
        };
        a == b && self.parameters.iter().all(is_index)
    }

    /// Appends a body: what was stored at an element of the point is known, and what is stored there again was not needed.
    fn append(&self, code: &Code, body: &mut Block, other: &Block) -> Option<()> {
        let mut known = self.stored(body);
        let mut names = self.names.clone();
        let mut overwritten: Vec<usize> = Vec::new();
        let mut loaded: HashSet<u32> = HashSet::new();
        let mut appended = Vec::with_capacity(other.stmts.len());
        for stmt in &other.stmts {
            let place = self.place(stmt);
            match (stmt.kind, place) {
                (StmtKind::Load(table), place) => {
                    let value = place.and_then(|place| known.get(&place)).map(|(_, val)| *val);
                    if let (Some(value), [result]) = (value, &stmt.results[..])
                        && code.dtype(value) == code.dtype(*result)
                    {
                        names.insert(*result, value);
                        continue;
                    }
                    loaded.insert(table);
                }
                (StmtKind::Store(table), place) => {
                    let before = place.as_ref().and_then(|place| known.get(place)).and_then(|(at, _)| *at);
                    overwritten.extend(before.filter(|_| !loaded.contains(&table)));
                    known.retain(|(other, _), _| *other != table);
                    let value = stmt.operands.first()?;
                    if let Some(place) = place {
                        known.insert(place, (None, *names.get(value).unwrap_or(value)));
                    }
                }
                _ => {}
            }
            let mut stmt = stmt.clone();
            stmt.operands.iter_mut().for_each(|val| *val = names.get(val).copied().unwrap_or(*val));
            appended.push(stmt);
        }
        overwritten.sort_unstable();
        overwritten.iter().rev().for_each(|at| drop(body.stmts.remove(*at)));
        body.stmts.extend(appended);
        Some(())
    }

    /// What the points of a body store last, by the element, and where, if no load comes after it. Of tables with stores at several indices nothing is known.
    fn stored(&self, body: &Block) -> HashMap<Place, (Option<usize>, Val)> {
        let mut known: HashMap<Place, (Option<usize>, Val)> = HashMap::new();
        let mut several: HashSet<u32> = HashSet::new();
        for (n, stmt) in body.stmts.iter().enumerate() {
            let mut load = |stmt: &Stmt| {
                if let StmtKind::Load(table) = stmt.kind {
                    known.iter_mut().filter(|((other, _), _)| *other == table).for_each(|(_, (at, _))| *at = None);
                }
            };
            load(stmt);
            stmt.blocks.iter().for_each(|block| block.for_each_stmt(&mut load));
            if let StmtKind::Store(table) = stmt.kind {
                let is_other = |place: &Place| known.keys().any(|(t, sums)| *t == table && *sums != place.1);
                match self.place(stmt) {
                    Some(place) if !is_other(&place) => {
                        known.insert(place, (Some(n), stmt.operands[0]));
                    }
                    _ => drop(several.insert(table)),
                }
            }
        }
        known.retain(|(table, _), _| !several.contains(table));
        known
    }
}

/// The block with what all threads know in place of loads of it: what one thread stored, of values and at indices that all have alike.
pub(super) fn told(code: &Code, block: &Block, footprints: &Footprints<'_>) -> Option<Block> {
    let mut block = block.clone();
    let mut is_found = false;
    for n in 0..block.stmts.len() {
        let Some((place, value)) = alike(&block.stmts[n], footprints) else { continue };
        let store = footprints.of_step(&block.stmts[n]);
        let table = place.0;
        for k in n + 1..block.stmts.len() {
            let others = footprints.of_step(&block.stmts[k]);
            let is_stored = others.iter().any(|other| other.is_store() && store.iter().any(|own| own.conflicts(other)));
            if is_stored || !matches!(block.stmts[k].kind, StmtKind::Parallel | StmtKind::Reduce(_)) {
                if is_stored || !block.stmts[k].blocks.is_empty() {
                    break;
                }
                continue;
            }
            let mut names = HashMap::new();
            let mut note = |stmt: &Stmt| {
                let is_it = stmt.kind == StmtKind::Load(table) && code.dtype(stmt.results[0]) == code.dtype(value);
                let sums = stmt.operands.iter().map(|val| footprints.sum_of(*val)).collect::<Option<Vec<_>>>();
                if is_it && sums.as_ref() == Some(&place.1) {
                    names.insert(stmt.results[0], value);
                }
            };
            block.stmts[k].blocks.iter().for_each(|nested| nested.for_each_stmt(&mut note));
            is_found |= !names.is_empty();
            if !names.is_empty() {
                block.stmts[k].blocks.iter_mut().for_each(|nested| rename_loads(nested, &names));
            }
        }
    }
    for stmt in &mut block.stmts {
        if matches!(stmt.kind, StmtKind::For | StmtKind::While | StmtKind::If) {
            for nested in &mut stmt.blocks {
                if let Some(known) = told(code, nested, footprints) {
                    (*nested, is_found) = (known, true);
                }
            }
        }
    }
    is_found.then_some(block)
}

/// The element, and the value, that a statement of one thread stores, where all threads know both.
fn alike(stmt: &Stmt, footprints: &Footprints<'_>) -> Option<(Place, Val)> {
    let ([], [body]) = (&stmt.operands[..], &stmt.blocks[..]) else { return None };
    let own = defined_in(stmt);
    let (is_one_thread, stores) = (stmt.kind == StmtKind::Parallel, accesses(body));
    let [(_, store)] = stores[..] else { return None };
    let StmtKind::Store(table) = store.kind else { return None };
    let is_straight = body.stmts.iter().all(|stmt| stmt.blocks.is_empty());
    let (value, at) = store.operands.split_first()?;
    let sums = at.iter().map(|val| footprints.sum_of(*val)).collect::<Option<Vec<_>>>()?;
    let is_known = |sum: &Sum| sum.terms().all(|(val, _)| !own.contains(&val));
    (is_one_thread && is_straight && !own.contains(value) && sums.iter().all(is_known))
        .then_some(((table, sums), *value))
}

/// Leaves out loads whose results have another name, and uses that.
fn rename_loads(block: &mut Block, names: &HashMap<Val, Val>) {
    block.stmts.retain(|stmt| !stmt.results.iter().any(|val| names.contains_key(val)));
    let rename = |val: &mut Val| *val = names.get(val).copied().unwrap_or(*val);
    block.yields.iter_mut().for_each(rename);
    for stmt in &mut block.stmts {
        stmt.operands.iter_mut().for_each(rename);
        stmt.blocks.iter_mut().for_each(|nested| rename_loads(nested, names));
    }
}
