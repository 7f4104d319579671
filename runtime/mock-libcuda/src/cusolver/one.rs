//! Decompositions of one matrix.

use std::ffi::{c_char, c_int};

use numptx_abi::routine;

use super::{INVALID_VALUE, check_work, submit, work_size};
use crate::cublas_solving::pivots;
use crate::mathematics::{DTYPES, Operand, compute, first_zero, itemsize, real, write_numbers};

/// Extents and the leading dimension of a matrix.
type Extents = (c_int, c_int, c_int);

fn is_wide((rows, columns, lead): Extents) -> bool {
    rows >= 0 && columns >= 0 && lead >= rows.max(1)
}

fn matrix(first: u64, (rows, columns, lead): Extents, code: u8) -> Operand {
    Operand::matrix(first, (i64::from(rows), i64::from(columns)), i64::from(lead), code)
}

fn tell(size: *mut c_int, extents: Extents) -> c_int {
    if !is_wide(extents) {
        return INVALID_VALUE;
    }
    // SAFETY: a number of the caller's.
    unsafe { size.write(work_size(extents.0, extents.1)) };
    0
}

/// Bytes of working memory, and whether the caller says as much.
fn work_bytes(extents: Extents, size: c_int, code: u8) -> Option<i64> {
    let known = work_size(extents.0, extents.1);
    (is_wide(extents) && size >= known).then(|| i64::from(known) * itemsize(code))
}

fn getrf(code: u8, handle: usize, extents: Extents, a: u64, work: u64, of_rows: u64, info: u64) -> c_int {
    let Some(bytes) = work_bytes(extents, c_int::MAX, code) else { return INVALID_VALUE };
    submit("cusolverDnGetrf", handle, move |state| {
        check_work(state, "cusolverDnGetrf", work, bytes)?;
        let a = matrix(a, extents, code);
        let of_rows = pivots(of_rows, a.rows.min(a.columns), 0);
        compute(state, "cusolverDnGetrf", (routine::LU, 0, code), &[a, of_rows])?;
        write_numbers(state, "cusolverDnGetrf (info)", info, &[first_zero(&a)])
    })
}

fn getrs(code: u8, handle: usize, turn: c_int, (of_a, of_b): (Extents, Extents), operands: [u64; 4]) -> c_int {
    let flags = match turn {
        0 => 0,
        1 => routine::TRANSPOSED,
        2 => routine::TRANSPOSED | routine::CONJUGATED,
        _ => return INVALID_VALUE,
    };
    if !is_wide(of_a) || !is_wide(of_b) {
        return INVALID_VALUE;
    }
    submit("cusolverDnGetrs", handle, move |state| {
        let [a, of_rows, b, info] = operands;
        let (a, b) = (matrix(a, of_a, code), matrix(b, of_b, code));
        let of_rows = pivots(of_rows, a.rows, 0);
        compute(state, "cusolverDnGetrs", (routine::LU_SOLVE, flags, code), &[b, a, of_rows])?;
        write_numbers(state, "cusolverDnGetrs (info)", info, &[0])
    })
}

/// Cholesky's factor of one matrix: above the diagonal is the transpose of what is below in the transpose.
pub(super) fn hermitian(first: u64, extents: Extents, code: u8, triangle: c_int) -> Operand {
    Operand { is_turned: triangle == 1, ..matrix(first, extents, code) }
}

fn potrf(
    code: u8,
    handle: usize,
    triangle: c_int,
    extents: Extents,
    (a, work, size): (u64, u64, c_int),
    info: u64,
) -> c_int {
    let Some(bytes) = work_bytes(extents, size, code).filter(|_| (0..=1).contains(&triangle)) else {
        return INVALID_VALUE;
    };
    submit("cusolverDnPotrf", handle, move |state| {
        check_work(state, "cusolverDnPotrf", work, bytes)?;
        let a = hermitian(a, extents, code, triangle);
        let answer = compute(state, "cusolverDnPotrf", (routine::CHOLESKY, 0, code), &[a])?;
        write_numbers(state, "cusolverDnPotrf (info)", info, &[answer as i32])
    })
}

