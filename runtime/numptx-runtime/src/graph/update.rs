//! A graph that is recorded anew: the executable graph takes over what the calls of another recording do, and goes on being the same one.
//!
//! In: a graph that can be launched, and the calls that are made on its stream until the end. Out: the same graph with their arrays, numbers and
//! results. The driver changes the nodes where the recordings have the same shape; where they have not, a new executable graph takes the old one's
//! place. Launches under way keep what they use; what the old recording used is let go after them.

use std::sync::atomic::Ordering;

use cudarc::driver::sys;

use super::{Graph, Ready, State, announce, destroy, end_capture, end_unused, forget};
use crate::driver::Failure;
use crate::error::{Error, Result};

/// A recording that the executable graph did not take over.
struct UpdateFailure {
    error: Error,
    /// Nobody changed the executable graph.
    is_unchanged: bool,
}

impl From<Error> for UpdateFailure {
    fn from(error: Error) -> UpdateFailure {
        UpdateFailure { error, is_unchanged: true }
    }
}

impl From<Failure> for UpdateFailure {
    fn from(failure: Failure) -> UpdateFailure {
        UpdateFailure::from(Error::from(failure))
    }
}

impl Graph {
    /// Begins to record the graph anew.
    pub(crate) fn begin_update(&self) -> Result<()> {
        let ready = self.take_ready()?;
        let begun = Graph::capture(&self.stream, self.mode);
        let (state, outcome) = match begun {
            Ok((_, id)) => {
                announce(id);
                (State::Updating { id, ready }, Ok(()))
            }
            Err(error) => (State::Ready(ready), Err(error)),
        };
        *self.state() = state;
        outcome
    }

    /// Ends the recording: the graph does what it has recorded. Where that fails the graph stays what it was.
    pub(crate) fn end_update(&self) -> Result<()> {
        let (id, Ready { executable: old, buffers }) = self.take_update()?;
        let recorded = forget(id);
        let (state, unused, outcome) = match self.updated(old) {
            Ok((executable, nodes)) => {
                self.nodes.store(nodes, Ordering::Relaxed);
                (State::Ready(Ready { executable, buffers: recorded }), vec![buffers], Ok(()))
            }
            Err(UpdateFailure { error, is_unchanged: true }) => {
                (State::Ready(Ready { executable: old, buffers }), vec![recorded], Err(error))
            }
            Err(UpdateFailure { error, is_unchanged: false }) => {
                destroy(self.device, old);
                (State::Failed, vec![buffers, recorded], Err(error))
            }
        };
        *self.state() = state;
        // Without the lock: owners may want the interpreter's.
        drop(unused);
        outcome
    }

    /// Ends the recording and forgets it: the graph stays what it was.
    pub(crate) fn abandon_update(&self) {
        let Ok((id, ready)) = self.take_update() else { return };
        let recorded = forget(id);
        if let Ok(_context) = self.device.enter() {
            end_unused(self.device, &self.stream);
        }
        *self.state() = State::Ready(ready);
        drop(recorded);
    }

    fn take_ready(&self) -> Result<Ready> {
        let mut state = self.state();
        let words = match std::mem::replace(&mut *state, State::Busy) {
            State::Ready(ready) => return Ok(ready),
            other => {
                let words = match other {
                    State::Capturing { .. } => "the graph is still being captured; update it after the `with` block",
                    State::Failed => "the graph's capture failed: there is nothing to update",
                    _ => "the graph is being updated already",
                };
                *state = other;
                words
            }
        };
        Err(Error::runtime(words))
    }

    fn take_update(&self) -> Result<(u64, Ready)> {
        let mut state = self.state();
        match std::mem::replace(&mut *state, State::Busy) {
            State::Updating { id, ready } => Ok((id, ready)),
            other => {
                *state = other;
                Err(Error::runtime("the graph is not being updated"))
            }
        }
    }

    /// The executable graph of what was recorded, and its number of nodes: the old one with other nodes, or another one in its place.
    fn updated(&self, old: sys::CUgraphExec) -> std::result::Result<(sys::CUgraphExec, usize), UpdateFailure> {
        let _context = self.device.enter()?;
        let driver = self.device.driver;
        let mut graph: sys::CUgraph = std::ptr::null_mut();
        // SAFETY: the capture is ours.
        unsafe { end_capture(self.device, &self.stream, &mut graph) }?;
        let mut nodes = self.nodes();
        // SAFETY: writes to a local; the graph is ours, and destroyed once.
        let outcome = unsafe {
            let outcome = self.take_over(old, graph);
            let _ = driver.graph_nodes(graph, std::ptr::null_mut(), &mut nodes);
            let _ = driver.graph_destroy(graph);
            outcome
        };
        let executable = outcome?;
        if executable != old {
            destroy(self.device, old);
        }
        Ok((executable, nodes))
    }

    /// # Safety
    /// Both graphs are alive, and the device's context is current.
    unsafe fn take_over(
        &self,
        old: sys::CUgraphExec,
        graph: sys::CUgraph,
    ) -> std::result::Result<sys::CUgraphExec, UpdateFailure> {
        let driver = self.device.driver;
        // What the driver tells besides is not read: it may have a word for it that nobody here knows.
        let mut told = std::mem::MaybeUninit::<sys::CUgraphExecUpdateResultInfo>::zeroed();
        // SAFETY: as the caller promises; a place for what is told.
        let changed = unsafe { driver.graph_update(old, graph, told.as_mut_ptr()) };
        let Err(failure) = changed else { return Ok(old) };
        // By these the driver says that it has changed nothing.
        let is_unchanged = matches!(failure.code, Failure::UPDATE_FAILED | Failure::MISSING);
        let mut fresh: sys::CUgraphExec = std::ptr::null_mut();
        // SAFETY: as above; writes to a local.
        match unsafe { driver.graph_instantiate(&mut fresh, graph, 0) } {
            Ok(()) => Ok(fresh),
            Err(failure) => Err(UpdateFailure { error: failure.into(), is_unchanged }),
        }
    }
}
