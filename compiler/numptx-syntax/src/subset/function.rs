//! Function definitions: parameters, annotations, the body.
//!
//! In: a `def`. Out: an [`ast::Function`] whose reports stay with it, and its annotations.

use numptx_source::{Reports, Span, code};

use super::{Annotation, Converted, Converter, FunctionAnnotations, string_value};
use crate::ast;
use crate::parse::{python, span_of};

impl Converter<'_> {
    pub(super) fn function(&mut self, def: &python::StmtFunctionDef, out: &mut Converted) {
        let module_reports = std::mem::take(&mut self.reports);
        let span = span_of(def.range);
        self.refuse_decorators(&def.decorator_list);
        let name_span = self.parsed.definition_name(span.start).unwrap_or(self.line_of(span));
        if !def.type_params.is_empty() {
            let help = "leave them out: types come from the export line";
            self.refuse(code::UNSUPPORTED_PARAMETER_KIND, name_span, "a function with type parameters", help);
        }
        let (parameters, annotations) = self.parameters(&def.args);
        let (docstring, statements) = split_docstring(&def.body);
        let body = self.block(statements);
        let refused = std::mem::replace(&mut self.reports, module_reports);
        out.annotations.push(FunctionAnnotations {
            function: out.module.functions.len(),
            parameters: annotations,
            has_return: def.returns.is_some(),
        });
        let name = def.name.to_string();
        out.module.functions.push(ast::Function { name, name_span, parameters, body, docstring, span, refused });
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
        let refused: Reports = std::mem::replace(&mut self.reports, module_reports);
        out.module.functions.push(ast::Function {
            name: def.name.to_string(),
            name_span,
            parameters: Vec::new(),
            body: Vec::new(),
            docstring: None,
            span,
            refused,
        });
    }

    fn refuse_decorators(&mut self, decorators: &[python::Expr]) {
        for decorator in decorators {
            let span = span_of(python::Ranged::range(decorator));
            let text: String = self.source.slice(span).chars().take_while(|c| *c != '(' && *c != '\n').collect();
            let help = "remove it: an export line says what is compiled";
            self.refuse(code::UNSUPPORTED_STATEMENT, span, &format!("the decorator `@{text}`"), help);
        }
    }

    fn parameters(&mut self, arguments: &python::Arguments) -> (Vec<ast::Parameter>, Vec<Option<Annotation>>) {
        let positional_only = arguments.posonlyargs.first().map(|a| span_of(a.def.range));
        let keyword_only = arguments.kwonlyargs.first().map(|a| span_of(a.def.range));
        let star = arguments.vararg.as_ref().map(|a| span_of(a.range));
        let double_star = arguments.kwarg.as_ref().map(|a| span_of(a.range));
        let refusals = [
            (positional_only, "a positional-only parameter", "leave out the `/`"),
            (star, "`*args`", "name each parameter, or pass one array"),
            (
                keyword_only,
                "a keyword-only parameter",
                "leave out the `*` before it: every parameter can be given by name",
            ),
            (double_star, "`**kwargs`", "name each parameter"),
        ];
        for (span, what, help) in refusals {
            if let Some(span) = span {
                self.refuse(code::UNSUPPORTED_PARAMETER_KIND, span, what, help);
            }
        }
        let all = arguments.posonlyargs.iter().chain(&arguments.args).chain(&arguments.kwonlyargs);
        all.map(|argument| self.parameter(argument)).unzip()
    }

    fn parameter(&mut self, argument: &python::ArgWithDefault) -> (ast::Parameter, Option<Annotation>) {
        let name = argument.def.arg.to_string();
        let start = span_of(argument.def.range).start;
        let span = Span::new(start, start + name.len() as u32);
        let default = argument.default.as_deref().map(|e| self.expression(e));
        let annotation = argument.def.annotation.as_deref().map(|e| self.annotation(e));
        (ast::Parameter { name, span, default }, annotation)
    }

    fn annotation(&self, expr: &python::Expr) -> Annotation {
        let span = span_of(python::Ranged::range(expr));
        let written = self.source.slice(span);
        let Some(text) = string_value(expr) else {
            return Annotation { text: written.to_owned(), span, is_string: false };
        };
        // Without escapes the text stands in the file as it is, and reports can point into it.
        let span = match written.find(&text) {
            Some(at) => Span::new(span.start + at as u32, span.start + (at + text.len()) as u32),
            None => span,
        };
        Annotation { text, span, is_string: true }
    }
}

fn split_docstring(body: &[python::Stmt]) -> (Option<String>, &[python::Stmt]) {
    match body.first() {
        Some(python::Stmt::Expr(text)) => match string_value(&text.value) {
            Some(docstring) => (Some(docstring), &body[1..]),
            None => (None, body),
        },
        _ => (None, body),
    }
}
