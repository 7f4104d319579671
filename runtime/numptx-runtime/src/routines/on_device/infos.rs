//! What libraries say of each matrix of a batch, in the device's memory.
//!
//! In: how many matrices. Out: a number each, which functions write; read at the end, when the device is waited for once.

use std::ffi::c_int;

use super::{Scratch, Task};
use crate::error::{Error, Result};
use crate::{staging, stats};

pub(super) struct Infos {
    numbers: Scratch,
    count: i64,
}

impl Infos {
    /// Numbers that are 0, and one more, for functions that say nothing of interest.
    pub(super) fn new(task: &Task<'_>, count: i64) -> Result<Infos> {
        let bytes = (count + 1) * 4;
        let numbers = task.scratch(bytes)?;
        // SAFETY: so many bytes are there, and are this call's.
        unsafe { task.device.driver.fill(numbers.0.address(), 0, bytes as usize, task.call.stream.handle()) }?;
        Ok(Infos { numbers, count })
    }

    /// Where that of an index is written.
    pub(super) fn at(&self, index: i64) -> *mut c_int {
        self.numbers.at(4 * index).cast()
    }

    /// Where what is not read is written.
    pub(super) fn ignored(&self) -> *mut c_int {
        self.at(self.count)
    }

    /// The first one that is not 0; 0 during a capture, where nothing is computed yet.
    pub(super) fn answer(&self, task: &Task<'_>) -> Result<i64> {
        if task.call.recording.is_some() {
            return Ok(0);
        }
        let mut found = vec![0 as c_int; usize::try_from(self.count).unwrap_or(0)];
        let bytes = found.len() * 4;
        // SAFETY: as many numbers are on the device; they are here when the stream was waited for, which comes next.
        unsafe {
            staging::to_host(task.device, found.as_mut_ptr().cast(), self.numbers.0.address(), bytes, &task.call.stream)
        }?;
        task.device.wait(task.call.stream.handle())?;
        stats::transferred(task.device.ordinal, bytes);
        match found.iter().find(|info| **info != 0) {
            None => Ok(0),
            Some(info) if *info > 0 => Ok(i64::from(*info)),
            Some(info) => Err(Error::runtime(format!(
                "`{}`: NVIDIA's library refuses its argument {}; this is a bug of numptx",
                task.name(),
                -i64::from(*info)
            ))),
        }
    }
}
