//! The names of types in exports, and what is said about names that are not among them.

use numptx_source::{Report, Span, code};

use crate::ast::ScalarName;

/// Names by which a scalar type is written. `byte`, `intc` and their like are C's types on the platforms
/// that numptx compiles for.
const SCALARS: &[(&str, ScalarName)] = &[
    ("bool", ScalarName::PyBool),
    ("int", ScalarName::PyInt),
    ("float", ScalarName::PyFloat),
    ("complex", ScalarName::PyComplex),
    ("bool_", ScalarName::Bool),
    ("int8", ScalarName::Int8),
    ("int16", ScalarName::Int16),
    ("int32", ScalarName::Int32),
    ("int64", ScalarName::Int64),
    ("uint8", ScalarName::UInt8),
    ("uint16", ScalarName::UInt16),
    ("uint32", ScalarName::UInt32),
    ("uint64", ScalarName::UInt64),
    ("float16", ScalarName::Float16),
    ("float32", ScalarName::Float32),
    ("float64", ScalarName::Float64),
    ("complex64", ScalarName::Complex64),
    ("complex128", ScalarName::Complex128),
    ("byte", ScalarName::Int8),
    ("ubyte", ScalarName::UInt8),
    ("intc", ScalarName::Int32),
    ("uintc", ScalarName::UInt32),
    ("intp", ScalarName::Int64),
    ("uintp", ScalarName::UInt64),
];

/// Names of C's and NumPy's that are written otherwise here.
const HINTS: &[(&str, &str)] = &[
    ("double", "float64"),
    ("half", "float16"),
    ("single", "float32"),
    ("long", "int64"),
    ("short", "int16"),
    ("char", "int8"),
    ("ushort", "uint16"),
    ("ulong", "uint64"),
    ("uint", "uint64"),
    ("size_t", "uint64"),
    ("ssize_t", "int64"),
    ("void", "None"),
    ("csingle", "complex64"),
    ("cdouble", "complex128"),
    ("boolean", "bool"),
    ("string", "str"),
    ("ndarray", "float64[:]"),
    ("array", "float64[:]"),
    ("list", "int64[:]"),
    ("tuple", "(int, float)"),
];

/// Types that exist in NumPy or Pythran and are not compiled, with what to use.
const REFUSED: &[(&str, &str)] = &[
    ("float128", "float64"),
    ("float96", "float64"),
    ("longdouble", "float64"),
    ("complex256", "complex128"),
    ("complex192", "complex128"),
    ("clongdouble", "complex128"),
    ("object", "float64"),
    ("object_", "float64"),
    ("str_", "uint8"),
    ("bytes_", "uint8"),
    ("datetime64", "int64"),
    ("timedelta64", "int64"),
    ("bytes", "uint8[:]"),
    ("slice", "int, int"),
    ("set", "int64[:]"),
    ("dict", "float64[:]"),
];

/// The type to use instead of one of NumPy or Pythran that is not compiled.
pub(crate) fn instead_of(name: &str) -> Option<&'static str> {
    REFUSED.iter().find(|(n, _)| *n == name).map(|(_, instead)| *instead)
}

/// The scalar type of a name; a module's prefix such as `np.` is left out.
pub(crate) fn scalar(name: &str) -> Option<ScalarName> {
    let name = without_module(name);
    SCALARS.iter().find(|(n, _)| *n == name).map(|(_, scalar)| *scalar)
}

/// The dtype of an array whose element type is written by this name: `float[:]` holds `float64`.
pub(crate) fn element(scalar: ScalarName) -> ScalarName {
    match scalar {
        ScalarName::PyBool => ScalarName::Bool,
        ScalarName::PyInt => ScalarName::Int64,
        ScalarName::PyFloat => ScalarName::Float64,
        ScalarName::PyComplex => ScalarName::Complex128,
        other => other,
    }
}

/// The canonical name of a scalar type, as it is printed.
pub(crate) fn written(scalar: ScalarName) -> &'static str {
    SCALARS.iter().find(|(_, s)| *s == scalar).map_or("", |(name, _)| name)
}

/// Whether a text begins with the name of a type.
pub(super) fn starts_with_a_type(text: &str) -> bool {
    let name: String =
        text.trim_start_matches(['(', ' ']).chars().take_while(|c| c.is_alphanumeric() || "_.".contains(*c)).collect();
    let name = without_module(&name);
    scalar(name).is_some() || REFUSED.iter().any(|(n, _)| *n == name)
}

/// The report about a name that is not a type.
pub(super) fn unknown(name: &str, span: Span) -> Report {
    let bare = without_module(name);
    if let Some(instead) = instead_of(bare) {
        return Report::error(code::UNSUPPORTED_DTYPE, span, format!("numptx does not compile the type `{name}`"))
            .label("not on both the CPU and the GPU")
            .help(format!("use `{instead}`"));
    }
    let report = Report::error(code::UNKNOWN_DTYPE, span, format!("there is no type `{name}`"));
    let hint = HINTS.iter().find(|(n, _)| *n == bare).map(|(_, hint)| *hint).or_else(|| nearest(bare));
    match hint {
        Some(hint) => report.label(format!("did you mean `{hint}`?")).help(format!("write `{hint}`")),
        None => report.label("unknown").help(
            "types are `bool`, `int`, `float`, `complex`, `int8` to `int64`, `uint8` to `uint64`, `float16`, `float32`, `float64`, `complex64`, `complex128`",
        ),
    }
}

/// Whether a name is that of a type with a letter or two wrong.
pub(super) fn is_misspelt(name: &str) -> bool {
    let is_other = HINTS.iter().any(|(own, _)| *own == name) || REFUSED.iter().any(|(own, _)| *own == name);
    !is_other && nearest(name).is_some()
}

/// Whether a name is that of a dtype of NumPy's that is not compiled.
pub(super) fn is_refused_dtype(name: &str) -> bool {
    without_module(name) != name && instead_of(without_module(name)).is_some()
}

fn nearest(name: &str) -> Option<&'static str> {
    let own = SCALARS.iter().map(|(n, _)| (*n, *n)).filter(|(n, _)| *n != "bool_");
    let candidates = own.chain(HINTS.iter().copied());
    let lower = name.to_lowercase();
    let (gap, best) = candidates.map(|(n, hint)| (distance(&lower, n), hint)).min_by_key(|(gap, _)| *gap)?;
    (gap <= 2 && gap < name.len().div_ceil(2)).then_some(best)
}

/// The number of letters to insert, delete or replace between two short words.
pub(super) fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().take(64).enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

fn without_module(name: &str) -> &str {
    name.strip_prefix("np.").or_else(|| name.strip_prefix("numpy.")).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::{distance, scalar, starts_with_a_type};
    use crate::ast::ScalarName;

    #[test]
    fn distances_are_edits() {
        assert_eq!(distance("export", "export"), 0);
        assert_eq!(distance("exprt", "export"), 1);
        assert_eq!(distance("flaot64", "float64"), 2);
        assert_eq!(distance("", "abc"), 3);
    }

    #[test]
    fn c_names_are_fixed_widths() {
        assert_eq!(scalar("intp"), Some(ScalarName::Int64));
        assert_eq!(scalar("np.uintc"), Some(ScalarName::UInt32));
        assert_eq!(scalar("long"), None);
        assert!(starts_with_a_type("(float64, int)"));
        assert!(!starts_with_a_type("Callable[[int], int]"));
    }
}
