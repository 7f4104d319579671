//! `np.finfo(dtype)` and `np.iinfo(dtype)`: what numbers a dtype has, known when compiling.

use numptx_ir::DType;
use numptx_ir::dtype::Kind;
use numptx_ir::functions::Family;
use numptx_ir::scalar::Constant;
use numptx_source::{Span, code};

use crate::lowerer::Lowerer;
use crate::values::value::Value;

impl Lowerer<'_> {
    /// `np.finfo(…)` or `np.iinfo(…)` of a dtype, or of a number's.
    pub fn limits(&mut self, function: &str, value: &Value, span: Span) -> Value {
        // NumPy takes numbers, and no arrays: it asks for the dtype of their class.
        let number = value.typed().filter(|typed| typed.family != Family::Array);
        let dtype = value.as_dtype().or_else(|| number.map(|typed| self.builder.dtype(typed.value)));
        let dtype = match dtype {
            Some(DType::C64) => Some(DType::F32),
            Some(DType::C128) => Some(DType::F64),
            other => other,
        };
        match dtype {
            Some(dtype) if function == "finfo" && dtype.is_float() => Value::Limits(dtype),
            Some(dtype) if function == "iinfo" && dtype.is_integer() => Value::Limits(dtype),
            _ => {
                let kind = if function == "finfo" { "floats" } else { "integers" };
                let message = format!("`np.{function}` is of {kind}, and this is {}", value.describe(&self.builder));
                let help = "write `np.finfo(np.float64)`, `np.finfo(x.dtype)`, `np.iinfo(np.int32)`";
                self.refuse(code::BAD_ARGUMENT, span, message, help)
            }
        }
    }

    /// An attribute of what `np.finfo` or `np.iinfo` gives.
    pub fn limits_attribute(&mut self, dtype: DType, name: &str, span: Span) -> Value {
        if name == "dtype" {
            return Value::DType(dtype);
        }
        if name == "bits" {
            return self.int(8 * dtype.itemsize() as i64);
        }
        if !dtype.is_float() {
            return self.integer_limit(dtype, name, span);
        }
        if let Some(value) = float_limit(dtype, name) {
            return Value::numpy(self.builder.constant(Constant::Float(value), dtype));
        }
        match float_parameter(dtype, name) {
            Some(value) => self.int(value),
            None => self.refuse_limit(name, span),
        }
    }

    fn integer_limit(&mut self, dtype: DType, name: &str, span: Span) -> Value {
        let bits = 8 * dtype.itemsize() as u32;
        let is_signed = dtype.kind() == Kind::Signed;
        match name {
            "min" => self.int(if is_signed { i64::MIN >> (64 - bits) } else { 0 }),
            "max" if dtype == DType::U64 => Value::LargeInt(u64::MAX.into()),
            "max" if is_signed => self.int(i64::MAX >> (64 - bits)),
            "max" => self.int(i64::MAX >> (63 - bits)),
            "kind" => Value::Str(if is_signed { "i" } else { "u" }.to_owned()),
            "key" => Value::Str(format!("{}{bits}", if is_signed { "i" } else { "u" })),
            _ => self.refuse_limit(name, span),
        }
    }

    fn refuse_limit(&mut self, name: &str, span: Span) -> Value {
        let message = format!("`np.finfo` and `np.iinfo` have no attribute `{name}` here");
        let help = "they have `min`, `max`, `bits`, `dtype`, of integers `kind` and `key`, and of floats `eps`, `epsneg`, `tiny`, `resolution`, `precision`, `nmant`, `nexp`";
        self.refuse(code::UNKNOWN_ATTRIBUTE, span, message, help)
    }
}

/// Numbers of `float16`, `float32` or `float64`.
fn float_limit(dtype: DType, name: &str) -> Option<f64> {
    let two_to = |n: i32| 2f64.powi(n);
    let (half, single, double) = match name {
        "eps" => (two_to(-10), f64::from(f32::EPSILON), f64::EPSILON),
        "epsneg" => (two_to(-11), f64::from(f32::EPSILON) / 2.0, f64::EPSILON / 2.0),
        "max" => (65504.0, f64::from(f32::MAX), f64::MAX),
        "min" => (-65504.0, f64::from(f32::MIN), f64::MIN),
        "tiny" | "smallest_normal" => (two_to(-14), f64::from(f32::MIN_POSITIVE), f64::MIN_POSITIVE),
        "smallest_subnormal" => (two_to(-24), f64::from(f32::from_bits(1)), f64::from_bits(1)),
        "resolution" => (1049.0 * two_to(-20), f64::from(1e-6f32), 1e-15),
        _ => return None,
    };
    Some(of_dtype(dtype, half, single, double))
}

fn of_dtype<T>(dtype: DType, half: T, single: T, double: T) -> T {
    match dtype {
        DType::F16 => half,
        DType::F32 => single,
        _ => double,
    }
}

/// Ints that describe `float16`, `float32` or `float64`.
fn float_parameter(dtype: DType, name: &str) -> Option<i64> {
    let (half, single, double) = match name {
        "precision" => (3, 6, 15),
        "nmant" => (10, 23, 52),
        "nexp" | "iexp" => (5, 8, 11),
        "maxexp" => (16, 128, 1024),
        "minexp" => (-14, -126, -1022),
        "machep" => (-10, -23, -52),
        "negep" => (-11, -24, -53),
        _ => return None,
    };
    Some(of_dtype(dtype, half, single, double))
}
