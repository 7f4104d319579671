//! Graphs: recorded work, what it keeps alive, and its launches.

use std::collections::BTreeMap;
use std::ffi::c_void;

use crate::launch::{Blocks, prepare};
use crate::state::{
    CAPTURE_UNSUPPORTED, Code, INVALID_HANDLE, INVALID_VALUE, NOT_SUPPORTED, State, code, current_context, enter,
    enter_context, enter_work,
};
use crate::work::Op;

/// A graph. Its nodes run in the order in which they were recorded, which every order of a graph allows.
#[derive(Default)]
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Op>,
    /// References to user objects.
    pub(crate) objects: Vec<usize>,
    /// The nodes that were added by themselves.
    pub(crate) kernels: Kernels,
}

/// Which node a handle names.
pub(crate) type Kernels = BTreeMap<usize, usize>;

/// `CUDA_KERNEL_NODE_PARAMS_v2`.
#[repr(C)]
pub struct KernelParameters {
    function: *mut c_void,
    grid: [u32; 3],
    block: [u32; 3],
    shared_bytes: u32,
    parameters: *const *mut c_void,
    extra: *const *mut c_void,
    kernel: *mut c_void,
    context: *mut c_void,
}

impl KernelParameters {
    /// # Safety
    /// As the driver's functions.
    unsafe fn prepare(&self, state: &mut State) -> Result<Op, Code> {
        if !self.extra.is_null() || !self.kernel.is_null() || !self.context.is_null() {
            return Err(NOT_SUPPORTED);
        }
        // SAFETY: as the caller promises.
        unsafe {
            prepare(state, Blocks::Alone, self.function, self.grid, self.block, self.shared_bytes, self.parameters)
        }
    }
}

/// An executable graph.
pub(crate) struct Exec {
    pub(crate) nodes: Vec<Op>,
    pub(crate) objects: Vec<usize>,
    /// Objects of before an update, which launches under way may use.
    pub(crate) outlived: Vec<usize>,
    pub(crate) kernels: Kernels,
    /// Launches that are not over.
    pub(crate) running: usize,
    is_destroyed: bool,
}

impl State {
    pub(crate) fn graph(&mut self, handle: *mut c_void) -> Result<usize, Code> {
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

    pub(crate) fn exec(&mut self, handle: *mut c_void) -> Result<usize, Code> {
        if self.execs.get(&handle.addr()).is_some_and(|exec| !exec.is_destroyed) {
            return Ok(handle.addr());
        }
        self.violation("use of an executable graph that is not alive");
        Err(INVALID_HANDLE)
    }

    /// A launch is over: what a destroyed graph kept goes with its last one.
    pub(crate) fn launch_ended(&mut self, exec: usize) {
        let mut outlived = Vec::new();
        if let Some(found) = self.execs.get_mut(&exec) {
            found.running -= 1;
            if found.running == 0 {
                outlived = std::mem::take(&mut found.outlived);
            }
        }
        outlived.into_iter().for_each(|object| self.release_object(object, 1));
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
        let Graph { nodes, objects, kernels } = &state.graphs[&graph];
        let (nodes, objects, kernels) = (nodes.clone(), objects.clone(), kernels.clone());
        objects.iter().for_each(|object| state.retain_object(*object));
        state
            .execs
            .insert(handle, Exec { nodes, objects, outlived: Vec::new(), kernels, running: 0, is_destroyed: false });
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
            return Err(NOT_SUPPORTED);
        }
        // SAFETY: as the caller promises.
        unsafe { *n = state.graphs[&graph].nodes.len() };
        Ok(())
    })())
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGraphCreate(out: *mut *mut c_void, flags: u32) -> Code {
    code((|| {
        let mut state = enter("cuGraphCreate")?;
        if flags != 0 {
            return Err(INVALID_VALUE);
        }
        let handle = state.fresh_handle();
        state.graphs.insert(handle, Graph::default());
        state.counts.live_graphs += 1;
        // SAFETY: as the caller promises.
        unsafe { *out = std::ptr::without_provenance_mut(handle) };
        Ok(())
    })())
}

/// # Safety
/// As the driver's function. Nodes run in the order in which they were added: each has to come after the one before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGraphAddKernelNode_v2(
    out: *mut *mut c_void,
    graph: *mut c_void,
    before: *const *mut c_void,
    n_before: usize,
    parameters: *const KernelParameters,
) -> Code {
    code((|| {
        let mut state = enter_context("cuGraphAddKernelNode")?;
        let graph = state.graph(graph)?;
        // SAFETY: as the caller promises.
        let before = if n_before == 0 { &[][..] } else { unsafe { std::slice::from_raw_parts(before, n_before) } };
        let Graph { nodes, kernels, .. } = &state.graphs[&graph];
        let last = nodes.len().checked_sub(1);
        let places: Vec<Option<usize>> = before.iter().map(|b| kernels.get(&b.addr()).copied()).collect();
        if !places.iter().all(Option::is_some) || last.is_some_and(|last| !places.contains(&Some(last))) {
            state.violation("a node of a graph that does not come after the one before, or after one of another graph");
            return Err(INVALID_VALUE);
        }
        // SAFETY: as the caller promises.
        let op = unsafe { (*parameters).prepare(&mut state) }?;
        let handle = state.fresh_handle();
        if let Some(graph) = state.graphs.get_mut(&graph) {
            graph.kernels.insert(handle, graph.nodes.len());
            graph.nodes.push(op);
        }
        // SAFETY: as the caller promises.
        unsafe { *out = std::ptr::without_provenance_mut(handle) };
        Ok(())
    })())
}

/// # Safety
/// As the driver's function. Launches before keep the parameters that they had.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGraphExecKernelNodeSetParams_v2(
    exec: *mut c_void,
    node: *mut c_void,
    parameters: *const KernelParameters,
) -> Code {
    code((|| {
        let mut state = enter_context("cuGraphExecKernelNodeSetParams")?;
        let exec = state.exec(exec)?;
        let Some(at) = state.execs[&exec].kernels.get(&node.addr()).copied() else {
            state.violation("a node of another graph than the executable one was made of");
            return Err(INVALID_VALUE);
        };
        // SAFETY: as the caller promises.
        let op = unsafe { (*parameters).prepare(&mut state) }?;
        if let Some(exec) = state.execs.get_mut(&exec) {
            exec.nodes[at] = op;
        }
        Ok(())
    })())
}
