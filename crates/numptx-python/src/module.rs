//! What `PyInit_<name>` of a compiled library returns: a module definition made for this interpreter.
//!
//! The library itself knows no CPython structure, so that one file imports everywhere. The definition is made once
//! a library and kept in its descriptor, because `PyInit` runs again when a module is imported again.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::Mutex;
use std::sync::atomic::Ordering;

use numptx_abi::{ABI_VERSION, Image, Module, Value};
use pyo3::exceptions::{PyImportError, PyTypeError};
use pyo3::ffi::{self, PyMethodDef, PyModuleDef, PyModuleDef_Slot, PyObject};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::reloading;
use crate::scalars;
use crate::streams::{SendPointer, quietly_detached};

/// `Py_mod_multiple_interpreters`, since 3.12.
const SLOT_MULTIPLE_INTERPRETERS: c_int = 3;
/// `Py_mod_gil`, since 3.13.
const SLOT_GIL: c_int = 4;
/// `Py_MOD_GIL_NOT_USED`.
const GIL_NOT_USED: *mut c_void = std::ptr::without_provenance_mut(1);
/// `Py_MOD_MULTIPLE_INTERPRETERS_NOT_SUPPORTED`.
const ONE_INTERPRETER: *mut c_void = std::ptr::null_mut();

/// A definition, and the library that it is of. The definition comes first: CPython knows only its address.
#[repr(C)]
struct Definition {
    definition: PyModuleDef,
    module: *const Module,
}

/// The addresses of all definitions made here. The lock is not held while the interpreter is asked for anything.
static MADE: Mutex<Vec<usize>> = Mutex::new(Vec::new());

/// [`numptx_abi::PythonTable::module_init`].
pub(crate) unsafe extern "C" fn module_init(module: *const Module) -> *mut c_void {
    // SAFETY: `PyInit` functions run with the interpreter attached.
    let py = unsafe { Python::assume_attached() };
    // SAFETY: the caller passes its library's descriptor, which lives as long as the library.
    match unsafe { definition_of(py, module) } {
        Ok(definition) => definition.cast(),
        Err(error) => {
            // See Note [Attached, and known to be] in `call`.
            crate::call::attached(|py| error.restore(py));
            std::ptr::null_mut()
        }
    }
}

unsafe fn definition_of(py: Python<'_>, raw: *const Module) -> PyResult<*mut PyObject> {
    // SAFETY: the first field has the same meaning in every version of the interface.
    let version = unsafe { raw.cast::<u32>().read() };
    if version != ABI_VERSION {
        return Err(PyImportError::new_err(format!(
            "this module was compiled for interface version {version} of numptx, and the package installed here ({}) has \
             version {ABI_VERSION}: compile it again, or install the matching numptx-runtime",
            env!("CARGO_PKG_VERSION"),
        )));
    }
    // SAFETY: the version fits, so the descriptor has the layout of `Module`.
    let module = unsafe { &*raw };
    let bound = SendPointer(raw.cast_mut());
    // SAFETY: the descriptor lives as long as its library. Its image may be loaded now.
    let status = quietly_detached(py, move |table, error| unsafe { (table.bind)(bound.get(), error) });
    status.map_err(|error| PyImportError::new_err(error.value(py).to_string()))?;

    let mut made = module.python.load(Ordering::Acquire);
    if made.is_null() {
        // Made without the lock, because it asks the interpreter; what another thread has made meanwhile is taken, and this one left.
        let fresh = Box::into_raw(Box::new(define(py, module))).cast();
        let mut definitions = MADE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        made = module.python.load(Ordering::Acquire);
        if made.is_null() {
            made = fresh;
            module.python.store(made, Ordering::Release);
            definitions.push(made as usize);
        }
    }
    // SAFETY: `made` points to a leaked `Definition`, whose first field is the `PyModuleDef`.
    Ok(unsafe { ffi::PyModuleDef_Init(made.cast()) })
}

/// The descriptor of a Python module that came from a compiled library: of the one that was loaded last, where it was reloaded.
pub(crate) fn descriptor(module: &Bound<'_, PyAny>) -> PyResult<*const Module> {
    // SAFETY: the definition was made here and is never freed.
    Ok(unsafe { (*definition(&reloading::newest(module)?)?).module })
}

