//! Names: what a name of the program stands for. Locals first, then the module's constants, functions and imports, then builtins.
//! Names of the library, of Numba and of `from module import *` are found here, too.

use numptx_ir::DType;
use numptx_ir::array::ErrorKind;
use numptx_ir::functions::{lookup, refused};
use numptx_ir::scalar::Constant;
use numptx_source::{Code, Report, Span, code};
use numptx_syntax::ast::{Applied, Left};

use crate::joins::agreement::how_to_agree;
use crate::joins::remembered::unbound;
use crate::library::function_of_module;
use crate::lowerer::Lowerer;
use crate::names::missing::distance;
use crate::names::standard_modules::{class_named, combining, making};
use crate::names::warned::passed_over;
use crate::random::generators::random_builtin;
use crate::types::tests::{CLASSES, TYPE_FUNCTIONS};
use crate::values::scope::Binding;
use crate::values::value::Value;

/// Builtins that are lowered.
const BUILTINS: &[&str] = &[
    "abs",
    "all",
    "any",
    "bool",
    "callable",
    "chr",
    "complex",
    "dict",
    "divmod",
    "enumerate",
    "filter",
    "float",
    "format",
    "frozenset",
    "int",
    "isinstance",
    "len",
    "list",
    "map",
    "max",
    "min",
    "object",
    "ord",
    "pow",
    "print",
    "range",
    "repr",
    "reversed",
    "round",
    "set",
    "slice",
    "sorted",
    "str",
    "sum",
    "tuple",
    "type",
    "zip",
];

/// Builtins of Python that are refused by name, and what to write instead.
const REFUSED_BUILTINS: &[(&str, &str)] = &[
    ("input", "pass the value as a parameter"),
    ("open", "read the file in Python, and pass the array"),
    ("getattr", "write the attribute: `x.shape`"),
    ("hasattr", "types are known when compiling: export one overload for each"),
    ("iter", "write `for x in array:`"),
    ("next", "write `for x in array:`"),
    ("id", "compare values instead"),
    ("super", "write functions"),
    ("hash", "pass numbers"),
];

