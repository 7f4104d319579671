//! Every row is well formed, and computes what its loops say.

use std::collections::BTreeSet;

use numptx_ir::functions::loops::loops;
use numptx_ir::functions::parameters::parameters;
use numptx_ir::functions::{Class, Function, all, beside, lookup, refused, supported};
use numptx_ir::scalar::{BodyBuilder, InstrKind, ScalarOp, Val};

#[test]
fn names_are_unique_and_found() {
    let mut seen = BTreeSet::new();
    for row in all() {
        for name in std::iter::once(&row.name).chain(row.aliases) {
            assert!(seen.insert(*name), "`{name}` is defined twice");
            assert!(std::ptr::eq(lookup(name).unwrap(), row));
            let owner = name.split('.').next().unwrap();
            assert!(["numpy", "ndarray", "math", "cmath", "scipy"].contains(&owner), "`{name}` belongs to no module");
        }
    }
    assert!(lookup("numpy.nothing").is_none());
}

#[test]
fn rows_are_documented() {
    for row in all() {
        assert!(!row.doc.is_empty() && row.doc.is_ascii(), "`{}` needs a line of documentation", row.name);
        assert!(!row.doc.ends_with('.'), "`{}`: no full stop", row.name);
    }
}

#[test]
fn what_a_row_is_without_is_a_parameter() {
    for row in all() {
        let list = parameters(row.parameters);
        for name in row.without {
            let found = list.iter().find(|p| p.name == *name);
            assert!(found.is_some_and(|p| p.optional), "`{}` has no optional parameter `{name}`", row.name);
        }
    }
}

#[test]
fn a_method_has_as_many_parameters_as_its_function_at_most() {
    for row in all() {
        let Some(text) = row.method else { continue };
        let (own, method) = (parameters(row.parameters), parameters(text));
        assert!(method.len() <= own.len() && method[0].name == "self", "`{}`", row.name);
    }
}

/// Rows written in Python say of every parameter that they support what it takes; no other row does.
#[test]
fn parameters_of_the_library_are_checked() {
    for row in all() {
        let is_library = matches!(row.class, Class::Library);
        let supported = parameters(row.parameters).into_iter().map(|p| p.name).filter(|n| !row.without.contains(n));
        let expected: Vec<&str> = supported.filter(|_| is_library).collect();
        let found: Vec<&str> = row.takes.iter().map(|(name, _)| *name).collect();
        assert_eq!(found, expected, "`{}`", row.name);
    }
}

#[test]
fn parameters_can_be_read() {
    for row in all() {
        let list = parameters(row.parameters);
        assert!(!list.is_empty(), "`{}` has no parameters", row.name);
        let names: BTreeSet<_> = list.iter().map(|p| p.name).collect();
        assert_eq!(names.len(), list.len(), "`{}` names a parameter twice", row.name);
        assert!(list.iter().all(|p| p.name.chars().all(|c| c.is_alphanumeric() || c == '_')), "`{}`", row.name);
    }
}

/// The bodies of an elementwise row, one a loop.
fn bodies(row: &Function) -> Vec<(BodyBuilder, Vec<Val>, String)> {
    let Class::Map(map) = &row.class else { return Vec::new() };
    let mut list = Vec::new();
    for found in loops(map.loops) {
        let mut body = BodyBuilder::new();
        let inputs: Vec<Val> = found.inputs.iter().enumerate().map(|(n, d)| body.input(n as u32, *d)).collect();
        let outputs = map.compose(&found, &mut body, &inputs);
        let dtypes: Vec<_> = outputs.iter().map(|v| body.dtype(*v)).collect();
        assert_eq!(dtypes, found.outputs, "`{}` for {:?}", row.name, found.inputs);
        list.push((body, outputs, format!("`{}` for {:?}", row.name, found.inputs)));
    }
    list
}

#[test]
fn every_loop_computes_its_output_dtypes() {
    for row in all() {
        if let Class::Map(map) = &row.class {
            assert!(!bodies(row).is_empty(), "`{}` has no loop", row.name);
            assert!(!map.dtypes().is_empty(), "`{}` accepts nothing", row.name);
        }
        for (body, outputs, name) in bodies(row) {
            let body = body.finish(outputs);
            let inputs: Vec<_> = body.instrs.iter().filter(|i| matches!(i.kind, InstrKind::Input(_))).collect();
            assert!(inputs.len() <= 2, "{name}");
            assert!(body.instrs.len() < 400, "{name} has {} instructions", body.instrs.len());
        }
    }
}

#[test]
fn library_calls_have_an_error_bound() {
    for row in all() {
        for (body, outputs, name) in bodies(row) {
            let body = body.finish(outputs);
            let calls = body.instrs.iter().any(|i| matches!(i.kind, InstrKind::Op(ScalarOp::Math(_), _)));
            assert!(!calls || row.ulp > 0, "{name} calls a library function and needs `.ulp(n)`");
        }
    }
}

#[test]
fn the_documentation_is_the_table() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/supported.md");
    let expected = supported::markdown();
    if std::env::var_os("NUMPTX_BLESS").is_some() {
        std::fs::write(&path, &expected).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == expected,
        "docs/supported.md is stale: run `NUMPTX_BLESS=1 cargo test -p numptx-ir --test functions`"
    );
}

#[test]
fn json_has_a_line_for_every_name() {
    let json = supported::json();
    // Four methods of ufuncs stand for those of all.
    let n_others = beside::ALL.len() + refused::all().count();
    assert_eq!(json.lines().count(), all().count() + 4 + n_others + 2);
    assert!(json.contains("\"name\": \"numpy.add\", \"aliases\": [], \"class\": \"map\""));
}
