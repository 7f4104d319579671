//! Routines on the mock device, by its stand-ins of NVIDIA's libraries: results are what they have to satisfy, whatever the matrices' layout, and each is
//! computed by the function that is meant for it.

use numptx_abi::routine::{self, CONJUGATED, LOWER, TRANSPOSED, UNIT};
use numptx_abi::{Argument, Call, Overload, Status, Value, dtype};
use numptx_runtime::Complex;

use crate::program::{alone, call, counts, float_argument, mock_symbol, on, overload, table, values};
use crate::stacks::{C, Layout, Number, Pivots, Plain, Stack, count, random};
use crate::strided::Random;

/// Runs a routine: its code and flags are the first argument, its arrays the others.
unsafe extern "C" fn run_routine(call: *mut Call, arguments: *const Value, results: *mut Value) -> Status {
    let asked = values(arguments, 1)[0].bits[0];
    let (code, flags) = (asked as u32, (asked >> 32) as u32);
    let n = routine::operands(code).0;
    let arrays: Vec<_> = values(arguments, 1 + n)[1..].iter().map(|value| value.array).collect();
    let mut answer = 0;
    // SAFETY: a compiled entry's call.
    unsafe {
        let status = (table().routine)(call, code, flags, arrays.as_ptr(), n as u32, &mut answer);
        (*results).kind = Value::SCALAR;
        (*results).dtype = u32::from(dtype::INT64);
        (*results).bits = [answer as u64, 0];
        status
    }
}

/// A call of a routine: the overload and its arguments.
pub fn asked(code: u32, flags: u32, arrays: &[Argument]) -> (Overload, Vec<Argument>) {
    let (n, n_written) = routine::operands(code);
    assert_eq!(arrays.len(), n);
    let mut asked = float_argument(0.0);
    (asked.dtype, asked.bits) = (u32::from(dtype::INT64), [u64::from(code) | u64::from(flags) << 32, 0]);
    let written = ((1 << n_written) - 1) << 1;
    (overload(run_routine, n as u32 + 1, 1, written), std::iter::once(asked).chain(arrays.iter().copied()).collect())
}

/// What a routine answers on the mock device, which finds nothing wrong, and the calls of libraries that it made.
pub fn run(code: u32, flags: u32, arrays: &[Argument]) -> (i64, Vec<String>) {
    let (overload, arguments) = asked(code, flags, arrays);
    let log = |on: i32| {
        // SAFETY: the function has this type.
        unsafe { std::mem::transmute::<*mut std::ffi::c_void, extern "C" fn(i32)>(mock_symbol(c"numptx_mock_log"))(on) }
    };
    log(1);
    let before = counts().violations;
    let found = call(&overload, &arguments, &on(0));
    let calls = logged();
    log(0);
    let answer = found.unwrap_or_else(|error| panic!("routine {}: {error}", routine::NAMES[code as usize]))[0].bits[0];
    assert_eq!(counts().violations, before, "routine {}: {calls:?}", routine::NAMES[code as usize]);
    (answer.cast_signed(), calls)
}

fn logged() -> Vec<String> {
    let mut text = vec![0u8; 1 << 20];
    // SAFETY: the function has this type, and there is room.
    unsafe {
        let read: unsafe extern "C" fn(*mut u8, usize) -> usize =
            std::mem::transmute(mock_symbol(c"numptx_mock_read_log"));
        assert!(read(text.as_mut_ptr(), text.len()) <= text.len());
    }
    let text = std::ffi::CStr::from_bytes_until_nul(&text).expect("it ends").to_str().expect("names");
    let is_library =
        |call: &&str| call.starts_with("cublas") || call.starts_with("cusolver") || call.starts_with("cufft");
    let is_set_up = |call: &&str| ["Set", "Create", "MakePlan", "Destroy"].iter().any(|word| call.contains(word));
    text.lines().filter(is_library).filter(|call| !is_set_up(call)).map(str::to_owned).collect()
}

const BATCHES: [&[i64]; 3] = [&[], &[3], &[2, 3]];
/// Orders below and above the bounds of what libraries do many at once.
const ORDERS: [usize; 3] = [1, 4, 33];
const LARGE: usize = 130;

/// Runs a test for all dtypes, batches, orders and two layouts.
macro_rules! for_all {
    ($test:ident, $layouts:expr) => {
        let _turn = alone();
        for batch in BATCHES {
            for n in ORDERS {
                for layout in $layouts {
                    $test::<f32>(batch, n, layout);
                    $test::<f64>(batch, n, layout);
                    $test::<Complex<f32>>(batch, n, layout);
                    $test::<Complex<f64>>(batch, n, layout);
                }
            }
        }
        $test::<f64>(&[2], LARGE, Layout::Columns);
    };
}

