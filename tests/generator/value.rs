//! What the writer knows of a value: its text, its type, and what it is on the sample arguments.

use crate::dtype::DType;

/// What a value is to Python.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A NumPy array.
    Array,
    /// A NumPy scalar.
    Scalar,
    /// A Python `int`.
    Int,
    /// A Python `float`.
    Float,
    /// A Python `bool`.
    Flag,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Value {
    /// Its text, in parentheses where an operator may follow.
    pub text: String,
    /// What it is.
    pub form: Form,
    /// Of arrays and NumPy scalars.
    pub dtype: DType,
    /// The shape that it has on the sample arguments.
    pub shape: Vec<i64>,
    /// The value that an `int` has on the sample arguments.
    pub sample: i64,
    /// Whether an array may be written to.
    pub writeable: bool,
}

impl Value {
    /// An array.
    pub fn array(text: impl Into<String>, dtype: DType, shape: Vec<i64>) -> Value {
        Value { text: text.into(), form: Form::Array, dtype, shape, sample: 0, writeable: true }
    }

    /// A NumPy scalar.
    pub fn scalar(text: impl Into<String>, dtype: DType) -> Value {
        Value { text: text.into(), form: Form::Scalar, dtype, shape: Vec::new(), sample: 0, writeable: false }
    }

    /// A Python `int`.
    pub fn int(text: impl Into<String>, sample: i64) -> Value {
        let text = text.into();
        Value { text, form: Form::Int, dtype: DType::I64, shape: Vec::new(), sample, writeable: false }
    }

    /// A Python `float`.
    pub fn float(text: impl Into<String>) -> Value {
        Value { form: Form::Float, dtype: DType::F64, ..Value::int(text, 0) }
    }

    /// A Python `bool`.
    pub fn flag(text: impl Into<String>) -> Value {
        Value { form: Form::Flag, dtype: DType::Bool, ..Value::int(text, 0) }
    }

    /// What NumPy's functions of arrays give: a scalar where no axis is left.
    pub fn computed(text: impl Into<String>, dtype: DType, shape: Vec<i64>) -> Value {
        if shape.is_empty() { Value::scalar(text, dtype) } else { Value::array(text, dtype, shape) }
    }

    /// The same value under another text.
    pub fn named(&self, text: impl Into<String>) -> Value {
        Value { text: text.into(), ..self.clone() }
    }

    /// Number of axes.
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// Number of elements on the sample arguments.
    pub fn size(&self) -> i64 {
        self.shape.iter().product()
    }

    /// Whether it is an array.
    pub fn is_array(&self) -> bool {
        self.form == Form::Array
    }

    /// Whether a name of this type can hold the other where paths join.
    pub fn has_type_of(&self, other: &Value) -> bool {
        self.form == other.form && self.dtype == other.dtype && self.rank() == other.rank()
    }
}

/// The shape that two are broadcast to; `None` where they do not fit.
pub fn broadcast(a: &[i64], b: &[i64]) -> Option<Vec<i64>> {
    let rank = a.len().max(b.len());
    let extent = |of: &[i64], axis: usize| if axis + of.len() < rank { 1 } else { of[axis + of.len() - rank] };
    (0..rank)
        .map(|axis| match (extent(a, axis), extent(b, axis)) {
            (x, y) if x == y => Some(x),
            (1, y) => Some(y),
            (x, 1) => Some(x),
            _ => None,
        })
        .collect()
}

/// Number of elements that Python's slice takes of an axis.
pub fn slice_length(lower: Option<i64>, upper: Option<i64>, step: i64, extent: i64) -> i64 {
    let (least, most) = if step > 0 { (0, extent) } else { (-1, extent - 1) };
    let clamp = |bound: i64| (if bound < 0 { bound + extent } else { bound }).clamp(least, most);
    let first = lower.map_or(if step > 0 { 0 } else { extent - 1 }, clamp);
    let last = upper.map_or(if step > 0 { extent } else { -1 }, clamp);
    let distance = if step > 0 { last - first } else { first - last };
    if distance <= 0 { 0 } else { (distance + step.abs() - 1) / step.abs() }
}
