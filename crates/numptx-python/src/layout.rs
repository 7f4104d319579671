//! Shapes and strides: contiguity, and the strides of a fresh copy.

/// Bytes of the strides of a C-contiguous array; returned by axis.
pub(crate) fn c_strides(shape: &[i64], itemsize: i64) -> Vec<i64> {
    let mut strides = vec![0; shape.len()];
    let mut step = itemsize;
    for axis in (0..shape.len()).rev() {
        strides[axis] = step;
        step *= shape[axis].max(1);
    }
    strides
}

/// Bytes of the strides of a fresh array whose axes lie in memory in the order of `strides` (NumPy's K order).
pub(crate) fn k_strides(shape: &[i64], strides: &[i64], itemsize: i64) -> Vec<i64> {
    let mut axes: Vec<usize> = (0..shape.len()).collect();
    axes.sort_by(|&a, &b| strides[b].abs().cmp(&strides[a].abs()));
    let mut fresh = vec![0; shape.len()];
    let mut step = itemsize;
    for &axis in axes.iter().rev() {
        fresh[axis] = step;
        step *= shape[axis].max(1);
    }
    fresh
}

/// Whether the last axis is the fastest and nothing lies between elements; axes of extent 1 do not count.
pub(crate) fn is_c_contiguous(shape: &[i64], strides: &[i64], itemsize: i64) -> bool {
    contiguous(shape.iter().zip(strides).rev(), itemsize)
}

/// Whether the first axis is the fastest and nothing lies between elements; axes of extent 1 do not count.
pub(crate) fn is_f_contiguous(shape: &[i64], strides: &[i64], itemsize: i64) -> bool {
    contiguous(shape.iter().zip(strides), itemsize)
}

fn contiguous<'a>(axes: impl Iterator<Item = (&'a i64, &'a i64)>, itemsize: i64) -> bool {
    let mut step = itemsize;
    let mut dense = true;
    for (&extent, &stride) in axes {
        if extent == 0 {
            return true;
        }
        dense &= extent == 1 || stride == step;
        step *= extent;
    }
    dense
}

/// Number of elements.
pub(crate) fn size(shape: &[i64]) -> i64 {
    shape.iter().product()
}

/// The bytes before and after element `[0, …, 0]` that the elements reach: `(low, high)`, `low <= 0`, one past the last byte in `high`.
pub(crate) fn reach(shape: &[i64], strides: &[i64], itemsize: i64) -> (i64, i64) {
    if size(shape) == 0 {
        return (0, 0);
    }
    let mut reach = (0, itemsize);
    for (&extent, &stride) in shape.iter().zip(strides) {
        let span = (extent - 1) * stride;
        if span < 0 { reach.0 += span } else { reach.1 += span }
    }
    reach
}

/// Copies extents or strides. Nearly all arrays have few axes, and calling `memcpy` for those costs more than copying them.
///
/// # Safety
/// There is room for as many.
#[inline]
pub(crate) unsafe fn copy_axes(from: &[i64], to: *mut i64) {
    // SAFETY: as the caller promises.
    unsafe {
        match *from {
            [] => {}
            [a] => to.write(a),
            [a, b] => to.cast::<[i64; 2]>().write([a, b]),
            [a, b, c] => to.cast::<[i64; 3]>().write([a, b, c]),
            _ => std::ptr::copy_nonoverlapping(from.as_ptr(), to, from.len()),
        }
    }
}
