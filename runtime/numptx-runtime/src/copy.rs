//! Copies of elements between strided arrays, on the host, on devices and between them.
//!
//! What stays on one device is copied there, unless that takes too many calls. Else device memory that is not one dense block goes through contiguous
//! staging on the host. What is written are the elements alone: the bytes
//! between them may be another stream's or another thread's, who writes them meanwhile.

use numptx_abi::{Array, MAX_RANK, dtype};

use crate::axes::byte_range;
use crate::buffer::Buffer;
use crate::device::{Device, device};
use crate::device_copy::{copy_on_device, copy_repeated};
use crate::error::{Error, Result};
use crate::host_copy::{Side, copy_elements};
use crate::overlap::{Extent, Overlap, overlaps_itself};
use crate::pinned::PinnedMemory;
use crate::rows::{self, dense_like};
use crate::staging::{self, UnfinishedCopy};
use crate::stream::{Capture, Stream};
use crate::uses::Uses;
use crate::{room, stats};

/// Strides in bytes of a C-contiguous array.
pub(crate) fn contiguous_strides(shape: &[i64], itemsize: i64) -> [i64; MAX_RANK] {
    let mut strides = [0; MAX_RANK];
    let mut step = itemsize;
    for axis in (0..shape.len()).rev() {
        strides[axis] = step;
        step = step.saturating_mul(shape[axis].max(1));
    }
    strides
}

/// Bytes of an element of a dtype.
pub(crate) fn itemsize(code: u32) -> Result<i64> {
    let size = usize::try_from(code).ok().and_then(|i| dtype::ITEMSIZE.get(i));
    size.map(|s| i64::from(*s)).ok_or_else(|| Error::runtime(format!("dtype code {code} is unknown to this runtime")))
}

/// Bytes of an array's elements one after the other.
pub(crate) fn packed_bytes(shape: &[i64], itemsize: i64) -> Result<i64> {
    let bytes = shape.iter().try_fold(itemsize, |bytes, extent| bytes.checked_mul(*extent));
    bytes.ok_or_else(|| Error::memory(format!("an array of shape {shape:?} is too large")))
}

/// An array as the copies see it: where element `[0, …, 0]` lies.
pub(crate) struct Place<'a> {
    /// `None`: host memory.
    pub(crate) device: Option<&'static Device>,
    pub(crate) data: *mut u8,
    pub(crate) shape: &'a [i64],
    pub(crate) strides: &'a [i64],
    /// Other streams' work with the memory, where the copy has to mind it.
    pub(crate) uses: Option<&'a Uses>,
    /// Page-locked memory of ours.
    pub(crate) pinned: Option<&'a PinnedMemory>,
}

/// When the elements are there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Completion {
    Now,
    /// In the order of the stream.
    Later,
}

