//! NumPy functions that are written in Python: the files of `library/`, in the subset that numptx compiles.
//!
//! In: a module and a call of a function of class `Library`. Out: the call inlined, as one of a function of the file. The table checks the arguments
//! (`takes.rs` in `numptx-ir`). What else is wrong in such a function for the arguments of a call is said of the call, in words of NumPy's parameters;
//! the program's names do not reach it. Their names are those of the table with `_` for `.`.

use std::sync::LazyLock;

use numptx_ir::array::{External, OpKind, Sorting, ValueId};
use numptx_ir::functions::binding::Bound;
use numptx_ir::functions::selection::{Along, OutOfRange, Selection};
use numptx_ir::functions::{Arguments, Function, Typed, all, describe, lookup, takes};
use numptx_ir::scalar::ScalarOp;
use numptx_source::{Report, Severity, Source, Span, code};
use numptx_syntax::ast;

use crate::calls::Call;
use crate::lowerer::Lowerer;
use crate::records::mark_assigned;
use crate::scope::{Callee, Frame};
use crate::value::Value;

/// The files.
const FILES: &[&str] = &[
    include_str!("library/linear_algebra.py"),
    include_str!("library/spectra.py"),
    include_str!("library/products.py"),
    include_str!("library/scipy_linalg.py"),
    include_str!("library/fourier.py"),
    include_str!("library/scipy_fft.py"),
    include_str!("library/statistics.py"),
    include_str!("library/sorting.py"),
    include_str!("library/overwriting.py"),
    include_str!("library/integers.py"),
    include_str!("library/lists.py"),
    include_str!("library/collections.py"),
    include_str!("library/heaps.py"),
    include_str!("library/searches.py"),
    include_str!("library/iterators.py"),
];
/// Functions of modules beside NumPy that are written in Python, by their paths; several names may be of one.
const OF_MODULES: &[(&str, &str)] = &[
    ("bisect.bisect", "bisect_bisect_right"),
    ("bisect.bisect_left", "bisect_bisect_left"),
    ("bisect.bisect_right", "bisect_bisect_right"),
    ("bisect.insort", "bisect_insort_right"),
    ("bisect.insort_left", "bisect_insort_left"),
    ("bisect.insort_right", "bisect_insort_right"),
    ("functools.reduce", "functools_reduce"),
    ("heapq.heapify", "heapq_heapify"),
    ("heapq.heappop", "heapq_heappop"),
    ("heapq.heappush", "heapq_heappush"),
    ("heapq.heappushpop", "heapq_heappushpop"),
    ("heapq.heapreplace", "heapq_heapreplace"),
    ("heapq.nlargest", "heapq_nlargest"),
    ("heapq.nsmallest", "heapq_nsmallest"),
    ("itertools.accumulate", "itertools_accumulate"),
    ("itertools.pairwise", "itertools_pairwise"),
];
/// So many elements are sorted one after the other: a point of a kernel can do that.
const FEW: i64 = 32;
/// What stands before the names of these functions: no name of a program does.
const PREFIX: &str = "numptx.library.";

/// A call of a function of the library, as it stands in the program.
#[derive(Clone)]
pub(crate) struct LibraryCall {
    name: &'static str,
    span: Span,
    /// What it was given, in the words of the function's parameters.
    given: String,
}

/// The library's functions, read once in a process.
static FUNCTIONS: LazyLock<Vec<ast::Function>> = LazyLock::new(|| {
    let files = FILES.iter().map(|text| numptx_syntax::parse(&Source::new("library", *text)).0);
    let mut functions: Vec<ast::Function> = files.flat_map(|file| file.functions).collect();
    functions.iter_mut().for_each(|function| function.name.insert_str(0, PREFIX));
    functions
});

/// A module with the library's functions behind its own.
pub(crate) fn joined(module: &ast::Module) -> ast::Module {
    let mut joined = module.clone();
    joined.functions.extend_from_slice(&FUNCTIONS);
    mark_assigned(&mut joined);
    joined
}

/// The table's name of a function of the library: `numpy.linalg.solve` for `numptx.library.numpy_linalg_solve`.
pub(crate) fn name_in_table(name: &str) -> Option<String> {
    let own = name.strip_prefix(PREFIX)?;
    all().find(|f| f.name.replace('.', "_") == own).map(|f| f.name.to_owned())
}

/// A function of a module beside NumPy, by its path.
pub(crate) fn function_of_module(path: &str) -> Option<&'static str> {
    OF_MODULES.iter().find(|(own, _)| *own == path).map(|(own, _)| *own)
}

