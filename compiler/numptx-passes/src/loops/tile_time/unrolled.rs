//! What iterations of a time loop compute, all of elements as they were before the first of them.
//!
//! In: the stages of a loop. Out: statements that give an element after so many iterations, or what an iteration copies: of the element before the
//! iteration and of what the iteration copies, until only elements remain that are loaded. Each operation has the operands that it has where
//! iterations run one after the other.

use std::collections::HashMap;

use numptx_ir::DType;
use numptx_ir::scalar::{CodeBuilder, Footprints, ScalarOp, Stmt, StmtKind, Sum, Val};

use crate::loops::tile_time::time_loop::{Stage, TimeLoop};

/// Limit: statements of one block: each is code.
const STEPS: usize = 240;

/// Builds the steps of some iterations.
pub struct Unrolled<'t, 'c> {
    pub time: &'t TimeLoop<'c>,
    pub sums: &'t Footprints<'c>,
    pub made: &'t HashMap<Val, &'c Stmt>,
    /// Numbers of iterations.
    pub rounds: Vec<Val>,
    /// What all threads load alike, in each iteration.
    alike: HashMap<(Val, usize), Val>,
    index: Option<Val>,
    /// Whether copies are in memory.
    is_copied: bool,
    known: Known,
    n_steps: usize,
}

/// What the block that is open, and those around it, know.
#[derive(Clone, Default)]
struct Known {
    places: HashMap<Sum, Val>,
    constants: HashMap<Val, Val>,
    /// By iteration and indices.
    elements: HashMap<(usize, Vec<Sum>), Val>,
    copies: HashMap<(u32, usize, Vec<Sum>), Val>,
}

/// Where a value is asked for: in which iteration, and at which work item of a stage.
struct At<'t, 'c> {
    stage: Option<&'t Stage<'c>>,
    round: usize,
    work_item: Vec<Sum>,
    values: HashMap<Val, Val>,
}

impl<'t, 'c> Unrolled<'t, 'c> {
    pub fn new(
        time: &'t TimeLoop<'c>,
        sums: &'t Footprints<'c>,
        made: &'t HashMap<Val, &'c Stmt>,
        rounds: Vec<Val>,
    ) -> Self {
        let (alike, known) = (HashMap::new(), Known::default());
        Unrolled { time, sums, made, rounds, alike, index: None, is_copied: false, known, n_steps: 0 }
    }

    /// Begins the body of the loop, whose index is a new value.
    pub fn begin(&mut self, code: &mut CodeBuilder, index: Val) -> Option<()> {
        self.index = Some(index);
        self.n_steps = 0;
        for round in 0..self.rounds.len() {
            for stmt in &self.time.alike {
                let mut at = At { stage: None, round, work_item: Vec::new(), values: HashMap::new() };
                let loaded = self.load(code, stmt, &mut at)?;
                self.alike.insert((*stmt.results.first()?, round), loaded);
            }
        }
        Some(())
    }

    /// The step that stores what each iteration copies.
    pub fn copy(&mut self, code: &mut CodeBuilder, stage: &'t Stage<'c>, extents: &[Val]) -> Option<()> {
        self.is_copied = false;
        self.work_items(code, stage, extents, &mut |unrolled, code, at| {
            let rounds = unrolled.rounds.clone();
            let copied = (0..rounds.len()).map(|round| unrolled.copied(code, stage, round, at));
            let copied = copied.collect::<Option<Vec<_>>>()?;
            let at = unrolled.indices(code, at)?;
            for (round, value) in rounds.iter().zip(copied) {
                code.store(stage.table, &[&[*round], &at[..]].concat(), value);
            }
            Some(())
        })
    }

    /// The step that stores elements after all iterations.
    pub fn update(&mut self, code: &mut CodeBuilder, extents: &[Val]) -> Option<()> {
        self.is_copied = true;
        let update = &self.time.update;
        self.work_items(code, update, extents, &mut |unrolled, code, at| {
            let value = unrolled.element(code, unrolled.rounds.len(), at)?;
            let at = unrolled.indices(code, at)?;
            code.store(update.table, &at, value);
            Some(())
        })
    }

    #[allow(clippy::type_complexity)]
    fn work_items(
        &mut self,
        code: &mut CodeBuilder,
        stage: &Stage<'c>,
        extents: &[Val],
        body: &mut dyn FnMut(&mut Self, &mut CodeBuilder, &[Sum]) -> Option<()>,
    ) -> Option<()> {
        let around = self.known.clone();
        let parameters = code.open_block(&vec![DType::I64; extents.len()]);
        self.n_steps = 0;
        let mut at = Vec::with_capacity(stage.places.len());
        for place in &stage.places {
            let moving = place.parameter.map_or(Sum::default(), |n| Sum::value(parameters[n]));
            at.push(moving.plus(&place.offset, 1)?);
        }
        body(self, code, &at)?;
        let block = code.close_block(&[]);
        code.parallel(extents, block);
        self.known = around;
        Some(())
    }

    /// An element of the updated array after so many iterations.
    fn element(&mut self, code: &mut CodeBuilder, rounds: usize, at: &[Sum]) -> Option<Val> {
        let key = (rounds, at.to_vec());
        if let Some(known) = self.known.elements.get(&key) {
            return Some(*known);
        }
        let update = &self.time.update;
        let val = match rounds.checked_sub(1) {
            None => {
                let indices = self.indices(code, at)?;
                self.count()?;
                code.load(update.table, &indices, code.dtype(update.value))
            }
            Some(round) => self.stored(code, update, round, at)?,
        };
        self.known.elements.insert(key, val);
        Some(val)
    }

