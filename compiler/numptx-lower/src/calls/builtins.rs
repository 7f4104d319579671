//! Python's builtin functions on scalars, tuples and arrays.

use numptx_ir::DType;
use numptx_ir::array::{ErrorKind, Sorting, ValueId};
use numptx_ir::dtype::Kind;
use numptx_ir::functions::{Family, Typed};
use numptx_ir::scalar::{Constant, ScalarOp};
use numptx_source::{Span, code};
use numptx_syntax::ast::{BinaryOp, CompareOp};

use crate::lowerer::Lowerer;
use crate::names::standard_modules::{combining, making};
use crate::numbers::scalars::INT_OVERFLOW;
use crate::values::call::Call;
use crate::values::facts::Fact;
use crate::values::iterable::{Filled, Iterable};
use crate::values::value::Value;

/// Whether a builtin is for the library's functions, which no program names.
fn is_of_library(name: &str) -> bool {
    let of_library = ["refuse", "add_within", "is_few", "named", "elementwise", "is_known", "routine", "strided"];
    of_library.contains(&name) || name.starts_with("runtime_") || name.starts_with("random_")
}

impl Lowerer<'_> {
    /// A call of a builtin.
    pub fn builtin(&mut self, name: &str, call: Call) -> Value {
        let mut call = call;
        // These tell a named tuple from a tuple, or give one of several back.
        let is_kept = matches!(name, "print" | "repr" | "str" | "format" | "isinstance" | "type" | "callable")
            || matches!(name, "min" | "max") && call.positional.len() > 1;
        if !is_kept {
            call.positional = call.positional.into_iter().map(Value::plain).collect();
        }
        if let Some(value) = self.container_builtin(name, &call).or_else(|| self.collection(name, &call)) {
            return value;
        }
        if let Some((keyword, _, span)) = call.keywords.first()
            && !(name == "enumerate" && keyword == "start")
            && !name.contains('.')
        {
            let message = format!("`{name}` takes no keyword `{keyword}` here");
            let help = match keyword.as_str() {
                "default" => format!("test for it: `{name}(x) if len(x) > 0 else 0.0`"),
                "key" => {
                    "compare in a loop: `if abs(v) > abs(best): best = v`; or take `x[np.argmax(np.abs(x))]`".into()
                }
                _ => "pass arguments by position".into(),
            };
            return self.refuse(code::UNKNOWN_KEYWORD, *span, message, help);
        }
        if let ("sum" | "min" | "max" | "any" | "all", [value]) = (name, call.positional.as_slice())
            && let Some(list) = self.as_list_of_numbers(value)
        {
            return self.folded_list(name, &list, call.span);
        }
        match name {
            "dataclasses.replace" => self.replace_call(call),
            "len" => self.len_call(&call),
            "abs" => self.abs_call(&call),
            "min" | "max" => self.extremum(name, &call),
            "int" | "float" | "bool" => self.python_cast(name, &call),
            "complex" => self.complex_call(&call),
            "round" => self.round_call(&call),
            "range" => self.range_call(&call),
            "numptx.prange" => {
                self.loops.independent.insert(call.span);
                self.range_call(&call)
            }
            "enumerate" | "zip" | "reversed" => self.iterator_call(name, &call),
            "sum" => self.sum_call(&call),
            "any" | "all" => self.any_all(name, &call),
            "divmod" => self.divmod_call(&call),
            "pow" => match call.positional.as_slice() {
                [a, b] => self.binary(BinaryOp::Pow, a.clone(), b.clone(), call.span, [call.places[0], call.places[1]]),
                _ => self.refuse_count(name, "pow(x, n)", &call),
            },
            "tuple" | "list" => self.sequence_call(name, &call),
            "slice" => self.slice_call(&call),
            "isinstance" => self.isinstance_call(&call),
            "type" => self.type_call(&call),
            "callable" => self.callable_call(&call),
            "str" | "object" => {
                let message = format!("the builtin `{name}` is not compiled");
                let help = "strings are constants; format values in the message of an exception: `raise ValueError(f\"n is {n}\")`";
                self.refuse(code::UNSUPPORTED_EXPRESSION, call.span, message, help)
            }
            "numpy.ndindex" => self.indices_call("numpy.ndindex", &call),
            "numpy.ndenumerate" => self.indices_call("numpy.ndenumerate", &call),
            "numpy.vectorize" => self.vectorize_call(&call),
            "numpy.nditer" => self.nditer_call(&call),
            "numpy.broadcast" => self.broadcast_call(call),
            "extents of" | "elements of" => self.axes_call(name == "elements of", &call),
            name if name.starts_with("numpy.random.") => self.random_builtin(name, call).unwrap_or(Value::Poison),
            name if combining(name).is_some() => self.combined(name, &call),
            name if making(name).is_some() => self.made_function(name, &call),
            name if is_of_library(name) => self.builtin_of_library(name, &call),
            name => self.call_of_module(name, call).unwrap_or(Value::Poison),
        }
    }

    /// What functions of the library alone may call.
    fn builtin_of_library(&mut self, name: &str, call: &Call) -> Value {
        match name {
            "refuse" => self.refuse_builtin(call),
            "add_within" => self.add_within_builtin(call),
            "is_few" => self.is_few_builtin(call),
            "named" => self.library.named(call),
            "elementwise" => self.elementwise_builtin(call),
            "is_known" => self.is_known_builtin(call),
            "routine" => self.routine_builtin(call),
            "strided" => self.strided_builtin(call),
            "runtime_sorts" => self.sort_builtin(Sorting::Values, call),
            "runtime_argsorts" => self.sort_builtin(Sorting::Indices, call),
            "runtime_selects" => self.sort_builtin(Sorting::Middle, call),
            "random_draw" => self.random_draw(call),
            "random_range" => self.random_range(call),
            "random_order" | "random_sample" => self.random_order(name, call),
            "random_several" => self.random_several(call),
            name if name.starts_with("random_") => self.random_made(name, call),
            _ => Value::Poison,
        }
    }

    fn len_call(&mut self, call: &Call) -> Value {
        let [value] = call.positional.as_slice() else { return self.refuse_count("len", "len(x)", call) };
        match value {
            Value::Tuple(items) | Value::List(items) => self.int(items.len() as i64),
            Value::Str(text) => self.int(text.chars().count() as i64),
            Value::Iterable(iterable) if matches!(**iterable, Iterable::Range { .. }) => {
                let Iterable::Range { lower, upper, step } = **iterable else { return Value::Poison };
                Value::python(self.checked_length(lower, upper, step))
            }
            Value::Filled(list) => Value::python(self.extents(list.array)[0]),
            Value::Iterable(iterable) if matches!(**iterable, Iterable::Elements(_)) => {
                Value::python(self.length(iterable))
            }
            Value::Typed(typed) if self.builder.rank(typed.value) > 0 => Value::python(self.extents(typed.value)[0]),
            Value::Record(class, fields)
                if class.is_structure() && fields.first().is_some_and(|v| self.has_axes(v)) =>
            {
                let first = Call {
                    positional: vec![fields[0].clone()],
                    keywords: Vec::new(),
                    places: call.places.clone(),
                    ..*call
                };
                self.len_call(&first)
            }
            other => {
                let message = format!("{} has no length", other.describe(&self.builder));
                self.refuse(code::BAD_ARGUMENT, call.places[0], message, "`len` takes arrays and tuples")
            }
        }
    }

    fn abs_call(&mut self, call: &Call) -> Value {
        let [value] = call.positional.as_slice() else { return self.refuse_count("abs", "abs(x)", call) };
        match value {
            Value::Typed(Typed { value: scalar, family: Family::Python }) => Value::python(self.python_abs(*scalar)),
            Value::Typed(_) => self.call_on("numpy.absolute", std::slice::from_ref(value), call.span, &call.places),
            other => {
                let message = format!("`abs` takes a number or an array, this is {}", other.describe(&self.builder));
                self.refuse(code::BAD_ARGUMENT, call.places[0], message, "write `abs(x)`")
            }
        }
    }

    fn python_abs(&mut self, value: ValueId) -> ValueId {
        match self.builder.as_constant(value) {
            Some(Constant::Float(x)) => return self.builder.constant(Constant::Float(x.abs()), DType::F64),
            Some(Constant::Int(n)) if n != i64::MIN => return self.builder.i64(n.abs()),
            _ => {}
        }
        match self.builder.dtype(value) {
            DType::Bool => self.convert(value, DType::I64),
            DType::I64 => {
                let fact = self.fact(value);
                if fact.low >= 0 {
                    return value;
                }
                if fact.low == i64::MIN {
                    let smallest = self.builder.i64(i64::MIN);
                    let fits = self.builder.scalar(ScalarOp::Ne, &[value, smallest]);
                    self.check(fits, ErrorKind::Overflow, INT_OVERFLOW, &[]);
                }
                let result = self.builder.scalar(ScalarOp::Abs, &[value]);
                let high = fact.high.max(fact.low.saturating_neg());
                self.numbers.facts.set(result, Fact { low: 0, high, ..Fact::ANY });
                result
            }
            _ => self.builder.scalar(ScalarOp::Abs, &[value]),
        }
    }

    /// A list of run-time length, a range, or a vector as the list of its elements.
    fn as_list_of_numbers(&self, value: &Value) -> Option<Value> {
        match value {
            Value::Filled(_) => Some(value.clone()),
            Value::Iterable(iterable) if matches!(**iterable, Iterable::Range { .. } | Iterable::Elements(_)) => {
                Some(value.clone())
            }
            Value::Typed(typed) if typed.family == Family::Array && self.builder.rank(typed.value) == 1 => {
                let list = Filled { array: typed.value, family: Family::Numpy, depth: 1 };
                Some(Value::Filled(list))
            }
            _ => None,
        }
    }

    /// `min` and `max`: Python's rule, `b if b < a else a`, so that a nan on the right is not taken.
    fn extremum(&mut self, name: &str, call: &Call) -> Value {
        let items = match call.positional.as_slice() {
            [Value::Tuple(items) | Value::List(items)] => items.clone(),
            [value] if self.has_axes(value) => {
                let message = format!("`{name}` of {} would iterate over it", value.describe(&self.builder));
                return self.refuse(code::BAD_ARGUMENT, call.places[0], message, format!("write `np.{name}(x)`"));
            }
            items => items.to_vec(),
        };
        let mut items = items.into_iter();
        let Some(mut best) = items.next() else { return self.refuse_count(name, &format!("{name}(a, b)"), call) };
        for item in items {
            best = self.better(name, best, item, call);
            if best.is_poison() {
                return best;
            }
        }
        best
    }

    fn better(&mut self, name: &str, best: Value, item: Value, call: &Call) -> Value {
        let op = if name == "min" { CompareOp::Less } else { CompareOp::Greater };
        let is_ordered = |v: &Value| {
            matches!(v, Value::Str(_) | Value::Text(_) | Value::Tuple(_) | Value::Record(..) | Value::Container(_))
        };
        if is_ordered(&best) && is_ordered(&item) {
            let taken = self.compare(op, &item, &best, call.span, [call.span; 2]);
            let taken = self.truth(&taken, call.span);
            return match self.known_bool(taken) {
                Some(true) => item,
                Some(false) => best,
                None => self.choose(taken, |_| item, |_| best, call.span),
            };
        }
        for value in [&best, &item] {
            if !self.is_scalar(value) {
                let message = format!("`{name}` takes numbers, this is {}", value.describe(&self.builder));
                let help = format!("elementwise: `np.{name}imum(x, y)`");
                return self.refuse(code::BAD_ARGUMENT, call.span, message, help);
            }
        }
        let places = [call.span, call.span];
        let (Some(a), Some(b)) = (best.typed(), item.typed()) else { return Value::Poison };
        if a.family == Family::Python && b.family == Family::Python {
            return self.better_python(op, a.value, b.value, call.span);
        }
        let form = self.form(&best).join(&self.form(&item));
        if form.is_none() && self.are_ints(&[a.value, b.value]) {
            return self.refuse_join(&best, &item, call.span);
        }
        let taken = self.compare(op, &item, &best, call.span, places);
        // One of both is taken as it is: what else would be asked of its dtype is not.
        let narrower = std::mem::take(&mut self.numbers.narrower);
        let result = self.call_on("numpy.where", &[taken, item, best], call.span, &[call.span; 3]);
        self.numbers.narrower = narrower;
        let Value::Typed(typed) = result else { return result };
        let result = Value::numpy(typed.value);
        form.iter().for_each(|form| self.assume(form, &result));
        result
    }

    fn are_ints(&self, values: &[ValueId]) -> bool {
        values.iter().all(|v| matches!(self.builder.dtype(*v).kind(), Kind::Signed | Kind::Unsigned))
    }

    fn better_python(&mut self, op: CompareOp, a: ValueId, b: ValueId, span: Span) -> Value {
        let taken = self.python_compare(op, b, a, span);
        let dtype = self.builder.dtype(a).max(self.builder.dtype(b));
        let Some(taken) = taken.typed() else { return Value::Poison };
        if let Some(known) = self.known_bool(taken.value) {
            return Value::python(if known { b } else { a });
        }
        // An int beside floats becomes a float of the same value.
        let (a, b) = (self.convert(a, dtype), self.convert(b, dtype));
        if a == b {
            return Value::python(a);
        }
        if dtype == DType::I64 {
            let ints = if op == CompareOp::Less { self.smaller(a, b) } else { self.larger(a, b) };
            return Value::python(ints);
        }
        Value::python(self.builder.scalar(ScalarOp::Select, &[taken.value, b, a]))
    }

    fn larger(&mut self, a: ValueId, b: ValueId) -> ValueId {
        if self.builder.as_i64(b) == Some(0) {
            return self.at_least_zero(a);
        }
        if self.builder.as_i64(a) == Some(0) {
            return self.at_least_zero(b);
        }
        let (x, y) = (self.fact(a), self.fact(b));
        let result = self.builder.scalar(ScalarOp::Max, &[a, b]);
        if self.builder.as_i64(result).is_none() {
            self.numbers.facts.set(result, Fact { low: x.low.max(y.low), high: x.high.max(y.high), ..Fact::ANY });
        }
        result
    }

    fn range_call(&mut self, call: &Call) -> Value {
        let mut bounds = Vec::new();
        for (value, place) in call.positional.iter().zip(&call.places) {
            match self.integer(value) {
                Some(bound) => bounds.push(bound),
                None => {
                    let message = format!("`range` takes ints, this is {}", value.describe(&self.builder));
                    return self.refuse(code::BAD_ARGUMENT, *place, message, "write `range(int(n))`");
                }
            }
        }
        let (zero, one) = (self.builder.i64(0), self.builder.i64(1));
        let (lower, upper, step) = match bounds.as_slice() {
            [upper] => (zero, *upper, one),
            [lower, upper] => (*lower, *upper, one),
            [lower, upper, step] => (*lower, *upper, *step),
            _ => return self.refuse_count("range", "range(lower, upper, step)", call),
        };
        match self.builder.as_i64(step) {
            Some(0) => {
                return self.refuse(
                    code::BAD_ARGUMENT,
                    call.places[2],
                    "the step of this `range` is 0",
                    "write a step such as 1 or -1",
                );
            }
            Some(_) => {}
            None => {
                let moves = self.builder.scalar(ScalarOp::Ne, &[step, zero]);
                self.check(moves, ErrorKind::Value, "range() arg 3 must not be zero", &[]);
            }
        }
        Value::Iterable(Box::new(Iterable::Range { lower, upper, step }))
    }

    fn iterator_call(&mut self, name: &str, call: &Call) -> Value {
        let mut inner = Vec::new();
        let sources = if name == "zip" { call.positional.len() } else { 1 };
        let is_static = |v: &Value| matches!(v, Value::Tuple(_) | Value::List(_));
        if call.positional.iter().take(sources).all(is_static) && !call.positional.is_empty() {
            return self.static_iterator(name, call);
        }
        for (value, place) in call.positional.iter().zip(&call.places).take(sources) {
            match self.iterable(value).or_else(|| self.as_table(value, *place)) {
                Some(iterable) => inner.push(iterable),
                None if is_static(value) => {
                    let message = format!(
                        "{} of several types goes along with something of run-time length",
                        value.describe(&self.builder)
                    );
                    let help = "give its numbers one type: `(1.0, 0.5)` and not `(1, 0.5)`; or loop over positions: `for k in range(n):`";
                    return self.refuse(code::UNSUPPORTED_ITERATION, *place, message, help);
                }
                None => {
                    self.refuse_iteration(value, *place);
                    return Value::Poison;
                }
            }
        }
        let iterable = match (name, inner.pop()) {
            ("zip", Some(last)) => {
                inner.push(last);
                Iterable::Zip(inner)
            }
            ("enumerate", Some(inner)) => {
                let start = call.positional.get(1).or(call.keywords.first().map(|(_, v, _)| v)).cloned();
                let start = match start {
                    None => self.builder.i64(0),
                    Some(value) => match self.integer(&value) {
                        Some(start) => start,
                        None => return self.refuse_count(name, "enumerate(x, 1)", call),
                    },
                };
                Iterable::Enumerate(Box::new(inner), start)
            }
            ("reversed", Some(inner @ (Iterable::Range { .. } | Iterable::Rows(_) | Iterable::Members(_)))) => {
                Iterable::Reversed(Box::new(inner))
            }
            ("reversed", Some(_)) if call.positional.len() == 1 => {
                let message = "`reversed` takes sequences: what `enumerate`, `zip` and `reversed` give cannot be gone through from its end";
                let help = "reverse what is in it: `zip(reversed(x), reversed(y))`; or positions: `for i in range(len(x) - 1, -1, -1):`";
                return self.refuse(code::BAD_ARGUMENT, call.places[0], message, help);
            }
            _ => return self.refuse_count(name, &format!("{name}(x)"), call),
        };
        Value::Iterable(Box::new(iterable))
    }

    /// A tuple or list of numbers of one type, as a list whose members are chosen at run time.
    fn as_table(&mut self, value: &Value, place: Span) -> Option<Iterable> {
        let (Value::Tuple(items) | Value::List(items)) = value else { return None };
        let first = items.first()?.typed()?;
        let dtype = self.builder.dtype(first.value);
        let is_alike = |s: &Self, v: &Value| {
            v.typed().is_some_and(|t| t.family == first.family && s.is_scalar(v) && s.builder.dtype(t.value) == dtype)
        };
        if first.family == Family::Array || !items.iter().all(|v| is_alike(self, v)) {
            return None;
        }
        let array = self.call_on("numpy.array", std::slice::from_ref(value), place, &[place]).typed()?.value;
        Some(Iterable::Members(Filled { array, family: first.family, depth: 1 }))
    }

    /// Iterators over tuples are tuples.
    fn static_iterator(&mut self, name: &str, call: &Call) -> Value {
        let members = |v: &Value| match v {
            Value::Tuple(items) | Value::List(items) => items.clone(),
            _ => Vec::new(),
        };
        let all: Vec<Vec<Value>> = call.positional.iter().map(members).collect();
        let places = [call.span; 2];
        let first = all.first().cloned().unwrap_or_default();
        Value::Tuple(match name {
            "reversed" => first.into_iter().rev().collect(),
            "enumerate" => {
                let start = call.positional.get(1).or(call.keywords.first().map(|(_, v, _)| v)).cloned();
                let start = start.unwrap_or_else(|| self.int(0));
                let numbered = first.into_iter().enumerate();
                let mut number = |n: usize| {
                    let n = self.int(n as i64);
                    self.binary(BinaryOp::Add, start.clone(), n, call.span, places)
                };
                numbered.map(|(n, v)| Value::Tuple(vec![number(n), v])).collect()
            }
            _ => {
                let shortest = all.iter().map(Vec::len).min().unwrap_or(0);
                (0..shortest).map(|n| Value::Tuple(all.iter().map(|items| items[n].clone()).collect())).collect()
            }
        })
    }

    fn sum_call(&mut self, call: &Call) -> Value {
        let (items, start) = match call.positional.as_slice() {
            [Value::Tuple(items) | Value::List(items)] => (items, None),
            [Value::Tuple(items) | Value::List(items), start] => (items, Some(start.clone())),
            _ => {
                let help = "write `x.sum(axis=0)`, or `np.sum(x)` for one number; `sum` adds up vectors and tuples";
                return self.refuse(code::BAD_ARGUMENT, call.span, "`sum` would iterate over an array", help);
            }
        };
        let mut total = start.unwrap_or_else(|| self.int(0));
        for item in items.clone() {
            total = self.binary(BinaryOp::Add, total, item, call.span, [call.span, call.span]);
        }
        total
    }

    fn any_all(&mut self, name: &str, call: &Call) -> Value {
        let [Value::Tuple(items) | Value::List(items)] = call.positional.as_slice() else {
            let message = format!("`{name}` would iterate over an array");
            return self.refuse(code::BAD_ARGUMENT, call.span, message, format!("write `np.{name}(x)`"));
        };
        let op = if name == "any" { ScalarOp::BitOr } else { ScalarOp::BitAnd };
        let mut result = self.bool_id(name == "all");
        for item in items.clone() {
            let truth = self.truth(&item, call.places[0]);
            result = self.both(op, result, truth);
        }
        Value::python(result)
    }

    fn divmod_call(&mut self, call: &Call) -> Value {
        let [a, b] = call.positional.as_slice() else { return self.refuse_count("divmod", "divmod(a, b)", call) };
        let places = [call.places[0], call.places[1]];
        let quotient = self.binary(BinaryOp::FloorDiv, a.clone(), b.clone(), call.span, places);
        let remainder = self.binary(BinaryOp::Mod, a.clone(), b.clone(), call.span, places);
        Value::Tuple(vec![quotient, remainder])
    }

    /// Whether a value is a range, a vector or a list of run-time length, or one of them from its end.
    fn gives_numbers(&self, value: &Value) -> bool {
        let of_numbers = |iterable: &Iterable| match iterable {
            Iterable::Range { .. } | Iterable::Elements(_) => true,
            Iterable::Members(list) => list.depth == 1,
            Iterable::Rows(array) => self.builder.rank(*array) == 1,
            _ => false,
        };
        match self.iterable(value) {
            Some(Iterable::Reversed(inner)) => of_numbers(&inner),
            Some(iterable) => of_numbers(&iterable),
            None => false,
        }
    }

    /// `list` or `tuple` of what is iterated at run time, but may be of a small length that is known.
    fn sequence_of(&mut self, name: &str, value: &Value, span: Span) -> Value {
        match (name, self.few_members(value)) {
            ("tuple", Some(items)) => Value::Tuple(items),
            (_, Some(items)) => Value::List(items),
            ("list", None) => self.listed_at_run_time(value, span),
            _ => self.tuple_of(value, span),
        }
    }

    fn sequence_call(&mut self, name: &str, call: &Call) -> Value {
        match (name, call.positional.as_slice()) {
            ("tuple", [Value::Tuple(items) | Value::List(items)]) => Value::Tuple(items.clone()),
            ("list", [Value::Tuple(items) | Value::List(items)]) => Value::List(items.clone()),
            ("tuple", []) => Value::Tuple(Vec::new()),
            ("list", []) => Value::List(Vec::new()),
            (_, [value]) if self.few_members(value).is_some() || self.gives_numbers(value) => {
                self.sequence_of(name, value, call.span)
            }
            ("list", [value]) if self.iterable(value).is_some() => {
                let site = self.calls.site(call.span);
                self.containers.want(site);
                Value::Poison
            }
            _ => {
                let message = format!("`{name}` makes a sequence whose length is not known when compiling");
                let help = "loop over what it is made of, from the end by `for i in range(n - 1, -1, -1):`; fill an array: `np.empty(n)`";
                self.refuse(code::BAD_ARGUMENT, call.span, message, help)
            }
        }
    }
}
