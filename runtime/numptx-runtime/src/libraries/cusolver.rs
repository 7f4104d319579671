//! cuSOLVER: decompositions of dense matrices on a GPU, in the order of a stream.
//!
//! In: matrices as LAPACK has them, by columns, and working memory. Out: their decomposition is queued. A call has a handle of its own while it runs; the
//! next one, on whatever stream, comes after it on the device: the library may keep something with a handle.
//! Source: NVIDIA, «cuSOLVER», chapter 2.4.

use std::ffi::{c_char, c_int, c_void};

use cudarc::driver::sys::CUstream;

use super::cublas;
use super::functions::{function, functions_by_dtype};
use super::handles::Handles;
use super::open::{Library, Opened};
use super::status::Statuses;
use crate::call::CallState;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::event::Event;
use crate::first_use::FirstUse;
use crate::waits;

const LINKER: Library = Library {
    file: "libnvJitLink.so",
    versions: [13, 12],
    folders: &["nvidia/nvjitlink/lib", "nvidia/cu13/lib", "nvidia/cu12/lib"],
    symbol: c"nvJitLinkVersion",
    needs: &[],
};

const CUSPARSE: Library = Library {
    file: "libcusparse.so",
    versions: [12, 12],
    folders: &["nvidia/cusparse/lib", "nvidia/cu13/lib", "nvidia/cu12/lib"],
    symbol: c"cusparseCreate",
    needs: &[],
};

pub(super) const LIBRARY: Library = Library {
    file: "libcusolver.so",
    versions: [12, 11],
    folders: &["nvidia/cusolver/lib", "nvidia/cu13/lib", "nvidia/cu12/lib"],
    symbol: c"cusolverDnCreate",
    needs: &[&LINKER, &cublas::LIGHT, &cublas::LIBRARY, &CUSPARSE],
};

