//! **Does**: makes one `item` of several: the host waits for the device once where it needs several elements. An `item` under a condition, as counts of
//! chosen elements are read, is one of them: where the condition does not hold, it reads a cell that holds what the branch gave.
//! **Requires**: phase Placed.
//! **Ensures**: between two `item`s of one region stands something that needs the first, that the second needs and that may not come before the first, or
//! that raises.
//! **Keeps**: values, the order of checks, and of writes that somebody sees. An element is read later only past ops that do not write it; past computations
//! only if it is a result of rank 0 or lives on anyway, so that no array lives longer for it. What the second `item` needs is computed before what needs the
//! first: of few arrays, which live longer.
//! **Example**: `%s = item %a; %c = alloc %s; %b = reduce…; %t = item %b; yield %c, %t` becomes `%b = reduce…; %s, %t = item %a, %b; %c = alloc %s; yield
//! %c, %t`.

mod effects;
mod waits;

use std::collections::HashSet;

use numptx_ir::array::{Function, Module, Op, OpKind, Region, ValueId};
use numptx_source::InternalError;

use self::effects::Effects;
use crate::Pass;
use crate::analysis::points_to::PointsTo;
use crate::analysis::traverse::for_each_op;
use crate::loops::schedule::cost::WAIT_ARRAYS;

/// See the file's header.
pub const JOIN_WAITS: Pass = Pass::optional("join-waits", "read elements that the host needs at once", join_waits);

fn join_waits(module: &mut Module) -> Result<(), InternalError> {
    for function in &mut module.functions {
        let points_to = PointsTo::of(function);
        let mut body = std::mem::take(&mut function.body);
        Join { function, points_to }.region(&mut body);
        function.body = body;
    }
    Ok(())
}

struct Join<'f> {
    /// The function, without its body.
    function: &'f mut Function,
    points_to: PointsTo,
}

/// Two waits of a region that may be one.
struct Joined {
    /// Where the second one is.
    second: usize,
    /// The positions of the ops between that stay behind the wait.
    late: Vec<usize>,
}

impl Join<'_> {
    fn region(&mut self, region: &mut Region) {
        for op in &mut region.ops {
            op.regions.iter_mut().for_each(|nested| self.region(nested));
        }
        let mut effects: Vec<Effects> = region.ops.iter().map(Effects::of).collect();
        let mut at = 0;
        while at < region.ops.len() {
            match self.later(region, &effects, at) {
                Some(joined) => {
                    at = self.join(region, at, &joined);
                    effects = region.ops.iter().map(Effects::of).collect();
                }
                None => at += 1,
            }
        }
    }

    /// The next wait that one at a position may be one with.
    fn later(&self, region: &Region, effects: &[Effects], at: usize) -> Option<Joined> {
        let read = waits::elements(&region.ops[at])?;
        let mut late: Vec<usize> = Vec::new();
        let mut early: Vec<usize> = Vec::new();
        for (n, op) in region.ops.iter().enumerate().skip(at + 1) {
            if op.kind.is_terminator() {
                return None;
            }
            let needs =
                |v: &ValueId| op_defines(&region.ops[at], v) || late.iter().any(|l| op_defines(&region.ops[*l], v));
            let is_early = !effects[n].uses.iter().any(needs)
                && !self.writes(&effects[n], read)
                && late.iter().all(|l| self.commute(&effects[n], &effects[*l]));
            if is_early && waits::elements(op).is_some() {
                let joined = Joined { second: n, late };
                return self.is_worthwhile(region, &joined, &early, read).then_some(joined);
            }
            if is_early {
                early.push(n);
                continue;
            }
            if effects[n].raises {
                return None;
            }
            late.push(n);
        }
        None
    }

    /// Whether an op may run before another one that comes first now and raises nothing. Somebody sees what parameters hold, also where the call fails.
    fn commute(&self, early: &Effects, late: &Effects) -> bool {
        let is_seen = |v: &ValueId| self.points_to.locations(*v).iter().any(|l| self.function.parameters.contains(l));
        if early.is_free || late.is_free {
            return true;
        }
        let shows = early.writes.iter().any(is_seen) || early.raises && late.writes.iter().any(is_seen);
        !shows && !self.writes(late, &early.uses) && !self.writes(early, &late.uses)
    }

    fn writes(&self, effects: &Effects, read: &[ValueId]) -> bool {
        effects.writes.iter().any(|w| read.iter().any(|r| self.points_to.may_share(*w, *r)))
    }

    /// Whether few arrays live longer if two waits are one.
    fn is_worthwhile(&self, region: &Region, joined: &Joined, early: &[usize], read: &[ValueId]) -> bool {
        let array_rank = |v: &ValueId| self.function.array(*v).map_or(0, |array| array.rank);
        let computes = |op: &&Op| !op.kind.is_pure_scalar_or_view();
        let computed: Vec<&Op> = early.iter().map(|n| &region.ops[*n]).filter(computes).collect();
        let passed = joined.late.first().copied().unwrap_or(usize::MAX);
        let made = early.iter().filter(|n| **n > passed).map(|n| &region.ops[*n]).filter(computes);
        let n_made = made.flat_map(|op| &op.results).filter(|v| array_rank(v) > 0).count();
        let elements: Vec<&ValueId> = read.iter().filter(|v| !self.is_cell(region, **v)).collect();
        let behind: HashSet<ValueId> = joined
            .late
            .iter()
            .copied()
            .chain(joined.second + 1..region.ops.len())
            .flat_map(|n| Effects::of(&region.ops[n]).uses)
            .collect();
        let lives_on = |v: &ValueId| {
            let is_parameter = |l: &ValueId| self.function.parameters.contains(l);
            self.points_to.locations(*v).iter().all(is_parameter)
                || behind.iter().any(|used| self.points_to.may_share(*used, *v))
        };
        n_made + elements.len() <= WAIT_ARRAYS && (computed.is_empty() || elements.iter().all(|v| lives_on(v)))
    }

    /// Whether a value is an array of rank 0 of its own.
    fn is_cell(&self, region: &Region, value: ValueId) -> bool {
        let mut is_computed = false;
        for_each_op(region, &mut |op| {
            is_computed |= matches!(op.kind, OpKind::Map(_) | OpKind::Reduce(_)) && op.results.contains(&value);
        });
        is_computed && self.function.array(value).is_some_and(|array| array.rank == 0)
    }

    /// Makes one of two waits; gives its position.
    fn join(&mut self, region: &mut Region, at: usize, joined: &Joined) -> usize {
        let (mut ops, mut late) = (Vec::with_capacity(region.ops.len()), Vec::new());
        let mut item: Option<Op> = None;
        let mut joined_at = at;
        for (n, op) in std::mem::take(&mut region.ops).into_iter().enumerate() {
            if n == at || n == joined.second {
                let read = waits::unguarded(self.function, &mut self.points_to, op, &mut ops);
                match &mut item {
                    None => item = Some(read),
                    Some(item) => {
                        item.operands.extend(read.operands);
                        item.results.extend(read.results);
                        joined_at = ops.len();
                        ops.push(item.clone());
                        ops.append(&mut late);
                    }
                }
            } else if joined.late.contains(&n) {
                late.push(op);
            } else {
                ops.push(op);
            }
        }
        region.ops = ops;
        joined_at
    }
}

fn op_defines(op: &Op, value: &ValueId) -> bool {
    op.results.contains(value)
}
