//! Eigenvalues, singular values and their vectors.

use faer::Mat;
use faer::traits::ext::ComplexFieldExt;
use numptx_abi::routine::{EIG, EIGH, EIGVALS, EIGVALSH, SVD, SVDVALS};

use super::layout::{
    LAYOUTS, Laid, Layout, Random, SIDES, Tested, assert_close, call, identity, of_all_dtypes, part, shapes,
};
use crate::element::ComplexOf;

of_all_dtypes!(
    eigh_is_the_matrix,
    eigh_takes_extreme_sizes,
    svd_is_the_matrix,
    svd_of_low_rank_is_orthogonal,
    eig_is_the_matrix,
    eig_of_a_triangle_is_its_diagonal,
    eig_of_a_large_triangle_is_finite,
    what_is_not_finite_does_not_converge
);

fn diagonal<T: Tested>(values: &[T::Float]) -> Mat<T> {
    Mat::from_fn(values.len(), values.len(), |i, j| if i == j { T::of(values[i]) } else { T::zero() })
}

fn assert_eigh<T: Tested>(a: &Mat<T>, layout: Layout, scale: f64) {
    let n = a.nrows();
    // What is above is not read.
    let lower = Mat::from_fn(n, n, |i, j| if i >= j { a[(i, j)] } else { T::nan() });
    let (mut vectors, mut values) = (Laid::of(&lower, layout), Laid::vector(n, T::Float::nan()));
    assert_eq!(call::<T>(EIGH, 0, &[vectors.operand, values.operand]), 0);
    let (vectors, values) = (vectors.mat(), values.elements());
    assert!(values.is_sorted());
    assert_close(&(vectors.adjoint() * &vectors), &identity(n, n), 1.0);
    assert_close(&(a * &vectors), &(&vectors * diagonal::<T>(&values)), scale * n as f64);
    let (lost, mut alone) = (Laid::of(&lower, layout), Laid::vector(n, T::Float::nan()));
    assert_eq!(call::<T>(EIGVALSH, 0, &[lost.operand, alone.operand]), 0);
    assert_close(&diagonal::<T>(&alone.elements()), &diagonal::<T>(&values), scale * n as f64);
}

fn eigh_is_the_matrix<T: Tested>() {
    let mut random = Random::new();
    for n in SIDES {
        for layout in LAYOUTS {
            let a = random.mat::<T>(n, n);
            assert_eigh(&(&a + a.adjoint()), layout, 1.0);
        }
    }
    assert_eigh(&Mat::<T>::zeros(5, 5), Layout::Columns, 1.0);
    assert_eigh(&identity::<T>(140, 140), Layout::Columns, 1.0);
}

fn eigh_takes_extreme_sizes<T: Tested>() {
    let extreme = if T::BOUND > 1e-10 { 1e-36 } else { 1e-300 };
    let a = Random::new().mat::<T>(20, 20);
    let a = &a + a.adjoint();
    for scale in [extreme, 1.0 / extreme] {
        let there = Mat::from_fn(20, 20, |i, j| a[(i, j)] * T::of_parts(scale, 0.0));
        let (laid, mut values) = (Laid::of(&there, Layout::Columns), Laid::vector(20, T::Float::nan()));
        assert_eq!(call::<T>(EIGVALSH, 0, &[laid.operand, values.operand]), 0);
        let (laid, mut expected) = (Laid::of(&a, Layout::Columns), Laid::vector(20, T::Float::nan()));
        assert_eq!(call::<T>(EIGVALSH, 0, &[laid.operand, expected.operand]), 0);
        let unscaled: Vec<_> = values.elements().iter().map(|&value| value / T::of_parts(scale, 0.0).real()).collect();
        assert_close(&diagonal::<T>(&unscaled), &diagonal::<T>(&expected.elements()), 20.0);
    }
}

fn assert_svd<T: Tested>(a: &Mat<T>, layout: Layout) {
    let ((m, n), k) = (a.shape(), a.nrows().min(a.ncols()));
    let mut found = Vec::new();
    for (of_u, of_v) in [(k, k), (m, n)] {
        let (lost, mut values) = (Laid::of(a, layout), Laid::vector(k, T::Float::nan()));
        let mut u = Laid::of(&Mat::<T>::zeros(m, of_u), layout);
        let mut v = Laid::of(&Mat::<T>::zeros(of_v, n), layout);
        assert_eq!(call::<T>(SVD, 0, &[lost.operand, values.operand, u.operand, v.operand]), 0);
        let (u, v) = (u.mat(), v.mat());
        found = values.elements();
        assert!(found.iter().rev().is_sorted() && found.iter().all(|&value| value >= T::Float::zero()));
        assert_close(&(u.adjoint() * &u), &identity(of_u, of_u), 1.0);
        assert_close(&(&v * v.adjoint()), &identity(of_v, of_v), 1.0);
        assert_close(&(u.subcols(0, k) * diagonal::<T>(&found) * v.subrows(0, k)), a, k as f64);
    }
    let (lost, mut alone) = (Laid::of(a, layout), Laid::vector(k, T::Float::nan()));
    assert_eq!(call::<T>(SVDVALS, 0, &[lost.operand, alone.operand]), 0);
    assert_close(&diagonal::<T>(&alone.elements()), &diagonal::<T>(&found), k as f64);
}

