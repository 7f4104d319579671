//! Routines on a device: NVIDIA's libraries compute them in the order of the call's stream.
//!
//! In: arrays in the device's memory. Out: results in place, and the answer, for which the device is waited for where there is one. `None`: the library is not
//! there, or does not take arrays that lie like this; then nothing is done. Routines without an answer do not wait. During a capture what cuBLAS and cuFFT
//! compute is captured; nobody reads answers then: of a matrix that has no inverse come elements that are no numbers.

mod eigen;
mod factors;
mod fourier;
mod general;
mod infos;
mod jacobi;
mod layout;
mod matrices;
mod pointers;
mod singular;
mod solving;

use std::ffi::c_void;

use numptx_abi::routine;

use super::operand::Operand;
use crate::buffer::BufferRef;
use crate::call::CallState;
use crate::device::Device;
use crate::error::Result;

/// Matrices of one call of a library's function for many, at most.
const MOST_AT_ONCE: i64 = 1 << 15;
/// Rows and columns of matrices of which cuBLAS and cuSOLVER do many at once faster than one after another.
const SMALL: i64 = 128;
/// The same of a call that is captured, where there is no other way.
const SMALL_IN_CAPTURE: i64 = 1024;

/// A routine that is to be computed.
#[derive(Clone, Copy)]
struct Task<'a> {
    call: &'a CallState,
    device: &'static Device,
    code: u32,
    flags: u32,
    operands: &'a [Operand],
}

/// What the routine answers.
///
/// # Safety
/// The operands are as [`numptx_abi::routine`] has them, lie in the device's memory, and are the call's to use. The device's context is current.
pub(super) unsafe fn run(
    call: &CallState,
    device: &'static Device,
    (code, flags): (u32, u32),
    operands: &[Operand],
) -> Result<Option<i64>> {
    let task = Task { call, device, code, flags, operands };
    match code {
        routine::LU => solving::lu(&task),
        routine::SOLVE => solving::solve(&task),
        routine::LU_SOLVE => solving::solve_factored(&task),
        routine::TRIANGULAR => solving::triangular(&task),
        routine::CHOLESKY => factors::cholesky(&task),
        routine::QR => factors::qr(&task),
        routine::Q => factors::q(&task),
        routine::EIGH | routine::EIGVALSH => eigen::eigen(&task),
        routine::SVD | routine::SVDVALS => singular::singular(&task),
        routine::EIG | routine::EIGVALS => general::general(&task),
        _ => fourier::transform(&task),
    }
}

impl Task<'_> {
    /// The routine's name, as messages have it.
    fn name(&self) -> &'static str {
        routine::NAMES.get(self.code as usize).copied().unwrap_or("")
    }

    fn dtype(&self) -> u8 {
        self.operands[0].dtype
    }

    /// Memory in the order of the call's stream.
    fn scratch(&self, bytes: i64) -> Result<Scratch> {
        self.call.alloc(bytes.max(1)).map(Scratch)
    }

    /// Whether matrices of so many rows and columns are done many at once.
    fn is_batched(&self, count: i64, sides: [i64; 2]) -> bool {
        let (fewest, most) = match self.call.recording {
            None => (2, SMALL),
            Some(_) => (1, SMALL_IN_CAPTURE),
        };
        count >= fewest && sides[0].max(sides[1]) <= most
    }
}

/// Working memory, given back in the order of the stream that it is for.
struct Scratch(BufferRef);

impl Scratch {
    fn first(&self) -> *mut c_void {
        self.0.data.cast()
    }

    /// So many bytes further.
    fn at(&self, bytes: i64) -> *mut c_void {
        self.0.data.wrapping_offset(bytes as isize).cast()
    }
}

/// Parts of a batch that a library takes at once: where each begins, and how many it has.
fn parts(count: i64) -> impl Iterator<Item = (i64, i64)> {
    (0..count).step_by(MOST_AT_ONCE as usize).map(move |begin| (begin, MOST_AT_ONCE.min(count - begin)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_batch_are_all_of_it() {
        assert_eq!(parts(0).count(), 0);
        assert_eq!(parts(3).collect::<Vec<_>>(), [(0, 3)]);
        let found: Vec<_> = parts(70_000).collect();
        assert_eq!(found, [(0, 32_768), (32_768, 32_768), (65_536, 4464)]);
    }
}
