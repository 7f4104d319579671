//! Opens a library where it is found.

use std::ffi::{CStr, CString, c_int, c_void};
use std::path::{Path, PathBuf};

use super::find::{Named, folders, named};
use crate::driver::Driver;
use crate::waits;

/// A library of NVIDIA's.
pub(super) struct Library {
    /// Its files without the major version of CUDA: `libcublas.so`.
    pub(super) file: &'static str,
    /// Where NVIDIA's Python packages have it, in the folder of packages.
    pub(super) folders: &'static [&'static str],
    /// A function that it has.
    pub(super) symbol: &'static CStr,
}

/// An open library.
#[derive(Clone, Copy)]
pub(super) struct Opened(*mut c_void);

impl Opened {
    /// A function's address; null: it is not there.
    pub(super) fn symbol(self, name: &CStr) -> *mut c_void {
        // SAFETY: the handle is open and the name is null-terminated.
        unsafe { libc::dlsym(self.0, name.as_ptr()) }
    }
}

impl Library {
    /// Opens it, if it is there: as the process has it already, else where [`folders`] has it, else where the loader finds it. A driver for tests has
    /// it itself. May take long.
    pub(super) fn open(&self, driver: &Driver) -> Option<Opened> {
        waits::before();
        let names = majors(driver).map(|major| format!("{}.{major}", self.file)).collect::<Vec<_>>();
        let from = |folder: &Path| names.iter().find_map(|name| self.opened(&folder.join(name), 0));
        match named() {
            Named::Hidden => None,
            Named::Folders(named) => named.iter().find_map(|folder| from(folder)),
            Named::Nothing if driver.is_for_tests() => self.opened(Path::new(&driver.library), 0),
            Named::Nothing => {
                let as_is = names.iter().find_map(|name| self.opened(Path::new(name), libc::RTLD_NOLOAD));
                let found = as_is.or_else(|| folders(self.folders).iter().find_map(|folder| from(folder)));
                found.or_else(|| names.iter().find_map(|name| self.opened(Path::new(name), 0)))
            }
        }
    }

    /// Its file, where a process whose driver runs every version of CUDA would open it; a name alone is one that the loader finds.
    pub(super) fn file(&self) -> Option<PathBuf> {
        let names = MAJORS.map(|major| format!("{}.{major}", self.file));
        let within = |places: Vec<PathBuf>| {
            let mut files = places.iter().flat_map(|folder| names.iter().map(move |name| folder.join(name)));
            files.find(|file| file.is_file())
        };
        match named() {
            Named::Hidden => None,
            Named::Folders(named) => within(named),
            Named::Nothing => within(folders(self.folders))
                .or_else(|| names.iter().map(PathBuf::from).find(|name| self.opened(name, 0).is_some())),
        }
    }

    /// It is never closed: others may use it.
    fn opened(&self, path: &Path, flags: c_int) -> Option<Opened> {
        if path.parent().is_some_and(|folder| !folder.as_os_str().is_empty()) && !path.is_file() {
            return None;
        }
        let name = CString::new(path.as_os_str().as_encoded_bytes()).ok()?;
        // SAFETY: opening a library by name; its initialisers are NVIDIA's.
        let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL | flags) };
        let opened = (!handle.is_null()).then_some(Opened(handle))?;
        (!opened.symbol(self.symbol).is_null()).then_some(opened)
    }
}

/// Major versions of CUDA whose libraries are used, the newest first.
const MAJORS: [i32; 2] = [13, 12];

/// Those that the driver can run.
fn majors(driver: &Driver) -> impl Iterator<Item = i32> {
    let most = driver.level().map_or(12, |level| level / 1000);
    MAJORS.into_iter().filter(move |major| *major <= most)
}
