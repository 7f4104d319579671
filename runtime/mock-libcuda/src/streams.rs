//! Streams: queues of work. The legacy stream of a context and its blocking streams order themselves after one another.

use std::cell::Cell;
use std::collections::VecDeque;
use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::capture::Status;
use crate::state::{
    CAPTURE_IMPLICIT, CAPTURE_INVALIDATED, CAPTURE_UNSUPPORTED, CONTEXT_IS_DESTROYED, Code, INVALID_CONTEXT,
    INVALID_HANDLE, INVALID_VALUE, NOT_READY, State, code, current_context, enter, enter_context, enter_work, is_child,
    setting,
};
use crate::work::Op;

const NON_BLOCKING: u32 = 1;
/// The handles that stand for default streams.
const LEGACY: usize = 1;
const PER_THREAD: usize = 2;

/// A stream.
pub(crate) struct Stream {
    pub(crate) context: usize,
    pub(crate) is_blocking: bool,
    priority: i32,
    /// A default stream, which is not made and not destroyed.
    is_default: bool,
    queue: VecDeque<Op>,
    /// Pieces of work given, and done.
    pub(crate) given: u64,
    pub(crate) done: u64,
    /// The capture that it takes part in.
    pub(crate) capture: Option<u64>,
}

impl Stream {
    fn new(context: usize, is_blocking: bool, is_default: bool) -> Stream {
        Stream {
            context,
            is_blocking,
            priority: 0,
            is_default,
            queue: VecDeque::new(),
            given: 0,
            done: 0,
            capture: None,
        }
    }
}

/// This thread's number.
pub(crate) fn thread_number() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(1);
    thread_local! {
        static NUMBER: Cell<usize> = const { Cell::new(0) };
    }
    if NUMBER.get() == 0 {
        NUMBER.set(NEXT.fetch_add(1, Ordering::Relaxed));
    }
    NUMBER.get()
}

fn legacy_of(context: usize) -> usize {
    context << 8 | LEGACY
}

impl State {
    /// The stream of a handle. Default streams belong to the current context, so there must be one.
    pub(crate) fn stream(&mut self, handle: *mut c_void) -> Result<usize, Code> {
        let context = current_context();
        let key = match handle.addr() {
            0 | LEGACY => legacy_of(context),
            PER_THREAD => thread_number() << 32 | context << 8 | PER_THREAD,
            other => {
                return match self.streams.get(&other) {
                    Some(stream) if !stream.is_default && self.is_destroyed(stream.context) => {
                        Err(CONTEXT_IS_DESTROYED)
                    }
                    Some(stream) if !stream.is_default => Ok(other),
                    _ => {
                        self.violation(&format!("use of the stream {other:#x}, which is not alive"));
                        Err(INVALID_HANDLE)
                    }
                };
            }
        };
        if context == 0 {
            return Err(INVALID_CONTEXT);
        }
        if self.is_destroyed(context) {
            return Err(CONTEXT_IS_DESTROYED);
        }
        self.streams.entry(key).or_insert_with(|| Stream::new(context, true, true));
        Ok(key)
    }

    /// [`State::stream`] for work of the current context.
    pub(crate) fn own_stream(&mut self, handle: *mut c_void) -> Result<usize, Code> {
        let key = self.stream(handle)?;
        if self.streams[&key].context != current_context() {
            self.violation("work for a stream of another context than the current one");
            return Err(INVALID_HANDLE);
        }
        Ok(key)
    }

    fn is_legacy(&self, key: usize) -> bool {
        key & 0xff == LEGACY && self.streams.get(&key).is_some_and(|stream| stream.is_default)
    }

    /// Whether the legacy stream would have to wait for a blocking stream that is captured.
    pub(crate) fn is_implied(&self, key: usize) -> bool {
        let context = self.streams[&key].context;
        self.is_legacy(key)
            && self.streams.values().any(|s| s.context == context && s.is_blocking && s.capture.is_some())
    }

    /// Gives a stream work: it is recorded, done at once, or put off.
    pub(crate) fn submit(&mut self, key: usize, op: Op) -> Result<(), Code> {
        if let Some(capture) = self.streams[&key].capture {
            return self.record_node(key, capture, op);
        }
        if self.is_implied(key) {
            let context = self.streams[&key].context;
            let hit: Vec<u64> = self
                .streams
                .values()
                .filter(|s| s.context == context && s.is_blocking)
                .filter_map(|s| s.capture)
                .collect();
            hit.into_iter().for_each(|capture| self.invalidate(capture));
            return Err(CAPTURE_IMPLICIT);
        }
        self.wait_implicitly(key);
        self.push(key, op);
        if self.is_deferring() { Ok(()) } else { self.run_stream(key, u64::MAX) }
    }

    fn push(&mut self, key: usize, op: Op) {
        if let Some(stream) = self.streams.get_mut(&key) {
            stream.given += 1;
            stream.queue.push_back(op);
        }
    }

    /// The legacy stream after all blocking ones, and these after it.
    fn wait_implicitly(&mut self, key: usize) {
        if !self.streams[&key].is_blocking {
            return;
        }
        let (context, legacy) = (self.streams[&key].context, self.is_legacy(key));
        let others = |(k, s): (&usize, &Stream)| {
            let concerned = *k != key && s.context == context && s.is_blocking && s.done < s.given;
            (concerned && (legacy || *k == legacy_of(context))).then_some((*k, s.given))
        };
        let waits: Vec<(usize, u64)> = self.streams.iter().filter_map(others).collect();
        waits.into_iter().for_each(|(stream, until)| self.push(key, Op::Wait { stream, until }));
    }

