//! Which elements of its root a view refers to, as one interval with a step for each axis of the root, and when two views are disjoint.
//!
//! In: views, as chains of view ops. Out: a footprint, which may be larger than the truth; a proof that two footprints do not meet.
//! Symbolic: starts are sums of one value and a constant. Disjoint roots are not its business: see `points_to`.

use numptx_ir::array::{OpKind, ValueId};
use numptx_ir::scalar::ScalarOp;

use crate::rewrite::emit::{Definition, Emitter};
use crate::rewrite::scalars::Linear;

/// Indices `start, start + step, …` of which there are `length`, if there are any.
#[derive(Clone, Copy, Debug)]
struct Interval {
    start: Option<Linear>,
    step: Option<i64>,
    length: Option<Linear>,
}

/// What a view covers of its root.
#[derive(Clone, Debug)]
pub struct Footprint {
    /// The array that the chain of views begins with.
    pub root: ValueId,
    /// One an axis of the root.
    intervals: Vec<Interval>,
    /// Real (false) or imaginary (true) parts only.
    part: Option<bool>,
    /// The root's axis that each axis of the view runs along.
    axes: Vec<Option<usize>>,
}

impl Footprint {
    /// Nothing is known but the root; the view has `rank` axes.
    fn forget(&mut self, rank: usize) {
        let unknown = Interval { start: None, step: None, length: None };
        self.intervals.fill(unknown);
        self.axes = vec![None; rank];
        self.part = None;
    }
}

const ZERO: Linear = Linear { base: None, offset: 0 };
const ONE: Linear = Linear { base: None, offset: 1 };

impl Emitter {
    /// The array that a chain of views begins with.
    pub fn root(&self, value: ValueId) -> ValueId {
        let mut value = value;
        while let Some(definition) = self.definition(value).filter(|d| d.kind.is_view()) {
            value = definition.operands[0];
        }
        value
    }

    /// Whether two views of one root have no element in common.
    pub fn are_disjoint(&self, a: ValueId, b: ValueId) -> bool {
        let (a, b) = (self.footprint(a), self.footprint(b));
        if a.root != b.root {
            return false;
        }
        let is_other_part = matches!((a.part, b.part), (Some(a), Some(b)) if a != b);
        is_other_part || a.intervals.iter().zip(&b.intervals).any(|(a, b)| are_apart(a, b))
    }

    /// Whether two views of one root surely share elements, as far as constants and the root's own extents tell: all but few extents.
    pub fn do_meet(&self, a: ValueId, b: ValueId) -> bool {
        let (a, b) = (self.footprint(a), self.footprint(b));
        let root = a.root;
        let mut axes = a.intervals.iter().zip(&b.intervals).enumerate();
        root == b.root
            && axes.all(|(axis, (a, b))| {
                let is_plain = |interval: &Interval| self.is_plain(interval, root, axis);
                is_whole(a) || is_whole(b) || (is_plain(a) && is_plain(b))
            })
    }

    /// Whether an interval ends at constants and at the root's own extent.
    fn is_plain(&self, interval: &Interval, root: ValueId, axis: usize) -> bool {
        let is_plain = |end: Linear| end.base.is_none_or(|base| self.is_extent(base, root, axis));
        matches!(ends(interval), Some((first, Some(last))) if is_plain(first) && is_plain(last))
    }

    fn is_extent(&self, value: ValueId, root: ValueId, axis: usize) -> bool {
        match (self.definition(root), self.definition(value)) {
            (Some(fresh), _) if fresh.operands.get(axis) == Some(&value) => true,
            (_, Some(dim)) => dim.kind == OpKind::Dim(axis) && dim.operands[0] == root,
            _ => false,
        }
    }

    fn footprint(&self, value: ValueId) -> Footprint {
        let Some(definition) = self.definition(value).filter(|d| d.kind.is_view()) else {
            let rank = self.array(value).map_or(0, |a| a.rank);
            let whole = Interval { start: Some(ZERO), step: Some(1), length: None };
            let axes = (0..rank).map(Some).collect();
            return Footprint { root: value, intervals: vec![whole; rank], part: None, axes };
        };
        let mut footprint = self.footprint(definition.operands[0]);
        self.narrow(&mut footprint, &definition);
        footprint
    }

