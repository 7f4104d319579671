//! The runtime's own kernels of products, run by the mock driver instruction by instruction: tiles and their edges, all ways to read the factors, batches,
//! sums in parts. Numbers are small integers, so that every order of sums gives the same.

use numptx_runtime::tiled::{Along, Element, PARAMETERS, Reach, Shape, Tiled, Unit};

use crate::own_kernels::{self, Grid, allocate, enter, free};
use crate::program::alone;

const MATRICES: Unit = Unit::Matrices { rows: 8, summed: 4 };
/// Bytes of the result that nobody writes.
const UNTOUCHED: u8 = 0x5A;

/// Runs a kernel; returns the driver's code.
fn launch(tiled: &Tiled, blocks: (u32, u32), values: &mut [u64]) -> i32 {
    let grid = Grid { blocks, threads: tiled.shape.threads(), bytes: tiled.shared_bytes() };
    own_kernels::launch(tiled.text(), Tiled::ENTRY, &grid, values)
}

/// A stack of matrices: extents, and elements from one index to the next, batch first.
#[derive(Clone, Copy, Debug)]
struct Stack {
    extents: [usize; 3],
    steps: [i64; 3],
}

impl Stack {
    /// Its lines follow each other with so many elements between them; `turned`: lines are columns.
    fn lines(extents: [usize; 3], turned: bool, gap: usize) -> Stack {
        let [_, rows, columns] = extents.map(|n| n as i64);
        let gap = gap as i64;
        let steps = match turned {
            false => [rows * (columns + gap), columns + gap, 1],
            true => [columns * (rows + gap), 1, rows + gap],
        };
        Stack { extents, steps }
    }

    /// Rows and columns the other way round.
    fn reversed(self) -> Stack {
        Stack { steps: [self.steps[0], -self.steps[1], -self.steps[2]], ..self }
    }

    /// Elements from the first in memory to the first of the first matrix, and elements of memory.
    fn span(&self) -> (usize, usize) {
        let ends = self.extents.iter().zip(self.steps).map(|(n, step)| (*n as i64 - 1) * step);
        let before: i64 = ends.clone().map(|end| (-end).max(0)).sum();
        (before as usize, (before + ends.map(|end| end.max(0)).sum::<i64>()) as usize + 1)
    }

    fn at(&self, index: [usize; 3]) -> usize {
        let offset: i64 = index.iter().zip(self.steps).map(|(i, step)| *i as i64 * step).sum();
        (self.span().0 as i64 + offset) as usize
    }

    fn indices(&self) -> impl Iterator<Item = [usize; 3]> + use<> {
        let [n, rows, columns] = self.extents;
        (0..n).flat_map(move |b| (0..rows).flat_map(move |i| (0..columns).map(move |j| [b, i, j])))
    }

    fn filled(&self, element: Element, value: impl Fn([usize; 3]) -> [i64; 2]) -> *mut u8 {
        let itemsize = element.bytes() as usize;
        let memory = allocate(self.span().1 * itemsize);
        // SAFETY: the memory has as many bytes.
        unsafe { memory.write_bytes(UNTOUCHED, self.span().1 * itemsize) };
        for index in self.indices() {
            let bytes = encoded(element, value(index));
            // SAFETY: the element lies in the memory.
            unsafe { memory.add(self.at(index) * itemsize).copy_from(bytes.as_ptr(), itemsize) };
        }
        memory
    }
}

/// The bytes of a number, of which the second part counts where it is complex.
fn encoded(element: Element, [real, imaginary]: [i64; 2]) -> Vec<u8> {
    match element {
        Element::Float32 => (real as f32).to_le_bytes().to_vec(),
        Element::Float64 => (real as f64).to_le_bytes().to_vec(),
        Element::Complex64 => [real as f32, imaginary as f32].iter().flat_map(|x| x.to_le_bytes()).collect(),
        Element::Complex128 => [real as f64, imaginary as f64].iter().flat_map(|x| x.to_le_bytes()).collect(),
        Element::Int32 => (real as i32).to_le_bytes().to_vec(),
        Element::Int64 => real.to_le_bytes().to_vec(),
    }
}

fn value_of_a([b, i, k]: [usize; 3]) -> [i64; 2] {
    [(7 * i + 3 * k + b) as i64 % 11 - 5, (i + 5 * k + 2 * b) as i64 % 7 - 3]
}

