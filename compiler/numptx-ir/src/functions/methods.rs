//! Methods of ufuncs: `np.add.outer`, `np.add.at`, `np.add.reduce`, `np.add.accumulate`, `np.add.reduceat`. Every elementwise row of two operands has
//! them. Reductions that a reducer computes are other names of a reduction's row; functions of the library compute the others.

use std::sync::LazyLock;

use super::binding::Call;
use super::elementwise::check_rank;
use super::error::bad_argument;
use super::reduction::{Accumulate, Reduction, TYPED};
use super::value::{Arguments, Family, FunctionError, PyValue, Typed};
use super::{Class, Function, convert, taking};
use crate::DType;
use crate::scalar::Reducer;

/// Ufuncs that reduce, and the row that does it.
const REDUCTIONS: &[(&str, &str)] = &[
    ("numpy.add", "numpy.sum"),
    ("numpy.multiply", "numpy.prod"),
    ("numpy.maximum", "numpy.max"),
    ("numpy.minimum", "numpy.min"),
    ("numpy.fmax", "numpy.nanmax"),
    ("numpy.fmin", "numpy.nanmin"),
];

/// Rows of reductions that have no other name.
static UNNAMED: [Function; 6] = [
    unnamed("numpy.logical_and.reduce", Reducer::And, Accumulate::Truth),
    unnamed("numpy.logical_or.reduce", Reducer::Or, Accumulate::Truth),
    unnamed("numpy.logical_xor.reduce", Reducer::Xor, Accumulate::Truth),
    unnamed("numpy.bitwise_and.reduce", Reducer::And, Accumulate::Own),
    unnamed("numpy.bitwise_or.reduce", Reducer::Or, Accumulate::Own),
    unnamed("numpy.bitwise_xor.reduce", Reducer::Xor, Accumulate::Own),
];

const fn unnamed(name: &'static str, reducer: Reducer, accumulate: Accumulate) -> Function {
    Function::new(name, TYPED, Class::Reduce(Reduction { reducer, accumulate, prepare: None, empty: None }))
}

/// Ufuncs of two operands of different dtypes: what they give is none of what they take.
const NOT_COMBINING: &[&str] = &["numpy.ldexp"];

/// Of signatures that name what NumPy's hides.
const SAYS_KEYWORDS: &str = "names what NumPy's signature has as `**kwargs`";

/// Names of the methods' rows, which live as long as the rows.
static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let methods = |function: &'static Function| {
        let found: &[&str] = match &function.class {
            Class::Map(row) if row.n_inputs == 2 && row.n_outputs == 2 => &["outer"],
            Class::Map(row) if row.n_inputs == 2 && NOT_COMBINING.contains(&function.name) => &["outer", "at"],
            Class::Map(row) if row.n_inputs == 2 => &["outer", "at", "reduce", "accumulate", "reduceat"],
            Class::Map(row) if row.n_inputs == 1 && row.n_outputs == 1 => &["at"],
            _ => &[],
        };
        let names = std::iter::once(function.name).chain(function.aliases.iter().copied());
        let names = names.filter(|name| name.starts_with("numpy."));
        names.flat_map(|name| found.iter().map(move |method| format!("{name}.{method}"))).collect::<Vec<String>>()
    };
    super::all().flat_map(methods).collect()
});

static ROWS: LazyLock<Vec<Function>> = LazyLock::new(|| NAMES.iter().map(|name| row_of(name)).collect());

const REDUCE: &str = "array, /, axis=0, dtype=None, out=None, keepdims=False, initial=<no value>, where=True";

fn row_of(name: &'static str) -> Function {
    let (owner, method) = name.rsplit_once('.').unwrap_or((name, ""));
    match method {
        "outer" => {
            let parameters = "A, B, /, *, out=None, where=True, casting='same_kind', dtype=None, **kwargs";
            Function::new(name, parameters, Class::Expand(outer)).differs(SAYS_KEYWORDS)
        }
        "at" => Function::new(name, "a, indices, b=None, /", Class::Expand(at)),
        "accumulate" => Function::new(name, "array, /, axis=0, dtype=None, out=None", Class::Library),
        "reduceat" => Function::new(name, "array, /, indices, axis=0, dtype=None, out=None", Class::Library),
        _ if reduction_of(owner).is_some() => Function::new(name, REDUCE, Class::Expand(reduce)).differs(SAYS_KEYWORDS),
        _ => Function::new(name, REDUCE, Class::Library).differs(SAYS_KEYWORDS),
    }
}

