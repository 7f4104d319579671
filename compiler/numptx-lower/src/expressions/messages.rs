//! Messages of exceptions, and f-strings: what is known when compiling is text, the rest are values that are formatted when the
//! exception is raised, as Python formats them.

use numptx_ir::DType;
use numptx_ir::array::message::Format;
use numptx_ir::array::{ErrorKind, ValueId};
use numptx_ir::functions::{Family, Typed};
use numptx_ir::scalar::Constant;
use numptx_source::{Span, code};
use numptx_syntax::ast::{Expr, ExprKind, FormattedPart};

use crate::lowerer::Lowerer;
use crate::lowerer::reports::F_STRING;
use crate::values::random::Random;
use crate::values::value::Value;

/// A message: the text of a check, with a placeholder for each value.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Message {
    /// The text, its own braces doubled.
    pub text: String,
    /// What the placeholders stand for.
    pub payload: Vec<ValueId>,
    /// The whole message, where it is a string of run time.
    pub value: Option<ValueId>,
}

impl Message {
    fn push(&mut self, text: &str) {
        self.text.push_str(&text.replace('{', "{{").replace('}', "}}"));
    }
}

/// The exception of a name.
fn exception_of(name: &str) -> Option<ErrorKind> {
    Some(match name {
        "ValueError" => ErrorKind::Value,
        "IndexError" => ErrorKind::Index,
        "ZeroDivisionError" => ErrorKind::ZeroDivision,
        "OverflowError" => ErrorKind::Overflow,
        "TypeError" => ErrorKind::Type,
        "MemoryError" => ErrorKind::Memory,
        "RuntimeError" => ErrorKind::Runtime,
        "AssertionError" => ErrorKind::Assertion,
        "ArithmeticError" => ErrorKind::Arithmetic,
        "FloatingPointError" => ErrorKind::FloatingPoint,
        "KeyError" => ErrorKind::Key,
        "NotImplementedError" => ErrorKind::NotImplemented,
        "Exception" => ErrorKind::Exception,
        "RecursionError" => ErrorKind::Recursion,
        "AttributeError" => ErrorKind::Attribute,
        _ => return None,
    })
}

