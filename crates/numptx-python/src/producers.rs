//! The streams on which other libraries work with their arrays: which they are, how long they live, and what is ordered after them.

use std::cell::RefCell;

use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::pyclass::{PyTraverseError, PyVisit};

use crate::borrowed_stream::{self, BorrowedStream};
use crate::call::attached;
use crate::errors;
use crate::streams;

/// The driver's handle of the legacy default stream.
pub(crate) const LEGACY_STREAM: usize = 1;
/// The driver's largest handle that stands for a default stream.
pub(crate) const THREAD_STREAM: usize = 2;

/// The stream on which another library works with an array.
pub(crate) struct Producer {
    /// The driver's handle.
    pub handle: usize,
    pub lives: Lives,
    /// Whether calls run on it: it is the library's current one.
    pub is_current: bool,
}

/// How long another library's stream lives.
pub(crate) enum Lives {
    ForEver,
    /// As long as this object.
    With(Py<PyAny>),
    /// As long as the array that named it is in use: nobody knows what keeps it alive, and it may be gone later.
    InUse,
}

impl Producer {
    /// The same stream, for a view.
    pub fn clone_ref(&self, py: Python<'_>) -> Producer {
        let lives = match &self.lives {
            Lives::ForEver => Lives::ForEver,
            Lives::With(owner) => Lives::With(owner.clone_ref(py)),
            Lives::InUse => Lives::InUse,
        };
        Producer { handle: self.handle, lives, is_current: self.is_current }
    }

    /// The runtime's stream for it. What comes back is kept while the stream is used.
    pub fn stream(&self, py: Python<'_>, device: i32) -> PyResult<BorrowedStream> {
        let owner = match &self.lives {
            Lives::ForEver => None,
            Lives::With(owner) => Some(owner),
            Lives::InUse => return borrowed_stream::passing(py, self.handle, device),
        };
        borrowed_stream::of_handle(py, self.handle, device, owner)
    }

    /// What the collector of cycles sees.
    pub fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        match &self.lives {
            Lives::With(owner) => visit.call(owner),
            Lives::ForEver | Lives::InUse => Ok(()),
        }
    }

    /// Makes a consumer's stream (the driver's handle) wait for what this one was given so far.
    pub fn come_before(&self, py: Python<'_>, consumer: usize, device: i32) -> PyResult<()> {
        if consumer == self.handle {
            return Ok(());
        }
        if self.is_captured(py, device) {
            return Err(PyRuntimeError::new_err(
                "the array's library works with it on a stream that is being captured, and nothing outside may wait for that; use it after the capture",
            ));
        }
        let (own, later) = (self.stream(py, device)?, borrowed_stream::passing(py, consumer, device)?);
        streams::order_after(py, later.get(), own.get(), device)
    }

    /// Whether the stream is being captured, so that nothing outside may wait for it.
    pub fn is_captured(&self, py: Python<'_>, device: i32) -> bool {
        self.handle > 1
            && self.stream(py, device).and_then(|stream| streams::is_captured(py, stream.get())).unwrap_or(false)
    }
}

/// The stream on which the library of a device array works now on this thread, if it is a library that tells.
pub(crate) fn producer_stream(object: &Bound<'_, PyAny>, device: i32) -> PyResult<Option<Producer>> {
    let py = object.py();
    let module = object.get_type().module()?;
    let name = module.to_cow()?;
    let library = name.split('.').next().unwrap_or_default();
    if library != "torch" && library != "cupy" {
        return Ok(None);
    }
    let Some(cuda) = py.import(library)?.getattr_opt(intern!(py, "cuda"))? else { return Ok(None) };
    let (stream, attribute) = match library {
        "torch" => (cuda.call_method1(intern!(py, "current_stream"), (device,))?, intern!(py, "cuda_stream")),
        _ => (current_of_cupy(&cuda, device)?, intern!(py, "ptr")),
    };
    let handle: usize = stream.getattr(attribute)?.extract()?;
    let lives = match library {
        _ if is_external(&stream, handle)? => Lives::InUse,
        "cupy" => Lives::With(stream.unbind()),
        _ => Lives::ForEver,
    };
    let mut producer = Producer { handle: handle.max(1), lives, is_current: true };
    // A call runs on a stream that may be gone afterwards only where no other can be ordered after it.
    producer.is_current = !matches!(producer.lives, Lives::InUse) || producer.is_captured(py, device);
    Ok(Some(producer))
}

/// Whether a library has no more of its stream than the handle: somebody else destroys it, at any time. CuPy has a type of its own for such
/// streams; PyTorch numbers them by their handles (`c10::cuda::getStreamFromExternal`). Other streams of PyTorch live for ever.
fn is_external(stream: &Bound<'_, PyAny>, handle: usize) -> PyResult<bool> {
    if handle <= THREAD_STREAM {
        return Ok(false);
    }
    let py = stream.py();
    if let Some(number) = stream.getattr_opt(intern!(py, "stream_id"))?
        && errors::if_any(py, number.extract::<usize>())? == Some(handle)
    {
        return Ok(true);
    }
    Ok(stream.get_type().name()? == "ExternalStream")
}

thread_local! {
    /// Streams of PyTorch's pools that this thread has met, with their devices.
    static POOLED: RefCell<Vec<(usize, i32)>> = const { RefCell::new(Vec::new()) };
}

/// Whether PyTorch's current stream on a device, which has that handle, is one of its own. An exception that passes is left pending.
pub(crate) fn is_pooled(py: Python<'_>, handle: usize, device: i32) -> bool {
    if POOLED.with_borrow(|known| known.contains(&(handle, device))) {
        return true;
    }
    // See Note [Attached, and known to be] in `call`.
    let is_external = attached(|_| {
        let cuda = py.import("torch")?.getattr(intern!(py, "cuda"))?;
        let stream = cuda.call_method1(intern!(py, "current_stream"), (device,))?;
        self::is_external(&stream, handle)
    });
    match is_external {
        Ok(true) => return false,
        Err(error) if errors::passes(py, &error) => {
            error.restore(py);
            return false;
        }
        Ok(false) | Err(_) => {}
    }
    POOLED.with_borrow_mut(|known| known.push((handle, device)));
    true
}

/// CuPy's current stream on a device; older versions tell only that of their current device.
pub(crate) fn current_of_cupy<'py>(cuda: &Bound<'py, PyAny>, device: i32) -> PyResult<Bound<'py, PyAny>> {
    let name = intern!(cuda.py(), "get_current_stream");
    match cuda.call_method1(name, (device,)) {
        Err(error) if error.is_instance_of::<PyTypeError>(cuda.py()) => cuda.call_method0(name),
        answer => answer,
    }
}
