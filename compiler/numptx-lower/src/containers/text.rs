//! Strings of run time: literals that become one, conversions, formats, comparisons, methods, and what `print` writes.

use numptx_ir::array::{ErrorKind, OpKind, Type, ValueId};
use numptx_ir::scalar::ScalarOp;
use numptx_ir::{DType, object};
use numptx_source::{Span, code};
use numptx_syntax::ast::{CompareOp, FormattedPart, Index};

use crate::lowerer::Lowerer;
use crate::lowerer::objects::{BOOL, INT};
use crate::numbers::casts::number_of;
use crate::values::call::Call;
use crate::values::class::Class;
use crate::values::container_types::Member;
use crate::values::value::Value;

/// What a method of strings takes and gives.
struct Method {
    name: &'static str,
    operation: u32,
    /// One letter an argument: `t` a string, `i` an int, `b` a bool, each with its default behind it where it has one: `i-1`, `i0`, `i$` (the largest
    /// int), `b0`, `t ` (a blank).
    takes: &'static [&'static str],
    gives: Gives,
}

#[derive(Clone, Copy, PartialEq)]
enum Gives {
    Text,
    Int,
    Bool,
    Texts,
    Three,
}

const fn method(name: &'static str, operation: u32, takes: &'static [&'static str], gives: Gives) -> Method {
    Method { name, operation, takes, gives }
}

/// Methods that take what the operation takes. Some have several forms, the one with more arguments first.
const METHODS: &[Method] = &[
    method("lower", object::STR_LOWER, &[], Gives::Text),
    method("upper", object::STR_UPPER, &[], Gives::Text),
    method("title", object::STR_TITLE, &[], Gives::Text),
    method("capitalize", object::STR_CAPITALIZE, &[], Gives::Text),
    method("swapcase", object::STR_SWAPCASE, &[], Gives::Text),
    method("strip", object::STR_STRIP_CHARACTERS, &["t"], Gives::Text),
    method("strip", object::STR_STRIP, &[], Gives::Text),
    method("lstrip", object::STR_LSTRIP_CHARACTERS, &["t"], Gives::Text),
    method("lstrip", object::STR_LSTRIP, &[], Gives::Text),
    method("rstrip", object::STR_RSTRIP_CHARACTERS, &["t"], Gives::Text),
    method("rstrip", object::STR_RSTRIP, &[], Gives::Text),
    method("split", object::STR_SPLIT_BY, &["t", "i-1"], Gives::Texts),
    method("split", object::STR_SPLIT, &[], Gives::Texts),
    method("rsplit", object::STR_RSPLIT_BY, &["t", "i-1"], Gives::Texts),
    method("rsplit", object::STR_RSPLIT, &[], Gives::Texts),
    method("splitlines", object::STR_SPLITLINES, &["b0"], Gives::Texts),
    method("partition", object::STR_PARTITION, &["t"], Gives::Three),
    method("rpartition", object::STR_RPARTITION, &["t"], Gives::Three),
    method("replace", object::STR_REPLACE, &["t", "t", "i-1"], Gives::Text),
    method("removeprefix", object::STR_REMOVEPREFIX, &["t"], Gives::Text),
    method("removesuffix", object::STR_REMOVESUFFIX, &["t"], Gives::Text),
    method("find", object::STR_FIND, &["t", "i0", "i$"], Gives::Int),
    method("rfind", object::STR_RFIND, &["t", "i0", "i$"], Gives::Int),
    method("index", object::STR_INDEX, &["t", "i0", "i$"], Gives::Int),
    method("rindex", object::STR_RINDEX, &["t", "i0", "i$"], Gives::Int),
    method("count", object::STR_COUNT, &["t", "i0", "i$"], Gives::Int),
    method("startswith", object::STR_STARTSWITH, &["t", "i0", "i$"], Gives::Bool),
    method("endswith", object::STR_ENDSWITH, &["t", "i0", "i$"], Gives::Bool),
    method("isdigit", object::STR_ISDIGIT, &[], Gives::Bool),
    method("isdecimal", object::STR_ISDECIMAL, &[], Gives::Bool),
    method("isnumeric", object::STR_ISNUMERIC, &[], Gives::Bool),
    method("isalpha", object::STR_ISALPHA, &[], Gives::Bool),
    method("isalnum", object::STR_ISALNUM, &[], Gives::Bool),
    method("isspace", object::STR_ISSPACE, &[], Gives::Bool),
    method("isupper", object::STR_ISUPPER, &[], Gives::Bool),
    method("islower", object::STR_ISLOWER, &[], Gives::Bool),
    method("istitle", object::STR_ISTITLE, &[], Gives::Bool),
    method("isascii", object::STR_ISASCII, &[], Gives::Bool),
    method("isprintable", object::STR_ISPRINTABLE, &[], Gives::Bool),
    method("zfill", object::STR_ZFILL, &["i"], Gives::Text),
    method("ljust", object::STR_LJUST, &["i", "t "], Gives::Text),
    method("rjust", object::STR_RJUST, &["i", "t "], Gives::Text),
    method("center", object::STR_CENTER, &["i", "t "], Gives::Text),
];

/// Whether strings have a method that is compiled.
pub(crate) fn is_text_method(name: &str) -> bool {
    matches!(name, "join" | "format") || METHODS.iter().any(|m| m.name == name)
}

impl Lowerer<'_> {
    /// `str(value)` or `repr(value)`; `None` after a report, or where the type is not known yet.
    pub fn text_of(&mut self, value: &Value, repr: bool, span: Span) -> Option<ValueId> {
        if let (Some(text), false) = (self.as_text(value), repr) {
            return Some(text);
        }
        if let Value::OneOf(one) = value {
            let text = self.with_each(one, span, &mut |s, member| {
                s.text_of(member, repr, span).map_or(Value::Poison, Value::Text)
            });
            return self.as_text(&text);
        }
        if self.words_in(value).is_some() {
            let message = format!("the text of {}", value.describe(&self.builder));
            self.refuse(code::UNSUPPORTED_EXPRESSION, span, message, "print what is drawn, or the generator in Python");
            return None;
        }
        if let (Value::Record(class, fields), None) = (value, value.as_structure()) {
            return self.text_of_record(class, fields, span);
        }
        let operation = if repr { object::TO_REPR } else { object::TO_STR };
        let (layout, leaves) = self.shown_leaves(value, span)?;
        Some(self.object(operation, layout, leaves, vec![Type::Object])[0])
    }

    fn shown_leaves(&mut self, value: &Value, span: Span) -> Option<(Vec<u8>, Vec<ValueId>)> {
        if let Value::Typed(typed) = value
            && self.builder.rank(typed.value) > 0
        {
            let message = "the text of an array";
            let help = "write its elements: `for v in x: print(v)`, or print it in Python";
            self.refuse(code::UNSUPPORTED_EXPRESSION, span, message, help);
            return None;
        }
        if self.numbers.narrower_of(value).is_some() {
            self.refuse_narrower(value, "this text", span);
            return None;
        }
        let (value, member) = self.as_member(value, span)?;
        self.is_shown(&member, span).then_some(())?;
        if let Some(sort) = self.containers.shown_otherwise(&member) {
            let message = format!("the text of a `{}`", sort.name());
            let plain = sort.object().name();
            let help = format!("write it as a `{plain}`: `print({plain}(xs))`");
            self.refuse(code::UNSUPPORTED_EXPRESSION, span, message, help);
            return None;
        }
        let leaves = self.leaves_of(&value, &member)?;
        let mut layout = Vec::new();
        self.layout_of(&member, &mut layout);
        Some((layout, leaves))
    }

    /// `P(x=1.0, y=2.0)`
    fn text_of_record(&mut self, class: &Class, fields: &[Value], span: Span) -> Option<ValueId> {
        let mut texts = Vec::new();
        let fields = self.fields(class, fields);
        for (n, (field, value)) in class.0.fields.iter().zip(&fields).enumerate() {
            let before =
                if n == 0 { format!("{}({}=", class.0.name, field.name) } else { format!(", {}=", field.name) };
            texts.push(self.text_constant(&before));
            texts.push(self.text_of(value, true, span)?);
        }
        texts.push(self.text_constant(")"));
        Some(self.concatenated(&texts))
    }

    /// Whether a member's text is Python's; else it is refused: objects know nothing of the classes of their members.
    fn is_shown(&mut self, member: &Member, span: Span) -> bool {
        let Some(name) = self.record_in(member) else { return true };
        let message = format!("the text of a list or a tuple with instances of `{name}`");
        let help = "write the text of each of them: `for p in points: print(p)`";
        self.refuse(code::UNSUPPORTED_EXPRESSION, span, message, help);
        false
    }

    fn record_in(&self, member: &Member) -> Option<String> {
        match member {
            Member::Record(class, _) => Some(class.0.name.clone()),
            Member::Tuple(members) => members.iter().find_map(|member| self.record_in(member)),
            Member::Container(ty) => {
                self.record_in(&self.containers.member(*ty)).or_else(|| self.record_in(&self.containers.values(*ty)))
            }
            _ => None,
        }
    }

    /// `format(value, specification)`, or of one conversion of `%`.
    pub fn format_text(&mut self, operation: u32, value: &Value, how: &str, span: Span) -> Option<ValueId> {
        let how = self.text_constant(how);
        self.format_text_by(operation, value, how, span)
    }

    /// The same where the run time knows how.
    pub fn format_text_by(&mut self, operation: u32, value: &Value, how: ValueId, span: Span) -> Option<ValueId> {
        let (layout, leaves) = self.shown_leaves(value, span)?;
        Some(self.object(operation, layout, [vec![how], leaves].concat(), vec![Type::Object])[0])
    }

    /// Strings one after the other.
    pub fn concatenated(&mut self, parts: &[ValueId]) -> ValueId {
        let Some((first, rest)) = parts.split_first() else { return self.text_constant("") };
        rest.iter().fold(*first, |all, part| self.object_value(object::STR_CONCAT, vec![all, *part], Type::Object))
    }

    /// What is formatted of a number where nothing says how: NumPy formats single floats as the doubles that they are.
    pub fn as_formatted(&mut self, value: Value) -> Value {
        let Value::Typed(typed) = value else { return value };
        let double = match self.builder.dtype(typed.value) {
            DType::F16 | DType::F32 => DType::F64,
            DType::C64 => DType::C128,
            _ => return value,
        };
        if self.builder.rank(typed.value) > 0 {
            return value;
        }
        match self.host(typed) {
            Some(number) => Value::python(self.builder.cast_scalar(number, double)),
            None => value,
        }
    }

    /// An f-string of run-time values.
    pub fn formatted_text(&mut self, parts: &[FormattedPart]) -> Option<ValueId> {
        let mut texts = Vec::new();
        for part in parts {
            match part {
                FormattedPart::Text(text) => texts.push(self.text_constant(text)),
                FormattedPart::Value { value: expr, repr, nested, .. } if !nested.is_empty() => {
                    let value = self.expression(expr);
                    let value = if *repr { Value::Text(self.text_of(&value, true, expr.span)?) } else { value };
                    let how = self.formatted_text(nested)?;
                    texts.push(self.format_text_by(object::FORMAT, &value, how, expr.span)?);
                }
                FormattedPart::Value { value: expr, repr, specification, .. } => {
                    let value = self.any_of(expr);
                    if specification.is_empty() {
                        let value = if *repr { value } else { self.as_formatted(value) };
                        texts.push(self.text_of(&value, *repr, expr.span)?);
                    } else {
                        let value = self.settled(value, expr.span);
                        texts.push(self.format_text(object::FORMAT, &value, specification, expr.span)?);
                    }
                }
            }
        }
        Some(self.concatenated(&texts))
    }

    /// `template % values`
    pub fn percent(&mut self, template: &str, values: &Value, span: Span) -> Value {
        let values = match values.as_plain() {
            Value::Tuple(items) => items,
            other => vec![other],
        };
        let (mut texts, mut taken) = (Vec::new(), values.iter());
        for piece in conversions(template) {
            match piece {
                Piece::Text(text) => texts.push(self.text_constant(&text)),
                Piece::Conversion(conversion) => {
                    let Some(value) = taken.next() else {
                        let message = "not enough values for the conversions of this string";
                        let help = "give each conversion a value: `\"%d of %d\" % (k, n)`";
                        return self.refuse(code::BAD_OPERAND_TYPES, span, message, help);
                    };
                    match self.format_text(object::FORMAT_PERCENT, value, &conversion, span) {
                        Some(text) => texts.push(text),
                        None => return Value::Poison,
                    }
                }
            }
        }
        if taken.next().is_some() {
            let message = "more values than conversions of this string";
            let help = "give each value a conversion: `\"%d of %d\" % (k, n)`";
            return self.refuse(code::BAD_OPERAND_TYPES, span, message, help);
        }
        Value::Text(self.concatenated(&texts))
    }

    /// `template.format(…)`
    fn format_call(&mut self, template: &str, call: &Call) -> Value {
        let mut texts = Vec::new();
        let mut next = 0;
        let mut rest = template;
        let mut text = String::new();
        while let Some(c) = rest.chars().next() {
            if rest.starts_with("{{") || rest.starts_with("}}") {
                text.push(c);
                rest = &rest[2..];
                continue;
            }
            if c != '{' {
                text.push(c);
                rest = &rest[c.len_utf8()..];
                continue;
            }
            let Some((inner, behind)) = rest[1..].split_once('}') else { return self.refuse_format(call) };
            rest = behind;
            let (field, specification) = inner.split_once(':').unwrap_or((inner, ""));
            let (field, repr) = field.strip_suffix("!r").map_or((field, false), |field| (field, true));
            let value = if field.is_empty() {
                next += 1;
                call.positional.get(next - 1).cloned()
            } else if let Ok(n) = field.parse::<usize>() {
                call.positional.get(n).cloned()
            } else {
                call.keywords.iter().find(|(name, ..)| name == field).map(|(_, value, _)| value.clone())
            };
            let Some(value) = value.filter(|_| !specification.contains('{')) else { return self.refuse_format(call) };
            texts.push(self.text_constant(&std::mem::take(&mut text)));
            let shown = match specification {
                "" if !repr => {
                    let value = self.as_formatted(value);
                    self.text_of(&value, false, call.span)
                }
                "" => self.text_of(&value, true, call.span),
                how => self.format_text(object::FORMAT, &value, how, call.span),
            };
            match shown {
                Some(shown) => texts.push(shown),
                None => return Value::Poison,
            }
        }
        texts.push(self.text_constant(&text));
        Value::Text(self.concatenated(&texts))
    }

    fn refuse_format(&mut self, call: &Call) -> Value {
        let message = "this format has fields that are not compiled";
        self.refuse(code::UNSUPPORTED_EXPRESSION, call.span, message, "write an f-string: `f\"{n:5d}\"`")
    }

    /// A method of a string. `template`: the string, where it is known when compiling.
    pub fn text_method(&mut self, owner: &Value, name: &str, call: &Call) -> Value {
        if let (Value::Str(template), "format") = (owner, name) {
            return self.format_call(template, call);
        }
        let Some(text) = self.as_text(owner) else { return Value::Poison };
        if name == "join" {
            let [parts] = call.positional.as_slice() else { return self.refuse_text_call(name, call) };
            let Some(parts) = self.as_list(parts, call.span) else { return Value::Poison };
            self.containers.demand(parts.ty, 0, Member::Text);
            return Value::Text(self.object_value(object::STR_JOIN, vec![text, parts.value], Type::Object));
        }
        let given: Vec<Value> = match (call.positional.as_slice(), call.keywords.as_slice()) {
            (values, []) => values.to_vec(),
            ([], [(keyword, value, _)]) if matches!(keyword.as_str(), "sep" | "maxsplit" | "keepends") => {
                if keyword == "maxsplit" { vec![Value::None, value.clone()] } else { vec![value.clone()] }
            }
            ([first], [(keyword, value, _)]) if keyword == "maxsplit" => vec![first.clone(), value.clone()],
            _ => return self.refuse_text_call(name, call),
        };
        // `None` as a separator or as characters: blanks.
        let blanks = matches!(given.first(), Some(Value::None));
        if matches!(name, "split" | "rsplit") && (given.is_empty() || blanks) {
            let operation = if name == "split" { object::STR_SPLIT } else { object::STR_RSPLIT };
            let most = match given.get(1) {
                Some(value) => match self.integer(value) {
                    Some(most) => most,
                    None => return self.refuse_text_call(name, call),
                },
                None => self.builder.i64(-1),
            };
            return self.list_from(operation, vec![text, most], Member::Text, call.span);
        }
        let given = if blanks { Vec::new() } else { given };
        let fits = |m: &&Method| {
            let least = m.takes.iter().filter(|t| t.len() == 1).count();
            m.name == name && given.len() >= least && given.len() <= m.takes.len()
        };
        let Some(method) = METHODS.iter().find(fits) else { return self.refuse_text_call(name, call) };
        let mut operands = vec![text];
        for (n, takes) in method.takes.iter().enumerate() {
            let operand = match (given.get(n), takes.as_bytes()[0]) {
                (Some(value), b't') => self.as_text(value),
                (Some(value), b'i') => self.integer(value),
                (Some(value), _) => Some(self.truth(value, call.span)),
                (None, b't') => Some(self.text_constant(&takes[1..])),
                (None, b'b') => Some(self.bool_id(false)),
                (None, _) => Some(self.builder.i64(takes[1..].parse().unwrap_or(i64::MAX))),
            };
            match operand {
                Some(operand) => operands.push(operand),
                None => return self.refuse_text_call(name, call),
            }
        }
        match method.gives {
            Gives::Text => Value::Text(self.object_value(method.operation, operands, Type::Object)),
            Gives::Int => Value::python(self.object_value(method.operation, operands, INT)),
            Gives::Bool => Value::python(self.object_value(method.operation, operands, BOOL)),
            Gives::Texts => self.list_from(method.operation, operands, Member::Text, call.span),
            Gives::Three => {
                let parts = self.object(method.operation, Vec::new(), operands, vec![Type::Object; 3]);
                Value::Tuple(parts.into_iter().map(Value::Text).collect())
            }
        }
    }

    /// `str.name(text, …)`
    pub fn unbound_text_method(&mut self, name: &str, call: Call) -> Value {
        let Call { mut positional, keywords, mut places, span } = call;
        if positional.first().is_none_or(|text| !Self::is_text(text)) {
            let help = format!("pass a string first: `str.{name}(text)`, or write `text.{name}()`");
            return self.refuse(code::BAD_ARGUMENT, span, format!("`str.{name}` takes a string"), help);
        }
        let text = positional.remove(0);
        places.drain(..places.len().min(1));
        self.text_method(&text, name, &Call { positional, keywords, places, span })
    }

    fn refuse_text_call(&mut self, name: &str, call: &Call) -> Value {
        let message = format!("`{name}` of a string is not called so here");
        let help = "pass strings and ints by position: `text.split(\",\")`, `text.replace(\"a\", \"b\")`";
        self.refuse(code::BAD_ARGUMENT, call.span, message, help)
    }

    /// `text[indices]`
    pub fn text_item(&mut self, text: ValueId, indices: &[Index], span: Span) -> Value {
        match indices {
            [Index::Expr(expr)] => match self.list_position(expr) {
                Some(position) => Value::Text(self.object_value(object::STR_GET, vec![text, position], Type::Object)),
                None => Value::Poison,
            },
            [Index::Slice { lower, upper, step, .. }] => {
                let length = self.object_value(object::STR_LENGTH, vec![text], INT);
                let Some(bounds) = self.slice_of(length, [lower, upper, step]) else { return Value::Poison };
                let operands = [vec![text], bounds.to_vec()].concat();
                Value::Text(self.object_value(object::STR_SLICE, operands, Type::Object))
            }
            _ => self.refuse(code::UNSUPPORTED_INDEX, span, "a string has one axis", "write `text[i]` or `text[1:n]`"),
        }
    }

    /// A comparison of strings; `None` of other operators.
    pub fn compare_texts(&mut self, op: CompareOp, a: ValueId, b: ValueId) -> Option<ValueId> {
        let zero = self.builder.i64(0);
        Some(match op {
            CompareOp::Equal | CompareOp::Is => self.object_value(object::STR_EQUAL, vec![a, b], BOOL),
            CompareOp::NotEqual | CompareOp::IsNot => {
                let equal = self.object_value(object::STR_EQUAL, vec![a, b], BOOL);
                self.not(equal)
            }
            CompareOp::In => self.object_value(object::STR_CONTAINS, vec![b, a], BOOL),
            CompareOp::NotIn => {
                let contains = self.object_value(object::STR_CONTAINS, vec![b, a], BOOL);
                self.not(contains)
            }
            _ => {
                let order = self.object_value(object::STR_COMPARE, vec![a, b], INT);
                self.builder.scalar(scalar_of(op)?, &[order, zero])
            }
        })
    }

    /// `print(…)`
    pub fn print_call(&mut self, call: &Call) -> Value {
        let (mut separator, mut end) = (" ".to_string(), "\n".to_string());
        for (name, value, span) in &call.keywords {
            match (name.as_str(), value) {
                ("sep" | "end", Value::None) | ("flush", _) => {}
                ("sep", Value::Str(text)) => separator = text.clone(),
                ("end", Value::Str(text)) => end = text.clone(),
                _ => {
                    let message = format!("`print` does not take this `{name}` here");
                    return self.refuse(
                        code::UNKNOWN_KEYWORD,
                        *span,
                        message,
                        "write `print(x, sep=\", \", end=\"\")`",
                    );
                }
            }
        }
        let mut texts = Vec::new();
        for (n, (value, span)) in call.positional.iter().zip(&call.places).enumerate() {
            if n > 0 && !separator.is_empty() {
                texts.push(self.text_constant(&separator));
            }
            match self.text_of(value, false, *span) {
                Some(text) => texts.push(text),
                None => return Value::Poison,
            }
        }
        texts.push(self.text_constant(&end));
        let whole = self.concatenated(&texts);
        self.object_effect(object::PRINT, vec![whole]);
        Value::None
    }

    /// Raises an exception whose message is a string of run time, unless the condition holds.
    pub fn raise_text_unless(&mut self, condition: ValueId, kind: ErrorKind, text: Option<ValueId>) {
        let Some(text) = text else { return };
        let kind = self.builder.i64(i64::from(kind as i32));
        self.raise_kind_unless(condition, kind, text);
    }

    /// The same of a kind of run time.
    pub fn raise_kind_unless(&mut self, condition: ValueId, kind: ValueId, text: ValueId) {
        let raise = |s: &mut Self| s.object_effect(object::RAISE, vec![kind, text]);
        if self.known_bool(condition) == Some(false) {
            return raise(self);
        }
        self.builder.open_region(&[]);
        let then = self.close_with(Vec::new());
        self.builder.open_region(&[]);
        raise(self);
        let otherwise = self.close_with(Vec::new());
        self.builder.emit_typed(OpKind::If, vec![condition], Vec::new(), vec![then, otherwise]);
    }

    /// `int(text)`, `int(text, base)` or `float(text)`; `None` where that is not asked for.
    pub fn number_of_text(&mut self, name: &str, call: &Call) -> Option<Value> {
        let text = match call.positional.first()? {
            value @ (Value::Text(_) | Value::Str(_)) => self.as_text(value)?,
            _ => return None,
        };
        match name {
            "int" => {
                let base = match call.positional.get(1) {
                    Some(base) => self.integer(base)?,
                    None => self.builder.i64(10),
                };
                Some(Value::python(self.object_value(object::STR_TO_INT, vec![text, base], INT)))
            }
            "float" => {
                let ty = Type::Scalar(DType::F64);
                Some(Value::python(self.object_value(object::STR_TO_FLOAT, vec![text], ty)))
            }
            "bool" => Some(Value::python(self.object_value(object::STR_TRUTH, vec![text], BOOL))),
            _ => None,
        }
    }

    /// Whether a value is a string.
    pub fn is_text(value: &Value) -> bool {
        matches!(value, Value::Str(_) | Value::Text(_) | Value::OtherStr)
    }
}

