//! Iterations of a loop on the host as launches of one graph: what takes a device a few microseconds should not take the host as many for each kernel.
//!
//! In: the marks that generated code sets between iterations of a loop that waits for nothing, and the launches between them. Out: the same launches in
//! the same order. Two iterations with as many launches make a graph; the launches of later ones are held back, and when an iteration that has
//! as many ends, the graph gets their functions, grids and parameters, where they are others, and is launched. See Note [What is held back].

mod graph;
mod sequence;
mod wish;

use std::cell::{Cell, RefCell};
use std::ffi::c_void;

use graph::Executable;
pub(crate) use sequence::Function;
use sequence::Sequence;
pub(crate) use wish::check_wish;
use wish::wish;

use crate::device::Device;
use crate::driver::Failure;
use crate::error::Result;
use crate::reserve::Block;
use crate::stats;
use crate::stream::Stream;

/// Launches of an iteration at most.
const MOST_LAUNCHES: usize = 512;
/// Iterations from which on a loop in a loop is one that graphs are made of; shorter ones are parts of an iteration of the loop around.
const LONG: i64 = 16;
/// Iterations that may differ from the one before until nobody looks any more, and that may differ from the graph until it is dropped.
const MOST_MISSES: u32 = 4;

thread_local! {
    /// What holds launches of this thread back; null where nothing does.
    static HOLDING: Cell<*const Replay> = const { Cell::new(std::ptr::null()) };
}

/// The loop of a call that is looked at, if there is one.
#[derive(Default)]
pub(crate) struct Replay {
    /// Launches are to be noted or held back.
    is_on: Cell<bool>,
    running: RefCell<Option<Box<LoopRun>>>,
    /// Launches were held back once, so that [`HOLDING`] may point here.
    has_held: Cell<bool>,
    /// What a launch failed with that was held back before.
    failure: Cell<Option<Failure>>,
}

/// A loop that runs.
struct LoopRun {
    number: i64,
    device: &'static Device,
    stream: Stream,
    stage: Stage,
    misses: u32,
    /// Memory that was freed while launches were held back that may use it.
    freed: Vec<Block>,
}

enum Stage {
    /// Launches are done at once, and noted: those of the iteration before, and of this one.
    Noting { before: Sequence, now: Sequence },
    /// Launches are held back: the first `held` of the sequence.
    Holding { graph: Executable, sequence: Sequence, held: usize, is_missed: bool },
    /// Launches are done at once.
    Over,
}

impl Replay {
    /// Whether [`Replay::take`] has to see launches.
    #[inline]
    pub(crate) fn is_on(&self) -> bool {
        self.is_on.get()
    }

