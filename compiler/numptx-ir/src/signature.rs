//! What an exported overload looks like from outside.

use crate::DType;

/// An exported overload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The Python function's name; overloads share it.
    pub function: String,
    /// As the user reads it: `saxpy(float32, float32[:], float32[:])`.
    pub text: String,
    /// Top-level parameters in order.
    pub parameters: Vec<Parameter>,
    /// The result.
    pub result: ResultType,
    /// Leaves of the result that are one object with an earlier leaf, ascending, and that leaf.
    pub same: Vec<(usize, usize)>,
    /// Leaves, arrays all, of which the path decides which are one object, ascending. Their objects' numbers, each an `i64`, are operands of the
    /// array IR's `return` after all leaves: equal numbers are one object.
    pub numbered: Vec<usize>,
    /// The defaults of the parameters that this overload does without, as Python writes them; `...` for those that have no short text.
    pub defaults: Vec<String>,
    /// The function's docstring.
    pub docstring: Option<String>,
}

/// A top-level parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: ParameterType,
}

/// A memory order that is part of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum MemoryOrder {
    C,
    F,
}

/// A parameter's type. Scalars and arrays are leaves: each is one parameter of the array IR's function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParameterType {
    /// A scalar; `python` ones (`int`, `float`, `complex`, `bool`) are weak in promotion.
    Scalar {
        /// Its dtype; `int64`, `float64`, `complex128`, `bool` for Python's.
        dtype: DType,
        /// Whether it is Python's.
        python: bool,
    },
    /// An array.
    Array {
        /// Its dtype.
        dtype: DType,
        /// One entry an axis; `Some` where the extent is fixed.
        extents: Vec<Option<i64>>,
        /// The order that callers must pass, if any.
        order: Option<MemoryOrder>,
    },
    /// A tuple.
    Tuple(Vec<ParameterType>),
    /// `None`.
    None,
    /// A string; the constant that selects this overload, if one does.
    Str(Option<String>),
}

/// A result's type. Scalars and arrays are leaves: each is one operand of the array IR's `return`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResultType {
    /// `None`.
    None,
    /// `int`, `float`, `complex` or `bool`.
    PythonScalar(DType),
    /// A NumPy scalar that the host program holds.
    NumpyScalar(DType),
    /// A NumPy scalar held as a rank-0 array.
    DeviceScalar(DType),
    /// An array.
    Array {
        /// Its dtype.
        dtype: DType,
        /// Its rank.
        rank: usize,
    },
    /// A tuple.
    Tuple(Vec<ResultType>),
    /// A list.
    List(Vec<ResultType>),
}
