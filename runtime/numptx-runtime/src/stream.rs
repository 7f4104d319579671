//! Streams: the order in which a device does what it is given, and whether that is being captured into a graph.
//!
//! In: a device, or another library's handle with its owner. Out: streams that live as long as memory or events need them. The legacy default
//! stream needs no object. A stream of another library is never destroyed here; its owner is let go with the last use.

mod capture;
mod driver_stream;

use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Weak};

use cudarc::driver::sys;
use numptx_abi::{OwnerTable, StreamInfo};

use crate::device::{Device, device};
use crate::driver::{Driver, Failure, LEGACY_STREAM, THREAD_STREAM};
use crate::error::{Error, Result};
use crate::event::Event;
use crate::lock::{Guard, lock};
use crate::reserve::Reserve;
use driver_stream::{BorrowedStream, DriverStream, OwnedStream};

pub(crate) use capture::{Capture, capture_of, is_captured};

/// A stream that may be given work; cloning shares it. `None`: the legacy default stream.
pub(crate) struct Stream(Option<Arc<StreamInner>>);

impl Clone for Stream {
    fn clone(&self) -> Stream {
        Stream::used(self.0.clone())
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if let Some(inner) = &self.0 {
            inner.users.fetch_sub(1, Ordering::Release);
        }
    }
}

/// A stream that had work once, and may be waited for. It keeps the stream alive, and gives it no work.
#[derive(Clone)]
pub(crate) struct StreamUse(Option<Arc<StreamInner>>);

impl StreamUse {
    /// The driver's handle.
    pub(crate) fn handle(&self) -> sys::CUstream {
        handle_of(self.0.as_ref())
    }

    /// What tells streams apart.
    pub(crate) fn key(&self) -> *mut c_void {
        key_of(self.0.as_ref())
    }

    pub(crate) fn is(&self, stream: &Stream) -> bool {
        self.key() == stream.key()
    }

    /// Whether it is another stream on each thread.
    pub(crate) fn is_of_thread(&self) -> bool {
        self.handle() == THREAD_STREAM
    }

    /// Keeps captures from beginning, as far as they are ours: what the stream was given before one that goes on. `None`: it cannot be captured.
    pub(crate) fn before_capture(&self) -> Option<Guard<'_, Option<Arc<Event>>>> {
        self.0.as_ref().map(|inner| lock(&inner.before_capture))
    }

    /// Whether no call is under way that may give it work.
    pub(crate) fn is_quiet(&self) -> bool {
        calls_of(self.0.as_deref()).load(Ordering::SeqCst) == 0
    }

    /// Whether nobody can give it work any more, and it has done what it was given. A context is current.
    pub(crate) fn is_spent(&self) -> bool {
        let Some(inner) = self.0.as_ref().filter(|inner| inner.users.load(Ordering::Acquire) == 0) else {
            return false;
        };
        let stream = &inner.driver_stream;
        // SAFETY: the stream is alive.
        unsafe { stream.device().driver.stream_query(stream.handle()) }.is_ok()
    }
}

/// Calls under way on the legacy default stream of any device, and on those of threads.
static LEGACY_CALLS: AtomicUsize = AtomicUsize::new(0);

fn calls_of(inner: Option<&StreamInner>) -> &AtomicUsize {
    inner.map_or(&LEGACY_CALLS, |inner| &inner.calls)
}

/// A call that may give a stream work, until dropped.
pub(crate) struct OngoingCall<'a>(&'a Stream);

impl Drop for OngoingCall<'_> {
    fn drop(&mut self) {
        self.0.end_call();
    }
}

fn handle_of(inner: Option<&Arc<StreamInner>>) -> sys::CUstream {
    inner.map_or(LEGACY_STREAM, |inner| inner.driver_stream.handle())
}

fn key_of(inner: Option<&Arc<StreamInner>>) -> *mut c_void {
    inner.map_or(std::ptr::null_mut(), |inner| Arc::as_ptr(inner).cast_mut().cast())
}

/// All streams that were made or used here, for those who wait for everything.
static STREAMS: Mutex<Vec<Weak<StreamInner>>> = Mutex::new(Vec::new());

/// What is behind a stream that is not the legacy one.
struct StreamInner {
    driver_stream: DriverStream,
    /// How many may give it work: [`Stream`]s and references of bindings.
    users: AtomicUsize,
    /// How many calls are under way that may.
    calls: AtomicUsize,
    /// While it is captured by us: what it was given before. The lock is held where somebody else marks or frees in its order, and where a capture begins.
    before_capture: Mutex<Option<Arc<Event>>>,
}

impl Stream {
    /// The legacy default stream.
    pub(crate) const LEGACY: Stream = Stream(None);

