"""What `primitives.py` measures: our source, and a row for each function, dtype and shape, with its arguments and what peers call for it."""

import dataclasses
import math
import typing

import numpy as np

SOURCE = """
import numpy as np
#numptx export exp_axpy(float64, float64[:], float64[:])
#numptx export exp_axpy(float32, float32[:], float32[:])
def exp_axpy(a, x, y):
    return np.exp(a * x + y)
#numptx export total(float64[:])
#numptx export total(float32[:])
def total(x):
    return x.sum()
#numptx export column_sums(float64[:,:])
#numptx export column_sums(float32[:,:])
def column_sums(x):
    return x.sum(axis=0)
#numptx export row_sums(float64[:,:])
#numptx export row_sums(float32[:,:])
def row_sums(x):
    return x.sum(axis=1)
#numptx export middle_sums(float32[:,:,:])
def middle_sums(x):
    return x.sum(axis=1)
#numptx export variance(float64[:,:])
#numptx export variance(float32[:,:])
def variance(x):
    return x.var(axis=1)
#numptx export largest(float64[:,:])
#numptx export largest(float32[:,:])
def largest(x):
    return x.argmax(axis=1)
#numptx export softmax(float32[:,:])
def softmax(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)
#numptx export log_softmax(float32[:,:])
def log_softmax(x):
    d = x - x.max(axis=1, keepdims=True)
    return d - np.log(np.exp(d).sum(axis=1, keepdims=True))
#numptx export layer_norm(float32[:,:], float32[:], float32[:])
def layer_norm(x, w, b):
    m = x.mean(axis=1, keepdims=True)
    v = x.var(axis=1, keepdims=True)
    return (x - m) / np.sqrt(v + np.float32(1e-5)) * w + b
#numptx export rms_norm(float32[:,:], float32[:])
def rms_norm(x, w):
    return x / np.sqrt((x * x).mean(axis=1, keepdims=True) + np.float32(1e-5)) * w
#numptx export unit_rows(float32[:,:])
def unit_rows(x):
    return x / np.linalg.norm(x, axis=1, keepdims=True)
#numptx export running(int64[:])
#numptx export running(float64[:])
#numptx export running(float32[:])
def running(x):
    return np.cumsum(x)
#numptx export running_rows(float32[:,:])
def running_rows(x):
    return np.cumsum(x, axis=1)
#numptx export running_columns(float32[:,:])
def running_columns(x):
    return np.cumsum(x, axis=0)
#numptx export running_largest(float64[:])
def running_largest(x):
    return np.maximum.accumulate(x)
#numptx export chosen(float64[:])
def chosen(x):
    return x[x > 0.5]
#numptx export places(float64[:])
def places(x):
    return np.nonzero(x > 0.5)[0]
#numptx export in_order(float64[:])
#numptx export in_order(float32[:])
#numptx export in_order(int64[:])
#numptx export in_order(int32[:])
def in_order(x):
    return np.sort(x)
#numptx export rows_in_order(float32[:,:])
def rows_in_order(x):
    return np.sort(x, axis=1)
#numptx export order(float64[:])
#numptx export order(int32[:])
def order(x):
    return np.argsort(x, kind="stable")
#numptx export median(float64[:])
def median(x):
    return np.median(x)
#numptx export distinct(int64[:])
def distinct(x):
    return np.unique(x)
#numptx export taken(float64[:], int64[:])
def taken(x, i):
    return x[i]
#numptx export placed(float64[:], int64[:], float64[:])
def placed(x, i, v):
    x[i] = v
#numptx export added(float64[:], int64[:], float64[:])
#numptx export added(int64[:], int64[:], int64[:])
def added(x, i, v):
    np.add.at(x, i, v)
#numptx export counted(int64[:])
def counted(i):
    return np.bincount(i, minlength=1_000_000)
#numptx export histogram(float64[:])
def histogram(x):
    return np.histogram(x, bins=256, range=(0.0, 1.0))[0]
#numptx export searched(float64[:], float64[:])
def searched(table, x):
    return np.searchsorted(table, x)
#numptx export interpolated(float64[:], float64[:], float64[:])
def interpolated(x, xp, fp):
    return np.interp(x, xp, fp)
#numptx export transposed(float64[:,:], float64[:,:])
def transposed(x, y):
    return x.T + y
#numptx export permuted(float32[:,:,:])
def permuted(x):
    return np.ascontiguousarray(x.transpose(2, 0, 1))
#numptx export seven_point(float64[:,:,:])
def seven_point(x):
    y = np.zeros_like(x)
    y[1:-1, 1:-1, 1:-1] = (x[2:, 1:-1, 1:-1] + x[:-2, 1:-1, 1:-1] + x[1:-1, 2:, 1:-1] + x[1:-1, :-2, 1:-1]
                           + x[1:-1, 1:-1, 2:] + x[1:-1, 1:-1, :-2] - 6.0 * x[1:-1, 1:-1, 1:-1])
    return y
#numptx export sparse(int64[:], int64[:], float64[:], float64[:])
def sparse(start, column, value, x):
    y = np.zeros(len(start) - 1)
    for r in range(len(y)):
        s = 0.0
        for p in range(start[r], start[r + 1]):
            s += value[p] * x[column[p]]
        y[r] = s
    return y
"""


