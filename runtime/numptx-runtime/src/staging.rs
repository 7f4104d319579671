//! Copies between the host's own memory and a device, in pieces through page-locked blocks: while the device copies one piece, the host
//! copies the next.
//!
//! In: addresses, sizes, a stream that is not being captured. Out: copies in the stream's order. The blocks are kept for the next copy, two a
//! copy, and each has an event that tells when the device is done with it. Where the host has no page-locked memory left, the driver copies by
//! itself, as it does with few bytes. What a graph keeps has blocks of its own ([`crate::recording`]).

use std::collections::VecDeque;
use std::sync::{Mutex, OnceLock};

use crate::clean_up;
use crate::device::{Device, MAX_DEVICES};
use crate::driver::opened;
use crate::error::{Error, Result};
use crate::event::Event;
use crate::lock::lock;
use crate::pinned::Block;
use crate::pointers::is_pageable;
use crate::pool::run_pieces;
use crate::stream::Stream;

/// Bytes of a block, unless `NUMPTX_STAGING_BYTES` says otherwise. What one thread copies at once has to be there for many threads in each: with
/// 4 MiB, eight of them work, and all wait for each other as often as a link moves that much, which halved the speed of copies (seen with an H200).
const BLOCK_BYTES: usize = 16 << 20;
/// What the driver copies faster by itself, up and down: 1 MiB at 8.7 and 9.6 GiB/s, in four pieces at 6.6 and 7.0 (seen with an H200). Pieces of twice
/// as much take as long as the driver, and larger ones, which several threads copy, less.
const DIRECT_BYTES: usize = 1 << 20;
/// The smallest piece.
const PIECE_BYTES: usize = 64 << 10;
/// Into how many pieces a copy is cut at least, if they are not too small: the first and the last one are not overlapped.
const PIECES: usize = 4;
/// Blocks that a device keeps: for two copies at once.
const KEPT: usize = 4;
/// What one thread copies at once, from twice as much on.
const HOST_PIECE_BYTES: usize = 512 << 10;

/// Bytes of a block. 0: there are none, and the driver copies by itself.
fn block_bytes() -> usize {
    static BYTES: OnceLock<usize> = OnceLock::new();
    *BYTES.get_or_init(|| {
        let asked = std::env::var("NUMPTX_STAGING_BYTES").ok().and_then(|text| text.trim().parse().ok());
        asked.unwrap_or(BLOCK_BYTES).min(1 << 30)
    })
}

/// A block, and when the device is done with it.
struct Slot {
    block: Block,
    done: Event,
    /// The device may be using the block until the event.
    is_busy: bool,
}

/// Blocks that no copy holds, the one given back first in front. The device may still be using them.
static IDLE: [Mutex<VecDeque<Slot>>; MAX_DEVICES] = [const { Mutex::new(VecDeque::new()) }; MAX_DEVICES];

impl Slot {
    fn new(device: &'static Device) -> Result<Slot> {
        let done = Event::on(device, false)?;
        Ok(Slot { block: Block::new(device, block_bytes())?, done, is_busy: false })
    }

    /// Waits until the device is done with the block. After a failure another try tells whether it is: what is not known stays busy.
    fn settle(&mut self) -> Result<()> {
        if !self.is_busy {
            return Ok(());
        }
        let outcome = self.done.settle();
        self.is_busy = outcome.is_err() && self.done.settle().is_err();
        outcome
    }

    /// Notes that the device uses the block in a stream's order, up to now. If it cannot be noted, the stream is waited for.
    fn mark(&mut self, device: &Device, stream: &Stream) -> Result<()> {
        self.is_busy = true;
        let marked = self.done.mark(stream);
        if marked.is_err() && device.wait(stream.handle()).is_ok() {
            self.is_busy = false;
        }
        marked
    }
}

/// The blocks of one copy. Given back when dropped; those of which nobody knows when the device is done with them are left alone for good.
struct Slots {
    device: &'static Device,
    /// Empty: there is no page-locked memory.
    slots: Vec<Option<Slot>>,
}

impl Slots {
    /// Up to `n` blocks; the device's context is current.
    fn take(device: &'static Device, n: usize) -> Slots {
        let mut slots = Vec::with_capacity(n);
        {
            let mut idle = lock(idle(device));
            while slots.len() < n
                && let Some(slot) = idle.pop_front()
            {
                slots.push(Some(slot));
            }
        }
        while slots.len() < n
            && let Ok(slot) = Slot::new(device)
        {
            slots.push(Some(slot));
        }
        Slots { device, slots }
    }

    /// Does something with the block of the `i`-th piece. A block whose state is unknown after a failure is given up.
    fn with<T>(&mut self, i: usize, work: impl FnOnce(&mut Slot) -> Result<T>) -> Result<T> {
        let n = self.slots.len();
        let Some(mut slot) = self.slots[i % n].take() else {
            return Err(Error::runtime("a copy goes on after a failure"));
        };
        let outcome = work(&mut slot);
        match (&outcome, slot.is_busy && outcome.is_err()) {
            (_, true) => std::mem::forget(slot),
            _ => self.slots[i % n] = Some(slot),
        }
        outcome
    }
}

