//! NumPy functions that are written in Python: the files of `library/`, in the subset that numptx compiles.
//!
//! In: a module and a call of a function of class `Library`. Out: the call inlined, as one of a function of the file. The table checks the arguments
//! (`takes.rs` in `numptx-ir`). What else is wrong in such a function for the arguments of a call is said of the call, in words of NumPy's parameters;
//! the program's names do not reach it. Their names are those of the table with `_` for `.`.

use std::collections::HashMap;
use std::sync::{LazyLock, OnceLock};

use numptx_ir::DType;
use numptx_ir::array::{External, OpKind, Sorting, ValueId};
use numptx_ir::functions::binding::Bound;
use numptx_ir::functions::halves::takes_halves;
use numptx_ir::functions::parameters::{ParameterKind, parameters};
use numptx_ir::functions::selection::{Along, OutOfRange, Selection};
use numptx_ir::functions::{Arguments, Function, PyValue, Typed, all, describe, folding, lookup, special, takes};
use numptx_ir::scalar::ScalarOp;
use numptx_source::{Report, Severity, Source, Span, code};
use numptx_syntax::ast;

use crate::calls::Call;
use crate::lowerer::Lowerer;
use crate::random::{is_of_random, random_builtin};
use crate::scope::{Callee, Enclosing};
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
    include_str!("library/histograms.py"),
    include_str!("library/percentiles.py"),
    include_str!("library/nan_statistics.py"),
    include_str!("library/calculus.py"),
    include_str!("library/polynomials.py"),
    include_str!("library/orthogonal_polynomials.py"),
    include_str!("library/windows.py"),
    include_str!("library/signals.py"),
    include_str!("library/scipy_signal.py"),
    include_str!("library/image_filters.py"),
    include_str!("library/bits.py"),
    include_str!("library/sorting.py"),
    include_str!("library/overwriting.py"),
    include_str!("library/comparisons.py"),
    include_str!("library/sets.py"),
    include_str!("library/partitions.py"),
    include_str!("library/inserting.py"),
    include_str!("library/padding.py"),
    include_str!("library/grids.py"),
    include_str!("library/choosing.py"),
    include_str!("library/applying.py"),
    include_str!("library/integers.py"),
    include_str!("library/lists.py"),
    include_str!("library/collections.py"),
    include_str!("library/heaps.py"),
    include_str!("library/searches.py"),
    include_str!("library/iterators.py"),
    include_str!("library/random.py"),
    include_str!("library/random_choices.py"),
    include_str!("library/memory.py"),
    include_str!("library/numbers.py"),
    include_str!("library/complex_numbers.py"),
    include_str!("library/operators.py"),
    include_str!("library/ufunc_methods.py"),
    include_str!("library/special_operands.py"),
    include_str!("library/special_elementary.py"),
    include_str!("library/special_axes.py"),
    include_str!("library/special_error.py"),
    include_str!("library/special_gamma.py"),
    include_str!("library/special_zeta.py"),
    include_str!("library/special_incomplete.py"),
    include_str!("library/special_incomplete_beta.py"),
    include_str!("library/special_beta.py"),
    include_str!("library/special_bessel.py"),
    include_str!("library/special_orders.py"),
    include_str!("library/special_modified.py"),
    include_str!("library/special_spherical.py"),
    include_str!("library/special_integrals.py"),
    include_str!("library/special_distributions.py"),
    include_str!("library/special_polynomials.py"),
    include_str!("library/special_airy.py"),
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
    ("itertools.batched", "itertools_batched"),
    ("itertools.compress", "itertools_compress"),
    ("itertools.dropwhile", "itertools_dropwhile"),
    ("itertools.filterfalse", "itertools_filterfalse"),
    ("itertools.groupby", "itertools_groupby"),
    ("itertools.pairwise", "itertools_pairwise"),
    ("itertools.repeat", "itertools_repeat"),
    ("itertools.starmap", "itertools_starmap"),
    ("itertools.takewhile", "itertools_takewhile"),
    ("itertools.tee", "itertools_tee"),
    ("itertools.zip_longest", "itertools_zip_longest"),
    ("math.dist", "math_dist"),
    ("math.fsum", "math_fsum"),
    ("math.prod", "math_prod"),
    ("operator.abs", "operator_abs"),
    ("operator.add", "operator_add"),
    ("operator.and_", "operator_and_"),
    ("operator.concat", "operator_concat"),
    ("operator.contains", "operator_contains"),
    ("operator.countOf", "operator_countOf"),
    ("operator.delitem", "operator_delitem"),
    ("operator.eq", "operator_eq"),
    ("operator.floordiv", "operator_floordiv"),
    ("operator.ge", "operator_ge"),
    ("operator.getitem", "operator_getitem"),
    ("operator.gt", "operator_gt"),
    ("operator.iadd", "operator_iadd"),
    ("operator.iand", "operator_iand"),
    ("operator.ifloordiv", "operator_ifloordiv"),
    ("operator.ilshift", "operator_ilshift"),
    ("operator.imatmul", "operator_imatmul"),
    ("operator.imod", "operator_imod"),
    ("operator.imul", "operator_imul"),
    ("operator.indexOf", "operator_indexOf"),
    ("operator.inv", "operator_inv"),
    ("operator.invert", "operator_invert"),
    ("operator.ior", "operator_ior"),
    ("operator.ipow", "operator_ipow"),
    ("operator.irshift", "operator_irshift"),
    ("operator.is_", "operator_is_"),
    ("operator.is_not", "operator_is_not"),
    ("operator.isub", "operator_isub"),
    ("operator.itruediv", "operator_itruediv"),
    ("operator.ixor", "operator_ixor"),
    ("operator.le", "operator_le"),
    ("operator.lshift", "operator_lshift"),
    ("operator.lt", "operator_lt"),
    ("operator.matmul", "operator_matmul"),
    ("operator.mod", "operator_mod"),
    ("operator.mul", "operator_mul"),
    ("operator.ne", "operator_ne"),
    ("operator.neg", "operator_neg"),
    ("operator.not_", "operator_not_"),
    ("operator.or_", "operator_or_"),
    ("operator.pos", "operator_pos"),
    ("operator.pow", "operator_pow"),
    ("operator.rshift", "operator_rshift"),
    ("operator.setitem", "operator_setitem"),
    ("operator.sub", "operator_sub"),
    ("operator.truediv", "operator_truediv"),
    ("operator.truth", "operator_truth"),
    ("operator.xor", "operator_xor"),
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

