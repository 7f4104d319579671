//! NumPy functions that are written in Python, in the subset that numptx compiles: the files beside this one, and where each function stands in them.
//!
//! Their names are those of the table with `_` for `.`.

use std::collections::HashMap;
use std::sync::{LazyLock, OnceLock};

use numptx_ir::functions::all;
use numptx_source::Source;
use numptx_syntax::ast;

/// The files.
const FILES: &[&str] = &[
    include_str!("linear_algebra/systems.py"),
    include_str!("linear_algebra/spectra.py"),
    include_str!("linear_algebra/products.py"),
    include_str!("linear_algebra/scipy_linalg.py"),
    include_str!("signals/fourier.py"),
    include_str!("signals/scipy_fft.py"),
    include_str!("statistics/means.py"),
    include_str!("statistics/histograms.py"),
    include_str!("statistics/percentiles.py"),
    include_str!("statistics/nan_statistics.py"),
    include_str!("numbers/calculus.py"),
    include_str!("numbers/polynomials.py"),
    include_str!("numbers/orthogonal_polynomials.py"),
    include_str!("signals/windows.py"),
    include_str!("signals/correlations.py"),
    include_str!("signals/scipy_signal.py"),
    include_str!("signals/image_filters.py"),
    include_str!("numbers/bits.py"),
    include_str!("arrays/sorting.py"),
    include_str!("arrays/overwriting.py"),
    include_str!("arrays/comparisons.py"),
    include_str!("arrays/sets.py"),
    include_str!("arrays/partitions.py"),
    include_str!("arrays/inserting.py"),
    include_str!("arrays/padding.py"),
    include_str!("arrays/grids.py"),
    include_str!("arrays/choosing.py"),
    include_str!("arrays/applying.py"),
    include_str!("numbers/integers.py"),
    include_str!("modules/lists.py"),
    include_str!("modules/collections.py"),
    include_str!("modules/heaps.py"),
    include_str!("modules/searches.py"),
    include_str!("modules/iterators.py"),
    include_str!("random/methods.py"),
    include_str!("random/choices.py"),
    include_str!("arrays/memory.py"),
    include_str!("numbers/floats.py"),
    include_str!("numbers/complex_numbers.py"),
    include_str!("modules/operators.py"),
    include_str!("arrays/ufunc_methods.py"),
    include_str!("special/operands.py"),
    include_str!("special/elementary.py"),
    include_str!("special/axes.py"),
    include_str!("special/error.py"),
    include_str!("special/gamma.py"),
    include_str!("special/zeta.py"),
    include_str!("special/incomplete.py"),
    include_str!("special/incomplete_beta.py"),
    include_str!("special/beta.py"),
    include_str!("special/bessel.py"),
    include_str!("special/orders.py"),
    include_str!("special/modified.py"),
    include_str!("special/spherical.py"),
    include_str!("special/integrals.py"),
    include_str!("special/distributions.py"),
    include_str!("special/polynomials.py"),
    include_str!("special/airy.py"),
];

