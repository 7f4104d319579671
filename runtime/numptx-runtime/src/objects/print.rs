//! What compiled code prints: to the writer that a binding chose, in the order of the calls, or to the standard output.

use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};

use numptx_abi::{Error as AbiError, Status, error_kind};

use super::ObjectCell;
use crate::error::{Error, Result, no_error};

type Writer = unsafe extern "C" fn(text: *const u8, bytes: i64, *mut AbiError) -> Status;

/// The writer's address; 0: none.
static WRITER: AtomicUsize = AtomicUsize::new(0);

/// [`numptx_abi::RuntimeTable::set_writer`]
pub(crate) fn set_writer(writer: Option<Writer>) {
    WRITER.store(writer.map_or(0, |writer| writer as usize), Ordering::Release);
}

/// Writes a string.
pub(super) fn print(text: &ObjectCell) -> Result<()> {
    let text = text.text().unwrap_or_default();
    let writer = WRITER.load(Ordering::Acquire);
    if writer == 0 {
        let written = std::io::stdout().lock().write_all(text.as_bytes());
        return written.map_err(|error| Error::runtime(format!("print: {error}")));
    }
    // SAFETY: only `set_writer` stores here, functions of this type.
    let writer: Writer = unsafe { std::mem::transmute::<usize, Writer>(writer) };
    let mut error = no_error();
    // SAFETY: the text lives as long as the call.
    let status = unsafe { writer(text.as_ptr(), text.len() as i64, &raw mut error) };
    if status == error_kind::OK { Ok(()) } else { Err(Error::from_abi(status, &error)) }
}