/// A file, read when a function of it is first needed, and once in a process.
struct File {
    text: &'static str,
    functions: OnceLock<Vec<ast::Function>>,
}

impl File {
    fn functions(&self) -> &[ast::Function] {
        self.functions.get_or_init(|| {
            let mut functions = numptx_syntax::parse(&Source::new("library", self.text)).0.functions;
            functions.iter_mut().for_each(|function| function.name.insert_str(0, PREFIX));
            functions
        })
    }
}

/// Where the functions stand: a program pays for the files that it needs.
struct Index {
    files: Vec<File>,
    /// Of each function, its file and its place there.
    functions: Vec<(usize, usize)>,
    positions: HashMap<&'static str, usize>,
}

static LIBRARY: LazyLock<Index> = LazyLock::new(|| {
    let mut index = Index { files: Vec::new(), functions: Vec::new(), positions: HashMap::new() };
    for text in FILES {
        for (place, name) in names_in(text).enumerate() {
            index.positions.insert(name, index.functions.len());
            index.functions.push((index.files.len(), place));
        }
        index.files.push(File { text, functions: OnceLock::new() });
    }
    index
});

/// The functions that a file defines, in order.
fn names_in(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().filter_map(|line| line.strip_prefix("def ")?.split('(').next())
}

/// A function by its position: those of a module stand first, behind them the library's.
pub(crate) fn function_at(module: &ast::Module, position: usize) -> &ast::Function {
    module.functions.get(position).unwrap_or_else(|| {
        let (file, place) = LIBRARY.functions[position - module.functions.len()];
        &LIBRARY.files[file].functions()[place]
    })
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
        let mut frame = self.frames.last();
        if frame.is_none() {
            return self.is_default_of_library;
        }
        while let Some(inner) = frame {
            frame = match (&inner.callee, &inner.enclosing) {
                (Callee::Module(position), _) => return *position >= self.module.functions.len(),
                // A comprehension stands in the function that has it.
                (_, Enclosing::Call(number)) => self.frames.iter().find(|f| f.number == *number),
                _ => None,
            };
        }
        false
    }

    /// Whether a function of the library made a `float16` that was not shown to take steps in it as NumPy's: of an argument of 8 bits, or of bools. What has
    /// no row moves what it is given: shuffles, members of lists, operators by name.
    pub fn is_half_of_library(&self, made: Typed) -> bool {
        let takes = |caller: &LibraryCall| lookup(caller.name).is_none_or(takes_halves);
        let is_half = self.builder.dtype(made.value) == DType::F16;
        is_half && self.is_in_library() && !self.caller.as_ref().is_some_and(takes)
    }

    /// A name of the library that is none of a function's own: `np`, another function of it, or nothing.
    pub fn lookup_in_library(&mut self, name: &str, span: Span) -> Option<Value> {
        match name {
            "np" => Some(Value::Module("numpy".to_string())),
            "refuse" => Some(Value::Builtin("refuse")),
            "named" => Some(Value::Builtin("named")),
            "elementwise" => Some(Value::Builtin("elementwise")),
            "add_within" => Some(Value::Builtin("add_within")),
            "is_few" => Some(Value::Builtin("is_few")),
            "is_known" => Some(Value::Builtin("is_known")),
            "routine" => Some(Value::Builtin("routine")),
            "strided" => Some(Value::Builtin("strided")),
            "runtime_sorts" => Some(Value::Builtin("runtime_sorts")),
            "runtime_argsorts" => Some(Value::Builtin("runtime_argsorts")),
            "runtime_selects" => Some(Value::Builtin("runtime_selects")),
            name => match (random_builtin(name), self.library_function(name)) {
                (Some(own), _) => Some(Value::Builtin(own)),
                (None, Some(position)) => Some(Value::UserFunction(position)),
                (None, None) => self.builtin_named(name, span),
            },
        }
    }

    /// Whether the library has a function of this name.
    pub fn has_own(&self, name: &str) -> bool {
        self.library_function(name).is_some()
    }

    /// Where the call of the program stands that led into the library.
    pub fn library_caller(&self) -> Option<Span> {
        self.caller.as_ref().map(|call| call.span)
    }

    /// Refuses what the program gave to a function of the library, in words of its own.
    pub fn refuse_draw(&mut self, message: impl Into<String>, help: impl Into<String>) -> Value {
        let Some(caller) = &self.caller else { return Value::Poison };
        let message = format!("`{}`: {}", shown(caller.name), message.into());
        let span = caller.span;
        self.say(Report::error(code::BAD_ARGUMENT, span, message).help(help));
        self.is_refused_by_library = true;
        Value::Poison
    }

    fn library_function(&self, name: &str) -> Option<usize> {
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
            PyValue::Function(number) => self.functions.get(number).cloned().unwrap_or(Value::Poison),
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
            Some(function) => function
                .working_call()
                .unwrap_or_else(|| format!("`numptx functions {}` tells what it takes", call.name)),
            None if is_of_random(call.name) => {
                "pass numbers or arrays of numbers, and as the size an int or a tuple of ints".to_owned()
            }
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

    /// `elementwise("erf", x)`: a function of C's library, of each element of float64.
    pub fn elementwise_builtin(&mut self, call: &Call) -> Value {
        let [Value::Str(stem), Value::Typed(operand)] = call.positional.as_slice() else { return Value::Poison };
        special::elementwise(&mut self.builder, stem, *operand).map_or(Value::Poison, Value::Typed)
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
