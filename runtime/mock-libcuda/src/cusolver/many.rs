//! Decompositions of many matrices at once, and eigenvalues and singular values of many tiny ones, which follow each other.

use std::ffi::c_int;

use numptx_abi::{Matrix, MatrixOperand, routine};

use super::one::hermitian;
use super::{INVALID_VALUE, are_parameters, check_work, submit, work_size};
use crate::mathematics::{
    DTYPES, Operand, addresses, compute, compute_unchecked, is_complex, itemsize, real, write_numbers,
};
use crate::state::{Code, State};
use crate::work::pointer;

/// Rows and columns of tiny matrices, at most.
const TINY: c_int = 32;

fn potrf(
    code: u8,
    handle: usize,
    (triangle, n, lead): (c_int, c_int, c_int),
    a: u64,
    infos: u64,
    count: c_int,
) -> c_int {
    if !(0..=1).contains(&triangle) || n < 0 || lead < n.max(1) || count < 0 {
        return INVALID_VALUE;
    }
    submit("cusolverDnPotrfBatched", handle, move |state| {
        let mut found = Vec::new();
        for first in addresses(state, "cusolverDnPotrfBatched (pointers)", a, i64::from(count))? {
            let a = hermitian(first, (n, n, lead), code, triangle);
            found.push(compute(state, "cusolverDnPotrfBatched", (routine::CHOLESKY, 0, code), &[a])? as i32);
        }
        write_numbers(state, "cusolverDnPotrfBatched (info)", infos, &found)
    })
}

/// Many tiny matrices.
#[derive(Clone, Copy)]
struct Tiny {
    vectors: c_int,
    rows: c_int,
    columns: c_int,
    lead: c_int,
    count: c_int,
}

impl Tiny {
    fn is_known(&self) -> bool {
        let is_tiny = [self.rows, self.columns].iter().all(|n| (1..=TINY).contains(n));
        (0..=1).contains(&self.vectors) && is_tiny && self.lead >= self.rows && self.count >= 0
    }

    fn size(&self) -> c_int {
        work_size(self.rows, self.columns) * self.count.max(1)
    }

    fn tell(&self, size: *mut c_int) -> c_int {
        if !self.is_known() {
            return INVALID_VALUE;
        }
        // SAFETY: a number of the caller's.
        unsafe { size.write(self.size()) };
        0
    }

    fn matrix(&self, first: u64, code: u8) -> Operand {
        Operand::matrix(first, (i64::from(self.rows), i64::from(self.columns)), i64::from(self.lead), code)
    }
}

fn syevj(
    code: u8,
    handle: usize,
    what: Tiny,
    (a, values): (u64, u64),
    (work, size): (u64, c_int),
    infos: u64,
) -> c_int {
    if !what.is_known() || size < what.size() {
        return INVALID_VALUE;
    }
    let bytes = i64::from(what.size()) * itemsize(code);
    submit("cusolverDnSyevjBatched", handle, move |state| {
        check_work(state, "cusolverDnSyevjBatched", work, bytes)?;
        let which = if what.vectors == 1 { routine::EIGH } else { routine::EIGVALSH };
        let mut found = Vec::new();
        for index in 0..i64::from(what.count) {
            let a = what.matrix(a, code).packed(index);
            let values = Operand::vector(values, a.rows, real(code)).packed(index);
            found.push(compute(state, "cusolverDnSyevjBatched", (which, 0, code), &[a, values])? as i32);
        }
        write_numbers(state, "cusolverDnSyevjBatched (info)", infos, &found)
    })
}

/// Where vectors go, and their leading dimensions.
type Vectors = ((u64, c_int), (u64, c_int));

fn gesvdj(
    code: u8,
    handle: usize,
    what: Tiny,
    (a, values, infos): (u64, u64, u64),
    vectors: Vectors,
    (work, size): (u64, c_int),
) -> c_int {
    let is_wide = vectors.0.1 >= what.rows && vectors.1.1 >= what.columns;
    if !what.is_known() || size < what.size() || !is_wide {
        return INVALID_VALUE;
    }
    let bytes = i64::from(what.size()) * itemsize(code);
    submit("cusolverDnGesvdjBatched", handle, move |state| {
        check_work(state, "cusolverDnGesvdjBatched", work, bytes)?;
        let mut found = Vec::new();
        for index in 0..i64::from(what.count) {
            let a = what.matrix(a, code).packed(index);
            let values = Operand::vector(values, a.rows.min(a.columns), real(code)).packed(index);
            found.push(one(state, code, (a, values), (vectors, what.vectors == 1), index)? as i32);
        }
        write_numbers(state, "cusolverDnGesvdjBatched (info)", infos, &found)
    })
}

/// All left vectors, and all right ones: not their adjoint.
fn one(
    state: &mut State,
    code: u8,
    (a, values): (Operand, Operand),
    ((left, right), are_wanted): (Vectors, bool),
    index: i64,
) -> Result<i64, Code> {
    const WHAT: &str = "cusolverDnGesvdjBatched";
    if !are_wanted {
        return compute(state, WHAT, (routine::SVDVALS, 0, code), &[a, values]);
    }
    let u = Operand::matrix(left.0, (a.rows, a.rows), i64::from(left.1), code).packed(index);
    let v = Operand::matrix(right.0, (a.columns, a.columns), i64::from(right.1), code).packed(index);
    // The right ones' adjoint is the conjugate of their transpose.
    let v = Operand { is_turned: true, ..v };
    let answer = compute(state, WHAT, (routine::SVD, 0, code), &[a, values, u, v])?;
    if is_complex(code) {
        let part = itemsize(code) / 2;
        for n in 0..v.columns * v.rows {
            let element = (n / v.rows * v.lead + n % v.rows) * itemsize(code);
            let imaginary = pointer(v.first.wrapping_add_signed(element + part));
            // SAFETY: the element was just written; the sign is in its last byte.
            unsafe { *imaginary.add(part as usize - 1) ^= 0x80 };
        }
    }
    Ok(answer)
}