impl<'a> Place<'a> {
    /// # Safety
    /// The array's buffer is alive.
    pub(crate) unsafe fn of(array: &'a Array) -> Result<Place<'a>> {
        let rank = array.rank as usize;
        // SAFETY: alive, as the caller promises.
        let buffer = unsafe { &*array.buffer.cast::<Buffer>() };
        let device = if buffer.device < 0 { None } else { Some(device(buffer.device)?) };
        let data = buffer.data.wrapping_offset(array.offset as isize);
        let uses = buffer.uses();
        let (shape, strides) = (&array.shape[..rank], &array.strides[..rank]);
        Ok(Place { device, data, shape, strides, uses, pinned: buffer.pinned() })
    }

    fn range(&self, itemsize: i64) -> (i64, usize) {
        let (low, high) = byte_range(self.shape, self.strides, itemsize);
        (low, usize::try_from(high - low).unwrap_or(0))
    }

    /// Orders a stream after others' work with the memory.
    pub(crate) fn enter(&self, stream: &Stream, write: bool) -> Result<()> {
        match (self.uses, self.device) {
            (Some(uses), Some(device)) => uses.enter(device, stream, write, None),
            _ => Ok(()),
        }
    }

    pub(crate) fn device_address(&self, low: i64) -> u64 {
        (self.data.expose_provenance() as u64).wrapping_add_signed(low)
    }
}

/// The stream of a copy on a device whose context is current: the one that was asked for, if it is the device's and not being captured.
pub(crate) fn lane(device: &'static Device, wanted: &Stream) -> Result<Stream> {
    let is_own = wanted.device().is_none_or(|other| other.ordinal == device.ordinal);
    for stream in [wanted, &Stream::LEGACY] {
        if (is_own || stream.device().is_none()) && stream.capture(device.driver)? == Capture::No {
            return Ok(stream.clone());
        }
    }
    device.side().cloned()
}

/// Copies all elements of one array into another of the same shape, and waits for it, but where a device copies from page-locked memory of ours.
/// Overlapping arrays behave as if the source were copied first.
///
/// # Safety
/// Both places hold their elements; the destination may be written.
pub(crate) unsafe fn copy_arrays(
    to: &Place<'_>,
    from: &Place<'_>,
    itemsize: i64,
    stream: &Stream,
) -> Result<Completion> {
    if to.shape.contains(&0) {
        return Ok(Completion::Now);
    }
    to.pinned.map_or(Ok(()), PinnedMemory::settle)?;
    if let (Some(device), Some(uses)) = (from.device, from.uses)
        && uses.is_pending()
        && stream.device().is_none_or(|other| other.ordinal == device.ordinal)
    {
        let _context = device.enter()?;
        let own = match stream.capture(device.driver)? {
            Capture::Into { id, .. } => Some(id),
            _ => None,
        };
        uses.refuse_pending(own)?;
    }
    // SAFETY: as the caller promises, in each case.
    unsafe {
        if to.device.is_none() && from.device.is_none() && !overlap(to, from, itemsize) {
            copy_elements(
                &Side::new(to.data, to.strides),
                &Side::new(from.data, from.strides),
                to.shape,
                itemsize as usize,
            );
            return Ok(Completion::Now);
        }
        if let Some(device) = to.device {
            let is_there = from.device.is_some_and(|other| other.ordinal == device.ordinal);
            if is_there && copy_on_device(device, (to, from), itemsize, stream)? {
                return Ok(Completion::Now);
            }
            if copy_repeated(device, (to, from), itemsize, stream)? {
                return Ok(Completion::Now);
            }
        }
        if is_one_block(to, from, itemsize) && (to.device.is_some() || from.device.is_some()) {
            return copy_block(to, from, itemsize, stream);
        }
        let packed = gather(from, itemsize, stream)?;
        scatter(to, packed, itemsize, stream).map(|()| Completion::Now)
    }
}

/// Whether the byte ranges of two places in one memory meet.
pub(crate) fn overlap(a: &Place<'_>, b: &Place<'_>, itemsize: i64) -> bool {
    let bounds = |p: &Place<'_>| {
        let (low, bytes) = p.range(itemsize);
        let first = p.data.addr().wrapping_add_signed(low as isize);
        (first, first + bytes)
    };
    let ((a_low, a_high), (b_low, b_high)) = (bounds(a), bounds(b));
    a_low < b_high && b_low < a_high
}

/// Whether both arrays are the same dense block of bytes.
fn is_one_block(to: &Place<'_>, from: &Place<'_>, itemsize: i64) -> bool {
    let same = to.shape.iter().zip(to.strides.iter().zip(from.strides)).all(|(e, (a, b))| *e == 1 || a == b);
    same && i64::try_from(to.range(itemsize).1).is_ok_and(|bytes| packed_bytes(to.shape, itemsize) == Ok(bytes))
}