functions_by_dtype! {
    /// Functions of one matrix, and of many that lie one after another or are pointed to. Sizes of working memory are in elements.
    Dense;
    getrf_size = [c"cusolverDnSgetrf_bufferSize", c"cusolverDnDgetrf_bufferSize", c"cusolverDnCgetrf_bufferSize", c"cusolverDnZgetrf_bufferSize"] (
        rows: c_int, columns: c_int, a: *mut c_void, lead: c_int, size: *mut c_int);
    getrf = [c"cusolverDnSgetrf", c"cusolverDnDgetrf", c"cusolverDnCgetrf", c"cusolverDnZgetrf"] (
        rows: c_int, columns: c_int, a: *mut c_void, lead: c_int, work: *mut c_void, pivots: *mut c_int, info: *mut c_int);
    getrs = [c"cusolverDnSgetrs", c"cusolverDnDgetrs", c"cusolverDnCgetrs", c"cusolverDnZgetrs"] (
        turn: c_int, n: c_int, columns: c_int, a: *const c_void, lead: c_int, pivots: *const c_int, b: *mut c_void, lead_of_b: c_int,
        info: *mut c_int);
    potrf_size = [c"cusolverDnSpotrf_bufferSize", c"cusolverDnDpotrf_bufferSize", c"cusolverDnCpotrf_bufferSize", c"cusolverDnZpotrf_bufferSize"] (
        triangle: c_int, n: c_int, a: *mut c_void, lead: c_int, size: *mut c_int);
    potrf = [c"cusolverDnSpotrf", c"cusolverDnDpotrf", c"cusolverDnCpotrf", c"cusolverDnZpotrf"] (
        triangle: c_int, n: c_int, a: *mut c_void, lead: c_int, work: *mut c_void, size: c_int, info: *mut c_int);
    potrf_batched = [c"cusolverDnSpotrfBatched", c"cusolverDnDpotrfBatched", c"cusolverDnCpotrfBatched", c"cusolverDnZpotrfBatched"] (
        triangle: c_int, n: c_int, a: *const *mut c_void, lead: c_int, info: *mut c_int, count: c_int);
    geqrf_size = [c"cusolverDnSgeqrf_bufferSize", c"cusolverDnDgeqrf_bufferSize", c"cusolverDnCgeqrf_bufferSize", c"cusolverDnZgeqrf_bufferSize"] (
        rows: c_int, columns: c_int, a: *mut c_void, lead: c_int, size: *mut c_int);
    geqrf = [c"cusolverDnSgeqrf", c"cusolverDnDgeqrf", c"cusolverDnCgeqrf", c"cusolverDnZgeqrf"] (
        rows: c_int, columns: c_int, a: *mut c_void, lead: c_int, tau: *mut c_void, work: *mut c_void, size: c_int, info: *mut c_int);
    orgqr_size = [c"cusolverDnSorgqr_bufferSize", c"cusolverDnDorgqr_bufferSize", c"cusolverDnCungqr_bufferSize", c"cusolverDnZungqr_bufferSize"] (
        rows: c_int, columns: c_int, vectors: c_int, a: *const c_void, lead: c_int, tau: *const c_void, size: *mut c_int);
    orgqr = [c"cusolverDnSorgqr", c"cusolverDnDorgqr", c"cusolverDnCungqr", c"cusolverDnZungqr"] (
        rows: c_int, columns: c_int, vectors: c_int, a: *mut c_void, lead: c_int, tau: *const c_void, work: *mut c_void, size: c_int,
        info: *mut c_int);
    syevd_size = [c"cusolverDnSsyevd_bufferSize", c"cusolverDnDsyevd_bufferSize", c"cusolverDnCheevd_bufferSize", c"cusolverDnZheevd_bufferSize"] (
        vectors: c_int, triangle: c_int, n: c_int, a: *const c_void, lead: c_int, values: *const c_void, size: *mut c_int);
    syevd = [c"cusolverDnSsyevd", c"cusolverDnDsyevd", c"cusolverDnCheevd", c"cusolverDnZheevd"] (
        vectors: c_int, triangle: c_int, n: c_int, a: *mut c_void, lead: c_int, values: *mut c_void, work: *mut c_void, size: c_int,
        info: *mut c_int);
    syevj_batched_size = [
        c"cusolverDnSsyevjBatched_bufferSize", c"cusolverDnDsyevjBatched_bufferSize",
        c"cusolverDnCheevjBatched_bufferSize", c"cusolverDnZheevjBatched_bufferSize"] (
        vectors: c_int, triangle: c_int, n: c_int, a: *const c_void, lead: c_int, values: *const c_void, size: *mut c_int,
        parameters: *mut c_void, count: c_int);
    syevj_batched = [c"cusolverDnSsyevjBatched", c"cusolverDnDsyevjBatched", c"cusolverDnCheevjBatched", c"cusolverDnZheevjBatched"] (
        vectors: c_int, triangle: c_int, n: c_int, a: *mut c_void, lead: c_int, values: *mut c_void, work: *mut c_void, size: c_int,
        info: *mut c_int, parameters: *mut c_void, count: c_int);
    gesvd_size = [c"cusolverDnSgesvd_bufferSize", c"cusolverDnDgesvd_bufferSize", c"cusolverDnCgesvd_bufferSize", c"cusolverDnZgesvd_bufferSize"] (
        rows: c_int, columns: c_int, size: *mut c_int);
    gesvd = [c"cusolverDnSgesvd", c"cusolverDnDgesvd", c"cusolverDnCgesvd", c"cusolverDnZgesvd"] (
        job_of_u: c_char, job_of_v: c_char, rows: c_int, columns: c_int, a: *mut c_void, lead: c_int, values: *mut c_void, u: *mut c_void,
        lead_of_u: c_int, v: *mut c_void, lead_of_v: c_int, work: *mut c_void, size: c_int, real_work: *mut c_void, info: *mut c_int);
    gesvdj_batched_size = [
        c"cusolverDnSgesvdjBatched_bufferSize", c"cusolverDnDgesvdjBatched_bufferSize",
        c"cusolverDnCgesvdjBatched_bufferSize", c"cusolverDnZgesvdjBatched_bufferSize"] (
        vectors: c_int, rows: c_int, columns: c_int, a: *const c_void, lead: c_int, values: *const c_void, u: *const c_void,
        lead_of_u: c_int, v: *const c_void, lead_of_v: c_int, size: *mut c_int, parameters: *mut c_void, count: c_int);
    gesvdj_batched = [c"cusolverDnSgesvdjBatched", c"cusolverDnDgesvdjBatched", c"cusolverDnCgesvdjBatched", c"cusolverDnZgesvdjBatched"] (
        vectors: c_int, rows: c_int, columns: c_int, a: *mut c_void, lead: c_int, values: *mut c_void, u: *mut c_void, lead_of_u: c_int,
        v: *mut c_void, lead_of_v: c_int, work: *mut c_void, size: c_int, info: *mut c_int, parameters: *mut c_void, count: c_int);
}