/// Eigenvalues and vectors of one matrix of any kind, in the host's memory.
pub(super) fn eigen(state: &mut State, code: u8, a: MatrixOperand, values: *mut u8, vectors: Option<*mut u8>) -> i64 {
    let n = a.rows;
    let by_columns =
        |first: *mut u8, columns: i64| MatrixOperand { matrix: Matrix { first, row: 1, column: n }, rows: n, columns };
    let values = by_columns(values, 1);
    match vectors {
        None => compute_unchecked(state, "cusolverDnXgeev", (routine::EIGVALS, 0, code), &[a, values]),
        Some(vectors) => {
            let operands = [a, values, by_columns(vectors, n)];
            compute_unchecked(state, "cusolverDnXgeev", (routine::EIG, 0, code), &operands)
        }
    }
}

macro_rules! functions {
    ($($which:literal: $potrf:ident $syevj_size:ident $syevj:ident $gesvdj_size:ident $gesvdj:ident;)*) => {$(
        /// # Safety
        /// As the library's function.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $potrf(
            handle: usize, triangle: c_int, n: c_int, a: u64, lead: c_int, infos: u64, count: c_int,
        ) -> c_int {
            potrf(DTYPES[$which], handle, (triangle, n, lead), a, infos, count)
        }

        /// # Safety
        /// As the library's function.
        #[unsafe(no_mangle)]
        #[allow(clippy::too_many_arguments)]
        pub unsafe extern "C" fn $syevj_size(
            _: usize, vectors: c_int, triangle: c_int, n: c_int, _: u64, lead: c_int, _: u64, size: *mut c_int, parameters: usize,
            count: c_int,
        ) -> c_int {
            if triangle != 0 || !are_parameters(parameters, "cusolverDnCreateSyevjInfo") {
                return INVALID_VALUE;
            }
            Tiny { vectors, rows: n, columns: n, lead, count }.tell(size)
        }

        /// # Safety
        /// As the library's function.
        #[unsafe(no_mangle)]
        #[allow(clippy::too_many_arguments)]
        pub unsafe extern "C" fn $syevj(
            handle: usize, vectors: c_int, triangle: c_int, n: c_int, a: u64, lead: c_int, values: u64, work: u64, size: c_int,
            infos: u64, parameters: usize, count: c_int,
        ) -> c_int {
            if triangle != 0 || !are_parameters(parameters, "cusolverDnCreateSyevjInfo") {
                return INVALID_VALUE;
            }
            let what = Tiny { vectors, rows: n, columns: n, lead, count };
            syevj(DTYPES[$which], handle, what, (a, values), (work, size), infos)
        }

        /// # Safety
        /// As the library's function.
        #[unsafe(no_mangle)]
        #[allow(clippy::too_many_arguments)]
        pub unsafe extern "C" fn $gesvdj_size(
            _: usize, vectors: c_int, rows: c_int, columns: c_int, _: u64, lead: c_int, _: u64, _: u64, _: c_int, _: u64, _: c_int,
            size: *mut c_int, parameters: usize, count: c_int,
        ) -> c_int {
            if !are_parameters(parameters, "cusolverDnCreateGesvdjInfo") {
                return INVALID_VALUE;
            }
            Tiny { vectors, rows, columns, lead, count }.tell(size)
        }

        /// # Safety
        /// As the library's function.
        #[unsafe(no_mangle)]
        #[allow(clippy::too_many_arguments)]
        pub unsafe extern "C" fn $gesvdj(
            handle: usize, vectors: c_int, rows: c_int, columns: c_int, a: u64, lead: c_int, values: u64, u: u64, lead_of_u: c_int,
            v: u64, lead_of_v: c_int, work: u64, size: c_int, infos: u64, parameters: usize, count: c_int,
        ) -> c_int {
            if !are_parameters(parameters, "cusolverDnCreateGesvdjInfo") {
                return INVALID_VALUE;
            }
            let what = Tiny { vectors, rows, columns, lead, count };
            gesvdj(DTYPES[$which], handle, what, (a, values, infos), ((u, lead_of_u), (v, lead_of_v)), (work, size))
        }
    )*};
}

functions! {
    0: cusolverDnSpotrfBatched cusolverDnSsyevjBatched_bufferSize cusolverDnSsyevjBatched
       cusolverDnSgesvdjBatched_bufferSize cusolverDnSgesvdjBatched;
    1: cusolverDnDpotrfBatched cusolverDnDsyevjBatched_bufferSize cusolverDnDsyevjBatched
       cusolverDnDgesvdjBatched_bufferSize cusolverDnDgesvdjBatched;
    2: cusolverDnCpotrfBatched cusolverDnCheevjBatched_bufferSize cusolverDnCheevjBatched
       cusolverDnCgesvdjBatched_bufferSize cusolverDnCgesvdjBatched;
    3: cusolverDnZpotrfBatched cusolverDnZheevjBatched_bufferSize cusolverDnZheevjBatched
       cusolverDnZgesvdjBatched_bufferSize cusolverDnZgesvdjBatched;
}
