//! Functions and classes of Python's standard modules that are compiled, by name.

/// Classes of `collections` that are compiled.
const COLLECTIONS: &[&str] = &["deque", "Counter", "defaultdict"];

/// A class of `collections` that is compiled, by its name.
pub(crate) fn class_named(name: &str) -> Option<&'static str> {
    COLLECTIONS.iter().find(|own| **own == name).copied()
}

/// Functions of `itertools` that are made here.
const COMBINING: &[&str] = &[
    "itertools.chain",
    "itertools.chain.from_iterable",
    "itertools.combinations",
    "itertools.combinations_with_replacement",
    "itertools.count",
    "itertools.islice",
    "itertools.permutations",
    "itertools.product",
];

/// A function that is made here, by its path.
pub(crate) fn combining(path: &str) -> Option<&'static str> {
    COMBINING.iter().find(|own| **own == path).copied()
}

/// Functions that make functions.
const MAKING: &[&str] = &["functools.partial", "operator.attrgetter", "operator.itemgetter", "operator.methodcaller"];

/// A function that makes functions, by its path.
pub(crate) fn making(path: &str) -> Option<&'static str> {
    MAKING.iter().find(|own| **own == path).copied()
}
