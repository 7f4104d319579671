//! Names of NumPy that are compiled and have no row: types, constants, attributes of arrays, and functions that are decided when compiling.
//!
//! Lowering knows them by itself; this list is for the documentation and its tests. A row of the table has no line here.

use std::sync::LazyLock;

/// A name that has no row.
#[derive(Clone, Copy, Debug)]
pub struct Beside {
    /// Its dotted name: `numpy.float32`, `ndarray.shape`.
    pub name: &'static str,
    /// What it is.
    pub sort: Sort,
    /// Its parameters as Python writes them; empty for what is not called.
    pub parameters: &'static str,
    /// One line, lower case.
    pub doc: &'static str,
    /// An expression of `x`, a vector, and `y`, a matrix, both of float64.
    pub example: &'static str,
}

/// What such a name is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// A dtype, or a class of them.
    Type,
    /// A number, or a value of its own kind.
    Constant,
    /// An attribute of arrays.
    Attribute,
    /// A function or a class that is called.
    Function,
    /// An object that is indexed.
    Indexed,
}

impl Sort {
    const ALL: [Sort; 5] = [Sort::Type, Sort::Constant, Sort::Attribute, Sort::Function, Sort::Indexed];

    fn read(word: &str) -> Option<Sort> {
        Sort::ALL.into_iter().find(|sort| sort.name() == word)
    }

    /// Its name in the documentation and in `numptx functions --json`.
    pub fn name(self) -> &'static str {
        match self {
            Sort::Type => "type",
            Sort::Constant => "constant",
            Sort::Attribute => "attribute",
            Sort::Function => "function",
            Sort::Indexed => "indexed",
        }
    }
}

impl Beside {
    /// The name with the parameters that it takes.
    pub fn signature(&self) -> String {
        let is_called = self.sort == Sort::Function || !self.parameters.is_empty();
        if is_called { format!("{}({})", self.name, self.parameters) } else { self.name.to_owned() }
    }
}

/// The names.
pub static ALL: LazyLock<Vec<Beside>> = LazyLock::new(|| rows(include_str!("beside.txt")));

/// The names of a text: `[sort]` or `[sort] what they do`, then a signature a line, each with lines of its own below.
fn rows(text: &'static str) -> Vec<Beside> {
    let mut rows: Vec<Beside> = Vec::new();
    let (mut sort, mut of_all) = (Sort::Type, "");
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some((word, rest)) = line.strip_prefix('[').and_then(|line| line.split_once(']')) {
            sort = Sort::read(word).unwrap_or_else(|| panic!("no sort of names: {line}"));
            of_all = rest.trim();
        } else if let Some(detail) = line.strip_prefix("    ") {
            let row = rows.last_mut().unwrap_or_else(|| panic!("of no name: {line}"));
            match detail.strip_prefix("example: ") {
                Some(example) => row.example = example,
                None => row.doc = detail,
            }
        } else {
            let (name, parameters) = line.strip_suffix(')').and_then(|line| line.split_once('(')).unwrap_or((line, ""));
            rows.push(Beside { name, sort, parameters, doc: of_all, example: "" });
        }
    }
    rows
}
