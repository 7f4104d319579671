//! Function definitions: parameters, annotations, the body.
//!
//! In: a `def`. Out: an [`ast::Function`] whose reports stay with it, and its annotations.

use std::sync::Arc;

use numptx_source::{Reports, Span, code};

use super::{Annotation, Converted, Converter, FunctionAnnotations, string_value};
use crate::ast::{self, ParameterKind};
use crate::parse::{python, span_of};
use crate::signature::hint;

impl Converter<'_> {
    pub(super) fn function(&mut self, def: &python::StmtFunctionDef, out: &mut Converted) {
        let module_reports = std::mem::take(&mut self.reports);
        let span = span_of(def.range);
        let applied = self.decorators(&def.decorator_list);
        let name_span = self.parsed.definition_name(span.start).unwrap_or(self.line_of(span));
        self.refuse_type_parameters(def, name_span);
        let (parameters, annotations) = self.parameters(&def.args);
        let (docstring, statements) = split_docstring(&def.body);
        let body = self.function_block(statements);
        let refused = std::mem::replace(&mut self.reports, module_reports);
        out.annotations.push(FunctionAnnotations {
            function: out.module.functions.len(),
            parameters: annotations,
            has_return: def.returns.is_some(),
        });
        let name = def.name.to_string();
        let function = ast::Function { name, name_span, parameters, body, docstring, span, applied, refused };
        out.module.functions.push(function);
    }

    pub(super) fn async_function(&mut self, def: &python::StmtAsyncFunctionDef, out: &mut Converted) {
        let module_reports = std::mem::take(&mut self.reports);
        let span = span_of(def.range);
        let name_span = self.parsed.definition_name(span.start).unwrap_or(self.line_of(span));
        self.refuse(
            code::UNSUPPORTED_STATEMENT,
            self.line_of(span),
            "`async def`",
            "write `def`: calls are synchronous",
        );
        let (parameters, _) = self.parameters(&def.args);
        let refused: Reports = std::mem::replace(&mut self.reports, module_reports);
        out.module.functions.push(ast::Function {
            name: def.name.to_string(),
            name_span,
            parameters,
            body: Vec::new(),
            docstring: None,
            span,
            applied: ast::Applied::Whole,
            refused,
        });
    }

    /// A function inside a function. What is outside the subset in it is reported with the function around it.
    pub(super) fn local_function(&mut self, def: &python::StmtFunctionDef) -> Arc<ast::Function> {
        let span = span_of(def.range);
        let applied = self.decorators(&def.decorator_list);
        let name_span = self.parsed.definition_name(span.start).unwrap_or(self.line_of(span));
        self.refuse_type_parameters(def, name_span);
        let (parameters, _) = self.parameters(&def.args);
        let (docstring, statements) = split_docstring(&def.body);
        let n_loops = std::mem::take(&mut self.n_loops);
        let handlers = std::mem::take(&mut self.handlers);
        let body = self.function_block(statements);
        self.n_loops = n_loops;
        self.handlers = handlers;
        let (name, refused) = (def.name.to_string(), Reports::new());
        Arc::new(ast::Function { name, name_span, parameters, body, docstring, span, applied, refused })
    }

    fn refuse_type_parameters(&mut self, def: &python::StmtFunctionDef, name_span: Span) {
        if !def.type_params.is_empty() {
            let help = "leave them out: types come from the export line";
            self.refuse(code::UNSUPPORTED_PARAMETER_KIND, name_span, "a function with type parameters", help);
        }
    }

    /// The parameters of a function or a `lambda`, and their annotations.
    pub(super) fn parameters(
        &mut self,
        arguments: &python::Arguments,
    ) -> (Vec<ast::Parameter>, Vec<Option<Annotation>>) {
        if let Some(rest) = &arguments.kwarg {
            let span = span_of(rest.range);
            self.refuse(code::UNSUPPORTED_PARAMETER_KIND, span, "`**kwargs`", "name each parameter");
        }
        let mut all = Vec::new();
        for (group, kind) in
            [(&arguments.posonlyargs, ParameterKind::Positional), (&arguments.args, ParameterKind::Any)]
        {
            all.extend(group.iter().map(|argument| self.parameter(argument, kind)));
        }
        if let Some(rest) = &arguments.vararg {
            let start = span_of(rest.range).start;
            let name = rest.arg.to_string();
            let span = Span::new(start, start + name.len() as u32);
            all.push((ast::Parameter { name, span, default: None, kind: ParameterKind::Rest }, None));
        }
        all.extend(arguments.kwonlyargs.iter().map(|argument| self.parameter(argument, ParameterKind::Named)));
        all.into_iter().unzip()
    }

    fn parameter(
        &mut self,
        argument: &python::ArgWithDefault,
        kind: ParameterKind,
    ) -> (ast::Parameter, Option<Annotation>) {
        let name = argument.def.arg.to_string();
        let start = span_of(argument.def.range).start;
        let span = Span::new(start, start + name.len() as u32);
        let default = argument.default.as_deref().map(|e| self.expression(e));
        let annotation = argument.def.annotation.as_deref().map(|e| self.annotation(e));
        (ast::Parameter { name, span, default, kind }, annotation)
    }

    pub(super) fn annotation(&self, expr: &python::Expr) -> Annotation {
        let span = span_of(python::Ranged::range(expr));
        let written = self.source.slice(span);
        let Some(text) = string_value(expr) else {
            let hint = Some(hint::of(expr, &self.records));
            return Annotation { text: written.to_owned(), span, is_string: false, hint };
        };
        // Without escapes the text stands in the file as it is, and reports can point into it.
        let span = match written.find(&text) {
            Some(at) => Span::new(span.start + at as u32, span.start + (at + text.len()) as u32),
            None => span,
        };
        let stands_as_it_is = (span.end - span.start) as usize == text.len();
        let hint = hint::of_text(&text, span.start, &self.records)
            .map(|hint| if stands_as_it_is { hint } else { hint.at(span) });
        Annotation { text, span, is_string: true, hint }
    }
}

pub(super) fn split_docstring(body: &[python::Stmt]) -> (Option<String>, &[python::Stmt]) {
    match body.first() {
        Some(python::Stmt::Expr(text)) => match string_value(&text.value) {
            Some(docstring) => (Some(docstring), &body[1..]),
            None => (None, body),
        },
        _ => (None, body),
    }
}
