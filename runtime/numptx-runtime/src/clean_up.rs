//! Clean-ups that failed: something was to be given back, the driver refused it, and nobody waits for an answer.
//!
//! In: failures, from any thread, without a lock. Out: their texts, one by one, oldest first, for bindings, which warn. A program that nobody asks for
//! them keeps few: what comes after these is counted only.

use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

use crate::error::Error;
use crate::process;

/// Failures kept until somebody asks.
const KEPT: u32 = 64;
/// `CUDA_ERROR_DEINITIALIZED`: the driver has gone, and everything with it.
const DEINITIALISED: i32 = 4;

struct Node {
    text: String,
    next: *mut Node,
}

/// Newest first.
static FIRST: AtomicPtr<Node> = AtomicPtr::new(std::ptr::null_mut());
/// How many failed since somebody asked last.
static FAILED: AtomicU32 = AtomicU32::new(0);
/// How many of them are not kept.
static LOST: AtomicU32 = AtomicU32::new(0);

/// Whether a function of the driver gives something back.
const fn gives_back(call: &str) -> bool {
    matches!(
        call.as_bytes(),
        b"cuMemFreeAsync"
            | b"cuMemFreeHost"
            | b"cuStreamDestroy"
            | b"cuEventDestroy"
            | b"cuGraphDestroy"
            | b"cuGraphExecDestroy"
    )
}

/// A call of the driver failed: notes it where that was to give something back.
#[cold]
pub(crate) fn call_failed(call: &'static str, code: i32) {
    if gives_back(call) && code != DEINITIALISED {
        failed(&Error::from(crate::driver::Failure { call, code }));
    }
}

/// Notes that something could not be given back.
#[cold]
pub(crate) fn failed(error: &Error) {
    if process::leaves_devices_alone() {
        return;
    }
    if FAILED.fetch_add(1, Ordering::AcqRel) >= KEPT {
        LOST.fetch_add(1, Ordering::AcqRel);
        return;
    }
    let text = format!("a clean-up failed, and what it was to give back may stay: {error}");
    let node = Box::into_raw(Box::new(Node { text, next: std::ptr::null_mut() }));
    let mut first = FIRST.load(Ordering::Relaxed);
    loop {
        // SAFETY: nobody else knows the node yet.
        unsafe { (*node).next = first };
        match FIRST.compare_exchange_weak(first, node, Ordering::Release, Ordering::Relaxed) {
            Ok(_) => return,
            Err(now) => first = now,
        }
    }
}

/// [`numptx_abi::RuntimeTable::failed_clean_ups`].
pub(crate) fn count() -> &'static AtomicU32 {
    &FAILED
}

/// The texts of what failed since the last question, oldest first.
pub(crate) fn take() -> Vec<String> {
    FAILED.store(0, Ordering::Release);
    let mut texts = Vec::new();
    let mut next = FIRST.swap(std::ptr::null_mut(), Ordering::Acquire);
    while !next.is_null() {
        // SAFETY: taken off the list, so that it is ours.
        let node = unsafe { Box::from_raw(next) };
        next = node.next;
        texts.push(node.text);
    }
    texts.reverse();
    match LOST.swap(0, Ordering::AcqRel) {
        0 => {}
        lost => texts.push(format!("{lost} more clean-ups failed")),
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::{KEPT, call_failed, count, failed, take};
    use crate::error::Error;
    use std::sync::atomic::Ordering;

    #[test]
    fn failures_are_told_once_in_their_order_and_few_are_kept() {
        take();
        call_failed("cuLaunchKernel", 700);
        call_failed("cuStreamDestroy", 4);
        assert_eq!((count().load(Ordering::Relaxed), take().len()), (0, 0));
        for n in 0..KEPT + 3 {
            failed(&Error::runtime(format!("number {n}")));
        }
        call_failed("cuMemFreeAsync", 1);
        let texts = take();
        assert_eq!((texts.len() as u32, count().load(Ordering::Relaxed)), (KEPT + 1, 0));
        assert!(texts[0].ends_with("number 0") && texts[KEPT as usize - 1].ends_with(&format!("number {}", KEPT - 1)));
        assert_eq!(texts[KEPT as usize], "4 more clean-ups failed");
        assert_eq!(take(), [""; 0]);
        call_failed("cuMemFreeAsync", 1);
        assert!(take()[0].contains("cuMemFreeAsync"));
    }
}
