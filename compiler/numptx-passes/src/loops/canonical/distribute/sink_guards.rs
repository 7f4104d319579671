//! **Does**: sinks the branches of a loop's iterations into the loops that stand in them.
//! **Requires**: phase Placed.
//! **Ensures**: what is computed for the inner loops stands in a branch that carries it, and these have the branch in them, so that they may be axes
//! or phases of their own. Checks come first: no launch starts where one of them fails.
//! **Keeps**: values and exceptions. A branch stays where one of its checks asks for what the branch computes.
//! **Example**: `for i: if i != k: f = a[i, k]; for j: a[i, j] -= f * a[k, j]` becomes
//! `for i: f = a[i, k] if i != k else 0; for j: if i != k: a[i, j] -= f * a[k, j]`.

use std::collections::HashSet;

use numptx_ir::array::{Map, Op, OpKind, Order, Region, Type, ValueId};

use crate::Pass;
use crate::loops::canonical::each_loop::{Rewritten, each_loop};
use numptx_ir::scalar::{Body, zero};

use crate::analysis::traverse::for_each_op;
use crate::loops::assumptions::guards::HostProgram;
use crate::loops::canonical::distribute::scalar_expansion::is_inner;
use crate::loops::function::FormNests;
use crate::loops::nest::rows::expand::expand;
use crate::loops::nest::rows::originals::{Originals, Reductions, Several};
use crate::rewrite::emit::yielding;

/// See the file's header.
pub const SINK_GUARDS: Pass =
    Pass::optional("sink-guards", "sink branches into the loops that stand in them", |module| {
        each_loop(module, with_guards_inside)
    });

fn with_guards_inside(pass: &mut FormNests, op: &Op) -> Option<Rewritten> {
    let mut copy = op.clone();
    let has_any = op.kind == OpKind::For && op.regions[0].ops.iter().any(is_branch_of_loops);
    has_any.then(|| pass.sink_guards(&mut copy, &mut Originals::new()))?;
    Some(Rewritten { ops: vec![copy], results: op.results.clone() })
}

