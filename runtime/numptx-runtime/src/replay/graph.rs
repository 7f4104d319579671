//! A graph that launches a sequence, and is given other parameters before it is launched again.
//!
//! In: a sequence. Out: an executable graph of a node for each launch, after the one before. It is destroyed with the loop; launches under way go on.

use cudarc::driver::sys;

use super::sequence::Sequence;
use crate::device::Device;
use crate::driver::{Failure, opened};
use crate::stream::Stream;

/// An executable graph, with the graph that it was made of: its nodes are named by that one's.
pub(super) struct Executable {
    device: &'static Device,
    graph: sys::CUgraph,
    executable: sys::CUgraphExec,
    nodes: Vec<sys::CUgraphNode>,
}

impl Executable {
    /// `None`: the driver makes no such graph; the launches do without.
    pub(super) fn of(device: &'static Device, sequence: &mut Sequence) -> Option<Executable> {
        let (graph, executable) = (std::ptr::null_mut(), std::ptr::null_mut());
        let nodes = Vec::with_capacity(sequence.len());
        let mut made = Executable { device, graph, executable, nodes };
        // What was made is destroyed where that fails.
        made.build(sequence).is_ok().then_some(made)
    }

    fn build(&mut self, sequence: &mut Sequence) -> Result<(), Failure> {
        let driver = self.device.driver;
        // SAFETY: writes to fields; the graph is ours.
        unsafe { driver.graph_create(&mut self.graph, 0) }?;
        for at in 0..sequence.len() {
            let before = self.nodes.last().copied();
            let before = before.as_slice();
            let parameters = parameters_of(sequence, at);
            let mut node: sys::CUgraphNode = std::ptr::null_mut();
            // SAFETY: the node before is the graph's; the parameters are the function's, and copied.
            unsafe { driver.graph_add_kernel(&mut node, self.graph, before.as_ptr(), before.len(), &parameters) }?;
            self.nodes.push(node);
            sequence.nodes[at].is_new = false;
        }
        // SAFETY: writes to a field; the graph is ours.
        unsafe { driver.graph_instantiate(&mut self.executable, self.graph, 0) }
    }

    /// Makes the graph's launches those of a sequence, which has as many.
    pub(super) fn update(&self, sequence: &mut Sequence) -> Result<(), Failure> {
        for (at, node) in self.nodes.iter().enumerate() {
            if !std::mem::take(&mut sequence.nodes[at].is_new) {
                continue;
            }
            let parameters = parameters_of(sequence, at);
            // SAFETY: the node is one of the graph's; launches under way keep the parameters that they have.
            unsafe { self.device.driver.graph_set_kernel(self.executable, *node, &parameters) }?;
        }
        Ok(())
    }

    /// Launches the graph.
    pub(super) fn launch(&self, stream: &Stream) -> Result<(), Failure> {
        // SAFETY: what the parameters lead to is alive until the iteration ends.
        unsafe { self.device.driver.graph_launch(self.executable, stream.handle()) }
    }
}

/// A launch's parameters, which lie in the sequence until it is asked again.
fn parameters_of(sequence: &mut Sequence, at: usize) -> sys::CUDA_KERNEL_NODE_PARAMS {
    let (function, parameters) = sequence.at(at);
    sys::CUDA_KERNEL_NODE_PARAMS {
        func: function.function,
        gridDimX: function.blocks.0,
        gridDimY: function.blocks.1,
        gridDimZ: 1,
        blockDimX: function.threads.0,
        blockDimY: function.threads.1,
        blockDimZ: 1,
        sharedMemBytes: 0,
        kernelParams: parameters,
        extra: std::ptr::null_mut(),
        kern: std::ptr::null_mut(),
        ctx: std::ptr::null_mut(),
    }
}

impl Drop for Executable {
    fn drop(&mut self) {
        let (Some(driver), Ok(_context)) = (opened(), self.device.enter()) else { return };
        // SAFETY: both are ours, and destroyed once.
        unsafe {
            if !self.executable.is_null() {
                let _ = driver.graph_exec_destroy(self.executable);
            }
            if !self.graph.is_null() {
                let _ = driver.graph_destroy(self.graph);
            }
        }
    }
}