fn geqrf(
    code: u8,
    handle: usize,
    extents: Extents,
    (a, tau): (u64, u64),
    (work, size): (u64, c_int),
    info: u64,
) -> c_int {
    let Some(bytes) = work_bytes(extents, size, code) else { return INVALID_VALUE };
    submit("cusolverDnGeqrf", handle, move |state| {
        check_work(state, "cusolverDnGeqrf", work, bytes)?;
        let a = matrix(a, extents, code);
        let tau = Operand::vector(tau, a.rows.min(a.columns), code);
        compute(state, "cusolverDnGeqrf", (routine::QR, 0, code), &[a, tau])?;
        write_numbers(state, "cusolverDnGeqrf (info)", info, &[0])
    })
}

fn orgqr(
    code: u8,
    handle: usize,
    (extents, vectors): (Extents, c_int),
    (a, tau): (u64, u64),
    (work, size): (u64, c_int),
    info: u64,
) -> c_int {
    let is_known = (1..=extents.1).contains(&vectors) && extents.1 <= extents.0;
    let Some(bytes) = work_bytes(extents, size, code).filter(|_| is_known) else { return INVALID_VALUE };
    submit("cusolverDnOrgqr", handle, move |state| {
        check_work(state, "cusolverDnOrgqr", work, bytes)?;
        let (a, tau) = (matrix(a, extents, code), Operand::vector(tau, i64::from(vectors), code));
        compute(state, "cusolverDnOrgqr", (routine::Q, 0, code), &[a, tau])?;
        write_numbers(state, "cusolverDnOrgqr (info)", info, &[0])
    })
}

fn syevd(
    code: u8,
    handle: usize,
    (vectors, triangle): (c_int, c_int),
    extents: Extents,
    (a, values): (u64, u64),
    (work, size): (u64, c_int),
    info: u64,
) -> c_int {
    let Some(bytes) = work_bytes(extents, size, code).filter(|_| triangle == 0) else { return INVALID_VALUE };
    submit("cusolverDnSyevd", handle, move |state| {
        check_work(state, "cusolverDnSyevd", work, bytes)?;
        let which = if vectors == 1 { routine::EIGH } else { routine::EIGVALSH };
        let values = Operand::vector(values, i64::from(extents.1), real(code));
        let answer = compute(state, "cusolverDnSyevd", (which, 0, code), &[matrix(a, extents, code), values])?;
        write_numbers(state, "cusolverDnSyevd (info)", info, &[answer as i32])
    })
}

fn gesvd(
    code: u8,
    handle: usize,
    (of_u, of_v): (c_char, c_char),
    extents: Extents,
    (a, values, info): (u64, u64, u64),
    (u, v): ((u64, c_int), (u64, c_int)),
    (work, size, real_work): (u64, c_int, u64),
) -> c_int {
    let (rows, columns, _) = extents;
    let known = work_bytes((rows, columns, rows.max(1)), size, code);
    // The library's documentation: only of matrices that have as many rows as columns, or more.
    let is_known = is_wide(extents) && rows >= columns && of_u == of_v && b"NSA".contains(&(of_u as u8));
    let Some(bytes) = known.filter(|_| is_known) else { return INVALID_VALUE };
    let wanted = of_u as u8;
    if wanted != b'N' && (u.1 < rows.max(1) || v.1 < columns.max(1)) {
        return INVALID_VALUE;
    }
    submit("cusolverDnGesvd", handle, move |state| {
        check_work(state, "cusolverDnGesvd", work, bytes)?;
        check_work(state, "cusolverDnGesvd", real_work, i64::from(columns) * itemsize(real(code)))?;
        let (a, values) = (matrix(a, extents, code), Operand::vector(values, i64::from(columns), real(code)));
        let answer = if wanted == b'N' {
            compute(state, "cusolverDnGesvd", (routine::SVDVALS, 0, code), &[a, values])?
        } else {
            let width = if wanted == b'A' { rows } else { columns };
            let (u, v) = (matrix(u.0, (rows, width, u.1), code), matrix(v.0, (columns, columns, v.1), code));
            compute(state, "cusolverDnGesvd", (routine::SVD, 0, code), &[a, values, u, v])?
        };
        write_numbers(state, "cusolverDnGesvd (info)", info, &[answer as i32])
    })
}

