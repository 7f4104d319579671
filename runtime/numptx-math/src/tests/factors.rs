//! LU, Cholesky's factor, QR and Q.

use faer::Mat;
use faer::traits::ext::ComplexFieldExt;
use numptx_abi::routine::{CHOLESKY, LU, Q, QR};

use super::layout::{
    LAYOUTS, Laid, Layout, Random, SIDES, Tested, assert_close, call, identity, of_all_dtypes, part, shapes,
};

of_all_dtypes!(
    lu_is_the_matrix,
    lu_of_singular_matrices_stays_finite,
    cholesky_is_the_matrix,
    cholesky_tells_the_minor,
    cholesky_takes_nan_on,
    qr_is_the_matrix,
    qr_has_a_real_diagonal,
    qr_of_what_is_zero_below_reflects_nothing,
    qr_of_tiny_and_huge_columns_is_orthogonal,
    nan_ends_in_nan
);

fn lu_of<T: Tested>(a: &Mat<T>, layout: Layout) -> (Mat<T>, Vec<i32>) {
    let mut lu = Laid::of(a, layout);
    let mut pivots = Laid::vector(a.nrows().min(a.ncols()), -1i32);
    assert_eq!(call::<T>(LU, 0, &[lu.operand, pivots.operand]), 0);
    (lu.mat(), pivots.elements())
}

fn product_of_lu<T: Tested>(lu: &Mat<T>, pivots: &[i32]) -> Mat<T> {
    let ((m, n), k) = (lu.shape(), pivots.len());
    let lower = part(lu, |i, j| i > j) + identity::<T>(m, n);
    let upper = part(lu, |i, j| i <= j);
    let mut product = lower.subcols(0, k) * upper.subrows(0, k);
    for (row, &other) in pivots.iter().enumerate().rev() {
        assert!(other as usize > row && other as usize <= m, "{pivots:?}");
        for j in 0..n {
            let held = product[(row, j)];
            product[(row, j)] = product[(other as usize - 1, j)];
            product[(other as usize - 1, j)] = held;
        }
    }
    product
}

fn lu_is_the_matrix<T: Tested>() {
    let mut random = Random::new();
    for (m, n) in shapes() {
        for layout in LAYOUTS {
            let a = random.mat::<T>(m, n);
            let (lu, pivots) = lu_of(&a, layout);
            assert_close(&product_of_lu(&lu, &pivots), &a, 1.0);
        }
    }
}

fn lu_of_singular_matrices_stays_finite<T: Tested>() {
    for n in [3, 20, 70] {
        let a = Mat::<T>::from_fn(n, n, |i, j| T::of_parts(((i % 4 + 1) * (j % 3)) as f64, 0.0));
        let (lu, pivots) = lu_of(&a, Layout::Columns);
        assert_close(&product_of_lu(&lu, &pivots), &a, 10.0);
        assert!((0..n).any(|i| lu[(i, i)] == T::zero()));
    }
}

fn positive<T: Tested>(n: usize) -> Mat<T> {
    let a = Random::new().mat::<T>(n, n);
    &a * a.adjoint() + identity::<T>(n, n)
}

fn cholesky_is_the_matrix<T: Tested>() {
    for n in SIDES {
        for layout in LAYOUTS {
            let a = positive::<T>(n);
            // What is above is not read.
            let lower = Mat::from_fn(n, n, |i, j| if i >= j { a[(i, j)] } else { T::nan() });
            let mut laid = Laid::of(&lower, layout);
            assert_eq!(call::<T>(CHOLESKY, 0, &[laid.operand]), 0);
            let factor = part(&laid.mat(), |i, j| i >= j);
            assert_close(&(&factor * factor.adjoint()), &a, n as f64);
        }
    }
}

fn cholesky_tells_the_minor<T: Tested>() {
    for n in [1, 8, 33, 70, 131] {
        for row in [0, n / 2, n - 1] {
            let mut a = positive::<T>(n);
            a[(row, row)] = T::zero();
            let laid = Laid::of(&a, Layout::Rows);
            assert_eq!(call::<T>(CHOLESKY, 0, &[laid.operand]), row as i64 + 1);
        }
    }
}

