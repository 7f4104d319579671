//! NVIDIA's nvJitLink, opened where it is found: a CUDA toolkit, or the Python package `nvidia-nvjitlink-cu12`.
//!
//! In: inputs that were read. Out: a cubin and the log. The library is opened here and used in a process of its own.

use std::ffi::{CString, c_char, c_int, c_void};
use std::path::{Path, PathBuf};

use super::Architecture;
use super::child;
use super::input::{Contents, Input};
use crate::error::{Error, Result};
use crate::libraries;

type Handle = *mut c_void;

type Create = unsafe extern "C" fn(*mut Handle, u32, *const *const c_char) -> c_int;
type Add = unsafe extern "C" fn(Handle, c_int, *const c_void, usize, *const c_char) -> c_int;
type Complete = unsafe extern "C" fn(Handle) -> c_int;
type Size = unsafe extern "C" fn(Handle, *mut usize) -> c_int;
type Cubin = unsafe extern "C" fn(Handle, *mut c_void) -> c_int;
type Text = unsafe extern "C" fn(Handle, *mut c_char) -> c_int;

/// The functions that are used.
struct Library {
    create: Create,
    add: Add,
    complete: Complete,
    cubin_size: Size,
    cubin: Cubin,
    error_size: Size,
    error: Text,
}

const FILES: [&str; 2] = ["libnvJitLink.so.13", "libnvJitLink.so.12"];

/// Where nvJitLink lies: `NUMPTX_NVJITLINK`; else NVIDIA's Python packages in one of `packages` or beside this library; else a CUDA toolkit
/// (`CUDA_HOME`, `CUDA_PATH`, `/usr/local/cuda`); else where the loader finds it.
///
/// # Errors
/// `RuntimeError` that says how to get it.
pub fn find(packages: &[PathBuf]) -> Result<PathBuf> {
    if let Some(named) = std::env::var_os("NUMPTX_NVJITLINK").filter(|name| !name.is_empty()) {
        return Ok(PathBuf::from(named));
    }
    let wheels = packages.iter().cloned().chain(libraries::own_packages()).flat_map(|folder| {
        ["nvidia/nvjitlink/lib", "nvidia/cu13/lib", "nvidia/cu12/lib"].map(|inner| folder.join(inner))
    });
    let there = wheels.chain(libraries::toolkits()).flat_map(|folder| FILES.map(|file| folder.join(file)));
    let mut known = there
        .filter(|path| path.is_file())
        .chain(FILES.into_iter().filter(|f| open(Path::new(f)).is_ok()).map(PathBuf::from));
    known.next().ok_or_else(|| {
        Error::runtime(
            "nvJitLink was not found, which links device code: install a CUDA toolkit or `pip install nvidia-nvjitlink-cu12`, or name the \
             library in NUMPTX_NVJITLINK",
        )
    })
}

/// Opens the library. It is never closed: the loader knows it by its name, and others may use it.
fn open(path: &Path) -> std::result::Result<*mut c_void, String> {
    let name = CString::new(path.as_os_str().as_encoded_bytes()).map_err(|_| "its name holds a null".to_string())?;
    // SAFETY: opening a library by name; its initialisers are NVIDIA's.
    let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
    if handle.is_null() { Err(crate::driver::loader_text()) } else { Ok(handle) }
}

/// A function of the library, by its plain name or that of the first minor version.
fn symbol(handle: *mut c_void, name: &str) -> Option<*mut c_void> {
    let names = [format!("nvJitLink{name}"), format!("__nvJitLink{name}_13_0"), format!("__nvJitLink{name}_12_0")];
    names.into_iter().filter_map(|name| CString::new(name).ok()).find_map(|name| {
        // SAFETY: the handle is open and the name is null-terminated.
        let found = unsafe { libc::dlsym(handle, name.as_ptr()) };
        (!found.is_null()).then_some(found)
    })
}

impl Library {
    fn load(path: &Path) -> Result<Library> {
        let handle = open(path).map_err(|text| {
            Error::runtime(format!(
                "nvJitLink cannot be opened: {} ({text}); it is named by NUMPTX_NVJITLINK or was found",
                path.display()
            ))
        })?;
        let find = |name: &str| {
            symbol(handle, name)
                .ok_or_else(|| Error::runtime(format!("{} is no nvJitLink: it has no nvJitLink{name}", path.display())))
        };
        macro_rules! function {
            ($name:literal, $kind:ty) => {
                // SAFETY: the library's function of this name has this type in every version.
                unsafe { std::mem::transmute::<*mut c_void, $kind>(find($name)?) }
            };
        }
        Ok(Library {
            create: function!("Create", Create),
            add: function!("AddData", Add),
            complete: function!("Complete", Complete),
            cubin_size: function!("GetLinkedCubinSize", Size),
            cubin: function!("GetLinkedCubin", Cubin),
            error_size: function!("GetErrorLogSize", Size),
            error: function!("GetErrorLog", Text),
        })
    }

