//! What of a loop belongs to the values that it carries.
//!
//! In: a loop that carries scalars, and stores or has loops in it. Out: which of its values are made of carried ones, and which others these need: to be left
//! for them in arrays, or to be computed again.

use std::collections::{HashMap, HashSet};

use numptx_ir::array::{Map, Op, OpKind, Region, Type, ValueId};
use numptx_ir::scalar::{Instr, InstrKind, Val};

use crate::analysis::points_to::written_arrays;
use crate::analysis::traverse::{for_each_op, terminator_operands};
use crate::loops::emit::hoist::define;
use crate::loops::function::FormNests;
use crate::loops::schedule::cost::RECOMPUTED_OPERATIONS;

/// See the file's header.
pub(crate) struct Marks {
    /// What the loop defines.
    pub inside: HashSet<ValueId>,
    /// What is made of carried values.
    pub accumulated: HashSet<ValueId>,
    /// What is made of scalars, and of elements that the loop does not write, and the ops that make it.
    pub makers: HashMap<ValueId, Op>,
    /// What has to be left in arrays.
    pub crossing: HashSet<ValueId>,
    /// What is computed again.
    pub again: HashSet<ValueId>,
    /// The first results of maps that belong to what accumulates as they are.
    pub whole: HashSet<ValueId>,
    indices: HashSet<ValueId>,
    /// Operands that are arrays.
    arrays: HashSet<ValueId>,
    /// Arrays of rank 0 that were read, or made, wherever an op is looked at.
    read: HashSet<ValueId>,
    /// Operands that show memory which the loop writes.
    changing: HashSet<ValueId>,
}

impl Marks {
    /// `None` where the loop does not go apart, or has nothing but what it accumulates.
    pub fn of(pass: &FormNests, op: &Op) -> Option<Marks> {
        let is_scalar = |v: &ValueId| matches!(pass.function.ty(*v), Type::Scalar(_));
        if op.kind != OpKind::For
            || op.results.is_empty()
            || !op.results.iter().all(is_scalar)
            || !(stores(op) || has_loops(op))
        {
            return None;
        }
        let mut marks = Marks {
            inside: HashSet::new(),
            accumulated: HashSet::new(),
            makers: HashMap::new(),
            crossing: HashSet::new(),
            again: HashSet::new(),
            whole: HashSet::new(),
            indices: HashSet::new(),
            arrays: HashSet::new(),
            read: HashSet::new(),
            changing: HashSet::new(),
        };
        define(op, &mut marks.inside);
        let written = written_arrays(op);
        let written = written.into_iter().flat_map(|v| pass.known.points_to.locations(v).to_vec()).collect();
        marks.accumulated.extend(&op.regions[0].parameters[1..]);
        marks.accumulated.extend(&op.results);
        marks.note(pass, op, &written, false);
        marks.loop_(op)?;
        marks.need_of(op);
        Some(marks)
    }

    /// `is_chosen`: whether a condition in the loop decides if the op runs.
    fn note(&mut self, pass: &FormNests, op: &Op, written: &HashSet<ValueId>, is_chosen: bool) {
        self.arrays.extend(op.operands.iter().filter(|v| pass.function.array(**v).is_some()));
        if op.kind == OpKind::For {
            self.indices.insert(op.regions[0].parameters[0]);
        }
        let is_written = |v: &ValueId| pass.known.points_to.locations(*v).iter().any(|l| written.contains(l));
        self.changing.extend(op.operands.iter().filter(|v| is_written(v)));
        let is_made = match &op.kind {
            OpKind::Constant(_) | OpKind::Scalar(_) => true,
            // A reduction reads elements whether they are chosen or not, and others need not be within bounds.
            OpKind::Index { .. } if is_chosen => false,
            OpKind::Index { .. } | OpKind::Item => op.results.len() == 1 && !op.operands.iter().any(is_written),
            OpKind::Map(map) => is_small(map) && op.results.len() == 1 && !op.operands.iter().any(is_written),
            _ => false,
        };
        if is_made {
            self.makers.insert(op.results[0], op.clone());
        }
        let is_chosen = is_chosen || op.kind == OpKind::If;
        op.regions.iter().flat_map(|region| &region.ops).for_each(|nested| self.note(pass, nested, written, is_chosen));
    }

    fn region(&mut self, region: &Region, is_all: bool) -> Option<()> {
        region.ops.iter().try_for_each(|op| self.op(op, is_all))
    }

