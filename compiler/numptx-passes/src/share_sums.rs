//! **Does**: makes `reduce` steps of loops in the points of team programs that combine integers or truth values: a sum, a product, an extreme, bits.
//! **Requires**: phase Placed.
//! **Ensures**: in such a point no loop is left that only carries one integer, which each of more than a few iterations combines with a value of its own; threads
//! may share what it combines. A program whose points come to have sums asks for threads for them.
//! **Keeps**: every value: integers wrap, so that their order makes no difference. Floats are combined in the order that is written, but for what
//! `form-nests` made of products of rows and columns, and of reductions.
//! **Example**: `parallel n (i) { s = for a, b, 1, t (k, c) { v = load 0 at i, k; m = max c, v; yield m } }` becomes
//! `parallel n (i) { e = sub b, a; r = reduce max e (j) { k = add a, j; v = load 0 at i, k; yield v }; s = max t, r }`.

use std::collections::HashMap;

use numptx_ir::DType;
use numptx_ir::array::{Function, Module, Op, OpKind, Region};
use numptx_ir::scalar::{Block, Code, Constant, Reducer, ScalarOp, Step, StepKind, Val};
use numptx_source::InternalError;

use crate::Pass;
use crate::loops::{HostProgram, threads_for_sums};

/// See the file's header.
pub const SHARE_SUMS: Pass = Pass {
    name: "share-sums",
    sentence: "let threads share what the points of a launch add up",
    required: false,
    run: share_sums,
};

fn share_sums(module: &mut Module) -> Result<(), InternalError> {
    for function in &mut module.functions {
        let mut body = std::mem::take(&mut function.body);
        in_region(function, &mut body);
        function.body = body;
    }
    Ok(())
}

fn in_region(function: &mut Function, region: &mut Region) {
    let mut ops = Vec::with_capacity(region.ops.len());
    for mut op in std::mem::take(&mut region.ops) {
        op.regions.iter_mut().for_each(|nested| in_region(function, nested));
        in_nest(function, &mut op, &mut ops);
        ops.push(op);
    }
    region.ops = ops;
}

fn in_nest(function: &mut Function, op: &mut Op, before: &mut Vec<Op>) {
    let OpKind::Nest(nest) = &mut op.kind else { return };
    if !nest.code.is_team() {
        return;
    }
    let had_sums = nest.code.sums_in_points();
    let mut block = std::mem::take(&mut nest.code.block);
    let mut sharing = Sharing { code: &mut nest.code, numbers: HashMap::new() };
    sharing.block(&mut block, false);
    nest.code.block = block;
    if nest.code.sums_in_points() && !had_sums {
        let mut host = HostProgram::new(function, op.span);
        op.operands[0] = threads_for_sums(&mut host, op.operands[0]);
        before.append(&mut host.ops);
    }
}

struct Sharing<'c> {
    code: &'c mut Code,
    /// Integers that are known.
    numbers: HashMap<Val, i64>,
}

/// How a loop's carried value becomes the next one.
struct Combined {
    /// What an iteration combines it with.
    value: Val,
    reducer: Reducer,
    /// What combines the first value with those of all iterations.
    op: ScalarOp,
    /// The steps of the body that do so, by their positions.
    steps: Vec<usize>,
}

impl Sharing<'_> {
    fn block(&mut self, block: &mut Block, is_point: bool) {
        let mut steps = Vec::with_capacity(block.steps.len());
        for mut step in std::mem::take(&mut block.steps) {
            match (step.kind, &step.results[..]) {
                (StepKind::Constant(Constant::Int(n)), [result]) => _ = self.numbers.insert(*result, n),
                (StepKind::Reduce(_), _) => {}
                _ => {
                    let is_point = is_point || step.kind == StepKind::Parallel;
                    step.blocks.iter_mut().for_each(|nested| self.block(nested, is_point));
                }
            }
            match self.combined(&step).filter(|_| is_point) {
                Some(combined) => self.share(step, &combined, &mut steps),
                None => steps.push(step),
            }
        }
        block.steps = steps;
    }

    /// How the one value that a loop carries is combined, if that is all the loop does.
    fn combined(&self, step: &Step) -> Option<Combined> {
        let ([_, _, by, _], [result], [body]) = (&step.operands[..], &step.results[..], &step.blocks[..]) else {
            return None;
        };
        let dtype = self.code.dtype(*result);
        let is_exact = dtype == DType::Bool || dtype.is_integer();
        let known = |n: usize| self.numbers.get(&step.operands[n]);
        let is_short = |lower: i64, upper: i64| upper.saturating_sub(lower) < Code::LONG_SUM;
        if known(0).zip(known(1)).is_some_and(|(lower, upper)| is_short(*lower, *upper)) {
            return None;
        }
        if step.kind != StepKind::For || self.numbers.get(by) != Some(&1) || !is_exact || has_effect_or_loop(body) {
            return None;
        }
        let combined = combination(body, dtype)?;
        let carried = body.parameters[1];
        let mut is_alone = !body.yields.contains(&carried);
        for (n, step) in body.steps.iter().enumerate() {
            is_alone &= combined.steps.contains(&n) || !step.used().contains(&carried);
        }
        is_alone.then_some(combined)
    }

    /// The loop's sum, and what that is with the first value.
    fn share(&mut self, step: Step, combined: &Combined, steps: &mut Vec<Step>) {
        let Step { operands, results, blocks, .. } = step;
        let ([lower, upper, _, initial], [result]) = (&operands[..], &results[..]) else { return };
        let dtype = self.code.dtype(*result);
        let [extent, point] = [self.define(DType::I64), self.define(DType::I64)];
        let total = self.define(dtype);
        steps.push(simple(StepKind::Op(ScalarOp::Sub), vec![*upper, *lower], extent));
        let mut blocks = blocks;
        if let [body] = &mut blocks[..] {
            let index = std::mem::replace(&mut body.parameters, vec![point])[0];
            let mut at = 0..;
            body.steps.retain(|_| at.next().is_some_and(|n| !combined.steps.contains(&n)));
            body.steps.insert(0, simple(StepKind::Op(ScalarOp::Add), vec![*lower, point], index));
            body.yields = vec![combined.value];
        }
        let kind = StepKind::Reduce(combined.reducer);
        steps.push(Step { kind, operands: vec![extent], results: vec![total], blocks });
        steps.push(simple(StepKind::Op(combined.op), vec![*initial, total], *result));
    }

    fn define(&mut self, dtype: DType) -> Val {
        self.code.dtypes.push(dtype);
        Val(self.code.dtypes.len() as u32 - 1)
    }
}

