//! Scalars of the host, and what is asked of values first.

use numptx_ir::DType;
use numptx_ir::array::{ErrorKind, Type, ValueId};
use numptx_ir::functions::{Family, Typed};
use numptx_ir::scalar::{Constant, ScalarOp};

use crate::lowerer::Lowerer;
use crate::values::facts::Fact;
use crate::values::value::Value;

impl Lowerer<'_> {
    /// A Python int.
    pub fn int(&mut self, n: i64) -> Value {
        Value::python(self.builder.i64(n))
    }

    /// A Python bool.
    pub fn bool(&mut self, b: bool) -> Value {
        Value::python(self.bool_id(b))
    }

    /// A host bool.
    pub fn bool_id(&mut self, b: bool) -> ValueId {
        self.builder.constant(Constant::Bool(b), DType::Bool)
    }

    /// `not`, of a host bool.
    pub fn not(&mut self, condition: ValueId) -> ValueId {
        match self.builder.as_constant(condition) {
            Some(Constant::Bool(b)) => self.bool_id(!b),
            _ => self.builder.scalar(ScalarOp::BitNot, &[condition]),
        }
    }

    /// `and` or `or` of two host bools, both evaluated.
    pub fn both(&mut self, op: ScalarOp, a: ValueId, b: ValueId) -> ValueId {
        let absorbing = op == ScalarOp::BitOr;
        match (self.builder.as_constant(a), self.builder.as_constant(b)) {
            (Some(Constant::Bool(x)), _) => {
                if x == absorbing {
                    a
                } else {
                    b
                }
            }
            (_, Some(Constant::Bool(y))) => {
                if y == absorbing {
                    b
                } else {
                    a
                }
            }
            _ => self.builder.scalar(op, &[a, b]),
        }
    }

    /// Raises unless the condition holds.
    pub fn check(&mut self, condition: ValueId, kind: ErrorKind, message: &str, payload: &[ValueId]) {
        self.builder.check(condition, kind, message, payload);
    }

    /// A scalar's value on the host: read from the device if it is there. `None`, unreported, for arrays of one axis and more.
    pub fn host(&mut self, typed: Typed) -> Option<ValueId> {
        match self.builder.ty(typed.value) {
            Type::Scalar(_) => Some(typed.value),
            Type::Object => None,
            Type::Array(array) if array.rank == 0 => Some(self.builder.item(typed.value)),
            Type::Array(_) => None,
        }
    }

    /// Whether a value is an array with axes.
    pub fn has_axes(&self, value: &Value) -> bool {
        value.typed().is_some_and(|t| self.builder.rank(t.value) > 0)
    }

    /// Whether a value is an array, also of rank 0.
    pub fn is_array(&self, value: &Value) -> bool {
        value.typed().is_some_and(|t| t.family == Family::Array)
    }

    /// Whether a value is a scalar: Python's, NumPy's, or an array of rank 0.
    pub fn is_scalar(&self, value: &Value) -> bool {
        value.typed().is_some_and(|t| self.builder.rank(t.value) == 0)
    }

    /// Whether a value is a Python scalar.
    pub fn is_python(&self, value: &Value) -> bool {
        value.typed().is_some_and(|t| t.family == Family::Python)
    }

    /// A value's constant, if it is a scalar known when compiling.
    pub fn constant_of(&self, value: &Value) -> Option<Constant> {
        value.typed().and_then(|t| self.builder.as_constant(t.value))
    }

    /// A value's Python int, if it is one known when compiling. Bools count, as in Python.
    pub fn int_of(&self, value: &Value) -> Option<i64> {
        match self.constant_of(value)? {
            Constant::Int(n) => Some(n),
            Constant::Bool(b) => Some(i64::from(b)),
            _ => None,
        }
    }

    /// What is known of a host integer.
    pub fn fact(&self, value: ValueId) -> Fact {
        self.numbers.facts.get(&self.builder, value)
    }

    /// The extents of an array, as integers of which it is known that they are not negative.
    pub fn extents(&mut self, array: ValueId) -> Vec<ValueId> {
        let extents = self.builder.shape(array);
        for extent in &extents {
            if self.builder.as_i64(*extent).is_none() && self.fact(*extent) == Fact::ANY {
                self.numbers.facts.set(*extent, Fact::EXTENT);
            }
        }
        extents
    }

    /// A Python scalar as another Python scalar type, by value; constants stay constants.
    pub fn convert(&mut self, value: ValueId, dtype: DType) -> ValueId {
        let from = self.builder.dtype(value);
        match self.builder.as_constant(value) {
            _ if from == dtype => value,
            Some(constant) => match numptx_ir::promotion::convert_constant(constant, from, dtype) {
                Some(constant) => self.builder.constant(constant, dtype),
                None => self.builder.cast_scalar(value, dtype),
            },
            None => {
                let result = self.builder.cast_scalar(value, dtype);
                if from == DType::Bool && dtype == DType::I64 {
                    self.numbers.facts.set(result, Fact { low: 0, high: 1, ..Fact::ANY });
                }
                result
            }
        }
    }

    /// A value as a host `int64`, which it has to fit into; `None`, unreported, if it is not an integer.
    pub fn integer(&mut self, value: &Value) -> Option<ValueId> {
        let scalar = self.host_integer(value)?;
        if self.builder.dtype(scalar) == DType::U64 {
            let limit = self.builder.constant(Constant::Int(i64::MAX), DType::U64);
            let fits = self.builder.scalar(ScalarOp::Le, &[scalar, limit]);
            self.check(fits, ErrorKind::Overflow, "Python int too large to convert to C long", &[]);
        }
        Some(self.convert(scalar, DType::I64))
    }

    pub fn host_integer(&mut self, value: &Value) -> Option<ValueId> {
        let typed = value.typed()?;
        let dtype = self.builder.dtype(typed.value);
        let python_bool = typed.family == Family::Python && dtype == DType::Bool;
        if !(dtype.is_integer() || python_bool) {
            return None;
        }
        self.host(typed)
    }

    /// A host bool's value, where it is known.
    pub fn known_bool(&self, condition: ValueId) -> Option<bool> {
        match self.builder.as_constant(condition) {
            Some(Constant::Bool(b)) => Some(b),
            _ => None,
        }
    }
}
