//! `numptx.Stream`: the order in which a GPU does what it is given.
//!
//! In: streams of our own, and those of other libraries through `__cuda_stream__`. Out: the stream that a call on this thread runs on: the one
//! of the innermost `with` block, else the current stream of the library whose arrays it gets, else the legacy default stream.

mod entered;

use std::ffi::c_void;

use numptx_abi as abi;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;

pub(crate) use entered::{Place, current, current_handle, current_or_default, enter, leave};

use crate::events::Event;
use crate::owners::OBJECT;
use crate::{devices, errors, interrupt, runtime};

/// Runs a function of the runtime's table without the interpreter lock.
pub(crate) fn detached(
    py: Python<'_>,
    run: impl FnOnce(&'static abi::RuntimeTable, *mut abi::Error) -> abi::Status + Send,
) -> PyResult<()> {
    let mut error = errors::unfilled();
    let out = Kept(error.as_mut_ptr());
    let status = interrupt::detached(py, move || run(runtime::table(), out.get()));
    if status == abi::error_kind::OK {
        return Ok(());
    }
    // SAFETY: the message was null-terminated from the start.
    Err(unsafe { errors::exception(py, status, (&raw const (*error.as_ptr()).message).cast()) })
}

/// Lets a pointer cross [`detached`]; what it points to is kept alive by the caller.
pub(crate) struct Kept<T>(pub *mut T);
impl<T> Clone for Kept<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Kept<T> {}
// SAFETY: the runtime's objects may be used on any thread.
unsafe impl<T> Send for Kept<T> {}

impl<T> Kept<T> {
    pub fn get(self) -> *mut T {
        self.0
    }
}

/// The ordinal of a device that is named, of the current stream, or of the GPU that was chosen for this thread.
pub(crate) fn ordinal(device: Option<devices::Named>) -> PyResult<i32> {
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
/// stream: each waits for the others' work with them.
#[pyclass(frozen, weakref, module = "numptx", name = "Stream")]
pub(crate) struct Stream {
    stream: *mut abi::Stream,
    device: i32,
    handle: usize,
}

// SAFETY: streams are counted atomically by the runtime, and the fields never change.
unsafe impl Send for Stream {}
// SAFETY: as above.
unsafe impl Sync for Stream {}

impl Drop for Stream {
    fn drop(&mut self) {
        // SAFETY: the object holds one reference.
        unsafe { (runtime::table().stream_release)(self.stream) };
    }
}

impl Stream {
    pub fn place(&self) -> Place {
        Place { stream: self.stream, device: self.device }
    }

    /// A new stream on a device.
    pub fn fresh(py: Python<'_>, device: i32, priority: i32) -> PyResult<Stream> {
        let mut made = Kept(std::ptr::null_mut());
        let out = Kept(&raw mut made.0);
        // SAFETY: the out-parameters are alive.
        detached(py, move |table, error| unsafe { (table.stream_new)(device, priority, out.get(), error) })?;
        Stream::of(py, made.0, device)
    }

    fn of(py: Python<'_>, stream: *mut abi::Stream, device: i32) -> PyResult<Stream> {
        let mut made = Stream { stream, device, handle: 1 };
        made.handle = made.info(py)?.handle as usize;
        Ok(made)
    }

    /// Another library's stream; of the default streams' device the library or the caller may tell.
    fn foreign(source: &Bound<'_, PyAny>, named: Option<i32>) -> PyResult<Stream> {
        let handle = handle_of(source)?;
        let device = match device_of(source) {
            Some(told) => told,
            None if handle > LAST_DEFAULT => ASK_THE_DRIVER,
            None => named.map_or_else(|| ordinal(None), Ok)?,
        };
        let mut error = errors::empty();
        let mut made = std::ptr::null_mut();
        // SAFETY: the object keeps its stream alive, and the stream keeps the object.
        let status = unsafe {
            let owner = source.as_ptr().cast();
            (runtime::table().stream_foreign)(device, handle as *mut c_void, owner, &OBJECT, &mut made, &mut error)
        };
        errors::check(source.py(), status, &error)?;
        let mut made = Stream { stream: made, device, handle: handle.max(1) };
        if device == ASK_THE_DRIVER {
            made.device = made.info(source.py())?.device;
        }
        Ok(made)
    }

    /// The same, of a device that the caller names too.
    fn foreign_on(source: &Bound<'_, PyAny>, device: Option<devices::Named>) -> PyResult<Stream> {
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

    fn info(&self, py: Python<'_>) -> PyResult<abi::StreamInfo> {
        let mut info = abi::StreamInfo { handle: std::ptr::null_mut(), device: -1, capturing: 0 };
        let mut error = errors::empty();
        // SAFETY: the stream is alive.
        let status = unsafe { (runtime::table().stream_info)(self.stream, &mut info, &mut error) };
        errors::check(py, status, &error)?;
        Ok(info)
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
    device: Option<devices::Named>,
) -> PyResult<Bound<'py, Stream>> {
    match source.cast::<Stream>() {
        Ok(stream) if device.is_none() => Ok(stream.clone()),
        _ => Bound::new(source.py(), Stream::foreign_on(source, device)?),
    }
}

/// The stream of an optional argument: the one named, or the current one.
pub(crate) fn accept_or_current(source: Option<&Bound<'_, PyAny>>) -> PyResult<(Option<Py<Stream>>, Place)> {
    match source {
        Some(source) => {
            let stream = accept(source)?;
            let place = stream.get().place();
            Ok((Some(stream.unbind()), place))
        }
        None => Ok((
            None,
            current().map_or(Ok(Place { stream: std::ptr::null_mut(), device: ordinal(None)? }), Ok::<_, PyErr>)?,
        )),
    }
}

/// The driver's handle of a stream.
pub(crate) fn handle_of(source: &Bound<'_, PyAny>) -> PyResult<usize> {
    if let Ok(protocol) = source.getattr(intern!(source.py(), "__cuda_stream__")) {
        let answer = if protocol.is_callable() { protocol.call0()? } else { protocol };
        let (version, handle): (i64, usize) =
            answer.extract().map_err(|_| PyTypeError::new_err("__cuda_stream__() has to return (version, handle)"))?;
        if version != 0 {
            return Err(PyTypeError::new_err(format!("version {version} of __cuda_stream__ is not known here")));
        }
        return Ok(handle);
    }
    let py = source.py();
    for name in [intern!(py, "cuda_stream"), intern!(py, "ptr")] {
        if let Ok(handle) = source.getattr(name)
            && let Ok(handle) = handle.extract()
        {
            return Ok(handle);
        }
    }
    Err(PyTypeError::new_err(format!(
        "a stream is a numptx.Stream or an object with __cuda_stream__(); found {}",
        source.get_type().name()?
    )))
}

/// The device that a stream says it is on.
fn device_of(source: &Bound<'_, PyAny>) -> Option<i32> {
    if let Ok(stream) = source.cast::<Stream>() {
        return Some(stream.get().device);
    }
    let py = source.py();
    if let Ok(id) = source.getattr(intern!(py, "device_id"))
        && let Ok(id) = id.extract::<i32>()
        && id >= 0
    {
        return Some(id);
    }
    let device = source.getattr(intern!(py, "device"));
    let index = device.and_then(|d| {
        let names = [intern!(py, "index"), intern!(py, "device_id"), intern!(py, "id")];
        names.into_iter().find_map(|name| d.getattr(name).ok()).ok_or_else(|| PyTypeError::new_err("no ordinal"))
    });
    index.and_then(|index| index.extract::<i32>()).ok().filter(|found| *found >= 0)
}

/// Whether a stream is being captured.
pub(crate) fn is_captured(py: Python<'_>, stream: *mut abi::Stream) -> PyResult<bool> {
    let mut info = abi::StreamInfo { handle: std::ptr::null_mut(), device: -1, capturing: 0 };
    let mut error = errors::empty();
    // SAFETY: the stream is alive.
    let status = unsafe { (runtime::table().stream_info)(stream, &mut info, &mut error) };
    errors::check(py, status, &error)?;
    Ok(info.capturing != 0)
}

/// Makes a stream of a device wait for what another one, which is not captured, was given so far; null: the legacy default stream. A stream that
/// is captured goes on when the host has waited.
pub(crate) fn order_after(
    py: Python<'_>,
    later: *mut abi::Stream,
    earlier: *mut abi::Stream,
    device: i32,
) -> PyResult<()> {
    if later == earlier {
        return Ok(());
    }
    let event = Event::fresh(py, device, false)?;
    event.record_on(py, Place { stream: earlier, device })?;
    if !later.is_null() && is_captured(py, later)? {
        return event.synchronize(py);
    }
    event.wait_on(py, Place { stream: later, device })
}

/// Waits for another library's stream.
pub(crate) fn wait_for(py: Python<'_>, stream: *mut abi::Stream, device: i32) -> PyResult<()> {
    let stream = Kept(stream);
    // SAFETY: the stream is alive.
    detached(py, move |table, error| unsafe { (table.stream_synchronize)(stream.get(), device, error) })
}

#[pymethods]
impl Stream {
    #[new]
    #[pyo3(signature = (source=None, *, device=None, priority=0))]
    fn new(
        py: Python<'_>,
        source: Option<&Bound<'_, PyAny>>,
        device: Option<devices::Named>,
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
    #[getter]
    fn handle(&self) -> usize {
        self.handle
    }

    /// The protocol by which libraries take each other's streams.
    fn __cuda_stream__(&self) -> (i32, usize) {
        (0, self.handle)
    }

    /// Waits, with the interpreter lock released, until everything is done that the stream was given.
    fn synchronize(&self, py: Python<'_>) -> PyResult<()> {
        let (stream, device) = (Kept(self.stream), self.device);
        // SAFETY: the stream is alive.
        detached(py, move |table, error| unsafe { (table.stream_synchronize)(stream.get(), device, error) })
    }

    /// Whether everything is done that the stream was given.
    #[getter]
    fn done(&self, py: Python<'_>) -> PyResult<bool> {
        let (mut done, mut error) = (0, errors::empty());
        // SAFETY: the stream and the out-parameters are alive.
        let status = unsafe { (runtime::table().stream_query)(self.stream, self.device, &mut done, &mut error) };
        errors::check(py, status, &error)?;
        Ok(done != 0)
    }

    /// Whether the stream is being captured into a graph.
    #[getter]
    fn is_capturing(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.info(py)?.capturing != 0)
    }

    /// Marks what the stream was given so far, with a new event or the one that is passed.
    #[pyo3(signature = (event=None))]
    fn record<'py>(this: &Bound<'py, Self>, event: Option<Bound<'py, Event>>) -> PyResult<Bound<'py, Event>> {
        let (py, stream) = (this.py(), this.get());
        let event = match event {
            Some(event) => event,
            None => Bound::new(py, Event::fresh(py, stream.device, false)?)?,
        };
        event.get().record_on(py, stream.place())?;
        Ok(event)
    }

    /// Makes what the stream is given from now on wait: for an event, or for what another stream was given so far.
    fn wait(this: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = this.py();
        if let Ok(event) = other.cast::<Event>() {
            return event.get().wait_on(py, this.get().place());
        }
        let other = accept(other)?;
        let event = Event::fresh(py, other.get().device, false)?;
        event.record_on(py, other.get().place())?;
        event.wait_on(py, this.get().place())
    }

    fn __enter__<'py>(this: &Bound<'py, Self>) -> Bound<'py, Self> {
        enter(this);
        this.clone()
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(this: &Bound<'_, Self>, _exception: &Bound<'_, pyo3::types::PyTuple>) -> bool {
        leave(this.py(), this.get());
        false
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Stream>().is_ok_and(|other| {
            let other = other.get();
            (other.handle, other.device) == (self.handle, self.device)
        })
    }

    fn __hash__(&self) -> isize {
        (self.handle ^ (self.device as usize) << 56) as isize
    }

    fn __repr__(&self) -> String {
        match self.handle {
            0 | 1 => format!("<numptx.Stream: the default stream of {}>", devices::name(self.device)),
            handle => format!("<numptx.Stream {handle:#x} on {}>", devices::name(self.device)),
        }
    }
}

pub(crate) fn register(native: &Bound<'_, PyModule>) -> PyResult<()> {
    native.add_class::<Stream>()?;
    native.add_function(wrap_pyfunction!(entered::current_stream, native)?)
}
