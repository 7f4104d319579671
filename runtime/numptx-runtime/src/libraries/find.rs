//! Where NVIDIA's libraries lie.
//!
//! In: folders of Python packages, the environment. Out: folders in which a library may lie, the likeliest first: those that `NUMPTX_CUDA_LIBRARIES` names;
//! NVIDIA's packages of the running interpreter; a CUDA toolkit. After these the loader's own places.

use std::ffi::c_char;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::lock::lock;

/// Folders of the running interpreter's packages.
static PACKAGES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// [`numptx_abi::RuntimeTable::set_packages`].
pub(crate) fn set_packages(folders: &str) {
    *lock(&PACKAGES) = folders.lines().filter(|folder| !folder.is_empty()).map(PathBuf::from).collect();
}

/// What `NUMPTX_CUDA_LIBRARIES` says.
pub(super) enum Named {
    /// Nothing.
    Nothing,
    /// That none is to be used: `none`.
    Hidden,
    /// That they lie in these folders.
    Folders(Vec<PathBuf>),
}

pub(super) fn named() -> Named {
    match std::env::var_os("NUMPTX_CUDA_LIBRARIES").filter(|value| !value.is_empty()) {
        None => Named::Nothing,
        Some(value) if value == "none" => Named::Hidden,
        Some(value) => Named::Folders(std::env::split_paths(&value).collect()),
    }
}

/// Folders of the interpreter's packages from NVIDIA, and of toolkits. `inner`: where the library's own package has its files.
pub(super) fn folders(inner: &[&str]) -> Vec<PathBuf> {
    let packages = lock(&PACKAGES).clone();
    let packages =
        packages.into_iter().chain(own_packages()).flat_map(|folder| inner.iter().map(move |i| folder.join(i)));
    packages.chain(toolkits()).collect()
}

/// Where CUDA toolkits have their libraries.
pub(crate) fn toolkits() -> impl Iterator<Item = PathBuf> {
    let named = ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(std::env::var_os).map(PathBuf::from);
    let homes = named.chain([PathBuf::from("/usr/local/cuda"), PathBuf::from("/usr/lib/cuda")]);
    homes.flat_map(|home| ["lib64", "lib", "targets/x86_64-linux/lib"].map(|inner| home.join(inner)))
}

/// The folder of Python packages that this code was installed into, if it was.
pub(crate) fn own_packages() -> Option<PathBuf> {
    Some(own_file()?.parent()?.parent()?.to_path_buf())
}

/// The file that this code is in.
pub(super) fn own_file() -> Option<PathBuf> {
    // SAFETY: an all-zero `Dl_info` is valid, `dladdr` fills it, and the name lives as long as this code.
    let name = unsafe {
        let mut found: libc::Dl_info = std::mem::zeroed();
        if libc::dladdr(own_file as *const () as *const _, &mut found) == 0 || found.dli_fname.is_null() {
            return None;
        }
        std::ffi::CStr::from_ptr(found.dli_fname.cast::<c_char>())
    };
    Some(Path::new(std::ffi::OsStr::from_bytes(name.to_bytes())).to_path_buf())
}
