//! A stream while somebody uses it: nobody closes it meanwhile.

use pyo3::prelude::*;

use super::{Place, Stream, accept, current, ordinal};

/// A stream that is open as long as this lives, or the default stream.
pub(crate) struct OpenStream<'py> {
    stream: Option<Bound<'py, Stream>>,
    place: Place,
}

impl<'py> OpenStream<'py> {
    pub fn of(stream: &Bound<'py, Stream>) -> PyResult<OpenStream<'py>> {
        let open = stream.get().open()?;
        let place = Place { stream: open.stream, device: stream.get().device };
        stream.get().held.stay();
        Ok(OpenStream { stream: Some(stream.clone()), place })
    }

    /// The stream that an argument names.
    pub fn named(source: &Bound<'py, PyAny>) -> PyResult<OpenStream<'py>> {
        OpenStream::of(&accept(source)?)
    }

    /// The stream of an optional argument: the one named, or the current one.
    pub fn named_or_current(source: Option<&Bound<'py, PyAny>>) -> PyResult<OpenStream<'py>> {
        match source {
            Some(source) => OpenStream::named(source),
            None => {
                let default = || Ok(Place { stream: std::ptr::null_mut(), device: ordinal(None)? });
                let place = current().map_or_else(default, Ok::<_, PyErr>)?;
                Ok(OpenStream { stream: None, place })
            }
        }
    }

    pub fn place(&self) -> Place {
        self.place
    }
}

impl Drop for OpenStream<'_> {
    fn drop(&mut self) {
        if let Some(stream) = &self.stream {
            stream.get().held.leave();
        }
    }
}
