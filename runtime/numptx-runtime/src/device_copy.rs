//! Copies that stay on one device: between two of its arrays, and of elements that are repeated along axes.
//!
//! In: places of one shape, which may overlap. Out: copies in a stream's order that the caller has waited for, or `false`: nothing was done, because
//! they would be too many, or because elements of the destination share memory. The way through the host serves then.

use numptx_abi::MAX_RANK;

use crate::copy::{Place, copy_arrays, lane, overlap, packed_bytes};
use crate::device::Device;
use crate::error::Result;
use crate::inline::Inline;
use crate::overlap::{Extent, Overlap, overlaps_itself};
use crate::rows::{self, Side, dense_like};
use crate::stream::Stream;

/// Copies all elements between two arrays of one device, and waits for it. Where the two overlap, a block of the device holds the elements meanwhile.
///
/// # Safety
/// Both places hold their elements; the destination may be written.
pub(crate) unsafe fn copy_on_device(
    device: &'static Device,
    (to, from): (&Place<'_>, &Place<'_>),
    itemsize: i64,
    stream: &Stream,
) -> Result<bool> {
    let shape = to.shape;
    if shares_elements(to, itemsize) {
        return Ok(false);
    }
    let is_apart = !overlap(to, from, itemsize);
    let (dense, first) = dense_like(shape, to.strides, itemsize);
    let dense = &dense[..shape.len()];
    let stays = |to: &[i64], from: &[i64]| rows::stay(device, (to, from), shape, itemsize);
    if !(if is_apart {
        stays(to.strides, from.strides)
    } else {
        stays(dense, from.strides) && stays(to.strides, dense)
    }) {
        return Ok(false);
    }
    let _context = device.enter()?;
    let stream = lane(device, stream)?;
    let _call = stream.under_way();
    to.enter(&stream, true)?;
    from.enter(&stream, false)?;
    let (target, source) = (side(to), side(from));
    if is_apart {
        // SAFETY: as the caller promises; the two do not overlap.
        unsafe { rows::copy_elements(device, (&target, &source), shape, itemsize, &stream) }?;
        return device.wait(stream.handle()).map(|()| true);
    }
    let bytes = usize::try_from(packed_bytes(shape, itemsize)?).unwrap_or(0);
    let passage = device.alloc(bytes, stream.handle())?;
    let block = Side { first: passage.wrapping_add_signed(first), strides: dense };
    // SAFETY: as the caller promises; the passage has room for all elements, and is freed in the stream's order.
    let outcome = unsafe {
        rows::copy_elements(device, (&block, &source), shape, itemsize, &stream)
            .and_then(|()| rows::copy_elements(device, (&target, &block), shape, itemsize, &stream))
    };
    device.free(passage, &stream, Vec::new());
    outcome.and_then(|()| device.wait(stream.handle()).map(|()| true))
}

/// Copies elements that are the same along some axes: the first along these, from wherever they are, which are then doubled where they lie.
///
/// # Safety
/// As [`copy_on_device`].
pub(crate) unsafe fn copy_repeated(
    device: &'static Device,
    (to, from): (&Place<'_>, &Place<'_>),
    itemsize: i64,
    stream: &Stream,
) -> Result<bool> {
    let doubling = Doubling::new(to, from);
    if !doubling.is_worth_its_calls(itemsize) || shares_elements(to, itemsize) {
        return Ok(false);
    }
    let first = doubling.first();
    let first = &first[..to.shape.len()];
    // SAFETY: as the caller promises: these are some of the elements of both.
    unsafe { copy_arrays(&Place { shape: first, ..*to }, &Place { shape: first, ..*from }, itemsize, stream) }?;
    let _context = device.enter()?;
    let stream = lane(device, stream)?;
    let _call = stream.under_way();
    to.enter(&stream, true)?;
    let origin = side(to);
    doubling.steps(|shape, offset| {
        let next = Side { first: origin.first.wrapping_add_signed(offset), strides: to.strides };
        // SAFETY: the elements are the destination's; those that are read were written before, and none is both.
        unsafe { rows::copy_elements(device, (&next, &origin), shape, itemsize, &stream) }
    })?;
    device.wait(stream.handle()).map(|()| true)
}

/// Elements that are the same along some axes, from the first ones to all of them.
struct Doubling<'a> {
    /// The destination's.
    shape: &'a [i64],
    strides: &'a [i64],
    /// Along these elements are the same, those that lie closest first.
    axes: Inline<usize, MAX_RANK>,
}

