//! Counts of locks, for tests: they find these functions by name.

use crate::lock;

/// How many locks of the runtime the calling thread has taken.
#[unsafe(no_mangle)]
pub extern "C" fn numptx_runtime_locks_taken() -> u64 {
    lock::taken()
}

/// How many locks of the runtime the calling thread holds.
#[unsafe(no_mangle)]
pub extern "C" fn numptx_runtime_locks_held() -> u64 {
    lock::held()
}
