//! The work items of a row side by side: each statement is done for all of them before the next, so that loops over neighbouring elements are innermost, and
//! LLVM makes vectors of them.
//!
//! In: a program whose work items gain by it ([`Forms::gain_side_by_side`]), at most [`LANES`] work items. Control flow that all work items share is emitted
//! around loops over the work items. Between such loops a value of each work item lies in an array on the stack. What differs from one work item to the next by
//! one, or not at all, is kept once, as the first work item's. Work items are independent, so that any order is right.

use std::collections::{BTreeMap, BTreeSet};

use inkwell::IntPredicate;
use inkwell::values::{IntValue, PointerValue};
use numptx_ir::DType;
use numptx_ir::scalar::{Block, Code, Stmt, StmtKind, Val};

use super::forms::{Form, Forms};
use super::loops::{Slot, trip_count};
use super::work_item::{Statements, WorkItem};
use crate::elements::Elements;
use crate::emitter::Emitter;
use crate::error::{Emit, bug};
use crate::memory::Access;
use crate::value::Scalar;

/// Work items that are run side by side, at most.
pub(crate) const LANES: i64 = 128;
/// Arrays on the stack, at most.
const ARRAYS: usize = 24;

/// What is known of a program that is run so.
pub(crate) struct Strip<'c> {
    code: &'c Code,
    forms: Forms,
    /// Values that are of another form for each work item and outlive a loop over the work items.
    kept: BTreeSet<Val>,
}

impl<'c> Strip<'c> {
    /// `None` if the program gains nothing, may end early, or needs too much of the stack.
    pub fn of(code: &'c Code, rank: usize) -> Option<Self> {
        let forms = Forms::of(code, rank);
        if rank == 0 || code.is_cooperative() || code.fault().is_some() || !forms.gain_side_by_side(code) {
            return None;
        }
        let mut lives = Lives { forms: &forms, number: 0, made: BTreeMap::new(), kept: BTreeSet::new() };
        lives.block(&code.block);
        let kept = lives.kept;
        (kept.len() <= ARRAYS).then_some(Strip { code, forms, kept })
    }

    /// Emits `count` work items, from the one at `indices` on: at least 2 of them, because what they share one of them might change.
    pub fn emit<'ctx>(
        &self,
        e: &Emitter<'ctx, '_>,
        elements: &Elements<'_, 'ctx>,
        indices: &[IntValue<'ctx>],
        count: IntValue<'ctx>,
    ) -> Emit<()> {
        let n = self.code.dtypes.len();
        let (first, constants) = (vec![None; n], vec![None; n]);
        let mut lanes = Lanes { e, strip: self, elements, indices, count, first, constants, arrays: BTreeMap::new() };
        lanes.block(&self.code.block, &[])
    }
}

/// Finds the values that are used in another loop over the work items than the one that makes them.
struct Lives<'f> {
    forms: &'f Forms,
    /// Loops over the work items so far.
    number: usize,
    /// Which one makes a value.
    made: BTreeMap<Val, usize>,
    kept: BTreeSet<Val>,
}

impl Lives<'_> {
    fn block(&mut self, block: &Block) {
        for stmt in &block.stmts {
            if self.forms.is_control(stmt) {
                // What is carried is copied in a loop of its own.
                self.number += 1;
                self.uses(&stmt.operands);
                self.number += 1;
                for nested in &stmt.blocks {
                    self.keep(&nested.parameters);
                    self.block(nested);
                    self.number += 1;
                }
                self.keep(&stmt.results);
            } else {
                self.whole(stmt);
                self.made.extend(stmt.results.iter().map(|v| (*v, self.number)));
            }
        }
        self.uses(&block.yields);
    }

    /// A statement that each work item does by itself, with what is nested in it.
    fn whole(&mut self, stmt: &Stmt) {
        self.uses(&stmt.operands);
        for nested in &stmt.blocks {
            nested.stmts.iter().for_each(|stmt| self.whole(stmt));
            self.uses(&nested.yields);
        }
    }

    fn uses(&mut self, vals: &[Val]) {
        for val in vals {
            let is_elsewhere = self.made.get(val).is_some_and(|made| *made != self.number);
            if is_elsewhere && self.forms.form(*val) == Form::Any {
                self.kept.insert(*val);
            }
        }
    }

    fn keep(&mut self, vals: &[Val]) {
        self.kept.extend(vals.iter().filter(|v| self.forms.form(**v) == Form::Any));
    }
}

impl Forms {
    /// Whether a statement is control flow that the work items go through together.
    fn is_control(&self, stmt: &Stmt) -> bool {
        matches!(stmt.kind, StmtKind::If | StmtKind::For | StmtKind::While) && self.is_shared(stmt)
    }

