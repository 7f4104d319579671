//! Calls: what is called, and with what; of table functions and methods, and of dtypes as casts.

use numptx_ir::DType;
use numptx_ir::functions::{Arguments, Class, Form, PyValue, Typed, lookup};
use numptx_ir::scalar::ScalarOp;
use numptx_source::{Span, code};
use numptx_syntax::ast::{Comprehension, Expr, ExprKind, Keyword};

use crate::calls::further_calls::{is_joining, splitting};
use crate::expressions::filling::Made;
use crate::lowerer::Lowerer;
use crate::values::call::{Call, single};
use crate::values::iterable::Iterable;
use crate::values::value::Value;

impl Lowerer<'_> {
    /// `function(arguments, keywords)`
    pub fn call_expression(&mut self, function: &Expr, arguments: &[Expr], keywords: &[Keyword], span: Span) -> Value {
        let callee = match self.expression(function) {
            Value::TypeOf(ty) => *ty,
            callee => callee,
        };
        if let Some(value) = self.warning_call(&callee, arguments, keywords, span) {
            return value;
        }
        if let Some(value) = self.call_of_comprehension(&callee, function, arguments, keywords, span) {
            return value;
        }
        if let (Value::Builtin("zip"), [Expr { kind: ExprKind::Starred(inner), .. }], []) =
            (&callee, arguments, keywords)
        {
            let members = self.expression(inner);
            if self.is_of_containers(&members) {
                return self.turned_round(&members, span);
            }
        }
        let members = match &callee {
            Value::Method(owner, _) if matches!(**owner, Value::Growing(_)) => self.members(arguments),
            Value::TableFunction(_) | Value::Method(..) => self.array_arguments(&callee, arguments),
            callee => self.large_arguments(callee, arguments),
        };
        let (positional, places): (Vec<Value>, Vec<Span>) = members.into_iter().unzip();
        let keywords = keywords.iter().map(|k| (k.name.clone(), self.keyword(&callee, &k.value), k.span)).collect();
        let mut call = Call { positional, keywords, places, span };
        if let Value::TableFunction(name) = &callee {
            self.settle_arguments(name, &mut call);
        }
        if call.is_poison() {
            return match &callee {
                // What is known of a tuple is of use where it is put into a list.
                Value::UserFunction(position) if call.is_partly_known() && self.is_guessing() => {
                    self.inline(*position, call)
                }
                Value::Closure(closure) if call.is_partly_known() && self.is_guessing() => {
                    self.inline_closure(closure, call)
                }
                _ => self.likely(&callee, &call),
            };
        }
        self.builder.set_span(span);
        match &callee {
            Value::Poison => Value::Poison,
            Value::TableFunction(name) => self.table_call(name, None, call),
            Value::Class("ndarray") => self.table_call("numpy.ndarray", None, call),
            Value::Method(owner, _) if matches!(**owner, Value::Growing(_)) => match **owner {
                Value::Growing(n) => self.append(n, &call),
                _ => Value::Poison,
            },
            Value::Method(owner, name) => self.method_call(owner, name, call),
            Value::DType(dtype) => self.cast_call(*dtype, call),
            Value::Builtin(name) => self.builtin(name, call),
            Value::TypeFunction(name) => self.type_function(name, &call),
            Value::RecordClass(class) => self.new_record(class, &call),
            Value::UserFunction(position) => self.inline(*position, call),
            Value::Closure(closure) => self.inline_closure(closure, call),
            Value::Elementwise(function, dtypes) => self.call_elementwise(function, dtypes, call),
            other => {
                let message = format!("{} cannot be called", other.describe(&self.builder));
                self.refuse(code::NOT_CALLABLE, function.span, message, "call a function: `np.sqrt(x)`")
            }
        }
    }

    /// A call that does not make the list that its comprehension stands for: `sum(f(v) for v in x)`, `np.array([f(v) for v in x])`.
    /// `None` for other calls.
    fn call_of_comprehension(
        &mut self,
        callee: &Value,
        function: &Expr,
        arguments: &[Expr],
        keywords: &[Keyword],
        span: Span,
    ) -> Option<Value> {
        if let (Value::Builtin(name), [Expr { kind: ExprKind::Comprehension(comprehension), .. }], []) =
            (callee, arguments, keywords)
            && let Some(value) = self.folded_comprehension(name, comprehension, span)
        {
            return Some(value);
        }
        if let (Value::TableFunction(name), [Expr { kind: ExprKind::Comprehension(given), span: place }, rest @ ..]) =
            (callee, arguments)
            && name == "numpy.fromiter"
            && given.is_generator
        {
            // It takes all values at once.
            let list = Box::new(Comprehension { is_generator: false, ..(**given).clone() });
            let list = Expr { kind: ExprKind::Comprehension(list), span: *place };
            return Some(self.call_expression(function, &[&[list][..], rest].concat(), keywords, span));
        }
        match callee {
            Value::TableFunction(name) => self.array_of_comprehension(name, arguments, keywords, span),
            _ => None,
        }
    }

    /// `np.array([f(v) for v in x])` where the length is known at run time: the array that the loop fills. `None` for other calls.
    fn array_of_comprehension(
        &mut self,
        name: &str,
        arguments: &[Expr],
        keywords: &[Keyword],
        span: Span,
    ) -> Option<Value> {
        let (comprehension, second) = match arguments {
            [Expr { kind: ExprKind::Comprehension(comprehension), .. }] => (comprehension, None),
            [Expr { kind: ExprKind::Comprehension(comprehension), .. }, second] if name == "numpy.fromiter" => {
                (comprehension, Some(second))
            }
            _ => return None,
        };
        let makes_one = match name {
            "numpy.array" | "numpy.asarray" => true,
            "numpy.fromiter" => second.is_some() != keywords.iter().any(|k| k.name == "dtype"),
            "numpy.stack" => keywords.is_empty(),
            _ => false,
        };
        if comprehension.is_generator || !makes_one {
            return None;
        }
        let dtype = match keywords {
            [] if second.is_some() => Some(self.expression(second?).as_dtype()?),
            [] => None,
            [keyword] if keyword.name == "dtype" => {
                let value = self.expression(&keyword.value);
                Some(value.as_dtype()?)
            }
            _ => return None,
        };
        let iterated = self.iterated_value(&comprehension.clauses[0].iterable);
        if iterated.is_poison() {
            return Some(Value::Poison);
        }
        if self.few_members(&iterated).is_some() {
            return None;
        }
        if name != "numpy.stack" {
            return Some(self.filled(comprehension, &iterated, Made::Array(dtype), span));
        }
        match self.filled(comprehension, &iterated, Made::Joined, span) {
            list @ Value::Container(_) => self.further_call(name, &single(list, span)),
            array => Some(array),
        }
    }

    /// What a call gives most likely, of which an argument is not known yet: `max(xs, default=0)` an int. This attempt is none.
    fn likely(&mut self, callee: &Value, call: &Call) -> Value {
        if let (Value::Method(owner, name), [tuple @ Value::Tuple(_)]) = (callee, call.positional.as_slice())
            && let (Value::Container(list), "append" | "appendleft" | "add") = (&**owner, name.as_str())
            && let Some((_, member)) = self.as_member(tuple, call.span)
        {
            self.containers.demand(list.ty, 0, member);
        }
        let default = call.keywords.iter().find(|(name, ..)| name == "default").map(|(_, value, _)| value);
        match (callee, default) {
            (Value::Builtin("min" | "max"), Some(default)) if self.containers.unknown.is_some() => default.clone(),
            _ => Value::Poison,
        }
    }

    /// Arguments of a function of the table, which takes a list of run-time length as the array that it would make of it.
    fn array_arguments(&mut self, callee: &Value, arguments: &[Expr]) -> Vec<(Value, Span)> {
        let mut values = Vec::new();
        let wanted = match callee {
            Value::TableFunction(name) if is_joining(name) => Made::Joined,
            _ => Made::Array(None),
        };
        for (position, argument) in arguments.iter().enumerate() {
            // Positions between parts may be none, whatever dtype an array of them would have.
            let wanted = match callee {
                Value::TableFunction(name) if position == 1 && splitting(name).is_some() => Made::List,
                _ => wanted,
            };
            let of_array = !matches!(callee, Value::Method(owner, _) if is_object(owner));
            let ExprKind::Comprehension(comprehension) = &argument.kind else {
                values.extend(self.large_arguments(callee, std::slice::from_ref(argument)));
                continue;
            };
            if !of_array {
                values.extend(self.large_arguments(callee, std::slice::from_ref(argument)));
                continue;
            }
            let iterated = self.iterated_value(&comprehension.clauses[0].iterable);
            let few = comprehension.is_generator || iterated.is_poison() || self.few_members(&iterated).is_some();
            let value = match few {
                true => self.comprehension(comprehension, argument.span),
                false => self.filled(comprehension, &iterated, wanted, argument.span),
            };
            values.push((value, argument.span));
        }
        values
    }

    fn method_call(&mut self, owner: &Value, name: &str, call: Call) -> Value {
        match owner {
            Value::Container(container) => return self.container_method(*container, name, &call),
            Value::Str(_) | Value::Text(_) => return self.text_method(owner, name, &call),
            Value::Record(class, fields) => return self.record_method(class, fields, name, call),
            Value::RecordClass(class) => return self.class_method(class, &call),
            Value::Builtin("str") => return self.unbound_text_method(name, call),
            Value::Builtin("dict") => return self.dictionary_from_keys(&call),
            Value::Typed(typed) if name == "tolist" => return self.list_of_elements(*typed, &call),
            _ => {}
        }
        if let (true, Value::Typed(number)) = (self.is_python(owner), owner) {
            return self.python_conjugate(*number, &call);
        }
        self.table_call(&format!("ndarray.{name}"), Some(owner), call)
    }

    /// `z.conjugate()`, the only method of Python's numbers.
    fn python_conjugate(&mut self, number: Typed, call: &Call) -> Value {
        if !(call.positional.is_empty() && call.keywords.is_empty()) {
            let message = "`conjugate` of a number takes no arguments";
            return self.refuse(code::BAD_ARGUMENT, call.span, message, "write `z.conjugate()`");
        }
        let dtype = self.builder.dtype(number.value);
        if dtype == DType::Bool {
            return Value::python(self.convert(number.value, DType::I64));
        }
        if !dtype.is_complex() {
            return Value::Typed(number);
        }
        let re = self.builder.scalar(ScalarOp::Real, &[number.value]);
        let im = self.builder.scalar(ScalarOp::Imag, &[number.value]);
        let im = self.builder.scalar(ScalarOp::Neg, &[im]);
        Value::python(self.builder.scalar(ScalarOp::Complex, &[re, im]))
    }

    /// A call of a table function; a method's owner is its first argument.
    pub fn table_call(&mut self, name: &str, owner: Option<&Value>, call: Call) -> Value {
        if owner.is_none()
            && let Some(structure) = self.made_structure(name, &call)
        {
            return structure;
        }
        if name == "numpy.unstack"
            && let Some(rows) = self.unstacked(&call)
        {
            return rows;
        }
        if let Some(repeated) = self.repeated_each(name, owner, &call) {
            return repeated;
        }
        if owner.is_none()
            && let Some(value) = self.further_call(name, &call)
        {
            return value;
        }
        let form = if owner.is_some() { Form::Method } else { Form::Function };
        let mut arguments = Arguments { form, ..Arguments::default() };
        let mut places = call.places.clone();
        if owner.is_some() {
            places.insert(0, call.span);
        }
        let dtype = given_dtype(name, &call);
        for (n, value) in owner.into_iter().chain(&call.positional).enumerate() {
            match self.table_argument(name, value, dtype, call.span) {
                Some(value) => arguments.positional.push(value),
                None => return self.refuse_argument(value, places[n]),
            }
        }
        for (keyword, value, span) in &call.keywords {
            match self.table_argument(name, value, dtype, *span) {
                Some(value) => arguments.keywords.push((keyword.clone(), value)),
                None => return self.refuse_argument(value, *span),
            }
        }
        self.call_table(name, &arguments, call.span, &places)
    }

    /// An argument of a function of the table: rows written in Python take functions, too.
    fn table_argument(
        &mut self,
        name: &str,
        value: &Value,
        dtype: Option<Option<DType>>,
        span: Span,
    ) -> Option<PyValue> {
        let is_function = |v: &Value| {
            matches!(
                v,
                Value::UserFunction(_)
                    | Value::Closure(_)
                    | Value::TableFunction(_)
                    | Value::Builtin("len" | "sum" | "max" | "min" | "any" | "all" | "sorted")
            )
        };
        let takes_functions = || lookup(name).is_some_and(|row| matches!(row.class, Class::Library));
        match value {
            value if is_function(value) && takes_functions() => {
                self.library.functions.push(value.clone());
                Some(PyValue::Function(self.library.functions.len() - 1))
            }
            Value::List(items) | Value::Tuple(items) if items.iter().any(is_function) => {
                let items = items.iter().map(|v| self.table_argument(name, v, dtype, span)).collect::<Option<Vec<_>>>();
                items.map(PyValue::List)
            }
            value => match dtype.flatten().and_then(|dtype| self.converted_argument(name, value, dtype, span)) {
                Some(array) => Some(array),
                None => self.table_value(value, dtype, span),
            },
        }
    }

    /// `np.unstack` of so many arrays as are known when running: they can be iterated, and taken apart. `None` where a tuple will do.
    fn unstacked(&mut self, call: &Call) -> Option<Value> {
        let [array] = call.positional.as_slice() else { return None };
        let axis = match call.keywords.as_slice() {
            [] => 0,
            [(name, axis, _)] if name == "axis" => self.int_of(axis)?,
            _ => return None,
        };
        let rank = self.builder.rank(array.typed()?.value) as i64;
        let position = if axis < 0 { axis + rank } else { axis };
        if !(0..rank).contains(&position) {
            return None;
        }
        let extent = self.extents(array.typed()?.value)[position as usize];
        if self.builder.as_i64(extent).is_some() {
            return None;
        }
        let (source, first) = (self.int(position), self.int(0));
        let moved = self.call_on("numpy.moveaxis", &[array.clone(), source, first], call.span, &[call.span; 3]);
        Some(Value::Iterable(Box::new(Iterable::Rows(moved.typed()?.value))))
    }

    fn refuse_argument(&mut self, value: &Value, span: Span) -> Value {
        let message = format!("{} cannot be an argument of a NumPy function", value.describe(&self.builder));
        let help = match value {
            Value::Iterable(_) => "make a list of what it gives: `np.array(list(zip(x, y)))`",
            _ => "pass arrays, numbers, tuples and dtypes",
        };
        self.refuse(code::BAD_ARGUMENT, span, message, help)
    }
}

/// The dtype that a call asks for; `Some(None)` where it is no dtype.
fn given_dtype(name: &str, call: &Call) -> Option<Option<DType>> {
    let keyword = call.keywords.iter().find(|(keyword, ..)| keyword == "dtype").map(|(_, value, _)| value);
    let second = call.positional.get(1).filter(|_| matches!(name, "numpy.array" | "numpy.asarray" | "numpy.fromiter"));
    keyword.or(second).map(Value::as_dtype)
}

/// Whether a value is a list, a dictionary, a set or a string, whose methods take lists as they are.
fn is_object(value: &Value) -> bool {
    matches!(value, Value::Str(_) | Value::OtherStr | Value::Text(_) | Value::Container(_))
}
