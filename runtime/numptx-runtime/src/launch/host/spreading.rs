//! Work spread over threads in pieces, between which the caller is asked whether to go on.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use numptx_abi::Watch;

use crate::call::CallState;
use crate::error::Result;
use crate::pool::{Sharing, Sizes, Work, run_ranges, shares_always, thread_count};

/// Work that is estimated below this stays on the calling thread, which does not look at the clock. Estimates are those of elements that come from
/// memory: what lies in caches takes up to fifteen times less, and such work is worth no other thread.
const TIMED_NS: f64 = 50_000.0;
/// Work that is estimated above this is shared at once. Between the two the calling thread begins alone, and its own pace tells.
const LONG_NS: f64 = 1_000_000.0;
/// About the time of one range of long work, as it is estimated.
const RANGE_NS: f64 = 20_000.0;
/// The same where the pace is to tell: the first range is no less than what looking at the clock costs many times.
const FIRST_RANGE_NS: f64 = 25_000.0;
/// The time between two questions to the caller.
const POLL_TIME: Duration = Duration::from_millis(20);
const POLL_NS: f64 = POLL_TIME.as_nanos() as f64;
/// Ranges that each thread has in long work, and in work of which only the pace tells.
const MANY_RANGES: i64 = 64;
const SOME_RANGES: i64 = 8;

/// Runs units `0..n` in ranges whose lengths are multiples of `grain`, in parallel if that pays, asking the caller now and then.
#[inline]
pub(crate) fn spread(
    call: &CallState,
    n: i64,
    grain: i64,
    unit_ns: f64,
    run: &(dyn Fn(i64, i64) + Sync),
) -> Result<()> {
    if n as f64 * unit_ns < TIMED_NS && !shares_always() {
        run(0, n);
        return Ok(());
    }
    spread_long(call, n, grain, unit_ns, run)
}

/// [`spread`] of what is not short: apart, so that short launches pay nothing for it.
#[inline(never)]
fn spread_long(call: &CallState, n: i64, grain: i64, unit_ns: f64, run: &(dyn Fn(i64, i64) + Sync)) -> Result<()> {
    let total_ns = n as f64 * unit_ns;
    let is_alone = n <= grain || thread_count() == 1;
    if is_alone && (total_ns < POLL_NS || !call.can_be_interrupted()) {
        run(0, n);
        return Ok(());
    }
    let sharing = if is_alone { Sharing::Never } else { sharing(total_ns) };
    let first_ns = if sharing == Sharing::WhenLong { FIRST_RANGE_NS } else { RANGE_NS };
    in_ranges(call, n, sizes(n, grain, units_in(first_ns, unit_ns, grain), sharing), sharing, run)
}

/// [`spread`] of units with loops of their own, which may take much longer or shorter than is known: the first range is a small one.
pub(super) fn spread_loops(
    call: &CallState,
    n: i64,
    grain: i64,
    unit_ns: f64,
    run: &(dyn Fn(i64, i64) + Sync),
) -> Result<()> {
    let sharing = if thread_count() == 1 || n <= grain { Sharing::Never } else { sharing(n as f64 * unit_ns) };
    in_ranges(call, n, sizes(n, grain, grain, sharing), sharing, run)
}

fn sharing(total_ns: f64) -> Sharing {
    if total_ns >= LONG_NS || shares_always() { Sharing::AtOnce } else { Sharing::WhenLong }
}

/// The sizes of ranges, of which the first has about `first` units.
fn sizes(n: i64, grain: i64, first: i64, sharing: Sharing) -> Sizes {
    if shares_always() {
        return Sizes { grain, first: grain, most: grain };
    }
    let ranges = if sharing == Sharing::WhenLong { SOME_RANGES } else { MANY_RANGES };
    let most = round_up(n / (thread_count() as i64 * ranges), grain).max(first);
    Sizes { grain, first: first.min(round_up(n, grain)), most }
}

/// Runs units `0..n` in ranges. Between its own the calling thread asks whether to go on, when it is time; the others go on meanwhile.
fn in_ranges(call: &CallState, n: i64, sizes: Sizes, sharing: Sharing, run: &(dyn Fn(i64, i64) + Sync)) -> Result<()> {
    let mut poller = Poller::new(call);
    run_ranges(&Work { n, threads: thread_count() as i64, sizes, sharing, run }, &mut || poller.goes_on());
    poller.outcome
}

/// Asks the caller of a call whether to go on, when it is time.
struct Poller<'a> {
    call: &'a CallState,
    last: Instant,
    outcome: Result<()>,
}

impl Poller<'_> {
    fn new(call: &CallState) -> Poller<'_> {
        Poller { call, last: Instant::now(), outcome: Ok(()) }
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
    let poller_watch = PollerWatch { watch: Watch { ask }, poller: RefCell::new(Poller::new(call)) };
    run((&raw const poller_watch).cast());
    poller_watch.poller.into_inner().outcome
}

/// What is behind a [`Watch`].
#[repr(C)]
struct PollerWatch<'a> {
    /// First: who asks has its address alone.
    watch: Watch,
    poller: RefCell<Poller<'a>>,
}

unsafe extern "C" fn ask(watch: *const Watch) -> i32 {
    // SAFETY: made by `watched`, which waits for who asks, on the same thread.
    let poller = unsafe { &(*watch.cast::<PollerWatch<'_>>()).poller };
    // Nobody else borrows it; what cannot be asked goes on.
    poller.try_borrow_mut().map_or(0, |mut poller| i32::from(!poller.goes_on()))
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
