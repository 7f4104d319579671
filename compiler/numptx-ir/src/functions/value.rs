//! Python values as the compiler sees them: what functions of the table take and give.

use numptx_source::Code;

use crate::DType;
use crate::array::ValueId;

/// Which promotion rules a scalar or array follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// A Python scalar on the host: weak (NEP 50).
    Python,
    /// A NumPy scalar: on the host, or a rank-0 array whose place the compiler chooses.
    Numpy,
    /// An array, also of rank 0.
    Array,
}

/// A run-time value with its family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Typed {
    /// A host scalar or an array of the array IR.
    pub value: ValueId,
    /// Its family.
    pub family: Family,
}

/// A value of the program: partly known when compiling. Python ints, floats and bools that are constants are [`Typed`] values
/// of which `Builder::as_constant` knows the constant.
#[derive(Clone, Debug, PartialEq)]
pub enum PyValue {
    /// A scalar or an array.
    Typed(Typed),
    /// A tuple of static length.
    Tuple(Vec<PyValue>),
    /// A list display of static length.
    List(Vec<PyValue>),
    /// `None`
    None,
    /// `...`
    Ellipsis,
    /// A constant string.
    Str(String),
    /// A dtype: `np.float32`, `x.dtype`, `float`.
    DType(DType),
    /// A function of the program, or of the table, by the number that lowering gave it: for rows that call it.
    Function(usize),
}

impl PyValue {
    /// An array.
    pub fn array(value: ValueId) -> PyValue {
        PyValue::Typed(Typed { value, family: Family::Array })
    }
}

/// Why a call of a table function is refused. Lowering turns it into a report at the call.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionError {
    /// The report's code.
    pub code: Code,
    /// Lower case, no full stop, names and types in backticks; what was found and what was expected.
    pub message: String,
    /// A program that works.
    pub help: Option<String>,
    /// The positional argument to underline; the whole call if `None`.
    pub argument: Option<usize>,
}

/// Positional and keyword arguments of a call, evaluated.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Arguments {
    /// Positional ones.
    pub positional: Vec<PyValue>,
    /// Keyword ones, in order.
    pub keywords: Vec<(String, PyValue)>,
    /// How the program writes the call.
    pub form: Form,
}

/// How a program writes a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// `np.power(x, y)`
    #[default]
    Function,
    /// `x.sum()`: the first positional argument is the array.
    Method,
    /// `x ** y`
    Operator,
}
