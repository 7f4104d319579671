//! Time loops of which some iterations can be one.
//!
//! In: a `for` of a cooperative program. Out: its stages, if each iteration first copies what it reads of an array, and then updates that array in place.
//! Also what has to hold where it runs: all that is copied is updated, and all that is read of copies was copied.
//!
//! The array is `updated`: its element at the work item of an update is read and stored there. A *copy* is a table that nothing else sees. What iteration
//! k + 1 copies is what iteration k stores, and that is computed of what iteration k copies and of the element as it was.

use std::collections::HashSet;

use numptx_ir::scalar::{Block, Footprints, Stmt, StmtKind, Sum, Val, defined_in};

/// Limit: statements of a body, and of an iteration beside its stages: each is code for each iteration of a tile.
const STEPS: usize = 64;
/// Limit: stages of an iteration.
const STAGES: usize = 8;
/// Limit: the largest stride of a loop.
const STRIDE: i64 = 1 << 16;

/// Where a stage stores along an axis of its table.
#[derive(Debug)]
pub struct Place {
    /// Which of the stage's indices moves along it; none where there is one element.
    pub parameter: Option<usize>,
    /// What is added.
    pub offset: Sum,
}

/// A `parallel` step that stores one value at each of its work items, where no other of its work items stores.
#[derive(Debug)]
pub struct Stage<'c> {
    pub body: &'c Block,
    /// How many work items along each index.
    pub extents: Vec<Sum>,
    pub table: u32,
    /// By axis of the table. Each index moves along one.
    pub places: Vec<Place>,
    /// What is stored.
    pub value: Val,
}

/// A loop.
#[derive(Debug)]
pub struct TimeLoop<'c> {
    pub index: Val,
    /// Lower and upper bound.
    pub bounds: [Val; 2],
    /// What is added to the index, at least 1.
    pub stride: i64,
    /// Values of the loop.
    pub own: HashSet<Val>,
    /// What copies; the tables differ.
    pub copying: Vec<Stage<'c>>,
    /// What all threads load alike before the update.
    pub alike: Vec<&'c Stmt>,
    pub update: Stage<'c>,
    /// What has to be at least 0 in every iteration; values in it are not the loop's, but for its index.
    pub needs: Vec<Sum>,
}

impl Stage<'_> {
    /// How many elements it stores along an axis of its table.
    fn extent(&self, axis: usize) -> Sum {
        self.places[axis].parameter.map_or(Sum::number(1), |n| self.extents[n].clone())
    }

    /// The work item that stores an element.
    pub fn work_item(&self, at: &[Sum]) -> Option<Vec<Sum>> {
        let mut work_item = vec![Sum::default(); self.body.parameters.len()];
        for (place, index) in self.places.iter().zip(at) {
            if let Some(parameter) = place.parameter {
                work_item[parameter] = index.clone().plus(&place.offset, -1)?;
            }
        }
        Some(work_item)
    }
}

impl<'c> TimeLoop<'c> {
    /// The stages of a loop; `is_copy`: whether a table is seen by nothing but the program, and by nothing of it but the loop.
    pub fn of(stmt: &'c Stmt, sums: &Footprints<'c>, is_copy: &dyn Fn(u32) -> bool) -> Option<Self> {
        let ([lower, upper, stride], [body]) = (&stmt.operands[..], &stmt.blocks[..]) else { return None };
        let [index] = body.parameters[..] else { return None };
        // What is loaded after the update is not what it was before.
        let last = body.stmts.iter().rfind(|stmt| !matches!(stmt.kind, StmtKind::Constant(_) | StmtKind::Op(_)))?;
        if body.stmts.len() > STEPS || last.kind != StmtKind::Parallel {
            return None;
        }
        let stride = sums.sum_of(*stride)?.as_number().filter(|n| (1..=STRIDE).contains(n))?;
        let mut reading =
            Reading { sums, own: defined_in(stmt), index, stages: Vec::new(), alike: Vec::new(), needs: Vec::new() };
        for stmt in &body.stmts {
            reading.step(stmt)?;
        }
        let update = reading.stages.pop().filter(|_| reading.stages.len() < STAGES)?;
        let is_named = |n: usize, table: u32| reading.stages[..n].iter().any(|stage| stage.table == table);
        for (n, stage) in reading.stages.iter().enumerate() {
            // Work items of the update are many more: what is computed again is little.
            let is_small = stage.extents.len() < update.extents.len();
            if !is_small || !is_copy(stage.table) || stage.table == update.table || is_named(n, stage.table) {
                return None;
            }
        }
        let looks_back = reading.loads(&update)?;
        let Reading { own, stages: copying, alike, needs, .. } = reading;
        let time = TimeLoop { index, bounds: [*lower, *upper], stride, own, copying, alike, update, needs };
        looks_back.then_some(time)
    }
}

/// A loop that is being read.
struct Reading<'r, 'c> {
    sums: &'r Footprints<'c>,
    own: HashSet<Val>,
    index: Val,
    stages: Vec<Stage<'c>>,
    alike: Vec<&'c Stmt>,
    needs: Vec<Sum>,
}

