//! Copies of elements between strided arrays in host memory.

use crate::axes::Axes;

/// One side of a host copy.
pub(crate) struct Side<'a> {
    data: *mut u8,
    strides: &'a [i64],
}

impl<'a> Side<'a> {
    /// `data` is element `[0, …, 0]`; strides are in bytes.
    pub(crate) fn new(data: *mut u8, strides: &'a [i64]) -> Side<'a> {
        Side { data, strides }
    }
}

/// Copies elements on the host.
///
/// # Safety
/// Both sides hold `shape` elements of `itemsize` bytes, and do not overlap.
pub(crate) unsafe fn copy_elements(to: &Side<'_>, from: &Side<'_>, shape: &[i64], itemsize: usize) {
    if shape.contains(&0) {
        return;
    }
    let mut axes = Axes::dropping_ones(shape, &[to.strides, from.strides], 0, shape.len());
    let mut offsets = [0, 0];
    axes.sort(&[0, 1]);
    axes.flip(&mut offsets);
    axes.merge();
    let to = to.data.wrapping_offset(offsets[0] as isize);
    let from = from.data.wrapping_offset(offsets[1] as isize);
    // SAFETY: as the caller promises; the axes visit the same elements.
    unsafe { copy_axis(&axes, 0, to, from, itemsize) };
}

/// # Safety
/// As [`copy_elements`]; `to` and `from` are the first elements of the axes from `axis` on.
unsafe fn copy_axis(axes: &Axes, axis: usize, to: *mut u8, from: *const u8, itemsize: usize) {
    if axis >= axes.rank {
        // SAFETY: one element on each side.
        unsafe { std::ptr::copy_nonoverlapping(from, to, itemsize) };
        return;
    }
    let (extent, a, b) = (axes.extents[axis], axes.strides[0][axis], axes.strides[1][axis]);
    if axis + 1 == axes.rank {
        // SAFETY: one run of elements.
        unsafe { copy_run(to, a, from, b, extent, itemsize) };
        return;
    }
    for i in 0..extent {
        // SAFETY: element `i` of this axis lies in both arrays.
        unsafe {
            copy_axis(
                axes,
                axis + 1,
                to.wrapping_offset((i * a) as isize),
                from.wrapping_offset((i * b) as isize),
                itemsize,
            );
        }
    }
}

/// # Safety
/// Both runs hold `extent` elements.
unsafe fn copy_run(to: *mut u8, a: i64, from: *const u8, b: i64, extent: i64, itemsize: usize) {
    let size = itemsize as i64;
    // SAFETY: as the caller promises; unaligned accesses are copies of bytes.
    unsafe {
        match itemsize {
            _ if a == size && b == size => std::ptr::copy_nonoverlapping(from, to, (extent * size) as usize),
            1 => copy_items::<u8>(to, a, from, b, extent),
            2 => copy_items::<u16>(to, a, from, b, extent),
            4 => copy_items::<u32>(to, a, from, b, extent),
            8 => copy_items::<u64>(to, a, from, b, extent),
            _ => copy_items::<u128>(to, a, from, b, extent),
        }
    }
}

/// # Safety
/// As [`copy_run`], with elements of `T`'s size.
unsafe fn copy_items<T: Copy>(to: *mut u8, a: i64, from: *const u8, b: i64, extent: i64) {
    for i in 0..extent {
        // SAFETY: element `i` lies in both runs.
        unsafe {
            let value = from.wrapping_offset((i * b) as isize).cast::<T>().read_unaligned();
            to.wrapping_offset((i * a) as isize).cast::<T>().write_unaligned(value);
        }
    }
}
