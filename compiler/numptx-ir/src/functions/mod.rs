//! The table of NumPy functions: one row a function.
//!
//! A row is data: name, aliases, parameters as NumPy writes them, one of a few classes, an error bound, one line of documentation and
//! an example. Lowering looks a name up and emits the call; passes see the classes' ops only and never a function.
//!
//! Rows stand in `ufuncs/` (elementwise functions, by chapter of NumPy's reference), `reduction.rs`, `scan.rs`, `creation.rs`, `manipulation.rs`,
//! `turning.rs`, `diagonals.rs`, `windows.rs`, `splitting.rs`, `indexing.rs`, `choosing.rs`, `taking.rs`, `putting.rs`, `triangles.rs`, `repeating.rs`,
//! `linear.rs`, `einsum.rs` and `math.rs`, those of class `Library` in files of text that `library.rs` reads; methods of ufuncs in `methods.rs`; the other
//! files are what they share. `beside.rs` names what is compiled without a row, `refused.rs` what is not compiled. How to add one: `docs/adding-a-function.md`.

pub mod beside;
pub mod binding;
mod choosing;
pub mod compaction;
mod complex;
pub mod convert;
mod counted;
mod creation;
mod diagonals;
mod einsum;
mod element;
mod elementwise;
mod error;
pub mod folding;
pub mod halves;
mod indexing;
mod joining;
mod library;
mod linear;
pub mod loops;
pub mod lowering;
mod manipulation;
mod math;
mod memory;
mod methods;
mod output;
pub mod parameters;
mod putting;
mod range;
pub mod reduction;
pub mod refused;
pub mod repeating;
pub mod scan;
pub mod selection;
pub mod shape;
pub mod special;
mod splitting;
pub mod supported;
pub mod takes;
mod taking;
mod triangles;
mod turning;
pub mod ufunc;
mod ufuncs;
mod value;
mod variance;
mod windows;

pub use value::{Arguments, Family, Form, FunctionError, PyValue, Typed};

use self::binding::Call;
use crate::array::Builder;

/// One function of the table.
#[derive(Debug)]
pub struct Function {
    /// Its dotted name: `numpy.add`, `ndarray.sum`, `math.sqrt`.
    pub name: &'static str,
    /// Other dotted names of the same function; `ndarray.` ones take the array as the first argument.
    pub aliases: &'static [&'static str],
    /// Its parameters as NumPy's signature has them, in Python's words.
    pub parameters: &'static str,
    /// Those as a method of arrays, where they have other names or kinds than the function's; the nth of both are one.
    pub method: Option<&'static str>,
    /// Which of them take their default only.
    pub without: &'static [&'static str],
    /// Why its parameters differ from NumPy's signature; empty where they do not.
    pub differs: &'static str,
    /// What its parameters take, where it is written in Python.
    pub takes: &'static [(&'static str, takes::Takes)],
    /// What it does.
    pub class: Class,
    /// What lowering does with its arguments.
    pub lowering: lowering::Lowering,
    /// Error bound against NumPy, in ULP of a real result; 0: equal.
    pub ulp: u32,
    /// Error bound of complex results, in ULP of their modulus.
    pub complex_ulp: u32,
    /// One line, lower case.
    pub doc: &'static str,
    /// An expression of arrays and scalars `x`, `y` that uses it; empty where the arguments are obvious.
    pub example: &'static str,
}

/// Emits a call.
pub type Emit = fn(&mut Call) -> Result<PyValue, FunctionError>;

/// The few sorts of functions.
#[derive(Debug)]
pub enum Class {
    /// Elementwise.
    Map(ufunc::Elementwise),
    /// Combines elements along axes with one reducer.
    Reduce(reduction::Reduction),
    /// Combines elements along an axis with one reducer, and gives every step.
    Scan(scan::Running),
    /// Gives a view, or a copy where strides do not allow one.
    View(Emit),
    /// Makes an array.
    Create(Emit),
    /// Chooses elements.
    Index(Emit),
    /// Sums products over axes.
    Contract(Emit),
    /// A function of Python's `math` module: host scalars to a Python scalar.
    Host(math::HostFunction),
    /// Written in terms of the others.
    Expand(Emit),
    /// Written in Python: lowering inlines it.
    Library,
}

impl Class {
    /// Its name in the documentation and in `numptx functions --json`.
    pub fn name(&self) -> &'static str {
        match self {
            Class::Map(_) => "map",
            Class::Reduce(_) => "reduce",
            Class::Scan(_) => "scan",
            Class::View(_) => "view",
            Class::Create(_) => "create",
            Class::Index(_) => "index",
            Class::Contract(_) => "contract",
            Class::Host(_) => "host",
            Class::Expand(_) => "expand",
            Class::Library => "library",
        }
    }
}

