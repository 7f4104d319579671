//! Calls of functions that the file defines, which are inlined: at module level, inside functions, and `lambda`.
//!
//! A function inside a function reads the names around it as they are when it is called. One that is returned takes along what they
//! were at the `return`, after which nothing can change them.

use std::collections::BTreeMap;
use std::sync::Arc;

use numptx_source::{Span, code};
use numptx_syntax::ast::{Applied, Function};

use crate::calls::callables::is_given_name;
use crate::library::function_at;
use crate::lowerer::Lowerer;
use crate::lowerer::routines::Subject;
use crate::syntax::liveness::names_of;
use crate::values::call::Call;
use crate::values::closure::{Closure, Enclosing};
use crate::values::scope::{Binding, Callee, Frame};
use crate::values::value::Value;

impl Lowerer<'_> {
    /// `def` inside a function, or `lambda`: the function as a value.
    pub fn closure(&mut self, function: &Arc<Function>) -> Value {
        let mut defaults = Vec::new();
        for parameter in &function.parameters {
            defaults.push(parameter.default.as_ref().map(|d| self.expression(d)));
        }
        let read = names_of(function);
        self.loops.new_lists.retain(|(_, list), _| !read.contains(list));
        let enclosing = self.calls.here();
        Value::Closure(Box::new(Closure { function: function.clone(), defaults, enclosing }))
    }

    /// Inlines a call of a function of the file.
    pub fn inline(&mut self, position: usize, call: Call) -> Value {
        let module = self.module;
        let function = function_at(module, position);
        let calls_itself = |f: &Frame| matches!(f.callee, Callee::Module(p) if p == position);
        if self.refuse_applied(function, &call) || self.refuse_generator(function, call.span) {
            return Value::Poison;
        }
        let of_library = std::mem::replace(&mut self.library.is_default, position >= module.functions.len());
        let arguments = self.bind_arguments(function, None, &call);
        self.library.is_default = of_library;
        let Some(arguments) = arguments else { return Value::Poison };
        let inline = |s: &mut Self, arguments| s.inlined(call.span, |s| s.call_function(position, arguments));
        if !self.calls.frames.iter().any(calls_itself) {
            return inline(self, arguments);
        }
        if self.may_recur(&arguments, calls_itself)
            && let Some(value) = self.inlined_to_its_end(|s| inline(s, arguments.clone()))
        {
            return value;
        }
        let subject = Subject::Module(position);
        self.inlined(call.span, |s| s.call_routine(&subject, &arguments, Vec::new(), call.span))
    }

    /// Inlines a call of a function inside a function.
    pub fn inline_closure(&mut self, closure: &Closure, call: Call) -> Value {
        let function = closure.function.clone();
        let calls_itself = |f: &Frame| {
            matches!(&f.callee, Callee::Local(g) if Arc::ptr_eq(g, &function)) && f.enclosing == closure.enclosing
        };
        if self.refuse_applied(&function, &call) || self.refuse_generator(&function, call.span) {
            return Value::Poison;
        }
        let Some(arguments) = self.bind_arguments(&function, Some(&closure.defaults), &call) else {
            return Value::Poison;
        };
        let inline = |s: &mut Self, arguments| {
            let (callee, enclosing) = (Callee::Local(function.clone()), closure.enclosing.clone());
            s.inlined(call.span, |s| s.call_body(&function, callee, enclosing, arguments))
        };
        if !self.calls.frames.iter().any(calls_itself) {
            return inline(self, arguments);
        }
        if self.may_recur(&arguments, calls_itself)
            && let Some(value) = self.inlined_to_its_end(|s| inline(s, arguments.clone()))
        {
            return value;
        }
        self.inlined(call.span, |s| s.call_local_routine(closure, &arguments, call.span))
    }

    /// A value that leaves the present call: closures in it keep the names that they read.
    pub fn kept(&mut self, value: Value) -> Value {
        match value {
            Value::Tuple(items) => Value::Tuple(items.into_iter().map(|v| self.kept(v)).collect()),
            Value::List(items) => Value::List(items.into_iter().map(|v| self.kept(v)).collect()),
            Value::Record(class, fields) => Value::Record(class, fields.into_iter().map(|v| self.kept(v)).collect()),
            Value::Closure(closure) => self.kept_closure(*closure, &[]),
            other => other,
        }
    }

    /// As [`Lowerer::kept`], of closures of every call that is not over.
    pub fn kept_of_any(&mut self, value: Value) -> Value {
        match value {
            Value::Tuple(items) => Value::Tuple(items.into_iter().map(|v| self.kept_of_any(v)).collect()),
            Value::List(items) => Value::List(items.into_iter().map(|v| self.kept_of_any(v)).collect()),
            Value::Record(class, fields) => {
                Value::Record(class, fields.into_iter().map(|v| self.kept_of_any(v)).collect())
            }
            Value::Closure(closure) => {
                let Enclosing::Call(number) = closure.enclosing else { return Value::Closure(closure) };
                let Some(frame) = self.calls.frames.iter().find(|f| f.number == number) else {
                    return Value::Closure(closure);
                };
                let found: Vec<(String, Value)> = (names_of(&closure.function).into_iter())
                    .filter_map(|name| match self.calls.find_from(frame, &name) {
                        Some(Some(Binding::Bound(value, _))) => Some((name, value)),
                        _ => None,
                    })
                    .collect();
                // Those that know each other would be kept for ever.
                let is_own = |v: &Value| matches!(v, Value::Closure(other) if other.enclosing == closure.enclosing && !is_same(other, &closure));
                if found.iter().any(|(_, value)| is_own(value)) {
                    return Value::Closure(closure);
                }
                let mut keep = |value| match value {
                    Value::Closure(other) if is_same(&other, &closure) => without_names(&other),
                    other => self.kept_of_any(other),
                };
                let names = found.into_iter().map(|(name, value)| (name, keep(value))).collect();
                Value::Closure(Box::new(Closure { enclosing: Enclosing::Kept(names), ..*closure }))
            }
            other => other,
        }
    }

    /// `around`: those that are kept because of each other, from the outside in. Of two that call each other one does not know the other.
    fn kept_closure(&mut self, closure: Closure, around: &[Closure]) -> Value {
        let number = self.calls.frames.last().map(|f| f.number);
        if let Enclosing::Kept(given) = &closure.enclosing
            && given.keys().any(|name| is_given_name(name))
        {
            let kept = given.iter().map(|(name, value)| (name.clone(), self.kept(value.clone()))).collect();
            return Value::Closure(Box::new(Closure { enclosing: Enclosing::Kept(kept), ..closure }));
        }
        if !matches!(closure.enclosing, Enclosing::Call(n) if Some(n) == number) {
            return Value::Closure(Box::new(closure));
        }
        let mut names = BTreeMap::new();
        for name in names_of(&closure.function) {
            match self.calls.find(&name) {
                Some(Some(Binding::Bound(Value::Closure(other), _))) if is_same(&other, &closure) => {
                    names.insert(name, without_names(&other));
                }
                Some(Some(Binding::Bound(Value::Closure(other), _))) if other.enclosing == closure.enclosing => {
                    let is_around = around.iter().any(|outer| is_same(outer, &other));
                    let around = [around, std::slice::from_ref(&closure)].concat();
                    names.extend((!is_around).then(|| (name, self.kept_closure(*other, &around))));
                }
                Some(Some(Binding::Bound(value, _))) => drop(names.insert(name, value)),
                _ => {}
            }
        }
        Value::Closure(Box::new(Closure { enclosing: Enclosing::Kept(names), ..closure }))
    }

    /// Refuses a call that a decorator applies to the elements, or to parts, of arrays.
    pub fn refuse_applied(&mut self, function: &Function, call: &Call) -> bool {
        let arguments = call.positional.iter().chain(call.keywords.iter().map(|(_, value, _)| value));
        let takes_arrays = arguments.into_iter().any(|value| self.has_axes(value));
        let name = &function.name;
        let (message, help) = match function.applied {
            Applied::ByElement if takes_arrays => (
                format!("`{name}` is made for elements by `@vectorize`, and called with arrays"),
                format!("write the loop: `for i in range(len(x)): y[i] = {name}(x[i])`"),
            ),
            Applied::ByPart => (
                format!("`{name}` is made for parts of arrays by `@guvectorize`, and called in compiled code"),
                "leave the decorator out, and call it with arrays of the axes that it works on".to_owned(),
            ),
            _ => return false,
        };
        self.refuse(code::UNSUPPORTED_STATEMENT, call.span, message, help);
        true
    }

    /// Refuses a call of a generator that is not gone through where it is called.
    pub fn refuse_generator(&mut self, function: &Function, span: Span) -> bool {
        if !function.is_generator() {
            return false;
        }
        let message = format!("`{}` is a generator, and nothing goes through it here at once", function.name);
        let name = &function.name;
        let help = format!(
            "go through it where it is called, and let none call itself: `for v in {name}(x):`, `sum({name}(x))`, `list({name}(x))`; one that goes on for ever, by a loop that ends itself"
        );
        self.refuse(code::UNSUPPORTED_EXPRESSION, span, message, help);
        true
    }
}

fn is_same(a: &Closure, b: &Closure) -> bool {
    Arc::ptr_eq(&a.function, &b.function) && a.enclosing == b.enclosing
}

/// A function as one of the names that it keeps itself: it stands there without them, and has those of its call.
pub(crate) fn without_names(closure: &Closure) -> Value {
    Value::Closure(Box::new(Closure { enclosing: Enclosing::Module, ..closure.clone() }))
}
