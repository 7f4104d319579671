//! The loops of PolyBench's kernels, written from their definitions, and the class of each.

use crate::text::{Text, assert_classes};

#[test]
fn covariance_writes_both_triangles() {
    assert_classes(
        "
        for i in 0, m
          for j in i, m
            cov[i, j] = zero[]
            for k in 0, n
              cov[i, j] += data[k, i] data[k, j]
            cov[i, j] = cov[i, j]
            cov[j, i] = cov[i, j]",
        &["i: parallel", "j: parallel", "k: reduction"],
    );
}

#[test]
fn covariance_by_rows_and_columns() {
    assert_classes(
        "
        for i in 0, m
          cov[i:m, i] = data[0:n, i] data[0:n, i:m]
          cov[i, i:m] = cov[i:m, i]",
        &["i: parallel"],
    );
}

pub const LU: &str = "
        for i in 0, n
          for j in 0, i
            for k in 0, j
              A[i, j] += A[i, k] A[k, j]
            A[i, j] = A[i, j] A[j, j]
          for j in i, n
            for k in 0, i
              A[i, j] += A[i, k] A[k, j]";

#[test]
fn lu() {
    assert_classes(
        LU,
        &[
            "i: flow A[i, j] -> A[j, j] 1+",
            "j: flow A[i, j] -> A[i, k] 1+",
            "k: reduction",
            "j: parallel",
            "k: reduction",
        ],
    );
}

#[test]
fn lu_by_slices() {
    assert_classes(
        "
        for i in 0, n
          for j in 0, i
            A[i, j] = A[i, j] A[i, 0:j] A[0:j, j] A[j, j]
          for j in i, n
            A[i, j] = A[i, j] A[i, 0:i] A[0:i, j]",
        &["i: flow A[i, j] -> A[j, j] 1+", "j: flow A[i, j] -> A[i, 0:j] 1+", "j: parallel"],
    );
}

pub const CHOLESKY: &str = "
        for i in 0, n
          for j in 0, i
            for k in 0, j
              A[i, j] += A[i, k] A[j, k]
            A[i, j] = A[i, j] A[j, j]
          for k in 0, i
            A[i, i] += A[i, k]
          A[i, i] = A[i, i]";

#[test]
fn cholesky() {
    assert_classes(
        CHOLESKY,
        &["i: flow A[i, j] -> A[j, k] 1+", "j: flow A[i, j] -> A[i, k] 1+", "k: reduction", "k: reduction"],
    );
}

#[test]
fn right_looking_cholesky() {
    assert_classes(
        "
        for k in 0, n
          A[k, k] = A[k, k]
          for i in k + 1, n
            A[i, k] = A[i, k] A[k, k]
          for i in k + 1, n
            for j in k + 1, i + 1
              A[i, j] = A[i, j] A[i, k] A[j, k]",
        &["k: flow A[i, j] -> A[k, k] 1+", "i: parallel", "i: parallel", "j: parallel"],
    );
}

pub const NUSSINOV: &str = "
        for i in n - 1, -1, -1
          for j in i + 1, n
            if j - 1
              table[i, j] = table[i, j] table[i, j - 1]
            if n - i - 2
              table[i, j] = table[i, j] table[i + 1, j]
            table[i, j] = table[i, j] table[i + 1, j - 1] seq[i] seq[j]
            for k in i + 1, j
              table[i, j] += table[i, k] table[k + 1, j]";

#[test]
fn nussinov() {
    assert_classes(
        NUSSINOV,
        &["i: flow table[i, j] -> table[i + 1, j] 1", "j: flow table[i, j] -> table[i, j - 1] 1", "k: reduction"],
    );
}

#[test]
fn trmm() {
    assert_classes(
        "
        for i in 0, m
          for j in 0, n
            for k in i + 1, m
              B[i, j] += A[k, i] B[k, j]
            B[i, j] = B[i, j]",
        &["i: snapshot B[k, j]", "j: parallel", "k: reduction"],
    );
}

#[test]
fn trmm_by_slices() {
    assert_classes(
        "
        for i in 0, m
          for j in 0, n
            B[i, j] = B[i, j] A[i + 1:m, i] B[i + 1:m, j]",
        &["i: snapshot B[i + 1:m, j]", "j: parallel"],
    );
}

#[test]
fn symm() {
    assert_classes(
        "
        for i in 0, m
          for j in 0, n
            for k in 0, i
              C[k, j] += B[i, j] A[i, k]
              t[i, j] += B[k, j] A[i, k]
            C[i, j] = C[i, j] B[i, j] A[i, i] t[i, j]",
        &["i: flow C[i, j] -> C[k, j] 1+", "j: parallel", "k: reduction"],
    );
}

#[test]
fn symm_by_rows() {
    assert_classes(
        "
        for i in 0, m
          for j in 0, n
            C[0:i, j] += B[i, j] A[i, 0:i]
            t[i, j] = B[0:i, j] A[i, 0:i]
          C[i, 0:n] += C[i, 0:n] B[i, 0:n] A[i, i] t[i, 0:n]",
        &["i: flow C[i, 0:n] -> C[0:i, j] 1+", "j: parallel"],
    );
}

