//! Memory with exactly the bytes that an array's elements reach, so that the sanitizer sees what goes beyond; and its elements, read one by one.

use std::alloc::{Layout, alloc, dealloc};

/// Most elements, and most bytes, of arrays that have memory. Others have addresses alone, which nobody follows.
const MOST: i128 = 1 << 12;

/// Where elements lie: bytes from the first one, `[0, …, 0]`, `low` of them before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    pub low: usize,
    pub bytes: usize,
    pub elements: usize,
}

/// The reach of an array, if there can be such a one and it is small enough to have memory. Strides are bytes.
pub fn reach(shape: &[i64], strides: &[i128], itemsize: usize) -> Option<Reach> {
    if shape.iter().any(|extent| *extent < 0) {
        return None;
    }
    let elements = shape.iter().try_fold(1i128, |n, extent| n.checked_mul(i128::from(*extent)))?;
    if elements == 0 {
        return Some(Reach { low: 0, bytes: 0, elements: 0 });
    }
    let (mut low, mut high) = (0i128, itemsize as i128);
    for (extent, stride) in shape.iter().zip(strides) {
        let span = stride.checked_mul(i128::from(*extent) - 1)?;
        if span < 0 { low = low.checked_sub(span)? } else { high = high.checked_add(span)? }
    }
    let bytes = low.checked_add(high)?;
    (elements <= MOST && bytes <= MOST * 4).then_some(Reach {
        low: low as usize,
        bytes: bytes as usize,
        elements: elements as usize,
    })
}

/// Whether there can be no such array: calls have to say so before they look at an element.
pub fn is_impossible(shape: &[i64], strides: &[i128], itemsize: usize) -> bool {
    let limit = i128::from(i64::MAX);
    let bytes = shape.iter().try_fold(itemsize as i128, |n, extent| n.checked_mul(i128::from((*extent).max(1))));
    let spans = shape.iter().zip(strides).map(|(extent, stride)| stride.abs().saturating_mul(i128::from(*extent) - 1));
    let reach = spans.fold(itemsize as i128, |sum, span| sum.saturating_add(span.max(0)));
    shape.iter().any(|extent| *extent < 0) || bytes.is_none_or(|n| n > limit) || (reach > limit && !shape.contains(&0))
}

/// Memory of an array.
pub struct Memory {
    start: *mut u8,
    first: *mut u8,
    layout: Layout,
    pub reach: Reach,
}

/// No element needs more.
const ALIGN: usize = 64;

impl Memory {
    /// Memory whose element `[0, …, 0]` lies `shift` bytes beyond a multiple of [`ALIGN`], filled with bytes that differ.
    pub fn new(reach: Reach, shift: usize) -> Memory {
        let before = (reach.low.next_multiple_of(ALIGN) - reach.low) + shift;
        let layout = Layout::from_size_align((before + reach.bytes).max(1), ALIGN).expect("small");
        // SAFETY: the size is not zero.
        let start = unsafe { alloc(layout) };
        assert!(!start.is_null());
        let memory = Memory { start, first: start.wrapping_add(before), layout, reach };
        memory.fill(|k| (k * 37 + 11) as u8);
        memory
    }

    /// Element `[0, …, 0]`.
    pub fn element(&self) -> *mut u8 {
        self.first.wrapping_add(self.reach.low)
    }

    /// Writes every byte.
    pub fn fill(&self, byte: impl Fn(usize) -> u8) {
        for k in 0..self.reach.bytes {
            // SAFETY: within the memory.
            unsafe { self.first.add(k).write(byte(k)) };
        }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout.
        unsafe { dealloc(self.start, self.layout) };
    }
}

/// The addresses of an array's elements in C order, as distances from the first.
pub fn offsets(shape: &[i64], strides: &[i128]) -> Vec<i128> {
    if shape.iter().any(|extent| *extent <= 0) {
        return Vec::new();
    }
    let mut all = vec![0i128];
    for (extent, stride) in shape.iter().zip(strides) {
        all = all.iter().flat_map(|at| (0..*extent).map(move |i| at + stride * i128::from(i))).collect();
    }
    all
}

/// The elements of an array in C order.
///
/// # Safety
/// They lie where the strides say around `element`.
pub unsafe fn elements(element: *const u8, shape: &[i64], strides: &[i128], itemsize: usize) -> Vec<u8> {
    let mut found = Vec::new();
    for at in offsets(shape, strides) {
        let place = element.wrapping_offset(at as isize);
        for k in 0..itemsize {
            // SAFETY: as the caller promises.
            found.push(unsafe { place.add(k).read() });
        }
    }
    found
}

/// What tells elements from others.
pub fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}
