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
use crate::stream::{Capture, Stream};

/// The uses of one buffer.
pub(crate) struct Uses {
    /// The key of the one stream that has work with the buffer; [`Uses::SHARED`] if there are several, [`Uses::NONE`] if there is none.
    only: AtomicPtr<c_void>,
    known: Mutex<Known>,
}

struct Known {
    writer: Option<Stream>,
    /// Streams that waited for the writer and have read since.
    readers: Vec<Stream>,
}

impl Known {
    fn knows(&self, stream: &Stream) -> bool {
        self.writes(stream) || self.readers.iter().any(|reader| reader.is(stream))
    }

    fn writes(&self, stream: &Stream) -> bool {
        self.writer.as_ref().is_some_and(|writer| writer.is(stream))
    }

    fn all(&self) -> impl Iterator<Item = &Stream> {
        self.writer.iter().chain(&self.readers)
    }
}

impl Uses {
    const SHARED: *mut c_void = std::ptr::without_provenance_mut(1);
    const NONE: *mut c_void = std::ptr::without_provenance_mut(2);

    /// A buffer that no stream has work with, as far as is known here.
    pub(crate) fn none() -> Uses {
        Uses { only: AtomicPtr::new(Uses::NONE), known: Mutex::new(Known { writer: None, readers: Vec::new() }) }
    }

    /// All work with the buffer has been waited for, and nobody else has it.
    pub(crate) fn settle(&self) {
        let mut known = self.known();
        (known.writer, known.readers) = (None, Vec::new());
        self.only.store(Uses::NONE, Ordering::Release);
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
        if !is_captured {
            self.note(stream, write);
        }
        Ok(())
    }

    /// The streams that a use on `stream` has to wait for.
    fn before(&self, stream: &Stream, write: bool) -> Vec<Stream> {
        let known = self.known();
        let mut before = Vec::new();
        if !known.knows(stream) {
            before.extend(known.writer.clone());
        }
        if write {
            before.extend(known.readers.iter().filter(|reader| !reader.is(stream)).cloned());
            if !known.writes(stream) && known.knows(stream) {
                before.extend(known.writer.clone());
            }
        }
        before
    }

    fn note(&self, stream: &Stream, write: bool) {
        let stream = stream.noted();
        let mut known = self.known();
        if write {
            known.readers.clear();
            self.only.store(stream.key(), Ordering::Release);
            known.writer = Some(stream);
        } else if !known.knows(&stream) {
            let is_alone = known.all().next().is_none();
            self.only.store(if is_alone { stream.key() } else { Uses::SHARED }, Ordering::Release);
            known.readers.push(stream);
        }
    }

    /// All streams that have work with the buffer.
    pub(crate) fn all(&self) -> Vec<Stream> {
        let known = self.known();
        known.all().cloned().collect()
    }

    /// All streams that have work with the buffer, except one.
    pub(crate) fn others(&self, except: &Stream) -> Vec<Stream> {
        if self.only.load(Ordering::Acquire) == except.key() {
            return Vec::new();
        }
        let known = self.known();
        known.all().filter(|stream| !stream.is(except)).cloned().collect()
    }
}

/// Whether the memory can be freed on `home` now: neither it nor what it would have to wait for is being captured. The context is current.
pub(crate) fn may_free(device: &'static Device, home: &Stream, others: &[Stream]) -> bool {
    std::iter::once(home).chain(others).all(|stream| matches!(stream.capture(device.driver), Ok(Capture::No)))
}
