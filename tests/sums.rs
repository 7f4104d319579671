//! Which accumulations in the points of a step are sums that threads may share: those whose order nobody wrote down.

use numptx_driver::ARRAY_PASSES;
use numptx_driver::ir::array::Module;
use numptx_passes::{Limit, Unobserved, run};
use numptx_source::Source;

/// The module of a function over `a`, a `DTYPE[:,:]`, as it is when kernels are formed.
fn compiled(dtype: &str, body: &str) -> Module {
    let lines: Vec<String> = body.lines().map(|line| format!("    {line}\n")).collect();
    let text = format!("import numpy as np\n\n#numptx export f({dtype}[:,:])\ndef f(a):\n{}", lines.concat());
    let source = Source::new("sums.py".to_string(), text);
    let (syntax, mut reports) = numptx_syntax::parse(&source);
    let (mut module, found) = numptx_lower::lower(&syntax, "sums");
    reports.extend(found);
    assert!(!reports.has_errors(), "{}", numptx_tests::plain(&source, &reports));
    for (_, passes) in ARRAY_PASSES {
        run(&mut module, *passes, Limit::None, &mut Unobserved).expect("the passes work");
    }
    module
}

/// Whether points of a team program have sums in them; there is such a program.
fn sums_in_points(dtype: &str, body: &str) -> bool {
    let module = compiled(dtype, body);
    let mut teams = module.kernels.iter().filter_map(|kernel| kernel.code()).filter(|code| code.is_team()).peekable();
    assert!(teams.peek().is_some(), "{module}");
    teams.any(|code| code.sums_in_points())
}

#[test]
fn products_of_rows_and_columns_are_sums_in_points() {
    let lu = "for i in range(a.shape[0]):
    for j in range(i):
        a[i, j] -= a[i, :j] @ a[:j, j]
        a[i, j] /= a[j, j]
    for j in range(i, a.shape[0]):
        a[i, j] -= a[i, :i] @ a[:i, j]";
    assert!(sums_in_points("float64", lu));
    let cholesky = "for i in range(a.shape[0]):
    for j in range(i):
        a[i, j] = (a[i, j] - np.dot(a[i, :j], a[j, :j])) / a[j, j]
    a[i, i] = np.sqrt(a[i, i] - np.sum(a[i, :i] * a[i, :i]))";
    assert!(sums_in_points("float32", cholesky));
}

/// Nussinov's recurrence, in the element itself.
const FOLDING: &str = "n = a.shape[0]
for i in range(n - 1, -1, -1):
    for j in range(i + 1, n):
        a[i, j] = max(a[i, j], a[i, j - 1])
        for k in range(i + 1, j):
            a[i, j] = max(a[i, j], a[i, k] + a[k + 1, j])";

#[test]
fn integers_are_combined_in_any_order() {
    assert!(sums_in_points("int32", FOLDING));
    assert!(sums_in_points("uint8", &FOLDING.replace("max", "min")));
}

#[test]
fn what_is_added_up_in_an_order_stays_in_it() {
    let lu = "for i in range(a.shape[0]):
    for j in range(i):
        for k in range(j):
            a[i, j] -= a[i, k] * a[k, j]
        a[i, j] /= a[j, j]
    for j in range(i, a.shape[0]):
        for k in range(i):
            a[i, j] -= a[i, k] * a[k, j]";
    assert!(!sums_in_points("float64", lu));
    assert!(!sums_in_points("float64", FOLDING));
}