fn cholesky_takes_nan_on<T: Tested>() {
    for n in [2, 70] {
        let mut a = positive::<T>(n);
        a[(1, 1)] = T::nan();
        let mut laid = Laid::of(&a, Layout::Columns);
        assert_eq!(call::<T>(CHOLESKY, 0, &[laid.operand]), 0);
        assert!(laid.mat()[(1, 1)].is_nan());
    }
}

fn qr_of<T: Tested>(a: &Mat<T>, layout: Layout) -> (Mat<T>, Laid<T>) {
    let mut qr = Laid::of(a, layout);
    let tau = Laid::vector(a.nrows().min(a.ncols()), T::nan());
    assert_eq!(call::<T>(QR, 0, &[qr.operand, tau.operand]), 0);
    (qr.mat(), tau)
}

/// The first columns of Q.
fn q_of<T: Tested>(qr: &Mat<T>, tau: &Laid<T>, columns: usize, layout: Layout) -> Mat<T> {
    let k = tau.operand.rows as usize;
    let vectors = Mat::from_fn(qr.nrows(), columns, |i, j| if j < k { qr[(i, j)] } else { T::nan() });
    let mut q = Laid::of(&vectors, layout);
    assert_eq!(call::<T>(Q, 0, &[q.operand, tau.operand]), 0);
    q.mat()
}

fn assert_qr<T: Tested>(a: &Mat<T>, layout: Layout, scale: f64) {
    let ((m, n), k) = (a.shape(), a.nrows().min(a.ncols()));
    let (qr, tau) = qr_of(a, layout);
    for columns in [k, m] {
        let q = q_of(&qr, &tau, columns, layout);
        assert_close(&(q.adjoint() * &q), &identity(columns, columns), 1.0);
        let r = part(&Mat::from_fn(k, n, |i, j| qr[(i, j)]), |i, j| i <= j);
        assert_close(&(q.subcols(0, k) * &r), a, scale);
    }
}

fn qr_is_the_matrix<T: Tested>() {
    let mut random = Random::new();
    for (m, n) in shapes() {
        for layout in LAYOUTS {
            assert_qr(&random.mat::<T>(m, n), layout, 1.0);
        }
    }
}

fn qr_has_a_real_diagonal<T: Tested>() {
    let a = Random::new().mat::<T>(40, 35);
    let (qr, mut tau) = qr_of(&a, Layout::Columns);
    for j in 0..35 {
        assert!(qr[(j, j)].imag() == T::Float::zero());
        // LAPACK's tau of a reflection that does something.
        let tau = tau.elements()[j].real();
        assert!(tau >= T::Float::one() && tau <= T::of_parts(2.0, 0.0).real());
    }
    let signs = a[(0, 0)].real() * qr[(0, 0)].real();
    assert!(signs < T::Float::zero(), "as LAPACK, against the sign of the first element");
}

fn qr_of_what_is_zero_below_reflects_nothing<T: Tested>() {
    let a = Mat::<T>::from_fn(4, 4, |i, j| T::of_parts(if i <= j { 1.0 + i as f64 } else { 0.0 }, 0.0));
    let (qr, mut tau) = qr_of(&a, Layout::Columns);
    assert_eq!(qr, a);
    assert_eq!(tau.elements(), [T::zero(); 4]);
    let (zeros, mut tau) = qr_of(&Mat::<T>::zeros(3, 2), Layout::Columns);
    assert_eq!((zeros, tau.elements()), (Mat::zeros(3, 2), vec![T::zero(); 2]));
}

fn qr_of_tiny_and_huge_columns_is_orthogonal<T: Tested>() {
    let extreme = if T::BOUND > 1e-10 { 1e-36 } else { 1e-300 };
    for scale in [extreme, 1.0 / extreme] {
        let a = Random::new().mat::<T>(40, 40);
        let a = Mat::from_fn(40, 40, |i, j| if j % 2 == 0 { a[(i, j)] * T::of_parts(scale, 0.0) } else { a[(i, j)] });
        assert_qr(&a, Layout::Columns, scale);
    }
}

fn nan_ends_in_nan<T: Tested>() {
    for n in [3, 70] {
        let mut a = Random::new().mat::<T>(n, n);
        a[(n - 1, 0)] = T::nan();
        let (qr, _) = qr_of(&a, Layout::Columns);
        assert!(qr[(0, 0)].is_nan() && qr[(n - 1, n - 1)].is_nan());
        lu_of(&a, Layout::Columns);
    }
}
