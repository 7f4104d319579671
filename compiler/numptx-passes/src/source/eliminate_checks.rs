//! **Does**: drops checks of floats that never fail, because of what their operands are made of: `math.sin(0.1 * t)` of a counter is a number, and so
//! is `math.sqrt(t + 1)`, which is not 0 either; `0.9 ** t` does not overflow.
//! **Requires**: phase Source. Works best when computations of single elements are fused.
//! **Ensures**: no check of a float is left whose condition follows from ranges of integers and floats.
//! **Keeps**: values, writes, and every check that can fail.
//! **Example**: `for 0, %n, 1 (%t) { %x = cast %t; %r = sqrt %x; %f = isfinite %r; check %f; … }` becomes
//! `for 0, %n, 1 (%t) { %x = cast %t; %r = sqrt %x; … }`.

mod known;
mod ranges;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use numptx_ir::DType;
use numptx_ir::array::{Function, Map, Module, Op, OpKind, Region, Type, ValueId};
use numptx_ir::scalar::{InstrKind, ScalarOp};
use numptx_source::InternalError;

use self::known::Known;
use crate::Pass;
use crate::analysis::traverse::{count_uses, for_each_op};
use crate::source::remove_dead::remove_dead_ops;

/// See the file's header.
pub const ELIMINATE_CHECKS: Pass =
    Pass::optional("eliminate-checks", "drop checks of floats that never fail", drop_checks);

/// Limit: how far definitions are followed.
const DEPTH: usize = 24;
/// Limit: an array has no more elements than this along an axis.
const LARGEST_EXTENT: i64 = 1 << 60;

fn drop_checks(module: &mut Module) -> Result<(), InternalError> {
    for function in &mut module.functions {
        let definitions = Definitions::of(function);
        let mut body = std::mem::take(&mut function.body);
        let is_changed = drop_in(&mut body, &definitions, &mut HashMap::new());
        function.body = body;
        if is_changed {
            remove_dead_ops(function);
        }
    }
    Ok(())
}

/// Whether any check was dropped. `least`: integers that are at least as large where the region runs.
fn drop_in(region: &mut Region, definitions: &Definitions, least: &mut HashMap<ValueId, i64>) -> bool {
    let n = region.ops.len();
    region.ops.retain(|op| !is_certain(op, definitions, least));
    let mut is_changed = region.ops.len() < n;
    for op in region.ops.iter_mut().filter(|op| !op.regions.is_empty()) {
        let around = least.clone();
        let inside = definitions.least_inside(op, least);
        least.extend(inside);
        for nested in &mut op.regions {
            is_changed |= drop_in(nested, definitions, least);
        }
        *least = around;
    }
    is_changed
}

/// Whether an op is a check of floats that holds whatever they are.
fn is_certain(op: &Op, definitions: &Definitions, least: &HashMap<ValueId, i64>) -> bool {
    if !matches!(op.kind, OpKind::Check { .. }) {
        return false;
    }
    let condition = op.operands[0];
    let find = |value: ValueId, given: Option<(ValueId, Known)>| {
        Evaluation { definitions, least, given, found: HashMap::new() }.of(value, DEPTH)
    };
    let holds = |given| find(condition, given) == Known::Truth(Some(true));
    // A result and its operand are nan together: what is true in each case of one of them is true.
    let holds_in_cases = |value: &ValueId| match find(*value, None) {
        Known::Float(range) => range.cases().into_iter().all(|case| holds(Some((*value, Known::Float(case))))),
        _ => false,
    };
    let tested = definitions.floats_of(condition, DEPTH);
    !tested.is_empty() && (holds(None) || tested.iter().any(holds_in_cases))
}

/// How a value is made.
enum Definition {
    Op(OpKind, Vec<ValueId>),
    /// The index of a loop from one to below another, by a step.
    Index([ValueId; 3]),
}

/// How scalars are made, and single elements that nothing else looks at.
struct Definitions {
    dtypes: Vec<Option<DType>>,
    made: HashMap<ValueId, Definition>,
}

impl Definitions {
    fn of(function: &Function) -> Self {
        let uses = count_uses(function);
        let dtypes = function.values.iter().map(|value| match value.ty {
            Type::Scalar(dtype) => Some(dtype),
            Type::Array(_) | Type::Object => None,
        });
        let mut definitions = Definitions { dtypes: dtypes.collect(), made: HashMap::new() };
        for_each_op(&function.body, &mut |op| {
            let is_own = |v: &ValueId| uses.get(v.0 as usize) == Some(&1);
            let is_followed = match &op.kind {
                OpKind::Constant(_) | OpKind::Scalar(_) | OpKind::Dim(_) | OpKind::Item => true,
                OpKind::Map(map) => map.rank == 0 && op.results.iter().all(is_own),
                _ => false,
            };
            if let (true, [result]) = (is_followed, &op.results[..]) {
                definitions.made.insert(*result, Definition::Op(op.kind.clone(), op.operands.clone()));
            }
            if let (OpKind::For, [lower, upper, step, ..]) = (&op.kind, &op.operands[..]) {
                definitions.made.insert(op.regions[0].parameters[0], Definition::Index([*lower, *upper, *step]));
            }
        });
        definitions
    }

    fn dtype(&self, value: ValueId) -> Option<DType> {
        self.dtypes.get(value.0 as usize).copied().flatten()
    }

