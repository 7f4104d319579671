//! A stand-in of cuBLAS: the products of matrices that the runtime asks for, on the mock's streams and in its memory.
//!
//! In: the calls of `libcublas`. Out: products, with the library's own codes for what it refuses. Handles, streams, the memory of matrices and the working
//! memory are checked. A handle that two threads use at once is a violation.

use std::ffi::{c_int, c_void};
use std::sync::Arc;
use std::thread::ThreadId;

use crate::state::{Code, ILLEGAL_ADDRESS, State, current_context, enter, enter_work};
use crate::work::{Op, pointer};

const NOT_INITIALIZED: c_int = 1;
const ALLOC_FAILED: c_int = 3;
pub(crate) const INVALID_VALUE: c_int = 7;
const EXECUTION_FAILED: c_int = 13;

/// What belongs to a handle.
pub(crate) struct Handle {
    context: usize,
    /// The stream's key; 0: the default one.
    stream: *mut c_void,
    /// Address and bytes; none after the stream was set.
    workspace: Option<(u64, usize)>,
    /// Who set the stream.
    user: Option<ThreadId>,
}

// SAFETY: the stream's handle is a number to the mock.
unsafe impl Send for Handle {}

/// An element's kind: its parts, and the bytes of one.
#[derive(Clone, Copy)]
struct Element {
    is_double: bool,
    is_complex: bool,
}

impl Element {
    fn bytes(self) -> usize {
        (if self.is_double { 8 } else { 4 }) << usize::from(self.is_complex)
    }

    /// # Safety
    /// There is such an element.
    unsafe fn read(self, from: *const u8) -> [f64; 2] {
        let part = |n: usize| {
            // SAFETY: as the caller promises.
            unsafe {
                if self.is_double {
                    from.cast::<f64>().add(n).read()
                } else {
                    f64::from(from.cast::<f32>().add(n).read())
                }
            }
        };
        [part(0), if self.is_complex { part(1) } else { 0.0 }]
    }

    /// # Safety
    /// There is room for such an element.
    unsafe fn write(self, to: *mut u8, value: [f64; 2]) {
        for (n, part) in value.into_iter().take(1 + usize::from(self.is_complex)).enumerate() {
            // SAFETY: as the caller promises.
            unsafe {
                match self.is_double {
                    true => to.cast::<f64>().add(n).write(part),
                    false => to.cast::<f32>().add(n).write(part as f32),
                }
            }
        }
    }
}

/// A matrix by columns.
#[derive(Clone, Copy)]
struct Matrix {
    first: u64,
    column: i64,
    each: i64,
    is_transposed: bool,
    is_conjugated: bool,
}

impl Matrix {
    /// # Safety
    /// There is such an element.
    unsafe fn read(&self, element: Element, n: i64, row: i64, column: i64) -> [f64; 2] {
        // SAFETY: as the caller promises.
        let [real, imaginary] = unsafe { element.read(pointer(self.at(element, n, row, column))) };
        [real, if self.is_conjugated { -imaginary } else { imaginary }]
    }

    fn at(&self, element: Element, n: i64, row: i64, column: i64) -> u64 {
        let (row, column) = if self.is_transposed { (column, row) } else { (row, column) };
        self.first.wrapping_add_signed((n * self.each + column * self.column + row) * element.bytes() as i64)
    }
}

/// A product that a stream was given.
pub(crate) struct Product {
    element: Element,
    rows: i64,
    columns: i64,
    summed: i64,
    count: i64,
    a: Matrix,
    b: Matrix,
    c: Matrix,
    workspace: (u64, usize),
}