fn value_of_b([b, k, j]: [usize; 3]) -> [i64; 2] {
    [(5 * j + 2 * k + 3 * b) as i64 % 13 - 6, (3 * j + k + b) as i64 % 5 - 2]
}

fn product(element: Element, summed: std::ops::Range<usize>, [b, i, j]: [usize; 3]) -> [i64; 2] {
    let is_complex = matches!(element, Element::Complex64 | Element::Complex128);
    summed.fold([0, 0], |[real, imaginary], k| {
        let ([a, c], [d, e]) = (value_of_a([b, i, k]), value_of_b([b, k, j]));
        if is_complex { [real + a * d - c * e, imaginary + a * e + c * d] } else { [real + a * d, 0] }
    })
}

/// A product of stacks by a kernel: the sum in parts of so many elements, the results of which follow each other.
fn check(tiled: &Tiled, [a, b, c]: [Stack; 3], part: usize) {
    let element = tiled.element;
    let ([batch, rows, columns], summed) = (c.extents, a.extents[2]);
    let (itemsize, parts) = (element.bytes() as usize, summed.div_ceil(part).max(1));
    let (of_a, of_b) = (a.filled(element, value_of_a), b.filled(element, value_of_b));
    let bytes = c.span().1 * itemsize;
    let of_c = allocate(bytes * parts);
    // SAFETY: the memory has as many bytes.
    unsafe { of_c.write_bytes(UNTOUCHED, bytes * parts) };
    let (height, width) = tiled.shape.tile();
    let (down, across) = (rows.div_ceil(height as usize), columns.div_ceil(width as usize));
    let first = |memory: *mut u8, stack: &Stack| (memory.expose_provenance() + stack.span().0 * itemsize) as u64;
    let step = |stack: &Stack, axis: usize| (stack.steps[axis] * itemsize as i64).cast_unsigned();
    let mut values = [
        first(of_a, &a),
        first(of_b, &b),
        first(of_c, &c),
        rows as u64,
        columns as u64,
        summed as u64,
        part as u64,
        step(&a, 1),
        step(&a, 2),
        step(&a, 0),
        step(&b, 2),
        step(&b, 1),
        step(&b, 0),
        step(&c, 1),
        step(&c, 2),
        step(&c, 0),
        bytes as u64,
        down as u64,
        across as u64,
    ];
    assert_eq!(values.len(), PARAMETERS.len());
    let grid = ((batch * down * across) as u32, parts as u32);
    assert_eq!(launch(tiled, grid, &mut values), 0, "{tiled:?} {a:?} {b:?} {c:?}");
    let mut wanted = vec![UNTOUCHED; bytes * parts];
    for n in 0..parts {
        let summed = n * part..summed.min((n + 1) * part);
        for index in c.indices() {
            let at = bytes * n + c.at(index) * itemsize;
            wanted[at..at + itemsize].copy_from_slice(&encoded(element, product(element, summed.clone(), index)));
        }
    }
    // SAFETY: the memory has as many bytes.
    let found = unsafe { std::slice::from_raw_parts(of_c, wanted.len()) };
    let wrong = found.iter().zip(&wanted).position(|(a, b)| a != b);
    assert_eq!(wrong.map(|at| at / itemsize), None, "{tiled:?} {a:?} {b:?} {c:?} {part}");
    [of_a, of_b, of_c].into_iter().for_each(free);
}

fn kernel(element: Element, shape: Shape, along: [Along; 2], copied: u32, written: u32) -> Tiled {
    Tiled { element, shape, factors: along.map(|along| Reach { along, copied }), written }
}

/// A small tile of two warps, and how many elements 16 bytes have.
fn small(element: Element) -> (Shape, u32) {
    let (unit, warp) = match element {
        Element::Float64 | Element::Complex128 => (MATRICES, (16, 8)),
        Element::Float32 | Element::Int32 => (Unit::Lanes, (16, 32)),
        Element::Complex64 | Element::Int64 => (Unit::Lanes, (8, 16)),
    };
    (Shape { unit, warp, warps: (1, 2), summed: 8, stages: 3, blocks: 1 }, 16 / element.bytes())
}

const ELEMENTS: [Element; 6] =
    [Element::Float32, Element::Float64, Element::Complex64, Element::Complex128, Element::Int32, Element::Int64];
const ALONG: [Along; 2] = [Along::Summed, Along::Kept];