/// A bound of errors for matrices of this order.
fn bound<T: Number>(n: usize) -> f64 {
    T::EPSILON * 100.0 * (n as f64 + 4.0)
}

fn solved<T: Number>(batch: &[i64], n: usize, layout: Layout) {
    let mut random_numbers = Random(17);
    let shifted = |a: Plain| Plain::new(n, n, |i, j| a.at(i, j) + if i == j { n as f64 } else { 0.0 });
    let matrices: Vec<Plain> = (0..count(batch)).map(|_| shifted(random::<T>(n, n, &mut random_numbers))).collect();
    let sides: Vec<Plain> = (0..count(batch)).map(|_| random::<T>(n, 3, &mut random_numbers)).collect();
    let (mut a, mut b) = (Stack::<T>::of(batch, &matrices, layout), Stack::<T>::of(batch, &sides, layout));
    let (answer, calls) = run(routine::SOLVE, 0, &[a.argument(), b.argument()]);
    assert_eq!(answer, 0);
    let is_batched = count(batch) > 1 && n <= 128;
    assert!(
        calls.iter().all(|call| call.starts_with(if is_batched { "cublasGet" } else { "cusolverDnGet" })),
        "{calls:?}"
    );
    assert_eq!(calls.len(), if is_batched { 2 } else { 2 * count(batch) });
    for (index, (matrix, side)) in matrices.iter().zip(&sides).enumerate() {
        assert!(matrix.times(&b.get(index)).is_near(side, bound::<T>(n)));
    }
    // The same by factors.
    let (mut a, mut pivots) = (Stack::<T>::of(batch, &matrices, layout), Pivots::new(batch, n));
    assert_eq!(run(routine::LU, 0, &[a.argument(), pivots.argument()]).0, 0);
    for flags in [0, TRANSPOSED, TRANSPOSED | CONJUGATED] {
        let mut b = Stack::<T>::of(batch, &sides, layout);
        let (_, calls) = run(routine::LU_SOLVE, flags, &[b.argument(), a.argument(), pivots.argument()]);
        assert_eq!(calls.len(), if is_batched { 1 } else { count(batch) });
        for (index, (matrix, side)) in matrices.iter().zip(&sides).enumerate() {
            assert!(matrix.turned(flags).times(&b.get(index)).is_near(side, bound::<T>(n)));
        }
    }
}

#[test]
fn equations_are_solved_by_factors() {
    for_all!(solved, [Layout::Columns, Layout::Loose]);
}

fn divided<T: Number>(batch: &[i64], n: usize, layout: Layout) {
    let mut random_numbers = Random(23);
    let shifted = |a: Plain| Plain::new(n, n, |i, j| a.at(i, j) / n as f64 + if i == j { 2.0 } else { 0.0 });
    let matrices: Vec<Plain> = (0..count(batch)).map(|_| shifted(random::<T>(n, n, &mut random_numbers))).collect();
    let sides: Vec<Plain> = (0..count(batch)).map(|_| random::<T>(n, 3, &mut random_numbers)).collect();
    for flags in [0, LOWER, LOWER | UNIT, LOWER | TRANSPOSED, TRANSPOSED | CONJUGATED | UNIT] {
        let (mut a, mut b) = (Stack::<T>::of(batch, &matrices, layout), Stack::<T>::of(batch, &sides, layout));
        let (answer, calls) = run(routine::TRIANGULAR, flags, &[b.argument(), a.argument()]);
        assert_eq!((answer, calls[0].starts_with("cublasTrsm")), (0, true));
        for (index, (matrix, side)) in matrices.iter().zip(&sides).enumerate() {
            let is_inside = |i: usize, j: usize| if flags & LOWER != 0 { i >= j } else { i <= j };
            let triangle = Plain::new(n, n, |i, j| match (i == j && flags & UNIT != 0, is_inside(i, j)) {
                (true, _) => C::new(1.0, 0.0),
                (_, true) => matrix.at(i, j),
                _ => C::new(0.0, 0.0),
            });
            assert!(triangle.turned(flags).times(&b.get(index)).is_near(side, bound::<T>(n)));
        }
    }
}

#[test]
fn triangular_equations_are_solved() {
    for_all!(divided, [Layout::Columns, Layout::Loose]);
}

