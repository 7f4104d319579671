//! Loops of a program that only carry one value, which each iteration combines with a value of its own, as `reduce` statements.
//!
//! In: [`Code`]. Out: which of its loops are such, and the same code with a `reduce` in the place of those that all threads of a cooperative program run alike:
//! they share it. Integers wrap and truth values have no order, so that any order gives the same; sums and products of floats are rounded in
//! another order than the loop's. What the loop started with is combined last; it is the result where there is no iteration.

use std::collections::HashMap;

use numptx_ir::DType;
use numptx_ir::scalar::{Block, Code, Constant, Reducer, ScalarOp, Stmt, StmtKind, Val};

/// How a loop's carried value becomes the next one.
pub struct Combined {
    /// What an iteration combines it with.
    value: Val,
    reducer: Reducer,
    /// What combines the first value with those of all iterations.
    op: ScalarOp,
    /// The steps of the body that do so, by their positions.
    stmts: Vec<usize>,
    /// Whether any order gives the same.
    pub is_exact: bool,
}

/// Of each `for` of a program, in the order of the text, whether it only combines.
pub fn combining_loops(code: &Code) -> Vec<bool> {
    let mut numbers = HashMap::new();
    let mut found = Vec::new();
    code.block.for_each_stmt(&mut |stmt| {
        note_number(stmt, &mut numbers);
        if stmt.kind == StmtKind::For {
            found.push(combined(code, &numbers, stmt).is_some());
        }
    });
    found
}

/// Makes `reduce` steps of the loops of a cooperative program that only combine, but for those in its work items.
pub fn share_combined(code: &mut Code) {
    let mut block = std::mem::take(&mut code.block);
    share_in(code, &mut HashMap::new(), &mut block);
    code.block = block;
}

fn share_in(code: &mut Code, numbers: &mut HashMap<Val, i64>, block: &mut Block) {
    let mut stmts = Vec::with_capacity(block.stmts.len());
    for mut stmt in std::mem::take(&mut block.stmts) {
        note_number(&stmt, numbers);
        if matches!(stmt.kind, StmtKind::For | StmtKind::While | StmtKind::If) {
            stmt.blocks.iter_mut().for_each(|nested| share_in(code, numbers, nested));
        }
        match combined(code, numbers, &stmt) {
            Some(combined) => share(code, stmt, &combined, &mut stmts),
            None => stmts.push(stmt),
        }
    }
    block.stmts = stmts;
}

/// Notes an integer that is known.
fn note_number(stmt: &Stmt, numbers: &mut HashMap<Val, i64>) {
    if let (StmtKind::Constant(Constant::Int(n)), [result]) = (stmt.kind, &stmt.results[..]) {
        numbers.insert(*result, n);
    }
}

/// How the one value that a loop carries is combined, if that is all the loop does, and it has more than a few iterations. `numbers`: integers
/// that are known.
pub fn combined(code: &Code, numbers: &HashMap<Val, i64>, stmt: &Stmt) -> Option<Combined> {
    let ([_, _, by, _], [result], [body]) = (&stmt.operands[..], &stmt.results[..], &stmt.blocks[..]) else {
        return None;
    };
    let known = |n: usize| numbers.get(&stmt.operands[n]);
    let is_short = |lower: i64, upper: i64| upper.saturating_sub(lower) < Code::LONG_SUM;
    if known(0).zip(known(1)).is_some_and(|(lower, upper)| is_short(*lower, *upper)) {
        return None;
    }
    if stmt.kind != StmtKind::For || numbers.get(by) != Some(&1) || has_effect_or_loop(body) {
        return None;
    }
    let combined = combination(body, code.dtype(*result))?;
    let carried = body.parameters[1];
    let mut is_alone = !body.yields.contains(&carried);
    for (n, stmt) in body.stmts.iter().enumerate() {
        is_alone &= combined.stmts.contains(&n) || !stmt.used().contains(&carried);
    }
    is_alone.then_some(combined)
}

