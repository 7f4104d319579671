//! Shapes and strides: whether there can be such an array, contiguity, and the strides of a fresh copy.

use numptx_abi::{MAX_RANK, dtype};

/// Bytes of the strides of a C-contiguous array; returned by axis.
pub(crate) fn c_strides(shape: &[i64], itemsize: i64) -> Vec<i64> {
    let mut strides = vec![0; shape.len()];
    let mut step = itemsize;
    for axis in (0..shape.len()).rev() {
        strides[axis] = step;
        step = step.saturating_mul(shape[axis].max(1));
    }
    strides
}

/// Bytes of the strides of an F-contiguous array; returned by axis.
pub(crate) fn f_strides(shape: &[i64], itemsize: i64) -> Vec<i64> {
    let reversed: Vec<i64> = shape.iter().rev().copied().collect();
    c_strides(&reversed, itemsize).into_iter().rev().collect()
}

/// Bytes of the strides under which the same memory has other extents in C order, of as many elements; `None` where there are none.
///
/// Axes of both shapes are taken in groups of equal numbers of elements. A group can be cut anew where its elements are equally far apart: NumPy's
/// rule, and the runtime's in calls.
pub(crate) fn reshaped_strides(shape: &[i64], strides: &[i64], new_shape: &[i64], itemsize: i64) -> Option<Vec<i64>> {
    if shape.contains(&0) {
        return Some(c_strides(new_shape, itemsize));
    }
    let old: Vec<(i64, i64)> =
        shape.iter().copied().zip(strides.iter().copied()).filter(|(extent, _)| *extent != 1).collect();
    let mut fresh = vec![itemsize; new_shape.len()];
    let (mut old_first, mut new_first) = (0, 0);
    while old_first < old.len() && new_first < new_shape.len() {
        let (mut old_end, mut new_end) = (old_first + 1, new_first + 1);
        let (mut old_size, mut new_size) = (old[old_first].0, new_shape[new_first]);
        while old_size != new_size {
            if new_size < old_size {
                new_size *= new_shape.get(new_end)?;
                new_end += 1;
            } else {
                old_size *= old.get(old_end)?.0;
                old_end += 1;
            }
        }
        let group = &old[old_first..old_end];
        if group.windows(2).any(|pair| pair[0].1 != pair[1].0.wrapping_mul(pair[1].1)) {
            return None;
        }
        let mut step = group[group.len() - 1].1;
        for axis in (new_first..new_end).rev() {
            fresh[axis] = step;
            step = step.wrapping_mul(new_shape[axis]);
        }
        (old_first, new_first) = (old_end, new_end);
    }
    // Axes that are left have one element, so that nobody moves along them.
    Some(fresh)
}

/// Whether there can be such an array: `None`, or what is wrong with it. Other functions here expect arrays that can be.
///
/// There are as many strides as extents, no extent is negative, and the elements, those of an array without any left out of account,
/// reach no farther than addresses do: NumPy's rules. Along an axis of one element nobody moves: its stride may be any.
pub(crate) fn fault(shape: &[i64], strides: &[i64], itemsize: i64) -> Option<String> {
    if shape.len() > MAX_RANK {
        return Some(format!("arrays have at most {MAX_RANK} axes here, found {}", shape.len()));
    }
    if strides.len() != shape.len() {
        return Some(format!("{} strides for {} extents", strides.len(), shape.len()));
    }
    if let Some(extent) = shape.iter().find(|extent| **extent < 0) {
        return Some(format!("a negative extent, {extent}"));
    }
    let (mut bytes, mut reach) = (Some(itemsize), Some(itemsize));
    for (&extent, &stride) in shape.iter().zip(strides) {
        bytes = bytes.and_then(|bytes| bytes.checked_mul(extent.max(1)));
        let span =
            if extent < 2 { Some(0) } else { stride.checked_abs().and_then(|stride| stride.checked_mul(extent - 1)) };
        reach = span.and_then(|span| reach?.checked_add(span));
    }
    let is_empty = shape.contains(&0);
    (bytes.is_none() || (reach.is_none() && !is_empty)).then(|| "more bytes than there are addresses".to_string())
}

/// Whether there can be such an array of at most `MAX_RANK` axes with as many strides: [`fault`] in few instructions, for calls.
#[inline]
pub(crate) fn can_be(shape: &[i64], strides: &[i64], itemsize: i64) -> bool {
    let (mut bytes, mut reach, mut is_beyond) = (itemsize, itemsize, false);
    for (&extent, &stride) in shape.iter().zip(strides) {
        let (more, is_too_many) = bytes.overflowing_mul(extent.max(1));
        let (span, is_too_long) = stride.overflowing_mul(extent.saturating_sub(1).max(0));
        let (end, is_too_far) = reach.overflowing_add(span.wrapping_abs());
        let has_no_size = stride == i64::MIN || span == i64::MIN;
        is_beyond |= extent < 0 || is_too_many || is_too_long || is_too_far || has_no_size;
        (bytes, reach) = (more, end);
    }
    !is_beyond || fault(shape, strides, itemsize).is_none()
}

