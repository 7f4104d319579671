//! Iteration spaces: dropping, permuting, flipping and merging axes so that the few variants of a kernel fit what the caller's arrays are.
//!
//! In: extents and byte strides of several operands. Out: an equal set of work items in fewer axes. Axes of extent 1 get stride 0.

use numptx_abi::MAX_RANK;

use crate::inline::Inline;

/// A set of axes with the byte strides of every operand.
pub(crate) struct Axes {
    pub(crate) rank: usize,
    pub(crate) extents: [i64; MAX_RANK],
    pub(crate) strides: Inline<[i64; MAX_RANK], 12>,
}

impl Axes {
    /// The axes `first..last` of a space, one stride list an operand; axes of extent 1 are left out.
    #[inline]
    pub(crate) fn dropping_ones(extents: &[i64], strides: &[&[i64]], first: usize, last: usize) -> Axes {
        let mut axes = Axes { rank: 0, extents: [1; MAX_RANK], strides: Inline::filled(strides.len(), [0; MAX_RANK]) };
        for (axis, extent) in extents.iter().enumerate().take(last).skip(first) {
            if *extent != 1 {
                axes.extents[axes.rank] = *extent;
                for (to, from) in axes.strides.iter_mut().zip(strides) {
                    to[axes.rank] = step(from, axis);
                }
                axes.rank += 1;
            }
        }
        axes
    }

    /// The axes `first..last` as they are, with stride 0 where the extent is 1.
    #[inline]
    pub(crate) fn as_given(extents: &[i64], strides: &[&[i64]], first: usize, last: usize) -> Axes {
        let mut axes =
            Axes { rank: last - first, extents: [1; MAX_RANK], strides: Inline::filled(strides.len(), [0; MAX_RANK]) };
        axes.extents[..last - first].copy_from_slice(&extents[first..last]);
        for (to, from) in axes.strides.iter_mut().zip(strides) {
            for axis in first..last {
                to[axis - first] = if extents[axis] == 1 { 0 } else { step(from, axis) };
            }
        }
        axes
    }

    /// Number of work items, or the most that an integer holds.
    pub(crate) fn count(&self) -> i64 {
        self.extents[..self.rank].iter().fold(1, |n, extent| n.saturating_mul(*extent))
    }

    /// Orders the axes by descending size of stride. `voters` are operands in order of importance: the first one that tells two axes apart decides.
    pub(crate) fn sort(&mut self, voters: &[usize]) {
        for end in 1..self.rank {
            let mut at = end;
            while at > 0 && self.is_inner(at - 1, at, voters) {
                self.swap(at - 1, at);
                at -= 1;
            }
        }
    }

    /// Whether `axis` moves in smaller steps than `other`.
    fn is_inner(&self, axis: usize, other: usize, voters: &[usize]) -> bool {
        for operand in voters {
            let strides = &self.strides[*operand];
            let (a, b) = (strides[axis].unsigned_abs(), strides[other].unsigned_abs());
            if a != 0 && b != 0 && a != b {
                return a < b;
            }
        }
        false
    }

    fn swap(&mut self, a: usize, b: usize) {
        self.extents.swap(a, b);
        for strides in self.strides.iter_mut() {
            strides.swap(a, b);
        }
    }

    /// Walks the other way along axes on which every operand that moves moves down; `offsets` are moved to the new first element.
    pub(crate) fn flip(&mut self, offsets: &mut [i64]) {
        for axis in 0..self.rank {
            let down = self.strides.iter().any(|s| s[axis] < 0) && self.strides.iter().all(|s| s[axis] <= 0);
            if down {
                for (strides, offset) in self.strides.iter_mut().zip(offsets.iter_mut()) {
                    *offset += strides[axis] * (self.extents[axis] - 1);
                    strides[axis] = -strides[axis];
                }
            }
        }
    }

    /// Joins neighbours that every operand walks as one axis.
    pub(crate) fn merge(&mut self) {
        let mut axis = 1;
        while axis < self.rank {
            let (outer, inner) = (axis - 1, axis);
            let joins = self.strides.iter().all(|s| s[outer] == s[inner].wrapping_mul(self.extents[inner]));
            if joins {
                self.extents[outer] = self.extents[outer].saturating_mul(self.extents[inner]);
                for strides in self.strides.iter_mut() {
                    strides[outer] = strides[inner];
                }
                self.remove(inner);
            } else {
                axis += 1;
            }
        }
    }