/// The loop's sum, and what that is with the first value.
pub fn share(code: &mut Code, stmt: Stmt, combined: &Combined, stmts: &mut Vec<Stmt>) {
    let Stmt { operands, results, blocks, .. } = stmt;
    let ([lower, upper, _, initial], [result]) = (&operands[..], &results[..]) else { return };
    let dtype = code.dtype(*result);
    let mut define = |dtype: DType| {
        code.dtypes.push(dtype);
        Val(code.dtypes.len() as u32 - 1)
    };
    let [extent, work_item] = [define(DType::I64), define(DType::I64)];
    let total = define(dtype);
    stmts.push(simple(StmtKind::Op(ScalarOp::Sub), vec![*upper, *lower], extent));
    let mut blocks = blocks;
    if let [body] = &mut blocks[..] {
        let index = std::mem::replace(&mut body.parameters, vec![work_item])[0];
        let mut at = 0..;
        body.stmts.retain(|_| at.next().is_some_and(|n| !combined.stmts.contains(&n)));
        body.stmts.insert(0, simple(StmtKind::Op(ScalarOp::Add), vec![*lower, work_item], index));
        body.yields = vec![combined.value];
    }
    let kind = StmtKind::Reduce(combined.reducer);
    stmts.push(Stmt { kind, operands: vec![extent], results: vec![total], blocks });
    let all = StmtKind::Op(combined.op);
    if combined.is_exact {
        return stmts.push(simple(all, vec![*initial, total], *result));
    }
    // -0.0 and 0.0 is 0.0, and complex inf times 1 is nan.
    let [zero, is_any, sum] = [define(DType::I64), define(DType::Bool), define(dtype)];
    stmts.push(simple(StmtKind::Constant(Constant::Int(0)), Vec::new(), zero));
    stmts.push(simple(StmtKind::Op(ScalarOp::Gt), vec![extent, zero], is_any));
    stmts.push(simple(all, vec![*initial, total], sum));
    stmts.push(simple(StmtKind::Op(ScalarOp::Select), vec![is_any, sum, *initial], *result));
}

/// A statement with one result.
pub fn simple(kind: StmtKind, operands: Vec<Val>, result: Val) -> Stmt {
    Stmt { kind, operands, results: vec![result], blocks: Vec::new() }
}

/// Whether a body does more than compute.
fn has_effect_or_loop(body: &Block) -> bool {
    let mut found = false;
    body.for_each_stmt(&mut |stmt| {
        found |= !matches!(
            stmt.kind,
            StmtKind::Constant(_) | StmtKind::Op(_) | StmtKind::Input(_) | StmtKind::Load(_) | StmtKind::If
        );
    });
    found
}

/// How a body's yield is its carried value and another one, combined by an operation, or chosen between them by a comparison. Of floats a comparison is none:
/// nan loses it, and comes first.
fn combination(body: &Block, dtype: DType) -> Option<Combined> {
    let ([_, carried], [yielded]) = (&body.parameters[..], &body.yields[..]) else { return None };
    let at = |val: Val| body.stmts.iter().position(|stmt| stmt.results == [val]);
    let last = at(*yielded)?;
    let is_used_twice =
        |val: Val, by: usize| body.stmts.iter().enumerate().any(|(n, stmt)| n != by && stmt.used().contains(&val));
    if is_used_twice(*yielded, last) {
        return None;
    }
    let (op, value, stmts) = match (body.stmts[last].kind, &body.stmts[last].operands[..]) {
        (StmtKind::Op(ScalarOp::Select), [condition, a, b]) => {
            let value = other(*a, *b, *carried)?;
            let test = at(*condition).filter(|_| !is_used_twice(*condition, last))?;
            (chosen(&body.stmts[test], *a, *b)?, value, vec![test, last])
        }
        (StmtKind::Op(ScalarOp::Sub), [a, b]) if a == carried && b != carried => (ScalarOp::Sub, *b, vec![last]),
        (StmtKind::Op(op), [a, b]) if op != ScalarOp::Sub => (op, other(*a, *b, *carried)?, vec![last]),
        _ => return None,
    };
    let combining = if op == ScalarOp::Sub { ScalarOp::Add } else { op };
    let is_exact = dtype == DType::Bool || dtype.is_integer();
    let is_sum = matches!(combining, ScalarOp::Add | ScalarOp::Mul);
    let fits = |reducer: &Reducer| {
        (is_exact || is_sum) && reducer.operation() == Some(combining) && reducer.result(dtype) == Some(dtype)
    };
    let reducer = Reducer::ALL.into_iter().find(fits)?;
    Some(Combined { value, reducer, op, stmts, is_exact })
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
fn chosen(test: &Stmt, a: Val, b: Val) -> Option<ScalarOp> {
    let is_swapped = match test.operands[..] {
        [x, y] if (x, y) == (a, b) => false,
        [x, y] if (x, y) == (b, a) => true,
        _ => return None,
    };
    match (test.kind, is_swapped) {
        (StmtKind::Op(ScalarOp::Gt | ScalarOp::Ge), false) | (StmtKind::Op(ScalarOp::Lt | ScalarOp::Le), true) => {
            Some(ScalarOp::Max)
        }
        (StmtKind::Op(ScalarOp::Lt | ScalarOp::Le), false) | (StmtKind::Op(ScalarOp::Gt | ScalarOp::Ge), true) => {
            Some(ScalarOp::Min)
        }
        _ => None,
    }
}
