//! Ops as a program of one work item.
//!
//! In: ops, loops among them, and those of their results that are used. Out: a nest of one work item, the arrays of rank 0 that its results go to, and what
//! reads them.

use numptx_ir::array::{ArrayType, Layout, LoopStrategy, Op, OpKind, Type, ValueId};
use numptx_ir::scalar::zero;
use numptx_source::Span;

use crate::loops::function::FormNests;
use crate::loops::nest::program::Raised;
use crate::loops::schedule::launches::Threads;
use crate::loops::schedule::plan::Plan;
use crate::loops::schedule::plan::nest;

/// A program of one work item.
pub struct Alone {
    /// What it needs before it.
    pub before: Vec<Op>,
    /// The nest.
    pub nest: Op,
    /// What reads its results.
    pub results: Vec<Op>,
    /// What it may say which checks failed.
    pub raised: Vec<Raised>,
}

impl FormNests<'_> {
    /// A nest of one work item, and its results read back.
    pub fn sequential(&mut self, plan: &Plan, ops: Vec<Op>, results: &[ValueId]) -> Option<Vec<Op>> {
        let alone = self.alone(plan, ops, results, None)?;
        Some([alone.before, vec![alone.nest], alone.results].concat())
    }

    /// A nest of one work item, which may say in `payload` which check failed.
    pub fn alone(
        &mut self,
        plan: &Plan,
        mut ops: Vec<Op>,
        results: &[ValueId],
        payload: Option<ValueId>,
    ) -> Option<Alone> {
        let is_loop = |op: &&Op| matches!(op.kind, OpKind::For | OpKind::While);
        let span = ops.iter().find(is_loop).or(ops.first()).map_or(Span::default(), |op| op.span);
        let mut before = Vec::new();
        let mut homes = Vec::with_capacity(results.len());
        for result in results {
            match self.function.ty(*result) {
                Type::Scalar(dtype) if self.draft.unused.contains(result) => {
                    let (kind, results) = (OpKind::Constant(zero(dtype)), vec![*result]);
                    before.push(Op { kind, operands: Vec::new(), results, regions: Vec::new(), span });
                }
                _ => homes.push((*result, self.home(*result, span, &mut before))),
            }
        }
        for op in &ops {
            if is_loop(&op) {
                self.decide(op, LoopStrategy::OneThread, plan);
            }
            self.decide_inner(op, &[], LoopStrategy::OneThread, plan);
        }
        // The program's own results have other names than what is read back.
        let names = self.rename(&mut ops);
        let stored: Vec<(ValueId, ValueId)> = homes.iter().map(|(v, home)| (names.resolve(*v), *home)).collect();
        let program = self.program_telling(plan, &ops, &[], &stored, payload)?;
        self.note_kernel(Threads::One, &ops, &|_| false);
        let raised = program.raised.clone();
        let homes = homes.into_iter().filter(|(result, home)| result != home);
        let read = |(result, home): (ValueId, ValueId)| Op {
            kind: OpKind::Item,
            operands: vec![home],
            results: vec![result],
            regions: Vec::new(),
            span,
        };
        Some(Alone { before, nest: nest(program, Vec::new(), span), results: homes.map(read).collect(), raised })
    }

    /// An array of rank 0 for a scalar; such an array itself.
    pub fn home(&mut self, result: ValueId, span: Span, ops: &mut Vec<Op>) -> ValueId {
        let dtype = self.function.ty(result).dtype();
        let ty = ArrayType { dtype, rank: 0, layout: Layout::C, writable: true };
        let home = match self.function.ty(result) {
            Type::Array(_) => result,
            // Loops that carry objects are no nests: see `form_nests`.
            Type::Scalar(_) | Type::Object => self.function.add_value(Type::Array(ty)),
        };
        self.known.points_to.add_fresh(home);
        self.zeroed(home, span, ops);
        home
    }
}
