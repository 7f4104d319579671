//! Capture of streams: what is recorded, what is forbidden meanwhile, and what forbidden calls do to the capture.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::ffi::c_void;

use crate::graphs::Graph;
use crate::state::{
    CAPTURE_IMPLICIT, CAPTURE_INVALIDATED, CAPTURE_UNJOINED, CAPTURE_UNSUPPORTED, CAPTURE_WRONG_THREAD, Code,
    INVALID_VALUE, State, code, enter, enter_context,
};
use crate::streams::thread_number;
use crate::work::{Op, Source};

const GLOBAL: i32 = 0;
const RELAXED: i32 = 2;
/// `CUstreamCaptureStatus`.
const ACTIVE: i32 = 1;
const INVALIDATED: i32 = 2;

thread_local! {
    /// How this thread's calls meet captures.
    static MODE: Cell<i32> = const { Cell::new(GLOBAL) };
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    Active,
    Invalidated,
}

/// A capture that has not ended.
pub(crate) struct Capture {
    pub(crate) status: Status,
    pub(crate) graph: usize,
    origin: usize,
    mode: i32,
    thread: usize,
    /// Streams whose work has come back to the origin.
    pub(crate) joined: BTreeSet<usize>,
}

impl State {
    /// A capture that something forbidden was done to.
    pub(crate) fn invalidate(&mut self, id: u64) {
        if let Some(capture) = self.captures.get_mut(&id)
            && capture.status == Status::Active
        {
            capture.status = Status::Invalidated;
            self.counts.invalidated += 1;
        }
    }

    /// Refuses what is unsafe while somebody captures, as far as this thread's mode asks for it.
    pub(crate) fn check_unsafe(&mut self) -> Result<(), Code> {
        let (mode, thread) = (MODE.get(), thread_number());
        if mode == RELAXED {
            return Ok(());
        }
        let concerns = |c: &Capture| match c.thread == thread {
            true => c.mode != RELAXED,
            false => mode == GLOBAL && c.mode == GLOBAL,
        };
        let hit: Vec<u64> = self.captures.iter().filter(|(_, c)| concerns(c)).map(|(id, _)| *id).collect();
        if hit.is_empty() {
            return Ok(());
        }
        hit.into_iter().for_each(|id| self.invalidate(id));
        Err(CAPTURE_UNSUPPORTED)
    }

    /// Adds work to the graph that is being captured.
    pub(crate) fn record_node(&mut self, stream: usize, id: u64, op: Op) -> Result<(), Code> {
        let Some(capture) = self.captures.get(&id) else { return Err(INVALID_VALUE) };
        if capture.status == Status::Invalidated {
            return Err(CAPTURE_INVALIDATED);
        }
        let graph = capture.graph;
        let pageable = match &op {
            Op::ToDevice { from: Source::Host(from), bytes, .. } => !self.is_pinned(*from, *bytes),
            Op::ToHost { to, bytes, .. } => !self.is_pinned(*to, *bytes),
            _ => false,
        };
        if pageable {
            self.violation("a node of a graph would copy pageable host memory at every launch");
        }
        // Work after a join has to be joined again.
        if let Some(capture) = self.captures.get_mut(&id) {
            capture.joined.remove(&stream);
        }
        if let Some(graph) = self.graphs.get_mut(&graph) {
            graph.nodes.push(op);
        }
        Ok(())
    }

    /// Makes a stream take part in a capture.
    pub(crate) fn join_capture(&mut self, stream: usize, id: u64) {
        if let Some(stream) = self.streams.get_mut(&stream) {
            stream.capture = Some(id);
        }
    }

    /// Whether a stream is the one that a capture began on.
    pub(crate) fn is_origin(&self, stream: usize, id: u64) -> bool {
        self.captures.get(&id).is_some_and(|c| c.origin == stream)
    }