@dataclasses.dataclass
class Row:
    """A function of `SOURCE` on arguments of one dtype and shape. `numpy`, `cupy`, `torch` and `jax` take their module, then the arguments."""

    name: str
    function: str
    size: int
    # From a generator and a number of elements.
    arguments: typing.Callable
    numpy: typing.Callable
    cupy: typing.Callable | None
    torch: typing.Callable | None
    jax: typing.Callable | None
    # The relative and absolute distance that a result may have; 0: it is NumPy's.
    near: float = 0.0
    # Which argument is written: it is the result then.
    changes: int | None = None
    # PyTorch's part is given to `torch.compile`.
    is_fused: bool = False

    def moved(self, made, wanted):
        """Bytes that are read and written at least: each argument and result once, a written argument twice."""
        results = [made[self.changes]] if self.changes is not None else wanted if isinstance(wanted, (tuple, list)) else [wanted]
        arrays = [v for v in [*made, *results] if isinstance(v, np.ndarray)]
        return sum(v.nbytes for v in arrays)


class Sizes:
    """The sizes of a row for a plot."""

    @staticmethod
    def of(row, most_bytes):
        """Powers of four from 2¹⁰ to 2²⁸ elements, as far as memory takes them."""
        return [1 << k for k in range(10, 29, 2) if (1 << k) * 8 * 6 <= most_bytes]


def floats(dtype, *, low=0.0):
    def make(rng, n):
        return (rng.random(n, dtype=np.float32 if dtype == "float32" else np.float64) + low).astype(dtype)

    return make


def vector(dtype):
    return lambda rng, n: [floats(dtype)(rng, n)]


