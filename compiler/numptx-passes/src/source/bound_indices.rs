//! **Does**: decides comparisons of indices with 0 and with extents where the indices are known to lie in an axis, because they were made of points
//! of that axis: `np.mgrid`, `np.arange(n)`, `np.nonzero`, and what masks choose of them. Checks of such indices go. Where the extent is another number
//! than that of the axis, they are made only if it is larger: the host compares both, and waits for nothing.
//! **Requires**: phase Source. Works best after `simplify`, and before `reduce-masked`, after which compactions have another form.
//! **Ensures**: no body compares an index from 0 to an extent with 0, with that extent, or with its negative.
//! **Keeps**: every value, every write, and every check that can fail.
//! **Example**: `%i = map (%n) { index 0 }; %b = reduce [or] (%n; %i, %n) { $0 >= $1 or $0 < 0 - $1 }; %f = item %b` becomes `%f = constant<false>`.

mod extents;
mod facts;

use numptx_ir::array::{Function, Map, Module, Op, OpKind, Order, Region};
use numptx_ir::scalar::{Body, BodyBuilder, Constant, InstrKind, Reducer, ScalarOp, Val};
use numptx_source::InternalError;

use self::extents::ask_extents;
use self::facts::{Facts, Known};
use crate::Pass;
use crate::source::simplify::simplify_function;

/// See the file's header.
pub const BOUND_INDICES: Pass =
    Pass::optional("bound-indices", "drop checks of indices that were made within bounds", bound_indices);

fn bound_indices(module: &mut Module) -> Result<(), InternalError> {
    for function in &mut module.functions {
        let facts = Facts::of(function);
        let mut body = std::mem::take(&mut function.body);
        let is_decided = in_region(function, &facts, &mut body);
        let is_asked = ask_extents(function, &facts, &mut body);
        function.body = body;
        if is_decided || is_asked {
            simplify_function(function);
        }
    }
    Ok(())
}

/// Whether anything was decided.
fn in_region(function: &Function, facts: &Facts, region: &mut Region) -> bool {
    let mut is_changed = false;
    for op in &mut region.ops {
        for nested in &mut op.regions {
            is_changed |= in_region(function, facts, nested);
        }
        let known = facts.of_op(function, op);
        is_changed |= known.is_some_and(|known| in_op(op, &known));
    }
    is_changed
}

fn in_op(op: &mut Op, known: &[Known]) -> bool {
    let body = match &mut op.kind {
        OpKind::Map(map) => &mut map.body,
        OpKind::Reduce(reduce) => &mut reduce.body,
        OpKind::Scan(scan) => &mut scan.body,
        OpKind::Scatter(scatter) => &mut scatter.body,
        _ => return false,
    };
    let Some(decided) = decided(body, known) else { return false };
    *body = decided;
    if let Some(never) = never_true(op) {
        op.operands.clear();
        op.kind = OpKind::Map(Box::new(never));
    }
    true
}

/// The one element of an `or` over all axes that is known to be false.
fn never_true(op: &Op) -> Option<Map> {
    let OpKind::Reduce(reduce) = &op.kind else { return None };
    let [output] = reduce.body.outputs[..] else { return None };
    let is_never = reduce.rank == reduce.n_reduced
        && reduce.reducers == [Reducer::Or]
        && reduce.epilogue.is_none()
        && truth_of(&reduce.body, output) == Some(false);
    is_never.then(|| Map { rank: 0, body: reduce.body.clone(), order: Order::C })
}

/// The body with constants in the place of what is known to be true or false; `None` if nothing is. Operands stay what they are.
fn decided(body: &Body, known: &[Known]) -> Option<Body> {
    let mut constant = body.clone();
    for (instr, known) in constant.instrs.iter_mut().zip(known) {
        if let Known::Truth(truth) = known {
            instr.kind = InstrKind::Constant(Constant::Bool(*truth));
        }
    }
    let decided = without_decided(&constant);
    (constant != *body && decided.n_tables() == body.n_tables()).then_some(decided)
}

fn truth_of(body: &Body, val: Val) -> Option<bool> {
    match body.instrs[val.0 as usize].kind {
        InstrKind::Constant(Constant::Bool(truth)) => Some(truth),
        _ => None,
    }
}

/// The same without choices that are known, and without operations that known operands do not change.
fn without_decided(body: &Body) -> Body {
    let mut builder = BodyBuilder::new();
    let mut vals: Vec<Val> = Vec::with_capacity(body.instrs.len());
    for instr in &body.instrs {
        let kind = match &instr.kind {
            InstrKind::Op(op, operands) => {
                if let Some(same) = same_as(body, *op, operands) {
                    vals.push(vals[same.0 as usize]);
                    continue;
                }
                InstrKind::Op(*op, operands.iter().map(|v| vals[v.0 as usize]).collect())
            }
            InstrKind::Element(table, at) => {
                InstrKind::Element(*table, at.iter().map(|v| vals[v.0 as usize]).collect())
            }
            other => other.clone(),
        };
        vals.push(builder.push(kind, instr.dtype));
    }
    builder.finish(body.outputs.iter().map(|v| vals[v.0 as usize]).collect())
}

/// The operand that an operation gives, because the others are known.
fn same_as(body: &Body, op: ScalarOp, operands: &[Val]) -> Option<Val> {
    let truth = |n: usize| operands.get(n).and_then(|v| truth_of(body, *v));
    let neutral = match op {
        ScalarOp::Select => return truth(0).map(|chosen| operands[if chosen { 1 } else { 2 }]),
        ScalarOp::BitOr => false,
        ScalarOp::BitAnd => true,
        _ => return None,
    };
    let other = (truth(0) == Some(neutral)).then_some(1).or_else(|| (truth(1) == Some(neutral)).then_some(0));
    other.map(|n| operands[n])
}
