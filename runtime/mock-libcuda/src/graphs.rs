//! Graphs: recorded work, what it keeps alive, and its launches.

use std::ffi::c_void;

use crate::state::{
    CAPTURE_UNSUPPORTED, Code, INVALID_HANDLE, State, code, current_context, enter, enter_context, enter_work,
};
use crate::work::Op;

/// A graph. Its nodes run in the order in which they were recorded, which every order of a graph allows.
#[derive(Default)]
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Op>,
    /// References to user objects.
    pub(crate) objects: Vec<usize>,
}

/// An executable graph.
pub(crate) struct Exec {
    nodes: Vec<Op>,
    objects: Vec<usize>,
    /// Launches that are not over.
    running: usize,
    is_destroyed: bool,
}

impl State {
    fn graph(&mut self, handle: *mut c_void) -> Result<usize, Code> {
        if self.graphs.contains_key(&handle.addr()) {
            return Ok(handle.addr());
        }
        self.violation("use of a graph that is not alive");
        Err(INVALID_HANDLE)
    }

    pub(crate) fn destroy_graph(&mut self, handle: usize) {
        if let Some(graph) = self.graphs.remove(&handle) {
            self.counts.live_graphs -= 1;
            graph.objects.into_iter().for_each(|object| self.release_object(object, 1));
        }
    }

    fn exec(&mut self, handle: *mut c_void) -> Result<usize, Code> {
        if self.execs.get(&handle.addr()).is_some_and(|exec| !exec.is_destroyed) {
            return Ok(handle.addr());
        }
        self.violation("use of an executable graph that is not alive");
        Err(INVALID_HANDLE)
    }

    /// A launch is over: what a destroyed graph kept goes with its last one.
    pub(crate) fn launch_ended(&mut self, exec: usize) {
        if let Some(found) = self.execs.get_mut(&exec) {
            found.running -= 1;
        }
        self.drop_if_unused(exec);
    }

    fn drop_if_unused(&mut self, handle: usize) {
        if self.execs.get(&handle).is_some_and(|exec| exec.is_destroyed && exec.running == 0)
            && let Some(exec) = self.execs.remove(&handle)
        {
            self.counts.live_execs -= 1;
            exec.objects.into_iter().for_each(|object| self.release_object(object, 1));
        }
    }
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGraphInstantiateWithFlags(out: *mut *mut c_void, graph: *mut c_void, _flags: u64) -> Code {
    code((|| {
        let mut state = enter_context("cuGraphInstantiateWithFlags")?;
        let graph = state.graph(graph)?;
        let handle = state.fresh_handle();
        let (nodes, objects) = (state.graphs[&graph].nodes.clone(), state.graphs[&graph].objects.clone());
        objects.iter().for_each(|object| state.retain_object(*object));
        state.execs.insert(handle, Exec { nodes, objects, running: 0, is_destroyed: false });
        state.counts.live_execs += 1;
        // SAFETY: as the caller promises.
        unsafe { *out = std::ptr::without_provenance_mut(handle) };
        Ok(())
    })())
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGraphDestroy(graph: *mut c_void) -> Code {
    code((|| {
        let mut state = enter("cuGraphDestroy")?;
        let graph = state.graph(graph)?;
        state.destroy_graph(graph);
        Ok(())
    })())
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGraphExecDestroy(exec: *mut c_void) -> Code {
    code((|| {
        let mut state = enter("cuGraphExecDestroy")?;
        let exec = state.exec(exec)?;
        if let Some(found) = state.execs.get_mut(&exec) {
            found.is_destroyed = true;
        }
        state.drop_if_unused(exec);
        Ok(())
    })())
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGraphLaunch(exec: *mut c_void, stream: *mut c_void) -> Code {
    code((|| {
        let mut state = enter_work("cuGraphLaunch")?;
        let exec = state.exec(exec)?;
        let key = state.stream(stream)?;
        if state.streams[&key].context != current_context() {
            return Err(INVALID_HANDLE);
        }
        if let Some(capture) = state.streams[&key].capture {
            state.invalidate(capture);
            return Err(CAPTURE_UNSUPPORTED);
        }
        state.counts.graph_launches += 1;
        let nodes = state.execs[&exec].nodes.clone();
        if let Some(found) = state.execs.get_mut(&exec) {
            found.running += 1;
        }
        let done = nodes.into_iter().try_for_each(|node| state.submit(key, node));
        done.and(state.submit(key, Op::EndOfGraph(exec)))
    })())
}

/// # Safety
/// As the driver's function. Only the number of nodes is told.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGraphGetNodes(graph: *mut c_void, nodes: *mut *mut c_void, n: *mut usize) -> Code {
    code((|| {
        let mut state = enter("cuGraphGetNodes")?;
        let graph = state.graph(graph)?;
        if !nodes.is_null() {
            return Err(crate::state::NOT_SUPPORTED);
        }
        // SAFETY: as the caller promises.
        unsafe { *n = state.graphs[&graph].nodes.len() };
        Ok(())
    })())
}