#[test]
fn the_first_matrix_without_an_inverse_is_told() {
    let _turn = alone();
    let mut random_numbers = Random(29);
    for (batch, n) in [(&[5i64][..], 6), (&[5], 140)] {
        let mut matrices: Vec<Plain> = (0..5).map(|_| random::<f64>(n, n, &mut random_numbers)).collect();
        for matrix in &mut matrices {
            (0..n).for_each(|i| matrix.elements[i * n + i] = C::new(2.0, 0.0));
        }
        for (index, from) in [(2, 3), (4, 1)] {
            let kept = matrices[index].clone();
            matrices[index] =
                Plain::new(
                    n,
                    n,
                    |i, j| {
                        if (i >= from && j == from) || i > j { C::new(0.0, 0.0) } else { kept.at(i, j) }
                    },
                );
        }
        let side = vec![random::<f64>(n, 2, &mut random_numbers); 5];
        let (mut a, mut b) =
            (Stack::<f64>::of(batch, &matrices, Layout::Columns), Stack::<f64>::of(batch, &side, Layout::Columns));
        assert_eq!(run(routine::SOLVE, 0, &[a.argument(), b.argument()]).0, 4);
        let (mut a, mut b) =
            (Stack::<f64>::of(batch, &matrices, Layout::Columns), Stack::<f64>::of(batch, &side, Layout::Columns));
        let (answer, calls) = run(routine::TRIANGULAR, 0, &[b.argument(), a.argument()]);
        assert_eq!((answer, calls.len()), (4, 0));
        assert!((0..5).all(|index| b.get(index).is_near(&side[index], 0.0)));
    }
}

fn hermitian<T: Number>(n: usize, random_numbers: &mut Random) -> Plain {
    let a = random::<T>(n, n, random_numbers);
    let adjoint = a.adjoint();
    Plain::new(n, n, |i, j| a.at(i, j) + adjoint.at(i, j))
}

fn lower_of(a: &Plain) -> Plain {
    Plain::new(a.rows, a.columns, |i, j| if i >= j { a.at(i, j) } else { C::new(0.0, 0.0) })
}

fn factored<T: Number>(batch: &[i64], n: usize, layout: Layout) {
    let mut random_numbers = Random(31);
    let shifted = |a: Plain| Plain::new(n, n, |i, j| a.at(i, j) + if i == j { 4.0 * n as f64 } else { 0.0 });
    let mut matrices: Vec<Plain> = (0..count(batch)).map(|_| shifted(hermitian::<T>(n, &mut random_numbers))).collect();
    let mut a = Stack::<T>::of(batch, &matrices, layout);
    let (answer, calls) = run(routine::CHOLESKY, 0, &[a.argument()]);
    assert_eq!(answer, 0);
    let is_batched = count(batch) > 1 && n <= 128;
    assert_eq!(
        calls,
        vec![
            if is_batched { "cusolverDnPotrfBatched" } else { "cusolverDnPotrf" };
            if is_batched { 1 } else { count(batch) }
        ]
    );
    for (index, matrix) in matrices.iter().enumerate() {
        let factor = lower_of(&a.get(index));
        assert!(factor.times(&factor.adjoint()).is_near(matrix, bound::<T>(n)));
    }
    let last = n - 1;
    let spoilt = matrices.last_mut().expect("one");
    spoilt.elements[last * n + last] = C::new(-1.0, 0.0);
    let mut a = Stack::<T>::of(batch, &matrices, layout);
    assert_eq!(run(routine::CHOLESKY, 0, &[a.argument()]).0, n as i64);
}

#[test]
fn cholesky_s_factor_is_lower_however_the_matrix_lies() {
    for_all!(factored, [Layout::Columns, Layout::Rows, Layout::Loose]);
}

fn qr<T: Number>(batch: &[i64], n: usize, layout: Layout) {
    let mut random_numbers = Random(37);
    for (m, columns) in [(n + 2, n), (n, n + 2)] {
        let matrices: Vec<Plain> = (0..count(batch)).map(|_| random::<T>(m, columns, &mut random_numbers)).collect();
        let (k, mut a) = (m.min(columns), Stack::<T>::of(batch, &matrices, layout));
        let mut tau = Stack::<T>::empty(batch, k, 1, Layout::Columns);
        let (_, calls) = run(routine::QR, 0, &[a.argument(), tau.vectors()]);
        let is_batched = count(batch) > 1 && m.max(columns) <= 128;
        assert_eq!(calls.len(), if is_batched { 1 } else { count(batch) });
        for width in [k, m] {
            let vectors: Vec<Plain> = (0..count(batch))
                .map(|index| {
                    let a = a.get(index);
                    Plain::new(m, width, |i, j| if j < k { a.at(i, j) } else { C::new(9.0, 0.0) })
                })
                .collect();
            let mut q = Stack::<T>::of(batch, &vectors, layout);
            run(routine::Q, 0, &[q.argument(), tau.vectors()]);
            for (index, matrix) in matrices.iter().enumerate() {
                let (q, a) = (q.get(index), a.get(index));
                assert!(q.adjoint().times(&q).is_near(&Plain::identity(width), bound::<T>(n)));
                let r = Plain::new(width, columns, |i, j| if i <= j { a.at(i, j) } else { C::new(0.0, 0.0) });
                assert!(q.times(&r).is_near(matrix, bound::<T>(n)));
            }
        }
    }
}

