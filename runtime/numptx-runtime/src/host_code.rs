//! The host code of a library that is bound: the level that this processor has, and the functions of this machine's math library.
//!
//! In: a library's [`HostCode`]. Out: its places filled, or an error that names what the processor lacks. A thread that binds
//! a library runs nothing of it before. Threads that bind it at once find the same addresses, and each place is written once: whoever comes later only
//! looks. So there is no lock, which a fork could leave taken.

use std::ffi::{CStr, c_char, c_void};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};

use numptx_abi::{HostCode, HostLevel, Module, features};

use crate::error::{Error, Result};

/// Fills the places of a module.
///
/// # Safety
/// The module's layout is this runtime's, it lives as long as the process, and nobody reads its places who has not bound it.
pub(crate) unsafe fn choose(module: &Module) -> Result<()> {
    // SAFETY: as the caller promises; the pointer is null or leads to a structure of the library.
    let Some(host) = (unsafe { module.host.as_ref() }) else { return Ok(()) };
    let table = |pointer: *const HostLevel, n: u32| {
        // SAFETY: the library has as many levels as it says.
        unsafe { std::slice::from_raw_parts(pointer, n as usize) }
    };
    let levels = table(host.levels, host.n_levels);
    let has = allowed(std::env::var("NUMPTX_CPU_LEVEL").ok().as_deref())?;
    let Some(best) = levels.iter().rposition(|level| level.features & !has == 0) else {
        // SAFETY: as above.
        return Err(unsafe { too_much(module, levels, has) });
    };
    // SAFETY: as the caller promises; `best` is one of the levels.
    unsafe {
        fill_choices(host, best);
        fill_math(module, host)
    }
}

/// What this processor has, but nothing beyond the level that `limit` names.
fn allowed(limit: Option<&str>) -> Result<u64> {
    static FOUND: OnceLock<u64> = OnceLock::new();
    let found = *FOUND.get_or_init(found);
    match limit.filter(|name| !name.is_empty()) {
        None => Ok(found),
        Some(name) => features::of_level(name).map(|level| level & found).ok_or_else(|| {
            let names: Vec<&str> = features::LEVELS.iter().map(|level| level.0).collect();
            Error::value(format!("NUMPTX_CPU_LEVEL is `{name}`; it may be {}", names.join(", ")))
        }),
    }
}

/// Those of [`features::NAMES`] that the processor and the system have.
fn found() -> u64 {
    features::NAMES.iter().enumerate().filter(|(_, name)| is_there(name)).fold(0, |set, (n, _)| set | 1 << n)
}

/// Asks for a feature by LLVM's name: the standard library wants its own names, and as literals.
fn is_there(name: &str) -> bool {
    macro_rules! detected {
        ($($llvm:literal => $rust:tt,)*) => {
            match name {
                $($llvm => std::arch::is_x86_feature_detected!($rust),)*
                _ => false,
            }
        };
    }
    detected! {
        "sse3" => "sse3", "ssse3" => "ssse3", "sse4.1" => "sse4.1", "sse4.2" => "sse4.2", "popcnt" => "popcnt",
        "avx" => "avx", "avx2" => "avx2", "bmi" => "bmi1", "bmi2" => "bmi2", "f16c" => "f16c", "fma" => "fma",
        "lzcnt" => "lzcnt", "movbe" => "movbe",
        "avx512f" => "avx512f", "avx512bw" => "avx512bw", "avx512cd" => "avx512cd", "avx512dq" => "avx512dq",
        "avx512vl" => "avx512vl",
        "avx512ifma" => "avx512ifma", "avx512vbmi" => "avx512vbmi", "avx512vbmi2" => "avx512vbmi2",
        "avx512vnni" => "avx512vnni", "avx512bitalg" => "avx512bitalg", "avx512vpopcntdq" => "avx512vpopcntdq",
        "gfni" => "gfni", "avxvnni" => "avxvnni",
    }
}

/// What is said where no level fits.
///
/// # Safety
/// As [`choose`].
unsafe fn too_much(module: &Module, levels: &[HostLevel], has: u64) -> Error {
    let text = |pointer: *const c_char| {
        // SAFETY: the library's texts are null-terminated.
        unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned()
    };
    let name = text(module.name);
    let Some(least) = levels.first() else {
        return Error::runtime(format!("module `{name}` holds no code for any processor; this is a bug of numptx"));
    };
    let missing: Vec<&str> = features::names(least.features & !has).collect();
    Error::runtime(format!(
        "module `{name}` was compiled with `--cpu {}`, and this processor lacks {}; compile it with `--cpu portable`, the default",
        text(least.name),
        missing.join(", ")
    ))
}

