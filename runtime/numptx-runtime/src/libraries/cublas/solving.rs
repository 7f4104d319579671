//! cuBLAS: equations and factors of many small matrices at once, and triangular equations.
//!
//! In: matrices by columns in a device's memory, or arrays of pointers to them there. Out: what is to be computed is queued on the call's stream.
//! Source: NVIDIA, «cuBLAS Library», chapters 2.7.19 (`trsm`) and 2.8 (batched extensions).

use std::ffi::{c_int, c_void};

use super::{Aligned, Cublas, checked, kind, on_stream};
use crate::call::CallState;
use crate::device::Device;
use crate::error::Result;
use crate::libraries::functions::functions_by_dtype;

functions_by_dtype! {
    /// Functions of many matrices, which take arrays of pointers; and `trsm`. `info` of `getrs` and `geqrf` is on the host.
    Solving;
    getrf = [c"cublasSgetrfBatched", c"cublasDgetrfBatched", c"cublasCgetrfBatched", c"cublasZgetrfBatched"] (
        n: c_int, a: *const *mut c_void, lead: c_int, pivots: *mut c_int, info: *mut c_int, count: c_int);
    getrs = [c"cublasSgetrsBatched", c"cublasDgetrsBatched", c"cublasCgetrsBatched", c"cublasZgetrsBatched"] (
        turn: c_int, n: c_int, columns: c_int, a: *const *mut c_void, lead: c_int, pivots: *const c_int, b: *const *mut c_void,
        lead_of_b: c_int, info: *mut c_int, count: c_int);
    geqrf = [c"cublasSgeqrfBatched", c"cublasDgeqrfBatched", c"cublasCgeqrfBatched", c"cublasZgeqrfBatched"] (
        rows: c_int, columns: c_int, a: *const *mut c_void, lead: c_int, tau: *const *mut c_void, info: *mut c_int, count: c_int);
    trsm = [c"cublasStrsm_v2_64", c"cublasDtrsm_v2_64", c"cublasCtrsm_v2_64", c"cublasZtrsm_v2_64"] (
        side: c_int, triangle: c_int, turn: c_int, diagonal: c_int, rows: i64, columns: i64, alpha: *const c_void, a: *const c_void,
        lead: i64, b: *mut c_void, lead_of_b: i64);
    trsm_batched = [c"cublasStrsmBatched_64", c"cublasDtrsmBatched_64", c"cublasCtrsmBatched_64", c"cublasZtrsmBatched_64"] (
        side: c_int, triangle: c_int, turn: c_int, diagonal: c_int, rows: i64, columns: i64, alpha: *const c_void,
        a: *const *mut c_void, lead: i64, b: *const *mut c_void, lead_of_b: i64, count: i64);
}

/// A handle for matrices of a dtype, set to the call's stream.
pub(crate) struct Session {
    pub(crate) functions: &'static Solving,
    /// What the functions take first.
    pub(crate) with: (*mut c_void, usize),
    library: &'static Cublas,
}

/// Runs something with a handle. `None`: cuBLAS is not to be had, or not for this dtype; then nothing is done. The device's context is current.
pub(crate) fn session<T>(
    call: &CallState,
    device: &'static Device,
    dtype: u8,
    run: impl FnOnce(&Session) -> Result<T>,
) -> Result<Option<T>> {
    let Some(dtype) = kind(dtype) else { return Ok(None) };
    on_stream(call, device, |library, handle| {
        run(&Session { functions: &library.solving, with: (handle.0.cast(), dtype), library })
    })
}

/// Square matrices by columns: the first element, elements from one column to the next, and from one matrix to the next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Squares {
    pub(crate) first: *mut c_void,
    pub(crate) lead: i64,
    pub(crate) each: i64,
}

impl Session {
    /// One, of the dtype.
    pub(crate) fn with_one<T>(&self, run: impl FnOnce(*const c_void) -> T) -> T {
        let (single, double) = (Aligned([1f32, 0.0]), Aligned([1f64, 0.0]));
        run(if self.with.1.is_multiple_of(2) { single.0.as_ptr().cast() } else { double.0.as_ptr().cast() })
    }

    /// `count` matrices of `n` rows, transposed and conjugated. `identity`: such a matrix, with which they are multiplied.
    ///
    /// # Safety
    /// All lie in the device's memory, and the results share none with the others.
    pub(crate) unsafe fn adjoint(
        &self,
        n: i64,
        count: i64,
        from: Squares,
        identity: *const c_void,
        to: Squares,
    ) -> Result<()> {
        const CONJUGATED: c_int = 2;
        let (handle, dtype) = self.with;
        let zero = Aligned([0f64; 2]);
        let zero = zero.0.as_ptr().cast();
        let code = self.with_one(|one| {
            // SAFETY: as the caller promises; the numbers are read before the call returns.
            unsafe {
                (self.library.gemm_batched[dtype])(
                    handle.cast(),
                    CONJUGATED,
                    0,
                    n,
                    n,
                    n,
                    one,
                    from.first,
                    from.lead,
                    from.each,
                    identity,
                    n,
                    0,
                    zero,
                    to.first,
                    to.lead,
                    to.each,
                    count,
                )
            }
        });
        if code == 0 { Ok(()) } else { checked("cublasXgemmStridedBatched", code) }
    }
}
