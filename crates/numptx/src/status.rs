//! How the command ends.

use std::process::ExitCode;

/// The outcome of a command, from good to bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Everything was done.
    Done,
    /// A program was refused.
    Refused,
    /// A file, a folder or an argument is not what the command needs.
    Usage,
    /// A bug in numptx.
    Bug,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(match status {
            Status::Done => 0,
            Status::Refused => 1,
            Status::Usage => 2,
            Status::Bug => 70,
        })
    }
}
