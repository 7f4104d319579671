//! Copies between arrays, on any devices, in the order of streams.

use numptx_abi as abi;
use pyo3::prelude::*;

use super::Array;
use crate::{layout, streams};

impl Array {
    /// A copy on a device, its axes in the same order in memory.
    pub fn copy_to(&self, py: Python<'_>, device: i32) -> PyResult<Self> {
        let strides = layout::k_strides(self.shape(), self.strides(), self.itemsize());
        let copy = Array::empty(py, self.dtype_code(), (self.shape(), &strides), device)?;
        copy.fill_from(py, self, true)?;
        Ok(copy)
    }

    /// Copies another array's elements into this one's memory; waits for it, without the interpreter lock.
    pub fn fill_from(&self, py: Python<'_>, source: &Array, is_fresh: bool) -> PyResult<()> {
        let open = [self.open()?, source.open()?];
        for (memory, array) in open.iter().zip([self, source]) {
            if let Some(producer) = &memory.producer {
                streams::wait_for(py, producer.stream(py, array.device)?.get(), array.device)?;
            }
        }
        let (destination, source) = (Views(&self.view), Views(&source.view));
        let stream = streams::SendPointer(streams::current_or_default());
        streams::detached(py, move |table, error| {
            let (destination, source) = (destination, source);
            // SAFETY: both arrays live until the copy is done, and the stream until the block that entered it ends.
            unsafe { (table.array_copy)(destination.0, source.0, stream.get(), u32::from(is_fresh), error) }
        })
    }
}

/// Lets views cross `detach`; the arrays they belong to are kept alive by the caller.
struct Views<'a>(&'a abi::Array);
// SAFETY: a view is plain words, and its buffer's references are counted atomically.
unsafe impl Send for Views<'_> {}
