//! The uses of one buffer, for all threads: the state machine under one lock, and a word that answers without it.
//!
//! In: uses by streams, on any thread. Out: whom to wait for. The lock is never held while the driver is asked or a stream is dropped, whose owner
//! may want the interpreter's lock. The word tells the common case, that a buffer stays on one stream.

use crate::lock::{Guard, lock};
use crate::sync::{AtomicUsize, Mutex, Ordering};

use super::state::{SoleStream, StreamKey, UseState};

/// [`UseState`] behind a lock, and [`UseState::sole`] beside it.
pub(crate) struct SharedUses<S> {
    /// A key with [`MAY_WRITE`] and [`IS_ALONE`], or [`NOBODY`].
    sole: AtomicUsize,
    state: Mutex<UseState<S>>,
}

const MAY_WRITE: usize = 1;
const IS_ALONE: usize = 2;
const NOBODY: usize = 4;
const FLAGS: usize = MAY_WRITE | IS_ALONE;

fn word(sole: Option<SoleStream>) -> usize {
    sole.map_or(NOBODY, |sole| {
        sole.key | if sole.may_write { MAY_WRITE } else { 0 } | if sole.is_alone { IS_ALONE } else { 0 }
    })
}

impl<S: StreamKey> SharedUses<S> {
    pub(crate) fn new(state: UseState<S>) -> SharedUses<S> {
        SharedUses { sole: AtomicUsize::new(word(state.sole())), state: Mutex::new(state) }
    }

    /// Changes the state; the word follows under the same lock.
    fn change<R>(&self, change: impl FnOnce(&mut UseState<S>) -> R) -> R {
        let mut state = self.state();
        let result = change(&mut state);
        self.sole.store(word(state.sole()), Ordering::SeqCst);
        result
    }

    fn state(&self) -> Guard<'_, UseState<S>> {
        lock(&self.state)
    }

    /// Whether a use of this stream needs neither order nor note. Asked by calls that are under way on it: either this sees a use that was announced, or
    /// that one's [`StreamKey::is_quiet`] sees the call.
    #[inline]
    pub(crate) fn is_of(&self, key: usize, write: bool) -> bool {
        let word = self.sole.load(Ordering::SeqCst);
        word & !FLAGS == key && (!write || word & MAY_WRITE != 0)
    }

    /// Whether the free has to wait for this stream alone.
    pub(crate) fn is_alone(&self, key: usize) -> bool {
        let word = self.sole.load(Ordering::Acquire);
        word & !FLAGS == key && word & IS_ALONE != 0
    }

    /// Announces a use, makes its stream wait by `order`, and says so. Where `order` fails, the use stays announced: others wait in vain, and nobody
    /// waits too little.
    pub(crate) fn enter<E>(
        &self,
        key: Option<usize>,
        noted: S,
        write: bool,
        mut order: impl FnMut(&S) -> Result<(), E>,
    ) -> Result<(), E> {
        let announced = self.change(|state| state.announce(key, noted, write));
        let mut covered = Vec::with_capacity(announced.after.len());
        for other in &announced.after {
            // Before the wait is made: what comes afterwards sees this use.
            if other.is_quiet() {
                covered.push(other.key());
            }
            order(other)?;
        }
        drop(self.change(|state| state.ordered(key, &announced, &covered)));
        Ok(())
    }

    /// [`UseState::before`].
    pub(crate) fn before(&self, key: Option<usize>, write: bool) -> Vec<S> {
        self.state().before(key, write)
    }

    /// [`UseState::lend`].
    pub(crate) fn lend(&self, stream: S) {
        let is_known = self.is_alone(stream.key()) || self.state().is_lent_to(stream.key());
        if !is_known {
            self.change(|state| state.lend(stream));
        }
    }

    /// All work has been waited for, and nobody else has the buffer.
    pub(crate) fn settle(&self) {
        let old = self.change(|state| std::mem::replace(state, UseState::Nobody));
        drop(old);
    }

    /// Streams whose work nobody has come after.
    pub(crate) fn used(&self) -> Vec<S> {
        self.state().used()
    }

    /// All streams that the free has to wait for.
    pub(crate) fn streams(&self) -> Vec<S> {
        self.state().streams()
    }

    /// Lets streams go that get no more work and have done theirs, where there are more than `few`. The driver is asked without the lock; what is
    /// spent stays so.
    pub(crate) fn forget_spent(&self, few: usize, is_spent: impl Fn(&S) -> bool) {
        let streams = self.streams();
        if streams.len() <= few {
            return;
        }
        let spent: Vec<usize> = streams.iter().filter(|stream| is_spent(stream)).map(StreamKey::key).collect();
        if !spent.is_empty() {
            drop(self.change(|state| state.forget(|stream| spent.contains(&stream.key()))));
        }
    }
}
