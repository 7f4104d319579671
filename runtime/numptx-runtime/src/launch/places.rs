//! Places: the elements of a buffer that a scatter writes to, counted from its first byte on.
//!
//! In: a launch of a kernel that scatters. Out: how many places its destination's buffer has, whatever view of it the kernel is given.

use numptx_abi::dtype;

use super::Launch;
use super::device::Parameters;
use crate::buffer::Buffer;

/// The places of a launch's destination, as [`numptx_abi::Kernel`] tells them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Places {
    pub(super) count: i64,
    /// Bytes from the buffer's first one to the destination's first element.
    first: i64,
    /// Bytes of one.
    bytes: i64,
}

impl Places {
    /// `None`: the kernel has no variants by places, or the destination's elements do not lie at places.
    pub(super) fn of(launch: &Launch<'_>) -> Option<Places> {
        let n = usize::from(launch.kernel.destination).checked_sub(1)?;
        let (operand, info) = (launch.operands.get(n)?, launch.infos.get(n)?);
        // SAFETY: a launch's operands have live buffers.
        let buffer = unsafe { &*operand.buffer.cast::<Buffer>() };
        let is_complex = matches!(info.dtype, dtype::COMPLEX64 | dtype::COMPLEX128);
        let bytes = i64::from(info.itemsize) / if is_complex { 2 } else { 1 };
        Places::within(buffer.bytes, operand.offset, bytes)
    }

    pub(super) fn within(buffer: i64, first: i64, bytes: i64) -> Option<Places> {
        let lies_at_one = bytes > 0 && first % bytes == 0 && (0..buffer).contains(&first);
        lies_at_one.then(|| Places { count: buffer / bytes, first, bytes })
    }

    /// Bytes of memory a place for the sums of its values, and their largest exponent.
    pub(super) fn sum_bytes(&self) -> i64 {
        if self.bytes == 8 { 8 + 8 + 4 } else { 8 + 4 }
    }

    /// The parameters of variants by places.
    pub(super) fn push(&self, parameters: &mut Parameters, memory: i64) {
        for value in [memory, self.count, self.first] {
            parameters.push(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Places;

    #[test]
    fn a_buffer_is_cut_into_elements() {
        assert_eq!(Places::within(80, 16, 8), Some(Places { count: 10, first: 16, bytes: 8 }));
        assert_eq!(Places::within(83, 0, 4), Some(Places { count: 20, first: 0, bytes: 4 }));
        for (buffer, first, bytes) in [(0, 0, 8), (80, 80, 8), (80, -8, 8), (80, 4, 8), (80, 0, 0)] {
            assert_eq!(Places::within(buffer, first, bytes), None, "{buffer} {first} {bytes}");
        }
    }
}
