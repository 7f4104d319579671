//! Loops of a program that only carry one value, which each iteration combines with a value of its own, as `reduce` steps.
//!
//! In: [`Code`]. Out: which of its loops are such, and the same code with a `reduce` in the place of those that all threads of a cooperative program run alike:
//! they share it. Integers wrap and truth values have no order, so that any order gives the same; sums and products of floats are rounded in
//! another order than the loop's. What the loop started with is combined last; it is the result where there is no iteration.

use std::collections::HashMap;

use numptx_ir::DType;
use numptx_ir::scalar::{Block, Code, Constant, Reducer, ScalarOp, Step, StepKind, Val};

/// How a loop's carried value becomes the next one.
pub struct Combined {
    /// What an iteration combines it with.
    value: Val,
    reducer: Reducer,
    /// What combines the first value with those of all iterations.
    op: ScalarOp,
    /// The steps of the body that do so, by their positions.
    steps: Vec<usize>,
    /// Whether any order gives the same.
    pub is_exact: bool,
}

/// Of each `for` of a program, in the order of the text, whether it only combines.
pub fn combining_loops(code: &Code) -> Vec<bool> {
    let mut numbers = HashMap::new();
    let mut found = Vec::new();
    code.block.for_each_step(&mut |step| {
        note_number(step, &mut numbers);
        if step.kind == StepKind::For {
            found.push(combined(code, &numbers, step).is_some());
        }
    });
    found
}

/// Makes `reduce` steps of the loops of a cooperative program that only combine, but for those in its points.
pub fn share_combined(code: &mut Code) {
    let mut block = std::mem::take(&mut code.block);
    share_in(code, &mut HashMap::new(), &mut block);
    code.block = block;
}

fn share_in(code: &mut Code, numbers: &mut HashMap<Val, i64>, block: &mut Block) {
    let mut steps = Vec::with_capacity(block.steps.len());
    for mut step in std::mem::take(&mut block.steps) {
        note_number(&step, numbers);
        if matches!(step.kind, StepKind::For | StepKind::While | StepKind::If) {
            step.blocks.iter_mut().for_each(|nested| share_in(code, numbers, nested));
        }
        match combined(code, numbers, &step) {
            Some(combined) => share(code, step, &combined, &mut steps),
            None => steps.push(step),
        }
    }
    block.steps = steps;
}

/// Notes an integer that is known.
fn note_number(step: &Step, numbers: &mut HashMap<Val, i64>) {
    if let (StepKind::Constant(Constant::Int(n)), [result]) = (step.kind, &step.results[..]) {
        numbers.insert(*result, n);
    }
}

/// How the one value that a loop carries is combined, if that is all the loop does, and it has more than a few iterations. `numbers`: integers
/// that are known.
pub fn combined(code: &Code, numbers: &HashMap<Val, i64>, step: &Step) -> Option<Combined> {
    let ([_, _, by, _], [result], [body]) = (&step.operands[..], &step.results[..], &step.blocks[..]) else {
        return None;
    };
    let known = |n: usize| numbers.get(&step.operands[n]);
    let is_short = |lower: i64, upper: i64| upper.saturating_sub(lower) < Code::LONG_SUM;
    if known(0).zip(known(1)).is_some_and(|(lower, upper)| is_short(*lower, *upper)) {
        return None;
    }
    if step.kind != StepKind::For || numbers.get(by) != Some(&1) || has_effect_or_loop(body) {
        return None;
    }
    let combined = combination(body, code.dtype(*result))?;
    let carried = body.parameters[1];
    let mut is_alone = !body.yields.contains(&carried);
    for (n, step) in body.steps.iter().enumerate() {
        is_alone &= combined.steps.contains(&n) || !step.used().contains(&carried);
    }
    is_alone.then_some(combined)
}

/// The loop's sum, and what that is with the first value.
pub fn share(code: &mut Code, step: Step, combined: &Combined, steps: &mut Vec<Step>) {
    let Step { operands, results, blocks, .. } = step;
    let ([lower, upper, _, initial], [result]) = (&operands[..], &results[..]) else { return };
    let dtype = code.dtype(*result);
    let mut define = |dtype: DType| {
        code.dtypes.push(dtype);
        Val(code.dtypes.len() as u32 - 1)
    };
    let [extent, point] = [define(DType::I64), define(DType::I64)];
    let total = define(dtype);
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
    let all = StepKind::Op(combined.op);
    if combined.is_exact {
        return steps.push(simple(all, vec![*initial, total], *result));
    }
    // -0.0 and 0.0 is 0.0, and complex inf times 1 is nan.
    let [zero, is_any, sum] = [define(DType::I64), define(DType::Bool), define(dtype)];
    steps.push(simple(StepKind::Constant(Constant::Int(0)), Vec::new(), zero));
    steps.push(simple(StepKind::Op(ScalarOp::Gt), vec![extent, zero], is_any));
    steps.push(simple(all, vec![*initial, total], sum));
    steps.push(simple(StepKind::Op(ScalarOp::Select), vec![is_any, sum, *initial], *result));
}

/// A step with one result.
pub fn simple(kind: StepKind, operands: Vec<Val>, result: Val) -> Step {
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

/// How a body's yield is its carried value and another one, combined by an operation, or chosen between them by a comparison. Of floats a comparison is none: nan
/// loses it, and comes first.
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
    let is_exact = dtype == DType::Bool || dtype.is_integer();
    let is_sum = matches!(combining, ScalarOp::Add | ScalarOp::Mul);
    let fits = |reducer: &Reducer| {
        (is_exact || is_sum) && reducer.operation() == Some(combining) && reducer.result(dtype) == Some(dtype)
    };
    let reducer = Reducer::ALL.into_iter().find(fits)?;
    Some(Combined { value, reducer, op, steps, is_exact })
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
