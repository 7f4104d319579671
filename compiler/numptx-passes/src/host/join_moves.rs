//! **Does**: makes one computation of several that write elements at the same places of different arrays: `x[m]`, `y[m]` and `z[m]` are one kernel,
//! and so are `a[i] = x; b[i] = y`.
//! **Requires**: phase Placed.
//! **Ensures**: no two branches of a region with one condition hold such writes, where nothing between them needs the first.
//! **Keeps**: every value, every check and their order. What is written after a check that came later is an array that nobody has seen yet.
//! **Example**: `if %c { scatter apart %a, … %x }; %b = alloc …; if %c { scatter apart %b, … %y }` becomes
//! `%b = alloc …; if %c { scatter apart %a, %b, … %x, %y }`.

use std::collections::HashSet;

use numptx_ir::array::{Function, Meeting, Module, Op, OpKind, Region, Scatter, ValueId};
use numptx_ir::scalar::{BodyBuilder, Val};
use numptx_source::InternalError;

use crate::Pass;
use crate::analysis::ages::Ages;
use crate::analysis::compactions::Definitions;
use crate::analysis::points_to::{PointsTo, written_arrays};
use crate::analysis::traverse::for_each_op;
use crate::loops::schedule::cost::BODY_OPERATIONS;
use crate::source::computations::max_arrays;

/// See the file's header.
pub const JOIN_MOVES: Pass =
    Pass::optional("join-moves", "write at the same places of several arrays at once", join_moves);

fn join_moves(module: &mut Module) -> Result<(), InternalError> {
    for function in &mut module.functions {
        let mut body = function.body.clone();
        let (points_to, ages, definitions) = (PointsTo::of(function), Ages::of(function), Definitions::of(function));
        Join { function, points_to, ages, definitions }.region(&mut body);
        function.body = body;
    }
    Ok(())
}

struct Join<'f> {
    function: &'f Function,
    points_to: PointsTo,
    ages: Ages,
    definitions: Definitions<'f>,
}

