//! A stand-in of cuBLAS: equations and factors of many matrices, and triangular equations.
//!
//! In: matrices by columns, or pointers to them in the mock's memory. Out: as [`crate::cublas`].

use std::ffi::{c_int, c_void};

use numptx_abi::{dtype, routine};

use crate::cublas::{INVALID_VALUE, submit};
use crate::mathematics::{DTYPES, Operand, addresses, compute, first_zero, write_numbers};
use crate::state::{Code, State};
use crate::work::pointer;

const MOST_AT_ONCE: c_int = 65_535;

/// Flags of a routine that takes a matrix as an operation says.
fn turned(turn: c_int) -> u32 {
    [0, routine::TRANSPOSED, routine::TRANSPOSED | routine::CONJUGATED][turn as usize]
}

/// A vector of pivots.
pub(crate) fn pivots(first: u64, length: i64, index: i64) -> Operand {
    Operand::vector(first, length, dtype::INT32).packed(index)
}

fn getrf(code: u8, handle: usize, (n, lead): (c_int, c_int), a: u64, of_rows: u64, infos: u64, count: c_int) -> c_int {
    if n < 0 || lead < n.max(1) || !(0..=MOST_AT_ONCE).contains(&count) {
        return INVALID_VALUE;
    }
    let (n, count) = (i64::from(n), i64::from(count));
    submit("cublasGetrfBatched", handle, move |state| {
        let mut found = Vec::new();
        for (index, first) in addresses(state, "cublasGetrfBatched (pointers)", a, count)?.into_iter().enumerate() {
            let a = Operand::matrix(first, (n, n), i64::from(lead), code);
            let of_rows = pivots(of_rows, n, index as i64);
            compute(state, "cublasGetrfBatched", (routine::LU, 0, code), &[a, of_rows])?;
            found.push(first_zero(&a));
        }
        write_numbers(state, "cublasGetrfBatched (info)", infos, &found)
    })
}

struct Equations {
    turn: c_int,
    n: c_int,
    columns: c_int,
    lead: c_int,
    lead_of_b: c_int,
    count: c_int,
}

fn getrs(code: u8, handle: usize, what: Equations, a: u64, of_rows: u64, b: u64) -> c_int {
    let Equations { turn, n, columns, lead, lead_of_b, count } = what;
    let is_wide = lead >= n.max(1) && lead_of_b >= n.max(1);
    if !(0..=2).contains(&turn) || n < 0 || columns < 0 || !is_wide || !(0..=MOST_AT_ONCE).contains(&count) {
        return INVALID_VALUE;
    }
    let (n, columns, count) = (i64::from(n), i64::from(columns), i64::from(count));
    submit("cublasGetrsBatched", handle, move |state| {
        let of_a = addresses(state, "cublasGetrsBatched (pointers)", a, count)?;
        let of_b = addresses(state, "cublasGetrsBatched (pointers)", b, count)?;
        for (index, (a, b)) in of_a.into_iter().zip(of_b).enumerate() {
            let a = Operand::matrix(a, (n, n), i64::from(lead), code);
            let b = Operand::matrix(b, (n, columns), i64::from(lead_of_b), code);
            let of_rows = pivots(of_rows, n, index as i64);
            compute(state, "cublasGetrsBatched", (routine::LU_SOLVE, turned(turn), code), &[b, a, of_rows])?;
        }
        Ok(())
    })
}

fn geqrf(
    code: u8,
    handle: usize,
    (rows, columns, lead): (c_int, c_int, c_int),
    a: u64,
    tau: u64,
    count: c_int,
) -> c_int {
    if rows < 0 || columns < 0 || lead < rows.max(1) || !(0..=MOST_AT_ONCE).contains(&count) {
        return INVALID_VALUE;
    }
    let (rows, columns, count) = (i64::from(rows), i64::from(columns), i64::from(count));
    submit("cublasGeqrfBatched", handle, move |state| {
        let of_a = addresses(state, "cublasGeqrfBatched (pointers)", a, count)?;
        let of_tau = addresses(state, "cublasGeqrfBatched (pointers)", tau, count)?;
        for (a, tau) in of_a.into_iter().zip(of_tau) {
            let a = Operand::matrix(a, (rows, columns), i64::from(lead), code);
            let tau = Operand::vector(tau, rows.min(columns), code);
            compute(state, "cublasGeqrfBatched", (routine::QR, 0, code), &[a, tau])?;
        }
        Ok(())
    })
}

/// Which triangular matrix, and how it is taken.
#[derive(Clone, Copy)]
struct Triangle {
    side: c_int,
    triangle: c_int,
    turn: c_int,
    diagonal: c_int,
    rows: i64,
    columns: i64,
    lead: i64,
    lead_of_b: i64,
}

impl Triangle {
    fn is_known(&self) -> bool {
        let is_wide = self.lead >= self.rows.max(1) && self.lead_of_b >= self.rows.max(1);
        let choices = [self.triangle, self.diagonal].iter().all(|choice| (0..=1).contains(choice));
        self.side == 0 && choices && (0..=2).contains(&self.turn) && self.rows >= 0 && self.columns >= 0 && is_wide
    }

    fn flags(&self) -> u32 {
        let lower = if self.triangle == 0 { routine::LOWER } else { 0 };
        let unit = if self.diagonal == 1 { routine::UNIT } else { 0 };
        lower | unit | turned(self.turn)
    }