    /// Links; the cubin, or what the library says about the step that failed.
    ///
    /// # Safety
    /// Nothing else in this process uses the library meanwhile.
    unsafe fn link(&self, inputs: &[NamedInput], options: &[CString]) -> std::result::Result<Vec<u8>, String> {
        let pointers: Vec<*const c_char> = options.iter().map(|option| option.as_ptr()).collect();
        let mut handle: Handle = std::ptr::null_mut();
        // SAFETY: all pointers are to what lives until the end; sizes are what the library asks for or says.
        unsafe {
            let code = (self.create)(&mut handle, pointers.len() as u32, pointers.as_ptr());
            if code != 0 {
                return Err(format!("nvJitLink refused its options (code {code})"));
            }
            for input in inputs {
                let code = (self.add)(handle, input.kind, input.bytes.as_ptr().cast(), input.size, input.name.as_ptr());
                if code != 0 {
                    return Err(self.words(handle, code));
                }
            }
            let code = (self.complete)(handle);
            if code != 0 {
                return Err(self.words(handle, code));
            }
            let mut size = 0usize;
            let code = (self.cubin_size)(handle, &mut size);
            let mut cubin = vec![0u8; size];
            let code = if code == 0 { (self.cubin)(handle, cubin.as_mut_ptr().cast()) } else { code };
            if code == 0 { Ok(cubin) } else { Err(self.words(handle, code)) }
        }
    }

    /// # Safety
    /// The handle is alive.
    unsafe fn words(&self, handle: Handle, code: c_int) -> String {
        let mut size = 0usize;
        // SAFETY: as the caller promises; the text is as long as the library says, and one more byte is 0.
        let text = unsafe {
            let known = (self.error_size)(handle, &mut size) == 0;
            let mut bytes = vec![0u8; if known { size + 1 } else { 1 }];
            if known && size > 0 {
                (self.error)(handle, bytes.as_mut_ptr().cast());
            }
            String::from_utf8_lossy(&bytes).trim_end_matches('\0').trim().to_string()
        };
        if text.is_empty() { format!("nvJitLink failed (code {code})") } else { text }
    }
}

/// An input as the library takes it.
struct NamedInput {
    kind: c_int,
    /// PTX ends with a null that `size` counts.
    bytes: Vec<u8>,
    size: usize,
    name: CString,
}

fn prepare(input: &Input<'_>) -> NamedInput {
    const CUBIN: c_int = 1;
    const PTX: c_int = 2;
    const LTO_IR: c_int = 3;
    let kind = match input.contents {
        Contents::Cubin(_) => CUBIN,
        Contents::Ptx(_) => PTX,
        Contents::LtoIr => LTO_IR,
    };
    let mut bytes = input.bytes.to_vec();
    if kind == PTX {
        bytes.push(0);
    }
    let name = CString::new(input.name.replace('\0', " ")).unwrap_or_default();
    NamedInput { kind, size: bytes.len(), bytes, name }
}

/// Links checked inputs: a cubin, and what was said. `ValueError` with the log where the inputs are at fault.
pub(crate) fn run(path: &Path, inputs: &[Input<'_>], target: Architecture) -> Result<(Vec<u8>, String)> {
    const LINKED: u8 = 1;
    let library = Library::load(path)?;
    let mut options = vec![format!("-arch={}", target.name())];
    if inputs.iter().any(|input| matches!(input.contents, Contents::LtoIr)) {
        options.push("-lto".to_string());
    }
    let options: Vec<CString> = options.into_iter().filter_map(|option| CString::new(option).ok()).collect();
    let inputs: Vec<NamedInput> = inputs.iter().map(prepare).collect();
    let left = child::run(|| {
        // SAFETY: the process is a fork with one thread.
        match unsafe { library.link(&inputs, &options) } {
            Ok(cubin) => [&[LINKED][..], &cubin].concat(),
            Err(text) => [&[0][..], text.as_bytes()].concat(),
        }
    });
    let left = left.map_err(|error| Error::runtime(format!("nvJitLink ({}) {}", path.display(), error.message())))?;
    match left.answer.split_first() {
        // It takes the first of two definitions, says so, and goes on.
        Some((&LINKED, cubin)) if !left.said.contains("Multiple definition") => Ok((cubin.to_vec(), left.said)),
        Some((&LINKED, _)) => Err(Error::value(format!("linking failed:\n{}", left.said))),
        other => {
            let text = other.map(|(_, text)| String::from_utf8_lossy(text).into_owned()).unwrap_or_default();
            let said = if left.said.is_empty() { String::new() } else { format!("\n{}", left.said) };
            Err(Error::value(format!("linking for {} failed:\n{text}{said}", target.name())))
        }
    }
}