impl Join<'_> {
    fn region(&self, region: &mut Region) {
        for op in &mut region.ops {
            op.regions.iter_mut().for_each(|nested| self.region(nested));
        }
        let mut at = 0;
        while at < region.ops.len() {
            match self.later(region, at) {
                Some((later, joined)) => {
                    region.ops[later] = joined;
                    region.ops.remove(at);
                }
                None => at += 1,
            }
        }
    }

    /// The next op that an op can be one with, and that one.
    fn later(&self, region: &Region, at: usize) -> Option<(usize, Op)> {
        let first = Moves::of(&region.ops[at])?;
        let is_fresh = self.are_fresh(region, &first);
        for (n, op) in region.ops.iter().enumerate().skip(at + 1) {
            let is_alike =
                |second: &Moves| second.condition == first.condition && second.scatter.meeting == first.scatter.meeting;
            if let Some(joined) = Moves::of(op).filter(is_alike).and_then(|second| {
                let is_apart = self.is_apart(&second.inputs(), &first)
                    && self.is_apart(&first.inputs(), &second)
                    && self.are_columns(&first, &second);
                is_apart.then(|| self.joined(&first, &second)).flatten()
            }) {
                return Some((n, joined));
            }
            let is_silent = op.regions.is_empty()
                && !matches!(op.kind, OpKind::Check { .. } | OpKind::Call { .. } | OpKind::Object(_));
            if !(is_fresh || is_silent) || !self.may_come_first(op, &first) {
                return None;
            }
        }
        None
    }

    /// Whether nobody has seen the destinations outside of the region: they are allocated there.
    fn are_fresh(&self, region: &Region, moves: &Moves) -> bool {
        let fresh: HashSet<ValueId> = region
            .ops
            .iter()
            .filter(|op| matches!(op.kind, OpKind::Alloc { .. }))
            .flat_map(|op| op.results.iter().copied())
            .collect();
        moves.destinations().iter().all(|v| fresh.contains(&self.ages.root(*v)))
    }

    /// Whether no two destinations share memory, but rows or columns of one array that are the same one.
    fn are_columns(&self, first: &Moves, second: &Moves) -> bool {
        let column = |v: ValueId| self.definitions.get(v).filter(|op| matches!(op.kind, OpKind::Index { .. }));
        let are_columns = |a: ValueId, b: ValueId| match (column(a), column(b)) {
            (Some(a), Some(b)) => a.kind == b.kind && a.operands[0] == b.operands[0],
            _ => a == b,
        };
        let is_apart = |a: ValueId, b: ValueId| match self.ages.root(a) == self.ages.root(b) {
            true => are_columns(a, b),
            false => !self.points_to.may_share(a, b) || self.ages.is_older(a, b) || self.ages.is_older(b, a),
        };
        first.destinations().iter().all(|a| second.destinations().iter().all(|b| is_apart(*a, *b)))
    }

    /// Whether none of the values is an array, or a view of one, that the moves write.
    fn is_apart(&self, values: &[ValueId], moves: &Moves) -> bool {
        let shares = |v: ValueId, d: ValueId| self.points_to.may_share(v, d) && !self.ages.is_older(v, d);
        !values.iter().any(|v| moves.destinations().iter().any(|d| shares(*v, *d)))
    }

    /// Whether an op may run before the moves.
    fn may_come_first(&self, op: &Op, moves: &Moves) -> bool {
        if op.kind.is_terminator() || matches!(op.kind, OpKind::For | OpKind::While) {
            return false;
        }
        let mut used = op.operands.clone();
        op.regions.iter().for_each(|region| for_each_op(region, &mut |op| used.extend(&op.operands)));
        let inputs = moves.inputs();
        let written = written_arrays(op);
        let changes =
            |w: &ValueId| inputs.iter().any(|v| self.points_to.may_share(*v, *w) && !self.ages.is_older(*v, *w));
        self.is_apart(&used, moves) && !written.iter().any(changes)
    }

    /// Both at once; `None` where they have other places, or are too many.
    fn joined(&self, first: &Moves, second: &Moves) -> Option<Op> {
        let rank = first.scatter.rank;
        let extents = &first.op().operands[..rank];
        if second.scatter.rank != rank || second.op().operands[..rank] != *extents {
            return None;
        }
        let (mut builder, mut inputs) = (BodyBuilder::new(), Vec::new());
        let a = self.inlined(first, &mut builder, &mut inputs);
        let b = self.inlined(second, &mut builder, &mut inputs);
        let (n, m) = (first.scatter.n_destinations, second.scatter.n_destinations);
        if a[n..] != b[m..] {
            return None;
        }
        let body = builder.finish([&a[..n], &b[..m], &a[n..]].concat());
        if body.instrs.len() > BODY_OPERATIONS || inputs.len() + n + m > max_arrays(rank) {
            return None;
        }
        let scatter = Scatter { rank, body, meeting: first.scatter.meeting, n_destinations: n + m };
        let operands = [extents, first.destinations(), second.destinations(), &inputs].concat();
        let scatter = Op { kind: OpKind::Scatter(Box::new(scatter)), operands, ..second.op().clone() };
        let mut joined = second.branch.clone();
        let end = joined.regions[0].ops.pop()?;
        let views = [&first.branch.regions[0].ops[..first.at], &second.branch.regions[0].ops[..second.at]].concat();
        joined.regions[0].ops = [views, vec![scatter, end]].concat();
        Some(joined)
    }

    /// The body of moves over the inputs so far and their own.
    fn inlined(&self, moves: &Moves, builder: &mut BodyBuilder, inputs: &mut Vec<ValueId>) -> Vec<Val> {
        let own = &moves.op().operands[moves.scatter.rank + moves.scatter.n_destinations..];
        let mut vals = Vec::with_capacity(own.len());
        for input in own {
            let known = inputs.iter().position(|v| v == input).unwrap_or(inputs.len());
            if known == inputs.len() {
                inputs.push(*input);
            }
            vals.push(builder.input(known as u32, self.function.ty(*input).dtype()));
        }
        builder.inline(&moves.scatter.body, &vals, None)
    }
}

/// A branch that writes elements, and does nothing else.
struct Moves<'o> {
    branch: &'o Op,
    condition: ValueId,
    /// The position of the scatter in the branch.
    at: usize,
    scatter: &'o Scatter,
}

impl<'o> Moves<'o> {
    fn of(branch: &'o Op) -> Option<Moves<'o>> {
        let (OpKind::If, [then, otherwise]) = (&branch.kind, branch.regions.as_slice()) else { return None };
        let [views @ .., last, end] = then.ops.as_slice() else { return None };
        let OpKind::Scatter(scatter) = &last.kind else { return None };
        let is_plain = branch.results.is_empty()
            && otherwise.ops.len() == 1
            && end.kind == OpKind::Yield
            && views.iter().all(|op| op.kind.is_pure_scalar_or_view())
            && scatter.meeting != Meeting::Accumulating
            && scatter.body.n_tables() == 0;
        is_plain.then_some(Moves { branch, condition: branch.operands[0], at: views.len(), scatter })
    }

    fn op(&self) -> &'o Op {
        &self.branch.regions[0].ops[self.at]
    }

    fn destinations(&self) -> &'o [ValueId] {
        &self.op().operands[self.scatter.rank..][..self.scatter.n_destinations]
    }

    /// What is read, and what views are made of.
    fn inputs(&self) -> Vec<ValueId> {
        let views = self.branch.regions[0].ops[..self.at].iter().flat_map(|op| &op.operands).copied();
        let own = &self.op().operands[self.scatter.rank + self.scatter.n_destinations..];
        // Destinations may be views that are made there.
        let roots: Vec<ValueId> = self.destinations().to_vec();
        views.chain(own.iter().copied()).filter(|v| !roots.contains(v)).collect()
    }
}
