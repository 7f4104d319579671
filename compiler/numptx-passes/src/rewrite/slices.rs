//! Python's slice normalisation with known bounds, as arithmetic on the extent.
//!
//! In: the bounds of a `slice_bounds`. Out: start and length as values, or `None` where the bounds are not known when compiling.
//! Slices with step 1 come out as `start` and `max(extent + c, 0)`, the form that sums and comparisons of extents fold.

use numptx_ir::DType;
use numptx_ir::array::ValueId;
use numptx_ir::scalar::ScalarOp;

use crate::rewrite::emit::Emitter;

/// A bound: absent, or a constant.
type Bound = Option<i64>;

impl Emitter {
    /// Start and length of a slice. `lower` and `upper` are values where they are given.
    pub fn slice_bounds(
        &mut self,
        lower: Option<ValueId>,
        upper: Option<ValueId>,
        step: ValueId,
        extent: ValueId,
    ) -> Option<(ValueId, ValueId)> {
        let step = self.i64_of(step)?;
        let constant = |value: Option<ValueId>| match value {
            None => Some(None),
            Some(value) => self.i64_of(value).map(Some),
        };
        let (lower, upper) = (constant(lower)?, constant(upper)?);
        let is_moderate = |bound: Bound| bound.is_none_or(|b| b.unsigned_abs() < 1 << 40);
        if !is_moderate(lower) || !is_moderate(upper) || !is_moderate(Some(step)) {
            return None;
        }
        match step {
            1 => Some(self.unit_slice(lower, upper, extent)),
            2.. => Some(self.strided_slice(lower, upper, step, extent)),
            0 => None,
            _ if lower.is_none() && upper.is_none() => Some(self.reversed_slice(-step, extent)),
            _ => None,
        }
    }

    fn unit_slice(&mut self, lower: Bound, upper: Bound, extent: ValueId) -> (ValueId, ValueId) {
        let start = self.slice_start(lower, extent);
        let length = match (lower.unwrap_or(0), upper) {
            (0, None) => extent,
            (from, None) if from > 0 => self.clamped_sum(extent, -from),
            (from, None) => {
                let from = self.i64(-from);
                self.min(extent, from)
            }
            (from @ 0.., Some(to)) if to < 0 => self.clamped_sum(extent, to - from),
            (from @ 0.., Some(to)) => {
                let to = self.i64(to);
                let stop = self.min(extent, to);
                self.clamped_sum(stop, -from)
            }
            (_, Some(to)) => {
                let stop = self.slice_stop(Some(to), extent);
                let length = self.sub(stop, start);
                self.clamped_sum(length, 0)
            }
        };
        (start, length)
    }

    fn strided_slice(&mut self, lower: Bound, upper: Bound, step: i64, extent: ValueId) -> (ValueId, ValueId) {
        let (start, span) = self.unit_slice(lower, upper, extent);
        (start, self.steps(span, step))
    }

    fn reversed_slice(&mut self, step: i64, extent: ValueId) -> (ValueId, ValueId) {
        let last = self.i64(-1);
        (self.add(extent, last), self.steps(extent, step))
    }

    /// `ceil(span / step)`.
    fn steps(&mut self, span: ValueId, step: i64) -> ValueId {
        if step == 1 {
            return span;
        }
        let round = self.i64(step - 1);
        let rounded = self.add(span, round);
        let step = self.i64(step);
        self.scalar(ScalarOp::FloorDiv, &[rounded, step], DType::I64)
    }

    /// Exact where the slice has elements.
    fn slice_start(&mut self, lower: Bound, extent: ValueId) -> ValueId {
        match lower {
            Some(from) if from < 0 => self.clamped_sum(extent, from),
            Some(from) => self.i64(from),
            None => self.i64(0),
        }
    }

    fn slice_stop(&mut self, upper: Bound, extent: ValueId) -> ValueId {
        match upper {
            None => extent,
            Some(to) if to < 0 => self.clamped_sum(extent, to),
            Some(to) => {
                let to = self.i64(to);
                self.min(extent, to)
            }
        }
    }

    /// `max(value + offset, 0)`.
    fn clamped_sum(&mut self, value: ValueId, offset: i64) -> ValueId {
        let offset = self.i64(offset);
        let sum = self.add(value, offset);
        let zero = self.i64(0);
        self.max(sum, zero)
    }
}