    /// Whether a statement is done once for all work items.
    fn is_once(&self, stmt: &Stmt) -> bool {
        match stmt.kind {
            StmtKind::If | StmtKind::For | StmtKind::While | StmtKind::Store(_) | StmtKind::Check(_) => false,
            _ => stmt.results.iter().all(|v| self.form(*v) != Form::Any),
        }
    }
}

/// Where a value goes at the end of a block.
#[derive(Clone)]
enum Target<'ctx> {
    /// The first work item's.
    First(std::rc::Rc<Slot<'ctx>>),
    /// Each work item's.
    Each(PointerValue<'ctx>, DType),
}

struct Lanes<'l, 'ctx, 'a> {
    e: &'l Emitter<'ctx, 'a>,
    strip: &'l Strip<'l>,
    elements: &'l Elements<'l, 'ctx>,
    /// The first work item.
    indices: &'l [IntValue<'ctx>],
    count: IntValue<'ctx>,
    /// Values of the first work item, of all forms but `Any`.
    first: Vec<Option<Scalar<'ctx>>>,
    constants: Vec<Option<i64>>,
    /// Values of all work items.
    arrays: BTreeMap<Val, PointerValue<'ctx>>,
}

impl<'ctx> Lanes<'_, 'ctx, '_> {
    fn dtype(&self, val: Val) -> DType {
        self.strip.code.dtype(val)
    }

    fn form(&self, val: Val) -> Form {
        self.strip.forms.form(val)
    }