/// # Safety
/// As [`copy_arrays`]; both are one dense block.
unsafe fn copy_block(to: &Place<'_>, from: &Place<'_>, itemsize: i64, stream: &Stream) -> Result<Completion> {
    let (low, bytes) = to.range(itemsize);
    let host = |p: &Place<'_>| p.data.wrapping_offset(low as isize);
    let Some(device) = to.device.or(from.device) else { return Ok(Completion::Now) };
    let _context = device.enter()?;
    let driver = device.driver;
    let stream = lane(device, stream)?;
    let _call = stream.under_way();
    to.enter(&stream, true)?;
    if let (Some(_), Some(pinned)) = (to.device, from.pinned) {
        let source = host(from).cast_const().cast();
        // SAFETY: as the caller promises; the source's memory stays until the copy that is noted is over.
        unsafe { driver.upload(to.device_address(low), source, bytes, stream.handle()) }?;
        stats::transferred(device.ordinal, bytes);
        return pinned.note_copy(device, &stream).map(|()| Completion::Later);
    }
    // SAFETY: as the caller promises; the range is both arrays' elements and nothing else.
    unsafe {
        match (to.device, from.device) {
            (Some(_), Some(source)) => {
                source.synchronize()?;
                device.copy_from(to.device_address(low), source, from.device_address(low), bytes, &stream)?;
            }
            (Some(_), None) => {
                staging::to_device(device, to.device_address(low), host(from), bytes, &stream)?;
                stats::transferred(device.ordinal, bytes);
            }
            _ if to.pinned.is_some() => {
                from.enter(&stream, false)?;
                driver.download(host(to).cast(), from.device_address(low), bytes, stream.handle())?;
                stats::transferred(device.ordinal, bytes);
            }
            _ => {
                from.enter(&stream, false)?;
                staging::to_host(device, host(to), from.device_address(low), bytes, &stream)
                    .map_err(UnfinishedCopy::into_visible)?;
                stats::transferred(device.ordinal, bytes);
            }
        }
    }
    device.wait(stream.handle()).map(|()| Completion::Now)
}

/// A device array's whole byte range on the host.
///
/// # Safety
/// The place holds its elements.
unsafe fn fetch_range(
    device: &'static Device,
    place: &Place<'_>,
    itemsize: i64,
    stream: &Stream,
) -> Result<(i64, Vec<u8>)> {
    let (low, bytes) = place.range(itemsize);
    let mut fetched = room::zeroed(bytes)?;
    let _context = device.enter()?;
    let stream = lane(device, stream)?;
    let _call = stream.under_way();
    place.enter(&stream, false)?;
    let from = place.device_address(low);
    // SAFETY: there is room for the range.
    unsafe { staging::to_host(device, fetched.as_mut_ptr(), from, bytes, &stream) }?;
    device.wait(stream.handle())?;
    stats::transferred(device.ordinal, bytes);
    Ok((low, fetched))
}

/// The elements in C order, on the host.
///
/// # Safety
/// The place holds its elements.
pub(crate) unsafe fn gather(from: &Place<'_>, itemsize: i64, stream: &Stream) -> Result<Vec<u8>> {
    let mut packed = room::zeroed(usize::try_from(packed_bytes(from.shape, itemsize)?).unwrap_or(0))?;
    let strides = contiguous_strides(from.shape, itemsize);
    let to = Side::new(packed.as_mut_ptr(), &strides[..from.shape.len()]);
    let (low, mut fetched) = match from.device {
        // SAFETY: as the caller promises.
        Some(device) => unsafe { fetch_range(device, from, itemsize, stream) }?,
        None => (0, Vec::new()),
    };
    let first = if from.device.is_some() { fetched.as_mut_ptr().wrapping_offset(-(low as isize)) } else { from.data };
    // SAFETY: `packed` holds every element; the source holds them as the caller promises, or as fetched.
    unsafe { copy_elements(&to, &Side::new(first, from.strides), from.shape, itemsize as usize) };
    Ok(packed)
}

/// Writes elements in C order to an array.
///
/// # Safety
/// The place may be written and holds as many elements as `packed`.
unsafe fn scatter(to: &Place<'_>, mut packed: Vec<u8>, itemsize: i64, stream: &Stream) -> Result<()> {
    let strides = contiguous_strides(to.shape, itemsize);
    let from = Side::new(packed.as_mut_ptr(), &strides[..to.shape.len()]);
    let Some(device) = to.device else {
        // SAFETY: as the caller promises.
        unsafe { copy_elements(&Side::new(to.data, to.strides), &from, to.shape, itemsize as usize) };
        return Ok(());
    };
    let extent = Extent { first: to.data.addr(), shape: to.shape, strides: to.strides, itemsize };
    if overlaps_itself(&extent) != Overlap::No {
        // SAFETY: as the caller promises.
        return unsafe { rewrite_range(device, to, &from, itemsize, stream) };
    }
    let (dense, first) = dense_like(to.shape, to.strides, itemsize);
    let dense = &dense[..to.shape.len()];
    let mut block = room::zeroed(packed.len())?;
    // SAFETY: the block holds every element, as `packed` does.
    unsafe {
        let lying = Side::new(block.as_mut_ptr().wrapping_offset(first as isize), dense);
        copy_elements(&lying, &from, to.shape, itemsize as usize);
        write_block(device, to, &block, (dense, first), itemsize, stream)
    }
}

