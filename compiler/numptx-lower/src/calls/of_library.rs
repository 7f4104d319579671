//! Calls of NumPy functions that are written in Python: the files of `library/`.
//!
//! In: a module and a call of a function of class `Library`. Out: the call inlined, as one of a function of the file. The table checks the arguments
//! (`takes.rs` in `numptx-ir`). What else is wrong in such a function for the arguments of a call is said of the call, in words of NumPy's parameters;
//! the program's names do not reach it.

use numptx_ir::array::{External, OpKind, Sorting};
use numptx_ir::functions::binding::Bound;
use numptx_ir::functions::parameters::{ParameterKind, parameters};
use numptx_ir::functions::selection::{Along, OutOfRange, Selection};
use numptx_ir::functions::{Arguments, Function, PyValue, Typed, describe, folding, special, takes};
use numptx_ir::scalar::ScalarOp;
use numptx_source::{Report, Span, code};

use crate::library::{LIBRARY, OF_MODULES};
use crate::lowerer::Lowerer;
use crate::lowerer::library::{LibraryCall, shown};
use crate::values::call::Call;
use crate::values::value::Value;

/// So many elements are sorted one after the other: a point of a kernel can do that.
const FEW: i64 = 32;

impl Lowerer<'_> {
    /// Calls a function of a module beside NumPy; `None` of other builtins.
    pub fn call_of_module(&mut self, path: &str, call: Call) -> Option<Value> {
        let (path, function) = OF_MODULES.iter().find(|(own, _)| *own == path)?;
        Some(self.call_own_with(function, path, call))
    }

    /// Whether the library has a function of this name.
    pub fn has_own(&self, name: &str) -> bool {
        self.library_function(name).is_some()
    }

    pub fn library_function(&self, name: &str) -> Option<usize> {
        LIBRARY.positions.get(name).map(|position| self.module.functions.len() + position)
    }

    /// A call of a function of class `Library`. The table checks its arguments; what nevertheless is wrong in its text is said of the call.
    pub fn call_library(
        &mut self,
        function: &'static Function,
        arguments: &Arguments,
        span: Span,
        places: &[Span],
    ) -> Value {
        if folding::is_folded(function) {
            return self.call_folded(function, arguments, span, places);
        }
        let Some(position) = self.library_function(&function.name.replace('.', "_")) else { return Value::Poison };
        let bound = match takes::checked(&mut self.builder, function, arguments) {
            Ok(bound) => bound,
            Err(error) => return self.refuse_call_of(function, arguments.form, error, span, places),
        };
        let given = bound.iter().map(|b| format!("`{}` is {}", b.shown, describe(&self.builder, &b.value)));
        let caller = LibraryCall { name: function.name, span, given: given.collect::<Vec<_>>().join(", ") };
        let (mut positional, mut keywords) = (Vec::new(), Vec::new());
        // What stands before a parameter that takes all that is left is given by position, too.
        let list = parameters(function.parameters);
        let variadic = list.iter().position(|p| p.kind == ParameterKind::Variadic);
        let by_position = |name: &str| variadic.is_some_and(|at| list[..=at].iter().any(|p| p.name == name));
        let rest = variadic.map(|at| list[at].name);
        for Bound { name, value, position, .. } in bound {
            let place = position.and_then(|n| places.get(n)).copied().unwrap_or(span);
            match self.given_value(value) {
                Value::Tuple(items) if rest == Some(name) => positional.extend(items),
                value if by_position(name) => positional.push(value),
                value => keywords.push((name.to_string(), value, place)),
            }
        }
        let places = vec![span; positional.len()];
        self.inline_of_library(position, caller, Call { positional, keywords, places, span })
    }

    /// A call of `np.subtract.reduce` and its like.
    fn call_folded(
        &mut self,
        function: &'static Function,
        arguments: &Arguments,
        span: Span,
        places: &[Span],
    ) -> Value {
        let folded = match folding::folded(&mut self.builder, function, arguments) {
            Ok(folded) => folded,
            Err(error) => return self.refuse_call(error, span, places),
        };
        let Some(position) = self.library_function(folded.text) else { return Value::Poison };
        let given = arguments.positional.iter().map(|value| describe(&self.builder, value));
        let caller = LibraryCall { name: function.name, span, given: given.collect::<Vec<_>>().join(", ") };
        let keywords =
            folded.arguments.into_iter().map(|(name, value)| (name.to_string(), Value::from_table(value), span));
        let positional = vec![Value::TableFunction(folded.ufunc.to_owned())];
        self.inline_of_library(
            position,
            caller,
            Call { positional, keywords: keywords.collect(), places: vec![span], span },
        )
    }

    /// An argument that the table has checked, functions as themselves.
    fn given_value(&self, value: PyValue) -> Value {
        let all = |items: Vec<PyValue>| items.into_iter().map(|item| self.given_value(item)).collect();
        match value {
            PyValue::Function(number) => self.library.functions.get(number).cloned().unwrap_or(Value::Poison),
            PyValue::Tuple(items) => Value::Tuple(all(items)),
            PyValue::List(items) => Value::List(all(items)),
            value => Value::from_table(value),
        }
    }

    /// The array that NumPy makes of a list of arrays.
    pub fn stacked_members(&mut self, list: Value, span: Span) -> Value {
        self.call_own("stacked_members", "numpy.array", vec![list], span)
    }

    /// The array of a list of lists of one length.
    pub fn stacked_lists(&mut self, arguments: Vec<Value>, span: Span) -> Value {
        self.call_own("stacked_lists", "numpy.array", arguments, span)
    }

    /// Calls a function of the library that is none of the table. `shown`: what the program called.
    pub fn call_own(&mut self, name: &str, shown: &'static str, arguments: Vec<Value>, span: Span) -> Value {
        let places = vec![span; arguments.len()];
        self.call_own_with(name, shown, Call { positional: arguments, keywords: Vec::new(), places, span })
    }

    /// The same with keywords, and the places of the arguments.
    pub fn call_own_with(&mut self, name: &str, shown: &'static str, call: Call) -> Value {
        let Some(position) = self.library_function(name) else { return Value::Poison };
        let given: Vec<String> = call.positional.iter().map(|value| value.describe(&self.builder)).collect();
        let caller = LibraryCall { name: shown, span: call.span, given: given.join(", ") };
        self.inline_of_library(position, caller, call)
    }

    fn inline_of_library(&mut self, position: usize, caller: LibraryCall, call: Call) -> Value {
        let (outer, writes, n_held_back) =
            (self.library.caller.clone(), self.loops.n_element_writes, self.paths.held_back.len());
        self.library.caller = outer.clone().or(Some(caller));
        let was_pinned = self.builder.pin_span(true);
        let value = self.inline(position, call);
        self.builder.pin_span(was_pinned);
        self.paths.held_back.truncate(n_held_back);
        // The outermost call of the library is over.
        let is_refused = outer.is_none() && std::mem::take(&mut self.library.is_refused);
        (self.library.caller, self.loops.n_element_writes) = (outer, writes);
        if is_refused { Value::Poison } else { value }
    }

    /// `is_few(x)`: whether x has few elements, as many as are known when compiling, in a loop of the program.
    pub fn is_few_builtin(&mut self, call: &Call) -> Value {
        let Some(Value::Typed(Typed { value, .. })) = call.positional.first() else { return Value::Poison };
        let mut extents = self.extents(*value).into_iter().map(|extent| self.builder.as_i64(extent));
        let elements = extents.try_fold(1_i64, |all, extent| all.checked_mul(extent?));
        let is_in_loop = self.calls.frames.iter().any(|frame| !frame.around.loop_depths.is_empty());
        self.bool(is_in_loop && elements.is_some_and(|n| n <= FEW))
    }

    /// `elementwise("erf", x)`: a function of C's library, of each element of float64.
    pub fn elementwise_builtin(&mut self, call: &Call) -> Value {
        let [Value::Str(stem), Value::Typed(operand)] = call.positional.as_slice() else { return Value::Poison };
        special::elementwise(&mut self.builder, stem, *operand).map_or(Value::Poison, Value::Typed)
    }

    /// `is_known(n)`: whether an integer is known when compiling.
    pub fn is_known_builtin(&mut self, call: &Call) -> Value {
        let is_known = call.positional.first().is_some_and(|n| self.int_of(n).is_some());
        self.bool(is_known)
    }

    /// `runtime_sorts(x)`, `runtime_argsorts(x, order)`, `runtime_selects(x)`: whether the runtime has sorted the rows of x in place, has written
    /// the indices that sort them, or has brought their middle elements to their places. Where not, nothing was written.
    pub fn sort_builtin(&mut self, sorting: Sorting, call: &Call) -> Value {
        let array = |v: &Value| if let Value::Typed(typed) = v { Some(typed.value) } else { None };
        let arrays = call.positional.iter().map(array).collect::<Option<Vec<_>>>();
        let Some(arrays) = arrays else { return Value::Poison };
        Value::python(self.builder.emit(OpKind::Sort(sorting), arrays)[0])
    }

    /// `routine("solve", flags, a, b)`: what a routine of a library answers, by the name of [`numptx_abi::routine`], about arrays of which it writes the first
    /// ones.
    pub fn routine_builtin(&mut self, call: &Call) -> Value {
        let [Value::Str(name), Value::Typed(flags), arrays @ ..] = call.positional.as_slice() else {
            return Value::Poison;
        };
        let flags = self.builder.as_i64(flags.value).and_then(|flags| u32::try_from(flags).ok());
        let array = |v: &Value| if let Value::Typed(typed) = v { Some(typed.value) } else { None };
        let arrays = arrays.iter().map(array).collect::<Option<Vec<_>>>();
        let external = flags.and_then(|flags| External::named(name, flags));
        let (Some(external), Some(arrays)) = (external, arrays) else { return Value::Poison };
        if arrays.len() != external.n_operands() {
            return Value::Poison;
        }
        Value::python(self.builder.emit(OpKind::External(external), arrays)[0])
    }

    /// `add_within(sums, k, w)`: as `np.add.at` of vectors, or a number `w`, of indices that are known to be in range and not negative.
    pub fn add_within_builtin(&mut self, call: &Call) -> Value {
        let value = |v: &Value| if let Value::Typed(typed) = v { Some(typed.value) } else { None };
        let values = call.positional.iter().map(value).collect::<Option<Vec<_>>>();
        let Some([sums, index, added]) = values.as_deref() else { return Value::Poison };
        let along = Along { index: *index, name: 0, is_checked: true };
        let selection = Selection::new(&mut self.builder, *sums, vec![Some(along)], 0, OutOfRange::Raise);
        let Ok(selection) = selection else { return Value::Poison };
        let added = match self.builder.is_scalar(*added) {
            true => *added,
            false => self.builder.broadcast_to(*added, &selection.extents),
        };
        let dtype = self.builder.dtype(*sums);
        selection.accumulate(&mut self.builder, added, &mut |body, sum, added| {
            let added = body.cast(added, dtype);
            body.op(ScalarOp::Add, &[sum, added])
        });
        Value::None
    }

    /// `refuse("what")`: the call is refused when compiling.
    pub fn refuse_builtin(&mut self, call: &Call) -> Value {
        let what = match call.positional.first() {
            Some(Value::Str(text)) => text.clone(),
            _ => "these arguments are not supported".to_string(),
        };
        let help = match call.positional.get(1) {
            Some(Value::Str(text)) => text.clone(),
            _ => "`numptx functions` shows what it takes".to_string(),
        };
        let (message, span) = match &self.library.caller {
            Some(caller) => (format!("`{}` of these arguments: {what}", shown(caller.name)), caller.span),
            None => (what, call.span),
        };
        self.say(Report::error(code::BAD_ARGUMENT, span, message).help(help));
        self.library.is_refused = true;
        Value::Poison
    }
}