    /// `is_all`: whether what is carried decides if the op runs.
    fn op(&mut self, op: &Op, is_all: bool) -> Option<()> {
        let meets = has_any(&self.accumulated, &op.operands);
        match &op.kind {
            OpKind::Yield => {}
            OpKind::If => {
                let is_all = is_all || meets;
                for region in &op.regions {
                    let read = self.read.clone();
                    self.region(region, is_all)?;
                    self.read = read;
                }
                for (n, result) in op.results.iter().enumerate() {
                    if is_all || op.regions.iter().any(|r| self.accumulated.contains(&terminator_operands(r)[n])) {
                        self.accumulated.insert(*result);
                    }
                }
            }
            OpKind::For if !is_all && !has_any(&self.accumulated, &op.operands[..3]) => self.loop_(op)?,
            OpKind::Constant(_) | OpKind::Scalar(_) | OpKind::Check { .. } if is_all || meets => {
                self.accumulated.extend(&op.results);
            }
            OpKind::Item => {
                for (operand, result) in op.operands.iter().zip(&op.results) {
                    if is_all || self.accumulated.contains(operand) {
                        self.accumulated.insert(*result);
                    }
                }
                self.note_reads(op, is_all)?;
            }
            OpKind::Map(map) if map.rank == 0 => self.map(op, map, is_all)?,
            _ => {
                let mut is_used = is_all || meets;
                let mut visit = |op: &Op| is_used |= has_any(&self.accumulated, &op.operands);
                op.regions.iter().for_each(|region| for_each_op(region, &mut visit));
                return (!is_used).then_some(());
            }
        }
        Some(())
    }

    fn loop_(&mut self, op: &Op) -> Option<()> {
        let region = &op.regions[0];
        let (initial, carried) = (&op.operands[3..], &region.parameters[1..]);
        for (first, parameter) in initial.iter().zip(carried) {
            if self.accumulated.contains(first) {
                self.accumulated.insert(*parameter);
            }
        }
        // What becomes of a carried value may be made of another one.
        loop {
            let read = self.read.clone();
            self.region(region, false)?;
            self.read = read;
            let mut is_more = false;
            for (yielded, parameter) in terminator_operands(region).iter().zip(carried) {
                is_more |= self.accumulated.contains(yielded) && self.accumulated.insert(*parameter);
            }
            if !is_more {
                break;
            }
        }
        for (parameter, result) in carried.iter().zip(&op.results) {
            if self.accumulated.contains(parameter) {
                self.accumulated.insert(*result);
            }
        }
        Some(())
    }

    fn map(&mut self, op: &Op, map: &Map, is_all: bool) -> Option<()> {
        let of = self.instructions(op, map)?;
        if is_all && map.body.n_tables() > 0 {
            return None;
        }
        for (val, result) in map.body.outputs.iter().zip(&op.results) {
            if is_all || of[val.0 as usize] {
                self.accumulated.insert(*result);
            }
        }
        self.note_reads(op, is_all)?;
        self.read.extend(&op.results);
        Some(())
    }

    /// Notes what an op reads; `None` where what is carried decides whether it does, and nothing read it before.
    fn note_reads(&mut self, op: &Op, is_all: bool) -> Option<()> {
        let arrays = op.operands.iter().filter(|v| self.arrays.contains(v));
        for array in arrays {
            if is_all && !self.accumulated.contains(array) && !self.read.contains(array) {
                return None;
            }
            self.read.insert(*array);
        }
        Some(())
    }

    /// The arrays of rank 0 that an op reads which runs where what is carried says so.
    pub fn read_by(&self, op: &Op) -> Vec<ValueId> {
        let mut read = Vec::new();
        let mut visit = |op: &Op| {
            let is_left = |v: &&ValueId| !self.accumulated.contains(v) && !self.again.contains(v);
            let is_fixed = |v: &ValueId| !self.inside.contains(v) && !self.changing.contains(v);
            let plain = op.operands.iter().filter(|v| self.arrays.contains(v) && !is_fixed(v)).filter(is_left);
            for array in plain {
                if !read.contains(array) {
                    read.push(*array);
                }
            }
        };
        op.regions.iter().for_each(|region| for_each_op(region, &mut visit));
        read
    }

    /// Which instructions of a map are made of carried values; `None` if these decide which elements it reads.
    pub fn instructions(&self, op: &Op, map: &Map) -> Option<Vec<bool>> {
        let mut of: Vec<bool> = Vec::with_capacity(map.body.instrs.len());
        for instr in &map.body.instrs {
            let uses = |vals: &[Val]| vals.iter().any(|v| of[v.0 as usize]);
            let is_of = match &instr.kind {
                InstrKind::Input(n) => self.accumulated.contains(op.operands.get(*n as usize)?),
                InstrKind::Element(_, at) if uses(at) => return None,
                InstrKind::Op(_, operands) => uses(operands),
                _ => false,
            };
            of.push(is_of);
        }
        Some(of)
    }

