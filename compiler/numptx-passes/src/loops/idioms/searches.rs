//! Loops that look for the first iteration in which something holds, and change nothing until then.
//!
//! In: a `while` that counts up, ends itself by what it carries, and stores nothing. Out: a reduction that finds the iteration, and the same `while`
//! from there on: it runs once, or not at all. Where a check might fail in some iteration, one thread runs all of it.

use numptx_ir::DType;
use numptx_ir::array::{Op, OpKind, Region, Type, ValueId};
use numptx_ir::scalar::{Constant, ScalarOp};

use crate::analysis::traverse::{Substitution, substitute, terminator_operands};
use crate::loops::assumptions::guards::HostProgram;
use crate::loops::assumptions::versions::Versions;
use crate::loops::function::FormNests;
use crate::loops::idioms::reductions::Beginning;
use crate::rewrite::emit::yielding;

/// Which of the values that a `while` carries are what.
struct Search {
    /// The one that counts.
    counter: usize,
    /// The one that says by another value than this constant that the loop is to end.
    state: usize,
    goes_on: ValueId,
    /// Where counting ends.
    upper: ValueId,
}

/// What a `while` carries, and what it was first.
struct Kept<'o> {
    carried: &'o [ValueId],
    initial: &'o [ValueId],
    /// The state with which there is another iteration.
    goes_on: i64,
}

