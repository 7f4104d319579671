//! `numptx.Stream`: the order in which a GPU does what it is given.
//!
//! In: streams of our own, and those of other libraries through `__cuda_stream__`. Out: the stream that a call on this thread runs on: the one
//! of the innermost `with` block, else the current stream of the library whose arrays it gets, else the legacy default stream.

mod blocks;
mod foreign;
mod open;
mod order;

use std::ffi::c_void;

use numptx_abi as abi;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pyclass::{PyTraverseError, PyVisit};
use pyo3::types::PyTuple;

pub(crate) use blocks::{Place, StreamBlock, current, current_handle, current_or_default, enter, leave, leave_all};
pub(crate) use foreign::handle_of;
pub(crate) use open::OpenStream;
pub(crate) use order::{is_captured, order_after, wait_for};

use crate::closable::{Closable, OpenGuard};
use crate::events::Event;
use crate::owners::OBJECT;
use crate::{devices, errors, interrupt, runtime, warnings};
use foreign::device_of;

/// Runs a function of the runtime's table without the interpreter lock; clean-ups that failed before are told first.
pub(crate) fn detached(
    py: Python<'_>,
    run: impl FnOnce(&'static abi::RuntimeTable, *mut abi::Error) -> abi::Status + Send,
) -> PyResult<()> {
    warnings::warn()?;
    quietly_detached(py, run)
}

/// A stream of another library for the runtime, which keeps its owner. The device may be opened for it.
///
/// # Safety
/// The owner keeps the stream alive, or without one it lives for ever; the owner is valid for the table's functions.
pub(crate) unsafe fn borrowed(
    py: Python<'_>,
    device: i32,
    handle: usize,
    owner: Option<(*mut c_void, &'static abi::OwnerTable)>,
) -> PyResult<*mut abi::Stream> {
    let mut made = std::ptr::null_mut();
    let (object, table) =
        owner.map_or((std::ptr::null_mut(), std::ptr::null()), |(object, table)| (object, std::ptr::from_ref(table)));
    let (object, table, out) = (SendPointer(object), SendPointer(table.cast_mut()), SendPointer(&raw mut made));
    // SAFETY: as the caller promises; the out-parameter is alive.
    quietly_detached(py, move |runtime, error| unsafe {
        (runtime.stream_foreign)(device, handle as *mut c_void, object.get(), table.get(), out.get(), error)
    })?;
    Ok(made)
}

/// [`detached`] of what has to be done in any case.
pub(crate) fn quietly_detached(
    py: Python<'_>,
    run: impl FnOnce(&'static abi::RuntimeTable, *mut abi::Error) -> abi::Status + Send,
) -> PyResult<()> {
    let mut error = errors::unfilled();
    let out = SendPointer(error.as_mut_ptr());
    let status = interrupt::detached(py, move || run(runtime::table(), out.get()));
    if status == abi::error_kind::OK {
        return Ok(());
    }
    // SAFETY: the message was null-terminated from the start.
    Err(unsafe { errors::exception(py, status, (&raw const (*error.as_ptr()).message).cast()) })
}

/// Lets a pointer cross [`detached`]; what it points to is kept alive by the caller.
pub(crate) struct SendPointer<T>(pub *mut T);
impl<T> Clone for SendPointer<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for SendPointer<T> {}
// SAFETY: the runtime's objects may be used on any thread.
unsafe impl<T> Send for SendPointer<T> {}

impl<T> SendPointer<T> {
    pub fn get(self) -> *mut T {
        self.0
    }
}

/// The ordinal of a device that is named, of the current stream, or of the GPU that was chosen for this thread.
pub(crate) fn ordinal(device: Option<devices::DeviceName>) -> PyResult<i32> {
    match device {
        Some(name) => match devices::placement(name)? {
            ordinal if ordinal >= 0 => Ok(ordinal),
            _ => Err(PyValueError::new_err("streams, events and graphs belong to a GPU: device='cuda' or 'cuda:N'")),
        },
        None => Ok(current().map_or_else(|| devices::current(None).max(0), |place| place.device)),
    }
}

/// A stream: what is given to it is done in that order.
///
/// `numptx.Stream()` is a new one, which does not wait for the default stream; `numptx.Stream(other)` is that of another library: an object
/// with `__cuda_stream__`, such as CuPy's and `cuda.core`'s, or PyTorch's. Calls inside `with stream:` run on it. Arrays may go from stream to
/// stream: each waits for the others' work with them. `close()` gives it back at once, after what it was given; a `with` block of it goes on.
#[pyclass(frozen, weakref, module = "numptx", name = "Stream")]
pub(crate) struct Stream {
    held: Closable<Reference>,
    device: i32,
    handle: usize,
}

/// A reference to a stream of the runtime's.
pub(crate) struct Reference {
    pub stream: *mut abi::Stream,
    /// What keeps another library's stream, as the runtime's stream does too.
    owner: Option<Py<PyAny>>,
}

// SAFETY: streams are counted atomically by the runtime and may be used on any thread; the pointer never changes.
unsafe impl Send for Reference {}
// SAFETY: as above.
unsafe impl Sync for Reference {}

impl Drop for Reference {
    fn drop(&mut self) {
        // SAFETY: the reference that this is.
        unsafe { (runtime::table().stream_release)(self.stream) };
    }
}

impl Reference {
    fn info(&self, py: Python<'_>) -> PyResult<abi::StreamInfo> {
        let mut info = abi::StreamInfo { handle: std::ptr::null_mut(), device: -1, capturing: 0 };
        let mut error = errors::empty();
        // SAFETY: the stream is alive.
        let status = unsafe { (runtime::table().stream_info)(self.stream, &mut info, &mut error) };
        errors::check(py, status, &error)?;
        Ok(info)
    }

    /// Whether nobody else holds the runtime's stream.
    fn is_alone(&self) -> bool {
        // SAFETY: the stream is alive.
        unsafe { (runtime::table().stream_references)(self.stream) == 1 }
    }
}

impl Stream {
    /// What is behind it, unless it was closed.
    pub fn open(&self) -> PyResult<OpenGuard<'_, Reference>> {
        self.held.open("numptx.Stream")
    }

    /// Where its work goes, for who has it open.
    fn place_if_there(&self) -> Option<Place> {
        self.held.look().map(|reference| Place { stream: reference.stream, device: self.device })
    }

    /// A new stream on a device.
    pub fn fresh(py: Python<'_>, device: i32, priority: i32) -> PyResult<Stream> {
        let mut made = SendPointer(std::ptr::null_mut());
        let out = SendPointer(&raw mut made.0);
        // SAFETY: the out-parameters are alive.
        detached(py, move |table, error| unsafe { (table.stream_new)(device, priority, out.get(), error) })?;
        let reference = Reference { stream: made.0, owner: None };
        let handle = reference.info(py)?.handle as usize;
        Ok(Stream { held: Closable::new(reference), device, handle })
    }

    /// Another library's stream; of the default streams' device the library or the caller may tell.
    fn foreign(source: &Bound<'_, PyAny>, named: Option<i32>) -> PyResult<Stream> {
        let handle = handle_of(source)?;
        let device = match device_of(source)? {
            Some(told) => told,
            None if handle > LAST_DEFAULT => ASK_THE_DRIVER,
            None => named.map_or_else(|| ordinal(None), Ok)?,
        };
        // SAFETY: the object keeps its stream alive, and the stream keeps the object.
        let made = unsafe { borrowed(source.py(), device, handle, Some((source.as_ptr().cast(), &OBJECT))) }?;
        let reference = Reference { stream: made, owner: Some(source.clone().unbind()) };
        let device = if device == ASK_THE_DRIVER { reference.info(source.py())?.device } else { device };
        Ok(Stream { held: Closable::new(reference), device, handle: handle.max(1) })
    }

    /// The same, of a device that the caller names too.
    fn foreign_on(source: &Bound<'_, PyAny>, device: Option<devices::DeviceName>) -> PyResult<Stream> {
        let named = device.map(|device| ordinal(Some(device))).transpose()?;
        let stream = Stream::foreign(source, named)?;
        match named {
            Some(named) if named != stream.device => Err(PyValueError::new_err(format!(
                "the stream is on {}, and device='{}' was given; leave out the device of a stream that is there",
                devices::name(stream.device),
                devices::name(named)
            ))),
            _ => Ok(stream),
        }
    }
}

/// Handles up to this one are default streams, which each device has.
const LAST_DEFAULT: usize = 2;
/// The ordinal for a stream whose device nobody tells.
const ASK_THE_DRIVER: i32 = -1;

/// A stream argument: one of ours, or another library's.
pub(crate) fn accept<'py>(source: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Stream>> {
    accept_on(source, None)
}

/// The same, of a device that the caller names too.
pub(crate) fn accept_on<'py>(
    source: &Bound<'py, PyAny>,
    device: Option<devices::DeviceName>,
) -> PyResult<Bound<'py, Stream>> {
    match source.cast::<Stream>() {
        Ok(stream) if device.is_none() => Ok(stream.clone()),
        _ => Bound::new(source.py(), Stream::foreign_on(source, device)?),
    }
}