    /// Whether anything of an op belongs to the loop that accumulates.
    pub fn accumulates(&self, op: &Op) -> bool {
        has_any(&self.accumulated, &op.results)
            || has_any(&self.accumulated, &op.operands)
            || op.regions.iter().any(|region| region.ops.iter().any(|op| self.accumulates(op)))
    }

    /// Notes what the part of an op that accumulates needs.
    fn need_of(&mut self, op: &Op) {
        if !self.accumulates(op) {
            return;
        }
        match &op.kind {
            OpKind::For => {
                op.operands[..3].iter().for_each(|v| self.need(*v));
                let carried = op.regions[0].parameters[1..].iter().zip(&op.operands[3..]);
                let initial: Vec<ValueId> =
                    carried.filter(|(v, _)| self.accumulated.contains(v)).map(|(_, initial)| *initial).collect();
                initial.into_iter().for_each(|v| self.need(v));
                self.need_yields(op, &op.regions[0].parameters[1..]);
            }
            OpKind::If => {
                self.need(op.operands[0]);
                self.need_yields(op, &op.results);
            }
            OpKind::Map(map) => {
                let plain = op.operands.iter().filter(|v| !self.accumulated.contains(v));
                let is_whole = op.results.iter().all(|v| self.accumulated.contains(v))
                    && is_small(map)
                    && plain.clone().all(|v| self.is_cheap(*v));
                if is_whole {
                    self.whole.insert(op.results[0]);
                }
                // Other elements that it reads are left by the instruction.
                for operand in &op.operands {
                    if self.is_cheap(*operand) || !self.arrays.contains(operand) {
                        self.need(*operand);
                    }
                }
            }
            OpKind::Item => {
                let plain = op.operands.iter().filter(|v| self.is_cheap(**v));
                let plain: Vec<ValueId> = plain.copied().collect();
                plain.into_iter().for_each(|v| self.need(v));
            }
            _ => op.operands.iter().for_each(|v| self.need(*v)),
        }
        op.regions.iter().flat_map(|region| &region.ops).for_each(|nested| self.need_of(nested));
    }

    fn need_yields(&mut self, op: &Op, of: &[ValueId]) {
        for region in &op.regions {
            let yields = of.iter().zip(terminator_operands(region));
            let needed: Vec<ValueId> =
                yields.filter(|(v, _)| self.accumulated.contains(v)).map(|(_, yielded)| *yielded).collect();
            needed.into_iter().for_each(|v| self.need(v));
        }
    }

    fn need(&mut self, value: ValueId) {
        if !self.inside.contains(&value) || self.accumulated.contains(&value) || self.indices.contains(&value) {
            return;
        }
        if self.is_cheap(value) {
            self.compute_again(value);
        } else {
            self.crossing.insert(value);
        }
    }

    /// Whether a value is made of indices and of what is known before the loop.
    fn is_cheap(&self, value: ValueId) -> bool {
        if self.changing.contains(&value) {
            return false;
        }
        if !self.inside.contains(&value) || self.indices.contains(&value) {
            return true;
        }
        let op = self.makers.get(&value).filter(|_| !self.accumulated.contains(&value));
        op.is_some_and(|op| op.operands.iter().all(|v| self.is_cheap(*v)))
    }

    fn compute_again(&mut self, value: ValueId) {
        let Some(op) = self.makers.get(&value).filter(|_| !self.again.contains(&value)).cloned() else { return };
        self.again.insert(value);
        op.operands.iter().for_each(|v| self.compute_again(*v));
    }
}

/// Whether a computation costs no more than leaving its result would.
fn is_small(map: &Map) -> bool {
    let is_op = |instr: &&Instr| matches!(instr.kind, InstrKind::Op(..));
    map.rank == 0 && map.body.n_tables() == 0 && map.body.instrs.iter().filter(is_op).count() <= RECOMPUTED_OPERATIONS
}

/// Whether an iteration has loops of its own.
pub fn has_loops(op: &Op) -> bool {
    let mut has_loops = false;
    let mut visit = |op: &Op| has_loops |= matches!(op.kind, OpKind::For | OpKind::While);
    op.regions.iter().for_each(|region| for_each_op(region, &mut visit));
    has_loops
}

/// Whether a loop stores elements.
pub fn stores(op: &Op) -> bool {
    let mut stores = false;
    let mut visit = |op: &Op| stores |= op.kind.destinations().is_some();
    op.regions.iter().for_each(|region| for_each_op(region, &mut visit));
    stores
}

/// Whether a set has any of some values.
pub(crate) fn has_any(set: &HashSet<ValueId>, values: &[ValueId]) -> bool {
    values.iter().any(|v| set.contains(v))
}
