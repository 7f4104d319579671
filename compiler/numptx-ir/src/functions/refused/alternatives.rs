//! What to write instead of functions of NumPy that are not compiled.
//!
//! Both programs compute the same of these: `x` and `u`, vectors of floats; `v`, one that has a nan; `y`, a matrix; `z`, a vector of complex
//! numbers; `k`, one of integers; `m`, one of bools; `n`, an int. A test compiles the second, and compares it with NumPy's result of the first.

use super::{Refused, instead};

/// Functions, classes and objects of `numpy`.
pub(super) const NUMPY: &[Refused] = &[
    instead("numpy.flatiter", "sum([float(t) for t in y.flat])", "sum([float(t) for t in y.ravel()])"),
    instead("numpy.longlong", "k.astype(np.longlong)", "k.astype(np.int64)"),
    instead("numpy.poly1d", "np.poly1d(x)(u), (np.poly1d(x) * np.poly1d(u)).c", "np.polyval(x, u), np.polymul(x, u)"),
    instead("numpy.ulonglong", "k.astype(np.ulonglong)", "k.astype(np.uint64)"),
];

/// Methods and attributes of arrays.
pub(super) const METHODS: &[Refused] = &[
    instead("ndarray.resize", "x.resize(6, refcheck=False); x", "np.concatenate((x, np.zeros(2)))"),
    instead(
        "ndarray.tobytes",
        "{y.tobytes(): n}[y.tobytes()]",
        "{tuple(y.ravel().tolist()): n}[tuple(y.ravel().tolist())]",
    ),
];
