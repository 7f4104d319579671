//! NumPy kernels in a Rust program: compiled by `build.rs`, called as typed functions.
//!
//! The tests of this package show what calls look like.

#![forbid(unsafe_code)]

/// The functions of `kernels.py`.
pub mod kernels {
    include!(concat!(env!("OUT_DIR"), "/kernels.rs"));
}

/// The functions of `types.py`: every sort of parameter and result.
pub mod types {
    include!(concat!(env!("OUT_DIR"), "/types.rs"));
}