/// The definition that a module was made from.
fn definition(module: &Bound<'_, PyAny>) -> PyResult<*const Definition> {
    // SAFETY: a live object; definitions of other extensions are compared by address, never read.
    let definition = unsafe {
        match ffi::PyModule_Check(module.as_ptr()) {
            0 => std::ptr::null_mut(),
            _ => ffi::PyModule_GetDef(module.as_ptr()),
        }
    };
    let is_ours = MADE.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).contains(&(definition as usize));
    // Without the lock: the object's own code runs.
    if !is_ours {
        return Err(PyTypeError::new_err(format!("{} is no module that numptx compiled", module.repr()?)));
    }
    Ok(definition.cast::<Definition>().cast_const())
}

/// Gives a module the functions and globals of another library, from whose definition `fresh` was made.
pub(crate) fn add_members(module: &Bound<'_, PyAny>, fresh: &Bound<'_, PyAny>) -> PyResult<()> {
    let definition = definition(fresh)?;
    // SAFETY: both are live modules, and what the definition points to lives as long as the process.
    let added = unsafe {
        ffi::PyModule_AddFunctions(module.as_ptr(), (*definition).definition.m_methods) == 0
            && add_globals(module.as_ptr(), &*(*definition).module)
    };
    if added { Ok(()) } else { Err(PyErr::fetch(module.py())) }
}

fn define(py: Python<'_>, module: &Module) -> Definition {
    Definition {
        definition: PyModuleDef {
            m_base: ffi::PyModuleDef_HEAD_INIT,
            m_name: module.name,
            m_doc: module.docstring,
            m_size: 0,
            m_methods: methods(module),
            m_slots: slots(py),
            m_traverse: None,
            m_clear: None,
            m_free: None,
        },
        module,
    }
}

/// One method a function; leaked, as the functions are.
fn methods(module: &Module) -> *mut PyMethodDef {
    let mut methods: Vec<PyMethodDef> = Vec::with_capacity(module.n_functions as usize + 1);
    for index in 0..module.n_functions as usize {
        // SAFETY: the descriptor has `n_functions` functions.
        let function = unsafe { &*module.functions.add(index) };
        methods.push(PyMethodDef {
            ml_name: function.name,
            ml_meth: ffi::PyMethodDefPointer {
                // SAFETY: the trampoline is a `PyCFunctionFastWithKeywords` by the definition of the descriptor.
                PyCFunctionFastWithKeywords: unsafe {
                    std::mem::transmute::<*const c_void, ffi::PyCFunctionFastWithKeywords>(function.trampoline)
                },
            },
            ml_flags: ffi::METH_FASTCALL | ffi::METH_KEYWORDS,
            ml_doc: function.docstring,
        });
    }
    methods.push(PyMethodDef {
        ml_name: c"__getattr__".as_ptr(),
        ml_meth: ffi::PyMethodDefPointer { PyCFunction: get_attribute },
        ml_flags: ffi::METH_O,
        ml_doc: std::ptr::null(),
    });
    methods.push(PyMethodDef {
        ml_name: c"__dir__".as_ptr(),
        ml_meth: ffi::PyMethodDefPointer { PyCFunction: list_attributes },
        ml_flags: ffi::METH_NOARGS,
        ml_doc: std::ptr::null(),
    });
    methods.push(PyMethodDef::zeroed());
    Box::leak(methods.into_boxed_slice()).as_mut_ptr()
}

/// What Python asks for an attribute that the module does not have: the package knows what its file and its device code give.
unsafe extern "C" fn get_attribute(module: *mut PyObject, name: *mut PyObject) -> *mut PyObject {
    // SAFETY: CPython calls this with the interpreter attached and live objects.
    let (py, module, name) = unsafe {
        let py = Python::assume_attached();
        (py, Bound::from_borrowed_ptr(py, module), Bound::from_borrowed_ptr(py, name))
    };
    answer(py, package(py).and_then(|package| package.call_method1(intern!(py, "attribute"), (module, name))))
}

/// What Python asks for `dir(module)`.
unsafe extern "C" fn list_attributes(module: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
    // SAFETY: as above.
    let (py, module) = unsafe {
        let py = Python::assume_attached();
        (py, Bound::from_borrowed_ptr(py, module))
    };
    answer(py, package(py).and_then(|package| package.call_method1(intern!(py, "attributes"), (module,))))
}

/// What the package knows of compiled modules.
fn package(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import("numptx._modules")
}

