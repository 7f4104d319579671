//! Methods of ufuncs: `np.add.outer`, `np.add.at`, `np.add.reduce`. Every elementwise row of two operands has the first two; the third is
//! another name of a reduction's row.

use std::sync::LazyLock;

use super::binding::Call;
use super::elementwise::check_rank;
use super::error::bad_argument;
use super::value::{Arguments, Family, FunctionError, PyValue, Typed};
use super::{Class, Function, taking};

/// Ufuncs that reduce, and the row that does it.
const REDUCTIONS: &[(&str, &str)] = &[
    ("numpy.add", "numpy.sum"),
    ("numpy.multiply", "numpy.prod"),
    ("numpy.maximum", "numpy.max"),
    ("numpy.minimum", "numpy.min"),
    ("numpy.fmax", "numpy.nanmax"),
    ("numpy.fmin", "numpy.nanmin"),
    ("numpy.logical_and", "numpy.all"),
    ("numpy.logical_or", "numpy.any"),
];

/// Of signatures that name what NumPy's hides.
const SAYS_KEYWORDS: &str = "names what NumPy's signature has as `**kwargs`";

/// Names of the methods' rows, which live as long as the rows.
static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let binary = |f: &&'static Function| matches!(&f.class, Class::Map(row) if row.n_inputs == 2 && row.n_outputs == 1);
    let names = |f: &'static Function| std::iter::once(f.name).chain(f.aliases.iter().copied());
    let owners = super::all().filter(binary).flat_map(names).filter(|n| n.starts_with("numpy."));
    owners
        .flat_map(|name| [format!("{name}.outer"), format!("{name}.at")])
        .chain(REDUCTIONS.iter().map(|(name, _)| format!("{name}.reduce")))
        .collect()
});

static ROWS: LazyLock<Vec<Function>> = LazyLock::new(|| NAMES.iter().map(|name| row_of(name)).collect());

fn row_of(name: &'static str) -> Function {
    match name.rsplit_once('.').map(|(_, method)| method) {
        Some("outer") => Function::new(name, "A, B, /, *, dtype=None, out=None, **kwargs", Class::Expand(outer))
            .differs(SAYS_KEYWORDS),
        Some("at") => Function::new(name, "a, indices, b=None, /", Class::Expand(at)),
        _ => Function::new(
            name,
            "array, /, axis=0, dtype=None, out=None, keepdims=False, initial=<no value>, where=True",
            Class::Expand(reduce),
        )
        .differs(SAYS_KEYWORDS),
    }
}

/// A row for each method, for the documentation: `numpy.add` stands for every function that has the method.
static OVERVIEW: LazyLock<[Function; 3]> = LazyLock::new(|| {
    [
        row_of("numpy.add.at").doc("adds to elements in turn, once more where an index is there again; in place; elementwise functions of two operands have it"),
        row_of("numpy.add.outer").doc("every element of the one with every element of the other; elementwise functions of two operands have it"),
        row_of("numpy.add.reduce").doc(
            "the sum along an axis; `multiply`, `maximum`, `minimum`, `fmax`, `fmin`, `logical_and` and `logical_or` have it, too",
        ),
    ]
});

/// What the documentation says of methods.
pub(super) fn overview() -> &'static [Function] {
    &*OVERVIEW
}

/// The row of a method: `numpy.add.outer`.
pub(super) fn lookup(name: &str) -> Option<&'static Function> {
    let ends = [".outer", ".at", ".reduce"].iter().any(|end| name.ends_with(end));
    if ends { ROWS.iter().find(|f| f.name == name) } else { None }
}

/// The function whose method is called.
fn owner(call: &Call) -> &'static str {
    call.function.name.rsplit_once('.').map_or("", |(owner, _)| owner)
}

/// Every element of the one with every element of the other. Scalars count as arrays of their own dtype, Python's too.
fn outer(call: &mut Call) -> Result<PyValue, FunctionError> {
    let (mut first, second) = (call.array("A")?.value, call.array("B")?.value);
    let (rank, other) = (call.builder.rank(first), call.builder.rank(second));
    check_rank(rank + other)?;
    for axis in rank..rank + other {
        first = call.builder.new_axis(first, axis);
    }
    let operands = [first, second].map(PyValue::array).to_vec();
    forward(call, owner(call), operands, &["dtype", "out"])
}

/// Combines elements with values in turn, each duplicate once more.
fn at(call: &mut Call) -> Result<PyValue, FunctionError> {
    match super::lookup(owner(call)).map(|function| &function.class) {
        Some(Class::Map(row)) => taking::at(call, row),
        _ => Err(bad_argument(format!("`{}` is no method", call.function.name))),
    }
}

/// Along the first axis unless `axis` says otherwise.
fn reduce(call: &mut Call) -> Result<PyValue, FunctionError> {
    let array = call.array("array")?;
    let mut arguments = vec![PyValue::Typed(array)];
    let first = Typed { value: call.builder.i64(0), family: Family::Python };
    arguments.push(call.get("axis").unwrap_or(PyValue::Typed(first)));
    let row = REDUCTIONS.iter().find(|(name, _)| *name == owner(call)).map_or("", |(_, row)| row);
    forward(call, row, arguments, &["dtype", "out", "keepdims", "initial", "where"])
}

fn forward(call: &mut Call, row: &str, positional: Vec<PyValue>, keywords: &[&str]) -> Result<PyValue, FunctionError> {
    // `None` says something of `initial` only.
    let says = |name: &str, value: &PyValue| name == "initial" || *value != PyValue::None;
    let given = |name: &&str| call.get(name).filter(|v| says(name, v)).map(|value| (name.to_string(), value));
    let keywords = keywords.iter().filter_map(given).collect();
    let function = super::lookup(row).expect("methods belong to rows of the table");
    super::call(call.builder, function, &Arguments { positional, keywords, ..Arguments::default() })
}
