//! **Does**: makes one computation of elementwise ones that follow each other over the same work items, where the later one reads what the earlier one gave:
//! `x *= 2; x += 1` and `np.add(z, c, z); m = abs(z) > 2` are one kernel, which reads and writes each element once.
//! **Requires**: phase Placed.
//! **Ensures**: no store or map of a region reads what the last store or map over its work items gave, within limits of size, where nothing between them needs
//! it.
//! **Keeps**: every value, every write that the caller could see, and every check. What is written earlier than a check that came before it, or not at all
//! because that check fails, is an array that nobody sees then.
//! **Example**: `store %x, %x { $0 * 2 }; store %x, %x { $0 + 1 }` becomes `store %x, %x { $0 * 2 + 1 }`.

use numptx_ir::array::{Function, Map, Module, Op, OpKind, Order, Region, Remark, RemarkKind, Store, ValueId};
use numptx_ir::scalar::{Body, BodyBuilder, Val};
use numptx_source::InternalError;

use crate::Pass;
use crate::analysis::ages::Ages;
use crate::analysis::compactions::Definitions;
use crate::analysis::points_to::{PointsTo, written_arrays};
use crate::analysis::traverse::for_each_op;
use crate::loops::schedule::cost::{BODY_OPERATIONS, WRITTEN_ARRAYS};
use crate::source::computations::max_arrays;

/// See the file's header.
pub const JOIN_STORES: Pass =
    Pass::optional("join-stores", "compute at once what is computed of what was just stored", join_stores);

fn join_stores(module: &mut Module) -> Result<(), InternalError> {
    for function in &mut module.functions {
        let mut body = std::mem::take(&mut function.body);
        let whole = Function { body: body.clone(), ..function.clone() };
        let (points_to, ages) = (PointsTo::of(&whole), Ages::of(&whole));
        let join = Join { function: &whole, definitions: Definitions::of(&whole), points_to, ages };
        let mut fused = Vec::new();
        join.region(&mut body, &mut fused);
        function.body = body;
        function.remarks.extend(fused);
    }
    Ok(())
}

struct Join<'f> {
    function: &'f Function,
    definitions: Definitions<'f>,
    points_to: PointsTo,
    ages: Ages,
}

/// What is computed at each work item, and where it goes.
struct Elementwise<'o> {
    extents: &'o [ValueId],
    /// Destinations of a store, results of a map: one an output.
    written: &'o [ValueId],
    inputs: &'o [ValueId],
    body: &'o Body,
    is_map: bool,
}

impl<'o> Elementwise<'o> {
    fn of(op: &'o Op) -> Option<Self> {
        let (extents, written, inputs, body, is_map) = match &op.kind {
            OpKind::Map(map) if map.order == Order::C || map.rank == 1 => {
                let (extents, inputs) = op.operands.split_at(map.rank);
                (extents, op.results.as_slice(), inputs, &map.body, true)
            }
            OpKind::Store(store) => {
                let (extents, rest) = op.operands.split_at(store.rank);
                let (written, inputs) = rest.split_at(store.body.outputs.len());
                (extents, written, inputs, &store.body, false)
            }
            _ => return None,
        };
        let is_plain = !extents.is_empty() && body.n_tables() == 0;
        is_plain.then_some(Elementwise { extents, written, inputs, body, is_map })
    }
}