def matrix(dtype, columns=None):
    """About `n` elements in rows of `columns`, or as a square."""

    def make(rng, n):
        width = min(columns, n) if columns else math.isqrt(n)
        return [floats(dtype, low=-0.5)(rng, n // width * width).reshape(n // width, width)]

    return make


def with_weights(count):
    def make(rng, n):
        (x,) = matrix("float32", 1024)(rng, n)
        return [x, *(floats("float32")(rng, x.shape[1]) for _ in range(count))]

    return make


def integers(dtype, bound=None):
    def make(rng, n):
        info = np.iinfo(dtype)
        return [rng.integers(info.min, info.max, n, dtype=dtype) if bound is None else rng.integers(0, bound, n, dtype=dtype)]

    return make


def scattered(dtype, into):
    """An array of `into` elements (0: as many as there are values), places, and values."""

    def make(rng, n):
        length = into or n
        values = rng.random(n) if dtype == "float64" else rng.integers(-9, 9, n)
        return [np.zeros(length, dtype), rng.integers(0, length, n), values]

    return make


def rows_of(counts):
    """A sparse matrix of `n` entries: where its rows begin, columns, values, and a vector; `counts` gives a row's entries."""

    def make(rng, n):
        lengths = counts(rng, max(1, n // 16))
        start = np.concatenate([[0], np.cumsum(lengths)])
        n_rows = len(lengths)
        return [start, rng.integers(0, n_rows, start[-1]), rng.random(start[-1]), rng.random(n_rows)]

    return make


def power_law(rng, n):
    """Lengths with a mean of about 16 and a long tail."""
    return np.minimum(1 + (3.2 * (rng.pareto(1.3, n) + 1)).astype(np.int64), 200_000)


def exact_placed(rng, n):
    """Places that are all different: which of several values stays is not defined in peers."""
    return [np.zeros(n), rng.permutation(n), rng.random(n)]


def block(rng, n):
    """A block of three axes, the last the shortest."""
    last = max(4, round((n / 10) ** (1 / 3)))
    side = math.isqrt(n // last)
    return [rng.random((side, side, last))]


def same(function):
    """One function for NumPy, CuPy and JAX."""
    return {"numpy": function, "cupy": function, "jax": function}


def softmax(xp, x):
    e = xp.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def log_softmax(xp, x):
    d = x - x.max(axis=1, keepdims=True)
    return d - xp.log(xp.exp(d).sum(axis=1, keepdims=True))


def layer_norm(xp, x, w, b):
    m = x.mean(axis=1, keepdims=True)
    v = x.var(axis=1, keepdims=True)
    return (x - m) / xp.sqrt(v + np.float32(1e-5)) * w + b


def inner(x):
    return (
        x[2:, 1:-1, 1:-1] + x[:-2, 1:-1, 1:-1] + x[1:-1, 2:, 1:-1] + x[1:-1, :-2, 1:-1]
        + x[1:-1, 1:-1, 2:] + x[1:-1, 1:-1, :-2] - 6.0 * x[1:-1, 1:-1, 1:-1]
    )  # fmt: skip


def seven_point_in_place(xp, x):
    y = xp.zeros_like(x)
    y[1:-1, 1:-1, 1:-1] = inner(x)
    return y


def place_in(xp, x, i, v):
    x[i] = v


def add_in(xp, x, i, v):
    xp.add.at(x, i, v)


KEPT = {}


def kept(value, make):
    """What is made of an array once: a matrix in the peer's own form."""
    if KEPT.get("of") is not value:
        KEPT.clear()
        KEPT.update(of=value, made=make())
    return KEPT["made"]


def sparse(xp, start, column, value, x):
    return np.add.reduceat(value * x[column], start[:-1]) * (np.diff(start) > 0)


def cupy_sparse(xp, start, column, value, x):
    from cupyx.scipy.sparse import csr_matrix

    return kept(value, lambda: csr_matrix((value, column.astype("int32"), start.astype("int32")), shape=(len(start) - 1, len(x)))) @ x


def torch_sparse(torch, start, column, value, x):
    made = kept(value, lambda: torch.sparse_csr_tensor(start, column, value, (len(start) - 1, len(x))))
    return made @ x


SQUARE, LONG, MANY = 8192 * 8192, 1 << 27, 10**7
ROWS = [
    Row("exp(a x + y) f64", "exp_axpy", LONG // 2, lambda rng, n: [0.5, *(floats("float64")(rng, n) for _ in "xy")],
        **same(lambda xp, a, x, y: xp.exp(a * x + y)), torch=lambda t, a, x, y: t.exp(a * x + y), near=1e-14, is_fused=True),
    Row("sum f64", "total", LONG, vector("float64"), **same(lambda xp, x: x.sum()), torch=lambda t, x: x.sum(), near=1e-11),
    Row("sum f32", "total", LONG, vector("float32"), **same(lambda xp, x: x.sum()), torch=lambda t, x: x.sum(), near=1e-5),
    Row("sum axis 0 f64", "column_sums", SQUARE, matrix("float64"), **same(lambda xp, x: x.sum(axis=0)), torch=lambda t, x: x.sum(0), near=1e-9),
    Row("sum axis 1 f64", "row_sums", SQUARE, matrix("float64"), **same(lambda xp, x: x.sum(axis=1)), torch=lambda t, x: x.sum(1), near=1e-9),
    Row("sum axis 0 f32", "column_sums", SQUARE, matrix("float32"), **same(lambda xp, x: x.sum(axis=0)), torch=lambda t, x: x.sum(0), near=1e-2),
    Row("sum axis 1 f32", "row_sums", SQUARE, matrix("float32"), **same(lambda xp, x: x.sum(axis=1)), torch=lambda t, x: x.sum(1), near=1e-2),
    Row("sum middle axis f32", "middle_sums", SQUARE, lambda rng, n: [x.reshape(-1, 512, x.shape[1]) if x.shape[0] % 512 == 0 else x[:, None] for x in matrix("float32", 512)(rng, n)],
        **same(lambda xp, x: x.sum(axis=1)), torch=lambda t, x: x.sum(1), near=1e-2),
    Row("variance f64", "variance", SQUARE, matrix("float64"), **same(lambda xp, x: x.var(axis=1)), torch=lambda t, x: x.var(1, unbiased=False), near=1e-10),
    Row("variance f32", "variance", SQUARE, matrix("float32"), **same(lambda xp, x: x.var(axis=1)), torch=lambda t, x: x.var(1, unbiased=False), near=1e-4),
    Row("argmax f64", "largest", SQUARE, matrix("float64"), **same(lambda xp, x: x.argmax(axis=1)), torch=lambda t, x: x.argmax(1)),
    Row("argmax f32 rows of 64", "largest", SQUARE, matrix("float32", 64), **same(lambda xp, x: x.argmax(axis=1)), torch=lambda t, x: x.argmax(1)),
    Row("softmax rows of 512", "softmax", 1 << 28, matrix("float32", 512), **same(softmax), torch=lambda t, x: t.softmax(x, 1), near=1e-5),
    Row("softmax rows of 262144", "softmax", 1 << 24, matrix("float32", 262_144), **same(softmax), torch=lambda t, x: t.softmax(x, 1), near=1e-5),
    Row("log_softmax rows of 512", "log_softmax", 1 << 27, matrix("float32", 512), **same(log_softmax), torch=lambda t, x: t.log_softmax(x, 1), near=1e-5),
    Row("layer norm rows of 1024", "layer_norm", SQUARE, with_weights(2), **same(layer_norm),
        torch=lambda t, x, w, b: t.nn.functional.layer_norm(x, w.shape, w, b, 1e-5), near=1e-4),
    Row("RMS norm rows of 1024", "rms_norm", SQUARE, with_weights(1), **same(lambda xp, x, w: x / xp.sqrt((x * x).mean(axis=1, keepdims=True) + np.float32(1e-5)) * w),
        torch=lambda t, x, w: t.nn.functional.rms_norm(x, w.shape, w, 1e-5), near=1e-4),
    Row("x / norm rows of 1024", "unit_rows", SQUARE, matrix("float32", 1024), **same(lambda xp, x: x / xp.linalg.norm(x, axis=1, keepdims=True)),
        torch=lambda t, x: t.nn.functional.normalize(x, dim=1), near=1e-4),
    Row("cumsum i64", "running", LONG, integers("int64", 1000), **same(lambda xp, x: xp.cumsum(x)), torch=lambda t, x: t.cumsum(x, 0)),
    Row("cumsum f64", "running", LONG, vector("float64"), **same(lambda xp, x: xp.cumsum(x)), torch=lambda t, x: t.cumsum(x, 0), near=1e-10),
    Row("cumsum f32", "running", 1 << 20, vector("float32"), **same(lambda xp, x: xp.cumsum(x)), torch=lambda t, x: t.cumsum(x, 0), near=1e-3),
    Row("cumsum axis 1 f32", "running_rows", SQUARE, matrix("float32", 1024), **same(lambda xp, x: xp.cumsum(x, axis=1)), torch=lambda t, x: t.cumsum(x, 1), near=1e-3),
    Row("cumsum axis 0 f32", "running_columns", SQUARE, matrix("float32", 8192), **same(lambda xp, x: xp.cumsum(x, axis=0)), torch=lambda t, x: t.cumsum(x, 0), near=1e-2),
    Row("maximum.accumulate f64", "running_largest", LONG, vector("float64"), numpy=lambda xp, x: xp.maximum.accumulate(x), cupy=None, jax=None,
        torch=lambda t, x: t.cummax(x, 0).values),
    Row("x[x > 0.5] f64", "chosen", LONG, vector("float64"), numpy=lambda xp, x: x[x > 0.5], cupy=lambda xp, x: x[x > 0.5], jax=None, torch=lambda t, x: x[x > 0.5]),
    Row("nonzero f64", "places", LONG, vector("float64"), numpy=lambda xp, x: xp.nonzero(x > 0.5)[0], cupy=lambda xp, x: xp.nonzero(x > 0.5)[0], jax=None,
        torch=lambda t, x: t.nonzero(x > 0.5)[:, 0]),
    Row("sort f64", "in_order", MANY, vector("float64"), **same(lambda xp, x: xp.sort(x)), torch=lambda t, x: t.sort(x).values),
    Row("sort f32", "in_order", MANY, vector("float32"), **same(lambda xp, x: xp.sort(x)), torch=lambda t, x: t.sort(x).values),
    Row("sort i64", "in_order", MANY, integers("int64"), **same(lambda xp, x: xp.sort(x)), torch=lambda t, x: t.sort(x).values),
    Row("sort i32", "in_order", MANY, integers("int32"), **same(lambda xp, x: xp.sort(x)), torch=lambda t, x: t.sort(x).values),
    Row("sort rows of 256 f32", "rows_in_order", MANY, matrix("float32", 256), **same(lambda xp, x: xp.sort(x, axis=1)), torch=lambda t, x: t.sort(x, 1).values),
    Row("argsort f64", "order", MANY, vector("float64"), numpy=lambda xp, x: xp.argsort(x, kind="stable"), cupy=lambda xp, x: xp.argsort(x), jax=lambda xp, x: xp.argsort(x),
        torch=lambda t, x: t.argsort(x)),
    Row("argsort i32 of 1000 values", "order", MANY, integers("int32", 1000), numpy=lambda xp, x: xp.argsort(x, kind="stable"), cupy=lambda xp, x: xp.argsort(x),
        jax=lambda xp, x: xp.argsort(x), torch=lambda t, x: t.argsort(x, stable=True)),
    Row("median f64", "median", MANY, vector("float64"), **same(lambda xp, x: xp.median(x)), torch=lambda t, x: t.quantile(x, 0.5), near=1e-12),
    Row("unique i64", "distinct", MANY, integers("int64", MANY), numpy=lambda xp, x: xp.unique(x), cupy=lambda xp, x: xp.unique(x), jax=None, torch=lambda t, x: t.unique(x)),
    Row("x[i] f64 random", "taken", 5 * 10**7, lambda rng, n: [rng.random(n), rng.integers(0, n, n)], **same(lambda xp, x, i: x[i]), torch=lambda t, x, i: x[i]),
    Row("x[i] = v f64 random", "placed", 5 * 10**7, exact_placed, numpy=place_in, cupy=place_in, jax=None, torch=place_in, changes=0),
    Row("add.at f64 into 10⁶", "added", MANY, scattered("float64", 10**6), numpy=add_in, cupy=add_in, jax=None,
        torch=lambda t, x, i, v: x.index_add_(0, i, v), changes=0, near=1e-9),
    Row("add.at i64 into 10⁶", "added", MANY, scattered("int64", 10**6), numpy=add_in, cupy=None, jax=None, torch=lambda t, x, i, v: x.index_add_(0, i, v), changes=0),
    Row("bincount into 10⁶", "counted", MANY, integers("int64", 10**6), numpy=lambda xp, i: xp.bincount(i, minlength=10**6), cupy=lambda xp, i: xp.bincount(i, minlength=10**6),
        jax=None, torch=lambda t, i: t.bincount(i, minlength=10**6)),
    Row("histogram of 256", "histogram", MANY, vector("float64"), numpy=lambda xp, x: xp.histogram(x, bins=256, range=(0.0, 1.0))[0],
        cupy=lambda xp, x: xp.histogram(x, bins=256, range=(0.0, 1.0))[0], jax=lambda xp, x: xp.histogram(x, bins=256, range=(0.0, 1.0))[0].astype("int64"),
        torch=lambda t, x: t.histc(x, 256, 0.0, 1.0).to(t.int64)),
    Row("searchsorted in 10⁶", "searched", MANY, lambda rng, n: [np.sort(rng.random(10**6)), rng.random(n)],
        **same(lambda xp, table, x: xp.searchsorted(table, x)), torch=lambda t, table, x: t.searchsorted(table, x)),
    Row("interp in 10⁶", "interpolated", MANY, lambda rng, n: [rng.random(n), np.sort(rng.random(10**6)), rng.random(10**6)],
        **same(lambda xp, x, at, values: xp.interp(x, at, values)), torch=None, near=1e-9),
    Row("x.T + y f64", "transposed", SQUARE, lambda rng, n: [floats("float64")(rng, math.isqrt(n) ** 2).reshape(math.isqrt(n), -1) for _ in "xy"],
        **same(lambda xp, x, y: x.T + y), torch=lambda t, x, y: x.T + y, is_fused=True),
    Row("transpose(2, 0, 1) f32", "permuted", SQUARE, lambda rng, n: [x.astype(np.float32) for x in block(rng, n)],
        **(same(lambda xp, x: xp.ascontiguousarray(x.transpose(2, 0, 1))) | {"jax": lambda xp, x: xp.copy(x.transpose(2, 0, 1))}),
        torch=lambda t, x: x.permute(2, 0, 1).contiguous()),
    Row("7-point f64", "seven_point", 512 * 512 * 160, block, numpy=seven_point_in_place, cupy=seven_point_in_place, jax=lambda xp, x: xp.pad(inner(x), 1),
        torch=lambda t, x: t.nn.functional.pad(inner(x), (1,) * 6), near=1e-13, is_fused=True),
    Row("sparse rows of 16", "sparse", 16 * 10**6, rows_of(lambda rng, n: np.full(n, 16)), numpy=sparse, cupy=cupy_sparse, torch=torch_sparse, jax=None, near=1e-10),
    Row("sparse rows by a power law", "sparse", 16 * 10**6, rows_of(power_law), numpy=sparse, cupy=cupy_sparse, torch=torch_sparse, jax=None, near=1e-9),
]
