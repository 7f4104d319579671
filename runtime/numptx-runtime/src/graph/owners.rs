//! What other libraries own and a graph keeps, for bindings whose language has a collector of cycles: they find this function by name.

use std::ffi::c_void;

use numptx_abi::Buffer;

use super::{Graph, State};
use crate::buffer::Release;
use crate::lock::try_lock;

/// Gets the caller's datum, a buffer that a graph keeps, its owner, the function that lets the owner go, and how many references to the buffer are not
/// the graph's.
type Visit = unsafe extern "C" fn(*mut c_void, *mut Buffer, *mut c_void, Release, others: i64);

impl Graph {
    /// Nothing while another thread has the graph's state, who may want what the caller has.
    fn for_each_owner(&self, mut visit: impl FnMut(*mut Buffer, *mut c_void, Release, i64)) {
        let Some(state) = try_lock(&self.state) else { return };
        let State::Ready(ready) = &*state else { return };
        for kept in &ready.buffers {
            if let Some((owner, release)) = kept.buffer.owner() {
                let others = kept.buffer.references() - 1 - kept.driver_references;
                visit(kept.buffer.as_ptr().cast(), owner, release, others);
            }
        }
    }
}

/// Tells the owners of memory that a graph's calls used, each once for every buffer. A graph that is recorded tells none.
///
/// # Safety
/// A live graph. `visit` neither calls the runtime nor lets anything go.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn numptx_runtime_graph_owners(graph: *const numptx_abi::Graph, visit: Visit, data: *mut c_void) {
    // SAFETY: alive, as the caller promises.
    let graph = unsafe { &*graph.cast::<Graph>() };
    // SAFETY: the function gets its own datum, and what is alive as long as the graph.
    graph.for_each_owner(|buffer, owner, release, others| unsafe { visit(data, buffer, owner, release, others) });
}
