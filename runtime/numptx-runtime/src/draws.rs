//! Draws on a device: arrays of uniform numbers and raw bits of PCG64 and Philox, by kernels whose bits are NumPy's.
//!
//! In: what is to be drawn, the generator, and fresh memory of the call's device. Out: a launch in the order of the call's stream, and the generator as it is
//! after so many draws, which the host finds by jumping ahead. What the generator keeps of its last words, the host writes. `false`: nothing was done, and
//! the host draws.

mod kernel;

use std::ffi::c_void;

use cudarc::driver::sys;
use numptx_abi::object::RANDOM_FEWEST_ON_DEVICE;
use numptx_objects::Draws;
use numptx_random::{BitGenerator, Pcg, PcgOutput, Random, Source};

use crate::buffer::BufferRef;
use crate::call::CallState;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::own_kernel::{self, OwnKernels};
use crate::stats;
use kernel::{Drawn, Generator, Kernel, STEPS, THREADS, VECTOR_BYTES};

static LOADED: OwnKernels<Kernel> = OwnKernels::new();

/// Whether the device draws. Where it fails, the generator may be another one: it is for the caller to forget.
pub(crate) fn draw(
    call: &CallState,
    device: &'static Device,
    draws: &Draws,
    random: &mut Random,
    to: &BufferRef,
) -> Result<bool> {
    let Some((generator, drawn, scale)) = plan(draws, random).filter(|_| draws.count >= RANDOM_FEWEST_ON_DEVICE) else {
        return Ok(false);
    };
    let kept = kept(&random.bits, drawn);
    let first = to.address() + kept as u64 * drawn.itemsize();
    let kernel = Kernel { generator, drawn, writes_vectors: first.is_multiple_of(VECTOR_BYTES) };
    let load = || own_kernel::load(device, kernel.text(), Kernel::ENTRY);
    let Some(function) = LOADED.of(device, kernel).function(load)? else { return Ok(false) };
    let mut written = Vec::with_capacity(8 * kept);
    draws.first(kept, random, |word| written.extend_from_slice(&word.to_le_bytes()[..drawn.itemsize() as usize]));
    call.upload(device, to.data, &written)?;
    let elements = (draws.count - kept) as u64;
    // What follows in a loop is another part of the sequence.
    call.replay.give_up();
    launch(call, device, (kernel, function), &random.bits, [first, elements, scale[0], scale[1]])?;
    stats::launched(device.ordinal);
    advance(&mut random.bits, drawn, elements).ok_or_else(|| Error::runtime("a generator that cannot jump ahead"))?;
    Ok(true)
}

/// The generator, what becomes of its bits, and the ends of the range. `None`: it is for the host.
fn plan(draws: &Draws, random: &Random) -> Option<(Generator, Drawn, [u64; 2])> {
    let generator = match &random.bits.source {
        Source::Pcg(pcg) if pcg.output == PcgOutput::XslRr => Generator::Pcg64,
        Source::Philox(_) => Generator::Philox,
        _ => return None,
    };
    let unit = [0.0, 1.0].map(f64::to_bits);
    let (drawn, scale) = match draws.method() {
        "random" => (Drawn::Uniform, unit),
        "random_f32" => (Drawn::Singles, unit),
        "raw" => (Drawn::Bits, unit),
        "uniform" => (Drawn::Uniform, draws.constant().map(|[low, span, _]| [low, span])?),
        _ => return None,
    };
    // Nans have other bits on a GPU.
    scale.iter().all(|bits| f64::from_bits(*bits).is_finite()).then_some((generator, drawn, scale))
}

/// How many elements come of what the generator keeps: a half of 64 bits, and the rest of a buffer.
fn kept(bits: &BitGenerator, drawn: Drawn) -> usize {
    let words = if let Source::Philox(philox) = &bits.source { philox.kept() } else { 0 };
    let half = usize::from(drawn == Drawn::Singles && bits.has_half);
    half + (words * drawn.per_word()) as usize
}