impl Product {
    pub(crate) fn run(&self, state: &mut State) -> Result<(), Code> {
        let element = self.element;
        let all = [self.a.first, self.b.first, self.c.first];
        if all.iter().any(|first| !first.is_multiple_of(element.bytes() as u64)) || self.c.each < 0 {
            state.violation("product of matrices: an element is not aligned, or a stack goes backwards");
            return Err(ILLEGAL_ADDRESS);
        }
        let last = self.count - 1;
        let corners = [
            (&self.a, self.rows, self.summed, "a factor"),
            (&self.b, self.summed, self.columns, "a factor"),
            (&self.c, self.rows, self.columns, "the result"),
        ];
        for (matrix, rows, columns, what) in corners {
            let end = matrix.at(element, last, rows - 1, columns - 1) + element.bytes() as u64;
            let bytes = end.saturating_sub(matrix.first) as usize;
            state.check_device_range(matrix.first, bytes, &format!("product of matrices ({what})"))?;
        }
        let (workspace, bytes) = self.workspace;
        state.check_device_range(workspace, bytes, "product of matrices (working memory)")?;
        for n in 0..self.count {
            for column in 0..self.columns {
                for row in 0..self.rows {
                    let mut sum = [0.0; 2];
                    for k in 0..self.summed {
                        // SAFETY: the corners are in live memory, and so is what lies between.
                        let (x, y) = unsafe { (self.a.read(element, n, row, k), self.b.read(element, n, k, column)) };
                        sum[0] += x[0] * y[0] - x[1] * y[1];
                        sum[1] += x[0] * y[1] + x[1] * y[0];
                    }
                    // SAFETY: as above.
                    unsafe { element.write(pointer(self.c.at(element, n, row, column)), sum) };
                }
            }
        }
        Ok(())
    }
}

/// What the library answers where the driver refuses something.
fn status(outcome: Result<(), Code>, otherwise: c_int) -> c_int {
    crate::objects::run_due();
    if outcome.is_ok() { 0 } else { otherwise }
}

/// # Safety
/// As the library's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cublasCreate_v2(out: *mut usize) -> c_int {
    status(
        enter_work("cublasCreate").map(|mut state| {
            let handle = state.fresh_handle();
            let fresh =
                Handle { context: current_context(), stream: std::ptr::null_mut(), workspace: None, user: None };
            state.blas.insert(handle, fresh);
            // SAFETY: as the caller promises.
            unsafe { out.write(handle) };
        }),
        ALLOC_FAILED,
    )
}

/// # Safety
/// As the library's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cublasSetStream_v2(handle: usize, stream: *mut c_void) -> c_int {
    let Ok(mut state) = enter("cublasSetStream") else { return NOT_INITIALIZED };
    let Some(found) = state.blas.get_mut(&handle) else { return NOT_INITIALIZED };
    *found = Handle { stream, workspace: None, user: Some(std::thread::current().id()), ..*found };
    0
}

/// # Safety
/// As the library's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cublasSetWorkspace_v2(handle: usize, memory: u64, bytes: usize) -> c_int {
    let Ok(mut state) = enter("cublasSetWorkspace") else { return NOT_INITIALIZED };
    if !memory.is_multiple_of(256) || !state.holds(memory, bytes) {
        state.violation("cublasSetWorkspace: no device memory, or not at a multiple of 256");
        return INVALID_VALUE;
    }
    let Some(found) = state.blas.get_mut(&handle) else { return NOT_INITIALIZED };
    found.workspace = Some((memory, bytes));
    0
}

/// The working memory of a handle, and the key of its stream, where this thread may use it now.
fn used(state: &mut State, handle: usize) -> Result<((u64, usize), usize), Code> {
    let found = state.blas.get(&handle).map(|known| (known.context, known.stream, known.workspace, known.user));
    let Some((context, stream, workspace, user)) = found else { return Err(ILLEGAL_ADDRESS) };
    if context != current_context() || user != Some(std::thread::current().id()) {
        state.violation("a handle of cuBLAS is used by two threads, or in another context than its own");
        return Err(ILLEGAL_ADDRESS);
    }
    let Some(workspace) = workspace else {
        state.violation("cuBLAS would take its own working memory, which streams share");
        return Err(ILLEGAL_ADDRESS);
    };
    Ok((workspace, state.own_stream(stream)?))
}

/// Gives work to a handle's stream; what the library answers.
pub(crate) fn submit(
    call: &'static str,
    handle: usize,
    work: impl Fn(&mut State) -> Result<(), Code> + Send + Sync + 'static,
) -> c_int {
    let outcome = enter_work(call).and_then(|mut state| {
        let ((workspace, bytes), key) = used(&mut state, handle)?;
        let whole = move |state: &mut State| {
            state.check_device_range(workspace, bytes, &format!("{call} (working memory)"))?;
            work(state)
        };
        state.submit(key, Op::Library(Arc::new(whole)))
    });
    status(outcome, EXECUTION_FAILED)
}

