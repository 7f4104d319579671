//! The `TypeError` of a call that no overload accepts: which argument does not fit, what was given, and the accepted signatures.

pub(crate) mod advice;
mod describe;
mod misfits;

use numptx_abi::{Function, Overload};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::arguments::Leaves;
use crate::call_arguments::CallArguments;
use crate::{errors, parameters};
use describe::{MAX_DEPTH, MAX_MEMBERS, describe, listed};

/// The error for arguments that fit no overload. `raised`: what the own code of one of them raised when it was asked for its value; where that is
/// no word about its type or size, it is the error.
pub(crate) fn refused(
    py: Python<'_>,
    function: &Function,
    overloads: &[Overload],
    given: &CallArguments,
    leaves: &mut Leaves<'_>,
    raised: Option<PyErr>,
) -> PyErr {
    match raised {
        Some(error) if !errors::is_refusal(py, &error) => error,
        raised => {
            let refusal = no_overload(py, function, overloads, given, leaves).unwrap_or_else(|passing| passing);
            refusal.set_cause(py, raised);
            refusal
        }
    }
}

/// The `TypeError` for arguments that fit no overload.
fn no_overload(
    py: Python<'_>,
    function: &Function,
    overloads: &[Overload],
    given: &CallArguments,
    leaves: &mut Leaves<'_>,
) -> PyResult<PyErr> {
    let name = parameters::text(function.name);
    let n = given.values.len();
    let mut lines = misfits::lines(py, &name, overloads, given, leaves)?;
    let shown = (0..n.min(MAX_MEMBERS)).map(|index| argument(py, given, index)).collect::<PyResult<_>>()?;
    let accepts = if overloads.len() == 1 { "it accepts" } else { "it accepts one of" };
    lines.push(format!("{name}() got ({}); {accepts}", listed(shown, n)));
    lines.extend(overloads.iter().map(|overload| format!("    {}", parameters::text(overload.signature))));
    Ok(PyTypeError::new_err(lines.join("\n")))
}

fn argument(py: Python<'_>, given: &CallArguments, index: usize) -> PyResult<String> {
    // SAFETY: arguments live for the call.
    let object = unsafe { Bound::from_borrowed_ptr(py, given.values[index]) };
    let described = describe(&object, MAX_DEPTH)?;
    Ok(match index.checked_sub(given.n_positional) {
        Some(keyword) => format!("{}={described}", String::from_utf8_lossy(given.keyword(keyword))),
        None => described,
    })
}