#[test]
fn q_and_r_are_the_matrix() {
    for_all!(qr, [Layout::Columns, Layout::Loose]);
}

fn eigen<T: Number>(batch: &[i64], n: usize, layout: Layout) {
    let mut random_numbers = Random(41);
    let matrices: Vec<Plain> = (0..count(batch)).map(|_| hermitian::<T>(n, &mut random_numbers)).collect();
    let mut a = Stack::<T>::of(batch, &matrices, layout);
    let mut values = Stack::<T::Real>::empty(batch, n, 1, Layout::Columns);
    let (answer, calls) = run(routine::EIGH, 0, &[a.argument(), values.vectors()]);
    let is_batched = count(batch) > 1 && n <= 32 && (layout == Layout::Columns);
    assert_eq!((answer, calls.len()), (0, if is_batched { 1 } else { count(batch) }));
    for (index, matrix) in matrices.iter().enumerate() {
        let (vectors, values) = (a.get(index), values.get(index));
        assert!((1..n).all(|k| values.at(k, 0).re >= values.at(k - 1, 0).re));
        let scaled = Plain::new(n, n, |i, j| vectors.at(i, j) * values.at(j, 0));
        assert!(matrix.times(&vectors).is_near(&scaled, bound::<T>(n)));
        assert!(vectors.adjoint().times(&vectors).is_near(&Plain::identity(n), bound::<T>(n)));
    }
    let (mut a, known) = (Stack::<T>::of(batch, &matrices, layout), values);
    let mut values = Stack::<T::Real>::empty(batch, n, 1, Layout::Columns);
    run(routine::EIGVALSH, 0, &[a.argument(), values.vectors()]);
    assert!((0..count(batch)).all(|index| values.get(index).is_near(&known.get(index), bound::<T>(n))));
}

#[test]
fn eigenvectors_of_hermitian_matrices() {
    for_all!(eigen, [Layout::Columns, Layout::Loose]);
}

fn singular<T: Number>(batch: &[i64], n: usize, layout: Layout) {
    let mut random_numbers = Random(43);
    for (m, columns) in [(n, n), (n + 3, n), (n, n + 3)] {
        // Wide matrices lie by rows.
        let layout = if m < columns { Layout::Rows } else { layout };
        let k = m.min(columns);
        let matrices: Vec<Plain> = (0..count(batch)).map(|_| random::<T>(m, columns, &mut random_numbers)).collect();
        for is_full in [false, true] {
            let (of_u, of_v) = if is_full { (m, columns) } else { (k, k) };
            let mut a = Stack::<T>::of(batch, &matrices, layout);
            let mut values = Stack::<T::Real>::empty(batch, k, 1, Layout::Columns);
            let (mut u, mut v) =
                (Stack::<T>::empty(batch, m, of_u, layout), Stack::<T>::empty(batch, of_v, columns, layout));
            let given = [a.argument(), values.vectors(), u.argument(), v.argument()];
            let (answer, calls) = run(routine::SVD, 0, &given);
            let is_batched = count(batch) > 1 && m.max(columns) <= 32 && layout != Layout::Loose;
            let wanted = if is_batched {
                vec!["cusolverDnGesvdjBatched", "cublasGemm"]
            } else {
                vec!["cusolverDnGesvd"; count(batch)]
            };
            assert_eq!((answer, calls), (0, wanted.into_iter().map(str::to_owned).collect()));
            for (index, matrix) in matrices.iter().enumerate() {
                let (u, v, values) = (u.get(index), v.get(index), values.get(index));
                assert!((1..k).all(|k| values.at(k, 0).re <= values.at(k - 1, 0).re));
                let scaled = Plain::new(m, k, |i, j| u.at(i, j) * values.at(j, 0));
                let first = Plain::new(k, columns, |i, j| v.at(i, j));
                assert!(scaled.times(&first).is_near(matrix, bound::<T>(n)));
                assert!(u.adjoint().times(&u).is_near(&Plain::identity(of_u), bound::<T>(n)));
                assert!(v.times(&v.adjoint()).is_near(&Plain::identity(of_v), bound::<T>(n)));
            }
            let (mut a, known) = (Stack::<T>::of(batch, &matrices, layout), values);
            let mut values = Stack::<T::Real>::empty(batch, k, 1, Layout::Columns);
            run(routine::SVDVALS, 0, &[a.argument(), values.vectors()]);
            assert!((0..count(batch)).all(|index| values.get(index).is_near(&known.get(index), bound::<T>(n))));
        }
    }
}

