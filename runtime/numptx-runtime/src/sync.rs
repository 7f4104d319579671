//! What threads share: the standard library's. The models of `runtime/models` put others in its place, which try every order of steps.

pub(crate) use std::sync::atomic::{AtomicUsize, Ordering};
pub(crate) use std::sync::{Condvar, Mutex, MutexGuard};
