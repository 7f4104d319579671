//! Entries of the table about the process and its threads.

use std::ffi::{CStr, c_char, c_void};

use super::caught;
use crate::{debug, libraries, process, shutdown, stack, waits};

pub(super) unsafe extern "C" fn shutdown(
    interrupt: Option<unsafe extern "C" fn(*mut c_void) -> i32>,
    data: *mut c_void,
) -> u32 {
    // SAFETY: the binding passes a callback with its datum, for the time of this call.
    let ends = || interrupt.is_some_and(|ask| unsafe { ask(data) } != 0);
    let is_done = caught(|| shutdown::wait(&ends)).unwrap_or(true);
    let _ = caught(debug::audit);
    if !is_done {
        process::shut_down();
    }
    u32::from(!is_done)
}

pub(super) extern "C" fn set_exit_check(function: Option<unsafe extern "C" fn() -> i32>) {
    process::set_exit_check(function);
}

pub(super) extern "C" fn set_before_wait(function: Option<unsafe extern "C" fn()>) {
    waits::set_before(function);
}

pub(super) unsafe extern "C" fn set_packages(folders: *const c_char) {
    // SAFETY: the binding passes a null-terminated text.
    let folders = unsafe { CStr::from_ptr(folders) };
    let _ = caught(|| libraries::set_packages(&folders.to_string_lossy()));
}

pub(super) extern "C" fn stack_limit() -> usize {
    caught(stack::limit).unwrap_or(0)
}
