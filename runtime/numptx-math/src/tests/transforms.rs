//! Transforms, against sums by their definition.

use std::f64::consts::TAU;

use faer::complex::Complex;
use faer::{c32, c64};
use numptx_abi::routine::{FFT, INVERSE, IRFFT, RFFT};
use numptx_abi::{Rows, Transform, dtype, error_kind};

use super::layout::{Random, Tested};
use crate::numptx_math_table;

/// Elements from one to the next along a row, and from one row to the next, of so many rows of a length.
type Strides = fn(i64, i64) -> (i64, i64);

const STRIDES: [Strides; 3] =
    [|_, length| (1, length), |count, _| (count, 1), |count, length| (-2, -2 * length - count)];

/// 1, powers, products of small primes, and primes that need other methods.
const LENGTHS: [usize; 14] = [1, 2, 3, 4, 5, 7, 8, 12, 30, 64, 97, 100, 101, 257];

/// Rows in memory.
struct Laid<T> {
    elements: Vec<T>,
    rows: Rows,
}

impl<T: Copy> Laid<T> {
    fn of(values: &[Vec<T>], strides: Strides, fill: T) -> Laid<T> {
        let (count, length) = (values.len() as i64, values[0].len() as i64);
        let (step, each) = strides(count, length);
        let room = ((length - 1) * step.abs() + (count - 1) * each.abs() + 1) as usize;
        let mut elements = vec![fill; room];
        let from = if step < 0 { room - 1 } else { 0 };
        let first = elements.as_mut_ptr().wrapping_add(from).cast();
        let mut laid = Laid { elements, rows: Rows { first, step, each } };
        for (row, values) in values.iter().enumerate() {
            for (k, &value) in values.iter().enumerate() {
                *laid.at(row, k) = value;
            }
        }
        laid
    }

    fn at(&mut self, row: usize, k: usize) -> &mut T {
        let from = if self.rows.step < 0 { self.elements.len() as i64 - 1 } else { 0 };
        &mut self.elements[(from + row as i64 * self.rows.each + k as i64 * self.rows.step) as usize]
    }
}

fn call(routine: u32, flags: u32, dtype: u8, length: usize, count: usize, input: Rows, output: Rows) -> i32 {
    let asked = Transform { routine, flags, dtype, length: length as i64, count: count as i64, input, output };
    // SAFETY: the table lives forever, and the rows are as they are described.
    unsafe { ((*numptx_math_table()).transform)(&asked) }
}

fn by_definition(row: &[c64], sign: f64) -> Vec<c64> {
    let n = row.len();
    let at = |k: usize| {
        row.iter().enumerate().fold(c64::new(0.0, 0.0), |sum, (j, &x)| {
            sum + x * c64::from_polar(1.0, sign * TAU * ((j * k) % n) as f64 / n as f64)
        })
    };
    (0..n).map(at).collect()
}

/// A complex element, and its real type.
trait Transformed: Tested {
    type Part: Tested;

    fn wide(self) -> c64;
    fn wide_real(real: Self::Part) -> f64;
}

macro_rules! transformed {
    ($complex: ty, $real: ty) => {
        impl Transformed for $complex {
            type Part = $real;

            fn wide(self) -> c64 {
                Complex::new(f64::from(self.re), f64::from(self.im))
            }

            fn wide_real(real: $real) -> f64 {
                f64::from(real)
            }
        }
    };
}

transformed!(c32, f32);
transformed!(c64, f64);

fn random_rows<T: Tested>(count: usize, length: usize) -> Vec<Vec<T>> {
    let mut random = Random::new();
    (0..count).map(|_| (0..length).map(|_| T::of_parts(random.next(), random.next())).collect()).collect()
}

#[track_caller]
fn assert_near<T: Tested>(found: c64, expected: c64, length: usize) {
    let bound = T::BOUND * (4 + length) as f64;
    assert!((found - expected).norm() <= bound, "{length}: {found}, {expected}");
}

fn complex_rows_are_transformed<T: Transformed>() {
    for length in LENGTHS {
        for count in [1, 5] {
            let values = random_rows::<T>(count, length);
            for (strides, others) in STRIDES.into_iter().zip(STRIDES.into_iter().cycle().skip(1)) {
                for (flags, sign) in [(0, -1.0), (INVERSE, 1.0)] {
                    let input = Laid::of(&values, strides, T::of_parts(0.0, 0.0));
                    let zeros = vec![vec![T::of_parts(0.0, 0.0); length]; count];
                    let mut apart = Laid::of(&zeros, others, T::of_parts(0.0, 0.0));
                    let mut alike = Laid::of(&zeros, strides, T::of_parts(0.0, 0.0));
                    let mut in_place = Laid::of(&values, strides, T::of_parts(0.0, 0.0));
                    for (input, output) in
                        [(input.rows, apart.rows), (input.rows, alike.rows), (in_place.rows, in_place.rows)]
                    {
                        assert_eq!(call(FFT, flags, T::DTYPE, length, count, input, output), error_kind::OK);
                    }
                    for (row, values) in values.iter().enumerate() {
                        let wide: Vec<_> = values.iter().map(|&x| x.wide()).collect();
                        for (k, expected) in by_definition(&wide, sign).into_iter().enumerate() {
                            assert_near::<T>(apart.at(row, k).wide(), expected, length);
                            assert_near::<T>(alike.at(row, k).wide(), expected, length);
                            assert_near::<T>(in_place.at(row, k).wide(), expected, length);
                        }
                    }
                }
            }
        }
    }
}

