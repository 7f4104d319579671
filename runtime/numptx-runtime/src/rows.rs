//! Elements of one array into another of the same device: in copies of rows, or by a kernel where rows are many or short.
//!
//! In: two arrays of one shape that do not overlap; a dense block lies best in the other's memory order ([`dense_like`]). Out: copies in a stream's
//! order that touch the elements and nothing between them: those bytes are somebody else's, who may be writing them. Source: `cuMemcpy2DAsync`,
//! which takes rows of any width.

use cudarc::driver::sys;
use numptx_abi::MAX_RANK;

use crate::axes::Axes;
use crate::device::Device;
use crate::driver::Failure;
use crate::error::Result;
use crate::order::order_strides;
use crate::stream::Stream;
use crate::strided_copy;

/// The largest distance between rows that drivers take.
const MAX_PITCH: i64 = i32::MAX as i64;

/// Strides in bytes of a dense block in which elements lie in an array's memory order, and where in it element `[0, …, 0]` lies.
pub(crate) fn dense_like(shape: &[i64], strides: &[i64], itemsize: i64) -> ([i64; MAX_RANK], i64) {
    let (mut dense, mut first) = ([0; MAX_RANK], 0);
    order_strides(shape, itemsize, &[strides], &mut dense[..shape.len()]);
    for ((step, extent), stride) in dense.iter_mut().zip(shape).zip(strides) {
        if *stride < 0 {
            first += *step * (extent - 1);
            *step = -*step;
        }
    }
    (dense, first)
}

/// One side of the copies: the device address of element `[0, …, 0]`, and strides in bytes.
pub(crate) struct Side<'a> {
    pub(crate) first: u64,
    pub(crate) strides: &'a [i64],
}

/// The least bytes that a copy has to move to be worth its call: through the host they take about as long as the call.
pub(crate) const WORTH_A_CALL: i64 = 16 << 10;

/// So many calls take no longer than a way through the host, which waits for the device.
const FEW_CALLS: i64 = 16;

/// Rows that the driver copies have at least so many bytes: a kernel is no slower for shorter ones, and many times faster for elements (`strided_copy`).
const LEAST_WIDTH: i64 = 256;

/// Whether [`copy_elements`] does the work on the device, and in less time than a way through the host takes.
pub(crate) fn stay(device: &Device, strides: (&[i64], &[i64]), shape: &[i64], itemsize: i64) -> bool {
    are_few(strides, shape, itemsize) || strided_copy::is_possible(device, strides, shape, itemsize)
}

/// Whether copies of the driver are few beside the bytes that they move.
fn are_few(strides: (&[i64], &[i64]), shape: &[i64], itemsize: i64) -> bool {
    let bytes = shape.iter().product::<i64>().saturating_mul(itemsize);
    are_few_calls(calls(strides, shape, itemsize), bytes)
}

/// How often the driver is called for copies of rows.
pub(crate) fn calls(strides: (&[i64], &[i64]), shape: &[i64], itemsize: i64) -> i64 {
    Walk::new(strides, shape, itemsize).calls()
}

/// Whether so many calls are few beside the bytes that they write.
pub(crate) fn are_few_calls(calls: i64, bytes: i64) -> bool {
    calls <= FEW_CALLS + bytes / WORTH_A_CALL
}

/// Copies elements between two places on a device whose context is current, and which do not overlap.
///
/// # Safety
/// Both sides hold `shape` elements of `itemsize` bytes until the stream has done the copies.
pub(crate) unsafe fn copy_elements(
    device: &'static Device,
    (to, from): (&Side<'_>, &Side<'_>),
    shape: &[i64],
    itemsize: i64,
    stream: &Stream,
) -> Result<()> {
    if shape.contains(&0) {
        return Ok(());
    }
    let walk = Walk::new((to.strides, from.strides), shape, itemsize);
    // SAFETY: as the caller promises.
    if !walk.is_the_driver_s() && unsafe { strided_copy::copy(device, (to, from), shape, itemsize, stream) }? {
        return Ok(());
    }
    let Walk { axes, width, count, pitches, offsets } = walk;
    let rows = Rows { device, stream, width, count, pitches };
    let firsts = [to.first.wrapping_add_signed(offsets[0]), from.first.wrapping_add_signed(offsets[1])];
    // SAFETY: as the caller promises; the axes visit the same elements.
    unsafe { rows.copy_axis(&axes, 0, firsts) }
}

/// How elements are visited: a rectangle of `count` rows of `width` bytes for each point of the axes.
struct Walk {
    axes: Axes,
    width: i64,
    count: i64,
    pitches: [i64; 2],
    /// From element `[0, …, 0]` to what is visited first.
    offsets: [i64; 2],
}

impl Walk {
    fn new((to, from): (&[i64], &[i64]), shape: &[i64], itemsize: i64) -> Walk {
        let mut axes = Axes::dropping_ones(shape, &[to, from], 0, shape.len());
        let mut offsets = [0, 0];
        axes.sort(&[0, 1]);
        axes.flip(&mut offsets);
        axes.merge();
        let mut walk = Walk { axes, width: itemsize, count: 1, pitches: [0, 0], offsets };
        let axes = &mut walk.axes;
        let inner = axes.rank.wrapping_sub(1);
        if axes.rank > 0 && axes.strides.iter().all(|strides| strides[inner] == itemsize) {
            walk.width = axes.extents[inner] * itemsize;
            axes.rank = inner;
        }
        // The longest axis is the driver's, so that there are few copies.
        if let Some(longest) = (0..axes.rank).max_by_key(|axis| axes.extents[*axis]) {
            walk.count = axes.extents[longest];
            walk.pitches = [axes.strides[0][longest], axes.strides[1][longest]];
            axes.extents[longest] = 1;
        }
        walk
    }

