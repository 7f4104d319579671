//! What a library of NVIDIA's answers, as an error.
//!
//! In: the codes that a library has. Out: nothing, or the error of a call.

use std::ffi::c_int;

use crate::error::{Error, Result};

/// A library's name, and its code for memory that is not to be had. 0 is success in all of them.
pub(super) struct Statuses {
    pub(super) library: &'static str,
    pub(super) alloc_failed: c_int,
}

impl Statuses {
    /// # Errors
    /// Where a call failed: [`numptx_abi::error_kind::MEMORY`], or with the library's code.
    pub(super) fn check(&self, call: &str, code: c_int) -> Result<()> {
        match code {
            0 => Ok(()),
            code if code == self.alloc_failed => Err(Error::memory(format!(
                "{call}: out of memory on the GPU; free arrays on the device, or compute in pieces"
            ))),
            code => Err(Error::runtime(format!("{call}: {} failed with status {code}", self.library))),
        }
    }
}
