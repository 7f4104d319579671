//! Arrays of pointers in the device's memory, for functions that do many matrices at once.
//!
//! In: addresses. Out: the same in the device's memory, in the order of the call's stream; of a call that is captured, at each replay.

use std::ffi::c_void;

use super::{Scratch, Task};
use crate::error::Result;
use crate::pinned::Block;

pub(super) struct Pointers(Scratch);

impl Pointers {
    pub(super) fn of(task: &Task<'_>, addresses: impl Iterator<Item = *mut c_void>) -> Result<Pointers> {
        let bytes: Vec<u8> = addresses.flat_map(|address| (address.expose_provenance() as u64).to_ne_bytes()).collect();
        let there = task.scratch(bytes.len() as i64)?;
        match &task.call.recording {
            None => task.call.upload(task.device, there.first().cast(), &bytes)?,
            Some(recording) => {
                let block = Block::new(task.device, bytes.len())?;
                // SAFETY: the block has as many bytes; the node reads them as long as the graph, which keeps it, is there.
                let recorded = unsafe {
                    std::ptr::copy_nonoverlapping(bytes.as_ptr(), block.first(), bytes.len());
                    let source = block.first().cast_const().cast();
                    task.device.driver.upload(there.0.address(), source, bytes.len(), task.call.stream.handle())
                };
                recording.keep_block(block);
                recorded?;
            }
        }
        Ok(Pointers(there))
    }

    /// From an index on.
    pub(super) fn from(&self, index: i64) -> *const *mut c_void {
        self.0.at(8 * index).cast_const().cast()
    }
}
