//! `numptx.Event`: marks in the work of streams.

use numptx_abi as abi;
use pyo3::prelude::*;

use crate::streams::{Kept, Place, accept_or_current, detached, ordinal};
use crate::{devices, errors, runtime};

/// A mark in the work of a stream, to wait for and to measure by. It may be used on any thread.
#[pyclass(frozen, weakref, module = "numptx", name = "Event")]
pub(crate) struct Event {
    event: *mut abi::Event,
    device: i32,
}

// SAFETY: the runtime's events may be used on any thread, and the fields never change.
unsafe impl Send for Event {}
// SAFETY: as above.
unsafe impl Sync for Event {}

impl Drop for Event {
    fn drop(&mut self) {
        // SAFETY: the event is this object's.
        unsafe { (runtime::table().event_release)(self.event) };
    }
}

impl Event {
    pub fn fresh(py: Python<'_>, device: i32, timing: bool) -> PyResult<Event> {
        let (mut event, mut error) = (std::ptr::null_mut(), errors::empty());
        // SAFETY: the out-parameters are alive.
        let status = unsafe { (runtime::table().event_new)(device, u32::from(timing), &mut event, &mut error) };
        errors::check(py, status, &error)?;
        Ok(Event { event, device })
    }

    pub fn record_on(&self, py: Python<'_>, place: Place) -> PyResult<()> {
        let mut error = errors::empty();
        // SAFETY: both are alive.
        let status = unsafe { (runtime::table().event_record)(self.event, place.stream, place.device, &mut error) };
        errors::check(py, status, &error)
    }

    pub fn wait_on(&self, py: Python<'_>, place: Place) -> PyResult<()> {
        let mut error = errors::empty();
        // SAFETY: both are alive.
        let status = unsafe { (runtime::table().event_wait)(self.event, place.stream, place.device, &mut error) };
        errors::check(py, status, &error)
    }
}

#[pymethods]
impl Event {
    /// timing: whether `elapsed_time` may be asked for.
    #[new]
    #[pyo3(signature = (*, device=None, timing=false))]
    fn new(py: Python<'_>, device: Option<devices::Named>, timing: bool) -> PyResult<Event> {
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
        let (_kept, place) = accept_or_current(stream)?;
        self.record_on(py, place)
    }

    /// Makes a stream (the current one if none is named) wait for what is marked; the caller goes on.
    #[pyo3(signature = (stream=None))]
    fn wait(&self, py: Python<'_>, stream: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let (_kept, place) = accept_or_current(stream)?;
        self.wait_on(py, place)
    }

    /// Waits, with the interpreter lock released, for what is marked.
    pub fn synchronize(&self, py: Python<'_>) -> PyResult<()> {
        let event = Kept(self.event);
        // SAFETY: the event is alive.
        detached(py, move |table, error| unsafe { (table.event_synchronize)(event.get(), error) })
    }

    /// Whether what is marked is done.
    #[getter]
    fn done(&self, py: Python<'_>) -> PyResult<bool> {
        let (mut done, mut error) = (0, errors::empty());
        // SAFETY: the event and the out-parameters are alive.
        let status = unsafe { (runtime::table().event_query)(self.event, &mut done, &mut error) };
        errors::check(py, status, &error)?;
        Ok(done != 0)
    }

    /// Milliseconds from this event to `last`; waits for both.
    fn elapsed_time(&self, py: Python<'_>, last: &Bound<'_, Event>) -> PyResult<f32> {
        let mut milliseconds = 0.0f32;
        let (first, last, out) = (Kept(self.event), Kept(last.get().event), Kept(&raw mut milliseconds));
        // SAFETY: the events and the out-parameter are alive.
        detached(py, move |table, error| unsafe { (table.event_elapsed)(first.get(), last.get(), out.get(), error) })?;
        Ok(milliseconds)
    }

    fn __repr__(&self) -> String {
        format!("<numptx.Event on {}>", devices::name(self.device))
    }
}

pub(crate) fn register(native: &Bound<'_, PyModule>) -> PyResult<()> {
    native.add_class::<Event>()
}
