//! Folding elements with a reducer.

use super::{Constant, Precision, as_float, eval, order, zero};
use crate::DType;
use crate::dtype::Kind;
use crate::scalar::Reducer;

impl Reducer {
    /// The value that combines with any element to that element; index 0 for the arg reducers. `element`: the elements' dtype.
    pub fn identity(self, element: DType) -> Constant {
        match self {
            Reducer::Add => zero(element),
            Reducer::Mul => one(element),
            Reducer::Min => largest(element),
            Reducer::Max => smallest(element),
            Reducer::And => all_bits(element),
            Reducer::Or | Reducer::Xor => zero(element),
            Reducer::ArgMin | Reducer::ArgMax => Constant::Int(0),
        }
    }

    /// Two partial results of elements of dtype `element`. The arg reducers have no such form (see [`Accumulator`]): the first.
    pub fn combine(self, a: Constant, b: Constant, element: DType) -> Constant {
        let Some(op) = self.operation() else { return a };
        eval(op, &[(a, element), (b, element)], element)
    }
}

/// A reduction under way: elements are pushed in C order over the reduced axes.
///
/// Sums and products of `float16`, `float32` and `complex64` are accumulated in double precision and rounded at the end, so that they lie
/// within any bound that a summation tree can meet.
#[derive(Clone, Debug)]
pub struct Accumulator {
    reducer: Reducer,
    element: DType,
    value: Constant,
    index: i64,
    count: i64,
}

impl Accumulator {
    /// Nothing pushed yet.
    pub fn new(reducer: Reducer, element: DType) -> Self {
        Accumulator { reducer, element, value: reducer.identity(wide(element)), index: 0, count: 0 }
    }

    /// The next element.
    pub fn push(&mut self, element: Constant) {
        match self.reducer {
            Reducer::ArgMin | Reducer::ArgMax => {
                if self.count == 0 || self.is_better(element) {
                    (self.value, self.index) = (element, self.count);
                }
            }
            reducer => self.value = reducer.combine(self.value, element, wide(self.element)),
        }
        self.count += 1;
    }

    /// A strictly better one, or the first nan.
    fn is_better(&self, element: Constant) -> bool {
        let is_nan = |c: Constant| self.element.is_float() && as_float(c).is_nan();
        if is_nan(self.value) || is_nan(element) {
            return !is_nan(self.value);
        }
        let (a, b) = if self.reducer == Reducer::ArgMin { (element, self.value) } else { (self.value, element) };
        order(a, b, self.element) == Some(std::cmp::Ordering::Less)
    }

    /// The result; of no elements the identity.
    pub fn finish(&self) -> Constant {
        match self.reducer {
            Reducer::ArgMin | Reducer::ArgMax => Constant::Int(self.index),
            _ => narrow(self.value, self.element),
        }
    }
}

fn wide(element: DType) -> DType {
    match element {
        DType::F16 | DType::F32 => DType::F64,
        DType::C64 => DType::C128,
        other => other,
    }
}

fn narrow(value: Constant, element: DType) -> Constant {
    let precision = Precision::of(element);
    match value {
        Constant::Float(x) => Constant::Float(precision.round(x)),
        Constant::Complex(x, y) => Constant::Complex(precision.round(x), precision.round(y)),
        other => other,
    }
}

fn one(dtype: DType) -> Constant {
    match dtype.kind() {
        Kind::Bool => Constant::Bool(true),
        Kind::Signed | Kind::Unsigned => Constant::Int(1),
        Kind::Float => Constant::Float(1.0),
        Kind::Complex => Constant::Complex(1.0, 0.0),
    }
}

fn all_bits(dtype: DType) -> Constant {
    match dtype.kind() {
        Kind::Bool => Constant::Bool(true),
        Kind::Unsigned => largest(dtype),
        _ => Constant::Int(-1),
    }
}

fn largest(dtype: DType) -> Constant {
    let bits = 8 * dtype.itemsize() as u32;
    match dtype.kind() {
        Kind::Bool => Constant::Bool(true),
        Kind::Signed => Constant::Int(i64::MAX >> (64 - bits)),
        Kind::Unsigned => Constant::Int((u64::MAX >> (64 - bits)) as i64),
        Kind::Float | Kind::Complex => Constant::Float(f64::INFINITY),
    }
}

fn smallest(dtype: DType) -> Constant {
    let bits = 8 * dtype.itemsize() as u32;
    match dtype.kind() {
        Kind::Bool => Constant::Bool(false),
        Kind::Signed => Constant::Int(i64::MIN >> (64 - bits)),
        Kind::Unsigned => Constant::Int(0),
        Kind::Float | Kind::Complex => Constant::Float(f64::NEG_INFINITY),
    }
}
