//! The short way of a map on the host: every operand's elements lie one after another in C order, as those of most short calls do.
//!
//! In: a launch as generated code gives it. Out: the flat variant has run, or nothing was done and the general way has to be taken. It does what
//! that way does where axes need not be dropped, permuted, flipped or merged to become one.

use numptx_abi::{Frame, HostMap, Kernel, Operand, OperandInfo};

use super::{Launch, host, slice};
use crate::call::CallState;
use crate::error::Result;
use crate::inline::Inline;
use crate::{debug, stats};

/// Extents and strides that flat variants are given and do not use.
static UNUSED: [i64; 256] = [0; 256];

/// Runs the flat variant where the operands are contiguous as they are; `None`: nothing was done.
///
/// # Safety
/// As [`super::launch`]; no extent is 0.
#[inline]
pub(super) unsafe fn map(
    call: &CallState,
    kernel: &Kernel,
    extents: &[i64],
    operands: &[Operand],
    infos: &[OperandInfo],
    scalars: *const [u64; 2],
) -> Option<Result<()>> {
    let function = kernel.host_flat.filter(|_| kernel.flags & Kernel::INDEXED == 0)?;
    let all_lie_flat = operands.iter().zip(infos).all(|(operand, info)| {
        // SAFETY: as the caller promises: a stride an axis.
        let strides = unsafe { slice(operand.strides, extents.len()) };
        info.scalar != 0 || lies_flat(extents, strides, info.itemsize)
    });
    if call.device.is_some() || !all_lie_flat || operands.len() * extents.len().max(1) > UNUSED.len() {
        return None;
    }
    let mut launch = Launch { kernel, infos, scalars, pointers: Inline::new() };
    // SAFETY: as the caller promises.
    Some(unsafe { run(call, &mut launch, operands, extents.iter().product(), function) })
}

/// # Safety
/// As [`map`].
unsafe fn run(
    call: &CallState,
    launch: &mut Launch<'_>,
    operands: &[Operand],
    count: i64,
    function: HostMap,
) -> Result<()> {
    for (operand, info) in operands.iter().zip(launch.infos) {
        debug::check_use(operand.buffer.cast())?;
        // SAFETY: as the caller promises.
        let base = call.address(unsafe { &*operand.buffer.cast() }, info.access & OperandInfo::WRITE != 0)?;
        launch.pointers.push(base.wrapping_offset(operand.offset as isize));
    }
    stats::launched(call.place());
    call.note_work();
    let frame = Frame {
        pointers: launch.pointers.as_ptr(),
        scalars: launch.scalars,
        extents: UNUSED.as_ptr(),
        strides: UNUSED.as_ptr(),
    };
    host::flat(call, launch, &frame, count, function)
}

/// Whether elements lie one after another in C order; axes of extent 1 do not count.
fn lies_flat(extents: &[i64], strides: &[i64], itemsize: u8) -> bool {
    let mut step = i64::from(itemsize);
    extents.iter().zip(strides).rev().all(|(&extent, &stride)| {
        let lies = extent == 1 || stride == step;
        step = step.wrapping_mul(extent);
        lies
    })
}

#[cfg(test)]
mod tests {
    use super::lies_flat;

    #[test]
    fn c_order_without_gaps() {
        assert!(lies_flat(&[], &[], 8));
        assert!(lies_flat(&[2, 3], &[24, 8], 8));
        assert!(lies_flat(&[2, 1, 3], &[24, 7, 8], 8));
        assert!(!lies_flat(&[2, 3], &[8, 16], 8));
        assert!(!lies_flat(&[3], &[-8], 8));
        assert!(!lies_flat(&[3], &[0], 8));
        assert!(!lies_flat(&[2, 3], &[32, 8], 8));
    }
}
