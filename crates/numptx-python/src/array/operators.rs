//! Operators and NumPy's ufuncs on `numptx.Array`: it computes nothing, and its `TypeError` says who does.
//!
//! Without a word of ours Python would answer `==` by identity, look for `x in array` element by element, and leave the rest to others' messages.
//! Nothing waits for a device here. As with NumPy's arrays, what has no `==` that is true or false has no hash.

use std::ffi::CStr;

use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyDict, PyTuple, PyType};

/// Methods that Python calls for operators, with the operator.
const OPERATORS: [(&CStr, &str); 52] = [
    (c"__eq__", "=="),
    (c"__ne__", "!="),
    (c"__lt__", "<"),
    (c"__le__", "<="),
    (c"__gt__", ">"),
    (c"__ge__", ">="),
    (c"__contains__", "in"),
    (c"__neg__", "unary -"),
    (c"__pos__", "unary +"),
    (c"__invert__", "~"),
    (c"__abs__", "abs()"),
    (c"__add__", "+"),
    (c"__radd__", "+"),
    (c"__iadd__", "+="),
    (c"__sub__", "-"),
    (c"__rsub__", "-"),
    (c"__isub__", "-="),
    (c"__mul__", "*"),
    (c"__rmul__", "*"),
    (c"__imul__", "*="),
    (c"__matmul__", "@"),
    (c"__rmatmul__", "@"),
    (c"__imatmul__", "@="),
    (c"__truediv__", "/"),
    (c"__rtruediv__", "/"),
    (c"__itruediv__", "/="),
    (c"__floordiv__", "//"),
    (c"__rfloordiv__", "//"),
    (c"__ifloordiv__", "//="),
    (c"__mod__", "%"),
    (c"__rmod__", "%"),
    (c"__imod__", "%="),
    (c"__divmod__", "divmod()"),
    (c"__rdivmod__", "divmod()"),
    (c"__pow__", "**"),
    (c"__rpow__", "**"),
    (c"__ipow__", "**="),
    (c"__lshift__", "<<"),
    (c"__rlshift__", "<<"),
    (c"__ilshift__", "<<="),
    (c"__rshift__", ">>"),
    (c"__rrshift__", ">>"),
    (c"__irshift__", ">>="),
    (c"__and__", "&"),
    (c"__rand__", "&"),
    (c"__iand__", "&="),
    (c"__or__", "|"),
    (c"__ror__", "|"),
    (c"__ior__", "|="),
    (c"__xor__", "^"),
    (c"__rxor__", "^"),
    (c"__ixor__", "^="),
];

/// The error of an operation that somebody else computes.
fn refusal(operation: &str) -> PyErr {
    PyTypeError::new_err(format!(
        "numptx.Array does not compute {operation}: call a function compiled by numptx with the array, or compute with NumPy on array.to_host()"
    ))
}

/// The error of NumPy's ufuncs, and so of the operators of NumPy's arrays.
pub(super) fn refused_ufunc(ufunc: &Bound<'_, PyAny>, method: &str) -> PyErr {
    let name = match ufunc.getattr(intern!(ufunc.py(), "__name__")) {
        Ok(name) => name.to_string(),
        Err(error) => return error,
    };
    match method {
        "__call__" => refusal(&format!("numpy.{name}")),
        method => refusal(&format!("numpy.{name}.{method}")),
    }
}

/// Gives the class its operators.
pub(super) fn register(class: &Bound<'_, PyType>) -> PyResult<()> {
    let py = class.py();
    for (method, operator) in OPERATORS {
        let refuse = move |_: &Bound<'_, PyTuple>, _: Option<&Bound<'_, PyDict>>| Err::<(), _>(refusal(operator));
        let name = method.to_string_lossy();
        class.setattr(name.as_ref(), PyCFunction::new_closure(py, Some(method), None, refuse)?)?;
    }
    class.setattr(intern!(py, "__hash__"), py.None())
}