fn real_rows_are_transformed_and_back<T: Transformed>() {
    let (none, nothing) = (T::of_parts(0.0, 0.0), T::Part::of_parts(0.0, 0.0));
    for length in LENGTHS {
        let (half, count) = (length / 2 + 1, 5);
        let values = random_rows::<T::Part>(count, length);
        for (strides, others) in STRIDES.into_iter().zip(STRIDES.into_iter().cycle().skip(1)) {
            let mut input = Laid::of(&values, strides, nothing);
            let mut halves = Laid::of(&vec![vec![none; half]; count], others, none);
            assert_eq!(call(RFFT, 0, T::DTYPE, length, count, input.rows, halves.rows), error_kind::OK);
            for (row, values) in values.iter().enumerate() {
                let wide: Vec<_> = values.iter().map(|&x| Complex::new(T::wide_real(x), 0.0)).collect();
                for (k, expected) in by_definition(&wide, -1.0).into_iter().enumerate().take(half) {
                    assert_near::<T>(halves.at(row, k).wide(), expected, length);
                }
                // What is not read.
                *halves.at(row, 0) = T::of_parts(halves.at(row, 0).wide().re, 7.0);
                if length.is_multiple_of(2) {
                    *halves.at(row, half - 1) = T::of_parts(halves.at(row, half - 1).wide().re, f64::NAN);
                }
            }
            let mut back = Laid::of(&vec![vec![nothing; length]; count], strides, nothing);
            assert_eq!(call(IRFFT, INVERSE, T::DTYPE, length, count, halves.rows, back.rows), error_kind::OK);
            for (row, values) in values.iter().enumerate() {
                for (k, &value) in values.iter().enumerate() {
                    assert_eq!(*input.at(row, k), value, "the input is as it was");
                    let (found, value) = (T::wide_real(*back.at(row, k)), T::wide_real(value));
                    assert_near::<T>(Complex::new(found / length as f64, 0.0), Complex::new(value, 0.0), 1);
                }
            }
        }
    }
}

#[test]
fn complex64_rows_are_transformed() {
    complex_rows_are_transformed::<c32>();
}

#[test]
fn complex128_rows_are_transformed() {
    complex_rows_are_transformed::<c64>();
}

#[test]
fn float32_rows_are_transformed_and_back() {
    real_rows_are_transformed_and_back::<c32>();
}

#[test]
fn float64_rows_are_transformed_and_back() {
    real_rows_are_transformed_and_back::<c64>();
}

#[test]
fn nan_reaches_the_whole_row_and_no_other() {
    let mut values = random_rows::<c64>(3, 101);
    values[1][7] = c64::new(f64::NAN, 0.0);
    let mut rows = Laid::of(&values, STRIDES[0], c64::new(0.0, 0.0));
    assert_eq!(call(FFT, 0, dtype::COMPLEX128, 101, 3, rows.rows, rows.rows), error_kind::OK);
    for k in 0..101 {
        assert!(rows.at(1, k).is_nan() && !rows.at(0, k).is_nan() && !rows.at(2, k).is_nan());
    }
}

#[test]
fn threads_share_plans() {
    std::thread::scope(|scope| {
        for thread in 0..8 {
            scope.spawn(move || {
                for length in (1..80).map(|k| k * (thread % 2 + 1)) {
                    let values = vec![vec![c64::new(1.0, 0.0); length]];
                    let mut rows = Laid::of(&values, STRIDES[0], c64::new(0.0, 0.0));
                    assert_eq!(call(FFT, 0, dtype::COMPLEX128, length, 1, rows.rows, rows.rows), error_kind::OK);
                    assert_near::<c64>(*rows.at(0, 0), c64::new(length as f64, 0.0), length);
                }
            });
        }
    });
}

#[test]
fn what_is_no_transform_is_refused() {
    let rows = Laid::of(&[vec![c64::new(1.0, 0.0)]], STRIDES[0], c64::new(0.0, 0.0)).rows;
    assert_eq!(call(FFT, 0, dtype::FLOAT64, 1, 1, rows, rows), error_kind::RUNTIME);
    assert_eq!(call(FFT, 0, dtype::COMPLEX128, 0, 1, rows, rows), error_kind::RUNTIME);
    assert_eq!(call(0, 0, dtype::COMPLEX128, 1, 1, rows, rows), error_kind::RUNTIME);
}