/// The row of the reduction that a ufunc's `reduce` is.
fn reduction_of(owner: &str) -> Option<&'static Function> {
    let named = REDUCTIONS.iter().find(|(name, _)| *name == owner).and_then(|(_, row)| super::lookup(row));
    named.or_else(|| UNNAMED.iter().find(|row| row.name.strip_suffix(".reduce") == Some(owner)))
}

/// A row for each method, for the documentation: `numpy.add` stands for every function that has the method.
static OVERVIEW: LazyLock<[Function; 4]> = LazyLock::new(|| {
    [
        row_of("numpy.add.at").doc("adds to elements in turn, once more where an index is there again; in place; elementwise functions of two operands have it"),
        row_of("numpy.add.outer").doc("every element of the one with every element of the other; elementwise functions of two operands have it"),
        row_of("numpy.add.reduce").doc("the sum along an axis; elementwise functions of two operands have it, and `accumulate`, too"),
        row_of("numpy.add.reduceat").doc("sums of parts of an axis, each from one index to the next one; elementwise functions of two operands have it"),
    ]
});

/// What the documentation says of methods.
pub(super) fn overview() -> &'static [Function] {
    &*OVERVIEW
}

/// The row of a method: `numpy.add.outer`.
pub(super) fn lookup(name: &str) -> Option<&'static Function> {
    let ends = [".outer", ".at", ".reduce", ".accumulate", ".reduceat"].iter().any(|end| name.ends_with(end));
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
    let row = super::lookup(owner(call)).expect("methods belong to rows of the table");
    forward(call, row, operands, &["dtype", "out", "where", "casting"])
}

/// Combines elements with values in turn, each duplicate once more.
fn at(call: &mut Call) -> Result<PyValue, FunctionError> {
    match super::lookup(owner(call)).map(|function| &function.class) {
        Some(Class::Map(row)) if row.n_inputs == 2 => taking::at(call, row),
        _ => Err(bad_argument(format!("`{}` is no method", call.function.name))),
    }
}

/// Along the first axis unless `axis` says otherwise.
fn reduce(call: &mut Call) -> Result<PyValue, FunctionError> {
    let row = reduction_of(owner(call)).expect("the row says that it reduces");
    let mut array = call.array("array")?;
    let accumulate = if let Class::Reduce(row) = &row.class { row.accumulate } else { Accumulate::Own };
    if let Some(dtype) = call.dtype("dtype")? {
        match accumulate {
            Accumulate::Truth if dtype != DType::Bool => return Err(call.refuse("dtype", "`bool`, or left out")),
            Accumulate::Own => array.value = convert::cast_array(call.builder, array.value, dtype),
            _ => {}
        }
    }
    let mut arguments = vec![PyValue::Typed(array)];
    let first = Typed { value: call.builder.i64(0), family: Family::Python };
    arguments.push(call.get("axis").unwrap_or(PyValue::Typed(first)));
    let keywords = ["dtype", "out", "keepdims", "initial", "where"];
    forward(call, row, arguments, if accumulate == Accumulate::Wide { &keywords } else { &keywords[1..] })
}

fn forward(
    call: &mut Call,
    row: &'static Function,
    positional: Vec<PyValue>,
    keywords: &[&str],
) -> Result<PyValue, FunctionError> {
    // `None` says something of `initial` only.
    let says = |name: &str, value: &PyValue| name == "initial" || *value != PyValue::None;
    let given = |name: &&str| call.get(name).filter(|v| says(name, v)).map(|value| (name.to_string(), value));
    let keywords = keywords.iter().filter_map(given).collect();
    super::call(call.builder, row, &Arguments { positional, keywords, ..Arguments::default() })
}
