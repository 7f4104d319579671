//! Which accumulations in the points of a step, and of all threads of a launch, are sums that threads may share. They are those whose order nobody wrote down,
//! or that are all a loop does.

use numptx_driver::ARRAY_PASSES;
use numptx_driver::ir::array::Module;
use numptx_driver::ir::scalar::{Block, StmtKind};
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

/// Whether points of a cooperative program have sums in them; there is such a program.
fn sums_in_work_items(dtype: &str, body: &str) -> bool {
    let module = compiled(dtype, body);
    let mut cooperative =
        module.kernels.iter().filter_map(|kernel| kernel.code()).filter(|code| code.is_cooperative()).peekable();
    assert!(cooperative.peek().is_some(), "{module}");
    cooperative.any(|code| code.sums_in_work_items())
}

#[test]
fn products_of_rows_and_columns_are_sums_in_points() {
    let lu = "for i in range(a.shape[0]):
    for j in range(i):
        a[i, j] -= a[i, :j] @ a[:j, j]
        a[i, j] /= a[j, j]
    for j in range(i, a.shape[0]):
        a[i, j] -= a[i, :i] @ a[:i, j]";
    assert!(sums_in_work_items("float64", lu));
    let cholesky = "for i in range(a.shape[0]):
    for j in range(i):
        a[i, j] = (a[i, j] - np.dot(a[i, :j], a[j, :j])) / a[j, j]
    a[i, i] = np.sqrt(a[i, i] - np.sum(a[i, :i] * a[i, :i]))";
    assert!(sums_in_work_items("float32", cholesky));
}

/// Nussinov's recurrence, in the element itself.
const FOLDING: &str = "n = a.shape[0]
for i in range(n - 1, -1, -1):
    for j in range(i + 1, n):
        a[i, j] = max(a[i, j], a[i, j - 1])
        for k in range(i + 1, j):
            a[i, j] = max(a[i, j], a[i, k] + a[k + 1, j])";

/// Whether all threads of a cooperative program share a sum, outside of points; there is such a program.
fn shares_sums(dtype: &str, body: &str) -> bool {
    let module = compiled(dtype, body);
    let mut cooperative =
        module.kernels.iter().filter_map(|kernel| kernel.code()).filter(|code| code.is_cooperative()).peekable();
    assert!(cooperative.peek().is_some(), "{module}");
    cooperative.any(|code| has_sum(&code.block))
}

fn has_sum(block: &Block) -> bool {
    block.stmts.iter().any(|stmt| match stmt.kind {
        StmtKind::Reduce(_) | StmtKind::Solve(..) => true,
        StmtKind::Parallel => false,
        _ => stmt.blocks.iter().any(has_sum),
    })
}

/// Rows that all threads fill after `BEFORE`, which computes `s` in an iteration that needs those before.
fn rows(before: &str) -> String {
    let lines: Vec<String> = before.lines().map(|line| format!("    {line}\n")).collect();
    format!(
        "for i in range(1, a.shape[0]):\n{}    for k in range(a.shape[1]):\n        a[i, k] = a[i - 1, k] + s",
        lines.concat()
    )
}

#[test]
fn all_threads_share_what_an_iteration_combines() {
    for way in ["s += a[i - 1, j]", "s -= a[i - 1, j]", "s *= a[i - 1, j]", "s = a[i - 1, j] * a[i, j] + s"] {
        let loops = format!("s = a[i, 0]\nfor j in range(a.shape[1]):\n    {way}");
        assert!(shares_sums("float64", &rows(&loops)), "{way}");
    }
    let extreme = "s = a[i, 0]\nfor j in range(a.shape[1]):\n    s = max(s, a[i - 1, j])";
    assert!(shares_sums("int32", &rows(extreme)));
    assert!(!shares_sums("float64", &rows(extreme)));
}

#[test]
fn what_is_more_than_combined_each_thread_has_for_itself() {
    for other in [
        "for j in range(a.shape[1]):\n    s += a[i - 1, j] * (s > 3.0)",
        "for j in range(a.shape[1]):\n    s = a[i - 1, j] - s",
        "for j in range(1, a.shape[1]):\n    s /= a[i - 1, j]",
        "for j in range(0, a.shape[1], 2):\n    s += a[i - 1, j]",
        "for j in range(15):\n    s += a[i - 1, 3]",
        "t = s\nfor j in range(a.shape[1]):\n    t, s = s, t + a[i - 1, j]",
    ] {
        assert!(!shares_sums("float64", &rows(&format!("s = a[i, 0]\n{other}"))), "{other}");
    }
}

#[test]
fn integers_are_combined_in_any_order() {
    assert!(sums_in_work_items("int32", FOLDING));
    assert!(sums_in_work_items("uint8", &FOLDING.replace("max", "min")));
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
    assert!(!sums_in_work_items("float64", lu));
    assert!(!sums_in_work_items("float64", FOLDING));
}