fn answer(py: Python<'_>, outcome: PyResult<Bound<'_, PyAny>>) -> *mut PyObject {
    match outcome {
        Ok(found) => found.into_ptr(),
        Err(error) => {
            error.restore(py);
            std::ptr::null_mut()
        }
    }
}

/// The images of a compiled module: `(kind, architecture, bytes)` each; nothing is loaded.
#[pyfunction]
fn images<'py>(module: &Bound<'py, PyAny>) -> PyResult<Vec<(&'static str, u32, Bound<'py, PyBytes>)>> {
    let py = module.py();
    // SAFETY: descriptors live as long as their library, and hold as many images as they say.
    let images = unsafe {
        let descriptor = &*descriptor(module)?;
        match descriptor.n_images as usize {
            0 => &[][..],
            n => std::slice::from_raw_parts(descriptor.images, n),
        }
    };
    let describe = |image: &Image| {
        let is_ptx = image.kind == Image::PTX;
        // SAFETY: an image has as many bytes as it says; those of PTX count the null.
        let bytes = unsafe { std::slice::from_raw_parts(image.data, image.bytes as usize - usize::from(is_ptx)) };
        (if is_ptx { "ptx" } else { "cubin" }, image.architecture, PyBytes::new(py, bytes))
    };
    Ok(images.iter().map(describe).collect())
}

pub(crate) fn register(native: &Bound<'_, PyModule>) -> PyResult<()> {
    native.add_function(wrap_pyfunction!(images, native)?)
}

/// The slots that this interpreter knows: an unknown one is a `SystemError`.
fn slots(py: Python<'_>) -> *mut PyModuleDef_Slot {
    let mut slots = vec![PyModuleDef_Slot { slot: ffi::Py_mod_exec, value: execute as *mut c_void }];
    if py.version_info() >= (3, 12) {
        slots.push(PyModuleDef_Slot { slot: SLOT_MULTIPLE_INTERPRETERS, value: ONE_INTERPRETER });
    }
    if py.version_info() >= (3, 13) {
        slots.push(PyModuleDef_Slot { slot: SLOT_GIL, value: GIL_NOT_USED });
    }
    slots.push(PyModuleDef_Slot { slot: 0, value: std::ptr::null_mut() });
    Box::leak(slots.into_boxed_slice()).as_mut_ptr()
}

/// `Py_mod_exec`: the exported globals, what the module was made by, and whether that is what lies in the files.
unsafe extern "C" fn execute(module: *mut PyObject) -> c_int {
    // SAFETY: CPython calls this with the interpreter attached and a module made from a `Definition`.
    let (py, module, added) = unsafe {
        let definition = ffi::PyModule_GetDef(module).cast::<Definition>();
        let added = add_globals(module, &*(*definition).module);
        let py = Python::assume_attached();
        (py, Bound::from_borrowed_ptr(py, module), added)
    };
    if !added {
        return -1;
    }
    match package(py).and_then(|package| package.call_method1(intern!(py, "loaded"), (module,))) {
        Ok(_) => 0,
        Err(error) => {
            error.restore(py);
            -1
        }
    }
}

/// False with an exception set on failure.
unsafe fn add_globals(object: *mut PyObject, module: &Module) -> bool {
    for index in 0..module.n_globals as usize {
        // SAFETY: the descriptor has `n_globals` names and values; exported globals are scalars.
        unsafe {
            let value: &Value = &*module.global_values.add(index);
            let number = scalars::python_object(value.dtype as u8, value.bits);
            if !add(object, *module.global_names.add(index), number) {
                return false;
            }
        }
    }
    // SAFETY: the compiler's version is a null-terminated string or null.
    unsafe {
        let compiler = if module.compiler.is_null() { c"" } else { CStr::from_ptr(module.compiler) };
        add(object, c"__numptx__".as_ptr(), ffi::PyUnicode_FromString(compiler.as_ptr()))
    }
}

/// Adds an attribute and takes over its reference; false with an exception set on failure.
unsafe fn add(object: *mut PyObject, name: *const c_char, value: *mut PyObject) -> bool {
    // SAFETY: `value` is a new reference or null with an exception set.
    unsafe {
        let added = !value.is_null() && ffi::PyObject_SetAttrString(object, name, value) == 0;
        ffi::Py_XDECREF(value);
        added
    }
}