fn svd_is_the_matrix<T: Tested>() {
    let mut random = Random::new();
    for (m, n) in shapes() {
        for layout in LAYOUTS {
            assert_svd(&random.mat::<T>(m, n), layout);
        }
    }
}

fn svd_of_low_rank_is_orthogonal<T: Tested>() {
    let mut random = Random::new();
    for (m, n) in [(20, 20), (90, 40), (40, 90), (140, 130)] {
        assert_svd(&(random.mat::<T>(m, 2) * random.mat::<T>(2, n)), Layout::Columns);
        assert_svd(&Mat::<T>::zeros(m, n), Layout::Columns);
    }
}

type Eigen<T> = (Vec<ComplexOf<T>>, Mat<ComplexOf<T>>);

fn eig_of<T: Tested>(a: &Mat<T>, layout: Layout) -> Eigen<T> {
    let n = a.nrows();
    let (lost, mut values) = (Laid::of(a, layout), Laid::vector(n, ComplexOf::<T>::nan()));
    let mut vectors = Laid::of(&Mat::<ComplexOf<T>>::zeros(n, n), layout);
    assert_eq!(call::<T>(EIG, 0, &[lost.operand, values.operand, vectors.operand]), 0);
    let (lost, mut alone) = (Laid::of(a, layout), Laid::vector(n, ComplexOf::<T>::nan()));
    assert_eq!(call::<T>(EIGVALS, 0, &[lost.operand, alone.operand]), 0);
    let values = values.elements();
    let bound = T::of_parts(T::BOUND * 1e5, 0.0).real();
    for value in alone.elements() {
        assert!(values.iter().any(|other| (*other - value).abs() <= bound), "{value:?} of {values:?}");
    }
    (values, vectors.mat())
}

fn eig_is_the_matrix<T: Tested>() {
    let mut random = Random::new();
    for n in SIDES {
        for layout in LAYOUTS {
            let a = random.mat::<T>(n, n);
            let (values, vectors) = eig_of(&a, layout);
            let bound = T::of_parts(T::BOUND * (10 * n + 50) as f64, 0.0).real();
            let a = Mat::<ComplexOf<T>>::from_fn(n, n, |i, j| ComplexOf::<T>::new(a[(i, j)].real(), a[(i, j)].imag()));
            let product = &a * &vectors;
            for (j, &value) in values.iter().enumerate() {
                let vector = vectors.col(j);
                assert!((vector.norm_l2() - T::Float::one()).abs() <= bound);
                let residual = product.col(j) - vector * faer::Scale(value);
                assert!(residual.norm_l2() <= bound, "{n}: {:?}", residual.norm_l2());
                let largest = vector.iter().max_by(|a, b| a.abs2().partial_cmp(&b.abs2()).expect("finite"));
                assert!(largest.expect("not empty").imag().abs() <= bound);
            }
        }
    }
}

fn eig_of_a_triangle_is_its_diagonal<T: Tested>() {
    let a = Random::new().mat::<T>(20, 20);
    for triangle in [part(&a, |i, j| i >= j), part(&a, |i, j| i <= j)] {
        let (values, _) = eig_of(&triangle, Layout::Columns);
        for i in 0..20 {
            let there = ComplexOf::<T>::new(a[(i, i)].real(), a[(i, i)].imag());
            assert!(values.contains(&there), "exactly");
        }
    }
}

fn eig_of_a_large_triangle_is_finite<T: Tested>() {
    let a = part(&Random::new().mat::<T>(200, 200), |i, j| i >= j);
    let (_, vectors) = eig_of(&a, Layout::Columns);
    assert!(vectors.is_all_finite());
}

fn what_is_not_finite_does_not_converge<T: Tested>() {
    for n in [2, 40] {
        for element in [T::nan(), T::infinity()] {
            let mut a = Random::new().mat::<T>(n, n);
            a[(n - 1, 0)] = element;
            let (there, u, v) =
                (Laid::of(&a, Layout::Columns), Laid::of(&a, Layout::Columns), Laid::of(&a, Layout::Rows));
            let values = Laid::vector(n, T::Float::zero());
            let complex = Laid::vector(n, ComplexOf::<T>::zero());
            let vectors = Laid::of(&Mat::<ComplexOf<T>>::zeros(n, n), Layout::Columns);
            for routine in [EIGH, EIGVALSH, SVDVALS] {
                assert_eq!(call::<T>(routine, 0, &[there.operand, values.operand]), 1);
            }
            assert_eq!(call::<T>(SVD, 0, &[there.operand, values.operand, u.operand, v.operand]), 1);
            assert_eq!(call::<T>(EIG, 0, &[there.operand, complex.operand, vectors.operand]), 1);
            assert_eq!(call::<T>(EIGVALS, 0, &[there.operand, complex.operand]), 1);
        }
    }
}
