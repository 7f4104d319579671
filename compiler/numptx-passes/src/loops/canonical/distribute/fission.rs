//! A loop's body in parts that may run at times of their own.
//!
//! In: a `for` op. Out: the same with a body of loops that carry nothing, and of scalars and views that each of them can compute for itself.
//! What stands between such loops, and loops that give something to what follows, are wrapped in a loop of one iteration. Where a loop is all there is in
//! another one, its body is taken apart instead, if that is asked for.

use std::collections::HashSet;

use numptx_ir::DType;
use numptx_ir::array::{Function, Op, OpKind, Region, Type, ValueId};
use numptx_ir::scalar::Constant;
use numptx_source::Span;

use crate::loops::emit::hoist::define;

/// A loop in parts.
pub struct Parts {
    /// The loop.
    pub op: Op,
    /// The indices of the loops around the parts, each in the one before.
    pub around: Vec<ValueId>,
    /// The indices of loops of one iteration.
    pub single: HashSet<ValueId>,
}

impl Parts {
    /// The body that the parts stand in.
    pub fn body(&self) -> &Region {
        let mut body = &self.op.regions[0];
        for index in &self.around[1..] {
            let is_it = |op: &&Op| op.kind == OpKind::For && op.regions[0].parameters.first() == Some(index);
            let Some(inner) = body.ops.iter().find(is_it) else { break };
            body = &inner.regions[0];
        }
        body
    }

    /// The same, to change it.
    pub fn body_mut(&mut self) -> &mut Region {
        let mut body = &mut self.op.regions[0];
        for index in &self.around[1..] {
            let is_it = |op: &Op| op.kind == OpKind::For && op.regions[0].parameters.first() == Some(index);
            let Some(at) = body.ops.iter().position(is_it) else { break };
            body = &mut body.ops[at].regions[0];
        }
        body
    }
}

/// Splits the body of a loop, or of the one that is all there is in it, and so on: of so many loops at most.
pub fn parts_within(function: &mut Function, op: &Op, depth: usize) -> Option<Parts> {
    let mut whole = parts(function, op)?;
    if depth < 2 {
        return Some(whole);
    }
    let mut loops = whole.op.regions[0].ops.iter().enumerate().filter(|(_, inner)| inner.kind == OpKind::For);
    let (Some((at, only)), None) = (loops.next(), loops.next()) else { return Some(whole) };
    if whole.single.contains(&only.regions[0].parameters[0]) {
        return Some(whole);
    }
    if let Some(within) = parts_within(function, &only.clone(), depth - 1) {
        whole.op.regions[0].ops[at] = within.op;
        whole.around.extend(within.around);
        whole.single = within.single;
    }
    Some(whole)
}

/// Splits a loop's body; `None` where it has no loops that could run at times of their own.
pub fn parts(function: &mut Function, op: &Op) -> Option<Parts> {
    let mut split =
        Split { function, ops: Vec::new(), run: Vec::new(), computed: HashSet::new(), single: HashSet::new() };
    let ops = &op.regions[0].ops;
    for (at, nested) in ops.iter().enumerate() {
        let uses_run = uses(nested, &split.computed);
        if matches!(nested.kind, OpKind::Check { .. }) || nested.kind.is_terminator() {
            continue;
        }
        if nested.kind.is_pure_scalar_or_view() && !uses_run {
            split.ops.push(nested.clone());
            continue;
        }
        let is_part = matches!(nested.kind, OpKind::For) && nested.results.is_empty();
        if is_part && !ops[at..].iter().any(|op| uses(op, &split.computed)) {
            split.close(op.span);
            split.ops.push(nested.clone());
            continue;
        }
        let mut defined = HashSet::new();
        define(nested, &mut defined);
        split.computed.extend(defined);
        split.run.push(nested.clone());
    }
    split.close(op.span);
    let n_parts = split.ops.iter().filter(|op| matches!(op.kind, OpKind::For)).count();
    let has_loops = n_parts > split.single.len();
    let mut ops = split.ops;
    ops.push(yielding(op.span));
    let region = Region { parameters: op.regions[0].parameters.clone(), ops };
    let around = vec![op.regions[0].parameters[0]];
    has_loops.then(|| Parts { op: Op { regions: vec![region], ..op.clone() }, around, single: split.single })
}

fn yielding(span: Span) -> Op {
    Op { kind: OpKind::Yield, operands: Vec::new(), results: Vec::new(), regions: Vec::new(), span }
}

struct Split<'f> {
    function: &'f mut Function,
    ops: Vec<Op>,
    /// What is to be wrapped.
    run: Vec<Op>,
    /// What that defines.
    computed: HashSet<ValueId>,
    single: HashSet<ValueId>,
}

impl Split<'_> {
    /// Wraps what was collected.
    fn close(&mut self, span: Span) {
        self.computed.clear();
        if self.run.is_empty() {
            return;
        }
        let (zero, one) = (self.number(0, span), self.number(1, span));
        let index = self.function.add_value(Type::Scalar(DType::I64));
        let mut ops = std::mem::take(&mut self.run);
        ops.push(yielding(span));
        let regions = vec![Region { parameters: vec![index], ops }];
        self.ops.push(Op { kind: OpKind::For, operands: vec![zero, one, one], results: Vec::new(), regions, span });
        self.single.insert(index);
    }

    fn number(&mut self, n: i64, span: Span) -> ValueId {
        let result = self.function.add_value(Type::Scalar(DType::I64));
        let kind = OpKind::Constant(Constant::Int(n));
        self.ops.push(Op { kind, operands: Vec::new(), results: vec![result], regions: Vec::new(), span });
        result
    }
}

fn uses(op: &Op, values: &HashSet<ValueId>) -> bool {
    op.operands.iter().any(|v| values.contains(v))
        || op.regions.iter().flat_map(|region| &region.ops).any(|nested| uses(nested, values))
}
