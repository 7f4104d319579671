//! `numptx.Graph`: calls recorded once, and run again as one launch.

use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

use numptx_abi as abi;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::devices;
use crate::runtime;
use crate::streams::{self, Kept, Stream, detached};

/// Calls inside `with numptx.Graph() as g:` are recorded instead of run; `g.replay()` runs them all in one launch.
///
/// What the calls use lives as long as the graph: arrays, temporaries, copies of host arguments as they were. A replay reads the same device
/// arrays again: new data comes in through `array.copy_from(…)`, and results are the arrays that the calls returned.
///
/// stream: the stream to capture; a new one by default. mode: what other work of the program does to the capture: "thread_local" (nothing that
/// other threads do ends it), "global" or "relaxed".
#[pyclass(frozen, weakref, module = "numptx", name = "Graph")]
pub(crate) struct Graph {
    stream: Py<Stream>,
    mode: u32,
    is_begun: AtomicBool,
    /// Null before the capture.
    graph: AtomicPtr<abi::Graph>,
}

impl Drop for Graph {
    fn drop(&mut self) {
        let graph = *self.graph.get_mut();
        if !graph.is_null() {
            // SAFETY: the graph is this object's.
            unsafe { (runtime::table().graph_release)(graph) };
        }
    }
}

impl Graph {
    fn graph(&self) -> Kept<abi::Graph> {
        Kept(self.graph.load(Ordering::Acquire))
    }
}

#[pymethods]
impl Graph {
    #[new]
    #[pyo3(signature = (stream=None, *, device=None, mode="thread_local"))]
    fn new(
        py: Python<'_>,
        stream: Option<&Bound<'_, PyAny>>,
        device: Option<devices::Named>,
        mode: &str,
    ) -> PyResult<Graph> {
        let mode = match mode {
            "global" => 0,
            "thread_local" => 1,
            "relaxed" => 2,
            other => {
                return Err(PyValueError::new_err(format!(
                    "a capture's mode is 'global', 'thread_local' or 'relaxed'; found '{other}'"
                )));
            }
        };
        let stream = match stream {
            Some(stream) => streams::accept_on(stream, device)?.unbind(),
            None => Py::new(py, Stream::fresh(py, streams::ordinal(device)?, 0)?)?,
        };
        Ok(Graph { stream, mode, is_begun: AtomicBool::new(false), graph: AtomicPtr::new(std::ptr::null_mut()) })
    }

    /// The stream that is captured.
    #[getter]
    fn stream(&self, py: Python<'_>) -> Py<Stream> {
        self.stream.clone_ref(py)
    }

    /// Number of recorded launches and copies.
    #[getter]
    fn nodes(&self) -> u64 {
        let graph = self.graph().get();
        // SAFETY: the graph is alive.
        if graph.is_null() { 0 } else { unsafe { (runtime::table().graph_nodes)(graph) } }
    }

    fn __enter__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, Self>> {
        let (py, graph) = (this.py(), this.get());
        if graph.is_begun.swap(true, Ordering::AcqRel) {
            return Err(PyRuntimeError::new_err("a graph is captured once; make another numptx.Graph()"));
        }
        let mut made = Kept(std::ptr::null_mut());
        let (stream, mode, out) = (Kept(graph.stream.get().place().stream), graph.mode, Kept(&raw mut made.0));
        // SAFETY: the stream and the out-parameter are alive.
        let begun =
            detached(py, move |table, error| unsafe { (table.graph_begin)(stream.get(), mode, out.get(), error) });
        if begun.is_err() {
            // Nothing was captured: the next try says why it cannot, too.
            graph.is_begun.store(false, Ordering::Release);
            begun?;
        }
        graph.graph.store(made.0, Ordering::Release);
        streams::enter(graph.stream.bind(py));
        Ok(this.clone())
    }

    /// Ends the capture. After an exception in the block there is nothing to replay.
    #[pyo3(signature = (exception=None, *_rest))]
    fn __exit__(
        &self,
        py: Python<'_>,
        exception: Option<&Bound<'_, PyAny>>,
        _rest: &Bound<'_, pyo3::types::PyTuple>,
    ) -> PyResult<bool> {
        streams::leave(py, self.stream.get());
        let (graph, keep) = (self.graph(), u32::from(exception.is_none()));
        // SAFETY: the graph is alive.
        let ended = detached(py, move |table, error| unsafe { (table.graph_end)(graph.get(), keep, error) });
        if exception.is_none() { ended.map(|()| false) } else { Ok(false) }
    }

    /// Runs what was recorded, on a stream (by default the current one), after what else is done there and with the arrays it uses. The caller goes on.
    #[pyo3(signature = (stream=None))]
    fn replay(&self, py: Python<'_>, stream: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let graph = self.graph();
        if graph.get().is_null() {
            return Err(PyRuntimeError::new_err("the graph is empty: record calls inside `with graph:` first"));
        }
        let (_kept, place) = streams::accept_or_current(stream)?;
        let stream = Kept(place.stream);
        // SAFETY: both are alive.
        detached(py, move |table, error| unsafe { (table.graph_launch)(graph.get(), stream.get(), error) })
    }

    fn __repr__(&self) -> String {
        let device = devices::name(self.stream.get().place().device);
        match self.nodes() {
            0 => format!("<numptx.Graph on {device}, nothing to replay>"),
            1 => format!("<numptx.Graph of one launch or copy on {device}>"),
            n => format!("<numptx.Graph of {n} launches and copies on {device}>"),
        }
    }
}

pub(crate) fn register(native: &Bound<'_, PyModule>) -> PyResult<()> {
    native.add_class::<Graph>()
}