fn simple(kind: StepKind, operands: Vec<Val>, result: Val) -> Step {
    Step { kind, operands, results: vec![result], blocks: Vec::new() }
}

/// Whether a body does more than compute.
fn has_effect_or_loop(body: &Block) -> bool {
    let mut found = false;
    body.for_each_step(&mut |step| {
        found |= !matches!(
            step.kind,
            StepKind::Constant(_) | StepKind::Op(_) | StepKind::Input(_) | StepKind::Load(_) | StepKind::If
        );
    });
    found
}

/// How a body's yield is its carried value and another one, combined by an operation, or chosen between them by a comparison.
fn combination(body: &Block, dtype: DType) -> Option<Combined> {
    let ([_, carried], [yielded]) = (&body.parameters[..], &body.yields[..]) else { return None };
    let at = |val: Val| body.steps.iter().position(|step| step.results == [val]);
    let last = at(*yielded)?;
    let is_used_twice =
        |val: Val, by: usize| body.steps.iter().enumerate().any(|(n, step)| n != by && step.used().contains(&val));
    if is_used_twice(*yielded, last) {
        return None;
    }
    let (op, value, steps) = match (body.steps[last].kind, &body.steps[last].operands[..]) {
        (StepKind::Op(ScalarOp::Select), [condition, a, b]) => {
            let value = other(*a, *b, *carried)?;
            let test = at(*condition).filter(|_| !is_used_twice(*condition, last))?;
            (chosen(&body.steps[test], *a, *b)?, value, vec![test, last])
        }
        (StepKind::Op(ScalarOp::Sub), [a, b]) if a == carried && b != carried => (ScalarOp::Sub, *b, vec![last]),
        (StepKind::Op(op), [a, b]) if op != ScalarOp::Sub => (op, other(*a, *b, *carried)?, vec![last]),
        _ => return None,
    };
    let combining = if op == ScalarOp::Sub { ScalarOp::Add } else { op };
    let fits = |reducer: &Reducer| reducer.operation() == Some(combining) && reducer.result(dtype) == Some(dtype);
    let reducer = Reducer::ALL.into_iter().find(fits)?;
    Some(Combined { value, reducer, op, steps })
}

/// The one of two that is not this one.
fn other(a: Val, b: Val, this: Val) -> Option<Val> {
    match (a == this, b == this) {
        (true, false) => Some(b),
        (false, true) => Some(a),
        _ => None,
    }
}

/// Which extreme it is to take `a` where a comparison holds, else `b`.
fn chosen(test: &Step, a: Val, b: Val) -> Option<ScalarOp> {
    let is_swapped = match test.operands[..] {
        [x, y] if (x, y) == (a, b) => false,
        [x, y] if (x, y) == (b, a) => true,
        _ => return None,
    };
    match (test.kind, is_swapped) {
        (StepKind::Op(ScalarOp::Gt | ScalarOp::Ge), false) | (StepKind::Op(ScalarOp::Lt | ScalarOp::Le), true) => {
            Some(ScalarOp::Max)
        }
        (StepKind::Op(ScalarOp::Lt | ScalarOp::Le), false) | (StepKind::Op(ScalarOp::Gt | ScalarOp::Ge), true) => {
            Some(ScalarOp::Min)
        }
        _ => None,
    }
}
