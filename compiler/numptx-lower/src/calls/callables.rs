//! Functions that functions make: `functools.partial`, `operator.itemgetter`, `operator.attrgetter` and `operator.methodcaller`.
//!
//! In: a call of one of these. Out: a function inside a function, as if the program defined it there; what it was given are the names around it, which no
//! program can write.

use std::collections::BTreeMap;
use std::sync::Arc;

use numptx_source::{Reports, Span, code};
use numptx_syntax::ast::{Applied, Expr, ExprKind, Function, Index, Keyword, Parameter, ParameterKind, Stmt, StmtKind};

use crate::library::function_at;
use crate::lowerer::Lowerer;
use crate::values::call::Call;
use crate::values::closure::{Closure, Enclosing};
use crate::values::value::Value;

/// Whether a name is one of what a made function was given.
pub(crate) fn is_given_name(name: &str) -> bool {
    name.starts_with(GIVEN)
}

const GIVEN: &str = ".given";
/// What the made functions of `operator` take.
const OWNER: &str = "value";

/// A function under way.
struct Making {
    span: Span,
    given: BTreeMap<String, Value>,
    parameters: Vec<Parameter>,
    defaults: Vec<Option<Value>>,
}

impl Making {
    fn new(span: Span) -> Self {
        Making { span, given: BTreeMap::new(), parameters: Vec::new(), defaults: Vec::new() }
    }

    fn expr(&self, kind: ExprKind) -> Expr {
        Expr { kind, span: self.span }
    }

    fn name(&self, name: &str) -> Expr {
        self.expr(ExprKind::Name(name.to_owned()))
    }

    /// A value that the function was given.
    fn given(&mut self, value: &Value) -> Expr {
        let name = format!("{GIVEN}{}", self.given.len());
        self.given.insert(name.clone(), value.clone());
        self.name(&name)
    }

    fn keyword(&self, name: &str, value: Expr) -> Keyword {
        Keyword { name: name.to_owned(), value, span: self.span }
    }

    fn parameter(&mut self, name: &str, kind: ParameterKind, default: Option<Value>) {
        let is_optional = default.is_some();
        let default_expr = is_optional.then(|| self.expr(ExprKind::None));
        self.parameters.push(Parameter { name: name.to_owned(), span: self.span, default: default_expr, kind });
        self.defaults.push(default);
    }

    fn attribute(&self, owner: Expr, name: &str) -> Expr {
        let (value, name, name_span) = (Box::new(owner), name.to_owned(), self.span);
        self.expr(ExprKind::Attribute { value, name, name_span })
    }

    fn call(&self, function: Expr, arguments: Vec<Expr>, keywords: Vec<Keyword>) -> Expr {
        self.expr(ExprKind::Call { function: Box::new(function), arguments, keywords })
    }

    /// The function that returns this.
    fn returning(self, name: &str, result: Expr) -> Value {
        let body = vec![Stmt { kind: StmtKind::Return(Some(result)), span: self.span }];
        let function = Function {
            name: name.to_owned(),
            name_span: self.span,
            parameters: self.parameters,
            body,
            docstring: None,
            span: self.span,
            applied: Applied::Whole,
            refused: Reports::default(),
        };
        let enclosing = Enclosing::Kept(self.given);
        Value::Closure(Box::new(Closure { function: Arc::new(function), defaults: self.defaults, enclosing }))
    }
}

