//! Exports: every exported signature becomes one function of the array IR, every exported constant a global.

use std::collections::BTreeMap;

use numptx_ir::array::{self, Global, OpKind};
use numptx_ir::functions::Family;
use numptx_ir::scalar;
use numptx_ir::signature::{Parameter, ParameterType, Signature};
use numptx_source::{Report, Reports, code};
use numptx_syntax::ast::{Export, ExportParameter, Function, Module, ParameterKind, TypeSpec};

use crate::exports::objects::tell_objects;
use crate::exports::parameters::type_text;
use crate::lowerer::Lowerer;
use crate::lowerer::routines::Routines;
use crate::names::constants::lower_constants;
use crate::records::fields::classes_in;
use crate::records::instances::with_assigned;
use crate::syntax::liveness::Names;
use crate::syntax::reach::{constants_before, constants_of};
use crate::syntax::string_choices::{Choice, MAX_CHOICES, choices};
use crate::values::container_types::Containers;
use crate::values::scope::Binding;
use crate::values::value::Value;

/// Attempts at one overload, until what is known of its lists is right.
const MAX_ATTEMPTS: usize = 24;

/// Lowers everything that a module exports.
pub(crate) fn lower_exports(module: &Module, name: &str) -> (array::Module, Reports) {
    let module = &with_assigned(module);
    let mut result = array::Module { name: name.into(), docstring: module.docstring.clone(), ..Default::default() };
    let mut reports = Reports::new();
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    let mut routines = Routines::default();
    let mut containers = Containers::default();
    for export in &module.exports {
        let Some(parameters) = &export.parameters else {
            let (global, found) = lower_global(module, export);
            result.globals.extend(global);
            add(&mut reports, found);
            continue;
        };
        let required = parameters.iter().position(|p| p.optional).unwrap_or(parameters.len());
        for given in required..=parameters.len() {
            let given = &parameters[..given];
            let mut choices = string_choices(module, export, given, &mut reports);
            if choices.len() > 1
                && let Some(any) =
                    choices.pop_if(|any| takes_texts(module, export, (given, any), (&mut routines, &containers)))
            {
                choices = vec![any];
            }
            for choice in choices {
                let number = numbers.entry(&export.name).or_default();
                let known = (&mut routines, &mut containers);
                let (function, found) = lower_overload(module, export, (given, &choice), *number, known);
                let known = |f: &array::Function| result.functions.iter().any(|g| g.signature.text == f.signature.text);
                if let Some(function) = function.filter(|f| !known(f)) {
                    *number += 1;
                    result.functions.push(function);
                }
                add(&mut reports, found);
            }
        }
    }
    let called = routines.called_by(&result.functions);
    result.functions.extend(called);
    (result, reports)
}

/// Whether the overload of strings that are no literals compiles, and has strings of run time: then it is right for all strings.
fn takes_texts(
    module: &Module,
    export: &Export,
    (given, any): (&[ExportParameter], &Choice),
    (routines, containers): (&mut Routines, &Containers),
) -> bool {
    let known = routines.known_so_far();
    let (function, _) = lower_overload(module, export, (given, any), 0, (routines, &mut containers.clone()));
    routines.forget(known);
    let is_text = |(spec, parameter): (&ExportParameter, &Parameter)| {
        spec.ty == TypeSpec::Str && matches!(parameter.ty, ParameterType::Object(_))
    };
    function.is_some_and(|f| given.iter().zip(&f.signature.parameters).any(is_text))
}