fn scalar_of(op: CompareOp) -> Option<ScalarOp> {
    Some(match op {
        CompareOp::Less => ScalarOp::Lt,
        CompareOp::LessEqual => ScalarOp::Le,
        CompareOp::Greater => ScalarOp::Gt,
        CompareOp::GreaterEqual => ScalarOp::Ge,
        _ => return None,
    })
}

enum Piece {
    Text(String),
    Conversion(String),
}

/// The pieces of a `%` template.
fn conversions(template: &str) -> Vec<Piece> {
    let (mut pieces, mut text, mut rest) = (Vec::new(), String::new(), template);
    while let Some(c) = rest.chars().next() {
        if let Some(behind) = rest.strip_prefix("%%") {
            text.push('%');
            rest = behind;
        } else if c == '%' {
            let end = rest.find(|c: char| c != '%' && c.is_ascii_alphabetic() && !matches!(c, 'l' | 'h' | 'L'));
            let end = end.map_or(rest.len(), |at| at + 1);
            pieces.push(Piece::Text(std::mem::take(&mut text)));
            pieces.push(Piece::Conversion(rest[..end].to_string()));
            rest = &rest[end..];
        } else {
            text.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    pieces.push(Piece::Text(text));
    pieces
}

/// Whether `int`, `float` or `bool` is called of a constant string that writes a number: it is known when compiling.
pub(crate) fn is_constant_number(name: &str, call: &Call) -> bool {
    let [Value::Str(text)] = call.positional.as_slice() else { return false };
    match name {
        "int" => number_of(text, DType::I64).is_some(),
        "float" => number_of(text, DType::F64).is_some(),
        _ => name == "bool",
    }
}
