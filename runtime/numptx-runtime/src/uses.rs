//! Which streams have work with a buffer: what the next stream has to wait for, and the free.
//!
//! In: each use, with its stream. Out: one event where a buffer goes from stream to stream, none where it stays on one. Work of other
//! libraries is not seen here: they order themselves by the protocol through which they got the buffer.

use std::ffi::c_void;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::device::Device;
use crate::error::Result;
use crate::event::order;
use crate::stream::{Capture, Noted, Stream, capture_of};

/// The uses of one buffer.
pub(crate) struct Uses {
    /// The key of the one stream that has work with the buffer; [`Uses::SHARED`] if there are several, [`Uses::NONE`] if there is none.
    only: AtomicPtr<c_void>,
    known: Mutex<Known>,
}

/// Dropping streams may drop their owners, which may want the interpreter's lock: never done under this one.
#[derive(Default)]
struct Known {
    writer: Option<Noted>,
    /// Streams that waited for the writer and have read since.
    readers: Vec<Noted>,
}

/// Readers that are kept without a look whether they are done.
const FEW_READERS: usize = 8;

impl Known {
    fn knows(&self, key: *mut c_void) -> bool {
        self.writes(key) || self.readers.iter().any(|reader| reader.key() == key)
    }

    fn writes(&self, key: *mut c_void) -> bool {
        self.writer.as_ref().is_some_and(|writer| writer.key() == key)
    }

    fn all(&self) -> impl Iterator<Item = &Noted> {
        self.writer.iter().chain(&self.readers)
    }
}

impl Uses {
    const SHARED: *mut c_void = std::ptr::without_provenance_mut(1);
    const NONE: *mut c_void = std::ptr::without_provenance_mut(2);

    /// A buffer that no stream has work with, as far as is known here.
    pub(crate) fn none() -> Uses {
        Uses { only: AtomicPtr::new(Uses::NONE), known: Mutex::default() }
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
            known: Mutex::new(Known { writer: Some(writer), readers: Vec::new() }),
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Orders a stream after the uses that it has to see, and notes its own. What is captured is ordered, and not noted: it is done at replays.
    /// The device's context is current.
    pub(crate) fn enter(&self, device: &'static Device, stream: &Stream, write: bool, is_captured: bool) -> Result<()> {
        if self.only.load(Ordering::Acquire) == stream.key() && !stream.is_of_thread() {
            return Ok(());
        }
        for other in self.before(stream, write) {
            order(device, stream.handle(), other.handle())?;
        }
        if !is_captured && self.note(stream, write) {
            self.forget_spent();
        }
        Ok(())
    }

    /// The streams that a use on `stream` has to wait for.
    fn before(&self, stream: &Stream, write: bool) -> Vec<Noted> {
        let known = self.known();
        let mut before = Vec::new();
        if !known.knows(stream.key()) {
            before.extend(known.writer.clone());
        }
        if write {
            before.extend(known.readers.iter().filter(|reader| !reader.is(stream)).cloned());
            if !known.writes(stream.key()) && known.knows(stream.key()) {
                before.extend(known.writer.clone());
            }
        }
        before
    }

    /// Notes a use; whether there is a reader more than before.
    fn note(&self, stream: &Stream, write: bool) -> bool {
        let noted = stream.noted();
        let mut known = self.known();
        if write {
            self.only.store(noted.key(), Ordering::Release);
            let old = std::mem::replace(&mut *known, Known { writer: Some(noted), readers: Vec::new() });
            drop(known);
            drop(old);
            return false;
        }
        if known.knows(noted.key()) {
            return false;
        }
        let is_alone = known.all().next().is_none();
        self.only.store(if is_alone { noted.key() } else { Uses::SHARED }, Ordering::Release);
        known.readers.push(noted);
        true
    }

    /// Lets readers go that nobody can give work any more and that have done theirs. A context is current.
    fn forget_spent(&self) {
        let readers = {
            let known = self.known();
            if known.readers.len() <= FEW_READERS {
                return;
            }
            known.readers.clone()
        };
        // The driver is asked without the lock; what is spent stays so.
        let spent: Vec<Noted> = readers.into_iter().filter(Noted::is_spent).collect();
        let is_spent = |reader: &mut Noted| spent.iter().any(|other| other.key() == reader.key());
        let gone: Vec<Noted> = self.known().readers.extract_if(.., is_spent).collect();
        drop(gone);
    }

    /// All streams that have work with the buffer.
    pub(crate) fn all(&self) -> Vec<Noted> {
        let known = self.known();
        known.all().cloned().collect()
    }

    /// All streams that have work with the buffer, except one.
    pub(crate) fn others(&self, except: &Stream) -> Vec<Noted> {
        if self.only.load(Ordering::Acquire) == except.key() {
            return Vec::new();
        }
        let known = self.known();
        known.all().filter(|stream| !stream.is(except)).cloned().collect()
    }
}

/// Whether the memory can be freed on `home` now: neither it nor what it would have to wait for is being captured. The context is current.
pub(crate) fn may_free(device: &'static Device, home: &Stream, others: &[Noted]) -> bool {
    let handles = std::iter::once(home.handle()).chain(others.iter().map(Noted::handle));
    handles.into_iter().all(|handle| matches!(capture_of(device.driver, handle), Ok(Capture::No)))
}
