//! What can go wrong, as a value: a kind (the exception that Python raises) and a message for people.
//!
//! In: failures of the driver, of memory, of a call. Out: the C structure that generated code and bindings read.

use std::fmt;

use numptx_abi::{Status, error_kind};

/// A failed call. `kind` is one of [`numptx_abi::error_kind`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: Status,
    message: String,
}

/// What fallible functions of this crate return.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// An error of a kind of [`numptx_abi::error_kind`].
    pub fn new(kind: Status, message: impl Into<String>) -> Error {
        Error { kind, message: message.into() }
    }

    pub(crate) fn value(message: impl Into<String>) -> Error {
        Error::new(error_kind::VALUE, message)
    }

    pub(crate) fn runtime(message: impl Into<String>) -> Error {
        Error::new(error_kind::RUNTIME, message)
    }

    pub(crate) fn memory(message: impl Into<String>) -> Error {
        Error::new(error_kind::MEMORY, message)
    }

    /// The same error, which says more.
    pub(crate) fn and(mut self, more: fmt::Arguments<'_>) -> Error {
        self.message += &format!("; {more}");
        self
    }

    /// One of [`numptx_abi::error_kind`].
    pub fn kind(&self) -> Status {
        self.kind
    }

    /// The text, for people.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Writes the error where C reads it and returns its kind.
    ///
    /// # Safety
    /// `out` is null or writable.
    pub(crate) unsafe fn store(&self, out: *mut numptx_abi::Error) -> Status {
        if !out.is_null() {
            // SAFETY: `out` is writable as the caller promises.
            unsafe { fill(&mut *out, self.kind, &self.message) };
        }
        self.kind
    }

    /// Reads an error that C code wrote. `status` is what the call returned.
    pub fn from_abi(status: Status, error: &numptx_abi::Error) -> Error {
        let bytes: Vec<u8> = error.message.iter().take_while(|c| **c != 0).map(|c| c.cast_unsigned()).collect();
        let message = String::from_utf8_lossy(&bytes).into_owned();
        Error { kind: if error.kind == error_kind::OK { status } else { error.kind }, message }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// An error structure without an error.
pub fn no_error() -> numptx_abi::Error {
    numptx_abi::Error { kind: error_kind::OK, message: [0; 1020] }
}

/// Stores kind and message, cut at a character boundary.
fn fill(out: &mut numptx_abi::Error, kind: Status, message: &str) {
    let mut end = message.len().min(out.message.len() - 1);
    while !message.is_char_boundary(end) {
        end -= 1;
    }
    for (slot, byte) in out.message.iter_mut().zip(&message.as_bytes()[..end]) {
        *slot = byte.cast_signed();
    }
    out.message[end] = 0;
    out.kind = kind;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_message_is_cut_at_a_character() {
        let mut out = no_error();
        let text = "ä".repeat(2000);
        // SAFETY: `out` is a local.
        let status = unsafe { Error::value(text).store(&mut out) };
        assert_eq!(status, error_kind::VALUE);
        let read = Error::from_abi(status, &out);
        assert_eq!(read.message().chars().count(), 509);
        assert!(read.message().chars().all(|c| c == 'ä'));
    }
}
