//! `numptx.Graph`: calls recorded once, and run again as one launch; recorded anew, with other arrays and numbers, in the same graph.

use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU8, Ordering};

use numptx_abi as abi;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pyclass::{PyTraverseError, PyVisit};

use crate::devices;
use crate::runtime;
use crate::streams::{self, Kept, Stream, detached};

/// Calls inside `with numptx.Graph() as g:` are recorded instead of run; `g.replay()` runs them all in one launch.
///
/// What the calls use lives as long as the graph: arrays, temporaries, copies of host arguments as they were. A replay reads the same device
/// arrays again: new data comes in through `array.copy_from(…)`, and results are the arrays that the calls returned. Calls inside
/// `with graph.update():` take the place of those that were recorded, with other arrays and numbers.
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

    /// Records the graph anew: `with graph.update(): …`.
    ///
    /// The calls inside are recorded, not run, and take the place of those before: replays then read the arrays and numbers of these calls and write
    /// the arrays that they returned. The executable graph is changed where the calls start the same kernels in the same order; else another one takes
    /// its place. Replays under way keep what they use, and what they alone use is let go after them. After an
    /// exception in the block the graph is what it was.
    fn update(this: &Bound<'_, Self>) -> GraphUpdate {
        GraphUpdate { graph: this.clone().unbind(), state: AtomicU8::new(GraphUpdate::NEW) }
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

/// The block in which a graph is recorded anew; see `numptx.Graph.update`.
#[pyclass(frozen, module = "numptx", name = "GraphUpdate")]
pub(crate) struct GraphUpdate {
    graph: Py<Graph>,
    state: AtomicU8,
}

impl GraphUpdate {
    const NEW: u8 = 0;
    const ENTERED: u8 = 1;
    const OVER: u8 = 2;

    /// Goes from one state to the next, if it is in that one.
    fn step(&self, from: u8, to: u8) -> bool {
        self.state.compare_exchange(from, to, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }
}

#[pymethods]
impl GraphUpdate {
    fn __enter__(&self, py: Python<'_>) -> PyResult<Py<Graph>> {
        let (owner, graph) = (self.graph.get(), self.graph.get().graph());
        if graph.get().is_null() {
            return Err(PyRuntimeError::new_err("the graph is empty: record calls inside `with graph:` first"));
        }
        if !self.step(GraphUpdate::NEW, GraphUpdate::ENTERED) {
            return Err(PyRuntimeError::new_err("an update is made once; call graph.update() again"));
        }
        // SAFETY: the graph is alive.
        let begun = detached(py, move |table, error| unsafe { (table.graph_update)(graph.get(), error) });
        if begun.is_err() {
            self.step(GraphUpdate::ENTERED, GraphUpdate::NEW);
            begun?;
        }
        streams::enter(owner.stream.bind(py));
        Ok(self.graph.clone_ref(py))
    }

    /// Ends the recording. After an exception in the block it is forgotten.
    #[pyo3(signature = (exception=None, *_rest))]
    fn __exit__(
        &self,
        py: Python<'_>,
        exception: Option<&Bound<'_, PyAny>>,
        _rest: &Bound<'_, pyo3::types::PyTuple>,
    ) -> PyResult<bool> {
        if !self.step(GraphUpdate::ENTERED, GraphUpdate::OVER) {
            return Err(PyRuntimeError::new_err("the update was not entered: with graph.update(): …"));
        }
        let owner = self.graph.get();
        streams::leave(py, owner.stream.get());
        let (graph, keep) = (owner.graph(), u32::from(exception.is_none()));
        // SAFETY: the graph is alive.
        let ended = detached(py, move |table, error| unsafe { (table.graph_updated)(graph.get(), keep, error) });
        if exception.is_none() { ended.map(|()| false) } else { Ok(false) }
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.graph)
    }
}

pub(crate) fn register(native: &Bound<'_, PyModule>) -> PyResult<()> {
    native.add_class::<GraphUpdate>()?;
    native.add_class::<Graph>()
}