#[test]
fn syrk() {
    assert_classes(
        "
        for i in 0, n
          for j in 0, i + 1
            C[i, j] = C[i, j]
          for k in 0, m
            for j in 0, i + 1
              C[i, j] += A[i, k] A[j, k]",
        &["i: parallel", "j: parallel", "k: reduction", "j: parallel"],
    );
}

#[test]
fn floyd_warshall() {
    assert_classes(
        "
        for k in 0, n
          for i in 0, n
            for j in 0, n
              path[i, j] = path[i, j] path[i, k] path[k, j]",
        &[
            "k: flow path[i, j] -> path[i, j] 1+",
            "i: flow path[i, j] -> path[k, j] 1+",
            "j: flow path[i, j] -> path[i, k] 1+",
        ],
    );
}

#[test]
fn seidel_2d() {
    assert_classes(
        "
        for t in 0, steps
          for i in 1, n - 1
            for j in 1, n - 1
              A[i, j] = A[i - 1, j] A[i, j - 1] A[i, j] A[i, j + 1] A[i + 1, j]",
        &["t: flow A[i, j] -> A[i, j] 1+", "i: flow A[i, j] -> A[i - 1, j] 1", "j: flow A[i, j] -> A[i, j - 1] 1"],
    );
}

#[test]
fn jacobi_2d_with_two_arrays() {
    assert_classes(
        "
        for t in 0, steps
          for i in 1, n - 1
            for j in 1, n - 1
              B[i, j] = A[i, j] A[i, j - 1] A[i, j + 1] A[i + 1, j] A[i - 1, j]
          for i in 1, n - 1
            for j in 1, n - 1
              A[i, j] = B[i, j] B[i, j - 1] B[i, j + 1] B[i + 1, j] B[i - 1, j]",
        &["t: flow A[i, j] -> A[i, j] 1+", "i: parallel", "j: parallel", "i: parallel", "j: parallel"],
    );
}

#[test]
fn jacobi_1d_in_place_reads_ahead_only() {
    assert_classes(
        "
        for i in 0, n - 1
          A[i] = A[i] A[i + 1]",
        &["i: snapshot A[i + 1]"],
    );
}

#[test]
fn fdtd_2d() {
    assert_classes(
        "
        for t in 0, steps
          for j in 0, ny
            ey[0, j] = fict[t]
          for i in 1, nx
            for j in 0, ny
              ey[i, j] = ey[i, j] hz[i, j] hz[i - 1, j]
          for i in 0, nx
            for j in 1, ny
              ex[i, j] = ex[i, j] hz[i, j] hz[i, j - 1]
          for i in 0, nx - 1
            for j in 0, ny - 1
              hz[i, j] = hz[i, j] ex[i, j + 1] ex[i, j] ey[i + 1, j] ey[i, j]",
        &[
            "t: flow ey[i, j] -> ey[i, j] 1+",
            "j: parallel",
            "i: parallel",
            "j: parallel",
            "i: parallel",
            "j: parallel",
            "i: parallel",
            "j: parallel",
        ],
    );
}

#[test]
fn adi() {
    assert_classes(
        "
        for t in 0, steps
          for i in 1, n - 1
            v[0, i] = one[]
            p[i, 0] = zero[]
            q[i, 0] = v[0, i]
            for j in 1, n - 1
              p[i, j] = p[i, j - 1]
              q[i, j] = u[j, i - 1] u[j, i] u[j, i + 1] q[i, j - 1] p[i, j - 1]
            v[n - 1, i] = one[]
            for j in n - 2, 0, -1
              v[j, i] = p[i, j] v[j + 1, i] q[i, j]
          for i in 1, n - 1
            u[i, 0] = one[]
            p[i, 0] = zero[]
            q[i, 0] = u[i, 0]
            for j in 1, n - 1
              p[i, j] = p[i, j - 1]
              q[i, j] = v[i - 1, j] v[i, j] v[i + 1, j] q[i, j - 1] p[i, j - 1]
            u[i, n - 1] = one[]
            for j in n - 2, 0, -1
              u[i, j] = p[i, j] u[i, j + 1] q[i, j]",
        &[
            "t: flow u[i, 0] -> u[j, i - 1] 1+",
            "i: parallel",
            "j: flow p[i, j] -> p[i, j - 1] 1",
            "j: flow v[j, i] -> v[j + 1, i] 1",
            "i: parallel",
            "j: flow p[i, j] -> p[i, j - 1] 1",
            "j: flow u[i, j] -> u[i, j + 1] 1",
        ],
    );
}

pub const GRAMSCHMIDT: &str = "
        for k in 0, n
          R[k, k] = A[0:m, k]
          Q[0:m, k] = A[0:m, k] R[k, k]
          for j in k + 1, n
            R[k, j] = Q[0:m, k] A[0:m, j]
            A[0:m, j] = A[0:m, j] Q[0:m, k] R[k, j]";

#[test]
fn gramschmidt() {
    assert_classes(GRAMSCHMIDT, &["k: flow A[0:m, j] -> A[0:m, k] 1+", "j: parallel"]);
}

