//! Batches of matrices in memory, in the layouts that routines take, and the arithmetic that tests check their results with.

use numptx_abi::routine::{CONJUGATED, TRANSPOSED};
use numptx_abi::{Argument, dtype};
use numptx_runtime::Complex;

use crate::program::array_argument;
use crate::strided::{Random, Strided};

/// An element as this file computes.
pub type C = Complex<f64>;

/// An element of a matrix.
pub trait Number: Copy + 'static {
    const CODE: u8;
    const IS_COMPLEX: bool;
    const EPSILON: f64;
    type Real: Number;
    type OfComplex: Number;
    fn of(value: C) -> Self;
    fn value(self) -> C;
}

macro_rules! numbers {
    ($($float:ty, $code:ident, $complex:ident;)*) => {$(
        impl Number for $float {
            const CODE: u8 = dtype::$code;
            const IS_COMPLEX: bool = false;
            const EPSILON: f64 = <$float>::EPSILON as f64;
            type Real = $float;
            type OfComplex = Complex<$float>;
            fn of(value: C) -> $float {
                value.re as $float
            }
            fn value(self) -> C {
                C::new(self as f64, 0.0)
            }
        }

        impl Number for Complex<$float> {
            const CODE: u8 = dtype::$complex;
            const IS_COMPLEX: bool = true;
            const EPSILON: f64 = <$float>::EPSILON as f64;
            type Real = $float;
            type OfComplex = Complex<$float>;
            fn of(value: C) -> Complex<$float> {
                Complex::new(value.re as $float, value.im as $float)
            }
            fn value(self) -> C {
                C::new(self.re as f64, self.im as f64)
            }
        }
    )*};
}

numbers! {
    f32, FLOAT32, COMPLEX64;
    f64, FLOAT64, COMPLEX128;
}

/// A batch of matrices in memory, or of vectors of one column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    Columns,
    Rows,
    /// By columns with room between columns and between matrices.
    Loose,
}

/// A matrix as this file computes.
#[derive(Clone, Debug)]
pub struct Plain {
    pub rows: usize,
    pub columns: usize,
    pub elements: Vec<C>,
}

impl Plain {
    pub fn new(rows: usize, columns: usize, mut element: impl FnMut(usize, usize) -> C) -> Plain {
        let elements = (0..rows * columns).map(|n| element(n / columns, n % columns)).collect();
        Plain { rows, columns, elements }
    }

    pub fn at(&self, row: usize, column: usize) -> C {
        self.elements[row * self.columns + column]
    }

    pub fn times(&self, other: &Plain) -> Plain {
        assert_eq!(self.columns, other.rows);
        Plain::new(self.rows, other.columns, |i, j| (0..self.columns).map(|k| self.at(i, k) * other.at(k, j)).sum())
    }

    pub fn adjoint(&self) -> Plain {
        Plain::new(self.columns, self.rows, |i, j| self.at(j, i).conj())
    }

    pub fn turned(&self, flags: u32) -> Plain {
        match (flags & TRANSPOSED != 0, flags & CONJUGATED != 0) {
            (false, _) => self.clone(),
            (true, false) => Plain::new(self.columns, self.rows, |i, j| self.at(j, i)),
            (true, true) => self.adjoint(),
        }
    }

    pub fn is_near(&self, other: &Plain, bound: f64) -> bool {
        let size = other.elements.iter().map(|x| x.norm_sqr().sqrt()).fold(1.0, f64::max);
        (self.rows, self.columns) == (other.rows, other.columns)
            && self.elements.iter().zip(&other.elements).all(|(a, b)| (a - b).norm_sqr().sqrt() <= bound * size)
    }

    pub fn identity(n: usize) -> Plain {
        Plain::new(n, n, |i, j| C::new(f64::from(u8::from(i == j)), 0.0))
    }
}

pub fn random<T: Number>(rows: usize, columns: usize, random: &mut Random) -> Plain {
    Plain::new(rows, columns, |_, _| {
        let mut part = || random.below(2001) as f64 / 1000.0 - 1.0;
        let value = C::new(part(), part());
        if T::IS_COMPLEX { value } else { C::new(value.re, 0.0) }
    })
}

/// Matrices of a batch in memory.
pub struct Stack<T> {
    array: Strided<T>,
    rows: usize,
    columns: usize,
}

impl<T: Number> Stack<T> {
    pub fn of(batch: &[i64], matrices: &[Plain], layout: Layout) -> Stack<T> {
        let (rows, columns) = (matrices[0].rows, matrices[0].columns);
        let mut stack = Stack::empty(batch, rows, columns, layout);
        for (index, matrix) in matrices.iter().enumerate() {
            for i in 0..rows {
                for j in 0..columns {
                    let at = stack.place(index, i, j);
                    stack.array.storage[at] = T::of(matrix.at(i, j));
                }
            }
        }
        stack
    }

    pub fn empty(batch: &[i64], rows: usize, columns: usize, layout: Layout) -> Stack<T> {
        let (m, n) = (rows as i64, columns as i64);
        let (own, mut each) = match layout {
            Layout::Columns => ([1, m.max(1)], m * n),
            Layout::Rows => ([n.max(1), 1], m * n),
            Layout::Loose => ([1, m + 3], (m + 3) * n + 5),
        };
        let (mut strides, mut shape) = (vec![0; batch.len()], batch.to_vec());
        for axis in (0..batch.len()).rev() {
            strides[axis] = each;
            each *= batch[axis];
        }
        strides.extend(own);
        shape.extend([m, n]);
        let storage = vec![T::of(C::new(777.0, 0.0)); each.max(1) as usize];
        Stack { array: Strided { storage, offset: 0, shape, strides }, rows, columns }
    }

    fn place(&self, mut index: usize, row: usize, column: usize) -> usize {
        let n_batch = self.array.shape.len() - 2;
        let strides = &self.array.strides;
        let mut at = row as i64 * strides[n_batch] + column as i64 * strides[n_batch + 1];
        for axis in (0..n_batch).rev() {
            let extent = self.array.shape[axis] as usize;
            at += (index % extent) as i64 * strides[axis];
            index /= extent;
        }
        at as usize
    }

    pub fn get(&self, index: usize) -> Plain {
        Plain::new(self.rows, self.columns, |i, j| self.array.storage[self.place(index, i, j)].value())
    }

    pub fn argument(&mut self) -> Argument {
        array_argument(&mut self.array, T::CODE)
    }

    /// As vectors of one axis.
    pub fn vectors(&mut self) -> Argument {
        let mut given = self.argument();
        given.array.rank -= 1;
        given
    }
}

pub fn count(batch: &[i64]) -> usize {
    batch.iter().product::<i64>() as usize
}

/// Pivots are integers.
pub struct Pivots(pub Strided<i32>);

impl Pivots {
    pub fn new(batch: &[i64], n: usize) -> Pivots {
        let shape: Vec<i64> = batch.iter().copied().chain([n as i64]).collect();
        Pivots(Strided::contiguous(&shape, |_| 0))
    }

    pub fn argument(&mut self) -> Argument {
        array_argument(&mut self.0, dtype::INT32)
    }
}