/// Kernels step by elements: a field of a record whose size is no multiple of the element's is not stepped through so. Nobody steps along an axis of
/// one element, nor through an array without any.
#[inline]
pub(crate) fn has_whole_steps(code: u8, shape: &[i64], strides: &[i64]) -> bool {
    let itemsize = i64::from(dtype::ITEMSIZE[usize::from(code)]);
    // Items have a power of two of bytes.
    shape.iter().zip(strides).all(|(&extent, &stride)| extent < 2 || stride & (itemsize - 1) == 0) || shape.contains(&0)
}

/// Bytes of the strides of a fresh array whose axes lie in memory in the order of `strides` (NumPy's K order).
pub(crate) fn k_strides(shape: &[i64], strides: &[i64], itemsize: i64) -> Vec<i64> {
    let mut axes: Vec<usize> = (0..shape.len()).collect();
    axes.sort_by(|&a, &b| strides[b].unsigned_abs().cmp(&strides[a].unsigned_abs()));
    let mut fresh = vec![0; shape.len()];
    let mut step = itemsize;
    for &axis in axes.iter().rev() {
        fresh[axis] = step;
        step = step.saturating_mul(shape[axis].max(1));
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

/// Whether every element lies where compiled code on the host expects one of its dtype: aligned to its size, a complex one to that of its parts.
#[inline]
pub(crate) fn is_aligned(shape: &[i64], strides: &[i64], first: usize, code: u8) -> bool {
    let itemsize = usize::from(dtype::ITEMSIZE[usize::from(code)]);
    let align = if code >= dtype::COMPLEX64 { itemsize / 2 } else { itemsize };
    let apart = shape.iter().zip(strides).filter(|(extent, _)| **extent > 1);
    let bits = apart.fold(first, |bits, (_, stride)| bits | stride.cast_unsigned() as usize);
    bits & (align - 1) == 0 || shape.contains(&0)
}

/// Number of elements; of what can be no array at most what an integer holds.
pub(crate) fn size(shape: &[i64]) -> i64 {
    if shape.contains(&0) { 0 } else { shape.iter().fold(1, |n, extent| n.saturating_mul(*extent)) }
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
#[inline(always)]
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

#[cfg(test)]
mod tests {
    use super::{c_strides, can_be, f_strides, fault, has_whole_steps, k_strides, reshaped_strides};

    #[test]
    fn other_extents_are_views_where_elements_are_equally_far_apart() {
        assert_eq!(reshaped_strides(&[6], &[8], &[2, 3], 8), Some(vec![24, 8]));
        assert_eq!(reshaped_strides(&[4, 6], &[96, 8], &[4, 2, 3], 8), Some(vec![96, 24, 8]), "an axis is cut");
        assert_eq!(reshaped_strides(&[4, 6], &[96, 8], &[24], 8), None, "rows lie apart");
        assert_eq!(reshaped_strides(&[4, 3], &[-24, -8], &[12], 8), Some(vec![-8]), "backwards");
        assert_eq!(reshaped_strides(&[3, 4], &[8, 24], &[12], 8), None, "transposed");
        assert_eq!(reshaped_strides(&[1, 3], &[7, 16], &[3, 1, 1], 8), Some(vec![16, 8, 8]));
        assert_eq!(reshaped_strides(&[], &[], &[1, 1], 8), Some(vec![8, 8]));
        assert_eq!(reshaped_strides(&[0, 5], &[40, 8], &[5, 0], 8), Some(c_strides(&[5, 0], 8)));
        assert_eq!(f_strides(&[2, 3], 8), [8, 16]);
    }

    #[test]
    fn strides_along_which_nobody_moves_may_be_any() {
        for stride in [i64::MIN, i64::MAX, 3] {
            let strides = [stride, 8];
            assert_eq!(fault(&[1, 4], &strides, 8), None, "{stride}");
            assert!(can_be(&[1, 4], &strides, 8) && has_whole_steps(10, &[1, 4], &strides), "{stride}");
            assert_eq!(fault(&[2, 0], &strides, 8), None, "{stride}");
            assert!(can_be(&[2, 0], &strides, 8) && has_whole_steps(10, &[2, 0], &strides), "{stride}");
            assert_eq!(k_strides(&[1, 4], &strides, 8)[1], 8, "{stride}");
        }
        assert!(fault(&[2, 4], &[i64::MIN, 8], 8).is_some() && !has_whole_steps(10, &[2, 4], &[3, 8]));
    }

    #[test]
    fn the_short_answer_is_the_long_one() {
        let numbers = [0, 1, 2, 3, -1, 1 << 20, 1 << 40, i64::MAX, i64::MIN, i64::MIN + 1];
        for itemsize in [1, 8, 16] {
            assert!(can_be(&[], &[], itemsize) && fault(&[], &[], itemsize).is_none());
            for a in numbers {
                for b in numbers {
                    assert_eq!(can_be(&[a], &[b], itemsize), fault(&[a], &[b], itemsize).is_none(), "{a} {b}");
                    for c in numbers {
                        for d in numbers {
                            let (shape, strides) = ([a, c], [b, d]);
                            assert_eq!(
                                can_be(&shape, &strides, itemsize),
                                fault(&shape, &strides, itemsize).is_none(),
                                "{shape:?} {strides:?}"
                            );
                        }
                    }
                }
            }
        }
    }
}
