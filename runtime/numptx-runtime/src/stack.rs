//! How much of its stack a thread may take for calls inside calls.
//!
//! In: nothing. Out: an address on the calling thread's stack. Whoever calls something that may call it again goes no further, and raises
//! `RecursionError`; below it is room for what the innermost call still does.

use std::cell::Cell;
use std::mem::MaybeUninit;
use std::ops::Range;

/// What is left below the limit: a quarter of the stack, within these bounds. A launch on the host takes more than 16 KiB of frames. Unit: bytes.
const LEAST_LEFT: usize = 28 << 10;
const MOST_LEFT: usize = 256 << 10;
/// Where nobody tells what stack this is, it is taken to go on for so many bytes from where it was asked.
const UNTOLD: usize = 64 << 10;

thread_local! {
    /// The thread's own stack; empty where the system does not tell it, `None` before it was asked.
    static OWN: Cell<Option<(usize, usize)>> = const { Cell::new(None) };
}

/// [`numptx_abi::RuntimeTable::stack_limit`].
pub(crate) fn limit() -> usize {
    let (low, high) = OWN.get().unwrap_or_else(|| {
        let found = of_thread().unwrap_or(0..0);
        OWN.set(Some((found.start, found.end)));
        (found.start, found.end)
    });
    let mark = 0u8;
    limit_of(low..high, (&raw const mark).addr())
}

/// The limit on a stack. A program may have left its thread's own one, as those that switch stacks by themselves do.
fn limit_of(own: Range<usize>, here: usize) -> usize {
    let (low, bytes) = if own.contains(&here) { (own.start, own.len()) } else { (here.saturating_sub(UNTOLD), UNTOLD) };
    low + left_of(bytes)
}

/// What is left of a stack of so many bytes.
fn left_of(bytes: usize) -> usize {
    (bytes / 4).clamp(LEAST_LEFT, MOST_LEFT)
}

/// The calling thread's stack. The process's first one ends where its limit says, or without one at the next mapping.
fn of_thread() -> Option<Range<usize>> {
    let mut attributes = MaybeUninit::<libc::pthread_attr_t>::uninit();
    let (mut low, mut bytes) = (std::ptr::null_mut(), 0usize);
    // SAFETY: the attributes are read and destroyed only where they were filled; the rest writes to locals.
    unsafe {
        if libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) != 0 {
            return None;
        }
        let found = libc::pthread_attr_getstack(attributes.as_ptr(), &mut low, &mut bytes);
        libc::pthread_attr_destroy(attributes.as_mut_ptr());
        (found == 0).then(|| low.addr()..low.addr().saturating_add(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_stack_keeps_a_quarter_and_a_large_one_a_fixed_part() {
        let look = || {
            let own = of_thread().expect("the system tells");
            let mark = 0u8;
            assert!(own.contains(&(&raw const mark).addr()));
            (own.len(), limit() - own.start)
        };
        for bytes in [64 << 10, 512 << 10, 8 << 20, 64 << 20] {
            let thread = std::thread::Builder::new().stack_size(bytes).spawn(look).expect("a thread");
            let (there, left) = thread.join().expect("an answer");
            // The system may give a stack that another thread had.
            assert!(there >= bytes);
            assert_eq!(left, left_of(there));
        }
    }

    #[test]
    fn another_stack_than_the_thread_s_own_is_taken_to_be_small() {
        let here = 1 << 30;
        assert_eq!(limit_of(0..0, here), here - UNTOLD + LEAST_LEFT);
        assert_eq!(limit_of(2 << 30..3 << 30, here), here - UNTOLD + LEAST_LEFT);
        assert_eq!(limit_of(1 << 29..2 << 30, here), (1 << 29) + MOST_LEFT);
    }
}
