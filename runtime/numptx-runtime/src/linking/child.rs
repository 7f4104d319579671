//! Runs a function in a forked process, so that what crashes there crashes nobody, and what it writes to standard output and error is read.
//!
//! In: a function from nothing to bytes. Out: the bytes and what was written, or how the process ended. The function may allocate; it must not
//! start threads, nor take locks that other threads of the parent can hold.

use std::ffi::c_int;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::mem::ManuallyDrop;
use std::os::fd::{AsRawFd, FromRawFd};

use crate::error::{Error, Result};

/// The longest that the process may take. Unit: seconds.
const LIMIT: u32 = 600;
/// What the bytes of a complete answer begin with.
const COMPLETE: &[u8] = b"complete";

/// What a process left.
pub(crate) struct ChildOutput {
    pub(crate) answer: Vec<u8>,
    /// Standard output and error.
    pub(crate) said: String,
}

/// Runs `work` apart. `Err` with the signal's words where it crashed.
pub(crate) fn run(work: impl FnOnce() -> Vec<u8>) -> Result<ChildOutput> {
    let (mut answer, mut said) = (unnamed_file()?, unnamed_file()?);
    // SAFETY: the child calls nothing but `in_child`, which never returns.
    let child = unsafe { libc::fork() };
    if child < 0 {
        return Err(Error::runtime(format!("cannot start a process: {}", std::io::Error::last_os_error())));
    }
    if child == 0 {
        in_child(&answer, &said, work);
    }
    let ended = wait(child);
    let (mut bytes, mut text) = (Vec::new(), Vec::new());
    let read = |file: &mut File, into: &mut Vec<u8>| {
        file.seek(SeekFrom::Start(0)).and_then(|_| file.read_to_end(into)).map_err(|e| Error::runtime(e.to_string()))
    };
    read(&mut answer, &mut bytes)?;
    read(&mut said, &mut text)?;
    let said = String::from_utf8_lossy(&text).trim().to_string();
    match bytes.strip_prefix(COMPLETE) {
        Some(answer) => Ok(ChildOutput { answer: answer.to_vec(), said }),
        None => Err(Error::runtime(format!("{}{}{said}", how(ended), if said.is_empty() { "" } else { "\n" }))),
    }
}

/// A file without a name, which is gone with its last descriptor.
fn unnamed_file() -> Result<File> {
    // SAFETY: the name is null-terminated; a descriptor that is returned is ours.
    unsafe {
        match libc::memfd_create(c"numptx".as_ptr(), libc::MFD_CLOEXEC) {
            descriptor if descriptor >= 0 => Ok(File::from_raw_fd(descriptor)),
            _ => Err(Error::runtime(format!("cannot make a file in memory: {}", std::io::Error::last_os_error()))),
        }
    }
}

fn in_child(answer: &File, said: &File, work: impl FnOnce() -> Vec<u8>) -> ! {
    // SAFETY: system calls on descriptors that are open, and signals' default actions: the parent's handlers are not for this process.
    unsafe {
        for signal in
            [libc::SIGALRM, libc::SIGINT, libc::SIGTERM, libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGABRT]
        {
            libc::signal(signal, libc::SIG_DFL);
        }
        // A crash here is an answer, not something to keep a core of.
        libc::setrlimit(libc::RLIMIT_CORE, &libc::rlimit { rlim_cur: 0, rlim_max: 0 });
        libc::alarm(LIMIT);
        libc::dup2(said.as_raw_fd(), libc::STDOUT_FILENO);
        libc::dup2(said.as_raw_fd(), libc::STDERR_FILENO);
    }
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let bytes = work();
        // SAFETY: the descriptor stays the parent's.
        let mut file = unsafe { ManuallyDrop::new(File::from_raw_fd(answer.as_raw_fd())) };
        // Written at once or not at all, as far as the parent can tell: the mark comes last.
        file.seek(SeekFrom::Start(COMPLETE.len() as u64))?;
        file.write_all(&bytes)?;
        file.seek(SeekFrom::Start(0))?;
        file.write_all(COMPLETE)
    }));
    // SAFETY: ends this process without running anybody's exit handlers.
    unsafe { libc::_exit(c_int::from(!matches!(outcome, Ok(Ok(()))))) }
}

/// Waits for the child; `None` if somebody else in this process has done so.
fn wait(child: libc::pid_t) -> Option<c_int> {
    let mut status: c_int = 0;
    loop {
        // SAFETY: writes to a local.
        if unsafe { libc::waitpid(child, &mut status, 0) } == child {
            return Some(status);
        }
        if std::io::Error::last_os_error().kind() != std::io::ErrorKind::Interrupted {
            return None;
        }
    }
}

fn how(status: Option<c_int>) -> String {
    match status {
        Some(status) if libc::WIFSIGNALED(status) && libc::WTERMSIG(status) == libc::SIGALRM => {
            format!("was stopped after {LIMIT} seconds")
        }
        Some(status) if libc::WIFSIGNALED(status) => format!("crashed (signal {})", libc::WTERMSIG(status)),
        _ => "ended without an answer".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_words_and_crashes_are_told_apart() {
        let left = run(|| vec![7; 100_000]).expect("it answers");
        assert_eq!((left.answer.len(), left.said.as_str()), (100_000, ""));
        let said = run(|| {
            // SAFETY: writes bytes that are there.
            unsafe { libc::write(2, c"a word\n".as_ptr().cast(), 7) };
            Vec::new()
        });
        assert_eq!(said.map(|left| left.said).ok().as_deref(), Some("a word"));
        let crashed = run(|| {
            // SAFETY: a signal to this process, which is the child.
            unsafe { libc::raise(libc::SIGSEGV) };
            Vec::new()
        });
        assert_eq!(crashed.err().map(|e| e.message().to_string()).as_deref(), Some("crashed (signal 11)"));
    }
}
