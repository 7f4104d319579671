//! Rows of class `Library`: functions that are written in Python, in `numptx-lower/src/library/`. They stand in files beside this one, a chapter each.
//!
//! A row is a signature, then a line that says what the function does, then what else there is to say, by name:
//!
//! ```text
//! numpy.searchsorted(a: array 1, v: array, side: 'left' | 'right' = 'left', sorter: array 1 of integers = None)
//!     where values belong in a sorted vector
//!     aliases: ndarray.searchsorted
//! ```
//!
//! Each parameter says what it takes, in words of [`Takes`], or that it takes its `default` only. `$NAME = …` names a text for the lines below it.

use std::sync::LazyLock;

use super::parameters::parts;
use super::takes::Takes;
use super::{Class, Function};

const FILES: [&str; 14] = [
    include_str!("library/modules.txt"),
    include_str!("library/memory.txt"),
    include_str!("library/sets.txt"),
    include_str!("library/positions.txt"),
    include_str!("library/inserting.txt"),
    include_str!("library/applying.txt"),
    include_str!("library/statistics.txt"),
    include_str!("library/polynomials.txt"),
    include_str!("library/orthogonal_polynomials.txt"),
    include_str!("library/signals.txt"),
    include_str!("library/algebra.txt"),
    include_str!("library/fourier.txt"),
    include_str!("library/special.txt"),
    include_str!("library/cmath.txt"),
];

/// The rows.
pub static TABLE: LazyLock<Vec<Function>> = LazyLock::new(|| FILES.into_iter().flat_map(rows).collect());

/// The rows of a file.
fn rows(text: &str) -> Vec<Function> {
    let mut named: Vec<(String, String)> = Vec::new();
    let mut rows: Vec<Function> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let definition = line.split_once(" = ").filter(|_| line.starts_with('$'));
        let fill = |text: &str| named.iter().fold(text.to_string(), |text, (name, is)| text.replace(name, is));
        if let Some((name, is)) = definition {
            named.push((name.to_string(), fill(is)));
            continue;
        }
        let line: &'static str = fill(line).leak();
        let read = match line.strip_prefix("    ") {
            Some(detail) => rows.pop().and_then(|row| with_detail(row, detail)),
            None => row(line),
        };
        rows.push(read.unwrap_or_else(|| panic!("a row of the library is wrong: {line}")));
    }
    rows
}

/// A row of its signature.
fn row(line: &'static str) -> Option<Function> {
    let (name, rest) = line.split_once('(')?;
    let (mut shown, mut takes, mut without) = (Vec::new(), Vec::new(), Vec::new());
    for part in parts(rest.strip_suffix(')')?) {
        let (part, default) = part.split_once(" = ").map_or((part, String::new()), |(p, d)| (p, format!("={d}")));
        let (parameter, what) = part.split_once(": ").unwrap_or((part, ""));
        shown.push(format!("{parameter}{default}"));
        match what {
            "" if matches!(parameter, "/" | "*") => {}
            "default" => without.push(parameter),
            _ => takes.push((parameter.trim_start_matches('*'), Takes::read(what)?)),
        }
    }
    let row = Function::new(name, shown.join(", ").leak(), Class::Library);
    Some(Function { takes: takes.leak(), without: without.leak(), ..row })
}

/// A row with what one more line says.
fn with_detail(row: Function, detail: &'static str) -> Option<Function> {
    if row.doc.is_empty() {
        return Some(row.doc(detail));
    }
    let (key, value) = detail.split_once(": ")?;
    Some(match key {
        "ulp" => row.ulp(value.parse().ok()?),
        "aliases" => row.aliases(value.split(", ").collect::<Vec<_>>().leak()),
        "method" => row.method(value),
        "differs" => row.differs(value),
        "example" => row.example(value),
        "lowering" => match value {
            "converts_members" => row.converts_members(),
            "of_pairs" => row.of_pairs(),
            _ => return None,
        },
        _ => return None,
    })
}
