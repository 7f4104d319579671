//! Exports against the module's definitions.
//!
//! In: parsed exports. Out: those that hold, `or` expanded to the cartesian product with the first
//! parameter varying slowest. An export with an error is left out and reported once.

use std::collections::BTreeMap;

use numptx_source::{Report, Reports, Severity, Source, Span, code};

use super::grammar::{MAX_OVERLOADS, ParsedExport, ParsedParameter, too_many};
use super::names;
use crate::ast;

/// Checks and expands.
pub(super) fn check(
    source: &Source,
    module: &ast::Module,
    parsed: Vec<ParsedExport>,
    unreadable: &[String],
    reports: &mut Reports,
) -> Vec<ast::Export> {
    let mut checked = Checked { source, module, exports: Vec::new(), overloads: BTreeMap::new(), reports };
    for export in parsed {
        if unreadable.contains(&export.name) {
            continue;
        }
        match &export.parameters {
            None => checked.global(&export),
            Some(parameters) => checked.function(&export, parameters),
        }
    }
    checked.exports
}

struct Checked<'a> {
    source: &'a Source,
    module: &'a ast::Module,
    exports: Vec<ast::Export>,
    /// How many overloads each function has.
    overloads: BTreeMap<String, usize>,
    reports: &'a mut Reports,
}

impl Checked<'_> {
    fn global(&mut self, export: &ParsedExport) {
        if self.module.functions.iter().any(|f| f.name == export.name) {
            let message = format!("`{}` is a function: its export needs the types of its parameters", export.name);
            let help = format!("write `#numptx export {}(float64[:])`", export.name);
            let report = Report::error(code::EXPORT_SYNTAX, export.span, message).label("no types").help(help);
            return self.reports.push(report);
        }
        if !self.module.constants.iter().any(|c| c.name == export.name) {
            return self.unknown(export);
        }
        if self.exports.iter().any(|e| e.name == export.name) {
            let report =
                Report::error(code::EXPORT_DUPLICATE, export.span, format!("`{}` is exported twice", export.name));
            return self.reports.push(report.label("a second time").help("remove this export"));
        }
        let name = export.name.clone();
        self.exports.push(ast::Export { name, span: export.span, parameters: None });
    }

    fn function(&mut self, export: &ParsedExport, parameters: &[ParsedParameter]) {
        let Some(function) = self.module.functions.iter().rfind(|f| f.name == export.name) else {
            return self.unknown(export);
        };
        if let Some(report) = kinds(function)
            .or_else(|| applied(function, export, parameters))
            .or_else(|| arity(function, export, parameters))
            .or_else(|| optional(function, parameters))
        {
            return self.reports.push(report);
        }
        let product = parameters.iter().fold(1usize, |n, p| n.saturating_mul(p.alternatives.len()));
        let total = self.overloads.entry(export.name.clone()).or_insert(0);
        *total = total.saturating_add(product);
        if *total > MAX_OVERLOADS {
            let report = too_many(export.span, *total);
            return self.reports.push(*report);
        }
        for signature in product_of(parameters) {
            self.overload(export, signature);
        }
    }

    fn overload(&mut self, export: &ParsedExport, signature: Vec<ast::ExportParameter>) {
        let same = |other: &&ast::Export| other.name == export.name && is_same(other.parameters.as_deref(), &signature);
        if let Some(first) = self.exports.iter().find(same) {
            let report = self.duplicate(export, first.span);
            return self.reports.push(report);
        }
        let name = export.name.clone();
        self.exports.push(ast::Export { name, span: export.span, parameters: Some(signature) });
    }

    /// The same text twice is a mistake; two names of one type, such as `int64[:]` and `int[:]`, stand in many Pythran files.
    fn duplicate(&self, export: &ParsedExport, first: Span) -> Report {
        let letters = |span| self.source.slice(span).chars().filter(|c| !c.is_whitespace()).collect::<String>();
        let is_same_text = letters(first) == letters(export.span);
        let message = format!("this signature of `{}` is exported twice", export.name);
        let mut report = Report::error(code::EXPORT_DUPLICATE, export.span, message)
            .label("a second time")
            .help("remove one of them; overloads must differ in a type");
        if !is_same_text {
            report.severity = Severity::Warning;
        }
        if first != export.span { report.related(first, "first exported here") } else { report }
    }

    fn unknown(&mut self, export: &ParsedExport) {
        if let Some(left) = self.module.left.iter().find(|left| left.name == export.name) {
            return self.reports.push(left.report.clone());
        }
        let functions = self.module.functions.iter().map(|f| f.name.as_str());
        let constants = self.module.constants.iter().map(|c| c.name.as_str());
        let candidates: Vec<&str> = if export.parameters.is_some() { functions.collect() } else { constants.collect() };
        let nearest = candidates.into_iter().map(|n| (n, names::distance(&export.name, n))).min_by_key(|(_, gap)| *gap);
        let what = if export.parameters.is_some() { "function" } else { "constant" };
        let message = format!("the module defines no {what} `{}`", export.name);
        let report = Report::error(code::EXPORT_UNKNOWN_FUNCTION, export.name_span, message);
        self.reports.push(match nearest {
            Some((name, gap)) if gap <= 1.max(export.name.len() / 3) => {
                report.label(format!("did you mean `{name}`?")).help(format!("export `{name}`"))
            }
            _ => report.label("not defined at module level").help("define it in this file, at module level"),
        });
    }
}