    /// A stream that neither waits for the legacy one nor keeps that waiting.
    pub(crate) fn new(device: &'static Device, priority: i32) -> Result<Stream> {
        Ok(Stream::known(DriverStream::Owned(OwnedStream::new(device, priority)?)))
    }

    /// Another library's stream.
    ///
    /// # Safety
    /// The handle is a stream of the device, which lives as long as `owner`, or for ever without one.
    pub(crate) unsafe fn foreign(
        device: &'static Device,
        handle: sys::CUstream,
        owner: Option<(*mut c_void, &OwnerTable)>,
    ) -> Stream {
        if handle.is_null() || handle == LEGACY_STREAM {
            return Stream::LEGACY;
        }
        // SAFETY: as the caller promises.
        Stream::known(DriverStream::Borrowed(unsafe { BorrowedStream::new(device, handle, owner) }))
    }

    /// Shares a stream, and notes that it is there.
    fn known(driver_stream: DriverStream) -> Stream {
        let (users, calls) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let inner = Arc::new(StreamInner { driver_stream, users, calls, before_capture: Mutex::default() });
        let mut streams = lock(&STREAMS);
        streams.retain(|stream| stream.strong_count() > 0);
        streams.push(Arc::downgrade(&inner));
        drop(streams);
        Stream::used(Some(inner))
    }

    /// One more that may give it work.
    fn used(inner: Option<Arc<StreamInner>>) -> Stream {
        if let Some(inner) = &inner {
            inner.users.fetch_add(1, Ordering::Relaxed);
        }
        Stream(inner)
    }

    /// The streams of a device that are there, the legacy one included.
    pub(crate) fn all(device: &'static Device) -> Vec<Stream> {
        // Those that are gone meanwhile are dropped without the lock: their owners may want the interpreter's.
        let alive: Vec<Arc<StreamInner>> = {
            let streams = lock(&STREAMS);
            streams.iter().filter_map(Weak::upgrade).collect()
        };
        let here = alive.into_iter().filter(|inner| inner.driver_stream.device().ordinal == device.ordinal);
        std::iter::once(Stream::LEGACY).chain(here.map(|inner| Stream::used(Some(inner)))).collect()
    }

    /// The stream of a handle that another library names, where it is known how long it lives: a default stream, or one that is in use here.
    pub(crate) fn with_handle(device: &'static Device, handle: sys::CUstream) -> Option<Stream> {
        if handle.is_null() || handle == LEGACY_STREAM || handle == THREAD_STREAM {
            return Some(Stream::LEGACY);
        }
        Stream::all(device).into_iter().find(|stream| stream.handle() == handle)
    }

    /// A reference for a binding.
    pub(crate) fn into_abi(self) -> *mut numptx_abi::Stream {
        let stream = self.key().cast();
        std::mem::forget(self);
        stream
    }

    /// Takes a binding's reference back.
    ///
    /// # Safety
    /// Made by [`Stream::into_abi`], and given up.
    pub(crate) unsafe fn from_abi(stream: *mut numptx_abi::Stream) -> Stream {
        if stream.is_null() {
            return Stream::LEGACY;
        }
        // SAFETY: as the caller promises.
        Stream(Some(unsafe { Arc::from_raw(stream.cast::<StreamInner>()) }))
    }

    /// How many references there are to a stream of a binding.
    ///
    /// # Safety
    /// As [`Stream::of_abi`].
    pub(crate) unsafe fn references(stream: *const numptx_abi::Stream) -> i64 {
        if stream.is_null() {
            return 0;
        }
        // SAFETY: the binding's reference keeps it alive; this one is not counted.
        let inner = std::mem::ManuallyDrop::new(unsafe { Arc::from_raw(stream.cast::<StreamInner>()) });
        Arc::strong_count(&inner) as i64
    }

    /// # Safety
    /// A live stream of a binding, or null.
    pub(crate) unsafe fn of_abi(stream: *mut numptx_abi::Stream) -> Stream {
        if stream.is_null() {
            return Stream::LEGACY;
        }
        // SAFETY: the binding's reference keeps it alive; this one is counted.
        unsafe {
            Arc::increment_strong_count(stream.cast::<StreamInner>());
            Stream::used(Some(Arc::from_raw(stream.cast::<StreamInner>())))
        }
    }

    /// The driver's handle.
    pub(crate) fn handle(&self) -> sys::CUstream {
        handle_of(self.0.as_ref())
    }

