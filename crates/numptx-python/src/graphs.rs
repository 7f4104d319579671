//! `numptx.Graph`: calls recorded once, and run again as one launch; recorded anew, with other arrays and numbers, in the same graph.

use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU8, Ordering};

use numptx_abi as abi;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pyclass::{PyTraverseError, PyVisit};
use pyo3::types::PyTuple;

use crate::closable::{Closable, OpenGuard};
use crate::streams::{self, OpenStream, SendPointer, Stream, detached, quietly_detached};
use crate::{devices, runtime};

/// Calls inside `with numptx.Graph() as g:` are recorded instead of run; `g.replay()` runs them all in one launch.
///
/// What the calls use lives as long as the graph: arrays, temporaries, copies of host arguments as they were. A replay reads the same device
/// arrays again: new data comes in through `array.copy_from(…)`, and results are the arrays that the calls returned. Calls inside
/// `with graph.update():` take the place of those that were recorded, with other arrays and numbers. `close()` gives all of it back,
/// after the replays under way.
///
/// stream: the stream to capture; a new one by default. mode: what other work of the program does to the capture: "thread_local" (nothing that
/// other threads do ends it), "global" or "relaxed".
#[pyclass(frozen, weakref, module = "numptx", name = "Graph")]
pub(crate) struct Graph {
    held: Closable<Recording>,
    device: i32,
    mode: u32,
    is_begun: AtomicBool,
    /// The block is running.
    is_inside: AtomicBool,
}

/// A stream, and what was captured from it.
struct Recording {
    stream: Py<Stream>,
    /// Null before the capture.
    graph: AtomicPtr<abi::Graph>,
}

impl Drop for Recording {
    fn drop(&mut self) {
        let graph = *self.graph.get_mut();
        if !graph.is_null() {
            // SAFETY: the graph is this object's.
            unsafe { (runtime::table().graph_release)(graph) };
        }
    }
}

impl Recording {
    fn graph(&self) -> SendPointer<abi::Graph> {
        SendPointer(self.graph.load(Ordering::Acquire))
    }

    fn nodes(&self) -> u64 {
        let graph = self.graph().get();
        // SAFETY: the graph is alive.
        if graph.is_null() { 0 } else { unsafe { (runtime::table().graph_nodes)(graph) } }
    }
}

impl Graph {
    fn open(&self) -> PyResult<OpenGuard<'_, Recording>> {
        self.held.open("numptx.Graph")
    }
}

#[pymethods]
impl Graph {
    #[new]
    #[pyo3(signature = (stream=None, *, device=None, mode="thread_local"))]
    fn new(
        py: Python<'_>,
        stream: Option<&Bound<'_, PyAny>>,
        device: Option<devices::DeviceName>,
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
        let device = OpenStream::of(stream.bind(py))?.place().device;
        let held = Closable::new(Recording { stream, graph: AtomicPtr::new(std::ptr::null_mut()) });
        Ok(Graph { held, device, mode, is_begun: AtomicBool::new(false), is_inside: AtomicBool::new(false) })
    }

    /// The stream that is captured.
    #[getter]
    fn stream(&self, py: Python<'_>) -> PyResult<Py<Stream>> {
        Ok(self.open()?.stream.clone_ref(py))
    }

    /// Number of recorded launches and copies.
    #[getter]
    fn nodes(&self) -> PyResult<u64> {
        Ok(self.open()?.nodes())
    }

    /// Gives the graph back, and what it keeps, after the replays under way; a later use raises `ValueError`. Inside of its block: what was captured is
    /// forgotten, and the block goes on.
    fn close(&self) {
        self.held.close();
    }

    /// Whether `close` was called.
    #[getter]
    fn closed(&self) -> bool {
        self.held.is_closed()
    }