impl<'a> Doubling<'a> {
    fn new(to: &Place<'a>, from: &Place<'_>) -> Doubling<'a> {
        let mut axes = Inline::new();
        let is_repeated = |axis: &usize| to.shape[*axis] > 1 && from.strides[*axis] == 0;
        (0..to.shape.len()).filter(is_repeated).for_each(|axis| axes.push(axis));
        axes.sort_by_key(|axis: &usize| to.strides[*axis].unsigned_abs());
        Doubling { shape: to.shape, strides: to.strides, axes }
    }

    /// Extents of the elements that are there first.
    fn first(&self) -> [i64; MAX_RANK] {
        let mut first = [1; MAX_RANK];
        first[..self.shape.len()].copy_from_slice(self.shape);
        self.axes.iter().for_each(|axis| first[*axis] = 1);
        first
    }

    /// What is copied after one another: extents of elements that are there already, and how far in bytes from each its copy lies.
    fn steps(&self, mut copy: impl FnMut(&[i64], i64) -> Result<()>) -> Result<()> {
        let mut there = self.first();
        for axis in self.axes.iter().copied() {
            let mut known = 1;
            while known < self.shape[axis] {
                there[axis] = known.min(self.shape[axis] - known);
                copy(&there[..self.shape.len()], known * self.strides[axis])?;
                known += there[axis];
            }
            there[axis] = known;
        }
        Ok(())
    }

    /// Few elements come faster from the host, however often they are the same.
    fn is_worth_its_calls(&self, itemsize: i64) -> bool {
        let bytes = self.shape.iter().product::<i64>().saturating_mul(itemsize);
        if self.axes.is_empty() || bytes < rows::WORTH_A_CALL {
            return false;
        }
        let mut calls = 0_i64;
        let counted = self.steps(|shape, _| {
            calls = calls.saturating_add(rows::calls((self.strides, self.strides), shape, itemsize));
            Ok(())
        });
        counted.is_ok() && rows::are_few_calls(calls, bytes)
    }
}

/// Whether elements share memory with one another, or may.
fn shares_elements(place: &Place<'_>, itemsize: i64) -> bool {
    let extent = Extent { first: place.data.addr(), shape: place.shape, strides: place.strides, itemsize };
    overlaps_itself(&extent) != Overlap::No
}

fn side<'a>(place: &Place<'a>) -> Side<'a> {
    Side { first: place.device_address(0), strides: place.strides }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place<'a>(shape: &'a [i64], strides: &'a [i64]) -> Place<'a> {
        Place { device: None, data: std::ptr::null_mut(), shape, strides, uses: None, pinned: None }
    }

    fn steps(doubling: &Doubling<'_>) -> Vec<(Vec<i64>, i64)> {
        let mut steps = Vec::new();
        let listed = doubling.steps(|shape, offset| {
            steps.push((shape.to_vec(), offset));
            Ok(())
        });
        assert!(listed.is_ok());
        steps
    }

    #[test]
    fn a_number_is_doubled_along_the_axis_that_lies_closest_first() {
        let doubling = Doubling::new(&place(&[2, 5], &[40, 8]), &place(&[2, 5], &[0, 0]));
        let expected = [(vec![1, 1], 8), (vec![1, 2], 16), (vec![1, 1], 32), (vec![1, 5], 40)];
        assert_eq!(steps(&doubling), expected);
    }

    #[test]
    fn axes_along_which_elements_differ_are_whole_from_the_start() {
        let doubling = Doubling::new(&place(&[3, 4], &[32, 8]), &place(&[3, 4], &[8, 0]));
        assert_eq!(steps(&doubling), [(vec![3, 1], 8), (vec![3, 2], 16)]);
        assert!(Doubling::new(&place(&[3, 4], &[32, 8]), &place(&[3, 4], &[32, 8])).axes.is_empty());
    }

    #[test]
    fn few_bytes_and_many_calls_go_through_the_host() {
        let worth = |shape: &[i64], strides: &[i64]| {
            let zeros = vec![0; shape.len()];
            Doubling::new(&place(shape, strides), &place(shape, &zeros)).is_worth_its_calls(8)
        };
        assert!(worth(&[1 << 20], &[8]) && !worth(&[100], &[8]));
        assert!(worth(&[1 << 20], &[16]), "every other element is a rectangle");
        assert!(!worth(&[1000, 500], &[16_000, 16]), "neither axis is dense");
    }
}