impl Lowerer<'_> {
    /// Raises unless the condition holds. The message is evaluated here, even if nothing is raised.
    pub fn raise_unless(&mut self, condition: ValueId, exception: &str, message: &Message, span: Span) {
        self.builder.set_span(span);
        let of_library = (exception == "LinAlgError" && self.is_in_library()).then_some(ErrorKind::LinAlg);
        match exception_of(exception).or(of_library) {
            Some(kind) if message.value.is_some() => self.raise_text_unless(condition, kind, message.value),
            Some(_) if message.text.contains('\0') => {
                let help = "leave the character out, or write it as text: `\\\\0`";
                self.refuse(code::UNSUPPORTED_EXPRESSION, span, "a message with the character of code 0", help);
            }
            Some(kind) => self.check(condition, kind, &message.text, &message.payload),
            None => {
                let message = format!("`{exception}` is not an exception that numptx raises");
                self.refuse(code::UNSUPPORTED_STATEMENT, span, message, "write `raise ValueError(\"…\")`");
            }
        }
    }

    /// The message of an exception; empty after a report.
    pub fn message(&mut self, message: Option<&Expr>) -> Message {
        let mut out = Message::default();
        match message {
            None => {}
            Some(Expr { kind: ExprKind::Formatted(parts), .. }) => match self.parts_of_message(parts) {
                Some(message) => return message,
                None => out.value = self.formatted_text(parts),
            },
            Some(expr) => match self.expression(expr) {
                Value::Str(text) => out.push(&text),
                Value::Poison => {}
                text @ (Value::Text(_) | Value::OtherStr) => out.value = self.as_text(&text),
                other if other.typed().is_some() || matches!(other, Value::Container(_)) => {
                    out.value = self.text_of(&other, false, expr.span);
                }
                other => {
                    let what = format!("the message of an exception is {}", other.describe(&self.builder));
                    let help = "write a string: `raise ValueError(f\"n is {n}\")`";
                    self.refuse(code::UNSUPPORTED_EXPRESSION, expr.span, what, help);
                }
            },
        }
        out
    }

    /// An f-string as a value: a string that is known when compiling.
    pub fn formatted(&mut self, parts: &[FormattedPart], span: Span) -> Value {
        let point = self.point();
        match self.parts_of_message(parts) {
            Some(out) if out.payload.is_empty() => Value::Str(out.text.replace("{{", "{").replace("}}", "}")),
            _ => {
                self.rollback(point);
                self.builder.set_span(span);
                self.formatted_text(parts).map_or(Value::Poison, Value::Text)
            }
        }
    }

    /// The parts of a message that are known when compiling, or are numbers to be formatted; `None`, and nothing done, where others are.
    fn parts_of_message(&mut self, parts: &[FormattedPart]) -> Option<Message> {
        let (mut out, n_reports, point) = (Message::default(), self.reports.len(), self.point());
        self.message_parts(parts, &mut out);
        if self.reports.len() > n_reports {
            self.reports.truncate(n_reports);
            self.rollback(point);
            return None;
        }
        Some(out)
    }

    fn message_parts(&mut self, parts: &[FormattedPart], out: &mut Message) {
        for part in parts {
            match part {
                FormattedPart::Text(text) => out.push(text),
                FormattedPart::Value { value: expr, nested, .. } if !nested.is_empty() => {
                    // A string of run time formats it.
                    self.refuse(code::UNSUPPORTED_EXPRESSION, expr.span, "this width of an f-string", F_STRING);
                }
                FormattedPart::Value { value: expr, repr, specification, .. } => {
                    let value = self.expression(expr);
                    if specification.is_empty() {
                        let value = if *repr { value } else { self.as_formatted(value) };
                        self.show(&value, *repr, expr.span, out);
                    } else {
                        self.show_formatted(&value, specification, expr.span, out);
                    }
                }
            }
        }
    }

    /// `str(value)`, or `repr(value)`.
    fn show(&mut self, value: &Value, repr: bool, span: Span, out: &mut Message) {
        match value {
            Value::Poison => {}
            Value::None => out.push("None"),
            Value::Ellipsis => out.push("Ellipsis"),
            Value::Str(text) if !repr => out.push(text),
            Value::Str(text) if !text.contains(['\'', '\\']) && !text.chars().any(char::is_control) => {
                out.push(&format!("'{text}'"));
            }
            Value::DType(dtype) if !repr => out.push(dtype.name()),
            Value::Tuple(items) | Value::List(items) => {
                let is_tuple = matches!(value, Value::Tuple(_));
                out.push(if is_tuple { "(" } else { "[" });
                for (n, item) in items.iter().enumerate() {
                    out.push(if n > 0 { ", " } else { "" });
                    self.show(item, true, span, out);
                }
                out.push(if is_tuple && items.len() == 1 {
                    ",)"
                } else if is_tuple {
                    ")"
                } else {
                    "]"
                });
            }
            Value::Record(class, _) if Random::of(class).is_some() => self.refuse_shown(value, span),
            Value::Record(class, fields) if !class.is_structure() => {
                let fields = self.fields(class, fields);
                for (n, (field, value)) in class.0.fields.iter().zip(&fields).enumerate() {
                    out.push(&if n == 0 { format!("{}(", class.0.name) } else { ", ".to_owned() });
                    out.push(&format!("{}=", field.name));
                    self.show(value, true, span, out);
                }
                out.push(")");
            }
            Value::Typed(typed) if typed.family == Family::Python && self.numbers.narrower_of(value).is_some() => {
                drop(self.refuse_narrower(value, "this text", span))
            }
            Value::Typed(typed) if self.builder.rank(typed.value) == 0 && typed.family != Family::Array => {
                self.show_scalar(*typed, repr, span, out);
            }
            other => self.refuse_shown(other, span),
        }
    }

    fn show_scalar(&mut self, typed: Typed, repr: bool, span: Span, out: &mut Message) {
        let dtype = self.builder.dtype(typed.value);
        let Some(scalar) = self.host(typed).filter(|_| !dtype.is_complex()) else {
            return self.refuse_shown(&Value::Typed(typed), span);
        };
        let of_numpy = repr && typed.family == Family::Numpy;
        // NumPy writes single floats with an exponent where doubles have none, and those of 16 bits with the digits that tell these apart.
        if (of_numpy && matches!(dtype, DType::Bool | DType::F32)) || dtype == DType::F16 {
            return self.refuse_shown(&Value::Typed(typed), span);
        }
        if of_numpy {
            out.push(&format!("np.{dtype}("));
        }
        match self.builder.as_constant(scalar) {
            Some(Constant::Int(n)) => out.push(&n.to_string()),
            Some(Constant::Bool(b)) => out.push(if b { "True" } else { "False" }),
            _ => {
                out.text.push_str("{}");
                let wide =
                    if dtype.is_integer() && dtype != DType::U64 { self.convert(scalar, DType::I64) } else { scalar };
                out.payload.push(wide);
            }
        }
        if of_numpy {
            out.push(")");
        }
    }

    /// `format(value, specification)`
    fn show_formatted(&mut self, value: &Value, specification: &str, span: Span, out: &mut Message) {
        if value.is_poison() {
            return;
        }
        let typed = value.typed().filter(|_| self.is_scalar(value) && !self.is_array(value));
        let Some(scalar) = typed.and_then(|t| self.host(t)) else { return self.refuse_shown(value, span) };
        let dtype = self.builder.dtype(scalar);
        match Format::parse(specification) {
            Some(format) if format.kind != 'd' && (dtype.is_float() || dtype.is_integer()) => {
                let wide = self.convert(scalar, DType::F64);
                out.text.push_str(&format!("{{{format}}}"));
                out.payload.push(wide);
            }
            Some(format) if specification != "d" && dtype.is_integer() && dtype != DType::U64 => {
                let wide = self.convert(scalar, DType::I64);
                out.text.push_str(&format!("{{{format}}}"));
                out.payload.push(wide);
            }
            _ if specification == "d" && dtype.is_integer() => self.show(value, false, span, out),
            _ => {
                let message =
                    format!("the format `{specification}` of {} is not compiled", value.describe(&self.builder));
                let help = "write `{x}`, `{n:5d}`, `{x:.3f}`, `{x:10.3e}` or `{x:g}`";
                self.refuse(code::UNSUPPORTED_EXPRESSION, span, message, help);
            }
        }
    }

    fn refuse_shown(&mut self, value: &Value, span: Span) {
        let message = format!("{} cannot be part of a message", value.describe(&self.builder));
        let help = match value {
            Value::OtherStr => "leave it out: `raise ValueError(\"no such mode\")`; the caller knows what it passed",
            _ => "format real numbers and tuples of them: `f\"{x.shape} has no element {i}\"`",
        };
        self.refuse(code::UNSUPPORTED_EXPRESSION, span, message, help);
    }
}