impl Function {
    /// A row.
    pub(super) const fn new(name: &'static str, parameters: &'static str, class: Class) -> Self {
        Function {
            name,
            aliases: &[],
            parameters,
            method: None,
            without: &[],
            differs: "",
            takes: &[],
            class,
            lowering: lowering::Lowering::NONE,
            ulp: 0,
            complex_ulp: 0,
            doc: "",
            example: "",
        }
    }

    /// Other parameters than the class has by default.
    pub(super) const fn parameters(self, parameters: &'static str) -> Self {
        Function { parameters, ..self }
    }

    /// Its parameters as a method of arrays.
    pub(super) const fn method(self, parameters: &'static str) -> Self {
        Function { method: Some(parameters), ..self }
    }

    /// Parameters of NumPy that take their default only.
    pub(super) const fn without(self, without: &'static [&'static str]) -> Self {
        Function { without, ..self }
    }

    /// Why its parameters differ from NumPy's signature.
    pub(super) const fn differs(self, differs: &'static str) -> Self {
        Function { differs, ..self }
    }

    /// Other names.
    pub(super) const fn aliases(self, aliases: &'static [&'static str]) -> Self {
        Function { aliases, ..self }
    }

    /// The error bound; twice as much for complex results.
    pub(super) const fn ulp(self, ulp: u32) -> Self {
        Function { ulp, complex_ulp: 2 * ulp, ..self }
    }

    /// The error bound of complex results.
    pub(super) const fn complex_ulp(self, complex_ulp: u32) -> Self {
        Function { complex_ulp, ..self }
    }

    /// What it does, in one line.
    pub(super) const fn doc(self, doc: &'static str) -> Self {
        Function { doc, ..self }
    }

    /// An expression that uses it.
    pub(super) const fn example(self, example: &'static str) -> Self {
        Function { example, ..self }
    }
}

impl Function {
    /// A call that works, as help; `None` where the row has no example, and the arguments are not obvious.
    pub fn working_call(&self) -> Option<String> {
        let shown = self.name.replacen("numpy", "np", 1);
        let call = match &self.class {
            _ if !self.example.is_empty() => self.example.to_owned(),
            Class::Map(row) if row.n_inputs == 1 => format!("{shown}(x)"),
            Class::Map(row) if row.n_inputs == 2 => format!("{shown}(x, x)"),
            Class::Reduce(_) | Class::Scan(_) if self.name.starts_with("numpy.") => format!("{shown}(x)"),
            _ => return None,
        };
        Some(format!("of a vector `x` and a matrix `y` this works: `{call}`"))
    }
}

/// Every row, in the order of the documentation.
pub fn all() -> impl Iterator<Item = &'static Function> {
    let tables: [&'static [Function]; 26] = [
        ufuncs::arithmetic::TABLE,
        ufuncs::exponential::TABLE,
        ufuncs::trigonometric::TABLE,
        ufuncs::comparison::TABLE,
        ufuncs::bitwise::TABLE,
        ufuncs::floating::TABLE,
        reduction::TABLE,
        scan::TABLE,
        creation::TABLE,
        manipulation::TABLE,
        memory::TABLE,
        turning::TABLE,
        diagonals::TABLE,
        triangles::TABLE,
        repeating::TABLE,
        windows::TABLE,
        splitting::TABLE,
        joining::TABLE,
        indexing::TABLE,
        choosing::TABLE,
        taking::TABLE,
        putting::TABLE,
        linear::TABLE,
        einsum::TABLE,
        &library::TABLE,
        math::TABLE,
    ];
    tables.into_iter().flatten()
}

/// Finds a function by its dotted name (`numpy.add`, `ndarray.sum`, `math.sqrt`, `numpy.add.outer`), aliases included.
pub fn lookup(name: &str) -> Option<&'static Function> {
    all().find(|f| f.name == name || f.aliases.contains(&name)).or_else(|| methods::lookup(name))
}

/// A value in the user's words: «a `float64` array of 2 axes», «`None`».
pub fn describe(builder: &Builder, value: &PyValue) -> String {
    binding::describe(builder, value)
}

/// Emits a call. Methods take their owner as the first positional argument.
pub fn call(
    builder: &mut Builder,
    function: &'static Function,
    arguments: &Arguments,
) -> Result<PyValue, FunctionError> {
    let mut call = binding::bind(builder, function, arguments)?;
    halves::check(&call)?;
    match &function.class {
        Class::Map(row) => ufunc::call(&mut call, row),
        Class::Reduce(row) => reduction::call(&mut call, row),
        Class::Scan(row) => scan::call(&mut call, row),
        Class::Host(row) => math::call(&mut call, row),
        Class::View(emit) | Class::Create(emit) | Class::Index(emit) | Class::Contract(emit) | Class::Expand(emit) => {
            emit(&mut call)
        }
        Class::Library => {
            Err(error::bad_argument(format!("`{}` cannot be called by other functions of the table", function.name)))
        }
    }
}