/// Parameters of an exported function take arguments by position and by name, or by name only.
fn kinds(function: &ast::Function) -> Option<Report> {
    let is_taken = |kind| matches!(kind, ast::ParameterKind::Any | ast::ParameterKind::Named);
    let parameter = function.parameters.iter().find(|p| !is_taken(p.kind))?;
    let (what, help) = match parameter.kind {
        ast::ParameterKind::Rest => ("`*args`", "name each parameter, or pass one array"),
        _ => ("a positional-only parameter", "leave out the `/`"),
    };
    let message = format!("{what} of an exported function is outside the Python that numptx compiles");
    Some(Report::error(code::UNSUPPORTED_PARAMETER_KIND, parameter.span, message).label("not compiled").help(help))
}

/// A function of elements is called with arrays by what its decorator makes of it.
fn applied(function: &ast::Function, export: &ParsedExport, types: &[ParsedParameter]) -> Option<Report> {
    if function.applied == ast::Applied::Vectorized {
        let message = format!("`{}` is made for elements by `@np.vectorize`, and exported", export.name);
        let help = format!("export a function that calls it: `def g(x): return {}(x)`", export.name);
        let report = Report::error(code::UNSUPPORTED_STATEMENT, types.first()?.span, message);
        return Some(report.label("exported here").help(help));
    }
    let is_array = |ty: &ast::TypeSpec| matches!(ty, ast::TypeSpec::Array(_));
    let array = types.iter().find(|ty| ty.alternatives.iter().any(is_array))?;
    if function.applied != ast::Applied::ByElement {
        return None;
    }
    let name = &export.name;
    let message = format!("`{name}` is made for elements by `@vectorize`, and exported with arrays");
    let help = format!(
        "export a function with the loop: `for i in range(len(x)): y[i] = {name}(x[i])`; `{name}` itself takes numbers"
    );
    Some(Report::error(code::UNSUPPORTED_STATEMENT, array.span, message).label("an array").help(help))
}

fn arity(function: &ast::Function, export: &ParsedExport, types: &[ParsedParameter]) -> Option<Report> {
    if function.refused.iter().any(|r| r.code == code::UNSUPPORTED_PARAMETER_KIND) {
        return None;
    }
    let most = function.parameters.len();
    let least = function.parameters.iter().filter(|p| p.default.is_none()).count();
    if (least..=most).contains(&types.len()) {
        return None;
    }
    let takes = if least == most { most.to_string() } else { format!("{least} to {most}") };
    let names: Vec<&str> = function.parameters.iter().map(|p| p.name.as_str()).collect();
    let message = format!(
        "`{}` has {takes} parameter{}, but this export gives {} type{}",
        function.name,
        if takes == "1" { "" } else { "s" },
        types.len(),
        if types.len() == 1 { "" } else { "s" },
    );
    let report = Report::error(code::EXPORT_ARITY, export.span, message)
        .label(format!("{} given", types.len()))
        .related(function.name_span, format!("defined as `{}({})`", function.name, names.join(", ")));
    Some(report.help("give one type for each parameter; those with defaults may be left out at the end"))
}

fn optional(function: &ast::Function, types: &[ParsedParameter]) -> Option<Report> {
    let first = types.iter().position(|t| t.optional)?;
    if let Some(required) = types[first..].iter().find(|t| !t.optional) {
        return Some(
            Report::error(code::EXPORT_OPTIONAL, required.span, "a required parameter follows an optional one")
                .label("required")
                .related(types[first].span, "optional")
                .help("write `?` behind this type too"),
        );
    }
    let without_default = types.iter().zip(&function.parameters).find(|(t, p)| t.optional && p.default.is_none());
    without_default.map(|(ty, parameter)| {
        Report::error(
            code::EXPORT_OPTIONAL,
            ty.span,
            format!("`{}` is optional here but has no default", parameter.name),
        )
        .label("optional")
        .related(parameter.span, "no default")
        .help(format!("write a default: `{}=0`", parameter.name))
    })
}

fn product_of(parameters: &[ParsedParameter]) -> Vec<Vec<ast::ExportParameter>> {
    let mut signatures: Vec<Vec<ast::ExportParameter>> = vec![Vec::new()];
    for parameter in parameters {
        let one = |ty: &ast::TypeSpec| ast::ExportParameter {
            ty: ty.clone(),
            optional: parameter.optional,
            span: parameter.span,
        };
        let extended = signatures
            .iter()
            .flat_map(|head| parameter.alternatives.iter().map(|ty| head.iter().cloned().chain([one(ty)]).collect()));
        signatures = extended.collect();
    }
    signatures
}

fn is_same(a: Option<&[ast::ExportParameter]>, b: &[ast::ExportParameter]) -> bool {
    a.is_some_and(|a| a.len() == b.len() && a.iter().zip(b).all(|(x, y)| x.ty == y.ty))
}
