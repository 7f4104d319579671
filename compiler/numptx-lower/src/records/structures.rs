//! Structured arrays: `a["x"]`, `a[i]["x"]`, `a[i] = (1.0, 2)`. Such an array is one array for each field; all have one shape. Callers in C
//! pass these one by one, so that indices are checked for each.
//!
//! An element, `a[i]`, is a view of rank 0 for each field, as in NumPy: what is written to it is the array's.

use numptx_ir::DType;
use numptx_ir::array::READ_ONLY_DESTINATION;
use numptx_ir::functions::{Family, Typed};
use numptx_source::{Span, code};
use numptx_syntax::ast::{Expr, ExprKind, Index, RecordKind, TypeSpec};

use crate::indexing::places::Place;
use crate::lowerer::Lowerer;
use crate::values::call::Call;
use crate::values::class::Class;
use crate::values::value::{Value, scalar_type};

impl Class {
    /// Whether this is a structured dtype.
    pub fn is_structure(&self) -> bool {
        self.0.kind == RecordKind::Structure
    }

    fn dtypes(&self) -> impl Iterator<Item = DType> + '_ {
        self.0.fields.iter().filter_map(|field| match field.types.as_slice() {
            [TypeSpec::Scalar(scalar)] => Some(scalar_type(*scalar).0),
            _ => None,
        })
    }
}

/// The field that a subscript names.
fn name_of_field(indices: &[Index]) -> Option<&str> {
    match indices {
        [Index::Expr(Expr { kind: ExprKind::Str(name), .. })] => Some(name),
        _ => None,
    }
}

