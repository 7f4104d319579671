//! Matrices of tests: random ones, laid out in memory in several ways, and how far they are apart.

use faer::Mat;
use faer::traits::ComplexField;
use faer::traits::ext::ComplexFieldExt;
use faer::{c32, c64};
use numptx_abi::{Matrix, MatrixOperand, dtype};

use crate::element::Element;
use crate::numptx_math_table;

/// An element with its code.
pub(super) trait Tested: Element {
    const DTYPE: u8;
    /// What elements of results may differ by, for each unit of size and extent.
    const BOUND: f64;

    fn of_parts(re: f64, im: f64) -> Self;
}

macro_rules! tested {
    ($type: ty, $code: path, $bound: expr, |$re: ident, $im: ident| $make: expr) => {
        impl Tested for $type {
            const DTYPE: u8 = $code;
            const BOUND: f64 = $bound;

            fn of_parts($re: f64, $im: f64) -> Self {
                $make
            }
        }
    };
}

tested!(f32, dtype::FLOAT32, 2e-6, |re, _im| re as f32);
tested!(f64, dtype::FLOAT64, 5e-15, |re, _im| re);
tested!(c32, dtype::COMPLEX64, 2e-6, |re, im| c32::new(re as f32, im as f32));
tested!(c64, dtype::COMPLEX128, 5e-15, |re, im| c64::new(re, im));

/// Runs a generic test for all dtypes.
macro_rules! of_all_dtypes {
    ($($name: ident),* $(,)?) => {
        $(
            mod $name {
                #[test]
                fn float32() {
                    super::$name::<f32>();
                }

                #[test]
                fn float64() {
                    super::$name::<f64>();
                }

                #[test]
                fn complex64() {
                    super::$name::<faer::c32>();
                }

                #[test]
                fn complex128() {
                    super::$name::<faer::c64>();
                }
            }
        )*
    };
}

pub(super) use of_all_dtypes;

/// How a matrix lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Layout {
    Columns,
    Rows,
    /// From the end, every second row and every third column.
    Apart,
}

pub(super) const LAYOUTS: [Layout; 3] = [Layout::Columns, Layout::Rows, Layout::Apart];

/// Sides at, and around, those where methods change.
pub(super) const SIDES: [usize; 10] = [0, 1, 2, 3, 8, 16, 17, 33, 70, 131];

/// Tall, wide and empty ones, and the squares.
pub(super) fn shapes() -> Vec<(usize, usize)> {
    let mut shapes: Vec<_> = SIDES.iter().map(|&n| (n, n)).collect();
    shapes.extend([(0, 3), (3, 0), (1, 5), (5, 1), (7, 3), (3, 7), (90, 40), (40, 90), (150, 20), (20, 150), (65, 60)]);
    shapes
}

/// Elements in memory, and where they lie.
pub(super) struct Laid<T> {
    elements: Vec<T>,
    pub(super) operand: MatrixOperand,
}

impl<T: Copy> Laid<T> {
    fn new(rows: usize, columns: usize, layout: Layout, fill: T) -> Laid<T> {
        let (m, n) = (rows as i64, columns as i64);
        let (first, row, column) = match layout {
            Layout::Columns => (0, 1, m.max(1)),
            Layout::Rows => (0, n.max(1), 1),
            Layout::Apart => (6 * (m * n).max(1) - 1, -2, -6 * m.max(1)),
        };
        let mut elements = vec![fill; 6 * (rows * columns).max(1)];
        let first = elements.as_mut_ptr().wrapping_add(first as usize).cast();
        Laid { elements, operand: MatrixOperand { matrix: Matrix { first, row, column }, rows: m, columns: n } }
    }

    fn at(&mut self, i: usize, j: usize) -> &mut T {
        let there = &self.operand.matrix;
        let from = there.first.addr().wrapping_sub(self.elements.as_ptr().addr()) / size_of::<T>();
        let offset = i as i64 * there.row + j as i64 * there.column;
        &mut self.elements[(from as i64 + offset) as usize]
    }

    pub(super) fn vector(n: usize, fill: T) -> Laid<T> {
        Laid::new(n, 1, Layout::Apart, fill)
    }

    pub(super) fn elements(&mut self) -> Vec<T> {
        (0..self.operand.rows as usize).map(|i| *self.at(i, 0)).collect()
    }
}

impl<T: ComplexField + Copy> Laid<T> {
    pub(super) fn of(a: &Mat<T>, layout: Layout) -> Laid<T> {
        let mut laid = Laid::new(a.nrows(), a.ncols(), layout, T::zero());
        for j in 0..a.ncols() {
            for i in 0..a.nrows() {
                *laid.at(i, j) = a[(i, j)];
            }
        }
        laid
    }

    pub(super) fn mat(&mut self) -> Mat<T> {
        Mat::from_fn(self.operand.rows as usize, self.operand.columns as usize, |i, j| *self.at(i, j))
    }
}

/// Calls a routine of the table.
pub(super) fn call<T: Tested>(routine: u32, flags: u32, operands: &[MatrixOperand]) -> i64 {
    // SAFETY: the table lives forever, and the operands are the routine's.
    unsafe {
        let table = &*numptx_math_table();
        (table.routine)(routine, flags, T::DTYPE, operands.as_ptr(), operands.len() as u32)
    }
}

/// Numbers between -1 and 1, the same ones each time (xorshift).
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new() -> Random {
        Random(0x9E37_79B9_7F4A_7C15)
    }

    pub(super) fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub(super) fn mat<T: Tested>(&mut self, rows: usize, columns: usize) -> Mat<T> {
        Mat::from_fn(rows, columns, |_, _| T::of_parts(self.next(), self.next()))
    }
}

pub(super) fn identity<T: Tested>(rows: usize, columns: usize) -> Mat<T> {
    Mat::from_fn(rows, columns, |i, j| if i == j { T::one() } else { T::zero() })
}

/// A part of a matrix: where the predicate holds; the rest is 0.
pub(super) fn part<T: Tested>(a: &Mat<T>, holds: impl Fn(usize, usize) -> bool) -> Mat<T> {
    Mat::from_fn(a.nrows(), a.ncols(), |i, j| if holds(i, j) { a[(i, j)] } else { T::zero() })
}

/// Fails where the matrices differ by more than rounding of sums as long as their sides and `scale` explains.
#[track_caller]
pub(super) fn assert_close<T: Tested>(found: &Mat<T>, expected: &Mat<T>, scale: f64) {
    assert_eq!(found.shape(), expected.shape());
    let bound = T::BOUND * scale.max(1.0) * (10 + found.nrows() + found.ncols()) as f64;
    for j in 0..found.ncols() {
        for i in 0..found.nrows() {
            let apart = found[(i, j)] - expected[(i, j)];
            let within = apart.abs1() <= T::of_parts(bound, 0.0).real();
            assert!(within, "[{i}, {j}] of {:?}: {:?}, {:?}", found.shape(), found[(i, j)], expected[(i, j)]);
        }
    }
}
