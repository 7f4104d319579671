//! **Does**: stores scalars of iterations that loops in these use to elements of arrays, so that the loops are statements of their own.
//! **Requires**: phase Placed.
//! **Ensures**: each such scalar has an array, which is made before the loop, and what follows the first inner loop reads its element. Loops by falling or
//! unknown strides stay as they are; a check is added that an index is at least 0. Stores over rows, which are no loops yet, read elements, too.
//! A parallel loop inside of one on the host is distributed in the same way: its kernels have a work item an element, and not one a row.
//! **Keeps**: values. Scalar expansion: Allen and Kennedy, *Optimizing Compilers for Modern Architectures*, 5.3.
//! **Example**: `for i: f = a[i, k] / a[k, k]; for j: a[i, j] -= f * a[k, j]; b[i] -= f * b[k]` becomes
//! `for i: t[i] = a[i, k] / a[k, k]; for j: a[i, j] -= t[i] * a[k, j]; b[i] -= t[i] * b[k]`.

use std::collections::HashSet;

use numptx_ir::DType;
use numptx_ir::array::{ArrayType, ErrorKind, Layout, Op, OpKind, Order, Region, Store, Type, ValueId};
use numptx_ir::scalar::{Body, ScalarOp};

use crate::Pass;
use crate::loops::canonical::each_loop::{Rewritten, each_loop};
use numptx_source::Span;

use crate::analysis::constants::constants_among;
use crate::analysis::points_to::written_arrays;
use crate::analysis::traverse::{Substitution, for_each_op, substitute};
use crate::loops::assumptions::guards::HostProgram;
use crate::loops::canonical::distribute::rematerialisation::{Reading, used_through_views};
use crate::loops::dependence::{Class, classify};
use crate::loops::function::FormNests;
use crate::loops::nest::program::Program;
use crate::loops::nest::program::Translation;
use crate::loops::nest::rows::originals::Originals;

/// See the file's header.
pub const EXPAND_SCALARS: Pass =
    Pass::optional("expand-scalars", "store scalars that inner loops use to arrays", |module| {
        each_loop(module, with_expanded_scalars)
    });

fn with_expanded_scalars(pass: &mut FormNests, op: &Op) -> Option<Rewritten> {
    let mut copy = op.clone();
    let mut ops = if op.kind == OpKind::For { pass.expand_scalars_of(&mut copy) } else { Vec::new() };
    let has_any = !ops.is_empty();
    ops.push(copy);
    has_any.then(|| Rewritten { ops, results: op.results.clone() })
}

