//! Images: PTX text is checked as far as the mock understands it, and its entries are listed.

use std::ffi::{CStr, c_char, c_void};

use crate::elf::entry_names;
use crate::queries::architecture;
use crate::state::{
    Code, INVALID_HANDLE, INVALID_IMAGE, INVALID_PTX, INVALID_VALUE, LoadedFunction, LoadedModule, NO_BINARY,
    NOT_FOUND, UNSUPPORTED_PTX, code, enter_context,
};

const ERROR_LOG_BUFFER: i32 = 5;
const ERROR_LOG_BUFFER_BYTES: i32 = 6;
/// The newest PTX that the mock takes.
const PTX_VERSION: f64 = 9.0;

/// Entries of a PTX text, or the driver's code and the compiler's log.
fn read_ptx(text: &str) -> Result<Vec<String>, (Code, String)> {
    let mut code_lines =
        text.lines().map(|line| line.split("//").next().unwrap_or("").trim()).filter(|line| !line.is_empty());
    let first = code_lines.next().unwrap_or("");
    let Some(version) = first.strip_prefix(".version") else {
        return Err((INVALID_PTX, "ptxas fatal   : Missing .version directive at start of file".to_string()));
    };
    if version.trim().parse::<f64>().map_or(true, |v| v > PTX_VERSION) {
        return Err((
            UNSUPPORTED_PTX,
            format!("ptxas fatal   : Unsupported .version{version}; current version is '{PTX_VERSION}'"),
        ));
    }
    let target = code_lines.find_map(|line| line.strip_prefix(".target sm_")).unwrap_or("");
    let digits: String = target.chars().take_while(char::is_ascii_digit).collect();
    match digits.parse::<usize>() {
        Ok(wanted) if wanted <= architecture() => {}
        Ok(_) => return Err((NO_BINARY, String::new())),
        Err(_) => return Err((INVALID_PTX, "ptxas fatal   : Missing .target directive".to_string())),
    }
    let names = text.match_indices(".entry ").map(|(at, word)| &text[at + word.len()..]);
    let is_name = |c: &char| c.is_ascii_alphanumeric() || "_$".contains(*c);
    Ok(names.map(|rest| rest.trim_start().chars().take_while(is_name).collect()).collect())
}

/// # Safety
/// `image` is an ELF file or a null-terminated text.
unsafe fn read_image(image: *const u8) -> Result<Vec<String>, (Code, String)> {
    // SAFETY: every image has at least one byte.
    if unsafe { *image } == 0x7f {
        // SAFETY: it begins as an ELF file.
        let (made_for, names) = unsafe { entry_names(image) }.ok_or((INVALID_IMAGE, String::new()))?;
        // Machine code runs on its own architecture and later ones of the same major version.
        let runs = made_for / 10 == architecture() / 10 && made_for <= architecture();
        return if runs { Ok(names) } else { Err((NO_BINARY, String::new())) };
    }
    // SAFETY: as the caller promises.
    let text = unsafe { CStr::from_ptr(image.cast()) }.to_str();
    read_ptx(text.map_err(|_| (INVALID_IMAGE, String::new()))?)
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuModuleLoadDataEx(
    out: *mut *mut c_void,
    image: *const c_void,
    n_options: u32,
    options: *const i32,
    values: *const *mut c_void,
) -> Code {
    code((|| {
        let mut state = enter_context("cuModuleLoadDataEx")?;
        state.check_unsafe()?;
        state.counts.load_attempts += 1;
        // SAFETY: as the caller promises.
        let entries = unsafe { read_image(image.cast()) }.map_err(|(error, log)| {
            // SAFETY: as the caller promises.
            unsafe { write_log(&log, n_options as usize, options, values) };
            error
        })?;
        state.counts.loads += 1;
        // SAFETY: every image has at least one byte.
        state.counts.cubin_loads += i64::from(unsafe { *image.cast::<u8>() } == 0x7f);
        let handle = state.fresh_handle();
        state.modules.insert(handle, LoadedModule { entries, image: image.addr() });
        // SAFETY: as the caller promises.
        unsafe { *out = std::ptr::without_provenance_mut(handle) };
        Ok(())
    })())
}

/// # Safety
/// `options` and `values` hold `n` entries; a log buffer is as large as its option says.
unsafe fn write_log(log: &str, n: usize, options: *const i32, values: *const *mut c_void) {
    let (mut buffer, mut capacity) = (std::ptr::null_mut::<u8>(), 0);
    for i in 0..n {
        // SAFETY: as the caller promises.
        let (option, value) = unsafe { (*options.add(i), *values.add(i)) };
        match option {
            ERROR_LOG_BUFFER => buffer = value.cast(),
            ERROR_LOG_BUFFER_BYTES => capacity = value.addr(),
            _ => {}
        }
    }
    if !buffer.is_null() && capacity > 0 {
        let length = log.len().min(capacity - 1);
        // SAFETY: as the caller promises.
        unsafe {
            std::ptr::copy_nonoverlapping(log.as_ptr(), buffer, length);
            *buffer.add(length) = 0;
        }
    }
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuModuleGetFunction(out: *mut *mut c_void, module: *mut c_void, name: *const c_char) -> Code {
    code((|| {
        let mut state = enter_context("cuModuleGetFunction")?;
        // SAFETY: as the caller promises: a null-terminated name.
        let name = unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned();
        let loaded = state.modules.get(&module.addr()).ok_or(INVALID_HANDLE)?;
        if !loaded.entries.contains(&name) {
            return Err(NOT_FOUND);
        }
        let image = loaded.image;
        let handle = state.fresh_handle();
        state
            .functions
            .insert(handle, LoadedFunction { name, image, is_non_portable: false, shared_bytes: SHARED_BYTES });
        // SAFETY: as the caller promises.
        unsafe { *out = std::ptr::without_provenance_mut(handle) };
        Ok(())
    })())
}

/// Bytes of shared memory that launches of every function may ask for.
const SHARED_BYTES: u32 = 48 << 10;

/// What the mock says about every function: registers of a thread, static shared memory and local memory. Unit of memory: bytes.
const FACTS: [(i32, i32); 3] = [(4, 24), (1, 0), (3, 0)];

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuFuncGetAttribute(out: *mut i32, attribute: i32, function: *mut c_void) -> Code {
    code((|| {
        let state = enter_context("cuFuncGetAttribute")?;
        if !state.functions.contains_key(&function.addr()) {
            return Err(INVALID_HANDLE);
        }
        let known = FACTS.iter().find(|(known, _)| *known == attribute).ok_or(INVALID_VALUE)?;
        // SAFETY: as the caller promises.
        unsafe { *out = known.1 };
        Ok(())
    })())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ptx_is_read_as_far_as_needed() {
        let text = "// made by a test\n.version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k__flat32(\n.param .u64 a)\n{ ret; }\n";
        assert_eq!(read_ptx(text), Ok(vec!["k__flat32".to_string()]));
        assert_eq!(read_ptx("hello").map_err(|e| e.0), Err(INVALID_PTX));
        assert_eq!(read_ptx(".version 99.9\n.target sm_75").map_err(|e| e.0), Err(UNSUPPORTED_PTX));
        assert_eq!(read_ptx(".version 8.0\n.target sm_120a").map_err(|e| e.0), Err(NO_BINARY));
    }
}
