//! What an operation fails with: the exception that CPython would raise, memory that ran out, or a bug.

use std::borrow::Cow;

use numptx_abi::{Status, error_kind};

/// An exception: its kind and its message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// A code of [`error_kind`].
    pub kind: Status,
    /// The message, as CPython has it; of a `KeyError` for a key the key's `repr`.
    pub message: Cow<'static, str>,
    /// Of a `KeyError`: whether the message is the `repr` of the exception's argument, so that Python shows it as it is. Others it shows in quotes.
    pub is_repr: bool,
}

/// What operations answer.
pub(crate) type Outcome<T> = Result<T, Failure>;

impl Failure {
    /// An exception of a kind.
    pub fn new(kind: Status, message: impl Into<Cow<'static, str>>) -> Failure {
        Failure { kind, message: message.into(), is_repr: false }
    }

    /// `ValueError`
    pub fn value(message: impl Into<Cow<'static, str>>) -> Failure {
        Failure::new(error_kind::VALUE, message)
    }

    /// `IndexError`
    pub fn index(message: &'static str) -> Failure {
        Failure::new(error_kind::INDEX, message)
    }

    /// `TypeError`
    pub fn type_error(message: impl Into<Cow<'static, str>>) -> Failure {
        Failure::new(error_kind::TYPE, message)
    }

    /// `OverflowError`
    pub fn overflow(message: impl Into<Cow<'static, str>>) -> Failure {
        Failure::new(error_kind::OVERFLOW, message)
    }

    /// `KeyError` for a key, of the key's `repr`.
    pub fn key(repr: String) -> Failure {
        Failure { kind: error_kind::KEY, message: repr.into(), is_repr: true }
    }

    /// `MemoryError`
    pub fn memory() -> Failure {
        Failure::new(error_kind::MEMORY, "")
    }

    /// Operands that are not what the table of operations says.
    pub fn bug(what: &str) -> Failure {
        Failure::new(error_kind::RUNTIME, format!("{what}: this is a bug of numptx"))
    }
}

impl From<std::collections::TryReserveError> for Failure {
    fn from(_: std::collections::TryReserveError) -> Failure {
        Failure::memory()
    }
}
