//! `numptx.Event`: marks in the work of streams.

use numptx_abi as abi;
use pyo3::prelude::*;

use crate::closable::{Closable, OpenGuard};
use crate::streams::{OpenStream, Place, SendPointer, detached, ordinal, quietly_detached};
use crate::{devices, errors, runtime};

/// A mark in the work of a stream, to wait for and to measure by. It may be used on any thread. `close()` gives it back at once; who waits for it goes
/// on waiting.
#[pyclass(frozen, weakref, module = "numptx", name = "Event")]
pub(crate) struct Event {
    held: Closable<Reference>,
    device: i32,
}

/// An event of the runtime's, which is this one's.
struct Reference(*mut abi::Event);

// SAFETY: the runtime's events may be used on any thread; the pointer never changes.
unsafe impl Send for Reference {}
// SAFETY: as above.
unsafe impl Sync for Reference {}

impl Drop for Reference {
    fn drop(&mut self) {
        // SAFETY: nobody else gives it up.
        unsafe { (runtime::table().event_release)(self.0) };
    }
}

impl Event {
    fn open(&self) -> PyResult<OpenGuard<'_, Reference>> {
        self.held.open("numptx.Event")
    }

    pub fn fresh(py: Python<'_>, device: i32, timing: bool) -> PyResult<Event> {
        let mut event = std::ptr::null_mut();
        let out = SendPointer(&raw mut event);
        // SAFETY: the out-parameters are alive.
        quietly_detached(py, move |table, error| unsafe {
            (table.event_new)(device, u32::from(timing), out.get(), error)
        })?;
        Ok(Event { held: Closable::new(Reference(event)), device })
    }

    pub fn record_on(&self, py: Python<'_>, place: Place) -> PyResult<()> {
        let open = self.open()?;
        let (event, stream, device) = (SendPointer(open.0), SendPointer(place.stream), place.device);
        // SAFETY: both are alive.
        quietly_detached(py, move |table, error| unsafe {
            (table.event_record)(event.get(), stream.get(), device, error)
        })
    }

    pub fn wait_on(&self, py: Python<'_>, place: Place) -> PyResult<()> {
        let open = self.open()?;
        let (event, stream, device) = (SendPointer(open.0), SendPointer(place.stream), place.device);
        // SAFETY: both are alive.
        quietly_detached(py, move |table, error| unsafe {
            (table.event_wait)(event.get(), stream.get(), device, error)
        })
    }
}

#[pymethods]
impl Event {
    /// timing: whether `elapsed_time` may be asked for.
    #[new]
    #[pyo3(signature = (*, device=None, timing=false))]
    fn new(py: Python<'_>, device: Option<devices::DeviceName>, timing: bool) -> PyResult<Event> {
        Event::fresh(py, ordinal(device)?, timing)
    }

    /// `"cuda:0"`.
    #[getter]
    fn device(&self) -> String {
        devices::name(self.device)
    }

    /// Marks what a stream (the current one if none is named) was given so far.
    #[pyo3(signature = (stream=None))]
    fn record(&self, py: Python<'_>, stream: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        self.record_on(py, OpenStream::named_or_current(stream)?.place())
    }

    /// Makes a stream (the current one if none is named) wait for what is marked; the caller goes on.
    #[pyo3(signature = (stream=None))]
    fn wait(&self, py: Python<'_>, stream: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        self.wait_on(py, OpenStream::named_or_current(stream)?.place())
    }

    /// Waits, with the interpreter lock released, for what is marked.
    pub fn synchronize(&self, py: Python<'_>) -> PyResult<()> {
        let open = self.open()?;
        let event = SendPointer(open.0);
        // SAFETY: the event is alive.
        detached(py, move |table, error| unsafe { (table.event_synchronize)(event.get(), error) })
    }

    /// Whether what is marked is done.
    #[getter]
    fn done(&self, py: Python<'_>) -> PyResult<bool> {
        let (open, mut done, mut error) = (self.open()?, 0, errors::empty());
        // SAFETY: the event and the out-parameters are alive.
        let status = unsafe { (runtime::table().event_query)(open.0, &mut done, &mut error) };
        errors::check(py, status, &error)?;
        Ok(done != 0)
    }

    /// Milliseconds from this event to `last`; waits for both.
    fn elapsed_time(&self, py: Python<'_>, last: &Bound<'_, Event>) -> PyResult<f32> {
        let mut milliseconds = 0.0f32;
        let (open, last) = (self.open()?, last.get().open()?);
        let (first, last, out) = (SendPointer(open.0), SendPointer(last.0), SendPointer(&raw mut milliseconds));
        // SAFETY: the events and the out-parameter are alive.
        detached(py, move |table, error| unsafe { (table.event_elapsed)(first.get(), last.get(), out.get(), error) })?;
        Ok(milliseconds)
    }

    /// Gives the event back; a later use raises `ValueError`.
    fn close(&self) {
        self.held.close();
    }

    /// Whether `close` was called.
    #[getter]
    fn closed(&self) -> bool {
        self.held.is_closed()
    }

    fn __repr__(&self) -> String {
        let closed = if self.closed() { ", closed" } else { "" };
        format!("<numptx.Event on {}{closed}>", devices::name(self.device))
    }
}

pub(crate) fn register(native: &Bound<'_, PyModule>) -> PyResult<()> {
    native.add_class::<Event>()
}