/// Every combination of values of the string parameters of an export.
fn string_choices(module: &Module, export: &Export, given: &[ExportParameter], reports: &mut Reports) -> Vec<Choice> {
    let Some(position) = module.functions.iter().position(|f| f.name == export.name) else { return vec![Vec::new()] };
    choices(module, position, given).unwrap_or_else(|| {
        let message = format!(
            "the strings that select an overload of `{}` have more than {MAX_CHOICES} combinations",
            export.name
        );
        let report = Report::error(code::EXPORT_TOO_MANY, export.span, message);
        reports.push(report.help("pass an `int` instead of one of the strings"));
        Vec::new()
    })
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

/// Lowers one signature. Reports of errors mean that there is no function.
fn lower_overload(
    module: &Module,
    export: &Export,
    given: (&[ExportParameter], &Choice),
    number: usize,
    (routines, containers): (&mut Routines, &mut Containers),
) -> (Option<array::Function>, Vec<Report>) {
    let known = routines.known_so_far();
    let mut remembered = Names::new();
    let mut n_attempts = 0;
    let (lowerer, function) = loop {
        let mut lowerer = Lowerer::new(module, format!("{}.{number}", export.name));
        lowerer.calls.routines = std::mem::take(routines);
        lowerer.containers = std::mem::take(containers);
        lowerer.containers.is_untested = false;
        lowerer.paths.remembered = remembered;
        let function = overload(&mut lowerer, module, export, given);
        *routines = std::mem::take(&mut lowerer.calls.routines);
        let (unknown, is_untested) = (lowerer.containers.unknown, lowerer.containers.is_untested);
        let mut is_further = lowerer.containers.further();
        n_attempts += 1;
        if is_further && n_attempts == MAX_ATTEMPTS {
            is_further = false;
            if lowerer.reports.iter().all(|r| r.severity != numptx_source::Severity::Error) {
                lowerer.report_unsettled(export.span);
            }
        }
        *containers = std::mem::take(&mut lowerer.containers);
        match lowerer.paths.further_names() {
            None if !is_further => {
                lowerer.report_unknown(unknown);
                containers.next_overload();
                break (lowerer, function.filter(|_| !is_untested));
            }
            names => remembered = names.unwrap_or(lowerer.paths.remembered),
        }
        routines.forget(known);
    };
    let mut lowerer = lowerer;
    lowerer.report_held_back();
    let Lowerer { builder, mut reports, .. } = lowerer;
    if function.is_none() && is_silent(&reports) {
        reports.push(unexplained(export));
    }
    let failed = reports.iter().any(|r| r.severity == numptx_source::Severity::Error);
    let function = function.filter(|_| !failed).map(|signature| builder.finish(signature));
    let with_objects = |mut function: array::Function| {
        tell_objects(&mut function);
        function
    };
    (function.map(with_objects), reports)
}

/// Whether nothing says why there is no function.
fn is_silent(reports: &[Report]) -> bool {
    reports.iter().all(|r| r.severity != numptx_source::Severity::Error)
}

/// What is said where nothing else is: a function never disappears.
fn unexplained(export: &Export) -> Report {
    let message = format!("what the lists, dictionaries and sets of `{}` hold is not found out", export.name);
    let report = Report::error(code::UNSUPPORTED_TYPE, export.span, message);
    report.help("begin them with a member, `xs = [0.0]`, or pass them as parameters: `float list`")
}

fn overload(
    lowerer: &mut Lowerer<'_>,
    module: &Module,
    export: &Export,
    (given, strings): (&[ExportParameter], &Choice),
) -> Option<Signature> {
    let position = exported(lowerer, module, export, given.len())?;
    let function = &module.functions[position];
    let mut parameters = Vec::new();
    let mut names = BTreeMap::new();
    let mut strings = strings.iter();
    for (parameter, spec) in function.parameters.iter().zip(given) {
        let (ty, value) = if spec.ty == TypeSpec::Str
            && !(lowerer.containers.texts.is_there && strings.as_slice().first() == Some(&None))
        {
            let text = strings.next().cloned().flatten();
            (ParameterType::Str(text.clone()), text.map_or(Value::OtherStr, Value::Str))
        } else {
            if spec.ty == TypeSpec::Str {
                strings.next();
            }
            lowerer.parameter(&parameter.name, &spec.ty, spec.span, 0)?
        };
        let by_name = parameter.kind == ParameterKind::Named;
        parameters.push(Parameter { name: parameter.name.clone(), ty, by_name });
        names.insert(parameter.name.clone(), Binding::Bound(value, parameter.span));
    }
    if lowerer.containers.random.is_there {
        parameters.push(lowerer.parameter_of_random());
    }
    let mut classes = Names::new();
    given.iter().for_each(|spec| classes_in(&spec.ty, &mut classes));
    lower_constants(lowerer, &constants_of(module, position, classes));
    let defaults = bind_defaults(lowerer, function, export, given.len(), &mut names)?;
    let value = lowerer.call_function(position, names);
    let (result, leaves) = lowerer.result(&value, function.name_span)?;
    lowerer.builder.set_span(function.name_span);
    lowerer.builder.emit(OpKind::Return, leaves);
    let types: Vec<String> = parameters.iter().filter(|p| !p.is_hidden()).map(|p| type_text(&p.ty)).collect();
    Some(Signature {
        function: function.name.clone(),
        text: format!("{}({})", function.name, types.join(", ")),
        parameters,
        result,
        same: Vec::new(),
        numbered: Vec::new(),
        defaults,
        docstring: function.docstring.clone(),
    })
}

/// The position of the function that an export names, if it can be exported with so many parameters.
fn exported(lowerer: &mut Lowerer<'_>, module: &Module, export: &Export, n_given: usize) -> Option<usize> {
    let Some(position) = module.functions.iter().position(|f| f.name == export.name) else {
        let message = format!("the export names `{}`, which is no function of the file", export.name);
        lowerer.refuse(code::EXPORT_UNKNOWN_FUNCTION, export.span, message, "export a function that the file defines");
        return None;
    };
    let function = &module.functions[position];
    if !function.refused.is_empty() {
        function.refused.iter().for_each(|r| lowerer.report(r.clone()));
        return None;
    }
    if n_given > function.parameters.len() {
        let message =
            format!("the export has {n_given} parameters, `{}` has {}", function.name, function.parameters.len());
        lowerer.refuse(code::EXPORT_ARITY, export.span, message, "write one type for each parameter");
        return None;
    }
    Some(position)
}

/// Binds the parameters that the export leaves out to their defaults.
fn bind_defaults(
    lowerer: &mut Lowerer<'_>,
    function: &Function,
    export: &Export,
    n_given: usize,
    names: &mut BTreeMap<String, Binding>,
) -> Option<Vec<String>> {
    let mut defaults = Vec::new();
    for parameter in &function.parameters[n_given..] {
        let Some(default) = &parameter.default else {
            let message =
                format!("the parameter `{}` of `{}` has no type in this export", parameter.name, function.name);
            let help = "write one type for each parameter without a default";
            lowerer.refuse(code::EXPORT_ARITY, export.span, message, help);
            return None;
        };
        let value = lowerer.default_value(default);
        defaults.push(literal(lowerer, &value).unwrap_or_else(|| "...".into()));
        names.insert(parameter.name.clone(), Binding::Bound(value, parameter.span));
    }
    Some(defaults)
}

/// A value as a literal of Python, where it is a short one.
fn literal(lowerer: &Lowerer<'_>, value: &Value) -> Option<String> {
    let is_plain = |c: char| (c.is_ascii_graphic() || c == ' ') && !matches!(c, '\'' | '"' | '\\');
    match value {
        Value::None => Some("None".into()),
        Value::Str(text) if text.chars().all(is_plain) => Some(format!("'{text}'")),
        Value::Tuple(items) => {
            let items: Vec<String> = items.iter().map(|v| literal(lowerer, v)).collect::<Option<_>>()?;
            Some(if items.len() == 1 { format!("({},)", items[0]) } else { format!("({})", items.join(", ")) })
        }
        Value::Typed(typed) if typed.family == Family::Python => match lowerer.constant_of(value)? {
            scalar::Constant::Bool(b) => Some(if b { "True" } else { "False" }.into()),
            scalar::Constant::Int(n) => Some(n.to_string()),
            scalar::Constant::Float(x) => x.is_finite().then(|| format!("{x:?}")),
            scalar::Constant::Complex(..) => None,
        },
        _ => None,
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
