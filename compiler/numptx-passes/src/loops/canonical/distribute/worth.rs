//! Where loops are distributed over one that stores and one that accumulates only if that is worth it.
//!
//! In: a loop as two, and what the arrays between both need. Out: both where the arrays fit into memory, and where a loop without elements has many work items,
//! else the loop as it is written. Ranges that begin or end at an outer index have arrays with an element for each work item of a square: so many may not fit
//! where the loop itself needs no memory.

use numptx_ir::DType;
use numptx_ir::array::{Op, OpKind, Type, ValueId};
use numptx_ir::scalar::ScalarOp;
use numptx_source::Span;

use crate::analysis::constants::constants_among;
use crate::loops::assumptions::guards::{HostProgram, SMALL_INT};
use crate::loops::assumptions::kinds::{Assumption, Kind};
use crate::loops::assumptions::versions::choice;
use crate::loops::canonical::distribute::accumulators::Needs;
use crate::loops::function::FormNests;
use crate::loops::schedule::cost::{BYTES_BETWEEN, MANY_ITERATIONS, MANY_ROWS};

/// When a loop is distributed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Worth {
    /// Where it fits.
    Fitting,
    /// Where it has so many work items, too, that one thread for each is better than all of them for one after the other.
    Rows,
    /// Where it has many work items, too.
    Many,
}

impl FormNests<'_> {
    /// Two loops where it is worth it, else the loop. `two`: what makes up the two loops, after the ops that compute what arrays need.
    pub(crate) fn where_worth_it(
        &mut self,
        op: &Op,
        (before, mut two): (Vec<Op>, Vec<Op>),
        needs: &Needs,
        worth: Worth,
    ) -> Option<Vec<Op>> {
        let mut ops = before;
        self.known.constants.extend(constants_among(&ops));
        let mut integers: Vec<ValueId> =
            needs.integers.iter().copied().filter(|v| self.known.constant(*v).is_none()).collect();
        integers.sort_by_key(|v| v.0);
        integers.dedup();
        let mut host = HostProgram::new(self.function, op.span);
        let conditions = host.worth(needs, &integers, worth)?;
        ops.append(&mut host.ops);
        let condition = self.guard_of(op.span, &conditions, &mut ops)?;
        let mut as_written = vec![op.clone()];
        let yields = [&mut two, &mut as_written].map(|branch| {
            let names = self.rename(branch);
            op.results.iter().map(|v| names.resolve(*v)).collect::<Vec<ValueId>>()
        });
        // What runs elsewhere is of interest to users where the host does.
        let span = if worth == Worth::Many { op.span } else { Span::default() };
        ops.push(choice(condition, [two, as_written], yields, op.results.clone(), span));
        Some(ops)
    }
}

/// Whether an op chooses between two loops and the loop as it is written.
pub(crate) fn may_be_as_written(op: &Op) -> bool {
    let [two, as_written] = op.regions.as_slice() else { return false };
    let [only, last] = as_written.ops.as_slice() else { return false };
    let is_storing = |of: &Op| of.kind == OpKind::For && of.span == only.span && of.results.len() < only.results.len();
    only.kind == OpKind::For && last.operands == only.results && two.ops.iter().any(is_storing)
}

impl HostProgram<'_> {
    /// That arrays fit, and integers are as small as indices; that there are many work items, where that is asked.
    fn worth(&mut self, needs: &Needs, integers: &[ValueId], worth: Worth) -> Option<Vec<Assumption>> {
        let mut conditions = Vec::new();
        let work_items: Vec<(ValueId, i64)> = needs
            .arrays
            .iter()
            .map(|(extents, bytes)| Some((self.work_items(extents)?, *bytes)))
            .collect::<Option<_>>()?;
        let least = match worth {
            Worth::Fitting => None,
            Worth::Rows => Some(MANY_ROWS),
            Worth::Many => Some(MANY_ITERATIONS),
        };
        if let Some(least) = least {
            let all = work_items.iter().map(|(n, _)| *n).reduce(|a, b| self.integer(ScalarOp::Max, a, b))?;
            let many = self.number(least);
            let is_many = self.scalar(OpKind::Scalar(ScalarOp::Ge), vec![all, many], DType::Bool);
            conditions.push(Assumption::holds(Kind::EnoughWork, is_many));
        }
        for (n, bytes) in work_items {
            let most = self.number(BYTES_BETWEEN / bytes / needs.arrays.len() as i64);
            let fits = self.scalar(OpKind::Scalar(ScalarOp::Le), vec![n, most], DType::Bool);
            conditions.push(Assumption::holds(Kind::Memory, fits));
        }
        for value in integers.iter().copied().filter(|v| self.ty(*v) == Type::Scalar(DType::I64)).collect::<Vec<_>>() {
            for (op, bound) in [(ScalarOp::Gt, -SMALL_INT), (ScalarOp::Lt, SMALL_INT)] {
                let bound = self.number(bound);
                let is_small = self.scalar(OpKind::Scalar(op), vec![value, bound], DType::Bool);
                conditions.push(Assumption::holds(Kind::SmallInts, is_small));
            }
        }
        (!conditions.is_empty()).then_some(conditions)
    }

    /// The product of extents, or a number that is as much too large.
    fn work_items(&mut self, extents: &[ValueId]) -> Option<ValueId> {
        let (first, rest) = extents.split_first()?;
        let mut all = *first;
        for extent in rest {
            // The product of two such numbers does not overflow.
            let (least, most) = (self.number(0), self.number(BYTES_BETWEEN));
            let [a, b] = [all, *extent].map(|n| {
                let n = self.integer(ScalarOp::Max, n, least);
                self.integer(ScalarOp::Min, n, most)
            });
            all = self.integer(ScalarOp::Mul, a, b);
        }
        Some(all)
    }
}