/// Factors that lie so, and a result by rows; lines have so many elements between them.
fn stacks([batch, rows, columns, summed]: [usize; 4], along: [Along; 2], gap: usize) -> [Stack; 3] {
    [
        Stack::lines([batch, rows, summed], along[0] == Along::Kept, gap),
        Stack::lines([batch, summed, columns], along[1] == Along::Summed, gap),
        Stack::lines([batch, rows, columns], false, gap),
    ]
}

#[test]
fn tiles_and_their_edges_are_whole() {
    let _turn = alone();
    enter();
    for element in ELEMENTS {
        let (shape, _) = small(element);
        let (height, width) = shape.tile();
        let (rows, columns) = (height as usize, width as usize);
        for along in ALONG.iter().flat_map(|a| ALONG.map(|b| [*a, b])) {
            let tiled = kernel(element, shape, along, 1, 1);
            for extents in
                [[1, rows, columns, 8], [2, 2 * rows + 3, columns + 5, 29], [3, 1, 1, 1], [1, 9 * rows, 1, 3]]
            {
                let [a, b, c] = stacks(extents, along, 1);
                check(&tiled, [a, b, c], extents[3]);
                check(&tiled, [a.reversed(), b.reversed(), c.reversed()], 11);
            }
        }
    }
}

#[test]
fn vectors_are_cut_where_matrices_end() {
    let _turn = alone();
    enter();
    for element in ELEMENTS {
        let (shape, vector) = small(element);
        let (height, width) = shape.tile();
        let (rows, columns, gap) = (height as usize + 3, width as usize + 5, vector as usize);
        for along in ALONG.iter().flat_map(|a| ALONG.map(|b| [*a, b])) {
            let written = if shape.unit == Unit::Lanes && along[1] == Along::Summed { 1 } else { vector };
            for (batch, summed) in [(1, 16), (2, 21)] {
                // Lines begin at vectors: there is room behind them.
                let gap = |length: usize| length.next_multiple_of(gap) - length;
                let line = |extents: [usize; 3], turned: bool| {
                    Stack::lines(extents, turned, gap(if turned { extents[1] } else { extents[2] }))
                };
                let a = line([batch, rows, summed], along[0] == Along::Kept);
                let b = line([batch, summed, columns], along[1] == Along::Summed);
                let whole = columns.next_multiple_of(vector as usize);
                check(&kernel(element, shape, along, vector, 1), [a, b, line([batch, rows, columns], false)], summed);
                let b = line([batch, summed, whole], along[1] == Along::Summed);
                let c = line([batch, rows, whole], false);
                check(&kernel(element, shape, along, vector, written), [a, b, c], 8);
            }
        }
    }
}

#[test]
fn larger_matrices_of_tensor_cores_hold_what_small_ones_do() {
    let _turn = alone();
    enter();
    for element in [Element::Float64, Element::Complex128] {
        for summed in [4, 8, 16] {
            let unit = Unit::Matrices { rows: 16, summed };
            let shape = Shape { unit, warp: (32, 16), warps: (2, 1), summed: 16, stages: 2, blocks: 1 };
            let along = [Along::Summed, Along::Kept];
            let tiled = kernel(element, shape, along, 1, 1);
            check(&tiled, stacks([1, 70, 20, 37], along, 0), 37);
        }
    }
}

#[test]
fn integers_wrap() {
    let _turn = alone();
    enter();
    for (element, most) in [(Element::Int32, i64::from(i32::MAX)), (Element::Int64, i64::MAX)] {
        let along = [Along::Summed, Along::Kept];
        let tiled = kernel(element, small(element).0, along, 1, 1);
        let [a, b, c] = stacks([1, 1, 1, 3], along, 0);
        let memory =
            [a.filled(element, |_| [most, 0]), b.filled(element, |_| [most - 1, 0]), c.filled(element, |_| [0, 0])];
        let address = memory.map(|memory| memory.expose_provenance() as u64);
        let itemsize = u64::from(element.bytes());
        let mut values = [0; PARAMETERS.len()];
        values[..3].copy_from_slice(&address);
        values[3..7].copy_from_slice(&[1, 1, 3, 3]);
        (values[8], values[11], values[17], values[18]) = (itemsize, itemsize, 1, 1);
        assert_eq!(launch(&tiled, (1, 1), &mut values), 0);
        let wanted = encoded(element, [most.wrapping_mul(most - 1).wrapping_mul(3), 0]);
        // SAFETY: the result has one element.
        assert_eq!(unsafe { std::slice::from_raw_parts(memory[2], wanted.len()) }, wanted);
        memory.into_iter().for_each(free);
    }
}
