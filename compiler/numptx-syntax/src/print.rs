//! The tree as text: the `syntax` stage's dump.
//!
//! The text is Python again, with one export line an overload and a pair of brackets around every
//! operation, so that it shows the tree's shape and can be read back: printing what was read back gives
//! the same text.

mod expression;
mod operator;
mod record;
mod statement;

use crate::ast::{
    Export, ExportParameter, ExprKind, ExtentSpec, Function, Import, Module, OrderSpec, ParameterKind, ScalarName,
    TypeSpec,
};
use crate::signature;

/// The text of a module. Functions that hold refused constructs are marked by a comment.
pub fn print(module: &Module) -> String {
    let mut out = String::new();
    if let Some(docstring) = &module.docstring {
        out += &format!("{}\n", expression::string(docstring));
    }
    for item in &module.imports {
        out += &import(item);
    }
    let records = module.constants.iter().filter_map(|c| match &c.value.kind {
        ExprKind::Record(record) => Some(&**record),
        _ => None,
    });
    let dtype = record::dtype(&module.imports);
    out += &record::imports(records, dtype.as_deref());
    for constant in &module.constants {
        out += &match &constant.value.kind {
            ExprKind::Record(record) => record::class(&constant.name, record, dtype.as_deref()),
            _ => format!("{} = {}\n", written(&constant.name), expression::print(&constant.value)),
        };
    }
    for item in &module.exports {
        out += &export(item);
    }
    for item in &module.functions {
        out += &print_function(item);
    }
    out
}

/// The module's imports and constants as a program, a statement a line. What is left to Python is its name alone, which binds nothing.
pub fn print_constants(module: &Module) -> String {
    let files = module.files.iter().map(|f| format!("{}\n", import_of(&f.path, &f.alias)));
    let imports = module.imports.iter().map(import).chain(files);
    let constants = module.constants.iter().map(|c| format!("{} = {}\n", c.name, expression::print(&c.value)));
    let left = module.left.iter().map(|left| format!("{}\n", left.name));
    imports.chain(constants).chain(left).collect()
}

/// A name of another file, `util.clamp`, as Python could write it.
fn written(name: &str) -> String {
    name.replace('.', "__")
}

fn import(import: &Import) -> String {
    format!("{}\n", import_of(&import.path, &written(&import.alias)))
}

/// The statement that imports what has a path under a name.
fn import_of(path: &str, alias: &str) -> String {
    let relative = path.rsplit_once('.').filter(|(module, _)| module.chars().all(|c| c == '.'));
    match relative.or(path.rsplit_once('.')) {
        _ if alias == "*" => format!("from {path} import *"),
        Some((dots, name)) if relative.is_some() => format!("from {dots}. import {name} as {alias}"),
        Some((module, name)) => format!("from {module} import {name} as {alias}"),
        None => format!("import {path} as {alias}"),
    }
}

fn export(export: &Export) -> String {
    match &export.parameters {
        None => format!("#numptx export {}\n", export.name),
        Some(parameters) => {
            let types: Vec<String> = parameters.iter().map(parameter).collect();
            format!("#numptx export {}({})\n", export.name, types.join(", "))
        }
    }
}

fn parameter(parameter: &ExportParameter) -> String {
    format!("{}{}", type_spec(&parameter.ty), if parameter.optional { "?" } else { "" })
}

/// A type as it is written in an export line.
fn type_spec(ty: &TypeSpec) -> String {
    match ty {
        TypeSpec::Scalar(name) => signature::written_name(*name).to_owned(),
        TypeSpec::Array(array) => {
            let extents: Vec<String> = array.extents.iter().map(|e| extent(*e)).collect();
            let order = match array.order {
                None => "",
                Some(OrderSpec::C) => " order(C)",
                Some(OrderSpec::F) => " order(F)",
            };
            let dtype = if array.dtype == ScalarName::Bool { "bool" } else { signature::written_name(array.dtype) };
            format!("{dtype}[{}]{order}", extents.join(", "))
        }
        TypeSpec::Tuple(types) => {
            let types: Vec<String> = types.iter().map(type_spec).collect();
            format!("({})", types.join(", "))
        }
        TypeSpec::List(ty) => format!("{} list", type_spec(ty)),
        TypeSpec::Set(ty) => format!("{} set", type_spec(ty)),
        TypeSpec::Dictionary(key, value) => format!("{}:{} dict", type_spec(key), type_spec(value)),
        TypeSpec::Str => "str".to_owned(),
        TypeSpec::None => "None".to_owned(),
        TypeSpec::Generator => "Generator".to_owned(),
        TypeSpec::RandomState => "RandomState".to_owned(),
        TypeSpec::Record(name) => written(name),
        TypeSpec::Records(name, extents) => {
            let extents: Vec<String> = extents.iter().map(|e| extent(*e)).collect();
            format!("{}[{}]", written(name), extents.join(", "))
        }
    }
}

fn extent(extent: ExtentSpec) -> String {
    match extent {
        ExtentSpec::Any => ":".to_owned(),
        ExtentSpec::Strided => "::".to_owned(),
        ExtentSpec::Fixed(n) => n.to_string(),
    }
}

/// The text of a function.
pub fn print_function(item: &Function) -> String {
    let mut out = String::from("\n");
    function_at(item, 0, &mut out);
    out
}

/// Writes a definition at a level of indentation.
fn function_at(item: &Function, level: usize, out: &mut String) {
    let indent = "    ".repeat(level);
    *out += &format!("{indent}def {}({}):\n", written(&item.name), parameters(item));
    if !item.refused.is_empty() {
        *out += &format!("{indent}    # outside the subset: {} reports\n", item.refused.iter().count());
    }
    if let Some(docstring) = &item.docstring {
        *out += &format!("{indent}    {}\n", expression::string(docstring));
    }
    statement::block(&item.body, level + 1, out);
}

/// The parameters of a function or a `lambda`.
fn parameters(item: &Function) -> String {
    let mut out: Vec<String> = Vec::new();
    let mut before = ParameterKind::Positional;
    for p in &item.parameters {
        if before == ParameterKind::Positional && p.kind != before && !out.is_empty() {
            out.push("/".to_owned());
        }
        if p.kind == ParameterKind::Named && !matches!(before, ParameterKind::Named | ParameterKind::Rest) {
            out.push("*".to_owned());
        }
        let star = if p.kind == ParameterKind::Rest { "*" } else { "" };
        out.push(match &p.default {
            Some(default) => format!("{}={}", p.name, expression::print(default)),
            None => format!("{star}{}", p.name),
        });
        before = p.kind;
    }
    if before == ParameterKind::Positional && !out.is_empty() {
        out.push("/".to_owned());
    }
    out.join(", ")
}
