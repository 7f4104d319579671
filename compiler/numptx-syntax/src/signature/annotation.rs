//! Functions that are exported by the annotations of their parameters.
//!
//! In: functions, their annotations, and what the export lines name. Out: one export a function. String
//! annotations always count. Plain ones, such as `x: float`, are also written for readers and type
//! checkers, so they count only where the module has no export lines.

use std::collections::BTreeSet;

use numptx_source::Reports;

use super::grammar::{self, ParsedExport};
use super::lexer::{tokens_at, tokens_within};
use super::names;
use crate::ast;
use crate::subset::{Annotation, FunctionAnnotations};

/// What the module's export lines say.
pub(super) struct Comments {
    /// The names they export.
    pub names: BTreeSet<String>,
    /// There is one.
    pub any: bool,
}

/// The exports that annotations make.
pub(super) fn exports(
    module: &ast::Module,
    annotations: &[FunctionAnnotations],
    comments: &Comments,
    reports: &mut Reports,
) -> Vec<ParsedExport> {
    let mut exports = Vec::new();
    for annotated in annotations {
        let Some(function) = module.functions.get(annotated.function) else { continue };
        let Some(types) = types_to_export(function, annotated, comments) else { continue };
        let mut parameters = Vec::new();
        for (annotation, parameter) in types.iter().zip(&function.parameters) {
            match parse(annotation) {
                Ok(mut parsed) => {
                    parsed.optional = parameter.default.is_some();
                    parameters.push(parsed);
                }
                Err(report) => reports.push(*report),
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
        || types.iter().all(|t| parse(t).is_ok());
    (ours || !comments.any).then_some(types)
}

fn parse(annotation: &Annotation) -> grammar::Parsed<grammar::ParsedParameter> {
    let stands_as_it_is = annotation.span.end - annotation.span.start == annotation.text.len() as u32;
    let tokens = if stands_as_it_is {
        tokens_at(&annotation.text, annotation.span.start)
    } else {
        tokens_within(&annotation.text, annotation.span)
    };
    grammar::annotation(&tokens, annotation.span)
}