    fn end(&mut self, key: usize) -> Result<usize, Code> {
        let id = self.streams[&key].capture.ok_or(INVALID_VALUE)?;
        let capture = &self.captures[&id];
        if capture.origin != key {
            return Err(INVALID_VALUE);
        }
        if capture.mode != RELAXED && capture.thread != thread_number() {
            self.invalidate(id);
            return Err(CAPTURE_WRONG_THREAD);
        }
        let Some(capture) = self.captures.remove(&id) else { return Err(INVALID_VALUE) };
        let members: Vec<usize> = self.streams.iter().filter(|(_, s)| s.capture == Some(id)).map(|(k, _)| *k).collect();
        for member in &members {
            if let Some(stream) = self.streams.get_mut(member) {
                stream.capture = None;
            }
        }
        let unjoined = members.iter().any(|m| *m != key && !capture.joined.contains(m));
        if capture.status == Status::Invalidated || unjoined {
            self.destroy_graph(capture.graph);
            return Err(if unjoined { CAPTURE_UNJOINED } else { CAPTURE_INVALIDATED });
        }
        Ok(capture.graph)
    }
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuThreadExchangeStreamCaptureMode(mode: *mut i32) -> Code {
    // SAFETY: as the caller promises.
    let wanted = unsafe { *mode };
    if !(GLOBAL..=RELAXED).contains(&wanted) {
        return INVALID_VALUE;
    }
    code(enter("cuThreadExchangeStreamCaptureMode").map(|_| {
        // SAFETY: as above.
        unsafe { *mode = MODE.replace(wanted) };
    }))
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamBeginCapture_v2(stream: *mut c_void, mode: i32) -> Code {
    code((|| {
        let mut state = enter_context("cuStreamBeginCapture")?;
        let key = state.stream(stream)?;
        if key & 0xff == 1 {
            return Err(CAPTURE_UNSUPPORTED);
        }
        if state.streams[&key].capture.is_some() || !(GLOBAL..=RELAXED).contains(&mode) {
            return Err(INVALID_VALUE);
        }
        let graph = state.fresh_handle();
        state.graphs.insert(graph, Graph::default());
        state.counts.live_graphs += 1;
        let id = state.fresh_handle() as u64;
        let thread = thread_number();
        let capture = Capture { status: Status::Active, graph, origin: key, mode, thread, joined: BTreeSet::new() };
        state.captures.insert(id, capture);
        state.join_capture(key, id);
        Ok(())
    })())
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamEndCapture(stream: *mut c_void, out: *mut *mut c_void) -> Code {
    code((|| {
        // SAFETY: as the caller promises.
        unsafe { *out = std::ptr::null_mut() };
        let mut state = enter_context("cuStreamEndCapture")?;
        let key = state.stream(stream)?;
        let graph = state.end(key)?;
        // SAFETY: as above.
        unsafe { *out = std::ptr::without_provenance_mut(graph) };
        Ok(())
    })())
}

/// Status, number and graph of a stream's capture.
fn info(state: &mut State, stream: *mut c_void) -> Result<Option<(i32, u64, usize)>, Code> {
    let key = state.stream(stream)?;
    if state.is_implied(key) {
        return Err(CAPTURE_IMPLICIT);
    }
    let Some(id) = state.streams[&key].capture else { return Ok(None) };
    let capture = &state.captures[&id];
    Ok(Some((if capture.status == Status::Active { ACTIVE } else { INVALIDATED }, id, capture.graph)))
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamIsCapturing(stream: *mut c_void, status: *mut i32) -> Code {
    code((|| {
        let mut state = enter("cuStreamIsCapturing")?;
        let found = info(&mut state, stream)?;
        // SAFETY: as the caller promises.
        unsafe { *status = found.map_or(0, |(status, ..)| status) };
        Ok(())
    })())
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamGetCaptureInfo_v2(
    stream: *mut c_void,
    status: *mut i32,
    id: *mut u64,
    graph: *mut *mut c_void,
    dependencies: *mut *const c_void,
    n_dependencies: *mut usize,
) -> Code {
    code((|| {
        let mut state = enter("cuStreamGetCaptureInfo")?;
        let found = info(&mut state, stream)?;
        let (now, number, handle) = found.unwrap_or((0, 0, 0));
        // SAFETY: as the caller promises: optional results may be null.
        unsafe {
            *status = now;
            if !id.is_null() {
                *id = number;
            }
            if !graph.is_null() {
                *graph = std::ptr::without_provenance_mut(handle);
            }
            if !dependencies.is_null() {
                *dependencies = std::ptr::null();
            }
            if !n_dependencies.is_null() {
                *n_dependencies = 0;
            }
        }
        Ok(())
    })())
}