impl FormNests<'_> {
    /// Gives a parallel loop in one on the host such arrays where its iterations then go apart into ones of more work items; its translation, and what makes
    /// the arrays.
    pub fn expand_scalars_of_rows(&mut self, op: &mut Op, whole: Translation) -> (Translation, Vec<Op>) {
        let is_parallel = |whole: &Translation| {
            let id = op.regions[0].parameters.first().and_then(|index| whole.loops.get(index));
            id.is_some_and(|id| classify(&whole.nest, *id) == Class::Parallel)
        };
        let may_go_apart = self.attempt.is_repeated
            && !self.attempt.at_once
            && op.kind == OpKind::For
            && whole.at_work_items.is_empty();
        if !may_go_apart || !is_parallel(&whole) || !self.uses_scalars_of_work_items(op, &whole) {
            return (whole, Vec::new());
        }
        let mut changed = op.clone();
        // What was over rows are loops already.
        self.sink_guards(&mut changed, &mut Originals::new());
        let made = self.expand_scalars_of(&mut changed);
        if made.is_empty() {
            return (whole, made);
        }
        self.known.constants.extend(constants_among(&made));
        match self.whole(&Program::of(std::slice::from_ref(&changed))) {
            Ok(apart) if is_parallel(&apart) && apart.at_work_items.is_empty() && self.is_apart(&apart) => {
                *op = changed;
                (apart, made)
            }
            _ => (whole, Vec::new()),
        }
    }

    /// Gives the outermost of the parallel loops in a loop such arrays; whether there are any. Iterations of a parallel loop would share an array for loops in
    /// them.
    pub fn expand_scalars(&mut self, op: &mut Op, originals: &mut Originals) -> bool {
        let mut has_any = false;
        for region in &mut op.regions {
            let mut ops = Vec::with_capacity(region.ops.len());
            for mut nested in std::mem::take(&mut region.ops) {
                if nested.kind == OpKind::For && self.draft.shared_spans.contains(&nested.span) {
                    self.sink_guards(&mut nested, originals);
                    let made = self.expand_scalars_of(&mut nested);
                    has_any |= !made.is_empty();
                    ops.extend(made);
                } else {
                    has_any |= self.expand_scalars(&mut nested, originals);
                }
                ops.push(nested);
            }
            region.ops = ops;
        }
        has_any
    }

    /// Puts the scalars of a loop's iterations that loops in it use into arrays; the ops that make these.
    fn expand_scalars_of(&mut self, op: &mut Op) -> Vec<Op> {
        let is_upwards = self.known.constant(op.operands[2]).is_some_and(|step| step > 0);
        if !op.results.is_empty() || !is_upwards {
            return Vec::new();
        }
        let region = &mut op.regions[0];
        let written: Vec<ValueId> = region.ops.iter().flat_map(written_arrays).collect();
        let movable = self.movable(region, &HashSet::new(), Reading::Again);
        let wanted = used_through_views(region, &is_inner).into_iter().filter(|v| movable.contains(v));
        // A cell that changes is no number.
        let mut wanted: Vec<ValueId> = wanted.filter(|v| !self.is_shared_with(*v, &written)).collect();
        wanted.sort_unstable();
        let index = region.parameters[0];
        let mut made = Vec::new();
        if !wanted.is_empty() {
            // The range may be empty, and end below 0.
            let mut host = HostProgram::new(self.function, op.span);
            let zero = host.number(0);
            let extent = host.scalar(OpKind::Scalar(ScalarOp::Max), vec![op.operands[1], zero], DType::I64);
            made.append(&mut host.ops);
            made.extend(wanted.into_iter().map(|value| self.column(region, value, index, extent)));
        }
        if !made.is_empty() {
            let mut host = HostProgram::new(self.function, op.span);
            let zero = host.number(0);
            let condition = host.scalar(OpKind::Scalar(ScalarOp::Ge), vec![index, zero], DType::Bool);
            let kind = OpKind::Check { kind: ErrorKind::Index, message: "a column has no such element".into() };
            let check = Op { kind, operands: vec![condition], results: Vec::new(), regions: Vec::new(), span: op.span };
            let before = [host.ops, vec![check]].concat();
            region.ops.splice(0..0, before);
        }
        made
    }

    /// Puts a value of each iteration into an array, which what follows the first inner loop reads.
    fn column(&mut self, region: &mut Region, value: ValueId, index: ValueId, extent: ValueId) -> Op {
        let dtype = self.function.ty(value).dtype();
        let ty = ArrayType { dtype, rank: 1, layout: Layout::C, writable: true };
        let column = self.function.add_value(Type::Array(ty));
        self.known.points_to.add_fresh(column);
        let mut ops = Vec::with_capacity(region.ops.len());
        let (mut is_inside, mut span) = (false, Span::default());
        for mut op in std::mem::take(&mut region.ops) {
            is_inside |= is_inner(&op);
            let is_shown = op.kind.is_view() && op.operands[0] == value;
            let mut used: HashSet<ValueId> = op.operands.iter().copied().collect();
            op.regions.iter().for_each(|region| for_each_op(region, &mut |op| used.extend(&op.operands)));
            if (is_inside || is_shown) && used.contains(&value) {
                let (read, names) = self.read_of(column, index, value, op.span);
                op.operands.iter_mut().for_each(|v| *v = names.resolve(*v));
                op.regions.iter_mut().for_each(|region| substitute(region, &names));
                match op.kind == OpKind::For {
                    true => drop(op.regions[0].ops.splice(0..0, read)),
                    false => ops.extend(read),
                }
            }
            let defines = op.results.contains(&value);
            ops.push(op);
            if defines {
                span = ops.last().map_or(span, |op| op.span);
                let (cell, view) = self.cell(column, index, span);
                let kind = OpKind::Store(Box::new(Store { rank: 0, body: Body::identity(dtype) }));
                let operands = vec![view, value];
                ops.push(cell);
                ops.push(Op { kind, operands, results: Vec::new(), regions: Vec::new(), span });
            }
        }
        region.ops = ops;
        let kind = OpKind::Alloc { dtype, order: Order::C };
        Op { kind, operands: vec![extent], results: vec![column], regions: Vec::new(), span }
    }

    /// The element of a column, as a view.
    fn cell(&mut self, column: ValueId, index: ValueId, span: Span) -> (Op, ValueId) {
        let dtype = self.function.ty(column).dtype();
        let view =
            self.function.add_value(Type::Array(ArrayType { dtype, rank: 0, layout: Layout::C, writable: true }));
        self.known.points_to.add_alias(view, column);
        let operands = vec![column, index];
        (Op { kind: OpKind::Index { axis: 0 }, operands, results: vec![view], regions: Vec::new(), span }, view)
    }

    /// Ops that read a column's element, and its name instead of that of a value, which is a number or an array of rank 0.
    fn read_of(&mut self, column: ValueId, index: ValueId, value: ValueId, span: Span) -> (Vec<Op>, Substitution) {
        let (cell, view) = self.cell(column, index, span);
        if self.function.array(value).is_some() {
            let mut names = Substitution::default();
            names.replace(value, view);
            return (vec![cell], names);
        }
        let read = self.function.add_value(self.function.ty(value));
        let mut names = Substitution::default();
        names.replace(value, read);
        let item = Op { kind: OpKind::Item, operands: vec![view], results: vec![read], regions: Vec::new(), span };
        (vec![cell, item], names)
    }
}

/// Whether an op is a loop in an iteration, or will be one, as stores over rows are.
pub fn is_inner(op: &Op) -> bool {
    match &op.kind {
        OpKind::For => op.results.is_empty(),
        OpKind::Store(store) => store.rank > 0,
        _ => false,
    }
}