type Make = unsafe extern "C" fn(*mut *mut c_void) -> c_int;
type SetStream = unsafe extern "C" fn(*mut c_void, CUstream) -> c_int;
/// `cusolverDnXgeev_bufferSize`: sizes are in bytes, on the device and on the host.
type GeneralSize = unsafe extern "C" fn(
    *mut c_void,
    *mut c_void,
    c_int,
    c_int,
    i64,
    c_int,
    *const c_void,
    i64,
    c_int,
    *const c_void,
    c_int,
    *const c_void,
    i64,
    c_int,
    *const c_void,
    i64,
    c_int,
    *mut usize,
    *mut usize,
) -> c_int;
/// `cusolverDnXgeev`.
type GeneralRun = unsafe extern "C" fn(
    *mut c_void,
    *mut c_void,
    c_int,
    c_int,
    i64,
    c_int,
    *mut c_void,
    i64,
    c_int,
    *mut c_void,
    c_int,
    *mut c_void,
    i64,
    c_int,
    *mut c_void,
    i64,
    c_int,
    *mut c_void,
    usize,
    *mut c_void,
    usize,
    *mut c_int,
) -> c_int;

/// Eigenvalues of any matrix, which the library has from CUDA 12.6 on.
#[derive(Clone, Copy)]
struct General {
    size: GeneralSize,
    run: GeneralRun,
    make_parameters: Make,
}

struct Cusolver {
    create: Make,
    set_stream: SetStream,
    make_syevj: Make,
    make_gesvdj: Make,
    dense: Dense,
    general: Option<General>,
}

static CUSOLVER: FirstUse<Option<Cusolver>> = FirstUse::new();

/// Whether it was looked for: what that costs is behind.
pub(crate) fn is_known() -> bool {
    CUSOLVER.get().is_some()
}

static HANDLES: Handles<Handle> = Handles::new();

/// A handle, and the parameters that functions take, as they are made.
struct Handle {
    own: *mut c_void,
    syevj: *mut c_void,
    gesvdj: *mut c_void,
    /// Null: none are needed.
    general: *mut c_void,
    /// When the device has done what was queued with it.
    done: Event,
}

// SAFETY: one thread at a time uses a handle, and any may.
unsafe impl Send for Handle {}

/// A handle for matrices of a dtype, set to the call's stream.
pub(crate) struct Session {
    pub(crate) functions: &'static Dense,
    /// What the functions take first.
    pub(crate) with: (*mut c_void, usize),
    pub(crate) syevj: *mut c_void,
    pub(crate) gesvdj: *mut c_void,
    general: Option<General>,
    general_parameters: *mut c_void,
}

/// Runs something with a handle. `None`: cuSOLVER is not to be had, or not for this dtype; then nothing is done. The device's context is current.
///
/// # Errors
/// During a capture, before anything is called: the library waits for the device, and answers on the host.
pub(crate) fn session<T>(
    call: &CallState,
    device: &'static Device,
    (name, dtype): (&str, u8),
    run: impl FnOnce(&Session) -> Result<T>,
) -> Result<Option<T>> {
    let Ok(library) =
        CUSOLVER.get_or_make(|| Ok::<_, std::convert::Infallible>(LIBRARY.open(device.driver).and_then(Cusolver::of)));
    let (Some(library), Some(dtype)) = (library, cublas::kind(dtype)) else { return Ok(None) };
    if HANDLES.are_refused(device) {
        return Ok(None);
    }
    if call.recording.is_some() {
        return Err(Error::runtime(format!(
            "`{name}` during the capture of a graph: cuSOLVER, which computes it, cannot be captured; call this function outside of the capture"
        )));
    }
    let Some(handle) = HANDLES.take(device, || library.handle(device)) else { return Ok(None) };
    // Its launches are not ours to repeat.
    call.replay.give_up();
    // Several of its functions wait for the device.
    waits::before();
    let session = Session {
        functions: &library.dense,
        with: (handle.own, dtype),
        syevj: handle.syevj,
        gesvdj: handle.gesvdj,
        general: library.general,
        general_parameters: handle.general,
    };
    let done = handle.done.wait_on(&call.stream, device.ordinal).and_then(|()| {
        // SAFETY: the handle is this thread's now, and the stream is the call's.
        checked("cusolverDnSetStream", unsafe { (library.set_stream)(handle.own, call.stream.handle()) })?;
        run(&session)
    });
    match handle.done.mark(&call.stream) {
        Ok(()) => HANDLES.give_back(device, handle),
        // Nobody knows when the device is done with it.
        Err(_) => std::mem::forget(handle),
    }
    done.map(Some)
}