/// Gives a product to the handle's stream.
fn multiply(handle: usize, (rows, columns, summed): (i64, i64, i64), product: Product, result: &Matrix) -> c_int {
    let stored = |matrix: &Matrix, rows: i64, columns: i64| if matrix.is_transposed { columns } else { rows };
    let is_wide = |matrix: &Matrix, rows: i64, columns: i64| matrix.column >= stored(matrix, rows, columns).max(1);
    if !is_wide(&product.a, rows, summed) || !is_wide(&product.b, summed, columns) || !is_wide(result, rows, columns) {
        return INVALID_VALUE;
    }
    let outcome = (|| {
        let mut state = enter_work("cublasGemm")?;
        let (workspace, key) = used(&mut state, handle)?;
        state.submit(key, Op::Multiply(Arc::new(Product { workspace, ..product })))
    })();
    status(outcome, EXECUTION_FAILED)
}

macro_rules! products {
    ($($plain:ident, $batched:ident, $element:expr;)*) => {$(
        /// # Safety
        /// As the library's function; `alpha` is 1 and `beta` 0.
        #[unsafe(no_mangle)]
        #[allow(clippy::too_many_arguments)]
        pub unsafe extern "C" fn $plain(
            handle: usize, turn_a: c_int, turn_b: c_int, rows: i64, columns: i64, summed: i64, alpha: *const c_void, a: u64,
            column_a: i64, b: u64, column_b: i64, beta: *const c_void, c: u64, column_c: i64,
        ) -> c_int {
            // SAFETY: as the caller promises.
            unsafe {
                $batched(
                    handle, turn_a, turn_b, rows, columns, summed, alpha, a, column_a, 0, b, column_b, 0, beta, c, column_c, 0, 1,
                )
            }
        }

        /// # Safety
        /// As the library's function; `alpha` is 1 and `beta` 0.
        #[unsafe(no_mangle)]
        #[allow(clippy::too_many_arguments)]
        pub unsafe extern "C" fn $batched(
            handle: usize, turn_a: c_int, turn_b: c_int, rows: i64, columns: i64, summed: i64, alpha: *const c_void, a: u64,
            column_a: i64, each_a: i64, b: u64, column_b: i64, each_b: i64, beta: *const c_void, c: u64, column_c: i64,
            each_c: i64, count: i64,
        ) -> c_int {
            const ELEMENT: Element = $element;
            // SAFETY: as the caller promises.
            let numbers = unsafe { [ELEMENT.read(alpha.cast()), ELEMENT.read(beta.cast())] };
            if numbers != [[1.0, 0.0], [0.0, 0.0]] || turn_a > 2 || turn_b > 2 || rows < 1 || columns < 1 || summed < 1 {
                return INVALID_VALUE;
            }
            let a = Matrix { first: a, column: column_a, each: each_a, is_transposed: turn_a >= 1, is_conjugated: turn_a == 2 };
            let b = Matrix { first: b, column: column_b, each: each_b, is_transposed: turn_b >= 1, is_conjugated: turn_b == 2 };
            let c = Matrix { first: c, column: column_c, each: each_c, is_transposed: false, is_conjugated: false };
            let product = Product { element: ELEMENT, rows, columns, summed, count, a, b, c, workspace: (0, 0) };
            multiply(handle, (rows, columns, summed), product, &c)
        }
    )*};
}

products! {
    cublasSgemm_v2_64, cublasSgemmStridedBatched_64, Element { is_double: false, is_complex: false };
    cublasDgemm_v2_64, cublasDgemmStridedBatched_64, Element { is_double: true, is_complex: false };
    cublasCgemm_v2_64, cublasCgemmStridedBatched_64, Element { is_double: false, is_complex: true };
    cublasZgemm_v2_64, cublasZgemmStridedBatched_64, Element { is_double: true, is_complex: true };
}
