//! Arrays of tests: strides of any sign, and random ones of them.

/// A small generator of random numbers, the same in every run.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
}

/// An array over memory of its own; strides in elements.
#[derive(Clone, Debug)]
pub struct Strided<T> {
    pub storage: Vec<T>,
    pub offset: i64,
    pub shape: Vec<i64>,
    pub strides: Vec<i64>,
}

impl<T: Copy> Strided<T> {
    /// C-contiguous.
    pub fn contiguous(shape: &[i64], mut element: impl FnMut(usize) -> T) -> Strided<T> {
        let n: i64 = shape.iter().product();
        let mut strides = vec![0; shape.len()];
        let mut step = 1;
        for axis in (0..shape.len()).rev() {
            strides[axis] = step;
            step *= shape[axis];
        }
        Strided { storage: (0..n as usize).map(&mut element).collect(), offset: 0, shape: shape.to_vec(), strides }
    }

    /// Axes in random order in memory, with random steps of either sign.
    pub fn random(shape: &[i64], random: &mut Random, mut element: impl FnMut(usize) -> T) -> Strided<T> {
        let rank = shape.len();
        let mut order: Vec<usize> = (0..rank).collect();
        for i in (1..rank).rev() {
            order.swap(i, random.below(i as u64 + 1) as usize);
        }
        let plain = random.below(3) == 0;
        let (mut strides, mut offset, mut step) = (vec![0; rank], 0, 1i64);
        for axis in order {
            let gap = if plain { 1 } else { 1 + random.below(2) as i64 };
            let stride = step * gap;
            strides[axis] = stride;
            step = stride * shape[axis].max(1);
            if random.below(4) == 0 && shape[axis] > 0 {
                offset += stride * (shape[axis] - 1);
                strides[axis] = -stride;
            }
        }
        Strided { storage: (0..step as usize).map(&mut element).collect(), offset, shape: shape.to_vec(), strides }
    }

    /// Address of element `[0, …, 0]`.
    pub fn first(&mut self) -> *mut T {
        self.storage.as_mut_ptr().wrapping_offset(self.offset as isize)
    }

    /// The element at an index; axes of extent 1 are broadcast.
    pub fn at(&self, index: &[i64]) -> T {
        self.storage[self.position(index)]
    }

    /// Where the element at an index lies in the storage.
    pub fn position(&self, index: &[i64]) -> usize {
        let steps = index.iter().zip(&self.shape).zip(&self.strides);
        let offset: i64 = steps.map(|((i, e), s)| if *e == 1 { 0 } else { i * s }).sum();
        (self.offset + offset) as usize
    }

    /// All indices of a shape, in C order.
    pub fn indices(shape: &[i64]) -> impl Iterator<Item = Vec<i64>> {
        let n: i64 = shape.iter().product();
        let shape = shape.to_vec();
        (0..n).map(move |mut linear| {
            let mut index = vec![0; shape.len()];
            for axis in (0..shape.len()).rev() {
                index[axis] = linear % shape[axis];
                linear /= shape[axis];
            }
            index
        })
    }
}
