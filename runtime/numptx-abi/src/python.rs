//! The Python package's table, which `PyInit_<name>` of a generated library fetches from the package's capsule.
//!
//! What a generated library contains for Python, and nothing else:
//!
//! * `PyInit_<name>`: `PyImport_ImportModule("numptx._native")`, give that reference back with `Py_DecRef`, then
//!   `PyCapsule_Import("numptx._native._C_API", 0)`; each may return null with an exception set, and then `PyInit` returns null.
//!   The capsule's pointer is a [`PythonTable`]. The library stores it for its trampolines and returns `module_init(&module)` as it is:
//!   the package compares the ABI versions, binds the module, and makes the `PyModuleDef` for the interpreter that is running.
//! * One trampoline a function, a `PyCFunctionFastWithKeywords`: `fn(self, args, nargs, kwnames)` tail-calls
//!   `table->call(&function, self, args, nargs, kwnames)`. Its address stands in [`crate::Function::trampoline`].
//!
//! The three CPython functions are weak references, so that Rust and C programs load the same file; `PyInit` returns null where
//! they are absent. [`Module::python`] and [`Function::python`] belong to the package.

use core::ffi::{c_char, c_void};

use crate::{Function, Module, RuntimeTable};

/// Name of the capsule that holds a [`PythonTable`].
pub const PYTHON_CAPSULE: &str = "numptx._native._C_API";

/// What a generated library needs of the package. No CPython structure layout appears here.
#[repr(C)]
pub struct PythonTable {
    /// [`crate::ABI_VERSION`] of the package.
    pub abi_version: u32,
    /// `size_of::<PythonTable>()`.
    pub struct_bytes: u32,
    /// The runtime's table.
    pub runtime: *const RuntimeTable,
    /// Binds the module and returns what `PyInit_<name>` returns: a new reference to a `PyModuleDef`, or null with an exception set.
    pub module_init: unsafe extern "C" fn(*const Module) -> *mut c_void,
    /// Calls a function with vectorcall arguments (`METH_FASTCALL | METH_KEYWORDS`): a new reference, or null with an exception set.
    pub call: unsafe extern "C" fn(
        *const Function,
        module: *mut c_void,
        arguments: *const *mut c_void,
        n_arguments: isize,
        keyword_names: *mut c_void,
    ) -> *mut c_void,
    /// For diagnostics.
    pub package_version: *const c_char,
}

const _: () = assert!(core::mem::offset_of!(PythonTable, module_init) == 16);
const _: () = assert!(core::mem::offset_of!(PythonTable, call) == 24);