impl Lowerer<'_> {
    /// The value of a name.
    pub fn lookup(&mut self, name: &str, span: Span) -> Value {
        self.loops.new_lists.retain(|(_, list), _| list != name);
        if let Some(binding) = self.calls.find(name) {
            return match binding {
                Some(Binding::Bound(Value::IfRan(value, ran), _)) => {
                    self.check(ran, ErrorKind::UnboundLocal, &unbound(name), &[]);
                    *value
                }
                Some(Binding::Bound(value, _)) => value,
                Some(other) => {
                    self.want(name, &other);
                    self.refuse_binding(name, &other, span)
                }
                None => self.refuse_unassigned(name, span),
            };
        }
        if self.is_in_library() {
            return self.lookup_in_library(name, span).unwrap_or_else(|| self.refuse_unknown(name, span));
        }
        if self.constants.generators.contains(name) {
            return self.refuse_kept_generator(name, span);
        }
        if let Some(value) = self.constants.values.get(name) {
            return value.clone();
        }
        if let Some(position) = self.module.functions.iter().position(|f| f.name == name) {
            let function = Value::UserFunction(position);
            return match self.module.functions[position].applied {
                Applied::Vectorized => Value::Elementwise(Box::new(function), Vec::new()),
                _ => function,
            };
        }
        if let Some(value) = self.imported(name, span) {
            return value;
        }
        self.builtin_named(name, span).unwrap_or_else(|| self.refuse_unknown(name, span))
    }

    /// A builtin: one that is lowered, or refused by name.
    pub fn builtin_named(&mut self, name: &str, span: Span) -> Option<Value> {
        if let Some(builtin) = BUILTINS.iter().find(|b| **b == name) {
            return Some(Value::Builtin(builtin));
        }
        if let Some((_, help)) = REFUSED_BUILTINS.iter().find(|(b, _)| *b == name) {
            return Some(self.refuse(
                code::UNSUPPORTED_EXPRESSION,
                span,
                format!("the builtin `{name}` is not compiled"),
                *help,
            ));
        }
        None
    }

    /// Reports the use of a name that has no one value.
    pub fn refuse_binding(&mut self, name: &str, binding: &Binding, span: Span) -> Value {
        match binding {
            Binding::MaybeUndefined(at) => {
                if self.is_said(code::MAYBE_UNDEFINED, &format!("`{name}` is not assigned on every path"), *at) {
                    return Value::Poison;
                }
                let report = Report::error(
                    code::MAYBE_UNDEFINED,
                    span,
                    format!("`{name}` is not assigned on every path to here"),
                )
                .related(*at, "assigned here, on some paths only")
                .help(format!(
                    "assign it before the branch or loop: `{name} = 0` for an int, `{name} = 0.0` for a float, `{name} = np.zeros(n)` for an array"
                ));
                self.report(report);
            }
            Binding::Different(difference) if difference.are_lists && self.want_list_named(name) => {}
            Binding::Different(difference) => {
                let (first, second) = (&difference.first, &difference.second);
                let message = format!("`{name}` is {} on one path to here and {} on another", first.1, second.1);
                if self.is_said(code::REBOUND_TO_OTHER_TYPE, &message, first.0) {
                    return Value::Poison;
                }
                let help = how_to_agree(&first.1, &second.1)
                    .or_else(|| of_numpy(name, &first.1, &second.1))
                    .unwrap_or_else(|| how_to_begin(name, &first.1, &second.1));
                let mut report = Report::error(code::REBOUND_TO_OTHER_TYPE, span, message)
                    .related(first.0, format!("{} here", first.1))
                    .help(help);
                if first.0 != second.0 {
                    report = report.related(second.0, format!("{} here", second.1));
                }
                self.report(report);
            }
            Binding::Bound(..) => {}
        }
        Value::Poison
    }

    /// Whether it was said already what is wrong with a name that is bound there.
    fn is_said(&self, code: Code, message: &str, bound: Span) -> bool {
        let said = |r: &Report| r.related.first().is_some_and(|label| label.span == bound);
        self.reports.iter().any(|r| r.code == code && r.message.starts_with(message) && said(r))
    }

    fn refuse_unassigned(&mut self, name: &str, span: Span) -> Value {
        let report =
            Report::error(code::MAYBE_UNDEFINED, span, format!("`{name}` is not assigned before it is used here"))
                .help(format!("assign it first: `{name} = 0` for an int, `{name} = 0.0` for a float"));
        self.read_unassigned(name, report, span)
    }

    fn refuse_unknown(&mut self, name: &str, span: Span) -> Value {
        let mut report = Report::error(code::UNKNOWN_NAME, span, format!("`{name}` is not defined"));
        if let Some(similar) = self.imported_as(name).or_else(|| self.similar(name)) {
            report = report.help(format!("did you mean `{similar}`?"));
        } else if let Some(import) = import_of(name) {
            report = report.help(format!("add `{import}` at the top of the file"));
        } else {
            report = report.help("assign it first, or pass it as a parameter");
        }
        self.report(report);
        Value::Poison
    }

    /// The name by which the program imports a module.
    fn imported_as(&self, module: &str) -> Option<String> {
        self.module.imports.iter().find(|i| i.path == module).map(|i| i.alias.clone())
    }

    /// A name in scope that differs in one letter or so.
    fn similar(&self, name: &str) -> Option<String> {
        if import_of(name).is_some() {
            return None;
        }
        let locals = self.calls.frames.last().map(|f| f.locals.iter().cloned().collect::<Vec<_>>()).unwrap_or_default();
        let module = self.module;
        // A name with a dot is one of the library's, which no program can write.
        let functions = module.functions.iter().map(|f| f.name.clone()).filter(|n| !n.contains('.'));
        let imports = module.imports.iter().map(|i| i.alias.clone());
        let builtins = BUILTINS.iter().map(|b| b.to_string());
        let constants = module.constants.iter().map(|c| c.name.clone());
        let names = locals.into_iter().chain(constants).chain(functions).chain(imports).chain(builtins);
        let near = names.map(|n| (distance(name, &n), n)).filter(|(d, n)| *d <= 1 + n.len() / 6 && n.len() > 1);
        near.min().map(|(_, n)| n)
    }

    /// What an absolute dotted path stands for: `numpy.linalg`, `numpy.sqrt`, `math.pi`.
    pub fn path(&mut self, path: &str, span: Span) -> Value {
        if is_module(path) {
            return Value::Module(path.to_string());
        }
        match path.rsplit_once('.') {
            Some((module, name)) if numptx_syntax::is_compiled_module(module) => {
                self.member_of_module(module, name, span)
            }
            // Its import is refused where it stands.
            _ => Value::Poison,
        }
    }

    /// `module.name`
    pub fn member_of_module(&mut self, module: &str, name: &str, span: Span) -> Value {
        let path = format!("{module}.{name}");
        if is_module(&path) {
            return Value::Module(path);
        }
        if let Some(x) = constant_of_module(module, name) {
            return Value::python(self.builder.constant(Constant::Float(x), DType::F64));
        }
        if module == "cmath" && matches!(name, "infj" | "nanj") {
            let imaginary = if name == "infj" { f64::INFINITY } else { f64::NAN };
            return Value::python(self.builder.constant(Constant::Complex(0.0, imaginary), DType::C128));
        }
        if let Some(value) = self.member_of_numba(module, name, span) {
            return value;
        }
        if path == "numptx.prange" {
            return Value::Builtin("numptx.prange");
        }
        if path == "dataclasses.replace" {
            return Value::Builtin("dataclasses.replace");
        }
        if let Some(value) =
            Some(module).filter(|module| *module == "numpy.random").and_then(|_| self.member_of_random(name, span))
        {
            return value;
        }
        let beside = [function_of_module(&path), combining(&path), making(&path), passed_over(&path)];
        if let Some(function) = beside.into_iter().flatten().next() {
            return Value::Builtin(function);
        }
        if let Some(class) = class_named(name).filter(|_| module == "collections") {
            return Value::Builtin(class);
        }
        if let Some(value) = self.name_of_numpy(name).filter(|_| module == "numpy") {
            return value;
        }
        if lookup(&path).is_some() {
            return Value::TableFunction(path);
        }
        self.refuse_member(module, name, span)
    }

    /// What a name of NumPy stands for that is no function.
    fn name_of_numpy(&mut self, name: &str) -> Option<Value> {
        match name {
            "newaxis" => return Some(Value::None),
            "s_" | "index_exp" => return Some(Value::Builtin("numpy.s_")),
            // Of loops over indices: no program has such names.
            "range of" => return Some(Value::Builtin("range")),
            "extents of" => return Some(Value::Builtin("extents of")),
            "elements of" => return Some(Value::Builtin("elements of")),
            "True_" => return Some(self.bool(true)),
            "False_" => return Some(self.bool(false)),
            "mgrid" => return Some(Value::Builtin("numpy.mgrid")),
            "ogrid" => return Some(Value::Builtin("numpy.ogrid")),
            "r_" => return Some(Value::Builtin("numpy.r_")),
            "c_" => return Some(Value::Builtin("numpy.c_")),
            "ndindex" => return Some(Value::Builtin("numpy.ndindex")),
            "ndenumerate" => return Some(Value::Builtin("numpy.ndenumerate")),
            "vectorize" => return Some(Value::Builtin("numpy.vectorize")),
            "nditer" => return Some(Value::Builtin("numpy.nditer")),
            "broadcast" => return Some(Value::Builtin("numpy.broadcast")),
            _ => {}
        }
        let class = CLASSES.iter().find(|c| **c == name).map(|class| Value::Class(class));
        let function = || TYPE_FUNCTIONS.iter().find(|f| **f == name).map(|function| Value::TypeFunction(function));
        class.or_else(function).or_else(|| dtype_of_numpy(name).map(Value::DType))
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

    /// What a name of the file was imported as; the last import wins.
    fn imported(&mut self, name: &str, span: Span) -> Option<Value> {
        let module = self.module;
        if let Some(left) = module.left.iter().find(|left| left.name == name) {
            return Some(self.refuse_left(left, span));
        }
        let is_of = |path: &str| path_of_member(path, name).is_some();
        let import = module.imports.iter().rev().find(|i| i.alias == name || (i.alias == "*" && is_of(&i.path)))?;
        if let Some(builtin) = import.path.strip_prefix("builtins.") {
            return self.builtin_named(builtin, span);
        }
        Some(match import.alias.as_str() {
            "*" => self.member_of_module(&import.path, name, span),
            _ => self.path(&import.path, span),
        })
    }

    /// Reports the first use of a name that only Python knows.
    fn refuse_left(&mut self, left: &Left, span: Span) -> Value {
        let bound = left.report.clone();
        if self.reports.iter().any(|r| r.code == bound.code && r.message == bound.message) {
            return Value::Poison;
        }
        let mut report = Report { span, label: "used in compiled code".into(), ..bound.clone() };
        report.related.insert(0, numptx_source::Label { span: bound.span, text: "bound here".into() });
        self.report(report);
        Value::Poison
    }

    /// A member of Numba that compiled code may use: dtypes are NumPy's. `None` for members of other modules.
    fn member_of_numba(&mut self, module: &str, name: &str, span: Span) -> Option<Value> {
        if module != "numba" {
            return None;
        }
        if name == "prange" {
            return Some(Value::Builtin("numptx.prange"));
        }
        if let Some(dtype) = dtype_of_numpy(name) {
            return Some(Value::DType(dtype));
        }
        let message = format!("`numba.{name}` is outside what numptx compiles");
        let help = "of Numba compiled code has `prange`, the names of dtypes, and decorators, which change nothing";
        Some(self.refuse(code::UNKNOWN_FUNCTION, span, message, help))
    }
}