    /// An iteration of a loop begins, with so many to come; none: the loop is over.
    pub(crate) fn step(&self, at: (&'static Device, &Stream), number: i64, left: i64) -> Result<()> {
        let outcome = match self.running.take() {
            Some(running) if running.number == number => self.end_iteration(running, left),
            Some(running) if !running.gives_way_to(left) => {
                self.running.replace(Some(running));
                Ok(())
            }
            _ => {
                self.begin(at, number, left);
                Ok(())
            }
        };
        if let Some(failure) = self.failure.take() {
            return Err(failure.into());
        }
        Ok(outcome?)
    }

    /// The call is over, at its end or with an error.
    #[inline]
    pub(crate) fn finish(&self) -> Result<()> {
        if self.running.borrow().is_none() { Ok(()) } else { self.end() }
    }

    fn end(&self) -> Result<()> {
        self.release();
        self.is_on.set(false);
        // The graph goes here.
        drop(self.running.take());
        self.failure.take().map_or(Ok(()), |failure| Err(failure.into()))
    }

    fn begin(&self, (device, stream): (&'static Device, &Stream), number: i64, left: i64) {
        self.is_on.set(false);
        if wish().may_replay(left) {
            let stage = Stage::Noting { before: Sequence::default(), now: Sequence::default() };
            let running = LoopRun { number, device, stream: stream.clone(), stage, misses: 0, freed: Vec::new() };
            self.go_on(Box::new(running), left);
        }
    }

    fn go_on(&self, running: Box<LoopRun>, left: i64) {
        self.is_on.set(left > 0 && !matches!(running.stage, Stage::Over));
        if left > 0 {
            self.running.replace(Some(running));
        }
    }

    fn end_iteration(&self, mut running: Box<LoopRun>, left: i64) -> std::result::Result<(), Failure> {
        HOLDING.set(std::ptr::null());
        let outcome = running.end_iteration(left);
        running.free();
        self.go_on(running, left);
        outcome
    }

    /// Notes a launch or holds it back; whether nothing else is to be done.
    ///
    /// # Safety
    /// There are `n` parameters, of 8 bytes each, and they are the function's.
    pub(crate) unsafe fn take(&self, function: Function, parameters: *const *mut c_void, n: usize) -> bool {
        let mut running = self.running.borrow_mut();
        let Some(running) = running.as_mut() else { return false };
        match &mut running.stage {
            Stage::Noting { now, .. } if now.len() < MOST_LAUNCHES => {
                // SAFETY: as the caller promises.
                unsafe { now.push(function, parameters, n) };
                return false;
            }
            Stage::Noting { .. } => running.stage = Stage::Over,
            Stage::Holding { sequence, held, is_missed, .. } if !*is_missed => {
                // SAFETY: as the caller promises.
                if unsafe { sequence.set(*held, function, parameters, n) } {
                    *held += 1;
                    self.has_held.set(true);
                    HOLDING.set(self);
                    return true;
                }
                self.failure.set(self.failure.take().or(running.release().err()));
            }
            Stage::Holding { .. } | Stage::Over => {}
        }
        false
    }

    /// The iteration does what a graph of launches cannot repeat.
    pub(crate) fn give_up(&self) {
        self.release();
        if let Some(running) = self.running.borrow_mut().as_mut() {
            running.stage = Stage::Over;
        }
        self.is_on.set(false);
    }

    /// Does what was held back.
    fn release(&self) {
        let mut running = self.running.borrow_mut();
        let released = running.as_mut().map_or(Ok(()), |running| running.release());
        self.failure.set(self.failure.take().or(released.err()));
    }
}

impl Drop for Replay {
    #[inline]
    fn drop(&mut self) {
        if self.has_held.get() && std::ptr::eq(HOLDING.get(), self) {
            HOLDING.set(std::ptr::null());
        }
    }
}

impl LoopRun {
    /// Whether a loop inside of it, of so many iterations, is looked at in its place.
    fn gives_way_to(&self, iterations: i64) -> bool {
        iterations >= LONG && !matches!(self.stage, Stage::Holding { .. })
    }

    fn end_iteration(&mut self, left: i64) -> std::result::Result<(), Failure> {
        let outcome = match &mut self.stage {
            Stage::Noting { before, now } => {
                if now.len() == before.len()
                    && wish().is_worth_a_graph(left, now.len())
                    && let Some(graph) = Executable::of(self.device, now)
                {
                    self.misses = 0;
                    let sequence = std::mem::take(now);
                    self.stage = Stage::Holding { graph, sequence, held: 0, is_missed: false };
                    return Ok(());
                }
                std::mem::swap(before, now);
                now.clear();
                self.misses += 1;
                Ok(())
            }
            Stage::Holding { graph, sequence, held, is_missed } if *held == sequence.len() && !*is_missed => {
                if graph.update(sequence).is_err() {
                    let launched = sequence.launch(self.device, &self.stream, *held);
                    self.stage = Stage::Over;
                    return launched;
                }
                *held = 0;
                self.misses = 0;
                stats::replayed(self.device.ordinal);
                graph.launch(&self.stream)
            }
            // Nothing was launched: the iteration had nothing to do.
            Stage::Holding { held: 0, is_missed: false, .. } | Stage::Over => Ok(()),
            Stage::Holding { .. } => {
                let released = self.release();
                if let Stage::Holding { is_missed, .. } = &mut self.stage {
                    *is_missed = false;
                }
                self.misses += 1;
                released
            }
        };
        if self.misses >= MOST_MISSES {
            self.stage = Stage::Over;
        }
        outcome
    }

    /// Launches what is held back of this iteration, whose other launches are done at once.
    fn release(&mut self) -> std::result::Result<(), Failure> {
        HOLDING.set(std::ptr::null());
        let Stage::Holding { sequence, held, is_missed, .. } = &mut self.stage else { return Ok(()) };
        *is_missed = true;
        let n = std::mem::take(held);
        let released = sequence.launch(self.device, &self.stream, n);
        self.free();
        released
    }

    /// Gives memory back that was freed meanwhile: what uses it has been given to the stream.
    fn free(&mut self) {
        for Block { pointer, bytes } in self.freed.drain(..) {
            self.device.keep(pointer, bytes as i64, &self.stream);
        }
    }
}

/// Whether launches of this thread are held back.
#[inline]
pub(crate) fn is_holding() -> bool {
    !HOLDING.get().is_null()
}

/// What a loop of this thread holds back, if it does, and nobody is at it.
fn held<T>(run: impl FnOnce(&mut LoopRun) -> T) -> Option<T> {
    let holding = HOLDING.get();
    if holding.is_null() {
        return None;
    }
    // SAFETY: set while the replay's call runs on this thread; its `drop` resets it.
    let replay = unsafe { &*holding };
    Some(run(replay.running.try_borrow_mut().ok()?.as_mut()?))
}

/// Does what this thread's loop holds back before the driver is asked for anything that comes after it.
#[cold]
pub(crate) fn release_before(call: &str) {
    // Memory that is allocated is nobody's until then, whatever is launched first; contexts have no order.
    if matches!(call, "cuMemAllocFromPoolAsync" | "cuCtxGetCurrent" | "cuCtxSetCurrent") {
        return;
    }
    let holding = HOLDING.get();
    if !holding.is_null() {
        // SAFETY: as above.
        unsafe { &*holding }.release();
    }
}

/// Takes memory that is freed in the order of a stream, if launches are held back there that may use it.
pub(crate) fn take_freed(device: &'static Device, block: Block, home: &Stream) -> bool {
    is_holding()
        && held(|running| {
            let is_here = running.stream.is(home) && std::ptr::eq(running.device, device);
            if is_here {
                running.freed.push(block);
            }
            is_here
        }) == Some(true)
}

/// Memory of so many bytes that was freed while launches were held back, for what is launched after them.
pub(crate) fn freed(device: &'static Device, bytes: usize, stream: &Stream) -> Option<u64> {
    if !is_holding() {
        return None;
    }
    held(|running| {
        if !running.stream.is(stream) || !std::ptr::eq(running.device, device) {
            return None;
        }
        let at = running.freed.iter().rposition(|block| block.bytes == bytes)?;
        Some(running.freed.swap_remove(at).pointer)
    })?
}

// Note [What is held back]
//
// While launches are held back, anything else that this thread asks the driver for comes after them: `release_before` stands in front of every driver call, so
// that copies, waits, events, frees and launches of other kinds find the stream as a program without graphs would have left it. Memory is the exception:
// what an iteration frees in the stream's order stays with the loop until its launches are on the stream (`take_freed`), since another thread
// could be given it before; the same iteration may have it again (`freed`), for launches that come later. All that an iteration uses is alive, or kept so,
// until it ends, and a graph is launched with the parameters of the iteration that ends: none that were there before. Nothing is held back when an
// iteration begins, which is where the caller is asked whether to go on, and may run anything.
