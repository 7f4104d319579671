//! Work spread over threads in pieces, between which the caller is asked whether to go on.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use numptx_abi::Watch;

use crate::call::CallState;
use crate::error::Result;
use crate::pool::{Sizes, run_pieces_while, run_ranges, thread_count};

/// Work below this stays on the calling thread: waking others costs about as much.
const PARALLEL_NS: f64 = 40_000.0;
/// About the time of one piece.
const PIECE_NS: f64 = 20_000.0;
/// The time between two questions to the caller.
const POLL_TIME: Duration = Duration::from_millis(20);
const POLL_NS: f64 = POLL_TIME.as_nanos() as f64;
/// Pieces of a short launch whose units have loops of their own.
const FEW_PIECES: i64 = 8;

/// Runs units `0..n` in ranges whose lengths are multiples of `grain`, in parallel if that pays, asking the caller now and then.
pub(super) fn spread(
    call: &CallState,
    n: i64,
    grain: i64,
    unit_ns: f64,
    run: &(dyn Fn(i64, i64) + Sync),
) -> Result<()> {
    let total_ns = n as f64 * unit_ns;
    let threads = thread_count();
    let parallel = threads > 1 && total_ns >= PARALLEL_NS && n > grain;
    if !parallel && (total_ns < POLL_NS || !call.can_be_interrupted()) {
        run(0, n);
        return Ok(());
    }
    let piece =
        units_in(PIECE_NS, unit_ns, grain).max(round_up(n / (threads as i64 * 64), grain)).min(round_up(n, grain));
    in_pieces(call, n, piece, parallel, run)
}

/// [`spread`] of units with loops of their own, which may take much longer or shorter than is known: how many go together is tried.
pub(super) fn spread_loops(
    call: &CallState,
    n: i64,
    grain: i64,
    unit_ns: f64,
    run: &(dyn Fn(i64, i64) + Sync),
) -> Result<()> {
    let threads = thread_count() as i64;
    let parallel = threads > 1 && n as f64 * unit_ns >= PARALLEL_NS && n > grain;
    let first = units_in(PIECE_NS, unit_ns, grain).min(round_up(n / FEW_PIECES, grain));
    let most = round_up(n / (threads * 64), grain).max(first);
    let mut asking = Asking::new(call);
    let sizes = Sizes { grain, first, most };
    run_ranges(if parallel { threads } else { 1 }, n, &sizes, run, &mut || asking.goes_on());
    asking.outcome
}

/// Runs units `0..n` in pieces. Between its own the calling thread asks whether to go on, when it is time; the others go on meanwhile.
fn in_pieces(call: &CallState, n: i64, piece: i64, parallel: bool, run: &(dyn Fn(i64, i64) + Sync)) -> Result<()> {
    let pieces = (n + piece - 1) / piece;
    let one = |i: i64| run(i * piece, n.min((i + 1) * piece));
    let mut asking = Asking::new(call);
    if parallel {
        run_pieces_while(pieces, &one, &mut || asking.goes_on());
    } else {
        let _ = (0..pieces).try_for_each(|i| {
            one(i);
            if asking.goes_on() { Ok(()) } else { Err(()) }
        });
    }
    asking.outcome
}

/// Asks the caller of a call whether to go on, when it is time.
struct Asking<'a> {
    call: &'a CallState,
    last: Instant,
    outcome: Result<()>,
}

impl Asking<'_> {
    fn new(call: &CallState) -> Asking<'_> {
        Asking { call, last: Instant::now(), outcome: Ok(()) }
    }

    fn goes_on(&mut self) -> bool {
        if self.call.can_be_interrupted() && self.last.elapsed() >= POLL_TIME {
            self.outcome = self.call.poll();
            self.last = Instant::now();
        }
        self.outcome.is_ok()
    }
}

/// Runs something on this thread that asks by itself whether to go on.
pub(super) fn watched(call: &CallState, run: impl FnOnce(*const Watch)) -> Result<()> {
    if !call.can_be_interrupted() {
        run(std::ptr::null());
        return Ok(());
    }
    let watching = Watching { watch: Watch { ask }, asking: RefCell::new(Asking::new(call)) };
    run((&raw const watching).cast());
    watching.asking.into_inner().outcome
}

/// What is behind a [`Watch`].
#[repr(C)]
struct Watching<'a> {
    /// First: who asks has its address alone.
    watch: Watch,
    asking: RefCell<Asking<'a>>,
}

unsafe extern "C" fn ask(watch: *const Watch) -> i32 {
    // SAFETY: made by `watched`, which waits for who asks, on the same thread.
    let asking = unsafe { &(*watch.cast::<Watching<'_>>()).asking };
    // Nobody else borrows it; what cannot be asked goes on.
    asking.try_borrow_mut().map_or(0, |mut asking| i32::from(!asking.goes_on()))
}

fn units_in(ns: f64, unit_ns: f64, grain: i64) -> i64 {
    let units = (ns / unit_ns.max(1e-3)).min(1e15) as i64;
    round_up(units.max(1), grain)
}

fn round_up(n: i64, grain: i64) -> i64 {
    ((n + grain - 1) / grain * grain).max(grain)
}

/// Runs units `0..n` in order on this thread, asking the caller now and then.
pub(super) fn in_order(call: &CallState, n: i64, unit_ns: f64, run: &dyn Fn(i64, i64)) -> Result<()> {
    let stage = if call.can_be_interrupted() { units_in(POLL_NS, unit_ns, 1) } else { n.max(1) };
    let mut first = 0;
    while first < n {
        let last = n.min(first.saturating_add(stage));
        run(first, last);
        first = last;
        if first < n {
            call.poll()?;
        }
    }
    Ok(())
}
