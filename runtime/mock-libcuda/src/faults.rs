//! Faults that tests put in: calls that take longer, streams that go on at other times, and waits by threads that nobody may keep waiting.
//!
//! In: wishes of tests, or of the environment for processes of their own. Out: what a driver may do on a bad day. Failures are in `control.rs`.
//!
//! Environment: `NUMPTX_MOCK_DELAY` (`cuModuleLoadDataEx=20000`: that call takes so many microseconds longer; several by commas),
//! `NUMPTX_MOCK_JITTER` (each call takes up to so many microseconds longer, at random), `NUMPTX_MOCK_SHUFFLE` (a seed: at each call streams that put
//! their work off do some of it, at random).

use std::ffi::{CStr, c_char, c_int};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use crate::state::{State, setting};

/// Calls that may keep their thread waiting for the device, or for long. Not taken from the runtime, whose own list this one is to find wanting.
const WAITS: [&str; 12] = [
    "cuInit",
    "cuDevicePrimaryCtxRetain",
    "cuModuleLoadDataEx",
    "cuStreamSynchronize",
    "cuEventSynchronize",
    "cuCtxSynchronize",
    "cuMemPoolTrimTo",
    "cuMemHostAlloc",
    "cuMemFreeHost",
    "cuMemAlloc",
    "cuMemFree",
    "cuGraphInstantiateWithFlags",
];

/// What is put in.
#[derive(Default)]
struct Faults {
    /// Microseconds by call.
    delays: Vec<(String, u64)>,
    jitter: u64,
    /// The state of the random numbers; 0: streams are not shuffled.
    shuffle: u64,
    random: u64,
    watch: Option<Watch>,
}

/// What tells of the calling thread.
#[derive(Clone, Copy)]
struct Watch {
    /// How many locks it holds.
    locks: unsafe extern "C" fn() -> u64,
    /// Whether it holds the interpreter's lock.
    attached: Option<unsafe extern "C" fn() -> c_int>,
}

fn with<R>(work: impl FnOnce(&mut Faults) -> R) -> R {
    static FAULTS: OnceLock<Mutex<Faults>> = OnceLock::new();
    let faults = FAULTS.get_or_init(|| Mutex::new(Faults::of_environment()));
    work(&mut faults.lock().unwrap_or_else(PoisonError::into_inner))
}

impl Faults {
    fn of_environment() -> Faults {
        let delays = std::env::var("NUMPTX_MOCK_DELAY").unwrap_or_default();
        let delay = |part: &str| {
            let (call, time) = part.split_once('=')?;
            Some((call.to_string(), time.parse().ok()?))
        };
        let shuffle = setting("NUMPTX_MOCK_SHUFFLE", 0) as u64;
        Faults {
            delays: delays.split(',').filter_map(delay).collect(),
            jitter: setting("NUMPTX_MOCK_JITTER", 0) as u64,
            shuffle,
            random: shuffle | 1,
            watch: None,
        }
    }

    /// A number below `n`.
    fn below(&mut self, n: u64) -> u64 {
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.random >> 33) % n.max(1)
    }
}

/// What a call meets before it is answered: without the driver's lock.
pub(crate) fn before(call: &str) {
    let (time, watch) = with(|faults| {
        let own = faults.delays.iter().find(|(name, _)| name == call).map_or(0, |(_, time)| *time);
        let more = if faults.jitter > 0 { faults.below(faults.jitter) } else { 0 };
        (own + more, faults.watch)
    });
    if time > 0 {
        std::thread::sleep(Duration::from_micros(time));
    }
    if let Some(watch) = watch.filter(|_| WAITS.contains(&call)) {
        // SAFETY: a test gave functions that may be called on any thread.
        let (locks, attached) = unsafe { ((watch.locks)(), watch.attached.map_or(0, |attached| attached())) };
        if locks > 0 || attached > 0 {
            let text = format!("{call} by a thread that holds {locks} locks, and the interpreter's: {}", attached > 0);
            crate::state::state().violation(&text);
        }
    }
}

impl State {
    /// Streams that put their work off do some of it, in an order that only the driver knows.
    pub(crate) fn shuffle(&mut self) {
        if self.streams.is_empty() || with(|faults| faults.shuffle) == 0 {
            return;
        }
        let n = self.streams.len() as u64;
        let (at, steps) = with(|faults| (faults.below(n), faults.below(4)));
        if let Some(key) = self.streams.keys().nth(at as usize).copied() {
            let until = self.streams[&key].done + steps;
            let _ = self.run_stream(key, until);
        }
    }
}

/// A call (an empty name: every call) takes so many microseconds longer from now on; 0 ends that.
///
/// # Safety
/// `call` is null-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn numptx_mock_delay(call: *const c_char, microseconds: u64) {
    // SAFETY: as the caller promises.
    let call = unsafe { CStr::from_ptr(call) }.to_string_lossy().into_owned();
    with(|faults| {
        faults.delays.retain(|(name, _)| *name != call);
        if microseconds > 0 {
            faults.delays.push((call, microseconds));
        }
    });
}

/// Each call takes up to so many microseconds longer, at random; 0 ends that.
#[unsafe(no_mangle)]
pub extern "C" fn numptx_mock_jitter(microseconds: u64) {
    with(|faults| faults.jitter = microseconds);
}

/// At each call streams that put their work off do some of it, at random; 0 ends that.
#[unsafe(no_mangle)]
pub extern "C" fn numptx_mock_shuffle(seed: u64) {
    with(|faults| (faults.shuffle, faults.random) = (seed, seed | 1));
}

/// From now on it is a violation when a thread that holds a lock, or the interpreter's, makes a call that may wait.
///
/// # Safety
/// Both functions may be called on any thread, as long as the process lives.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn numptx_mock_watch_waits(
    locks: unsafe extern "C" fn() -> u64,
    attached: Option<unsafe extern "C" fn() -> c_int>,
) {
    with(|faults| faults.watch = Some(Watch { locks, attached }));
}