impl FormNests<'_> {
    /// Takes the loops in a loop's iterations out of branches.
    pub fn sink_guards(&mut self, op: &mut Op, originals: &mut Originals) {
        let mut ops = Vec::new();
        for mut nested in std::mem::take(&mut op.regions[0].ops) {
            if !is_branch_of_loops(&nested) {
                ops.push(nested);
                continue;
            }
            // Stores over rows are loops from here on.
            let mut reductions = Reductions::new();
            expand(self.function, &mut nested, &HashSet::new(), originals, (&mut reductions, Several::Apart));
            match self.without_branch(&nested) {
                Some(apart) => ops.extend(apart),
                None => ops.push(nested),
            }
        }
        op.regions[0].ops = ops;
        self.follow_views(&[], op);
    }

    /// What a branch does, under its condition each; `None` where a check asks for what the branch computes.
    fn without_branch(&mut self, branch: &Op) -> Option<Vec<Op>> {
        let mut computed: HashSet<ValueId> = HashSet::new();
        let mut is_free = |op: &&Op| {
            let is_free = op.kind.is_pure_scalar_or_view() && !op.operands.iter().any(|v| computed.contains(v));
            computed.extend(op.results.iter().filter(|_| !is_free));
            is_free
        };
        let body = branch.regions[0].ops.iter().filter(|op| !op.kind.is_terminator());
        let (free, rest): (Vec<&Op>, Vec<&Op>) = body.partition(|op| is_free(op));
        let (checks, rest): (Vec<&Op>, Vec<&Op>) =
            rest.into_iter().partition(|op| matches!(op.kind, OpKind::Check { .. }));
        if checks.iter().any(|op| op.operands.iter().any(|v| computed.contains(v))) || rest.iter().any(|op| is_rows(op))
        {
            return None;
        }
        let mut ops: Vec<Op> = free.into_iter().cloned().collect();
        let mut run: Vec<Op> = checks.into_iter().cloned().collect();
        for (at, op) in rest.iter().enumerate() {
            if op.kind == OpKind::For {
                self.hand_on(branch, std::mem::take(&mut run), &rest[at..], &mut ops)?;
                ops.push(with_branch_inside(branch, op));
            } else {
                run.push((*op).clone());
            }
        }
        self.hand_on(branch, run, &[], &mut ops)?;
        Some(ops)
    }

    /// A run of ops under the branch's condition, which carries the numbers that what follows uses.
    fn hand_on(&mut self, branch: &Op, run: Vec<Op>, rest: &[&Op], ops: &mut Vec<Op>) -> Option<()> {
        if run.is_empty() {
            return Some(());
        }
        let is_shown = |op: &&Op| op.kind.is_pure_scalar_or_view();
        let shown: Vec<Op> = run.iter().filter(is_shown).cloned().collect();
        let mut used: HashSet<ValueId> = HashSet::new();
        for op in rest.iter().copied().chain(&shown) {
            used.extend(&op.operands);
            op.regions.iter().for_each(|region| for_each_op(region, &mut |nested| used.extend(&nested.operands)));
        }
        let results = run.iter().filter(|op| !is_shown(op)).flat_map(|op| op.results.clone());
        let handed: Vec<ValueId> = results.filter(|v| used.contains(v)).collect();
        let mut then = run;
        let names = self.rename(&mut then);
        let (mut otherwise, mut results, mut cells) = (Vec::new(), Vec::new(), Vec::new());
        let mut yields = [Vec::new(), Vec::new()];
        for value in handed {
            let dtype = self.function.ty(value).dtype();
            let mut host = HostProgram::new(self.function, branch.span);
            let (mut given, mut result) = (names.resolve(value), value);
            if host.array(value).is_some() {
                given = host.scalar(OpKind::Item, vec![given], dtype);
                then.append(&mut host.ops);
                result = host.add_value(Type::Scalar(dtype));
                let copy = Map { rank: 0, body: Body::identity(dtype), order: Order::C };
                host.push(OpKind::Map(Box::new(copy)), vec![result], vec![value]);
                cells.append(&mut host.ops);
            }
            let nothing = host.scalar(OpKind::Constant(zero(dtype)), Vec::new(), dtype);
            otherwise.append(&mut host.ops);
            results.push(result);
            yields[0].push(given);
            yields[1].push(nothing);
        }
        let [given, nothing] = yields;
        then.push(yielding(given, branch.span));
        otherwise.push(yielding(nothing, branch.span));
        let regions = [then, otherwise].map(|ops| Region { parameters: Vec::new(), ops }).into();
        ops.push(Op { results, regions, ..branch.clone() });
        ops.extend(cells);
        // What is made of these costs nothing.
        ops.extend(shown);
        Some(())
    }
}

/// A loop with a branch around all that its iterations do.
fn with_branch_inside(branch: &Op, op: &Op) -> Op {
    let mut op = op.clone();
    let then = Region { parameters: Vec::new(), ops: std::mem::take(&mut op.regions[0].ops) };
    let otherwise = Region { parameters: Vec::new(), ops: vec![yielding(Vec::new(), op.span)] };
    let conditional = Op { regions: vec![then, otherwise], ..branch.clone() };
    op.regions[0].ops = vec![conditional, yielding(Vec::new(), op.span)];
    op
}

/// Whether an op is a branch that does nothing else than loops, stores, and what these need.
pub fn is_branch_of_loops(op: &Op) -> bool {
    let [then, otherwise] = op.regions.as_slice() else { return false };
    let is_known = |op: &Op| match &op.kind {
        OpKind::For => op.results.is_empty(),
        OpKind::Store(_) | OpKind::Check { .. } | OpKind::Item | OpKind::Yield => true,
        OpKind::Map(map) => map.rank == 0,
        kind => kind.is_pure_scalar_or_view(),
    };
    op.kind == OpKind::If
        && op.results.is_empty()
        && otherwise.ops.len() == 1
        && then.ops.iter().all(is_known)
        && then.ops.iter().any(is_inner)
}

fn is_rows(op: &Op) -> bool {
    matches!(&op.kind, OpKind::Store(store) if store.rank > 0)
}