    fn remove(&mut self, axis: usize) {
        self.extents.copy_within(axis + 1..self.rank, axis);
        for strides in self.strides.iter_mut() {
            strides.copy_within(axis + 1..self.rank, axis);
        }
        self.rank -= 1;
        self.extents[self.rank] = 1;
        for strides in self.strides.iter_mut() {
            strides[self.rank] = 0;
        }
    }

    /// Adds leading axes of extent 1 until there are `rank`.
    pub(crate) fn pad(&mut self, rank: usize) {
        let missing = rank.saturating_sub(self.rank);
        if missing == 0 {
            return;
        }
        self.extents.copy_within(0..self.rank, missing);
        self.extents[..missing].fill(1);
        for strides in self.strides.iter_mut() {
            strides.copy_within(0..self.rank, missing);
            strides[..missing].fill(0);
        }
        self.rank += missing;
    }

    /// Whether the only axis, if there is one, is contiguous in an operand of this element size.
    pub(crate) fn is_flat(&self, operand: usize, itemsize: i64) -> bool {
        match self.rank {
            0 => true,
            1 => self.strides[operand][0] == itemsize,
            _ => false,
        }
    }

    /// The largest distance in bytes from the first element that an operand reaches, over these axes.
    pub(crate) fn reach(&self, operand: usize) -> i64 {
        let steps = self.strides[operand][..self.rank].iter().zip(&self.extents[..self.rank]);
        steps.map(|(s, e)| s.saturating_abs().saturating_mul((e - 1).max(0))).fold(0, i64::saturating_add)
    }
}

/// An operand's stride along an axis. The list of an operand that a reduction writes ends before the reduced axes: it does not move there.
fn step(strides: &[i64], axis: usize) -> i64 {
    strides.get(axis).copied().unwrap_or(0)
}

/// The bytes that an array touches, relative to element `[0, …, 0]`: `low..high`. Empty for an empty array.
pub(crate) fn byte_range(shape: &[i64], strides: &[i64], itemsize: i64) -> (i64, i64) {
    if shape.contains(&0) {
        return (0, 0);
    }
    let (mut low, mut high) = (0i64, itemsize);
    for (extent, stride) in shape.iter().zip(strides) {
        let reach = stride.saturating_mul(extent - 1);
        if reach < 0 {
            low = low.saturating_add(reach);
        } else {
            high = high.saturating_add(reach);
        }
    }
    (low, high)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contiguous_axes_become_one() {
        let strides: [&[i64]; 2] = [&[96, 32, 8], &[96, 32, 8]];
        let mut axes = Axes::dropping_ones(&[2, 3, 4], &strides, 0, 3);
        axes.merge();
        assert_eq!((axes.rank, axes.extents[0]), (1, 24));
        assert!(axes.is_flat(0, 8));
    }

    #[test]
    fn a_transposed_pair_is_flat_too() {
        let strides: [&[i64]; 2] = [&[8, 16], &[8, 16]];
        let mut axes = Axes::dropping_ones(&[2, 5], &strides, 0, 2);
        axes.sort(&[0, 1]);
        axes.merge();
        assert_eq!((axes.rank, axes.extents[0], axes.strides[1][0]), (1, 10, 8));
    }

    #[test]
    fn reversed_operands_are_walked_upwards() {
        let strides: [&[i64]; 2] = [&[-8], &[-4]];
        let mut axes = Axes::dropping_ones(&[5], &strides, 0, 1);
        let mut offsets = [100, 50];
        axes.flip(&mut offsets);
        assert_eq!((offsets, axes.strides[0][0], axes.strides[1][0]), ([68, 34], 8, 4));
    }

    #[test]
    fn an_axis_against_another_stays() {
        let strides: [&[i64]; 2] = [&[-8], &[4]];
        let mut axes = Axes::dropping_ones(&[5], &strides, 0, 1);
        let mut offsets = [0, 0];
        axes.flip(&mut offsets);
        assert_eq!((offsets, axes.strides[0][0]), ([0, 0], -8));
    }

    #[test]
    fn ranges_of_negative_strides_lie_below() {
        assert_eq!(byte_range(&[3, 4], &[-32, 8], 8), (-64, 32));
        assert_eq!(byte_range(&[3, 0], &[-32, 8], 8), (0, 0));
        assert_eq!(byte_range(&[], &[], 4), (0, 4));
    }
}
