//! Functions of dtypes, decided when compiling: `np.result_type`, `np.promote_types`, `np.common_type`, `np.can_cast`, `np.isdtype`; and `np.iterable`.

use numptx_ir::DType;
use numptx_ir::dtype::Kind;
use numptx_ir::functions::Family;
use numptx_ir::promotion::{Casting, Operand, can_cast, promote, result_type};
use numptx_source::code;

use crate::lowerer::Lowerer;
use crate::values::call::Call;
use crate::values::value::Value;

/// These functions, and a call of each that is taken.
const FORMS: &[(&str, &str)] = &[
    ("can_cast", "np.can_cast(x.dtype, np.float32, \"same_kind\")"),
    ("common_type", "np.common_type(x, y)"),
    ("isdtype", "np.isdtype(x.dtype, \"real floating\")"),
    ("iterable", "np.iterable(x)"),
    ("promote_types", "np.promote_types(x.dtype, np.float32)"),
    ("result_type", "np.result_type(x, y, np.float32)"),
];

impl Lowerer<'_> {
    /// A call of one of these functions; `None` of others.
    pub fn dtype_function(&mut self, name: &str, call: &Call) -> Option<Value> {
        let (_, form) = FORMS.iter().find(|(own, _)| *own == name)?;
        if let Some(value) = call.positional.iter().find(|value| self.numbers.narrower_of(value).is_some()) {
            return Some(self.refuse_narrower(value, "this test", call.span));
        }
        let known = match (name, call.positional.as_slice()) {
            ("result_type", values) => self.result_type_of(values).map(Value::DType),
            ("promote_types", [a, b]) => a.as_dtype().zip(b.as_dtype()).map(|(a, b)| Value::DType(promote(a, b))),
            ("common_type", values) => self.common_type_of(values).map(Value::DType),
            ("can_cast", [from, to, rest @ ..]) => {
                let casting = casting_of(rest, &call.keywords);
                let from = from.as_dtype().or_else(|| self.dtype_of_numpy_value(from));
                let known = from.zip(to.as_dtype()).zip(casting);
                known.map(|((from, to), casting)| self.bool(can_cast(from, to, casting)))
            }
            ("isdtype", [Value::DType(dtype), kind]) => is_of_kind(*dtype, kind).map(|known| self.bool(known)),
            ("iterable", [value]) => self.is_iterable(value).map(|known| self.bool(known)),
            _ => None,
        };
        Some(known.unwrap_or_else(|| {
            let given: Vec<String> = call.positional.iter().map(|value| value.describe(&self.builder)).collect();
            let message = format!("`np.{name}` of these arguments is not supported: {}", given.join(", "));
            self.refuse(code::BAD_ARGUMENT, call.span, message, format!("write `{form}`"))
        }))
    }

    fn result_type_of(&self, values: &[Value]) -> Option<DType> {
        let operand = |value: &Value| match value {
            Value::Typed(typed) if typed.family == Family::Python => {
                Some(Operand::python(self.builder.dtype(typed.value)))
            }
            other => self.dtype_of_numpy_value(other).or_else(|| other.as_dtype()).map(Operand::Strong),
        };
        result_type(&values.iter().map(operand).collect::<Option<Vec<_>>>()?)
    }

    /// The float or complex dtype of arrays; integers count as double floats.
    fn common_type_of(&self, values: &[Value]) -> Option<DType> {
        let of_array = |value: &Value| match self.dtype_of_numpy_value(value)? {
            DType::Bool => None,
            dtype if dtype.is_integer() => Some(DType::F64),
            dtype => Some(dtype),
        };
        let dtypes = values.iter().map(of_array).collect::<Option<Vec<_>>>()?;
        dtypes.into_iter().reduce(promote)
    }

    /// The dtype of an array or of a number of NumPy.
    fn dtype_of_numpy_value(&self, value: &Value) -> Option<DType> {
        let typed = value.typed().filter(|typed| typed.family != Family::Python)?;
        Some(self.builder.dtype(typed.value))
    }

    fn is_iterable(&self, value: &Value) -> Option<bool> {
        match value {
            Value::Typed(typed) => Some(self.builder.rank(typed.value) > 0),
            Value::Tuple(_) | Value::List(_) | Value::Filled(_) | Value::Container(_) | Value::Str(_) => Some(true),
            Value::None => Some(false),
            _ => None,
        }
    }
}

/// The rule of a cast, which is given by position or by name.
fn casting_of(positional: &[Value], keywords: &[(String, Value, numptx_source::Span)]) -> Option<Casting> {
    let given = match (positional, keywords) {
        ([], []) => return Some(Casting::Safe),
        ([value], []) | ([], [(_, value, _)]) => value,
        _ => return None,
    };
    let Value::Str(text) = given else { return None };
    Some(match text.as_str() {
        "no" | "equiv" => Casting::Equivalent,
        "safe" => Casting::Safe,
        "same_kind" => Casting::SameKind,
        "unsafe" => Casting::Unsafe,
        _ => return None,
    })
}

fn is_of_kind(dtype: DType, kind: &Value) -> Option<bool> {
    let own = dtype.kind();
    match kind {
        Value::DType(other) => Some(*other == dtype),
        Value::Tuple(kinds) => {
            let all = kinds.iter().map(|kind| is_of_kind(dtype, kind)).collect::<Option<Vec<_>>>()?;
            Some(all.contains(&true))
        }
        Value::Str(text) => Some(match text.as_str() {
            "bool" => own == Kind::Bool,
            "signed integer" => own == Kind::Signed,
            "unsigned integer" => own == Kind::Unsigned,
            "integral" => dtype.is_integer(),
            "real floating" => own == Kind::Float,
            "complex floating" => own == Kind::Complex,
            "numeric" => own != Kind::Bool,
            _ => return None,
        }),
        _ => None,
    }
}
