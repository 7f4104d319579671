//! Streams of other libraries for the time of a call.
//!
//! In: the driver's handle, and what keeps the stream alive, if anything does. Out: the runtime's stream for it. The one that a thread used last is kept,
//! because most threads use one; streams of which nobody knows how long they live are not.

use std::rc::Rc;

use numptx_abi as abi;
use pyo3::prelude::*;

use crate::owners::{NOBODY, OBJECT};
use crate::{runtime, streams, threads};

/// Another library's stream that a thread used last.
pub(crate) struct RecentStream {
    handle: usize,
    device: i32,
    /// Ours for it, which keeps its owner.
    stream: BorrowedStream,
}

/// The runtime's stream for a handle of another library, for the time of a call on this thread. `owner` keeps it alive; without one it lives as
/// long as the process.
pub(crate) fn of_handle(
    py: Python<'_>,
    handle: usize,
    device: i32,
    owner: Option<&Py<PyAny>>,
) -> PyResult<BorrowedStream> {
    if handle <= 1 {
        return Ok(BorrowedStream::kept_by_caller(std::ptr::null_mut()));
    }
    let found = threads::kept_so_far(|kept| {
        let last = kept.last_foreign.borrow();
        last.as_ref().filter(|last| (last.handle, last.device) == (handle, device)).map(|last| last.stream.clone())
    });
    if let Some(stream) = found.flatten() {
        return Ok(stream);
    }
    // SAFETY: the owner keeps the stream alive, or it lives for ever.
    let made = unsafe { streams::borrowed(py, device, handle, owner.map(|owner| (owner.as_ptr().cast(), &OBJECT))) }?;
    let made = BorrowedStream::owned(made);
    let entry = RecentStream { handle, device, stream: made.clone() };
    let old = threads::kept(py, |kept| kept.last_foreign.borrow_mut().replace(entry))?;
    // May run Python code, which may come here again: the caller has a reference of its own.
    drop(old);
    Ok(made)
}

/// A stream that a call borrows, with what keeps it.
#[derive(Clone)]
pub(crate) struct BorrowedStream {
    stream: *mut abi::Stream,
    _kept: Option<Rc<StreamRef>>,
}

/// A reference to a stream of the runtime's.
struct StreamRef(*mut abi::Stream);

impl Drop for StreamRef {
    fn drop(&mut self) {
        // SAFETY: made by `BorrowedStream::owned`, whose reference this is.
        unsafe { (runtime::table().stream_release)(self.0) };
    }
}

impl BorrowedStream {
    /// One that the caller keeps.
    pub fn kept_by_caller(stream: *mut abi::Stream) -> BorrowedStream {
        BorrowedStream { stream, _kept: None }
    }

    /// Takes a reference over.
    fn owned(stream: *mut abi::Stream) -> BorrowedStream {
        BorrowedStream { stream, _kept: Some(Rc::new(StreamRef(stream))) }
    }

    pub fn get(&self) -> *mut abi::Stream {
        self.stream
    }
}

/// The runtime's stream for a handle of another library of which nobody knows how long it lives: it is not used after it was dropped.
pub(crate) fn passing(py: Python<'_>, handle: usize, device: i32) -> PyResult<BorrowedStream> {
    if handle <= 1 {
        return Ok(BorrowedStream::kept_by_caller(std::ptr::null_mut()));
    }
    // SAFETY: the table's functions take any owner.
    let made = unsafe { streams::borrowed(py, device, handle, Some((std::ptr::dangling_mut(), &NOBODY))) }?;
    Ok(BorrowedStream::owned(made))
}
