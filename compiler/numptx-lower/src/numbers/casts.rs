//! Conversions: `np.float32(x)`, `int(x)`, `float(x)`, `bool(x)`, `complex(x, y)`, `round(x)`.

use numptx_ir::DType;
use numptx_ir::array::ErrorKind;
use numptx_ir::functions::Family;
use numptx_ir::scalar::{Constant, ScalarOp};
use numptx_source::{Span, code};

use crate::lowerer::Lowerer;
use crate::numbers::scalars::INT_OVERFLOW;
use crate::values::call::Call;
use crate::values::value::Value;

impl Lowerer<'_> {
    /// `np.float32(x)`: a NumPy scalar, or an array of that dtype.
    pub fn cast_call(&mut self, dtype: DType, call: Call) -> Value {
        let value = match call.positional.as_slice() {
            [] if call.keywords.is_empty() => self.int(0),
            [value] if call.keywords.is_empty() => value.clone(),
            _ => {
                let message = format!("`np.{dtype}` takes one argument");
                return self.refuse(code::TOO_MANY_ARGUMENTS, call.span, message, format!("write `np.{dtype}(x)`"));
            }
        };
        let place = call.places.first().copied().unwrap_or(call.span);
        match &value {
            Value::LargeInt(n) => self.large_to(*n, dtype, place),
            Value::Typed(typed) if typed.family == Family::Python => {
                if self.builder.dtype(typed.value).is_complex() && !dtype.is_complex() {
                    return self.refuse_complex(place);
                }
                match self.python_to(typed.value, dtype, place) {
                    Some(scalar) => Value::numpy(scalar),
                    None => Value::Poison,
                }
            }
            Value::Typed(_) => {
                self.call_on("ndarray.astype", &[value, Value::DType(dtype)], call.span, &[place, place])
            }
            Value::Tuple(_) | Value::List(_) => {
                let array = self.call_on("numpy.array", &[value], call.span, &[place]);
                self.call_on("ndarray.astype", &[array, Value::DType(dtype)], call.span, &[place, place])
            }
            other => {
                let message = format!("{} cannot be converted to `{dtype}`", other.describe(&self.builder));
                self.refuse(code::BAD_ARGUMENT, place, message, format!("convert numbers and arrays: `np.{dtype}(x)`"))
            }
        }
    }

    fn refuse_complex(&mut self, span: Span) -> Value {
        self.refuse(
            code::CAST_REFUSED,
            span,
            "a complex number cannot be converted to a real one",
            "take a part: `z.real`",
        )
    }

    /// `int(x)`, `float(x)`, `bool(x)` of a scalar: a Python scalar.
    pub fn python_cast(&mut self, name: &str, call: &Call) -> Value {
        let dtype = match name {
            "int" => DType::I64,
            "float" => DType::F64,
            _ => DType::Bool,
        };
        let value = match call.positional.as_slice() {
            [] => self.int(0),
            [value] => value.clone(),
            _ => {
                let help = format!("write `{name}(x)`");
                return self.refuse(code::TOO_MANY_ARGUMENTS, call.span, format!("`{name}` takes one argument"), help);
            }
        };
        let place = call.places.first().copied().unwrap_or(call.span);
        if dtype == DType::Bool {
            return Value::python(self.truth(&value, place));
        }
        if let Value::Str(text) = &value
            && let Some(number) = number_of(text, dtype)
        {
            return Value::python(self.builder.constant(number, dtype));
        }
        let Some(scalar) = value.typed().and_then(|t| self.host(t)) else {
            let message = format!("`{name}` converts one number, this is {}", value.describe(&self.builder));
            let help = format!("convert arrays by `.astype({name})`, or take one element: `{name}(x[0])`");
            return self.refuse(code::BAD_ARGUMENT, place, message, help);
        };
        let from = self.builder.dtype(scalar);
        if from.is_complex() {
            return self.refuse_complex(place);
        }
        if dtype == DType::I64 && from.is_float() {
            return self.float_to_int(scalar, INT_OVERFLOW, place).map_or(Value::Poison, Value::python);
        }
        if dtype == DType::I64 && from == DType::U64 {
            let limit = self.builder.constant(Constant::Int(i64::MAX), DType::U64);
            let fits = self.builder.scalar(ScalarOp::Le, &[scalar, limit]);
            self.check(fits, ErrorKind::Overflow, INT_OVERFLOW, &[]);
        }
        Value::python(self.convert(scalar, dtype))
    }

    /// `complex(x, y)`
    pub fn complex_call(&mut self, call: &Call) -> Value {
        let mut parts = Vec::new();
        for (value, place) in call.positional.iter().zip(&call.places) {
            let Some(scalar) = value.typed().and_then(|t| self.host(t)) else {
                let message = format!("`complex` takes numbers, this is {}", value.describe(&self.builder));
                let help = "make complex arrays by arithmetic: `x + 1j * y`";
                return self.refuse(code::BAD_ARGUMENT, *place, message, help);
            };
            parts.push(scalar);
        }
        match parts.as_slice() {
            [value] => Value::python(self.convert(*value, DType::C128)),
            [re, im] if !self.builder.dtype(*re).is_complex() && !self.builder.dtype(*im).is_complex() => {
                let (re, im) = (self.convert(*re, DType::F64), self.convert(*im, DType::F64));
                match (self.builder.as_constant(re), self.builder.as_constant(im)) {
                    (Some(Constant::Float(x)), Some(Constant::Float(y))) => {
                        self.python_constant(Constant::Complex(x, y))
                    }
                    _ => Value::python(self.builder.scalar(ScalarOp::Complex, &[re, im])),
                }
            }
            _ => self.refuse(
                code::BAD_ARGUMENT,
                call.span,
                "`complex` takes one or two real numbers",
                "write `complex(x, y)`",
            ),
        }
    }

    /// `round(x)`: to an int, halves to even.
    pub fn round_call(&mut self, call: &Call) -> Value {
        let place = call.places.first().copied().unwrap_or(call.span);
        let value = match call.positional.as_slice() {
            [value] | [value, Value::None] => value,
            [value, digits] => return self.round_to(value, digits, call),
            _ => {
                let help = "write `round(x)`, or `round(x, 2)`";
                return self.refuse(code::BAD_ARGUMENT, call.span, "`round` takes a number, and digits", help);
            }
        };
        if self.has_axes(value) {
            return self.refuse(code::BAD_ARGUMENT, place, "`round` takes one number", "write `np.round(x)`");
        }
        let Some(scalar) = value.typed().and_then(|t| self.host(t)) else {
            return self.refuse(code::BAD_ARGUMENT, place, "`round` takes one number", "write `round(x)`");
        };
        match self.builder.dtype(scalar) {
            DType::F16 | DType::F32 | DType::F64 => {
                let wide = self.convert(scalar, DType::F64);
                let rounded = self.builder.scalar(ScalarOp::Rint, &[wide]);
                self.float_to_int(rounded, INT_OVERFLOW, place).map_or(Value::Poison, Value::python)
            }
            DType::C64 | DType::C128 => self.refuse_complex(place),
            _ => self.python_cast("int", call),
        }
    }
}

/// The number that `int` or `float` makes of a string: decimal digits, and `inf`, `infinity` and `nan` for floats.
pub(crate) fn number_of(text: &str, dtype: DType) -> Option<Constant> {
    let text = text.trim();
    if dtype == DType::I64 {
        return text.parse().ok().map(Constant::Int);
    }
    text.parse().ok().map(Constant::Float)
}