    /// The floats that a condition tests.
    fn floats_of(&self, condition: ValueId, depth: usize) -> Vec<ValueId> {
        let Some(Definition::Op(OpKind::Scalar(_), operands)) = self.made.get(&condition) else { return Vec::new() };
        let of_operand = |v: &ValueId| match self.dtype(*v) {
            Some(DType::F64) => vec![*v],
            Some(DType::Bool) if depth > 0 => self.floats_of(*v, depth - 1),
            _ => Vec::new(),
        };
        operands.iter().flat_map(of_operand).collect()
    }

    /// What an iteration knows: a loop that rises from a number ends above it, and so does what its end is a sum of.
    fn least_inside(&self, op: &Op, least: &HashMap<ValueId, i64>) -> Vec<(ValueId, i64)> {
        let (OpKind::For, [lower, upper, step, ..]) = (&op.kind, &op.operands[..]) else { return Vec::new() };
        let find = |value: ValueId| {
            Evaluation { definitions: self, least, given: None, found: HashMap::new() }.of(value, DEPTH)
        };
        let (Known::Int(lower, _), Known::Int(1.., _)) = (find(*lower), find(*step)) else { return Vec::new() };
        let end = lower.saturating_add(1);
        let mut ends = vec![(*upper, end)];
        if let Some(Definition::Op(OpKind::Scalar(ScalarOp::Add), operands)) = self.made.get(upper)
            && let (Known::Int(n, more), [value, _]) = (find(operands[1]), &operands[..])
            // Sums that wrapped are less than this.
            && n == more && n >= 0 && end >= 0
        {
            ends.push((*value, end - n));
        }
        let known = |value: &ValueId| least.get(value).copied().unwrap_or(i64::MIN);
        ends.into_iter().map(|(value, end)| (value, end.max(known(&value)))).collect()
    }
}

/// Finds what values are where something may be known of one of them.
struct Evaluation<'d> {
    definitions: &'d Definitions,
    least: &'d HashMap<ValueId, i64>,
    given: Option<(ValueId, Known)>,
    found: HashMap<ValueId, Known>,
}

impl Evaluation<'_> {
    fn of(&mut self, value: ValueId, depth: usize) -> Known {
        if let Some((_, known)) = self.given.filter(|(given, _)| *given == value) {
            return known;
        }
        if let Some(known) = self.found.get(&value) {
            return *known;
        }
        let Some(dtype) = self.definitions.dtype(value) else { return Known::Anything };
        let known = if depth == 0 { None } else { self.made(value, dtype, depth - 1) };
        let known = match (known.unwrap_or(Known::of_dtype(dtype)), self.least.get(&value)) {
            (Known::Int(low, high), Some(least)) => Known::Int(low.max(*least), high.max(*least)),
            (known, _) => known,
        };
        if depth > 0 {
            self.found.insert(value, known);
        }
        known
    }

    fn made(&mut self, value: ValueId, dtype: DType, depth: usize) -> Option<Known> {
        let definitions = self.definitions;
        match definitions.made.get(&value)? {
            Definition::Index(range) => self.index(*range, depth),
            Definition::Op(OpKind::Constant(constant), _) => Some(Known::of_constant(*constant, dtype)),
            Definition::Op(OpKind::Dim(_), _) => Some(Known::Int(0, LARGEST_EXTENT)),
            Definition::Op(OpKind::Scalar(op), operands) => {
                let known: Vec<Known> = operands.iter().map(|v| self.of(*v, depth)).collect();
                let is_one = operands.len() == 2 && operands[0] == operands[1];
                Some(Known::of_op(*op, &known, is_one, dtype))
            }
            Definition::Op(OpKind::Item, operands) => match definitions.made.get(&operands[0])? {
                Definition::Op(OpKind::Map(map), operands) => self.element(map, operands, depth),
                _ => None,
            },
            Definition::Op(..) => None,
        }
    }

    /// An index lies between the ends of its loop, whose iterations it counts.
    fn index(&mut self, [lower, upper, step]: [ValueId; 3], depth: usize) -> Option<Known> {
        let [lower, upper, step] = [lower, upper, step].map(|v| self.of(v, depth));
        let (Known::Int(first, last), Known::Int(least, most), Known::Int(by, up_to)) = (lower, upper, step) else {
            return None;
        };
        let (low, high) = match (by, up_to) {
            (1.., _) => (first, most.saturating_sub(1)),
            (_, ..=-1) => (least.saturating_add(1), last),
            _ => return None,
        };
        (low <= high).then_some(Known::Int(low, high))
    }

    /// The single element of a computation.
    fn element(&mut self, map: &Map, operands: &[ValueId], depth: usize) -> Option<Known> {
        let [output] = map.body.outputs[..] else { return None };
        let mut known: Vec<Known> = Vec::with_capacity(map.body.instrs.len());
        for instr in &map.body.instrs {
            known.push(match &instr.kind {
                InstrKind::Constant(constant) => Known::of_constant(*constant, instr.dtype),
                InstrKind::Op(op, of) => {
                    let is_one = of.len() == 2 && of[0] == of[1];
                    let of: Vec<Known> = of.iter().map(|v| known[v.0 as usize]).collect();
                    Known::of_op(*op, &of, is_one, instr.dtype)
                }
                InstrKind::Input(n) => match operands.get(*n as usize).map(|v| self.of(*v, depth)) {
                    Some(scalar) if scalar != Known::Anything => scalar,
                    _ => Known::of_dtype(instr.dtype),
                },
                _ => Known::of_dtype(instr.dtype),
            });
        }
        known.get(output.0 as usize).copied()
    }
}
