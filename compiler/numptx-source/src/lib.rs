//! Source text, spans and reports: the leaf that every stage of the compiler shares.
//!
//! A stage hands back a value and [`Reports`]; it never prints. Rendering belongs to the command line.

mod codes;
mod decode;
mod progress;
mod report;
mod source;

pub use codes::{CODES, Code, CodeEntry};

/// The codes by name.
pub mod code {
    pub use crate::codes::*;
}
pub use decode::{Undecodable, decode};
pub use progress::Progress;
pub use report::{InternalError, Label, Report, Reports, Severity};
pub use source::{Helper, Imports, Source, Span};
