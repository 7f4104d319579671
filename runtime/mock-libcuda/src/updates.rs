//! The update of an executable graph: it takes over the nodes of another graph of the same shape, and what these keep alive.

use std::ffi::c_void;
use std::mem::discriminant;

use crate::state::{Code, UPDATE_FAILURE, code, enter_context};
use crate::work::Op;

/// `CUgraphExecUpdateResultInfo`.
#[repr(C)]
pub struct UpdateResult {
    result: i32,
    node: *mut c_void,
    from_node: *mut c_void,
}

/// `CUgraphExecUpdateResult`: done, and a graph of another shape.
const DONE: i32 = 0;
const TOPOLOGY_CHANGED: i32 = 2;

/// Whether both graphs do the same kinds of things in the same order.
fn is_alike(before: &[Op], after: &[Op]) -> bool {
    before.len() == after.len() && before.iter().zip(after).all(|(a, b)| discriminant(a) == discriminant(b))
}

/// # Safety
/// As the driver's function. Launches before keep the nodes that they had.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGraphExecUpdate_v2(exec: *mut c_void, graph: *mut c_void, out: *mut UpdateResult) -> Code {
    code((|| {
        let mut state = enter_context("cuGraphExecUpdate")?;
        let (exec, graph) = (state.exec(exec)?, state.graph(graph)?);
        let fits = is_alike(&state.execs[&exec].nodes, &state.graphs[&graph].nodes);
        let result = if fits { DONE } else { TOPOLOGY_CHANGED };
        // SAFETY: as the caller promises.
        unsafe { *out = UpdateResult { result, node: std::ptr::null_mut(), from_node: std::ptr::null_mut() } };
        if !fits {
            return Err(UPDATE_FAILURE);
        }
        let source = &state.graphs[&graph];
        let (nodes, objects) = (source.nodes.clone(), source.objects.clone());
        objects.iter().for_each(|object| state.retain_object(*object));
        let Some(found) = state.execs.get_mut(&exec) else { return Ok(()) };
        found.nodes = nodes;
        let old = std::mem::replace(&mut found.objects, objects);
        if found.running > 0 {
            found.outlived.extend(old);
        } else {
            old.into_iter().for_each(|object| state.release_object(object, 1));
        }
        Ok(())
    })())
}
