//! Ints that a loop carries, and each iteration leaves as they are or makes its own index: the place of a pivot, or of the last element of which something
//! holds.
//!
//! In: a `for`. Out: symbols for such ints, with the cases that they may be. By induction over iterations one is what the loop started with, an int
//! from before the loop, or the index of an iteration that ran before: a number between the loop's bounds, of which nothing else is known.
//! The step is a constant. Asked for only where one thread would run the loop: what follows of these ints is required before it (`assumed.rs`).

use std::collections::HashSet;

use numptx_ir::DType;
use numptx_ir::array::{Op, OpKind, Region, Type, ValueId};
use numptx_ir::scalar::{ScalarOp, Val};

use crate::analysis::traverse::terminator_operands;
use crate::loops::dependence::{Affine, LoopId, Step, Variable};
use crate::loops::emit::hoist::define;
use crate::loops::nest::translator::Translator;

/// Limit: choices in one another that are followed.
const DEPTH: usize = 8;

/// What a carried int may be in any iteration, and after the loop.
#[derive(Clone, Debug)]
pub struct Choice {
    /// One of these, known before the loop.
    before: Vec<Affine>,
    /// Or the index of an iteration of this loop.
    indices: Option<LoopId>,
}

impl Translator<'_> {
    /// What the ints that a loop carries may be, as far as iterations choose them. `id`: the loop, if its index is known.
    pub(crate) fn chosen_of(&mut self, op: &Op, id: Option<LoopId>) -> Vec<Option<Choice>> {
        let initial = &op.operands[3..];
        // What is required of them is asked for only where one thread would run the loop.
        if self.assumed.is_none() {
            return vec![None; initial.len()];
        }
        (0..initial.len()).map(|position| self.choice_of(op, position, id)).collect()
    }

    fn choice_of(&self, op: &Op, position: usize, id: Option<LoopId>) -> Option<Choice> {
        let (region, initial) = (&op.regions[0], op.operands[3 + position]);
        let [index, carried] = [region.parameters[0], region.parameters[1 + position]];
        if self.function.ty(carried) != Type::Scalar(DType::I64) {
            return None;
        }
        let mut choice = Choice { before: vec![self.scalar(initial).ok()?.affine?], indices: None };
        let mut inside = HashSet::new();
        define(op, &mut inside);
        let mut open = vec![(terminator_operands(region)[position], 0)];
        while let Some((value, depth)) = open.pop() {
            if value == carried {
                continue;
            }
            if value == index {
                choice.indices = Some(id?);
            } else if let Some(ways) = ways_of(region, value).filter(|_| depth < DEPTH) {
                open.extend(ways.into_iter().map(|way| (way, depth + 1)));
            } else if !inside.contains(&value) {
                choice.before.push(self.scalar(value).ok()?.affine?);
            } else {
                return None;
            }
        }
        Some(choice)
    }

    /// Binds carried values, or a loop's results, to what they may be.
    pub(crate) fn bind_chosen(&mut self, values: &[ValueId], vals: &[Val], chosen: &[Option<Choice>]) {
        for ((value, val), choice) in values.iter().zip(vals).zip(chosen) {
            let Some(choice) = choice else { continue };
            let mut cases: Vec<(Affine, Vec<Affine>)> = choice.before.iter().map(|f| (f.clone(), Vec::new())).collect();
            if let Some(id) = choice.indices {
                let Some(index) = self.index_of_some(id) else { continue };
                cases.push((index, Vec::new()));
            }
            let variable = Variable::Symbol(self.nest.add_symbol(self.within));
            self.chosen(variable, cases);
            self.bind_scalar(*value, *val, Some(Affine::from(variable)), None);
        }
    }

    /// A symbol for the index of any iteration of a loop.
    fn index_of_some(&mut self, id: LoopId) -> Option<Affine> {
        let of = self.nest.loop_of(id);
        let (lower, uppers) = (of.lower.clone(), of.upper.clone());
        let Step::Known(step) = of.step else { return None };
        let variable = Variable::Symbol(self.nest.add_symbol(self.within));
        let itself = Affine::from(variable);
        let mut facts = Vec::with_capacity(2);
        if step > 0 {
            facts.push(itself.minus(&lower)?);
            for upper in &uppers {
                facts.push(upper.minus(&itself)?.plus_constant(-1)?);
            }
        } else {
            facts.push(lower.minus(&itself)?);
            facts.push(itself.minus(uppers.first()?)?.plus_constant(-1)?);
        }
        self.facts.insert(variable, facts);
        self.sized(variable, [&lower].into_iter().chain(&uppers));
        Some(itself)
    }
}

/// What a value is one of, if a branch or a condition of a loop's body chooses it.
fn ways_of(region: &Region, value: ValueId) -> Option<Vec<ValueId>> {
    let mut regions = vec![region];
    while let Some(region) = regions.pop() {
        for op in &region.ops {
            if let Some(n) = op.results.iter().position(|v| *v == value) {
                return match (&op.kind, &op.operands[..]) {
                    (OpKind::If, _) => Some(op.regions.iter().map(|region| terminator_operands(region)[n]).collect()),
                    (OpKind::Scalar(ScalarOp::Select), [_, a, b]) => Some(vec![*a, *b]),
                    _ => None,
                };
            }
            if op.kind == OpKind::If {
                regions.extend(&op.regions);
            }
        }
    }
    None
}