impl Lowerer<'_> {
    /// A call of one of these functions.
    pub fn made_function(&mut self, name: &str, call: &Call) -> Value {
        match (name, call.positional.as_slice()) {
            ("functools.partial", [function, given @ ..]) => self.partial(function, given, call),
            ("operator.itemgetter", [_, ..]) if call.keywords.is_empty() => {
                let mut making = Making::new(call.span);
                let parts = call.positional.iter().map(|item| {
                    let item = making.given(item);
                    let value = Box::new(making.name(OWNER));
                    making.expr(ExprKind::Subscript { value, indices: vec![Index::Expr(item)] })
                });
                let parts = parts.collect();
                of_owner(making, name, parts)
            }
            ("operator.attrgetter", [_, ..]) if call.keywords.is_empty() => self.attributes_of(name, call),
            ("operator.methodcaller", [Value::Str(method), given @ ..]) => {
                let mut making = Making::new(call.span);
                let arguments = given.iter().map(|value| making.given(value)).collect();
                let keywords = call.keywords.iter().map(|(name, value, _)| {
                    let value = making.given(value);
                    making.keyword(name, value)
                });
                let keywords = keywords.collect();
                let function = making.attribute(making.name(OWNER), method);
                let result = making.call(function, arguments, keywords);
                of_owner(making, name, vec![result])
            }
            _ => {
                let help =
                    "write `partial(f, x, k=y)`, `itemgetter(1)`, `attrgetter(\"x\")`, `methodcaller(\"sum\", axis=0)`";
                self.refuse(code::BAD_ARGUMENT, call.span, format!("`{name}` does not take these arguments"), help)
            }
        }
    }

    fn attributes_of(&mut self, name: &str, call: &Call) -> Value {
        let making = Making::new(call.span);
        let mut parts = Vec::new();
        for (value, place) in call.positional.iter().zip(&call.places) {
            let Value::Str(path) = value else {
                let message = format!("`{name}` takes strings that are known when compiling");
                return self.refuse(code::BAD_ARGUMENT, *place, message, "write `attrgetter(\"x\")`");
            };
            parts.push(path.split('.').fold(making.name(OWNER), |owner, part| making.attribute(owner, part)));
        }
        of_owner(making, name, parts)
    }

    /// `partial(function, …)`: a function of the parameters that are left.
    fn partial(&mut self, function: &Value, given: &[Value], call: &Call) -> Value {
        let mut making = Making::new(call.span);
        let callee = making.given(function);
        let mut arguments: Vec<Expr> = given.iter().map(|value| making.given(value)).collect();
        let mut keywords = Vec::new();
        let Some((parameters, defaults)) = self.parameters_of(function) else {
            for (name, value, _) in &call.keywords {
                let value = making.given(value);
                keywords.push(making.keyword(name, value));
            }
            making.parameter("args", ParameterKind::Rest, None);
            arguments.push(making.expr(ExprKind::Starred(Box::new(making.name("args")))));
            let result = making.call(callee, arguments, keywords);
            return making.returning("partial", result);
        };
        if let Some((name, _, span)) =
            call.keywords.iter().find(|(name, ..)| !parameters.iter().any(|p| takes_name(p, name)))
        {
            let message = format!("`{name}` is not a parameter of the function that `partial` is given");
            return self.refuse(code::UNKNOWN_KEYWORD, *span, message, "name one of its parameters");
        }
        let is_positional = |p: &Parameter| matches!(p.kind, ParameterKind::Any | ParameterKind::Positional);
        let is_rest = parameters.iter().any(|p| p.kind == ParameterKind::Rest);
        if given.len() > parameters.iter().filter(|p| is_positional(p)).count() && !is_rest {
            let message = "`partial` is given more arguments than the function takes";
            return self.refuse(code::TOO_MANY_ARGUMENTS, call.span, message, "leave the last ones out");
        }
        let (mut n_positional, mut by_name) = (0, false);
        for (parameter, default) in parameters.iter().zip(defaults) {
            if is_positional(parameter) {
                n_positional += 1;
                if n_positional <= given.len() {
                    continue;
                }
            }
            let bound = call.keywords.iter().find(|(name, ..)| *name == parameter.name).map(|(_, v, _)| v.clone());
            // Behind one that has a value no argument comes by position.
            by_name |= bound.is_some() && is_positional(parameter);
            let name = making.name(&parameter.name);
            match parameter.kind {
                ParameterKind::Rest if by_name => {}
                ParameterKind::Rest => {
                    making.parameter(&parameter.name, ParameterKind::Rest, None);
                    arguments.push(making.expr(ExprKind::Starred(Box::new(name))));
                }
                ParameterKind::Positional if by_name => {}
                kind if by_name || kind == ParameterKind::Named => {
                    making.parameter(&parameter.name, ParameterKind::Named, bound.or(default));
                    keywords.push(making.keyword(&parameter.name, name));
                }
                kind => {
                    making.parameter(&parameter.name, kind, default);
                    arguments.push(name);
                }
            }
        }
        let result = making.call(callee, arguments, keywords);
        making.returning("partial", result)
    }

    /// The parameters of a function of the file, and their defaults.
    fn parameters_of(&mut self, function: &Value) -> Option<(Vec<Parameter>, Vec<Option<Value>>)> {
        match function {
            Value::UserFunction(position) => {
                let module = self.module;
                let parameters = function_at(module, *position).parameters.clone();
                let defaults = parameters.iter().map(|p| p.default.as_ref().map(|d| self.default_value(d))).collect();
                Some((parameters, defaults))
            }
            Value::Closure(closure) => Some((closure.function.parameters.clone(), closure.defaults.clone())),
            _ => None,
        }
    }

    /// A parameter's default, evaluated outside of any function.
    pub fn default_value(&mut self, default: &Expr) -> Value {
        let frames = std::mem::take(&mut self.calls.frames);
        let (value, holds_generator) = self.once(|s| s.expression(default));
        self.calls.frames = frames;
        if holds_generator {
            return self.refuse_default_generator(default.span);
        }
        if self.is_array(&value) {
            let help = "write `None`, and make the array in the function: `if x is None: x = np.zeros(n)`";
            return self.refuse(code::UNSUPPORTED_PARAMETER_KIND, default.span, "an array cannot be a default", help);
        }
        value
    }
}

/// Whether a parameter may be given by this name.
fn takes_name(parameter: &Parameter, name: &str) -> bool {
    parameter.name == name && !matches!(parameter.kind, ParameterKind::Positional | ParameterKind::Rest)
}

/// The function of one value that gives this, or a tuple of several.
fn of_owner(mut making: Making, name: &str, mut parts: Vec<Expr>) -> Value {
    making.parameter(OWNER, ParameterKind::Positional, None);
    let result = if parts.len() == 1 { parts.remove(0) } else { making.expr(ExprKind::Tuple(parts)) };
    let short = name.rsplit('.').next().unwrap_or(name).to_owned();
    making.returning(&short, result)
}