impl FormNests<'_> {
    /// What to run in a loop's place, if it is a search.
    pub fn searched(&mut self, op: &Op) -> Option<Versions> {
        if !matches!(op.kind, OpKind::While) {
            return None;
        }
        let search = self.search_of(op)?;
        let mut ops = Vec::new();
        let counted = self.counting(op, &search, &mut ops);
        let mut version = self.reduction_beginning(&counted, Beginning::default())?;
        let mut rest = op.clone();
        rest.operands[search.counter] = *version.then.pop()?.operands.first()?;
        let names = self.rename(std::slice::from_mut(&mut rest));
        version.then.push(rest);
        version.then.push(yielding(op.results.iter().map(|v| names.resolve(*v)).collect(), op.span));
        Some(Versions::from(version).after(ops).or_any(self.once(op)))
    }

    fn search_of(&self, op: &Op) -> Option<Search> {
        let [before, after] = op.regions.as_slice() else { return None };
        let (tested, carried) = (&before.parameters, &after.parameters);
        let yielded = terminator_operands(after);
        let made = |region: &Region, value: ValueId| -> Option<Op> {
            region.ops.iter().find(|op| op.results.contains(&value)).cloned()
        };
        let is_op = |op: &Op, scalar: ScalarOp| matches!(op.kind, OpKind::Scalar(found) if found == scalar);
        // The condition: the state is as it was first, and the counter is below its end.
        let condition = made(before, *terminator_operands(before).first()?)?;
        if before.ops.len() != 4 || !is_op(&condition, ScalarOp::BitAnd) {
            return None;
        }
        let (same, below) = (made(before, condition.operands[0])?, made(before, condition.operands[1])?);
        if !is_op(&same, ScalarOp::Eq) || !is_op(&below, ScalarOp::Lt) {
            return None;
        }
        let position = |value: ValueId| tested.iter().position(|v| *v == value);
        let (state, counter) = (position(same.operands[0])?, position(below.operands[0])?);
        let (goes_on, upper) = (same.operands[1], below.operands[1]);
        let is_first = self.known.constant(op.operands[state]).is_some()
            && self.known.constant(op.operands[state]) == self.known.constant(goes_on);
        let next = made(after, yielded[counter])?;
        let by_one = is_op(&next, ScalarOp::Add)
            && next.operands[0] == carried[counter]
            && self.known.constant(next.operands[1]) == Some(1);
        if !is_first || !by_one || position(upper).is_some() {
            return None;
        }
        // Where the loop goes on, everything else is as it was.
        let choice = made(after, yielded[state])?;
        if !matches!(choice.kind, OpKind::If) {
            return None;
        }
        let others = (0..carried.len()).filter(|k| *k != counter && *k != state && yielded[*k] != carried[*k]);
        let others: Vec<(usize, usize)> =
            others.map(|k| Some((k, choice.results.iter().position(|v| *v == yielded[k])?))).collect::<Option<_>>()?;
        let at = choice.results.iter().position(|v| *v == yielded[state])?;
        let kept = Kept { carried, initial: &op.operands, goes_on: self.known.constant(goes_on)? };
        self.is_kept(&choice, at, &others, &kept).then_some(Search { counter, state, goes_on, upper })
    }

    /// Whether a choice changes nothing where the loop goes on: `at` is the state among its results, `others` are carried values with theirs.
    fn is_kept(&self, choice: &Op, at: usize, others: &[(usize, usize)], kept: &Kept) -> bool {
        choice.regions.iter().all(|region| {
            let yields = terminator_operands(region);
            if self.integer_in(region, yields[at]).is_some_and(|n| n != kept.goes_on) {
                return true;
            }
            let changed: Vec<(usize, ValueId)> = others
                .iter()
                .map(|(k, n)| (*k, yields[*n]))
                .filter(|(k, value)| !self.is_first(region, *value, *k, kept))
                .collect();
            if changed.is_empty() {
                return true;
            }
            // Another choice decides both.
            let is_choice = |op: &&Op| matches!(op.kind, OpKind::If) && op.results.contains(&yields[at]);
            let Some(inner) = region.ops.iter().find(is_choice) else { return false };
            let number = |value: ValueId| inner.results.iter().position(|v| *v == value);
            let others: Option<Vec<_>> = changed.iter().map(|(k, value)| Some((*k, number(*value)?))).collect();
            number(yields[at]).zip(others).is_some_and(|(at, others)| self.is_kept(inner, at, &others, kept))
        })
    }

    /// Whether a value is what the loop carried, or the same as that was first: a constant, or memory with nothing in it yet.
    fn is_first(&self, region: &Region, value: ValueId, k: usize, kept: &Kept) -> bool {
        let is_empty = |v: ValueId| {
            self.function.array(v).is_some_and(|array| array.rank == 0)
                && region.ops.iter().any(|op| matches!(op.kind, OpKind::Alloc { .. }) && op.results.contains(&v))
        };
        let constant = |v: &ValueId| self.known.constants.get(v);
        value == kept.carried[k]
            || value == kept.initial[k]
            || constant(&value).is_some_and(|c| constant(&kept.initial[k]) == Some(c))
            || is_empty(value)
    }

    fn integer_in(&self, region: &Region, value: ValueId) -> Option<i64> {
        let made = region.ops.iter().find(|op| op.results.contains(&value));
        match made.map(|op| &op.kind) {
            Some(OpKind::Constant(constant)) => constant.as_int(),
            _ => self.known.constant(value),
        }
    }

    /// The loop as one that goes through all iterations, and carries the first one that would end it.
    fn counting(&mut self, op: &Op, search: &Search, ops: &mut Vec<Op>) -> Op {
        let body = &op.regions[1];
        let mut host = HostProgram::new(self.function, op.span);
        let one = host.number(1);
        self.known.constants.insert(one, Constant::Int(1));
        let mut host = HostProgram::new(self.function, op.span);
        let define = |host: &mut HostProgram| host.add_value(Type::Scalar(DType::I64));
        let (index, best, result) = (body.parameters[search.counter], define(&mut host), define(&mut host));
        host.ops = body.ops.iter().filter(|op| !op.kind.is_terminator()).cloned().collect();
        let state = terminator_operands(body)[search.state];
        let ends = host.scalar(OpKind::Scalar(ScalarOp::Ne), vec![state, search.goes_on], DType::Bool);
        let found = host.scalar(OpKind::Scalar(ScalarOp::Select), vec![ends, index, search.upper], DType::I64);
        let least = host.scalar(OpKind::Scalar(ScalarOp::Min), vec![best, found], DType::I64);
        let mut inner = std::mem::take(&mut host.ops);
        inner.push(yielding(vec![least], op.span));
        ops.push(Op {
            kind: OpKind::Constant(Constant::Int(1)),
            operands: Vec::new(),
            results: vec![one],
            regions: Vec::new(),
            span: op.span,
        });
        // Until the loop ends, what it carries is what it was first.
        let mut first = Substitution::default();
        for (k, parameter) in body.parameters.iter().enumerate().filter(|(k, _)| *k != search.counter) {
            first.replace(*parameter, op.operands[k]);
        }
        let mut region = Region { parameters: vec![index, best], ops: inner };
        substitute(&mut region, &first);
        let operands = vec![op.operands[search.counter], search.upper, one, search.upper];
        Op { kind: OpKind::For, operands, results: vec![result], regions: vec![region], span: op.span }
    }
}
