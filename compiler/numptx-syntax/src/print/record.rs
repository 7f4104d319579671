//! Classes of records as text: as the class in a dump, and in one line in the program of a library's constants.

use super::expression::{self, string};
use super::{function_at, type_spec, written};
use crate::ast::{Field, Import, Record, RecordKind};

/// The class as an expression that makes it anew, without its methods.
pub(super) fn print(record: &Record) -> String {
    let names: Vec<String> = record.fields.iter().map(|field| string(&field.name)).collect();
    let name = string(&record.name);
    match record.kind {
        RecordKind::NamedTuple => {
            let defaults: Vec<String> = record.fields.iter().filter_map(default).collect();
            let names = names.join(", ");
            format!(
                "__import__(\"collections\").namedtuple({name}, [{names}], defaults=[{}], module=__name__)",
                defaults.join(", ")
            )
        }
        RecordKind::DataClass { frozen, ordered, named } => {
            let option = |name: &str, value: bool| if value { format!(", {name}=True") } else { String::new() };
            let field = |(field, name): (&Field, &String)| match default(field) {
                None => format!("({name}, object)"),
                Some(value) if field.is_made => {
                    format!("({name}, object, __import__(\"dataclasses\").field(default_factory=lambda: {value}))")
                }
                Some(value) => format!("({name}, object, {value})"),
            };
            let fields: Vec<String> = record.fields.iter().zip(&names).map(field).collect();
            let options = option("frozen", frozen) + &option("order", ordered) + &option("kw_only", named);
            let namespace = "namespace={\"__module__\": __name__}";
            let fields = fields.join(", ");
            format!("__import__(\"dataclasses\").make_dataclass({name}, [{fields}], {namespace}{options})")
        }
        RecordKind::Structure => {
            let pairs = record.fields.iter().zip(&names);
            let pairs: Vec<String> =
                pairs.map(|(field, name)| format!("({name}, {})", string(&types(field)))).collect();
            format!("__import__(\"numpy\").dtype([{}], align=True)", pairs.join(", "))
        }
    }
}

fn default(field: &Field) -> Option<String> {
    field.default.as_ref().map(expression::print)
}

fn types(field: &Field) -> String {
    let types: Vec<String> = field.types.iter().map(type_spec).collect();
    if types.is_empty() { "object".to_owned() } else { types.join(" or ") }
}

/// How a module names `numpy.dtype`.
pub(super) fn dtype(imports: &[Import]) -> Option<String> {
    let named = |path: &str| imports.iter().find(|import| import.path == path).map(|import| written(&import.alias));
    named("numpy.dtype").or_else(|| Some(format!("{}.dtype", named("numpy")?)))
}

/// What the statements of dumped classes need.
pub(super) fn imports<'r>(records: impl Iterator<Item = &'r Record> + Clone, dtype: Option<&str>) -> String {
    let mut out = String::new();
    if records.clone().any(|record| record.kind == RecordKind::NamedTuple) {
        out += "from typing import NamedTuple\n";
    }
    if records.clone().any(|record| matches!(record.kind, RecordKind::DataClass { .. })) {
        out += "from dataclasses import dataclass, field\n";
    }
    if dtype.is_none() && records.clone().any(|record| record.kind == RecordKind::Structure) {
        out += "from numpy import dtype\n";
    }
    out
}

/// The class as a statement.
pub(super) fn class(name: &str, record: &Record, dtype: Option<&str>) -> String {
    let name = written(name);
    let mut out = String::new();
    match record.kind {
        RecordKind::NamedTuple => out += &format!("class {name}(NamedTuple):\n"),
        RecordKind::DataClass { frozen, ordered, named } => {
            out += &format!("@dataclass(frozen={}, order={}, kw_only={})\n", word(frozen), word(ordered), word(named));
            out += &format!("class {name}:\n");
        }
        RecordKind::Structure => {
            let field = |field: &Field| format!("({}, {})", string(&field.name), string(&types(field)));
            let fields: Vec<String> = record.fields.iter().map(field).collect();
            return format!("{name} = {}([{}])\n", dtype.unwrap_or("dtype"), fields.join(", "));
        }
    }
    for field in &record.fields {
        out += &format!("    {}: {}", field.name, string(&types(field)));
        out += &match default(field) {
            None => String::new(),
            // A call of what makes it.
            Some(value) if field.is_made => format!(" = field(default_factory={})", value.trim_end_matches("()")),
            Some(value) => format!(" = {value}"),
        };
        out.push('\n');
    }
    for method in &record.methods {
        out += if method.is_property { "\n    @property\n" } else { "\n" };
        function_at(&method.function, 1, &mut out);
    }
    out
}

fn word(value: bool) -> &'static str {
    if value { "True" } else { "False" }
}