impl Lowerer<'_> {
    /// Calls a function of a module beside NumPy; `None` of other builtins.
    pub fn call_of_module(&mut self, path: &str, call: Call) -> Option<Value> {
        let (path, function) = OF_MODULES.iter().find(|(own, _)| *own == path)?;
        Some(self.call_own_with(function, path, call))
    }

    /// Whether what is lowered stands in the library.
    pub fn is_in_library(&self) -> bool {
        let is_of_library = |f: &Frame| matches!(f.callee, Callee::Module(position) if self.module.functions[position].name.starts_with(PREFIX));
        self.frames.last().is_some_and(is_of_library)
    }

    /// A name of the library that is none of a function's own: `np`, another function of it, or nothing.
    pub fn lookup_in_library(&mut self, name: &str, span: Span) -> Option<Value> {
        match name {
            "np" => Some(Value::Module("numpy".to_string())),
            "refuse" => Some(Value::Builtin("refuse")),
            "named" => Some(Value::Builtin("named")),
            "add_within" => Some(Value::Builtin("add_within")),
            "is_few" => Some(Value::Builtin("is_few")),
            "is_known" => Some(Value::Builtin("is_known")),
            "routine" => Some(Value::Builtin("routine")),
            "runtime_sorts" => Some(Value::Builtin("runtime_sorts")),
            "runtime_argsorts" => Some(Value::Builtin("runtime_argsorts")),
            "runtime_selects" => Some(Value::Builtin("runtime_selects")),
            name => match self.library_function(name) {
                Some(position) => Some(Value::UserFunction(position)),
                None => self.builtin_named(name, span),
            },
        }
    }

    fn library_function(&self, name: &str) -> Option<usize> {
        self.module.functions.iter().position(|f| f.name.strip_prefix(PREFIX) == Some(name))
    }

    /// A call of a function of class `Library`. The table checks its arguments; what nevertheless is wrong in its text is said of the call.
    pub fn call_library(
        &mut self,
        function: &'static Function,
        arguments: &Arguments,
        span: Span,
        places: &[Span],
    ) -> Value {
        let Some(position) = self.library_function(&function.name.replace('.', "_")) else { return Value::Poison };
        let bound = match takes::checked(&mut self.builder, function, arguments) {
            Ok(bound) => bound,
            Err(error) => return self.refuse_call(error, span, places),
        };
        let given = bound.iter().map(|b| format!("`{}` is {}", b.shown, describe(&self.builder, &b.value)));
        let caller = LibraryCall { name: function.name, span, given: given.collect::<Vec<_>>().join(", ") };
        let (mut positional, mut keywords) = (Vec::new(), Vec::new());
        let is_variadic = function.parameters.starts_with('*');
        for Bound { name, value, position, .. } in bound {
            let place = position.and_then(|n| places.get(n)).copied().unwrap_or(span);
            match Value::from_table(value) {
                Value::Tuple(items) if is_variadic => positional.extend(items),
                value => keywords.push((name.to_string(), value, place)),
            }
        }
        let places = vec![span; positional.len()];
        self.inline_of_library(position, caller, Call { positional, keywords, places, span })
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
        let (outer, writes, n_held_back) = (self.caller.clone(), self.n_element_writes, self.held_back.len());
        self.caller = outer.clone().or(Some(caller));
        let was_pinned = self.builder.pin_span(true);
        let value = self.inline(position, call);
        self.builder.pin_span(was_pinned);
        self.held_back.truncate(n_held_back);
        // The outermost call of the library is over.
        let is_refused = outer.is_none() && std::mem::take(&mut self.is_refused_by_library);
        (self.caller, self.n_element_writes) = (outer, writes);
        if is_refused { Value::Poison } else { value }
    }

    /// A report about the library, as one about the call that led there: its lines and its names are none of the program's. Warnings about it are
    /// nobody's.
    pub fn of_caller(&self, report: Report) -> Option<Report> {
        let Some(call) = &self.caller else { return Some(report) };
        if report.severity < Severity::Error {
            return None;
        }
        if report.code == code::TOO_DEEPLY_NESTED {
            return Some(Report { span: call.span, related: Vec::new(), ..report });
        }
        let message = format!("`{}` of these arguments is not supported: {}", shown(call.name), call.given);
        let help = match lookup(call.name) {
            Some(_) => format!("`numptx functions {}` tells what it takes", call.name),
            None => "pass lists of numbers, strings, and tuples of these, of one type each".to_owned(),
        };
        Some(Report::error(code::BAD_ARGUMENT, call.span, message).help(help))
    }

    /// `is_few(x)`: whether x has few elements, as many as are known when compiling, in a loop of the program.
    pub fn is_few_builtin(&mut self, call: &Call) -> Value {
        let Some(Value::Typed(Typed { value, .. })) = call.positional.first() else { return Value::Poison };
        let mut extents = self.extents(*value).into_iter().map(|extent| self.builder.as_i64(extent));
        let elements = extents.try_fold(1_i64, |all, extent| all.checked_mul(extent?));
        let is_in_loop = self.frames.iter().any(|frame| !frame.loop_depths.is_empty());
        self.bool(is_in_loop && elements.is_some_and(|n| n <= FEW))
    }

    /// `named("Q R", q, r)`: a tuple whose members have these names.
    pub fn named_builtin(&mut self, call: &Call) -> Value {
        let [Value::Str(names), members @ ..] = call.positional.as_slice() else { return Value::Poison };
        if let Some(values) = values_of(members) {
            self.members.insert(values, names.split(' ').map(str::to_owned).collect());
        }
        Value::Tuple(members.to_vec())
    }

    /// The member of a tuple that has this name in NumPy.
    pub fn named_member(&self, members: &[Value], name: &str) -> Option<Value> {
        let names = self.members.get(&values_of(members)?)?;
        members.get(names.iter().position(|own| own == name)?).cloned()
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
        let (message, span) = match &self.caller {
            Some(caller) => (format!("`{}` of these arguments: {what}", shown(caller.name)), caller.span),
            None => (what, call.span),
        };
        self.say(Report::error(code::BAD_ARGUMENT, span, message).help(help));
        self.is_refused_by_library = true;
        Value::Poison
    }
}

/// The values of members that are scalars and arrays.
fn values_of(members: &[Value]) -> Option<Vec<ValueId>> {
    members.iter().map(|member| member.typed().map(|typed| typed.value)).collect()
}

/// A function's name as programs write it.
fn shown(name: &str) -> String {
    name.replacen("numpy", "np", 1)
}