    fn is_deferring(&mut self) -> bool {
        *self.defer.get_or_insert_with(|| setting("NUMPTX_MOCK_DEFER", 0) != 0)
    }

    /// Does a stream's work until it has done `until` pieces, or all.
    pub(crate) fn run_stream(&mut self, key: usize, until: u64) -> Result<(), Code> {
        while let Some(stream) = self.streams.get_mut(&key).filter(|s| s.done < until) {
            let Some(op) = stream.queue.pop_front() else { break };
            stream.done += 1;
            if let Err(failure) = self.perform(op) {
                if self.is_deferring() {
                    self.lost = Some(failure);
                } else {
                    return Err(failure);
                }
            }
        }
        Ok(())
    }

    /// Does everything that was put off.
    pub(crate) fn run_all(&mut self) {
        let keys: Vec<usize> = self.streams.keys().copied().collect();
        for key in keys {
            let _ = self.run_stream(key, u64::MAX);
        }
    }

    pub(crate) fn check_lost(&self) -> Result<(), Code> {
        self.lost.map_or(Ok(()), Err)
    }
}

fn create(out: *mut *mut c_void, flags: u32, priority: i32) -> Result<(), Code> {
    let mut state = enter_context("cuStreamCreate")?;
    if flags > NON_BLOCKING {
        return Err(INVALID_VALUE);
    }
    let handle = state.fresh_handle();
    let made = Stream { priority, ..Stream::new(current_context(), flags == 0, false) };
    state.streams.insert(handle, made);
    state.counts.live_streams += 1;
    // SAFETY: as the caller of the driver's function promises.
    unsafe { *out = std::ptr::without_provenance_mut(handle) };
    Ok(())
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamCreate(out: *mut *mut c_void, flags: u32) -> Code {
    code(create(out, flags, 0))
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamCreateWithPriority(out: *mut *mut c_void, flags: u32, priority: i32) -> Code {
    code(create(out, flags, priority))
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamGetPriority(stream: *mut c_void, out: *mut i32) -> Code {
    code((|| {
        let mut state = enter("cuStreamGetPriority")?;
        let key = state.stream(stream)?;
        // SAFETY: as the caller promises.
        unsafe { *out = state.streams[&key].priority };
        Ok(())
    })())
}

/// # Safety
/// As the driver's function. In a forked child the real one crashes, and so does this.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamDestroy_v2(stream: *mut c_void) -> Code {
    if is_child() {
        std::process::abort();
    }
    code((|| {
        let mut state = enter("cuStreamDestroy")?;
        if stream.addr() <= PER_THREAD {
            return Err(INVALID_HANDLE);
        }
        let key = state.stream(stream)?;
        let _ = state.run_stream(key, u64::MAX);
        if let Some(capture) = state.streams[&key].capture {
            state.invalidate(capture);
        }
        state.streams.remove(&key);
        state.counts.live_streams -= 1;
        Ok(())
    })())
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamGetCtx(stream: *mut c_void, out: *mut *mut c_void) -> Code {
    code((|| {
        let mut state = enter_context("cuStreamGetCtx")?;
        let key = state.stream(stream)?;
        // SAFETY: as the caller promises.
        unsafe { *out = std::ptr::without_provenance_mut(state.streams[&key].context) };
        Ok(())
    })())
}

/// Nobody may wait for a stream that is captured.
fn refuse_captured(state: &mut State, key: usize) -> Result<(), Code> {
    match state.streams[&key].capture {
        Some(capture) => {
            let was = state.captures.get(&capture).map(|c| c.status);
            state.invalidate(capture);
            Err(if was == Some(Status::Invalidated) { CAPTURE_INVALIDATED } else { CAPTURE_UNSUPPORTED })
        }
        None => Ok(()),
    }
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamSynchronize(stream: *mut c_void) -> Code {
    // The real one says that all is well there, which it does not know.
    if is_child() {
        crate::control::note_call_in_child();
        return 0;
    }
    code((|| {
        let mut state = enter_work("cuStreamSynchronize")?;
        let key = state.stream(stream)?;
        refuse_captured(&mut state, key)?;
        state.counts.waits += 1;
        state.wait_implicitly(key);
        state.run_stream(key, u64::MAX)?;
        state.check_lost()
    })())
}

/// # Safety
/// As the driver's function. Each question lets a stream that puts its work off do one piece of it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamQuery(stream: *mut c_void) -> Code {
    code((|| {
        let mut state = enter_context("cuStreamQuery")?;
        let key = state.stream(stream)?;
        refuse_captured(&mut state, key)?;
        if state.streams[&key].done == state.streams[&key].given {
            return state.check_lost();
        }
        let next = state.streams[&key].done + 1;
        state.run_stream(key, next)?;
        Err(NOT_READY)
    })())
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuCtxSynchronize() -> Code {
    code((|| {
        let mut state = enter_work("cuCtxSynchronize")?;
        let captured: Vec<u64> =
            state.streams.values().filter(|s| s.context == current_context()).filter_map(|s| s.capture).collect();
        if !captured.is_empty() {
            captured.into_iter().for_each(|capture| state.invalidate(capture));
            return Err(CAPTURE_UNSUPPORTED);
        }
        state.counts.waits += 1;
        state.run_all();
        state.check_lost()
    })())
}
