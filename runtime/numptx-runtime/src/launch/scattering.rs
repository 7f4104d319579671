//! Launches of kernels that scatter, on a device: which of their variants run, and the memory in which work items find out who else writes their element.
//!
//! In: the kernel, its axes. Out: its variants are queued. What is chosen follows from shapes alone, and all of it writes the same values.

use numptx_abi::Kernel;

use super::Launch;
use super::device::{Grid, Parameters, ceil_div, power_of_two_from, submit};
use super::places::Places;
use crate::axes::Axes;
use crate::buffer::BufferRef;
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
/// What [`Kernel::SUMMANDS`] is then.
const NARROW_SUMMANDS: i64 = 40;
const WORD_BYTES: i64 = 4;
/// Places for each work item up to which all of them are looked at: one costs a word that is cleared and read in order, a claim several in no order.
const PLACES_EACH: i64 = 8;
/// Work items for each place from which on blocks have bins of their own, which all of them are combined from in the end.
const UPDATES_A_BIN: i64 = 4;
/// Work items that a thread loads at once when it combines.
const AT_ONCE: i64 = 4;
/// Blocks with bins that a processor has room for.
const BLOCKS_WITH_BINS: i64 = 6;

/// A kernel with scatters over all its axes.
pub(super) fn launch(call: &CallState, device: &'static Device, launch: &Launch<'_>, axes: &Axes) -> Result<()> {
    let mut parameters = Parameters::new(launch);
    parameters.push_space(launch, &[axes])?;
    let flags = launch.kernel.flags;
    if flags & Kernel::COMBINES != 0 {
        return combine(call, device, launch, axes.count(), &mut parameters);
    }
    let n_claims = n_claims(launch.kernel, axes);
    if flags & Kernel::CLAIMS != 0 && are_claimed(flags, n_claims) {
        if let Some(places) = Places::of(launch).filter(|places| are_gathered(places, axes.count())) {
            let do_them = if flags & Kernel::CHAINS != 0 { sum } else { gather };
            return do_them(call, device, launch, (axes.count(), &places), &mut parameters);
        }
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

/// Whether so few places are looked at to find who writes them.
fn are_gathered(places: &Places, points: i64) -> bool {
    places.count <= points.saturating_mul(PLACES_EACH)
}

/// Whether each block has bins of its own.
fn has_bins(places: &Places, points: i64) -> bool {
    places.count <= Kernel::BINS && places.count.saturating_mul(UPDATES_A_BIN) <= points
}

/// Work items that combine.
fn combine(
    call: &CallState,
    device: &'static Device,
    launch: &Launch<'_>,
    points: i64,
    parameters: &mut Parameters,
) -> Result<()> {
    let block = i64::from(launch.kernel.block.max(1));
    let blocks = ceil_div(points, block * AT_ONCE);
    let Some(places) = Places::of(launch).filter(|places| has_bins(places, points)) else {
        let grid = Grid { blocks: (blocks.min(BLOCKS), 1), threads: (block, 1) };
        return submit(call, device, launch, Variant::Combine64, grid, parameters);
    };
    places.push(parameters, 0);
    let worth = points / (places.count.max(1) * UPDATES_A_BIN);
    let blocks = blocks.min(worth).clamp(1, (device.processors * BLOCKS_WITH_BINS).max(1));
    submit(call, device, launch, Variant::Bins64, Grid { blocks: (blocks, 1), threads: (block, 1) }, parameters)
}

/// Work items of which the last one counts: places look for it.
fn gather(
    call: &CallState,
    device: &'static Device,
    launch: &Launch<'_>,
    (points, places): (i64, &Places),
    parameters: &mut Parameters,
) -> Result<()> {
    let memory = zeros(call, device, places.count * WORD_BYTES)?;
    places.push(parameters, memory.address().cast_signed());
    let mut done = submit(call, device, launch, Variant::Own64, grid(launch, points), parameters);
    done = done.and_then(|()| submit(call, device, launch, Variant::Gather64, grid(launch, places.count), parameters));
    // Given back in stream order, after the launches.
    drop(memory);
    done
}

/// Work items that add floats to elements: so many at once as have exact sums.
fn sum(
    call: &CallState,
    device: &'static Device,
    launch: &Launch<'_>,
    (points, places): (i64, &Places),
    parameters: &mut Parameters,
) -> Result<()> {
    let summands = if launch.kernel.flags & Kernel::NARROW != 0 { NARROW_SUMMANDS } else { Kernel::SUMMANDS };
    let memory_at = parameters.values.len();
    places.push(parameters, 0);
    let range_at = parameters.values.len();
    parameters.push(0);
    parameters.push(0);
    let mut begin = 0;
    while begin < points {
        let end = points.min(begin + summands);
        let memory = zeros(call, device, places.count * places.sum_bytes())?;
        parameters.values[memory_at] = memory.address();
        parameters.values[range_at] = begin.cast_unsigned();
        parameters.values[range_at + 1] = end.cast_unsigned();
        let grids = [end - begin, end - begin, places.count].map(|n| grid(launch, n));
        let variants = [Variant::Exponent64, Variant::Sum64, Variant::Round64];
        let mut parts = variants.into_iter().zip(grids);
        let done = parts.try_for_each(|(variant, grid)| submit(call, device, launch, variant, grid, parameters));
        // Given back in stream order, after the launches.
        drop(memory);
        done?;
        begin = end;
    }
    Ok(())
}

/// Memory of zeros, at least so many bytes.
fn zeros(call: &CallState, device: &'static Device, bytes: i64) -> Result<BufferRef> {
    let memory = call.alloc(bytes)?;
    call.replay.give_up();
    // SAFETY: the buffer holds that many bytes.
    unsafe { device.driver.fill(memory.address(), 0, bytes as usize, call.stream.handle()) }?;
    Ok(memory)
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
    use super::{FEW, Kernel, MOST, Places, are_claimed, are_gathered, has_bins};

    #[test]
    fn claims_have_numbers_of_31_bits() {
        for (n, are) in [(0, false), (FEW, false), (FEW + 1, true), (MOST, true), (MOST + 1, false), (i64::MAX, false)]
        {
            assert_eq!(are_claimed(0, n), are, "{n}");
        }
        assert!(MOST < i64::from(i32::MAX) && 2 * MOST < 1 << 32, "a table of twice as many words is found by 32 bits");
        assert!(are_claimed(Kernel::NARROW, 126) && !are_claimed(Kernel::NARROW, 127));
    }

    #[test]
    fn few_places_are_looked_at_or_have_bins() {
        let places = |count| Places::within(8 * count, 0, 8).expect("places");
        assert!(are_gathered(&places(8), 1) && !are_gathered(&places(9), 1));
        assert!(are_gathered(&places(10), i64::MAX));
        assert!(has_bins(&places(4), 16) && !has_bins(&places(4), 15));
        assert!(has_bins(&places(Kernel::BINS), i64::MAX) && !has_bins(&places(Kernel::BINS + 1), i64::MAX));
    }
}
