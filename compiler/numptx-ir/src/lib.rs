//! The two intermediate representations and the table of NumPy functions.
//!
//! # What the IRs mean
//!
//! **Array IR** ([`array`]): SSA with structured regions. Arrays are *views by value*: a buffer, a byte offset, extents and
//! strides. View operations move no data. Computations (`map`, `reduce`) are pure and produce fresh arrays; only `assign` and
//! `store` write memory. An `assign` acts as if its right side had been evaluated completely before anything is written.
//! Buffers are the only reference-counted objects. Results of computations, of `reshape` and of region merges are *owned*;
//! parameters and views are *borrowed*, and a use of a view is a use of its root.
//!
//! **Kernel IR** ([`kernel`]): what one launch does. Phases over an iteration space: a scalar body, loads, reductions and stores.
//!
//! Both hold scalar computations as a [`scalar::Body`]. Both have a text form whose printing and parsing is the identity, and a
//! verifier that lists every invariant. This crate knows nothing of Python's syntax, of LLVM or of CUDA's driver.

pub mod array;
pub mod dtype;
pub mod functions;
pub mod kernel;
pub mod promotion;
pub mod scalar;
pub mod signature;
mod text;

pub use dtype::DType;
pub use numptx_abi::{error_kind, object};
pub use numptx_random as random;
pub use text::ParseError;
