//! Names of NumPy that are compiled and have no row: types, constants, attributes of arrays, and functions that are decided when compiling.
//!
//! Lowering knows them by itself; this list is for the documentation and its tests. A row of the table has no line here.

/// A name that has no row.
#[derive(Clone, Copy, Debug)]
pub struct Beside {
    /// Its dotted name: `numpy.float32`, `ndarray.shape`.
    pub name: &'static str,
    /// What it is.
    pub sort: Sort,
    /// Its parameters as Python writes them; empty for what is not called.
    pub parameters: &'static str,
    /// One line, lower case.
    pub doc: &'static str,
    /// An expression of `x`, a vector, and `y`, a matrix, both of float64.
    pub example: &'static str,
}

/// What such a name is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// A dtype, or a class of them.
    Type,
    /// A number, or a value of its own kind.
    Constant,
    /// An attribute of arrays.
    Attribute,
    /// A function or a class that is called.
    Function,
    /// An object that is indexed.
    Indexed,
}

impl Sort {
    /// Its name in the documentation and in `numptx functions --json`.
    pub fn name(self) -> &'static str {
        match self {
            Sort::Type => "type",
            Sort::Constant => "constant",
            Sort::Attribute => "attribute",
            Sort::Function => "function",
            Sort::Indexed => "indexed",
        }
    }
}

impl Beside {
    /// The name with the parameters that it takes.
    pub fn signature(&self) -> String {
        let is_called = self.sort == Sort::Function || !self.parameters.is_empty();
        if is_called { format!("{}({})", self.name, self.parameters) } else { self.name.to_owned() }
    }
}

const fn ty(name: &'static str, doc: &'static str, example: &'static str) -> Beside {
    Beside { name, sort: Sort::Type, parameters: "", doc, example }
}

const fn constant(name: &'static str, doc: &'static str, example: &'static str) -> Beside {
    Beside { name, sort: Sort::Constant, parameters: "", doc, example }
}

const fn attribute(name: &'static str, doc: &'static str, example: &'static str) -> Beside {
    Beside { name, sort: Sort::Attribute, parameters: "", doc, example }
}

const fn indexed(name: &'static str, doc: &'static str, example: &'static str) -> Beside {
    Beside { name, sort: Sort::Indexed, parameters: "", doc, example }
}

const fn function(name: &'static str, parameters: &'static str, doc: &'static str, example: &'static str) -> Beside {
    Beside { name, sort: Sort::Function, parameters, doc, example }
}