/// Writes the function of the highest level up to `best` to each place.
///
/// # Safety
/// As [`choose`].
unsafe fn fill_choices(host: &HostCode, best: usize) {
    for n in 0..host.n_choices as usize {
        // SAFETY: the library has as many choices as it says, each with a function a level, and its places are writable words of its own.
        unsafe {
            let choice = *host.choices.add(n);
            let functions = std::slice::from_raw_parts(choice.functions, best + 1);
            if let Some(function) = functions.iter().rev().find(|function| !function.is_null()) {
                fill(choice.place, *function);
            }
        }
    }
}

/// Writes the functions of the machine's math library to their places.
///
/// # Safety
/// As [`choose`].
unsafe fn fill_math(module: &Module, host: &HostCode) -> Result<()> {
    for n in 0..host.n_math as usize {
        // SAFETY: the library has as many places as it says, which are writable words of its own, and null-terminated names.
        unsafe {
            let slot = *host.math.add(n);
            let name = CStr::from_ptr(slot.name);
            let function = math_function(name);
            if !function.is_null() {
                fill(slot.place, function);
            } else if (*slot.place).is_null() {
                return Err(Error::runtime(format!(
                    "module `{}` calls `{}`, which this machine's math library does not have",
                    CStr::from_ptr(module.name).to_string_lossy(),
                    name.to_string_lossy()
                )));
            }
        }
    }
    Ok(())
}

/// Writes an address to a place that does not hold it yet.
///
/// # Safety
/// The place is a word of a library, which all threads fill with this address, and which nobody reads otherwise before the thread has bound the library.
unsafe fn fill(place: *mut *const c_void, address: *const c_void) {
    // SAFETY: as the caller promises; words of a library are aligned, and only written here.
    let place = unsafe { AtomicPtr::from_ptr(place.cast::<*mut c_void>()) };
    let now = place.load(Ordering::Acquire);
    if now.cast_const() != address {
        // Where this fails, another thread has just written the same.
        let _ = place.compare_exchange(now, address.cast_mut(), Ordering::AcqRel, Ordering::Acquire);
    }
}

/// A function of `libm`, or a vector version of one, of `libmvec`; null where there is none.
fn math_function(name: &CStr) -> *const c_void {
    static SCALAR: OnceLock<usize> = OnceLock::new();
    static VECTOR: OnceLock<usize> = OnceLock::new();
    let is_vector = name.to_bytes().starts_with(b"_ZGV");
    let opened = if is_vector {
        VECTOR.get_or_init(|| open(c"libmvec.so.1"))
    } else {
        SCALAR.get_or_init(|| open(c"libm.so.6"))
    };
    let library: *mut c_void = std::ptr::with_exposed_provenance_mut(*opened);
    if library.is_null() && is_vector {
        return std::ptr::null();
    }
    // Where there is no `libm.so.6`, the C library is one file with its functions in it, which is the process's already.
    let library = if library.is_null() { libc::RTLD_DEFAULT } else { library };
    // SAFETY: a library that was opened and is never closed, or the process; the name is null-terminated.
    unsafe { libc::dlsym(library, name.as_ptr()) }.cast_const()
}

/// The address of a library's handle; 0 where it is not there.
fn open(name: &CStr) -> usize {
    // SAFETY: opening one of the system's libraries by name.
    unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) }.expose_provenance()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_takes_away_and_adds_nothing() {
        let all = allowed(None).expect("no limit is fine");
        for (name, n) in features::LEVELS {
            let level = allowed(Some(name)).expect("a level's name");
            assert_eq!(level, all & ((1 << n) - 1), "{name}");
        }
        assert_eq!(allowed(Some("")), Ok(all));
        let error = allowed(Some("i386")).expect_err("no level");
        assert!(error.message().contains("`i386`; it may be x86-64, x86-64-v2, x86-64-v3, x86-64-v4"), "{error}");
    }

    #[test]
    fn every_feature_can_be_asked_for() {
        let source = include_str!("host_code.rs");
        for name in features::NAMES {
            assert!(source.contains(&format!("\"{name}\" => ")), "{name}");
        }
    }

    #[test]
    fn math_functions_are_found_by_name() {
        assert!(!math_function(c"exp").is_null());
        assert!(math_function(c"no_such_function").is_null());
    }
}
