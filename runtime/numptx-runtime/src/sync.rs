//! What threads share: the standard library's. The models of `runtime/models` put others in its place, which try every order of steps.

pub(crate) use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
pub(crate) use std::sync::{Condvar, Mutex, MutexGuard};
pub(crate) use std::thread::{Thread, park, park_timeout};
pub(crate) use std::thread_local;