impl Lowerer<'_> {
    /// `a["x"]`, `a[i]`, `a[1:]`, `a[mask]`
    pub fn structure_item(&mut self, class: &Class, fields: &[Value], indices: &[Index], span: Span) -> Value {
        if let Some(name) = name_of_field(indices) {
            return match self.field_of_structure(class, fields, name, span) {
                Some(Value::Typed(Typed { value, family: Family::Array })) if self.builder.rank(value) == 0 => {
                    self.load(value)
                }
                Some(Value::Typed(Typed { value, family: Family::Array })) => Value::array(self.builder.whole(value)),
                Some(other) => other,
                None => Value::Poison,
            };
        }
        let Some(places) = self.places_of_structure(fields, indices, span) else { return Value::Poison };
        let mut parts = Vec::new();
        for place in places {
            parts.push(match place {
                Place::View(view) | Place::Element(view) => Value::array(view),
                Place::Masked { array, mask } => self.chosen(array, mask, span),
                Place::Selected(selection) => self.gather(&selection),
            });
        }
        Value::Record(class.clone(), parts)
    }

    fn field_of_structure(&mut self, class: &Class, fields: &[Value], name: &str, span: Span) -> Option<Value> {
        let found = class.position(name).and_then(|position| fields.get(position).cloned());
        if found.is_none() {
            let names: Vec<String> = class.0.fields.iter().map(|field| format!("`{}`", field.name)).collect();
            let message = format!("`{}` has no field `{name}`", class.0.name);
            self.refuse(code::UNKNOWN_ATTRIBUTE, span, message, format!("it has {}", names.join(", ")));
        }
        found
    }

    /// What the same indices name in each field's array; `None` after a report.
    fn places_of_structure(&mut self, fields: &[Value], indices: &[Index], span: Span) -> Option<Vec<Place>> {
        let items = self.index_items(indices)?;
        let mut places = Vec::new();
        for field in fields {
            let array = field.typed().filter(|typed| typed.family == Family::Array);
            let Some(Typed { value, .. }) = array else {
                let help = "index it with the name of a field: `r[\"x\"]`";
                self.refuse(code::UNSUPPORTED_INDEX, span, "one record is indexed", help);
                return None;
            };
            places.push(self.place_at(value, items.clone(), span)?);
        }
        Some(places)
    }

    /// Where `a["x"]` is written; `None` after a report.
    pub fn place_of_field(&mut self, record: &Value, indices: &[Index], span: Span) -> Option<Place> {
        let Value::Record(class, fields) = record else { return None };
        let Some(name) = name_of_field(indices) else {
            let help = "compute with the fields: `a[\"x\"] += 1.0`";
            self.refuse(code::UNSUPPORTED_STATEMENT, span, "an operator on whole records", help);
            return None;
        };
        match self.field_of_structure(class, fields, name, span)?.typed() {
            Some(Typed { value, family: Family::Array }) => {
                let may_write = self.may_write(value, span, READ_ONLY_DESTINATION);
                let is_element = self.builder.rank(value) == 0;
                may_write.then_some(if is_element { Place::Element(value) } else { Place::View(value) })
            }
            _ => {
                let help = "pass an array of one record, and write to its element: `a[0][\"x\"] = 1.0`";
                self.refuse(code::UNSUPPORTED_STATEMENT, span, "a record of the caller's is written", help);
                None
            }
        }
    }

    /// `a["x"] = value`, `a[i] = record`
    pub fn set_structure_item(&mut self, record: &Value, indices: &[Index], value: Value, span: Span) {
        let Value::Record(class, fields) = record else { return };
        if name_of_field(indices).is_some() {
            if let Some(place) = self.place_of_field(record, indices, span) {
                self.set_item(place, value, span);
            }
            return;
        }
        let values = match value {
            Value::Poison => return,
            Value::Record(other, values) if other == *class => values,
            Value::Tuple(values) if values.len() == fields.len() => values,
            other => {
                let message =
                    format!("{} is stored where instances of `{}` are", other.describe(&self.builder), class.0.name);
                let help = "store a record, `a[i] = b[j]`, or a tuple with a member for each field: `a[i] = (1.0, 2)`";
                self.refuse(code::TYPE_MISMATCH, span, message, help);
                return;
            }
        };
        let Some(places) = self.places_of_structure(fields, indices, span) else { return };
        for ((place, value), field) in places.into_iter().zip(values).zip(fields) {
            let Some(array) = field.typed() else { return };
            if !self.may_write(array.value, span, READ_ONLY_DESTINATION) {
                return;
            }
            let value = match value.typed() {
                Some(Typed { value, family: Family::Array }) if self.builder.rank(value) == 0 => self.load(value),
                _ => value,
            };
            self.set_item(place, value, span);
        }
    }

    /// `a.shape`, `a.copy`
    pub fn structure_attribute(&mut self, class: &Class, fields: &[Value], name: &str, span: Span) -> Value {
        match (name, fields.first()) {
            ("shape" | "size" | "ndim", Some(first)) if self.is_array(first) => {
                self.attribute(first.clone(), name, span)
            }
            ("copy", Some(_)) => {
                Value::Method(Box::new(Value::Record(class.clone(), fields.to_vec())), name.to_owned())
            }
            _ => {
                let message = format!("the attribute `{name}` of arrays of `{}` is not compiled", class.0.name);
                let help = "take that of a field: `a[\"x\"].max()`";
                self.refuse(code::UNKNOWN_ATTRIBUTE, span, message, help)
            }
        }
    }

    /// `a.copy()`
    pub fn copied_structure(&mut self, class: &Class, fields: &[Value], call: &Call) -> Value {
        let copied = fields
            .iter()
            .map(|field| self.call_on("ndarray.copy", std::slice::from_ref(field), call.span, &[call.span]));
        Value::Record(class.clone(), copied.collect())
    }

    /// `np.zeros(n, dtype=T)` and its like of a structured dtype; `None` of other calls.
    pub fn made_structure(&mut self, name: &str, call: &Call) -> Option<Value> {
        let is_class = |value: &Value| matches!(value, Value::RecordClass(_) | Value::Record(..));
        let keyword = call.keywords.iter().position(|(name, value, _)| name == "dtype" && is_class(value));
        let position = call.positional.iter().position(is_class);
        let class = match (keyword.map(|n| &call.keywords[n].1), position.map(|n| &call.positional[n])) {
            (Some(Value::RecordClass(class)), None) | (None, Some(Value::RecordClass(class))) => class.clone(),
            (None, Some(Value::Record(class, _))) => class.clone(),
            _ => return None,
        };
        if !class.is_structure() {
            return None;
        }
        let takes_record = matches!(name, "numpy.zeros_like" | "numpy.empty_like");
        let is_record = matches!(position.map(|n| &call.positional[n]), Some(Value::Record(..)));
        if !takes_record && !matches!(name, "numpy.zeros" | "numpy.empty" | "numpy.ones") || takes_record != is_record {
            let shown = name.replacen("numpy", "np", 1);
            let message = format!("`{shown}` of `{}`, a structured dtype", class.0.name);
            let help =
                "call it on the fields: `np.sort(a[\"x\"])`; arrays of records are made by `np.zeros(n, dtype=T)`";
            return Some(self.refuse(code::BAD_ARGUMENT, call.span, message, help));
        }
        let mut fields = Vec::new();
        for (n, dtype) in class.dtypes().enumerate() {
            let (mut positional, mut keywords) = (call.positional.clone(), call.keywords.clone());
            match (keyword, position.map(|n| positional.remove(n))) {
                (Some(at), _) => keywords[at].1 = Value::DType(dtype),
                (_, Some(Value::Record(_, parts))) => {
                    positional.insert(0, parts.get(n).cloned().unwrap_or(Value::Poison))
                }
                _ => keywords.push(("dtype".to_owned(), Value::DType(dtype), call.span)),
            }
            let places = call.places.iter().copied().take(positional.len()).collect();
            fields.push(self.table_call(name, None, Call { positional, keywords, places, span: call.span }));
        }
        Some(Value::Record(class, fields))
    }
}