/// The names.
pub const ALL: &[Beside] = &[
    ty("numpy.bool", "the dtype, and numbers of it", "np.zeros(3, np.bool)"),
    ty("numpy.bool_", "another name of bool", "np.zeros(3, np.bool_)"),
    ty("numpy.byte", "another name of int8", "np.zeros(3, np.byte)"),
    ty("numpy.cdouble", "another name of complex128", "np.zeros(3, np.cdouble)"),
    ty("numpy.complex128", "the dtype, and numbers of it", "np.zeros(3, np.complex128)"),
    ty("numpy.complex64", "the dtype, and numbers of it", "np.zeros(3, np.complex64)"),
    ty("numpy.csingle", "another name of complex64", "np.zeros(3, np.csingle)"),
    ty("numpy.double", "another name of float64", "np.zeros(3, np.double)"),
    ty("numpy.float16", "the dtype, and numbers of it", "np.zeros(3, np.float16)"),
    ty("numpy.float32", "the dtype, and numbers of it", "np.zeros(3, np.float32)"),
    ty("numpy.float64", "the dtype, and numbers of it", "np.zeros(3, np.float64)"),
    ty("numpy.half", "another name of float16", "np.zeros(3, np.half)"),
    ty("numpy.int16", "the dtype, and numbers of it", "np.zeros(3, np.int16)"),
    ty("numpy.int32", "the dtype, and numbers of it", "np.zeros(3, np.int32)"),
    ty("numpy.int64", "the dtype, and numbers of it", "np.zeros(3, np.int64)"),
    ty("numpy.int8", "the dtype, and numbers of it", "np.zeros(3, np.int8)"),
    ty("numpy.int_", "another name of int64", "np.zeros(3, np.int_)"),
    ty("numpy.intc", "another name of int32", "np.zeros(3, np.intc)"),
    ty("numpy.intp", "another name of int64", "np.zeros(3, np.intp)"),
    ty("numpy.long", "another name of int64", "np.zeros(3, np.long)"),
    ty("numpy.short", "another name of int16", "np.zeros(3, np.short)"),
    ty("numpy.single", "another name of float32", "np.zeros(3, np.single)"),
    ty("numpy.ubyte", "another name of uint8", "np.zeros(3, np.ubyte)"),
    ty("numpy.uint", "another name of uint64", "np.zeros(3, np.uint)"),
    ty("numpy.uint16", "the dtype, and numbers of it", "np.zeros(3, np.uint16)"),
    ty("numpy.uint32", "the dtype, and numbers of it", "np.zeros(3, np.uint32)"),
    ty("numpy.uint64", "the dtype, and numbers of it", "np.zeros(3, np.uint64)"),
    ty("numpy.uint8", "the dtype, and numbers of it", "np.zeros(3, np.uint8)"),
    ty("numpy.uintc", "another name of uint32", "np.zeros(3, np.uintc)"),
    ty("numpy.uintp", "another name of uint64", "np.zeros(3, np.uintp)"),
    ty("numpy.ulong", "another name of uint64", "np.zeros(3, np.ulong)"),
    ty("numpy.ushort", "another name of uint16", "np.zeros(3, np.ushort)"),
    ty("numpy.complexfloating", "complex dtypes, for tests", "np.issubdtype(x.dtype, np.complexfloating)"),
    ty("numpy.floating", "real floats, for tests", "np.issubdtype(x.dtype, np.floating)"),
    ty("numpy.generic", "every dtype, for tests", "np.issubdtype(x.dtype, np.generic)"),
    ty("numpy.inexact", "floats and complex numbers, for tests", "np.issubdtype(x.dtype, np.inexact)"),
    ty("numpy.integer", "integers, for tests", "np.issubdtype(x.dtype, np.integer)"),
    ty("numpy.number", "all dtypes but bool, for tests", "np.issubdtype(x.dtype, np.number)"),
    ty("numpy.signedinteger", "signed integers, for tests", "np.issubdtype(x.dtype, np.signedinteger)"),
    ty("numpy.unsignedinteger", "unsigned integers, for tests", "np.issubdtype(x.dtype, np.unsignedinteger)"),
    constant("numpy.False_", "false", "x * np.False_"),
    constant("numpy.True_", "true", "x * np.True_"),
    constant("numpy.e", "base of the natural logarithm", "x * np.e"),
    constant("numpy.euler_gamma", "the Euler-Mascheroni constant", "x * np.euler_gamma"),
    constant("numpy.inf", "infinity", "x * np.inf"),
    constant("numpy.nan", "not a number", "x * np.nan"),
    constant("numpy.pi", "the circle constant", "x * np.pi"),
    ty("numpy.linalg.LinAlgError", "an exception, to raise and to catch", ""),
    constant("numpy.newaxis", "a new axis, in an index", "x[np.newaxis]"),
    attribute("ndarray.dtype", "the dtype of the elements", "np.ones(3, y.dtype)"),
    attribute("ndarray.itemsize", "bytes of an element", "y.itemsize"),
    attribute("ndarray.nbytes", "bytes of all elements", "y.nbytes"),
    attribute("ndarray.ndim", "number of axes", "y.ndim"),
    attribute("ndarray.shape", "extents of the axes", "y.shape"),
    attribute("ndarray.flags", "what is known of its memory: contiguity, writeability", "y.flags.c_contiguous"),
    attribute("ndarray.strides", "bytes from an element to the next, along each axis", "y.strides"),
    attribute("ndarray.size", "number of elements", "y.size"),
    indexed("numpy.mgrid", "coordinates of a grid", "np.mgrid[0:3, 0:2]"),
    indexed("numpy.ogrid", "coordinates of a grid, to be broadcast", "np.ogrid[0:3, 0:2]"),
    function(
        "numpy.can_cast",
        "from_, to, casting='safe'",
        "whether a dtype is cast to another under a rule",
        "np.can_cast(x.dtype, np.float32, 'same_kind')",
    ),
    function(
        "numpy.common_type",
        "*arrays",
        "the float or complex type that arrays have in common",
        "np.zeros(3, np.common_type(x, y))",
    ),
    function("numpy.dtype", "dtype", "a dtype, of a type or a string", "np.zeros(3, np.dtype('float32'))"),
    function("numpy.errstate", "**kwargs", "a block in which floating-point errors are ignored", ""),
    function("numpy.finfo", "dtype", "limits of floats", "np.finfo(x.dtype).eps"),
    function("numpy.iinfo", "int_type", "limits of integers", "np.iinfo(np.int32).max"),
    function("numpy.iscomplexobj", "x", "whether the dtype is complex", "np.iscomplexobj(x)"),
    function("numpy.isdtype", "dtype, kind", "whether a dtype is of a kind", "np.isdtype(x.dtype, 'real floating')"),
    function("numpy.isrealobj", "x", "whether the dtype is not complex", "np.isrealobj(x)"),
    function("numpy.isscalar", "element", "whether a value is a number, and no array", "np.isscalar(x)"),
    function("numpy.issubdtype", "arg1, arg2", "whether a dtype is of a class", "np.issubdtype(x.dtype, np.floating)"),
    function("numpy.iterable", "y", "whether a value can be iterated", "np.iterable(x)"),
    function(
        "numpy.promote_types",
        "type1, type2",
        "the dtype that holds both",
        "np.zeros(3, np.promote_types(np.int8, np.uint8))",
    ),
    function(
        "numpy.result_type",
        "*arrays_and_dtypes",
        "the dtype of a result of these",
        "np.zeros(3, np.result_type(x, np.float32))",
    ),
    function("ndarray.tolist", "self, /", "the elements as lists", "x.tolist()"),
    indexed("numpy.c_", "vectors as columns", "np.c_[x, x]"),
    function(
        "numpy.nditer",
        "op, flags=None, op_flags=None, *, order='K'",
        "elements of arrays as they lie in memory, and `multi_index`; read only",
        "sum([float(t) for t in np.nditer(y)])",
    ),
    function("numpy.ndenumerate", "arr", "indices and elements", "sum([i * t for (i, j), t in np.ndenumerate(y)])"),
    function("numpy.ndindex", "*shape", "the indices of a shape", "sum([y[i, j] for i, j in np.ndindex(3, 4)])"),
    indexed("numpy.r_", "arrays and numbers, one after the other", "np.r_[x, 5.0]"),
    function(
        "numpy.broadcast",
        "*arrays",
        "the shape that arrays have together: `shape`, `ndim`, `size`",
        "np.broadcast(x, y).size",
    ),
    indexed("numpy.index_exp", "an index as a value", "x[np.index_exp[1:3]]"),
    indexed("numpy.s_", "an index as a value", "x[np.s_[1:3]]"),
    function(
        "numpy.vectorize",
        "pyfunc, otypes=None",
        "a function of elements as one of arrays",
        "np.vectorize(lambda t: t if t > 0 else 0.0)(x)",
    ),
    attribute("ndarray.flat", "the elements, one after the other", "sum([t for t in y.flat])"),
    function("numpy.random.beta", "a, b, size=None", "draws of NumPy's own state", ""),
    function("numpy.random.binomial", "n, p, size=None", "draws of NumPy's own state", ""),
    function("numpy.random.chisquare", "df, size=None", "draws of NumPy's own state", ""),
    function("numpy.random.choice", "a, size=None, replace=True, p=None", "draws of NumPy's own state", ""),
    function("numpy.random.dirichlet", "alpha, size=None", "draws of NumPy's own state", ""),
    function("numpy.random.exponential", "scale=1.0, size=None", "draws of NumPy's own state", ""),
    function("numpy.random.f", "dfnum, dfden, size=None", "draws of NumPy's own state", ""),
    function("numpy.random.gamma", "shape, scale=1.0, size=None", "draws of NumPy's own state", ""),
    function("numpy.random.geometric", "p, size=None", "draws of NumPy's own state", ""),
    function("numpy.random.gumbel", "loc=0.0, scale=1.0, size=None", "draws of NumPy's own state", ""),
    function("numpy.random.hypergeometric", "ngood, nbad, nsample, size=None", "draws of NumPy's own state", ""),
    function("numpy.random.laplace", "loc=0.0, scale=1.0, size=None", "draws of NumPy's own state", ""),
    function("numpy.random.logistic", "loc=0.0, scale=1.0, size=None", "draws of NumPy's own state", ""),
    function("numpy.random.lognormal", "mean=0.0, sigma=1.0, size=None", "draws of NumPy's own state", ""),
    function("numpy.random.logseries", "p, size=None", "draws of NumPy's own state", ""),
    function("numpy.random.multinomial", "n, pvals, size=None", "draws of NumPy's own state", ""),
    function("numpy.random.negative_binomial", "n, p, size=None", "draws of NumPy's own state", ""),
    function("numpy.random.noncentral_chisquare", "df, nonc, size=None", "draws of NumPy's own state", ""),
    function("numpy.random.noncentral_f", "dfnum, dfden, nonc, size=None", "draws of NumPy's own state", ""),
    function("numpy.random.normal", "loc=0.0, scale=1.0, size=None", "draws of NumPy's own state", ""),
    function("numpy.random.pareto", "a, size=None", "draws of NumPy's own state", ""),
    function("numpy.random.permutation", "x", "draws of NumPy's own state", ""),
    function("numpy.random.poisson", "lam=1.0, size=None", "draws of NumPy's own state", ""),
    function("numpy.random.power", "a, size=None", "draws of NumPy's own state", ""),
    function("numpy.random.rand", "*args", "draws of NumPy's own state", ""),
    function("numpy.random.randint", "low, high=None, size=None, dtype=int", "draws of NumPy's own state", ""),
    function("numpy.random.randn", "*args", "draws of NumPy's own state", ""),
    function("numpy.random.random", "size=None", "draws of NumPy's own state", ""),
    function("numpy.random.random_integers", "low, high=None, size=None", "draws of NumPy's own state", ""),
    function("numpy.random.random_sample", "size=None", "draws of NumPy's own state", ""),
    function("numpy.random.ranf", "*args, **kwargs", "draws of NumPy's own state", ""),
    function("numpy.random.rayleigh", "scale=1.0, size=None", "draws of NumPy's own state", ""),
    function("numpy.random.sample", "*args, **kwargs", "draws of NumPy's own state", ""),
    function("numpy.random.seed", "seed=None", "seeds NumPy's own state", ""),
    function("numpy.random.shuffle", "x", "draws of NumPy's own state", ""),
    function("numpy.random.standard_cauchy", "size=None", "draws of NumPy's own state", ""),
    function("numpy.random.standard_exponential", "size=None", "draws of NumPy's own state", ""),
    function("numpy.random.standard_gamma", "shape, size=None", "draws of NumPy's own state", ""),
    function("numpy.random.standard_normal", "size=None", "draws of NumPy's own state", ""),
    function("numpy.random.standard_t", "df, size=None", "draws of NumPy's own state", ""),
    function("numpy.random.triangular", "left, mode, right, size=None", "draws of NumPy's own state", ""),
    function("numpy.random.uniform", "low=0.0, high=1.0, size=None", "draws of NumPy's own state", ""),
    function("numpy.random.vonmises", "mu, kappa, size=None", "draws of NumPy's own state", ""),
    function("numpy.random.wald", "mean, scale, size=None", "draws of NumPy's own state", ""),
    function("numpy.random.weibull", "a, size=None", "draws of NumPy's own state", ""),
    function("numpy.random.zipf", "a, size=None", "draws of NumPy's own state", ""),
    function("numpy.random.Generator", "bit_generator", "a generator of random numbers", ""),
    function("numpy.random.RandomState", "seed=None", "a generator with NumPy's legacy streams", ""),
    function("numpy.random.SeedSequence", "entropy=None", "words that seeds are made of", ""),
    function("numpy.random.MT19937", "seed=None", "a bit generator", ""),
    function("numpy.random.Philox", "seed=None", "a bit generator", ""),
    function("numpy.random.PCG64", "seed=None", "a bit generator", ""),
    function("numpy.random.PCG64DXSM", "seed=None", "a bit generator", ""),
    function("numpy.random.SFC64", "seed=None", "a bit generator", ""),
    function("numpy.random.default_rng", "seed=None", "a generator of PCG64", ""),
    function("numpy.random.BitGenerator", "seed=None", "the class of bit generators", ""),
    function("numpy.random.Generator.beta", "self, a, b, size=None", "a method of `Generator`", ""),
    function("numpy.random.Generator.binomial", "self, n, p, size=None", "a method of `Generator`", ""),
    function("numpy.random.Generator.chisquare", "self, df, size=None", "a method of `Generator`", ""),
    function(
        "numpy.random.Generator.choice",
        "self, a, size=None, replace=True, p=None, axis=0, shuffle=True",
        "a method of `Generator`",
        "",
    ),
    function("numpy.random.Generator.dirichlet", "self, alpha, size=None", "a method of `Generator`", ""),
    function("numpy.random.Generator.exponential", "self, scale=1.0, size=None", "a method of `Generator`", ""),
    function("numpy.random.Generator.f", "self, dfnum, dfden, size=None", "a method of `Generator`", ""),
    function("numpy.random.Generator.gamma", "self, shape, scale=1.0, size=None", "a method of `Generator`", ""),
    function("numpy.random.Generator.geometric", "self, p, size=None", "a method of `Generator`", ""),
    function("numpy.random.Generator.gumbel", "self, loc=0.0, scale=1.0, size=None", "a method of `Generator`", ""),
    function(
        "numpy.random.Generator.hypergeometric",
        "self, ngood, nbad, nsample, size=None",
        "a method of `Generator`",
        "",
    ),
    function(
        "numpy.random.Generator.integers",
        "self, low, high=None, size=None, dtype=int64, endpoint=False",
        "a method of `Generator`",
        "",
    ),
    function("numpy.random.Generator.laplace", "self, loc=0.0, scale=1.0, size=None", "a method of `Generator`", ""),
    function("numpy.random.Generator.logistic", "self, loc=0.0, scale=1.0, size=None", "a method of `Generator`", ""),
    function("numpy.random.Generator.lognormal", "self, mean=0.0, sigma=1.0, size=None", "a method of `Generator`", ""),
    function("numpy.random.Generator.logseries", "self, p, size=None", "a method of `Generator`", ""),
    function("numpy.random.Generator.multinomial", "self, n, pvals, size=None", "a method of `Generator`", ""),
    function(
        "numpy.random.Generator.multivariate_hypergeometric",
        "self, colors, nsample, size=None, method='marginals'",
        "a method of `Generator`",
        "",
    ),
    function("numpy.random.Generator.negative_binomial", "self, n, p, size=None", "a method of `Generator`", ""),
    function("numpy.random.Generator.noncentral_chisquare", "self, df, nonc, size=None", "a method of `Generator`", ""),
    function(
        "numpy.random.Generator.noncentral_f",
        "self, dfnum, dfden, nonc, size=None",
        "a method of `Generator`",
        "",
    ),
    function("numpy.random.Generator.normal", "self, loc=0.0, scale=1.0, size=None", "a method of `Generator`", ""),
    function("numpy.random.Generator.pareto", "self, a, size=None", "a method of `Generator`", ""),
    function("numpy.random.Generator.permutation", "self, x, axis=0", "a method of `Generator`", ""),
    function("numpy.random.Generator.permuted", "self, x, *, axis=None, out=None", "a method of `Generator`", ""),
    function("numpy.random.Generator.poisson", "self, lam=1.0, size=None", "a method of `Generator`", ""),
    function("numpy.random.Generator.power", "self, a, size=None", "a method of `Generator`", ""),
    function(
        "numpy.random.Generator.random",
        "self, size=None, dtype=float64, out=None",
        "a method of `Generator`",
        "",
    ),
    function("numpy.random.Generator.rayleigh", "self, scale=1.0, size=None", "a method of `Generator`", ""),
    function("numpy.random.Generator.shuffle", "self, x, axis=0", "a method of `Generator`", ""),
    function("numpy.random.Generator.standard_cauchy", "self, size=None", "a method of `Generator`", ""),
    function(
        "numpy.random.Generator.standard_exponential",
        "self, size=None, dtype=float64, method='zig', out=None",
        "a method of `Generator`",
        "",
    ),
    function(
        "numpy.random.Generator.standard_gamma",
        "self, shape, size=None, dtype=float64, out=None",
        "a method of `Generator`",
        "",
    ),
    function(
        "numpy.random.Generator.standard_normal",
        "self, size=None, dtype=float64, out=None",
        "a method of `Generator`",
        "",
    ),
    function("numpy.random.Generator.standard_t", "self, df, size=None", "a method of `Generator`", ""),
    function("numpy.random.Generator.triangular", "self, left, mode, right, size=None", "a method of `Generator`", ""),
    function("numpy.random.Generator.uniform", "self, low=0.0, high=1.0, size=None", "a method of `Generator`", ""),
    function("numpy.random.Generator.vonmises", "self, mu, kappa, size=None", "a method of `Generator`", ""),
    function("numpy.random.Generator.wald", "self, mean, scale, size=None", "a method of `Generator`", ""),
    function("numpy.random.Generator.weibull", "self, a, size=None", "a method of `Generator`", ""),
    function("numpy.random.Generator.zipf", "self, a, size=None", "a method of `Generator`", ""),
    function("numpy.random.RandomState.beta", "self, a, b, size=None", "a method of `RandomState`", ""),
    function("numpy.random.RandomState.binomial", "self, n, p, size=None", "a method of `RandomState`", ""),
    function("numpy.random.RandomState.chisquare", "self, df, size=None", "a method of `RandomState`", ""),
    function(
        "numpy.random.RandomState.choice",
        "self, a, size=None, replace=True, p=None",
        "a method of `RandomState`",
        "",
    ),
    function("numpy.random.RandomState.dirichlet", "self, alpha, size=None", "a method of `RandomState`", ""),
    function("numpy.random.RandomState.exponential", "self, scale=1.0, size=None", "a method of `RandomState`", ""),
    function("numpy.random.RandomState.f", "self, dfnum, dfden, size=None", "a method of `RandomState`", ""),
    function("numpy.random.RandomState.gamma", "self, shape, scale=1.0, size=None", "a method of `RandomState`", ""),
    function("numpy.random.RandomState.geometric", "self, p, size=None", "a method of `RandomState`", ""),
    function("numpy.random.RandomState.gumbel", "self, loc=0.0, scale=1.0, size=None", "a method of `RandomState`", ""),
    function(
        "numpy.random.RandomState.hypergeometric",
        "self, ngood, nbad, nsample, size=None",
        "a method of `RandomState`",
        "",
    ),
    function(
        "numpy.random.RandomState.laplace",
        "self, loc=0.0, scale=1.0, size=None",
        "a method of `RandomState`",
        "",
    ),
    function(
        "numpy.random.RandomState.logistic",
        "self, loc=0.0, scale=1.0, size=None",
        "a method of `RandomState`",
        "",
    ),
    function(
        "numpy.random.RandomState.lognormal",
        "self, mean=0.0, sigma=1.0, size=None",
        "a method of `RandomState`",
        "",
    ),
    function("numpy.random.RandomState.logseries", "self, p, size=None", "a method of `RandomState`", ""),
    function("numpy.random.RandomState.multinomial", "self, n, pvals, size=None", "a method of `RandomState`", ""),
    function("numpy.random.RandomState.negative_binomial", "self, n, p, size=None", "a method of `RandomState`", ""),
    function(
        "numpy.random.RandomState.noncentral_chisquare",
        "self, df, nonc, size=None",
        "a method of `RandomState`",
        "",
    ),
    function(
        "numpy.random.RandomState.noncentral_f",
        "self, dfnum, dfden, nonc, size=None",
        "a method of `RandomState`",
        "",
    ),
    function("numpy.random.RandomState.normal", "self, loc=0.0, scale=1.0, size=None", "a method of `RandomState`", ""),
    function("numpy.random.RandomState.pareto", "self, a, size=None", "a method of `RandomState`", ""),
    function("numpy.random.RandomState.permutation", "self, x", "a method of `RandomState`", ""),
    function("numpy.random.RandomState.poisson", "self, lam=1.0, size=None", "a method of `RandomState`", ""),
    function("numpy.random.RandomState.power", "self, a, size=None", "a method of `RandomState`", ""),
    function("numpy.random.RandomState.rand", "self, *args", "a method of `RandomState`", ""),
    function(
        "numpy.random.RandomState.randint",
        "self, low, high=None, size=None, dtype=int",
        "a method of `RandomState`",
        "",
    ),
    function("numpy.random.RandomState.randn", "self, *args", "a method of `RandomState`", ""),
    function("numpy.random.RandomState.random", "self, size=None", "a method of `RandomState`", ""),
    function(
        "numpy.random.RandomState.random_integers",
        "self, low, high=None, size=None",
        "a method of `RandomState`",
        "",
    ),
    function("numpy.random.RandomState.random_sample", "self, size=None", "a method of `RandomState`", ""),
    function("numpy.random.RandomState.rayleigh", "self, scale=1.0, size=None", "a method of `RandomState`", ""),
    function("numpy.random.RandomState.seed", "self, seed=None", "a method of `RandomState`", ""),
    function("numpy.random.RandomState.shuffle", "self, x", "a method of `RandomState`", ""),
    function("numpy.random.RandomState.standard_cauchy", "self, size=None", "a method of `RandomState`", ""),
    function("numpy.random.RandomState.standard_exponential", "self, size=None", "a method of `RandomState`", ""),
    function("numpy.random.RandomState.standard_gamma", "self, shape, size=None", "a method of `RandomState`", ""),
    function("numpy.random.RandomState.standard_normal", "self, size=None", "a method of `RandomState`", ""),
    function("numpy.random.RandomState.standard_t", "self, df, size=None", "a method of `RandomState`", ""),
    function("numpy.random.RandomState.tomaxint", "self, size=None", "a method of `RandomState`", ""),
    function(
        "numpy.random.RandomState.triangular",
        "self, left, mode, right, size=None",
        "a method of `RandomState`",
        "",
    ),
    function("numpy.random.RandomState.uniform", "self, low=0.0, high=1.0, size=None", "a method of `RandomState`", ""),
    function("numpy.random.RandomState.vonmises", "self, mu, kappa, size=None", "a method of `RandomState`", ""),
    function("numpy.random.RandomState.wald", "self, mean, scale, size=None", "a method of `RandomState`", ""),
    function("numpy.random.RandomState.weibull", "self, a, size=None", "a method of `RandomState`", ""),
    function("numpy.random.RandomState.zipf", "self, a, size=None", "a method of `RandomState`", ""),
    function(
        "numpy.random.SeedSequence.generate_state",
        "self, n_words, dtype=uint32",
        "a method of `SeedSequence`",
        "",
    ),
    function("numpy.random.SeedSequence.spawn", "self, n_children", "a method of `SeedSequence`", ""),
    function("numpy.random.PCG64.advance", "self, delta", "a method of `PCG64`", ""),
    function("numpy.random.PCG64.jumped", "self, jumps=1", "a method of `PCG64`", ""),
    function("numpy.random.PCG64.random_raw", "self, size=None, output=True", "a method of `PCG64`", ""),
];