#[test]
fn durbin() {
    assert_classes(
        "
        for k in 1, n
          sum[] = r[0:k] y[0:k]
          alpha[] = r[k] sum[]
          for i in 0, k
            z[i] = y[i] alpha[] y[k - 1 - i]
          for i in 0, k
            y[i] = z[i]
          y[k] = alpha[]",
        &["k: flow y[i] -> y[0:k] 1+", "i: parallel", "i: parallel"],
    );
}

pub const TRISOLV: &str = "
        for i in 0, n
          x[i] = b[i]
          for j in 0, i
            x[i] += L[i, j] x[j]
          x[i] = x[i] L[i, i]";

#[test]
fn trisolv() {
    assert_classes(TRISOLV, &["i: flow x[i] -> x[j] 1+", "j: reduction"]);
}

#[test]
fn deriche_horizontal() {
    assert_classes(
        "
        for i in 0, w
          for j in 2, h
            y1[i, j] = img[i, j] img[i, j - 1] y1[i, j - 1] y1[i, j - 2]",
        &["i: parallel", "j: flow y1[i, j] -> y1[i, j - 1] 1"],
    );
}

#[test]
fn mvt_and_gemver() {
    assert_classes(
        "
        for i in 0, n
          for j in 0, n
            A[i, j] = A[i, j] u1[i] v1[j]
        for i in 0, n
          for j in 0, n
            x[i] += A[j, i] y[j]",
        &["i: parallel", "j: parallel", "i: parallel", "j: reduction"],
    );
}

#[test]
fn heat_3d() {
    assert_classes(
        "
        for t in 1, steps
          for i in 1, n - 1
            for j in 1, n - 1
              for k in 1, n - 1
                B[i, j, k] = A[i, j, k] A[i - 1, j, k] A[i + 1, j, k] A[i, j + 1, k] A[i, j, k - 1]
          for i in 1, n - 1
            for j in 1, n - 1
              for k in 1, n - 1
                A[i, j, k] = B[i, j, k] B[i - 1, j, k] B[i + 1, j, k] B[i, j + 1, k] B[i, j, k - 1]",
        &[
            "t: flow A[i, j, k] -> A[i, j, k] 1+",
            "i: parallel",
            "j: parallel",
            "k: parallel",
            "i: parallel",
            "j: parallel",
            "k: parallel",
        ],
    );
}

const VERTICAL_ADVECTION: &str = "
        for k in 1, K
          for i in 0, I
            for j in 0, J
              c[i, j, k] = c[i, j, k - 1] w[i + 1, j, k] w[i, j, k]
              d[i, j, k] = d[i, j, k - 1] c[i, j, k - 1]";

#[test]
fn vertical_advection_runs_k_in_each_thread() {
    let text = Text::read(VERTICAL_ADVECTION);
    assert_eq!(text.interchange("k", "i"), "aligned");
    assert_eq!(text.interchange("k", "j"), "aligned");
    assert_eq!(text.interchange("i", "k"), "k is not inside i");
    assert_classes(VERTICAL_ADVECTION, &["k: flow c[i, j, k] -> c[i, j, k - 1] 1", "i: parallel", "j: parallel"]);
}

#[test]
fn several_inner_loops_share_the_threads() {
    let text = Text::read(
        "
        for k in 1, n
          for i in 0, n
            a[i] = a[i] s[k]
          for i in 0, n
            b[i, 0:n] = a[i] b[i, 0:n]",
    );
    assert_eq!(text.interchange("k", "i"), "aligned");
}

#[test]
fn threads_do_not_read_each_other() {
    let jacobi = Text::read(
        "
        for t in 0, steps
          for i in 1, n - 1
            B[i] = A[i - 1] A[i] A[i + 1]
          for i in 1, n - 1
            A[i] = B[i]",
    );
    assert_eq!(jacobi.interchange("t", "i"), "A[i - 1] crosses A[i]");
    let lu = Text::read(
        "
        for k in 0, n
          for i in k + 1, n
            A[i, k] = A[i, k] A[k, k]
            for j in k + 1, n
              A[i, j] = A[i, j] A[i, k] A[k, j]",
    );
    assert_eq!(lu.interchange("k", "i"), "A[k, k] crosses A[i, j]");
}

#[test]
fn a_write_outside_of_the_threads() {
    let text = Text::read(
        "
        for k in 1, n
          s[k] = x[k]
          for i in 0, n
            a[i] = a[i] s[k]",
    );
    assert_eq!(text.interchange("k", "i"), "s[k] is outside");
}

#[test]
fn a_read_outside_of_the_threads() {
    let text = Text::read(
        "
        for k in 1, n
          for i in 0, n
            a[i] += x[i, k]
          for j in 0, n
            b[k] += a[j]",
    );
    assert_eq!(text.interchange("k", "i"), "b[k] is outside");
}

#[test]
fn an_accumulation_that_all_threads_take_part_in() {
    let text = Text::read(
        "
        for k in 1, n
          for i in 0, n
            s[k] += x[i, k]",
    );
    assert_eq!(text.interchange("k", "i"), "aligned with 1 reductions");
}
