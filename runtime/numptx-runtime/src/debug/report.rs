//! Where things happened, and how what is wrong is told: on standard error, and as the error of the call that runs on the thread.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::thread::{self, ThreadId};

use numptx_abi::Overload;

use crate::buffer::Buffer;
use crate::error::{Error, Result};
use crate::results::signature;
use crate::stats;

thread_local! {
    /// The running call's number and overload.
    static CALL: Cell<(u64, *const Overload)> = const { Cell::new((0, std::ptr::null())) };
    /// What was found wrong since the running call began.
    static FOUND: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// A call, or outside of calls; and the thread.
#[derive(Clone)]
pub(super) struct Site {
    call: Option<(u64, String)>,
    thread: ThreadId,
}

impl Site {
    pub fn here() -> Site {
        let (number, overload) = CALL.get();
        // SAFETY: overloads live as long as their library.
        let call = unsafe { overload.as_ref() }.map(|overload| (number, signature(overload)));
        Site { call, thread: thread::current().id() }
    }
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.call {
            Some((number, function)) => write!(f, "in call {number}, of `{function}`")?,
            None => f.write_str("outside of calls")?,
        }
        if self.thread != thread::current().id() { write!(f, " on {:?}", self.thread) } else { Ok(()) }
    }
}

/// Reports what was wrong and not done.
pub(super) fn violation(device: i32, text: &str) {
    stats::violated(device);
    let report = format!("numptx: memory: {text}; now {}; this is a bug of numptx", Site::here());
    eprintln!("{report}");
    FOUND.with_borrow_mut(|found| found.push(report));
}

/// A running call: reports are its own, and its arguments' buffers are known while it runs.
pub(crate) struct CallScope {
    outer: Option<((u64, *const Overload), Vec<String>)>,
    arguments: (*mut Buffer, usize),
}

/// A call begins, with its arguments' buffers on its stack. Does nothing where the mode is off.
pub(crate) fn enter_call(overload: &Overload, number: u64, first: *mut Buffer, n: usize) -> CallScope {
    if !super::is_on() {
        return CallScope { outer: None, arguments: (first, 0) };
    }
    let outer = Some((CALL.replace((number, overload)), FOUND.take()));
    (0..n).for_each(|k| super::bound(first.wrapping_add(k)));
    CallScope { outer, arguments: (first, n) }
}

impl CallScope {
    /// The error of a call in which something was wrong.
    pub(crate) fn verdict(&self) -> Result<()> {
        let first = self.outer.as_ref().and_then(|_| FOUND.with_borrow(|found| found.first().cloned()));
        first.map_or(Ok(()), |report| Err(Error::runtime(report)))
    }
}

impl Drop for CallScope {
    fn drop(&mut self) {
        if let Some((call, found)) = self.outer.take() {
            let (first, n) = self.arguments;
            (0..n).for_each(|k| super::unbound(first.wrapping_add(k)));
            CALL.set(call);
            FOUND.set(found);
        }
    }
}