    /// Solves one. Without an inverse the library divides by zero.
    fn solve(&self, state: &mut State, code: u8, a: u64, b: u64) -> Result<(), Code> {
        let a = Operand::matrix(a, (self.rows, self.rows), self.lead, code);
        let b = Operand::matrix(b, (self.rows, self.columns), self.lead_of_b, code);
        if compute(state, "cublasTrsm", (routine::TRIANGULAR, self.flags(), code), &[b, a])? != 0 {
            for column in 0..self.columns {
                let at = pointer(b.first.wrapping_add_signed(column * b.lead * b.itemsize));
                // SAFETY: the column is in live memory, which was checked; all bits set are no number.
                unsafe { at.write_bytes(0xff, (b.rows * b.itemsize) as usize) };
            }
        }
        Ok(())
    }
}

/// Whether a number is one.
///
/// # Safety
/// There is an element of this dtype.
unsafe fn is_one(code: u8, alpha: *const c_void) -> bool {
    // SAFETY: as the caller promises.
    unsafe {
        match code {
            dtype::FLOAT32 => alpha.cast::<f32>().read() == 1.0,
            dtype::FLOAT64 => alpha.cast::<f64>().read() == 1.0,
            dtype::COMPLEX64 => alpha.cast::<[f32; 2]>().read() == [1.0, 0.0],
            _ => alpha.cast::<[f64; 2]>().read() == [1.0, 0.0],
        }
    }
}

macro_rules! functions {
    ($($which:literal: $getrf:ident, $getrs:ident, $geqrf:ident, $trsm:ident, $trsm_batched:ident;)*) => {$(
        /// # Safety
        /// As the library's function.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $getrf(
            handle: usize, n: c_int, a: u64, lead: c_int, pivots: u64, info: u64, count: c_int,
        ) -> c_int {
            getrf(DTYPES[$which], handle, (n, lead), a, pivots, info, count)
        }

        /// # Safety
        /// As the library's function.
        #[unsafe(no_mangle)]
        #[allow(clippy::too_many_arguments)]
        pub unsafe extern "C" fn $getrs(
            handle: usize, turn: c_int, n: c_int, columns: c_int, a: u64, lead: c_int, pivots: u64, b: u64, lead_of_b: c_int,
            info: *mut c_int, count: c_int,
        ) -> c_int {
            // SAFETY: as the caller promises: a number on the host.
            unsafe { info.write(0) };
            getrs(DTYPES[$which], handle, Equations { turn, n, columns, lead, lead_of_b, count }, a, pivots, b)
        }

        /// # Safety
        /// As the library's function.
        #[unsafe(no_mangle)]
        #[allow(clippy::too_many_arguments)]
        pub unsafe extern "C" fn $geqrf(
            handle: usize, rows: c_int, columns: c_int, a: u64, lead: c_int, tau: u64, info: *mut c_int, count: c_int,
        ) -> c_int {
            // SAFETY: as the caller promises: a number on the host.
            unsafe { info.write(0) };
            geqrf(DTYPES[$which], handle, (rows, columns, lead), a, tau, count)
        }

        /// # Safety
        /// As the library's function; `alpha` is 1, and the matrix stands on the left.
        #[unsafe(no_mangle)]
        #[allow(clippy::too_many_arguments)]
        pub unsafe extern "C" fn $trsm(
            handle: usize, side: c_int, triangle: c_int, turn: c_int, diagonal: c_int, rows: i64, columns: i64, alpha: *const c_void,
            a: u64, lead: i64, b: u64, lead_of_b: i64,
        ) -> c_int {
            let what = Triangle { side, triangle, turn, diagonal, rows, columns, lead, lead_of_b };
            // SAFETY: as the caller promises.
            if !what.is_known() || !unsafe { is_one(DTYPES[$which], alpha) } {
                return INVALID_VALUE;
            }
            submit("cublasTrsm", handle, move |state| what.solve(state, DTYPES[$which], a, b))
        }

        /// # Safety
        /// As the library's function; `alpha` is 1, and the matrices stand on the left.
        #[unsafe(no_mangle)]
        #[allow(clippy::too_many_arguments)]
        pub unsafe extern "C" fn $trsm_batched(
            handle: usize, side: c_int, triangle: c_int, turn: c_int, diagonal: c_int, rows: i64, columns: i64, alpha: *const c_void,
            a: u64, lead: i64, b: u64, lead_of_b: i64, count: i64,
        ) -> c_int {
            let what = Triangle { side, triangle, turn, diagonal, rows, columns, lead, lead_of_b };
            // SAFETY: as the caller promises.
            if !what.is_known() || !unsafe { is_one(DTYPES[$which], alpha) } || !(0..=i64::from(MOST_AT_ONCE)).contains(&count) {
                return INVALID_VALUE;
            }
            submit("cublasTrsmBatched", handle, move |state| {
                let of_a = addresses(state, "cublasTrsmBatched (pointers)", a, count)?;
                let of_b = addresses(state, "cublasTrsmBatched (pointers)", b, count)?;
                of_a.into_iter().zip(of_b).try_for_each(|(a, b)| what.solve(state, DTYPES[$which], a, b))
            })
        }
    )*};
}

functions! {
    0: cublasSgetrfBatched, cublasSgetrsBatched, cublasSgeqrfBatched, cublasStrsm_v2_64, cublasStrsmBatched_64;
    1: cublasDgetrfBatched, cublasDgetrsBatched, cublasDgeqrfBatched, cublasDtrsm_v2_64, cublasDtrsmBatched_64;
    2: cublasCgetrfBatched, cublasCgetrsBatched, cublasCgeqrfBatched, cublasCtrsm_v2_64, cublasCtrsmBatched_64;
    3: cublasZgetrfBatched, cublasZgetrsBatched, cublasZgeqrfBatched, cublasZtrsm_v2_64, cublasZtrsmBatched_64;
}