/// The import that programs usually bind this name by.
fn import_of(name: &str) -> Option<&'static str> {
    match name {
        "np" | "numpy" => Some("import numpy as np"),
        "math" => Some("import math"),
        "prange" => Some("from numptx import prange"),
        _ => None,
    }
}

fn is_module(path: &str) -> bool {
    const MODULES: [&str; 31] = [
        "dataclasses",
        "bisect",
        "cmath",
        "collections",
        "functools",
        "heapq",
        "itertools",
        "numpy",
        "math",
        "numba",
        "numptx",
        "operator",
        "numpy.linalg",
        "numpy.fft",
        "numpy.random",
        "numpy.lib",
        "numpy.lib.stride_tricks",
        "numpy.polynomial",
        "numpy.polynomial.chebyshev",
        "numpy.polynomial.hermite",
        "numpy.polynomial.hermite_e",
        "numpy.polynomial.laguerre",
        "numpy.polynomial.legendre",
        "numpy.polynomial.polynomial",
        "scipy",
        "scipy.fft",
        "scipy.linalg",
        "scipy.ndimage",
        "scipy.signal",
        "scipy.special",
        "warnings",
    ];
    MODULES.contains(&path)
}

pub(crate) fn constant_of_module(module: &str, name: &str) -> Option<f64> {
    let shared = match name {
        "pi" => std::f64::consts::PI,
        "e" => std::f64::consts::E,
        "inf" => f64::INFINITY,
        "nan" => f64::NAN,
        "tau" if matches!(module, "math" | "cmath") => std::f64::consts::TAU,
        "euler_gamma" if module == "numpy" => 0.577_215_664_901_532_9,
        _ => return None,
    };
    matches!(module, "numpy" | "math" | "cmath").then_some(shared)
}