/// Writes a dense block, whose elements lie in the array's memory order, to an array on a device; waits for it. `(dense, first)`: the block's strides,
/// and where in it element `[0, …, 0]` lies.
///
/// # Safety
/// As [`scatter`].
unsafe fn write_block(
    device: &'static Device,
    to: &Place<'_>,
    block: &[u8],
    (dense, first): (&[i64], i64),
    itemsize: i64,
    stream: &Stream,
) -> Result<()> {
    let _context = device.enter()?;
    let stream = lane(device, stream)?;
    let _call = stream.under_way();
    to.enter(&stream, true)?;
    stats::transferred(device.ordinal, block.len());
    let (low, bytes) = to.range(itemsize);
    if bytes == block.len() {
        // SAFETY: every byte of the range is an element's.
        unsafe { staging::to_device(device, to.device_address(low), block.as_ptr(), bytes, &stream) }?;
        return device.wait(stream.handle());
    }
    let passage = device.alloc(block.len(), stream.handle())?;
    let from = rows::Side { first: passage.wrapping_add_signed(first), strides: dense };
    let side = rows::Side { first: to.device_address(0), strides: to.strides };
    // SAFETY: the passage has room for the block, and is freed in the stream's order.
    let outcome = unsafe {
        staging::to_device(device, passage, block.as_ptr(), block.len(), &stream)
            .and_then(|()| rows::copy_elements(device, (&side, &from), to.shape, itemsize, &stream))
    };
    device.free(passage, &stream, Vec::new());
    outcome.and_then(|()| device.wait(stream.handle()))
}

/// Writes elements to an array on a device some of which share memory: what comes last in C order stays, and bytes between them are written too.
///
/// # Safety
/// As [`scatter`].
unsafe fn rewrite_range(
    device: &'static Device,
    to: &Place<'_>,
    from: &Side<'_>,
    itemsize: i64,
    stream: &Stream,
) -> Result<()> {
    // SAFETY: as the caller promises.
    let (low, mut range) = unsafe { fetch_range(device, to, itemsize, stream) }?;
    let first = range.as_mut_ptr().wrapping_offset(-(low as isize));
    // SAFETY: `range` is the array's.
    unsafe { copy_elements(&Side::new(first, to.strides), from, to.shape, itemsize as usize) };
    let _context = device.enter()?;
    let stream = lane(device, stream)?;
    let _call = stream.under_way();
    to.enter(&stream, true)?;
    // SAFETY: the range was read from the same place.
    unsafe { staging::to_device(device, to.device_address(low), range.as_ptr(), range.len(), &stream) }?;
    device.wait(stream.handle())?;
    stats::transferred(device.ordinal, range.len());
    Ok(())
}

/// [`numptx_abi::RuntimeTable::array_copy`].
///
/// # Safety
/// Both arrays are alive.
pub(crate) unsafe fn array_copy(to: &Array, from: &Array, stream: &Stream, is_fresh: bool) -> Result<()> {
    let (a, b) = (to.rank as usize, from.rank as usize);
    if a > MAX_RANK || b > MAX_RANK || to.shape[..a] != from.shape[..b] || to.dtype != from.dtype {
        return Err(Error::value("array_copy needs two arrays of the same shape and dtype"));
    }
    // SAFETY: alive, as the caller promises.
    unsafe {
        if (*to.buffer.cast::<Buffer>()).read_only {
            return Err(Error::value("assignment destination is read-only"));
        }
        let done = copy_arrays(&Place::of(to)?, &Place::of(from)?, itemsize(to.dtype)?, stream)?;
        // Nobody else has it, so that what was waited for is all there is.
        if is_fresh
            && done == Completion::Now
            && let Some(uses) = (*to.buffer.cast::<Buffer>()).uses()
        {
            uses.settle();
        }
        Ok(())
    }
}
