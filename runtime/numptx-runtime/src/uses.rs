//! Which streams have work with a buffer: what the next stream has to wait for, and the free.
//!
//! In: each use, with its stream. Out: one event where a buffer goes from stream to stream, none where it stays on one. Work of other
//! libraries is not seen here: they order themselves by the protocol through which they got the buffer. The free alone waits for it.

pub(crate) mod shared;
pub(crate) mod state;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicU64, Ordering};

use crate::device::Device;
use crate::error::{Error, Result};
use crate::event::order_after;
use crate::graph;
use crate::stream::{Stream, StreamUse, is_captured};

use shared::SharedUses;
use state::{StreamKey, UseState};

impl StreamKey for StreamUse {
    fn key(&self) -> usize {
        StreamUse::key(self).addr()
    }

    fn is_quiet(&self) -> bool {
        StreamUse::is_quiet(self)
    }
}

/// The uses of one buffer.
pub(crate) struct Uses {
    streams: SharedUses<StreamUse>,
    /// The capture that last recorded a write; 0: none did. What it computes is there after a replay.
    pending: AtomicU64,
}

/// Streams that are kept without a look whether they are done.
const FEW_STREAMS: usize = 8;

/// By what a stream finds its own uses. The stream of each thread has none of its own: the legacy default stream, which waits for all of them,
/// stands for them.
fn key_of(stream: &Stream) -> Option<usize> {
    (!stream.is_of_thread()).then(|| stream.key().addr())
}

impl Uses {
    /// A buffer that no stream has work with, as far as is known here.
    pub(crate) fn none() -> Uses {
        Uses { streams: SharedUses::new(UseState::Nobody), pending: AtomicU64::new(0) }
    }

    /// A buffer that one stream has work with.
    pub(crate) fn on(stream: &Stream) -> Uses {
        Uses { streams: SharedUses::new(UseState::written_on(stream.noted())), pending: AtomicU64::new(0) }
    }

    /// All work with the buffer has been waited for, and nobody else has it.
    pub(crate) fn settle(&self) {
        self.streams.settle();
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
        if capture.is_none() && self.is_of(stream, write) {
            return Ok(());
        }
        self.enter_slowly(device, stream, write, capture)
    }

    /// Whether more uses of this stream, none of them captured, need no order and no note.
    #[inline]
    pub(crate) fn is_of(&self, stream: &Stream, write: bool) -> bool {
        // The stream of each thread is noted as the default one, so that no buffer is its own.
        !self.is_pending() && self.streams.is_of(stream.key().addr(), write)
    }

    #[cold]
    #[inline(never)]
    fn enter_slowly(&self, device: &'static Device, stream: &Stream, write: bool, capture: Option<u64>) -> Result<()> {
        let wait = |other: &StreamUse| order_after(device, stream.handle(), other);
        match capture {
            Some(id) => {
                if write {
                    self.pending.store(id, Ordering::Release);
                }
                self.streams.before(key_of(stream), write).iter().try_for_each(wait)
            }
            None => {
                self.refuse_pending(None)?;
                self.streams.enter(key_of(stream), stream.noted(), write, wait)?;
                self.streams.forget_spent(FEW_STREAMS, StreamUse::is_spent);
                Ok(())
            }
        }
    }

    /// Another library has the buffer, and may work with it on a stream.
    pub(crate) fn give_to(&self, consumer: &Stream) {
        self.streams.lend(consumer.noted());
    }

    /// All streams that have work with the buffer that nobody has come after.
    pub(crate) fn all(&self) -> Vec<StreamUse> {
        self.streams.used()
    }

    /// Whether no other stream has work with the buffer or may have some.
    pub(crate) fn is_only(&self, stream: &Stream) -> bool {
        self.streams.is_alone(stream.key().addr()) || self.others(stream).is_empty()
    }

    /// All streams that have work with the buffer or may have some, except one.
    pub(crate) fn others(&self, except: &Stream) -> Vec<StreamUse> {
        let mut streams = self.streams.streams();
        streams.retain(|stream| !stream.is(except));
        streams
    }
}

/// Whether the memory can be freed on `home` now: neither it nor what it would have to wait for is being captured. The context is current.
pub(crate) fn may_free(device: &'static Device, home: &Stream, others: &[StreamUse]) -> bool {
    let handles = std::iter::once(home.handle()).chain(others.iter().map(StreamUse::handle));
    handles.into_iter().all(|handle| matches!(is_captured(device.driver, handle), Ok(false)))
}
