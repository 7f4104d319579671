//! What the targets with Python share: an interpreter in this program with the package `numptx`, the mock driver below it, and functions that compiled
//! modules could have.
//!
//! The extension is part of this program; the runtime and the mock driver are libraries beside it, built with the same sanitizer and the same counters.

pub mod check;
pub mod functions;

use std::ffi::c_int;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Links the extension, whose initialisation is called by its name alone.
use _native as _;

unsafe extern "C" {
    fn PyInit__native() -> *mut PyObject;
}

/// What the program needs of Python, made once.
pub struct Package {
    pub numptx: Py<PyModule>,
    pub as_array: Py<PyAny>,
    pub names: Py<PyDict>,
}

static PACKAGE: OnceLock<Package> = OnceLock::new();

pub fn package() -> &'static Package {
    PACKAGE.get().expect("started before the first input")
}

/// Makes the interpreter and imports the package. `classes` is a program that is run once, with `numptx` in its names; what it defines is kept.
pub fn start(register: fn(&Bound<'_, PyDict>) -> PyResult<()>, classes: &str) {
    let beside = beside();
    let runtime = library(&beside, "libnumptx_runtime.so");
    // The extension looks for the runtime in the folder of what it is part of.
    if runtime.parent() != Some(&beside) {
        let wanted = beside.join("libnumptx_runtime.so");
        // Several programs may start at once.
        let _ = std::os::unix::fs::symlink(&runtime, &wanted);
    }
    // SAFETY: no other thread is there yet.
    unsafe {
        std::env::set_var("NUMPTX_LIBCUDA", library(&beside, "libmock_libcuda.so"));
        std::env::set_var("NUMPTX_MOCK_DEVICES", "2");
        std::env::set_var("NUMPTX_MOCK_MEMORY", (64 << 20).to_string());
        // Memory of objects is the sanitizer's, too.
        std::env::set_var("PYTHONMALLOC", "malloc");
        std::env::set_var("PYTHONDONTWRITEBYTECODE", "1");
    }
    // SAFETY: before the interpreter starts; the name is a static, the function is the extension's own.
    let added: c_int = unsafe { ffi::PyImport_AppendInittab(c"numptx._native".as_ptr(), Some(PyInit__native)) };
    assert_eq!(added, 0);
    Python::initialize();
    Python::attach(|py| {
        let made = import(py, register, classes);
        let package = made.unwrap_or_else(|error| {
            error.print(py);
            panic!("the package cannot be imported: PYTHONPATH names NumPy's folder, PYTHONHOME the interpreter's");
        });
        PACKAGE.set(package).unwrap_or_else(|_| panic!("started twice"));
    });
}

fn import(py: Python<'_>, register: fn(&Bound<'_, PyDict>) -> PyResult<()>, classes: &str) -> PyResult<Package> {
    let names = PyDict::new(py);
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/numptx-python/python");
    names.set_item("package", std::env::var("NUMPTX_PACKAGE").unwrap_or_else(|_| sources.to_string_lossy().into()))?;
    py.run(FINDER, Some(&names), None)?;
    let numptx = py.import("numptx")?;
    names.set_item("numptx", &numptx)?;
    register(&names)?;
    py.run(&std::ffi::CString::new(classes).expect("a program"), Some(&names), None)?;
    // Whatever is loaded later is not counted from the start.
    numptx.call_method0("devices")?;
    Ok(Package { as_array: numptx.getattr("asarray")?.unbind(), numptx: numptx.unbind(), names: names.unbind() })
}

/// The package's sources, and its extension, which is part of the program.
const FINDER: &std::ffi::CStr = c"
import importlib.machinery, importlib.util, sys

class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == 'numptx._native':
            return importlib.util.spec_from_loader(name, importlib.machinery.BuiltinImporter, origin='built-in')

sys.meta_path.insert(0, Finder)
sys.path.insert(0, package)
import gc
gc.disable()
";

fn beside() -> PathBuf {
    let program = std::env::current_exe().expect("a running program has a path");
    program.parent().expect("programs lie in folders").to_path_buf()
}

/// A library beside the program, or where cargo puts those of dependencies.
fn library(beside: &Path, name: &str) -> PathBuf {
    let places = [beside.join(name), beside.join("deps").join(name)];
    let found = places.iter().find(|place| place.exists());
    found.unwrap_or_else(|| panic!("{name} is not beside the program in {}", beside.display())).clone()
}

/// Waits for the device, and lets cycles go.
pub fn settle(py: Python<'_>) {
    let waited = package().numptx.call_method0(py, "synchronize");
    waited.unwrap_or_else(|error| panic!("{error}"));
}

/// Options of the sanitizer: the interpreter keeps memory at its end.
#[unsafe(no_mangle)]
pub extern "C" fn __asan_default_options() -> *const std::ffi::c_char {
    c"detect_leaks=0:detect_odr_violation=0:allocator_may_return_null=1".as_ptr()
}
