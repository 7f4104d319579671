//! What a call was given: positional arguments, and those of keywords by name.

use std::ffi::{CStr, c_char};

use numptx_abi::Parameter;
use pyo3::ffi::{self, PyObject};

/// The arguments of a vectorcall.
pub(crate) struct CallArguments<'a> {
    /// Positional arguments, then those of the keywords.
    pub values: &'a [*mut PyObject],
    /// How many are positional.
    pub n_positional: usize,
    /// A tuple of `str`, or null.
    pub names: *mut PyObject,
}

impl CallArguments<'_> {
    /// # Safety
    /// The arguments of a `METH_FASTCALL | METH_KEYWORDS` function, for the time of its call.
    pub unsafe fn new(values: *const *mut PyObject, n_positional: isize, names: *mut PyObject) -> Self {
        // SAFETY: by this function's requirement.
        unsafe {
            let n_positional = n_positional.unsigned_abs();
            let n_named = if names.is_null() { 0 } else { ffi::PyTuple_Size(names).unsigned_abs() };
            let n_values = n_positional + n_named;
            let values = if n_values == 0 { &[] } else { std::slice::from_raw_parts(values, n_values) };
            CallArguments { values, n_positional, names }
        }
    }

    /// The argument of the parameter at a position, or of its name.
    pub fn of(&self, position: usize, parameter: &Parameter) -> Option<*mut PyObject> {
        if position < self.n_positional {
            return (parameter.by_name == 0).then(|| self.values[position]);
        }
        self.named(parameter.name)
    }

    fn named(&self, name: *const c_char) -> Option<*mut PyObject> {
        let wanted = if name.is_null() {
            c""
        } else {
            // SAFETY: parameters' names are null-terminated.
            unsafe { CStr::from_ptr(name) }
        };
        (self.n_positional..self.values.len())
            .find(|index| self.keyword(index - self.n_positional) == wanted.to_bytes())
            .map(|index| self.values[index])
    }

    /// The name of a keyword.
    pub fn keyword(&self, index: usize) -> &[u8] {
        let mut n_bytes = 0;
        // SAFETY: `names` is a tuple of strings with more than `index` members; the text lives as long as the string.
        unsafe {
            let text = ffi::PyUnicode_AsUTF8AndSize(ffi::PyTuple_GetItem(self.names, index as isize), &mut n_bytes);
            if text.is_null() {
                ffi::PyErr_Clear();
                return b"";
            }
            std::slice::from_raw_parts(text.cast(), n_bytes.unsigned_abs())
        }
    }
}
