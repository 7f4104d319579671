//! `libnumptx_math.so`, the CPU's library of linear algebra: it lies beside the runtime library.

use std::convert::Infallible;
use std::ffi::{CString, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use numptx_abi::{ABI_VERSION, MATH_TABLE_SYMBOL, MathTable};

use super::find::own_file;
use crate::first_use::FirstUse;

const FILE: &str = "libnumptx_math.so";

static MATH: FirstUse<Option<&'static MathTable>> = FirstUse::new();

/// The library's table, opened now if it is not yet. `None`: it is not there, or is another version's.
pub(crate) fn math() -> Option<&'static MathTable> {
    let Ok(found) = MATH.get_or_make(|| Ok::<_, Infallible>(open()));
    *found
}

fn open() -> Option<&'static MathTable> {
    let beside = own_file().and_then(|file| Some(file.parent()?.join(FILE))).filter(|path| path.is_file());
    table_of(&beside.unwrap_or_else(|| FILE.into()))
}

fn table_of(path: &Path) -> Option<&'static MathTable> {
    let (name, symbol) = (CString::new(path.as_os_str().as_bytes()).ok()?, CString::new(MATH_TABLE_SYMBOL).ok()?);
    // SAFETY: opening a library by name, whose initialisers do nothing; it is never closed.
    let found = unsafe {
        let handle = libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL);
        if handle.is_null() {
            return None;
        }
        libc::dlsym(handle, symbol.as_ptr())
    };
    if found.is_null() {
        return None;
    }
    // SAFETY: the symbol has this type by its definition, and the table lives as long as the library.
    let table = unsafe { &*std::mem::transmute::<*mut c_void, extern "C" fn() -> *const MathTable>(found)() };
    let is_known = table.abi_version == ABI_VERSION && table.struct_bytes as usize == size_of::<MathTable>();
    is_known.then_some(table)
}
