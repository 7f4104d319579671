//! A list of plain values that lives on the stack while it is short: a launch allocates nothing.

use std::mem::MaybeUninit;
use std::ops::{Deref, DerefMut};

/// Up to `N` values in place, more on the heap.
pub(crate) struct Inline<T: Copy, const N: usize> {
    len: usize,
    fixed: [MaybeUninit<T>; N],
    heap: Vec<T>,
}

impl<T: Copy, const N: usize> Inline<T, N> {
    /// `len` copies of `value`.
    // Inlined so that the list is made where it stays: it is too large to move about.
    #[inline(always)]
    pub(crate) fn filled(len: usize, value: T) -> Inline<T, N> {
        let mut list = Inline { len, fixed: [const { MaybeUninit::uninit() }; N], heap: Vec::new() };
        if len <= N {
            list.fixed[..len].fill(MaybeUninit::new(value));
        } else {
            list.heap = vec![value; len];
        }
        list
    }

    /// No values yet.
    #[inline(always)]
    pub(crate) fn new() -> Inline<T, N> {
        Inline { len: 0, fixed: [const { MaybeUninit::uninit() }; N], heap: Vec::new() }
    }

    /// Appends a value.
    #[inline]
    pub(crate) fn push(&mut self, value: T) {
        if self.len < N {
            self.fixed[self.len].write(value);
        } else {
            if self.len == N {
                self.heap = self.to_vec();
            }
            self.heap.push(value);
        }
        self.len += 1;
    }
}

impl<T: Copy, const N: usize> Deref for Inline<T, N> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        if self.len <= N {
            // SAFETY: the first `len` slots were written by `filled` or `push`.
            unsafe { std::slice::from_raw_parts(self.fixed.as_ptr().cast(), self.len) }
        } else {
            &self.heap
        }
    }
}

impl<T: Copy, const N: usize> DerefMut for Inline<T, N> {
    fn deref_mut(&mut self) -> &mut [T] {
        if self.len <= N {
            // SAFETY: as in `deref`.
            unsafe { std::slice::from_raw_parts_mut(self.fixed.as_mut_ptr().cast(), self.len) }
        } else {
            &mut self.heap
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grows_past_its_place_on_the_stack() {
        let mut list = Inline::<i64, 4>::new();
        for i in 0..9 {
            list.push(i);
            assert_eq!(*list, (0..=i).collect::<Vec<_>>()[..]);
        }
        assert_eq!(*Inline::<i64, 2>::filled(3, 7), [7, 7, 7]);
    }
}
