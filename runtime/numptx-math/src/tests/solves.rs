//! Solves: of any matrix, of triangular ones, and by a factored one.

use faer::Mat;
use faer::traits::ext::ComplexFieldExt;
use numptx_abi::error_kind;
use numptx_abi::routine::{CONJUGATED, COUNT, LOWER, LU, LU_SOLVE, SOLVE, TRANSPOSED, TRIANGULAR, UNIT};

use super::layout::{LAYOUTS, Laid, Layout, Random, SIDES, Tested, assert_close, call, identity, of_all_dtypes, part};

of_all_dtypes!(
    solve_is_a_solution,
    solve_tells_the_pivot,
    lu_solve_is_a_solution,
    triangular_is_a_solution,
    triangular_tells_the_zero,
    nan_reaches_the_solution
);

/// Far from singular.
fn regular<T: Tested>(random: &mut Random, n: usize) -> Mat<T> {
    random.mat::<T>(n, n) + Mat::from_fn(n, n, |i, j| T::of_parts(if (i + 1) % n == j { n as f64 } else { 0.0 }, 0.0))
}

fn operated<T: Tested>(a: &Mat<T>, flags: u32) -> Mat<T> {
    match flags & (TRANSPOSED | CONJUGATED) {
        0 => a.clone(),
        TRANSPOSED => a.transpose().to_owned(),
        _ => a.adjoint().to_owned(),
    }
}

fn solve_is_a_solution<T: Tested>() {
    let mut random = Random::new();
    for n in SIDES {
        for (columns, layout) in [0, 1, 3, n].into_iter().zip(LAYOUTS.into_iter().cycle()) {
            let (a, b) = (regular::<T>(&mut random, n), random.mat::<T>(n, columns));
            let (there, mut x) = (Laid::of(&a, layout), Laid::of(&b, layout));
            assert_eq!(call::<T>(SOLVE, 0, &[there.operand, x.operand]), 0);
            assert_close(&(a * x.mat()), &b, 1.0);
        }
    }
}

fn solve_tells_the_pivot<T: Tested>() {
    for n in [1, 8, 20, 70] {
        for zero in [0, n / 2, n - 1] {
            let mut a = identity::<T>(n, n);
            a[(zero, zero)] = T::zero();
            let (a, b) = (Laid::of(&a, Layout::Columns), Laid::of(&identity::<T>(n, 1), Layout::Columns));
            assert_eq!(call::<T>(SOLVE, 0, &[a.operand, b.operand]), zero as i64 + 1);
        }
    }
}

fn lu_solve_is_a_solution<T: Tested>() {
    let mut random = Random::new();
    for n in SIDES {
        for layout in LAYOUTS {
            let (a, b) = (regular::<T>(&mut random, n), random.mat::<T>(n, 4));
            let (lu, pivots) = (Laid::of(&a, layout), Laid::vector(n, 0i32));
            assert_eq!(call::<T>(LU, 0, &[lu.operand, pivots.operand]), 0);
            for flags in [0, TRANSPOSED, TRANSPOSED | CONJUGATED] {
                let mut x = Laid::of(&b, layout);
                assert_eq!(call::<T>(LU_SOLVE, flags, &[x.operand, lu.operand, pivots.operand]), 0);
                assert_close(&(operated(&a, flags) * x.mat()), &b, 1.0);
            }
        }
    }
}

fn triangular_is_a_solution<T: Tested>() {
    let mut random = Random::new();
    for n in SIDES {
        for layout in LAYOUTS {
            let a = random.mat::<T>(n, n);
            let a = Mat::from_fn(n, n, |i, j| if i == j { T::of_parts(2.0, 1.0) } else { a[(i, j)] });
            let a = Mat::from_fn(n, n, |i, j| a[(i, j)] * T::of_parts(if i == j { 1.0 } else { 1.0 / n as f64 }, 0.0));
            let b = random.mat::<T>(n, 3);
            for flags in (0..16).filter(|flags| flags & CONJUGATED == 0 || flags & TRANSPOSED != 0) {
                let mut triangle = part(&a, |i, j| if flags & LOWER != 0 { i >= j } else { i <= j });
                if flags & UNIT != 0 {
                    (0..n).for_each(|i| triangle[(i, i)] = T::one());
                }
                let (there, mut x) = (Laid::of(&a, layout), Laid::of(&b, layout));
                assert_eq!(call::<T>(TRIANGULAR, flags, &[x.operand, there.operand]), 0);
                assert_close(&(operated(&triangle, flags) * x.mat()), &b, 4.0);
            }
        }
    }
}

fn triangular_tells_the_zero<T: Tested>() {
    let (mut a, b) = (identity::<T>(9, 9), Random::new().mat::<T>(9, 2));
    a[(4, 4)] = T::zero();
    a[(7, 7)] = T::zero();
    let (a, mut x) = (Laid::of(&a, Layout::Rows), Laid::of(&b, Layout::Columns));
    assert_eq!(call::<T>(TRIANGULAR, 0, &[x.operand, a.operand]), 5);
    assert_eq!(x.mat(), b, "as it was");
    assert_eq!(call::<T>(TRIANGULAR, UNIT, &[x.operand, a.operand]), 0);
}

fn nan_reaches_the_solution<T: Tested>() {
    for n in [3, 70] {
        let mut a = regular::<T>(&mut Random::new(), n);
        a[(n - 1, n - 1)] = T::nan();
        let (a, mut x) = (Laid::of(&a, Layout::Columns), Laid::of(&identity::<T>(n, 1), Layout::Columns));
        assert_eq!(call::<T>(SOLVE, 0, &[a.operand, x.operand]), 0);
        assert!(x.mat()[(n - 1, 0)].is_nan());
    }
}

#[test]
fn what_is_no_routine_is_refused() {
    let a = Laid::of(&identity::<f64>(2, 2), Layout::Columns);
    assert_eq!(call::<f64>(COUNT, 0, &[a.operand]), -i64::from(error_kind::RUNTIME));
    assert_eq!(call::<f64>(SOLVE, 0, &[a.operand]), -i64::from(error_kind::RUNTIME), "one operand of two");
}
