//! cuBLAS: products of matrices on a GPU, in the order of a stream.
//!
//! In: matrices as BLAS has them, by columns. Out: their product is queued. Each call has a handle of its own while it is made, and working memory from the
//! stream's pool: so streams do not share any, captures own theirs, and results do not depend on what else runs.
//! Source: NVIDIA, «cuBLAS Library», chapters 2.1 and 2.7.

pub(crate) mod solving;

use std::ffi::{c_int, c_longlong, c_void};

use cudarc::cublas::sys;
use cudarc::driver::sys::CUstream;
use numptx_abi::{dtype, error_kind};

use super::functions::function;
use super::handles::Handles;
use super::open::{Library, Opened};
use super::status::Statuses;
use crate::buffer::BufferRef;
use crate::call::CallState;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::first_use::FirstUse;
use solving::Solving;

const FOLDERS: &[&str] = &["nvidia/cublas/lib", "nvidia/cu13/lib", "nvidia/cu12/lib"];

/// What cuBLAS itself needs, and is packed with.
pub(super) const LIGHT: Library =
    Library { file: "libcublasLt.so", versions: [13, 12], folders: FOLDERS, symbol: c"cublasLtCreate", needs: &[] };

pub(super) const LIBRARY: Library = Library {
    file: "libcublas.so",
    versions: [13, 12],
    folders: FOLDERS,
    symbol: c"cublasCreate_v2",
    needs: &[&LIGHT],
};

/// Bytes of working memory that NVIDIA recommends: of devices from compute capability 9.0 on, and of others.
const WORKSPACE: (i64, i64) = (32 << 20, 4 << 20);

type Create = unsafe extern "C" fn(*mut sys::cublasHandle_t) -> c_int;
type SetStream = unsafe extern "C" fn(sys::cublasHandle_t, CUstream) -> c_int;
type SetWorkspace = unsafe extern "C" fn(sys::cublasHandle_t, *mut c_void, usize) -> c_int;
/// `cublasXgemm_64`; the numbers behind `alpha` and `beta` are of the matrices' dtype.
type Gemm = unsafe extern "C" fn(
    sys::cublasHandle_t,
    c_int,
    c_int,
    i64,
    i64,
    i64,
    *const c_void,
    *const c_void,
    i64,
    *const c_void,
    i64,
    *const c_void,
    *mut c_void,
    i64,
) -> c_int;
/// `cublasXgemmStridedBatched_64`.
type GemmBatched = unsafe extern "C" fn(
    sys::cublasHandle_t,
    c_int,
    c_int,
    i64,
    i64,
    i64,
    *const c_void,
    *const c_void,
    i64,
    c_longlong,
    *const c_void,
    i64,
    c_longlong,
    *const c_void,
    *mut c_void,
    i64,
    c_longlong,
    i64,
) -> c_int;

/// The functions that are used. Products by dtype: `float32`, `float64`, `complex64`, `complex128`.
struct Cublas {
    create: Create,
    set_stream: SetStream,
    set_workspace: SetWorkspace,
    gemm: [Gemm; 4],
    gemm_batched: [GemmBatched; 4],
    solving: Solving,
}

static CUBLAS: FirstUse<Option<Cublas>> = FirstUse::new();

/// Whether it was looked for: what that costs is behind.
pub(crate) fn is_known() -> bool {
    CUBLAS.get().is_some()
}

static HANDLES: Handles<Handle> = Handles::new();

/// A number that the library reads at the alignment of its complex type.
#[repr(align(16))]
struct Aligned<T>([T; 2]);

struct Handle(sys::cublasHandle_t);

// SAFETY: one thread at a time uses a handle, and any may.
unsafe impl Send for Handle {}

/// A matrix of a product: its first element, elements from one column to the next, from one of the batch to the next, and whether it is transposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Matrix {
    pub(crate) first: *mut u8,
    pub(crate) column: i64,
    pub(crate) each: i64,
    pub(crate) is_transposed: bool,
}

impl Matrix {
    /// The same, so many bytes further.
    pub(crate) fn moved(self, bytes: i64) -> Matrix {
        Matrix { first: self.first.wrapping_offset(bytes as isize), ..self }
    }
}

/// `c = a @ b`, `count` times, of `rows` × `summed` and `summed` × `columns` elements of a dtype. `c` is not transposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Product {
    pub(crate) dtype: u8,
    pub(crate) rows: i64,
    pub(crate) columns: i64,
    pub(crate) summed: i64,
    pub(crate) count: i64,
    pub(crate) a: Matrix,
    pub(crate) b: Matrix,
    pub(crate) c: Matrix,
}

/// Queues products on the call's stream; whether that was possible. Otherwise nothing is done.
///
/// # Safety
/// The matrices' elements lie in the device's memory, are the call's to use, and `c` shares none with the others. The device's context is current.
pub(crate) unsafe fn multiply(call: &CallState, device: &'static Device, products: &[Product]) -> Result<bool> {
    let done = on_stream(call, device, |library, handle| {
        // SAFETY: as the caller promises.
        products.iter().try_for_each(|product| unsafe { library.queue(handle, product) })
    })?;
    Ok(done.is_some())
}

