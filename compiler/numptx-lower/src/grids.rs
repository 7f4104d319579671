//! `np.mgrid[…]` and `np.ogrid[…]`: coordinates by slices.
//!
//! In: slices with a stop, the start 0 and the step 1 where they are left out; an imaginary step is a number of points, both ends among them. Out:
//! fresh arrays, of `int64` where every bound is an int, of `float64` otherwise.

use numptx_ir::DType;
use numptx_ir::array::{ErrorKind, ValueId};
use numptx_ir::functions::repeating::{Axis, coordinate, coordinates};
use numptx_ir::scalar::{Constant, ScalarOp};
use numptx_source::{Span, code};
use numptx_syntax::ast::{Expr, Index};

use crate::lowerer::Lowerer;
use crate::value::Value;

/// The bounds of one axis.
struct Bounds {
    start: Value,
    stop: Value,
    step: Value,
}

impl Lowerer<'_> {
    /// `np.mgrid[indices]`, or `np.ogrid[indices]` if it is open.
    pub fn grid(&mut self, name: &str, indices: &[Index], span: Span) -> Value {
        let mut bounds = Vec::with_capacity(indices.len());
        for index in indices {
            let Index::Slice { lower, upper: Some(upper), step, .. } = index else {
                let message = format!("`{name}` takes slices with an end");
                return self.refuse(code::UNSUPPORTED_INDEX, span, message, "write `np.mgrid[0:n, 0:m]`");
            };
            let start = self.bound_or(lower.as_ref(), 0);
            let stop = self.expression(upper);
            let step = self.bound_or(step.as_ref(), 1);
            bounds.push(Bounds { start, stop, step });
        }
        let values: Vec<&Value> = bounds.iter().flat_map(|b| [&b.start, &b.stop, &b.step]).collect();
        if values.iter().any(|v| v.is_poison()) {
            return Value::Poison;
        }
        if indices.len() > 15 || values.iter().any(|v| !self.is_scalar(v)) {
            let message = format!("the bounds of `{name}` are numbers, of at most 15 axes");
            return self.refuse(code::UNSUPPORTED_INDEX, span, message, "write `np.mgrid[0:n, 0:m]`");
        }
        let is_integer = |v: &&Value| v.typed().is_some_and(|t| self.builder.dtype(t.value).is_integer());
        let dtype = if values.iter().all(is_integer) { DType::I64 } else { DType::F64 };
        self.builder.set_span(span);
        let may_be_negative = name != "numpy.ogrid" && bounds.len() > 1;
        let mut axes: Vec<Axis> = bounds.iter().map(|b| self.grid_axis(b, dtype)).collect();
        for axis in &mut axes {
            axis.extent = self.not_negative(axis.extent, may_be_negative);
        }
        match name {
            "numpy.ogrid" => self.open_grid(&axes, dtype),
            _ => {
                let grid = coordinates(&mut self.builder, &axes, dtype);
                let zero = self.builder.i64(0);
                let is_single = indices.len() == 1;
                Value::array(if is_single { self.builder.index(grid, 0, zero) } else { grid })
            }
        }
    }

    fn bound_or(&mut self, expr: Option<&Expr>, default: i64) -> Value {
        match expr {
            Some(expr) => self.expression(expr),
            None => self.int(default),
        }
    }

    fn grid_axis(&mut self, bounds: &Bounds, dtype: DType) -> Axis {
        let host = |s: &mut Self, value: &Value, dtype: DType| match value.typed() {
            Some(typed) => coordinate(&mut s.builder, typed, dtype),
            None => s.builder.i64(0),
        };
        let (start, stop) = (host(self, &bounds.start, dtype), host(self, &bounds.stop, dtype));
        let is_count = bounds.step.typed().is_some_and(|t| self.builder.dtype(t.value).is_complex());
        let (extent, step) = if is_count {
            let step = host(self, &bounds.step, DType::C128);
            self.grid_of_count(start, stop, step)
        } else {
            let step = host(self, &bounds.step, dtype);
            (self.grid_extent(start, stop, step, dtype), step)
        };
        let is = |s: &Self, value: ValueId, n: i64| {
            s.builder.as_i64(value) == Some(n) || s.builder.as_constant(value) == Some(Constant::Float(n as f64))
        };
        let step = (!is(self, step, 1)).then_some(step);
        let start = (!is(self, start, 0)).then_some(start);
        Axis { extent, start, step }
    }

    /// How many points fit before the stop.
    fn grid_extent(&mut self, start: ValueId, stop: ValueId, step: ValueId, dtype: DType) -> ValueId {
        if self.builder.as_i64(start) == Some(0) && self.builder.as_i64(step) == Some(1) {
            return stop;
        }
        let zero = self.builder.i64(0);
        let none = self.builder.cast_scalar(zero, dtype);
        let moves = self.builder.scalar(ScalarOp::Ne, &[step, none]);
        self.check(moves, ErrorKind::ZeroDivision, "division by zero", &[]);
        if dtype == DType::I64 {
            let back = self.builder.scalar(ScalarOp::Sub, &[start, stop]);
            let back = self.builder.scalar(ScalarOp::FloorDiv, &[back, step]);
            self.builder.scalar(ScalarOp::Sub, &[zero, back])
        } else {
            let length = self.builder.scalar(ScalarOp::Sub, &[stop, start]);
            let steps = self.builder.scalar(ScalarOp::Div, &[length, step]);
            let steps = self.builder.scalar(ScalarOp::Ceil, &[steps]);
            self.builder.cast_scalar(steps, DType::I64)
        }
    }

    /// An extent: below 0 nothing, or, of a grid of several axes, NumPy's error.
    fn not_negative(&mut self, extent: ValueId, is_error: bool) -> ValueId {
        let zero = self.builder.i64(0);
        if is_error {
            let fits = self.builder.scalar(ScalarOp::Le, &[zero, extent]);
            self.check(fits, ErrorKind::Value, "negative dimensions are not allowed", &[]);
            return extent;
        }
        match self.builder.as_i64(extent) {
            Some(n) => self.builder.i64(n.max(0)),
            None => self.builder.scalar(ScalarOp::Max, &[extent, zero]),
        }
    }

    /// So many points as the magnitude of an imaginary step says, and their distance.
    fn grid_of_count(&mut self, start: ValueId, stop: ValueId, step: ValueId) -> (ValueId, ValueId) {
        let magnitude = self.builder.scalar(ScalarOp::Abs, &[step]);
        let extent = self.builder.cast_scalar(magnitude, DType::I64);
        let one = self.builder.i64(1);
        let gaps = self.builder.scalar(ScalarOp::Sub, &[extent, one]);
        let gaps = self.builder.scalar(ScalarOp::Max, &[gaps, one]);
        let gaps = self.builder.cast_scalar(gaps, DType::F64);
        let length = self.builder.scalar(ScalarOp::Sub, &[stop, start]);
        (extent, self.builder.scalar(ScalarOp::Div, &[length, gaps]))
    }

    /// A tuple of arrays, each along an axis of its own; of a single slice one vector.
    fn open_grid(&mut self, axes: &[Axis], dtype: DType) -> Value {
        let zero = self.builder.i64(0);
        let mut arrays = Vec::with_capacity(axes.len());
        for (n, axis) in axes.iter().enumerate() {
            let grid = coordinates(&mut self.builder, &[*axis], dtype);
            let mut array = self.builder.index(grid, 0, zero);
            for other in 0..axes.len() {
                if other != n {
                    array = self.builder.new_axis(array, other);
                }
            }
            arrays.push(Value::array(array));
        }
        if arrays.len() == 1 { arrays.remove(0) } else { Value::Tuple(arrays) }
    }
}