    /// What Python's collector of cycles sees.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        match self.held.look() {
            Some(recorded) => visit.call(&recorded.stream),
            None => Ok(()),
        }
    }

    fn __enter__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, Self>> {
        let (py, graph) = (this.py(), this.get());
        let open = graph.open()?;
        let stream = OpenStream::of(open.stream.bind(py))?;
        if graph.is_begun.swap(true, Ordering::AcqRel) {
            return Err(PyRuntimeError::new_err("a graph is captured once; make another numptx.Graph()"));
        }
        if let Err(error) = streams::enter(open.stream.bind(py)) {
            graph.is_begun.store(false, Ordering::Release);
            return Err(error);
        }
        let mut made = SendPointer(std::ptr::null_mut());
        let (captured, mode, out) = (SendPointer(stream.place().stream), graph.mode, SendPointer(&raw mut made.0));
        // SAFETY: the stream and the out-parameter are alive.
        let begun =
            detached(py, move |table, error| unsafe { (table.graph_begin)(captured.get(), mode, out.get(), error) });
        if begun.is_err() {
            // Nothing was captured: the next try says why it cannot, too.
            streams::leave(open.stream.get());
            graph.is_begun.store(false, Ordering::Release);
            begun?;
        }
        open.graph.store(made.0, Ordering::Release);
        // The block has it open, also where somebody closes it in there.
        graph.held.stay();
        graph.is_inside.store(true, Ordering::Release);
        Ok(this.clone())
    }

    /// Ends the capture. After an exception in the block there is nothing to replay.
    #[pyo3(signature = (exception=None, *_rest))]
    fn __exit__(
        &self,
        py: Python<'_>,
        exception: Option<&Bound<'_, PyAny>>,
        _rest: &Bound<'_, PyTuple>,
    ) -> PyResult<bool> {
        let recorded = self.held.look().filter(|_| self.is_inside.load(Ordering::Acquire));
        let Some(recorded) = recorded.filter(|recorded| streams::leave(recorded.stream.get())) else {
            return Err(PyRuntimeError::new_err("this thread is in no block of the graph"));
        };
        self.is_inside.store(false, Ordering::Release);
        let is_wanted = exception.is_none() && !self.closed();
        let (graph, keep) = (recorded.graph(), u32::from(is_wanted));
        // SAFETY: the graph is alive.
        let ended = quietly_detached(py, move |table, error| unsafe { (table.graph_end)(graph.get(), keep, error) });
        self.held.leave();
        if is_wanted { ended.map(|()| false) } else { Ok(false) }
    }

    /// Runs what was recorded, on a stream (by default the current one), after what else is done there and with the arrays it uses. The caller goes on.
    #[pyo3(signature = (stream=None))]
    fn replay(&self, py: Python<'_>, stream: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let open = self.open()?;
        let graph = open.graph();
        if graph.get().is_null() {
            return Err(PyRuntimeError::new_err("the graph is empty: record calls inside `with graph:` first"));
        }
        let named = stream.map(OpenStream::named).transpose()?;
        let stream = SendPointer(named.as_ref().map_or_else(streams::current_or_default, |named| named.place().stream));
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
        let device = devices::name(self.device);
        match self.open().map(|open| open.nodes()) {
            Err(_) => format!("<numptx.Graph on {device}, closed>"),
            Ok(0) => format!("<numptx.Graph on {device}, nothing to replay>"),
            Ok(1) => format!("<numptx.Graph of one launch or copy on {device}>"),
            Ok(n) => format!("<numptx.Graph of {n} launches and copies on {device}>"),
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
        let owner = self.graph.get();
        let open = owner.open()?;
        let graph = open.graph();
        if graph.get().is_null() {
            return Err(PyRuntimeError::new_err("the graph is empty: record calls inside `with graph:` first"));
        }
        if !self.step(GraphUpdate::NEW, GraphUpdate::ENTERED) {
            return Err(PyRuntimeError::new_err("an update is made once; call graph.update() again"));
        }
        let begun = streams::enter(open.stream.bind(py)).and_then(|()| {
            // SAFETY: the graph is alive.
            let begun = detached(py, move |table, error| unsafe { (table.graph_update)(graph.get(), error) });
            begun.inspect_err(|_| {
                streams::leave(open.stream.get());
            })
        });
        if begun.is_err() {
            self.step(GraphUpdate::ENTERED, GraphUpdate::NEW);
            begun?;
        }
        // The block has it open, also where somebody closes it in there.
        owner.held.stay();
        Ok(self.graph.clone_ref(py))
    }

    /// Ends the recording. After an exception in the block it is forgotten.
    #[pyo3(signature = (exception=None, *_rest))]
    fn __exit__(
        &self,
        py: Python<'_>,
        exception: Option<&Bound<'_, PyAny>>,
        _rest: &Bound<'_, PyTuple>,
    ) -> PyResult<bool> {
        let is_inside = self.state.load(Ordering::Acquire) == GraphUpdate::ENTERED;
        let owner = self.graph.get();
        let recorded = owner.held.look().filter(|recorded| is_inside && streams::leave(recorded.stream.get()));
        let Some(recorded) = recorded.filter(|_| self.step(GraphUpdate::ENTERED, GraphUpdate::OVER)) else {
            return Err(PyRuntimeError::new_err("this thread is in no block of the update: with graph.update(): …"));
        };
        let is_wanted = exception.is_none() && !owner.closed();
        let (graph, keep) = (recorded.graph(), u32::from(is_wanted));
        // SAFETY: the graph is alive.
        let ended =
            quietly_detached(py, move |table, error| unsafe { (table.graph_updated)(graph.get(), keep, error) });
        owner.held.leave();
        if is_wanted { ended.map(|()| false) } else { Ok(false) }
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.graph)
    }
}

pub(crate) fn register(native: &Bound<'_, PyModule>) -> PyResult<()> {
    native.add_class::<GraphUpdate>()?;
    native.add_class::<Graph>()
}
