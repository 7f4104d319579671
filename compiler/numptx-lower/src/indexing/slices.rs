//! Slices of one axis, with Python's normalisation.
//!
//! The common ones (`:`, `1:-1`, `:n`, `i-1:i+2`, `::-1`) become short integer arithmetic, the same for the same bounds, so that
//! equal extents are equal values; the rest is left to one op.

use numptx_ir::array::{ErrorKind, ValueId};
use numptx_ir::scalar::ScalarOp;
use numptx_source::{Span, code};
use numptx_syntax::ast::Expr;

use crate::lowerer::Lowerer;
use crate::values::facts::Fact;
use crate::values::value::Value;

impl Lowerer<'_> {
    /// `view[lower:upper:step]` along an axis; `None` after a report.
    pub fn slice_axis(
        &mut self,
        view: ValueId,
        axis: usize,
        [lower, upper, step]: [Option<ValueId>; 3],
        span: Span,
    ) -> Option<ValueId> {
        let extent = self.extents(view)[axis];
        let one = self.builder.i64(1);
        let step = step.unwrap_or(one);
        match self.builder.as_i64(step) {
            Some(0) => {
                self.refuse(
                    code::UNSUPPORTED_INDEX,
                    span,
                    "the slice's step is 0",
                    "write a step such as `::2` or `::-1`",
                );
                return None;
            }
            Some(1) => {
                let (start, length) = self.forward_bounds(lower, upper, extent);
                return Some(self.builder.slice(view, axis, start, length, step));
            }
            Some(-1) if lower.is_none() && upper.is_none() => {
                let start = self.shift(extent, -1);
                return Some(self.builder.slice(view, axis, start, extent, step));
            }
            Some(_) => {}
            None => {
                let zero = self.builder.i64(0);
                let moves = self.builder.scalar(ScalarOp::Ne, &[step, zero]);
                self.check(moves, ErrorKind::Value, "slice step cannot be zero", &[]);
            }
        }
        let (start, length) = self.builder.slice_bounds(lower, upper, step, extent);
        self.note_bounds(start, length, extent);
        Some(self.builder.slice(view, axis, start, length, step))
    }

    /// Start and length of `lower:upper`. The start lies in range if the length is not 0.
    fn forward_bounds(
        &mut self,
        lower: Option<ValueId>,
        upper: Option<ValueId>,
        extent: ValueId,
    ) -> (ValueId, ValueId) {
        let simple = |s: &Self, bound: Option<ValueId>| bound.is_none_or(|b| s.fact(b).low >= 0 || s.fact(b).high < 0);
        if !simple(self, lower) || !simple(self, upper) {
            let one = self.builder.i64(1);
            let (start, length) = self.builder.slice_bounds(lower, upper, one, extent);
            self.note_bounds(start, length, extent);
            return (start, length);
        }
        let start = match lower {
            None => self.builder.i64(0),
            Some(bound) if self.fact(bound).high < 0 => {
                let bound = self.add_extent(extent, bound);
                self.at_least_zero(bound)
            }
            Some(bound) => bound,
        };
        let stop = match upper {
            None => extent,
            Some(bound) if self.fact(bound).high < 0 => self.add_extent(extent, bound),
            Some(bound) => self.smaller(bound, extent),
        };
        let length = self.difference_of(stop, start);
        let length = self.at_least_zero(length);
        self.note_length(length, extent);
        (start, length)
    }

    fn add_extent(&mut self, extent: ValueId, bound: ValueId) -> ValueId {
        match self.builder.as_i64(bound) {
            Some(n) => self.shift(extent, n),
            None => self.builder.scalar(ScalarOp::Add, &[extent, bound]),
        }
    }

    fn note_bounds(&mut self, start: ValueId, length: ValueId, extent: ValueId) {
        if self.fact(start) == Fact::ANY {
            self.numbers.facts.set(start, Fact::EXTENT);
        }
        self.note_length(length, extent);
    }

    /// A slice is not longer than what it is a slice of.
    fn note_length(&mut self, length: ValueId, extent: ValueId) {
        if self.builder.as_i64(length).is_some() || length == extent {
            return;
        }
        let fact = self.fact(length);
        let high = fact.high.min(self.fact(extent).high);
        let at_most = fact.at_most.or(self.numbers.facts.shifted(&self.builder, extent, 0).at_most);
        self.numbers.facts.set(length, Fact { low: fact.low.max(0), high, at_most, ..fact });
    }

    /// What Python makes of a slice's bounds for so many members; `None` after a report.
    pub fn slice_of(&mut self, length: ValueId, bounds: [&Option<Expr>; 3]) -> Option<Bounds> {
        let mut values = Vec::new();
        for bound in bounds {
            let Some(expr) = bound else {
                values.push(None);
                continue;
            };
            let value = self.expression(expr);
            if value == Value::None {
                values.push(None);
                continue;
            }
            if value.is_poison() {
                return None;
            }
            let Some(int) = self.integer(&value) else {
                let message = format!("a bound of a slice is {}", value.describe(&self.builder));
                self.refuse(code::UNSUPPORTED_INDEX, expr.span, message, "write ints: `xs[1:n]`");
                return None;
            };
            values.push(Some(int));
        }
        let step = values[2].unwrap_or_else(|| self.builder.i64(1));
        let zero = self.builder.i64(0);
        let moves = self.builder.scalar(ScalarOp::Ne, &[step, zero]);
        self.check(moves, ErrorKind::Value, "slice step cannot be zero", &[]);
        let (start, count) = self.builder.slice_bounds(values[0], values[1], step, length);
        Some([start, count, step])
    }
}

/// The bounds of a slice of a container: where it begins, how long it is, and its step.
pub(crate) type Bounds = [ValueId; 3];