/// Goes on to where the generator is after so many elements, before which it kept nothing.
fn advance(bits: &mut BitGenerator, drawn: Drawn, elements: u64) -> Option<()> {
    if drawn != Drawn::Singles {
        return bits.skip(elements);
    }
    // The last word is drawn: its upper half is the next number, or was the last one.
    bits.skip(elements.div_ceil(2) - 1)?;
    (0..2 - elements % 2).for_each(|_| {
        bits.next_u32();
    });
    Some(())
}

/// The words of a kernel's parameters behind the first ones, and the multipliers and increments of PCG64.
fn parameters(source: &Source, step: u64) -> Option<([u64; 6], Vec<u64>)> {
    let halves = |both: u128| [(both >> 64) as u64, both as u64];
    match source {
        Source::Pcg(pcg) => {
            let (far, further) = pcg.steps(u128::from(step));
            let ([a, b], [c, d], [e, f]) = (halves(pcg.state), halves(far), halves(further));
            Some(([a, b, c, d, e, f], steps(pcg)))
        }
        Source::Philox(philox) => {
            let mut next = philox.counter;
            // The counter is that of the buffer that was used up.
            let _ = next.iter_mut().all(|word| {
                *word = word.wrapping_add(1);
                *word == 0
            });
            let ([a, b, c, d], [e, f]) = (next, philox.key);
            Some(([a, b, c, d, e, f], Vec::new()))
        }
        Source::Mersenne(_) | Source::Sfc(_) => None,
    }
}

/// Steps by powers of two: all multipliers, then all increments.
fn steps(pcg: &Pcg) -> Vec<u64> {
    let all: Vec<(u128, u128)> = (0..STEPS).map(|n| pcg.steps(1 << n)).collect();
    let both = all.iter().map(|step| step.0).chain(all.iter().map(|step| step.1));
    both.flat_map(|wide| [(wide >> 64) as u64, wide as u64]).collect()
}

fn launch(
    call: &CallState,
    device: &'static Device,
    (kernel, function): (Kernel, sys::CUfunction),
    bits: &BitGenerator,
    head: [u64; 4],
) -> Result<()> {
    let in_a_row = kernel.generator.in_a_row();
    let wanted = head[1].div_ceil(u64::from(THREADS) * in_a_row * kernel.drawn.per_word());
    let most = (device.processors * kernel.generator.blocks_per_processor()).min(device.most_blocks[0]);
    // A thread's first place has no more bits than there are steps.
    let most = most.clamp(1, (1 << STEPS) / (i64::from(THREADS) * in_a_row.cast_signed())).cast_unsigned();
    let blocks = wanted.min(most);
    let (rest, mut steps) = parameters(&bits.source, blocks * u64::from(THREADS) * in_a_row)
        .ok_or_else(|| Error::runtime("a generator that no kernel draws of; this is a bug of numptx"))?;
    let mut values: Vec<u64> = head.into_iter().chain(rest).collect();
    let mut pointers: Vec<*mut c_void> = values.iter_mut().map(|value| std::ptr::from_mut(value).cast()).collect();
    pointers.push(steps.as_mut_ptr().cast());
    let (parameters, extra, stream) = (pointers.as_mut_ptr(), std::ptr::null_mut(), call.stream.handle());
    // SAFETY: the parameters are the kernel's, in its order, which the driver copies, of Philox without the last one; the memory is fresh, and has room for
    // as many elements from the first one on.
    unsafe { device.driver.launch(function, blocks as u32, 1, 1, THREADS, 1, 1, 0, stream, parameters, extra) }?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use numptx_random::{Kind, SeedSequence};

    use super::*;

    /// Draws of float32 one by one leave what jumping ahead leaves, halves included.
    #[test]
    fn float32_leave_their_halves() {
        let sequence = SeedSequence { entropy: vec![3], spawn_key: Vec::new(), pool_size: 4, spawned: 0 };
        for kind in [Kind::Pcg64, Kind::Philox] {
            for elements in [1, 2, 3, 7, 8, 9, 4096, 4097] {
                let mut drawn = BitGenerator::seeded(kind, &sequence);
                let mut jumped = drawn.clone();
                (0..elements).for_each(|_| {
                    drawn.next_f32();
                });
                advance(&mut jumped, Drawn::Singles, elements).expect("it can");
                assert_eq!(jumped, drawn, "{kind:?} {elements}");
            }
        }
    }
}
