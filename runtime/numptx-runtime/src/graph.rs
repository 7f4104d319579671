//! Graphs that we capture ourselves: calls are recorded, then run again as one launch.
//!
//! In: a stream, and the calls that are made on it until the end. Out: an executable graph, which a launch runs after what else was done with
//! the arrays that it uses, and before what comes next. What it uses lives as long as it does.

mod update;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use cudarc::driver::sys;

use crate::device::Device;
use crate::driver::{Failure, opened};
use crate::error::{Error, Result};
use crate::event::Event;
use crate::lock::{Guard, lock};
use crate::recording::BufferUse;
use crate::stream::{Capture, Stream, is_captured};

/// A graph and the stream that it was captured from.
pub(crate) struct Graph {
    device: &'static Device,
    stream: Stream,
    /// What other work does to its captures, as the driver numbers it.
    mode: u32,
    state: Mutex<State>,
    /// Outside of the lock, which a launch holds while it lets streams go.
    nodes: AtomicUsize,
}

enum State {
    Capturing {
        id: u64,
    },
    Ready(Ready),
    /// It is captured again, and takes over what was captured.
    Updating {
        id: u64,
        ready: Ready,
    },
    /// A thread begins to capture it again, or ends that.
    Busy,
    /// The capture failed.
    Failed,
}

struct Ready {
    executable: sys::CUgraphExec,
    buffers: Vec<BufferUse>,
}

// SAFETY: driver handles may be used on any thread; launches of one executable are serialised by a lock.
unsafe impl Send for Graph {}
// SAFETY: as above; what changes is behind locks.
unsafe impl Sync for Graph {}

/// What the running captures of ours use, by the capture's number.
static CAPTURES: Mutex<Vec<(u64, Vec<BufferUse>)>> = Mutex::new(Vec::new());
/// How many there are, for those who only ask whether there are any.
static N_CAPTURES: AtomicUsize = AtomicUsize::new(0);

fn captures() -> Guard<'static, Vec<(u64, Vec<BufferUse>)>> {
    lock(&CAPTURES)
}

/// Takes over the buffers that a captured call used, if the capture is one of ours; gives those back that it does not take.
///
/// A graph of ours keeps its device memory itself: that is freed in the order of the streams on which it was replayed. Only what other libraries own
/// is left to the driver, which lets go of it after launches under way; that makes each launch take several times as long.
pub(crate) fn take_buffers(id: u64, buffers: Vec<BufferUse>) -> Vec<BufferUse> {
    let mut captures = captures();
    let Some((_, list)) = captures.iter_mut().find(|(own, _)| *own == id) else { return buffers };
    for kept in &buffers {
        BufferUse::note(list, &kept.buffer, kept.is_written);
    }
    // Dropped without the lock: owners may want the interpreter's.
    drop(captures);
    buffers.into_iter().filter(|kept| kept.buffer.is_foreign()).collect()
}

/// A capture of ours begins.
fn announce(id: u64) {
    captures().push((id, Vec::new()));
    N_CAPTURES.fetch_add(1, Ordering::Release);
}

/// Whether a capture of ours goes on.
pub(crate) fn is_running(id: u64) -> bool {
    N_CAPTURES.load(Ordering::Acquire) != 0 && captures().iter().any(|(own, _)| *own == id)
}

/// Forgets a capture that is over; what it computes is there after a replay, so that nobody is refused any more.
fn forget(id: u64) -> Vec<BufferUse> {
    let mut captures = captures();
    let Some(at) = captures.iter().position(|(own, _)| *own == id) else { return Vec::new() };
    N_CAPTURES.fetch_sub(1, Ordering::Release);
    let list = captures.swap_remove(at).1;
    drop(captures);
    for uses in list.iter().filter_map(|kept| kept.buffer.uses()) {
        uses.end_capture(id);
    }
    list
}

impl Graph {
    /// Begins to capture a stream.
    pub(crate) fn begin(stream: Stream, mode: u32) -> Result<Graph> {
        let (device, id) = Graph::capture(&stream, mode)?;
        announce(id);
        Ok(Graph { device, stream, mode, state: Mutex::new(State::Capturing { id }), nodes: AtomicUsize::new(0) })
    }

    /// Begins to capture a stream: its device, and the capture's number.
    fn capture(stream: &Stream, mode: u32) -> Result<(&'static Device, u64)> {
        let Some(device) = stream.device() else {
            return Err(Error::value("the legacy default stream cannot be captured; capture a numptx.Stream"));
        };
        let _context = device.enter()?;
        begin_capture(device, stream, i32::try_from(mode).unwrap_or(-1))?;
        match stream.capture(device.driver) {
            Ok(Capture::Into { id, .. }) => Ok((device, id)),
            other => {
                end_unused(device, stream);
                Err(other.err().unwrap_or_else(|| Error::runtime("the driver did not begin to capture the stream")))
            }
        }
    }

    /// Ends the capture and forgets what was captured: the program did not come to its end.
    pub(crate) fn abandon(&self) {
        self.let_go();
    }