/// A dtype by NumPy's attribute name: `np.float32`, `np.intp`, `np.bool_`.
pub(crate) fn dtype_of_numpy(name: &str) -> Option<DType> {
    // One-letter codes and Python's own names are strings for `numpy.dtype`, not attributes.
    let attribute = name.len() > 2 && !matches!(name, "int" | "float" | "complex");
    if attribute { DType::from_text(name) } else { None }
}

/// How a name could begin with an int of NumPy, where one of its values is an int that needs 64 unsigned bits.
fn of_numpy(name: &str, first: &str, second: &str) -> Option<String> {
    let (large, other) = if large_int(first).is_some() { (first, second) } else { (second, first) };
    let n = large_int(large)?;
    (other == "a NumPy `uint64` scalar").then(|| format!("make it a number of NumPy: `{name} = np.uint64({n})`"))
}

/// The int of a description of one that does not fit in 64 signed bits.
fn large_int(what: &str) -> Option<u64> {
    what.strip_prefix("the integer ")?.split(',').next()?.parse().ok()
}

/// How a name of two types could begin with the wider one.
fn how_to_begin(name: &str, first: &str, second: &str) -> String {
    let either = |what: &str| [first, second].iter().any(|s| s.starts_with(&format!("a Python `{what}`")));
    match () {
        () if either("complex") => format!("begin with a complex number: `{name} = 0j`"),
        () if either("bool") && either("int") => format!("begin with an int: `{name} = 0`"),
        () if either("float") && (either("int") || either("bool")) => {
            format!("begin with a float: `{name} = 0.0`, or `{name} = float(n)` of an int `n`")
        }
        () => format!(
            "give it one type on every path: `{name} = 0.0` instead of `{name} = 0` for a float, `np.zeros(n)` for an array, or use another name"
        ),
    }
}

/// The path of a name of a module that `from module import *` brings, if it is one.
fn path_of_member(module: &str, name: &str) -> Option<String> {
    if name.starts_with('_') {
        return None;
    }
    let path = format!("{module}.{name}");
    let is_special = module == "numpy"
        && (CLASSES.contains(&name)
            || TYPE_FUNCTIONS.contains(&name)
            || dtype_of_numpy(name).is_some()
            || matches!(
                name,
                "newaxis"
                    | "mgrid"
                    | "ogrid"
                    | "r_"
                    | "c_"
                    | "s_"
                    | "ndindex"
                    | "ndenumerate"
                    | "vectorize"
                    | "broadcast"
                    | "nditer"
                    | "linalg"
                    | "fft"
                    | "random"
                    | "divmod"
                    | "bool"
            ));
    let is_made_here = function_of_module(&path).or_else(|| combining(&path)).or_else(|| making(&path)).is_some()
        || matches!(path.as_str(), "cmath.infj" | "cmath.nanj");
    let is_function = lookup(&path).is_some() || refused::lookup(&path).is_some();
    let is_member = is_special || is_made_here || is_function || constant_of_module(module, name).is_some();
    (is_member || path == "numptx.prange").then_some(path)
}
