//! Members of displays and calls, and which parameter of a function of the file takes which argument.

use std::collections::BTreeMap;

use numptx_ir::functions::{Family, Typed};
use numptx_source::{Span, code};
use numptx_syntax::ast::{Expr, ExprKind, Function, Parameter, ParameterKind};

use crate::library::name_in_table;
use crate::lowerer::Lowerer;
use crate::values::call::Call;
use crate::values::scope::Binding;
use crate::values::value::Value;

/// So many rows of an array `*` takes apart.
const MOST_MEMBERS: usize = 64;

impl Lowerer<'_> {
    /// The values of a display's members or a call's arguments, with their places; `*values` gives several.
    pub fn members(&mut self, items: &[Expr]) -> Vec<(Value, Span)> {
        self.members_with(items, Self::expression)
    }

    /// The same, of which each is lowered in a way.
    pub fn members_with(&mut self, items: &[Expr], lower: impl Fn(&mut Self, &Expr) -> Value) -> Vec<(Value, Span)> {
        let mut members = Vec::new();
        for item in items {
            let ExprKind::Starred(starred) = &item.kind else {
                members.push((lower(self, item), item.span));
                continue;
            };
            match self.expression(starred).plain() {
                Value::Tuple(values) | Value::List(values) => {
                    members.extend(values.into_iter().map(|v| (v, item.span)))
                }
                Value::Typed(array) if self.known_rows(array).is_some() => {
                    let n = self.known_rows(array).unwrap_or(0);
                    let rows = self.unpack(&Value::Typed(array), n, item.span);
                    members.extend(rows.into_iter().map(|row| (row, item.span)));
                }
                Value::Poison => members.push((Value::Poison, item.span)),
                other => {
                    let message = format!("`*` takes a tuple apart, this is {}", other.describe(&self.builder));
                    let help = "name the members: `a, b = x` and then `f(a, b)`";
                    members.push((self.refuse(code::UNSUPPORTED_EXPRESSION, item.span, message, help), item.span));
                }
            }
        }
        members
    }

    /// How many rows an array has, where that is known when compiling and they are few.
    fn known_rows(&mut self, array: Typed) -> Option<usize> {
        let is_array = array.family == Family::Array && self.builder.rank(array.value) > 0;
        let extents = if is_array { self.extents(array.value) } else { return None };
        let n = extents.first().and_then(|extent| self.builder.as_i64(*extent))?;
        usize::try_from(n).ok().filter(|n| *n <= MOST_MEMBERS)
    }

    /// Parameters bound to the arguments of a call; `None` after a report. `defaults` are those of a function inside a function.
    pub fn bind_arguments(
        &mut self,
        function: &Function,
        defaults: Option<&[Option<Value>]>,
        call: &Call,
    ) -> Option<BTreeMap<String, Binding>> {
        let mut bound = self.bind_positional(function, call)?;
        for (name, value, span) in &call.keywords {
            let parameter = function.parameters.iter().find(|p| p.name == *name);
            let known = parameter.is_some_and(|p| !matches!(p.kind, ParameterKind::Positional | ParameterKind::Rest));
            if !known || bound.contains_key(name) {
                let what = match parameter {
                    Some(p) if p.kind == ParameterKind::Positional => "is taken by position only",
                    _ if known => "is given twice",
                    _ => "is not a parameter",
                };
                let message = format!("`{name}` {what} of `{}`", shown(function));
                self.refuse(code::UNKNOWN_KEYWORD, *span, message, signature_of(function));
                return None;
            }
            bound.insert(name.clone(), Binding::Bound(value.clone(), *span));
        }
        for (n, parameter) in function.parameters.iter().enumerate() {
            if bound.contains_key(&parameter.name) {
                continue;
            }
            let Some(default) = &parameter.default else {
                let message = format!("the argument `{}` of `{}` is missing", parameter.name, function.name);
                self.refuse(code::MISSING_ARGUMENT, call.span, message, signature_of(function));
                return None;
            };
            let value = match defaults {
                Some(values) => values.get(n).cloned().flatten().unwrap_or(Value::Poison),
                None => self.default_value(default),
            };
            bound.insert(parameter.name.clone(), Binding::Bound(value, default.span));
        }
        Some(bound)
    }

    fn bind_positional(&mut self, function: &Function, call: &Call) -> Option<BTreeMap<String, Binding>> {
        let mut bound = BTreeMap::new();
        let positional = |p: &&Parameter| matches!(p.kind, ParameterKind::Any | ParameterKind::Positional);
        let takers: Vec<&Parameter> = function.parameters.iter().filter(positional).collect();
        for ((parameter, value), span) in takers.iter().zip(&call.positional).zip(&call.places) {
            bound.insert(parameter.name.clone(), Binding::Bound(value.clone(), *span));
        }
        let left = call.positional.get(takers.len()..).unwrap_or_default();
        if let Some(rest) = function.parameters.iter().find(|p| p.kind == ParameterKind::Rest) {
            bound.insert(rest.name.clone(), Binding::Bound(Value::Tuple(left.to_vec()), call.span));
        } else if !left.is_empty() {
            let (found, most) = (call.positional.len(), takers.len());
            let message = format!("`{}` takes {most} arguments, {found} were given", shown(function));
            self.refuse(code::TOO_MANY_ARGUMENTS, call.span, message, signature_of(function));
            return None;
        }
        Some(bound)
    }
}

/// A function's name as the program knows it.
fn shown(function: &Function) -> String {
    name_in_table(&function.name).unwrap_or_else(|| function.name.clone())
}

fn signature_of(function: &Function) -> String {
    let name = |p: &Parameter| if p.kind == ParameterKind::Rest { format!("*{}", p.name) } else { p.name.clone() };
    let parameters: Vec<String> = function.parameters.iter().map(name).collect();
    format!("it is defined as `{}({})`", shown(function), parameters.join(", "))
}