impl Cusolver {
    fn of(opened: Opened) -> Option<Cusolver> {
        let general = || {
            Some(General {
                size: function!(opened, c"cusolverDnXgeev_bufferSize", GeneralSize)?,
                run: function!(opened, c"cusolverDnXgeev", GeneralRun)?,
                make_parameters: function!(opened, c"cusolverDnCreateParams", Make)?,
            })
        };
        Some(Cusolver {
            create: function!(opened, c"cusolverDnCreate", Make)?,
            set_stream: function!(opened, c"cusolverDnSetStream", SetStream)?,
            make_syevj: function!(opened, c"cusolverDnCreateSyevjInfo", Make)?,
            make_gesvdj: function!(opened, c"cusolverDnCreateGesvdjInfo", Make)?,
            dense: Dense::of(opened)?,
            general: general(),
        })
    }

    /// A new handle for the device whose context is current, if the library makes one.
    fn handle(&self, device: &'static Device) -> Option<Handle> {
        waits::before();
        let made = |make: Make| {
            let mut made: *mut c_void = std::ptr::null_mut();
            // SAFETY: writes to a local.
            let code = unsafe { make(&mut made) };
            (code == 0).then_some(made)
        };
        let done = Event::on(device, false).ok()?;
        let general = match self.general {
            Some(general) => made(general.make_parameters)?,
            None => std::ptr::null_mut(),
        };
        Some(Handle {
            own: made(self.create)?,
            syevj: made(self.make_syevj)?,
            gesvdj: made(self.make_gesvdj)?,
            general,
            done,
        })
    }
}

/// What `geev` is asked: a square matrix by columns, where its eigenvalues go, and its vectors, if they are wanted.
pub(crate) struct Eigen {
    pub(crate) n: i64,
    pub(crate) a: *mut c_void,
    pub(crate) lead: i64,
    /// Complex.
    pub(crate) values: *mut c_void,
    /// Of the matrix' dtype; null: they are not wanted.
    pub(crate) vectors: *mut c_void,
    pub(crate) lead_of_vectors: i64,
}

/// Codes of dtypes: of matrices, and of complex numbers of the same width.
const DATA_TYPES: [(c_int, c_int); 4] = [(0, 4), (1, 5), (4, 4), (5, 5)];

impl Session {
    /// Whether the library has [`Session::general`].
    pub(crate) fn has_general(&self) -> bool {
        self.general.is_some()
    }

    /// Bytes of working memory of [`Session::general`], on the device and on the host.
    pub(crate) fn general_size(&self, what: &Eigen) -> Result<(usize, usize)> {
        let Some(general) = self.general else { return Err(lacking()) };
        let ((handle, dtype), (mut device, mut host)) = (self.with, (0, 0));
        let (own, complex) = DATA_TYPES[dtype];
        // SAFETY: only sizes are computed, and written to locals.
        let code = unsafe {
            (general.size)(
                handle,
                self.general_parameters,
                0,
                c_int::from(!what.vectors.is_null()),
                what.n,
                own,
                what.a,
                what.lead,
                complex,
                what.values,
                own,
                std::ptr::null(),
                what.n,
                own,
                what.vectors,
                what.lead_of_vectors,
                own,
                &mut device,
                &mut host,
            )
        };
        checked("cusolverDnXgeev_bufferSize", code).map(|()| (device, host))
    }

    /// Eigenvalues of any matrix, and vectors of length 1 in LAPACK's form: of a real matrix' pair of conjugate values the real parts in one column, the
    /// imaginary parts in the next.
    ///
    /// # Safety
    /// All lies in the device's memory, the working memory has the sizes of [`Session::general_size`], and the host's is not used meanwhile.
    pub(crate) unsafe fn general(
        &self,
        what: &Eigen,
        (work, bytes): (*mut c_void, usize),
        (host, bytes_of_host): (*mut c_void, usize),
        info: *mut c_int,
    ) -> Result<()> {
        let Some(general) = self.general else { return Err(lacking()) };
        let (handle, dtype) = self.with;
        let (own, complex) = DATA_TYPES[dtype];
        // SAFETY: as the caller promises.
        let code = unsafe {
            (general.run)(
                handle,
                self.general_parameters,
                0,
                c_int::from(!what.vectors.is_null()),
                what.n,
                own,
                what.a,
                what.lead,
                complex,
                what.values,
                own,
                std::ptr::null_mut(),
                what.n,
                own,
                what.vectors,
                what.lead_of_vectors,
                own,
                work,
                bytes,
                host,
                bytes_of_host,
                info,
            )
        };
        checked("cusolverDnXgeev", code)
    }
}

fn lacking() -> Error {
    Error::runtime("this version of cuSOLVER has no eigenvalues of general matrices")
}

const STATUSES: Statuses = Statuses { library: "cuSOLVER", alloc_failed: 2 };

fn checked(call: &str, code: c_int) -> Result<()> {
    STATUSES.check(call, code)
}
