//! Finds the runtime library beside this extension and holds its table.
//!
//! Loading it neither starts threads nor opens the CUDA driver.

use std::ffi::{CStr, OsStr};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use numptx_abi::{ABI_VERSION, RUNTIME_TABLE_SYMBOL, RuntimeTable};
use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;

const FILE: &str = "libnumptx_runtime.so";

static TABLE: OnceLock<&'static RuntimeTable> = OnceLock::new();

/// The runtime's table. The extension's initialisation fails without it, so that everything later may ask.
pub(crate) fn table() -> &'static RuntimeTable {
    TABLE.get().expect("the runtime is loaded before the extension is usable")
}

/// Loads the library once; an `ImportError` says what was looked for, or which versions do not fit.
pub(crate) fn load() -> PyResult<()> {
    if TABLE.get().is_none() {
        let table = open(&own_folder()?.join(FILE)).map_err(PyImportError::new_err)?;
        TABLE.get_or_init(|| table);
    }
    Ok(())
}

fn open(path: &Path) -> Result<&'static RuntimeTable, String> {
    // SAFETY: the library is this package's own; its initialisers do nothing.
    let library = unsafe { libloading::Library::new(path) }
        .map_err(|error| format!("numptx: cannot load the runtime {}: {error}", path.display()))?;
    // The library stays for the life of the process: compiled modules hold pointers into it.
    let library = Box::leak(Box::new(library));
    // SAFETY: the symbol has this type by the definition of `RUNTIME_TABLE_SYMBOL`.
    let get_table =
        unsafe { library.get::<unsafe extern "C" fn() -> *const RuntimeTable>(RUNTIME_TABLE_SYMBOL.as_bytes()) }
            .map_err(|error| format!("numptx: {} is not the runtime: {error}", path.display()))?;
    // SAFETY: the runtime returns a table that lives as long as the library; only its first two fields are read
    // before the version is known to fit.
    let table = unsafe { &*get_table() };
    if table.abi_version != ABI_VERSION || (table.struct_bytes as usize) < size_of::<RuntimeTable>() {
        return Err(format!(
            "numptx: the runtime {} has interface version {}, this package needs {ABI_VERSION}",
            path.display(),
            table.abi_version
        ));
    }
    Ok(table)
}

/// The folder of the shared object that this function is in.
fn own_folder() -> PyResult<PathBuf> {
    // SAFETY: an all-zero `Dl_info` is valid, `dladdr` fills it, and `dli_fname` lives as long as this library.
    let name = unsafe {
        let mut info: libc::Dl_info = std::mem::zeroed();
        if libc::dladdr(own_folder as *const () as *const _, &mut info) == 0 || info.dli_fname.is_null() {
            return Err(PyImportError::new_err("numptx: the dynamic loader does not know the extension's file"));
        }
        CStr::from_ptr(info.dli_fname)
    };
    let file = Path::new(OsStr::from_bytes(name.to_bytes()));
    Ok(file.parent().unwrap_or(Path::new(".")).to_path_buf())
}