    fn scalar(&self, val: &Val) -> Emit<Scalar<'ctx>> {
        let value = self.first.get(val.0 as usize).copied().flatten();
        value.ok_or_else(|| bug(format!("code uses ${}, which is not there", val.0)))
    }

    /// Emits a block whose parameters are bound; what it yields goes to `targets`, if there are any.
    fn block(&mut self, block: &Block, targets: &[Target<'ctx>]) -> Emit<()> {
        let mut pending: Vec<&Stmt> = Vec::new();
        for stmt in &block.stmts {
            if self.strip.forms.is_control(stmt) {
                self.segment(&std::mem::take(&mut pending), &[])?;
                match stmt.kind {
                    StmtKind::If => self.branches(stmt)?,
                    StmtKind::For => self.counted(stmt)?,
                    _ => self.repeated(stmt)?,
                }
            } else if self.strip.forms.is_once(stmt) {
                self.once(stmt)?;
            } else {
                pending.push(stmt);
            }
        }
        let ends: Vec<(Val, Target<'ctx>)> = block.yields.iter().copied().zip(targets.iter().cloned()).collect();
        self.segment(&pending, &ends)
    }

    /// A statement for all points at once. What it loads no work item writes, so it may come before the stores around it.
    fn once(&mut self, stmt: &Stmt) -> Emit<()> {
        let values = std::mem::take(&mut self.first);
        let constants = std::mem::take(&mut self.constants);
        let (e, code, elements, indices) = (self.e, self.strip.code, self.elements, self.indices);
        let elements = &Elements { group: None, ..*elements };
        let mut work_item = WorkItem { values, constants, ..WorkItem::alone(e, code, elements, indices) };
        let results = work_item.step(stmt)?;
        work_item.bind(&stmt.results, results);
        (self.first, self.constants) = (work_item.values, work_item.constants);
        Ok(())
    }

    /// A loop over the work items: statements that differ among them, and what leaves the block afterwards.
    fn segment(&mut self, stmts: &[&Stmt], ends: &[(Val, Target<'ctx>)]) -> Emit<()> {
        let e = self.e;
        let each: Vec<(Val, PointerValue<'ctx>, DType)> = ends
            .iter()
            .filter_map(|(val, target)| match target {
                Target::Each(array, dtype) => Some((*val, *array, *dtype)),
                Target::First(_) => None,
            })
            .collect();
        let made: Vec<Val> = stmts.iter().flat_map(|stmt| stmt.results.iter().copied()).collect();
        for val in made.iter().filter(|v| self.strip.kept.contains(v)) {
            let array = self.array(self.dtype(*val))?;
            self.arrays.insert(*val, array);
        }
        if !stmts.is_empty() || !each.is_empty() {
            let mut used: BTreeSet<Val> = each.iter().map(|(val, ..)| *val).collect();
            stmts.iter().for_each(|stmt| used.append(&mut stmt.used()));
            let parallel = e.parallel_work_items()?;
            let access = Access { group: Some(parallel.group), invariant: false };
            e.count((e.i64(0), self.count), e.i64(1), Some(parallel.loop_id), |lane| {
                self.lane(lane, (stmts, &used), &made, &each, access)
            })?;
        }
        for (val, target) in ends {
            if let Target::First(slot) = target {
                slot.write(e, self.scalar(val)?)?;
            }
        }
        Ok(())
    }

    fn lane(
        &self,
        lane: IntValue<'ctx>,
        (stmts, used): (&[&Stmt], &BTreeSet<Val>),
        made: &[Val],
        each: &[(Val, PointerValue<'ctx>, DType)],
        access: Access<'ctx>,
    ) -> Emit<()> {
        let e = self.e;
        let at = |array: PointerValue<'ctx>, dtype: DType| e.at_element(array, lane, dtype);
        let mut values = self.first.clone();
        for val in used {
            let known = &mut values[val.0 as usize];
            if let Some(array) = self.arrays.get(val).filter(|_| !made.contains(val)) {
                *known = Some(e.load(at(*array, self.dtype(*val))?, self.dtype(*val), access)?);
            } else if let (Form::Rising, Some(first)) = (self.form(*val), *known) {
                *known = Some(Scalar::Int(e.add(first.int()?, lane)?));
            }
        }
        let mut indices = self.indices.to_vec();
        if let Some(last) = indices.last_mut() {
            *last = e.add(*last, lane)?;
        }
        let elements = Elements { group: access.group, ..*self.elements };
        let (code, constants) = (self.strip.code, self.constants.clone());
        let mut work_item = WorkItem { values, constants, ..WorkItem::alone(e, code, &elements, &indices) };
        for stmt in stmts {
            let results = work_item.step(stmt)?;
            work_item.bind(&stmt.results, results);
        }
        for val in made {
            if let (Some(array), true) = (self.arrays.get(val), self.strip.kept.contains(val)) {
                e.store(at(*array, self.dtype(*val))?, work_item.value(*val)?, self.dtype(*val), access)?;
            }
        }
        // All of them before any is written: what a loop carries may change places.
        let ends = each.iter().map(|(val, ..)| work_item.value(*val)).collect::<Emit<Vec<_>>>()?;
        for ((_, array, dtype), value) in each.iter().zip(ends) {
            e.store(at(*array, *dtype)?, value, *dtype, access)?;
        }
        Ok(())
    }

    /// A value of each work item.
    fn array(&self, dtype: DType) -> Emit<PointerValue<'ctx>> {
        let e = self.e;
        let n_parts = if dtype.is_complex() { 2 } else { 1 };
        let ty = e.context.i8_type().array_type(LANES as u32 * n_parts * e.memory_bytes(dtype));
        let array = e.slot(ty, "lanes")?;
        let made = array.as_instruction().ok_or_else(|| bug("a slot is no instruction"))?;
        made.set_alignment(64).map_err(|error| bug(error.to_string()))?;
        Ok(array)
    }

    /// Where values of these forms and dtypes go.
    fn targets(&self, vals: &[Val]) -> Emit<Vec<Target<'ctx>>> {
        let target = |val: &Val| match self.form(*val) {
            Form::Any => Ok(Target::Each(self.array(self.dtype(*val))?, self.dtype(*val))),
            _ => Ok(Target::First(std::rc::Rc::new(Slot::new(self.e, self.dtype(*val))?))),
        };
        vals.iter().map(target).collect()
    }

    /// From here on, values are what lies in the targets.
    fn bind(&mut self, vals: &[Val], targets: &[Target<'ctx>]) -> Emit<()> {
        for (val, target) in vals.iter().zip(targets) {
            match target {
                Target::First(slot) => self.first[val.0 as usize] = Some(slot.read(self.e)?),
                Target::Each(array, _) => drop(self.arrays.insert(*val, *array)),
            }
        }
        Ok(())
    }

    fn hand_over(&mut self, vals: &[Val], targets: &[Target<'ctx>]) -> Emit<()> {
        let ends: Vec<(Val, Target<'ctx>)> = vals.iter().copied().zip(targets.iter().cloned()).collect();
        self.segment(&[], &ends)
    }

    fn branches(&mut self, stmt: &Stmt) -> Emit<()> {
        let ([condition], [then, otherwise]) = (&stmt.operands[..], &stmt.blocks[..]) else {
            return Err(bug("an `if` has a condition and two blocks"));
        };
        let (e, condition) = (self.e, self.scalar(condition)?.int()?);
        let targets = self.targets(&stmt.results)?;
        let (yes, no, join) = (e.block("then")?, e.block("else")?, e.block("join")?);
        e.builder.build_conditional_branch(condition, yes, no)?;
        for (start, block) in [(yes, then), (no, otherwise)] {
            e.builder.position_at_end(start);
            self.block(block, &targets)?;
            e.builder.build_unconditional_branch(join)?;
        }
        e.builder.position_at_end(join);
        self.bind(&stmt.results, &targets)
    }

    fn counted(&mut self, stmt: &Stmt) -> Emit<()> {
        let ([lower, upper, by, initial @ ..], [body]) = (&stmt.operands[..], &stmt.blocks[..]) else {
            return Err(bug("a `for` has three bounds and one block"));
        };
        let e = self.e;
        let known = self.constants[by.0 as usize];
        let bound = |v: &Val| self.scalar(v)?.int();
        let (lower, upper, by) = (bound(lower)?, bound(upper)?, bound(by)?);
        let targets = self.targets(&body.parameters[1..])?;
        self.hand_over(initial, &targets)?;
        let count = trip_count(e, (lower, upper), (by, known))?;
        let before = e.here()?;
        let (head, inside, after) = (e.block("for")?, e.block("body")?, e.block("endfor")?);
        e.enter(head)?;
        let phi = e.builder.build_phi(count.get_type(), "k")?;
        let k = phi.as_basic_value().into_int_value();
        let goes_on = e.icmp(IntPredicate::ULT, k, count)?;
        e.builder.build_conditional_branch(goes_on, inside, after)?;
        e.builder.position_at_end(inside);
        self.first[body.parameters[0].0 as usize] = Some(Scalar::Int(e.add(lower, e.mul(k, by)?)?));
        self.bind(&body.parameters[1..], &targets)?;
        self.block(body, &targets)?;
        let next = e.builder.build_int_nuw_add(k, e.i64(1), "")?;
        phi.add_incoming(&[(&e.i64(0), before), (&next, e.here()?)]);
        e.builder.build_unconditional_branch(head)?;
        e.builder.position_at_end(after);
        self.bind(&stmt.results, &targets)
    }

    fn repeated(&mut self, stmt: &Stmt) -> Emit<()> {
        let [condition, body] = &stmt.blocks[..] else { return Err(bug("a `while` has two blocks")) };
        let e = self.e;
        let targets = self.targets(&body.parameters)?;
        self.hand_over(&stmt.operands, &targets)?;
        let (head, inside, after) = (e.block("while")?, e.block("body")?, e.block("endwhile")?);
        e.enter(head)?;
        self.bind(&condition.parameters, &targets)?;
        self.block(condition, &[])?;
        let [goes_on] = condition.yields[..] else { return Err(bug("a `while` yields one condition")) };
        e.builder.build_conditional_branch(self.scalar(&goes_on)?.int()?, inside, after)?;
        e.builder.position_at_end(inside);
        self.bind(&body.parameters, &targets)?;
        self.block(body, &targets)?;
        e.builder.build_unconditional_branch(head)?;
        e.builder.position_at_end(after);
        self.bind(&stmt.results, &targets)
    }
}

#[cfg(test)]
mod tests {
    use super::Strip;
    use numptx_ir::kernel::parse::parse;

    /// A kernel over two axes that writes table 0 and reads table 1, of two axes each; `$0` and `$1` are the work item, `$2` is 1, `$3` an input.
    fn gains(steps: &str) -> bool {
        let head = "kernel @k rank 2 reduced 0 block 256 vector 1 {
  operand readwrite f64[0, 0] noalias
  operand read f64[0, 0] noalias
  scalar i64
  scalar i64
  scalar i64
  scalar i64
  scalar i64
  table 0 [1, 2]
  table 1 [3, 4]
  code {
    $0 = index 0 : i64
    $1 = index 1 : i64
    $2 = constant 1 : i64
    $3 = input 0 : i64
    $4 = constant 0.0 : f64";
        let text = format!("{head}\n{steps}\n    store $4 to 0 at $0, $1\n    yield\n  }}\n}}\n");
        let kernel = parse(&text).unwrap_or_else(|error| panic!("{error} in\n{text}"));
        numptx_ir::kernel::verify::verify(&kernel).expect("a sound kernel");
        Strip::of(kernel.code().expect("code"), kernel.rank).is_some()
    }

    fn sum_of(bounds: &str, at: &str) -> String {
        format!(
            "    $9 = for {bounds}, $4 ($5: i64, $6: f64) {{
      $10 = add $1, $5 : i64
      $11 = mul $1, $3 : i64
      $7 = load 1 at {at} : f64
      $8 = add $6, $7 : f64
      yield $8
    }} : f64"
        )
    }

    #[test]
    fn work_items_run_side_by_side_where_neighbours_are_met() {
        assert!(gains(&sum_of("$0, $3, $2", "$5, $1")));
        assert!(gains(&sum_of("$2, $0, $3", "$0, $10")), "shifted by what all share");
        assert!(!gains(&sum_of("$0, $3, $2", "$1, $5")), "each point has a row of its own");
        assert!(!gains(&sum_of("$0, $3, $2", "$0, $11")), "neighbours lie apart");
        assert!(!gains(&sum_of("$0, $3, $2", "$0, $5")), "all meet one element");
        assert!(!gains(&sum_of("$1, $3, $2", "$5, $1")), "each point has bounds of its own");
        assert!(!gains(""), "there is no loop");
    }
}
