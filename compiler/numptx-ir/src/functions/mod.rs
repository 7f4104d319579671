//! The table of NumPy functions: one row a function.

mod value;

pub use value::{Arguments, Family, FunctionError, PyValue, Typed};

use crate::array::Builder;

/// One function of the table.
#[derive(Debug)]
pub struct Function {
    /// Its dotted name: `numpy.add`, `ndarray.sum`, `math.sqrt`.
    pub name: &'static str,
}

/// Finds a function by its dotted name (`numpy.add`, `ndarray.sum`, `math.sqrt`), aliases included.
pub fn lookup(_name: &str) -> Option<&'static Function> {
    None
}

/// Emits a call. Methods take their owner as the first positional argument.
pub fn call(_builder: &mut Builder, function: &Function, _arguments: &Arguments) -> Result<PyValue, FunctionError> {
    Err(FunctionError {
        code: numptx_source::code::SYNTAX,
        message: format!("`{}` is not supported", function.name),
        help: None,
        argument: None,
    })
}
