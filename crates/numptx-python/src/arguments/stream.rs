//! The stream that a call runs on: that of the innermost `with` block, else that of the first array on a device whose library works on one.

use numptx_abi::Value;
use pyo3::ffi::PyObject;
use pyo3::prelude::*;

use super::Leaves;
use crate::array::Array;
use crate::borrowed_stream::{self, BorrowedStream};
use crate::library::{Library, WorkingStream};
use crate::streams;

/// Whose stream a call runs on: that of the first array on a device that has one.
#[derive(Clone, Copy)]
pub(super) enum StreamSource {
    Nobody,
    /// A library in [`Leaves::working`].
    Library(usize),
    /// The producer of an imported array.
    Producer(*mut PyObject),
}

impl<'py> Leaves<'py> {
    /// The stream that a library works on, asked for once a call. `None`: it cannot be told, or there are too many libraries.
    pub(super) fn working(&mut self, library: Library, device: i32) -> Option<usize> {
        let is_it = |known: &Option<(Library, i32, WorkingStream<'py>)>| {
            known.as_ref().is_none_or(|(known, on, _)| *known == library && *on == device)
        };
        let at = self.working.iter().position(is_it)?;
        if self.working[at].is_none() {
            self.working[at] = Some((library, device, library.working(self.py, device)?));
        }
        if matches!(self.follows, StreamSource::Nobody) {
            self.follows = StreamSource::Library(at);
        }
        self.working[at].as_ref().map(|(_, _, working)| working.handle)
    }

    /// Whether the call ran on the stream that a library works on, so far as a device matters.
    pub fn follows(&self, library: Library, device: i32) -> bool {
        let working = match self.follows {
            StreamSource::Library(at) if !self.is_inside.get() => self.working[at].as_ref(),
            _ => None,
        };
        device < 0 || working.is_some_and(|(known, on, _)| *known == library && *on == device)
    }

    /// The stream that the call runs on: that of the innermost `with` block, else the current one of the library that the first array comes from.
    pub fn stream(&self, entered: Option<streams::Place>) -> PyResult<BorrowedStream> {
        self.is_inside.set(entered.is_some());
        if let Some(place) = entered {
            return Ok(BorrowedStream::kept_by_caller(place.stream));
        }
        match self.follows {
            StreamSource::Library(at) => {
                if let Some((_, device, WorkingStream { handle, owner })) = &self.working[at] {
                    return borrowed_stream::of_handle(
                        self.py,
                        *handle,
                        *device,
                        owner.as_ref().map(Bound::as_unbound),
                    );
                }
            }
            StreamSource::Producer(object) => {
                if let Some(array) = self.imported(object).map(|array| array.get())
                    && let Some(producer) = array.open()?.producer()
                {
                    return producer.stream(self.py, array.device_ordinal());
                }
            }
            StreamSource::Nobody => {}
        }
        if self.has_produced {
            self.captured_stream()
        } else {
            Ok(BorrowedStream::kept_by_caller(std::ptr::null_mut()))
        }
    }

    /// The captured stream on which another library works with memory that an array of ours views: no other stream can be ordered after it. Else the
    /// default stream.
    fn captured_stream(&self) -> PyResult<BorrowedStream> {
        for leaf in 0..self.n_leaves {
            let is_produced = self.argument(leaf).is_some_and(|it| it.kind == Value::ARRAY && !it.stream.is_null());
            let Some(object) = self.object(leaf).filter(|_| is_produced) else { continue };
            // SAFETY: arguments live for the call.
            let bound = unsafe { Bound::from_borrowed_ptr(self.py, object) };
            let Ok(array) = bound.cast_exact::<Array>() else { continue };
            let (open, device) = (array.get().open()?, array.get().device_ordinal());
            if let Some(producer) = open.producer().filter(|producer| producer.is_captured(self.py, device)) {
                return producer.stream(self.py, device);
            }
        }
        Ok(BorrowedStream::kept_by_caller(std::ptr::null_mut()))
    }
}