macro_rules! functions {
    ($($which:literal:
        $getrf_size:ident $getrf:ident $getrs:ident $potrf_size:ident $potrf:ident $geqrf_size:ident $geqrf:ident $orgqr_size:ident $orgqr:ident
        $syevd_size:ident $syevd:ident $gesvd_size:ident $gesvd:ident;)*) => {$(
        /// # Safety
        /// As the library's function.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $getrf_size(_: usize, rows: c_int, columns: c_int, _: u64, lead: c_int, size: *mut c_int) -> c_int {
            tell(size, (rows, columns, lead))
        }

        /// # Safety
        /// As the library's function.
        #[unsafe(no_mangle)]
        #[allow(clippy::too_many_arguments)]
        pub unsafe extern "C" fn $getrf(
            handle: usize, rows: c_int, columns: c_int, a: u64, lead: c_int, work: u64, pivots: u64, info: u64,
        ) -> c_int {
            getrf(DTYPES[$which], handle, (rows, columns, lead), a, work, pivots, info)
        }

        /// # Safety
        /// As the library's function.
        #[unsafe(no_mangle)]
        #[allow(clippy::too_many_arguments)]
        pub unsafe extern "C" fn $getrs(
            handle: usize, turn: c_int, n: c_int, columns: c_int, a: u64, lead: c_int, pivots: u64, b: u64, lead_of_b: c_int, info: u64,
        ) -> c_int {
            getrs(DTYPES[$which], handle, turn, ((n, n, lead), (n, columns, lead_of_b)), [a, pivots, b, info])
        }

        /// # Safety
        /// As the library's function.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $potrf_size(_: usize, _: c_int, n: c_int, _: u64, lead: c_int, size: *mut c_int) -> c_int {
            tell(size, (n, n, lead))
        }

        /// # Safety
        /// As the library's function.
        #[unsafe(no_mangle)]
        #[allow(clippy::too_many_arguments)]
        pub unsafe extern "C" fn $potrf(
            handle: usize, triangle: c_int, n: c_int, a: u64, lead: c_int, work: u64, size: c_int, info: u64,
        ) -> c_int {
            potrf(DTYPES[$which], handle, triangle, (n, n, lead), (a, work, size), info)
        }

        /// # Safety
        /// As the library's function.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $geqrf_size(_: usize, rows: c_int, columns: c_int, _: u64, lead: c_int, size: *mut c_int) -> c_int {
            tell(size, (rows, columns, lead))
        }

        /// # Safety
        /// As the library's function.
        #[unsafe(no_mangle)]
        #[allow(clippy::too_many_arguments)]
        pub unsafe extern "C" fn $geqrf(
            handle: usize, rows: c_int, columns: c_int, a: u64, lead: c_int, tau: u64, work: u64, size: c_int, info: u64,
        ) -> c_int {
            geqrf(DTYPES[$which], handle, (rows, columns, lead), (a, tau), (work, size), info)
        }

        /// # Safety
        /// As the library's function.
        #[unsafe(no_mangle)]
        #[allow(clippy::too_many_arguments)]
        pub unsafe extern "C" fn $orgqr_size(
            _: usize, rows: c_int, columns: c_int, _: c_int, _: u64, lead: c_int, _: u64, size: *mut c_int,
        ) -> c_int {
            tell(size, (rows, columns, lead))
        }

        /// # Safety
        /// As the library's function.
        #[unsafe(no_mangle)]
        #[allow(clippy::too_many_arguments)]
        pub unsafe extern "C" fn $orgqr(
            handle: usize, rows: c_int, columns: c_int, vectors: c_int, a: u64, lead: c_int, tau: u64, work: u64, size: c_int, info: u64,
        ) -> c_int {
            orgqr(DTYPES[$which], handle, ((rows, columns, lead), vectors), (a, tau), (work, size), info)
        }

        /// # Safety
        /// As the library's function.
        #[unsafe(no_mangle)]
        #[allow(clippy::too_many_arguments)]
        pub unsafe extern "C" fn $syevd_size(
            _: usize, _: c_int, _: c_int, n: c_int, _: u64, lead: c_int, _: u64, size: *mut c_int,
        ) -> c_int {
            tell(size, (n, n, lead))
        }

        /// # Safety
        /// As the library's function.
        #[unsafe(no_mangle)]
        #[allow(clippy::too_many_arguments)]
        pub unsafe extern "C" fn $syevd(
            handle: usize, vectors: c_int, triangle: c_int, n: c_int, a: u64, lead: c_int, values: u64, work: u64, size: c_int, info: u64,
        ) -> c_int {
            syevd(DTYPES[$which], handle, (vectors, triangle), (n, n, lead), (a, values), (work, size), info)
        }

        /// # Safety
        /// As the library's function.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $gesvd_size(_: usize, rows: c_int, columns: c_int, size: *mut c_int) -> c_int {
            tell(size, (rows, columns, rows.max(1)))
        }

        /// # Safety
        /// As the library's function.
        #[unsafe(no_mangle)]
        #[allow(clippy::too_many_arguments)]
        pub unsafe extern "C" fn $gesvd(
            handle: usize, of_u: c_char, of_v: c_char, rows: c_int, columns: c_int, a: u64, lead: c_int, values: u64, u: u64,
            lead_of_u: c_int, v: u64, lead_of_v: c_int, work: u64, size: c_int, real_work: u64, info: u64,
        ) -> c_int {
            let (vectors, work) = (((u, lead_of_u), (v, lead_of_v)), (work, size, real_work));
            gesvd(DTYPES[$which], handle, (of_u, of_v), (rows, columns, lead), (a, values, info), vectors, work)
        }
    )*};
}

