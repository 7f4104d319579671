//! Schedules of loops that no class makes parallel: which cells of a table or a factorisation may be computed together.

use crate::polybench::{CHOLESKY, GRAMSCHMIDT, LU, NUSSINOV, TRISOLV};
use crate::text::assert_wavefront;

#[test]
fn lu_by_rows_and_columns() {
    assert_wavefront(LU, "i", &["j: 0*i + 1*j, phase 1", "j: 1*i + 0*j, phase 0"]);
}

#[test]
fn cholesky_by_columns() {
    assert_wavefront(CHOLESKY, "i", &["j: 0*i + 1*j, phase 1", "[k]: 1*i, phase 0", "[A[i, i]]: 1*i, phase 0"]);
}

#[test]
fn nussinov_by_diagonals() {
    assert_wavefront(NUSSINOV, "i", &["j: -1*i + 1*j, phase 0"]);
}

#[test]
fn smith_waterman_by_diagonals() {
    assert_wavefront(
        "
        for i in 1, n
          for j in 1, m
            H[i, j] = H[i - 1, j - 1] H[i - 1, j] H[i, j - 1] a[i] b[j]",
        "i",
        &["j: 1*i + 1*j, phase 0"],
    );
}

#[test]
fn seidel_with_nine_points() {
    assert_wavefront(
        "
        for i in 1, n - 1
          for j in 1, n - 1
            A[i, j] = A[i - 1, j - 1] A[i - 1, j] A[i - 1, j + 1] A[i, j - 1] A[i, j] A[i, j + 1] A[i + 1, j - 1] A[i + 1, j + 1]",
        "i",
        &["j: 2*i + 1*j, phase 0"],
    );
}

#[test]
fn trisolv_by_columns() {
    assert_wavefront(TRISOLV, "i", &["j: 0*i + 1*j, phase 1", "[x[i]]: 0*i, phase 0", "[x[i]]: 1*i, phase 0"]);
}

#[test]
fn gramschmidt_by_columns() {
    assert_wavefront(
        GRAMSCHMIDT,
        "k",
        &["j: 1*k + 0*j, phase 1", "[R[k, k]]: 1*k, phase 0", "[Q[0:m, k]]: 1*k, phase 0"],
    );
}

#[test]
fn a_running_total_has_none() {
    assert_wavefront(
        "
        for i in 0, n
          for j in 0, m
            s[] = s[] x[i, j]",
        "i",
        &[],
    );
}

#[test]
fn error_diffusion_by_slanted_rows() {
    assert_wavefront(
        "
        for y in 0, h - 1
          for x in 1, w - 1
            g[y, x] = g[y, x]
            g[y, x + 1] = g[y, x + 1] g[y, x]
            g[y + 1, x - 1] = g[y + 1, x - 1] g[y, x]
            g[y + 1, x] = g[y + 1, x] g[y, x]
            g[y + 1, x + 1] = g[y + 1, x + 1] g[y, x]",
        "y",
        &["x: 3*y + 1*x, phase 0"],
    );
}

#[test]
fn sweeps_with_nine_points_begin_four_times_later() {
    assert_wavefront(
        "
        for t in 0, steps
          for i in 1, n - 1
            for j in 1, n - 1
              A[i, j] = A[i - 1, j - 1] A[i - 1, j] A[i - 1, j + 1] A[i, j - 1] A[i, j] A[i, j + 1] A[i + 1, j - 1] A[i + 1, j] A[i + 1, j + 1]",
        "t i",
        &["j: 4*t + 2*i + 1*j, phase 0"],
    );
}

#[test]
fn sweeps_with_five_points_begin_two_times_later() {
    assert_wavefront(
        "
        for t in 0, steps
          for i in 1, n - 1
            for j in 1, m - 1
              A[i, j] = A[i - 1, j] A[i, j - 1] A[i, j] A[i, j + 1] A[i + 1, j] b[i, j]",
        "t i",
        &["j: 2*t + 1*i + 1*j, phase 0"],
    );
}

#[test]
fn sweeps_through_space() {
    assert_wavefront(
        "
        for t in 0, steps
          for i in 1, n - 1
            for j in 1, n - 1
              for k in 1, n - 1
                A[i, j, k] = A[i - 1, j, k] A[i, j - 1, k] A[i, j, k - 1] A[i + 1, j, k] A[i, j + 1, k] A[i, j, k + 1]",
        "t i j",
        &["k: 2*t + 1*i + 1*j + 1*k, phase 0"],
    );
}

#[test]
fn sweeps_backwards_and_time_that_falls() {
    assert_wavefront(
        "
        for t in steps, 0, -1
          for i in n - 2, 0, -1
            for j in 1, m - 1
              A[i, j] = A[i - 1, j] A[i, j - 1] A[i, j] A[i, j + 1] A[i + 1, j]",
        "t i",
        &["j: -2*t + -1*i + 1*j, phase 0"],
    );
}

#[test]
fn loops_of_one_range_share_threads() {
    assert_wavefront(
        "
        for t in 0, steps
          for i in 1, n - 1
            for j in 1, n - 1
              A[i, j] = A[i, j] A[i - 1, j - 1] A[i - 1, j] A[i - 1, j + 1] A[i, j + 1] A[i + 1, j - 1] A[i + 1, j] A[i + 1, j + 1]
            for k in 1, n - 1
              A[i, k] = A[i, k] A[i, k - 1]",
        "t i",
        &["j: 4*t + 2*i + 1*j, phase 0", "k: 4*t + 2*i + 1*k, phase 0"],
    );
}

#[test]
fn a_sweep_that_needs_all_of_the_one_before_waits() {
    assert_wavefront(
        "
        for t in 0, steps
          for i in 1, n - 1
            for j in 1, n - 1
              A[i, j] = A[i - 1, j] A[i, j - 1] A[n - 1 - i, j]",
        "t i",
        &[],
    );
}
