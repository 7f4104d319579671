//! A stand-in of cuSOLVER: decompositions of dense matrices.
//!
//! In: the calls of `libcusolver`. Out: results, with the library's own codes for what it refuses. Handles, streams, captures, working memory and operands are
//! checked: what no right program does is a violation. Working memory has to have the size that was told before.

mod general;
mod many;
mod one;

use std::ffi::{c_int, c_void};
use std::sync::Arc;
use std::thread::ThreadId;

use crate::objects::run_due;
use crate::state::{Code, ILLEGAL_ADDRESS, State, current_context, enter, enter_work};
use crate::work::Op;

const NOT_INITIALIZED: c_int = 1;
const ALLOC_FAILED: c_int = 2;
const INVALID_VALUE: c_int = 3;
const EXECUTION_FAILED: c_int = 6;

/// What belongs to a handle, or parameters.
pub(crate) struct Solver {
    /// What made it.
    kind: &'static str,
    context: usize,
    stream: *mut c_void,
    /// Who set the stream.
    user: Option<ThreadId>,
    /// The stream's key and how much it was given when the handle was used last.
    last: Option<(usize, u64)>,
}

// SAFETY: the stream's handle is a number to the mock.
unsafe impl Send for Solver {}

fn status(outcome: Result<(), Code>, otherwise: c_int) -> c_int {
    run_due();
    if outcome.is_ok() { 0 } else { otherwise }
}

/// Elements of working memory: some for each of the matrix', and never none.
fn work_size(rows: c_int, columns: c_int) -> c_int {
    rows.max(1) * 2 + columns.max(1) * 3
}

fn make(kind: &'static str, out: *mut usize) -> c_int {
    status(
        enter_work(kind).map(|mut state| {
            let handle = state.fresh_handle();
            let (context, stream) = (current_context(), std::ptr::null_mut());
            state.solvers.insert(handle, Solver { kind, context, stream, user: None, last: None });
            // SAFETY: as the caller promises.
            unsafe { out.write(handle) };
        }),
        ALLOC_FAILED,
    )
}

macro_rules! makers {
    ($($name:ident;)*) => {$(
        /// # Safety
        /// As the library's function.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(out: *mut usize) -> c_int {
            make(stringify!($name), out)
        }
    )*};
}

makers! {
    cusolverDnCreate;
    cusolverDnCreateSyevjInfo;
    cusolverDnCreateGesvdjInfo;
    cusolverDnCreateParams;
}

/// # Safety
/// As the library's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cusolverDnSetStream(handle: usize, stream: *mut c_void) -> c_int {
    let Ok(mut state) = enter("cusolverDnSetStream") else { return NOT_INITIALIZED };
    let Some(found) = state.solvers.get_mut(&handle).filter(|found| found.kind == "cusolverDnCreate") else {
        return NOT_INITIALIZED;
    };
    (found.stream, found.user) = (stream, Some(std::thread::current().id()));
    0
}

/// Whether parameters are of this kind.
fn are_parameters(handle: usize, kind: &str) -> bool {
    let known = crate::state::state().solvers.get(&handle).is_some_and(|found| found.kind == kind);
    if !known {
        crate::state::state().violation("cuSOLVER: parameters of another function, or none");
    }
    known
}

/// The key of a handle's stream, where this thread may use it now.
fn used(state: &mut State, handle: usize) -> Result<usize, Code> {
    let found = state.solvers.get(&handle).map(|known| (known.kind, known.context, known.stream, known.user));
    let Some(("cusolverDnCreate", context, stream, user)) = found else { return Err(ILLEGAL_ADDRESS) };
    if context != current_context() || user != Some(std::thread::current().id()) {
        state.violation("a handle of cuSOLVER is used by two threads, or in another context than its own");
        return Err(ILLEGAL_ADDRESS);
    }
    let key = state.own_stream(stream)?;
    if state.streams[&key].capture.is_some() {
        state.violation("cuSOLVER on a stream that is captured");
        return Err(ILLEGAL_ADDRESS);
    }
    Ok(key)
}

/// Gives work to a handle's stream; what the library answers. What was given with the handle before is done first: it may use the handle's own memory.
fn submit(
    call: &'static str,
    handle: usize,
    work: impl Fn(&mut State) -> Result<(), Code> + Send + Sync + 'static,
) -> c_int {
    let outcome = enter_work(call).and_then(|mut state| {
        let key = used(&mut state, handle)?;
        let last = state.solvers.get(&handle).and_then(|known| known.last);
        let whole = move |state: &mut State| {
            if let Some((stream, until)) = last
                && state.streams.get(&stream).is_some_and(|stream| stream.done < until)
            {
                state.violation("a handle of cuSOLVER is used before the device has done what was given with it");
            }
            work(state)
        };
        state.submit(key, Op::Library(Arc::new(whole)))?;
        let given = state.streams[&key].given;
        if let Some(known) = state.solvers.get_mut(&handle) {
            known.last = Some((key, given));
        }
        Ok(())
    });
    status(outcome, EXECUTION_FAILED)
}

/// Working memory of so many elements.
fn check_work(state: &mut State, what: &str, first: u64, bytes: i64) -> Result<(), Code> {
    state.check_device_range(first, bytes as usize, &format!("{what} (working memory)"))
}
