//! Members of modules that are not compiled: what a report says of each.
//!
//! In: a module and a name that it does not have here. Out: a report that names it, and a program that works. What NumPy has is in the list of refused
//! functions (`refused.rs` in `numptx-ir`); this file knows of the other modules, and of names that are misspelt.

use numptx_ir::functions::{all, refused};
use numptx_source::{Span, code};

use crate::lowerer::Lowerer;
use crate::values::value::Value;

/// Names that NumPy 2 no longer has, and the ones that it has instead.
const REMOVED: &[(&str, &str)] = &[
    ("Inf", "np.inf"),
    ("NINF", "-np.inf"),
    ("NaN", "np.nan"),
    ("PINF", "np.inf"),
    ("alltrue", "np.all"),
    ("asfarray", "np.asarray(x, dtype=np.float64)"),
    ("cumproduct", "np.cumprod"),
    ("find_common_type", "np.result_type"),
    ("in1d", "np.isin"),
    ("infty", "np.inf"),
    ("msort", "np.sort(x, axis=0)"),
    ("product", "np.prod"),
    ("round_", "np.round"),
    ("sometrue", "np.any"),
    ("trapz", "np.trapezoid"),
];

/// Modules of NumPy that are not compiled, and what to do instead.
const MODULES: &[(&str, &str)] = &[
    ("char", "make text in Python, and pass numbers"),
    ("emath", "convert first: `np.sqrt(x + 0j)` has complex results"),
    ("ma", "pass the elements and the mask: `np.where(mask, 0.0, x)`, `x[~mask].mean()`"),
    ("rec", "pass an array for each field"),
    ("strings", "make text in Python, and pass numbers"),
    ("testing", "raise an exception: `if not ok: raise ValueError(\"not close\")`"),
];

/// What to write instead of a function for which there is no other.
const NO_OTHER: &str = "`numptx functions` lists the functions of NumPy that are compiled";

impl Lowerer<'_> {
    /// Refuses a member of a module, and says what to write instead.
    pub fn refuse_member(&mut self, module: &str, name: &str, span: Span) -> Value {
        let path = format!("{module}.{name}");
        let shown = path.replacen("numpy", "np", 1);
        let message = format!("`{shown}` is not a function that numptx compiles");
        if let Some(instead) = numptx_syntax::instead_of_type(name).filter(|_| module == "numpy") {
            let message = format!("numptx does not compile the dtype `np.{name}`");
            return self.refuse(code::UNKNOWN_FUNCTION, span, message, format!("use `np.{instead}`"));
        }
        if let Some(refused) = refused::lookup(&path) {
            return self.refuse(code::UNKNOWN_FUNCTION, span, message, refused.help());
        }
        let of_numpy = |table: &[(&str, &'static str)]| {
            table.iter().find(|(own, _)| *own == name && module == "numpy").map(|(_, help)| *help)
        };
        if let Some(help) = of_numpy(REMOVED) {
            let message = format!("NumPy 2 has no `{shown}`");
            return self.refuse(code::UNKNOWN_FUNCTION, span, message, format!("write `{help}`"));
        }
        if let Some(help) = of_numpy(MODULES) {
            return self.refuse(code::UNKNOWN_FUNCTION, span, format!("the module `{shown}` is not compiled"), help);
        }
        if let Some(similar) = similar_member(module, name) {
            let prefix = module.replacen("numpy", "np", 1);
            return self.refuse(code::UNKNOWN_FUNCTION, span, message, format!("did you mean `{prefix}.{similar}`?"));
        }
        self.refuse(code::UNKNOWN_FUNCTION, span, message, instead_of_member(module, name))
    }
}

/// What to write instead of a member of a module beside NumPy.
fn instead_of_member(module: &str, name: &str) -> &'static str {
    match module {
        "numptx" => "compiled code can use `numptx.prange`; the rest of the package is for the Python side",
        _ if module == "scipy" || module.starts_with("scipy.") => instead_of_scipy(name),
        "dataclasses" => "compiled code has `dataclasses.replace`, and fields: `p.x`",
        "collections" => "of `collections`, `deque`, `defaultdict` and `Counter` are compiled",
        "heapq" => {
            "of `heapq`, `heappush`, `heappop`, `heapify`, `heapreplace`, `heappushpop`, `nsmallest` and `nlargest` are compiled"
        }
        "bisect" => "of `bisect`, `bisect_left`, `bisect_right`, `insort_left` and `insort_right` are compiled",
        "functools" => "of `functools`, `reduce` and `partial` are compiled",
        "itertools" if name == "cycle" => "take remainders of positions: `ys[k % len(ys)]`",
        "itertools" => "of `itertools`, everything but `cycle` is compiled",
        "operator" => "write the operator; a function that has it may be a `lambda`",
        "warnings" => {
            "compiled code warns of nothing: `warn`, and `simplefilter` and `filterwarnings` that ignore, are passed over, and so is `with warnings.catch_warnings():`"
        }
        "math" | "cmath" => "`numptx functions` lists the functions of `math` and `cmath` that are compiled",
        _ => NO_OTHER,
    }
}

/// A name of the module that numptx compiles and that differs in a letter or two.
fn similar_member(module: &str, name: &str) -> Option<String> {
    let in_module = |path: &'static str| path.strip_prefix(module)?.strip_prefix('.').filter(|n| !n.contains('.'));
    let names = all().flat_map(|f| std::iter::once(f.name).chain(f.aliases.iter().copied())).filter_map(in_module);
    let near =
        names.map(|n| (distance(name, n), n)).filter(|(d, n)| *d <= 1 + usize::from(name.len() > 5) && n.len() > 2);
    near.min().map(|(_, n)| n.to_owned())
}

/// What to write instead of a function of SciPy that is not compiled.
fn instead_of_scipy(name: &str) -> &'static str {
    match name {
        "cholesky" | "det" | "eig" | "eigh" | "eigvals" | "eigvalsh" | "inv" | "lstsq" | "norm" | "pinv" | "qr"
        | "solve" | "svd" | "svdvals" => "NumPy's function of that name is compiled: `np.linalg`",
        "fftfreq" | "rfftfreq" | "fftshift" | "ifftshift" => "NumPy's function of that name is compiled: `np.fft`",
        "lu" => "`scipy.linalg.lu_factor` gives both factors in one matrix, and the rows that were exchanged",
        _ => {
            "`numptx functions` lists what is compiled of `scipy.fft`, `scipy.linalg`, `scipy.ndimage`, `scipy.signal` and `scipy.special`; call others in Python, and pass the result"
        }
    }
}

/// Number of single-letter edits between two names, at most 3.
pub(crate) fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(64).collect(), b.chars().take(64).collect());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()].min(3)
}
