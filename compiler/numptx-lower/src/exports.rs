//! Exports: every exported signature becomes one function of the array IR, every exported constant a global.

use std::collections::BTreeMap;

use numptx_ir::array::{self, Global, OpKind};
use numptx_ir::functions::Family;
use numptx_ir::signature::{Parameter, Signature};
use numptx_source::{Report, Reports, Span, code};
use numptx_syntax::ast::{Constant, Export, ExportParameter, Module};

use crate::lowerer::Lowerer;
use crate::parameters::type_text;
use crate::reach::{constants_before, constants_of};
use crate::scope::Binding;
use crate::value::Value;

/// Lowers everything that a module exports.
pub(crate) fn lower_exports(module: &Module, name: &str) -> (array::Module, Reports) {
    let mut result = array::Module { name: name.into(), docstring: module.docstring.clone(), ..Default::default() };
    let mut reports = Reports::new();
    if module.exports.iter().all(|e| e.parameters.is_none()) {
        reports.push(nothing_exported(module));
    }
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    for export in &module.exports {
        let Some(parameters) = &export.parameters else {
            let (global, found) = lower_global(module, export);
            result.globals.extend(global);
            add(&mut reports, found);
            continue;
        };
        let required = parameters.iter().position(|p| p.optional).unwrap_or(parameters.len());
        for given in required..=parameters.len() {
            let number = numbers.entry(&export.name).or_default();
            let (function, found) = lower_overload(module, export, &parameters[..given], *number);
            let known = |f: &array::Function| result.functions.iter().any(|g| g.signature.text == f.signature.text);
            if let Some(function) = function.filter(|f| !known(f)) {
                *number += 1;
                result.functions.push(function);
            }
            add(&mut reports, found);
        }
    }
    (result, reports)
}

/// Adds reports that were not made of the same place by another overload.
fn add(reports: &mut Reports, found: Vec<Report>) {
    for report in found {
        let said = |r: &Report| r.code == report.code && r.span == report.span && r.message == report.message;
        if !reports.iter().any(said) {
            reports.push(report);
        }
    }
}

fn nothing_exported(module: &Module) -> Report {
    let (span, example) = match module.functions.first() {
        Some(function) => (function.name_span, format!("#numptx export {}(float64[:])", function.name)),
        None => (Span::default(), "#numptx export f(float64[:])\ndef f(x): return 2 * x".to_string()),
    };
    Report::error(code::NOTHING_EXPORTED, span, "no function of this file is exported")
        .help(format!("name a function and the types of its parameters: `{example}`"))
}

/// Lowers one signature. Reports of errors mean that there is no function.
fn lower_overload(
    module: &Module,
    export: &Export,
    given: &[ExportParameter],
    number: usize,
) -> (Option<array::Function>, Vec<Report>) {
    let mut lowerer = Lowerer::new(module, format!("{}.{number}", export.name));
    let function = overload(&mut lowerer, module, export, given);
    let Lowerer { builder, reports, .. } = lowerer;
    let failed = reports.iter().any(|r| r.severity == numptx_source::Severity::Error);
    (function.filter(|_| !failed).map(|signature| builder.finish(signature)), reports)
}

fn overload(
    lowerer: &mut Lowerer<'_>,
    module: &Module,
    export: &Export,
    given: &[ExportParameter],
) -> Option<Signature> {
    let Some(position) = module.functions.iter().position(|f| f.name == export.name) else {
        let message = format!("the export names `{}`, which is no function of the file", export.name);
        lowerer.refuse(code::EXPORT_UNKNOWN_FUNCTION, export.span, message, "export a function that the file defines");
        return None;
    };
    let function = &module.functions[position];
    if given.len() > function.parameters.len() {
        let message =
            format!("the export has {} parameters, `{}` has {}", given.len(), function.name, function.parameters.len());
        lowerer.refuse(code::EXPORT_ARITY, export.span, message, "write one type for each parameter");
        return None;
    }
    let mut parameters = Vec::new();
    let mut names = BTreeMap::new();
    for (parameter, spec) in function.parameters.iter().zip(given) {
        let (ty, value) = lowerer.parameter(&parameter.name, &spec.ty, spec.span)?;
        parameters.push(Parameter { name: parameter.name.clone(), ty });
        names.insert(parameter.name.clone(), Binding::Bound(value, parameter.span));
    }
    lower_constants(lowerer, &constants_of(module, position));
    for parameter in &function.parameters[given.len()..] {
        let Some(default) = &parameter.default else {
            let message =
                format!("the parameter `{}` of `{}` has no type in this export", parameter.name, function.name);
            lowerer.refuse(
                code::EXPORT_ARITY,
                export.span,
                message,
                "write one type for each parameter without a default",
            );
            return None;
        };
        let value = lowerer.default_value(default);
        names.insert(parameter.name.clone(), Binding::Bound(value, parameter.span));
    }
    let value = lowerer.call_function(position, names);
    let (result, leaves) = lowerer.result(&value, function.name_span)?;
    lowerer.builder.set_span(function.name_span);
    lowerer.builder.emit(OpKind::Return, leaves);
    let types: Vec<String> = parameters.iter().map(|p| type_text(&p.ty)).collect();
    Some(Signature {
        function: function.name.clone(),
        text: format!("{}({})", function.name, types.join(", ")),
        parameters,
        result,
        docstring: function.docstring.clone(),
    })
}

/// Evaluates module-level constants where they are seen by the whole function.
fn lower_constants(lowerer: &mut Lowerer<'_>, constants: &[&Constant]) {
    for constant in constants {
        let value = lowerer.expression(&constant.value);
        let value = match value.typed() {
            // An array is made anew in every call: nobody may see the difference by writing to it.
            Some(typed) if typed.family == Family::Array => {
                Value::array(lowerer.builder.emit(OpKind::ReadOnly, vec![typed.value])[0])
            }
            _ => value,
        };
        lowerer.constants.insert(constant.name.clone(), value);
    }
}

fn lower_global(module: &Module, export: &Export) -> (Option<Global>, Vec<Report>) {
    let mut lowerer = Lowerer::new(module, export.name.clone());
    let Some(position) = module.constants.iter().rposition(|c| c.name == export.name) else {
        let message = format!("the export names `{}`, which the file does not define", export.name);
        lowerer.refuse(
            code::EXPORT_UNKNOWN_FUNCTION,
            export.span,
            message,
            "export a function or a constant of the file",
        );
        return (None, lowerer.reports);
    };
    lower_constants(&mut lowerer, &constants_before(module, position));
    let value = lowerer.expression(&module.constants[position].value);
    let global = lowerer.constant_of(&value).zip(value.typed()).map(|(constant, typed)| Global {
        name: export.name.clone(),
        value: constant,
        dtype: lowerer.builder.dtype(typed.value),
    });
    if global.is_none() && !value.is_poison() {
        let message = format!("`{}` cannot be exported: it is {}", export.name, value.describe(&lowerer.builder));
        let help = "export numbers that are known when compiling: `SCALE = 2.5`";
        lowerer.refuse(code::UNSUPPORTED_TYPE, export.span, message, help);
    }
    (global, lowerer.reports)
}
