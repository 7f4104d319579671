//! Which methods containers have.

use crate::values::container_types::Sort;

/// Methods by which a list changes.
const CHANGING: &[&str] = &["append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse"];
/// Those by which it does not.
const READING: &[&str] = &["index", "count", "copy"];
const OF_DICTIONARIES: &[&str] =
    &["get", "setdefault", "pop", "popitem", "keys", "values", "items", "update", "clear", "copy", "__getitem__"];
/// What deques have of lists' methods, and of their own.
const OF_DEQUES: &[&str] = &[
    "append",
    "appendleft",
    "clear",
    "copy",
    "count",
    "extend",
    "extendleft",
    "index",
    "insert",
    "pop",
    "popleft",
    "remove",
    "reverse",
    "rotate",
];
/// What counters have beside the methods of dictionaries.
const OF_COUNTERS: &[&str] = &["elements", "most_common", "subtract", "total"];
const OF_SETS: &[&str] = &[
    "add",
    "discard",
    "remove",
    "pop",
    "clear",
    "copy",
    "update",
    "union",
    "intersection",
    "difference",
    "symmetric_difference",
    "intersection_update",
    "difference_update",
    "symmetric_difference_update",
    "issubset",
    "issuperset",
    "isdisjoint",
];

/// Whether a list has a method that is compiled.
fn is_list_method(name: &str) -> bool {
    CHANGING.contains(&name) || READING.contains(&name)
}

/// Whether a container of a sort has a method that is compiled.
pub(crate) fn is_method(sort: Sort, name: &str) -> bool {
    match sort {
        Sort::List => is_list_method(name),
        Sort::Dictionary => OF_DICTIONARIES.contains(&name),
        Sort::Set => OF_SETS.contains(&name),
        Sort::Tuple => matches!(name, "index" | "count"),
        Sort::Deque => OF_DEQUES.contains(&name),
        Sort::Counter => OF_DICTIONARIES.contains(&name) || OF_COUNTERS.contains(&name),
        Sort::Default => OF_DICTIONARIES.contains(&name),
    }
}