/// Runs something with a handle that is set to the call's stream, and has working memory there. `None`: the library is not there, or not for the device, or
/// there is no memory for it; then nothing is done. The device's context is current.
fn on_stream<T>(
    call: &CallState,
    device: &'static Device,
    run: impl FnOnce(&'static Cublas, &Handle) -> Result<T>,
) -> Result<Option<T>> {
    let Ok(library) =
        CUBLAS.get_or_make(|| Ok::<_, std::convert::Infallible>(LIBRARY.open(device.driver).and_then(Cublas::of)));
    let Some(library) = library else { return Ok(None) };
    if HANDLES.are_refused(device) {
        return Ok(None);
    }
    let Some(workspace) = workspace(call, device)? else { return Ok(None) };
    let Some(handle) = HANDLES.take(device, || library.handle()) else { return Ok(None) };
    // Its launches are not ours to repeat.
    call.replay.give_up();
    let bytes = workspace_bytes(device);
    let address = std::ptr::with_exposed_provenance_mut(workspace.address() as usize);
    // SAFETY: the handle is this thread's now; the stream is the call's; the memory lives until the stream has done this.
    let set = unsafe {
        let code = (library.set_stream)(handle.0, call.stream.handle());
        checked("cublasSetStream", code)
            .and_then(|()| checked("cublasSetWorkspace", (library.set_workspace)(handle.0, address, bytes as usize)))
    };
    let done = set.and_then(|()| run(library, &handle));
    HANDLES.give_back(device, handle);
    // Given back in stream order, after what was queued.
    drop(workspace);
    done.map(Some)
}

fn workspace_bytes(device: &Device) -> i64 {
    if device.architecture >= 90 { WORKSPACE.0 } else { WORKSPACE.1 }
}

/// Working memory in the order of the call's stream; one for all products of a call that is captured, which are in order there, too. `None`: there is not as
/// much, and the kernel does without.
fn workspace(call: &CallState, device: &'static Device) -> Result<Option<BufferRef>> {
    let made = || match call.alloc(workspace_bytes(device)) {
        Err(error) if error.kind() == error_kind::MEMORY => Ok(None),
        found => found.map(Some),
    };
    match &call.recording {
        None => made(),
        Some(recording) => recording.products_memory(made),
    }
}

impl Cublas {
    fn of(opened: Opened) -> Option<Cublas> {
        Some(Cublas {
            create: function!(opened, c"cublasCreate_v2", Create)?,
            set_stream: function!(opened, c"cublasSetStream_v2", SetStream)?,
            set_workspace: function!(opened, c"cublasSetWorkspace_v2", SetWorkspace)?,
            gemm: [
                function!(opened, c"cublasSgemm_v2_64", Gemm)?,
                function!(opened, c"cublasDgemm_v2_64", Gemm)?,
                function!(opened, c"cublasCgemm_v2_64", Gemm)?,
                function!(opened, c"cublasZgemm_v2_64", Gemm)?,
            ],
            gemm_batched: [
                function!(opened, c"cublasSgemmStridedBatched_64", GemmBatched)?,
                function!(opened, c"cublasDgemmStridedBatched_64", GemmBatched)?,
                function!(opened, c"cublasCgemmStridedBatched_64", GemmBatched)?,
                function!(opened, c"cublasZgemmStridedBatched_64", GemmBatched)?,
            ],
            solving: Solving::of(opened)?,
        })
    }

    /// A new handle for the device whose context is current, if the library makes one.
    fn handle(&self) -> Option<Handle> {
        crate::waits::before();
        let mut handle: sys::cublasHandle_t = std::ptr::null_mut();
        // SAFETY: writes to a local.
        let code = unsafe { (self.create)(&mut handle) };
        (code == 0).then_some(Handle(handle))
    }

    /// # Safety
    /// As [`multiply`].
    unsafe fn queue(&self, handle: &Handle, product: &Product) -> Result<()> {
        const PLAIN: c_int = sys::cublasOperation_t::CUBLAS_OP_N as c_int;
        const TRANSPOSED: c_int = sys::cublasOperation_t::CUBLAS_OP_T as c_int;
        let Product { rows, columns, summed, count, a, b, c, .. } = *product;
        let which = kind(product.dtype).ok_or_else(|| Error::runtime("cuBLAS has no products of this dtype"))?;
        // One and zero, of every dtype: of a complex number the second part is 0.
        let (one32, one64, zero) = (Aligned([1f32, 0.0]), Aligned([1f64, 0.0]), Aligned([0f64; 2]));
        let one: *const c_void = if which % 2 == 0 { one32.0.as_ptr().cast() } else { one64.0.as_ptr().cast() };
        let zero = zero.0.as_ptr().cast();
        let turned = |matrix: Matrix| if matrix.is_transposed { TRANSPOSED } else { PLAIN };
        let (of_a, of_b) = (a.first.cast_const().cast(), b.first.cast_const().cast());
        let (handle, of_c) = (handle.0, c.first.cast());
        // SAFETY: as the caller promises; the numbers are read before the call returns, which is the mode of a new handle.
        unsafe {
            if count == 1 {
                let function = self.gemm[which];
                let code = function(
                    handle,
                    turned(a),
                    turned(b),
                    rows,
                    columns,
                    summed,
                    one,
                    of_a,
                    a.column,
                    of_b,
                    b.column,
                    zero,
                    of_c,
                    c.column,
                );
                return checked("cublasXgemm", code);
            }
            let function = self.gemm_batched[which];
            let code = function(
                handle,
                turned(a),
                turned(b),
                rows,
                columns,
                summed,
                one,
                of_a,
                a.column,
                a.each,
                of_b,
                b.column,
                b.each,
                zero,
                of_c,
                c.column,
                c.each,
                count,
            );
            checked("cublasXgemmStridedBatched", code)
        }
    }
}

/// Where the tables have a dtype.
pub(crate) fn kind(code: u8) -> Option<usize> {
    [dtype::FLOAT32, dtype::FLOAT64, dtype::COMPLEX64, dtype::COMPLEX128].iter().position(|known| *known == code)
}

const STATUSES: Statuses =
    Statuses { library: "cuBLAS", alloc_failed: sys::cublasStatus_t::CUBLAS_STATUS_ALLOC_FAILED as c_int };

fn checked(call: &str, code: c_int) -> Result<()> {
    STATUSES.check(call, code)
}