/// Functions of modules beside NumPy that are written in Python, by their paths; several names may be of one.
pub(crate) const OF_MODULES: &[(&str, &str)] = &[
    ("bisect.bisect", "bisect_bisect_right"),
    ("bisect.bisect_left", "bisect_bisect_left"),
    ("bisect.bisect_right", "bisect_bisect_right"),
    ("bisect.insort", "bisect_insort_right"),
    ("bisect.insort_left", "bisect_insort_left"),
    ("bisect.insort_right", "bisect_insort_right"),
    ("functools.reduce", "functools_reduce"),
    ("heapq.heapify", "heapq_heapify"),
    ("heapq.heappop", "heapq_heappop"),
    ("heapq.heappush", "heapq_heappush"),
    ("heapq.heappushpop", "heapq_heappushpop"),
    ("heapq.heapreplace", "heapq_heapreplace"),
    ("heapq.nlargest", "heapq_nlargest"),
    ("heapq.nsmallest", "heapq_nsmallest"),
    ("itertools.accumulate", "itertools_accumulate"),
    ("itertools.batched", "itertools_batched"),
    ("itertools.compress", "itertools_compress"),
    ("itertools.dropwhile", "itertools_dropwhile"),
    ("itertools.filterfalse", "itertools_filterfalse"),
    ("itertools.groupby", "itertools_groupby"),
    ("itertools.pairwise", "itertools_pairwise"),
    ("itertools.repeat", "itertools_repeat"),
    ("itertools.starmap", "itertools_starmap"),
    ("itertools.takewhile", "itertools_takewhile"),
    ("itertools.tee", "itertools_tee"),
    ("itertools.zip_longest", "itertools_zip_longest"),
    ("math.dist", "math_dist"),
    ("math.fsum", "math_fsum"),
    ("math.prod", "math_prod"),
    ("operator.abs", "operator_abs"),
    ("operator.add", "operator_add"),
    ("operator.and_", "operator_and_"),
    ("operator.concat", "operator_concat"),
    ("operator.contains", "operator_contains"),
    ("operator.countOf", "operator_countOf"),
    ("operator.delitem", "operator_delitem"),
    ("operator.eq", "operator_eq"),
    ("operator.floordiv", "operator_floordiv"),
    ("operator.ge", "operator_ge"),
    ("operator.getitem", "operator_getitem"),
    ("operator.gt", "operator_gt"),
    ("operator.iadd", "operator_iadd"),
    ("operator.iand", "operator_iand"),
    ("operator.ifloordiv", "operator_ifloordiv"),
    ("operator.ilshift", "operator_ilshift"),
    ("operator.imatmul", "operator_imatmul"),
    ("operator.imod", "operator_imod"),
    ("operator.imul", "operator_imul"),
    ("operator.indexOf", "operator_indexOf"),
    ("operator.inv", "operator_inv"),
    ("operator.invert", "operator_invert"),
    ("operator.ior", "operator_ior"),
    ("operator.ipow", "operator_ipow"),
    ("operator.irshift", "operator_irshift"),
    ("operator.is_", "operator_is_"),
    ("operator.is_not", "operator_is_not"),
    ("operator.isub", "operator_isub"),
    ("operator.itruediv", "operator_itruediv"),
    ("operator.ixor", "operator_ixor"),
    ("operator.le", "operator_le"),
    ("operator.lshift", "operator_lshift"),
    ("operator.lt", "operator_lt"),
    ("operator.matmul", "operator_matmul"),
    ("operator.mod", "operator_mod"),
    ("operator.mul", "operator_mul"),
    ("operator.ne", "operator_ne"),
    ("operator.neg", "operator_neg"),
    ("operator.not_", "operator_not_"),
    ("operator.or_", "operator_or_"),
    ("operator.pos", "operator_pos"),
    ("operator.pow", "operator_pow"),
    ("operator.rshift", "operator_rshift"),
    ("operator.setitem", "operator_setitem"),
    ("operator.sub", "operator_sub"),
    ("operator.truediv", "operator_truediv"),
    ("operator.truth", "operator_truth"),
    ("operator.xor", "operator_xor"),
];

/// What stands before the names of these functions: no name of a program does.
const PREFIX: &str = "numptx.library.";

/// A file, read when a function of it is first needed, and once in a process.
pub(crate) struct File {
    text: &'static str,
    functions: OnceLock<Vec<ast::Function>>,
}

impl File {
    fn functions(&self) -> &[ast::Function] {
        self.functions.get_or_init(|| {
            let mut functions = numptx_syntax::parse(&Source::new("library", self.text)).0.functions;
            functions.iter_mut().for_each(|function| function.name.insert_str(0, PREFIX));
            functions
        })
    }
}

/// Where the functions stand: a program pays for the files that it needs.
pub(crate) struct Index {
    files: Vec<File>,
    /// Of each function, its file and its place there.
    functions: Vec<(usize, usize)>,
    pub positions: HashMap<&'static str, usize>,
}

pub(crate) static LIBRARY: LazyLock<Index> = LazyLock::new(|| {
    let mut index = Index { files: Vec::new(), functions: Vec::new(), positions: HashMap::new() };
    for text in FILES {
        for (place, name) in names_in(text).enumerate() {
            index.positions.insert(name, index.functions.len());
            index.functions.push((index.files.len(), place));
        }
        index.files.push(File { text, functions: OnceLock::new() });
    }
    index
});

/// The functions that a file defines, in order.
fn names_in(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().filter_map(|line| line.strip_prefix("def ")?.split('(').next())
}

/// A function by its position: those of a module stand first, behind them the library's.
pub(crate) fn function_at(module: &ast::Module, position: usize) -> &ast::Function {
    module.functions.get(position).unwrap_or_else(|| {
        let (file, place) = LIBRARY.functions[position - module.functions.len()];
        &LIBRARY.files[file].functions()[place]
    })
}

/// The table's name of a function of the library: `numpy.linalg.solve` for `numptx.library.numpy_linalg_solve`.
pub(crate) fn name_in_table(name: &str) -> Option<String> {
    let own = name.strip_prefix(PREFIX)?;
    all().find(|f| f.name.replace('.', "_") == own).map(|f| f.name.to_owned())
}

/// A function of a module beside NumPy, by its path.
pub(crate) fn function_of_module(path: &str) -> Option<&'static str> {
    OF_MODULES.iter().find(|(own, _)| *own == path).map(|(own, _)| *own)
}
