//! Functions that are exported by the annotations of their parameters.
//!
//! In: functions, their annotations, and what the export lines name. Out: one export a function. String
//! annotations always count. Plain ones, such as `x: float`, are also written for readers and type
//! checkers, so they count only where the module has no export lines. A function with a type that is none of compiled code is not exported.

use std::collections::BTreeSet;

use numptx_source::{Report, Reports};

use super::grammar::{self, ParsedExport, ParsedParameter};
use super::hint::Hint;
use super::lexer::{tokens_at, tokens_within};
use super::names;
use crate::ast;
use crate::subset::{Annotation, FunctionAnnotations};

/// What the module's export lines say, and what types may name.
pub(super) struct Comments {
    /// The names they export.
    pub names: BTreeSet<String>,
    /// There is one.
    pub any: bool,
    /// The names of classes of records.
    pub records: BTreeSet<String>,
}

/// The exports that annotations make; `foreign`: why the first function has none that could have one.
pub(super) fn exports(
    module: &ast::Module,
    annotations: &[FunctionAnnotations],
    comments: &Comments,
    foreign: &mut Option<Report>,
    reports: &mut Reports,
) -> Vec<ParsedExport> {
    let mut exports = Vec::new();
    let records = &comments.records;
    for annotated in annotations {
        let Some(function) = module.functions.get(annotated.function) else { continue };
        let Some(types) = types_to_export(function, annotated, comments) else { continue };
        let hints: Vec<(Hint, &Annotation)> =
            types.into_iter().map(|t| (hint_of(t, records).of_records(records, t.span), t)).collect();
        let is_foreign = |(hint, _): &(Hint, &Annotation)| matches!(hint, Hint::Foreign(_));
        if let Some((Hint::Foreign(report), _)) = hints.iter().find(|hint| is_foreign(hint)) {
            foreign.get_or_insert(report.clone());
            continue;
        }
        let mut parameters = Vec::new();
        for ((hint, annotation), parameter) in hints.into_iter().zip(&function.parameters) {
            match hint {
                Hint::Types(alternatives) => {
                    let optional = parameter.default.is_some();
                    parameters.push(ParsedParameter { alternatives, optional, span: annotation.span });
                }
                Hint::Incomplete(report) | Hint::Wrong(report) | Hint::Foreign(report) => reports.push(report),
            }
        }
        if parameters.len() == function.parameters.len() {
            let name = function.name.clone();
            let span = function.name_span;
            exports.push(ParsedExport { name, name_span: span, span, parameters: Some(parameters) });
        }
    }
    exports
}

/// The annotations of a function that they export.
fn types_to_export<'a>(
    function: &ast::Function,
    annotated: &'a FunctionAnnotations,
    comments: &Comments,
) -> Option<Vec<&'a Annotation>> {
    let types: Vec<&Annotation> = annotated.parameters.iter().map(Option::as_ref).collect::<Option<_>>()?;
    let is_private = function.name.starts_with('_');
    if comments.names.contains(&function.name) || (types.is_empty() && (!annotated.has_return || is_private)) {
        return None;
    }
    let has_string = types.iter().any(|t| t.is_string);
    if (comments.any || is_private) && !has_string {
        return None;
    }
    // A foreign annotation such as `np.ndarray` in a module with export lines is for readers.
    let ours = types.iter().any(|t| t.is_string && names::starts_with_a_type(&t.text))
        || types.iter().all(|t| parse(t, &comments.records).is_ok());
    (ours || !comments.any).then_some(types)
}

/// What an annotation stands for: a type as export lines have it, or a hint of Python's.
pub(crate) fn hint_of(annotation: &Annotation, records: &BTreeSet<String>) -> Hint {
    match parse(annotation, records) {
        Ok(parsed) => Hint::Types(parsed.alternatives),
        Err(report) if annotation.is_string && names::starts_with_a_type(&annotation.text) => Hint::Wrong(*report),
        Err(report) => match (&annotation.hint, annotation.is_string) {
            // A string that is not even an expression is meant to be a type.
            (None, true) => Hint::Wrong(*report),
            (None, false) => Hint::Foreign(*report),
            (Some(hint), _) => hint.clone(),
        },
    }
}

fn parse(annotation: &Annotation, records: &BTreeSet<String>) -> grammar::Parsed<ParsedParameter> {
    let stands_as_it_is = annotation.span.end - annotation.span.start == annotation.text.len() as u32;
    let tokens = if stands_as_it_is {
        tokens_at(&annotation.text, annotation.span.start)
    } else {
        tokens_within(&annotation.text, annotation.span)
    };
    grammar::annotation(&tokens, annotation.span, records)
}