#[test]
fn singular_vectors_lie_as_the_matrix_does() {
    let _turn = alone();
    for batch in BATCHES {
        for n in [1, 4, 34] {
            for layout in [Layout::Columns, Layout::Loose] {
                singular::<f32>(batch, n, layout);
                singular::<f64>(batch, n, layout);
                singular::<Complex<f32>>(batch, n, layout);
                singular::<Complex<f64>>(batch, n, layout);
            }
        }
    }
}

fn general<T: Number>(batch: &[i64], n: usize, layout: Layout) {
    let mut random_numbers = Random(47);
    let matrices: Vec<Plain> = (0..count(batch)).map(|_| random::<T>(n, n, &mut random_numbers)).collect();
    let mut a = Stack::<T>::of(batch, &matrices, layout);
    let mut values = Stack::<T::OfComplex>::empty(batch, n, 1, Layout::Columns);
    let mut vectors = Stack::<T::OfComplex>::empty(batch, n, n, layout);
    let (answer, calls) = run(routine::EIG, 0, &[a.argument(), values.vectors(), vectors.argument()]);
    assert_eq!((answer, calls), (0, vec!["cusolverDnXgeev".to_owned(); count(batch)]));
    for (index, matrix) in matrices.iter().enumerate() {
        let (vectors, values) = (vectors.get(index), values.get(index));
        let scaled = Plain::new(n, n, |i, j| vectors.at(i, j) * values.at(j, 0));
        assert!(matrix.times(&vectors).is_near(&scaled, bound::<T>(n)));
        let length = |j: usize| (0..n).map(|i| vectors.at(i, j).norm_sqr()).sum::<f64>();
        assert!((0..n).all(|j| (length(j) - 1.0).abs() < bound::<T>(n)));
    }
    let (mut a, mut alone) =
        (Stack::<T>::of(batch, &matrices, layout), Stack::<T::OfComplex>::empty(batch, n, 1, Layout::Columns));
    run(routine::EIGVALS, 0, &[a.argument(), alone.vectors()]);
    let sum = |values: &Plain| values.elements.iter().sum::<C>();
    assert!(
        (0..count(batch))
            .all(|index| (sum(&alone.get(index)) - sum(&values.get(index))).norm_sqr() < bound::<T>(n).max(1e-6))
    );
}

#[test]
fn eigenvectors_of_any_matrix_are_complex() {
    let _turn = alone();
    for batch in BATCHES {
        for n in [1, 2, 7, 40] {
            for layout in [Layout::Columns, Layout::Loose] {
                general::<f32>(batch, n, layout);
                general::<f64>(batch, n, layout);
                general::<Complex<f32>>(batch, n, layout);
                general::<Complex<f64>>(batch, n, layout);
            }
        }
    }
}

#[test]
fn batches_may_be_long() {
    let _turn = alone();
    let (batch, n) = (&[70_000i64][..], 2);
    let matrices: Vec<Plain> = (0..70_000)
        .map(|k| Plain::new(n, n, |i, j| C::new(if i == j { 1.0 + f64::from(k % 7) } else { 0.5 }, 0.0)))
        .collect();
    let sides = vec![Plain::new(n, 1, |i, _| C::new(i as f64 + 1.0, 0.0)); 70_000];
    let (mut a, mut b) =
        (Stack::<f64>::of(batch, &matrices, Layout::Columns), Stack::<f64>::of(batch, &sides, Layout::Columns));
    let (answer, calls) = run(routine::SOLVE, 0, &[a.argument(), b.argument()]);
    assert_eq!((answer, calls.len()), (0, 6));
    for index in [0, 32_767, 32_768, 65_535, 65_536, 69_999] {
        assert!(matrices[index].times(&b.get(index)).is_near(&sides[index], 1e-12));
    }
    let mut a = Stack::<f64>::of(batch, &matrices, Layout::Columns);
    let mut values = Stack::<f64>::empty(batch, n, 1, Layout::Columns);
    assert_eq!(run(routine::EIGH, 0, &[a.argument(), values.vectors()]).1.len(), 3);
    assert!((values.get(69_999).at(0, 0).re - (0.5 + f64::from(69_999 % 7))).abs() < 1e-12);
}