#[pymethods]
impl Stream {
    #[new]
    #[pyo3(signature = (source=None, *, device=None, priority=0))]
    fn new(
        py: Python<'_>,
        source: Option<&Bound<'_, PyAny>>,
        device: Option<devices::DeviceName>,
        priority: i32,
    ) -> PyResult<Stream> {
        match source {
            Some(source) => Stream::foreign_on(source, device),
            None => Stream::fresh(py, ordinal(device)?, priority),
        }
    }

    /// `"cuda:0"`.
    #[getter]
    fn device(&self) -> String {
        devices::name(self.device)
    }

    /// The driver's handle, a number.
    #[getter(handle)]
    fn py_handle(&self) -> PyResult<usize> {
        self.open().map(|_open| self.handle)
    }

    /// The protocol by which libraries take each other's streams.
    fn __cuda_stream__(&self) -> PyResult<(i32, usize)> {
        self.open().map(|_open| (0, self.handle))
    }

    /// Gives the stream back, after what it was given; a later use raises `ValueError`. Memory that was used on it keeps it as long as that lasts.
    fn close(&self) {
        self.held.close();
    }

    /// Whether `close` was called.
    #[getter]
    fn closed(&self) -> bool {
        self.held.is_closed()
    }

    /// Waits, with the interpreter lock released, until everything is done that the stream was given.
    fn synchronize(&self, py: Python<'_>) -> PyResult<()> {
        let open = self.open()?;
        let (stream, device) = (SendPointer(open.stream), self.device);
        // SAFETY: the stream is alive.
        detached(py, move |table, error| unsafe { (table.stream_synchronize)(stream.get(), device, error) })
    }

