//! `np.mgrid[…]` and `np.ogrid[…]`: coordinates by slices; `np.r_[…]` and `np.c_[…]`: values by slices, joined with others.
//!
//! In: slices with a stop, the start 0 and the step 1 where they are left out; an imaginary step is a number of points, both ends among them. Out:
//! fresh arrays, of `int64` where every bound is an int, of `float64` otherwise.

use numptx_ir::DType;
use numptx_ir::array::{ErrorKind, ValueId};
use numptx_ir::functions::repeating::{Axis, coordinate, coordinates, open_grid};
use numptx_ir::scalar::{Constant, ScalarOp};
use numptx_source::{Span, code};
use numptx_syntax::ast::{Expr, Index};

use crate::lowerer::Lowerer;
use crate::values::call::single;
use crate::values::value::Value;

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
        let mut arrays: Vec<Value> = open_grid(&mut self.builder, axes, dtype).into_iter().map(Value::array).collect();
        if arrays.len() == 1 { arrays.remove(0) } else { Value::Tuple(arrays) }
    }

    /// `np.r_[indices]`, or `np.c_[indices]`: what slices, numbers and arrays make one after the other, or side by side.
    pub fn joined_by_index(&mut self, name: &str, indices: &[Index], span: Span) -> Value {
        let mut parts = Vec::with_capacity(indices.len());
        for index in indices {
            let part = match index {
                Index::Slice { lower, upper: Some(upper), step, .. } => {
                    self.sliced_values(lower.as_ref(), upper, step.as_ref(), span)
                }
                Index::Expr(expr) => match self.expression(expr) {
                    list @ (Value::List(_)
                    | Value::Tuple(_)
                    | Value::Filled(_)
                    | Value::Container(_)
                    | Value::Iterable(_)) => self.table_call("numpy.array", None, single(list, expr.span)),
                    value @ (Value::Typed(_) | Value::Poison) => value,
                    other => {
                        let message = format!("`{name}` does not take {}", other.describe(&self.builder));
                        let help = "join arrays along an axis: `np.concatenate((a, b), axis=1)`";
                        return self.refuse(code::UNSUPPORTED_INDEX, expr.span, message, help);
                    }
                },
                _ => {
                    let message = format!("`{name}` takes numbers, arrays, and slices with an end");
                    return self.refuse(code::UNSUPPORTED_INDEX, span, message, "write `np.r_[0:n, x]`");
                }
            };
            parts.push(part);
        }
        if parts.iter().any(Value::is_poison) {
            return Value::Poison;
        }
        let (shown, is_of_columns) = if name == "numpy.c_" { ("numpy.c_", true) } else { ("numpy.r_", false) };
        let is_of_columns = self.bool(is_of_columns);
        self.call_own("joined_by_index", shown, vec![Value::Tuple(parts), is_of_columns], span)
    }

    /// The values of a slice: by its step, or so many as an imaginary step says, both ends among them.
    fn sliced_values(&mut self, lower: Option<&Expr>, upper: &Expr, step: Option<&Expr>, span: Span) -> Value {
        let start = self.bound_or(lower, 0);
        let stop = self.expression(upper);
        let step = self.bound_or(step, 1);
        if [&start, &stop, &step].iter().any(|v| v.is_poison()) {
            return Value::Poison;
        }
        let is_count = step.typed().is_some_and(|t| self.builder.dtype(t.value).is_complex());
        if !is_count {
            return self.call_on("numpy.arange", &[start, stop, step], span, &[span; 3]);
        }
        let magnitude = self.call_on("numpy.absolute", &[step], span, &[span]);
        let Some(magnitude) = magnitude.typed() else { return Value::Poison };
        let Some(magnitude) = self.host(magnitude) else { return Value::Poison };
        let count = Value::python(self.builder.cast_scalar(magnitude, DType::I64));
        self.call_on("numpy.linspace", &[start, stop, count], span, &[span; 3])
    }
}