impl Join<'_> {
    fn region(&self, region: &mut Region, remarks: &mut Vec<Remark>) {
        for op in &mut region.ops {
            op.regions.iter_mut().for_each(|nested| self.region(nested, remarks));
        }
        let mut at = 0;
        while at < region.ops.len() {
            match self.joined(region, at) {
                Some((place, ops)) => {
                    let (first, later) = place;
                    let (from, into) = (region.ops[first].span, region.ops[later].span);
                    if from != into {
                        remarks.push(Remark { span: from, kind: RemarkKind::Fused { into } });
                    }
                    let position = if ops.is_early { first } else { later - 1 };
                    region.ops.remove(later);
                    region.ops.remove(first);
                    let n = ops.ops.len();
                    region.ops.splice(position..position, ops.ops);
                    // The joined computation may be joined again.
                    at = if ops.is_early { first + n - 1 } else { first };
                }
                None => at += 1,
            }
        }
    }

    /// The op at a position and the next one that it can be one with, and what both are.
    fn joined(&self, region: &Region, at: usize) -> Option<((usize, usize), Joined)> {
        let first = Elementwise::of(&region.ops[at])?;
        let mut is_late = true;
        for (n, op) in region.ops.iter().enumerate().skip(at + 1) {
            let between = &region.ops[at + 1..n];
            if let Some(later) = Elementwise::of(op).filter(|later| self.reads(later, &first))
                && (is_late || self.may_be_early(&first, &later, between, region, at))
                && let Some(ops) = self.both(&region.ops[at], op, !is_late)
            {
                return Some(((at, n), ops));
            }
            is_late = is_late && self.may_come_first(op, &first);
            if op.kind.is_terminator() || !is_late && !self.is_left(op, &first) {
                return None;
            }
        }
        None
    }

    /// Whether a computation reads what another one gave, at its own work items, and nothing else of that memory.
    fn reads(&self, later: &Elementwise, first: &Elementwise) -> bool {
        let own = |input: &ValueId| first.written.iter().any(|w| self.is_same(*input, *w));
        let is_apart = |input: &ValueId| {
            self.function.array(*input).is_none() || !first.written.iter().any(|w| self.shares(*input, *w))
        };
        later.extents == first.extents
            && later.inputs.iter().any(own)
            && later.inputs.iter().all(|input| own(input) || is_apart(input))
    }

    /// Whether two values are one array, element by element: one may be a view of all of the other.
    fn is_same(&self, view: ValueId, array: ValueId) -> bool {
        let base = |v: ValueId| match self.definitions.get(v) {
            Some(op) if matches!(op.kind, OpKind::Writable) => op.operands[0],
            _ => v,
        };
        base(view) == base(array)
    }

    fn shares(&self, a: ValueId, b: ValueId) -> bool {
        self.points_to.may_share(a, b) && !self.ages.is_older(a, b) && !self.ages.is_older(b, a)
    }

    /// Whether an op between may run before the first computation does: it reads and writes nothing of its own, and where it fails nobody sees that the
    /// computation was not done.
    fn may_come_first(&self, op: &Op, first: &Elementwise) -> bool {
        let is_local = |v: &ValueId| {
            let seen = |p: &ValueId| self.points_to.may_share(*p, *v);
            first.is_map || !self.function.parameters.iter().any(seen)
        };
        if op.kind.is_pure_scalar_or_view() {
            return !first.is_map || !self.uses(op, first);
        }
        let fails = matches!(op.kind, OpKind::Check { .. });
        let is_simple = op.regions.is_empty()
            && (fails
                || matches!(op.kind, OpKind::Alloc { .. } | OpKind::Map(_) | OpKind::Reduce(_) | OpKind::Store(_)));
        is_simple
            && !self.uses(op, first)
            && (!fails || first.written.iter().all(is_local))
            && !written_arrays(op).iter().any(|w| first.inputs.iter().any(|v| self.points_to.may_share(*v, *w)))
    }

    /// Whether an op, or an op in it, has to do with what the computation gives.
    fn uses(&self, op: &Op, first: &Elementwise) -> bool {
        let touches = |v: &ValueId| first.written.iter().any(|w| w == v || self.shares(*v, *w));
        let mut uses = op.operands.iter().any(touches);
        op.regions.iter().for_each(|region| for_each_op(region, &mut |op| uses |= op.operands.iter().any(touches)));
        uses
    }

    /// Whether an op leaves what the first computation read and gave as it is.
    fn is_left(&self, op: &Op, first: &Elementwise) -> bool {
        let shares =
            |w: &ValueId| first.inputs.iter().chain(first.written).any(|v| v == w || self.points_to.may_share(*v, *w));
        !matches!(op.kind, OpKind::For | OpKind::While | OpKind::Call { .. } | OpKind::Object(_))
            && !written_arrays(op).iter().any(shares)
    }

    /// Whether a map may be computed where the first computation is: it reads nothing but what that reads and gives, and scalars from before.
    fn may_be_early(
        &self,
        first: &Elementwise,
        later: &Elementwise,
        between: &[Op],
        region: &Region,
        at: usize,
    ) -> bool {
        let is_known =
            |v: &ValueId| first.inputs.contains(v) || first.written.contains(v) || self.is_before(*v, region, at);
        let is_array = |v: &&ValueId| self.function.array(**v).is_some();
        let is_read = |v: &ValueId| first.inputs.contains(v) || first.written.contains(v);
        later.is_map
            && later.inputs.iter().all(is_known)
            && later.inputs.iter().filter(is_array).all(is_read)
            && between.iter().all(|op| self.is_left(op, first))
    }

    /// Whether a value is not made by an op of the region from a position on.
    fn is_before(&self, value: ValueId, region: &Region, at: usize) -> bool {
        !region.ops[at..].iter().any(|op| op.results.contains(&value))
    }

    /// Both as one; `None` where that would be too much.
    fn both(&self, first: &Op, later: &Op, is_early: bool) -> Option<Joined> {
        let (a, b) = (Elementwise::of(first)?, Elementwise::of(later)?);
        let (mut builder, mut inputs) = (BodyBuilder::new(), Vec::new());
        let vals = self.values(&a, &mut builder, &mut inputs, &[]);
        let given = builder.inline(a.body, &vals, None);
        let known: Vec<(ValueId, Val)> = a.written.iter().copied().zip(given.iter().copied()).collect();
        let vals = self.values(&b, &mut builder, &mut inputs, &known);
        let later_given = builder.inline(b.body, &vals, None);
        let is_overwritten = |w: ValueId| b.written.iter().any(|v| self.is_same(*v, w));
        let (mut outputs, mut written) = (Vec::new(), Vec::new());
        for (w, val) in known.iter().filter(|(w, _)| !is_overwritten(*w)) {
            outputs.push(*val);
            written.push(*w);
        }
        outputs.extend(later_given);
        written.extend(b.written);
        self.are_apart(&a, &b, &written).then_some(())?;
        let body = builder.finish(outputs);
        let is_small =
            body.instrs.len() <= BODY_OPERATIONS && inputs.len() + written.len() <= max_arrays(a.extents.len());
        if !is_small || written.len() > WRITTEN_ARRAYS {
            return None;
        }
        Some(self.rebuilt((&a, first), (&b, later), (body, written, inputs), is_early))
    }

    /// Whether no work item writes what another one reads: what is read of memory that is written is what is written there.
    fn are_apart(&self, a: &Elementwise, b: &Elementwise, written: &[ValueId]) -> bool {
        let stored = || a.written.iter().filter(|_| !a.is_map).chain(b.written.iter().filter(|_| !b.is_map));
        let reads = |v: &ValueId, w: &ValueId| self.is_same(*v, *w) || !self.shares(*v, *w);
        let inputs = a.inputs.iter().chain(b.inputs).filter(|v| self.function.array(**v).is_some());
        let is_once = |(n, w): (usize, &ValueId)| written[n + 1..].iter().all(|v| !self.points_to.may_share(*v, *w));
        inputs.clone().all(|v| stored().all(|w| reads(v, w))) && written.iter().enumerate().all(is_once)
    }

    fn values(
        &self,
        of: &Elementwise,
        builder: &mut BodyBuilder,
        inputs: &mut Vec<ValueId>,
        known: &[(ValueId, Val)],
    ) -> Vec<Val> {
        let mut vals = Vec::with_capacity(of.inputs.len());
        for input in of.inputs {
            if let Some((_, val)) = known.iter().find(|(w, _)| self.is_same(*input, *w)) {
                vals.push(*val);
                continue;
            }
            let position = inputs.iter().position(|v| v == input).unwrap_or(inputs.len());
            if position == inputs.len() {
                inputs.push(*input);
            }
            vals.push(builder.input(position as u32, self.function.ty(*input).dtype()));
        }
        vals
    }

    /// A map where both are maps; else a store, before which results of a map are allocated.
    fn rebuilt(
        &self,
        (a, first): (&Elementwise, &Op),
        (b, later): (&Elementwise, &Op),
        (body, written, inputs): (Body, Vec<ValueId>, Vec<ValueId>),
        is_early: bool,
    ) -> Joined {
        let (rank, span) = (a.extents.len(), later.span);
        let op = |kind, operands, results| Op { kind, operands, results, regions: Vec::new(), span };
        if a.is_map && b.is_map {
            let kind = OpKind::Map(Box::new(Map { rank, body, order: Order::C }));
            return Joined { ops: vec![op(kind, [a.extents, &inputs].concat(), written)], is_early };
        }
        let made = first.results.iter().chain(&later.results).filter(|v| written.contains(v));
        let mut ops: Vec<Op> = made
            .map(|result| {
                let kind = OpKind::Alloc { dtype: self.function.ty(*result).dtype(), order: Order::C };
                op(kind, a.extents.to_vec(), vec![*result])
            })
            .collect();
        let kind = OpKind::Store(Box::new(Store { rank, body }));
        ops.push(op(kind, [a.extents, &written, &inputs].concat(), Vec::new()));
        Joined { ops, is_early }
    }
}

/// What two computations became.
struct Joined {
    ops: Vec<Op>,
    /// Whether it stands where the first one did, rather than where the later one did.
    is_early: bool,
}
