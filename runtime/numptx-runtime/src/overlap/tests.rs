//! The solver against a list of every byte.

use std::collections::HashMap;

use super::*;

/// Far from 0, so that negative strides stay addresses.
const BASE: usize = 1 << 20;

#[derive(Clone, Debug)]
struct OwnedExtent {
    first: usize,
    shape: Vec<i64>,
    strides: Vec<i64>,
    itemsize: i64,
}

impl OwnedExtent {
    fn extent(&self) -> Extent<'_> {
        Extent { first: self.first, shape: &self.shape, strides: &self.strides, itemsize: self.itemsize }
    }

    /// The first byte of every element, by index.
    fn elements(&self) -> Vec<(Vec<i64>, i64)> {
        let mut elements = vec![(Vec::new(), self.first as i64)];
        for (extent, stride) in self.shape.iter().zip(&self.strides) {
            let longer = |(index, at): &(Vec<i64>, i64)| -> Vec<_> {
                (0..*extent).map(|i| ([&index[..], &[i]].concat(), at + i * stride)).collect()
            };
            elements = elements.iter().flat_map(longer).collect();
        }
        elements
    }

    /// Which elements hold each byte.
    fn bytes(&self) -> HashMap<i64, Vec<Vec<i64>>> {
        let mut bytes: HashMap<i64, Vec<Vec<i64>>> = HashMap::new();
        for (index, at) in self.elements() {
            (at..at + self.itemsize).for_each(|byte| bytes.entry(byte).or_default().push(index.clone()));
        }
        bytes
    }
}

fn yes(is_so: bool) -> Overlap {
    if is_so { Overlap::Yes } else { Overlap::No }
}

fn check(a: &OwnedExtent, b: &OwnedExtent) {
    let (in_a, in_b) = (a.bytes(), b.bytes());
    let shared = in_a.keys().any(|byte| in_b.contains_key(byte));
    assert_eq!(share(&a.extent(), &b.extent()), yes(shared), "{a:?} {b:?}");
    assert_eq!(share(&b.extent(), &a.extent()), yes(shared), "{b:?} {a:?}");
    let other_element = |(byte, readers): (&i64, &Vec<Vec<i64>>)| {
        let writers = in_a.get(byte);
        writers.is_some_and(|w| w.iter().any(|w| readers.iter().any(|r| r != w || a.shape != b.shape)))
    };
    let is_danger = in_b.iter().any(other_element);
    let found = endangers(&a.extent(), &b.extent());
    assert!(found || !is_danger, "missed: {a:?} written, {b:?} read");
    if a.extent().is_same(&b.extent()) || !shared {
        assert_eq!(found, is_danger, "{a:?} written, {b:?} read");
    }
}

fn check_itself(a: &OwnedExtent) {
    let is_met_twice = a.bytes().values().any(|elements| elements.len() > 1);
    assert_eq!(overlaps_itself(&a.extent()), yes(is_met_twice), "{a:?}");
}

#[test]
fn one_axis_against_one_axis_is_decided_as_by_hand() {
    for itemsizes in [(1, 1), (2, 2), (3, 1), (4, 8), (16, 16)] {
        for (n, m) in [(0, 2), (1, 1), (1, 3), (2, 3), (4, 3)] {
            for (s, t) in (-6..7).flat_map(|s| (-6..7).map(move |t| (s * itemsizes.0, t * itemsizes.1 + 1 - s % 2))) {
                let array = |at: i64, extent, stride, itemsize| OwnedExtent {
                    first: BASE.wrapping_add_signed(at as isize),
                    shape: vec![extent],
                    strides: vec![stride],
                    itemsize,
                };
                for at in -9..10 {
                    check(&array(0, n, s, itemsizes.0), &array(at, m, t, itemsizes.1));
                }
            }
        }
    }
}

#[test]
fn random_arrays_of_up_to_three_axes_are_decided_as_by_hand() {
    let mut numbers = Numbers(7);
    for _ in 0..12_000 {
        let itemsize = numbers.pick(&[1, 2, 4, 8, 16]);
        let (a, other) = (random(&mut numbers, itemsize), numbers.pick(&[itemsize, itemsize, 1, 8]));
        let mut b = random(&mut numbers, other);
        if numbers.below(8) == 0 {
            b = a.clone();
        }
        check(&a, &b);
        check_itself(&a);
    }
}

/// Strides are mostly whole elements, some not; extents of 0 and 1 and strides of 0 are among them.
fn random(numbers: &mut Numbers, itemsize: i64) -> OwnedExtent {
    let rank = numbers.below(4);
    let is_odd = numbers.below(5) == 0;
    let unit = if is_odd { 1 } else { itemsize };
    let first = BASE + numbers.below(24) * unit as usize;
    let shape = (0..rank).map(|_| if numbers.below(12) == 0 { 0 } else { 1 + numbers.below(4) as i64 }).collect();
    let strides = (0..rank).map(|_| (numbers.below(25) as i64 - 12) * unit).collect();
    OwnedExtent { first, shape, strides, itemsize }
}

#[test]
fn views_of_large_arrays_need_little_work() {
    let n = 1 << 30;
    let halves = |first: usize| OwnedExtent { first, shape: vec![n], strides: vec![16], itemsize: 8 };
    assert_eq!(share_within(&halves(BASE).extent(), &halves(BASE + 8).extent(), 4), Overlap::No);
    assert_eq!(share_within(&halves(BASE).extent(), &halves(BASE + 64).extent(), 4), Overlap::Yes);
    let columns =
        |first: usize| OwnedExtent { first, shape: vec![1 << 20, 1 << 10], strides: vec![1 << 14, 8], itemsize: 8 };
    assert_eq!(share_within(&columns(BASE).extent(), &columns(BASE + 8192).extent(), 8), Overlap::No);
    assert_eq!(share_within(&columns(BASE).extent(), &columns(BASE + 8184).extent(), 8), Overlap::Yes);
    assert_eq!(overlaps_itself(&columns(BASE).extent()), Overlap::No);
}

#[test]
fn a_question_that_is_made_to_be_hard_ends_in_may() {
    // Fifteen unknowns of 0 or 1 with factors near one another: a knapsack.
    let strides: Vec<i64> = (0..15).map(|k| 2 * (1_000_000 + 7919 * k * k)).collect();
    let a = OwnedExtent { first: BASE, shape: vec![2; 15], strides: strides.clone(), itemsize: 1 };
    let b = OwnedExtent { first: BASE + 15_000_001, shape: vec![2; 15], strides, itemsize: 1 };
    assert_eq!(share(&a.extent(), &b.extent()), Overlap::No, "an odd distance, even steps");
    let b = OwnedExtent { first: BASE + 14_000_002, ..b };
    assert_eq!(share_within(&a.extent(), &b.extent(), 50), Overlap::May);
    assert!(endangers(&a.extent(), &b.extent()));
}

/// SplitMix64.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    fn pick(&mut self, of: &[i64]) -> i64 {
        of[self.below(of.len())]
    }
}
