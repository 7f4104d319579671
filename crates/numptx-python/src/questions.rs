//! Questions to which the objects of a type answer yes or no by an attribute or a method of theirs, as tensors tell whether they ask for gradients.
//!
//! In: a type and a name, once; then objects of the type. Out: the answer. Types written in C answer by their C functions, found once: looking the
//! name up and preparing a call take longer than the answer, and a call asks each of its tensors. An object that raises has said yes: callers ask
//! for what keeps them from a short way. What ends programs is left pending.

use pyo3::ffi::{self, PyObject, PyTypeObject};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};

use crate::errors;

/// How the objects of a type answer.
pub(crate) enum Question {
    /// The type has nothing of that name.
    No,
    /// By an attribute that the type computes in C: its descriptor, and that one's function.
    Getter(Py<PyAny>, ffi::descrgetfunc),
    /// By an attribute of that name.
    Attribute(Py<PyString>),
    /// By a method without parameters in C.
    Function(ffi::PyCFunction),
    /// By something that is called with the object.
    Callable(Py<PyAny>),
}

impl Question {
    /// Asked by an attribute. `None`: the type raises where it is looked up.
    pub fn attribute(class: &Bound<'_, PyType>, name: &Bound<'_, PyString>) -> Option<Question> {
        let Some(found) = errors::or_pending(class.py(), class.getattr_opt(name))? else { return Some(Question::No) };
        // What computes an attribute and may set it comes before what objects have themselves, unless the type looks attributes up in a way of its own.
        // SAFETY: types of the interpreter, and slots that have the functions of their names.
        let getter = unsafe {
            let is_computed = ffi::Py_TYPE(found.as_ptr()) == &raw mut ffi::PyGetSetDescr_Type;
            let lookup = slot(class.as_type_ptr(), ffi::Py_tp_getattro);
            let is_usual = lookup == ffi::PyObject_GenericGetAttr as *const () as *mut std::ffi::c_void;
            let get = slot(ffi::Py_TYPE(found.as_ptr()), ffi::Py_tp_descr_get);
            let get = std::mem::transmute::<*mut std::ffi::c_void, Option<ffi::descrgetfunc>>(get);
            get.filter(|_| is_computed && is_usual)
        };
        Some(match getter {
            Some(get) => Question::Getter(found.unbind(), get),
            None => Question::Attribute(name.clone().unbind()),
        })
    }

    /// Asked by a method of the type, which the given object of the type has too. `None`: as above.
    pub fn method(object: &Bound<'_, PyAny>, name: &Bound<'_, PyString>) -> Option<Question> {
        let found = errors::or_pending(object.py(), object.get_type().getattr_opt(name))?;
        let Some(found) = found else { return Some(Question::No) };
        Some(match function_of(&found, object) {
            Some(function) => Question::Function(function),
            None => Question::Callable(found.unbind()),
        })
    }

    /// Whether an object of the type answers something else than no.
    #[inline]
    pub fn is_yes(&self, object: &Bound<'_, PyAny>) -> bool {
        // SAFETY: live objects, the interpreter is attached; each function gets what functions of its kind do, and answers with a new reference, or
        // with null and an exception.
        unsafe {
            let answer = match self {
                Question::No => return false,
                Question::Getter(descriptor, get) => {
                    get(descriptor.as_ptr(), object.as_ptr(), object.get_type_ptr().cast())
                }
                Question::Attribute(name) => ffi::PyObject_GetAttr(object.as_ptr(), name.as_ptr()),
                Question::Function(function) => function(object.as_ptr(), std::ptr::null_mut()),
                Question::Callable(callable) => {
                    let end = std::ptr::null_mut::<PyObject>();
                    ffi::PyObject_CallFunctionObjArgs(callable.as_ptr(), object.as_ptr(), end)
                }
            };
            if answer.is_null() {
                errors::forget_pending();
                return true;
            }
            let is_yes = answer != ffi::Py_False();
            ffi::Py_DECREF(answer);
            is_yes
        }
    }
}

/// The function behind a method of a type in C, if it takes nothing but the object.
fn function_of(method: &Bound<'_, PyAny>, object: &Bound<'_, PyAny>) -> Option<ffi::PyCFunction> {
    // SAFETY: the interpreter's type.
    if unsafe { ffi::Py_TYPE(method.as_ptr()) != &raw mut ffi::PyMethodDescr_Type } {
        return None;
    }
    // Only a method that is bound to an object tells its function.
    let py = object.py();
    let bound = errors::or_pending(py, method.call_method1(intern!(py, "__get__"), (object, object.get_type())))?;
    let raw = bound.as_ptr();
    // SAFETY: a function of the interpreter's, as its type says.
    unsafe {
        let is_function = ffi::Py_TYPE(raw) == &raw mut ffi::PyCFunction_Type;
        let is_plain = is_function && ffi::PyCFunction_GetFlags(raw) == ffi::METH_NOARGS;
        if is_plain { ffi::PyCFunction_GetFunction(raw) } else { None }
    }
}

/// A slot of a type; null: it has none.
///
/// # Safety
/// A live type, and the number of a slot.
unsafe fn slot(class: *mut PyTypeObject, number: i32) -> *mut std::ffi::c_void {
    // SAFETY: as this function's.
    unsafe { ffi::PyType_GetSlot(class, number) }
}
