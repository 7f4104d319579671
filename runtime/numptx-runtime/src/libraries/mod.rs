//! Libraries of linear algebra, ours on the CPU and NVIDIA's on a GPU: each is found and opened at its first use, and stays open. A library that is not there
//! is no error: who asks computes without.
//!
//! In: what a library's files and folders are called, and the environment. Out: an open library, once for the process.

pub(crate) mod cublas;
mod find;
pub(crate) mod math;
mod open;

pub use cublas::find_cublas;
pub(crate) use find::{own_packages, set_packages, toolkits};
