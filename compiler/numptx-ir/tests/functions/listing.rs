//! What is listed beside the rows: every name once, in the table, in `beside.txt` or in `refused.rs`.

use std::collections::BTreeSet;

use numptx_ir::functions::beside::{self, Sort};
use numptx_ir::functions::refused::{self, Why};
use numptx_ir::functions::{all, lookup, supported};

/// A row makes the line of its name here needless: the functions that are named lose theirs.
#[test]
fn no_name_is_listed_twice() {
    let twice: Vec<&str> = refused::all().map(|r| r.name).filter(|name| lookup(name).is_some()).collect();
    assert!(twice.is_empty(), "these have rows: remove their lines from `functions/refused/`: {}", twice.join(" "));
    let twice: Vec<&str> = beside::ALL.iter().map(|b| b.name).filter(|name| lookup(name).is_some()).collect();
    assert!(twice.is_empty(), "these have rows: remove their lines from `functions/beside.txt`: {}", twice.join(" "));
    let mut seen = BTreeSet::new();
    for name in refused::all().map(|r| r.name).chain(beside::ALL.iter().map(|b| b.name)) {
        assert!(seen.insert(name), "`{name}` is listed twice");
        assert!(name.starts_with("numpy.") || name.starts_with("ndarray."), "`{name}` belongs to no module");
    }
}

#[test]
fn alternatives_name_the_function_and_no_other_that_is_refused() {
    let short = |name: &'static str| name.rsplit('.').next().unwrap();
    for refused in refused::all() {
        let Why::Instead { call, write } = refused.why else { continue };
        let is_own = refused.name.ends_with("flatiter") || call.contains(short(refused.name));
        assert!(is_own, "`{}`: the call is of another function", refused.name);
        for other in refused::all().filter(|other| other.name.starts_with("numpy.")) {
            let path = other.name.replacen("numpy", "np", 1);
            assert!(!calls(write, &path), "`{}`: `{path}` is not compiled", refused.name);
        }
    }
}

/// Whether a program has this dotted name.
fn calls(program: &str, path: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    program.match_indices(path).any(|(at, _)| !program[at + path.len()..].starts_with(is_word))
}

#[test]
fn names_beside_the_table_are_documented() {
    for name in beside::ALL.iter() {
        assert!(!name.doc.is_empty() && !name.doc.ends_with('.'), "`{}` needs a line of documentation", name.name);
        let has_parameters = !name.parameters.is_empty();
        assert_eq!(has_parameters, name.sort == Sort::Function, "`{}`", name.name);
    }
}

#[test]
fn the_list_has_every_name() {
    let names: BTreeSet<&str> = supported::list().into_iter().flat_map(|(_, lines)| lines).map(|l| l.name).collect();
    let rows = all().map(|f| f.name);
    let others = refused::all().map(|r| r.name).chain(beside::ALL.iter().map(|b| b.name));
    for name in rows.chain(others) {
        assert!(names.contains(name), "`{name}` is not in the list");
    }
}
