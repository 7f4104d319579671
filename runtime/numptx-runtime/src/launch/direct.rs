//! The short way of a map: every operand's elements lie one after another in C order, as those of most short calls do.
//!
//! In: a launch as generated code gives it. Out: the flat variant has run or is queued, or nothing was done and the general way has to be taken. It
//! does what that way does where axes need not be dropped, permuted, flipped or merged to become one.

use numptx_abi::{Frame, Kernel, Operand, OperandInfo};

use super::{FLAT_ALIGN, Launch, device, host, slice};
use crate::call::CallState;
use crate::error::Result;
use crate::inline::Inline;
use crate::{debug, stats};

/// Extents and strides that flat variants are given and do not use.
static UNUSED: [i64; 256] = [0; 256];
/// Kernels whose work items are not like each other, or that read their indices.
const NOT_FLAT: u16 = Kernel::INDEXED | Kernel::SEQUENTIAL | Kernel::NEST | Kernel::COOPERATIVE | Kernel::TILES;

/// Runs the flat variant where the operands are contiguous as they are; `None`: the general way has to be taken.
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
    // Both sides have the same variants; a module without host code says nothing of them.
    let has_flat = kernel.host_flat.is_some() || (call.device.is_some() && kernel.host_strided.is_none());
    if !has_flat || kernel.flags & NOT_FLAT != 0 || operands.len() * extents.len().max(1) > UNUSED.len() {
        return None;
    }
    let all_lie_flat = operands.iter().zip(infos).all(|(operand, info)| {
        // SAFETY: as the caller promises: a stride an axis.
        let strides = unsafe { slice(operand.strides, extents.len()) };
        info.scalar != 0 || lies_flat(extents, strides, info.itemsize)
    });
    if !all_lie_flat {
        return None;
    }
    let count = extents.iter().product();
    if let Some(device) = call.device
        && let Some(quick) = device::QuickLaunch::of(device, kernel, count)
    {
        // SAFETY: as the caller promises; the operands lie flat.
        return unsafe { quick.run(call, device, operands, infos, scalars) };
    }
    let mut launch = Launch { kernel, infos, scalars, operands, pointers: Inline::new() };
    // SAFETY: as the caller promises.
    match unsafe { locate(call, &mut launch, operands) } {
        Ok(true) => {}
        Ok(false) => return None,
        Err(error) => return Some(Err(error)),
    }
    stats::launched(call.place());
    call.note_work();
    match (call.device, kernel.host_flat) {
        (Some(device), _) => Some(device::flat(call, device, &launch, count)),
        (None, Some(function)) => {
            let pointers = launch.pointers.as_ptr();
            let (extents, strides, watch) = (UNUSED.as_ptr(), UNUSED.as_ptr(), std::ptr::null());
            let frame = Frame { pointers, scalars, extents, strides, watch };
            Some(host::flat(call, &launch, &frame, count, function))
        }
        (None, None) => None,
    }
}

/// Finds the operands where the call computes; false if flat variants there cannot address them. May be done again.
///
/// # Safety
/// As [`map`].
#[inline]
unsafe fn locate(call: &CallState, launch: &mut Launch<'_>, operands: &[Operand]) -> Result<bool> {
    let alignment = if call.device.is_some() { FLAT_ALIGN } else { 1 };
    for (operand, info) in operands.iter().zip(launch.infos) {
        debug::check_use(operand.buffer.cast())?;
        // SAFETY: as the caller promises.
        let base = call.address(unsafe { &*operand.buffer.cast() }, info.access & OperandInfo::WRITE != 0)?;
        let first = base.wrapping_offset(operand.offset as isize);
        if info.scalar == 0 && !first.addr().is_multiple_of(alignment) {
            return Ok(false);
        }
        launch.pointers.push(first);
    }
    Ok(true)
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