    fn narrow(&self, footprint: &mut Footprint, view: &Definition) {
        match &view.kind {
            OpKind::Slice { axis } => {
                if let Some(root_axis) = footprint.axes[*axis] {
                    let interval = &mut footprint.intervals[root_axis];
                    interval.start = self.shifted(interval, view.operands[1]);
                    interval.step =
                        interval.step.zip(self.i64_of(view.operands[3])).and_then(|(a, b)| a.checked_mul(b));
                    interval.length = Some(self.longest(view.operands[2]));
                }
            }
            OpKind::Index { axis } => {
                if let Some(root_axis) = footprint.axes.remove(*axis) {
                    let interval = &mut footprint.intervals[root_axis];
                    let start = self.shifted(interval, view.operands[1]);
                    *interval = Interval { start, step: Some(0), length: Some(ONE) };
                }
            }
            OpKind::NewAxis { axis } => footprint.axes.insert(*axis, None),
            OpKind::DropAxis { axis } => drop(footprint.axes.remove(*axis)),
            OpKind::Permute { permutation } => {
                footprint.axes = permutation.iter().map(|p| footprint.axes[*p]).collect();
            }
            OpKind::Broadcast => {
                let n_new = view.operands.len() - 1 - footprint.axes.len();
                footprint.axes.splice(0..0, std::iter::repeat_n(None, n_new));
            }
            OpKind::Diagonal { axes: [first, second] } => {
                for axis in [*first.max(second), *first.min(second)] {
                    footprint.axes.remove(axis);
                }
                footprint.axes.push(None);
            }
            OpKind::Windows { axis } => {
                footprint.axes[*axis] = None;
                footprint.axes.push(None);
            }
            OpKind::Part { imaginary } => footprint.part = Some(*imaginary),
            OpKind::ReadOnly | OpKind::Writable => {}
            // Anything else may cover all of the root.
            _ => footprint.forget(self.array(view.results[0]).map_or(0, |a| a.rank)),
        }
    }

    /// `start + step * index`.
    fn shifted(&self, interval: &Interval, index: ValueId) -> Option<Linear> {
        let (start, step, index) = (interval.start?, interval.step?, self.linear(index));
        let offset = start.offset.checked_add(index.offset.checked_mul(step)?)?;
        match (start.base, index.base) {
            (base, None) => Some(Linear { base, offset }),
            (None, base) if step == 1 => Some(Linear { base, offset }),
            _ => None,
        }
    }

    /// The length where it is not 0: `max(n + c, 0)` is `n + c` then.
    fn longest(&self, length: ValueId) -> Linear {
        match self.definition(length) {
            Some(d) if matches!(d.kind, OpKind::Scalar(ScalarOp::Max)) && self.i64_of(d.operands[1]) == Some(0) => {
                self.linear(d.operands[0])
            }
            _ => self.linear(length),
        }
    }
}

/// First and last index of an interval that is not empty, in rising order.
fn ends(interval: &Interval) -> Option<(Linear, Option<Linear>)> {
    let (start, step) = (interval.start?, interval.step?);
    let last = interval.length.and_then(|length| {
        let steps = length.offset.checked_sub(1)?;
        match (start.base, length.base) {
            (base, None) => Some(Linear { base, offset: start.offset.checked_add(steps.checked_mul(step)?)? }),
            (None, base) if step == 1 => Some(Linear { base, offset: start.offset.checked_add(steps)? }),
            _ => None,
        }
    });
    match step {
        0.. => Some((start, last)),
        _ => Some((last?, Some(start))),
    }
}

/// Whether an interval is all of its axis.
fn is_whole(interval: &Interval) -> bool {
    interval.start == Some(ZERO) && interval.step == Some(1) && interval.length.is_none()
}

fn is_before(a: Option<Linear>, b: Linear) -> bool {
    a.is_some_and(|a| a.base == b.base && a.offset < b.offset)
}

fn are_apart(a: &Interval, b: &Interval) -> bool {
    let (Some((a_first, a_last)), Some((b_first, b_last))) = (ends(a), ends(b)) else { return false };
    is_before(a_last, b_first) || is_before(b_last, a_first) || are_interleaved(a, b)
}

/// Steps with a common divisor that the distance of the starts has not.
fn are_interleaved(a: &Interval, b: &Interval) -> bool {
    let (Some(a_start), Some(b_start)) = (a.start, b.start) else { return false };
    let divisor = gcd(a.step.unwrap_or(1).unsigned_abs(), b.step.unwrap_or(1).unsigned_abs());
    let distance = a_start.offset.abs_diff(b_start.offset);
    a_start.base == b_start.base && divisor > 1 && !distance.is_multiple_of(divisor)
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests;