    /// An element of what an iteration copies.
    fn copied(&mut self, code: &mut CodeBuilder, stage: &'t Stage<'c>, round: usize, at: &[Sum]) -> Option<Val> {
        let key = (stage.table, round, at.to_vec());
        if let Some(known) = self.known.copies.get(&key) {
            return Some(*known);
        }
        let val = if self.is_copied {
            let indices = self.indices(code, at)?;
            self.count()?;
            code.load(stage.table, &[&[self.rounds[round]], &indices[..]].concat(), code.dtype(stage.value))
        } else {
            self.stored(code, stage, round, at)?
        };
        self.known.copies.insert(key, val);
        Some(val)
    }

    /// What a stage stores to an element in an iteration.
    fn stored(&mut self, code: &mut CodeBuilder, stage: &'t Stage<'c>, round: usize, at: &[Sum]) -> Option<Val> {
        let mut at = At { stage: Some(stage), round, work_item: stage.work_item(at)?, values: HashMap::new() };
        self.value(code, &mut at, stage.value)
    }

    fn value(&mut self, code: &mut CodeBuilder, at: &mut At<'t, 'c>, val: Val) -> Option<Val> {
        if let Some(known) = at.values.get(&val).or_else(|| self.known.constants.get(&val)) {
            return Some(*known);
        }
        if !self.time.own.contains(&val) {
            return Some(val);
        }
        if code.dtype(val) == DType::I64
            && let Some(sum) = self.sum(at, val)
        {
            return self.place(code, &sum);
        }
        let stmt = *self.made.get(&val)?;
        let new = match stmt.kind {
            StmtKind::Constant(constant) => {
                self.count()?;
                let new = code.constant(constant, code.dtype(val));
                self.known.constants.insert(val, new);
                new
            }
            StmtKind::Op(_) => {
                let operands =
                    stmt.operands.iter().map(|val| self.value(code, at, *val)).collect::<Option<Vec<_>>>()?;
                self.count()?;
                code.push(stmt.kind, &operands, &[code.dtype(val)], Vec::new())[0]
            }
            StmtKind::Load(_) => match self.alike.get(&(val, at.round)) {
                Some(alike) => *alike,
                None => self.load(code, stmt, at)?,
            },
            _ => return None,
        };
        at.values.insert(val, new);
        Some(new)
    }

    /// What a load of the loop gives.
    fn load(&mut self, code: &mut CodeBuilder, stmt: &'c Stmt, at: &mut At<'t, 'c>) -> Option<Val> {
        let (StmtKind::Load(table), [val]) = (stmt.kind, &stmt.results[..]) else { return None };
        let time = self.time;
        let copying = time.copying.iter().find(|stage| stage.table == table);
        if table != time.update.table && copying.is_none() {
            let indices = stmt.operands.iter().map(|val| self.value(code, at, *val)).collect::<Option<Vec<_>>>()?;
            self.count()?;
            return Some(code.load(table, &indices, code.dtype(*val)));
        }
        let place = stmt.operands.iter().map(|val| self.sum(at, *val)).collect::<Option<Vec<_>>>()?;
        match copying {
            Some(stage) => self.copied(code, stage, at.round, &place),
            None => self.element(code, at.round, &place),
        }
    }

    /// A value as a sum of new ones; `None` where something of the loop is in it that is no index.
    fn sum(&self, at: &At<'t, 'c>, val: Val) -> Option<Sum> {
        let sum = self.sums.sum_of(val)?;
        let mut new = Sum::number(sum.constant());
        for (val, factor) in sum.terms() {
            let parameters = at.stage.map_or(&[][..], |stage| &stage.body.parameters);
            let term = if let Some(n) = parameters.iter().position(|parameter| *parameter == val) {
                at.work_item[n].clone()
            } else if val == self.time.index {
                Sum::value(self.index?).plus(&Sum::number(self.time.stride), at.round as i64)?
            } else if self.time.own.contains(&val) {
                return None;
            } else {
                Sum::value(val)
            };
            new = new.plus(&term, factor)?;
        }
        Some(new)
    }

    fn indices(&mut self, code: &mut CodeBuilder, at: &[Sum]) -> Option<Vec<Val>> {
        at.iter().map(|sum| self.place(code, sum)).collect()
    }

    /// The value of a sum.
    pub fn place(&mut self, code: &mut CodeBuilder, sum: &Sum) -> Option<Val> {
        if let Some(known) = self.known.places.get(sum) {
            return Some(*known);
        }
        let mut total: Option<Val> = None;
        for (val, factor) in sum.terms() {
            let term = if factor == 1 {
                val
            } else {
                self.count()?;
                let factor = code.integer(factor);
                code.op(ScalarOp::Mul, &[val, factor])
            };
            total = Some(total.map_or(term, |total| code.op(ScalarOp::Add, &[total, term])));
            self.count()?;
        }
        let val = match (total, sum.constant()) {
            (Some(total), 0) => total,
            (total, constant) => {
                self.count()?;
                let constant = code.integer(constant);
                total.map_or(constant, |total| code.op(ScalarOp::Add, &[total, constant]))
            }
        };
        self.known.places.insert(sum.clone(), val);
        Some(val)
    }

    /// Notes a step; `None` where there are too many.
    fn count(&mut self) -> Option<()> {
        self.n_steps += 1;
        (self.n_steps <= STEPS).then_some(())
    }
}