    /// Whether it is one copy of the driver, of a block or of long rows.
    fn is_the_driver_s(&self) -> bool {
        self.calls() == 1 && (self.count == 1 || self.width >= LEAST_WIDTH)
    }

    /// How often the driver is called.
    fn calls(&self) -> i64 {
        let a_rectangle = if is_rectangle(self.count, self.width, self.pitches) { 1 } else { self.count };
        self.axes.count().saturating_mul(a_rectangle)
    }
}

/// Whether the driver takes rows in one copy.
fn is_rectangle(count: i64, width: i64, pitches: [i64; 2]) -> bool {
    count > 1 && pitches.iter().all(|pitch| (width..=MAX_PITCH).contains(pitch))
}

/// Rows of equal width, equally far apart on each side.
struct Rows<'a> {
    device: &'a Device,
    stream: &'a Stream,
    width: i64,
    count: i64,
    pitches: [i64; 2],
}

impl Rows<'_> {
    /// # Safety
    /// As [`copy_elements`]; `firsts` are the first elements of the axes from `axis` on.
    unsafe fn copy_axis(&self, axes: &Axes, axis: usize, [to, from]: [u64; 2]) -> Result<()> {
        if axis >= axes.rank {
            // SAFETY: as the caller promises.
            return unsafe { self.copy([to, from]) };
        }
        for i in 0..axes.extents[axis] {
            let at = |first: u64, side: usize| first.wrapping_add_signed(i * axes.strides[side][axis]);
            // SAFETY: element `i` of this axis lies in both arrays.
            unsafe { self.copy_axis(axes, axis + 1, [at(to, 0), at(from, 1)]) }?;
        }
        Ok(())
    }

    /// # Safety
    /// All rows lie in both arrays.
    unsafe fn copy(&self, [to, from]: [u64; 2]) -> Result<()> {
        let (driver, stream) = (self.device.driver, self.stream.handle());
        if is_rectangle(self.count, self.width, self.pitches) {
            let copy = self.rectangle(to, from);
            // SAFETY: as the caller promises; the driver reads the description before it returns.
            match unsafe { driver.copy_2d(&copy, stream) } {
                // The driver's documentation lets it refuse pitches that are not its own.
                Err(Failure { code: Failure::INVALID_VALUE, .. }) => {}
                outcome => return Ok(outcome?),
            }
        }
        for i in 0..self.count {
            let at = |first: u64, pitch: i64| first.wrapping_add_signed(i * pitch);
            // SAFETY: as the caller promises.
            unsafe { driver.copy(at(to, self.pitches[0]), at(from, self.pitches[1]), self.width as usize, stream) }?;
        }
        Ok(())
    }

    fn rectangle(&self, to: u64, from: u64) -> sys::CUDA_MEMCPY2D {
        sys::CUDA_MEMCPY2D {
            srcXInBytes: 0,
            srcY: 0,
            srcMemoryType: sys::CUmemorytype::CU_MEMORYTYPE_DEVICE,
            srcHost: std::ptr::null(),
            srcDevice: from,
            srcArray: std::ptr::null_mut(),
            srcPitch: self.pitches[1] as usize,
            dstXInBytes: 0,
            dstY: 0,
            dstMemoryType: sys::CUmemorytype::CU_MEMORYTYPE_DEVICE,
            dstHost: std::ptr::null_mut(),
            dstDevice: to,
            dstArray: std::ptr::null_mut(),
            dstPitch: self.pitches[0] as usize,
            WidthInBytes: self.width as usize,
            Height: self.count as usize,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dense_block_lies_as_the_array_does() {
        let (strides, first) = dense_like(&[3, 4], &[16, 96], 8);
        assert_eq!((&strides[..2], first), (&[8i64, 24][..], 0));
        let (strides, first) = dense_like(&[3, 4], &[64, -16], 8);
        assert_eq!((&strides[..2], first), (&[32i64, -8][..], 24));
    }

    #[test]
    fn calls_of_the_driver_are_counted_before_they_are_made() {
        let calls = |to: &[i64], from: &[i64], shape: &[i64]| Walk::new((to, from), shape, 8).calls();
        assert_eq!(calls(&[32, 8], &[32, 8], &[3, 4]), 1, "one block");
        assert_eq!(calls(&[32, 8], &[64, 8], &[3, 4]), 1, "a rectangle");
        assert_eq!(calls(&[24, 8], &[8, 32], &[4, 3]), 3, "a column of a transposed array is a rectangle");
        assert_eq!(calls(&[32, 8], &[0, 8], &[3, 4]), 3, "a broadcast row is copied again and again");
        assert!(are_few((&[32, 8], &[0, 8]), &[16, 4], 8) && !are_few((&[32, 8], &[0, 8]), &[17, 4], 8));
        assert!(are_few((&[1 << 17, 8], &[0, 8]), &[400, 1 << 14], 8), "long rows are worth a call each");
    }
}
