//! Routines of calls that compute on a device: NVIDIA's library there, else the host, on copies that go back.

use std::ffi::c_void;

use super::on_host::Task;
use super::{is_transform, on_device};
use crate::call::CallState;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::room::reserved;
use crate::stats;

/// What the routine answers. `n_written`: how many operands, the first ones, it writes.
pub(super) fn run(call: &CallState, device: &'static Device, task: &Task, n_written: usize) -> Result<i64> {
    // SAFETY: the operands are as the routine has them, by the contract of generated code; calls on a device have its context.
    if let Some(answer) = unsafe { on_device::run(call, device, (task.code, task.flags), &task.operands) }? {
        return Ok(answer);
    }
    if is_transform(task.code) {
        return Err(Error::runtime(
            "Fourier transforms on a GPU need cuFFT, which was not found: pip install 'numptx-runtime[cuda13]'",
        ));
    }
    call.refuse_capture("the host computes this decomposition")?;
    call.replay.give_up();
    let mut copies = Vec::with_capacity(task.operands.len());
    let mut operands = task.operands.clone();
    for operand in &mut operands {
        let (low, high) = operand.reach();
        let bytes = usize::try_from((high - low) * operand.itemsize).unwrap_or(0);
        let mut copy: Vec<u8> = reserved(bytes)?;
        copy.resize(bytes, 0);
        let there = operand.at(low);
        if !operand.is_empty() {
            let from = there.expose_provenance() as u64;
            // SAFETY: the operand's elements lie there on the device, and the copy has room for them.
            unsafe { device.driver.download(copy.as_mut_ptr().cast::<c_void>(), from, bytes, call.stream.handle()) }?;
        }
        operand.first = copy.as_mut_ptr().wrapping_offset((-low * operand.itemsize) as isize);
        copies.push((copy, there));
    }
    device.wait(call.stream.handle())?;
    copies.iter().for_each(|(copy, _)| stats::transferred(device.ordinal, copy.len()));
    let answer = Task { code: task.code, flags: task.flags, operands }.run(call)?;
    for (n, (copy, there)) in copies.iter().enumerate().take(n_written) {
        if !task.operands[n].is_empty() {
            call.upload(device, *there, copy)?;
        }
    }
    Ok(answer)
}