impl<'c> Reading<'_, 'c> {
    fn step(&mut self, stmt: &'c Stmt) -> Option<()> {
        match stmt.kind {
            StmtKind::Constant(_) | StmtKind::Op(_) => {}
            StmtKind::Load(_) => self.alike.push(stmt),
            StmtKind::Parallel => {
                let stage = self.stage(stmt)?;
                self.stages.push(stage);
            }
            _ => return None,
        }
        Some(())
    }

    fn stage(&self, stmt: &'c Stmt) -> Option<Stage<'c>> {
        let [body] = &stmt.blocks[..] else { return None };
        let (store, before) = body.stmts.split_last()?;
        let is_plain = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Constant(_) | StmtKind::Op(_) | StmtKind::Load(_));
        let (StmtKind::Store(table), [value, at @ ..]) = (store.kind, &store.operands[..]) else { return None };
        if before.len() > STEPS || !before.iter().all(is_plain) {
            return None;
        }
        let places = at.iter().map(|val| self.place(*val, &body.parameters)).collect::<Option<Vec<_>>>()?;
        let moves = |n: usize| places.iter().filter(|place| place.parameter == Some(n)).count() == 1;
        if !(0..body.parameters.len()).all(moves) {
            return None;
        }
        let extents = stmt.operands.iter().map(|val| self.sums.sum_of(*val).filter(|sum| self.stays(sum)));
        let extents = extents.collect::<Option<Vec<_>>>()?;
        Some(Stage { body, extents, table, places, value: *value })
    }

    /// Whether a sum is the same in all iterations.
    fn stays(&self, sum: &Sum) -> bool {
        sum.terms().all(|(val, _)| !self.own.contains(&val))
    }

    fn place(&self, val: Val, parameters: &[Val]) -> Option<Place> {
        let sum = self.sums.sum_of(val)?;
        let moving: Vec<(Val, i64)> = sum.terms().filter(|(val, _)| parameters.contains(val)).collect();
        let parameter = match moving[..] {
            [] => None,
            [(val, 1)] => parameters.iter().position(|parameter| *parameter == val),
            _ => return None,
        };
        let offset = match parameter {
            Some(n) => sum.plus(&Sum::value(parameters[n]), -1)?,
            None => sum,
        };
        self.stays(&offset).then_some(Place { parameter, offset })
    }

    /// Looks at all that is loaded: whether something of what the update stores is copied; `None` where something else is loaded of it.
    fn loads(&mut self, update: &Stage<'c>) -> Option<bool> {
        let mut looks_back = false;
        let stages = std::mem::take(&mut self.stages);
        let copy_of = |table: u32| stages.iter().position(|stage| stage.table == table);
        for stmt in &self.alike {
            let StmtKind::Load(table) = stmt.kind else { return None };
            if table == update.table {
                looks_back = true;
                let needs = self.within(stmt, None, update)?;
                self.needs.extend(needs);
            } else if copy_of(table).is_some() {
                return None;
            }
        }
        for (n, stage) in stages.iter().enumerate() {
            for stmt in &stage.body.stmts {
                let StmtKind::Load(table) = stmt.kind else { continue };
                let stored_by = match copy_of(table) {
                    Some(other) if other < n => &stages[other],
                    Some(_) => return None,
                    None if table == update.table => {
                        looks_back = true;
                        update
                    }
                    None => continue,
                };
                let needs = self.within(stmt, Some(stage), stored_by)?;
                self.needs.extend(needs);
            }
        }
        for stmt in &update.body.stmts {
            let StmtKind::Load(table) = stmt.kind else { continue };
            if table == update.table {
                self.is_in_place(stmt, update).then_some(())?;
            } else if let Some(copy) = copy_of(table) {
                let needs = self.within(stmt, Some(update), &stages[copy])?;
                self.needs.extend(needs);
            }
        }
        self.stages = stages;
        self.needs.sort_unstable();
        self.needs.dedup();
        Some(looks_back)
    }

    /// Whether the update loads what it stores.
    fn is_in_place(&self, load: &Stmt, update: &Stage<'c>) -> bool {
        let is_at = |(val, place): (&Val, &Place)| {
            let here = place.parameter.map_or(Sum::default(), |n| Sum::value(update.body.parameters[n]));
            here.plus(&place.offset, 1).is_some_and(|here| self.sums.sum_of(*val) == Some(here))
        };
        load.operands.iter().zip(&update.places).all(is_at)
    }

    /// What has to be at least 0 for a load to meet only what a stage stores; `by`: the stage that loads, if it is not all threads alike.
    fn within(&self, load: &Stmt, by: Option<&Stage<'c>>, stored_by: &Stage<'c>) -> Option<Vec<Sum>> {
        let mut needs = Vec::new();
        for (axis, val) in load.operands.iter().enumerate() {
            let (least, greatest) = self.range(*val, by)?;
            let first = &stored_by.places[axis].offset;
            let last = first.clone().plus(&stored_by.extent(axis), 1)?.plus(&Sum::number(1), -1)?;
            for need in [least.plus(first, -1)?, last.plus(&greatest, -1)?] {
                match need.as_number() {
                    Some(0..) => {}
                    Some(_) => return None,
                    None => needs.push(need),
                }
            }
        }
        Some(needs)
    }

    /// The least and the greatest value of an index at the work items of a stage.
    fn range(&self, val: Val, by: Option<&Stage<'c>>) -> Option<(Sum, Sum)> {
        let sum = self.sums.sum_of(val)?;
        let (mut least, mut greatest) = (Sum::number(sum.constant()), Sum::number(sum.constant()));
        for (val, factor) in sum.terms() {
            let parameter = by.and_then(|stage| stage.body.parameters.iter().position(|parameter| *parameter == val));
            if let (Some(n), Some(stage)) = (parameter, by) {
                let last = stage.extents[n].clone().plus(&Sum::number(1), -1)?;
                let end = if factor > 0 { &mut greatest } else { &mut least };
                *end = end.clone().plus(&last, factor)?;
            } else if val == self.index || !self.own.contains(&val) {
                let term = Sum::value(val);
                (least, greatest) = (least.plus(&term, factor)?, greatest.plus(&term, factor)?);
            } else {
                return None;
            }
        }
        Some((least, greatest))
    }
}