functions! {
    0: cusolverDnSgetrf_bufferSize cusolverDnSgetrf cusolverDnSgetrs cusolverDnSpotrf_bufferSize cusolverDnSpotrf
       cusolverDnSgeqrf_bufferSize cusolverDnSgeqrf cusolverDnSorgqr_bufferSize cusolverDnSorgqr
       cusolverDnSsyevd_bufferSize cusolverDnSsyevd cusolverDnSgesvd_bufferSize cusolverDnSgesvd;
    1: cusolverDnDgetrf_bufferSize cusolverDnDgetrf cusolverDnDgetrs cusolverDnDpotrf_bufferSize cusolverDnDpotrf
       cusolverDnDgeqrf_bufferSize cusolverDnDgeqrf cusolverDnDorgqr_bufferSize cusolverDnDorgqr
       cusolverDnDsyevd_bufferSize cusolverDnDsyevd cusolverDnDgesvd_bufferSize cusolverDnDgesvd;
    2: cusolverDnCgetrf_bufferSize cusolverDnCgetrf cusolverDnCgetrs cusolverDnCpotrf_bufferSize cusolverDnCpotrf
       cusolverDnCgeqrf_bufferSize cusolverDnCgeqrf cusolverDnCungqr_bufferSize cusolverDnCungqr
       cusolverDnCheevd_bufferSize cusolverDnCheevd cusolverDnCgesvd_bufferSize cusolverDnCgesvd;
    3: cusolverDnZgetrf_bufferSize cusolverDnZgetrf cusolverDnZgetrs cusolverDnZpotrf_bufferSize cusolverDnZpotrf
       cusolverDnZgeqrf_bufferSize cusolverDnZgeqrf cusolverDnZungqr_bufferSize cusolverDnZungqr
       cusolverDnZheevd_bufferSize cusolverDnZheevd cusolverDnZgesvd_bufferSize cusolverDnZgesvd;
}
