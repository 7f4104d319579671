//! Lists, dictionaries, sets and strings between Python and compiled code.
//!
//! In: a Python object and the description of a parameter (see [`numptx_abi::object`]); or an object of the runtime. Out: the other one. What is passed
//! is copied in ([`reading`]); what a call made comes out anew ([`making`]); and what the call changed is changed in the caller's objects, which
//! [`changing`] does. One object of Python's is one of the runtime's throughout a call, so that results are the very lists that were passed, and lists
//! share their members as they did.

mod accepted;
mod changing;
mod description;
mod known;
mod making;
mod reading;

use std::ffi::c_void;

use numptx_abi::{Buffer, Error as AbiError, ObjectView, Status, error_kind};
use pyo3::prelude::*;

use crate::interrupt::outside_of_calls;
use crate::{errors, runtime};

pub(crate) use accepted::accepted;
pub(crate) use changing::Changing;
pub(crate) use description::Reader;
pub(crate) use known::{Known, Made};
pub(crate) use making::{Objects, is_array};
pub(crate) use reading::fit;

/// A reference to an object of the runtime, given up when it is dropped.
pub(crate) struct Owned(*mut Buffer);

impl Owned {
    /// Another reference to a live object.
    ///
    /// # Safety
    /// A live object of the runtime.
    unsafe fn to(buffer: *mut Buffer) -> Owned {
        // SAFETY: as the caller promises.
        unsafe { (runtime::table().retain)(buffer) };
        Owned(buffer)
    }

    /// The object; borrowed.
    pub(crate) fn as_ptr(&self) -> *mut Buffer {
        self.0
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: this reference's.
        unsafe { (runtime::table().release)(self.0) };
    }
}

fn new_object(
    py: Python<'_>,
    kind: u8,
    layout: &[u8],
    n: i64,
    words: *const c_void,
    references: *const *const c_void,
) -> PyResult<Owned> {
    let (mut made, mut error) = (std::ptr::null_mut(), errors::unfilled());
    // SAFETY: elements of this layout, as many as are told.
    let status = unsafe {
        (runtime::table().object_new)(
            u32::from(kind),
            layout.as_ptr(),
            layout.len() as u32,
            n,
            words,
            references,
            &mut made,
            error.as_mut_ptr(),
        )
    };
    if status == error_kind::OK { Ok(Owned(made)) } else { Err(failed(py, status, &mut error)) }
}

fn failed(py: Python<'_>, status: Status, error: &mut std::mem::MaybeUninit<AbiError>) -> PyErr {
    // SAFETY: the message was null-terminated from the start.
    unsafe { errors::exception(py, status, (&raw const (*error.as_ptr()).message).cast()) }
}

/// What an object of the runtime holds.
fn seen(py: Python<'_>, buffer: *const Buffer) -> PyResult<ObjectView> {
    let (mut seen, mut error) = (std::mem::MaybeUninit::uninit(), errors::unfilled());
    // SAFETY: a live object, and room for what it holds.
    let status = unsafe { (runtime::table().object_view)(buffer, seen.as_mut_ptr(), error.as_mut_ptr()) };
    match status {
        // SAFETY: filled.
        error_kind::OK => Ok(unsafe { seen.assume_init() }),
        _ => Err(failed(py, status, &mut error)),
    }
}

/// [`numptx_abi::RuntimeTable::set_writer`]: writes to `sys.stdout`, as `print` does. What that raises stays pending, and ends the call.
pub(crate) unsafe extern "C" fn write(text: *const u8, bytes: i64, _: *mut AbiError) -> Status {
    // SAFETY: the runtime passes a text that lives for the call.
    let text = unsafe { std::slice::from_raw_parts(text, usize::try_from(bytes).unwrap_or(0)) };
    let write = |py: Python<'_>| -> PyResult<()> {
        let stdout = py.import("sys")?.getattr("stdout")?;
        if !stdout.is_none() {
            stdout.call_method1("write", (String::from_utf8_lossy(text),))?;
        }
        Ok(())
    };
    let status = Python::try_attach(|py| match outside_of_calls(|| write(py)) {
        Ok(()) => error_kind::OK,
        Err(raised) => {
            raised.restore(py);
            error_kind::INTERRUPTED
        }
    });
    status.unwrap_or(error_kind::OK)
}
