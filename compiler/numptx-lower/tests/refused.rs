//! Names of NumPy that are not compiled are refused with what there is instead; those that are compiled without a row are not refused.

use numptx_ir::functions::beside;
use numptx_ir::functions::refused::{self, Refused};
use numptx_source::{Reports, Severity, Source, code};

fn lower(statement: &str) -> Reports {
    let text = format!(
        "import numpy as np\nimport numpy.linalg\nimport numpy.random\n\n\n#numptx export f(float64[:], float64[:,:])\ndef f(x, y):\n    {statement}\n"
    );
    let (tree, mut reports) = numptx_syntax::parse(&Source::new("calls", text.as_str()));
    reports.extend(numptx_lower::lower(&tree, "calls").1);
    reports
}

/// The name as programs write it.
fn written(name: &str) -> String {
    name.replacen("numpy.", "np.", 1).replacen("ndarray.", "x.", 1)
}

fn wrong(refused: &Refused) -> Option<String> {
    let reports = lower(&format!("return {}", written(refused.name)));
    // A dtype's name has a help of its own.
    let is_meant = |r: &numptx_source::Report| match r.code {
        code::UNKNOWN_FUNCTION if r.message.contains("dtype") => r.help.is_some(),
        code::UNKNOWN_FUNCTION | code::UNKNOWN_ATTRIBUTE => r.help.as_deref() == Some(refused.help().as_str()),
        _ => false,
    };
    let short = refused.name.rsplit('.').next().unwrap_or_default();
    let is_named = |r: &numptx_source::Report| r.message.contains(&format!("{short}`"));
    (!reports.iter().any(|r| is_meant(r) && is_named(r))).then(|| refused.name.to_owned())
}

#[test]
fn refused_names_are_refused_with_what_there_is_instead() {
    let wrong: Vec<String> = refused::all().filter_map(wrong).collect();
    assert!(
        wrong.is_empty(),
        "these are compiled, or refused in other words: remove their lines from `functions/refused/`; where they have no row, \
         they need one in `functions/beside.txt`: {}",
        wrong.join(" ")
    );
}

#[test]
fn names_beside_the_table_are_compiled() {
    for name in beside::ALL.iter().filter(|name| !name.example.is_empty()) {
        let reports = lower(&format!("return {}", name.example));
        let errors: Vec<&str> =
            reports.iter().filter(|r| r.severity == Severity::Error).map(|r| r.message.as_str()).collect();
        assert!(errors.is_empty(), "{}: {}", name.example, errors.join("; "));
    }
}

/// A run names all of them, those of a star's import too.
#[test]
fn several_are_refused_at_once() {
    let reports = lower("return np.save(x), np.nested_iters(y), np.busday_count(x, x), np.show_config()");
    assert_eq!(reports.iter().filter(|r| r.code == code::UNKNOWN_FUNCTION).count(), 4);
    let text = "from numpy import *\n\n\n#numptx export f(float64[:])\ndef f(x):\n    return savetxt(x)\n";
    let (tree, _) = numptx_syntax::parse(&Source::new("star", text));
    let reports = numptx_lower::lower(&tree, "star").1;
    assert!(reports.iter().any(|r| r.code == code::UNKNOWN_FUNCTION && r.message.contains("np.savetxt")));
}
