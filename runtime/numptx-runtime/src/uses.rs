//! Which streams have work with a buffer: what the next stream has to wait for, and the free.
//!
//! In: each use, with its stream. Out: one event where a buffer goes from stream to stream, none where it stays on one. Work of other
//! libraries is not seen here: they order themselves by the protocol through which they got the buffer. The free alone waits for it.

use std::ffi::c_void;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};

use crate::device::Device;
use crate::error::{Error, Result};
use crate::event::order;
use crate::graph;
use crate::lock::lock;
use crate::stream::{Capture, Noted, Stream, capture_of};

/// The uses of one buffer.
pub(crate) struct Uses {
    /// The key of the one stream that has work with the buffer; [`Uses::SHARED`] if there are several, [`Uses::NONE`] if there is none.
    only: AtomicPtr<c_void>,
    /// The capture that last recorded a write; 0: none did. What it computes is there after a replay.
    pending: AtomicU64,
    known: Mutex<Known>,
}

/// What a stream has to do with a buffer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// At most one stream.
    Writes,
    /// It waited for the writer and has read since.
    Reads,
    /// Another library may use the memory on it as long as it has the buffer, and orders itself, but for the free.
    Has,
}

/// One part after another: the first in place, because most buffers stay on one stream and need no memory for the note then. Dropping streams may
/// drop their owners, which may want the interpreter's lock: never done under this one.
#[derive(Default)]
struct Known {
    first: Option<(Noted, Part)>,
    /// Empty while there is no first.
    rest: Vec<(Noted, Part)>,
}

/// Readers that are kept without a look whether they are done.
const FEW_READERS: usize = 8;

impl Known {
    fn knows(&self, key: *mut c_void) -> bool {
        self.used().any(|known| known.key() == key)
    }

    fn writes(&self, key: *mut c_void) -> bool {
        self.that(Part::Writes).any(|writer| writer.key() == key)
    }

    fn parts(&self) -> impl Iterator<Item = &(Noted, Part)> {
        self.first.iter().chain(&self.rest)
    }

    fn that(&self, part: Part) -> impl Iterator<Item = &Noted> {
        self.parts().filter(move |(_, own)| *own == part).map(|(stream, _)| stream)
    }

    /// Writer and readers.
    fn used(&self) -> impl Iterator<Item = &Noted> {
        self.parts().filter(|(_, part)| *part != Part::Has).map(|(stream, _)| stream)
    }

    fn all(&self) -> impl Iterator<Item = &Noted> {
        self.parts().map(|(stream, _)| stream)
    }

    fn push(&mut self, stream: Noted, part: Part) {
        match self.first {
            None => self.first = Some((stream, part)),
            Some(_) => self.rest.push((stream, part)),
        }
    }

    /// Takes those out that are so; to be dropped without the lock.
    fn take(&mut self, is_so: impl FnMut(&mut (Noted, Part)) -> bool) -> Vec<(Noted, Part)> {
        let mut all: Vec<_> = self.first.take().into_iter().chain(self.rest.drain(..)).collect();
        let taken = all.extract_if(.., is_so).collect();
        let mut left = all.into_iter();
        self.first = left.next();
        self.rest.extend(left);
        taken
    }

    /// What [`Uses::only`] is to be: the key of all streams that are known, where it is one.
    fn only(&self) -> *mut c_void {
        let Some((first, _)) = &self.first else { return Uses::NONE };
        let key = first.key();
        if self.rest.iter().all(|(stream, _)| stream.key() == key) { key } else { Uses::SHARED }
    }
}

impl Uses {
    const SHARED: *mut c_void = std::ptr::without_provenance_mut(1);
    const NONE: *mut c_void = std::ptr::without_provenance_mut(2);

    /// A buffer that no stream has work with, as far as is known here.
    pub(crate) fn none() -> Uses {
        Uses { only: AtomicPtr::new(Uses::NONE), pending: AtomicU64::new(0), known: Mutex::default() }
    }

    /// All work with the buffer has been waited for, and nobody else has it.
    pub(crate) fn settle(&self) {
        let old = {
            let mut known = self.known();
            self.only.store(Uses::NONE, Ordering::Release);
            std::mem::take(&mut *known)
        };
        drop(old);
    }