    /// The memory that was freed in this stream's order on a device. None of streams of other libraries, which may destroy them and whose memory it
    /// would be held back from, nor of those that are another one on each thread.
    pub(crate) fn reserve(&self, device: &'static Device) -> Option<&Reserve> {
        match &self.0 {
            None => Some(&device.reserve),
            Some(_) if self.is_of_thread() => None,
            Some(inner) => {
                inner.driver_stream.reserve().filter(|_| inner.driver_stream.device().ordinal == device.ordinal)
            }
        }
    }

    /// What tells streams apart.
    pub(crate) fn key(&self) -> *mut c_void {
        key_of(self.0.as_ref())
    }

    pub(crate) fn is(&self, other: &Stream) -> bool {
        self.key() == other.key()
    }

    /// The device of a stream that is not the legacy one.
    pub(crate) fn device(&self) -> Option<&'static Device> {
        self.0.as_ref().map(|inner| inner.driver_stream.device())
    }

    /// Whether it is another stream on each thread. The legacy stream waits for all of them, so it stands for them where uses are noted.
    pub(crate) fn is_of_thread(&self) -> bool {
        self.handle() == THREAD_STREAM
    }

    /// The stream that what was done on this one is noted for.
    pub(crate) fn noted(&self) -> StreamUse {
        StreamUse(if self.is_of_thread() { None } else { self.0.clone() })
    }

    /// [`StreamUse::before_capture`].
    pub(crate) fn before_capture(&self) -> Option<Guard<'_, Option<Arc<Event>>>> {
        self.0.as_ref().map(|inner| lock(&inner.before_capture))
    }

    /// A call begins that may give the stream work, until [`Stream::end_call`]: what it launches is on the stream by then.
    #[inline]
    pub(crate) fn begin_call(&self) {
        self.calls().fetch_add(1, Ordering::SeqCst);
    }

    /// Ends what [`Stream::begin_call`] began.
    #[inline]
    pub(crate) fn end_call(&self) {
        self.calls().fetch_sub(1, Ordering::SeqCst);
    }

    /// [`Stream::begin_call`] until the answer is dropped.
    pub(crate) fn under_way(&self) -> OngoingCall<'_> {
        self.begin_call();
        OngoingCall(self)
    }

    /// Calls under way on the stream that this one is noted for.
    #[inline]
    fn calls(&self) -> &AtomicUsize {
        calls_of(if self.is_of_thread() { None } else { self.0.as_deref() })
    }

    /// [`Stream::noted`], for memory that is freed in its order.
    pub(crate) fn home(&self) -> Stream {
        if self.is_of_thread() { Stream::LEGACY } else { self.clone() }
    }

    /// Whether it is being captured, and into what. Its device's context is current.
    pub(crate) fn capture(&self, driver: &Driver) -> Result<Capture> {
        if !is_captured(driver, self.handle())? {
            return Ok(Capture::No);
        }
        let _none_ends = self.before_capture();
        capture_of(driver, self.handle())
    }
}

/// [`numptx_abi::RuntimeTable::stream_info`].
pub(crate) fn describe(stream: &Stream) -> Result<StreamInfo> {
    let mut info = StreamInfo { handle: stream.handle().cast(), device: -1, capturing: 0 };
    if let Some(device) = stream.device() {
        info.device = device.ordinal;
        let _context = device.enter()?;
        info.capturing = u32::from(matches!(stream.capture(device.driver)?, Capture::Into { .. }));
    }
    Ok(info)
}

/// The device of a stream: its own, or the one that was named.
pub(crate) fn place(stream: &Stream, ordinal: i32) -> Result<&'static Device> {
    stream.device().map_or_else(|| device(ordinal.max(0)), Ok)
}

/// [`numptx_abi::RuntimeTable::stream_synchronize`].
pub(crate) fn synchronize(stream: &Stream, ordinal: i32) -> Result<()> {
    let device = place(stream, ordinal)?;
    let _context = device.enter()?;
    if is_captured(device.driver, stream.handle())? {
        return Err(Error::runtime(
            "a stream that is being captured cannot be waited for: nothing on it is done before a replay",
        ));
    }
    device.wait(stream.handle())
}

/// [`numptx_abi::RuntimeTable::stream_query`].
pub(crate) fn is_done(stream: &Stream, ordinal: i32) -> Result<bool> {
    let device = place(stream, ordinal)?;
    let _context = device.enter()?;
    if is_captured(device.driver, stream.handle())? {
        return Err(Error::runtime("a stream that is being captured does no work before a replay"));
    }
    // SAFETY: the stream is alive.
    match unsafe { device.driver.stream_query(stream.handle()) } {
        Ok(()) => Ok(true),
        Err(Failure { code: Failure::NOT_READY, .. }) => Ok(false),
        Err(failure) => Err(failure.into()),
    }
}