impl Drop for Slots {
    fn drop(&mut self) {
        let mut surplus = Vec::new();
        {
            let mut idle = lock(idle(self.device));
            for slot in self.slots.drain(..).flatten() {
                if idle.len() < KEPT { idle.push_back(slot) } else { surplus.push(slot) }
            }
        }
        free(surplus);
    }
}

fn idle(device: &Device) -> &'static Mutex<VecDeque<Slot>> {
    &IDLE[device.ordinal as usize]
}

/// Frees blocks, each when the device is done with it.
fn free(slots: impl IntoIterator<Item = Slot>) -> bool {
    let mut any = false;
    for mut slot in slots {
        match opened().map(|_| slot.settle()) {
            Some(Ok(())) => any = true,
            given_up => {
                if let Some(Err(error)) = given_up {
                    clean_up::failed(&error);
                }
                std::mem::forget(slot);
            }
        }
    }
    any
}

/// Frees the blocks that a device keeps; whether there were any. The device's context is current.
pub(crate) fn give_back(device: &Device) -> bool {
    let slots = std::mem::take(&mut *lock(idle(device)));
    free(slots)
}

/// The pieces of a copy: `(offset, bytes)`.
fn pieces(bytes: usize) -> impl Iterator<Item = (usize, usize)> {
    let size = bytes.div_ceil(PIECES).next_multiple_of(PIECE_BYTES).min(block_bytes()).max(1);
    (0..bytes.div_ceil(size)).map(move |i| (i * size, size.min(bytes - i * size)))
}

/// The blocks for a copy of more than so many bytes; `None` where the driver is to copy by itself.
fn slots_for(device: &'static Device, bytes: usize, direct: usize) -> Option<Slots> {
    if bytes <= direct.min(block_bytes()) || block_bytes() == 0 {
        return None;
    }
    let slots = Slots::take(device, pieces(bytes).take(2).count());
    (!slots.slots.is_empty()).then_some(slots)
}

/// Copies a caller's bytes to a device in the order of a stream; they have been read when it returns. The device's context is current.
///
/// # Safety
/// Both hold as many bytes, on the device until the copy is done.
pub(crate) unsafe fn to_device_at_once(
    device: &'static Device,
    to: u64,
    from: *const u8,
    bytes: usize,
    stream: &Stream,
) -> Result<()> {
    if is_pageable(device.driver, from) {
        // SAFETY: as the caller promises.
        return unsafe { to_device(device, to, from, bytes, stream) };
    }
    // The device itself reads page-locked memory, when its turn comes: it gets a copy, or the stream is waited for.
    if let Some(slots) = slots_for(device, bytes, 0) {
        // SAFETY: as the caller promises.
        return unsafe { through(slots, to, from, bytes, stream) };
    }
    // SAFETY: as the caller promises, who gets the bytes back when they have been read.
    let asked = unsafe { device.driver.upload(to, from.cast(), bytes, stream.handle()) };
    device.wait(stream.handle())?;
    Ok(asked?)
}

/// Copies bytes to a device in the order of a stream. The device's context is current.
///
/// # Safety
/// Both hold as many bytes, on the device until the copy is done, and on the host until the call returns, or, of page-locked memory, until the stream
/// was waited for.
pub(crate) unsafe fn to_device(
    device: &'static Device,
    to: u64,
    from: *const u8,
    bytes: usize,
    stream: &Stream,
) -> Result<()> {
    let Some(slots) = slots_for(device, bytes, DIRECT_BYTES) else {
        // SAFETY: as the caller promises; of pageable memory the driver makes a copy before it returns.
        return Ok(unsafe { device.driver.upload(to, from.cast(), bytes, stream.handle()) }?);
    };
    // SAFETY: as the caller promises.
    unsafe { through(slots, to, from, bytes, stream) }
}

/// Copies bytes to a device through blocks; the host's bytes have been read when it returns.
///
/// # Safety
/// Both hold as many bytes, on the device until the copy is done.
unsafe fn through(mut slots: Slots, to: u64, from: *const u8, bytes: usize, stream: &Stream) -> Result<()> {
    let device = slots.device;
    for (i, (offset, size)) in pieces(bytes).enumerate() {
        slots.with(i, |slot| {
            slot.settle()?;
            // SAFETY: a piece fits into a block, which is ours alone now, and lies within what the caller promises.
            unsafe {
                copy_on_host(slot.block.first(), from.add(offset), size);
                let source = slot.block.first().cast_const().cast();
                device.driver.upload(to + offset as u64, source, size, stream.handle())?;
            }
            slot.mark(device, stream)
        })?;
    }
    Ok(())
}

/// Why a copy to the host ended before its end.
pub(crate) struct UnfinishedCopy {
    error: Error,
    /// So many of the first bytes are there.
    copied: usize,
    bytes: usize,
}