    /// Whether everything is done that the stream was given.
    #[getter]
    fn done(&self, py: Python<'_>) -> PyResult<bool> {
        let open = self.open()?;
        let (mut done, mut error) = (0, errors::empty());
        // SAFETY: the stream and the out-parameters are alive.
        let status = unsafe { (runtime::table().stream_query)(open.stream, self.device, &mut done, &mut error) };
        errors::check(py, status, &error)?;
        Ok(done != 0)
    }

    /// Whether the stream is being captured into a graph.
    #[getter]
    fn is_capturing(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.open()?.info(py)?.capturing != 0)
    }

    /// Marks what the stream was given so far, with a new event or the one that is passed.
    #[pyo3(signature = (event=None))]
    fn record<'py>(this: &Bound<'py, Self>, event: Option<Bound<'py, Event>>) -> PyResult<Bound<'py, Event>> {
        let (py, stream) = (this.py(), OpenStream::of(this)?);
        let event = match event {
            Some(event) => event,
            None => Bound::new(py, Event::fresh(py, stream.place().device, false)?)?,
        };
        event.get().record_on(py, stream.place())?;
        Ok(event)
    }

    /// Makes what the stream is given from now on wait: for an event, or for what another stream was given so far.
    fn wait(this: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<()> {
        let (py, stream) = (this.py(), OpenStream::of(this)?);
        if let Ok(event) = other.cast::<Event>() {
            return event.get().wait_on(py, stream.place());
        }
        let other = OpenStream::of(&accept(other)?)?;
        let event = Event::fresh(py, other.place().device, false)?;
        event.record_on(py, other.place())?;
        event.wait_on(py, stream.place())
    }

    fn __enter__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, Self>> {
        enter(this)?;
        Ok(this.clone())
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, PyTuple>) -> PyResult<bool> {
        match leave(self) {
            true => Ok(false),
            false => Err(PyRuntimeError::new_err("this thread is in no block of the stream")),
        }
    }

    /// What Python's collector of cycles sees. As of arrays: see Note [Cycles] in `array`.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        let Some(reference) = self.held.look() else { return Ok(()) };
        visit.call(&reference.owner)?;
        if reference.owner.is_some() && !interrupt::is_anybody_detached() && reference.is_alone() {
            visit.call(&reference.owner)?;
        }
        Ok(())
    }

    /// A closed stream is none of those that are there now, whatever the driver's handle.
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Stream>().is_ok_and(|other| {
            let other = other.get();
            let is_open = !self.closed() && !other.closed();
            std::ptr::eq(self, other) || is_open && (other.handle, other.device) == (self.handle, self.device)
        })
    }

    fn __hash__(&self) -> isize {
        (self.handle ^ (self.device as usize) << 56) as isize
    }

    fn __repr__(&self) -> String {
        match self.handle {
            _ if self.closed() => format!("<numptx.Stream on {}, closed>", devices::name(self.device)),
            0 | 1 => format!("<numptx.Stream: the default stream of {}>", devices::name(self.device)),
            handle => format!("<numptx.Stream {handle:#x} on {}>", devices::name(self.device)),
        }
    }
}

pub(crate) fn register(native: &Bound<'_, PyModule>) -> PyResult<()> {
    native.add_class::<Stream>()?;
    native.add_function(wrap_pyfunction!(blocks::current_stream, native)?)
}