    fn state(&self) -> Guard<'_, State> {
        lock(&self.state)
    }

    /// Ends the capture and makes the graph executable.
    pub(crate) fn end(&self) -> Result<()> {
        let id = {
            let mut state = self.state();
            let State::Capturing { id } = *state else {
                return Err(Error::runtime("the graph's capture has ended before"));
            };
            *state = State::Failed;
            id
        };
        let buffers = forget(id);
        // Takes long: the lock is not held meanwhile.
        let (executable, nodes) = self.instantiate()?;
        self.nodes.store(nodes, Ordering::Relaxed);
        *self.state() = State::Ready(Ready { executable, buffers });
        Ok(())
    }

    fn instantiate(&self) -> Result<(sys::CUgraphExec, usize)> {
        let _context = self.device.enter()?;
        let driver = self.device.driver;
        let (mut graph, mut executable): (sys::CUgraph, sys::CUgraphExec) =
            (std::ptr::null_mut(), std::ptr::null_mut());
        let mut nodes = 0usize;
        // SAFETY: writes to locals; the graph is ours, and destroyed once.
        unsafe {
            end_capture(self.device, &self.stream, &mut graph)?;
            let made = driver
                .graph_instantiate(&mut executable, graph, 0)
                .and_then(|()| driver.graph_nodes(graph, std::ptr::null_mut(), &mut nodes));
            let destroyed = driver.graph_destroy(graph);
            if let Err(failure) = made.and(destroyed) {
                if !executable.is_null() {
                    let _ = driver.graph_exec_destroy(executable);
                }
                return Err(failure.into());
            }
        }
        Ok((executable, nodes))
    }

    /// Runs the graph in the order of a stream.
    pub(crate) fn launch(&self, stream: &Stream) -> Result<()> {
        let state = self.state();
        let ready = match &*state {
            State::Ready(ready) => ready,
            State::Capturing { .. } => {
                return Err(Error::runtime("the graph is still being captured; replay it after the `with` block"));
            }
            State::Updating { .. } | State::Busy => {
                return Err(Error::runtime(
                    "the graph is being updated; replay it after the `with graph.update()` block",
                ));
            }
            State::Failed => return Err(Error::runtime("the graph's capture failed: there is nothing to replay")),
        };
        if stream.device().is_some_and(|device| device.ordinal != self.device.ordinal) {
            return Err(Error::value("the graph was captured on another device than the stream's"));
        }
        let _context = self.device.enter()?;
        let _call = stream.under_way();
        if is_captured(self.device.driver, stream.handle())? {
            return Err(Error::runtime("a graph cannot be replayed on a stream that is being captured"));
        }
        for kept in &ready.buffers {
            if let Some(uses) = kept.buffer.uses() {
                uses.enter(self.device, stream, kept.is_written, None)?;
            }
        }
        // SAFETY: both are alive; launches of one executable are serialised by the lock, which nobody waits for attached to an interpreter.
        Ok(unsafe { self.device.driver.graph_launch(ready.executable, stream.handle()) }?)
    }

    /// Nodes of the captured graph.
    pub(crate) fn nodes(&self) -> usize {
        self.nodes.load(Ordering::Relaxed)
    }
}

/// Marks what the stream was given before, for those who wait for that meanwhile, and begins. The device's context is current.
fn begin_capture(device: &'static Device, stream: &Stream, mode: i32) -> Result<()> {
    let mut before = stream.before_capture();
    // Else the driver says what is wrong.
    let event = if is_captured(device.driver, stream.handle())? {
        None
    } else {
        let event = Event::on(device, false)?;
        event.mark(stream)?;
        Some(Arc::new(event))
    };
    // SAFETY: the stream is alive.
    unsafe { device.driver.stream_begin_capture(stream.handle(), mode) }?;
    if let Some(before) = &mut before {
        **before = event;
    }
    Ok(())
}

/// Ends a stream's capture, while nobody asks the driver about it: others mark the stream again.
///
/// # Safety
/// The capture is ours.
unsafe fn end_capture(device: &Device, stream: &Stream, graph: &mut sys::CUgraph) -> std::result::Result<(), Failure> {
    let mut before = stream.before_capture();
    // SAFETY: as the caller promises; writes to the caller's local.
    let ended = unsafe { device.driver.stream_end_capture(stream.handle(), graph) };
    let mark = before.as_mut().and_then(|before| before.take());
    drop(before);
    drop(mark);
    ended
}

/// Ends a capture and drops what comes out of it. The device's context is current.
fn end_unused(device: &Device, stream: &Stream) {
    let mut graph: sys::CUgraph = std::ptr::null_mut();
    // SAFETY: the capture is ours; a graph that comes out of it is destroyed once.
    unsafe {
        let ended = end_capture(device, stream, &mut graph);
        if ended.is_ok() && !graph.is_null() {
            let _ = device.driver.graph_destroy(graph);
        }
    }
}

/// Destroys an executable graph; launches under way keep what they use.
fn destroy(device: &Device, executable: sys::CUgraphExec) {
    if let (Some(driver), Ok(_context)) = (opened(), device.enter()) {
        // SAFETY: ours, and destroyed once.
        let _ = unsafe { driver.graph_exec_destroy(executable) };
    }
}

impl Drop for Graph {
    fn drop(&mut self) {
        self.let_go();
    }
}

impl Graph {
    fn let_go(&self) {
        // The lock goes before buffers do: their owners may want the interpreter's.
        let state = std::mem::replace(&mut *self.state(), State::Failed);
        match state {
            State::Capturing { id } => {
                let buffers = forget(id);
                if let (Some(_), Ok(_context)) = (opened(), self.device.enter()) {
                    end_unused(self.device, &self.stream);
                }
                drop(buffers);
            }
            State::Updating { id, ready } => {
                let buffers = forget(id);
                if let (Some(_), Ok(_context)) = (opened(), self.device.enter()) {
                    end_unused(self.device, &self.stream);
                }
                destroy(self.device, ready.executable);
                drop((buffers, ready.buffers));
            }
            State::Ready(ready) => {
                destroy(self.device, ready.executable);
                drop(ready.buffers);
            }
            State::Failed | State::Busy => {}
        }
    }
}
