//! Functions of NumPy that are not compiled: what to write instead of them, or why they are left to Python.
//!
//! In: a dotted name. Out: what a user is told. No name stands here and in the table, or in `beside.rs`: tests hold all three against each other and
//! against NumPy's own lists, so that a function that gets a row loses its line here.

mod alternatives;

use std::sync::LazyLock;

/// A function, class or attribute of NumPy that is not compiled.
#[derive(Clone, Copy, Debug)]
pub struct Refused {
    /// Its dotted name: `numpy.append`, `ndarray.flat`.
    pub name: &'static str,
    /// What there is instead.
    pub why: Why,
}

/// What there is instead of a function.
#[derive(Clone, Copy, Debug)]
pub enum Why {
    /// A program that computes the same.
    Instead {
        /// A call of the function.
        call: &'static str,
        /// Statements that are compiled, divided by `; `; the last one is an expression.
        write: &'static str,
    },
    /// It is no part of what numptx compiles.
    Left(Reason),
}

/// Why a function is left to Python.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It reads or writes files.
    Files,
    /// It makes or reads text.
    Text,
    /// It computes with dates.
    Dates,
    /// It computes with dtypes that compiled code does not have.
    DTypes,
    /// It is about an array's memory.
    Memory,
    /// It is about warnings of floating-point operations.
    Errors,
    /// It is about NumPy itself.
    Environment,
    /// It is about objects of Python.
    Objects,
    /// It is about classes derived from arrays.
    Subclasses,
    /// It is about floats of a size that compiled code does not have.
    Precision,
    /// It is about random numbers, or the state that they come from.
    Random,
}

impl Reason {
    const ALL: [Reason; 11] = [
        Reason::Files,
        Reason::Text,
        Reason::Dates,
        Reason::DTypes,
        Reason::Memory,
        Reason::Errors,
        Reason::Environment,
        Reason::Objects,
        Reason::Subclasses,
        Reason::Precision,
        Reason::Random,
    ];

    /// One word, for tools.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Files => "files",
            Reason::Text => "text",
            Reason::Dates => "dates",
            Reason::DTypes => "dtypes",
            Reason::Memory => "memory",
            Reason::Errors => "errors",
            Reason::Environment => "environment",
            Reason::Objects => "objects",
            Reason::Subclasses => "subclasses",
            Reason::Precision => "precision",
            Reason::Random => "random",
        }
    }

    /// What to do instead.
    pub fn help(self) -> &'static str {
        match self {
            Reason::Files => "read and write files in Python, and pass arrays",
            Reason::Text => "make text in Python, of what the compiled function returns",
            Reason::Dates => "compute with days or seconds as integers: pass `dates.astype(\"int64\")`",
            Reason::DTypes => {
                "dtypes are those of the export line: ask for `x.dtype`, and write `np.float64` where another is needed"
            }
            Reason::Memory => {
                "numptx decides where elements lie: use `shape`, `ndim` and `dtype`; `x.copy()` has memory of its own"
            }
            Reason::Errors => {
                "leave it out: floating-point operations neither warn nor raise; `with np.errstate(all=\"ignore\"):` is compiled"
            }
            Reason::Environment => "ask NumPy in Python, and pass what the function needs",
            Reason::Objects => {
                "arrays hold numbers and bools; lists and dictionaries of numbers, strings and tuples are compiled"
            }
            Reason::Subclasses => "use arrays: `np.asarray(x)` of two axes, and `@` for products",
            Reason::Precision => "compute in `np.float32` or `np.float64`: `x.astype(np.float32)`",
            Reason::Random => {
                "draw of a generator, `mean + rng.standard_normal((n, k)) @ np.linalg.cholesky(cov).T`; its state is read and written in Python"
            }
        }
    }
}

impl Refused {
    /// What a report says to do.
    pub fn help(&self) -> String {
        match self.why {
            Why::Instead { call, write } => format!("instead of `{call}` write `{write}`"),
            Why::Left(reason) => reason.help().to_owned(),
        }
    }
}

/// What is left to Python.
static LEFT: LazyLock<Vec<Refused>> = LazyLock::new(|| {
    let mut rows = Vec::new();
    let mut why = None;
    for line in include_str!("refused/left.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            Some(word) => why = Reason::ALL.into_iter().find(|reason| reason.name() == word).map(Why::Left),
            None => {
                rows.push(Refused { name: line, why: why.unwrap_or_else(|| panic!("left for no reason: {line}")) });
            }
        }
    }
    rows
});

/// All of them, by module and name.
pub fn all() -> impl Iterator<Item = &'static Refused> {
    [alternatives::NUMPY, alternatives::METHODS, &LEFT].into_iter().flatten()
}

/// Finds one by its dotted name.
pub fn lookup(name: &str) -> Option<&'static Refused> {
    all().find(|refused| refused.name == name)
}

const fn instead(name: &'static str, call: &'static str, write: &'static str) -> Refused {
    Refused { name, why: Why::Instead { call, write } }
}
