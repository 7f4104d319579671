//! The value of an exported function's `return`: its type for the signature, and its leaves.

use numptx_ir::array::{Type, ValueId};
use numptx_ir::functions::Family;
use numptx_ir::signature::{ObjectType, ResultType};
use numptx_source::{Span, code};

use crate::lowerer::Lowerer;
use crate::values::class::Class;
use crate::values::value::Value;

/// The most members of a returned tuple or list: the binary interface counts them in a byte.
const MAX_MEMBERS: usize = 255;

impl Lowerer<'_> {
    /// The type and leaves of a returned value; `None` after a report.
    pub fn result(&mut self, value: &Value, span: Span) -> Option<(ResultType, Vec<ValueId>)> {
        match value {
            Value::None => Some((ResultType::None, Vec::new())),
            Value::Typed(typed) => {
                let ty = match (typed.family, self.builder.ty(typed.value)) {
                    (Family::Python, ty) => ResultType::PythonScalar(ty.dtype()),
                    (_, Type::Scalar(dtype)) => ResultType::NumpyScalar(dtype),
                    (_, ty @ Type::Object) => ResultType::NumpyScalar(ty.dtype()),
                    (Family::Numpy, Type::Array(array)) => ResultType::DeviceScalar(array.dtype),
                    (Family::Array, Type::Array(array)) => ResultType::Array { dtype: array.dtype, rank: array.rank },
                };
                Some((ty, vec![typed.value]))
            }
            Value::Tuple(members) | Value::List(members) => {
                let (types, leaves) = self.results(members, span)?;
                let is_list = matches!(value, Value::List(_));
                Some((if is_list { ResultType::List(types) } else { ResultType::Tuple(types) }, leaves))
            }
            Value::Record(class, fields) => self.record_result(class, fields, span),
            Value::Container(container) => {
                let ty = self.object_type(*container, span)?;
                Some((ResultType::Object(ty), vec![container.value]))
            }
            Value::Filled(_) => match self.contained(value, span) {
                list @ Value::Container(_) => self.result(&list, span),
                other => self.refuse_result(&other, span),
            },
            Value::Str(_) | Value::Text(_) => {
                let text = self.as_text(value)?;
                Some((ResultType::Object(ObjectType::Text), vec![text]))
            }
            Value::OneOf(one) => {
                let (types, leaves) = self.results(&one.members, span)?;
                Some((ResultType::OneOf(types), [vec![one.tag], leaves].concat()))
            }
            Value::Poison => None,
            other => self.refuse_result(other, span),
        }
    }

    /// The types and leaves of the members of a tuple, a list or a record, or of what a value may be.
    fn results(&mut self, members: &[Value], span: Span) -> Option<(Vec<ResultType>, Vec<ValueId>)> {
        if members.len() > MAX_MEMBERS {
            let message = format!("a tuple or list of {} cannot be returned", members.len());
            let help = format!("return at most {MAX_MEMBERS} members, or one array that holds them: `np.stack(parts)`");
            self.refuse(code::UNSUPPORTED_TYPE, span, message, help);
            return None;
        }
        let (mut types, mut leaves) = (Vec::new(), Vec::new());
        for (n, member) in members.iter().enumerate() {
            // Lists that become such of run time here are made at one place, and differ.
            self.calls.path.push(Span::new(n as u32, u32::MAX));
            let result = self.result(member, span);
            self.calls.path.pop();
            let (ty, values) = result?;
            types.push(ty);
            leaves.extend(values);
        }
        Some((types, leaves))
    }

    fn record_result(&mut self, class: &Class, fields: &[Value], span: Span) -> Option<(ResultType, Vec<ValueId>)> {
        if class.is_structure() {
            let message = format!("an array of `{}` cannot be returned", class.0.name);
            let help = "return its fields, `return a[\"x\"], a[\"n\"]`, or write to an array that is passed";
            self.refuse(code::UNSUPPORTED_TYPE, span, message, help);
            return None;
        }
        let record = self.record_type(class, span)?;
        let fields = self.fields(class, fields);
        let (types, leaves) = self.results(&fields, span)?;
        Some((ResultType::Record(record, types), leaves))
    }

    fn refuse_result<T>(&mut self, value: &Value, span: Span) -> Option<T> {
        let message = format!("an exported function cannot return {}", value.describe(&self.builder));
        let help = "return arrays, numbers, strings, `None`, and tuples, lists, dictionaries and sets of them";
        self.refuse(code::UNSUPPORTED_TYPE, span, message, help);
        None
    }
}
