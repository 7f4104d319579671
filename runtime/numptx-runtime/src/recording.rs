//! A call that is being captured into a graph: what it used has to live as long as the graph can be launched.
//!
//! In: buffers and staging blocks that the call touches. Out: one user object that the graph owns, and its executables with it. The driver
//! drops it on a thread of its own, where nothing may be called: it goes to [`crate::deferred`].

use std::cell::RefCell;
use std::ffi::c_void;

use cudarc::driver::sys;
use numptx_abi::{Argument, Overload};

use crate::buffer::{self, BufferRef};
use crate::deferred::{self, DeferredWork, put_off};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::graph;
use crate::libraries::cufft::{Key, Plan};
use crate::pinned::Block;
use crate::placement::argument_device;
use crate::stream::{Capture, Stream};
use crate::uses::Uses;

/// The capture that the call's stream is in, if any; refused where the call would have to give something to the host.
pub(crate) fn begin_recording(
    device: &'static Device,
    stream: &Stream,
    overload: &Overload,
    arguments: &[Argument],
) -> Result<Option<Recording>> {
    if let Some(other) = stream.device().filter(|other| other.ordinal != device.ordinal) {
        return Err(Error::value(format!(
            "the call computes on CUDA device {}, and its stream belongs to CUDA device {}",
            device.ordinal, other.ordinal
        )));
    }
    let (graph, id) = match stream.capture(device.driver)? {
        Capture::No => return Ok(None),
        Capture::Into { graph, id } => (graph, id),
        Capture::Implied => {
            return Err(Error::runtime(
                "a blocking stream is being captured, and work on the legacy default stream would have to wait for it; \
                 call this function on that stream, or on another one: with numptx.Stream(…): …",
            ));
        }
    };
    for (k, argument) in arguments.iter().enumerate() {
        if overload.written & (1 << k) != 0 && argument_device(argument) == Some(-1) {
            return Err(Error::value(format!(
                "the function writes to its argument {}, an array in host memory, during the capture of a graph; a replay cannot do that: pass a device array",
                k + 1
            )));
        }
    }
    Ok(Some(Recording::new(device, graph, id)))
}

/// A buffer that captured calls use.
pub(crate) struct BufferUse {
    pub(crate) buffer: BufferRef,
    /// Whether they write to it, so that replays on several streams go one after another.
    pub(crate) is_written: bool,
}

impl BufferUse {
    /// Notes a use in a list that has each buffer once.
    pub(crate) fn note(list: &mut Vec<BufferUse>, buffer: &BufferRef, is_written: bool) {
        match list.iter_mut().find(|kept| kept.buffer.as_ptr() == buffer.as_ptr()) {
            Some(kept) => kept.is_written |= is_written,
            None => list.push(BufferUse { buffer: buffer.clone(), is_written }),
        }
    }
}

/// References that a graph holds.
#[derive(Default)]
pub(crate) struct Bundle {
    buffers: Vec<BufferUse>,
    blocks: Vec<Block>,
    plans: Vec<Plan>,
}

impl Bundle {
    fn is_empty(&self) -> bool {
        self.buffers.is_empty() && self.blocks.is_empty() && self.plans.is_empty()
    }
}

/// The capture that a call takes part in.
pub(crate) struct Recording {
    device: &'static Device,
    graph: sys::CUgraph,
    id: u64,
    bundle: RefCell<Bundle>,
    /// Working memory of the products of matrices among the captured.
    products: RefCell<Option<BufferRef>>,
}

impl Recording {
    pub(crate) fn new(device: &'static Device, graph: sys::CUgraph, id: u64) -> Recording {
        Recording { device, graph, id, bundle: RefCell::default(), products: RefCell::default() }
    }

    /// The capture's number.
    pub(crate) fn id(&self) -> u64 {
        self.id
    }

    /// Memory that all products of the call work in, made at the first.
    pub(crate) fn products_memory(
        &self,
        make: impl FnOnce() -> Result<Option<BufferRef>>,
    ) -> Result<Option<BufferRef>> {
        let mut products = self.products.borrow_mut();
        if products.is_none() {
            *products = make()?;
        }
        Ok(products.clone())
    }

    /// Keeps a buffer, which is no argument's, alive with the graph.
    pub(crate) fn keep(&self, buffer: &BufferRef, is_written: bool) {
        BufferUse::note(&mut self.bundle.borrow_mut().buffers, buffer, is_written);
    }

    /// Keeps the owners of device memory without a buffer alive with the graph.
    pub(crate) fn keep_owners(&self, arguments: &[Argument]) {
        for argument in arguments.iter().filter(|argument| argument_device(argument).is_some_and(|device| device >= 0))
        {
            if !argument.array.buffer.is_null() || argument.owner.is_null() {
                continue;
            }
            let read_only = argument.read_only != 0;
            // SAFETY: a binding passes a live owner with its functions; nobody asks this buffer for more than to keep it.
            let buffer = unsafe {
                let owner = (argument.owner, &*argument.owner_table);
                buffer::new_foreign(argument.data, 0, argument.device, read_only, owner, Uses::none())
            };
            self.keep(&buffer, false);
        }
    }

    /// Keeps a staging block alive with the graph.
    pub(crate) fn keep_block(&self, block: Block) {
        self.bundle.borrow_mut().blocks.push(block);
    }

    /// Keeps a plan of transforms, to whose memory nodes refer, alive with the graph.
    pub(crate) fn keep_plan(&self, plan: Plan) {
        self.bundle.borrow_mut().plans.push(plan);
    }

    /// A plan that is kept, for another use; it is to be kept again.
    pub(crate) fn take_plan(&self, key: &Key) -> Option<Plan> {
        let plans = &mut self.bundle.borrow_mut().plans;
        let found = plans.iter().position(|plan| plan.is_of(key))?;
        Some(plans.swap_remove(found))
    }

    /// Hands everything to the graph. Where that fails it stays alive for good: the graph may hold nodes that use it.
    pub(crate) fn hand_over(self) -> Result<()> {
        const WITHOUT_SYNCHRONISATION: u32 = 1;
        const MOVE: u32 = 1;
        let mut bundle = self.bundle.into_inner();
        bundle.buffers = graph::take_buffers(self.id, std::mem::take(&mut bundle.buffers));
        if bundle.is_empty() {
            return Ok(());
        }
        deferred::expect_work();
        let bundle = Box::into_raw(Box::new(bundle));
        let mut object: sys::CUuserObject = std::ptr::null_mut();
        let driver = self.device.driver;
        // SAFETY: the destructor takes the bundle over, once; the graph is being captured.
        unsafe {
            driver.object_create(&mut object, bundle.cast(), let_go, 1, WITHOUT_SYNCHRONISATION)?;
            Ok(driver.graph_retain(self.graph, object, 1, MOVE)?)
        }
    }
}

/// The driver's call when the last executable graph is gone.
unsafe extern "C" fn let_go(bundle: *mut c_void) {
    // SAFETY: boxed by `hand_over`, and given up once.
    put_off(DeferredWork::Drop(unsafe { Box::from_raw(bundle.cast::<Bundle>()) }));
}
