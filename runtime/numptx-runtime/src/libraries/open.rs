//! Opens a library where it is found.
//!
//! In: what its files are called, and of which version of CUDA they are. Out: the library, open for good, and before it those that it needs, of the same
//! version, from the same places: not every package says where its neighbours lie.

use std::ffi::{CStr, CString, c_int, c_void};
use std::path::{Path, PathBuf};

use super::find::{Named, folders, named};
use crate::driver::Driver;
use crate::waits;

/// A library of NVIDIA's.
pub(super) struct Library {
    /// Its files without a version: `libcublas.so`.
    pub(super) file: &'static str,
    /// What follows in a file's name, of each of [`MAJORS`].
    pub(super) versions: [i32; MAJORS.len()],
    /// Where NVIDIA's Python packages have it, in the folder of packages.
    pub(super) folders: &'static [&'static str],
    /// A function that it has.
    pub(super) symbol: &'static CStr,
    /// Libraries that it needs, each after those that it needs itself.
    pub(super) needs: &'static [&'static Library],
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
        let majors: Vec<usize> = majors(driver).collect();
        let from = |folder: &Path| majors.iter().find_map(|major| self.opened_within(folder, *major));
        match named() {
            Named::Hidden => None,
            Named::Folders(named) => named.iter().find_map(|folder| from(folder)),
            Named::Nothing if driver.is_for_tests() => self.opened(Path::new(&driver.library), 0),
            Named::Nothing => {
                let by_name = |flags| majors.iter().find_map(|major| self.opened(Path::new(&self.name(*major)), flags));
                let found = by_name(libc::RTLD_NOLOAD);
                let found = found.or_else(|| folders(self.folders).iter().find_map(|folder| from(folder)));
                found.or_else(|| by_name(0))
            }
        }
    }

    /// Its file of one of [`MAJORS`].
    fn name(&self, major: usize) -> String {
        format!("{}.{}", self.file, self.versions[major])
    }

    /// Its file of this folder, where it is there; what it needs is opened before, as far as it is found.
    fn opened_within(&self, folder: &Path, major: usize) -> Option<Opened> {
        let path = folder.join(self.name(major));
        if !path.is_file() {
            return None;
        }
        for needed in self.needs {
            let name = needed.name(major);
            if needed.opened(Path::new(&name), libc::RTLD_NOLOAD).is_none() {
                let places = std::iter::once(folder.to_path_buf()).chain(match named() {
                    Named::Folders(named) => named,
                    _ => folders(needed.folders),
                });
                let _ = places.map(|place| place.join(&name)).find_map(|path| needed.opened(&path, 0));
            }
        }
        self.opened(&path, 0)
    }

    /// Its file, where a process whose driver runs every version of CUDA would open it; a name alone is one that the loader finds.
    pub(super) fn file(&self) -> Option<PathBuf> {
        let names = self.versions.map(|version| format!("{}.{version}", self.file));
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
pub(super) const MAJORS: [i32; 2] = [13, 12];

/// Positions of those that the driver can run.
fn majors(driver: &Driver) -> impl Iterator<Item = usize> {
    let most = driver.level().map_or(12, |level| level / 1000);
    (0..MAJORS.len()).filter(move |position| MAJORS[*position] <= most)
}
