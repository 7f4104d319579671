//! Routines of linear algebra and Fourier transforms, as [`numptx_abi::routine`] has them: who computes one is decided here.
//!
//! In: a routine's arrays. Out: its results in those that it writes, and its answer. On a device NVIDIA's libraries compute, where they are there and take
//! the arrays; a decomposition that they do not take is the host's, and comes back. On the CPU `libnumptx_math.so` computes, matrix by matrix and row
//! by row, on all threads.

mod away;
mod on_device;
mod on_host;
mod operand;

use numptx_abi::{Array, routine};

use crate::call::CallState;
use crate::error::{Error, Result};
use operand::Operand;

/// [`numptx_abi::RuntimeTable::routine`]: what the routine answers.
///
/// # Safety
/// The arrays are alive, and the caller may write the first ones, as many as the routine writes, which share no memory with others.
pub(crate) unsafe fn run(call: &CallState, code: u32, flags: u32, arrays: &[Array]) -> Result<i64> {
    let (n, n_written) = routine::operands(code);
    if code >= routine::COUNT || arrays.len() != n {
        return Err(Error::runtime("no such routine; this is a bug of numptx"));
    }
    let mut operands = Vec::with_capacity(n);
    for (position, array) in arrays.iter().enumerate() {
        // SAFETY: as the caller promises.
        operands.push(unsafe { Operand::of(call, array, position < n_written) }?);
    }
    if operands[..n_written].iter().all(Operand::is_empty) {
        return Ok(0);
    }
    let task = on_host::Task { code, flags, operands };
    match call.device {
        None => task.run(call),
        Some(device) => away::run(call, device, &task, n_written),
    }
}

/// Whether a routine is a transform.
fn is_transform(code: u32) -> bool {
    matches!(code, routine::FFT | routine::RFFT | routine::IRFFT)
}
