//! Conversions: `np.float32(x)`, `int(x)`, `float(x)`, `bool(x)`, `complex(x, y)`, `round(x)`; values that may be stored in an array.

use numptx_ir::DType;
use numptx_ir::array::{ErrorKind, ValueId};
use numptx_ir::dtype::Kind;
use numptx_ir::functions::{Family, Typed, convert};
use numptx_ir::promotion::{Casting, can_cast, integer_fits, integer_range};
use numptx_ir::scalar::{Constant, ScalarOp};
use numptx_source::{Span, code};

use crate::lowerer::Lowerer;
use crate::numbers::ints::INT_LIMIT;
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

    /// A value that can be converted to `dtype` by an unchecked cast: Python scalars are converted here, with Python's errors.
    pub fn storable(&mut self, value: &Value, dtype: DType, span: Span) -> Option<Typed> {
        let Value::Typed(typed) = value else {
            if !value.is_poison() {
                let message = format!("{} cannot be stored in an array", value.describe(&self.builder));
                self.refuse(code::TYPE_MISMATCH, span, message, "store numbers and arrays: `x[0] = 1.0`");
            }
            return None;
        };
        let from = self.builder.dtype(typed.value);
        if from.is_complex() && !dtype.is_complex() && dtype != DType::Bool {
            let message = format!("a complex value cannot be stored in an array of `{dtype}`");
            let help = "store one part: `x[0] = z.real`; or make the array complex";
            self.refuse(code::CAST_REFUSED, span, message, help);
            return None;
        }
        if typed.family != Family::Python {
            return Some(*typed);
        }
        let value = self.python_to(typed.value, dtype, span)?;
        Some(Typed { value, family: Family::Numpy })
    }

    /// NumPy stores its own scalars in signed integers as if they were Python's: those that may not fit are looked at on the host.
    /// In unsigned integers they wrap.
    pub fn numpy_to(&mut self, typed: Typed, dtype: DType, span: Span) -> Option<Typed> {
        let from = self.builder.dtype(typed.value);
        let is_signed = dtype.kind() == Kind::Signed;
        if typed.family != Family::Numpy || !is_signed || can_cast(from, dtype, Casting::Safe) {
            return Some(typed);
        }
        let mut value = convert::to_host(&mut self.builder, typed);
        if from == DType::U64 {
            let limit = self.builder.constant(Constant::Int(i64::MAX), DType::U64);
            let fits = self.builder.scalar(ScalarOp::Le, &[value, limit]);
            self.check(fits, ErrorKind::Overflow, "Python int too large to convert to C long", &[]);
        }
        if from.is_integer() {
            value = self.convert(value, DType::I64);
        }
        Some(Typed { value: self.python_to(value, dtype, span)?, ..typed })
    }

    /// A Python scalar as a host scalar of a dtype, with the errors of NumPy's conversion. `None` after a report.
    pub fn python_to(&mut self, value: ValueId, dtype: DType, span: Span) -> Option<ValueId> {
        let from = self.builder.dtype(value);
        let to_integer = dtype.is_integer();
        if !to_integer || from == DType::Bool {
            return Some(self.convert(value, dtype));
        }
        let value = if from.is_float() {
            self.float_to_int(value, "Python int too large to convert to C long", span)?
        } else {
            value
        };
        let (low, high) = integer_range(dtype).unwrap_or((i64::MIN, i64::MAX));
        if let Some(n) = self.builder.as_i64(value) {
            if !integer_fits(n, dtype) {
                let message = format!("Python integer {n} is out of bounds for `{dtype}`");
                let help = format!("`{dtype}` holds {low} to {high}; use a wider dtype");
                self.refuse(code::CONSTANT_OUT_OF_RANGE, span, message, help);
                return None;
            }
        } else {
            self.check_range(value, low, high, dtype);
        }
        Some(self.convert(value, dtype))
    }

    pub fn check_range(&mut self, value: ValueId, low: i64, high: i64, dtype: DType) {
        let fact = self.fact(value);
        let message = format!("Python integer {{}} out of bounds for {dtype}");
        if fact.low < low {
            let limit = self.builder.i64(low);
            let fits = self.builder.scalar(ScalarOp::Le, &[limit, value]);
            self.check(fits, ErrorKind::Overflow, &message, &[value]);
        }
        if fact.high > high {
            let limit = self.builder.i64(high);
            let fits = self.builder.scalar(ScalarOp::Le, &[value, limit]);
            self.check(fits, ErrorKind::Overflow, &message, &[value]);
        }
    }

    /// `int(x)` of a host float, with Python's errors; `too_large` is what is said of ints beyond 64 bits. `None` after a report.
    pub fn float_to_int(&mut self, value: ValueId, too_large: &str, span: Span) -> Option<ValueId> {
        let value = self.convert(value, DType::F64);
        if let Some(Constant::Float(x)) = self.builder.as_constant(value) {
            if !(-INT_LIMIT..INT_LIMIT).contains(&x) {
                let message = format!("the float {x:?} has no int of 64 bits");
                self.refuse(code::CONSTANT_OUT_OF_RANGE, span, message, "ints are `int64` here; keep it a float");
                return None;
            }
            return Some(self.builder.i64(x as i64));
        }
        let nan = self.builder.scalar(ScalarOp::IsNan, &[value]);
        let number = self.not(nan);
        self.check(number, ErrorKind::Value, "cannot convert float NaN to integer", &[]);
        let infinite = self.builder.scalar(ScalarOp::IsInf, &[value]);
        let finite = self.not(infinite);
        self.check(finite, ErrorKind::Overflow, "cannot convert float infinity to integer", &[]);
        let limit = self.builder.constant(Constant::Float(INT_LIMIT), DType::F64);
        let low = self.builder.constant(Constant::Float(-INT_LIMIT), DType::F64);
        let below = self.builder.scalar(ScalarOp::Lt, &[value, limit]);
        let above = self.builder.scalar(ScalarOp::Ge, &[value, low]);
        let fits = self.both(ScalarOp::BitAnd, below, above);
        self.check(fits, ErrorKind::Overflow, too_large, &[]);
        Some(self.builder.cast_scalar(value, DType::I64))
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