impl UnfinishedCopy {
    /// The error where the caller keeps the memory: it says what is there, if that is neither the old nor the new contents.
    pub(crate) fn into_visible(self) -> Error {
        let UnfinishedCopy { error, copied, bytes } = self;
        if copied == 0 {
            return error;
        }
        error.and(format_args!(
            "the array on the host is new in its first {copied} of {bytes} bytes, and after them as it was"
        ))
    }
}

/// Of memory that nobody sees afterwards.
impl From<UnfinishedCopy> for Error {
    fn from(copy: UnfinishedCopy) -> Error {
        copy.error
    }
}

/// Copies bytes from a device in the order of a stream. Few may be there only when the stream is waited for. The device's context is current.
///
/// Nothing is written before the device has done all that came before, without a failure: what fails later is the copy itself.
///
/// # Safety
/// Both hold as many bytes, which are nobody else's until the stream was waited for.
pub(crate) unsafe fn to_host(
    device: &'static Device,
    to: *mut u8,
    from: u64,
    bytes: usize,
    stream: &Stream,
) -> std::result::Result<(), UnfinishedCopy> {
    let mut copied = 0;
    let outcome = match slots_for(device, bytes, DIRECT_BYTES) {
        // SAFETY: as the caller promises.
        Some(slots) => unsafe { fetch(slots, to, from, bytes, stream, &mut copied) },
        // SAFETY: as the caller promises.
        None => unsafe { device.driver.download(to.cast(), from, bytes, stream.handle()) }.map_err(Error::from),
    };
    outcome.map_err(|error| UnfinishedCopy { error, copied, bytes })
}

/// Copies bytes from a device through blocks. `copied`: how many of the first are there by now.
///
/// # Safety
/// As [`to_host`].
unsafe fn fetch(
    mut slots: Slots,
    to: *mut u8,
    from: u64,
    bytes: usize,
    stream: &Stream,
    copied: &mut usize,
) -> Result<()> {
    let (device, ahead) = (slots.device, slots.slots.len());
    let mut due = VecDeque::with_capacity(ahead);
    let mut fetched = pieces(bytes).enumerate();
    loop {
        while due.len() < ahead
            && let Some((i, (offset, size))) = fetched.next()
        {
            slots.with(i, |slot| {
                slot.settle()?;
                let into = slot.block.first().cast();
                // SAFETY: a piece fits into a block, which is ours alone now.
                unsafe { device.driver.download(into, from + offset as u64, size, stream.handle()) }?;
                slot.mark(device, stream)
            })?;
            due.push_back((i, offset, size));
        }
        let Some((i, offset, size)) = due.pop_front() else { return Ok(()) };
        slots.with(i, |slot| {
            slot.settle()?;
            // SAFETY: the block holds the piece, which lies within what the caller promises.
            unsafe { copy_on_host(to.add(offset), slot.block.first(), size) };
            *copied = offset + size;
            Ok(())
        })?;
    }
}

/// Copies bytes on the host, many on all threads.
///
/// # Safety
/// Both hold as many bytes and do not overlap.
unsafe fn copy_on_host(to: *mut u8, from: *const u8, bytes: usize) {
    if bytes < 2 * HOST_PIECE_BYTES {
        // SAFETY: as the caller promises.
        return unsafe { std::ptr::copy_nonoverlapping(from, to, bytes) };
    }
    let (to, from) = (to.expose_provenance(), from.expose_provenance());
    run_pieces(bytes.div_ceil(HOST_PIECE_BYTES) as i64, &|piece| {
        let offset = piece as usize * HOST_PIECE_BYTES;
        let size = HOST_PIECE_BYTES.min(bytes - offset);
        // SAFETY: as the caller promises; pieces do not overlap.
        unsafe {
            let (to, from) =
                (std::ptr::with_exposed_provenance_mut::<u8>(to), std::ptr::with_exposed_provenance::<u8>(from));
            std::ptr::copy_nonoverlapping(from.add(offset), to.add(offset), size);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_a_copy_once() {
        for bytes in [1, PIECE_BYTES, PIECE_BYTES + 1, 1 << 20, (4 << 20) + 3, 100 << 20] {
            let pieces: Vec<_> = pieces(bytes).collect();
            assert!(pieces.iter().all(|(_, size)| (1..=BLOCK_BYTES).contains(size)));
            let mut end = 0;
            for (offset, size) in &pieces {
                assert_eq!(*offset, end);
                end += size;
            }
            assert_eq!(end, bytes);
        }
        assert_eq!(pieces(1 << 20).count(), PIECES);
        assert_eq!(pieces(100 << 20).count(), 7);
    }

    #[test]
    fn many_bytes_are_copied_by_all_threads() {
        let from: Vec<u8> = (0..5 * HOST_PIECE_BYTES / 2 + 7).map(|i| (i % 251) as u8).collect();
        let mut to = vec![0u8; from.len()];
        // SAFETY: both are as long.
        unsafe { copy_on_host(to.as_mut_ptr(), from.as_ptr(), from.len()) };
        assert!(to == from);
    }
}
