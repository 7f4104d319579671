//! Launches of kernels that scatter, on a device: which of their variants run, and the memory in which work items find out who else writes their element.
//!
//! In: the kernel, its axes. Out: its variants are queued. What is chosen follows from shapes alone, and all of it writes the same values.

use numptx_abi::Kernel;

use super::Launch;
use super::device::{Grid, Parameters, ceil_div, power_of_two_from, submit};
use crate::axes::Axes;
use crate::call::CallState;
use crate::device::Device;
use crate::error::Result;
use crate::plan::Variant;

/// Threads of a block of `sequential64`, and the most blocks: every thread looks at every work item, so more are not faster.
const SEQUENTIAL_BLOCK: i64 = 256;
const SEQUENTIAL_BLOCKS: i64 = 64;
/// The most blocks of the other variants, whose threads go on with the next work items by themselves: some for each multiprocessor.
const BLOCKS: i64 = 4096;
/// Work items that may meet, up to which a thread looks at all of them sooner than they claim their elements.
const FEW: i64 = 1024;
/// Claims have numbers of 31 bits, of which the last one ends chains.
const MOST: i64 = i32::MAX as i64 - 1;
/// The same two with [`Kernel::NARROW`].
const NARROW: (i64, i64) = (16, i8::MAX as i64 - 1);
const WORD_BYTES: i64 = 4;

/// A kernel with scatters over all its axes.
pub(super) fn launch(call: &CallState, device: &'static Device, launch: &Launch<'_>, axes: &Axes) -> Result<()> {
    let mut parameters = Parameters::new(launch);
    parameters.push_space(launch, &[axes])?;
    let flags = launch.kernel.flags;
    if flags & Kernel::COMBINES != 0 {
        return submit(call, device, launch, Variant::Combine64, grid(launch, axes.count()), &mut parameters);
    }
    let n_claims = n_claims(launch.kernel, axes);
    if flags & Kernel::CLAIMS != 0 && are_claimed(flags, n_claims) {
        return claim(call, device, launch, (axes.count(), n_claims), &mut parameters);
    }
    parameters.push(0);
    parameters.push(0);
    in_order(call, device, launch, axes.count(), &mut parameters)
}

/// Whether so many work items that may meet claim their elements.
fn are_claimed(flags: u16, n_claims: i64) -> bool {
    let (few, most) = if flags & Kernel::NARROW != 0 { NARROW } else { (FEW, MOST) };
    (few + 1..=most).contains(&n_claims)
}

/// Work items of the axes along which they may meet.
fn n_claims(kernel: &Kernel, axes: &Axes) -> i64 {
    let extents = axes.extents[..axes.rank].iter().enumerate();
    extents.filter(|(axis, _)| kernel.claim_axes >> axis & 1 != 0).fold(1, |n, (_, extent)| n.saturating_mul(*extent))
}

/// 32-bit words that the claims take, and those of them that are the table.
fn words(kernel: &Kernel, n_claims: i64) -> (i64, i64) {
    let capacity = 2 * n_claims;
    let chains = if kernel.flags & Kernel::CHAINS != 0 { n_claims } else { 0 };
    (1 + capacity + chains, capacity)
}

fn claim(
    call: &CallState,
    device: &'static Device,
    launch: &Launch<'_>,
    (points, n_claims): (i64, i64),
    parameters: &mut Parameters,
) -> Result<()> {
    let (n_words, capacity) = words(launch.kernel, n_claims);
    let bytes = n_words * WORD_BYTES;
    let memory = call.alloc(bytes)?;
    let address = memory.address();
    parameters.push(address.cast_signed());
    parameters.push(capacity);
    call.replay.give_up();
    // SAFETY: the buffer holds that many bytes.
    let mut done =
        unsafe { device.driver.fill(address, u8::MAX, bytes as usize, call.stream.handle()) }.map_err(Into::into);
    done = done.and_then(|()| submit(call, device, launch, Variant::Claim64, grid(launch, n_claims), parameters));
    done = done.and_then(|()| submit(call, device, launch, Variant::Settle64, grid(launch, points), parameters));
    if launch.kernel.flags & Kernel::CHAINS != 0 {
        done = done.and_then(|()| in_order(call, device, launch, points, parameters));
    }
    // Given back in stream order, after the launches.
    drop(memory);
    done
}

/// Work items in C order, as if: the threads, a power of two of them, share out the elements that are written.
fn in_order(
    call: &CallState,
    device: &'static Device,
    launch: &Launch<'_>,
    points: i64,
    parameters: &mut Parameters,
) -> Result<()> {
    let block = power_of_two_from(i64::from(launch.kernel.block), SEQUENTIAL_BLOCK);
    let blocks = power_of_two_from(ceil_div(points, block), SEQUENTIAL_BLOCKS);
    let grid = Grid { blocks: (blocks, 1), threads: (block, 1) };
    submit(call, device, launch, Variant::Sequential64, grid, parameters)
}

/// A thread for each of `n`, or fewer.
fn grid(launch: &Launch<'_>, n: i64) -> Grid {
    let block = i64::from(launch.kernel.block.max(1));
    Grid { blocks: (ceil_div(n, block).min(BLOCKS), 1), threads: (block, 1) }
}

#[cfg(test)]
mod tests {
    use super::{FEW, Kernel, MOST, are_claimed};

    #[test]
    fn claims_have_numbers_of_31_bits() {
        for (n, are) in [(0, false), (FEW, false), (FEW + 1, true), (MOST, true), (MOST + 1, false), (i64::MAX, false)]
        {
            assert_eq!(are_claimed(0, n), are, "{n}");
        }
        assert!(MOST < i64::from(i32::MAX) && 2 * MOST < 1 << 32, "a table of twice as many words is found by 32 bits");
        assert!(are_claimed(Kernel::NARROW, 126) && !are_claimed(Kernel::NARROW, 127));
    }
}
