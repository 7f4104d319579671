//! What a module exports: `#numptx export`, `#pythran export`, and annotated functions.
//!
//! In: the comments and annotations of a module. Out: its exports, `A or B` expanded, checked against
//! the definitions; reports NPX0102 to NPX0110. The grammar is Pythran's; see [`grammar`].

pub(crate) mod annotation;
mod check;
mod directive;
mod grammar;
pub(crate) mod hint;
mod lexer;
pub(crate) mod names;

pub(crate) use names::written as written_name;

use std::collections::BTreeSet;

use numptx_source::{Report, Reports, Source, Span, code};

use crate::ast;
use crate::parse::Comment;
use crate::subset::FunctionAnnotations;

/// Where a module says what it exports.
pub(crate) struct Written<'a> {
    /// All comments, in order.
    pub comments: &'a [Comment],
    /// The annotations of its functions.
    pub annotations: &'a [FunctionAnnotations],
    /// Functions that could not be read: exports of them are not checked.
    pub unreadable: &'a [String],
    /// The names of classes of records.
    pub records: &'a BTreeSet<String>,
    /// Nothing was reported so far.
    pub whole_file_was_read: bool,
}

/// All exports of a module, in order of appearance.
pub(crate) fn exports(
    source: &Source,
    module: &ast::Module,
    written: &Written,
    reports: &mut Reports,
) -> Vec<ast::Export> {
    let lines = directive::find(source, written.comments, reports);
    let mut parsed: Vec<grammar::ParsedExport> = Vec::new();
    // What comes from another file may be a class of records.
    let named = module.files.iter().map(|file| file.alias.clone()).chain(written.records.iter().cloned()).collect();
    for line in &lines {
        match grammar::export_line(line, &named) {
            Ok(list) => parsed.extend(list),
            Err(report) => reports.push(*report),
        }
    }
    let comments = annotation::Comments {
        names: parsed.iter().map(|e| e.name.clone()).collect(),
        any: !lines.is_empty(),
        records: typed_records(module),
    };
    let mut foreign = None;
    parsed.extend(annotation::exports(module, written.annotations, &comments, &mut foreign, reports));
    parsed.sort_by_key(|e| e.span);
    let nothing_was_tried = lines.is_empty() && parsed.is_empty() && !reports.has_errors();
    let exports = check::check(source, module, parsed, written.unreadable, reports);
    if nothing_was_tried && written.whole_file_was_read {
        let half = half_annotated(module, written.annotations);
        reports.push(half.or(foreign).unwrap_or_else(|| nothing_exported(source, module)));
    }
    exports
}

/// The classes of records of which each field says one type: those that hints of functions may name.
fn typed_records(module: &ast::Module) -> BTreeSet<String> {
    let record = |constant: &ast::Constant| match &constant.value.kind {
        ast::ExprKind::Record(record) => Some((constant.name.clone(), record.clone())),
        _ => None,
    };
    let records: Vec<_> = module.constants.iter().filter_map(record).collect();
    let mut typed: BTreeSet<String> = records.iter().map(|(name, _)| name.clone()).collect();
    loop {
        let is_typed = |field: &ast::Field| field.types.len() == 1 && !hint::names_other_record(&field.types, &typed);
        let is_untyped = |(_, record): &&(String, std::sync::Arc<ast::Record>)| !record.fields.iter().all(is_typed);
        let untyped: Vec<String> = records.iter().filter(is_untyped).map(|(name, _)| name.clone()).collect();
        let n_before = typed.len();
        typed.retain(|name| !untyped.contains(name));
        if typed.len() == n_before {
            return typed;
        }
    }
}

/// The report about the first function of which some parameters are annotated, and some are not.
fn half_annotated(module: &ast::Module, annotations: &[FunctionAnnotations]) -> Option<Report> {
    let half = annotations
        .iter()
        .find(|a| a.parameters.iter().any(Option::is_some) && a.parameters.iter().any(Option::is_none))?;
    let function = module.functions.get(half.function)?;
    let missing = half.parameters.iter().position(Option::is_none)?;
    let (f, parameter) = (&function.name, function.parameters.get(missing)?);
    let message = format!("annotations export `{f}` only if all parameters have one; `{}` has none", parameter.name);
    let help = format!("write its type, as in `{}: int` or `{0}: \"float64[:]\"`", parameter.name);
    Some(Report::error(code::NOTHING_EXPORTED, parameter.span, message).help(help))
}

fn nothing_exported(source: &Source, module: &ast::Module) -> Report {
    let first = module.functions.first();
    let first_line = source.text.lines().next().map_or(0, str::len) as u32;
    let span = first.map_or(Span::new(0, first_line), |f| f.name_span);
    let example = first.map_or("f(float64[:], int)".to_owned(), |f| {
        let types: Vec<&str> = f.parameters.iter().map(|_| "float64[:]").collect();
        format!("{}({})", f.name, types.join(", "))
    });
    Report::error(code::NOTHING_EXPORTED, span, "the file exports no function")
        .help(format!("write a line such as `#numptx export {example}` above the function"))
}
