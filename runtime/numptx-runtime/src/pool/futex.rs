//! Sleeping until a word changes: the kernel's futex. No lock of ours is involved, so nobody waits for a thread that was put off while it held one.
//!
//! In: a word of this process. Out: a thread that sleeps, or others that wake.

use std::sync::atomic::AtomicU32;

/// Sleeps while the word holds `value`. May also return for no reason.
pub(super) fn wait(word: &AtomicU32, value: u32) {
    let operation = libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG;
    // SAFETY: the kernel reads the word, which the reference keeps alive, and no time limit.
    unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), operation, value, std::ptr::null::<libc::timespec>()) };
}

/// Wakes up to `n` threads that sleep on the word.
pub(super) fn wake(word: &AtomicU32, n: u32) {
    let operation = libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG;
    // SAFETY: the kernel uses the address as a name alone.
    unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), operation, n) };
}