    /// A buffer that one stream has work with.
    pub(crate) fn on(stream: &Stream) -> Uses {
        let writer = stream.noted();
        Uses {
            only: AtomicPtr::new(writer.key()),
            pending: AtomicU64::new(0),
            known: Mutex::new(Known { first: Some((writer, Part::Writes)), rest: Vec::new() }),
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        lock(&self.known)
    }

    /// Whether some capture, which may be over, recorded a write.
    pub(crate) fn is_pending(&self) -> bool {
        self.pending.load(Ordering::Acquire) != 0
    }

    /// A capture of ours is over: what it recorded is no longer pending.
    pub(crate) fn end_capture(&self, id: u64) {
        let _ = self.pending.compare_exchange(id, 0, Ordering::AcqRel, Ordering::Relaxed);
    }

    /// An error if the contents are what a running capture computes, as far as that is known: one of ours, or the capture `own`.
    pub(crate) fn refuse_pending(&self, own: Option<u64>) -> Result<()> {
        let id = self.pending.load(Ordering::Acquire);
        if id == 0 || (own != Some(id) && !graph::is_running(id)) {
            return Ok(());
        }
        Err(Error::runtime(
            "an array is computed by calls on a stream that is being captured, and holds nothing before a replay; use it after the capture",
        ))
    }

    /// Orders a stream after the uses that it has to see, and notes its own. What is captured, by the capture `capture`, is ordered and not noted:
    /// it is done at replays. The device's context is current.
    #[inline]
    pub(crate) fn enter(
        &self,
        device: &'static Device,
        stream: &Stream,
        write: bool,
        capture: Option<u64>,
    ) -> Result<()> {
        if capture.is_none() && self.is_of(stream) {
            return Ok(());
        }
        self.enter_slowly(device, stream, write, capture)
    }

    /// Whether the stream alone has work with the buffer, none of it captured, so that more of it needs no order and no note.
    #[inline]
    pub(crate) fn is_of(&self, stream: &Stream) -> bool {
        // The stream of each thread is noted as the default one, so that it is never the only one by its own key.
        !self.is_pending() && self.only.load(Ordering::Acquire) == stream.key()
    }

    #[cold]
    #[inline(never)]
    fn enter_slowly(&self, device: &'static Device, stream: &Stream, write: bool, capture: Option<u64>) -> Result<()> {
        match capture {
            Some(id) if write => self.pending.store(id, Ordering::Release),
            Some(_) => {}
            None => self.refuse_pending(None)?,
        }
        if self.only.load(Ordering::Acquire) == stream.key() {
            return Ok(());
        }
        for other in self.before(stream, write) {
            order(device, stream.handle(), other.handle())?;
        }
        if capture.is_none() && self.note(stream, write) {
            self.forget_spent();
        }
        Ok(())
    }

    /// The streams that a use on `stream` has to wait for.
    fn before(&self, stream: &Stream, write: bool) -> Vec<Noted> {
        let known = self.known();
        let mut before = Vec::new();
        if !known.knows(stream.key()) {
            before.extend(known.that(Part::Writes).cloned());
        }
        if write {
            before.extend(known.that(Part::Reads).filter(|reader| !reader.is(stream)).cloned());
            if !known.writes(stream.key()) && known.knows(stream.key()) {
                before.extend(known.that(Part::Writes).cloned());
            }
        }
        before
    }

    /// Notes a use; whether there is a reader more than before.
    fn note(&self, stream: &Stream, write: bool) -> bool {
        let noted = stream.noted();
        let mut known = self.known();
        if write {
            let old = known.take(|(_, part)| *part != Part::Has);
            known.push(noted, Part::Writes);
            self.only.store(known.only(), Ordering::Release);
            drop(known);
            drop(old);
            return false;
        }
        if known.knows(noted.key()) {
            return false;
        }
        known.push(noted, Part::Reads);
        self.only.store(known.only(), Ordering::Release);
        true
    }

    /// Another library has the buffer, and may work with it on a stream.
    pub(crate) fn give_to(&self, consumer: &Stream) {
        let noted = consumer.noted();
        let mut known = self.known();
        let is_known = known.that(Part::Has).any(|other| other.key() == noted.key());
        // What stays on one stream needs no second note.
        if is_known || self.only.load(Ordering::Acquire) == noted.key() {
            return;
        }
        known.push(noted, Part::Has);
        // Nothing is known of work that came before on a stream that has none of ours.
        self.only.store(if known.used().next().is_some() { known.only() } else { Uses::SHARED }, Ordering::Release);
    }

    /// Lets readers go that nobody can give work any more and that have done theirs. A context is current.
    fn forget_spent(&self) {
        let readers: Vec<Noted> = self.known().that(Part::Reads).cloned().collect();
        if readers.len() <= FEW_READERS {
            return;
        }
        // The driver is asked without the lock; what is spent stays so.
        let spent: Vec<Noted> = readers.into_iter().filter(Noted::is_spent).collect();
        let is_spent = |known: &mut (Noted, Part)| {
            known.1 == Part::Reads && spent.iter().any(|other| other.key() == known.0.key())
        };
        let gone = self.known().take(is_spent);
        drop(gone);
    }

    /// All streams that have work with the buffer.
    pub(crate) fn all(&self) -> Vec<Noted> {
        let known = self.known();
        known.used().cloned().collect()
    }

    /// Whether no other stream has work with the buffer or may have some.
    pub(crate) fn is_only(&self, stream: &Stream) -> bool {
        self.only.load(Ordering::Acquire) == stream.key() || self.others(stream).is_empty()
    }

    /// All streams that have work with the buffer or may have some, except one.
    pub(crate) fn others(&self, except: &Stream) -> Vec<Noted> {
        let known = self.known();
        known.all().filter(|stream| !stream.is(except)).cloned().collect()
    }
}

/// Whether the memory can be freed on `home` now: neither it nor what it would have to wait for is being captured. The context is current.
pub(crate) fn may_free(device: &'static Device, home: &Stream, others: &[Noted]) -> bool {
    let handles = std::iter::once(home.handle()).chain(others.iter().map(Noted::handle));
    handles.into_iter().all(|handle| matches!(capture_of(device.driver, handle), Ok(Capture::No)))
}
